/* SPDX-License-Identifier: MIT */
/*  amp/memory/copy_devices.h - copies where there are devices: from where the contents are, to where they are wanted

    Contents (search for the tag):
        >>steps  >>copy */
#ifndef AMP_MEMORY_COPY_DEVICES_H
#define AMP_MEMORY_COPY_DEVICES_H

#include "copy_operand.h"
#include "use_list.h"

/* Where the host memory begins that belongs to the first byte of a source's buffer, if `data` belongs to byte `at`. */
static inline void *amp_priv_host_base(const void *data, size_t at) { return (void *)((uintptr_t)data - at); }

/* // >>steps: parts of a copy whose contents are in one place. The sources' locks are held. */

/* From a source's buffer on a device to host memory, which belongs to the source `host_owner`, or (NULL) to none. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_read(const amp_priv_copy_operand *from, int device, void *base,
                                                const amp_priv_source *host_owner)
{
    amp_priv_replica *const replica = from->source->replica[device];
    amp_priv_queue *const queue = amp_priv_device_queue(replica->device);
    if (!queue || amp_priv_copy_refused(AMP_PRIV_COPY_HOST))
        return amp_priv_failed();
    const amp_status status = amp_priv_queue_wait(replica, queue, false);
    return status == AMP_OK ? amp_priv_move(from->source, replica, queue, &from->shape, base, host_owner, false)
                            : status;
}

/* Submits the copies of all rectangles from replica to replica of one device, and notes them; began: one at least. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_rects(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to,
                                                 int number, amp_priv_queue *queue, bool *began)
{
    amp_priv_replica *const a = from->source->replica[number], *const b = to->source->replica[number];
    amp_status status = AMP_OK;
    amp_priv_rect_walk r =
        amp_priv_rect_walk_begin(&from->shape, from->source->base.data, &to->shape, to->source->base.data);
    for (; r.more && status == AMP_OK; amp_priv_rect_walk_next(&r)) {
        /* Within one buffer, OpenCL wants equal pitches: else row by row. */
        const bool whole = a != b || (r.a.row_pitch == r.b.row_pitch && r.a.slice_pitch == r.b.slice_pitch);
        const size_t steps = whole ? 1 : r.a.rows * r.a.slices;
        for (size_t n = 0; n < steps && status == AMP_OK; n++) {
            amp_priv_rect from_rect = r.a, to_rect = r.b;
            if (!whole) {
                from_rect.offset = amp_priv_rect_row(&r.a, n);
                to_rect.offset = amp_priv_rect_row(&r.b, n);
                from_rect.rows = from_rect.slices = to_rect.rows = to_rect.slices = 1;
            }
            status = amp_priv_buffer_copy(queue, a->buffer, &from_rect, b->buffer, &to_rect);
            *began = *began || status == AMP_OK;
            if (status == AMP_OK && amp_priv_recording_here)
                amp_priv_recording_here->copies->enqueued(a->buffer, &from_rect, b->buffer, &to_rect);
        }
    }
    if (*began) {
        const uint64_t last = amp_priv_queue_next_sequence(queue);
        amp_priv_access_add(a, queue, last, false);
        amp_priv_access_add(b, queue, last, true);
    }
    return status;
}

/* Within a device, from buffer to buffer; the host does not wait. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_on_device(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to,
                                                     int number)
{
    amp_priv_device *const device = amp_priv_device_number(number);
    amp_priv_queue *queue = to->source->owner == number ? to->source->queue : NULL;
    if (!queue && from->source->owner == number)
        queue = from->source->queue;
    if (!queue)
        queue = amp_priv_device_queue(device);
    if (amp_priv_recording_here)
        queue = amp_priv_recording_here->copies->queue(device);
    if (!queue)
        return amp_priv_failed();
    amp_priv_replica *const a = amp_priv_replica_of(from->source, number), *const b =
                                                                               amp_priv_replica_of(to->source, number);
    if (!a || !b)
        return amp_priv_failed();
    amp_priv_region region;
    amp_status status = amp_priv_overwrite_begin(to->source, &to->shape, number, queue, &region);
    if (status == AMP_OK)
        status = amp_priv_queue_wait(a, queue, false);
    if (status == AMP_OK)
        status = amp_priv_queue_wait(b, queue, true);
    if (status == AMP_OK && device->shares_host)
        status = amp_priv_host_wait_sharing(from->source, false, number);
    if (status == AMP_OK && device->shares_host)
        status = amp_priv_host_wait_sharing(to->source, true, number);
    if (status == AMP_OK)
        status = amp_priv_access_reserve(a, queue);
    if (status == AMP_OK)
        status = amp_priv_access_reserve(b, queue);
    bool began = false;
    if (status == AMP_OK)
        status = amp_priv_copy_rects(from, to, number, queue, &began);
    if (status == AMP_OK)
        amp_priv_overwrite_end(to->source, &region, number);
    else if (began)
        amp_priv_invalidate(to->source, &to->shape, amp_priv_same_memory(to->source, number));
    if (amp_priv_recording_here)
        amp_priv_copy_noted(from, to, status);
    return status;
}

/* Host to view: one direct transfer if the destination is contiguous on a device with its own memory. Otherwise a copy
   in host memory, uploaded on its next use. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_put(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_priv_source *const source = to->source;
    if (amp_priv_copy_refused(from->source && source ? AMP_PRIV_COPY_BETWEEN : AMP_PRIV_COPY_HOST))
        return amp_priv_failed();
    if (source && source->owner != 0 && !amp_priv_device_number(source->owner)->shares_host &&
        amp_priv_shape_is_dense(&from->shape) && amp_priv_shape_is_dense(&to->shape)) {
        amp_priv_replica *const replica = amp_priv_replica_of(source, source->owner);
        if (!replica)
            return amp_priv_failed();
        amp_priv_region region;
        amp_status status = amp_priv_overwrite_begin(source, &to->shape, source->owner, source->queue, &region);
        if (status == AMP_OK)
            status = amp_priv_queue_wait(replica, source->queue, true);
        if (status != AMP_OK)
            return status;
        const size_t at = (size_t)(to->shape.data - source->base.data);
        status = amp_priv_move(source, replica, source->queue, &to->shape, amp_priv_host_base(from->shape.data, at),
                               from->source, true);
        if (status == AMP_OK)
            amp_priv_overwrite_end(source, &region, source->owner);
        else
            amp_priv_invalidate(source, &to->shape, amp_priv_bit(source->owner));
        return status;
    }
    amp_priv_recorder *const recorder = amp_priv_recording_here;
    amp_status status = AMP_OK;
    amp_priv_recording_here = NULL; /* the CPU backend copies: this is not an access of the host */
    if (source) {
        amp_priv_write_check_note(source, AMP_PRIV_WRITE);
        status = amp_priv_acquire_host(source, &to->shape, AMP_PRIV_WRITE);
    }
    amp_priv_recording_here = recorder;
    if (status == AMP_OK)
        amp_priv_copy_host(&to->shape, &from->shape);
    if (amp_priv_recording_here)
        amp_priv_copy_noted(from, to, status);
    return status;
}

/* The source's part comes into memory of its own first: where it is on devices alone, must not go to the user's memory,
   and cannot go straight to where it is wanted. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_gather(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_priv_source *const source = from->source;
    const size_t size = source->base.element_size;
    const size_t first = (size_t)(from->shape.data - source->base.data) / size * size;
    const size_t end = ((size_t)(from->shape.data - source->base.data) +
                        amp_priv_shape_span(&from->shape) * from->shape.element_size + size - 1) /
                       size * size;
    char *const memory = malloc(end - first);
    if (!memory)
        return amp_priv_report(AMP_OUT_OF_MEMORY,
                               "amp_copy: no memory on the host for %zu temporary bytes; copy smaller sections",
                               end - first);
    char *const base = amp_priv_host_base(memory, first);
    amp_priv_region region;
    amp_priv_region_of(&source->base, &from->shape, &region);
    amp_status status = AMP_OK;
    for (int b = 0; b < region.count; b++)
        for (int i = 0; i < source->directory.count && status == AMP_OK; i++) {
            const amp_priv_block *const block = &source->directory.blocks[i];
            amp_priv_box common;
            if (!amp_priv_box_meet(&block->box, &region.boxes[b], source->directory.rank, &common))
                continue;
            const amp_priv_copy_operand step = { source, amp_priv_shape_of_box(&source->base, &common) };
            const int cheapest = amp_priv_cheapest_replica(block->valid_in);
            if (cheapest < 0) {
                status = amp_priv_unknown_contents(source);
                continue;
            }
            if (cheapest != 0 && !amp_priv_device_number(cheapest)->shares_host) {
                status = amp_priv_copy_read(&step, cheapest, base, NULL);
                continue;
            }
            if (cheapest != 0)
                status = amp_priv_download(source, &common, cheapest); /* no copy: it waits, and hands over */
            amp_priv_shape there = step.shape;
            there.data = (char *)((uintptr_t)base + (size_t)(step.shape.data - source->base.data));
            if (status == AMP_OK)
                amp_priv_copy_host(&there, &step.shape);
        }
    if (status == AMP_OK) {
        amp_priv_copy_operand gathered = { NULL, from->shape };
        gathered.shape.data = (char *)((uintptr_t)base + (size_t)(from->shape.data - source->base.data));
        status = amp_priv_copy_put(&gathered, to);
    }
    free(memory);
    return status;
}

/* One transfer from a device, straight to the host memory where it is wanted. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_to_host(const amp_priv_copy_operand *from, int device,
                                                   const amp_priv_copy_operand *to)
{
    void *const base = amp_priv_host_base(to->shape.data, (size_t)(from->shape.data - from->source->base.data));
    if (!to->source)
        return amp_priv_copy_read(from, device, base, NULL);
    amp_priv_region region;
    amp_status status = amp_priv_host_wait_sharing(to->source, true, 0);
    if (status == AMP_OK)
        status = amp_priv_overwrite_begin(to->source, &to->shape, 0, NULL, &region);
    if (status != AMP_OK)
        return status;
    status = amp_priv_copy_read(from, device, base, to->source);
    if (status == AMP_OK)
        amp_priv_overwrite_end(to->source, &region, 0);
    else
        amp_priv_invalidate(to->source, &to->shape, amp_priv_same_memory(to->source, 0));
    return status;
}

/* The device on which a step runs: where the destination lives, or has a buffer while the host holds nothing newer;
   0: none. */
static inline int amp_priv_copy_device(const amp_priv_source *to, uint32_t valid_in)
{
    if (to->owner != 0 && (valid_in >> to->owner & 1u))
        return to->owner;
    for (int n = 1; !(valid_in & 1u) && valid_in >> n; n++)
        if ((valid_in >> n & 1u) && to->replica[n])
            return n;
    return 0;
}

/* From a device to the destination's own, which it reaches. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_copy_across(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to, int peer)
{
    amp_priv_source *const source = to->source;
    amp_priv_replica *const a = from->source->replica[peer], *const b = amp_priv_replica_of(source, source->owner);
    amp_priv_region region;
    if (!amp_priv_across_begin(a, b, source->queue) ||
        amp_priv_overwrite_begin(source, &to->shape, source->owner, source->queue, &region) != AMP_OK)
        return false;
    if (!amp_priv_move_across(from->source, a, &from->shape, source, b, &to->shape, source->queue))
        return false;
    amp_priv_overwrite_end(source, &region, source->owner);
    return true;
}

/* A step that the memories in `valid_in` hold. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_step(const amp_priv_copy_operand *from, uint32_t valid_in,
                                                const amp_priv_copy_operand *to)
{
    amp_priv_source *const source = from->source;
    if (!valid_in)
        return amp_priv_unknown_contents(source);
    const int device = to->source ? amp_priv_copy_device(to->source, valid_in) : 0;
    if (device != 0)
        return amp_priv_copy_on_device(from, to, device);
    if (!(valid_in & 1u)) {
        const int peer = to->source && !amp_priv_recording_here ? amp_priv_peer_of(valid_in, to->source->owner) : 0;
        if (peer != 0 && amp_priv_copy_across(from, to, peer))
            return AMP_OK;
        const int cheapest = amp_priv_cheapest_replica(valid_in);
        const bool shares = amp_priv_device_number(cheapest)->shares_host;
        if (!shares && (!to->source || amp_priv_is_host(to->source->owner)) && amp_priv_shape_is_dense(&from->shape) &&
            amp_priv_shape_is_dense(&to->shape))
            return amp_priv_copy_to_host(from, cheapest, to);
        if (!shares && !source->owns_host)
            return amp_priv_copy_gather(from, to);
        const amp_status status = amp_priv_acquire_host(source, &from->shape, AMP_PRIV_READ);
        if (status != AMP_OK)
            return status;
    }
    return amp_priv_copy_put(from, to);
}

/* // >>copy */

/* The part of an operand that belongs to `part`, a box of what `from` reads, whose whole is `box`. */
AMP_PRIV_NOINLINE amp_priv_copy_operand amp_priv_copy_operand_part(const amp_priv_copy_operand *whole,
                                                                   const amp_priv_copy_operand *from,
                                                                   const amp_priv_box *box, const amp_priv_box *part)
{
    amp_priv_copy_operand result = *whole;
    const int lead = from->source->directory.rank - whole->shape.rank;
    amp_priv_offset at = 0;
    for (int d = 0; d < whole->shape.rank; d++) {
        at += (part->lo[d + lead] - box->lo[d + lead]) * whole->shape.stride[d];
        result.shape.extent[d] = part->hi[d + lead] - part->lo[d + lead];
    }
    result.shape.data += at * (amp_priv_offset)whole->shape.element_size;
    return result;
}

/* The memories that hold all blocks of a region. */
static inline uint32_t amp_priv_region_valid_in(const amp_priv_directory *directory, const amp_priv_region *region)
{
    uint32_t valid_in = ~UINT32_C(0);
    amp_priv_box common;
    for (int b = 0; b < region->count; b++)
        for (int i = 0; i < directory->count; i++)
            if (amp_priv_box_meet(&directory->blocks[i].box, &region->boxes[b], directory->rank, &common))
                valid_in &= directory->blocks[i].valid_in;
    return valid_in;
}

/* Carries out a copy that was checked. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_locked(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_priv_source *const source = from->source;
    if (!source)
        return amp_priv_copy_put(from, to);
    const amp_priv_directory *const directory = &source->directory;
    if (directory->valid_in_all)
        return amp_priv_copy_step(from, directory->valid_in_all, to);
    amp_priv_box box;
    if (!amp_priv_box_of(&source->base, &from->shape, &box)) {
        /* Another shape: as a whole from a memory that has all of it, else gathered. */
        amp_priv_region region;
        amp_priv_region_of(&source->base, &from->shape, &region);
        uint32_t valid_in = amp_priv_region_valid_in(directory, &region);
        if (!valid_in && source->owns_host) {
            const amp_status status = amp_priv_acquire_host(source, &from->shape, AMP_PRIV_READ);
            if (status != AMP_OK)
                return status;
            valid_in = 1u;
        }
        return valid_in ? amp_priv_copy_step(from, valid_in, to) : amp_priv_copy_gather(from, to);
    }
    /* The blocks may change while steps are copied, so they are noted first; what they hold stays true. */
    int count = 0;
    amp_priv_block *const steps = malloc((size_t)directory->count * sizeof *steps);
    if (!steps)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "amp_copy: no memory on the host");
    for (int i = 0; i < directory->count; i++) {
        steps[count].valid_in = directory->blocks[i].valid_in;
        if (amp_priv_box_meet(&directory->blocks[i].box, &box, directory->rank, &steps[count].box))
            count++;
    }
    amp_status status = AMP_OK;
    int done = 0;
    for (; done < count && status == AMP_OK; done++) {
        const amp_priv_copy_operand a = amp_priv_copy_operand_part(from, from, &box, &steps[done].box),
                                    b = amp_priv_copy_operand_part(to, from, &box, &steps[done].box);
        status = amp_priv_copy_step(&a, steps[done].valid_in, &b);
    }
    /* Half a copy is none: what was written before a step failed is neither the old nor the new. */
    for (int i = 0; status != AMP_OK && to->source && i < done - 1; i++) {
        const amp_priv_copy_operand b = amp_priv_copy_operand_part(to, from, &box, &steps[i].box);
        amp_priv_invalidate(to->source, &b.shape, ~UINT32_C(0));
    }
    free(steps);
    return status;
}

/* The same, with the sources locked meanwhile. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_sources(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_priv_use_list uses;
    amp_priv_uses_begin(&uses);
    if (from->source)
        amp_priv_uses_add(&uses, from->source, false);
    if (to->source)
        amp_priv_uses_add(&uses, to->source, true);
    amp_priv_uses_lock(&uses);
    amp_priv_uses_trim(&uses);
    const amp_status status = amp_priv_copy_locked(from, to);
    amp_priv_uses_unlock(&uses);
    return status;
}

#endif /* AMP_MEMORY_COPY_DEVICES_H */
