// SPDX-License-Identifier: MIT
// A loop whose counter has the name of the index.
// about: bodies
// says: a loop declares a counter with the name of the index
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[67], q[64];
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 67);
    AMP_ARRAY_VIEW(float, 1, w, q, 64);
    AMP_PARALLEL_FOR_EACH(w.extent, (i), AMP_CAPTURE(v, w), {
        float sum = 0;
        for (int i = 0; i < 4; i++)
            sum += AMP_AT(v, i);
        AMP_AT(w, i) = sum;
    });
    return AMP_AT(w, 1) > 1;
}
