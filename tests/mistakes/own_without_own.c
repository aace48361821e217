// SPDX-License-Identifier: MIT
// A variable of AMP_PRIVATE under its name alone.
// about: tiles
// says-gcc: assignment to expression with array type
// says-clang: is not assignable
// cure: `AMP_OWN(sum) = 1`, which is the thread's own
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, sum);
        AMP_THREADS(tile, t) { sum = 1; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(sum); }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
