/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/types.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* amp_indexN, amp_indexN_add */
void shift(amp_array_view_float_2 out, amp_const_array_view_float_2 in, amp_index2 by)
{
    AMP_PARALLEL_FOR_EACH(out.extent, i,
                          AMP_CAPTURE(out, in, AMP_BIND(rows, by.v[0]), AMP_BIND(cols, by.v[1])), {
        const amp_index2 from = amp_index2_sub(i, AMP_INDEX(rows, cols));
        AMP_AT(out, i) = amp_extent2_contains(in.extent, from) ? AMP_AT(in, from) : 0;
    });
}

/* amp_extentN_size */
bool is_inside(amp_extent2 e, int row, int col)
{
    return amp_extent2_size(e) > 0 && amp_extent2_contains(e, AMP_INDEX(row, col));
}

/* amp_tiled_extentN, amp_tiled_extentN_pad, amp_extent1_tile */
void square(amp_array_view_float_1 v)
{
    const int n = v.extent.v[0];
    const amp_tiled_extent1 e = amp_tiled_extent1_pad(amp_extent1_tile(v.extent, 64));
    AMP_TILED(e, (64), tile, AMP_CAPTURE(v, n), {
        AMP_THREADS(tile, t) {
            const int i = t.global.v[0];
            if (i < n)
                AMP_AT(v, i) *= AMP_AT(v, i);
        }
    });
}

/* AMP_DOMAIN, amp_domainN */
void blur(amp_array_view_float_2 out, amp_const_array_view_float_2 in)
{
    AMP_PARALLEL_FOR_EACH(amp_inner(in.extent, 1), (row, col), AMP_CAPTURE(out, in), {
        AMP_AT(out, row, col) = (AMP_AT(in, row, col - 1) + AMP_AT(in, row, col + 1)) / 2;
    });
}

void clear_row(amp_array_view_float_2 v, int row)
{
    const amp_domain2 cells = AMP_DOMAIN(AMP_INDEX(row, 0), AMP_EXTENT(1, v.extent.v[1]));
    AMP_PARALLEL_FOR_EACH(cells, i, AMP_CAPTURE(v), { AMP_AT(v, i) = 0; });
}

/* AMP_INDEX, amp_equal */
void host(void)
{
    const amp_index2 i = amp_add(AMP_INDEX(2, 3), AMP_INDEX(1, 1));
    const amp_extent2 e = AMP_EXTENT(480, 640);
    /* 1 1 307200 */
    printf("%d %d %zu\n", amp_equal(i, AMP_INDEX(3, 4)), amp_contains(e, i), amp_size(e));
}
