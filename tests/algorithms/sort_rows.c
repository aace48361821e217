// SPDX-License-Identifier: MIT
/*  sort_rows.c - sorts of each row of a table, against qsort: rows shorter and longer than what a thread, a tile
    and a run have, one row and many, rows that follow each other in memory and rows of a section. */
#include "test.h"

#include <stdlib.h>

#include "amp_algorithms.h"
#include "inside.h"

/* Rows and columns. A tile of a GPU sorts 4352 elements of 4 bytes, 2816 of 8, 1792 of 12; a thread 17, 11, 7. */
static const int tables[][2] = { { 1, 1 },    { 3, 2 },    { 300, 7 },   { 100, 17 }, { 33, 33 },
                                 { 9, 35 },   { 20, 100 }, { 5, 1000 },  { 3, 1793 }, { 3, 2816 },
                                 { 2, 4352 }, { 3, 4353 }, { 1, 20000 }, { 20000, 3 } };
enum { TABLES = sizeof tables / sizeof tables[0], MARGIN = 5 };

/* Is a table too large for a slow device? */
static bool is_left_out(amp_accelerator_view where, int t)
{
    return test_is_slow(where) && tables[t][0] * tables[t][1] > 2100;
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static uint64_t order_of(uint64_t bits, size_t size, bool is_signed, bool is_float)
{
    const uint64_t first = UINT64_C(1) << (8 * size - 1);
    if (is_float)
        return bits & first ? ~bits & (first | (first - 1)) : bits | first;
    return is_signed ? bits ^ first : bits;
}
static int by_value(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Where a number's lowest bytes are. */
#define LOW(T) (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint64_t) - sizeof(T) : 0)

/* Sorts the columns of a table but for a margin on both sides, which stays as it is. */
#define ROWS_TEST(T, is_signed, is_float, is_descending, call)                                                         \
    static uint64_t order_of_##T(const T *number)                                                                      \
    {                                                                                                                  \
        uint64_t bits = 0;                                                                                             \
        memcpy((char *)&bits + LOW(T), number, sizeof(T));                                                             \
        const uint64_t order = order_of(bits, sizeof(T), is_signed, is_float);                                         \
        return is_descending ? ~order : order;                                                                         \
    }                                                                                                                  \
    static void rows_of_##T(amp_accelerator_view where, int rows, int columns, int margin)                             \
    {                                                                                                                  \
        const int width = columns + 2 * margin, all = rows * width;                                                    \
        T *const table = malloc(2 * (size_t)all * sizeof(T)), *const given = table + all;                              \
        uint64_t *const want = malloc((size_t)columns * sizeof(uint64_t));                                             \
        for (int i = 0; i < all; i++) {                                                                                \
            const uint64_t bits = test_random() >> (test_random() % 8 * 8); /* NaNs and infinities, too */             \
            memcpy(&table[i], (const char *)&bits + LOW(T), sizeof(T));                                                \
            memcpy(&given[i], &table[i], sizeof(T));                                                                   \
        }                                                                                                              \
        {                                                                                                              \
            AMP_ARRAY_VIEW(T, 2, v, table, rows, width);                                                               \
            call(where, amp_section(v, AMP_INDEX(0, margin), AMP_EXTENT(rows, columns)));                              \
        }                                                                                                              \
        for (int row = 0; row < rows; row++) {                                                                         \
            for (int i = 0; i < columns; i++)                                                                          \
                want[i] = order_of_##T(&given[row * width + margin + i]);                                              \
            qsort(want, (size_t)columns, sizeof *want, by_value);                                                      \
            for (int i = 0; i < columns; i++)                                                                          \
                check_that(order_of_##T(&table[row * width + margin + i]) == want[i], "%d x %d: row %d, column %d",    \
                           rows, columns, row, i);                                                                     \
            for (int i = 0; i < margin; i++) {                                                                         \
                check(!memcmp(&table[row * width + i], &given[row * width + i], sizeof(T)));                           \
                check(!memcmp(&table[(row + 1) * width - 1 - i], &given[(row + 1) * width - 1 - i], sizeof(T)));       \
            }                                                                                                          \
        }                                                                                                              \
        free(table);                                                                                                   \
        free(want);                                                                                                    \
    }
ROWS_TEST(uint8_t, false, false, false, amp_sort_rows_on)
ROWS_TEST(int, true, false, true, amp_sort_rows_descending_on)
ROWS_TEST(float, false, true, false, amp_sort_rows_on)
ROWS_TEST(double, false, true, true, amp_sort_rows_descending_on)
ROWS_TEST(uint64_t, false, false, false, amp_sort_rows_on)

/* ---- any elements -------------------------------------------------------------------------------- */

AMP_STRUCT(body, { float x, y, z; });
AMP_DEFINE_ELEMENT(body);

/* By x alone: y is the column where a body was, z its row. The numbers of columns get the same order. */
static void rows_of_bodies(amp_accelerator_view where, int rows, int columns)
{
    const size_t all = (size_t)rows * (size_t)columns;
    body *const bodies = malloc(all * sizeof *bodies);
    int *const numbers = malloc(all * sizeof *numbers);
    const float sign = test_random_int(0, 1) ? 1 : -1;
    const int most = test_random_int(0, 1) ? 10 : 1 << 20;
    for (int i = 0; i < rows * columns; i++) {
        bodies[i] = (body){ (float)test_random_int(0, most), (float)(i % columns), (float)(i / columns) };
        numbers[i] = i % columns;
    }
    {
        AMP_ARRAY_VIEW(body, 2, v, bodies, rows, columns);
        AMP_ARRAY_VIEW(int, 2, column, numbers, rows, columns);
        AMP_SORT_ROWS_ON(where, column, (row), AMP_CAPTURE(v, sign),
                         sign * AMP_AT(v, row, a).x < sign * AMP_AT(v, row, b).x);
        AMP_SORT_ROWS_ON(where, v, (row), AMP_CAPTURE(sign), sign * a.x < sign * b.x);
    }
    for (int i = 0; i < rows * columns; i++) {
        const body *const this = &bodies[i], *const last = i % columns ? this - 1 : NULL;
        check_that((int)this->z == i / columns && (int)this->y == numbers[i], "%d x %d: %d is %g of row %g, not %d",
                   rows, columns, i, (double)this->y, (double)this->z, numbers[i]);
        check_that(!last || sign * last->x < sign * this->x || (last->x == this->x && last->y < this->y),
                   "%d x %d: %d: %g after %g", rows, columns, i, (double)this->x, (double)last->x);
    }
    free(bodies);
    free(numbers);
}

static void all_rows(amp_accelerator_view where)
{
    for (int t = 0; t < TABLES; t++) {
        const int rows = tables[t][0], columns = tables[t][1], margin = test_random_int(0, 1) * MARGIN;
        if (is_left_out(where, t))
            continue;
        rows_of_uint8_t(where, rows, columns, margin);
        rows_of_int(where, rows, columns, MARGIN - margin);
        rows_of_float(where, rows, columns, margin);
        rows_of_double(where, rows, columns, MARGIN - margin);
        rows_of_uint64_t(where, rows, columns, margin);
        rows_of_bodies(where, rows, columns);
    }
}

static void sorts_of_rows(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        all_rows(where);
        if (strstr(test_where, "portable-computing-language/cpu-")) { /* docs/platforms.md */
            printf("tiles are left out on %s: pocl 5 stops at an assertion when it compiles them\n", test_where);
            continue;
        }
        test_set_sort_tiles(1);
        all_rows(where);
        test_set_sort_tiles(0);
    }
}

static void no_rows(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int table[4][3] = { { 3, 2, 1 }, { 6, 5, 4 }, { 9, 8, 7 }, { 12, 11, 10 } };
        static const int sorted[4][3] = { { 3, 2, 1 }, { 4, 5, 6 }, { 9, 8, 7 }, { 12, 11, 10 } };
        {
            AMP_ARRAY_VIEW(int, 2, v, &table[0][0], 4, 3);
            amp_sort_rows_on(where, amp_section(v, AMP_INDEX(1, 0), AMP_EXTENT(0, 3)));
            amp_sort_rows_on(where, amp_section(v, AMP_INDEX(1, 1), AMP_EXTENT(3, 1)));
            amp_sort_rows_on(where, amp_section(v, AMP_INDEX(1, 0), AMP_EXTENT(1, 3)));
        }
        check(!memcmp(table, sorted, sizeof sorted));
        amp_array_view_int_2 none = { 0 };
        amp_sort_rows_on(where, none);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_sort_rows");
    }
}

int run_algorithms_sort_rows(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sorts_of_rows),
        TEST(no_rows),
    };
    return cmocka_run_group_tests_name("algorithms/sort_rows", tests, NULL, NULL);
}
