// SPDX-License-Identifier: MIT
// An accelerator view without _ON.
// about: views
// says: an accelerator view goes first, in AMP_PARALLEL_FOR_EACH_ON
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_accelerator_view view = amp_accelerator_default_view(amp_accelerator_default());
    AMP_PARALLEL_FOR_EACH(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
