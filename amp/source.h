/* SPDX-License-Identifier: MIT */
/*  amp/source.h - data sources: memory that views look at, its copies on devices, and what moves between them.

    A source is an array, or the host memory under a top-level view. Its directory (amp/coherence.h) says which
    memory holds what; this file carries out what the directory asks for: the smallest transfer, when it is
    needed, and waiting for kernels that still use the memory. Each source has a lock; transfers wait, kernels
    do not.

    Contents (search for the tag):
        >>counters  >>source  >>lock  >>access  >>transfer  >>pin  >>move  >>acquire  >>under  >>life  >>host
        >>launch                                                                                        */
#ifndef AMP_SOURCE_H
#define AMP_SOURCE_H

#include "coherence.h"
#include "async.h"
#include "images.h"
#include "lifetime.h"
#include "view.h"
#include "watch.h"

/* // >>counters */

/* What was moved between host and devices, and from device to device, and in how many transfers (a rectangle is one).
   Devices that share the host's memory move nothing; copies inside one device do not count. */
typedef struct amp_transfer_counters {
    uint64_t bytes_to_device, transfers_to_device;
    uint64_t bytes_to_host, transfers_to_host;
    uint64_t bytes_across, transfers_across; /* from one device to another one, without the host */
} amp_transfer_counters;

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

/* Host memory that a device was told of, in chunks. A transfer across chunks would be slow: it is cut at their
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

/* The source's buffer on one device: the host memory itself where the device shares it. */
typedef struct amp_priv_replica {
    amp_priv_device *device;
    void *buffer;
    amp_priv_pin pin; /* the source's host memory */
    size_t moved;     /* bytes, until it is registered */
    uint64_t changes; /* how often the buffer was written, as far as the library knows: */
    bool is_lent;     /* or by the user's own commands, at any time */
    bool is_users;    /* the buffer is: nobody closes it */
    amp_priv_image *images;
    int access_count, access_capacity;
    amp_priv_pending_access *accesses;
    amp_priv_pending_access inline_accesses[AMP_PRIV_INLINE_ACCESSES];
} amp_priv_replica;

/* An int in a source that a device has been told to write, and nobody waits for: `look` gets it when the host does, if
   nothing else was written to the replica meanwhile. */
typedef struct amp_priv_awaited {
    const char *data; /* where it belongs in the source's host memory */
    const amp_priv_replica *replica;
    uint64_t changes; /* the replica's, when it was written */
    void (*look)(const struct amp_priv_awaited *awaited, int value);
} amp_priv_awaited;

struct amp_priv_source {
    amp_priv_life life;
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
    int owner; /* the memory that synchronize and the last release bring changes to: 0, or an array's device */
    amp_access_type cpu_access;         /* arrays */
    amp_priv_queue *queue, *associated; /* arrays; each holds a reference */
    amp_priv_pin staged; /* a staging array's memory: registered with the associated device for as long as it lives */

    amp_priv_directory directory;
    uint32_t replicas; /* bit n: replica[n] is there */
    amp_priv_replica *replica[AMP_PRIV_MAX_DEVICES];
    amp_priv_counters counters;
    _Atomic(const char *) name, function; /* of its first capture while tracing */
    const amp_priv_recording *recorder;   /* the last that a command on it is noted in, until that ends */
    bool recorded, recorded_written; /* on the CPU loops, where all is at hand: what the host may not do till then */
    amp_priv_awaited *awaited;       /* the newest, or NULL */
    AMP_PRIV_WATCH
};

/* What this thread records (amp/record.h); NULL, mostly. */
AMP_PRIV_GLOBAL_THREAD(amp_priv_recording *, amp_priv_recording_here)

/* Reports what the host does meanwhile, and a replay would leave out (amp/record.h). */
static amp_status amp_priv_record_refuse(const char *what);

static inline amp_priv_device *amp_priv_device_number(int number) { return amp_priv_accelerators.device[number]; }

/* // >>lock
   Several sources are locked in the order of their addresses. Asynchronous operations on them come first; only the
   worker itself, in a callback, goes ahead of those. */

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

/* Two, which may be the same, or NULL. */
static inline void amp_priv_source_lock_both(amp_priv_source *a, amp_priv_source *b)
{
    if (a)
        amp_priv_source_settle(a);
    if (b)
        amp_priv_source_settle(b);
    amp_priv_source *const first = a < b ? a : b, *const second = a < b ? b : a;
    if (first)
        amp_priv_lock(&first->lock);
    if (second && second != first)
        amp_priv_lock(&second->lock);
    if (a)
        amp_priv_source_trim(a);
    if (b)
        amp_priv_source_trim(b);
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
    if (__builtin_expect(source->recorded, 0) && state == AMP_PRIV_HOST_WRITES)
        state = AMP_PRIV_HOST_READS;
    if (atomic_load_explicit(&source->pending, memory_order_relaxed) > 0 || source->recorded_written)
        state = AMP_PRIV_HOST_ASKS;
    if (state != AMP_PRIV_HOST_WRITES && !source->owns_host &&
        !atomic_load_explicit(&amp_priv_lives.away, memory_order_relaxed))
        atomic_store_explicit(&amp_priv_lives.away, true, memory_order_relaxed);
    state += amp_priv_stamp_of(&source->life);
    if (atomic_load_explicit(&source->life.access, memory_order_relaxed) != state)
        atomic_store_explicit(&source->life.access, state, memory_order_release);
    const unsigned cached = directory->valid_in_any & ~AMP_PRIV_NOBODY;
    if (atomic_load_explicit(&source->cached, memory_order_relaxed) != cached)
        atomic_store_explicit(&source->cached, cached, memory_order_relaxed);
    amp_priv_unlock(&source->lock);
}

static inline void amp_priv_source_unlock_both(amp_priv_source *a, amp_priv_source *b)
{
    if (a)
        amp_priv_source_unlock(a);
    if (b && b != a)
        amp_priv_source_unlock(b);
}

/* // >>access: kernels and copies in flight. The source's lock is held. */

AMP_PRIV_COLD void amp_priv_access_drop(amp_priv_replica *replica, int i)
{
    amp_priv_pending_access *const access = &replica->accesses[i];
    amp_priv_event_release(access->queue->device, access->mark);
    amp_priv_queue_forget(access->queue);
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
    if (replica->access_count == replica->access_capacity) {
        const bool is_inline = replica->accesses == replica->inline_accesses;
        amp_priv_pending_access *const accesses =
            realloc(is_inline ? NULL : replica->accesses, (size_t)replica->access_capacity * 2 * sizeof *accesses);
        if (!accesses)
            return NULL;
        if (is_inline)
            memcpy(accesses, replica->inline_accesses, sizeof replica->inline_accesses);
        replica->accesses = accesses;
        replica->access_capacity *= 2;
    }
    amp_priv_queue_keep(queue);
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

/* The same of a command of queue. There is room for it. */
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
            amp_priv_error_mode = AMP_PRIV_ERRORS_DROPPED; /* told once: the others failed for the same reason */
            continue;
        }
        access->write = 0;
        if (all || amp_priv_queue_is_complete(access->queue, access->last))
            amp_priv_access_drop(replica, i);
    }
    amp_priv_error_mode_end(before);
    return status;
}

/* What queue does next comes after command `number` of an access by another queue. Where the device cannot be told so,
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
        status = amp_priv_queue_mark(access->queue, &access->mark);
    }
    if (status == AMP_OK)
        status = amp_priv_queue_after(queue, access->mark);
    amp_priv_error_mode_end(before);
    return __builtin_expect(status == AMP_OK, 1) ? AMP_OK : amp_priv_queue_wait_until(access->queue, number);
}

/* What queue does next on its device's replica comes after what other queues do there. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_queue_wait(amp_priv_replica *replica, amp_priv_queue *queue, bool writes)
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
    for (int n = 1; source->replicas >> n; n++) {
        amp_priv_replica *const replica = source->replica[n];
        if (!replica || n == except || replica->access_count == 0 || !replica->device->shares_host)
            continue;
        const amp_status status = amp_priv_host_wait(replica, writes);
        if (status != AMP_OK)
            return status;
    }
    return AMP_OK;
}

/* Is there no other replica, and all that is in flight the queue's own? Then its next command waits for nobody, and
   there is room to note it. */
static inline bool amp_priv_access_is_own(const amp_priv_source *source, const amp_priv_queue *queue, int number)
{
    const amp_priv_replica *const replica = source->replica[number];
    return __builtin_expect(source->replicas == amp_priv_bit(number), 1) && replica->access_count == 1 &&
           replica->accesses[0].queue == queue;
}

/* Before a command of queue uses the source's replica: it comes after what others do there, and can be noted. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_access_begin(amp_priv_source *source, amp_priv_queue *queue, bool writes)
{
    const amp_priv_device *const device = queue->device;
    amp_priv_replica *const replica = source->replica[device->number];
    amp_status status = amp_priv_queue_wait(replica, queue, writes);
    if (status == AMP_OK && device->shares_host)
        status = amp_priv_host_wait_sharing(source, writes, device->number);
    return status == AMP_OK ? amp_priv_access_reserve(replica, queue) : status;
}

/* // >>transfer: with the source's lock held. */

/* Makes a buffer the source's replica on a device; NULL after reporting. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_replica_add(amp_priv_source *source, int number, void *buffer)
{
    amp_priv_device *const device = amp_priv_device_number(number);
    amp_priv_replica *const replica = calloc(1, sizeof *replica);
    if (!replica) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "no memory on the host for a buffer of %s", device->path);
        return NULL;
    }
    replica->device = device;
    replica->buffer = buffer;
    replica->accesses = replica->inline_accesses;
    replica->access_capacity = AMP_PRIV_INLINE_ACCESSES;
    source->replica[number] = replica;
    source->replicas |= amp_priv_bit(number);
    return replica;
}

/* The source's replica on a device, opened at first use; NULL after reporting. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_replica_open(amp_priv_source *source, int number)
{
    amp_priv_device *const device = amp_priv_device_number(number);
    void *buffer = NULL;
    if (amp_priv_buffer_open(device, source->bytes, source->base.data, &buffer) != AMP_OK)
        return NULL;
    amp_priv_replica *const replica = amp_priv_replica_add(source, number, buffer);
    if (!replica)
        amp_priv_buffer_close(device, buffer);
    return replica;
}

AMP_PRIV_WARM_PART amp_priv_replica *amp_priv_replica_of(amp_priv_source *source, int number)
{
    amp_priv_replica *const replica = source->replica[number];
    return __builtin_expect(replica != NULL, 1) ? replica : amp_priv_replica_open(source, number);
}

/* // >>pin */

AMP_PRIV_COLD void amp_priv_pin_chunk(amp_priv_pin *pin, int chunk)
{
    const size_t first = (size_t)chunk * pin->chunk_bytes;
    const size_t bytes = chunk + 1 < pin->count ? pin->chunk_bytes : pin->bytes - first;
    amp_priv_device *const device = pin->device;
    void **const registration = &pin->registration[chunk];
    *registration = NULL;
    if (atomic_load(&device->removed))
        return;
    const amp_priv_result result = device->backend->host_register(device, pin->host + first, bytes, registration);
    if (result.status != AMP_OK) /* transfers work without it */
        amp_priv_log(AMP_PRIV_LOG_INFO,
                     "%zu bytes of host memory could not be registered with %s (%s: %s, %d): transfers are slower",
                     bytes, device->path, result.call, amp_priv_code_name(device, result.code), result.code);
}

/* Registers host memory that is about to move. */
AMP_PRIV_COLD void amp_priv_pin_begin(amp_priv_pin *pin, amp_priv_device *device, void *host, size_t bytes)
{
    pin->device = device;
    pin->host = host;
    pin->bytes = bytes;
    pin->count = bytes >= AMP_PRIV_PIN_IN_CHUNKS && !device->backend->registers_whole ? AMP_PRIV_PIN_CHUNKS : 1;
    pin->chunk_bytes = (bytes / (size_t)pin->count + AMP_PRIV_PAGE - 1) / AMP_PRIV_PAGE * AMP_PRIV_PAGE;
    for (int chunk = 0; chunk < pin->count; chunk++)
        amp_priv_pin_chunk(pin, chunk);
}

/* A staging array's memory is registered from the beginning, from a page on: below that two of them would share one. */
static inline void amp_priv_pin_staging(amp_priv_source *source)
{
    amp_priv_device *const device = source->associated->device;
    if (!device->shares_host && device->backend->host_register && source->bytes >= AMP_PRIV_PAGE)
        amp_priv_pin_begin(&source->staged, device, source->base.data, source->bytes);
}

/* How a source's host memory is registered with a device; NULL: it is not. */
AMP_PRIV_WARM_PART const amp_priv_pin *amp_priv_pin_of(const amp_priv_source *source, const amp_priv_device *device)
{
    if (source->staged.count > 0 && source->staged.device == device)
        return &source->staged;
    const amp_priv_replica *const replica = source->replica[device->number];
    return replica && replica->pin.count > 0 ? &replica->pin : NULL;
}

AMP_PRIV_COLD void amp_priv_pin_end(amp_priv_pin *pin)
{
    for (int i = 0; i < pin->count; i++)
        if (pin->registration[i] && !pin->device->left_behind)
            pin->device->backend->host_unregister(pin->device, pin->registration[i]);
    pin->count = 0;
}

/* // >>move */

/* A transfer between a buffer and host memory, which is registered as `pin` says (NULL: it is not). */
typedef struct amp_priv_transfer {
    amp_priv_queue *queue;
    void *buffer, *host;
    bool to_device;
    const amp_priv_pin *pin;
    size_t pin_from; /* the offset in the buffer of what begins at pin->host; below 0 it wraps, as differences do */
} amp_priv_transfer;

/* Moves a rectangle, cut where it lies in two registered chunks. */
AMP_PRIV_COLD amp_status amp_priv_move_rect(const amp_priv_transfer *t, const amp_priv_rect *rect)
{
    if (t->pin && t->pin->count > 0) {
        const size_t end = rect->offset + (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch +
                           rect->row_bytes;
        const size_t first_chunk = (rect->offset - t->pin_from) / t->pin->chunk_bytes;
        const size_t last_chunk = (end - 1 - t->pin_from) / t->pin->chunk_bytes;
        if (first_chunk != last_chunk) {
            amp_priv_rect a = *rect, b = *rect;
            if (rect->slices > 1) {
                a.slices = rect->slices / 2;
                b.slices = rect->slices - a.slices;
                b.offset += a.slices * rect->slice_pitch;
            } else if (rect->rows > 1) {
                a.rows = rect->rows / 2;
                b.rows = rect->rows - a.rows;
                b.offset += a.rows * rect->row_pitch;
            } else {
                a.row_bytes = (first_chunk + 1) * t->pin->chunk_bytes - (rect->offset - t->pin_from);
                b.row_bytes = rect->row_bytes - a.row_bytes;
                b.offset += a.row_bytes;
            }
            const amp_status status = amp_priv_move_rect(t, &a);
            return status == AMP_OK ? amp_priv_move_rect(t, &b) : status;
        }
    }
    return amp_priv_buffer_transfer(t->queue, t->buffer, t->host, rect, t->to_device);
}

/* Is that byte of the source in one of the shape's elements? */
static inline bool amp_priv_shape_has(const amp_priv_shape *shape, const char *data)
{
    amp_priv_offset rest = (data - shape->data) / (amp_priv_offset)shape->element_size;
    for (int d = 0; d < shape->rank; d++) {
        if (data < shape->data || shape->stride[d] <= 0 || rest / shape->stride[d] >= shape->extent[d])
            return false;
        rest %= shape->stride[d];
    }
    return true;
}

/* A shape has come from the replica to host memory: what is awaited may be in it. */
AMP_PRIV_COLD void amp_priv_awaited_look(amp_priv_source *source, const amp_priv_replica *replica,
                                         const amp_priv_shape *shape, const void *host)
{
    amp_priv_awaited *const awaited = source->awaited;
    const bool is_newest = awaited->changes == replica->changes;
    if (awaited->replica != replica || (is_newest && !amp_priv_shape_has(shape, awaited->data)))
        return;
    source->awaited = NULL;
    if (is_newest) {
        int value;
        memcpy(&value, (const char *)host + (awaited->data - source->base.data), sizeof value);
        const int before =
            amp_priv_error_mode; /* what fails in bringing it may be dropped, and tried again: not this */
        if (before == AMP_PRIV_ERRORS_DROPPED)
            amp_priv_error_mode = AMP_PRIV_ERRORS_DELIVERED;
        awaited->look(awaited, value);
        amp_priv_error_mode_end(before);
    }
    free(awaited);
}

/* Moves a shape between the replica and host memory, and waits for it. `host` is the address that belongs to the
   buffer's first byte, in the memory of `host_owner`: the source itself, or, for copies, another or nobody (NULL). */
AMP_PRIV_COLD amp_status amp_priv_move(amp_priv_source *source, amp_priv_replica *replica, amp_priv_queue *queue,
                                       const amp_priv_shape *shape, void *host, const amp_priv_source *host_owner,
                                       bool to_device)
{
    amp_priv_device *const device = replica->device;
    const size_t bytes = amp_priv_shape_bytes(shape);
    uint64_t began = amp_priv_trace_begin();
    if (__builtin_expect(began != 0, 0) && !to_device) {
        /* what the read would wait for is no part of the transfer */
        const amp_status finished = amp_priv_queue_finish(queue);
        if (finished != AMP_OK)
            return finished;
        began = amp_priv_trace_begin();
    }
    amp_priv_pin other;
    other.count = 0;
    amp_priv_transfer t = { queue, replica->buffer, host, to_device, NULL, 0 };
    if (!device->shares_host && device->backend->host_register) {
        t.pin = host_owner ? amp_priv_pin_of(host_owner, device) : NULL;
        if (t.pin) {
            /* it is registered already */
        } else if (host_owner == source) {
            replica->moved += bytes;
            if (source->bytes >= AMP_PRIV_PIN_BYTES && replica->moved >= AMP_PRIV_PIN_AFTER &&
                replica->moved >= source->bytes / 2) {
                amp_priv_pin_begin(&replica->pin, device, source->base.data, source->bytes);
                t.pin = &replica->pin;
            }
        } else if (to_device && bytes >= AMP_PRIV_PIN_IN_CHUNKS && amp_priv_shape_is_dense(shape)) {
            const size_t first = (size_t)(shape->data - source->base.data);
            amp_priv_pin_begin(&other, device, (void *)((uintptr_t)host + first), bytes);
            t.pin = &other;
        }
        if (t.pin)
            t.pin_from = (size_t)((uintptr_t)t.pin->host - (uintptr_t)host);
    }
    size_t transfers = 0;
    amp_status status = AMP_OK;
    amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, source->base.data, shape, source->base.data);
    replica->changes += to_device;
    for (; r.more && status == AMP_OK; amp_priv_rect_walk_next(&r)) {
        status = amp_priv_move_rect(&t, &r.a);
        transfers++;
    }
    amp_priv_pin_end(&other);
    /* What the transfer waited for has finished, and need not be waited for again. */
    for (int i = replica->access_count - 1; i >= 0 && !device->shares_host; i--)
        (void)amp_priv_access_done(replica, &replica->accesses[i]);
    if (status == AMP_OK && !to_device && source->awaited)
        amp_priv_awaited_look(source, replica, shape, host);
    if (status != AMP_OK || device->shares_host)
        return status;
    amp_priv_count(&source->counters, to_device, bytes, transfers);
    amp_priv_count(&amp_priv_total, to_device, bytes, transfers);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_transfer(atomic_load_explicit(&source->name, memory_order_relaxed),
                                atomic_load_explicit(&source->function, memory_order_relaxed), to_device, bytes, began);
    return AMP_OK;
}

/* Brings a box from the host's memory to a device's. queue: NULL is the device's own. */
AMP_PRIV_COLD amp_status amp_priv_upload(amp_priv_source *source, const amp_priv_box *box, int memory,
                                         amp_priv_queue *queue)
{
    amp_priv_replica *const replica = amp_priv_replica_of(source, memory);
    if (!replica)
        return amp_priv_failed();
    if (!queue)
        queue = amp_priv_device_queue(replica->device);
    if (!queue)
        return amp_priv_failed();
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    if (!replica->device->shares_host) {
        const amp_status status = amp_priv_queue_wait(replica, queue, true);
        if (status != AMP_OK)
            return status;
    }
    return amp_priv_move(source, replica, queue, &shape, source->base.data, source, true);
}

/* Brings a box from a device's memory to the host's. */
AMP_PRIV_COLD amp_status amp_priv_download(amp_priv_source *source, const amp_priv_box *box, int memory)
{
    amp_priv_replica *const replica = source->replica[memory];
    amp_priv_queue *const queue = amp_priv_device_queue(replica->device);
    if (!queue)
        return amp_priv_failed();
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    amp_status status;
    if (replica->device->shares_host) {
        status = amp_priv_host_wait(replica, false);
    } else {
        status = amp_priv_queue_wait(replica, queue, false);
        if (status == AMP_OK)
            status = amp_priv_host_wait_sharing(source, true, 0);
    }
    if (status != AMP_OK)
        return status;
    amp_priv_watch_home_begin(source);
    status = amp_priv_move(source, replica, queue, &shape, source->base.data, source, false);
    amp_priv_watch_home_end(source);
    return status;
}

/* Of the memories in a mask, the one to read from: devices that share the host's memory cost nothing. */
AMP_PRIV_COLD int amp_priv_cheapest_replica(uint32_t valid_in)
{
    int cheapest = -1;
    for (int n = 0; valid_in >> n; n++) {
        if (!(valid_in >> n & 1u))
            continue;
        if (n == 0 || amp_priv_device_number(n)->shares_host)
            return n;
        if (cheapest < 0)
            cheapest = n;
    }
    return cheapest;
}

/* Of the memories in a mask, a device from which one can be reached without the host; 0: none. */
AMP_PRIV_COLD int amp_priv_peer_of(uint32_t valid_in, int memory)
{
    for (int n = 1; !amp_priv_is_host(memory) && valid_in >> n; n++)
        if ((valid_in >> n & 1u) && amp_priv_device_reaches(amp_priv_device_number(n), amp_priv_device_number(memory)))
            return n;
    return 0;
}

/* Makes ready to move something from a device's replica to another one, on its queue, and to note that. The host waits
   for who writes there, to be told if that fails. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_across_begin(amp_priv_replica *from, amp_priv_replica *to, amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool ready = to && queue && amp_priv_host_wait(from, false) == AMP_OK &&
                       amp_priv_queue_wait(to, queue, true) == AMP_OK &&
                       amp_priv_access_reserve(from, queue) == AMP_OK && amp_priv_access_reserve(to, queue) == AMP_OK;
    amp_priv_error_mode_end(before);
    return ready;
}

/* Moves a shape of a source to another one's, from replica to replica on the other's queue, which it does not wait for.
   False: the host has to. */
AMP_PRIV_COLD bool amp_priv_move_across(amp_priv_source *a, amp_priv_replica *from, const amp_priv_shape *shape,
                                        const amp_priv_source *b, amp_priv_replica *to, const amp_priv_shape *there,
                                        amp_priv_queue *queue)
{
    size_t transfers = 0;
    bool moved = true;
    to->changes++;
    amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, a->base.data, there, b->base.data);
    for (; r.more && moved; amp_priv_rect_walk_next(&r)) {
        moved = amp_priv_buffer_copy_from(queue, from->device, from->buffer, &r.a, to->buffer, &r.b);
        transfers += moved;
    }
    if (transfers > 0) {
        const uint64_t last = amp_priv_queue_next_sequence(queue);
        amp_priv_access_add(from, queue, last, false);
        amp_priv_access_add(to, queue, last, true);
    }
    if (!moved)
        return false;
    amp_priv_count_across(&a->counters, amp_priv_shape_bytes(shape), transfers);
    amp_priv_count_across(&amp_priv_total, amp_priv_shape_bytes(shape), transfers);
    return true;
}

/* Brings a box from a device to another one that it reaches. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_bring_across(amp_priv_source *source, const amp_priv_box *box, int from, int memory,
                                         amp_priv_queue *queue)
{
    amp_priv_replica *const a = source->replica[from], *const b = amp_priv_replica_of(source, memory);
    if (b && !queue)
        queue = amp_priv_device_queue(b->device);
    if (!amp_priv_across_begin(a, b, queue))
        return false;
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, box);
    return amp_priv_move_across(source, a, &shape, source, b, &shape, queue);
}

/* Copies a block into a memory, from whichever has it; from a device to one that it does not reach it goes through the
   host's, which then holds it as well. Does not grant it. */
AMP_PRIV_COLD amp_status amp_priv_fetch(amp_priv_source *source, amp_priv_block *block, int memory,
                                        amp_priv_queue *queue)
{
    const int peer = block->valid_in & 1u ? 0 : amp_priv_peer_of(block->valid_in, memory);
    if (peer != 0 && amp_priv_bring_across(source, &block->box, peer, memory, queue))
        return AMP_OK;
    if (!(block->valid_in & 1u)) {
        const amp_status status = amp_priv_download(source, &block->box, amp_priv_cheapest_replica(block->valid_in));
        if (status != AMP_OK)
            return status;
        if (memory != 0)
            amp_priv_block_grant(block, 0, AMP_PRIV_READ);
    }
    return amp_priv_is_host(memory) ? AMP_OK : amp_priv_upload(source, &block->box, memory, queue);
}

/* // >>acquire */

/* Begins a directory anew that got too large: its owner gets everything. */
AMP_PRIV_COLD amp_status amp_priv_collapse_to_owner(amp_priv_source *source)
{
    if (source->directory.valid_in_any & AMP_PRIV_NOBODY)
        return AMP_OK; /* what is unknown stays so */
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        if (block->discarded || (block->valid_in & amp_priv_bit(source->owner)))
            continue;
        const amp_status status = amp_priv_fetch(source, block, source->owner, NULL);
        if (status != AMP_OK) {
            amp_priv_directory_merge(&source->directory); /* what was brought so far is there */
            return status;
        }
        amp_priv_block_grant(block, source->owner, AMP_PRIV_READ);
    }
    amp_priv_directory_reset(&source->directory, source->owner, false);
    return AMP_OK;
}

/* Divides the directory for a request that is granted later, when nothing can fail any more. Nothing else changes. */
AMP_PRIV_WARM amp_status amp_priv_region_reserve(amp_priv_source *source, const amp_priv_region *region, int memory,
                                                 amp_priv_want want)
{
    if (amp_priv_directory_split(&source->directory, region->boxes, region->count, memory, want))
        return AMP_OK;
    return amp_priv_report(AMP_OUT_OF_MEMORY, "no memory on the host to keep track of the parts of a view");
}

/* Grants what was reserved. Returns whether some of it is in pieces, which are to be unified. A merge comes
   afterwards. */
AMP_PRIV_WARM bool amp_priv_region_grant(amp_priv_source *source, const amp_priv_region *region, int memory,
                                         amp_priv_want want)
{
    bool pieces = false;
    for (int b = 0; b < region->count; b++)
        pieces = amp_priv_directory_grant(&source->directory, &region->boxes[b], memory, want) || pieces;
    return pieces;
}

/* Makes one of pieces that are in one state. A merge comes afterwards. */
AMP_PRIV_COLD void amp_priv_region_unify(amp_priv_source *source, const amp_priv_region *region)
{
    for (int b = 0; b < region->count; b++)
        amp_priv_directory_unify(&source->directory, &region->boxes[b]);
}

/* Puts together again what is in one state. */
AMP_PRIV_WARM void amp_priv_region_merge(amp_priv_source *source, const amp_priv_region *region, bool pieces)
{
    if (pieces)
        amp_priv_region_unify(source, region);
    amp_priv_directory_merge(&source->directory);
}

AMP_PRIV_COLD amp_status amp_priv_unknown_contents(void)
{
    return amp_priv_report(
        AMP_RUNTIME_ERROR,
        "the contents of a part of this view or array are unknown since a copy or launch on it failed "
        "half-way; copy to it again, discard it before a kernel overwrites it, or refresh the view");
}

/* Copies what a memory needs of a box into it, block by block, and grants it. The directory was split for it. Sets
   *pieces where the box is in several blocks. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_box(amp_priv_source *source, const amp_priv_box *box, int memory,
                                                   amp_priv_queue *queue, amp_priv_want want, bool *pieces)
{
    amp_priv_box common;
    for (int i = 0; i < source->directory.count; i++) {
        if (!amp_priv_directory_concerns(&source->directory, i, box, memory, want, &common))
            continue;
        amp_priv_block *const block = &source->directory.blocks[i];
        if (amp_priv_block_needs_copy(block, memory, want)) {
            const amp_status status = amp_priv_block_is_unknown(block) ? amp_priv_unknown_contents()
                                                                       : amp_priv_fetch(source, block, memory, queue);
            if (status != AMP_OK)
                return status;
        }
        amp_priv_block_grant(block, memory, want);
        *pieces = *pieces || amp_priv_box_slabs(box, &common, source->directory.rank) > 0;
    }
    return AMP_OK;
}

/* Divides the directory for what is granted later, `granted`, and grants a memory `want` now, which changes no block
   that the other would not: copies in what that needs, and only that. Where that fails, what was brought so far is
   there, and everything else as it was. A merge comes afterwards.
   queue: carries out what goes to a device; NULL is the device's own. */
AMP_PRIV_WARM amp_status amp_priv_acquire_for(amp_priv_source *source, const amp_priv_region *region, int memory,
                                              amp_priv_queue *queue, amp_priv_want want, amp_priv_want granted,
                                              bool *pieces)
{
    amp_status status = amp_priv_region_reserve(source, region, memory, granted);
    for (int b = 0; b < region->count && status == AMP_OK; b++)
        status = amp_priv_acquire_box(source, &region->boxes[b], memory, queue, want, pieces);
    return status;
}

/* Grants a memory what it wants of a region, after copying in what that needs, likewise. */
AMP_PRIV_WARM amp_status amp_priv_acquire_region(amp_priv_source *source, const amp_priv_region *region, int memory,
                                                 amp_priv_queue *queue, amp_priv_want want)
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
    const size_t first = rect->offset + n / rect->rows * rect->slice_pitch + n % rect->rows * rect->row_pitch;
    region->covers = true;
    region->count =
        amp_priv_interval_boxes(source->directory.rank, source->directory.extent, first / source->base.element_size,
                                (first + rect->row_bytes) / source->base.element_size, region->boxes);
}

/* Divides the directory for each row of a shape, or grants them. */
AMP_PRIV_COLD amp_status amp_priv_rows_step(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                            amp_priv_want want, bool grant)
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
                                               amp_priv_want want)
{
    if (amp_priv_rows_step(source, shape, memory, want, false) != AMP_OK)
        return AMP_OUT_OF_MEMORY;
    amp_priv_rows_step(source, shape, memory, want, true);
    amp_priv_directory_merge(&source->directory);
    return AMP_OK;
}

/* The same for a shape. Overwriting a view with gaps reads it, too: its region holds what is in the gaps. */
AMP_PRIV_WARM amp_status amp_priv_acquire_shape(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                                amp_priv_queue *queue, amp_priv_want want)
{
    amp_priv_region region;
    amp_priv_region_of(&source->base, shape, &region);
    if (!region.covers && want == AMP_PRIV_DISCARD)
        return amp_priv_acquire_rows(source, shape, memory, want);
    if (!region.covers && want == AMP_PRIV_WRITE)
        want = AMP_PRIV_READ_WRITE;
    return amp_priv_acquire_region(source, &region, memory, queue, want);
}

/* The same; nearly free when the memory has what it wants everywhere. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire(amp_priv_source *source, const amp_priv_shape *shape, int memory,
                                               amp_priv_queue *queue, amp_priv_want want)
{
    const amp_priv_directory *const directory = &source->directory;
    const uint32_t bit = amp_priv_bit(memory);
    if (want == AMP_PRIV_READ && (directory->valid_in_all & bit))
        return AMP_OK;
    if (want != AMP_PRIV_DISCARD && amp_priv_directory_is_owned(directory, memory))
        return AMP_OK;
    return amp_priv_acquire_shape(source, shape, memory, queue, want);
}

/* Prepares a memory to overwrite a shape: brings what is in the gaps of its region there, and reserves the grant. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_overwrite_begin(amp_priv_source *source, const amp_priv_shape *shape,
                                                         int memory, amp_priv_queue *queue, amp_priv_region *region)
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
    amp_priv_watch_note(source, AMP_PRIV_WRITE);
    amp_priv_region_merge(source, region, amp_priv_region_grant(source, region, memory, AMP_PRIV_WRITE));
}

/* What these memories hold of a shape is not known any more, because something that writes it failed half-way. */
AMP_PRIV_COLD void amp_priv_spoil(amp_priv_source *source, const amp_priv_shape *shape, uint32_t memories)
{
    amp_priv_region region;
    amp_priv_watch_note(source, AMP_PRIV_WRITE);
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, source->base.data, shape, source->base.data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t n = 0; n < r.a.rows * r.a.slices; n++) {
            amp_priv_region_of_row(source, &r.a, n, &region);
            for (int b = 0; b < region.count; b++)
                amp_priv_directory_spoil(&source->directory, &region.boxes[b], memories);
        }
}

/* The memories that are the same bytes as `memory`: the host's, and those of devices that share it; or it alone. */
AMP_PRIV_COLD uint32_t amp_priv_same_memory(const amp_priv_source *source, int memory)
{
    if (memory != 0 && !amp_priv_device_number(memory)->shares_host)
        return amp_priv_bit(memory);
    uint32_t memories = 1u;
    for (int n = 1; source->replicas >> n; n++)
        if (source->replica[n] && source->replica[n]->device->shares_host)
            memories |= amp_priv_bit(n);
    return memories;
}

/* The host gets access to a shape, with the source's lock held. Where that is refused, the host may write there all the
   same, and refresh: it has waited for kernels there, or that is the error. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_host(amp_priv_source *source, const amp_priv_shape *shape,
                                                    amp_priv_want want)
{
    amp_status status = AMP_OK;
    if (__builtin_expect(source->recorder != NULL, 0) && source->recorder == amp_priv_recording_here)
        status = amp_priv_record_refuse("the host's access to what a recorded launch uses");
    /* Nothing is brought for discarded blocks, but a kernel may be writing there. */
    else if (want != AMP_PRIV_READ || source->directory.discarded)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, 0);
    if (status == AMP_OK)
        status = amp_priv_acquire(source, shape, 0, NULL, want);
    if (__builtin_expect(status == AMP_OK, 1))
        return AMP_OK;
    const amp_status waited = amp_priv_host_wait_sharing(source, true, 0);
    return waited == AMP_OK ? status : waited;
}

/* A device gets access to a shape; what queue does next comes after what others do with it. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_device(amp_priv_source *source, const amp_priv_shape *shape,
                                                      amp_priv_queue *queue, amp_priv_want want)
{
    amp_priv_replica *const replica = amp_priv_replica_of(source, queue->device->number);
    if (!replica)
        return amp_priv_failed();
    if (want != AMP_PRIV_READ)
        amp_priv_watch_note(source, want);
    amp_status status = amp_priv_acquire(source, shape, queue->device->number, queue, want);
    if (status == AMP_OK)
        status = amp_priv_queue_wait(replica, queue, want != AMP_PRIV_READ);
    if (status == AMP_OK && queue->device->shares_host)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, queue->device->number);
    return status;
}

/* // >>under: host memory that a copy is given as a pointer, and that may lie under views. */

/* Are the newest contents of a region elsewhere, or unknown? */
AMP_PRIV_COLD bool amp_priv_region_away(const amp_priv_source *source, const amp_priv_region *region)
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

/* Before the host writes bytes under a source: pending changes come home, and devices forget what they hold. Before it
   reads: there must be none, for nobody knows whether the user has written there since. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_under_source(amp_priv_source *source, uintptr_t first, uintptr_t end,
                                                      bool writes)
{
    amp_priv_source_settle(source);
    amp_priv_lock(&source->lock);
    if (!amp_priv_life_meets(&source->life, first, end)) { /* it has ended */
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
        amp_priv_watch_note(source, AMP_PRIV_WRITE);
        status = amp_priv_host_wait_sharing(source, true, 0);
        if (status == AMP_OK)
            status = amp_priv_acquire_region(source, &region, 0, NULL, AMP_PRIV_READ_WRITE);
    } else if (amp_priv_region_away(source, &region)) {
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "a copy from host memory: what is at %p lies under a view whose newest contents are "
                                 "not there, but on a device; synchronize the view before, or refresh it if the memory "
                                 "was written directly",
                                 (void *)(base + from));
    }
    amp_priv_source_unlock(source);
    return status;
}

/* The same for all sources. They are locked one at a time, and no lock may be held. */
AMP_PRIV_WARM_PART amp_status amp_priv_under_views(const char *data, size_t bytes, bool writes)
{
    const uintptr_t first = (uintptr_t)data, end = first + bytes;
    if (!AMP_PRIV_HOST_CHECKED && !atomic_load_explicit(&amp_priv_lives.away, memory_order_relaxed))
        return AMP_OK;
    amp_status status = AMP_OK;
    for (amp_priv_life *life = amp_priv_life_newest(first, end); life && status == AMP_OK;
         life = amp_priv_life_next(life, first, end))
        status = amp_priv_under_source((amp_priv_source *)life, first, end, writes);
    return status;
}

/* // >>life */

#if defined(AMP_CHECKED)
/* Notes which other sources are on memory of this one. */
AMP_PRIV_COLD void amp_priv_watch_shared(amp_priv_source *source)
{
    const uintptr_t first = (uintptr_t)source->base.data, end = first + source->bytes;
    amp_priv_lock(&amp_priv_watch_lock);
    for (amp_priv_life *life = amp_priv_life_newest(first, end); life; life = amp_priv_life_next(life, first, end))
        if (life != &source->life)
            ((amp_priv_source *)life)->watch.is_shared = source->watch.is_shared = true;
    amp_priv_unlock(&amp_priv_watch_lock);
}
#else
#define amp_priv_watch_shared(source) (void)0
#endif

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
            amp_priv_report(AMP_RUNTIME_ERROR,
                            "%s: an extent of this size does not fit the address space; use a smaller one", call);
            return NULL;
        }
        size *= (size_t)extent[d];
    }
    amp_priv_devices_init();
    bool is_new;
    amp_priv_source *const source = (amp_priv_source *)amp_priv_life_begin(sizeof *source, &is_new);
    const size_t align = size >= AMP_PRIV_PAGE ? AMP_PRIV_PAGE : 64;
    const bool owns = !host;
    if (source && owns)
        host = amp_priv_aligned_alloc(align, size);
    if (source)
        amp_priv_source_clear(source, is_new);
    if (!source || !host) {
        if (source)
            amp_priv_life_end(&source->life);
        amp_priv_report(AMP_OUT_OF_MEMORY,
                        "%s: no memory on the host for %zu bytes; release arrays and views that are done with", call,
                        size);
        return NULL;
    }
    source->life.runtime = amp_priv_stamp;
    amp_priv_life_made(&source->life, call);
    atomic_init(&source->references, 1);
    source->base = amp_priv_dense(host, element_size, rank, extent);
    source->owns_host = owns;
    source->bytes = size;
    amp_priv_directory_init(&source->directory, rank, extent);
    if (!owns) {
        atomic_store_explicit(&source->life.end, (uintptr_t)host + size, memory_order_relaxed);
        atomic_store_explicit(&source->life.first, (uintptr_t)host, memory_order_release);
        amp_priv_watch_shared(source);
    }
    amp_priv_watch_unwritten(source, owns);
    return source;
}

/* Brings what is pending to the user's memory. What fails is tried again, and does not keep the rest from coming. */
AMP_PRIV_COLD amp_status amp_priv_write_back(amp_priv_source *source)
{
    amp_status status = AMP_OK;
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        if (block->discarded || (block->valid_in & 1u))
            continue;
        amp_status this = AMP_RUNTIME_ERROR;
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
        if (!amp_priv_block_is_unknown(block))
            this = amp_priv_fetch(source, block, 0, NULL);
        amp_priv_error_mode_end(before);
        if (this != AMP_OK)
            this =
                amp_priv_block_is_unknown(block) ? amp_priv_unknown_contents() : amp_priv_fetch(source, block, 0, NULL);
        if (status == AMP_OK)
            status = this;
    }
    return status;
}

/* Has everything on a replica ended? Waits for it, and where that fails, once more. */
AMP_PRIV_COLD bool amp_priv_replica_idle(amp_priv_replica *replica)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool idle = amp_priv_host_wait(replica, true) == AMP_OK || amp_priv_host_wait(replica, true) == AMP_OK;
    amp_priv_error_mode_end(before);
    return idle;
}

/* Closes a replica. False: commands still work in host memory, and nobody knows when they end; then it is kept. */
AMP_PRIV_COLD bool amp_priv_replica_close(amp_priv_replica *replica)
{
    const bool idle = amp_priv_replica_idle(replica);
    if (!idle && replica->device->shares_host && !replica->device->left_behind)
        return false;
    while (replica->access_count > 0)
        amp_priv_access_drop(replica, replica->access_count - 1);
    amp_priv_images_close(replica->device, &replica->images);
    if (!replica->is_users)
        amp_priv_buffer_close(replica->device, replica->buffer);
    amp_priv_pin_end(&replica->pin);
    if (replica->accesses != replica->inline_accesses)
        free(replica->accesses);
    free(replica);
    return true;
}

/* When the last owner is gone: waits for what is in flight, writes pending changes back to the user's memory and gives
   everything back but what may still be in use. */
AMP_PRIV_WARM amp_status amp_priv_source_end(amp_priv_source *source)
{
    bool closed = true;
    amp_priv_lock(&source->lock);
    amp_status status = source->owns_host ? AMP_OK : amp_priv_write_back(source);
    for (int n = 0; n < AMP_PRIV_MAX_DEVICES; n++)
        if (source->replica[n])
            closed = amp_priv_replica_close(source->replica[n]) && closed;
    if (!closed)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "%zu bytes at %p, and what belongs to them, are kept for good: kernels use them that cannot be "
                     "waited for",
                     source->bytes, (void *)source->base.data);
    if (!closed && !source->owns_host)
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "release: kernels that cannot be waited for may still use the memory at %p; do not "
                                 "free it",
                                 (void *)source->base.data);
    if (source->queue)
        amp_priv_queue_release(source->queue);
    if (source->associated)
        amp_priv_queue_release(source->associated);
    amp_priv_pin_end(&source->staged);
    if (source->owns_host && closed)
        amp_priv_aligned_free(source->base.data);
    amp_priv_directory_free(&source->directory);
    amp_priv_watch_end(source);
    free(source->awaited);
    atomic_store_explicit(&source->life.first, 0, memory_order_relaxed);
    amp_priv_unlock(&source->lock);
    amp_priv_life_end(&source->life);
    return status;
}

/* One owner less. */
static inline amp_status amp_priv_source_release(amp_priv_source *source)
{
    amp_priv_source_settle(source);
    if (atomic_fetch_sub_explicit(&source->references, 1, memory_order_acq_rel) != 1)
        return AMP_OK;
    return amp_priv_source_end(source);
}

/* // >>host */

AMP_PRIV_COLD void amp_priv_head_refuse(const amp_priv_head *head, const char *call)
{
    char what[256];
    if (head->kind && head->source && head->source != AMP_PRIV_IN_KERNEL) {
        if (!amp_priv_is_ours(head->source)) {
            amp_priv_report_foreign(head->source, call, "this view or array");
            return;
        }
        snprintf(what, sizeof what, "%s: this view or array", call);
        amp_priv_stale_report(&head->source->life, head, what);
        return;
    }
    if (head->source == AMP_PRIV_IN_KERNEL) {
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "%s: this is a kernel's view, or one that AMP_HOST_VIEW declared for AMP_AT; use the view that it "
            "was made of",
            call);
        return;
    }
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: this view or array was never created (its creation failed?), or was already released", call);
}

/* Was the view or array created, here and outside of kernels, and not released? */
static inline bool amp_priv_head_is_live(const amp_priv_head *head)
{
    return head->kind && head->source && head->source != AMP_PRIV_IN_KERNEL && amp_priv_is_ours(head->source) &&
           !amp_priv_is_stale(&head->source->life, head);
}

/* The same; else reports it. */
static inline bool amp_priv_head_ready(const amp_priv_head *head, const char *call)
{
    if (__builtin_expect(amp_priv_head_is_live(head), 1))
        return true;
    amp_priv_head_refuse(head, call);
    return false;
}

/* May the host touch the elements of this array? Else reports it. */
static inline bool amp_priv_host_may(const amp_priv_head *head, const char *call)
{
    const amp_priv_source *const source = head->source;
    if (head->kind != AMP_PRIV_ARRAY || source->cpu_access != AMP_ACCESS_NONE)
        return true;
    const amp_priv_device *const device = source->queue->device;
    amp_priv_report(
        AMP_RUNTIME_ERROR,
        "%s: the array lives on %s (%s) and is not accessible on the CPU; use a view on it (amp_view_of), or copy it "
        "(amp_copy_out)",
        call, device->path, device->description);
    return false;
}

/* Brings what a live view needs to the host. */
AMP_PRIV_WARM bool amp_priv_host_acquire(const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_source_lock(head->source);
    const amp_status status =
        amp_priv_acquire_host(head->source, &shape,
                              head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE);
    amp_priv_source_unlock(head->source);
    return status == AMP_OK;
}

AMP_PRIV_WARM bool amp_priv_host_access_slowly(const amp_priv_head *head, const char *call)
{
    if (!amp_priv_head_ready(head, call) || !amp_priv_host_may(head, call) || !amp_priv_host_acquire(head))
        return false;
    amp_priv_watch_note(head->source, head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE);
    return true;
}

/* Is all of the view's source, which has not ended, in the host's memory for what the view may do with it? */
static inline bool amp_priv_host_has(const amp_priv_head *head)
{
    const unsigned access = atomic_load_explicit(&head->source->life.access, memory_order_acquire);
    const unsigned state = access - head->stamp - AMP_PRIV_HOST_WRITES;
    return state <= (head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_HOST_READS - AMP_PRIV_HOST_WRITES : 0u);
}

/* An access of the host's that needs nothing more. */
static inline bool amp_priv_host_ready(const amp_priv_head *head)
{
    if (__builtin_expect(head->source == NULL, 0) || __builtin_expect(!amp_priv_host_has(head), 0))
        return false;
    amp_priv_watch_note(head->source, head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE);
    return true;
}

/* AMP_AT on the host: the view's newest contents are in host memory when this returns true; else it has reported. */
static inline bool amp_priv_host_access(const amp_priv_head *head)
{
    return amp_priv_host_ready(head) || amp_priv_host_access_slowly(head, "AMP_AT");
}

#if defined(AMP_CHECKED)
static inline bool amp_priv_host_access_at(const amp_priv_access *access, const amp_priv_head *head)
{
    char call[256];
    snprintf(call, sizeof call, "AMP_AT(%s, ...) at %s:%d", access->view, access->file, access->line);
    return amp_priv_host_access_slowly(head, call);
}
#endif

/* // >>launch */

/* The head of capture i, NULL when it is no view or array. */
static inline const amp_priv_head *amp_priv_captured_head(void *const *captured, const amp_priv_capture *captures,
                                                          int i)
{
    return captures[i].kind == AMP_PRIV_CAPTURE_VIEW ? (const amp_priv_head *)captured[i] : NULL;
}

static inline const amp_priv_head *amp_priv_launch_head(const amp_priv_launch *launch, int i)
{
    return amp_priv_captured_head(launch->captured, launch->site->captures, i);
}

/* While tracing: sources get the name of their first capture. */
AMP_PRIV_COLD void amp_priv_launch_name_sources(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || atomic_load_explicit(&head->source->name, memory_order_relaxed))
            continue;
        atomic_store_explicit(&head->source->function, launch->site->function, memory_order_relaxed);
        atomic_store_explicit(&head->source->name, launch->site->captures[i].name, memory_order_relaxed);
    }
}

/* Reports a captured view or array of another library's runtime. */
AMP_PRIV_COLD amp_status amp_priv_capture_foreign(const amp_priv_site *site, const amp_priv_source *source, int i)
{
    char call[512];
    return amp_priv_report_foreign(source, amp_priv_site_text(site, call, sizeof call), site->captures[i].name);
}

/* Is there one? Then reports it. */
AMP_PRIV_COLD bool amp_priv_captures_foreign(const amp_priv_site *site, void *const *captured)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_captured_head(captured, site->captures, i);
        if (head && head->source && head->source != AMP_PRIV_IN_KERNEL && !amp_priv_is_ours(head->source)) {
            amp_priv_capture_foreign(site, head->source, i);
            return true;
        }
    }
    return false;
}

/* Reports a captured view or array that does not live. */
AMP_PRIV_COLD amp_status amp_priv_capture_refuse(const amp_priv_site *site, const amp_priv_head *head, int i)
{
    const char *const name = site->captures[i].name;
    amp_priv_source *const source = head->source;
    if (!head->kind || !source)
        return amp_priv_site_report(site, AMP_UNINITIALIZED_OBJECT,
                                    "%s was never created (its creation failed?), or was already released", name);
    if (source == AMP_PRIV_IN_KERNEL)
        return amp_priv_site_report(
            site, AMP_RUNTIME_ERROR,
            "%s comes from a kernel that is running, and a kernel launches no other: "
            "call %s outside of kernels; or AMP_HOST_VIEW declared it: capture the view that it "
            "was made of",
            name, site->function);
    if (!amp_priv_is_ours(source))
        return amp_priv_capture_foreign(site, source, i);
    char where[512], what[640];
    snprintf(what, sizeof what, "%s: %s", amp_priv_site_text(site, where, sizeof where), name);
    return amp_priv_stale_report(&source->life, head, what);
}

/* What one look at the captures of a launch tells of where they are. */
typedef struct amp_priv_capture_places {
    const amp_priv_source *array; /* the first array, a staging array only where there is no other; NULL: none */
    uint32_t cached;              /* the devices that hold some of a view */
} amp_priv_capture_places;

/* Looks at each capture: all must live. False after reporting. */
static inline bool amp_priv_captures_look(const amp_priv_launch *launch, amp_priv_capture_places *places)
{
    const amp_priv_source *array = NULL;
    uint32_t cached = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        if (__builtin_expect(!amp_priv_head_is_live(head), 0)) {
            amp_priv_capture_refuse(launch->site, head, i);
            return false;
        }
        if (head->kind == AMP_PRIV_ARRAY && (!array || array->is_staging))
            array = head->source;
        cached |= atomic_load_explicit(&head->source->cached, memory_order_relaxed);
    }
    *places = (amp_priv_capture_places){ array, cached & ~1u };
    return true;
}

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

/* The queue for a launch that names none: that of captured arrays, else where captured views are, else the default.
   NULL after reporting. */
static inline amp_priv_queue *amp_priv_memory_target(const amp_priv_launch *launch,
                                                     const amp_priv_capture_places *places)
{
    if (places->array && !places->array->is_staging)
        return places->array->queue;
    amp_priv_queue *const standard = amp_priv_default_queue();
    if (__builtin_expect(!standard || (places->cached & ~amp_priv_bit(standard->device->number)) == 0, 1))
        return standard;
    return amp_priv_cached_target(launch, standard, places->cached);
}

/* Reports captured array i, which does not live where the launch runs; `there` is one that does, or -1. */
AMP_PRIV_COLD amp_status amp_priv_array_refuse(const amp_priv_launch *launch, int i, int there)
{
    const amp_priv_capture *const captures = launch->site->captures;
    const amp_priv_device *const device = amp_priv_launch_head(launch, i)->source->queue->device;
    const amp_priv_device *const target = launch->queue->device;
    if (there >= 0)
        return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                    "the array %s lives on %s (%s), but the array %s on %s (%s); copy "
                                    "one to where the other is, or capture a view on it (amp_view_of)",
                                    captures[there].name, target->path, target->description, captures[i].name,
                                    device->path, device->description);
    return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                "the array %s lives on %s (%s), but the launch is on %s (%s); launch it "
                                "there, copy the array, or capture a view on it (amp_view_of)",
                                captures[i].name, device->path, device->description, target->path, target->description);
}

/* Captured arrays must live on the launch's device, and not be staging arrays. */
AMP_PRIV_NOINLINE amp_status amp_priv_launch_arrays(const amp_priv_launch *launch)
{
    int there = -1;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || head->kind != AMP_PRIV_ARRAY)
            continue;
        if (head->source->is_staging)
            return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                        "%s is a staging array, which is for copies only; copy it to an array "
                                        "on %s and capture that",
                                        launch->site->captures[i].name, launch->queue->device->path);
        if (head->source->owner != launch->queue->device->number)
            return amp_priv_array_refuse(launch, i, there);
        there = i;
    }
    return AMP_OK;
}

/* Chooses launch->queue: `queue`, unless it is NULL. All captures live then, and arrays where the launch runs. False
   after reporting. */
static inline bool amp_priv_launch_place(amp_priv_launch *launch, amp_priv_queue *queue)
{
    amp_priv_capture_places places;
    if (!amp_priv_captures_look(launch, &places))
        return false;
    launch->queue = queue ? queue : amp_priv_memory_target(launch, &places);
    return amp_priv_queue_usable(launch->queue, launch->site->function) == AMP_OK &&
           (!places.array || amp_priv_launch_arrays(launch) == AMP_OK);
}

/* What a command, or a replay of many, does to the directories of its sources: each is divided once before, and put
   together once afterwards. */
typedef struct amp_priv_changes {
    bool written; /* something is, that the device does not own before: it is granted when the command is submitted */
    bool pieces;  /* something used is in several blocks */
} amp_priv_changes;

/* The sources of a launch, each once, in the order of their addresses; written[n]: may the kernel write it? */
typedef struct amp_priv_sources {
    int count;
    bool steady; /* the device has them all, no other queue uses them: only the numbers of commands change */
    amp_priv_changes changes;
    amp_priv_source *source[AMP_PRIV_MAX_CAPTURES];
    bool written[AMP_PRIV_MAX_CAPTURES];
} amp_priv_sources;

/* One that is not behind all the others, or is there already. */
AMP_PRIV_FOR_DEVICES void amp_priv_sources_insert(amp_priv_sources *sources, amp_priv_source *source, bool writes,
                                                  bool *shared)
{
    int at = sources->count;
    while (at > 0 && sources->source[at - 1] > source)
        at--;
    if (at > 0 && sources->source[at - 1] == source) {
        sources->written[at - 1] = sources->written[at - 1] || writes;
        *shared = true;
        return;
    }
    for (int k = sources->count++; k > at; k--) {
        sources->source[k] = sources->source[k - 1];
        sources->written[k] = sources->written[k - 1];
    }
    sources->source[at] = source;
    sources->written[at] = writes;
}

/* Fills it, and waits for asynchronous operations on them. */
static inline void amp_priv_launch_sources(amp_priv_launch *launch, amp_priv_sources *sources)
{
    sources->count = 0;
    sources->changes = (amp_priv_changes){ false, false };
    launch->shared_sources = false;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const int n = sources->count;
        const bool writes = head->kind != AMP_PRIV_CONST_VIEW;
        amp_priv_source_settle(head->source);
        if (n == 0 || sources->source[n - 1] < head->source) {
            sources->source[n] = head->source;
            sources->written[n] = writes;
            sources->count++;
        } else {
            amp_priv_sources_insert(sources, head->source, writes, &launch->shared_sources);
        }
    }
}

/* The CPU loops work in host memory and have finished when they return: each capture is a host access. They declare
   their names from the copies of the captures, which are in a kernel from here on. On failure: reported. */
static inline bool amp_priv_memory_begin_host(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        amp_priv_head *const head = launch->captured[i];
        if (__builtin_expect(!amp_priv_host_has(head), 0) && !amp_priv_host_acquire(head))
            return false;
        head->source = AMP_PRIV_IN_KERNEL;
        /* The compiler knows nothing more of what a view points to: amp/atomics.h relies on it. */
        __asm__ volatile("" : : "r"(head) : "memory");
#if defined(AMP_CHECKED)
        head->fault = launch->fault;
        head->capture = i;
#endif
    }
    return true;
}

/* Has the device what a command uses, for what that does with it? */
static inline bool amp_priv_use_is_ready(const amp_priv_source *source, int number, bool writes)
{
    return amp_priv_directory_is_owned(&source->directory, number) ||
           (!writes && (source->directory.valid_in_all & amp_priv_bit(number)));
}

/* Gives a queue's device what a command of it uses, with the source locked. What a view with gaps needs is all of its
   region: where it is written, that is. The directory stays divided until the end. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_use_begin(amp_priv_source *source, const amp_priv_shape *shape,
                                                   amp_priv_queue *queue, bool writes, amp_priv_changes *changes)
{
    const int number = queue->device->number;
    amp_priv_region region;
    changes->written = changes->written || writes;
    amp_priv_region_of(&source->base, shape, &region);
    return amp_priv_acquire_for(source, &region, number, queue, AMP_PRIV_READ,
                                writes ? AMP_PRIV_READ_WRITE : AMP_PRIV_READ, &changes->pieces);
}

/* The command that writes it was submitted: the device owns it. */
AMP_PRIV_FOR_DEVICES void amp_priv_use_written(amp_priv_source *source, const amp_priv_shape *shape, int number,
                                               amp_priv_changes *changes)
{
    amp_priv_region region;
    amp_priv_region_of(&source->base, shape, &region);
    changes->pieces = amp_priv_region_grant(source, &region, number, AMP_PRIV_READ_WRITE) || changes->pieces;
}

/* Makes one of what it uses, when all is granted; where that divided nothing, no merge would come afterwards. */
AMP_PRIV_COLD void amp_priv_use_unify(amp_priv_source *source, const amp_priv_shape *shape)
{
    amp_priv_region region;
    if (!source->directory.divided)
        return;
    amp_priv_region_of(&source->base, shape, &region);
    amp_priv_region_unify(source, &region);
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

/* Gives the device each captured view, with the sources locked. */
AMP_PRIV_FOR_DEVICES_PART amp_status amp_priv_launch_acquire(amp_priv_launch *launch, amp_priv_sources *sources)
{
    amp_priv_device *const device = launch->queue->device;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        amp_priv_source *const source = head->source;
        amp_priv_replica *const replica = amp_priv_replica_of(source, device->number);
        if (!replica)
            return amp_priv_failed();
        launch->buffer[i] = replica->buffer;
        launch->host[i] = source->base.data;
        if (amp_priv_use_is_ready(source, device->number, head->kind != AMP_PRIV_CONST_VIEW))
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        const amp_status status =
            amp_priv_use_begin(source, &shape, launch->queue, head->kind != AMP_PRIV_CONST_VIEW, &sources->changes);
        if (status != AMP_OK)
            return status;
    }
    return AMP_OK;
}

/* Some of a launch's commands run, the others never will: what it writes is not known. */
AMP_PRIV_COLD void amp_priv_launch_spoil(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || head->kind == AMP_PRIV_CONST_VIEW)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_spoil(head->source, &shape, ~UINT32_C(0));
    }
}

/* The device owns what the kernel writes. */
AMP_PRIV_FOR_DEVICES_PART void amp_priv_launch_written(const amp_priv_launch *launch, amp_priv_changes *changes)
{
    const int number = launch->queue->device->number;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || head->kind == AMP_PRIV_CONST_VIEW || amp_priv_directory_is_owned(&head->source->directory, number))
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_use_written(head->source, &shape, number, changes);
    }
}

/* Makes one of each view of a launch, where that is in pieces. */
AMP_PRIV_COLD void amp_priv_launch_unify(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_use_unify(head->source, &shape);
    }
}

/* Notes the kernel, and unlocks, where the sources are steady: what the host may do with them is what it was. */
static inline void amp_priv_memory_end_steady(amp_priv_queue *queue, amp_priv_sources *sources)
{
    const int device = queue->device->number;
    const uint64_t number = amp_priv_queue_next_sequence(queue);
    for (int n = 0; n < sources->count; n++) {
        amp_priv_source *const source = sources->source[n];
        amp_priv_access_note(source->replica[device], source->replica[device]->accesses, number, sources->written[n]);
        amp_priv_unlock(&source->lock);
    }
}

/* The same where something changed, or where it failed. What that takes was reserved. */
AMP_PRIV_FOR_DEVICES void amp_priv_memory_end_changed(amp_priv_launch *launch, amp_priv_sources *sources,
                                                      amp_status status)
{
    const int device = launch->queue->device->number;
    amp_priv_changes *const changes = &sources->changes;
    const bool submitted = status == AMP_OK || launch->partly;
    const uint64_t number = submitted ? amp_priv_queue_next_sequence(launch->queue) : 0;
    if (status == AMP_OK && changes->written)
        amp_priv_launch_written(launch, changes);
    else if (__builtin_expect(launch->partly, 0))
        amp_priv_launch_spoil(launch);
    if (__builtin_expect(changes->pieces, 0))
        amp_priv_launch_unify(launch);
    for (int n = 0; n < sources->count; n++) {
        amp_priv_source *const source = sources->source[n];
        if (submitted)
            amp_priv_access_add(source->replica[device], launch->queue, number, sources->written[n]);
        if (source->directory.divided)
            amp_priv_directory_merge(&source->directory);
        amp_priv_source_unlock(source);
    }
}

/* After a launch on a device: notes the kernel and what it writes, and unlocks. */
static inline void amp_priv_memory_end(amp_priv_launch *launch, amp_priv_sources *sources, amp_status status)
{
    if (__builtin_expect(sources->steady && status == AMP_OK, 1))
        amp_priv_memory_end_steady(launch->queue, sources);
    else
        amp_priv_memory_end_changed(launch, sources, status);
}

/* Locks them. Are all replicas and all commands in flight the launch's own queue's? */
static inline bool amp_priv_sources_lock(const amp_priv_queue *queue, amp_priv_sources *sources)
{
    const int number = queue->device->number;
    bool own = true;
    for (int n = 0; n < sources->count; n++) {
        amp_priv_lock(&sources->source[n]->lock);
        own = own && amp_priv_access_is_own(sources->source[n], queue, number);
    }
    return own;
}

/* Gives the device what it has not, where the sources are not steady. */
AMP_PRIV_FOR_DEVICES amp_status amp_priv_memory_bring(amp_priv_launch *launch, amp_priv_sources *sources)
{
    for (int n = 0; n < sources->count; n++)
        amp_priv_source_trim(sources->source[n]);
    amp_status status = amp_priv_launch_acquire(launch, sources);
    for (int n = 0; n < sources->count; n++)
        if (status == AMP_OK &&
            !amp_priv_access_is_own(sources->source[n], launch->queue, launch->queue->device->number))
            status = amp_priv_access_begin(sources->source[n], launch->queue, sources->written[n]);
    if (status != AMP_OK)
        amp_priv_memory_end_changed(launch, sources, status);
    return status;
}

/* Before a launch on a device: every captured view's newest contents are there, and launch->buffer and ->host filled.
   `sources` stay locked until amp_priv_memory_end. On failure: reported, unlocked, contents as before. */
static inline amp_status amp_priv_memory_begin(amp_priv_launch *launch, amp_priv_sources *sources)
{
    amp_priv_launch_sources(launch, sources);
    sources->steady = amp_priv_sources_lock(launch->queue, sources) && amp_priv_launch_has_all(launch) &&
                      __builtin_expect(!launch->recording, 1);
    return __builtin_expect(sources->steady, 1) ? AMP_OK : amp_priv_memory_bring(launch, sources);
}

#endif /* AMP_SOURCE_H */
