// SPDX-License-Identifier: MIT
// A loop of a body that goes one element beyond its array.
// about: bodies
// says: the counter of a loop goes beyond the end of an array of the body: write < for <=
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[8];
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float s[4] = { 1, 2, 3, 4 };
        for (int k = 0; k <= 4; k++)
            AMP_AT(v, i) += s[k];
    });
    return AMP_AT(v, 1) > 1000;
}
