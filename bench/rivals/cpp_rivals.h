/* SPDX-License-Identifier: MIT */
/*  rivals/cpp_rivals.h - C++'s own algorithms as ways of a benchmark, on one thread and on all (std::execution, whose
    threads are TBB's), and Highway's vectorised sort. cpp_rivals.cpp is compiled where a C++ compiler and TBB are, with
    BENCH_HIGHWAY where libhwy_contrib is, too. */
#ifndef CPP_RIVALS_H
#define CPP_RIVALS_H

#include <stdbool.h>
#include <stddef.h>

/* One problem: host memory. */
typedef struct cpp_job {
    const void *in;
    void *out;
    size_t count;
    float sum;    /* cpp_sum's result */
    size_t found; /* cpp_select's: how many */
    bool parallel;
} cpp_job;

#if defined(BENCH_HIGHWAY)
#define CPP_VQSORT "vqsort"
#else
#define CPP_VQSORT NULL
#endif

#if defined(BENCH_CPP) || defined(__cplusplus)
#ifdef __cplusplus
extern "C" {
#endif

/* Starts TBB's threads, which inherit the cores of the one that calls this. */
void cpp_start(void);

/* The `run` of a bench_way; self is a cpp_job. */
void cpp_sum(void *self);         /* std::reduce of floats */
void cpp_scan(void *self);        /* std::inclusive_scan of floats */
void cpp_select(void *self);      /* std::copy_if of ints above 0 */
void cpp_sort(void *self);        /* std::sort of the ints in out */
void cpp_stable_sort(void *self); /* std::stable_sort likewise */
void cpp_vqsort(void *self);      /* the same by hwy::VQSort, on one thread */

#ifdef __cplusplus
}
#endif
#else
/* Not built: nothing is there. */
static inline void cpp_start(void) {}
#define cpp_sum         NULL
#define cpp_scan        NULL
#define cpp_select      NULL
#define cpp_sort        NULL
#define cpp_stable_sort NULL
#define cpp_vqsort      NULL
#endif

#endif /* CPP_RIVALS_H */
