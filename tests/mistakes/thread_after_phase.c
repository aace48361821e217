// SPDX-License-Identifier: MIT
// A thread after its phase.
// about: tiles
// says: 't' undeclared (first use in this function)
// says-clang: use of undeclared identifier 't'
// cure: it ends with its phase: begin another, `AMP_THREADS(tile, t) { ... }`; AMP_PRIVATE outlives phases
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
        AMP_AT(v, t.global) += 1;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
