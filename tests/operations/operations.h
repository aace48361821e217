/* SPDX-License-Identifier: MIT */
/*  operations.h - what the tables of operations share: each row is a test of its own, with the name OPERATION_of_TYPE.

        build/test_cpu 'operations/:sum_of_float'    one row
        build/test_cpu 'operations/:*_of_float'      one type
        build/test_cpu 'operations/:*sort*'          some operations */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

#include "amp_algorithms.h"
#include "amp_group.h"
#include "amp_matrix.h"
#include "inside.h"

enum { MOST_ROWS = 256 };
typedef struct row_list {
    struct CMUnitTest tests[MOST_ROWS]; /* those without a function are none */
    size_t count;
} row_list;

/* Adds a row, of which `turns` turns of $AMP_TEST_TURN have one; all have it where there are no turns. */
static inline void add_row(row_list *all, const char *name, void (*test)(void **), void *row, int number, int turns)
{
    const char *const turn = getenv("AMP_TEST_TURN");
    assert_true(all->count < MOST_ROWS);
    if (!turn || (number + atoi(turn)) % turns == 0)
        all->tests[all->count++] = (struct CMUnitTest){ name, test, test_begin, test_end, row };
}

/* A streamed view of `where`, or of a group's first accelerator, with so much memory; NULL where data are not moved. */
static inline amp_accelerator_view streamed_view(amp_accelerator_view where, size_t bytes)
{
    const amp_accelerator_view one = amp_accelerator_default_view(amp_accelerator_view_accelerator(where));
    amp_accelerator_view streamed = amp_accelerator_view_create_streamed(one, bytes);
    if (amp_accelerator_view_equal(streamed, one))
        amp_accelerator_view_release(&streamed);
    return streamed;
}

/* Returns a part of a view, which owns the data alone from then on. */
#define KEEP(whole, part)                                                                                              \
    {                                                                                                                  \
        __extension__ __auto_type all = whole;                                                                         \
        __extension__ __auto_type kept = amp_array_view_retain(part);                                                  \
        amp_array_view_release(&all);                                                                                  \
        return kept;                                                                                                   \
    }

#endif /* OPERATIONS_H */
