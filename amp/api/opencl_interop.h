/* SPDX-License-Identifier: MIT */
/*  amp/api/opencl_interop.h - OpenCL objects of accelerators and arrays, and accelerators and arrays of OpenCL objects

    Contents (search for the tag):
        >>types  >>get  >>view  >>array */
#ifndef AMP_API_OPENCL_INTEROP_H
#define AMP_API_OPENCL_INTEROP_H

#include "array_view.h"

/* // >>types
   amp_cl_context is cl_context, and so on: pointers to structs that only OpenCL knows. Numbers have C's own names,
   cl_int is int32_t. */
typedef struct _cl_platform_id *amp_cl_platform_id;
typedef struct _cl_device_id *amp_cl_device_id;
typedef struct _cl_context *amp_cl_context;
typedef struct _cl_command_queue *amp_cl_command_queue;
typedef struct _cl_mem *amp_cl_mem;
typedef struct _cl_program *amp_cl_program;
typedef struct _cl_kernel *amp_cl_kernel;
typedef struct _cl_event *amp_cl_event;

/* // >>get */

/* amp_opencl_context(view), amp_opencl_device(view), amp_opencl_queue(view): the cl_context, cl_device_id and
   cl_command_queue behind an accelerator view; the auto-selection view stands for the default accelerator's default
   view. They belong to the library: clRetain what is to outlive the view.
   The queue is in order. Errors: AMP_RUNTIME_ERROR for the CPU loops, AMP_ACCELERATOR_VIEW_REMOVED; NULL then.
   Blocking: no. Threads: any. Source: direct3d::get_device. */
AMP_PRIV_API amp_cl_context amp_opencl_context(amp_accelerator_view view);

AMP_PRIV_API amp_cl_device_id amp_opencl_device(amp_accelerator_view view);

AMP_PRIV_API amp_cl_command_queue amp_opencl_queue(amp_accelerator_view view);

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
AMP_PRIV_API amp_cl_mem amp_priv_opencl_buffer(const amp_priv_head *head);

/* amp_opencl_after(array, event): what the library does with an array from now on comes after this event, the last one
   of your commands that use the array.
   event  of an in-order queue of the array's context (for several queues: of a marker that waits for all)
   Errors: AMP_RUNTIME_ERROR (NULL, another context, not on OpenCL), AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no; it flushes the event's queue. Threads: any. */
#define amp_opencl_after(array, event)                                                                                 \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_opencl_after(array, event) takes an array, not a view"),     \
      amp_priv_opencl_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_API amp_status amp_priv_opencl_after(const amp_priv_head *head, amp_cl_event event);

/* // >>view */

/* amp_accelerator_view_from_opencl(queue): an accelerator view whose commands go to a queue of the user's. Each call
   gives another view. Release it with amp_accelerator_view_release; the queue is retained until then.
   queue  in order, of a device that amp_accelerator_get_all lists. Its context may be any; where it is not the
          library's, the view's accelerator is none of that list, and it and its context stay until the program ends
   Errors: AMP_RUNTIME_ERROR (NULL, out of order, an unknown device, no OpenCL), AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED; the view is all zero then. Blocking: no. Threads: any. Cost: kernels are built once
   per context. Source: direct3d::create_accelerator_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_opencl(amp_cl_command_queue queue);

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
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__)))
AMP_PRIV_API void *amp_priv_array_from_opencl(void *out, amp_cl_mem memory, amp_accelerator_view view,
                                              const amp_priv_element *element, int rank,
                                              const amp_priv_argument *extents);

#endif /* AMP_API_OPENCL_INTEROP_H */
