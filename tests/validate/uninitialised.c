// SPDX-License-Identifier: MIT
/*  uninitialised.c - local variables of a body that are read before they have a value */
#include "test.h"

#include "amp.h"

#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

AMP_STRUCT(pair_of, { float x, y; });
AMP_FUNCTION(void, set_one, (float *p), { *p = 1; })
AMP_FUNCTION(float, sum_of_nothing, (float x), {
    float s;
    s += x;
    return s;
})
AMP_FUNCTION(float, sum_of_parts, (float x), {
    float s[2];
    s[0] = x;
    s[1] = 2;
    float t;
    t = x;
    pair_of q;
    q.x = t;
    q.y = 2;
    return s[0] + q.x;
})

#define LAUNCHED(...)                                                                                                  \
    do {                                                                                                               \
        float values[64] = { 0 };                                                                                      \
        const int n = 64;                                                                                              \
        AMP_ARRAY_VIEW(float, 1, a, values, n);                                                                        \
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n), __VA_ARGS__);                                          \
    } while (0)
#define REFUSED(...)                                                                                                   \
    LAUNCHED(__VA_ARGS__);                                                                                             \
    expect_error(AMP_COMPILATION_FAILED, "'s' is read before it has a value")
#define ACCEPTED(...)                                                                                                  \
    LAUNCHED(__VA_ARGS__);                                                                                             \
    expect_no_error()

// clang-format off
static void what_is_read_too_early_is_refused(void **state)
{
    (void)state;
    REFUSED({ float s; for (int k = 0; k < 2; k++) s += 1; AMP_AT(a, i) = s; });
    REFUSED({ float s; s = s + 1; AMP_AT(a, i) = s; });
    REFUSED({ float s; AMP_AT(a, i) = s; });
    REFUSED({ float s; if (i > 3) AMP_AT(a, i) = s; });
    REFUSED({ float s[3]; for (int k = 0; k < 3; k++) s[k] += 1; AMP_AT(a, i) = s[0]; });
    REFUSED({ AMP_AT(a, i) = sum_of_nothing(1); });
    REFUSED({ for (int k = 0; k < 3; k++) { float s; s += 1; AMP_AT(a, i) = s; } });
}

static void what_has_a_value_is_accepted(void **state)
{
    (void)state;
    ACCEPTED({ AMP_AT(a, i) = sum_of_parts(1); });
    ACCEPTED({ float s; if (i > 3) s = 1; else s = 2; AMP_AT(a, i) = s; });
    ACCEPTED({ float s; for (int k = 0; k < n; k++) { if (k > 0) s += 1; else s = 1; } AMP_AT(a, i) = s; });
    ACCEPTED({ float s; set_one(&s); AMP_AT(a, i) = s; });
    ACCEPTED({ float s[2]; set_one(s); AMP_AT(a, i) = s[0]; });
    ACCEPTED({ pair_of p; p.x = 1; p.y = p.x; AMP_AT(a, i) = p.y; });
    ACCEPTED({ int last; for (int k = 0; k < 3; k += last) { last = 1; } AMP_AT(a, i) = 1; });
    ACCEPTED({ int u; (void)u; u = 2; AMP_AT(a, i) = (float)u; });
    ACCEPTED({ int k; k = 3; while (k) k--; AMP_AT(a, i) = 1; });
    ACCEPTED({ float s; AMP_AT(a, i) = (float)sizeof s; s = 1; AMP_AT(a, i) += s; });
    ACCEPTED({ float s, t = 2; s = t; AMP_AT(a, i) = amp_max(s, t); });
    ACCEPTED({ int e; AMP_AT(a, i) = frexpf(3.0f, &e); AMP_AT(a, i) += (float)e; });
    ACCEPTED({ float s, c; amp_sincosf(1.0f, &s, &c); AMP_AT(a, i) = s + c; });
    ACCEPTED({ float s; switch (i) { case 0: s = 1; break; default: s = 2; } AMP_AT(a, i) = s; });
    ACCEPTED({ int k; do { k = 1; } while (k < 1); AMP_AT(a, i) = (float)k; });
}
// clang-format on

#undef LAUNCHED
#undef REFUSED
#undef ACCEPTED

int run_validate_uninitialised(void);
int run_validate_uninitialised(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_read_too_early_is_refused),
        TEST(what_has_a_value_is_accepted),
    };
    return cmocka_run_group_tests_name("validate/uninitialised", tests, NULL, NULL);
}
