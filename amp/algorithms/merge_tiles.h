/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/merge_tiles.h - the merge sort of a GPU: tiles sort blocks, and merge in tile_static memory.

    A tile of 256 threads sorts a block: each thread sorts a few elements, then threads merge two runs of the block
    until one is left. Later launches merge two runs of blocks. A separate kernel finds where each tile begins in both
    runs. The tile loads these elements, and each thread merges its part of them. An odd number of elements for each
    thread avoids bank conflicts (H200: 17 instead of 16 is 1.2 times as fast with CUDA, 1.8 times with OpenCL).

    The order of the elements is that of amp/algorithms/merge.h: the sort is stable. It sorts rows, or one row. A row
    that is longer than a block has blocks of its own. A block has several shorter rows: each has as many threads as it
    needs, rounded up to a power of two.

    Contents (search for the tag):
        >>plan  >>split  >>tiles */
#ifndef AMP_ALGORITHMS_MERGE_TILES_H
#define AMP_ALGORITHMS_MERGE_TILES_H

#include "plan.h"
#include "tile.h"

/* // >>plan */

/* Elements of `size` bytes that a thread has, so that a block fits 32 KB; 0: too large for tiles. */
#define AMP_PRIV_BLOCK_OWN(size)                                                                                       \
    ((size) <= 4     ? 17                                                                                              \
     : (size) <= 8   ? 11                                                                                              \
     : (size) <= 16  ? 7                                                                                               \
     : (size) <= 24  ? 5                                                                                               \
     : (size) <= 40  ? 3                                                                                               \
     : (size) <= 128 ? 1                                                                                               \
                     : 0)
#define AMP_PRIV_BLOCK_EACH                                                                                            \
    ((int)(AMP_PRIV_BLOCK_OWN(sizeof(AMP_PRIV_TYPE_OF(amp_priv_from))) +                                               \
           (AMP_PRIV_BLOCK_OWN(sizeof(AMP_PRIV_TYPE_OF(amp_priv_from))) == 0)))
#define AMP_PRIV_BLOCK_ARRAY(n) [n] /* which clang-format takes for Objective-C in an argument */

/* // >>split: for each tile, how many elements of the left run come before its part of the result. */

#define AMP_PRIV_BLOCK_SPLIT(row_name, ...)                                                                            \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_T;                                                            \
        const int amp_priv_first = AMP_PRIV_BLOCK_FIRST(amp_priv_i);                                                   \
        AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_BLOCK_ROW(amp_priv_i))                                                   \
        AMP_PRIV_MERGE_RUNS(amp_priv_first)                                                                            \
        AMP_PRIV_MERGE_SPLIT(AMP_PRIV_MERGE_SORT_LEFT, AMP_PRIV_MERGE_SORT_RIGHT, amp_priv_first - amp_priv_begin,     \
                             __VA_ARGS__)                                                                              \
        (void)amp_priv_r;                                                                                              \
        AMP_PRIV_CELL(amp_priv_splits, amp_priv_i) = amp_priv_l;                                                       \
    }

/* // >>tiles */

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* Where the elements of tile i begin, and its first row: `parts` tiles have 256 >> bits rows. */
#define AMP_PRIV_BLOCK_FIRST(i)                                                                                        \
    (amp_priv_in_rows ? AMP_PRIV_BLOCK_ROW(i) * amp_priv_step.row + (i) % amp_priv_step.parts * amp_priv_step.length   \
                      : (i) * amp_priv_step.length)
#define AMP_PRIV_BLOCK_ROW(i) (amp_priv_in_rows ? (i) / amp_priv_step.parts * (256 >> amp_priv_step.bits) : 0)

/* A tile makes elements amp_priv_first to amp_priv_first + amp_priv_some - 1. */
#define AMP_PRIV_BLOCK_BODY(row_name, ...)                                                                             \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_T;                                                            \
        AMP_PRIV_TILE_STATIC(AMP_PRIV_TYPE_OF(amp_priv_from), amp_priv_block,                                          \
                        AMP_PRIV_BLOCK_ARRAY(AMP_PRIV_BLOCK_EACH * 256));                                              \
        AMP_PRIVATE(amp_priv_T, amp_priv_own, AMP_PRIV_BLOCK_ARRAY(AMP_PRIV_BLOCK_EACH));                              \
        const int amp_priv_tile_number = amp_priv_tile.tile.v[0];                                                      \
        const int amp_priv_first = AMP_PRIV_BLOCK_FIRST(amp_priv_tile_number);                                         \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_whole =                                                                                     \
            amp_priv_in_rows ? (256 >> amp_priv_step.bits) * amp_priv_step.row -                                       \
                                   amp_priv_tile_number % amp_priv_step.parts * amp_priv_step.length                   \
                             : amp_priv_step.length;                                                                   \
        const int amp_priv_most = amp_priv_whole < amp_priv_step.length ? amp_priv_whole : amp_priv_step.length;       \
        const int amp_priv_some = amp_priv_rest < amp_priv_most ? amp_priv_rest : amp_priv_most;                       \
        if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                         \
        } else if (amp_priv_is_first) {                                                                                \
            AMP_PRIV_BLOCK_SORT(row_name, __VA_ARGS__)                                                                 \
        } else {                                                                                                       \
            AMP_PRIV_BLOCK_MERGE(row_name, __VA_ARGS__)                                                                \
        }                                                                                                              \
        AMP_PRIV_BLOCK_EACH_OF(AMP_AT(amp_priv_to, amp_priv_first + amp_priv_k) = amp_priv_block[amp_priv_p];)         \
    }

/* Element number amp_priv_k of the block, at its place amp_priv_p, for all of them: neighbours by neighbours. Of a
   whole block a GPU has all under way; a condition at each would make them wait for each other. */
#define AMP_PRIV_BLOCK_EACH_OF(...)                                                                                    \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_some == 256 * AMP_PRIV_BLOCK_EACH) {                                                              \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH; amp_priv_j++) {             \
                const int amp_priv_k = amp_priv_j * 256 + amp_priv_t.local.v[0], amp_priv_p = amp_priv_k;              \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        } else {                                                                                                       \
            const int amp_priv_row = amp_priv_step.row, amp_priv_room = AMP_PRIV_BLOCK_EACH << amp_priv_step.bits;     \
            (void)amp_priv_row, (void)amp_priv_room;                                                                   \
            for (int amp_priv_k = amp_priv_t.local.v[0]; amp_priv_k < amp_priv_some; amp_priv_k += 256) {              \
                const int amp_priv_p =                                                                                 \
                    amp_priv_in_rows ? amp_priv_k / amp_priv_row * amp_priv_room + amp_priv_k % amp_priv_row           \
                                     : amp_priv_k;                                                                     \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
/* A thread's element number amp_priv_j, where its row ends in the block, and how many it has. */
#define AMP_PRIV_BLOCK_MINE amp_priv_block[amp_priv_t.local.v[0] * AMP_PRIV_BLOCK_EACH + amp_priv_j]
#define AMP_PRIV_BLOCK_COUNT                                                                                           \
    const int amp_priv_line = amp_priv_in_rows ? amp_priv_t.local.v[0] >> amp_priv_step.bits : 0;                      \
    const int amp_priv_past = amp_priv_some - amp_priv_line * amp_priv_step.row;                                       \
    const int amp_priv_stop = amp_priv_in_rows ? (amp_priv_line << amp_priv_step.bits) * AMP_PRIV_BLOCK_EACH +         \
                                                     (amp_priv_past < amp_priv_step.row ? amp_priv_past                \
                                                                                        : amp_priv_step.row)           \
                                               : amp_priv_some;                                                        \
    const int amp_priv_mine = amp_priv_stop - amp_priv_t.local.v[0] * AMP_PRIV_BLOCK_EACH;
#define AMP_PRIV_BLOCK_WAIT amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

#define AMP_PRIV_BLOCK_SORT(row_name, ...)                                                                             \
    AMP_PRIV_BLOCK_EACH_OF(amp_priv_block[amp_priv_p] = AMP_AT(amp_priv_from, amp_priv_first + amp_priv_k);)           \
    AMP_PRIV_BLOCK_WAIT                                                                                                \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_BLOCK_COUNT                                                                                           \
        AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_BLOCK_ROW(amp_priv_tile_number) + amp_priv_line)                         \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH; amp_priv_j++)                   \
            if (amp_priv_j < amp_priv_mine) AMP_OWN(amp_priv_own, amp_priv_j) = AMP_PRIV_BLOCK_MINE;                   \
        AMP_PRIV_BLOCK_NETWORK(__VA_ARGS__)                                                                            \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH; amp_priv_j++)                   \
            if (amp_priv_j < amp_priv_mine) AMP_PRIV_BLOCK_MINE = AMP_OWN(amp_priv_own, amp_priv_j);                   \
    }                                                                                                                  \
    AMP_PRIV_BLOCK_WAIT                                                                                                \
    for (int amp_priv_wide = 1; amp_priv_wide < (amp_priv_in_rows ? 1 << amp_priv_step.bits : 256);                    \
         amp_priv_wide *= 2) {                                                                                         \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_BLOCK_COUNT                                                                                       \
            AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_BLOCK_ROW(amp_priv_tile_number) + amp_priv_line)                     \
            const int amp_priv_at = amp_priv_t.local.v[0] * AMP_PRIV_BLOCK_EACH;                                       \
            const int amp_priv_begin = (amp_priv_t.local.v[0] & ~(2 * amp_priv_wide - 1)) * AMP_PRIV_BLOCK_EACH;       \
            const int amp_priv_width = amp_priv_wide * AMP_PRIV_BLOCK_EACH;                                            \
            AMP_PRIV_MERGE_SIDES(amp_priv_stop)                                                                        \
            if (amp_priv_mine > 0) {                                                                                   \
                AMP_PRIV_BLOCK_THREAD_MERGES(amp_priv_at - amp_priv_begin, __VA_ARGS__)                                \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_BLOCK_STORE                                                                                           \
    }

/* A thread's elements in order, by transpositions of neighbours. */
#define AMP_PRIV_BLOCK_NETWORK(...)                                                                                    \
    AMP_PRIV_UNROLL_GPU for (int amp_priv_round = 0; amp_priv_round < AMP_PRIV_BLOCK_EACH; amp_priv_round++) {         \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH / 2; amp_priv_j++) {             \
            const int amp_priv_k = 2 * amp_priv_j + amp_priv_round % 2;                                                \
            if (amp_priv_k + 1 < AMP_PRIV_BLOCK_EACH && amp_priv_k + 1 < amp_priv_mine) {                              \
                const amp_priv_T amp_priv_left = AMP_OWN(amp_priv_own, amp_priv_k);                                    \
                const amp_priv_T amp_priv_right = AMP_OWN(amp_priv_own, amp_priv_k + 1);                               \
                int amp_priv_is;                                                                                       \
                AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, amp_priv_right, amp_priv_left, __VA_ARGS__)                  \
                AMP_OWN(amp_priv_own, amp_priv_k) = amp_priv_is ? amp_priv_right : amp_priv_left;                      \
                AMP_OWN(amp_priv_own, amp_priv_k + 1) = amp_priv_is ? amp_priv_left : amp_priv_right;                  \
            }                                                                                                          \
        }                                                                                                              \
    }

/* The thread's elements, from number `before` of the result on, of amp_priv_lefts and amp_priv_rights in the block. */
#define AMP_PRIV_BLOCK_THREAD_MERGES(before, ...)                                                                      \
    AMP_PRIV_MERGE_SPLIT(AMP_PRIV_BLOCK_LEFT_HERE, AMP_PRIV_BLOCK_RIGHT_HERE, before, __VA_ARGS__)                     \
    amp_priv_T amp_priv_left = AMP_PRIV_BLOCK_LEFT_HERE(amp_priv_l < amp_priv_lefts ? amp_priv_l : 0);                 \
    amp_priv_T amp_priv_right =                                                                                        \
        AMP_PRIV_BLOCK_RIGHT_HERE(amp_priv_r < amp_priv_rights ? amp_priv_r : -amp_priv_lefts);                        \
    AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH; amp_priv_j++) {                     \
        int amp_priv_is;                                                                                               \
        AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, amp_priv_right, amp_priv_left, __VA_ARGS__)                          \
        if (amp_priv_r < amp_priv_rights && (amp_priv_l >= amp_priv_lefts || amp_priv_is)) {                           \
            AMP_OWN(amp_priv_own, amp_priv_j) = amp_priv_right;                                                        \
            amp_priv_r++;                                                                                              \
            if (amp_priv_r < amp_priv_rights) amp_priv_right = AMP_PRIV_BLOCK_RIGHT_HERE(amp_priv_r);                  \
        } else {                                                                                                       \
            AMP_OWN(amp_priv_own, amp_priv_j) = amp_priv_left;                                                         \
            amp_priv_l++;                                                                                              \
            if (amp_priv_l < amp_priv_lefts) amp_priv_left = AMP_PRIV_BLOCK_LEFT_HERE(amp_priv_l);                     \
        }                                                                                                              \
    }
#define AMP_PRIV_BLOCK_LEFT_HERE(i)  amp_priv_block[amp_priv_begin + (i)]
#define AMP_PRIV_BLOCK_RIGHT_HERE(j) amp_priv_block[amp_priv_begin + amp_priv_lefts + (j)]
#define AMP_PRIV_BLOCK_STORE                                                                                           \
    AMP_PRIV_BLOCK_WAIT                                                                                                \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_BLOCK_COUNT                                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_BLOCK_EACH; amp_priv_j++)                   \
            if (amp_priv_j < amp_priv_mine) AMP_PRIV_BLOCK_MINE = AMP_OWN(amp_priv_own, amp_priv_j);                   \
    }                                                                                                                  \
    AMP_PRIV_BLOCK_WAIT

/* What the tile needs of the left run comes first in the block, then what it needs of the right one. */
#define AMP_PRIV_BLOCK_MERGE(row_name, ...)                                                                            \
    AMP_PRIV_MERGE_RUNS(amp_priv_first)                                                                                \
    const int amp_priv_before = amp_priv_first - amp_priv_begin, amp_priv_after = amp_priv_before + amp_priv_some;     \
    const int amp_priv_left_first = AMP_PRIV_CELL(amp_priv_splits, amp_priv_tile_number);                              \
    const int amp_priv_left_end = amp_priv_after == amp_priv_lefts + amp_priv_rights                                   \
                                      ? amp_priv_lefts                                                                 \
                                      : AMP_PRIV_CELL(amp_priv_splits, amp_priv_tile_number + 1);                      \
    const int amp_priv_here = amp_priv_left_end - amp_priv_left_first;                                                 \
    const int amp_priv_right_first = amp_priv_lefts + amp_priv_before - amp_priv_left_first - amp_priv_here;           \
    AMP_PRIV_BLOCK_EACH_OF(                                                                                            \
        amp_priv_block[amp_priv_p] = AMP_AT(                                                                           \
            amp_priv_from,                                                                                             \
            amp_priv_begin + amp_priv_k + (amp_priv_k < amp_priv_here ? amp_priv_left_first : amp_priv_right_first));) \
    AMP_PRIV_BLOCK_WAIT                                                                                                \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_at = amp_priv_t.local.v[0] * AMP_PRIV_BLOCK_EACH;                                           \
        AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_BLOCK_ROW(amp_priv_tile_number))                                         \
        AMP_PRIV_BLOCK_MERGE_HERE(__VA_ARGS__)                                                                         \
    }                                                                                                                  \
    AMP_PRIV_BLOCK_STORE
#define AMP_PRIV_BLOCK_MERGE_HERE(...)                                                                                 \
    const int amp_priv_rights_here = amp_priv_some - amp_priv_here;                                                    \
    if (amp_priv_at < amp_priv_some) {                                                                                 \
        const int amp_priv_begin = 0, amp_priv_lefts = amp_priv_here, amp_priv_rights = amp_priv_rights_here;          \
        AMP_PRIV_BLOCK_THREAD_MERGES(amp_priv_at, __VA_ARGS__)                                                         \
    }

/* clang-format on */

#endif /* AMP_ALGORITHMS_MERGE_TILES_H */
