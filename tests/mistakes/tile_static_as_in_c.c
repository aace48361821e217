// SPDX-License-Identifier: MIT
// tile_static memory declared as in C.
// about: tiles
// says: : type, name and dimensions are separate arguments
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float line[16]);
        AMP_THREADS(tile, t) { line[t.local.v[0]] = 1; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = line[15 - t.local.v[0]]; }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
