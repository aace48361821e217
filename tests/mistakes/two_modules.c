// SPDX-License-Identifier: MIT
// A function that makes a view of its own of memory that its caller has a view of.
// about: views
// options: -DAMP_CHECKED
// says: pass the view to functions, not the pointer
#include "amp.h"

static void set(float *p, int n, float x)
{
    AMP_ARRAY_VIEW(float, 1, v, p, n);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, x), { AMP_AT(v, i) = x; });
}

int main(void)
{
    float p[8], q[8];
    set(p, 8, 1);
    AMP_CONST_ARRAY_VIEW(float, 1, a, p, 8);
    AMP_ARRAY_VIEW(float, 1, b, q, 8);
    for (int round = 0; round < 2; round++) {
        AMP_PARALLEL_FOR_EACH(b.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i) = AMP_AT(a, i); });
        set(p, 8, 2);
    }
    return AMP_AT(b, 0) == 2 ? 0 : 1;
}
