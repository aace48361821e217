/* SPDX-License-Identifier: MIT */
/*  amp/memory/aliases.h - copies by pointer: synchronizes views that use the same host memory */
#ifndef AMP_MEMORY_ALIASES_H
#define AMP_MEMORY_ALIASES_H

#include "acquire.h"

/* // >>under: host memory that a copy is given as a pointer, and that may lie under views. */

/* Are the newest contents of a region elsewhere, or unknown? */
AMP_PRIV_COLD bool amp_priv_region_has_device_changes(const amp_priv_source *source, const amp_priv_region *region)
{
    const amp_priv_directory *const directory = &source->directory;
    amp_priv_box common;
    for (int b = 0; b < region->count; b++)
        for (int i = 0; i < directory->count; i++) {
            const amp_priv_block *const block = &directory->blocks[i];
            if (!block->discarded && !(block->valid_in & 1u) &&
                amp_priv_box_meet(&block->box, &region->boxes[b], directory->rank, &common))
                return true;
        }
    return false;
}

/* Host access through a raw pointer to memory that a source uses. Write: copies device changes to the host, then
   invalidates the device copies. Read: refused if device changes are pending, as the host may have overwritten them. */
AMP_PRIV_WARM amp_status amp_priv_sync_aliasing_source(amp_priv_source *source, uintptr_t first, uintptr_t end,
                                                       bool writes)
{
    amp_priv_source_settle(source);
    amp_priv_lock(&source->lock);
    if (!amp_priv_handle_overlaps(&source->life, first, end)) { /* it has ended */
        amp_priv_unlock(&source->lock);
        return AMP_OK;
    }
    const uintptr_t base = (uintptr_t)source->base.data;
    const size_t size = source->base.element_size, bytes = source->bytes;
    const size_t from = first > base ? first - base : 0, to = end - base < bytes ? end - base : bytes;
    amp_priv_region region;
    region.covers = true;
    region.count = amp_priv_interval_boxes(source->directory.rank, source->directory.extent, from / size,
                                           (to + size - 1) / size, region.boxes);
    amp_status status = AMP_OK;
    if (writes) {
        amp_priv_write_check_note(source, AMP_PRIV_WRITE);
        status = amp_priv_host_wait_sharing(source, true, 0);
        if (status == AMP_OK)
            status = amp_priv_acquire_region(source, &region, 0, NULL, AMP_PRIV_READ_WRITE);
    } else if (amp_priv_region_has_device_changes(source, &region)) {
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "a copy from host memory: the memory at %p belongs to a view whose newest contents "
                                 "are on a device; synchronize the view first, or refresh it if the memory was written "
                                 "directly",
                                 (void *)(base + from));
    }
    amp_priv_source_unlock(source);
    return status;
}

/* The same for all sources. They are locked one at a time, and no lock may be held. */
AMP_PRIV_WARM_PART amp_status amp_priv_sync_aliasing_views(const char *data, size_t bytes, bool writes)
{
    const uintptr_t first = (uintptr_t)data, end = first + bytes;
    if (!AMP_PRIV_HOST_CHECKED &&
        !atomic_load_explicit(&amp_priv_handle_table.has_device_changes, memory_order_relaxed))
        return AMP_OK;
    amp_status status = AMP_OK;
    for (amp_priv_handle_slot *life = amp_priv_handle_newest(first, end); life && status == AMP_OK;
         life = amp_priv_handle_next(life, first, end))
        status = amp_priv_sync_aliasing_source((amp_priv_source *)life, first, end, writes);
    return status;
}

#endif /* AMP_MEMORY_ALIASES_H */
