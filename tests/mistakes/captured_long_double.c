// SPDX-License-Identifier: MIT
// A long double in the capture list.
// about: captures
// says-gcc: amp: AMP_CAPTURE(scale): long double does not exist in kernels; use double
// says-clang: amp: AMP_CAPTURE(v, scale): long double does not exist in kernels; use double
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    const long double scale = 1;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, scale), { AMP_AT(v, i) = (float)scale; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
