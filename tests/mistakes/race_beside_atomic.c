// SPDX-License-Identifier: MIT
// A counter that the kernel sets to 0 and counts in.
// about: races
// says: an element of 'count' is changed by an atomic function, and by an assignment
#include "amp.h"

int main(void)
{
    static float p[64];
    int counted[1];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, count, counted, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
        AMP_AT(count, 0) = 0;
        amp_atomic_fetch_add(&AMP_AT(count, 0), AMP_AT(v, i) > 0);
    });
    return AMP_AT(count, 0) > 64;
}
