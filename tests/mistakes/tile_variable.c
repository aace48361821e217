// SPDX-License-Identifier: MIT
// A tile of a variable size.
// about: tiles
// says: amp: every size of the tile (size) must be a positive constant
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    int size = 4;
    AMP_TILED(v.extent, (size), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = 1;
        }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
