// SPDX-License-Identifier: MIT
/*  tests/api/types.c - index, extent, tiled extent: on the host for every rank, and the same functions in kernels. */
#include "test.h"

/* Calls X(rank) for each rank that is ready made. */
#define EVERY_RANK(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

/* ---- arithmetic on the host, every rank ---------------------------------------------------------- */

enum { REPEATS = 50 };

/* What a component must come to, by C's own operators. */
typedef int component(int a, int b);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }
static int over(int a, int b) { return a / b; }
static int rest(int a, int b) { return a % b; }

static int nonzero(void)
{
    const int n = test_random_int(1, 40);
    return test_random() & 1 ? n : -n;
}

/* Compares all components of one result with operation(a, b); a step of 0 means that this side is a scalar. */
static void check_components(const char *what, const int *got, int rank, component *operation, const int *a, int a_step,
                             const int *b, int b_step)
{
    int want[AMP_MAX_RANK];
    for (int d = 0; d < rank; d++)
        want[d] = operation(a[d * a_step], b[d * b_step]);
    if (!test_same_ints(what, got, want, (size_t)rank))
        fail();
}

#define CHECK_WITH(T, function, operation, x, x_step, y, y_step, arguments)                                            \
    do {                                                                                                               \
        const T result = T##_##function arguments;                                                                     \
        check_components(#T "_" #function, result.v, (int)(sizeof result.v / sizeof(int)), operation, x, x_step, y,    \
                         y_step);                                                                                      \
    } while (0)

/* a, b and nonzero are objects of type T; scalar is a nonzero int. */
#define CHECK_ARITHMETIC(T, a, b, divisor, scalar)                                                                     \
    CHECK_WITH(T, add, plus, (a).v, 1, (b).v, 1, (a, b));                                                              \
    CHECK_WITH(T, sub, minus, (a).v, 1, (b).v, 1, (a, b));                                                             \
    CHECK_WITH(T, add_scalar, plus, (a).v, 1, &scalar, 0, (a, scalar));                                                \
    CHECK_WITH(T, sub_scalar, minus, (a).v, 1, &scalar, 0, (a, scalar));                                               \
    CHECK_WITH(T, mul_scalar, times, (a).v, 1, &scalar, 0, (a, scalar));                                               \
    CHECK_WITH(T, div_scalar, over, (a).v, 1, &scalar, 0, (a, scalar));                                                \
    CHECK_WITH(T, mod_scalar, rest, (a).v, 1, &scalar, 0, (a, scalar));                                                \
    CHECK_WITH(T, scalar_add, plus, &scalar, 0, (b).v, 1, (scalar, b));                                                \
    CHECK_WITH(T, scalar_sub, minus, &scalar, 0, (b).v, 1, (scalar, b));                                               \
    CHECK_WITH(T, scalar_mul, times, &scalar, 0, (b).v, 1, (scalar, b));                                               \
    CHECK_WITH(T, scalar_div, over, &scalar, 0, (divisor).v, 1, (scalar, divisor));                                    \
    CHECK_WITH(T, scalar_mod, rest, &scalar, 0, (divisor).v, 1, (scalar, divisor))

/* Equality must look at every component, whatever the rank. */
#define CHECK_EQUALITY(T, a)                                                                                           \
    do {                                                                                                               \
        check_int(T##_equal(a, a), 1);                                                                                 \
        check_int(amp_equal(a, a), 1);                                                                                 \
        for (size_t d = 0; d < sizeof(T) / sizeof(int); d++) {                                                         \
            T other = a;                                                                                               \
            other.v[d] ^= 1;                                                                                           \
            check_int(T##_equal(a, other), 0);                                                                         \
            check_int(amp_equal(other, a), 0);                                                                         \
        }                                                                                                              \
    } while (0)

#define CHECK_GENERIC(T, name, operation, x, y, y_values, y_step)                                                      \
    do {                                                                                                               \
        const T result = amp_##name(x, y);                                                                             \
        check_components("amp_" #name " of " #T, result.v, (int)(sizeof result.v / sizeof(int)), operation, (x).v, 1,  \
                         y_values, y_step);                                                                            \
    } while (0)

#define DEFINE_ARITHMETIC_TEST(N)                                                                                      \
    static void arithmetic_of_rank_##N(void **state)                                                                   \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        for (int repeat = 0; repeat < REPEATS; repeat++) {                                                             \
            amp_index##N i, j, l;                                                                                      \
            amp_extent##N e, f, g;                                                                                     \
            for (int d = 0; d < N; d++) {                                                                              \
                i.v[d] = test_random_int(-20000, 20000), j.v[d] = test_random_int(-20000, 20000);                      \
                e.v[d] = test_random_int(-20000, 20000), f.v[d] = test_random_int(-20000, 20000);                      \
                l.v[d] = nonzero(), g.v[d] = nonzero();                                                                \
            }                                                                                                          \
            const int scalar = nonzero();                                                                              \
            CHECK_ARITHMETIC(amp_index##N, i, j, l, scalar);                                                           \
            CHECK_ARITHMETIC(amp_extent##N, e, f, g, scalar);                                                          \
            CHECK_WITH(amp_extent##N, add_index, plus, e.v, 1, i.v, 1, (e, i));                                        \
            CHECK_WITH(amp_extent##N, sub_index, minus, e.v, 1, i.v, 1, (e, i));                                       \
            CHECK_EQUALITY(amp_index##N, i);                                                                           \
            CHECK_EQUALITY(amp_extent##N, e);                                                                          \
            CHECK_GENERIC(amp_index##N, add, plus, i, j, j.v, 1);                                                      \
            CHECK_GENERIC(amp_index##N, sub, minus, i, j, j.v, 1);                                                     \
            CHECK_GENERIC(amp_index##N, add, plus, i, scalar, &scalar, 0);                                             \
            CHECK_GENERIC(amp_index##N, sub, minus, i, scalar, &scalar, 0);                                            \
            CHECK_GENERIC(amp_extent##N, add, plus, e, f, f.v, 1);                                                     \
            CHECK_GENERIC(amp_extent##N, sub, minus, e, f, f.v, 1);                                                    \
            CHECK_GENERIC(amp_extent##N, add, plus, e, i, i.v, 1);                                                     \
            CHECK_GENERIC(amp_extent##N, sub, minus, e, i, i.v, 1);                                                    \
            CHECK_GENERIC(amp_extent##N, add, plus, e, scalar, &scalar, 0);                                            \
            CHECK_GENERIC(amp_extent##N, sub, minus, e, scalar, &scalar, 0);                                           \
        }                                                                                                              \
    }
EVERY_RANK(DEFINE_ARITHMETIC_TEST)

/* ---- size and contains --------------------------------------------------------------------------- */

/* Case 11: a component that is not positive makes the size 0, without an error; nothing wraps at 32 bits. */
#define DEFINE_SIZE_TEST(N)                                                                                            \
    static void size_of_rank_##N(void **state)                                                                         \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        amp_extent##N e;                                                                                               \
        size_t want = 1;                                                                                               \
        for (int d = 0; d < N; d++) {                                                                                  \
            e.v[d] = d % 4 + 2;                                                                                        \
            want *= (size_t)e.v[d];                                                                                    \
        }                                                                                                              \
        check_int(amp_extent##N##_size(e), want);                                                                      \
        check_int(amp_size(e), want);                                                                                  \
        static const int bad[] = { 0, -1, -3, INT_MIN };                                                               \
        for (int d = 0; d < N; d++)                                                                                    \
            for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {                                                  \
                amp_extent##N other = e;                                                                               \
                other.v[d] = bad[b];                                                                                   \
                check_int(amp_extent##N##_size(other), 0);                                                             \
                check_int(amp_size(other), 0);                                                                         \
            }                                                                                                          \
    }
EVERY_RANK(DEFINE_SIZE_TEST)

static void sizes_by_hand(void **state)
{
    (void)state;
    check_int(amp_size(AMP_EXTENT(2, 3, 4, 5)), 120);
    check(amp_size(AMP_EXTENT(65536, 65536, 4)) == (SIZE_MAX > UINT32_MAX ? (size_t)((uint64_t)1 << 34) : SIZE_MAX));
    check_int(amp_size(AMP_EXTENT(INT_MAX, 2)), 4294967294);
    check_int(amp_size(AMP_EXTENT(-2, -3)), 0); /* two negatives make no positive */
    check_int(amp_size(AMP_EXTENT(INT_MAX)), INT_MAX);
    check(amp_size(AMP_EXTENT(1 << 30, 1 << 30, 8)) ==
          (SIZE_MAX > UINT32_MAX ? (size_t)((uint64_t)1 << 63) : SIZE_MAX));
    check(amp_size(AMP_EXTENT(1 << 30, 1 << 30, 16)) == SIZE_MAX); /* 2^64 */
    check(amp_size(AMP_EXTENT(INT_MAX, INT_MAX, INT_MAX, 1, 2)) == SIZE_MAX);
    check_int(amp_size(AMP_EXTENT(INT_MAX, INT_MAX, INT_MAX, 0)), 0);
}

/* Case 12, component by component: each is wrong once while all others are right. */
#define DEFINE_CONTAINS_TEST(N)                                                                                        \
    static void contains_of_rank_##N(void **state)                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        amp_extent##N e;                                                                                               \
        amp_index##N first, last;                                                                                      \
        for (int d = 0; d < N; d++) {                                                                                  \
            e.v[d] = d % 4 + 2;                                                                                        \
            first.v[d] = 0;                                                                                            \
            last.v[d] = e.v[d] - 1;                                                                                    \
        }                                                                                                              \
        check_int(amp_extent##N##_contains(e, first), 1);                                                              \
        check_int(amp_extent##N##_contains(e, last), 1);                                                               \
        check_int(amp_contains(e, last), 1);                                                                           \
        for (int d = 0; d < N; d++) {                                                                                  \
            const int bad[] = { -1, INT_MIN, e.v[d], INT_MAX };                                                        \
            for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {                                                  \
                amp_index##N outside = first;                                                                          \
                outside.v[d] = bad[b];                                                                                 \
                check_int(amp_extent##N##_contains(e, outside), 0);                                                    \
                check_int(amp_contains(e, outside), 0);                                                                \
            }                                                                                                          \
            static const int empty[] = { 0, -1, INT_MIN };                                                             \
            for (size_t b = 0; b < sizeof empty / sizeof empty[0]; b++) {                                              \
                amp_extent##N nothing = e;                                                                             \
                nothing.v[d] = empty[b];                                                                               \
                check_int(amp_contains(nothing, first), 0);                                                            \
            }                                                                                                          \
        }                                                                                                              \
        amp_extent##N huge;                                                                                            \
        for (int d = 0; d < N; d++) {                                                                                  \
            huge.v[d] = INT_MAX;                                                                                       \
            last.v[d] = INT_MAX - 1;                                                                                   \
        }                                                                                                              \
        check_int(amp_contains(huge, last), 1);                                                                        \
        last.v[N - 1] = INT_MAX;                                                                                       \
        check_int(amp_contains(huge, last), 0);                                                                        \
    }
EVERY_RANK(DEFINE_CONTAINS_TEST)

/* ---- numbers worked by hand ---------------------------------------------------------------------- */

static void worked_numbers(void **state)
{
    (void)state;
    amp_index2 a = AMP_INDEX(0, 0);
    a = amp_index2_add_scalar(a, 5);
    a.v[1] += 3;
    a = amp_add(a, 1);
    check_int(a.v[0], 6);
    check_int(a.v[1], 9);
    const amp_index2 b = amp_index2_sub(amp_index2_add_scalar(AMP_INDEX(0, 0), 10), AMP_INDEX(4, 1));
    check(amp_equal(a, b));

    const amp_index3 turned = amp_index3_scalar_sub(10, AMP_INDEX(1, 2, 13));
    check_int(turned.v[0], 9);
    check_int(turned.v[1], 8);
    check_int(turned.v[2], -3);

    amp_extent2 e = AMP_EXTENT(3, 4);
    check_int(amp_size(e), 12);
    e = amp_add(e, 3);
    e.v[1] += 6;
    e = amp_add(e, AMP_INDEX(3, -4));
    check_int(e.v[0], 9);
    check_int(e.v[1], 9);
    check(amp_contains(e, AMP_INDEX(8, 8)));
    check(!amp_contains(e, AMP_INDEX(8, 9)));

    /* Division goes toward zero, and the remainder takes the sign of the left side. */
    const amp_index2 quotient = amp_index2_div_scalar(AMP_INDEX(7, -7), 2);
    check_int(quotient.v[0], 3);
    check_int(quotient.v[1], -3);
    const amp_index2 remainder_of = amp_index2_mod_scalar(AMP_INDEX(7, -7), 2);
    check_int(remainder_of.v[0], 1);
    check_int(remainder_of.v[1], -1);
}

/* Case 10: the same expressions on the host and, further down, in a kernel. */
#define SUM_3(a, b, c) amp_index3_sub(amp_index3_add(a, b), c)
#define NINE_TERMS(i1, i2, i3, i4, i5, i6, i7, i8, i9)                                                                 \
    amp_index3_sub(                                                                                                    \
        amp_index3_sub(                                                                                                \
            amp_index3_sub(amp_index3_add(amp_index3_add(amp_index3_add(amp_index3_add(amp_index3_sub(i1, i2), i3),    \
                                                                        i4),                                           \
                                                         i5),                                                          \
                                          i6),                                                                         \
                           i7),                                                                                        \
            i8),                                                                                                       \
        i9)
/* 9 - (8 - (7 + 6)) + 5 + (4 - (3 + 1)) */
#define BRACKETED(i1, i3, i4, i5, i6, i7, i8, i9)                                                                      \
    amp_index3_add(amp_index3_add(amp_index3_sub(i9, amp_index3_sub(i8, amp_index3_add(i7, i6))), i5),                 \
                   amp_index3_sub(i4, amp_index3_add(i3, i1)))

static void case_10_on_the_host(void **state)
{
    (void)state;
    amp_index3 c[10];
    for (int n = 0; n < 10; n++)
        c[n] = AMP_INDEX(n, n, n);
    check(amp_equal(SUM_3(c[5], c[2], c[3]), AMP_INDEX(4, 4, 4)));
    check(amp_equal(amp_index3_add(amp_index3_sub(c[5], c[2]), c[3]), AMP_INDEX(6, 6, 6)));
    check(amp_equal(NINE_TERMS(c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]), AMP_INDEX(-7, -7, -7)));
    check(amp_equal(BRACKETED(c[1], c[3], c[4], c[5], c[6], c[7], c[8], c[9]), AMP_INDEX(19, 19, 19)));
}

/* AMP_INDEX and AMP_EXTENT: the rank is the number of arguments, the first is the most significant. */
#define IS(type, x) _Generic((x), type : 1, default : 0)
static void made_by_macro(void **state)
{
    (void)state;
    check(IS(amp_index1, AMP_INDEX(1)));
    check(IS(amp_index2, AMP_INDEX(1, 2)));
    check(IS(amp_index3, AMP_INDEX(1, 2, 3)));
    check(IS(amp_index4, AMP_INDEX(1, 2, 3, 4)));
    check(IS(amp_index5, AMP_INDEX(1, 2, 3, 4, 5)));
    check(IS(amp_index6, AMP_INDEX(1, 2, 3, 4, 5, 6)));
    check(IS(amp_index7, AMP_INDEX(1, 2, 3, 4, 5, 6, 7)));
    check(IS(amp_index8, AMP_INDEX(1, 2, 3, 4, 5, 6, 7, 8)));
    check(IS(amp_extent1, AMP_EXTENT(1)));
    check(IS(amp_extent5, AMP_EXTENT(1, 2, 3, 4, 5)));
    check(IS(amp_extent8, AMP_EXTENT(1, 2, 3, 4, 5, 6, 7, 8)));
    static const int want[] = { 8, 7, 6, 5, 4, 3, 2, 1 };
    const amp_index8 i = AMP_INDEX(8, 7, 6, 5, 4, 3, 2, 1);
    const amp_extent8 e = AMP_EXTENT(8, 7, 6, 5, 4, 3, 2, 1);
    check_ints(i.v, want, 8);
    check_ints(e.v, want, 8);
    int n = 5;
    const amp_index2 once = AMP_INDEX(n++, 7); /* evaluated once */
    check_int(once.v[0], 5);
    check_int(n, 6);
    /* Results of functions are fine as arguments of the generic names. */
    check_int(amp_add(amp_add(AMP_INDEX(1, 2), 1), AMP_INDEX(3, 3)).v[1], 6);
}

/* ---- tiled extents ------------------------------------------------------------------------------- */

/* Case 13. */
static void pad_and_truncate(void **state)
{
    (void)state;
    const amp_tiled_extent1 t1 = amp_extent1_tile(AMP_EXTENT(25), 4);
    check_int(amp_tiled_extent1_pad(t1).v[0], 28);
    check_int(amp_tiled_extent1_truncate(t1).v[0], 24);
    check_int(amp_tiled_extent1_pad(t1).tile[0], 4);
    check_int(amp_tiled_extent1_truncate(t1).tile[0], 4);
    check_int(amp_tiled_extent1_extent(t1).v[0], 25); /* tiling itself changes nothing */

    const amp_tiled_extent2 t2 = amp_extent2_tile(AMP_EXTENT(25, 51), 4, 8);
    static const int padded2[] = { 28, 56 }, truncated2[] = { 24, 48 }, tile2[] = { 4, 8 };
    check_ints(amp_tiled_extent2_pad(t2).v, padded2, 2);
    check_ints(amp_tiled_extent2_truncate(t2).v, truncated2, 2);
    check_ints(amp_tiled_extent2_pad(t2).tile, tile2, 2);
    check_ints(amp_tiled_extent2_truncate(t2).tile, tile2, 2);

    const amp_tiled_extent3 t3 = amp_extent3_tile(AMP_EXTENT(25, 51, 85), 4, 8, 16);
    static const int padded3[] = { 28, 56, 96 }, truncated3[] = { 24, 48, 80 }, tile3[] = { 4, 8, 16 };
    check_ints(amp_tiled_extent3_pad(t3).v, padded3, 3);
    check_ints(amp_tiled_extent3_truncate(t3).v, truncated3, 3);
    check_ints(amp_tiled_extent3_pad(t3).tile, tile3, 3);
    check(amp_equal(amp_tiled_extent3_extent(amp_tiled_extent3_pad(t3)), AMP_EXTENT(28, 56, 96)));

    /* Exact multiples stay, also at the end of int, where a sum on the way would overflow. */
    const amp_tiled_extent3 exact = amp_extent3_tile(AMP_EXTENT(28, 56, 96), 4, 8, 16);
    check_ints(amp_tiled_extent3_pad(exact).v, padded3, 3);
    check_ints(amp_tiled_extent3_truncate(exact).v, padded3, 3);
    const amp_tiled_extent1 huge = amp_extent1_tile(AMP_EXTENT(INT_MAX - 1), INT_MAX - 1);
    check_int(amp_tiled_extent1_pad(huge).v[0], INT_MAX - 1);
    check_int(amp_tiled_extent1_truncate(huge).v[0], INT_MAX - 1);
    check_int(amp_tiled_extent1_pad(amp_extent1_tile(AMP_EXTENT(INT_MAX - 3), 4)).v[0], INT_MAX - 3);
    /* Smaller than a tile: padded to one, truncated to none. */
    check_int(amp_tiled_extent1_pad(amp_extent1_tile(AMP_EXTENT(3), 4)).v[0], 4);
    check_int(amp_tiled_extent1_truncate(amp_extent1_tile(AMP_EXTENT(3), 4)).v[0], 0);

    const amp_tiled_extent2 tiled = amp_extent2_tile(AMP_EXTENT(999, 666), 16, 16);
    const amp_extent2 truncated = amp_tiled_extent2_extent(amp_tiled_extent2_truncate(tiled));
    check(amp_equal(truncated, AMP_EXTENT(992, 656)));
    check_int(amp_size(truncated), 650752);
    check_int(amp_size(AMP_EXTENT(999, 666)), 665334);
    expect_no_error();
}

/* Any extent, any tile: the next multiple, the one before, at most a tile apart. */
static void pad_and_truncate_at_random(void **state)
{
    (void)state;
    for (int repeat = 0; repeat < 2000; repeat++) {
        const int extent = test_random_int(1, repeat % 2 ? 1000 : INT_MAX / 2);
        const int tile = test_random_int(1, repeat % 3 ? 50 : 1 << 20);
        const amp_tiled_extent2 t = amp_extent2_tile(AMP_EXTENT(extent, 5), tile, 5);
        const int up = amp_tiled_extent2_pad(t).v[0], down = amp_tiled_extent2_truncate(t).v[0];
        check_that(up >= extent && up % tile == 0 && up - extent < tile, "%d padded to %d is %d", extent, tile, up);
        check_that(down <= extent && down % tile == 0 && extent - down < tile, "%d truncated to %d is %d", extent, tile,
                   down);
        check_int(amp_tiled_extent2_pad(t).v[1], 5);
    }
    expect_no_error();
}

/* Case 14: told by name and number; what comes out cannot become a container. */
static void pad_that_overflows(void **state)
{
    (void)state;
    const amp_tiled_extent1 one = amp_tiled_extent1_pad(amp_extent1_tile(AMP_EXTENT(INT_MAX), 4));
    expect_error(AMP_INVALID_ARGUMENT, "pad: 2147483647 padded to a multiple of the tile 4");
    check(one.v[0] < 0);
    check_int(amp_size(amp_tiled_extent1_extent(one)), 0);

    const amp_tiled_extent2 two = amp_tiled_extent2_pad(amp_extent2_tile(AMP_EXTENT(8, INT_MAX), 4, 4));
    expect_error(AMP_INVALID_ARGUMENT, "2147483647");
    check_int(two.v[0], 8);
    check(two.v[1] < 0);

    const amp_tiled_extent3 three = amp_tiled_extent3_pad(amp_extent3_tile(AMP_EXTENT(8, INT_MAX, 8), 4, 4, 4));
    expect_error(AMP_INVALID_ARGUMENT, "2147483647");
    check(three.v[1] < 0);
    check_int(amp_size(amp_tiled_extent3_extent(three)), 0);

    /* And nothing can be launched over it. */
    AMP_TILED(one, (4), tile, AMP_CAPTURE(), {
        AMP_THREADS(tile, t) { (void)t;
}
});
expect_error(AMP_INVALID_COMPUTE_DOMAIN, "-1");
}

/* ---- the same functions in a kernel -------------------------------------------------------------- */

/* One text, expanded once for the host and once inside a kernel: leaves results in P(value), one after the
    other. */
#define PUT_ALL(P, N, object)                                                                                          \
    for (int d = 0; d < N; d++)                                                                                        \
    P((object).v[d])
#define PUT_ARITHMETIC(P, N, T, a, b, divisor, scalar)                                                                 \
    PUT_ALL(P, N, T##_add(a, b));                                                                                      \
    PUT_ALL(P, N, T##_sub(a, b));                                                                                      \
    PUT_ALL(P, N, T##_add_scalar(a, scalar));                                                                          \
    PUT_ALL(P, N, T##_sub_scalar(a, scalar));                                                                          \
    PUT_ALL(P, N, T##_mul_scalar(a, scalar));                                                                          \
    PUT_ALL(P, N, T##_div_scalar(a, scalar));                                                                          \
    PUT_ALL(P, N, T##_mod_scalar(a, scalar));                                                                          \
    PUT_ALL(P, N, T##_scalar_add(scalar, b));                                                                          \
    PUT_ALL(P, N, T##_scalar_sub(scalar, b));                                                                          \
    PUT_ALL(P, N, T##_scalar_mul(scalar, b));                                                                          \
    PUT_ALL(P, N, T##_scalar_div(scalar, divisor));                                                                    \
    PUT_ALL(P, N, T##_scalar_mod(scalar, divisor));                                                                    \
    P(T##_equal(a, a));                                                                                                \
    P(T##_equal(a, b))
#define PUT_EVERYTHING(P, N, i, j, e, f, scalar)                                                                       \
    PUT_ARITHMETIC(P, N, amp_index##N, i, j, j, scalar);                                                               \
    PUT_ARITHMETIC(P, N, amp_extent##N, e, f, f, scalar);                                                              \
    PUT_ALL(P, N, amp_extent##N##_add_index(e, i));                                                                    \
    PUT_ALL(P, N, amp_extent##N##_sub_index(e, i));                                                                    \
    P((int)(amp_extent##N##_size(f) % 1000003));                                                                       \
    P((int)(amp_extent##N##_size(f) >> 31 >> 1));                                                                      \
    P(amp_extent##N##_contains(f, i));                                                                                 \
    P(amp_extent##N##_contains(f, j))
#define PUT_ON_HOST(value)   want[count++] = (value)
#define PUT_IN_KERNEL(value) AMP_AT(out, at++) = (value)
enum { RESULTS = 32 * AMP_MAX_RANK + 64 };

/* f and j are positive, so that they can divide, and f contains j. The host's results are right: the tests above
   compared the same functions with C's operators. */
#define DEFINE_KERNEL_TEST(N)                                                                                          \
    static void arithmetic_in_a_kernel_of_rank_##N(void **state)                                                       \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        amp_index##N i, j;                                                                                             \
        amp_extent##N e, f;                                                                                            \
        for (int d = 0; d < N; d++) {                                                                                  \
            i.v[d] = test_random_int(-20000, 20000), e.v[d] = test_random_int(-20000, 20000);                          \
            j.v[d] = test_random_int(1, 40), f.v[d] = j.v[d] + test_random_int(1, 200);                                \
        }                                                                                                              \
        const int scalar = nonzero();                                                                                  \
        int want[RESULTS], got[RESULTS], count = 0;                                                                    \
        test_poison(want, RESULTS);                                                                                    \
        PUT_EVERYTHING(PUT_ON_HOST, N, i, j, e, f, scalar);                                                            \
        check_int(count, 26 * N + 8);                                                                                  \
        FOR_EACH_ACCELERATOR(where)                                                                                    \
        {                                                                                                              \
            test_poison(got, RESULTS);                                                                                 \
            {                                                                                                          \
                AMP_ARRAY_VIEW(int, 1, out, got, RESULTS);                                                             \
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (one),                                                  \
                                         AMP_CAPTURE(out, AMP_VALUE(amp_index##N, i), AMP_VALUE(amp_index##N, j),      \
                                                     AMP_VALUE(amp_extent##N, e), AMP_VALUE(amp_extent##N, f),         \
                                                     scalar),                                                          \
                                         {                                                                             \
                                             int at = one;                                                             \
                                             PUT_EVERYTHING(PUT_IN_KERNEL, N, i, j, e, f, scalar);                     \
                                         });                                                                           \
            }                                                                                                          \
            check_ints(got, want, RESULTS);                                                                            \
        }                                                                                                              \
    }
DEFINE_KERNEL_TEST(1)
DEFINE_KERNEL_TEST(2)
DEFINE_KERNEL_TEST(3)
DEFINE_KERNEL_TEST(8)

/* Case 10 on devices, with what makes indices and extents there; and the tiled extents. */
static void made_in_a_kernel(void **state)
{
    (void)state;
    enum { COUNT = 64, LARGE = SIZE_MAX > UINT32_MAX ? 4 : 0 /* 2 to the 34th, or what a size_t is at most */ };
    static const int want[] = { 4,  6,  -7, 19, 19, 19, 120, LARGE, 0,  8,  7,  6, 5, 4,  3, 2, 1, 28,
                                24, 28, 56, 24, 48, 28, 56,  96,    24, 48, 80, 1, 0, 25, 8, 1, 0, 0 };
    int got[COUNT], expected[COUNT];
    test_poison(expected, COUNT);
    memcpy(expected, want, sizeof want);
    FOR_EACH_ACCELERATOR(where)
    {
        test_poison(got, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, out, got, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (one), AMP_CAPTURE(out), {
                int at = one;
                amp_index3 c[10];
                for (int n = 0; n < 10; n++)
                    c[n] = AMP_INDEX(n, n, n);
                AMP_AT(out, at++) = SUM_3(c[5], c[2], c[3]).v[0];
                AMP_AT(out, at++) = amp_index3_add(amp_index3_sub(c[5], c[2]), c[3]).v[1];
                AMP_AT(out, at++) = NINE_TERMS(c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]).v[2];
                const amp_index3 nineteen = BRACKETED(c[1], c[3], c[4], c[5], c[6], c[7], c[8], c[9]);
                for (int d = 0; d < 3; d++)
                    AMP_AT(out, at++) = nineteen.v[d];

                AMP_AT(out, at++) = (int)amp_extent4_size(AMP_EXTENT(2, 3, 4, 5));
                AMP_AT(out, at++) = (int)(amp_extent3_size(AMP_EXTENT(65536, 65536, 4)) >> 31 >> 1); /* 2 to the 34th */
                AMP_AT(out, at++) = (int)amp_extent3_size(AMP_EXTENT(8, -1, 8));
                const amp_index8 eight = AMP_INDEX(8, 7, 6, 5, 4, 3, 2, 1);
                for (int d = 0; d < 8; d++)
                    AMP_AT(out, at++) = eight.v[d];

                const amp_tiled_extent1 t1 = amp_extent1_tile(AMP_EXTENT(25), 4);
                AMP_AT(out, at++) = amp_tiled_extent1_pad(t1).v[0];
                AMP_AT(out, at++) = amp_tiled_extent1_truncate(t1).v[0];
                const amp_tiled_extent2 t2 = amp_extent2_tile(AMP_EXTENT(25, 51), 4, 8);
                for (int d = 0; d < 2; d++)
                    AMP_AT(out, at++) = amp_tiled_extent2_pad(t2).v[d];
                for (int d = 0; d < 2; d++)
                    AMP_AT(out, at++) = amp_tiled_extent2_truncate(t2).v[d];
                const amp_tiled_extent3 t3 = amp_extent3_tile(AMP_EXTENT(25, 51, 85), 4, 8, 16);
                for (int d = 0; d < 3; d++)
                    AMP_AT(out, at++) = amp_tiled_extent3_pad(t3).v[d];
                for (int d = 0; d < 3; d++)
                    AMP_AT(out, at++) = amp_tiled_extent3_truncate(t3).v[d];

                AMP_AT(out, at++) = amp_extent2_contains(AMP_EXTENT(9, 9), AMP_INDEX(8, 8));
                AMP_AT(out, at++) = amp_extent2_contains(AMP_EXTENT(9, 9), AMP_INDEX(8, 9));
                AMP_AT(out, at++) = amp_tiled_extent2_extent(t2).v[0];
                AMP_AT(out, at++) = t2.tile[1];
                AMP_AT(out, at++) = amp_extent1_contains(AMP_EXTENT(INT_MAX), AMP_INDEX(INT_MAX - 1));
                AMP_AT(out, at++) = amp_extent1_contains(AMP_EXTENT(INT_MIN), AMP_INDEX(INT_MIN));
                AMP_AT(out, at++) = amp_extent1_contains(AMP_EXTENT(0), AMP_INDEX(0));
            });
        }
        check_ints(got, expected, COUNT);
    }
}

#define ARITHMETIC(N) TEST(arithmetic_of_rank_##N),
#define SIZE(N)       TEST(size_of_rank_##N),
#define CONTAINS(N)   TEST(contains_of_rank_##N),

int run_api_types(void);
int run_api_types(void)
{
    const struct CMUnitTest tests[] = {
        EVERY_RANK(ARITHMETIC) EVERY_RANK(SIZE) TEST(sizes_by_hand),
        EVERY_RANK(CONTAINS) TEST(worked_numbers),
        TEST(case_10_on_the_host),
        TEST(made_by_macro),
        TEST(pad_and_truncate),
        TEST(pad_and_truncate_at_random),
        TEST(pad_that_overflows),
        TEST(arithmetic_in_a_kernel_of_rank_1),
        TEST(arithmetic_in_a_kernel_of_rank_2),
        TEST(arithmetic_in_a_kernel_of_rank_3),
        TEST(arithmetic_in_a_kernel_of_rank_8),
        TEST(made_in_a_kernel),
    };
    return cmocka_run_group_tests_name("api/types", tests, NULL, NULL);
}
