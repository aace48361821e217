// SPDX-License-Identifier: MIT
/*  bench/reduce: the sum of an array of floats. Every way sums in fp32; the numbers are such that these sums are exact.
    --size is the number of floats. GB/s count each of them read once. How to build and read: bench/README.md. */
#include "bench.h"

/* Each tile sums a stretch of its own, in blocks of LANES x STEPS elements, as bench/stream does for Dot. A CPU wants
   few lanes, whose sums are registers, and few tiles; a GPU as many of both as it can hold at a time. */
enum { STEPS = 8, LANES_OF_CPU = 64, LANES_OF_GPU = 512, TILES_OF_CPU = 256, TILES_OF_GPU = 2048 };

static struct {
    int count;
    float *values, *partial;
    double sum, expected;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_1 values;
    amp_array_view_float_1 partial;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->values, o->av);
}

/* The number of lanes is chosen when the program runs: a body for each. */
#define OURS_REDUCE(LANES)                                                                                             \
    AMP_TILED_ON(o.av, AMP_EXTENT(tiles * LANES), (LANES), tile,                                                       \
                 AMP_CAPTURE(values, partial, count, stretch, AMP_CONSTANT(STEPS)), {                                  \
        AMP_TILE_STATIC(float, sums, [LANES]);                                                                         \
        AMP_PRIVATE(float, sum);                                                                                       \
        const int begin = tile.tile.v[0] * stretch;                                                                    \
        const int end = begin < count - stretch ? begin + stretch : count;                                             \
        int block = begin;                                                                                             \
                                                                                                                       \
        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }                                                                  \
        for (; block + LANES * STEPS <= end; block += LANES * STEPS) {                                                 \
            for (int step = 0; step < LANES * STEPS; step += LANES)                                                    \
                AMP_THREADS(tile, t) { AMP_OWN(sum) += AMP_AT(values, block + step + t.local.v[0]); }                  \
            amp_barrier_wait(tile.barrier); /* keeps the threads together: pocl makes vectors of them then */          \
        }                                                                                                              \
        AMP_THREADS(tile, t) {                                                                                         \
            for (int i = block + t.local.v[0]; i < end; i += LANES)                                                    \
                AMP_OWN(sum) += AMP_AT(values, i);                                                                     \
            sums[t.local.v[0]] = AMP_OWN(sum);                                                                         \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_UNROLL                                                                                                     \
        for (int width = LANES / 2; width > 0; width /= 2) {                                                           \
            AMP_THREADS(tile, t) {                                                                                     \
                if (t.local.v[0] < width)                                                                              \
                    sums[t.local.v[0]] += sums[t.local.v[0] + width];                                                  \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
        }                                                                                                              \
        AMP_THREADS(tile, t) {                                                                                         \
            if (t.local.v[0] == 0)                                                                                     \
                AMP_AT(partial, t.tile.v[0]) = sums[0];                                                                \
        }                                                                                                              \
    })

static void ours_run(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_1 values = o.values;
    const amp_array_view_float_1 partial = o.partial;
    const int count = values.extent.v[0], tiles = partial.extent.v[0];
    const bool on_gpu = tiles == TILES_OF_GPU;
    const int block = STEPS * (on_gpu ? LANES_OF_GPU : LANES_OF_CPU);
    const int stretch = (count / (tiles * block) + (count % (tiles * block) != 0)) * block;
    amp_array_view_discard_data(&partial);
    if (on_gpu)
        OURS_REDUCE(512);
    else
        OURS_REDUCE(64);
    const float *const sums = amp_data(partial);
    double sum = 0;
    for (int tile = 0; tile < tiles; tile++)
        sum += (double)sums[tile];
    host.sum = sum;
}

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_run(void *self)
{
    (void)self;
    const float *restrict const values = host.values;
    const ptrdiff_t count = host.count;
    float sum = 0.0f;
#pragma omp parallel for simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < count; i++)
        sum += values[i];
    host.sum = (double)sum;
}

#define OPENCL_SOURCE(LANES)                                                                                           \
    "enum { LANES = " #LANES ", BLOCK = 8 * LANES };\n"                                                                \
    "kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))\n"                                                      \
    "void reduce(global const float *values, global float *partial, int count)\n"                                      \
    "{\n"                                                                                                              \
    "    local float sums[LANES];\n"                                                                                   \
    "    const int me = get_local_id(0);\n"                                                                            \
    "    const int share = (int)get_num_groups(0) * BLOCK;\n"                                                          \
    "    const int stretch = (count / share + (count % share != 0)) * BLOCK;\n"                                        \
    "    const int begin = get_group_id(0) * stretch, end = begin < count - stretch ? begin + stretch : count;\n"      \
    "    int block = begin;\n"                                                                                         \
    "    float sum = 0.0f;\n"                                                                                          \
    "    for (; block + BLOCK <= end; block += BLOCK) {\n"                                                             \
    "        for (int step = 0; step < BLOCK; step += LANES)\n"                                                        \
    "            sum += values[block + step + me];\n"                                                                  \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                          \
    "    }\n"                                                                                                          \
    "    for (int i = block + me; i < end; i += LANES)\n"                                                              \
    "        sum += values[i];\n"                                                                                      \
    "    sums[me] = sum;\n"                                                                                            \
    "    for (int width = LANES / 2; width > 0; width /= 2) {\n"                                                       \
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                          \
    "        if (me < width)\n"                                                                                        \
    "            sums[me] += sums[me + width];\n"                                                                      \
    "    }\n"                                                                                                          \
    "    if (me == 0)\n"                                                                                               \
    "        partial[get_group_id(0)] = sums[0];\n"                                                                    \
    "}\n"

static raw_job opencl_job(cl_device_id device, int tiles)
{
    const bool on_gpu = tiles == TILES_OF_GPU;
    raw_job job = raw_job_open(device, on_gpu ? OPENCL_SOURCE(512) : OPENCL_SOURCE(64), "reduce", host.partial);
    raw_job_buffer(&job, host.values, (size_t)host.count * sizeof(float));
    raw_job_buffer(&job, host.partial, (size_t)tiles * sizeof(float));
    raw_argument(&job, 2, &host.count, sizeof host.count);
    job.dimensions = 1;
    job.local[0] = on_gpu ? LANES_OF_GPU : LANES_OF_CPU;
    job.global[0] = (size_t)tiles * job.local[0];
    return job;
}

static void opencl_run(void *self)
{
    const raw_job *const job = self;
    raw_job_enqueue(job);
    raw_job_download(self);
    double sum = 0;
    for (size_t group = 0; group < job->global[0] / job->local[0]; group++)
        sum += (double)host.partial[group];
    host.sum = sum;
}

static void cuda_run(void *self)
{
    const size_t count = cuda_partial_sums(self);
    cuda_download(self);
    double sum = 0;
    for (size_t block = 0; block < count; block++)
        sum += (double)host.partial[block];
    host.sum = sum;
}

/* ---- a library ------------------------------------------------------------------------------------------ */

static void cub_run(void *self)
{
    const cuda_job *const job = self;
    cuda_sum(self);
    cuda_download(self);
    host.sum = (double)*(const float *)job->out;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void)
{
    host.sum = (double)NAN;
    bench_spoil(host.partial, TILES_OF_GPU * sizeof(float));
}

static bool check(void) { return bench_same_sum(host.sum, host.expected); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    const int tiles = amp_accelerator_is_emulated(accelerator) ? TILES_OF_CPU : TILES_OF_GPU;
    if (!bench_wanted(b, "reduce"))
        return;
    AMP_CONST_ARRAY_VIEW(float, 1, values, host.values, host.count);
    AMP_ARRAY_VIEW(float, 1, partial, host.partial, tiles);
    ours o = { amp_accelerator_default_view(accelerator), values, partial };
    raw_job job = opencl_job(device, tiles);
    float sum;
    cuda_job cuda = { .in = { host.values },
                      .out = &sum,
                      .in_bytes = { (size_t)host.count * sizeof(float) },
                      .out_bytes = sizeof sum,
                      .count = (size_t)host.count };
    const bench_way cub = bench_cuda(b, &cuda, "CUB", cub_run);
    cuda_job by_hand = cuda;
    by_hand.out = host.partial;
    by_hand.out_bytes = TILES_OF_GPU * sizeof(float);
    const bench_way cuda_way = bench_cuda(b, &by_hand, "CUDA", cuda_run);
    const bench_way ways[] = {
        { "ours", &o, ours_upload, ours_run, NULL },
        bench_openmp(device, openmp_run),
        { device ? "OpenCL" : NULL, &job, NULL, opencl_run, NULL },
        { cuda_way.name, &by_hand, NULL, cuda_run, NULL },
        { cub.name, &cuda, NULL, cub.run, NULL },
    };
    bench_compare(b, "reduce", sizeof(float) * (double)host.count, (bench_problem){ reset, check }, ways,
                  BENCH_COUNT(ways));
    raw_job_close(&job);
    cuda_close(&by_hand);
    cuda_close(&cuda);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "reduce", BENCH_GBYTE_PER_S, 1 << 25, 11);
    double expected = 0.0;
    host.count = b.size;
    host.values = bench_memory((size_t)host.count * sizeof(float));
    host.partial = bench_memory(TILES_OF_GPU * sizeof(float));
#pragma omp parallel for reduction(+ : expected)
    for (ptrdiff_t i = 0; i < host.count; i++) {
        host.values[i] = (float)bench_random_digit((size_t)i);
        expected += (double)host.values[i];
    }
    host.expected = expected;

    bench_each_accelerator(&b, measure);

    free(host.values);
    free(host.partial);
    return bench_end(&b);
}
