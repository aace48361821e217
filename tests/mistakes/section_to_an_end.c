// SPDX-License-Identifier: MIT
// A section by its begin and its end.
// about: views
// says: amp_section(v, 4, 6) at
// options: -DAMP_CHECKED
#include "amp_algorithms.h"

int main(void)
{
    float x[12] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, x, 12);
    const amp_array_view_float_1 middle = amp_section(v, 4, 6);
    return middle.extent.v[0] > 12;
}
