// SPDX-License-Identifier: MIT
/*  bench/algorithms: what amp_algorithms.h has ready, beside the same by hand on the CPU: `sum` of floats, `scan`
    (inclusive, of floats), `select` (half of ints are kept), `sort` of 32-bit keys, `histogram` of bytes. Results of
    ours have the same bits everywhere; the sums by hand have not. Gitem/s.
    How to build and read: bench/README.md. */
#include "bench.h"

#include "amp_algorithms.h"

enum { BINS = 256 };

static struct {
    int size;
    float *floats, *scanned;
    int *ints, *kept, *keys;
    uint8_t *bytes;
    int counts[BINS], want_counts[BINS];
    int count, want_count;
    float sum;
    double want_sum;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_1 floats;
    amp_const_array_view_int_1 ints;
    amp_const_array_view_uint8_t_1 bytes;
    amp_array_view_float_1 scanned;
    amp_array_view_int_1 kept, keys, counts;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->keys);
    amp_array_view_synchronize_to(&o->floats, o->av);
    amp_array_view_synchronize_to(&o->ints, o->av);
    amp_array_view_synchronize_to(&o->bytes, o->av);
    amp_array_view_synchronize_to(&o->keys, o->av);
    amp_array_view_discard_data(&o->scanned);
    amp_array_view_discard_data(&o->kept);
}

static void ours_sum(void *self) { host.sum = amp_sum_on(((const ours *)self)->av, ((const ours *)self)->floats); }

static void ours_scan(void *self)
{
    const ours *const o = self;
    amp_inclusive_sum_on(o->av, o->scanned, o->floats);
    amp_accelerator_view_wait(o->av);
}

static void ours_select(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_int_1 ints = o->ints;
    AMP_SELECT_IF_ON(o->av, o->kept, host.count, ints.extent, (i), AMP_CAPTURE(ints), AMP_AT(ints, i) > 0,
                     AMP_AT(ints, i));
}

static void ours_sort(void *self)
{
    const ours *const o = self;
    amp_sort_on(o->av, o->keys);
    amp_accelerator_view_wait(o->av);
}

static void ours_histogram(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_uint8_t_1 bytes = o->bytes;
    AMP_HISTOGRAM_ON(o->av, o->counts, bytes.extent, (i), AMP_CAPTURE(bytes), AMP_AT(bytes, i));
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize(&o->scanned);
    amp_array_view_synchronize(&o->kept);
    amp_array_view_synchronize(&o->keys);
    amp_array_view_synchronize(&o->counts);
}

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_sum(void *self)
{
    (void)self;
    const float *restrict const floats = host.floats;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < host.size; i++)
        sum += floats[i];
    host.sum = sum;
}

/* Each thread sums its part, then goes over it again. */
static void openmp_scan(void *self)
{
    (void)self;
    const float *restrict const floats = host.floats;
    float *restrict const scanned = host.scanned;
    float part[BENCH_MAX_REPS + 1] = { 0 };
#pragma omp parallel num_threads(omp_get_max_threads() < BENCH_MAX_REPS ? omp_get_max_threads() : BENCH_MAX_REPS)
    {
        const ptrdiff_t threads = omp_get_num_threads(), me = omp_get_thread_num();
        const ptrdiff_t first = host.size * me / threads, end = host.size * (me + 1) / threads;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (ptrdiff_t i = first; i < end; i++)
            sum += floats[i];
        part[me + 1] = sum;
#pragma omp barrier
        sum = 0;
        for (ptrdiff_t i = 0; i <= me; i++)
            sum += part[i];
        for (ptrdiff_t i = first; i < end; i++)
            scanned[i] = sum += floats[i];
    }
}

static void serial_select(void *self)
{
    (void)self;
    int count = 0;
    for (ptrdiff_t i = 0; i < host.size; i++)
        if (host.ints[i] > 0)
            host.kept[count++] = host.ints[i];
    host.count = count;
}

static int by_value(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static void serial_sort(void *self)
{
    (void)self;
    qsort(host.keys, (size_t)host.size, sizeof *host.keys, by_value);
}

static void openmp_histogram(void *self)
{
    (void)self;
    memset(host.counts, 0, sizeof host.counts);
#pragma omp parallel
    {
        int own[BINS] = { 0 };
#pragma omp for nowait
        for (ptrdiff_t i = 0; i < host.size; i++)
            own[host.bytes[i]]++;
        for (int bin = 0; bin < BINS; bin++)
#pragma omp atomic
            host.counts[bin] += own[bin];
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void)
{
    host.sum = 0;
    host.count = 0;
    memcpy(host.keys, host.ints, (size_t)host.size * sizeof *host.keys);
}

static bool check_sum(void) { return fabs((double)host.sum - host.want_sum) < 1e-4 * host.want_sum; }
static bool check_scan(void)
{
    return fabs((double)host.scanned[host.size - 1] - host.want_sum) < 1e-2 * host.want_sum;
}
static bool check_select(void) { return host.count == host.want_count; }
static bool check_histogram(void) { return memcmp(host.counts, host.want_counts, sizeof host.counts) == 0; }

static bool check_sort(void)
{
    for (int i = 1; i < host.size; i++)
        if (host.keys[i - 1] > host.keys[i])
            return false;
    return true;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 1, floats, host.floats, host.size);
    AMP_CONST_ARRAY_VIEW(int, 1, ints, host.ints, host.size);
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, bytes, host.bytes, host.size);
    AMP_ARRAY_VIEW(float, 1, scanned, host.scanned, host.size);
    AMP_ARRAY_VIEW(int, 1, kept, host.kept, host.size);
    AMP_ARRAY_VIEW(int, 1, keys, host.keys, host.size);
    AMP_ARRAY_VIEW(int, 1, counts, host.counts, BINS);
    ours o = { amp_accelerator_default_view(accelerator), floats, ints, bytes, scanned, kept, keys, counts };
    const struct {
        const char *name, *rival;
        void (*run)(void *self), (*by_hand)(void *self);
        bool (*check)(void);
    } rows[] = {
        { "sum", "OpenMP", ours_sum, openmp_sum, check_sum },
        { "scan", "OpenMP", ours_scan, openmp_scan, check_scan },
        { "select", "one thread", ours_select, serial_select, check_select },
        { "sort", "qsort", ours_sort, serial_sort, check_sort },
        { "histogram", "OpenMP", ours_histogram, openmp_histogram, check_histogram },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench_way by_hand = bench_openmp(device, rows[i].by_hand);
        by_hand.name = by_hand.name ? rows[i].rival : NULL;
        const bench_way ways[] = { { "ours", &o, ours_upload, rows[i].run, ours_download }, by_hand };
        if (bench_wanted(b, rows[i].name))
            bench_compare(b, rows[i].name, host.size, (bench_problem){ reset, rows[i].check }, ways, BENCH_COUNT(ways));
    }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "algorithms", BENCH_GITEM_PER_S, 1 << 24, 7);
    const size_t size = (size_t)b.size;
    host.size = b.size;
    host.floats = bench_memory(size * sizeof *host.floats);
    host.scanned = bench_memory(size * sizeof *host.scanned);
    host.ints = bench_memory(size * sizeof *host.ints);
    host.kept = bench_memory(size * sizeof *host.kept);
    host.keys = bench_memory(size * sizeof *host.keys);
    host.bytes = bench_memory(size);
    for (int i = 0; i < b.size; i++) {
        const uint32_t bits = amp_random_bits(1, (uint64_t)i);
        host.floats[i] = amp_random_float(2, (uint64_t)i);
        host.want_sum += (double)host.floats[i];
        host.ints[i] = (int)bits;
        host.want_count += host.ints[i] > 0;
        host.bytes[i] = (uint8_t)bits;
        host.want_counts[host.bytes[i]]++;
    }

    bench_each_accelerator(&b, measure);

    free(host.floats);
    free(host.scanned);
    free(host.ints);
    free(host.kept);
    free(host.keys);
    free(host.bytes);
    return bench_end(&b);
}
