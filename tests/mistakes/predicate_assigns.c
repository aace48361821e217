// SPDX-License-Identifier: MIT
// `=` in a predicate, where `==` is meant.
// about: algorithms
// says: the predicate assigns to 'v', and is true where that is not 0: compare with `==`
#include "amp_algorithms.h"

int main(void)
{
    int k[6] = { 5, 1, 4, 2, 9, 3 };
    AMP_ARRAY_VIEW(int, 1, v, k, 6);
    return AMP_COUNT_IF(v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) = 4) > 6;
}
