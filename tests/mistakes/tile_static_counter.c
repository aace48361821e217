// SPDX-License-Identifier: MIT
// A counter in tile_static memory, without an atomic.
// about: tiles
// says: threads of a phase change the same element of 'count'
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static int p[64], q[64];
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, w, q, 4);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(int, count, [1]);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                count[0] = 0;
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            if (AMP_AT(v, t.global) > 5)
                count[0]++;
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                AMP_AT(w, t.tile) = count[0];
        }
    });
    return AMP_AT(w, 0) > 1;
}
