// SPDX-License-Identifier: MIT
// An index divided by the extent, both integers.
// about: bodies
// says: a quotient of two integers is 0 for each index, and then becomes a floating-point number
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i / v.extent.v[0]; });
    return AMP_AT(v, 0) > 1;
}
