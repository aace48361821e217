// SPDX-License-Identifier: MIT
// Memory that is written directly between two launches.
// about: host
// says: the host memory under v was written after the kernel in
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    for (int turn = 0; turn < 2; turn++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        amp_array_view_synchronize(&v);
        p[5] = 7;
    }
    return 0;
}
