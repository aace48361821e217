// SPDX-License-Identifier: MIT
// The number of an element that fulfils a condition, which several do.
// about: races
// says: several indexes write different values to one element of 'found', and any of these may stay
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    int first[1] = { -1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, found, first, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, found), {
        if (AMP_AT(v, i) >= 0)
            AMP_AT(found, 0) = i;
    });
    return AMP_AT(found, 0) > 64;
}
