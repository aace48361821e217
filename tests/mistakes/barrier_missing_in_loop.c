// SPDX-License-Identifier: MIT
// A loop that loads the next tile before all threads have used the last one.
// about: tiles
// says: a phase writes elements of 'line' that another phase reads for other threads, and no barrier is between them
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], q[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {
        AMP_TILE_STATIC(float, line, [16]);
        AMP_PRIVATE(float, sum);
        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }
        for (int b = 0; b < 4; b++) {
            AMP_THREADS(tile, t) { line[t.local.v[0]] = AMP_AT(v, b * 16 + t.local.v[0]); }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < 16; k++)
                    AMP_OWN(sum) += line[k];
            }
        }
        AMP_THREADS(tile, t) { AMP_AT(w, t.global) = AMP_OWN(sum); }
    });
    return AMP_AT(w, 0) > 1;
}
