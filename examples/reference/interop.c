/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/interop.md: scripts/reference shows what follows a comment of names. */
#define AMP_BACKEND_OPENCL
#define AMP_BACKEND_CUDA
/* clang-format off */
#include "amp.h"

/* the program's own, which call OpenCL and CUDA */
amp_cl_event enqueue_own_kernel(amp_cl_command_queue queue, amp_cl_mem memory);
amp_cu_event launch_own_kernel(amp_cu_stream stream, amp_cu_pointer memory);

/* amp_cl_platform_id, amp_opencl_context, amp_opencl_buffer, amp_opencl_after */
void own_kernel(amp_array_float_1 a, amp_accelerator_view view)
{
    const amp_cl_mem memory = amp_opencl_buffer(a);
    amp_opencl_after(a, enqueue_own_kernel(amp_opencl_queue(view), memory));
}

/* amp_accelerator_view_from_opencl, AMP_ARRAY_FROM_OPENCL */
void own_queue(amp_cl_command_queue queue, amp_cl_mem memory, int n)
{
    amp_accelerator_view view = amp_accelerator_view_from_opencl(queue);
    amp_array_float_1 a = AMP_ARRAY_FROM_OPENCL(view, float, 1, memory, n);
    AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) *= 2; });
    amp_array_release(&a);
    amp_accelerator_view_release(&view);
}

/* amp_cu_context, amp_cuda_context, amp_cuda_pointer, amp_cuda_after */
void own_cuda_kernel(amp_array_float_1 a, amp_accelerator_view view)
{
    const amp_cu_pointer memory = amp_cuda_pointer(a);
    amp_cuda_after(a, launch_own_kernel(amp_cuda_stream(view), memory));
}

/* amp_accelerator_view_from_cuda, AMP_ARRAY_FROM_CUDA */
void own_stream(amp_cu_stream stream, amp_cu_pointer memory, int n)
{
    amp_accelerator_view view = amp_accelerator_view_from_cuda(stream);
    amp_array_float_1 a = AMP_ARRAY_FROM_CUDA(view, float, 1, memory, n);
    AMP_PARALLEL_FOR_EACH_ON(view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) *= 2; });
    amp_array_release(&a);
    amp_accelerator_view_release(&view);
}
