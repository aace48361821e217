// SPDX-License-Identifier: MIT
/*  agreement.c - every type, constant and function of amp/backends/opencl_api.h is that of CL/cl.h, which is included
    before
    amp.h (-DBEFORE) or after it. Compiling it is the test.
    Also tests amp/backends/opencl_api.h, amp/base/dynamic_library.h. */
#define CL_TARGET_OPENCL_VERSION 120
#if defined(BEFORE)
#include <CL/cl.h>
#include "amp.h"
#else
#include "amp.h"
#include <CL/cl.h>
#endif

#define SAME_VALUE(name, value) _Static_assert(AMP_CL_##name == CL_##name && CL_##name == (value), #name);
AMP_PRIV_CL_ERRORS(SAME_VALUE)
AMP_PRIV_CL_CONSTANTS(SAME_VALUE)
_Static_assert(AMP_CL_DEVICE_TYPE_ALL == CL_DEVICE_TYPE_ALL, "DEVICE_TYPE_ALL");

#define SAME(ours, theirs) _Static_assert(__builtin_types_compatible_p(ours, theirs), #theirs);
SAME(amp_cl_platform_id, cl_platform_id)
SAME(amp_cl_device_id, cl_device_id)
SAME(amp_cl_context, cl_context)
SAME(amp_cl_command_queue, cl_command_queue)
SAME(amp_cl_mem, cl_mem)
SAME(amp_cl_program, cl_program)
SAME(amp_cl_kernel, cl_kernel)
SAME(amp_cl_event, cl_event)
/* Structs of our own, of which pointers are given as pointers to OpenCL's. */
#define SAME_MEMBER(ours, theirs, name, their_name)                                                                    \
    _Static_assert(offsetof(ours, name) == offsetof(theirs, their_name) &&                                             \
                       sizeof((ours *)0)->name == sizeof((theirs *)0)->their_name,                                     \
                   #their_name);
_Static_assert(sizeof(amp_cl_image_format) == sizeof(cl_image_format), "cl_image_format");
SAME_MEMBER(amp_cl_image_format, cl_image_format, order, image_channel_order)
SAME_MEMBER(amp_cl_image_format, cl_image_format, type, image_channel_data_type)
_Static_assert(sizeof(amp_cl_image_desc) == sizeof(cl_image_desc), "cl_image_desc");
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, type, image_type)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, width, image_width)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, height, image_height)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, depth, image_depth)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, array_size, image_array_size)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, row_pitch, image_row_pitch)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, slice_pitch, image_slice_pitch)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, mip_levels, num_mip_levels)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, samples, num_samples)
SAME_MEMBER(amp_cl_image_desc, cl_image_desc, buffer, buffer)
/* Answers have no types in a function's declaration: those that the library takes for them. */
SAME(uint32_t, cl_bool)
SAME(uint32_t, cl_mem_object_type)
SAME(int32_t, cl_build_status)
SAME(uint64_t, cl_device_type)
SAME(uint64_t, cl_device_fp_config)
SAME(uint64_t, cl_command_queue_properties)
SAME(uint64_t, cl_ulong)

#define SAME_FUNCTION(result, name, arguments) SAME(__typeof__(*amp_priv_cl.name), __typeof__(cl##name))
AMP_PRIV_CL_FUNCTIONS(SAME_FUNCTION)

/* What the library gives and takes is the user's without a cast. */
int interop(amp_accelerator_view view);
int interop(amp_accelerator_view view)
{
    cl_context context = amp_opencl_context(view);
    cl_device_id device = amp_opencl_device(view);
    cl_command_queue queue = amp_opencl_queue(view);
    amp_accelerator_view other = amp_accelerator_view_from_opencl(queue);
    amp_array_float_1 array = amp_array_float_1_create_on(AMP_EXTENT(1), other);
    cl_mem memory = amp_opencl_buffer(array);
    cl_event event = NULL;
    return context && device && memory && amp_opencl_after(array, event) == AMP_OK;
}
