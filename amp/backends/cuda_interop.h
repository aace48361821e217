/* SPDX-License-Identifier: MIT */
/*  amp/backends/cuda_interop.h - the functions of amp/api/cuda_interop.h */
#ifndef AMP_BACKENDS_CUDA_INTEROP_H
#define AMP_BACKENDS_CUDA_INTEROP_H

#include "../api/cuda_interop.h"
#include "interop.h"
#include "../../amp_cuda.h"

AMP_PRIV_API amp_cu_context amp_cuda_context(amp_accelerator_view view)
{
    amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), "amp_cuda_context");
    amp_cu_context context = NULL;
    return device && amp_priv_status_of(device, amp_priv_cuda_context_open(device, &context)) == AMP_OK ? context
                                                                                                        : NULL;
}

AMP_PRIV_API amp_cu_device amp_cuda_device(amp_accelerator_view view)
{
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), "amp_cuda_device");
    return device ? amp_priv_cuda_of(device)->ordinal : -2;
}

AMP_PRIV_API amp_cu_stream amp_cuda_stream(amp_accelerator_view view)
{
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), "amp_cuda_stream");
    if (!device)
        return NULL;
    atomic_store(&amp_priv_cuda_of(device)->lent, true);
    return amp_priv_cuda_stream(amp_priv_queue_of(view));
}

AMP_PRIV_API amp_cu_pointer amp_priv_cuda_pointer(const amp_priv_head *head)
{
    return amp_priv_cuda_address(amp_priv_interop_buffer(head, amp_priv_cuda_table(), "amp_cuda_pointer"));
}

AMP_PRIV_API amp_status amp_priv_cuda_after(const amp_priv_head *head, amp_cu_event event)
{
    static const char call[] = "amp_cuda_after";
    amp_priv_source *const source = amp_priv_interop_source(head, amp_priv_cuda_table(), call);
    if (!source)
        return amp_priv_failed();
    if (!event)
        return amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the event is NULL", call);
    amp_priv_cuda_event users = { .end = event };
    return amp_priv_interop_after(source, &users);
}

/* The listed device whose context it is; NULL after reporting: `what` is of another. */
AMP_PRIV_COLD amp_priv_device *amp_priv_cuda_device_of(amp_cu_context context, const char *call, const char *what)
{
    const amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    for (int i = 0; context && i < state->count; i++) {
        amp_priv_device *const device = state->device[i];
        amp_cu_context primary = NULL;
        if (amp_priv_is_of_backend(device, amp_priv_cuda_table()) && !atomic_load(&device->removed) &&
            amp_priv_cuda_context_open(device, &primary).status == AMP_OK && primary == context)
            return device;
    }
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: %s is not of the primary context of an accelerator here, which is the CUDA runtime's; make it "
                    "there (cuDevicePrimaryCtxRetain, or the runtime's functions)",
                    call, what);
    return NULL;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_cuda(amp_cu_stream stream)
{
    static const char call[] = "amp_accelerator_view_from_cuda";
    const amp_accelerator_view none = { NULL };
    amp_cu_context context = NULL;
    if (!amp_priv_same_build())
        return none;
    amp_priv_devices_init();
    if (!stream || !amp_priv_cu.StreamGetCtx) {
        amp_priv_report(stream ? AMP_RUNTIME_ERROR : AMP_INVALID_ARGUMENT,
                        "%s: the stream is NULL, or the library has not found CUDA (AMP_LOG=info shows why); make a "
                        "stream with cuStreamCreate or cudaStreamCreate",
                        call);
        return none;
    }
    if (amp_priv_cu.StreamGetCtx(stream, &context) != AMP_CU_SUCCESS)
        context = NULL;
    amp_priv_device *const device = amp_priv_cuda_device_of(context, call, "the stream");
    amp_priv_queue *const view = device ? amp_priv_queue_record(device, AMP_QUEUING_AUTOMATIC, call) : NULL;
    if (!view)
        return none;
    view->native = stream;
    view->borrowed = true;
    return (amp_accelerator_view){ view };
}

/* The bytes from an address on that are memory of the device; 0 for other memory. */
AMP_PRIV_COLD size_t amp_priv_cuda_room(const amp_priv_device *device, amp_cu_pointer memory)
{
    amp_cu_context context = NULL;
    amp_cu_pointer base = 0;
    size_t size = 0;
    AMP_PRIV_CUDA_IN(device, 0);
    const bool known = memory &&
                       amp_priv_cu.PointerGetAttribute(&context, AMP_CU_POINTER_CONTEXT, memory) == AMP_CU_SUCCESS &&
                       amp_priv_cu.MemGetAddressRange(&base, &size, memory) == AMP_CU_SUCCESS;
    return known && context == atomic_load(&amp_priv_cuda_of(device)->context) ? size - (size_t)(memory - base) : 0;
}

AMP_PRIV_API void *amp_priv_array_from_cuda(void *out, amp_cu_pointer memory, amp_accelerator_view view,
                                            const amp_priv_element *element, int rank, const amp_priv_argument *extents)
{
    static const char call[] = "AMP_ARRAY_FROM_CUDA";
    int extent[AMP_MAX_RANK];
    if (!amp_priv_interop_extent(call, element, rank, extents, extent))
        return out;
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), call);
    if (!device)
        return out;
    return amp_priv_interop_array(out, call, element, rank, extent, amp_priv_queue_of(view), (void *)(uintptr_t)memory,
                                  amp_priv_cuda_room(device, memory), true);
}

#endif /* AMP_BACKENDS_CUDA_INTEROP_H */
