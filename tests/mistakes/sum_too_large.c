// SPDX-License-Identifier: MIT
// A sum that does not fit int.
// about: algorithms
// says: the sum of 3 elements is 3000000000, which does not fit the type of the result
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    int x[3] = { 1000000000, 1000000000, 1000000000 }, sums[3];
    AMP_CONST_ARRAY_VIEW(int, 1, v, x, 3);
    AMP_ARRAY_VIEW(int, 1, out, sums, 3);
    amp_inclusive_sum(out, v);
    return AMP_AT(out, 0) < 0;
}
