// SPDX-License-Identifier: MIT
// No -fopenmp.
// about: compiling
// says: amp: found cpu: CPU (serial: compiled without -fopenmp)
// options: -fno-openmp
// environment: AMP_LOG=info AMP_CACHE=0
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
