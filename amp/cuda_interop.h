/* SPDX-License-Identifier: MIT */
/*  amp/cuda_interop.h - between this library and CUDA programs written by hand, or their libraries: the CUcontext,
    CUstream and CUdeviceptr behind a view or array, and views and arrays made of the user's own.

    All of it is of the device's primary context, which is the CUDA runtime's: a cudaStream_t is a CUstream, and what
    cudaMalloc gives is a CUdeviceptr. Another context than that is refused.

    Who waits for whom: commands on amp_cuda_stream(view) are in order with the kernels of that view. Beyond that the
    library does not see what the user's commands do. So
        before your commands use an array    memory = amp_cuda_pointer(array), each time the library may have used it
                                             since; then submit on the stream of the array's view (or wait for that)
        after them                           launches on the same view need nothing; for everything else (the host,
                                             copies, other views) say amp_cuda_after(array, event), or wait

    The types are CUDA's: amp_cu_stream is CUstream. For calls of your own include <cuda.h> or <cuda_runtime.h>, before
    amp.h or after it.

    Contents (search for the tag):
        >>get  >>view  >>array                                                                        */
#ifndef AMP_CUDA_INTEROP_H
#define AMP_CUDA_INTEROP_H

#include "interop.h"
#include "../amp_cuda.h"

/* // >>get */

/* amp_cuda_context(view), amp_cuda_stream(view): the CUcontext and CUstream behind an accelerator view; the
   auto-selection view stands for the default accelerator's default view. They belong to the library.
   Errors: AMP_RUNTIME_ERROR for other devices, AMP_ACCELERATOR_VIEW_REMOVED; NULL then. Blocking: no. Threads: any.
   Source: direct3d::get_device. */
AMP_PRIV_NOINLINE amp_cu_context amp_cuda_context(amp_accelerator_view view)
{
    amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), "amp_cuda_context");
    amp_cu_context context = NULL;
    if (!device || amp_priv_status_of(device, amp_priv_cuda_context_open(device, &context)) != AMP_OK)
        return NULL;
    return context;
}

AMP_PRIV_NOINLINE amp_cu_stream amp_cuda_stream(amp_accelerator_view view)
{
    const bool ours = amp_priv_interop_view(view, amp_priv_cuda_table(), "amp_cuda_stream") != NULL;
    return ours ? amp_priv_cuda_stream(amp_priv_queue_of(view)) : NULL;
}

/* amp_cuda_pointer(array): the CUdeviceptr behind an array, with its newest contents, for commands that read or write
   it. Its elements lie there densely, row-major. What is submitted to the array's view from now on comes after what the
   library has in flight on it. Copies of it elsewhere are out of date from now on: so call it again before your
   commands write once more after the host or another device read the array.
   Errors: AMP_RUNTIME_ERROR (not on CUDA, a staging array), AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED; 0
   then; a view does not compile. Blocking: for a transfer, if one is needed. Threads: any.
   Source: direct3d::get_buffer. */
#define amp_cuda_pointer(array)                                                                                        \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_cuda_pointer(array) takes an array, not a view"),            \
      amp_priv_cuda_pointer(AMP_PRIV_HEAD(array)))
AMP_PRIV_NOINLINE amp_cu_pointer amp_priv_cuda_pointer(const amp_priv_head *head)
{
    return amp_priv_cuda_address(amp_priv_interop_buffer(head, amp_priv_cuda_table(), "amp_cuda_pointer"));
}

/* amp_cuda_after(array, event): what the library does with an array from now on comes after this event, which was
   recorded after the last one of your commands that use the array.
   event  a CUevent (cudaEvent_t) of any stream
   Errors: AMP_RUNTIME_ERROR (NULL, not on CUDA), AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no.
   Threads: any. */
#define amp_cuda_after(array, event)                                                                                   \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_cuda_after(array, event) takes an array, not a view"),       \
      amp_priv_cuda_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_NOINLINE amp_status amp_priv_cuda_after(const amp_priv_head *head, amp_cu_event event)
{
    static const char call[] = "amp_cuda_after";
    amp_priv_source *const source = amp_priv_interop_source(head, amp_priv_cuda_table(), call);
    if (!source)
        return amp_priv_failed();
    if (!event)
        return amp_priv_report(AMP_RUNTIME_ERROR, "%s: the event is NULL", call);
    amp_priv_cuda_event users = { .end = event };
    return amp_priv_interop_after(source, &users);
}

/* // >>view */

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
    amp_priv_report(AMP_RUNTIME_ERROR,
                    "%s: %s is not of the primary context of an accelerator here, which is the CUDA runtime's; make it "
                    "there (cuDevicePrimaryCtxRetain, or the runtime's functions)",
                    call, what);
    return NULL;
}

/* amp_accelerator_view_from_cuda(stream): an accelerator view whose commands go to a stream of the user's. Each call
   gives another view. Release it with amp_accelerator_view_release; the stream has to live until then, and stays the
   user's.
   stream  of cuStreamCreate or cudaStreamCreate, not the default stream, which is NULL
   Errors: AMP_RUNTIME_ERROR (NULL, another context than the primary one, no CUDA), AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED; the view is all zero then. Blocking: no. Threads: any.
   Source: direct3d::create_accelerator_view. */
AMP_PRIV_NOINLINE amp_accelerator_view amp_accelerator_view_from_cuda(amp_cu_stream stream)
{
    static const char call[] = "amp_accelerator_view_from_cuda";
    const amp_accelerator_view none = { NULL };
    amp_cu_context context = NULL;
    if (!amp_priv_same_build())
        return none;
    amp_priv_devices_init();
    if (!stream || !amp_priv_cu.StreamGetCtx) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the stream is NULL, or the library has not found CUDA (AMP_LOG=info tells why); make a "
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
    view->is_users = true;
    return (amp_accelerator_view){ view };
}

/* // >>array */

/* amp_array_from_cuda(T, rank, memory, view, e0, ...): an array of type amp_array_T_rank whose contents are the user's
   memory, dense and row-major. It is on `view`, and what is done with the array is done with the memory. Release it
   with amp_array_release; the memory has to live until then, and stays the user's.
   memory  a CUdeviceptr, at least as large as the extent, of the context of view (amp_cuda_context(view)); nothing of
           the user's is in flight on it, but for what is on view's stream
   e0, ... `rank` integers, or one amp_extent of that rank
   Errors: AMP_RUNTIME_ERROR (0, no memory of the device's, too small, another device, a negative component),
   AMP_OUT_OF_MEMORY, AMP_ACCELERATOR_VIEW_REMOVED; the array is all zero then. Blocking: no. Threads: any.
   Source: direct3d::make_array. */
#define amp_array_from_cuda(T, rank, memory, view, ...)                                                                \
    (AMP_PRIV_REQUIRE_EXTENTS(rank, "amp_array_from_cuda(" #T ", " #rank ", ...)", __VA_ARGS__),                       \
      AMP_PRIV_NEW(AMP_PRIV_VIEW_NAME(amp_array_, T, rank), amp_priv_array_from_cuda, memory, view,                    \
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_ARGUMENTS(__VA_ARGS__)))

/* The bytes from an address on that are memory of the device; 0 where it is none of its memory. */
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

AMP_PRIV_NOINLINE void *amp_priv_array_from_cuda(void *out, amp_cu_pointer memory, amp_accelerator_view view,
                                                 const amp_priv_element *element, int rank,
                                                 const amp_priv_argument *extents)
{
    static const char call[] = "amp_array_from_cuda";
    int extent[AMP_MAX_RANK];
    if (!amp_priv_interop_extent(call, element, rank, extents, extent))
        return out;
    const amp_priv_device *const device = amp_priv_interop_view(view, amp_priv_cuda_table(), call);
    if (!device)
        return out;
    return amp_priv_interop_array(out, call, element, rank, extent, amp_priv_queue_of(view), (void *)(uintptr_t)memory,
                                  amp_priv_cuda_room(device, memory), true);
}

#endif /* AMP_CUDA_INTEROP_H */
