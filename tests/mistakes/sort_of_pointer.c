// SPDX-License-Identifier: MIT
// A sort of a C array.
// about: algorithms
// says: amp: amp_sort sorts a view or array of rank 1, not a const one
#include "amp_algorithms.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_sort(p);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
