// SPDX-License-Identifier: MIT
// Two elements that amp_scatter writes to the same place.
// about: algorithms
// says: elements 2 and 3 go to the same place, 7, and any of them may stay: give each its own place
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float p[4] = { 1, 2, 3, 4 }, q[8] = { 0 };
    int places[4] = { 5, 6, 7, 7 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 4);
    AMP_CONST_ARRAY_VIEW(int, 1, to, places, 4);
    AMP_ARRAY_VIEW(float, 1, out, q, 8);
    amp_scatter(out, v, to);
    return AMP_AT(out, 7) < 3;
}
