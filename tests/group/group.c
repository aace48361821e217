// SPDX-License-Identifier: MIT
/*  group.c - launches on a group of accelerators and on streamed views: the same bits as on one, and no more moved
    than the rows at the seams

    Where there are fewer than two accelerators beside the CPU backend, only what does not need them is tested:
    POCL_DEVICES="pthread pthread pthread" gives three. Streamed views need a device with memory of its own:
    AMP_FORCE_COPIES=1, or the backend of the tests.
    Also tests amp/api/group.h, amp/group/band_plan.h, amp/group/group_launch.h, amp/group/stream_launch.h,
    amp/group/view.h. */
#include "child.h"
#include "group.h"

#include "amp_algorithms.h"

#include <fcntl.h>
#if !defined(_WIN32)
#include <sys/mman.h>
#endif

enum { ROWS = 37, COLUMNS = 19, CELLS = ROWS * COLUMNS };

static void fill(float *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)test_random_int(-100, 100);
}

/* ---- how groups are made ------------------------------------------------------------------------- */

static void groups_are_made(void **state)
{
    (void)state;
    amp_accelerator all[AMP_PRIV_MAX_DEVICES], twice[2];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    for (int i = 0; i < count; i++) { /* of one */
        amp_accelerator_view one = amp_accelerator_view_create_group(&all[i], 1);
        assert_true(amp_accelerator_view_equal(one, amp_accelerator_default_view(all[i])));
        amp_accelerator_view_release(&one);
        assert_null(one.amp_priv_queue);
    }
    amp_accelerator_view some = amp_accelerator_view_create_group(NULL, 0);
    assert_non_null(some.amp_priv_queue);
    int real = 0, alike = 0; /* without a real one all of the default's backend */
    for (int i = 0; i < count; i++) {
        real += !amp_accelerator_is_emulated(all[i]);
        alike += all[i].amp_priv_device->backend == amp_accelerator_default().amp_priv_device->backend;
    }
    assert_int_equal(some.amp_priv_queue->members, real ? real : alike);
    amp_accelerator_view_release(&some);
    twice[0] = twice[1] = all[0];
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "is number 0 and number 1 of the list; name it once");
    twice[1].amp_priv_device = NULL;
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    test_heard.count = 0;
    amp_accelerator_view views[2] = { amp_accelerator_default_view(all[0]), amp_accelerator_default_view(all[0]) };
    memcpy(twice, views, sizeof twice); /* as a program does that passes views */
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "number 0 of the list is no accelerator: of an accelerator view v, give");
    assert_null(amp_accelerator_view_create_group(all, -1).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "the list has -1 accelerators; it can have 1 to");
    if (count < 2)
        return;
    assert_null(amp_accelerator_view_create_group(all, 2).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "cannot be in a group with others; leave it out");
    twice[0] = twice[1] = all[1];
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "name it once");
}

static void views_of_groups(void **state)
{
    (void)state;
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    amp_accelerator_view group = all_of_them(), more = amp_accelerator_view_retain(group);
    assert_true(amp_accelerator_equal(amp_accelerator_view_accelerator(group), all[1]));
    assert_true(amp_accelerator_view_equal(group, more));
    assert_int_equal(amp_accelerator_view_flush(group), AMP_OK);
    assert_int_equal(amp_accelerator_view_wait(group), AMP_OK);
    amp_accelerator_view_release(&more);
    {
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(10), group); /* on the first */
        AMP_PARALLEL_FOR_EACH_ON(group, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 3 * i; });
        int got[10];
        amp_copy_out(a, got, 10);
        for (int i = 0; i < 10; i++)
            assert_int_equal(got[i], 3 * i);
        amp_array_release(&a);
    }
    amp_accelerator_view_release(&group);
    assert_null(group.amp_priv_queue);
}

/* ---- launches ------------------------------------------------------------------------------------ */

/* What kernels do on a group and on the first accelerator. Each case is called twice, with the same memory. No result
   is rounded, so that accelerators of several kinds have the same bits. */
typedef void launches(amp_accelerator_view where, float *a, float *b);

static void compare_with(launches *what, amp_accelerator_view group)
{
    static float a[2][CELLS], b[2][CELLS];
    fill(a[0], CELLS);
    fill(b[0], CELLS);
    memcpy(a[1], a[0], sizeof a[0]);
    memcpy(b[1], b[0], sizeof b[0]);
    print_begin();
    what(amp_accelerator_default_view(amp_accelerator_view_accelerator(group)), a[0], b[0]);
    what(group, a[1], b[1]);
    print_end();
    if (lines_with(", runs "))
        fail_msg("it is not divided: %s", printed);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
}

static void compare(launches *what)
{
    amp_accelerator_view group = all_of_them();
    compare_with(what, group);
    amp_accelerator_view_release(&group);
}

static void stencil(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    const int n = ROWS;
    for (int step = 0; step < 5; step++) {
        const amp_const_array_view_float_2 in = amp_as_const(u);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (r, c), AMP_CAPTURE(in, v, n), {
            AMP_AT(v, r, c) = AMP_AT(in, (r + n - 1) % n, c) + AMP_AT(in, r, c) * 0.25f + AMP_AT(in, (r + 1) % n, c);
        });
        amp_swap(&u, &v);
    }
}

/* Each index of one colour reads the other one, in place. */
static void red_and_black(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    (void)b;
    for (int step = 0; step < 6; step++) {
        const int colour = step % 2;
        AMP_PARALLEL_FOR_EACH_ON(where, u.extent, i, AMP_CAPTURE(u, colour), {
            if ((i.v[0] + i.v[1]) % 2 != colour || i.v[0] == 0 || i.v[0] == u.extent.v[0] - 1)
                continue;
            AMP_AT(u, i) = 0.25f * (AMP_AT(u, i.v[0] - 1, i.v[1]) + AMP_AT(u, i.v[0] + 1, i.v[1])) + 1;
        });
    }
}

static void product(amp_accelerator_view where, float *a, float *b)
{
    enum { N = 16, TILE = 4 };
    AMP_CONST_ARRAY_VIEW(float, 2, x, a, N, N);
    AMP_CONST_ARRAY_VIEW(float, 2, y, a + N * N, N, N);
    AMP_ARRAY_VIEW(float, 2, z, b, N, N);
    AMP_TILED_ON(where, amp_extent2_tile(z.extent, TILE, TILE), (TILE, TILE), tile,
                 AMP_CAPTURE(x, y, z, AMP_CONSTANT(N), AMP_CONSTANT(TILE)), {
                     AMP_TILE_STATIC(float, left, [TILE][TILE]);
                     AMP_TILE_STATIC(float, right, [TILE][TILE]);
                     AMP_PRIVATE(float, sum);
                     AMP_THREADS(tile, t) {
                         AMP_OWN(sum) = 0;
                     }
                     for (int k = 0; k < N; k += TILE) {
                         AMP_THREADS(tile, t) {
                             left[t.local.v[0]][t.local.v[1]] = AMP_AT(x, t.global.v[0], k + t.local.v[1]);
                             right[t.local.v[0]][t.local.v[1]] = AMP_AT(y, k + t.local.v[0], t.global.v[1]);
                         }
                         amp_barrier_wait(tile.barrier);
                         AMP_THREADS(tile, t) {
                             for (int j = 0; j < TILE; j++)
                                 AMP_OWN(sum) += left[t.local.v[0]][j] * right[j][t.local.v[1]];
                         }
                         amp_barrier_wait(tile.barrier);
                     }
                     AMP_THREADS(tile, t) {
                         AMP_AT(z, t.global) = AMP_OWN(sum) + (float)(t.tile.v[0] * 100 + t.tile_origin.v[0]);
                     }
                 });
}

/* Rank 1 and 4, a section, a projection, what is written by another row, atomics in their own row. */
static void forms(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    const amp_array_view_float_2 inner = amp_section(v, 1, 2, ROWS - 2, COLUMNS - 4);
    AMP_PARALLEL_FOR_EACH_ON(where, inner.extent, (r, c), AMP_CAPTURE(u, inner),
                             { AMP_AT(inner, r, c) += AMP_AT(u, r + 2, c) * (float)r; });
    const amp_array_view_float_1 row = amp_project(v, 5);
    AMP_PARALLEL_FOR_EACH_ON(where, row.extent, (i), AMP_CAPTURE(row), { AMP_AT(row, i) = (float)(i * i); });
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(ROWS - 3, COLUMNS), (r, c), AMP_CAPTURE(u, v),
                             { AMP_AT(u, r + 3, c) = AMP_AT(v, r, c); });
    AMP_PARALLEL_FOR_EACH_ON(where, u.extent, (r, c), AMP_CAPTURE(u, v),
                             { amp_atomic_fetch_max(&AMP_AT(v, r, 0), AMP_AT(u, r, c)); });
}

/* The inner cells: each row reads those above and below it, by names and by an index, declared and not. */
static void inner_cells(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    for (int step = 0; step < 4; step++) {
        const amp_const_array_view_float_2 in = amp_as_const(u);
        AMP_PARALLEL_FOR_EACH_ON(where, amp_inner(v.extent, 1 + step), (r, c), AMP_CAPTURE(in, v), {
            AMP_AT(v, r, c) = AMP_AT(in, r - 1, c) + AMP_AT(in, r, c + 1) * 0.25f + AMP_AT(in, r + 1, c);
        });
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(ROWS / 2, 1), AMP_EXTENT(ROWS / 2, 5)), i,
                                 AMP_CAPTURE(AMP_REACH(in, -2, 0), AMP_OWN_ROWS(v)),
                                 { AMP_AT(v, i) += AMP_AT(in, i.v[0] - 2, i.v[1]); });
        amp_swap(&u, &v);
    }
}

static void four_dimensions(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 4, u, a, 7, 3, 2, 5);
    AMP_ARRAY_VIEW(float, 4, v, b, 7, 3, 2, 5);
    AMP_PARALLEL_FOR_EACH_ON(where, u.extent, (i, j, k, l), AMP_CAPTURE(u, v),
                             { AMP_AT(v, i, j, k, l) = AMP_AT(u, 6 - i, j, k, l) + (float)(100 * i + 10 * j + k); });
    AMP_PARALLEL_FOR_EACH_ON(where, u.extent, i, AMP_CAPTURE(u, v), { AMP_AT(u, i) = AMP_AT(v, i) + (float)i.v[0]; });
}

static void same_bits(void **state)
{
    (void)state;
    compare(stencil);
    compare(red_and_black);
    compare(product);
    compare(forms);
    compare(inner_cells);
    compare(four_dimensions);
}

/* The first launches are a trial. */
static void timed(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    for (int step = 0; step < 9; step++) { /* the trial takes 4 */
        const amp_const_array_view_float_2 in = amp_as_const(u);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (r, c), AMP_CAPTURE(in, v),
                                 { AMP_AT(v, r, c) = AMP_AT(in, r > 0 ? r - 1 : r, c) + AMP_AT(in, r, c) + 1; });
        amp_swap(&u, &v);
    }
}

static void timed_same_bits(void **state)
{
    (void)state;
    test_variable divided = { .name = "AMP_GROUP_THREADS" };
    test_variable_keep(&divided);
    unsetenv("AMP_GROUP_THREADS");
    compare(timed);
    test_variable_restore(&divided);
}

#if AMP_PRIV_HAS_DEVICES
/* Bands by speed: of the group, of a kernel that differs, none without rows. */
static void shares_by_speed(void **state)
{
    (void)state;
    amp_priv_group group = { .count = 3 };
    unsigned share[3];
    const double none[3] = { 1, 0, 1 }, like[3] = { 1, 1.1, 0.95 }, slow[3] = { 2, 1, 1 }, close[3] = { 1.7, 1, 1 },
                 other[3] = { 1, 4, 1 };
    amp_priv_shares_choose(&group, none, share);
    assert_true(share[0] == 0 && share[1] == 0 && share[2] == 0);
    amp_priv_shares_choose(&group, like, share);
    assert_true(share[0] == 0 && share[1] == 0 && share[2] == 0);
    amp_priv_shares_choose(&group, slow, share);
    assert_true(share[0] == 513 && share[1] == 257 && share[2] == 257);
    amp_priv_shares_choose(&group, close, share); /* those that the group has now */
    assert_true(share[0] == 513 && share[1] == 257 && share[2] == 257);
    amp_priv_shares_choose(&group, other, share); /* its own */
    assert_true(share[0] == 171 && share[1] == 683 && share[2] == 171);
    amp_priv_shares_choose(&group, slow, share);
    assert_true(share[0] == 513 && share[1] == 257 && share[2] == 257);
    group.shares_given = true;
    amp_priv_shares_choose(&group, other, share);
    assert_true(share[0] == 513 && share[1] == 257 && share[2] == 257);

    amp_priv_launch_site site = { .rank = 1 };
    const amp_priv_launch launch = { .site = &site };
    amp_priv_band *const band = calloc(3, sizeof *band);
    const unsigned shares[3] = { 6, 1, 3 }, tiny[3] = { 1000, 1, 1 };
    amp_priv_rows_cut(&launch, 0, 100, band, 3, shares);
    assert_true(band[0].end == 60 && band[1].end == 70 && band[2].end == 100);
    amp_priv_rows_cut(&launch, 0, 5, band, 3, tiny);
    assert_true(band[0].end == 3 && band[1].end == 4 && band[2].end == 5);
    amp_priv_rows_cut(&launch, 10, 12, band, 3, NULL); /* fewer rows than bands */
    assert_true(band[0].end == 10 && band[1].end == 11 && band[2].end == 12);
    free(band);
}

/* A launch of 100 rows, in two bands of 50, which took so many ns: `all` with the rows that moved. */
static long long judged(amp_priv_band_trial *trial, uint64_t first, uint64_t all)
{
    amp_priv_launch_site site = { .rank = 1 };
    amp_priv_launch launch = { .site = &site, .extent = { 100 } };
    amp_priv_band band[2] = { { .first = 0, .end = 50 }, { .first = 50, .end = 100 } };
    const amp_priv_band_plan plan = { .count = 2, .band = band };
    const uint64_t took[2] = { first, first };
    return amp_priv_trial_judge(trial, &launch, &plan, took, all);
}

static void trials_by_time(void **state)
{
    (void)state;
    amp_priv_band_trial gains = { .runs = 1 }, loses = { .runs = 1 },
                        exact = { .runs = 1, .whole = 400, .on_one = true };
    check_int(judged(&gains, 50000, 80000), 95000 - 80000); /* twice 50 us, less 5 % */
    check_int(gains.runs, AMP_PRIV_TRIAL_RUNS);
    check_int(judged(&loses, 50000, 200000), 0); /* the least of three counts */
    check_int(judged(&loses, 60000, 120000), 0);
    check_int(judged(&loses, 70000, 300000), 95000 - 120000);
    check_int(loses.runs, AMP_PRIV_TRIAL_RUNS);
    check_int(judged(&exact, 900, 380), 0); /* what was timed on one accelerator is not estimated */
    check_int((long)exact.whole, 400);

    amp_priv_band_trial brief = { .runs = 1 }, heavy = { .runs = 1 };
    amp_priv_trial_on_one(&brief, 20000);
    check_int(brief.runs, AMP_PRIV_TRIAL_RUNS);
    amp_priv_trial_on_one(&heavy, 2000000); /* it is tried in bands */
    check_int(heavy.runs, 0);
    check(heavy.on_one);
}

/* All kernels of a group run in bands, or all on one accelerator. */
static void trials_add_up(void **state)
{
    (void)state;
    amp_priv_launch_site site = { .rank = 1 };
    const amp_priv_launch launch = { .site = &site, .extent = { 100 } };
    amp_priv_group group = { .count = 0 };
    amp_priv_bands *const bands = calloc(2, sizeof *bands);
    amp_priv_trial_turn turn[2];
    for (int k = 0; k < 2; k++) {
        amp_priv_mutex_init(&bands[k].lock);
        amp_priv_trial_begin(&turn[k], &bands[k], &launch, &group);
        check(turn[k].of && !turn[k].whole);
    }
    for (int k = 0; k < 2; k++) {
        turn[k].now.runs = AMP_PRIV_TRIAL_RUNS;
        turn[k].gain = k ? 30 : -100;
        amp_priv_trial_end(&turn[k], &bands[k], &group);
    }
    check_int((long)atomic_load(&group.gain), -70);
    for (int k = 0; k < 2; k++) {
        amp_priv_trial_begin(&turn[k], &bands[k], &launch, &group);
        check(!turn[k].of && turn[k].whole && bands[k].whole);
        bands[k].trial[7].runs = 1; /* not judged yet, and long */
        bands[k].trial[7].on_one = true;
        amp_priv_trial_begin(&turn[k], &bands[k], &launch, &group);
        check(turn[k].of && !turn[k].whole);
        amp_priv_mutex_end(&bands[k].lock);
    }
    free(bands);
}

/* Bands follow each other, and none is empty where there are enough rows. */
static void shares_of_all_rows(void **state)
{
    (void)state;
    amp_priv_launch_site site = { .rank = 1 };
    const amp_priv_launch launch = { .site = &site };
    amp_priv_band *const band = calloc(5, sizeof *band);
    for (int round = 0; round < 20000; round++) {
        const int count = test_random_int(1, 5), first = test_random_int(0, 9), rows = test_random_int(0, 12);
        unsigned shares[5];
        for (int b = 0; b < count; b++)
            shares[b] = (unsigned)test_random_int(1, 40);
        amp_priv_rows_cut(&launch, first, first + rows, band, count, round % 8 ? shares : NULL);
        assert_int_equal(band[0].first, first);
        assert_int_equal(band[count - 1].end, first + rows);
        for (int b = 0; b < count; b++) {
            assert_true(band[b].first <= band[b].end && (rows < count || band[b].first < band[b].end));
            assert_true(b == 0 || band[b].first == band[b - 1].end);
        }
    }
    free(band);
}

/* Do bands have rows in common? Compared with a look at all pairs. */
static void rows_in_common(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        amp_priv_band_part part[8];
        const int count = test_random_int(0, 8);
        bool want = false;
        for (int i = 0; i < count; i++) {
            part[i].lo = test_random_int(0, 30);
            part[i].hi = part[i].lo + test_random_int(1, 4);
            part[i].band = test_random_int(0, 3);
            for (int j = 0; j < i; j++)
                want = want || (part[i].band != part[j].band && part[i].lo < part[j].hi && part[j].lo < part[i].hi);
        }
        assert_int_equal(amp_priv_parts_meet(part, count), want);
    }
}
#endif

/* The part of a view's memory that a device has; -1 where it works in host memory. */
static double part_on(const amp_priv_head *head, int device)
{
    (void)head, (void)device;
#if AMP_PRIV_HAS_OTHERS
    const amp_priv_replica *const replica = head->source->replica[device];
    if (!replica->device->shares_host)
        return (double)replica->bytes / (double)head->source->bytes;
#endif
    return -1;
}

/* AMP_GROUP_BANDS: how large they are. */
static void given_bands(void **state)
{
    (void)state;
    enum { MANY = 4000, WIDE = 50 };
    static float a[MANY * WIDE];
    static const char *const given[] = { "3,1,1,1,1", "equal", "1 5" };
    test_variable bands = { .name = "AMP_GROUP_BANDS" };
    test_variable_keep(&bands);
    for (int k = 0; k < 3; k++) {
        setenv("AMP_GROUP_BANDS", given[k], 1);
        amp_accelerator_view group = all_of_them();
        const amp_priv_group *const g = amp_priv_group_of(group.amp_priv_queue);
        compare_with(stencil, group);
        compare_with(product, group);
        compare_with(forms, group);
        AMP_ARRAY_VIEW(float, 2, v, a, MANY, WIDE);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) = 1; });
        for (int m = 0; m < g->count && g->count == 2; m++) {
            const double part = part_on(&v.amp_priv, g->member[m]->device->number);
            const double want = k == 1 ? 0.5 : k == 0 ? m ? 0.25 : 0.75 : m ? 0.83 : 0.17;
            assert_true(part < 0 || (part > want && part < want + 0.05));
        }
        amp_accelerator_view_release(&group);
    }
    test_variable_restore(&bands);
}

/* A wrong one is as none. */
static void wrong_bands(void **state)
{
    (void)state;
    static const char *const wrong[] = { "bad", "3;1", "3,1x", ",", "equally", "" };
    test_variable bands = { .name = "AMP_GROUP_BANDS" };
    test_variable_keep(&bands);
    for (int k = 0; k < 6; k++) {
        setenv("AMP_GROUP_BANDS", wrong[k], 1);
        amp_priv_group group = { .shares_given = false };
        amp_priv_group_read_shares(&group, 2);
        check_that(!group.shares_given && !atomic_load(&group.share[0]), "AMP_GROUP_BANDS=%s is taken", wrong[k]);
    }
    setenv("AMP_GROUP_BANDS", "3, 7", 1);
    amp_priv_group group = { .shares_given = false };
    amp_priv_group_read_shares(&group, 2);
    check_int((int)atomic_load(&group.share[1]), 7);
    test_variable_restore(&bands);
}

/* What a step of the stencil copies: to each member a row from the band above, and one from the band below. To those
   that work in host memory nothing is copied. */
static uint64_t bytes_at_seams(void)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int last = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES) - 1;
    uint64_t rows = 0;
    for (int m = 1; m <= last; m++)
        if (!all[m].amp_priv_device->shares_host)
            rows += (uint64_t)(m > 1) + (m < last);
    return rows * COLUMNS * sizeof(float);
}

/* Between the steps of a stencil only the rows at the seams move. */
static void only_the_seams_move(void **state)
{
    (void)state;
    static float a[CELLS], b[CELLS];
    amp_accelerator_view group = all_of_them();
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    amp_transfer_counters before = { 0 };
    for (int step = 0; step < 12; step++) {
        if (step == 2)
            before = amp_total_counters();
        const amp_const_array_view_float_2 in = amp_as_const(u);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c), AMP_CAPTURE(in, v), {
            AMP_AT(v, r, c) = (r > 0 ? AMP_AT(in, r - 1, c) : 0) + (r + 1 < in.extent.v[0] ? AMP_AT(in, r + 1, c) : 0);
        });
        amp_swap(&u, &v);
    }
    const amp_transfer_counters after = amp_total_counters();
    const uint64_t moved = after.bytes_to_device + after.bytes_across - before.bytes_to_device - before.bytes_across;
    assert_int_equal(moved, 10 * bytes_at_seams()); /* two steps bring what is there */
    amp_accelerator_view_release(&group);
}

/* Each accelerator has memory for its rows, and for all of them only when a launch there wants them. */
static void memory_for_its_rows(void **state)
{
    (void)state;
    enum { MANY = 6000, WIDE = 50 };
    static float a[MANY * WIDE], b[MANY * WIDE], want[2][MANY * WIDE];
    amp_accelerator_view group = all_of_them();
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int n = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES) - 1;
    const amp_accelerator_view last = amp_accelerator_default_view(all[n]);
    for (int i = 0; i < MANY * WIDE; i++)
        want[0][i] = a[i] = (float)(i % 97);
    {
        AMP_ARRAY_VIEW(float, 2, u, a, MANY, WIDE);
        AMP_ARRAY_VIEW(float, 2, v, b, MANY, WIDE);
        for (int step = 0; step < 6; step++) {
            const amp_const_array_view_float_2 in = amp_as_const(u);
            const int by = 1 + 300 * (step / 4); /* the last two reach farther */
            AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c), AMP_CAPTURE(in, v, by), {
                const int up = r >= by ? r - by : r, down = r + by < in.extent.v[0] ? r + by : r;
                AMP_AT(v, r, c) = AMP_AT(in, up, c) + AMP_AT(in, down, c);
            });
            for (int i = 0; i < MANY * WIDE; i++) {
                const int r = i / WIDE, c = i % WIDE, up = r >= by ? r - by : r, down = r + by < MANY ? r + by : r;
                want[1 - step % 2][i] = want[step % 2][up * WIDE + c] + want[step % 2][down * WIDE + c];
            }
            amp_swap(&u, &v);
            for (int m = 1; m <= n && step < 3; m++) {
                const double part = part_on(&u.amp_priv, m);
                assert_true(part < 0 || (part < 0.75 && part >= 1.0 / n));
            }
            if (step == 2) /* all of it, on the last one */
                AMP_PARALLEL_FOR_EACH_ON(last, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) = -1000; });
        }
    }
    assert_memory_equal(a, want[0], sizeof a);
    amp_accelerator_view_release(&group);
}

/* ---- what cannot be divided ---------------------------------------------------------------------- */

/* Rows of a view with another shape than its source have no boxes there. */
static void parts_of_another_shape(void **state)
{
    (void)state;
    static float a[CELLS];
    amp_accelerator_view group = all_of_them();
    fill(a, CELLS);
    print_begin();
    {
        AMP_ARRAY_VIEW(float, 1, line, a, CELLS);
        const amp_array_view_float_2 all = AMP_VIEW_AS(amp_array_view_float_2, line, ROWS, COLUMNS),
                                     v = amp_section(all, AMP_INDEX(1, 1), AMP_EXTENT(ROWS - 2, COLUMNS - 2));
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) = -1000; });
    }
    print_end();
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            assert_true((a[r * COLUMNS + c] == -1000) == (r > 0 && r < ROWS - 1 && c > 0 && c < COLUMNS - 1));
    assert_int_equal(lines_with("the view v, which it writes, has parts of the rows of an AMP_VIEW_AS or "
                                "AMP_REINTERPRET_AS; write whole rows, or a section of a view that was declared with "
                                "rank 2"),
                     warns());
    amp_accelerator_view_release(&group);
}

static void one_accelerator(void **state)
{
    (void)state;
    static float a[CELLS], b[CELLS];
    amp_accelerator_view group = all_of_them();
    fill(a, CELLS);
    print_begin();
    {
        AMP_CONST_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
        AMP_ARRAY_VIEW(float, 2, v, b, COLUMNS, ROWS);
        for (int i = 0; i < 3; i++)
            AMP_PARALLEL_FOR_EACH_ON(group, u.extent, (r, c), AMP_CAPTURE(u, v),
                                     { AMP_AT(v, c, r) = AMP_AT(u, r, c); });
    }
    print_end();
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            assert_true(b[c * ROWS + r] == a[r * COLUMNS + c]);
    assert_int_equal(lines_with("runs on one accelerator of the group: AMP_AT(v, c, r) may write rows of "
                                "other bands; if index (i, ...) writes row i alone, capture AMP_OWN_ROWS(v)"),
                     warns());
    print_begin();
    {
        AMP_ARRAY_VIEW(float, 1, total, b, 1);
        AMP_CONST_ARRAY_VIEW(float, 1, u, a, CELLS);
        AMP_AT(total, 0) = 0;
        AMP_PARALLEL_FOR_EACH_ON(group, u.extent, (i), AMP_CAPTURE(u, total),
                                 { amp_atomic_fetch_add(&AMP_AT(total, 0), AMP_AT(u, i)); });
        float want = 0;
        for (int i = 0; i < CELLS; i++)
            want += a[i];
        assert_true(AMP_AT(total, 0) == want);
    }
    print_end();
    assert_int_equal(lines_with("AMP_OWN_ROWS(total)"), warns());
    amp_accelerator_view_release(&group);
}

/* The library does not see where it is read, and is told: then no more than that moves. */
static void declared_reach(void **state)
{
    (void)state;
    static float a[CELLS], b[CELLS];
    static int shift[COLUMNS];
    amp_accelerator_view group = all_of_them();
    fill(a, CELLS);
    for (int c = 0; c < COLUMNS; c++)
        shift[c] = c % 3 - 1;
    print_begin();
    {
        AMP_CONST_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
        AMP_CONST_ARRAY_VIEW(int, 1, by, shift, COLUMNS);
        AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c),
                                 AMP_CAPTURE(AMP_REACH(u, -1, 1), AMP_WHOLE(by), AMP_OWN_ROWS(v)), {
                                     const int row = amp_clamp(r + AMP_AT(by, c), 0, u.extent.v[0] - 1);
                                     AMP_AT(v, r, c) = AMP_AT(u, row, c);
                                 });
    }
    print_end();
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            assert_true(b[r * COLUMNS + c] == a[amp_clamp(r + shift[c], 0, ROWS - 1) * COLUMNS + c]);
    assert_int_equal(lines_with("runs on one"), 0);
    amp_accelerator_view_release(&group);
}

/* Steps of a stencil, of which a recording has two; one launch names the accelerator view and one does not, and one
   cannot be divided. */
static int recorded_steps(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    amp_recording two = { NULL };
    int replayed = 0;
    for (int step = 0; step < 4; step++) {
        if (step == 2)
            AMP_AT(u, 7, 3) += 5; /* between replays the host may write */
        const float lift = (float)step;
        const int edge = step % 3;
        assert_int_equal(AMP_RECORDING_SET(two, lift, lift), AMP_OK);
        assert_int_equal(AMP_RECORDING_SET(two, edge, edge), AMP_OK);
        if (amp_recording_replay(two)) {
            replayed++;
            continue;
        }
        amp_recording_begin(where);
        for (int half = 0; half < 2; half++) {
            const amp_const_array_view_float_2 in = amp_as_const(u);
            const float factor = 0.5f + (float)half;
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (r, c), AMP_CAPTURE(in, v, factor, lift, edge), {
                AMP_AT(v, r, c) = factor * (AMP_AT(in, r > edge ? r - edge : r, c) + AMP_AT(in, r, c)) + lift;
            });
            AMP_PARALLEL_FOR_EACH(AMP_EXTENT(5, 7), (r, c), AMP_CAPTURE(v),
                                  { amp_atomic_fetch_add(&AMP_AT(v, c % 3, 0), (float)r); });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(half + 2, half), AMP_EXTENT(30, 9)), (r, c),
                                     AMP_CAPTURE(v), { AMP_AT(v, r, c) += (float)r; });
            amp_swap(&u, &v);
        }
        two = amp_recording_end();
    }
    assert_int_equal(AMP_RECORDING_SET(two, lift, 1), AMP_INVALID_ARGUMENT);
    expect_error(AMP_INVALID_ARGUMENT, "the value is of type int, but the kernel in recorded_steps");
    assert_int_equal(AMP_RECORDING_SET(two, height, 1), AMP_INVALID_ARGUMENT);
    expect_error(AMP_INVALID_ARGUMENT, "no recorded launch captured a scalar of that name");
    assert_int_equal(amp_recording_release(&two), AMP_OK);
    return replayed;
}

static void recordings(void **state)
{
    static float a[2][CELLS], b[2][CELLS];
    (void)state;
    amp_accelerator_view group = all_of_them();
    const amp_accelerator_view one = amp_accelerator_default_view(amp_accelerator_view_accelerator(group));
    fill(a[0], CELLS);
    memcpy(a[1], a[0], sizeof a[0]);
    print_begin();
    const int expected = recorded_steps(one, a[0], b[0]), replayed = recorded_steps(group, a[1], b[1]);
    print_end();
    assert_int_equal(replayed, expected);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    amp_accelerator_view_release(&group);
}

/* What is no launch on the group is refused meanwhile, or there is no recording. */
static void recordings_refuse(void **state)
{
    static float a[CELLS], b[CELLS];
    (void)state;
    amp_accelerator_view group = all_of_them();
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    {
        AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
        AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
        for (int mistake = 0; mistake < 3; mistake++) {
            amp_recording_begin(group);
            AMP_PARALLEL_FOR_EACH(u.extent, (r, c), AMP_CAPTURE(u), { AMP_AT(u, r, c) += 1; });
            if (mistake == 0)
                AMP_AT(u, 0, 0) = 1;
            else if (mistake == 1)
                amp_copy(u, v);
            else
                AMP_PARALLEL_FOR_EACH_ON(cpu, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) += 1; });
            if (mistake < 2)
                expect_error(AMP_RUNTIME_ERROR, "while this thread is recording on ");
            amp_recording step = amp_recording_end();
            assert_false(amp_recording_valid(step));
        }
    }
    amp_accelerator_view_release(&group);
}

/* ---- streamed views ------------------------------------------------------------------------------ */

static void streams_are_made(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(view)
    {
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, 1000), none;
        assert_int_equal(amp_accelerator_view_equal(streamed, view), test_device(view)->shares_host);
        assert_true(
            amp_accelerator_equal(amp_accelerator_view_accelerator(streamed), amp_accelerator_view_accelerator(view)));
        if (!test_device(view)->shares_host) {
            none = amp_accelerator_view_create_streamed(streamed, 1000);
            assert_false(amp_accelerator_view_valid(none));
            expect_error(AMP_INVALID_ARGUMENT, "the view is a streamed view; give a view of one accelerator");
        }
        none = amp_accelerator_view_create_streamed(view, 0);
        assert_false(amp_accelerator_view_valid(none));
        expect_error(AMP_INVALID_ARGUMENT, "0 bytes; give how much of the memory of ");
        assert_int_equal(amp_accelerator_view_flush(streamed), AMP_OK);
        assert_int_equal(amp_accelerator_view_wait(streamed), AMP_OK);
        amp_accelerator_view_release(&streamed);
        assert_false(amp_accelerator_view_valid(streamed));
    }
}

/* As on the accelerator itself, and not with more of its memory. */
static void streamed_same_bits(void **state)
{
    static launches *const all[] = { red_and_black, product, forms, inner_cells, four_dimensions, stencil };
    (void)state;
    FOR_EACH_STREAMED(view)
    {
        for (size_t bytes = 2700; bytes <= 21600; bytes *= 2) {
            amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, bytes);
            for (size_t i = 0; i < sizeof all / sizeof *all - (bytes < 3 * sizeof(float[CELLS])); i++)
                compare_with(all[i], streamed); /* the stencil's last row needs the first one, and all between them */
            const amp_priv_stream *const stream = amp_priv_group_of(streamed.amp_priv_queue)->stream;
            size_t held = 0;
            for (int part = 0; part < AMP_PRIV_STREAM_PARTS; part++)
                for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++)
                    held += stream->held[part][i];
            assert_true(held > 0 && held <= bytes);
            amp_accelerator_view_release(&streamed);
        }
    }
}

/* Each row goes to the device once, but for those at the seams; what is discarded does not; a view of which all bands
   use all goes once. */
static void streamed_transfers(void **state)
{
    enum { MANY = 4000, WIDE = 100 };
    static float a[MANY * WIDE], b[MANY * WIDE];
    static int table[50];
    const size_t row = WIDE * sizeof(float);
    (void)state;
    for (int i = 0; i < MANY * WIDE; i++)
        a[i] = (float)(i % 1009);
    for (int i = 0; i < 50; i++)
        table[i] = 3 * i;
    FOR_EACH_STREAMED(view)
    {
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, sizeof a / 2 + sizeof table);
        AMP_CONST_ARRAY_VIEW(float, 2, u, a, MANY, WIDE);
        AMP_CONST_ARRAY_VIEW(int, 1, by, table, 50);
        AMP_ARRAY_VIEW(float, 2, v, b, MANY, WIDE);
        for (int discards = 0; discards < 2; discards++) {
            const amp_transfer_counters before = amp_total_counters();
            if (discards)
                amp_array_view_discard_data(&v);
            AMP_PARALLEL_FOR_EACH_ON(streamed, v.extent, (r, c), AMP_CAPTURE(u, v, by), {
                AMP_AT(v, r, c) = AMP_AT(u, r, c) + AMP_AT(u, r > 0 ? r - 1 : r, c) + (float)AMP_AT(by, (r * c) % 50);
            });
            const amp_transfer_counters after = amp_total_counters();
            const size_t up = after.bytes_to_device - before.bytes_to_device;
            const size_t least = (discards ? 1 : 2) * sizeof a + sizeof table;
            assert_int_equal(after.bytes_to_host - before.bytes_to_host, sizeof b);
            assert_true(up > least && (up - least) % row == 0 && up < least + 40 * row); /* a row at each seam */
            for (int i = 0; i < MANY * WIDE; i++)
                assert_true(b[i] == a[i] + a[i < WIDE ? i : i - WIDE] + (float)table[(i / WIDE * (i % WIDE)) % 50]);
        }
        amp_accelerator_view_release(&streamed);
    }
}

/* The data are a file. */
static void streamed_file(void **state)
{
    (void)state;
#if !defined(_WIN32)
    enum { COUNT = 1 << 20 };
    FOR_EACH_STREAMED(view)
    {
        FILE *const file = tmpfile();
        assert_non_null(file);
        const int number = fileno(file);
        assert_int_equal(ftruncate(number, COUNT * sizeof(int)), 0);
        int *const data = mmap(NULL, COUNT * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
        assert_true(data != MAP_FAILED);
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, v, data, COUNT);
            for (int step = 0; step < 2; step++)
                AMP_PARALLEL_FOR_EACH_ON(streamed, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
        }
        amp_accelerator_view_release(&streamed);
        assert_int_equal(munmap(data, COUNT * sizeof(int)), 0);
        rewind(file);
        int value = 0;
        for (int i = 0; i < COUNT; i++)
            assert_true(fread(&value, sizeof value, 1, file) == 1 && value == 2 * i);
        fclose(file);
    }
#endif
}

/* Of side * side elements. */
static void transpose(amp_accelerator_view where, const float *a, float *b, int side)
{
    AMP_CONST_ARRAY_VIEW(float, 2, u, a, side, side);
    AMP_ARRAY_VIEW(float, 2, v, b, side, side);
    AMP_PARALLEL_FOR_EACH_ON(where, u.extent, (r, c), AMP_CAPTURE(u, v), { AMP_AT(v, c, r) = AMP_AT(u, r, c); });
}

static void lookup(amp_accelerator_view where, const float *a, float *b)
{
    AMP_CONST_ARRAY_VIEW(float, 1, u, a, CELLS);
    AMP_ARRAY_VIEW(float, 1, v, b, CELLS);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(u, v), {
        const int at = (int)AMP_AT(u, i);
        AMP_AT(v, i) = AMP_AT(u, at < 0 ? -at : at);
    });
}

/* What cannot be divided is one part, where that fits. */
static void streamed_whole(void **state)
{
    enum { SIDE = 1100 };
    static float a[SIDE * SIDE], b[SIDE * SIDE];
    int reported = 0, devices = 0;
    (void)state;
    fill(a, SIDE * SIDE);
    FOR_EACH_STREAMED(view)
    {
        amp_accelerator_view large = amp_accelerator_view_create_streamed(view, 2 * sizeof a);
        devices++;
        print_begin();
        for (int i = 0; i < 2; i++)
            transpose(large, a, b, SIDE);
        print_end();
        reported += lines_with("runs as one part on the streamed view: AMP_AT(v, c, r) may write rows of other "
                               "bands; if index (i, ...) writes row i alone, capture AMP_OWN_ROWS(v)");
        for (int i = 0; i < SIDE * SIDE; i++)
            assert_true(b[i] == a[i % SIDE * SIDE + i / SIDE]);
        lookup(large, a, b);
        for (int i = 0; i < CELLS; i++)
            assert_true(b[i] == a[abs((int)a[i])]);
        amp_accelerator_view_release(&large);
    }
    assert_int_equal(reported, warns() && devices > 0); /* once for all of them */
}

static void streamed_too_large(void **state)
{
    static float a[CELLS], b[CELLS];
    (void)state;
    fill(a, CELLS);
    FOR_EACH_STREAMED(view)
    {
        amp_accelerator_view small = amp_accelerator_view_create_streamed(view, sizeof a);
        transpose(small, a, b, 26);
        expect_error(AMP_OUT_OF_MEMORY, "it cannot be divided, and needs 5408 bytes of device memory, 2704 of them for "
                                        "the view u; its streamed view may take 2812: create that with more");
        lookup(small, a, b);
        expect_error(AMP_OUT_OF_MEMORY,
                     "bytes of the view u; its streamed view may take 2812: create that with more, or, if a row of the "
                     "launch uses few rows of u, capture AMP_REACH(u, first, last)");
        for (int i = 0; i < CELLS; i++)
            assert_true(b[i] == 0);
        amp_accelerator_view_release(&small);
    }
}

/* Arrays are on the device; algorithms and recordings run there as without the stream. */
static void streamed_others(void **state)
{
    int reported = 0;
    (void)state;
    FOR_EACH_STREAMED(view)
    {
        static int values[1000];
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, 5000);
        AMP_ARRAY_VIEW(int, 1, v, values, 1000);
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(1000), streamed);
        print_begin();
        AMP_PARALLEL_FOR_EACH_ON(streamed, v.extent, (i), AMP_CAPTURE(v, a), { AMP_AT(v, i) = AMP_AT(a, i) = i; });
        print_end();
        reported += lines_with("runs as one part on the streamed view: the array a lives on one");
        assert_int_equal(amp_sum_on(streamed, v), 499500);
        amp_array_release(&a);
        static float x[2][CELLS], y[2][CELLS];
        fill(x[0], CELLS);
        memcpy(x[1], x[0], sizeof x[0]);
        memset(y, 0, sizeof y);
        print_begin();
        const int expected = recorded_steps(view, x[0], y[0]), replayed = recorded_steps(streamed, x[1], y[1]);
        print_end();
        assert_int_equal(replayed, expected);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(AMP_AT(v, i), i);
        amp_accelerator_view_release(&streamed);
    }
    assert_true(reported <= warns());
}

int run_group_group(void)
{
    const struct CMUnitTest tests[] = {
        TEST(groups_are_made),
        TEST(views_of_groups),
        TEST(same_bits),
        TEST(timed_same_bits),
        TEST(given_bands),
        TEST(wrong_bands),
        TEST(only_the_seams_move),
        TEST(memory_for_its_rows),
        TEST(parts_of_another_shape),
        TEST(one_accelerator),
        TEST(declared_reach),
        TEST(recordings),
        TEST(recordings_refuse),
        TEST(streams_are_made),
        TEST(streamed_same_bits),
        TEST(streamed_transfers),
        TEST(streamed_file),
        TEST(streamed_whole),
        TEST(streamed_too_large),
        TEST(streamed_others),
#if AMP_PRIV_HAS_DEVICES
        TEST(shares_by_speed),
        TEST(trials_by_time),
        TEST(trials_add_up),
        TEST(shares_of_all_rows),
        TEST(rows_in_common),
#endif
    };
    setenv("AMP_GROUP_THREADS", "0", 0); /* GPUs would not divide launches as small as these */
    return cmocka_run_group_tests_name("group/group", tests, NULL, NULL);
}
