// SPDX-License-Identifier: MIT
// A view of structs without AMP_DEFINE_ELEMENT.
// about: views
// says: amp: point is not an element type: write AMP_DEFINE_ELEMENT(point)
#include "amp.h"

AMP_STRUCT(point, { float x, y; });

int main(void)
{
    point p[8] = { { 0, 0 } };
    AMP_ARRAY_VIEW(point, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i).x = 1; });
    return AMP_AT(v, 0).x == 1 ? 0 : 1;
}
