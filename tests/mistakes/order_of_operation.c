// SPDX-License-Identifier: MIT
// A reduction by a difference.
// about: algorithms
// says: the operation a - b depends on the order: of 1 and 2 it is -1
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float x[4] = { 1, 2, 3, 4 }, rest = 0;
    AMP_CONST_ARRAY_VIEW(float, 1, v, x, 4);
    AMP_REDUCE(float, rest, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a - b, 0.0f);
    return rest > 100;
}
