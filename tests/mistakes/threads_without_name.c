// SPDX-License-Identifier: MIT
// A phase that does not name its thread.
// about: tiles
// says: amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile) { AMP_AT(v, tile.global) = 1; }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
