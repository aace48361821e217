/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/tile-algorithms.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_algorithms.h"

/* AMP_TILE_REDUCE */
void tile_maxima(amp_const_array_view_float_1 v, amp_array_view_float_1 out)
{
    AMP_TILED(v.extent, (256), tile, AMP_CAPTURE(v, out), {
        AMP_TILE_STATIC(float, lane, [256]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_AT(v, t.global); }
        AMP_TILE_REDUCE(tile, float, lane, 256, a > b ? a : b);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                AMP_AT(out, t.tile) = lane[0];
        }
    });
}

/* AMP_TILE_SCAN */
void tile_sums(amp_array_view_int_1 v)
{
    AMP_TILED(v.extent, (256), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, lane, [256]);
        AMP_THREADS(tile, t) { lane[t.local.v[0]] = AMP_AT(v, t.global); }
        AMP_TILE_SCAN(tile, int, lane, 256, a + b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = lane[t.local.v[0]]; }
    });
}

/* AMP_SUBGROUP_SHUFFLE */
void swap_neighbours(amp_array_view_int_1 v)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SHUFFLE(tile, t, int, x, 32, t.local.v[0] ^ 1);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x); }
    });
}

/* AMP_SUBGROUP_REDUCE */
void sums_of_32(amp_array_view_float_1 v)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SUM(tile, float, x, 32);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x); }
    });
}

/* AMP_SUBGROUP_SCAN */
void products_of_8(amp_array_view_float_1 v)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, x);
        AMP_THREADS(tile, t) { AMP_OWN(x) = AMP_AT(v, t.global); }
        AMP_SUBGROUP_SCAN(tile, float, x, 8, a * b);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(x); }
    });
}

/* AMP_SUBGROUP_BALLOT */
void masks(amp_const_array_view_float_1 v, amp_array_view_uint32_t_1 out)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v, out), {
        AMP_PRIVATE(unsigned, mask);
        AMP_SUBGROUP_BALLOT(tile, t, mask, 32, AMP_AT(v, t.global) > 0);
        AMP_THREADS(tile, t) { AMP_AT(out, t.global) = AMP_OWN(mask); }
    });
}
