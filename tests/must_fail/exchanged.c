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
    AMP_REDUCE_BY_KEY(float, n, out, count, n, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
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
}
