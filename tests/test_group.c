// SPDX-License-Identifier: MIT
/*  test_group.c - launches on a group of accelerators: the same bits as on one, and no more moved than the rows at the
    seams

    Where there are fewer than two accelerators beside the CPU loops, only what does not need them is tested:
    POCL_DEVICES="pthread pthread pthread" gives three. */
#include "test.h"

#include "amp_algorithms.h"

#include <unistd.h>

enum { ROWS = 37, COLUMNS = 19, CELLS = ROWS * COLUMNS };

/* All accelerators but the CPU loops; fewer than two: skips the test. */
static amp_accelerator_view all_of_them(void)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    if (count < 3)
        skip();
    return amp_accelerator_view_create_group(all + 1, count - 1);
}

static int members(void) { return amp_accelerator_get_all(NULL, 0) - 1; }

/* What the library prints on stderr between the two calls, where warnings are shown. */
static char printed[4000];
static FILE *print_file;
static int print_saved;

static void print_begin(void)
{
    fflush(stderr);
    print_file = tmpfile();
    print_saved = dup(2);
    assert_non_null(print_file);
    dup2(fileno(print_file), 2);
}

static void print_end(void)
{
    fflush(stderr);
    dup2(print_saved, 2);
    close(print_saved);
    rewind(print_file);
    printed[fread(printed, 1, sizeof printed - 1, print_file)] = '\0';
    fclose(print_file);
}

static int lines_with(const char *part)
{
    int count = 0;
    for (const char *p = strstr(printed, part); p; p = strstr(p + 1, part))
        count++;
    return count;
}

/* Are warnings shown? */
static bool warns(void) { return amp_priv_log_level() >= AMP_PRIV_LOG_WARNING; }

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
    amp_accelerator_view_release(&some);
    twice[0] = twice[1] = all[0];
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    expect_error(AMP_INVALID_ARGUMENT, "is number 0 and number 1 of the list; name it once");
    twice[1].amp_priv_device = NULL;
    assert_null(amp_accelerator_view_create_group(twice, 2).amp_priv_queue);
    test_heard.count = 0;
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

/* What kernels do on a group and on the first accelerator. Each case is called twice, with the same memory. */
typedef void launches(amp_accelerator_view where, float *a, float *b);

static void compare(launches *what)
{
    static float a[2][CELLS], b[2][CELLS];
    amp_accelerator_view group = all_of_them();
    fill(a[0], CELLS);
    fill(b[0], CELLS);
    memcpy(a[1], a[0], sizeof a[0]);
    memcpy(b[1], b[0], sizeof b[0]);
    print_begin();
    what(amp_accelerator_default_view(amp_accelerator_view_accelerator(group)), a[0], b[0]);
    what(group, a[1], b[1]);
    print_end();
    amp_accelerator_view_release(&group);
    if (lines_with("runs on one"))
        fail_msg("it is not divided: %s", printed);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
}

static void stencil(amp_accelerator_view where, float *a, float *b)
{
    AMP_ARRAY_VIEW(float, 2, u, a, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, b, ROWS, COLUMNS);
    const int n = ROWS;
    for (int step = 0; step < 5; step++) {
        const amp_const_array_view_float_2 in = amp_as_const(u);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (r, c), AMP_CAPTURE(in, v, n), {
            AMP_AT(v, r, c) = AMP_AT(in, (r + n - 1) % n, c) + AMP_AT(in, r, c) * 0.3f + AMP_AT(in, (r + 1) % n, c);
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
        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }
        for (int k = 0; k < N; k += TILE) {
            AMP_THREADS(tile, t)
            {
                left[t.local.v[0]][t.local.v[1]] = AMP_AT(x, t.global.v[0], k + t.local.v[1]);
                right[t.local.v[0]][t.local.v[1]] = AMP_AT(y, k + t.local.v[0], t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t)
            {
                for (int j = 0; j < TILE; j++)
                    AMP_OWN(sum) += left[t.local.v[0]][j] * right[j][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(z, t.global) = AMP_OWN(sum) + (float)(t.tile.v[0] * 100 + t.tile_origin.v[0]); }
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
    compare(four_dimensions);
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
    const uint64_t seam = 2 * (uint64_t)COLUMNS * sizeof(float) * (uint64_t)(members() - 1);
    const uint64_t moved = after.bytes_to_device + after.bytes_across - before.bytes_to_device - before.bytes_across;
    /* Two steps bring what is there. GPUs do not divide launches as small as this. */
    assert_true(before.bytes_to_device == 0 || moved == 10 * seam || moved == 0);
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
                const amp_priv_replica *const replica = u.amp_priv.source->replica[m];
                if (!replica->device->shares_host)
                    assert_true(replica->bytes < sizeof a / 4 * 3 && replica->bytes >= sizeof a / (size_t)n);
            }
            if (step == 2) /* all of it, on the last one */
                AMP_PARALLEL_FOR_EACH_ON(last, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) = -1; });
        }
    }
    assert_memory_equal(a, want[0], sizeof a);
    amp_accelerator_view_release(&group);
}

/* ---- what cannot be divided ---------------------------------------------------------------------- */

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
    assert_int_equal(lines_with("runs on one accelerator of the group: AMP_AT(v, (c), (r)) may write rows of "
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

static void algorithms_on_groups(void **state)
{
    (void)state;
    static int a[1000];
    amp_accelerator_view group = all_of_them();
    AMP_ARRAY_VIEW(int, 1, v, a, 1000);
    AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
    const long sum = (long)amp_sum_on(group, v);
    check_int(sum, 499500);
    amp_accelerator_view_release(&group);
}

/* Recorded launches on a group are launched again each time. */
static void recordings(void **state)
{
    (void)state;
    static float a[CELLS];
    amp_accelerator_view group = all_of_them();
    {
        AMP_ARRAY_VIEW(float, 2, v, a, ROWS, COLUMNS);
        amp_recording step = { NULL };
        for (int i = 0; i < 3; i++) {
            if (amp_recording_replay(step))
                continue;
            amp_recording_begin(group);
            AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) += 1; });
            AMP_PARALLEL_FOR_EACH(v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) *= 2; });
            step = amp_recording_end();
        }
        amp_recording_release(&step);
    }
    for (int i = 0; i < CELLS; i++)
        assert_true(a[i] == 14);
    amp_accelerator_view_release(&group);
}

int run_group(void)
{
    const struct CMUnitTest tests[] = { TEST(groups_are_made),     TEST(views_of_groups),      TEST(same_bits),
                                        TEST(only_the_seams_move), TEST(memory_for_its_rows),  TEST(one_accelerator),
                                        TEST(declared_reach),      TEST(algorithms_on_groups), TEST(recordings) };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
