// SPDX-License-Identifier: MIT
// at most: 3 errors, of which the first says it
/* Arguments in the place of others. */
#include "amp_algorithms.h"

void test(float *data, int *numbers, amp_accelerator_view view);
void test(float *data, int *numbers, amp_accelerator_view view)
{
    AMP_ARRAY_VIEW(float, 1, v, data, 16);
    AMP_ARRAY_VIEW(float, 1, out, data, 16);
    AMP_ARRAY_VIEW(int, 1, n, numbers, 16);
    AMP_ARRAY_VIEW(float, 2, m, data, 4, 4);
    AMP_ARRAY_VIEW(float, 2, table, data, 4, 4);
    float sum = 0;
    int count = 0;
    (void)view, (void)sum, (void)count;

#if TEST == 0
    AMP_INCLUSIVE_SCAN(float, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    AMP_EXCLUSIVE_SCAN_ROWS_ON(view, float, table, m.extent, (r, i), AMP_CAPTURE(m), AMP_AT(m, r, i), a + b, 0);
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    AMP_REDUCE_COLUMNS(float, out, m.extent, (i, c), AMP_CAPTURE(m), AMP_AT(m, i, c), a + b, 0);
    AMP_SELECT_IF(amp_section(out, 0, 4), count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
    amp_top_k(amp_section(out, 0, 4), amp_section(n, 0, 4), v);
    amp_merge_on(view, out, amp_section(v, 0, 4), amp_section(v, 4, 4));
    AMP_REDUCE_BY_KEY(float, n, out, count, n, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    AMP_SORT(amp_section(v, 0, 10), AMP_CAPTURE(), a < b); /* no macro makes a long string of a section */
    AMP_SORT_ROWS(AMP_VIEW_AS(amp_array_view_float_2, v, 8, 2), (r), AMP_CAPTURE(), r % 2 ? a > b : a < b);
    amp_fill(amp_section(out, 0, 4), 3);
    amp_inclusive_sum(amp_section(out, 0, 4), amp_section(v, 0, 4));
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN: one argument is in the place of another: AMP_INCLUSIVE_SCAN(int, out, v.extent
#if TEST == 1 /* type and result */
    AMP_INCLUSIVE_SCAN(out, float, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN: one argument is in the place of another
#if TEST == 2 /* type and result, which is captured */
    AMP_INCLUSIVE_SCAN(v, float, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_EXCLUSIVE_SCAN: one argument is in the place of another
#if TEST == 3 /* result and extent */
    AMP_EXCLUSIVE_SCAN(float, v.extent, out, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_EXCLUSIVE_SCAN: one argument is in the place of another
#if TEST == 4 /* type and accelerator view */
    AMP_EXCLUSIVE_SCAN_ON(float, view, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN: AMP_CAPTURE(...) or another argument is missing
#if TEST == 5 /* names and captures */
    AMP_INCLUSIVE_SCAN(float, out, v.extent, AMP_CAPTURE(v), (i), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE: one argument is in the place of another: AMP_REDUCE(int, sum
#if TEST == 6 /* type and result */
    AMP_REDUCE(sum, float, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE: one argument is in the place of another
#if TEST == 7 /* type and accelerator view */
    AMP_REDUCE_ON(float, view, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE: the result must be a variable of type float
#if TEST == 8 /* result and extent */
    AMP_REDUCE(float, v.extent, sum, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_ROWS: one argument is in the place of another: AMP_REDUCE_ROWS(int, out
#if TEST == 9 /* type and result */
    AMP_REDUCE_ROWS(out, float, m.extent, (r, i), AMP_CAPTURE(m), AMP_AT(m, r, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_COLUMNS: one argument is in the place of another
#if TEST == 10 /* type and accelerator view */
    AMP_REDUCE_COLUMNS_ON(float, view, out, m.extent, (i, c), AMP_CAPTURE(m), AMP_AT(m, i, c), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_COLUMNS: one argument is in the place of another
#if TEST == 11 /* result and extent */
    AMP_REDUCE_COLUMNS(float, m.extent, out, (i, c), AMP_CAPTURE(m), AMP_AT(m, i, c), a + b, 0);
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN_ROWS: one argument is in the place of another: AMP_INCLUSIVE_SCAN_ROWS(int, out
#if TEST == 12 /* type and result */
    AMP_INCLUSIVE_SCAN_ROWS(table, float, m.extent, (r, i), AMP_CAPTURE(m), AMP_AT(m, r, i), a + b, 0);
#endif

    // expect: amp: AMP_EXCLUSIVE_SCAN_ROWS: AMP_CAPTURE(...) or another argument is missing
#if TEST == 13 /* names and captures */
    AMP_EXCLUSIVE_SCAN_ROWS(float, table, m.extent, AMP_CAPTURE(m), (r, i), AMP_AT(m, r, i), a + b, 0);
#endif

    // expect: amp: AMP_EXCLUSIVE_SCAN_SEGMENTS: one argument is in the place of another: AMP_EXCL
#if TEST == 14 /* type and result */
    AMP_EXCLUSIVE_SCAN_SEGMENTS(out, float, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN_SEGMENTS: AMP_CAPTURE(...) or another argument is missing
#if TEST == 15 /* captures and beginnings */
    AMP_INCLUSIVE_SCAN_SEGMENTS(float, out, v.extent, (i), AMP_AT(v, i) > 0, AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_SEGMENTS: one argument is in the place of another: AMP_REDUCE_SEGMENTS(int, out
#if TEST == 16 /* result and count */
    AMP_REDUCE_SEGMENTS(float, count, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_SEGMENTS: AMP_CAPTURE(...) or another argument is missing
#if TEST == 17 /* names and captures */
    AMP_REDUCE_SEGMENTS(float, out, count, v.extent, AMP_CAPTURE(v), (i), AMP_AT(v, i) > 0, AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_BY_KEY: one argument is in the place of another: AMP_REDUCE_BY_KEY(int, kept
#if TEST == 18 /* type and keys */
    AMP_REDUCE_BY_KEY(n, float, out, count, n, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_BY_KEY: one argument is in the place of another
#if TEST == 19 /* result and count */
    AMP_REDUCE_BY_KEY(float, n, count, out, n, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_REDUCE_BY_KEY: the index names go in parentheses after the extent
#if TEST == 20 /* keys and names */
    AMP_REDUCE_BY_KEY(float, n, out, count, (i), n, AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: takes a pointer, and then as many
#if TEST == 21 /* an extent for the pointer */
    AMP_ARRAY_VIEW(float, 1, name, 16, data);
    (void)name;
#endif

    // expect: amp: AMP_ARRAY
#if TEST == 22 /* name and extent */
    AMP_ARRAY(float, 1, 16, name);
#endif

    // expect: amp: AMP_ARRAY
#if TEST == 23 /* name and extent, on an accelerator view */
    AMP_ARRAY_ON(view, float, 2, 4, name, 4);
#endif

    // expect: amp: AMP_ARRAY
#if TEST == 24 /* name and extent, without a source */
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, 16, name);
#endif

    // expect: amp: AMP_HOST_VIEW
#if TEST == 25 /* of a pointer */
    AMP_HOST_VIEW(h, data);
#endif

    // expect: amp: AMP_HOST_VIEW
#if TEST == 26 /* of an address */
    AMP_HOST_VIEW(h, &v);
#endif

    // expect: amp: AMP_VIEW_AS
#if TEST == 27 /* view and type */
    AMP_VIEW_AS(v, amp_array_view_float_2, 4, 4);
#endif

    // expect: amp: AMP_
#if TEST == 28 /* view and type, of other elements */
    AMP_REINTERPRET_AS(v, amp_array_view_int_1);
#endif

    // expect: takes a view or array first
#if TEST == 29 /* index and view */
    amp_project(1, m);
#endif

    // expect: takes a view or array first
#if TEST == 30 /* origin and view */
    amp_section(1, v, 2);
#endif

    // expect: takes a view or array first
#if TEST == 31 /* an address */
    amp_section(&v, 1, 2);
#endif

    // expect: first the value at an index, then the operation of two values
#if TEST == 32 /* value and operation */
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(v), a + b, AMP_AT(v, i), 0);
#endif

    // expect: first the value at an index, then the operation of two values
#if TEST == 33 /* of a scan */
    AMP_INCLUSIVE_SCAN(float, out, v.extent, (i), AMP_CAPTURE(v), b < a ? b : a, AMP_AT(v, i), 0);
#endif

    // expect: first the value at an index, then the operation of two values
#if TEST == 34 /* of rows */
    AMP_REDUCE_ROWS(float, out, m.extent, (r, i), AMP_CAPTURE(m), a + b, AMP_AT(m, r, i), 0);
#endif

    // expect: first the value at an index, then the operation of two values
#if TEST == 35 /* of segments */
    AMP_EXCLUSIVE_SCAN_ROWS(float, table, m.extent, (r, i), AMP_CAPTURE(m), a + b, AMP_AT(m, r, i), 0);
#endif

    // expect: amp: amp_mismatch
#if TEST == 36 /* view and accelerator view, of a comparison of views */
    count = amp_mismatch_on(v, view, v);
#endif

    // expect-gcc: amp: amp_fill: one argument is in the place of another: the order is out, value
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 37 /* value and view */
    amp_fill(1, out);
#endif

    // expect-gcc: amp: amp_iota: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 38 /* view and accelerator view */
    amp_iota_on(out, view, 1);
#endif

    // expect-gcc: amp: amp_gather: one argument is in the place of another: the order is out, v, from
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 39 /* view and accelerator view */
    amp_gather_on(out, view, v, n);
#endif

    // expect-gcc: amp: amp_transpose: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 40 /* view and accelerator view */
    amp_transpose_on(table, view, m);
#endif

    // expect-gcc: amp: AMP_SORT: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 41 /* view and accelerator view, of a comparison */
    AMP_SORT_ON(v, view, AMP_CAPTURE(), a < b);
#endif

    // expect-gcc: amp: AMP_SORT_ROWS: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 42 /* view and accelerator view, of rows */
    AMP_SORT_ROWS_ON(m, view, (row), AMP_CAPTURE(), a < b);
#endif

    // expect-gcc: amp: amp_sort_rows: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 43 /* view and accelerator view, of rows of numbers */
    amp_sort_rows_on(m, view);
#endif

    // expect-gcc: amp: amp_sort: one argument is in the place of another
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 44 /* view and accelerator view, of numbers */
    amp_sort_on(v, view);
#endif

    // expect-gcc: amp: amp_sort_by_key: one argument is in the place of another: the order is keys, values
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 45 /* of keys */
    amp_sort_by_key_on(n, view, v);
#endif

    // expect-gcc: amp: amp_merge: one argument is in the place of another: the order is out, v, w
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 46 /* of a merge */
    amp_merge_on(out, view, v, v);
#endif

    // expect-gcc: amp: AMP_UPPER_BOUND: one argument is in the place of another: the order is out, v, keys
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 47 /* of a search */
    AMP_UPPER_BOUND_ON(n, view, v, v, AMP_CAPTURE(), a < b);
#endif

    // expect-gcc: amp: AMP_SET_UNION: one argument is in the place of another: the order is out, count, v, w
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 48 /* of a set */
    AMP_SET_UNION_ON(out, view, count, v, v, AMP_CAPTURE(), a < b);
#endif

    // expect-gcc: amp: AMP_PARTITION: one argument is in the place of another: the order is out, count
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 49 /* of a partition */
    AMP_PARTITION_ON(out, view, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
#endif

    // expect-gcc: amp: amp_run_length_encode: one argument is in the place of another: the order is kept, lengths
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 50 /* of runs */
    amp_run_length_encode(n, count, n, n);
#endif

    // expect-gcc: amp: amp_nth_element: one argument is in the place of another: the order is result, v, n
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 51 /* a number and a view */
    amp_nth_element_to(sum, 3, v);
#endif

    // expect-gcc: amp: amp_top_k: one argument is in the place of another: the order is out, at, v
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 52 /* view and accelerator view, of the greatest */
    amp_top_k_on(out, view, n, v);
#endif

    // expect-gcc: amp: amp_shuffle: one argument is in the place of another: the order is v, seed
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 53 /* a seed and a view */
    amp_shuffle(7, v);
#endif

    // expect-gcc: amp: amp_exclusive_sum: one argument is in the place of another: the order is out, v
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 54 /* view and accelerator view, of sums */
    amp_exclusive_sum_on(out, view, v);
#endif

    // expect-gcc: amp: amp_inclusive_sum_rows: one argument is in the place of another: the order is out, v
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 55 /* view and accelerator view, of sums of rows */
    amp_inclusive_sum_rows_on(table, view, m);
#endif

    // expect-gcc: amp: amp_argmin_rows: one argument is in the place of another: the order is positions, extremes, v
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 56 /* view and accelerator view, of extremes */
    amp_argmin_rows_on(n, view, out, m);
#endif

    // expect-gcc: amp: amp_sum
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 57 /* view and accelerator view, of a sum */
    sum = amp_sum_on(v, view);
#endif

    // expect-gcc: amp: amp_inner_product
    // expect-clang: one argument is in the place of another: the order is results, then what is read
#if TEST == 58 /* view and accelerator view, of a product */
    sum = amp_inner_product_on(v, view, v);
#endif

    // expect-gcc: amp: amp_argmin_rows: (positions, extremes, v): v is a view or array of numbers of rank 2
    // expect-clang: (positions, extremes, v): v is a view or array of numbers of rank 2
#if TEST == 59 /* extremes and view */
    amp_argmin_rows(n, m, out);
#endif

    // expect-gcc: amp: amp_argmax_rows: (positions, extremes, v): v is a view or array of numbers of rank 2
    // expect-clang: (positions, extremes, v): v is a view or array of numbers of rank 2
#if TEST == 60 /* positions and extremes */
    amp_argmax_rows_on(view, out, n, m);
#endif

    // expect-gcc: amp: AMP_REDUCE: first the value at an index, then the operation
    // expect-clang: amp: an algorithm: first the value at an index, then the operation
#if TEST == 61 /* operation and value, which has a cast */
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(v), a + b, (float)AMP_AT(v, i), 0);
#endif

    // expect: amp: amp_gather
#if TEST == 62 /* elements and places */
    amp_gather(out, n, v);
#endif

    // expect: amp: amp_array_from
#if TEST == 63 /* array and accelerator view */
    amp_array_float_1 a = amp_array_from(view, v);
    amp_array_release(&a);
#endif

    // expect-gcc: amp: amp_get_ref(1, ...): first a view or array, then its indices
    // expect-clang: first a view or array, then its indices: AMP_AT(v, i, j)
#if TEST == 64 /* index and view */
    *amp_get_ref(1, v) = 1;
#endif

    // expect: amp: amp_copy(source, destination) takes views and arrays
#if TEST == 66 /* a type */
    amp_copy(int, v);
#endif

    // expect: undeclared
#if TEST == 67 /* a view that is not declared */
    amp_copy(nowhere, v);
#endif

    // expect: amp: amp_copy_in(p, count, v): p is memory of the host
#if TEST == 68 /* a type */
    amp_copy_in(int, v);
#endif

    // expect: undeclared
#if TEST == 69
    amp_copy_out(nowhere, data);
#endif

    // expect: amp: amp_swap changes both, and takes their addresses
#if TEST == 70 /* a type */
    amp_swap(int, &v);
#endif

    // expect: amp: amp_view_of(v) takes the view or array, not its address
#if TEST == 71 /* a type */
    amp_array_view_float_1 w = amp_view_of(int);
    (void)w;
#endif

    // expect: amp: amp_equal_elements takes a view or array of rank 1
#if TEST == 72 /* a type */
    count = amp_equal_elements(int, v);
#endif

    // expect: undeclared
#if TEST == 73
    count = amp_mismatch(v, nowhere);
#endif

    // expect: expected expression
#if TEST == 74 /* a type for an index */
    sum = amp_read(m, int, 0);
#endif

    // expect: expected expression
#if TEST == 75 /* a type for an origin */
    out = amp_section(v, int, 4);
#endif

    // expect: amp: AMP_ARRAY(float, 1, numbers, ...) takes as many integer extents as it has dimensions
#if TEST == 76 /* in the form of AMP_ARRAY_VIEW, with name and pointer exchanged */
    AMP_ARRAY(float, 1, numbers, a, 16);
#endif

    // expect: one amp_extent of its rank; a view of memory at a pointer is an AMP_ARRAY_VIEW
#if TEST == 77 /* in the form of AMP_ARRAY_VIEW */
    AMP_ARRAY(float, 1, a, data, 16);
    amp_copy(v, a);
#endif

    // expect: the name to declare, then a view, without type and rank: AMP_HOST_VIEW(h, v)
#if TEST == 78 /* in the form of AMP_ARRAY_VIEW */
    AMP_HOST_VIEW(float, 1, h, v);
    AMP_AT(h, 1) = 2;
#endif

    // expect: the name to declare, then a view, without type and rank: AMP_HOST_VIEW(h, v)
#if TEST == 79 /* a type */
    AMP_HOST_VIEW(h, float);
#endif
}

// expect: amp: AMP_TYPEDEF(real, float): first a type, then the new name: AMP_TYPEDEF(float, real)
#if TEST == 65 /* what uses the type has no errors */
AMP_TYPEDEF(real, float)
AMP_DEFINE_ELEMENT(real)
#endif

// expect-gcc: amp: AMP_DEFINE_ELEMENT(never) takes a type that is declared above: by AMP_STRUCT, AMP_TYPEDEF or
// expect-clang: takes a type that is declared above: by AMP_STRUCT, AMP_TYPEDEF or a typedef
#if TEST == 80
AMP_DEFINE_ELEMENT(never)
#endif

// expect: takes a type that is declared above
#if TEST == 81 /* before its struct */
AMP_DEFINE_ELEMENT(later)
AMP_STRUCT(later, { float x; });
#endif
