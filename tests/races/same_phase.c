// SPDX-License-Identifier: MIT
/*  same_phase.c - a planted bug for scripts/check-races: in one phase, threads write their own element of a tile_static
    array and read their neighbour's. */
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
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { shared[t.local.v[0]] += shared[(t.local.v[0] + 1) % TS]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = shared[t.local.v[0]]; }
    });
    printf("%d\n", AMP_AT(v, 0));
    return 0;
}
