// SPDX-License-Identifier: MIT
// The result of a tile, written by each of its threads.
// about: tiles
// says: each thread of a tile writes its own value to one element of 'w'
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[4];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 4);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_THREADS(tile, t) { AMP_AT(w, tile.tile.v[0]) = AMP_AT(v, t.global); }
    });
    return AMP_AT(w, 0) > 0;
}
