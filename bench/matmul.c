// SPDX-License-Identifier: MIT
/*  bench/matmul: c = a b for square matrices of floats, simple (a dot product per element) and tiled (16 x 16
    blocks shared by the threads of a tile). --size is the side, a multiple of 16. The default is not a power of
    two on purpose: rows that lie 4 KiB apart fall on the same cache sets, and then that is what one measures.
    How to build and read: bench/README.md. */
#include "bench.h"
#include <float.h>

enum { TS = 16, SAMPLES = 500 };

static struct {
    int side;
    size_t count;
    float *a, *b, *c;
} host;
static struct {
    size_t at;
    double value, magnitude;
} samples[SAMPLES];

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 a, b;
    amp_array_view_float_2 c;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->c);
    amp_array_view_synchronize_to(&o->a, o->av);
    amp_array_view_synchronize_to(&o->b, o->av);
    amp_array_view_synchronize_to(&o->c, o->av);
}

static void ours_simple(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a, b = o.b;
    const amp_array_view_float_2 c = o.c;
    const int side = c.extent.v[0];
    AMP_PARALLEL_FOR_EACH_ON(o.av, c.extent, (row, col), AMP_CAPTURE(a, b, c, side), {
        float sum = 0.0f;
        for (int i = 0; i < side; i++)
            sum += AMP_AT(a, row, i) * AMP_AT(b, i, col);
        AMP_AT(c, row, col) = sum;
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_tiled(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a, b = o.b;
    const amp_array_view_float_2 c = o.c;
    const int side = c.extent.v[0];
    AMP_TILED_ON(o.av, c.extent, (TS, TS), tile, AMP_CAPTURE(a, b, c, side, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < side; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                locA[row][col] = AMP_AT(a, t.global.v[0], col + i);
                locB[row][col] = AMP_AT(b, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++)
                    AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->c); }

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

static void openmp_simple(void *self)
{
    (void)self;
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const ptrdiff_t side = host.side;
#pragma omp parallel for
    for (ptrdiff_t row = 0; row < side; row++)
        for (ptrdiff_t col = 0; col < side; col++) {
            float sum = 0.0f;
            for (ptrdiff_t i = 0; i < side; i++)
                sum += a[row * side + i] * b[i * side + col];
            c[row * side + col] = sum;
        }
}

/* The same phases as loops with constant bounds and blocks on the stack: of sixteen ways to write it by hand
   none is clearly faster with both compilers. */
static void openmp_tiled(void *self)
{
    (void)self;
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const ptrdiff_t side = host.side;
#pragma omp parallel for collapse(2)
    for (ptrdiff_t top = 0; top < side; top += TS)
        for (ptrdiff_t left = 0; left < side; left += TS) {
            _Alignas(64) float locA[TS][TS], locB[TS][TS], sum[TS][TS];
            for (int row = 0; row < TS; row++)
                for (int col = 0; col < TS; col++)
                    sum[row][col] = 0.0f;
            for (ptrdiff_t i = 0; i < side; i += TS) {
                for (int row = 0; row < TS; row++)
                    for (int col = 0; col < TS; col++) {
                        locA[row][col] = a[(top + row) * side + i + col];
                        locB[row][col] = b[(i + row) * side + left + col];
                    }
                for (int row = 0; row < TS; row++)
                    for (int col = 0; col < TS; col++)
                        for (int k = 0; k < TS; k++)
                            sum[row][col] += locA[row][k] * locB[k][col];
            }
            for (int row = 0; row < TS; row++)
                for (int col = 0; col < TS; col++)
                    c[(top + row) * side + left + col] = sum[row][col];
        }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] =
    "kernel void simple(global const float *a, global const float *b, global float *c, int side)\n"
    "{\n"
    "    const int col = get_global_id(0), row = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < side; i++)\n"
    "        sum += a[row * side + i] * b[i * side + col];\n"
    "    c[row * side + col] = sum;\n"
    "}\n"
    "\n"
    "enum { TS = 16 };\n"
    "kernel __attribute__((reqd_work_group_size(TS, TS, 1)))\n"
    "void tiled(global const float *a, global const float *b, global float *c, int side)\n"
    "{\n"
    "    local float locA[TS][TS], locB[TS][TS];\n"
    "    const int col = get_local_id(0), row = get_local_id(1);\n"
    "    const int global_col = get_global_id(0), global_row = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < side; i += TS) {\n"
    "        locA[row][col] = a[global_row * side + i + col];\n"
    "        locB[row][col] = b[(i + row) * side + global_col];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < TS; k++)\n"
    "            sum += locA[row][k] * locB[k][col];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    c[global_row * side + global_col] = sum;\n"
    "}\n";

static raw_job opencl_job(cl_device_id device, const char *kernel)
{
    raw_job job = raw_job_open(device, opencl_source, kernel, host.c);
    raw_job_buffer(&job, host.a, host.count * sizeof(float));
    raw_job_buffer(&job, host.b, host.count * sizeof(float));
    raw_job_buffer(&job, host.c, host.count * sizeof(float));
    raw_argument(&job, 3, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)host.side;
    job.local[0] = job.local[1] = TS; /* also for `simple`: what a programmer would write */
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void make_samples(void)
{
    const size_t side = (size_t)host.side;
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t row = s * 7919 % side, col = s * 104729 % side;
        samples[s].at = row * side + col;
        for (size_t i = 0; i < side; i++) {
            const double term = (double)host.a[row * side + i] * (double)host.b[i * side + col];
            samples[s].value += term;
            samples[s].magnitude += fabs(term);
        }
    }
}

static void reset(void) { memset(host.c, 0xff, host.count * sizeof *host.c); }

static bool check(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        const double got = (double)host.c[samples[s].at];
        if (!(fabs(got - samples[s].value) <= host.side * (double)FLT_EPSILON * samples[s].magnitude)) {
            fprintf(stderr, "element %zu is %g, expected %g\n", samples[s].at, got, samples[s].value);
            return false;
        }
    }
    return true;
}

static void measure_kernel(bench *b, const char *kernel, cl_device_id device, ours *o, void (*ours_run)(void *self),
                           void (*openmp_run)(void *self))
{
    const double side = host.side, operations = 2.0 * side * side * side;
    if (!bench_wanted(b, kernel))
        return;
    raw_job job = opencl_job(device, kernel);
    const bench_way ways[] = {
        { "ours", o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
        bench_opencl(&job, raw_job_run),
    };
    bench_compare(b, kernel, operations, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
}

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    const int side = host.side;
    AMP_CONST_ARRAY_VIEW(float, 2, a, host.a, side, side);
    AMP_CONST_ARRAY_VIEW(float, 2, b, host.b, side, side);
    AMP_ARRAY_VIEW(float, 2, c, host.c, side, side);
    ours o = { amp_accelerator_default_view(accelerator), a, b, c };

    measure_kernel(table, "simple", device, &o, ours_simple, openmp_simple);
    measure_kernel(table, "tiled", device, &o, ours_tiled, openmp_tiled);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "matmul", BENCH_GFLOP_PER_S, 1008, 7);
    if (b.size % TS != 0 || b.size > 32768)
        bench_usage(&b);
    host.side = b.size;
    host.count = (size_t)b.size * (size_t)b.size;
    host.a = bench_memory(host.count * sizeof(float));
    host.b = bench_memory(host.count * sizeof(float));
    host.c = bench_memory(host.count * sizeof(float));
    bench_fill(host.a, host.count);
    for (size_t i = 0; i < host.count; i++)
        host.b[i] = host.a[host.count - 1 - i];
    reset();
    make_samples();

    bench_each_accelerator(&b, measure);

    free(host.a);
    free(host.b);
    free(host.c);
    return bench_end(&b);
}
