// SPDX-License-Identifier: MIT
// No -fopenmp, and kernels that take long.
// about: compiling
// says-cpu: amp: warning: kernels ran on one of
// silent-device: the device runs them
// options: -fno-openmp -DAMP_PRIV_CPU_ALONE_NS=1
#include "amp.h"

int main(void)
{
    enum { COUNT = 1 << 16 };
    static float p[COUNT];
    AMP_ARRAY_VIEW(float, 1, v, p, COUNT);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = sqrtf((float)i); });
    return AMP_AT(v, 4) == 2 ? 0 : 1;
}
