// SPDX-License-Identifier: MIT
/*  kernel_math.c - mathematics in kernels against the host's libm in the next wider type: precise functions within
    the bounds that OpenCL sets (in ulp, units in the last place), fast ones within the bound that
    amp/api/fast_math.h sets.
    Also tests amp/api/fast_math.h. */
#include <errno.h>

#include "inside.h"
#include "test.h"

#include <float.h>

/* For what the C library must be good at. musl's acosh is a number of some arguments below 1, and none of its functions
   sets errno. MinGW's is thousands of ulp off where pow's and tan's arguments are large,
   has no fmaf of one rounding, sets no errno, and takes hours of tgamma's large arguments. */
static void needs_exact_library(void)
{
#if defined(__MINGW32__)
    print_message("SKIPPED: MinGW's C library is less exact than OpenCL asks of devices\n");
    skip();
#endif
}
static void needs_glibc(void)
{
    needs_exact_library();
#if defined(__linux__) && !defined(__GLIBC__)
    print_message("SKIPPED: musl's acosh is wrong below 1, and its functions set no errno\n");
    skip();
#endif
}

/* ---- how far off a value is ---------------------------------------------------------------------- */

/* What a floating-point type is made of. */
typedef struct format {
    int digits, min_exponent, max_exponent; /* as in float.h: the smallest normal number is 2 to min_exponent - 1 */
    long double smallest;                   /* normal number */
} format;
static const format single_format = { FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP, FLT_MIN };
static const format double_format = { DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP, DBL_MIN };

/* The distance of got from the exact value, in ulp of the latter. */
static long double ulps(long double got, long double exact, const format *f)
{
    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got) ? 0 : INFINITY;
    const long double limit = ldexpl(1, f->max_exponent), size = fabsl(exact);
    if (isinf(exact))
        return got == exact ? 0 : INFINITY;
    const int exponent = exact == 0 ? f->min_exponent - 1 : ilogbl(exact);
    const int capped = exponent < f->min_exponent - 1   ? f->min_exponent - 1
                       : exponent > f->max_exponent - 1 ? f->max_exponent - 1
                                                        : exponent;
    const long double ulp = ldexpl(1, capped - f->digits + 1);
    if (isinf(got)) /* right when the exact value rounds to infinity; else as far as the limit is */
        return (got > 0) != (exact > 0) ? INFINITY : size >= limit ? 0 : (limit - size) / ulp;
    return fabsl(got - exact) / ulp;
}

/* Is got as near as it must be? Where flushed, subnormal arguments or results may have become zero. */
static bool is_near(long double got, long double exact, double bound, const format *f, bool sign_of_zero)
{
    if (exact == 0 && got == 0)
        return !sign_of_zero || signbit(got) == signbit(exact);
    if (fabsl(exact) < f->smallest && got == 0)
        return true;
    return ulps(got, exact, f) <= bound;
}

/* ---- arguments ----------------------------------------------------------------------------------- */

static const double edges[] = { 0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                -0.5,
                                1.5,
                                -1.5,
                                2.5,
                                -2.5,
                                2.0,
                                -2.0,
                                3.0,
                                10.0,
                                -10.0,
                                100.0,
                                1e-5,
                                -1e-5,
                                0x1p-126,
                                -0x1p-126,
                                0x1.fffffep127,
                                -0x1.fffffep127,
                                0x1p24,
                                8388607.5,
                                -8388607.5,
                                3.14159274101257324,
                                1.57079637050628662,
                                0.693147182464599609,
                                0.99999994039535522,
                                1.00000011920928955,
                                INFINITY,
                                -INFINITY,
                                NAN };
enum { EDGES = sizeof edges / sizeof edges[0], VALUES = 2000 };

/* A finite number of any size: all exponents are equally likely. */
static double any_number(int exponents)
{
    const double size = ldexp(test_random_double(1.0, 2.0), test_random_int(-exponents, exponents));
    return test_random() & 1 ? size : -size;
}

/* Edge values first, then numbers between low and high, and every third any number at all. */
static double argument(int i, double low, double high, int exponents)
{
    return i < EDGES ? edges[i] : i % 3 ? test_random_double(low, high) : any_number(exponents);
}

/* ---- functions of one argument ------------------------------------------------------------------- */

/* X(function, bound in ulp for float and double, a range where most of it happens). The bounds are OpenCL's, but for
   cbrt, where it has 2 and glibc, which the CPU backend call, comes to 3.7. */
#define FUNCTIONS_1(X)                                                                                                 \
    X(acos, 4, -1, 1)                                                                                                  \
    X(acosh, 4, 1, 1e4)                                                                                                \
    X(asin, 4, -1, 1)                                                                                                  \
    X(asinh, 4, -1e3, 1e3)                                                                                             \
    X(atan, 5, -1e3, 1e3)                                                                                              \
    X(atanh, 5, -1, 1)                                                                                                 \
    X(cbrt, 4, -1e6, 1e6)                                                                                              \
    X(ceil, 0, -1e4, 1e4)                                                                                              \
    X(cos, 4, -1e3, 1e3)                                                                                               \
    X(cosh, 4, -80, 80)                                                                                                \
    X(erf, 16, -4, 4)                                                                                                  \
    X(erfc, 16, -5, 9)                                                                                                 \
    X(exp, 3, -87, 88)                                                                                                 \
    X(exp2, 3, -126, 127)                                                                                              \
    X(expm1, 3, -20, 80)                                                                                               \
    X(fabs, 0, -1e6, 1e6)                                                                                              \
    X(floor, 0, -1e4, 1e4)                                                                                             \
    X(log, 3, 0, 1e6)                                                                                                  \
    X(log10, 3, 0, 1e6)                                                                                                \
    X(log1p, 2, -1, 1e4)                                                                                               \
    X(log2, 3, 0, 1e6)                                                                                                 \
    X(logb, 0, -1e6, 1e6)                                                                                              \
    X(nearbyint, 0, -100, 100)                                                                                         \
    X(rint, 0, -100, 100)                                                                                              \
    X(round, 0, -100, 100)                                                                                             \
    X(sin, 4, -1e3, 1e3)                                                                                               \
    X(sinh, 4, -80, 80)                                                                                                \
    X(sqrt, 3, 0, 1e10)                                                                                                \
    X(tan, 5, -1e3, 1e3)                                                                                               \
    X(tanh, 5, -10, 10)                                                                                                \
    X(tgamma, 16, 0.01, 30)                                                                                            \
    X(trunc, 0, -1e4, 1e4)
/* glibc's for i386 is -infinity of -0. */
static long double wide_acosh(long double x) { return x < 1 ? NAN : acoshl(x); }
#define acoshl wide_acosh

#define COUNT_IT(...) +1
enum { COUNT_1 = 0 FUNCTIONS_1(COUNT_IT) };

typedef struct one_argument {
    const char *name;
    double bound, low, high;
    double (*exact)(double);                /* of the float function */
    long double (*exact_wide)(long double); /* of the double function */
} one_argument;
#define ONE_ARGUMENT(f, bound, low, high) { #f, bound, low, high, f, f##l },
static const one_argument functions_1[COUNT_1] = { FUNCTIONS_1(ONE_ARGUMENT) };

/* Compares VALUES results of one function; says the worst. */
#define DEFINE_COMPARE_1(compare, T, f, exact_of)                                                                      \
    static bool compare(const one_argument *function, const T *in, const T *out)                                       \
    {                                                                                                                  \
        /* tgamma of large negative numbers is too small for any type, and has a sign that not all libraries keep */   \
        const bool sign_of_zero = strcmp(function->name, "tgamma") != 0;                                               \
        int wrong = 0;                                                                                                 \
        for (int i = 0; i < VALUES; i++) {                                                                             \
            const long double exact = function->exact_of(in[i]);                                                       \
            bool good = is_near(out[i], exact, function->bound, f, sign_of_zero);                                      \
            if (!good && fabsl((long double)in[i]) < (f)->smallest) /* the argument may have been flushed */           \
                good = is_near(out[i], function->exact_of(signbit(in[i]) ? -(T)0 : 0), function->bound, f, true);      \
            if (!good && wrong++ < 5)                                                                                  \
                print_error("%s: %s(%.17g) is %.17g, exactly %.20Lg: %.2Lf ulp, allowed %g\n", test_where,             \
                            function->name, (double)in[i], (double)out[i], exact, ulps(out[i], exact, f),              \
                            function->bound);                                                                          \
        }                                                                                                              \
        return !wrong;                                                                                                 \
    }
DEFINE_COMPARE_1(compare_floats_1, float, &single_format, exact)
DEFINE_COMPARE_1(compare_doubles_1, double, &double_format, exact_wide)

/* What a kernel does for one line of the list: row k of y gets the function of row k of x. */
#define APPLY_FLOAT_1(name, bound, low, high)                                                                          \
    AMP_AT(y, k, i) = name##f(AMP_AT(x, k, i));                                                                        \
    k++;
#define APPLY_DOUBLE_1(f, bound, low, high)                                                                            \
    AMP_AT(y, k, i) = f(AMP_AT(x, k, i));                                                                              \
    k++;

#define DEFINE_TEST_1(name, T, exponents, APPLY, compare, can)                                                         \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        needs_glibc();                                                                                                 \
        static T in[COUNT_1][VALUES], out[COUNT_1][VALUES];                                                            \
        for (int k = 0; k < COUNT_1; k++)                                                                              \
            for (int i = 0; i < VALUES; i++)                                                                           \
                in[k][i] = (T)argument(i, functions_1[k].low, functions_1[k].high, exponents);                         \
        FOR_EACH_ACCELERATOR (where) {                                                                                 \
            if (!(can))                                                                                                \
                continue;                                                                                              \
            memset(out, 0x5a, sizeof out);                                                                             \
            {                                                                                                          \
                AMP_CONST_ARRAY_VIEW(T, 2, x, &in[0][0], COUNT_1, VALUES);                                             \
                AMP_ARRAY_VIEW(T, 2, y, &out[0][0], COUNT_1, VALUES);                                                  \
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(VALUES), (i), AMP_CAPTURE(x, y), {                          \
                    int k = 0;                                                                                         \
                    FUNCTIONS_1(APPLY)                                                                                 \
                });                                                                                                    \
            }                                                                                                          \
            int wrong = 0;                                                                                             \
            for (int k = 0; k < COUNT_1; k++)                                                                          \
                wrong += !compare(&functions_1[k], in[k], out[k]);                                                     \
            check_int(wrong, 0);                                                                                       \
        }                                                                                                              \
    }
DEFINE_TEST_1(float_functions_of_one_argument, float, 120, APPLY_FLOAT_1, compare_floats_1, true)
DEFINE_TEST_1(double_functions_of_one_argument, double, 1000, APPLY_DOUBLE_1, compare_doubles_1, test_has_double(where))

/* ---- functions of two arguments ------------------------------------------------------------------ */

#define quotient(x, y)  ((x) / (y)) /* division has a bound, too */
#define quotientf(x, y) ((x) / (y))
static double exact_quotient(double x, double y) { return x / y; }
static long double exact_quotientl(long double x, long double y) { return x / y; }
#define FUNCTIONS_2(X)                                                                                                 \
    X(atan2, atan2, 6, -100, 100)                                                                                      \
    X(copysign, copysign, 0, -100, 100)                                                                                \
    X(fdim, fdim, 0, -100, 100)                                                                                        \
    X(fmax, fmax, 0, -100, 100)                                                                                        \
    X(fmin, fmin, 0, -100, 100)                                                                                        \
    X(fmod, fmod, 0, -100, 100)                                                                                        \
    X(hypot, hypot, 4, -100, 100)                                                                                      \
    X(pow, pow, 16, -20, 20)                                                                                           \
    X(remainder, remainder, 0, -100, 100)                                                                              \
    X(quotient, exact_quotient, 2.5, -100, 100)
enum { COUNT_2 = 0 FUNCTIONS_2(COUNT_IT) };

typedef struct two_arguments {
    const char *name;
    double bound, low, high;
    double (*exact)(double, double);
    long double (*exact_wide)(long double, long double);
} two_arguments;
#define TWO_ARGUMENTS(f, exact, bound, low, high) { #f, bound, low, high, exact, exact##l },
static const two_arguments functions_2[COUNT_2] = { FUNCTIONS_2(TWO_ARGUMENTS) };

/* fdim is a difference: rounded, unlike the others that allow no error. */
#define DEFINE_COMPARE_2(compare, T, f, exact_of)                                                                      \
    static bool compare(const two_arguments *function, const T *x, const T *y, const T *out, int count)                \
    {                                                                                                                  \
        const double bound = !strcmp(function->name, "fdim") ? 0.5 : function->bound;                                  \
        const bool either_zero = !strcmp(function->name, "fmax") || !strcmp(function->name, "fmin");                   \
        int wrong = 0;                                                                                                 \
        for (int i = 0; i < count; i++) {                                                                              \
            const long double exact = function->exact_of(x[i], y[i]);                                                  \
            if (!is_near(out[i], exact, bound, f, !either_zero) && wrong++ < 5)                                        \
                print_error("%s: %s(%.17g, %.17g) is %.17g, exactly %.20Lg: %.2Lf ulp, allowed %g\n", test_where,      \
                            function->name, (double)x[i], (double)y[i], (double)out[i], exact,                         \
                            ulps(out[i], exact, f), bound);                                                            \
        }                                                                                                              \
        return !wrong;                                                                                                 \
    }
DEFINE_COMPARE_2(compare_floats_2, float, &single_format, exact)
DEFINE_COMPARE_2(compare_doubles_2, double, &double_format, exact_wide)

#define APPLY_FLOAT_2(name, exact, bound, low, high)                                                                   \
    AMP_AT(z, k, i) = name##f(AMP_AT(x, k, i), AMP_AT(y, k, i));                                                       \
    k++;
#define APPLY_DOUBLE_2(f, exact, bound, low, high)                                                                     \
    AMP_AT(z, k, i) = f(AMP_AT(x, k, i), AMP_AT(y, k, i));                                                             \
    k++;

/* Every edge value with every other, then random pairs: between low and high, and of any size. */
enum { PAIRS = EDGES * EDGES + 1000 };
#define DEFINE_TEST_2(name, T, exponents, APPLY, compare, can)                                                         \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        needs_exact_library();                                                                                         \
        static T in_x[COUNT_2][PAIRS], in_y[COUNT_2][PAIRS], out[COUNT_2][PAIRS];                                      \
        for (int k = 0; k < COUNT_2; k++)                                                                              \
            for (int i = 0; i < PAIRS; i++) {                                                                          \
                const bool edge = i < EDGES * EDGES;                                                                   \
                in_x[k][i] = (T)argument(edge ? i / EDGES : i, functions_2[k].low, functions_2[k].high, exponents);    \
                in_y[k][i] = (T)argument(edge ? i % EDGES : i, functions_2[k].low, functions_2[k].high, exponents);    \
            }                                                                                                          \
        FOR_EACH_ACCELERATOR (where) {                                                                                 \
            if (!(can))                                                                                                \
                continue;                                                                                              \
            memset(out, 0x5a, sizeof out);                                                                             \
            {                                                                                                          \
                AMP_CONST_ARRAY_VIEW(T, 2, x, &in_x[0][0], COUNT_2, PAIRS);                                            \
                AMP_CONST_ARRAY_VIEW(T, 2, y, &in_y[0][0], COUNT_2, PAIRS);                                            \
                AMP_ARRAY_VIEW(T, 2, z, &out[0][0], COUNT_2, PAIRS);                                                   \
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PAIRS), (i), AMP_CAPTURE(x, y, z), {                        \
                    int k = 0;                                                                                         \
                    FUNCTIONS_2(APPLY)                                                                                 \
                });                                                                                                    \
            }                                                                                                          \
            int wrong = 0;                                                                                             \
            for (int k = 0; k < COUNT_2; k++)                                                                          \
                wrong += !compare(&functions_2[k], in_x[k], in_y[k], out[k], PAIRS);                                   \
            check_int(wrong, 0);                                                                                       \
        }                                                                                                              \
    }
DEFINE_TEST_2(float_functions_of_two_arguments, float, 60, APPLY_FLOAT_2, compare_floats_2, true)
DEFINE_TEST_2(double_functions_of_two_arguments, double, 500, APPLY_DOUBLE_2, compare_doubles_2, test_has_double(where))

/* ---- the others ---------------------------------------------------------------------------------- */

enum { FRACTION, EXPONENT, PART, WHOLE, REST, BITS, SCALED, SCALED_TOO, LOGARITHM, GAMMA, NEXT, CLASSES, ODD };

/* Results that come apart: exact all of them but lgamma, for which OpenCL sets no bound. */
static void float_functions_of_other_forms(void **state)
{
    (void)state;
    needs_exact_library();
    enum { COUNT = 1500 };
    static float in[COUNT], other[COUNT], out[ODD][COUNT];
    for (int i = 0; i < COUNT; i++) {
        in[i] = (float)argument(i, -100, 100, 20);
        other[i] = (float)argument(i * 7 % COUNT, -10, 10, 10);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (test_is_slow(where))
            continue; /* oclgrind --uninitialized stops at functions that write through pointers */
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(float, 1, x, in, COUNT);
            AMP_CONST_ARRAY_VIEW(float, 1, y, other, COUNT);
            AMP_ARRAY_VIEW(float, 2, z, &out[0][0], ODD, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i),
                AMP_CAPTURE(x, y, z, AMP_CONSTANT(FRACTION), AMP_CONSTANT(EXPONENT), AMP_CONSTANT(PART),
                            AMP_CONSTANT(WHOLE), AMP_CONSTANT(REST), AMP_CONSTANT(BITS), AMP_CONSTANT(SCALED),
                            AMP_CONSTANT(SCALED_TOO),
                            AMP_CONSTANT(LOGARITHM), AMP_CONSTANT(GAMMA), AMP_CONSTANT(NEXT),
                            AMP_CONSTANT(CLASSES)), {
                const float a = AMP_AT(x, i), b = AMP_AT(y, i);
                int exponent = 0, bits = 0;
                float whole = 0.0f;
                AMP_AT(z, FRACTION, i) = frexpf(a, &exponent);
                AMP_AT(z, EXPONENT, i) = (float)exponent;
                AMP_AT(z, PART, i) = modff(a, &whole);
                AMP_AT(z, WHOLE, i) = whole;
                AMP_AT(z, REST, i) = remquof(a, b, &bits);
                AMP_AT(z, BITS, i) = (float)(bits & 7);
                AMP_AT(z, SCALED, i) = ldexpf(a, i % 9 - 4);
                AMP_AT(z, SCALED_TOO, i) = scalbnf(a, i % 7 - 3);
                AMP_AT(z, LOGARITHM, i) = (float)ilogbf(a);
                AMP_AT(z, GAMMA, i) = lgammaf(a);
                AMP_AT(z, NEXT, i) = nextafterf(a, b);
                AMP_AT(z, CLASSES, i) = (float)((isnan(a) ? 1 : 0) + (isinf(a) ? 2 : 0) + (isfinite(a) ? 4 : 0) +
                                                (isnormal(a) ? 8 : 0) + (signbit(a) ? 16 : 0));
            });
        }
        int wrong = 0;
        for (int i = 0; i < COUNT; i++) {
            const double a = in[i], b = other[i];
            int exponent = 0, quotient_bits = 0;
            double whole = 0;
            const double fraction = frexp(a, &exponent), part = modf(a, &whole), rest = remquo(a, b, &quotient_bits);
            const bool finite = isfinite(a), normal = finite && fabs(a) >= FLT_MIN;
            const double classes =
                (isnan(a) ? 1 : 0) + (isinf(a) ? 2 : 0) + (finite ? 4 : 0) + (normal ? 8 : 0) + (signbit(a) ? 16 : 0);
            const struct {
                int row;
                double exact;
                bool asked;
            } checks[] = {
                { FRACTION, fraction, true },
                { EXPONENT, exponent, finite },
                { PART, part, true },
                { WHOLE, whole, true },
                { REST, rest, true },
                { BITS, quotient_bits & 7, finite && isfinite(b) && b != 0 },
                { SCALED, ldexp(a, i % 9 - 4), true },
                { SCALED_TOO, ldexp(a, i % 7 - 3), true },
                { LOGARITHM, normal ? ilogb(a) : 0, normal },
                { NEXT, (double)nextafterf((float)a, (float)b), true },
                { CLASSES, classes, true },
            };
            for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++)
                if (checks[c].asked && !is_near(out[checks[c].row][i], checks[c].exact, 0, &single_format, false) &&
                    wrong++ < 10)
                    print_error("%s: row %d of (%.9g, %.9g) is %.9g, expected %.17g\n", test_where, checks[c].row, a, b,
                                (double)out[checks[c].row][i], checks[c].exact);
            /* Near its zeros at 1 and 2, and at negative numbers, lgamma is a small difference of large terms. */
            const double gamma = lgamma(a), got = out[GAMMA][i];
            const double allowed = 1e-6 * (fabs(gamma) + (a < 0 ? 10 * fabs(a) : 1));
            const bool huge = isinf(gamma) || fabs(gamma) > 1e38;
            const bool good = isnan(gamma) ? isnan(got) : huge ? got > 1e38 : fabs(got - gamma) <= allowed;
            if (!good && wrong++ < 10)
                print_error("%s: lgammaf(%.9g) is %.9g, exactly %.17g\n", test_where, a, got, gamma);
        }
        check_int(wrong, 0);
    }
}

/* The first 26 of the 53 bits of a double. */
static double upper_half(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(uint64_t)0 << 27;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* fma rounds once: in a * b + c with a * b nearly -c the difference shows. */
static void fused_multiply_and_add(void **state)
{
    (void)state;
    needs_exact_library();
    enum { COUNT = 1000 };
    static float in[3][COUNT], out[COUNT];
    static double wide_in[3][COUNT], wide_out[COUNT];
    for (int i = 0; i < COUNT; i++) {
        in[0][i] = (float)any_number(20), in[1][i] = (float)any_number(20);
        in[2][i] = i % 2 ? -(in[0][i] * in[1][i]) : (float)any_number(30);
        wide_in[0][i] = any_number(200), wide_in[1][i] = any_number(200);
        wide_in[2][i] = i % 2 ? -(wide_in[0][i] * wide_in[1][i]) : any_number(300);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(float, 2, x, &in[0][0], 3, COUNT);
            AMP_ARRAY_VIEW(float, 1, y, out, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, y.extent, (i), AMP_CAPTURE(x, y), {
                AMP_AT(y, i) = fmaf(AMP_AT(x, 0, i), AMP_AT(x, 1, i), AMP_AT(x, 2, i));
            });
        }
        for (int i = 0; i < COUNT; i++) {
            /* A product of two floats is exact in double; the sum has 64 bits, enough to round it once. */
            const long double exact = (long double)((double)in[0][i] * (double)in[1][i]) + (long double)in[2][i];
            check_that(is_near(out[i], exact, 0.501, &single_format, false), "fmaf(%a, %a, %a) is %a, exactly %La",
                       (double)in[0][i], (double)in[1][i], (double)in[2][i], (double)out[i], exact);
        }
        if (!test_has_double(where) || LDBL_MANT_DIG == DBL_MANT_DIG) /* without a wider type to compare with */
            continue;
        memset(wide_out, 0x5a, sizeof wide_out);
        {
            AMP_CONST_ARRAY_VIEW(double, 2, x, &wide_in[0][0], 3, COUNT);
            AMP_ARRAY_VIEW(double, 1, y, wide_out, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, y.extent, (i), AMP_CAPTURE(x, y), {
                AMP_AT(y, i) = fma(AMP_AT(x, 0, i), AMP_AT(x, 1, i), AMP_AT(x, 2, i));
            });
        }
        for (int i = 0; i < COUNT; i++) {
            /* Both factors are split into halves, whose products are exact. */
            const double a = wide_in[0][i], b = wide_in[1][i], c = wide_in[2][i];
            const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
            const long double high = (long double)a1 * (long double)b1, low = (long double)a2 * (long double)b2;
            const long double middle = (long double)a1 * (long double)b2 + (long double)a2 * (long double)b1;
            const long double exact = ((high + (long double)c) + middle) + low;
            check_that(is_near(wide_out[i], exact, 0.501, &double_format, false), "fma(%a, %a, %a) is %a, exactly %La",
                       a, b, c, wide_out[i], exact);
        }
    }
}

/* What C++ AMP has and C has not. */
static void additional_functions(void **state)
{
    (void)state;
    enum { COUNT = 1200, RSQRT = 0, SINE, COSINE, SINPI, COSPI, TANPI, EXP10, ROWS };
    static float in[ROWS][COUNT], out[ROWS][COUNT];
    for (int i = 0; i < COUNT; i++) {
        in[RSQRT][i] = (float)(i % 2 ? test_random_double(0.001, 1000) : fabs(any_number(100)));
        in[SINE][i] = in[COSINE][i] = (float)test_random_double(-50, 50);
        const double most = i % 2 ? 2 : 1e4;
        in[SINPI][i] = i < 40 ? 0.5f * (float)(i - 20) : (float)test_random_double(-most, most);
        in[COSPI][i] = in[TANPI][i] = in[SINPI][i];
        in[EXP10][i] = (float)test_random_double(-37, 38);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (test_is_slow(where))
            continue; /* oclgrind --uninitialized stops at functions that write through pointers */
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(float, 2, x, &in[0][0], ROWS, COUNT);
            AMP_ARRAY_VIEW(float, 2, y, &out[0][0], ROWS, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(COUNT), (i),
                AMP_CAPTURE(x, y, AMP_CONSTANT(RSQRT), AMP_CONSTANT(SINE), AMP_CONSTANT(COSINE), AMP_CONSTANT(SINPI),
                            AMP_CONSTANT(COSPI), AMP_CONSTANT(TANPI), AMP_CONSTANT(EXP10)), {
                float sine = 0.0f, cosine = 0.0f;
                amp_sincosf(AMP_AT(x, SINE, i), &sine, &cosine);
                AMP_AT(y, SINE, i) = sine;
                AMP_AT(y, COSINE, i) = cosine;
                AMP_AT(y, RSQRT, i) = amp_rsqrtf(AMP_AT(x, RSQRT, i));
                AMP_AT(y, SINPI, i) = amp_sinpif(AMP_AT(x, SINPI, i));
                AMP_AT(y, COSPI, i) = amp_cospif(AMP_AT(x, COSPI, i));
                AMP_AT(y, TANPI, i) = amp_tanpif(AMP_AT(x, TANPI, i));
                AMP_AT(y, EXP10, i) = amp_exp10f(AMP_AT(x, EXP10, i));
            });
        }
        static const char *const names[ROWS] = { "amp_rsqrtf", "amp_sincosf's sine", "amp_sincosf's cosine",
                                                 "amp_sinpif", "amp_cospif",         "amp_tanpif",
                                                 "amp_exp10f" };
        static const double bounds[ROWS] = { 2, 4, 4, 4, 4, 6, 3 };
        const long double pi = 3.141592653589793238462643383279502884L;
        int wrong = 0;
        for (int row = 0; row < ROWS; row++)
            for (int i = 0; i < COUNT; i++) {
                const long double x = in[row][i], turn = remainderl(x, 2.0L), doubled = fabsl(2 * turn);
                /* At the quarters of a turn the exact values are known; pi is not, to the last bit. */
                const bool quarter = doubled == 0 || doubled == 1 || doubled == 2;
                const long double sine = !quarter ? sinl(pi * turn) : doubled != 1 ? 0 : turn > 0 ? 1 : -1;
                const long double cosine = !quarter ? cosl(pi * turn) : 1 - doubled;
                long double exact = 0;
                switch (row) {
                case RSQRT: exact = 1 / sqrtl(x); break;
                case SINE: exact = sinl(x); break;
                case COSINE: exact = cosl(x); break;
                case SINPI: exact = sine; break;
                case COSPI: exact = cosine; break;
                case TANPI: exact = cosine == 0 ? INFINITY : sine / cosine; break;
                default: exact = powl(10, x);
                }
                const long double got = out[row][i];
                const bool good = isinf(exact) ? isinf(got) : is_near(got, exact, bounds[row], &single_format, false);
                if (!good && wrong++ < 10)
                    print_error("%s: %s(%.9g) is %.9Lg, exactly %.20Lg: %.2Lf ulp, allowed %g\n", test_where,
                                names[row], (double)in[row][i], got, exact, ulps(got, exact, &single_format),
                                bounds[row]);
            }
        check_int(wrong, 0);
    }
}

/* ---- fast functions ------------------------------------------------------------------------------ */

/* X(name, exact function, the range that fields use) */
static double exact_rsqrt(double x) { return 1 / sqrt(x); }
#define FAST_1(X)                                                                                                      \
    X(acosf, acos, -1, 1)                                                                                              \
    X(asinf, asin, -1, 1)                                                                                              \
    X(atanf, atan, -20, 20)                                                                                            \
    X(cosf, cos, -3.14, 3.14)                                                                                          \
    X(coshf, cosh, -5, 5)                                                                                              \
    X(expf, exp, -10, 10)                                                                                              \
    X(exp2f, exp2, -15, 15)                                                                                            \
    X(logf, log, 0.001, 1000)                                                                                          \
    X(log2f, log2, 0.001, 1000)                                                                                        \
    X(log10f, log10, 0.001, 1000)                                                                                      \
    X(rsqrtf, exact_rsqrt, 0.001, 1000)                                                                                \
    X(sinf, sin, -3.14, 3.14)                                                                                          \
    X(sinhf, sinh, -5, 5)                                                                                              \
    X(sqrtf, sqrt, 0, 1000)                                                                                            \
    X(tanf, tan, -1.4, 1.4)                                                                                            \
    X(tanhf, tanh, -5, 5)
enum { COUNT_FAST = 0 FAST_1(COUNT_IT) };
#define FAST_ENTRY(f, exact, low, high) { #f, exact, low, high },
#define APPLY_FAST(f, exact, low, high)                                                                                \
    AMP_AT(y, k, i) = amp_fast_##f(AMP_AT(x, k, i));                                                                   \
    k++;

/* Within 2^-11 of the exact value, relative above 1, absolute below. */
static bool is_fast_enough(double got, double exact) { return fabs(got - exact) <= 0x1p-11 * fmax(1.0, fabs(exact)); }

static void fast_functions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*exact)(double);
        double low, high;
    } functions[COUNT_FAST] = { FAST_1(FAST_ENTRY) };
    static float in[COUNT_FAST][VALUES], out[COUNT_FAST][VALUES], in_y[2][VALUES], out_y[2][VALUES];
    for (int i = 0; i < VALUES; i++) {
        for (int k = 0; k < COUNT_FAST; k++)
            in[k][i] = (float)test_random_double(functions[k].low, functions[k].high);
        in_y[0][i] = (float)test_random_double(0.1, 10);
        in_y[1][i] = (float)test_random_double(-3, 3);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        memset(out, 0x5a, sizeof out);
        memset(out_y, 0x5a, sizeof out_y);
        {
            AMP_CONST_ARRAY_VIEW(float, 2, x, &in[0][0], COUNT_FAST, VALUES);
            AMP_ARRAY_VIEW(float, 2, y, &out[0][0], COUNT_FAST, VALUES);
            AMP_CONST_ARRAY_VIEW(float, 2, pair, &in_y[0][0], 2, VALUES);
            AMP_ARRAY_VIEW(float, 2, both, &out_y[0][0], 2, VALUES);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(VALUES), (i), AMP_CAPTURE(x, y, pair, both), {
                int k = 0;
                FAST_1(APPLY_FAST)
                AMP_AT(both, 0, i) = amp_fast_powf(AMP_AT(pair, 0, i), AMP_AT(pair, 1, i));
                AMP_AT(both, 1, i) = amp_fast_atan2f(AMP_AT(pair, 1, i), AMP_AT(pair, 0, i));
            });
        }
        int wrong = 0;
        for (int k = 0; k < COUNT_FAST; k++)
            for (int i = 0; i < VALUES; i++) {
                const double exact = functions[k].exact(in[k][i]);
                if (!is_fast_enough(out[k][i], exact) && wrong++ < 10)
                    print_error("%s: amp_fast_%s(%.9g) is %.9g, exactly %.17g\n", test_where, functions[k].name,
                                (double)in[k][i], (double)out[k][i], exact);
            }
        for (int i = 0; i < VALUES; i++) {
            const double x = in_y[0][i], y = in_y[1][i];
            if (!is_fast_enough(out_y[0][i], pow(x, y)) && wrong++ < 10)
                print_error("%s: amp_fast_powf(%.9g, %.9g) is %.9g, exactly %.17g\n", test_where, x, y,
                            (double)out_y[0][i], pow(x, y));
            if (!is_fast_enough(out_y[1][i], atan2(y, x)) && wrong++ < 10)
                print_error("%s: amp_fast_atan2f(%.9g, %.9g) is %.9g, exactly %.17g\n", test_where, y, x,
                            (double)out_y[1][i], atan2(y, x));
        }
        check_int(wrong, 0);
    }
}

/* In the CPU backend some fast functions are ours, with closer bounds and the special values of C: X(name, exact
   function, bounds in ulp and absolute, of which one must hold, range where most of it happens). */
static double exact_log_flushed(double x) { return log(x >= 0 && x < FLT_MIN ? 0 : x); }
static double exact_log2_flushed(double x) { return log2(x >= 0 && x < FLT_MIN ? 0 : x); }
static double exact_log10_flushed(double x) { return log10(x >= 0 && x < FLT_MIN ? 0 : x); }
static double exact_rsqrt_flushed(double x) { return 1 / sqrt(x >= 0 && x < FLT_MIN ? 0 : x); }
static double exact_sin_limited(double x) { return fabs(x) < 0x1p31 ? sin(x) : (double)NAN; }
static double exact_cos_limited(double x) { return fabs(x) < 0x1p31 ? cos(x) : (double)NAN; }
#define FAST_ON_CPU(X)                                                                                                 \
    X(expf, exp, 1.5, 0, -90, 90)                                                                                      \
    X(exp2f, exp2, 1.5, 0, -130, 130)                                                                                  \
    X(logf, exact_log_flushed, 1.5, 0, 0, 3)                                                                           \
    X(log2f, exact_log2_flushed, 2.5, 0, 0, 3)                                                                         \
    X(log10f, exact_log10_flushed, 2.5, 0, 0, 3)                                                                       \
    X(rsqrtf, exact_rsqrt_flushed, 100, 0, 0, 1000)                                                                    \
    X(sinf, exact_sin_limited, 0, 2.5e-7, -100, 100)                                                                   \
    X(cosf, exact_cos_limited, 0, 2.5e-7, -100, 100)                                                                   \
    X(tanhf, tanh, 1.5, 0, -2, 2)                                                                                      \
    X(acosf, acos, 1.5, 0, -1, 1)                                                                                      \
    X(sinhf, sinh, 2, 0, -92, 92)                                                                                      \
    X(coshf, cosh, 2, 0, -92, 92)                                                                                      \
    X(asinf, asin, 2.5, 0, -1, 1)                                                                                      \
    X(atanf, atan, 3, 0, -5, 5)
enum { COUNT_FAST_ON_CPU = 0 FAST_ON_CPU(COUNT_IT) };
#define FAST_ON_CPU_ENTRY(f, exact, ulp, absolute, low, high) { #f, exact, ulp, absolute, low, high },
#define APPLY_FAST_ON_CPU(f, exact, ulp, absolute, low, high) APPLY_FAST(f, exact, low, high)

static void fast_functions_of_the_cpu_loops(void **state)
{
    (void)state;
    enum { SPECIAL = 8 };
    static const struct {
        const char *name;
        double (*exact)(double);
        double ulp, absolute, low, high;
    } functions[COUNT_FAST_ON_CPU] = { FAST_ON_CPU(FAST_ON_CPU_ENTRY) };
    static const float powers[SPECIAL][3] = { { 2, 0, 1 },         { 0, 2, 0 },
                                              { 0, -1, INFINITY }, { INFINITY, 2, INFINITY },
                                              { 1, 99, 1 },        { 2, 200, INFINITY },
                                              { -2, 2, NAN },      { 0, 0, NAN } };
    static float in[COUNT_FAST_ON_CPU][VALUES], out[COUNT_FAST_ON_CPU][VALUES], in_pow[2][VALUES], out_pow[VALUES];
    for (int i = 0; i < VALUES; i++) {
        for (int k = 0; k < COUNT_FAST_ON_CPU; k++)
            in[k][i] = (float)argument(i, functions[k].low, functions[k].high, 126);
        in_pow[0][i] = i < SPECIAL ? powers[i][0] : (float)exp(test_random_double(-7, 7));
        in_pow[1][i] = i < SPECIAL ? powers[i][1] : (float)test_random_double(-12, 12);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_is_cpu(where))
            continue;
        memset(out, 0x5a, sizeof out);
        memset(out_pow, 0x5a, sizeof out_pow);
        {
            AMP_CONST_ARRAY_VIEW(float, 2, x, &in[0][0], COUNT_FAST_ON_CPU, VALUES);
            AMP_ARRAY_VIEW(float, 2, y, &out[0][0], COUNT_FAST_ON_CPU, VALUES);
            AMP_CONST_ARRAY_VIEW(float, 2, pair, &in_pow[0][0], 2, VALUES);
            AMP_ARRAY_VIEW(float, 1, power, out_pow, VALUES);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(VALUES), (i), AMP_CAPTURE(x, y, pair, power), {
                int k = 0;
                FAST_ON_CPU(APPLY_FAST_ON_CPU)
                AMP_AT(power, i) = amp_fast_powf(AMP_AT(pair, 0, i), AMP_AT(pair, 1, i));
            });
        }
        int wrong = 0;
        for (int k = 0; k < COUNT_FAST_ON_CPU; k++)
            for (int i = 0; i < VALUES; i++) {
                const double exact = functions[k].exact((double)in[k][i]), got = (double)out[k][i];
                if (!is_near(got, exact, functions[k].ulp, &single_format, false) &&
                    !(fabs(got - exact) <= functions[k].absolute) && wrong++ < 10)
                    print_error("%s: amp_fast_%s(%.9g) is %.9g, exactly %.17g\n", test_where, functions[k].name,
                                (double)in[k][i], got, exact);
            }
        for (int i = 0; i < VALUES; i++) {
            const double x = (double)in_pow[0][i], y = (double)in_pow[1][i], got = (double)out_pow[i];
            const double exact = i < SPECIAL ? (double)powers[i][2] : pow(x, y);
            const bool good = isfinite(exact) ? fabs(got - exact) <= 1e-5 * exact
                              : isnan(exact)  ? isnan(got)
                                              : got == exact;
            if (!good && wrong++ < 10)
                print_error("%s: amp_fast_powf(%.9g, %.9g) is %.9g, expected %.17g\n", test_where, x, y, got, exact);
        }
        check_int(wrong, 0);
    }
}

/* All pairs of special values, and pairs of any numbers: 3.5 ulp, and the signs of zeros. */
static void fast_atan2_of_the_cpu_loops(void **state)
{
    (void)state;
    enum { SPECIAL = 10 };
    static const float special[SPECIAL] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 1e-40f, -1e38f, 2.5f };
    static float in[2][VALUES], out[VALUES];
    for (int i = 0; i < VALUES; i++) {
        in[0][i] = i < SPECIAL * SPECIAL ? special[i / SPECIAL] : (float)argument(i, -3, 3, 60);
        in[1][i] = i < SPECIAL * SPECIAL ? special[i % SPECIAL] : (float)argument(i, -3, 3, 60);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_is_cpu(where))
            continue;
        memset(out, 0x5a, sizeof out);
        {
            AMP_CONST_ARRAY_VIEW(float, 2, pair, &in[0][0], 2, VALUES);
            AMP_ARRAY_VIEW(float, 1, angle, out, VALUES);
            AMP_PARALLEL_FOR_EACH_ON(where, angle.extent, (i), AMP_CAPTURE(pair, angle), {
                AMP_AT(angle, i) = amp_fast_atan2f(AMP_AT(pair, 0, i), AMP_AT(pair, 1, i));
            });
        }
        int wrong = 0;
        for (int i = 0; i < VALUES; i++) {
            const double y = (double)in[0][i], x = (double)in[1][i], exact = atan2(y, x);
            if (!is_near((double)out[i], exact, 3.5, &single_format, true) && wrong++ < 10)
                print_error("%s: amp_fast_atan2f(%.9g, %.9g) is %.9g, exactly %.17g\n", test_where, y, x,
                            (double)out[i], exact);
        }
        check_int(wrong, 0);
    }
}

/* ---- errno --------------------------------------------------------------------------------------- */

AMP_FUNCTION(float, root_and_power, (float x, float exp), { return sqrtf(x) + powf(x, exp); })

/* Names of mathematics as a parameter's and a capture's. */
static void math_in_functions_and_captures(void **state)
{
    (void)state;
    float out[4] = { 0, 0, 0, 0 };
    const float log = 2; /* a capture's name, and a function's */
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_ARRAY_VIEW(float, 1, v, out, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, log), {
                AMP_AT(v, i) = root_and_power((float)(i * i), 2.0f) + log * sqrtf((float)i) + expf(0.0f);
            });
        }
        for (int i = 0; i < 4; i++) {
            const double n = i;
            check(fabs((double)out[i] - (n + n * n * n * n + 2 * sqrt(n) + 1)) < 1e-4);
        }
    }
}

/* With AMP_PRECISE_DIVISION quotients and roots have the host's bits; a device that cannot do it has said so. */
#undef AMP_PRECISE_DIVISION
#define AMP_PRECISE_DIVISION 1
static void precise_division(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static float x[COUNT], y[COUNT], quotient[COUNT], root[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)fabs(any_number(40));
        y[i] = (float)any_number(40);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_CONST_ARRAY_VIEW(float, 1, a, x, COUNT);
            AMP_CONST_ARRAY_VIEW(float, 1, b, y, COUNT);
            AMP_ARRAY_VIEW(float, 1, q, quotient, COUNT);
            AMP_ARRAY_VIEW(float, 1, r, root, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, q.extent, (i), AMP_CAPTURE(a, b, q, r), {
                AMP_AT(q, i) = AMP_AT(a, i) / AMP_AT(b, i);
                AMP_AT(r, i) = sqrtf(AMP_AT(a, i));
            });
        }
        int wrong = 0;
        for (int i = 0; i < COUNT; i++) {
            const volatile float q = x[i] / y[i], r = sqrtf(x[i]);
            wrong += q != quotient[i] || r != root[i];
        }
        if (test_has_precise_division(where))
            check_int(wrong, 0);
        else
            print_message("not compared: the device has no exact division and root\n");
    }
}
#undef AMP_PRECISE_DIVISION
#define AMP_PRECISE_DIVISION 0

/* The host's own calls set errno, though kernels of the same file have them, too. */
static void errno_on_the_host(void **state)
{
    (void)state;
    needs_glibc();
    volatile double minus = -1, huge = 1e308, two = 2; /* gcc makes a product of pow(x, 2.0) */
    volatile float minus_float = -1;
    errno = 0;
    volatile double result = log(minus);
    check_int(errno, EDOM);
    errno = 0;
    result = sqrt(minus);
    check_int(errno, EDOM);
    errno = 0;
    result = pow(huge, two);
    check_int(errno, ERANGE);
    errno = 0;
    result = (double)sqrtf(minus_float);
    check_int(errno, EDOM);
    (void)result;
}

/* To the nearest whole number: halves away from 0, and to the even one. */
static void whole_numbers(void **state)
{
    (void)state;
    enum { COUNT = 41 };
    FOR_EACH_ACCELERATOR(where)
    {
        float in[COUNT];
        int64_t out[10][COUNT];
        for (int i = 0; i < COUNT; i++)
            in[i] = (float)(i - COUNT / 2) * (i % 3 ? 0.5f : 123456.7f);
        memset(out, 0x55, sizeof out);
        const bool doubles = test_has_double(where);
        {
            AMP_CONST_ARRAY_VIEW(float, 1, x, in, COUNT);
            AMP_ARRAY_VIEW(int64_t, 2, n, &out[0][0], 10, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, n), {
                AMP_AT(n, 0, i) = lroundf(AMP_AT(x, i));
                AMP_AT(n, 1, i) = llroundf(AMP_AT(x, i));
                AMP_AT(n, 2, i) = lrintf(AMP_AT(x, i));
                AMP_AT(n, 3, i) = llrintf(AMP_AT(x, i));
                AMP_AT(n, 4, i) = labs((long)(i - 20));
                AMP_AT(n, 5, i) = llabs((i - 20) * 3000000000LL);
            });
            if (doubles)
                AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, n), {
                    const double a = AMP_AT(x, i) * 3.0;
                    AMP_AT(n, 6, i) = lround(a);
                    AMP_AT(n, 7, i) = llround(a);
                    AMP_AT(n, 8, i) = lrint(a);
                    AMP_AT(n, 9, i) = llrint(a);
                });
        }
        for (int i = 0; i < COUNT; i++) {
            const double a = 3.0 * (double)in[i];
            const int64_t want[10] = { lroundf(in[i]), lroundf(in[i]), lrintf(in[i]),
                                       lrintf(in[i]),  abs(i - 20),    abs(i - 20) * INT64_C(3000000000),
                                       lround(a),      lround(a),      lrint(a),
                                       lrint(a) };
            for (int f = 0; f < (doubles ? 10 : 6); f++)
                check_that(out[f][i] == want[f], "row %d of %g is %lld, not %lld", f, (double)in[i],
                           (long long)out[f][i], (long long)want[f]);
        }
    }
}

int run_api_kernel_math(void);
int run_api_kernel_math(void)
{
    const struct CMUnitTest tests[] = {
        TEST(float_functions_of_one_argument),
        TEST(double_functions_of_one_argument),
        TEST(float_functions_of_two_arguments),
        TEST(double_functions_of_two_arguments),
        TEST(float_functions_of_other_forms),
        TEST(fused_multiply_and_add),
        TEST(whole_numbers),
        TEST(additional_functions),
        TEST(fast_functions),
        TEST(fast_functions_of_the_cpu_loops),
        TEST(fast_atan2_of_the_cpu_loops),
        TEST(math_in_functions_and_captures),
        TEST(precise_division),
        TEST(errno_on_the_host),
    };
    return cmocka_run_group_tests_name("api/kernel_math", tests, NULL, NULL);
}
