// SPDX-License-Identifier: MIT
// A variable of the body with the name of what is captured.
// about: captures
// says: the body declares a variable with the name of what it captures, which hides it
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    const float a = 2;
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, a), {
        float a = 0;
        AMP_AT(v, i) += a;
    });
    return AMP_AT(v, 1) > 100;
}
