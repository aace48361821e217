// SPDX-License-Identifier: MIT
// A mathematical function whose result is dropped.
// about: bodies
// says: a statement calls 'fmaxf' and drops its result: assign it, x = fmaxf(...);
// options: -Wno-unused-value
// (clang has a warning of its own, by default)
#include "amp.h"
#include <math.h>

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float s = 1;
        fmaxf(s, AMP_AT(v, i));
        AMP_AT(v, i) = s;
    });
    return AMP_AT(v, 1) > 100;
}
