/* SPDX-License-Identifier: MIT */
/*  amp/opencl_interop.h - between this library and OpenCL programs written by hand: the cl_context, cl_command_queue
    and cl_mem behind a view or array, and views and arrays made of the user's own.

    A context is a memory: what was made in one cannot be used in another. The library has one context per device.
    The user's own context is a memory of its own, even where it is of the same device, and data are copied between
    the two as between two devices. Programs that can choose make theirs in the library's (amp_opencl_context), and
    nothing is copied.

    Who waits for whom: commands on amp_opencl_queue(view) are in order with the kernels of that view. Beyond that the
    library does not see what the user's commands do. So
        before your commands use an array    memory = amp_opencl_buffer(array), each time the library may have used it
                                             since; then enqueue on the queue of the array's view (or wait for that)
        after them                           launches on the same view need nothing; for everything else (the host,
                                             copies, other views) say amp_opencl_after(array, event), or wait

    The types are OpenCL's: amp_cl_context is cl_context. For calls of your own include CL/cl.h, before amp.h or after
    it, and link with OpenCL's library, which the library itself loads when it runs.

    Part of the OpenCL backend, and like amp_opencl.h it may know OpenCL's interface.

    Contents (search for the tag):
        >>get  >>context  >>view  >>array                                                             */
#ifndef AMP_OPENCL_INTEROP_H
#define AMP_OPENCL_INTEROP_H

#include "interop.h"
#include "../amp_opencl.h"

/* // >>get */

/* amp_opencl_context(view), amp_opencl_device(view), amp_opencl_queue(view): the cl_context, cl_device_id and
   cl_command_queue behind an accelerator view; the auto-selection view stands for the default accelerator's default
   view. They belong to the library: clRetain what is to outlive the view.
   The queue is in order. Errors: AMP_RUNTIME_ERROR for the CPU loops, AMP_ACCELERATOR_VIEW_REMOVED; NULL then.
   Blocking: no. Threads: any. Source: direct3d::get_device. */
AMP_PRIV_NOINLINE amp_cl_context amp_opencl_context(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_context";
    amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_opencl_table(), call);
    return device ? amp_priv_opencl_context(device) : NULL;
}

AMP_PRIV_NOINLINE amp_cl_device_id amp_opencl_device(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_device";
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_opencl_table(), call);
    return device ? amp_priv_opencl_of(device)->id : NULL;
}

AMP_PRIV_NOINLINE amp_cl_command_queue amp_opencl_queue(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_queue";
    const bool ours = amp_priv_interop_view(view, amp_priv_opencl_table(), call) != NULL;
    return ours ? amp_priv_opencl_queue(amp_priv_queue_of(view)) : NULL;
}

/* amp_opencl_buffer(array): the cl_mem behind an array, with its newest contents, for commands that read or write it.
   Its elements lie there densely, row-major, from byte 0. What is enqueued on the array's view from now on comes after
   what the library has in flight on it. Copies of it elsewhere are out of date from now on: so call it again before
   your commands write once more after the host or another device read the array.
   Errors: AMP_RUNTIME_ERROR (not on OpenCL, a staging array), AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED;
   NULL then; a view does not compile. Blocking: for a transfer, if one is needed. Threads: any.
   Source: direct3d::get_buffer. */
#define amp_opencl_buffer(array)                                                                                       \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_opencl_buffer(array) takes an array, not a view"),           \
      amp_priv_opencl_buffer(AMP_PRIV_HEAD(array)))
AMP_PRIV_NOINLINE amp_cl_mem amp_priv_opencl_buffer(const amp_priv_head *head)
{
    return amp_priv_interop_buffer(head, amp_priv_opencl_table(), "amp_opencl_buffer");
}

/* amp_opencl_after(array, event): what the library does with an array from now on comes after this event, the last one
   of your commands that use the array.
   event  of an in-order queue of the array's context (for several queues: of a marker that waits for all)
   Errors: AMP_RUNTIME_ERROR (NULL, another context, not on OpenCL), AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no; it flushes the event's queue. Threads: any. */
#define amp_opencl_after(array, event)                                                                                 \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_opencl_after(array, event) takes an array, not a view"),     \
      amp_priv_opencl_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_NOINLINE amp_status amp_priv_opencl_after(const amp_priv_head *head, amp_cl_event event)
{
    static const char call[] = "amp_opencl_after";
    amp_priv_source *const source = amp_priv_interop_source(head, amp_priv_opencl_table(), call);
    if (!source)
        return amp_priv_failed();
    amp_cl_context context = NULL;
    if (!event ||
        amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_CONTEXT, sizeof context, &context, NULL) != AMP_CL_SUCCESS ||
        context != amp_priv_opencl_context(source->queue->device))
        return amp_priv_report(AMP_RUNTIME_ERROR, "%s: the event is NULL, or not of the context of the array's buffer",
                               call);
    return amp_priv_interop_after(source, event);
}

/* // >>context
   A user's context is a device of its own here: it takes a number, the highest that is free, and is not in the list
   that amp_accelerator_get_all gives. It stays for the life of the process, because arrays of it may. */

typedef struct amp_priv_opencl_contexts {
    amp_priv_mutex lock;
    int count;
} amp_priv_opencl_contexts;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_opencl_contexts, amp_priv_opencl_foreign, mutex(lock))

/* A device that is `listed`, but in that context; with the lock held. NULL after reporting. */
AMP_PRIV_COLD amp_priv_device *amp_priv_opencl_adopt(amp_priv_device *listed, amp_cl_context context, const char *call)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    const int number = AMP_PRIV_MAX_DEVICES - 1 - amp_priv_opencl_foreign.count;
    amp_priv_device *const device = malloc(sizeof *device);
    amp_priv_opencl_device *const native = malloc(sizeof *native);
    if (!device || !native || number < state->count) {
        free(device);
        free(native);
        amp_priv_report(
            AMP_OUT_OF_MEMORY,
            "%s: %d contexts of the user's own beside %d accelerators are too many for one process; make queues in "
            "the library's context (amp_opencl_context)",
            call, amp_priv_opencl_foreign.count + 1, state->count);
        return NULL;
    }
    if (amp_priv_status_of(listed, amp_priv_opencl_result("clRetainContext", amp_priv_cl.RetainContext(context))) !=
        AMP_OK) {
        free(device);
        free(native);
        return NULL;
    }
    memcpy(device, listed, sizeof *device);
    device->native = native;
    device->number = number;
    atomic_init(&device->removed, false);
    device->removed_reason = NULL;
    snprintf(device->path, sizeof device->path, "%.100s/context-%d", listed->path, amp_priv_opencl_foreign.count);

    const amp_priv_opencl_device *const known = amp_priv_opencl_of(listed);
    memset(native, 0, sizeof *native);
    native->platform = known->platform;
    native->id = known->id;
    amp_priv_mutex_init(&native->lock);
    atomic_init(&native->context, context);
    native->is_cpu = known->is_cpu;

    state->device[number] = device;
    amp_priv_opencl_foreign.count++;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s: a context of the user's own", device->path);
    return device;
}

/* The device of a queue's device and context, new if need be. NULL after reporting. */
AMP_PRIV_COLD amp_priv_device *amp_priv_opencl_device_of(amp_cl_device_id id, amp_cl_context context, const char *call)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_device *listed = NULL, *found = NULL;
    amp_priv_devices_init();
    for (int i = 0; i < state->count; i++) {
        amp_priv_device *const device = state->device[i];
        if (amp_priv_is_of_backend(device, amp_priv_opencl_table()) && amp_priv_opencl_of(device)->id == id)
            listed = device;
    }
    if (!listed) {
        char name[160];
        amp_priv_opencl_text(id, AMP_CL_DEVICE_NAME, name, sizeof name);
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "%s: the queue's device, %s, is none of the accelerators here (AMP_LOG=info tells what is left out "
            "and why)",
            call, name);
        return NULL;
    }
    if (!amp_priv_device_check_alive(listed, call))
        return NULL;
    if (atomic_load_explicit(&amp_priv_opencl_of(listed)->context, memory_order_acquire) == context)
        return listed;
    amp_priv_lock(&amp_priv_opencl_foreign.lock);
    for (int i = 0; i < amp_priv_opencl_foreign.count; i++) {
        amp_priv_device *const device = state->device[AMP_PRIV_MAX_DEVICES - 1 - i];
        const amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
        if (native->id == id && atomic_load_explicit(&native->context, memory_order_relaxed) == context)
            found = device;
    }
    if (!found)
        found = amp_priv_opencl_adopt(listed, context, call);
    amp_priv_unlock(&amp_priv_opencl_foreign.lock);
    return found;
}

/* // >>view */

/* amp_accelerator_view_from_opencl(queue): an accelerator view whose commands go to a queue of the user's. Each call
   gives another view. Release it with amp_accelerator_view_release; the queue is retained until then.
   queue  in order, of a device that amp_accelerator_get_all lists. Its context may be any; where it is not the
          library's, the view's accelerator is none of that list, and it and its context stay until the program ends
   Errors: AMP_RUNTIME_ERROR (NULL, out of order, an unknown device, no OpenCL), AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED; the view is all zero then. Blocking: no. Threads: any. Cost: kernels are built once
   per context. Source: direct3d::create_accelerator_view. */
AMP_PRIV_NOINLINE amp_accelerator_view amp_accelerator_view_from_opencl(amp_cl_command_queue queue)
{
    static const char call[] = "amp_accelerator_view_from_opencl";
    const amp_accelerator_view none = { NULL };
    amp_cl_context context = NULL;
    amp_cl_device_id id = NULL;
    uint64_t properties = 0;
    if (!amp_priv_same_build())
        return none;
    amp_priv_devices_init();
    if (queue && !amp_priv_cl.GetCommandQueueInfo) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the library has not found OpenCL, from which this queue comes (AMP_LOG=info tells why)",
                        call);
        return none;
    }
    if (!queue ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_CONTEXT, sizeof context, &context, NULL) !=
            AMP_CL_SUCCESS ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_DEVICE, sizeof id, &id, NULL) != AMP_CL_SUCCESS ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) !=
            AMP_CL_SUCCESS) {
        amp_priv_report(AMP_RUNTIME_ERROR, "%s: the queue is NULL, or not a cl_command_queue", call);
        return none;
    }
    if (properties & AMP_CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the queue is out of order; accelerator views are in order, so make one without "
                        "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
                        call);
        return none;
    }
    amp_priv_device *const device = amp_priv_opencl_device_of(id, context, call);
    if (!device)
        return none;
    amp_priv_queue *const view = amp_priv_queue_record(device, AMP_QUEUING_AUTOMATIC, call);
    if (!view)
        return none;
    if (amp_priv_status_of(device, amp_priv_opencl_result("clRetainCommandQueue",
                                                          amp_priv_cl.RetainCommandQueue(queue))) != AMP_OK) {
        amp_priv_queue_spare(view);
        return none;
    }
    view->native = queue;
    return (amp_accelerator_view){ view };
}

/* // >>array */

/* amp_array_from_opencl(T, rank, memory, view, e0, ...): an array of type amp_array_T_rank whose contents are those of
   a buffer of the user's, dense and row-major from byte 0. It is on `view`, and what is done with the array is done
   with the buffer. Release it with amp_array_release; the buffer is retained until then.
   memory  a cl_mem made by clCreateBuffer or clCreateSubBuffer, at least as large as the extent, of the context of
           view (amp_opencl_context(view)); nothing of the user's is in flight on it, but for what is on view's queue
   e0, ... `rank` integers, or one amp_extent of that rank
   Errors: AMP_RUNTIME_ERROR (NULL, not a buffer, too small, another context, a negative component),
   AMP_OUT_OF_MEMORY, AMP_ACCELERATOR_VIEW_REMOVED; the array is all zero then. Blocking: no. Threads: any.
   Source: direct3d::make_array. */
#define amp_array_from_opencl(T, rank, memory, view, ...)                                                              \
    (AMP_PRIV_REQUIRE_EXTENTS(rank, "amp_array_from_opencl(" #T ", " #rank ", ...)", __VA_ARGS__),                     \
      AMP_PRIV_NEW(AMP_PRIV_VIEW_NAME(amp_array_, T, rank), amp_priv_array_from_opencl, memory, view,                  \
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_ARGUMENTS(__VA_ARGS__)))
AMP_PRIV_NOINLINE void *amp_priv_array_from_opencl(void *out, amp_cl_mem memory, amp_accelerator_view view,
                                                   const amp_priv_element *element, int rank,
                                                   const amp_priv_argument *extents)
{
    static const char call[] = "amp_array_from_opencl";
    int extent[AMP_MAX_RANK];
    if (!amp_priv_interop_extent(call, element, rank, extents, extent))
        return out;
    amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_opencl_table(), call);
    if (!device)
        return out;
    uint32_t type = 0;
    amp_cl_context context = NULL;
    size_t size = 0;
    if (!memory || amp_priv_cl.GetMemObjectInfo(memory, AMP_CL_MEM_TYPE, sizeof type, &type, NULL) != AMP_CL_SUCCESS ||
        type != AMP_CL_MEM_OBJECT_BUFFER ||
        amp_priv_cl.GetMemObjectInfo(memory, AMP_CL_MEM_SIZE, sizeof size, &size, NULL) != AMP_CL_SUCCESS ||
        amp_priv_cl.GetMemObjectInfo(memory, AMP_CL_MEM_CONTEXT, sizeof context, &context, NULL) != AMP_CL_SUCCESS) {
        amp_priv_report(AMP_RUNTIME_ERROR, "%s: the cl_mem is NULL, or not a buffer", call);
        return out;
    }
    if (context != amp_priv_opencl_context(device)) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the cl_mem is of another context than the accelerator view on %s; make it in "
                        "amp_opencl_context(view), or the view from a queue of the cl_mem's context "
                        "(amp_accelerator_view_from_opencl)",
                        call, device->path);
        return out;
    }
    if (amp_priv_status_of(device, amp_priv_opencl_result("clRetainMemObject", amp_priv_cl.RetainMemObject(memory))) !=
        AMP_OK)
        return out;
    return amp_priv_interop_array(out, call, element, rank, extent, amp_priv_queue_of(view), memory, size, false);
}

#endif /* AMP_OPENCL_INTEROP_H */
