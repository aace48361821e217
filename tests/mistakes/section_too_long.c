// SPDX-License-Identifier: MIT
// A section that goes beyond the view.
// about: views
// says: amp: AMP_INVALID_ARGUMENT: amp_section: in dimension 0 the origin is 60 and the extent is 10, of a view of
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_array_view_float_1 s = amp_section(v, 60, 10);
    AMP_AT(s, 0) = 1;
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
