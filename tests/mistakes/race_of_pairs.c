// SPDX-License-Identifier: MIT
// A sum of pairs with an index for each number.
// about: races
// says: several indexes change one element of 'sums', so that changes are lost
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, sums, q, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, sums), { AMP_AT(sums, i / 2) += AMP_AT(v, i); });
    return AMP_AT(sums, 0) > 1;
}
