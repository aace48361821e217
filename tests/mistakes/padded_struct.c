// SPDX-License-Identifier: MIT
// A struct with gaps.
// about: views
// says: amp: AMP_STRUCT(cell): the struct has padding
#include "amp.h"

AMP_STRUCT(cell, { char kind; float weight; });

int main(void)
{
    cell c = { 0, 1 };
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(cell, c)), { AMP_AT(v, i) = c.weight; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
