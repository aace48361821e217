// SPDX-License-Identifier: MIT
/*  01_hello: adds two arrays, the smallest whole program.

    It shows the three steps of every amp.h program: put views over your own memory, launch a kernel body
    over an extent, and let the end of the scope bring the result back.

    Build   cc -O3 -march=native -fopenmp -I.. 01_hello.c -o 01_hello -lm                     (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 01_hello.c -o 01_hello -lm
    See     the first sums, 0 + 0 = 0, 1 + 10 = 11, 2 + 20 = 22, ..., then OK. The same on both.          */
#include <stdio.h>
#include "amp.h"

enum { COUNT = 1000 };

static void add(const float *pa, const float *pb, float *psum, int count)
{
    AMP_CONST_ARRAY_VIEW(float, 1, a, pa, count);
    AMP_CONST_ARRAY_VIEW(float, 1, b, pb, count);
    AMP_ARRAY_VIEW(float, 1, sum, psum, count);
    amp_array_view_discard_data(&sum); /* every element will be overwritten: nothing to upload */

    AMP_PARALLEL_FOR_EACH(sum.extent, idx, AMP_CAPTURE(a, b, sum), {
        AMP_AT(sum, idx) = AMP_AT(a, idx) + AMP_AT(b, idx);
    });
} /* here `sum` is brought back to psum and the three views are released */

int main(void)
{
    float a[COUNT], b[COUNT], sum[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = 10.0f * (float)i;
    }

    add(a, b, sum, COUNT);

    for (int i = 0; i < 5; i++)
        printf("%.0f + %.0f = %.0f\n", (double)a[i], (double)b[i], (double)sum[i]);
    for (int i = 0; i < COUNT; i++)
        if (sum[i] != 11.0f * (float)i) {
            fprintf(stderr, "element %d is %g, expected %g\n", i, (double)sum[i], 11.0 * i);
            return 1;
        }
    puts("OK");
    return 0;
}
