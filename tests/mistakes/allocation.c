// SPDX-License-Identifier: MIT
// Memory that is allocated in a body.
// about: bodies
// says: 'malloc': kernels cannot allocate memory
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float *const own = malloc(4);
        *own = 1;
        AMP_AT(v, i) = *own;
        free(own);
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
