/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_text.h - source that makes a kernel SPIR-V: OpenCL C, which clspv compiles */
#ifndef AMP_VULKAN_VULKAN_TEXT_H
#define AMP_VULKAN_VULKAN_TEXT_H

#include "../backends/opencl_text.h"

/* clspv crashes at a struct of two integers that is set to constants, as the identity of an algorithm may be:
   `const amp_priv_T amp_priv_identity = { 1, 0 }`. */
AMP_PRIV_COLD void amp_priv_vulkan_rewrite_tiled(amp_priv_token_list *body)
{
    for (amp_priv_source_token *t = body->token; t < body->token + body->count; t++)
        if (amp_priv_is(t, "amp_priv_identity") && amp_priv_is(t + 1, "=") && amp_priv_is_mark(t + 2, "{(") &&
            amp_priv_is(t - 1, "amp_priv_T"))
            amp_priv_token_insert(body, t, "volatile ");
}

__attribute__((unused)) static const amp_priv_target amp_priv_vulkan_target = {
    AMP_PRIV_OPENCL_TARGET,
    .rewrite_tiled = amp_priv_vulkan_rewrite_tiled,
};

#endif /* AMP_VULKAN_VULKAN_TEXT_H */
