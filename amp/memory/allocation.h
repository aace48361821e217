/* SPDX-License-Identifier: MIT */
/*  amp/memory/allocation.h - sources with copies on devices: their lock, and what is in flight on them

    Contents (search for the tag):
        >>lock  >>access */
#ifndef AMP_MEMORY_ALLOCATION_H
#define AMP_MEMORY_ALLOCATION_H

#include "source.h"

/* // >>lock */

/* Is its buffer on a device the user's? */
static inline bool amp_priv_is_borrowed(const amp_priv_source *source, int number)
{
    return source->replica[number]->borrowed;
}

#define amp_priv_directory_of(source) (&(source)->directory)
static inline bool amp_priv_directory_begin(amp_priv_source *source) { return source->directory.count > 0; }

static amp_status amp_priv_collapse_to_owner(amp_priv_source *source);

/* A directory that got too large begins anew. Not between the captures of a launch: what was brought stays there. */
static inline void amp_priv_source_trim(amp_priv_source *source)
{
    if (__builtin_expect(source->directory.count > AMP_PRIV_MAX_BLOCKS, 0))
        amp_priv_collapse_to_owner(source);
}

static inline void amp_priv_source_lock(amp_priv_source *source)
{
    amp_priv_source_settle(source);
    amp_priv_lock(&source->lock);
    amp_priv_source_trim(source);
}

/* Does a device that works in the host's memory have commands in flight there? */
static inline bool amp_priv_source_shared(const amp_priv_source *source)
{
    for (int n = 1; source->replicas >> n; n++) {
        const amp_priv_replica *const replica = source->replica[n];
        if (replica && replica->device->shares_host && replica->access_count > 0)
            return true;
    }
    return false;
}

/* Brings the summary up to date and unlocks. */
AMP_PRIV_NOINLINE void amp_priv_source_unlock(amp_priv_source *source)
{
    const amp_priv_directory *const directory = &source->directory;
    unsigned state = AMP_PRIV_HOST_ASKS;
    if ((directory->valid_in_all & 1u) && (!source->is_array || source->cpu_access != AMP_ACCESS_NONE)) {
        state = AMP_PRIV_HOST_READS;
        if (amp_priv_directory_is_owned(directory, AMP_PRIV_HOST) && !amp_priv_source_shared(source))
            state = AMP_PRIV_HOST_WRITES;
    }
    amp_priv_source_publish(source, state);
    const unsigned cached = directory->valid_in_any & ~AMP_PRIV_NOBODY;
    if (atomic_load_explicit(&source->cached, memory_order_relaxed) != cached)
        atomic_store_explicit(&source->cached, cached, memory_order_relaxed);
    amp_priv_unlock(&source->lock);
}

/* // >>access: kernels and copies in flight. The source's lock is held. */

AMP_PRIV_COLD void amp_priv_access_drop(amp_priv_replica *replica, int i)
{
    amp_priv_pending_access *const access = &replica->accesses[i];
    amp_priv_event_release(access->queue->device, access->mark);
    amp_priv_queue_release_record(access->queue);
    *access = replica->accesses[--replica->access_count];
}

/* A device that read this one's memory, and is gone, reads no more. */
static inline bool amp_priv_access_is_gone(const amp_priv_replica *replica, const amp_priv_pending_access *access)
{
    return access->queue->device != replica->device && atomic_load(&access->queue->device->removed);
}

/* Has everything of this access finished, as far as is known without making events? */
AMP_PRIV_WARM_PART bool amp_priv_access_done(amp_priv_replica *replica, const amp_priv_pending_access *access)
{
    if (access->mark && amp_priv_event_done(access->queue->device, access->mark))
        amp_priv_queue_complete(access->queue, access->marked);
    return amp_priv_queue_is_complete(access->queue, access->last) || amp_priv_access_is_gone(replica, access);
}

/* One more access, by a queue that has none yet. NULL: there is no memory to note it. */
AMP_PRIV_COLD amp_priv_pending_access *amp_priv_access_new(amp_priv_replica *replica, amp_priv_queue *queue)
{
    for (int i = replica->access_count - 1; i >= 0; i--)
        if (amp_priv_access_done(replica, &replica->accesses[i]))
            amp_priv_access_drop(replica, i);
    if (!amp_priv_list_reserve(&replica->accesses, &replica->access_capacity, replica->access_count + 1,
                               sizeof *replica->accesses, replica->inline_accesses))
        return NULL;
    amp_priv_queue_retain_record(queue);
    amp_priv_pending_access *const access = &replica->accesses[replica->access_count++];
    *access = (amp_priv_pending_access){ .queue = queue };
    return access;
}

AMP_PRIV_WARM_PART amp_priv_pending_access *amp_priv_access_of(amp_priv_replica *replica, const amp_priv_queue *queue)
{
    for (int i = 0; i < replica->access_count; i++)
        if (replica->accesses[i].queue == queue)
            return &replica->accesses[i];
    return NULL;
}

/* Makes room to note a command of queue, before it is submitted: what is not noted would be forgotten. */
AMP_PRIV_WARM_PART amp_status amp_priv_access_reserve(amp_priv_replica *replica, amp_priv_queue *queue)
{
    if (__builtin_expect(amp_priv_access_of(replica, queue) || amp_priv_access_new(replica, queue), 1))
        return AMP_OK;
    return amp_priv_report(AMP_OUT_OF_MEMORY, "no memory on the host to note what uses a buffer of %s",
                           replica->device->path);
}

/* Notes that a command uses the replica, by the access of its queue. */
static inline void amp_priv_access_note(amp_priv_replica *replica, amp_priv_pending_access *access, uint64_t number,
                                        bool wrote)
{
    access->last = number;
    if (wrote)
        access->write = number;
    replica->changes += wrote;
}

/* The same for a command of a queue. The caller has reserved the capacity. */
AMP_PRIV_WARM_PART void amp_priv_access_add(amp_priv_replica *replica, amp_priv_queue *queue, uint64_t number,
                                            bool wrote)
{
    amp_priv_access_note(replica, amp_priv_access_of(replica, queue), number, wrote);
}

/* The host waits for what is in flight on a replica: for all of it before the memory is written, else for writers.
   What could not be waited for stays noted. */
AMP_PRIV_COLD amp_status amp_priv_host_wait(amp_priv_replica *replica, bool all)
{
    const int before = amp_priv_error_mode;
    amp_status status = AMP_OK;
    for (int i = replica->access_count - 1; i >= 0; i--) {
        amp_priv_pending_access *const access = &replica->accesses[i];
        if (!all && !access->write)
            continue;
        if (amp_priv_access_is_gone(replica, access)) {
            amp_priv_access_drop(replica, i);
            continue;
        }
        const amp_status this = amp_priv_queue_wait_until(access->queue, all ? access->last : access->write);
        if (this != AMP_OK) {
            if (status == AMP_OK)
                status = this;
            amp_priv_error_mode = AMP_PRIV_ERRORS_DROPPED; /* reported once: the others failed for the same reason */
            continue;
        }
        access->write = 0;
        if (all || amp_priv_queue_is_complete(access->queue, access->last))
            amp_priv_access_drop(replica, i);
    }
    amp_priv_error_mode_end(before);
    return status;
}

/* What queue does next comes after command `number` of an access by another queue. Where the device cannot order that,
   the host waits. */
AMP_PRIV_COLD amp_status amp_priv_queue_wait_for(amp_priv_pending_access *access, uint64_t number,
                                                 amp_priv_queue *queue)
{
    if (access->mark && access->marked < number) {
        amp_priv_event_release(access->queue->device, access->mark);
        access->mark = NULL;
    }
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    amp_status status = AMP_OK;
    if (!access->mark) {
        access->marked = atomic_load_explicit(&access->queue->submitted, memory_order_acquire);
        status = amp_priv_event_record(access->queue, &access->mark);
    }
    if (status == AMP_OK)
        status = amp_priv_queue_wait_event(queue, access->mark);
    amp_priv_error_mode_end(before);
    return __builtin_expect(status == AMP_OK, 1) ? AMP_OK : amp_priv_queue_wait_until(access->queue, number);
}

/* What queue does next on its device's replica comes after what other queues do there. */
AMP_PRIV_WARM amp_status amp_priv_queue_wait(amp_priv_replica *replica, amp_priv_queue *queue, bool writes)
{
    for (int i = replica->access_count - 1; i >= 0; i--) {
        amp_priv_pending_access *const access = &replica->accesses[i];
        const uint64_t number = writes ? access->last : access->write;
        if (access->queue == queue || !number)
            continue;
        if (amp_priv_access_done(replica, access)) {
            amp_priv_access_drop(replica, i);
            continue;
        }
        const amp_status status = amp_priv_queue_wait_for(access, number, queue);
        if (status != AMP_OK)
            return status;
    }
    return AMP_OK;
}

/* The host memory is about to be written (or read): devices that work in it must have finished with it. `except` is
   a device whose own queue keeps the order. */
AMP_PRIV_WARM amp_status amp_priv_host_wait_sharing(amp_priv_source *source, bool writes, int except)
{
    for (int n = 1; AMP_PRIV_HAS_OTHERS && source->replicas >> n; n++) {
        amp_priv_replica *const replica = source->replica[n];
        if (!replica || n == except || replica->access_count == 0 || !replica->device->shares_host)
            continue;
        const amp_status status = amp_priv_host_wait(replica, writes);
        if (status != AMP_OK)
            return status;
    }
    return AMP_OK;
}

/* Fast path: one replica, and only this queue's commands are pending. No wait is needed; an access slot is free. */
static inline bool amp_priv_access_is_own(const amp_priv_source *source, const amp_priv_queue *queue, int number)
{
    const amp_priv_replica *const replica = source->replica[number];
    return __builtin_expect(source->replicas == amp_priv_bit(number), 1) && replica->access_count == 1 &&
           replica->accesses[0].queue == queue;
}

/* Before a command of queue uses the source's replica: it comes after what others do there, and can be noted. */
AMP_PRIV_WARM amp_status amp_priv_access_begin(amp_priv_source *source, amp_priv_queue *queue, bool writes)
{
    const amp_priv_device *const device = queue->device;
    amp_priv_replica *const replica = source->replica[device->number];
    amp_status status = amp_priv_queue_wait(replica, queue, writes);
    if (status == AMP_OK && device->shares_host)
        status = amp_priv_host_wait_sharing(source, writes, device->number);
    return status == AMP_OK ? amp_priv_access_reserve(replica, queue) : status;
}

#endif /* AMP_MEMORY_ALLOCATION_H */
