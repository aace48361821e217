/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_text.h - source that makes a kernel SPIR-V: OpenCL C, which clspv compiles */
#ifndef AMP_VULKAN_VULKAN_TEXT_H
#define AMP_VULKAN_VULKAN_TEXT_H

#include "../backends/opencl_text.h"

/* Without what pocl needs of tiles. */
__attribute__((unused)) static const amp_priv_target amp_priv_vulkan_target = { AMP_PRIV_OPENCL_TARGET };

#endif /* AMP_VULKAN_VULKAN_TEXT_H */
