// SPDX-License-Identifier: MIT
// An element of an array in the capture list.
// about: captures
// says: amp: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    const float scales[2] = { 2, 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, scales[1]), { AMP_AT(v, i) = scales[1]; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
