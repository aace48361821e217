// SPDX-License-Identifier: MIT
// A view with brackets, on the host.
// about: views
// says: subscripted value is
// cure: `AMP_AT(v, i)`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return v[0] == 1 ? 0 : 1;
}
