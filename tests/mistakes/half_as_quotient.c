// SPDX-License-Identifier: MIT
// A half as a quotient of two integers.
// about: bodies
// says: a quotient of two constants is 0, and so is what it is multiplied by: write x / 2 for 1 / 2 * x
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[8] = { 2, 2, 2, 2, 2, 2, 2, 2 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1 / 2 * AMP_AT(v, i); });
    return AMP_AT(v, 3) == 1;
}
