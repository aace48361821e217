// SPDX-License-Identifier: MIT
// A fraction as the value of a view of integers.
// about: algorithms
// says: the elements are integers, and the value 0.5, 0.5, becomes 0: make the view one of float or double
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    int p[8] = { 1 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    amp_fill(v, 0.5);
    return AMP_AT(v, 3);
}
