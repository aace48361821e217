// SPDX-License-Identifier: MIT
/*  uniform.c - phases that accumulate in a variable of uniform code.
    Also tests amp/checked/phases.h. */
#include "test.h"

#include "amp.h"

#define UNIFORM_LAUNCHED(T, ...)                                                                                       \
    do {                                                                                                               \
        float values[64] = { 0 };                                                                                      \
        AMP_ARRAY_VIEW(float, 1, a, values, 64);                                                                       \
        AMP_TILED(a.extent, (T), tile, AMP_CAPTURE(a), __VA_ARGS__);                                                   \
    } while (0)
#define UNIFORM_REFUSED(...)                                                                                           \
    UNIFORM_LAUNCHED(16, __VA_ARGS__);                                                                                 \
    expect_error(AMP_COMPILATION_FAILED, "a phase changes 's', a uniform variable")
#define UNIFORM_ACCEPTED(T, ...)                                                                                       \
    UNIFORM_LAUNCHED(T, __VA_ARGS__);                                                                                  \
    expect_no_error()

// clang-format off
static void sums_in_uniform_variables_are_refused(void **state)
{
    (void)state;
    UNIFORM_REFUSED({
        float s = 0;
        for (int k = 0; k < 4; k++)
            AMP_THREADS(tile, t) { s += AMP_AT(a, t.global); }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = s; }
    });
    UNIFORM_REFUSED({
        float s = 0;
        AMP_THREADS(tile, t) { for (int k = 0; k < 4; k++) s = s + AMP_AT(a, t.global); }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = s; }
    });
    UNIFORM_REFUSED({
        int s = 0;
        AMP_THREADS(tile, t) { if (AMP_AT(a, t.global) > 0) ++s; }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = (float)s; }
    });
    UNIFORM_REFUSED({
        float s = 1;
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = 1; }
        AMP_THREADS(tile, t) { s = 2 * s; AMP_AT(a, t.global) = s; }
    });
}

static void other_uniform_variables_are_accepted(void **state)
{
    (void)state;
    UNIFORM_ACCEPTED(16, {
        AMP_PRIVATE(float, s);
        AMP_THREADS(tile, t) { AMP_OWN(s) = 1; }
        for (int k = 0; k < 4; k++)
            AMP_THREADS(tile, t) { AMP_OWN(s) += AMP_AT(a, t.global); }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = AMP_OWN(s); }
    });
    UNIFORM_ACCEPTED(16, { /* another variable of that name */
        int s = 0;
        s += 2;
        AMP_THREADS(tile, t) { float s = 1; s += AMP_AT(a, t.global); AMP_AT(a, t.global) = s; }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) += (float)s; }
    });
    UNIFORM_ACCEPTED(16, {
        AMP_TILE_STATIC(float, s, [16]);
        AMP_TILE_STATIC(float, one);
        AMP_THREADS(tile, t) { s[t.local.v[0]] = 1; if (t.local.v[0] == 0) one = 1; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { s[t.local.v[0]] += 1; if (t.local.v[0] == 0) one += 1; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) = s[15 - t.local.v[0]] + one; }
    });
    UNIFORM_ACCEPTED(1, { /* a thread alone */
        float s = 0;
        AMP_THREADS(tile, t) { s += 1; AMP_AT(a, t.global) = s; }
    });
}

/* Each phase sets the variable first, as it would a variable of its own. Checked builds warn. */
static void temporaries_before_the_phases_are_accepted(void **state)
{
    (void)state;
#if !defined(AMP_CHECKED)
    UNIFORM_ACCEPTED(16, {
        int k;
        float s;
        AMP_THREADS(tile, t) { s = 0; for (k = 0; k < 4; k++) s += 1; AMP_AT(a, t.global) = s; }
    });
#endif
}
// clang-format on

int run_validate_uniform(void);
int run_validate_uniform(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sums_in_uniform_variables_are_refused),
        TEST(other_uniform_variables_are_accepted),
        TEST(temporaries_before_the_phases_are_accepted),
    };
    return cmocka_run_group_tests_name("validate/uniform", tests, NULL, NULL);
}
