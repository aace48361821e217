// SPDX-License-Identifier: MIT
/*  elementwise.c - gathers, transposes, large results */
#include "algorithms.h"

static void gathers(void **state)
{
    (void)state;
    enum { COUNT = 3001 };
    static body from[COUNT], gathered[COUNT], scattered[COUNT];
    static int places[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        const int step = 7 * test_random_int(1, 100); /* 3001 is prime: the multiples are all places */
        for (int i = 0; i < COUNT; i++) {
            from[i] = (body){ (float)i, (float)(2 * i), (float)(3 * i) };
            places[i] = (int)((int64_t)i * step % COUNT);
        }
        {
            AMP_CONST_ARRAY_VIEW(body, 1, v, from, COUNT);
            AMP_CONST_ARRAY_VIEW(int, 1, list, places, COUNT);
            AMP_ARRAY_VIEW(body, 1, g, gathered, COUNT);
            AMP_ARRAY_VIEW(body, 1, s, scattered, COUNT);
            amp_gather_on(where, g, v, list);
            amp_scatter_on(where, s, v, list);
            amp_gather_on(where, g, v, amp_section(list, 0, COUNT - 1));
            expect_error(AMP_INVALID_ARGUMENT, "amp_gather: the lengths differ, 3001 and 3000 elements");
        }
        for (int i = 0; i < COUNT; i++) {
            check(!memcmp(&gathered[i], &from[places[i]], sizeof(body)));
            check(!memcmp(&scattered[places[i]], &from[i], sizeof(body)));
        }
    }
}

/* A section of a table of elements of any size, to another: blocks, and what is left of them. */
#define TURN(T)                                                                                                        \
    static void turn_##T(amp_accelerator_view where, int rows, int columns)                                            \
    {                                                                                                                  \
        enum { SIDE = 211, AT = 3 };                                                                                   \
        static T given[SIDE * SIDE], got[SIDE * SIDE];                                                                 \
        static uint8_t old[sizeof got];                                                                                \
        for (size_t i = 0; i < sizeof given; i++)                                                                      \
            ((uint8_t *)given)[i] = (uint8_t)test_random();                                                            \
        memcpy(old, got, sizeof got);                                                                                  \
        {                                                                                                              \
            AMP_CONST_ARRAY_VIEW(T, 2, v, given, SIDE, SIDE);                                                          \
            AMP_ARRAY_VIEW(T, 2, out, got, SIDE, SIDE);                                                                \
            amp_transpose_on(where, amp_section(out, AMP_INDEX(AT, 2 * AT), AMP_EXTENT(columns, rows)),                \
                             amp_section(v, AMP_INDEX(0, AT), AMP_EXTENT(rows, columns)));                             \
        }                                                                                                              \
        for (int i = 0; i < SIDE; i++)                                                                                 \
            for (int j = 0; j < SIDE; j++) {                                                                           \
                const int row = j - 2 * AT, column = i - AT;                                                           \
                const bool is_in = row >= 0 && row < rows && column >= 0 && column < columns;                          \
                const void *const want = is_in ? (const void *)&given[row * SIDE + column + AT]                        \
                                               : (const void *)&old[(size_t)(i * SIDE + j) * sizeof(T)];               \
                check_that(!memcmp(&got[i * SIDE + j], want, sizeof(T)), "%d, %d of %d x %d", i, j, columns, rows);    \
            }                                                                                                          \
    }
TURN(uint8_t)
TURN(int16_t)
TURN(float)
TURN(double)
TURN(body)

/* Scans whose results are larger than the caches: from any address on, in place, of a table and of a part of its
   columns. Returns how many are wrong. */
static int scans_past_the_caches(amp_accelerator_view where, int *memory, int rows, int columns)
{
    int wrong = 0;
    const int count = rows * columns;
    {
        AMP_ARRAY_VIEW(int, 1, v, memory + 3, count);
        amp_fill_on(where, v, 3);
        amp_inclusive_sum_on(where, v, v);
    }
    for (int i = 0; i < count; i++)
        wrong += memory[3 + i] != 3 * (i + 1);
    {
        AMP_ARRAY_VIEW(int, 2, w, memory, rows, columns);
        AMP_EXCLUSIVE_SCAN_ON(where, int, w, w.extent, (y, x), AMP_CAPTURE(), x - y, a + b, 0);
        amp_array_view_synchronize(&w);
        for (int i = 0, sum = 0; i < count; sum += i % columns - i / columns, i++)
            wrong += memory[i] != sum;
        const amp_array_view_int_2 part = amp_section(w, 0, 1, rows, columns - 2);
        AMP_INCLUSIVE_SCAN_ON(where, int, part, part.extent, (y, x), AMP_CAPTURE(), x ^ y, a ^ b, 0);
    }
    for (int y = 0, sum = 0; y < rows; y++)
        for (int x = 0; x < columns - 2; x++)
            wrong += memory[y * columns + x + 1] != (sum ^= x ^ y);
    return wrong;
}

static void large_scans(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const bool is_cpu = !strcmp(test_where, "cpu");
        const int rows = is_cpu ? 4096 + 32 : 96, columns = is_cpu ? 2053 : 70;
        int *const memory = aligned_alloc(64, ((size_t)(rows * columns + 3) * sizeof(int) + 63) / 64 * 64);
        assert_non_null(memory);
        check_int(scans_past_the_caches(where, memory, rows, columns), 0);
        free(memory);
    }
}

/* Results that are larger than the caches, of blocks and of what is left at their ends. */
static void transposes_of_large_tables(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const bool is_cpu = !strcmp(test_where, "cpu");
        const int rows = is_cpu ? 4096 + 32 : 96, columns = is_cpu ? 2050 : 70;
        const size_t bytes = (size_t)rows * (size_t)columns * sizeof(int);
        int *const in = malloc(bytes), *const out = aligned_alloc(64, (bytes + 63) / 64 * 64);
        assert_true(in && out);
        for (int i = 0; i < rows * columns; i++)
            in[i] = i;
        {
            AMP_CONST_ARRAY_VIEW(int, 2, v, in, rows, columns);
            AMP_ARRAY_VIEW(int, 2, w, out, columns, rows);
            amp_transpose_on(where, w, v);
        }
        ptrdiff_t wrong = 0;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                wrong += out[j * rows + i] != i * columns + j;
        assert_int_equal(wrong, 0);
        free(in);
        free(out);
    }
}

static void transposes_of_sections(void **state)
{
    (void)state;
    static const int extents[][2] = { { 64, 64 }, { 63, 65 }, { 128, 64 }, { 65, 200 }, { 200, 131 }, { 3, 200 } };
    FOR_EACH_ACCELERATOR(where)
    {
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++) {
            turn_uint8_t(where, extents[e][0], extents[e][1]);
            turn_int16_t(where, extents[e][0], extents[e][1]);
            turn_float(where, extents[e][0], extents[e][1]);
            if (test_has_double(where))
                turn_double(where, extents[e][0], extents[e][1]);
            turn_body(where, extents[e][0], extents[e][1]);
        }
        static float numbers[2 * 12];
        AMP_CONST_ARRAY_VIEW(float, 2, v, numbers, 4, 3);
        AMP_ARRAY_VIEW(float, 2, out, numbers + 12, 4, 3);
        amp_transpose_on(where, out, v);
        expect_error(AMP_INVALID_ARGUMENT, "has 4 x 3 elements, so the result must have 3 x 4, not 4 x 3");
    }
}

int run_algorithms_elementwise(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gathers),
        TEST(transposes_of_sections),
        TEST(large_scans),
        TEST(transposes_of_large_tables),
    };
    return cmocka_run_group_tests_name("algorithms/elementwise", tests, NULL, NULL);
}
