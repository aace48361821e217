// SPDX-License-Identifier: MIT
// A captured variable with the name of an operand, in a comparison.
// about: algorithms
// says: 'a' is an operand of the operation or comparison, which hides the captured 'a'
#include "amp_algorithms.h"

int main(void)
{
    int k[6] = { 5, 1, 4, 2, 9, 3 };
    const int a = 4;
    AMP_ARRAY_VIEW(int, 1, v, k, 6);
    AMP_SORT(v, AMP_CAPTURE(a), abs(a - a) < abs(b - a));
    return AMP_AT(v, 0);
}
