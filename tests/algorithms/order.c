// SPDX-License-Identifier: MIT
/*  order.c - extremes together, selected elements, shuffles, sorts of many elements.
    Also tests amp/algorithms/extremes.h. */
#include "few_sizes.h"

static float some_float(void)
{
    const int kind = test_random_int(0, 20);
    return kind == 0 ? NAN : kind == 1 ? INFINITY : kind == 2 ? -0.0f : (float)test_random_int(-100, 100);
}

/* What is sorted or shuffled may be a view without a name; it is made once. */
static int made;
static amp_array_view_int_1 row_of(amp_array_view_int_2 table, int row)
{
    made++;
    return amp_project(table, row);
}

/* Arrays that are larger than the caches: the CPU backend sorts them in another way, and leaves out digits that all
   keys share. They begin in the middle of a line. */
static void sort_many(amp_accelerator_view where, int n, uint32_t mask)
{
    uint32_t *const keys = malloc(((size_t)n + 3) * sizeof *keys);
    int *const values = malloc(((size_t)n + 3) * sizeof *values);
    assert_true(keys && values);
    for (int i = 0; i < n; i++) {
        keys[3 + i] = amp_random_bits(11, (uint64_t)i) & mask;
        values[3 + i] = i;
    }
    keys[2] = 12345, values[2] = 54321;
    {
        AMP_ARRAY_VIEW(uint32_t, 1, k, keys, n + 3);
        AMP_ARRAY_VIEW(int, 1, v, values, n + 3);
        amp_sort_by_key_on(where, amp_section(k, 3, n), amp_section(v, 3, n));
    }
    ptrdiff_t wrong = keys[2] != 12345 || values[2] != 54321;
    for (int i = 3; i < n + 3; i++) {
        wrong += keys[i] != (amp_random_bits(11, (uint64_t)values[i]) & mask);
        wrong += i > 3 && (keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] > values[i]));
    }
    assert_int_equal(wrong, 0);
    free(keys);
    free(values);
}

static void sorts_of_many(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const int n = !strcmp(test_where, "cpu") ? (8 << 20) + 37 : test_is_slow(where) ? 300 : 50021;
        sort_many(where, n, 0xffffffffu);
        sort_many(where, n, 0x00f0ff0fu);
    }
}

static void sorts_without_names(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int table[5][6] = {
            { 3, 1, 2, 6, 5, 4 }, { 3, 1, 2, 6, 5, 4 }, { 3, 1, 2, 6, 5, 4 }, { 0, 1, 2, 3, 4, 5 }, { 0, 1, 2, 3, 4, 5 }
        };
        static const int sorted[4][6] = {
            { 1, 2, 3, 4, 5, 6 }, { 6, 5, 4, 3, 2, 1 }, { 1, 2, 3, 4, 5, 6 }, { 1, 2, 0, 5, 4, 3 }
        };
        {
            AMP_ARRAY_VIEW(int, 2, rows, table, 5, 6);
            made = 0;
            amp_sort_on(where, row_of(rows, 0));
            AMP_SORT_ON(where, row_of(rows, 1), AMP_CAPTURE(), b < a);
            amp_sort_by_key_on(where, row_of(rows, 2), row_of(rows, 3));
            amp_shuffle_on(where, row_of(rows, 4), 7);
            assert_int_equal(made, 5);
        }
        assert_memory_equal(table, sorted, sizeof sorted);
        for (int i = 0; i < 6; i++)
            assert_int_equal(table[4][i], amp_random_place(7, 6, i));
    }
}

static void both_extremes(void **state)
{
    (void)state;
    static float given[LARGEST];
    static int other[LARGEST];
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            int least = -1, greatest = -1, low_at = -2, high_at[1] = { -2 };
            float low[2] = { 5, 5 }, high = 5;
            for (int i = 0; i < n; i++) {
                given[i] = some_float();
                other[i] = i;
                if (!isnan(given[i]) && (least < 0 || given[i] < given[least]))
                    least = i;
                if (!isnan(given[i]) && (greatest < 0 || given[i] > given[greatest]))
                    greatest = i;
            }
            {
                AMP_CONST_ARRAY_VIEW(float, 1, v, given, n);
                AMP_ARRAY_VIEW(float, 1, to, low, 2);
                AMP_ARRAY_VIEW(int, 1, at, high_at, 1);
                amp_minmax_on(where, to, high, v);
                amp_argminmax_on(on_cpu(), low_at, at, v);
            }
            check_int(low_at, least);
            check_int(high_at[0], greatest);
            check(same_bits(low[0], least < 0 ? INFINITY : given[least]) && low[1] == 5);
            check(same_bits(high, greatest < 0 ? -INFINITY : given[greatest]));
            AMP_ARRAY_VIEW(int, 1, o, other, n);
            const int at = n ? test_random_int(0, n - 1) : 0, shorter = n ? test_random_int(0, n) : 0;
            const amp_array_view_int_1 begin = amp_section(o, 0, shorter);
            for (int what = 0; what < 3; what++) {
                const amp_array_view_int_1 w = what == 0 ? o : begin;
                AMP_ARRAY_VIEW_NO_SOURCE(int, 1, copy, n + 1);
                amp_copy(o, amp_section(copy, 0, n));
                if (what == 2)
                    AMP_AT(copy, at) = -1;
                const int difference = amp_mismatch_on(where, amp_section(copy, 0, n), w);
                check_int(difference, what == 2 && at < shorter ? at : what == 0 || shorter == n ? -1 : shorter);
            }
        }
    }
}

/* The order of amp_sort. */
static int64_t order_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT32_MIN - (int64_t)bits - 1 : bits;
}

typedef struct ranked {
    int64_t order;
    int number;
} ranked;
static int by_rank(const void *left, const void *right)
{
    const ranked *const a = left, *const b = right;
    return a->order != b->order ? (a->order > b->order) - (a->order < b->order) : a->number - b->number;
}

static void picked_elements(void **state)
{
    (void)state;
    static float given[LARGEST], out[LARGEST];
    static ranked up[LARGEST], down[LARGEST];
    static int at[LARGEST];
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            const bool few = test_random_int(0, 1);
            for (int i = 0; i < n; i++) {
                given[i] = few ? some_float() : (float)test_random_double(-1, 1);
                up[i] = (ranked){ order_of(given[i]), i };
                down[i] = (ranked){ -order_of(given[i]), i };
            }
            qsort(up, (size_t)n, sizeof *up, by_rank);
            qsort(down, (size_t)n, sizeof *down, by_rank);
            AMP_CONST_ARRAY_VIEW(float, 1, v, given, n);
            const int rank = n ? test_random_int(0, n - 1) : 0, k = n ? test_random_int(0, n < 3000 ? n : 3000) : 0;
            const float nth = amp_nth_element_on(where, v, rank);
            if (n)
                check_that(same_bits(nth, given[up[rank].number]), "number %d of %d is %g", rank, n, (double)nth);
            else
                expect_error(AMP_INVALID_ARGUMENT, "amp_nth_element: there are 0 elements, so there is no element 0");
            for (int lack = k > 0; lack >= 0; lack--) {
                AMP_ARRAY_VIEW(float, 1, most, out, k);
                AMP_ARRAY_VIEW(int, 1, numbers, at, k - lack);
                amp_top_k_on(where, most, numbers, v);
                if (lack)
                    expect_error(AMP_INVALID_ARGUMENT, "amp_top_k: the lengths differ");
            }
            for (int i = 0; i < k; i++)
                check_that(at[i] == down[i].number && same_bits(out[i], given[at[i]]), "%d of %d of %d: %d, not %d", i,
                           k, n, at[i], down[i].number);
        }
    }
    int few[4] = { 3, 1, 2, 1 }, least[3] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, few, 4);
    AMP_ARRAY_VIEW(int, 1, l, least, 3);
    AMP_ARRAY_VIEW(int, 1, numbers, at, 3);
    amp_bottom_k_on(on_cpu(), l, numbers, v);
    check_holds(l, { 1, 1, 2 });
    check_holds(numbers, { 1, 3, 2 });
}

static void shuffles(void **state)
{
    (void)state;
    /* all 24 orders of 4 are equally frequent: chi^2 with 23 degrees of freedom is above 58 once in 10,000 */
    int count[4][4][4] = { { { 0 } } };
    const uint64_t base = test_random();
    for (int i = 0; i < 24000; i++)
        count[amp_random_place(base + (uint64_t)i, 4, 0)][amp_random_place(base + (uint64_t)i, 4, 1)]
             [amp_random_place(base + (uint64_t)i, 4, 2)]++;
    double chi = 0;
    for (int i = 0; i < 64; i++) {
        const double off = (&count[0][0][0])[i] - 1000.0;
        chi += (&count[0][0][0])[i] ? off * off / 1000 : 0;
    }
    check_that(chi < 75, "chi^2 is %g", chi);
}

static void normal_numbers(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static float numbers[COUNT];
    const uint64_t seed = test_random();
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_ARRAY_VIEW(float, 1, v, numbers, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, seed),
                                     { AMP_AT(v, i) = amp_random_normal(seed, (uint64_t)i); });
        }
        for (int i = 0; i < COUNT; i++)
            check_that(same_bits(numbers[i], amp_random_normal(seed, (uint64_t)i)), "number %d of %llu", i,
                       (unsigned long long)seed);
    }
    double moment[4] = { 0 };
    for (int i = 0; i < COUNT; i++) {
        const amp_random_block block = amp_philox((uint64_t)i / 2, 1, seed);
        const double u = ldexp((double)block.v[0] + ldexp((double)(block.v[1] | 1), -32), -32);
        const double radius = sqrt(-2 * log(u)), angle = 2 * M_PI * (ldexp((double)block.v[2], -32) + i % 2 / 4.0);
        check_that(fabs((double)numbers[i] - radius * sin(angle)) < (radius < 0.002 ? 1e-4 : 1e-6),
                   "%.9g is not near %.9g", (double)numbers[i], radius * sin(angle));
        for (int k = 0; k < 4; k++)
            moment[k] += pow((double)numbers[i], k + 1) / COUNT;
    }
    check_that(fabs(moment[0]) < 0.04 && fabs(moment[1] - 1) < 0.06 && fabs(moment[2]) < 0.15 &&
                   fabs(moment[3] - 3) < 0.5,
               "the moments are %g %g %g %g", moment[0], moment[1], moment[2], moment[3]);
}

int run_algorithms_order(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_extremes),  TEST(picked_elements), TEST(shuffles),
        TEST(normal_numbers), TEST(sorts_of_many),   TEST(sorts_without_names),
    };
    return cmocka_run_group_tests_name("algorithms/order", tests, NULL, NULL);
}
