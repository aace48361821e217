/* SPDX-License-Identifier: MIT */
/*  amp/memory/acquire.h - makes a region current in the memory that needs it */
#ifndef AMP_MEMORY_ACQUIRE_H
#define AMP_MEMORY_ACQUIRE_H

#include "transfer.h"

/* // >>acquire */

/* Begins a directory anew that got too large: its owner gets everything. */
AMP_PRIV_COLD amp_status amp_priv_collapse_to_owner(amp_priv_source *source)
{
    if (source->directory.valid_in_any & AMP_PRIV_NOBODY)
        return AMP_OK; /* what is unknown stays so */
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        if (block->discarded || (block->valid_in & amp_priv_bit(source->owner)))
            continue;
        const amp_status status = amp_priv_fetch(source, block, source->owner, NULL);
        if (status != AMP_OK) {
            amp_priv_directory_merge(&source->directory); /* what was brought so far is there */
            return status;
        }
        amp_priv_block_grant(block, source->owner, AMP_PRIV_READ);
    }
    amp_priv_directory_reset(&source->directory, source->owner, false);
    return AMP_OK;
}

/* Divides the directory for a request that is granted later, when nothing can fail any more. Nothing else changes. */
AMP_PRIV_WARM amp_status amp_priv_region_reserve(amp_priv_source *source, const amp_priv_region *region, int memory,
                                                 amp_priv_access_request want)
{
    if (amp_priv_directory_split(&source->directory, region->boxes, region->count, memory, want))
        return AMP_OK;
    return amp_priv_report(AMP_OUT_OF_MEMORY, "no memory on the host to keep track of the parts of a view");
}

/* Grants what was reserved. Returns whether some of it is in pieces, which are to be unified. A merge comes
   afterwards. */
AMP_PRIV_WARM bool amp_priv_region_grant(amp_priv_source *source, const amp_priv_region *region, int memory,
                                         amp_priv_access_request want)
{
    bool pieces = false;
    for (int b = 0; b < region->count; b++)
        pieces = amp_priv_directory_grant(&source->directory, &region->boxes[b], memory, want) || pieces;
    return pieces;
}

/* Makes one of pieces that are in one state. A merge comes afterwards. */
AMP_PRIV_COLD void amp_priv_region_unify(amp_priv_source *source, const amp_priv_region *region)
{
    for (int b = 0; b < region->count; b++)
        amp_priv_directory_unify(&source->directory, &region->boxes[b]);
}

/* Puts together again what is in one state. */
AMP_PRIV_WARM void amp_priv_region_merge(amp_priv_source *source, const amp_priv_region *region, bool pieces)
{
    if (pieces)
        amp_priv_region_unify(source, region);
    amp_priv_directory_merge(&source->directory);
}

AMP_PRIV_COLD amp_status amp_priv_unknown_contents(const amp_priv_source *source)
{
    if (source->rank_rows)
        return amp_priv_report(
            AMP_RUNTIME_ERROR,
            "some rows of this view are in the memory of other ranks; use amp_mpi_own for the rows of this rank, or "
            "amp_mpi_gather before rank n uses all of them");
    return amp_priv_report(
        AMP_RUNTIME_ERROR,
        "the contents of a part of this view or array are unknown since a copy or launch on it failed "
        "half-way; copy to it again, discard it before a kernel overwrites it, or refresh the view");
}

/* Copies what a memory needs of a box into it, block by block, and grants it. The directory was split for it. Sets
   *pieces where the box is in several blocks. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_box(amp_priv_source *source, const amp_priv_box *box, int memory,
                                                   amp_priv_queue *queue, amp_priv_access_request want, bool *pieces)
{
    amp_priv_box common;
    for (int i = 0; i < source->directory.count; i++) {
        if (!amp_priv_directory_concerns(&source->directory, i, box, memory, want, &common))
            continue;
        amp_priv_block *const block = &source->directory.blocks[i];
        if (amp_priv_block_needs_copy(block, memory, want)) {
            const amp_status status = amp_priv_block_is_unknown(block) ? amp_priv_unknown_contents(source)
                                                                       : amp_priv_fetch(source, block, memory, queue);
            if (status != AMP_OK)
                return status;
        }
        amp_priv_block_grant(block, memory, want);
        *pieces = *pieces || amp_priv_box_slabs(box, &common, source->directory.rank) > 0;
    }
    return AMP_OK;
}

/* Splits directory blocks for the final access `granted`, but only acquires `want` now: copies in stale data. After a
   failure the data copied so far are valid, and everything else is unchanged. The caller merges afterwards.
   queue: performs the transfers to a device; NULL: the device's own. */
AMP_PRIV_WARM amp_status amp_priv_acquire_for(amp_priv_source *source, const amp_priv_region *region, int memory,
                                              amp_priv_queue *queue, amp_priv_access_request want,
                                              amp_priv_access_request granted, bool *pieces)
{
    amp_status status = amp_priv_region_reserve(source, region, memory, granted);
    for (int b = 0; b < region->count && status == AMP_OK; b++)
        status = amp_priv_acquire_box(source, &region->boxes[b], memory, queue, want, pieces);
    return status;
}

/* Grants a memory the access that it wants to a region, after copying in what that needs; the same status. */
AMP_PRIV_WARM amp_status amp_priv_acquire_region(amp_priv_source *source, const amp_priv_region *region, int memory,
                                                 amp_priv_queue *queue, amp_priv_access_request want)
{
    bool pieces = false;
    const amp_status status = amp_priv_acquire_for(source, region, memory, queue, want, want, &pieces);
    amp_priv_region_merge(source, region, pieces);
    return status;
}

/* The region of row n of a rectangle. */
AMP_PRIV_COLD void amp_priv_region_of_row(const amp_priv_source *source, const amp_priv_rect *rect, size_t n,
                                          amp_priv_region *region)
{
    const size_t first = amp_priv_rect_row(rect, n);
    region->covers = true;
    region->count =
        amp_priv_interval_boxes(source->directory.rank, source->directory.extent, first / source->base.element_size,
                                (first + rect->row_bytes) / source->base.element_size, region->boxes);
}

/* Divides the directory for each row of a shape, or grants them. */
AMP_PRIV_COLD amp_status amp_priv_rows_step(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                            amp_priv_access_request want, bool grant)
{
    amp_priv_region region;
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, source->base.data, shape, source->base.data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t n = 0; n < r.a.rows * r.a.slices; n++) {
            amp_priv_region_of_row(source, &r.a, n, &region);
            if (grant)
                amp_priv_region_grant(source, &region, memory, want);
            else if (amp_priv_region_reserve(source, &region, memory, want) != AMP_OK)
                return AMP_OUT_OF_MEMORY;
        }
    return AMP_OK;
}

/* Discard on a view with gaps: one row at a time, since its region holds elements that are not the view's. All rows
   are reserved before the first is granted. */
AMP_PRIV_COLD amp_status amp_priv_acquire_rows(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                               amp_priv_access_request want)
{
    if (amp_priv_rows_step(source, shape, memory, want, false) != AMP_OK)
        return AMP_OUT_OF_MEMORY;
    amp_priv_rows_step(source, shape, memory, want, true);
    amp_priv_directory_merge(&source->directory);
    return AMP_OK;
}

/* The same for a shape. Overwriting a view with gaps reads it, too: its region holds what is in the gaps. */
AMP_PRIV_WARM amp_status amp_priv_acquire_shape(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                                amp_priv_queue *queue, amp_priv_access_request want)
{
    amp_priv_region region;
    amp_priv_region_of(&source->base, shape, &region);
    if (!region.covers && want == AMP_PRIV_DISCARD)
        return amp_priv_acquire_rows(source, shape, memory, want);
    if (!region.covers && want == AMP_PRIV_WRITE)
        want = AMP_PRIV_READ_WRITE;
    return amp_priv_acquire_region(source, &region, memory, queue, want);
}

/* The same; nearly free when the memory has what it wants everywhere. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                               amp_priv_queue *queue, amp_priv_access_request want)
{
    const amp_priv_directory *const directory = &source->directory;
    const uint32_t bit = amp_priv_bit(memory);
    if (want == AMP_PRIV_READ && (directory->valid_in_all & bit))
        return AMP_OK;
    if (want != AMP_PRIV_DISCARD && amp_priv_directory_is_owned(directory, memory))
        return AMP_OK;
    return amp_priv_acquire_shape(source, shape, memory, queue, want);
}

/* Prepares a memory to overwrite a shape: brings what is in the gaps of its region there, and reserves the grant. */
AMP_PRIV_WARM amp_status amp_priv_overwrite_begin(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                                  amp_priv_queue *queue, amp_priv_region *region)
{
    amp_priv_region_of(&source->base, shape, region);
    if (!region->covers) {
        const amp_status status = amp_priv_acquire_region(source, region, memory, queue, AMP_PRIV_READ);
        if (status != AMP_OK)
            return status;
    }
    return amp_priv_region_reserve(source, region, memory, AMP_PRIV_WRITE);
}

/* It was overwritten: the memory owns it. */
AMP_PRIV_WARM_PART void amp_priv_overwrite_end(amp_priv_source *source, const amp_priv_region *region, int memory)
{
    amp_priv_write_check_note(source, AMP_PRIV_WRITE);
    amp_priv_region_merge(source, region, amp_priv_region_grant(source, region, memory, AMP_PRIV_WRITE));
}

/* What these memories hold of a shape is not known any more, because something that writes it failed half-way. */
AMP_PRIV_COLD void amp_priv_invalidate(amp_priv_source *source, const amp_priv_shape *shape, uint32_t memories)
{
    amp_priv_region region;
    amp_priv_write_check_note(source, AMP_PRIV_WRITE);
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, source->base.data, shape, source->base.data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t n = 0; n < r.a.rows * r.a.slices; n++) {
            amp_priv_region_of_row(source, &r.a, n, &region);
            for (int b = 0; b < region.count; b++)
                amp_priv_directory_invalidate(&source->directory, &region.boxes[b], memories);
        }
}

/* The memories that are the same bytes as `memory`: the host's, and those of devices that share it; or it alone. */
AMP_PRIV_COLD uint32_t amp_priv_same_memory(const amp_priv_source *source, int memory)
{
    if (memory != 0 && !amp_priv_device_number(memory)->shares_host)
        return amp_priv_bit(memory);
    uint32_t memories = 1u;
    for (int n = 1; source->replicas >> n; n++)
        if (source->replica[n] && source->replica[n]->device->shares_host)
            memories |= amp_priv_bit(n);
    return memories;
}

/* The host gets access to a shape, with the source's lock held. Where that is refused, the host may write there all the
   same, and refresh: it has waited for kernels there, or that is the error. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_host(amp_priv_source *source, const amp_priv_shape *shape,
                                                    amp_priv_access_request want)
{
    amp_status status = AMP_OK;
    if (__builtin_expect(source->recorder != NULL, 0) && amp_priv_recording_here &&
        amp_priv_recording_here->copies->refuses_access(source))
        status = amp_priv_failed();
    /* Nothing is brought for discarded blocks, but a kernel may be writing there. */
    else if (want != AMP_PRIV_READ || source->directory.discarded)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, 0);
    if (status == AMP_OK)
        status = amp_priv_acquire(source, shape, 0, NULL, want);
    if (__builtin_expect(status == AMP_OK, 1))
        return AMP_OK;
    const amp_status waited = amp_priv_host_wait_sharing(source, true, 0);
    return waited == AMP_OK ? status : waited;
}

/* A device gets access to a shape; what queue does next comes after what others do with it. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_device(amp_priv_source *source, const amp_priv_shape *shape,
                                                      amp_priv_queue *queue, amp_priv_access_request want)
{
    amp_priv_replica *const replica = amp_priv_replica_of(source, queue->device->number);
    if (!replica)
        return amp_priv_failed();
    if (want != AMP_PRIV_READ)
        amp_priv_write_check_note(source, want);
    amp_status status = amp_priv_acquire(source, shape, queue->device->number, queue, want);
    if (status == AMP_OK)
        status = amp_priv_queue_wait(replica, queue, want != AMP_PRIV_READ);
    if (status == AMP_OK && queue->device->shares_host)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, queue->device->number);
    return status;
}

#endif /* AMP_MEMORY_ACQUIRE_H */
