// SPDX-License-Identifier: MIT
/*  unguarded_counter.c - a planted bug for scripts/check-races: all threads add to one element, without
    amp_atomic_fetch_add. */
#include <stdio.h>
#include "amp.h"

enum { N = 64 };

int main(void)
{
    int values[N], count[1] = { 0 };
    for (int i = 0; i < N; i++)
        values[i] = i;
    AMP_CONST_ARRAY_VIEW(int, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, counter, count, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, counter), {
        if (AMP_AT(v, i) % 2) AMP_AT(counter, 0) += 1;
    });
    printf("%d\n", AMP_AT(counter, 0));
    return 0;
}
