// SPDX-License-Identifier: MIT
// A phase in a phase.
// about: tiles
// says: amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
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
