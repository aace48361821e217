// SPDX-License-Identifier: MIT
/*  missing_barrier.c - a planted bug for scripts/check-races: threads read what others of their tile write in the phase
    before, and no amp_barrier_wait is between the phases. */
#include <stdio.h>
#include "amp.h"

enum { N = 64, TS = 16 };

int main(void)
{
    int values[N];
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    amp_array_view_discard_data(&v);
    AMP_TILED(v.extent, (TS), tile, AMP_CAPTURE(v, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(int, shared, [TS]);
        AMP_THREADS(tile, t) { shared[t.local.v[0]] = t.global.v[0]; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global.v[0]) = shared[TS - 1 - t.local.v[0]]; }
    });
    printf("%d\n", AMP_AT(v, 0));
    return 0;
}
