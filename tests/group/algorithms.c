// SPDX-License-Identifier: MIT
/*  algorithms.c - algorithms on a group of accelerators and on streamed views: the same bits as on one

    As of group/group.c: POCL_DEVICES="pthread pthread", AMP_FORCE_COPIES=1. */
#include "group.h"

#include "amp_algorithms.h"

enum { MANY = 70001, DEEP = 41, HIGH = 37, WIDE = 43, BINS = 300, ALL_BINS = 2000 };

AMP_STRUCT(group_limits, {
    float low, high;
    int first;
    int step;
});

static float group_data[MANY];
static int group_keys[MANY];

/* What algorithms give; all of it is zero at first. */
typedef struct group_answers {
    double number[24];
    float scan[MANY], before[MANY], filled[MANY], gathered[MANY], along[HIGH * DEEP], turned[HIGH * DEEP * WIDE];
    int bins[BINS], all_bins[ALL_BINS];
    float total[1];
} group_answers;

/* Reductions, of so many elements. */
static void group_reductions(amp_accelerator_view where, int size, group_answers *answers)
{
    double *to = answers->number;
    AMP_ARRAY_VIEW(float, 1, all, group_data, MANY);
    AMP_CONST_ARRAY_VIEW(int, 1, all_keys, group_keys, MANY);
    const amp_const_array_view_float_1 v = amp_as_const(amp_section(all, 0, size));
    const amp_const_array_view_int_1 keys = amp_section(all_keys, 0, size);
    AMP_ARRAY_VIEW(float, 1, total, answers->total, 1);
    float low = 0, high = 0, odd = 0;
    int first = 0, last = 0;
    *to++ = (double)amp_sum_on(where, v);
    *to++ = (double)amp_sum_on(where, keys);
    *to++ = (double)amp_min_on(where, keys);
    *to++ = (double)amp_max_on(where, v);
    *to++ = amp_argmin_on(where, v);
    *to++ = amp_argmax_on(where, keys);
    amp_minmax_on(where, low, high, v);
    amp_argminmax_on(where, first, last, keys);
    *to++ = (double)low;
    *to++ = (double)high;
    *to++ = first;
    *to++ = last;
    *to++ = (double)AMP_COUNT_IF_ON(where, v.extent, (i), AMP_CAPTURE(v, keys), (float)AMP_AT(keys, i) < AMP_AT(v, i));
    *to++ = AMP_ANY_OF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 99);
    const group_limits limits = { -10, 50, size / 3, 2 };
    AMP_REDUCE_ON(where, float, odd, AMP_EXTENT(size / 4), (i), AMP_CAPTURE(v, AMP_VALUE(group_limits, limits)),
                  amp_clamp(AMP_AT(v, limits.first + i * limits.step), limits.low, limits.high), a + b, 0.0f);
    *to++ = (double)odd;
    amp_sum_to_on(where, total, v);
}

/* Of rows and planes, which bands of elements cut in two; a reduction that writes what it reads. */
static void group_planes(amp_accelerator_view where, group_answers *answers)
{
    double *to = answers->number + 16;
    AMP_CONST_ARRAY_VIEW(float, 3, u, group_data, DEEP, HIGH, WIDE);
    AMP_CONST_ARRAY_VIEW(float, 2, w, group_data, DEEP *HIGH, WIDE);
    AMP_ARRAY_VIEW(float, 1, filled, answers->filled, MANY);
    const amp_const_array_view_float_2 part = amp_section(w, 5, 3, 1003, 31);
    float sum = 0, product = 0, written = 0;
    AMP_REDUCE_ON(where, float, sum, u.extent, (d, r, c), AMP_CAPTURE(u),
                  AMP_AT(u, d, r, c) * 0.3f + AMP_AT(u, d > 0 ? d - 1 : d, r, c), a + b, 0.0f);
    AMP_REDUCE_ON(where, float, product, part.extent, (r, c), AMP_CAPTURE(part), AMP_AT(part, r, c) * 0.3f, a + b,
                  0.0f);
    amp_fill_on(where, filled, 0.25f);
    AMP_REDUCE_ON(where, float, written, filled.extent, (i), AMP_CAPTURE(filled), AMP_AT(filled, i) += (float)(i % 7),
                  a + b, 0.0f);
    *to++ = (double)sum;
    *to++ = (double)product;
    *to++ = (double)written;
    AMP_ARRAY_VIEW(float, 1, along, answers->along, DEEP *HIGH);
    AMP_REDUCE_ROWS_ON(where, float, along, w.extent, (r, c), AMP_CAPTURE(w), AMP_AT(w, r, c) * 0.7f, a + b, 0.0f);
    AMP_ARRAY_VIEW(float, 2, turned, answers->turned, WIDE, DEEP *HIGH);
    amp_transpose_on(where, turned, w);
}

/* Scans, histograms and copies, of so many elements. */
static void group_results(amp_accelerator_view where, int size, group_answers *answers)
{
    AMP_CONST_ARRAY_VIEW(float, 1, all, group_data, MANY);
    AMP_CONST_ARRAY_VIEW(int, 1, all_keys, group_keys, MANY);
    const amp_const_array_view_float_1 v = amp_section(all, 0, size);
    const amp_const_array_view_int_1 keys = amp_section(all_keys, 0, size);
    AMP_ARRAY_VIEW(float, 1, scan, answers->scan, MANY);
    AMP_ARRAY_VIEW(float, 1, before, answers->before, MANY);
    AMP_ARRAY_VIEW(float, 1, gathered, answers->gathered, MANY);
    const amp_array_view_float_1 some = amp_section(gathered, 0, size);
    AMP_ARRAY_VIEW(int, 1, bins, answers->bins, BINS);
    AMP_ARRAY_VIEW(int, 1, all_bins, answers->all_bins, ALL_BINS);
    amp_inclusive_sum_on(where, scan, v);
    AMP_EXCLUSIVE_SCAN_ON(where, float, before, v.extent, (i), AMP_CAPTURE(scan, keys),
                          AMP_AT(scan, i) * 0.1f + (float)AMP_AT(keys, i), a > b ? a : b, -1000.0f);
    AMP_INCLUSIVE_SCAN_ON(where, float, scan, v.extent, (i), AMP_CAPTURE(scan), AMP_AT(scan, i) * 0.1f, a + b, 0.0f);
    AMP_HISTOGRAM_ON(where, bins, v.extent, (i), AMP_CAPTURE(keys), AMP_AT(keys, i));
    AMP_HISTOGRAM_ON(where, all_bins, v.extent, (i), AMP_CAPTURE(keys), AMP_AT(keys, i) * 3 + i % 3);
    amp_gather_on(where, some, all, keys);
}

static const int group_sizes[] = { 0, 1, 257, 4097, MANY };

/* The same bits as on the view `one`, by launches in bands. */
static void compare_algorithms(amp_accelerator_view one, amp_accelerator_view many)
{
    static group_answers want, got;
    for (int i = 0; i < MANY; i++) {
        group_data[i] = (float)test_random_int(-100000, 100000) * 0.001f;
        group_keys[i] = test_random_int(0, 800);
    }
    for (size_t k = 0; k < sizeof group_sizes / sizeof *group_sizes; k++) {
        memset(&want, 0, sizeof want);
        memset(&got, 0, sizeof got);
        group_reductions(one, group_sizes[k], &want);
        group_planes(one, &want);
        group_results(one, group_sizes[k], &want);
        print_begin();
        group_reductions(many, group_sizes[k], &got);
        group_planes(many, &got);
        group_results(many, group_sizes[k], &got);
        print_end();
        if (lines_with(" runs "))
            fail_msg("it is not divided: %s", printed);
        assert_memory_equal(want.number, got.number, sizeof got.number);
        assert_memory_equal(want.total, got.total, sizeof got.total);
        assert_memory_equal(want.scan, got.scan, sizeof got.scan);
        assert_memory_equal(want.before, got.before, sizeof got.before);
        assert_memory_equal(want.filled, got.filled, sizeof got.filled);
        assert_memory_equal(want.gathered, got.gathered, sizeof got.gathered);
        assert_memory_equal(want.along, got.along, sizeof got.along);
        assert_memory_equal(want.turned, got.turned, sizeof got.turned);
        assert_memory_equal(want.bins, got.bins, sizeof got.bins);
        assert_memory_equal(want.all_bins, got.all_bins, sizeof got.all_bins);
    }
}

static void algorithms_on_groups(void **state)
{
    (void)state;
    amp_accelerator_view group = all_of_them();
    compare_algorithms(amp_accelerator_default_view(amp_accelerator_view_accelerator(group)), group);
    amp_accelerator_view_release(&group);
}

/* Each accelerator reads its own part. */
static void algorithms_move_their_rows(void **state)
{
    static float data[MANY];
    (void)state;
    amp_accelerator_view group = all_of_them();
    {
        AMP_ARRAY_VIEW(float, 1, v, data, MANY);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
        const amp_transfer_counters before = amp_total_counters();
        assert_true(amp_sum_on(group, v) == MANY);
        assert_int_equal(amp_argmax_on(group, v), 0);
        amp_inclusive_sum_on(group, v, v);
        const amp_transfer_counters after = amp_total_counters();
        const uint64_t moved =
            after.bytes_to_device + after.bytes_across - before.bytes_to_device - before.bytes_across;
        assert_true(moved < sizeof data / 2);
        assert_true(AMP_AT(v, MANY - 1) == MANY);
    }
    amp_accelerator_view_release(&group);
}

/* A call that fails is reported, and the next one is right. */
static void algorithms_that_fail(void **state)
{
    (void)state;
    static int data[MANY];
    static const int at[4] = { 5, MANY - 1, 0, 77 };
    for (int i = 0; i < MANY; i++)
        data[i] = i % 100;
    FOR_EACH_STREAMED(view)
    {
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, sizeof data / 4);
        AMP_CONST_ARRAY_VIEW(int, 1, v, data, MANY);
        AMP_CONST_ARRAY_VIEW(int, 1, where, at, 4);
        int sum = -1;
        AMP_REDUCE_ON(streamed, int, sum, where.extent, (i), AMP_CAPTURE(v, where), AMP_AT(v, AMP_AT(where, i)), a + b,
                      0);
        expect_error(AMP_OUT_OF_MEMORY, "bytes of device memory");
        assert_int_equal(sum, -1);
        assert_int_equal(amp_sum_on(streamed, v), MANY / 100 * 4950);
        static int sorted[100];
        for (int i = 0; i < 100; i++)
            sorted[i] = 99 - i;
        AMP_ARRAY_VIEW(int, 1, keys, sorted, 100);
        print_begin();
        amp_sort_on(streamed, keys);
        print_end();
        assert_int_equal(lines_with("an algorithm on a streamed view is not cut into bands"), warns());
        assert_int_equal(AMP_AT(keys, 0), 0);
        amp_accelerator_view_release(&streamed);
    }
    amp_accelerator_view group = all_of_them();
    AMP_CONST_ARRAY_VIEW(int, 1, v, data, MANY);
    AMP_ARRAY_VIEW_NO_SOURCE(int64_t, 1, nothing, 0);
    amp_sum_to_on(group, nothing, v);
    expect_error(AMP_INVALID_ARGUMENT, "the view for the result is empty");
    assert_int_equal(amp_sum_on(group, v), MANY / 100 * 4950);
    amp_accelerator_view_release(&group);
}

static void algorithms_on_streams(void **state)
{
    (void)state;
    FOR_EACH_STREAMED(view)
    {
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, 2 * sizeof group_data);
        compare_algorithms(view, streamed);
        amp_accelerator_view_release(&streamed);
    }
}

int run_group_algorithms(void)
{
    const struct CMUnitTest tests[] = { TEST(algorithms_on_groups), TEST(algorithms_move_their_rows),
                                        TEST(algorithms_that_fail), TEST(algorithms_on_streams) };
    setenv("AMP_GROUP_THREADS", "0", 0); /* GPUs would not divide launches as small as these */
    return cmocka_run_group_tests_name("group/algorithms", tests, NULL, NULL);
}
