// SPDX-License-Identifier: MIT
// A view without an extent.
// about: views
// says: amp: AMP_ARRAY_VIEW(float, 1, v, ...) takes a pointer, and then as many integer extents as it has dimensions
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
