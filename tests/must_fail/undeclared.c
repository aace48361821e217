// SPDX-License-Identifier: MIT
// at most: 2 errors, of which the first says it
/* What is not declared: views and captured variables of algorithms. */
#include "amp_algorithms.h"

void test(float *data, int *numbers);
void test(float *data, int *numbers)
{
    AMP_ARRAY_VIEW(float, 1, v, data, 16);
    AMP_ARRAY_VIEW(float, 1, w, data, 16);
    AMP_ARRAY_VIEW(int, 1, n, numbers, 16);
    AMP_ARRAY_VIEW(float, 2, m, data, 4, 4);
    float sum = 0;
    int count = 0;
    (void)v, (void)w, (void)n, (void)m, (void)sum, (void)count;

#if TEST == 0
    const float k = 2;
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(v, k), AMP_AT(v, i) * k, a + b, 0);
    AMP_SELECT_IF(w, count, v.extent, (i), AMP_CAPTURE(v, k), AMP_AT(v, i) > k, AMP_AT(v, i));
    AMP_SORT(v, AMP_CAPTURE(k), a * k < b * k);
    amp_fill(v, 1);
    sum = amp_sum(v);
#endif

    // expect: undeclared
#if TEST == 1
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(nowhere), AMP_AT(nowhere, i), a + b, 0);
#endif

    // expect: undeclared
#if TEST == 2 /* a number */
    AMP_REDUCE(float, sum, v.extent, (i), AMP_CAPTURE(v, nowhere), AMP_AT(v, i) * nowhere, a + b, 0);
#endif

    // expect: undeclared
#if TEST == 3
    AMP_INCLUSIVE_SCAN(float, w, v.extent, (i), AMP_CAPTURE(nowhere), AMP_AT(nowhere, i), a + b, 0);
#endif

    // expect: undeclared
#if TEST == 4
    AMP_REDUCE_ROWS(float, v, m.extent, (i, j), AMP_CAPTURE(nowhere), AMP_AT(nowhere, i, j), a + b, 0);
#endif

    // expect: undeclared
#if TEST == 5
    AMP_REDUCE_BY_KEY(float, n, v, count, n, (i), AMP_CAPTURE(nowhere), AMP_AT(nowhere, i), a + b, 0);
#endif

    // expect: undeclared
#if TEST == 6
    AMP_SELECT_IF(w, count, v.extent, (i), AMP_CAPTURE(nowhere), AMP_AT(nowhere, i) > 0, AMP_AT(nowhere, i));
#endif

    // expect: undeclared
#if TEST == 7
    AMP_SORT(v, AMP_CAPTURE(nowhere), a * nowhere < b * nowhere);
#endif

    // expect: undeclared
#if TEST == 8
    AMP_SORT_ROWS(m, (row), AMP_CAPTURE(nowhere), a * nowhere < b * nowhere);
#endif

    // expect: undeclared
#if TEST == 9 /* a view */
    AMP_SORT(nowhere, AMP_CAPTURE(), a < b);
#endif

    // expect: undeclared
#if TEST == 10
    amp_fill(nowhere, 1);
#endif

    // expect: undeclared
#if TEST == 11
    sum = amp_sum(nowhere);
#endif

    // expect: undeclared
#if TEST == 12
    amp_gather(w, nowhere, n);
#endif
}
