/* SPDX-License-Identifier: MIT */
/*  amp/backends/opencl_api.h - the functions of OpenCL, loaded at run time

    Contents (search for the tag):
        >>constants  >>functions  >>library */
#ifndef AMP_BACKENDS_OPENCL_API_H
#define AMP_BACKENDS_OPENCL_API_H

#include "../api/opencl_interop.h"
#include "../base/dynamic_library.h"

#include <stdint.h>

struct _cl_image_format;
struct _cl_image_desc;

/* What images are made of. Only OpenCL's header may define its structs: functions are given pointers to these as
   pointers to those. */
typedef struct amp_cl_image_format {
    uint32_t order, type;
} amp_cl_image_format;
typedef struct amp_cl_image_desc {
    uint32_t type;
    size_t width, height, depth, array_size, row_pitch, slice_pitch;
    uint32_t mip_levels, samples;
    amp_cl_mem buffer;
} amp_cl_image_desc;

/* // >>constants
   AMP_CL_SUCCESS is CL_SUCCESS, and so on. */

/* What a call says: 0, or one of these. */
#define AMP_PRIV_CL_ERRORS(X)                                                                                          \
    X(DEVICE_NOT_FOUND, -1) X(DEVICE_NOT_AVAILABLE, -2) X(COMPILER_NOT_AVAILABLE, -3)                                  \
    X(MEM_OBJECT_ALLOCATION_FAILURE, -4) X(OUT_OF_RESOURCES, -5) X(OUT_OF_HOST_MEMORY, -6)                             \
    X(PROFILING_INFO_NOT_AVAILABLE, -7) X(MEM_COPY_OVERLAP, -8) X(BUILD_PROGRAM_FAILURE, -11) X(MAP_FAILURE, -12)      \
    X(MISALIGNED_SUB_BUFFER_OFFSET, -13) X(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                             \
    X(COMPILE_PROGRAM_FAILURE, -15) X(LINKER_NOT_AVAILABLE, -16) X(LINK_PROGRAM_FAILURE, -17) X(INVALID_VALUE, -30)    \
    X(INVALID_PLATFORM, -32) X(INVALID_DEVICE, -33) X(INVALID_CONTEXT, -34) X(INVALID_QUEUE_PROPERTIES, -35)           \
    X(INVALID_COMMAND_QUEUE, -36) X(INVALID_HOST_PTR, -37) X(INVALID_MEM_OBJECT, -38) X(INVALID_BINARY, -42)           \
    X(INVALID_BUILD_OPTIONS, -43) X(INVALID_PROGRAM, -44) X(INVALID_PROGRAM_EXECUTABLE, -45)                           \
    X(INVALID_KERNEL_NAME, -46) X(INVALID_KERNEL, -48) X(INVALID_ARG_INDEX, -49) X(INVALID_ARG_VALUE, -50)             \
    X(INVALID_ARG_SIZE, -51) X(INVALID_KERNEL_ARGS, -52) X(INVALID_WORK_DIMENSION, -53)                                \
    X(INVALID_WORK_GROUP_SIZE, -54) X(INVALID_WORK_ITEM_SIZE, -55) X(INVALID_GLOBAL_OFFSET, -56)                       \
    X(INVALID_EVENT_WAIT_LIST, -57) X(INVALID_EVENT, -58) X(INVALID_OPERATION, -59) X(INVALID_BUFFER_SIZE, -61)        \
    X(INVALID_GLOBAL_WORK_SIZE, -63)

/* What is asked for, and what is answered. */
#define AMP_PRIV_CL_CONSTANTS(X)                                                                                       \
    X(SUCCESS, 0) X(TRUE, 1) X(COMPLETE, 0) X(QUEUED, 3) X(BUILD_NONE, -1) X(BUILD_ERROR, -2)                          \
    X(PLATFORM_VERSION, 0x0901) X(PLATFORM_NAME, 0x0902) X(CONTEXT_PLATFORM, 0x1084)                                   \
    X(DEVICE_TYPE_CPU, 1 << 1) X(DEVICE_TYPE_GPU, 1 << 2) X(DEVICE_TYPE_ACCELERATOR, 1 << 3)                           \
    X(DEVICE_TYPE, 0x1000) X(DEVICE_MAX_COMPUTE_UNITS, 0x1002) X(DEVICE_MAX_WORK_ITEM_DIMENSIONS, 0x1003)              \
    X(DEVICE_MAX_WORK_GROUP_SIZE, 0x1004) X(DEVICE_MAX_WORK_ITEM_SIZES, 0x1005) X(DEVICE_ADDRESS_BITS, 0x100D)         \
    X(DEVICE_MAX_MEM_ALLOC_SIZE, 0x1010) X(DEVICE_MAX_PARAMETER_SIZE, 0x1017) X(DEVICE_GLOBAL_MEM_SIZE, 0x101F)        \
    X(DEVICE_IMAGE_SUPPORT, 0x1016) X(DEVICE_LOCAL_MEM_SIZE, 0x1023) X(DEVICE_ENDIAN_LITTLE, 0x1026)                   \
    X(DEVICE_AVAILABLE, 0x1027) X(DEVICE_COMPILER_AVAILABLE, 0x1028) X(DEVICE_NAME, 0x102B) X(DRIVER_VERSION, 0x102D)  \
    X(DEVICE_VERSION, 0x102F) X(DEVICE_EXTENSIONS, 0x1030) X(DEVICE_DOUBLE_FP_CONFIG, 0x1032)                          \
    X(DEVICE_SINGLE_FP_CONFIG, 0x101B) X(FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, 1 << 7)                                     \
    X(DEVICE_HOST_UNIFIED_MEMORY, 0x1035) X(DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 0x103A)                                  \
    X(QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1 << 0) X(QUEUE_PROFILING_ENABLE, 1 << 1)                                   \
    X(QUEUE_CONTEXT, 0x1090) X(QUEUE_DEVICE, 0x1091) X(QUEUE_PROPERTIES, 0x1093)                                       \
    X(MEM_READ_WRITE, 1 << 0) X(MEM_USE_HOST_PTR, 1 << 3) X(MAP_READ, 1 << 0) X(MAP_WRITE_INVALIDATE_REGION, 1 << 2)   \
    X(MEM_READ_ONLY, 1 << 2) X(R, 0x10B0) X(RG, 0x10B2) X(RGBA, 0x10B5) X(SNORM_INT8, 0x10D0) X(SNORM_INT16, 0x10D1)   \
    X(UNORM_INT8, 0x10D2) X(UNORM_INT16, 0x10D3) X(HALF_FLOAT, 0x10DD) X(FLOAT, 0x10DE)                                \
    X(MEM_OBJECT_BUFFER, 0x10F0) X(MEM_OBJECT_IMAGE2D, 0x10F1) X(MEM_OBJECT_IMAGE3D, 0x10F2) X(MEM_TYPE, 0x1100)       \
    X(MEM_SIZE, 0x1102) X(MEM_HOST_PTR, 0x1103) X(MEM_CONTEXT, 0x1106)                                                 \
    X(PROGRAM_BINARY_SIZES, 0x1165) X(PROGRAM_BINARIES, 0x1166) X(PROGRAM_NUM_KERNELS, 0x1167)                         \
    X(PROGRAM_BUILD_STATUS, 0x1181) X(PROGRAM_BUILD_LOG, 0x1183)                                                       \
    X(KERNEL_WORK_GROUP_SIZE, 0x11B0) X(KERNEL_LOCAL_MEM_SIZE, 0x11B2)                                                 \
    X(EVENT_COMMAND_QUEUE, 0x11D0) X(EVENT_COMMAND_EXECUTION_STATUS, 0x11D3) X(EVENT_CONTEXT, 0x11D4)                  \
    X(PROFILING_COMMAND_QUEUED, 0x1280) X(PROFILING_COMMAND_START, 0x1282) X(PROFILING_COMMAND_END, 0x1283)

#define AMP_PRIV_CL_CONSTANT(name, value) AMP_CL_##name = value,
enum { AMP_PRIV_CL_ERRORS(AMP_PRIV_CL_CONSTANT) AMP_PRIV_CL_CONSTANTS(AMP_PRIV_CL_CONSTANT) };
#undef AMP_PRIV_CL_CONSTANT
#define AMP_CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF) /* no int, as enumerators are */

/* // >>functions
   X(result, name, arguments): amp_priv_cl.Finish(queue) is OpenCL's clFinish(queue). */

/* How they, and what they call back, are called. */
#if defined(_WIN32)
#define AMP_PRIV_CL_CALL __stdcall
#else
#define AMP_PRIV_CL_CALL
#endif

typedef void(AMP_PRIV_CL_CALL *amp_priv_cl_context_notice)(const char *, const void *, size_t, void *);
typedef void(AMP_PRIV_CL_CALL *amp_priv_cl_build_notice)(amp_cl_program, void *);

/* The last arguments of commands: how many events come first, which, and where this command's own goes. */
#define AMP_PRIV_CL_EVENTS uint32_t, const amp_cl_event *, amp_cl_event *
/* Of questions: what is asked for, how much room there is for the answer, where, and where its length goes. */
#define AMP_PRIV_CL_ASKED uint32_t, size_t, void *, size_t *
/* Of rectangles: where they start in the one and in the other memory, their size, and the pitches there and there. */
#define AMP_PRIV_CL_RECT const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t

#define AMP_PRIV_CL_FUNCTIONS(X)                                                                                       \
    X(int32_t, GetPlatformIDs, (uint32_t, amp_cl_platform_id *, uint32_t *))                                           \
    X(int32_t, GetPlatformInfo, (amp_cl_platform_id, AMP_PRIV_CL_ASKED))                                               \
    X(int32_t, GetDeviceIDs, (amp_cl_platform_id, uint64_t, uint32_t, amp_cl_device_id *, uint32_t *))                 \
    X(int32_t, GetDeviceInfo, (amp_cl_device_id, AMP_PRIV_CL_ASKED))                                                   \
    X(amp_cl_context, CreateContext,                                                                                   \
      (const intptr_t *, uint32_t, const amp_cl_device_id *, amp_priv_cl_context_notice, void *, int32_t *))           \
    X(int32_t, RetainContext, (amp_cl_context))                                                                        \
    X(amp_cl_command_queue, CreateCommandQueue, (amp_cl_context, amp_cl_device_id, uint64_t, int32_t *))               \
    X(int32_t, RetainCommandQueue, (amp_cl_command_queue))                                                             \
    X(int32_t, ReleaseCommandQueue, (amp_cl_command_queue))                                                            \
    X(int32_t, GetCommandQueueInfo, (amp_cl_command_queue, AMP_PRIV_CL_ASKED))                                         \
    X(amp_cl_mem, CreateBuffer, (amp_cl_context, uint64_t, size_t, void *, int32_t *))                                 \
    X(amp_cl_mem, CreateImage,                                                                                         \
      (amp_cl_context, uint64_t, const struct _cl_image_format *, const struct _cl_image_desc *, void *, int32_t *))   \
    X(int32_t, RetainMemObject, (amp_cl_mem))                                                                          \
    X(int32_t, ReleaseMemObject, (amp_cl_mem))                                                                         \
    X(int32_t, GetMemObjectInfo, (amp_cl_mem, AMP_PRIV_CL_ASKED))                                                      \
    X(amp_cl_program, CreateProgramWithSource,                                                                         \
      (amp_cl_context, uint32_t, const char **, const size_t *, int32_t *))                                            \
    X(amp_cl_program, CreateProgramWithBinary,                                                                         \
      (amp_cl_context, uint32_t, const amp_cl_device_id *, const size_t *, const unsigned char **, int32_t *,          \
       int32_t *))                                                                                                     \
    X(int32_t, BuildProgram,                                                                                           \
      (amp_cl_program, uint32_t, const amp_cl_device_id *, const char *, amp_priv_cl_build_notice, void *))            \
    X(int32_t, ReleaseProgram, (amp_cl_program))                                                                       \
    X(int32_t, GetProgramInfo, (amp_cl_program, AMP_PRIV_CL_ASKED))                                                    \
    X(int32_t, GetProgramBuildInfo, (amp_cl_program, amp_cl_device_id, AMP_PRIV_CL_ASKED))                             \
    X(amp_cl_kernel, CreateKernel, (amp_cl_program, const char *, int32_t *))                                          \
    X(int32_t, ReleaseKernel, (amp_cl_kernel))                                                                         \
    X(int32_t, SetKernelArg, (amp_cl_kernel, uint32_t, size_t, const void *))                                          \
    X(int32_t, GetKernelWorkGroupInfo, (amp_cl_kernel, amp_cl_device_id, AMP_PRIV_CL_ASKED))                           \
    X(int32_t, EnqueueNDRangeKernel,                                                                                   \
      (amp_cl_command_queue, amp_cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *,                  \
       AMP_PRIV_CL_EVENTS))                                                                                            \
    X(int32_t, EnqueueReadBuffer,                                                                                      \
      (amp_cl_command_queue, amp_cl_mem, uint32_t, size_t, size_t, void *, AMP_PRIV_CL_EVENTS))                        \
    X(int32_t, EnqueueReadBufferRect,                                                                                  \
      (amp_cl_command_queue, amp_cl_mem, uint32_t, AMP_PRIV_CL_RECT, void *, AMP_PRIV_CL_EVENTS))                      \
    X(int32_t, EnqueueWriteBuffer,                                                                                     \
      (amp_cl_command_queue, amp_cl_mem, uint32_t, size_t, size_t, const void *, AMP_PRIV_CL_EVENTS))                  \
    X(int32_t, EnqueueWriteBufferRect,                                                                                 \
      (amp_cl_command_queue, amp_cl_mem, uint32_t, AMP_PRIV_CL_RECT, const void *, AMP_PRIV_CL_EVENTS))                \
    X(int32_t, EnqueueCopyBuffer,                                                                                      \
      (amp_cl_command_queue, amp_cl_mem, amp_cl_mem, size_t, size_t, size_t, AMP_PRIV_CL_EVENTS))                      \
    X(int32_t, EnqueueCopyBufferRect,                                                                                  \
      (amp_cl_command_queue, amp_cl_mem, amp_cl_mem, AMP_PRIV_CL_RECT, AMP_PRIV_CL_EVENTS))                            \
    X(int32_t, EnqueueCopyBufferToImage,                                                                               \
      (amp_cl_command_queue, amp_cl_mem, amp_cl_mem, size_t, const size_t *, const size_t *, AMP_PRIV_CL_EVENTS))      \
    X(void *, EnqueueMapBuffer,                                                                                        \
      (amp_cl_command_queue, amp_cl_mem, uint32_t, uint64_t, size_t, size_t, AMP_PRIV_CL_EVENTS, int32_t *))           \
    X(int32_t, EnqueueUnmapMemObject, (amp_cl_command_queue, amp_cl_mem, void *, AMP_PRIV_CL_EVENTS))                  \
    X(int32_t, EnqueueMarkerWithWaitList, (amp_cl_command_queue, AMP_PRIV_CL_EVENTS))                                  \
    X(int32_t, EnqueueBarrierWithWaitList, (amp_cl_command_queue, AMP_PRIV_CL_EVENTS))                                 \
    X(int32_t, Flush, (amp_cl_command_queue))                                                                          \
    X(int32_t, Finish, (amp_cl_command_queue))                                                                         \
    X(int32_t, WaitForEvents, (uint32_t, const amp_cl_event *))                                                        \
    X(int32_t, GetEventInfo, (amp_cl_event, AMP_PRIV_CL_ASKED))                                                        \
    X(int32_t, GetEventProfilingInfo, (amp_cl_event, AMP_PRIV_CL_ASKED))                                               \
    X(int32_t, ReleaseEvent, (amp_cl_event))

#define AMP_PRIV_CL_MEMBER(result, name, arguments) result(AMP_PRIV_CL_CALL *name) arguments;
typedef struct amp_priv_cl_functions {
    AMP_PRIV_CL_FUNCTIONS(AMP_PRIV_CL_MEMBER)
} amp_priv_cl_functions;
#undef AMP_PRIV_CL_MEMBER

/* All NULL until amp_priv_cl_open has found them. */
AMP_PRIV_GLOBAL(amp_priv_cl_functions, amp_priv_cl)

/* // >>library */

#if defined(AMP_OPENCL_LINKED)

#define AMP_PRIV_CL_LINKED(result, name, arguments)                                                                    \
    extern result AMP_PRIV_CL_CALL amp_priv_linked_##name arguments                                                    \
        __asm__(AMP_PRIV_TEXT(__USER_LABEL_PREFIX__) "cl" #name);
AMP_PRIV_CL_FUNCTIONS(AMP_PRIV_CL_LINKED)
#undef AMP_PRIV_CL_LINKED

/* Those of the library that this program is linked with. */
AMP_PRIV_COLD bool amp_priv_cl_open(void)
{
#define AMP_PRIV_CL_LINKED(result, name, arguments) .name = amp_priv_linked_##name,
    amp_priv_cl = (amp_priv_cl_functions){ AMP_PRIV_CL_FUNCTIONS(AMP_PRIV_CL_LINKED) };
#undef AMP_PRIV_CL_LINKED
    return true;
}

#else

#if defined(_WIN32)
#define AMP_PRIV_CL_LIBRARIES "OpenCL.dll"
#elif defined(__APPLE__)
#define AMP_PRIV_CL_LIBRARIES "/System/Library/Frameworks/OpenCL.framework/OpenCL"
#else
#define AMP_PRIV_CL_LIBRARIES "libOpenCL.so.1", "libOpenCL.so"
#endif

/* Finds the functions, once in a process. */
AMP_PRIV_COLD bool amp_priv_cl_open(void)
{
#define AMP_PRIV_CL_NAME(result, name, arguments) "cl" #name,
    AMP_PRIV_INTERFACE_OPEN("OpenCL", "OpenCL 1.2", amp_priv_cl, AMP_PRIV_CL_FUNCTIONS(AMP_PRIV_CL_NAME),
                            "AMP_OPENCL_LIBRARY", true, AMP_PRIV_CL_LIBRARIES);
#undef AMP_PRIV_CL_NAME
}

#endif

#endif /* AMP_BACKENDS_OPENCL_API_H */
