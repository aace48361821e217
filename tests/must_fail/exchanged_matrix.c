// SPDX-License-Identifier: MIT
// at most: 3 errors, of which the first says it
/* Arguments of products in the place of others. */
#include "amp_matrix.h"

void test(float *data, amp_accelerator_view view);
void test(float *data, amp_accelerator_view view)
{
    AMP_ARRAY_VIEW(float, 2, m, data, 4, 4);
    AMP_ARRAY_VIEW(float, 2, c, data, 4, 4);
    AMP_ARRAY_VIEW(float, 1, x, data, 4);
    (void)view, (void)m, (void)c, (void)x;

#if TEST == 0
    AMP_MULTIPLY_ADD_ON(view, float, c, 1, m, AMP_TRANSPOSED(m), 0);
    AMP_MULTIPLY_VECTOR(tf32, x, m, x);
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_PRODUCT(tile, sum, left, m, 0, right, m, 0);
        AMP_TILE_LOAD(tile, left, m, 0, 0);
        AMP_TILE_LOAD(tile, right, m, 0, 0);
        AMP_TILE_MULTIPLY_ADD(tile, sum, left, right);
        AMP_TILE_EACH(tile, sum, (s, row, column), { s = row < column ? s : 0; });
        AMP_TILE_STORE(tile, sum, c, 0, 0);
    });
#endif

    // expect: amp: AMP_MULTIPLY(kind, c, a, b): the first argument, after the accelerator view
#if TEST == 1 /* kind and result */
    AMP_MULTIPLY(c, float, m, m);
#endif

    // expect: amp: AMP_MULTIPLY(kind, c, a, b): the first argument, after the accelerator view
#if TEST == 2 /* kind and accelerator view */
    AMP_MULTIPLY_ON(float, view, c, m, m);
#endif

    // expect: amp: AMP_MULTIPLY_VECTOR(kind, y, a, x): the first argument, after the accelerator
#if TEST == 3 /* kind and result, of a vector */
    AMP_MULTIPLY_VECTOR(x, float, m, x);
#endif

    // expect-gcc: amp: AMP_MULTIPLY: one argument is in the place of another: the order is kind, c, alpha, a, b, beta
    // expect-clang: one argument is in the place of another
#if TEST == 4 /* a factor and a matrix */
    AMP_MULTIPLY_ADD(float, c, m, 1, m, 0);
#endif

    // expect-gcc: amp: AMP_MULTIPLY_VECTOR: one argument is in the place of another: the order is kind, y
    // expect-clang: one argument is in the place of another
#if TEST == 5 /* a factor and a vector */
    AMP_MULTIPLY_ADD_VECTOR(float, 1, x, m, x, 0);
#endif

    // expect: amp: AMP_MULTIPLY_VECTOR(kind, y, a, x): a has rank 2, y and x rank 1
#if TEST == 6 /* result and matrix */
    AMP_MULTIPLY_VECTOR(float, m, x, x);
#endif

    // expect: amp: AMP_MULTIPLY_VECTOR(kind, y, a, x): a has rank 2, y and x rank 1
#if TEST == 7 /* matrix and vector */
    AMP_MULTIPLY_ADD_VECTOR_ON(view, float, x, 1, x, m, 0);
#endif

    // expect: amp: AMP_MULTIPLY(kind, c, a, b): views or arrays of rank 2, or c of rank 3
#if TEST == 8 /* a vector for a matrix */
    AMP_MULTIPLY(float, c, x, m);
#endif

    // expect-gcc: amp: AMP_TILE_PRODUCT: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 9 /* sums and left factor */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_PRODUCT(tile, left, sum, m, 0, right, m, 0);
    });
#endif

    // expect-gcc: amp: AMP_TILE_PRODUCT: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 10 /* factor and view */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_PRODUCT(tile, sum, m, left, 0, right, m, 0);
    });
#endif

    // expect-gcc: amp: AMP_TILE_PRODUCT: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 11 /* view and row */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_PRODUCT(tile, sum, left, 0, m, right, m, 0);
    });
#endif

    // expect-gcc: amp: AMP_TILE_LOAD: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 12 /* block and view */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_LOAD(tile, m, left, 0, 0);
    });
#endif

    // expect-gcc: amp: AMP_TILE_STORE: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 13 /* sums and view */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_STORE(tile, c, sum, 0, 0);
    });
#endif

    // expect-gcc: amp: AMP_TILE_EACH: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 14 /* sums and tile */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_EACH(sum, tile, (x, row, column), { x = 0; });
    });
#endif

    // expect-gcc: amp: AMP_TILE_EACH: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 15 /* names and body */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_EACH(tile, sum, { x = 0; }, (x, row, column));
    });
#endif

    // expect-gcc: amp: AMP_TILE_MULTIPLY_ADD: one argument is in the place of another
    // expect-clang: one argument is in the place of another
#if TEST == 16 /* sums and factor */
    AMP_TILED(AMP_EXTENT(32), (32), tile, AMP_CAPTURE(m, c), {
        AMP_TILE_MATRIX(tile, float, sum, 32, 32);
        AMP_TILE_LEFT(float, left, 32, 16);
        AMP_TILE_RIGHT(float, right, 16, 32);
        AMP_TILE_MULTIPLY_ADD(tile, left, sum, right);
    });
#endif
}
