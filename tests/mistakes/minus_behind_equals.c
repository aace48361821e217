// SPDX-License-Identifier: MIT
// `x =-2` for `x -= 2`.
// about: bodies
// says: `=-` assigns a value with a sign: to change the variable write `-=`
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    // clang-format off
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) =-2; });
    // clang-format on
    return AMP_AT(v, 0) < -2;
}
