/* SPDX-License-Identifier: MIT */
/*  amp/memory/aliases.h - copies by pointer: synchronizes views that use the same host memory */
#ifndef AMP_MEMORY_ALIASES_H
#define AMP_MEMORY_ALIASES_H

#include "../base/backend_list.h"
#if AMP_PRIV_HAS_OTHERS
#include "device_memory.h"
#else
#include "host_memory.h"
#endif

/* // >>under: host memory that a copy is given as a pointer, and that may lie under views. */

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
    const size_t bytes = source->bytes;
    const size_t from = first > base ? first - base : 0, to = end - base < bytes ? end - base : bytes;
    const amp_status status = amp_priv_sync_bytes(source, from, to, writes);
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
