// SPDX-License-Identifier: MIT
/* Operations and comparisons that are no expressions of a and b. What follows with gcc, no header can cut short. */
#include "amp_algorithms.h"

#ifndef TEST
#define TEST 0
#endif

#define GREATER(x, y) ((x) < (y) ? (y) : (x))

AMP_STRUCT(pair, { float x, y; });
AMP_DEFINE_ELEMENT(pair)

void f(amp_array_view_float_1 v, amp_array_view_int_1 number);
void f(amp_array_view_float_1 v, amp_array_view_int_1 number)
{
    float s = 0;
#if TEST == 0
    AMP_REDUCE(float, s, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), GREATER(a, b), 0);
    AMP_SORT(number, AMP_CAPTURE(v), AMP_AT(v, a) < AMP_AT(v, b));
    int rows = 0; /* a body of more characters than a string of C's has to have */
    AMP_REDUCE_SEGMENTS(float, v, rows, v.extent, (i), AMP_CAPTURE(v, number), AMP_AT(number, i), AMP_AT(v, i), a + b,
                        0);
#endif
// expect-gcc: amp: AMP_REDUCE: the operation is an expression of two elements
// expect-clang: amp: an algorithm: the operation is an expression of two elements
#if TEST == 1
    AMP_REDUCE(float, s, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), +, 0);
#endif
// expect-gcc: amp: AMP_INCLUSIVE_SCAN: the operation is an expression of two elements
// expect-clang: amp: an algorithm: the operation is an expression of two elements
#if TEST == 2
    AMP_INCLUSIVE_SCAN(float, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), x + y, 0);
#endif
// expect-gcc: amp: AMP_SORT: the comparison is an expression of two elements, called a and b
// expect-clang: amp: an algorithm: the comparison is an expression of two elements, called a and b
#if TEST == 3
    AMP_SORT(v, AMP_CAPTURE(), v[a] < v[b]);
#endif
// expect-gcc: amp: AMP_SORT: the comparison is an expression of two elements, called a and b
// expect-clang: amp: an algorithm: the comparison is an expression of two elements, called a and b
#if TEST == 4
    AMP_SORT(number, AMP_CAPTURE(), AMP_AT(number, a) < AMP_AT(number, b));
#endif
// expect: kernels cannot launch kernels, nor call amp_sum or other algorithms; call it before the launch
#if TEST == 5
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) /= amp_sum(v); });
#endif
// expect: amp_fill(out, value): the value is a number; for structs write
#if TEST == 6
    const pair first = { 1, 2 };
    amp_array_view_pair_1 pairs = { .data = NULL };
    amp_fill(pairs, first);
#endif
    (void)number, (void)s;
}
