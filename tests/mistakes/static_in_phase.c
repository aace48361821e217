// SPDX-License-Identifier: MIT
// tile_static memory declared in a phase.
// about: tiles
// says: amp: AMP_TILE_STATIC(float, line, [4]) is allowed only in the body of AMP_TILED
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_TILE_STATIC(float, line, [4]);
            line[t.local.v[0]] = 1;
            AMP_AT(v, t.global) = line[t.local.v[0]];
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
