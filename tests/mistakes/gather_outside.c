// SPDX-License-Identifier: MIT
// An algorithm that is given an index outside.
// about: algorithms
// says: the index (100) is outside of a view that the algorithm was given, whose extent is (8)
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float p[8] = { 0 }, q[2] = { 0 };
    int from[2] = { 100, 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_ARRAY_VIEW(float, 1, out, q, 2);
    AMP_ARRAY_VIEW(int, 1, places, from, 2);
    amp_gather(out, v, places);
    return AMP_AT(out, 0) > 0;
}
