// SPDX-License-Identifier: MIT
/*  bench/transpose: b = a transposed, a square matrix of floats: simple (each thread moves an element, and either reads
    or writes down a column) and tiled (the threads of a tile turn a block in tile_static memory). --size is the side,
    any number. GB/s count each element read once and written once. How to build and read: bench/README.md. */
#include "bench.h"

enum { TS = 16 };

static struct {
    int side;
    size_t count;
    float *a, *b;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 a;
    amp_array_view_float_2 b;
    bool on_gpu;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->b);
    amp_array_view_synchronize_to(&o->a, o->av);
    amp_array_view_synchronize_to(&o->b, o->av);
}

static void ours_simple(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a;
    const amp_array_view_float_2 b = o.b;
    AMP_PARALLEL_FOR_EACH_ON(o.av, b.extent, (row, col), AMP_CAPTURE(a, b),
                             { AMP_AT(b, row, col) = AMP_AT(a, col, row); });
    amp_accelerator_view_wait(o.av);
}

/* The side of a tile is chosen when the program runs: a body for each. */
#define OURS_TILED(TS)                                                                                                 \
    AMP_TILED_ON(o.av, AMP_EXTENT((side + TS - 1) / TS * TS, (side + TS - 1) / TS * TS), (TS, TS), tile,               \
                 AMP_CAPTURE(a, b, side), {                                                                            \
        AMP_TILE_STATIC(float, block, [TS][TS + 1]); /* a column of it does not fall on one bank */                    \
        const int top = tile.tile_origin.v[0], left = tile.tile_origin.v[1];                                           \
        const int rows = side - top, cols = side - left; /* what is left of b */                                       \
        const bool whole = rows >= TS && cols >= TS;     /* compilers make two loops of it */                          \
                                                                                                                       \
        AMP_THREADS(tile, t) {                                                                                         \
            const int row = t.local.v[0], col = t.local.v[1];                                                          \
            if (whole || (row < cols && col < rows))                                                                   \
                block[row][col] = AMP_AT(a, left + row, top + col);                                                    \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_THREADS(tile, t) {                                                                                         \
            const int row = t.local.v[0], col = t.local.v[1];                                                          \
            if (whole || (row < rows && col < cols))                                                                   \
                AMP_AT(b, top + row, left + col) = block[col][row];                                                    \
        }                                                                                                              \
    })

static void ours_tiled(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a;
    const amp_array_view_float_2 b = o.b;
    const int side = b.extent.v[0];
    if (o.on_gpu)
        OURS_TILED(32); /* rows of 128 bytes, of which each work-item carries several */
    else
        OURS_TILED(16);
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->b); }

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

static void openmp_simple(void *self)
{
    (void)self;
    const float *restrict const a = host.a;
    float *restrict const b = host.b;
    const ptrdiff_t side = host.side;
#pragma omp parallel for
    for (ptrdiff_t row = 0; row < side; row++)
        for (ptrdiff_t col = 0; col < side; col++)
            b[row * side + col] = a[col * side + row];
}

/* Block by block; a block in between, as the kernel has it, is what makes both reads and writes run along rows. */
static void openmp_tiled(void *self)
{
    (void)self;
    const float *restrict const a = host.a;
    float *restrict const b = host.b;
    const ptrdiff_t side = host.side;
#pragma omp parallel for collapse(2)
    for (ptrdiff_t top = 0; top < side; top += TS)
        for (ptrdiff_t left = 0; left < side; left += TS) {
            _Alignas(64) float block[TS][TS + 1];
            const ptrdiff_t rows = side - top < TS ? side - top : TS, cols = side - left < TS ? side - left : TS;
            for (ptrdiff_t col = 0; col < cols; col++)
                for (ptrdiff_t row = 0; row < rows; row++)
                    block[col][row] = a[(left + col) * side + top + row];
            for (ptrdiff_t row = 0; row < rows; row++)
                for (ptrdiff_t col = 0; col < cols; col++)
                    b[(top + row) * side + left + col] = block[col][row];
        }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] = "kernel void simple(global const float *a, global float *b, int side)\n"
                                    "{\n"
                                    "    const int col = get_global_id(0), row = get_global_id(1);\n"
                                    "    b[row * side + col] = a[col * side + row];\n"
                                    "}\n"
                                    "\n"
                                    "enum { TS = 16 };\n"
                                    "kernel __attribute__((reqd_work_group_size(TS, TS, 1)))\n"
                                    "void tiled(global const float *a, global float *b, int side)\n"
                                    "{\n"
                                    "    local float block[TS][TS + 1];\n"
                                    "    const int col = get_local_id(0), row = get_local_id(1);\n"
                                    "    const int left = get_group_id(0) * TS, top = get_group_id(1) * TS;\n"
                                    "    const bool whole = top + TS <= side && left + TS <= side;\n"
                                    "    if (whole || (left + row < side && top + col < side))\n"
                                    "        block[row][col] = a[(left + row) * side + top + col];\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    if (whole || (top + row < side && left + col < side))\n"
                                    "        b[(top + row) * side + left + col] = block[col][row];\n"
                                    "}\n";

static raw_job opencl_job(cl_device_id device, const char *kernel, bool tiled)
{
    const size_t side = (size_t)host.side;
    raw_job job = raw_job_open(device, opencl_source, kernel, host.b);
    raw_job_buffer(&job, host.a, host.count * sizeof(float));
    raw_job_buffer(&job, host.b, host.count * sizeof(float));
    raw_argument(&job, 2, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = tiled ? (side + TS - 1) / TS * TS : side;
    job.local[0] = job.local[1] = tiled ? TS : 0;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { bench_spoil(host.b, host.count * sizeof *host.b); }

static bool check(void)
{
    const ptrdiff_t side = host.side;
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t row = 0; row < side; row++)
        for (ptrdiff_t col = 0; col < side; col++)
            wrong += host.b[row * side + col] != (float)bench_random((size_t)(col * side + row));
    if (wrong)
        fprintf(stderr, "%td elements are wrong\n", wrong);
    return !wrong;
}

static void compare(bench *b, const char *kernel, bool tiled, cl_device_id device, ours *o,
                    void (*ours_run)(void *self), void (*openmp_run)(void *self))
{
    if (!bench_wanted(b, kernel))
        return;
    raw_job job = opencl_job(device, kernel, tiled);
    cuda_job cuda = { .in = { host.a },
                      .out = host.b,
                      .in_bytes = { host.count * sizeof(float) },
                      .out_bytes = host.count * sizeof(float),
                      .count = (size_t)host.side };
    const bench_way ways[] = {
        { "ours", o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
        bench_opencl(&job, raw_job_run),
        bench_cuda(b, &cuda, "cuBLAS", cuda_transpose),
    };
    bench_compare(b, kernel, 2.0 * sizeof(float) * (double)host.count, (bench_problem){ reset, check }, ways,
                  BENCH_COUNT(ways));
    raw_job_close(&job);
    cuda_close(&cuda);
}

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, host.a, host.side, host.side);
    AMP_ARRAY_VIEW(float, 2, b, host.b, host.side, host.side);
    ours o = { amp_accelerator_default_view(accelerator), a, b, !amp_accelerator_is_emulated(accelerator) };

    compare(table, "simple", false, device, &o, ours_simple, openmp_simple);
    compare(table, "tiled", true, device, &o, ours_tiled, openmp_tiled);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "transpose", BENCH_GBYTE_PER_S, 4000, 11);
    if (b.size > 32768)
        bench_usage(&b);
    host.side = b.size;
    host.count = (size_t)b.size * (size_t)b.size;
    host.a = bench_memory(host.count * sizeof(float));
    host.b = bench_memory(host.count * sizeof(float));
    bench_fill(host.a, host.count);

    bench_each_accelerator(&b, measure);

    free(host.a);
    free(host.b);
    return bench_end(&b);
}
