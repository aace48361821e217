// SPDX-License-Identifier: MIT
// A tile without parentheses.
// about: tiles
// says: amp: the tile 4 of AMP_TILED must be in parentheses
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, 4, tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
