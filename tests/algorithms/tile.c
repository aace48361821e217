// SPDX-License-Identifier: MIT
/*  tile.c - algorithms of the threads of a tile */
#include "sizes.h"

static void tile_phases(void **state)
{
    (void)state;
    make_data();
    int sums[4], scans[256];
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_CONST_ARRAY_VIEW(int, 1, v, given->ints, 256);
            AMP_ARRAY_VIEW(int, 1, sum, sums, 4);
            AMP_ARRAY_VIEW(int, 1, scan, scans, 256);
            AMP_TILED_ON(where, v.extent, (64), tile, AMP_CAPTURE(v, sum, scan), {
                AMP_TILE_STATIC(int, lane, [64]);
                AMP_TILE_STATIC(int, most, [64]);
                AMP_THREADS(tile, t) { lane[t.local.v[0]] = most[t.local.v[0]] = AMP_AT(v, t.global) >> 8; }
                AMP_TILE_SCAN_SUM(tile, int, lane, 64);
                AMP_TILE_MAX(tile, int, most, 64);
                AMP_THREADS(tile, t) {
                    AMP_AT(scan, t.global) = lane[t.local.v[0]];
                    if (t.local.v[0] == 0) AMP_AT(sum, t.tile) = most[0];
                }
            });
        }
        for (int tile = 0; tile < 4; tile++) {
            int sum = 0, most = INT_MIN;
            for (int i = 64 * tile; i < 64 * tile + 64; i++) {
                sum += given->ints[i] >> 8;
                most = given->ints[i] >> 8 > most ? given->ints[i] >> 8 : most;
                check_int(scans[i], sum);
            }
            check_int(sums[tile], most);
        }
    }
}

int run_algorithms_tile(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tile_phases),
    };
    return cmocka_run_group_tests_name("algorithms/tile", tests, NULL, NULL);
}
