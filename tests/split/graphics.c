// SPDX-License-Identifier: MIT
/*  split/graphics.c - a kernel with vectors; the exit status is 0 when its result is right. */
#include "amp_graphics.h"

AMP_DEFINE_ELEMENT(amp_float_4)

int main(void)
{
    amp_float_4 values[10] = { { 0 } };
    {
        AMP_ARRAY_VIEW(amp_float_4, 1, v, values, 10);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
            AMP_AT(v, i) = amp_float_4_clamp(AMP_AT(v, i) + 3.0f, 0, 2);
        });
    }
    return (int)values[9][2] != 2;
}
