// SPDX-License-Identifier: MIT
/*  bench/algorithms: what amp_algorithms.h has ready: `sum` of floats, also of a table (`sum_of_rank_2`), of each of
    its rows (`sums_of_rows`) and of each 48 elements (`sums_of_short_rows`), `scan` (inclusive, of floats) and
    `scan_of_ints`, `select` (half of ints are kept), `sort` of 32-bit keys by their digits and `sort_by_key` with ints,
    `merge_sort` of them by a comparison, `run_lengths_2`, `_6` and `_100` of runs of so many ints in the mean,
    `sums_by_key` of floats and `sums_of_ints_by_key` in runs of six, `histogram` of bytes, `transpose` of floats.
    Beside them on the CPU the same by hand and C++'s algorithms, on one and all threads; on an NVIDIA GPU CUB, by the
    wall clock, as ours, and by the GPU's own, without launches and wait. Results of ours have the same bits everywhere;
    the sums by hand have not. Gitem/s. How to build and read: bench/README.md. */
#include "bench.h"

#include "amp_algorithms.h"
#include "rivals/cpp_rivals.h"

enum { BINS = 256, SHORT_ROW = 48, MEANS = 3, SOON = 1 << 24 /* elements that take so little that waits count */ };
static const uint32_t means[MEANS] = { 2, 6, 100 }; /* of the lengths of runs */

static struct {
    int size, side;
    float *floats, *scanned; /* scanned: also what is transposed */
    int *ints, *runs[MEANS], *numbers;
    int *kept; /* and what belongs to it: the lengths of runs; how many they are where CUB leaves that */
    int *keys; /* and their values */
    uint8_t *bytes;
    int counts[BINS], want_counts[BINS];
    int count, want_count, want_runs[MEANS];
    int mean; /* the number of the runs that a row takes */
    float sum;
    double want_sum, want_table; /* of all, and of the first side * side */
    uint64_t want_ints;          /* the sum of all */
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_1 floats;
    amp_const_array_view_float_2 matrix, rows;
    amp_const_array_view_int_1 ints, runs[MEANS];
    amp_const_array_view_uint8_t_1 bytes;
    amp_array_view_float_1 scanned;
    amp_array_view_int_1 scanned_ints;
    amp_array_view_float_2 transposed;
    amp_array_view_int_1 kept, lengths, keys, values, counts;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->floats, o->av);
    amp_array_view_synchronize_to(&o->ints, o->av);
    amp_array_view_synchronize_to(&o->runs[host.mean], o->av);
    amp_array_view_synchronize_to(&o->bytes, o->av);
    amp_array_view_discard_data(&o->scanned);
    amp_array_view_discard_data(&o->scanned_ints);
    amp_array_view_discard_data(&o->kept);
    amp_array_view_discard_data(&o->lengths);
}

static void ours_upload_rows(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->rows, o->av);
    amp_array_view_discard_data(&o->scanned);
}

static void ours_upload_matrix(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->matrix, o->av);
    amp_array_view_discard_data(&o->transposed);
}

/* What is sorted in place. */
static void ours_upload_keys(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->keys);
    amp_array_view_refresh(&o->values);
    amp_array_view_synchronize_to(&o->keys, o->av);
    amp_array_view_synchronize_to(&o->values, o->av);
}

static void ours_sum(void *self) { host.sum = amp_sum_on(((const ours *)self)->av, ((const ours *)self)->floats); }

static void ours_scan(void *self)
{
    const ours *const o = self;
    amp_inclusive_sum_on(o->av, o->scanned, o->floats);
    amp_accelerator_view_wait(o->av);
}

static void ours_scan_of_ints(void *self)
{
    const ours *const o = self;
    amp_inclusive_sum_on(o->av, o->scanned_ints, o->ints);
    amp_accelerator_view_wait(o->av);
}

/* A sum of each row, and of the table; neither has what the other gets. */
static void ours_rows(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_float_2 matrix = o->matrix;
    const amp_array_view_float_1 sums = amp_section(o->scanned, 0, matrix.extent.v[0]);
    AMP_REDUCE_ROWS_ON(o->av, float, sums, matrix.extent, (i, j), AMP_CAPTURE(matrix), AMP_AT(matrix, i, j), a + b, 0);
    amp_accelerator_view_wait(o->av);
}

static void ours_short_rows(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_float_2 rows = o->rows;
    const amp_array_view_float_1 sums = amp_section(o->scanned, 0, rows.extent.v[0]);
    AMP_REDUCE_ROWS_ON(o->av, float, sums, rows.extent, (i, j), AMP_CAPTURE(rows), AMP_AT(rows, i, j), a + b, 0);
    amp_accelerator_view_wait(o->av);
}

static void ours_table(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_float_2 matrix = o->matrix;
    AMP_REDUCE_ON(o->av, float, host.sum, matrix.extent, (i, j), AMP_CAPTURE(matrix), AMP_AT(matrix, i, j), a + b, 0);
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

static void ours_sort_by_key(void *self)
{
    const ours *const o = self;
    amp_sort_by_key_on(o->av, o->keys, o->values);
    amp_accelerator_view_wait(o->av);
}

static void ours_merge_sort(void *self)
{
    const ours *const o = self;
    const amp_array_view_int_1 keys = o->keys;
    AMP_SORT_ON(o->av, keys, AMP_CAPTURE(), a < b);
    amp_accelerator_view_wait(o->av);
}

static void ours_run_lengths(void *self)
{
    const ours *const o = self;
    const amp_array_view_int_1 kept = o->kept, lengths = o->lengths;
    amp_run_length_encode_on(o->av, kept, lengths, host.count, o->runs[host.mean]);
    amp_accelerator_view_wait(o->av);
}

static void ours_sums_by_key(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_float_1 floats = o->floats;
    AMP_REDUCE_BY_KEY_ON(o->av, float, o->kept, o->scanned, host.count, o->runs[host.mean], (i), AMP_CAPTURE(floats),
                         AMP_AT(floats, i), a + b, 0);
    amp_accelerator_view_wait(o->av);
}

static void ours_sums_of_ints_by_key(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_int_1 ints = o->ints;
    AMP_REDUCE_BY_KEY_ON(o->av, int, o->kept, o->lengths, host.count, o->runs[host.mean], (i), AMP_CAPTURE(ints),
                         AMP_AT(ints, i), a + b, 0);
    amp_accelerator_view_wait(o->av);
}

static void ours_transpose(void *self)
{
    const ours *const o = self;
    amp_transpose_on(o->av, o->transposed, o->matrix);
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
    amp_array_view_synchronize(&o->scanned_ints);
    amp_array_view_synchronize(&o->transposed);
    amp_array_view_synchronize(&o->kept);
    amp_array_view_synchronize(&o->lengths);
    amp_array_view_synchronize(&o->keys);
    amp_array_view_synchronize(&o->values);
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

static void openmp_rows_of(ptrdiff_t rows, ptrdiff_t length)
{
    const float *restrict const floats = host.floats;
    float *restrict const sums = host.scanned;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < rows; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (ptrdiff_t j = 0; j < length; j++)
            sum += floats[i * length + j];
        sums[i] = sum;
    }
}

static void openmp_rows(void *self)
{
    (void)self;
    openmp_rows_of(host.side, host.side);
}

static void openmp_short_rows(void *self)
{
    (void)self;
    openmp_rows_of(host.size / SHORT_ROW, SHORT_ROW);
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

static void serial_scan_of_ints(void *self)
{
    (void)self;
    int *const scanned = (int *)host.scanned;
    uint32_t sum = 0;
    for (ptrdiff_t i = 0; i < host.size; i++)
        scanned[i] = (int)(sum += (uint32_t)host.ints[i]);
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

/* Pairs lie side by side for qsort. */
static void serial_sort_by_key(void *self)
{
    (void)self;
    int(*const pairs)[2] = (int(*)[2])host.kept;
    for (ptrdiff_t i = 0; i < host.size; i++) {
        pairs[i][0] = host.keys[i];
        pairs[i][1] = host.keys[host.size + i];
    }
    qsort(pairs, (size_t)host.size, sizeof *pairs, by_value);
    for (ptrdiff_t i = 0; i < host.size; i++) {
        host.keys[i] = pairs[i][0];
        host.keys[host.size + i] = pairs[i][1];
    }
}

static void serial_run_lengths(void *self)
{
    (void)self;
    const int *const runs = host.runs[host.mean];
    int *const lengths = host.kept + host.size;
    int count = 0;
    for (ptrdiff_t i = 0; i < host.size; i++)
        if (i > 0 && runs[i] == runs[i - 1]) {
            lengths[count - 1]++;
        } else {
            host.kept[count] = runs[i];
            lengths[count++] = 1;
        }
    host.count = count;
}

static void serial_sums_by_key(void *self)
{
    (void)self;
    const int *const runs = host.runs[host.mean];
    float sum = 0;
    int count = 0;
    for (ptrdiff_t i = 0; i < host.size; i++) {
        sum += host.floats[i];
        if (i + 1 == host.size || runs[i] != runs[i + 1]) {
            host.kept[count] = runs[i];
            host.scanned[count++] = sum;
            sum = 0;
        }
    }
    host.count = count;
}

static void serial_sums_of_ints_by_key(void *self)
{
    (void)self;
    const int *const runs = host.runs[host.mean];
    uint32_t sum = 0;
    int count = 0;
    for (ptrdiff_t i = 0; i < host.size; i++) {
        sum += (uint32_t)host.ints[i];
        if (i + 1 == host.size || runs[i] != runs[i + 1]) {
            host.kept[count] = runs[i];
            host.kept[host.size + count++] = (int)sum;
            sum = 0;
        }
    }
    host.count = count;
}

/* In blocks that fit the cache. */
static void openmp_transpose(void *self)
{
    enum { BLOCK = 32 };
    (void)self;
    const ptrdiff_t side = host.side;
    const float *restrict const in = host.floats;
    float *restrict const out = host.scanned;
#pragma omp parallel for collapse(2)
    for (ptrdiff_t top = 0; top < side; top += BLOCK)
        for (ptrdiff_t left = 0; left < side; left += BLOCK)
            for (ptrdiff_t i = top; i < (top + BLOCK < side ? top + BLOCK : side); i++)
                for (ptrdiff_t j = left; j < (left + BLOCK < side ? left + BLOCK : side); j++)
                    out[i * side + j] = in[j * side + i];
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

/* ---- libraries ------------------------------------------------------------------------------------------ */

static void cub_counted(void *self)
{
    cuda_download(self);
    host.count = host.kept[((const cuda_job *)self)->out_bytes / sizeof(int) - 1];
}

static void cpp_result(void *self)
{
    host.sum = ((const cpp_job *)self)->sum;
    host.count = (int)((const cpp_job *)self)->found;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void)
{
    host.sum = 0;
    host.count = 0;
    memset(host.counts, 0xff, sizeof host.counts);
    host.scanned[host.size - 1] = host.scanned[host.side] = host.scanned[1] = (float)NAN;
    host.kept[0] = host.kept[host.size] = -1;
}

static void reset_2(void)
{
    host.mean = 0;
    reset();
}

static void reset_6(void)
{
    host.mean = 1;
    reset();
}

static void reset_100(void)
{
    host.mean = 2;
    reset();
}

static void reset_keys(void)
{
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < host.size; i++) {
        host.keys[i] = host.ints[i];
        host.keys[host.size + i] = (int)i;
    }
}

static bool check_sum(void) { return fabs((double)host.sum - host.want_sum) < 1e-4 * host.want_sum; }
static bool check_scan(void)
{
    return fabs((double)host.scanned[host.size - 1] - host.want_sum) < 1e-2 * host.want_sum;
}
static bool check_histogram(void) { return memcmp(host.counts, host.want_counts, sizeof host.counts) == 0; }

static bool check_select(void)
{
    ptrdiff_t wrong = host.count != host.want_count;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 0; i < host.want_count; i++)
        wrong += host.kept[i] <= 0;
    return wrong == 0;
}

static bool check_run_lengths(void)
{
    const int *const lengths = host.kept + host.size;
    ptrdiff_t wrong = host.count != host.want_runs[host.mean], sum = 0;
#pragma omp parallel for reduction(+ : wrong, sum)
    for (ptrdiff_t i = 0; i < host.want_runs[host.mean]; i++) {
        wrong += host.kept[i] != i;
        sum += lengths[i];
    }
    return wrong == 0 && sum == host.size;
}

static bool check_sums_by_key(void)
{
    ptrdiff_t wrong = host.count != host.want_runs[host.mean];
    double sum = 0;
#pragma omp parallel for reduction(+ : wrong, sum)
    for (ptrdiff_t i = 0; i < host.want_runs[host.mean]; i++) {
        wrong += host.kept[i] != i;
        sum += (double)host.scanned[i];
    }
    return wrong == 0 && fabs(sum - host.want_sum) < 1e-4 * host.want_sum;
}

/* All sums up to each, of which the last is known. */
static bool check_scan_of_ints(void)
{
    const int *const scanned = (const int *)host.scanned;
    ptrdiff_t wrong = (uint32_t)scanned[host.size - 1] != (uint32_t)host.want_ints || scanned[0] != host.ints[0];
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 1; i < host.size; i++)
        wrong += (uint32_t)scanned[i] - (uint32_t)scanned[i - 1] != (uint32_t)host.ints[i];
    return wrong == 0;
}

static bool check_sums_of_ints_by_key(void)
{
    const int *const sums = host.kept + host.size;
    ptrdiff_t wrong = host.count != host.want_runs[host.mean];
    uint64_t sum = 0;
#pragma omp parallel for reduction(+ : wrong, sum)
    for (ptrdiff_t i = 0; i < host.want_runs[host.mean]; i++) {
        wrong += host.kept[i] != i;
        sum += (uint32_t)sums[i];
    }
    return wrong == 0 && (uint32_t)sum == (uint32_t)host.want_ints;
}

static bool check_rows(void)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < host.side; i++)
        sum += (double)host.scanned[i];
    return fabs(sum - host.want_table) < 1e-4 * host.want_table;
}

static bool check_short_rows(void)
{
    double sum = 0, want = 0;
    for (ptrdiff_t i = 0; i < host.size / SHORT_ROW; i++)
        sum += (double)host.scanned[i];
    for (ptrdiff_t i = 0; i < host.size / SHORT_ROW * SHORT_ROW; i++)
        want += (double)host.floats[i];
    return fabs(sum - want) < 1e-4 * want;
}

static bool check_table(void) { return fabs((double)host.sum - host.want_table) < 1e-4 * host.want_table; }

static bool check_transpose(void)
{
    const ptrdiff_t side = host.side;
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 0; i < side; i++)
        for (ptrdiff_t j = i % 61; j < side; j += 61)
            wrong += host.scanned[i * side + j] != host.floats[j * side + i];
    return wrong == 0;
}

static bool check_sort(void)
{
    ptrdiff_t wrong = 0;
    uint64_t sum = 0;
#pragma omp parallel for reduction(+ : wrong, sum)
    for (ptrdiff_t i = 0; i < host.size; i++) {
        wrong += i > 0 && host.keys[i - 1] > host.keys[i];
        sum += (uint32_t)host.keys[i];
    }
    return wrong == 0 && sum == host.want_ints;
}

static bool check_sort_by_key(void)
{
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 0; i < host.size; i++) {
        const int number = host.keys[host.size + i];
        wrong += number < 0 || number >= host.size || host.ints[number] != host.keys[i];
    }
    return wrong == 0 && check_sort();
}

typedef struct {
    const char *name;
    bench_problem problem;
    struct {
        void (*upload)(void *self), (*run)(void *self);
    } ours;
    struct {
        const char *name;
        void (*run)(void *self);
    } by_hand;
    struct {
        void (*run)(void *self); /* NULL: there is none */
        cpp_job job;
    } cpp;
    struct { /* on NVIDIA's GPUs */
        const char *name, *by_its_clock;
        void (*download)(void *self);
        cuda_job job;
    } library;
} row;

static void compare(bench *b, cl_device_id device, ours *o, const row *r)
{
    if (!bench_wanted(b, r->name))
        return;
    bench_way by_hand = bench_openmp(device, r->by_hand.run);
    by_hand.name = by_hand.name ? r->by_hand.name : NULL;
    cpp_job one = r->cpp.job, all = r->cpp.job;
    all.parallel = true;
    cuda_job job = r->library.job;
    bench_way library = bench_cuda(b, &job, r->library.name, job.run);
    library.upload = cuda_spoil;
    library.download = r->library.download;
    bench_way by_its_clock = library;
    by_its_clock.name = library.name && host.size <= SOON ? r->library.by_its_clock : NULL;
    by_its_clock.run = bench_cuda_run;
    const bench_way ways[] = {
        { "ours", o, r->ours.upload, r->ours.run, ours_download },
        by_hand,
        { r->cpp.run && !device ? "C++" : NULL, &one, NULL, r->cpp.run, cpp_result },
        { r->cpp.run && !device ? "C++ par" : NULL, &all, NULL, r->cpp.run, cpp_result },
        { r->cpp.run && r->cpp.run == cpp_sort && !device ? CPP_VQSORT : NULL, &one, NULL, cpp_vqsort, cpp_result },
        library,
        by_its_clock,
    };
    bench_compare(b, r->name, host.size, r->problem, ways, BENCH_COUNT(ways));
    cuda_close(&job);
}

#define CUB    "CUB", "CUB gpu"
#define CUBLAS "cuBLAS", "cuBLAS gpu"

static void measure_reductions(bench *b, cl_device_id device, ours *o)
{
    const size_t n = (size_t)host.size, each = sizeof(int), all = n * each;
    const cpp_job floats = { .in = host.floats, .out = host.scanned, .count = n };
    const cpp_job ints = { .in = host.ints, .out = host.kept, .count = n };
    const row rows[] = {
        { "sum",
          { reset, check_sum },
          { ours_upload, ours_sum },
          { "OpenMP", openmp_sum },
          { cpp_sum, floats },
          { CUB, cuda_download, { { host.floats }, &host.sum, { all }, each, n, cuda_sum, NULL, false } } },
        { "sum_of_rank_2",
          { reset, check_table },
          { ours_upload_matrix, ours_table },
          { "OpenMP", openmp_sum },
          { NULL, floats },
          { .name = NULL } },
        { "sums_of_rows",
          { reset, check_rows },
          { ours_upload_matrix, ours_rows },
          { "OpenMP", openmp_rows },
          { NULL, floats },
          { .name = NULL } },
        { "sums_of_short_rows",
          { reset, check_short_rows },
          { ours_upload_rows, ours_short_rows },
          { "OpenMP", openmp_short_rows },
          { NULL, floats },
          { .name = NULL } },
        { "histogram",
          { reset, check_histogram },
          { ours_upload, ours_histogram },
          { "OpenMP", openmp_histogram },
          { NULL, floats },
          { CUB,
            cuda_download,
            { { host.bytes }, host.counts, { n }, sizeof host.counts, n, cuda_histogram, NULL, false } } },
        { "scan",
          { reset, check_scan },
          { ours_upload, ours_scan },
          { "OpenMP", openmp_scan },
          { cpp_scan, floats },
          { CUB, cuda_download, { { host.floats }, host.scanned, { all }, all, n, cuda_scan, NULL, false } } },
        { "scan_of_ints",
          { reset, check_scan_of_ints },
          { ours_upload, ours_scan_of_ints },
          { "one thread", serial_scan_of_ints },
          { NULL, ints },
          { CUB, cuda_download, { { host.ints }, host.scanned, { all }, all, n, cuda_scan_of_ints, NULL, false } } },
        { "select",
          { reset, check_select },
          { ours_upload, ours_select },
          { "one thread", serial_select },
          { cpp_select, ints },
          { CUB, cub_counted, { { host.ints }, host.kept, { all }, all + each, n, cuda_select, NULL, false } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        compare(b, device, o, &rows[i]);
}

static void measure_runs(bench *b, cl_device_id device, ours *o)
{
    const size_t n = (size_t)host.size, each = sizeof(int), all = n * each;
    const cpp_job floats = { .in = host.floats, .out = host.scanned, .count = n };
    const cpp_job ints = { .in = host.ints, .out = host.kept, .count = n };
    const row rows[] = {
        { "run_lengths_2",
          { reset_2, check_run_lengths },
          { ours_upload, ours_run_lengths },
          { "one thread", serial_run_lengths },
          { NULL, ints },
          { CUB,
            cub_counted,
            { { host.runs[0] }, host.kept, { all }, 2 * all + each, n, cuda_run_lengths, NULL, false } } },
        { "run_lengths_6",
          { reset_6, check_run_lengths },
          { ours_upload, ours_run_lengths },
          { "one thread", serial_run_lengths },
          { NULL, ints },
          { CUB,
            cub_counted,
            { { host.runs[1] }, host.kept, { all }, 2 * all + each, n, cuda_run_lengths, NULL, false } } },
        { "run_lengths_100",
          { reset_100, check_run_lengths },
          { ours_upload, ours_run_lengths },
          { "one thread", serial_run_lengths },
          { NULL, ints },
          { CUB,
            cub_counted,
            { { host.runs[2] }, host.kept, { all }, 2 * all + each, n, cuda_run_lengths, NULL, false } } },
        { "sums_by_key",
          { reset_6, check_sums_by_key },
          { ours_upload, ours_sums_by_key },
          { "one thread", serial_sums_by_key },
          { NULL, floats },
          { .name = NULL } },
        { "sums_of_ints_by_key",
          { reset_6, check_sums_of_ints_by_key },
          { ours_upload, ours_sums_of_ints_by_key },
          { "one thread", serial_sums_of_ints_by_key },
          { NULL, ints },
          { CUB,
            cub_counted,
            { { host.runs[1], host.ints },
              host.kept,
              { all, all },
              2 * all + each,
              n,
              cuda_sums_by_key,
              NULL,
              false } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        compare(b, device, o, &rows[i]);
}

static void measure_orders(bench *b, cl_device_id device, ours *o)
{
    const size_t n = (size_t)host.size, each = sizeof(int), all = n * each;
    const cpp_job keys = { .out = host.keys, .count = n };
    const row rows[] = {
        { "sort",
          { reset_keys, check_sort },
          { ours_upload_keys, ours_sort },
          { "qsort", serial_sort },
          { cpp_sort, keys },
          { CUB, cuda_download, { { host.ints }, host.keys, { all }, all, n, cuda_sort, NULL, false } } },
        { "sort_by_key",
          { reset_keys, check_sort_by_key },
          { ours_upload_keys, ours_sort_by_key },
          { "qsort", serial_sort_by_key },
          { NULL, keys },
          { CUB,
            cuda_download,
            { { host.ints, host.numbers }, host.keys, { all, all }, 2 * all, n, cuda_sort_by_key, NULL, false } } },
        { "merge_sort",
          { reset_keys, check_sort },
          { ours_upload_keys, ours_merge_sort },
          { "qsort", serial_sort },
          { cpp_stable_sort, keys },
          { CUB, cuda_download, { { host.ints }, host.keys, { all }, all, n, cuda_merge_sort, NULL, false } } },
        { "transpose",
          { reset, check_transpose },
          { ours_upload_matrix, ours_transpose },
          { "OpenMP", openmp_transpose },
          { NULL, keys },
          { CUBLAS,
            cuda_download,
            { { host.floats }, host.scanned, { all }, all, (size_t)host.side, cuda_transpose, NULL, false } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        compare(b, device, o, &rows[i]);
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    const amp_accelerator_view av = amp_accelerator_default_view(accelerator);
    AMP_CONST_ARRAY_VIEW(float, 1, floats, host.floats, host.size);
    AMP_CONST_ARRAY_VIEW(float, 2, matrix, host.floats, host.side, host.side);
    AMP_CONST_ARRAY_VIEW(float, 2, rows, host.floats, host.size / SHORT_ROW, SHORT_ROW);
    AMP_CONST_ARRAY_VIEW(int, 1, ints, host.ints, host.size);
    AMP_CONST_ARRAY_VIEW(int, 1, runs_2, host.runs[0], host.size);
    AMP_CONST_ARRAY_VIEW(int, 1, runs_6, host.runs[1], host.size);
    AMP_CONST_ARRAY_VIEW(int, 1, runs_100, host.runs[2], host.size);
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, bytes, host.bytes, host.size);
    AMP_ARRAY_VIEW(float, 1, scanned, host.scanned, host.size);
    AMP_ARRAY_VIEW(int, 1, scanned_ints, (int *)host.scanned, host.size);
    AMP_ARRAY_VIEW(float, 2, transposed, host.scanned, host.side, host.side);
    AMP_ARRAY_VIEW(int, 1, kept, host.kept, host.size);
    AMP_ARRAY_VIEW(int, 1, lengths, host.kept + host.size, host.size);
    AMP_ARRAY_VIEW(int, 1, keys, host.keys, host.size);
    AMP_ARRAY_VIEW(int, 1, values, host.keys + host.size, host.size);
    AMP_ARRAY_VIEW(int, 1, counts, host.counts, BINS);
    ours o = { av,    floats,  matrix,       rows,       ints, { runs_2, runs_6, runs_100 },
               bytes, scanned, scanned_ints, transposed, kept, lengths,
               keys,  values,  counts };
    measure_reductions(b, device, &o);
    measure_runs(b, device, &o);
    measure_orders(b, device, &o);
}

static void fill(void)
{
    int counts[BINS] = { 0 };
    double sum = 0;
    uint64_t ints = 0;
    int positive = 0;
#pragma omp parallel for reduction(+ : sum, ints, positive, counts)
    for (ptrdiff_t i = 0; i < host.size; i++) {
        const uint32_t bits = amp_random_bits(1, (uint64_t)i);
        host.floats[i] = amp_random_float(2, (uint64_t)i);
        sum += (double)host.floats[i];
        host.ints[i] = (int)bits;
        ints += bits;
        positive += host.ints[i] > 0;
        host.bytes[i] = (uint8_t)bits;
        counts[host.bytes[i]]++;
        host.numbers[i] = (int)i;
    }
    memcpy(host.want_counts, counts, sizeof counts);
    for (int k = 0; k < MEANS; k++) {
        int run = 0;
        for (ptrdiff_t i = 0; i < host.size; i++)
            host.runs[k][i] = i > 0 && (uint32_t)host.ints[i] % means[k] == 0 ? ++run : run;
        host.want_runs[k] = run + 1;
    }
    host.want_sum = sum;
    host.want_table = 0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)host.side * host.side; i++)
        host.want_table += (double)host.floats[i];
    host.want_ints = ints;
    host.want_count = positive;
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "algorithms", BENCH_GITEM_PER_S, 1 << 24, 7);
    const size_t bytes = (size_t)b.size * sizeof(int);
    bench_on_all_cores(cpp_start);
    host.size = b.size;
    host.side = (int)sqrt(b.size);
    host.floats = bench_memory(bytes);
    host.scanned = bench_memory(bytes);
    host.ints = bench_memory(bytes);
    for (int k = 0; k < MEANS; k++)
        host.runs[k] = bench_memory(bytes);
    host.numbers = bench_memory(bytes);
    host.kept = bench_memory(2 * bytes + sizeof(int));
    host.keys = bench_memory(2 * bytes);
    host.bytes = bench_memory((size_t)b.size);
    fill();

    bench_each_accelerator(&b, measure);

    free(host.floats);
    free(host.scanned);
    free(host.ints);
    for (int k = 0; k < MEANS; k++)
        free(host.runs[k]);
    free(host.numbers);
    free(host.kept);
    free(host.keys);
    free(host.bytes);
    return bench_end(&b);
}
