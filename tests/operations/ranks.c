// SPDX-License-Identifier: MIT
/*  ranks.c - one table: each operation of tables x kind of view x extent x type, in ranks 2 to 4, on every accelerator,
    against plain C.

    A new operation is a function `of(c)` that writes c->out, or c->result, with the same in plain C, and a row of
    TABLE_2, TABLE_3 or TABLE_4. A new kind of view is a case of make_view. Values are small integers. */
#include "operations.h"

enum { RANKS = 4, EXTENTS = 6, LARGEST = 4096, MEMORY = 16384, WIDEST = 300 };

/* None, one, odd, around a tile, some tiles. */
static const int extents_2[EXTENTS][RANKS] = { { 0, 5 }, { 1, 1 }, { 3, 7 }, { 16, 16 }, { 33, 65 }, { 5, WIDEST } };
static const int extents_3[EXTENTS][RANKS] = { { 2, 0, 3 },   { 1, 1, 1 },   { 3, 2, 5 },
                                               { 4, 16, 16 }, { 5, 17, 33 }, { 2, 1, 257 } };
static const int extents_4[EXTENTS][RANKS] = { { 1, 2, 0, 2 },  { 1, 1, 1, 1 },  { 2, 3, 2, 5 },
                                               { 3, 4, 8, 16 }, { 5, 3, 5, 33 }, { 3, 1, 60, 1 } };

typedef enum kind { WHOLE, SECTION, PROJECTED, RESHAPED, REINTERPRETED, ARRAY, STREAMED, KINDS } kind;
static const char *const kinds[] = { "whole", "section with gaps", "part of a higher rank", "reshaped", "reinterpreted",
                                     "array", "streamed" };

/* Where a view's elements are in memory: from `origin` on in a table of `outer`, which begins at `first`. */
typedef struct box {
    int rank, n, first;
    const int *extent;
    int outer[RANKS], origin[RANKS];
} box;

static box box_of(kind k, int rank, const int *extent)
{
    box b = { .rank = rank, .n = 1, .extent = extent };
    int size = 1;
    for (int d = 0; d < rank; d++) {
        b.origin[d] = k == SECTION ? d % 2 + 1 : 0;
        b.outer[d] = extent[d] + (k == SECTION ? 3 : 0);
        b.n *= extent[d];
        size *= b.outer[d];
    }
    b.first = k == PROJECTED ? size : 0; /* the second of two */
    assert_true(b.n <= LARGEST && b.first + size <= MEMORY);
    return b;
}

/* Where element i of the view is in memory. */
static int place_of(const box *b, int i)
{
    int place = b->first, stride = 1;
    for (int d = b->rank - 1; d >= 0; d--) {
        place += (b->origin[d] + i % b->extent[d]) * stride;
        i /= b->extent[d];
        stride *= b->outer[d];
    }
    return place;
}

#define NUMBERS_2(v) v[0], v[1]
#define NUMBERS_3(v) v[0], v[1], v[2]
#define NUMBERS_4(v) v[0], v[1], v[2], v[3]

/* All for one type of elements in a rank. */
#define IN_RANK(T, R, HIGHER, FORMAT, VIEW, of_view, at, ...)                                                          \
    typedef struct case_##T##_##R {                                                                                    \
        amp_accelerator_view where;                                                                                    \
        VIEW##_##T##_##R in;                                                                                           \
        amp_array_view_##T##_##R out;                                                                                  \
        const int *extent;                                                                                             \
        int n, last;   /* elements, and those of the last dimension */                                                 \
        const T *data; /* what in has */                                                                               \
        T *want;       /* what out has to have: 100 where it is not written */                                         \
        T result, want_result;                                                                                         \
    } case_##T##_##R;                                                                                                  \
                                                                                                                       \
    static void launch_##T##_##R(case_##T##_##R *c)                                                                    \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        const amp_array_view_##T##_##R out = c->out;                                                                   \
        AMP_PARALLEL_FOR_EACH_ON(c->where, out.extent, at, AMP_CAPTURE(in, out),                                       \
                                 { AMP_AT(out, __VA_ARGS__) = (T)(2 * AMP_AT(in, __VA_ARGS__) + (T)i); });             \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = (T)(2 * c->data[k] + (T)(k / (c->n / c->extent[0])));                                         \
    }                                                                                                                  \
    static void copy_##T##_##R(case_##T##_##R *c)                                                                      \
    {                                                                                                                  \
        amp_copy(c->in, c->out);                                                                                       \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = c->data[k];                                                                                   \
    }                                                                                                                  \
    static void copy_in_##T##_##R(case_##T##_##R *c)                                                                   \
    {                                                                                                                  \
        static T between[LARGEST + 1];                                                                                 \
        amp_copy_out(c->in, between, (size_t)c->n);                                                                    \
        amp_copy_in(between, (size_t)c->n, c->out);                                                                    \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = c->data[k];                                                                                   \
    }                                                                                                                  \
    static void fill_##T##_##R(case_##T##_##R *c)                                                                      \
    {                                                                                                                  \
        amp_fill_on(c->where, c->out, (T)7);                                                                           \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = (T)7;                                                                                         \
    }                                                                                                                  \
                                                                                                                       \
    static amp_array_view_##T##_##R make_view_##T##_##R(kind k, T *memory, const box *b, amp_array_##T##_##R *array)   \
    {                                                                                                                  \
        const int *const e = b->extent, *const outer = b->outer, *const origin = b->origin;                            \
        if (k == ARRAY) {                                                                                              \
            *array = amp_array_##T##_##R##_create(AMP_EXTENT(NUMBERS_##R(e)));                                         \
            amp_copy_in(memory, (size_t)b->n, *array);                                                                 \
            return amp_view_of(*array);                                                                                \
        }                                                                                                              \
        if (k == SECTION)                                                                                              \
            KEEP(amp_array_view_##T##_##R##_create(memory, AMP_EXTENT(NUMBERS_##R(outer))),                            \
                 amp_section(all, AMP_INDEX(NUMBERS_##R(origin)), AMP_EXTENT(NUMBERS_##R(e))))                         \
        if (k == PROJECTED)                                                                                            \
            KEEP(amp_array_view_##T##_##HIGHER##_create(memory, AMP_EXTENT(2, NUMBERS_##R(e))), amp_project(all, 1))   \
        if (k == RESHAPED)                                                                                             \
            KEEP(amp_array_view_##T##_1_create(memory, AMP_EXTENT(b->n)),                                              \
                 AMP_VIEW_AS(amp_array_view_##T##_##R, all, NUMBERS_##R(e)))                                           \
        if (k == REINTERPRETED)                                                                                        \
            KEEP(amp_array_view_uint8_t_1_create((uint8_t *)memory, AMP_EXTENT(b->n *(int)sizeof(T))),                 \
                 AMP_VIEW_AS(amp_array_view_##T##_##R, AMP_REINTERPRET_AS(amp_array_view_##T##_1, all),                \
                             NUMBERS_##R(e)))                                                                          \
        return amp_array_view_##T##_##R##_create(memory, AMP_EXTENT(NUMBERS_##R(e)));                                  \
    }                                                                                                                  \
                                                                                                                       \
    typedef struct operation_##T##_##R {                                                                               \
        const char *name;                                                                                              \
        void (*of)(case_##T##_##R * c);                                                                                \
        int turns;                                                                                                     \
    } operation_##T##_##R;                                                                                             \
                                                                                                                       \
    static void try_##T##_##R(amp_accelerator_view where, const operation_##T##_##R *row, kind k, kind to,             \
                              const int *extent)                                                                       \
    {                                                                                                                  \
        static T in[MEMORY], out[MEMORY], want[LARGEST], all[MEMORY], data[LARGEST];                                   \
        amp_array_##T##_##R arrays[2];                                                                                 \
        const box from = box_of(k, R, extent), target = box_of(to, R, extent);                                         \
        for (int i = 0; i < MEMORY; i++) {                                                                             \
            in[i] = (T)test_random_int(0, 9);                                                                          \
            out[i] = all[i] = (T)100;                                                                                  \
        }                                                                                                              \
        for (int i = 0; i < from.n; i++) {                                                                             \
            data[i] = in[place_of(&from, i)];                                                                          \
            want[i] = (T)100;                                                                                          \
        }                                                                                                              \
        case_##T##_##R c = {                                                                                           \
            .where = where, .extent = extent, .n = from.n, .last = extent[R - 1], .data = data, .want = want           \
        };                                                                                                             \
        amp_array_view_##T##_##R given = make_view_##T##_##R(k, in, &from, &arrays[0]);                                \
        c.in = of_view(given);                                                                                         \
        c.out = make_view_##T##_##R(to, out, &target, &arrays[1]);                                                     \
        row->of(&c);                                                                                                   \
        if (to == ARRAY)                                                                                               \
            amp_copy_out(arrays[1], out, (size_t)from.n);                                                              \
        else                                                                                                           \
            amp_array_view_synchronize(&c.out);                                                                        \
        check_that(c.result == c.want_result, "%s of %s to %s, %d ... %d: " FORMAT ", expected " FORMAT, row->name,    \
                   kinds[k], kinds[to], extent[0], c.last, c.result, c.want_result);                                   \
        for (int i = 0; i < from.n; i++)                                                                               \
            all[place_of(&target, i)] = want[i];                                                                       \
        for (int i = 0; i < MEMORY; i++)                                                                               \
            check_that(out[i] == all[i], "%s of %s to %s, %d ... %d, in memory at %d: " FORMAT ", expected " FORMAT,   \
                       row->name, kinds[k], kinds[to], extent[0], c.last, i, out[i], all[i]);                          \
        if (k == ARRAY)                                                                                                \
            amp_array_release(&arrays[0]);                                                                             \
        else                                                                                                           \
            amp_array_view_release(&given);                                                                            \
        if (to == ARRAY)                                                                                               \
            amp_array_release(&arrays[1]);                                                                             \
        else                                                                                                           \
            amp_array_view_release(&c.out);                                                                            \
    }                                                                                                                  \
                                                                                                                       \
    /* Copies have all pairs of kinds, other operations the same kind twice. */                                        \
    static void row_##T##_##R(void **state)                                                                            \
    {                                                                                                                  \
        const operation_##T##_##R *const row = *state;                                                                 \
        const size_t bytes = row->of == launch_##T##_##R ? 4000 * sizeof(T) : 1 << 19; /* launches in parts */         \
        FOR_EACH_ACCELERATOR(where)                                                                                    \
        for (int k = 0; k < KINDS; k++) {                                                                              \
            amp_accelerator_view on = k == STREAMED ? streamed_view(where, bytes) : where;                             \
            for (int e = 0; e < EXTENTS && on.amp_priv_queue; e++)                                                     \
                for (int to = 0; to < KINDS; to++)                                                                     \
                    if (to == k || (row->of == copy_##T##_##R && k != STREAMED && to != STREAMED))                     \
                        try_##T##_##R(on, row, (kind)k, (kind)to, extents_##R[e]);                                     \
            if (k == STREAMED && on.amp_priv_queue)                                                                    \
                amp_accelerator_view_release(&on);                                                                     \
        }                                                                                                              \
    }

IN_RANK(int, 2, 3, "%d", amp_const_array_view, amp_as_const, (i, j), i, j)
IN_RANK(int, 3, 4, "%d", amp_const_array_view, amp_as_const, (i, j, k), i, j, k)
IN_RANK(int, 4, 5, "%d", amp_const_array_view, amp_as_const, (i, j, k, l), i, j, k, l)
IN_RANK(float, 2, 3, "%g", amp_array_view, amp_view_of, (i, j), i, j)
IN_RANK(float, 3, 4, "%g", amp_array_view, amp_view_of, (i, j, k), i, j, k)
IN_RANK(float, 4, 5, "%g", amp_array_view, amp_view_of, (i, j, k, l), i, j, k, l)

/* What takes two or three dimensions. */
#define REDUCED(T, R, VIEW, at, ...)                                                                                   \
    static void reduce_##T##_##R(case_##T##_##R *c)                                                                    \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        AMP_REDUCE_ON(c->where, T, c->result, in.extent, at, AMP_CAPTURE(in), (T)(AMP_AT(in, __VA_ARGS__) + (T)j),     \
                      a + b, 0);                                                                                       \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want_result =                                                                                           \
                (T)(c->want_result + c->data[k] + (T)(R == 2 ? k % c->last : k / c->last % c->extent[1]));             \
    }                                                                                                                  \
    static void count_if_##T##_##R(case_##T##_##R *c)                                                                  \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        c->result = (T)AMP_COUNT_IF_ON(c->where, in.extent, at, AMP_CAPTURE(in), AMP_AT(in, __VA_ARGS__) > 4);         \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want_result = (T)(c->want_result + (c->data[k] > 4));                                                   \
    }                                                                                                                  \
    static void inclusive_scan_##T##_##R(case_##T##_##R *c)                                                            \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        T sum = 0;                                                                                                     \
        AMP_INCLUSIVE_SCAN_ON(c->where, T, c->out, in.extent, at, AMP_CAPTURE(in), AMP_AT(in, __VA_ARGS__), a + b, 0); \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = sum = (T)(sum + c->data[k]);                                                                  \
    }                                                                                                                  \
    static void exclusive_scan_##T##_##R(case_##T##_##R *c)                                                            \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        T sum = 0;                                                                                                     \
        AMP_EXCLUSIVE_SCAN_ON(c->where, T, c->out, in.extent, at, AMP_CAPTURE(in), AMP_AT(in, __VA_ARGS__), a + b, 0); \
        for (int k = 0; k < c->n; k++) {                                                                               \
            c->want[k] = sum;                                                                                          \
            sum = (T)(sum + c->data[k]);                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    /* The number of wrong bins. */                                                                                    \
    static void histogram_##T##_##R(case_##T##_##R *c)                                                                 \
    {                                                                                                                  \
        const VIEW##_##T##_##R in = c->in;                                                                             \
        int bins[9] = { 0 };                                                                                           \
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, counts, 9);                                                                   \
        AMP_HISTOGRAM_ON(c->where, counts, in.extent, at, AMP_CAPTURE(in), (int)AMP_AT(in, __VA_ARGS__));              \
        for (int k = 0; k < c->n; k++)                                                                                 \
            if (c->data[k] < 9)                                                                                        \
                bins[(int)c->data[k]]++;                                                                               \
        for (int b = 0; b < 9; b++)                                                                                    \
            c->result = (T)(c->result + (AMP_AT(counts, b) != bins[b]));                                               \
    }

REDUCED(int, 2, amp_const_array_view, (i, j), i, j)
REDUCED(int, 3, amp_const_array_view, (i, j, k), i, j, k)
REDUCED(float, 2, amp_array_view, (i, j), i, j)
REDUCED(float, 3, amp_array_view, (i, j, k), i, j, k)

/* What takes rows and columns. */
#define OF_TABLES(T, VIEW)                                                                                             \
    static int compare_##T(const void *a, const void *b)                                                               \
    {                                                                                                                  \
        const T x = *(const T *)a, y = *(const T *)b;                                                                  \
        return (x > y) - (x < y);                                                                                      \
    }                                                                                                                  \
    /* To and back; the result is the number of wrong elements between. */                                             \
    static void transpose_##T##_2(case_##T##_2 *c)                                                                     \
    {                                                                                                                  \
        const int rows = c->extent[0], columns = c->extent[1];                                                         \
        AMP_ARRAY_VIEW_NO_SOURCE(T, 2, turned, columns, rows);                                                         \
        amp_transpose_on(c->where, turned, c->in);                                                                     \
        amp_transpose_on(c->where, c->out, turned);                                                                    \
        for (int k = 0; k < c->n; k++) {                                                                               \
            c->want[k] = c->data[k];                                                                                   \
            c->result = (T)(c->result + (AMP_AT(turned, k % columns, k / columns) > c->data[k] ||                      \
                                         AMP_AT(turned, k % columns, k / columns) < c->data[k]));                      \
        }                                                                                                              \
    }                                                                                                                  \
    static void sort_rows_##T##_2(case_##T##_2 *c)                                                                     \
    {                                                                                                                  \
        copy_##T##_2(c);                                                                                               \
        amp_sort_rows_on(c->where, c->out);                                                                            \
        for (int row = 0; row < c->extent[0]; row++)                                                                   \
            qsort(c->want + row * c->last, (size_t)c->last, sizeof(T), compare_##T);                                   \
    }                                                                                                                  \
    static void sort_rows_descending_##T##_2(case_##T##_2 *c)                                                          \
    {                                                                                                                  \
        sort_rows_##T##_2(c);                                                                                          \
        amp_sort_rows_descending_on(c->where, c->out);                                                                 \
        for (int row = 0; row < c->extent[0]; row++)                                                                   \
            for (int k = 0; k < c->last / 2; k++) {                                                                    \
                T *const first = &c->want[row * c->last + k], *const last = &c->want[(row + 1) * c->last - 1 - k];     \
                const T kept = *first;                                                                                 \
                *first = *last;                                                                                        \
                *last = kept;                                                                                          \
            }                                                                                                          \
    }                                                                                                                  \
    static void inclusive_sum_rows_##T##_2(case_##T##_2 *c)                                                            \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_inclusive_sum_rows_on(c->where, c->out, c->in);                                                            \
        for (int k = 0; k < c->n; k++)                                                                                 \
            c->want[k] = sum = (T)(k % c->last ? sum + c->data[k] : c->data[k]);                                       \
    }                                                                                                                  \
    static void exclusive_sum_rows_##T##_2(case_##T##_2 *c)                                                            \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_exclusive_sum_rows_on(c->where, c->out, c->in);                                                            \
        for (int k = 0; k < c->n; k++) {                                                                               \
            c->want[k] = sum = k % c->last ? sum : 0;                                                                  \
            sum = (T)(sum + c->data[k]);                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    /* A result for each row or column: the number of wrong ones. */                                                   \
    static void reduce_rows_##T##_2(case_##T##_2 *c)                                                                   \
    {                                                                                                                  \
        const VIEW##_##T##_2 in = c->in;                                                                               \
        AMP_ARRAY_VIEW_NO_SOURCE(T, 1, line, c->extent[0]);                                                            \
        AMP_REDUCE_ROWS_ON(c->where, T, line, in.extent, (i, j), AMP_CAPTURE(in), AMP_AT(in, i, j), a + b, 0);         \
        for (int row = 0; row < c->extent[0]; row++) {                                                                 \
            T sum = 0;                                                                                                 \
            for (int k = 0; k < c->last; k++)                                                                          \
                sum = (T)(sum + c->data[row * c->last + k]);                                                           \
            c->result = (T)(c->result + (AMP_AT(line, row) > sum || AMP_AT(line, row) < sum));                         \
        }                                                                                                              \
    }                                                                                                                  \
    static void reduce_columns_##T##_2(case_##T##_2 *c)                                                                \
    {                                                                                                                  \
        const VIEW##_##T##_2 in = c->in;                                                                               \
        AMP_ARRAY_VIEW_NO_SOURCE(T, 1, line, c->last);                                                                 \
        AMP_REDUCE_COLUMNS_ON(c->where, T, line, in.extent, (i, j), AMP_CAPTURE(in), AMP_AT(in, i, j), a < b ? b : a,  \
                              (T)-1);                                                                                  \
        for (int column = 0; column < c->last; column++) {                                                             \
            T most = (T)-1;                                                                                            \
            for (int row = 0; row < c->extent[0]; row++)                                                               \
                most = c->data[row * c->last + column] > most ? c->data[row * c->last + column] : most;                \
            c->result = (T)(c->result + (AMP_AT(line, column) > most || AMP_AT(line, column) < most));                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void argmin_rows_##T##_2(case_##T##_2 *c)                                                                   \
    {                                                                                                                  \
        AMP_ARRAY_VIEW_NO_SOURCE(T, 1, least, c->extent[0]);                                                           \
        AMP_ARRAY_VIEW_NO_SOURCE(T, 1, greatest, c->extent[0]);                                                        \
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, at_least, c->extent[0]);                                                      \
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, at_greatest, c->extent[0]);                                                   \
        amp_argmin_rows_on(c->where, at_least, least, c->in);                                                          \
        amp_argmax_rows_on(c->where, at_greatest, greatest, c->in);                                                    \
        for (int row = 0; row < c->extent[0]; row++) {                                                                 \
            const T *const of = c->data + row * c->last;                                                               \
            int low = 0, high = 0;                                                                                     \
            for (int k = 1; k < c->last; k++) {                                                                        \
                low = of[k] < of[low] ? k : low;                                                                       \
                high = of[k] > of[high] ? k : high;                                                                    \
            }                                                                                                          \
            c->result = (T)(c->result + (AMP_AT(at_least, row) != low || AMP_AT(at_greatest, row) != high ||           \
                                         AMP_AT(least, row) < of[low] || AMP_AT(greatest, row) > of[high]));           \
        }                                                                                                              \
    }

OF_TABLES(int, amp_const_array_view)
OF_TABLES(float, amp_array_view)

/* A square of small numbers to multiply by. */
static const float *square(void)
{
    static float numbers[WIDEST * WIDEST];
    for (int i = 0; i < WIDEST * WIDEST; i++)
        numbers[i] = (float)(i * 7 % 4);
    return numbers;
}

/* The product of each matrix and a square one; with the transposed one, twice, and one more. */
#define PRODUCTS(R)                                                                                                    \
    static void multiply_float_##R(case_float_##R *c)                                                                  \
    {                                                                                                                  \
        const float *const numbers = square();                                                                         \
        AMP_CONST_ARRAY_VIEW(float, 2, factor, numbers, c->last, c->last);                                             \
        AMP_MULTIPLY_ON(c->where, float, c->out, c->in, factor);                                                       \
        for (int k = 0; k < c->n; k++) {                                                                               \
            c->want[k] = 0;                                                                                            \
            for (int j = 0; j < c->last; j++)                                                                          \
                c->want[k] += c->data[k / c->last * c->last + j] * numbers[j * c->last + k % c->last];                 \
        }                                                                                                              \
    }                                                                                                                  \
    static void multiply_add_float_##R(case_float_##R *c)                                                              \
    {                                                                                                                  \
        const float *const numbers = square();                                                                         \
        AMP_CONST_ARRAY_VIEW(float, 2, factor, numbers, c->last, c->last);                                             \
        AMP_MULTIPLY_ADD_ON(c->where, float, c->out, 2, c->in, AMP_TRANSPOSED(factor), 1);                             \
        for (int k = 0; k < c->n; k++)                                                                                 \
            for (int j = 0; j < c->last; j++)                                                                          \
                c->want[k] += 2 * c->data[k / c->last * c->last + j] * numbers[k % c->last * c->last + j];             \
    }

PRODUCTS(2)
PRODUCTS(3)

/* Of a matrix and a vector, and of the transposed one: the number of wrong sums. */
static void multiply_vector_float_2(case_float_2 *c)
{
    const int rows = c->extent[0];
    const float *const numbers = square();
    AMP_CONST_ARRAY_VIEW(float, 1, x, numbers, c->last);
    AMP_CONST_ARRAY_VIEW(float, 1, z, numbers, rows);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, y, rows);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, w, c->last);
    AMP_MULTIPLY_VECTOR_ON(c->where, float, y, c->in, x);
    AMP_MULTIPLY_VECTOR_ON(c->where, float, w, AMP_TRANSPOSED(c->in), z);
    float of_rows[WIDEST] = { 0 }, of_columns[WIDEST] = { 0 };
    for (int k = 0; k < c->n; k++) {
        of_rows[k / c->last] += c->data[k] * numbers[k % c->last];
        of_columns[k % c->last] += c->data[k] * numbers[k / c->last];
    }
    for (int k = 0; k < rows; k++)
        c->result += AMP_AT(y, k) < of_rows[k] || AMP_AT(y, k) > of_rows[k] ? 1.0f : 0.0f;
    for (int k = 0; k < c->last; k++)
        c->result += AMP_AT(w, k) < of_columns[k] || AMP_AT(w, k) > of_columns[k] ? 1.0f : 0.0f;
}

/* The tables. */
#define ROW_BY_TURNS(T, R, name) { #name "_of_" #T "_" #R, name##_##T##_##R, 3 },
#define ROW_SELDOM(T, R, name)   { #name "_of_" #T "_" #R, name##_##T##_##R, 12 },
#define TABLE_4(T, R)                                                                                                  \
    ROW_BY_TURNS(T, R, copy)                                                                                           \
    ROW_BY_TURNS(T, R, copy_in)                                                                                        \
    ROW_BY_TURNS(T, R, launch) ROW_SELDOM(T, R, fill)
#define TABLE_3(T, R)                                                                                                  \
    TABLE_4(T, R)                                                                                                      \
    ROW_SELDOM(T, R, reduce)                                                                                           \
    ROW_SELDOM(T, R, count_if)                                                                                         \
    ROW_SELDOM(T, R, inclusive_scan) ROW_SELDOM(T, R, exclusive_scan) ROW_SELDOM(T, R, histogram)
#define TABLE_2(T, R)                                                                                                  \
    TABLE_3(T, R)                                                                                                      \
    ROW_SELDOM(T, R, transpose)                                                                                        \
    ROW_SELDOM(T, R, sort_rows)                                                                                        \
    ROW_SELDOM(T, R, sort_rows_descending)                                                                             \
    ROW_SELDOM(T, R, inclusive_sum_rows)                                                                               \
    ROW_SELDOM(T, R, exclusive_sum_rows)                                                                               \
    ROW_SELDOM(T, R, reduce_rows) ROW_SELDOM(T, R, reduce_columns) ROW_SELDOM(T, R, argmin_rows)
#define PRODUCTS_3(R) ROW_SELDOM(float, R, multiply) ROW_SELDOM(float, R, multiply_add)
#define ADD(T, R, type, ...)                                                                                           \
    {                                                                                                                  \
        static operation_##T##_##R table[] = { __VA_ARGS__ };                                                          \
        for (size_t o = 0; o < sizeof table / sizeof table[0]; o++)                                                    \
            add_row(&all, table[o].name, row_##T##_##R, &table[o], (int)o + R + type, table[o].turns);                 \
    }

int run_operations_ranks(void)
{
    static row_list all;
    ADD(int, 2, 0, TABLE_2(int, 2))
    ADD(int, 3, 0, TABLE_3(int, 3))
    ADD(int, 4, 0, TABLE_4(int, 4))
    ADD(float, 2, 3, TABLE_2(float, 2) PRODUCTS_3(2) ROW_SELDOM(float, 2, multiply_vector))
    ADD(float, 3, 3, TABLE_3(float, 3) PRODUCTS_3(3))
    ADD(float, 4, 3, TABLE_4(float, 4))
    return cmocka_run_group_tests_name("operations/ranks", all.tests, NULL, NULL);
}
