// SPDX-License-Identifier: MIT
// A phase that reads what other threads of the tile have just written.
// about: tiles
// says: a phase reads elements of 'line' that other threads of the tile write in the same phase
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, line, [16]);
        AMP_THREADS(tile, t) {
            line[t.local.v[0]] = AMP_AT(v, t.global);
            AMP_AT(w, t.global) = line[15 - t.local.v[0]];
        }
    });
    return AMP_AT(w, 0) > 1;
}
