// SPDX-License-Identifier: MIT
// A slot that is read, and then counted by an atomic function.
// about: races
// says: an index reads an element of 'count', which others change by an atomic function
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64], kept[64];
    int counted[1] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_ARRAY_VIEW(float, 1, out, kept, 64);
    AMP_ARRAY_VIEW(int, 1, count, counted, 1);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, out, count), {
        const int at = AMP_AT(count, 0);
        AMP_AT(out, at) = AMP_AT(v, i);
        amp_atomic_fetch_add(&AMP_AT(count, 0), 1);
    });
    return AMP_AT(count, 0) > 64;
}
