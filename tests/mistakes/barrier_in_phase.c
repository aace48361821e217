// SPDX-License-Identifier: MIT
// A barrier inside a phase.
// about: tiles
// says: has no member named 'barrier'
// says-clang: no member named 'barrier' in 'struct amp_tile_in_threads1'
// cure: end the phase, then `amp_barrier_wait(tile.barrier)`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
            amp_barrier_wait(tile.barrier);
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
