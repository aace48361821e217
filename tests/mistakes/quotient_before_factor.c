// SPDX-License-Identifier: MIT
// A quotient of integers before a factor with a fraction.
// about: bodies
// says: a quotient of two integers drops its fraction, and then
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i / 4 * 2.5f; });
    return AMP_AT(v, 0) > 0;
}
