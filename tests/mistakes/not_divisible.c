// SPDX-License-Identifier: MIT
// A tile that does not divide the extent.
// about: tiles
// says: dimension 0 of the extent (100) is not divisible by the tile (16): 100 by 16 leaves 4; pad it
#include "amp.h"

int main(void)
{
    float p[100] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 100);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
