// SPDX-License-Identifier: MIT
// A view captured by its address.
// about: captures
// says: amp: AMP_CAPTURE takes names
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(&v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
