// SPDX-License-Identifier: MIT
/*  comparisons.c - comparisons of a body that are never true */
#include "test.h"

#include "amp_algorithms.h"

#pragma GCC diagnostic ignored "-Wparentheses" /* what compilers warn of where they are asked to */
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wabsolute-value"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-comparison"
#pragma GCC diagnostic ignored "-Wliteral-conversion"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#endif

AMP_FUNCTION(int, is_third, (float x), { return x == 0.3; })
AMP_FUNCTION(int, is_half, (float x), { return x == 0.5; })
// clang-format off
AMP_FUNCTION(int, halves_of, (int n), { int c = 0; for (int k = n; k > 1; k /= 2); { c++; } return c; })
// clang-format on
#define NO_STATEMENT(x)

#define LAUNCHED(...)                                                                                                  \
    do {                                                                                                               \
        float values[64] = { 0 };                                                                                      \
        double doubles[64] = { 0 };                                                                                    \
        const double limit = 0.3;                                                                                      \
        AMP_ARRAY_VIEW(float, 1, a, values, 64);                                                                       \
        AMP_ARRAY_VIEW(double, 1, d, doubles, 64);                                                                     \
        AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), a.extent, (i),        \
                                 AMP_CAPTURE(a, d, limit), __VA_ARGS__);                                               \
    } while (0)
#define REFUSED(text, ...)                                                                                             \
    LAUNCHED(__VA_ARGS__);                                                                                             \
    expect_error(AMP_COMPILATION_FAILED, text)
#define ACCEPTED(...)                                                                                                  \
    LAUNCHED(__VA_ARGS__);                                                                                             \
    expect_no_error()

// clang-format off
static void comparisons_that_are_never_true_are_refused(void **state)
{
    (void)state;
    REFUSED("no float equals 0.3, a double", { AMP_AT(a, i) = AMP_AT(a, i) == 0.3 ? 1 : 2; });
    REFUSED("compare with 0.1f", { if (-0.1 != AMP_AT(a, i)) AMP_AT(a, i) = 1; });
    REFUSED("no float equals 1e-3, a double", { float x = AMP_AT(a, i) * 2; if (x == 1e-3) AMP_AT(a, i) = 1; });
    REFUSED("no float equals 16777217.0, a double", { if (AMP_AT(a, i) + 1 == 16777217.0) AMP_AT(a, i) = 1; });
    REFUSED("no integer equals 0.5", { if (i == 0.5) AMP_AT(a, i) = 1; });
    REFUSED("no integer equals 1.5", { const unsigned k = (unsigned)i; AMP_AT(a, i) = 1.5 == k ? 1 : 2; });
    REFUSED("no float equals 0.3, a double", { AMP_AT(a, i) = is_third(AMP_AT(a, i)) ? 1 : 2; });
    float values[8] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, values, 8);
    check_int(AMP_COUNT_IF(v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) == 0.7), 0);
    expect_error(AMP_COMPILATION_FAILED, "no float equals 0.7, a double");
}

static void equal_signs_that_are_exchanged_are_refused(void **state)
{
    (void)state;
    REFUSED("a statement compares 'a' by == and drops", { AMP_AT(a, i) == 1; });
    REFUSED("a statement compares 'x' by == and drops", { float x = 2; if (i > 3) x == 1; AMP_AT(a, i) = x; });
    REFUSED("the condition assigns to 'k'", { int k = i; if (k = 3) AMP_AT(a, i) = 1; });
    REFUSED("the condition assigns to 'a'", { while (AMP_AT(a, i) = 0) AMP_AT(a, i) = 1; });
    ACCEPTED({ int k; if ((k = i) != 0) AMP_AT(a, i) = (float)k; });
    ACCEPTED({ int k = 3; while ((k = k - 1)) AMP_AT(a, i) += 1; });
    ACCEPTED({ int k = 3; if ((k = 2)) AMP_AT(a, i) = (float)k; });
    ACCEPTED({ int k = 3; for (; (k = 0);) AMP_AT(a, i) = (float)k; });
    REFUSED("the condition assigns to 'q'", { int q[2] = { 0, 0 }; if (q[1] = 3) AMP_AT(a, i) = 1; });
    ACCEPTED({ int q[2] = { 0, 0 }; if ((q[1] = 3)) AMP_AT(a, i) = 1; });
    REFUSED("the condition assigns to 'q'", { struct { int n; } q = { 0 }; if (q.n = 3) AMP_AT(a, i) = 1; });
    ACCEPTED({ struct { int n; } q = { 0 }; if ((q.n = 3)) AMP_AT(a, i) = 1; });
    ACCEPTED({ int k = 3, *p = &k; if ((*p = 0)) AMP_AT(a, i) = 1; });
    REFUSED("the condition assigns to 'k'", { int k = i; if ((k) = 3) AMP_AT(a, i) = 1; });
    REFUSED("the condition assigns to 'k'", { int k = 3; for (; k = 0;) AMP_AT(a, i) = (float)k; });
    ACCEPTED({ AMP_AT(a, i) = AMP_AT(a, i) == 1; (void)(AMP_AT(a, i) == 2); });
    ACCEPTED({ AMP_AT(a, i) = (float)__extension__({ const int k = i; k == 3; }); });
}

static void loops_that_do_not_end_and_integer_functions_are_refused(void **state)
{
    (void)state;
    REFUSED("the unsigned 'k' is never below 0", { for (unsigned k = 3; k >= 0; k--) AMP_AT(a, i) += 1; });
    REFUSED("the unsigned 'k' is never below 0", { for (size_t k = 3; k >= 0 && i; k--) AMP_AT(a, i) += 1; });
    REFUSED("abs is a function of integers", { AMP_AT(a, i) = (float)abs(AMP_AT(a, i) - 0.5f); });
    ACCEPTED({ for (int k = 3; k >= 0; k--) AMP_AT(a, i) += 1; });
    ACCEPTED({ for (unsigned k = 3; k > 0; k--) AMP_AT(a, i) += 1; });
    ACCEPTED({ AMP_AT(a, i) = (float)abs(i - 3) + fabsf(AMP_AT(a, i)); });
}

static void constants_that_lose_a_fraction_are_refused(void **state)
{
    (void)state;
    REFUSED("an integer gets 0.5, and loses", { const int k = 0.5; AMP_AT(a, i) = (float)k; });
    REFUSED("an integer gets 1.5f, and loses", { int k = i; k += -1.5f; AMP_AT(a, i) = (float)k; });
    REFUSED("an integer gets 2.25, and loses", { unsigned char k; k = 2.25; AMP_AT(a, i) = (float)k; });
    ACCEPTED({ int k = 2.0; k = 3e2; k *= 0.5; AMP_AT(a, i) = (float)k + 0.5f; float x = 0.5; AMP_AT(a, i) += x; });
    ACCEPTED({ int k = (int)2.5; k = AMP_AT(a, i) * 0.5; AMP_AT(a, i) = (float)k; });
}

static void bodies_that_a_semicolon_cuts_off_are_refused(void **state)
{
    (void)state;
    REFUSED("`for (...);` ends at its `;`", { float s = 0; for (int k = 0; k < 4; k++); { s++; } AMP_AT(a, i) = s; });
    REFUSED("`for (...);` ends at its `;`", { float s = 0; for (int k = 0; k < i; k++); s += 1; AMP_AT(a, i) = s; });
    REFUSED("`for (...);` ends at its `;`", { int k; for (k = 0; k < 4; k++); { AMP_AT(a, i) += 1; } });
    REFUSED("`for (...);` ends at its `;`", { AMP_UNROLL for (int k = 0; k < 4; k++); { AMP_AT(a, i) += 1; } });
    REFUSED("`for (...);` ends at its `;`", { AMP_AT(a, i) = (float)halves_of(i); });
    REFUSED("`if (...);` ends at its `;`", { if (i > 3); { AMP_AT(a, i) = 1; } });
    REFUSED("`if (...);` ends at its `;`", { if (AMP_AT(a, i) > 3); AMP_AT(a, i) = 1; });
    REFUSED("`while (...);` ends at its `;`", { while (i > 9); { AMP_AT(a, i) = 1; } });
    ACCEPTED({ int k; for (k = 0; k < i; k++); AMP_AT(a, i) = (float)k; });
    ACCEPTED({ int k = 0; while (k++ < i); AMP_AT(a, i) = (float)k; });
    ACCEPTED({ for (int k = 0; k < 4; k++) ; { AMP_AT(a, i) = 1; } });
    ACCEPTED({ for (int k = 0; k < 4; k++) NO_STATEMENT(k); { AMP_AT(a, i) = 1; } });
    ACCEPTED({ if (i > 3) NO_STATEMENT(i); AMP_AT(a, i) = 1; if (i) NO_STATEMENT(0); else { AMP_AT(a, i) = 2; } });
    ACCEPTED({ for (int k = 0; k < 4; k++) {} do { AMP_AT(a, i)++; } while (AMP_AT(a, i) < 3); { AMP_AT(a, i) = 1; } });
}

static void loops_that_do_not_begin_and_dropped_results_are_refused(void **state)
{
    (void)state;
    REFUSED("nothing equals NAN", { if (AMP_AT(a, i) == NAN) AMP_AT(a, i) = 0; });
    REFUSED("nothing equals NAN", { AMP_AT(a, i) = NAN != AMP_AT(a, i) ? 1 : 2; });
    REFUSED("false for the first value of 'k'", { for (int k = 0; k > 4; k++) AMP_AT(a, i) += 1; });
    REFUSED("false for the first value of 'k'", { for (int k = 4; k < 0; k--) AMP_AT(a, i) += 1; });
    REFUSED("a statement calls 'fmaxf' and drops", { float s = 0; fmaxf(s, AMP_AT(a, i)); AMP_AT(a, i) = s; });
    ACCEPTED({ AMP_AT(a, i) = isnan(AMP_AT(a, i)) ? 0 : NAN; AMP_AT(a, i) = NAN == NAN; });
    ACCEPTED({ for (int k = 4; k > 0; k--) AMP_AT(a, i) += 1; for (int k = 0; k < 4; k++) AMP_AT(a, i) += 1; });
    ACCEPTED({ AMP_AT(a, i) = fmaxf(AMP_AT(a, i), 1); (void)fminf(AMP_AT(a, i), 1); });
}

static void comparisons_that_may_be_true_are_accepted(void **state)
{
    (void)state;
    ACCEPTED({ AMP_AT(a, i) = AMP_AT(a, i) == 0.3f ? 1 : 2; });
    ACCEPTED({ AMP_AT(a, i) = AMP_AT(a, i) == 0.5 || AMP_AT(a, i) == -0.25 || AMP_AT(a, i) == 3.0 ? 1 : 2; });
    ACCEPTED({ AMP_AT(a, i) = AMP_AT(a, i) < 0.3 || AMP_AT(a, i) >= 0.7 ? 1 : 2; });
    ACCEPTED({ if (i == 2.0) AMP_AT(a, i) = 1; });
    ACCEPTED({ if (AMP_AT(d, i) == 0.3) AMP_AT(a, i) = 1; });
    ACCEPTED({ if ((double)AMP_AT(a, i) * 3 == 0.3) AMP_AT(a, i) = 1; });
    ACCEPTED({ if (AMP_AT(a, i) == limit) AMP_AT(a, i) = 1; });
    ACCEPTED({ AMP_AT(a, i) = is_half(AMP_AT(a, i)) ? 1 : 2; });
    ACCEPTED({ if (AMP_AT(a, i) == (float)0.3) AMP_AT(a, i) = 1; });
}
// clang-format on

int run_validate_comparisons(void);
int run_validate_comparisons(void)
{
    const struct CMUnitTest tests[] = {
        TEST(comparisons_that_are_never_true_are_refused),
        TEST(equal_signs_that_are_exchanged_are_refused),
        TEST(loops_that_do_not_end_and_integer_functions_are_refused),
        TEST(constants_that_lose_a_fraction_are_refused),
        TEST(bodies_that_a_semicolon_cuts_off_are_refused),
        TEST(loops_that_do_not_begin_and_dropped_results_are_refused),
        TEST(comparisons_that_may_be_true_are_accepted),
    };
    return cmocka_run_group_tests_name("validate/comparisons", tests, NULL, NULL);
}
