// SPDX-License-Identifier: MIT
// A maximum whose result is dropped.
// about: bodies
// says: a statement calls 'amp_max' and drops its result: assign it, x = amp_max(...);
// options: -Wno-unused-value
// (clang has a warning of its own, by default)
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float s = 1;
        amp_max(s, AMP_AT(v, i));
        AMP_AT(v, i) = s;
    });
    return AMP_AT(v, 1) > 100;
}
