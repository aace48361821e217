// SPDX-License-Identifier: MIT
/*  look_back.c - scans and segments of integers in one pass, as a GPU has them, on every device: sizes around
    tiles, operations that keep the order, tiles that come before those they need, memory that many calls have used.
    Scans of reals in one pass, where tiles begin in order, have the bits of the CPU backend's.
    Also tests amp/algorithms/scan_in_order.h, amp/algorithms/segment_tiles.h. */
#include "test.h"

#include <stdlib.h>

#include "amp_algorithms.h"
#include "inside.h"

static const int lengths[] = { 0, 1, 31, 4096, 4097, 8191, 8193, 100003, 300007 };
enum { LENGTHS = sizeof lengths / sizeof lengths[0], LONGEST = 300007 };

#define FOR_EACH_LENGTH(n, where)                                                                                      \
    for (int test_l = 0, n; test_l < LENGTHS && (n = lengths[test_l], !test_is_slow(where) || n < 5000); test_l++)

static uint32_t words[LONGEST];
static uint8_t begin[LONGEST];

static void make_words(void)
{
    for (int i = 0; i < LONGEST; i++)
        words[i] = (uint32_t)test_random() | 1;
}

/* ---- scans --------------------------------------------------------------------------------------- */

/* Sums wrap around. */
#define DEFINE_SUMS(T)                                                                                                 \
    static void sums_of_##T(amp_accelerator_view where, int n)                                                         \
    {                                                                                                                  \
        static T given[LONGEST], got[LONGEST];                                                                         \
        for (int i = 0; i < n; i++)                                                                                    \
            given[i] = (T)words[i];                                                                                    \
        AMP_CONST_ARRAY_VIEW(T, 1, v, given, n);                                                                       \
        AMP_ARRAY_VIEW(T, 1, out, got, n);                                                                             \
        AMP_INCLUSIVE_SCAN_ON(where, T, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i),                              \
                              (T)((uint64_t)a + (uint64_t)b), 0);                                                      \
        amp_array_view_synchronize(&out);                                                                              \
        uint64_t sum = 0;                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                  \
            sum += (uint64_t)given[i];                                                                                 \
            check_that(got[i] == (T)sum, #T ": %d of %d", i, n);                                                       \
        }                                                                                                              \
    }
DEFINE_SUMS(int8_t)
DEFINE_SUMS(uint16_t)
DEFINE_SUMS(int)
DEFINE_SUMS(int64_t)
DEFINE_SUMS(uint64_t)

static void scans_of_integers(void **state)
{
    (void)state;
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        FOR_EACH_LENGTH(n, where)
        {
            sums_of_int8_t(where, n);
            sums_of_uint16_t(where, n);
            sums_of_int(where, n);
            sums_of_int64_t(where, n);
            sums_of_uint64_t(where, n);
        }
        test_set_sort_tiles(0);
        sums_of_int(where, test_is_slow(where) ? 300 : LONGEST);
    }
}

/* Into another view, in place, and of rank 2. */
#define DEFINE_REALS(T)                                                                                                \
    static void reals_of_##T(amp_accelerator_view where, int n)                                                        \
    {                                                                                                                  \
        static T given[LONGEST], got[3][LONGEST], want[3][LONGEST];                                                    \
        const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));               \
        for (int i = 0; i < n; i++)                                                                                    \
            got[1][i] = want[1][i] = given[i] = (T)(words[i] % 1000 + 1) / (T)7;                                       \
        for (int k = 0; k < 2; k++) {                                                                                  \
            const amp_accelerator_view on = k ? cpu : where;                                                           \
            T(*const results)[LONGEST] = k ? want : got;                                                               \
            AMP_CONST_ARRAY_VIEW(T, 1, v, given, n);                                                                   \
            AMP_ARRAY_VIEW(T, 1, out, results[0], n);                                                                  \
            AMP_ARRAY_VIEW(T, 1, in_place, results[1], n);                                                             \
            AMP_CONST_ARRAY_VIEW(T, 2, table, given, n / 7, 7);                                                        \
            AMP_ARRAY_VIEW(T, 2, sums, results[2], n / 7, 7);                                                          \
            amp_inclusive_sum_on(on, out, v);                                                                          \
            amp_exclusive_sum_on(on, in_place, in_place);                                                              \
            AMP_EXCLUSIVE_SCAN_ON(on, T, sums, table.extent, (y, x), AMP_CAPTURE(table),                               \
                                  AMP_AT(table, y, x) * (T)(x + 1), a + b, 0);                                         \
        }                                                                                                              \
        for (int k = 0; k < 3; k++)                                                                                    \
            for (int i = 0; i < (k == 2 ? n / 7 * 7 : n); i++)                                                         \
                check_that(memcmp(&got[k][i], &want[k][i], sizeof(T)) == 0, #T ": scan %d: %d of %d", k, i, n);        \
    }
DEFINE_REALS(float)
DEFINE_REALS(double)

static void scans_of_reals(void **state)
{
    (void)state;
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        FOR_EACH_LENGTH(n, where)
        {
            reals_of_float(where, n);
            if (amp_accelerator_supports_double_precision(amp_accelerator_view_accelerator(where)))
                reals_of_double(where, n);
        }
        test_set_sort_tiles(0);
    }
}

/* x -> times * x + plus, 16 bits each: associative, and not commutative. */
AMP_FUNCTION(uint32_t, after, (uint32_t first, uint32_t second), {
    const uint32_t times = second & 0xffff;
    return ((first & 0xffff) * times & 0xffff) | ((first >> 16) * times + (second >> 16)) << 16;
})

static void scans_in_order(void **state)
{
    (void)state;
    make_words();
    static uint32_t got[LONGEST];
    FOR_EACH_ACCELERATOR(where)
    {
        const bool tiles =
            !strstr(test_where, "portable-computing-language/cpu-"); /* docs/internals/compiler-bugs.md */
        if (!tiles)
            printf("tiles are left out on %s, which only tests force there: they are wrong by pocl 5\n", test_where);
        test_set_sort_tiles(tiles);
        FOR_EACH_LENGTH(n, where)
        {
            memset(got, 0, sizeof got);
            {
                AMP_CONST_ARRAY_VIEW(uint32_t, 1, v, words, n);
                AMP_ARRAY_VIEW(uint32_t, 1, out, got, n);
                AMP_EXCLUSIVE_SCAN_ON(where, uint32_t, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), after(a, b),
                                      1);
            }
            uint32_t all = 1;
            for (int i = 0; i < n; i++) {
                check_that(got[i] == all, "%d of %d: %#x, not %#x", i, n, got[i], all);
                all = after(all, words[i]);
            }
            /* In place a tile cannot be read again. */
            memcpy(got, words, sizeof got);
            {
                AMP_ARRAY_VIEW(uint32_t, 1, v, got, n);
                AMP_INCLUSIVE_SCAN_ON(where, uint32_t, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), after(a, b), 1);
            }
            all = 1;
            for (int i = 0; i < n; i++) {
                all = after(all, words[i]);
                check_that(got[i] == all, "in place: %d of %d: %#x, not %#x", i, n, got[i], all);
            }
        }
        test_set_sort_tiles(0);
    }
}

/* Row-major, and of each row. */
static void scans_of_tables(void **state)
{
    (void)state;
    static const int extents[][2] = { { 3, 0 }, { 1, 1 }, { 40, 70 }, { 3, 3000 }, { 70001, 1 }, { 5, 20007 } };
    static int got[5 * 20007];
    static int64_t sums[5 * 20007];
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++) {
            const int rows = extents[e][0], columns = extents[e][1];
            if (test_is_slow(where) && rows * columns > 5000)
                continue;
            {
                AMP_CONST_ARRAY_VIEW(int, 2, v, (const int *)words, rows, columns);
                AMP_ARRAY_VIEW(int, 2, out, got, rows, columns);
                AMP_EXCLUSIVE_SCAN_ON(where, int, out, v.extent, (y, x), AMP_CAPTURE(v), AMP_AT(v, y, x) ^ x, a ^ b, 0);
            }
            for (int i = 0, all = 0; i < rows * columns; i++) {
                check_that(got[i] == all, "%d of %d x %d", i, rows, columns);
                all ^= (int)words[i] ^ i % columns;
            }
            {
                AMP_CONST_ARRAY_VIEW(int, 2, v, (const int *)words, rows, columns);
                AMP_ARRAY_VIEW(int, 2, out, got, rows, columns);
                AMP_INCLUSIVE_SCAN_ROWS_ON(where, int, out, v.extent, (y, x), AMP_CAPTURE(v), AMP_AT(v, y, x),
                                           a < b ? b : a, INT_MIN);
            }
            for (int i = 0, most = 0; i < rows * columns; i++) {
                most = i % columns == 0 || (int)words[i] > most ? (int)words[i] : most;
                check_that(got[i] == most, "of rows: %d of %d x %d", i, rows, columns);
            }
            {
                AMP_ARRAY_VIEW(int, 2, v, (int *)words, rows, columns);
                AMP_ARRAY_VIEW(int64_t, 2, out, sums, rows, columns);
                amp_inclusive_sum_rows_on(where, out, v);
                amp_array_view_synchronize(&out);
                for (int i = 0; i < rows * columns; i++)
                    check_that(sums[i] == (i % columns ? sums[i - 1] : 0) + (int)words[i], "sums: %d", i);
                amp_exclusive_sum_rows_on(where, out, v);
            }
            for (int i = 0; i < rows * columns; i++)
                check_that(sums[i] == (i % columns ? sums[i - 1] + (int)words[i - 1] : 0), "before: %d", i);
        }
        test_set_sort_tiles(0);
    }
}

/* ---- segments ------------------------------------------------------------------------------------ */

/* Segments of `mean` elements in the mean; 0: one. */
static void make_segments(int mean)
{
    for (int i = 0; i < LONGEST; i++)
        begin[i] = mean > 0 && test_random_int(1, mean) == 1;
}

/* The results of segments, of which there is room for so many. */
static void reduce_segments(amp_accelerator_view where, int n, int room)
{
    static uint32_t got[LONGEST], want[LONGEST];
    int count = -1, some = 0;
    for (int i = 0; i < n; i++) {
        some += i == 0 || begin[i];
        want[some - 1] = i == 0 || begin[i] ? words[i] : after(want[some - 1], words[i]);
    }
    room = room < some ? room : some;
    memset(got, 0x55, sizeof got);
    {
        AMP_CONST_ARRAY_VIEW(uint32_t, 1, v, words, n);
        AMP_CONST_ARRAY_VIEW(uint8_t, 1, b, begin, n);
        AMP_ARRAY_VIEW(uint32_t, 1, out, got, room);
        AMP_REDUCE_SEGMENTS_ON(where, uint32_t, out, count, v.extent, (i), AMP_CAPTURE(v, b), AMP_AT(b, i),
                               AMP_AT(v, i), after(a, b), 1);
    }
    if (room < some)
        expect_error(AMP_INVALID_ARGUMENT, "use a larger view");
    check_int(count, some);
    for (int i = 0; i < n; i++)
        check_that(got[i] == (i < room ? want[i] : 0x55555555), "%d of %d, %d elements", i, some, n);
}

static void reductions_of_segments(void **state)
{
    (void)state;
    static const int means[] = { 1, 2, 20, 5000, 0 };
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        FOR_EACH_LENGTH(n, where)
        for (size_t m = 0; m < sizeof means / sizeof means[0]; m++) {
            make_segments(means[m]);
            reduce_segments(where, n, n);
            if (n > 1 && means[m] == 2)
                reduce_segments(where, n, n / 5 + 1);
        }
        test_set_sort_tiles(0);
    }
}

static void sums_by_key(void **state)
{
    (void)state;
    static int8_t keys[LONGEST], kept[LONGEST];
    static int64_t sums[LONGEST], want[LONGEST];
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        FOR_EACH_LENGTH(n, where)
        {
            int count[2] = { -1, -1 }, some = 0;
            for (int i = 0; i < n; i++) {
                const bool is_first = i == 0 || test_random_int(0, 3) == 0;
                keys[i] = (int8_t)(i == 0 ? 7 : keys[i - 1] + is_first);
                some += is_first;
                want[some - 1] = (int)words[i] + (is_first ? 0 : want[some - 1]);
            }
            {
                AMP_CONST_ARRAY_VIEW(uint32_t, 1, v, words, n);
                AMP_CONST_ARRAY_VIEW(int8_t, 1, k, keys, n);
                AMP_ARRAY_VIEW(int64_t, 1, out, sums, n);
                AMP_ARRAY_VIEW(int8_t, 1, of, kept, n);
                AMP_ARRAY_VIEW(int, 1, many, count, 2);
                AMP_REDUCE_BY_KEY_ON(where, int64_t, of, out, many, k, (i), AMP_CAPTURE(v), (int)AMP_AT(v, i), a + b,
                                     0);
            }
            check_that(count[0] == some && count[1] == -1, "%d, expected %d", count[0], some);
            for (int i = 0; i < some; i++)
                check_that(sums[i] == want[i] && kept[i] == (int8_t)(7 + i), "%d of %d", i, some);
        }
        test_set_sort_tiles(0);
    }
}

static void scans_of_segments(void **state)
{
    (void)state;
    static uint32_t got[LONGEST];
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        FOR_EACH_LENGTH(n, where)
        {
            make_segments(n % 2 ? 6 : 3000);
            {
                AMP_CONST_ARRAY_VIEW(uint32_t, 1, v, words, n);
                AMP_CONST_ARRAY_VIEW(uint8_t, 1, b, begin, n);
                AMP_ARRAY_VIEW(uint32_t, 1, out, got, n);
                AMP_EXCLUSIVE_SCAN_SEGMENTS_ON(where, uint32_t, out, v.extent, (i), AMP_CAPTURE(v, b), AMP_AT(b, i),
                                               AMP_AT(v, i), after(a, b), 1);
            }
            uint32_t all = 1;
            for (int i = 0; i < n; i++) {
                all = begin[i] ? 1 : all;
                check_that(got[i] == all, "%d of %d: %#x, not %#x", i, n, got[i], all);
                all = after(all, words[i]);
            }
        }
        test_set_sort_tiles(0);
    }
}

/* ---- what is published --------------------------------------------------------------------------- */

/* The memory is cleared when the calls on it have no number left. Every call finds words of others there, of tiles and
   values that its own words may have been. */
static void calls_without_number(void **state)
{
    (void)state;
    make_words();
    FOR_EACH_ACCELERATOR(where)
    {
        test_set_sort_tiles(1);
        for (int calls = 16380; calls <= 16383; calls++) {
            sums_of_int(where, 4097);
            test_set_published_calls(calls);
            for (int i = 0; i < 3; i++) {
                sums_of_int(where, test_is_slow(where) ? 4097 : 20000 - 4000 * i);
                sums_of_int64_t(where, 4097);
            }
        }
        test_set_sort_tiles(0);
    }
}

int run_algorithms_look_back(void)
{
    const struct CMUnitTest tests[] = { TEST(scans_of_integers), TEST(scans_of_reals),         TEST(scans_in_order),
                                        TEST(scans_of_tables),   TEST(reductions_of_segments), TEST(sums_by_key),
                                        TEST(scans_of_segments), TEST(calls_without_number) };
    return cmocka_run_group_tests_name("algorithms/look_back", tests, NULL, NULL);
}
