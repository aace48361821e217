// SPDX-License-Identifier: MIT
// Memory for a number of elements, in bytes.
// about: views
// says: AMP_ARRAY_VIEW(float, 1, v): the memory is shorter than the view, or was freed
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    const size_t n = 100000;
    float *p = malloc(n);
    if (!p)
        return 1;
    AMP_ARRAY_VIEW(float, 1, v, p, n);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 3) > 1;
}
