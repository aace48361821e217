// SPDX-License-Identifier: MIT
// Memory that realloc moves under a view.
// about: views
// says: was freed before the view ended: call free after the end of the view's scope, or amp_array_view_release before free or realloc
// says-device: memory
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    enum { N = 100, MORE = 1 << 20 };
    float *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++)
        p[i] = 1;
    AMP_ARRAY_VIEW(float, 1, v, p, N);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    p = realloc(p, MORE * sizeof *p);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    free(p);
    return 0;
}
