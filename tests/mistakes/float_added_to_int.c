// SPDX-License-Identifier: MIT
// Floats that are added to an int.
// about: bodies
// says: '+=' adds a floating-point number to an integer
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        int sum = 0;
        for (int k = 0; k < 4; k++) sum += 0.5f * AMP_AT(v, i);
        AMP_AT(v, i) = (float)sum;
    });
    return AMP_AT(v, 0) > 0;
}
