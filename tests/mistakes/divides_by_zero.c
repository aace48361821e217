// SPDX-License-Identifier: MIT
// An integer divided by elements, of which some are 0.
// about: bodies
// says: '100 / AMP_AT(v, i)' divides an integer by 0
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[64];
    for (int i = 0; i < 64; i++)
        p[i] = 5 - i;
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = 100 / AMP_AT(v, i);
    });
    return AMP_AT(v, 0) != 20;
}
