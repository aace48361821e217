// SPDX-License-Identifier: MIT
/*  overlap.c - algorithms whose result lies where they read: in the same place, shifted, in one source and in two
    on the same memory. What is supported is right, the rest is refused before anything is written. */
#include "test.h"

#include "amp_algorithms.h"

enum { MOST = 9000, GUARD = 5000, ALL = GUARD + MOST + GUARD };

static int memory[ALL], before[ALL], want[ALL];

/* Random contents, and what a call on n elements from `in` on would select. */
static int fill(int in, int n)
{
    int some = 0;
    for (int i = 0; i < ALL; i++)
        memory[i] = before[i] = want[i] = test_random_int(0, 99);
    for (int i = 0; i < n; i++)
        some += before[in + i] < 50;
    return some;
}

/* ---- selections ---------------------------------------------------------------------------------- */

typedef enum selection { SELECT, PARTITION, UNIQUE } selection;

/* The result in want, from `out` on; returns how many. */
static int want_selected(selection what, int in, int out, int n)
{
    int some = 0, others = out;
    for (int i = 0; i < n; i++)
        others += before[in + i] < 50;
    for (int i = 0; i < n; i++) {
        const int x = before[in + i], is = what == UNIQUE ? i == 0 || x != before[in + i - 1] : x < 50;
        if (is)
            want[out + some++] = x;
        else if (what == PARTITION)
            want[others++] = x;
    }
    return some;
}

static int selected(amp_accelerator_view where, selection what, amp_const_array_view_int_1 v, amp_array_view_int_1 out,
                    bool in_view)
{
    int count = -1;
    AMP_ARRAY(int, 1, counts, 1);
    if (what == SELECT && in_view)
        AMP_SELECT_IF_ON(where, out, counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 50, AMP_AT(v, i));
    else if (what == SELECT)
        AMP_SELECT_IF_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 50, AMP_AT(v, i));
    else if (what == PARTITION)
        AMP_PARTITION_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 50, AMP_AT(v, i));
    else
        amp_unique_on(where, out, count, v);
    if (what == SELECT && in_view)
        amp_copy_out(counts, &count, 1);
    return count;
}

static void check_memory(void)
{
    for (int i = 0; i < ALL; i++)
        check_int(memory[i], want[i]);
}

static void selections(void **state)
{
    (void)state;
    const int sizes[] = { 0, 1, 2, 257, 4096, MOST }, shifts[] = { 0, 1, -1, 300, -300, 4500, -4500 };
    FOR_EACH_ACCELERATOR(where)
    {
        for (int turn = 0; turn < 3 * 6 * 7; turn++) {
            const selection what = (selection)(turn % 3);
            const int n = sizes[turn / 3 % 6], out = GUARD + shifts[turn / 18], in = GUARD;
            fill(in, n);
            const int some = want_selected(what, in, out, n);
            {
                AMP_ARRAY_VIEW(int, 1, all, memory, ALL);
                const amp_array_view_int_1 result = amp_section(all, out, n);
                check_int(selected(where, what, amp_as_const(amp_section(all, in, n)), result, turn & 1), some);
            }
            check_memory();
        }
    }
}

/* Two views that do not know of each other. */
static void selections_of_two_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int turn = 0; turn < 6; turn++) {
            const selection what = (selection)(turn % 3);
            const int out = GUARD + (turn < 3 ? 0 : 77);
            fill(GUARD, MOST);
            const int some = want_selected(what, GUARD, out, MOST);
            {
                AMP_CONST_ARRAY_VIEW(int, 1, v, memory + GUARD, MOST);
                AMP_ARRAY_VIEW(int, 1, result, memory + out, MOST);
                check_int(selected(where, what, v, result, false), some);
            }
            check_memory();
        }
    }
}

/* Elements of 3 bytes and of 12; a result that is too short. */
AMP_STRUCT(pixel, { uint8_t r, g, b; });
AMP_DEFINE_ELEMENT(pixel);
AMP_STRUCT(place, { float x, y, z; });
AMP_DEFINE_ELEMENT(place);

static void selections_of_structs(void **state)
{
    (void)state;
    enum { N = 3000 };
    static pixel pixels[N];
    static place places[N];
    FOR_EACH_ACCELERATOR(where)
    {
        for (int i = 0; i < N; i++) {
            pixels[i] = (pixel){ (uint8_t)i, (uint8_t)(i / 256), (uint8_t)(i % 7) };
            places[i] = (place){ (float)i, (float)(2 * i), (float)(i % 3) };
        }
        int count = 0, many = 0;
        {
            AMP_ARRAY_VIEW(pixel, 1, p, pixels, N);
            AMP_ARRAY_VIEW(place, 1, q, places, N);
            const amp_array_view_place_1 few = amp_section(q, 1, 100);
            AMP_SELECT_IF_ON(where, p, count, p.extent, (i), AMP_CAPTURE(p), AMP_AT(p, i).b == 3, AMP_AT(p, i));
            AMP_SELECT_IF_ON(where, few, many, q.extent, (i), AMP_CAPTURE(q), AMP_AT(q, i).z == 2, AMP_AT(q, i));
            expect_error(AMP_INVALID_ARGUMENT, "AMP_SELECT_IF: the result has 1000 elements, but the view out has 100");
        }
        check_int(count, (N + 3) / 7);
        check_int(many, 1000);
        for (int i = 0; i < count; i++)
            check_int(pixels[i].r + 256 * pixels[i].g, 7 * i + 3);
        for (int i = 0; i < 102; i++)
            check_int((int)places[i].x, i == 0 || i == 101 ? i : 3 * (i - 1) + 2);
    }
}

/* A predicate that answers otherwise when it is asked again: nothing is written beside the result. */
static void fickle_predicates(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int turn = 0; turn < 4; turn++) {
            const int n = turn & 1 ? MOST : 3000;
            static int flips[MOST], values[MOST];
            fill(0, 0);
            for (int i = 0; i < MOST; i++)
                values[i] = flips[i] = turn & 2 ? i % 5 == 0 : 0;
            int count = 0;
            {
                AMP_CONST_ARRAY_VIEW(int, 1, v, values, n);
                AMP_ARRAY_VIEW(int, 1, w, flips, n);
                AMP_ARRAY_VIEW(int, 1, out, memory + GUARD, n);
                AMP_PARTITION_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v, w), AMP_AT(w, i) ^= 1, AMP_AT(v, i));
            }
            for (int i = 0; i < GUARD; i++) {
                check_int(memory[i], before[i]);
                check_int(memory[GUARD + n + i], before[GUARD + n + i]);
            }
        }
    }
}

/* ---- the same place ------------------------------------------------------------------------------ */

static void in_place(void **state)
{
    (void)state;
    enum { N = 5000, WIDTH = 50 };
    static int scanned[N], exclusive[N], rows[N], segments[N], keys[N], places[N];
    static float sorted[N];
    static int numbers[N];
    FOR_EACH_ACCELERATOR(where)
    {
        for (int i = 0; i < N; i++) {
            scanned[i] = exclusive[i] = rows[i] = segments[i] = i % 10;
            keys[i] = numbers[i] = N - 1 - i;
            places[i] = i;
            sorted[i] = (float)i;
        }
        {
            AMP_ARRAY_VIEW(int, 1, v, scanned, N);
            AMP_ARRAY_VIEW(int, 1, w, exclusive, N);
            AMP_ARRAY_VIEW(int, 2, t, rows, N / WIDTH, WIDTH);
            AMP_ARRAY_VIEW(int, 1, s, segments, N);
            AMP_ARRAY_VIEW(int, 1, k, keys, N);
            AMP_CONST_ARRAY_VIEW(int, 1, order, places, N);
            AMP_ARRAY_VIEW(int, 1, from, numbers, N);
            AMP_INCLUSIVE_SCAN_ON(where, int, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
            amp_exclusive_sum_on(where, w, w);
            AMP_INCLUSIVE_SCAN_ROWS_ON(where, int, t, t.extent, (i, j), AMP_CAPTURE(t), AMP_AT(t, i, j), a + b, 0);
            AMP_INCLUSIVE_SCAN_SEGMENTS_ON(where, int, s, s.extent, (i), AMP_CAPTURE(s), i % 100 == 0, AMP_AT(s, i),
                                           a + b, 0);
            amp_lower_bound_on(where, k, order, k);
            amp_gather_on(where, from, amp_as_const(k), from);
            AMP_CONST_ARRAY_VIEW(float, 1, x, sorted, N);
            const double sum = amp_sum_on(where, x);
            check(sum == 12497500);
        }
        expect_no_error();
        for (int i = 0; i < N; i++) {
            const int sum = i / 10 * 45 + (i % 10 + 1) * (i % 10) / 2;
            check_int(scanned[i], sum);
            check_int(exclusive[i], sum - i % 10);
            check_int(rows[i], sum - i / WIDTH * WIDTH / 10 * 45);
            check_int(segments[i], sum - i / 100 * 100 / 10 * 45);
            check_int(keys[i], N - 1 - i);
            check_int(numbers[i], i);
        }
    }
}

/* A value may go to an element of what is reduced. */
static void results_within(void **state)
{
    (void)state;
    static int values[MOST];
    FOR_EACH_ACCELERATOR(where)
    {
        for (int n = 100; n <= MOST; n *= 90) {
            for (int i = 0; i < MOST; i++)
                values[i] = 1;
            {
                AMP_ARRAY_VIEW(int, 1, v, values, n);
                const amp_array_view_int_1 sum = amp_section(v, 7, 1);
                AMP_REDUCE_ON(where, int, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
            }
            for (int i = 0; i < n; i++)
                check_int(values[i], i == 7 ? n : 1);
        }
    }
}

/* ---- refused ------------------------------------------------------------------------------------- */

#define REFUSED(text, ...)                                                                                             \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        expect_error(AMP_INVALID_ARGUMENT, text);                                                                      \
    } while (0)

/* out: 100 elements, of which v and w have some. */
static void refuse(amp_accelerator_view where, amp_array_view_int_1 v, amp_array_view_int_1 w, amp_array_view_int_1 out,
                   amp_array_view_int_1 apart)
{
    int count = -1;
    const amp_array_view_int_2 table = AMP_VIEW_AS(amp_array_view_int_2, v, 10, 10);
    const amp_array_view_int_2 turned = AMP_VIEW_AS(amp_array_view_int_2, out, 10, 10);
    const amp_array_view_int_1 ten = amp_section(out, 0, 10), one = amp_section(v, 3, 1);
    REFUSED("amp_transpose: out overlaps v, which", amp_transpose_on(where, turned, table));
    REFUSED("amp_gather: out overlaps v, which", amp_gather_on(where, out, v, apart));
    REFUSED("amp_scatter: out overlaps v, which", amp_scatter_on(where, out, v, apart));
    REFUSED("amp_scatter: out overlaps to, which", amp_scatter_on(where, out, apart, v));
    REFUSED("amp_merge: out overlaps v, which",
            amp_merge_on(where, out, amp_section(v, 0, 50), amp_section(apart, 0, 50)));
    REFUSED("amp_merge: out overlaps w, which",
            amp_merge_on(where, out, amp_section(apart, 0, 50), amp_section(v, 0, 50)));
    REFUSED("amp_lower_bound: out overlaps v, which", amp_lower_bound_on(where, out, v, apart));
    REFUSED("AMP_REDUCE_ROWS: out overlaps table, which",
            AMP_REDUCE_ROWS_ON(where, int, ten, table.extent, (i, j), AMP_CAPTURE(table), AMP_AT(table, i, j), a + b,
                               0));
    REFUSED("AMP_REDUCE_COLUMNS: out overlaps table, which",
            AMP_REDUCE_COLUMNS_ON(where, int, ten, table.extent, (i, j), AMP_CAPTURE(table), AMP_AT(table, i, j), a + b,
                                  0));
    REFUSED("AMP_HISTOGRAM: counts overlaps v, which",
            AMP_HISTOGRAM_ON(where, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i)));
    REFUSED("AMP_REDUCE_SEGMENTS: out overlaps v, which",
            AMP_REDUCE_SEGMENTS_ON(where, int, out, count, v.extent, (i), AMP_CAPTURE(v), i % 3 == 0, AMP_AT(v, i),
                                   a + b, 0));
    REFUSED("AMP_REDUCE_BY_KEY: kept overlaps another argument, which",
            AMP_REDUCE_BY_KEY_ON(where, int, out, apart, count, v, (i), AMP_CAPTURE(), 1, a + b, 0));
    REFUSED("AMP_REDUCE_BY_KEY: out overlaps another argument, which",
            AMP_REDUCE_BY_KEY_ON(where, int, w, out, count, apart, (i), AMP_CAPTURE(), 1, a + b, 0));
    REFUSED("amp_run_length_encode: lengths overlaps another argument, which",
            amp_run_length_encode_on(where, apart, out, count, v));
    REFUSED("AMP_SELECT_IF: count overlaps v, which",
            AMP_SELECT_IF_ON(where, apart, one, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 50, i));
    REFUSED("amp_sort_by_key: values overlaps keys, which", amp_sort_by_key_on(where, v, out));
    REFUSED("AMP_SORT: v overlaps w, which", AMP_SORT_ON(where, out, AMP_CAPTURE(w), AMP_AT(w, a) < AMP_AT(w, b)));
    REFUSED("amp_top_k: out overlaps v, which", amp_top_k_on(where, ten, amp_section(apart, 0, 10), v));
    REFUSED("amp_bottom_k: at overlaps v, which", amp_bottom_k_on(where, amp_section(apart, 0, 10), ten, v));
    check_int(count, -1);
}

static void refused(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int shift = -9; shift <= 9; shift += 9) {
            fill(0, 0);
            {
                AMP_ARRAY_VIEW(int, 1, all, memory, ALL);
                AMP_ARRAY_VIEW(int, 1, stranger, memory + GUARD + shift, 100);
                const amp_array_view_int_1 v = amp_section(all, GUARD, 100), w = amp_section(all, GUARD + shift, 100);
                const amp_array_view_int_1 apart = amp_section(all, 0, 100);
                refuse(where, v, v, w, apart);
                refuse(where, v, v, stranger, apart);
                if (shift == 0)
                    continue;
                REFUSED("AMP_INCLUSIVE_SCAN: out overlaps v (but does not start at the same element), which",
                        AMP_INCLUSIVE_SCAN_ON(where, int, w, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0));
                REFUSED("amp_exclusive_sum: out overlaps another argument (but does not",
                        amp_exclusive_sum_on(where, stranger, v));
                REFUSED("AMP_INCLUSIVE_SCAN_SEGMENTS: out overlaps v (but does not",
                        AMP_INCLUSIVE_SCAN_SEGMENTS_ON(where, int, w, v.extent, (i), AMP_CAPTURE(v), i % 7 == 0,
                                                       AMP_AT(v, i), a + b, 0));
                REFUSED("amp_gather: out overlaps from (but does not", amp_gather_on(where, w, apart, v));
                REFUSED("amp_upper_bound: out overlaps keys (but does not", amp_upper_bound_on(where, w, apart, v));
            }
            check_memory();
        }
    }
}

int run_algorithms_overlap(void)
{
    const struct CMUnitTest tests[] = {
        TEST(selections),
        TEST(selections_of_two_views),
        TEST(selections_of_structs),
        TEST(fickle_predicates),
        TEST(in_place),
        TEST(results_within),
        TEST(refused),
    };
    return cmocka_run_group_tests_name("algorithms/overlap", tests, NULL, NULL);
}
