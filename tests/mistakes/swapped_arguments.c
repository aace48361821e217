// SPDX-License-Identifier: MIT
// The rank before the element type.
// about: views
// says: amp: AMP_ARRAY_VIEW(1, float, v, ...): first the element type, then the rank, a number
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(1, float, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
