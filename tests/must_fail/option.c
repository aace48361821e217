// SPDX-License-Identifier: MIT
/* Options that contradict each other, that are no options, and that are off. */

#if TEST == 0
#define AMP_MAX_RANK         12
#define AMP_THREADS_PER_ITEM 64
#define AMP_SERIAL           0
#define AMP_CHECKED          0
#define AMP_SPLIT            0
#endif

// expect: define AMP_BACKEND_CPU, or some of AMP_BACKEND_OPENCL, _CUDA, _HIP and _VULKAN, before including amp.h
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

// expect: there is no such option: AMP_CHECKED makes a checked build
#if TEST == 4
#define AMP_CHECK 1
#endif

// expect: there is no such option: compile with -fopenmp
#if TEST == 5
#define AMP_OPENMP
#endif

// expect: there is no such option: compile with -fopenmp
#if TEST == 6
#define AMP_OMP
#endif

// expect: there is no such backend: define AMP_BACKEND_CPU
#if TEST == 7
#define AMP_USE_OPENCL
#endif

// expect: AMP_IMPLEMENTATION compiles the library in this file
#if TEST == 8
#define AMP_IMPLEMENT
#endif

// expect: AMP_MAX_RANK is the highest rank
#if TEST == 9
#define AMP_MAX_DIM 3
#endif

// expect: AMP_TOOLS compiles them
#if TEST == 10
#define AMP_PROFILE
#endif

// expect: amp: AMP_THREADS_PER_ITEM is 128; it can be 0, or a power of two up to 64
#if TEST == 11
#define AMP_THREADS_PER_ITEM 128
#endif

// expect: amp: AMP_THREADS_PER_ITEM is 3; it can be 0, or a power of two up to 64
#if TEST == 12
#define AMP_THREADS_PER_ITEM 3
#endif

#include "amp.h"

#if TEST == 0 && (defined(AMP_SERIAL) || defined(AMP_CHECKED) || defined(AMP_SPLIT))
#error "an option that is 0 is on"
#endif

/* Kernels are laid out by hand. */
/* clang-format off */
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
