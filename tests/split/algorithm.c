// SPDX-License-Identifier: MIT
/*  split/algorithm.c - calls algorithms; the exit status is 0 when their results are right. */
#include "amp_algorithms.h"

int main(void)
{
    int values[] = { 5, 3, 4, 1, 2 };
    int64_t sum;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, 5);
        sum = amp_sum(v);
        amp_sort(v);
    }
    return sum != 15 || values[0] != 1 || values[4] != 5;
}
