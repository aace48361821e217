// SPDX-License-Identifier: MIT
// A memset in a body.
// about: bodies
// says: 'memset' does not exist on devices: assign
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float own[2];
        memset(own, 0, sizeof own);
        AMP_AT(v, i) = own[1] + 1;
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
