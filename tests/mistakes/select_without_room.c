// SPDX-License-Identifier: MIT
// A selection into a view that is shorter than what is selected.
// about: algorithms
// says: AMP_SELECT_IF: the result has 64 elements, but the view out has 32, where the first 32 are; use a larger view
#include "amp_algorithms.h"

int main(void)
{
    float p[64] = { 0 }, q[64] = { 0 };
    int count = 0;
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, kept, q, 32);
    AMP_SELECT_IF(kept, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) == 0, AMP_AT(v, i));
    return count == 64 ? 0 : 1;
}
