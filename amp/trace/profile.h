/* SPDX-License-Identifier: MIT */
/*  amp/trace/profile.h - AMP_PROFILE: the copy bandwidth of each device, and the captured views that each kernel
    reads and writes

    Contents (search for the tag):
        >>measure  >>kept  >>begin */
#ifndef AMP_TRACE_PROFILE_H
#define AMP_TRACE_PROFILE_H

#include "../launch/program_cache.h"
#include "../memory/launch_bytes.h"
#include "../memory/launch_memory.h"
#include "memory_use.h"

/* // >>measure: bytes read and written in a nanosecond, that is GB/s. The best of some copies; 0 where there is no
   memory for them. */

enum { AMP_PRIV_COPY_TIMES = 6, AMP_PRIV_COPY_MEGABYTES = 128, AMP_PRIV_COPY_MEGABYTES_GPU = 256 };

/* Copies host memory with all threads of the CPU backend; how long it took. */
AMP_PRIV_COLD uint64_t amp_priv_copy_time_host(char *to, const char *from, size_t bytes)
{
    const size_t piece = (size_t)1 << 20;
    const int pieces = (int)(bytes / piece);
    const uint64_t began = amp_priv_now();
#if AMP_PRIV_OPENMP
    AMP_PRIV_PRAGMA(omp parallel for schedule(static))
#endif
    for (int i = 0; i < pieces; i++)
        memcpy(to + (size_t)i * piece, from + (size_t)i * piece, piece);
    return amp_priv_now() - began;
}

AMP_PRIV_COLD double amp_priv_copy_rate_host(void)
{
    const size_t bytes = (size_t)AMP_PRIV_COPY_MEGABYTES << 20;
    char *const from = calloc(1, bytes), *const to = calloc(1, bytes);
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < AMP_PRIV_COPY_TIMES && from && to; i++) {
        const uint64_t time =
            i % 2 ? amp_priv_copy_time_host(from, to, bytes) : amp_priv_copy_time_host(to, from, bytes);
        best = time < best && i > 1 ? time : best; /* the first two write the memory for the first time */
    }
    free(from);
    free(to);
    return best == UINT64_MAX || best == 0 ? 0 : 2.0 * (double)bytes / (double)best;
}

/* Waits for the command of a queue that began then, and releases its event: how long it took, by the device's clock if
   that is known; 0: it failed. */
AMP_PRIV_COLD uint64_t amp_priv_command_time(amp_priv_queue *queue, void *event, uint64_t began)
{
    const amp_priv_backend *const backend = queue->device->backend;
    uint64_t times[3] = { 0, 0, 0 };
    const bool good = backend->queue.finish(queue).status == AMP_OK;
    const uint64_t waited = amp_priv_now() - began;
    const bool known = event && backend->event.times && backend->event.times(queue->device, event, times);
    amp_priv_event_release(queue->device, event);
    return !good ? 0 : known && times[2] > times[1] ? times[2] - times[1] : waited;
}

/* How long a copy between two buffers took; 0: it failed. */
AMP_PRIV_COLD uint64_t amp_priv_copy_time(amp_priv_queue *queue, void *from, void *to, size_t bytes)
{
    const amp_priv_rect all = { 0, bytes, 1, bytes, 1, bytes };
    void *event = NULL;
    const uint64_t began = amp_priv_now();
    if (queue->device->backend->buffer.copy(queue, from, &all, to, &all, &event).status != AMP_OK)
        return 0;
    return amp_priv_command_time(queue, event, began);
}

AMP_PRIV_COLD double amp_priv_copy_rate_device(amp_priv_queue *queue)
{
    amp_priv_device *const device = queue->device;
    size_t bytes = (size_t)(device->is_gpu ? AMP_PRIV_COPY_MEGABYTES_GPU : AMP_PRIV_COPY_MEGABYTES) << 20;
    const size_t most = device->dedicated_memory / 8 * 1024;
    bytes = most && bytes > most ? most : bytes;
    bytes = device->max_buffer && bytes > device->max_buffer ? device->max_buffer : bytes;
    void *buffer[2] = { NULL, NULL };
    uint64_t best = UINT64_MAX;
    bool good = bytes > 0;
    for (int i = 0; i < 2 && good; i++)
        good = device->backend->buffer.open(device, bytes, NULL, &buffer[i]).status == AMP_OK;
    for (int i = 0; i < AMP_PRIV_COPY_TIMES && good; i++) {
        const uint64_t time = amp_priv_copy_time(queue, buffer[i % 2], buffer[1 - i % 2], bytes);
        good = time > 0;
        best = good && i > 1 && time < best ? time : best;
    }
    for (int i = 0; i < 2; i++)
        if (buffer[i])
            device->backend->buffer.close(device, buffer[i]);
    return good && best != UINT64_MAX ? 2.0 * (double)bytes / (double)best : 0;
}

/* // >>kept: with the compiled kernels, for each device and number of threads. AMP_PROFILE=measure measures again. */

/* A rate of a device: what the disk keeps under that name, else what the function of its kind measures; -1: there is
   none. */
AMP_PRIV_COLD double amp_priv_rate_of(amp_priv_queue *queue, const char *name, double (*host)(void),
                                      double (*other)(amp_priv_queue *))
{
    const amp_priv_device *const device = queue->device;
    const bool is_host = amp_priv_is_host(device->number);
    char key[1024];
    const int n = snprintf(key, sizeof key, "%s | %s | %s | %s | %u", name, device->path, device->description,
                           is_host ? "" : device->identity, is_host ? (unsigned)amp_priv_cpu_team() : device->units);
    const size_t length = n > 0 && (size_t)n < sizeof key ? (size_t)n : sizeof key - 1;
    const char *const profile = amp_priv_environment("AMP_PROFILE");
    double rate = 0;
    if (!profile || strcmp(profile, "measure") != 0) {
        size_t got = 0;
        int trial = -1;
        unsigned char *const kept = amp_priv_cache_read(key, length, &got, &trial);
        if (kept && got == sizeof rate)
            memcpy(&rate, kept, sizeof rate);
        if (kept)
            amp_priv_cache_tried(trial, key, length, rate > 0);
        free(kept);
        if (rate > 0)
            return rate;
    }
    rate = is_host ? host() : other(queue);
    if (rate > 0)
        amp_priv_cache_write(key, length, &rate, sizeof rate);
    return rate > 0 ? rate : -1;
}

/* // >>begin */

AMP_PRIV_GLOBAL_MUTEX(amp_priv_profile_lock) /* for what follows */
AMP_PRIV_GLOBAL(uint64_t, amp_priv_profile_took)

/* Measures the device of a queue, the first time. */
AMP_PRIV_COLD void amp_priv_profile_device(amp_priv_queue *queue)
{
    if (queue->device->copy_rate != 0)
        return;
    const uint64_t began = amp_priv_now();
    queue->device->copy_rate =
        amp_priv_rate_of(queue, "copy rate 1", amp_priv_copy_rate_host, amp_priv_copy_rate_device);
    amp_priv_profile_took += amp_priv_now() - began;
}

/* The devices of a launch on that queue: a group uses the queues of the default views of several. */
AMP_PRIV_COLD void amp_priv_profile_each(amp_priv_queue *own, void (*measure)(amp_priv_queue *))
{
    measure(own);
    for (int n = 0; n < amp_priv_accelerators.count; n++) {
        amp_priv_queue *const queue = atomic_load_explicit(&amp_priv_accelerators.queue[n], memory_order_acquire);
        if (queue && !atomic_load_explicit(&queue->device->removed, memory_order_acquire))
            measure(queue);
    }
}

AMP_PRIV_COLD void amp_priv_profile_launch(const amp_priv_launch *launch)
{
    amp_priv_lock(&amp_priv_profile_lock);
    if (!launch->site->uses_known)
        amp_priv_memory_use_find(launch->site, launch->captured);
    amp_priv_profile_each(launch->queue, amp_priv_profile_device);
    amp_priv_unlock(&amp_priv_profile_lock);
}

#endif /* AMP_TRACE_PROFILE_H */
