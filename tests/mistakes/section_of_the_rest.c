// SPDX-License-Identifier: MIT
// A section by its begin and its end, which are together the extent of the view.
// about: views
// says: amp_section(v, 4, 6) at
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float x[10] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, x, 10);
    const amp_array_view_float_1 middle = amp_section(v, 4, 6);
    return middle.extent.v[0] > 10;
}
