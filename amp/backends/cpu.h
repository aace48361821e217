/* SPDX-License-Identifier: MIT */
/*  amp/backends/cpu.h - the CPU backend's table

    Contents (search for the tag):
        >>device  >>queue  >>event  >>buffer  >>launch  >>table */
#ifndef AMP_BACKENDS_CPU_H
#define AMP_BACKENDS_CPU_H

#include "../../amp_cpu.h"
#include "../memory/fork.h"

/* // >>device */

static inline const amp_priv_backend *amp_priv_cpu_table(void);

AMP_PRIV_COLD void amp_priv_cpu_discover(void)
{
    amp_priv_device device;
    memset(&device, 0, sizeof device);
    device.backend = amp_priv_cpu_table();
    device.shares_host = device.cpu_shared_memory = true;
    device.is_emulated = true;
    device.double_precision = device.limited_double_precision = device.atomics64 = true;
    device.version = 1u << 16;
    snprintf(device.path, sizeof device.path, "cpu");
    snprintf(device.description, sizeof device.description, "CPU (%s)", AMP_PRIV_CPU_THREADS_TEXT);
    device.dedicated_memory = (size_t)(amp_priv_physical_memory() / 1024);
    device.max_threads = INT_MAX;
    for (int d = 0; d < 3; d++)
        device.max_tile[d] = INT_MAX;
    device.local_memory = AMP_PRIV_MAX_TILE_BYTES;
    device.units = (unsigned)AMP_PRIV_CPU_UNITS;
    device.tile_multiple = AMP_PRIV_CPU_VECTOR;
    amp_priv_device_add(&device);
}

/* // >>queue: a launch has finished when it returns, so there is never anything to wait for. */

AMP_PRIV_COLD amp_priv_result amp_priv_cpu_queue_nothing(amp_priv_queue *queue)
{
    (void)queue;
    return amp_priv_done();
}

AMP_PRIV_COLD void amp_priv_cpu_queue_close(amp_priv_queue *queue) { (void)queue; }

AMP_PRIV_COLD amp_priv_result amp_priv_cpu_event_record(amp_priv_queue *queue, void **event)
{
    (void)queue;
    *event = NULL;
    return amp_priv_done();
}

AMP_PRIV_COLD amp_priv_result amp_priv_cpu_queue_wait_event(amp_priv_queue *queue, void *event)
{
    (void)queue, (void)event;
    return amp_priv_done();
}

/* // >>event */

AMP_PRIV_COLD amp_priv_result amp_priv_cpu_event_wait(amp_priv_device *device, void *event)
{
    (void)device, (void)event;
    return amp_priv_done();
}

AMP_PRIV_COLD bool amp_priv_cpu_event_done(amp_priv_device *device, void *event)
{
    (void)device, (void)event;
    return true;
}

AMP_PRIV_COLD void amp_priv_cpu_event_ignore(amp_priv_device *device, void *event) { (void)device, (void)event; }

/* // >>buffer: none. The host memory itself is where the data are, and nothing is copied. */

/* // >>launch */

/* A launch that is too small for a parallel region runs on one thread. Its site's history says which are: of 100
   elements in 0.08 us instead of 0.7, of 1,000 in 0.2 us instead of 0.8 (two cores). */

/* What an empty parallel region takes, in nanoseconds; 0: not known yet. */
AMP_PRIV_GLOBAL(_Atomic(uint64_t), amp_priv_cpu_region)

AMP_PRIV_API void amp_priv_cpu_learn(amp_priv_cpu_history *history, const amp_priv_cpu_run *run,
                                     uint64_t (*region)(void))
{
    const int every = 8, most_failed = 8;
    const uint64_t regions = 8;
    const uint64_t took = amp_priv_now() - run->began, count = (uint64_t)run->threads;
    uint64_t empty = atomic_load_explicit(&amp_priv_cpu_region, memory_order_relaxed);
    int failed = atomic_load_explicit(&history->failed_trials, memory_order_relaxed);
    if (!empty)
        atomic_store_explicit(&amp_priv_cpu_region, empty = region(), memory_order_relaxed);
    if (run->parallel) {
        if (count * took < (count + regions) * empty) { /* its work: at most threads * (took - region) */
            atomic_store_explicit(&history->parallel_ns, took, memory_order_relaxed);
            atomic_store_explicit(&history->serial_limit, run->size, memory_order_relaxed);
        }
    } else if (took > atomic_load_explicit(&history->parallel_ns, memory_order_relaxed)) {
        atomic_store_explicit(&history->serial_limit, run->size - 1, memory_order_relaxed);
        failed += failed < most_failed;
    } else {
        if (failed)
            atomic_store_explicit(&history->failed_trials, 0, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&history->failed_trials, failed, memory_order_relaxed);
    atomic_store_explicit(&history->launches_until_trial, (every << 2 * failed) - 1, memory_order_relaxed);
}

/* How long launches took that had no OpenMP, in nanoseconds. */
AMP_PRIV_GLOBAL(_Atomic(uint64_t), amp_priv_cpu_alone_ns)

AMP_PRIV_API_COLD void amp_priv_cpu_alone(const amp_priv_cpu_run *run, uint64_t limit)
{
    const uint64_t took = amp_priv_now() - run->began;
    const uint64_t before = atomic_fetch_add_explicit(&amp_priv_cpu_alone_ns, took, memory_order_relaxed);
    const int processors = amp_priv_processors();
    if (before < limit && before + took >= limit && processors > 1)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "kernels ran on one of %d cores, as the program is compiled without -fopenmp: compile with "
                     "-fopenmp, or with -DAMP_SERIAL if one core is intended",
                     processors);
}

/* Before the loops of a launch of so many parts. */
static inline amp_priv_cpu_run amp_priv_cpu_begin(amp_priv_cpu_history *history, ptrdiff_t size, int threads,
                                                  ptrdiff_t parts)
{
    amp_priv_cpu_run run = { size, threads, threads > 1 && parts > 1, 0 };
    if (threads == 0 && size >= AMP_PRIV_CPU_ALONE_SIZE)
        run.began = amp_priv_now();
    if (!run.parallel || !history)
        return run;
    run.parallel = size > atomic_load_explicit(&history->serial_limit, memory_order_relaxed);
    const int untimed = run.parallel ? atomic_load_explicit(&history->launches_until_trial, memory_order_relaxed) : 0;
    if (untimed > 0)
        atomic_store_explicit(&history->launches_until_trial, untimed - 1, memory_order_relaxed);
    else
        run.began = amp_priv_now();
    return run;
}

AMP_PRIV_API amp_priv_cpu_run amp_priv_cpu_begin_tiles(amp_priv_cpu_history *history, int threads, ptrdiff_t tiles)
{
    return amp_priv_cpu_begin(history, tiles, threads, tiles);
}

AMP_PRIV_API amp_priv_cpu_lines amp_priv_cpu_begin_lines(const amp_priv_launch *launch, int rank, int threads,
                                                         amp_priv_cpu_history *history, amp_priv_cpu_run *run)
{
    amp_priv_cpu_lines lines;
    const int *const extent = launch->extent;
    ptrdiff_t rows = 1;
    lines.first = launch->first + (rank > 1 ? amp_priv_site_origin(launch->site, launch->captured, 0) : 0);
    for (int d = 0; d + 1 < rank; d++)
        rows *= extent[d];
    lines.last = extent[rank - 1];
    lines.length = lines.last;
    lines.pieces = 1;
    if (threads > 1 && rows < 4 * (ptrdiff_t)threads) {
        /* Pieces start at multiples of 16 elements, so that threads do not share cache lines. */
        const ptrdiff_t wanted = (threads + rows - 1) / rows, length = (lines.last + wanted - 1) / wanted;
        if ((length + 15) / 16 * 16 < lines.last)
            lines.length = (int)((length + 15) / 16 * 16);
        lines.pieces = (lines.last + (ptrdiff_t)lines.length - 1) / lines.length;
    }
    lines.count = rows * lines.pieces;
    *run = amp_priv_cpu_begin(history, lines.count * lines.length, threads, lines.count);
    return lines;
}

/* // >>table */

static inline const amp_priv_backend *amp_priv_cpu_table(void)
{
    static const amp_priv_backend table = {
        .version = AMP_PRIV_BACKEND_VERSION,
        .name = "cpu",
        .device.discover = amp_priv_cpu_discover,
        .queue.open = amp_priv_cpu_queue_nothing,
        .queue.close = amp_priv_cpu_queue_close,
        .queue.finish = amp_priv_cpu_queue_nothing,
        .event.record = amp_priv_cpu_event_record,
        .queue.wait_event = amp_priv_cpu_queue_wait_event,
        .event.wait = amp_priv_cpu_event_wait,
        .event.done = amp_priv_cpu_event_done,
        .event.release = amp_priv_cpu_event_ignore,
    };
    return &table;
}

#endif /* AMP_BACKENDS_CPU_H */
