/* SPDX-License-Identifier: MIT */
/*  amp/cuda_api.h - CUDA's driver interface and that of NVRTC, its compiler, as far as the library uses them: types,
    constants, tables of functions, and where they come from. NVIDIA's headers are not needed, and neither is a library
    of theirs, until a program runs.

    The values are those of the CUDA driver API's reference. All names are ours, so that <cuda.h> may be included before
    amp.h, after it, or never; the types are the same.

    Contents (search for the tag):
        >>types  >>constants  >>functions  >>library                                                  */
#ifndef AMP_CUDA_API_H
#define AMP_CUDA_API_H

#include "library.h"

#include <stddef.h>
#include <stdint.h>

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

/* CUDA_MEMCPY3D_PEER: one side, and both with what moves between them. Where the contexts are NULL, CUDA_MEMCPY3D. */
typedef struct amp_cu_side {
    size_t x, y, z, lod;
    unsigned type;
    const void *host;
    amp_cu_pointer device;
    void *array;
    amp_cu_context context;
    size_t pitch, height;
} amp_cu_side;
typedef struct amp_cu_copy {
    amp_cu_side from, to;
    size_t width, height, depth;
} amp_cu_copy;

/* CUDA_RESOURCE_DESC of rows in memory, and CUDA_TEXTURE_DESC. */
typedef struct amp_cu_rows {
    int type;
    amp_cu_pointer address;
    int format;
    unsigned channels;
    size_t width, height, pitch, spare[11];
    unsigned flags;
} amp_cu_rows;
typedef struct amp_cu_sampler {
    int address[3], filter;
    unsigned flags, anisotropy;
    int level_filter;
    float level_bias, levels[2], border[4];
    int spare[12];
} amp_cu_sampler;
_Static_assert(sizeof(amp_cu_rows) == 144 && sizeof(amp_cu_sampler) == 104, "as CUDA has them");

/* // >>constants
   AMP_CU_INVALID_VALUE is CUDA_ERROR_INVALID_VALUE, and so on. */
enum {
    AMP_CU_SUCCESS = 0,
    AMP_CU_INVALID_VALUE = 1,
    AMP_CU_OUT_OF_MEMORY = 2,
    AMP_CU_DEINITIALIZED = 4,
    AMP_CU_DEVICE_UNAVAILABLE = 46,
    AMP_CU_ECC_UNCORRECTABLE = 214,
    AMP_CU_NVLINK_UNCORRECTABLE = 220,
    AMP_CU_ILLEGAL_ADDRESS = 700, /* from here to LAUNCH_FAILED, a kernel's fault, but for those named between */
    AMP_CU_LAUNCH_OUT_OF_RESOURCES = 701,
    AMP_CU_LAUNCH_TIMEOUT = 702,
    AMP_CU_CONTEXT_IS_DESTROYED = 709,
    AMP_CU_ASSERT = 710,
    AMP_CU_HOST_MEMORY_ALREADY_REGISTERED = 712,
    AMP_CU_HARDWARE_STACK_ERROR = 714,
    AMP_CU_LAUNCH_FAILED = 719,

    AMP_CU_MAX_THREADS_PER_BLOCK = 1, /* CU_DEVICE_ATTRIBUTE_... */
    AMP_CU_MAX_BLOCK_DIM_X = 2,       /* and _Y, _Z after it */
    AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    AMP_CU_WARP_SIZE = 10,
    AMP_CU_TEXTURE_ALIGNMENT = 14,
    AMP_CU_MULTIPROCESSOR_COUNT = 16,
    AMP_CU_KERNEL_EXEC_TIMEOUT = 17,
    AMP_CU_INTEGRATED = 18,
    AMP_CU_COMPUTE_MODE = 20,
    AMP_CU_TEXTURE_PITCH_ALIGNMENT = 51,
    AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    AMP_CU_COMPUTE_CAPABILITY_MAJOR = 75,
    AMP_CU_COMPUTE_CAPABILITY_MINOR = 76,

    AMP_CU_COMPUTEMODE_PROHIBITED = 2,
    AMP_CU_FUNC_MAX_THREADS_PER_BLOCK = 0, /* CU_FUNC_ATTRIBUTE_... */
    AMP_CU_FUNC_SHARED_SIZE_BYTES = 1,
    AMP_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    AMP_CU_STREAM_NON_BLOCKING = 1,
    AMP_CU_EVENT_DEFAULT = 0,
    AMP_CU_EVENT_DISABLE_TIMING = 2,
    AMP_CU_MEMHOSTREGISTER_PORTABLE = 1,
    AMP_CU_CAPTURE_RELAXED = 2,  /* CU_STREAM_CAPTURE_MODE_... */
    AMP_CU_SET_DEPENDENCIES = 1, /* CU_STREAM_SET_CAPTURE_DEPENDENCIES */
    AMP_CU_MEMORYTYPE_DEVICE = 2,
    AMP_CU_MEMORYTYPE_UNIFIED = 4,
    AMP_CU_POINTER_CONTEXT = 1, /* CU_POINTER_ATTRIBUTE_... */
    AMP_CU_RESOURCE_PITCH2D = 3,
    AMP_CU_FORMAT_UNSIGNED_INT8 = 1, /* CU_AD_FORMAT_... */
    AMP_CU_FORMAT_UNSIGNED_INT16 = 2,
    AMP_CU_FORMAT_SIGNED_INT8 = 8,
    AMP_CU_FORMAT_SIGNED_INT16 = 9,
    AMP_CU_FORMAT_HALF = 16,
    AMP_CU_FORMAT_FLOAT = 32,
    AMP_CU_ADDRESS_CLAMP = 1,          /* CU_TR_ADDRESS_MODE_CLAMP */
    AMP_CU_FILTER_LINEAR = 1,          /* CU_TR_FILTER_MODE_LINEAR */
    AMP_CU_NORMALIZED_COORDINATES = 2, /* CU_TRSF_... */

    AMP_NVRTC_OUT_OF_MEMORY = 1,
    AMP_NVRTC_PROGRAM_CREATION_FAILURE = 2,
    AMP_NVRTC_INVALID_OPTION = 5,
    AMP_NVRTC_COMPILATION = 6
};

/* // >>functions
   X(name, symbol, arguments): amp_priv_cu.MemFree(p) is CUDA's cuMemFree, whose symbol is cuMemFree_v2. All return int:
   a CUresult, an nvrtcResult. */

#if defined(_WIN32)
#define AMP_PRIV_CU_CALL __stdcall
#else
#define AMP_PRIV_CU_CALL
#endif

#define AMP_PRIV_CU_FUNCTIONS(X)                                                                                       \
    X(Init, "cuInit", (unsigned))                                                                                      \
    X(GetErrorName, "cuGetErrorName", (int, const char **))                                                            \
    X(DeviceGetCount, "cuDeviceGetCount", (int *))                                                                     \
    X(DeviceGet, "cuDeviceGet", (int *, int))                                                                          \
    X(DeviceGetName, "cuDeviceGetName", (char *, int, int))                                                            \
    X(DeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, int))                                                          \
    X(DeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))                                                   \
    X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (amp_cu_context *, int))                                     \
    X(CtxGetCurrent, "cuCtxGetCurrent", (amp_cu_context *))                                                            \
    X(CtxSetCurrent, "cuCtxSetCurrent", (amp_cu_context))                                                              \
    X(MemAlloc, "cuMemAlloc_v2", (amp_cu_pointer *, size_t))                                                           \
    X(MemFree, "cuMemFree_v2", (amp_cu_pointer))                                                                       \
    X(MemGetAddressRange, "cuMemGetAddressRange_v2", (amp_cu_pointer *, size_t *, amp_cu_pointer))                     \
    X(MemHostRegister, "cuMemHostRegister_v2", (void *, size_t, unsigned))                                             \
    X(MemHostUnregister, "cuMemHostUnregister", (void *))                                                              \
    X(PointerGetAttribute, "cuPointerGetAttribute", (void *, int, amp_cu_pointer))                                     \
    X(MemcpyAsync, "cuMemcpyAsync", (amp_cu_pointer, amp_cu_pointer, size_t, amp_cu_stream))                           \
    X(Memcpy3DAsync, "cuMemcpy3DAsync_v2", (const amp_cu_copy *, amp_cu_stream))                                       \
    X(DeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *, int, int))                                                 \
    X(CtxEnablePeerAccess, "cuCtxEnablePeerAccess", (amp_cu_context, unsigned))                                        \
    X(Memcpy3DPeerAsync, "cuMemcpy3DPeerAsync", (const amp_cu_copy *, amp_cu_stream))                                  \
    X(StreamCreate, "cuStreamCreate", (amp_cu_stream *, unsigned))                                                     \
    X(StreamDestroy, "cuStreamDestroy_v2", (amp_cu_stream))                                                            \
    X(StreamSynchronize, "cuStreamSynchronize", (amp_cu_stream))                                                       \
    X(StreamWaitEvent, "cuStreamWaitEvent", (amp_cu_stream, amp_cu_event, unsigned))                                   \
    X(StreamGetCtx, "cuStreamGetCtx", (amp_cu_stream, amp_cu_context *))                                               \
    X(EventCreate, "cuEventCreate", (amp_cu_event *, unsigned))                                                        \
    X(EventDestroy, "cuEventDestroy_v2", (amp_cu_event))                                                               \
    X(EventRecord, "cuEventRecord", (amp_cu_event, amp_cu_stream))                                                     \
    X(EventQuery, "cuEventQuery", (amp_cu_event))                                                                      \
    X(EventSynchronize, "cuEventSynchronize", (amp_cu_event))                                                          \
    X(EventElapsedTime, "cuEventElapsedTime", (float *, amp_cu_event, amp_cu_event))                                   \
    X(ModuleLoadData, "cuModuleLoadData", (amp_cu_module *, const void *))                                             \
    X(ModuleUnload, "cuModuleUnload", (amp_cu_module))                                                                 \
    X(ModuleGetFunction, "cuModuleGetFunction", (amp_cu_function *, amp_cu_module, const char *))                      \
    X(FuncSetAttribute, "cuFuncSetAttribute", (amp_cu_function, int, int))                                             \
    X(FuncGetAttribute, "cuFuncGetAttribute", (int *, int, amp_cu_function))                                           \
    X(CtxSynchronize, "cuCtxSynchronize", (void))                                                                      \
    X(TexObjectCreate, "cuTexObjectCreate",                                                                            \
      (amp_cu_texture *, const amp_cu_rows *, const amp_cu_sampler *, const void *))                                   \
    X(TexObjectDestroy, "cuTexObjectDestroy", (amp_cu_texture))                                                        \
    X(LaunchKernel, "cuLaunchKernel",                                                                                  \
      (amp_cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, amp_cu_stream, void **,  \
       void **))                                                                                                       \
    X(StreamBeginCapture, "cuStreamBeginCapture_v2", (amp_cu_stream, int))                                             \
    X(StreamUpdateCaptureDependencies, "cuStreamUpdateCaptureDependencies",                                            \
      (amp_cu_stream, amp_cu_node *, size_t, unsigned))                                                                \
    X(StreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                                                               \
      (amp_cu_stream, int *, unsigned long long *, amp_cu_graph *, const amp_cu_node **, size_t *))                    \
    X(StreamEndCapture, "cuStreamEndCapture", (amp_cu_stream, amp_cu_graph *))                                         \
    X(GraphDestroy, "cuGraphDestroy", (amp_cu_graph))                                                                  \
    X(GraphInstantiate, "cuGraphInstantiate_v2", (amp_cu_graph_exec *, amp_cu_graph, amp_cu_node *, char *, size_t))   \
    X(GraphLaunch, "cuGraphLaunch", (amp_cu_graph_exec, amp_cu_stream))                                                \
    X(GraphExecDestroy, "cuGraphExecDestroy", (amp_cu_graph_exec))

#define AMP_PRIV_NVRTC_FUNCTIONS(X)                                                                                    \
    X(CreateProgram, "nvrtcCreateProgram",                                                                             \
      (amp_nvrtc_program *, const char *, const char *, int, const char *const *, const char *const *))                \
    X(DestroyProgram, "nvrtcDestroyProgram", (amp_nvrtc_program *))                                                    \
    X(CompileProgram, "nvrtcCompileProgram", (amp_nvrtc_program, int, const char *const *))                            \
    X(GetCUBINSize, "nvrtcGetCUBINSize", (amp_nvrtc_program, size_t *))                                                \
    X(GetCUBIN, "nvrtcGetCUBIN", (amp_nvrtc_program, char *))                                                          \
    X(GetPTXSize, "nvrtcGetPTXSize", (amp_nvrtc_program, size_t *))                                                    \
    X(GetPTX, "nvrtcGetPTX", (amp_nvrtc_program, char *))                                                              \
    X(GetProgramLogSize, "nvrtcGetProgramLogSize", (amp_nvrtc_program, size_t *))                                      \
    X(GetProgramLog, "nvrtcGetProgramLog", (amp_nvrtc_program, char *))

#define AMP_PRIV_CU_MEMBER(name, symbol, arguments) int(AMP_PRIV_CU_CALL * name) arguments;
typedef struct amp_priv_cu_functions {
    AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_CU_MEMBER)
} amp_priv_cu_functions;
typedef struct amp_priv_nvrtc_functions {
    AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_CU_MEMBER)
    const char *(AMP_PRIV_CU_CALL *GetErrorString)(int);
} amp_priv_nvrtc_functions;
#undef AMP_PRIV_CU_MEMBER

/* All NULL until they were found; the compiler is looked for when something is to be compiled. */
AMP_PRIV_GLOBAL(amp_priv_cu_functions, amp_priv_cu)
AMP_PRIV_GLOBAL(amp_priv_nvrtc_functions, amp_priv_nvrtc)

/* // >>library */

#if defined(_WIN32)
#define AMP_PRIV_CU_LIBRARIES    "nvcuda.dll"
#define AMP_PRIV_NVRTC_LIBRARIES "nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"
#else
#define AMP_PRIV_CU_LIBRARIES "libcuda.so.1"
#define AMP_PRIV_NVRTC_LIBRARIES                                                                                       \
    "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so"
#endif

#define AMP_PRIV_CU_NAME(name, symbol, arguments) symbol,
AMP_PRIV_COLD bool amp_priv_cu_open(void)
{
    AMP_PRIV_INTERFACE_OPEN("CUDA", "CUDA 11.3", amp_priv_cu, AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_CU_NAME),
                            "AMP_CUDA_LIBRARY", false, AMP_PRIV_CU_LIBRARIES);
}

/* The compiler's, when something is to be compiled. */
AMP_PRIV_COLD bool amp_priv_nvrtc_open(void)
{
    AMP_PRIV_INTERFACE_OPEN("CUDA", "CUDA 11.3", amp_priv_nvrtc,
                            AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_CU_NAME) "nvrtcGetErrorString", "AMP_NVRTC_LIBRARY",
                            false, AMP_PRIV_NVRTC_LIBRARIES);
}
#undef AMP_PRIV_CU_NAME

#endif /* AMP_CUDA_API_H */
