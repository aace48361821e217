/* SPDX-License-Identifier: MIT */
/*  amp/memory/use_list.h - a transaction on data sources: what a launch, its bands, a replay or a copy uses

    Begin: the caller adds each source (amp_priv_uses_add), which waits for asynchronous work on it, and locks them all
    (amp_priv_uses_lock). It holds no other lock until then. amp_priv_uses_acquire makes current what is used. Commit
    notes what was submitted, and what it wrote; abort is a commit of nothing. Both unlock.

    Contents (search for the tag):
        >>sources  >>parts  >>acquire  >>commit */
#ifndef AMP_MEMORY_USE_LIST_H
#define AMP_MEMORY_USE_LIST_H

#include "array.h"

/* // >>sources */

/* A part of a source, and what a command does with it. Neither reads nor writes: the part is made one block where it
   can be. */
typedef struct amp_priv_use {
    const amp_priv_head *head;   /* a view on the source; of all its elements, */
    int lo, hi;                  /* or of rows from lo to hi - 1, */
    const amp_priv_shape *shape; /* or (not NULL) of these */
    int command;                 /* its number in the list of queues */
    bool reads, writes;
} amp_priv_use;

typedef struct amp_priv_use_list {
    int count;
    bool steady;  /* of a launch: the device has all, no other queue uses it: only the numbers of commands change */
    bool shared;  /* two uses are on one source */
    bool changes; /* the directory of some source does: something is written that its device did not own before */
    bool pieces;  /* something used is in several blocks */
    amp_priv_used_source *source; /* each once, in the order of their addresses, which is that of their locks */
    /* The parts; without them the list only locks. part: sets *use, which is all 0, and returns true, or false where
       there is nothing with this number. */
    int parts;
    bool (*part)(const void *of, int number, amp_priv_use *use);
    const void *of;
    amp_priv_queue *const *queue; /* of each command; they may be of one device */
    int queues;
    amp_priv_used_source room[AMP_PRIV_MAX_CAPTURES];
} amp_priv_use_list;

static inline void amp_priv_uses_begin(amp_priv_use_list *list)
{
    list->count = list->parts = list->queues = 0;
    list->steady = list->shared = list->changes = list->pieces = false;
    list->source = list->room;
}

/* One that is not behind all the others, or is there already. */
AMP_PRIV_WARM void amp_priv_uses_insert(amp_priv_use_list *list, amp_priv_source *source, bool writes)
{
    amp_priv_used_source *const used = list->source;
    int at = list->count;
    while (at > 0 && used[at - 1].source > source)
        at--;
    if (at > 0 && used[at - 1].source == source) {
        used[at - 1].written = used[at - 1].written || writes;
        list->shared = true;
        return;
    }
    for (int k = list->count++; k > at; k--)
        used[k] = used[k - 1];
    used[at] = (amp_priv_used_source){ source, writes };
}

/* Adds a source, after asynchronous operations on it. */
static inline void amp_priv_uses_add(amp_priv_use_list *list, amp_priv_source *source, bool writes)
{
    const int n = list->count;
    amp_priv_source_settle(source);
    if (n > 0 && list->source[n - 1].source >= source) {
        amp_priv_uses_insert(list, source, writes);
        return;
    }
    list->source[n].source = source;
    list->source[n].written = writes;
    list->count++;
}

static inline void amp_priv_uses_lock(amp_priv_use_list *list)
{
    for (int n = 0; n < list->count; n++)
        amp_priv_lock(&list->source[n].source->lock);
}

/* After the lock, where directories may change. */
AMP_PRIV_WARM_PART void amp_priv_uses_trim(amp_priv_use_list *list)
{
    for (int n = 0; n < list->count; n++)
        amp_priv_source_trim(list->source[n].source);
}

AMP_PRIV_WARM_PART void amp_priv_uses_unlock(amp_priv_use_list *list)
{
    for (int n = 0; n < list->count; n++) {
        if (list->source[n].source->directory.divided)
            amp_priv_directory_merge(&list->source[n].source->directory);
        amp_priv_source_unlock(list->source[n].source);
    }
}

/* // >>parts */

AMP_PRIV_WARM_PART amp_priv_shape amp_priv_use_shape(const amp_priv_use *use)
{
    return use->shape          ? *use->shape
           : use->lo < use->hi ? amp_priv_shape_of_rows(use->head, use->lo, use->hi)
                               : amp_priv_shape_of(use->head);
}

AMP_PRIV_WARM_PART void amp_priv_use_region(const amp_priv_use *use, amp_priv_region *region)
{
    const amp_priv_shape shape = amp_priv_use_shape(use);
    amp_priv_region_of(&use->head->source->base, &shape, region);
}

/* Is there a part with this number? */
static inline bool amp_priv_use_get(const amp_priv_use_list *list, int number, amp_priv_use *use)
{
    memset(use, 0, sizeof *use);
    return list->part(list->of, number, use);
}

/* Has the device what a command uses, for what that does with it? */
static inline bool amp_priv_use_is_ready(const amp_priv_source *source, int number, bool writes)
{
    return amp_priv_directory_is_owned(&source->directory, number) ||
           (!writes && (source->directory.valid_in_all & amp_priv_bit(number)));
}

/* Is there a part with this number that its command writes, and whose device does not own all of its source? */
AMP_PRIV_WARM_PART bool amp_priv_use_gets(const amp_priv_use_list *list, int number, amp_priv_use *use,
                                          amp_priv_region *region)
{
    if (!amp_priv_use_get(list, number, use) || !use->writes ||
        (list->queues == 1 &&
         amp_priv_directory_is_owned(&use->head->source->directory, list->queue[0]->device->number)))
        return false;
    amp_priv_use_region(use, region);
    return true;
}

/* // >>acquire */

/* Brings to the devices what they read. */
AMP_PRIV_WARM_PART amp_status amp_priv_uses_bring(amp_priv_use_list *list)
{
    amp_status status = AMP_OK;
    for (int n = 0; n < list->parts && status == AMP_OK; n++) {
        amp_priv_use use;
        amp_priv_region region;
        if (!amp_priv_use_get(list, n, &use) || !use.reads)
            continue;
        amp_priv_queue *const queue = list->queue[use.command];
        if (amp_priv_use_is_ready(use.head->source, queue->device->number, false) &&
            !use.head->source->directory.divided)
            continue;
        amp_priv_use_region(&use, &region);
        status = amp_priv_acquire_for(use.head->source, &region, queue->device->number, queue, AMP_PRIV_READ,
                                      AMP_PRIV_READ, &list->pieces);
    }
    return status;
}

/* Divides the directories at the ends of what is written. */
AMP_PRIV_WARM_PART amp_status amp_priv_uses_reserve(amp_priv_use_list *list)
{
    amp_status status = AMP_OK;
    for (int n = 0; n < list->parts && status == AMP_OK; n++) {
        amp_priv_use use;
        amp_priv_region region;
        if (!amp_priv_use_gets(list, n, &use, &region))
            continue;
        list->changes = true;
        status = amp_priv_region_reserve(use.head->source, &region, list->queue[use.command]->device->number,
                                         AMP_PRIV_READ_WRITE);
    }
    return status;
}

/* Orders the queues after what others do with the sources, and makes room to note what they do. */
AMP_PRIV_WARM_PART amp_status amp_priv_uses_order(const amp_priv_use_list *list)
{
    amp_status status = AMP_OK;
    for (int q = 0; q < list->queues; q++) {
        amp_priv_queue *const queue = list->queue[q];
        for (int n = 0; n < list->count && status == AMP_OK; n++)
            if (!amp_priv_access_is_own(list->source[n].source, queue, queue->device->number))
                status = amp_priv_access_begin(list->source[n].source, queue, list->source[n].written);
    }
    /* Once more: what was waited for meanwhile is not noted any longer. */
    for (int q = 0; q < list->queues && list->queues > 1; q++)
        for (int n = 0; n < list->count && status == AMP_OK; n++)
            status = amp_priv_access_reserve(list->source[n].source->replica[list->queue[q]->device->number],
                                             list->queue[q]);
    return status;
}

/* Everything that is read is brought before a part that is written is reserved. Each source has a replica on each
   device. After a failure, which is reported, contents are as before. */
AMP_PRIV_WARM amp_status amp_priv_uses_acquire(amp_priv_use_list *list)
{
    amp_status status = amp_priv_uses_bring(list);
    if (status == AMP_OK)
        status = amp_priv_uses_reserve(list);
    return status == AMP_OK ? amp_priv_uses_order(list) : status;
}

/* // >>commit */

/* Notes the last command of a queue. */
AMP_PRIV_WARM_PART void amp_priv_uses_note(amp_priv_use_list *list, amp_priv_queue *queue)
{
    const uint64_t number = amp_priv_queue_next_sequence(queue);
    for (int n = 0; n < list->count; n++)
        amp_priv_access_add(list->source[n].source->replica[queue->device->number], queue, number,
                            list->source[n].written);
}

/* What commands before number `submitted` write is not known: one of them was submitted in part, or the others never
   will be. */
AMP_PRIV_COLD void amp_priv_uses_invalidate(const amp_priv_use_list *list, int submitted)
{
    for (int n = 0; n < list->parts; n++) {
        amp_priv_use use;
        if (!amp_priv_use_get(list, n, &use) || !use.writes || use.command >= submitted)
            continue;
        const amp_priv_shape shape = amp_priv_use_shape(&use);
        amp_priv_invalidate(use.head->source, &shape, ~UINT32_C(0));
    }
}

/* The devices own what their commands write. */
AMP_PRIV_WARM_PART void amp_priv_uses_grant(amp_priv_use_list *list)
{
    for (int n = 0; n < list->parts; n++) {
        amp_priv_use use;
        amp_priv_region region;
        if (amp_priv_use_gets(list, n, &use, &region))
            list->pieces = amp_priv_region_grant(use.head->source, &region, list->queue[use.command]->device->number,
                                                 AMP_PRIV_READ_WRITE) ||
                           list->pieces;
    }
}

/* Makes one block of each part, where that is in pieces. */
AMP_PRIV_COLD void amp_priv_uses_unify(const amp_priv_use_list *list)
{
    for (int n = 0; n < list->parts; n++) {
        amp_priv_use use;
        amp_priv_region region;
        if (!amp_priv_use_get(list, n, &use) || !use.head->source->directory.divided)
            continue; /* where nothing was divided, no merge would come afterwards */
        amp_priv_use_region(&use, &region);
        amp_priv_region_unify(use.head->source, &region);
    }
}

/* Ends it: so many of the commands were submitted, the last of them perhaps in part; good: all were, and in full. */
AMP_PRIV_WARM void amp_priv_uses_commit(amp_priv_use_list *list, int submitted, bool good)
{
    for (int q = 0; q < submitted && q < list->queues; q++)
        amp_priv_uses_note(list, list->queue[q]);
    if (!good && submitted > 0)
        amp_priv_uses_invalidate(list, submitted);
    else if (good && list->changes)
        amp_priv_uses_grant(list);
    if (list->pieces)
        amp_priv_uses_unify(list);
    amp_priv_uses_unlock(list);
}

/* Ends it where nothing was submitted. */
AMP_PRIV_WARM_PART void amp_priv_uses_abort(amp_priv_use_list *list) { amp_priv_uses_commit(list, 0, false); }

#endif /* AMP_MEMORY_USE_LIST_H */
