// SPDX-License-Identifier: MIT
// A view by AMP_VALUE, under a name of its type.
// about: captures
// says: a view is captured by its name alone
#include "amp.h"

typedef amp_array_view_float_1 floats;

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(AMP_VALUE(floats, v)), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
