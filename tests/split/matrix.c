// SPDX-License-Identifier: MIT
// A program of one file that multiplies matrices.
#include "amp_matrix.h"

int main(void)
{
    float left[4] = { 1, 2, 3, 4 }, right[4] = { 0, 1, 1, 0 }, product[4];
    AMP_CONST_ARRAY_VIEW(float, 2, a, left, 2, 2);
    AMP_CONST_ARRAY_VIEW(float, 2, b, right, 2, 2);
    AMP_ARRAY_VIEW(float, 2, c, product, 2, 2);
    AMP_MULTIPLY(float, c, a, b);
    return AMP_AT(c, 0, 0) == 2 && AMP_AT(c, 1, 1) == 3 ? 0 : 1;
}
