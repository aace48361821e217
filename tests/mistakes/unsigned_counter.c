// SPDX-License-Identifier: MIT
// A loop down to 0 with an unsigned counter.
// about: bodies
// says: the unsigned 'k' is never below 0, so that k >= 0 does not end the loop: declare it as int
#include "amp.h"

int main(void)
{
    float p[8] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        for (unsigned k = 7; k >= 0; k--)
            AMP_AT(v, i) += 1;
    });
    return AMP_AT(v, 1) > 20;
}
