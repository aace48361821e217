// SPDX-License-Identifier: MIT
// > in the condition of a loop, where < is meant.
// about: bodies
// says: the condition of a loop is false for the first value of 'k', so that it never runs
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        for (int k = 0; k > 4; k++)
            AMP_AT(v, i) += 1;
    });
    return AMP_AT(v, 1) > 100;
}
