// SPDX-License-Identifier: MIT
/*  fast_double.c - the fast functions of double against the C library's functions of long double: on the CPU backend
    within the bounds that amp/api/fast_double.h sets, with C's special values; on devices within those of their own
    functions. */
#include "test.h"

#include <float.h>

/* X(function, bound in ulp and absolute, of which one must hold on the CPU backend, a range where most happens) */
#define FAST_DOUBLES(X)                                                                                                \
    X(acos, 1.5, 0, -1, 1)                                                                                             \
    X(asin, 2.5, 0, -1, 1)                                                                                             \
    X(atan, 2.5, 0, -5, 5)                                                                                             \
    X(cos, 0, 2.5e-16, -100, 100)                                                                                      \
    X(cosh, 2, 0, -711, 711)                                                                                           \
    X(exp, 1.5, 0, -709, 710)                                                                                          \
    X(exp2, 1.5, 0, -1023, 1024)                                                                                       \
    X(log, 1.5, 0, 0, 3)                                                                                               \
    X(log10, 2.5, 0, 0, 3)                                                                                             \
    X(log2, 2.5, 0, 0, 3)                                                                                              \
    X(sin, 0, 2.5e-16, -100, 100)                                                                                      \
    X(sinh, 3, 0, -711, 711)                                                                                           \
    X(tan, 5, 0, -100, 100)                                                                                            \
    X(tanh, 3, 0, -3, 3)
#define FAST_DOUBLE_ONE(f, ulp, absolute, low, high) +1
enum { FAST_DOUBLE_COUNT = 0 FAST_DOUBLES(FAST_DOUBLE_ONE), FAST_DOUBLE_VALUES = 3000 };
#define FAST_DOUBLE_ENTRY(f, ulp, absolute, low, high) { #f, f##l, ulp, absolute, low, high },
static const struct {
    const char *name;
    long double (*exact)(long double);
    double ulp, absolute, low, high;
} fast_doubles[FAST_DOUBLE_COUNT] = { FAST_DOUBLES(FAST_DOUBLE_ENTRY) };

static const double fast_double_edges[] = { 0,
                                            -0.0,
                                            1,
                                            -1,
                                            0.5,
                                            -0.5,
                                            INFINITY,
                                            -INFINITY,
                                            NAN,
                                            DBL_MIN,
                                            -DBL_MIN,
                                            DBL_MAX,
                                            -DBL_MAX,
                                            0x1p-1050,
                                            -0x1p-1050,
                                            709.782712893384,
                                            709.79,
                                            -708.3964185322641,
                                            -708.4,
                                            710.4758600739439,
                                            -710.48,
                                            1023.9999999999999,
                                            1024,
                                            -1022,
                                            2147483647.5,
                                            -2147483647.5,
                                            0x1p31,
                                            1e15 };
enum { FAST_DOUBLE_EDGES = sizeof fast_double_edges / sizeof *fast_double_edges };

/* Edges first, then numbers of the range, and every third of any size. */
static double fast_double_argument(int i, double low, double high)
{
    if (i < FAST_DOUBLE_EDGES)
        return fast_double_edges[i];
    const double size = ldexp(test_random_double(1, 2), test_random_int(-1000, 1000));
    return i % 3 ? test_random_double(low, high) : i % 2 ? size : -size;
}

/* As far from the exact value as it may be? Results and arguments of log below DBL_MIN count as 0. */
static bool fast_double_is_near(double got, long double exact, double ulp, double absolute)
{
    const long double size = fabsl(exact);
    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got);
    if (size > DBL_MAX || isinf(got)) /* one that rounds to infinity, or not quite */
        return size >= (long double)DBL_MAX * (1 - 4 * DBL_EPSILON) && (got > 0) == (exact > 0);
    if (size < DBL_MIN && got == 0)
        return true;
    const long double unit = ldexpl(1, (size < DBL_MIN ? DBL_MIN_EXP - 1 : ilogbl(size)) - DBL_MANT_DIG + 1);
    const long double off = fabsl((long double)got - exact);
    return off <= (long double)ulp * unit || off <= (long double)absolute;
}

/* What the function gives on the CPU backend where C's differs. */
static long double fast_double_exact(int k, double x)
{
    const char *const name = fast_doubles[k].name;
    const bool is_angle = !strcmp(name, "sin") || !strcmp(name, "cos") || !strcmp(name, "tan");
    if (is_angle && fabs(x) >= 0x1p31)
        return (long double)NAN;
    return fast_doubles[k].exact(!strncmp(name, "log", 3) && x >= 0 && x < DBL_MIN ? 0 : (long double)x);
}

#define FAST_DOUBLE_APPLY(f, ulp, absolute, low, high)                                                                 \
    AMP_AT(y, k, i) = amp_fast_##f(AMP_AT(x, k, i));                                                                   \
    k++;

static void fast_doubles_of_one_argument(void **state)
{
    (void)state;
    static double in[FAST_DOUBLE_COUNT][FAST_DOUBLE_VALUES], out[FAST_DOUBLE_COUNT][FAST_DOUBLE_VALUES];
    for (int k = 0; k < FAST_DOUBLE_COUNT; k++)
        for (int i = 0; i < FAST_DOUBLE_VALUES; i++)
            in[k][i] = fast_double_argument(i, fast_doubles[k].low, fast_doubles[k].high);
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_has_double(where))
            continue;
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(double, 2, x, &in[0][0], FAST_DOUBLE_COUNT, FAST_DOUBLE_VALUES);
            AMP_ARRAY_VIEW(double, 2, y, &out[0][0], FAST_DOUBLE_COUNT, FAST_DOUBLE_VALUES);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(FAST_DOUBLE_VALUES), (i), AMP_CAPTURE(x, y), {
                int k = 0;
                FAST_DOUBLES(FAST_DOUBLE_APPLY)
            });
        }
        int wrong = 0;
        const bool is_cpu = test_is_cpu(where);
        for (int k = 0; k < FAST_DOUBLE_COUNT; k++)
            for (int i = is_cpu ? 0 : FAST_DOUBLE_EDGES; i < FAST_DOUBLE_VALUES; i++) {
                const long double exact =
                    is_cpu ? fast_double_exact(k, in[k][i]) : fast_doubles[k].exact((long double)in[k][i]);
                const double ulp = is_cpu ? fast_doubles[k].ulp : 6, absolute = is_cpu ? fast_doubles[k].absolute : 0;
                if (!fast_double_is_near(out[k][i], exact, ulp, absolute) && wrong++ < 10)
                    print_error("%s: amp_fast_%s(%.17g) is %.17g, exactly %.20Lg\n", test_where, fast_doubles[k].name,
                                in[k][i], out[k][i], exact);
            }
        check_int(wrong, 0);
    }
}

static void fast_doubles_of_two_arguments(void **state)
{
    (void)state;
    static const double special[] = { 0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-1040, -1e308, 2.5 };
    enum { SPECIAL = sizeof special / sizeof *special };
    static double in[4][FAST_DOUBLE_VALUES], out[2][FAST_DOUBLE_VALUES];
    for (int i = 0; i < FAST_DOUBLE_VALUES; i++) {
        in[0][i] = i < SPECIAL * SPECIAL ? special[i / SPECIAL] : fast_double_argument(i, -3, 3);
        in[1][i] = i < SPECIAL * SPECIAL ? special[i % SPECIAL] : fast_double_argument(i, -3, 3);
        in[2][i] = exp(test_random_double(-14, 14));
        in[3][i] = test_random_double(-50, 50);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_has_double(where))
            continue;
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(double, 2, x, &in[0][0], 4, FAST_DOUBLE_VALUES);
            AMP_ARRAY_VIEW(double, 2, y, &out[0][0], 2, FAST_DOUBLE_VALUES);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(FAST_DOUBLE_VALUES), (i), AMP_CAPTURE(x, y), {
                AMP_AT(y, 0, i) = amp_fast_atan2(AMP_AT(x, 0, i), AMP_AT(x, 1, i));
                AMP_AT(y, 1, i) = amp_fast_pow(AMP_AT(x, 2, i), AMP_AT(x, 3, i));
            });
        }
        int wrong = 0;
        for (int i = test_is_cpu(where) ? 0 : SPECIAL * SPECIAL; i < FAST_DOUBLE_VALUES; i++) {
            const long double angle = atan2l((long double)in[0][i], (long double)in[1][i]);
            const long double power = powl((long double)in[2][i], (long double)in[3][i]);
            if (!fast_double_is_near(out[0][i], angle, test_is_cpu(where) ? 3 : 6, 0) && wrong++ < 10)
                print_error("%s: amp_fast_atan2(%.17g, %.17g) is %.17g, exactly %.20Lg\n", test_where, in[0][i],
                            in[1][i], out[0][i], angle);
            if (!fast_double_is_near(out[1][i], power, 0, (double)(1e-12L * fabsl(power))) && wrong++ < 10)
                print_error("%s: amp_fast_pow(%.17g, %.17g) is %.17g, exactly %.20Lg\n", test_where, in[2][i], in[3][i],
                            out[1][i], power);
        }
        check_int(wrong, 0);
    }
}

/* pow of what is no positive number, and of limits; on the CPU backend's functions, which the host may call. */
static void fast_powers_of_limits(void **state)
{
    (void)state;
    static const double powers[][3] = { { 2, 0, 1 },         { 0, 2, 0 },
                                        { 0, -1, INFINITY }, { INFINITY, 2, INFINITY },
                                        { 1, 99, 1 },        { 2, 2000, INFINITY },
                                        { -2, 2, NAN },      { 0, 0, NAN } };
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        const double got = amp_fast_pow(powers[i][0], powers[i][1]), exact = powers[i][2];
        if (isnan(exact) ? !isnan(got) : got != exact)
            fail_msg("amp_fast_pow(%g, %g) is %g, expected %g", powers[i][0], powers[i][1], got, exact);
    }
}

int run_api_fast_double(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(fast_doubles_of_one_argument),
        TEST(fast_doubles_of_two_arguments),
        TEST(fast_powers_of_limits),
    };
    return cmocka_run_group_tests_name("api/fast_double", tests, NULL, NULL);
}
