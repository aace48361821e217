// SPDX-License-Identifier: MIT
// tile_static memory without its type.
// about: tiles
// says: type, name and dimensions are separate arguments: AMP_TILE_STATIC(float, block, [16])
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(block, [16]);
        AMP_THREADS(tile, t) { block[t.local.v[0]] = AMP_AT(v, t.global); }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
