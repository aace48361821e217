/* SPDX-License-Identifier: MIT */
/*  amp/memory/source.h - data sources: the memory of views

    Contents (search for the tag):
        >>counters  >>source  >>lock  >>unknown */
#ifndef AMP_MEMORY_SOURCE_H
#define AMP_MEMORY_SOURCE_H

#include "../api/array_view.h"
#include "../device/future.h"
#include "fork.h"
#include "handles.h"
#include "host_writes.h"
#include "shape.h"
#if AMP_PRIV_HAS_OTHERS
#include "replica.h"
#endif

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

enum { AMP_PRIV_PAGE = 4096 };

/* Limits of the host: added to AMP_PRIV_HOST_WRITES they are AMP_PRIV_HOST_READS and AMP_PRIV_HOST_ASKS. */
enum { AMP_PRIV_HOST_READ_ONLY = 1, AMP_PRIV_HOST_DENIED = 2 };

struct amp_priv_source {
    amp_priv_handle_slot life;
    amp_priv_mutex lock;
    atomic_int references; /* those that views stand for, and one for each asynchronous operation */
    atomic_int pending;    /* asynchronous operations that are not done; changes with the worker's lock held */

    /* What is above stays when the record is used again; these two counts are 0 then. */
    atomic_uint cached; /* the memories that hold some of it: the directory's `valid_in_any` */

    amp_priv_shape base; /* all of it; its data is host memory: the user's, or our own, reserved at creation and touched
                            when needed */
    size_t bytes;
    bool owns_host;
    bool is_array, is_staging, no_source;
    bool is_temporary; /* an algorithm's, whose kernels need not leave the same there on all devices */
    int owner;         /* the memory that synchronize and the last release bring changes to: 0, or an array's device */
    amp_access_type cpu_access;         /* arrays */
    amp_priv_queue *queue, *associated; /* arrays; each holds a reference */
#if AMP_PRIV_HAS_OTHERS
    amp_priv_pin staged; /* a staging array's memory: registered with the associated device for as long as it lives */
    amp_priv_directory directory;
    uint32_t replicas; /* bit n: replica[n] is there */
    amp_priv_replica *replica[AMP_PRIV_MAX_DEVICES];
    amp_priv_deferred_read *awaited; /* the newest, or NULL */
#else
    struct amp_priv_unknown_hook *unknown; /* NULL: all of its contents are known, and in host memory */
#endif
    amp_priv_counters counters;
    _Atomic(const char *) name, function; /* of its first capture while tracing */
    unsigned host_limit;                  /* 0, or AMP_PRIV_HOST_READ_ONLY, _DENIED: a module keeps the host from it */
    const amp_priv_recording *recorder;   /* the last that a command on it is noted in, until that ends */
    struct amp_priv_rank_rows
        *rank_rows; /* which ranks have which rows (amp/mpi/rank_rows.h); NULL: it is not divided */
    AMP_PRIV_WRITE_CHECK
};

static inline amp_priv_device *amp_priv_device_number(int number) { return amp_priv_accelerators.device[number]; }

/* // >>lock
   Several sources are locked in the order of their addresses (amp/memory/use_list.h). Asynchronous operations on them
   come first; only the worker itself, in a callback, goes ahead of those. No lock is held where they are awaited: the
   worker, or a callback that comes before them, may need it. */

typedef struct amp_priv_used_source {
    amp_priv_source *source;
    bool written;
} amp_priv_used_source;

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

static inline void amp_priv_source_wait(amp_priv_source *source)
{
    amp_priv_lock_none();
    if (__builtin_expect(atomic_load_explicit(&source->pending, memory_order_acquire) > 0, 0))
        amp_priv_source_settle_slowly(source);
}

/* The same, before its memory is used. */
static inline void amp_priv_source_settle(amp_priv_source *source)
{
    amp_priv_source_wait(source);
    amp_priv_write_check_show(source);
}

/* Notes what the host may do without asking: `state`, unless something keeps it from that. With the lock held. */
static inline void amp_priv_source_publish(amp_priv_source *source, unsigned state)
{
    if (__builtin_expect(state < AMP_PRIV_HOST_WRITES + source->host_limit, 0))
        state = AMP_PRIV_HOST_WRITES + source->host_limit;
    if (atomic_load_explicit(&source->pending, memory_order_relaxed) > 0 || amp_priv_write_check_is_away(source))
        state = AMP_PRIV_HOST_ASKS;
    if (state != AMP_PRIV_HOST_WRITES && !source->owns_host &&
        !atomic_load_explicit(&amp_priv_handle_table.has_device_changes, memory_order_relaxed))
        atomic_store_explicit(&amp_priv_handle_table.has_device_changes, true, memory_order_relaxed);
    state += amp_priv_generation_of(&source->life);
    if (atomic_load_explicit(&source->life.access, memory_order_relaxed) != state)
        atomic_store_explicit(&source->life.access, state, memory_order_release);
}

/* // >>unknown */

AMP_PRIV_COLD amp_status amp_priv_unknown_contents(const amp_priv_source *source)
{
    if (source->rank_rows)
        return amp_priv_report(
            AMP_RUNTIME_ERROR,
            "some rows of this view are in the memory of other ranks; use amp_mpi_own for the rows of this rank, or "
            "amp_mpi_gather before rank n uses all of them");
    return amp_priv_report(
        AMP_RUNTIME_ERROR,
        "the contents of a part of this view or array are unknown since a copy or launch on it failed "
        "half-way; copy to it again, discard it before a kernel overwrites it, or refresh the view");
}

/* The line of this thread's last call that may bring contents to the host. */
typedef struct amp_priv_read_place {
    const char *file;
    int line;
} amp_priv_read_place;

AMP_PRIV_GLOBAL_THREAD(amp_priv_read_place, amp_priv_this_read)

AMP_PRIV_API void amp_priv_read_at(const char *file, int line)
{
    amp_priv_this_read = (amp_priv_read_place){ file, line };
}

#endif /* AMP_MEMORY_SOURCE_H */
