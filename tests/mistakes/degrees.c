// SPDX-License-Identifier: MIT
// Degrees for a sine.
// about: bodies
// says: gets one in degrees
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = sinf(90.0f) * i; });
    return AMP_AT(v, 3) > 8;
}
