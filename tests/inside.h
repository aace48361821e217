// SPDX-License-Identifier: MIT
/*  tests/inside.h - what tests read and change inside the library, for files that are compiled with AMP_SPLIT and see
    its interface alone. tests/inside.c, which has these functions, is also the implementation that such files need. */
#ifndef INSIDE_H
#define INSIDE_H

#include "amp.h"

enum { TEST_MESSAGE_SIZE = 16384 };

bool test_has_atomics64(amp_accelerator_view view);
/* Its functions have no 64-bit atomics where the device has none. */
bool test_can_lack_atomics64(amp_accelerator_view view);
/* Can its kernels round division and square root of float exactly? */
bool test_has_precise_division(amp_accelerator_view view);
/* The greatest third extent of a tile. */
size_t test_max_tile_depth(amp_accelerator_view view);
/* These return what was there before. */
bool test_set_atomics64(amp_accelerator_view view, bool has);
size_t test_set_max_global(amp_accelerator_view view, size_t threads);
/* Devices that are CPUs take the ways of GPUs: sorts, counts, scans and segments by tiles in one pass; 0: the library
   decides. Scans and segments begin with the tiles in the middle; more than 1: sorts begin with the last tile. */
/* The options of a program with this text, of an NVIDIA GPU of this capability; 0: of another device. "": no OpenCL. */
void test_opencl_build_options(char *out, size_t size, const char *text, unsigned compute_capability);
/* Is an atomic store of OpenCL's one to volatile memory? */
bool test_opencl_stores_plainly(void);
void test_set_sort_tiles(int tiles);
void test_set_multiply_many(int tiles);
/* Does a reduction find a loop in this value, or in what it calls? */
bool test_value_loops(const char *value, amp_priv_user_definition *definitions);
/* How many calls have published in the memory that algorithms keep for it. */
void test_set_published_calls(int calls);

#endif /* INSIDE_H */
