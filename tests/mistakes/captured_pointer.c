// SPDX-License-Identifier: MIT
// A pointer in the capture list.
// about: captures
// says: amp: what is captured has no brackets: write AMP_AT(v, i) for v[i] of a view v
#include "amp.h"

int main(void)
{
    float p[8] = { 0 }, memory[8] = { 0 };
    float *q = memory;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, q), { AMP_AT(v, i) = q[i] + 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
