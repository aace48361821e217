// SPDX-License-Identifier: MIT
/*  bench/saxpy: y = a x + y, which only memory limits. --size is the number of floats in x and in y.
    GB/s count what must move: x and y read, y written. How to build and read: bench/README.md. */
#include "bench.h"

static const float a = 1.5f;
static struct {
    size_t count;
    float *x, *y, *y_before, *y_after;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_1 x;
    amp_array_view_float_1 y;
    float a;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->y);
    amp_array_view_synchronize_to(&o->x, o->av);
    amp_array_view_synchronize_to(&o->y, o->av);
}

static void ours_run(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_1 x = o.x;
    const amp_array_view_float_1 y = o.y;
    const float factor = o.a;
    AMP_PARALLEL_FOR_EACH_ON(o.av, y.extent, (i), AMP_CAPTURE(x, y, factor), {
        AMP_AT(y, i) = factor * AMP_AT(x, i) + AMP_AT(y, i);
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->y); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_run(void *self)
{
    (void)self;
    const float factor = a, *restrict const x = host.x;
    float *restrict const y = host.y;
    const ptrdiff_t count = (ptrdiff_t)host.count;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < count; i++)
        y[i] = factor * x[i] + y[i];
}

static const char opencl_source[] = "kernel void saxpy(global const float *x, global float *y, float a)\n"
                                    "{\n"
                                    "    const size_t i = get_global_id(0);\n"
                                    "    y[i] = a * x[i] + y[i];\n"
                                    "}\n";

static raw_job opencl_job(cl_device_id device)
{
    raw_job job = raw_job_open(device, opencl_source, "saxpy", host.y);
    raw_job_buffer(&job, host.x, host.count * sizeof *host.x);
    raw_job_buffer(&job, host.y, host.count * sizeof *host.y);
    raw_argument(&job, 2, &a, sizeof a);
    job.dimensions = 1;
    job.global[0] = host.count;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memcpy(host.y, host.y_before, host.count * sizeof *host.y); }

static bool check(void) { return bench_close(host.y, host.y_after, host.count, 1e-6); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 1, x, host.x, b->size);
    AMP_ARRAY_VIEW(float, 1, y, host.y, b->size);
    ours o = { amp_accelerator_default_view(accelerator), x, y, a };
    const double bytes = 3.0 * sizeof(float) * (double)host.count;
    if (!bench_wanted(b, "saxpy"))
        return;
    raw_job job = opencl_job(device);
    const bench_way ways[] = {
        { "ours", &o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
        bench_opencl(&job, raw_job_run),
    };
    bench_compare(b, "saxpy", bytes, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "saxpy", BENCH_GBYTE_PER_S, 1 << 24, 21);
    host.count = (size_t)b.size;
    host.x = bench_memory(host.count * sizeof(float));
    host.y = bench_memory(host.count * sizeof(float));
    host.y_before = bench_memory(host.count * sizeof(float));
    host.y_after = bench_memory(host.count * sizeof(float));
    bench_fill(host.x, host.count);
    for (size_t i = 0; i < host.count; i++) {
        host.y_before[i] = 1.0f - host.x[i];
        host.y_after[i] = a * host.x[i] + host.y_before[i];
    }

    bench_each_accelerator(&b, measure);

    free(host.x);
    free(host.y);
    free(host.y_before);
    free(host.y_after);
    return bench_end(&b);
}
