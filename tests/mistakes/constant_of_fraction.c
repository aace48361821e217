// SPDX-License-Identifier: MIT
// A constant with a fraction in an element of a view of integers.
// about: views
// says: an integer gets 0.5f, and loses the fraction: make the variable, or the view, one of float
// options: -Wno-literal-conversion
// (clang has a warning of its own, by default)
#include "amp.h"

int main(void)
{
    int p[8] = { 1 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 0.5f; });
    return AMP_AT(v, 0);
}
