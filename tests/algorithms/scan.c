// SPDX-License-Identifier: MIT
/*  scan.c - scans with the documented bits, and operations that do not commute */
#include "sizes.h"

/* Lane i with lane i - 1, i - 2, i - 4, ... */
static void steps(float *lane, int n)
{
    float old[256];
    for (int back = 1; back < n; back *= 2) {
        memcpy(old, lane, sizeof old);
        for (int i = back; i < n; i++)
            lane[i] = old[i - back] + old[i];
    }
}

/* The runs of a tile, combined: lane[i] is runs 0 to i. */
static void runs_of(const float *p, int n, float lane[256])
{
    for (int run = 0; run < 256; run++)
        for (int k = 8 * run; k < 8 * run + 8; k++)
            lane[run] = (k == 8 * run ? 0 : lane[run]) + (k < n ? p[k] : 0);
    steps(lane, 256);
}

/* The documented association of an inclusive scan. */
static void documented_scan(const float *p, float *out, int n)
{
    float before_group = 0;
    for (int group = 0; group < n; group += 2048 * 128) {
        float tile[256] = { 0 }, lane[256];
        for (int t = 0; t < 128 && group + 2048 * t < n; t++) {
            runs_of(p + group + 2048 * t, n - group - 2048 * t, lane);
            tile[t] = lane[255];
        }
        steps(tile, 128);
        for (int t = 0; t < 128 && group + 2048 * t < n; t++) {
            const int first = group + 2048 * t;
            const float before = t ? before_group + tile[t - 1] : before_group;
            runs_of(p + first, n - first, lane);
            for (int i = 0; i < 2048 && first + i < n; i++)
                out[first + i] = (i % 8 ? out[first + i - 1] : i ? before + lane[i / 8 - 1] : before) + p[first + i];
        }
        before_group = before_group + tile[127];
    }
}

static void scans_have_the_documented_bits(void **state)
{
    (void)state;
    make_data();
    float *const want = malloc(2 * sizeof given->floats), *const got = want + LARGEST;
    check(want != NULL);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            for (int i = 0; i < n; i++)
                given->floats[i] = given->floats[i] == 0 ? 1 : given->floats[i]; /* 0 + -0 is another zero */
            documented_scan(given->floats, want, n);
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            AMP_ARRAY_VIEW(float, 1, w, got, n);
            amp_inclusive_sum_on(where, w, v);
            amp_array_view_synchronize(&w);
            for (int i = 0; i < n; i++)
                check_that(same_bits(got[i], want[i]), "%d of %d: %.9g, expected %.9g", i, n, (double)got[i],
                           (double)want[i]);
            amp_exclusive_sum_on(where, w, v);
            amp_array_view_synchronize(&w);
            for (int i = 0; i < n; i++)
                check_that(same_bits(got[i], i ? want[i - 1] : 0) || i % 2048 == 0, "%d of %d", i, n);
        }
    }
    free(want);
}

/* x -> times * x + plus: one after the other is associative, and not commutative. In place, too. */
AMP_STRUCT(affine, { unsigned times, plus; });
AMP_DEFINE_ELEMENT(affine);
AMP_FUNCTION(affine, then, (affine first, affine second), {
    affine all;
    all.times = first.times * second.times;
    all.plus = first.plus * second.times + second.plus;
    return all;
})

static void scans_keep_the_order(void **state)
{
    (void)state;
    make_data();
    static affine maps[300001];
    FOR_EACH_ACCELERATOR(where)
    {
        const int n = test_is_slow(where) ? 5000 : 300001;
        for (int i = 0; i < n; i++)
            maps[i] = (affine){ (unsigned)given->ints[i], (unsigned)i };
        {
            AMP_ARRAY_VIEW(affine, 1, v, maps, n);
            AMP_INCLUSIVE_SCAN_ON(where, affine, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), then(a, b), { 1, 0 });
        }
        affine all = { 1, 0 };
        for (int i = 0; i < n; i++) {
            all = then(all, (affine){ (unsigned)given->ints[i], (unsigned)i });
            check_that(maps[i].times == all.times && maps[i].plus == all.plus, "%d of %d", i, n);
        }
        int rows[3][70], seen = 0;
        {
            AMP_ARRAY_VIEW(int, 2, table, &rows[0][0], 3, 70);
            AMP_EXCLUSIVE_SCAN_ON(where, int, table, table.extent, (y, x), AMP_CAPTURE(), y *x, a + b, 0);
        }
        for (int i = 0; i < 210; seen += i / 70 * (i % 70), i++)
            check_int(rows[i / 70][i % 70], seen);
    }
}

int run_algorithms_scan(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scans_have_the_documented_bits),
        TEST(scans_keep_the_order),
    };
    return cmocka_run_group_tests_name("algorithms/scan", tests, NULL, NULL);
}
