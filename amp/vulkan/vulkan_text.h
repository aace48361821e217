/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_text.h - source that makes a kernel SPIR-V: OpenCL C, which clspv compiles */
#ifndef AMP_VULKAN_VULKAN_TEXT_H
#define AMP_VULKAN_VULKAN_TEXT_H

#include "../backends/opencl_text.h"

__attribute__((unused)) static const amp_priv_target amp_priv_vulkan_target = {
    .suffix = "cl",
    .opening = amp_priv_opencl_opening,
    .names = amp_priv_text_opencl_names,
    .at = amp_priv_target_at,
    .functions = amp_priv_opencl_functions,
    .functions64 = { amp_priv_text_opencl_atomics64, amp_priv_text_opencl_atomics64_double },
    .no_functions64 = { amp_priv_text_opencl_no_atomics64, amp_priv_text_opencl_no_atomics64_double },
    .words = amp_priv_text_opencl_words,
    .types = amp_priv_text_opencl_types,
    .builtin = amp_priv_text_opencl_builtin,
};

#endif /* AMP_VULKAN_VULKAN_TEXT_H */
