// SPDX-License-Identifier: MIT
// A `;` behind AMP_THREADS.
// about: tiles
// says: AMP_THREADS(...); ends at its `;`, and what follows is not its phase: remove the `;`
// options: -Wno-empty-body
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    // clang-format off
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t);
        { AMP_AT(v, tile.tile_origin.v[0]) = 2; }
    });
    // clang-format on
    return AMP_AT(v, 1) > 1.5f ? 0 : 1;
}
