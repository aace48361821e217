// SPDX-License-Identifier: MIT
// at most: 4 errors, of which the first says it
/* Mistakes of which the compiler would say dozens of things. */
#include "amp_algorithms.h"
#include "amp_matrix.h"

void test(float *data, float *elements);
void test(float *data, float *elements)
{
    AMP_ARRAY_VIEW(float, 1, v, data, 64);
    AMP_ARRAY_VIEW(float, 2, m, data, 8, 8);
    float s = 0, array[4] = { 0 }, table[4][4] = { { 0 } };
    amp_array_view_int_1 places = { .data = NULL };
    (void)elements, (void)array, (void)table, (void)v, (void)m, (void)s, (void)places;

#if TEST == 0
    AMP_SORT(v, AMP_CAPTURE(), a < b);
    AMP_SORT_ROWS(m, (row), AMP_CAPTURE(), a < b);
    s = amp_inner_product(v, v);
    AMP_REDUCE(float, s, v.extent, (i), AMP_CAPTURE(v, s), AMP_AT(v, i) * s, a + b, 0);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
#endif

    // expect: amp: AMP_SORT sorts a view or array of rank 1, not a const one
#if TEST == 1
    AMP_SORT(array, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: AMP_SORT sorts a view or array of rank 1, not a const one
#if TEST == 2
    AMP_SORT(elements, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: AMP_SORT sorts a view or array of rank 1, not a const one
#if TEST == 3
    AMP_SORT(m, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: AMP_SORT sorts a view or array of rank 1, not a const one
#if TEST == 4
    AMP_SORT(s, AMP_CAPTURE(), a < b);
#endif

    // expect: sorts a view or array of rank 2, not a const one
#if TEST == 5
    AMP_SORT_ROWS(array, (row), AMP_CAPTURE(), a < b);
#endif

    // expect: sorts a view or array of rank 2, not a const one
#if TEST == 6
    AMP_SORT_ROWS(s, (row), AMP_CAPTURE(), a < b);
#endif

    // expect: kernels cannot launch kernels, nor call amp_sum or other algorithms; call it before the launch
#if TEST == 7
    AMP_REDUCE(float, s, v.extent, (i), AMP_CAPTURE(v), amp_inner_product(v, v), a + b, 0);
#endif

    // expect: amp: AMP_THREADS(tile, t) needs the name of a thread
#if TEST == 8
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_THREADS(t) { AMP_AT(v, t.global) = (float)t.local.v[0]; }
    });
#endif

    // expect: undeclared
#if TEST == 9 /* a matrix */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_PRODUCT(tile, sum, left, m, 0, right, nowhere, 0);
        AMP_TILE_STORE(tile, sum, m, 0, 0);
    });
#endif

    // expect: undeclared
#if TEST == 10 /* a result */
    AMP_INCLUSIVE_SCAN(float, nowhere, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: is not an element type: write AMP_DEFINE_ELEMENT(float_4) at file scope
#if TEST == 11 /* clang corrects it to a type of math.h */
    AMP_ARRAY_VIEW(float_4, 1, w, elements, 16);
#endif

    // expect: amp: amp_fill writes a view or array, not a const one
#if TEST == 12
    amp_fill(array, 1);
#endif

    // expect: amp: amp_gather writes a view or array of rank 1, not a const one
#if TEST == 13
    amp_gather(array, v, places);
#endif

    // expect: amp: AMP_MERGE writes a view or array of rank 1, not a const one
#if TEST == 14
    AMP_MERGE(array, v, v, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: amp_sort_by_key sorts a view or array of rank 1, not a const one
#if TEST == 15
    amp_sort_by_key(array, v);
#endif

    // expect: amp: amp_sort_by_key sorts values of a view or array of rank 1, not a const one
#if TEST == 16
    amp_sort_by_key(v, array);
#endif

    // expect: amp: amp_shuffle takes a view or array of rank 1, not a const one
#if TEST == 17
    amp_shuffle(array, 1);
#endif

    // expect: amp: amp_inclusive_sum takes a view or array of rank 1
#if TEST == 18
    amp_inclusive_sum(array, v);
#endif

    // expect: amp_transpose writes a view or array of rank 2
#if TEST == 19
    amp_transpose(table, m);
#endif

    // expect: amp_transpose takes a view or array of rank 2
#if TEST == 20
    amp_transpose(m, table);
#endif

    // expect: v is a view or array of numbers of rank 2; the positions, int
#if TEST == 21
    amp_argmin_rows(array, v, m);
#endif

    // expect: v is a view or array of numbers of rank 2; the positions, int
#if TEST == 22
    amp_argmax_rows(places, v, table);
#endif

    // expect: sorts a view or array of rank 2, not a const one
#if TEST == 23
    amp_sort_rows(table);
#endif

    // expect: amp_inclusive_sum_rows: a view or array of numbers of rank 2
#if TEST == 24
    amp_inclusive_sum_rows(table, m);
#endif

    // expect: amp_exclusive_sum_rows: a view or array of numbers of rank 2
#if TEST == 25
    amp_exclusive_sum_rows(m, table);
#endif

    // expect: amp_nth_element takes a view or array of rank 1
#if TEST == 26
    s = amp_nth_element(array, 1);
#endif
    }
