// SPDX-License-Identifier: MIT
// A phase in a kernel that has no tiles.
// about: tiles
// says: amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_THREADS(i, t) { AMP_AT(v, t.global) = 1; }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
