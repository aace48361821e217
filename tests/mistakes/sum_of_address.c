// SPDX-License-Identifier: MIT
// The address of a view for an algorithm.
// about: algorithms
// says: amp: amp_sum takes a view or array of rank 1
#include "amp_algorithms.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    return (int)amp_sum(&v);
}
