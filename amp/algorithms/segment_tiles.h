/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/segment_tiles.h - segments of integers on a GPU, in one pass (amp/algorithms/look_back.h).

    A tile has 256 threads, each 16 elements in a row. It looks back twice: for the combination since the last segment
    began, as far as the last tile in which one begins, and for the number of segments. The results of a reduction come
    together in tile_static memory, so that neighbours write them.

    Contents (search for the tag):
        >>kernel  >>lanes  >>results */
#ifndef AMP_ALGORITHMS_SEGMENT_TILES_H
#define AMP_ALGORITHMS_SEGMENT_TILES_H

#include "look_back.h"

enum { AMP_PRIV_SEGMENTS_ITEMS = 16 };

/* // >>kernel
   kind, what: as for AMP_PRIV_SEGMENTS. amp_priv_carry is what comes before the tile in its first segment,
   amp_priv_begun how many segments have begun before it. */

/* The templates of the kernels (amp/launch/template.h). */
AMP_PRIV_API const char *amp_priv_segments_tiles_text_SCAN(void);
AMP_PRIV_API const char *amp_priv_segments_tiles_text_REDUCE(void);

#define AMP_PRIV_SEGMENTS_ONE_PASS(kind, T, names, begins, value, operation, what, ...)                                \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_exact, [4352]); /* 17 for 16: without bank conflicts */                       \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_flag, [1024]);                                                         \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, [8]);                                                                   \
        AMP_PRIV_TILE_STATIC(int, amp_priv_many, [8]);                                                                 \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_scanned);                                                              \
        AMP_PRIV_PRIVATE_1(int, amp_priv_counted);                                                                     \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_mask);                                                                   \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_number = AMP_PRIV_TILE_NUMBER;                                                              \
        amp_priv_T amp_priv_carry = amp_priv_identity, amp_priv_total = amp_priv_identity;                             \
        int amp_priv_begun = 0, amp_priv_begin_here = 0;                                                               \
        int amp_priv_next = amp_priv_number; /* the tiles from here on are in amp_priv_carry, */                       \
        int amp_priv_next_many = AMP_PRIV_SEGMENTS_COUNTS_##kind ? amp_priv_number : 0; /* in amp_priv_begun */        \
        for (int amp_priv_at = amp_priv_number; amp_priv_at >= 0;) {                                                   \
            AMP_PRIV_SEGMENTS_ITEMS_LOAD(names, begins, value)                                                         \
            AMP_PRIV_SEGMENTS_ITEMS_COMBINE(T, operation)                                                              \
            if (amp_priv_at == amp_priv_number) {                                                                      \
                amp_priv_total = amp_priv_all;                                                                         \
                amp_priv_begin_here = amp_priv_all_many;                                                               \
                AMP_PRIV_PUBLISH(amp_priv_T, 0, amp_priv_all_many ? amp_priv_step.all : amp_priv_step.own,             \
                                 amp_priv_all)                                                                         \
                AMP_PRIV_PUBLISH(int, AMP_PRIV_SEGMENTS_WORDS(T), amp_priv_step.own, amp_priv_all_many)                \
            } else {                                                                                                   \
                AMP_PRIV_SEGMENTS_MISSING(operation)                                                                   \
            }                                                                                                          \
            AMP_PRIV_LOOK_BACK(T, 0, amp_priv_next, amp_priv_carry, operation)                                         \
            AMP_PRIV_SEGMENTS_LOOK_BACK_##kind(T)                                                                      \
            amp_priv_at = AMP_PRIV_LOOK_BACK_THEN(amp_priv_next > amp_priv_next_many ? amp_priv_next                   \
                                                                                     : amp_priv_next_many);            \
        }                                                                                                              \
        if (!amp_priv_begin_here)                                                                                      \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_total, amp_priv_carry, amp_priv_total, operation)                    \
        AMP_PRIV_PUBLISH(amp_priv_T, 0, amp_priv_step.all, amp_priv_total)                                             \
        AMP_PRIV_SEGMENTS_FINISH_##kind(names, operation, what)                                                        \
    }
#define AMP_PRIV_SEGMENTS_COUNTS_SCAN   0
#define AMP_PRIV_SEGMENTS_COUNTS_REDUCE 1
#define AMP_PRIV_SEGMENTS_WORDS(T)      (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(T))
#define AMP_PRIV_SEGMENTS_LOOK_BACK_SCAN(T)
#define AMP_PRIV_SEGMENTS_LOOK_BACK_REDUCE(T)                                                                          \
    {                                                                                                                  \
        const int amp_priv_identity = 0;                                                                               \
        AMP_PRIV_LOOK_BACK(int, AMP_PRIV_SEGMENTS_WORDS(T), amp_priv_next_many, amp_priv_begun, a + b)                 \
    }

/* Tile amp_priv_at has not published: what is missing of it. */
#define AMP_PRIV_SEGMENTS_MISSING(operation)                                                                           \
    if (amp_priv_at + 1 == amp_priv_next) {                                                                            \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_carry, amp_priv_all, amp_priv_carry, operation)                          \
        amp_priv_next = amp_priv_all_many ? 0 : amp_priv_at;                                                           \
    }                                                                                                                  \
    if (amp_priv_at + 1 == amp_priv_next_many) {                                                                       \
        amp_priv_begun += amp_priv_all_many;                                                                           \
        amp_priv_next_many = amp_priv_at;                                                                              \
    }

/* The elements of tile amp_priv_at, and where segments begin. Beyond the end nothing does. */
#define AMP_PRIV_SEGMENTS_ITEMS_LOAD(names, begins, value)                                                             \
    const int64_t amp_priv_first = (int64_t)amp_priv_at * 4096;                                                        \
    const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                                 \
    AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                             \
    AMP_TILE_POINTER(uint8_t) const amp_priv_byte = (AMP_TILE_POINTER(uint8_t))amp_priv_flag;                          \
    for (int amp_priv_row = 0; amp_priv_row < 16; amp_priv_row += 8)                                                   \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            amp_priv_T amp_priv_kept[8];                                                                               \
            uint32_t amp_priv_bits = 0;                                                                                \
            if (amp_priv_left >= 4096) {                                                                               \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                               \
                    const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                  \
                    AMP_PRIV_SEGMENTS_ITEM(names, begins, value)                                                       \
                }                                                                                                      \
            } else {                                                                                                   \
                for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                               \
                    const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                  \
                    amp_priv_kept[amp_priv_k] = amp_priv_identity;                                                     \
                    if (amp_priv_j < amp_priv_left) { AMP_PRIV_SEGMENTS_ITEM(names, begins, value) }                   \
                }                                                                                                      \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                   \
                const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                      \
                amp_priv_exact[amp_priv_j + amp_priv_j / 16] = amp_priv_kept[amp_priv_k];                              \
                amp_priv_byte[amp_priv_j] = (uint8_t)(amp_priv_bits >> amp_priv_k & 1);                                \
            }                                                                                                          \
        }                                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
#define AMP_PRIV_SEGMENTS_ITEM(names, begins, value)                                                                   \
    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                                 \
    amp_priv_kept[amp_priv_k] = (value);                                                                               \
    amp_priv_bits |= (amp_priv_first + amp_priv_j == 0 || (begins) ? 1u : 0u) << amp_priv_k;

/* // >>lanes
   A result, and how many segments begin, with another on its left. */
#define AMP_PRIV_SEGMENTS_AFTER(to, count, left, operation)                                                            \
    if (!(count)) AMP_PRIV_COMBINE(amp_priv_T, to, left, to, operation)

/* amp_priv_all, amp_priv_all_many: of all of the tile. amp_priv_scanned, amp_priv_counted: of what is before a thread's
   elements; amp_priv_mask: which of these begin a segment. */
#define AMP_PRIV_SEGMENTS_ITEMS_COMBINE(T, operation)                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_place = amp_priv_t.local.v[0] * 17;                                                         \
        uint32_t amp_priv_bits = 0;                                                                                    \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < 4; amp_priv_k++)                                                         \
            amp_priv_bits |= (amp_priv_flag[amp_priv_t.local.v[0] * 4 + amp_priv_k] * 0x10204080u >> 28)               \
                             << 4 * amp_priv_k;                                                                        \
        amp_priv_T amp_priv_run = amp_priv_exact[amp_priv_place];                                                      \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 1; amp_priv_k < 16; amp_priv_k++) {                                                      \
            amp_priv_T amp_priv_one = amp_priv_exact[amp_priv_place + amp_priv_k];                                     \
            AMP_PRIV_SEGMENTS_AFTER(amp_priv_one, amp_priv_bits >> amp_priv_k & 1, amp_priv_run, operation)            \
            amp_priv_run = amp_priv_one;                                                                               \
        }                                                                                                              \
        AMP_OWN(amp_priv_mask) = amp_priv_bits;                                                                        \
        AMP_OWN(amp_priv_scanned) = amp_priv_run;                                                                      \
        AMP_OWN(amp_priv_counted) = (int)AMP_PRIV_ONES(amp_priv_bits);                                                 \
    }                                                                                                                  \
    AMP_PRIV_SEGMENTS_ITEMS_SCAN(T, operation)                                                                         \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_t.local.v[0] % 32 == 31) {                                                                        \
            amp_priv_lane[amp_priv_t.local.v[0] / 32] = AMP_OWN(amp_priv_scanned);                                     \
            amp_priv_many[amp_priv_t.local.v[0] / 32] = AMP_OWN(amp_priv_counted);                                     \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_SUBGROUP_SHUFFLE(amp_priv_tile, amp_priv_t, T, amp_priv_scanned, 32, amp_priv_t.local.v[0] - 1);               \
    AMP_SUBGROUP_SHUFFLE(amp_priv_tile, amp_priv_t, int, amp_priv_counted, 32, amp_priv_t.local.v[0] - 1);             \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        amp_priv_T amp_priv_run = amp_priv_identity, amp_priv_one = AMP_OWN(amp_priv_scanned);                         \
        int amp_priv_some = 0;                                                                                         \
        AMP_PRIV_SEGMENTS_JOIN_LANES(amp_priv_run, amp_priv_some, amp_priv_t.local.v[0] / 32, operation)               \
        if (amp_priv_t.local.v[0] % 32 > 0) {                                                                          \
            AMP_PRIV_SEGMENTS_AFTER(amp_priv_one, AMP_OWN(amp_priv_counted), amp_priv_run, operation)                  \
            amp_priv_run = amp_priv_one;                                                                               \
            amp_priv_some += AMP_OWN(amp_priv_counted);                                                                \
        }                                                                                                              \
        AMP_OWN(amp_priv_scanned) = amp_priv_run;                                                                      \
        AMP_OWN(amp_priv_counted) = amp_priv_some;                                                                     \
    }                                                                                                                  \
    amp_priv_T amp_priv_all = amp_priv_identity;                                                                       \
    int amp_priv_all_many = 0;                                                                                         \
    AMP_PRIV_SEGMENTS_JOIN_LANES(amp_priv_all, amp_priv_all_many, 8, operation)

/* The threads of a sub-group, each with those before it, in steps. */
#define AMP_PRIV_SEGMENTS_ITEMS_SCAN(T, operation)                                                                     \
    {                                                                                                                  \
        AMP_PRIV_PRIVATE_1(T, amp_priv_earlier);                                                                       \
        AMP_PRIV_PRIVATE_1(int, amp_priv_its_many);                                                                    \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_back = 1; amp_priv_back < 32; amp_priv_back *= 2) {                                          \
            {                                                                                                          \
                AMP_PRIV_SUBGROUP_FETCH(amp_priv_tile, amp_priv_t, T, amp_priv_earlier, amp_priv_scanned, 32,          \
                                        amp_priv_t.local.v[0] - amp_priv_back)                                         \
            }                                                                                                          \
            {                                                                                                          \
                AMP_PRIV_SUBGROUP_FETCH(amp_priv_tile, amp_priv_t, int, amp_priv_its_many, amp_priv_counted, 32,       \
                                        amp_priv_t.local.v[0] - amp_priv_back)                                         \
            }                                                                                                          \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                if (amp_priv_t.local.v[0] % 32 >= amp_priv_back) {                                                     \
                    AMP_PRIV_SEGMENTS_AFTER(AMP_OWN(amp_priv_scanned), AMP_OWN(amp_priv_counted),                      \
                                            AMP_OWN(amp_priv_earlier), operation)                                      \
                    AMP_OWN(amp_priv_counted) += AMP_OWN(amp_priv_its_many);                                           \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_SEGMENTS_JOIN_LANES(to, count, end, operation)                                                        \
    for (int amp_priv_w = 0; amp_priv_w < (end); amp_priv_w++) {                                                       \
        amp_priv_T amp_priv_its = amp_priv_lane[amp_priv_w];                                                           \
        AMP_PRIV_SEGMENTS_AFTER(amp_priv_its, amp_priv_many[amp_priv_w], to, operation)                                \
        to = amp_priv_its;                                                                                             \
        count += amp_priv_many[amp_priv_w];                                                                            \
    }

/* // >>results */

/* Each element's, where it was; then they go to their places. */
#define AMP_PRIV_SEGMENTS_FINISH_SCAN(names, operation, what)                                                          \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_place = amp_priv_t.local.v[0] * 17;                                                         \
        amp_priv_T amp_priv_sum = AMP_OWN(amp_priv_scanned);                                                           \
        AMP_PRIV_SEGMENTS_AFTER(amp_priv_sum, AMP_OWN(amp_priv_counted), amp_priv_carry, operation)                    \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                                      \
            const uint32_t amp_priv_is_first = AMP_OWN(amp_priv_mask) >> amp_priv_k & 1;                               \
            const amp_priv_T amp_priv_before = amp_priv_is_first ? amp_priv_identity : amp_priv_sum;                   \
            amp_priv_T amp_priv_one = amp_priv_exact[amp_priv_place + amp_priv_k];                                     \
            AMP_PRIV_SEGMENTS_AFTER(amp_priv_one, amp_priv_is_first, amp_priv_sum, operation)                          \
            amp_priv_sum = amp_priv_one;                                                                               \
            (void)amp_priv_before;                                                                                     \
            amp_priv_exact[amp_priv_place + amp_priv_k] = what;                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    (void)amp_priv_begun;                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_ITEMS_STORE(names, 16)

/* Where a segment begins, the one before it is complete. These come together in amp_priv_exact, in amp_priv_listed with
   where the next one begins; the last segment of all comes after those of the last tile. */
#define AMP_PRIV_SEGMENTS_FINISH_REDUCE(names, operation, what)                                                        \
    AMP_PRIV_TILE_STATIC(uint16_t, amp_priv_listed, [4098]);                                                           \
    AMP_PRIVATE(amp_priv_T, amp_priv_item, [16]);                                                                      \
    const int64_t amp_priv_first = (int64_t)amp_priv_number * 4096;                                                    \
    const int amp_priv_is_last = amp_priv_number == amp_priv_step.tiles - 1;                                           \
    const int amp_priv_ends = amp_priv_begin_here + amp_priv_is_last;                                                  \
    AMP_PRIV_PUBLISH(int, AMP_PRIV_SEGMENTS_WORDS(amp_priv_T), amp_priv_step.all,                                      \
                     amp_priv_begun + amp_priv_begin_here)                                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_place = amp_priv_t.local.v[0] * 17;                                                         \
        amp_priv_T amp_priv_sum = AMP_OWN(amp_priv_scanned);                                                           \
        AMP_PRIV_SEGMENTS_AFTER(amp_priv_sum, AMP_OWN(amp_priv_counted), amp_priv_carry, operation)                    \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                                      \
            amp_priv_T amp_priv_one = amp_priv_exact[amp_priv_place + amp_priv_k];                                     \
            AMP_OWN(amp_priv_item, amp_priv_k) = amp_priv_sum;                                                         \
            AMP_PRIV_SEGMENTS_AFTER(amp_priv_one, AMP_OWN(amp_priv_mask) >> amp_priv_k & 1, amp_priv_sum, operation)   \
            amp_priv_sum = amp_priv_one;                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        int amp_priv_slot = AMP_OWN(amp_priv_counted);                                                                 \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++)                                                        \
            if (AMP_OWN(amp_priv_mask) >> amp_priv_k & 1) {                                                            \
                amp_priv_exact[amp_priv_slot] = AMP_OWN(amp_priv_item, amp_priv_k);                                    \
                amp_priv_listed[amp_priv_slot++] = (uint16_t)(amp_priv_t.local.v[0] * 16 + amp_priv_k);                \
            }                                                                                                          \
        if (amp_priv_is_last && amp_priv_t.local.v[0] == 0) {                                                          \
            amp_priv_exact[amp_priv_begin_here] = amp_priv_total;                                                      \
            amp_priv_listed[amp_priv_begin_here] = (uint16_t)(amp_priv_step.size - amp_priv_first);                    \
            AMP_PRIV_CELL(amp_priv_to, 0) = amp_priv_begun + amp_priv_begin_here;                                      \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_row = 0; amp_priv_row < amp_priv_ends; amp_priv_row += 256)                                      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            const int amp_priv_slot = amp_priv_row + amp_priv_t.local.v[0];                                            \
            const int amp_priv_some = amp_priv_begun + amp_priv_slot; /* the number of the segment, from 1 on */       \
            if (amp_priv_slot < amp_priv_ends && amp_priv_some > 0) {                                                  \
                const amp_priv_T amp_priv_sum = amp_priv_exact[amp_priv_slot];                                         \
                const int amp_priv_j = amp_priv_listed[amp_priv_slot] - 1;                                             \
                (void)amp_priv_j;                                                                                      \
                AMP_PRIV_SEGMENTS_LAST(what)                                                                           \
            }                                                                                                          \
        }

#endif /* AMP_ALGORITHMS_SEGMENT_TILES_H */
