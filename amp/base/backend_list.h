/* SPDX-License-Identifier: MIT */
/*  amp/base/backend_list.h - which backends this build has

    A new backend is listed here, included in amp/implementation.h, and tested for in amp.h. */
#ifndef AMP_BASE_BACKEND_LIST_H
#define AMP_BASE_BACKEND_LIST_H

#if defined(AMP_BACKEND_CUDA)
#define AMP_PRIV_IF_CUDA(...) __VA_ARGS__
#else
#define AMP_PRIV_IF_CUDA(...)
#endif
#if defined(AMP_BACKEND_HIP)
#define AMP_PRIV_IF_HIP(...) __VA_ARGS__
#else
#define AMP_PRIV_IF_HIP(...)
#endif
#if defined(AMP_BACKEND_OPENCL)
#define AMP_PRIV_IF_OPENCL(...) __VA_ARGS__
#else
#define AMP_PRIV_IF_OPENCL(...)
#endif
#if defined(AMP_BACKEND_VULKAN)
#define AMP_PRIV_IF_VULKAN(...) __VA_ARGS__
#else
#define AMP_PRIV_IF_VULKAN(...)
#endif

#if defined(AMP_BACKEND_EXTRA)
#define AMP_PRIV_IF_EXTRA(...) __VA_ARGS__
#else
#define AMP_PRIV_IF_EXTRA(...)
#endif

/* X(name, prefix, bit) for each backend whose kernels are source, in the order in which devices are listed. CUDA and
   HIP are before OpenCL, and that before Vulkan: they have the same GPUs. name: AMP_BACKEND_name is defined. prefix:
   of its functions. bit: the build's number is made of it (amp/api/element.h). */
#define AMP_PRIV_DEVICE_BACKENDS(X)                                                                                    \
    AMP_PRIV_IF_CUDA(X(CUDA, cuda, 4)) AMP_PRIV_IF_HIP(X(HIP, hip, 8)) AMP_PRIV_IF_OPENCL(X(OPENCL, opencl, 2))        \
        AMP_PRIV_IF_VULKAN(X(VULKAN, vulkan, 16))

/* 1 where kernels are source for devices, too. */
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP) ||                            \
    defined(AMP_BACKEND_VULKAN) || defined(AMP_BACKEND_EXTRA)
#define AMP_PRIV_HAS_DEVICES 1
#else
#define AMP_PRIV_HAS_DEVICES 0
#endif

/* 1 where the accelerator "cpu" is not the only one. Else all data are in host memory, and what is for memories of
   devices is not read. Tests of the memory model add devices (tests/fake_device.h). Checked builds have the whole
   model: they ask more of it than where the data are. */
#if defined(AMP_PRIV_ADDED_DEVICES) || defined(AMP_CHECKED)
#define AMP_PRIV_HAS_OTHERS 1
#else
#define AMP_PRIV_HAS_OTHERS AMP_PRIV_HAS_DEVICES
#endif

/* The build's backends, in the stamp and in the name that the linker reports: AMP_BACKEND_OPENCL_CUDA_and_CPU, or
   AMP_BACKEND_CPU_alone. */
#if AMP_PRIV_HAS_DEVICES
#define AMP_PRIV_STAMP_CPU "and_CPU"
#else
#define AMP_PRIV_STAMP_CPU "CPU_alone"
#endif
#define AMP_PRIV_STAMP_BACKEND                                                                                         \
    "AMP_BACKEND_" AMP_PRIV_IF_OPENCL("OPENCL_") AMP_PRIV_IF_CUDA("CUDA_") AMP_PRIV_IF_HIP("HIP_")                     \
        AMP_PRIV_IF_VULKAN("VULKAN_") AMP_PRIV_IF_EXTRA("EXTRA_") AMP_PRIV_STAMP_CPU
#define AMP_PRIV_BACKEND_CHOICES "AMP_BACKEND_OPENCL, AMP_BACKEND_CUDA, AMP_BACKEND_HIP or AMP_BACKEND_VULKAN"

#endif /* AMP_BASE_BACKEND_LIST_H */
