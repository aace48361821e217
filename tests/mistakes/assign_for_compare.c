// SPDX-License-Identifier: MIT
// = in a condition, where == is meant.
// about: bodies
// says: the condition assigns to 'k', and is true where that is not 0: compare with `==`
// options: -Wno-parentheses
// (clang has a warning of its own, by default, for each copy of the body)
#include "amp.h"

int main(void)
{
    float p[8] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        int k = i;
        if (k = 3)
            AMP_AT(v, i) = 1;
    });
    return AMP_AT(v, 1) > 2;
}
