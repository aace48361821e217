// SPDX-License-Identifier: MIT
// A struct in the capture list without AMP_VALUE.
// about: captures
// says-gcc: amp: AMP_CAPTURE(at): capture a struct or vector as AMP_VALUE(type, at)
// says-clang: amp: AMP_CAPTURE(v, at): capture a struct or vector as AMP_VALUE(type, s)
#include "amp.h"

AMP_STRUCT(point, { float x, y; });

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    const point at = { 1, 2 };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, at), { AMP_AT(v, i) = at.x; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
