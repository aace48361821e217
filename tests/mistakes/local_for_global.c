// SPDX-License-Identifier: MIT
// The place in the tile as the index of a view.
// about: tiles
// says: each tile writes its own values to the same elements of 'w'
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_THREADS(tile, t) { AMP_AT(w, t.local) = 2 * AMP_AT(v, t.global); }
    });
    return AMP_AT(w, 0) > 1;
}
