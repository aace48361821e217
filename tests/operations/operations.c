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

/* Rows by turns are for one type of three in each turn ($AMP_TEST_TURN), and for all where there are no turns. */
static bool has_turn(size_t type)
{
    const char *const turn = getenv("AMP_TEST_TURN");
    return !turn || (size_t)atoi(turn) % 3 == type;
}

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
    static void min_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_min_on(c->where, c->in);                                                                       \
        c->want_result = c->data[0];                                                                                   \
        for (int i = 1; i < c->n; i++)                                                                                 \
            c->want_result = c->data[i] < c->want_result ? c->data[i] : c->want_result;                                \
    }                                                                                                                  \
    /* The sum of both indexes. */                                                                                     \
    static void argminmax_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        int least = -2, greatest = -2;                                                                                 \
        copy_##T(c);                                                                                                   \
        amp_argminmax_on(c->where, least, greatest, c->in);                                                            \
        c->result = (T)(least + greatest);                                                                             \
        least = greatest = c->n ? 0 : -1;                                                                              \
        for (int i = 1; i < c->n; i++) {                                                                               \
            least = c->data[i] < c->data[least] ? i : least;                                                           \
            greatest = c->data[i] > c->data[greatest] ? i : greatest;                                                  \
        }                                                                                                              \
        c->want_result = (T)(least + greatest);                                                                        \
    }                                                                                                                  \
    static void count_if_##T(case_##T *c)                                                                              \
    {                                                                                                                  \
        const amp_array_view_##T##_1 in = c->in;                                                                       \
        copy_##T(c);                                                                                                   \
        c->result = (T)AMP_COUNT_IF_ON(c->where, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) < 5);                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + (c->data[i] < 5));                                                   \
    }                                                                                                                  \
    static void mismatch_##T(case_##T *c)                                                                              \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        c->result = (T)amp_mismatch_on(c->where, c->in, c->out);                                                       \
        c->want_result = (T)-1;                                                                                        \
        if (c->n > 0)                                                                                                  \
            AMP_AT(c->out, c->n - 1) = c->want[c->n - 1] = (T)99;                                                      \
        if (amp_equal_elements_on(c->where, c->in, c->out) != (c->n == 0))                                             \
            c->result = 0;                                                                                             \
    }                                                                                                                  \
    static void iota_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_iota_on(c->where, c->out, (T)3);                                                                           \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)(3 + i);                                                                                   \
    }                                                                                                                  \
    static void partition_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        const amp_array_view_##T##_1 in = c->in;                                                                       \
        int count = -1, n = 0;                                                                                         \
        AMP_PARTITION_ON(c->where, c->out, count, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) < 5, AMP_AT(in, i));  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->data[i] < 5)                                                                                        \
                c->want[n++] = c->data[i];                                                                             \
        c->want_result = (T)n;                                                                                         \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->data[i] >= 5)                                                                                       \
                c->want[n++] = c->data[i];                                                                             \
        c->result = (T)count;                                                                                          \
    }                                                                                                                  \
    static void unique_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        int count = -1, n = 0;                                                                                         \
        fill_##T(c);                                                                                                   \
        amp_unique_on(c->where, c->out, count, c->in);                                                                 \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (i == 0 || c->data[i] != c->data[i - 1])                                                                \
                c->want[n++] = c->data[i];                                                                             \
        c->result = (T)count;                                                                                          \
        c->want_result = (T)n;                                                                                         \
    }                                                                                                                  \
    static void turn_##T(T *data, int n)                                                                               \
    {                                                                                                                  \
        for (int i = 0; i < n / 2; i++) {                                                                              \
            const T other = data[i];                                                                                   \
            data[i] = data[n - 1 - i];                                                                                 \
            data[n - 1 - i] = other;                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    static void sort_descending_##T(case_##T *c)                                                                       \
    {                                                                                                                  \
        sort_##T(c);                                                                                                   \
        amp_sort_descending_on(c->where, c->out);                                                                      \
        turn_##T(c->want, c->n);                                                                                       \
    }                                                                                                                  \
    /* The values say where a key was; the result is the number of those that do not, or are out of order. */          \
    static void sort_by_key_##T(case_##T *c)                                                                           \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        amp_sort_by_key_on(c->where, c->out, c->places);                                                               \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        for (int i = 0, before = c->n; i < c->n; i++) {                                                                \
            const int place = AMP_AT(c->places, i), from = from_place(place, c->n);                                    \
            if (place < 0 || place >= c->n || c->data[from] != c->want[i] ||                                           \
                (i > 0 && c->want[i] == c->want[i - 1] && place >= before))                                            \
                c->result++;                                                                                           \
            before = place;                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static void nth_element_##T(case_##T *c)                                                                           \
    {                                                                                                                  \
        sort_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_nth_element_on(c->where, c->in, c->n / 3);                                                     \
        c->want_result = c->want[c->n / 3];                                                                            \
    }                                                                                                                  \
    /* All elements; the result is the number of wrong places. */                                                      \
    static void top_k_##T(case_##T *c)                                                                                 \
    {                                                                                                                  \
        amp_top_k_on(c->where, c->out, c->places, c->in);                                                              \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[i];                                                                                   \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        turn_##T(c->want, c->n);                                                                                       \
        for (int i = 0; i < c->n; i++) {                                                                               \
            const int place = AMP_AT(c->places, i);                                                                    \
            if (place < 0 || place >= c->n || c->data[place] != c->want[i])                                            \
                c->result++;                                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    /* Two sorted halves as one, and in it the first place of each element; the result counts wrong places. */         \
    static void merge_##T(case_##T *c)                                                                                 \
    {                                                                                                                  \
        static T sorted[LARGEST + 1];                                                                                  \
        const int half = c->n / 2;                                                                                     \
        for (int i = 0; i < c->n; i++)                                                                                 \
            sorted[i] = c->want[i] = c->data[i];                                                                       \
        qsort(sorted, (size_t)half, sizeof(T), compare_##T);                                                           \
        qsort(sorted + half, (size_t)(c->n - half), sizeof(T), compare_##T);                                           \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        AMP_CONST_ARRAY_VIEW(T, 1, low, sorted, half);                                                                 \
        AMP_CONST_ARRAY_VIEW(T, 1, high, sorted + half, c->n - half);                                                  \
        amp_merge_on(c->where, c->out, low, high);                                                                     \
        amp_lower_bound_on(c->where, c->places, c->out, c->in);                                                        \
        for (int i = 0; i < c->n; i++) {                                                                               \
            const int at = AMP_AT(c->places, i);                                                                       \
            if (at < 0 || at >= c->n || c->want[at] != c->data[i] || (at > 0 && c->want[at - 1] == c->data[i]))        \
                c->result++;                                                                                           \
        }                                                                                                              \
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
            KEEP(T, amp_array_view_uint8_t_1_create((uint8_t *)(memory + BEFORE), AMP_EXTENT(n *(int)sizeof(T))),      \
                 AMP_REINTERPRET_AS(amp_array_view_##T##_1, all))                                                      \
        KEEP(T, amp_array_view_##T##_1_create(memory, AMP_EXTENT(BEFORE + n + AFTER)), amp_section(all, BEFORE, n))    \
    }                                                                                                                  \
                                                                                                                       \
    static const struct {                                                                                              \
        const char *name;                                                                                              \
        void (*of)(case_##T * c);                                                                                      \
        bool by_turns;                                                                                                 \
    } operations_##T[] = { OPERATIONS(T) };                                                                            \
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
            for (int k = 0; k < KINDS && (!operations_##T[o].by_turns || has_turn(sizeof #T % 3)); k++)                \
                for (int s = 0; s < SIZES; s++)                                                                        \
                    try_##T(where, o, (kind)k, sizes[s]);                                                              \
    }

/* The table. */
#define ROW_OF(T, name)       { #name, name##_##T, false },
#define ROW_BY_TURNS(T, name) { #name, name##_##T, true },
#define OPERATIONS(T)                                                                                                  \
    ROW_OF(T, launch)                                                                                                  \
    ROW_OF(T, copy)                                                                                                    \
    ROW_OF(T, fill) ROW_OF(T, gather) ROW_OF(T, scatter) ROW_OF(T, inclusive_sum) ROW_OF(T, exclusive_sum)             \
        ROW_OF(T, sort) ROW_OF(T, sum) ROW_OF(T, inner_product) ROW_OF(T, max) ROW_BY_TURNS(T, min)                    \
            ROW_BY_TURNS(T, argminmax) ROW_BY_TURNS(T, count_if) ROW_BY_TURNS(T, mismatch) ROW_BY_TURNS(T, iota)       \
                ROW_BY_TURNS(T, partition) ROW_BY_TURNS(T, unique) ROW_BY_TURNS(T, sort_descending)                    \
                    ROW_BY_TURNS(T, sort_by_key) ROW_BY_TURNS(T, nth_element) ROW_BY_TURNS(T, top_k)                   \
                        ROW_BY_TURNS(T, merge)

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
