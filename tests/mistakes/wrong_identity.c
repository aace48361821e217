// SPDX-License-Identifier: MIT
// A maximum with the identity 0.
// about: algorithms
// says: 0 is no identity of the operation a > b ? a : b: with the value -3 it is 0
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float x[3] = { -3, -1, -2 }, most = 0;
    AMP_CONST_ARRAY_VIEW(float, 1, v, x, 3);
    AMP_REDUCE(float, most, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a > b ? a : b, 0.0f);
    return most > 0;
}
