// SPDX-License-Identifier: MIT
// A histogram into numbers of 64 bits.
// about: algorithms
// says: amp: AMP_HISTOGRAM: the counts must be a view or array of int, of rank 1
#include "amp_algorithms.h"

int main(void)
{
    int p[4] = { 1, 0, 1, 0 };
    int64_t q[4];
    AMP_ARRAY_VIEW(int, 1, v, p, 4);
    AMP_ARRAY_VIEW(int64_t, 1, counts, q, 4);
    AMP_HISTOGRAM(counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
    return AMP_AT(counts, 0) == 2 ? 0 : 1;
}
