// SPDX-License-Identifier: MIT
/* Sub-groups that are none, of tiles that have none, of variables that threads do not have: none of it compiles. */
#include "amp_algorithms.h"

#ifndef TEST
#define TEST 0
#endif

void f(amp_array_view_float_1 v, amp_array_view_float_2 w);
void f(amp_array_view_float_1 v, amp_array_view_float_2 w)
{
#if TEST == 0
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SUM(tile, float, x, 32);
        AMP_SUBGROUP_BROADCAST(tile, float, x, 16, 3);
        AMP_SUBGROUP_SHUFFLE(tile, t, float, x, 8, t.local.v[0] ^ 1);
        AMP_SUBGROUP_SCAN(tile, float, x, 4, a * b);
        AMP_SUBGROUP_BALLOT(tile, t, mask, 32, AMP_AT(v, t.global) > 0);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + (float)AMP_OWN(mask); }
    });
    (void)w;
#endif
// expect: AMP_SUBGROUP_SUM: a sub-group has 1, 2, 4, 8, 16 or 32 threads
#if TEST == 1
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SUM(tile, float, x, 64);
    });
#endif
// expect: AMP_SUBGROUP_SHUFFLE: a sub-group has 1, 2, 4, 8, 16 or 32 threads
#if TEST == 2
    AMP_TILED(v.extent, (48), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SHUFFLE(tile, t, float, x, 24, t.local.v[0] ^ 1);
    });
#endif
// expect: AMP_SUBGROUP_BALLOT: the tile must be whole sub-groups
#if TEST == 3
    AMP_TILED(v.extent, (48), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(unsigned, mask);
        AMP_SUBGROUP_BALLOT(tile, t, mask, 32, AMP_AT(v, t.global) > 0);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = (float)AMP_OWN(mask); }
    });
#endif
// expect: AMP_SUBGROUP_SCAN_SUM: the tile has one dimension
#if TEST == 4
    AMP_TILED(w.extent, (2, 32), tile, AMP_CAPTURE(w), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(w, t.global); }
        AMP_SUBGROUP_SCAN_SUM(tile, float, x, 32);
    });
#endif
// expect: AMP_SUBGROUP_MAX: lane must be an AMP_PRIVATE(float, lane), without dimensions
#if TEST == 5
    AMP_TILED(v.extent, (32), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, lane, [32]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_AT(v, t.global); }
        AMP_SUBGROUP_MAX(tile, float, lane, 32);
    });
#endif
// expect: AMP_SUBGROUP_MIN: x must be an AMP_PRIVATE(float, x), without dimensions
#if TEST == 6
    AMP_TILED(v.extent, (32), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(double, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = (double)AMP_AT(v, t.global); }
        AMP_SUBGROUP_MIN(tile, float, x, 32);
    });
#endif
// expect: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
#if TEST == 7
    AMP_TILED(v.extent, (32), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) {
            AMP_OWN(x) = AMP_AT(v, t.global);
            AMP_SUBGROUP_SUM(tile, float, x, 32);
        }
    });
#endif
}
