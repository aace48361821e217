// SPDX-License-Identifier: MIT
// at most: 3 errors, of which the first says it
/* Arguments of the operations of tiles and sub-groups, and of AMP_BITS, in the place of others. */
#include "amp_algorithms.h"

void test(amp_array_view_float_1 v, amp_array_view_int_1 n);
void test(amp_array_view_float_1 v, amp_array_view_int_1 n)
{
    (void)v, (void)n;

#if TEST == 0
    AMP_TILED(v.extent, (64), block, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(block, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(block, float, lane, 64, a > b ? a : b);
        AMP_TILE_SCAN(block, float, lane + 32, 32, a + b);
        AMP_SUBGROUP_SHUFFLE(block, t, float, x, 32, t.local.v[0] ^ 1);
        AMP_SUBGROUP_BROADCAST(block, float, x, 16, 3);
        AMP_SUBGROUP_SCAN(block, float, x, 8, a * b);
        AMP_SUBGROUP_BALLOT(block, tile, mask, 32, AMP_AT(v, tile.global) > 0);
        AMP_THREADS(block, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_BITS(int, lane[0]); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_REDUCE: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 1 /* tile and type */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(float, tile, lane, 64, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_REDUCE: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 2 /* type and lane */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(tile, lane, float, 64, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_REDUCE: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 3 /* lane and number */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(tile, float, 64, lane, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_REDUCE: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 4 /* number and operation */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(tile, float, lane, a + b, 64);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_SUM: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 5 /* of a sum */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_SUM(tile, float, 64, lane);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_MAX: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 6 /* of a greatest */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_MAX(float, tile, lane, 64);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_SCAN: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 7 /* of a scan */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_SCAN(tile, lane, float, 64, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_TILE_SCAN_SUM: one argument is in the place of another: the order is tile, int, lane, 64
    // expect-clang: amp: an operation of a tile: one argument is in the place of another
#if TEST == 8 /* of a scan of sums */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_TILE_SCAN_SUM(tile, float, 64, lane);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_REDUCE: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 9 /* tile and type */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_REDUCE(float, tile, x, 16, a * b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_REDUCE: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 10 /* type and variable */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_REDUCE(tile, x, float, 16, a * b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_REDUCE: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 11 /* variable and number */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_REDUCE(tile, float, 16, x, a * b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_REDUCE: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 12 /* number and operation */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_REDUCE(tile, float, x, a * b, 16);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_SUM: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 13 /* of a sum */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SUM(tile, float, 16, x);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_SCAN: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 14 /* of a scan */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SCAN(tile, x, float, 16, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_SCAN_SUM: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 15 /* of a scan of sums */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SCAN_SUM(float, tile, x, 16);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_SUBGROUP_BROADCAST: one argument is in the place of another: the order is tile, int, x, 32
    // expect-clang: amp: an operation of a sub-group: one argument is in the place of another
#if TEST == 16 /* of a broadcast */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_BROADCAST(tile, float, 16, x, 3);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_SHUFFLE: one argument is in the place of another: the order is tile, t,
#if TEST == 17 /* thread and tile */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SHUFFLE(t, tile, float, x, 32, t.local.v[0] ^ 1);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_SHUFFLE: one argument is in the place of another: the order is tile, t,
#if TEST == 18 /* type and thread */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SHUFFLE(tile, float, t, x, 32, t.local.v[0] ^ 1);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_SHUFFLE: one argument is in the place of another: the order is tile, t,
#if TEST == 19 /* number and thread to read */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SHUFFLE(tile, t, float, x, t.local.v[0] ^ 1, 32);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_BALLOT: one argument is in the place of another: the order is tile, t,
#if TEST == 20 /* thread and tile */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_BALLOT(t, tile, mask, 32, AMP_AT(v, t.global) > 0);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_BALLOT: one argument is in the place of another: the order is tile, t,
#if TEST == 21 /* number and mask */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_BALLOT(tile, t, 32, mask, AMP_AT(v, t.global) > 0);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect: amp: AMP_SUBGROUP_BALLOT: one argument is in the place of another: the order is tile, t,
#if TEST == 22 /* predicate and number */
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(unsigned, mask);
        AMP_TILE_STATIC(float, lane, [64]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_BALLOT(tile, t, mask, AMP_AT(v, t.global) > 0, 32);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x) + lane[t.local.v[0]] + (float)AMP_OWN(mask); }
    });
#endif

    // expect-gcc: amp: AMP_BITS(i, ...): first the type of the result, then the value
    // expect-clang: amp: AMP_BITS(type, ...): first the type of the result, then the value
#if TEST == 23 /* value and type */
    AMP_PARALLEL_FOR_EACH(n.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(n, i) = AMP_BITS(i, int); });
#endif

    // expect-gcc: amp: AMP_BITS(1 + i, ...): first the type of the result, then the value
    // expect-clang: amp: AMP_BITS(type, ...): first the type of the result, then the value
#if TEST == 24 /* value and type */
    AMP_PARALLEL_FOR_EACH(n.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(n, i) = AMP_BITS(1 + i, int); });
#endif

    // expect-gcc: amp: AMP_BITS(AMP_AT(v, i), ...): first the type of the result, then the value
    // expect-clang: amp: AMP_BITS(type, ...): first the type of the result, then the value
#if TEST == 25 /* value and type */
    AMP_PARALLEL_FOR_EACH(n.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(n, i) = AMP_BITS(AMP_AT(v, i), int); });
#endif
}
