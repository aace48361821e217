// SPDX-License-Identifier: MIT
// A view where its address is wanted.
// about: host
// says: amp: amp_array_view_synchronize(&v, ...) takes the address of a view or array
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    amp_array_view_synchronize(v);
    return p[0] == 1 ? 0 : 1;
}
