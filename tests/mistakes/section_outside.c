// SPDX-License-Identifier: MIT
// A section beyond the view.
// about: views
// says: amp_section: in dimension 0 the origin is 4 and the extent is 8, of a view of extent 8
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_array_view_float_1 part = amp_section(v, 4, 8);
    return (int)amp_size(part.extent);
}
