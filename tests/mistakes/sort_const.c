// SPDX-License-Identifier: MIT
// A sort of a const view.
// about: algorithms
// says: amp: amp_sort sorts a view or array of rank 1, not a const one
#include "amp_algorithms.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 8);
    amp_sort(v);
    return AMP_AT(v, 0) == 0 ? 0 : 1;
}
