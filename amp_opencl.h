/* SPDX-License-Identifier: MIT

    Contents (search for the tag):
        >>errors  >>device  >>queue  >>event  >>buffer  >>transfer  >>image  >>program  >>launch
        >>table */
/*  amp_opencl.h - the backend OpenCL: devices, queues, buffers, programs and kernels as amp/device/backend.h wants
    them. Only
    this file and amp/backends/opencl_*.h know OpenCL's interface, which amp/backends/opencl_api.h declares.

    OpenCL 1.2 calls only. One context per device, made at first use; queues are in order. Nothing is released when the
    program ends: drivers may be gone by then.

    Contents (search for the tag):
        >>errors  >>device  >>queue  >>event  >>buffer  >>transfer  >>image  >>program  >>launch  >>table */
#ifndef AMP_OPENCL_H
#define AMP_OPENCL_H

#include "amp/device/future.h"
#include "amp/launch/kernel_launch.h"
#include "amp/backends/opencl_api.h"
#include "amp/backends/opencl_text.h"

/* // >>errors */

AMP_PRIV_COLD const char *amp_priv_opencl_code_name(int32_t error)
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
    bool counts_twice;               /* a kernel's local memory, as rusticl does (Mesa 22.3) */
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
    amp_priv_log(AMP_PRIV_LOG_WARNING, "%s is left out: there was no memory to ask what it is",
                 name[0] ? name : "a device");
}

/* The threads that run in step. OpenCL 1.2 tells that of kernels only; later versions and vendors do of a device. */
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

/* Has it instructions for halves that are sure to round as floats do, and to take subnormal ones? cl_khr_fp16 promises
   neither, NVIDIA's GPUs have them from compute capability 5.3 on. */
AMP_PRIV_COLD bool amp_priv_opencl_computes_halves(amp_cl_device_id id)
{
    enum { AMP_PRIV_CL_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, AMP_PRIV_CL_COMPUTE_CAPABILITY_MINOR_NV = 0x4001 };
    if (!amp_priv_opencl_has_extension(id, "cl_nv_device_attribute_query"))
        return false;
    const uint32_t major = amp_priv_opencl_uint(id, AMP_PRIV_CL_COMPUTE_CAPABILITY_MAJOR_NV);
    return 10 * major + amp_priv_opencl_uint(id, AMP_PRIV_CL_COMPUTE_CAPABILITY_MINOR_NV) >= 53;
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

/* Its compiler's. A debugger's device sees more, and knows all instructions, without optimisation. CPUs' sub-groups go
   through tile_static memory: Intel's runtime takes seven times as long by shuffles of 32 threads. */
AMP_PRIV_COLD const char *amp_priv_opencl_options(const amp_priv_device *device, amp_cl_device_id id)
{
    if (device->is_debug)
        return "-cl-std=CL1.2 -cl-opt-disable";
    if (amp_priv_opencl_computes_halves(id))
        return "-cl-std=CL1.2 -Damp_priv_has_halves";
    if (amp_priv_option_enabled("AMP_SUBGROUPS", !device->rows_are_vectors) && amp_priv_opencl_has_subgroups(id))
        return "-cl-std=CL1.2 -Damp_priv_has_subgroups";
    return "-cl-std=CL1.2";
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
    device->max_parameters = amp_priv_opencl_size(id, AMP_CL_DEVICE_MAX_PARAMETER_SIZE);
    device->max_buffer = (size_t)amp_priv_opencl_ulong(id, AMP_CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device->rows_are_vectors = (type & AMP_CL_DEVICE_TYPE_CPU) != 0;
    device->samples_images = amp_priv_opencl_uint(id, AMP_CL_DEVICE_IMAGE_SUPPORT) != 0 &&
                             amp_priv_option_enabled("AMP_TEXTURE_UNITS", device->is_gpu && !device->cpu_shared_memory);
    device->units = amp_priv_opencl_uint(id, AMP_CL_DEVICE_MAX_COMPUTE_UNITS);
    device->tile_multiple = amp_priv_opencl_tile_multiple(id, device->rows_are_vectors);
    device->options = amp_priv_opencl_options(device, id);
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
    native->counts_twice = amp_priv_contains_text(platform_name, "rusticl");
    amp_priv_mutex_init(&native->lock);
    device.backend = amp_priv_opencl_table();
    device.native = native;
    snprintf(device.identity, sizeof device.identity, "%s | %s | %s | %s | %s", platform_name, platform_version, name,
             version, driver);
    snprintf(device.description, sizeof device.description, "%s (%s)", name, platform_name);
    device.version = major << 16 | minor;
    device.is_debug = amp_priv_contains_text(platform_name, "oclgrind");
    /* pocl has a cache of its own. To give a kernel's binary it compiles the kernel once more, for work-groups of any
       size: a second start would take as long as the first. */
    device.keeps_programs = amp_priv_contains_text(platform_name, "Portable Computing Language") &&
                            !amp_priv_option_enabled("AMP_CACHE", false);
    amp_priv_opencl_describe(&device, id);
    amp_priv_device_name(&device, "opencl", platform_name, name); /* opencl:platform/device/n */
    native->is_cpu = device.rows_are_vectors;
    if (amp_priv_opencl_unanswered)
        amp_priv_opencl_leave_out(name);
    else if (amp_priv_device_add(&device) && strstr(device.options, "has_subgroups"))
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s: sub-groups go by cl_khr_subgroup_shuffle", device.path);
}

AMP_PRIV_COLD void amp_priv_opencl_discover(void)
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
        amp_priv_log(AMP_PRIV_LOG_INFO, "OpenCL: it has no platforms: %s (%d)", amp_priv_opencl_code_name(error),
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
                         "the devices of %s are left out: %s (%d)", name, amp_priv_opencl_code_name(error), error);
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

/* // >>queue */

static inline amp_cl_command_queue amp_priv_opencl_queue(const amp_priv_queue *queue) { return queue->native; }

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_queue_open(amp_priv_queue *queue)
{
    amp_cl_context context;
    const amp_priv_result opened = amp_priv_opencl_context_open(queue->device, &context);
    if (opened.status != AMP_OK)
        return opened;
    int32_t error;
    queue->native = amp_priv_cl.CreateCommandQueue(context, amp_priv_opencl_of(queue->device)->id,
                                                   amp_priv_tracing() ? AMP_CL_QUEUE_PROFILING_ENABLE : 0, &error);
    return amp_priv_opencl_result("clCreateCommandQueue", error);
}

AMP_PRIV_COLD void amp_priv_opencl_queue_close(amp_priv_queue *queue)
{
    amp_priv_cl.ReleaseCommandQueue(amp_priv_opencl_queue(queue));
}

static inline amp_priv_result amp_priv_opencl_queue_flush(amp_priv_queue *queue)
{
    return amp_priv_opencl_result("clFlush", amp_priv_cl.Flush(amp_priv_opencl_queue(queue)));
}

AMP_PRIV_WARM_PART bool amp_priv_opencl_poll(amp_cl_event event);

/* Where the driver could not wait for a queue: is there another way? */
AMP_PRIV_COLD bool amp_priv_opencl_finish_slowly(const amp_priv_queue *queue)
{
    amp_cl_event marker = NULL;
    if (amp_priv_cl.EnqueueMarkerWithWaitList(amp_priv_opencl_queue(queue), 0, NULL, &marker) != AMP_CL_SUCCESS)
        return false;
    const bool finished = amp_priv_opencl_poll(marker);
    amp_priv_cl.ReleaseEvent(marker);
    return finished;
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_queue_finish(amp_priv_queue *queue)
{
    const int32_t error = amp_priv_cl.Finish(amp_priv_opencl_queue(queue));
    return error == AMP_CL_SUCCESS || amp_priv_opencl_finish_slowly(queue) ? amp_priv_done()
                                                                           : amp_priv_opencl_failed("clFinish", error);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_event_record(amp_priv_queue *queue, void **event)
{
    amp_cl_event marker = NULL;
    const int32_t error = amp_priv_cl.EnqueueMarkerWithWaitList(amp_priv_opencl_queue(queue), 0, NULL, &marker);
    *event = marker;
    return amp_priv_opencl_result("clEnqueueMarkerWithWaitList", error);
}

/* Other queues and other threads wait for an event only after its own queue was flushed. */
static inline void amp_priv_opencl_event_flush(amp_cl_event event)
{
    amp_cl_command_queue queue = NULL;
    if (amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) == AMP_CL_SUCCESS &&
        queue)
        amp_priv_cl.Flush(queue);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_queue_wait_event(amp_priv_queue *queue, void *event)
{
    amp_cl_command_queue source = NULL;
    if (amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_COMMAND_QUEUE, sizeof source, &source, NULL) == AMP_CL_SUCCESS) {
        if (source == amp_priv_opencl_queue(queue))
            return amp_priv_done(); /* in order anyway */
        if (source)
            amp_priv_cl.Flush(source);
    }
    const amp_cl_event wanted = event;
    return amp_priv_opencl_result("clEnqueueBarrierWithWaitList",
                                  amp_priv_cl.EnqueueBarrierWithWaitList(amp_priv_opencl_queue(queue), 1, &wanted,
                                                                         NULL));
}

/* // >>event: a cl_event. */

/* Has the event's command ended well? Asks again and again, two seconds long: where the driver's wait
   failed. */
AMP_PRIV_WARM_PART bool amp_priv_opencl_poll(amp_cl_event event)
{
    int unanswered = 0;
    amp_priv_opencl_event_flush(event);
    const uint64_t start = amp_priv_now(), limit = 2000000000;
    do {
        int32_t status = AMP_CL_COMPLETE;
        if (amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
            AMP_CL_SUCCESS)
            unanswered++;
        else if (status <= AMP_CL_COMPLETE)
            return status == AMP_CL_COMPLETE;
        amp_priv_thread_yield();
    } while (amp_priv_now() - start < limit && unanswered < 100);
    return false;
}

/* A command failed on the device: nobody knows what it wrote. */
AMP_PRIV_COLD bool amp_priv_opencl_event_failed(amp_priv_device *device, amp_cl_event event)
{
    int32_t status = AMP_CL_COMPLETE;
    if (amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
            AMP_CL_SUCCESS ||
        status >= AMP_CL_COMPLETE)
        return false;
    amp_priv_device_mark_lost(device, true);
    return true;
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_event_wait(amp_priv_device *device, void *event)
{
    const amp_cl_event wanted = event;
    const int32_t error = amp_priv_cl.WaitForEvents(1, &wanted);
    if (__builtin_expect(error == AMP_CL_SUCCESS, 1))
        return amp_priv_done();
    if (amp_priv_opencl_event_failed(device, event))
        return (amp_priv_result){ AMP_ACCELERATOR_VIEW_REMOVED, true, false, error, "clWaitForEvents" };
    if (error != AMP_CL_DEVICE_NOT_AVAILABLE && amp_priv_opencl_poll(event))
        return amp_priv_done();
    return amp_priv_opencl_failed("clWaitForEvents", error);
}

/* A command that failed is done, too; then the device is removed, and who needs its results is told. */
AMP_PRIV_WARM_PART bool amp_priv_opencl_event_done(amp_priv_device *device, void *event)
{
    int32_t status = AMP_CL_COMPLETE;
    if (amp_priv_cl.GetEventInfo(event, AMP_CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
        AMP_CL_SUCCESS)
        return false;
    if (status == AMP_CL_QUEUED)
        amp_priv_opencl_event_flush(event);
    if (__builtin_expect(status < AMP_CL_COMPLETE, 0))
        amp_priv_opencl_event_failed(device, event);
    return status <= AMP_CL_COMPLETE;
}

AMP_PRIV_COLD bool amp_priv_opencl_event_times(amp_priv_device *device, void *event, uint64_t times[3])
{
    static const uint32_t what[] = { AMP_CL_PROFILING_COMMAND_QUEUED, AMP_CL_PROFILING_COMMAND_START,
                                     AMP_CL_PROFILING_COMMAND_END };
    (void)device;
    for (int i = 0; i < 3; i++) {
        uint64_t time = 0;
        if (amp_priv_cl.GetEventProfilingInfo(event, what[i], sizeof time, &time, NULL) != AMP_CL_SUCCESS)
            return false;
        times[i] = time;
    }
    return true;
}

static inline void amp_priv_opencl_event_release(amp_priv_device *device, void *event)
{
    (void)device;
    amp_priv_cl.ReleaseEvent(event);
}

/* // >>buffer */

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_buffer_open(amp_priv_device *device, size_t bytes, void *host,
                                                          void **buffer)
{
    amp_cl_context context;
    const amp_priv_result opened = amp_priv_opencl_context_open(device, &context);
    if (opened.status != AMP_OK)
        return opened;
    const bool shared = host && device->shares_host;
    int32_t error;
    *buffer = amp_priv_cl.CreateBuffer(context,
                                       shared ? AMP_CL_MEM_READ_WRITE | AMP_CL_MEM_USE_HOST_PTR : AMP_CL_MEM_READ_WRITE,
                                       bytes, shared ? host : NULL, &error);
    if (error != AMP_CL_SUCCESS)
        *buffer = NULL;
    return amp_priv_opencl_result("clCreateBuffer", error);
}

AMP_PRIV_COLD void amp_priv_opencl_buffer_close(amp_priv_device *device, void *buffer)
{
    (void)device;
    amp_priv_cl.ReleaseMemObject(buffer);
}

/* // >>transfer */

/* A rectangle as OpenCL wants it: where it starts (x bytes, y rows, z slices), and its size. */
typedef struct amp_priv_opencl_rect {
    size_t origin[3], region[3], row_pitch, slice_pitch;
} amp_priv_opencl_rect;

/* Bytes from the first to the last. */
AMP_PRIV_COLD size_t amp_priv_rect_span(const amp_priv_rect *rect)
{
    return (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch + rect->row_bytes;
}

AMP_PRIV_COLD amp_priv_opencl_rect amp_priv_opencl_rect_of(const amp_priv_rect *rect)
{
    amp_priv_opencl_rect r = { { rect->offset, 0, 0 }, { rect->row_bytes, rect->rows, rect->slices }, 0, 0 };
    r.row_pitch = rect->rows > 1 ? rect->row_pitch : rect->slices > 1 ? rect->slice_pitch : rect->row_bytes;
    r.slice_pitch = rect->slices > 1 ? rect->slice_pitch : r.row_pitch * rect->rows;
    if (rect->slices > 1) {
        r.origin[2] = r.origin[0] / r.slice_pitch;
        r.origin[0] %= r.slice_pitch;
    }
    if (rect->rows > 1 || rect->slices > 1) {
        r.origin[1] = r.origin[0] / r.row_pitch;
        r.origin[0] %= r.row_pitch;
    }
    return r;
}

/* Is the buffer the host memory itself? Then nothing is copied. */
AMP_PRIV_COLD int32_t amp_priv_opencl_is_shared(const amp_priv_device *device, void *buffer, const void *host,
                                                bool *shared)
{
    void *memory = NULL;
    *shared = false;
    if (!device->shares_host)
        return AMP_CL_SUCCESS;
    const int32_t error = amp_priv_cl.GetMemObjectInfo(buffer, AMP_CL_MEM_HOST_PTR, sizeof memory, &memory, NULL);
    *shared = error == AMP_CL_SUCCESS && memory == host;
    return error;
}

/* Maps the rectangle and unmaps it again, which is how OpenCL hands memory from one side to the other. */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_hand_over(amp_priv_queue *queue, void *buffer, const amp_priv_rect *rect,
                                                        uint64_t flags)
{
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    int32_t error;
    void *const memory = amp_priv_cl.EnqueueMapBuffer(commands, buffer, AMP_CL_TRUE, flags, rect->offset,
                                                      amp_priv_rect_span(rect), 0, NULL, NULL, &error);
    if (error != AMP_CL_SUCCESS)
        return amp_priv_opencl_failed("clEnqueueMapBuffer", error);
    return amp_priv_opencl_result("clEnqueueUnmapMemObject",
                                  amp_priv_cl.EnqueueUnmapMemObject(commands, buffer, memory, 0, NULL, NULL));
}

/* Of memory that both have: nothing is copied. */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_transfer_shared(amp_priv_queue *queue, void *buffer,
                                                              const amp_priv_rect *rect, bool to_device)
{
    if (!amp_priv_opencl_of(queue->device)->is_cpu)
        return amp_priv_opencl_hand_over(queue, buffer, rect,
                                         to_device ? AMP_CL_MAP_WRITE_INVALIDATE_REGION : AMP_CL_MAP_READ);
    return to_device ? amp_priv_done() : amp_priv_opencl_queue_finish(queue);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                       const amp_priv_rect *rect, bool to_device, void **event)
{
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    bool shared;
    int32_t error = amp_priv_opencl_is_shared(queue->device, buffer, host, &shared);
    if (error != AMP_CL_SUCCESS)
        return amp_priv_opencl_failed("clGetMemObjectInfo", error);
    if (shared)
        return amp_priv_opencl_transfer_shared(queue, buffer, rect, to_device);
    amp_cl_event done = NULL, *const wanted = event ? &done : NULL;
    const amp_priv_opencl_rect r = amp_priv_opencl_rect_of(rect);
    const size_t bytes = amp_priv_rect_bytes(rect), first = rect->offset;
    char *const at = (char *)host + first;
    const bool line = amp_priv_rect_is_line(rect);
    if (line && to_device)
        error = amp_priv_cl.EnqueueWriteBuffer(commands, buffer, AMP_CL_TRUE, first, bytes, at, 0, NULL, wanted);
    else if (line)
        error = amp_priv_cl.EnqueueReadBuffer(commands, buffer, AMP_CL_TRUE, first, bytes, at, 0, NULL, wanted);
    else if (to_device)
        error =
            amp_priv_cl.EnqueueWriteBufferRect(commands, buffer, AMP_CL_TRUE, r.origin, r.origin, r.region, r.row_pitch,
                                               r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, wanted);
    else
        error =
            amp_priv_cl.EnqueueReadBufferRect(commands, buffer, AMP_CL_TRUE, r.origin, r.origin, r.region, r.row_pitch,
                                              r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, wanted);
    if (event)
        *event = done;
    if (__builtin_expect(error != AMP_CL_SUCCESS, 0))
        amp_priv_cl.Finish(commands); /* what was begun may still use the host's memory */
    return amp_priv_opencl_result(to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", error);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect,
                                                   void *to, const amp_priv_rect *to_rect, void **event)
{
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    amp_cl_event done = NULL, *const wanted = event ? &done : NULL;
    int32_t error;
    if (amp_priv_rect_is_line(from_rect) && amp_priv_rect_is_line(to_rect)) {
        error = amp_priv_cl.EnqueueCopyBuffer(commands, from, to, from_rect->offset, to_rect->offset,
                                              amp_priv_rect_bytes(from_rect), 0, NULL, wanted);
    } else {
        const amp_priv_opencl_rect a = amp_priv_opencl_rect_of(from_rect), b = amp_priv_opencl_rect_of(to_rect);
        error = amp_priv_cl.EnqueueCopyBufferRect(commands, from, to, a.origin, b.origin, a.region, a.row_pitch,
                                                  a.slice_pitch, b.row_pitch, b.slice_pitch, 0, NULL, wanted);
    }
    if (event)
        *event = done;
    return amp_priv_opencl_result("clEnqueueCopyBuffer", error);
}

/* A buffer over the host memory makes the driver pin it: from then on write and read of that memory run at the bus's
   speed. The buffer itself is never used (it would keep a copy of its own). */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_host_register(amp_priv_device *device, void *host, size_t bytes,
                                                            void **registration)
{
    *registration = NULL;
    if (device->cpu_shared_memory)
        return amp_priv_done();
    amp_cl_context context;
    const amp_priv_result opened = amp_priv_opencl_context_open(device, &context);
    if (opened.status != AMP_OK)
        return opened;
    int32_t error;
    const amp_cl_mem pinned =
        amp_priv_cl.CreateBuffer(context, AMP_CL_MEM_READ_WRITE | AMP_CL_MEM_USE_HOST_PTR, bytes, host, &error);
    if (error == AMP_CL_SUCCESS)
        *registration = pinned;
    return amp_priv_opencl_result("clCreateBuffer", error);
}

AMP_PRIV_COLD void amp_priv_opencl_host_unregister(amp_priv_device *device, void *registration)
{
    (void)device;
    amp_priv_cl.ReleaseMemObject(registration);
}

/* // >>image
   An image of its own, to which the picture is copied: images that lie in buffers are not what most drivers have. */

AMP_PRIV_COLD amp_cl_mem amp_priv_opencl_image_open(amp_priv_device *device, const amp_priv_picture *picture,
                                                    int32_t *error)
{
    static const uint32_t types[] = {
        [AMP_PRIV_TEXELS_UNORM8] = AMP_CL_UNORM_INT8,   [AMP_PRIV_TEXELS_NORM8] = AMP_CL_SNORM_INT8,
        [AMP_PRIV_TEXELS_UNORM16] = AMP_CL_UNORM_INT16, [AMP_PRIV_TEXELS_NORM16] = AMP_CL_SNORM_INT16,
        [AMP_PRIV_TEXELS_HALF] = AMP_CL_HALF_FLOAT,     [AMP_PRIV_TEXELS_FLOAT] = AMP_CL_FLOAT
    };
    const amp_cl_context context = atomic_load(&amp_priv_opencl_of(device)->context); /* its queue is there */
    const amp_cl_image_format format = { picture->channels == 1   ? AMP_CL_R
                                         : picture->channels == 2 ? AMP_CL_RG
                                                                  : AMP_CL_RGBA,
                                         types[picture->texels] };
    const bool is_solid = picture->rank == 3;
    const amp_cl_image_desc shape = { .type = is_solid ? AMP_CL_MEM_OBJECT_IMAGE3D : AMP_CL_MEM_OBJECT_IMAGE2D,
                                      .width = picture->extent[0],
                                      .height = picture->extent[1],
                                      .depth = is_solid ? picture->extent[2] : 0 };
    return amp_priv_cl.CreateImage(context, AMP_CL_MEM_READ_ONLY, (const void *)&format, (const void *)&shape, NULL,
                                   error);
}

AMP_PRIV_COLD void amp_priv_opencl_image_close(amp_priv_device *device, void *image)
{
    (void)device;
    amp_priv_cl.ReleaseMemObject(image);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_image_fill(amp_priv_queue *queue, void *buffer,
                                                         const amp_priv_picture *picture, void **image)
{
    static const size_t origin[3] = { 0, 0, 0 };
    int32_t error = AMP_CL_SUCCESS;
    const amp_cl_mem filled = *image ? *image : amp_priv_opencl_image_open(queue->device, picture, &error);
    if (error != AMP_CL_SUCCESS)
        return amp_priv_opencl_failed("clCreateImage", error);
    error = amp_priv_cl.EnqueueCopyBufferToImage(amp_priv_opencl_queue(queue), buffer, filled, picture->offset, origin,
                                                 picture->extent, 0, NULL, NULL);
    if (error == AMP_CL_SUCCESS)
        *image = filled;
    else if (!*image)
        amp_priv_cl.ReleaseMemObject(filled);
    return amp_priv_opencl_result("clEnqueueCopyBufferToImage", error);
}

/* // >>program */

/* The build log, in new memory; NULL if there is none. */
AMP_PRIV_COLD char *amp_priv_opencl_log(amp_cl_program program, amp_cl_device_id id)
{
    size_t size = 0;
    if (amp_priv_cl.GetProgramBuildInfo(program, id, AMP_CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != AMP_CL_SUCCESS ||
        size == 0)
        return NULL;
    char *const log = malloc(size + 1);
    if (!log)
        return NULL;
    log[size] = '\0';
    if (amp_priv_cl.GetProgramBuildInfo(program, id, AMP_CL_PROGRAM_BUILD_LOG, size, log, NULL) != AMP_CL_SUCCESS)
        log[0] = '\0';
    return log;
}

/* A program that is still to be built. */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_program_create(amp_priv_device *device, const amp_priv_build *build,
                                                             amp_cl_program *program)
{
    const amp_cl_device_id id = amp_priv_opencl_of(device)->id;
    const amp_cl_context context = atomic_load(&amp_priv_opencl_of(device)->context); /* its queue is there */
    const char *const text = build->text;
    const unsigned char *const binary = build->binary;
    int32_t error = AMP_CL_SUCCESS, status = AMP_CL_SUCCESS;
    if (!binary) {
        *program =
            amp_priv_cl.CreateProgramWithSource(context, 1, (const char **)(uintptr_t)&text, &build->length, &error);
        return amp_priv_opencl_result("clCreateProgramWithSource", error);
    }
    *program = amp_priv_cl.CreateProgramWithBinary(context, 1, &id, &build->binary_length,
                                                   (const unsigned char **)(uintptr_t)&binary, &status, &error);
    if (error == AMP_CL_SUCCESS && status != AMP_CL_SUCCESS)
        amp_priv_cl.ReleaseProgram(*program);
    return amp_priv_opencl_result("clCreateProgramWithBinary", error == AMP_CL_SUCCESS ? status : error);
}

/* Did the compiler refuse the text, and not only fail? */
AMP_PRIV_COLD bool amp_priv_opencl_refuses(amp_cl_program program, amp_cl_device_id id)
{
    int32_t status = AMP_CL_BUILD_NONE;
    return amp_priv_cl.GetProgramBuildInfo(program, id, AMP_CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) ==
               AMP_CL_SUCCESS &&
           status == AMP_CL_BUILD_ERROR;
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_program_build(amp_priv_device *device, amp_priv_build *build)
{
    const amp_cl_device_id id = amp_priv_opencl_of(device)->id;
    amp_cl_program program = NULL;
    const amp_priv_result created = amp_priv_opencl_program_create(device, build, &program);
    if (created.status != AMP_OK)
        return created;
    int32_t error = amp_priv_cl.BuildProgram(program, 1, &id, build->options, NULL, NULL);
    if (error == AMP_CL_INVALID_BUILD_OPTIONS)
        error = amp_priv_cl.BuildProgram(program, 1, &id, "", NULL, NULL);
    size_t kernels = 0; /* a binary that is not whole may build to none */
    if (error == AMP_CL_SUCCESS && build->binary)
        error = amp_priv_cl.GetProgramInfo(program, AMP_CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL);
    if (error == AMP_CL_SUCCESS && build->binary && kernels == 0)
        error = AMP_CL_INVALID_BINARY;
    if (error == AMP_CL_BUILD_PROGRAM_FAILURE && !amp_priv_opencl_refuses(program, id))
        error = AMP_CL_OUT_OF_HOST_MEMORY;
    build->log = amp_priv_opencl_log(program, id);
    build->program = program;
    if (error != AMP_CL_SUCCESS)
        amp_priv_cl.ReleaseProgram(program);
    return amp_priv_opencl_result("clBuildProgram", error);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_program_binary(amp_priv_device *device, void *program,
                                                             unsigned char **binary, size_t *length)
{
    (void)device;
    int32_t error = amp_priv_cl.GetProgramInfo(program, AMP_CL_PROGRAM_BINARY_SIZES, sizeof *length, length, NULL);
    *binary = error == AMP_CL_SUCCESS && *length > 0 ? malloc(*length) : NULL;
    if (error == AMP_CL_SUCCESS && !*binary)
        error = AMP_CL_OUT_OF_HOST_MEMORY;
    if (error == AMP_CL_SUCCESS)
        error = amp_priv_cl.GetProgramInfo(program, AMP_CL_PROGRAM_BINARIES, sizeof *binary, binary, NULL);
    /* Was it whole when it was read? */
    size_t after = 0;
    if (error == AMP_CL_SUCCESS)
        error = amp_priv_cl.GetProgramInfo(program, AMP_CL_PROGRAM_BINARY_SIZES, sizeof after, &after, NULL);
    if (error == AMP_CL_SUCCESS && after != *length)
        error = AMP_CL_INVALID_BINARY;
    if (error != AMP_CL_SUCCESS)
        free(*binary);
    return amp_priv_opencl_result("clGetProgramInfo", error);
}

AMP_PRIV_COLD void amp_priv_opencl_program_release(amp_priv_device *device, void *program)
{
    (void)device;
    amp_priv_cl.ReleaseProgram(program);
}

/* // >>launch */

typedef struct amp_priv_opencl_kernel {
    amp_cl_kernel kernel;
    bool finish; /* the next launch is waited for */
} amp_priv_opencl_kernel;

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_kernel_create(amp_priv_device *device, void *program, const char *name,
                                                            void **kernel, amp_priv_kernel_limits *limits)
{
    const amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
    amp_priv_opencl_kernel *const k = malloc(sizeof *k);
    if (!k)
        return amp_priv_opencl_result("clCreateKernel", AMP_CL_OUT_OF_HOST_MEMORY);
    int32_t error;
    uint64_t local = 0;
    /* pocl compiles the last part of a kernel while it runs it first. Launches that meet there make it abort
       (pocl_release_dlhandle_cache: found->ref_count > 0), and before that its binary is not whole. */
    k->finish = native->is_cpu;
    k->kernel = amp_priv_cl.CreateKernel(program, name, &error);
    if (error != AMP_CL_SUCCESS) {
        free(k);
        return amp_priv_opencl_result("clCreateKernel", error);
    }
    amp_priv_cl.GetKernelWorkGroupInfo(k->kernel, native->id, AMP_CL_KERNEL_WORK_GROUP_SIZE, sizeof limits->max_group,
                                       &limits->max_group, NULL);
    amp_priv_cl.GetKernelWorkGroupInfo(k->kernel, native->id, AMP_CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    limits->local_memory = (size_t)(native->counts_twice ? local / 2 : local);
    *kernel = k;
    return amp_priv_done();
}

AMP_PRIV_COLD void amp_priv_opencl_kernel_release(amp_priv_device *device, void *kernel)
{
    (void)device;
    amp_priv_cl.ReleaseKernel(((amp_priv_opencl_kernel *)kernel)->kernel);
    free(kernel);
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_opencl_enqueue(amp_priv_queue *queue, void *kernel,
                                                           const amp_priv_kernel_arguments *arguments,
                                                           const amp_priv_geometry *g, void **event)
{
    amp_priv_opencl_kernel *const k = kernel;
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    amp_cl_event done = NULL;
    for (int i = 0; i < arguments->changed_count; i++) {
        const uint32_t number = arguments->changed[i];
        const amp_priv_kernel_argument *const argument = &arguments->argument[number];
        const int32_t error = amp_priv_cl.SetKernelArg(k->kernel, number, argument->size, argument->value);
        if (__builtin_expect(error != AMP_CL_SUCCESS, 0))
            return amp_priv_opencl_failed("clSetKernelArg", error);
    }
    /* No more dimensions than there are: pocl takes 0.4 us longer for three. */
    const int32_t error = amp_priv_cl.EnqueueNDRangeKernel(commands, k->kernel, (uint32_t)g->dimensions, NULL,
                                                           g->global, g->local, 0, NULL, event ? &done : NULL);
    if (__builtin_expect(error != AMP_CL_SUCCESS, 0))
        return amp_priv_opencl_failed("clEnqueueNDRangeKernel", error);
    if (event)
        *event = done;
    if (__builtin_expect(k->finish, 0)) {
        amp_priv_cl.Finish(commands); /* if the kernel failed, those who wait for results are told */
        k->finish = false;
    }
    return amp_priv_done();
}

/* // >>table */

static inline const amp_priv_backend *amp_priv_opencl_table(void)
{
    static const amp_priv_backend table = {
        AMP_PRIV_BACKEND_SLOTS("OpenCL", opencl),
        .queue_flush = amp_priv_opencl_queue_flush,
    };
    return &table;
}

#endif /* AMP_OPENCL_H */
