// SPDX-License-Identifier: MIT
/*  under.c - the layer of under.h. Every wrapper asks fault() first; then it does what the call does. */
#define _GNU_SOURCE 1
#undef _FORTIFY_SOURCE
#include "under.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* ---- the plan -------------------------------------------------------------------------------------- */

/* X(function, codes that it may fail with). Codes that mean "the device is gone" remove it; all others must not. */
#define MEMORY CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES
#define ROOM   MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE
#define GONE   CL_DEVICE_NOT_AVAILABLE
#define UNDER_LIST(X)                                                                                                  \
    X(clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY)                                                                  \
    X(clGetPlatformInfo, CL_OUT_OF_HOST_MEMORY)                                                                        \
    X(clGetDeviceIDs, MEMORY)                                                                     \
    X(clGetDeviceInfo, MEMORY)                                                                                         \
    X(clCreateContext, MEMORY, GONE)                                                                                   \
    X(clRetainContext, MEMORY)                                                                                         \
    X(clReleaseContext, MEMORY)                                                                                        \
    X(clCreateCommandQueue, MEMORY)                                                                                    \
    X(clRetainCommandQueue, MEMORY)                                                                                    \
    X(clReleaseCommandQueue, MEMORY)                                                                                   \
    X(clGetCommandQueueInfo, MEMORY)                                                                                   \
    X(clCreateBuffer, ROOM)                                                                                            \
    X(clCreateImage, ROOM, CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                              \
    X(clRetainMemObject, MEMORY)                                                                                       \
    X(clReleaseMemObject, MEMORY)                                                                                      \
    X(clGetMemObjectInfo, MEMORY)                                                                                      \
    X(clCreateProgramWithSource, MEMORY)                                                                               \
    X(clCreateProgramWithBinary, MEMORY, CL_INVALID_BINARY)                                                            \
    X(clBuildProgram, MEMORY, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_OPERATION, CL_COMPILER_NOT_AVAILABLE)               \
    X(clReleaseProgram, MEMORY)                                                                                        \
    X(clGetProgramInfo, MEMORY)                                                                                        \
    X(clGetProgramBuildInfo, MEMORY)                                                                                   \
    X(clCreateKernel, MEMORY)                                                                                          \
    X(clReleaseKernel, MEMORY)                                                                                         \
    X(clSetKernelArg, MEMORY)                                                                                          \
    X(clGetKernelWorkGroupInfo, MEMORY)                                                                                \
    X(clEnqueueNDRangeKernel, ROOM, GONE, CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_KERNEL_ARGS)                          \
    X(clEnqueueReadBuffer, ROOM, GONE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                   \
    X(clEnqueueReadBufferRect, ROOM, GONE)                                                                             \
    X(clEnqueueWriteBuffer, ROOM, GONE)                                                                                \
    X(clEnqueueWriteBufferRect, ROOM, GONE)                                                                            \
    X(clEnqueueCopyBuffer, ROOM, GONE)                                                                                 \
    X(clEnqueueCopyBufferToImage, ROOM, GONE)                                                                          \
    X(clEnqueueCopyBufferRect, ROOM, GONE)                                                                             \
    X(clEnqueueMapBuffer, ROOM, CL_MAP_FAILURE)                                                                        \
    X(clEnqueueUnmapMemObject, MEMORY)                                                                                 \
    X(clEnqueueMarkerWithWaitList, ROOM)                                                                               \
    X(clEnqueueBarrierWithWaitList, ROOM)                                                                              \
    X(clFlush, MEMORY)                                                                                                 \
    X(clFinish, MEMORY)                                                                                                \
    X(clWaitForEvents, MEMORY, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                           \
    X(clGetEventInfo, MEMORY)                                                                                          \
    X(clGetEventProfilingInfo, MEMORY, CL_PROFILING_INFO_NOT_AVAILABLE)                                                \
    X(clRetainEvent, MEMORY)                                                                                           \
    X(clReleaseEvent, MEMORY)                                                                                          \
    X(malloc, ENOMEM)                                                                                                  \
    X(calloc, ENOMEM)                                                                                                  \
    X(realloc, ENOMEM)                                                                                                 \
    X(aligned_alloc, ENOMEM)                                                                                           \
    X(open, EACCES, EMFILE, ENOSPC)                                                                                    \
    X(close, EIO)                                                                                                      \
    X(read, EIO, EINTR, UNDER_SHORT)                                                                                   \
    X(write, ENOSPC, EINTR, UNDER_SHORT)                                                                               \
    X(fstat, EIO)                                                                                                      \
    X(stat, EACCES)                                                                                                    \
    X(mkdir, EACCES, ENOSPC)                                                                                           \
    X(rename, EXDEV, ENOSPC)                                                                                           \
    X(unlink, EACCES)                                                                                                  \
    X(fdopen, ENOMEM)                                                                                                  \
    X(fclose, ENOSPC)                                                                                                  \
    X(pthread_create, EAGAIN)

#define NUMBER(name, ...) F_##name,
enum { UNDER_LIST(NUMBER) F_COUNT };

typedef struct function {
    const char *name;
    int codes[8];
} function;

#define ENTRY(name, ...) { #name, { __VA_ARGS__ } },
static const function functions[] = { UNDER_LIST(ENTRY) };

static under_plan plan = { .function = UNDER_NONE };
static atomic_bool is_on, freed_in_use;
static atomic_uint calls[F_COUNT], opencl_calls, failed;
static atomic_long live[UNDER_KINDS];
static atomic_ulong launches;

int under_functions(void) { return F_COUNT; }
const char *under_name(int number) { return number == UNDER_ALL ? "all of OpenCL" : functions[number].name; }
unsigned under_calls(int number) { return number == UNDER_ALL ? opencl_calls : calls[number]; }
bool under_on(bool on) { return atomic_exchange(&is_on, on); }
unsigned under_failed(void) { return failed; }
long under_live(int kind) { return live[kind]; }
unsigned long under_launches(void) { return launches; }
bool under_freed_in_use(void) { return freed_in_use; }

const int *under_codes(int number, int *count)
{
    static const int all[] = { CL_OUT_OF_HOST_MEMORY };
    const int *const codes = number == UNDER_ALL ? all : functions[number].codes;
    const int most = number == UNDER_ALL ? 1 : 8;
    for (*count = 0; *count < most && codes[*count] != 0;)
        ++*count;
    return codes;
}

const char *under_kind(int kind)
{
    static const char *const names[] = {
        "context", "queue", "buffer", "program", "kernel", "event", "block of memory"
    };
    return names[kind];
}

void under_begin(const under_plan *next)
{
    is_on = false;
    freed_in_use = false;
    for (int f = 0; f < F_COUNT; f++)
        calls[f] = 0;
    opencl_calls = failed = 0;
    plan = next ? *next : (under_plan){ .function = UNDER_NONE };
}

/* Does this call of a function fail? The code, 0: it does not. */
static int fault(int number)
{
    if (!is_on)
        return 0;
    const bool opencl = number <= F_clReleaseEvent;
    unsigned call = atomic_fetch_add(&calls[number], 1) + 1;
    const unsigned any = opencl ? atomic_fetch_add(&opencl_calls, 1) + 1 : 0;
    if (plan.function == UNDER_ALL && opencl)
        call = any;
    else if (plan.function != number)
        return 0;
    if (call != plan.call && !(plan.on && call > plan.call))
        return 0;
    failed++;
    return plan.code;
}

/* The same for what sets errno: true, and errno is set. */
static bool fault_errno(int number)
{
    const int code = fault(number);
    if (code)
        errno = code;
    return code != 0;
}

/* ---- commands that are held back ------------------------------------------------------------------- */

cl_int __real_clReleaseEvent(cl_event);
cl_int __real_clRetainCommandQueue(cl_command_queue);
cl_int __real_clReleaseCommandQueue(cl_command_queue);

/* What is enqueued waits for the gate, which opens when somebody waits, and stays open as long. A new one is made for
   the next command. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    cl_context context;
    cl_event event;
} gates[32];
static int gate_count, waiting;

static void open_gates(void)
{
    for (int i = 0; i < gate_count; i++) {
        clSetUserEventStatus(gates[i].event, CL_COMPLETE);
        __real_clReleaseEvent(gates[i].event);
    }
    gate_count = 0;
}

static void open_all(void)
{
    pthread_mutex_lock(&gate_lock);
    open_gates();
    pthread_mutex_unlock(&gate_lock);
}

static void wait_begin(void)
{
    pthread_mutex_lock(&gate_lock);
    waiting++;
    open_gates();
    pthread_mutex_unlock(&gate_lock);
}

static void wait_end(void)
{
    pthread_mutex_lock(&gate_lock);
    waiting--;
    pthread_mutex_unlock(&gate_lock);
}

cl_int __real_clGetCommandQueueInfo(cl_command_queue, cl_command_queue_info, size_t, void *, size_t *);
cl_int __real_clEnqueueBarrierWithWaitList(cl_command_queue, cl_uint, const cl_event *, cl_event *);

/* Before a command that does not wait itself. */
static void hold_back(cl_command_queue queue)
{
    cl_context context = NULL;
    cl_event event = NULL;
    __real_clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    pthread_mutex_lock(&gate_lock);
    if (waiting == 0) {
        for (int i = 0; i < gate_count; i++)
            if (gates[i].context == context)
                event = gates[i].event;
        if (!event && gate_count < 32 && (event = clCreateUserEvent(context, NULL)) != NULL) {
            gates[gate_count].context = context;
            gates[gate_count++].event = event;
        }
        if (event)
            __real_clEnqueueBarrierWithWaitList(queue, 1, &event, NULL);
    }
    pthread_mutex_unlock(&gate_lock);
}

/* ---- memory that buffers are ----------------------------------------------------------------------- */

enum { MOST_RANGES = 4096 };
static pthread_mutex_t range_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool taken;
    const char *first, *end;
} ranges[MOST_RANGES];

static void CL_CALLBACK range_ends(cl_mem memory, void *slot)
{
    (void)memory;
    pthread_mutex_lock(&range_lock);
    ranges[(size_t)(uintptr_t)slot].first = NULL;
    ranges[(size_t)(uintptr_t)slot].taken = false;
    pthread_mutex_unlock(&range_lock);
}

static void range_begins(cl_mem memory, const void *host, size_t bytes)
{
    pthread_mutex_lock(&range_lock);
    size_t i = 0;
    while (i < MOST_RANGES && ranges[i].taken)
        i++;
    if (i < MOST_RANGES) {
        ranges[i].taken = true;
        ranges[i].first = host;
        ranges[i].end = (const char *)host + bytes;
    }
    pthread_mutex_unlock(&range_lock);
    if (i < MOST_RANGES)
        clSetMemObjectDestructorCallback(memory, range_ends, (void *)(uintptr_t)i);
}

static bool is_in_range(const char *memory, size_t bytes)
{
    bool found = false;
    pthread_mutex_lock(&range_lock);
    for (size_t i = 0; i < MOST_RANGES && !found; i++)
        found = ranges[i].first && ranges[i].first < memory + bytes && memory < ranges[i].end;
    pthread_mutex_unlock(&range_lock);
    return found;
}

bool under_in_use(const void *memory, size_t bytes)
{
    const struct timespec moment = { 0, 500000 };
    for (int i = 0; i < 400; i++) {
        if (!is_in_range(memory, bytes))
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

/* The queues there are. */
enum { MOST_QUEUES = 256 };
static cl_command_queue queues[MOST_QUEUES];
cl_int __real_clFinish(cl_command_queue);

static void note_queue(cl_command_queue queue)
{
    pthread_mutex_lock(&gate_lock);
    for (int i = 0; i < MOST_QUEUES; i++)
        if (!queues[i]) {
            queues[i] = queue;
            __real_clRetainCommandQueue(queue);
            break;
        }
    pthread_mutex_unlock(&gate_lock);
}

void under_finish(void)
{
    open_all();
    for (int i = 0; i < MOST_QUEUES; i++)
        if (queues[i]) {
            cl_uint references = 0;
            __real_clFinish(queues[i]);
            __real_clGetCommandQueueInfo(queues[i], CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL);
            if (references == 1) { /* ours */
                __real_clReleaseCommandQueue(queues[i]);
                queues[i] = NULL;
            }
        }
    pthread_mutex_lock(&range_lock);
    for (int i = 0; i < MOST_RANGES; i++)
        ranges[i].first = NULL;
    pthread_mutex_unlock(&range_lock);
}

/* ---- OpenCL: questions, and what only counts ------------------------------------------------------- */

#define ASKS(name, parameters, arguments)                                                                              \
    cl_int __real_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        const int code = fault(F_##name);                                                                              \
        return code ? code : __real_##name arguments;                                                                  \
    }
#define INFO(name, type, what)                                                                                         \
    ASKS(name, (type object, what parameter, size_t size, void *value, size_t *got),                                   \
         (object, parameter, size, value, got))

ASKS(clGetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
ASKS(clGetDeviceIDs, (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *ids, cl_uint *count),
     (platform, type, room, ids, count))
INFO(clGetPlatformInfo, cl_platform_id, cl_platform_info)
INFO(clGetDeviceInfo, cl_device_id, cl_device_info)
INFO(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
INFO(clGetMemObjectInfo, cl_mem, cl_mem_info)
INFO(clGetProgramInfo, cl_program, cl_program_info)
INFO(clGetEventProfilingInfo, cl_event, cl_profiling_info)
ASKS(clGetProgramBuildInfo,
     (cl_program object, cl_device_id id, cl_program_build_info what, size_t size, void *value, size_t *got),
     (object, id, what, size, value, got))
ASKS(clGetKernelWorkGroupInfo,
     (cl_kernel object, cl_device_id id, cl_kernel_work_group_info what, size_t size, void *value, size_t *got),
     (object, id, what, size, value, got))
ASKS(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))
ASKS(clBuildProgram,
     (cl_program program, cl_uint count, const cl_device_id *ids, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *user),
     (program, count, ids, options, notify, user))
ASKS(clFlush, (cl_command_queue queue), (queue))

/* A question for a command's state that is asked again and again is a wait, too. */
cl_int __real_clGetEventInfo(cl_event, cl_event_info, size_t, void *, size_t *);
cl_int __wrap_clGetEventInfo(cl_event, cl_event_info, size_t, void *, size_t *);
cl_int __wrap_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *got)
{
    static _Thread_local cl_event last;
    static _Thread_local int times;
    const int code = fault(F_clGetEventInfo);
    if (code)
        return code;
    if (what == CL_EVENT_COMMAND_EXECUTION_STATUS) {
        times = event == last ? times + 1 : 1;
        last = event;
        if (times > 20)
            open_all();
    }
    return __real_clGetEventInfo(event, what, size, value, got);
}

/* ---- OpenCL: objects ------------------------------------------------------------------------------- */

/* What cannot be released is given back all the same: a driver that says so keeps nothing for us. */
#define OWNS(kind, retain, release, type)                                                                              \
    cl_int __real_##retain(type);                                                                                      \
    cl_int __wrap_##retain(type);                                                                                      \
    cl_int __wrap_##retain(type object)                                                                                \
    {                                                                                                                  \
        const int code = fault(F_##retain);                                                                            \
        if (code)                                                                                                      \
            return code;                                                                                               \
        live[kind]++;                                                                                                  \
        return __real_##retain(object);                                                                                \
    }                                                                                                                  \
    RELEASES(kind, release, type)
#define RELEASES(kind, release, type)                                                                                  \
    cl_int __real_##release(type);                                                                                     \
    cl_int __wrap_##release(type);                                                                                     \
    cl_int __wrap_##release(type object)                                                                               \
    {                                                                                                                  \
        const int code = fault(F_##release);                                                                           \
        live[kind]--;                                                                                                  \
        if (kind == UNDER_QUEUE)                                                                                       \
            open_all(); /* some drivers wait here */                                                                   \
        const cl_int error = __real_##release(object);                                                                 \
        return code ? code : error;                                                                                    \
    }
OWNS(UNDER_CONTEXT, clRetainContext, clReleaseContext, cl_context)
OWNS(UNDER_BUFFER, clRetainMemObject, clReleaseMemObject, cl_mem)
OWNS(UNDER_EVENT, clRetainEvent, clReleaseEvent, cl_event)
RELEASES(UNDER_PROGRAM, clReleaseProgram, cl_program)
RELEASES(UNDER_KERNEL, clReleaseKernel, cl_kernel)

OWNS(UNDER_QUEUE, clRetainCommandQueue, clReleaseCommandQueue, cl_command_queue)

#define MAKES(kind, type, name, parameters, arguments, ...)                                                            \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        const int code = fault(F_##name);                                                                              \
        if (code) {                                                                                                    \
            if (error)                                                                                                 \
                *error = code;                                                                                         \
            return NULL;                                                                                               \
        }                                                                                                              \
        const type made = __real_##name arguments;                                                                     \
        if (made)                                                                                                      \
            live[kind]++;                                                                                              \
        __VA_ARGS__                                                                                                    \
        return made;                                                                                                   \
    }
MAKES(UNDER_CONTEXT, cl_context, clCreateContext,
      (const cl_context_properties *properties, cl_uint count, const cl_device_id *ids,
       void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error),
      (properties, count, ids, notify, user, error), )
MAKES(UNDER_QUEUE, cl_command_queue, clCreateCommandQueue,
      (cl_context context, cl_device_id id, cl_command_queue_properties properties, cl_int *error),
      (context, id, properties, error), if (made) note_queue(made);)
MAKES(UNDER_BUFFER, cl_mem, clCreateBuffer,
      (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error),
      (context, flags, bytes, host, error), if (made && (flags & CL_MEM_USE_HOST_PTR)) range_begins(made, host, bytes);)
MAKES(UNDER_BUFFER, cl_mem, clCreateImage,
      (cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *about, void *host,
       cl_int *error),
      (context, flags, format, about, host, error), )
MAKES(UNDER_PROGRAM, cl_program, clCreateProgramWithSource,
      (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *error),
      (context, count, texts, lengths, error), )
MAKES(UNDER_PROGRAM, cl_program, clCreateProgramWithBinary,
      (cl_context context, cl_uint count, const cl_device_id *ids, const size_t *lengths,
       const unsigned char **binaries, cl_int *states, cl_int *error),
      (context, count, ids, lengths, binaries, states, error), )
MAKES(UNDER_KERNEL, cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error),
      (program, name, error), )

/* ---- OpenCL: commands ------------------------------------------------------------------------------ */

#define ENQUEUES(name, parameters, arguments, ...)                                                                     \
    cl_int __real_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        const int code = fault(F_##name);                                                                              \
        if (code)                                                                                                      \
            return code;                                                                                               \
        __VA_ARGS__                                                                                                    \
        hold_back(queue);                                                                                              \
        const cl_int error = __real_##name arguments;                                                                  \
        if (error == CL_SUCCESS && event)                                                                              \
            live[UNDER_EVENT]++;                                                                                       \
        return error;                                                                                                  \
    }
ENQUEUES(clEnqueueNDRangeKernel,
         (cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t *offset, const size_t *global,
          const size_t *local, cl_uint count, const cl_event *after, cl_event *event),
         (queue, kernel, rank, offset, global, local, count, after, event), launches++;)
ENQUEUES(clEnqueueCopyBuffer,
         (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t there, size_t bytes, cl_uint count,
          const cl_event *after, cl_event *event),
         (queue, from, to, at, there, bytes, count, after, event), )
ENQUEUES(clEnqueueCopyBufferRect,
         (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *at, const size_t *there, const size_t *region,
          size_t row, size_t slice, size_t to_row, size_t to_slice, cl_uint count, const cl_event *after,
          cl_event *event),
         (queue, from, to, at, there, region, row, slice, to_row, to_slice, count, after, event), )
ENQUEUES(clEnqueueCopyBufferToImage,
         (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, const size_t *there, const size_t *region,
          cl_uint count, const cl_event *after, cl_event *event),
         (queue, from, to, at, there, region, count, after, event), )
ENQUEUES(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *after, cl_event *event),
         (queue, count, after, event), )
ENQUEUES(clEnqueueBarrierWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *after, cl_event *event),
         (queue, count, after, event), )
ENQUEUES(clEnqueueUnmapMemObject,
         (cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count, const cl_event *after, cl_event *event),
         (queue, memory, mapped, count, after, event), )

/* Those that wait. */
#define WAITS(name, parameters, arguments)                                                                             \
    cl_int __real_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters;                                                                                   \
    cl_int __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        const int code = fault(F_##name);                                                                              \
        if (code)                                                                                                      \
            return code;                                                                                               \
        wait_begin();                                                                                                  \
        const cl_int error = __real_##name arguments;                                                                  \
        wait_end();                                                                                                    \
        WAITED                                                                                                         \
        return error;                                                                                                  \
    }
#define WAITED
WAITS(clFinish, (cl_command_queue queue), (queue))
WAITS(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
#undef WAITED
#define WAITED                                                                                                         \
    if (error == CL_SUCCESS && event)                                                                                  \
        live[UNDER_EVENT]++;
WAITS(clEnqueueReadBuffer,
      (cl_command_queue queue, cl_mem from, cl_bool blocking, size_t at, size_t bytes, void *to, cl_uint count,
       const cl_event *after, cl_event *event),
      (queue, from, blocking, at, bytes, to, count, after, event))
WAITS(clEnqueueWriteBuffer,
      (cl_command_queue queue, cl_mem to, cl_bool blocking, size_t at, size_t bytes, const void *from, cl_uint count,
       const cl_event *after, cl_event *event),
      (queue, to, blocking, at, bytes, from, count, after, event))
WAITS(clEnqueueReadBufferRect,
      (cl_command_queue queue, cl_mem from, cl_bool blocking, const size_t *at, const size_t *there,
       const size_t *region, size_t row, size_t slice, size_t to_row, size_t to_slice, void *to, cl_uint count,
       const cl_event *after, cl_event *event),
      (queue, from, blocking, at, there, region, row, slice, to_row, to_slice, to, count, after, event))
WAITS(clEnqueueWriteBufferRect,
      (cl_command_queue queue, cl_mem to, cl_bool blocking, const size_t *at, const size_t *there, const size_t *region,
       size_t row, size_t slice, size_t from_row, size_t from_slice, const void *from, cl_uint count,
       const cl_event *after, cl_event *event),
      (queue, to, blocking, at, there, region, row, slice, from_row, from_slice, from, count, after, event))

void *__real_clEnqueueMapBuffer(cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint,
                                const cl_event *, cl_event *, cl_int *);
void *__wrap_clEnqueueMapBuffer(cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint,
                                const cl_event *, cl_event *, cl_int *);
void *__wrap_clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t at,
                                size_t bytes, cl_uint count, const cl_event *after, cl_event *event, cl_int *error)
{
    const int code = fault(F_clEnqueueMapBuffer);
    if (code) {
        *error = code;
        return NULL;
    }
    wait_begin();
    void *const mapped =
        __real_clEnqueueMapBuffer(queue, memory, blocking, flags, at, bytes, count, after, event, error);
    wait_end();
    return mapped;
}

/* ---- the heap -------------------------------------------------------------------------------------- */

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void *__wrap_aligned_alloc(size_t, size_t);
void __wrap_free(void *);

static void *counted(void *block)
{
    if (block)
        live[UNDER_BLOCK]++;
    return block;
}

void *__wrap_malloc(size_t bytes) { return fault_errno(F_malloc) ? NULL : counted(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fault_errno(F_calloc) ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
    if (fault_errno(F_realloc))
        return NULL;
    void *const grown = __real_realloc(block, bytes);
    return block ? grown : counted(grown);
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return fault_errno(F_aligned_alloc) ? NULL : counted(__real_aligned_alloc(align, bytes));
}

void __wrap_free(void *block)
{
    if (!block)
        return;
    live[UNDER_BLOCK]--;
    if (is_in_range(block, 1) && under_in_use(block, 1))
        freed_in_use = true; /* and is kept, so that what else happens can be seen */
    else
        __real_free(block);
}

/* ---- files ----------------------------------------------------------------------------------------- */

int __real_open(const char *, int, ...);
int __wrap_open(const char *, int, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fault_errno(F_open) ? -1 : __real_open(path, flags, mode);
}

#define MOVES(name, pointer)                                                                                           \
    ssize_t __real_##name(int, pointer, size_t);                                                                       \
    ssize_t __wrap_##name(int, pointer, size_t);                                                                       \
    ssize_t __wrap_##name(int file, pointer bytes, size_t count)                                                       \
    {                                                                                                                  \
        const int code = fault(F_##name);                                                                              \
        if (code == UNDER_SHORT)                                                                                       \
            return __real_##name(file, bytes, count > 1 ? count / 2 : count);                                          \
        errno = code;                                                                                                  \
        return code ? -1 : __real_##name(file, bytes, count);                                                          \
    }
MOVES(read, void *)
MOVES(write, const void *)

#define SAYS(name, parameters, arguments)                                                                              \
    int __real_##name parameters;                                                                                      \
    int __wrap_##name parameters;                                                                                      \
    int __wrap_##name parameters { return fault_errno(F_##name) ? -1 : __real_##name arguments; }
SAYS(fstat, (int file, struct stat *about), (file, about))
SAYS(stat, (const char *path, struct stat *about), (path, about))
SAYS(mkdir, (const char *path, mode_t mode), (path, mode))
SAYS(rename, (const char *from, const char *to), (from, to))
SAYS(unlink, (const char *path), (path))

/* A file that cannot be closed well is closed. */
#define CLOSES(name, type)                                                                                             \
    int __real_##name(type);                                                                                           \
    int __wrap_##name(type);                                                                                           \
    int __wrap_##name(type file)                                                                                       \
    {                                                                                                                  \
        const int code = fault(F_##name), result = __real_##name(file);                                                \
        errno = code;                                                                                                  \
        return code ? EOF : result;                                                                                    \
    }
CLOSES(close, int)
CLOSES(fclose, FILE *)

FILE *__real_fdopen(int, const char *);
FILE *__wrap_fdopen(int, const char *);
FILE *__wrap_fdopen(int file, const char *mode) { return fault_errno(F_fdopen) ? NULL : __real_fdopen(file, mode); }

/* ---- threads --------------------------------------------------------------------------------------- */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    const int code = fault(F_pthread_create);
    return code ? code : __real_pthread_create(thread, attributes, run, argument);
}

/* Threads that wait for work do not wait long: each program starts them anew. */
int __real_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
    (void)until;
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    soon.tv_sec += soon.tv_nsec / 1000000000;
    soon.tv_nsec %= 1000000000;
    return __real_pthread_cond_timedwait(condition, lock, &soon);
}
