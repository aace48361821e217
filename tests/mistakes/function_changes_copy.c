// SPDX-License-Identifier: MIT
// A function that changes its argument, of which it has a copy.
// about: functions
// says: a statement calls a function that changes only 'b', its own copy of an argument
#include "amp.h"

AMP_STRUCT(ball, { float height, speed; });
AMP_FUNCTION(void, fall, (ball b, float seconds), { b.height -= seconds * b.speed; })

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        ball b = { AMP_AT(v, i), 2 };
        fall(b, 0.5f);
        AMP_AT(v, i) = b.height;
    });
    return AMP_AT(v, 0) < 0.5f ? 0 : 1;
}
