// SPDX-License-Identifier: MIT
// `return` in a phase of a tiled body.
// about: tiles
// says: 'return' with no value, in function returning non-void
// says-clang: cannot return from OpenMP region
// cure: `continue` ends the phase for one thread
// options: -c
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                return;
            AMP_AT(v, t.global) = 1;
        }
    });
    return AMP_AT(v, 1) == 1 ? 0 : 1;
}
