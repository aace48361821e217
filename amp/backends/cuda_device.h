/* SPDX-License-Identifier: MIT */
/*  amp/backends/cuda_device.h - CUDA's errors, and its devices with their contexts

    Contents (search for the tag):
        >>errors  >>device */
#ifndef AMP_BACKENDS_CUDA_DEVICE_H
#define AMP_BACKENDS_CUDA_DEVICE_H

#include "../device/device.h"
#include "cuda_api.h"
#include "cuda_text.h"

/* // >>errors: CUDA's are positive, NVRTC's are made negative. */

enum { AMP_PRIV_CUDA_NO_COMPILER = -100 };

AMP_PRIV_COLD const char *amp_priv_cuda_device_code_name(int error)
{
    const char *name = NULL;
    if (error == AMP_PRIV_CUDA_NO_COMPILER)
        return amp_priv_cu_is_hip ? "no hipRTC found" : "no NVRTC found";
    if (error < 0 && amp_priv_nvrtc.GetErrorString)
        return amp_priv_nvrtc.GetErrorString(-error);
    if (error >= 0 && amp_priv_cu.GetErrorName)
        amp_priv_cu.GetErrorName(error, &name);
    return name ? name : "unknown";
}

/* HIP's name of a function of CUDA's. */
AMP_PRIV_COLD const char *amp_priv_cuda_call_name(const char *call)
{
#define AMP_PRIV_CU_NAMES(name, version, hip, arguments)    { "cu" #name, hip },
#define AMP_PRIV_NVRTC_NAMES(name, version, hip, arguments) { "nvrtc" #name, hip },
    static const char *const names[][2] = { AMP_PRIV_CU_FUNCTIONS(AMP_PRIV_CU_NAMES)
                                                AMP_PRIV_NVRTC_FUNCTIONS(AMP_PRIV_NVRTC_NAMES) };
    for (size_t i = 0; amp_priv_cu_is_hip && i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(call, names[i][0]) && strlen(names[i][1]) > 1)
            return names[i][1] + (names[i][1][0] == '?');
    return call;
}

/* What a failed call means. After a kernel's fault, every call fails with that. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_failed(const char *call, int error)
{
    static const amp_priv_error_mapping meanings[] = {
        AMP_PRIV_ERROR_MAPPING(AMP_OUT_OF_MEMORY, false, false, AMP_CU_OUT_OF_MEMORY, -AMP_NVRTC_OUT_OF_MEMORY,
                               -AMP_NVRTC_PROGRAM_CREATION_FAILURE),
        AMP_PRIV_ERROR_MAPPING(AMP_COMPILATION_FAILED, false, false, -AMP_NVRTC_COMPILATION),
        AMP_PRIV_ERROR_MAPPING(AMP_UNSUPPORTED_FEATURE, false, false, AMP_PRIV_CUDA_NO_COMPILER),
        AMP_PRIV_ERROR_MAPPING(AMP_INVALID_COMPUTE_DOMAIN, false, false, AMP_CU_LAUNCH_OUT_OF_RESOURCES),
        AMP_PRIV_ERROR_MAPPING(AMP_ACCELERATOR_VIEW_REMOVED, false, false, AMP_CU_DEINITIALIZED,
                               AMP_CU_DEVICE_UNAVAILABLE, AMP_CU_ECC_UNCORRECTABLE, AMP_CU_NVLINK_UNCORRECTABLE,
                               AMP_CU_CONTEXT_IS_DESTROYED),
        AMP_PRIV_ERROR_MAPPING(AMP_ACCELERATOR_VIEW_REMOVED, true, false, AMP_CU_ILLEGAL_ADDRESS, AMP_CU_LAUNCH_TIMEOUT,
                               AMP_CU_ASSERT, AMP_CU_HARDWARE_STACK_ERROR, AMP_CU_ILLEGAL_INSTRUCTION,
                               AMP_CU_MISALIGNED_ADDRESS, AMP_CU_INVALID_ADDRESS_SPACE, AMP_CU_INVALID_PC,
                               AMP_CU_LAUNCH_FAILED),
        AMP_PRIV_ERROR_MAPPING(AMP_RUNTIME_ERROR, false, true, 0),
    };
    amp_priv_result result = amp_priv_failed_with(meanings, amp_priv_cuda_call_name(call), error);
    result.suspect = result.suspect && error > AMP_CU_INVALID_VALUE;
    return result;
}

static inline amp_priv_result amp_priv_cuda_result(const char *call, int error)
{
    return __builtin_expect(error == AMP_CU_SUCCESS, 1) ? amp_priv_done() : amp_priv_cuda_failed(call, error);
}

/* A call of the driver's, and what became of it. */
#define AMP_PRIV_CUDA_CALL(name, ...) amp_priv_cuda_result("cu" #name, amp_priv_cu.name(__VA_ARGS__))

/* // >>device */

/* An event of CUDA's with times, which several may have. */
typedef struct amp_priv_cuda_mark {
    amp_cu_event event;
    atomic_int users;
} amp_priv_cuda_mark;

/* What an event of the library is: CUDA's events know no more than when they were reached, so what is timed has two.
   Each takes 2 us of a GPU's time, and a command that follows another one begins where that ends. */
typedef struct amp_priv_cuda_event {
    amp_cu_event end;
    amp_priv_cuda_mark *before, *after; /* of one that is timed; else NULL */
    uint64_t queued;                    /* then: when it was enqueued */
} amp_priv_cuda_event;

/* What this backend knows of a device: amp_priv_device.native. */
typedef struct amp_priv_cuda_device {
    int ordinal;
    amp_priv_mutex lock;
    _Atomic(amp_cu_context) context;    /* made at first use */
    atomic_ullong met;                  /* bit n: the device of that ordinal was met (amp_priv_cuda_meet) */
    amp_cu_stream clock;                /* where times are compared with the host's: */
    amp_cu_event base;                  /* this was reached */
    uint64_t base_time;                 /* then, by the host's clock */
    _Atomic(amp_priv_cuda_mark *) last; /* where the last command ends, if that was timed; else NULL */
    uint64_t last_queue;                /* the number of its queue */
    atomic_bool lent;                   /* the program may enqueue commands of its own */
    char options[256], precise_options[128];
} amp_priv_cuda_device;

/* Of the devices that are listed. */
typedef amp_priv_cuda_device amp_priv_cuda_device_records[AMP_PRIV_MAX_DEVICES];

AMP_PRIV_GLOBAL(amp_priv_cuda_device_records, amp_priv_cuda_devices)

static inline amp_priv_cuda_device *amp_priv_cuda_of(const amp_priv_device *device) { return device->native; }

static inline const amp_priv_backend *amp_priv_cuda_table(void);

/* A property, 0 if there is none. */
AMP_PRIV_COLD unsigned amp_priv_cuda_ask(int ordinal, int what)
{
    int value = 0;
    return amp_priv_cu.DeviceGetAttribute(&value, what, ordinal) == AMP_CU_SUCCESS ? (unsigned)value : 0;
}

/* What kernels may use of a device, and how they are spread over it. */
AMP_PRIV_COLD void amp_priv_cuda_describe(amp_priv_device *device, int ordinal)
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
    const unsigned most = amp_priv_cuda_ask(ordinal, AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    device->local_memory = most ? most : amp_priv_cuda_ask(ordinal, AMP_CU_MAX_SHARED_MEMORY_PER_BLOCK);
    device->max_groups = 65535;
    device->matrix_unit = device->version >> 16 >= 8 ? "mma.sync" : NULL;
    device->wide_matrix_unit = device->version == 9 << 16 ? "wgmma" : NULL;
    device->max_parameters = device->version >> 16 >= 7 ? 32764 : 4096; /* an NVRTC before 12.1 takes 4096 on all */
    device->samples_images = amp_priv_cuda_ask(ordinal, AMP_CU_TEXTURE_PITCH_ALIGNMENT) > 0 &&
                             amp_priv_option_enabled("AMP_TEXTURE_UNITS", !amp_priv_kernels_are_exact());
    device->units = amp_priv_cuda_ask(ordinal, AMP_CU_MULTIPROCESSOR_COUNT);
    device->tile_multiple = amp_priv_cuda_ask(ordinal, AMP_CU_WARP_SIZE);
    device->begins_in_order = !amp_priv_cu_is_hip;
}

/* The compiler's options for a machine. Division is as exact as OpenCL's, or exact. */
AMP_PRIV_COLD void amp_priv_cuda_options_of(const char *machine, bool is_exact, char *options, size_t size)
{
    snprintf(options, size, "--gpu-architecture=%s --std=c++20 -default-device%s", machine,
             is_exact ? "" : " -prec-div=false -prec-sqrt=false");
}

AMP_PRIV_COLD void amp_priv_cuda_discover_device(int ordinal)
{
    amp_priv_device device = { .backend = amp_priv_cuda_table() };
    char name[160] = "";
    amp_priv_cu.DeviceGetName(name, sizeof name - 1, ordinal);
    const unsigned major = amp_priv_cuda_ask(ordinal, AMP_CU_COMPUTE_CAPABILITY_MAJOR);
    const unsigned minor = amp_priv_cuda_ask(ordinal, AMP_CU_COMPUTE_CAPABILITY_MINOR);
    if (major < 6 || amp_priv_cuda_ask(ordinal, AMP_CU_COMPUTE_MODE) == AMP_CU_COMPUTEMODE_PROHIBITED) {
        amp_priv_log(AMP_PRIV_LOG_INFO,
                     "%s is left out: compute capability %u.%u is below 6.0, or its compute mode forbids contexts",
                     name, major, minor);
        return;
    }
    if (amp_priv_accelerators.count == AMP_PRIV_MAX_DEVICES)
        return;
    amp_priv_cuda_device *const native = &amp_priv_cuda_devices[amp_priv_accelerators.count];
    native->ordinal = ordinal;
    amp_priv_mutex_init(&native->lock);
    device.native = native;
    device.version = major << 16 | minor;
    amp_priv_cuda_describe(&device, ordinal);
    amp_priv_device_name(&device, "cuda", NULL, name); /* cuda:device/n */
    snprintf(device.description, sizeof device.description, "%s (CUDA, compute capability %u.%u)", name, major, minor);
    snprintf(device.identity, sizeof device.identity, "CUDA | %s", name);
    snprintf(device.machine, sizeof device.machine, "sm_%u%u", major, minor);
    amp_priv_cuda_options_of(device.machine, true, native->precise_options, sizeof native->precise_options);
    amp_priv_cuda_options_of(device.machine, false, native->options, sizeof native->options);
    device.options = native->options;
    device.precise_options = native->precise_options;
    amp_priv_device_add(&device);
}

/* Leaves devices to OpenCL if AMP_ACCELERATOR asks for OpenCL. */
AMP_PRIV_COLD void amp_priv_cuda_device_discover(void)
{
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    if (wanted && amp_priv_contains_text(wanted, "opencl")) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "CUDA: left out, as AMP_ACCELERATOR names OpenCL");
        return;
    }
    if (!amp_priv_cu_open())
        return;
    int count = 0, ordinal = 0, error = amp_priv_cu.Init(0);
    if (error == AMP_CU_SUCCESS)
        error = amp_priv_cu.DeviceGetCount(&count);
    if (error != AMP_CU_SUCCESS)
        amp_priv_log(AMP_PRIV_LOG_INFO, "CUDA: it has no devices: %s (%d)", amp_priv_cuda_device_code_name(error),
                     error);
    for (int i = 0; i < count; i++)
        if ((error = amp_priv_cu.DeviceGet(&ordinal, i)) == AMP_CU_SUCCESS)
            amp_priv_cuda_discover_device(ordinal);
        else
            amp_priv_log(AMP_PRIV_LOG_WARNING, "CUDA's device %d is left out: %s (%d)", i,
                         amp_priv_cuda_device_code_name(error), error);
}

/* The device's context, in *context. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_context_open(const amp_priv_device *device, amp_cu_context *context)
{
    amp_priv_cuda_device *const native = amp_priv_cuda_of(device);
    amp_priv_result result = amp_priv_done();
    amp_priv_lock(&native->lock);
    *context = atomic_load(&native->context);
    if (!*context)
        result = AMP_PRIV_CUDA_CALL(DevicePrimaryCtxRetain, context, native->ordinal);
    if (result.status == AMP_OK)
        atomic_store(&native->context, *context);
    amp_priv_unlock(&native->lock);
    return result;
}

/* Calls are made with the device's context: what the thread had before it, to be given back. */
static inline amp_priv_result amp_priv_cuda_enter(const amp_priv_device *device, amp_cu_context *before)
{
    amp_cu_context context = atomic_load_explicit(&amp_priv_cuda_of(device)->context, memory_order_acquire);
    if (__builtin_expect(!context, 0)) {
        const amp_priv_result opened = amp_priv_cuda_context_open(device, &context);
        if (opened.status != AMP_OK)
            return opened;
    }
    *before = NULL;
    const int error = amp_priv_cu.CtxGetCurrent(before);
    if (__builtin_expect(error == AMP_CU_SUCCESS && *before == context, 1)) {
        *before = NULL;
        return amp_priv_done();
    }
    return AMP_PRIV_CUDA_CALL(CtxSetCurrent, context);
}

static inline void amp_priv_cuda_leave(const amp_cu_context *before)
{
    if (__builtin_expect(*before != NULL, 0))
        amp_priv_cu.CtxSetCurrent(*before);
}

/* The rest of a block is in the device's context; where that cannot be, the function returns what is given, mostly
   `entered`. */
#define AMP_PRIV_CUDA_IN(device, ...)                                                                                  \
    __attribute__((cleanup(amp_priv_cuda_leave))) amp_cu_context before = NULL;                                        \
    const amp_priv_result entered = amp_priv_cuda_enter(device, &before);                                              \
    if (__builtin_expect(entered.status != AMP_OK, 0))                                                                 \
    return __VA_ARGS__

#endif /* AMP_BACKENDS_CUDA_DEVICE_H */
