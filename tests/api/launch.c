// SPDX-License-Identifier: MIT
/*  tests/api/launch.c - simple launches: their domain, what they capture, and what may stand in a body.
    Also tests amp/specialize/specialize.h, amp/api/element.h, amp/launch/domain.h, amp/launch/kernel_arguments.h. */
#include "test.h"

#include <float.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat" /* of clang, at %hhd of an int, which printf shortens */

/* ---- the domain (cases 1, 2) --------------------------------------------------------------------- */

/* A launch over a bad extent is refused by name and value, and no index of it runs. */
#define CHECK_REFUSED(view, dimension, text, ...)                                                                      \
    do {                                                                                                               \
        int ran[1] = { POISON };                                                                                       \
        {                                                                                                              \
            AMP_ARRAY_VIEW(int, 1, out, ran, 1);                                                                       \
            AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(__VA_ARGS__), idx, AMP_CAPTURE(out), {                           \
                (void)idx;                                                                                             \
                AMP_AT(out, 0) = 1;                                                                                    \
            });                                                                                                        \
        }                                                                                                              \
        expect_error(AMP_INVALID_COMPUTE_DOMAIN, "component " #dimension " of the launch's extent (" text ") is ");    \
        check_int(ran[0], POISON);                                                                                     \
    } while (0)

static void negative_domain(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_REFUSED(where, 0, "-1", -1);
        CHECK_REFUSED(where, 0, "-2, 3", -2, 3);
        CHECK_REFUSED(where, 0, "-2, -2", -2, -2);
        CHECK_REFUSED(where, 1, "0, -1", 0, -1);
        CHECK_REFUSED(where, 0, "-2147483648, -2147483648", INT_MIN, INT_MIN);
        CHECK_REFUSED(where, 1, "8, -1, 8", 8, -1, 8);
        CHECK_REFUSED(where, 3, "2, 2, 2, -5", 2, 2, 2, -5);
        CHECK_REFUSED(where, 7, "1, 1, 1, 1, 1, 1, 1, -2147483648", 1, 1, 1, 1, 1, 1, 1, INT_MIN);
    }
}

/* ---- indexes that begin at an origin -------------------------------------------------------------- */

/* Each index of the domain, and no other, adds its own number. */
static void domains(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int line[11] = { 0 }, plane[5][7] = { { 0 } }, hyper[3][4][3][5] = { { { { 0 } } } };
        {
            AMP_ARRAY_VIEW(int, 1, a, line, 11);
            AMP_ARRAY_VIEW(int, 2, b, plane, 5, 7);
            AMP_ARRAY_VIEW(int, 4, c, &hyper[0][0][0][0], 3, 4, 3, 5);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(3), AMP_EXTENT(6)), (i), AMP_CAPTURE(a),
                                     { AMP_AT(a, i) += i; });
            for (int border = 0; border < 4; border++)
                AMP_PARALLEL_FOR_EACH_ON(where, amp_inner(b.extent, border), (row, col), AMP_CAPTURE(b),
                                         { AMP_AT(b, row, col) += 10 * row + col; });
            const amp_domain4 corner = AMP_DOMAIN(AMP_INDEX(1, 2, 0, 3), AMP_EXTENT(2, 1, 3, 2));
            AMP_PARALLEL_FOR_EACH_ON(where, corner, at, AMP_CAPTURE(c),
                                     { AMP_AT(c, at) += 1000 * at.v[0] + 100 * at.v[1] + 10 * at.v[2] + at.v[3]; });
        }
        for (int i = 0; i < 11; i++)
            check_int(line[i], i >= 3 && i < 9 ? i : 0);
        for (int i = 0; i < 35; i++) {
            const int row = i / 7, col = i % 7, from_row = row < 3 ? row : 4 - row, from_col = col < 4 ? col : 6 - col;
            check_int(plane[row][col], (10 * row + col) * (1 + (from_row < from_col ? from_row : from_col)));
        }
        for (int i = 0; i < 180; i++) {
            const int v[4] = { i / 60, i / 15 % 4, i / 5 % 3, i % 5 };
            const bool inside = v[0] >= 1 && v[1] == 2 && v[3] >= 3;
            check_int(hyper[v[0]][v[1]][v[2]][v[3]], inside ? 1000 * v[0] + 200 + 10 * v[2] + v[3] : 0);
        }
    }
}

/* One launch at changing origins, with so many captures as a list may have. */
static void moving_domains(void **state)
{
    (void)state;
    const int n = 1;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[64] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, a, got, 64);
            for (int step = 0; step < 8; step++)
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(step * 7), AMP_EXTENT(4 + step % 2)), (i),
                                         AMP_CAPTURE(a, step, AMP_BIND(n1, n), AMP_BIND(n2, n), AMP_BIND(n3, n),
                                                     AMP_BIND(n4, n), AMP_BIND(n5, n), AMP_BIND(n6, n), AMP_BIND(n7, n),
                                                     AMP_BIND(n8, n), AMP_BIND(n9, n), AMP_BIND(m0, n), AMP_BIND(m1, n),
                                                     AMP_BIND(m2, n), AMP_BIND(m3, n), AMP_BIND(m4, n), AMP_BIND(m5, n),
                                                     AMP_BIND(m6, n), AMP_BIND(m7, n), AMP_BIND(m8, n), AMP_BIND(m9, n),
                                                     AMP_BIND(k0, n), AMP_BIND(k1, n), AMP_BIND(k2, n), AMP_BIND(k3, n),
                                                     AMP_BIND(k4, n), AMP_BIND(k5, n), AMP_BIND(k6, n), AMP_BIND(k7, n),
                                                     AMP_BIND(k8, n), AMP_BIND(k9, n), AMP_BIND(l0, n), AMP_BIND(l1, n),
                                                     AMP_BIND(l2, n), AMP_BIND(l3, n), AMP_BIND(l4, n), AMP_BIND(l5, n),
                                                     AMP_BIND(l6, n), AMP_BIND(l7, n), AMP_BIND(l8, n), AMP_BIND(l9, n),
                                                     AMP_BIND(j0, n), AMP_BIND(j1, n), AMP_BIND(j2, n), AMP_BIND(j3, n),
                                                     AMP_BIND(j4, n), AMP_BIND(j5, n), AMP_BIND(j6, n)),
                                         { AMP_AT(a, i) = 100 * step + i + n1 - j6; });
        }
        for (int i = 0; i < 64; i++)
            check_int(got[i], i / 7 < 8 && i % 7 < 4 + i / 7 % 2 ? 100 * (i / 7) + i : 0);
    }
}

static void domains_refused(void **state)
{
    (void)state;
    const amp_domain2 narrow = amp_inner(AMP_EXTENT(9, 4), 2), none = amp_inner(AMP_EXTENT(1, 0), 1);
    check(narrow.v[0] == 5 && narrow.v[1] == 0 && narrow.origin.v[0] == 2 && none.v[0] == 0 && none.v[1] == 0);
    check_int(amp_inner(AMP_EXTENT(-3), 1).v[0], -3);
    FOR_EACH_ACCELERATOR(where)
    {
        int ran[1] = { POISON };
        {
            AMP_ARRAY_VIEW(int, 1, out, ran, 1);
            const amp_domain2 domain[] = { narrow, AMP_DOMAIN(AMP_INDEX(0, -1), AMP_EXTENT(2, 3)),
                                           AMP_DOMAIN(AMP_INDEX(INT_MAX - 1, 0), AMP_EXTENT(2, 3)),
                                           AMP_DOMAIN(AMP_INDEX(1, 1), AMP_EXTENT(2, -3)) };
            static const char *const says[] = {
                NULL,
                "component 1 of the launch's origin (0, -1) is -1; it must not be negative, and with the "
                "extent's, 3, fit an int",
                "component 0 of the launch's origin (2147483646, 0) is 2147483646",
                "component 1 of the launch's extent (2, -3) is -3"
            };
            for (int i = 0; i < 4; i++) {
                AMP_PARALLEL_FOR_EACH_ON(where, domain[i], idx, AMP_CAPTURE(out), { AMP_AT(out, 0) = sizeof idx > 1; });
                if (says[i])
                    expect_error(AMP_INVALID_COMPUTE_DOMAIN, says[i]);
            }
        }
        expect_no_error();
        check_int(ran[0], POISON);
    }
}

/* Over nothing nothing happens, whatever the other components are. */
#define CHECK_NOTHING(view, ...)                                                                                       \
    do {                                                                                                               \
        int ran[1] = { POISON };                                                                                       \
        {                                                                                                              \
            AMP_ARRAY_VIEW(int, 1, out, ran, 1);                                                                       \
            AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(__VA_ARGS__), idx, AMP_CAPTURE(out), {                           \
                (void)idx;                                                                                             \
                AMP_AT(out, 0) = 1;                                                                                    \
            });                                                                                                        \
        }                                                                                                              \
        expect_no_error();                                                                                             \
        check_int(ran[0], POISON);                                                                                     \
    } while (0)

static void empty_domain(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_NOTHING(where, 0);
        CHECK_NOTHING(where, 0, 0);
        CHECK_NOTHING(where, 0, 5);
        CHECK_NOTHING(where, 16, 0);
        CHECK_NOTHING(where, 8, 0, 8);
        CHECK_NOTHING(where, 1, 2, 3, 4, 0);
        CHECK_NOTHING(where, 9, 9, 9, 9, 9, 9, 9, 0);
        CHECK_NOTHING(where, INT_MAX, INT_MAX, INT_MAX, 0);
    }
}

/* More indexes than can be counted. */
#define CHECK_TOO_LARGE(view, text, ...)                                                                               \
    do {                                                                                                               \
        int ran[1] = { POISON };                                                                                       \
        {                                                                                                              \
            AMP_ARRAY_VIEW(int, 1, out, ran, 1);                                                                       \
            AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(__VA_ARGS__), idx, AMP_CAPTURE(out), {                           \
                (void)idx;                                                                                             \
                AMP_AT(out, 0) = 1;                                                                                    \
            });                                                                                                        \
        }                                                                                                              \
        expect_error(AMP_INVALID_COMPUTE_DOMAIN,                                                                       \
                     "the extent (" text ") has more than 9223372036854775807 indexes; launch it in parts");           \
        check_int(ran[0], POISON);                                                                                     \
    } while (0)

static void domain_too_large(void **state)
{
    (void)state;
    if (sizeof(ptrdiff_t) < 8)
        skip(); /* the limit is another */
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_TOO_LARGE(where, "2147483647, 2147483647, 2147483647", INT_MAX, INT_MAX, INT_MAX);
        CHECK_TOO_LARGE(where, "2147483647, 2147483647, 3", INT_MAX, INT_MAX, 3);
        CHECK_TOO_LARGE(where, "65536, 65536, 65536, 32768", 65536, 65536, 65536, 32768);
        CHECK_TOO_LARGE(where, "65536, 65536, 65536, 65536", 65536, 65536, 65536, 65536);
        CHECK_TOO_LARGE(where, "2, 4096, 4096, 4096, 4096, 1024, 16, 1", 2, 4096, 4096, 4096, 4096, 1024, 16, 1);
    }
}

/* More threads in a dimension than the device takes: some have 32 bits for them. */
static void domain_too_large_for_the_device(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        if (test_is_cpu(where) || test_is_group(where))
            continue;
        int got[200] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, got, 200);
        for (size_t limit = 199; limit <= 256; limit += 57) {
            const size_t takes = test_set_max_global(where, limit);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
            test_set_max_global(where, takes);
            if (limit < 200)
                expect_error(AMP_INVALID_COMPUTE_DOMAIN, " x 1 x 1 threads are more than ");
        }
        check(AMP_AT(v, 0) == 1 && AMP_AT(v, 199) == 1);
        /* The flattened dimension of 400 goes in several commands. */
        int flattened[800] = { 0 };
        const size_t takes = test_set_max_global(where, 199);
        {
            AMP_ARRAY_VIEW(int, 4, w, flattened, 20, 20, 1, 2);
            AMP_PARALLEL_FOR_EACH_ON(where, w.extent, (i, j, k, l), AMP_CAPTURE(w),
                                     { AMP_AT(w, i, j, k, l) += i + l; });
        }
        test_set_max_global(where, takes);
        for (int n = 0; n < 800; n++)
            check_int(flattened[n], n / 40 + n % 2);
    }
}

/* ---- every index once (case 5) ------------------------------------------------------------------- */

/* The row-major position of an index, written with its extent only. */
#define POSITION_1(i, e) (i).v[0]
#define POSITION_2(i, e) (POSITION_1(i, e) * (e).v[1] + (i).v[1])
#define POSITION_3(i, e) (POSITION_2(i, e) * (e).v[2] + (i).v[2])
#define POSITION_4(i, e) (POSITION_3(i, e) * (e).v[3] + (i).v[3])
#define POSITION_5(i, e) (POSITION_4(i, e) * (e).v[4] + (i).v[4])
#define POSITION_6(i, e) (POSITION_5(i, e) * (e).v[5] + (i).v[5])
#define POSITION_7(i, e) (POSITION_6(i, e) * (e).v[6] + (i).v[6])
#define POSITION_8(i, e) (POSITION_7(i, e) * (e).v[7] + (i).v[7])

/* Every index writes its position + 1 into one view and adds 1 to its element of another: none is left out, none
   is run twice, none reaches beyond. */
#define CHECK_EVERY_INDEX(N, ...)                                                                                      \
    do {                                                                                                               \
        const amp_extent##N e = AMP_EXTENT(__VA_ARGS__);                                                               \
        const size_t count = amp_size(e);                                                                              \
        int *const position = test_allocate((count + 1) * sizeof(int));                                                \
        int *const times = test_allocate(count * sizeof(int));                                                         \
        FOR_EACH_ACCELERATOR(where)                                                                                    \
        {                                                                                                              \
            if (count > 5000 && test_is_slow(where))                                                                   \
                continue;                                                                                              \
            test_poison(position, count + 1);                                                                          \
            memset(times, 0, count * sizeof(int));                                                                     \
            {                                                                                                          \
                AMP_ARRAY_VIEW(int, N, out, position, e);                                                              \
                AMP_ARRAY_VIEW(int, N, visits, times, e);                                                              \
                amp_array_view_discard_data(&out);                                                                     \
                AMP_PARALLEL_FOR_EACH_ON(where, e, idx, AMP_CAPTURE(out, visits), {                                    \
                    AMP_AT(out, idx) = POSITION_##N(idx, out.extent) + 1;                                              \
                    AMP_AT(visits, idx) += 1;                                                                          \
                });                                                                                                    \
                amp_array_view_synchronize(&out);                                                                      \
                for (size_t i = 0; i < count; i++)                                                                     \
                    check_that(position[i] == (int)i + 1, "element %zu of %zu is %d", i, count, position[i]);          \
            }                                                                                                          \
            for (size_t i = 0; i < count; i++)                                                                         \
                check_that(times[i] == 1, "index %zu of %zu ran %d times", i, count, times[i]);                        \
            check_int(position[count], POISON);                                                                        \
        }                                                                                                              \
        free(position);                                                                                                \
        free(times);                                                                                                   \
    } while (0)

static void every_index_of_rank_1(void **state)
{
    (void)state;
    CHECK_EVERY_INDEX(1, 1);
    CHECK_EVERY_INDEX(1, 255);
    CHECK_EVERY_INDEX(1, 1024);
    CHECK_EVERY_INDEX(1, 1025);
    CHECK_EVERY_INDEX(1, 1000003); /* a prime: no work-group size divides it */
}

static void every_index_of_rank_2(void **state)
{
    (void)state;
    CHECK_EVERY_INDEX(2, 1, 1);
    CHECK_EVERY_INDEX(2, 1, 255);
    CHECK_EVERY_INDEX(2, 32, 8);
    CHECK_EVERY_INDEX(2, 25, 41);
    CHECK_EVERY_INDEX(2, 70001, 3);
}

static void every_index_of_rank_3(void **state)
{
    (void)state;
    CHECK_EVERY_INDEX(3, 1, 10, 1);
    CHECK_EVERY_INDEX(3, 3, 5, 17);
    CHECK_EVERY_INDEX(3, 256, 2, 2);
    CHECK_EVERY_INDEX(3, 5, 5, 41);
}

static void every_index_of_ranks_4_to_8(void **state)
{
    (void)state;
    CHECK_EVERY_INDEX(4, 2, 3, 5, 9);
    CHECK_EVERY_INDEX(4, 1, 1, 1, 1);
    CHECK_EVERY_INDEX(5, 3, 1, 4, 1, 5);
    CHECK_EVERY_INDEX(6, 2, 3, 2, 3, 2, 3);
    CHECK_EVERY_INDEX(7, 7, 1, 2, 1, 3, 1, 4);
    /* Four dimensions that are not 1, at several places: 270 points each. */
    CHECK_EVERY_INDEX(8, 2, 3, 5, 9, 1, 1, 1, 1);
    CHECK_EVERY_INDEX(8, 1, 1, 1, 1, 2, 3, 5, 9);
    CHECK_EVERY_INDEX(8, 2, 1, 3, 1, 5, 1, 9, 1);
    CHECK_EVERY_INDEX(8, 1, 9, 1, 5, 1, 3, 1, 2);
}

/* Shapes nobody thought of. */
static void every_index_of_any_shape(void **state)
{
    (void)state;
    for (int repeat = 0; repeat < 5; repeat++) {
        CHECK_EVERY_INDEX(1, test_random_int(1, 5000));
        CHECK_EVERY_INDEX(2, test_random_int(1, 100), test_random_int(1, 100));
        CHECK_EVERY_INDEX(3, test_random_int(1, 20), test_random_int(1, 20), test_random_int(1, 20));
        CHECK_EVERY_INDEX(5, test_random_int(1, 5), test_random_int(1, 5), test_random_int(1, 5), test_random_int(1, 5),
                          test_random_int(1, 5));
    }
}

/* ---- accelerator views (case 8) ------------------------------------------------------------------ */

/* An array on a view made for it, and a view over that array: both get + 1 from a launch on that view. */
#define CHECK_ON_VIEW(N, LAUNCH, ...)                                                                                  \
    do {                                                                                                               \
        const amp_extent##N e = AMP_EXTENT(__VA_ARGS__);                                                               \
        const size_t count = amp_size(e);                                                                              \
        int *const values = test_allocate(count * sizeof(int)), *const want = test_allocate(count * sizeof(int));      \
        FOR_EACH_ACCELERATOR(standard)                                                                                 \
        {                                                                                                              \
            if (count > 5000 && test_is_slow(standard))                                                                \
                continue;                                                                                              \
            amp_accelerator_view fresh = amp_accelerator_create_view(amp_accelerator_view_accelerator(standard));      \
            check(!amp_accelerator_view_equal(fresh, standard));                                                       \
            for (size_t i = 0; i < count; i++)                                                                         \
                values[i] = (int)i * 3, want[i] = (int)i * 3 + 1;                                                      \
            {                                                                                                          \
                AMP_ARRAY_ON(fresh, int, N, a, e);                                                                     \
                amp_copy_in(values, count, a);                                                                         \
                test_poison(values, count);                                                                            \
                LAUNCH(fresh, a);                                                                                      \
                amp_copy_out(a, values, count);                                                                        \
                check_ints(values, want, count);                                                                       \
            }                                                                                                          \
            for (size_t i = 0; i < count; i++)                                                                         \
                values[i] = (int)i * 3;                                                                                \
            {                                                                                                          \
                AMP_ARRAY_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), int, N, home, e);         \
                amp_copy_in(values, count, home);                                                                      \
                test_poison(values, count);                                                                            \
                const amp_array_view_int_##N v = amp_view_of(home);                                                    \
                LAUNCH(fresh, v);                                                                                      \
                amp_copy_out(v, values, count);                                                                        \
                check_ints(values, want, count);                                                                       \
                test_poison(values, count);                                                                            \
                amp_copy_out(home, values, count);                                                                     \
                check_ints(values, want, count);                                                                       \
            }                                                                                                          \
            amp_accelerator_view_release(&fresh);                                                                      \
        }                                                                                                              \
        free(values);                                                                                                  \
        free(want);                                                                                                    \
    } while (0)
#define ADD_ONE(view, a) AMP_PARALLEL_FOR_EACH_ON(view, a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; })
#define ADD_ONE_TILED(view, a, ...)                                                                                    \
    AMP_TILED_ON(view, a.extent, (__VA_ARGS__), tile, AMP_CAPTURE(a), {                                                \
        AMP_THREADS(tile, t) { AMP_AT(a, t.global) += 1;                                                               \
    }                                                                                                                  \
    })
#define ADD_ONE_TILED_1(view, a) ADD_ONE_TILED(view, a, 8)
#define ADD_ONE_TILED_2(view, a) ADD_ONE_TILED(view, a, 8, 8)
#define ADD_ONE_TILED_3(view, a) ADD_ONE_TILED(view, a, 8, 8, 8)

static void arrays_on_a_fresh_view(void **state)
{
    (void)state;
    CHECK_ON_VIEW(1, ADD_ONE, 64);
    CHECK_ON_VIEW(2, ADD_ONE, 64, 64);
    CHECK_ON_VIEW(3, ADD_ONE, 64, 64, 64);
    CHECK_ON_VIEW(1, ADD_ONE_TILED_1, 64);
    CHECK_ON_VIEW(2, ADD_ONE_TILED_2, 64, 64);
    CHECK_ON_VIEW(3, ADD_ONE_TILED_3, 64, 64, 64);
}

/* ---- captures ------------------------------------------------------------------------------------ */

enum colour { RED = 1, GREEN = 200, BLUE = 70000 };

/* Every integer type through a kernel: sign, width and value arrive. */
static void integers_captured(void **state)
{
    (void)state;
    const bool yes = true;
    bool no = false;
    char letter = 'z';
    signed char negative_byte = -128;
    unsigned char byte = 255;
    short negative_short = SHRT_MIN;
    unsigned short big_short = USHRT_MAX;
    int lowest = INT_MIN;
    unsigned highest = UINT_MAX;
    long long_lowest = LONG_MIN;
    unsigned long long_highest = ULONG_MAX;
    long long longer = LLONG_MAX;
    unsigned long long longest = ULLONG_MAX - 1;
    enum { HIGH = sizeof(size_t) == 8 ? 40 : 24 };
    size_t size = (size_t)5 << HIGH;
    ptrdiff_t difference = -((ptrdiff_t)7 << HIGH);
    int8_t i8 = -7;
    uint8_t u8 = 201;
    int16_t i16 = -30000;
    uint16_t u16 = 60000;
    int32_t i32 = -2000000000;
    uint32_t u32 = 4000000000u;
    int64_t i64 = -((int64_t)1 << 62);
    uint64_t u64 = (uint64_t)3 << 62;
    enum colour colour = BLUE;
    enum { COUNT = 26 };
    const int64_t want[COUNT] = { 1,
                                  0,
                                  'z',
                                  -128,
                                  255,
                                  SHRT_MIN,
                                  USHRT_MAX,
                                  INT_MIN,
                                  UINT_MAX,
                                  LONG_MIN,
                                  (int64_t)ULONG_MAX,
                                  LLONG_MAX,
                                  -2,
                                  (int64_t)5 << HIGH,
                                  -((int64_t)7 << HIGH),
                                  -7,
                                  201,
                                  -30000,
                                  60000,
                                  -2000000000,
                                  4000000000,
                                  -((int64_t)1 << 62),
                                  (int64_t)((uint64_t)3 << 62),
                                  70000,
                                  0x5a5a5a5a,
                                  0x5a5a5a5a };
    int64_t got[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        for (int i = 0; i < COUNT; i++)
            got[i] = 0x5a5a5a5a;
        {
            AMP_ARRAY_VIEW(int64_t, 1, out, got, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero),
                                     AMP_CAPTURE(out, yes, no, letter, negative_byte, byte, negative_short, big_short,
                                                 lowest, highest, long_lowest, long_highest, longer, longest, size,
                                                 difference, i8, u8, i16, u16, i32, u32, i64, u64, colour),
                                     {
                                         int n = zero;
                                         AMP_AT(out, n++) = yes;
                                         AMP_AT(out, n++) = no;
                                         AMP_AT(out, n++) = letter;
                                         AMP_AT(out, n++) = negative_byte;
                                         AMP_AT(out, n++) = byte;
                                         AMP_AT(out, n++) = negative_short;
                                         AMP_AT(out, n++) = big_short;
                                         AMP_AT(out, n++) = lowest;
                                         AMP_AT(out, n++) = highest;
                                         AMP_AT(out, n++) = long_lowest;
                                         AMP_AT(out, n++) = (int64_t)long_highest;
                                         AMP_AT(out, n++) = longer;
                                         AMP_AT(out, n++) = (int64_t)longest;
                                         AMP_AT(out, n++) = (int64_t)size;
                                         AMP_AT(out, n++) = difference;
                                         AMP_AT(out, n++) = i8;
                                         AMP_AT(out, n++) = u8;
                                         AMP_AT(out, n++) = i16;
                                         AMP_AT(out, n++) = u16;
                                         AMP_AT(out, n++) = i32;
                                         AMP_AT(out, n++) = u32;
                                         AMP_AT(out, n++) = i64;
                                         AMP_AT(out, n++) = (int64_t)u64;
                                         AMP_AT(out, n++) = colour;
                                     });
        }
        check_longs(got, want, COUNT);
    }
}

/* All bits of a float and a double. */
static void reals_captured(void **state)
{
    (void)state;
    const float third = 1.0f / 3.0f, most = FLT_MAX, negative_zero = -0.0f;
    float infinity = INFINITY;
    const double fine = 1.0 / 3.0, largest = -DBL_MAX;
    FOR_EACH_ACCELERATOR(where)
    {
        float got[5] = { 7, 7, 7, 7, 7 };
        {
            AMP_ARRAY_VIEW(float, 1, out, got, 5);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(out, third, most, negative_zero, infinity),
                                     {
                                         AMP_AT(out, i) = third;
                                         AMP_AT(out, i + 1) = most;
                                         AMP_AT(out, i + 2) = negative_zero;
                                         AMP_AT(out, i + 3) = infinity;
                                     });
        }
        const float want[5] = { third, most, negative_zero, infinity, 7 };
        check(!memcmp(got, want, sizeof want));

        if (!test_has_double(where))
            continue;
        double wide[3] = { 7, 7, 7 };
        {
            AMP_ARRAY_VIEW(double, 1, out, wide, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(out, fine, largest), {
                AMP_AT(out, i) = fine;
                AMP_AT(out, i + 1) = largest;
            });
        }
        const double expected[3] = { fine, largest, 7 };
        check(!memcmp(wide, expected, sizeof expected));
    }
}

/* The documented limit: 48 names. */
static void captures_to_the_limit(void **state)
{
    (void)state;
    const int a0 = 1, a1 = 2, a2 = 3, a3 = 4, a4 = 5, a5 = 6, a6 = 7, a7 = 8, a8 = 9, a9 = 10;
    const int b0 = 11, b1 = 12, b2 = 13, b3 = 14, b4 = 15, b5 = 16, b6 = 17, b7 = 18, b8 = 19, b9 = 20;
    const int c0 = 21, c1 = 22, c2 = 23, c3 = 24, c4 = 25, c5 = 26, c6 = 27, c7 = 28, c8 = 29, c9 = 30;
    const int d0 = 31, d1 = 32, d2 = 33, d3 = 34, d4 = 35, d5 = 36, d6 = 37, d7 = 38, d8 = 39, d9 = 40;
    const int e0 = 41, e1 = 42, e2 = 43, e3 = 44;
    int one[4] = { 100, 101, 102, 103 }, two[4] = { 200, 201, 202, 203 }, three[4] = { 300, 301, 302, 303 }, got[4];
    FOR_EACH_ACCELERATOR(where)
    {
        test_poison(got, 4);
        {
            AMP_CONST_ARRAY_VIEW(int, 1, x, one, 4);
            AMP_CONST_ARRAY_VIEW(int, 1, y, two, 4);
            AMP_CONST_ARRAY_VIEW(int, 1, z, three, 4);
            AMP_ARRAY_VIEW(int, 1, out, got, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i),
                                     AMP_CAPTURE(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7,
                                                 b8, b9, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5,
                                                 d6, d7, d8, d9, e0, e1, e2, e3, x, y, z, out),
                                     {
                                         const int ranked[44] = { a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0,
                                                                  b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1,
                                                                  c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2,
                                                                  d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3 };
                                         int sum = 0;
                                         for (int n = 0; n < 44; n++)
                                             sum += ranked[n] * (n + 1);
                                         AMP_AT(out, i) = sum + AMP_AT(x, i) + AMP_AT(y, i) + AMP_AT(z, i);
                                     });
        }
        const int squares = 44 * 45 * 89 / 6; /* the sum of n squared */
        const int want[4] = { squares + 600, squares + 603, squares + 606, squares + 609 };
        check_ints(got, want, 4);
    }
}

/* to(r, c) = 3 from(r, c) + the columns of `to`: one kernel for views wherever they lie. */
static void triple(amp_accelerator_view where, amp_const_array_view_int_2 from, amp_array_view_int_2 to)
{
    AMP_PARALLEL_FOR_EACH_ON(where, to.extent, (r, c), AMP_CAPTURE(from, to),
                             { AMP_AT(to, r, c) = 3 * AMP_AT(from, r, c) + to.extent.v[1]; });
}

/* Device programs have fewer arguments for views that begin where their memory does. A kernel that meets views of every
   kind in turn is right for each. */
static void views_wherever_they_lie(void **state)
{
    (void)state;
    enum { ROWS = 7, WIDTH = 40 };
    static const struct {
        int row, col, width; /* of the section; the whole view is WIDTH columns wide */
    } places[] = { { 0, 0, WIDTH }, { 0, 0, 9 }, { 1, 3, 9 }, { 0, 8, 32 }, { 2, 0, WIDTH } };
    enum { PLACES = sizeof places / sizeof *places };
    FOR_EACH_ACCELERATOR(where)
    for (int n = 0; n < PLACES * PLACES; n++) {
        const int s = n / PLACES, d = n % PLACES;
        const int rows = ROWS - 2, cols = places[s].width < places[d].width ? places[s].width : places[d].width;
        int a[ROWS][WIDTH], b[ROWS][WIDTH], narrow[ROWS * WIDTH];
        for (int i = 0; i < ROWS * WIDTH; i++) {
            a[i / WIDTH][i % WIDTH] = narrow[i] = i;
            b[i / WIDTH][i % WIDTH] = -1;
        }
        {
            AMP_CONST_ARRAY_VIEW(int, 2, all_a, &a[0][0], ROWS, WIDTH);
            AMP_CONST_ARRAY_VIEW(int, 2, dense, narrow, rows, cols);
            AMP_ARRAY_VIEW(int, 2, all_b, &b[0][0], ROWS, WIDTH);
            const amp_const_array_view_int_2 from =
                amp_section(all_a, AMP_INDEX(places[s].row, places[s].col), AMP_EXTENT(rows, cols));
            const amp_array_view_int_2 to =
                amp_section(all_b, AMP_INDEX(places[d].row, places[d].col), AMP_EXTENT(rows, cols));
            triple(where, from, to);
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++)
                    check_int(AMP_AT(to, r, c), 3 * a[places[s].row + r][places[s].col + c] + cols);
            triple(where, dense, to);
        }
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < WIDTH; c++) {
                const int i = r - places[d].row, j = c - places[d].col;
                const bool inside = i >= 0 && i < rows && j >= 0 && j < cols;
                check_int(b[r][c], inside ? 3 * narrow[i * cols + j] + cols : -1);
            }
    }
}

/* A launch that is like the one before takes over what that found out. Here one thing differs between two of them, or
   nothing: the extent, a part, its memory, a value. */
enum { LIKE_GRIDS = 3, LIKE_HALF = 8, LIKE_WIDTH = 40 };

AMP_STRUCT(likeness, {
    int times;
    float add;
});

typedef struct {
    int from, to, row, col, to_row, to_col, rows, cols; /* of the parts; the launch is over less: */
    int over_rows, over_cols;
    bool in_place;
    likeness like;
    short plus;
} like_launch;

static void like_before(amp_accelerator_view where, amp_extent2 over, amp_const_array_view_int_2 from,
                        amp_array_view_int_2 to, likeness like, short plus)
{
    AMP_PARALLEL_FOR_EACH_ON(where, over, (r, c), AMP_CAPTURE(from, to, AMP_VALUE(likeness, like), plus), {
        AMP_AT(to, r, c) =
            like.times * (AMP_AT(from, r, c) % 1000) + (int)like.add + plus + from.extent.v[0] + 100 * to.extent.v[1];
    });
}

/* As a stencil does, in turns. */
static void like_swap(like_launch *l)
{
    const int from = l->from;
    l->from = l->to;
    l->to = from;
}

static void like_change(like_launch *l)
{
    switch (test_random_int(0, 20)) {
    case 15:
    case 16:
    case 17:
    case 0: l->from = test_random_int(0, LIKE_GRIDS - 1); break;
    case 18:
    case 1: l->to = test_random_int(0, LIKE_GRIDS - 1); break;
    case 2: l->row = test_random_int(0, 3) == 0; break;
    case 3: l->col = test_random_int(0, 2); break;
    case 4: l->to_row = test_random_int(0, 1); break;
    case 5: l->to_col = test_random_int(0, 2); break;
    case 6: l->rows = test_random_int(4, LIKE_HALF - 1); break;
    case 7: l->cols = test_random_int(20, LIKE_WIDTH - 2); break;
    case 8: l->over_rows = test_random_int(1, 4); break;
    case 14: l->over_cols = test_random_int(1, 20); break;
    case 9: l->in_place = test_random_int(0, 3) == 0; break;
    case 10: l->like.times++; break;
    case 11: l->like.add += 0.5f; break;
    case 12: l->plus++; break;
    case 13: like_swap(l); break;
    default:;
    }
}

/* The last grid has other rows. */
static int like_width(int grid) { return grid == LIKE_GRIDS - 1 ? LIKE_WIDTH + 1 : LIKE_WIDTH; }

/* What is written is in the lower half, but in place. */
static void like_step(amp_accelerator_view where, amp_array_view_int_2 *grids, int *const *want, const like_launch *l)
{
    const int to = l->in_place ? l->from : l->to, row = l->in_place ? l->row : LIKE_HALF + l->to_row;
    const int col = l->in_place ? l->col : l->to_col, from_width = like_width(l->from), width = like_width(to);
    const amp_extent2 extent = AMP_EXTENT(l->rows, l->cols);
    like_before(where, AMP_EXTENT(l->over_rows, l->over_cols),
                amp_as_const(amp_section(grids[l->from], AMP_INDEX(l->row, l->col), extent)),
                amp_section(grids[to], AMP_INDEX(row, col), extent), l->like, l->plus);
    for (int r = 0; r < l->over_rows; r++)
        for (int c = 0; c < l->over_cols; c++)
            want[to][(row + r) * width + col + c] =
                l->like.times * (want[l->from][(l->row + r) * from_width + l->col + c] % 1000) + (int)l->like.add +
                l->plus + l->rows + 100 * l->cols;
}

static void launches_like_the_one_before(void **state)
{
    (void)state;
    enum { ROWS = 2 * LIKE_HALF, MOST = ROWS * (LIKE_WIDTH + 1) };
    static int memory[LIKE_GRIDS][MOST], expected[LIKE_GRIDS][MOST];
    int *const want[LIKE_GRIDS] = { expected[0], expected[1], expected[2] };
    FOR_EACH_ACCELERATOR(where)
    {
        amp_array_view_int_2 grids[LIKE_GRIDS];
        like_launch l = { .to = 1, .rows = 4, .cols = 20, .over_rows = 2, .over_cols = 20, .like = { 1, 0 } };
        for (int g = 0; g < LIKE_GRIDS; g++) {
            for (int i = 0; i < MOST; i++)
                memory[g][i] = expected[g][i] = g + i;
            grids[g] = amp_array_view_int_2_create(memory[g], AMP_EXTENT(ROWS, like_width(g)));
        }
        for (int launch = 0; launch < 1000; launch++) {
            const int g = test_random_int(0, LIKE_GRIDS - 1), i = test_random_int(0, LIKE_WIDTH - 1);
            if (launch % 100 == 80)
                l.from = 0, l.to = 1, l.in_place = false;
            else if (launch % 100 > 80)
                like_swap(&l), l.plus++;
            else
                like_change(&l);
            like_step(where, grids, want, &l);
            if (launch % 16 == 5) /* the host looks, writes, and ends a view meanwhile */
                check_int(AMP_AT(grids[g], 2, i), expected[g][2 * like_width(g) + i]);
            if (launch % 32 == 9)
                AMP_AT(grids[g], 3, i) = expected[g][3 * like_width(g) + i] = -launch;
            if (launch % 64 == 50) {
                amp_array_view_release(&grids[g]);
                grids[g] = amp_array_view_int_2_create(memory[g], AMP_EXTENT(ROWS, like_width(g)));
            }
        }
        for (int g = 0; g < LIKE_GRIDS; g++) {
            amp_array_view_release(&grids[g]);
            check_ints(memory[g], expected[g], ROWS * like_width(g));
        }
        expect_no_error();
    }
}

static void nothing_captured(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(3, 4), idx, AMP_CAPTURE(), { (void)idx; });
    expect_no_error();
}

/* Kernels see the values of the moment of their launch. */
static void captured_at_the_launch(void **state)
{
    (void)state;
    enum { COUNT = 1000, LAUNCHES = 20 };
    int got[COUNT], want[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        test_poison(got, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, out, got, COUNT);
            int value = 0;
            float factor = 0.0f;
            for (int launch = 0; launch < LAUNCHES; launch++) {
                value = launch + 1;
                factor = 0.5f * (float)launch;
                AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(out, value, factor), {
                    const int old = value == 1 ? i : AMP_AT(out, i);
                    AMP_AT(out, i) = old + value * 1000 + (int)(factor * 2.0f);
                });
                value = -1000000;
                factor = 1e9f;
            }
        }
        for (int i = 0; i < COUNT; i++)
            want[i] = i + 1000 * LAUNCHES * (LAUNCHES + 1) / 2 + LAUNCHES * (LAUNCHES - 1) / 2;
        check_ints(got, want, COUNT);
    }
}

/* ---- structs ------------------------------------------------------------------------------------- */

AMP_STRUCT(particle, { float x, y, z, mass; });
AMP_STRUCT(pair_of_particles, {
    particle first, second;
    int link[2];
});
AMP_STRUCT(mixed, {
    int64_t wide;
    int narrow;
    int16_t half;
    uint8_t bytes[2];
});
AMP_DEFINE_ELEMENT(particle)
AMP_DEFINE_ELEMENT(mixed)

static void structs_captured(void **state)
{
    (void)state;
    particle p = { 1.5f, 2.5f, 3.5f, 4.5f };
    pair_of_particles both = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10 } };
    const mixed m = { -((int64_t)1 << 40), -5, -300, { 200, 7 } };
    const amp_index3 where_to = AMP_INDEX(4, 5, 6);
    FOR_EACH_ACCELERATOR(where)
    {
        float got[17];
        for (int i = 0; i < 17; i++)
            got[i] = -1.0f;
        {
            AMP_ARRAY_VIEW(float, 1, out, got, 17);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero),
                                     AMP_CAPTURE(out, AMP_VALUE(particle, p), AMP_VALUE(pair_of_particles, both),
                                                 AMP_VALUE(mixed, m), AMP_VALUE(amp_index3, where_to)),
                                     {
                                         int n = zero;
                                         AMP_AT(out, n++) = p.x;
                                         AMP_AT(out, n++) = p.y;
                                         AMP_AT(out, n++) = p.z;
                                         AMP_AT(out, n++) = p.mass;
                                         AMP_AT(out, n++) = both.first.mass;
                                         AMP_AT(out, n++) = both.second.x;
                                         AMP_AT(out, n++) = (float)both.link[0];
                                         AMP_AT(out, n++) = (float)both.link[1];
                                         particle copy = both.second;
                                         copy.z += p.x;
                                         AMP_AT(out, n++) = copy.z;
                                         AMP_AT(out, n++) = (float)(m.wide / ((int64_t)1 << 30));
                                         AMP_AT(out, n++) = (float)m.narrow;
                                         AMP_AT(out, n++) = (float)m.half;
                                         AMP_AT(out, n++) = (float)m.bytes[0];
                                         AMP_AT(out, n++) = (float)m.bytes[1];
                                         AMP_AT(out, n++) = (float)amp_index3_add_scalar(where_to, 10).v[2];
                                         const particle made = { 9.0f, 8.0f, 7.0f, 6.0f };
                                         AMP_AT(out, n++) = made.y;
                                     });
        }
        const float want[17] = { 1.5f, 2.5f, 3.5f, 4.5f, 4, 5, 9, 10, 8.5f, -1024, -5, -300, 200, 7, 16, 8, -1 };
        check_floats(got, want, 17);
    }
}

/* Members that OpenCL C has in memory but takes in no parameter. */
AMP_STRUCT(switches, {
    size_t count;
    ptrdiff_t shift;
    bool on, off;
    char rest[2 * sizeof(size_t) - 2];
});
AMP_DEFINE_ELEMENT(switches);
AMP_STRUCT(board, { switches pair[2]; });

static void bool_and_size_t_in_structs(void **state)
{
    (void)state;
    const switches one = { 5, -7, true, false, { 0 } };
    const board all = { { one, { SIZE_MAX, PTRDIFF_MIN, false, true, { 0 } } } };
    FOR_EACH_ACCELERATOR(where)
    {
        switches got[3] = { one, one, one };
        {
            AMP_ARRAY_VIEW(switches, 1, v, got, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i),
                                     AMP_CAPTURE(v, AMP_VALUE(switches, one), AMP_VALUE(board, all)), {
                                         if (i == 1) {
                                             AMP_AT(v, i).off = i + 255; /* 256, and so true */
                                             AMP_AT(v, i).on = !one.on;
                                             AMP_AT(v, i).count += one.count;
                                             AMP_AT(v, i).shift *= one.shift;
                                         }
                                         if (i == 2 && all.pair[0].on && !all.pair[0].off && all.pair[0].shift == -7)
                                             AMP_AT(v, i) = all.pair[1];
                                     });
        }
        check(got[0].count == 5 && got[0].shift == -7 && got[0].on && !got[0].off);
        check(got[1].count == 10 && got[1].shift == 49 && !got[1].on && got[1].off);
        check(got[2].count == SIZE_MAX && got[2].shift == PTRDIFF_MIN && !got[2].on && got[2].off);
    }
}

/* Structs named as types of OpenCL C are the user's own. */
AMP_STRUCT(float4, { float left, right; });
AMP_DEFINE_ELEMENT(float4);
AMP_STRUCT(uchar, { uint8_t red, green, blue, alpha; });
AMP_STRUCT(int3, {
    uchar colour;
    int count;
});
AMP_DEFINE_ELEMENT(int3);
AMP_STRUCT(image2d_t, { float4 ends[2]; });
AMP_FUNCTION(float, between, (float4 f, int3 n), { return f.left + f.right + (float)n.count; })

static void structs_named_as_types_of_devices(void **state)
{
    (void)state;
    const image2d_t lines = { { { 1, 2 }, { 3, 4 } } };
    const unsigned char byte = 200;
    const unsigned more = 7;
    const unsigned long most = 9;
    const bool flag = true;
    FOR_EACH_ACCELERATOR(where)
    {
        float4 points[4] = { { 0, 0 } };
        int3 counts[4] = { { { 1, 2, 3, 4 }, 10 } };
        {
            AMP_ARRAY_VIEW(float4, 2, p, points, 2, 2);
            AMP_ARRAY_VIEW(int3, 1, n, counts, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, p.extent, (i, j),
                                     AMP_CAPTURE(p, n, AMP_VALUE(image2d_t, lines), byte, more, most, flag), {
                                         const int at = 2 * i + j;
                                         const int3 first = { { byte, (uint8_t)more, 0, flag }, at };
                                         const float4 end = lines.ends[j];
                                         if (at == 0)
                                             continue;
                                         AMP_AT(n, at) = first;
                                         AMP_AT(p, i, j) = end;
                                         AMP_AT(p, i, j).left = between(end, first) + (float)most;
                                     });
        }
        for (int at = 1; at < 4; at++) {
            check(points[at].left == (float)(at % 2 ? 7 : 3) + (float)at + 9.0f);
            check(points[at].right == (float)(at % 2 ? 4 : 2));
            check_int(counts[at].colour.red, 200);
            check_int(counts[at].colour.green, 7);
            check_int(counts[at].colour.alpha, 1);
            check_int(counts[at].count, at);
        }
        check_int(counts[0].count, 10);
    }
}

/* Views of structs: read, written whole and by member. */
static void structs_as_elements(void **state)
{
    (void)state;
    enum { ROWS = 5, COLUMNS = 7, COUNT = ROWS * COLUMNS };
    FOR_EACH_ACCELERATOR(where)
    {
        particle in[COUNT], out[COUNT];
        mixed notes[COLUMNS];
        for (int i = 0; i < COUNT; i++) {
            in[i] = (particle){ (float)i, (float)i + 0.25f, (float)i + 0.5f, 1.0f };
            out[i] = (particle){ -1, -1, -1, -1 };
        }
        for (int i = 0; i < COLUMNS; i++)
            notes[i] = (mixed){ i, i, (int16_t)i, { (uint8_t)i, 99 } };
        {
            AMP_CONST_ARRAY_VIEW(particle, 2, from, in, ROWS, COLUMNS);
            AMP_ARRAY_VIEW(particle, 2, to, out, ROWS, COLUMNS);
            AMP_ARRAY_VIEW(mixed, 1, line, notes, COLUMNS);
            AMP_PARALLEL_FOR_EACH_ON(where, to.extent, (row, column), AMP_CAPTURE(from, to, line), {
                particle p = AMP_AT(from, row, column);
                p.mass = (float)(10 * row + column);
                AMP_AT(to, row, column) = p;
                AMP_AT(to, row, column).x += 100.0f;
                if (row == 2) {
                    AMP_AT(line, column).wide = (int64_t)column << 40;
                    AMP_AT(line, column).bytes[0] = (uint8_t)(column + 200);
                }
            });
        }
        for (int i = 0; i < COUNT; i++) {
            const float want[4] = { (float)i + 100.0f, (float)i + 0.25f, (float)i + 0.5f,
                                    (float)(10 * (i / COLUMNS) + i % COLUMNS) };
            const float got[4] = { out[i].x, out[i].y, out[i].z, out[i].mass };
            check_floats(got, want, 4);
        }
        for (int i = 0; i < COLUMNS; i++) {
            check_int(notes[i].wide, (int64_t)i << 40);
            check_int(notes[i].narrow, i);
            check_int(notes[i].half, i);
            check_int(notes[i].bytes[0], i + 200);
            check_int(notes[i].bytes[1], 99);
        }
    }
}

/* ---- constants, macros, functions ---------------------------------------------------------------- */

enum { TWELVE = 12, MINUS_NINE = -9, MOST = INT_MAX, LEAST = INT_MIN };
#define SIDE         6
#define SQUARE(x)    ((x) * (x))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
#define PAIR_SUM(p)  (p[0] + p[1])

static void constants_and_macros(void **state)
{
    (void)state;
    enum { LOCAL = TWELVE + 1, COUNT = 24, LP64 = sizeof(long) == 8 };
    const int want[COUNT] = { 12, -9, INT_MAX, INT_MIN, 13, 6, 49, 7, 7, INT_MAX, 1,    1,
                              0,  1,  LP64,    3,       1,  1, 1,  1, 1, 1,       LP64, POISON };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[COUNT];
        test_poison(got, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, out, got, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero),
                                     AMP_CAPTURE(out, AMP_CONSTANT(TWELVE), AMP_CONSTANT(MINUS_NINE),
                                                 AMP_CONSTANT(MOST), AMP_CONSTANT(LEAST), AMP_CONSTANT(LOCAL)),
                                     {
                                         int n = zero;
                                         AMP_AT(out, n++) = TWELVE;
                                         AMP_AT(out, n++) = MINUS_NINE;
                                         AMP_AT(out, n++) = MOST;
                                         AMP_AT(out, n++) = LEAST;
                                         int table[LOCAL]; /* constants size arrays */
                                         for (int i = 0; i < LOCAL; i++)
                                             table[i] = i + 1;
                                         AMP_AT(out, n++) = table[LOCAL - 1];
                                         AMP_AT(out, n++) = SIDE;
                                         AMP_AT(out, n++) = SQUARE(SIDE + 1);
                                         AMP_AT(out, n++) = MAX_OF(LOCAL - 12 + SIDE, 5);
                                         const int p[2] = { 3, 4 };
                                         AMP_AT(out, n++) = PAIR_SUM(p);
                                         AMP_AT(out, n++) = INT_MAX;
                                         const bool fact = true;
                                         bool fiction = false;
                                         AMP_AT(out, n++) = fact;
                                         AMP_AT(out, n++) = fact && !fiction;
                                         AMP_AT(out, n++) = fiction;
                                         AMP_AT(out, n++) = UINT_MAX == 4294967295u;
                                         AMP_AT(out, n++) = LONG_MAX == 9223372036854775807;
                                         int *nothing = NULL;
                                         AMP_AT(out, n++) = nothing == NULL ? 3 : 4;
                                         AMP_AT(out, n++) = INFINITY > FLT_MAX;
                                         AMP_AT(out, n++) = isnan(NAN) != 0;
                                         AMP_AT(out, n++) = isinf(-INFINITY) != 0;
                                         AMP_AT(out, n++) = !isnan(1.0f) && !isinf(FLT_MAX) && isfinite(FLT_MAX);
                                         AMP_AT(out, n++) = SHRT_MIN == -32768 && UCHAR_MAX == 255;
                                         AMP_AT(out, n++) = (size_t)-1 == SIZE_MAX;
                                         AMP_AT(out, n++) = INT64_MIN == LONG_MIN && UINT64_MAX == ULONG_MAX;
                                     });
        }
        check_ints(got, want, COUNT);

        float numbers[4] = { -1, -1, -1, -1 };
        {
            AMP_ARRAY_VIEW(float, 1, out, numbers, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(out), {
                AMP_AT(out, zero) = FLT_MAX;
                AMP_AT(out, zero + 1) = FLT_EPSILON;
                AMP_AT(out, zero + 2) = (float)M_PI;
                AMP_AT(out, zero + 3) = INFINITY;
            });
        }
        const float floats[4] = { FLT_MAX, FLT_EPSILON, (float)M_PI, INFINITY };
        check_floats(numbers, floats, 4);

        if (!test_has_double(where))
            continue;
        double wide[4] = { -1, -1, -1, -1 };
        {
            AMP_ARRAY_VIEW(double, 1, out, wide, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(out), {
                AMP_AT(out, zero) = DBL_MAX;
                AMP_AT(out, zero + 1) = M_PI;
                AMP_AT(out, zero + 2) = DBL_EPSILON;
                AMP_AT(out, zero + 3) = 0.1 + 0.2; /* not in single precision */
            });
        }
        const double doubles[4] = { DBL_MAX, M_PI, DBL_EPSILON, 0.1 + 0.2 };
        check_doubles(wide, doubles, 4);
    }
}

AMP_FUNCTION(float, cube, (float x), { return x * x * x; })
AMP_FUNCTION(int, collatz, (int n), {
    int steps = 0;
    while (n != 1) {
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1;
        steps++;
        if (steps > 1000)
            return -1;
    }
    return steps;
});
AMP_FUNCTION(int, twice, (int x), { return 2 * x; })
AMP_FUNCTION(int, four_times, (int x), { return twice(twice(x)); })
AMP_FUNCTION(int, forty_two, (void), { return four_times(10) + twice(1); })
AMP_FUNCTION(void, swap_ints, (int *a, int *b), {
    const int old = *a;
    *a = *b, *b = old;
})
AMP_FUNCTION(particle, moved, (particle p, float by), {
    p.x += by, p.y += by, p.z += by;
    return p;
})
AMP_FUNCTION(float, row_sum, (amp_const_array_view_float_2 m, int row), {
    float sum = 0.0f;
    for (int i = 0; i < m.extent.v[1]; i++)
        sum += AMP_AT(m, row, i);
    return sum;
})
AMP_FUNCTION(void, put_at, (amp_array_view_int_1 v, int i, int value), { AMP_AT(v, i) = value; })
AMP_FUNCTION(int, get_at, (amp_array_view_int_1 v, amp_index1 i), { return AMP_AT(v, i); })
AMP_FUNCTION(int, side, (void), { return SIDE; })
#undef SIDE /* the expansion was taken at the definition */
#define SIDE 7

static void functions_called(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    float values[3][4];
    for (int i = 0; i < 12; i++)
        values[i / 4][i % 4] = (float)(i + 1);
    FOR_EACH_ACCELERATOR(where)
    {
        float sums[6];
        int got[COUNT], want[COUNT], cells[3] = { 5, 6, 7 };
        test_poison(got, COUNT);
        test_poison(want, COUNT);
        for (int i = 0; i < 6; i++)
            sums[i] = -1.0f;
        {
            AMP_CONST_ARRAY_VIEW(float, 2, m, values[0], 3, 4);
            AMP_ARRAY_VIEW(float, 1, out, sums, 6);
            AMP_ARRAY_VIEW(int, 1, ints, got, COUNT);
            AMP_ARRAY_VIEW(int, 1, v, cells, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(30), (i), AMP_CAPTURE(m, out, ints, v), {
                AMP_AT(ints, i) = collatz(i + 1);
                if (i < 3)
                    AMP_AT(out, i) = row_sum(m, i);
                if (i == 3)
                    AMP_AT(out, i) = cube(AMP_AT(m, 0, 1)) + (float)forty_two();
                if (i == 4) {
                    const particle p = { 1, 2, 3, 4 };
                    AMP_AT(out, i) = moved(p, 0.5f).x + moved(p, 0.5f).mass;
                    int a = 1, b = 2;
                    swap_ints(&a, &b);
                    AMP_AT(ints, 30) = 10 * a + b;
                    AMP_AT(ints, 31) = side();
                    AMP_AT(ints, 32) = SIDE;
                    put_at(v, 1, get_at(v, AMP_INDEX(2)) * 100 + AMP_AT(v, 0));
                }
            });
        }
        for (int i = 0; i < 30; i++)
            want[i] = collatz(i + 1);
        check_int(want[26], 111); /* 27 takes 111 steps */
        want[30] = 21;
        want[31] = 6;
        want[32] = 7;
        check_ints(got, want, COUNT);
        const float expected[6] = { 10, 26, 42, 8 + 42, 5.5f, -1 };
        check_floats(sums, expected, 6);
        const int expected_cells[3] = { 5, 705, 7 };
        check_ints(cells, expected_cells, 3);
    }
}

/* The same functions on the host; views given to them there synchronize. */
static void functions_on_the_host(void **state)
{
    (void)state;
    check(cube(3.0f) == 27.0f);
    check_int(collatz(27), 111);
    check_int(forty_two(), 42);
    check_int(side(), 6);
    int a = 1, b = 2;
    swap_ints(&a, &b);
    check(a == 2 && b == 1);
    FOR_EACH_ACCELERATOR(where)
    {
        int cells[100];
        for (int i = 0; i < 100; i++)
            cells[i] = i;
        {
            AMP_ARRAY_VIEW(int, 1, v, cells, 100);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v),
                                     { put_at(v, i, 10 * get_at(v, AMP_INDEX(i))); });
            for (int i = 0; i < 100; i++)
                check_int(get_at(v, AMP_INDEX(i)), 10 * i);
            put_at(v, 50, -1); /* on the host; the next kernel sees it */
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        }
        for (int i = 0; i < 100; i++)
            check_int(cells[i], i == 50 ? 0 : 10 * i + 1);
    }
}

/* ---- what may stand in a body -------------------------------------------------------------------- */

static void control_flow(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    int want[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int sum = 0;
        for (int a = 0; a < i % 7; a++) {
            if (a == 3)
                continue;
            for (int b = a; b < 5; b++) {
                if (b == 4)
                    break;
                sum += a * b;
            }
        }
        int n = i, digits = 0;
        do {
            digits++;
            n /= 10;
        } while (n);
        int kind;
        switch (i % 5) {
        case 0: kind = 10; break;
        case 1:
        case 2: kind = 20; break;
        default: kind = 30;
        }
        const int all = sum + 1000 * digits + 10000 * kind + (i > 250 ? i & 6 : i | 1);
        want[i] = i % 11 == 0 ? POISON : i % 13 == 0 ? -1 : all;
    }
    FOR_EACH_ACCELERATOR(where)
    {
        int got[COUNT];
        test_poison(got, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, out, got, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, idx, AMP_CAPTURE(out), {
                const int i = idx.v[0];
                if (i % 11 == 0)
                    continue; /* this index ends here */
                if (i % 13 == 0) {
                    AMP_AT(out, idx) = -1;
                    continue;
                }
                int sum = 0;
                for (int a = 0; a < i % 7; a++) {
                    if (a == 3)
                        continue; /* of the inner loop */
                    for (int b = a; b < 5; b++) {
                        if (b == 4)
                            break;
                        sum += a * b;
                    }
                }
                int n = i, digits = 0;
                do {
                    digits++;
                    n /= 10;
                } while (n);
                int kind;
                switch (i % 5) {
                case 0: kind = 10; break;
                case 1:
                case 2: kind = 20; break;
                default: kind = 30;
                }
                AMP_AT(out, idx) = sum + 1000 * digits + 10000 * kind + (i > 250 ? i & 6 : i | 1);
            });
        }
        check_ints(got, want, COUNT);
    }
}

/* Commas, quotes, braces and parentheses that a careless macro would stumble over. `return` in a string, or as a
   part of a name, ends nothing. */
static void punctuation(void **state)
{
    (void)state;
    const int want[12] = { 2, 6, '{', '"', '\'', ')', 5, 9, 3, 17, '\\', POISON };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[12];
        test_poison(got, 12);
        {
            AMP_ARRAY_VIEW(int, 1, out, got, 12);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(out), {
                int a = 1, b = 2, c[3] = { 1, 2, 3 }, returned = zero, no_return = 5;
                int m[2][2] = { { 1, 2 }, { 3, 6 } };
                AMP_AT(out, 0) = (a++, b);
                AMP_AT(out, 1) = c[0] + c[1] + c[2];
                AMP_AT(out, 2) = '{';
                AMP_AT(out, 3) = '"';
                AMP_AT(out, 4) = '\'';
                AMP_AT(out, 5) = ')';
                AMP_AT(out, 6) = no_return + returned;
                AMP_AT(out, 7) = m[1][0] + m[1][1];
                struct local {
                    int x, y;
                } s = { 1, 2 };
                AMP_AT(out, 8) = s.x + s.y;
                AMP_AT(out, 9) = /* return; */ 017 + 2; // return
                AMP_AT(out, 10) = '\\';
                if (zero > 0)
                    printf("return {([%d, \"%%\\n\" ])};\n", zero);
            });
        }
        check_ints(got, want, 12);
    }
    expect_no_error();
}

/* What a kernel prints goes to standard output, each line once. */
static void printf_in_a_kernel(void **state)
{
    (void)state;
    enum { LINES = 5 };
    FOR_EACH_ACCELERATOR(where)
    {
#if defined(_WIN32) /* where an open file cannot be removed; what drivers print goes past this program under Wine */
        if (!test_is_cpu(where))
            continue;
        FILE *const kept = tmpfile();
        check(kept != NULL);
        const int file = dup(fileno(kept));
        fclose(kept);
#else
        char name[] = "/tmp/amp_test_XXXXXX";
        const int file = mkstemp(name);
        unlink(name);
#endif
        check(file >= 0);
        fflush(stdout);
        const int saved = dup(1);
        dup2(file, 1);
        int done[LINES] = { 0 };
        const int offset = 7;
        {
            AMP_ARRAY_VIEW(int, 1, out, done, LINES);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(out, offset), {
                printf("amp-line %d (%s) {%d}"
                       " %lld %-4zu%% %llx %hhd\n",
                       i, "text", i + offset, (1LL << 40) + i, sizeof(short), 0xfedcba9876543210ull, (signed char)-5);
                printf("amp-short %hhd %hhu %hd %hu %hx %d\n", i - 300, (unsigned char)(i + 250), (short)(i - 40000),
                       (unsigned short)65535, (unsigned short)0xabcd, i);
                printf("amp-wide %c|%-4c|%08.3f|%+5d|%5s\n", 'a' + i, 'z', 1.5f * (float)i, i, "ab");
                AMP_AT(out, i) = 1;
            });
            amp_array_view_synchronize(&out);
            amp_accelerator_view_wait(where);
        }
        fflush(stdout);
        dup2(saved, 1);
        close(saved);

        static char text[8192];
        lseek(file, 0, SEEK_SET);
        const ssize_t size = read(file, text, sizeof text - 1);
        close(file);
        text[size > 0 ? size : 0] = '\0';
        for (int i = 0; i < LINES; i++) {
            char line[160];
            snprintf(line, sizeof line, "amp-line %d (text) {%d} %lld 2   %% fedcba9876543210 -5\n", i, i + 7,
                     (1LL << 40) + i);
            const char *const found = strstr(text, line);
            check_that(found && !strstr(found + 1, line), "the line %s is not once in: %s", line, text);
            check_int(done[i], 1);
            snprintf(line, sizeof line, "amp-short %d %d %d 65535 abcd %d\n", (signed char)(i - 300),
                     (unsigned char)(i + 250), (short)(i - 40000), i);
            check_that(strstr(text, line), "the line %s is not in: %s", line, text);
            snprintf(line, sizeof line, "amp-wide %c|z   |%08.3f|%+5d|   ab\n", 'a' + i, 1.5 * i, i);
            check_that(strstr(text, line), "the line %s is not in: %s", line, text);
#if defined(AMP_CHECKED)
            snprintf(line, sizeof line, ", at index (%d): amp-line %d (text)", i, i);
            check_that(strstr(text, line) && strstr(text, "amp: kernel in printf_in_a_kernel, launch "), "%s in: %s",
                       line, text);
#endif
        }
    }
}

/* An index by name, and by the names of its components. */
static void indices_by_name_and_component(void **state)
{
    (void)state;
    enum { COUNT = 2 * 3 * 4 * 2 * 3 * 2 * 2 * 2 };
    FOR_EACH_ACCELERATOR(where)
    {
        int by_name[COUNT], by_component[COUNT], want[COUNT];
        for (int i = 0; i < COUNT; i++)
            want[i] = i;
        test_poison(by_name, COUNT);
        test_poison(by_component, COUNT);
        {
            AMP_ARRAY_VIEW(int, 3, a, by_name, 4, 6, COUNT / 24);
            AMP_PARALLEL_FOR_EACH_ON(where, a.extent, position, AMP_CAPTURE(a), {
                const amp_index3 copy = position;
                AMP_AT(a, position) = POSITION_3(copy, a.extent);
            });
            AMP_ARRAY_VIEW(int, 8, b, by_component, 2, 3, 4, 2, 3, 2, 2, 2);
            AMP_PARALLEL_FOR_EACH_ON(where, b.extent, (i, j, k, l, m, n, o, p), AMP_CAPTURE(b), {
                AMP_AT(b, i, j, k, l, m, n, o, p) =
                    (((((((i * 3 + j) * 4 + k) * 2 + l) * 3 + m) * 2 + n) * 2) + o) * 2 + p;
            });
        }
        check_ints(by_name, want, COUNT);
        check_ints(by_component, want, COUNT);

        /* All ranks in between, by component. */
        test_poison(by_component, COUNT);
        {
            AMP_ARRAY_VIEW(int, 4, v, by_component, 6, 8, 6, COUNT / 288);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j, k, l), AMP_CAPTURE(v),
                                     { AMP_AT(v, AMP_INDEX(i, j, k, l)) = ((i * 8 + j) * 6 + k) * v.extent.v[3] + l; });
        }
        check_ints(by_component, want, COUNT);
        test_poison(by_component, COUNT);
        {
            AMP_ARRAY_VIEW(int, 5, v, by_component, 6, 4, 2, 6, COUNT / 288);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j, k, l, m), AMP_CAPTURE(v), {
                AMP_AT(v, i, j, k, l, m) = (((i * 4 + j) * 2 + k) * 6 + l) * v.extent.v[4] + m;
            });
        }
        check_ints(by_component, want, COUNT);
        test_poison(by_component, COUNT);
        {
            AMP_ARRAY_VIEW(int, 6, v, by_component, 6, 4, 2, 3, 2, COUNT / 288);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j, k, l, m, n), AMP_CAPTURE(v), {
                AMP_AT(v, i, j, k, l, m, n) = ((((i * 4 + j) * 2 + k) * 3 + l) * 2 + m) * v.extent.v[5] + n;
            });
        }
        check_ints(by_component, want, COUNT);
        test_poison(by_component, COUNT);
        {
            AMP_ARRAY_VIEW(int, 7, v, by_component, 2, 3, 4, 2, 3, 2, COUNT / 288);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j, k, l, m, n, o), AMP_CAPTURE(v), {
                AMP_AT(v, i, j, k, l, m, n, o) =
                    (((((i * 3 + j) * 4 + k) * 2 + l) * 3 + m) * 2 + n) * v.extent.v[6] + o;
            });
        }
        check_ints(by_component, want, COUNT);
    }
}

/* A 1-D view takes an index of every integer type, on the host and in kernels. */
static void index_types(void **state)
{
    (void)state;
    enum { COUNT = 16 };
    FOR_EACH_ACCELERATOR(where)
    {
        int values[COUNT];
        test_poison(values, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
            const size_t size = 0;
            const unsigned u = 1;
            const long l = 2;
            const short s = 4;
            const unsigned char c = 5;
            const uint64_t wide = 6;
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), zero, AMP_CAPTURE(v, size, u, l, s, c, wide), {
                AMP_AT(v, size) = 10;
                AMP_AT(v, u) = 11;
                AMP_AT(v, l) = 12;
                AMP_AT(v, zero.v[0] + 3) = 13;
                AMP_AT(v, s) = 14;
                AMP_AT(v, c) = 15;
                AMP_AT(v, wide) = 16;
                AMP_AT(v, AMP_INDEX(7)) = 17;
                const amp_index1 eight = amp_index1_add_scalar(zero, 8);
                AMP_AT(v, eight) = 18;
                for (size_t i = 9; i < 16; i++)
                    AMP_AT(v, i) = 10 + (int)i;
            });
            int sum = 0;
            for (size_t i = 0; i < COUNT; i++)
                sum += AMP_AT(v, i) == 10 + (int)i;
            check_int(sum, COUNT);
            check_int(AMP_AT(v, u), 11);
            check_int(AMP_AT(v, l), 12);
            check_int(AMP_AT(v, 3), 13);
            check_int(AMP_AT(v, s), 14);
            check_int(AMP_AT(v, c), 15);
            check_int(AMP_AT(v, AMP_INDEX(7)), 17);
            for (unsigned i = 0; i < COUNT; i++)
                AMP_AT(v, i) += 100;
            int k = 3;
            AMP_AT(v, k++) = -1; /* evaluated once */
            check_int(k, 4);
        }
        for (int i = 0; i < COUNT; i++)
            check_int(values[i], i == 3 ? -1 : 110 + i);
    }
}

/* ---- macros as statements ------------------------------------------------------------------------ */

/* Each launch macro is one statement: after `if` without braces, with `else`, as the body of a loop. */
static void one_statement(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int way = 0; way < 6; way++) {
            int got[8] = { 0 };
            {
                AMP_ARRAY_VIEW(int, 1, v, got, 8);
                if (way == 0)
                    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
                else if (way == 1)
                    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) += 2; });
                else if (way == 2)
                    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
                        AMP_THREADS(tile, t) { AMP_AT(v, t.global) += 3;
            }
        });
        else if (way == 3) AMP_TILED_ON(where, v.extent, (4), tile, AMP_CAPTURE(v), {
            if (tile.tile.v[0] == 0)
                AMP_THREADS(tile, t)
                    AMP_AT(v, t.global) += 4;
            else
                AMP_THREADS(tile, t)
                    AMP_AT(v, t.global) += 4;
        });
        else if (way == 4) for (int n = 0; n < 5; n++)
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
                else
                    for (int n = 0; n < 3; n++)
                        AMP_TILED_ON(where, v.extent, (2), tile, AMP_CAPTURE(v), {
                            AMP_THREADS(tile, t) { AMP_AT(v, t.global) += 2;
    }
});
}
const int each[6] = { 1, 2, 3, 4, 5, 6 };
for (int i = 0; i < 8; i++)
    check_int(got[i], each[way]);
}
}
}

static amp_extent1 counted_extent(int *calls, int size)
{
    ++*calls;
    return AMP_EXTENT(size);
}

static amp_accelerator_view counted_view(int *calls, amp_accelerator_view view)
{
    ++*calls;
    return view;
}

/* The extent and the accelerator view are evaluated once, whatever happens to the launch. */
static void arguments_once(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[8] = { 0 }, extents = 0, views = 0;
        {
            AMP_ARRAY_VIEW(int, 1, v, got, 8);
            AMP_PARALLEL_FOR_EACH(counted_extent(&extents, 8), (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
            check_int(extents, 1);
            AMP_PARALLEL_FOR_EACH_ON(counted_view(&views, where), counted_extent(&extents, 8), (i), AMP_CAPTURE(v),
                                     { AMP_AT(v, i) += 1; });
            check_int(extents, 2);
            check_int(views, 1);
            AMP_TILED(counted_extent(&extents, 8), (4), tile, AMP_CAPTURE(v), {
                AMP_THREADS(tile, t) { AMP_AT(v, t.global) += 1;
        }
    });
    check_int(extents, 3);
            AMP_TILED_ON(counted_view(&views, where), counted_extent(&extents, 8), (4), tile, AMP_CAPTURE(v), {
                AMP_THREADS(tile, t) { AMP_AT(v, t.global) += 1;
}
});
check_int(extents, 4);
check_int(views, 2);

/* In a kernel, too, an index with a side effect has it once. */
AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(v), {
    int n = zero;
    AMP_AT(v, n++) += 10;
    AMP_AT(v, n++) += 20;
    AMP_AT(v, n) += n;
});
}
const int want[8] = { 14, 24, 6, 4, 4, 4, 4, 4 };
check_ints(got, want, 8);
int refused = 0;
AMP_PARALLEL_FOR_EACH_ON(where, counted_extent(&refused, -1), idx, AMP_CAPTURE(), { (void)idx; });
expect_error(AMP_INVALID_COMPUTE_DOMAIN, "(-1)");
check_int(refused, 1);
}
}

/* Names of the user's that macros of ours could trip over. */
static void names_of_the_user(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[6];
        test_poison(got, 6);
        const int i = 1, j = 2, view = 3, head = 4, extent = 5, stride = 6, rank = 7, index = 8, t = 9, n = 10, a = 11;
        {
            AMP_ARRAY_VIEW(int, 2, data, got, 2, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, data.extent, (v, k),
                                     AMP_CAPTURE(data, i, j, view, head, extent, stride, rank, index, t, n, a), {
                                         const int source = v * 3 + k,
                                                   length = view + head + extent + stride + rank + index + t + n + a;
                                         AMP_AT(data, v, k) = source + 100 * length + 10000 * (i + j);
                                     });
        }
        for (int e = 0; e < 6; e++)
            check_int(got[e], e + 6300 + 30000);
    }
}

/* One call site, launched again and again over other extents, views and element counts. */
static void one_site_many_launches(void **state)
{
    (void)state;
    enum { MOST_ELEMENTS = 300 };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[MOST_ELEMENTS], want[MOST_ELEMENTS];
        for (int round = 0; round < 30; round++) {
            const int count = test_random_int(1, MOST_ELEMENTS), offset = test_random_int(0, 1000);
            test_poison(got, MOST_ELEMENTS);
            test_poison(want, MOST_ELEMENTS);
            {
                AMP_ARRAY_VIEW(int, 1, v, got, count);
                AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, offset),
                                         { AMP_AT(v, i) = offset + 2 * i; });
            }
            for (int i = 0; i < count; i++)
                want[i] = offset + 2 * i;
            check_ints(got, want, MOST_ELEMENTS);
        }
    }
}

/* Elements of one and two bytes: neighbours stay. */
static void narrow_elements(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    FOR_EACH_ACCELERATOR(where)
    {
        uint8_t bytes[COUNT];
        int16_t shorts[COUNT];
        for (int i = 0; i < COUNT; i++)
            bytes[i] = 77, shorts[i] = -77;
        {
            AMP_ARRAY_VIEW(uint8_t, 1, b, bytes, COUNT);
            AMP_ARRAY_VIEW(int16_t, 1, s, shorts, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, b.extent, (i), AMP_CAPTURE(b, s), {
                if (i % 3)
                    AMP_AT(b, i) = (uint8_t)(3 * i);
                if (i % 4)
                    AMP_AT(s, i) = (int16_t)(-30 * i);
            });
        }
        for (int i = 0; i < COUNT; i++) {
            check_int(bytes[i], i % 3 ? (uint8_t)(3 * i) : 77);
            check_int(shorts[i], i % 4 ? (int16_t)(-30 * i) : -77);
        }
    }
}

/* Each value of a specialized capture is a constant on devices, where arrays need one. */
static void specialized(void **state)
{
    (void)state;
    enum { COUNT = 64, LONGEST = 5 };
    FOR_EACH_ACCELERATOR(where)
    for (int turn = 0; turn < 2 * LONGEST; turn++) {
        int got[COUNT], want[COUNT];
        const int length = turn % LONGEST + 1;
        test_poison(got, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, v, got, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i),
                                     AMP_CAPTURE(v, turn, AMP_SPECIALIZE(length), AMP_SPECIALIZE(least, -length)), {
                                         int part[length];
                                         for (int k = 0; k < length; k++)
                                             part[k] = i + k * turn;
                                         AMP_AT(v, i) = part[length - 1] + (least < -2 ? 1000 * least : 0);
                                     });
        }
        for (int i = 0; i < COUNT; i++)
            want[i] = i + (length - 1) * turn - (length > 2 ? 1000 * length : 0);
        check_ints(got, want, COUNT);
    }
}

/* A kernel without a device named runs on the default accelerator. */
static void launched_without_a_view(void **state)
{
    (void)state;
    int got[257], want[257];
    test_poison(got, 257);
    {
        AMP_ARRAY_VIEW(int, 1, v, got, 257);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i * i; });
    }
    for (int i = 0; i < 257; i++)
        want[i] = i * i;
    check_ints(got, want, 257);
}

int run_api_launch(void);
int run_api_launch(void)
{
    const struct CMUnitTest tests[] = {
        TEST(negative_domain),
        TEST(empty_domain),
        TEST(domains),
        TEST(moving_domains),
        TEST(domains_refused),
        TEST(domain_too_large),
        TEST(domain_too_large_for_the_device),
        TEST(every_index_of_rank_1),
        TEST(every_index_of_rank_2),
        TEST(every_index_of_rank_3),
        TEST(every_index_of_ranks_4_to_8),
        TEST(every_index_of_any_shape),
        TEST(arrays_on_a_fresh_view),
        TEST(integers_captured),
        TEST(reals_captured),
        TEST(captures_to_the_limit),
        TEST(views_wherever_they_lie),
        TEST(launches_like_the_one_before),
        TEST(nothing_captured),
        TEST(captured_at_the_launch),
        TEST(structs_captured),
        TEST(structs_as_elements),
        TEST(bool_and_size_t_in_structs),
        TEST(structs_named_as_types_of_devices),
        TEST(constants_and_macros),
        TEST(functions_called),
        TEST(functions_on_the_host),
        TEST(control_flow),
        TEST(punctuation),
        TEST(printf_in_a_kernel),
        TEST(indices_by_name_and_component),
        TEST(index_types),
        TEST(one_statement),
        TEST(arguments_once),
        TEST(names_of_the_user),
        TEST(one_site_many_launches),
        TEST(specialized),
        TEST(narrow_elements),
        TEST(launched_without_a_view),
    };
    return cmocka_run_group_tests_name("api/launch", tests, NULL, NULL);
}
