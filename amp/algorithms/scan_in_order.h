/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/scan_in_order.h - a scan of floating-point numbers in one pass, in the order of amp/algorithms/scan.h

    A work-group has a few tiles of 2,048 elements in a row. It publishes the result of each, and waits for the results
    of the tiles before these in their group, which it combines in steps. The last work-group of a group publishes the
    group's result. What is before a group is combined from left to right: from the nearest group of which that is
    known, with the results of the groups between. So all are combined as by the launches on other devices.

    Work-groups wait for others of smaller numbers: this is for devices that begin them in order. */
#ifndef AMP_ALGORITHMS_SCAN_IN_ORDER_H
#define AMP_ALGORITHMS_SCAN_IN_ORDER_H

#include "look_back.h"

#define AMP_PRIV_IS_REAL(x) (AMP_PRIV_SAME(__typeof__(x), float) || AMP_PRIV_SAME(__typeof__(x), double))

/* Elements of a thread: one run of each tile. */
#define AMP_PRIV_SCAN_ITEMS(T) (sizeof(T) > 4 ? 16 : 32)
#define AMP_PRIV_SCAN_COUNT(T) (256 * (AMP_PRIV_SCAN_ITEMS(T) + 1)) /* of a part, without bank conflicts */

/* amp_priv_lane: of each tile, the results up to the end of each run; amp_priv_sum: of the group, up to each tile. Then
   their second halves have what is before groups, and the results of groups, the nearest first. */
#define AMP_PRIV_SCAN_IN_ORDER(T, names, value, operation, what, ...)                                                  \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        enum { amp_priv_parts = AMP_PRIV_SCAN_ITEMS(T) / 8, amp_priv_many_tiles };                                     \
        AMP_PRIV_TILE_STATIC(T, amp_priv_exact, AMP_PRIV_BRACKETS(AMP_PRIV_SCAN_COUNT(T)));                            \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, AMP_PRIV_BRACKETS(AMP_PRIV_SCAN_ITEMS(T) / 8 * 512));                   \
        AMP_PRIV_TILE_STATIC(T, amp_priv_sum, [512]);                                                                  \
        AMP_PRIV_TILE_STATIC(int, amp_priv_near, [2]);                                                                 \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_number = amp_priv_tile.tile.v[0], amp_priv_items = AMP_PRIV_SCAN_ITEMS(T);                  \
        const int amp_priv_at = amp_priv_number;                                                                       \
        const int amp_priv_groups = (amp_priv_step.tiles - 1) / 128 + 1;                                               \
        const int amp_priv_group = amp_priv_number * amp_priv_parts / 128;                                             \
        const int amp_priv_mine = amp_priv_number * amp_priv_parts % 128; /* the first tile, in its group */           \
        AMP_PRIV_SCAN_ITEMS_LOAD(names, value)                                                                         \
        AMP_PRIV_IN_ORDER_RUNS(operation)                                                                              \
        for (int amp_priv_q = 0; amp_priv_q < amp_priv_parts; amp_priv_q++) {                                          \
            AMP_PRIV_TILE_SCAN_LANES(amp_priv_tile, amp_priv_T, amp_priv_lane + amp_priv_q * 512, operation)           \
        }                                                                                                              \
        AMP_PRIV_IN_ORDER_TILES                                                                                        \
        AMP_PRIV_TILE_SCAN_LANES(amp_priv_tile, amp_priv_T, amp_priv_sum, operation)                                   \
        AMP_PRIV_IN_ORDER_GROUPS(operation)                                                                            \
        AMP_PRIV_IN_ORDER_RESULTS(operation)                                                                           \
        AMP_PRIV_IN_ORDER_STORE(names, what)                                                                           \
    }

/* Where element amp_priv_k of a thread's run of tile amp_priv_q is. */
#define AMP_PRIV_IN_ORDER_PLACE                                                                                        \
    const int amp_priv_j = amp_priv_q * 2048 + amp_priv_t.local.v[0] * 8 + amp_priv_k;                                 \
    const int amp_priv_place = amp_priv_j + amp_priv_j / amp_priv_items;
#define AMP_PRIV_IN_ORDER_RUNS(operation)                                                                              \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_q = 0; amp_priv_q < amp_priv_parts; amp_priv_q++) {                                          \
            amp_priv_T amp_priv_run = amp_priv_identity;                                                               \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                   \
                AMP_PRIV_IN_ORDER_PLACE                                                                                \
                if (amp_priv_k == 0)                                                                                   \
                    amp_priv_run = amp_priv_exact[amp_priv_place];                                                     \
                else                                                                                                   \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_run, amp_priv_run, amp_priv_exact[amp_priv_place], operation)\
            }                                                                                                          \
            amp_priv_lane[amp_priv_q * 512 + amp_priv_t.local.v[0]] = amp_priv_run;                                    \
        }                                                                                                              \
    }

/* The words of a value: word k is `from` the k-th row of words, of which each has `words`. status: 0 if it is there. */
#define AMP_PRIV_IN_ORDER_VALUE                                                                                        \
    union {                                                                                                            \
        amp_priv_T all;                                                                                                \
        uint16_t word[AMP_PRIV_PUBLISHED_WORDS(sizeof(amp_priv_T))];                                                   \
    } amp_priv_u;
#define AMP_PRIV_IN_ORDER_PUBLISH(first, words, number, value)                                                         \
    {                                                                                                                  \
        AMP_PRIV_IN_ORDER_VALUE                                                                                        \
        amp_priv_u.all = value;                                                                                        \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(amp_priv_T)); amp_priv_k++)         \
            amp_atomic_store(&AMP_PRIV_CELL(amp_priv_published, (first) + amp_priv_k * (words) + (number)),            \
                             amp_priv_step.own | amp_priv_u.word[amp_priv_k]);                                         \
    }
#define AMP_PRIV_IN_ORDER_PUBLISHED(first, words, number, status, value)                                               \
    {                                                                                                                  \
        AMP_PRIV_IN_ORDER_VALUE                                                                                        \
        uint32_t amp_priv_differs = 0;                                                                                 \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(amp_priv_T)); amp_priv_k++) {       \
            const uint32_t amp_priv_word =                                                                             \
                amp_atomic_load(&AMP_PRIV_CELL(amp_priv_published, (first) + amp_priv_k * (words) + (number)));        \
            amp_priv_differs |= (amp_priv_word ^ amp_priv_step.own) >> 16;                                             \
            amp_priv_u.word[amp_priv_k] = (uint16_t)amp_priv_word;                                                     \
        }                                                                                                              \
        status = amp_priv_differs;                                                                                     \
        value = amp_priv_u.all;                                                                                        \
    }
/* The results of tiles; of groups; what is before groups. */
#define AMP_PRIV_IN_ORDER_OF_TILES    0, amp_priv_step.tiles
#define AMP_PRIV_IN_ORDER_OF_GROUPS   AMP_PRIV_IN_ORDER_AFTER(0), amp_priv_groups
#define AMP_PRIV_IN_ORDER_BEFORE      AMP_PRIV_IN_ORDER_AFTER(amp_priv_groups), amp_priv_groups
#define AMP_PRIV_IN_ORDER_AFTER(more) (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(amp_priv_T)) * (amp_priv_step.tiles + (more))

/* Publishes the results of the part's tiles, and fills amp_priv_sum with those of the group, this part's last. */
#define AMP_PRIV_IN_ORDER_TILES                                                                                        \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_q = amp_priv_t.local.v[0];                                                                  \
        if (amp_priv_q < amp_priv_parts && amp_priv_number * amp_priv_parts + amp_priv_q < amp_priv_step.tiles)        \
            AMP_PRIV_IN_ORDER_PUBLISH_AS(AMP_PRIV_IN_ORDER_OF_TILES, amp_priv_number * amp_priv_parts + amp_priv_q,    \
                                         amp_priv_lane[amp_priv_q * 512 + 255])                                        \
    }                                                                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_i = amp_priv_t.local.v[0];                                                                  \
        amp_priv_T amp_priv_its = amp_priv_identity;                                                                   \
        if (amp_priv_i >= amp_priv_mine && amp_priv_i < amp_priv_mine + amp_priv_parts)                                \
            amp_priv_its = amp_priv_lane[(amp_priv_i - amp_priv_mine) * 512 + 255];                                    \
        for (uint32_t amp_priv_status = amp_priv_i < amp_priv_mine; amp_priv_status != 0;)                             \
            AMP_PRIV_IN_ORDER_PUBLISHED_AS(AMP_PRIV_IN_ORDER_OF_TILES, amp_priv_group * 128 + amp_priv_i,              \
                                           amp_priv_status, amp_priv_its)                                              \
        amp_priv_sum[amp_priv_i] = amp_priv_its;                                                                       \
    }
#define AMP_PRIV_IN_ORDER_PUBLISH_AS(...)   AMP_PRIV_IN_ORDER_PUBLISH(__VA_ARGS__)
#define AMP_PRIV_IN_ORDER_PUBLISHED_AS(...) AMP_PRIV_IN_ORDER_PUBLISHED(__VA_ARGS__)

/* amp_priv_carry: what is before the group. */
#define AMP_PRIV_IN_ORDER_GROUPS(operation)                                                                            \
    amp_priv_T amp_priv_carry = amp_priv_identity;                                                                     \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        if (amp_priv_mine + amp_priv_parts == 128)                                                                     \
            AMP_PRIV_IN_ORDER_PUBLISH_AS(AMP_PRIV_IN_ORDER_OF_GROUPS, amp_priv_group, amp_priv_sum[127])               \
    }                                                                                                                  \
    for (int amp_priv_known = amp_priv_group > 0 ? 256 : 0; amp_priv_known == 256;) {                                  \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 2) amp_priv_near[amp_priv_t.local.v[0]] = 256;               \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            const int amp_priv_back = amp_priv_t.local.v[0], amp_priv_i = amp_priv_group - 1 - amp_priv_back;          \
            amp_priv_T amp_priv_its = amp_priv_identity, amp_priv_earlier = amp_priv_identity;                         \
            uint32_t amp_priv_status = 1, amp_priv_begun = amp_priv_i > 0;                                             \
            if (amp_priv_i >= 0)                                                                                       \
                AMP_PRIV_IN_ORDER_PUBLISHED_AS(AMP_PRIV_IN_ORDER_OF_GROUPS, amp_priv_i, amp_priv_status, amp_priv_its) \
            if (amp_priv_i > 0)                                                                                        \
                AMP_PRIV_IN_ORDER_PUBLISHED_AS(AMP_PRIV_IN_ORDER_BEFORE, amp_priv_i, amp_priv_begun, amp_priv_earlier) \
            if (amp_priv_i >= 0 && amp_priv_begun == 0) amp_atomic_fetch_min(&amp_priv_near[0], amp_priv_back);        \
            if (amp_priv_status != 0) amp_atomic_fetch_min(&amp_priv_near[1], amp_priv_back);                          \
            amp_priv_sum[256 + amp_priv_back] = amp_priv_its;                                                          \
            amp_priv_lane[256 + amp_priv_back] = amp_priv_earlier;                                                     \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        if (amp_priv_near[0] < amp_priv_near[1]) amp_priv_known = amp_priv_near[0];                                    \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        if (amp_priv_known < 256) {                                                                                    \
            amp_priv_carry = amp_priv_lane[256 + amp_priv_known];                                                      \
            for (int amp_priv_k = amp_priv_known; amp_priv_k >= 0; amp_priv_k--)                                       \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_carry, amp_priv_carry, amp_priv_sum[256 + amp_priv_k], operation)\
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        if (amp_priv_group > 0 && amp_priv_mine == 0)                                                                  \
            AMP_PRIV_IN_ORDER_PUBLISH_AS(AMP_PRIV_IN_ORDER_BEFORE, amp_priv_group, amp_priv_carry)                     \
    }

/* amp_priv_before_tile: what is before tile amp_priv_q. The results up to each element take its place. */
#define AMP_PRIV_IN_ORDER_BEFORE_TILE(operation)                                                                       \
    amp_priv_T amp_priv_before_tile = amp_priv_carry;                                                                  \
    if (amp_priv_mine + amp_priv_q > 0)                                                                                \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_before_tile, amp_priv_carry,                                             \
                         amp_priv_sum[amp_priv_mine + amp_priv_q - 1], operation)
#define AMP_PRIV_IN_ORDER_RESULTS(operation)                                                                           \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_q = 0; amp_priv_q < amp_priv_parts; amp_priv_q++) {                                          \
            AMP_PRIV_IN_ORDER_BEFORE_TILE(operation)                                                                   \
            amp_priv_T amp_priv_run = amp_priv_before_tile;                                                            \
            if (amp_priv_t.local.v[0] > 0)                                                                             \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_run, amp_priv_before_tile,                                       \
                                 amp_priv_lane[amp_priv_q * 512 + amp_priv_t.local.v[0] - 1], operation)               \
            else                                                                                                       \
                amp_priv_sum[256 + amp_priv_q] = amp_priv_before_tile;                                                 \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                   \
                AMP_PRIV_IN_ORDER_PLACE                                                                                \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_run, amp_priv_run, amp_priv_exact[amp_priv_place], operation)    \
                amp_priv_exact[amp_priv_place] = amp_priv_run;                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
#define AMP_PRIV_IN_ORDER_STORE(names, what)                                                                           \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < amp_priv_items; amp_priv_k++) {                                          \
            const int amp_priv_j = amp_priv_k * 256 + amp_priv_t.local.v[0], amp_priv_earlier = amp_priv_j - 1;        \
            if (amp_priv_j < amp_priv_left) {                                                                          \
                AMP_PRIV_LINEAR(names, amp_priv_j)                                                                     \
                const amp_priv_T amp_priv_position = amp_priv_exact[amp_priv_j + amp_priv_j / amp_priv_items];         \
                const amp_priv_T amp_priv_before =                                                                     \
                    amp_priv_j % 2048 == 0 ? amp_priv_sum[256 + amp_priv_j / 2048]                                     \
                                           : amp_priv_exact[amp_priv_earlier + amp_priv_earlier / amp_priv_items];     \
                (void)amp_priv_position, (void)amp_priv_before;                                                        \
                AMP_PRIV_OUT_AT(names) = what;                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

#endif /* AMP_ALGORITHMS_SCAN_IN_ORDER_H */
