/* SPDX-License-Identifier: MIT */
/*  rivals/cuda_kernels.h - five kernels hand-written in CUDA C++, as ways of a benchmark beside those of cuda_rivals.h.
    cuda_kernels.cu is compiled by nvcc, where that is, as exactly as ours is (-prec-div=false -prec-sqrt=false). */
#ifndef CUDA_KERNELS_H
#define CUDA_KERNELS_H

#include "cuda_rivals.h"

/* The populations of bench/fluid and what a step needs: jobs in the order here, there, low, high, rest. */
enum { CUDA_POPULATIONS = 5 };
typedef struct cuda_lattice {
    cuda_job *jobs; /* the first has the kinds of the cells as in[0] */
    int nx, ny, nz, row;
    float rate, wind;
} cuda_lattice;

#if defined(BENCH_CUDA) || defined(__CUDACC__)
#ifdef __cplusplus
extern "C" {
#endif

/* Returns when the GPU is done. */
void cuda_wait(void);

/* Without a wait: a sweep of bench/stencil over the inner cells, from out to in[0]; if `back`, from in[0] to out. */
void cuda_sweep(cuda_job *job, bool back);

/* Without a wait: a step of the lattice Boltzmann method, whose cells are of these kinds. Odd steps swap here and
   there, low and high. */
void cuda_step(const cuda_lattice *lattice, int number, int wind_kind, int wall_kind);

/* The functions of a bench_way, with a wait; self is a cuda_job. */
void cuda_tiled_product(void *self);   /* out = in[0] in[1], floats, blocks of 16 x 16; count: a multiple of 16 */
void cuda_blocked_product(void *self); /* the same, 8 x 8 elements in a thread's registers; a multiple of 128 */
void cuda_forces(void *self);          /* of bench/nbody, tiled; count: bodies, a multiple of 256 */

/* out: sums of parts of the `count` floats in in[0]. Returns how many: as the GPU runs blocks at a time, if they fit */
size_t cuda_partial_sums(cuda_job *job);

#ifdef __cplusplus
}
#endif
#else
/* Not built: nothing is there. */
static inline void cuda_wait(void) {}
static inline void cuda_sweep(cuda_job *job, bool back) { (void)job, (void)back; }
static inline void cuda_step(const cuda_lattice *lattice, int number, int wind_kind, int wall_kind)
{
    (void)lattice, (void)number, (void)wind_kind, (void)wall_kind;
}
static inline void cuda_tiled_product(void *self) { (void)self; }
static inline void cuda_blocked_product(void *self) { (void)self; }
static inline void cuda_forces(void *self) { (void)self; }
static inline size_t cuda_partial_sums(cuda_job *job) { return (void)job, 0; }
#endif

#endif /* CUDA_KERNELS_H */
