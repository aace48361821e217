/* SPDX-License-Identifier: MIT */
/*  raw_opencl.h - what a program written by hand against OpenCL needs: open a device, build a kernel, make
    buffers. Nothing of amp.h is used here, so that the comparison is with OpenCL itself.

    Contents (search for the tag):
        >>check  >>device  >>job                                                                      */
#ifndef RAW_OPENCL_H
#define RAW_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* // >>check */

static inline void raw_check(cl_int status, const char *call)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s failed with %d\n", call, status);
        exit(1);
    }
}

/* // >>device */

typedef struct raw_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    bool is_cpu;
} raw_device;

enum { RAW_MAX_DEVICES = 128 };

/* Every device, in the order in which OpenCL lists platforms and their devices: their numbers. Returns how many. */
static inline unsigned raw_devices(cl_device_id devices[RAW_MAX_DEVICES])
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    unsigned total = 0;
    raw_check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < platform_count && p < 16 && total < RAW_MAX_DEVICES; p++) {
        const cl_uint room = RAW_MAX_DEVICES - total;
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, devices + total, &count) == CL_SUCCESS)
            total += count < room ? count : room;
    }
    return total;
}

/* The first device, of those from number *position on, whose name begins `description`; *position is set behind it.
   NULL: OpenCL has none. */
static inline cl_device_id raw_find(const char *description, unsigned *position)
{
    cl_device_id devices[RAW_MAX_DEVICES];
    const unsigned count = raw_devices(devices);
    for (unsigned i = *position; i < count; i++) {
        char name[160] = "";
        clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
        if (strncmp(description, name, strlen(name)) == 0) {
            *position = i + 1;
            return devices[i];
        }
    }
    return NULL;
}

static inline raw_device raw_open(cl_device_id id)
{
    cl_int status;
    raw_device d = { .id = id };
    cl_device_type type = 0;
    raw_check(clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL), "clGetDeviceInfo");
    d.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    d.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    raw_check(status, "clCreateContext");
    d.queue = clCreateCommandQueue(d.context, id, 0, &status);
    raw_check(status, "clCreateCommandQueue");
    return d;
}

static inline void raw_close(raw_device *d)
{
    clReleaseCommandQueue(d->queue);
    clReleaseContext(d->context);
}

/* host: memory that the buffer is to be; NULL: its own. */
static inline cl_mem raw_buffer_over(const raw_device *d, void *host, size_t bytes)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (host ? CL_MEM_USE_HOST_PTR : 0u);
    const cl_mem buffer = clCreateBuffer(d->context, flags, bytes, host, &status);
    raw_check(status, "clCreateBuffer");
    return buffer;
}

static inline cl_mem raw_buffer(const raw_device *d, size_t bytes) { return raw_buffer_over(d, NULL, bytes); }

static inline cl_kernel raw_kernel(const raw_device *d, const char *source, const char *name, const char *options)
{
    cl_int status;
    const cl_program program = clCreateProgramWithSource(d->context, 1, &source, NULL, &status);
    raw_check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &d->id, options, NULL, NULL) != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s: %s\n", name, log);
        exit(1);
    }
    const cl_kernel kernel = clCreateKernel(program, name, &status);
    raw_check(status, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

static inline void raw_write(const raw_device *d, cl_mem buffer, const void *from, size_t bytes)
{
    raw_check(clEnqueueWriteBuffer(d->queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "clEnqueueWriteBuffer");
}

static inline void raw_read(const raw_device *d, cl_mem buffer, void *to, size_t bytes)
{
    raw_check(clEnqueueReadBuffer(d->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* Host and device of a buffer over host memory see each other's writes from here on. */
static inline void raw_hand_over(const raw_device *d, cl_mem buffer, cl_map_flags flags, size_t bytes)
{
    cl_int status;
    void *const mapped = clEnqueueMapBuffer(d->queue, buffer, CL_TRUE, flags, 0, bytes, 0, NULL, NULL, &status);
    raw_check(status, "clEnqueueMapBuffer");
    raw_check(clEnqueueUnmapMemObject(d->queue, buffer, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");
}

/* // >>job */

enum { RAW_MAX_BUFFERS = 8 };

/* A kernel over buffers that stay on the device. Its last buffer is the result, which mirrors `result`. On a CPU the
   buffers are the host's memory: nothing to copy, and the very pages that ours works on. */
typedef struct raw_job {
    raw_device device;
    cl_kernel kernel;
    int buffer_count, dimensions;
    cl_mem buffers[RAW_MAX_BUFFERS];
    size_t bytes[RAW_MAX_BUFFERS];
    size_t global[3], local[3]; /* local[0] == 0: OpenCL chooses */
    void *result;
} raw_job;

/* Buffers are the kernel's first arguments; add the others with raw_argument. Without a device (on the CPU backend)
   the job is an empty one, which has no kernel, and takes buffers and arguments without doing anything. */
static inline raw_job raw_job_open_with(cl_device_id id, const char *source, const char *name, void *result,
                                        const char *options)
{
    raw_job job = { .result = result };
    if (id) {
        job.device = raw_open(id);
        job.kernel = raw_kernel(&job.device, source, name, options);
    }
    return job;
}

static inline raw_job raw_job_open(cl_device_id id, const char *source, const char *name, void *result)
{
    return raw_job_open_with(id, source, name, result, "");
}

/* value NULL: `bytes` of local memory. */
static inline void raw_argument(const raw_job *job, int position, const void *value, size_t bytes)
{
    if (job->kernel)
        raw_check(clSetKernelArg(job->kernel, (cl_uint)position, bytes, value), "clSetKernelArg");
}

/* Adds a buffer with the contents of `from` as the kernel's next argument. */
static inline void raw_job_buffer(raw_job *job, void *from, size_t bytes)
{
    if (!job->kernel)
        return;
    const int b = job->buffer_count++;
    if (b >= RAW_MAX_BUFFERS) {
        fprintf(stderr, "raw_job_buffer: more than %d buffers\n", RAW_MAX_BUFFERS);
        exit(1);
    }
    job->bytes[b] = bytes;
    job->buffers[b] = raw_buffer_over(&job->device, job->device.is_cpu ? from : NULL, bytes);
    if (!job->device.is_cpu)
        raw_write(&job->device, job->buffers[b], from, bytes);
    raw_argument(job, b, &job->buffers[b], sizeof job->buffers[b]);
}

static inline void raw_job_enqueue(const raw_job *job)
{
    raw_check(clEnqueueNDRangeKernel(job->device.queue, job->kernel, (cl_uint)job->dimensions, NULL, job->global,
                                     job->local[0] ? job->local : NULL, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
}

static inline void raw_job_finish(const raw_job *job) { raw_check(clFinish(job->device.queue), "clFinish"); }

/* The three functions of a bench_way; self is a raw_job. */
static inline void raw_job_upload(void *self)
{
    const raw_job *const job = self;
    const int last = job->buffer_count - 1;
    if (job->device.is_cpu)
        raw_hand_over(&job->device, job->buffers[last], CL_MAP_WRITE, job->bytes[last]);
    else
        raw_write(&job->device, job->buffers[last], job->result, job->bytes[last]);
}

static inline void raw_job_run(void *self)
{
    raw_job_enqueue(self);
    raw_job_finish(self);
}

/* In the place of run: what the device's own copy takes. */
static inline void raw_job_copy(void *self)
{
    const raw_job *const job = self;
    const int last = job->buffer_count - 1;
    raw_check(clEnqueueCopyBuffer(job->device.queue, job->buffers[0], job->buffers[last], 0, 0, job->bytes[last], 0,
                                  NULL, NULL),
              "clEnqueueCopyBuffer");
    raw_job_finish(job);
}

static inline void raw_job_download(void *self)
{
    const raw_job *const job = self;
    const int last = job->buffer_count - 1;
    if (job->device.is_cpu)
        raw_hand_over(&job->device, job->buffers[last], CL_MAP_READ, job->bytes[last]);
    else
        raw_read(&job->device, job->buffers[last], job->result, job->bytes[last]);
}

static inline void raw_job_close(raw_job *job)
{
    if (!job->kernel)
        return;
    for (int b = 0; b < job->buffer_count; b++)
        clReleaseMemObject(job->buffers[b]);
    clReleaseKernel(job->kernel);
    raw_close(&job->device);
}

#endif /* RAW_OPENCL_H */
