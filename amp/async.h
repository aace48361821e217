/* SPDX-License-Identifier: MIT */
/*  amp/async.h - completion futures, and the thread that carries out asynchronous operations.

    One worker thread per process runs asynchronous copies and synchronizations in the order in which they were
    asked for. It starts at the first of them and ends when there was nothing to do for a while.

    Contents (search for the tag):
        >>future  >>worker  >>fork  >>public                                                         */
#ifndef AMP_ASYNC_H
#define AMP_ASYNC_H

#include "accelerator.h"
#include "lifetime.h"

/* // >>future */

/* What an asynchronous operation gives: a handle, passed by value. All zero is a future of nothing. */
typedef struct amp_future {
    struct amp_priv_future *amp_priv_future;
} amp_future;

typedef struct amp_priv_callback {
    void (*function)(void *user);
    void *user;
    struct amp_priv_callback *next;
} amp_priv_callback;

/* An operation waits or runs; is done (its status stands); is told (the callbacks it had by then have run). */
typedef enum amp_priv_progress { AMP_PRIV_OPEN, AMP_PRIV_DONE, AMP_PRIV_TOLD } amp_priv_progress;

typedef struct amp_priv_future {
    const char *stamp; /* amp_priv_is_ours */
    atomic_int references;
    struct amp_priv_future *next; /* in the worker's queue */
    bool queued;
    amp_priv_progress progress;
    amp_status status;
    char *message; /* of the error; malloc'd */
    bool heard;    /* the error was told by get */
    amp_priv_callback *callbacks;
    /* What to do, on the worker; and what to give back afterwards. NULL: a marker, which only waits for its event. */
    amp_status (*run)(void *job);
    void (*finish)(void *job);
    void *job;
    amp_priv_device *device;
    void *event;
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
    if (atomic_fetch_sub_explicit(&future->references, 1, memory_order_acq_rel) != 1)
        return;
    if (future->status != AMP_OK && !future->heard)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "an asynchronous operation failed and nobody asked (amp_future_get): %s",
                     future->message ? future->message : amp_status_text(future->status));
    amp_priv_event_release(future->device, future->event);
    free(future->message);
    free(future);
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
        status = amp_priv_event_wait(future->device, future->event);
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
    (void)unused;
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
        worker->running = amp_priv_thread_start(amp_priv_worker_main);
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
    atomic_fetch_add_explicit(&future->references, 1, memory_order_relaxed);
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
    amp_priv_future *const future = calloc(1, sizeof *future);
    if (!future) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a future", call);
        return NULL;
    }
    future->stamp = amp_priv_stamp;
    atomic_init(&future->references, 1);
    return future;
}

/* Waits until the operation is done, and the callbacks it had have run. */
AMP_PRIV_COLD void amp_priv_future_wait(amp_priv_future *future)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_lock(&worker->lock);
    if (future->progress == AMP_PRIV_OPEN && !future->queued) {
        /* A marker that nobody waited for: the event is enough. */
        amp_priv_unlock(&worker->lock);
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
        const amp_status status = amp_priv_event_wait(future->device, future->event);
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

/* // >>fork
   A child made by fork has the one thread that called it. That thread holds our locks meanwhile, so that the child can
   leave them; the operation that the worker is at is waited for. What else is in the queue, parent and child both do.
   Devices other than the CPU loops belong to their drivers' threads, and stay in the parent. */

/* Are there threads that this one's OpenMP team consists of, in the parent? Set in the child. */
AMP_PRIV_GLOBAL_THREAD(bool, amp_priv_left_team)

#define AMP_PRIV_LEFT_BEHIND                                                                                           \
    "this process was made by fork, and what was opened before works in its parent only; the CPU loops (\"cpu\") "     \
    "work here, too"

#if AMP_PRIV_FORKS
AMP_PRIV_COLD void amp_priv_fork_prepare(void)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_lock(&worker->lock);
    while (worker->busy && !amp_priv_on_worker)
        amp_priv_condition_wait(&worker->progress, &worker->lock);
    amp_priv_lock(&amp_priv_trace.lock);
    if (amp_priv_trace.file)
        fflush(amp_priv_trace.file); /* lest the child write it once more */
    amp_priv_lock(&amp_priv_accelerators.lock);
    amp_priv_lock(&amp_priv_lives.lock);
    worker->alone = amp_priv_process_is_one_thread();
}

AMP_PRIV_COLD void amp_priv_fork_parent(void)
{
    amp_priv_unlock(&amp_priv_lives.lock);
    amp_priv_unlock(&amp_priv_accelerators.lock);
    amp_priv_unlock(&amp_priv_trace.lock);
    amp_priv_unlock(&amp_priv_worker.lock);
}

AMP_PRIV_COLD void amp_priv_fork_child(void)
{
    static const amp_priv_condition fresh = AMP_PRIV_CONDITION_INIT;
    static const amp_priv_mutex unheld = AMP_PRIV_MUTEX_INIT;
    amp_priv_worker_state *const worker = &amp_priv_worker;
    memcpy(&worker->work, &fresh, sizeof fresh); /* nobody waits */
    memcpy(&worker->progress, &fresh, sizeof fresh);
    memcpy(&amp_priv_discovery, &unheld, sizeof unheld); /* whoever held it is not here */
    atomic_store(&amp_priv_errors.changing, false);
    if (!amp_priv_on_worker) {
        amp_priv_future *const left = worker->current;
        worker->running = worker->busy = false;
        worker->current = NULL;
        if (left && left->progress == AMP_PRIV_OPEN) { /* it waits for a device */
            const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
            amp_priv_future_set(left, amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED, "%s", AMP_PRIV_LEFT_BEHIND));
            amp_priv_error_mode_end(before);
        }
        if (left)
            left->progress = AMP_PRIV_TOLD; /* by the parent */
    }
    atomic_store(&amp_priv_trace.on, 0);
    for (int i = 0; i < AMP_PRIV_MAX_DEVICES; i++) {
        amp_priv_device *const device = amp_priv_accelerators.device[i];
        if (!device || amp_priv_is_host(i))
            continue;
        device->left_behind = true;
        device->removed_reason = AMP_PRIV_LEFT_BEHIND;
        atomic_store(&device->removed, true);
    }
    amp_priv_left_team = amp_priv_left_team || !worker->alone;
    amp_priv_fork_parent();
}

/* Before main, since OpenMP may be used before the library is. Each file of a program tries. */
__attribute__((constructor)) AMP_PRIV_COLD void amp_priv_fork_begin(void)
{
    if (atomic_exchange(&amp_priv_worker.forks, true))
        return;
    amp_priv_library_pin(&amp_priv_module);
    amp_priv_process_forks(amp_priv_fork_prepare, amp_priv_fork_parent, amp_priv_fork_child);
}
#endif

/* // >>public
   Threads: all of these are safe from any thread. */

/* amp_future_valid(f): does it stand for an operation? False for {0}, and after release.
   Errors: none. Blocking: no. Source: completion_future::valid. */
static inline bool amp_future_valid(amp_future future) { return future.amp_priv_future != NULL; }

static inline bool amp_priv_future_check(amp_future future, const char *call)
{
    if (future.amp_priv_future && amp_priv_is_ours(future.amp_priv_future))
        return true;
    if (future.amp_priv_future) {
        amp_priv_report_foreign(future.amp_priv_future, call, "this amp_future");
        return false;
    }
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: this amp_future stands for no operation: the call that made it failed, or it was released",
                    call);
    return false;
}

/* amp_future_wait(f): returns when the operation has finished, well or not, and the callbacks that it had by then
   have run. Errors: AMP_UNINITIALIZED_OBJECT. Blocking: yes. Source: completion_future::wait. */
static inline amp_status amp_future_wait(amp_future future)
{
    if (!amp_priv_future_check(future, "amp_future_wait"))
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future_wait(future.amp_priv_future);
    return AMP_OK;
}

/* amp_future_is_done(f): has the operation finished? Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no.
   Source: completion_future::wait_for(0). */
static inline bool amp_future_is_done(amp_future future)
{
    if (!amp_priv_future_check(future, "amp_future_is_done"))
        return false;
    amp_priv_future *const f = future.amp_priv_future;
    amp_priv_lock(&amp_priv_worker.lock);
    bool done = f->progress != AMP_PRIV_OPEN;
    if (!done && !f->queued)
        done = amp_priv_event_done(f->device, f->event);
    amp_priv_unlock(&amp_priv_worker.lock);
    return done;
}

/* amp_future_get(f): waits, and gives the operation's status. Where that is an error, reports it, on this thread.
   Errors: AMP_UNINITIALIZED_OBJECT, and whatever the operation met. Blocking: yes. Source: completion_future::get. */
static inline amp_status amp_future_get(amp_future future)
{
    if (!amp_priv_future_check(future, "amp_future_get"))
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future *const f = future.amp_priv_future;
    amp_priv_future_wait(f);
    amp_priv_lock(&amp_priv_worker.lock);
    const amp_status status = f->status;
    f->heard = true;
    amp_priv_unlock(&amp_priv_worker.lock);
    if (status == AMP_OK)
        return AMP_OK;
    return amp_priv_report(status, "%s", f->message ? f->message : amp_status_text(status));
}

/* amp_future_then(f, function, user): calls function(user) when the operation has finished, well or not: at once and
   on this thread if it has already, else on the library's worker thread.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY. Blocking: no. Source: completion_future::then. */
static inline amp_status amp_future_then(amp_future future, void (*function)(void *user), void *user)
{
    if (!amp_priv_future_check(future, "amp_future_then"))
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future *const f = future.amp_priv_future;
    amp_priv_callback *const callback = malloc(sizeof *callback);
    if (!callback)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "amp_future_then: no memory for a callback");
    *callback = (amp_priv_callback){ function, user, NULL };
    amp_priv_lock(&amp_priv_worker.lock);
    const bool open = f->progress == AMP_PRIV_OPEN;
    if (open) {
        amp_priv_callback **end = &f->callbacks;
        while (*end)
            end = &(*end)->next;
        *end = callback;
        if (!f->queued)
            amp_priv_worker_add(f);
    }
    amp_priv_unlock(&amp_priv_worker.lock);
    if (!open) {
        function(user);
        free(callback);
    }
    return AMP_OK;
}

/* amp_future_release(&f): forgets the operation, which goes on. f is {0} afterwards. Nothing happens to {0}.
   Errors: none; one that nobody asked for is logged as a warning. Blocking: no. Source: the destructor. */
static inline void amp_future_release(amp_future *future)
{
    if (future->amp_priv_future && amp_priv_future_check(*future, "amp_future_release"))
        amp_priv_future_release(future->amp_priv_future);
    future->amp_priv_future = NULL;
}

/* amp_accelerator_view_create_marker(v): a future that is done when all that was submitted to v so far has finished.
   Release it. Errors: AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY; the future is {0} then.
   Blocking: no. Source: accelerator_view::create_marker. */
static inline amp_future amp_accelerator_view_create_marker(amp_accelerator_view view)
{
    static const char call[] = "amp_accelerator_view_create_marker";
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    if (amp_priv_queue_usable(queue, call) != AMP_OK)
        return (amp_future){ NULL };
    amp_priv_future *const future = amp_priv_future_new(call);
    if (!future)
        return (amp_future){ NULL };
    future->device = queue->device;
    if (amp_priv_queue_usable(queue, call) != AMP_OK || amp_priv_queue_mark(queue, &future->event) != AMP_OK) {
        free(future);
        return (amp_future){ NULL };
    }
    return (amp_future){ future };
}

#endif /* AMP_ASYNC_H */
