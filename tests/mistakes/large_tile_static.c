// SPDX-License-Identifier: MIT
// More tile_static memory than some GPUs have.
// about: tiles
// says: its tile_static variables take 40960 bytes, and some GPUs have 32768 for a tile
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, block, [10][16][64]);
        AMP_THREADS(tile, t) { block[1][1][t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) += block[1][1][63 - t.local.v[0]]; }
    });
    return 0;
}
