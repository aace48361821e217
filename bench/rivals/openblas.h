/* SPDX-License-Identifier: MIT */
/*  rivals/openblas.h - OpenBLAS as a way of a benchmark, where it is installed (-DBENCH_OPENBLAS).
    Include it after bench.h. */
#ifndef OPENBLAS_H
#define OPENBLAS_H

/* OpenBLAS on OpenMP's threads, a part of the rows each: so it has as many, bound to the same cores, and none of its
   own waits for work beside ours. Left to its own threads it is as fast. */
#ifdef BENCH_OPENBLAS
#include <cblas.h>

/* c = a b, square matrices of floats. */
static inline void openblas_product(int side, const float *a, const float *b, float *c)
{
#pragma omp parallel
    {
        const ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const ptrdiff_t first = side * thread / threads, end = side * (thread + 1) / threads;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(end - first), side, side, 1.0f, a + first * side,
                    side, b, side, 0.0f, c + first * side, side);
    }
}

static inline bench_way bench_openblas(const bench *b, cl_device_id device, void (*run)(void *self))
{
    (void)b;
    openblas_set_num_threads(1);
    return (bench_way){ .name = device ? NULL : "OpenBLAS", .run = run };
}
#else
static inline void openblas_product(int side, const float *a, const float *b, float *c)
{
    (void)side, (void)a, (void)b, (void)c;
}

static inline bench_way bench_openblas(const bench *b, cl_device_id device, void (*run)(void *self))
{
    if (!device)
        printf("%s: OpenBLAS is not installed (scripts/setup --print says how)\n", b->name);
    return (bench_way){ .name = NULL, .run = run };
}
#endif

#endif /* OPENBLAS_H */
