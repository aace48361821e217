// SPDX-License-Identifier: MIT
// The host reads by its pointer what a kernel wrote, without synchronizing.
// about: host
// says-device: p[3] is 0, and the kernel wrote 7
// says-cpu: nan, and the kernel wrote 7
// options: -DAMP_CHECKED
// environment: AMP_FORCE_COPIES=1
// cure: `amp_array_view_synchronize(&v)` before the host reads, or `AMP_AT(v, 3)`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 7; });
    if (p[3] != 7.0f)
        fprintf(stderr, "p[3] is %g, and the kernel wrote 7\n", (double)p[3]);
    return 0;
}
