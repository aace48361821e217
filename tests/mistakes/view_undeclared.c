// SPDX-License-Identifier: MIT
// A view that is declared nowhere, in a sort.
// about: captures
// says-gcc: 'number' undeclared
// compilers: gcc
// cure: declare it; the other lines of gcc follow from it
#include "amp_algorithms.h"

int main(void)
{
    float data[4] = { 3, 1, 4, 1 };
    AMP_ARRAY_VIEW(float, 1, numbers, data, 4);
    amp_sort(number);
    return AMP_AT(numbers, 0) == 1 ? 0 : 1;
}
