/* SPDX-License-Identifier: MIT */
/*  amp/memory/host_memory.h - builds for the CPU backend alone: all data are in the host's memory

    What amp/memory/device_memory.h does where there are devices. */
#ifndef AMP_MEMORY_HOST_MEMORY_H
#define AMP_MEMORY_HOST_MEMORY_H

#include "source.h"

/* Of a source whose contents are not known in part (amp/memory/unknown.h). Each function may end it. */
typedef struct amp_priv_unknown_hook {
    bool in_parts; /* there is a directory of them; each file of a program has other functions */
    amp_status (*acquire)(amp_priv_source *source, const amp_priv_shape *shape, amp_priv_access_request want);
    amp_status (*overrule)(amp_priv_source *source, const amp_priv_shape *shape, amp_priv_access_request want);
    void (*end)(amp_priv_source *source);
} amp_priv_unknown_hook;

#define amp_priv_is_borrowed(source, number) ((void)(number), (source) == NULL)

static inline void amp_priv_source_lock(amp_priv_source *source)
{
    amp_priv_source_settle(source);
    amp_priv_lock(&source->lock);
}

/* Says what the host may do, and unlocks. */
AMP_PRIV_NOINLINE void amp_priv_source_unlock(amp_priv_source *source)
{
    const bool is_hidden = source->is_array && source->cpu_access == AMP_ACCESS_NONE;
    amp_priv_source_publish(source, is_hidden || source->unknown ? AMP_PRIV_HOST_ASKS : AMP_PRIV_HOST_WRITES);
    amp_priv_unlock(&source->lock);
}

/* The host gets access to a shape, with the source's lock held. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_host(amp_priv_source *source, const amp_priv_shape *shape,
                                                    amp_priv_access_request want)
{
    if (__builtin_expect(source->recorder != NULL, 0) && amp_priv_recording_here &&
        amp_priv_recording_here->copies->refuses_access(source))
        return amp_priv_failed();
    return __builtin_expect(source->unknown != NULL, 0) ? source->unknown->acquire(source, shape, want) : AMP_OK;
}

static inline amp_status amp_priv_acquire_here(amp_priv_source *source, const amp_priv_shape *shape,
                                               amp_priv_queue *queue, amp_priv_access_request want)
{
    (void)queue;
    return amp_priv_acquire_host(source, shape, want);
}

/* Whatever is in the user's memory counts, or nothing that is there. */
static inline amp_status amp_priv_overrule(amp_priv_source *source, const amp_priv_shape *shape,
                                           amp_priv_access_request want)
{
    return source->unknown ? source->unknown->overrule(source, shape, want) : AMP_OK;
}

static inline void amp_priv_contents_begin(amp_priv_source *source) { source->unknown = NULL; }

#define amp_priv_contents_none(source) (void)(source)
/* A new array is in the host's memory already. */
static inline bool amp_priv_array_contents(const amp_priv_source *source) { return source->base.data != NULL; }

/* The last owner is gone. */
static inline amp_status amp_priv_contents_end(amp_priv_source *source, bool *closed)
{
    *closed = true;
    if (source->unknown)
        source->unknown->end(source);
    return AMP_OK;
}

/* Bytes of the source are about to be read, or written, by way of a pointer. */
AMP_PRIV_COLD amp_status amp_priv_sync_bytes(amp_priv_source *source, size_t from, size_t to, bool writes)
{
    const amp_priv_shape bytes = {
        .data = source->base.data + from, .rank = 1, .element_size = to - from, .extent = { 1 }, .stride = { 1 }
    };
    if (!source->unknown)
        return AMP_OK;
    return source->unknown->acquire(source, &bytes, writes ? AMP_PRIV_READ_WRITE : AMP_PRIV_READ);
}

#endif /* AMP_MEMORY_HOST_MEMORY_H */
