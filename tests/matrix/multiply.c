// SPDX-License-Identifier: MIT
/*  multiply.c - products of matrices (amp_matrix.h) against plain C: every kind of factors, sizes that no tile
    divides, transposed factors, sections, alpha and beta, blocks in tiles and what is done with their sums.
    Also tests amp/matrix/cpu_device.h, amp/matrix/cpu_matrix.h, amp/matrix/kinds.h, amp/matrix/matrix_text.h,
    amp/matrix/pack.h, amp/matrix/tile_matrix.h, amp/matrix/vector.h. */
#include "test.h"

#include "amp_matrix.h"
#include "inside.h"
#include <limits.h>

AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_bfloat16)

enum { ROWS = 150, DEPTH = 91, COLUMNS = 171, MOST = 180 };

static struct {
    float left[MOST * MOST], right[MOST * MOST];
    double left_double[MOST * MOST], right_double[MOST * MOST], sums_double[MOST * MOST];
    int8_t left_int8[MOST * MOST], right_int8[MOST * MOST];
    amp_half left_half[MOST * MOST], right_half[MOST * MOST];
    amp_bfloat16 left_bfloat16[MOST * MOST], right_bfloat16[MOST * MOST];
    int sums_int[MOST * MOST];
    float sums[MOST * MOST];
} m;

/* Numbers of `bits` bits, with fractions: products of 8 and sums of them are exact in float. */
static void make_data(int bits)
{
    for (int i = 0; i < MOST * MOST; i++) {
        const int l = test_random_int(-(1 << bits), (1 << bits) - 1),
                  r = test_random_int(-(1 << bits), (1 << bits) - 1);
        m.left[i] = (float)l / 16;
        m.right[i] = (float)r / 8;
        m.left_double[i] = (double)m.left[i];
        m.right_double[i] = (double)m.right[i];
        m.left_int8[i] = (int8_t)(l % 128);
        m.right_int8[i] = (int8_t)(r % 128);
        m.left_half[i] = amp_float_to_half(m.left[i]);
        m.right_half[i] = amp_float_to_half(m.right[i]);
        m.left_bfloat16[i] = amp_float_to_bfloat16(m.left[i]);
        m.right_bfloat16[i] = amp_float_to_bfloat16(m.right[i]);
        m.sums[i] = (float)(i % 7);
        m.sums_int[i] = i % 7;
        m.sums_double[i] = i % 7;
    }
}

/* Element (i, j) of a matrix with rows of `columns`, or of its transpose. */
static int at(int is_turned, int columns, int i, int j) { return is_turned ? j * columns + i : i * columns + j; }

#define DOUBLE(x)      ((double)(x))
#define OF_HALF(x)     ((double)amp_float_from_half(x))
#define OF_BFLOAT16(x) ((double)amp_float_from_bfloat16(x))
#define TURNED_0(view) view
#define TURNED_1(view) AMP_TRANSPOSED(view)
/* c = alpha * a b + beta * c, exactly. */
#define PRODUCT_TEST(name, kind, T, a_of, b_of, c_of, S, number, ta, tb, alpha, beta)                                  \
    static void name(amp_accelerator_view where)                                                                       \
    {                                                                                                                  \
        make_data(7);                                                                                                  \
        static S before[MOST * MOST];                                                                                  \
        memcpy(before, c_of, sizeof before);                                                                           \
        AMP_CONST_ARRAY_VIEW(T, 2, a, a_of, ta ? DEPTH : ROWS, ta ? ROWS : DEPTH);                                     \
        AMP_CONST_ARRAY_VIEW(T, 2, b, b_of, tb ? COLUMNS : DEPTH, tb ? DEPTH : COLUMNS);                               \
        AMP_ARRAY_VIEW(S, 2, c, c_of, ROWS, COLUMNS);                                                                  \
        AMP_MULTIPLY_ADD_ON(where, kind, c, alpha, TURNED_##ta(a), TURNED_##tb(b), beta);                              \
        assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);                                                      \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            for (int j = 0; j < COLUMNS; j++) {                                                                        \
                double sum = 0;                                                                                        \
                for (int k = 0; k < DEPTH; k++)                                                                        \
                    sum += number(a_of[at(ta, ta ? ROWS : DEPTH, i, k)]) *                                             \
                           number(b_of[at(tb, tb ? DEPTH : COLUMNS, k, j)]);                                           \
                sum = (double)(alpha)*sum + (double)(beta)*DOUBLE(before[i * COLUMNS + j]);                            \
                if (DOUBLE(c_of[i * COLUMNS + j]) < sum || DOUBLE(c_of[i * COLUMNS + j]) > sum)                        \
                    fail_msg("%s on %s: (%d, %d) is %g, not %g", #name, test_where, i, j,                              \
                             DOUBLE(c_of[i * COLUMNS + j]), sum);                                                      \
            }                                                                                                          \
    }
PRODUCT_TEST(of_float, float, float, m.left, m.right, m.sums, float, DOUBLE, 0, 0, 1, 0)
PRODUCT_TEST(of_float_turned, float, float, m.left, m.right, m.sums, float, DOUBLE, 1, 1, 2, 3)
PRODUCT_TEST(of_tf32, tf32, float, m.left, m.right, m.sums, float, DOUBLE, 0, 0, 2, 0)
PRODUCT_TEST(of_tf32_turned, tf32, float, m.left, m.right, m.sums, float, DOUBLE, 1, 1, 1, 1)
PRODUCT_TEST(of_half, half, amp_half, m.left_half, m.right_half, m.sums, float, OF_HALF, 0, 0, 1, 0)
PRODUCT_TEST(of_half_turned, half, amp_half, m.left_half, m.right_half, m.sums, float, OF_HALF, 1, 1, -1, 2)
PRODUCT_TEST(of_floats_as_half, half, float, m.left, m.right, m.sums, float, DOUBLE, 0, 1, 1, 0)
PRODUCT_TEST(of_bfloat16, bfloat16, amp_bfloat16, m.left_bfloat16, m.right_bfloat16, m.sums, float, OF_BFLOAT16, 0, 0,
             1, 0)
PRODUCT_TEST(of_floats_as_bfloat16, bfloat16, float, m.left, m.right, m.sums, float, DOUBLE, 1, 0, 1, 0)
PRODUCT_TEST(of_int8, int8, int8_t, m.left_int8, m.right_int8, m.sums_int, int, DOUBLE, 0, 0, 1, 0)
PRODUCT_TEST(of_int8_turned, int8, int8_t, m.left_int8, m.right_int8, m.sums_int, int, DOUBLE, 0, 1, -3, 5)
PRODUCT_TEST(large_of_tf32, tf32, float, m.left, m.right, m.sums, float, DOUBLE, 1, 0, 1, 0)
PRODUCT_TEST(large_of_floats_as_half, half, float, m.left, m.right, m.sums, float, DOUBLE, 0, 0, 2, 1)
PRODUCT_TEST(large_of_int8, int8, int8_t, m.left_int8, m.right_int8, m.sums_int, int, DOUBLE, 1, 0, 1, 0)
PRODUCT_TEST(large_of_float, float, float, m.left, m.right, m.sums, float, DOUBLE, 0, 1, 1, 0)
PRODUCT_TEST(of_double, double, double, m.left_double, m.right_double, m.sums_double, double, DOUBLE, 0, 0, 1, 0)
PRODUCT_TEST(of_double_turned, double, double, m.left_double, m.right_double, m.sums_double, double, DOUBLE, 1, 0, 1, 2)

/* Each sum within the bound of docs/matrix.md; with whole vectors of 16 bytes, and views that begin at other places. */
static void check_bound(const char *what, float result, double sum, double size, double each)
{
    if (!(fabs((double)result - sum) <= size * (DEPTH * 0x1p-23 + each)))
        fail_msg("%s on %s: %g, not %g +- %g", what, test_where, (double)result, sum, size * (DEPTH * 0x1p-23 + each));
}

static void in_bounds(amp_accelerator_view where)
{
    for (int i = 0; i < MOST * MOST; i++) {
        m.left[i] = (float)test_random_double(-1, 1);
        m.right[i] = (float)test_random_double(-1, 1);
    }
    AMP_CONST_ARRAY_VIEW(float, 2, all_left, m.left, MOST, MOST);
    AMP_CONST_ARRAY_VIEW(float, 2, all_right, m.right, MOST, MOST);
    AMP_ARRAY_VIEW(float, 2, all, m.sums, MOST, MOST);
    for (int first = 0; first < 2; first++) {
        const amp_const_array_view_float_2 a = amp_section(all_left, first, first, ROWS, DEPTH);
        const amp_const_array_view_float_2 b = amp_section(all_right, 3 * first, 2 * first, DEPTH, COLUMNS);
        const amp_array_view_float_2 c = amp_section(all, first, 3 * first, ROWS, COLUMNS);
        for (int kind = 0; kind < 3; kind++) {
            if (kind == 0)
                AMP_MULTIPLY_ON(where, float, c, a, b);
            if (kind == 1)
                AMP_MULTIPLY_ON(where, tf32, c, a, b);
            if (kind == 2)
                AMP_MULTIPLY_ON(where, half, c, a, b);
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < COLUMNS; j++) {
                    double sum = 0, size = 0;
                    for (int k = 0; k < DEPTH; k++) {
                        const double one = (double)m.left[(i + first) * MOST + first + k] *
                                           (double)m.right[(3 * first + k) * MOST + 2 * first + j];
                        sum += one;
                        size += fabs(one);
                    }
                    check_bound("a section", AMP_AT(c, i, j), sum, size, kind ? 0x1p-10 : 0);
                }
        }
    }
}

/* A block's sums, with a bias and a bound, and in another order of loads. */
static void in_tiles(amp_accelerator_view where)
{
    make_data(7);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, a, m.left_half, ROWS, DEPTH);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, b, m.right_half, DEPTH, COLUMNS);
    AMP_CONST_ARRAY_VIEW(float, 1, bias, m.left, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, c, m.sums, ROWS, COLUMNS);
    enum { SIDE = 64, STEP = 16, THREADS = 64 };
    const int across = (COLUMNS + SIDE - 1) / SIDE, down = (ROWS + SIDE - 1) / SIDE, depth = DEPTH;
    AMP_TILED_ON(where, AMP_EXTENT(across * down * THREADS), (THREADS), tile,
                 AMP_CAPTURE(a, b, c, bias, across, depth, AMP_CONSTANT(SIDE), AMP_CONSTANT(STEP)), {
        AMP_TILE_MATRIX(tile, float, sum, SIDE, SIDE);
        AMP_TILE_LEFT(half, left, SIDE, STEP);
        AMP_TILE_RIGHT(half, right, STEP, SIDE);
        const int top = tile.tile.v[0] / across * SIDE, first = tile.tile.v[0] % across * SIDE;
        AMP_TILE_EACH(tile, sum, (x, row, column), {
            x = first + column < bias.extent.v[0] ? AMP_AT(bias, first + column) : 0.0f;
        });
        for (int k = 0; k < depth; k += STEP) {
            AMP_TILE_LOAD(tile, left, a, top, k);
            AMP_TILE_LOAD(tile, right, b, k, first);
            AMP_TILE_MULTIPLY_ADD(tile, sum, left, right);
        }
        AMP_TILE_EACH(tile, sum, (x, row, column), {
            const int larger = top + row;
            x = x < 0.0f ? 0.0f : x + (float)larger;
        });
        AMP_TILE_STORE(tile, sum, c, top, first);
    });
    assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = (double)m.left[j];
            for (int k = 0; k < DEPTH; k++)
                sum += OF_HALF(m.left_half[i * DEPTH + k]) * OF_HALF(m.right_half[k * COLUMNS + j]);
            const double wanted = sum < 0 ? 0 : sum + i;
            if ((double)m.sums[i * COLUMNS + j] < wanted || (double)m.sums[i * COLUMNS + j] > wanted)
                fail_msg("in_tiles on %s: (%d, %d) is %g, not %g", test_where, i, j, (double)m.sums[i * COLUMNS + j],
                         wanted);
        }
}

/* The product of one matrix and the transposed other one, scaled, as one statement: tiles inside and at the edges. */
static void in_one_statement(amp_accelerator_view where)
{
    make_data(7);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, a, m.left_half, ROWS, DEPTH);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, b, m.right_half, COLUMNS, DEPTH);
    AMP_ARRAY_VIEW(float, 2, c, m.sums, ROWS, COLUMNS);
    enum { SIDE = 64, STEP = 32, THREADS = 64 };
    const int across = (COLUMNS + SIDE - 1) / SIDE, down = (ROWS + SIDE - 1) / SIDE;
    AMP_TILED_ON(where, AMP_EXTENT(across * down * THREADS), (THREADS), tile,
                 AMP_CAPTURE(a, b, c, across, AMP_CONSTANT(SIDE), AMP_CONSTANT(STEP)), {
        AMP_TILE_MATRIX(tile, float, sum, SIDE, SIDE);
        AMP_TILE_LEFT(half, left, SIDE, STEP);
        AMP_TILE_RIGHT_TRANSPOSED(half, right, STEP, SIDE);
        const int top = tile.tile.v[0] / across * SIDE, first = tile.tile.v[0] % across * SIDE;
        AMP_TILE_PRODUCT(tile, sum, left, a, top, right, b, first);
        AMP_TILE_EACH(tile, sum, (x, row, column), { x *= 0.5f; });
        AMP_TILE_STORE(tile, sum, c, top, first);
    });
    assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += OF_HALF(m.left_half[i * DEPTH + k]) * OF_HALF(m.right_half[j * DEPTH + k]);
            const double got = (double)m.sums[i * COLUMNS + j];
            if (got < sum / 2 || got > sum / 2)
                fail_msg("in_one_statement on %s: (%d, %d) is %g, not %g", test_where, i, j, got, sum / 2);
        }
}

/* Whole tiles, whose rows begin at multiples of 16 bytes: what is fetched at once. */
enum { WHOLE = 128 };
#define WHOLE_TILES(kind, T, a_of, b_of, c_of, S, number, ta, tb)                                                      \
    {                                                                                                                  \
        AMP_CONST_ARRAY_VIEW(T, 2, a, a_of, WHOLE, WHOLE);                                                             \
        AMP_CONST_ARRAY_VIEW(T, 2, b, b_of, WHOLE, WHOLE);                                                             \
        AMP_ARRAY_VIEW(S, 2, c, c_of, WHOLE, WHOLE);                                                                   \
        AMP_MULTIPLY_ON(where, kind, c, TURNED_##ta(a), TURNED_##tb(b));                                               \
        assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);                                                      \
        for (int i = 0; i < WHOLE; i += 3)                                                                             \
            for (int j = 0; j < WHOLE; j++) {                                                                          \
                double sum = 0;                                                                                        \
                for (int k = 0; k < WHOLE; k++)                                                                        \
                    sum += number(a_of[at(ta, WHOLE, i, k)]) * number(b_of[at(tb, WHOLE, k, j)]);                      \
                if (DOUBLE(c_of[i * WHOLE + j]) < sum || DOUBLE(c_of[i * WHOLE + j]) > sum)                            \
                    fail_msg("whole tiles of " #kind " (" #ta ", " #tb ") on %s: (%d, %d) is %g, not %g", test_where,  \
                             i, j, DOUBLE(c_of[i * WHOLE + j]), sum);                                                  \
            }                                                                                                          \
    }
#define WHOLE_TILES_TURNED(...)                                                                                        \
    WHOLE_TILES(__VA_ARGS__, 0, 0)                                                                                     \
    WHOLE_TILES(__VA_ARGS__, 0, 1)                                                                                     \
    WHOLE_TILES(__VA_ARGS__, 1, 0)                                                                                     \
    WHOLE_TILES(__VA_ARGS__, 1, 1)
static void whole_tiles(amp_accelerator_view where)
{
    make_data(7);
    WHOLE_TILES_TURNED(float, float, m.left, m.right, m.sums, float, DOUBLE)
    WHOLE_TILES_TURNED(tf32, float, m.left, m.right, m.sums, float, DOUBLE)
    WHOLE_TILES(half, amp_half, m.left_half, m.right_half, m.sums, float, OF_HALF, 1, 0)
    WHOLE_TILES(int8, int8_t, m.left_int8, m.right_int8, m.sums_int, int, DOUBLE, 0, 0)
}
static void whole_tiles_of_double(amp_accelerator_view where)
{
    make_data(7);
    WHOLE_TILES_TURNED(double, double, m.left_double, m.right_double, m.sums_double, double, DOUBLE)
}

/* Factors of several kinds add to the same sums: of a unit, and of loops. */
static void kinds_together(amp_accelerator_view where)
{
    make_data(5);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, h, m.left_half, ROWS, DEPTH);
    AMP_CONST_ARRAY_VIEW(float, 2, a, m.left, ROWS, DEPTH);
    AMP_CONST_ARRAY_VIEW(float, 2, b, m.right, DEPTH, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, c, m.sums, ROWS, COLUMNS);
    enum { SIDE = 64, THREADS = 64 };
    const int across = (COLUMNS + SIDE - 1) / SIDE, down = (ROWS + SIDE - 1) / SIDE;
    AMP_TILED_ON(where, AMP_EXTENT(across * down * THREADS), (THREADS), tile,
                 AMP_CAPTURE(h, a, b, c, across, AMP_CONSTANT(SIDE)), {
        AMP_TILE_MATRIX(tile, float, sum, SIDE, SIDE);
        AMP_TILE_LEFT(half, left_half, SIDE, 32);
        AMP_TILE_RIGHT(half, right_half, 32, SIDE);
        AMP_TILE_LEFT(float, left, SIDE, 16);
        AMP_TILE_RIGHT(float, right, 16, SIDE);
        const int top = tile.tile.v[0] / across * SIDE, first = tile.tile.v[0] % across * SIDE;
        AMP_TILE_PRODUCT(tile, sum, left_half, h, top, right_half, b, first);
        AMP_TILE_PRODUCT(tile, sum, left, a, top, right, b, first);
        AMP_TILE_STORE(tile, sum, c, top, first);
    });
    assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += 2 * (double)m.left[i * DEPTH + k] * (double)m.right[k * COLUMNS + j];
            if (DOUBLE(m.sums[i * COLUMNS + j]) < sum || DOUBLE(m.sums[i * COLUMNS + j]) > sum)
                fail_msg("kinds_together on %s: (%d, %d) is %g, not %g", test_where, i, j,
                         DOUBLE(m.sums[i * COLUMNS + j]), sum);
        }
}

/* Blocks without a product: sums alone, in the places of a transposed matrix; beside factors; factors alone. */
#define WITHOUT_PRODUCTS(threads, ...)                                                                                 \
    AMP_TILED_ON(where, AMP_EXTENT(4 * threads), (threads), tile, AMP_CAPTURE(a, c), {                                 \
        AMP_TILE_MATRIX(tile, int, sum, 64, 64);                                                                       \
        __VA_ARGS__                                                                                                    \
        const int top = tile.tile.v[0] / 2 * 64, left = tile.tile.v[0] % 2 * 64;                                       \
        AMP_TILE_EACH(tile, sum, (x, row, column), {                                                                   \
            if (left + column < a.extent.v[0] && top + row < a.extent.v[1])                                            \
                x += AMP_AT(a, left + column, top + row);                                                              \
        });                                                                                                            \
        AMP_TILE_STORE(tile, sum, c, top, left);                                                                       \
    });                                                                                                                \
    assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);                                                          \
    for (int i = 0; i < HIGH * WIDE; i++) {                                                                            \
        assert_int_equal(to[i], i % WIDE * HIGH + i / WIDE);                                                           \
        to[i] = -1;                                                                                                    \
    }                                                                                                                  \
    amp_array_view_refresh(&c);
#pragma GCC diagnostic push /* a block that nobody loads is an unused variable */
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-local-typedefs"
static void without_products(amp_accelerator_view where)
{
    enum { HIGH = 70, WIDE = 90 };
    int from[WIDE * HIGH], to[HIGH * WIDE] = { 0 };
    for (int i = 0; i < WIDE * HIGH; i++)
        from[i] = i;
    AMP_CONST_ARRAY_VIEW(int, 2, a, from, WIDE, HIGH);
    AMP_ARRAY_VIEW(int, 2, c, to, HIGH, WIDE);
    WITHOUT_PRODUCTS(32, )
    WITHOUT_PRODUCTS(128, )
    WITHOUT_PRODUCTS(64, AMP_TILE_LEFT(int8, one, 64, 32); AMP_TILE_RIGHT_TRANSPOSED(tf32, two, 32, 64);)
    AMP_TILED_ON(where, AMP_EXTENT(64), (64), tile, AMP_CAPTURE(c), {
        AMP_TILE_RIGHT(half, alone, 32, 64);
        AMP_THREADS(tile, th) { AMP_AT(c, th.local.v[0], 0) = th.local.v[0]; }
    });
    assert_int_equal(amp_array_view_synchronize(&c), AMP_OK);
    for (int i = 0; i < 64; i++)
        assert_int_equal(to[i * WIDE], i);
}
#pragma GCC diagnostic pop

/* Small and empty ones, and what is refused. */
static void edges(amp_accelerator_view where)
{
    make_data(7);
    AMP_CONST_ARRAY_VIEW(float, 2, a, m.left, 3, 5);
    AMP_CONST_ARRAY_VIEW(float, 2, b, m.right, 5, 1);
    AMP_CONST_ARRAY_VIEW(float, 2, none, m.right, 5, 0);
    AMP_CONST_ARRAY_VIEW(float, 2, no_left, m.left, 3, 0);
    AMP_CONST_ARRAY_VIEW(float, 2, no_right, m.right, 0, 1);
    AMP_ARRAY_VIEW(float, 2, c, m.sums, 3, 1);
    AMP_ARRAY_VIEW(float, 2, empty, m.sums, 3, 0);
    AMP_MULTIPLY_ON(where, float, c, a, b);
    for (int i = 0; i < 3; i++) {
        float sum = 0;
        for (int k = 0; k < 5; k++)
            sum += m.left[i * 5 + k] * m.right[k];
        assert_float_equal(AMP_AT(c, i, 0), sum, 0);
    }
    AMP_MULTIPLY_ON(where, float, c, no_left, no_right); /* sums of nothing */
    assert_float_equal(AMP_AT(c, 2, 0), 0, 0);
    AMP_MULTIPLY_ON(where, float, empty, a, none);
    AMP_MULTIPLY_ON(where, float, c, AMP_TRANSPOSED(a), b);
    expect_error(AMP_INVALID_ARGUMENT, "AMP_MULTIPLY: a has 5 x 3 elements, b 5 x 1, and c 3 x 1");
    const amp_const_array_view_float_2 first = amp_section(a, 0, 0, 1, 1);
    AMP_MULTIPLY_ON(where, float, c, c, first);
    expect_error(AMP_INVALID_ARGUMENT, NULL);
}

/* Rows of matrices: of both factors, and of one. */
static void batches(amp_accelerator_view where)
{
    enum { COUNT = 3, HIGH = 20, DEEP = 30, WIDE = 40 };
    make_data(7);
    AMP_CONST_ARRAY_VIEW(float, 3, a, m.left, COUNT, HIGH, DEEP);
    AMP_CONST_ARRAY_VIEW(float, 3, b, m.right, COUNT, WIDE, DEEP);
    AMP_CONST_ARRAY_VIEW(float, 2, one, m.right, DEEP, WIDE);
    AMP_ARRAY_VIEW(float, 3, c, m.sums, COUNT, HIGH, WIDE);
    for (int with_one = 0; with_one < 2; with_one++) {
        if (with_one)
            AMP_MULTIPLY_ADD_ON(where, float, c, 2, a, one, 1);
        else
            AMP_MULTIPLY_ON(where, float, c, a, AMP_TRANSPOSED(b));
        for (int n = 0; n < COUNT; n++)
            for (int i = 0; i < HIGH; i++)
                for (int j = 0; j < WIDE; j++) {
                    float sum[2] = { 0, 0 };
                    for (int k = 0; k < DEEP; k++) {
                        const float left = m.left[(n * HIGH + i) * DEEP + k];
                        sum[0] += left * m.right[(n * WIDE + j) * DEEP + k];
                        sum[1] += left * m.right[k * WIDE + j];
                    }
                    const float wanted = with_one > 0 ? 2 * sum[1] + sum[0] : sum[0], result = AMP_AT(c, n, i, j);
                    assert_float_equal(result, wanted, 0);
                }
    }
    const amp_const_array_view_float_3 fewer = amp_section(b, 0, 0, 0, 2, WIDE, DEEP);
    AMP_MULTIPLY_ON(where, float, c, a, fewer);
    expect_error(AMP_INVALID_ARGUMENT, "AMP_MULTIPLY: a has 20 x 30 elements, b 40 x 30, and c 20 x 40");
    AMP_MULTIPLY_ON(where, float, c, a, AMP_TRANSPOSED(fewer));
    expect_error(AMP_INVALID_ARGUMENT, "AMP_MULTIPLY: a has 3 matrices, b 2, and c 3");
}

/* y = a x of each kind. */
#define VECTOR_TEST(name, kind, T, a_of, x_of, S, number)                                                              \
    static void name(amp_accelerator_view where)                                                                       \
    {                                                                                                                  \
        make_data(7);                                                                                                  \
        AMP_CONST_ARRAY_VIEW(T, 2, matrix, a_of, ROWS, DEPTH);                                                         \
        AMP_CONST_ARRAY_VIEW(T, 1, x, x_of, DEPTH);                                                                    \
        AMP_CONST_ARRAY_VIEW(T, 1, longer, x_of, ROWS);                                                                \
        AMP_ARRAY_VIEW_NO_SOURCE(S, 1, y, ROWS);                                                                       \
        AMP_ARRAY_VIEW_NO_SOURCE(S, 1, shorter, DEPTH);                                                                \
        AMP_MULTIPLY_VECTOR_ON(where, kind, y, matrix, x);                                                             \
        AMP_MULTIPLY_VECTOR_ON(where, kind, shorter, AMP_TRANSPOSED(matrix), longer);                                  \
        for (int is_turned = 0; is_turned < 2; is_turned++)                                                            \
            for (int i = 0; i < (is_turned ? DEPTH : ROWS); i++) {                                                     \
                double sum = 0;                                                                                        \
                for (int k = 0; k < (is_turned ? ROWS : DEPTH); k++)                                                   \
                    sum += number(a_of[at(is_turned, DEPTH, i, k)]) * number(x_of[k]);                                 \
                const double result = is_turned ? DOUBLE(AMP_AT(shorter, i)) : DOUBLE(AMP_AT(y, i));                   \
                if (result < sum || result > sum)                                                                      \
                    fail_msg("%s on %s: %d is %g, not %g", #name, test_where, i, result, sum);                         \
            }                                                                                                          \
        AMP_MULTIPLY_ADD_VECTOR_ON(where, kind, y, 2, matrix, x, 3);                                                   \
        AMP_MULTIPLY_ADD_VECTOR_ON(where, kind, shorter, -1, AMP_TRANSPOSED(matrix), longer, 3);                       \
        for (int i = 0; i < ROWS; i++) {                                                                               \
            double sum = 0;                                                                                            \
            for (int k = 0; k < DEPTH; k++)                                                                            \
                sum += number(a_of[i * DEPTH + k]) * number(x_of[k]);                                                  \
            const double result = DOUBLE(AMP_AT(y, i)), wanted = 5 * sum;                                              \
            if (result < wanted || result > wanted)                                                                    \
                fail_msg("%s on %s: 2 a x + 3 y of %d is %g, not %g", #name, test_where, i, result, wanted);           \
        }                                                                                                              \
        for (int j = 0; j < DEPTH; j++) {                                                                              \
            double sum = 0;                                                                                            \
            for (int k = 0; k < ROWS; k++)                                                                             \
                sum += number(a_of[k * DEPTH + j]) * number(x_of[k]);                                                  \
            const double result = DOUBLE(AMP_AT(shorter, j)), wanted = 2 * sum;                                        \
            if (result < wanted || result > wanted)                                                                    \
                fail_msg("%s on %s: 3 y - a x of %d is %g, not %g", #name, test_where, j, result, wanted);             \
        }                                                                                                              \
        AMP_MULTIPLY_VECTOR_ON(where, kind, y, AMP_TRANSPOSED(matrix), x);                                             \
        expect_error(AMP_INVALID_ARGUMENT, "AMP_MULTIPLY_VECTOR: a has 91 x 150 elements, x 91, and y 150");           \
    }
VECTOR_TEST(vector_of_float, float, float, m.left, m.right, float, DOUBLE)
VECTOR_TEST(vector_of_tf32, tf32, float, m.left, m.right, float, DOUBLE)
VECTOR_TEST(vector_of_half, half, amp_half, m.left_half, m.right_half, float, OF_HALF)
VECTOR_TEST(vector_of_floats_as_half, half, float, m.left, m.right, float, DOUBLE)
VECTOR_TEST(vector_of_bfloat16, bfloat16, amp_bfloat16, m.left_bfloat16, m.right_bfloat16, float, OF_BFLOAT16)
VECTOR_TEST(vector_of_int8, int8, int8_t, m.left_int8, m.right_int8, int, DOUBLE)
VECTOR_TEST(vector_of_double, double, double, m.left_double, m.right_double, double, DOUBLE)

/* The same bits as a loop over the depth in a kernel of the same target. */
#define SAME_BITS_TEST(name, kind, left_of, right_of, sums_of)                                                         \
    static void name(amp_accelerator_view where)                                                                       \
    {                                                                                                                  \
        for (int i = 0; i < MOST * MOST; i++) {                                                                        \
            left_of[i] = (kind)test_random_double(-1, 1);                                                              \
            right_of[i] = (kind)test_random_double(-1, 1);                                                             \
        }                                                                                                              \
        AMP_CONST_ARRAY_VIEW(kind, 2, a, left_of, ROWS, DEPTH);                                                        \
        AMP_CONST_ARRAY_VIEW(kind, 2, b, right_of, DEPTH, COLUMNS);                                                    \
        AMP_ARRAY_VIEW(kind, 2, c, sums_of, ROWS, COLUMNS);                                                            \
        AMP_ARRAY_VIEW_NO_SOURCE(kind, 2, wanted, ROWS, COLUMNS);                                                      \
        AMP_MULTIPLY_ON(where, kind, c, a, b);                                                                         \
        AMP_PARALLEL_FOR_EACH_ON(where, wanted.extent, (i, j), AMP_CAPTURE(a, b, wanted), {                            \
            kind sum = 0;                                                                                              \
            for (int k = 0; k < a.extent.v[1]; k++)                                                                    \
                sum += AMP_AT(a, i, k) * AMP_AT(b, k, j);                                                              \
            AMP_AT(wanted, i, j) = sum;                                                                                \
        });                                                                                                            \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            for (int j = 0; j < COLUMNS; j++)                                                                          \
                if (memcmp(&AMP_AT(c, i, j), &AMP_AT(wanted, i, j), sizeof(kind)) != 0)                                \
                    fail_msg("%s on %s: (%d, %d) is %a, and %a by a loop", #name, test_where, i, j,                    \
                             DOUBLE(AMP_AT(c, i, j)), DOUBLE(AMP_AT(wanted, i, j)));                                   \
    }
SAME_BITS_TEST(same_bits, float, m.left, m.right, m.sums)
SAME_BITS_TEST(same_bits_of_double, double, m.left_double, m.right_double, m.sums_double)

/* Rows of each length, at places of whole vectors and others: the same bits as on the CPU backend. */
static void vectors_of_lengths(amp_accelerator_view where)
{
    for (int i = 0; i < MOST * MOST; i++) {
        m.left[i] = (float)test_random_double(-1, 1);
        m.right[i] = (float)test_random_double(-1, 1);
    }
    amp_accelerator first_accelerator; /* the CPU backend */
    amp_accelerator_get_all(&first_accelerator, 1);
    const amp_accelerator_view cpu = amp_accelerator_default_view(first_accelerator);
    for (int n = 1; n < 1200; n = n < 8 ? n + 1 : n * 3 / 2 + 1)
        for (int first = 0; first < 2; first++) {
            AMP_CONST_ARRAY_VIEW(float, 2, a, m.left, 20, n);
            AMP_CONST_ARRAY_VIEW(float, 1, x, m.right + first, n);
            AMP_ARRAY_VIEW_NO_SOURCE(float, 1, y, 20);
            AMP_ARRAY_VIEW_NO_SOURCE(float, 1, wanted, 20);
            AMP_MULTIPLY_VECTOR_ON(where, float, y, a, x);
            AMP_MULTIPLY_VECTOR_ON(cpu, float, wanted, a, x);
            for (int i = 0; i < 20; i++)
                if (memcmp(&AMP_AT(y, i), &AMP_AT(wanted, i), sizeof(float)) != 0)
                    fail_msg("%d elements on %s: %a, and %a on the CPU", n, test_where, (double)AMP_AT(y, i),
                             (double)AMP_AT(wanted, i));
        }
}

/* Large tiles, whose factors are packed: rows of the depth, rounded. */
static void large(amp_accelerator_view where)
{
    test_set_multiply_many(1);
    large_of_tf32(where);
    large_of_floats_as_half(where);
    large_of_int8(where);
    large_of_float(where);
    test_set_multiply_many(0);
}

/* As on a GPU, also on a CPU that OpenCL has: by tiles of many threads, whose factors are not packed. */
static void by_tiles(amp_accelerator_view where)
{
    test_set_multiply_many(INT_MAX);
    of_float_turned(where);
    of_half(where);
    of_int8_turned(where);
    in_bounds(where);
    edges(where);
    vector_of_half(where);
    vector_of_int8(where);
    vectors_of_lengths(where);
    same_bits(where);
    test_set_multiply_many(0);
}

#define MATRIX_TEST(name)                                                                                              \
    static void products_##name(void **state)                                                                          \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        FOR_EACH_ACCELERATOR(where) name(where);                                                                       \
    }
#define MATRIX_TESTS(X)                                                                                                \
    X(of_float) X(of_float_turned) X(of_tf32) X(of_tf32_turned) X(of_half) X(of_half_turned) X(of_floats_as_half)      \
    X(of_bfloat16) X(of_floats_as_bfloat16) X(of_int8) X(of_int8_turned) X(in_bounds) X(in_tiles)                      \
    X(in_one_statement) X(kinds_together) X(whole_tiles) X(without_products) X(edges)                                  \
    X(batches) X(vector_of_float) X(vector_of_tf32) X(vector_of_half) X(vector_of_floats_as_half)                      \
    X(vector_of_bfloat16) X(vector_of_int8) X(vectors_of_lengths) X(large) X(by_tiles)                                 \
    X(same_bits)
MATRIX_TESTS(MATRIX_TEST)

static void products_of_double_numbers(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        if (!amp_accelerator_supports_double_precision(amp_accelerator_view_accelerator(where)))
            continue;
        of_double(where);
        of_double_turned(where);
        whole_tiles_of_double(where);
        vector_of_double(where);
        same_bits_of_double(where);
    }
}

int run_matrix_multiply(void)
{
#define MATRIX_ENTRY(name) TEST(products_##name),
    const struct CMUnitTest tests[] = { MATRIX_TESTS(MATRIX_ENTRY) TEST(products_of_double_numbers) };
    return cmocka_run_group_tests_name("matrix/multiply", tests, NULL, NULL);
}
