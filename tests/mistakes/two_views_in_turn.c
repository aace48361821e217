// SPDX-License-Identifier: MIT
// A second view on memory that a kernel wrote by the first.
// about: views
// says: w reads memory that the kernel in
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    AMP_ARRAY_VIEW(float, 1, w, p, 64);
    AMP_PARALLEL_FOR_EACH(w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) += 1; });
    return 0;
}
