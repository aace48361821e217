// SPDX-License-Identifier: MIT
// A view of memory that malloc gave and nothing filled.
// about: views
// says: it reads v, which was never written since malloc gave its memory
// options: -DAMP_CHECKED
#include "amp.h"
#include <stdlib.h>

int main(void)
{
    enum { N = 1000 };
    float *p = malloc(N * sizeof(float)), sums[N];
    {
        AMP_CONST_ARRAY_VIEW(float, 1, v, p, N);
        AMP_ARRAY_VIEW(float, 1, w, sums, N);
        AMP_PARALLEL_FOR_EACH(w.extent, (i), AMP_CAPTURE(v, w), { AMP_AT(w, i) = AMP_AT(v, i) + 1; });
    }
    free(p);
    return 0;
}
