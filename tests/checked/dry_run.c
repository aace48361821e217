// SPDX-License-Identifier: MIT
/*  dry_run.c - checked builds: the dry run of a kernel's body. Each child has launches with faults, and prints a
    message for each, or right ones that look like them, and prints none.
    Also tests amp/checked/dry_values.h, amp/checked/dry_operations.h, amp/checked/dry_places.h,
    amp/checked/dry_calls.h, amp/checked/dry_expressions.h, amp/checked/dry_statements.h, amp/checked/division.h,
    amp/codegen/tree_text.h. */
#include "test.h"
#include "amp_algorithms.h"
#include "checked/told.h"

#if !defined(AMP_CHECKED)
#error "tests/checked/run.c is for builds with AMP_CHECKED"
#endif

#pragma GCC diagnostic ignored "-Wconversion" /* what is lost is the mistake */
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

enum { N = 64 };

/* x: 0, 1, ..., 6, 0, ...; v: -5, -4, ...; w: 0 */
#define WITH_VIEWS(...)                                                                                                \
    do {                                                                                                               \
        static float reals[2][N];                                                                                      \
        static int integers[N];                                                                                        \
        for (int k = 0; k < N; k++)                                                                                    \
            reals[0][k] = (float)k - 5, reals[1][k] = 0, integers[k] = k % 7;                                          \
        const int n = 3;                                                                                               \
        AMP_ARRAY_VIEW(float, 1, v, reals[0], N);                                                                      \
        AMP_ARRAY_VIEW(float, 1, w, reals[1], N);                                                                      \
        AMP_ARRAY_VIEW(int, 1, x, integers, N);                                                                        \
        __VA_ARGS__;                                                                                                   \
    } while (0)
#define LAUNCHED(...)                                                                                                  \
    WITH_VIEWS(AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w, x, n),                                           \
                                     { __VA_ARGS__ if (n > 5) AMP_AT(w, i) = AMP_AT(v, i) + (float)AMP_AT(x, i); }))
#define TILED(...)                                                                                                     \
    WITH_VIEWS(AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w, x, n), {                                              \
        AMP_TILE_STATIC(float, s, [18]);                                                                               \
        __VA_ARGS__ AMP_THREADS(tile, t)                                                                               \
        {                                                                                                              \
            if (n > 5)                                                                                                 \
                AMP_AT(w, t.global) = AMP_AT(v, t.global) + s[t.local.v[0]] + (float)AMP_AT(x, t.global);              \
        }                                                                                                              \
    }))

AMP_FUNCTION(float, ratio, (float a, int n), { return a / (float)(n % 3); })
AMP_FUNCTION(float, mean_of, (amp_array_view_float_1 v, int count), {
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += AMP_AT(v, k);
    return sum / (float)count;
})

static int child_divisions(void)
{
    LAUNCHED(AMP_AT(w, i) = (float)(10 % (AMP_AT(x, i) ^ 1));); /* an error on the CPU, too: the last */
    return 0;
}

static int child_integers(void)
{
    LAUNCHED(AMP_AT(x, i) = 1 << (AMP_AT(x, i) * 7););
    LAUNCHED(AMP_AT(x, i) = 5 >> (AMP_AT(x, i) - 1););
    LAUNCHED(AMP_AT(x, i) = AMP_AT(x, i) * 1000000000;);
    LAUNCHED(int sum = 1; for (int k = 0; k < n * 8; k++) sum *= 3; AMP_AT(x, i) = sum;);
    LAUNCHED(AMP_AT(x, i) = (int)(AMP_AT(v, i) * 1e9f););
    LAUNCHED(AMP_AT(w, i) = (float)(uint32_t)AMP_AT(v, i););
    return 0;
}

static int child_reals(void)
{
    LAUNCHED(AMP_AT(w, i) = sqrtf(AMP_AT(v, i)););
    LAUNCHED(AMP_AT(w, i) = AMP_AT(v, i) / AMP_AT(w, i););
    LAUNCHED(AMP_AT(w, i) = ratio(AMP_AT(w, i), i););
    LAUNCHED(AMP_AT(w, i) = mean_of(v, AMP_AT(x, i)););
    LAUNCHED(AMP_AT(w, i) = powf(AMP_AT(v, i), 0.5f););
    return 0;
}

static int child_places(void)
{
    LAUNCHED(int count[4] = { 0 }; count[AMP_AT(x, i)]++; AMP_AT(x, i) = count[0];);
    LAUNCHED(float s[2][3] = { 0 }; s[1][AMP_AT(x, i)] = 1; AMP_AT(w, i) = s[1][0];);
    TILED(AMP_THREADS(tile, t) { s[t.local.v[0] + AMP_AT(x, t.global)] = 1; });
    return 0;
}

static int child_unset(void)
{
    LAUNCHED(float s[4]; for (int k = 0; k < AMP_AT(x, i); k++) s[k] = 1; AMP_AT(w, i) = s[0];);
    LAUNCHED(int least; switch (AMP_AT(x, i)) {
        case 1: least = 0; break;
        case 2: least = 3; break;
        default: break;
    } if (AMP_AT(x, i) < 3) AMP_AT(x, i) = least;);
    TILED(
        AMP_THREADS(tile, t) { s[t.local.v[0] + 1] = AMP_AT(v, t.global); } amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(w, t.global) = s[t.local.v[0]] + s[t.local.v[0] + 2];
        } amp_barrier_wait(tile.barrier););
    return 0;
}

static void go_on(const amp_error *error, void *user)
{
    (void)user;
    fprintf(stderr, "amp: %s\n", error->message);
}

static int child_loops(void)
{
    amp_set_error_handler(go_on, NULL);
    LAUNCHED(int k = 0; while (k < 4) AMP_AT(x, i) = k;);
    LAUNCHED(for (int k = 0; k < n; k += AMP_AT(x, 0)) AMP_AT(w, i) = 1;);
    return 0;
}

static int child_right(void)
{
    LAUNCHED(if (AMP_AT(x, i) != 0) AMP_AT(x, i) = 10 / AMP_AT(x, i););
    LAUNCHED(AMP_AT(x, i) = AMP_AT(x, i) && 10 % AMP_AT(x, i) ? 10 / AMP_AT(x, i) : 0;);
    LAUNCHED(uint32_t hash = 2166136261u; for (int k = 0; k < 8; k++) hash = (hash ^ (uint32_t)i) * 16777619u;
             AMP_AT(x, i) = (int)(hash >> 1););
    LAUNCHED(AMP_AT(w, i) = AMP_AT(v, i) < 0 ? 0 : sqrtf(AMP_AT(v, i)););
    LAUNCHED(AMP_AT(w, i) = fmaxf(AMP_AT(v, i), 0) / amp_max(AMP_AT(v, i), 1.0f););
    LAUNCHED(AMP_AT(w, i) = 1 / AMP_AT(w, i);); /* an infinity is a number */
    LAUNCHED(AMP_AT(w, i) = mean_of(v, n););
    LAUNCHED(float s[4]; for (int k = 0; k < 4; k++) s[k] = k < n ? 1 : 2; AMP_AT(w, i) = s[AMP_AT(x, i) & 3];);
    LAUNCHED(int k = 0; do {
        k++;
        if (k == 2)
            continue;
    } while (k < n);
             AMP_AT(x, i) = k;);
    LAUNCHED(for (int k = 0;; k++) if (k > n) break; AMP_AT(x, i) = 1 << (AMP_AT(x, i) & 31););
    LAUNCHED(AMP_AT(x, i) = (uint8_t)(AMP_AT(x, i) - 3) + (int8_t)200;);
    LAUNCHED(int at = -1; for (int k = 0; k < 7; k++) if (AMP_AT(x, k) == 3) {
        at = k;
        break;
    } int q[3] = { 1, 2 };
             q[at - 2] = at; AMP_AT(w, i) = q[1];);
    TILED(
        AMP_THREADS(tile, t) {
            s[t.local.v[0] + 1] = AMP_AT(v, t.global);
            if (t.local.v[0] < 2)
                s[t.local.v[0] * 17] = 0;
        } amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(w, t.global) = s[t.local.v[0]] + s[t.local.v[0] + 2];
        } amp_barrier_wait(tile.barrier););
    TILED(
        AMP_PRIVATE(int, m); AMP_THREADS(tile, t) {
            AMP_OWN(m) = t.global.v[0] + 1;
            s[t.local.v[0]] = 0;
        } amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(w, t.global) = (float)(n / AMP_OWN(m)); });
    TILED(
        AMP_TILE_STATIC(int, count, [2]); AMP_THREADS(tile, t) {
            if (t.local.v[0] < 2)
                count[t.local.v[0]] = 0;
            s[t.local.v[0]] = 0;
        } amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { amp_atomic_fetch_add(&count[0], 1); } amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(x, t.global) = 16 / count[0]; });
    LAUNCHED(AMP_AT(x, i) = __builtin_ffs(AMP_AT(x, i) - 100) + abs(AMP_AT(x, i) - 20000000););
    WITH_VIEWS(amp_sort(x); (void)n; AMP_AT(w, 0) = amp_sum(v));
    return 0;
}

CHILDREN({ "divisions", child_divisions }, { "integers", child_integers }, { "reals", child_reals },
         { "places", child_places }, { "unset", child_unset }, { "endless", child_loops },
         { "right_dry_runs", child_right })

static void integers_that_c_does_not_define_are_told(void **state)
{
    (void)state;
    char output[16384];
    if (child_run("divisions", "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "at index (1), '10 % (AMP_AT(x, i) ^ 1)' divides an integer by 0") == 1, "output: %s",
               output);
    if (child_run("integers", "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == 6 && count_of(output, "shifts 32 bits by 35") == 1 &&
                   count_of(output, "shifts 32 bits by -1") == 1 &&
                   count_of(output, "is more than an int holds, of ") == 2 &&
                   count_of(output, "is -5e+09, which no int holds") == 1 &&
                   count_of(output, "is -5, which no uint32_t holds") == 1,
               "output: %s", output);
}

static void what_becomes_no_number_is_told(void **state)
{
    (void)state;
    expect_told("reals", "is not a number, of ", 5);
}

static void elements_outside_of_arrays_are_told(void **state)
{
    (void)state;
    expect_told("places", " of an array that has ", 3);
}

static void elements_without_a_value_are_told(void **state)
{
    (void)state;
    expect_told("unset", "' has no value yet", 3);
}

static void loops_that_never_end_are_errors(void **state)
{
    (void)state;
    expect_told("endless", "stays true: the loop never ends", 2);
}

static void right_kernels_are_not_told(void **state)
{
    (void)state;
    expect_told("right_dry_runs", NULL, 0);
}

int run_checked_dry_run(void);
int run_checked_dry_run(void)
{
    const struct CMUnitTest tests[] = {
        TEST(integers_that_c_does_not_define_are_told), TEST(what_becomes_no_number_is_told),
        TEST(elements_outside_of_arrays_are_told),      TEST(elements_without_a_value_are_told),
        TEST(loops_that_never_end_are_errors),          TEST(right_kernels_are_not_told),
    };
    return cmocka_run_group_tests_name("checked/dry_run", tests, NULL, NULL);
}
