// SPDX-License-Identifier: MIT
// A tree reduction of a tile that is no power of 2.
// about: tiles
// says: a loop that halves combines elements of 's', and leaves out some
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[96], q[96];
    AMP_ARRAY_VIEW(float, 1, v, p, 96);
    AMP_ARRAY_VIEW(float, 1, w, q, 96);
    AMP_TILED(v.extent, (48), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, s, [48]);
        AMP_THREADS(tile, t) { s[t.local.v[0]] = AMP_AT(v, t.global); }
        for (int h = 24; h > 0; h /= 2) {
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                if (t.local.v[0] < h) s[t.local.v[0]] += s[t.local.v[0] + h];
            }
        }
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0) AMP_AT(w, tile.tile.v[0]) = s[0];
        }
    });
    return AMP_AT(w, 0) > 0;
}
