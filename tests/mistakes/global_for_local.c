// SPDX-License-Identifier: MIT
// The place in the launch as an index of the tile's memory.
// about: tiles
// says: 'line', which has elements for a tile, is indexed by global, the place of a thread in the launch: use local
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[32], q[32];
    AMP_ARRAY_VIEW(float, 1, v, p, 32);
    AMP_ARRAY_VIEW(float, 1, w, q, 32);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, line, [16]);
        AMP_THREADS(tile, t) { line[t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(w, t.global) = line[t.global.v[0]]; }
    });
    return AMP_AT(w, 0) > 1;
}
