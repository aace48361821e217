/* SPDX-License-Identifier: MIT */
/*  amp/matrix/vector.h - the product of a matrix and a vector: a reduction of each row, or column, at memory speed

    Contents (search for the tag):
        >>vector  >>implementation */
#ifndef AMP_MATRIX_VECTOR_H
#define AMP_MATRIX_VECTOR_H

#include "../algorithms/rows.h"
#include "multiply.h"

/* // >>vector
   AMP_MULTIPLY_VECTOR(kind, y, a, x): y = a x, for a matrix a and vectors x and y.
   AMP_MULTIPLY_VECTOR_ON(view, kind, y, a, x): the same on an accelerator view.
   kind  as for AMP_MULTIPLY
   y  a view or array of rank 1 of float; of int for int8, of double for double; it overlaps neither a nor x
   a  a view or array of rank 2, or AMP_TRANSPOSED of one
   x  a view or array of rank 1
   view  amp_accelerator_view
   Result: none; a statement. The sums are associated as those of AMP_REDUCE_ROWS (with AMP_TRANSPOSED,
   AMP_REDUCE_COLUMNS): the same bits on every backend.
   Errors: AMP_INVALID_ARGUMENT (the extents do not match, y overlaps a or x), those of AMP_REDUCE. Blocking: no.
   Threads: any. Cost: a is read once. Source: BLAS gemv. */
#define AMP_MULTIPLY_VECTOR(kind, y, a, x) AMP_MULTIPLY_VECTOR_ON((amp_accelerator_view){ NULL }, kind, y, a, x)
#define AMP_MULTIPLY_VECTOR_ON(view, kind, y, a, x)                                                                    \
    AMP_PRIV_VECTOR(view, AMP_PRIV_MATRIX_KIND_##kind, AMP_PRIV_MATRIX_SUM_##kind, y, AMP_PRIV_MULTIPLY_OF(a), x)
#define AMP_PRIV_VECTOR(...) AMP_PRIV_VECTOR_(__VA_ARGS__)
#define AMP_PRIV_VECTOR_(view, number, T, y, is_turned, m, x)                                                          \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_RANK_OF(y) == 1 && AMP_PRIV_RANK_OF(m) == 2 && AMP_PRIV_RANK_OF(x) == 1 &&             \
                           AMP_PRIV_SAME(AMP_PRIV_TYPE_OF(y), T) && !AMP_PRIV_IS_CONST(y),                             \
                       "amp: AMP_MULTIPLY_VECTOR(kind, y, a, x): a has rank 2, y and x rank 1; y is not const, and of "\
                       "float, of int for int8, of double for double");                                                \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY_VECTOR", number, m)                                                      \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY_VECTOR", number, x)                                                      \
        const __typeof__(*(m).amp_priv_const_view) amp_priv_a = amp_as_const(m);                                       \
        const __typeof__(*(x).amp_priv_const_view) amp_priv_times = amp_as_const(x);                                   \
        const AMP_PRIV_VIEW_TYPE(y) amp_priv_to = amp_view_of(y);                                                      \
        if (amp_priv_vector_fits(&amp_priv_to.amp_priv, &amp_priv_a.amp_priv, is_turned, &amp_priv_times.amp_priv))    \
            AMP_PRIV_ALONG("AMP_MULTIPLY_VECTOR", view, T, AMP_ARRAY_VIEW_TYPE(T, 1), amp_priv_to, is_turned,          \
                           amp_priv_a.extent, (amp_priv_r, amp_priv_c), AMP_CAPTURE(amp_priv_a, amp_priv_times),       \
                           AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_a, amp_priv_r, amp_priv_c) *                     \
                           AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_times, is_turned ? amp_priv_r : amp_priv_c),     \
                           a + b, 0);                                                                                  \
    } while (0)
/* An element as a number of the sums' type. */
#define AMP_PRIV_VECTOR_AS(T, view, ...) (*(AMP_PRIV_ELEMENT_POINTER(const T)) & AMP_AT(view, __VA_ARGS__))
#define AMP_PRIV_VECTOR_NUMBER(number, T, view, ...)                                                                   \
    (sizeof(*(view).data) == 1   ? (T)AMP_PRIV_VECTOR_AS(int8_t, view, __VA_ARGS__)                                    \
     : sizeof(*(view).data) == 2 ? (T)amp_priv_matrix_widened(number, AMP_PRIV_VECTOR_AS(uint16_t, view, __VA_ARGS__)) \
     : number < 3                ? (T)amp_priv_matrix_rounded(number, AMP_PRIV_VECTOR_AS(float, view, __VA_ARGS__))    \
                                 : AMP_PRIV_VECTOR_AS(T, view, __VA_ARGS__))

/* Are the extents those of y = a x? False after reporting. */
AMP_PRIV_API bool amp_priv_vector_fits(const amp_priv_head *y, const amp_priv_head *a, bool is_turned,
                                       const amp_priv_head *x);

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_API bool amp_priv_vector_fits(const amp_priv_head *y, const amp_priv_head *a, bool is_turned,
                                       const amp_priv_head *x)
{
    if (!amp_priv_head_ready(y, "AMP_MULTIPLY_VECTOR") || !amp_priv_head_ready(a, "AMP_MULTIPLY_VECTOR") ||
        !amp_priv_head_ready(x, "AMP_MULTIPLY_VECTOR"))
        return false;
    const int *const matrix = amp_priv_head_extent(a);
    const int rows = matrix[is_turned], columns = matrix[!is_turned];
    const int count = amp_priv_head_extent(y)[0], length = amp_priv_head_extent(x)[0];
    if (count == rows && length == columns)
        return true;
    amp_priv_report(
        AMP_INVALID_ARGUMENT,
        "AMP_MULTIPLY_VECTOR: a has %d x %d elements, x %d, and y %d; x must have as many elements as a has "
        "columns, and y as many as a has rows",
        rows, columns, length, count);
    return false;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_MATRIX_VECTOR_H */
