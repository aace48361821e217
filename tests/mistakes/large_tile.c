// SPDX-License-Identifier: MIT
// A tile of more threads than common GPUs take.
// about: tiles
// says: a tile of (64, 32) has 2048 threads, and common GPUs take 1024
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64][64];
    AMP_ARRAY_VIEW(float, 2, v, &p[0][0], 64, 64);
    AMP_TILED(v.extent, (64, 32), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) += 1; } });
    return 0;
}
