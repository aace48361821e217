/* SPDX-License-Identifier: MIT */
/*  amp/backends/opencl_interop.h - the functions of amp/api/opencl_interop.h */
#ifndef AMP_BACKENDS_OPENCL_INTEROP_H
#define AMP_BACKENDS_OPENCL_INTEROP_H

#include "../api/opencl_interop.h"
#include "interop.h"
#include "../../amp_opencl.h"

AMP_PRIV_API amp_cl_context amp_opencl_context(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_context";
    amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_opencl_table(), call);
    return device ? amp_priv_opencl_context(device) : NULL;
}

AMP_PRIV_API amp_cl_device_id amp_opencl_device(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_device";
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_opencl_table(), call);
    return device ? amp_priv_opencl_of(device)->id : NULL;
}

AMP_PRIV_API amp_cl_command_queue amp_opencl_queue(amp_accelerator_view view)
{
    static const char call[] = "amp_opencl_queue";
    const bool ours = amp_priv_interop_view(view, amp_priv_opencl_table(), call) != NULL;
    return ours ? amp_priv_opencl_queue(amp_priv_queue_of(view)) : NULL;
}

AMP_PRIV_API amp_cl_mem amp_priv_opencl_buffer(const amp_priv_head *head)
{
    return amp_priv_interop_buffer(head, amp_priv_opencl_table(), "amp_opencl_buffer");
}

AMP_PRIV_API amp_status amp_priv_opencl_after(const amp_priv_head *head, amp_cl_event event)
{
    static const char call[] = "amp_opencl_after";
    amp_priv_source *const source = amp_priv_interop_source(head, amp_priv_opencl_table(), call);
    if (!source)
        return amp_priv_failed();
    amp_cl_context context = NULL;
    if (!event ||
        amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_CONTEXT, sizeof context, &context, NULL) != AMP_CL_SUCCESS ||
        context != amp_priv_opencl_context(source->queue->device))
        return amp_priv_report(AMP_INVALID_ARGUMENT,
                               "%s: the event is NULL, or not of the context of the array's buffer", call);
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
            "%s: %d user contexts and %d accelerators are more than one process can have; make queues in the library's "
            "context (amp_opencl_context)",
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
            AMP_INVALID_ARGUMENT,
            "%s: the queue's device, %s, is not one of the accelerators (AMP_LOG=info shows what is left out and why)",
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

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_opencl(amp_cl_command_queue queue)
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
                        "%s: the library has not found OpenCL, from which this queue comes (AMP_LOG=info shows why)",
                        call);
        return none;
    }
    if (!queue ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_CONTEXT, sizeof context, &context, NULL) !=
            AMP_CL_SUCCESS ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_DEVICE, sizeof id, &id, NULL) != AMP_CL_SUCCESS ||
        amp_priv_cl.GetCommandQueueInfo(queue, AMP_CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) !=
            AMP_CL_SUCCESS) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the queue is NULL, or not a cl_command_queue", call);
        return none;
    }
    if (properties & AMP_CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
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
        amp_priv_queue_recycle(view);
        return none;
    }
    view->native = queue;
    return (amp_accelerator_view){ view };
}

AMP_PRIV_API void *amp_priv_array_from_opencl(void *out, amp_cl_mem memory, amp_accelerator_view view,
                                              const amp_priv_element *element, int rank,
                                              const amp_priv_argument *extents)
{
    static const char call[] = "AMP_ARRAY_FROM_OPENCL";
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
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the cl_mem is NULL, or not a buffer", call);
        return out;
    }
    if (context != amp_priv_opencl_context(device)) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
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

#endif /* AMP_BACKENDS_OPENCL_INTEROP_H */
