/* SPDX-License-Identifier: MIT */
/*  amp/matrix/cpu_device.h - products on a CPU that OpenCL has: a thread computes a block, and tiles have one thread

    The kernels of multiply.h and vector.h keep sums in the registers of 128 threads, between barriers. A CPU's compiler
    makes loops over the threads, which have these registers in memory. With one thread, pocl 3.1 and AVX-512: 1.1
    GFLOP/s for a product of 512 rows, here 93; 1 GB/s for a matrix by a vector, here 14. A sum adds in the same order.

    Contents (search for the tag):
        >>blocks  >>rows  >>implementation */
#ifndef AMP_MATRIX_CPU_DEVICE_H
#define AMP_MATRIX_CPU_DEVICE_H

#include "../algorithms/cpu_device.h"
#include "tile_matrix.h"

/* // >>blocks
   64 x 64 sums of c = alpha a b + beta c. Blocks of the factors are rows of 64 numbers, along the depth of a and across
   b, in memory of the thread. */
#define AMP_PRIV_BLOCK_SIDE 64
#if defined(AMP_BACKEND_OPENCL)
#define AMP_PRIV_PRODUCT_BLOCKS(number, T, a_turned, b_turned)                                                         \
    AMP_PRIV_TILED_DEVICE(amp_priv_product_blocks_text, "\1" #number "\1" #T "\1" #a_turned "\1" #b_turned,            \
                          amp_priv_plan.where, AMP_EXTENT(amp_priv_tall * amp_priv_wide), (1), amp_priv_tile,          \
                          AMP_CAPTURE(amp_priv_a, amp_priv_b, amp_priv_c, amp_priv_tall, amp_priv_alpha,               \
                                      amp_priv_beta, amp_priv_reads),                                                  \
                          AMP_PRIV_BLOCKS_BODY(number, T, a_turned, b_turned));
#define AMP_PRIV_PRODUCT_ROWS(number, T)                                                                               \
    AMP_PRIV_TILED_DEVICE(amp_priv_product_rows_text, "\1" #number "\1" #T, amp_priv_plan.where,                       \
                          AMP_EXTENT(amp_priv_plan.tiles), (1), amp_priv_tile,                                         \
                          AMP_CAPTURE(amp_priv_a, amp_priv_times, amp_priv_to, amp_priv_alpha, amp_priv_beta,          \
                                      amp_priv_reads, amp_priv_lanes),                                                 \
                          AMP_PRIV_ROWS_BODY(number, T));
#else
#define AMP_PRIV_PRODUCT_BLOCKS(number, T, a_turned, b_turned) (void)amp_priv_reads;
#define AMP_PRIV_PRODUCT_ROWS(number, T)                       (void)amp_priv_reads;
#endif
AMP_PRIV_API const char *amp_priv_product_blocks_text(void);
AMP_PRIV_API const char *amp_priv_product_rows_text(void);

#define AMP_PRIV_BLOCKS_BODY(number, T, a_turned, b_turned)                                                            \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        T amp_priv_sum[4096], amp_priv_l[4096], amp_priv_r[4096];                                                      \
        const int amp_priv_above = amp_priv_t.global.v[0] % amp_priv_tall * 64;                                        \
        const int amp_priv_beside = amp_priv_t.global.v[0] / amp_priv_tall * 64;                                       \
        const int amp_priv_depth = amp_priv_a.extent.v[1 - a_turned];                                                  \
        const int amp_priv_high = AMP_PRIV_BLOCK_LEFT(amp_priv_c.extent.v[0], amp_priv_above);                         \
        const int amp_priv_across = AMP_PRIV_BLOCK_LEFT(amp_priv_c.extent.v[1], amp_priv_beside);                      \
        for (int amp_priv_i = 0; amp_priv_i < 4096; amp_priv_i++)                                                      \
            amp_priv_sum[amp_priv_i] = amp_priv_l[amp_priv_i] = amp_priv_r[amp_priv_i] = 0;                            \
        for (int amp_priv_from = 0; amp_priv_from < amp_priv_depth; amp_priv_from += 64) {                             \
            const int amp_priv_deep = AMP_PRIV_BLOCK_LEFT(amp_priv_depth, amp_priv_from);                              \
            AMP_PRIV_BLOCK_PACK(number, T, amp_priv_a, a_turned, amp_priv_above, amp_priv_from, amp_priv_high,         \
                                amp_priv_deep, amp_priv_l)                                                             \
            AMP_PRIV_BLOCK_PACK(number, T, amp_priv_b, b_turned, amp_priv_from, amp_priv_beside, amp_priv_deep,        \
                                amp_priv_across, amp_priv_r)                                                           \
            if (AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_block_loops(amp_priv_sum, amp_priv_l, amp_priv_r, "               \
                                           "amp_priv_deep)"))                                                          \
                for (int amp_priv_i = 0; amp_priv_i < 4096; amp_priv_i++)                                              \
                    for (int amp_priv_k = 0; amp_priv_k < amp_priv_deep; amp_priv_k++)                                 \
                        amp_priv_sum[amp_priv_i] += amp_priv_l[amp_priv_i / 64 * 64 + amp_priv_k] *                    \
                                                    amp_priv_r[amp_priv_k * 64 + amp_priv_i % 64];                     \
        }                                                                                                              \
        for (int amp_priv_i = 0; amp_priv_i < amp_priv_high; amp_priv_i++)                                             \
            for (int amp_priv_j = 0; amp_priv_j < amp_priv_across; amp_priv_j++) {                                     \
                const T amp_priv_scaled = amp_priv_alpha * amp_priv_sum[amp_priv_i * 64 + amp_priv_j];                 \
                AMP_AT(amp_priv_c, amp_priv_above + amp_priv_i, amp_priv_beside + amp_priv_j) =                        \
                    amp_priv_reads ? amp_priv_scaled + amp_priv_beta * AMP_AT(amp_priv_c, amp_priv_above + amp_priv_i, \
                                                                              amp_priv_beside + amp_priv_j)            \
                                   : amp_priv_scaled;                                                                  \
            }                                                                                                          \
    }
/* Of `all`, how many are in the block from `first` on? */
#define AMP_PRIV_BLOCK_LEFT(all, first) ((all) - (first) < 64 ? (all) - (first) : 64)
/* to[i * 64 + j] = the number at row top + i and column left + j of a factor, along the rows of the view. */
#define AMP_PRIV_BLOCK_PACK(number, T, view, turned, top, left, high, across, to)                                      \
    for (int amp_priv_i = 0; amp_priv_i < (turned ? across : high); amp_priv_i++)                                      \
        for (int amp_priv_j = 0; amp_priv_j < (turned ? high : across); amp_priv_j++)                                  \
            to[turned ? amp_priv_j * 64 + amp_priv_i : amp_priv_i * 64 + amp_priv_j] =                                 \
                AMP_PRIV_VECTOR_NUMBER(number, T, view, (turned ? left : top) + amp_priv_i,                            \
                                       (turned ? top : left) + amp_priv_j);

/* // >>rows
   Rows of a matrix by a vector, whose sums are as AMP_PRIV_VECTOR_BODY adds them. */
#define AMP_PRIV_ROWS_AT_ONCE 16
#define AMP_PRIV_ROWS_BODY(number, T)                                                                                  \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        T amp_priv_sum[2048], amp_priv_part[128];                                                                      \
        const int amp_priv_all = amp_priv_lanes * AMP_PRIV_VECTOR_EACH, amp_priv_n = amp_priv_a.extent.v[1];           \
        const int amp_priv_begin = amp_priv_t.global.v[0] * 16;                                                        \
        for (int amp_priv_row = amp_priv_begin;                                                                        \
             amp_priv_row < amp_priv_begin + 16 && amp_priv_row < amp_priv_a.extent.v[0]; amp_priv_row++) {            \
            for (int amp_priv_i = 0; amp_priv_i < amp_priv_all; amp_priv_i++)                                          \
                amp_priv_sum[amp_priv_i] = 0;                                                                          \
            for (int amp_priv_from = 0; amp_priv_from < amp_priv_n; amp_priv_from += amp_priv_all) {                   \
                const int amp_priv_count =                                                                             \
                    amp_priv_n - amp_priv_from < amp_priv_all ? amp_priv_n - amp_priv_from : amp_priv_all;             \
                for (int amp_priv_i = 0; amp_priv_i < amp_priv_count; amp_priv_i++) {                                  \
                    const T amp_priv_exact =                                                                           \
                        AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_a, amp_priv_row, amp_priv_from + amp_priv_i) *      \
                        AMP_PRIV_VECTOR_NUMBER(number, T, amp_priv_times, amp_priv_from + amp_priv_i);                 \
                    amp_priv_sum[amp_priv_i] += amp_priv_exact;                                                        \
                }                                                                                                      \
            }                                                                                                          \
            for (int amp_priv_i = 0; amp_priv_i < amp_priv_lanes; amp_priv_i++) {                                      \
                const int amp_priv_e = amp_priv_i * AMP_PRIV_VECTOR_EACH;                                              \
                amp_priv_part[amp_priv_i] = AMP_PRIV_VECTOR_EACH == 2   ? AMP_PRIV_ROWS_2(amp_priv_e, 1)               \
                                            : AMP_PRIV_VECTOR_EACH == 4 ? AMP_PRIV_ROWS_4(amp_priv_e, 2)               \
                                            : AMP_PRIV_VECTOR_EACH == 8 ? AMP_PRIV_ROWS_8(amp_priv_e, 4)               \
                                                                        : AMP_PRIV_ROWS_16(amp_priv_e, 8);             \
            }                                                                                                          \
            for (int amp_priv_half = amp_priv_lanes / 2; amp_priv_half > 0; amp_priv_half /= 2)                        \
                for (int amp_priv_i = 0; amp_priv_i < amp_priv_half; amp_priv_i++)                                     \
                    amp_priv_part[amp_priv_i] += amp_priv_part[amp_priv_i + amp_priv_half];                            \
            const T amp_priv_exact = amp_priv_alpha * amp_priv_part[0];                                                \
            AMP_AT(amp_priv_to, amp_priv_row) =                                                                        \
                amp_priv_reads ? amp_priv_exact + amp_priv_beta * AMP_AT(amp_priv_to, amp_priv_row) : amp_priv_exact;  \
        }                                                                                                              \
    }
/* The sums of a thread of the tile, from number e on: first those that are d apart, which is half of them. */
#define AMP_PRIV_ROWS_2(e, d)  (amp_priv_sum[e] + amp_priv_sum[(e) + (d)])
#define AMP_PRIV_ROWS_4(e, d)  (AMP_PRIV_ROWS_2(e, d) + AMP_PRIV_ROWS_2((e) + (d) / 2, d))
#define AMP_PRIV_ROWS_8(e, d)  (AMP_PRIV_ROWS_4(e, d) + AMP_PRIV_ROWS_4((e) + (d) / 4, d))
#define AMP_PRIV_ROWS_16(e, d) (AMP_PRIV_ROWS_8(e, d) + AMP_PRIV_ROWS_8((e) + (d) / 8, d))

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_product_blocks_text,
                         AMP_PRIV_BLOCKS_BODY(amp_priv_part_0, amp_priv_part_1, amp_priv_part_2, amp_priv_part_3))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_product_rows_text, AMP_PRIV_ROWS_BODY(amp_priv_part_0, amp_priv_part_1))

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_MATRIX_CPU_DEVICE_H */
