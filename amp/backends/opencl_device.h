/* SPDX-License-Identifier: MIT */
/*  amp/backends/opencl_device.h - OpenCL's errors, and its devices with their contexts

    Contents (search for the tag):
        >>errors  >>device */
#ifndef AMP_BACKENDS_OPENCL_DEVICE_H
#define AMP_BACKENDS_OPENCL_DEVICE_H

#include "../device/device.h"
#include "opencl_api.h"
#include "opencl_text.h"

/* // >>errors */

AMP_PRIV_COLD const char *amp_priv_opencl_device_code_name(int32_t error)
{
    switch (error) {
#define AMP_PRIV_CL_NAME(name, value)                                                                                  \
    case value: return "CL_" #name;
        AMP_PRIV_CL_ERRORS(AMP_PRIV_CL_NAME)
#undef AMP_PRIV_CL_NAME
    default:
        return error == -1001   ? "CL_PLATFORM_NOT_FOUND_KHR"
               : error == -9999 ? "illegal memory access (NVIDIA)"
                                : "unknown";
    }
}

/* What a failed call means. */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_failed(const char *call, int32_t error)
{
    static const amp_priv_error_mapping meanings[] = {
        AMP_PRIV_ERROR_MAPPING(AMP_OUT_OF_MEMORY, false, false, AMP_CL_MEM_OBJECT_ALLOCATION_FAILURE,
                               AMP_CL_OUT_OF_HOST_MEMORY, AMP_CL_INVALID_BUFFER_SIZE),
        AMP_PRIV_ERROR_MAPPING(AMP_OUT_OF_MEMORY, true, true, AMP_CL_OUT_OF_RESOURCES),
        AMP_PRIV_ERROR_MAPPING(AMP_RUNTIME_ERROR, true, true, AMP_CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        AMP_PRIV_ERROR_MAPPING(AMP_RUNTIME_ERROR, false, true, AMP_CL_INVALID_CONTEXT, AMP_CL_INVALID_COMMAND_QUEUE),
        AMP_PRIV_ERROR_MAPPING(AMP_ACCELERATOR_VIEW_REMOVED, true, false, -9999),
        AMP_PRIV_ERROR_MAPPING(AMP_ACCELERATOR_VIEW_REMOVED, false, false, AMP_CL_DEVICE_NOT_AVAILABLE),
        AMP_PRIV_ERROR_MAPPING(AMP_COMPILATION_FAILED, false, false, AMP_CL_BUILD_PROGRAM_FAILURE,
                               AMP_CL_COMPILE_PROGRAM_FAILURE, AMP_CL_LINK_PROGRAM_FAILURE),
        AMP_PRIV_ERROR_MAPPING(AMP_INVALID_COMPUTE_DOMAIN, false, false, AMP_CL_INVALID_WORK_GROUP_SIZE),
        AMP_PRIV_ERROR_MAPPING(AMP_RUNTIME_ERROR, false, false, 0),
    };
    return amp_priv_failed_with(meanings, call, error);
}

static inline amp_priv_result amp_priv_opencl_result(const char *call, int32_t error)
{
    return __builtin_expect(error == AMP_CL_SUCCESS, 1) ? amp_priv_done() : amp_priv_opencl_failed(call, error);
}

/* // >>device */

/* What this backend knows of a device: amp_priv_device.native. */
typedef struct amp_priv_opencl_device {
    amp_cl_platform_id platform;
    amp_cl_device_id id;
    amp_priv_mutex lock;
    _Atomic(amp_cl_context) context; /* made at first use */
    bool is_cpu;                     /* host and device are the same processor: there is nothing to hand over */
    unsigned quirks;                 /* bits of opencl_quirks.h */
    char precise_options[128];
} amp_priv_opencl_device;

/* Of the devices that are listed. */
typedef amp_priv_opencl_device amp_priv_opencl_device_records[AMP_PRIV_MAX_DEVICES];

AMP_PRIV_GLOBAL(amp_priv_opencl_device_records, amp_priv_opencl_devices)

static inline amp_priv_opencl_device *amp_priv_opencl_of(const amp_priv_device *device) { return device->native; }

/* Is it worth asking again? Devices are looked for once in a process. */
AMP_PRIV_COLD bool amp_priv_opencl_again(int32_t error, int tries)
{
    return (error == AMP_CL_OUT_OF_HOST_MEMORY || error == AMP_CL_OUT_OF_RESOURCES) && tries < 3;
}

/* Questions that a driver had no memory for, while devices are looked for. */
AMP_PRIV_GLOBAL(int, amp_priv_opencl_unanswered)

AMP_PRIV_COLD int32_t amp_priv_opencl_ask(amp_cl_device_id id, uint32_t what, size_t size, void *value, size_t *length)
{
    int32_t error = amp_priv_cl.GetDeviceInfo(id, what, size, value, length);
    for (int tries = 1; amp_priv_opencl_again(error, tries); tries++)
        error = amp_priv_cl.GetDeviceInfo(id, what, size, value, length);
    amp_priv_opencl_unanswered += amp_priv_opencl_again(error, 0);
    return error;
}

AMP_PRIV_COLD void amp_priv_opencl_text(amp_cl_device_id id, uint32_t what, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    if (amp_priv_opencl_ask(id, what, 0, NULL, &length) != AMP_CL_SUCCESS)
        return;
    char *const all = length < size ? text : malloc(length + 1);
    if (!all)
        amp_priv_opencl_unanswered++;
    if (all && amp_priv_opencl_ask(id, what, length, all, NULL) == AMP_CL_SUCCESS) {
        all[length] = '\0';
        const size_t shown = length < size ? length : size - 1, spaces = strspn(all, " ");
        memmove(text, all + spaces, shown > spaces ? shown - spaces : 0);
        text[shown > spaces ? shown - spaces : 0] = '\0';
    } else {
        text[0] = '\0';
    }
    if (all != text)
        free(all);
}

/* The number behind a property, 0 if there is none. */
#define AMP_PRIV_OPENCL_NUMBER(function, type)                                                                         \
    AMP_PRIV_COLD type function(amp_cl_device_id id, uint32_t what)                                                    \
    {                                                                                                                  \
        type value = 0;                                                                                                \
        return amp_priv_opencl_ask(id, what, sizeof value, &value, NULL) == AMP_CL_SUCCESS ? value : 0;                \
    }
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_ulong, uint64_t)
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_size, size_t)
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_uint, uint32_t)

/* Is name one of the words of the device's list of extensions? */
AMP_PRIV_COLD bool amp_priv_opencl_has_extension(amp_cl_device_id id, const char *name)
{
    char all[8192];
    amp_priv_opencl_text(id, AMP_CL_DEVICE_EXTENSIONS, all, sizeof all);
    const size_t length = strlen(name);
    for (const char *p = all; (p = strstr(p, name)) != NULL; p += length)
        if ((p == all || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return false;
}

static inline const amp_priv_backend *amp_priv_opencl_table(void);

AMP_PRIV_COLD void amp_priv_opencl_leave_out(const char *name)
{
    amp_priv_log(AMP_PRIV_LOG_WARNING, "%s is left out: no memory to query it", name[0] ? name : "a device");
}

/* The SIMD width, in threads. OpenCL 1.2 reports it for a kernel only; later versions and vendors for a device. */
AMP_PRIV_COLD unsigned amp_priv_opencl_tile_multiple(amp_cl_device_id id, bool rows_are_vectors)
{
    enum {
        AMP_PRIV_CL_PREFERRED_MULTIPLE = 0x1067, /* OpenCL 3.0's */
        AMP_PRIV_CL_WARP_SIZE_NV = 0x4003,
        AMP_PRIV_CL_WAVEFRONT_WIDTH_AMD = 0x4043,
        AMP_PRIV_CL_USUAL_WARP = 32
    };
    unsigned multiple = (unsigned)amp_priv_opencl_size(id, AMP_PRIV_CL_PREFERRED_MULTIPLE);
    if (!multiple)
        multiple = amp_priv_opencl_uint(id, AMP_PRIV_CL_WARP_SIZE_NV);
    if (!multiple)
        multiple = amp_priv_opencl_uint(id, AMP_PRIV_CL_WAVEFRONT_WIDTH_AMD);
    if (!multiple && rows_are_vectors)
        multiple = amp_priv_opencl_uint(id, AMP_CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
    return multiple ? multiple : AMP_PRIV_CL_USUAL_WARP;
}

/* NVIDIA's compute capability, times 10; 0 of others' devices. */
AMP_PRIV_COLD uint32_t amp_priv_opencl_compute_capability(amp_cl_device_id id)
{
    enum { AMP_PRIV_CL_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, AMP_PRIV_CL_COMPUTE_CAPABILITY_MINOR_NV = 0x4001 };
    if (!amp_priv_opencl_has_extension(id, "cl_nv_device_attribute_query"))
        return 0;
    const uint32_t major = amp_priv_opencl_uint(id, AMP_PRIV_CL_COMPUTE_CAPABILITY_MAJOR_NV);
    return 10 * major + amp_priv_opencl_uint(id, AMP_PRIV_CL_COMPUTE_CAPABILITY_MINOR_NV);
}

/* Can threads of it fetch each other's values, 32 that run together, by extensions that OpenCL C 1.2 may use? */
AMP_PRIV_COLD bool amp_priv_opencl_has_subgroups(amp_cl_device_id id)
{
    enum { AMP_PRIV_CL_SUB_GROUP_SIZES_INTEL = 0x4108 };
    static const char *const wanted[] = { "cl_intel_required_subgroup_size", "cl_intel_subgroups",
                                          "cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot" };
    size_t sizes[16], length = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!amp_priv_opencl_has_extension(id, wanted[i]))
            return false;
    if (amp_priv_opencl_ask(id, AMP_PRIV_CL_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &length) != AMP_CL_SUCCESS)
        return false;
    for (size_t i = 0; i < length / sizeof sizes[0]; i++)
        if (sizes[i] == 32)
            return true;
    return false;
}

/* Its compiler's. -w: NVIDIA's and pocl 5 print how many warnings there are to stderr, but not which. A debugger's
   device sees more, and knows all instructions, without optimisation. CPUs' sub-groups go
   through tile_static memory: Intel's runtime takes seven times as long by shuffles of 32 threads. */
AMP_PRIV_COLD const char *amp_priv_opencl_options(const amp_priv_device *device, amp_cl_device_id id)
{
    if (device->is_debug)
        return "-cl-std=CL1.2 -cl-opt-disable";
    /* Instructions for halves that are sure to round as floats do, and to take subnormal ones: cl_khr_fp16 promises
       neither. */
    const uint32_t capability = amp_priv_opencl_compute_capability(id);
    if (capability >= 53)
        return capability >= 80 ? "-cl-std=CL1.2 -w -Damp_priv_has_halves -Damp_priv_has_matrices"
                                : "-cl-std=CL1.2 -w -Damp_priv_has_halves";
    if (amp_priv_option_enabled("AMP_SUBGROUPS", !device->rows_are_vectors) && amp_priv_opencl_has_subgroups(id))
        return "-cl-std=CL1.2 -w -Damp_priv_has_subgroups";
    return "-cl-std=CL1.2 -w";
}

/* What kernels may use of a device, and how they are spread over it. */
AMP_PRIV_COLD void amp_priv_opencl_describe(amp_priv_device *device, amp_cl_device_id id)
{
    const uint64_t type = amp_priv_opencl_ulong(id, AMP_CL_DEVICE_TYPE);
    device->dedicated_memory = (size_t)(amp_priv_opencl_ulong(id, AMP_CL_DEVICE_GLOBAL_MEM_SIZE) / 1024);
    device->is_gpu = (type & AMP_CL_DEVICE_TYPE_GPU) != 0;
    device->is_emulated = (type & (AMP_CL_DEVICE_TYPE_GPU | AMP_CL_DEVICE_TYPE_ACCELERATOR)) == 0;
    device->double_precision = device->limited_double_precision =
        amp_priv_opencl_ulong(id, AMP_CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    device->atomics64 = amp_priv_opencl_has_extension(id, "cl_khr_int64_base_atomics") &&
                        amp_priv_opencl_has_extension(id, "cl_khr_int64_extended_atomics");
    device->cpu_shared_memory = amp_priv_opencl_uint(id, AMP_CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    const char *const copies = amp_priv_environment("AMP_FORCE_COPIES");
    device->shares_host = device->cpu_shared_memory && !(copies && copies[0] && strcmp(copies, "0"));
    device->max_threads = amp_priv_opencl_size(id, AMP_CL_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t sizes[16] = { 1, 1, 1 };
    if (amp_priv_opencl_uint(id, AMP_CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) <= 16)
        amp_priv_opencl_ask(id, AMP_CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    for (int d = 0; d < 3; d++)
        device->max_tile[d] = sizes[d];
    const uint32_t bits = amp_priv_opencl_uint(id, AMP_CL_DEVICE_ADDRESS_BITS);
    device->max_global = bits > 0 && bits < CHAR_BIT * sizeof(size_t) ? ((size_t)1 << bits) - 1 : SIZE_MAX;
    device->local_memory = (size_t)amp_priv_opencl_ulong(id, AMP_CL_DEVICE_LOCAL_MEM_SIZE);
    device->matrix_unit = amp_priv_opencl_compute_capability(id) >= 80 ? "mma.sync" : NULL;
    device->max_parameters = amp_priv_opencl_size(id, AMP_CL_DEVICE_MAX_PARAMETER_SIZE);
    device->max_buffer = (size_t)amp_priv_opencl_ulong(id, AMP_CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device->rows_are_vectors = (type & AMP_CL_DEVICE_TYPE_CPU) != 0;
    device->samples_images =
        amp_priv_opencl_uint(id, AMP_CL_DEVICE_IMAGE_SUPPORT) != 0 &&
        amp_priv_option_enabled("AMP_TEXTURE_UNITS",
                                device->is_gpu && !device->cpu_shared_memory && !amp_priv_kernels_are_exact());
    device->units = amp_priv_opencl_uint(id, AMP_CL_DEVICE_MAX_COMPUTE_UNITS);
    device->tile_multiple = amp_priv_opencl_tile_multiple(id, device->rows_are_vectors);
    device->begins_in_order = amp_priv_opencl_compute_capability(id) > 0;
    device->options = amp_priv_opencl_options(device, id);
}

/* Has the device exact division and square root of float? Then its compiler has an option for them. */
AMP_PRIV_COLD void amp_priv_opencl_describe_precision(amp_priv_device *device, amp_priv_opencl_device *native)
{
    const uint64_t precision = amp_priv_opencl_ulong(native->id, AMP_CL_DEVICE_SINGLE_FP_CONFIG);
    if (!(precision & AMP_CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
        return;
    snprintf(native->precise_options, sizeof native->precise_options, "%s -cl-fp32-correctly-rounded-divide-sqrt",
             device->options);
    device->precise_options = native->precise_options;
}

/* Intel's GPUs, by the names that its compiler ocloc has for them; "": not known. */
AMP_PRIV_COLD const char *amp_priv_opencl_machine(const char *platform, const char *name)
{
    if (!strstr(platform, "Intel"))
        return "";
    return strstr(name, "Arc") ? "dg2" : strstr(name, "Iris(R) Xe") ? "tgllp" : "";
}

AMP_PRIV_COLD void amp_priv_opencl_discover_device(amp_cl_platform_id platform, const char *platform_name,
                                                   const char *platform_version, amp_cl_device_id id)
{
    amp_priv_device device;
    memset(&device, 0, sizeof device);
    amp_priv_opencl_unanswered = 0;
    char name[160], version[128], driver[128];
    amp_priv_opencl_text(id, AMP_CL_DEVICE_NAME, name, sizeof name);
    amp_priv_opencl_text(id, AMP_CL_DEVICE_VERSION, version, sizeof version);
    amp_priv_opencl_text(id, AMP_CL_DRIVER_VERSION, driver, sizeof driver);
    unsigned major = 0, minor = 0;
    if (sscanf(version, "OpenCL %u.%u", &major, &minor) != 2)
        major = 1;
    if (amp_priv_opencl_unanswered) {
        amp_priv_opencl_leave_out(name);
        return;
    }
    if (!amp_priv_opencl_uint(id, AMP_CL_DEVICE_AVAILABLE) ||
        !amp_priv_opencl_uint(id, AMP_CL_DEVICE_COMPILER_AVAILABLE) ||
        !amp_priv_opencl_uint(id, AMP_CL_DEVICE_ENDIAN_LITTLE) || (major == 1 && minor < 2)) {
        amp_priv_log(
            AMP_PRIV_LOG_INFO,
            "%s is left out: it is not available, or has no compiler, or less than OpenCL 1.2, or is big-endian", name);
        return;
    }

    if (amp_priv_accelerators.count == AMP_PRIV_MAX_DEVICES)
        return;
    amp_priv_opencl_device *const native = &amp_priv_opencl_devices[amp_priv_accelerators.count];
    native->platform = platform;
    native->id = id;
    native->quirks = amp_priv_opencl_quirks_of(platform_name);
    amp_priv_mutex_init(&native->lock);
    device.backend = amp_priv_opencl_table();
    device.native = native;
    snprintf(device.identity, sizeof device.identity, "%s | %s | %s | %s | %s", platform_name, platform_version, name,
             version, driver);
    snprintf(device.description, sizeof device.description, "%s (%s)", name, platform_name);
    snprintf(device.machine, sizeof device.machine, "%s", amp_priv_opencl_machine(platform_name, name));
    device.version = major << 16 | minor;
    device.is_debug = amp_priv_contains_text(platform_name, "oclgrind");
    device.keeps_programs =
        (native->quirks & AMP_PRIV_QUIRK_SLOW_BINARY) != 0 && !amp_priv_option_enabled("AMP_CACHE", false);
    amp_priv_opencl_describe(&device, id);
    amp_priv_opencl_describe_precision(&device, native);
    amp_priv_device_name(&device, "opencl", platform_name, name); /* opencl:platform/device/n */
    native->is_cpu = device.rows_are_vectors;
    if (amp_priv_opencl_unanswered)
        amp_priv_opencl_leave_out(name);
    else if (amp_priv_device_add(&device) && strstr(device.options, "has_subgroups"))
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s: sub-groups go by cl_khr_subgroup_shuffle", device.path);
}

AMP_PRIV_COLD void amp_priv_opencl_device_discover(void)
{
    enum { AMP_PRIV_CL_MAX_PLATFORMS = 16 };
    amp_cl_platform_id platforms[AMP_PRIV_CL_MAX_PLATFORMS];
    uint32_t platform_count = 0;
    if (!amp_priv_cl_open())
        return;
    int32_t error = amp_priv_cl.GetPlatformIDs(AMP_PRIV_CL_MAX_PLATFORMS, platforms, &platform_count);
    for (int tries = 1; amp_priv_opencl_again(error, tries); tries++)
        error = amp_priv_cl.GetPlatformIDs(AMP_PRIV_CL_MAX_PLATFORMS, platforms, &platform_count);
    if (error != AMP_CL_SUCCESS) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "OpenCL: it has no platforms: %s (%d)", amp_priv_opencl_device_code_name(error),
                     error);
        return;
    }
    for (uint32_t p = 0; p < platform_count && p < AMP_PRIV_CL_MAX_PLATFORMS; p++) {
        amp_cl_device_id devices[AMP_PRIV_MAX_DEVICES];
        uint32_t count = 0;
        char name[128] = "", version[128] = "";
        for (int tries = 0; tries < 3 && !name[0]; tries++)
            amp_priv_cl.GetPlatformInfo(platforms[p], AMP_CL_PLATFORM_NAME, sizeof name, name, NULL);
        for (int tries = 0; tries < 3 && !version[0]; tries++)
            amp_priv_cl.GetPlatformInfo(platforms[p], AMP_CL_PLATFORM_VERSION, sizeof version, version, NULL);
        error = amp_priv_cl.GetDeviceIDs(platforms[p], AMP_CL_DEVICE_TYPE_ALL, AMP_PRIV_MAX_DEVICES, devices, &count);
        for (int tries = 1; amp_priv_opencl_again(error, tries); tries++)
            error =
                amp_priv_cl.GetDeviceIDs(platforms[p], AMP_CL_DEVICE_TYPE_ALL, AMP_PRIV_MAX_DEVICES, devices, &count);
        if (error != AMP_CL_SUCCESS) {
            amp_priv_log(amp_priv_opencl_again(error, 0) ? AMP_PRIV_LOG_WARNING : AMP_PRIV_LOG_INFO,
                         "the devices of %s are left out: %s (%d)", name, amp_priv_opencl_device_code_name(error),
                         error);
            continue;
        }
        for (uint32_t d = 0; d < count && d < AMP_PRIV_MAX_DEVICES; d++)
            amp_priv_opencl_discover_device(platforms[p], name, version, devices[d]);
    }
}

static inline void AMP_PRIV_CL_CALL amp_priv_opencl_notice(const char *message, const void *bytes, size_t size,
                                                           void *device)
{
    (void)bytes, (void)size;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s: %s", ((const amp_priv_device *)device)->path, message);
}

/* The device's context, in *context. */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_context_open(amp_priv_device *device, amp_cl_context *context)
{
    amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
    amp_priv_lock(&native->lock);
    int32_t error = AMP_CL_SUCCESS;
    *context = atomic_load(&native->context);
    if (!*context) {
        const intptr_t properties[] = { AMP_CL_CONTEXT_PLATFORM, (intptr_t)native->platform, 0 };
        *context = amp_priv_cl.CreateContext(properties, 1, &native->id, amp_priv_opencl_notice, device, &error);
        if (error == AMP_CL_SUCCESS)
            atomic_store(&native->context, *context);
        else
            *context = NULL;
    }
    amp_priv_unlock(&native->lock);
    amp_priv_result result = amp_priv_opencl_result("clCreateContext", error);
    result.suspect = false; /* nothing worked before */
    return result;
}

/* The same; NULL after reporting. */
static inline amp_cl_context amp_priv_opencl_context(amp_priv_device *device)
{
    amp_cl_context context = atomic_load_explicit(&amp_priv_opencl_of(device)->context, memory_order_acquire);
    if (context)
        return context;
    return amp_priv_status_of(device, amp_priv_opencl_context_open(device, &context)) == AMP_OK ? context : NULL;
}

#endif /* AMP_BACKENDS_OPENCL_DEVICE_H */
