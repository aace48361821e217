// SPDX-License-Identifier: MIT
// Sums by key of keys that are not sorted.
// about: algorithms
// says: the key 1 is that of the segments 0 and 2: equal keys that are not adjacent
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    int k[5] = { 1, 1, 2, 1, 3 }, kept[5], sums[5], count = 0;
    AMP_CONST_ARRAY_VIEW(int, 1, key, k, 5);
    AMP_ARRAY_VIEW(int, 1, out_key, kept, 5);
    AMP_ARRAY_VIEW(int, 1, out, sums, 5);
    AMP_REDUCE_BY_KEY(int, out_key, out, count, key, (i), AMP_CAPTURE(), 1, a + b, 0);
    return count > 5;
}
