// SPDX-License-Identifier: MIT
/*  bench/dispatch: what a launch costs the host. Every kernel is c = a + b over three resident views; --size is
    the number of elements of a launch (1,024). Times are per launch.

      in a row      10,000 launches, then one wait              by hand: clSetKernelArg x 3, enqueue; an OpenMP loop
      and wait      each launch is waited for                   by hand: the same and clFinish
      one element   a launch of a single element                by hand: a call of a plain function
      empty extent  a launch                                    by hand: an empty `omp parallel for`
      replayed      1,000 recorded launches, ten times, then one wait; on the CPU backend they are launched
      ... apart     the same, of launches over a quarter in turn, which share nothing that is written
      group of one  in a row, on a group of this accelerator        beside it: on the accelerator
    "empty extent" and "one element" are for the CPU backend only, which run such small launches on one thread; from
    16,384 elements on several share them. "CUDA" is cuLaunchKernel by hand, where nvcc is. How to build and read:
    bench/README.md. */
#include "bench.h"
#include "amp_group.h"
#include "amp_recording.h"

enum { LAUNCHES = 10000, WAITS = 1000, RECORDED = 1000 };

static struct {
    int size;
    float *a, *b, *c;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_1 a, b;
    amp_array_view_float_1 c;
    amp_recording recording;
    bool apart;
} ours;

static void ours_launch(const ours *o)
{
    const amp_const_array_view_float_1 a = o->a, b = o->b;
    const amp_array_view_float_1 c = o->c;
    AMP_PARALLEL_FOR_EACH_ON(o->av, c.extent, (i), AMP_CAPTURE(a, b, c), {
        AMP_AT(c, i) = AMP_AT(a, i) + AMP_AT(b, i);
    });
}

/* A quarter of that. */
static void ours_launch_quarter(const ours *o, int quarter)
{
    const int size = o->c.extent.v[0] / 4;
    ours part = *o;
    part.a = amp_section(o->a, quarter * size, size);
    part.b = amp_section(o->b, quarter * size, size);
    part.c = amp_section(o->c, quarter * size, size);
    ours_launch(&part);
}

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->c);
    amp_array_view_synchronize_to(&o->a, o->av);
    amp_array_view_synchronize_to(&o->b, o->av);
    amp_array_view_synchronize_to(&o->c, o->av);
}

static void ours_in_a_row(void *self)
{
    const ours *const o = self;
    for (int launch = 0; launch < LAUNCHES; launch++)
        ours_launch(o);
    amp_accelerator_view_wait(o->av);
}

static void ours_and_wait(void *self)
{
    const ours *const o = self;
    for (int launch = 0; launch < WAITS; launch++) {
        ours_launch(o);
        amp_accelerator_view_wait(o->av);
    }
}

static void ours_replayed(void *self)
{
    ours *const o = self;
    for (int launch = 0; launch < LAUNCHES; launch += RECORDED) {
        if (amp_recording_replay(o->recording))
            continue;
        amp_recording_begin(o->av);
        for (int recorded = 0; recorded < RECORDED; recorded++)
            if (o->apart)
                ours_launch_quarter(o, recorded % 4);
            else
                ours_launch(o);
        o->recording = amp_recording_end();
    }
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->c); }

/* ---- by hand, CPU --------------------------------------------------------------------------------------- */

__attribute__((noinline)) static void plain_add(const float *a, const float *b, float *c, int count)
{
    for (int i = 0; i < count; i++)
        c[i] = a[i] + b[i];
}

static void plain_calls(void *self)
{
    (void)self;
    for (int call = 0; call < LAUNCHES; call++)
        plain_add(host.a, host.b, host.c, 1);
}

static void openmp_add(int launches)
{
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const int size = host.size;
    for (int launch = 0; launch < launches; launch++) {
#pragma omp parallel for
        for (int i = 0; i < size; i++)
            c[i] = a[i] + b[i];
    }
}

static void openmp_in_a_row(void *self)
{
    (void)self;
    openmp_add(LAUNCHES);
}

static void openmp_and_wait(void *self)
{
    (void)self;
    openmp_add(WAITS);
}

static void openmp_nothing(void *self)
{
    (void)self;
    for (int launch = 0; launch < LAUNCHES; launch++) {
#pragma omp parallel for
        for (int i = 0; i < 2; i++)
            __asm__ volatile("");
    }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] = "kernel void add(global const float *a, global const float *b, global float *c)\n"
                                    "{\n"
                                    "    const size_t i = get_global_id(0);\n"
                                    "    c[i] = a[i] + b[i];\n"
                                    "}\n";

static raw_job opencl_job(cl_device_id device)
{
    const size_t bytes = (size_t)host.size * sizeof(float);
    raw_job job = raw_job_open(device, opencl_source, "add", host.c);
    raw_job_buffer(&job, host.a, bytes);
    raw_job_buffer(&job, host.b, bytes);
    raw_job_buffer(&job, host.c, bytes);
    job.dimensions = 1;
    job.global[0] = (size_t)host.size;
    return job;
}

static void opencl_launch(raw_job *job)
{
    for (int b = 0; b < job->buffer_count; b++)
        raw_argument(job, b, &job->buffers[b], sizeof job->buffers[b]);
    raw_job_enqueue(job);
}

static void opencl_in_a_row(void *self)
{
    for (int launch = 0; launch < LAUNCHES; launch++)
        opencl_launch(self);
    raw_job_finish(self);
}

static void opencl_and_wait(void *self)
{
    for (int launch = 0; launch < WAITS; launch++) {
        opencl_launch(self);
        raw_job_finish(self);
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memset(host.c, 0xff, (size_t)host.size * sizeof *host.c); }

static bool right(int count)
{
    for (int i = 0; i < count; i++)
        if (host.c[i] != host.a[i] + host.b[i]) {
            fprintf(stderr, "element %d is %g, expected %g\n", i, (double)host.c[i], (double)(host.a[i] + host.b[i]));
            return false;
        }
    return true;
}

static bool check(void) { return right(host.size); }

static bool check_one(void) { return right(1); }

/* Launches of the same by cuLaunchKernel, each of 256 threads or a multiple. */
static cuda_job cuda_launcher(size_t launches)
{
    const size_t bytes = (size_t)host.size * sizeof(float);
    return (cuda_job){
        .in = { host.a, host.b }, .out = host.c, .in_bytes = { bytes, bytes }, .out_bytes = bytes, .count = launches
    };
}

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 1, a, host.a, host.size);
    AMP_CONST_ARRAY_VIEW(float, 1, b, host.b, host.size);
    AMP_ARRAY_VIEW(float, 1, c, host.c, host.size);
    ours o = { .av = amp_accelerator_default_view(accelerator), .a = a, .b = b, .c = c };
    ours first = { .av = o.av,
                   .a = amp_section(a, AMP_EXTENT(1)),
                   .b = amp_section(b, AMP_EXTENT(1)),
                   .c = amp_section(c, AMP_EXTENT(1)) };
    ours quarters = { .av = o.av, .a = a, .b = b, .c = c, .apart = true };
    ours grouped = o;
    grouped.av = amp_accelerator_view_create_group(&accelerator, 1);
    raw_job job = opencl_job(device);
    cuda_job row_job = cuda_launcher(LAUNCHES), wait_job = cuda_launcher(WAITS);
    const bench_way none = { NULL, NULL, NULL, NULL, NULL };
    const bool by_cuda = host.size % 256 == 0;
    const bench_problem all = { reset, check }, one = { reset, check_one }, unchecked = { NULL, NULL };
    const bench_way in_a_row[] = {
        { "ours", &o, ours_upload, ours_in_a_row, ours_download },
        bench_openmp(device, openmp_in_a_row),
        bench_opencl(&job, opencl_in_a_row),
        by_cuda ? bench_cuda(table, &row_job, "CUDA", cuda_launches) : none,
    };
    const bench_way and_wait[] = {
        { "ours", &o, ours_upload, ours_and_wait, ours_download },
        bench_openmp(device, openmp_and_wait),
        bench_opencl(&job, opencl_and_wait),
        by_cuda ? bench_cuda(table, &wait_job, "CUDA", cuda_launch_waits) : none,
    };
    const bench_way replayed[] = { { "ours", &o, ours_upload, ours_replayed, ours_download } };
    const bench_way apart[] = { { "ours", &quarters, ours_upload, ours_replayed, ours_download } };
    const bench_way group[] = { { "ours", &grouped, ours_upload, ours_in_a_row, ours_download },
                                { "no group", &o, ours_upload, ours_in_a_row, ours_download } };
    const bench_way over_nothing[] = { in_a_row[0], { .name = "empty loop", .run = openmp_nothing } };
    const bench_way one_element[] = {
        { "ours", &first, ours_upload, ours_in_a_row, ours_download },
        { .name = "plain call", .run = plain_calls },
    };

    bench_compare(table, "in a row", LAUNCHES, all, in_a_row, BENCH_COUNT(in_a_row));
    bench_compare(table, "and wait", WAITS, all, and_wait, BENCH_COUNT(and_wait));
    bench_compare(table, "replayed", LAUNCHES, all, replayed, BENCH_COUNT(replayed));
    if (host.size % 4 == 0)
        bench_compare(table, "replayed apart", LAUNCHES, all, apart, BENCH_COUNT(apart));
    bench_compare(table, "group of one", LAUNCHES, all, group, BENCH_COUNT(group));
    if (!device) {
        bench_compare(table, "empty extent", LAUNCHES, unchecked, over_nothing, BENCH_COUNT(over_nothing));
        bench_compare(table, "one element", LAUNCHES, one, one_element, BENCH_COUNT(one_element));
    }
    amp_recording_release(&o.recording);
    amp_recording_release(&quarters.recording);
    amp_accelerator_view_release(&grouped.av);
    raw_job_close(&job);
    cuda_close(&row_job);
    cuda_close(&wait_job);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "dispatch", BENCH_NS_EACH, 1024, 31);
    host.size = b.size;
    host.a = bench_memory((size_t)b.size * sizeof(float));
    host.b = bench_memory((size_t)b.size * sizeof(float));
    host.c = bench_memory((size_t)b.size * sizeof(float));
    bench_fill(host.a, (size_t)b.size);
    bench_fill(host.b, (size_t)b.size);
    reset();

    bench_each_accelerator(&b, measure);

    free(host.a);
    free(host.b);
    free(host.c);
    return bench_end(&b);
}
