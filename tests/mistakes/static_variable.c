// SPDX-License-Identifier: MIT
// A static variable in a body.
// about: bodies
// says: `static` variables do not exist on devices
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        static int calls;
        AMP_AT(v, i) = (float)++calls;
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
