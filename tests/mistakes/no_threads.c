// SPDX-License-Identifier: MIT
// A tiled body without AMP_THREADS.
// about: tiles
// says: AMP_TILED without AMP_THREADS does nothing
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_AT(v, tile.tile_origin) = 1;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
