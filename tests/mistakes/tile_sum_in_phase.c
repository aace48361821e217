// SPDX-License-Identifier: MIT
// A sum of a tile by a loop in one phase.
// about: tiles
// says: a phase reads elements of 'part' that other threads of the tile write in the same phase
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    enum { T = 16 };
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (T), tile, AMP_CAPTURE(v, w, AMP_CONSTANT(T)), {
        AMP_TILE_STATIC(float, part, [T]);
        AMP_THREADS(tile, t) { part[t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            for (int half = T / 2; half > 0; half /= 2)
                if (t.local.v[0] < half)
                    part[t.local.v[0]] += part[t.local.v[0] + half];
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                AMP_AT(w, t.tile) = part[0];
        }
    });
    return AMP_AT(w, 0) > 1;
}
