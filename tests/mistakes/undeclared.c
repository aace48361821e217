// SPDX-License-Identifier: MIT
// A captured name that is none.
// about: captures
// says: 'scale'
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, scale), { AMP_AT(v, i) = scale; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
