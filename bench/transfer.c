// SPDX-License-Identifier: MIT
/*  bench/transfer: host memory to the device and back, where the device has memory of its own (elsewhere with
    AMP_FORCE_COPIES=1). --size is the number of floats. "up" and "down" repeat a transfer that was made before, by hand
    from pinned memory, on NVIDIA's GPUs also by cudaMemcpy (where nvcc is); "first up" is a view's first, by hand a
    write from ordinary (pageable) memory: what a program would do that does not take the trouble. How to build and
    read: bench/README.md. */
#include "bench.h"

static struct {
    size_t count;
    float *values;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_array_view_float_1 values;
} ours;

static void ours_up(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->values);
    amp_array_view_synchronize_to(&o->values, o->av);
}

/* Somebody writes on the device, so that there is something to bring home. */
static void ours_touch(void *self)
{
    const ours o = *(const ours *)self;
    const amp_array_view_float_1 values = o.values;
    AMP_PARALLEL_FOR_EACH_ON(o.av, values.extent, (i), AMP_CAPTURE(values), { AMP_AT(values, i) += 0.0f; });
    amp_accelerator_view_wait(o.av);
}

static void ours_down(void *self) { amp_array_view_synchronize(&((ours *)self)->values); }

static void ours_first_up(void *self)
{
    const ours *const o = self;
    AMP_ARRAY_VIEW(float, 1, fresh, host.values, host.count);
    amp_array_view_synchronize_to(&fresh, o->av);
}

/* ---- by hand -------------------------------------------------------------------------------------------- */

typedef struct {
    raw_device device;
    cl_mem buffer, staging;
    void *pinned;
    size_t bytes;
} raw;

static raw raw_begin(cl_device_id id)
{
    cl_int status;
    raw r = { .device = raw_open(id), .bytes = host.count * sizeof(float) };
    r.buffer = raw_buffer(&r.device, r.bytes);
    r.staging = clCreateBuffer(r.device.context, CL_MEM_ALLOC_HOST_PTR, r.bytes, NULL, &status);
    raw_check(status, "clCreateBuffer");
    r.pinned = clEnqueueMapBuffer(r.device.queue, r.staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, r.bytes, 0, NULL,
                                  NULL, &status);
    raw_check(status, "clEnqueueMapBuffer");
    memcpy(r.pinned, host.values, r.bytes);
    return r;
}

static void raw_end(raw *r)
{
    clEnqueueUnmapMemObject(r->device.queue, r->staging, r->pinned, 0, NULL, NULL);
    clFinish(r->device.queue);
    clReleaseMemObject(r->staging);
    clReleaseMemObject(r->buffer);
    raw_close(&r->device);
}

static void raw_up(void *self)
{
    const raw *const r = self;
    raw_write(&r->device, r->buffer, r->pinned, r->bytes);
}

static void raw_down(void *self)
{
    const raw *const r = self;
    raw_read(&r->device, r->buffer, r->pinned, r->bytes);
}

/* A fresh buffer, as ours_first_up makes one. */
static void raw_first_up(void *self)
{
    const raw *const r = self;
    const cl_mem fresh = raw_buffer(&r->device, r->bytes);
    raw_write(&r->device, fresh, host.values, r->bytes);
    clReleaseMemObject(fresh);
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static bool check(void)
{
    for (size_t i = 0; i < host.count; i += 4097)
        if (host.values[i] != (float)(i % 1000))
            return false;
    return true;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    const bench_problem problem = { NULL, check };
    const double bytes = sizeof(float) * (double)host.count;
    if (!device || (amp_accelerator_supports_cpu_shared_memory(accelerator) && !getenv("AMP_FORCE_COPIES"))) {
        printf("%-16s %-10s shares the memory of the CPU\n", "none", b->where);
        b->rows++;
        return;
    }
    raw by_hand = raw_begin(device);
    AMP_ARRAY_VIEW(float, 1, values, host.values, host.count);
    ours o = { amp_accelerator_default_view(accelerator), values };
    cuda_job cuda = { .out = host.values, .out_bytes = host.count * sizeof(float), .count = host.count };
    const bench_way driver = bench_cuda(b, &cuda, "cudaMemcpy", cuda_copy_up);
    const bench_way up[] = { { "ours", &o, NULL, ours_up, NULL },
                             { "pinned", &by_hand, NULL, raw_up, NULL },
                             { driver.name, &cuda, NULL, cuda_copy_up, NULL } };
    const bench_way down[] = { { "ours", &o, ours_touch, ours_down, NULL },
                               { "pinned", &by_hand, NULL, raw_down, NULL },
                               { driver.name, &cuda, NULL, cuda_copy_down, NULL } };
    const bench_way first_up[] = { { "ours", &o, NULL, ours_first_up, NULL },
                                   { "pageable", &by_hand, NULL, raw_first_up, NULL } };
    bench_compare(b, "up", bytes, problem, up, BENCH_COUNT(up));
    bench_compare(b, "down", bytes, problem, down, BENCH_COUNT(down));
    bench_compare(b, "first up", bytes, problem, first_up, BENCH_COUNT(first_up));
    cuda_close(&cuda);
    raw_end(&by_hand);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "transfer", BENCH_GBYTE_PER_S, 1 << 26, 11);
    host.count = (size_t)b.size;
    host.values = bench_plain_memory(host.count * sizeof(float));
    for (size_t i = 0; i < host.count; i++)
        host.values[i] = (float)(i % 1000);
    bench_each_accelerator(&b, measure);
    free(host.values);
    return bench_end(&b);
}
