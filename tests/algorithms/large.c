// SPDX-License-Identifier: MIT
/*  large.c - more than 2^31 elements, released views.
    Also tests amp/algorithms/temporary.h. */
#include "algorithms.h"

/* Of an extent of 2^16 columns: half of its indexes, and how many have each last byte. */
static void half_and_bins(amp_accelerator_view where, amp_extent2 extent)
{
    const int half = extent.v[0] << 15;
    amp_array_uint8_t_1 kept = amp_array_uint8_t_1_create_on(AMP_EXTENT(half), where);
    int count = 0, counts[256] = { 0 };
    AMP_SELECT_IF_ON(where, kept, count, extent, (row, col), AMP_CAPTURE(), col % 2 == 1, (uint8_t)(col + row));
    check_int(count, half);
    const int64_t right = AMP_COUNT_IF_ON(where, kept.extent, (i), AMP_CAPTURE(kept),
                                          AMP_AT(kept, i) == (uint8_t)(2 * (i % 32768) + 1 + i / 32768));
    check_int(right, half);
    amp_array_release(&kept);
    {
        AMP_ARRAY_VIEW(int, 1, bins, counts, 256);
        AMP_HISTOGRAM_ON(where, bins, extent, (row, col), AMP_CAPTURE(), col & 255);
    }
    for (int bin = 0; bin < 256; bin++)
        check_int(counts[bin], extent.v[0] << 8);
}

static void turned(amp_accelerator_view where, amp_array_uint8_t_2 all)
{
    amp_array_uint8_t_2 out = amp_array_uint8_t_2_create_on(AMP_EXTENT(all.extent.v[1], all.extent.v[0]), where);
    amp_transpose_on(where, out, all);
    const int64_t right = AMP_COUNT_IF_ON(where, out.extent, (row, col), AMP_CAPTURE(out, all),
                                          AMP_AT(out, row, col) == AMP_AT(all, col, row));
    check_int(right, (int64_t)out.extent.v[0] * out.extent.v[1]);
    amp_array_release(&out);
}

/* Arrays, so that only the device needs the memory, with contents of which everything is known. */
static void of_many(amp_accelerator_view where)
{
    const int64_t many = ((int64_t)1 << 31) + (1 << 16), every = 1009, kept = (many - 4) / every + 1;
    amp_array_uint8_t_2 all = amp_array_uint8_t_2_create_on(AMP_EXTENT((1 << 15) + 1, 1 << 16), where);
    amp_array_uint8_t_2 up_to = amp_array_uint8_t_2_create_on(all.extent, where);
    amp_array_int64_t_1 out = amp_array_int64_t_1_create_on(AMP_EXTENT((int)kept), where);
    AMP_PARALLEL_FOR_EACH_ON(where, all.extent, (row, col), AMP_CAPTURE(all),
                             { AMP_AT(all, row, col) = (uint8_t)(((int64_t)row * 65536 + col) % 251); });
    int64_t sum = 0;
    AMP_REDUCE_ON(where, int64_t, sum, all.extent, (row, col), AMP_CAPTURE(all), AMP_AT(all, row, col), a + b, 0);
    check_int(sum, many / 251 * (250 * 251 / 2) + (many % 251) * (many % 251 - 1) / 2);
    AMP_INCLUSIVE_SCAN_ON(where, uint8_t, up_to, up_to.extent, (row, col), AMP_CAPTURE(), 1, a + b, 0);
    int64_t right = 0;
    AMP_REDUCE_ON(where, int64_t, right, up_to.extent, (row, col), AMP_CAPTURE(up_to),
                  AMP_AT(up_to, row, col) == (uint8_t)(col + 1), a + b, 0);
    check_int(right, many);
    int count = 0;
    AMP_SELECT_IF_ON(where, out, count, all.extent, (row, col), AMP_CAPTURE(every),
                     ((int64_t)row * 65536 + col) % every == 3, (int64_t)row * 65536 + col);
    check_int(count, kept);
    const bool are_every = /* not in check: gcc 11 takes no launch with OpenMP in a macro's argument */
        AMP_ALL_OF_ON(where, out.extent, (i), AMP_CAPTURE(out, every), AMP_AT(out, i) == every * i + 3);
    check(are_every);
    amp_array_release(&up_to);
    amp_array_release(&out);
    half_and_bins(where, all.extent);
    turned(where, all);
    amp_array_release(&all);
}

static void most_of_one_rank(amp_accelerator_view where)
{
    amp_array_uint8_t_1 keys = amp_array_uint8_t_1_create_on(AMP_EXTENT(INT_MAX), where);
    int before[256], after[256];
    AMP_PARALLEL_FOR_EACH_ON(where, keys.extent, (i), AMP_CAPTURE(keys),
                             { AMP_AT(keys, i) = (uint8_t)((uint32_t)i * 2654435761u >> 24); });
    {
        AMP_ARRAY_VIEW(int, 1, counts, before, 256);
        AMP_HISTOGRAM_ON(where, counts, keys.extent, (i), AMP_CAPTURE(keys), AMP_AT(keys, i));
        AMP_ARRAY_VIEW(int, 1, again, after, 256);
        amp_sort_on(where, keys);
        AMP_HISTOGRAM_ON(where, again, keys.extent, (i), AMP_CAPTURE(keys), AMP_AT(keys, i));
    }
    check(memcmp(before, after, sizeof before) == 0);
    const bool are_sorted = AMP_ALL_OF_ON(where, keys.extent, (i), AMP_CAPTURE(keys),
                                          i == 0 || AMP_AT(keys, i == 0 ? 0 : i - 1) <= AMP_AT(keys, i));
    check(are_sorted);
    amp_array_release(&keys);
}

/* As many elements as a rank has, in an order that is known: i * FACTOR, whose multiple by INVERSE is i again. */
static void most_pairs(amp_accelerator_view where)
{
    enum { FACTOR = 1664525 };
    const uint32_t inverse = 4276115653u;
    check((uint32_t)FACTOR * inverse == 1);
    amp_array_uint32_t_1 keys = amp_array_uint32_t_1_create_on(AMP_EXTENT(INT_MAX), where);
    amp_array_uint32_t_1 values = amp_array_uint32_t_1_create_on(keys.extent, where);
    AMP_PARALLEL_FOR_EACH_ON(where, keys.extent, (i), AMP_CAPTURE(keys, values, AMP_CONSTANT(FACTOR)), {
        AMP_AT(keys, i) = (uint32_t)i * FACTOR;
        AMP_AT(values, i) = (uint32_t)i;
    });
    amp_sort_by_key_on(where, keys, values);
    const int64_t right = AMP_COUNT_IF_ON(where, keys.extent, (i), AMP_CAPTURE(keys, values, inverse),
                                          (i == 0 || AMP_AT(keys, i == 0 ? 0 : i - 1) < AMP_AT(keys, i)) &&
                                              AMP_AT(keys, i) * inverse == AMP_AT(values, i));
    check_int(right, INT_MAX);
    amp_array_release(&keys);
    AMP_SORT_ON(where, values, AMP_CAPTURE(), a < b);
    const bool are_sorted =
        AMP_ALL_OF_ON(where, values.extent, (i), AMP_CAPTURE(values), AMP_AT(values, i) == (uint32_t)i);
    check(are_sorted);
    amp_array_release(&values);
}

static void large(void **state)
{
    (void)state;
    const char *const wanted = getenv("AMP_TEST_LARGE");
    if (!wanted) {
        print_message(
            "not without AMP_TEST_LARGE, a part of an accelerator's path: that needs 36 GB, and a CPU minutes\n");
        skip();
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (!strstr(test_where, wanted))
            continue;
        of_many(where);
        most_of_one_rank(where);
        amp_algorithms_release_on(where);
        most_pairs(where);
        amp_algorithms_release();
    }
}

/* A call on what was released is one error, which names it. */
static void calls_on_released_views(void **state)
{
    (void)state;
    float memory[8] = { 0 }, other[8] = { 0 };
    int count = 0;
    AMP_ARRAY_VIEW(float, 1, w, other, 8);
    amp_array_view_float_1 v = amp_array_view_float_1_create(memory, AMP_EXTENT(8));
    const amp_array_view_float_1 gone = amp_section(v, 0, 4);
    const amp_array_view_float_2 table = AMP_VIEW_AS(amp_array_view_float_2, v, 2, 4);
    AMP_ARRAY_VIEW(float, 2, turned, other, 4, 2);
    amp_array_view_release(&v);
#define ONE_ERROR(call, ...)                                                                                           \
    __VA_ARGS__;                                                                                                       \
    check_int(test_heard.count, 1);                                                                                    \
    expect_error(AMP_UNINITIALIZED_OBJECT, call ": this view or array was already released")
    ONE_ERROR("amp_sum", (void)amp_sum(gone));
    ONE_ERROR("amp_max", (void)amp_max(gone));
    ONE_ERROR("amp_sort", amp_sort(gone));
    ONE_ERROR("amp_inclusive_sum", amp_inclusive_sum(w, gone));
    ONE_ERROR("amp_unique", amp_unique(w, count, gone));
    ONE_ERROR("amp_transpose", amp_transpose(turned, table));
    check_int(count, 0);
}

int run_algorithms_large(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_on_released_views),
        TEST(large),
    };
    return cmocka_run_group_tests_name("algorithms/large", tests, NULL, NULL);
}
