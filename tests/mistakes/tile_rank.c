// SPDX-License-Identifier: MIT
// A tile of another rank than the extent.
// about: tiles
// says: amp: the tile (4, 4) must have one size per dimension of the extent
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
