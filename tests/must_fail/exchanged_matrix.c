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
}
