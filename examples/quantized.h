// SPDX-License-Identifier: MIT
/*  Matrices of float, half, bfloat16 or 8-bit numbers, times vectors, for 19_language_model.

    EXACT: all sums have a fixed order, products are added by fmaf, and roots, quotients and exponentials consist of
    such steps: the results have the same bits on every accelerator. */
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
AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_ELEMENT(amp_int_4)

/* Threads of a sub-group and of a tile; numbers that share a scale; rows of a tile, and units of each that a thread
   loads at once. */
enum { LANES = 32, TS = 128, GROUP = 32, ROWS = 4, AT_ONCE = 2 };
typedef enum { FLOAT, HALF, BFLOAT16, INT8 } format;
typedef enum { BY_ROWS, EXACT, BY_LANES } method; /* a thread for each row; the same in a fixed order; a tile */
static const char *const format_names[] = { "float", "half", "bfloat16", "int8" };
static const double format_bytes[] = { 4, 2, 2, 1 + 4.0 / GROUP };

typedef struct {
    format type;
    int rows, columns;
    amp_array_int_1 data;     /* the elements, several in an int */
    amp_array_float_1 scales; /* INT8: of each group of a row */
} matrix;
typedef enum {
    STORES,
    ADDS,
    GATES
} use_of; /* of a product; GATES: sum i becomes sum sigmoid(sum) times sum rows / 2 + i */
static inline method method_of(bool exact)
{
    const bool cpu = strcmp(amp_accelerator_path(amp_accelerator_default()), "cpu") == 0;
    return exact ? EXACT : cpu ? BY_ROWS : BY_LANES;
}
static inline bool format_named(const char *name, format *f)
{
    for (*f = FLOAT; *f < INT8 && strcmp(name, format_names[*f]) != 0;)
        ++*f;
    return strcmp(name, format_names[*f]) == 0;
}
#define ELEMENTS(T, array) AMP_REINTERPRET_AS(amp_array_view_##T##_1, array)

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

/* ---- a row times a vector --------------------------------------------------------------------------------------- */

/* NAME_value: an element. NAME_product: a row times x, n elements, a multiple of 8. NAME_unit: what a thread takes at
   once: 16 bytes of a row. ws, xs: scales of groups. */
#define FLOATS(NAME, T, VALUE) \
    AMP_FUNCTION(float, NAME##_value, (AMP_ELEMENT_POINTER(const T) w, AMP_ELEMENT_POINTER(const float) ws, int i), {  \
        (void)ws;                                                                                                      \
        return VALUE(w[i]);                                                                                            \
    })                                                                                                                 \
    AMP_FUNCTION(float, NAME##_product, (AMP_ELEMENT_POINTER(const T) w, AMP_ELEMENT_POINTER(const float) ws,          \
                                         AMP_ELEMENT_POINTER(const float) x, AMP_ELEMENT_POINTER(const float) xs,      \
                                         int n, int exact), {                                                          \
        float sum = 0;                                                                                                 \
        float s[8];                                                                                                    \
        (void)ws;                                                                                                      \
        (void)xs;                                                                                                      \
        if (!exact) {                                                                                                  \
            AMP_ANY_ORDER(sum) for (int i = 0; i < n; i++) sum += VALUE(w[i]) * x[i];                                  \
            return sum;                                                                                                \
        }                                                                                                              \
        for (int l = 0; l < 8; l++) s[l] = 0;                                                                          \
        for (int i = 0; i < n; i += 8)                                                                                 \
            for (int l = 0; l < 8; l++) s[l] = fmaf(VALUE(w[i + l]), x[i + l], s[l]);                                  \
        for (int h = 4; h > 0; h /= 2)                                                                                 \
            for (int l = 0; l < h; l++) s[l] += s[l + h];                                                              \
        return s[0];                                                                                                   \
    })
#define ITSELF(x) (x)
FLOATS(float, float, ITSELF)
FLOATS(half, amp_half, amp_float_from_half)
FLOATS(bfloat16, amp_bfloat16, amp_float_from_bfloat16)
AMP_FUNCTION(float, float_unit, (amp_int_4 w, AMP_ELEMENT_POINTER(const amp_float_4) x), {
    return amp_float_4_dot(AMP_BITS(amp_float_4, w), x[0]);
})
#define HALVES(NAME, T4)                                                                                               \
    AMP_FUNCTION(float, NAME##_unit, (amp_int_4 w, AMP_ELEMENT_POINTER(const amp_float_4) x), {                        \
        const T4 low = AMP_BITS(T4, AMP_INT_2(AMP_X(w), AMP_Y(w)));                                                    \
        const T4 high = AMP_BITS(T4, AMP_INT_2(AMP_Z(w), AMP_W(w)));                                                   \
        return amp_float_4_dot(amp_float_4_from_##NAME(low), x[0]) +                                                   \
               amp_float_4_dot(amp_float_4_from_##NAME(high), x[1]);                                                   \
    })
HALVES(half, amp_half_4)
HALVES(bfloat16, amp_bfloat16_4)

/* The sums of groups are exact. A unit is half a group. */
AMP_FUNCTION(float, int8_value, (AMP_ELEMENT_POINTER(const int8_t) w, AMP_ELEMENT_POINTER(const float) ws, int i), {
    return (float)w[i] * ws[i / 32];
})
AMP_FUNCTION(float, int8_product, (AMP_ELEMENT_POINTER(const int8_t) w, AMP_ELEMENT_POINTER(const float) ws,
                                   AMP_ELEMENT_POINTER(const int8_t) x, AMP_ELEMENT_POINTER(const float) xs, int n,
                                   int exact), {
    float s = 0;
    (void)exact;
    for (int g = 0; g < n / 32; g++) {
        int sum = 0;
        for (int i = 0; i < 32; i++) sum += (int)w[32 * g + i] * (int)x[32 * g + i];
        s = fmaf((float)sum, ws[g] * xs[g], s);
    }
    return s;
})
#define FOUR_BYTES(axis) amp_int8_4_dot(AMP_BITS(amp_int8_4, axis(w)), AMP_BITS(amp_int8_4, axis(v)))
AMP_FUNCTION(float, int8_unit, (amp_int_4 w, AMP_ELEMENT_POINTER(const amp_int_4) x), {
    const amp_int_4 v = x[0];
    return (float)(FOUR_BYTES(AMP_X) + FOUR_BYTES(AMP_Y) + FOUR_BYTES(AMP_Z) + FOUR_BYTES(AMP_W));
})

/* ---- a matrix times vectors ------------------------------------------------------------------------------------- */

/* NAME_rows, NAME_lanes: y(b) = w x(b), or that added to it; a tile has ROWS rows, and reads x once for all.
   x, xs: elements of X, of which a unit is XS X4, and scales of groups; a vector has `stride` elements. NAME_embed:
   x(b) = row tokens(b). AT: where the scale of an element is; SCALE: the scales of units i and k. */
#define KERNELS(NAME, T, X, X4, PER, XS, AT, SCALE) \
    static inline void NAME##_rows(matrix m, amp_array_view_##X##_1 x, amp_array_float_1 xs, int stride,               \
                                   amp_array_view_float_2 y, int count, bool adds, bool exact)                         \
    {                                                                                                                  \
        const amp_array_view_##T##_1 w = ELEMENTS(T, m.data);                                                          \
        const amp_array_float_1 ws = m.scales;                                                                         \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(m.rows * count), (i),                                                         \
                              AMP_CAPTURE(w, ws, x, xs, y, stride, count, adds, exact, AMP_BIND(n, m.columns)), {      \
            const int row = i / count;                                                                                 \
            const int b = i % count;                                                                                   \
            const float s = NAME##_product(&AMP_AT(w, row * n), &AMP_AT(ws, AT(row * n)), &AMP_AT(x, b * stride),     \
                                           &AMP_AT(xs, AT(b * stride)), n, exact);                                  \
            const float before = AMP_AT(y, b, row);                                                                    \
            AMP_AT(y, b, row) = s + (adds ? before : 0.0f); /* clang would make two loops of a condition */            \
        });                                                                                                            \
    }                                                                                                                  \
    static inline void NAME##_lanes(matrix m, amp_array_view_##X4##_1 x, amp_array_float_1 xs, int stride,             \
                                    amp_array_view_float_2 y, int count, use_of with)                                  \
    {                                                                                                                  \
        const amp_array_view_amp_int_4_1 w = ELEMENTS(amp_int_4, m.data);                                              \
        const amp_array_float_1 ws = m.scales;                                                                         \
        const int some = with == GATES ? ROWS / 2 : ROWS, all = with == GATES ? m.rows / 2 : m.rows;                   \
        AMP_TILED(AMP_EXTENT((all + some - 1) / some * count * TS), (TS), tile,                                        \
                  AMP_CAPTURE(w, ws, x, xs, y, count, all, AMP_SPECIALIZE(gates, (int)(with == GATES)),                \
                              AMP_BIND(adds, (int)(with == ADDS)), AMP_CONSTANT(TS), AMP_CONSTANT(LANES),              \
                              AMP_CONSTANT(ROWS), AMP_CONSTANT(AT_ONCE), AMP_BIND(units, m.columns / PER),             \
                              AMP_BIND(next, stride / PER)), {                                                         \
            AMP_TILE_STATIC(float, part, [ROWS][TS / LANES]);                                                          \
            AMP_PRIVATE(float, sums, [ROWS]);                                                                          \
            AMP_PRIVATE(float, sum);                                                                                   \
            const int results = gates ? ROWS / 2 : ROWS;                                                               \
            const int first = tile.tile.v[0] / count * results;                                                        \
            const int b = tile.tile.v[0] % count;                                                                      \
            AMP_THREADS(tile, t) {                                                                                     \
                for (int r = 0; r < ROWS; r++) AMP_OWN(sums, r) = 0;                                                   \
                for (int k = t.local.v[0]; k < units; k += AT_ONCE * TS)                                               \
                    AMP_UNROLL for (int j = 0; j < AT_ONCE; j++) {                                                     \
                        const int i = amp_min(k + j * TS, units - 1);                                                  \
                        const float once = k + j * TS < units ? 1.0f : 0.0f;                                           \
                        AMP_UNROLL for (int r = 0; r < ROWS; r++) {                                                    \
                            const int row = amp_min(first + r % results, all - 1) + r / results * all;                 \
                            const int at = row * units + i;                                                            \
                            AMP_OWN(sums, r) += once * NAME##_unit(AMP_AT(w, at), &AMP_AT(x, XS * (b * next + i)))     \
                                                SCALE(at, b * next + i);                                               \
                        }                                                                                              \
                    }                                                                                                  \
            }                                                                                                          \
            AMP_UNROLL for (int r = 0; r < ROWS; r++) {                                                                \
                AMP_THREADS(tile, t) { AMP_OWN(sum) = AMP_OWN(sums, r); }                                              \
                AMP_SUBGROUP_SUM(tile, float, sum, LANES);                                                             \
                AMP_THREADS(tile, t) {                                                                                 \
                    if (t.local.v[0] % LANES == 0) part[r][t.local.v[0] / LANES] = AMP_OWN(sum);                       \
                }                                                                                                      \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                const int lane = t.local.v[0];                                                                         \
                const int row = first + lane;                                                                          \
                if (lane >= results || row >= all) continue;                                                           \
                float s = 0;                                                                                           \
                float u = 0;                                                                                           \
                for (int i = 0; i < TS / LANES; i++) {                                                                 \
                    s += part[lane][i];                                                                                \
                    u += part[ROWS - results + lane][i];                                                               \
                }                                                                                                      \
                if (gates) s *= reciprocal(1.0f + exponential(-s)) * u;                                                \
                AMP_AT(y, b, row) = s + (adds ? AMP_AT(y, b, row) : 0.0f);                                             \
            }                                                                                                          \
        });                                                                                                            \
    }                                                                                                                  \
    static inline void NAME##_embed(matrix m, amp_array_view_int_1 tokens, amp_array_float_2 x, int count)             \
    {                                                                                                                  \
        const amp_array_view_##T##_1 w = ELEMENTS(T, m.data);                                                          \
        const amp_array_float_1 ws = m.scales;                                                                         \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, m.columns), (b, i),                                                    \
                              AMP_CAPTURE(w, ws, tokens, x, AMP_BIND(n, m.columns)), {                                 \
            AMP_AT(x, b, i) = NAME##_value(&AMP_AT(w, 0), &AMP_AT(ws, 0), AMP_AT(tokens, b) * n + i);                  \
        });                                                                                                            \
    }
#define NO_SCALES(i) 0
#define NO_SCALE(i, k)
#define SCALES_OF(i)   ((i) / 32)
#define SCALE_OF(i, k) *(AMP_AT(ws, (i) / 2) * AMP_AT(xs, (k) / 2))
KERNELS(float, float, float, amp_float_4, 4, 1, NO_SCALES, NO_SCALE)
KERNELS(half, amp_half, float, amp_float_4, 8, 2, NO_SCALES, NO_SCALE)
KERNELS(bfloat16, amp_bfloat16, float, amp_float_4, 8, 2, NO_SCALES, NO_SCALE)
KERNELS(int8, int8_t, int8_t, amp_int_4, 16, 1, SCALES_OF, SCALE_OF)

static inline matrix matrix_create(format type, int rows, int columns)
{
    static const int in_an_int[] = { 1, 2, 2, 4 };
    matrix m = { .type = type, .rows = rows, .columns = columns };
    m.data = amp_array_int_1_create(AMP_EXTENT(rows * (columns / in_an_int[type])));
    m.scales = amp_array_float_1_create(AMP_EXTENT(type == INT8 ? rows * (columns / GROUP) : 1));
    return m;
}

static inline void matrix_release(matrix *m)
{
    if (amp_array_valid(m->scales))
        amp_array_release(&m->scales);
    if (amp_array_valid(m->data))
        amp_array_release(&m->data);
}

/* Rows from `first` on become those of floats. */
#define STORE(T, OF)                                                                                                   \
    do {                                                                                                               \
        const amp_array_view_##T##_1 w = ELEMENTS(T, m.data);                                                          \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows, n), (row, i), AMP_CAPTURE(from, w, first, n),                           \
                              { AMP_AT(w, (first + row) * n + i) = OF(AMP_AT(from, row, i)); });                       \
    } while (0)
/* A number of 8 bits, of a group whose largest is `most`. */
AMP_FUNCTION(int8_t, int8_rounded, (float x, float most), { return (int8_t)rintf(x * (127.0f * reciprocal(most))); })

/* The same of vectors: a thread for each element. */
static inline void matrix_round(matrix m, amp_array_float_2 from, int count)
{
    const int n = m.columns;
    const amp_array_view_int8_t_1 w = ELEMENTS(int8_t, m.data);
    const amp_array_float_1 ws = m.scales;
    AMP_TILED(amp_tiled_extent1_pad(amp_extent1_tile(AMP_EXTENT(count * n), TS)), (TS), tile,
              AMP_CAPTURE(from, w, ws, n, count, AMP_CONSTANT(TS), AMP_CONSTANT(LANES)), {
        AMP_PRIVATE(float, most);
        AMP_PRIVATE(float, value);
        AMP_THREADS(tile, t) {
            const int i = amp_min(t.global.v[0], count * n - 1);
            AMP_OWN(value) = AMP_AT(from, i / n, i % n);
            AMP_OWN(most) = fmaxf(1e-20f, fabsf(AMP_OWN(value)));
        }
        AMP_SUBGROUP_MAX(tile, float, most, LANES);
        AMP_THREADS(tile, t) {
            const int i = t.global.v[0];
            if (i >= count * n) continue;
            AMP_AT(w, i) = int8_rounded(AMP_OWN(value), AMP_OWN(most));
            if (i % LANES == 0) AMP_AT(ws, i / LANES) = AMP_OWN(most) * (1.0f / 127);
        }
    });
}

static inline void matrix_store(matrix m, amp_array_float_2 from, int first, int rows)
{
    const int n = m.columns;
    if (m.type == FLOAT)
        STORE(float, ITSELF);
    else if (m.type == HALF)
        STORE(amp_half, amp_float_to_half);
    else if (m.type == BFLOAT16)
        STORE(amp_bfloat16, amp_float_to_bfloat16);
    if (m.type < INT8)
        return;
    const amp_array_view_int8_t_1 w = ELEMENTS(int8_t, m.data);
    const amp_array_float_1 ws = m.scales;
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows, n / GROUP), (row, group), AMP_CAPTURE(from, w, ws, first, n), {
        float most = 1e-20f;
        for (int i = 0; i < 32; i++) most = fmaxf(most, fabsf(AMP_AT(from, row, group * 32 + i)));
        const float over = 127.0f * reciprocal(most);
        AMP_AT(ws, (first + row) * (n / 32) + group) = most * (1.0f / 127);
        for (int i = 0; i < 32; i++)
            AMP_AT(w, (first + row) * n + group * 32 + i) = (int8_t)rintf(AMP_AT(from, row, group * 32 + i) * over);
    });
}

/* x(b) = row tokens(b). */
static inline void matrix_embed(matrix m, amp_array_view_int_1 tokens, amp_array_float_2 x, int count)
{
    switch (m.type) {
    case FLOAT: float_embed(m, tokens, x, count); break;
    case HALF: half_embed(m, tokens, x, count); break;
    case BFLOAT16: bfloat16_embed(m, tokens, x, count); break;
    case INT8: int8_embed(m, tokens, x, count);
    }
}

/* y(b) = m times x(b), for `count` vectors; or that added to it; or, BY_LANES, that gated. Before 8-bit weights x is
   rounded, into `rounded`; an x that is no array is there already. */
#define MULTIPLY(NAME, T, T4, given, scales, stride)                                                                   \
    do {                                                                                                               \
        if (by == BY_LANES)                                                                                            \
            NAME##_lanes(m, ELEMENTS(T4, given), scales, stride, y, count, with);                                      \
        else                                                                                                           \
            NAME##_rows(m, ELEMENTS(T, given), scales, stride, y, count, with == ADDS, by == EXACT);                   \
    } while (0)
static inline void matrix_multiply(matrix m, amp_array_float_2 x, matrix rounded, amp_array_view_float_2 y, int count,
                                   use_of with, method by)
{
    const int stride = x.extent.v[1];
    switch (m.type) {
    case FLOAT: MULTIPLY(float, float, amp_float_4, x, m.scales, stride); break;
    case HALF: MULTIPLY(half, float, amp_float_4, x, m.scales, stride); break;
    case BFLOAT16: MULTIPLY(bfloat16, float, amp_float_4, x, m.scales, stride); break;
    case INT8:
        rounded.columns = m.columns;
        if (by == BY_LANES && amp_array_valid(x))
            matrix_round(rounded, x, count);
        else if (amp_array_valid(x))
            matrix_store(rounded, x, 0, count);
        MULTIPLY(int8, int8_t, amp_int_4, rounded.data, rounded.scales, m.columns);
    }
}

/* The same for many vectors, by the matrix units where there are any. */
#define ROWS_OF(T, m) AMP_VIEW_AS(amp_array_view_##T##_2, ELEMENTS(T, (m).data), (m).rows, (m).columns)
static inline void matrix_multiply_blocks(matrix m, amp_array_float_2 x, amp_array_view_float_2 y, int count, bool adds)
{
    const amp_array_view_float_2 c = amp_section(y, 0, 0, count, m.rows);
    const amp_array_view_float_2 a = amp_section(amp_view_of(x), 0, 0, count, m.columns);
    const float beta = adds;
    if (m.type == FLOAT) {
        const amp_array_view_float_2 b = ROWS_OF(float, m);
        AMP_MULTIPLY_ADD(float, c, 1, a, AMP_TRANSPOSED(b), beta);
    } else if (m.type == HALF) {
        const amp_array_view_amp_half_2 b = ROWS_OF(amp_half, m);
        AMP_MULTIPLY_ADD(half, c, 1, a, AMP_TRANSPOSED(b), beta);
    } else {
        const amp_array_view_amp_bfloat16_2 b = ROWS_OF(amp_bfloat16, m);
        AMP_MULTIPLY_ADD(bfloat16, c, 1, a, AMP_TRANSPOSED(b), beta);
    }
}

/* All weights as floats, in memory of the caller's. */
static inline void matrix_decode(matrix m, float *out)
{
    AMP_ARRAY(float, 2, all, m.rows, m.columns);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, rows, m.rows);
    AMP_PARALLEL_FOR_EACH(rows.extent, (i), AMP_CAPTURE(rows), { AMP_AT(rows, i) = i; });
    matrix_embed(m, rows, all, m.rows);
    amp_copy_out(all, out, (size_t)m.rows * (size_t)m.columns);
}

#endif /* QUANTIZED_H */
