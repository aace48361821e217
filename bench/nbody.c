// SPDX-License-Identifier: MIT
/*  bench/nbody: what every body feels from every other (gravity, softened), simple (a thread walks over all bodies) and
    tiled (the threads of a tile share blocks of 256 bodies). --size is the number of bodies, a multiple of 256.
    GFLOP/s count 20 operations for each pair, as is usual.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { TS = 256, SAMPLES = 200 };
enum { X, Y, Z, MASS, IN_ROWS, OUT_ROWS = 3 };
static const float soften = 1e-4f;

static struct {
    int bodies;
    float *in, *out; /* IN_ROWS and OUT_ROWS rows, a column per body */
    double want[SAMPLES][OUT_ROWS];
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 in;
    amp_array_view_float_2 out;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->out);
    amp_array_view_synchronize_to(&o->in, o->av);
    amp_array_view_synchronize_to(&o->out, o->av);
}

/* Leave to add in another order, as `omp simd` has it explicitly: the CPU backend makes vectors of the loop then. */
static void ours_simple(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 in = o.in;
    const amp_array_view_float_2 out = o.out;
    const int bodies = in.extent.v[1];
    AMP_PARALLEL_FOR_EACH_ON(
        o.av, AMP_EXTENT(bodies), (i),
        AMP_CAPTURE(in, out, bodies, soften, AMP_CONSTANT(X), AMP_CONSTANT(Y), AMP_CONSTANT(Z), AMP_CONSTANT(MASS)), {
            const float x = AMP_AT(in, X, i), y = AMP_AT(in, Y, i), z = AMP_AT(in, Z, i);
            float ax = 0.0f, ay = 0.0f, az = 0.0f;
            AMP_ANY_ORDER(ax, ay, az)
            for (int j = 0; j < bodies; j++) {
                const float dx = AMP_AT(in, X, j) - x, dy = AMP_AT(in, Y, j) - y, dz = AMP_AT(in, Z, j) - z;
                const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soften);
                const float pull = AMP_AT(in, MASS, j) * inverse * inverse * inverse;
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            AMP_AT(out, X, i) = ax;
            AMP_AT(out, Y, i) = ay;
            AMP_AT(out, Z, i) = az;
        });
    amp_accelerator_view_wait(o.av);
}

/* The loop over the bodies of a block is the same for all threads of a tile, so it stands around the phase and not in
   it: then the CPU backend's innermost loop is the one over threads, which vectorises. A device does not mind. */
static void ours_tiled(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 in = o.in;
    const amp_array_view_float_2 out = o.out;
    const int bodies = in.extent.v[1];
    AMP_TILED_ON(o.av, AMP_EXTENT(bodies), (TS), tile,
                 AMP_CAPTURE(in, out, bodies, soften, AMP_CONSTANT(X), AMP_CONSTANT(Y), AMP_CONSTANT(Z),
                             AMP_CONSTANT(MASS), AMP_CONSTANT(IN_ROWS), AMP_CONSTANT(TS)),
                 {
                     AMP_TILE_STATIC(float, block, [IN_ROWS][TS]);
                     AMP_PRIVATE(float, x);
                     AMP_PRIVATE(float, y);
                     AMP_PRIVATE(float, z);
                     AMP_PRIVATE(float, ax);
                     AMP_PRIVATE(float, ay);
                     AMP_PRIVATE(float, az);

                     AMP_THREADS(tile, t) {
                         AMP_OWN(x) = AMP_AT(in, X, t.global.v[0]);
                         AMP_OWN(y) = AMP_AT(in, Y, t.global.v[0]);
                         AMP_OWN(z) = AMP_AT(in, Z, t.global.v[0]);
                         AMP_OWN(ax) = AMP_OWN(ay) = AMP_OWN(az) = 0.0f;
                     }
                     for (int first = 0; first < bodies; first += TS) {
                         AMP_THREADS(tile, t) {
                             for (int row = 0; row < IN_ROWS; row++)
                                 block[row][t.local.v[0]] = AMP_AT(in, row, first + t.local.v[0]);
                         }
                         amp_barrier_wait(tile.barrier);
                         for (int j = 0; j < TS; j++)
                             AMP_THREADS(tile, t) {
                                 const float dx = block[X][j] - AMP_OWN(x), dy = block[Y][j] - AMP_OWN(y),
                                             dz = block[Z][j] - AMP_OWN(z);
                                 const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soften);
                                 const float pull = block[MASS][j] * inverse * inverse * inverse;
                                 AMP_OWN(ax) += pull * dx;
                                 AMP_OWN(ay) += pull * dy;
                                 AMP_OWN(az) += pull * dz;
                             }
                         amp_barrier_wait(tile.barrier);
                     }
                     AMP_THREADS(tile, t) {
                         AMP_AT(out, X, t.global.v[0]) = AMP_OWN(ax);
                         AMP_AT(out, Y, t.global.v[0]) = AMP_OWN(ay);
                         AMP_AT(out, Z, t.global.v[0]) = AMP_OWN(az);
                     }
                 });
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->out); }

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

static void openmp_simple(void *self)
{
    (void)self;
    const ptrdiff_t n = host.bodies;
    const float *restrict const x = host.in, *restrict const y = x + n, *restrict const z = y + n,
                                *restrict const mass = z + n;
    float *restrict const out = host.out;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) {
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (ptrdiff_t j = 0; j < n; j++) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soften);
            const float pull = mass[j] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        out[i] = ax;
        out[n + i] = ay;
        out[2 * n + i] = az;
    }
}

/* The same, with leave to add in another order, which ours has. */
static void openmp_simd(void *self)
{
    (void)self;
    const ptrdiff_t n = host.bodies;
    const float *restrict const x = host.in, *restrict const y = x + n, *restrict const z = y + n,
                                *restrict const mass = z + n;
    float *restrict const out = host.out;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) {
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (ptrdiff_t j = 0; j < n; j++) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soften);
            const float pull = mass[j] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        out[i] = ax;
        out[n + i] = ay;
        out[2 * n + i] = az;
    }
}

/* Blocks of bodies that are summed side by side: the vector loop is the innermost, and its sums lie in the cache. */
static void openmp_tiled(void *self)
{
    (void)self;
    const ptrdiff_t n = host.bodies;
    const float *restrict const x = host.in, *restrict const y = x + n, *restrict const z = y + n,
                                *restrict const mass = z + n;
    float *restrict const out = host.out;
#pragma omp parallel for
    for (ptrdiff_t first = 0; first < n; first += TS) {
        _Alignas(64) float ax[TS] = { 0 }, ay[TS] = { 0 }, az[TS] = { 0 };
        for (ptrdiff_t j = 0; j < n; j++)
            for (ptrdiff_t i = 0; i < TS; i++) {
                const float dx = x[j] - x[first + i], dy = y[j] - y[first + i], dz = z[j] - z[first + i];
                const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + soften);
                const float pull = mass[j] * inverse * inverse * inverse;
                ax[i] += pull * dx;
                ay[i] += pull * dy;
                az[i] += pull * dz;
            }
        memcpy(out + first, ax, sizeof ax);
        memcpy(out + n + first, ay, sizeof ay);
        memcpy(out + 2 * n + first, az, sizeof az);
    }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] =
    "kernel void simple(global const float *in, global float *out, int n, float soften)\n"
    "{\n"
    "    const int i = get_global_id(0);\n"
    "    const float x = in[i], y = in[n + i], z = in[2 * n + i];\n"
    "    float ax = 0.0f, ay = 0.0f, az = 0.0f;\n"
    "    for (int j = 0; j < n; j++) {\n"
    "        const float dx = in[j] - x, dy = in[n + j] - y, dz = in[2 * n + j] - z;\n"
    "        const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + soften);\n"
    "        const float pull = in[3 * n + j] * inverse * inverse * inverse;\n"
    "        ax += pull * dx;\n"
    "        ay += pull * dy;\n"
    "        az += pull * dz;\n"
    "    }\n"
    "    out[i] = ax;\n"
    "    out[n + i] = ay;\n"
    "    out[2 * n + i] = az;\n"
    "}\n"
    "\n"
    "enum { TS = 256 };\n"
    "kernel __attribute__((reqd_work_group_size(TS, 1, 1)))\n"
    "void tiled(global const float *in, global float *out, int n, float soften)\n"
    "{\n"
    "    local float block[4][TS];\n"
    "    const int i = get_global_id(0), me = get_local_id(0);\n"
    "    const float x = in[i], y = in[n + i], z = in[2 * n + i];\n"
    "    float ax = 0.0f, ay = 0.0f, az = 0.0f;\n"
    "    for (int first = 0; first < n; first += TS) {\n"
    "        for (int row = 0; row < 4; row++)\n"
    "            block[row][me] = in[row * n + first + me];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int j = 0; j < TS; j++) {\n"
    "            const float dx = block[0][j] - x, dy = block[1][j] - y, dz = block[2][j] - z;\n"
    "            const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + soften);\n"
    "            const float pull = block[3][j] * inverse * inverse * inverse;\n"
    "            ax += pull * dx;\n"
    "            ay += pull * dy;\n"
    "            az += pull * dz;\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[i] = ax;\n"
    "    out[n + i] = ay;\n"
    "    out[2 * n + i] = az;\n"
    "}\n";

static raw_job opencl_job(cl_device_id device, const char *kernel)
{
    const size_t row = (size_t)host.bodies * sizeof(float);
    raw_job job = raw_job_open(device, opencl_source, kernel, host.out);
    raw_job_buffer(&job, host.in, IN_ROWS * row);
    raw_job_buffer(&job, host.out, OUT_ROWS * row);
    raw_argument(&job, 2, &host.bodies, sizeof host.bodies);
    raw_argument(&job, 3, &soften, sizeof soften);
    job.dimensions = 1;
    job.global[0] = (size_t)host.bodies;
    job.local[0] = TS; /* also for `simple`: what a programmer would write */
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static size_t sample(int s) { return (size_t)s * 7919 % (size_t)host.bodies; }

static void make_samples(void)
{
    const size_t n = (size_t)host.bodies;
    const float *const in = host.in;
    for (int s = 0; s < SAMPLES; s++)
        for (size_t i = sample(s), j = 0; j < n; j++) {
            double d[OUT_ROWS], square = (double)soften;
            for (size_t row = 0; row < OUT_ROWS; row++) {
                d[row] = (double)in[row * n + j] - (double)in[row * n + i];
                square += d[row] * d[row];
            }
            for (size_t row = 0; row < OUT_ROWS; row++)
                host.want[s][row] += (double)in[MASS * n + j] * d[row] / (square * sqrt(square));
        }
}

static void reset(void) { memset(host.out, 0xff, OUT_ROWS * (size_t)host.bodies * sizeof(float)); }

/* Forces point both ways and mostly cancel: what a sum may be off is measured by the masses, which add up to 1. */
static bool check(void)
{
    for (int s = 0; s < SAMPLES; s++)
        for (size_t row = 0; row < OUT_ROWS; row++) {
            const double got = (double)host.out[row * (size_t)host.bodies + sample(s)], want = host.want[s][row];
            if (!(fabs(got - want) <= 1e-3)) {
                fprintf(stderr, "body %zu, component %zu: %g, expected %g\n", sample(s), row, got, want);
                return false;
            }
        }
    return true;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 2, in, host.in, IN_ROWS, host.bodies);
    AMP_ARRAY_VIEW(float, 2, out, host.out, OUT_ROWS, host.bodies);
    ours o = { amp_accelerator_default_view(accelerator), in, out };
    const double operations = 20.0 * host.bodies * host.bodies;

    if (bench_wanted(b, "simple")) {
        raw_job job = opencl_job(device, "simple");
        bench_way simd = bench_openmp(device, openmp_simd);
        if (simd.name)
            simd.name = "omp simd";
        const bench_way ways[] = { { "ours", &o, ours_upload, ours_simple, ours_download },
                                   bench_openmp(device, openmp_simple),
                                   simd,
                                   bench_opencl(&job, raw_job_run) };
        bench_compare(b, "simple", operations, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
        raw_job_close(&job);
    }
    if (bench_wanted(b, "tiled")) {
        raw_job job = opencl_job(device, "tiled");
        const size_t row = (size_t)host.bodies * sizeof(float);
        cuda_job cuda = { .in = { host.in },
                          .out = host.out,
                          .in_bytes = { IN_ROWS * row },
                          .out_bytes = OUT_ROWS * row,
                          .count = (size_t)host.bodies };
        const bench_way ways[] = { { "ours", &o, ours_upload, ours_tiled, ours_download },
                                   bench_openmp(device, openmp_tiled),
                                   bench_opencl(&job, raw_job_run),
                                   bench_cuda(b, &cuda, "CUDA", cuda_forces) };
        bench_compare(b, "tiled", operations, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
        raw_job_close(&job);
        cuda_close(&cuda);
    }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "nbody", BENCH_GFLOP_PER_S, 16384, 7);
    if (b.size % TS != 0 || b.size > 1 << 24)
        bench_usage(&b);
    host.bodies = b.size;
    const size_t n = (size_t)b.size;
    host.in = bench_memory(IN_ROWS * n * sizeof(float));
    host.out = bench_memory(OUT_ROWS * n * sizeof(float));
    bench_fill(host.in, IN_ROWS * n);
    for (size_t i = 0; i < n; i++)
        host.in[MASS * n + i] = 1.0f / (float)n;
    make_samples();

    bench_each_accelerator(&b, measure);

    free(host.in);
    free(host.out);
    return bench_end(&b);
}
