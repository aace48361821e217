// SPDX-License-Identifier: MIT
// More indexes than elements, which are assigned.
// about: races
// says: several indexes write different values to one element of 'ring', and any of these may stay
#include "amp.h"

int main(void)
{
    static float p[64], q[10];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, ring, q, 10);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, ring), { AMP_AT(ring, i % 10) = AMP_AT(v, i); });
    return AMP_AT(ring, 0) > 1;
}
