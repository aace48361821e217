// SPDX-License-Identifier: MIT
// A sort of all neighbours in one launch.
// about: races
// says: an index writes its own element of 'v' and a neighbour's
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[8] = { 8, 7, 6, 5, 4, 3, 2, 1 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 1), (i), AMP_CAPTURE(v), {
        if (AMP_AT(v, i) > AMP_AT(v, i + 1)) {
            const int greater = AMP_AT(v, i);
            AMP_AT(v, i) = AMP_AT(v, i + 1);
            AMP_AT(v, i + 1) = greater;
        }
    });
    return AMP_AT(v, 0) > 8;
}
