// SPDX-License-Identifier: MIT
/* Sorts of rows of what is no table, and without the name of the row. */
#include "amp_algorithms.h"

#ifndef TEST
#define TEST 0
#endif

void f(amp_array_view_float_2 v, amp_const_array_view_float_2 read_only, amp_array_view_float_1 line);
void f(amp_array_view_float_2 v, amp_const_array_view_float_2 read_only, amp_array_view_float_1 line)
{
#if TEST == 0
    amp_sort_rows(v);
    AMP_SORT_ROWS(v, (row), AMP_CAPTURE(), b < a);
#endif
// expect-gcc: amp: amp_sort_rows sorts a view or array of rank 2, not a const one
// expect-clang: amp: a sort of rows sorts a view or array of rank 2, not a const one
#if TEST == 1
    amp_sort_rows(line);
#endif
// expect-gcc: amp: amp_sort_rows_descending sorts a view or array of rank 2, not a const one
// expect-clang: amp: a sort of rows sorts a view or array of rank 2, not a const one
#if TEST == 2
    amp_sort_rows_descending(read_only);
#endif
// expect-gcc: amp: AMP_SORT_ROWS sorts a view or array of rank 2, not a const one
// expect-clang: amp: a sort of rows sorts a view or array of rank 2, not a const one
#if TEST == 3
    AMP_SORT_ROWS(line, (row), AMP_CAPTURE(), b < a);
#endif
// expect: amp: AMP_SORT_ROWS: the name of the row goes in parentheses after the view: (row)
#if TEST == 4
    AMP_SORT_ROWS(v, row, AMP_CAPTURE(), b < a);
#endif
// expect: amp: AMP_SORT_ROWS: the number of arguments is wrong: AMP_SORT_ROWS(v, (row), AMP_CAPTURE()
#if TEST == 5
    AMP_SORT_ROWS(v, (row), b < a);
#endif
    (void)v, (void)read_only, (void)line;
}
