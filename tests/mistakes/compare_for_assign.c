// SPDX-License-Identifier: MIT
// == where = is meant.
// about: bodies
// says: a statement compares 'v' by == and drops the result: write = to assign
// options: -Wno-unused-comparison
// (clang has a warning of its own, by default, for each copy of the body)
#include "amp.h"

int main(void)
{
    float p[8] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) == 1; });
    return AMP_AT(v, 1) > 2;
}
