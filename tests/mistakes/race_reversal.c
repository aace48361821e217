// SPDX-License-Identifier: MIT
// A view that is reversed in place.
// about: races
// says: an index reads an element of 'v' that another index writes
#include "amp.h"

int main(void)
{
    float p[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const int n = 8;
    AMP_ARRAY_VIEW(float, 1, v, p, n);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) = AMP_AT(v, n - 1 - i); });
    return AMP_AT(v, 0) > 8;
}
