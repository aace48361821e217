// SPDX-License-Identifier: MIT
// A sum into an element of a view, without an atomic.
// about: races
// says: every index changes the same element of 't', so that changes are lost
#include "amp.h"

int main(void)
{
    float p[64] = { 1 }, total[1] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, t, total, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, t), { AMP_AT(t, 0) += AMP_AT(v, i); });
    return AMP_AT(t, 0) > 0;
}
