/* SPDX-License-Identifier: MIT */
/*  amp/memory/launch_devices.h - a launch on a device: the sources of its views, from the lock to the commit */
#ifndef AMP_MEMORY_LAUNCH_DEVICES_H
#define AMP_MEMORY_LAUNCH_DEVICES_H

#include "../device/launch_site.h"
#include "use_list.h"

/* The queue for views that other devices hold, too: of a device that holds some of each, else of any. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_cached_target(const amp_priv_launch *launch, amp_priv_queue *standard,
                                                     uint32_t cached)
{
    uint32_t all = cached;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const uint32_t holders =
            head ? atomic_load_explicit(&head->source->cached, memory_order_relaxed) & ~UINT32_C(1) : 0;
        if (holders)
            all &= holders;
    }
    const uint32_t best = all ? all : cached;
    if (best & amp_priv_bit(standard->device->number))
        return standard;
    for (int number = 1; number < AMP_PRIV_MAX_DEVICES; number++)
        if (best >> number & 1u)
            return amp_priv_device_queue(amp_priv_device_number(number));
    return standard;
}

/* Adds the sources of a launch, and waits for asynchronous operations on them. */
static inline void amp_priv_launch_uses(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_uses_begin(list);
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head)
            amp_priv_uses_add(list, head->source, head->kind != AMP_PRIV_CONST_VIEW);
    }
    launch->shared_sources = list->shared;
}

/* Has the device all of each captured view, with the sources locked, for what the kernel does with it? Fills
   launch->buffer and ->host. */
static inline bool amp_priv_launch_has_all(amp_priv_launch *launch)
{
    const int number = launch->queue->device->number;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_source *const source = head->source;
        if (!amp_priv_use_is_ready(source, number, head->kind != AMP_PRIV_CONST_VIEW))
            return false;
        launch->buffer[i] = source->replica[number]->buffer;
        launch->host[i] = source->base.data;
    }
    return true;
}

/* Each captured view, and what the kernel does with it. */
AMP_PRIV_WARM bool amp_priv_launch_part(const void *of, int number, amp_priv_use *use)
{
    const amp_priv_launch *const launch = of;
    use->head = amp_priv_launch_head(launch, number);
    use->reads = true;
    use->writes = use->head && use->head->kind != AMP_PRIV_CONST_VIEW;
    return use->head;
}

/* The replicas of the captured views, with the sources locked. Fills launch->buffer and ->host. */
AMP_PRIV_WARM_PART amp_status amp_priv_launch_replicas(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        amp_priv_replica *const replica = amp_priv_replica_of(head->source, launch->queue->device->number);
        if (!replica)
            return amp_priv_failed();
        launch->buffer[i] = replica->buffer;
        launch->host[i] = head->source->base.data;
    }
    return AMP_OK;
}

/* Notes the kernel, and unlocks, where the sources are steady: what the host may do with them is what it was. */
static inline void amp_priv_memory_end_steady(amp_priv_queue *queue, amp_priv_use_list *list)
{
    const int device = queue->device->number;
    const uint64_t number = amp_priv_queue_next_sequence(queue);
    for (int n = 0; n < list->count; n++) {
        amp_priv_source *const source = list->source[n].source;
        amp_priv_access_note(source->replica[device], source->replica[device]->accesses, number,
                             list->source[n].written);
        amp_priv_unlock(&source->lock);
    }
}

/* After a launch on a device: notes the kernel and what it writes, and unlocks. */
static inline void amp_priv_memory_end(amp_priv_launch *launch, amp_priv_use_list *list, amp_status status)
{
    if (__builtin_expect(list->steady && status == AMP_OK, 1))
        amp_priv_memory_end_steady(launch->queue, list);
    else
        amp_priv_uses_commit(list, status == AMP_OK || launch->partly_submitted, status == AMP_OK);
}

/* Locks them. Are all replicas and all commands in flight the launch's own queue's? */
static inline bool amp_priv_launch_lock(const amp_priv_queue *queue, amp_priv_use_list *list)
{
    const int number = queue->device->number;
    bool own = true;
    for (int n = 0; n < list->count; n++) {
        amp_priv_lock(&list->source[n].source->lock);
        own = own && amp_priv_access_is_own(list->source[n].source, queue, number);
    }
    return own;
}

/* Gives the device what it has not, where the sources are not steady. */
AMP_PRIV_WARM amp_status amp_priv_memory_bring(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_uses_trim(list);
    amp_status status = amp_priv_launch_replicas(launch);
    if (status == AMP_OK)
        status = amp_priv_uses_acquire(list);
    if (status != AMP_OK)
        amp_priv_uses_abort(list);
    return status;
}

/* Before a launch on a device: every captured view's newest contents are there, and launch->buffer and ->host filled.
   The sources stay locked until amp_priv_memory_end. On failure: reported, unlocked, contents as before. */
static inline amp_status amp_priv_memory_begin(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_launch_uses(launch, list);
    list->parts = launch->site->capture_count;
    list->part = amp_priv_launch_part;
    list->of = launch;
    list->queue = &launch->queue;
    list->queues = 1;
    list->steady = amp_priv_launch_lock(launch->queue, list) && amp_priv_launch_has_all(launch) &&
                   __builtin_expect(launch->hooks == 0, 1);
    return __builtin_expect(list->steady, 1) ? AMP_OK : amp_priv_memory_bring(launch, list);
}

#endif /* AMP_MEMORY_LAUNCH_DEVICES_H */
