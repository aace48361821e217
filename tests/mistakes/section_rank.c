// SPDX-License-Identifier: MIT
// A section with too few numbers.
// about: views
// says: amp: amp_section(view, ...) takes
#include "amp.h"

int main(void)
{
    float p[12] = { 0 };
    AMP_ARRAY_VIEW(float, 2, grid, p, 3, 4);
    amp_array_view_float_2 part = amp_section(grid, 1, 2);
    return (int)amp_size(part.extent);
}
