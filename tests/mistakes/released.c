// SPDX-License-Identifier: MIT
// A view after its release.
// about: views
// says: was already released
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    amp_array_view_float_1 v = amp_array_view_float_1_create(p, AMP_EXTENT(8));
    amp_array_view_release(&v);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(8), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return 0;
}
