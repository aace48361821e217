// SPDX-License-Identifier: MIT
/*  two_units/shared.h - what the two files of this program ask of each other. */
#ifndef SHARED_H
#define SHARED_H

#include "amp.h"

/* A header of the user's may define functions and structs for kernels: each file has its own. */
AMP_STRUCT(pair, { int first, second; });
AMP_FUNCTION(int, shared_function, (int x), { return 5 * x; });

/* In b.c: */
const void *default_device_of_b(void);
const char *message_in_b(void);
int accelerators_of_b(void);
void fail_in_b(void);
amp_status last_error_of_b(void);
void scale_in_b(amp_array_view_int_1 v);
amp_array_view_int_1 view_made_in_b(int *values, int count);
int sum_in_b(amp_array_int_1 a);
void same_name(int *values, int count);
int element_size_in_b(void);
int product_in_b(amp_accelerator_view where);

#endif /* SHARED_H */
