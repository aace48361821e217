// SPDX-License-Identifier: MIT
// One name in the index list for two dimensions.
// about: captures
// says: amp: the index list (i) must have one name per dimension of the extent
#include "amp.h"

int main(void)
{
    float p[12] = { 0 };
    AMP_ARRAY_VIEW(float, 2, grid, p, 3, 4);
    AMP_PARALLEL_FOR_EACH(grid.extent, (i), AMP_CAPTURE(grid), { AMP_AT(grid, i / 4, i % 4) = 1; });
    return AMP_AT(grid, 0, 0) == 1 ? 0 : 1;
}
