// SPDX-License-Identifier: MIT
// One extent for a view of rank 2.
// about: views
// says: amp: AMP_ARRAY_VIEW(float, 2, grid, ...) takes as many integer extents as it has dimensions
#include "amp.h"

int main(void)
{
    float p[12] = { 0 };
    AMP_ARRAY_VIEW(float, 2, grid, p, 12);
    AMP_PARALLEL_FOR_EACH(grid.extent, (row, col), AMP_CAPTURE(grid), { AMP_AT(grid, row, col) = 1; });
    return AMP_AT(grid, 0, 0) == 1 ? 0 : 1;
}
