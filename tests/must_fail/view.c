// SPDX-License-Identifier: MIT
/* Views made with extents, origins and types that do not go together. */
#include "amp.h"

void test(int *values, const int *input, int count);
void test(int *values, const int *input, int count)
{
#if TEST == 0
    size_t size = (size_t)count;
    AMP_ARRAY_VIEW(int, 3, a, values, 2, size, count);
    AMP_CONST_ARRAY_VIEW(int, 1, b, input, AMP_EXTENT(count));
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, c, AMP_EXTENT(2, 3));
    AMP_ARRAY(double, 2, d, size, 4);
    amp_array_view_int_2 slice = amp_project(amp_section(a, 0, 0, 0, 2, 2, 2), size - 1);
    amp_const_array_view_int_2 shape = AMP_VIEW_AS(amp_const_array_view_int_2, b, 2, size);
    amp_array_view_uint8_t_1 bytes = AMP_REINTERPRET_AS(amp_array_view_uint8_t_1, d);
    amp_array_view_int_1 flat = AMP_VIEW_AS(amp_array_view_int_1, amp_section(a, 1, 0, 0, 1, 2, 3), 6);
    amp_array_view_discard_data(&slice);
    (void)amp_data(bytes), (void)amp_data(d), (void)shape, (void)c, (void)flat;
#endif

// expect: amp: AMP_ARRAY_VIEW(int, 2, a, ...) takes as many integer extents as it has dimensions, or one amp_extent
#if TEST == 1
    AMP_ARRAY_VIEW(int, 2, a, values, count);
#endif

// expect: takes as many integer extents as it has dimensions
#if TEST == 2
    AMP_ARRAY_VIEW(int, 2, a, values, 1, 2, 3);
#endif

// expect: AMP_CONST_ARRAY_VIEW(int, 2, a, ...) takes as many integer extents
#if TEST == 3
    AMP_CONST_ARRAY_VIEW(int, 2, a, input, AMP_EXTENT(count));
#endif

// expect: takes as many integer extents as it has dimensions
#if TEST == 4
    AMP_ARRAY_VIEW(int, 1, a, values, 1.5 * count);
#endif

// expect: AMP_ARRAY(int, 3, a, ...) takes as many integer extents
#if TEST == 5
    AMP_ARRAY(int, 3, a, count, count);
#endif

// expect: takes as many integer extents as it has dimensions
#if TEST == 6
    AMP_ARRAY_VIEW(int, 2, a, values, AMP_INDEX(count, count));
#endif

// expect: amp: amp_section(view, ...) takes an index and an extent of the rank of the view
#if TEST == 7
    AMP_ARRAY_VIEW(int, 2, a, values, 4, 4);
    (void)amp_section(a, AMP_INDEX(1, 1, 1), AMP_EXTENT(2, 2, 2));
#endif

// expect: amp: amp_section(view, ...) takes an index and an extent of the rank of the view
#if TEST == 8
    AMP_ARRAY_VIEW(int, 2, a, values, 4, 4);
    (void)amp_section(a, 1, 1, 2);
#endif

// expect: amp: amp_section(view, ...) takes an index and an extent of the rank of the view
#if TEST == 9
    AMP_ARRAY_VIEW(int, 2, a, values, 4, 4);
    (void)amp_section(a, AMP_EXTENT(2, 2), AMP_INDEX(1, 1));
#endif

// expect: amp: amp_project(view, i) needs a view of rank 2 or more
#if TEST == 10
    AMP_ARRAY_VIEW(int, 1, a, values, count);
    (void)amp_project(a, 1);
#endif

// expect: amp: AMP_VIEW_AS(type, view, ...) takes an extent of the rank of that type
#if TEST == 11
    AMP_ARRAY_VIEW(int, 2, a, values, 4, 4);
    (void)AMP_VIEW_AS(amp_array_view_int_1, a, 4, 4);
#endif

// expect: amp: AMP_VIEW_AS(type, view, extent) keeps the element type
#if TEST == 12
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)AMP_VIEW_AS(amp_array_view_float_2, a, 4, 4);
#endif

// expect: amp: AMP_VIEW_AS: a const view gives const views only
#if TEST == 13
    AMP_CONST_ARRAY_VIEW(int, 1, a, input, 16);
    (void)AMP_VIEW_AS(amp_array_view_int_2, a, 4, 4);
#endif

// expect: amp: AMP_VIEW_AS(type, view, ...) takes an extent of the rank of that type
#if TEST == 14
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)AMP_VIEW_AS(amp_array_view_int_2, a, 4, 2, 2);
#endif

// expect: amp: AMP_REINTERPRET_AS(type, view) needs a type of rank 1
#if TEST == 15
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)AMP_REINTERPRET_AS(amp_array_view_float_2, a);
#endif

// expect: amp: AMP_REINTERPRET_AS: a const view gives const views only
#if TEST == 16
    AMP_CONST_ARRAY_VIEW(int, 1, a, input, 16);
    (void)AMP_REINTERPRET_AS(amp_array_view_float_1, a);
#endif

// expect: amp: amp_array_view_discard_data: a const view cannot discard
#if TEST == 17
    AMP_CONST_ARRAY_VIEW(int, 1, a, input, 16);
    amp_array_view_discard_data(&a);
#endif

// expect: amp: amp_data(view) needs a view of rank 1, or an array
#if TEST == 18
    AMP_ARRAY_VIEW(int, 2, a, values, 4, 4);
    (void)amp_data(a);
#endif

// expect-gcc: discards 'const' qualifier
// expect-clang: discards qualifiers
// needs: -Werror=discarded-qualifiers
#if TEST == 19
    AMP_ARRAY_VIEW(int, 1, a, input, 16);
#endif

// expect: amp: amp_swap(&a, &b): they must have one type
#if TEST == 20
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    AMP_CONST_ARRAY_VIEW(int, 1, b, input, 16);
    amp_swap(&a, &b);
#endif

// expect: : capture a struct or vector
// expect-gcc: AMP_CAPTURE(home): capture a struct or vector
#if TEST == 21
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    AMP_HOST_VIEW(home, a);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(home), { AMP_AT(home, i) = i; });
#endif

// expect-gcc: read-only
// expect-clang: cannot assign to variable 'home' with const-qualified type
#if TEST == 22
    AMP_CONST_ARRAY_VIEW(int, 1, a, input, 16);
    AMP_HOST_VIEW(home, a);
    AMP_AT(home, 1) = 2;
#endif

// expect: takes one integer per dimension, or an amp_index of its rank
#if TEST == 23
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    AMP_HOST_VIEW(home, a);
    AMP_AT(home, 1, 2) = 2;
#endif

// expect: ...) takes a pointer, and then as many integer extents as it has dimensions
#if TEST == 24
    AMP_ARRAY_VIEW(int, 1, a, values);
#endif

// expect: amp: AMP_CONST_ARRAY_VIEW(int, a, 1, ...): first the element type, then the rank, a number
#if TEST == 25
    AMP_CONST_ARRAY_VIEW(int, a, 1, input, count);
#endif

// expect: amp: AMP_ARRAY_VIEW_NO_SOURCE(int, 1, a, ...) takes as many integer extents as it has dimensions
#if TEST == 26
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, a);
#endif

// expect: amp: AMP_ARRAY_VIEW(int, 9, a, ...): first the element type, then the rank, a number
#if TEST == 27
    AMP_ARRAY_VIEW(int, 9, a, values, 1, 1, 1, 1, 1, 1, 1, 1, 1);
#endif

// expect: amp: AMP_ARRAY(float, rank, a, 8, ...): first the element type, then the rank, a number
#if TEST == 28
    const int rank = 1;
    AMP_ARRAY(float, rank, a, 8);
#endif

// expect: amp: amp_swap changes both, and takes their addresses: amp_swap(&a, &b)
#if TEST == 29
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    AMP_ARRAY_VIEW(int, 1, b, values, 16);
    amp_swap(a, b);
#endif

// expect: amp: amp_array_cpu_access_type(v) takes the view or array, not its address
#if TEST == 30
    AMP_ARRAY(int, 1, a, 16);
    (void)amp_array_cpu_access_type(&a);
#endif

// expect: amp: amp_array_view_source_accelerator_view(v) takes the view or array, not its address
#if TEST == 31
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)amp_array_view_source_accelerator_view(&a);
#endif

// expect: amp: amp_array_view_discard_data(&v, ...) takes the address of a view or array
#if TEST == 32
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    amp_array_view_discard_data(a);
#endif

// expect-gcc: amp: AMP_VIEW_AS(int, 2, ...): first the type of the result, amp_array_view_float_2, then the view
// expect-clang: amp: AMP_VIEW_AS, AMP_REINTERPRET_AS: first the type of the result, amp_array_view_float_2
#if TEST == 33
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)AMP_VIEW_AS(int, 2, a, 4, 4);
#endif

// expect-gcc: amp: AMP_VIEW_AS(amp_array_view_int_2, values, ...): first the type of the result, amp_array_view_float_2
// expect-clang: amp: AMP_VIEW_AS, AMP_REINTERPRET_AS: first the type of the result, amp_array_view_float_2
#if TEST == 34
    (void)AMP_VIEW_AS(amp_array_view_int_2, values, 4, 4);
#endif

// expect-gcc: amp: AMP_REINTERPRET_AS(float, a): first the type of the result, amp_array_view_float_1, then the view
// expect-clang: amp: AMP_VIEW_AS, AMP_REINTERPRET_AS: first the type of the result, amp_array_view_float_2
#if TEST == 35
    AMP_ARRAY_VIEW(int, 1, a, values, 16);
    (void)AMP_REINTERPRET_AS(float, a);
#endif

    (void)values, (void)input, (void)count;
}
