/* SPDX-License-Identifier: MIT */
/*  sizes.h - sizes where something may begin or end, and random contents. */
#ifndef SIZES_H
#define SIZES_H

#include "algorithms.h"

/* Nothing, one, around a row of lanes and a block, primes, more than one block, more blocks than lanes. */
static const int sizes[] = { 0, 1, 2, 255, 256, 257, 1009, 4095, 4096, 4097, 65537, (1 << 20) + 1 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = (1 << 20) + 1 };

/* Interpreters are spared the large ones. */
#define FOR_EACH_SIZE(n, where)                                                                                        \
    for (int test_s = 0, n; test_s < SIZES && (n = sizes[test_s], !test_is_slow(where) || n < 5000); test_s++)

typedef struct contents {
    float floats[LARGEST], more[LARGEST];
    int ints[LARGEST];
    uint8_t bytes[LARGEST];
} contents;
TEST_GLOBAL contents *given;

static inline void make_data(void)
{
    if (!given)
        given = malloc(sizeof *given);
    check(given != NULL);
    for (int i = 0; i < LARGEST; i++) {
        given->floats[i] = (float)test_random_double(-1, 1) * (float)(1 << test_random_int(0, 20));
        given->more[i] = (float)test_random_double(-3, 3);
        given->ints[i] = (int)test_random();
        given->bytes[i] = (uint8_t)test_random();
    }
}

#endif /* SIZES_H */
