// SPDX-License-Identifier: MIT
// A struct of views in the capture list.
// about: captures
// says: 'both' holds a view, and cannot be captured: capture its members, AMP_MEMBERS(s, a, b)
#include "amp.h"

AMP_STRUCT(both, { amp_array_view_float_1 a; amp_array_view_float_1 b; });

int main(void)
{
    float p[8] = { 0 }, q[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, a, p, 8);
    AMP_ARRAY_VIEW(float, 1, b, q, 8);
    const both v = { a, b };
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(AMP_VALUE(both, v)), { AMP_AT(v.a, i) = AMP_AT(v.b, i) + 1; });
    return AMP_AT(a, 0) == 1 ? 0 : 1;
}
