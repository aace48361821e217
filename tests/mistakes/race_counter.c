// SPDX-License-Identifier: MIT
// A counter in a branch, without an atomic.
// about: races
// says: several indexes may change the same element of 'count', so that changes are lost
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    int counts[1] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, count, counts, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
        if (AMP_AT(v, i) > 0)
            AMP_AT(count, 0)++;
    });
    return AMP_AT(count, 0) > 64;
}
