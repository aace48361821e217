/* SPDX-License-Identifier: MIT */
/*  amp/memory/allocation.h - data sources: the memory of views, and its copies on devices

    Contents (search for the tag):
        >>counters  >>source  >>lock  >>access */
#ifndef AMP_MEMORY_ALLOCATION_H
#define AMP_MEMORY_ALLOCATION_H

#include "fork.h"
#include "../device/future.h"
#include "handles.h"
#include "host_writes.h"
#include "../api/array_view.h"

/* // >>counters */

typedef struct amp_priv_counters {
    atomic_ullong bytes_to_device, transfers_to_device, bytes_to_host, transfers_to_host, bytes_across,
        transfers_across;
} amp_priv_counters;

AMP_PRIV_GLOBAL(amp_priv_counters, amp_priv_total)

AMP_PRIV_COLD void amp_priv_count(amp_priv_counters *counters, bool to_device, size_t bytes, size_t transfers)
{
    atomic_fetch_add_explicit(to_device ? &counters->bytes_to_device : &counters->bytes_to_host, bytes,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(to_device ? &counters->transfers_to_device : &counters->transfers_to_host, transfers,
                              memory_order_relaxed);
}

AMP_PRIV_COLD void amp_priv_count_across(amp_priv_counters *counters, size_t bytes, size_t transfers)
{
    atomic_fetch_add_explicit(&counters->bytes_across, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&counters->transfers_across, transfers, memory_order_relaxed);
}

static inline amp_transfer_counters amp_priv_counters_of(amp_priv_counters *counters)
{
    const amp_transfer_counters now = {
        atomic_load_explicit(&counters->bytes_to_device, memory_order_relaxed),
        atomic_load_explicit(&counters->transfers_to_device, memory_order_relaxed),
        atomic_load_explicit(&counters->bytes_to_host, memory_order_relaxed),
        atomic_load_explicit(&counters->transfers_to_host, memory_order_relaxed),
        atomic_load_explicit(&counters->bytes_across, memory_order_relaxed),
        atomic_load_explicit(&counters->transfers_across, memory_order_relaxed),
    };
    return now;
}

static inline void amp_priv_counters_reset(amp_priv_counters *counters)
{
    atomic_store_explicit(&counters->bytes_to_device, 0, memory_order_relaxed);
    atomic_store_explicit(&counters->transfers_to_device, 0, memory_order_relaxed);
    atomic_store_explicit(&counters->bytes_to_host, 0, memory_order_relaxed);
    atomic_store_explicit(&counters->transfers_to_host, 0, memory_order_relaxed);
    atomic_store_explicit(&counters->bytes_across, 0, memory_order_relaxed);
    atomic_store_explicit(&counters->transfers_across, 0, memory_order_relaxed);
}

/* // >>source */

enum { AMP_PRIV_MAX_BLOCKS = 512 /* a directory with more collapses to its owner */ };

/* Registered ("pinned") host memory moves at the bus's speed, several times faster. Registering costs 28 ms per GiB on
   an H200, the transfer of a GiB 20 ms afterwards and 100 ms without; large chunks cost more than the same in four. */
enum {
    AMP_PRIV_PIN_BYTES = 1 << 20,      /* host memory of a source from this size on is registered */
    AMP_PRIV_PIN_AFTER = 32 << 20,     /* when so much of it, and half of it, was moved or is about to be */
    AMP_PRIV_PIN_IN_CHUNKS = 64 << 20, /* from this size on in chunks */
    AMP_PRIV_PIN_CHUNKS = 4,
    AMP_PRIV_PAGE = 4096
};

/* Host memory that is registered with a device, in chunks. A transfer across chunks would be slow: it is cut at their
   borders. */
typedef struct amp_priv_pin {
    amp_priv_device *device;
    char *host;
    size_t bytes, chunk_bytes;
    int count; /* of chunks; 0: not registered */
    void *registration[AMP_PRIV_PIN_CHUNKS];
} amp_priv_pin;

/* What a queue has in flight on a source's buffer: the numbers of the last command that used it, and of the last that
   wrote it (0: none). Queues are in order, so those two stand for all. The queue may be closed, its record is kept. */
typedef struct amp_priv_pending_access {
    amp_priv_queue *queue;
    uint64_t last, write;
    void *mark; /* an event that another queue had to wait for, and the last command before it; NULL: none yet */
    uint64_t marked;
} amp_priv_pending_access;

enum { AMP_PRIV_INLINE_ACCESSES = 2 };

/* The first member of what a module keeps with a replica, and its end. */
typedef struct amp_priv_kept {
    void (*end)(amp_priv_device *device, struct amp_priv_kept *kept);
} amp_priv_kept;

/* The source's buffer on one device: the host memory itself where the device shares it. */
typedef struct amp_priv_replica {
    amp_priv_device *device;
    void *buffer;
    size_t first, bytes;     /* the part of the source that it has: all, but where launches on groups alone used it */
    amp_priv_pin pin;        /* the source's host memory */
    size_t moved;            /* bytes, until it is registered */
    uint64_t changes;        /* how often the buffer was written, as far as the library knows: */
    bool externally_visible; /* or by the user's own commands, at any time */
    bool borrowed;           /* the buffer is: it is not closed */
    amp_priv_kept *images;   /* amp/graphics */
    int access_count, access_capacity;
    amp_priv_pending_access *accesses;
    amp_priv_pending_access inline_accesses[AMP_PRIV_INLINE_ACCESSES];
} amp_priv_replica;

/* Deferred read of an int result: when the host next reads it, `look` is called with its value, unless the replica has
   been written since. So a selection reports that its result was too short, and its call does not wait. */
typedef struct amp_priv_deferred_read {
    const char *data; /* where it belongs in the source's host memory */
    const amp_priv_replica *replica;
    uint64_t changes; /* the replica's, when it was written */
    void (*look)(const struct amp_priv_deferred_read *awaited, int value);
} amp_priv_deferred_read;

/* Limits of the host: added to AMP_PRIV_HOST_WRITES they are AMP_PRIV_HOST_READS and AMP_PRIV_HOST_ASKS. */
enum { AMP_PRIV_HOST_READ_ONLY = 1, AMP_PRIV_HOST_DENIED = 2 };

struct amp_priv_source {
    amp_priv_handle_slot life;
    amp_priv_mutex lock;
    atomic_int references; /* those that views stand for, and one for each asynchronous operation */
    atomic_int pending;    /* asynchronous operations that are not done; changes with the worker's lock held */

    /* What is above stays when the record is used again; these two counts are 0 then. */
    atomic_uint cached; /* devices that hold some of it: the directory's `valid_in_any` */

    amp_priv_shape base; /* all of it; its data is host memory: the user's, or our own, reserved at creation and touched
                            when needed */
    size_t bytes;
    bool owns_host;
    bool is_array, is_staging, no_source;
    bool is_temporary; /* an algorithm's, whose kernels need not leave the same there on all devices */
    int owner;         /* the memory that synchronize and the last release bring changes to: 0, or an array's device */
    amp_access_type cpu_access;         /* arrays */
    amp_priv_queue *queue, *associated; /* arrays; each holds a reference */
    amp_priv_pin staged; /* a staging array's memory: registered with the associated device for as long as it lives */

    amp_priv_directory directory;
    uint32_t replicas; /* bit n: replica[n] is there */
    amp_priv_replica *replica[AMP_PRIV_MAX_DEVICES];
    amp_priv_counters counters;
    _Atomic(const char *) name, function; /* of its first capture while tracing */
    unsigned host_limit;                  /* 0, or AMP_PRIV_HOST_READ_ONLY, _DENIED: a module keeps the host from it */
    const amp_priv_recording *recorder;   /* the last that a command on it is noted in, until that ends */
    amp_priv_deferred_read *awaited;      /* the newest, or NULL */
    struct amp_priv_rank_rows
        *rank_rows; /* which ranks have which rows (amp/mpi/rank_rows.h); NULL: it is not divided */
    AMP_PRIV_WRITE_CHECK
};

static inline amp_priv_device *amp_priv_device_number(int number) { return amp_priv_accelerators.device[number]; }

/* // >>lock
   Several sources are locked in the order of their addresses (amp/memory/use_list.h). Asynchronous operations on them
   come first; only the worker itself, in a callback, goes ahead of those. No lock is held where they are awaited: the
   worker, or a callback that comes before them, may need it. */

AMP_PRIV_COLD void amp_priv_source_settle_slowly(amp_priv_source *source)
{
    if (amp_priv_on_worker)
        return;
    amp_priv_lock(&amp_priv_worker.lock);
    amp_priv_worker_wake();
    while (atomic_load_explicit(&source->pending, memory_order_acquire) > 0)
        amp_priv_condition_wait(&amp_priv_worker.progress, &amp_priv_worker.lock);
    amp_priv_unlock(&amp_priv_worker.lock);
}

static inline void amp_priv_source_settle(amp_priv_source *source)
{
    amp_priv_lock_none();
    if (__builtin_expect(atomic_load_explicit(&source->pending, memory_order_acquire) > 0, 0))
        amp_priv_source_settle_slowly(source);
}

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
    if (__builtin_expect(state < AMP_PRIV_HOST_WRITES + source->host_limit, 0))
        state = AMP_PRIV_HOST_WRITES + source->host_limit;
    if (atomic_load_explicit(&source->pending, memory_order_relaxed) > 0)
        state = AMP_PRIV_HOST_ASKS;
    if (state != AMP_PRIV_HOST_WRITES && !source->owns_host &&
        !atomic_load_explicit(&amp_priv_handle_table.has_device_changes, memory_order_relaxed))
        atomic_store_explicit(&amp_priv_handle_table.has_device_changes, true, memory_order_relaxed);
    state += amp_priv_generation_of(&source->life);
    if (atomic_load_explicit(&source->life.access, memory_order_relaxed) != state)
        atomic_store_explicit(&source->life.access, state, memory_order_release);
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
