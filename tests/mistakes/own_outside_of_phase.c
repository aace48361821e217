// SPDX-License-Identifier: MIT
// AMP_OWN outside of a phase.
// about: tiles
// says: amp: AMP_OWN is allowed only in a phase
// cure: `AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }`
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, sum);
        AMP_OWN(sum) = 1;
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(sum); }
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
