// SPDX-License-Identifier: MIT
// Steps in time without an exchange of the views.
// about: host
// says: it has run 3 times with the same views, and computes the same each time
// silent-device: the CPU backend finds it
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float from[64], to[64];
    from[32] = 1000;
    AMP_ARRAY_VIEW(float, 1, a, from, 64);
    AMP_ARRAY_VIEW(float, 1, b, to, 64);
    for (int step = 0; step < 10; step++)
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (i), AMP_CAPTURE(a, b), {
            AMP_AT(b, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2;
        });
    return AMP_AT(b, 33) > 500;
}
