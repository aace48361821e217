// SPDX-License-Identifier: MIT
/*  same_bits.c - does a compiler fuse the products that algorithms add? Each algorithm runs twice: with an expression
    that multiplies, and with what that expression has in memory, rounded. The bits must be the same.
    tests/same_bits.sh compiles it with several compilers and options. */
#include <stdio.h>
#include <string.h>

#include "amp_algorithms.h"

enum { TALL = 96, WIDE = 320, SIZE = TALL * WIDE };

AMP_STRUCT(pair, { float first, second; });
AMP_DEFINE_ELEMENT(pair)

static float x[SIZE], y[SIZE], product[SIZE], one[SIZE], other[SIZE];
static double xd[SIZE], yd[SIZE], product_d[SIZE];
static pair pairs[2];
static int failed, passed;

static void compare(const char *what, int elements, const void *a, const void *b, size_t size)
{
    const int differ = memcmp(a, b, size) != 0;
    failed += differ, passed += !differ;
    if (differ)
        printf("FAILED  %s of %d elements\n", what, elements);
}

static float random_number(void)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(int)(state >> 8) / 16777216.0f * 500 - 250;
}

static void make_data(void)
{
    for (int i = 0; i < SIZE; i++) {
        x[i] = random_number(), y[i] = random_number();
        xd[i] = (double)x[i] / 3, yd[i] = (double)y[i] / 7;
        volatile float single = x[i] * y[i];
        volatile double twice = xd[i] * yd[i];
        product[i] = single, product_d[i] = twice;
    }
}

/* Both with the value of `i` or (i, j) by a product, then from memory. */
#define BOTH(algorithm, T, extent, names, u, v, p, at, ...)                                                            \
    do {                                                                                                               \
        memset(one, 0, sizeof one), memset(other, 0, sizeof other);                                                    \
        algorithm(T, out_one, extent, names, AMP_CAPTURE(u, v),                                                        \
                  AMP_AT(u, AMP_PRIV_UNWRAP at) * AMP_AT(v, AMP_PRIV_UNWRAP at), __VA_ARGS__);                         \
        algorithm(T, out_other, extent, names, AMP_CAPTURE(p), AMP_AT(p, AMP_PRIV_UNWRAP at), __VA_ARGS__);            \
        compare(#algorithm, elements, one, other, sizeof one);                                                         \
    } while (0)

static void lines(int elements)
{
    AMP_CONST_ARRAY_VIEW(float, 1, u, x, elements);
    AMP_CONST_ARRAY_VIEW(float, 1, v, y, elements);
    AMP_CONST_ARRAY_VIEW(float, 1, p, product, elements);
    AMP_CONST_ARRAY_VIEW(double, 1, ud, xd, elements);
    AMP_CONST_ARRAY_VIEW(double, 1, vd, yd, elements);
    AMP_CONST_ARRAY_VIEW(double, 1, pd, product_d, elements);
    AMP_ARRAY_VIEW(float, 1, out_one, one, elements);
    AMP_ARRAY_VIEW(float, 1, out_other, other, elements);
    BOTH(AMP_REDUCE, float, u.extent, (i), u, v, p, (i), a + b, 0);
    BOTH(AMP_REDUCE, float, u.extent, (i), u, v, p, (i), a - -b, 0);
    BOTH(AMP_INCLUSIVE_SCAN, float, u.extent, (i), u, v, p, (i), a + b, 0);
    BOTH(AMP_EXCLUSIVE_SCAN, float, u.extent, (i), u, v, p, (i), a + b, 0);
    const float inner = amp_inner_product(u, v), sum = amp_sum(p);
    compare("amp_inner_product", elements, &inner, &sum, sizeof sum);
    const double inner_d = amp_inner_product(ud, vd), sum_d = amp_sum(pd);
    compare("amp_inner_product of double", elements, &inner_d, &sum_d, sizeof sum_d);
    AMP_REDUCE(pair, pairs[0], u.extent, (i), AMP_CAPTURE(u, v),
               ((pair){ AMP_AT(u, i) * AMP_AT(v, i), AMP_AT(u, i) * 3.1f }),
               ((pair){ a.first + b.first, a.second + b.second }), { 0, 0 });
    AMP_REDUCE(float, pairs[1].first, u.extent, (i), AMP_CAPTURE(p), AMP_AT(p, i), a + b, 0);
    compare("AMP_REDUCE of a struct", elements, &pairs[0].first, &pairs[1].first, sizeof(float));
}

static void tables(int tall, int wide)
{
    const int elements = tall * wide;
    AMP_CONST_ARRAY_VIEW(float, 2, u, x, tall, wide);
    AMP_CONST_ARRAY_VIEW(float, 2, v, y, tall, wide);
    AMP_CONST_ARRAY_VIEW(float, 2, p, product, tall, wide);
    {
        AMP_ARRAY_VIEW(float, 1, out_one, one, 1);
        AMP_ARRAY_VIEW(float, 1, out_other, other, 1);
        BOTH(AMP_REDUCE, float, u.extent, (i, j), u, v, p, (i, j), a + b, 0);
    }
    {
        AMP_ARRAY_VIEW(float, 1, out_one, one, tall);
        AMP_ARRAY_VIEW(float, 1, out_other, other, tall);
        BOTH(AMP_REDUCE_ROWS, float, u.extent, (i, j), u, v, p, (i, j), a + b, 0);
    }
    {
        AMP_ARRAY_VIEW(float, 1, out_one, one, wide);
        AMP_ARRAY_VIEW(float, 1, out_other, other, wide);
        BOTH(AMP_REDUCE_COLUMNS, float, u.extent, (i, j), u, v, p, (i, j), a + b, 0);
    }
    AMP_ARRAY_VIEW(float, 2, out_one, one, tall, wide);
    AMP_ARRAY_VIEW(float, 2, out_other, other, tall, wide);
    BOTH(AMP_INCLUSIVE_SCAN_ROWS, float, u.extent, (i, j), u, v, p, (i, j), a + b, 0);
    BOTH(AMP_EXCLUSIVE_SCAN_ROWS, float, u.extent, (i, j), u, v, p, (i, j), a + b, 0);
}

int main(void)
{
    make_data();
    static const int sizes[] = { 3, 200, 1000, 4095, 4096, 4097, 12288, SIZE };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        lines(sizes[i]);
    tables(TALL, WIDE), tables(WIDE, TALL), tables(7, 513), tables(512, 16);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
