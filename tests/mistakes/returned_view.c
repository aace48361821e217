// SPDX-License-Identifier: MIT
// A view that outlives the scope that declared it.
// about: views
// says: was already released
#include "amp.h"

static amp_array_view_float_1 view_of(float *p)
{
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    return v;
}

int main(void)
{
    float p[8] = { 0 };
    amp_array_view_float_1 v = view_of(p);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
