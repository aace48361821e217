// SPDX-License-Identifier: MIT
// A variable that is not captured.
// about: captures
// says: 'factor' is not captured: add it to AMP_CAPTURE
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    const float factor = 2;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = factor; });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
