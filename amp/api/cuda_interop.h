/* SPDX-License-Identifier: MIT */
/*  amp/api/cuda_interop.h - CUDA objects of accelerators and arrays, and accelerators and arrays of CUDA objects

    Contents (search for the tag):
        >>types  >>get  >>view  >>array  >>runtime */
#ifndef AMP_API_CUDA_INTEROP_H
#define AMP_API_CUDA_INTEROP_H

#include "array_view.h"

/* // >>types
   amp_cu_context is CUcontext, and so on: pointers to structs that only CUDA knows. CUdevice is int, CUdeviceptr is
   amp_cu_pointer. */
typedef struct CUctx_st *amp_cu_context;
typedef struct CUstream_st *amp_cu_stream;
typedef struct CUevent_st *amp_cu_event;
typedef struct CUmod_st *amp_cu_module;
typedef struct CUfunc_st *amp_cu_function;
typedef struct CUgraph_st *amp_cu_graph;
typedef struct CUgraphNode_st *amp_cu_node;
typedef struct CUgraphExec_st *amp_cu_graph_exec;
typedef struct _nvrtcProgram *amp_nvrtc_program;
typedef unsigned long long amp_cu_pointer;
typedef unsigned long long amp_cu_texture; /* CUtexObject */

/* // >>get */

/* amp_cuda_context(view), amp_cuda_stream(view): the CUcontext and CUstream behind an accelerator view; the
   auto-selection view stands for the default accelerator's default view. They belong to the library.
   Errors: AMP_RUNTIME_ERROR for other devices, AMP_ACCELERATOR_VIEW_REMOVED; NULL then. Blocking: no. Threads: any.
   Source: direct3d::get_device. */
AMP_PRIV_API amp_cu_context amp_cuda_context(amp_accelerator_view view);

AMP_PRIV_API amp_cu_stream amp_cuda_stream(amp_accelerator_view view);

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
AMP_PRIV_API amp_cu_pointer amp_priv_cuda_pointer(const amp_priv_head *head);

/* amp_cuda_after(array, event): what the library does with an array from now on comes after this event, which was
   recorded after the last one of your commands that use the array.
   event  a CUevent (cudaEvent_t) of any stream
   Errors: AMP_RUNTIME_ERROR (NULL, not on CUDA), AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: no.
   Threads: any. */
#define amp_cuda_after(array, event)                                                                                   \
    (AMP_PRIV_REQUIRE(AMP_PRIV_IS_ARRAY(array), "amp: amp_cuda_after(array, event) takes an array, not a view"),       \
      amp_priv_cuda_after(AMP_PRIV_HEAD(array), event))
AMP_PRIV_API amp_status amp_priv_cuda_after(const amp_priv_head *head, amp_cu_event event);

/* // >>view */

/* amp_accelerator_view_from_cuda(stream): an accelerator view whose commands go to a stream of the user's. Each call
   gives another view. Release it with amp_accelerator_view_release; the stream has to live until then, and stays the
   user's.
   stream  of cuStreamCreate or cudaStreamCreate, not the default stream, which is NULL
   Errors: AMP_RUNTIME_ERROR (NULL, another context than the primary one, no CUDA), AMP_OUT_OF_MEMORY,
   AMP_ACCELERATOR_VIEW_REMOVED; the view is all zero then. Blocking: no. Threads: any.
   Source: direct3d::create_accelerator_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_from_cuda(amp_cu_stream stream);

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
                   &AMP_PRIV_CAT(amp_priv_element_, T), rank, AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__)))

/* // >>runtime: what the macros call. */

AMP_PRIV_API void *amp_priv_array_from_cuda(void *out, amp_cu_pointer memory, amp_accelerator_view view,
                                            const amp_priv_element *element, int rank,
                                            const amp_priv_argument *extents);

#endif /* AMP_API_CUDA_INTEROP_H */
