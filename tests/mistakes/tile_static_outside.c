// SPDX-License-Identifier: MIT
// A tile_static array too short for the neighbour of the last thread.
// about: tiles
// says: an index of 'line' is outside of its dimensions for a thread of the tile
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, line, [16]);
        AMP_THREADS(tile, t) { line[t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(w, t.global) = line[t.local.v[0] + 1]; }
    });
    return AMP_AT(w, 0) > 1;
}
