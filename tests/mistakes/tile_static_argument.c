// SPDX-License-Identifier: MIT
// A tile_static array for a function that takes a plain pointer.
// about: tiles
// says: 'block' is tile_static, which needs its own pointer type
#include "amp.h"

AMP_FUNCTION(float, first_of, (const float *a), { return a[0]; })

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, block, [8]);
        AMP_THREADS(tile, t) { block[t.local.v[0]] = 1; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = first_of(block); }
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
