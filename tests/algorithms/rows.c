// SPDX-License-Identifier: MIT
/*  rows.c - reductions of rows and columns, their extremes */
#include "algorithms.h"

/* A block of the documented association: lanes from the first element to the last, then a tree. */
static float block_sum(const float *p, int64_t n, int64_t apart, int lanes)
{
    float lane[256] = { 0 };
    for (int64_t i = 0; i < n; i++)
        lane[i % lanes] = lane[i % lanes] + p[i * apart];
    for (int half = lanes / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] = lane[i] + lane[i + half];
    return lane[0];
}

static int power_for(int n)
{
    int power = 1;
    while (power < n && power < 256)
        power *= 2;
    return power;
}

/* The documented association of one of `kept` sums, of n elements that are `apart` from each other. */
static float along_sum(const float *p, int kept, int n, int64_t apart, bool is_column)
{
    static float partial[4096];
    const int lanes = is_column ? 256 / power_for(kept) : power_for(n);
    const int tiles = (kept - 1) / (256 / lanes) + 1;
    int64_t rows = 16, blocks = 1;
    while (n && (blocks = (n - 1) / (lanes * rows) + 1) > 1 && blocks * tiles > 4096)
        rows *= 2;
    if (blocks == 1)
        return block_sum(p, n, apart, lanes);
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t first = b * lanes * rows;
        partial[b] = block_sum(p + first * apart, b == blocks - 1 ? n - first : lanes * rows, apart, lanes);
    }
    return block_sum(partial, blocks, 1, lanes);
}

static void rows_and_columns(void **state)
{
    (void)state;
    static const int extents[][2] = { { 0, 3 },     { 3, 0 },     { 1, 1 },      { 5, 255 },    { 257, 3 },
                                      { 2, 70001 }, { 70001, 2 }, { 300, 1009 }, { 1009, 300 }, { 9000, 33 } };
    enum { MOST = 1009 * 300 };
    static float given[MOST], of_rows[70001], of_columns[70001];
    for (int i = 0; i < MOST; i++)
        given[i] = (float)test_random_double(-1, 1) * (float)(1 << test_random_int(0, 20));
    FOR_EACH_ACCELERATOR(where)
    {
        /* twice: a CPU that OpenCL has does as a GPU, too */
        for (size_t e = 0; e < 2 * (sizeof extents / sizeof extents[0]); e++) {
            const int rows = extents[e / 2][0], columns = extents[e / 2][1];
            if (test_is_slow(where) && rows * columns > 5000)
                continue;
            test_set_sort_tiles((int)(e % 2));
            {
                AMP_CONST_ARRAY_VIEW(float, 2, v, given, rows, columns);
                AMP_ARRAY_VIEW(float, 1, r, of_rows, rows);
                AMP_ARRAY_VIEW(float, 1, c, of_columns, columns);
                AMP_REDUCE_ROWS_ON(where, float, r, v.extent, (y, x), AMP_CAPTURE(v), AMP_AT(v, y, x), a + b, 0);
                AMP_REDUCE_COLUMNS_ON(where, float, c, v.extent, (y, x), AMP_CAPTURE(v), AMP_AT(v, y, x), a + b, 0);
            }
            for (int y = 0; y < rows; y++)
                check_that(same_bits(of_rows[y], along_sum(given + (int64_t)y * columns, rows, columns, 1, false)),
                           "row %d of %d x %d is %.9g", y, rows, columns, (double)of_rows[y]);
            for (int x = 0; x < columns; x++)
                check_that(same_bits(of_columns[x], along_sum(given + x, columns, rows, columns, true)),
                           "column %d of %d x %d is %.9g", x, rows, columns, (double)of_columns[x]);
        }
        test_set_sort_tiles(0);
        AMP_ARRAY_VIEW(float, 1, r, of_rows, 2);
        AMP_REDUCE_ROWS_ON(where, float, r, AMP_EXTENT(3, 4), (y, x), AMP_CAPTURE(), (float)(x + y), a + b, 0);
        expect_error(AMP_INVALID_ARGUMENT, "AMP_REDUCE_ROWS: the lengths differ, 3 and 2 elements");
    }
}

/* The first column of the smallest and of the greatest of each row, without NaN; -1 in rows of NaN and of nothing. */
static void extremes_of_rows(void **state)
{
    (void)state;
    enum { ROWS = 9, MOST = 5000 };
    static float given[ROWS * MOST];
    static int numbers[ROWS * MOST];
    const int widths[] = { 0, 1, 7, 300, MOST };
    FOR_EACH_ACCELERATOR(where)
    {
        for (int w = 0; w < (test_is_slow(where) ? 4 : 5); w++) {
            const int columns = widths[w];
            for (int i = 0; i < ROWS * columns; i++) {
                numbers[i] = test_random_int(-40, 40);
                given[i] = i / columns == 3 || i % 5 == 0 ? NAN : (float)test_random_int(-40, 40);
            }
            AMP_CONST_ARRAY_VIEW(float, 2, v, given, ROWS, columns);
            AMP_CONST_ARRAY_VIEW(int, 2, n, numbers, ROWS, columns);
            AMP_ARRAY_VIEW_NO_SOURCE(float, 1, least, ROWS);
            AMP_ARRAY_VIEW_NO_SOURCE(int, 1, greatest, ROWS);
            AMP_ARRAY_VIEW_NO_SOURCE(int, 1, at_least, ROWS);
            AMP_ARRAY_VIEW_NO_SOURCE(int, 1, at_greatest, ROWS);
            amp_argmin_rows_on(where, at_least, least, v);
            amp_argmax_rows_on(where, at_greatest, greatest, n);
            for (int y = 0; y < ROWS; y++) {
                const float *const row = given + y * columns;
                const int *const of_numbers = numbers + y * columns;
                int first = -1, last = -1;
                for (int x = 0; x < columns; x++) {
                    if (!isnan(row[x]) && (first < 0 || row[x] < row[first]))
                        first = x;
                    if (last < 0 || of_numbers[x] > of_numbers[last])
                        last = x;
                }
                check_that(AMP_AT(at_least, y) == first && AMP_AT(at_greatest, y) == last, "row %d of %d: %d and %d", y,
                           columns, AMP_AT(at_least, y), AMP_AT(at_greatest, y));
                check_that(same_bits(AMP_AT(least, y), first < 0 ? INFINITY : row[first]) &&
                               AMP_AT(greatest, y) == (last < 0 ? INT_MIN : of_numbers[last]),
                           "row %d of %d: %g and %d", y, columns, (double)AMP_AT(least, y), AMP_AT(greatest, y));
            }
            amp_argmin_rows_on(where, amp_section(at_least, 0, 2), least, v);
            expect_error(AMP_INVALID_ARGUMENT, "amp_argmin_rows: the lengths differ, 9 and 2 elements");
        }
    }
}

int run_algorithms_rows(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_and_columns),
        TEST(extremes_of_rows),
    };
    return cmocka_run_group_tests_name("algorithms/rows", tests, NULL, NULL);
}
