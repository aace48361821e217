// SPDX-License-Identifier: MIT
/* Heat on a plate, by OpenCL: the first device of the first platform. Errors end it. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include "clock.h"

enum { N = 1024, STEPS = 100 };
static float from[N][N], to[N][N];

static const char source[] =
    "__kernel void heat(__global const float *a, __global float *b) {"
    "    const int n = 1024, col = get_global_id(0) + 1, row = get_global_id(1) + 1, i = row * n + col;"
    "    b[i] = (a[i - n] + a[i + n] + a[i - 1] + a[i + 1] + 4 * a[i]) / 8;"
    "}";

static void check(cl_int status)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "OpenCL: %d\n", status);
        exit(1);
    }
}

int main(void)
{
    from[N / 2][N / 2] = 1000000;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    const char *text = source;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    const cl_kernel kernel = clCreateKernel(program, "heat", &status);
    check(status);
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof from, from, &status);
    check(status);
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof to, to, &status);
    check(status);
    const size_t size[2] = { N - 2, N - 2 };
    for (int step = 0; step < STEPS; step++) {
        check(clSetKernelArg(kernel, 0, sizeof a, &a));
        check(clSetKernelArg(kernel, 1, sizeof b, &b));
        check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
        const cl_mem other = a;
        a = b, b = other;
        if (step == 0)
            first_launch(clFinish(queue));
    }
    check(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof from, from, 0, NULL, NULL));
    report(from[N / 2][N / 2]);
    clReleaseMemObject(a), clReleaseMemObject(b), clReleaseKernel(kernel), clReleaseProgram(program);
    clReleaseCommandQueue(queue), clReleaseContext(context);
    return 0;
}
