// SPDX-License-Identifier: MIT
/*  comparisons.c - comparisons of a body that are never true */
#include "test.h"

#include "amp_algorithms.h"

AMP_FUNCTION(int, is_third, (float x), { return x == 0.3; })
AMP_FUNCTION(int, is_half, (float x), { return x == 0.5; })

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

int run_codegen_comparisons(void);
int run_codegen_comparisons(void)
{
    const struct CMUnitTest tests[] = {
        TEST(comparisons_that_are_never_true_are_refused),
        TEST(comparisons_that_may_be_true_are_accepted),
    };
    return cmocka_run_group_tests_name("codegen/comparisons", tests, NULL, NULL);
}
