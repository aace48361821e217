// SPDX-License-Identifier: MIT
// A launch in a body.
// about: captures
// says: amp: AMP_PARALLEL_FOR_EACH in the body of a kernel
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_PARALLEL_FOR_EACH(v.extent, (j), AMP_CAPTURE(v), { AMP_AT(v, j) = 1; });
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
