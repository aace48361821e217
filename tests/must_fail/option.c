// SPDX-License-Identifier: MIT
/* Options that contradict each other. */

#if TEST == 0
#define AMP_MAX_RANK 12
#endif

// expect: define AMP_BACKEND_CPU, or AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA or both of these, before including amp.h
#if TEST == 1
#define AMP_BACKEND_CPU
#define AMP_BACKEND_OPENCL
#endif

// expect: AMP_MAX_RANK must be between 3 and 12
#if TEST == 2
#define AMP_MAX_RANK 2
#endif

// expect: AMP_MAX_RANK must be between 3 and 12
#if TEST == 3
#define AMP_MAX_RANK 13
#endif

#include "amp.h"

void test(int *values);
void test(int *values)
{
    AMP_ARRAY_VIEW(int, 3, v, values, 1, 1, 1);
#if TEST == 0
    AMP_ARRAY_VIEW(int, 12, w, values, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    AMP_PARALLEL_FOR_EACH(w.extent, (a, b, c, d, e, f, g, h, i, j, k, l), AMP_CAPTURE(w), {
        AMP_AT(w, a, b, c, d, e, f, g, h, i, j, k, l) = 0;
    });
#endif
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 0; });
}
