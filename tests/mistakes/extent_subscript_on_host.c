// SPDX-License-Identifier: MIT
// The extent of a view with brackets, on the host.
// about: views
// says: subscripted value is
// cure: `v.extent.v[0]`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    for (int i = 0; i < v.extent[0]; i++) AMP_AT(v, i) = 1;
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
