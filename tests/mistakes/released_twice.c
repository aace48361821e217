// SPDX-License-Identifier: MIT
// A view that is released twice.
// about: views
// says: released
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    amp_array_view_float_1 v = amp_array_view_float_1_create(p, AMP_EXTENT(8));
    amp_array_view_float_1 w = v;
    amp_array_view_release(&v);
    amp_array_view_release(&w);
    return 0;
}
