/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_transfer.h - buffers, transfers and copies

    Where the host reaches the device's memory (integrated GPUs, CPUs) a transfer is a copy by the processor. Elsewhere
    it goes through two halves of a buffer that both reach: one is filled while the device copies the other.

    Contents (search for the tag):
        >>buffer  >>mapped  >>staged  >>copy */
#ifndef AMP_VULKAN_VULKAN_TRANSFER_H
#define AMP_VULKAN_VULKAN_TRANSFER_H

#include "vulkan_queue.h"

/* // >>buffer */

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_buffer_open(amp_priv_device *device, size_t bytes, void *host,
                                                          void **buffer)
{
    (void)host;
    amp_priv_result result = amp_priv_vulkan_open(device);
    amp_priv_vulkan_memory *const memory = malloc(sizeof *memory);
    if (result.status == AMP_OK)
        result = memory ? amp_priv_vulkan_memory_open(amp_priv_vulkan_of(device), bytes, false, memory)
                        : amp_priv_vulkan_no_memory("vkCreateBuffer");
    if (result.status != AMP_OK)
        free(memory);
    else
        *buffer = memory;
    return result;
}

AMP_PRIV_COLD void amp_priv_vulkan_buffer_close(amp_priv_device *device, void *buffer)
{
    amp_priv_vulkan_settle(device);
    amp_priv_vulkan_memory_close(amp_priv_vulkan_of(device), buffer);
    free(buffer);
}

/* // >>mapped */

AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_transfer_mapped(amp_priv_queue *queue, char *mapped, char *host,
                                                                   const amp_priv_rect *rect, bool to_device)
{
    const amp_priv_result result = amp_priv_vulkan_queue_finish(queue);
    if (result.status != AMP_OK)
        return result;
    const bool line = amp_priv_rect_is_line(rect);
    const size_t rows = line ? 1 : rect->rows * rect->slices,
                 bytes = line ? amp_priv_rect_bytes(rect) : rect->row_bytes;
    for (size_t n = 0; n < rows; n++) {
        const size_t at = amp_priv_rect_row(rect, n);
        memcpy(to_device ? mapped + at : host + at, to_device ? host + at : mapped + at, bytes);
    }
    return result;
}

/* // >>staged */

enum { AMP_PRIV_VULKAN_REGIONS = 128 };

/* Rows, or parts of them, that go through a half of the stage together. region.from: in the buffer and the host memory;
   region.to: in the stage. */
typedef struct amp_priv_vulkan_piece {
    amp_vk_copy region[AMP_PRIV_VULKAN_REGIONS];
    uint32_t count;
    uint64_t value; /* of the batch that copies it */
} amp_priv_vulkan_piece;

/* How far a transfer has come: row n, and bytes of it. */
typedef struct amp_priv_vulkan_cursor {
    const amp_priv_rect *rect;
    size_t rows, row_bytes, n, done;
} amp_priv_vulkan_cursor;

/* The next piece, from byte `at` of the stage on. False: there is none. */
AMP_PRIV_COLD bool amp_priv_vulkan_next_piece(amp_priv_vulkan_cursor *c, uint64_t at, amp_priv_vulkan_piece *piece)
{
    const uint64_t end = at + AMP_PRIV_VULKAN_STAGE / 2;
    piece->count = 0;
    while (c->n < c->rows && at < end && piece->count < AMP_PRIV_VULKAN_REGIONS) {
        const size_t left = c->row_bytes - c->done, bytes = left < end - at ? left : (size_t)(end - at);
        piece->region[piece->count++] = (amp_vk_copy){ amp_priv_rect_row(c->rect, c->n) + c->done, at, bytes };
        at += bytes;
        c->done += bytes;
        if (c->done == c->row_bytes) {
            c->done = 0;
            c->n++;
        }
    }
    return piece->count > 0;
}

AMP_PRIV_COLD void amp_priv_vulkan_copy_piece(const amp_priv_vulkan_piece *piece, char *stage, char *host,
                                              bool to_device)
{
    for (uint32_t i = 0; i < piece->count; i++) {
        const amp_vk_copy *const r = &piece->region[i];
        memcpy(to_device ? stage + r->to : host + r->from, to_device ? host + r->from : stage + r->to, (size_t)r->size);
    }
}

/* Hands the device's part of a piece over. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_submit_piece(amp_priv_vulkan_queue *q, amp_vk_object buffer,
                                                           amp_priv_vulkan_piece *piece, bool to_device)
{
    amp_vk_copy back[AMP_PRIV_VULKAN_REGIONS];
    amp_priv_vulkan_batch *batch;
    amp_priv_lock(&q->lock);
    amp_priv_result result = amp_priv_vulkan_batch_begin(q, &batch);
    if (result.status == AMP_OK) {
        for (uint32_t i = 0; i < piece->count && to_device; i++)
            back[i] = (amp_vk_copy){ piece->region[i].to, piece->region[i].from, piece->region[i].size };
        batch->for_host |= !to_device;
        if (to_device)
            amp_priv_vk.CmdCopyBuffer(batch->commands, q->stage.buffer, buffer, piece->count, back);
        else
            amp_priv_vk.CmdCopyBuffer(batch->commands, buffer, q->stage.buffer, piece->count, piece->region);
        result = amp_priv_vulkan_batch_submit(q);
        piece->value = q->submitted;
    }
    amp_priv_unlock(&q->lock);
    return result;
}

/* Waits for a piece; one that comes from the device is then copied to the host. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_finish_piece(amp_priv_vulkan_queue *q, amp_priv_vulkan_piece *piece,
                                                           char *host, bool to_device)
{
    if (piece->count == 0)
        return amp_priv_done();
    const int code = amp_priv_vulkan_wait_value(q, piece->value);
    if (code == AMP_VK_SUCCESS && !to_device)
        amp_priv_vulkan_copy_piece(piece, q->stage.mapped, host, false);
    piece->count = 0;
    return amp_priv_vulkan_result("vkWaitSemaphores", code);
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_transfer_staged(amp_priv_vulkan_queue *q, amp_vk_object buffer,
                                                              char *host, const amp_priv_rect *rect, bool to_device)
{
    const bool line = amp_priv_rect_is_line(rect);
    amp_priv_vulkan_cursor cursor = { rect, line ? 1 : rect->rows * rect->slices,
                                      line ? amp_priv_rect_bytes(rect) : rect->row_bytes, 0, 0 };
    amp_priv_vulkan_piece *const piece = calloc(2, sizeof *piece);
    if (!piece)
        return amp_priv_vulkan_no_memory("vkCmdCopyBuffer");
    amp_priv_result result = amp_priv_done();
    unsigned turn = 0;
    for (; result.status == AMP_OK; turn++) {
        amp_priv_vulkan_piece *const next = piece + turn % 2;
        result = amp_priv_vulkan_finish_piece(q, next, host, to_device);
        if (result.status != AMP_OK ||
            !amp_priv_vulkan_next_piece(&cursor, turn % 2 * (AMP_PRIV_VULKAN_STAGE / 2), next))
            break;
        if (to_device)
            amp_priv_vulkan_copy_piece(next, q->stage.mapped, host, true);
        result = amp_priv_vulkan_submit_piece(q, buffer, next, to_device);
        if (result.status != AMP_OK)
            next->count = 0;
    }
    for (unsigned i = 0; i < 2; i++) {
        const amp_priv_result last = amp_priv_vulkan_finish_piece(q, piece + (turn + i) % 2, host, to_device);
        if (result.status == AMP_OK)
            result = last;
    }
    free(piece);
    return result;
}

/* One transfer of a queue at a time: threads share the stage. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_buffer_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                                   const amp_priv_rect *rect, bool to_device,
                                                                   void **event)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    const amp_priv_vulkan_memory *const memory = buffer;
    if (event)
        *event = NULL;
    if (memory->mapped)
        return amp_priv_vulkan_transfer_mapped(queue, memory->mapped, host, rect, to_device);
    amp_priv_result result = amp_priv_done();
    amp_priv_lock(&q->stage_lock);
    if (!q->stage.mapped)
        result = amp_priv_vulkan_memory_open(q->device, AMP_PRIV_VULKAN_STAGE, true, &q->stage);
    if (result.status == AMP_OK)
        result = amp_priv_vulkan_transfer_staged(q, memory->buffer, host, rect, to_device);
    amp_priv_unlock(&q->stage_lock);
    return result;
}

/* // >>copy */

AMP_PRIV_COLD void amp_priv_vulkan_copy_rows(amp_vk_commands commands, const amp_priv_vulkan_memory *from,
                                             const amp_priv_rect *a, const amp_priv_vulkan_memory *to,
                                             const amp_priv_rect *b)
{
    amp_vk_copy region[AMP_PRIV_VULKAN_REGIONS];
    const bool line = amp_priv_rect_is_line(a) && amp_priv_rect_is_line(b);
    const size_t rows = line ? 1 : a->rows * a->slices, bytes = line ? amp_priv_rect_bytes(a) : a->row_bytes;
    uint32_t count = 0;
    for (size_t n = 0; n < rows; n++) {
        region[count++] = (amp_vk_copy){ amp_priv_rect_row(a, n), amp_priv_rect_row(b, n), bytes };
        if (count == AMP_PRIV_VULKAN_REGIONS || n + 1 == rows) {
            amp_priv_vk.CmdCopyBuffer(commands, from->buffer, to->buffer, count, region);
            count = 0;
        }
    }
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_buffer_copy(amp_priv_queue *queue, void *from,
                                                          const amp_priv_rect *from_rect, void *to,
                                                          const amp_priv_rect *to_rect, void **event)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    amp_priv_vulkan_batch *batch;
    amp_priv_lock(&q->lock);
    amp_priv_result result = amp_priv_vulkan_batch_begin(q, &batch);
    if (result.status == AMP_OK) {
        amp_priv_vulkan_copy_rows(batch->commands, from, from_rect, to, to_rect);
        if (event)
            result = amp_priv_vulkan_event_make(q, q->submitted + 1, event);
        const amp_priv_result ended = amp_priv_vulkan_batch_end(q);
        if (ended.status != AMP_OK)
            result = ended;
    }
    amp_priv_unlock(&q->lock);
    return result;
}

#endif /* AMP_VULKAN_VULKAN_TRANSFER_H */
