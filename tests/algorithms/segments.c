// SPDX-License-Identifier: MIT
/*  segments.c - segments, scans of rows */
#include "few_sizes.h"

/* x -> times * x + plus: one after the other is associative, and not commutative. */
AMP_STRUCT(affine, { unsigned times, plus; });
AMP_DEFINE_ELEMENT(affine);
AMP_FUNCTION(affine, then, (affine first, affine second), {
    affine all;
    all.times = first.times * second.times;
    all.plus = first.plus * second.times + second.plus;
    return all;
})

/* Where segments begin: seldom, often, everywhere, nowhere. */
static void make_begins(int *is_first, int n)
{
    const int kind = test_random_int(0, 3), most = kind == 0 ? 30000 : kind == 1 ? 3 : 0;
    for (int i = 0; i < n; i++)
        is_first[i] = kind < 3 && test_random_int(0, most) == 0;
}

static void segments(void **state)
{
    (void)state;
    static int is_first[LARGEST];
    static affine given[LARGEST], scanned[LARGEST], reduced[LARGEST];
    for (int i = 0; i < LARGEST; i++)
        given[i] = (affine){ (unsigned)test_random(), (unsigned)i };
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            int count = -1, want = 0;
            make_begins(is_first, n);
            {
                AMP_CONST_ARRAY_VIEW(int, 1, first, is_first, n);
                AMP_CONST_ARRAY_VIEW(affine, 1, v, given, n);
                AMP_ARRAY_VIEW(affine, 1, s, scanned, n);
                AMP_ARRAY_VIEW(affine, 1, r, reduced, n);
                AMP_INCLUSIVE_SCAN_SEGMENTS_ON(on_cpu(), affine, s, v.extent, (i), AMP_CAPTURE(first, v),
                                               AMP_AT(first, i), AMP_AT(v, i), then(a, b), { 1, 0 });
                AMP_REDUCE_SEGMENTS_ON(where, affine, r, count, v.extent, (i), AMP_CAPTURE(first, v), AMP_AT(first, i),
                                       AMP_AT(v, i), then(a, b), { 1, 0 });
            }
            affine all = { 1, 0 };
            for (int i = 0; i < n; i++) {
                all = i == 0 || is_first[i] ? given[i] : then(all, given[i]);
                check_that(!memcmp(&all, &scanned[i], sizeof all), "%d of %d", i, n);
                if (i == n - 1 || is_first[i + 1])
                    check_that(!memcmp(&all, &reduced[want++], sizeof all), "the segment that ends at %d of %d", i, n);
            }
            check_int(count, want);
        }
    }
}

/* How many segments begin in some elements, and what came since the last one did. */
typedef struct part {
    int begun;
    float sum;
} part;
static part join(part a, part b) { return (part){ a.begun + b.begun, b.begun ? b.sum : a.sum + b.sum }; }

/* Lane i with lane i - 1, i - 2, i - 4, ... */
static void steps(part lane[256])
{
    part old[256];
    for (int back = 1; back < 256; back *= 2) {
        memcpy(old, lane, sizeof old);
        for (int i = back; i < 256; i++)
            lane[i] = join(old[i - back], old[i]);
    }
}

static part element(const float *p, int n, int columns, int i)
{
    return i < n ? (part){ i % columns == 0, p[i] } : (part){ 0, 0 };
}

/* The runs of a tile, combined: lane[i] is runs 0 to i. */
static void runs_of(const float *p, int n, int columns, int first, part lane[256])
{
    for (int i = 0; i < 2048; i++)
        lane[i / 8] = i % 8 ? join(lane[i / 8], element(p, n, columns, first + i)) : element(p, n, columns, first + i);
    steps(lane);
}

/* The documented association of an exclusive scan of rows. */
static void documented_rows(const float *p, float *out, int n, int columns)
{
    static part before[256 * 2];
    part lane[256], carry = { 0, 0 };
    const int tiles = (n + 2047) / 2048;
    for (int base = 0; base < tiles; base += 256) {
        part tile[256] = { { 0, 0 } };
        for (int t = base; t < tiles && t < base + 256; t++) {
            runs_of(p, n, columns, 2048 * t, lane);
            tile[t - base] = lane[255];
        }
        steps(tile);
        for (int t = 0; t < 256; t++)
            before[base + t] = t == 0 ? carry : base ? join(carry, tile[t - 1]) : tile[t - 1];
        carry = base ? join(carry, tile[255]) : tile[255];
    }
    for (int t = 0; t < tiles; t++) {
        runs_of(p, n, columns, 2048 * t, lane);
        for (int i = 2048 * t; i < n && i < 2048 * t + 2048; i++) {
            static part sum;
            if (i % 8 == 0)
                sum = i % 2048 ? join(before[t], lane[i % 2048 / 8 - 1]) : before[t];
            out[i] = i % columns ? sum.sum : 0;
            sum = join(sum, element(p, n, columns, i));
        }
    }
}

static void scanned_rows(void **state)
{
    (void)state;
    static const int extents[][2] = { { 3, 0 }, { 1, 1 }, { 40, 70 }, { 3, 3000 }, { 70001, 1 }, { 5, 120007 } };
    static float given[5 * 120007], scanned[5 * 120007], want[5 * 120007];
    for (int i = 0; i < 5 * 120007; i++)
        given[i] = (float)test_random_double(-1, 1) * (float)(1 << test_random_int(0, 20));
    FOR_EACH_ACCELERATOR(where)
    {
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++) {
            const int rows = extents[e][0], columns = extents[e][1];
            if (test_is_slow(where) && rows * columns > 5000)
                continue;
            {
                AMP_CONST_ARRAY_VIEW(float, 2, v, given, rows, columns);
                AMP_ARRAY_VIEW(float, 2, s, scanned, rows, columns);
                AMP_EXCLUSIVE_SCAN_ROWS_ON(where, float, s, v.extent, (y, x), AMP_CAPTURE(v), AMP_AT(v, y, x), a + b,
                                           0);
            }
            documented_rows(given, want, rows * columns, columns);
            for (int i = 0; i < rows * columns; i++)
                check_that(same_bits(scanned[i], want[i]), "%d of %d x %d", i, rows, columns);
        }
    }
}

int run_algorithms_segments(void)
{
    const struct CMUnitTest tests[] = {
        TEST(segments),
        TEST(scanned_rows),
    };
    return cmocka_run_group_tests_name("algorithms/segments", tests, NULL, NULL);
}
