// SPDX-License-Identifier: MIT
// `break` in a body, outside of any loop.
// about: bodies
// says: `break` outside of a loop or switch would skip other threads
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i == 3)
            break;
        AMP_AT(v, i) = 1;
    });
    return AMP_AT(v, 2) == 1 ? 0 : 1;
}
