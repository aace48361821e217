/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/matrix.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_matrix.h"

/* AMP_MULTIPLY */
void product(amp_array_view_float_2 c, amp_const_array_view_float_2 a,
             amp_const_array_view_float_2 b)
{
    AMP_MULTIPLY(float, c, a, b);
    AMP_MULTIPLY_ADD(tf32, c, 2.0f, a, AMP_TRANSPOSED(b), 1.0f); /* c = 2 a b' + c */
}

/* AMP_MULTIPLY_VECTOR */
void vector_product(amp_array_view_float_1 y, amp_const_array_view_float_2 a,
                    amp_const_array_view_float_1 x)
{
    AMP_MULTIPLY_VECTOR(float, y, a, x);
    /* y = 2 a' x + y, if a is square */
    AMP_MULTIPLY_ADD_VECTOR(float, y, 2.0f, AMP_TRANSPOSED(a), x, 1.0f);
}

/* AMP_TILE_MATRIX, AMP_TILE_LEFT */
void positive_product(amp_array_view_float_2 c, amp_const_array_view_float_2 a,
                      amp_const_array_view_float_2 b)
{
    const int down = (c.extent.v[0] + 127) / 128, across = (c.extent.v[1] + 127) / 128;
    AMP_TILED(AMP_EXTENT(down * across * 128), (128), tile, AMP_CAPTURE(a, b, c, across), {
        AMP_TILE_MATRIX(tile, float, sum, 128, 128);
        AMP_TILE_LEFT(bfloat16, left, 128, 32);
        AMP_TILE_RIGHT(bfloat16, right, 32, 128);
        const int top = tile.tile.v[0] / across * 128, first = tile.tile.v[0] % across * 128;
        AMP_TILE_PRODUCT(tile, sum, left, a, top, right, b, first);
        AMP_TILE_EACH(tile, sum, (x, row, column), { if (x < 0) x = 0; });
        AMP_TILE_STORE(tile, sum, c, top, first);
    });
}
