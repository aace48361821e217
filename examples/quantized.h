// SPDX-License-Identifier: MIT
/*  Matrices of float, half, bfloat16 or 8-bit numbers, times vectors, for 19_language_model.

    Results have the same bits on every accelerator: all sums have a fixed order, products are added by fmaf, and
    roots, quotients and exponentials consist of such steps. */
#ifndef QUANTIZED_H
#define QUANTIZED_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "amp_algorithms.h"
#include "amp_matrix.h"
#include "amp/algorithms/subgroup.h"

AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_bfloat16)

enum { LANES = 32, TS = 128, GROUP = 32 };
typedef enum { FLOAT, HALF, BFLOAT16, INT8 } format;
static const char *const format_names[] = { "float", "half", "bfloat16", "int8" };
static const double format_bytes[] = { 4, 2, 2, 1 + 4.0 / GROUP };

/* Of the arrays, the format's is there. INT8: each group of a row has a scale. */
typedef struct {
    format type;
    int rows, columns;
    amp_array_float_2 floats, scales;
    amp_array_amp_half_2 halves;
    amp_array_amp_bfloat16_2 bfloats;
    amp_array_int8_t_2 bytes;
} matrix;

/* ---- arithmetic with the same bits everywhere ------------------------------------------------------------------- */

AMP_FUNCTION(float, reciprocal, (float a), { /* of a > 0 */
    float y = AMP_BITS(float, 0x7ef311c7u - AMP_BITS(uint32_t, a));
    for (int i = 0; i < 4; i++) y = fmaf(y, fmaf(-a, y, 1.0f), y);
    return y;
})
AMP_FUNCTION(float, reciprocal_root, (float a), {
    float y = AMP_BITS(float, 0x5f375a86u - (AMP_BITS(uint32_t, a) >> 1));
    for (int i = 0; i < 4; i++) y = fmaf(0.5f * y, fmaf(-a * y, y, 1.0f), y);
    return y;
})
AMP_FUNCTION(float, exponential, (float x), {
    const float n = rintf(amp_clamp(x, -87.0f, 88.0f) * 1.44269504f);
    const float r = fmaf(n, 1.42860677e-6f, fmaf(n, -0.693145752f, amp_clamp(x, -87.0f, 88.0f)));
    float y = fmaf(r, fmaf(r, fmaf(r, 1.3888889e-3f, 8.3333333e-3f), 4.1666667e-2f), 0.16666667f);
    y = fmaf(r, fmaf(r, fmaf(r, y, 0.5f), 1.0f), 1.0f);
    return y * AMP_BITS(float, (uint32_t)((int)n + 127) << 23);
})
/* ---- a matrix times vectors ------------------------------------------------------------------------------------- */

/* The value of weight i of a row, and s plus the products of unit i: one weight, or a group of 8-bit ones, whose sum is
   exact. scales, xs: of groups. */
#define FLOATS(NAME, T, VALUE, OF)                                                                                     \
    AMP_FUNCTION(float, NAME##_value, (AMP_ELEMENT_POINTER(const T) w, AMP_ELEMENT_POINTER(const float) scales, int i),\
                 { (void)scales; return VALUE(w[i]); })                                                                \
    AMP_FUNCTION(float, NAME##_add, (AMP_ELEMENT_POINTER(const T) w, AMP_ELEMENT_POINTER(const float) scales,          \
                                     AMP_ELEMENT_POINTER(const float) x, AMP_ELEMENT_POINTER(const float) xs, int i,   \
                                     float s), { (void)scales; (void)xs; return fmaf(VALUE(w[i]), x[i], s); })         \
    AMP_FUNCTION(float, NAME##_product, (AMP_ELEMENT_POINTER(const T) w, AMP_ELEMENT_POINTER(const float) scales,      \
                                         AMP_ELEMENT_POINTER(const float) x, AMP_ELEMENT_POINTER(const float) xs,      \
                                         int units), {                                                                 \
        float s[32];                                                                                                   \
        int k = 0;                                                                                                     \
        for (int l = 0; l < 32; l++) s[l] = 0;                                                                         \
        for (; k + 32 <= units; k += 32)                                                                               \
            for (int l = 0; l < 32; l++) s[l] = NAME##_add(w, scales, x, xs, k + l, s[l]);                             \
        for (int l = 0; k + l < units; l++) s[l] = NAME##_add(w, scales, x, xs, k + l, s[l]);                          \
        for (int h = 16; h > 0; h /= 2)                                                                                \
            for (int l = 0; l < h; l++) s[l] += s[l + h];                                                              \
        return s[0];                                                                                                   \
    })                                                                                                                 \
    static inline void NAME##_store(amp_array_float_2 from, amp_array_##T##_2 w, int first, int rows)                  \
    {                                                                                                                  \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows, w.extent.v[1]), (row, i), AMP_CAPTURE(from, w, first),                  \
                              { AMP_AT(w, first + row, i) = OF(AMP_AT(from, row, i)); });                              \
    }
#define ITSELF(x) (x)
FLOATS(float, float, ITSELF, ITSELF)
FLOATS(half, amp_half, amp_float_from_half, amp_float_to_half)
FLOATS(bfloat16, amp_bfloat16, amp_float_from_bfloat16, amp_float_to_bfloat16)
AMP_FUNCTION(float, int8_value, (AMP_ELEMENT_POINTER(const int8_t) w, AMP_ELEMENT_POINTER(const float) scales, int i),
             { return (float)w[i] * scales[i / 32]; })
AMP_FUNCTION(float, int8_add, (AMP_ELEMENT_POINTER(const int8_t) w, AMP_ELEMENT_POINTER(const float) scales,
                               AMP_ELEMENT_POINTER(const int8_t) x, AMP_ELEMENT_POINTER(const float) xs, int i,
                               float s), {
    int sum = 0;
    for (int j = 0; j < 32; j++) sum += (int)w[32 * i + j] * (int)x[32 * i + j];
    return fmaf((float)sum, scales[i] * xs[i], s);
})
AMP_FUNCTION(float, int8_product, (AMP_ELEMENT_POINTER(const int8_t) w, AMP_ELEMENT_POINTER(const float) scales,
                                   AMP_ELEMENT_POINTER(const int8_t) x, AMP_ELEMENT_POINTER(const float) xs,
                                   int units), {
    float s[32];
    for (int l = 0; l < 32; l++) s[l] = 0;
    for (int i = 0; i < units; i++) s[i % 32] = int8_add(w, scales, x, xs, i, s[i % 32]);
    for (int h = 16; h > 0; h /= 2)
        for (int l = 0; l < h; l++) s[l] += s[l + h];
    return s[0];
})
static inline void int8_store(amp_array_float_2 from, amp_array_int8_t_2 w, amp_array_float_2 scales, int first,
                              int rows)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows, w.extent.v[1] / GROUP), (row, group),
                          AMP_CAPTURE(from, w, scales, first, AMP_CONSTANT(GROUP)), {
        float most = 1e-20f;
        for (int i = 0; i < GROUP; i++) most = fmaxf(most, fabsf(AMP_AT(from, row, group * GROUP + i)));
        const float over = 127.0f * reciprocal(most);
        AMP_AT(scales, first + row, group) = most * (1.0f / 127);
        for (int i = 0; i < GROUP; i++)
            AMP_AT(w, first + row, group * GROUP + i) = (int8_t)rintf(AMP_AT(from, row, group * GROUP + i) * over);
    });
}

/* y(b, row) = weights' row times x(b), or that added to it. Sum l of a row has the units l, l + 32, ...; a thread of
   the CPU adds all 32 up, in vectors; on a GPU each is a thread of a sub-group. */
#define KERNELS(NAME, T, X, UNIT)                                                                                      \
    static inline void NAME##_multiply(bool on_cpu, amp_array_##T##_2 w, amp_array_float_2 scales, int first, int rows,\
                                amp_array_##X##_2 x, amp_array_float_2 xs, amp_array_view_float_2 y, int count,        \
                                bool adds)                                                                             \
    {                                                                                                                  \
        const int units = w.extent.v[1] / UNIT;                                                                        \
        if (on_cpu) {                                                                                                  \
            AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows * count), (i),                                                       \
                                  AMP_CAPTURE(w, scales, first, x, xs, y, count, units, adds), {                       \
                const int row = i / count;                                                                             \
                const int b = i % count;                                                                               \
                const float s = NAME##_product(&AMP_AT(w, first + row, 0), &AMP_AT(scales, first + row, 0),            \
                                               &AMP_AT(x, b, 0), &AMP_AT(xs, b, 0), units);                            \
                const float before = AMP_AT(y, b, row);                                                                \
                AMP_AT(y, b, row) = s + (adds ? before : 0.0f); /* clang would make two loops of a condition */        \
            });                                                                                                        \
            return;                                                                                                    \
        }                                                                                                              \
        const amp_tiled_extent1 threads =                                                                              \
            amp_tiled_extent1_pad(amp_extent1_tile(AMP_EXTENT(rows * count * LANES), TS));                             \
        AMP_TILED(threads, (TS), tile, AMP_CAPTURE(w, scales, first, rows, x, xs, y, count, units, adds,               \
                                                   AMP_CONSTANT(TS), AMP_CONSTANT(LANES)), {                           \
            AMP_PRIVATE(float, sum);                                                                                   \
            AMP_THREADS(tile, t) {                                                                                     \
                const int i = t.global.v[0] / LANES;                                                                   \
                const int row = first + (i / count < rows ? i / count : 0);                                            \
                float s = 0;                                                                                           \
                for (int k = t.local.v[0] % LANES; k < units; k += LANES)                                              \
                    s = NAME##_add(&AMP_AT(w, row, 0), &AMP_AT(scales, row, 0), &AMP_AT(x, i % count, 0),              \
                                   &AMP_AT(xs, i % count, 0), k, s);                                                   \
                AMP_OWN(sum) = s;                                                                                      \
            }                                                                                                          \
            AMP_SUBGROUP_SUM(tile, float, sum, LANES);                                                                 \
            AMP_THREADS(tile, t) {                                                                                     \
                const int i = t.global.v[0] / LANES;                                                                   \
                const int b = i % count;                                                                               \
                if (t.local.v[0] % LANES || i / count >= rows) continue;                                               \
                AMP_AT(y, b, i / count) = AMP_OWN(sum) + (adds ? AMP_AT(y, b, i / count) : 0.0f);                      \
            }                                                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    /* x(b) = the row of token b. */                                                                                   \
    static inline void NAME##_embed(amp_array_##T##_2 w, amp_array_float_2 scales, amp_array_view_int_1 tokens,        \
                             amp_array_float_2 x, int count)                                                           \
    {                                                                                                                  \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, x.extent.v[1]), (b, i), AMP_CAPTURE(w, scales, tokens, x), {           \
            const int token = AMP_AT(tokens, b);                                                                       \
            AMP_AT(x, b, i) = NAME##_value(&AMP_AT(w, token, 0), &AMP_AT(scales, token, 0), i);                        \
        });                                                                                                            \
    }
KERNELS(float, float, float, 1)
KERNELS(half, amp_half, float, 1)
KERNELS(bfloat16, amp_bfloat16, float, 1)
KERNELS(int8, int8_t, int8_t, GROUP)

/* Each x(b) divided by the root of its mean square, times a row of weights. */
static inline void normalize(amp_array_float_2 x, matrix weight, int layer, amp_array_float_2 out, int count)
{
    const int dim = x.extent.v[1];
    const amp_array_float_2 w = weight.floats;
    AMP_TILED(AMP_EXTENT(count * TS), (TS), tile, AMP_CAPTURE(x, w, layer, out, dim, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, part, [TS]);
        AMP_PRIVATE(float, sum);
        const int b = tile.tile.v[0];
        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }
        for (int k = 0; k < dim; k += TS)
            AMP_THREADS(tile, t) {
                const float a = k + t.local.v[0] < dim ? AMP_AT(x, b, k + t.local.v[0]) : 0.0f;
                AMP_OWN(sum) = fmaf(a, a, AMP_OWN(sum));
            }
        AMP_THREADS(tile, t) { part[t.local.v[0]] = AMP_OWN(sum); }
        AMP_TILE_SUM(tile, float, part, TS);
        const float scale = reciprocal_root(fmaf(part[0], reciprocal((float)dim), 1e-5f));
        for (int k = 0; k < dim; k += TS)
            AMP_THREADS(tile, t) {
                const int i = k + t.local.v[0];
                if (i < dim) AMP_AT(out, b, i) = AMP_AT(w, layer, i) * (scale * AMP_AT(x, b, i));
            }
    });
}

/* ---- whole matrices --------------------------------------------------------------------------------------------- */

static inline matrix matrix_create(format type, int rows, int columns)
{
    matrix m = { .type = type, .rows = rows, .columns = columns };
    const amp_extent2 extent = AMP_EXTENT(rows, columns);
    m.scales = amp_array_float_2_create(AMP_EXTENT(rows, type == INT8 ? columns / GROUP : 1));
    if (type == FLOAT)
        m.floats = amp_array_float_2_create(extent);
    else if (type == HALF)
        m.halves = amp_array_amp_half_2_create(extent);
    else if (type == BFLOAT16)
        m.bfloats = amp_array_amp_bfloat16_2_create(extent);
    else
        m.bytes = amp_array_int8_t_2_create(extent);
    return m;
}

static inline void matrix_release(matrix *m)
{
    if (amp_array_valid(m->scales))
        amp_array_release(&m->scales);
    if (amp_array_valid(m->floats))
        amp_array_release(&m->floats);
    if (amp_array_valid(m->halves))
        amp_array_release(&m->halves);
    if (amp_array_valid(m->bfloats))
        amp_array_release(&m->bfloats);
    if (amp_array_valid(m->bytes))
        amp_array_release(&m->bytes);
}

/* Rows from `first` on become those of floats. */
static inline void matrix_store(matrix m, amp_array_float_2 from, int first, int rows)
{
    switch (m.type) {
    case FLOAT: float_store(from, m.floats, first, rows); break;
    case HALF: half_store(from, m.halves, first, rows); break;
    case BFLOAT16: bfloat16_store(from, m.bfloats, first, rows); break;
    case INT8: int8_store(from, m.bytes, m.scales, first, rows);
    }
}

/* x(b) = row tokens(b). */
static inline void matrix_embed(matrix m, amp_array_view_int_1 tokens, amp_array_float_2 x, int count)
{
    switch (m.type) {
    case FLOAT: float_embed(m.floats, m.scales, tokens, x, count); break;
    case HALF: half_embed(m.halves, m.scales, tokens, x, count); break;
    case BFLOAT16: bfloat16_embed(m.bfloats, m.scales, tokens, x, count); break;
    case INT8: int8_embed(m.bytes, m.scales, tokens, x, count);
    }
}

/* y(b, row) = row `first + row` times x(b), for `rows` rows and `count` vectors; or that added to it. 8-bit weights are
   multiplied with `rounded`, an INT8 matrix of x. */
static inline void matrix_multiply(matrix m, int first, int rows, amp_array_float_2 x, matrix rounded,
                                   amp_array_view_float_2 y, int count, bool adds)
{
    const bool cpu = strcmp(amp_accelerator_path(amp_accelerator_default()), "cpu") == 0;
    switch (m.type) {
    case FLOAT: float_multiply(cpu, m.floats, m.scales, first, rows, x, x, y, count, adds); break;
    case HALF: half_multiply(cpu, m.halves, m.scales, first, rows, x, x, y, count, adds); break;
    case BFLOAT16: bfloat16_multiply(cpu, m.bfloats, m.scales, first, rows, x, x, y, count, adds); break;
    case INT8: int8_multiply(cpu, m.bytes, m.scales, first, rows, rounded.bytes, rounded.scales, y, count, adds);
    }
}

/* The same for many vectors, by AMP_MULTIPLY, whose sums have another order. */
static inline void matrix_multiply_blocks(matrix m, int first, int rows, amp_array_float_2 x, matrix rounded,
                                          amp_array_view_float_2 y, int count, bool adds)
{
    if (m.type == INT8) {
        matrix_multiply(m, first, rows, x, rounded, y, count, adds);
        return;
    }
    const amp_array_view_float_2 c = amp_section(y, 0, 0, count, rows);
    const amp_array_view_float_2 a = amp_section(amp_view_of(x), 0, 0, count, m.columns);
    const float beta = adds;
    if (m.type == FLOAT) {
        const amp_array_view_float_2 b = amp_section(amp_view_of(m.floats), first, 0, rows, m.columns);
        AMP_MULTIPLY_ADD(float, c, 1, a, AMP_TRANSPOSED(b), beta);
    } else if (m.type == HALF) {
        const amp_array_view_amp_half_2 b = amp_section(amp_view_of(m.halves), first, 0, rows, m.columns);
        AMP_MULTIPLY_ADD(half, c, 1, a, AMP_TRANSPOSED(b), beta);
    } else {
        const amp_array_view_amp_bfloat16_2 b = amp_section(amp_view_of(m.bfloats), first, 0, rows, m.columns);
        AMP_MULTIPLY_ADD(bfloat16, c, 1, a, AMP_TRANSPOSED(b), beta);
    }
}

/* All weights as floats, in memory of the caller's. */
static inline void matrix_decode(matrix m, float *out)
{
    const size_t count = (size_t)m.rows * (size_t)m.columns;
    float *const scales = malloc((size_t)m.rows * (size_t)m.columns / GROUP * sizeof *scales + 1);
    void *const weights = malloc(count * sizeof(float));
    if (m.type == FLOAT)
        amp_copy_out(m.floats, out, count);
    else if (m.type == HALF)
        amp_copy_out(m.halves, (amp_half *)weights, count);
    else if (m.type == BFLOAT16)
        amp_copy_out(m.bfloats, (amp_bfloat16 *)weights, count);
    else
        amp_copy_out(m.bytes, (int8_t *)weights, count), amp_copy_out(m.scales, scales, count / GROUP);
    for (size_t i = 0; i < count && m.type != FLOAT; i++)
        out[i] = m.type == HALF       ? amp_float_from_half(((amp_half *)weights)[i])
                 : m.type == BFLOAT16 ? amp_float_from_bfloat16(((amp_bfloat16 *)weights)[i])
                                      : (float)((int8_t *)weights)[i] * scales[i / GROUP];
    free(scales);
    free(weights);
}

#endif /* QUANTIZED_H */
