// SPDX-License-Identifier: MIT
// A tile that reads its neighbours' elements, which no phase loads.
// about: tiles
// says: 's[t.local.v[0]]' has no value yet
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, s, [18]);
        AMP_THREADS(tile, t) {
            s[t.local.v[0] + 1] = AMP_AT(v, t.global);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(w, t.global) = s[t.local.v[0]] + s[t.local.v[0] + 2];
        }
    });
    return AMP_AT(w, 3) > 8;
}
