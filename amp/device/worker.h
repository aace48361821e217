/* SPDX-License-Identifier: MIT */
/*  amp/device/worker.h - the thread that finishes asynchronous operations */
#ifndef AMP_DEVICE_WORKER_H
#define AMP_DEVICE_WORKER_H

#include "../api/future.h"
#include "../base/slots.h"
#include "queue.h"

typedef struct amp_priv_callback {
    void (*function)(void *user);
    void *user;
    struct amp_priv_callback *next;
} amp_priv_callback;

/* An operation waits or runs; is done (its status stands); has run the callbacks it had by then. */
typedef enum amp_priv_progress { AMP_PRIV_OPEN, AMP_PRIV_DONE, AMP_PRIV_TOLD } amp_priv_progress;

/* The event of a marker on one device. */
typedef struct amp_priv_mark {
    struct amp_priv_mark *next;
    amp_priv_device *device;
    void *event;
} amp_priv_mark;

typedef struct amp_priv_future {
    amp_priv_slot slot;
    struct amp_priv_future *next; /* in the worker's queue */
    bool queued;
    amp_priv_progress progress;
    amp_status status;
    char *message; /* of the error; malloc'd */
    bool heard;    /* amp_future_get returned the error */
    amp_priv_callback *callbacks;
    /* What to do, on the worker; and what to give back afterwards. NULL: a marker, which only waits for its events. */
    amp_status (*run)(void *job);
    void (*finish)(void *job);
    void *job;
    amp_priv_mark *marks;
#if defined(AMP_CHECKED)
    const char *call; /* that made it, until the program asks for the future, or releases it */
    struct amp_priv_future *dropped;
#endif
} amp_priv_future;

/* // >>worker */

typedef struct amp_priv_worker_state {
    amp_priv_mutex lock; /* for all of this, and for what changes in futures */
    amp_priv_condition work, progress;
    amp_priv_future *first, *last;
    amp_priv_future *current; /* that the worker is at, callbacks included */
    bool running, busy;       /* an operation may hold a source's lock */
    bool alone;               /* the process has one thread, as it forks */
    atomic_bool forks;        /* the functions for that are known to the system */
} amp_priv_worker_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_worker_state, amp_priv_worker, mutex(lock), condition(work), condition(progress))

/* Is this the worker? Then it must not wait for what only it can do. */
AMP_PRIV_GLOBAL_THREAD(bool, amp_priv_on_worker)

enum { AMP_PRIV_WORKER_IDLE_MS = 500 };

AMP_PRIV_COLD void amp_priv_future_release(amp_priv_future *future)
{
    if (!amp_priv_slot_drop(&future->slot))
        return;
    if (future->status != AMP_OK && !future->heard)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "an asynchronous operation failed, and its result was not read "
                     "(amp_future_get): %s",
                     future->message ? future->message : amp_status_text(future->status));
    while (future->marks) {
        amp_priv_mark *const mark = future->marks;
        future->marks = mark->next;
        amp_priv_event_release(mark->device, mark->event);
        free(mark);
    }
    free(future->message);
    amp_priv_slot_spare(&amp_priv_slots.futures, &future->slot);
}

/* Waits for a marker's events; the first failure's status. */
AMP_PRIV_COLD amp_status amp_priv_marks_wait(const amp_priv_mark *mark)
{
    amp_status status = AMP_OK;
    for (; mark; mark = mark->next) {
        const amp_status this = amp_priv_event_wait(mark->device, mark->event);
        status = status == AMP_OK ? this : status;
    }
    return status;
}

AMP_PRIV_COLD bool amp_priv_marks_done(const amp_priv_mark *mark)
{
    while (mark && amp_priv_event_done(mark->device, mark->event))
        mark = mark->next;
    return !mark;
}

/* Notes the outcome; with the lock held. The message is this thread's last one. */
AMP_PRIV_COLD void amp_priv_future_set(amp_priv_future *future, amp_status status)
{
    future->status = status;
    if (status != AMP_OK) {
        const size_t size = strlen(amp_last_error_message()) + 1;
        future->message = malloc(size);
        if (future->message)
            memcpy(future->message, amp_last_error_message(), size);
    }
    future->progress = AMP_PRIV_DONE;
}

/* Runs the callbacks that there are, in order; with the lock held, which is left meanwhile. */
AMP_PRIV_COLD void amp_priv_future_tell(amp_priv_future *future)
{
    while (future->callbacks) {
        amp_priv_callback *const callback = future->callbacks;
        future->callbacks = callback->next;
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DELIVERED);
        amp_priv_unlock(&amp_priv_worker.lock);
        callback->function(callback->user);
        amp_priv_lock(&amp_priv_worker.lock);
        amp_priv_error_mode_end(before);
        free(callback);
    }
    future->progress = AMP_PRIV_TOLD;
    amp_priv_condition_wake_all(&amp_priv_worker.progress);
}

/* Does the first thing in the queue; with the lock held, which is left meanwhile. */
AMP_PRIV_COLD void amp_priv_worker_step(void)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_future *const future = worker->first;
    worker->first = future->next;
    if (!worker->first)
        worker->last = NULL;
    amp_priv_future *const outer = worker->current; /* whose callback waits for this one */
    worker->current = future;
    worker->busy = future->run != NULL;
    amp_priv_unlock(&worker->lock);
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
    amp_status status;
    if (future->run) {
        status = future->run(future->job);
        future->finish(future->job);
    } else {
        status = amp_priv_marks_wait(future->marks);
    }
    amp_priv_lock(&worker->lock);
    worker->busy = false;
    if (future->progress == AMP_PRIV_OPEN)
        amp_priv_future_set(future, status);
    amp_priv_condition_wake_all(&worker->progress);
    amp_priv_future_tell(future);
    worker->current = outer;
    amp_priv_error_mode_end(before);
    amp_priv_unlock(&worker->lock);
    amp_priv_future_release(future);
    amp_priv_lock(&worker->lock);
}

AMP_PRIV_THREAD_MAIN(amp_priv_worker_main)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    (void)argument;
    amp_priv_on_worker = true;
    amp_priv_lock(&worker->lock);
    for (;;) {
        while (worker->first)
            amp_priv_worker_step();
        bool in_time = true;
        while (!worker->first && in_time)
            in_time = amp_priv_condition_wait_for(&worker->work, &worker->lock, AMP_PRIV_WORKER_IDLE_MS);
        if (!worker->first)
            break;
    }
    worker->running = false;
    amp_priv_unlock(&worker->lock);
    return 0;
}

/* Sees to it that what is in the queue is done; with the lock held. Where no thread can be made, here and now. */
AMP_PRIV_COLD void amp_priv_worker_wake(void)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    if (!worker->first)
        return;
    (void)amp_priv_same_build(); /* the thread is to run code of this library */
    if (!worker->running)
        worker->running = amp_priv_thread_start(amp_priv_worker_main, NULL);
    if (worker->running) {
        amp_priv_condition_wake_one(&worker->work);
        return;
    }
    const bool on_worker = amp_priv_on_worker;
    amp_priv_on_worker = true;
    while (worker->first)
        amp_priv_worker_step();
    amp_priv_on_worker = on_worker;
}

/* Puts a future into the queue, which gets a reference; with the lock held. */
AMP_PRIV_COLD void amp_priv_worker_add(amp_priv_future *future)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_slot_retain(&future->slot);
    future->queued = true;
    future->next = NULL;
    if (worker->last)
        worker->last->next = future;
    else
        worker->first = future;
    worker->last = future;
    amp_priv_worker_wake();
}

/* A future of an operation that is not queued yet; NULL after reporting. */
AMP_PRIV_COLD amp_priv_future *amp_priv_future_new(const char *call)
{
    amp_priv_future *const future = amp_priv_slot_new(&amp_priv_slots.futures, sizeof *future);
    if (!future)
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a future", call);
    return future;
}

#if defined(AMP_CHECKED)
/* The futures that the program has not used so far. With the worker's lock. */
typedef struct amp_priv_dropped_state {
    amp_priv_future *first;
    bool is_watched;
} amp_priv_dropped_state;
AMP_PRIV_GLOBAL(amp_priv_dropped_state, amp_priv_dropped)

/* When the program ends. */
AMP_PRIV_COLD void amp_priv_dropped_look(void)
{
    amp_priv_lock(&amp_priv_worker.lock);
    const amp_priv_future *const first = amp_priv_dropped.first;
    const char *const call = first ? first->call : NULL;
    amp_priv_unlock(&amp_priv_worker.lock);
    if (call)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "%s: its amp_future was never waited for, nor released, so that the program may have read too "
                     "early: amp_future_get(f), then amp_future_release(&f)",
                     call);
}

AMP_PRIV_COLD void amp_priv_future_begins(amp_priv_future *future, const char *call)
{
    amp_priv_lock(&amp_priv_worker.lock);
    future->call = call;
    future->dropped = amp_priv_dropped.first;
    amp_priv_dropped.first = future;
    const bool is_first = !amp_priv_dropped.is_watched;
    amp_priv_dropped.is_watched = true;
    amp_priv_unlock(&amp_priv_worker.lock);
    if (is_first)
        atexit(amp_priv_dropped_look);
}

AMP_PRIV_COLD void amp_priv_future_is_used(amp_priv_future *future)
{
    amp_priv_lock(&amp_priv_worker.lock);
    amp_priv_future **at = &amp_priv_dropped.first;
    while (future->call && *at && *at != future)
        at = &(*at)->dropped;
    if (future->call && *at)
        *at = future->dropped;
    future->call = NULL;
    amp_priv_unlock(&amp_priv_worker.lock);
}
#else
#define amp_priv_future_begins(future, call) (void)(call)
#define amp_priv_future_is_used(future)      (void)0
#endif

static inline amp_future amp_priv_future_handle(amp_priv_future *future, const char *call)
{
    amp_priv_future_begins(future, call);
    return (amp_future){ .amp_priv_record = future, .amp_priv_generation = amp_priv_slot_generation(&future->slot) };
}

/* Waits until the operation is done, and the callbacks it had have run. */
AMP_PRIV_COLD void amp_priv_future_wait(amp_priv_future *future)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_lock_none();
    amp_priv_lock(&worker->lock);
    if (future->progress == AMP_PRIV_OPEN && !future->queued) {
        /* A marker without a wait: the event is enough. */
        amp_priv_unlock(&worker->lock);
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
        const amp_status status = amp_priv_marks_wait(future->marks);
        amp_priv_error_mode_end(before);
        amp_priv_lock(&worker->lock);
        if (future->progress == AMP_PRIV_OPEN && !future->queued) {
            amp_priv_future_set(future, status);
            future->progress = AMP_PRIV_TOLD;
        }
    }
    if (amp_priv_on_worker) {
        while (future->progress == AMP_PRIV_OPEN && worker->first)
            amp_priv_worker_step();
    } else {
        amp_priv_worker_wake(); /* in a child made by fork, which has the queue, but no worker yet */
        while (future->progress != AMP_PRIV_TOLD)
            amp_priv_condition_wait(&worker->progress, &worker->lock);
    }
    amp_priv_unlock(&worker->lock);
}

#endif /* AMP_DEVICE_WORKER_H */
