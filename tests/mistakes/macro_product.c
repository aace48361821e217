// SPDX-License-Identifier: MIT
// A macro without parentheses.
// about: bodies
// says: a + 1 * a + 1 is what a macro without parentheses leaves
// options: -DAMP_CHECKED
#include "amp.h"

#define SQUARE(x) x * x

int main(void)
{
    static int p[64];
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = SQUARE(i + 1); });
    return AMP_AT(v, 2) == 9;
}
