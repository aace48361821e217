/* SPDX-License-Identifier: MIT */
/*  amp/device/command.h - wrappers of the backends' operations: they refuse removed devices, trace, and report

    Those of memory are in buffer.h, which is not read where there are no devices. */
#ifndef AMP_DEVICE_COMMAND_H
#define AMP_DEVICE_COMMAND_H

#include "device.h"

/* // >>command: the backends' operations, as everyone above has them: refused on a device that was removed, traced, and
   reported where they fail. */

/* A backend's event may be NULL, which is one that is done. A child made by fork asks nothing of a driver. */
static inline bool amp_priv_event_done(amp_priv_device *device, void *event)
{
    return !event || device->inherited_by_fork || device->backend->event.done(device, event);
}

static inline void amp_priv_event_release(amp_priv_device *device, void *event)
{
    if (event && !device->inherited_by_fork)
        device->backend->event.release(device, event);
}

/* Is the device there? A removed one is reported, as the error of `call`. */
static inline bool amp_priv_device_check_alive(const amp_priv_device *device, const char *call)
{
    if (__builtin_expect(!atomic_load_explicit(&device->removed, memory_order_acquire), 1))
        return true;
    amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED,
                    "%s: the accelerator %s (%s) was removed: %s; use another accelerator", call, device->path,
                    device->description, device->removed_reason);
    return false;
}

/* The status of a call to a backend, reported where it failed. */
static inline amp_status amp_priv_status_of(amp_priv_device *device, amp_priv_result result)
{
    return __builtin_expect(result.status == AMP_OK, 1) ? AMP_OK : amp_priv_backend_report(device, NULL, result);
}

/* What was submitted goes to the device, if it has not yet. */
static inline amp_priv_result amp_priv_queue_submit(amp_priv_queue *queue)
{
    const amp_priv_backend *const backend = queue->device->backend;
    return backend->queue.flush ? backend->queue.flush(queue) : amp_priv_done();
}

static inline amp_status amp_priv_queue_flush(amp_priv_queue *queue)
{
    if (!amp_priv_device_check_alive(queue->device, "flush"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, amp_priv_queue_submit(queue));
}

/* *event becomes done when what was submitted to the queue so far has finished. The caller releases it. A device that
   was removed and works in the host's memory may be doing so still: its queues are waited for. */
AMP_PRIV_COLD amp_status amp_priv_event_record(amp_priv_queue *queue, void **event)
{
    *event = NULL;
    if ((!queue->device->shares_host || queue->device->inherited_by_fork) &&
        !amp_priv_device_check_alive(queue->device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, queue->device->backend->event.record(queue, event));
}

/* What is submitted to queue from now on starts after event. */
AMP_PRIV_COLD amp_status amp_priv_queue_wait_event(amp_priv_queue *queue, void *event)
{
    if (!amp_priv_device_check_alive(queue->device, "launch"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return event ? amp_priv_status_of(queue->device, queue->device->backend->queue.wait_event(queue, event)) : AMP_OK;
}

/* A device that was taken out of use while a kernel ran, and that works in the host's memory, may still be writing
   there. That gets two seconds to end before the memory is given back: did it? */
AMP_PRIV_COLD bool amp_priv_event_drain(amp_priv_device *device, void *event)
{
    const uint64_t start = amp_priv_now(), limit = 2000000000;
    bool done = amp_priv_event_done(device, event);
    while (!done && amp_priv_now() - start < limit) {
        amp_priv_thread_yield();
        done = amp_priv_event_done(device, event);
    }
    return done;
}

/* A device was waited for, since `began`. */
AMP_PRIV_COLD void amp_priv_waited(const amp_priv_device *device, uint64_t began)
{
    amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_WAITED, .began = began, .device = device });
}

AMP_PRIV_COLD amp_status amp_priv_event_wait(amp_priv_device *device, void *event)
{
    if (__builtin_expect(atomic_load_explicit(&device->removed, memory_order_acquire), 0)) {
        if (device->shares_host && !device->inherited_by_fork && amp_priv_event_drain(device, event))
            return AMP_OK; /* what is to be read from it is refused later */
        amp_priv_device_check_alive(device, "wait");
        return AMP_ACCELERATOR_VIEW_REMOVED;
    }
    const uint64_t began = amp_priv_is_host(device->number) ? 0 : amp_priv_watch_begin();
    const amp_priv_result result = event ? device->backend->event.wait(device, event) : amp_priv_done();
    if (__builtin_expect(began != 0, 0))
        amp_priv_waited(device, began);
    return amp_priv_status_of(device, result);
}

#endif /* AMP_DEVICE_COMMAND_H */
