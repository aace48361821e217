/* SPDX-License-Identifier: MIT */
/*  amp/device/buffer.h - wrappers of the backends' operations on memory: opened, closed, transferred, copied */
#ifndef AMP_DEVICE_BUFFER_H
#define AMP_DEVICE_BUFFER_H

#include "command.h"

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

#endif /* AMP_DEVICE_BUFFER_H */
