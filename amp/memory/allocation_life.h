/* SPDX-License-Identifier: MIT */
/*  amp/memory/allocation_life.h - makes and ends sources */
#ifndef AMP_MEMORY_ALLOCATION_LIFE_H
#define AMP_MEMORY_ALLOCATION_LIFE_H

#if defined(AMP_CHECKED)
#include "checked_memory.h"
#else
#define amp_priv_write_check_shared(source)       (void)0
#define amp_priv_memory_refuse(call, data, bytes) false
#endif
#include "aliases.h"

/* // >>life */

/* A record that may have been another source's. */
AMP_PRIV_WARM_PART void amp_priv_source_clear(amp_priv_source *source, bool is_new)
{
    if (is_new)
        amp_priv_mutex_init(&source->lock);
    else
        memset(&source->cached, 0, sizeof *source - offsetof(amp_priv_source, cached));
}

/* A new source of that shape; NULL after reporting, in the name of `call`. host: NULL reserves memory of our own.
   A source without elements reserves one all the same, which no view reaches: no buffer of size 0 has to be handled
   anywhere else. */
AMP_PRIV_WARM amp_priv_source *amp_priv_source_new(const char *call, void *host, size_t element_size, int rank,
                                                   const int *wanted)
{
    size_t size = element_size;
    int extent[AMP_MAX_RANK];
    const bool is_empty = amp_priv_extent_is_empty(rank, wanted);
    for (int d = 0; d < rank; d++) {
        extent[d] = is_empty ? 1 : wanted[d];
        if (size > (size_t)PTRDIFF_MAX / (size_t)extent[d]) {
            amp_priv_report(AMP_INVALID_ARGUMENT,
                            "%s: an extent of this size does not fit the address space; use a smaller one", call);
            return NULL;
        }
        size *= (size_t)extent[d];
    }
    if (amp_priv_memory_refuse(call, host, size))
        return NULL;
    amp_priv_devices_init();
    bool is_new;
    amp_priv_source *const source = (amp_priv_source *)amp_priv_handle_begin(sizeof *source, &is_new);
    const size_t align = size >= AMP_PRIV_PAGE ? AMP_PRIV_PAGE : 64;
    const bool owns = !host;
    if (source && owns)
        host = amp_priv_aligned_alloc(align, size);
    if (source)
        amp_priv_source_clear(source, is_new);
    if (!source || !host) {
        if (source)
            amp_priv_handle_end(&source->life);
        amp_priv_report(AMP_OUT_OF_MEMORY,
                        "%s: no memory on the host for %zu bytes; release arrays and views that are done with", call,
                        size);
        return NULL;
    }
    source->life.runtime = amp_priv_stamp;
    amp_priv_handle_made(&source->life, call);
    atomic_init(&source->references, 1);
    source->base = amp_priv_dense(host, element_size, rank, extent);
    source->owns_host = owns;
    source->bytes = size;
    amp_priv_contents_begin(source);
    if (!owns) {
        atomic_store_explicit(&source->life.end, (uintptr_t)host + size, memory_order_relaxed);
        atomic_store_explicit(&source->life.first, (uintptr_t)host, memory_order_release);
        amp_priv_write_check_shared(source);
    }
    amp_priv_write_check_unwritten(source, owns);
    return source;
}

/* When the last owner is gone: waits for what is in flight, writes pending changes back to the user's memory and gives
   everything back but what may still be in use. */
AMP_PRIV_WARM amp_status amp_priv_source_end(amp_priv_source *source)
{
    bool closed;
    amp_priv_lock(&source->lock);
    const amp_status status = amp_priv_contents_end(source, &closed);
    if (source->queue)
        amp_priv_queue_release(source->queue);
    if (source->associated)
        amp_priv_queue_release(source->associated);
    amp_priv_write_check_end(source);
    if (source->owns_host && closed)
        amp_priv_aligned_free(source->base.data);
    free(source->rank_rows);
    atomic_store_explicit(&source->life.first, 0, memory_order_relaxed);
    amp_priv_unlock(&source->lock);
    amp_priv_handle_end(&source->life);
    return status;
}

/* One owner less. */
static inline amp_status amp_priv_source_release(amp_priv_source *source)
{
    amp_priv_source_wait(source);
    if (atomic_fetch_sub_explicit(&source->references, 1, memory_order_acq_rel) != 1)
        return AMP_OK;
    return amp_priv_source_end(source);
}

#endif /* AMP_MEMORY_ALLOCATION_LIFE_H */
