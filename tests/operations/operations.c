// SPDX-License-Identifier: MIT
/*  operations.c - one table: each operation x kind of view x size x type, on every accelerator, against plain C.

    A new operation is a function `of(c)` that writes c->out, or c->result, with the same in plain C, and a row of
    OPERATIONS. A new kind of view is a case of make_views. Values are small integers: sums are exact in every type. */
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

#include "amp_algorithms.h"
#include "inside.h"

/* None, one, odd, around a tile, some tiles, more than a block of the algorithms. */
static const int sizes[] = { 0, 1, 3, 255, 256, 257, 2049, 10007 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 10007, BEFORE = 5, AFTER = 4 };

typedef enum kind { WHOLE, SECTION, ROW, RESHAPED, REINTERPRETED, ARRAY, KINDS } kind;
static const char *const kinds[] = { "whole", "section", "row of a table", "reshaped", "reinterpreted", "array" };

static int from_place(int i, int n) { return n - 1 - i; } /* for gathers and scatters */

/* Returns a part of a view, which owns the data alone from then on. */
#define KEEP(T, whole, part)                                                                                           \
    {                                                                                                                  \
        __extension__ __auto_type all = whole;                                                                         \
        const amp_array_view_##T##_1 kept = amp_array_view_retain(part);                                               \
        amp_array_view_release(&all);                                                                                  \
        return kept;                                                                                                   \
    }

/* All for one type of elements. */
#define TABLE(T, FORMAT)                                                                                               \
    typedef struct case_##T {                                                                                          \
        amp_accelerator_view where;                                                                                    \
        amp_array_view_##T##_1 in, out;                                                                                \
        amp_array_view_int_1 places;                                                                                   \
        int n;                                                                                                         \
        const T *data; /* what in has */                                                                               \
        T *want;       /* what out has to have */                                                                      \
        T result, want_result;                                                                                         \
    } case_##T;                                                                                                        \
                                                                                                                       \
    static void launch_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        const amp_array_view_##T##_1 in = c->in, out = c->out;                                                         \
        AMP_PARALLEL_FOR_EACH_ON(c->where, out.extent, (i), AMP_CAPTURE(in, out),                                      \
                                 { AMP_AT(out, i) = (T)(2 * AMP_AT(in, i) + 1); });                                    \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)(2 * c->data[i] + 1);                                                                      \
    }                                                                                                                  \
    static void copy_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_copy(c->in, c->out);                                                                                       \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[i];                                                                                   \
    }                                                                                                                  \
    static void fill_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_fill_on(c->where, c->out, (T)7);                                                                           \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)7;                                                                                         \
    }                                                                                                                  \
    static void gather_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        amp_gather_on(c->where, c->out, c->in, c->places);                                                             \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[from_place(i, c->n)];                                                                 \
    }                                                                                                                  \
    static void scatter_##T(case_##T *c)                                                                               \
    {                                                                                                                  \
        amp_scatter_on(c->where, c->out, c->in, c->places);                                                            \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[from_place(i, c->n)] = c->data[i];                                                                 \
    }                                                                                                                  \
    static void inclusive_sum_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_inclusive_sum_on(c->where, c->out, c->in);                                                                 \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = sum = (T)(sum + c->data[i]);                                                                  \
    }                                                                                                                  \
    static void exclusive_sum_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_exclusive_sum_on(c->where, c->out, c->in);                                                                 \
        for (int i = 0; i < c->n; i++) {                                                                               \
            c->want[i] = sum;                                                                                          \
            sum = (T)(sum + c->data[i]);                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static int compare_##T(const void *a, const void *b)                                                               \
    {                                                                                                                  \
        const T x = *(const T *)a, y = *(const T *)b;                                                                  \
        return (x > y) - (x < y);                                                                                      \
    }                                                                                                                  \
    static void sort_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        amp_sort_on(c->where, c->out);                                                                                 \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
    }                                                                                                                  \
    static void sum_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        c->result = (T)amp_sum_on(c->where, c->in);                                                                    \
        copy_##T(c);                                                                                                   \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + c->data[i]);                                                         \
    }                                                                                                                  \
    static void inner_product_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        c->result = (T)amp_inner_product_on(c->where, c->in, c->out);                                                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + c->data[i] * c->data[i]);                                            \
    }                                                                                                                  \
    static void max_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_max_on(c->where, c->in);                                                                       \
        c->want_result = c->data[0];                                                                                   \
        for (int i = 1; i < c->n; i++)                                                                                 \
            c->want_result = c->data[i] > c->want_result ? c->data[i] : c->want_result;                                \
    }                                                                                                                  \
                                                                                                                       \
    /* A view of n elements of the memory, which has room for BEFORE and AFTER. */                                     \
    static amp_array_view_##T##_1 make_view_##T(kind k, T *memory, int n, amp_array_##T##_1 *array)                    \
    {                                                                                                                  \
        if (k == ARRAY) {                                                                                              \
            *array = amp_array_##T##_1_create(AMP_EXTENT(n));                                                          \
            amp_copy_in(memory + BEFORE, (size_t)n, *array);                                                           \
            return amp_section(*array, 0, n);                                                                          \
        }                                                                                                              \
        if (k == WHOLE)                                                                                                \
            return amp_array_view_##T##_1_create(memory + BEFORE, AMP_EXTENT(n));                                      \
        if (k == ROW)                                                                                                  \
            KEEP(T, amp_array_view_##T##_2_create(memory + BEFORE, AMP_EXTENT(1, n)), amp_project(all, 0))             \
        if (k == RESHAPED)                                                                                             \
            KEEP(T, amp_array_view_##T##_3_create(memory + BEFORE, AMP_EXTENT(1, n, 1)),                               \
                 AMP_VIEW_AS(amp_array_view_##T##_1, all, n))                                                          \
        if (k == REINTERPRETED)                                                                                        \
            KEEP(T,                                                                                                    \
                 amp_array_view_uint8_t_1_create((uint8_t *)(memory + BEFORE), AMP_EXTENT(n * (int)sizeof(T))),        \
                 AMP_REINTERPRET_AS(amp_array_view_##T##_1, all))                                                      \
        KEEP(T, amp_array_view_##T##_1_create(memory, AMP_EXTENT(BEFORE + n + AFTER)), amp_section(all, BEFORE, n))    \
    }                                                                                                                  \
                                                                                                                       \
    static const struct {                                                                                              \
        const char *name;                                                                                              \
        void (*of)(case_##T *c);                                                                                       \
    } operations_##T[] = {                                                                                             \
        OPERATIONS(T)                                                                                                  \
    };                                                                                                                 \
                                                                                                                       \
    static void try_##T(amp_accelerator_view where, size_t o, kind k, int n)                                           \
    {                                                                                                                  \
        static T in[BEFORE + LARGEST + AFTER], out[BEFORE + LARGEST + AFTER], want[LARGEST];                           \
        static int places[LARGEST + 1];                                                                                \
        amp_array_##T##_1 arrays[2];                                                                                   \
        for (int i = 0; i < BEFORE + n + AFTER; i++) {                                                                 \
            in[i] = (T)test_random_int(0, 9);                                                                          \
            out[i] = (T)100;                                                                                           \
        }                                                                                                              \
        for (int i = 0; i < n; i++)                                                                                    \
            places[i] = from_place(i, n);                                                                              \
        case_##T c = { .where = where, .n = n, .data = in + BEFORE, .want = want };                                    \
        c.in = make_view_##T(k, in, n, &arrays[0]);                                                                    \
        c.out = make_view_##T(k, out, n, &arrays[1]);                                                                  \
        c.places = amp_array_view_int_1_create(places, AMP_EXTENT(n));                                                 \
        operations_##T[o].of(&c);                                                                                      \
        if (k == ARRAY)                                                                                                \
            amp_copy_out(arrays[1], out + BEFORE, (size_t)n);                                                          \
        else                                                                                                           \
            amp_array_view_synchronize(&c.out);                                                                        \
        check_that(c.result == c.want_result, "%s of %d %s, %s: " FORMAT ", expected " FORMAT, operations_##T[o].name, \
                   n, #T, kinds[k], c.result, c.want_result);                                                          \
        for (int i = 0; i < n; i++)                                                                                    \
            check_that(out[BEFORE + i] == want[i], "%s of %d %s, %s, element %d: " FORMAT ", expected " FORMAT,        \
                       operations_##T[o].name, n, #T, kinds[k], i, out[BEFORE + i], want[i]);                          \
        for (int i = 0; i < BEFORE; i++)                                                                               \
            check_that(out[i] == (T)100 && (i >= AFTER || out[BEFORE + n + i] == (T)100),                              \
                       "%s of %d %s, %s, writes beside its view", operations_##T[o].name, n, #T, kinds[k]);            \
        amp_array_view_release(&c.places);                                                                             \
        for (int v = 0; v < 2; v++)                                                                                    \
            if (k == ARRAY)                                                                                            \
                amp_array_release(&arrays[v]);                                                                         \
            else                                                                                                       \
                amp_array_view_release(v ? &c.out : &c.in);                                                            \
    }                                                                                                                  \
                                                                                                                       \
    static void all_of_##T(void **state)                                                                               \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        FOR_EACH_ACCELERATOR(where)                                                                                    \
        for (size_t o = 0; o < sizeof operations_##T / sizeof operations_##T[0]; o++)                                  \
            for (int k = 0; k < KINDS; k++)                                                                            \
                for (int s = 0; s < SIZES; s++)                                                                        \
                    try_##T(where, o, (kind)k, sizes[s]);                                                              \
    }

/* The table. */
#define ROW_OF(T, name) { #name, name##_##T },
#define OPERATIONS(T)                                                                                                  \
    ROW_OF(T, launch) ROW_OF(T, copy) ROW_OF(T, fill) ROW_OF(T, gather) ROW_OF(T, scatter) ROW_OF(T, inclusive_sum)    \
    ROW_OF(T, exclusive_sum) ROW_OF(T, sort) ROW_OF(T, sum) ROW_OF(T, inner_product) ROW_OF(T, max)

TABLE(int, "%d")
TABLE(float, "%g")
TABLE(int64_t, "%" PRId64)

int run_operations_operations(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_of_int),
        TEST(all_of_float),
        TEST(all_of_int64_t),
    };
    return cmocka_run_group_tests_name("operations/operations", tests, NULL, NULL);
}
