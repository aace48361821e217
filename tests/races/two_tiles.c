// SPDX-License-Identifier: MIT
/*  two_tiles.c - a planted bug for scripts/check-races: the last thread of each tile also writes the first element of
    the next one. */
#include <stdio.h>
#include "amp.h"

enum { N = 64, TS = 16 };

int main(void)
{
    int values[N];
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    amp_array_view_discard_data(&v);
    AMP_TILED(v.extent, (TS), tile, AMP_CAPTURE(v, AMP_CONSTANT(TS), AMP_CONSTANT(N)), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = t.global.v[0]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, (t.global.v[0] + t.local.v[0] / (TS - 1)) % N) = 0; }
    });
    printf("%d\n", AMP_AT(v, 0));
    return 0;
}
