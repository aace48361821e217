// SPDX-License-Identifier: MIT
// An index that is no int.
// about: algorithms
// says: amp: amp_argminmax: each result must be a variable of type int, or a view or array of that, of rank 1
#include "amp_algorithms.h"

int main(void)
{
    float p[8] = { 0 };
    int64_t least = 0, greatest = 0;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_argminmax(least, greatest, v);
    return least < greatest;
}
