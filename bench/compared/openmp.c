// SPDX-License-Identifier: MIT
/* Heat on a plate, by OpenMP's target directives: on a GPU if the compiler has offloading for it, else on the CPU. */
#include "clock.h"

enum { N = 1024, STEPS = 100 };
static float from[N][N], to[N][N];

int main(void)
{
    from[N / 2][N / 2] = 1000000;
    float(*a)[N] = from, (*b)[N] = to;
#pragma omp target data map(tofrom : a [0:N], b [0:N])
    for (int step = 0; step < STEPS; step++) {
#pragma omp target teams distribute parallel for collapse(2)
        for (int row = 1; row < N - 1; row++)
            for (int col = 1; col < N - 1; col++)
                b[row][col] =
                    (a[row - 1][col] + a[row + 1][col] + a[row][col - 1] + a[row][col + 1] + 4 * a[row][col]) / 8;
        float(*const other)[N] = a;
        a = b, b = other;
        if (step == 0)
            first_launch(0);
    }
    report(a[N / 2][N / 2]);
    return 0;
}
