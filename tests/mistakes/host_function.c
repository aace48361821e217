// SPDX-License-Identifier: MIT
// A function that is no AMP_FUNCTION.
// about: functions
// says: 'twice' is not a function on devices: define it at file scope with AMP_FUNCTION
#include "amp.h"

static float twice(float x) { return 2 * x; }

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = twice(1); });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
