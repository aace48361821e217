/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort_tiles.h - the radix sort of a GPU: one pass over the elements for each digit.

    A first launch counts the digits of all keys. Then a launch for each digit sorts: a tile reads some thousand
    elements, counts their digits and publishes the counts, before it ranks its elements. Then it adds up the counts of
    the tiles before it (decoupled look-back), back to a tile that has published the sum up to there. So it knows where
    its elements go. It sorts them in tile_static memory first, so that neighbouring threads write neighbouring
    elements.

    No tile has to wait for another: if a tile has not published its counts after some tries, the tile that needs them
    counts the other one's keys.

    Contents (search for the tag):
        >>shape  >>digits  >>sweep  >>values */
#ifndef AMP_ALGORITHMS_SORT_TILES_H
#define AMP_ALGORITHMS_SORT_TILES_H

#include "plan.h"
#include "tile.h"

/* // >>shape
   Of elements with keys and values of these sizes; a value size of 0: keys alone. */

/* Bytes of tile_static memory for an element, while it goes through that: its key, or its value if that has no more
   than 8. */
#define AMP_PRIV_SORT_WIDTH(key_size, value_size) ((key_size) > 4 || ((value_size) > 4 && (value_size) <= 8) ? 8 : 4)
/* Threads of a tile, and elements of a thread: the fastest on an H200. Neighbouring choices differ by up to 2.7 times
   (docs/internals/performance-notes.md). */
#define AMP_PRIV_SORT_THREADS(key_size, value_size)                                                                    \
    (AMP_PRIV_SORT_WIDTH(key_size, value_size) == 4 || (value_size) > 0 ? 384 : 256)
#define AMP_PRIV_SORT_EACH(key_size, value_size)                                                                       \
    (AMP_PRIV_SORT_WIDTH(key_size, value_size) == 4 ? 24 : (value_size) > 0 ? 10 : 20)

/* The same in kernels. has: 1 if there are values, else 0. */
#define AMP_PRIV_SORT_KEY          AMP_PRIV_TYPE_OF(amp_priv_from)
#define AMP_PRIV_SORT_VALUE_SIZE_0 0
#define AMP_PRIV_SORT_VALUE_SIZE_1 sizeof(AMP_PRIV_TYPE_OF(amp_priv_old))
#define AMP_PRIV_SORT_OF(has, X)   X(sizeof(AMP_PRIV_SORT_KEY), AMP_PRIV_SORT_VALUE_SIZE_##has)
#define AMP_PRIV_SORT_WIDE(has)    ((int)AMP_PRIV_SORT_OF(has, AMP_PRIV_SORT_THREADS))
#define AMP_PRIV_SORT_OWN(has)     ((int)AMP_PRIV_SORT_OF(has, AMP_PRIV_SORT_EACH))
#define AMP_PRIV_SORT_SOME(has)    (AMP_PRIV_SORT_WIDE(has) * AMP_PRIV_SORT_OWN(has))

/* A key as an unsigned number of the same order, and back. */
#define AMP_PRIV_SORT_FLIPS                                                                                            \
    const amp_priv_key amp_priv_flip = (amp_priv_key)(amp_priv_step.flip ^ amp_priv_step.all);                         \
    const amp_priv_key amp_priv_negative = (amp_priv_key)amp_priv_step.negative;
#define AMP_PRIV_SORT_ORDERED(bits)                                                                                    \
    ((amp_priv_key)((bits) ^ amp_priv_flip ^                                                                           \
                    ((amp_priv_key)(0 - ((bits) >> (8 * sizeof(amp_priv_key) - 1))) & amp_priv_negative)))
#define AMP_PRIV_SORT_BACK(ordered)                                                                                    \
    ((amp_priv_key)((ordered) ^ amp_priv_flip ^                                                                        \
                    ((amp_priv_key)(((amp_priv_key)((ordered) ^ amp_priv_all) >> (8 * sizeof(amp_priv_key) - 1)) - 1) &\
                     amp_priv_negative)))

/* A thread's n elements, NUMBER for each amp_priv_k, of `some` from `first` on, of which `whole` is the most; what is
   not there stays. A condition at each would have them come one after the other. */
#define AMP_PRIV_SORT_FETCH(n, whole, own, from, first, NUMBER, some)                                                  \
    if ((some) >= (whole)) {                                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < (n); amp_priv_k++)                                   \
            own = AMP_AT(from, (first) + NUMBER);                                                                      \
    } else {                                                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < (n); amp_priv_k++)                                   \
            if (NUMBER < (some)) own = AMP_AT(from, (first) + NUMBER);                                                 \
    }
#define AMP_PRIV_SORT_WAIT amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* // >>digits
   Each of amp_priv_step.groups tiles counts the digits of its keys, 4096 at a time. amp_priv_published begins with
   their counts: for each tile, digit and value of the digit, how many keys have a smaller value. The words that tiles
   of the first sweep publish become 0. */

#define AMP_PRIV_SORT_DIGITS_BODY                                                                                      \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_count, AMP_PRIV_BRACKETS(256 * sizeof(AMP_PRIV_SORT_KEY)));            \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_sum, [8]);                                                             \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_mine);                                                                   \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_up);                                                                     \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        const int amp_priv_group = amp_priv_tile.tile.v[0], amp_priv_bytes = (int)sizeof(amp_priv_key);                \
        const int amp_priv_groups = amp_priv_step.groups, amp_priv_parts = (amp_priv_step.size - 1) / 4096 + 1;        \
        if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                         \
        } else {                                                                                                       \
            AMP_PRIV_SORT_DIGITS_ALL                                                                                   \
            AMP_PRIV_SORT_DIGITS_SUMS                                                                                  \
        }                                                                                                              \
    }
#define AMP_PRIV_SORT_DIGITS_ALL                                                                                       \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_bytes; amp_priv_b++)                                            \
            amp_priv_count[amp_priv_b * 256 + amp_priv_t.local.v[0]] = 0;                                              \
        for (int amp_priv_i = amp_priv_group; amp_priv_i < amp_priv_step.tiles; amp_priv_i += amp_priv_groups)         \
            AMP_PRIV_CELL(amp_priv_published, amp_priv_step.here + amp_priv_i * 256 + amp_priv_t.local.v[0]) = 0;      \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT                                                                                                 \
    for (int amp_priv_part = amp_priv_group; amp_priv_part < amp_priv_parts; amp_priv_part += amp_priv_groups)         \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { AMP_PRIV_SORT_DIGITS_COUNT }                                     \
    AMP_PRIV_SORT_WAIT
#define AMP_PRIV_SORT_DIGITS_SUMS                                                                                      \
    for (int amp_priv_b = 0; amp_priv_b < amp_priv_bytes; amp_priv_b++) {                                              \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_OWN(amp_priv_up) = AMP_OWN(amp_priv_mine) =                                                            \
                amp_priv_count[amp_priv_b * 256 + amp_priv_t.local.v[0]];                                              \
        }                                                                                                              \
        AMP_PRIV_SORT_UP(amp_priv_up)                                                                                  \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_CELL(amp_priv_published,                                                                          \
                   (amp_priv_group * amp_priv_bytes + amp_priv_b) * 256 + amp_priv_t.local.v[0]) =                     \
                AMP_PRIV_SORT_UP_TO(amp_priv_up) - AMP_OWN(amp_priv_mine);                                             \
        }                                                                                                              \
        AMP_PRIV_SORT_WAIT                                                                                             \
    }
#define AMP_PRIV_SORT_DIGITS_COUNT                                                                                     \
    const int amp_priv_base = amp_priv_part * 4096, amp_priv_left = amp_priv_step.size - amp_priv_base;                \
    amp_priv_key amp_priv_own[16];                                                                                     \
    AMP_PRIV_SORT_FETCH(16, 4096, amp_priv_own[amp_priv_k], amp_priv_from, amp_priv_base,                              \
                        (amp_priv_t.local.v[0] + amp_priv_k * 256), amp_priv_left)                                     \
    AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                      \
        if (amp_priv_t.local.v[0] + amp_priv_k * 256 >= amp_priv_left) break;                                          \
        const amp_priv_key amp_priv_bits = AMP_PRIV_SORT_ORDERED(amp_priv_own[amp_priv_k]);                            \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_b = 0; amp_priv_b < (int)sizeof(amp_priv_key); amp_priv_b++) {           \
            const int amp_priv_digit = (int)(amp_priv_bits >> 8 * amp_priv_b) & 255;                                   \
            amp_atomic_fetch_add(&amp_priv_count[amp_priv_b * 256 + amp_priv_digit], 1u);                              \
        }                                                                                                              \
    }

/* From each thread's number to the sum up to it, of the first 256 threads of a tile; UP_TO is that sum. */
#define AMP_PRIV_SORT_UP(up)                                                                                           \
    AMP_SUBGROUP_SCAN_SUM(amp_priv_tile, uint32_t, up, 32);                                                            \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_t.local.v[0] % 32 == 31 && amp_priv_t.local.v[0] < 256)                                           \
            amp_priv_sum[amp_priv_t.local.v[0] / 32] = AMP_OWN(up);                                                    \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT
#define AMP_PRIV_SORT_UP_TO(up)                                                                                        \
    __extension__({                                                                                                    \
        uint32_t amp_priv_s = AMP_OWN(up);                                                                             \
        for (int amp_priv_w = 0; amp_priv_w < amp_priv_t.local.v[0] / 32; amp_priv_w++)                                \
            amp_priv_s += amp_priv_sum[amp_priv_w];                                                                    \
        amp_priv_s;                                                                                                    \
    })

/* // >>sweep
   Sorts by one digit. Each 32 threads have elements that lie in a row, and take them 32 at a time. Of these, each finds
   those with its digit: it sets its bit in a word that is the digit's. So it knows how many come before it.

   A tile publishes a word for each value of the digit: 0 while it is not known; one more than the tile's count; or the
   sum up to the tile's end with the first bit set, which includes the elements with a smaller value. The tiles of this
   sweep publish from amp_priv_step.here on; words from amp_priv_step.other on become 0 for the next one. */

#define AMP_PRIV_SORT_MASKS 2 /* words of a digit, by turns, so that one is 0 again when it is wanted */
/* Of keys, of values, or of counts and masks, in words of 64 bits. clspv takes no accesses of less than 32 bits to what
   has another type: so smaller keys have 32 bits there, and in place of smaller values there are numbers. */
#define AMP_PRIV_SORT_ROOM(has)                                                                                        \
    (AMP_PRIV_SORT_SOME(has) * (int)AMP_PRIV_SORT_OF(has, AMP_PRIV_SORT_WIDTH) / 8 <                                   \
             (1 + AMP_PRIV_SORT_MASKS) * 4 * AMP_PRIV_SORT_WIDE(has)                                                   \
         ? (1 + AMP_PRIV_SORT_MASKS) * 4 * AMP_PRIV_SORT_WIDE(has)                                                     \
         : AMP_PRIV_SORT_SOME(has) * (int)AMP_PRIV_SORT_OF(has, AMP_PRIV_SORT_WIDTH) / 8)

#define AMP_PRIV_SORT_SWEEP_BODY(has)                                                                                  \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        typedef __typeof__((amp_priv_key)0 + 0u) amp_priv_wide;                                                        \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_room, AMP_PRIV_BRACKETS(2 * AMP_PRIV_SORT_ROOM(has)));                 \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_extra, [256]);                                                         \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_sum, [8]);                                                             \
        AMP_PRIV_TILE_STATIC(int, amp_priv_begin, [256]);                                                              \
        AMP_PRIV_TILE_STATIC(int, amp_priv_missing, [2]);                                                              \
        AMP_PRIV_TILE_STATIC(int, amp_priv_same_digit, [1]);                                                           \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        const amp_priv_key amp_priv_all = (amp_priv_key)amp_priv_step.all;                                             \
        const amp_priv_key amp_priv_greatest = AMP_PRIV_SORT_BACK((amp_priv_key)~(amp_priv_key)0);                     \
        AMP_TILE_POINTER(amp_priv_wide) const amp_priv_keys = (AMP_TILE_POINTER(amp_priv_wide))amp_priv_room;          \
        AMP_TILE_POINTER(uint32_t) const amp_priv_count = amp_priv_room;                                               \
        AMP_TILE_POINTER(uint32_t) const amp_priv_same = amp_priv_count + 8 * AMP_PRIV_SORT_WIDE(has);                 \
        AMP_PRIVATE(amp_priv_key, amp_priv_own, AMP_PRIV_BRACKETS(AMP_PRIV_SORT_OWN(has)));                            \
        AMP_PRIVATE(uint32_t, amp_priv_place, AMP_PRIV_BRACKETS(AMP_PRIV_SORT_OWN(has) / 2 + 1));                      \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_mine);                                                                   \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_up);                                                                     \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_before);                                                                 \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_alike);                                                                  \
        AMP_PRIV_PRIVATE_1(int, amp_priv_next);                                                                        \
        AMP_PRIV_SORT_VALUES_##has                                                                                     \
        const int amp_priv_number = amp_priv_step.reversed ? amp_priv_step.tiles - 1 - amp_priv_tile.tile.v[0]         \
                                                           : amp_priv_tile.tile.v[0];                                  \
        const int amp_priv_first = amp_priv_number * AMP_PRIV_SORT_SOME(has);                                          \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_some = amp_priv_rest < AMP_PRIV_SORT_SOME(has) ? amp_priv_rest : AMP_PRIV_SORT_SOME(has);   \
        if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                         \
        } else {                                                                                                       \
            AMP_PRIV_SORT_LOAD(has)                                                                                    \
            AMP_PRIV_SORT_COUNT(has)                                                                                   \
            AMP_PRIV_SORT_RANK(has)                                                                                    \
            AMP_PRIV_SORT_LOOK_BACK(has)                                                                               \
            AMP_PRIV_SORT_STORE(has)                                                                                   \
            AMP_PRIV_SORT_FOLLOW_##has                                                                                 \
        }                                                                                                              \
    }

/* A thread's element number k, and the count of its digit, in the tile. */
#define AMP_PRIV_SORT_NUMBER(has)                                                                                      \
    ((amp_priv_t.local.v[0] & ~31) * AMP_PRIV_SORT_OWN(has) + (amp_priv_t.local.v[0] & 31) + 32 * amp_priv_k)
#define AMP_PRIV_SORT_COUNTED                                                                                          \
    ((amp_priv_t.local.v[0] & ~31) * 8 + ((int)(AMP_OWN(amp_priv_own, amp_priv_k) >> amp_priv_step.shift) & 255))

/* Small numbers, one for each k, n of them in a word. */
#define AMP_PRIV_SORT_PACK(words, n, number)                                                                           \
    AMP_OWN(words, amp_priv_k / n) =                                                                                   \
        amp_priv_k % n ? AMP_OWN(words, amp_priv_k / n) | (number) << amp_priv_k % n * (32 / n) : (number);
#define AMP_PRIV_SORT_PACKED(words, n)                                                                                 \
    (AMP_OWN(words, amp_priv_k / n) >> amp_priv_k % n * (32 / n) & (0xffffffffu >> (32 - 32 / n)))

/* Beyond the end all have the greatest key, so that they come last. */
#define AMP_PRIV_SORT_LOAD(has)                                                                                        \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            AMP_OWN(amp_priv_own, amp_priv_k) = amp_priv_greatest;                                                     \
        AMP_PRIV_SORT_FETCH(AMP_PRIV_SORT_OWN(has), AMP_PRIV_SORT_SOME(has), AMP_OWN(amp_priv_own, amp_priv_k),        \
                            amp_priv_from, amp_priv_first, AMP_PRIV_SORT_NUMBER(has), amp_priv_some)                   \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            AMP_OWN(amp_priv_own, amp_priv_k) = AMP_PRIV_SORT_ORDERED(AMP_OWN(amp_priv_own, amp_priv_k));              \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < (1 + AMP_PRIV_SORT_MASKS) * 8; amp_priv_k++)         \
            amp_priv_count[amp_priv_k * AMP_PRIV_SORT_WIDE(has) + amp_priv_t.local.v[0]] = 0;                          \
        if (amp_priv_t.local.v[0] < 256) amp_priv_extra[amp_priv_t.local.v[0]] = 0;                                    \
        if (amp_priv_t.local.v[0] < 2) amp_priv_missing[amp_priv_t.local.v[0]] = -1;                                   \
        if (amp_priv_t.local.v[0] == 2) amp_priv_same_digit[0] = 0;                                                    \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT

/* Publishes how many elements have each digit. From counts of 32 threads to the number of elements before theirs. */
#define AMP_PRIV_SORT_COUNT(has)                                                                                       \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            amp_atomic_fetch_add(&amp_priv_count[AMP_PRIV_SORT_COUNTED], 1u);                                          \
        AMP_OWN(amp_priv_mine) = 0;                                                                                    \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT                                                                                                 \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 256) {                                                           \
        const int amp_priv_d = amp_priv_t.local.v[0];                                                                  \
        uint32_t amp_priv_all_mine = 0;                                                                                \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_WIDE(has) / 32; amp_priv_k++)          \
            amp_priv_all_mine += amp_priv_count[amp_priv_k * 256 + amp_priv_d];                                        \
        AMP_OWN(amp_priv_mine) = amp_priv_all_mine;                                                                    \
        if (amp_priv_all_mine == (uint32_t)AMP_PRIV_SORT_SOME(has)) amp_priv_same_digit[0] = 1;                        \
        AMP_OWN(amp_priv_next) = amp_priv_number - 1;                                                                  \
        AMP_OWN(amp_priv_before) = 0;                                                                                  \
        if (amp_priv_number == 0) AMP_OWN(amp_priv_before) = AMP_PRIV_SORT_SMALLER(has, amp_priv_d);                   \
        amp_atomic_store(&AMP_PRIV_CELL(amp_priv_published, amp_priv_step.here + amp_priv_number * 256 + amp_priv_d),  \
                         amp_priv_number == 0 ? 0x80000000u | (AMP_OWN(amp_priv_before) + amp_priv_all_mine)           \
                                              : amp_priv_all_mine + 1);                                                \
        AMP_PRIV_CELL(amp_priv_published, amp_priv_step.other + amp_priv_number * 256 + amp_priv_d) = 0;               \
    }                                                                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { AMP_OWN(amp_priv_up) = AMP_OWN(amp_priv_mine); }                     \
    AMP_PRIV_SORT_UP(amp_priv_up)                                                                                      \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 256) {                                                           \
        uint32_t amp_priv_run = AMP_PRIV_SORT_UP_TO(amp_priv_up) - AMP_OWN(amp_priv_mine);                             \
        AMP_OWN(amp_priv_up) = amp_priv_run;                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_WIDE(has) / 32; amp_priv_k++) {        \
            const uint32_t amp_priv_seen = amp_priv_count[amp_priv_k * 256 + amp_priv_t.local.v[0]];                   \
            amp_priv_count[amp_priv_k * 256 + amp_priv_t.local.v[0]] = amp_priv_run;                                   \
            amp_priv_run += amp_priv_seen;                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT
/* How many of all elements have a smaller digit than d. The number of groups is a multiple of 8. */
#define AMP_PRIV_SORT_SMALLER(has, d)                                                                                  \
    __extension__({                                                                                                    \
        uint32_t amp_priv_s = 0;                                                                                       \
        for (int amp_priv_g = 0; amp_priv_g < amp_priv_step.groups; amp_priv_g += 8) {                                 \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                 \
                amp_priv_s +=                                                                                          \
                    AMP_PRIV_CELL(amp_priv_published, ((amp_priv_g + amp_priv_k) * (int)sizeof(amp_priv_key) +         \
                                                          amp_priv_step.shift / 8) * 256 + (d));                       \
        }                                                                                                              \
        amp_priv_s;                                                                                                    \
    })

/* If all have the same digit, they are in order. */
#define AMP_PRIV_SORT_RANK(has)                                                                                        \
    if (amp_priv_same_digit[0]) {                                                                                      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {          \
                const uint32_t amp_priv_number_here = (uint32_t)AMP_PRIV_SORT_NUMBER(has);                             \
                AMP_PRIV_SORT_PACK(amp_priv_place, 2, amp_priv_number_here)                                            \
            }                                                                                                          \
        }                                                                                                              \
    } else {                                                                                                           \
        AMP_PRIV_SORT_RANK_ALL(has)                                                                                    \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT                                                                                                 \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            amp_priv_keys[AMP_PRIV_SORT_PACKED(amp_priv_place, 2)] = AMP_OWN(amp_priv_own, amp_priv_k);                \
    }
#define AMP_PRIV_SORT_RANK_ALL(has)                                                                                    \
    AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {                  \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            amp_atomic_fetch_or(&amp_priv_same[AMP_PRIV_SORT_MASK(has) + AMP_PRIV_SORT_COUNTED],                       \
                                1u << (amp_priv_t.local.v[0] & 31));                                                   \
        }                                                                                                              \
        AMP_PRIV_SORT_NEAR_WAIT;                                                                                       \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            const int amp_priv_c = AMP_PRIV_SORT_COUNTED, amp_priv_me = amp_priv_t.local.v[0] & 31;                    \
            const uint32_t amp_priv_all_same = amp_priv_same[AMP_PRIV_SORT_MASK(has) + amp_priv_c];                    \
            const uint32_t amp_priv_lower = amp_priv_all_same & ((1u << amp_priv_me) - 1);                             \
            AMP_OWN(amp_priv_alike) = amp_priv_all_same;                                                               \
            const uint32_t amp_priv_rank = amp_priv_count[amp_priv_c] + AMP_PRIV_ONES(amp_priv_lower);                 \
            AMP_PRIV_SORT_PACK(amp_priv_place, 2, amp_priv_rank)                                                       \
        }                                                                                                              \
        AMP_PRIV_SORT_NEAR_WAIT;                                                                                       \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            if (AMP_OWN(amp_priv_alike) >> (amp_priv_t.local.v[0] & 31) == 1) { /* the last of them */                 \
                amp_priv_same[AMP_PRIV_SORT_MASK(has) + AMP_PRIV_SORT_COUNTED] = 0;                                    \
                amp_priv_count[AMP_PRIV_SORT_COUNTED] = AMP_PRIV_SORT_PACKED(amp_priv_place, 2) + 1;                   \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_SORT_MASK(has) (amp_priv_k % AMP_PRIV_SORT_MASKS * 8 * AMP_PRIV_SORT_WIDE(has))
/* Those 32 threads wait for each other, where the target knows that they run together; the tile's, elsewhere. */
#define AMP_PRIV_SORT_NEAR_WAIT                                                                                        \
    AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_near_wait(amp_priv_together(amp_priv_threads_0))")

/* A thread adds up the counts of a digit of the tiles from amp_priv_next on, back to one that knows its sum. If that
   fails for some digit, all threads count the keys of the last tile that is missing, amp_priv_at; and so on. */
#define AMP_PRIV_SORT_LOOK_BACK(has)                                                                                   \
    for (int amp_priv_at = -1, amp_priv_side = 0, amp_priv_goes_on = 1; amp_priv_goes_on;) {                           \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            const int amp_priv_end = amp_priv_at < 0 ? 0 : AMP_PRIV_SORT_SOME(has);                                    \
            for (int amp_priv_k = amp_priv_t.local.v[0]; amp_priv_k < amp_priv_end;                                    \
                 amp_priv_k += AMP_PRIV_SORT_WIDE(has)) {                                                              \
                const amp_priv_key amp_priv_bits =                                                                     \
                    AMP_AT(amp_priv_from, amp_priv_at * AMP_PRIV_SORT_SOME(has) + amp_priv_k);                         \
                amp_atomic_fetch_add(                                                                                  \
                    &amp_priv_extra[(int)(AMP_PRIV_SORT_ORDERED(amp_priv_bits) >> amp_priv_step.shift) & 255], 1u);    \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_SORT_WAIT                                                                                             \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 256) {                                                       \
            const int amp_priv_d = amp_priv_t.local.v[0];                                                              \
            AMP_PRIV_SORT_LOOK(has)                                                                                    \
            amp_priv_extra[amp_priv_d] = 0;                                                                            \
            if (amp_priv_d == 0) amp_priv_missing[1 - amp_priv_side] = -1;                                             \
        }                                                                                                              \
        AMP_PRIV_SORT_WAIT                                                                                             \
        amp_priv_at = amp_priv_missing[amp_priv_side];                                                                 \
        amp_priv_goes_on = amp_priv_at >= 0;                                                                           \
        amp_priv_side = 1 - amp_priv_side;                                                                             \
    }
/* Without branches: clspv ends a loop after its first turn where one of several branches leaves it. */
#define AMP_PRIV_SORT_LOOK(has)                                                                                        \
    if (amp_priv_at >= 0 && AMP_OWN(amp_priv_next) == amp_priv_at) {                                                   \
        AMP_OWN(amp_priv_before) += amp_priv_extra[amp_priv_d];                                                        \
        AMP_OWN(amp_priv_next)--;                                                                                      \
        if (amp_priv_at == 0) AMP_OWN(amp_priv_before) += AMP_PRIV_SORT_SMALLER(has, amp_priv_d);                      \
    }                                                                                                                  \
    for (int amp_priv_tries = 0; AMP_OWN(amp_priv_next) >= 0 && amp_priv_tries < amp_priv_step.tries;) {               \
        const int amp_priv_word = amp_priv_step.here + AMP_OWN(amp_priv_next) * 256 + amp_priv_d;                      \
        const uint32_t amp_priv_its = amp_atomic_load(&AMP_PRIV_CELL(amp_priv_published, amp_priv_word));              \
        const bool amp_priv_is_sum = amp_priv_its >> 31;                                                               \
        AMP_OWN(amp_priv_before) +=                                                                                    \
            amp_priv_is_sum ? amp_priv_its & 0x7fffffffu : amp_priv_its - (amp_priv_its != 0);                         \
        AMP_OWN(amp_priv_next) = amp_priv_is_sum ? -1 : AMP_OWN(amp_priv_next) - (amp_priv_its != 0);                  \
        amp_priv_tries = amp_priv_its ? 0 : amp_priv_tries + 1;                                                        \
    }                                                                                                                  \
    if (AMP_OWN(amp_priv_next) >= 0) {                                                                                 \
        amp_atomic_fetch_max(&amp_priv_missing[amp_priv_side], AMP_OWN(amp_priv_next));                                \
    } else {                                                                                                           \
        amp_atomic_store(&AMP_PRIV_CELL(amp_priv_published, amp_priv_step.here + amp_priv_number * 256 + amp_priv_d),  \
                         0x80000000u | (AMP_OWN(amp_priv_before) + AMP_OWN(amp_priv_mine)));                           \
        amp_priv_begin[amp_priv_d] = (int)(AMP_OWN(amp_priv_before) - AMP_OWN(amp_priv_up));                           \
    }

#define AMP_PRIV_SORT_STORE(has)                                                                                       \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_SORT_AHEAD_##has                                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            const int amp_priv_p = amp_priv_k * AMP_PRIV_SORT_WIDE(has) + amp_priv_t.local.v[0];                       \
            const amp_priv_key amp_priv_bits = (amp_priv_key)amp_priv_keys[amp_priv_p];                                \
            const uint32_t amp_priv_digit = (uint32_t)(amp_priv_bits >> amp_priv_step.shift) & 255;                    \
            AMP_PRIV_SORT_KEEP_##has                                                                                   \
            if (amp_priv_p < amp_priv_some)                                                                            \
                AMP_AT(amp_priv_to, amp_priv_begin[amp_priv_digit] + amp_priv_p) = AMP_PRIV_SORT_BACK(amp_priv_bits);  \
        }                                                                                                              \
    }

/* // >>values
   Values, or their numbers in the tile, come where keys were. */

#define AMP_PRIV_SORT_BY_NUMBER (sizeof(amp_priv_value) > 8 || sizeof(amp_priv_value) % 4 != 0)
#define AMP_PRIV_SORT_VALUES_0
#define AMP_PRIV_SORT_KEEP_0
#define AMP_PRIV_SORT_AHEAD_0
#define AMP_PRIV_SORT_FOLLOW_0
#define AMP_PRIV_SORT_VALUES_1                                                                                         \
    typedef AMP_PRIV_TYPE_OF(amp_priv_old) amp_priv_value;                                                             \
    AMP_TILE_POINTER(amp_priv_value) const amp_priv_values = (AMP_TILE_POINTER(amp_priv_value))amp_priv_room;          \
    AMP_TILE_POINTER(uint32_t) const amp_priv_number_of = amp_priv_room;                                               \
    AMP_PRIVATE(amp_priv_value, amp_priv_moved, AMP_PRIV_BRACKETS(AMP_PRIV_SORT_OWN(1)));                              \
    AMP_PRIVATE(uint32_t, amp_priv_digits, AMP_PRIV_BRACKETS(AMP_PRIV_SORT_OWN(1) / 4 + 1));
/* While keys are written, values are on their way. */
#define AMP_PRIV_SORT_AHEAD_1                                                                                          \
    if (!AMP_PRIV_SORT_BY_NUMBER) {                                                                                    \
        AMP_PRIV_SORT_FETCH(AMP_PRIV_SORT_OWN(1), AMP_PRIV_SORT_SOME(1), AMP_OWN(amp_priv_moved, amp_priv_k),          \
                            amp_priv_old, amp_priv_first, AMP_PRIV_SORT_NUMBER(1), amp_priv_some)                      \
    }
#define AMP_PRIV_SORT_KEEP_1 AMP_PRIV_SORT_PACK(amp_priv_digits, 4, amp_priv_digit)
#define AMP_PRIV_SORT_FOLLOW_1                                                                                         \
    AMP_PRIV_SORT_WAIT                                                                                                 \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(1); amp_priv_k++) {                \
            const int amp_priv_p = AMP_PRIV_SORT_NUMBER(1);                                                            \
            const uint32_t amp_priv_there = AMP_PRIV_SORT_PACKED(amp_priv_place, 2);                                   \
            if (AMP_PRIV_SORT_BY_NUMBER)                                                                               \
                amp_priv_number_of[amp_priv_there] = (uint32_t)amp_priv_p;                                             \
            else                                                                                                       \
                amp_priv_values[amp_priv_there] = AMP_OWN(amp_priv_moved, amp_priv_k);                                 \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_SORT_WAIT                                                                                                 \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(1); amp_priv_k++) {                \
            const int amp_priv_p = amp_priv_k * AMP_PRIV_SORT_WIDE(1) + amp_priv_t.local.v[0];                         \
            const int amp_priv_there = amp_priv_begin[AMP_PRIV_SORT_PACKED(amp_priv_digits, 4)] + amp_priv_p;          \
            if (amp_priv_p >= amp_priv_some) {                                                                         \
            } else if (AMP_PRIV_SORT_BY_NUMBER) {                                                                      \
                AMP_AT(amp_priv_new, amp_priv_there) =                                                                 \
                    AMP_AT(amp_priv_old, amp_priv_first + (int)amp_priv_number_of[amp_priv_p]);                        \
            } else {                                                                                                   \
                AMP_AT(amp_priv_new, amp_priv_there) = amp_priv_values[amp_priv_p];                                    \
            }                                                                                                          \
        }                                                                                                              \
    }

#endif /* AMP_ALGORITHMS_SORT_TILES_H */
