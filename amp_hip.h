/* SPDX-License-Identifier: MIT */
/*  amp_hip.h - the HIP backend, for AMD's GPUs: the operations of the CUDA backend with HIP's functions

    libamdhip64 is loaded when the program runs, and hipRTC for kernels that are not in the cache. CUDA and HIP share
    one table of functions (amp/backends/cuda_api.h), so a process uses one of them: HIP's devices are left out where
    CUDA has devices. It was compiled for and tested against a stand-in, and has not run on hardware.

    Contents (search for the tag):
        >>device  >>table */
#ifndef AMP_HIP_H
#define AMP_HIP_H

/* Without it the operations are CUDA's alone. */
#if defined(AMP_BACKEND_HIP)

#include "amp/hip/hip_api.h"
#include "amp/hip/hip_text.h"
#include "amp_cuda.h"

/* // >>device */

static inline const amp_priv_backend *amp_priv_hip_table(void);

/* What kernels may use of a device, and how they are spread over it. */
AMP_PRIV_COLD void amp_priv_hip_describe(amp_priv_device *device, int ordinal)
{
    size_t memory = 0;
    amp_priv_cu.DeviceTotalMem(&memory, ordinal);
    device->dedicated_memory = memory / 1024;
    device->is_gpu = device->double_precision = device->limited_double_precision = device->atomics64 = true;
    device->has_display = amp_priv_cuda_ask(ordinal, AMP_CU_KERNEL_EXEC_TIMEOUT) != 0;
    device->cpu_shared_memory = amp_priv_cuda_ask(ordinal, AMP_CU_INTEGRATED) != 0;
    device->max_threads = amp_priv_cuda_ask(ordinal, AMP_CU_MAX_THREADS_PER_BLOCK);
    for (int d = 0; d < 3; d++)
        device->max_tile[d] = amp_priv_cuda_ask(ordinal, AMP_CU_MAX_BLOCK_DIM_X + d);
    device->max_global = INT_MAX;
    device->local_memory = amp_priv_cuda_ask(ordinal, AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK);
    device->max_groups = 65535;
    device->max_parameters = 4096;
    device->units = amp_priv_cuda_ask(ordinal, AMP_CU_MULTIPROCESSOR_COUNT);
    device->tile_multiple = amp_priv_cuda_ask(ordinal, AMP_CU_WARP_SIZE);
}

/* The name of the instruction set, e.g. "gfx90a:sramecc+:xnack-"; "" where it is not known: hipRTC takes the current
   device's then. */
AMP_PRIV_COLD void amp_priv_hip_architecture(int ordinal, char *name, size_t size)
{
    static char properties[16384]; /* hipDeviceProp_t: larger in later versions */
    snprintf(name, size, "%s", "");
    memset(properties, 0, sizeof properties);
    if (amp_priv_hip.GetDeviceProperties(properties, ordinal) == AMP_CU_SUCCESS &&
        !strncmp(properties + AMP_HIP_ARCHITECTURE_AT, "gfx", 3))
        snprintf(name, size, "%.80s", properties + AMP_HIP_ARCHITECTURE_AT);
}

/* The compiler's options for a machine. Division is as exact as OpenCL's, or exact. */
AMP_PRIV_COLD void amp_priv_hip_options_of(const char *machine, bool is_exact, char *options, size_t size)
{
    snprintf(options, size, "-std=c++20%s%s%s", machine[0] ? " --offload-arch=" : "", machine,
             is_exact ? "" : " -fno-hip-fp32-correctly-rounded-divide-sqrt");
}

AMP_PRIV_COLD void amp_priv_hip_discover_device(int ordinal)
{
    amp_priv_device device = { .backend = amp_priv_hip_table() };
    char name[160] = "", architecture[96];
    if (amp_priv_accelerators.count == AMP_PRIV_MAX_DEVICES)
        return;
    amp_priv_cu.DeviceGetName(name, sizeof name - 1, ordinal);
    amp_priv_hip_architecture(ordinal, architecture, sizeof architecture);
    amp_priv_cuda_device *const native = &amp_priv_cuda_devices[amp_priv_accelerators.count];
    native->ordinal = ordinal;
    amp_priv_mutex_init(&native->lock);
    device.native = native;
    device.version = amp_priv_cuda_ask(ordinal, AMP_CU_COMPUTE_CAPABILITY_MAJOR) << 16 |
                     amp_priv_cuda_ask(ordinal, AMP_CU_COMPUTE_CAPABILITY_MINOR);
    amp_priv_hip_describe(&device, ordinal);
    amp_priv_device_name(&device, "hip", NULL, name); /* hip:device/n */
    snprintf(device.description, sizeof device.description, "%s (HIP, %.64s)", name,
             architecture[0] ? architecture : "unknown architecture");
    snprintf(device.identity, sizeof device.identity, "HIP | %s | %s", name, architecture);
    snprintf(device.machine, sizeof device.machine, "%.*s", (int)strcspn(architecture, ":"), architecture);
    amp_priv_hip_options_of(architecture, true, native->precise_options, sizeof native->precise_options);
    amp_priv_hip_options_of(architecture, false, native->options, sizeof native->options);
    device.options = native->options;
    device.precise_options = native->precise_options;
    amp_priv_device_add(&device);
}

/* Leaves devices to OpenCL if AMP_ACCELERATOR asks for OpenCL. */
AMP_PRIV_COLD void amp_priv_hip_device_discover(void)
{
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    if (wanted && amp_priv_contains_text(wanted, "opencl")) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "HIP: left out, as AMP_ACCELERATOR names OpenCL");
        return;
    }
    for (int i = 0; i < amp_priv_accelerators.count; i++)
        if (!strcmp(amp_priv_accelerators.device[i]->backend->name, "CUDA")) {
            amp_priv_log(AMP_PRIV_LOG_INFO, "HIP: left out, as CUDA has devices");
            return;
        }
    if (!amp_priv_hip_open())
        return;
    amp_priv_cu_open_hiprtc = amp_priv_hiprtc_open;
    int count = 0, error = amp_priv_cu.Init(0);
    if (error == AMP_CU_SUCCESS)
        error = amp_priv_cu.DeviceGetCount(&count);
    if (error != AMP_CU_SUCCESS)
        amp_priv_log(AMP_PRIV_LOG_INFO, "HIP: it has no devices: %s (%d)", amp_priv_cuda_device_code_name(error),
                     error);
    for (int i = 0; i < count; i++)
        amp_priv_hip_discover_device(i);
}

/* // >>table: CUDA's, without images and graphs. */

static inline const amp_priv_backend *amp_priv_hip_table(void)
{
    static const amp_priv_backend table = {
        AMP_PRIV_BACKEND_OPERATIONS(cuda),
        .version = AMP_PRIV_BACKEND_VERSION,
        .name = "HIP",
        .target = &amp_priv_hip_target,
        .device.discover = amp_priv_hip_device_discover,
        .buffer.copy_from = amp_priv_cuda_buffer_copy_from,
        .device.pins_whole = true,
    };
    return &table;
}

#endif /* AMP_BACKEND_HIP */

#endif /* AMP_HIP_H */
