// SPDX-License-Identifier: MIT
// tile_static memory of a variable size.
// about: tiles
// says: amp: AMP_TILE_STATIC(float, line, [size]): its dimensions must be constants
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    int size = 4;
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, line, [size]);
        AMP_THREADS(tile, t) {
            line[t.local.v[0]] = 1;
            AMP_AT(v, t.global) = line[t.local.v[0]];
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
