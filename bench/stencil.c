// SPDX-License-Identifier: MIT
/*  bench/stencil: ten sweeps of the 5-point mean over a square grid. --size is its side.
    GB/s count what must move in a sweep: the inner cells read once and written once.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { SWEEPS = 10 }; /* even: the result ends where the start was */

static struct {
    int side;
    size_t count;
    float *now, *next, *before, *after;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_array_view_float_2 now, next;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->now);
    amp_array_view_synchronize_to(&o->now, o->av);
    amp_array_view_synchronize_to(&o->next, o->av);
}

static void ours_sweep(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_array_view_float_2 out)
{
    AMP_PARALLEL_FOR_EACH_ON(av, amp_inner(out.extent, 1), (y, x), AMP_CAPTURE(in, out), {
        AMP_AT(out, y, x) = 0.2f * (AMP_AT(in, y, x) + AMP_AT(in, y - 1, x) + AMP_AT(in, y + 1, x) +
                                    AMP_AT(in, y, x - 1) + AMP_AT(in, y, x + 1));
    });
}

static void ours_run(void *self)
{
    const ours *const o = self;
    for (int sweep = 0; sweep < SWEEPS; sweep += 2) {
        ours_sweep(o->av, amp_as_const(o->now), o->next);
        ours_sweep(o->av, amp_as_const(o->next), o->now);
    }
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->now); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_sweep(const float *restrict in, float *restrict out, ptrdiff_t side)
{
#pragma omp parallel for
    for (ptrdiff_t y = 1; y < side - 1; y++)
        for (ptrdiff_t x = 1; x < side - 1; x++) {
            const ptrdiff_t at = y * side + x;
            out[at] = 0.2f * (in[at] + in[at - side] + in[at + side] + in[at - 1] + in[at + 1]);
        }
}

static void openmp_run(void *self)
{
    (void)self;
    for (int sweep = 0; sweep < SWEEPS; sweep += 2) {
        openmp_sweep(host.now, host.next, host.side);
        openmp_sweep(host.next, host.now, host.side);
    }
}

static const char opencl_source[] =
    "kernel void sweep(global const float *in, global float *out, int side)\n"
    "{\n"
    "    const int x = get_global_id(0) + 1, y = get_global_id(1) + 1, at = y * side + x;\n"
    "    out[at] = 0.2f * (in[at] + in[at - side] + in[at + side] + in[at - 1] + in[at + 1]);\n"
    "}\n";

static raw_job opencl_job(cl_device_id device)
{
    raw_job job = raw_job_open(device, opencl_source, "sweep", host.now);
    raw_job_buffer(&job, host.next, host.count * sizeof *host.next);
    raw_job_buffer(&job, host.now, host.count * sizeof *host.now);
    raw_argument(&job, 2, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)host.side - 2;
    return job;
}

static void opencl_run(void *self)
{
    raw_job *const job = self;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        raw_argument(job, 0, &job->buffers[1 - sweep % 2], sizeof(cl_mem));
        raw_argument(job, 1, &job->buffers[sweep % 2], sizeof(cl_mem));
        raw_job_enqueue(job);
    }
    raw_job_finish(job);
}

static void cuda_run(void *self)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        cuda_sweep(self, sweep % 2 != 0);
    cuda_wait();
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

/* The border of `next` is the one of `now`; its inner cells are written before they are read. */
static void reset(void) { memcpy(host.now, host.before, host.count * sizeof *host.now); }

static bool check(void) { return bench_close(host.now, host.after, host.count, 1e-5); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_ARRAY_VIEW(float, 2, now, host.now, b->size, b->size);
    AMP_ARRAY_VIEW(float, 2, next, host.next, b->size, b->size);
    ours o = { amp_accelerator_default_view(accelerator), now, next };
    const double side = host.side - 2, bytes = SWEEPS * 2.0 * sizeof(float) * side * side;
    if (!bench_wanted(b, "stencil"))
        return;
    raw_job job = opencl_job(device);
    const size_t all = host.count * sizeof *host.now;
    cuda_job cuda = {
        .in = { host.next }, .out = host.now, .in_bytes = { all }, .out_bytes = all, .count = (size_t)host.side
    };
    const bench_way ways[] = {
        { "ours", &o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
        bench_opencl(&job, opencl_run),
        bench_cuda(b, &cuda, "CUDA", cuda_run),
    };
    bench_compare(b, "stencil", bytes, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
    cuda_close(&cuda);
}

/* What ten sweeps must give, one cell after the other. */
static void reference_sweep(const float *in, float *out, size_t side)
{
    for (size_t at = side + 1, y = 1; y < side - 1; y++, at += 2)
        for (size_t x = 1; x < side - 1; x++, at++)
            out[at] = 0.2f * (in[at] + in[at - side] + in[at + side] + in[at - 1] + in[at + 1]);
}

static void make_reference(void)
{
    float *const other = bench_memory(host.count * sizeof(float));
    memcpy(host.after, host.before, host.count * sizeof *host.after);
    memcpy(other, host.before, host.count * sizeof *other);
    for (int sweep = 0; sweep < SWEEPS; sweep += 2) {
        reference_sweep(host.after, other, (size_t)host.side);
        reference_sweep(other, host.after, (size_t)host.side);
    }
    free(other);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "stencil", BENCH_GBYTE_PER_S, 4096, 11);
    if (b.size < 3 || b.size > 32768)
        bench_usage(&b);
    host.side = b.size;
    host.count = (size_t)b.size * (size_t)b.size;
    host.now = bench_memory(host.count * sizeof(float));
    host.next = bench_memory(host.count * sizeof(float));
    host.before = bench_memory(host.count * sizeof(float));
    host.after = bench_memory(host.count * sizeof(float));
    bench_fill(host.before, host.count);
    memcpy(host.now, host.before, host.count * sizeof *host.now);
    memcpy(host.next, host.before, host.count * sizeof *host.next);
    make_reference();

    bench_each_accelerator(&b, measure);

    free(host.now);
    free(host.next);
    free(host.before);
    free(host.after);
    return bench_end(&b);
}
