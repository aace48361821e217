// SPDX-License-Identifier: MIT
// A scan into a view that is shorter than what is scanned.
// about: algorithms
// says: amp: AMP_INVALID_ARGUMENT: amp_inclusive_sum: the result has 64 elements, but the view out has 32; use a larger view
#include "amp_algorithms.h"

int main(void)
{
    float p[64] = { 0 }, q[64] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, sums, q, 32);
    amp_inclusive_sum(sums, v);
    return AMP_AT(sums, 0) == 0 ? 0 : 1;
}
