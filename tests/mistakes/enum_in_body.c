// SPDX-License-Identifier: MIT
// A variable of the host's enum in a body.
// about: functions
// says: 'mode' is an enum of the host, which does not exist on devices: declare an int
#include "amp.h"

enum mode { UP, DOWN };

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(DOWN)), {
        enum mode way = DOWN;
        AMP_AT(v, i) = way == DOWN ? 1 : 2;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
