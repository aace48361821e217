// SPDX-License-Identifier: MIT
/* Ranks that do not go together. */
#include "amp.h"

void test(int *values, int count);
void test(int *values, int count)
{
    AMP_ARRAY_VIEW(int, 1, line, values, count);
    AMP_ARRAY_VIEW(int, 2, v, values, 2, 3);

#if TEST == 0
    AMP_PARALLEL_FOR_EACH(line.extent, (i), AMP_CAPTURE(line), {
        int of_line[2] = { i, line.extent.v[0] };
        printf("line[%d], line.extent[0] is %d\n", of_line[0], of_line[1]);
        AMP_AT(line, i) = of_line[1];
    });
    AMP_PARALLEL_FOR_EACH(line.extent, (i), AMP_CAPTURE(line), {
        int of_line[2] = { i, line.extent.v[0] };
        AMP_AT(line, i) = of_line[1];
    });
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j), AMP_CAPTURE(v, line), {
        AMP_AT(v, i, j) = AMP_AT(v, AMP_INDEX(i, j)) + AMP_AT(line, i);
    });
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 0; });
    AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 1), (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 0; });
    AMP_PARALLEL_FOR_EACH(AMP_DOMAIN(AMP_INDEX(1), line.extent), idx, AMP_CAPTURE(v), { AMP_AT(v, idx.v[0], 0) = 0; });
    const amp_index2 sum = amp_add(AMP_INDEX(1, 2), AMP_INDEX(3, 4));
    AMP_AT(v, 0, 0) = sum.v[0] + (int)amp_size(v.extent);
#endif

// expect: the index list (i) must have one name per dimension of the extent
#if TEST == 1
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i, 0) = 0; });
#endif

// expect: the index list (i, j, k) must have one name per dimension of the extent
#if TEST == 2
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j, k), AMP_CAPTURE(v), { AMP_AT(v, i, j) = k; });
#endif

// expect: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 3 /* one int for two dimensions */
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i) = j; });
#endif

// expect: amp: AMP_AT(line, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 4
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j), AMP_CAPTURE(v, line), { AMP_AT(line, i, j) = 0; });
#endif

// expect: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 5
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, AMP_INDEX(i, j, 0)) = 0; });
#endif

// expect: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 6 /* on the host */
    AMP_AT(v, 0) = 1;
#endif

// expect: incompatible type
#if TEST == 7
    const amp_index2 sum = amp_index2_add(AMP_INDEX(1, 2), AMP_INDEX(1, 2, 3));
    AMP_AT(v, sum) = 0;
#endif

// expect: incompatible type
#if TEST == 8
    AMP_AT(line, 0) = amp_equal(AMP_INDEX(1, 2), AMP_INDEX(1, 2, 3));
#endif

// expect: incompatible type
#if TEST == 9
    AMP_AT(line, 0) = amp_contains(v.extent, AMP_INDEX(1));
#endif

// expect: amp: AMP_PARALLEL_FOR_EACH needs an extent: v.extent of a view v, or AMP_EXTENT(n)
#if TEST == 10 /* a launch over an index */
    AMP_PARALLEL_FOR_EACH(AMP_INDEX(2, 3), idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 0; });
#endif

// expect: amp: AMP_PARALLEL_FOR_EACH needs an extent: v.extent of a view v, or AMP_EXTENT(n)
#if TEST == 11 /* or over a number */
    AMP_PARALLEL_FOR_EACH(count, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 0; });
#endif

// expect: amp: AMP_PARALLEL_FOR_EACH needs an extent: v.extent of a view v, or AMP_EXTENT(n)
#if TEST == 12 /* or over a view */
    AMP_PARALLEL_FOR_EACH(v, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 0; });
#endif

// expect: amp: the index list (i) must have one name per dimension of the extent
#if TEST == 17 /* a domain has a rank, too */
    AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 1), (i), AMP_CAPTURE(v), { AMP_AT(v, i, i) = 0; });
#endif

// expect: amp: AMP_DOMAIN(origin, extent): an index and an extent of the same rank
#if TEST == 18
    AMP_PARALLEL_FOR_EACH(AMP_DOMAIN(AMP_INDEX(1), v.extent), (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 0; });
#endif

// expect: an accelerator view goes first, in AMP_PARALLEL_FOR_EACH_ON
#if TEST == 13 /* on an accelerator view without _ON */
    AMP_PARALLEL_FOR_EACH((amp_accelerator_view){ NULL }, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 0; });
#endif

// expect: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 14 /* on the host */
    AMP_AT(v, 0, 1, 2) = 1;
#endif

// expect: amp: AMP_AT(line, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 15 /* a number with a fraction */
    AMP_PARALLEL_FOR_EACH(line.extent, (i), AMP_CAPTURE(line), { AMP_AT(line, i * 0.5f) = 0; });
#endif

// expect: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#if TEST == 16
    AMP_PARALLEL_FOR_EACH(v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j / 2.0) = 0; });
#endif

// expect: amp: what is captured has no brackets: write AMP_AT(v, i) for v[i] of a view v
#if TEST == 19 /* where another element is right, and one is a part of a longer name */
    const int fine = 0;
    AMP_PARALLEL_FOR_EACH(line.extent, (i), AMP_CAPTURE(line, fine), { AMP_AT(line, i) = line[fine]; });
#endif

// expect: amp: what is captured has no brackets: write AMP_AT(v, i) for v[i] of a view v
#if TEST == 20 /* in a phase */
    AMP_TILED(line.extent, (8), tile, AMP_CAPTURE(line), {
        AMP_THREADS(tile, t) { if (t.global.v[0] < line.extent[0]) AMP_AT(line, t.global) = 0; }
    });
#endif

    // expect: amp_index_is_no_int_write_it_in_parentheses
#if TEST == 21
    AMP_PARALLEL_FOR_EACH(line.extent, i, AMP_CAPTURE(line), { int n = i; AMP_AT(line, n) = 0; });
#endif

    // expect: amp_index_is_no_int_write_it_in_parentheses
#if TEST == 22
    AMP_PARALLEL_FOR_EACH(line.extent, i, AMP_CAPTURE(line), { if (i < 4) AMP_AT(line, i) = 0; });
#endif
    }
