// SPDX-License-Identifier: MIT
/*  room.c - algorithms whose result has too little room: behind its view nothing is written, on any backend. Where
    the data decide how long a result is, what there is room for is right, and the count is that of all.
    Also tests amp/algorithms/plan.h, amp/algorithms/runs.h. */
#include "test.h"

#include "amp_algorithms.h"

enum { MOST = 6000, GUARD = 300 };

/* Two in order, with repeated elements, and how long they are; memory for two results, and what these should be. */
static int left[MOST], right[MOST], lefts, rights;
static int memory[2][2 * MOST + GUARD], want[2][2 * MOST];

static void fill_in_order(int *values, int n)
{
    for (int i = 0, value = 0; i < n; i++)
        values[i] = value += test_random_int(0, 2) / 2;
}

/* What a call gives, by loops: how many, the elements in want[0] and, of calls with two results, in want[1]. */
static int want_odd(void)
{
    int n = 0;
    for (int i = 0; i < lefts; i++)
        if (left[i] & 1)
            want[0][n++] = 3 * left[i];
    return n;
}

static int want_runs(void)
{
    int n = 0;
    for (int i = 0; i < lefts; i++) {
        if (i == 0 || left[i] != left[i - 1])
            want[0][n++] = 0;
        want[0][n - 1]++;
        want[1][n - 1] = left[i];
    }
    return n;
}

static int want_firsts(void)
{
    const int n = want_runs();
    memcpy(want[0], want[1], sizeof want[0]);
    return n;
}

static int want_difference(void)
{
    int n = 0;
    for (int i = 0, j = 0; i < lefts; i++) {
        while (j < rights && right[j] < left[i])
            j++;
        if (j < rights && right[j] == left[i])
            j++;
        else
            want[0][n++] = left[i];
    }
    return n;
}

typedef struct call {
    amp_accelerator_view where;
    amp_const_array_view_int_1 v, w;
    amp_array_view_int_1 out, kept, many; /* many: of one element; who takes a variable takes count */
    int count;
} call;

static void selects(call *c)
{
    const amp_const_array_view_int_1 v = c->v;
    AMP_SELECT_IF_ON(c->where, c->out, c->many, v.extent, (i), AMP_CAPTURE(v), (AMP_AT(v, i) & 1), 3 * AMP_AT(v, i));
}

static void uniques(call *c) { amp_unique_on(c->where, c->out, c->count, c->v); }

static void encodes(call *c) { amp_run_length_encode_on(c->where, c->kept, c->out, c->many, c->v); }

static void sums_keys(call *c)
{
    AMP_REDUCE_BY_KEY_ON(c->where, int, c->kept, c->out, c->count, c->v, (i), AMP_CAPTURE(), 1, a + b, 0);
}

static void sums_segments(call *c)
{
    const amp_const_array_view_int_1 v = c->v;
    AMP_REDUCE_SEGMENTS_ON(c->where, int, c->out, c->count, v.extent, (i), AMP_CAPTURE(v),
                           AMP_AT(v, i) != AMP_AT(v, i - 1), 1, a + b, 0);
}

static void differs(call *c) { amp_set_difference_on(c->where, c->out, c->count, c->v, c->w); }

/* What the data decide: by loops, by the call; the names of the arguments that get it. */
static const struct {
    const char *name, *out, *kept;
    int (*wanted)(void);
    void (*make)(call *);
    bool into_view; /* the count */
} counted[] = {
    { "AMP_SELECT_IF", "out", NULL, want_odd, selects, true },
    { "amp_unique", "out", NULL, want_firsts, uniques, false },
    { "amp_run_length_encode", "lengths", "kept", want_runs, encodes, true },
    { "AMP_REDUCE_BY_KEY", "out", "kept", want_runs, sums_keys, false },
    { "AMP_REDUCE_SEGMENTS", "out", NULL, want_runs, sums_segments, false },
    { "amp_set_difference", "out", NULL, want_difference, differs, false },
};

/* Is a launch over when it returns? */
static bool is_told_at_once(amp_accelerator_view where)
{
#if defined(AMP_CHECKED)
    (void)where;
    return true;
#else
    return test_is_cpu(where);
#endif
}

/* Calls number n with so much room for the result, and for the keys that are kept. */
static void with_room(amp_accelerator_view where, size_t n, int needed, int room, int room_kept)
{
    test_poison(memory[0], 2 * MOST + GUARD);
    test_poison(memory[1], 2 * MOST + GUARD);
    int many = -1;
    {
        AMP_CONST_ARRAY_VIEW(int, 1, v, left, lefts);
        AMP_CONST_ARRAY_VIEW(int, 1, w, right, rights);
        AMP_ARRAY_VIEW(int, 1, all, memory[0], 2 * MOST + GUARD);
        AMP_ARRAY_VIEW(int, 1, all_kept, memory[1], 2 * MOST + GUARD);
        AMP_ARRAY_VIEW(int, 1, count, &many, 1);
        call c = { where, v, w, amp_section(all, 0, room), amp_section(all_kept, 0, room_kept), count, -1 };
        counted[n].make(&c);
        if (!counted[n].into_view)
            AMP_AT(count, 0) = c.count;
        else if (room % 2)
            check_int(AMP_AT(count, 0), needed); /* else it comes home when the view ends */
    }
    const bool short_out = room < needed, short_kept = counted[n].kept && room_kept < needed;
    const int had = short_out ? room : room_kept;
    char text[200];
    snprintf(text, sizeof text,
             "%s: the result has %d elements, but the view %s has %d, where the first %d are; use a larger view",
             counted[n].name, needed, short_out ? counted[n].out : counted[n].kept, had, had);
    if (short_out || short_kept)
        expect_error(AMP_INVALID_ARGUMENT, text);
    expect_no_error();
    check_int(many, needed);
    for (int k = 0; k < (counted[n].kept ? 2 : 1); k++) {
        const int end = (k ? room_kept : room) < needed ? (k ? room_kept : room) : needed;
        check_ints(memory[k], want[k], end);
        for (int i = end; i < 2 * MOST + GUARD; i++)
            check_that(memory[k][i] == POISON, "%s: element %d of %d, with room for %d and %d", counted[n].name, i,
                       needed, room, room_kept);
    }
}

static void little_room(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int at = 0; at < 3; at++) {
            lefts = at == 0 ? 1 : at == 1 ? 2048 : test_random_int(2049, MOST);
            lefts = lefts > 1 && test_is_slow(where) ? 300 : lefts;
            rights = test_random_int(0, lefts);
            fill_in_order(left, lefts);
            fill_in_order(right, rights);
            for (size_t n = 0; n < sizeof counted / sizeof counted[0]; n++) {
                if (!test_is_cpu(where) && is_told_at_once(where) && !counted[n].into_view)
                    continue; /* checked builds compile long, and the others have the same kernels */
                const int needed = counted[n].wanted();
                with_room(where, n, needed, needed, needed);
                if (needed == 0)
                    continue;
                with_room(where, n, needed, needed - 1, needed);
                with_room(where, n, needed, needed, test_random_int(0, needed - 1));
                with_room(where, n, needed, test_random_int(0, needed - 1), 0);
            }
        }
    }
}

/* A count that nobody has waited for, and that is another one when it comes home. */
static void changed_counts(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        lefts = 300;
        for (int i = 0; i < lefts; i++)
            left[i] = 1;
        int many[2] = { -1, -1 };
        for (int by_host = 0; by_host < 2; by_host++) {
            AMP_CONST_ARRAY_VIEW(int, 1, v, left, lefts);
            AMP_ARRAY_VIEW(int, 1, out, memory[0], lefts - 1);
            AMP_ARRAY_VIEW(int, 1, counts, many, 2);
            call c = { where, v, v, out, out, amp_section(counts, 1, 1), -1 };
            selects(&c);
            if (is_told_at_once(where))
                expect_error(AMP_INVALID_ARGUMENT,
                             "AMP_SELECT_IF: the result has 300 elements, but the view out has 299");
            if (by_host) {
                amp_array_view_discard_data(&counts); /* so that nothing is brought */
                AMP_AT(counts, 0) = AMP_AT(counts, 1) = 1000;
            } else {
                AMP_PARALLEL_FOR_EACH_ON(where, counts.extent, (i), AMP_CAPTURE(counts), { AMP_AT(counts, i) = 1000; });
            }
        }
        expect_no_error();
        check_int(many[1], 1000);
    }
}

/* Where it is known before, nothing is done: one element too short, and what is said. */
#define REFUSED(text, ...)                                                                                             \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        expect_error(AMP_INVALID_ARGUMENT, text);                                                                      \
    } while (0)

static void known_lengths(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        fill_in_order(left, 100);
        test_poison(memory[0], 200);
        int count = -1;
        {
            AMP_CONST_ARRAY_VIEW(int, 1, v, left, 100);
            AMP_CONST_ARRAY_VIEW(int, 2, table, left, 10, 10);
            AMP_ARRAY_VIEW(int, 1, all, memory[0], 200);
            AMP_ARRAY_VIEW(int, 2, wide, memory[0], 10, 20);
            const amp_array_view_int_1 out = amp_section(all, 0, 99);
            const amp_array_view_int_2 narrow = amp_section(wide, 0, 0, 10, 9), low = amp_section(wide, 0, 0, 9, 20);
            REFUSED("AMP_INCLUSIVE_SCAN: the result has 100 elements, but the view out has 99;",
                    AMP_INCLUSIVE_SCAN_ON(where, int, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0));
            REFUSED("amp_exclusive_sum: the result has 100 elements, but the view out has 99; use a larger view",
                    amp_exclusive_sum_on(where, out, v));
            REFUSED("AMP_EXCLUSIVE_SCAN: the result has 10 elements in dimension 1, but the view out has 9;",
                    AMP_EXCLUSIVE_SCAN_ON(where, int, narrow, table.extent, (i, j), AMP_CAPTURE(table),
                                          AMP_AT(table, i, j), a + b, 0));
            REFUSED("AMP_INCLUSIVE_SCAN_SEGMENTS: the result has 100 elements, but the view out has 99;",
                    AMP_INCLUSIVE_SCAN_SEGMENTS_ON(where, int, out, v.extent, (i), AMP_CAPTURE(v), i % 7 == 0,
                                                   AMP_AT(v, i), a + b, 0));
            REFUSED("AMP_EXCLUSIVE_SCAN_ROWS: the result has 10 elements in dimension 1, but the view out has 9;",
                    AMP_EXCLUSIVE_SCAN_ROWS_ON(where, int, narrow, table.extent, (i, j), AMP_CAPTURE(table),
                                               AMP_AT(table, i, j), a + b, 0));
            REFUSED("AMP_INCLUSIVE_SCAN_ROWS: the result has 10 elements in dimension 0, but the view out has 9;",
                    AMP_INCLUSIVE_SCAN_ROWS_ON(where, int, low, table.extent, (i, j), AMP_CAPTURE(table),
                                               AMP_AT(table, i, j), a + b, 0));
            REFUSED("AMP_PARTITION: the result has 100 elements, but the view out has 99; use a larger view",
                    AMP_PARTITION_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) & 1, AMP_AT(v, i)));
            REFUSED("amp_merge: the result has 150 elements, but the view out has 99; use a larger view",
                    amp_merge_on(where, out, v, amp_section(v, 0, 50)));
            REFUSED("amp_lower_bound: the lengths differ, 99 and 100 elements", amp_lower_bound_on(where, out, v, v));
            call c = { where, v, v, out, amp_section(all, 99, 200 - 99), amp_section(all, 0, 0), -1 };
            REFUSED("AMP_SELECT_IF: the view for the result is empty", selects(&c));
            REFUSED("amp_run_length_encode: the view for the result is empty", encodes(&c));
        }
        check_int(count, -1);
        for (int i = 0; i < 200; i++)
            check_int(memory[0][i], POISON);
    }
}

/* More elements than a call takes: refused, without a sum that overflows. */
#define TOO_MANY(text, ...)                                                                                            \
    do {                                                                                                               \
        __VA_ARGS__;                                                                                                   \
        expect_error(AMP_INVALID_COMPUTE_DOMAIN, text);                                                                \
    } while (0)

static void too_many(void **state)
{
    (void)state;
    const amp_extent2 all = AMP_EXTENT(INT_MAX, INT_MAX), tall = AMP_EXTENT(1 << 23, 200);
    int sum = -1, counts[4] = { -1 };
    AMP_ARRAY_VIEW(int, 1, bins, counts, 4);
    AMP_ARRAY(int8_t, 1, rows, 1 << 23);
    TOO_MANY("AMP_REDUCE: 4611686014132420609 elements are more than the limit of 4398046511104",
             AMP_REDUCE(int, sum, all, (i, j), AMP_CAPTURE(), i ^ j, a + b, 0));
    TOO_MANY("AMP_REDUCE: more than 9223372036854775807 elements are more than the limit",
             AMP_REDUCE(int, sum, AMP_EXTENT(INT_MAX, INT_MAX, 8), (i, j, k), AMP_CAPTURE(), i ^ j ^ k, a + b, 0));
    TOO_MANY("AMP_REDUCE_ROWS: 1677721600 elements are more than the limit of 1677721400",
             AMP_REDUCE_ROWS(int8_t, rows, tall, (i, j), AMP_CAPTURE(), (int8_t)(i ^ j), a | b, 0));
    TOO_MANY("AMP_HISTOGRAM: 4611686014132420609 elements are more than the limit",
             AMP_HISTOGRAM(bins, all, (i, j), AMP_CAPTURE(), i ^ j));
    check_int(sum, -1);
}

int run_algorithms_room(void)
{
    const struct CMUnitTest tests[] = {
        TEST(little_room),
        TEST(changed_counts),
        TEST(known_lengths),
        TEST(too_many),
    };
    return cmocka_run_group_tests_name("algorithms/room", tests, NULL, NULL);
}
