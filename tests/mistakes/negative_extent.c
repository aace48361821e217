// SPDX-License-Identifier: MIT
// A view of a negative size.
// about: views
// says: AMP_ARRAY_VIEW(float, 1, v): the extent is -8 in dimension 0; it must not be negative
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    const int first = 16, last = 8;
    AMP_ARRAY_VIEW(float, 1, v, p, last - first);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return 0;
}
