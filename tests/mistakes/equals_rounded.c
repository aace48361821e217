// SPDX-License-Identifier: MIT
// A computed float that is compared by `==`.
// about: bodies
// says: '==' compares a computed number, which is rounded, with a constant
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (float)i * 0.1f == 0.3f ? 1 : 0; });
    return AMP_AT(v, 0) > 1;
}
