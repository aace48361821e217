// SPDX-License-Identifier: MIT
// An index one beyond the end.
// about: views
// says: at index (7), the index (8) is outside of the view v, whose extent is (8)
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i + 1) = 1; });
    return AMP_AT(v, 1) == 1 ? 0 : 1;
}
