// SPDX-License-Identifier: MIT
// A phase that adds to a local array of the tile.
// about: tiles
// says: a phase writes 'sums', a uniform variable
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        float sums[2] = { 0 };
        AMP_THREADS(tile, t) { sums[t.local.v[0] % 2] += AMP_AT(v, t.global); }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sums[0]; }
    });
    return 0;
}
