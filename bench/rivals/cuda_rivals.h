/* SPDX-License-Identifier: MIT */
/*  rivals/cuda_rivals.h - the GPU maker's own libraries, cuBLAS and CUB, and calls of its driver, as ways of a
    benchmark, on the GPU that OpenCL shows.
    cuda_rivals.cu is compiled by nvcc, where that is. */
#ifndef CUDA_RIVALS_H
#define CUDA_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

/* One problem: host memory, and what lies on the GPU for it. */
typedef struct cuda_job {
    const void *in[2]; /* NULL: there is none */
    void *out;
    size_t in_bytes[2], out_bytes;
    size_t count; /* elements, or the side of a matrix; of cuda_launches: launches */
    void (*run)(void *self);
    void *on_device; /* cuda_rivals.cu's own; NULL: there is no GPU for it */
    bool turned;     /* in[1] is the transposed matrix; not for cuda_sgemm */
} cuda_job;

#if defined(BENCH_CUDA) || defined(__CUDACC__)
#ifdef __cplusplus
extern "C" {
#endif

/* Brings the input to the GPU. False where CUDA has none; ends the program when anything else fails. */
bool cuda_open(cuda_job *job);
void cuda_close(cuda_job *job);

/* The functions of a bench_way; self is a cuda_job. */
void cuda_upload(void *self);
void cuda_spoil(void *self); /* in the place of cuda_upload, where out is only written */
void cuda_download(void *self);
void cuda_sgemm(void *self);        /* out = in[0] in[1], floats */
void cuda_hgemm(void *self);        /* the same of halves; out and the sums are floats */
void cuda_bgemm(void *self);        /* of bfloat16; out and the sums are floats */
void cuda_tgemm(void *self);        /* of floats, rounded to tf32 */
void cuda_igemm(void *self);        /* of int8; out and the sums are ints */
void cuda_own_copy(void *self);     /* out = in[0], as many bytes as out has, by the GPU */
void cuda_transpose(void *self);    /* out = in[0] transposed, floats */
void cuda_sum(void *self);          /* out: the sum of the floats in in[0] */
void cuda_histogram(void *self);    /* out: 256 ints, how often each byte of in[0] occurs */
void cuda_scan(void *self);         /* out: the sums of the floats in in[0] up to each */
void cuda_scan_of_ints(void *self); /* the same of ints */
/* Of count ints in in[0]: */
void cuda_select(void *self);      /* out: those above 0; behind the last element how many */
void cuda_sort(void *self);        /* out: sorted, digit by digit */
void cuda_merge_sort(void *self);  /* out: sorted by a comparison */
void cuda_sort_by_key(void *self); /* out: sorted; and then the ints of in[1] in this order */
void cuda_run_lengths(void *self); /* out: each of equal ones in a row; and then how many they are; and how many rows */
void cuda_sums_by_key(void *self); /* out: the same; and then the sums of the ints in in[1] in each row; and how many */
/* By the driver's functions: */
void cuda_launches(void *self);     /* out = in[0] + in[1], floats, launched count times, then a wait */
void cuda_launch_waits(void *self); /* the same, with a wait after each */
void cuda_copy_up(void *self);      /* from pinned memory to the GPU, as many bytes as out has */
void cuda_copy_down(void *self);    /* and back */

/* What the last of these functions took by the GPU's clock. */
double cuda_seconds(void *self);

#ifdef __cplusplus
}
#endif
#else
/* Not built: nothing is there. */
static inline bool cuda_open(cuda_job *job) { return (void)job, false; }
static inline void cuda_close(cuda_job *job) { (void)job; }
static inline void cuda_upload(void *self) { (void)self; }
static inline void cuda_spoil(void *self) { (void)self; }
static inline void cuda_download(void *self) { (void)self; }
static inline void cuda_sgemm(void *self) { (void)self; }
static inline void cuda_hgemm(void *self) { (void)self; }
static inline void cuda_bgemm(void *self) { (void)self; }
static inline void cuda_tgemm(void *self) { (void)self; }
static inline void cuda_igemm(void *self) { (void)self; }
static inline void cuda_own_copy(void *self) { (void)self; }
static inline void cuda_transpose(void *self) { (void)self; }
static inline void cuda_sum(void *self) { (void)self; }
static inline void cuda_histogram(void *self) { (void)self; }
static inline void cuda_scan(void *self) { (void)self; }
static inline void cuda_scan_of_ints(void *self) { (void)self; }
static inline void cuda_select(void *self) { (void)self; }
static inline void cuda_sort(void *self) { (void)self; }
static inline void cuda_merge_sort(void *self) { (void)self; }
static inline void cuda_sort_by_key(void *self) { (void)self; }
static inline void cuda_run_lengths(void *self) { (void)self; }
static inline void cuda_sums_by_key(void *self) { (void)self; }
static inline void cuda_launches(void *self) { (void)self; }
static inline void cuda_launch_waits(void *self) { (void)self; }
static inline void cuda_copy_up(void *self) { (void)self; }
static inline void cuda_copy_down(void *self) { (void)self; }
static inline double cuda_seconds(void *self) { return (void)self, 0; }
#endif

#endif /* CUDA_RIVALS_H */
