// SPDX-License-Identifier: MIT
/*  reach.h - what the kernels of kernels.c see: two views, whose accesses check.c notes */
#ifndef REACH_H
#define REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reach_view {
    int amp_priv; /* 0: u, 1: v, also in a copy */
    int stride, data[1];
} reach_view;
extern reach_view u, v;

typedef struct reach_function {
    const char *name, *text;
} reach_function;

#ifndef REACH_DRIVER
typedef reach_view amp_const_array_view_float_2, amp_array_view_float_2;
typedef struct amp_index2 {
    int v[2];
} amp_index2;

int amp_priv_at_2(int in_kernel, const int *head, int stride, int i, int j); /* notes row i; 0 */
void tick(void);                                                             /* ends a kernel that takes too long */
#endif

typedef struct reach_kernel {
    const char *text;
    void (*run)(int r, int c, int n);
    const reach_function *functions; /* the last one has no name */
} reach_kernel;
extern const reach_kernel reach_kernels[];
extern const int reach_kernel_count;

#endif
