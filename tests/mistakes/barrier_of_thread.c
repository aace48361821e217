// SPDX-License-Identifier: MIT
// A barrier of the thread's index, as C++ AMP has it.
// about: tiles
// says: has no member named 'barrier'
// says-clang: no member named 'barrier' in 'struct amp_tiled_index1'
// cure: between two phases, `amp_barrier_wait(tile.barrier)`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
            amp_barrier_wait(t.barrier);
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
