// SPDX-License-Identifier: MIT
// A sum of ints that no int holds.
// about: bodies
// says: 'sum += AMP_AT(v, k)' is more than an int holds
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static int p[64], q[64];
    for (int i = 0; i < 64; i++)
        p[i] = 100000000;
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, w, q, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w), {
        int sum = 0;
        for (int k = 0; k <= i; k++)
            sum += AMP_AT(v, k);
        AMP_AT(w, i) = sum;
    });
    return AMP_AT(w, 1) < 0;
}
