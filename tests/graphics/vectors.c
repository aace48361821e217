// SPDX-License-Identifier: MIT
/*  vectors.c - short vectors against plain C, component by component, on every backend: each operator and
    function of every type, what they are in memory, and where a kernel may have them.
    Also tests amp/graphics/formats.h, amp/graphics/texture_units.h,
    amp/graphics/textures.h. */
#include "child.h"
#include "test.h"

#include "amp_graphics.h"

/* ---- operators and functions ---------------------------------------------------------------------- */

/* X(V, N, what a kernel says of vectors a and b, what C says of their components p and q), for vectors of type V with N
   components of type T. */
#define OF_ANY(X, V, N, T)                                                                                             \
    X(V, N, a + b, p + q)                                                                                              \
    X(V, N, a - b, p - q)                                                                                              \
    X(V, N, a *b, p *q)                                                                                                \
    X(V, N, a / b, p / q)                                                                                              \
    X(V, N, (T)100 / b + a / (T)2, 100 / q + p / 2)                                                                    \
    X(V, N, (c = a, c *= (T)2, c += b, c -= (T)1, c /= b), (p * 2 + q - 1) / q)                                        \
    X(V, N, V##_select((a <= b) & (a != b), a, b + b), p < q ? p : q + q)                                              \
    X(V, N, V##_select(a > b, a, b + b), p > q ? p : q + q)                                                            \
    X(V, N, a + (T)3, p + 3)                                                                                           \
    X(V, N, (T)100 - a, 100 - p)                                                                                       \
    X(V, N, a *(T)2, p * 2)                                                                                            \
    X(V, N, V##_from_number(7), p - p + 7)                                                                             \
    X(V, N, V##_min(a, b), p < q ? p : q)                                                                              \
    X(V, N, V##_max(a, b), p < q ? q : p)                                                                              \
    X(V, N, V##_clamp(a, 3, 9), p < 3 ? 3 : p > 9 ? 9 : p)                                                             \
    X(V, N, V##_select(a < b, a + b, b), p < q ? p + q : q)                                                            \
    X(V, N, V##_select(a >= b, a, b + b), p >= q ? p : q + q)                                                          \
    X(V, N, V##_select(a == b, a, b - a), p == q ? p : q - p)
#define OF_INTEGERS(X, V, N, T)                                                                                        \
    OF_ANY(X, V, N, T)                                                                                                 \
    X(V, N, -a, -p)                                                                                                    \
    X(V, N, a % b, p % q)                                                                                              \
    X(V, N, a % (T)3 + (a >> b), p % 3 + (p >> q))                                                                     \
    X(V, N, ((a & (T)1) << b) | (T)3, ((p & 1) << q) | 3)                                                              \
    X(V, N, (c = a, c %= (T)7, c &= b, c |= (T)5, c ^= b, c <<= (T)2, c >>= (T)1), (((((p % 7) & q) | 5) ^ q) << 1))   \
    X(V, N, a &b, p &q)                                                                                                \
    X(V, N, a | b, p | q)                                                                                              \
    X(V, N, a ^ b, p ^ q)                                                                                              \
    X(V, N, ~a, ~p)                                                                                                    \
    X(V, N, a << (T)1, p * 2)                                                                                          \
    X(V, N, a >> (T)1, p >> 1)                                                                                         \
    X(V, N, V##_div(a + a, b - b + b), (p + p) / q)                                                                    \
    X(V, N, V##_mod(a, b - b + b), p % q)
#define OF_REALS(X, V, N, T)                                                                                           \
    OF_ANY(X, V, N, T)                                                                                                 \
    X(V, N, -a, -p)                                                                                                    \
    X(V, N, V##_mix(a, b, (T)0.25), p + (q - p) * (T)0.25)                                                             \
    X(V, N, V##_fma(a, b, a), p *q + p)                                                                                \
    X(V, N, V##_smoothstep(-9, 11, a), smooth((p + 9) / 20))                                                           \
    X(V, N, V##_normalize(a), p / length)

/* What is one number, or more than a line of components. */
#define NUMBERS_OF_SIGNED(V, N)                                                                                        \
    r[at++] = (V##_any(a < b) != 0);                                                                                   \
    r[at++] = (V##_all(a < b) != 0);                                                                                   \
    r[at++] = (V##_any(a != a) != 0);                                                                                  \
    r[at++] = (V##_all(a == a) != 0);
#define NUMBERS_OF_UNSIGNED(V, N)
#define NUMBERS_OF_REALS(V, N)                                                                                         \
    r[at++] = V##_dot(a, b);                                                                                           \
    r[at++] = V##_length(a);                                                                                           \
    r[at++] = V##_distance(a, b);                                                                                      \
    CROSS_##N(V)
#define CROSS_2(V)
#define CROSS_3(V) V##_store(r + at, V##_cross(a, b));
#define CROSS_4(V)

static double smooth(double t)
{
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* Each thread has 4 components of a, then of b, and gives back what the lines are for 2, 3 and 4 of them. */
enum { THREADS = 37, GIVEN = 8, ROOM = 128 };
#define STORE_LINE(V, N, vector, scalar)                                                                               \
    V##_store(r + at, vector);                                                                                         \
    at += N;
#define WORK_OF(S, T, N, LINES, NUMBERS)                                                                               \
    AMP_FUNCTION(int, work_##S##_##N, (AMP_ELEMENT_POINTER(const T) given, AMP_ELEMENT_POINTER(T) r), {                \
        const amp_##S##_##N a = amp_##S##_##N##_load(given);                                                           \
        const amp_##S##_##N b = amp_##S##_##N##_load(given + 4);                                                       \
        amp_##S##_##N c = a;                                                                                           \
        int at = 0;                                                                                                    \
        LINES(STORE_LINE, amp_##S##_##N, N, T)                                                                         \
        NUMBERS(amp_##S##_##N, N)                                                                                      \
        return at;                                                                                                     \
    })

/* The same in C: numbers is how many follow the lines. */
typedef double follows(int n, int N, const double *a, const double *b);
static double comparison(int n, int N, const double *a, const double *b)
{
    int less = 0;
    for (int d = 0; d < N; d++)
        less += a[d] < b[d];
    return n == 0 ? less > 0 : n == 1 ? less == N : n == 3;
}
static double measure(int n, int N, const double *a, const double *b)
{
    double ab = 0, aa = 0, apart = 0;
    for (int d = 0; d < N; d++) {
        ab += a[d] * b[d];
        aa += a[d] * a[d];
        apart += (a[d] - b[d]) * (a[d] - b[d]);
    }
    const int y = n - 2 > 2 ? n - 5 : n - 2, z = (y + 1) % 3; /* of a cross product's component n - 3 */
    return n == 0 ? ab : n == 1 ? sqrt(aa) : n == 2 ? sqrt(apart) : a[y] * b[z] - a[z] * b[y];
}
#define EXPECT_LINE(V, N, vector, scalar)                                                                              \
    for (int d = 0; d < N; d++) {                                                                                      \
        const component p = given[d], q = given[4 + d];                                                                \
        (void)q;                                                                                                       \
        r[at++] = (component)(scalar);                                                                                 \
    }
#define EXPECT_OF(S, T, N, LINES, follow, numbers)                                                                     \
    static int expected_##S##_##N(const T *given, T *r)                                                                \
    {                                                                                                                  \
        typedef T component;                                                                                           \
        double a[4], b[4];                                                                                             \
        for (int d = 0; d < 4; d++) {                                                                                  \
            a[d] = (double)given[d];                                                                                   \
            b[d] = (double)given[4 + d];                                                                               \
        }                                                                                                              \
        const T length = (T)measure(1, N, a, b);                                                                       \
        int at = 0;                                                                                                    \
        (void)length;                                                                                                  \
        LINES(EXPECT_LINE, amp_##S##_##N, N, T)                                                                        \
        for (int n = 0; n < (numbers); n++)                                                                            \
            r[at++] = (T)follow(n, N, a, b);                                                                           \
        return at;                                                                                                     \
    }

#define TYPE(S, T, LINES, NUMBERS, follow, numbers)                                                                    \
    WORK_OF(S, T, 2, LINES, NUMBERS)                                                                                   \
    WORK_OF(S, T, 3, LINES, NUMBERS)                                                                                   \
    WORK_OF(S, T, 4, LINES, NUMBERS)                                                                                   \
    EXPECT_OF(S, T, 2, LINES, follow, numbers)                                                                         \
    EXPECT_OF(S, T, 3, LINES, follow, (numbers) + ((numbers) == 3 ? 3 : 0))                                            \
    EXPECT_OF(S, T, 4, LINES, follow, numbers)
#define INTEGER_TYPES(X)                                                                                               \
    X(int8, int8_t, SIGNED, 4)                                                                                         \
    X(uint8, uint8_t, UNSIGNED, 0)                                                                                     \
    X(int16, int16_t, SIGNED, 4)                                                                                       \
    X(uint16, uint16_t, UNSIGNED, 0)                                                                                   \
    X(int, int, SIGNED, 4)                                                                                             \
    X(uint, uint32_t, UNSIGNED, 0) X(int64, int64_t, SIGNED, 4) X(uint64, uint64_t, UNSIGNED, 0)
#define INTEGER_TYPE(S, T, kind, numbers) TYPE(S, T, OF_INTEGERS, NUMBERS_OF_##kind, comparison, numbers)
INTEGER_TYPES(INTEGER_TYPE)
TYPE(float, float, OF_REALS, NUMBERS_OF_REALS, measure, 3)
TYPE(double, double, OF_REALS, NUMBERS_OF_REALS, measure, 3)

/* Memory of a test, what it is given (b's components are positive, and some as large as a's), and the comparison. */
#define MEMORY(S, T)                                                                                                   \
    static T given_##S[THREADS * GIVEN], got_##S[THREADS * 3 * ROOM];                                                  \
    for (int i = 0; i < THREADS * GIVEN; i++)                                                                          \
        given_##S[i] = (T)(i % GIVEN < 4 ? test_random_int((T)-1 < (T)1 ? -20 : 1, 20) : test_random_int(1, 6));       \
    memset(got_##S, 0, sizeof got_##S);
#define COMPARED(S, T, tolerance)                                                                                      \
    for (int i = 0; i < THREADS; i++) {                                                                                \
        T want[3 * ROOM] = { 0 };                                                                                      \
        const int ends[] = { expected_##S##_2(&given_##S[i * GIVEN], want),                                            \
                             expected_##S##_3(&given_##S[i * GIVEN], want + ROOM),                                     \
                             expected_##S##_4(&given_##S[i * GIVEN], want + 2 * ROOM) };                               \
        check(ends[0] <= ROOM && ends[1] <= ROOM && ends[2] <= ROOM);                                                  \
        for (int k = 0; k < 3 * ROOM; k++) {                                                                           \
            const double g = (double)got_##S[i * 3 * ROOM + k], w = (double)want[k];                                   \
            check_that(fabs(g - w) <= (tolerance) * (1 + fabs(w)) || (isnan(g) && isnan(w)),                           \
                       #S ": result %d of vectors of %d is %.9g, not %.9g",                                            \
                       k % ROOM, k / ROOM + 2, g, w);                                                                  \
        }                                                                                                              \
    }
#define VIEWS(S, T)                                                                                                    \
    AMP_CONST_ARRAY_VIEW(T, 1, in_##S, given_##S, THREADS *GIVEN);                                                     \
    AMP_ARRAY_VIEW(T, 1, out_##S, got_##S, THREADS * 3 * ROOM);
#define WORK(S)                                                                                                        \
    work_##S##_2(&AMP_AT(in_##S, i * GIVEN), &AMP_AT(out_##S, i * 3 * ROOM));                                          \
    work_##S##_3(&AMP_AT(in_##S, i * GIVEN), &AMP_AT(out_##S, i * 3 * ROOM + ROOM));                                   \
    work_##S##_4(&AMP_AT(in_##S, i * GIVEN), &AMP_AT(out_##S, i * 3 * ROOM + 2 * ROOM));

static void small_integers_as_in_c(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        MEMORY(int8, int8_t)
        MEMORY(uint8, uint8_t)
        MEMORY(int16, int16_t)
        MEMORY(uint16, uint16_t)
        {
            VIEWS(int8, int8_t)
            VIEWS(uint8, uint8_t)
            VIEWS(int16, int16_t)
            VIEWS(uint16, uint16_t)
            AMP_PARALLEL_FOR_EACH_ON(
                where, AMP_EXTENT(THREADS), (i),
                AMP_CAPTURE(in_int8, out_int8, in_uint8, out_uint8, in_int16, out_int16, in_uint16, out_uint16,
                            AMP_CONSTANT(GIVEN), AMP_CONSTANT(ROOM)), {
                    WORK(int8) WORK(uint8) WORK(int16) WORK(uint16)
                });
        }
        COMPARED(int8, int8_t, 0)
        COMPARED(uint8, uint8_t, 0)
        COMPARED(int16, int16_t, 0)
        COMPARED(uint16, uint16_t, 0)
    }
}

static void integers_as_in_c(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        MEMORY(int, int)
        MEMORY(uint, uint32_t)
        MEMORY(int64, int64_t)
        MEMORY(uint64, uint64_t)
        {
            VIEWS(int, int)
            VIEWS(uint, uint32_t)
            VIEWS(int64, int64_t)
            VIEWS(uint64, uint64_t)
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(THREADS), (i),
                                     AMP_CAPTURE(in_int, out_int, in_uint, out_uint, in_int64, out_int64, in_uint64,
                                                 out_uint64, AMP_CONSTANT(GIVEN), AMP_CONSTANT(ROOM)), {
                                         WORK(int) WORK(uint) WORK(int64) WORK(uint64)
                                     });
        }
        COMPARED(int, int, 0)
        COMPARED(uint, uint32_t, 0)
        COMPARED(int64, int64_t, 0)
        COMPARED(uint64, uint64_t, 0)
    }
}

static void reals_as_in_c(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        MEMORY(float, float)
        MEMORY(double, double)
        {
            VIEWS(float, float)
            VIEWS(double, double)
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(THREADS), (i),
                                     AMP_CAPTURE(in_float, out_float, AMP_CONSTANT(GIVEN), AMP_CONSTANT(ROOM)),
                                     { WORK(float) });
            if (test_has_double(where))
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(THREADS), (i),
                                         AMP_CAPTURE(in_double, out_double, AMP_CONSTANT(GIVEN), AMP_CONSTANT(ROOM)),
                                         { WORK(double) });
        }
        COMPARED(float, float, 1e-5)
        if (test_has_double(where))
            COMPARED(double, double, 1e-13)
    }
}

/* ---- where they may be, and what they are in memory ------------------------------------------------------------- */

AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_ELEMENT(amp_float_3)
AMP_DEFINE_ELEMENT(amp_uint8_4)
AMP_DEFINE_ELEMENT(amp_packed_float_3)
AMP_STRUCT(ray, { amp_float_4 from, to; amp_uint8_4 colour; float length[3]; });
AMP_DEFINE_ELEMENT(ray)

AMP_FUNCTION(amp_float_3, mirrored, (amp_float_3 v, amp_float_3 normal), {
    return v - normal * (2 * amp_float_3_dot(v, normal));
})

/* Components as lvalues and rvalues, swizzles, conversions; elements, captured, private and tile_static vectors,
   vectors in structs and as parameters. */
static void anywhere_in_a_kernel(void **state)
{
    (void)state;
    enum { SIZE = 24, TILE = 8 };
    const amp_float_4 shift = AMP_FLOAT_4(1, 2, 3, 4);
    const ray stretch = { .to = AMP_FLOAT_4(2), .colour = AMP_UINT8_4(1, 2, 3, 250) };
    FOR_EACH_ACCELERATOR(where)
    {
        static amp_float_4 points[SIZE];
        static amp_float_3 wide[SIZE];
        static amp_uint8_4 colours[SIZE];
        static amp_packed_float_3 packed[SIZE];
        static ray rays[SIZE];
        for (int i = 0; i < SIZE; i++) {
            points[i] = AMP_FLOAT_4((float)i, (float)i + 0.25f, (float)-i, 1);
            packed[i] = (amp_packed_float_3){ (float)i, 2, 3 };
        }
        {
            AMP_ARRAY_VIEW(amp_float_4, 1, p, points, SIZE);
            AMP_ARRAY_VIEW(amp_float_3, 1, w, wide, SIZE);
            AMP_ARRAY_VIEW(amp_uint8_4, 1, c, colours, SIZE);
            AMP_ARRAY_VIEW(amp_packed_float_3, 1, q, packed, SIZE);
            AMP_ARRAY_VIEW(ray, 1, r, rays, SIZE);
            AMP_TILED_ON(where, p.extent, (TILE), tile,
                         AMP_CAPTURE(p, w, c, q, r, AMP_VALUE(amp_float_4, shift), AMP_VALUE(ray, stretch),
                                     AMP_VALUE(amp_float_3, up, AMP_FLOAT_3(0, 1, 0)), AMP_CONSTANT(TILE)), {
                AMP_TILE_STATIC(amp_float_4, block, [TILE]);
                AMP_PRIVATE(amp_float_4, own);
                AMP_PRIVATE(amp_float_2, pair, [2]);
                AMP_THREADS(tile, t) {
                    block[t.local.v[0]] = AMP_AT(p, t.global) + shift;
                    AMP_OWN(own) = AMP_AT(p, t.global);
                    AMP_OWN(pair, 1) = AMP_SWIZZLE(amp_float_2, AMP_AT(p, t.global), w, y);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    const amp_float_4 other = block[TILE - 1 - t.local.v[0]];
                    amp_float_4 sum = AMP_OWN(own) + other;
                    AMP_Z(sum) += AMP_X(AMP_OWN(pair, 1)) * 100;
                    AMP_AT(p, t.global) = sum;
                    AMP_W(AMP_AT(p, t.global)) = AMP_Y(AMP_OWN(pair, 1));
                    AMP_AT(w, t.global) = mirrored(amp_float_3_unpack(AMP_AT(q, t.global)), up);
                    AMP_AT(q, t.global) = amp_float_3_pack(AMP_AT(w, t.global) + 1.0f);
                    AMP_AT(q, t.global).z = 9;
                    AMP_AT(c, t.global) = stretch.colour + AMP_CONVERT(amp_uint8_4, AMP_INT_4(t.local.v[0]));
                    AMP_A(AMP_AT(c, t.global)) = 7;
                    AMP_AT(r, t.global) = stretch;
                    AMP_AT(r, t.global).from = AMP_SWIZZLE(amp_float_4, other * AMP_AT(r, t.global).to, a, b, g, r);
                    AMP_AT(r, t.global).length[2] = AMP_B(AMP_CONVERT(amp_float_3, AMP_INT_3(1, 2, t.global.v[0])));
                }
            });
        }
        for (int i = 0; i < SIZE; i++) {
            const float o = (float)(i / TILE * TILE + TILE - 1 - i % TILE), f = (float)i;
            const amp_float_4 want = AMP_FLOAT_4(f + o + 1, f + 0.25f + o + 2.25f, -f - o + 3 + 100, f + 0.25f);
            const amp_float_4 turned = AMP_FLOAT_4(10, (3 - o) * 2, (o + 2.25f) * 2, (o + 1) * 2);
            const amp_uint8_4 colour =
                AMP_UINT8_4((uint8_t)(1 + i % TILE), (uint8_t)(2 + i % TILE), (uint8_t)(3 + i % TILE), 7);
            check_that(amp_int_4_all(points[i] == want), "point %d", i);
            check_that(AMP_X(wide[i]) == f && AMP_Y(wide[i]) == -2 && AMP_Z(wide[i]) == 3, "wide vector %d", i);
            check_that(packed[i].x == f + 1 && packed[i].y == -1 && packed[i].z == 9, "packed vector %d", i);
            check_that(!memcmp(&colours[i], &colour, sizeof colour), "colour %d", i);
            check_that(amp_int_4_all(rays[i].from == turned) && AMP_W(rays[i].colour) == 250, "ray %d", i);
            check_that(rays[i].length[2] == f && rays[i].length[0] == 0, "length of ray %d", i);
        }
    }
}

/* What 64 bits take: 32 bytes, in tile_static memory and structs, too. */
AMP_STRUCT(orbit, { amp_double_4 at; double mass[4]; });
AMP_DEFINE_ELEMENT(orbit)

static void wide_ones_are_aligned(void **state)
{
    (void)state;
    enum { SIZE = 16 };
    FOR_EACH_ACCELERATOR(where)
    {
        static orbit orbits[SIZE];
        for (int i = 0; i < SIZE; i++)
            orbits[i].at = AMP_DOUBLE_4(i, 2, 3, 4);
        if (!test_has_double(where))
            continue;
        {
            AMP_ARRAY_VIEW(orbit, 1, o, orbits, SIZE);
            AMP_TILED_ON(where, o.extent, (8), tile, AMP_CAPTURE(o), {
                AMP_TILE_STATIC(char, odd, [3]);
                AMP_TILE_STATIC(orbit, block, [8]);
                AMP_TILE_STATIC(amp_int64_3, counts, [8]);
                AMP_THREADS(tile, t) {
                    odd[0] = 1;
                    block[t.local.v[0]] = AMP_AT(o, t.global);
                    counts[t.local.v[0]] = AMP_INT64_3(t.local.v[0], 5, 6);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    AMP_AT(o, t.global).at = block[7 - t.local.v[0]].at * 2.0 + AMP_DOUBLE_4(odd[0]);
                    AMP_AT(o, t.global).mass[3] = (double)AMP_X(counts[7 - t.local.v[0]]);
                }
            });
        }
        for (int i = 0; i < SIZE; i++)
            check_that(AMP_X(orbits[i].at) == 2 * (i / 8 * 8 + 7 - i % 8) + 1 && AMP_W(orbits[i].at) == 9 &&
                           orbits[i].mass[3] == 7 - i % 8,
                       "orbit %d", i);
    }
}

/* ---- numbers in fewer bits --------------------------------------------------------------------------------------- */

AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_half_2)
AMP_DEFINE_ELEMENT(amp_half_4)
AMP_DEFINE_ELEMENT(amp_bfloat16)
AMP_DEFINE_ELEMENT(amp_bfloat16_2)

/* What 16 bits with so many bits of fraction stand for, and which are nearest to a number: by arithmetic. */
static double number_of(unsigned bits, int fraction)
{
    const int exponents = 15 - fraction, bias = (1 << (exponents - 1)) - 1, exponent = (int)(bits & 0x7fff) >> fraction;
    const int rest = (int)(bits & ((1u << fraction) - 1));
    const double size = exponent == (1 << exponents) - 1 ? (rest ? (double)NAN : (double)INFINITY)
                        : exponent == 0                  ? ldexp(rest, 1 - bias - fraction)
                                                         : ldexp(rest + (1 << fraction), exponent - bias - fraction);
    return bits & 0x8000 ? -size : size;
}
static unsigned bits_of(double x, int fraction)
{
    const int exponents = 15 - fraction, bias = (1 << (exponents - 1)) - 1;
    const double size = fabs(x);
    unsigned bits = ((1u << exponents) - 1) << fraction; /* infinite */
    if (isnan(x))
        bits |= 1u << (fraction - 1);
    else if (size < ldexp(2 - ldexp(1, -fraction - 1), bias)) {
        const int exponent = size == 0 || ilogb(size) < 1 - bias ? 1 - bias : ilogb(size);
        const unsigned steps = (unsigned)nearbyint(ldexp(size, fraction - exponent));
        bits = ((unsigned)(exponent + bias - 1) << fraction) + steps;
    }
    return bits | (signbit(x) ? 0x8000u : 0);
}

static bool same_number(float got, double want) { return isnan(want) ? isnan(got) : (double)got == want; }
static bool same_bits(unsigned got, unsigned want, int fraction)
{
    return isnan(number_of(want, fraction)) ? isnan(number_of(got, fraction)) : got == want;
}

/* Devices may flush others to 0, and divide within 2.5 units of a float's last place. */
static bool is_normal_bfloat16(double x) { return fabs(x) >= 0x1p-120 && fabs(x) < 0x1p120; }

/* Any float: of a size that 16 bits have, mostly; just between two of them; or whatever. */
static float any_float(int i)
{
    const double x = ldexp(test_random_double(1, 2), test_random_int(-30, 17));
    const float between = (float)(ldexp(1 + 2 * (i % 1024), -25) * ldexp(1, i % 40));
    return i % 4 == 0   ? between
           : i % 4 == 1 ? (float)-x
           : i % 4 == 2 ? (float)x
                        : AMP_BITS(float, (uint32_t)test_random());
}

static void halves_are_floats_in_kernels(void **state)
{
    (void)state;
    enum { SIZE = 65536 };
    static uint16_t all[SIZE];
    static float numbers[SIZE];
    for (int i = 0; i < SIZE; i++) {
        all[i] = (uint16_t)i;
        numbers[i] = any_float(i);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        static float wide[SIZE], wide_short[SIZE], four[SIZE], two[SIZE];
        static amp_half narrow[SIZE];
        static amp_bfloat16 narrow_short[SIZE];
        static amp_half_4 narrow4[SIZE / 4], given4[SIZE / 4], sums4[SIZE / 4];
        static amp_bfloat16_2 narrow2[SIZE / 2], given2[SIZE / 2];
        static amp_half products[SIZE];
        static amp_bfloat16 quotients[SIZE];
        memcpy(given4, all, sizeof given4);
        memcpy(given2, all, sizeof given2);
        {
            AMP_CONST_ARRAY_VIEW(amp_half, 1, h, (amp_half *)all, SIZE);
            AMP_CONST_ARRAY_VIEW(amp_bfloat16, 1, b, (amp_bfloat16 *)all, SIZE);
            AMP_CONST_ARRAY_VIEW(amp_half_4, 1, h4, given4, SIZE / 4);
            AMP_CONST_ARRAY_VIEW(amp_bfloat16_2, 1, b2, given2, SIZE / 2);
            AMP_CONST_ARRAY_VIEW(float, 1, x, numbers, SIZE);
            AMP_ARRAY_VIEW(float, 1, fh, wide, SIZE);
            AMP_ARRAY_VIEW(float, 1, fb, wide_short, SIZE);
            AMP_ARRAY_VIEW(float, 1, fh4, four, SIZE);
            AMP_ARRAY_VIEW(float, 1, fb2, two, SIZE);
            AMP_ARRAY_VIEW(amp_half, 1, nh, narrow, SIZE);
            AMP_ARRAY_VIEW(amp_bfloat16, 1, nb, narrow_short, SIZE);
            AMP_ARRAY_VIEW(amp_half_4, 1, nh4, narrow4, SIZE / 4);
            AMP_ARRAY_VIEW(amp_bfloat16_2, 1, nb2, narrow2, SIZE / 2);
            AMP_ARRAY_VIEW(amp_half_4, 1, sum, sums4, SIZE / 4);
            AMP_ARRAY_VIEW(amp_half, 1, product, products, SIZE);
            AMP_ARRAY_VIEW(amp_bfloat16, 1, quotient, quotients, SIZE);
            AMP_PARALLEL_FOR_EACH_ON(where, h.extent, (i),
                AMP_CAPTURE(h, b, h4, b2, x, fh, fb, fh4, fb2, nh, nb, nh4, nb2, sum, product, quotient,
                            AMP_CONSTANT(SIZE)), {
                AMP_AT(fh, i) = amp_float_from_half(AMP_AT(h, i));
                AMP_AT(fb, i) = amp_float_from_bfloat16(AMP_AT(b, i));
                AMP_AT(nh, i) = amp_float_to_half(AMP_AT(x, i));
                AMP_AT(nb, i) = amp_float_to_bfloat16(AMP_AT(x, i));
                const int other = i * 41 % SIZE;
                AMP_AT(product, i) = amp_half_mul(AMP_AT(h, i), AMP_AT(h, other));
                AMP_AT(quotient, i) = amp_bfloat16_div(AMP_AT(b, i), AMP_AT(b, other));
                if (i % 2 == 0) {
                    amp_float_2_store(&AMP_AT(fb2, i), amp_float_2_from_bfloat16(AMP_AT(b2, i / 2)));
                    AMP_AT(nb2, i / 2) = amp_float_2_to_bfloat16(amp_float_2_load(&AMP_AT(x, i)));
                }
                if (i % 4 == 0) {
                    amp_float_4_store(&AMP_AT(fh4, i), amp_float_4_from_half(AMP_AT(h4, i / 4)));
                    AMP_AT(nh4, i / 4) = amp_float_4_to_half(amp_float_4_load(&AMP_AT(x, i)));
                    const amp_half_4 four_halves = AMP_AT(h4, i / 4);
                    AMP_AT(sum, i / 4) = amp_half_4_sub(four_halves, amp_half_4_add(AMP_AT(h4, i / 8), four_halves));
                }
            });
        }
        for (int i = 0; i < SIZE; i++) {
            const double h = number_of((unsigned)i, 10), b = number_of((unsigned)i, 7), x = (double)numbers[i];
            check_that(same_number(wide[i], h) && same_number(four[i], h), "the half %04x is %g, got %g and %g",
                       (unsigned)i, h, (double)wide[i], (double)four[i]);
            check_that((same_number(wide_short[i], b) && same_number(two[i], b)) || (i & 0x7f80) == 0,
                       "the bfloat16 %04x is %g, got %g and %g", (unsigned)i, b, (double)wide_short[i], (double)two[i]);
            const unsigned to_h = bits_of(x, 10), to_b = bits_of(x, 7);
            const int other = i * 41 % SIZE, before = i / 4 * 4 / 8 * 4 + i % 4;
            const double other_h = number_of((unsigned)other, 10), other_b = number_of((unsigned)other, 7);
            const double sum = number_of(bits_of(number_of((unsigned)before, 10) + h, 10), 10);
            check_that(same_bits(products[i].bits, bits_of(h * other_h, 10), 10),
                       "the halves %04x * %04x are %04x, got %04x", (unsigned)i, (unsigned)other,
                       bits_of(h * other_h, 10), products[i].bits);
            check_that(same_bits(sums4[i / 4].bits[i % 4], bits_of(h - sum, 10), 10),
                       "the halves %04x - (%04x + %04x) are %04x, got %04x", (unsigned)i, (unsigned)before, (unsigned)i,
                       bits_of(h - sum, 10), sums4[i / 4].bits[i % 4]);
            check_that(!is_normal_bfloat16(b) || !is_normal_bfloat16(other_b) || !is_normal_bfloat16(b / other_b) ||
                           same_bits(quotients[i].bits, bits_of(b / other_b, 7), 7),
                       "the bfloat16 %04x / %04x is %04x, got %04x", (unsigned)i, (unsigned)other,
                       bits_of(b / other_b, 7), quotients[i].bits);
            check_that(same_bits(narrow[i].bits, to_h, 10) && same_bits(narrow4[i / 4].bits[i % 4], to_h, 10),
                       "%a is the half %04x, got %04x and %04x", x, to_h, narrow[i].bits, narrow4[i / 4].bits[i % 4]);
            check_that((same_bits(narrow_short[i].bits, to_b, 7) && same_bits(narrow2[i / 2].bits[i % 2], to_b, 7)) ||
                           fabs(x) < 0x1p-126,
                       "%a is the bfloat16 %04x, got %04x and %04x", x, to_b, narrow_short[i].bits,
                       narrow2[i / 2].bits[i % 2]);
        }
    }
}

/* One, two, or four pairs of halves at a time. */
typedef void halves_on(amp_accelerator_view where, uint16_t *left, uint16_t *right, int count, uint16_t *got);
#define HALVES_BY(T, N)                                                                                                \
    static void T##_on(amp_accelerator_view where, uint16_t *left, uint16_t *right, int count, uint16_t *got)          \
    {                                                                                                                  \
        AMP_CONST_ARRAY_VIEW(T, 1, a, (T *)(void *)left, count / N);                                                   \
        AMP_CONST_ARRAY_VIEW(T, 1, b, (T *)(void *)right, count / N);                                                  \
        AMP_ARRAY_VIEW(T, 2, results, (T *)(void *)got, 4, count / N);                                                 \
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b, results), {                                   \
            AMP_AT(results, 0, i) = T##_add(AMP_AT(a, i), AMP_AT(b, i));                                               \
            AMP_AT(results, 1, i) = T##_sub(AMP_AT(a, i), AMP_AT(b, i));                                               \
            AMP_AT(results, 2, i) = T##_mul(AMP_AT(a, i), AMP_AT(b, i));                                               \
            AMP_AT(results, 3, i) = T##_div(AMP_AT(a, i), AMP_AT(b, i));                                               \
        });                                                                                                            \
        amp_array_view_synchronize(&results);                                                                          \
    }
HALVES_BY(amp_half, 1)
HALVES_BY(amp_half_2, 2)
HALVES_BY(amp_half_4, 4)

/* Two halves whose quotient is halfway between two subnormal ones. */
static void halves_with_a_tie(uint16_t *left, uint16_t *right)
{
    const uint32_t n = (uint32_t)test_random() % 31 + 1;
    const double odd = (double)((uint32_t)test_random() % 32 * 2 + 1);
    const int scale = (int)((uint32_t)test_random() % 10) + 1;
    *left = (uint16_t)bits_of(ldexp(odd * n, scale - 25), 10);
    *right = (uint16_t)bits_of(ldexp(n, scale), 10);
}

/* A device's quotient of floats may be off by 2.5 units in the last place: the half is the right one all the same. */
static void inexact_quotients_become_right_halves(void **state)
{
    (void)state;
    for (int i = 0; i < 300000; i++) {
        uint16_t left = (uint16_t)test_random(), right = (uint16_t)test_random();
        if (i % 3 == 0)
            halves_with_a_tie(&left, &right);
        if (i % 3 == 1) /* a subnormal result */
            left = (uint16_t)(left & 0x9fff), right = (uint16_t)(right | 0x6000);
        const float a = (float)number_of(left, 10), b = (float)number_of(right, 10);
        for (int off = -3; off <= 3; off++) {
            float q = a / b;
            for (int k = 0; k < abs(off); k++)
                q = q == 0 || !isfinite(q) ? q : nextafterf(q, off < 0 ? -INFINITY : INFINITY);
            const unsigned want = bits_of((double)a / (double)b, 10);
            const unsigned got = amp_float_to_half(amp_priv_half_corrected(q, a, b)).bits;
            check_that(same_bits(got, want, 10), "%04x / %04x from a quotient off by %d is %04x, got %04x", left, right,
                       off, want, got);
        }
    }
}

/* Every half with others of all sizes: the exact number, rounded once. */
static void halves_round_once(void **state)
{
    (void)state;
    enum { EACH = 4, SIZE = EACH * 65536, WAYS = 3 };
    static halves_on *const ways[WAYS] = { amp_half_on, amp_half_2_on, amp_half_4_on };
    static _Alignas(8) uint16_t left[SIZE], right[SIZE], got[4][SIZE];
    for (int i = 0; i < SIZE; i++) {
        left[i] = (uint16_t)(i / EACH);
        right[i] = (uint16_t)(i % EACH ? (uint32_t)test_random() : left[i] + (uint32_t)test_random() % 8192 - 4096);
        if (i % EACH == EACH - 1)
            halves_with_a_tie(&left[i], &right[i]);
    }
    FOR_EACH_ACCELERATOR(where)
    {
        for (int way = 0; way < WAYS; way++) {
            ways[way](where, left, right, SIZE, got[0]);
            for (int i = 0; i < SIZE; i++) {
                const double a = number_of(left[i], 10), b = number_of(right[i], 10);
                const double want[4] = { a + b, a - b, a * b, a / b };
                for (int k = 0; k < 4; k++) {
                    const unsigned bits = bits_of(want[k], 10);
                    check_that(same_bits(got[k][i], bits, 10), "%04x %c %04x is %04x, got %04x, %d at a time", left[i],
                               "+-*/"[k], right[i], bits, got[k][i], 1 << way);
                }
            }
        }
    }
}

/* A number as so many steps between 0 and 1, in C. */
static long steps(double x, double low, double most)
{
    return lrint((double)(float)((float)(x < low ? low : x > 1 ? 1 : x) * (float)most));
}

static void normalised_as_in_c(void **state)
{
    (void)state;
    enum { SIZE = 65536, KINDS = 12 };
    static float numbers[SIZE];
    for (int i = 0; i < SIZE; i++)
        numbers[i] = i % 2 ? (float)test_random_double(-1.2, 1.2) : (float)((i + 0.5) / 255);
    numbers[0] = NAN;
    FOR_EACH_ACCELERATOR(where)
    {
        static float got[SIZE * KINDS];
        static int codes[SIZE * 5];
        {
            AMP_CONST_ARRAY_VIEW(float, 1, x, numbers, SIZE);
            AMP_ARRAY_VIEW(float, 2, f, got, SIZE, KINDS);
            AMP_ARRAY_VIEW(int, 2, c, codes, SIZE, 5);
            AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, f, c), {
                const float given = AMP_AT(x, i);
                AMP_AT(f, i, 0) = amp_float_unorm(given);
                AMP_AT(f, i, 1) = amp_float_norm(given);
                AMP_AT(f, i, 2) = amp_float_from_unorm8((uint8_t)(i % 256));
                AMP_AT(f, i, 3) = amp_float_from_norm8((int8_t)(i % 256 - 128));
                AMP_AT(f, i, 4) = amp_float_from_unorm16((uint16_t)i);
                AMP_AT(f, i, 5) = amp_float_from_norm16((int16_t)(i - 32768));
                const amp_uint8_4 pixel = AMP_UINT8_4(7, (uint8_t)(i % 256), 9, 0);
                AMP_AT(f, i, 6) = AMP_G(amp_float_4_from_unorm8(pixel));
                AMP_AT(f, i, 7) = AMP_Y(amp_float_2_norm(AMP_FLOAT_2(0, given)));
                const amp_norm_4 norms = AMP_NORM_4(given, 0.75f, -0.75f, given * 2);
                AMP_AT(f, i, 8) = AMP_W(amp_norm_4_add(norms, AMP_NORM_4(0.5f)).value);
                AMP_AT(f, i, 9) = AMP_Y(amp_norm_4_sub(norms, AMP_NORM_4(given)).value);
                AMP_AT(f, i, 10) = amp_unorm_div(amp_unorm_mul(AMP_UNORM(given), AMP_UNORM(7)), AMP_UNORM(0.5f)).value;
                AMP_AT(f, i, 11) = AMP_Z(amp_unorm_3_of(AMP_FLOAT_3(0, 0, given)).value);
                AMP_AT(c, i, 0) = amp_float_to_unorm8(given);
                AMP_AT(c, i, 1) = AMP_Z(amp_float_3_to_norm8(AMP_FLOAT_3(0, 1, given)));
                AMP_AT(c, i, 2) = AMP_W(amp_float_4_to_unorm16(AMP_FLOAT_4(given)));
                AMP_AT(c, i, 3) = amp_float_to_norm16(given);
                const amp_uint8_4 colour = amp_float_4_to_unorm8(AMP_FLOAT_4(-given * given, 1, given, 0.5f));
                const int as_before = AMP_R(colour) == 0 && AMP_G(colour) == 255 && AMP_A(colour) == 128;
                AMP_AT(c, i, 4) = as_before ? AMP_B(colour) : -1;
            });
        }
        for (int i = 0; i < SIZE; i++) {
            const double x = isnan(numbers[i]) ? -9 : (double)numbers[i];
            const double b = i % 256, s = i % 256 - 128,
                         want[KINDS] = { fmin(fmax(x, 0), 1),
                                         fmin(fmax(x, -1), 1),
                                         b / 255,
                                         fmax(s / 127, -1),
                                         i / 65535.0,
                                         fmax((i - 32768) / 32767.0, -1),
                                         b / 255,
                                         fmin(fmax(x, -1), 1),
                                         fmin(fmin(fmax(x * 2, -1), 1) + 0.5, 1),
                                         fmin(0.75 - fmin(fmax(x, -1), 1), 1),
                                         fmin(fmax(x, 0) * 2, 1),
                                         fmin(fmax(x, 0), 1) };
            const long want_codes[5] = { steps(x, 0, 255), steps(x, -1, 127), steps(x, 0, 65535), steps(x, -1, 32767),
                                         steps(x, 0, 255) };
            for (int k = 0; k < KINDS; k++)
                check_that(fabs((double)got[i * KINDS + k] - want[k]) < 1.2e-7, "number %d of %d is %.9g, not %.9g", k,
                           i, (double)got[i * KINDS + k], want[k]);
            for (int k = 0; k < 5; k++)
                check_that(codes[i * 5 + k] == want_codes[k], "code %d of %.9g is %d, not %ld", k, x, codes[i * 5 + k],
                           want_codes[k]);
        }
    }
}

/* A kernel that says nothing of what its elements are. */
static void copied_as_they_are(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_half half[2] = { { 1 }, { 0 } };
        amp_packed_float_3 packed[2] = { { 1, 2, 3 }, { 0, 0, 0 } };
        {
            AMP_ARRAY_VIEW(amp_half, 1, h, half, 2);
            AMP_ARRAY_VIEW(amp_packed_float_3, 1, p, packed, 2);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(h, p), {
                AMP_AT(h, i + 1) = AMP_AT(h, i);
                AMP_AT(p, i + 1) = AMP_AT(p, i);
            });
        }
        check(half[1].bits == 1 && packed[1].x == 1 && packed[1].z == 3);
    }
}

/* ---- textures --------------------------------------------------------------------------------------------------- */

AMP_DEFINE_ELEMENT(amp_float_2)
AMP_DEFINE_TEXTURE(rgba8, amp_uint8_4, amp_float_4, amp_float_4_from_unorm8)
AMP_DEFINE_TEXTURE(halves, amp_half, float, amp_float_from_half)
AMP_DEFINE_TEXTURE(numbers, float, float, )
AMP_DEFINE_TEXTURE(pairs, amp_float_2, amp_float_2, )

/* A texture of rank 3 at most in C: its extents, the first being the slowest, and its texels as doubles. */
typedef struct picture {
    int rank, extent[3], channels; /* the last extents are the picture's, those before are 1 */
    const double *texels;
    double border[4];
} picture;

static int inside(int i, int n, int address)
{
    if (address == AMP_ADDRESS_BORDER)
        return i < 0 || i >= n ? -1 : i;
    while (i < 0 || i >= n)
        i = address == AMP_ADDRESS_CLAMP  ? (i < 0 ? 0 : n - 1)
            : address == AMP_ADDRESS_WRAP ? (i < 0 ? i + n : i - n)
                                          : (i < 0 ? -1 - i : 2 * n - 1 - i);
    return i;
}
static double texel(const picture *p, int address, const int at[3], int channel)
{
    size_t offset = 0;
    for (int d = 0; d < 3; d++) {
        const int i = inside(at[d], p->extent[d], address);
        if (i < 0)
            return p->border[channel];
        offset = offset * (size_t)p->extent[d] + (size_t)i;
    }
    return p->texels[offset * (size_t)p->channels + (size_t)channel];
}
/* xyz: along the last dimension first. */
static double sampled(const picture *p, int filter, int address, const float xyz[3], int channel)
{
    double sum = 0;
    int first[3];
    double part[3];
    for (int d = 0; d < 3; d++) {
        const double place = (double)(xyz[2 - d] * (float)p->extent[d]) - (filter == AMP_FILTER_LINEAR ? 0.5 : 0);
        first[d] = d < 3 - p->rank ? 0 : (int)floor(place);
        part[d] = d < 3 - p->rank ? 0 : place - first[d];
    }
    if (filter == AMP_FILTER_POINT)
        return texel(p, address, first, channel);
    for (int corner = 0; corner < 8; corner++) {
        const int at[3] = { first[0] + (corner >> 2), first[1] + (corner >> 1 & 1), first[2] + (corner & 1) };
        double weight = 1;
        for (int d = 0; d < 3; d++)
            weight *= at[d] == first[d] ? 1 - part[d] : part[d];
        if (weight != 0)
            sum += weight * texel(p, address, at, channel);
    }
    return sum;
}

/* Of the four around a place, counter-clockwise from below on the left. */
static double gathered(const picture *p, int address, const float xyz[3], int which, int channel)
{
    const int at[3] = { 0, (int)floorf(xyz[1] * (float)p->extent[1] - 0.5f) + (which < 2),
                        (int)floorf(xyz[0] * (float)p->extent[2] - 0.5f) + (which == 1 || which == 2) };
    return texel(p, address, at, channel);
}

static void textures_as_in_c(void **state)
{
    (void)state;
    enum { LINE = 13, ROWS = 5, COLS = 7, BLOCK = 3 * 4 * 5, PLACES = 500, SAMPLES = 9, RESULTS = SAMPLES + 5 };
    static float line[LINE], places[PLACES * 3], got[PLACES * RESULTS];
    static amp_uint8_4 colours[ROWS * COLS];
    static amp_half halves[ROWS * COLS];
    static amp_float_2 block[BLOCK];
    static double line_texels[LINE], colour_texels[ROWS * COLS * 4], half_texels[ROWS * COLS], block_texels[BLOCK * 2];
    for (int i = 0; i < LINE; i++)
        line_texels[i] = (double)(line[i] = (float)test_random_double(-1, 1));
    for (int i = 0; i < ROWS * COLS; i++) {
        half_texels[i] = (double)amp_float_from_half(halves[i] = amp_float_to_half((float)test_random_double(-1, 1)));
        for (int c = 0; c < 4; c++)
            colour_texels[i * 4 + c] = (colours[i][c] = (uint8_t)test_random_int(0, 255)) / 255.0;
    }
    for (int i = 0; i < BLOCK; i++)
        for (int c = 0; c < 2; c++)
            block_texels[i * 2 + c] = (double)(block[i][c] = (float)test_random_double(-1, 1));
    for (int i = 0; i < PLACES * 3; i++)
        places[i] = i % 7 ? (float)test_random_double(-2.5, 3.5) : (float)test_random_int(-8, 12) * 0.25f;
    const picture pictures[] = { { 1, { 1, 1, LINE }, 1, line_texels, { 0.125, 0, 0, 0 } },
                                 { 2, { 1, ROWS, COLS }, 4, colour_texels, { 0.125, 0.25, 0.5, 1 } },
                                 { 3, { 3, 4, 5 }, 2, block_texels, { 0.125, 0.25, 0, 0 } },
                                 { 2, { 1, ROWS, COLS }, 1, half_texels, { 0.125, 0, 0, 0 } } };
    FOR_EACH_ACCELERATOR(where)
    {
        for (int mode = 0; mode < 8; mode++) {
            const int filter = mode & 1, address = mode >> 1;
            const amp_sampler s = AMP_SAMPLER(filter, address, AMP_FLOAT_4(0.125f, 0.25f, 0.5f, 1));
            {
                AMP_CONST_ARRAY_VIEW(float, 1, l, line, LINE);
                AMP_CONST_ARRAY_VIEW(amp_uint8_4, 2, c, colours, ROWS, COLS);
                AMP_CONST_ARRAY_VIEW(amp_half, 2, h, halves, ROWS, COLS);
                AMP_CONST_ARRAY_VIEW(amp_float_2, 3, b, block, 3, 4, 5);
                AMP_CONST_ARRAY_VIEW(float, 2, at, places, PLACES, 3);
                AMP_ARRAY_VIEW(float, 2, out, got, PLACES, RESULTS);
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i),
                                         AMP_CAPTURE(l, c, h, b, at, out, AMP_VALUE(amp_sampler, s)), {
                    const amp_float_3 xyz = amp_float_3_load(&AMP_AT(at, i, 0));
                    const amp_float_2 xy = AMP_SWIZZLE(amp_float_2, xyz, x, y);
                    const amp_sampler fixed = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_BORDER);
                    AMP_AT(out, i, 0) = numbers_sample_1(l, s, AMP_X(xyz));
                    amp_float_4_store(&AMP_AT(out, i, 1), rgba8_sample_2(c, s, xy));
                    amp_float_2_store(&AMP_AT(out, i, 5), pairs_sample_3(b, s, xyz));
                    AMP_AT(out, i, 7) = halves_sample_2(h, s, xy);
                    AMP_AT(out, i, 8) = AMP_G(rgba8_sample_2(c, fixed, xy)) + numbers_get_1(l, s, i - 100);
                    amp_float_4_store(&AMP_AT(out, i, 9), rgba8_gather_2(c, s, xy, i % 4));
                    AMP_AT(out, i, 13) = AMP_X(halves_gather_2(h, s, xy, 0));
                });
            }
            for (int i = 0; i < PLACES; i++) {
                picture bare = pictures[1];
                memset(bare.border, 0, sizeof bare.border);
                const int index[3] = { 0, 0, i - 100 };
                const float *const xyz = &places[i * 3];
                for (int k = 0; k < RESULTS - SAMPLES; k++) {
                    const double want = gathered(&pictures[k < 4 ? 1 : 3], address, xyz, k % 4, k < 4 ? i % 4 : 0);
                    check_that(fabs((double)got[i * RESULTS + SAMPLES + k] - want) < 1e-6,
                               "address %d, texel %d gathered at (%g, %g) is %.8g, not %.8g", address, k,
                               (double)xyz[0], (double)xyz[1], (double)got[i * RESULTS + SAMPLES + k], want);
                }
                for (int k = 0; k < SAMPLES; k++) {
                    const int of = k == 0 ? 0 : k < 5 ? 1 : k < 7 ? 2 : 3, channel = k == 0 ? 0 : k < 5 ? k - 1 : k - 5;
                    const double want = k < 8 ? sampled(&pictures[of], filter, address, xyz, k == 7 ? 0 : channel)
                                              : sampled(&bare, AMP_FILTER_LINEAR, AMP_ADDRESS_BORDER, xyz, 1) +
                                                    texel(&pictures[0], address, index, 0);
                    check_that(fabs((double)got[i * RESULTS + k] - want) < 2e-5,
                               "filter %d, address %d, result %d at (%g, %g, %g) is %.8g, not %.8g", filter, address, k,
                               (double)xyz[0], (double)xyz[1], (double)xyz[2], (double)got[i * RESULTS + k], want);
                }
            }
        }
    }
    const amp_sampler wrapped = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_WRAP);
    AMP_CONST_ARRAY_VIEW(amp_uint8_4, 2, c, colours, ROWS, COLS); /* on the host, and what is no place */
    const amp_float_4 corner = rgba8_sample_2(c, wrapped, AMP_FLOAT_2(0.5f / COLS, 0.5f / ROWS + 1));
    check(fabs((double)AMP_B(corner) - colour_texels[2]) < 1e-5);
    const amp_sampler bordered = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_BORDER, AMP_FLOAT_4(3));
    check(AMP_R(rgba8_sample_2(c, bordered, AMP_FLOAT_2(INFINITY, -1e30f))) == 3);
    check(AMP_R(rgba8_sample_2(c, bordered, AMP_FLOAT_2(NAN))) == 3);
}

/* The texel before the first one is as far away as an int can say. */
static void texels_far_away(void **state)
{
    (void)state;
    static const int numbers[] = { INT_MIN, INT_MIN + 1, -21, -1, 0, 9, 10, 25, INT_MAX - 1, INT_MAX };
    enum { TEXELS = 10, NUMBERS = sizeof numbers / sizeof numbers[0] };
    float line[TEXELS];
    for (int i = 0; i < TEXELS; i++)
        line[i] = (float)i;
    AMP_CONST_ARRAY_VIEW(float, 1, v, line, TEXELS);
    AMP_CONST_ARRAY_VIEW(int, 1, n, numbers, NUMBERS);
    const amp_sampler mirrored_there = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_MIRROR);
    const amp_sampler wrapped = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_WRAP);
    FOR_EACH_ACCELERATOR(where)
    {
        float got[NUMBERS * 2];
        {
            AMP_ARRAY_VIEW(float, 2, out, got, NUMBERS, 2);
            AMP_PARALLEL_FOR_EACH_ON(
                where, n.extent, (i),
                AMP_CAPTURE(v, n, out, AMP_VALUE(amp_sampler, mirrored_there), AMP_VALUE(amp_sampler, wrapped)), {
                    AMP_AT(out, i, 0) = numbers_get_1(v, mirrored_there, AMP_AT(n, i));
                    AMP_AT(out, i, 1) = numbers_get_1(v, wrapped, AMP_AT(n, i));
                });
        }
        for (int k = 0; k < NUMBERS; k++) {
            const int64_t i = numbers[k];
            const int wrap = (int)((i % TEXELS + TEXELS) % TEXELS);
            const bool is_turned = (i - wrap) / TEXELS % 2 != 0;
            check_that(got[2 * k] == (float)(is_turned ? TEXELS - 1 - wrap : wrap), "mirror, texel %d: %g", numbers[k],
                       (double)got[2 * k]);
            check_that(got[2 * k + 1] == (float)wrap, "wrap, texel %d: %g", numbers[k], (double)got[2 * k + 1]);
        }
    }
}

/* ---- mip levels -------------------------------------------------------------------------------------------------- */

AMP_DEFINE_TEXTURE(volume, amp_float_3, amp_float_3, )
AMP_DEFINE_MIPMAPS(rgba8, 2, amp_uint8_4, amp_float_4, amp_float_4_to_unorm8)
AMP_DEFINE_MIPMAPS(numbers, 1, float, float, )
AMP_DEFINE_MIPMAPS(volume, 3, amp_float_3, amp_float_3, )

/* The levels that lie behind a picture, as many as it has; false where a texel is not what C samples in the level
   before, but for `tolerance`. */
enum { LEVELS = 8 };
static bool are_levels(picture levels[LEVELS], int count, double tolerance)
{
    bool good = true;
    for (int n = 0; n + 1 < count; n++) {
        const picture *const from = &levels[n];
        picture *const to = &levels[n + 1];
        *to = *from;
        to->texels += from->extent[0] * from->extent[1] * from->extent[2] * from->channels;
        for (int d = 0; d < 3; d++)
            to->extent[d] = from->extent[d] > 1 ? from->extent[d] / 2 : 1;
        const int rows = to->extent[1], columns = to->extent[2], size = to->extent[0] * rows * columns;
        for (int i = 0; i < size * to->channels; i++) {
            const int texel_number = i / to->channels;
            const float at[3] = { ((float)(texel_number % columns) + 0.5f) / (float)columns,
                                  ((float)(texel_number / columns % rows) + 0.5f) / (float)rows,
                                  ((float)(texel_number / columns / rows) + 0.5f) / (float)to->extent[0] };
            const double want = sampled(from, AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP, at, i % to->channels);
            good = good && fabs(to->texels[i] - want) <= tolerance;
        }
    }
    return good;
}

static double sampled_level(const picture *levels, int count, int filter, int address, const float xyz[3], float level,
                            int channel)
{
    const double bounded = fmin(fmax((double)level, 0), 31);
    const double wanted = filter == AMP_FILTER_POINT ? floor(bounded + 0.5) : bounded;
    const int fine = wanted < count - 1 ? (int)wanted : count - 1, coarse = fine + 1 < count ? fine + 1 : fine;
    const double part = wanted - floor(wanted);
    return (1 - part) * sampled(&levels[fine], filter, address, xyz, channel) +
           part * sampled(&levels[coarse], filter, address, xyz, channel);
}

static void levels_as_in_c(void **state)
{
    (void)state;
    enum { LINE = 13, ROWS = 6, COLS = 16, DEEP = 4, TEXELS = 200, PLACES = 300, RESULTS = 10 };
    const amp_extent1 e1 = AMP_EXTENT(LINE);
    const amp_extent2 e2 = AMP_EXTENT(ROWS, COLS);
    const amp_extent3 e3 = AMP_EXTENT(DEEP, 3, 5);
    const int of_line = amp_extent1_texels(e1, 4), of_colours = amp_extent2_texels(e2, 5);
    const int of_volume = amp_extent3_texels(e3, 3);
    check_int(amp_extent1_levels(e1), 4);
    check_int(amp_extent2_levels(e2), 5);
    check_int(amp_extent3_levels(e3), 3);
    check_int(of_line, 13 + 6 + 3 + 1);
    check_int(of_colours, 6 * 16 + 3 * 8 + 4 + 2 + 1);
    check_int(of_volume, 4 * 3 * 5 + 2 * 2 + 1);
    check_int(amp_extent2_texels(AMP_EXTENT(1 << 16, 1 << 15), 1), -1);
    check_int(amp_extent2_texels(AMP_EXTENT(1 << 15, 1 << 15), 16), 1431655765);
    check(amp_equal(amp_extent2_level(AMP_EXTENT(5, INT_MAX), 30), AMP_EXTENT(1, 1)));

    static float line[TEXELS], places[PLACES * 4], got[PLACES * RESULTS];
    static amp_uint8_4 colours[TEXELS];
    static amp_float_3 blocks[TEXELS];
    static double line_texels[TEXELS], colour_texels[TEXELS * 4], block_texels[TEXELS * 3];
    for (int i = 0; i < PLACES * 4; i++)
        places[i] = i % 4 == 3 ? (float)test_random_double(-1, 6) : (float)test_random_double(-1.5, 2.5);
    FOR_EACH_ACCELERATOR(where)
    {
        for (int i = 0; i < TEXELS; i++) { /* what stands behind level 0 is overwritten */
            line[i] = (float)test_random_double(-1, 1);
            for (int k = 0; k < 4; k++)
                colours[i][k] = (uint8_t)test_random_int(0, 255);
            blocks[i] = AMP_FLOAT_3(line[i], line[i / 2], line[i / 3]);
        }
        AMP_ARRAY_VIEW(float, 1, lines, line, of_line);
        AMP_ARRAY_VIEW(amp_uint8_4, 1, pixels, colours, of_colours);
        AMP_ARRAY_VIEW(amp_float_3, 1, cells, blocks, of_volume);
        numbers_generate_1_on(where, lines, e1);
        rgba8_generate_2_on(where, pixels, e2);
        volume_generate_3_on(where, cells, e3);
        const amp_const_array_view_float_1 ls = amp_as_const(lines);
        const amp_const_array_view_amp_uint8_4_1 cs = amp_as_const(pixels);
        const amp_const_array_view_amp_float_3_1 bs = amp_as_const(cells);
        for (int i = 0; i < of_line; i++)
            line_texels[i] = (double)AMP_AT(ls, i);
        for (int i = 0; i < of_colours * 4; i++)
            colour_texels[i] = AMP_AT(cs, i / 4)[i % 4] / 255.0;
        for (int i = 0; i < of_volume * 3; i++)
            block_texels[i] = (double)AMP_AT(bs, i / 3)[i % 3];
        picture l[LEVELS] = { { 1, { 1, 1, LINE }, 1, line_texels, { 0.125, 0, 0, 0 } } };
        picture c[LEVELS] = { { 2, { 1, ROWS, COLS }, 4, colour_texels, { 0.125, 0.25, 0.5, 1 } } };
        picture b[LEVELS] = { { 3, { DEEP, 3, 5 }, 3, block_texels, { 0.125, 0.25, 0.5, 0 } } };
        /* a device may place a texel by a quotient that is a few bits off */
        check(are_levels(l, 4, 1e-5) && are_levels(c, 5, 0.51 / 255) && are_levels(b, 3, 1e-5));
        for (int mode = 0; mode < 8; mode += 3) {
            const int filter = mode & 1, address = mode >> 1;
            const amp_sampler s = AMP_SAMPLER(filter, address, AMP_FLOAT_4(0.125f, 0.25f, 0.5f, 1));
            {
                AMP_CONST_ARRAY_VIEW(float, 2, at, places, PLACES, 4);
                AMP_ARRAY_VIEW(float, 2, out, got, PLACES, RESULTS);
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i),
                                         AMP_CAPTURE(ls, cs, bs, at, out, AMP_VALUE(amp_sampler, s),
                                                     AMP_VALUE(amp_extent1, e1), AMP_VALUE(amp_extent2, e2),
                                                     AMP_VALUE(amp_extent3, e3)), {
                    const amp_float_3 xyz = amp_float_3_load(&AMP_AT(at, i, 0));
                    const amp_float_2 xy = AMP_SWIZZLE(amp_float_2, xyz, x, y);
                    const float level = AMP_AT(at, i, 3);
                    AMP_AT(out, i, 0) = numbers_sample_level_1(ls, e1, s, AMP_X(xyz), level);
                    amp_float_4_store(&AMP_AT(out, i, 1), rgba8_sample_level_2(cs, e2, s, xy, level));
                    amp_float_3_store(&AMP_AT(out, i, 5), volume_sample_level_3(bs, e3, s, xyz, level));
                    AMP_AT(out, i, 8) = AMP_G(rgba8_get_2(rgba8_level_2(cs, e2, 2), s, i % 9 - 4, i % 5 - 2));
                    AMP_AT(out, i, 9) = AMP_Y(rgba8_gather_2(rgba8_level_2(cs, e2, 1), s, xy, 2));
                });
            }
            for (int i = 0; i < PLACES; i++) {
                const float *const xyz = &places[i * 4];
                const int index[3] = { 0, i % 9 - 4, i % 5 - 2 };
                for (int k = 0; k < RESULTS; k++) {
                    const double want = k == 0   ? sampled_level(l, 4, filter, address, xyz, xyz[3], 0)
                                        : k < 5  ? sampled_level(c, 5, filter, address, xyz, xyz[3], k - 1)
                                        : k < 8  ? sampled_level(b, 3, filter, address, xyz, xyz[3], k - 5)
                                        : k == 8 ? texel(&c[2], address, index, 1)
                                                 : gathered(&c[1], address, xyz, 1, 2);
                    check_that(fabs((double)got[i * RESULTS + k] - want) < 2e-5,
                               "filter %d, address %d, result %d at (%g, %g, %g), level %g, is %.8g, not %.8g", filter,
                               address, k, (double)xyz[0], (double)xyz[1], (double)xyz[2], (double)xyz[3],
                               (double)got[i * RESULTS + k], want);
                }
            }
        }
        const amp_array_view_amp_uint8_4_2 second =
            rgba8_level_view_2(pixels, e2, 1); /* a level is copied like views */
        static amp_uint8_4 copied[3 * 8];
        AMP_ARRAY_VIEW(amp_uint8_4, 2, copy, copied, 3, 8);
        amp_copy(second, copy);
        check(amp_int8_4_all(AMP_AT(copy, 2, 7) == AMP_AT(pixels, of_colours - 8)));
        check(AMP_R(rgba8_get_2(rgba8_level_2(cs, e2, 9), AMP_SAMPLER(0, 0), 5, 5)) ==
              AMP_R(amp_float_4_from_unorm8(AMP_AT(pixels, of_colours - 1)))); /* the last one, on the host */
        (void)rgba8_level_view_2(pixels, e2, 5);
        expect_error(AMP_INVALID_ARGUMENT, "rgba8_level_view_2: mip level 5 is out of range: the view has 127 texels");
        rgba8_generate_2(pixels, AMP_EXTENT(20, 20));
        expect_error(AMP_INVALID_ARGUMENT, "rgba8_generate_2: mip level 0 is out of range: the view has 127 texels");
    }
}

/* ---- textures, read by texture units where there are any --------------------------------------------------------- */

AMP_DEFINE_ELEMENT(amp_int8_4)
AMP_DEFINE_ELEMENT(amp_int16_4)
AMP_DEFINE_TEXTURE(deep, uint16_t, float, amp_float_from_unorm16)
AMP_DEFINE_TEXTURE(half4, amp_half_4, amp_float_4, amp_float_4_from_half)
AMP_DEFINE_TEXTURE(signed8, amp_int8_4, amp_float_4, amp_float_4_from_norm8)
AMP_DEFINE_TEXTURE(signed16, amp_int16_4, amp_float_4, amp_float_4_from_norm16)
AMP_DEFINE_TEXTURE(grey8, uint8_t, float, amp_float_from_unorm8)
AMP_FUNCTION(amp_float_4, inverted, (amp_uint8_4 c), { return AMP_FLOAT_4(1) - amp_float_4_from_unorm8(c); })
AMP_DEFINE_TEXTURE(own, amp_uint8_4, amp_float_4, inverted)

/* Rows of 8 texels: CUDA's texture units want 32 bytes. */
enum { LINE = 13, ROWS = 5, COLS = 8, SLICES = 3, PLACES = 300, EACH = 13 };

/* Texels of each type, and the pictures that they are to C: 1, 2 and 3 for their ranks. */
static struct {
    float line[LINE], places[PLACES * 3];
    amp_uint8_4 colours[ROWS * COLS];
    amp_float_3 block[SLICES * ROWS * COLS];
    uint16_t deep[LINE];
    amp_half_4 halves[ROWS * COLS];
    amp_int8_4 small[SLICES * ROWS * COLS];
    amp_int16_4 signed_line[LINE];
    uint8_t grey[ROWS * COLS];
    amp_float_2 pairs[ROWS * COLS];
    double texels[10][SLICES * ROWS * COLS * 4];
    picture pictures[10];
} unit;

enum { NUMBERS, COLOURS, BLOCK, DEEP, HALVES, SMALL, SIGNED, GREY, OWN, PAIRS };

/* Takes n texels over: `text` is the texel at [i], component [c] of it where it has several, as a double. */
#define UNIT_TEXELS(which, of_rank, count, make, text)                                                                 \
    do {                                                                                                               \
        unit.pictures[which] =                                                                                         \
            (picture){ of_rank, { of_rank == 3 ? SLICES : 1, of_rank == 1 ? 1 : ROWS, of_rank == 1 ? LINE : COLS },    \
                       count, unit.texels[which], { 0 } };                                                             \
        const int texels = unit.pictures[which].extent[0] * unit.pictures[which].extent[1] *                           \
                           unit.pictures[which].extent[2];                                                             \
        for (int i = 0; i < texels; i++) {                                                                             \
            for (int c = 0; c < count; c++)                                                                            \
                make;                                                                                                  \
            for (int c = 0; c < count; c++)                                                                            \
                unit.texels[which][i * count + c] = (double)(text);                                                    \
        }                                                                                                              \
    } while (0)
static void make_unit_pictures(void)
{
    const float away = 1.0f / 3;
    UNIT_TEXELS(NUMBERS, 1, 1, unit.line[i] = (float)test_random_double(-1, 1), unit.line[i]);
    UNIT_TEXELS(COLOURS, 2, 4, unit.colours[i][c] = (uint8_t)test_random_int(0, 255), unit.colours[i][c] / 255.0);
    UNIT_TEXELS(BLOCK, 3, 3, unit.block[i][c] = (float)test_random_double(-1, 1), unit.block[i][c]);
    UNIT_TEXELS(DEEP, 1, 1, unit.deep[i] = (uint16_t)test_random_int(0, 65535), unit.deep[i] / 65535.0);
    UNIT_TEXELS(HALVES, 2, 4,
                unit.halves[i] =
                    amp_float_4_to_half(AMP_FLOAT_4(away * (float)i, 1 - away * (float)i, away, (float)-i)),
                amp_float_4_from_half(unit.halves[i])[c]);
    UNIT_TEXELS(SMALL, 3, 4, unit.small[i][c] = (int8_t)test_random_int(-128, 127), fmax(unit.small[i][c] / 127.0, -1));
    UNIT_TEXELS(SIGNED, 1, 4, unit.signed_line[i][c] = (int16_t)test_random_int(-32768, 32767),
                fmax(unit.signed_line[i][c] / 32767.0, -1));
    UNIT_TEXELS(GREY, 2, 1, unit.grey[i] = (uint8_t)test_random_int(0, 255), unit.grey[i] / 255.0);
    UNIT_TEXELS(OWN, 2, 4, (void)c, 1 - unit.colours[i][c] / 255.0);
    UNIT_TEXELS(PAIRS, 2, 2, unit.pairs[i][c] = (float)test_random_double(-1, 1), unit.pairs[i][c]);
    for (int i = 0; i < PLACES * 3; i++)
        unit.places[i] = i % 7 ? (float)test_random_double(-2.5, 3.5) : (float)test_random_int(-8, 12) * 0.25f;
}

/* Do texture units read some of what the view looks at, there? */
static bool has_images(amp_accelerator_view where, const amp_priv_head *head)
{
    bool has = false;
    (void)where, (void)head;
#if AMP_PRIV_HAS_DEVICES
    const amp_priv_replica *const replica = head->source->replica[test_device(where)->number];
    for (const amp_priv_image *image = replica ? (const void *)replica->images : NULL; image; image = image->next)
        has = has || image->native;
#endif
    return has;
}

/* Results are within a 256th of the greatest difference between texels for each dimension, where texture units read
   them: their weights are of 8 bits. Returns how many are not. */
static int not_as_in_c(amp_accelerator_view where, const float *got, int which, int first, int filter, int address,
                       bool bordered)
{
    picture p = unit.pictures[which];
    double low = 0, high = 0;
    for (int i = 0; i < p.extent[0] * p.extent[1] * p.extent[2] * p.channels; i++) {
        low = fmin(low, p.texels[i]);
        high = fmax(high, p.texels[i]);
    }
    for (int c = 0; c < 4; c++)
        p.border[c] = bordered ? c + 1 : 0;
    const double tolerance =
        2e-5 * fmax(1, high - low) +
        (filter == AMP_FILTER_LINEAR && test_device(where)->samples_images ? p.rank * (high - low) / 256 : 0);
    int wrong = 0;
    for (int i = 0; i < PLACES; i++)
        for (int c = 0; c < p.channels; c++) {
            const float *const xyz = &unit.places[i * 3];
            const double want = sampled(&p, filter, address, xyz, c), is = (double)got[i * EACH + first + c];
            if (fabs(is - want) <= tolerance)
                continue;
            if (wrong++ < 3)
                printf("%s: picture %d, filter %d, address %d, component %d at (%g, %g, %g) is %.8g, not %.8g\n",
                       test_device(where)->path, which, filter, address, c, (double)xyz[0], (double)xyz[1],
                       (double)xyz[2], is, want);
        }
    return wrong;
}

/* Each sampler, and one more that the kernel makes: its results begin where the samplers' end. */
static int sampled_by_units(amp_accelerator_view where, bool *by_units)
{
    static float got[4][PLACES * EACH];
    int wrong = 0;
    AMP_CONST_ARRAY_VIEW(float, 1, l, unit.line, LINE);
    AMP_CONST_ARRAY_VIEW(amp_uint8_4, 2, c, unit.colours, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(amp_float_3, 3, b, unit.block, SLICES, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(uint16_t, 1, d, unit.deep, LINE);
    AMP_CONST_ARRAY_VIEW(amp_half_4, 2, h, unit.halves, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(amp_int8_4, 3, m, unit.small, SLICES, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(amp_int16_4, 1, n, unit.signed_line, LINE);
    AMP_CONST_ARRAY_VIEW(uint8_t, 2, g, unit.grey, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(amp_float_2, 2, p, unit.pairs, ROWS, COLS);
    AMP_CONST_ARRAY_VIEW(float, 2, at, unit.places, PLACES, 3);
    for (int mode = 0; mode < 9; mode++) {
        const bool bordered = mode < 8;
        const int filter = mode & 1 || !bordered, address = bordered ? mode >> 1 : AMP_ADDRESS_BORDER;
        const amp_sampler s = AMP_SAMPLER(filter, address, bordered ? AMP_FLOAT_4(1, 2, 3, 4) : AMP_FLOAT_4(0));
        {
            AMP_ARRAY_VIEW(float, 2, first, got[0], PLACES, EACH);
            AMP_ARRAY_VIEW(float, 2, second, got[1], PLACES, EACH);
            AMP_ARRAY_VIEW(float, 2, third, got[2], PLACES, EACH);
            AMP_ARRAY_VIEW(float, 2, fourth, got[3], PLACES, EACH);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i),
                                     AMP_CAPTURE(l, c, at, first, AMP_VALUE(amp_sampler, s)), {
                const amp_float_2 xy = amp_float_2_load(&AMP_AT(at, i, 0));
                const amp_sampler fixed = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_MIRROR);
                AMP_AT(first, i, 0) = numbers_fast_sample_1(l, s, AMP_X(xy));
                amp_float_4_store(&AMP_AT(first, i, 1), rgba8_fast_sample_2(c, s, xy));
                amp_float_4_store(&AMP_AT(first, i, 5), rgba8_fast_sample_2(c, fixed, xy));
                amp_float_4_store(&AMP_AT(first, i, 9), own_fast_sample_2(c, s, xy));
            });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i),
                                     AMP_CAPTURE(d, h, n, at, second, AMP_VALUE(amp_sampler, s)), {
                const amp_float_2 xy = amp_float_2_load(&AMP_AT(at, i, 0));
                AMP_AT(second, i, 0) = deep_fast_sample_1(d, s, AMP_X(xy));
                amp_float_4_store(&AMP_AT(second, i, 1), half4_fast_sample_2(h, s, xy));
                amp_float_4_store(&AMP_AT(second, i, 5), signed16_fast_sample_1(n, s, AMP_X(xy)));
            });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i), /* CUDA has no units for those of rank 3 */
                                     AMP_CAPTURE(b, m, g, at, third, AMP_VALUE(amp_sampler, s)), {
                const amp_float_3 xyz = amp_float_3_load(&AMP_AT(at, i, 0));
                amp_float_3_store(&AMP_AT(third, i, 0), volume_fast_sample_3(b, s, xyz));
                amp_float_4_store(&AMP_AT(third, i, 3), signed8_fast_sample_3(m, s, xyz));
                AMP_AT(third, i, 7) = grey8_fast_sample_2(g, s, AMP_SWIZZLE(amp_float_2, xyz, x, y));
            });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(PLACES), (i), /* and pocl none for two components */
                                     AMP_CAPTURE(p, at, fourth, AMP_VALUE(amp_sampler, s)), {
                const amp_float_2 xy = amp_float_2_load(&AMP_AT(at, i, 0));
                amp_float_2_store(&AMP_AT(fourth, i, 0), pairs_fast_sample_2(p, s, xy));
            });
        }
        static const struct {
            int launch, which, at;
        } results[] = { { 0, NUMBERS, 0 }, { 0, COLOURS, 1 }, { 0, OWN, 9 },   { 1, DEEP, 0 }, { 1, HALVES, 1 },
                        { 1, SIGNED, 5 },  { 2, BLOCK, 0 },   { 2, SMALL, 3 }, { 2, GREY, 7 }, { 3, PAIRS, 0 } };
        for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
            wrong +=
                not_as_in_c(where, got[results[i].launch], results[i].which, results[i].at, filter, address, bordered);
        wrong += not_as_in_c(where, got[0], COLOURS, 5, AMP_FILTER_LINEAR, AMP_ADDRESS_MIRROR, false);
    }
    *by_units = has_images(where, &c.amp_priv) && has_images(where, &h.amp_priv) &&
                (has_images(where, &m.amp_priv) || strstr(test_device(where)->path, "cuda:"));
    return wrong;
}

/* The texel in that row and column, as a linear filter finds it in its middle. */
static double looked_at(amp_accelerator_view where, amp_const_array_view_float_2 v, int row, int col)
{
    float seen = -1;
    {
        const amp_float_2 at =
            AMP_FLOAT_2(((float)col + 0.5f) / (float)v.extent.v[1], ((float)row + 0.5f) / (float)v.extent.v[0]);
        AMP_ARRAY_VIEW(float, 1, out, &seen, 1);
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(v, out, AMP_VALUE(amp_float_2, at)), {
            AMP_AT(out, i) = numbers_fast_sample_2(v, AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP), at);
        });
    }
    return (double)seen;
}

/* Whoever writes a texture, and wherever: who samples it next sees that. Returns how many texels are not seen. */
static int unseen_changes(amp_accelerator_view where)
{
    enum { HIGH = 4, WIDE = 8 };
    float data[HIGH * WIDE], others[HIGH * WIDE];
    int unseen = 0;
#define SEES(view, row, col, value)                                                                                    \
    do {                                                                                                               \
        const double seen = looked_at(where, view, row, col);                                                          \
        if (!(fabs(seen - (value)) < 0.01) && ++unseen < 5)                                                            \
            printf("%s: line %d: %g, not %g\n", test_device(where)->path, __LINE__, seen, (double)(value));            \
    } while (0)
    for (int i = 0; i < HIGH * WIDE; i++) {
        data[i] = (float)i;
        others[i] = (float)(2 * i);
    }
    AMP_ARRAY_VIEW(float, 2, v, data, HIGH, WIDE);
    AMP_ARRAY_VIEW(float, 2, o, others, HIGH, WIDE);
    const amp_const_array_view_float_2 from = amp_as_const(v);
    SEES(from, 1, 2, 10);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 100; });
    SEES(from, 1, 2, 110);
    AMP_AT(v, 1, 2) = 7;
    SEES(from, 1, 2, 7);
    SEES(from, 3, 5, 129);
    amp_copy(o, v);
    SEES(from, 1, 2, 20);
    amp_accelerator_view another = amp_accelerator_create_view(amp_accelerator_view_accelerator(where));
    AMP_PARALLEL_FOR_EACH_ON(another, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 200; });
    SEES(from, 1, 2, 220);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(o, v), { AMP_AT(v, idx) = AMP_AT(o, idx); });
    SEES(from, 1, 2, 20);
    amp_accelerator_view_release(&another);
    /* parts: rows lie side by side, columns do not */
    SEES(amp_as_const(amp_section(v, 2, 0, 2, WIDE)), 1, 2, 52);
    SEES(amp_as_const(amp_section(v, 0, 3, HIGH, 3)), 2, 2, 42);
    /* what the launch itself writes elsewhere in the texture */
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(WIDE), (j), AMP_CAPTURE(from, v), {
        const amp_sampler s = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
        AMP_AT(v, 3, j) = numbers_fast_sample_2(from, s, AMP_FLOAT_2(((float)j + 0.5f) / 8.0f, 0.375f)) + 1;
    });
    SEES(from, 3, 2, 21);
    /* a launch that is played again, and a name that is something else further in */
    amp_recording recording = { NULL };
    for (int round = 0; round < 3; round++) {
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v, round), { AMP_AT(v, idx) = (float)round; });
        if (!amp_recording_replay(recording)) {
            amp_recording_begin(where);
            AMP_PARALLEL_FOR_EACH_ON(where, o.extent, (i, j), AMP_CAPTURE(o, from), {
                const amp_const_array_view_float_2 kept = from;
                const amp_sampler s = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
                {
                    const amp_const_array_view_float_2 from = kept;
                    AMP_AT(o, i, j) = numbers_fast_sample_2(from, s, AMP_FLOAT_2(0.5f)) * 3;
                }
            });
            recording = amp_recording_end();
        }
        SEES(amp_as_const(o), 1, 2, 3 * round);
        SEES(from, 1, 2, round);
    }
    amp_recording_release(&recording);
    return unseen;
}

/* On each accelerator, as a group has no units of its own; in a child, with the units of devices, too, that use none by
   themselves. */
static int child_units(void)
{
    int wrong = 0, unseen = 0, forgotten = 0;
    make_unit_pictures();
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        bool by_units;
        wrong += sampled_by_units(where, &by_units);
        unseen += unseen_changes(where);
        forgotten += by_units != test_device(where)->samples_images;
    }
    printf("wrong %d, unseen %d, forgotten %d\n", wrong, unseen, forgotten);
    return 0;
}

CHILDREN({ "units", child_units })

static void textures_by_units(void **state)
{
    static const char *const environments[] = { "AMP_TEXTURE_UNITS=1", "AMP_TEXTURE_UNITS=1 AMP_FORCE_COPIES=1" };
    char output[8192];
    (void)state;
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        if (child_run("units", environments[i], output, sizeof output) < 0) {
            print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
            skip();
        }
        check_that(strstr(output, "wrong 0, unseen 0, forgotten 0"), "%s: %s", environments[i], output);
    }
}

/* All pairs of a few bytes, the extreme ones among them, in each component. */
static void products_of_bytes_are_exact(void **state)
{
    (void)state;
    enum { BYTE_PAIRS = 256 * 256 };
    static int got[BYTE_PAIRS][3];
    FOR_EACH_ACCELERATOR(where)
    {
        const int n = test_is_slow(where) ? 512 : BYTE_PAIRS;
        AMP_ARRAY_VIEW(int, 2, out, &got[0][0], n, 3);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(n), (i), AMP_CAPTURE(out), {
            const int8_t x = (int8_t)(i / 256 - 128);
            const int8_t y = (int8_t)(i % 256 - 128);
            AMP_AT(out, i, 0) = amp_int8_2_dot(AMP_INT8_2(x, 3), AMP_INT8_2(y, -128));
            AMP_AT(out, i, 1) = amp_int8_3_dot(AMP_INT8_3(-128, x, y), AMP_INT8_3(-128, y, x));
            AMP_AT(out, i, 2) = amp_int8_4_dot(AMP_INT8_4(x, -7, y, x), AMP_INT8_4(y, 127, -128, -1));
        });
        amp_array_view_synchronize(&out);
        for (int i = 0; i < n; i++) {
            const int x = i / 256 - 128, y = i % 256 - 128;
            check_that(got[i][0] == x * y - 384 && got[i][1] == 16384 + 2 * x * y &&
                           got[i][2] == x * y - 889 - 128 * y - x,
                       "%d, %d: %d, %d, %d", x, y, got[i][0], got[i][1], got[i][2]);
        }
    }
    check_int(amp_int8_4_dot(AMP_INT8_4(-128), AMP_INT8_4(-128)), 65536);
}

static void sizes_in_memory(void **state)
{
    (void)state;
#define SIZES(S, T, device, mask)                                                                                      \
    check_int(sizeof(amp_##S##_2), 2 * sizeof(T));                                                                     \
    check_int(sizeof(amp_##S##_3), 4 * sizeof(T));                                                                     \
    check_int(sizeof(amp_##S##_4), 4 * sizeof(T));                                                                     \
    check_int(_Alignof(amp_##S##_3), 4 * sizeof(T));                                                                   \
    check_int(_Alignof(amp_##S##_4), 4 * sizeof(T));                                                                   \
    check_int(sizeof(amp_packed_##S##_3), 3 * sizeof(T));                                                              \
    check_int(_Alignof(amp_packed_##S##_3), _Alignof(T));
    AMP_PRIV_FOR_VECTORS(SIZES)
}

int run_graphics_vectors(void);
int run_graphics_vectors(void)
{
    const struct CMUnitTest tests[] = {
        TEST(small_integers_as_in_c), TEST(integers_as_in_c),
        TEST(reals_as_in_c),          TEST(anywhere_in_a_kernel),
        TEST(wide_ones_are_aligned),  TEST(products_of_bytes_are_exact),
        TEST(sizes_in_memory),        TEST(halves_are_floats_in_kernels),
        TEST(halves_round_once),      TEST(inexact_quotients_become_right_halves),
        TEST(normalised_as_in_c),     TEST(copied_as_they_are),
        TEST(textures_as_in_c),       TEST(texels_far_away),
        TEST(levels_as_in_c),         TEST(textures_by_units),
    };
    return cmocka_run_group_tests_name("graphics/vectors", tests, NULL, NULL);
}
