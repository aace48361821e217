// SPDX-License-Identifier: MIT
// A tile_static array with a first value.
// about: tiles
// says: tile_static variables cannot be initialised: set 's' in a phase, and end the phase with a barrier
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, s, [16]) = { 0 };
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = s[t.local.v[0]]; }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
