// SPDX-License-Identifier: MIT
// Elements that are moved by one, from a section to another one of the same view.
// about: races
// says: an index reads by one section an element that another index writes by 'to'
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[1000];
    AMP_ARRAY_VIEW(float, 1, v, p, 1000);
    const amp_array_view_float_1 to = amp_section(v, 0, 999);
    const amp_const_array_view_float_1 from = amp_as_const(amp_section(v, 1, 999));
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(to, from), { AMP_AT(to, i) = AMP_AT(from, i); });
    return AMP_AT(v, 0) > 1;
}
