// SPDX-License-Identifier: MIT
// The size of a pointer as the number of elements.
// about: views
// says: sizeof p is the size of a pointer: write the number of elements, as malloc got it
// options: -Wno-sizeof-pointer-div
#include "amp.h"

int main(void)
{
    float *p = calloc(64, sizeof *p);
    if (!p)
        return 1;
    AMP_ARRAY_VIEW(float, 1, v, p, sizeof p / sizeof *p);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 1) > 1;
}
