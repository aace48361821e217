// SPDX-License-Identifier: MIT
// A typedef that kernels do not know.
// about: functions
// says: repeat a typedef as AMP_TYPEDEF(type, number)
#include "amp.h"

typedef float number;

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (number)i + 1; });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
