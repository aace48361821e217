// SPDX-License-Identifier: MIT
// A #pragma in a body.
// about: bodies
// says-gcc: for statement expected before
// says-clang: embedding a #pragma directive within macro arguments is not supported
// cure: none is needed: loops of kernels become vectors; `AMP_UNROLL(n)`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float sum = 0;
#pragma omp simd
        for (int k = 0; k < 4; k++) sum += 0.25f;
        AMP_AT(v, i) = sum;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
