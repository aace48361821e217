// SPDX-License-Identifier: MIT
// A sort by `a - b`, as for qsort.
// about: algorithms
// says: the comparison (a - b) puts each of two elements before the other: element 0, which is 5
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    int k[6] = { 5, 1, 4, 2, 9, 3 };
    AMP_ARRAY_VIEW(int, 1, v, k, 6);
    AMP_SORT(v, AMP_CAPTURE(), a - b);
    return AMP_AT(v, 0) > 6;
}
