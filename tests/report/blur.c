// SPDX-License-Identifier: MIT
/*  A blur that takes almost all of the time, by its arithmetic alone, with a transfer in each step and a small launch,
    which cost little. A report has to name the blur first. */
#include "../../amp.h"

enum { SIDE = 160, RADIUS = 24, SMALL = 64, STEPS = 4 };

static float sharp[SIDE * SIDE], soft[SIDE * SIDE], few[SMALL];

static void blur(amp_array_view_float_2 to, amp_const_array_view_float_2 from)
{
    const int radius = RADIUS, last = SIDE - 1;

    /* planted: arithmetic */
    AMP_PARALLEL_FOR_EACH(to.extent, (row, column), AMP_CAPTURE(to, from, radius, last), {
        float sum = 0, weights = 0;
        for (int y = -radius; y <= radius; y++)
            for (int x = -radius; x <= radius; x++) {
                const int r = row + y < 0 ? 0 : row + y > last ? last : row + y;
                const int c = column + x < 0 ? 0 : column + x > last ? last : column + x;
                const float weight = expf(-(float)(x * x + y * y) / (float)(radius * radius));
                sum += weight * AMP_AT(from, r, c);
                weights += weight;
            }
        AMP_AT(to, row, column) = sum / weights;
    });
}

static void add_one(amp_array_view_float_1 x)
{
    /* planted: small */
    AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x), { AMP_AT(x, i) += 1.0f; });
}

int main(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, from, sharp, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, to, soft, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 1, x, few, SMALL);
    for (int i = 0; i < SIDE * SIDE; i++)
        sharp[i] = (float)(i % SIDE);
    for (int n = 0; n < STEPS; n++) {
        blur(to, from);
        add_one(x);
        AMP_AT(x, 0) = (float)n;
    }
    amp_array_view_synchronize(&to);
    amp_array_view_synchronize(&x);
    return 0;
}
