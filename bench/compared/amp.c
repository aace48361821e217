// SPDX-License-Identifier: MIT
/* Heat on a plate: the kernel that docs/compared-with.md shows in several models, by amp.h. */
#include "amp.h"
#include "clock.h"

enum { N = 1024, STEPS = 100 };
static float from[N][N], to[N][N];

int main(void)
{
    from[N / 2][N / 2] = 1000000;
    AMP_ARRAY_VIEW(float, 2, a, from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, to, N, N);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (row, col), AMP_CAPTURE(a, b), {
            AMP_AT(b, row, col) = (AMP_AT(a, row - 1, col) + AMP_AT(a, row + 1, col) + AMP_AT(a, row, col - 1) +
                                   AMP_AT(a, row, col + 1) + 4 * AMP_AT(a, row, col)) / 8;
        });
        amp_swap(&a, &b);
        if (step == 0)
            first_launch(amp_accelerator_view_wait(amp_accelerator_default_view(amp_accelerator_default())));
    }
    report(AMP_AT(a, N / 2, N / 2));
    return 0;
}
