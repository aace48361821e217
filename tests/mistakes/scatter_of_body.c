// SPDX-License-Identifier: MIT
// Two indexes that write to the same element, by places in a view.
// about: races
// says: indexes 2 and 5 write to the same element of 'out'
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    int q[8] = { 7, 6, 5, 4, 3, 5, 1, 0 };
    AMP_ARRAY_VIEW(float, 1, out, p, 8);
    AMP_CONST_ARRAY_VIEW(int, 1, to, q, 8);
    AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(out, to), { AMP_AT(out, AMP_AT(to, i)) = (float)i; });
    return AMP_AT(out, 5) > 9;
}
