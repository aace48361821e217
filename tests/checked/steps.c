// SPDX-License-Identifier: MIT
/*  steps.c - checked builds: steps in time. Each child prints a message for each mistake, or has right steps that look
    like them, and prints none. Also tests amp/checked/sums.h. */
#include "test.h"
#include "amp_algorithms.h"
#include "checked/told.h"

#if !defined(AMP_CHECKED)
#error "tests/checked/steps.c is for builds with AMP_CHECKED"
#endif

enum { N = 24, STEPS = 6 };

typedef struct plates {
    float from[N][N], to[N][N];
} plates;

/* a is 100 all around, b is `border` there. */
static plates *filled(float border)
{
    static plates p;
    memset(&p, 0, sizeof p);
    for (int k = 0; k < N; k++) {
        p.from[0][k] = p.from[N - 1][k] = p.from[k][0] = p.from[k][N - 1] = 100;
        p.to[0][k] = p.to[N - 1][k] = p.to[k][0] = p.to[k][N - 1] = border;
    }
    return &p;
}

static void blur(amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b), {
        AMP_AT(b, r, c) =
            (AMP_AT(a, r - 1, c) + AMP_AT(a, r + 1, c) + AMP_AT(a, r, c - 1) + AMP_AT(a, r, c + 1)) / 4;
    });
}

static int child_repeated(void)
{
    plates *const p = filled(100);
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        blur(a, b);
        if (AMP_AT(b, 1, 1) < 0) /* the result may be looked at */
            return 1;
    }
    return 0;
}

static int child_borders(void)
{
    plates *const p = filled(0);
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        blur(a, b);
        amp_swap(&a, &b);
    }
    return 0;
}

/* Each of these is another site. */
static void copied_back(plates *p)
{
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) = (AMP_AT(a, r - 1, c) + AMP_AT(a, r + 1, c)) / 2;
        });
        amp_copy(b, a);
    }
}

static void with_a_time(plates *p)
{
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++)
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b, step), {
            AMP_AT(b, r, c) = (float)step * (AMP_AT(a, r - 1, c) + AMP_AT(a, r + 1, c)) / 2;
        });
}

static void written_by_the_host(plates *p)
{
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        AMP_AT(a, 3, 3) = (float)step;
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) = (AMP_AT(a, r, c - 1) + AMP_AT(a, r, c + 1)) / 2;
        });
    }
}

static void with_a_kernel_for_the_border(plates *p)
{
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH(amp_section(a, 0, 0, 1, N).extent, (r, c), AMP_CAPTURE(a, AMP_CONSTANT(N)), {
            AMP_AT(a, r, c) = 100;
            AMP_AT(a, N - 1, c) = 100;
            AMP_AT(a, c, 0) = 100;
            AMP_AT(a, c, N - 1) = 100;
        });
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) =
                (AMP_AT(a, r - 1, c) + AMP_AT(a, r + 1, c) + AMP_AT(a, r, c - 1) + AMP_AT(a, r, c + 1)) / 4;
        });
        amp_swap(&a, &b);
    }
}

/* The corners differ, which no index reads. */
static void with_other_corners(plates *p)
{
    p->to[0][0] = p->to[N - 1][N - 1] = 7;
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH(amp_inner(b.extent, 1), (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) =
                (AMP_AT(a, r - 1, c) + AMP_AT(a, r + 1, c) + AMP_AT(a, r, c - 1) + AMP_AT(a, r, c + 1)) / 4;
        });
        amp_swap(&a, &b);
    }
}

/* Each element alone: the kernel reads no neighbours. */
static void without_neighbours(plates *p)
{
    AMP_ARRAY_VIEW(float, 2, a, p->from, N, N);
    AMP_ARRAY_VIEW(float, 2, b, p->to, N, N);
    for (int step = 0; step < STEPS; step++)
        AMP_PARALLEL_FOR_EACH(b.extent, (r, c), AMP_CAPTURE(a, b), { AMP_AT(b, r, c) = 2 * AMP_AT(a, r, c); });
}

static int child_right_steps(void)
{
    copied_back(filled(100));
    with_a_time(filled(100));
    written_by_the_host(filled(100));
    with_a_kernel_for_the_border(filled(0));
    with_other_corners(filled(100));
    without_neighbours(filled(0));
    return 0;
}

/* Counts in each step; the host reads the count (is_read), and sets it to 0 (is_set). */
static void count_steps(bool is_read, bool is_set)
{
    int values[N], found = 0;
    for (int i = 0; i < N; i++)
        values[i] = i;
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, count, &found, 1);
    for (int step = 0; step < STEPS; step++) {
        if (is_set)
            AMP_AT(count, 0) = 0;
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
            if (AMP_AT(v, i) > 10)
                amp_atomic_fetch_add(&AMP_AT(count, 0), 1);
        });
        if (is_read)
            check_int(AMP_AT(count, 0), (is_set ? 1 : step + 1) * (N - 11));
    }
}

static int child_old_sums(void)
{
    count_steps(true, false);
    return 0;
}

/* Each index has a sum of its own, and no index finds anything. */
static int child_right_sums(void)
{
    static float sums[N];
    static int none;
    AMP_ARRAY_VIEW(float, 1, v, sums, N);
    AMP_ARRAY_VIEW(int, 1, count, &none, 1);
    count_steps(false, false);
    count_steps(true, true);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
            AMP_AT(v, i) += 1;
            if (AMP_AT(v, i) > 100)
                amp_atomic_fetch_add(&AMP_AT(count, 0), 1);
        });
        check_int(AMP_AT(v, 3) > 0 && AMP_AT(count, 0) == 0, 1);
    }
    return 0;
}

CHILDREN({ "repeated", child_repeated }, { "borders", child_borders }, { "right_steps", child_right_steps },
         { "old_sums", child_old_sums }, { "right_sums", child_right_sums })

static void sums_that_begin_with_the_last_are_told(void **state)
{
    (void)state;
    expect_told("old_sums", "note: it adds to the sums that its last launch left in count", 1);
}

static void right_sums_are_not_told(void **state)
{
    (void)state;
    expect_told("right_sums", NULL, 0);
}

static void steps_without_an_exchange_are_told(void **state)
{
    (void)state;
    expect_told_by("AMP_ACCELERATOR=cpu", "repeated", "it has run 3 times with the same views", 1);
}

static void borders_that_differ_are_told(void **state)
{
    (void)state;
    expect_told_by("AMP_ACCELERATOR=cpu", "borders", "a and b are exchanged, and differ in the elements around", 1);
}

static void right_steps_are_not_told(void **state)
{
    (void)state;
    expect_told_by("AMP_ACCELERATOR=cpu", "right_steps", NULL, 0);
}

int run_checked_steps(void);
int run_checked_steps(void)
{
    const struct CMUnitTest tests[] = { TEST(steps_without_an_exchange_are_told), TEST(borders_that_differ_are_told),
                                        TEST(right_steps_are_not_told), TEST(sums_that_begin_with_the_last_are_told),
                                        TEST(right_sums_are_not_told) };
    return cmocka_run_group_tests_name("checked/steps", tests, NULL, NULL);
}
