// SPDX-License-Identifier: MIT
// A loop in steps of 0.1 that ends at 1 only.
// about: bodies
// says: the counter of a loop is rounded each time
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[8];
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float count = 0;
        for (float t = 0; t != 1; t += 0.1f) {
            count += 1;
            if (count > 99) break;
        }
        AMP_AT(v, i) = count;
    });
    return AMP_AT(v, 0) > 100;
}
