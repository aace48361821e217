// SPDX-License-Identifier: MIT
/*  opencl_interop.c - programs written by hand in OpenCL beside our kernels, on one buffer: both ways.
    Also tests amp/api/opencl_interop.h, amp/backends/interop.h. */
#include "test.h"

int run_backends_opencl_interop(void);

#if defined(AMP_BACKEND_OPENCL) && __has_include(<CL/cl.h>)

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <string.h>
#include "amp_graphics.h"
#include "inside.h"

enum { N = 10007 };

/* ---- the hand-written side ------------------------------------------------------------------------- */

/* This program is not linked with OpenCL, so that the library loads it: the tests' own calls go where that went. */
static void *opencl_function(const char *name)
{
    static const char *const usual[] = { AMP_PRIV_CL_LIBRARIES };
    const char *const wanted = getenv("AMP_OPENCL_LIBRARY");
    void *function = wanted && wanted[0] ? amp_priv_library_find(amp_priv_library_open(wanted), name)
                                         : amp_priv_library_find(amp_priv_library_process(), name);
    for (size_t i = 0; !function && i < sizeof usual / sizeof *usual; i++) {
        void *const library = amp_priv_library_open(usual[i]);
        function = library ? amp_priv_library_find(library, name) : NULL;
    }
    check_that(function != NULL, "OpenCL has no %s", name);
    return function;
}
#define OPENCL(name)              ((__typeof__(&name))(uintptr_t)opencl_function(#name))
#define clBuildProgram            OPENCL(clBuildProgram)
#define clCreateBuffer            OPENCL(clCreateBuffer)
#define clCreateCommandQueue      OPENCL(clCreateCommandQueue)
#define clCreateContext           OPENCL(clCreateContext)
#define clCreateKernel            OPENCL(clCreateKernel)
#define clCreateProgramWithSource OPENCL(clCreateProgramWithSource)
#define clCreateSubBuffer         OPENCL(clCreateSubBuffer)
#define clCreateUserEvent         OPENCL(clCreateUserEvent)
#define clEnqueueFillBuffer       OPENCL(clEnqueueFillBuffer)
#define clEnqueueNDRangeKernel    OPENCL(clEnqueueNDRangeKernel)
#define clEnqueueReadBuffer       OPENCL(clEnqueueReadBuffer)
#define clFinish                  OPENCL(clFinish)
#define clGetCommandQueueInfo     OPENCL(clGetCommandQueueInfo)
#define clGetDeviceInfo           OPENCL(clGetDeviceInfo)
#define clGetMemObjectInfo        OPENCL(clGetMemObjectInfo)
#define clReleaseCommandQueue     OPENCL(clReleaseCommandQueue)
#define clReleaseEvent            OPENCL(clReleaseEvent)
#define clReleaseKernel           OPENCL(clReleaseKernel)
#define clReleaseMemObject        OPENCL(clReleaseMemObject)
#define clReleaseProgram          OPENCL(clReleaseProgram)
#define clSetKernelArg            OPENCL(clSetKernelArg)
#define clSetUserEventStatus      OPENCL(clSetUserEventStatus)

static const char program_text[] = "__kernel void affine(__global int *data, int n, int factor, int summand)\n"
                                   "{\n"
                                   "    const int i = (int)get_global_id(0);\n"
                                   "    if (i < n) data[i] = factor * data[i] + summand;\n"
                                   "}\n";

static void good(cl_int error, const char *what) { check_that(error == CL_SUCCESS, "%s failed with %d", what, error); }

static cl_kernel build(cl_context context, cl_device_id device)
{
    const char *text = program_text;
    cl_int error;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    good(error, "clCreateProgramWithSource");
    good(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "affine", &error);
    good(error, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

/* data[i] = factor * data[i] + summand; *event may be NULL. */
static void affine(cl_command_queue queue, cl_kernel kernel, cl_mem memory, cl_int factor, cl_int summand,
                   cl_event *event)
{
    const cl_int n = N;
    const size_t global = N;
    good(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg 0");
    good(clSetKernelArg(kernel, 1, sizeof n, &n), "clSetKernelArg 1");
    good(clSetKernelArg(kernel, 2, sizeof factor, &factor), "clSetKernelArg 2");
    good(clSetKernelArg(kernel, 3, sizeof summand, &summand), "clSetKernelArg 3");
    good(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, event), "clEnqueueNDRangeKernel");
}

/* Has the buffer that many owners? Drivers give theirs back a little after the command that used it has finished. */
static void check_references(cl_mem memory, cl_uint expected)
{
    cl_uint count = 0;
    for (int tries = 0; tries < 2000 && count != expected; tries++) {
        good(clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL), "clGetMemObjectInfo");
        if (count != expected)
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    check_int(count, expected);
}

/* A context of the user's own on the device of a view: one per device, as the library keeps them. */
static cl_context own_context(amp_accelerator_view view)
{
    static cl_context contexts[AMP_PRIV_MAX_DEVICES];
    cl_context *const context = &contexts[test_device(view)->number];
    cl_device_id device = amp_opencl_device(view);
    cl_platform_id platform = NULL;
    cl_int error = CL_SUCCESS;
    if (*context)
        return *context;
    good(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "clGetDeviceInfo");
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
    *context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    good(error, "clCreateContext");
    return *context;
}

static cl_command_queue new_queue(cl_context context, cl_device_id device)
{
    cl_int error;
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    good(error, "clCreateCommandQueue");
    return queue;
}

static cl_mem new_buffer(cl_context context, size_t bytes)
{
    cl_int error;
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    good(error, "clCreateBuffer");
    return memory;
}

/* FOR_EACH_OPENCL(view) { ... }: as FOR_EACH_ACCELERATOR, without the CPU backend. */
#define FOR_EACH_OPENCL(view) \
    FOR_EACH_ACCELERATOR(view) if (!test_is_cpu(view))

static int data[N];

static void check_data(int factor, int summand)
{
    for (int i = 0; i < N; i++)
        check_that(data[i] == factor * i + summand, "element %d is %d, expected %d", i, data[i], factor * i + summand);
}

/* ---- what is behind ours --------------------------------------------------------------------------- */

static void a_hand_written_kernel_runs_between_ours(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(standard)
    {
        amp_accelerator_view view = amp_accelerator_create_view(amp_accelerator_view_accelerator(standard));
        const cl_kernel kernel = build(amp_opencl_context(view), amp_opencl_device(view));
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(N), view);
        AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = i; });
        affine(amp_opencl_queue(view), kernel, amp_opencl_buffer(a), 3, 5, NULL); /* no waiting: one queue */
        AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 2 * AMP_AT(a, i) + 1; });
        amp_copy_out(a, data, N);
        check_data(6, 11);

        /* The host has a copy now: the next commands make it out of date. */
        affine(amp_opencl_queue(view), kernel, amp_opencl_buffer(a), 1, 1, NULL);
        check_int(amp_accelerator_view_wait(view), AMP_OK);
        amp_copy_out(a, data, N);
        check_data(6, 12);

        /* And what the host wrote goes to the device first. */
        for (int i = 0; i < N; i++)
            data[i] = i;
        amp_copy_in(data, N, a);
        affine(amp_opencl_queue(view), kernel, amp_opencl_buffer(a), -1, 0, NULL);
        check_int(amp_accelerator_view_wait(view), AMP_OK);
        amp_copy_out(a, data, N);
        check_data(-1, 0);

        amp_array_release(&a);
        clReleaseKernel(kernel);
        amp_accelerator_view_release(&view);
    }
}

static void commands_on_another_queue_are_waited_for_by_their_event(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(view)
    {
        const cl_kernel kernel = build(amp_opencl_context(view), amp_opencl_device(view));
        const cl_command_queue mine = new_queue(amp_opencl_context(view), amp_opencl_device(view));
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(N), view);
        AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = i; });
        for (int round = 0; round < 20; round++) {
            const cl_mem memory = amp_opencl_buffer(a);
            amp_accelerator_view_wait(view); /* ours first, then theirs */
            cl_event event = NULL;
            affine(mine, kernel, memory, 1, 1, &event);
            check_int(amp_opencl_after(a, event), AMP_OK);
            clReleaseEvent(event);
            if (round % 2)
                AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) += 2; });
            else
                amp_copy_out(a, data, N);
        }
        amp_copy_out(a, data, N);
        check_data(1, 20 + 20);
        amp_array_release(&a);
        clReleaseCommandQueue(mine);
        clReleaseKernel(kernel);
    }
}

static void views_and_arrays_tell_what_they_are(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(view)
    {
        cl_context context = NULL;
        cl_device_id device = NULL;
        size_t size = 0;
        AMP_ARRAY_ON(view, float, 2, a, 3, 5);
        good(clGetCommandQueueInfo(amp_opencl_queue(view), CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
             "the context");
        good(clGetCommandQueueInfo(amp_opencl_queue(view), CL_QUEUE_DEVICE, sizeof device, &device, NULL),
             "the device");
        check(context == amp_opencl_context(view));
        check(device == amp_opencl_device(view));
        good(clGetMemObjectInfo(amp_opencl_buffer(a), CL_MEM_SIZE, sizeof size, &size, NULL), "the size");
        check(size >= 15 * sizeof(float));
        good(clGetMemObjectInfo(amp_opencl_buffer(a), CL_MEM_CONTEXT, sizeof context, &context, NULL),
             "the buffer's context");
        check(context == amp_opencl_context(view));
    }
}

/* ---- ours, made of theirs --------------------------------------------------------------------------- */

/* One program, with a queue of its own: in the library's context, and in one of its own. */
static void use_own_queue(amp_accelerator_view standard, cl_context context)
{
    const cl_device_id device = amp_opencl_device(standard);
    const cl_command_queue mine = new_queue(context, device);
    const cl_kernel kernel = build(context, device);
    cl_mem memory = new_buffer(context, N * sizeof(int));
    cl_int first = 0;
    good(clEnqueueFillBuffer(mine, memory, &first, sizeof first, 0, N * sizeof(int), 0, NULL, NULL),
         "clEnqueueFillBuffer");
    affine(mine, kernel, memory, 1, 7, NULL);

    amp_accelerator_view view = amp_accelerator_view_from_opencl(mine);
    check(amp_opencl_queue(view) == mine);
    check(amp_opencl_context(view) == context);
    check(!amp_accelerator_view_equal(view, standard));
    amp_array_int_1 a = AMP_ARRAY_FROM_OPENCL(view, int, 1, memory, N);
    check(amp_opencl_buffer(a) == memory);
    clFinish(mine);
    check_references(memory, 2);

    /* ours, theirs, ours: all on one queue, without waiting */
    AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) += i; });
    affine(mine, kernel, memory, 2, 0, NULL);
    AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) -= 1; });
    good(clEnqueueReadBuffer(mine, memory, CL_TRUE, 0, N * sizeof(int), data, 0, NULL, NULL), "clEnqueueReadBuffer");
    check_data(2, 13);

    /* the same contents through our copies, and a view on it, from the host */
    test_poison(data, N);
    amp_copy_out(a, data, N);
    check_data(2, 13);
    const amp_const_array_view_int_1 seen = amp_as_const(amp_view_of(a));
    check_int(AMP_AT(seen, 100), 213);

    /* a view over host memory goes to that queue and comes back, and to the library's own device after it */
    for (int i = 0; i < N; i++)
        data[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, data, N);
        AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v, a), { AMP_AT(v, i) += AMP_AT(a, i); });
        AMP_PARALLEL_FOR_EACH_ON(standard, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 2; });
    }
    check_data(6, 28);

    /* from their array to one of the library's, and back */
    amp_array_int_1 b = amp_array_int_1_create_on(AMP_EXTENT(N), standard);
    amp_copy(a, b);
    AMP_PARALLEL_FOR_EACH_ON(standard, b.extent, (i), AMP_CAPTURE(b), { AMP_AT(b, i) += 10; });
    amp_copy(b, a);
    affine(mine, kernel, amp_opencl_buffer(a), 1, 1, NULL);
    good(clEnqueueReadBuffer(mine, memory, CL_TRUE, 0, N * sizeof(int), data, 0, NULL, NULL), "clEnqueueReadBuffer");
    check_data(2, 24);
    amp_array_release(&b);

    /* each lives as long as its last owner */
    amp_accelerator_view_release(&view);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = i; });
    affine(mine, kernel, amp_opencl_buffer(a), 1, 2, NULL);
    clFinish(mine);
    amp_array_release(&a);
    check_references(memory, 1);
    good(clEnqueueReadBuffer(mine, memory, CL_TRUE, 0, N * sizeof(int), data, 0, NULL, NULL), "clEnqueueReadBuffer");
    check_data(1, 2);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(mine);
}

static void a_queue_in_our_context_makes_a_view(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(view) { use_own_queue(view, amp_opencl_context(view)); }
}

static void a_queue_in_a_context_of_the_users_makes_a_view(void **state)
{
    (void)state;
    const int count = amp_accelerator_get_all(NULL, 0);
    FOR_EACH_OPENCL(view)
    {
        use_own_queue(view, own_context(view));
        use_own_queue(view, own_context(view));
        check_int(amp_accelerator_get_all(NULL, 0), count);
    }
}

static void the_users_release_does_not_take_the_buffer_away(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(view)
    {
        const cl_mem memory = new_buffer(amp_opencl_context(view), N * sizeof(int));
        amp_array_int_2 a = AMP_ARRAY_FROM_OPENCL(view, int, 2, memory, AMP_EXTENT(1, N));
        clReleaseMemObject(memory);
        AMP_PARALLEL_FOR_EACH(a.extent, (i, j), AMP_CAPTURE(a), { AMP_AT(a, i, j) = 3 * j; });
        amp_copy_out(a, data, N);
        check_data(3, 0);
        amp_array_release(&a);
    }
}

static void a_part_of_a_buffer_makes_an_array(void **state)
{
    (void)state;
    FOR_EACH_OPENCL(view)
    {
        cl_uint bits = 0;
        good(clGetDeviceInfo(amp_opencl_device(view), CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL),
             "the alignment");
        const size_t skipped = bits / 8;
        cl_mem whole = new_buffer(amp_opencl_context(view), skipped + N * sizeof(int));
        cl_int error, zero = 0;
        const cl_buffer_region region = { skipped, N * sizeof(int) };
        cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        good(error, "clCreateSubBuffer");
        good(clEnqueueFillBuffer(amp_opencl_queue(view), whole, &zero, 1, 0, skipped + N * sizeof(int), 0, NULL, NULL),
             "fill");
        amp_array_int_1 a = AMP_ARRAY_FROM_OPENCL(view, int, 1, part, N);
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 5 * i + 1; });
        good(clEnqueueReadBuffer(amp_opencl_queue(view), whole, CL_TRUE, skipped, N * sizeof(int), data, 0, NULL, NULL),
             "read");
        check_data(5, 1);
        amp_array_release(&a);
        clReleaseMemObject(part);
        clReleaseMemObject(whole);
    }
}

AMP_DEFINE_TEXTURE(levels, float, float, )

/* The user's own commands may write an array at any time once its buffer was given out: an image of it is filled anew
   for each launch. */
static void texture_units_see_what_the_users_commands_write(void **state)
{
    enum { SIDE = 16 };
    (void)state;
    FOR_EACH_OPENCL(view)
    {
        amp_priv_device *const device = amp_accelerator_view_accelerator(view).amp_priv_device;
        const bool before = device->samples_images;
        cl_bool has_images = CL_FALSE;
        good(clGetDeviceInfo(amp_opencl_device(view), CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL),
             "image support");
        device->samples_images = has_images;
        cl_mem memory = new_buffer(amp_opencl_context(view), SIDE * SIDE * sizeof(float));
        amp_array_float_2 lent = amp_array_float_2_create_on(AMP_EXTENT(SIDE, SIDE), view);
        amp_array_float_2 given = AMP_ARRAY_FROM_OPENCL(view, float, 2, memory, SIDE, SIDE);
        amp_array_float_1 out = amp_array_float_1_create_on(AMP_EXTENT(2), view);
        amp_array_view_float_2 v = amp_view_of(lent), w = amp_view_of(given);
        const amp_const_array_view_float_2 first = amp_as_const(v), second = amp_as_const(w);
        const cl_mem buffer = amp_opencl_buffer(lent);
        for (int round = 1; round < 4; round++) {
            const cl_float value = (cl_float)round;
            float seen[2] = { -1, -1 };
            for (int i = 0; i < 2; i++)
                good(clEnqueueFillBuffer(amp_opencl_queue(view), i ? memory : buffer, &value, sizeof value, 0,
                                         SIDE * SIDE * sizeof value, 0, NULL, NULL),
                     "fill");
            AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(1), (i), AMP_CAPTURE(first, second, out), {
                const amp_sampler s = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
                AMP_AT(out, i) = levels_fast_sample_2(first, s, AMP_FLOAT_2(0.5f));
                AMP_AT(out, i + 1) = levels_fast_sample_2(second, s, AMP_FLOAT_2(0.5f));
            });
            amp_copy_out(out, seen, 2);
            check_that(fabsf(seen[0] - value) < 0.01f && fabsf(seen[1] - value) < 0.01f, "%g and %g, not %g",
                       (double)seen[0], (double)seen[1], (double)value);
        }
        const amp_priv_image *const image = (const void *)lent.amp_priv.source->replica[device->number]->images;
        check((image && image->native) == (has_images == CL_TRUE));
        amp_array_view_release(&v);
        amp_array_view_release(&w);
        amp_array_release(&lent);
        amp_array_release(&given);
        amp_array_release(&out);
        clReleaseMemObject(memory);
        device->samples_images = before;
    }
}

/* ---- errors ------------------------------------------------------------------------------------------ */

static void the_cpu_loops_have_nothing_of_opencl(void **state)
{
    (void)state;
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    AMP_ARRAY_ON(cpu, int, 1, a, N);
    check(amp_opencl_context(cpu) == NULL);
    expect_error(AMP_RUNTIME_ERROR, "amp_opencl_context: cpu");
    check(amp_opencl_queue(cpu) == NULL);
    expect_error(AMP_RUNTIME_ERROR, "amp_opencl_queue: cpu");
    check(amp_opencl_device(cpu) == NULL);
    expect_error(AMP_RUNTIME_ERROR, "amp_opencl_device: cpu");
    check(amp_opencl_buffer(a) == NULL);
    expect_error(AMP_RUNTIME_ERROR, "amp_opencl_buffer: cpu");
    amp_array_int_1 none = AMP_ARRAY_FROM_OPENCL(cpu, int, 1, NULL, N);
    check(none.amp_priv.source == NULL);
    expect_error(AMP_RUNTIME_ERROR, "AMP_ARRAY_FROM_OPENCL: cpu");
    check(amp_opencl_buffer(none) == NULL);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_opencl_buffer");
    check_int(amp_opencl_after(a, NULL), AMP_RUNTIME_ERROR);
    expect_error(AMP_RUNTIME_ERROR, "amp_opencl_after: cpu");
}

static void what_is_not_a_queue_or_buffer_is_refused(void **state)
{
    (void)state;
    check(amp_accelerator_view_from_opencl(NULL).amp_priv_queue == NULL);
    expect_error(AMP_INVALID_ARGUMENT, "amp_accelerator_view_from_opencl: the queue is NULL");
    FOR_EACH_OPENCL(view)
    {
        const cl_context context = amp_opencl_context(view);
        cl_int error;
        const cl_command_queue wild =
            clCreateCommandQueue(context, amp_opencl_device(view), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
        if (error == CL_SUCCESS) {
            check(amp_accelerator_view_from_opencl(wild).amp_priv_queue == NULL);
            expect_error(AMP_INVALID_ARGUMENT, "out of order");
            clReleaseCommandQueue(wild);
        }
        amp_array_int_1 a = AMP_ARRAY_FROM_OPENCL(view, int, 1, NULL, N);
        check(a.amp_priv.source == NULL);
        expect_error(AMP_INVALID_ARGUMENT, "the cl_mem is NULL");
        const cl_mem memory = new_buffer(context, 4 * N), other = new_buffer(own_context(view), 4 * N);
        a = AMP_ARRAY_FROM_OPENCL(view, int, 1, memory, N + 1);
        check(a.amp_priv.source == NULL);
        expect_error(AMP_INVALID_ARGUMENT, "40028 bytes, but the extent needs 40032");
        a = AMP_ARRAY_FROM_OPENCL(view, int, 1, memory, -1);
        expect_error(AMP_INVALID_ARGUMENT, "the extent is -1 in dimension 0");
        a = AMP_ARRAY_FROM_OPENCL(view, int, 1, other, N);
        expect_error(AMP_INVALID_ARGUMENT, "another context");
        check_references(memory, 1);
        check_references(other, 1);

        AMP_ARRAY_ON(view, int, 1, ours, N);
        check_int(amp_opencl_after(ours, NULL), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_opencl_after: the event is NULL");
        const cl_event event = clCreateUserEvent(own_context(view), &error);
        good(error, "clCreateUserEvent");
        check_int(amp_opencl_after(ours, event), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "not of the context");
        clSetUserEventStatus(event, CL_COMPLETE);
        clReleaseEvent(event);
        clReleaseMemObject(memory);
        clReleaseMemObject(other);
    }
}

/* NVIDIA's compiler takes no limit of registers where the size of a work-group is required. */
static void kernels_that_look_back_have_few_registers_on_nvidia(void **state)
{
    (void)state;
    static const char plain[] = "__kernel void k(void) {}", back[] = "{ enum { amp_priv_many_tiles }; }";
    char options[256];
    test_opencl_build_options(options, sizeof options, plain, 90);
    check_that(!strcmp(options, "-w"), "%s", options);
    test_opencl_build_options(options, sizeof options, back, 0);
    check_that(!strcmp(options, "-w"), "%s", options);
    test_opencl_build_options(options, sizeof options, back, 90);
    check_that(strstr(options, "-w -cl-nv-maxrregcount=48 -D"), "%s", options);
}

/* NVIDIA's plain stores to volatile memory are for the whole system: tiles that look back see them late. */
static void atomic_stores_exchange(void **state)
{
    (void)state;
    check_that(!test_opencl_stores_plainly(), "a third of the speed of scans on NVIDIA");
}

int run_backends_opencl_interop(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hand_written_kernel_runs_between_ours),
        TEST(commands_on_another_queue_are_waited_for_by_their_event),
        TEST(views_and_arrays_tell_what_they_are),
        TEST(a_queue_in_our_context_makes_a_view),
        TEST(a_queue_in_a_context_of_the_users_makes_a_view),
        TEST(the_users_release_does_not_take_the_buffer_away),
        TEST(a_part_of_a_buffer_makes_an_array),
        TEST(texture_units_see_what_the_users_commands_write),
        TEST(the_cpu_loops_have_nothing_of_opencl),
        TEST(what_is_not_a_queue_or_buffer_is_refused),
        TEST(kernels_that_look_back_have_few_registers_on_nvidia),
        TEST(atomic_stores_exchange),
    };
    return cmocka_run_group_tests_name("backends/opencl_interop", tests, NULL, NULL);
}

#else

/* This build has no OpenCL, or there is no CL/cl.h. */
int run_backends_opencl_interop(void)
{
#if defined(AMP_BACKEND_OPENCL)
    puts("SKIPPED interop: CL/cl.h is not there");
#endif
    return 0;
}

#endif
