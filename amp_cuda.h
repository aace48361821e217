/* SPDX-License-Identifier: MIT */
/*  amp_cuda.h - the CUDA backend: implements queues, buffers, programs and kernels of amp/device/backend.h.
    Only this file and amp/backends/cuda_*.h know CUDA's interface, which amp/backends/cuda_api.h declares.

    It calls the driver, and NVRTC for kernels that are not in the cache. It uses the primary context of a device, as
    the CUDA runtime does. Queues are streams. A call restores the current context of the thread; a thread without one
    keeps the library's. Nothing is released when the program ends, because the driver may be unloaded by then.

    Contents (search for the tag):
        >>queue  >>event  >>buffer  >>transfer  >>image  >>program  >>launch  >>graph
        >>table */
#ifndef AMP_CUDA_H
#define AMP_CUDA_H

#include "amp/device/extensions.h"
#include "amp/device/future.h"
#include "amp/backends/cuda_device.h"
#include "amp/launch/kernel_launch.h"

/* // >>queue: a stream, the library's or the user's. */

static inline amp_cu_stream amp_priv_cuda_stream(const amp_priv_queue *queue) { return queue->native; }

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_queue_open(amp_priv_queue *queue)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    return AMP_PRIV_CUDA_CALL(StreamCreate, (amp_cu_stream *)(void *)&queue->native, AMP_CU_STREAM_NON_BLOCKING);
}

AMP_PRIV_COLD void amp_priv_cuda_queue_close(amp_priv_queue *queue)
{
    AMP_PRIV_CUDA_IN(queue->device, );
    amp_priv_cu.StreamDestroy(amp_priv_cuda_stream(queue));
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_queue_finish(amp_priv_queue *queue)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    return AMP_PRIV_CUDA_CALL(StreamSynchronize, amp_priv_cuda_stream(queue));
}

/* // >>event: an amp_priv_cuda_event. */

AMP_PRIV_COLD void amp_priv_cuda_mark_drop(amp_priv_cuda_mark *mark)
{
    if (!mark || atomic_fetch_sub(&mark->users, 1) > 1)
        return;
    amp_priv_cu.EventDestroy(mark->event);
    free(mark);
}

/* NULL: that fails. */
AMP_PRIV_COLD amp_priv_cuda_mark *amp_priv_cuda_mark_new(void)
{
    amp_priv_cuda_mark *const mark = calloc(1, sizeof *mark);
    if (mark && amp_priv_cu.EventCreate(&mark->event, AMP_CU_EVENT_DEFAULT) == AMP_CU_SUCCESS) {
        atomic_init(&mark->users, 1);
        return mark;
    }
    free(mark);
    return NULL;
}

/* Gives an event up. */
AMP_PRIV_COLD void amp_priv_cuda_event_drop(void **event)
{
    amp_priv_cuda_event *const e = *event;
    if (e && e->end && !e->after)
        amp_priv_cu.EventDestroy(e->end);
    if (e) {
        amp_priv_cuda_mark_drop(e->before);
        amp_priv_cuda_mark_drop(e->after);
    }
    free(e);
    *event = NULL;
}

static inline void amp_priv_cuda_event_release(amp_priv_device *device, void *event)
{
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cuda_event_drop(&event);
}

/* *event is new, or (where that fails) NULL. The driver keeps a pool of its own: it takes 0.2 us. */
AMP_PRIV_COLD int amp_priv_cuda_event_new(void **event)
{
    amp_priv_cuda_event *const e = *event = calloc(1, sizeof *e);
    const int error = e ? amp_priv_cu.EventCreate(&e->end, AMP_CU_EVENT_DISABLE_TIMING) : AMP_CU_OUT_OF_MEMORY;
    if (error != AMP_CU_SUCCESS)
        amp_priv_cuda_event_drop(event);
    return error;
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_event_record(amp_priv_queue *queue, void **event)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    int error = amp_priv_cuda_event_new(event);
    error = error ? error : amp_priv_cu.EventRecord(((amp_priv_cuda_event *)*event)->end, amp_priv_cuda_stream(queue));
    if (error != AMP_CU_SUCCESS)
        amp_priv_cuda_event_drop(event);
    return amp_priv_cuda_result("cuEventRecord", error);
}

/* The last command, of that queue, ends at a mark, which has a user more then; or is not timed (NULL). */
AMP_PRIV_COLD void amp_priv_cuda_last(const amp_priv_queue *queue, amp_priv_cuda_mark *mark)
{
    amp_priv_cuda_device *const native = amp_priv_cuda_of(queue->device);
    if (mark)
        atomic_fetch_add(&mark->users, 1);
    amp_priv_lock(&native->lock);
    amp_priv_cuda_mark *const old = atomic_exchange(&native->last, mark);
    native->last_queue = queue->number;
    amp_priv_unlock(&native->lock);
    amp_priv_cuda_mark_drop(old);
}

/* A command that is not timed comes into a queue: the next one does not follow a timed one. */
static inline void amp_priv_cuda_untimed(const amp_priv_queue *queue)
{
    if (__builtin_expect(atomic_load_explicit(&amp_priv_cuda_of(queue->device)->last, memory_order_relaxed) != NULL, 0))
        amp_priv_cuda_last(queue, NULL);
}

/* Where the command before the next one of a queue ends, if that runs still and was timed; else NULL. */
AMP_PRIV_COLD amp_priv_cuda_mark *amp_priv_cuda_follows(const amp_priv_queue *queue)
{
    amp_priv_cuda_device *const native = amp_priv_cuda_of(queue->device);
    amp_priv_lock(&native->lock);
    amp_priv_cuda_mark *mark = native->last_queue == queue->number ? atomic_load(&native->last) : NULL;
    if (mark && (queue->borrowed || atomic_load(&native->lent)))
        mark = NULL;
    if (mark)
        atomic_fetch_add(&mark->users, 1);
    amp_priv_unlock(&native->lock);
    if (!mark || amp_priv_cu.EventQuery(mark->event) != AMP_CU_SUCCESS)
        return mark;
    amp_priv_cuda_mark_drop(mark);
    return NULL;
}

/* Before and after a command that is timed, where somebody asks: *event is NULL, or becomes its event. */
AMP_PRIV_COLD void amp_priv_cuda_time_begin(amp_priv_queue *queue, void **event)
{
    amp_priv_cuda_event *const e = event ? *event = calloc(1, sizeof *e) : NULL;
    if (!e) {
        amp_priv_cuda_untimed(queue);
        return;
    }
    e->queued = amp_priv_now();
    e->before = amp_priv_cuda_follows(queue);
    const bool follows = e->before != NULL;
    e->before = follows ? e->before : amp_priv_cuda_mark_new();
    e->after = amp_priv_cuda_mark_new();
    if (!e->before || !e->after) {
        amp_priv_cuda_event_drop(event);
        return;
    }
    e->end = e->after->event;
    if (!follows)
        amp_priv_cu.EventRecord(e->before->event, amp_priv_cuda_stream(queue));
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_time_end(amp_priv_queue *queue, void **event, const char *call, int error)
{
    const amp_priv_cuda_event *const e = event ? *event : NULL;
    const bool good = e && !error && amp_priv_cu.EventRecord(e->end, amp_priv_cuda_stream(queue)) == AMP_CU_SUCCESS;
    if (good)
        amp_priv_cuda_last(queue, e->after);
    else
        amp_priv_cuda_untimed(queue);
    if (e && !good)
        amp_priv_cuda_event_drop(event);
    return amp_priv_cuda_result(call, error);
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_queue_wait_event(amp_priv_queue *queue, void *event)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_cuda_untimed(queue);
    return AMP_PRIV_CUDA_CALL(StreamWaitEvent, amp_priv_cuda_stream(queue), ((amp_priv_cuda_event *)event)->end, 0);
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_event_wait(amp_priv_device *device, void *event)
{
    AMP_PRIV_CUDA_IN(device, entered);
    return AMP_PRIV_CUDA_CALL(EventSynchronize, ((amp_priv_cuda_event *)event)->end);
}

/* A command that failed is done, too; then the device is removed, and calls that need its results fail. */
static inline bool amp_priv_cuda_event_done(amp_priv_device *device, void *event)
{
    AMP_PRIV_CUDA_IN(device, entered.status == AMP_ACCELERATOR_VIEW_REMOVED);
    const amp_priv_result result = AMP_PRIV_CUDA_CALL(EventQuery, ((amp_priv_cuda_event *)event)->end);
    if (__builtin_expect(result.status == AMP_ACCELERATOR_VIEW_REMOVED, 0))
        amp_priv_device_mark_lost(device, result.by_kernel);
    return result.status == AMP_OK || result.status == AMP_ACCELERATOR_VIEW_REMOVED;
}

/* Compares the device's clock with the host's: again when that was a while ago, as they drift apart. */
AMP_PRIV_COLD int amp_priv_cuda_clock(amp_priv_cuda_device *native)
{
    const uint64_t often = 1000000000, began = amp_priv_now();
    if (native->base && began - native->base_time < often)
        return AMP_CU_SUCCESS;
    int error = native->clock ? AMP_CU_SUCCESS : amp_priv_cu.StreamCreate(&native->clock, AMP_CU_STREAM_NON_BLOCKING);
    error = error || native->base ? error : amp_priv_cu.EventCreate(&native->base, AMP_CU_EVENT_DEFAULT);
    error = error ? error : amp_priv_cu.EventRecord(native->base, native->clock);
    error = error ? error : amp_priv_cu.StreamSynchronize(native->clock);
    native->base_time = began + (amp_priv_now() - began) / 2;
    return error;
}

/* By the host's clock. */
AMP_PRIV_COLD bool amp_priv_cuda_event_times(amp_priv_device *device, void *event, uint64_t times[3])
{
    amp_priv_cuda_device *const native = amp_priv_cuda_of(device);
    const amp_priv_cuda_event *const e = event;
    float since = 0, length = 0; /* milliseconds */
    if (!e->after)
        return false;
    AMP_PRIV_CUDA_IN(device, false);
    amp_priv_lock(&native->lock);
    const bool known = amp_priv_cuda_clock(native) == AMP_CU_SUCCESS &&
                       amp_priv_cu.EventElapsedTime(&since, native->base, e->before->event) == AMP_CU_SUCCESS &&
                       amp_priv_cu.EventElapsedTime(&length, e->before->event, e->end) == AMP_CU_SUCCESS;
    times[0] = e->queued;
    times[1] = native->base_time + (uint64_t)(int64_t)((double)since * 1e6);
    times[2] = times[1] + (uint64_t)((double)length * 1e6);
    amp_priv_unlock(&native->lock);
    return known;
}

/* // >>buffer: an address of the device's, as a pointer. */

static inline amp_cu_pointer amp_priv_cuda_address(const void *buffer) { return (amp_cu_pointer)(uintptr_t)buffer; }

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_buffer_open(amp_priv_device *device, size_t bytes, void *host,
                                                        void **buffer)
{
    amp_cu_pointer memory = 0;
    (void)host;
    AMP_PRIV_CUDA_IN(device, entered);
    const amp_priv_result result = AMP_PRIV_CUDA_CALL(MemAlloc, &memory, bytes);
    *buffer = (void *)(uintptr_t)memory;
    return result;
}

AMP_PRIV_COLD void amp_priv_cuda_buffer_close(amp_priv_device *device, void *buffer)
{
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cu.MemFree(amp_priv_cuda_address(buffer));
}

/* // >>transfer: between two addresses, of which the driver knows whose memory they are. */

/* One side of a rectangle. CUDA's slices are rows of a height apart. context: NULL where both have the stream's. */
AMP_PRIV_COLD amp_cu_side amp_priv_cuda_side(const void *at, const amp_priv_rect *rect, amp_cu_context context)
{
    const bool flat = rect->rows == 1; /* slices of one row are rows */
    const size_t pitch = !flat ? rect->row_pitch : rect->slices > 1 ? rect->slice_pitch : rect->row_bytes;
    return (amp_cu_side){ .type = context ? AMP_CU_MEMORYTYPE_DEVICE : AMP_CU_MEMORYTYPE_UNIFIED,
                          .device = amp_priv_cuda_address(at) + rect->offset,
                          .context = context,
                          .pitch = pitch,
                          .height = flat || rect->slices == 1 ? rect->rows * rect->slices : rect->slice_pitch / pitch };
}

AMP_PRIV_COLD amp_cu_copy amp_priv_cuda_copy_of(amp_cu_side from, amp_cu_side to, const amp_priv_rect *rect)
{
    const bool flat = rect->rows == 1;
    return (amp_cu_copy){ from, to, rect->row_bytes, flat ? rect->slices : rect->rows, flat ? 1 : rect->slices };
}

/* Submits the copy of a rectangle. */
AMP_PRIV_COLD int amp_priv_cuda_move(amp_cu_stream stream, const void *from, const amp_priv_rect *a, const void *to,
                                     const amp_priv_rect *b)
{
    if (amp_priv_rect_is_line(a) && amp_priv_rect_is_line(b))
        return amp_priv_cu.MemcpyAsync(amp_priv_cuda_address(to) + b->offset, amp_priv_cuda_address(from) + a->offset,
                                       amp_priv_rect_bytes(a), stream);
    const amp_cu_copy copy =
        amp_priv_cuda_copy_of(amp_priv_cuda_side(from, a, NULL), amp_priv_cuda_side(to, b, NULL), a);
    return amp_priv_cu.Memcpy3DAsync(&copy, stream);
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_buffer_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                            const amp_priv_rect *rect, bool to_device, void **event)
{
    const amp_cu_stream stream = amp_priv_cuda_stream(queue);
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_cuda_time_begin(queue, event);
    const int error = amp_priv_cuda_move(stream, to_device ? host : buffer, rect, to_device ? buffer : host, rect);
    const int waited = amp_priv_cu.StreamSynchronize(stream); /* also then: what was begun may use the host's memory */
    amp_priv_result result = amp_priv_cuda_time_end(queue, event, "cuMemcpyAsync", error ? error : waited);
    if (error == AMP_CU_INVALID_VALUE) /* it leaves what is registered to the code that registered it */
        result.status = AMP_UNSUPPORTED_FEATURE;
    return result;
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_buffer_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *a,
                                                        void *to, const amp_priv_rect *b, void **event)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_cuda_time_begin(queue, event);
    return amp_priv_cuda_time_end(queue, event, "cuMemcpyAsync",
                                  amp_priv_cuda_move(amp_priv_cuda_stream(queue), from, a, to, b));
}

/* Two devices read each other's memory themselves, where they can: at the first copy between them. */
AMP_PRIV_COLD void amp_priv_cuda_meet(amp_priv_cuda_device *a, amp_priv_cuda_device *b)
{
    int can = 0;
    const uint64_t bit = UINT64_C(1) << (b->ordinal & 63);
    if (atomic_fetch_or(&a->met, bit) & bit)
        return;
    if (amp_priv_cu.DeviceCanAccessPeer(&can, a->ordinal, b->ordinal) == AMP_CU_SUCCESS && can)
        amp_priv_cu.CtxEnablePeerAccess(b->context, 0);
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_buffer_copy_from(amp_priv_queue *queue, amp_priv_device *device, void *from,
                                                             const amp_priv_rect *a, void *to, const amp_priv_rect *b,
                                                             void **event)
{
    amp_priv_cuda_device *const here = amp_priv_cuda_of(queue->device), *const there = amp_priv_cuda_of(device);
    AMP_PRIV_CUDA_IN(queue->device, entered);
    const amp_cu_copy copy =
        amp_priv_cuda_copy_of(amp_priv_cuda_side(from, a, there->context), amp_priv_cuda_side(to, b, here->context), a);
    amp_priv_cuda_time_begin(queue, event);
    amp_priv_cuda_meet(here, there);
    return amp_priv_cuda_time_end(queue, event, "cuMemcpy3DPeerAsync",
                                  amp_priv_cu.Memcpy3DPeerAsync(&copy, amp_priv_cuda_stream(queue)));
}

/* Memory that is registered already, for another device, is so for all. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_device_pin(amp_priv_device *device, void *host, size_t bytes,
                                                       void **registration)
{
    AMP_PRIV_CUDA_IN(device, entered);
    const int error = amp_priv_cu.MemHostRegister(host, bytes, AMP_CU_MEMHOSTREGISTER_PORTABLE);
    *registration = error == AMP_CU_SUCCESS ? host : NULL;
    return amp_priv_cuda_result("cuMemHostRegister",
                                error == AMP_CU_HOST_MEMORY_ALREADY_REGISTERED ? AMP_CU_SUCCESS : error);
}

AMP_PRIV_COLD void amp_priv_cuda_device_unpin(amp_priv_device *device, void *registration)
{
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cu.MemHostUnregister(registration);
}

/* // >>image: a texture object, which reads the buffer itself, so there is nothing to fill. Its address mode is clamp:
   kernels compute what the others need (amp/backends/cuda_text.h). There are none of rank 3 over such memory. */

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_image_fill(amp_priv_queue *queue, void *buffer,
                                                       const amp_priv_picture *picture, void **image)
{
    /* of each number, and how many bytes it has */
    static const unsigned char formats[][2] = { [AMP_PRIV_TEXELS_UNORM8] = { AMP_CU_FORMAT_UNSIGNED_INT8, 1 },
                                                [AMP_PRIV_TEXELS_NORM8] = { AMP_CU_FORMAT_SIGNED_INT8, 1 },
                                                [AMP_PRIV_TEXELS_UNORM16] = { AMP_CU_FORMAT_UNSIGNED_INT16, 2 },
                                                [AMP_PRIV_TEXELS_NORM16] = { AMP_CU_FORMAT_SIGNED_INT16, 2 },
                                                [AMP_PRIV_TEXELS_HALF] = { AMP_CU_FORMAT_HALF, 2 },
                                                [AMP_PRIV_TEXELS_FLOAT] = { AMP_CU_FORMAT_FLOAT, 4 } };
    if (*image)
        return amp_priv_done();
    const int ordinal = amp_priv_cuda_of(queue->device)->ordinal;
    const size_t step = amp_priv_cuda_ask(ordinal, AMP_CU_TEXTURE_PITCH_ALIGNMENT);
    const size_t begin = amp_priv_cuda_ask(ordinal, AMP_CU_TEXTURE_ALIGNMENT);
    amp_cu_rows rows = { .type = AMP_CU_RESOURCE_PITCH2D,
                         .address = amp_priv_cuda_address(buffer) + picture->offset,
                         .format = formats[picture->texels][0],
                         .channels = (unsigned)picture->channels,
                         .width = picture->extent[0],
                         .height = picture->extent[1],
                         .pitch = picture->extent[0] * (size_t)picture->channels * formats[picture->texels][1] };
    if (!step || !begin || picture->rank == 3 || rows.address % begin || (rows.height > 1 && rows.pitch % step))
        return amp_priv_cuda_failed("cuTexObjectCreate", AMP_CU_INVALID_VALUE);
    rows.pitch = (rows.pitch + step - 1) / step * step; /* one row ends where it likes */
    const amp_cu_sampler sampler = { .address = { AMP_CU_ADDRESS_CLAMP, AMP_CU_ADDRESS_CLAMP, AMP_CU_ADDRESS_CLAMP },
                                     .filter = AMP_CU_FILTER_LINEAR,
                                     .flags = AMP_CU_NORMALIZED_COORDINATES };
    amp_cu_texture texture = 0;
    AMP_PRIV_CUDA_IN(queue->device, entered);
    const amp_priv_result result = AMP_PRIV_CUDA_CALL(TexObjectCreate, &texture, &rows, &sampler, NULL);
    *image = (void *)(uintptr_t)texture;
    return result;
}

AMP_PRIV_COLD void amp_priv_cuda_image_close(amp_priv_device *device, void *image)
{
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cu.CtxSynchronize(); /* kernels may read it */
    amp_priv_cu.TexObjectDestroy((amp_cu_texture)(uintptr_t)image);
}

/* // >>program */

typedef struct amp_priv_cuda_program {
    amp_cu_module module;
    size_t length;    /* of what follows, which is on the disk: */
    unsigned dynamic; /* bytes of tile_static memory that a launch brings */
    _Alignas(16) char code[];
} amp_priv_cuda_program;

enum {
    AMP_PRIV_CUDA_ON_DISK = offsetof(amp_priv_cuda_program, dynamic),
    AMP_PRIV_CUDA_BEFORE_CODE = offsetof(amp_priv_cuda_program, code) - AMP_PRIV_CUDA_ON_DISK
};

AMP_PRIV_GLOBAL_MUTEX(amp_priv_cuda_compiler_lock)

/* Is NVRTC there? It is looked for when a first text is to be compiled. */
AMP_PRIV_COLD bool amp_priv_cuda_has_compiler(void)
{
    amp_priv_lock(&amp_priv_cuda_compiler_lock);
    const bool there =
        amp_priv_nvrtc.CompileProgram || (amp_priv_cu_is_hip ? amp_priv_cu_open_hiprtc() : amp_priv_nvrtc_open());
    amp_priv_unlock(&amp_priv_cuda_compiler_lock);
    if (!there && amp_priv_cu_is_hip)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "hipRTC, which compiles kernels for HIP, was not found: install libhiprtc of "
                     "ROCm, or set AMP_HIPRTC_LIBRARY to its path");
    else if (!there)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "NVRTC, which compiles kernels for CUDA, was not found: install libnvrtc of "
                                           "the CUDA toolkit, or set AMP_NVRTC_LIBRARY to its path");
    return there;
}

/* The options as a list, in `text`: the device's, and what the program asks for: sm_90a has the matrix instructions of
   compute capability 9.0 (NVRTC from 12.0 on). */
static const char amp_priv_cuda_sm_90[] = "--gpu-architecture=sm_90";
AMP_PRIV_COLD int amp_priv_cuda_options(const amp_priv_build *build, char *text, size_t size, const char **list)
{
    int count = 0;
    snprintf(text, size, "%s", build->options);
    for (char *p = text; *p; p += strspn(p, " ")) {
        list[count++] = p;
        p += strcspn(p, " ");
        if (*p)
            *p++ = '\0';
    }
    list[count++] = amp_priv_cu_is_hip ? "-w" : "-diag-suppress=83,177,546,550,2361";
    if (amp_priv_has_word(build->text, "amp_priv_exact")) /* algorithms: the same bits everywhere */
        list[count++] = amp_priv_cu_is_hip ? "-ffp-contract=off" : "-fmad=false";
    if (strcmp(list[0], amp_priv_cuda_sm_90) == 0 && amp_priv_has_word(build->text, "amp_priv_matrix_by_unit"))
        list[0] = "--gpu-architecture=sm_90a";
    return count;
}

/* What the compiler says, in new memory; NULL if it says nothing. */
AMP_PRIV_COLD char *amp_priv_cuda_log(amp_nvrtc_program program)
{
    size_t size = 0;
    if (amp_priv_nvrtc.GetProgramLogSize(program, &size) != 0 || size <= 1)
        return NULL;
    char *const log = malloc(size); /* a 0 at its end */
    if (log && amp_priv_nvrtc.GetProgramLog(program, log) != 0)
        log[0] = '\0';
    return log;
}

/* *p is what NVRTC has compiled for the device itself. */
AMP_PRIV_COLD int amp_priv_cuda_take(amp_nvrtc_program program, amp_priv_cuda_program **p, size_t dynamic)
{
    size_t length = 0;
    const int error = amp_priv_nvrtc.GetCUBINSize(program, &length);
    if (error != 0 || length == 0)
        return error != 0 ? error : AMP_NVRTC_INTERNAL_ERROR;
    *p = malloc(sizeof **p + length);
    if (!*p)
        return AMP_NVRTC_OUT_OF_MEMORY;
    (*p)->length = AMP_PRIV_CUDA_BEFORE_CODE + length;
    (*p)->dynamic = (unsigned)dynamic;
    return amp_priv_nvrtc.GetCUBIN(program, (*p)->code);
}

/* The tile_static memory that a kernel takes, of which the compiler warned (AMP_DYNAMIC=1), or for which it refused the
   text; 0: it did not, or a launch cannot bring so much. */
AMP_PRIV_COLD size_t amp_priv_cuda_tile_bytes(const amp_priv_device *device, const char *log)
{
    static const char said[] = "amp_priv_tile_bytes<"; /* 98304>, or bytes>::fits [with bytes=98304] */
    size_t bytes = 0;
    for (const char *at = log; at && (at = strstr(at, said)) != NULL;) {
        at += sizeof said - 1;
        const char *const number = *at >= '0' && *at <= '9' ? at : at + strcspn(at, "=\n");
        const size_t here = strtoull(*number == '=' ? number + 1 : number, NULL, 10);
        bytes = here > bytes ? here : bytes;
    }
    return bytes <= device->local_memory ? bytes : 0;
}

/* Compiles, with -minimal from NVRTC 12.4 on: it leaves out what no kernel of ours uses, textures and CUDA's runtime,
   and a third of a small program's time. */
AMP_PRIV_COLD int amp_priv_cuda_compile_with(amp_nvrtc_program program, const amp_priv_build *build, size_t dynamic)
{
    char text[256], bytes[48];
    const char *list[32];
    int count = amp_priv_cuda_options(build, text, sizeof text, list);
    snprintf(bytes, sizeof bytes, "-DAMP_DYNAMIC=%zu", dynamic);
    if (dynamic)
        list[count++] = bytes;
    list[count] = "-minimal";
    int error = amp_priv_nvrtc.CompileProgram(program, count + !amp_priv_cu_is_hip, list);
    if (error == AMP_NVRTC_INVALID_OPTION)
        error = amp_priv_nvrtc.CompileProgram(program, count, list);
    if (error == AMP_NVRTC_INVALID_OPTION && strcmp(list[0], "--gpu-architecture=sm_90a") == 0) {
        list[0] = amp_priv_cuda_sm_90;
        error = amp_priv_nvrtc.CompileProgram(program, count, list);
    }
    return error;
}

/* dynamic: bytes of tile_static memory that the launch brings; 0: the kernel has it; AMP_PRIV_CUDA_DYNAMIC: the
   compiler reports how much. */
enum { AMP_PRIV_CUDA_DYNAMIC = 1 };
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_compile(const amp_priv_device *device, amp_priv_build *build,
                                                    amp_priv_cuda_program **p, size_t dynamic)
{
    amp_nvrtc_program program = NULL;
    int error = amp_priv_nvrtc.CreateProgram(&program, build->text, "kernel.cu", 0, NULL, NULL);
    if (error != 0)
        return amp_priv_cuda_failed("nvrtcCreateProgram", -error);
    error = amp_priv_cuda_compile_with(program, build, dynamic);
    build->log = amp_priv_cuda_log(program);
    const bool asks = dynamic == AMP_PRIV_CUDA_DYNAMIC, refused = error == AMP_NVRTC_COMPILATION && !dynamic;
    const size_t bytes = asks || refused ? amp_priv_cuda_tile_bytes(device, build->log) : 0;
    if (refused ? bytes > 0 : asks && (error != 0 || !bytes)) { /* again, in the other way */
        amp_priv_nvrtc.DestroyProgram(&program);
        free(build->log);
        return amp_priv_cuda_compile(device, build, p, refused ? bytes : 0);
    }
    if (error == 0)
        error = amp_priv_cuda_take(program, p, asks ? bytes : dynamic);
    amp_priv_nvrtc.DestroyProgram(&program);
    return error == 0 ? amp_priv_done() : amp_priv_cuda_failed("nvrtcCompileProgram", -error);
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_program_build(amp_priv_device *device, amp_priv_build *build)
{
    amp_priv_cuda_program *p = NULL;
    amp_priv_result result = amp_priv_done();
    AMP_PRIV_CUDA_IN(device, entered);
    if (!build->binary && !amp_priv_cuda_has_compiler()) {
        result = amp_priv_cuda_failed("nvrtcCreateProgram", AMP_PRIV_CUDA_NO_COMPILER);
    } else if (!build->binary) { /* blocks of the matrix units take much tile_static memory: not refused first */
        const bool is_large = !amp_priv_cu_is_hip && amp_priv_has_word(build->text, "amp_priv_matrix_by_unit");
        result = amp_priv_cuda_compile(device, build, &p, is_large ? AMP_PRIV_CUDA_DYNAMIC : 0);
    } else if (build->binary_length <= AMP_PRIV_CUDA_BEFORE_CODE) {
        result = amp_priv_cuda_failed("cuModuleLoadData", AMP_CU_INVALID_VALUE);
    } else if (!(p = malloc(AMP_PRIV_CUDA_ON_DISK + build->binary_length))) {
        result = amp_priv_cuda_failed("cuModuleLoadData", AMP_CU_OUT_OF_MEMORY);
    } else {
        p->length = build->binary_length;
        memcpy((char *)p + AMP_PRIV_CUDA_ON_DISK, build->binary, p->length);
    }
    if (result.status == AMP_OK)
        result = AMP_PRIV_CUDA_CALL(ModuleLoadData, &p->module, p->code);
    build->program = p;
    if (result.status != AMP_OK)
        free(p);
    return result;
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_program_binary(amp_priv_device *device, void *program,
                                                           unsigned char **binary, size_t *length)
{
    const amp_priv_cuda_program *const p = program;
    (void)device;
    *length = p->length;
    *binary = malloc(p->length);
    if (!*binary)
        return amp_priv_cuda_failed("nvrtcGetCUBIN", AMP_CU_OUT_OF_MEMORY);
    memcpy(*binary, (const char *)p + AMP_PRIV_CUDA_ON_DISK, p->length);
    return amp_priv_done();
}

AMP_PRIV_COLD void amp_priv_cuda_program_release(amp_priv_device *device, void *program)
{
    const amp_cu_module module = ((amp_priv_cuda_program *)program)->module;
    free(program);
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cu.ModuleUnload(module);
}

/* // >>launch */

typedef struct amp_priv_cuda_kernel {
    amp_cu_function function;
    void **values;     /* of the arguments, and of what comes after them: */
    unsigned first[2]; /* where the groups of this part of a launch begin */
    unsigned dynamic;  /* the image's */
} amp_priv_cuda_kernel;

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_kernel_create(amp_priv_device *device, void *program, const char *name,
                                                          void **kernel, amp_priv_kernel_limits *limits)
{
    const amp_priv_cuda_program *const p = program;
    int threads = 0, local = 0;
    AMP_PRIV_CUDA_IN(device, entered);
    amp_priv_cuda_kernel *const k = calloc(1, sizeof *k);
    int error = k ? amp_priv_cu.ModuleGetFunction(&k->function, p->module, name) : AMP_CU_OUT_OF_MEMORY;
    error = error ? error : amp_priv_cu.FuncGetAttribute(&threads, AMP_CU_FUNC_MAX_THREADS_PER_BLOCK, k->function);
    error = error ? error : amp_priv_cu.FuncGetAttribute(&local, AMP_CU_FUNC_SHARED_SIZE_BYTES, k->function);
    if (error == AMP_CU_SUCCESS && p->dynamic)
        error = amp_priv_cu.FuncSetAttribute(k->function, AMP_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)p->dynamic);
    if (error != AMP_CU_SUCCESS) {
        free(k);
        return amp_priv_cuda_failed("cuModuleGetFunction", error);
    }
    k->dynamic = p->dynamic;
    limits->max_group = (size_t)threads;
    limits->local_memory = (size_t)local + p->dynamic;
    *kernel = k;
    return amp_priv_done();
}

AMP_PRIV_COLD void amp_priv_cuda_kernel_release(amp_priv_device *device, void *kernel)
{
    (void)device;
    free(((amp_priv_cuda_kernel *)kernel)->values);
    free(kernel);
}

/* Allocates a list of all values; false when there is no memory for it. */
AMP_PRIV_COLD bool amp_priv_cuda_values_open(amp_priv_cuda_kernel *k, int count)
{
    k->values = malloc(((size_t)count + 2) * sizeof *k->values);
    if (!k->values)
        return false;
    k->values[count] = &k->first[0];
    k->values[count + 1] = &k->first[1];
    return true;
}

static inline amp_cu_launch amp_priv_cuda_launch_of(amp_priv_cuda_kernel *k, const amp_priv_geometry *g)
{
    amp_cu_launch l = { .function = k->function, .groups = { 1, 1, 1 }, .shared = k->dynamic, .values = k->values };
    for (int d = 0; d < 3; d++)
        l.group[d] = (unsigned)g->local[d];
    for (int d = 0; d < g->dimensions; d++)
        l.groups[d] = (unsigned)g->global[d] / l.group[d]; /* both are below max_global, so this is quicker */
    memcpy(k->first, g->first, sizeof k->first);
    return l;
}

static inline int amp_priv_cuda_launch(amp_priv_queue *queue, amp_priv_cuda_kernel *k, const amp_priv_geometry *g)
{
    const amp_cu_launch l = amp_priv_cuda_launch_of(k, g);
    return amp_priv_cu.LaunchKernel(l.function, l.groups[0], l.groups[1], l.groups[2], l.group[0], l.group[1],
                                    l.group[2], l.shared, amp_priv_cuda_stream(queue), l.values, NULL);
}

/* With the device's context, and its times. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_enqueue_in(amp_priv_queue *queue, void *kernel, const amp_priv_geometry *g,
                                                       void **event)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_cuda_time_begin(queue, event);
    const int error = amp_priv_cuda_launch(queue, kernel, g);
    return amp_priv_cuda_time_end(queue, event, "cuLaunchKernel", error);
}

/* Has this thread the device's context? */
AMP_PRIV_COLD bool amp_priv_cuda_is_here(const amp_priv_device *device)
{
    amp_cu_context here = NULL;
    return amp_priv_cu.CtxGetCurrent(&here) == AMP_CU_SUCCESS &&
           here == atomic_load(&amp_priv_cuda_of(device)->context);
}

/* Mostly it has, so it is asked only where a launch failed: what another context says is not the device's answer. */
static inline amp_priv_result amp_priv_cuda_kernel_enqueue(amp_priv_queue *queue, void *kernel,
                                                           const amp_priv_kernel_arguments *arguments,
                                                           const amp_priv_geometry *g, void **event)
{
    amp_priv_cuda_kernel *const k = kernel;
    if (__builtin_expect(!k->values, 0) && !amp_priv_cuda_values_open(k, arguments->count))
        return amp_priv_cuda_failed("cuLaunchKernel", AMP_CU_OUT_OF_MEMORY);
    for (int i = 0; i < arguments->changed_count; i++) {
        const unsigned number = arguments->changed[i];
        k->values[number] = (void *)(uintptr_t)arguments->argument[number].value;
    }
    if (__builtin_expect(event != NULL, 0))
        return amp_priv_cuda_enqueue_in(queue, kernel, g, event);
    amp_priv_cuda_untimed(queue);
    const int error = amp_priv_cuda_launch(queue, kernel, g);
    if (__builtin_expect(error != AMP_CU_SUCCESS, 0) && !amp_priv_cuda_is_here(queue->device))
        return amp_priv_cuda_enqueue_in(queue, kernel, g, NULL);
    return amp_priv_cuda_result("cuLaunchKernel", error);
}

/* // >>graph: what a stream captures instead of running it. */

/* A recording: the node of each command, and the graph that owns the nodes, as long as values may change. */
typedef struct amp_priv_cuda_recorded {
    amp_cu_graph graph;
    amp_cu_graph_exec exec;
    amp_cu_node node[];
} amp_priv_cuda_recorded;

/* What becomes of commands: nodes, and a list of those that the next one follows, and how. */
typedef struct amp_priv_cuda_nodes {
    bool early; /* kernels may begin before what those before them wrote is there, for which they wait */
    amp_cu_node *node, *after;
    amp_cu_edge *how;
} amp_priv_cuda_nodes;

/* Command i becomes a node, after those that it names. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_capture(amp_priv_queue *queue, const amp_priv_command *commands, int i,
                                                    const amp_priv_cuda_nodes *nodes)
{
    static const amp_cu_edge ended = { 0, 0, 0, { 0 } },
                             early = { AMP_CU_PORT_PROGRAMMATIC, 0, AMP_CU_DEPENDENCY_PROGRAMMATIC, { 0 } };
    const amp_priv_command *const c = &commands[i];
    const amp_cu_stream stream = amp_priv_cuda_stream(queue);
    const amp_cu_node *last = NULL;
    size_t count = (size_t)c->after_count;
    int status;
    for (size_t n = 0; n < count; n++) {
        nodes->after[n] = nodes->node[c->after[n]];
        nodes->how[n] = c->kernel && commands[c->after[n]].kernel ? early : ended;
    }
    amp_priv_result result = nodes->early ? AMP_PRIV_CUDA_CALL(StreamUpdateCaptureDependencies_v2, stream, nodes->after,
                                                               nodes->how, count, AMP_CU_SET_DEPENDENCIES)
                                          : AMP_PRIV_CUDA_CALL(StreamUpdateCaptureDependencies, stream, nodes->after,
                                                               count, AMP_CU_SET_DEPENDENCIES);
    if (result.status == AMP_OK)
        result = c->kernel ? amp_priv_cuda_kernel_enqueue(queue, c->kernel, &c->arguments, &c->geometry, NULL)
                           : amp_priv_cuda_buffer_copy(queue, c->from, &c->from_rect, c->to, &c->to_rect, NULL);
    if (result.status == AMP_OK)
        result = AMP_PRIV_CUDA_CALL(StreamGetCaptureInfo, stream, &status, NULL, NULL, &last, &count);
    if (result.status == AMP_OK && count != 1)
        return amp_priv_cuda_failed("cuStreamGetCaptureInfo", AMP_CU_INVALID_VALUE);
    if (result.status == AMP_OK)
        nodes->node[i] = last[0];
    return result;
}

AMP_PRIV_COLD void amp_priv_cuda_recorded_end(amp_priv_cuda_recorded *recorded)
{
    if (recorded->graph)
        amp_priv_cu.GraphDestroy(recorded->graph);
    if (recorded->exec)
        amp_priv_cu.GraphExecDestroy(recorded->exec);
    free(recorded);
}

/* By a stream of its own: others may submit to the queue's meanwhile. Where a kernel begins early, a chain of kernels
   takes 0.84 us each on an H200, and not 1.02. */
AMP_PRIV_COLD amp_priv_result amp_priv_cuda_record(amp_priv_queue *queue, const amp_priv_command *commands, int count,
                                                   void **recorded)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_queue own = { .device = queue->device };
    const unsigned early_from = 9; /* compute capability: a kernel's text asks for it (amp/backends/cuda_text.h) */
    const size_t nodes_count = (size_t)count;
    amp_priv_cuda_recorded *const made = calloc(1, sizeof *made + nodes_count * sizeof *made->node);
    amp_priv_cuda_nodes nodes = { .early = amp_priv_cu.StreamUpdateCaptureDependencies_v2 &&
                                           queue->device->version >> 16 >= early_from,
                                  .after = malloc(nodes_count * (sizeof *nodes.after + sizeof *nodes.how)) };
    amp_priv_result result = made && nodes.after ? amp_priv_cuda_queue_open(&own)
                                                 : amp_priv_cuda_failed("cuStreamBeginCapture", AMP_CU_OUT_OF_MEMORY);
    if (result.status == AMP_OK) {
        nodes.node = made->node;
        nodes.how = (void *)(nodes.after + count);
        result = AMP_PRIV_CUDA_CALL(StreamBeginCapture, own.native, AMP_CU_CAPTURE_RELAXED);
        for (int i = 0; i < count && result.status == AMP_OK; i++)
            result = amp_priv_cuda_capture(&own, commands, i, &nodes);
        const int error = amp_priv_cu.StreamEndCapture(own.native, &made->graph);
        if (result.status == AMP_OK)
            result = amp_priv_cuda_result("cuStreamEndCapture", error);
        amp_priv_cuda_queue_close(&own);
    }
    if (result.status == AMP_OK)
        result = AMP_PRIV_CUDA_CALL(GraphInstantiate, &made->exec, made->graph, NULL, NULL, 0);
    free(nodes.after);
    if (result.status == AMP_OK)
        *recorded = made;
    else if (made)
        amp_priv_cuda_recorded_end(made);
    return result;
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_replay(amp_priv_queue *queue, void *recorded)
{
    AMP_PRIV_CUDA_IN(queue->device, entered);
    amp_priv_cuda_untimed(queue);
    return AMP_PRIV_CUDA_CALL(GraphLaunch, ((amp_priv_cuda_recorded *)recorded)->exec, amp_priv_cuda_stream(queue));
}

AMP_PRIV_COLD amp_priv_result amp_priv_cuda_record_change(amp_priv_queue *queue, void *recorded,
                                                          const amp_priv_command *commands, int number)
{
    const amp_priv_cuda_recorded *const r = recorded;
    AMP_PRIV_CUDA_IN(queue->device, entered);
    const amp_cu_launch launch = amp_priv_cuda_launch_of(commands[number].kernel, &commands[number].geometry);
    return AMP_PRIV_CUDA_CALL(GraphExecKernelNodeSetParams, r->exec, r->node[number], &launch);
}

AMP_PRIV_COLD void amp_priv_cuda_record_release(amp_priv_device *device, void *recorded)
{
    AMP_PRIV_CUDA_IN(device, );
    amp_priv_cuda_recorded_end(recorded);
}

/* // >>table */

AMP_PRIV_COLD const void *amp_priv_cuda_device_extension(const char *name)
{
    static const amp_priv_image_functions images = { amp_priv_cuda_image_fill, amp_priv_cuda_image_close };
    static const amp_priv_recorded_functions recorded = { amp_priv_cuda_record, amp_priv_cuda_replay,
                                                          amp_priv_cuda_record_change, amp_priv_cuda_record_release };
    return !strcmp(name, "images") ? (const void *)&images : !strcmp(name, "recorded") ? &recorded : NULL;
}

static inline const amp_priv_backend *amp_priv_cuda_table(void)
{
    static const amp_priv_backend table = {
        AMP_PRIV_BACKEND_MEMBERS("CUDA", cuda), .buffer.copy_from = amp_priv_cuda_buffer_copy_from,
        .device.pins_whole = true, /* a copy of the user's own must not leave what is registered */
    };
    return &table;
}

#endif /* AMP_CUDA_H */
