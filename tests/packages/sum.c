// SPDX-License-Identifier: MIT
/*  A kernel, in a program that is compiled as a package says: with the backend that WANTS_... names, and no other.
    Its last line is OK. */
#include <stdio.h>
#include "amp.h"

#if defined(WANTS_OPENCL) != defined(AMP_BACKEND_OPENCL) || defined(WANTS_CUDA) != defined(AMP_BACKEND_CUDA)
#error "these are not the backends that were asked for"
#endif
#if defined(WANTS_SPLIT) != defined(AMP_SPLIT)
#error "AMP_SPLIT is amp::runtime's"
#endif
#if defined(WANTS_OPENMP) && !defined(_OPENMP)
#error "OpenMP is there and not used"
#endif

int main(void)
{
    enum { COUNT = 1000 };
    int values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 3; });
    }
    for (int i = 0; i < COUNT; i++)
        if (values[i] != 3 * i) {
            printf("%d times 3 is not %d\n", i, values[i]);
            return 1;
        }
    puts("OK");
    return 0;
}
