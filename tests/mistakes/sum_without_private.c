// SPDX-License-Identifier: MIT
// A sum of each thread in a local variable of the tile, from phase to phase.
// about: tiles
// says: a phase changes 'sum', a uniform variable
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        float sum = 0;
        for (int k = 0; k < 4; k++)
            AMP_THREADS(tile, t) { sum += AMP_AT(v, t.global); }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sum; }
    });
    return 0;
}
