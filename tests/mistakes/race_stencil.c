// SPDX-License-Identifier: MIT
// A stencil that writes the view that it reads.
// about: races
// says: an index reads an element of 'v' that another index writes, perhaps before, perhaps afterwards
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 1), (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = (AMP_AT(v, i - 1) + AMP_AT(v, i + 1)) / 2;
    });
    return AMP_AT(v, 1) > 1;
}
