// SPDX-License-Identifier: MIT
// An index with brackets.
// about: tiles
// says: subscripted value is
// cure: `t.local.v[0]`, `v.extent.v[0]`
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = t.local[0]; }
    });
    return AMP_AT(v, 1) == 1 ? 0 : 1;
}
