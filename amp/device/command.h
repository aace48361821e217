/* SPDX-License-Identifier: MIT */
/*  amp/device/command.h - wrappers of the backends' operations: they refuse removed devices, trace, and report */
#ifndef AMP_DEVICE_COMMAND_H
#define AMP_DEVICE_COMMAND_H

#include "device.h"

/* // >>command: the backends' operations, as everyone above has them: refused on a device that was removed, traced, and
   reported where they fail. */

/* A backend's event may be NULL, which is one that is done. A child made by fork asks nothing of a driver. */
static inline bool amp_priv_event_done(amp_priv_device *device, void *event)
{
    return !event || device->inherited_by_fork || device->backend->event.done(device, event);
}

static inline void amp_priv_event_release(amp_priv_device *device, void *event)
{
    if (event && !device->inherited_by_fork)
        device->backend->event.release(device, event);
}

/* Is the device there? A removed one is reported, as the error of `call`. */
static inline bool amp_priv_device_check_alive(const amp_priv_device *device, const char *call)
{
    if (__builtin_expect(!atomic_load_explicit(&device->removed, memory_order_acquire), 1))
        return true;
    amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED,
                    "%s: the accelerator %s (%s) was removed: %s; use another accelerator", call, device->path,
                    device->description, device->removed_reason);
    return false;
}

/* The status of a call to a backend, reported where it failed. */
static inline amp_status amp_priv_status_of(amp_priv_device *device, amp_priv_result result)
{
    return __builtin_expect(result.status == AMP_OK, 1) ? AMP_OK : amp_priv_backend_report(device, NULL, result);
}

/* What was submitted goes to the device, if it has not yet. */
static inline amp_priv_result amp_priv_queue_submit(amp_priv_queue *queue)
{
    const amp_priv_backend *const backend = queue->device->backend;
    return backend->queue.flush ? backend->queue.flush(queue) : amp_priv_done();
}

static inline amp_status amp_priv_queue_flush(amp_priv_queue *queue)
{
    if (!amp_priv_device_check_alive(queue->device, "flush"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, amp_priv_queue_submit(queue));
}

/* *event becomes done when what was submitted to the queue so far has finished. The caller releases it. A device that
   was removed and works in the host's memory may be doing so still: its queues are waited for. */
AMP_PRIV_COLD amp_status amp_priv_event_record(amp_priv_queue *queue, void **event)
{
    *event = NULL;
    if ((!queue->device->shares_host || queue->device->inherited_by_fork) &&
        !amp_priv_device_check_alive(queue->device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, queue->device->backend->event.record(queue, event));
}

/* What is submitted to queue from now on starts after event. */
AMP_PRIV_COLD amp_status amp_priv_queue_wait_event(amp_priv_queue *queue, void *event)
{
    if (!amp_priv_device_check_alive(queue->device, "launch"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return event ? amp_priv_status_of(queue->device, queue->device->backend->queue.wait_event(queue, event)) : AMP_OK;
}

/* A device that was taken out of use while a kernel ran, and that works in the host's memory, may still be writing
   there. That gets two seconds to end before the memory is given back: did it? */
AMP_PRIV_COLD bool amp_priv_event_drain(amp_priv_device *device, void *event)
{
    const uint64_t start = amp_priv_now(), limit = 2000000000;
    bool done = amp_priv_event_done(device, event);
    while (!done && amp_priv_now() - start < limit) {
        amp_priv_thread_yield();
        done = amp_priv_event_done(device, event);
    }
    return done;
}

/* A device was waited for, since `began`. */
AMP_PRIV_COLD void amp_priv_waited(const amp_priv_device *device, uint64_t began)
{
    amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_WAITED, .began = began, .device = device });
}

AMP_PRIV_COLD amp_status amp_priv_event_wait(amp_priv_device *device, void *event)
{
    if (__builtin_expect(atomic_load_explicit(&device->removed, memory_order_acquire), 0)) {
        if (device->shares_host && !device->inherited_by_fork && amp_priv_event_drain(device, event))
            return AMP_OK; /* what is to be read from it is refused later */
        amp_priv_device_check_alive(device, "wait");
        return AMP_ACCELERATOR_VIEW_REMOVED;
    }
    const uint64_t began = amp_priv_is_host(device->number) ? 0 : amp_priv_watch_begin();
    const amp_priv_result result = event ? device->backend->event.wait(device, event) : amp_priv_done();
    if (__builtin_expect(began != 0, 0))
        amp_priv_waited(device, began);
    return amp_priv_status_of(device, result);
}

/* Is a way taken that a device may have: AMP_TEXTURE_UNITS, AMP_SUBGROUPS? The variable says, else `usual`. */
AMP_PRIV_COLD bool amp_priv_option_enabled(const char *variable, bool usual)
{
    const char *const way = amp_priv_environment(variable);
    return way && way[0] ? strcmp(way, "0") != 0 : usual;
}

/* *buffer is new memory of the device, or, where it shares the host's, that at `host`. */
AMP_PRIV_COLD amp_status amp_priv_buffer_open(amp_priv_device *device, size_t bytes, void *host, void **buffer)
{
    *buffer = NULL;
    if (!amp_priv_device_check_alive(device, "buffer"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const amp_priv_result result = device->backend->buffer.open(device, bytes, host, buffer);
    if (result.status == AMP_OUT_OF_MEMORY && device->max_buffer && bytes > device->max_buffer)
        return amp_priv_report(AMP_OUT_OF_MEMORY,
                               "%zu bytes are more than %s has for one array (%zu); work on smaller sections", bytes,
                               device->path, device->max_buffer);
    if (amp_priv_is_watched() && result.status == AMP_OK && !(host && device->shares_host))
        amp_priv_happened(&(amp_priv_happening){
            .kind = AMP_PRIV_HAPPENED_BUFFER, .device = device, .buffer = *buffer, .bytes = bytes });
    return amp_priv_status_of(device, result);
}

AMP_PRIV_COLD void amp_priv_buffer_close(amp_priv_device *device, void *buffer)
{
    if (device->inherited_by_fork)
        return;
    if (amp_priv_is_watched())
        amp_priv_happened(
            &(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_BUFFER, .device = device, .buffer = buffer });
    device->backend->buffer.close(device, buffer);
    atomic_fetch_add(&device->closed_buffers, 1u);
}

/* A transfer or copy was enqueued between `began` and now; event is its own, NULL when there is none. */
AMP_PRIV_COLD void amp_priv_moved(const amp_priv_queue *queue, const char *name, const amp_priv_rect *rect,
                                  uint64_t began, void *event)
{
    if (event)
        amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_ENQUEUED,
                                                 .began = began,
                                                 .queue = queue,
                                                 .name = name,
                                                 .bytes = amp_priv_rect_bytes(rect),
                                                 .native = event });
}

/* Piece number n of a rectangle: at most `most` bytes from its first to its last, whole rows where they are shorter.
   False: there are no more. */
AMP_PRIV_COLD bool amp_priv_rect_piece(const amp_priv_rect *rect, size_t most, size_t n, amp_priv_rect *piece)
{
    const bool line = amp_priv_rect_is_line(rect);
    const size_t bytes = line ? amp_priv_rect_bytes(rect) : rect->row_bytes;
    const size_t rows = line ? 1 : rect->rows, slices = line ? 1 : rect->slices;
    const size_t parts = (bytes - 1) / most + 1;
    const size_t together = parts > 1 || rows == 1 ? 1 : (most - bytes) / rect->row_pitch + 1;
    const size_t of_slice = ((rows - 1) / together + 1) * parts;
    const size_t slice = n / of_slice, row = n % of_slice / parts * together, first = n % parts * most;
    if (slice >= slices)
        return false;
    *piece = (amp_priv_rect){ rect->offset + slice * rect->slice_pitch + row * rect->row_pitch + first,
                              bytes - first < most ? bytes - first : most,
                              rows - row < together ? rows - row : together,
                              rect->row_pitch,
                              1,
                              rect->slice_pitch };
    return true;
}

/* Moves a piece by way of other host memory. */
AMP_PRIV_COLD amp_priv_result amp_priv_transfer_piece(amp_priv_queue *queue, void *buffer, char *host, char *other,
                                                      const amp_priv_rect *piece, bool to_device)
{
    void *const begin = (void *)((uintptr_t)other - piece->offset);
    for (size_t row = 0; row < piece->rows && to_device; row++)
        memcpy(other + row * piece->row_pitch, host + amp_priv_rect_row(piece, row), piece->row_bytes);
    const amp_priv_result result =
        queue->device->backend->buffer.transfer(queue, buffer, begin, piece, to_device, NULL);
    for (size_t row = 0; row < piece->rows && !to_device && result.status == AMP_OK; row++)
        memcpy(host + amp_priv_rect_row(piece, row), other + row * piece->row_pitch, piece->row_bytes);
    return result;
}

/* A transfer that the driver does not take with this host memory, of which, say, a part is registered: by way of other
   memory. */
AMP_PRIV_COLD amp_priv_result amp_priv_transfer_around(amp_priv_queue *queue, void *buffer, char *host,
                                                       const amp_priv_rect *rect, bool to_device,
                                                       amp_priv_result result)
{
    enum { AMP_PRIV_AROUND = 1 << 18 };
    char *const other = malloc(AMP_PRIV_AROUND);
    amp_priv_rect piece;
    result.status = other ? AMP_OK : AMP_OUT_OF_MEMORY;
    for (size_t n = 0; result.status == AMP_OK && amp_priv_rect_piece(rect, AMP_PRIV_AROUND, n, &piece); n++)
        result = amp_priv_transfer_piece(queue, buffer, host, other, &piece, to_device);
    free(other);
    if (result.status == AMP_UNSUPPORTED_FEATURE)
        result.status = AMP_RUNTIME_ERROR;
    return result;
}

AMP_PRIV_COLD amp_status amp_priv_buffer_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                  const amp_priv_rect *rect, bool to_device)
{
    if (!amp_priv_device_check_alive(queue->device, to_device ? "copy to the device" : "copy from the device"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    void *event = NULL;
    const uint64_t began = amp_priv_watch_begin();
    amp_priv_result result =
        queue->device->backend->buffer.transfer(queue, buffer, host, rect, to_device, began ? &event : NULL);
    if (__builtin_expect(result.status == AMP_UNSUPPORTED_FEATURE, 0))
        result = amp_priv_transfer_around(queue, buffer, host, rect, to_device, result);
    if (__builtin_expect(began != 0, 0))
        amp_priv_moved(queue, to_device ? "to device" : "to host", rect, began, event);
    return amp_priv_status_of(queue->device, result);
}

static inline amp_status amp_priv_buffer_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect,
                                              void *to, const amp_priv_rect *to_rect)
{
    if (!amp_priv_device_check_alive(queue->device, "copy"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    void *event = NULL;
    const uint64_t began = amp_priv_watch_begin();
    const amp_priv_result result =
        queue->device->backend->buffer.copy(queue, from, from_rect, to, to_rect, began ? &event : NULL);
    if (__builtin_expect(began != 0, 0))
        amp_priv_moved(queue, "copy", from_rect, began, event);
    if (result.status == AMP_OK && queue->mode == AMP_QUEUING_IMMEDIATE)
        amp_priv_queue_submit(queue); /* the copy is submitted: a wait for it flushes again */
    return amp_priv_status_of(queue->device, result);
}

/* Can what one device has go to another without the host? */
AMP_PRIV_COLD bool amp_priv_device_reaches(const amp_priv_device *from, const amp_priv_device *to)
{
    return from != to && from->backend == to->backend && from->backend->buffer.copy_from && !from->shares_host &&
           !to->shares_host && !atomic_load(&from->removed) && !atomic_load(&to->removed);
}

/* From a buffer of a device that the queue's device can be reached from. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_buffer_copy_from(amp_priv_queue *queue, amp_priv_device *device, void *from,
                                             const amp_priv_rect *from_rect, void *to, const amp_priv_rect *to_rect)
{
    void *event = NULL;
    const uint64_t began = amp_priv_watch_begin();
    const amp_priv_result result =
        queue->device->backend->buffer.copy_from(queue, device, from, from_rect, to, to_rect, began ? &event : NULL);
    if (__builtin_expect(began != 0, 0))
        amp_priv_moved(queue, "copy from another device", from_rect, began, event);
    if (result.status != AMP_OK)
        amp_priv_log(AMP_PRIV_LOG_INFO, "%zu bytes go from %s to %s by way of the host: %s failed with %s (%d)",
                     amp_priv_rect_bytes(from_rect), device->path, queue->device->path, result.call,
                     amp_priv_code_name(device, result.code), result.code);
    return result.status == AMP_OK;
}

#endif /* AMP_DEVICE_COMMAND_H */
