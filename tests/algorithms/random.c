// SPDX-License-Identifier: MIT
/*  random.c - histograms and random numbers */
#include "sizes.h"

static void histograms_of(amp_accelerator_view where, int n)
{
    int some[250], few[40], many[5000], want[256] = { 0 };
    for (int i = 0; i < n; i++)
        want[given->bytes[i]]++;
    {
        AMP_CONST_ARRAY_VIEW(uint8_t, 1, v, given->bytes, n);
        AMP_ARRAY_VIEW(int, 1, counts, some, 250); /* bytes from 250 on are not counted */
        AMP_ARRAY_VIEW(int, 1, less, few, 40);
        AMP_ARRAY_VIEW(int, 1, more, many, 5000);
        AMP_HISTOGRAM_ON(where, counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
        AMP_HISTOGRAM_ON(where, less, v.extent, (i), AMP_CAPTURE(v), 100 * (AMP_AT(v, i) - 3));
        AMP_HISTOGRAM_ON(where, more, v.extent, (i), AMP_CAPTURE(v), 20 * AMP_AT(v, i) - 60);
    }
    for (int bin = 0; bin < 250; bin++)
        check_int(some[bin], want[bin]);
    for (int bin = 0; bin < 40; bin++)
        check_int(few[bin], bin == 0 ? want[3] : 0);
    for (int bin = 0; bin < 5000; bin++)
        check_int(many[bin], bin % 20 == 0 && bin / 20 + 3 < 256 ? want[bin / 20 + 3] : 0);
}

static void histograms(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        histograms_of(where, n);
        test_set_sort_tiles(7); /* as on a GPU: lanes have bins of their own */
        histograms_of(where, test_is_slow(where) ? 300 : 70001);
        test_set_sort_tiles(0);
    }
}

/* Bins of floating types: C leaves open what integer a NaN or a large number is. */
static void bins_that_are_no_integers(void **state)
{
    (void)state;
    float of_float[] = { NAN, 1.5f, INFINITY, -INFINITY, 1e20f, -1e20f, 3e9f, -0.5f, 2, -NAN, 1 };
    double of_double[11];
    for (int i = 0; i < 11; i++)
        of_double[i] = of_float[i];
    const int want[4] = { 1, 2, 1, 0 };
    int counted[3][2000]; /* 2000: in global memory */
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_CONST_ARRAY_VIEW(float, 1, v, of_float, 11);
            AMP_ARRAY_VIEW(int, 1, few, counted[0], 4);
            AMP_ARRAY_VIEW(int, 1, many, counted[1], 2000);
            AMP_ARRAY_VIEW(int, 1, constants, counted[2], 4);
            AMP_HISTOGRAM_ON(where, few, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
            AMP_HISTOGRAM_ON(where, many, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
            AMP_HISTOGRAM_ON(where, constants, v.extent, (i), AMP_CAPTURE(),
                             i == 0   ? NAN
                             : i == 1 ? INFINITY
                             : i == 2 ? 1e30f
                                      : 3.5f);
        }
        for (int bin = 0; bin < 4; bin++) {
            check_int(counted[0][bin], want[bin]);
            check_int(counted[1][bin], want[bin]);
            check_int(counted[2][bin], bin == 3 ? 8 : 0);
        }
        if (!test_has_double(where))
            continue;
        {
            AMP_CONST_ARRAY_VIEW(double, 1, v, of_double, 11);
            AMP_ARRAY_VIEW(int, 1, few, counted[0], 4);
            AMP_HISTOGRAM_ON(where, few, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
        }
        for (int bin = 0; bin < 4; bin++)
            check_int(counted[0][bin], want[bin]);
    }
}

static void random_numbers(void **state)
{
    (void)state;
    /* known answers of Philox4x32-10 */
    const amp_random_block zero = amp_philox(0, 0, 0), ones = amp_philox(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    static const uint32_t of_zero[4] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };
    static const uint32_t of_ones[4] = { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd };
    check(!memcmp(zero.v, of_zero, sizeof of_zero) && !memcmp(ones.v, of_ones, sizeof of_ones));
    check_int(amp_random_bits(0, 2), of_zero[2]);
    enum { N = 10000 };
    static float floats[N];
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_ARRAY_VIEW(float, 1, v, floats, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v),
                                     { AMP_AT(v, i) = amp_random_float(7, (uint64_t)i); });
        }
        double sum = 0;
        for (int i = 0; i < N; i++) {
            check(same_bits(floats[i], amp_random_float(7, (uint64_t)i)) && floats[i] >= 0 && floats[i] < 1);
            sum += (double)floats[i] + amp_random_double(8, (uint64_t)i);
        }
        check_that(fabs(sum / N - 1) < 0.02, "the mean is %g", sum / N);
    }
}

int run_algorithms_random(void)
{
    const struct CMUnitTest tests[] = {
        TEST(histograms),
        TEST(bins_that_are_no_integers),
        TEST(random_numbers),
    };
    return cmocka_run_group_tests_name("algorithms/random", tests, NULL, NULL);
}
