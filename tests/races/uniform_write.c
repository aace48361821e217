// SPDX-License-Identifier: MIT
/*  uniform_write.c - a seeded bug for scripts/check-races: uniform code writes to a view, which the CPU backend does
    once per tile and a device once per thread. */
#include <stdio.h>
#include "amp.h"

enum { N = 64, TS = 16 };

int main(void)
{
    int values[N], tiles[N / TS];
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, per_tile, tiles, N / TS);
    amp_array_view_discard_data(&v);
    amp_array_view_discard_data(&per_tile);
    AMP_TILED(v.extent, (TS), tile, AMP_CAPTURE(v, per_tile, AMP_CONSTANT(TS)), {
        AMP_AT(per_tile, tile.tile) = tile.tile.v[0];
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = t.local.v[0]; }
    });
    printf("%d %d\n", AMP_AT(v, 0), AMP_AT(per_tile, 0));
    return 0;
}
