// SPDX-License-Identifier: MIT
// A binary search in a view that is not sorted.
// about: algorithms
// says: the range is not sorted by (a < b): element 0 is 5, and element 1 is 1
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    int k[6] = { 5, 1, 4, 2, 9, 3 }, q[1] = { 4 }, at[1] = { 0 };
    AMP_CONST_ARRAY_VIEW(int, 1, v, k, 6);
    AMP_CONST_ARRAY_VIEW(int, 1, key, q, 1);
    AMP_ARRAY_VIEW(int, 1, out, at, 1);
    amp_lower_bound(out, v, key);
    return AMP_AT(out, 0) > 6;
}
