/* SPDX-License-Identifier: MIT */
/*  amp/memory/acquire.h - makes a region current in the memory that needs it */
#ifndef AMP_MEMORY_ACQUIRE_H
#define AMP_MEMORY_ACQUIRE_H

#include "../base/backend_list.h"
#if AMP_PRIV_HAS_OTHERS
#include "transfer.h"
#else
#include "unknown.h"
#endif

/* // >>acquire */

/* Divides the directory for a request that is granted later, when nothing can fail any more. Nothing else changes. */
AMP_PRIV_WARM amp_status amp_priv_region_reserve(amp_priv_source *source, const amp_priv_region *region, int memory,
                                                 amp_priv_access_request want)
{
    if (amp_priv_directory_split(amp_priv_directory_of(source), region->boxes, region->count, memory, want))
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
        pieces = amp_priv_directory_grant(amp_priv_directory_of(source), &region->boxes[b], memory, want) || pieces;
    return pieces;
}

/* Makes one of pieces that are in one state. A merge comes afterwards. */
AMP_PRIV_COLD void amp_priv_region_unify(amp_priv_source *source, const amp_priv_region *region)
{
    for (int b = 0; b < region->count; b++)
        amp_priv_directory_unify(amp_priv_directory_of(source), &region->boxes[b]);
}

/* Puts together again what is in one state. */
AMP_PRIV_WARM void amp_priv_region_merge(amp_priv_source *source, const amp_priv_region *region, bool pieces)
{
    if (pieces)
        amp_priv_region_unify(source, region);
    amp_priv_directory_merge(amp_priv_directory_of(source));
}

/* Copies what a memory needs of a box into it, block by block, and grants it. The directory was split for it. Sets
   *pieces where the box is in several blocks. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_box(amp_priv_source *source, const amp_priv_box *box, int memory,
                                                   amp_priv_queue *queue, amp_priv_access_request want, bool *pieces)
{
    amp_priv_box common;
    for (int i = 0; i < amp_priv_directory_of(source)->count; i++) {
        if (!amp_priv_directory_concerns(amp_priv_directory_of(source), i, box, memory, want, &common))
            continue;
        amp_priv_block *const block = &amp_priv_directory_of(source)->blocks[i];
        if (amp_priv_block_needs_copy(block, memory, want)) {
            const amp_status status = amp_priv_block_is_unknown(block) ? amp_priv_unknown_contents(source)
                                                                       : amp_priv_fetch(source, block, memory, queue);
            if (status != AMP_OK)
                return status;
        }
        amp_priv_block_grant(block, memory, want);
        *pieces = *pieces || amp_priv_box_slabs(box, &common, amp_priv_directory_of(source)->rank) > 0;
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
    region->count = amp_priv_interval_boxes(source->base.rank, source->base.extent, first / source->base.element_size,
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
    amp_priv_directory_merge(amp_priv_directory_of(source));
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

/* Whatever the host's memory has of a shape counts (WRITE), or nothing of it (DISCARD). Gaps are as before. */
AMP_PRIV_COLD amp_status amp_priv_overrule_shape(amp_priv_source *source, const amp_priv_shape *shape,
                                                 amp_priv_access_request want)
{
    amp_priv_region region;
    amp_priv_region_of(&source->base, shape, &region);
    return region.covers ? amp_priv_acquire_region(source, &region, AMP_PRIV_HOST, NULL, want)
                         : amp_priv_acquire_rows(source, shape, AMP_PRIV_HOST, want);
}

/* The same as amp_priv_acquire_shape; nearly free when the memory has what it wants everywhere. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                               amp_priv_queue *queue, amp_priv_access_request want)
{
    const amp_priv_directory *const directory = amp_priv_directory_of(source);
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

/* What these memories hold of a region is not known any more. */
AMP_PRIV_COLD void amp_priv_invalidate_region(amp_priv_source *source, const amp_priv_region *region, uint32_t memories)
{
    for (int b = 0; b < region->count && amp_priv_directory_begin(source); b++)
        amp_priv_directory_invalidate(amp_priv_directory_of(source), &region->boxes[b], memories);
}

/* The same of a shape, because something that writes it failed half-way. */
AMP_PRIV_COLD void amp_priv_invalidate(amp_priv_source *source, const amp_priv_shape *shape, uint32_t memories)
{
    amp_priv_region region;
    amp_priv_write_check_note(source, AMP_PRIV_WRITE);
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, source->base.data, shape, source->base.data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t n = 0; n < r.a.rows * r.a.slices; n++) {
            amp_priv_region_of_row(source, &r.a, n, &region);
            amp_priv_invalidate_region(source, &region, memories);
        }
}

#endif /* AMP_MEMORY_ACQUIRE_H */
