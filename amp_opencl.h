/* SPDX-License-Identifier: MIT */
/*  amp_opencl.h - OpenCL: devices, transfers, kernels compiled at first use. Only this file and
    amp/opencl_interop.h know cl_*.

    OpenCL 1.2 calls only. One context per device, made at first use; queues are in order. Nothing is released when the
    program ends: drivers may be gone by then.

    Contents (search for the tag):
        >>errors  >>device  >>queue  >>event  >>buffer  >>transfer  >>build  >>geometry  >>launch  >>table  */
#ifndef AMP_OPENCL_H
#define AMP_OPENCL_H

#include <sched.h>
#include <time.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#if defined(__APPLE__)
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "amp/accelerator.h"
#include "amp/cache.h"
#include "amp/program.h"

/* // >>errors */

#define AMP_PRIV_CL_ERRORS(X)                                                                                          \
    X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) X(CL_COMPILER_NOT_AVAILABLE)                                     \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE) X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY)                                \
    X(CL_PROFILING_INFO_NOT_AVAILABLE) X(CL_MEM_COPY_OVERLAP) X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE)            \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET) X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                 \
    X(CL_COMPILE_PROGRAM_FAILURE) X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE) X(CL_INVALID_VALUE)            \
    X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) X(CL_INVALID_QUEUE_PROPERTIES)                   \
    X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_BINARY)                   \
    X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) X(CL_INVALID_PROGRAM_EXECUTABLE) X(CL_INVALID_KERNEL_NAME)       \
    X(CL_INVALID_KERNEL) X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE)                        \
    X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE)                               \
    X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT)         \
    X(CL_INVALID_OPERATION) X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_GLOBAL_WORK_SIZE)

AMP_PRIV_COLD const char *amp_priv_opencl_error_name(cl_int error)
{
    switch (error) {
#define AMP_PRIV_CL_NAME(name)                                                                                         \
    case name: return #name;
        AMP_PRIV_CL_ERRORS(AMP_PRIV_CL_NAME)
#undef AMP_PRIV_CL_NAME
    default:
        return error == -1001   ? "CL_PLATFORM_NOT_FOUND_KHR"
               : error == -9999 ? "illegal memory access (NVIDIA)"
                                : "unknown";
    }
}

/* Reports a failed call, and takes the device out of use if it cannot work any more. */
AMP_PRIV_COLD amp_status amp_priv_opencl_report(amp_priv_device *device, const char *call, cl_int error)
{
    const char *const name = amp_priv_opencl_error_name(error);
    const bool waits = strstr(call, "Wait") || strstr(call, "Finish") || strstr(call, "Read") || strstr(call, "Map");
    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return amp_priv_report(
            AMP_OUT_OF_MEMORY,
            "%s failed with %s (%d) on %s: not enough memory; release arrays and views, or work on smaller "
            "sections",
            call, name, error, device->path);
    case CL_OUT_OF_RESOURCES:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
        if (!waits)
            return amp_priv_report(
                AMP_OUT_OF_MEMORY,
                "%s failed with %s (%d) on %s: the device has too little memory, or the kernel needs too many "
                "registers; release arrays and views, or use a smaller tile",
                call, name, error, device->path);
        __attribute__((fallthrough));
    case -9999:
        amp_priv_device_remove(device, "a kernel failed on it, probably by access outside of a view or array");
        return amp_priv_report(
            AMP_ACCELERATOR_VIEW_REMOVED,
            "%s failed with %s (%d) on %s: a kernel failed on the device, probably by access outside of a view "
            "or array; run it with AMP_ACCELERATOR=cpu and -DAMP_CHECKED to find where",
            call, name, error, device->path);
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_INVALID_CONTEXT:
    case CL_INVALID_COMMAND_QUEUE:
        amp_priv_device_remove(device, "the driver says that it is not available any more");
        return amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED,
                               "%s failed with %s (%d) on %s: the device is gone; use another one", call, name, error,
                               device->path);
    default:
        return amp_priv_report(AMP_RUNTIME_ERROR,
                               "%s failed with %s (%d) on %s; AMP_ACCELERATOR=cpu runs the program without OpenCL",
                               call, name, error, device->path);
    }
}

/* AMP_OK, or the failed call's status, reported. */
static inline amp_status amp_priv_opencl_check(amp_priv_device *device, const char *call, cl_int error)
{
    return __builtin_expect(error == CL_SUCCESS, 1) ? AMP_OK : amp_priv_opencl_report(device, call, error);
}

/* // >>device */

/* Threads of a work-group without tiles, and of one row of it: GPUs like blocks; the compilers of CPUs turn a row into
   vectors, and each work-group has to find out anew that it may (a stencil on pocl: 0.9 of the speed with 256 instead
   of 4,096). So large launches take large work-groups on a CPU, where each of its units gets this many at least. */
enum { AMP_PRIV_GROUP = 256, AMP_PRIV_ROW_ON_GPU = 32, AMP_PRIV_GROUP_ON_CPU = 4096, AMP_PRIV_GROUPS_OF_UNIT = 16 };

/* What this backend knows of a device: amp_priv_device.native. */
typedef struct amp_priv_opencl_device {
    cl_platform_id platform;
    cl_device_id id;
    pthread_mutex_t lock;
    _Atomic(cl_context) context; /* made at first use */
    bool is_cpu;                 /* host and device are the same processor: there is nothing to hand over */
    uint64_t large_launch;       /* threads of a launch that keep it busy in work-groups of AMP_PRIV_GROUP_ON_CPU */
    atomic_uint closed;          /* counts released buffers: a new one may have an old one's address */
    size_t max_parameters;       /* bytes of kernel arguments */
    char identity[512];          /* platform, device, driver: part of the key of compiled kernels */
} amp_priv_opencl_device;

static inline amp_priv_opencl_device *amp_priv_opencl_of(const amp_priv_device *device) { return device->native; }

AMP_PRIV_COLD void amp_priv_opencl_text(cl_device_id id, cl_device_info what, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    if (clGetDeviceInfo(id, what, 0, NULL, &length) != CL_SUCCESS)
        return;
    char *const all = malloc(length + 1);
    if (!all)
        return;
    if (clGetDeviceInfo(id, what, length, all, NULL) == CL_SUCCESS) {
        all[length] = '\0';
        snprintf(text, size, "%.*s", (int)(size - 1), all + strspn(all, " "));
    }
    free(all);
}

/* The number behind a property, 0 if there is none. */
#define AMP_PRIV_OPENCL_NUMBER(function, type)                                                                         \
    AMP_PRIV_COLD type function(cl_device_id id, cl_device_info what)                                                  \
    {                                                                                                                  \
        type value = 0;                                                                                                \
        return clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;                        \
    }
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_ulong, cl_ulong)
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_bool, cl_bool)
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_size, size_t)
AMP_PRIV_OPENCL_NUMBER(amp_priv_opencl_uint, cl_uint)

/* Appends name in lower case, with "-" for what is neither letter nor digit. */
AMP_PRIV_COLD size_t amp_priv_opencl_add_name(char *path, size_t used, size_t limit, const char *name)
{
    bool gap = false;
    const size_t start = used;
    for (; *name && used + 1 < limit; name++) {
        const char c = amp_priv_lower(*name);
        if ((c >= 'a' && c <= 'z') || amp_priv_is_digit(c)) {
            if (gap && used > start)
                path[used++] = '-';
            if (used + 1 < limit)
                path[used++] = c;
            gap = false;
        } else {
            gap = true;
        }
    }
    path[used] = '\0';
    return used;
}

/* Is name one of the words of the device's list of extensions? */
AMP_PRIV_COLD bool amp_priv_opencl_has_extension(cl_device_id id, const char *name)
{
    char all[8192];
    amp_priv_opencl_text(id, CL_DEVICE_EXTENSIONS, all, sizeof all);
    const size_t length = strlen(name);
    for (const char *p = all; (p = strstr(p, name)) != NULL; p += length)
        if ((p == all || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
            return true;
    return false;
}

static inline const amp_priv_backend *amp_priv_opencl_table(void);

AMP_PRIV_COLD void amp_priv_opencl_discover_device(cl_platform_id platform, const char *platform_name,
                                                   const char *platform_version, cl_device_id id)
{
    amp_priv_device device;
    memset(&device, 0, sizeof device);
    char name[160], version[128], driver[128];
    amp_priv_opencl_text(id, CL_DEVICE_NAME, name, sizeof name);
    amp_priv_opencl_text(id, CL_DEVICE_VERSION, version, sizeof version);
    amp_priv_opencl_text(id, CL_DRIVER_VERSION, driver, sizeof driver);
    unsigned major = 0, minor = 0;
    if (sscanf(version, "OpenCL %u.%u", &major, &minor) != 2)
        major = 1;
    if (!amp_priv_opencl_bool(id, CL_DEVICE_AVAILABLE) || !amp_priv_opencl_bool(id, CL_DEVICE_COMPILER_AVAILABLE) ||
        !amp_priv_opencl_bool(id, CL_DEVICE_ENDIAN_LITTLE) || (major == 1 && minor < 2)) {
        amp_priv_log(
            AMP_PRIV_LOG_INFO,
            "%s is left out: it is not available, or has no compiler, or less than OpenCL 1.2, or is big-endian", name);
        return;
    }

    amp_priv_opencl_device *const native = calloc(1, sizeof *native);
    if (!native)
        return;
    const cl_device_type type = amp_priv_opencl_ulong(id, CL_DEVICE_TYPE);
    native->platform = platform;
    native->id = id;
    pthread_mutex_init(&native->lock, NULL);
    native->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    native->large_launch = (uint64_t)AMP_PRIV_GROUPS_OF_UNIT * AMP_PRIV_GROUP_ON_CPU *
                           amp_priv_opencl_uint(id, CL_DEVICE_MAX_COMPUTE_UNITS);
    native->max_parameters = amp_priv_opencl_size(id, CL_DEVICE_MAX_PARAMETER_SIZE);
    snprintf(native->identity, sizeof native->identity, "%s | %s | %s | %s | %s", platform_name, platform_version, name,
             version, driver);

    device.backend = amp_priv_opencl_table();
    device.native = native;
    snprintf(device.description, sizeof device.description, "%s (%s)", name, platform_name);
    device.version = major << 16 | minor;
    device.dedicated_memory = (size_t)(amp_priv_opencl_ulong(id, CL_DEVICE_GLOBAL_MEM_SIZE) / 1024);
    device.is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    device.is_emulated = (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) == 0;
    device.is_debug = amp_priv_contains_text(platform_name, "oclgrind");
    device.double_precision = device.limited_double_precision =
        amp_priv_opencl_ulong(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    device.atomics64 = amp_priv_opencl_has_extension(id, "cl_khr_int64_base_atomics") &&
                       amp_priv_opencl_has_extension(id, "cl_khr_int64_extended_atomics");
    device.cpu_shared_memory = amp_priv_opencl_bool(id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
    const char *const copies = getenv("AMP_FORCE_COPIES");
    device.shares_host = device.cpu_shared_memory && !(copies && copies[0] && strcmp(copies, "0"));
    device.max_threads = amp_priv_opencl_size(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t sizes[16] = { 1, 1, 1 };
    if (amp_priv_opencl_uint(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) <= 16)
        clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    for (int d = 0; d < 3; d++)
        device.max_tile[d] = sizes[d];
    device.local_memory = (size_t)amp_priv_opencl_ulong(id, CL_DEVICE_LOCAL_MEM_SIZE);

    /* opencl:platform/device/n, n counting devices of the same name. */
    memcpy(device.path, "opencl:", 8);
    size_t used = amp_priv_opencl_add_name(device.path, 7, 48, platform_name);
    device.path[used++] = '/';
    used = amp_priv_opencl_add_name(device.path, used, sizeof device.path - 8, name);
    int n = 0;
    do
        snprintf(device.path + used, sizeof device.path - used, "/%d", n++);
    while (amp_priv_path_taken(device.path));
    if (!amp_priv_device_add(&device))
        free(native);
}

AMP_PRIV_COLD void amp_priv_opencl_discover(void)
{
    enum { AMP_PRIV_CL_MAX_PLATFORMS = 16 };
    cl_platform_id platforms[AMP_PRIV_CL_MAX_PLATFORMS];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(AMP_PRIV_CL_MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return;
    for (cl_uint p = 0; p < platform_count && p < AMP_PRIV_CL_MAX_PLATFORMS; p++) {
        cl_device_id devices[AMP_PRIV_MAX_DEVICES];
        cl_uint count = 0;
        char name[128] = "", version[128] = "";
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name, name, NULL);
        clGetPlatformInfo(platforms[p], CL_PLATFORM_VERSION, sizeof version, version, NULL);
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, AMP_PRIV_MAX_DEVICES, devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < AMP_PRIV_MAX_DEVICES; d++)
            amp_priv_opencl_discover_device(platforms[p], name, version, devices[d]);
    }
}

static inline void CL_CALLBACK amp_priv_opencl_notice(const char *message, const void *bytes, size_t size, void *device)
{
    (void)bytes, (void)size;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s: %s", ((const amp_priv_device *)device)->path, message);
}

/* The device's context; NULL after reporting. */
AMP_PRIV_COLD cl_context amp_priv_opencl_make_context(amp_priv_device *device)
{
    amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
    amp_priv_lock(&native->lock);
    cl_context context = atomic_load(&native->context);
    cl_int error = CL_SUCCESS;
    if (!context) {
        const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)native->platform, 0 };
        context = clCreateContext(properties, 1, &native->id, amp_priv_opencl_notice, device, &error);
        if (error == CL_SUCCESS)
            atomic_store(&native->context, context);
        else
            context = NULL;
    }
    amp_priv_unlock(&native->lock);
    if (!context)
        amp_priv_opencl_report(device, "clCreateContext", error);
    return context;
}

static inline cl_context amp_priv_opencl_context(amp_priv_device *device)
{
    const cl_context context = atomic_load_explicit(&amp_priv_opencl_of(device)->context, memory_order_acquire);
    return context ? context : amp_priv_opencl_make_context(device);
}

/* // >>queue */

static inline cl_command_queue amp_priv_opencl_queue(const amp_priv_queue *queue) { return queue->native; }

AMP_PRIV_COLD amp_status amp_priv_opencl_queue_open(amp_priv_queue *queue)
{
    const cl_context context = amp_priv_opencl_context(queue->device);
    if (!context)
        return amp_last_error();
    cl_int error;
    queue->native = clCreateCommandQueue(context, amp_priv_opencl_of(queue->device)->id,
                                         amp_priv_tracing() ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    amp_priv_trace_opened();
    return amp_priv_opencl_check(queue->device, "clCreateCommandQueue", error);
}

AMP_PRIV_COLD void amp_priv_opencl_queue_close(amp_priv_queue *queue)
{
    if (!queue->device->left_behind)
        clReleaseCommandQueue(amp_priv_opencl_queue(queue));
}

static inline amp_status amp_priv_opencl_queue_flush(amp_priv_queue *queue)
{
    if (amp_priv_device_gone(queue->device, "flush"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_opencl_check(queue->device, "clFlush", clFlush(amp_priv_opencl_queue(queue)));
}

static inline amp_status amp_priv_opencl_queue_finish(amp_priv_queue *queue)
{
    if (amp_priv_device_gone(queue->device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const uint64_t began = amp_priv_trace_begin();
    const cl_int error = clFinish(amp_priv_opencl_queue(queue));
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_host("wait", "wait", "", queue->device->path, began);
    return amp_priv_opencl_check(queue->device, "clFinish", error);
}

static inline amp_status amp_priv_opencl_queue_mark(amp_priv_queue *queue, void **event)
{
    /* A removed device that works in the host's memory may be doing so still: its queues are waited for. */
    if ((!queue->device->shares_host || queue->device->left_behind) && amp_priv_device_gone(queue->device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    cl_event marker = NULL;
    const cl_int error = clEnqueueMarkerWithWaitList(amp_priv_opencl_queue(queue), 0, NULL, &marker);
    *event = marker;
    return amp_priv_opencl_check(queue->device, "clEnqueueMarkerWithWaitList", error);
}

/* Other queues and other threads wait for an event only after its own queue was flushed. */
static inline void amp_priv_opencl_event_flush(cl_event event)
{
    cl_command_queue queue = NULL;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) == CL_SUCCESS && queue)
        clFlush(queue);
}

static inline amp_status amp_priv_opencl_queue_after(amp_priv_queue *queue, void *event)
{
    if (!event)
        return AMP_OK;
    if (amp_priv_device_gone(queue->device, "launch"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    cl_command_queue source = NULL;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof source, &source, NULL) == CL_SUCCESS) {
        if (source == amp_priv_opencl_queue(queue))
            return AMP_OK; /* in order anyway */
        if (source)
            clFlush(source);
    }
    const cl_event wanted = event;
    return amp_priv_opencl_check(queue->device, "clEnqueueBarrierWithWaitList",
                                 clEnqueueBarrierWithWaitList(amp_priv_opencl_queue(queue), 1, &wanted, NULL));
}

/* // >>event: a cl_event; NULL is done. */

/* A device that was taken out of use while a kernel ran, and that works in the host's memory, may still be writing
   there. That gets two seconds to end before the memory is given back. */
AMP_PRIV_COLD void amp_priv_opencl_drain(cl_event event)
{
    struct timespec start, now;
    cl_int status = CL_COMPLETE;
    amp_priv_opencl_event_flush(event);
    timespec_get(&start, TIME_UTC);
    do {
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS ||
            status <= CL_COMPLETE)
            return;
        sched_yield();
        timespec_get(&now, TIME_UTC);
    } while (now.tv_sec - start.tv_sec < 2);
}

static inline amp_status amp_priv_opencl_event_wait(amp_priv_device *device, void *event)
{
    if (!event)
        return AMP_OK;
    if (__builtin_expect(atomic_load_explicit(&device->removed, memory_order_acquire), 0)) {
        if (device->shares_host && !device->left_behind)
            amp_priv_opencl_drain(event);
        amp_priv_device_gone(device, "wait");
        return AMP_ACCELERATOR_VIEW_REMOVED;
    }
    const cl_event wanted = event;
    const uint64_t began = amp_priv_trace_begin();
    const cl_int error = clWaitForEvents(1, &wanted);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_host("wait", "wait", "", device->path, began);
    return amp_priv_opencl_check(device, "clWaitForEvents", error);
}

static inline bool amp_priv_opencl_event_done(amp_priv_device *device, void *event)
{
    if (!event || device->left_behind)
        return true;
    cl_int status = CL_COMPLETE;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS)
        return true;
    if (status == CL_QUEUED)
        amp_priv_opencl_event_flush(event);
    return status <= CL_COMPLETE; /* failed is done, too */
}

AMP_PRIV_COLD bool amp_priv_opencl_event_times(amp_priv_device *device, void *event, uint64_t times[3])
{
    static const cl_profiling_info what[] = { CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START,
                                              CL_PROFILING_COMMAND_END };
    (void)device;
    for (int i = 0; i < 3; i++) {
        cl_ulong time = 0;
        if (clGetEventProfilingInfo(event, what[i], sizeof time, &time, NULL) != CL_SUCCESS)
            return false;
        times[i] = time;
    }
    return true;
}

static inline void amp_priv_opencl_event_release(amp_priv_device *device, void *event)
{
    if (event && !device->left_behind)
        clReleaseEvent(event);
}

/* // >>buffer */

AMP_PRIV_COLD amp_status amp_priv_opencl_buffer_open(amp_priv_device *device, size_t bytes, void *host, void **buffer)
{
    if (amp_priv_device_gone(device, "buffer"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const cl_context context = amp_priv_opencl_context(device);
    if (!context)
        return amp_last_error();
    const bool shared = host && device->shares_host;
    cl_int error;
    *buffer = clCreateBuffer(context, shared ? CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR : CL_MEM_READ_WRITE, bytes,
                             shared ? host : NULL, &error);
    if (error == CL_SUCCESS)
        return AMP_OK;
    *buffer = NULL;
    if (error == CL_INVALID_BUFFER_SIZE)
        return amp_priv_report(AMP_OUT_OF_MEMORY,
                               "%zu bytes are more than %s has for one array (%llu); work on smaller sections", bytes,
                               device->path,
                               (unsigned long long)amp_priv_opencl_ulong(amp_priv_opencl_of(device)->id,
                                                                         CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    return amp_priv_opencl_report(device, "clCreateBuffer", error);
}

static inline void amp_priv_opencl_buffer_close(amp_priv_device *device, void *buffer)
{
    if (!buffer || device->left_behind)
        return;
    clReleaseMemObject(buffer);
    atomic_fetch_add(&amp_priv_opencl_of(device)->closed, 1u);
}

/* // >>transfer */

/* A rectangle as OpenCL wants it: where it starts (x bytes, y rows, z slices), and its size. */
typedef struct amp_priv_opencl_rect {
    size_t origin[3], region[3], row_pitch, slice_pitch;
} amp_priv_opencl_rect;

static inline bool amp_priv_rect_is_line(const amp_priv_rect *rect)
{
    return (rect->rows == 1 || rect->row_pitch == rect->row_bytes) &&
           (rect->slices == 1 || rect->slice_pitch == rect->rows * rect->row_bytes);
}

static inline size_t amp_priv_rect_bytes(const amp_priv_rect *rect)
{
    return rect->row_bytes * rect->rows * rect->slices;
}

/* Bytes from the first to the last. */
static inline size_t amp_priv_rect_span(const amp_priv_rect *rect)
{
    return (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch + rect->row_bytes;
}

static inline amp_priv_opencl_rect amp_priv_opencl_rect_of(const amp_priv_rect *rect)
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
static inline bool amp_priv_opencl_is_shared(const amp_priv_device *device, void *buffer, const void *host)
{
    void *memory = NULL;
    return device->shares_host &&
           clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof memory, &memory, NULL) == CL_SUCCESS && memory == host;
}

/* Maps the rectangle and unmaps it again, which is how OpenCL hands memory from one side to the other. */
AMP_PRIV_COLD amp_status amp_priv_opencl_hand_over(amp_priv_queue *queue, void *buffer, const amp_priv_rect *rect,
                                                   cl_map_flags flags)
{
    const cl_command_queue commands = amp_priv_opencl_queue(queue);
    cl_int error;
    void *const memory = clEnqueueMapBuffer(commands, buffer, CL_TRUE, flags, rect->offset, amp_priv_rect_span(rect), 0,
                                            NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return amp_priv_opencl_report(queue->device, "clEnqueueMapBuffer", error);
    return amp_priv_opencl_check(queue->device, "clEnqueueUnmapMemObject",
                                 clEnqueueUnmapMemObject(commands, buffer, memory, 0, NULL, NULL));
}

/* A transfer or copy that may be traced: where OpenCL puts its event, and when it began. */
typedef struct amp_priv_opencl_traced {
    cl_event event;
    cl_event *wanted; /* NULL while not tracing */
    uint64_t began;
} amp_priv_opencl_traced;

#define AMP_PRIV_OPENCL_TRACED(name)                                                                                   \
    amp_priv_opencl_traced name = {NULL, NULL, amp_priv_trace_begin()};                                                \
    if (__builtin_expect(name.began != 0, 0)) name.wanted = &name.event

static inline void amp_priv_opencl_trace(amp_priv_opencl_traced *traced, const amp_priv_queue *queue, const char *name,
                                         const amp_priv_rect *rect)
{
    if (__builtin_expect(traced->event == NULL, 1))
        return;
    amp_priv_trace_enqueued(queue, NULL, NULL, name, amp_priv_rect_bytes(rect), traced->began, traced->event);
}

static inline amp_status amp_priv_opencl_write(amp_priv_queue *queue, void *buffer, const void *host,
                                               const amp_priv_rect *rect)
{
    amp_priv_device *const device = queue->device;
    if (amp_priv_device_gone(device, "copy to the device"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    if (amp_priv_opencl_is_shared(device, buffer, host)) {
        if (amp_priv_opencl_of(device)->is_cpu)
            return AMP_OK;
        return amp_priv_opencl_hand_over(queue, buffer, rect, CL_MAP_WRITE_INVALIDATE_REGION);
    }
    const cl_command_queue commands = amp_priv_opencl_queue(queue);
    AMP_PRIV_OPENCL_TRACED(traced);
    cl_int error;
    if (amp_priv_rect_is_line(rect)) {
        error = clEnqueueWriteBuffer(commands, buffer, CL_TRUE, rect->offset, amp_priv_rect_bytes(rect),
                                     (const char *)host + rect->offset, 0, NULL, traced.wanted);
    } else {
        const amp_priv_opencl_rect r = amp_priv_opencl_rect_of(rect);
        error = clEnqueueWriteBufferRect(commands, buffer, CL_TRUE, r.origin, r.origin, r.region, r.row_pitch,
                                         r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, traced.wanted);
    }
    amp_priv_opencl_trace(&traced, queue, "to device", rect);
    return amp_priv_opencl_check(device, "clEnqueueWriteBuffer", error);
}

static inline amp_status amp_priv_opencl_read(amp_priv_queue *queue, void *buffer, void *host,
                                              const amp_priv_rect *rect)
{
    amp_priv_device *const device = queue->device;
    if (amp_priv_device_gone(device, "copy from the device"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const cl_command_queue commands = amp_priv_opencl_queue(queue);
    if (amp_priv_opencl_is_shared(device, buffer, host)) {
        if (amp_priv_opencl_of(device)->is_cpu)
            return amp_priv_opencl_check(device, "clFinish", clFinish(commands));
        return amp_priv_opencl_hand_over(queue, buffer, rect, CL_MAP_READ);
    }
    AMP_PRIV_OPENCL_TRACED(traced);
    cl_int error;
    if (amp_priv_rect_is_line(rect)) {
        error = clEnqueueReadBuffer(commands, buffer, CL_TRUE, rect->offset, amp_priv_rect_bytes(rect),
                                    (char *)host + rect->offset, 0, NULL, traced.wanted);
    } else {
        const amp_priv_opencl_rect r = amp_priv_opencl_rect_of(rect);
        error = clEnqueueReadBufferRect(commands, buffer, CL_TRUE, r.origin, r.origin, r.region, r.row_pitch,
                                        r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, traced.wanted);
    }
    amp_priv_opencl_trace(&traced, queue, "to host", rect);
    return amp_priv_opencl_check(device, "clEnqueueReadBuffer", error);
}

static inline amp_status amp_priv_opencl_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect,
                                              void *to, const amp_priv_rect *to_rect)
{
    amp_priv_device *const device = queue->device;
    if (amp_priv_device_gone(device, "copy"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const cl_command_queue commands = amp_priv_opencl_queue(queue);
    AMP_PRIV_OPENCL_TRACED(traced);
    cl_int error;
    if (amp_priv_rect_is_line(from_rect) && amp_priv_rect_is_line(to_rect)) {
        error = clEnqueueCopyBuffer(commands, from, to, from_rect->offset, to_rect->offset,
                                    amp_priv_rect_bytes(from_rect), 0, NULL, traced.wanted);
    } else {
        const amp_priv_opencl_rect a = amp_priv_opencl_rect_of(from_rect), b = amp_priv_opencl_rect_of(to_rect);
        error = clEnqueueCopyBufferRect(commands, from, to, a.origin, b.origin, a.region, a.row_pitch, a.slice_pitch,
                                        b.row_pitch, b.slice_pitch, 0, NULL, traced.wanted);
    }
    amp_priv_opencl_trace(&traced, queue, "copy", from_rect);
    if (error == CL_SUCCESS && queue->mode == AMP_QUEUING_IMMEDIATE)
        error = clFlush(commands);
    return amp_priv_opencl_check(device, "clEnqueueCopyBuffer", error);
}

/* A buffer over the host memory makes the driver pin it: from then on write and read of that memory run at the bus's
   speed. The buffer itself is never used (it would keep a copy of its own). Where it fails, transfers are slower. */
AMP_PRIV_COLD amp_status amp_priv_opencl_host_register(amp_priv_device *device, void *host, size_t bytes,
                                                       void **registration)
{
    *registration = NULL;
    if (amp_priv_device_gone(device, "host memory"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    if (device->cpu_shared_memory)
        return AMP_OK;
    const cl_context context = amp_priv_opencl_context(device);
    if (!context)
        return amp_last_error();
    cl_int error;
    const cl_mem pinned = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host, &error);
    if (error == CL_SUCCESS)
        *registration = pinned;
    else
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s does not register %zu bytes of host memory: %s (%d)", device->path, bytes,
                     amp_priv_opencl_error_name(error), error);
    return AMP_OK;
}

AMP_PRIV_COLD void amp_priv_opencl_host_unregister(amp_priv_device *device, void *registration)
{
    if (registration && !device->left_behind)
        clReleaseMemObject(registration);
}

/* // >>build */

/* One site's kernel on one device, in one form. */
typedef struct amp_priv_opencl_kernel {
    struct amp_priv_opencl_kernel *next;
    int device;
    unsigned form;
    pthread_mutex_t lock; /* building, setting arguments, enqueuing */
    enum { AMP_PRIV_KERNEL_NEW, AMP_PRIV_KERNEL_BUILT, AMP_PRIV_KERNEL_BAD } state;
    amp_status status; /* of a bad one, and what was reported */
    char *message;
    cl_program program;
    cl_kernel kernel;
    size_t max_group;
    char *key; /* under which the binary is to be kept after the first launch; NULL: it is, or is not to be */
    size_t key_length;
    unsigned closed; /* the device's count of closed buffers when the arguments were set */
    bool set;        /* arguments holds what the kernel has */
    bool extents;    /* the views' extents are arguments */
    unsigned char *arguments;
#if defined(AMP_CHECKED)
    cl_mem fault; /* of the launch that has the lock */
#endif
} amp_priv_opencl_kernel;

/* AMP_SHOW_KERNELS: 0, 1 (source and build log, on stderr), 2 (and geometry), or a directory, dir/, which then has all
   of it in a file per kernel and device. */
AMP_PRIV_COLD int amp_priv_show_kernels(void)
{
    const char *const show = getenv("AMP_SHOW_KERNELS");
    return !show ? 0 : strchr(show, '/') ? 2 : atoi(show);
}

/* Where a kernel is shown; mode "w" for its source, "a" for what follows. Close it with amp_priv_show_close. */
AMP_PRIV_COLD FILE *amp_priv_show_open(const amp_priv_site *site, const amp_priv_device *device, unsigned form,
                                       const char *mode)
{
    const char *const folder = getenv("AMP_SHOW_KERNELS");
    if (!folder || !strchr(folder, '/'))
        return stderr;
    char path[1024];
    snprintf(path, sizeof path, "%s%s%s_%d_on_%d%s%s%s.cl", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
             site->function, site->line, device->number, form & AMP_PRIV_WIDE ? "_wide" : "",
             form & AMP_PRIV_PADDED ? "_padded" : "", form & AMP_PRIV_PLACED ? "_placed" : "");
    if (*mode == 'w')
        mkdir(folder, 0777); /* it may be there */
    FILE *const file = fopen(path, mode);
    if (!file && *mode == 'w')
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_SHOW_KERNELS: %s cannot be written", path);
    /* cppcheck-suppress resourceLeak -- the caller closes it */
    return file ? file : stderr;
}

AMP_PRIV_COLD void amp_priv_show_close(FILE *file)
{
    if (file != stderr)
        fclose(file);
}

/* The program as it is sent to the device: numbered for people to read, as it is in a file. */
AMP_PRIV_COLD void amp_priv_show_source(const amp_priv_site *site, const amp_priv_device *device, unsigned form,
                                        const char *text)
{
    if (amp_priv_show_kernels() <= 0)
        return;
    FILE *const out = amp_priv_show_open(site, device, form, "w");
    if (out == stderr) {
        amp_priv_string listing = { NULL, 0, 0, false };
        amp_priv_add_listing(&listing, text, false);
        fprintf(out, "%s kernel in %s, at or near %s:%d, on %s\n%s", "amp:", site->function, site->file, site->line,
                device->path, listing.text ? listing.text : "");
        free(listing.text);
    } else {
        fprintf(out, "%s\n/* for %s: %s */\n", text, device->path, device->description);
    }
    amp_priv_show_close(out);
}

/* The bytes of arguments, at most. */
AMP_PRIV_COLD size_t amp_priv_opencl_argument_bytes(const amp_priv_site *site, void *const *captured, unsigned form)
{
    size_t bytes = site->tiled ? 0 : (size_t)site->rank * sizeof(cl_int) + (site->rank > 3 ? sizeof(cl_ulong) : 0);
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW) {
            const size_t rank = ((const amp_priv_head *)captured[i])->rank, width = form & AMP_PRIV_WIDE ? 8 : 4;
            bytes += sizeof(cl_mem) + (1 + rank) * width + rank * sizeof(cl_int);
        } else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT) {
            bytes += capture->size;
        }
    }
#if defined(AMP_CHECKED)
    bytes += sizeof(cl_mem);
#endif
    return bytes;
}

/* The build log, in new memory; NULL if there is none. */
AMP_PRIV_COLD char *amp_priv_opencl_log(cl_program program, cl_device_id id)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return NULL;
    char *const log = malloc(size + 1);
    if (!log)
        return NULL;
    log[size] = '\0';
    if (clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        log[0] = '\0';
    return log;
}

/* What the device's compiler says of a kernel that it took, or did not. */
AMP_PRIV_COLD void amp_priv_show_log(const amp_priv_site *site, const amp_priv_device *device, unsigned form,
                                     cl_program program)
{
    if (amp_priv_show_kernels() <= 0)
        return;
    char *const log = amp_priv_opencl_log(program, amp_priv_opencl_of(device)->id);
    if (log && log[strspn(log, " \n\r\t")]) {
        FILE *const out = amp_priv_show_open(site, device, form, "a");
        fprintf(out, "%s build log of %s, at or near %s:%d\n%s\n%s", out == stderr ? "amp:" : "/*", site->function,
                site->file, site->line, log, out == stderr ? "" : "*/\n");
        amp_priv_show_close(out);
    }
    free(log);
}

/* Reports a build that failed: hint and log first, then as much of the source as there is room for. */
AMP_PRIV_COLD amp_status amp_priv_opencl_build_failed(const amp_priv_site *site, amp_priv_device *device,
                                                      const char *source, cl_program program, cl_int error)
{
    enum { AMP_PRIV_SOURCE_ROOM = AMP_PRIV_MESSAGE_SIZE - 1024, AMP_PRIV_LOG_ROOM = 6000 };
    char *const log = amp_priv_opencl_log(program, amp_priv_opencl_of(device)->id);
    amp_priv_string listing = { NULL, 0, 0, false }, hint = { NULL, 0, 0, false };
    /* Not every compiler obeys #line (NVIDIA's does not): then the file's name is not in its log. */
    amp_priv_add_listing(&listing, source, !log || !strstr(log, site->file));
    amp_priv_add_hint(&hint, site, log ? log : "");
    const char *shown = listing.text ? listing.text : "";
    const size_t log_length = log ? strlen(log) : 0,
                 log_shown = log_length < AMP_PRIV_LOG_ROOM ? log_length : AMP_PRIV_LOG_ROOM;
    if (listing.length + hint.length + log_shown > AMP_PRIV_SOURCE_ROOM) {
        /* Without the library's part if it is too long. */
        const char *const kernel = strstr(shown, "| __kernel ");
        if (kernel) {
            shown = kernel;
            while (shown > listing.text && shown[-1] != '\n')
                shown--;
        }
        if (amp_priv_log_level() >= AMP_PRIV_LOG_INFO)
            fprintf(stderr, "%s", listing.text ? listing.text : "");
    }
    /* 64-bit atomics are not in the program where the device has none. */
    const bool atomics64 = !device->atomics64 && log && strstr(log, "amp_priv_atomic_");
    if (atomics64)
        amp_priv_adds(&hint, "Hint: this accelerator has no 64-bit atomic operations; use 32-bit elements there.\n");
    const amp_status status =
        amp_priv_report(atomics64 ? AMP_UNSUPPORTED_FEATURE : AMP_COMPILATION_FAILED,
                        "kernel in %s, at or near %s:%d: %s (%s) does not compile it: %s (%d)\n%s---- log ----\n%.*s%s"
                        "---- program (line numbers as in the log) ----\n%s",
                        site->function, site->file, site->line, device->description, device->path,
                        amp_priv_opencl_error_name(error), error, hint.text ? hint.text : "", (int)log_shown,
                        log ? log : "", log_shown && log[log_shown - 1] != '\n' ? "\n" : "", shown);
    free(log);
    free(listing.text);
    free(hint.text);
    return status;
}

/* A built program from what the disk keeps; NULL if it keeps none, or one that does not build. */
AMP_PRIV_COLD cl_program amp_priv_opencl_from_disk(amp_priv_device *device, const char *key, size_t key_length,
                                                   const char *options)
{
    const cl_device_id id = amp_priv_opencl_of(device)->id;
    size_t length = 0;
    int trial;
    unsigned char *const binary = amp_priv_cache_read(key, key_length, &length, &trial);
    if (!binary)
        return NULL;
    const unsigned char *const constant_binary = binary;
    cl_int status = CL_SUCCESS, error = CL_SUCCESS;
    cl_program program =
        clCreateProgramWithBinary(amp_priv_opencl_context(device), 1, &id, &length,
                                  (const unsigned char **)(uintptr_t)&constant_binary, &status, &error);
    free(binary);
    size_t kernels = 0;
    const bool good = error == CL_SUCCESS && status == CL_SUCCESS &&
                      clBuildProgram(program, 1, &id, options, NULL, NULL) == CL_SUCCESS &&
                      clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL) == CL_SUCCESS &&
                      kernels > 0;
    amp_priv_cache_tried(trial, key, key_length, good);
    if (good)
        return program;
    if (error == CL_SUCCESS && program)
        clReleaseProgram(program);
    return NULL;
}

/* Keeps the binary of a kernel that was launched once. */
AMP_PRIV_COLD void amp_priv_opencl_to_disk(cl_program program, const char *key, size_t key_length)
{
    size_t size = 0, after = 0;
    char folder[AMP_PRIV_PATH_SIZE];
    if (!amp_priv_cache_folder(folder))
        return;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || size == 0)
        return;
    unsigned char *binary = malloc(size);
    if (!binary)
        return;
    /* Was it whole when it was read? */
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS &&
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof after, &after, NULL) == CL_SUCCESS && after == size)
        amp_priv_cache_write(key, key_length, binary, size);
    free(binary);
}

/* Is the tile possible on this device? max_threads: of the device, or of one kernel. What a driver says of a kernel is
   no promise (NVIDIA's says 256 where 1,024 work): that counts only once a launch was refused. */
AMP_PRIV_COLD amp_status amp_priv_opencl_check_tile(const amp_priv_site *site, const amp_priv_device *device,
                                                    size_t max_threads, const char *whose)
{
    size_t threads = 1;
    char tile[64];
    for (int d = 0; d < site->rank; d++)
        threads *= (size_t)site->tile[d];
    amp_priv_list(tile, sizeof tile, site->tile, site->rank);
    if (threads > max_threads)
        return amp_priv_report(
            AMP_INVALID_COMPUTE_DOMAIN,
            "kernel in %s, at or near %s:%d: the tile %s has %zu threads, %s on %s is %zu; use a smaller tile",
            site->function, site->file, site->line, tile, threads, whose, device->path, max_threads);
    for (int d = 0; d < site->rank; d++)
        if ((size_t)site->tile[d] > device->max_tile[site->rank - 1 - d])
            return amp_priv_report(
                AMP_INVALID_COMPUTE_DOMAIN,
                "kernel in %s, at or near %s:%d: the tile %s has %d threads in dimension %d, the limit there on %s "
                "is %zu; use a smaller tile",
                site->function, site->file, site->line, tile, site->tile[d], d, device->path,
                device->max_tile[site->rank - 1 - d]);
    return AMP_OK;
}

AMP_PRIV_COLD amp_status amp_priv_opencl_too_much_local(const amp_priv_site *site, const amp_priv_device *device,
                                                        size_t bytes)
{
    return amp_priv_report(
        AMP_UNSUPPORTED_FEATURE,
        "kernel in %s, at or near %s:%d: its tile_static variables take %zu bytes, %s has %zu; use a smaller "
        "tile",
        site->function, site->file, site->line, bytes, device->path, device->local_memory);
}

/* Compiles a kernel, or takes it from the disk. */
AMP_PRIV_COLD amp_status amp_priv_opencl_build(amp_priv_opencl_kernel *kernel, const amp_priv_launch *launch)
{
    const amp_priv_site *const site = launch->site;
    amp_priv_device *const device = launch->queue->device;
    amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
    const uint64_t began = amp_priv_trace_begin();
    if (site->tiled) {
        const amp_status status = amp_priv_opencl_check_tile(site, device, device->max_threads, "the limit");
        if (status != AMP_OK)
            return status;
    }
    const size_t argument_bytes = amp_priv_opencl_argument_bytes(site, launch->captured, kernel->form);

    amp_priv_program program;
    amp_status status = amp_priv_program_make(&program, site, launch->captured, kernel->form, device->atomics64);
    if (status != AMP_OK)
        return status;
    amp_priv_show_source(site, device, kernel->form, program.text);
    if (program.uses_double && !device->double_precision)
        status = amp_priv_report(
            AMP_UNSUPPORTED_FEATURE,
            "kernel in %s, at or near %s:%d: it uses double, which %s (%s) does not have; use float, or another "
            "accelerator",
            site->function, site->file, site->line, device->path, device->description);
    else if (program.tile_static_known && program.tile_static > device->local_memory)
        status = amp_priv_opencl_too_much_local(site, device, program.tile_static);

    /* The key is all that the binary depends on. */
    /* A debugger's device (oclgrind) sees more, and knows all instructions, without optimisation. */
    const char *const options = device->is_debug ? "-cl-std=CL1.2 -cl-opt-disable" : "-cl-std=CL1.2";
    amp_priv_string key = { NULL, 0, 0, false };
    cl_program built = NULL;
    bool from_disk = false;
    const cl_context context = status == AMP_OK ? amp_priv_opencl_context(device) : NULL;
    if (status == AMP_OK && !context)
        status = amp_last_error();
    if (status == AMP_OK) {
        amp_priv_addf(&key, "%s | %s\n", native->identity, options);
        amp_priv_add(&key, program.text, program.length);
        if (!key.failed)
            built = amp_priv_opencl_from_disk(device, key.text, key.length, options);
        from_disk = built != NULL;
    }
    if (status == AMP_OK && !built) {
        cl_int error;
        const char *const text = program.text;
        built = clCreateProgramWithSource(context, 1, (const char **)(uintptr_t)&text, &program.length, &error);
        status = amp_priv_opencl_check(device, "clCreateProgramWithSource", error);
        if (status == AMP_OK) {
            error = clBuildProgram(built, 1, &native->id, options, NULL, NULL);
            if (error == CL_INVALID_BUILD_OPTIONS)
                error = clBuildProgram(built, 1, &native->id, "", NULL, NULL);
            amp_priv_show_log(site, device, kernel->form, built);
            if (error == CL_OUT_OF_HOST_MEMORY)
                status = amp_priv_opencl_report(device, "clBuildProgram", error);
            else if (error != CL_SUCCESS)
                status = amp_priv_opencl_build_failed(site, device, program.text, built, error);
        }
    }
    if (status == AMP_OK) {
        char name[256];
        cl_int error;
        snprintf(name, sizeof name, "amp_%.200s_%d", site->function, site->line);
        kernel->kernel = clCreateKernel(built, name, &error);
        status = amp_priv_opencl_check(device, "clCreateKernel", error);
        /* Many drivers allow more than they promise: only a failure counts. */
        if (status != AMP_OK && argument_bytes > native->max_parameters)
            amp_priv_log(AMP_PRIV_LOG_WARNING,
                         "the captures of the kernel in %s take %zu bytes of arguments, %s promises %zu",
                         site->function, argument_bytes, device->path, native->max_parameters);
    }
    if (status == AMP_OK) {
        cl_ulong local = 0;
        kernel->max_group = 1;
        clGetKernelWorkGroupInfo(kernel->kernel, native->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel->max_group,
                                 &kernel->max_group, NULL);
        clGetKernelWorkGroupInfo(kernel->kernel, native->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
        if (local > device->local_memory)
            status = amp_priv_opencl_too_much_local(site, device, (size_t)local);
    }
    if (status == AMP_OK) {
        kernel->arguments = calloc(1, argument_bytes ? argument_bytes : 1);
        if (!kernel->arguments)
            status = amp_priv_report(AMP_OUT_OF_MEMORY, "kernel in %s, at or near %s:%d: no memory for its arguments",
                                     site->function, site->file, site->line);
    }
    if (status == AMP_OK) {
        kernel->program = built;
        kernel->extents = program.uses_extents;
        if (!from_disk && !key.failed) {
            kernel->key = key.text;
            kernel->key_length = key.length;
            key.text = NULL;
        }
        amp_priv_log(AMP_PRIV_LOG_INFO, "kernel in %s, at or near %s:%d, for %s: %s", site->function, site->file,
                     site->line, device->path, from_disk ? "read from the disk" : "compiled");
        if (began)
            amp_priv_trace_host("compile", "compile ", site->function, from_disk ? "read from the disk" : "compiled",
                                began);
    } else {
        if (kernel->kernel)
            clReleaseKernel(kernel->kernel);
        kernel->kernel = NULL;
        if (built)
            clReleaseProgram(built);
    }
    free(key.text);
    free(program.text);
    return status;
}

/* The record of a site's kernel, new if need be; NULL when there is no memory for one (not reported). */
AMP_PRIV_COLD amp_priv_opencl_kernel *amp_priv_opencl_kernel_new(amp_priv_site *site, int device, unsigned form)
{
    amp_priv_opencl_kernel *const fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    fresh->device = device;
    fresh->form = form;
    pthread_mutex_init(&fresh->lock, NULL);
    void *head = atomic_load(&site->kernels);
    do {
        for (amp_priv_opencl_kernel *k = head; k; k = k->next)
            if (k->device == device && k->form == form) {
                pthread_mutex_destroy(&fresh->lock);
                free(fresh);
                return k; /* another thread was first */
            }
        fresh->next = head;
    } while (!atomic_compare_exchange_weak(&site->kernels, &head, fresh));
    return fresh;
}

static inline amp_priv_opencl_kernel *amp_priv_opencl_kernel_of(amp_priv_site *site, int device, unsigned form)
{
    for (amp_priv_opencl_kernel *k = atomic_load_explicit(&site->kernels, memory_order_acquire); k; k = k->next)
        if (__builtin_expect(k->device == device && k->form == form, 1))
            return k;
    return amp_priv_opencl_kernel_new(site, device, form);
}

/* First use: builds it, with the lock held, and remembers how that went. */
AMP_PRIV_COLD amp_status amp_priv_opencl_kernel_ready(amp_priv_opencl_kernel *kernel, const amp_priv_launch *launch)
{
    if (kernel->state == AMP_PRIV_KERNEL_BAD)
        return amp_priv_report(kernel->status, "%s", kernel->message);
    const amp_status status = amp_priv_opencl_build(kernel, launch);
    if (status == AMP_OK) {
        kernel->state = AMP_PRIV_KERNEL_BUILT;
    } else if (status == AMP_COMPILATION_FAILED || status == AMP_UNSUPPORTED_FEATURE ||
               status == AMP_INVALID_COMPUTE_DOMAIN) {
        const size_t length = strlen(amp_last_error_message());
        kernel->message = malloc(length + 1);
        if (kernel->message) {
            memcpy(kernel->message, amp_last_error_message(), length + 1);
            kernel->status = status;
            kernel->state = AMP_PRIV_KERNEL_BAD;
        }
    }
    return status;
}

/* // >>geometry
   Dimension 0 of OpenCL is the last dimension of ours. A tile is a work-group. Without tiles, the work-group does not
   depend on what divides the extent: the extent is rounded up, and the kernel leaves out what is too much. */

typedef struct amp_priv_geometry {
    size_t global[3], local[3];
    uint64_t lead; /* rank > 3: indices of the flattened leading dimensions in all */
} amp_priv_geometry;

static inline size_t amp_priv_power_of_two(size_t n, size_t limit)
{
    size_t power = 1;
    while (power < n && 2 * power <= limit)
        power *= 2;
    return power;
}

/* max_row, max_group: the most threads of a row and of a work-group. */
static inline amp_priv_geometry amp_priv_geometry_of(int rank, const int *extent, const int *tile, size_t max_row,
                                                     size_t max_group, const size_t max_tile[3])
{
    amp_priv_geometry g = { { 1, 1, 1 }, { 1, 1, 1 }, 1 };
    const int dimensions = rank < 3 ? rank : 3;
    for (int d = 0; d < dimensions; d++)
        g.global[d] = (size_t)extent[rank - 1 - d];
    if (tile) {
        for (int d = 0; d < dimensions; d++)
            g.local[d] = (size_t)tile[rank - 1 - d];
        return g;
    }
    for (int d = 0; d < rank - 2; d++)
        g.lead *= (uint64_t)extent[d];
    if (rank > 3)
        g.global[2] = (size_t)g.lead;
    size_t row = rank == 1 ? max_group : max_row;
    /* Long rows leave out no more than an eighth of an extent. */
    while (rank > 1 && row > 64 && (row - g.global[0] % row) % row > g.global[0] / 8)
        row /= 2;
    g.local[0] = amp_priv_power_of_two(g.global[0], row < max_group ? row : max_group);
    for (int d = 1; d < dimensions; d++) {
        size_t rest = max_group / (g.local[0] * g.local[1] * g.local[2]);
        if (rest > max_tile[d])
            rest = max_tile[d];
        g.local[d] = amp_priv_power_of_two(g.global[d], rest);
    }
    /* What the other dimensions leave, the last one takes. */
    const size_t rest = max_group / (g.local[1] * g.local[2]);
    g.local[0] = amp_priv_power_of_two(g.global[0], rest < max_tile[0] ? rest : max_tile[0]);
    for (int d = 0; d < 3; d++)
        g.global[d] = (g.global[d] + g.local[d] - 1) / g.local[d] * g.local[d];
    return g;
}

/* // >>launch */

/* max_group: of the kernel, when it is there, or of the device. */
static inline amp_priv_geometry amp_priv_opencl_geometry(const amp_priv_launch *launch, size_t max_group)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    const amp_priv_opencl_device *const native = amp_priv_opencl_of(device);
    size_t group = AMP_PRIV_GROUP;
    if (native->is_cpu) {
        uint64_t threads = 1;
        for (int d = 0; d < site->rank && threads < native->large_launch; d++)
            threads *= (uint64_t)launch->extent[d];
        if (threads >= native->large_launch)
            group = AMP_PRIV_GROUP_ON_CPU;
    }
    return amp_priv_geometry_of(site->rank, launch->extent, site->tiled ? site->tile : NULL,
                                native->is_cpu ? group : AMP_PRIV_ROW_ON_GPU, group < max_group ? group : max_group,
                                device->max_tile);
}

/* Have all threads an index? The flattened dimensions of ranks above 3 are not worth the question. */
static inline bool amp_priv_opencl_is_exact(const amp_priv_launch *launch, const amp_priv_geometry *g)
{
    const int rank = launch->site->rank;
    if (rank > 3)
        return false;
    for (int d = 0; d < rank; d++)
        if (g->global[d] != (size_t)launch->extent[rank - 1 - d])
            return false;
    return true;
}

/* Arguments are set where they differ from what the kernel has. */
typedef struct amp_priv_opencl_setting {
    amp_priv_opencl_kernel *kernel;
    cl_uint index;
    size_t used;
    bool all; /* set all of them */
    cl_int error;
} amp_priv_opencl_setting;

static inline void amp_priv_opencl_set(amp_priv_opencl_setting *s, const void *value, size_t size, bool always)
{
    unsigned char *const kept = s->kernel->arguments + s->used;
    if (s->all || always || memcmp(kept, value, size) != 0) {
        if (s->error == CL_SUCCESS)
            s->error = clSetKernelArg(s->kernel->kernel, s->index, size, value);
        memcpy(kept, value, size);
    }
    s->index++;
    s->used += size;
}

/* Views whose last element has a greater offset make the launch use 64-bit offsets. Smaller in tests of those. */
#ifndef AMP_PRIV_NARROW_LIMIT
#define AMP_PRIV_NARROW_LIMIT INT_MAX
#endif

/* Where a view lies in its buffer, in elements, and where the view itself has its shape: copies of it took gcc's
   launches 20 ns each. */
typedef struct amp_priv_opencl_place {
    amp_priv_offset offset;
    int rank;
    const int *extent;
    const amp_priv_offset *stride;
} amp_priv_opencl_place;

/* The element offset of the view's last element, or -1 when the view is not aligned to its elements. */
static inline amp_priv_offset amp_priv_opencl_place_of(const amp_priv_head *head, const char *host,
                                                       amp_priv_opencl_place *place)
{
    const ptrdiff_t bytes = amp_priv_head_data(head) - host, size = (ptrdiff_t)head->element->size;
    place->offset = bytes / size;
    place->rank = head->rank;
    place->extent = amp_priv_head_extent(head);
    place->stride = amp_priv_head_stride(head);
    if (__builtin_expect(place->offset * size != bytes, 0))
        return -1;
    amp_priv_offset last = place->offset;
    for (int d = 0; d < place->rank; d++)
        last += (place->extent[d] - 1) * place->stride[d];
    return last;
}

static inline void amp_priv_opencl_set_offset(amp_priv_opencl_setting *s, amp_priv_offset offset, bool wide)
{
    const cl_long value = offset;
    const cl_int narrow = (cl_int)offset;
    if (wide)
        amp_priv_opencl_set(s, &value, sizeof value, false);
    else
        amp_priv_opencl_set(s, &narrow, sizeof narrow, false);
}

static inline void amp_priv_opencl_set_view(amp_priv_opencl_setting *s, void *buffer,
                                            const amp_priv_opencl_place *place, bool buffers_changed)
{
    const bool wide = (s->kernel->form & AMP_PRIV_WIDE) != 0;
    const cl_mem memory = buffer;
    amp_priv_opencl_set(s, &memory, sizeof memory, buffers_changed);
    if (s->kernel->form & AMP_PRIV_PLACED)
        amp_priv_opencl_set_offset(s, place->offset, wide);
    for (int d = 0; d < place->rank - 1; d++)
        amp_priv_opencl_set_offset(s, place->stride[d], wide);
    for (int d = 0; s->kernel->extents && d < place->rank; d++)
        amp_priv_opencl_set(s, &place->extent[d], sizeof(cl_int), false);
}

/* Sets what differs and enqueues, with the kernel's lock held. */
static inline cl_int amp_priv_opencl_enqueue(amp_priv_opencl_kernel *kernel, const amp_priv_launch *launch,
                                             const amp_priv_opencl_place *places, amp_priv_geometry *g,
                                             const char **call, cl_event *event)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    const unsigned closed = atomic_load_explicit(&amp_priv_opencl_of(device)->closed, memory_order_relaxed);
    amp_priv_opencl_setting s = { kernel, 0, 0, !kernel->set, CL_SUCCESS };
    *call = "clSetKernelArg";
    cl_uint base_index = 0;
    size_t base_used = 0;
    cl_ulong base = 0;
    if (amp_priv_needs_domain(site, kernel->form)) {
        for (int d = 0; d < site->rank; d++) {
            const cl_int extent = launch->extent[d];
            amp_priv_opencl_set(&s, &extent, sizeof extent, false);
        }
        base_index = s.index;
        base_used = s.used;
        if (site->rank > 3)
            amp_priv_opencl_set(&s, &base, sizeof base, false);
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW)
            amp_priv_opencl_set_view(&s, launch->buffer[i], &places[i], kernel->closed != closed);
        else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT)
            amp_priv_opencl_set(&s, launch->captured[i], capture->size, false);
    }
#if defined(AMP_CHECKED)
    amp_priv_opencl_set(&s, &kernel->fault, sizeof kernel->fault, true);
#endif
    kernel->set = s.error == CL_SUCCESS;
    kernel->closed = closed;
    if (s.error != CL_SUCCESS)
        return s.error;

    const cl_command_queue commands = amp_priv_opencl_queue(launch->queue);
    *call = "clEnqueueNDRangeKernel";
    /* No more dimensions than there are: pocl takes 0.4 us longer for three. */
    if (__builtin_expect(site->rank <= 3, 1))
        return clEnqueueNDRangeKernel(commands, kernel->kernel, (cl_uint)site->rank, NULL, g->global, g->local, 0, NULL,
                                      event);

    /* Rank > 3: the flattened dimension may be longer than a launch. The last part's event stands for all. */
    const uint64_t step = (uint64_t)1 << 30;
    for (base = 0; base < g->lead; base += step) {
        amp_priv_opencl_setting again = { kernel, base_index, base_used, false, CL_SUCCESS };
        amp_priv_opencl_set(&again, &base, sizeof base, false);
        if (again.error != CL_SUCCESS)
            return again.error;
        const uint64_t part = g->lead - base < step ? g->lead - base : step;
        g->global[2] = ((size_t)part + g->local[2] - 1) / g->local[2] * g->local[2];
        const cl_int error = clEnqueueNDRangeKernel(commands, kernel->kernel, 3, NULL, g->global, g->local, 0, NULL,
                                                    base + part == g->lead ? event : NULL);
        if (error != CL_SUCCESS)
            return error;
    }
    return CL_SUCCESS;
}

AMP_PRIV_COLD void amp_priv_opencl_show_geometry(const amp_priv_opencl_kernel *kernel, const amp_priv_launch *launch)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_geometry g = amp_priv_opencl_geometry(launch, kernel->max_group);
    char extent[160];
    FILE *const out =
        amp_priv_show_kernels() > 1 ? amp_priv_show_open(site, launch->queue->device, kernel->form, "a") : stderr;
    fprintf(out,
            "%skernel in %s, at or near %s:%d, on %s: extent %s, global size %zu x %zu x %zu, local size %zu x %zu x "
            "%zu%s%s\n",
            out == stderr ? "amp: " : "/* ", site->function, site->file, site->line, launch->queue->device->path,
            amp_priv_list(extent, sizeof extent, launch->extent, site->rank), g.global[0], g.global[1], g.global[2],
            g.local[0], g.local[1], g.local[2], kernel->form & AMP_PRIV_WIDE ? ", 64-bit offsets" : "",
            out == stderr ? "" : " */");
    amp_priv_show_close(out);
}

#if defined(AMP_CHECKED)

/* The record of a launch's faults on the device, empty; NULL after reporting. */
AMP_PRIV_COLD cl_mem amp_priv_opencl_fault_open(amp_priv_device *device)
{
    cl_int none[AMP_PRIV_FAULT_INTS] = { 0 }, error = CL_SUCCESS;
    const cl_context context = amp_priv_opencl_context(device);
    if (!context)
        return NULL;
    const cl_mem fault = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, none, &error);
    return amp_priv_opencl_check(device, "clCreateBuffer", error) == AMP_OK ? fault : NULL;
}

/* Where the kernel was: device ids, which have the last dimension first, as an index or as tile and thread. */
AMP_PRIV_COLD void amp_priv_opencl_fault_at(amp_priv_visit *at, const amp_priv_launch *launch, const cl_int *group,
                                            const cl_int *local, const cl_int *global)
{
    const int rank = launch->site->rank, direct = rank > 3 ? 2 : rank;
    at->rank = rank;
    at->tiled = at->in_phase = launch->site->tiled;
    for (int d = 0; d < direct; d++) {
        const int k = rank - 1 - d;
        at->global[k] = global[d];
        if (at->tiled)
            at->local[k] = local[d];
        if (at->tiled)
            at->tile[k] = group[d];
    }
    int64_t lead = global[2]; /* rank > 3: the leading dimensions in one */
    for (int k = rank - direct - 1; k >= 0; k--) {
        at->global[k] = (int)(lead % launch->extent[k]);
        lead /= launch->extent[k];
    }
}

/* Waits for the kernel, and takes its record over. */
AMP_PRIV_COLD amp_status amp_priv_opencl_fault_read(const amp_priv_launch *launch, cl_mem buffer)
{
    cl_int record[AMP_PRIV_FAULT_INTS];
    const cl_int error = clEnqueueReadBuffer(amp_priv_opencl_queue(launch->queue), buffer, CL_TRUE, 0, sizeof record,
                                             record, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return amp_priv_opencl_report(launch->queue->device, "clEnqueueReadBuffer", error);
    amp_priv_fault *const fault = launch->fault;
    fault->count = (unsigned)record[0];
    if (!fault->count)
        return AMP_OK;
    fault->capture = record[1];
    fault->rank = record[2];
    amp_priv_opencl_fault_at(&fault->at, launch, record + 3, record + 6, record + 9);
    for (int d = 0; d < fault->rank; d++) {
        cl_long index;
        memcpy(&index, record + 12 + 2 * d, sizeof index);
        fault->index[d] = index;
    }
    return AMP_OK;
}

#endif

/* Where the views of a launch lie, and the form of the program which that takes. */
static inline amp_status amp_priv_opencl_find(const amp_priv_launch *launch, amp_priv_opencl_place *places,
                                              unsigned *form)
{
    const amp_priv_site *const site = launch->site;
    *form = 0;
    for (int i = 0; i < site->capture_count; i++) {
        if (site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        const amp_priv_offset last = amp_priv_opencl_place_of(launch->captured[i], launch->host[i], &places[i]);
        if (__builtin_expect(last < 0, 0))
            return amp_priv_report(
                AMP_RUNTIME_ERROR,
                "kernel in %s, at or near %s:%d: the view %s starts in the middle of an element of its type; take "
                "sections so that they start at multiples of it",
                site->function, site->file, site->line, site->captures[i].name);
        if (last > AMP_PRIV_NARROW_LIMIT)
            *form |= AMP_PRIV_WIDE;
        if (places[i].offset != 0)
            *form |= AMP_PRIV_PLACED;
    }
    return AMP_OK;
}

static inline amp_status amp_priv_opencl_launch(const amp_priv_launch *launch)
{
    amp_priv_site *const site = launch->site;
    amp_priv_device *const device = launch->queue->device;
    amp_priv_opencl_place places[AMP_PRIV_MAX_CAPTURES];
    unsigned form;
    const amp_status found = amp_priv_opencl_find(launch, places, &form);
    if (found != AMP_OK)
        return found;

    amp_priv_geometry geometry = amp_priv_opencl_geometry(launch, device->max_threads);
    if (!site->tiled && !amp_priv_opencl_is_exact(launch, &geometry))
        form |= AMP_PRIV_PADDED;
    amp_priv_opencl_kernel *const kernel = amp_priv_opencl_kernel_of(site, device->number, form);
    if (!kernel)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "kernel in %s, at or near %s:%d: no memory for it", site->function,
                               site->file, site->line);
#if defined(AMP_CHECKED)
    const cl_mem fault = amp_priv_opencl_fault_open(device);
    if (!fault)
        return amp_last_error();
#endif
    cl_event done = NULL;
    const char *call = "";
    char *key = NULL;
    size_t key_length = 0;
    cl_int error = CL_SUCCESS;
    amp_priv_lock(&kernel->lock);
    amp_status status = AMP_OK;
    bool first = false;
    if (__builtin_expect(kernel->state != AMP_PRIV_KERNEL_BUILT, 0)) {
        status = amp_priv_opencl_kernel_ready(kernel, launch);
        first = true;
    }
    if (status == AMP_OK) {
#if defined(AMP_CHECKED)
        kernel->fault = fault;
#endif
        const uint64_t began = amp_priv_trace_begin();
        /* Work-groups of fewer threads are smaller powers of two: what was exact remains so. */
        if (__builtin_expect(kernel->max_group < geometry.local[0] * geometry.local[1] * geometry.local[2], 0))
            geometry = amp_priv_opencl_geometry(launch, kernel->max_group);
        error = amp_priv_opencl_enqueue(kernel, launch, places, &geometry, &call, began ? &done : NULL);
        if (__builtin_expect(began != 0, 0) && error == CL_SUCCESS)
            amp_priv_trace_enqueued(launch->queue, site, launch->extent, NULL, amp_priv_launch_bytes(launch), began,
                                    done);
        if (error != CL_SUCCESS)
            kernel->set = false;
        /* pocl compiles the last part of a kernel while it runs it first. Launches that meet there make it abort
           (pocl_release_dlhandle_cache: found->ref_count > 0), and before that its binary is not whole. */
        if (__builtin_expect(first, 0) && error == CL_SUCCESS && amp_priv_opencl_of(device)->is_cpu)
            clFinish(amp_priv_opencl_queue(launch->queue)); /* if it failed, those who wait for results are told */
        if (__builtin_expect(kernel->key != NULL, 0) && error == CL_SUCCESS) {
            key = kernel->key;
            key_length = kernel->key_length;
            kernel->key = NULL;
        }
    }
    amp_priv_unlock(&kernel->lock);
#if defined(AMP_CHECKED)
    if (status == AMP_OK && error == CL_SUCCESS)
        status = amp_priv_opencl_fault_read(launch, fault);
    clReleaseMemObject(fault);
#endif
    if (status != AMP_OK)
        return status;
    if (__builtin_expect(error != CL_SUCCESS, 0)) {
        if (error == CL_INVALID_WORK_GROUP_SIZE && site->tiled)
            status = amp_priv_opencl_check_tile(site, device, kernel->max_group, "the limit for this kernel");
        return status == AMP_OK ? amp_priv_opencl_report(device, call, error) : status;
    }
    if (__builtin_expect(first, 0) && (amp_priv_show_kernels() > 1 || amp_priv_log_level() >= AMP_PRIV_LOG_INFO))
        amp_priv_opencl_show_geometry(kernel, launch);
    if (__builtin_expect(key != NULL, 0)) {
        amp_priv_opencl_to_disk(kernel->program, key, key_length);
        free(key);
    }
    return AMP_OK;
}

/* // >>table */

static inline const amp_priv_backend *amp_priv_opencl_table(void)
{
    static const amp_priv_backend table = {
        .name = "OpenCL",
        .discover = amp_priv_opencl_discover,
        .queue_open = amp_priv_opencl_queue_open,
        .queue_close = amp_priv_opencl_queue_close,
        .queue_flush = amp_priv_opencl_queue_flush,
        .queue_finish = amp_priv_opencl_queue_finish,
        .queue_mark = amp_priv_opencl_queue_mark,
        .queue_after = amp_priv_opencl_queue_after,
        .event_wait = amp_priv_opencl_event_wait,
        .event_done = amp_priv_opencl_event_done,
        .event_release = amp_priv_opencl_event_release,
        .buffer_open = amp_priv_opencl_buffer_open,
        .buffer_close = amp_priv_opencl_buffer_close,
        .write = amp_priv_opencl_write,
        .read = amp_priv_opencl_read,
        .copy = amp_priv_opencl_copy,
        .launch = amp_priv_opencl_launch,
        .host_register = amp_priv_opencl_host_register,
        .host_unregister = amp_priv_opencl_host_unregister,
        .event_times = amp_priv_opencl_event_times,
    };
    return &table;
}

#endif /* AMP_OPENCL_H */
