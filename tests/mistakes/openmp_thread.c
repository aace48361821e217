// SPDX-License-Identifier: MIT
// The number of OpenMP's thread in a body.
// about: bodies
// says: 'omp_get_thread_num' is of the CPU backend's threads
// options: -DAMP_CHECKED
#include "amp.h"
#include <omp.h>

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (float)omp_get_thread_num(); });
    return AMP_AT(v, 0) > 64;
}
