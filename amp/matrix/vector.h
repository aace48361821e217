/* SPDX-License-Identifier: MIT */
/*  amp/matrix/vector.h - the product of a matrix and a vector, at memory speed

    Contents (search for the tag):
        >>vector  >>host  >>implementation */
#ifndef AMP_MATRIX_VECTOR_H
#define AMP_MATRIX_VECTOR_H

#include "../algorithms/rows.h"
#include "multiply.h"

/* // >>vector
   AMP_MULTIPLY_VECTOR(kind, y, a, x): y = a x, for a matrix a and vectors x and y.
   AMP_MULTIPLY_VECTOR_ON(view, kind, y, a, x): the same on an accelerator view.
   AMP_MULTIPLY_ADD_VECTOR(kind, y, alpha, a, x, beta): y = alpha a x + beta y.
   AMP_MULTIPLY_ADD_VECTOR_ON(view, kind, y, alpha, a, x, beta): the same on an accelerator view.
   kind  as for AMP_MULTIPLY
   y  a view or array of rank 1 of float; of int for int8, of double for double; it overlaps neither a nor x
   a  a view or array of rank 2, or AMP_TRANSPOSED of one
   x  a view or array of rank 1
   alpha, beta  numbers of y's type; if beta is 0, y is not read
   view  amp_accelerator_view
   Result: none; a statement. The association of the sums depends on the extents and the type of a alone
   (docs/matrix.md): the same bits on every backend.
   Errors: AMP_INVALID_ARGUMENT (the extents do not match, y overlaps a or x), those of AMP_REDUCE. Blocking: no.
   Threads: any. Cost: a is read once; with AMP_TRANSPOSED, alpha or beta need one launch more. Source: BLAS gemv. */
#define AMP_MULTIPLY_VECTOR(kind, y, a, x)                                                                             \
    AMP_MULTIPLY_VECTOR_ON((amp_accelerator_view){ NULL }, kind, y, a, x)
#define AMP_MULTIPLY_VECTOR_ON(view, kind, y, a, x) AMP_MULTIPLY_ADD_VECTOR_ON(view, kind, y, 1, a, x, 0)
#define AMP_MULTIPLY_ADD_VECTOR(kind, y, alpha, a, x, beta)                                                            \
    AMP_MULTIPLY_ADD_VECTOR_ON((amp_accelerator_view){ NULL }, kind, y, alpha, a, x, beta)
#define AMP_MULTIPLY_ADD_VECTOR_ON(view, kind, y, alpha, a, x, beta)                                                   \
    AMP_PRIV_CAT(AMP_PRIV_VECTOR_ON_, AMP_PRIV_IS_MATRIX_KIND(kind))(view, kind, y, alpha, a, x, beta)
#define AMP_PRIV_VECTOR_ON_0(...) AMP_PRIV_NO_MATRIX_KIND("AMP_MULTIPLY_VECTOR(kind, y, a, x)")
#define AMP_PRIV_VECTOR_ON_1(view, kind, y, alpha, a, x, beta)                                                         \
    AMP_PRIV_VECTOR(view, AMP_PRIV_MATRIX_KIND_##kind, AMP_PRIV_MATRIX_SUM_##kind, y, alpha, AMP_PRIV_MULTIPLY_OF(a),  \
                    x, beta)
#define AMP_PRIV_VECTOR(...) AMP_PRIV_VECTOR_(__VA_ARGS__)
#define AMP_PRIV_VECTOR_(view, number, T, y, with_alpha, is_turned, m, x, with_beta)                                   \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("AMP_MULTIPLY_VECTOR", "kind, y, alpha, a, x, beta", view,                                   \
                          AMP_PRIV_MAY_BE_GIVEN(y) && AMP_PRIV_MAY_BE_GIVEN(m) && AMP_PRIV_MAY_BE_GIVEN(x))            \
        AMP_PRIV_ASK(amp_priv_vector_is, AMP_PRIV_VECTOR_IS(T, y, m, x), AMP_PRIV_MSG_VECTOR_PRODUCT)                  \
        AMP_PRIV_ONLY_IF(AMP_PRIV_VECTOR_IS(T, y, m, x))                                                               \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY_VECTOR", number, m)                                                      \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY_VECTOR", number, x)                                                      \
        const __typeof__(*(m).amp_priv_const_view) amp_priv_a = amp_as_const(m);                                       \
        const __typeof__(*(x).amp_priv_const_view) amp_priv_times = amp_as_const(x);                                   \
        const AMP_PRIV_VIEW_TYPE(y) amp_priv_to = amp_view_of(y);                                                      \
        const T amp_priv_alpha = with_alpha, amp_priv_beta = with_beta;                                                \
        const int amp_priv_reads = amp_priv_beta < 0 || amp_priv_beta > 0;                                             \
        amp_priv_vector_plan amp_priv_plan;                                                                            \
        amp_priv_vector_begin(&amp_priv_plan, view, &amp_priv_to.amp_priv, &amp_priv_a.amp_priv, is_turned,            \
                              &amp_priv_times.amp_priv, sizeof(*(m).data), !amp_priv_reads);                           \
        if (amp_priv_plan.tiles > 0) {                                                                                 \
            AMP_PRIV_CAT(AMP_PRIV_VECTOR_OF_, is_turned)(number, T)                                                    \
        }                                                                                                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_VECTOR_IS(T, y, m, x)                                                                                 \
    (AMP_PRIV_RANK_OF(y) == 1 && AMP_PRIV_RANK_OF(m) == 2 && AMP_PRIV_RANK_OF(x) == 1 &&                               \
     AMP_PRIV_SAME(AMP_PRIV_TYPE_OF(y), T) && !AMP_PRIV_IS_CONST(y))
#define AMP_PRIV_MSG_VECTOR_PRODUCT                                                                                    \
    "amp: AMP_MULTIPLY_VECTOR(kind, y, a, x): a has rank 2, y and x rank 1; y is not const, and of float, of int for " \
    "int8, of double for double"
AMP_PRIV_ASKS(amp_priv_vector_is, AMP_PRIV_MSG_VECTOR_PRODUCT)
/* Rows: each by `lanes` threads of a tile. */
#define AMP_PRIV_VECTOR_OF_0(number, T)                                                                                \
    const int amp_priv_lanes = amp_priv_plan.lanes;                                                                    \
    if (amp_priv_plan.by_rows) {                                                                                       \
        AMP_PRIV_PRODUCT_ROWS(number, T)                                                                               \
    } else {                                                                                                           \
        AMP_TILED_ON(amp_priv_plan.where, AMP_EXTENT(128 * amp_priv_plan.tiles), (128), amp_priv_tile,                 \
                     AMP_CAPTURE(amp_priv_a, amp_priv_times, amp_priv_to, amp_priv_alpha, amp_priv_beta,               \
                                 amp_priv_reads, amp_priv_lanes), {                                                    \
            AMP_PRIV_VECTOR_BODY(number, T)                                                                            \
        });                                                                                                            \
    }
/* Columns: a reduction, into memory of its own if its result is scaled. */
#define AMP_PRIV_VECTOR_OF_1(number, T)                                                                                \
    const int amp_priv_scales = amp_priv_reads || amp_priv_alpha < 1 || amp_priv_alpha > 1;                            \
    AMP_ARRAY_VIEW_NO_SOURCE(T, 1, amp_priv_sums, amp_priv_scales ? amp_priv_to.extent.v[0] : 1);                      \
    const AMP_ARRAY_VIEW_TYPE(T, 1) amp_priv_all = amp_priv_scales ? amp_priv_sums : amp_priv_to;                      \
    AMP_PRIV_ALONG("AMP_MULTIPLY_VECTOR", amp_priv_plan.where, T, AMP_ARRAY_VIEW_TYPE(T, 1), amp_priv_all, 1,          \
                   amp_priv_a.extent, (amp_priv_r, amp_priv_c), AMP_CAPTURE(amp_priv_a, amp_priv_times),               \
                   AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_a, amp_priv_r, amp_priv_c) *                             \
                       AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_times, amp_priv_r),                                  \
                   a + b, 0);                                                                                          \
    if (amp_priv_scales)                                                                                               \
        AMP_PARALLEL_FOR_EACH_ON(amp_priv_plan.where, amp_priv_to.extent, (amp_priv_i),                                \
                                 AMP_CAPTURE(amp_priv_sums, amp_priv_to, amp_priv_alpha, amp_priv_beta,                \
                                             amp_priv_reads), {                                                        \
            const T amp_priv_exact = amp_priv_alpha * AMP_AT(amp_priv_sums, amp_priv_i);                               \
            const T amp_priv_more = amp_priv_reads ? amp_priv_beta * AMP_AT(amp_priv_to, amp_priv_i) : (T)0;           \
            AMP_AT(amp_priv_to, amp_priv_i) = amp_priv_reads ? AMP_PRIV_VECTOR_SUM(T) : amp_priv_exact;                \
        });

/* A product that is rounded before it is added, as on devices (amp_priv_exact). */
#if defined(__clang__)
#define AMP_PRIV_VECTOR_UNFUSED
#define AMP_PRIV_VECTOR_UNFUSED_HERE _Pragma("clang fp contract(off)")
#else
#define AMP_PRIV_VECTOR_UNFUSED __attribute__((optimize("fp-contract=off")))
#define AMP_PRIV_VECTOR_UNFUSED_HERE
#endif
#define AMP_PRIV_VECTOR_SUM(T)                                                                                         \
    AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_CAT(amp_priv_vector_sum_, T)(amp_priv_exact, amp_priv_more),                      \
                            "(amp_priv_exact + amp_priv_more)")

/* Element p of a row is multiplied by thread p / each % lanes, each being the elements in 16 bytes, and added to its
   sum number p % each. Then sums i and i + each / 2, ... of a thread are added; then threads i and i + lanes / 2. */
#define AMP_PRIV_VECTOR_BODY(number, T)                                                                                \
    AMP_TILE_STATIC(T, amp_priv_part, [128]);                                                                          \
    const int amp_priv_begin = amp_priv_tile.tile.v[0] * (128 / amp_priv_lanes);                                       \
    (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_VECTOR_ON_CPU(number, T), "0");                                             \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "1")) {                                                                             \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_me = amp_priv_t.local.v[0];                                                             \
            const int amp_priv_row = amp_priv_begin + amp_priv_me / amp_priv_lanes;                                    \
            T amp_priv_sum[AMP_PRIV_VECTOR_EACH];                                                                      \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_e = 0; amp_priv_e < AMP_PRIV_VECTOR_EACH; amp_priv_e++)                                  \
                amp_priv_sum[amp_priv_e] = 0;                                                                          \
            if (amp_priv_row < amp_priv_a.extent.v[0] && amp_priv_a.extent.v[1] > 0) {                                 \
                AMP_PRIV_VECTOR_ROW(number, T)                                                                         \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_half = AMP_PRIV_VECTOR_EACH / 2; amp_priv_half > 0; amp_priv_half /= 2)                  \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_e = 0; amp_priv_e < amp_priv_half; amp_priv_e++)                                     \
                    amp_priv_sum[amp_priv_e] += amp_priv_sum[amp_priv_e + amp_priv_half];                              \
            amp_priv_part[amp_priv_me] = amp_priv_sum[0];                                                              \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_half = amp_priv_lanes / 2; amp_priv_half > 0; amp_priv_half /= 2) {                          \
            AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                   \
                const int amp_priv_me = amp_priv_t.local.v[0];                                                         \
                if (amp_priv_me % amp_priv_lanes < amp_priv_half)                                                      \
                    amp_priv_part[amp_priv_me] += amp_priv_part[amp_priv_me + amp_priv_half];                          \
            }                                                                                                          \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
        }                                                                                                              \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_me = amp_priv_t.local.v[0];                                                             \
            const int amp_priv_row = amp_priv_begin + amp_priv_me / amp_priv_lanes;                                    \
            if (amp_priv_me % amp_priv_lanes == 0 && amp_priv_row < amp_priv_a.extent.v[0]) {                          \
                const T amp_priv_exact = amp_priv_alpha * amp_priv_part[amp_priv_me];                                  \
                AMP_AT(amp_priv_to, amp_priv_row) =                                                                    \
                    amp_priv_reads ? amp_priv_exact + amp_priv_beta * AMP_AT(amp_priv_to, amp_priv_row)                \
                                   : amp_priv_exact;                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
/* Four loads of 16 bytes at once, where the rows and x lie so that they can be. */
#define AMP_PRIV_VECTOR_ROW(number, T)                                                                                 \
    AMP_PRIV_ELEMENT_POINTER(const uint8_t) amp_priv_p =                                                               \
        (AMP_PRIV_ELEMENT_POINTER(const uint8_t))&AMP_AT(amp_priv_a, amp_priv_row, 0);                                 \
    AMP_PRIV_ELEMENT_POINTER(const uint8_t) amp_priv_q =                                                               \
        (AMP_PRIV_ELEMENT_POINTER(const uint8_t))&AMP_AT(amp_priv_times, 0);                                           \
    const int amp_priv_n = amp_priv_a.extent.v[1], amp_priv_step = amp_priv_lanes * AMP_PRIV_VECTOR_EACH;              \
    const int amp_priv_fast = sizeof(*(amp_priv_a).data) == sizeof(*(amp_priv_times).data) &&                          \
                              AMP_PRIV_HOST_OR_DEVICE(amp_priv_p == amp_priv_q,                                        \
                                                      "amp_priv_are_aligned(amp_priv_p, amp_priv_q)");                 \
    int amp_priv_at = amp_priv_me % amp_priv_lanes * AMP_PRIV_VECTOR_EACH;                                             \
    uint32_t amp_priv_l[4][4], amp_priv_x[4][4];                                                                       \
    for (; amp_priv_fast && amp_priv_at + 3 * amp_priv_step + AMP_PRIV_VECTOR_EACH <= amp_priv_n;                      \
         amp_priv_at += 4 * amp_priv_step) {                                                                           \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_u = 0; amp_priv_u < 4; amp_priv_u++) {                                                       \
            const ptrdiff_t amp_priv_o = (ptrdiff_t)(amp_priv_at + amp_priv_u * amp_priv_step) *                       \
                                         (ptrdiff_t)sizeof(*(amp_priv_a).data);                                        \
            AMP_PRIV_VECTOR_LOAD(amp_priv_l[amp_priv_u], amp_priv_p + amp_priv_o)                                      \
            AMP_PRIV_VECTOR_LOAD(amp_priv_x[amp_priv_u], amp_priv_q + amp_priv_o)                                      \
        }                                                                                                              \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_u = 0; amp_priv_u < 4; amp_priv_u++) {                                                       \
            AMP_PRIV_VECTOR_ADD(number, T, amp_priv_u)                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    for (; amp_priv_fast && amp_priv_at + AMP_PRIV_VECTOR_EACH <= amp_priv_n; amp_priv_at += amp_priv_step) {          \
        const ptrdiff_t amp_priv_o = (ptrdiff_t)amp_priv_at * (ptrdiff_t)sizeof(*(amp_priv_a).data);                   \
        AMP_PRIV_VECTOR_LOAD(amp_priv_l[0], amp_priv_p + amp_priv_o)                                                   \
        AMP_PRIV_VECTOR_LOAD(amp_priv_x[0], amp_priv_q + amp_priv_o)                                                   \
        AMP_PRIV_VECTOR_ADD(number, T, 0)                                                                              \
    }                                                                                                                  \
    for (; amp_priv_at < amp_priv_n; amp_priv_at += amp_priv_step) {                                                   \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_e = 0; amp_priv_e < AMP_PRIV_VECTOR_EACH; amp_priv_e++) {                                    \
            const int amp_priv_c = amp_priv_at + amp_priv_e;                                                           \
            if (amp_priv_c < amp_priv_n) {                                                                             \
                const T amp_priv_exact = AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_a, amp_priv_row, amp_priv_c) *     \
                                         AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_times, amp_priv_c);                \
                amp_priv_sum[amp_priv_e] += amp_priv_exact;                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_VECTOR_LOAD(to, from)                                                                                 \
    (void)AMP_PRIV_HOST_OR_DEVICE((to)[0] = (to)[1] = (to)[2] = (to)[3] = *(from),                                     \
                                  "amp_priv_sixteen(" #to ", " #from ")");
#define AMP_PRIV_VECTOR_ADD(number, T, u)                                                                              \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_e = 0; amp_priv_e < AMP_PRIV_VECTOR_EACH; amp_priv_e++) {                                        \
        const T amp_priv_exact = AMP_PRIV_VECTOR_OF_WORDS(number, T, amp_priv_l[u], amp_priv_e) *                      \
                                 AMP_PRIV_VECTOR_OF_WORDS(number, T, amp_priv_x[u], amp_priv_e);                       \
        amp_priv_sum[amp_priv_e] += amp_priv_exact;                                                                    \
    }
/* Element e of 16 bytes. */
#define AMP_PRIV_VECTOR_OF_WORDS(number, T, w, e) AMP_PRIV_CAT(AMP_PRIV_VECTOR_WORDS_, number)(number, T, w, e)
#define AMP_PRIV_VECTOR_WORDS_0(number, T, w, e)                                                                       \
    (sizeof(*(amp_priv_a).data) == 2                                                                                   \
         ? amp_priv_matrix_widened(number, (uint16_t)((w)[(e) / 2 % 4] >> (e) % 2 * 16 & 0xffffu))                     \
         : amp_priv_matrix_rounded(number, AMP_BITS(float, (w)[(e) % 4])))
#define AMP_PRIV_VECTOR_WORDS_1                  AMP_PRIV_VECTOR_WORDS_0
#define AMP_PRIV_VECTOR_WORDS_2(number, T, w, e) amp_priv_matrix_rounded(number, AMP_BITS(float, (w)[(e) % 4]))
#define AMP_PRIV_VECTOR_WORDS_3(number, T, w, e) (T)(int8_t)((w)[(e) / 4 % 4] >> (e) % 4 * 8 & 0xffu)
#define AMP_PRIV_VECTOR_WORDS_4(number, T, w, e) AMP_BITS(float, (w)[(e) % 4])
#define AMP_PRIV_VECTOR_WORDS_5(number, T, w, e)                                                                       \
    AMP_BITS(double, (uint64_t)(w)[((e) * 2 + 1) % 4] << 32 | (uint64_t)(w)[(e) * 2 % 4])
/* Where it runs. tiles is 0 after reporting, and where there is nothing to do. */
typedef struct amp_priv_vector_plan {
    amp_accelerator_view where;
    int tiles, lanes; /* of a row */
    bool by_rows;     /* amp/matrix/cpu_device.h */
} amp_priv_vector_plan;
AMP_PRIV_API void amp_priv_vector_begin(amp_priv_vector_plan *p, amp_accelerator_view view, const amp_priv_head *y,
                                        const amp_priv_head *a, bool is_turned, const amp_priv_head *x, size_t size,
                                        bool overwrites);

/* // >>host */
enum { AMP_PRIV_VECTOR_STRIP = 2048 };

/* Numbers from elements, of which some have `size` bytes. */
static inline void amp_priv_vector_numbers(void *to, int kind, const void *from, int size, int count)
{
    if (kind == 3)
        for (int i = 0; i < count; i++)
            ((int *)to)[i] = ((const int8_t *)from)[i];
    else if (kind == 1)
        for (int i = 0; i < count; i++)
            ((float *)to)[i] = amp_priv_bfloat16_to_float(
                size == 2 ? ((const uint16_t *)from)[i] : amp_priv_float_to_bfloat16(((const float *)from)[i]));
    else
        amp_priv_matrix_numbers(to, kind, from, size, count);
}

/* The rows of a tile: y[r] = alpha (a x)[r] + beta y[r]. Loops of a constant length are vectors. */
#define AMP_PRIV_VECTOR_ROWS(T)                                                                                        \
    /* part[i] = the sums of a thread, `each` of them. */                                                              \
    static inline __attribute__((always_inline)) void amp_priv_vector_parts_##T(T *restrict part, T *restrict sum,     \
                                                                                int lanes, int each)                   \
    {                                                                                                                  \
        for (int i = 0; i < lanes; i++, sum += each) {                                                                 \
            T of[8];                                                                                                   \
            for (int e = 0; e < each / 2; e++)                                                                         \
                of[e] = sum[e] + sum[e + each / 2];                                                                    \
            if (each >= 16)                                                                                            \
                of[0] += of[4], of[1] += of[5], of[2] += of[6], of[3] += of[7];                                        \
            if (each >= 8)                                                                                             \
                of[0] += of[2], of[1] += of[3];                                                                        \
            part[i] = each >= 4 ? of[0] + of[1] : of[0];                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_VECTOR_UNFUSED static inline T amp_priv_vector_tree_##T(T *restrict sum, int lanes, int each)             \
    {                                                                                                                  \
        T part[128];                                                                                                   \
        if (each == 2)                                                                                                 \
            amp_priv_vector_parts_##T(part, sum, lanes, 2);                                                            \
        else if (each == 4)                                                                                            \
            amp_priv_vector_parts_##T(part, sum, lanes, 4);                                                            \
        else if (each == 8)                                                                                            \
            amp_priv_vector_parts_##T(part, sum, lanes, 8);                                                            \
        else                                                                                                           \
            amp_priv_vector_parts_##T(part, sum, lanes, 16);                                                           \
        for (int half = lanes / 2; half > 0; half /= 2)                                                                \
            for (int lane = 0; lane < half; lane++)                                                                    \
                part[lane] += part[lane + half];                                                                       \
        return part[0];                                                                                                \
    }                                                                                                                  \
    AMP_PRIV_NOINLINE AMP_PRIV_VECTOR_UNFUSED int amp_priv_vector_rows_##T(                                            \
        int kind, T *y, amp_priv_matrix_source a, amp_priv_matrix_source x, int begin, int lanes, T alpha, T beta,     \
        int reads)                                                                                                     \
    {                                                                                                                  \
        AMP_PRIV_VECTOR_UNFUSED_HERE                                                                                   \
        enum { amp_priv_strip = AMP_PRIV_VECTOR_STRIP };                                                               \
        T sum[amp_priv_strip], wide[amp_priv_strip], more[amp_priv_strip];                                             \
        const int each = 16 / a.size, all = lanes * each;                                                              \
        for (int row = begin; row < begin + 128 / lanes && row < a.rows; row++) {                                      \
            memset(sum, 0, (size_t)all * sizeof *sum);                                                                 \
            for (int first = 0; first < a.columns; first += all) {                                                     \
                const int count = a.columns - first < all ? a.columns - first : all;                                   \
                const void *const from = (const char *)a.data + (row * a.row + first) * a.size;                        \
                const void *const times = (const char *)x.data + (ptrdiff_t)first * x.size;                            \
                const T *const left = kind >= 4 ? from : wide, *const right = kind >= 4 ? times : more;                \
                if (kind < 4) {                                                                                        \
                    amp_priv_vector_numbers(wide, kind, from, a.size, count);                                          \
                    amp_priv_vector_numbers(more, kind, times, x.size, count);                                         \
                }                                                                                                      \
                for (int i = 0; i < count; i++)                                                                        \
                    sum[i] += left[i] * right[i];                                                                      \
            }                                                                                                          \
            const T result = amp_priv_vector_tree_##T(sum, lanes, each);                                               \
            y[row] = reads ? alpha * result + beta * y[row] : alpha * result;                                          \
        }                                                                                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    AMP_PRIV_VECTOR_UNFUSED static inline T amp_priv_vector_sum_##T(T x, T y) { return x + y; }
AMP_PRIV_VECTOR_ROWS(float)
AMP_PRIV_VECTOR_ROWS(int)
AMP_PRIV_VECTOR_ROWS(double)
#define AMP_PRIV_VECTOR_ON_CPU(number, T)                                                                              \
    AMP_PRIV_CAT(amp_priv_vector_rows_, T)(                                                                            \
        number, (amp_priv_to).data, AMP_PRIV_MATRIX_SOURCE(amp_priv_a),                                                \
        (amp_priv_matrix_source){ (amp_priv_times).data, 0, 1, (amp_priv_times).extent.v[0],                           \
                                  (int)sizeof(*(amp_priv_times).data) },                                               \
        amp_priv_begin, amp_priv_lanes, amp_priv_alpha, amp_priv_beta, amp_priv_reads)

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_COLD bool amp_priv_vector_fits(const amp_priv_head *y, const amp_priv_head *a, bool is_turned,
                                        const amp_priv_head *x)
{
    if (!amp_priv_head_ready(y, "AMP_MULTIPLY_VECTOR") || !amp_priv_head_ready(a, "AMP_MULTIPLY_VECTOR") ||
        !amp_priv_head_ready(x, "AMP_MULTIPLY_VECTOR"))
        return false;
    const int *const matrix = amp_priv_head_extent(a);
    const int rows = matrix[is_turned], columns = matrix[!is_turned];
    const int count = amp_priv_head_extent(y)[0], length = amp_priv_head_extent(x)[0];
    if (count == rows && length == columns)
        return true;
    amp_priv_report(
        AMP_INVALID_ARGUMENT,
        "AMP_MULTIPLY_VECTOR: a has %d x %d elements, x %d, and y %d; x must have as many elements as a has "
        "columns, and y as many as a has rows",
        rows, columns, length, count);
    return false;
}

AMP_PRIV_API void amp_priv_vector_begin(amp_priv_vector_plan *p, amp_accelerator_view view, const amp_priv_head *y,
                                        const amp_priv_head *a, bool is_turned, const amp_priv_head *x, size_t size,
                                        bool overwrites)
{
    const amp_priv_named read[] = { { a, "a" }, { x, "x" } }, all[] = { { y, "y" }, { a, "a" }, { x, "x" } };
    *p = (amp_priv_vector_plan){ .lanes = 1 };
    if (!amp_priv_vector_fits(y, a, is_turned, x) || !amp_priv_is_apart("AMP_MULTIPLY_VECTOR", "y", y, read, 2, false))
        return;
    const int rows = *amp_priv_head_extent(y), each = 16 / (int)size;
    while (p->lanes < 128 && p->lanes * each < *amp_priv_head_extent(x))
        p->lanes *= 2;
    amp_priv_queue *const queue = amp_priv_call_target(view, all, 3);
    p->where = (amp_accelerator_view){ queue };
    p->by_rows = !is_turned && amp_priv_is_for_cpu_device(queue, amp_priv_multiply_many);
    const int of_tile = p->by_rows ? AMP_PRIV_ROWS_AT_ONCE : 128 / p->lanes;
    const int tiles = rows > 0 ? (rows - 1) / of_tile + 1 : 0;
    if (tiles > INT_MAX / 128)
        amp_priv_too_many("AMP_MULTIPLY_VECTOR", rows, (int64_t)INT_MAX / 128 * of_tile);
    else if (!overwrites || amp_priv_discard(y) == AMP_OK)
        p->tiles = tiles;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_MATRIX_VECTOR_H */
