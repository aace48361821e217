/* SPDX-License-Identifier: MIT */
/*  few_sizes.h - sizes around those of the tiles of scans and segments */
#ifndef FEW_SIZES_H
#define FEW_SIZES_H

#include "algorithms.h"

static const int sizes[] = { 0, 1, 2, 255, 257, 2047, 2048, 2049, 4099, 65537, 600011 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 600011 };

/* Interpreters are spared the large ones. */
#define FOR_EACH_SIZE(n, where)                                                                                        \
    for (int test_s = 0, n; test_s < SIZES && (n = sizes[test_s], !test_is_slow(where) || n < 5000); test_s++)

#endif /* FEW_SIZES_H */
