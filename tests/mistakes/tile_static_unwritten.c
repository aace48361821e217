// SPDX-License-Identifier: MIT
// A sum in tile_static memory that nothing has set to 0.
// about: tiles
// says: 'line' is read before a phase writes it: tile_static memory has no first value
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
            line[t.local.v[0]] += AMP_AT(v, t.global);
            AMP_AT(w, t.global) = line[t.local.v[0]];
        }
    });
    return AMP_AT(w, 0) > 1;
}
