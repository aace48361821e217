// SPDX-License-Identifier: MIT
// A maximum by a test and an exchange.
// about: races
// says: an index tests an element of 'most' and then changes it by an atomic function, and others change it in between
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], greatest[1];
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, most, greatest, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, most), {
        if (AMP_AT(v, i) > AMP_AT(most, 0))
            amp_atomic_exchange(&AMP_AT(most, 0), AMP_AT(v, i));
    });
    return AMP_AT(most, 0) > 64;
}
