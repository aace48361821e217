// SPDX-License-Identifier: MIT
// `break` in a phase, outside of any loop of the phase.
// about: tiles
// says: `break` outside of a loop or switch would skip other threads
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        for (int round = 0; round < 2; round++)
            AMP_THREADS(tile, t) {
                if (t.local.v[0] == 1)
                    break;
                AMP_AT(v, t.global) = 1;
            }
    });
    return AMP_AT(v, 2) == 1 ? 0 : 1;
}
