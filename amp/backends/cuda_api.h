/* SPDX-License-Identifier: MIT */
/*  amp/backends/cuda_api.h - the functions of CUDA's driver and NVRTC, loaded at run time

    Contents (search for the tag):
        >>constants  >>functions  >>library */
#ifndef AMP_BACKENDS_CUDA_API_H
#define AMP_BACKENDS_CUDA_API_H

#include "../api/cuda_interop.h"
#include "../base/dynamic_library.h"

#include <stddef.h>
#include <stdint.h>

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

/* CUgraphEdgeData: all 0 where a node begins when another has ended. */
typedef struct amp_cu_edge {
    unsigned char from_port, to_port, type, spare[5];
} amp_cu_edge;

/* CUDA_KERNEL_NODE_PARAMS, as cuGraphExecKernelNodeSetParams takes it under that name. */
typedef struct amp_cu_launch {
    amp_cu_function function;
    unsigned groups[3], group[3], shared;
    void **values, **extra;
} amp_cu_launch;

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

/* What a call says: 0, or one of these. */
#define AMP_PRIV_CU_ERRORS(X)                                                                                          \
    X(SUCCESS, 0) X(INVALID_VALUE, 1) X(OUT_OF_MEMORY, 2) X(DEINITIALIZED, 4) X(DEVICE_UNAVAILABLE, 46)                \
    X(ECC_UNCORRECTABLE, 214) X(NVLINK_UNCORRECTABLE, 220) X(ILLEGAL_ADDRESS, 700) X(LAUNCH_OUT_OF_RESOURCES, 701)     \
    X(LAUNCH_TIMEOUT, 702) X(CONTEXT_IS_DESTROYED, 709) X(ASSERT, 710) X(HOST_MEMORY_ALREADY_REGISTERED, 712)          \
    X(HARDWARE_STACK_ERROR, 714) X(ILLEGAL_INSTRUCTION, 715) X(MISALIGNED_ADDRESS, 716) X(INVALID_ADDRESS_SPACE, 717)  \
    X(INVALID_PC, 718) X(LAUNCH_FAILED, 719)

/* CU_DEVICE_ATTRIBUTE_...: BLOCK_DIM_X has _Y and _Z after it. */
#define AMP_PRIV_CU_ATTRIBUTES(X)                                                                                      \
    X(MAX_THREADS_PER_BLOCK, 1) X(MAX_BLOCK_DIM_X, 2) X(MAX_SHARED_MEMORY_PER_BLOCK, 8) X(WARP_SIZE, 10)               \
    X(TEXTURE_ALIGNMENT, 14) X(MULTIPROCESSOR_COUNT, 16) X(KERNEL_EXEC_TIMEOUT, 17) X(INTEGRATED, 18)                  \
    X(COMPUTE_MODE, 20) X(TEXTURE_PITCH_ALIGNMENT, 51) X(COMPUTE_CAPABILITY_MAJOR, 75) X(COMPUTE_CAPABILITY_MINOR, 76) \
    X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)

/* CU_FUNC_ATTRIBUTE_, CU_POINTER_ATTRIBUTE_, CU_STREAM_CAPTURE_MODE_, CU_AD_FORMAT_, CU_TR_..., and others. */
#define AMP_PRIV_CU_CONSTANTS(X)                                                                                       \
    X(COMPUTEMODE_PROHIBITED, 2) X(FUNC_MAX_THREADS_PER_BLOCK, 0) X(FUNC_SHARED_SIZE_BYTES, 1)                         \
    X(FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8) X(STREAM_NON_BLOCKING, 1) X(EVENT_DEFAULT, 0) X(EVENT_DISABLE_TIMING, 2)  \
    X(MEMHOSTREGISTER_PORTABLE, 1) X(MEMORYTYPE_DEVICE, 2) X(MEMORYTYPE_UNIFIED, 4) X(POINTER_CONTEXT, 1)              \
    X(CAPTURE_RELAXED, 2) X(SET_DEPENDENCIES, 1) X(PORT_PROGRAMMATIC, 1) X(DEPENDENCY_PROGRAMMATIC, 1)                 \
    X(RESOURCE_PITCH2D, 3) X(FORMAT_UNSIGNED_INT8, 1)                                                                  \
    X(FORMAT_UNSIGNED_INT16, 2) X(FORMAT_SIGNED_INT8, 8) X(FORMAT_SIGNED_INT16, 9) X(FORMAT_HALF, 16)                  \
    X(FORMAT_FLOAT, 32) X(ADDRESS_CLAMP, 1) X(FILTER_LINEAR, 1) X(NORMALIZED_COORDINATES, 2)

#define AMP_PRIV_CU_CONSTANT(name, value) AMP_CU_##name = value,
enum {
    AMP_PRIV_CU_ERRORS(AMP_PRIV_CU_CONSTANT) AMP_PRIV_CU_ATTRIBUTES(AMP_PRIV_CU_CONSTANT)
        AMP_PRIV_CU_CONSTANTS(AMP_PRIV_CU_CONSTANT)
};
#undef AMP_PRIV_CU_CONSTANT
enum {
    AMP_NVRTC_OUT_OF_MEMORY = 1,
    AMP_NVRTC_PROGRAM_CREATION_FAILURE = 2,
    AMP_NVRTC_INVALID_OPTION = 5,
    AMP_NVRTC_COMPILATION = 6,
    AMP_NVRTC_INTERNAL_ERROR = 11
};

/* // >>functions
   X(name, version, hip, arguments): amp_priv_cu.MemFree(p) is CUDA's cuMemFree, whose symbol is cuMemFree_v2. All
   return int: a CUresult, an nvrtcResult. hip: the same function of HIP, whose codes are CUDA's; after a ?, one that
   takes other arguments (amp/hip/hip_api.h), or none. */

#if defined(_WIN32)
#define AMP_PRIV_CU_CALL __stdcall
#else
#define AMP_PRIV_CU_CALL
#endif

#define AMP_PRIV_CU_FUNCTIONS(X)                                                                                       \
    X(Init, , "hipInit", (unsigned)) X(GetErrorName, , "?hipGetErrorName", (int, const char **))                       \
    X(DeviceGetCount, , "hipGetDeviceCount", (int *)) X(DeviceGet, , "hipDeviceGet", (int *, int))                     \
    X(DeviceGetName, , "hipDeviceGetName", (char *, int, int))                                                         \
    X(DeviceTotalMem, _v2, "hipDeviceTotalMem", (size_t *, int))                                                       \
    X(DeviceGetAttribute, , "?hipDeviceGetAttribute", (int *, int, int))                                               \
    X(DeviceCanAccessPeer, , "hipDeviceCanAccessPeer", (int *, int, int))                                              \
    X(DevicePrimaryCtxRetain, , "hipDevicePrimaryCtxRetain", (amp_cu_context *, int))                                  \
    X(CtxGetCurrent, , "hipCtxGetCurrent", (amp_cu_context *))                                                         \
    X(CtxSetCurrent, , "hipCtxSetCurrent", (amp_cu_context)) X(CtxSynchronize, , "hipDeviceSynchronize", (void))       \
    X(CtxEnablePeerAccess, , "hipCtxEnablePeerAccess", (amp_cu_context, unsigned))                                     \
    X(MemAlloc, _v2, "hipMalloc", (amp_cu_pointer *, size_t)) X(MemFree, _v2, "hipFree", (amp_cu_pointer))             \
    X(MemGetAddressRange, _v2, "?", (amp_cu_pointer *, size_t *, amp_cu_pointer))                                      \
    X(MemHostRegister, _v2, "hipHostRegister", (void *, size_t, unsigned))                                             \
    X(MemHostUnregister, , "hipHostUnregister", (void *))                                                              \
    X(PointerGetAttribute, , "?", (void *, int, amp_cu_pointer))                                                       \
    X(MemcpyAsync, , "?hipMemcpyAsync", (amp_cu_pointer, amp_cu_pointer, size_t, amp_cu_stream))                       \
    X(Memcpy3DAsync, _v2, "?hipMemcpy2DAsync", (const amp_cu_copy *, amp_cu_stream))                                   \
    X(Memcpy3DPeerAsync, , "?hipMemcpy2DAsync", (const amp_cu_copy *, amp_cu_stream))                                  \
    X(StreamCreate, , "hipStreamCreateWithFlags", (amp_cu_stream *, unsigned))                                         \
    X(StreamDestroy, _v2, "hipStreamDestroy", (amp_cu_stream))                                                         \
    X(StreamSynchronize, , "hipStreamSynchronize", (amp_cu_stream))                                                    \
    X(StreamWaitEvent, , "hipStreamWaitEvent", (amp_cu_stream, amp_cu_event, unsigned))                                \
    X(StreamGetCtx, , "?", (amp_cu_stream, amp_cu_context *)) X(StreamBeginCapture, _v2, "?", (amp_cu_stream, int))    \
    X(StreamUpdateCaptureDependencies, , "?", (amp_cu_stream, amp_cu_node *, size_t, unsigned))                        \
    X(StreamGetCaptureInfo, _v2, "?", (amp_cu_stream, int *, unsigned long long *, amp_cu_graph *,                     \
      const amp_cu_node **, size_t *)) X(StreamEndCapture, , "?", (amp_cu_stream, amp_cu_graph *))                     \
    X(GraphDestroy, , "?", (amp_cu_graph))                                                                             \
    X(GraphInstantiate, _v2, "?", (amp_cu_graph_exec *, amp_cu_graph, amp_cu_node *, char *, size_t))                  \
    X(GraphLaunch, , "?", (amp_cu_graph_exec, amp_cu_stream)) X(GraphExecDestroy, , "?", (amp_cu_graph_exec))          \
    X(GraphExecKernelNodeSetParams, , "?", (amp_cu_graph_exec, amp_cu_node, const amp_cu_launch *))                    \
    X(EventCreate, , "hipEventCreateWithFlags", (amp_cu_event *, unsigned))                                            \
    X(EventDestroy, _v2, "hipEventDestroy", (amp_cu_event))                                                            \
    X(EventRecord, , "hipEventRecord", (amp_cu_event, amp_cu_stream))                                                  \
    X(EventQuery, , "hipEventQuery", (amp_cu_event)) X(EventSynchronize, , "hipEventSynchronize", (amp_cu_event))      \
    X(EventElapsedTime, , "hipEventElapsedTime", (float *, amp_cu_event, amp_cu_event))                                \
    X(ModuleLoadData, , "hipModuleLoadData", (amp_cu_module *, const void *))                                          \
    X(ModuleUnload, , "hipModuleUnload", (amp_cu_module))                                                              \
    X(ModuleGetFunction, , "hipModuleGetFunction", (amp_cu_function *, amp_cu_module, const char *))                   \
    X(FuncSetAttribute, , "?", (amp_cu_function, int, int))                                                            \
    X(FuncGetAttribute, , "hipFuncGetAttribute", (int *, int, amp_cu_function))                                        \
    X(LaunchKernel, , "hipModuleLaunchKernel", (amp_cu_function, unsigned, unsigned, unsigned, unsigned, unsigned,     \
      unsigned, unsigned, amp_cu_stream, void **, void **))                                                            \
    X(TexObjectCreate, , "?", (amp_cu_texture *, const amp_cu_rows *, const amp_cu_sampler *, const void *))           \
    X(TexObjectDestroy, , "?", (amp_cu_texture))

#define AMP_PRIV_NVRTC_FUNCTIONS(X)                                                                                    \
    X(CreateProgram, , "hiprtcCreateProgram", (amp_nvrtc_program *, const char *, const char *, int,                   \
      const char *const *, const char *const *)) X(DestroyProgram, , "hiprtcDestroyProgram", (amp_nvrtc_program *))    \
    X(CompileProgram, , "hiprtcCompileProgram", (amp_nvrtc_program, int, const char *const *))                         \
    X(GetCUBINSize, , "hiprtcGetCodeSize", (amp_nvrtc_program, size_t *))                                              \
    X(GetCUBIN, , "hiprtcGetCode", (amp_nvrtc_program, char *))                                                        \
    X(GetProgramLogSize, , "hiprtcGetProgramLogSize", (amp_nvrtc_program, size_t *))                                   \
    X(GetProgramLog, , "hiprtcGetProgramLog", (amp_nvrtc_program, char *))

#define AMP_PRIV_CU_MEMBER(name, version, hip, arguments) int(AMP_PRIV_CU_CALL * name) arguments;
typedef struct amp_priv_cu_functions {
    AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_CU_MEMBER)
    /* NULL before CUDA 12.3: */
    int(AMP_PRIV_CU_CALL *StreamUpdateCaptureDependencies_v2)(amp_cu_stream, amp_cu_node *, const amp_cu_edge *, size_t,
                                                              unsigned);
} amp_priv_cu_functions;
typedef struct amp_priv_nvrtc_functions {
    AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_CU_MEMBER)
    const char *(AMP_PRIV_CU_CALL *GetErrorString)(int);
} amp_priv_nvrtc_functions;
#undef AMP_PRIV_CU_MEMBER

/* Not NULL: the functions are HIP's, and this opens its compiler. A process uses CUDA or HIP. */
typedef bool (*amp_priv_cu_opener)(void);
AMP_PRIV_GLOBAL(amp_priv_cu_opener, amp_priv_cu_open_hiprtc)
#if defined(AMP_BACKEND_HIP)
#define amp_priv_cu_is_hip (amp_priv_cu_open_hiprtc != NULL)
#else
#define amp_priv_cu_is_hip false
#endif

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

AMP_PRIV_COLD bool amp_priv_cu_open(void)
{
#define AMP_PRIV_CU_NAME(name, version, hip, arguments) "cu" #name #version,
    AMP_PRIV_INTERFACE_OPEN("CUDA", "CUDA 11.3", amp_priv_cu,
                            AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_CU_NAME) "?cuStreamUpdateCaptureDependencies_v2",
                            "AMP_CUDA_LIBRARY", false, AMP_PRIV_CU_LIBRARIES);
#undef AMP_PRIV_CU_NAME
}

AMP_PRIV_COLD bool amp_priv_nvrtc_open(void)
{
#define AMP_PRIV_NVRTC_NAME(name, version, hip, arguments) "nvrtc" #name,
    AMP_PRIV_INTERFACE_OPEN("CUDA", "CUDA 11.2", amp_priv_nvrtc,
                            AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_NVRTC_NAME) "nvrtcGetErrorString", "AMP_NVRTC_LIBRARY",
                            false, AMP_PRIV_NVRTC_LIBRARIES);
#undef AMP_PRIV_NVRTC_NAME
}

#endif /* AMP_BACKENDS_CUDA_API_H */
