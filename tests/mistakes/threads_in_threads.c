// SPDX-License-Identifier: MIT
// A phase in a phase.
// says: '_Generic' selector of type 'struct amp_tile_in_threads1' is not compatible
// says-clang: controlling expression type 'amp_priv_tile_in_threads'
// cure: end the first phase, and begin the next one after it
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_THREADS(tile, u) { AMP_AT(v, u.global) = 1; }
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
