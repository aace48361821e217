// SPDX-License-Identifier: MIT
// Steps in time of two arrays, of which one has the values at the border.
// about: host
// says: a and b are exchanged, and differ in the elements around the launch's indexes
// silent-device: the CPU backend finds it
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float from[64], to[64];
    from[0] = from[63] = 100;
    AMP_ARRAY_VIEW(float, 1, a, from, 64);
    AMP_ARRAY_VIEW(float, 1, b, to, 64);
    for (int step = 0; step < 10; step++) {
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (i), AMP_CAPTURE(a, b), {
            AMP_AT(b, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2;
        });
        amp_swap(&a, &b);
    }
    return AMP_AT(a, 32) > 100;
}
