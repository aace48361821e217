/* SPDX-License-Identifier: MIT */
/*  amp/api/opencl_interop.h - OpenCL objects of accelerators and arrays, and accelerators and arrays of OpenCL objects

    Contents (search for the tag):
        >>types  >>get  >>view  >>array */
#ifndef AMP_API_OPENCL_INTEROP_H
#define AMP_API_OPENCL_INTEROP_H

#include "array_view.h"

/* // >>types
   amp_cl_platform_id, amp_cl_device_id, amp_cl_context, amp_cl_command_queue, amp_cl_mem, amp_cl_program,
   amp_cl_kernel, amp_cl_event: OpenCL's cl_platform_id, cl_device_id and so on, without its headers.
   They are the same types as OpenCL's, pointers to structs.
   Source: none. */
typedef struct _cl_platform_id *amp_cl_platform_id;
typedef struct _cl_device_id *amp_cl_device_id;
typedef struct _cl_context *amp_cl_context;
typedef struct _cl_command_queue *amp_cl_command_queue;
typedef struct _cl_mem *amp_cl_mem;
typedef struct _cl_program *amp_cl_program;
typedef struct _cl_kernel *amp_cl_kernel;
typedef struct _cl_event *amp_cl_event;

/* // >>get */

/* amp_opencl_context(view): the cl_context behind an accelerator view.
   amp_opencl_device(view): the cl_device_id behind an accelerator view.
   amp_opencl_queue(view): the cl_command_queue behind an accelerator view, which is in order.
   The auto-selection view means the default view of the default accelerator. The objects belong to the library:
   retain an object that outlives the view.
   view  amp_accelerator_view of an OpenCL device
   Result: the object; NULL after an error.
   Errors: AMP_RUNTIME_ERROR for other accelerators, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no. Threads: any. Cost:
   none. Source: direct3d::get_device. */
AMP_PRIV_API amp_cl_context amp_opencl_context(amp_accelerator_view view);

AMP_PRIV_API amp_cl_device_id amp_opencl_device(amp_accelerator_view view);

AMP_PRIV_API amp_cl_command_queue amp_opencl_queue(amp_accelerator_view view);

/* amp_opencl_buffer(array): the cl_mem behind an array, with its newest contents.
   The elements are dense, row-major, from byte 0. Your commands on the array's queue come after the library's.
   Copies elsewhere are out of date from now on: call it again before your commands write once more after the host or
   another device read the array.
   array  an array on an OpenCL device; a view does not compile
   Result: amp_cl_mem; NULL after an error.
   Errors: AMP_RUNTIME_ERROR (another accelerator, a staging array), AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: for a transfer, if the array needs it. Threads: any. Cost: a transfer, if
   the array needs it. Source: direct3d::get_buffer. */
#define amp_opencl_buffer(array)                                                                                       \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_opencl_buffer(array) takes an array, not a view"),           \
      amp_priv_opencl_buffer(AMP_PRIV_HEAD(array)))
AMP_PRIV_API amp_cl_mem amp_priv_opencl_buffer(const amp_priv_head *head);

/* amp_opencl_after(array, event): orders what the library does with an array after an event.
   Call it after the last of your commands that use the array.
   array  an array on an OpenCL device
   event  amp_cl_event of an in-order queue of the array's context; for several queues, of a marker that waits for all
   Result: amp_status.
   Errors: AMP_INVALID_ARGUMENT (NULL, another context), AMP_RUNTIME_ERROR (another accelerator),
   AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no; it flushes the event's queue. Threads: any. Cost: a command. Source:
   none. */
#define amp_opencl_after(array, event)                                                                                 \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_opencl_after(array, event) takes an array, not a view"),     \
      amp_priv_opencl_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_API amp_status amp_priv_opencl_after(const amp_priv_head *head, amp_cl_event event);

/* // >>view */

/* amp_accelerator_view_from_opencl(queue): makes an accelerator view whose commands go to a queue of the program.
   Each call makes another view. The queue is retained until amp_accelerator_view_release.
   queue  amp_cl_command_queue, in order, of a device that amp_accelerator_get_all lists. If its context is not the
          library's, the view's accelerator is not in that list, and it and its context stay until the program ends
   Result: amp_accelerator_view, to be released; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (NULL, out of order, an unknown device), AMP_RUNTIME_ERROR (no OpenCL),
   AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no. Threads: any. Cost: kernels are built once per context. Source:
   direct3d::create_accelerator_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_opencl(amp_cl_command_queue queue);

/* // >>array */

/* AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, e0): makes an array whose contents are a buffer of the program.
   The buffer is dense, row-major, from byte 0. It is retained until amp_array_release.
   view  amp_accelerator_view: where the array lives
   T  an element type
   rank  a number, 1 to AMP_MAX_RANK
   memory  amp_cl_mem of clCreateBuffer or clCreateSubBuffer, at least as large as the extent, of the context of `view`;
           no command of the program is pending on it, except on the queue of `view`
   e0  `rank` integers, or one amp_extentN
   Result: an amp_array_T_N, to be released; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (NULL, not a buffer, too small, another context, a negative component),
   AMP_RUNTIME_ERROR (a view of another backend), AMP_OUT_OF_MEMORY, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no.
   Threads: any. Cost: none. Source: direct3d::make_array. */
#define AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, ...)                                                              \
    (AMP_PRIV_REQUIRE_EXTENTS(rank, "AMP_ARRAY_FROM_OPENCL(" #T ", " #rank ", ...)", __VA_ARGS__),                     \
      AMP_PRIV_NEW(AMP_PRIV_VIEW_NAME(amp_array_, T, rank), amp_priv_array_from_opencl, memory, view,                  \
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__)))
AMP_PRIV_API void *amp_priv_array_from_opencl(void *out, amp_cl_mem memory, amp_accelerator_view view,
                                              const amp_priv_element *element, int rank,
                                              const amp_priv_argument *extents);

#endif /* AMP_API_OPENCL_INTEROP_H */
