// SPDX-License-Identifier: MIT
// A view that was never created.
// about: views
// says: w was never created (its creation failed?), or was already released
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_array_view_float_1 w = { 0 };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
