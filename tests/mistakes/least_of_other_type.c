// SPDX-License-Identifier: MIT
// A result of another type than the elements.
// about: algorithms
// says: amp: amp_minmax: each result must be a variable of the type of the elements of v, or a view or array of that
#include "amp_algorithms.h"

int main(void)
{
    float p[8] = { 0 };
    double least = 0, greatest = 0;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_minmax(least, greatest, v);
    return least < greatest;
}
