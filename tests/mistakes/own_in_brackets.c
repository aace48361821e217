// SPDX-License-Identifier: MIT
// An element of an AMP_PRIVATE array in brackets.
// about: tiles
// says-gcc: subscripted value is neither array nor pointer nor vector
// says-clang: subscripted value is not an array, pointer, or vector
// cure: AMP_OWN(x, 1)
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x, [2]);
        AMP_THREADS(tile, t) { AMP_OWN(x[1]) = AMP_AT(v, t.global); }
    });
    return 0;
}
