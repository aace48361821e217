// SPDX-License-Identifier: MIT
// A loop that changes nothing of what its condition tests.
// about: bodies
// says: 'k < 4' stays true: the loop never ends
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static int p[64];
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        int k = 0;
        while (k < 4)
            AMP_AT(v, i) = k;
    });
    return AMP_AT(v, 0) != 3;
}
