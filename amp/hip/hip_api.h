/* SPDX-License-Identifier: MIT */
/*  amp/hip/hip_api.h - HIP's runtime and hipRTC, loaded at run time, as the functions of amp/backends/cuda_api.h

    Most functions of HIP take the arguments of CUDA's, and their codes and constants are the same numbers. Here are
    those that take others. The attributes of devices have numbers of their own.

    Contents (search for the tag):
        >>functions  >>adapters  >>library */
#ifndef AMP_HIP_HIP_API_H
#define AMP_HIP_HIP_API_H

#include "../backends/cuda_api.h"

/* // >>functions */

enum { AMP_HIP_MEMCPY_DEFAULT = 4, AMP_HIP_ARCHITECTURE_AT = 396 /* hipDeviceProp_t.gcnArchName, up to ROCm 5 */ };

#define AMP_PRIV_HIP_FUNCTIONS(X)                                                                                      \
    X(const char *, GetErrorName, (int)) X(int, DeviceGetAttribute, (int *, int, int))                                 \
    X(int, GetDeviceProperties, (char *, int))                                                                         \
    X(int, MemcpyAsync, (amp_cu_pointer, amp_cu_pointer, size_t, int, amp_cu_stream))                                  \
    X(int, Memcpy2DAsync, (amp_cu_pointer, size_t, amp_cu_pointer, size_t, size_t, size_t, int, amp_cu_stream))

#define AMP_PRIV_HIP_MEMBER(type, name, arguments) type(*name) arguments;
typedef struct amp_priv_hip_functions {
    AMP_PRIV_HIP_FUNCTIONS(AMP_PRIV_HIP_MEMBER)
} amp_priv_hip_functions;
#undef AMP_PRIV_HIP_MEMBER

AMP_PRIV_GLOBAL(amp_priv_hip_functions, amp_priv_hip)

/* // >>adapters */

AMP_PRIV_COLD int amp_priv_hip_error_name(int error, const char **name)
{
    *name = amp_priv_hip.GetErrorName(error);
    return AMP_CU_SUCCESS;
}

AMP_PRIV_COLD int amp_priv_hip_attribute(int *value, int what, int ordinal)
{
    static const struct {
        int cuda, hip;
    } numbers[] = { { AMP_CU_MAX_THREADS_PER_BLOCK, 56 },
                    { AMP_CU_MAX_BLOCK_DIM_X, 26 },
                    { AMP_CU_MAX_BLOCK_DIM_X + 1, 27 },
                    { AMP_CU_MAX_BLOCK_DIM_X + 2, 28 },
                    { AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK, 74 },
                    { AMP_CU_WARP_SIZE, 87 },
                    { AMP_CU_MULTIPROCESSOR_COUNT, 63 },
                    { AMP_CU_KERNEL_EXEC_TIMEOUT, 18 },
                    { AMP_CU_INTEGRATED, 16 },
                    { AMP_CU_COMPUTE_MODE, 6 },
                    { AMP_CU_COMPUTE_CAPABILITY_MAJOR, 23 },
                    { AMP_CU_COMPUTE_CAPABILITY_MINOR, 61 } };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].cuda == what)
            return amp_priv_hip.DeviceGetAttribute(value, numbers[i].hip, ordinal);
    return AMP_CU_INVALID_VALUE;
}

AMP_PRIV_COLD int amp_priv_hip_copy(amp_cu_pointer to, amp_cu_pointer from, size_t bytes, amp_cu_stream stream)
{
    return amp_priv_hip.MemcpyAsync(to, from, bytes, AMP_HIP_MEMCPY_DEFAULT, stream);
}

/* Slices one by one. */
AMP_PRIV_COLD int amp_priv_hip_copy_slices(const amp_cu_copy *copy, amp_cu_stream stream)
{
    int error = AMP_CU_SUCCESS;
    for (size_t z = 0; z < copy->depth && error == AMP_CU_SUCCESS; z++)
        error = amp_priv_hip.Memcpy2DAsync(copy->to.device + z * copy->to.pitch * copy->to.height, copy->to.pitch,
                                           copy->from.device + z * copy->from.pitch * copy->from.height,
                                           copy->from.pitch, copy->width, copy->height, AMP_HIP_MEMCPY_DEFAULT, stream);
    return error;
}

/* Nothing is to be set: a work-group may have all of the local memory. */
AMP_PRIV_COLD int amp_priv_hip_set_attribute(amp_cu_function function, int what, int value)
{
    (void)function, (void)what, (void)value;
    return AMP_CU_SUCCESS;
}

/* // >>library */

#if defined(_WIN32)
#define AMP_PRIV_HIP_LIBRARIES    "amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll"
#define AMP_PRIV_HIPRTC_LIBRARIES "hiprtc0700.dll", "hiprtc0604.dll", "hiprtc0600.dll", "amdhip64.dll"
#else
#define AMP_PRIV_HIP_LIBRARIES                                                                                         \
    "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "/opt/rocm/lib/libamdhip64.so"
#define AMP_PRIV_HIPRTC_LIBRARIES /* the runtime has it, too, up to ROCm 5 */                                          \
    "libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "/opt/rocm/lib/libhiprtc.so", "libamdhip64.so",                \
        "libamdhip64.so.5"
#endif

AMP_PRIV_COLD bool amp_priv_hip_open_others(void)
{
#define AMP_PRIV_HIP_NAME(type, name, arguments) "hip" #name,
    AMP_PRIV_INTERFACE_OPEN("HIP", "ROCm 5", amp_priv_hip, AMP_PRIV_HIP_FUNCTIONS(AMP_PRIV_HIP_NAME), "AMP_HIP_LIBRARY",
                            false, AMP_PRIV_HIP_LIBRARIES);
#undef AMP_PRIV_HIP_NAME
}

AMP_PRIV_COLD bool amp_priv_hip_open_shared(void)
{
#define AMP_PRIV_HIP_NAME(name, version, hip, arguments) hip,
    AMP_PRIV_INTERFACE_OPEN("HIP", "ROCm 5", amp_priv_cu, AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_HIP_NAME) "?",
                            "AMP_HIP_LIBRARY", false, AMP_PRIV_HIP_LIBRARIES);
#undef AMP_PRIV_HIP_NAME
}

/* Fills the functions that the CUDA backend calls with HIP's. */
AMP_PRIV_COLD bool amp_priv_hip_open(void)
{
    if (!amp_priv_hip_open_others() || !amp_priv_hip_open_shared())
        return false;
    amp_priv_cu.GetErrorName = amp_priv_hip_error_name;
    amp_priv_cu.DeviceGetAttribute = amp_priv_hip_attribute;
    amp_priv_cu.MemcpyAsync = amp_priv_hip_copy;
    amp_priv_cu.Memcpy3DAsync = amp_priv_cu.Memcpy3DPeerAsync = amp_priv_hip_copy_slices;
    amp_priv_cu.FuncSetAttribute = amp_priv_hip_set_attribute;
    return true;
}

AMP_PRIV_COLD bool amp_priv_hiprtc_open(void)
{
#define AMP_PRIV_HIP_NAME(name, version, hip, arguments) hip,
    AMP_PRIV_INTERFACE_OPEN("HIP", "ROCm 5", amp_priv_nvrtc,
                            AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_HIP_NAME) "hiprtcGetErrorString", "AMP_HIPRTC_LIBRARY",
                            false, AMP_PRIV_HIPRTC_LIBRARIES);
#undef AMP_PRIV_HIP_NAME
}

#endif /* AMP_HIP_HIP_API_H */
