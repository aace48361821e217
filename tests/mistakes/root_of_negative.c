// SPDX-License-Identifier: MIT
// The square root of negative numbers.
// about: bodies
// says: is not a number, of -3
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64];
    for (int i = 0; i < 64; i++)
        p[i] = (float)i - 3;
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = sqrtf(AMP_AT(v, i));
    });
    return AMP_AT(v, 4) > 1;
}
