/* SPDX-License-Identifier: MIT */
/*  amp/memory/transfer.h - transfers between the memories of a source

    Contents (search for the tag):
        >>transfer  >>move */
#ifndef AMP_MEMORY_TRANSFER_H
#define AMP_MEMORY_TRANSFER_H

#include "staging.h"

/* // >>transfer: with the source's lock held. */

/* Makes a buffer the source's replica on a device; NULL after reporting. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_replica_add(amp_priv_source *source, int number, void *buffer)
{
    amp_priv_device *const device = amp_priv_device_number(number);
    amp_priv_replica *const replica = calloc(1, sizeof *replica);
    if (!replica) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "no memory on the host for a buffer of %s", device->path);
        return NULL;
    }
    replica->device = device;
    replica->buffer = buffer;
    replica->bytes = source->bytes;
    replica->accesses = replica->inline_accesses;
    replica->access_capacity = AMP_PRIV_INLINE_ACCESSES;
    source->replica[number] = replica;
    source->replicas |= amp_priv_bit(number);
    return replica;
}

/* A larger buffer takes the place of the replica's, with what that has. False after reporting. */
AMP_PRIV_COLD bool amp_priv_replica_widen(amp_priv_source *source, amp_priv_replica *replica, size_t first, size_t end)
{
    amp_priv_device *const device = replica->device;
    amp_priv_queue *const queue = amp_priv_device_queue(device);
    const amp_priv_rect from = { 0, replica->bytes, 1, 0, 1, 0 },
                        to = { replica->first - first, replica->bytes, 1, 0, 1, 0 };
    void *buffer = NULL;
    if (!queue || amp_priv_host_wait(replica, true) != AMP_OK ||
        amp_priv_buffer_open(device, end - first, source->base.data + first, &buffer) != AMP_OK)
        return false;
    if (amp_priv_buffer_copy(queue, replica->buffer, &from, buffer, &to) != AMP_OK ||
        amp_priv_queue_finish(queue) != AMP_OK) {
        amp_priv_buffer_close(device, buffer);
        return false;
    }
    amp_priv_buffer_close(device, replica->buffer);
    replica->buffer = buffer;
    replica->first = first;
    replica->bytes = end - first;
    replica->changes++;
    return true;
}

/* The source's replica on a device, with its bytes from first to end - 1 at least; opened at first use. NULL after
   reporting. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_replica_open(amp_priv_source *source, int number, size_t first, size_t end)
{
    amp_priv_device *const device = amp_priv_device_number(number);
    amp_priv_replica *replica = source->replica[number];
    void *buffer = NULL;
    if (replica) {
        first = replica->first < first ? replica->first : first;
        end = replica->first + replica->bytes > end ? replica->first + replica->bytes : end;
        return amp_priv_replica_widen(source, replica, first, end) ? replica : NULL;
    }
    if (amp_priv_buffer_open(device, end - first, source->base.data + first, &buffer) != AMP_OK)
        return NULL;
    replica = amp_priv_replica_add(source, number, buffer);
    if (replica) {
        replica->first = first;
        replica->bytes = end - first;
    } else {
        amp_priv_buffer_close(device, buffer);
    }
    return replica;
}

/* The same with all of the source. */
AMP_PRIV_WARM_PART amp_priv_replica *amp_priv_replica_of(amp_priv_source *source, int number)
{
    amp_priv_replica *const replica = source->replica[number];
    return __builtin_expect(replica && replica->bytes == source->bytes, 1)
               ? replica
               : amp_priv_replica_open(source, number, 0, source->bytes);
}

/* With the bytes of a shape, whatever else it has. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_replica_with(amp_priv_source *source, int number, const amp_priv_shape *shape)
{
    amp_priv_replica *const replica = source->replica[number];
    const size_t first = (size_t)(shape->data - source->base.data),
                 end = first + amp_priv_shape_span(shape) * shape->element_size;
    return replica && replica->first <= first && end <= replica->first + replica->bytes
               ? replica
               : amp_priv_replica_of(source, number);
}

/* // >>move */

/* A transfer between a buffer and host memory, of which parts may be registered. What is not goes by way of a stage
   (NULL: it does not). */
typedef struct amp_priv_transfer {
    amp_priv_queue *queue;
    void *buffer, *host;
    bool to_device;
    bool has_pins; /* parts are registered: they move apart */
    amp_priv_stage *stage;
} amp_priv_transfer;

/* Cuts a rectangle in two, between slices or rows, else behind some bytes of its row. */
AMP_PRIV_COLD void amp_priv_rect_cut(const amp_priv_rect *rect, size_t bytes, amp_priv_rect *a, amp_priv_rect *b)
{
    *a = *b = *rect;
    if (rect->slices > 1) {
        a->slices = rect->slices / 2;
        b->slices = rect->slices - a->slices;
        b->offset += a->slices * rect->slice_pitch;
    } else if (rect->rows > 1) {
        a->rows = rect->rows / 2;
        b->rows = rect->rows - a->rows;
        b->offset += a->rows * rect->row_pitch;
    } else {
        a->row_bytes = bytes;
        b->row_bytes = rect->row_bytes - bytes;
        b->offset += bytes;
    }
}

/* Moves a rectangle, cut where registered chunks begin and end. */
AMP_PRIV_COLD amp_status amp_priv_move_rect(const amp_priv_transfer *t, const amp_priv_rect *rect)
{
    const size_t bytes = (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch + rect->row_bytes;
    const uintptr_t first = (uintptr_t)t->host + rect->offset;
    uintptr_t until = UINTPTR_MAX;
    const bool is_pinned = t->has_pins && amp_priv_pinned_until(t->queue->device, first, &until);
    if (bytes > until - first) {
        amp_priv_rect a, b;
        amp_priv_rect_cut(rect, until - first, &a, &b);
        const amp_status status = amp_priv_move_rect(t, &a);
        return status == AMP_OK ? amp_priv_move_rect(t, &b) : status;
    }
    return !is_pinned && t->stage && amp_priv_stage_takes(t->stage, rect)
               ? amp_priv_stage_transfer(t->stage, t->queue, t->buffer, t->host, rect, t->to_device)
               : amp_priv_buffer_transfer(t->queue, t->buffer, t->host, rect, t->to_device);
}

/* How host memory moves, of the source itself or of another owner (NULL: of none): as it is registered, or by way of a
   stage. Else it is registered now, what is not the source's in `other`, for this transfer alone. */
AMP_PRIV_COLD void amp_priv_move_prepare(amp_priv_transfer *t, amp_priv_source *source, amp_priv_replica *replica,
                                         const amp_priv_shape *shape, const amp_priv_source *host_owner,
                                         amp_priv_pin *other)
{
    amp_priv_device *const device = replica->device;
    const bool is_own = host_owner == source;
    const size_t bytes = amp_priv_shape_bytes(shape), span = amp_priv_shape_span(shape) * shape->element_size;
    char *const moved =
        (char *)((uintptr_t)t->host + (size_t)(shape->data - source->base.data) - replica->first); /* from here on */
    other->count = 0;
    if (device->shares_host || !device->backend->device.pin)
        return;
    replica->moved += is_own ? bytes : 0;
    t->has_pins = host_owner && amp_priv_pin_of(host_owner, device);
    if (!t->has_pins && is_own && amp_priv_pin_pays(source, replica->moved)) {
        t->has_pins = true;
        amp_priv_pin_begin(&replica->pin, device, source->base.data, source->bytes);
    }
    const bool is_staged = amp_priv_is_staged(is_own ? source->bytes : bytes);
    if (t->has_pins || bytes < (is_staged ? AMP_PRIV_STAGE_LEAST : amp_priv_stage_piece()))
        return;
    const size_t pinned = amp_priv_pinned_bytes(device, moved, span); /* by other sources */
    t->has_pins = pinned > 0;
    if (pinned < span && is_staged)
        t->stage = amp_priv_stage_open(device);
    if (!t->has_pins && !t->stage && !is_own && t->to_device && bytes >= AMP_PRIV_PIN_IN_CHUNKS &&
        amp_priv_shape_is_dense(shape)) {
        t->has_pins = true;
        amp_priv_pin_begin(other, device, moved, bytes);
    }
}

/* Is that byte of the source in one of the shape's elements? */
static inline bool amp_priv_shape_has(const amp_priv_shape *shape, const char *data)
{
    amp_priv_offset rest = (data - shape->data) / (amp_priv_offset)shape->element_size;
    for (int d = 0; d < shape->rank; d++) {
        if (data < shape->data || shape->stride[d] <= 0 || rest / shape->stride[d] >= shape->extent[d])
            return false;
        rest %= shape->stride[d];
    }
    return true;
}

/* A shape has come from the replica to host memory: what is awaited may be in it. */
AMP_PRIV_COLD void amp_priv_deferred_read_look(amp_priv_source *source, const amp_priv_replica *replica,
                                               const amp_priv_shape *shape, const void *host)
{
    amp_priv_deferred_read *const awaited = source->awaited;
    const bool is_newest = awaited->changes == replica->changes;
    if (awaited->replica != replica || (is_newest && !amp_priv_shape_has(shape, awaited->data)))
        return;
    source->awaited = NULL;
    if (is_newest) {
        int value;
        memcpy(&value, (const char *)host + (awaited->data - source->base.data), sizeof value);
        const int before =
            amp_priv_error_mode; /* what fails in bringing it may be dropped, and tried again: not this */
        if (before == AMP_PRIV_ERRORS_DROPPED)
            amp_priv_error_mode = AMP_PRIV_ERRORS_DELIVERED;
        awaited->look(awaited, value);
        amp_priv_error_mode_end(before);
    }
    free(awaited);
}

/* A source was moved since `began`. */
AMP_PRIV_COLD void amp_priv_move_happened(const amp_priv_source *source, bool to_device, size_t bytes, uint64_t began)
{
    amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_MOVED,
                                             .began = began,
                                             .name = atomic_load_explicit(&source->name, memory_order_relaxed),
                                             .detail = atomic_load_explicit(&source->function, memory_order_relaxed),
                                             .to_device = to_device,
                                             .file = amp_priv_this_read.file,
                                             .line = amp_priv_this_read.line,
                                             .bytes = bytes });
}

/* Moves a shape between the replica and host memory, and waits for it. `host` is the address that belongs to the
   buffer's first byte, in the memory of `host_owner`: the source itself, or, for copies, another one or none (NULL). */
AMP_PRIV_COLD amp_status amp_priv_move(amp_priv_source *source, amp_priv_replica *replica, amp_priv_queue *queue,
                                       const amp_priv_shape *shape, void *host, const amp_priv_source *host_owner,
                                       bool to_device)
{
    amp_priv_device *const device = replica->device;
    const size_t bytes = amp_priv_shape_bytes(shape);
    uint64_t began = amp_priv_watch_begin();
    if (__builtin_expect(began != 0, 0)) {
        /* the kernels that it would wait for are no part of the transfer */
        const amp_status finished = amp_priv_queue_finish(queue);
        if (finished != AMP_OK)
            return finished;
        began = amp_priv_watch_begin();
    }
    amp_priv_pin other;
    char *const base = source->base.data + replica->first; /* where the buffer begins */
    void *const start = (void *)((uintptr_t)host + replica->first);
    amp_priv_transfer t = { queue, replica->buffer, start, to_device, false, NULL };
    amp_priv_move_prepare(&t, source, replica, shape, host_owner, &other);
    size_t transfers = 0;
    amp_status status = AMP_OK;
    amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, base, shape, base);
    replica->changes += to_device;
    for (; r.more && status == AMP_OK; amp_priv_rect_walk_next(&r)) {
        status = amp_priv_move_rect(&t, &r.a);
        transfers++;
    }
    amp_priv_pin_end(&other);
    amp_priv_stage_close(t.stage);
    /* What the transfer waited for has finished, and need not be waited for again. */
    for (int i = replica->access_count - 1; i >= 0 && !device->shares_host; i--)
        (void)amp_priv_access_done(replica, &replica->accesses[i]);
    if (status == AMP_OK && !to_device && source->awaited)
        amp_priv_deferred_read_look(source, replica, shape, host);
    if (status != AMP_OK || device->shares_host)
        return status;
    amp_priv_count(&source->counters, to_device, bytes, transfers);
    amp_priv_count(&amp_priv_total, to_device, bytes, transfers);
    if (__builtin_expect(began != 0, 0))
        amp_priv_move_happened(source, to_device, bytes, began);
    return AMP_OK;
}

/* Brings a box from the host's memory to a device's. queue: NULL is the device's own. */
AMP_PRIV_COLD amp_status amp_priv_upload(amp_priv_source *source, const amp_priv_box *box, int memory,
                                         amp_priv_queue *queue)
{
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    amp_priv_replica *const replica = amp_priv_replica_with(source, memory, &shape);
    if (!replica)
        return amp_priv_failed();
    if (!queue)
        queue = amp_priv_device_queue(replica->device);
    if (!queue)
        return amp_priv_failed();
    if (!replica->device->shares_host) {
        const amp_status status = amp_priv_queue_wait(replica, queue, true);
        if (status != AMP_OK)
            return status;
    }
    return amp_priv_move(source, replica, queue, &shape, source->base.data, source, true);
}

/* Waits for what writes the source on devices from which this one takes copies without the host: they were done before
   what is here, but only those who wait for them hear that they failed. */
AMP_PRIV_COLD amp_status amp_priv_peers_wait(amp_priv_source *source, const amp_priv_device *device)
{
    amp_status status = AMP_OK;
    for (int n = 1; source->replicas >> n && status == AMP_OK; n++) {
        amp_priv_replica *const other = source->replica[n];
        if (other && other->device != device && other->access_count > 0 &&
            amp_priv_device_reaches(other->device, device))
            status = amp_priv_host_wait(other, false);
    }
    return status;
}

/* Brings a box from a device's memory to the host's. */
AMP_PRIV_COLD amp_status amp_priv_download(amp_priv_source *source, const amp_priv_box *box, int memory)
{
    amp_priv_replica *const replica = source->replica[memory];
    amp_priv_queue *const queue = amp_priv_device_queue(replica->device);
    if (!queue)
        return amp_priv_failed();
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    amp_status status;
    if (replica->device->shares_host) {
        status = amp_priv_host_wait(replica, false);
    } else {
        status = amp_priv_queue_wait(replica, queue, false);
        if (status == AMP_OK)
            status = amp_priv_host_wait_sharing(source, true, 0);
    }
    if (status == AMP_OK)
        status = amp_priv_peers_wait(source, replica->device);
    if (status != AMP_OK)
        return status;
    amp_priv_write_check_home_begin(source);
    status = amp_priv_move(source, replica, queue, &shape, source->base.data, source, false);
    amp_priv_write_check_home_end(source);
    return status;
}

/* Of the memories in a mask, the one to read from: devices that share the host's memory cost nothing. */
AMP_PRIV_COLD int amp_priv_cheapest_replica(uint32_t valid_in)
{
    int cheapest = -1;
    for (int n = 0; valid_in >> n; n++) {
        if (!(valid_in >> n & 1u))
            continue;
        if (n == 0 || amp_priv_device_number(n)->shares_host)
            return n;
        if (cheapest < 0)
            cheapest = n;
    }
    return cheapest;
}

/* Of the memories in a mask, a device from which one can be reached without the host; 0: none. */
AMP_PRIV_COLD int amp_priv_peer_of(uint32_t valid_in, int memory)
{
    for (int n = 1; !amp_priv_is_host(memory) && valid_in >> n; n++)
        if ((valid_in >> n & 1u) && amp_priv_device_reaches(amp_priv_device_number(n), amp_priv_device_number(memory)))
            return n;
    return 0;
}

/* Makes ready to move something from a device's replica to another one, on its queue, which waits for kernels that
   write there, and to note that. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_across_begin(amp_priv_replica *from, amp_priv_replica *to, amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool ready = to && queue && amp_priv_queue_wait(from, queue, false) == AMP_OK &&
                       amp_priv_queue_wait(to, queue, true) == AMP_OK &&
                       amp_priv_access_reserve(from, queue) == AMP_OK && amp_priv_access_reserve(to, queue) == AMP_OK;
    amp_priv_error_mode_end(before);
    return ready;
}

/* Moves a shape of a source to another one's, from replica to replica on the other's queue, which it does not wait for.
   False: the host has to. */
AMP_PRIV_COLD bool amp_priv_move_across(amp_priv_source *a, amp_priv_replica *from, const amp_priv_shape *shape,
                                        const amp_priv_source *b, amp_priv_replica *to, const amp_priv_shape *there,
                                        amp_priv_queue *queue)
{
    size_t transfers = 0;
    bool moved = true;
    to->changes++;
    amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, a->base.data + from->first, there, b->base.data + to->first);
    for (; r.more && moved; amp_priv_rect_walk_next(&r)) {
        moved = amp_priv_buffer_copy_from(queue, from->device, from->buffer, &r.a, to->buffer, &r.b);
        transfers += moved;
    }
    if (transfers > 0) {
        const uint64_t last = amp_priv_queue_next_sequence(queue);
        amp_priv_access_add(from, queue, last, false);
        amp_priv_access_add(to, queue, last, true);
    }
    if (!moved)
        return false;
    amp_priv_count_across(&a->counters, amp_priv_shape_bytes(shape), transfers);
    amp_priv_count_across(&amp_priv_total, amp_priv_shape_bytes(shape), transfers);
    return true;
}

/* Brings a box from a device to another one that it reaches. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_bring_across(amp_priv_source *source, const amp_priv_box *box, int from, int memory,
                                         amp_priv_queue *queue)
{
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    amp_priv_replica *const a = source->replica[from], *const b = amp_priv_replica_with(source, memory, &shape);
    if (b && !queue)
        queue = amp_priv_device_queue(b->device);
    if (!amp_priv_across_begin(a, b, queue))
        return false;
    return amp_priv_move_across(source, a, &shape, source, b, &shape, queue);
}

/* Copies a block into a memory, from whichever has it: from a device that reaches it before the host, which need not
   wait then; from a device to one that it does not reach it goes through the host's, which then holds it as well. Does
   not grant it. */
AMP_PRIV_COLD amp_status amp_priv_fetch(amp_priv_source *source, amp_priv_block *block, int memory,
                                        amp_priv_queue *queue)
{
    const int peer = amp_priv_peer_of(block->valid_in, memory);
    if (peer != 0 && amp_priv_bring_across(source, &block->box, peer, memory, queue))
        return AMP_OK;
    if (!(block->valid_in & 1u)) {
        const amp_status status = amp_priv_download(source, &block->box, amp_priv_cheapest_replica(block->valid_in));
        if (status != AMP_OK)
            return status;
        if (memory != 0)
            amp_priv_block_grant(block, 0, AMP_PRIV_READ);
    }
    return amp_priv_is_host(memory) ? AMP_OK : amp_priv_upload(source, &block->box, memory, queue);
}

#endif /* AMP_MEMORY_TRANSFER_H */
