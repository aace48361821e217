// SPDX-License-Identifier: MIT
// A loop in the body that counts in its index.
// about: bodies
// says: the body writes the index 'i', which is read-only
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    const int n = 8;
    AMP_ARRAY_VIEW(float, 1, v, p, n);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), {
        for (; i < n; i += 4)
            AMP_AT(v, i) = 1;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
