// SPDX-License-Identifier: MIT
// A pointer in the capture list.
// says-gcc: amp: AMP_CAPTURE(q): a pointer or C array cannot be captured; make an AMP_ARRAY_VIEW
// says-clang: amp: AMP_CAPTURE(v, q): a pointer or C array cannot be captured; make an AMP_ARRAY_VIEW
#include "amp.h"

int main(void)
{
    float p[8] = { 0 }, memory[8] = { 0 };
    float *q = memory;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, q), { AMP_AT(v, i) = q[i] + 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
