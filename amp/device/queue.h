/* SPDX-License-Identifier: MIT */
/*  amp/device/queue.h - queues: accelerator views */
#ifndef AMP_DEVICE_QUEUE_H
#define AMP_DEVICE_QUEUE_H

#include "command.h"

/* // >>queue */

/* AMP_OK, or the reported error of a launch or copy on a queue whose device is gone, or that is of another runtime. */
static inline amp_status amp_priv_queue_usable(const amp_priv_queue *queue, const char *call)
{
    if (!queue)
        return amp_priv_failed();
    if (!amp_priv_is_ours(queue))
        return amp_priv_report_foreign(queue, call, "this accelerator view");
    return amp_priv_device_check_alive(queue->device, call) ? AMP_OK : AMP_ACCELERATOR_VIEW_REMOVED;
}

/* Records of queues are used again and never freed, so that a released view is refused instead of followed: it has no
   stamp, from when its last owner gave it up. Here `native` is the next one. */
AMP_PRIV_GLOBAL_MUTEX(amp_priv_queue_lock)

AMP_PRIV_COLD void amp_priv_queue_recycle(amp_priv_queue *queue)
{
    queue->stamp = "";
    amp_priv_lock(&amp_priv_queue_lock);
    queue->native = amp_priv_accelerators.spare_queue;
    amp_priv_accelerators.spare_queue = queue;
    amp_priv_unlock(&amp_priv_queue_lock);
}

/* The record of a queue with one owner; NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_queue_record(amp_priv_device *device, amp_queuing_mode mode, const char *call)
{
    amp_priv_lock(&amp_priv_queue_lock);
    amp_priv_queue *queue = amp_priv_accelerators.spare_queue;
    if (queue)
        amp_priv_accelerators.spare_queue = queue->native;
    const uint64_t number = ++amp_priv_accelerators.queues;
    amp_priv_unlock(&amp_priv_queue_lock);
    if (!queue)
        queue = malloc(sizeof *queue);
    if (!queue) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a queue of %s", call, device->path);
        return NULL;
    }
    memset(queue, 0, sizeof *queue);
    queue->stamp = amp_priv_stamp;
    queue->number = number;
    queue->device = device;
    queue->mode = mode;
    queue->itself = queue;
    queue->member = &queue->itself;
    queue->members = 1;
    atomic_init(&queue->references, 1);
    atomic_init(&queue->records, 1);
    return queue;
}

/* Opens a queue; NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_queue_new(amp_priv_device *device, amp_queuing_mode mode, bool is_default,
                                                 const char *call)
{
    if (!amp_priv_device_check_alive(device, call))
        return NULL;
    amp_priv_queue *const queue = amp_priv_queue_record(device, mode, call);
    if (!queue)
        return NULL;
    queue->is_default = is_default;
    if (amp_priv_status_of(device, device->backend->queue.open(queue)) != AMP_OK) {
        amp_priv_queue_recycle(queue);
        return NULL;
    }
    if (amp_priv_is_watched() && !amp_priv_is_host(device->number))
        amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_OPENED, .queue = queue });
    return queue;
}

AMP_PRIV_COLD amp_priv_queue *amp_priv_device_queue_open(amp_priv_device *device)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_queue *queue = NULL;
    amp_priv_queue *const fresh =
        amp_priv_queue_new(device, AMP_QUEUING_AUTOMATIC, true, "amp_accelerator_default_view");
    if (!fresh)
        return NULL;
    if (atomic_compare_exchange_strong(&state->queue[device->number], &queue, fresh))
        return fresh;
    device->backend->queue.close(fresh); /* another thread was first */
    free(fresh);
    return queue;
}

/* The queue of a device's default view, opened at first use. NULL after reporting. */
static inline amp_priv_queue *amp_priv_device_queue(amp_priv_device *device)
{
    amp_priv_queue *const queue =
        atomic_load_explicit(&amp_priv_accelerators.queue[device->number], memory_order_acquire);
    return __builtin_expect(queue != NULL, 1) ? queue : amp_priv_device_queue_open(device);
}

AMP_PRIV_COLD amp_priv_queue *amp_priv_default_queue_open(void)
{
    amp_priv_queue *const queue = amp_priv_device_queue(amp_priv_default_device());
    atomic_store(&amp_priv_accelerators.default_queue, queue);
    return queue;
}

/* The queue of the default accelerator. NULL after reporting where it cannot be opened, which is tried again. */
static inline amp_priv_queue *amp_priv_default_queue(void)
{
    amp_priv_queue *const queue = atomic_load_explicit(&amp_priv_accelerators.default_queue, memory_order_acquire);
    return __builtin_expect(queue != NULL, 1) ? queue : amp_priv_default_queue_open();
}

/* How launches on a queue, or NULL, are divided; NULL: they are not. Modules ask, the core does not. */
static inline amp_priv_division *amp_priv_queue_division(const amp_priv_queue *queue)
{
    return queue && amp_priv_is_ours(queue) ? queue->division : NULL;
}

/* The queue behind a view: that of the default accelerator for the auto-selection view, of the first accelerator where
   launches are divided. NULL after reporting. */
static inline amp_priv_queue *amp_priv_queue_of(amp_accelerator_view view)
{
    amp_priv_queue *const queue = view.amp_priv_queue;
    if (__builtin_expect(!queue, 1))
        return amp_priv_default_queue();
    return amp_priv_is_ours(queue) ? queue->member[0] : queue;
}

/* One owner more. Default views live as long as the process and do not count. */
static inline void amp_priv_queue_retain(amp_priv_queue *queue)
{
    if (!queue->is_default)
        atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
}

/* Notes a command that was submitted to the queue; returns its number. */
static inline uint64_t amp_priv_queue_next_sequence(amp_priv_queue *queue)
{
    return atomic_fetch_add_explicit(&queue->submitted, 1, memory_order_release) + 1;
}

/* Is it known that this command has finished, and all before it? */
static inline bool amp_priv_queue_is_complete(const amp_priv_queue *queue, uint64_t number)
{
    return atomic_load_explicit(&queue->finished, memory_order_acquire) >= number;
}

static inline void amp_priv_queue_complete(amp_priv_queue *queue, uint64_t number)
{
    unsigned long long before = atomic_load_explicit(&queue->finished, memory_order_relaxed);
    while (before < number && !atomic_compare_exchange_weak_explicit(&queue->finished, &before, number,
                                                                     memory_order_release, memory_order_relaxed))
        continue;
}

/* Waits for all that was submitted. */
AMP_PRIV_COLD amp_status amp_priv_queue_finish(amp_priv_queue *queue)
{
    amp_priv_device *const device = queue->device;
    if (!amp_priv_device_check_alive(device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const uint64_t number = atomic_load_explicit(&queue->submitted, memory_order_acquire);
    const uint64_t began = amp_priv_is_host(device->number) ? 0 : amp_priv_watch_begin();
    const amp_priv_result result = device->backend->queue.finish(queue);
    if (__builtin_expect(began != 0, 0))
        amp_priv_waited(device, began);
    if (result.status == AMP_OK)
        amp_priv_queue_complete(queue, number);
    return amp_priv_status_of(device, result);
}

/* Waits for a command, and for what was submitted after it, but not for what others submit meanwhile. */
AMP_PRIV_COLD amp_status amp_priv_queue_wait_until(amp_priv_queue *queue, uint64_t number)
{
    if (amp_priv_queue_is_complete(queue, number))
        return AMP_OK;
    const uint64_t marked = atomic_load_explicit(&queue->submitted, memory_order_acquire);
    void *mark = NULL;
    const int before =
        amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED); /* without an event it waits for everything */
    amp_status status = amp_priv_event_record(queue, &mark);
    amp_priv_error_mode_end(before);
    if (status != AMP_OK)
        return amp_priv_queue_finish(queue);
    status = amp_priv_event_wait(queue->device, mark);
    queue->device->backend->event.release(queue->device, mark);
    if (status == AMP_OK)
        amp_priv_queue_complete(queue, marked);
    return status;
}

/* The queue's record is kept for one more, or one less. */
static inline void amp_priv_queue_retain_record(amp_priv_queue *queue)
{
    if (!queue->is_default)
        atomic_fetch_add_explicit(&queue->records, 1, memory_order_relaxed);
}

static inline void amp_priv_queue_release_record(amp_priv_queue *queue)
{
    if (!queue->is_default && atomic_fetch_sub(&queue->records, 1) == 1)
        amp_priv_queue_recycle(queue);
}

/* Waits for all that was submitted, and where that fails, once more. */
AMP_PRIV_COLD bool amp_priv_queue_idle(amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool idle = amp_priv_queue_finish(queue) == AMP_OK ||
                      amp_priv_queue_wait_until(queue, atomic_load(&queue->submitted)) == AMP_OK;
    amp_priv_error_mode_end(before);
    return idle;
}

/* One owner less: the last one waits for what is in flight and closes the queue. A queue that cannot be waited for is
   kept: its commands use memory, and a call that needs that memory waits again. */
AMP_PRIV_COLD void amp_priv_queue_release(amp_priv_queue *queue)
{
    if (queue->is_default || atomic_fetch_sub(&queue->references, 1) != 1)
        return;
    queue->stamp = "";
    if (queue->division) {
        queue->division->end(queue->division);
        amp_priv_queue_release_record(queue);
        return;
    }
    const amp_priv_device *const device = queue->device;
    const bool gone = atomic_load(&device->removed) && (!device->shares_host || device->inherited_by_fork);
    if (!amp_priv_queue_idle(queue) && !gone) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "a queue of %s is never freed: its commands cannot be waited for",
                     queue->device->path);
        return;
    }
    amp_priv_queue_complete(queue, UINT64_MAX); /* for uses that still refer to it */
    if (!queue->borrowed && !device->inherited_by_fork)
        device->backend->queue.close(queue);
    amp_priv_queue_release_record(queue);
}

AMP_PRIV_API int amp_accelerator_get_all(amp_accelerator *accelerators, int max)
{
    amp_priv_same_build();
    amp_priv_devices_init();
    const int count = amp_priv_accelerators.count;
    for (int i = 0; accelerators && i < count && i < max; i++)
        accelerators[i].amp_priv_device = amp_priv_accelerators.device[i];
    return count;
}

AMP_PRIV_API amp_accelerator amp_accelerator_default(void)
{
    amp_priv_same_build();
    return (amp_accelerator){ amp_priv_default_device() };
}

/* The device that has a path; NULL after reporting. */
AMP_PRIV_COLD amp_priv_device *amp_priv_device_asked(const char *path, const char *call)
{
    amp_priv_device *const device = amp_priv_device_of_path(path);
    char all[4096];
    if (!device)
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: no accelerator has the path \"%s\"; there is %s", call,
                        path ? path : "(null)", amp_priv_devices_text(all, sizeof all));
    return device;
}

AMP_PRIV_API amp_accelerator amp_accelerator_from_path(const char *path)
{
    amp_priv_same_build();
    return (amp_accelerator){ amp_priv_device_asked(path, "amp_accelerator_from_path") };
}

AMP_PRIV_API bool amp_accelerator_set_default(const char *path)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_device *const device = amp_priv_device_asked(path, "amp_accelerator_set_default");
    if (!device)
        return false;
    amp_priv_lock(&state->lock);
    const bool done = !state->user_default && !atomic_load(&state->default_device);
    if (done)
        state->user_default = device;
    amp_priv_unlock(&state->lock);
    return done;
}

/* The device of a handle; NULL after reporting. */
static inline const amp_priv_device *amp_priv_accelerator_device(amp_accelerator accelerator, const char *call)
{
    if (__builtin_expect(!accelerator.amp_priv_device, 0))
        amp_priv_report(
            AMP_UNINITIALIZED_OBJECT,
            "%s: this amp_accelerator is all zero; get one from amp_accelerator_default, _get_all or _from_path", call);
    else if (!amp_priv_is_ours(accelerator.amp_priv_device)) {
        amp_priv_report_foreign(accelerator.amp_priv_device, call, "this amp_accelerator");
        return NULL;
    }
    return accelerator.amp_priv_device;
}

#define AMP_PRIV_PROPERTY(type, name, none, value)                                                                     \
    AMP_PRIV_API type amp_accelerator_##name(amp_accelerator accelerator)                                              \
    {                                                                                                                  \
        const amp_priv_device *const device = amp_priv_accelerator_device(accelerator, "amp_accelerator_" #name);      \
        return device ? value : none;                                                                                  \
    }
AMP_PRIV_PROPERTIES(AMP_PRIV_PROPERTY)
#undef AMP_PRIV_PROPERTY

AMP_PRIV_API bool amp_accelerator_equal(amp_accelerator a, amp_accelerator b)
{
    return a.amp_priv_device == b.amp_priv_device;
}

/* What is kept of a device's default_cpu_access_type: the type, and whether it was used (then it is settled). */
enum { AMP_PRIV_CPU_ACCESS_SET = 16, AMP_PRIV_CPU_ACCESS_USED = 32 };

static inline amp_access_type amp_priv_cpu_access_of(const amp_priv_device *device, int value)
{
    if (value & AMP_PRIV_CPU_ACCESS_SET)
        return (amp_access_type)(value & 15);
    return device->shares_host ? AMP_ACCESS_READ_WRITE : AMP_ACCESS_NONE;
}

/* How the CPU may access arrays that are made without saying it. Settles it: amp/api/array_view.h calls this for an
   array. */
static inline amp_access_type amp_priv_device_cpu_access(const amp_priv_device *device)
{
    return amp_priv_cpu_access_of(device, atomic_fetch_or(&amp_priv_accelerators.cpu_access[device->number],
                                                          AMP_PRIV_CPU_ACCESS_USED));
}

AMP_PRIV_API amp_access_type amp_accelerator_default_cpu_access_type(amp_accelerator accelerator)
{
    const amp_priv_device *const device =
        amp_priv_accelerator_device(accelerator, "amp_accelerator_default_cpu_access_type");
    if (!device)
        return AMP_ACCESS_NONE;
    return amp_priv_cpu_access_of(device, atomic_load(&amp_priv_accelerators.cpu_access[device->number]));
}

AMP_PRIV_API bool amp_accelerator_set_default_cpu_access_type(amp_accelerator accelerator, amp_access_type type)
{
    const amp_priv_device *const device =
        amp_priv_accelerator_device(accelerator, "amp_accelerator_set_default_cpu_access_type");
    if (!device)
        return false;
    const amp_access_type settled = type == AMP_ACCESS_AUTO ? amp_priv_cpu_access_of(device, 0) : type;
    if ((unsigned)settled > AMP_ACCESS_READ_WRITE || (!device->shares_host && settled != AMP_ACCESS_NONE))
        return false;
    int unset = 0;
    return atomic_compare_exchange_strong(&amp_priv_accelerators.cpu_access[device->number], &unset,
                                          AMP_PRIV_CPU_ACCESS_SET | (int)settled);
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_default_view(amp_accelerator accelerator)
{
    amp_accelerator_view view = { NULL };
    if (amp_priv_accelerator_device(accelerator, "amp_accelerator_default_view") &&
        amp_priv_device_check_alive(accelerator.amp_priv_device, "amp_accelerator_default_view"))
        view.amp_priv_queue = amp_priv_device_queue(accelerator.amp_priv_device);
    return view;
}

AMP_PRIV_API amp_accelerator_view amp_priv_create_view(amp_accelerator accelerator, amp_queuing_mode mode)
{
    static const char call[] = "amp_accelerator_create_view";
    amp_accelerator_view view = { NULL };
    if (mode != AMP_QUEUING_AUTOMATIC && mode != AMP_QUEUING_IMMEDIATE)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the queuing mode is %d; it can be AMP_QUEUING_AUTOMATIC or AMP_QUEUING_IMMEDIATE", call,
                        (int)mode);
    else if (amp_priv_accelerator_device(accelerator, call))
        view.amp_priv_queue = amp_priv_queue_new(accelerator.amp_priv_device, mode, false, call);
    return view;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_auto_selection_view(void) { return (amp_accelerator_view){ NULL }; }

/* Is it of this library's runtime? Else reports it. */
static inline bool amp_priv_view_ours(amp_accelerator_view view, const char *call)
{
    if (!view.amp_priv_queue || amp_priv_is_ours(view.amp_priv_queue))
        return true;
    amp_priv_report_foreign(view.amp_priv_queue, call, "this accelerator view");
    return false;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_retain(amp_accelerator_view view)
{
    if (amp_priv_view_ours(view, "amp_accelerator_view_retain") && view.amp_priv_queue)
        amp_priv_queue_retain(view.amp_priv_queue);
    return view;
}

AMP_PRIV_API amp_status amp_accelerator_view_release(amp_accelerator_view *view)
{
    amp_priv_queue *const queue = view->amp_priv_queue;
    const bool is_ours = amp_priv_view_ours(*view, "amp_accelerator_view_release");
    view->amp_priv_queue = NULL;
    if (is_ours && queue)
        amp_priv_queue_release(queue);
    return is_ours ? AMP_OK : amp_priv_failed();
}

AMP_PRIV_API bool amp_accelerator_valid(amp_accelerator accelerator) { return accelerator.amp_priv_device != NULL; }

AMP_PRIV_API bool amp_accelerator_view_valid(amp_accelerator_view view) { return view.amp_priv_queue != NULL; }

AMP_PRIV_API bool amp_accelerator_view_equal(amp_accelerator_view v, amp_accelerator_view w)
{
    return v.amp_priv_queue == w.amp_priv_queue;
}

AMP_PRIV_API amp_accelerator amp_accelerator_view_accelerator(amp_accelerator_view view)
{
    if (!amp_priv_view_ours(view, "amp_accelerator_view_accelerator"))
        return (amp_accelerator){ NULL };
    return (amp_accelerator){ view.amp_priv_queue ? view.amp_priv_queue->device : amp_priv_default_device() };
}

AMP_PRIV_API amp_queuing_mode amp_accelerator_view_queuing_mode(amp_accelerator_view view)
{
    return view.amp_priv_queue ? view.amp_priv_queue->mode : AMP_QUEUING_AUTOMATIC;
}

AMP_PRIV_API bool amp_accelerator_view_is_auto_selection(amp_accelerator_view view) { return !view.amp_priv_queue; }

/* Flushes or finishes each queue of a view; the first failure's status. */
AMP_PRIV_COLD amp_status amp_priv_view_do(amp_accelerator_view view, const char *call,
                                          amp_status (*what)(amp_priv_queue *queue))
{
    amp_priv_queue *const queue = view.amp_priv_queue ? view.amp_priv_queue : amp_priv_default_queue();
    amp_status first = amp_priv_queue_usable(queue, call);
    if (first != AMP_OK)
        return first;
    for (int m = 0; m < queue->members; m++) {
        const amp_status usable = amp_priv_queue_usable(queue->member[m], call),
                         status = usable == AMP_OK ? what(queue->member[m]) : usable;
        first = first == AMP_OK ? status : first;
    }
    return first;
}

AMP_PRIV_API amp_status amp_accelerator_view_flush(amp_accelerator_view view)
{
    return amp_priv_view_do(view, "amp_accelerator_view_flush", amp_priv_queue_flush);
}

AMP_PRIV_API amp_status amp_accelerator_view_wait(amp_accelerator_view view)
{
    return amp_priv_view_do(view, "amp_accelerator_view_wait", amp_priv_queue_finish);
}

AMP_PRIV_API const char *amp_accelerator_view_removed_reason(amp_accelerator_view view)
{
    const amp_priv_device *const device = amp_accelerator_view_accelerator(view).amp_priv_device;
    return device && atomic_load_explicit(&device->removed, memory_order_acquire) ? device->removed_reason : NULL;
}

#endif /* AMP_DEVICE_QUEUE_H */
