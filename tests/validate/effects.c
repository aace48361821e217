// SPDX-License-Identifier: MIT
/*  effects.c - statements of a body that have no effect */
#include "test.h"

#include "amp.h"

#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-comparison"
#endif

// clang-format off
AMP_STRUCT(effect_ball, { float at, by; });
AMP_FUNCTION(float, effect_twice, (float x), { return x * 2; })
AMP_FUNCTION(float, effect_thrice, (float x), { float y = x; y += effect_twice(x); return y; })
AMP_FUNCTION(void, effect_set, (float x), { x = 2; })
AMP_FUNCTION(void, effect_move, (effect_ball b, float t), { b.at += t * b.by; })
AMP_FUNCTION(void, effect_move_by, (effect_ball *b, float t), { b->at += t * b->by; })
AMP_FUNCTION(void, effect_store, (float *x, int k), { k += 1; x[k - 1] = (float)k; })
AMP_FUNCTION(void, effect_row, (float x[4]), { x[1] = 5; })
AMP_FUNCTION(void, effect_none, (float x), { (void)x; })
AMP_FUNCTION(void, effect_view, (amp_array_view_float_1 v, int i), { AMP_AT(v, i) = 4; })
AMP_FUNCTION(float, effect_next, (float *x), { *x += 1; return *x; })
AMP_FUNCTION(float, effect_wrong, (float x), { float y = 1; y =+ x; return y; })
#define EFFECT_NOTHING(x)

#define EFFECT_LAUNCHED(...)                                                                                           \
    do {                                                                                                               \
        float values[64] = { 0 };                                                                                      \
        AMP_ARRAY_VIEW(float, 1, a, values, 64);                                                                       \
        AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), a.extent, (i),        \
                                 AMP_CAPTURE(a), __VA_ARGS__);                                                         \
    } while (0)
#define EFFECT_REFUSED(text, ...)                                                                                      \
    EFFECT_LAUNCHED(__VA_ARGS__);                                                                                      \
    expect_error(AMP_COMPILATION_FAILED, text)
#define EFFECT_ACCEPTED(...)                                                                                           \
    EFFECT_LAUNCHED(__VA_ARGS__);                                                                                      \
    expect_no_error()

static void values_that_are_dropped_are_refused(void **state)
{
    (void)state;
    EFFECT_REFUSED("a statement calls 'fmaxf' and drops", { fmaxf(1, AMP_AT(a, i)); AMP_AT(a, i) = 1; });
    EFFECT_REFUSED("a statement calls 'amp_max' and drops", { float s = 0; amp_max(s, 2.0f); AMP_AT(a, i) = s; });
    EFFECT_REFUSED("a statement calls 'amp_min' and drops", { float s = 0; amp_min(s, 1.0f); AMP_AT(a, i) = s; });
    EFFECT_REFUSED("a statement calls 'amp_clamp' and drops", { amp_clamp(AMP_AT(a, i), 0.0f, 1.0f); AMP_AT(a, i)++; });
    EFFECT_REFUSED("a statement calls 'effect_thrice' and drops", { effect_thrice(AMP_AT(a, i)); AMP_AT(a, i) = 1; });
    EFFECT_REFUSED("computes a value by '+' and drops it", { AMP_AT(a, i) + 1; AMP_AT(a, i) = 1; });
    EFFECT_REFUSED("computes a value by '<<' and drops it", { int k = i; if (i > 3) k << 2; AMP_AT(a, i) = (float)k; });
    EFFECT_ACCEPTED({ (void)effect_twice(AMP_AT(a, i)); (void)(AMP_AT(a, i) + 1); AMP_AT(a, i) = amp_max(1, i); });
    EFFECT_ACCEPTED({ float s = 0; effect_next(&s); int k = 0; i > 3 && k++; k++ + 1; AMP_AT(a, i) = s + (float)k; });
    EFFECT_ACCEPTED({ (void)amp_min(1, 2); AMP_AT(a, i) = amp_clamp((float)i, 0.0f, 1.0f); });
    EFFECT_ACCEPTED({ AMP_AT(a, i) = (float)__extension__({ const int k = i; k + 3; }); });
}

static void functions_that_change_copies_are_refused(void **state)
{
    (void)state;
    EFFECT_REFUSED("changes only 'x', its own copy of an argument", { float s = 0; effect_set(s); AMP_AT(a, i) = s; });
    EFFECT_REFUSED("changes only 'b', its own copy of an argument",
                   { effect_ball b = { 1, 2 }; effect_move(b, 0.5f); AMP_AT(a, i) = b.at; });
    EFFECT_ACCEPTED({ effect_ball b = { 1, 2 }; effect_move_by(&b, 0.5f); AMP_AT(a, i) = b.at; });
    EFFECT_ACCEPTED({ float s[4] = { 0 }; effect_store(s, 1); effect_row(s); effect_none(1); AMP_AT(a, i) = s[1]; });
    EFFECT_ACCEPTED({ effect_view(a, i); });
}

static void exchanged_operators_are_refused(void **state)
{
    (void)state;
    EFFECT_REFUSED("`=+` assigns a value with a sign: to change the variable write `+=`", { AMP_AT(a, i) =+ 1; });
    EFFECT_REFUSED("`=-` assigns a value with a sign: to change the variable write `-=`", { AMP_AT(a, i) =- 1; });
    EFFECT_REFUSED("`=!` assigns: compare with `!=`", { int k = 3; if (k =! i) AMP_AT(a, i) = (float)k; });
    EFFECT_REFUSED("`=+` assigns a value", { AMP_AT(a, i) = effect_wrong(1); });
    EFFECT_ACCEPTED({ float x =-1; x = -2; x =-3; x = +x; int k=-1; k = !k; k =!k; AMP_AT(a, i) = x + (float)k; });
}

static void bodies_of_else_and_phases_that_a_semicolon_cuts_off_are_refused(void **state)
{
    (void)state;
    EFFECT_REFUSED("`else;` ends at its `;`", { if (i > 3) AMP_AT(a, i) = 1; else; AMP_AT(a, i) = 2; });
    EFFECT_REFUSED("`else;` ends at its `;`", { if (i > 3) { AMP_AT(a, i) = 1; } else; { AMP_AT(a, i) = 2; } });
    EFFECT_ACCEPTED({ if (i > 3) AMP_AT(a, i) = 1; else EFFECT_NOTHING(i); AMP_AT(a, i) = 2; });
    EFFECT_ACCEPTED({ if (i > 3) { AMP_AT(a, i) = 1; } else { } if (i) AMP_AT(a, i) = 2; else AMP_AT(a, i) = 3; });
    float values[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, a, values, 64);
    AMP_TILED(a.extent, (16), tile, AMP_CAPTURE(a), {
        AMP_THREADS(tile, t);
        { AMP_AT(a, tile.tile.v[0]) = 1; }
    });
    expect_error(AMP_COMPILATION_FAILED, "AMP_THREADS(...); ends at its `;`");
    AMP_TILED(a.extent, (16), tile, AMP_CAPTURE(a), {
        AMP_THREADS(tile, t) { }
        AMP_THREADS(tile, t) { AMP_AT(a, t.global.v[0]) = 1; }
    });
    expect_no_error();
}

int run_validate_effects(void);
int run_validate_effects(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_that_are_dropped_are_refused),
        TEST(functions_that_change_copies_are_refused),
        TEST(exchanged_operators_are_refused),
        TEST(bodies_of_else_and_phases_that_a_semicolon_cuts_off_are_refused),
    };
    return cmocka_run_group_tests_name("validate/effects", tests, NULL, NULL);
}
