/* SPDX-License-Identifier: MIT */
/*  amp/device/future.h - the functions of amp_future */
#ifndef AMP_DEVICE_FUTURE_H
#define AMP_DEVICE_FUTURE_H

#include "worker.h"

AMP_PRIV_API bool amp_future_valid(amp_future future)
{
    amp_priv_future *const f = future.amp_priv_future;
    return f && (!amp_priv_is_ours(f) || amp_priv_slot_generation(&f->slot) == future.amp_priv_generation);
}

/* The future's record, held for the time of a call; NULL after reporting. */
AMP_PRIV_COLD amp_priv_future *amp_priv_future_of(amp_future future, const char *call)
{
    amp_priv_future *const f = future.amp_priv_future;
    if (f && !amp_priv_slot_hold(&f->slot, future.amp_priv_generation, call, "this amp_future"))
        return NULL;
    if (f) {
        amp_priv_future_is_used(f);
        return f;
    }
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: this amp_future has no operation: the call that made it failed, or it was released", call);
    return NULL;
}

AMP_PRIV_API amp_status amp_future_wait(amp_future future)
{
    amp_priv_future *const f = amp_priv_future_of(future, "amp_future_wait");
    if (!f)
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future_wait(f);
    amp_priv_future_release(f);
    return AMP_OK;
}

AMP_PRIV_API bool amp_future_is_done(amp_future future)
{
    amp_priv_future *const f = amp_priv_future_of(future, "amp_future_is_done");
    if (!f)
        return false;
    amp_priv_lock(&amp_priv_worker.lock);
    bool done = f->progress != AMP_PRIV_OPEN;
    if (!done && !f->queued)
        done = amp_priv_marks_done(f->marks);
    amp_priv_unlock(&amp_priv_worker.lock);
    amp_priv_future_release(f);
    return done;
}

AMP_PRIV_API amp_status amp_future_get(amp_future future)
{
    amp_priv_future *const f = amp_priv_future_of(future, "amp_future_get");
    if (!f)
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future_wait(f);
    amp_priv_lock(&amp_priv_worker.lock);
    const amp_status status = f->status;
    f->heard = true;
    amp_priv_unlock(&amp_priv_worker.lock);
    if (status != AMP_OK)
        amp_priv_report(status, "%s", f->message ? f->message : amp_status_text(status));
    amp_priv_future_release(f);
    return status;
}

/* Gives a future a callback; false: it is done, and so is what is to call it. */
AMP_PRIV_COLD bool amp_priv_future_call(amp_priv_future *future, amp_priv_callback *callback)
{
    amp_priv_lock(&amp_priv_worker.lock);
    const bool open = future->progress == AMP_PRIV_OPEN;
    if (open) {
        amp_priv_callback **end = &future->callbacks;
        while (*end)
            end = &(*end)->next;
        *end = callback;
        if (!future->queued)
            amp_priv_worker_add(future);
    }
    amp_priv_unlock(&amp_priv_worker.lock);
    return open;
}

AMP_PRIV_API amp_status amp_future_then(amp_future future, void (*function)(void *user), void *user)
{
    amp_priv_future *const f = amp_priv_future_of(future, "amp_future_then");
    if (!f)
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_callback *const callback = malloc(sizeof *callback);
    if (callback)
        *callback = (amp_priv_callback){ function, user, NULL };
    const bool done = callback && !amp_priv_future_call(f, callback);
    amp_priv_future_release(f);
    if (!callback)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "amp_future_then: no memory for a callback");
    if (done) {
        free(callback);
        function(user);
    }
    return AMP_OK;
}

AMP_PRIV_API amp_status amp_future_release(amp_future *future)
{
    const amp_future released = *future;
    *future = (amp_future){ 0 };
    if (!released.amp_priv_future)
        return AMP_OK;
    amp_priv_future *const f = amp_priv_future_of(released, "amp_future_release");
    if (!f)
        return amp_priv_failed();
    const bool ended = amp_priv_slot_end(&f->slot, released.amp_priv_generation);
    amp_priv_future_release(f);
    if (ended) /* the handle's own reference */
        amp_priv_future_release(f);
    return AMP_OK;
}

/* Adds what is submitted to a queue to a marker. */
AMP_PRIV_COLD amp_status amp_priv_mark_add(amp_priv_future *future, amp_priv_queue *queue, const char *call)
{
    const amp_status status = amp_priv_queue_usable(queue, call);
    if (status != AMP_OK)
        return status;
    amp_priv_mark *const mark = calloc(1, sizeof *mark);
    if (!mark)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a marker", call);
    mark->device = queue->device;
    mark->next = future->marks;
    future->marks = mark;
    return amp_priv_event_record(queue, &mark->event);
}

AMP_PRIV_API amp_future amp_accelerator_view_create_marker(amp_accelerator_view view)
{
    static const char call[] = "amp_accelerator_view_create_marker";
    amp_priv_queue *const queue = view.amp_priv_queue ? view.amp_priv_queue : amp_priv_default_queue();
    if (amp_priv_queue_usable(queue, call) != AMP_OK)
        return (amp_future){ 0 };
    amp_priv_future *const future = amp_priv_future_new(call);
    if (!future)
        return (amp_future){ 0 };
    amp_status status = AMP_OK;
    for (int m = 0; m < queue->members && status == AMP_OK; m++)
        status = amp_priv_mark_add(future, queue->member[m], call);
    if (status == AMP_OK)
        return amp_priv_future_handle(future, call);
    amp_priv_future_release(future);
    return (amp_future){ 0 };
}

#endif /* AMP_DEVICE_FUTURE_H */
