/* SPDX-License-Identifier: MIT */
/*  amp/memory/unknown.h - builds for the CPU backend alone: sources whose contents are not known in part

    Modules that make contents unknown include amp/memory/acquire.h: algorithms that failed half-way, and ranks whose
    rows other ranks have written. */
#ifndef AMP_MEMORY_UNKNOWN_H
#define AMP_MEMORY_UNKNOWN_H

#include "coherence.h"
#include "host_memory.h"

typedef struct amp_priv_unknown_parts {
    amp_priv_unknown_hook hook;
    amp_priv_directory directory;
} amp_priv_unknown_parts;

#define amp_priv_directory_of(source) (&((amp_priv_unknown_parts *)(void *)(source)->unknown)->directory)

/* Only the host has blocks. */
static inline amp_status amp_priv_fetch(amp_priv_source *source, amp_priv_block *block, int memory,
                                        amp_priv_queue *queue)
{
    (void)source, (void)block, (void)memory, (void)queue;
    return AMP_OK;
}

static amp_status amp_priv_acquire_shape(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                         amp_priv_queue *queue, amp_priv_access_request want);
static amp_status amp_priv_overrule_shape(amp_priv_source *source, const amp_priv_shape *shape,
                                          amp_priv_access_request want);

AMP_PRIV_COLD void amp_priv_unknown_parts_end(amp_priv_source *source)
{
    amp_priv_directory_free(amp_priv_directory_of(source));
    free(source->unknown);
    source->unknown = NULL;
}

/* Ends it when all is known. */
AMP_PRIV_COLD amp_status amp_priv_unknown_parts_look(amp_priv_source *source, amp_status status)
{
    if (amp_priv_directory_is_owned(amp_priv_directory_of(source), AMP_PRIV_HOST))
        amp_priv_unknown_parts_end(source);
    return status;
}

AMP_PRIV_COLD amp_status amp_priv_unknown_parts_acquire(amp_priv_source *source, const amp_priv_shape *shape,
                                                        amp_priv_access_request want)
{
    return amp_priv_unknown_parts_look(source, amp_priv_acquire_shape(source, shape, AMP_PRIV_HOST, NULL, want));
}

AMP_PRIV_COLD amp_status amp_priv_unknown_parts_overrule(amp_priv_source *source, const amp_priv_shape *shape,
                                                         amp_priv_access_request want)
{
    return amp_priv_unknown_parts_look(source, amp_priv_overrule_shape(source, shape, want));
}

/* Without memory for its parts, all of a source is unknown, until all of it is overwritten. */
AMP_PRIV_COLD void amp_priv_unknown_all_end(amp_priv_source *source) { source->unknown = NULL; }

AMP_PRIV_COLD amp_status amp_priv_unknown_all_overrule(amp_priv_source *source, const amp_priv_shape *shape,
                                                       amp_priv_access_request want)
{
    (void)want;
    if (amp_priv_shape_bytes(shape) == source->bytes)
        source->unknown = NULL;
    return AMP_OK;
}

AMP_PRIV_COLD amp_status amp_priv_unknown_all_acquire(amp_priv_source *source, const amp_priv_shape *shape,
                                                      amp_priv_access_request want)
{
    return want == AMP_PRIV_WRITE ? amp_priv_unknown_all_overrule(source, shape, want)
                                  : amp_priv_unknown_contents(source);
}

/* Gives a source a directory, where it has none. False: there is no memory for it. */
AMP_PRIV_COLD bool amp_priv_directory_begin(amp_priv_source *source)
{
    static amp_priv_unknown_hook all = { false, amp_priv_unknown_all_acquire, amp_priv_unknown_all_overrule,
                                         amp_priv_unknown_all_end };
    if (source->unknown)
        return source->unknown->in_parts;
    amp_priv_unknown_parts *const parts = calloc(1, sizeof *parts);
    source->unknown = parts ? &parts->hook : &all;
    if (parts) {
        parts->hook = (amp_priv_unknown_hook){ true, amp_priv_unknown_parts_acquire, amp_priv_unknown_parts_overrule,
                                               amp_priv_unknown_parts_end };
        amp_priv_directory_init(&parts->directory, source->base.rank, source->base.extent);
    }
    return parts != NULL;
}

#endif /* AMP_MEMORY_UNKNOWN_H */
