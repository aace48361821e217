/* SPDX-License-Identifier: MIT */
/*  amp/api/cuda_interop.h - CUDA objects of accelerators and arrays, and accelerators and arrays of CUDA objects

    Contents (search for the tag):
        >>types  >>get  >>view  >>array  >>runtime */
#ifndef AMP_API_CUDA_INTEROP_H
#define AMP_API_CUDA_INTEROP_H

#include "array_view.h"

/* // >>types
   amp_cu_context, amp_cu_stream, amp_cu_event, amp_cu_module, amp_cu_function, amp_cu_graph, amp_cu_node,
   amp_cu_graph_exec, amp_nvrtc_program, amp_cu_pointer, amp_cu_texture, amp_cu_device: CUDA's CUcontext, CUstream
   and so on,
   without its headers.
   They are the same types as CUDA's: pointers to structs, and unsigned long long for CUdeviceptr (amp_cu_pointer)
   and CUtexObject (amp_cu_texture), int for CUdevice (amp_cu_device).
   Source: none. */
typedef struct CUctx_st *amp_cu_context;
typedef struct CUstream_st *amp_cu_stream;
typedef struct CUevent_st *amp_cu_event;
typedef struct CUmod_st *amp_cu_module;
typedef struct CUfunc_st *amp_cu_function;
typedef struct CUgraph_st *amp_cu_graph;
typedef struct CUgraphNode_st *amp_cu_node;
typedef struct CUgraphExec_st *amp_cu_graph_exec;
typedef struct _nvrtcProgram *amp_nvrtc_program;
typedef int amp_cu_device; /* CUdevice */
typedef unsigned long long amp_cu_pointer;
typedef unsigned long long amp_cu_texture; /* CUtexObject */

/* // >>get */

/* amp_cuda_context(view): the CUcontext behind an accelerator view.
   amp_cuda_device(view): the CUdevice behind an accelerator view, an int.
   amp_cuda_stream(view): the CUstream behind an accelerator view.
   The auto-selection view means the default view of the default accelerator. The objects belong to the library.
   view  amp_accelerator_view of a CUDA device
   Result: the object; NULL, or -2 (CU_DEVICE_INVALID), after an error.
   Errors: AMP_RUNTIME_ERROR for other accelerators, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no. Threads: any. Cost:
   none. Source: direct3d::get_device. */
AMP_PRIV_API amp_cu_context amp_cuda_context(amp_accelerator_view view);

AMP_PRIV_API amp_cu_device amp_cuda_device(amp_accelerator_view view);

AMP_PRIV_API amp_cu_stream amp_cuda_stream(amp_accelerator_view view);

/* amp_cuda_pointer(array): the CUdeviceptr behind an array, with its newest contents.
   The elements are dense and row-major. Your commands on the array's stream come after the library's. Copies
   elsewhere are out of date from now on: call it again before your commands write once more after the host or
   another device read the array.
   array  an array on a CUDA device; a view does not compile
   Result: amp_cu_pointer; 0 after an error.
   Errors: AMP_RUNTIME_ERROR (another accelerator, a staging array), AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED. Blocking: for a transfer, if the array needs it. Threads: any. Cost: a transfer, if
   the array needs it. Source: direct3d::get_buffer. */
#define amp_cuda_pointer(array)                                                                                        \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_cuda_pointer(array) takes an array, not a view"),            \
      amp_priv_cuda_pointer(AMP_PRIV_HEAD(array)))
AMP_PRIV_API amp_cu_pointer amp_priv_cuda_pointer(const amp_priv_head *head);

/* amp_cuda_after(array, event): orders what the library does with an array after an event.
   Record the event after the last of your commands that use the array.
   array  an array on a CUDA device
   event  CUevent (cudaEvent_t) of any stream
   Result: amp_status.
   Errors: AMP_INVALID_ARGUMENT (NULL), AMP_RUNTIME_ERROR (another accelerator), AMP_UNINITIALIZED_OBJECT,
   AMP_ACCELERATOR_VIEW_REMOVED.
   Blocking: no. Threads: any. Cost: a command. Source: none. */
#define amp_cuda_after(array, event)                                                                                   \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_cuda_after(array, event) takes an array, not a view"),       \
      amp_priv_cuda_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_API amp_status amp_priv_cuda_after(const amp_priv_head *head, amp_cu_event event);

/* // >>view */

/* amp_accelerator_view_from_cuda(stream): makes an accelerator view whose commands go to a stream of the program.
   Each call makes another view. The stream must live until amp_accelerator_view_release.
   stream  of cuStreamCreate or cudaStreamCreate, in the primary context; not the default stream, which is NULL
   Result: amp_accelerator_view, to be released; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (NULL, another context), AMP_RUNTIME_ERROR (no CUDA), AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED.
   Blocking: no. Threads: any. Cost: none. Source: direct3d::create_accelerator_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_cuda(amp_cu_stream stream);

/* // >>array */

/* AMP_ARRAY_FROM_CUDA(view, T, rank, memory, e0): makes an array whose contents are device memory of the program.
   The memory is dense and row-major. It must live until amp_array_release, and stays the program's.
   view  amp_accelerator_view: where the array lives
   T  an element type
   rank  a number, 1 to AMP_MAX_RANK
   memory  CUdeviceptr, at least as large as the extent, of the context of `view`; no command of the program is pending
           on it, except on the stream of `view`
   e0  `rank` integers, or one amp_extentN
   Result: an amp_array_T_N, to be released; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (0, no memory of the device, too small, another device, a negative component),
   AMP_RUNTIME_ERROR (a view of another backend), AMP_OUT_OF_MEMORY, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no.
   Threads: any. Cost: none. Source: direct3d::make_array. */
#define AMP_ARRAY_FROM_CUDA(view, T, rank, memory, ...)                                                                \
    (AMP_PRIV_REQUIRE_EXTENTS(rank, "AMP_ARRAY_FROM_CUDA(" #T ", " #rank ", ...)", __VA_ARGS__),                       \
      AMP_PRIV_NEW(AMP_PRIV_VIEW_NAME(amp_array_, T, rank), amp_priv_array_from_cuda, memory, view,                    \
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__)))

/* // >>runtime: what the macros call. */

AMP_PRIV_API void *amp_priv_array_from_cuda(void *out, amp_cu_pointer memory, amp_accelerator_view view,
                                            const amp_priv_element *element, int rank,
                                            const amp_priv_argument *extents);

#endif /* AMP_API_CUDA_INTEROP_H */
