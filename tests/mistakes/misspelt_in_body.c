// SPDX-License-Identifier: MIT
// A misspelt name in a body.
// about: captures
// says: 'scael'
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    const float scale = 1;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, scale), { AMP_AT(v, i) = scael; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
