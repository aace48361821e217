// SPDX-License-Identifier: MIT
// Memory that is freed before the view on it ends.
// about: views
// says: was freed before the view ended: call free after the end of the view's scope
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float *p = malloc(1000 * sizeof *p);
    if (!p)
        return 1;
    AMP_ARRAY_VIEW(float, 1, v, p, 1000);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    free(p);
}
