// SPDX-License-Identifier: MIT
// A square by `^`.
// about: bodies
// says: '^' is an exclusive or, and its result becomes
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i ^ 2; });
    return AMP_AT(v, 3) > 8;
}
