// SPDX-License-Identifier: MIT
/* Copies and views of types that do not go together. */
#include "amp.h"

void test(int *values, const int *input, float *floats, int count);
void test(int *values, const int *input, float *floats, int count)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);
    AMP_ARRAY_VIEW(int, 2, square, values, 2, 3);
    AMP_CONST_ARRAY_VIEW(int, 1, c, input, count);
    AMP_ARRAY_VIEW(float, 1, f, floats, count);
    AMP_ARRAY(int, 1, a, count);

#if TEST == 0
    amp_copy(c, v);
    amp_copy(v, a);
    amp_copy(a, v);
    amp_copy_in(values, (size_t)count, a);
    amp_copy_out(a, values, (size_t)count);
    const amp_const_array_view_int_1 read_only = amp_as_const(v);
    AMP_AT(v, 0) = AMP_AT(read_only, 1);
#endif

// expect: amp_copy: the destination is a const view
#if TEST == 1 /* to a const view */
    amp_copy(v, c);
#endif

// expect: amp_copy(source, destination): they must have the same element type
#if TEST == 2 /* to other elements */
    amp_copy(v, f);
#endif

// expect: amp_copy(source, destination): they must have the same rank
#if TEST == 3 /* to another rank */
    amp_copy(v, square);
#endif

// expect: incompatible pointer type
#if TEST == 4 /* from host memory of another type */
    amp_copy_in(floats, (size_t)count, a);
#endif

// expect: incompatible pointer type
#if TEST == 5
    amp_copy_out(a, floats, (size_t)count);
#endif
    (void)square, (void)f, (void)c;
}
