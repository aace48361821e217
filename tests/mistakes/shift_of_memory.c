// SPDX-License-Identifier: MIT
// A shift by an element, which is more than the integer has bits.
// about: bodies
// says: '1 << AMP_AT(v, i)' shifts 32 bits by 40
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[64];
    for (int i = 0; i < 64; i++)
        p[i] = 40 - i;
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = 1 << AMP_AT(v, i);
    });
    return AMP_AT(v, 1) > 100;
}
