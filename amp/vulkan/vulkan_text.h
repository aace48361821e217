/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_text.h - source that makes a kernel SPIR-V: OpenCL C, which clspv compiles */
#ifndef AMP_VULKAN_VULKAN_TEXT_H
#define AMP_VULKAN_VULKAN_TEXT_H

#include "../backends/opencl_text.h"
#include "vulkan_math.h"

/* clspv crashes at a struct of two integers that is set to constants, as the identity of an algorithm may be:
   `const amp_priv_T amp_priv_identity = { 1, 0 }`. */
AMP_PRIV_COLD void amp_priv_vulkan_rewrite_tiled(amp_priv_token_list *body, const amp_priv_launch_site *site)
{
    (void)site;
    for (amp_priv_source_token *t = body->token; t < body->token + body->count; t++)
        if (amp_priv_is(t, "amp_priv_identity") && amp_priv_is(t + 1, "=") && amp_priv_is_mark(t + 2, "{(") &&
            amp_priv_is(t - 1, "amp_priv_T"))
            amp_priv_token_insert(body, t, "volatile ");
}

AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const amp_priv_prologue_text amp_priv_vulkan_opening[] = { AMP_PRIV_OPENCL_OPENING,
                                                                                          AMP_PRIV_VULKAN_OPENING,
                                                                                          { NULL, NULL } };
AMP_PRIV_LONG_STRINGS_END

__attribute__((unused)) static const amp_priv_target amp_priv_vulkan_target = {
    AMP_PRIV_OPENCL_TARGET,
    .opening = amp_priv_vulkan_opening,
    .rewrite_tiled = amp_priv_vulkan_rewrite_tiled,
};

#endif /* AMP_VULKAN_VULKAN_TEXT_H */
