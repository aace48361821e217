// SPDX-License-Identifier: MIT
// One index for a view of rank 2.
// about: views
// says: amp: AMP_AT(grid, ...) takes one integer per dimension, or an amp_index of its rank
#include "amp.h"

int main(void)
{
    float p[12] = { 0 };
    AMP_ARRAY_VIEW(float, 2, grid, p, 3, 4);
    AMP_PARALLEL_FOR_EACH(grid.extent, (row, col), AMP_CAPTURE(grid), { AMP_AT(grid, row * 4 + col) = 1; });
    return AMP_AT(grid, 0, 0) == 1 ? 0 : 1;
}
