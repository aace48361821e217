// SPDX-License-Identifier: MIT
// Two indexes for a view of rank 1.
// about: views
// says: amp: AMP_AT(line, ...) takes one integer per dimension, or an amp_index of its rank
#include "amp.h"

int main(void)
{
    float p[12] = { 0 };
    AMP_ARRAY_VIEW(float, 1, line, p, 12);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(3, 4), (row, col), AMP_CAPTURE(line), { AMP_AT(line, row, col) = 1; });
    return AMP_AT(line, 0) == 1 ? 0 : 1;
}
