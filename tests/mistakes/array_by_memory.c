// SPDX-License-Identifier: MIT
// A local array, indexed by elements beyond its end.
// about: bodies
// says: is element 4 of an array that has 4
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[64];
    for (int i = 0; i < 64; i++)
        p[i] = i % 5;
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        int count[4] = { 0 };
        count[AMP_AT(v, i)]++;
        AMP_AT(v, i) = count[0];
    });
    return AMP_AT(v, 0) != 1;
}
