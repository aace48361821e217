// SPDX-License-Identifier: MIT
// A launch in a parallel region of OpenMP, whose threads all launch.
// about: races
// says: of an `omp parallel` region each run this launch, and write sums: launch
// options: -DAMP_CHECKED
// environment: OMP_NUM_THREADS=4
#include "amp.h"

int main(void)
{
    enum { N = 1 << 16 };
    static float p[N];
    AMP_ARRAY_VIEW(float, 1, sums, p, N);
#pragma omp parallel num_threads(4)
    for (int round = 0; round < 20; round++)
        AMP_PARALLEL_FOR_EACH(sums.extent, (i), AMP_CAPTURE(sums), { AMP_AT(sums, i) += 1; });
    return AMP_AT(sums, 0) < 0;
}
