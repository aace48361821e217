// SPDX-License-Identifier: MIT
// A pointer in a body.
// about: captures
// says: 'q' is an array or pointer of the host
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    float *q = p;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { q[i] = 1 + AMP_AT(v, i); });
    return p[0] > 0 ? 0 : 1;
}
