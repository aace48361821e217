// SPDX-License-Identifier: MIT
// The parameters of an AMP_FUNCTION without parentheses.
// about: functions
// says: amp: the parameters of AMP_FUNCTION(float, twice, ...) must be in parentheses
#include "amp.h"

AMP_FUNCTION(float, twice, float x, { return 2 * x; })

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = twice(1); });
    return AMP_AT(v, 0) == 2 ? 0 : 1;
}
