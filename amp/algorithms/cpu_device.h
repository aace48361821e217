/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/cpu_device.h - reductions on a CPU that OpenCL has: one thread has all lanes of a tile

    The kernels of reduce.h and rows.h have a thread for each lane, and barriers between the levels of a tree. A CPU's
    compiler makes loops over the threads, without vectors. Here a loop over lanes is the innermost, as on the CPU
    backend. With pocl 3.1 and AVX-512 a sum of 2^20 floats takes a ninth of the time, those of 1,024 columns a 17th,
    and those of 1,024 rows a 34th. A sum adds in the same order.

    Contents (search for the tag):
        >>reduce  >>along  >>implementation */
#ifndef AMP_ALGORITHMS_CPU_DEVICE_H
#define AMP_ALGORITHMS_CPU_DEVICE_H

#include "plan.h"

/* // >>reduce: as AMP_PRIV_REDUCE_BODY. */
AMP_PRIV_API const char *amp_priv_reduce_text_CPU(void);
#define AMP_PRIV_REDUCE_CPU_BODY(T, names, value, operation, ...)                                                      \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        typedef T amp_priv_T;                                                                                          \
        amp_priv_T amp_priv_lane[256];                                                                                 \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int64_t amp_priv_first = (int64_t)amp_priv_t.tile.v[0] * amp_priv_step.rows * 256;                       \
        AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                         \
        for (int amp_priv_l = 0; amp_priv_l < 256; amp_priv_l++)                                                       \
            amp_priv_lane[amp_priv_l] = amp_priv_identity;                                                             \
        for (int amp_priv_row = 0; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                \
            const int64_t amp_priv_base = amp_priv_first + amp_priv_row * 256;                                         \
            const int64_t amp_priv_left = amp_priv_step.size - amp_priv_base;                                          \
            const int amp_priv_end = amp_priv_left < 256 ? (int)amp_priv_left : 256;                                   \
            if (amp_priv_step.pass != 1) {                                                                             \
                for (int amp_priv_l = 0; amp_priv_l < amp_priv_end; amp_priv_l++) {                                    \
                    const int amp_priv_j = amp_priv_row * 256 + amp_priv_l;                                            \
                    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                 \
                    const amp_priv_T amp_priv_exact = (value);                                                         \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_l], amp_priv_lane[amp_priv_l], amp_priv_exact, \
                                     operation)                                                                        \
                }                                                                                                      \
            } else {                                                                                                   \
                for (int amp_priv_l = 0; amp_priv_l < amp_priv_end; amp_priv_l++)                                      \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_l], amp_priv_lane[amp_priv_l],                 \
                                     AMP_AT(amp_priv_from, (int)amp_priv_base + amp_priv_l), operation)                \
            }                                                                                                          \
        }                                                                                                              \
        for (int amp_priv_half = 128; amp_priv_half > 0; amp_priv_half /= 2)                                           \
            for (int amp_priv_l = 0; amp_priv_l < amp_priv_half; amp_priv_l++)                                         \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_l], amp_priv_lane[amp_priv_l],                     \
                                 amp_priv_lane[amp_priv_l + amp_priv_half], operation)                                 \
        AMP_PRIV_CELL(amp_priv_to, amp_priv_t.tile.v[0]) = amp_priv_lane[0];                                           \
    }

/* // >>along: as AMP_PRIV_ALONG_BODY. Lanes of rows are together, and results of columns. */
#define AMP_PRIV_ALONG_CPU_LANES(is_column, left, ...)                                                                 \
    for (int amp_priv_o = 0; amp_priv_o < (is_column ? left : amp_priv_some); amp_priv_o++) {                          \
        const int amp_priv_from = amp_priv_o * (is_column ? amp_priv_side : amp_priv_lanes);                           \
        const int amp_priv_end = is_column ? amp_priv_some : left;                                                     \
        for (int amp_priv_i = 0; amp_priv_i < amp_priv_end; amp_priv_i++) {                                            \
            const int amp_priv_place = amp_priv_from + amp_priv_i;                                                     \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
AMP_PRIV_API const char *amp_priv_along_text_CPU_0(void);
AMP_PRIV_API const char *amp_priv_along_text_CPU_1(void);
#define AMP_PRIV_ALONG_CPU_BODY(T, is_column, names, value, operation, ...)                                            \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        typedef T amp_priv_T;                                                                                          \
        amp_priv_T amp_priv_lane[256];                                                                                 \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_lanes = amp_priv_step.lanes, amp_priv_side = amp_priv_step.side;                            \
        const int amp_priv_block = amp_priv_step.blocks > 1 ? amp_priv_t.tile.v[0] / amp_priv_step.parts : 0;          \
        const int amp_priv_begin = (amp_priv_t.tile.v[0] - amp_priv_block * amp_priv_step.parts) * amp_priv_side;      \
        const int amp_priv_some = amp_priv_step.kept - amp_priv_begin < amp_priv_side                                  \
                                      ? amp_priv_step.kept - amp_priv_begin : amp_priv_side;                           \
        const int64_t amp_priv_first = (int64_t)amp_priv_block * amp_priv_step.rows * amp_priv_lanes;                  \
        for (int amp_priv_i = 0; amp_priv_i < 256; amp_priv_i++)                                                       \
            amp_priv_lane[amp_priv_i] = amp_priv_identity;                                                             \
        for (int amp_priv_row = 0; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                \
            const int64_t amp_priv_base = amp_priv_first + (int64_t)amp_priv_row * amp_priv_lanes;                     \
            const int64_t amp_priv_rest = amp_priv_step.length - amp_priv_base;                                        \
            const int amp_priv_left = amp_priv_rest < amp_priv_lanes ? (int)amp_priv_rest : amp_priv_lanes;            \
            if (amp_priv_step.pass == 0) {                                                                             \
                AMP_PRIV_ALONG_CPU_LANES(                                                                              \
                    is_column, amp_priv_left,                                                                          \
                    const int amp_priv_l = is_column ? amp_priv_o : amp_priv_i;                                        \
                    const int amp_priv_k = amp_priv_begin + (is_column ? amp_priv_i : amp_priv_o);                     \
                    AMP_PRIV_ALONG_NAMES(is_column, AMP_PRIV_UNWRAP names)                                             \
                    const amp_priv_T amp_priv_exact = (value);                                                         \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_place], amp_priv_lane[amp_priv_place],         \
                                     amp_priv_exact, operation))                                                       \
            } else {                                                                                                   \
                AMP_PRIV_ALONG_CPU_LANES(                                                                              \
                    is_column, amp_priv_left,                                                                          \
                    const int amp_priv_l = is_column ? amp_priv_o : amp_priv_i;                                        \
                    const int amp_priv_k = amp_priv_begin + (is_column ? amp_priv_i : amp_priv_o);                     \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_place], amp_priv_lane[amp_priv_place],         \
                                     AMP_PRIV_CELL(amp_priv_partials, ((int)amp_priv_base + amp_priv_l) *              \
                                                                          amp_priv_step.kept + amp_priv_k),            \
                                     operation))                                                                       \
            }                                                                                                          \
        }                                                                                                              \
        for (int amp_priv_half = amp_priv_lanes / 2; amp_priv_half > 0; amp_priv_half /= 2)                            \
            AMP_PRIV_ALONG_CPU_LANES(                                                                                  \
                is_column, amp_priv_half,                                                                              \
                const int amp_priv_there = amp_priv_place + amp_priv_half * (is_column ? amp_priv_side : 1);           \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_place], amp_priv_lane[amp_priv_place],             \
                                 amp_priv_lane[amp_priv_there], operation))                                            \
        for (int amp_priv_i = 0; amp_priv_i < amp_priv_some; amp_priv_i++) {                                           \
            const int amp_priv_k = amp_priv_begin + amp_priv_i;                                                        \
            const int amp_priv_place = is_column ? amp_priv_i : amp_priv_i * amp_priv_lanes;                           \
            if (amp_priv_step.blocks > 1)                                                                              \
                AMP_PRIV_CELL(amp_priv_partials, amp_priv_block * amp_priv_step.kept + amp_priv_k) =                   \
                    amp_priv_lane[amp_priv_place];                                                                     \
            else                                                                                                       \
                AMP_AT(amp_priv_out, amp_priv_k) = amp_priv_lane[amp_priv_place];                                      \
        }                                                                                                              \
    }

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

/* Is the queue one of such a CPU's? Not a group's, which divides launches by what a kernel reads. tested: tests run the
   kernels of a GPU. */
static inline bool amp_priv_is_for_cpu_device(amp_priv_queue *queue, int tested)
{
    return queue && queue->device->rows_are_vectors && !amp_priv_queue_division(queue) && tested == 0;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_CPU_DEVICE_H */
