// SPDX-License-Identifier: MIT
// A sum of floats that is kept in an int.
// about: algorithms
// says: the value is a floating-point number, and the algorithm keeps an integer
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    static float p[64] = { 0.5f, 0.5f };
    int total = 0;
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_REDUCE(int, total, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    return total > 1;
}
