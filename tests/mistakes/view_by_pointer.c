// SPDX-License-Identifier: MIT
// A pointer to a view in the capture list.
// about: captures
// says-gcc: amp: AMP_CAPTURE(w): a pointer or C array cannot be captured
// says-clang: amp: AMP_CAPTURE(w): a pointer or C array cannot be captured
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    const amp_array_view_float_1 *w = &v;
    AMP_PARALLEL_FOR_EACH(w->extent, (i), AMP_CAPTURE(w), { AMP_AT(*w, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
