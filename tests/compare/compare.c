// SPDX-License-Identifier: MIT
/*  compare.c - AMP_COMPARE: what differs between a device and the CPU is reported with its kernel, launch and
    element, and nothing else is. Kernels that differ have another text on devices (AMP_PRIV_HOST_OR_DEVICE).
    Also tests amp/codegen/fields.h, amp/compare/compare_memory.h, amp/compare/compare_options.h,
    amp/compare/compare_report.h, amp/compare/compare_values.h. */
#include "test.h"
#include "child.h"

#include "amp_algorithms.h"
#include "amp_graphics.h"

int run_compare_compare(void);

#define COUNT 256
#define SIDE  16
#define DEEP  8

/* ---- what differs ---------------------------------------------------------------------------------- */

/* One more on a device. */
#define MORE_ON_DEVICE AMP_PRIV_HOST_OR_DEVICE(0, "1")

static void one_float(void)
{
    static float from[SIDE * SIDE], to[SIDE * SIDE];
    AMP_ARRAY_VIEW(float, 2, out, to, SIDE, SIDE);
    AMP_CONST_ARRAY_VIEW(float, 2, in, from, SIDE, SIDE);
    for (int round = 0; round < 3; round++)
        AMP_PARALLEL_FOR_EACH(out.extent, (row, col), AMP_CAPTURE(in, out, round), {
            const int there = row == 7 && col == 5 && round == 1;
            AMP_AT(out, row, col) = 2 * AMP_AT(in, row, (col + 1) % SIDE) + 3 + (float)(there * MORE_ON_DEVICE);
        });
}

/* The element is that of the view, which begins in the middle of its source. */
static void of_a_section(void)
{
    static int values[COUNT];
    AMP_ARRAY_VIEW(int, 1, all, values, COUNT);
    const amp_array_view_int_1 part = amp_section(all, 64, 64);
    AMP_PARALLEL_FOR_EACH(part.extent, (i), AMP_CAPTURE(part), {
        AMP_AT(part, i) = i * i;
        if (i >= 60)
            AMP_AT(part, i) += MORE_ON_DEVICE;
    });
    AMP_AT(part, 0) = 1;
}

AMP_STRUCT(point, {
    float x, y;
    int hits[2];
});
AMP_DEFINE_ELEMENT(point);

static void of_an_array(void)
{
    AMP_ARRAY(point, 1, points, COUNT);
    AMP_PARALLEL_FOR_EACH(points.extent, (i), AMP_CAPTURE(points), {
        point p = { (float)i, 1, { 7, 8 } };
        if (i == 99)
            p.hits[1] += MORE_ON_DEVICE;
        AMP_AT(points, i) = p;
    });
}

static void of_tiles(void)
{
    static int sums[COUNT];
    AMP_ARRAY_VIEW(int, 1, v, sums, COUNT);
    AMP_TILED(v.extent, (DEEP), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, row, [DEEP]);
        AMP_THREADS(tile, t) { row[t.local.v[0]] = t.global.v[0]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = row[DEEP - 1 - t.local.v[0]] + (t.global.v[0] == 83 ? MORE_ON_DEVICE : 0);
        }
    });
}

/* Values of each type: the last element is one more on a device. */
#define ONE_MORE(T, least)                                                                                             \
    static void one_##T(void)                                                                                          \
    {                                                                                                                  \
        static T many[DEEP];                                                                                           \
        AMP_ARRAY_VIEW(T, 1, of_##T, many, DEEP);                                                                      \
        AMP_PARALLEL_FOR_EACH(of_##T.extent, (i), AMP_CAPTURE(of_##T), {                                               \
            AMP_AT(of_##T, i) = (T)(least + (i == 7 ? MORE_ON_DEVICE : 0));                                            \
        });                                                                                                            \
    }
ONE_MORE(int8_t, -100)
ONE_MORE(uint8_t, 200)
ONE_MORE(int16_t, -300)
ONE_MORE(uint16_t, 60000)
ONE_MORE(uint32_t, 4000000000u)
ONE_MORE(int64_t, -5000000000)
ONE_MORE(uint64_t, 18446744073709551614u)

AMP_STRUCT(mixed, {
    unsigned long large;
    amp_float_2 pair;
    unsigned flags;
    unsigned short middle, list[2];
    unsigned char small[2];
    signed char tiny[4];
});
AMP_DEFINE_ELEMENT(mixed)

#define ONE_MEMBER(name, lvalue, T, least)                                                                             \
    static void of_##name(void)                                                                                        \
    {                                                                                                                  \
        static mixed values[DEEP];                                                                                     \
        AMP_ARRAY_VIEW(mixed, 1, members, values, DEEP);                                                               \
        AMP_PARALLEL_FOR_EACH(members.extent, (i), AMP_CAPTURE(members), {                                             \
            mixed x = { 0 };                                                                                           \
            lvalue = (T)(least + (i == 7 ? MORE_ON_DEVICE : 0));                                                     \
            AMP_AT(members, i) = x;                                                                                    \
        });                                                                                                            \
    }
ONE_MEMBER(small, x.small[1], unsigned char, 250)
ONE_MEMBER(list, x.list[1], unsigned short, 65000)
ONE_MEMBER(flags, x.flags, unsigned, 4000000000u)
ONE_MEMBER(large, x.large, unsigned long, 5)
ONE_MEMBER(pair, AMP_Y(x.pair), float, 1.5f)

static int child_types(void)
{
    one_int8_t();
    one_uint8_t();
    one_int16_t();
    one_uint16_t();
    one_uint32_t();
    one_int64_t();
    one_uint64_t();
    of_small();
    of_list();
    of_flags();
    of_large();
    of_pair();
    exit(0);
}

AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_bfloat16)

/* Numbers of 16 bits: one more on a device, below the normal ones, infinite. */
static void of_halves(float factor)
{
    static amp_half values[COUNT];
    AMP_ARRAY_VIEW(amp_half, 1, some, values, COUNT);
    AMP_PARALLEL_FOR_EACH(some.extent, (i), AMP_CAPTURE(some, factor),
                          { AMP_AT(some, i) = amp_float_to_half((float)(i == 7 ? 8 + MORE_ON_DEVICE : 8) * factor); });
}

static void of_bfloats(void)
{
    static amp_bfloat16 values[COUNT];
    AMP_ARRAY_VIEW(amp_bfloat16, 1, bfloat, values, COUNT);
    AMP_PARALLEL_FOR_EACH(bfloat.extent, (i), AMP_CAPTURE(bfloat),
                          { AMP_AT(bfloat, i) = amp_float_to_bfloat16((float)(i == 7 ? 8 + MORE_ON_DEVICE : 8)); });
}

/* On a device it is no number. */
static void of_nan(void)
{
    static double values[COUNT];
    AMP_ARRAY_VIEW(double, 1, number, values, COUNT);
    AMP_PARALLEL_FOR_EACH(number.extent, (i), AMP_CAPTURE(number), {
        const double zero = (double)(i == 7 ? 1 - MORE_ON_DEVICE : 1);
        AMP_AT(number, i) = zero / zero;
    });
}

static int child_narrow(void)
{
    of_halves(-1);
    of_halves(0x1p-22f);
    of_halves(7300);
    of_bfloats();
    of_nan();
    exit(0);
}

static int child_differ(void)
{
    one_float();
    of_a_section();
    of_an_array();
    of_tiles();
    exit(0);
}

/* ---- what is right on the CPU and wrong on a device: docs/faq.md ------------------------------------- */

/* Tile-uniform code runs once for each tile on the CPU, and once for each thread on a device. */
static void uniform_write(void)
{
    static int counts[COUNT / DEEP];
    AMP_ARRAY_VIEW(int, 1, v, counts, COUNT / DEEP);
    AMP_TILED(AMP_EXTENT(COUNT), (DEEP), tile, AMP_CAPTURE(v), {
        amp_atomic_fetch_add(&AMP_AT(v, tile.tile), 1);
        AMP_THREADS(tile, t) { (void)t; }
    });
}

static void uniform_variable(void)
{
    static int sums[COUNT];
    AMP_ARRAY_VIEW(int, 1, v, sums, COUNT);
    AMP_TILED(v.extent, (DEEP), tile, AMP_CAPTURE(v), {
        int sum[] = { 0 };
        AMP_THREADS(tile, t) { sum[0] += 1; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sum[0]; }
    });
}

/* The device has what was there before. */
static void written_behind(void)
{
    static int behind[COUNT], sums[COUNT];
    AMP_CONST_ARRAY_VIEW(int, 1, v, behind, COUNT);
    AMP_ARRAY_VIEW(int, 1, sum, sums, COUNT);
    for (int round = 0; round < 2; round++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, sum), { AMP_AT(sum, i) = 3 * AMP_AT(v, i); });
        behind[33] = 1;
    }
}

/* On a device each view has a copy of its own. */
static void two_views(void)
{
    static int shared[COUNT];
    for (int i = 0; i < COUNT; i++)
        shared[i] = i;
    AMP_ARRAY_VIEW(int, 1, v, shared, COUNT);
    AMP_ARRAY_VIEW(int, 1, w, shared, COUNT);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w), {
        AMP_AT(v, i) = -1;
        if (i == 40)
            AMP_AT(v, i) = AMP_AT(w, i) + 100;
    });
}

static int child_mistakes(void)
{
    uniform_write();
    uniform_variable();
    written_behind();
    two_views();
    exit(0);
}

/* What was discarded has another content in each run. */
static void unwritten(void)
{
    static int values[COUNT], sums[COUNT];
    AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
    AMP_ARRAY_VIEW(int, 1, sum, sums, COUNT);
    amp_array_view_discard_data(&v);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i != 17)
            AMP_AT(v, i) = i;
    });
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, w, COUNT);
    AMP_PARALLEL_FOR_EACH(w.extent, (i), AMP_CAPTURE(w, sum), { AMP_AT(sum, i) = i == 21 ? AMP_AT(w, i) : 0; });
}

static int child_unwritten(void)
{
    unwritten();
    exit(0);
}

/* ---- what does not differ ---------------------------------------------------------------------------- */

/* Order of additions; numbers of tickets, which nothing but the order decides. */
static void atomics(void)
{
    static float sums[4];
    static int tickets[COUNT], next[1];
    AMP_ARRAY_VIEW(float, 1, sum, sums, 4);
    AMP_ARRAY_VIEW(int, 1, ticket, tickets, COUNT);
    AMP_ARRAY_VIEW(int, 1, counter, next, 1);
    AMP_PARALLEL_FOR_EACH(ticket.extent, (i), AMP_CAPTURE(sum),
                          { amp_atomic_fetch_add(&AMP_AT(sum, i % 4), 1.0f / (float)(i + 1)); });
    AMP_PARALLEL_FOR_EACH(ticket.extent, (i), AMP_CAPTURE(ticket, counter),
                          { AMP_AT(ticket, i) = amp_atomic_fetch_add(&AMP_AT(counter, 0), 1); });
}

/* NaN, infinity, both zeros; a part that is written; an array of which nothing is defined before. */
static void contents(void)
{
    static float values[COUNT];
    AMP_ARRAY_VIEW(float, 1, v, values, COUNT);
    AMP_ARRAY(double, 1, a, COUNT);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, a), {
        const float zero = (float)(i - i);
        AMP_AT(a, i) = sqrt((double)i);
        if (i % 4)
            AMP_AT(v, i) = i % 4 == 1 ? zero / zero : i % 4 == 2 ? -1 / zero : expf((float)i / 64) * -zero;
    });
    amp_array_view_discard_data(&v);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(COUNT / 2), (i), AMP_CAPTURE(v), { AMP_AT(v, 2 * i) = cosf((float)i); });
}

/* A recording is never made: each round is launched, and compared. */
static void recorded(void)
{
    static int values[COUNT];
    AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    amp_recording recording = { NULL };
    for (int round = 0; round < 3; round++)
        if (!amp_recording_replay(recording)) {
            (void)amp_recording_begin(where);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
            recording = amp_recording_end();
        }
    if (AMP_AT(v, 5) != 15)
        exit(1);
}

static void algorithms(void)
{
    static int keys[COUNT];
    static float numbers[COUNT];
    for (int i = 0; i < COUNT; i++) {
        keys[i] = (i * 37) % 101;
        numbers[i] = 1.0f / (float)(i + 1);
    }
    AMP_ARRAY_VIEW(int, 1, key, keys, COUNT);
    AMP_ARRAY_VIEW(float, 1, number, numbers, COUNT);
    amp_sort(key);
    const float sum = amp_sum(number);
    int counts[40];
    AMP_ARRAY_VIEW(int, 1, count, counts, 40);
    test_set_sort_tiles(7); /* as on a GPU: a bin has several places there, and one on the CPU */
    AMP_HISTOGRAM(count, key.extent, (i), AMP_CAPTURE(key), AMP_AT(key, i) % 40);
    test_set_sort_tiles(0);
    if (!(sum > 6 && sum < 7) || AMP_AT(key, 0) != 0 || AMP_AT(count, 0) != 9)
        exit(1);
}

/* Few integers that are rounded otherwise after an inexact function are no difference. Half of them are one, and so are
   a larger distance and a number with a fraction. */
AMP_STRUCT(rounded_pair, {
    int whole;
    float part;
});
AMP_DEFINE_ELEMENT(rounded_pair)

static void rounded(int step, int by, float more)
{
    static rounded_pair pairs[4096];
    AMP_ARRAY_VIEW(rounded_pair, 1, v, pairs, 4096);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, step, by, more), {
        const int there = i % step == 1 ? MORE_ON_DEVICE : 0;
        AMP_AT(v, i).whole = (int)(expf(0.0f) * (float)i) + there * by;
        AMP_AT(v, i).part = i == 2000 ? (float)MORE_ON_DEVICE * more : 0;
    });
}

static int child_rounded(void)
{
    rounded(1024, 1, 0);
    rounded(1024, 0x10001, 0); /* two parts of a pixel */
    rounded(2, 1, 0);
    rounded(2048, 300, 0);
    rounded(1024, 1, 1e6f);
    exit(0);
}

/* Row sums of positive and negative terms, all 0 but one: on a device there is a rest in 50 of them. */
static void cancelling(float size, float rest)
{
    static float terms[COUNT * 4], sums[COUNT];
    for (int i = 0; i < COUNT; i++) {
        terms[4 * i] = size;
        terms[4 * i + 1] = -3 * size;
        terms[4 * i + 2] = 2 * size;
        terms[4 * i + 3] = i == 9 ? size : 0;
    }
    AMP_CONST_ARRAY_VIEW(float, 2, in, terms, COUNT, 4);
    AMP_ARRAY_VIEW(float, 1, sum, sums, COUNT);
    AMP_PARALLEL_FOR_EACH(sum.extent, (i), AMP_CAPTURE(in, sum, rest), {
        float s = 0;
        for (int k = 0; k < 4; k++)
            s += AMP_AT(in, i, k);
        AMP_AT(sum, i) = s + (float)((i >= 100 && i < 150) * MORE_ON_DEVICE) * rest;
    });
}

/* The terms are in a view that is not const. */
static void cancelling_doubles(void)
{
    static double rows[COUNT * 2], sums[COUNT];
    for (int i = 0; i < 2 * COUNT; i++)
        rows[i] = i % 2 ? -1.0 / 3 : 1.0 / 3;
    AMP_ARRAY_VIEW(double, 2, row, rows, COUNT, 2);
    AMP_ARRAY_VIEW(double, 1, sum, sums, COUNT);
    AMP_PARALLEL_FOR_EACH(sum.extent, (i), AMP_CAPTURE(row, sum), {
        AMP_AT(sum, i) = AMP_AT(row, i, 0) + AMP_AT(row, i, 1) + (i % 5 == 0 ? (double)MORE_ON_DEVICE * 0x1p-51 : 0);
    });
}

/* Contents that nothing has written are no terms. */
static void beside_discarded(void)
{
    static float unused[COUNT], sums[COUNT];
    AMP_ARRAY_VIEW(float, 1, other, unused, COUNT);
    AMP_ARRAY_VIEW(float, 1, sum, sums, COUNT);
    amp_array_view_discard_data(&other);
    AMP_PARALLEL_FOR_EACH(sum.extent, (i), AMP_CAPTURE(other, sum), {
        AMP_AT(sum, i) = (float)(i == 30 ? 1 + MORE_ON_DEVICE : 1);
        if (i == 7)
            AMP_AT(other, i) = 1;
    });
}

static int child_cancelling(void)
{
    cancelling(1, 0x1p-20f);
    cancelling(100, 0x1p-14f);
    cancelling_doubles();
    exit(0);
}

static int child_small(void)
{
    cancelling(0x1p-20f, 0x1p-20f); /* the rest is as large as the terms */
    beside_discarded();
    exit(0);
}

static int child_alike(void)
{
    atomics();
    contents();
    recorded();
    algorithms();
    exit(0);
}

/* On a group of two, and streamed through one of them. */
static void in_bands(amp_accelerator_view where, float *from, float *to)
{
    AMP_ARRAY_VIEW(float, 2, out, to, SIDE, SIDE);
    AMP_CONST_ARRAY_VIEW(float, 2, in, from, SIDE, SIDE);
    for (int round = 0; round < 2; round++)
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (row, col), AMP_CAPTURE(in, out, round), {
            const int there = row == 12 && col == 3 && round == 1;
            AMP_AT(out, row, col) += AMP_AT(in, row > 0 ? row - 1 : 0, col) + (float)(there * MORE_ON_DEVICE);
        });
}

static int child_bands(void)
{
    static float from[SIDE * SIDE], to[SIDE * SIDE];
    amp_accelerator all[8];
    if (amp_accelerator_get_all(all, 8) < 3)
        exit(77);
    amp_accelerator_view group = amp_accelerator_view_create_group(all + 1, 2),
                         streamed = amp_accelerator_view_create_streamed(amp_accelerator_default_view(all[1]), 1500);
    in_bands(group, from, to);
    in_bands(streamed, from, to);
    amp_accelerator_view_release(&group);
    amp_accelerator_view_release(&streamed);
    exit(to[12 * SIDE + 3] == 2 && to[0] == 0 ? 0 : 1);
}

CHILDREN({ "bands", child_bands }, { "differ", child_differ }, { "types", child_types }, { "mistakes", child_mistakes },
         { "unwritten", child_unwritten }, { "cancelling", child_cancelling }, { "small", child_small },
         { "alike", child_alike }, { "rounded", child_rounded }, { "narrow", child_narrow })

/* ---- tests ------------------------------------------------------------------------------------------- */

static char output[32768];

/* Runs a child with that environment; skips the test where there is no device, or no child. Returns its status. */
static int compared(const char *name, const char *environment)
{
    const amp_accelerator accelerator = amp_accelerator_default();
    if (!strcmp(amp_accelerator_path(accelerator), "cpu"))
        skip();
    const int status = child_run(name, environment, output, sizeof output);
    if (status == -1)
        skip();
    return status;
}

#define expect_output(text)    check_that(strstr(output, text), "\"%s\" is not in: %s", text, output)
#define expect_no_output(text) check_that(!strstr(output, text), "\"%s\" is in: %s", text, output)

static void the_first_difference_is_reported(void **state)
{
    (void)state;
    check_int(compared("differ", "AMP_COMPARE=cpu"), 0);
    expect_output("kernel in one_float, at or near tests/compare/compare.c:");
    expect_output(", launch 2: out(7, 5) is 4 on ");
    expect_output(" and 3 on cpu: 4194304 ulps, 1 apart; 1 of 256 elements of out differ\n");
    expect_output("AMP_BREAK_AT=one_float:7,5,2");
    expect_output(", launch 1: part(60) is 3601 on ");
    expect_output(" and 3600 on cpu; 4 of 64 elements of part differ\n");
    expect_output(", launch 1: points(99).hits is 9 on ");
    expect_output(" and 8 on cpu; 1 of 256 elements of points differ\n");
    expect_output(", launch 1: v(83) is 85 on ");
    expect_output("6 launches compared, 4 differ");
#if defined(AMP_CHECKED)
    expect_output("it is used at index (7, 5), which uses:\n");
    expect_output("in(7, 6) = 0, the same on both\n");
    expect_output("out(7, 5) = 3 before the launch, the same on both; 4 after it on ");
    expect_output("in tile (10), thread (3), global index (83)");
#endif
}

static void values_have_the_form_of_their_type(void **state)
{
    static const char *const wanted[] = {
        "of_int8_t(7) is -99 on ",
        " and -100 on cpu;",
        "of_uint8_t(7) is 201 on ",
        " and 200 on cpu;",
        "of_int16_t(7) is -299 on ",
        " and -300 on cpu;",
        "of_uint16_t(7) is 60001 on ",
        " and 60000 on cpu;",
        "of_uint32_t(7) is 4000000001 on ",
        " and 4000000000 on cpu;",
        "of_int64_t(7) is -4999999999 on ",
        " and -5000000000 on cpu;",
        "of_uint64_t(7) is 18446744073709551615 on ",
        " and 18446744073709551614 on cpu;",
    };
    (void)state;
    check_int(compared("types", "AMP_COMPARE=cpu"), 0);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        expect_output(wanted[i]);
    expect_output("members(7).small is 251 on ");
    expect_output("members(7).list is 65001 on ");
    expect_output("members(7).flags is 4000000001 on ");
    expect_output("members(7).large is 6 on ");
    expect_output("members(7).pair is 2.5 on ");
    expect_output("12 launches compared, 12 differ");
}

static void numbers_of_16_bits(void **state)
{
    (void)state;
    check_int(compared("narrow", "AMP_COMPARE=cpu"), 0);
    expect_output(", launch 1: some(7) is -9 on ");
    expect_output(" and -8 on cpu: 128 ulps, 1 apart; 1 of 256 elements of some differ\n");
    expect_output(", launch 1: bfloat(7) is 9 on ");
    expect_output(" and 8 on cpu: 16 ulps, 1 apart; 1 of 256 elements of bfloat differ\n");
    expect_output(", launch 1: number(7) is ");
    expect_output(" and 1 on cpu: inf ulps, inf apart; 1 of 256 elements of number differ\n");
    expect_output("            223            inf "); /* from 58,400 to infinity */
    expect_output("5 launches compared, 5 differ");
    /* 8 and 9 times 2^-22 are equal then */
    check_int(compared("narrow", "AMP_COMPARE=cpu:of_halves AMP_COMPARE_ABSOLUTE=0x1p-10"), 0);
    expect_output("3 launches compared, 2 differ");
}

static void functions_are_chosen(void **state)
{
    (void)state;
    check_int(compared("differ", "AMP_COMPARE='cpu:of_*s'"), 0);
    expect_output("kernel in of_tiles");
    expect_no_output("kernel in of_an_array");
    expect_no_output("kernel in one_float");
    expect_output("1 launches compared, 1 differ");
    check_int(compared("differ", "AMP_COMPARE=tomorrow"), 0);
    expect_output("AMP_COMPARE is \"tomorrow\"; it can be cpu, self, or an accelerator");
    check_int(compared("differ", "AMP_COMPARE="), 0);
    expect_no_output("AMP_COMPARE");
}

static void other_targets(void **state)
{
    (void)state;
    check_int(compared("differ", "AMP_COMPARE=self"), 0);
    expect_output("6 launches compared, 0 differ");
    char environment[512];
    snprintf(environment, sizeof environment, "AMP_ACCELERATOR=cpu AMP_COMPARE=%s",
             amp_accelerator_path(amp_accelerator_default()));
    check_int(compared("differ", environment), 0);
    expect_output(", launch 2: out(7, 5) is 3 on cpu and 4 on ");
    expect_output("6 launches compared, 4 differ");
    check_int(compared("differ", "AMP_ACCELERATOR=cpu AMP_COMPARE=cpu"), 0);
    expect_output("0 launches compared, 0 differ; 6 ran on the CPU backend");
}

static void limits_are_obeyed(void **state)
{
    (void)state;
    check_int(compared("differ", "AMP_COMPARE=cpu:one_float AMP_COMPARE_ABSOLUTE=1.5"), 0);
    expect_output("3 launches compared, 0 differ");
    expect_output("are beyond AMP_COMPARE_ULPS, but below AMP_COMPARE_ABSOLUTE");
    check_int(compared("differ", "AMP_COMPARE=cpu:one_float AMP_COMPARE_ULPS=1e9"), 0);
    expect_output("3 launches compared, 0 differ");
    check_int(compared("differ", "AMP_COMPARE=cpu AMP_COMPARE_MEMORY=0"), 0);
    expect_output("kernel in one_float, at or near tests/compare/compare.c:");
    expect_output("is not compared: the copy of its views is larger than AMP_COMPARE_MEMORY");
    expect_output("0 launches compared, 0 differ");
    check(compared("differ", "AMP_COMPARE=cpu AMP_COMPARE_ABORT=1") != 0);
    expect_output("kernel in one_float");
    expect_no_output("kernel in of_a_section");
}

static void mistakes_are_named(void **state)
{
    (void)state;
    check_int(compared("mistakes", "AMP_COMPARE=cpu AMP_FORCE_COPIES=1"), 0);
    expect_output("kernel in uniform_write, at");
    expect_output(", launch 1: v(0) is 8 on ");
    expect_output("kernel in uniform_variable, at");
    expect_output(", launch 1: v(0) is 1 on ");
    expect_output("kernel in written_behind, at");
    expect_output(", launch 2: sum(33) is 0 on ");
    expect_output("kernel in two_views, at");
    expect_output(", launch 1: v(40) is 140 on ");
}

static void what_was_never_written_is_found(void **state)
{
    (void)state;
    const int status = compared("unwritten", "AMP_COMPARE=self");
#if defined(AMP_CHECKED)
    check(status != 0);
    expect_output("it reads w, which was never written");
#else
    check_int(status, 0);
    expect_output(", launch 1: sum(21) is 85 on ");
    expect_output("1 of 256 elements of sum differ");
    expect_output("2 launches compared, 1 differ");
#endif
}

static void what_is_alike_is_not_reported(void **state)
{
    static const char *const environments[] = { "AMP_COMPARE=cpu", "AMP_COMPARE=self AMP_FORCE_COPIES=1" };
    (void)state;
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        check_int(compared("alike", environments[i]), 0);
        expect_output(" launches compared, 0 differ\n");
        expect_output(", atomic additions");
        expect_no_output("AMP_COMPARE: kernel in contents");
        expect_no_output("AMP_COMPARE: kernel in recorded");
    }
}

static void rounded_integers(void **state)
{
    (void)state;
    check_int(compared("rounded", "AMP_COMPARE=cpu"), 0);
    expect_output("kernel in rounded, at or near ");
    expect_output("2048 of 4096 elements of v differ");
    expect_output(", 8 integers rounded otherwise after inexact functions");
    expect_output("5 launches compared, 3 differ");
}

static void sums_that_cancel_are_no_difference(void **state)
{
    (void)state;
    check_int(compared("cancelling", "AMP_COMPARE=cpu"), 0);
    expect_output("3 launches compared, 0 differ");
    expect_output("are beyond AMP_COMPARE_ULPS, but below AMP_COMPARE_ABSOLUTE");
    check_int(compared("cancelling", "AMP_COMPARE=cpu AMP_COMPARE_ABSOLUTE=1e-30"), 0);
    expect_output("3 launches compared, 3 differ");
    check_int(compared("small", "AMP_COMPARE=cpu"), 0);
    expect_output("; 50 of 256 elements of sum differ");
    expect_output(", launch 1: sum(30) is 2 on ");
    expect_output("2 launches compared, 2 differ");
}

static void launches_in_bands_are_compared(void **state)
{
    static const char devices[] = "AMP_GROUP_THREADS=0 AMP_FORCE_COPIES=1 POCL_DEVICES='pthread pthread'";
    char environment[256];
    (void)state;
    snprintf(environment, sizeof environment, "AMP_COMPARE=cpu %s", devices);
    const int status = compared("bands", environment);
    if (status == 77)
        skip(); /* there is one device: no pocl */
    check_int(status, 0);
    expect_output(", launch 2: out(12, 3) is 1 on ");
    expect_output("4 launches compared, 2 differ");
    snprintf(environment, sizeof environment, "AMP_COMPARE=self %s", devices);
    check_int(compared("bands", environment), 0);
    expect_output("4 launches compared, 0 differ");
}

int run_compare_compare(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_difference_is_reported),
        TEST(values_have_the_form_of_their_type),
        TEST(numbers_of_16_bits),
        TEST(functions_are_chosen),
        TEST(other_targets),
        TEST(limits_are_obeyed),
        TEST(mistakes_are_named),
        TEST(what_was_never_written_is_found),
        TEST(what_is_alike_is_not_reported),
        TEST(rounded_integers),
        TEST(sums_that_cancel_are_no_difference),
        TEST(launches_in_bands_are_compared),
    };
    return cmocka_run_group_tests_name("compare/compare", tests, NULL, NULL);
}
