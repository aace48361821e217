// SPDX-License-Identifier: MIT
/*  reduce.c - reductions: sums with the documented bits, extremes, every kind of operation and result.
    Also tests amp/algorithms/cpu_device.h. */
#include "sizes.h"

/* A block of the documented association: 256 lanes from top to bottom, then a tree. */
static float block_sum(const float *p, int64_t n)
{
    float lane[256] = { 0 };
    for (int64_t i = 0; i < n; i++)
        lane[i % 256] = lane[i % 256] + p[i];
    for (int half = 128; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] = lane[i] + lane[i + half];
    return lane[0];
}

static float documented_sum(const float *p, int n)
{
    static float partial[4096];
    int64_t block = 16 * 256;
    while ((n - 1) / block >= 4096)
        block *= 2;
    if (n <= block)
        return block_sum(p, n);
    const int blocks = (int)((n - 1) / block) + 1;
    for (int b = 0; b < blocks; b++)
        partial[b] = block_sum(p + b * block, b * block + block < n ? block : n - b * block);
    return block_sum(partial, blocks);
}

/* A handler that clears the error hides a failed launch from nothing: the result stays as it was. */
static void clear_and_count(const amp_error *error, void *count)
{
    (void)error;
    ++*(int *)count;
    amp_clear_error();
}

static void a_handler_may_clear_the_error(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[4] = { 1, 2, 3, 4 }, heard = 0, sum = 17;
        amp_array_view_int_1 gone = amp_array_view_int_1_create(values, AMP_EXTENT(4));
        amp_array_view_release(&gone);
        amp_set_error_handler(clear_and_count, &heard);
        AMP_REDUCE_ON(where, int, sum, AMP_EXTENT(4), (i), AMP_CAPTURE(gone), AMP_AT(gone, i), a + b, 0);
        amp_set_error_handler(test_hear, &test_heard);
        check_int(heard, 1);
        check_int(sum, 17);
    }
}

static void sums_have_the_documented_bits(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            const float sum = amp_sum_on(where, v), want = documented_sum(given->floats, n);
            check_that(same_bits(sum, want), "of %d: %.9g, expected %.9g", n, (double)sum, (double)want);
            float again = 1, to[3] = { 17, 17, 17 };
            test_set_sort_tiles(1); /* a CPU that OpenCL has does as a GPU */
            AMP_REDUCE_ON(where, float, again, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0.0f);
            test_set_sort_tiles(0);
            check(same_bits(again, want));
            AMP_REDUCE_ON(where, float, again, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0.0f);
            check(same_bits(again, want));
            {
                AMP_ARRAY_VIEW(float, 1, all, to, 3);
                amp_array_view_float_1 middle = amp_section(all, 1, 1);
                amp_sum_to_on(where, middle, v);
            }
            check(same_bits(to[1], want) && to[0] == 17 && to[2] == 17);
        }
    }
    amp_algorithms_release();
}

/* Products are rounded before they are added, whatever the compiler would like. */
static void products_are_rounded(void **state)
{
    (void)state;
    make_data();
    static float product[LARGEST];
    for (int i = 0; i < LARGEST; i++) {
        volatile float rounded = given->floats[i] * given->more[i];
        product[i] = rounded;
    }
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            AMP_CONST_ARRAY_VIEW(float, 1, w, given->more, n);
            const float got = amp_inner_product_on(where, v, w), want = documented_sum(product, n);
            check_that(same_bits(got, want), "of %d: %.9g, expected %.9g", n, (double)got, (double)want);
        }
        AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, 5);
        AMP_CONST_ARRAY_VIEW(float, 1, w, given->more, 6);
        check_int(amp_inner_product_on(where, v, w), 0);
        expect_error(AMP_INVALID_ARGUMENT, "amp_inner_product: the lengths differ, 5 and 6 elements");
    }
}

/* In 64 bits, whatever the elements are. */
static void sums_of_integers(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            int64_t sum = 0, bytes = 0;
            for (int i = 0; i < n; i++) {
                sum += given->ints[i];
                bytes += given->bytes[i];
            }
            AMP_ARRAY_VIEW(int, 1, v, given->ints, n);
            AMP_ARRAY_VIEW(uint8_t, 1, w, given->bytes, n);
            check_int(amp_sum_on(where, v), sum);
            check_int(amp_sum_on(where, w), bytes);
        }
    }
}

static void extremes(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            for (int i = 0; i < n / 10; i++)
                given->floats[test_random_int(0, n - 1)] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -1e30f;
            for (int i = 0; n % 2 == 0 && i < n; i++) /* nothing is less than nothing would be */
                given->floats[i] = test_random_int(0, 3) == 0 ? INFINITY : NAN;
            int least = -1, greatest = -1;
            for (int i = 0; i < n; i++) {
                const float x = given->floats[i];
                if (!isnan(x) && (least < 0 || x < given->floats[least]))
                    least = i;
                if (!isnan(x) && (greatest < 0 || x > given->floats[greatest]))
                    greatest = i;
            }
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            check_int(amp_argmin_on(where, v), least);
            check_int(amp_argmax_on(where, v), greatest);
            const float low = amp_min_on(where, v), high = amp_max_on(where, v);
            check(same_bits(low, least < 0 ? INFINITY : given->floats[least]));
            check(same_bits(high, greatest < 0 ? -INFINITY : given->floats[greatest]));
        }
    }
}

/* Ranks 2 and 3, a section with gaps, a struct, bound expressions, and captured variables called a and b. */
AMP_STRUCT(bounds, { int low, high; });
AMP_DEFINE_ELEMENT(bounds);
AMP_FUNCTION(bounds, both, (bounds first, bounds second), {
    bounds of;
    of.low = first.low < second.low ? first.low : second.low;
    of.high = first.high > second.high ? first.high : second.high;
    return of;
})

static void reduces_of_all_kinds(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        AMP_CONST_ARRAY_VIEW(int, 2, whole, given->ints, 100, 200);
        const amp_const_array_view_int_2 part = amp_section(whole, 3, 5, 90, 111);
        int64_t sum = 0, want = 0;
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 111; x++)
                want += (int64_t)given->ints[(y + 3) * 200 + x + 5] * (y + 1);
        AMP_REDUCE_ON(where, int64_t, sum, part.extent, (y, x), AMP_CAPTURE(part),
                      (int64_t)AMP_AT(part, y, x) * (y + 1), a + b, 0);
        check_int(sum, want);
        int last;
        const int a = 10000, b = 100; /* the operands' names hide them in the operation, and nowhere else */
        AMP_REDUCE_ON(where, int, last, AMP_EXTENT(7, 8, 9), (x, y, z), AMP_CAPTURE(a, b), a *x + b * y + z,
                      a < b ? b : a, INT_MIN);
        check_int(last, 60000 + 700 + 8);
        bounds all, expected = { INT_MAX, INT_MIN };
        const int length = test_is_slow(where) ? 5000 : 70001;
        int evaluated = 0;
        for (int i = 0; i < length; i++)
            expected = both(expected, (bounds){ given->ints[i], given->ints[i] ^ 5 });
        AMP_CONST_ARRAY_VIEW(int, 1, flat, given->ints, LARGEST);
        AMP_REDUCE_ON(where, bounds, all, AMP_EXTENT(length), (i),
                      AMP_CAPTURE(AMP_BIND(some, (evaluated++, amp_section(flat, 0, length))),
                                  AMP_VALUE(bounds, bits, ((bounds){ 0, 6 })), AMP_SPECIALIZE(low, evaluated++)),
                      ((bounds){ AMP_AT(some, i) ^ bits.low, AMP_AT(some, i) ^ (bits.high - low) }), both(a, b),
                      { INT_MAX, INT_MIN });
        check_int(all.low, expected.low);
        check_int(all.high, expected.high);
        check_int(evaluated, 2);
    }
}

static void errors_leave_results_alone(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        int result = 17;
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(-1), (i), AMP_CAPTURE(), i, a + b, 0);
        expect_error(AMP_INVALID_COMPUTE_DOMAIN, "component 0 of the extent is -1");
        amp_array_view_int_1 never;
        memset(&never, 0, sizeof never);
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(5), (i), AMP_CAPTURE(never), AMP_AT(never, i), a + b, 0);
        expect_error(AMP_UNINITIALIZED_OBJECT, "never");
        check_int(result, 17);
        AMP_ARRAY_VIEW(int, 1, none, &result, 0);
        AMP_REDUCE_ON(where, int, none, AMP_EXTENT(5), (i), AMP_CAPTURE(), i, a + b, 0);
        expect_error(AMP_INVALID_ARGUMENT, "the view for the result is empty");
        check_int(result, 17);
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(5), (i), AMP_CAPTURE(), i, a + b, 0);
        check_int(result, 10);
    }
}

/* GPUs store a value that has a loop before they combine it, here all devices do. The sum has the bits of the stored
   values' sum, and each value is evaluated once. */
AMP_FUNCTION(float, of_a_loop, (int i), {
    float sum = 0.0f;
    for (int k = 0; k < i % 7; k++)
        sum += (float)(k ^ i) * 0.125f;
    return sum;
})
AMP_FUNCTION(float, of_a_call, (int i), { return of_a_loop(i) + 1.0f; })

static void values_with_loops(void **state)
{
    (void)state;
    static const char *const with[] = { "of_a_loop(i)", "1 + of_a_call(i) * 2", "((x[i]",
                                        "({ int k = 0; while (k < i) k++; k; })" };
    static const char *const without[] = { "x.of_a_loop + 1", "y->of_a_call", "for_all + i", "((v).data[i] + 0)" };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        check_that(test_value_loops(with[i], amp_priv_user_definitions), "%s", with[i]);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        check_that(!test_value_loops(without[i], amp_priv_user_definitions), "%s", without[i]);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_ARRAY_ON(where, float, 1, kept, n);
            AMP_ARRAY_ON(where, int, 1, times, n);
            AMP_PARALLEL_FOR_EACH_ON(where, kept.extent, (i), AMP_CAPTURE(kept, times), {
                AMP_AT(kept, i) = of_a_call(i);
                AMP_AT(times, i) = 0;
            });
            float want, sum;
            amp_sum_to_on(where, want, kept);
            test_set_sort_tiles(1);
            AMP_REDUCE_ON(where, float, sum, AMP_EXTENT(n), (i), AMP_CAPTURE(times), (AMP_AT(times, i)++, of_a_call(i)),
                          a + b, 0);
            test_set_sort_tiles(0);
            check_floats(&sum, &want, 1);
            check_int(amp_min_on(where, times), n ? 1 : INT_MAX);
            check_int(amp_max_on(where, times), n ? 1 : INT_MIN);
        }
        float want = 0, sum = 0;
        AMP_ARRAY_ON(where, float, 1, kept, 90 * 111);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(90, 111), (y, x), AMP_CAPTURE(kept),
                                 { AMP_AT(kept, y * 111 + x) = of_a_call(y * 1000 + x); });
        amp_sum_to_on(where, want, kept);
        test_set_sort_tiles(1);
        AMP_REDUCE_ON(where, float, sum, AMP_EXTENT(90, 111), (y, x), AMP_CAPTURE(kept), of_a_call(y * 1000 + x), a + b,
                      0);
        test_set_sort_tiles(0);
        check_floats(&sum, &want, 1);
    }
}

int run_algorithms_reduce(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sums_have_the_documented_bits),
        TEST(a_handler_may_clear_the_error),
        TEST(products_are_rounded),
        TEST(sums_of_integers),
        TEST(extremes),
        TEST(reduces_of_all_kinds),
        TEST(values_with_loops),
        TEST(errors_leave_results_alone),
    };
    return cmocka_run_group_tests_name("algorithms/reduce", tests, NULL, NULL);
}
