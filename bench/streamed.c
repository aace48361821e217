// SPDX-License-Identifier: MIT
/*  bench/streamed: launches over data that pass through a quarter of the memory that they need, on a streamed view:
    `triad` (two arrays up, one down) and `update` (one up, the same down). Beside them the bus: as many bytes each
    way, at once, between pinned memory and the device. --size is the number of floats in an array. GB/s count what
    goes up and what goes down. How to build and read: bench/README.md. */
#include "bench.h"
#include "amp_group.h"

enum { PIECE = 1 << 26, ARRAYS = 3 }; /* bytes of a copy by hand */

static struct {
    size_t count;
    float *a, *b, *c;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view streamed;
    amp_array_view_float_1 a;
    amp_const_array_view_float_1 b, c;
} ours;

static void ours_triad(void *self)
{
    const ours *const o = self;
    const amp_array_view_float_1 a = o->a;
    const amp_const_array_view_float_1 b = o->b, c = o->c;
    amp_array_view_discard_data(&a);
    AMP_PARALLEL_FOR_EACH_ON(o->streamed, a.extent, (i), AMP_CAPTURE(a, b, c),
                             { AMP_AT(a, i) = AMP_AT(b, i) + 3.0f * AMP_AT(c, i); });
    amp_array_view_synchronize(&o->a);
}

static void ours_update(void *self)
{
    const ours *const o = self;
    const amp_array_view_float_1 a = o->a;
    AMP_PARALLEL_FOR_EACH_ON(o->streamed, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 8.0f - AMP_AT(a, i); });
    amp_array_view_synchronize(&o->a);
}

/* ---- the bus -------------------------------------------------------------------------------------------- */

enum { UP, DOWN, WAYS };
typedef struct {
    raw_device device;
    cl_command_queue queue[WAYS];
    cl_mem buffer[WAYS], staging[WAYS];
    void *pinned[WAYS];
    size_t bytes[WAYS]; /* to copy */
} bus;

static bus bus_begin(cl_device_id id)
{
    cl_int status;
    bus b = { .device = raw_open(id) };
    for (int way = UP; way < WAYS; way++) {
        b.queue[way] = clCreateCommandQueue(b.device.context, id, 0, &status);
        raw_check(status, "clCreateCommandQueue");
        b.buffer[way] = raw_buffer(&b.device, PIECE);
        b.staging[way] = clCreateBuffer(b.device.context, CL_MEM_ALLOC_HOST_PTR, PIECE, NULL, &status);
        raw_check(status, "clCreateBuffer");
        b.pinned[way] = clEnqueueMapBuffer(b.device.queue, b.staging[way], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                           PIECE, 0, NULL, NULL, &status);
        raw_check(status, "clEnqueueMapBuffer");
        memset(b.pinned[way], 0, PIECE);
    }
    return b;
}

static void bus_end(bus *b)
{
    for (int way = UP; way < WAYS; way++) {
        clEnqueueUnmapMemObject(b->device.queue, b->staging[way], b->pinned[way], 0, NULL, NULL);
        clFinish(b->device.queue);
        clReleaseMemObject(b->staging[way]);
        clReleaseMemObject(b->buffer[way]);
        clReleaseCommandQueue(b->queue[way]);
    }
    raw_close(&b->device);
}

/* The copies of both queues, in turn, so that neither runs far ahead; and what `host` should hold then. */
static void bus_run(void *self)
{
    const bus *const b = self;
    for (size_t at = 0; at < b->bytes[UP] || at < b->bytes[DOWN]; at += PIECE) {
        if (at < b->bytes[UP])
            raw_check(clEnqueueWriteBuffer(b->queue[UP], b->buffer[UP], CL_FALSE, 0, PIECE, b->pinned[UP], 0, NULL,
                                           NULL),
                      "clEnqueueWriteBuffer");
        if (at < b->bytes[DOWN])
            raw_check(clEnqueueReadBuffer(b->queue[DOWN], b->buffer[DOWN], CL_FALSE, 0, PIECE, b->pinned[DOWN], 0, NULL,
                                          NULL),
                      "clEnqueueReadBuffer");
        clFlush(b->queue[UP]);
        clFlush(b->queue[DOWN]);
    }
    clFinish(b->queue[UP]);
    clFinish(b->queue[DOWN]);
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static float wanted(size_t i) { return (float)(i % 2) + 3.0f * (float)(i % 1000 % 3); }
static bool triad_right(void)
{
    for (size_t i = 0; i < host.count; i += 4097)
        if (host.a[i] != wanted(i))
            return false;
    return true;
}

/* After an odd number of updates, or an even one: each way is its own inverse. */
static bool update_right(void)
{
    const bool odd = host.a[0] != wanted(0);
    for (size_t i = 0; i < host.count; i += 4097)
        if (host.a[i] != (odd ? 8.0f - wanted(i) : wanted(i)))
            return false;
    return true;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    if (!device || (amp_accelerator_supports_cpu_shared_memory(accelerator) && !getenv("AMP_FORCE_COPIES"))) {
        printf("%-16s %-10s shares the memory of the CPU\n", "none", b->where);
        b->rows++;
        return;
    }
    const size_t bytes = host.count * sizeof(float);
    bus by_hand = bus_begin(device);
    AMP_ARRAY_VIEW(float, 1, view_a, host.a, host.count);
    AMP_CONST_ARRAY_VIEW(float, 1, view_b, host.b, host.count);
    AMP_CONST_ARRAY_VIEW(float, 1, view_c, host.c, host.count);
    ours o = { amp_accelerator_view_create_streamed(amp_accelerator_default_view(accelerator), ARRAYS * bytes / 4),
               view_a, view_b, view_c };
    const bench_way triad[] = { { "ours", &o, NULL, ours_triad, NULL }, { "bus", &by_hand, NULL, bus_run, NULL } };
    const bench_way update[] = { { "ours", &o, NULL, ours_update, NULL }, { "bus", &by_hand, NULL, bus_run, NULL } };
    by_hand.bytes[UP] = 2 * bytes, by_hand.bytes[DOWN] = bytes;
    bench_compare(b, "triad", 3.0 * (double)bytes, (bench_problem){ NULL, triad_right }, triad, BENCH_COUNT(triad));
    by_hand.bytes[UP] = bytes;
    bench_compare(b, "update", 2.0 * (double)bytes, (bench_problem){ NULL, update_right }, update, BENCH_COUNT(update));
    amp_accelerator_view_release(&o.streamed);
    bus_end(&by_hand);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "streamed", BENCH_GBYTE_PER_S, 1 << 24, 5);
    host.count = (size_t)b.size;
    host.a = bench_plain_memory(host.count * sizeof(float));
    host.b = bench_plain_memory(host.count * sizeof(float));
    host.c = bench_plain_memory(host.count * sizeof(float));
#pragma omp parallel for
    for (size_t i = 0; i < host.count; i++) {
        host.a[i] = wanted(i);
        host.b[i] = (float)(i % 2);
        host.c[i] = (float)(i % 1000 % 3);
    }
    bench_each_accelerator(&b, measure);
    free(host.a);
    free(host.b);
    free(host.c);
    return bench_end(&b);
}
