// SPDX-License-Identifier: MIT
// A sum of a body that has no first value.
// about: bodies
// says: 'sum' is read before it has a value: give it one where it is declared
#include "amp.h"

int main(void)
{
    float p[8] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float sum;
        for (int k = 0; k < 2; k++)
            sum += AMP_AT(v, i);
        AMP_AT(v, i) = sum;
    });
    return AMP_AT(v, 1) > 2;
}
