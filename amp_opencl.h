/* SPDX-License-Identifier: MIT */
/*  amp_opencl.h - the OpenCL backend: implements queues, buffers, programs and kernels of amp/device/backend.h.
    Only this file and amp/backends/opencl_*.h know OpenCL's interface, which amp/backends/opencl_api.h declares.

    It calls only functions of OpenCL 1.2. The first use of a device creates its context. Queues are in order. Nothing
    is released when the program ends, because drivers may be unloaded by then.

    Contents (search for the tag):
        >>queue  >>event  >>buffer  >>transfer  >>image  >>program  >>launch  >>table */
#ifndef AMP_OPENCL_H
#define AMP_OPENCL_H

#include "amp/device/extensions.h"
#include "amp/device/future.h"
#include "amp/launch/kernel_launch.h"
#include "amp/backends/opencl_device.h"

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
                                                   amp_priv_is_watched() ? AMP_CL_QUEUE_PROFILING_ENABLE : 0, &error);
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

/* A command failed on the device: what it wrote is unknown. */
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

/* A command that failed is done, too; then the device is removed, and calls that need its results fail. */
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

/* NVIDIA's driver 580 wants buffers to have the whole last row of a rectangle. Is it there? */
AMP_PRIV_COLD bool amp_priv_opencl_has_rows(void *buffer, const amp_priv_rect *rect)
{
    const amp_priv_opencl_rect r = amp_priv_opencl_rect_of(rect);
    size_t size = 0;
    return amp_priv_rect_is_line(rect) ||
           (amp_priv_cl.GetMemObjectInfo(buffer, AMP_CL_MEM_SIZE, sizeof size, &size, NULL) == AMP_CL_SUCCESS &&
            (r.origin[2] + r.region[2] - 1) * r.slice_pitch + (r.origin[1] + r.region[1]) * r.row_pitch <= size &&
            (r.region[2] == 1 || (r.origin[2] + r.region[2]) * r.slice_pitch <= size));
}

/* A rectangle without its last slice, the last slice without its last row, and that row: as many as there are. */
enum { AMP_PRIV_OPENCL_PARTS = 3 };
AMP_PRIV_COLD int amp_priv_opencl_parts(const amp_priv_rect *rect, amp_priv_rect *part)
{
    int count = 0;
    amp_priv_rect rest = *rect;
    if (rest.slices > 1) {
        part[count] = rest;
        part[count++].slices--;
        rest.offset += (rest.slices - 1) * rest.slice_pitch;
        rest.slices = 1;
    }
    if (rest.rows > 1) {
        part[count] = rest;
        part[count++].rows--;
        rest.offset += (rest.rows - 1) * rest.row_pitch;
        rest.rows = 1;
    }
    part[count++] = rest;
    return count;
}

AMP_PRIV_COLD int32_t amp_priv_opencl_transfer_begin(amp_cl_command_queue commands, uint32_t blocks, void *buffer,
                                                     void *host, const amp_priv_rect *rect, bool to_device,
                                                     amp_cl_event *done)
{
    const amp_priv_opencl_rect r = amp_priv_opencl_rect_of(rect);
    const size_t bytes = amp_priv_rect_bytes(rect), first = rect->offset;
    char *const at = (char *)host + first;
    const bool line = amp_priv_rect_is_line(rect);
    if (line && to_device)
        return amp_priv_cl.EnqueueWriteBuffer(commands, buffer, blocks, first, bytes, at, 0, NULL, done);
    if (line)
        return amp_priv_cl.EnqueueReadBuffer(commands, buffer, blocks, first, bytes, at, 0, NULL, done);
    if (to_device)
        return amp_priv_cl.EnqueueWriteBufferRect(commands, buffer, blocks, r.origin, r.origin, r.region, r.row_pitch,
                                                  r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, done);
    return amp_priv_cl.EnqueueReadBufferRect(commands, buffer, blocks, r.origin, r.origin, r.region, r.row_pitch,
                                             r.slice_pitch, r.row_pitch, r.slice_pitch, host, 0, NULL, done);
}

/* To wait for an event takes NVIDIA's driver 0.1 ms more than a blocking transfer, which keeps other threads out. */
enum { AMP_PRIV_OPENCL_LONG_TRANSFER = 16 << 20 /* bytes, which take 0.3 ms */ };

/* Moves a rectangle, and waits for it. */
AMP_PRIV_COLD int32_t amp_priv_opencl_transfer_part(amp_priv_queue *queue, void *buffer, void *host,
                                                    const amp_priv_rect *rect, bool to_device, amp_cl_event *done)
{
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    const unsigned quirks = amp_priv_opencl_of(queue->device)->quirks;
    if (!(quirks & AMP_PRIV_QUIRK_BLOCKS_OTHERS) ||
        (amp_priv_rect_bytes(rect) < AMP_PRIV_OPENCL_LONG_TRANSFER && atomic_load(&queue->staged) == 0))
        return amp_priv_opencl_transfer_begin(commands, AMP_CL_TRUE, buffer, host, rect, to_device, done);
    amp_cl_event event = NULL;
    int32_t error = amp_priv_opencl_transfer_begin(commands, 0, buffer, host, rect, to_device, &event);
    if (error == AMP_CL_SUCCESS)
        error = amp_priv_cl.WaitForEvents(1, &event);
    if (done && error == AMP_CL_SUCCESS)
        *done = event;
    else if (event)
        amp_priv_cl.ReleaseEvent(event);
    return error;
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_buffer_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                              const amp_priv_rect *rect, bool to_device, void **event)
{
    const amp_cl_command_queue commands = amp_priv_opencl_queue(queue);
    bool shared;
    int32_t error = amp_priv_opencl_is_shared(queue->device, buffer, host, &shared);
    if (error != AMP_CL_SUCCESS)
        return amp_priv_opencl_failed("clGetMemObjectInfo", error);
    if (shared)
        return amp_priv_opencl_transfer_shared(queue, buffer, rect, to_device);
    amp_priv_rect part[AMP_PRIV_OPENCL_PARTS] = { *rect };
    const int parts = amp_priv_opencl_has_rows(buffer, rect) ? 1 : amp_priv_opencl_parts(rect, part);
    amp_cl_event done = NULL;
    for (int i = 0; i < parts && error == AMP_CL_SUCCESS; i++)
        error = amp_priv_opencl_transfer_part(queue, buffer, host, part + i, to_device,
                                              event && i == parts - 1 ? &done : NULL);
    if (event)
        *event = done;
    if (__builtin_expect(error != AMP_CL_SUCCESS, 0))
        amp_priv_cl.Finish(commands); /* what was begun may still use the host's memory */
    return amp_priv_opencl_result(to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", error);
}

AMP_PRIV_COLD int32_t amp_priv_opencl_copy_part(amp_cl_command_queue commands, void *from, const amp_priv_rect *of_from,
                                                void *to, const amp_priv_rect *of_to, amp_cl_event *done)
{
    if (amp_priv_rect_is_line(of_from) && amp_priv_rect_is_line(of_to))
        return amp_priv_cl.EnqueueCopyBuffer(commands, from, to, of_from->offset, of_to->offset,
                                             amp_priv_rect_bytes(of_from), 0, NULL, done);
    const amp_priv_opencl_rect a = amp_priv_opencl_rect_of(of_from), b = amp_priv_opencl_rect_of(of_to);
    return amp_priv_cl.EnqueueCopyBufferRect(commands, from, to, a.origin, b.origin, a.region, a.row_pitch,
                                             a.slice_pitch, b.row_pitch, b.slice_pitch, 0, NULL, done);
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_buffer_copy(amp_priv_queue *queue, void *from,
                                                          const amp_priv_rect *from_rect, void *to,
                                                          const amp_priv_rect *to_rect, void **event)
{
    amp_priv_rect of_from[AMP_PRIV_OPENCL_PARTS] = { *from_rect }, of_to[AMP_PRIV_OPENCL_PARTS] = { *to_rect };
    int parts = 1;
    if (!amp_priv_opencl_has_rows(from, from_rect) || !amp_priv_opencl_has_rows(to, to_rect)) {
        parts = amp_priv_opencl_parts(from_rect, of_from);
        (void)amp_priv_opencl_parts(to_rect, of_to);
    }
    amp_cl_event done = NULL;
    int32_t error = AMP_CL_SUCCESS;
    for (int i = 0; i < parts && error == AMP_CL_SUCCESS; i++)
        error = amp_priv_opencl_copy_part(amp_priv_opencl_queue(queue), from, of_from + i, to, of_to + i,
                                          event && i == parts - 1 ? &done : NULL);
    if (event)
        *event = done;
    return amp_priv_opencl_result("clEnqueueCopyBuffer", error);
}

/* A buffer over the host memory makes the driver pin it: from then on write and read of that memory run at the bus's
   speed. The buffer itself is never used (it would keep a copy of its own). */
AMP_PRIV_COLD amp_priv_result amp_priv_opencl_device_pin(amp_priv_device *device, void *host, size_t bytes,
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

AMP_PRIV_COLD void amp_priv_opencl_device_unpin(amp_priv_device *device, void *registration)
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

AMP_PRIV_COLD const void *amp_priv_opencl_device_extension(const char *name)
{
    static const amp_priv_image_functions images = { amp_priv_opencl_image_fill, amp_priv_opencl_image_close };
    return !strcmp(name, "images") ? &images : NULL;
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

/* Builds a program. Processes that compile the same text at the same time share files of pocl's cache, and sometimes
   one of them fails: its log names no error then, and the second build is right. */
AMP_PRIV_COLD int32_t amp_priv_opencl_build(amp_cl_program program, amp_cl_device_id id, const char *options)
{
    const int32_t error = amp_priv_cl.BuildProgram(program, 1, &id, options, NULL, NULL);
    char *const log = error == AMP_CL_BUILD_PROGRAM_FAILURE ? amp_priv_opencl_log(program, id) : NULL;
    const bool again = log && strstr(log, "failed to build the program") && !strstr(log, "error:");
    free(log);
    return again ? amp_priv_cl.BuildProgram(program, 1, &id, options, NULL, NULL) : error;
}

AMP_PRIV_COLD amp_priv_result amp_priv_opencl_program_build(amp_priv_device *device, amp_priv_build *build)
{
    const amp_cl_device_id id = amp_priv_opencl_of(device)->id;
    amp_cl_program program = NULL;
    const amp_priv_result created = amp_priv_opencl_program_create(device, build, &program);
    if (created.status != AMP_OK)
        return created;
    char options[256];
    amp_priv_opencl_build_options(options, sizeof options, build, amp_priv_opencl_compute_capability(id));
    int32_t error = amp_priv_opencl_build(program, id, options);
    if (error == AMP_CL_INVALID_BUILD_OPTIONS)
        error = amp_priv_opencl_build(program, id, "");
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
    limits->local_memory = (size_t)(native->quirks & AMP_PRIV_QUIRK_COUNTS_TWICE ? local / 2 : local);
    *kernel = k;
    return amp_priv_done();
}

AMP_PRIV_COLD void amp_priv_opencl_kernel_release(amp_priv_device *device, void *kernel)
{
    (void)device;
    amp_priv_cl.ReleaseKernel(((amp_priv_opencl_kernel *)kernel)->kernel);
    free(kernel);
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_opencl_kernel_enqueue(amp_priv_queue *queue, void *kernel,
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
        amp_priv_cl.Finish(commands); /* if the kernel failed, calls that wait for results fail */
        k->finish = false;
    }
    return amp_priv_done();
}

/* // >>table */

static inline const amp_priv_backend *amp_priv_opencl_table(void)
{
    static const amp_priv_backend table = {
        AMP_PRIV_BACKEND_MEMBERS("OpenCL", opencl),
        .queue.flush = amp_priv_opencl_queue_flush,
    };
    return &table;
}

#endif /* AMP_OPENCL_H */
