// SPDX-License-Identifier: MIT
#include "b.h"

#include "amp.h"

void multiply_by_three(int *values, int count)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 3; });
}
