/* SPDX-License-Identifier: MIT */
/*  amp/device/future.h - the functions of amp_future */
#ifndef AMP_DEVICE_FUTURE_H
#define AMP_DEVICE_FUTURE_H

#include "worker.h"

AMP_PRIV_API bool amp_future_valid(amp_future future) { return future.amp_priv_future != NULL; }

static inline bool amp_priv_future_check(amp_future future, const char *call)
{
    if (future.amp_priv_future && amp_priv_is_ours(future.amp_priv_future))
        return true;
    if (future.amp_priv_future) {
        amp_priv_report_foreign(future.amp_priv_future, call, "this amp_future");
        return false;
    }
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: this amp_future has no operation: the call that made it failed, or it was released", call);
    return false;
}

AMP_PRIV_API amp_status amp_future_wait(amp_future future)
{
    if (!amp_priv_future_check(future, "amp_future_wait"))
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_future_wait(future.amp_priv_future);
    return AMP_OK;
}

AMP_PRIV_API bool amp_future_is_done(amp_future future)
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

AMP_PRIV_API amp_status amp_future_get(amp_future future)
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

AMP_PRIV_API amp_status amp_future_then(amp_future future, void (*function)(void *user), void *user)
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

AMP_PRIV_API amp_status amp_future_release(amp_future *future)
{
    const amp_future released = *future;
    future->amp_priv_future = NULL;
    if (!released.amp_priv_future)
        return AMP_OK;
    if (!amp_priv_future_check(released, "amp_future_release"))
        return amp_priv_failed();
    amp_priv_future_release(released.amp_priv_future);
    return AMP_OK;
}

AMP_PRIV_API amp_future amp_accelerator_view_create_marker(amp_accelerator_view view)
{
    static const char call[] = "amp_accelerator_view_create_marker";
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    if (amp_priv_queue_usable(queue, call) != AMP_OK)
        return (amp_future){ NULL };
    amp_priv_future *const future = amp_priv_future_new(call);
    if (!future)
        return (amp_future){ NULL };
    future->device = queue->device;
    if (amp_priv_queue_usable(queue, call) != AMP_OK || amp_priv_event_record(queue, &future->event) != AMP_OK) {
        free(future);
        return (amp_future){ NULL };
    }
    return (amp_future){ future };
}

#endif /* AMP_DEVICE_FUTURE_H */
