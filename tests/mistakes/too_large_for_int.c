// SPDX-License-Identifier: MIT
// A floating-point number that no int holds, as an int.
// about: bodies
// says: is 3e+09, which no int holds
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64];
    int q[64];
    for (int i = 0; i < 64; i++)
        p[i] = 3;
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, w, q, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w), {
        AMP_AT(w, i) = (int)(AMP_AT(v, i) * 1e9f);
    });
    return AMP_AT(w, 0) == 0;
}
