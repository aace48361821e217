// SPDX-License-Identifier: MIT
// A view of int on memory of unsigned int.
// about: views
// says: amp: AMP_ARRAY_VIEW(int, 1, v, ...): one of int and the type of the elements in memory is unsigned
#include "amp_algorithms.h"

int main(void)
{
    unsigned p[4] = { 4000000000u, 1, 2, 3 };
    AMP_ARRAY_VIEW(int, 1, v, p, 4);
    return amp_max(v) == 3;
}
