// SPDX-License-Identifier: MIT
/*  bench/histogram: how often each byte occurs, `global` with an atomic addition per byte to the one table, `private`
    with a table per tile, which is added to the one at the end; on a GPU a tile has a table for each lane that runs in
    step, so that they meet in no bank. --size is the number of bytes, a multiple of 131,072. Gitem/s count bytes.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { BINS = 256, TS = BINS, ROUNDS = 512 /* a tile counts TS * ROUNDS bytes */ };
enum { COPIES = 32, AHEAD = 8 /* on a GPU: tables of a tile, bytes that a thread reads before it counts */ };

static struct {
    int size;
    uint8_t *bytes;
    int *counts;
    int want[BINS];
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_uint8_t_1 bytes;
    amp_array_view_int_1 counts;
    int tiles; /* `private` has, not on a GPU */
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->counts);
    amp_array_view_synchronize_to(&o->bytes, o->av);
    amp_array_view_synchronize_to(&o->counts, o->av);
}

static void ours_global(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_uint8_t_1 bytes = o.bytes;
    const amp_array_view_int_1 counts = o.counts;
    AMP_PARALLEL_FOR_EACH_ON(o.av, bytes.extent, (i), AMP_CAPTURE(bytes, counts),
                             { amp_atomic_fetch_add(&AMP_AT(counts, AMP_AT(bytes, i)), 1); });
    amp_accelerator_view_wait(o.av);
}

static void ours_private(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_uint8_t_1 bytes = o.bytes;
    const amp_array_view_int_1 counts = o.counts;
    const int rounds = bytes.extent.v[0] / TS / o.tiles;
    AMP_TILED_ON(o.av, AMP_EXTENT(o.tiles * TS), (TS), tile,
                 AMP_CAPTURE(bytes, counts, rounds, AMP_CONSTANT(TS), AMP_CONSTANT(BINS)), {
                     AMP_TILE_STATIC(int, own, [BINS]);
                     AMP_THREADS(tile, t) { own[t.local.v[0]] = 0; }
                     amp_barrier_wait(tile.barrier);
                     for (int round = 0; round < rounds; round++)
                         AMP_THREADS(tile, t) {
                             const int at = (tile.tile.v[0] * rounds + round) * TS + t.local.v[0];
                             amp_atomic_fetch_add(&own[AMP_AT(bytes, at)], 1);
                         }
                     amp_barrier_wait(tile.barrier);
                     AMP_THREADS(tile, t) {
                         amp_atomic_fetch_add(&AMP_AT(counts, t.local.v[0]), own[t.local.v[0]]);
                     }
                 });
    amp_accelerator_view_wait(o.av);
}

static void ours_private_on_gpu(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_uint8_t_1 bytes = o.bytes;
    const amp_array_view_int_1 counts = o.counts;
    AMP_TILED_ON(o.av, AMP_EXTENT(bytes.extent.v[0] / ROUNDS), (TS), tile,
                 AMP_CAPTURE(bytes, counts, AMP_CONSTANT(TS), AMP_CONSTANT(ROUNDS), AMP_CONSTANT(BINS),
                             AMP_CONSTANT(COPIES), AMP_CONSTANT(AHEAD)), {
        AMP_TILE_STATIC(int, own, [BINS * COPIES]);
        for (int at = 0; at < BINS * COPIES; at += TS)
            AMP_THREADS(tile, t) { own[at + t.local.v[0]] = 0; }
        amp_barrier_wait(tile.barrier);
        for (int round = 0; round < ROUNDS; round += AHEAD)
            AMP_THREADS(tile, t) {
                const int first = (tile.tile.v[0] * ROUNDS + round) * TS + t.local.v[0];
                uint8_t seen[AHEAD];
                AMP_UNROLL
                for (int k = 0; k < AHEAD; k++)
                    seen[k] = AMP_AT(bytes, first + k * TS);
                AMP_UNROLL
                for (int k = 0; k < AHEAD; k++)
                    amp_atomic_fetch_add(&own[seen[k] * COPIES + t.local.v[0] % COPIES], 1);
            }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            int sum = 0;
            for (int k = 0; k < COPIES; k++)
                sum += own[t.local.v[0] * COPIES + (t.local.v[0] + k) % COPIES];
            amp_atomic_fetch_add(&AMP_AT(counts, t.local.v[0]), sum);
        }
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->counts); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_global(void *self)
{
    (void)self;
    const uint8_t *restrict const bytes = host.bytes;
    int *restrict const counts = host.counts;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < host.size; i++)
#pragma omp atomic
        counts[bytes[i]]++;
}

static void openmp_private(void *self)
{
    (void)self;
    const uint8_t *restrict const bytes = host.bytes;
    int *restrict const counts = host.counts;
#pragma omp parallel
    {
        int own[BINS] = { 0 };
#pragma omp for nowait
        for (ptrdiff_t i = 0; i < host.size; i++)
            own[bytes[i]]++;
        for (int bin = 0; bin < BINS; bin++)
#pragma omp atomic
            counts[bin] += own[bin];
    }
}

static const char opencl_source[] = "kernel void global_table(global const uchar *bytes, global int *counts)\n"
                                    "{\n"
                                    "    atomic_inc(&counts[bytes[get_global_id(0)]]);\n"
                                    "}\n"
                                    "\n"
                                    "enum { TS = 256, ROUNDS = 512 };\n"
                                    "kernel __attribute__((reqd_work_group_size(TS, 1, 1)))\n"
                                    "void private_table(global const uchar *bytes, global int *counts)\n"
                                    "{\n"
                                    "    local int own[TS];\n"
                                    "    const int me = get_local_id(0), first = get_group_id(0) * TS * ROUNDS + me;\n"
                                    "    own[me] = 0;\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    for (int round = 0; round < ROUNDS; round++)\n"
                                    "        atomic_inc(&own[bytes[first + round * TS]]);\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    atomic_add(&counts[me], own[me]);\n"
                                    "}\n"
                                    "\n"
                                    "enum { COPIES = 32, AHEAD = 8 };\n"
                                    "kernel __attribute__((reqd_work_group_size(TS, 1, 1)))\n"
                                    "void private_lanes(global const uchar *bytes, global int *counts)\n"
                                    "{\n"
                                    "    local int own[TS * COPIES];\n"
                                    "    const int me = get_local_id(0), first = get_group_id(0) * TS * ROUNDS + me;\n"
                                    "    for (int at = me; at < TS * COPIES; at += TS)\n"
                                    "        own[at] = 0;\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    for (int round = 0; round < ROUNDS; round += AHEAD) {\n"
                                    "        uchar seen[AHEAD];\n"
                                    "        __attribute__((opencl_unroll_hint(8)))\n"
                                    "        for (int k = 0; k < AHEAD; k++)\n"
                                    "            seen[k] = bytes[first + (round + k) * TS];\n"
                                    "        __attribute__((opencl_unroll_hint(8)))\n"
                                    "        for (int k = 0; k < AHEAD; k++)\n"
                                    "            atomic_inc(&own[seen[k] * COPIES + me % COPIES]);\n"
                                    "    }\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    int sum = 0;\n"
                                    "    for (int k = 0; k < COPIES; k++)\n"
                                    "        sum += own[me * COPIES + (me + k) % COPIES];\n"
                                    "    atomic_add(&counts[me], sum);\n"
                                    "}\n";

static raw_job opencl_job(cl_device_id device, const char *kernel, int threads)
{
    raw_job job = raw_job_open(device, opencl_source, kernel, host.counts);
    raw_job_buffer(&job, host.bytes, (size_t)host.size);
    raw_job_buffer(&job, host.counts, BINS * sizeof *host.counts);
    job.dimensions = 1;
    job.global[0] = (size_t)threads;
    job.local[0] = TS;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memset(host.counts, 0, BINS * sizeof *host.counts); }

static bool check(void) { return memcmp(host.counts, host.want, sizeof host.want) == 0; }

static void measure_kernel(bench *b, const char *kernel, bench_way our_way, bench_way openmp, raw_job job)
{
    cuda_job cuda = { .in = { host.bytes },
                      .out = host.counts,
                      .in_bytes = { (size_t)host.size },
                      .out_bytes = BINS * sizeof *host.counts,
                      .count = (size_t)host.size };
    const bench_way ways[] = { our_way, openmp, bench_opencl(&job, raw_job_run),
                               bench_cuda(b, &cuda, "CUB", cuda_histogram) };
    bench_compare(b, kernel, host.size, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
    cuda_close(&cuda);
}

/* Each tile adds its table to the one atomically, where the CPU's threads wait for each other: few tiles for each. */
static int tiles_of(cl_device_id device)
{
    int tiles = host.size / (TS * ROUNDS);
    while (!device && tiles % 2 == 0 && tiles >= 8 * omp_get_max_threads())
        tiles /= 2;
    return tiles;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, bytes, host.bytes, host.size);
    AMP_ARRAY_VIEW(int, 1, counts, host.counts, BINS);
    ours o = { amp_accelerator_default_view(accelerator), bytes, counts, tiles_of(device) };
    const bench_way global = { "ours", &o, ours_upload, ours_global, ours_download };
    const bench_way private = { "ours", &o, ours_upload, b->on_gpu ? ours_private_on_gpu : ours_private,
                                ours_download };
    if (bench_wanted(b, "global"))
        measure_kernel(b, "global", global, bench_openmp(device, openmp_global),
                       opencl_job(device, "global_table", host.size));
    if (bench_wanted(b, "private"))
        measure_kernel(b, "private", private, bench_openmp(device, openmp_private),
                       opencl_job(device, b->on_gpu ? "private_lanes" : "private_table", host.size / ROUNDS));
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "histogram", BENCH_GITEM_PER_S, 1 << 26, 7);
    if (b.size % (TS * ROUNDS) != 0)
        bench_usage(&b);
    host.size = b.size;
    host.bytes = bench_memory((size_t)b.size);
    host.counts = bench_memory(BINS * sizeof *host.counts);
    for (int i = 0; i < b.size; i++) {
        host.bytes[i] = (uint8_t)((bench_random((size_t)i) + 0.5) * BINS);
        host.want[host.bytes[i]]++;
    }

    bench_each_accelerator(&b, measure);

    free(host.bytes);
    free(host.counts);
    return bench_end(&b);
}
