// SPDX-License-Identifier: MIT
// The sum of a view of rank 2.
// about: algorithms
// says: amp: amp_sum takes a view or array of rank 1: a row of a table is amp_project(v, i), and AMP_REDUCE goes over
#include "amp_algorithms.h"

int main(void)
{
    float p[4][4] = { { 0 } };
    AMP_ARRAY_VIEW(float, 2, v, p, 4, 4);
    return amp_sum(v) > 0;
}
