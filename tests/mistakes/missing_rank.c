// SPDX-License-Identifier: MIT
// An array without its rank.
// about: views
// says: amp: AMP_ARRAY(float, a, 8, ...): first the element type, then the rank, a number
#include "amp.h"

int main(void)
{
    AMP_ARRAY(float, a, 8);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 1; });
    return AMP_AT(a, 0) == 1 ? 0 : 1;
}
