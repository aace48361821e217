/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort.h - radix sorts by numeric keys; histograms.

    The sort takes 8 bits at a time, the least significant digit first. It divides the elements into pieces, counts the
    digits of each piece, sums the counts before each piece and digit, and writes the elements of each piece to their
    new places. On a CPU a thread does this; on a GPU a tile, which first sorts a part in tile_static memory, so that
    neighbouring threads write neighbouring elements. Each step keeps the order of equal digits, so the sort is stable.
    A key is treated as an unsigned number of the same order: the sign bit is flipped, or all bits of a negative float.

    Contents (search for the tag):
        >>plan  >>kernel  >>tiles  >>sort  >>histogram  >>implementation */
#ifndef AMP_ALGORITHMS_SORT_H
#define AMP_ALGORITHMS_SORT_H

#include "plan.h"
#include "tile.h"

/* // >>plan */

enum {
    AMP_PRIV_DIGITS = 256,
    AMP_PRIV_SORT_PIECE = 8192,
    AMP_PRIV_SORT_PIECES = 65536,
    AMP_PRIV_HISTOGRAM_ROOM = 4096
};

typedef enum amp_priv_key_kind { AMP_PRIV_KEY_UNSIGNED, AMP_PRIV_KEY_SIGNED, AMP_PRIV_KEY_FLOAT } amp_priv_key_kind;

/* What one launch does. A key's bits: exclusive or with `flip`, with `negative` if the first bit is set, with `all`. */
AMP_STRUCT(amp_priv_sort_step, {
    uint64_t flip, negative, all;
    int size, length; /* elements in all, of a piece */
    int shift;        /* where the digit begins */
    int pass;         /* 0: count, 1: put where it belongs, 2: copy, 3: tiles sum what others have counted */
});

typedef struct amp_priv_sorting {
    amp_priv_call call;
    amp_priv_sort_step step;
    int pieces, bits;
    bool by_tiles;
    const amp_priv_head *keys, *values;      /* the caller's; values: NULL if there are none */
    size_t other_keys, other_values, counts; /* where they are in the temporary memory */
    bool swapped;                            /* the newest keys are there */
} amp_priv_sorting;

/* Bytes of tile_static memory for an element, while it goes through that: its key, or its value if that has no more
   than 8; and elements of a thread of a tile. The more they are, the more neighbours go to neighbours, and the longer a
   compiler takes: pairs of 32 bits, 11, 16, 21 of a thread, go at 16, 20, 22 billion a second on an H200. */
#define AMP_PRIV_SORT_WIDTH(key_size, value_size) ((key_size) > 4 || ((value_size) > 4 && (value_size) <= 8) ? 8 : 4)
#define AMP_PRIV_SORT_OF(key_size, value_size)                                                                         \
    (AMP_PRIV_SORT_WIDTH(key_size, value_size) == 4 && (value_size) > 0 ? 16 : 11)

/* False after reporting, and where there is nothing to do. */
AMP_PRIV_API bool amp_priv_sort_begin(amp_priv_sorting *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_head *keys, const amp_priv_head *values, amp_priv_key_kind kind,
                                      bool descending);

/* The next launch: false when there is none. key: the record of an unsigned type of the key's size; the views: of keys
   and values (NULL: none), where they come from and go to; of the counts. */
AMP_PRIV_API bool amp_priv_sort_next(amp_priv_sorting *s, const amp_priv_element *key, void *from, void *to,
                                     void *values_from, void *values_to, amp_array_view_int_1 *counts);

/* A tile for each piece, and for each digit. */
AMP_PRIV_API amp_extent1 amp_priv_sort_tiled(const amp_priv_sorting *s);

/* A thread for each piece. The CPU backend divides the rows, devices the columns. */
AMP_PRIV_API amp_extent2 amp_priv_sort_threads(const amp_priv_sorting *s);

/* // >>kernel */

#define AMP_PRIV_KEY_KIND(key)                                                                                         \
    _Generic(key, uint8_t : AMP_PRIV_KEY_UNSIGNED, uint16_t : AMP_PRIV_KEY_UNSIGNED, unsigned : AMP_PRIV_KEY_UNSIGNED, \
             uint64_t : AMP_PRIV_KEY_UNSIGNED, int8_t : AMP_PRIV_KEY_SIGNED, int16_t : AMP_PRIV_KEY_SIGNED,            \
             int : AMP_PRIV_KEY_SIGNED, int64_t : AMP_PRIV_KEY_SIGNED, float : AMP_PRIV_KEY_FLOAT,                     \
             double : AMP_PRIV_KEY_FLOAT)
/* Of an unsigned type of that size: the view, and the record. */
#define AMP_PRIV_OF_SIZE(size, X)                                                                                      \
    __builtin_choose_expr((size) == 1, X(uint8_t), __builtin_choose_expr((size) == 2, X(uint16_t),                     \
        __builtin_choose_expr((size) == 4, X(uint32_t), X(uint64_t))))

/* has: 1 if there are values, else 0. moved: what is done with them, of element number amp_priv_k, which goes to number
   amp_priv_there. */
#define AMP_PRIV_SORT(name, where, keys, values, descending, view_declarations, value_views, more, has, moved)         \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_RANK_OF(keys) == 1 && !AMP_PRIV_IS_CONST(keys),                                        \
                       AMP_PRIV_MSG_SORTS(name, ""));                                                                  \
        const amp_priv_head *const amp_priv_sorted = AMP_PRIV_HEAD(keys), *const amp_priv_brought = values;            \
        amp_priv_sorting amp_priv_this;                                                                                \
        if (amp_priv_sort_begin(&amp_priv_this, name, where, amp_priv_sorted, amp_priv_brought,                        \
                                AMP_PRIV_KEY_KIND((keys).data[0]), descending)) {                                      \
            __typeof__(*AMP_PRIV_OF_SIZE(sizeof (keys).data[0], AMP_PRIV_VIEW_OF_TYPE)) amp_priv_from, amp_priv_to;    \
            amp_array_view_int_1 amp_priv_counts;                                                                      \
            view_declarations                                                                                          \
            while (amp_priv_sort_next(&amp_priv_this, AMP_PRIV_OF_SIZE(sizeof (keys).data[0], AMP_PRIV_RECORD_OF_TYPE),\
                                      &amp_priv_from, &amp_priv_to, AMP_PRIV_UNWRAP value_views, &amp_priv_counts)) {  \
                const amp_priv_sort_step amp_priv_step = amp_priv_this.step;                                           \
                const int amp_priv_pieces = amp_priv_this.pieces;                                                      \
                if (amp_priv_this.by_tiles)                                                                            \
                    AMP_TILED_ON(amp_priv_this.call.view, amp_priv_sort_tiled(&amp_priv_this), (256), amp_priv_tile,   \
                                 ((AMP_PRIV_UNWRAP more amp_priv_from, amp_priv_to, amp_priv_counts, amp_priv_pieces,  \
                                   AMP_VALUE(amp_priv_sort_step, amp_priv_step))),                                     \
                                 AMP_PRIV_SORT_TILES(has, moved));                                                     \
                else                                                                                                   \
                    AMP_PARALLEL_FOR_EACH_ON(amp_priv_this.call.view, amp_priv_sort_threads(&amp_priv_this),           \
                                             (amp_priv_row, amp_priv_column),                                          \
                                             ((AMP_PRIV_UNWRAP more amp_priv_from, amp_priv_to, amp_priv_counts,       \
                                               amp_priv_pieces, AMP_VALUE(amp_priv_sort_step, amp_priv_step))),        \
                                             AMP_PRIV_SORT_BODY(moved));                                               \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
    } while (0)

#define AMP_PRIV_SORT_BODY(moved)                                                                                      \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        const int amp_priv_piece = amp_priv_row + amp_priv_column;                                                     \
        const int amp_priv_first = amp_priv_piece * amp_priv_step.length;                                              \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_end = amp_priv_first + (amp_priv_rest < amp_priv_step.length ? amp_priv_rest                \
                                                                                        : amp_priv_step.length);       \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        int amp_priv_count[256];                                                                                       \
        if (amp_priv_step.pass == 0) {                                                                                 \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++) amp_priv_count[amp_priv_d] = 0;                   \
            for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                AMP_PRIV_SORT_DIGIT                                                                                    \
                amp_priv_count[amp_priv_digit]++;                                                                      \
            }                                                                                                          \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++)                                                   \
                AMP_AT(amp_priv_counts, amp_priv_piece * 256 + amp_priv_d) = amp_priv_count[amp_priv_d];               \
        } else if (amp_priv_step.pass == 1) {                                                                          \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++)                                                   \
                amp_priv_count[amp_priv_d] = AMP_AT(amp_priv_counts, amp_priv_piece * 256 + amp_priv_d) +              \
                                             AMP_AT(amp_priv_counts, amp_priv_pieces * 256 + amp_priv_d);              \
            for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                AMP_PRIV_SORT_DIGIT                                                                                    \
                const int amp_priv_there = amp_priv_count[amp_priv_digit]++;                                           \
                AMP_AT(amp_priv_to, amp_priv_there) = amp_priv_bits;                                                   \
                AMP_PRIV_UNWRAP moved                                                                                  \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                const int amp_priv_there = amp_priv_k;                                                                 \
                AMP_AT(amp_priv_to, amp_priv_there) = AMP_AT(amp_priv_from, amp_priv_k);                               \
                AMP_PRIV_UNWRAP moved                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_SORT_FLIPS                                                                                            \
    const amp_priv_key amp_priv_flip = (amp_priv_key)(amp_priv_step.flip ^ amp_priv_step.all);                         \
    const amp_priv_key amp_priv_negative = (amp_priv_key)amp_priv_step.negative;
#define AMP_PRIV_SORT_DIGIT                                                                                            \
    const amp_priv_key amp_priv_bits = AMP_AT(amp_priv_from, amp_priv_k);                                              \
    const int amp_priv_digit = AMP_PRIV_SORT_DIGIT_OF(amp_priv_bits);
#define AMP_PRIV_SORT_DIGIT_OF(bits)                                                                                   \
    ((int)((((bits) ^ amp_priv_flip ^                                                                                  \
             ((amp_priv_key)(0 - ((bits) >> (8 * sizeof(amp_priv_key) - 1))) & amp_priv_negative))                     \
            >> amp_priv_step.shift) & 255))

/* // >>tiles
   A tile goes over its piece, AMP_PRIV_SORT_SOME elements at a time. Each 32 threads have those that lie in a row, and
   take them 32 at a time. Of these, each finds those with its digit: it sets its bit in a word that is the digit's. So
   it knows how many come before it, and the last of them adds all to the count of the 32 threads. What comes before
   each digit and those threads is summed, elements go where that and their number say, and then, neighbours to
   neighbours, to amp_priv_start[digit]. Values take the same way, if they are not too large: then their numbers do.
   Tiles that run at the same time write close to each other, if their pieces are short: sectors of memory are whole
   then before a cache gives them up. With pieces of twelve times as many, pairs are a quarter slower on an H200.
   The CPU backend does not do this. */

#define AMP_PRIV_SORT_ARRAY(n)  [n] /* which clang-format takes for Objective-C in an argument */
#define AMP_PRIV_SORT_KEY       AMP_PRIV_TYPE_OF(amp_priv_from)
#define AMP_PRIV_SORT_OWN(has)  AMP_PRIV_SORT_OF(sizeof(AMP_PRIV_SORT_KEY), AMP_PRIV_SORT_VALUE_SIZE_##has)
#define AMP_PRIV_SORT_SOME(has) (AMP_PRIV_SORT_OWN(has) * 256)
#define AMP_PRIV_SORT_WORDS(has)                                                                                       \
    (AMP_PRIV_SORT_SOME(has) * AMP_PRIV_SORT_WIDTH(sizeof(AMP_PRIV_SORT_KEY), AMP_PRIV_SORT_VALUE_SIZE_##has) / 8)
#define AMP_PRIV_SORT_ROOM(has)    (AMP_PRIV_SORT_WORDS(has) < 2048 ? 2048 : AMP_PRIV_SORT_WORDS(has))
#define AMP_PRIV_SORT_VALUE_SIZE_0 0
#define AMP_PRIV_SORT_VALUE_SIZE_1 sizeof(AMP_PRIV_TYPE_OF(amp_priv_old))

/* has: 1 if there are values, else 0. */
#define AMP_PRIV_SORT_TILES(has, moved)                                                                                \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        AMP_TILE_STATIC(uint64_t, amp_priv_room, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_ROOM(has)));                        \
        AMP_TILE_STATIC(uint32_t, amp_priv_count, [2048]);                                                             \
        AMP_TILE_STATIC(uint32_t, amp_priv_lane, [896]);                                                               \
        AMP_TILE_STATIC(int, amp_priv_start, [257]);                                                                   \
        AMP_TILE_STATIC(int, amp_priv_begin, [256]);                                                                   \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        const int amp_priv_piece = amp_priv_tile.tile.v[0], amp_priv_first = amp_priv_piece * amp_priv_step.length;    \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_long = amp_priv_rest < amp_priv_step.length ? amp_priv_rest : amp_priv_step.length;         \
        if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                         \
        } else if (amp_priv_step.pass == 0) {                                                                          \
            AMP_PRIV_SORT_TILES_COUNT(has)                                                                             \
        } else if (amp_priv_step.pass == 3) {                                                                          \
            AMP_PRIV_SORT_TILES_BEGIN                                                                                  \
        } else if (amp_priv_step.pass == 1) {                                                                          \
            AMP_PRIV_SORT_TILES_PUT(has)                                                                               \
        } else if (sizeof(amp_priv_key) == 1) { /* an odd number of digits */                                          \
            for (int amp_priv_at = 0; amp_priv_at < amp_priv_long; amp_priv_at += 256)                                 \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_long - amp_priv_at) {                       \
                    const int amp_priv_k = amp_priv_first + amp_priv_at + amp_priv_t.local.v[0];                       \
                    const int amp_priv_there = amp_priv_k;                                                             \
                    AMP_AT(amp_priv_to, amp_priv_there) = AMP_AT(amp_priv_from, amp_priv_k);                           \
                    AMP_PRIV_UNWRAP moved                                                                              \
                }                                                                                                      \
        }                                                                                                              \
    }
/* A key as an unsigned number of the same order, and back. */
#define AMP_PRIV_SORT_ORDERED(bits)                                                                                    \
    ((amp_priv_key)((bits) ^ amp_priv_flip ^                                                                           \
                    ((amp_priv_key)(0 - ((bits) >> (8 * sizeof(amp_priv_key) - 1))) & amp_priv_negative)))
#define AMP_PRIV_SORT_BACK(ordered)                                                                                    \
    ((amp_priv_key)((ordered) ^ amp_priv_flip ^                                                                        \
                    ((amp_priv_key)(((amp_priv_key)((ordered) ^ amp_priv_all) >> (8 * sizeof(amp_priv_key) - 1)) - 1) &\
                     amp_priv_negative)))

/* From lane[192 + thread] to the sums up to there, two steps of a scan at once. Zeros are before each half of the
   memory. */
#define AMP_PRIV_SORT_LANES                                                                                            \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 192)                                                             \
    amp_priv_lane[amp_priv_t.local.v[0]] = amp_priv_lane[448 + amp_priv_t.local.v[0]] = 0;                             \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_back = 1, amp_priv_half = 192; amp_priv_back < 256; amp_priv_back *= 4) {                        \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_me = amp_priv_half + amp_priv_t.local.v[0];                                             \
            amp_priv_lane[832 - 2 * amp_priv_half + amp_priv_me] =                                                     \
                amp_priv_lane[amp_priv_me] + amp_priv_lane[amp_priv_me - amp_priv_back] +                              \
                amp_priv_lane[amp_priv_me - 2 * amp_priv_back] + amp_priv_lane[amp_priv_me - 3 * amp_priv_back];       \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        amp_priv_half = 832 - amp_priv_half;                                                                           \
    }

/* Of elements in a row from `first` on, of which there are `some`, a thread's OWN(has), number NUMBER each; what is not
   there stays. A condition at each would have them come one after the other. */
#define AMP_PRIV_SORT_FETCH(has, own, from, first, NUMBER, some)                                                       \
    if ((some) >= AMP_PRIV_SORT_SOME(has)) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            own = AMP_AT(from, (first) + NUMBER);                                                                      \
    } else {                                                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            if (NUMBER < (some)) own = AMP_AT(from, (first) + NUMBER);                                                 \
    }

#define AMP_PRIV_SORT_TILES_COUNT(has)                                                                                 \
    AMP_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_start[amp_priv_t.local.v[0]] = 0; }                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_at = 0; amp_priv_at < amp_priv_long; amp_priv_at += AMP_PRIV_SORT_SOME(has))                     \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_left = amp_priv_long - amp_priv_at, amp_priv_base = amp_priv_first + amp_priv_at;       \
            amp_priv_key amp_priv_own[AMP_PRIV_SORT_OWN(has)];                                                         \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)            \
                amp_priv_own[amp_priv_k] = 0;                                                                          \
            AMP_PRIV_SORT_FETCH(has, amp_priv_own[amp_priv_k], amp_priv_from, amp_priv_base,                           \
                                (amp_priv_t.local.v[0] + amp_priv_k * 256), amp_priv_left)                             \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {          \
                const int amp_priv_digit = AMP_PRIV_SORT_DIGIT_OF(amp_priv_own[amp_priv_k]);                           \
                const bool amp_priv_is_there = amp_priv_t.local.v[0] + amp_priv_k * 256 < amp_priv_left;               \
                amp_atomic_fetch_add(&amp_priv_start[amp_priv_is_there ? amp_priv_digit : 256], 1);                    \
            }                                                                                                          \
        }                                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_AT(amp_priv_counts, amp_priv_t.local.v[0] * amp_priv_pieces + amp_priv_piece) =                            \
            amp_priv_start[amp_priv_t.local.v[0]];                                                                     \
    }

/* From the counts of each piece to where it begins among those of the same digit, which lie together: a tile for each
   digit. How many there are of each digit follows. */
#define AMP_PRIV_SORT_TILES_BEGIN                                                                                      \
    AMP_PRIVATE(uint32_t, amp_priv_mine);                                                                              \
    AMP_PRIVATE(uint32_t, amp_priv_own, [8]);                                                                          \
    uint32_t amp_priv_sum = 0;                                                                                         \
    for (int amp_priv_at = 0; amp_priv_at < amp_priv_pieces; amp_priv_at += 8 * 256) {                                 \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            AMP_OWN(amp_priv_mine) = 0;                                                                                \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                               \
                const int amp_priv_p = amp_priv_at + 8 * amp_priv_t.local.v[0] + amp_priv_k;                           \
                uint32_t amp_priv_seen = 0;                                                                            \
                if (amp_priv_p < amp_priv_pieces)                                                                      \
                    amp_priv_seen = (uint32_t)AMP_AT(amp_priv_counts, amp_priv_piece * amp_priv_pieces + amp_priv_p);  \
                AMP_OWN(amp_priv_own, amp_priv_k) = AMP_OWN(amp_priv_mine);                                            \
                AMP_OWN(amp_priv_mine) += amp_priv_seen;                                                               \
            }                                                                                                          \
            amp_priv_lane[192 + amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_mine);                                       \
        }                                                                                                              \
        AMP_PRIV_SORT_LANES                                                                                            \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const uint32_t amp_priv_before =                                                                           \
                amp_priv_sum + amp_priv_lane[192 + amp_priv_t.local.v[0]] - AMP_OWN(amp_priv_mine);                    \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                               \
                const int amp_priv_p = amp_priv_at + 8 * amp_priv_t.local.v[0] + amp_priv_k;                           \
                if (amp_priv_p < amp_priv_pieces)                                                                      \
                    AMP_AT(amp_priv_counts, amp_priv_piece * amp_priv_pieces + amp_priv_p) =                           \
                        (int)(amp_priv_before + AMP_OWN(amp_priv_own, amp_priv_k));                                    \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_sum += amp_priv_lane[192 + 255];                                                                      \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
    }                                                                                                                  \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                               \
    AMP_AT(amp_priv_counts, amp_priv_pieces * 256 + amp_priv_piece) = (int)amp_priv_sum;

#define AMP_PRIV_SORT_TILES_PUT(has)                                                                                   \
    const amp_priv_key amp_priv_all = (amp_priv_key)amp_priv_step.all;                                                 \
    const amp_priv_key amp_priv_greatest = AMP_PRIV_SORT_BACK((amp_priv_key)~(amp_priv_key)0);                         \
    AMP_TILE_POINTER(amp_priv_key) const amp_priv_keys = (AMP_TILE_POINTER(amp_priv_key))amp_priv_room;                \
    AMP_TILE_POINTER(uint32_t) const amp_priv_same = (AMP_TILE_POINTER(uint32_t))amp_priv_room;                        \
    AMP_PRIVATE(amp_priv_key, amp_priv_own, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_OWN(has)));                              \
    AMP_PRIVATE(uint32_t, amp_priv_place, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_OWN(has) / 2 + 1));                        \
    AMP_PRIV_SORT_VALUES_##has                                                                                         \
    AMP_PRIVATE(uint32_t, amp_priv_mine);                                                                              \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        amp_priv_lane[192 + amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_mine) =                                          \
            (uint32_t)AMP_AT(amp_priv_counts, 256 * amp_priv_pieces + amp_priv_t.local.v[0]);                          \
    }                                                                                                                  \
    AMP_PRIV_SORT_LANES                                                                                                \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_d = amp_priv_t.local.v[0];                                                                  \
        amp_priv_start[amp_priv_d] = (int)(amp_priv_lane[192 + amp_priv_d] - AMP_OWN(amp_priv_mine)) +                 \
                                     AMP_AT(amp_priv_counts, amp_priv_d * amp_priv_pieces + amp_priv_piece);           \
    }                                                                                                                  \
    for (int amp_priv_at = 0; amp_priv_at < amp_priv_long; amp_priv_at += AMP_PRIV_SORT_SOME(has)) {                   \
        const int amp_priv_base = amp_priv_first + amp_priv_at, amp_priv_left = amp_priv_long - amp_priv_at;           \
        const int amp_priv_some = amp_priv_left < AMP_PRIV_SORT_SOME(has) ? amp_priv_left : AMP_PRIV_SORT_SOME(has);   \
        AMP_PRIV_SORT_TILES_LOAD(has)                                                                                  \
        AMP_PRIV_SORT_TILES_RANK(has)                                                                                  \
        AMP_PRIV_SORT_TILES_SUM(has)                                                                                   \
        AMP_PRIV_SORT_TILES_GO(has)                                                                                    \
        AMP_PRIV_SORT_TILES_FOLLOW_##has                                                                               \
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
#define AMP_PRIV_SORT_TILES_LOAD(has)                                                                                  \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            AMP_OWN(amp_priv_own, amp_priv_k) = amp_priv_greatest;                                                     \
        AMP_PRIV_SORT_FETCH(has, AMP_OWN(amp_priv_own, amp_priv_k), amp_priv_from, amp_priv_base,                      \
                            AMP_PRIV_SORT_NUMBER(has), amp_priv_some)                                                  \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)                \
            AMP_OWN(amp_priv_own, amp_priv_k) = AMP_PRIV_SORT_ORDERED(AMP_OWN(amp_priv_own, amp_priv_k));              \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                     \
            amp_priv_count[amp_priv_k * 256 + amp_priv_t.local.v[0]] = 0;                                              \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++)                                    \
            amp_priv_same[amp_priv_k * 256 + amp_priv_t.local.v[0]] = 0;                                               \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
/* Turns take two words of a digit by turns, so that one is 0 again when it is wanted. */
#define AMP_PRIV_SORT_TILES_RANK(has)                                                                                  \
    AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {                  \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            amp_atomic_fetch_or(&amp_priv_same[amp_priv_k % 2 * 2048 + AMP_PRIV_SORT_COUNTED],                         \
                                1u << (amp_priv_t.local.v[0] & 31));                                                   \
        }                                                                                                              \
        AMP_PRIV_SORT_NEAR_WAIT;                                                                                       \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_c = AMP_PRIV_SORT_COUNTED, amp_priv_me = amp_priv_t.local.v[0] & 31;                    \
            const uint32_t amp_priv_all_same = amp_priv_same[amp_priv_k % 2 * 2048 + amp_priv_c];                      \
            const uint32_t amp_priv_before = amp_priv_all_same & ((1u << amp_priv_me) - 1);                            \
            AMP_OWN(amp_priv_mine) = amp_priv_all_same;                                                                \
            const uint32_t amp_priv_rank = amp_priv_count[amp_priv_c] + AMP_PRIV_ONES(amp_priv_before);                \
            AMP_PRIV_SORT_PACK(amp_priv_place, 2, amp_priv_rank)                                                       \
        }                                                                                                              \
        AMP_PRIV_SORT_NEAR_WAIT;                                                                                       \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            if (AMP_OWN(amp_priv_mine) >> (amp_priv_t.local.v[0] & 31) == 1) {                                         \
                amp_priv_same[amp_priv_k % 2 * 2048 + AMP_PRIV_SORT_COUNTED] = 0;                                      \
                amp_priv_count[AMP_PRIV_SORT_COUNTED] = AMP_PRIV_SORT_PACKED(amp_priv_place, 2) + 1;                   \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
/* Those 32 threads wait for each other, where the target knows that they run together; the tile's, elsewhere. */
#define AMP_PRIV_SORT_NEAR_WAIT                                                                                        \
    AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_near_wait(amp_priv_together(amp_priv_threads_0))")

/* From counts to what comes before; what has to be added to a place in the tile, and where the next elements go on. */
#define AMP_PRIV_SORT_TILES_SUM(has)                                                                                   \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        uint32_t amp_priv_sum = 0;                                                                                     \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                     \
            amp_priv_sum += amp_priv_count[amp_priv_k * 256 + amp_priv_t.local.v[0]];                                  \
        amp_priv_lane[192 + amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_mine) = amp_priv_sum;                            \
    }                                                                                                                  \
    AMP_PRIV_SORT_LANES                                                                                                \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_d = amp_priv_t.local.v[0];                                                                  \
        uint32_t amp_priv_sum = amp_priv_lane[192 + amp_priv_d] - AMP_OWN(amp_priv_mine);                              \
        amp_priv_begin[amp_priv_d] = amp_priv_start[amp_priv_d] - (int)amp_priv_sum;                                   \
        amp_priv_start[amp_priv_d] += (int)AMP_OWN(amp_priv_mine);                                                     \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                   \
            const uint32_t amp_priv_seen = amp_priv_count[amp_priv_k * 256 + amp_priv_d];                              \
            amp_priv_count[amp_priv_k * 256 + amp_priv_d] = amp_priv_sum;                                              \
            amp_priv_sum += amp_priv_seen;                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
#define AMP_PRIV_SORT_TILES_GO(has)                                                                                    \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            AMP_OWN(amp_priv_place, amp_priv_k / 2) += amp_priv_count[AMP_PRIV_SORT_COUNTED] << amp_priv_k % 2 * 16;   \
            amp_priv_keys[AMP_PRIV_SORT_PACKED(amp_priv_place, 2)] = AMP_OWN(amp_priv_own, amp_priv_k);                \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_SORT_AHEAD_##has                                                                                      \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            const int amp_priv_p = amp_priv_k * 256 + amp_priv_t.local.v[0];                                           \
            const amp_priv_key amp_priv_bits = amp_priv_keys[amp_priv_p];                                              \
            const uint32_t amp_priv_digit = (uint32_t)(amp_priv_bits >> amp_priv_step.shift) & 255;                    \
            AMP_PRIV_SORT_KEEP_##has                                                                                   \
            if (amp_priv_p < amp_priv_some)                                                                            \
                AMP_AT(amp_priv_to, amp_priv_begin[amp_priv_digit] + amp_priv_p) = AMP_PRIV_SORT_BACK(amp_priv_bits);  \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* Values, or their numbers in the tile, come where keys were. */
#define AMP_PRIV_SORT_VALUES_0
#define AMP_PRIV_SORT_KEEP_0
#define AMP_PRIV_SORT_AHEAD_0
#define AMP_PRIV_SORT_TILES_FOLLOW_0
#define AMP_PRIV_SORT_VALUES_1                                                                                         \
    typedef AMP_PRIV_TYPE_OF(amp_priv_old) amp_priv_value;                                                             \
    AMP_TILE_POINTER(amp_priv_value) const amp_priv_values = (AMP_TILE_POINTER(amp_priv_value))amp_priv_room;          \
    AMP_TILE_POINTER(uint16_t) const amp_priv_number = (AMP_TILE_POINTER(uint16_t))amp_priv_room;                      \
    AMP_PRIVATE(amp_priv_value, amp_priv_moved, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_OWN(1)));                            \
    AMP_PRIVATE(uint32_t, amp_priv_digits, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_OWN(1) / 4 + 1));
/* While keys are written, values are on their way. */
#define AMP_PRIV_SORT_AHEAD_1                                                                                          \
    if (sizeof(amp_priv_value) <= 8) {                                                                                 \
        AMP_PRIV_SORT_FETCH(1, AMP_OWN(amp_priv_moved, amp_priv_k), amp_priv_old, amp_priv_base,                       \
                            AMP_PRIV_SORT_NUMBER(1), amp_priv_some)                                                    \
    }
#define AMP_PRIV_SORT_KEEP_1 AMP_PRIV_SORT_PACK(amp_priv_digits, 4, amp_priv_digit)
#define AMP_PRIV_SORT_TILES_FOLLOW_1                                                                                   \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(1); amp_priv_k++) {                \
            const int amp_priv_p = AMP_PRIV_SORT_NUMBER(1);                                                            \
            const uint32_t amp_priv_there = AMP_PRIV_SORT_PACKED(amp_priv_place, 2);                                   \
            if (sizeof(amp_priv_value) > 8)                                                                            \
                amp_priv_number[amp_priv_there] = (uint16_t)amp_priv_p;                                                \
            else                                                                                                       \
                amp_priv_values[amp_priv_there] = AMP_OWN(amp_priv_moved, amp_priv_k);                                 \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(1); amp_priv_k++) {                \
            const int amp_priv_p = amp_priv_k * 256 + amp_priv_t.local.v[0];                                           \
            const int amp_priv_there = amp_priv_begin[AMP_PRIV_SORT_PACKED(amp_priv_digits, 4)] + amp_priv_p;          \
            if (amp_priv_p >= amp_priv_some) {                                                                         \
            } else if (sizeof(amp_priv_value) > 8) {                                                                   \
                AMP_AT(amp_priv_new, amp_priv_there) =                                                                 \
                    AMP_AT(amp_priv_old, amp_priv_base + amp_priv_number[amp_priv_p]);                                 \
            } else {                                                                                                   \
                AMP_AT(amp_priv_new, amp_priv_there) = amp_priv_values[amp_priv_p];                                    \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* // >>sort
   amp_sort(keys): sorts a view or array of numbers of rank 1.
   amp_sort_descending(keys): sorts the keys, the greatest first.
   amp_sort_by_key(keys, values), amp_sort_by_key_descending(keys, values): also puts the elements of another view
   or array into that order.
   amp_sort_on(view, keys), amp_sort_descending_on(view, keys), amp_sort_by_key_on(view, keys, values),
   amp_sort_by_key_descending_on(view, keys, values): the same on an accelerator view.
   The sort is stable. -0 comes before 0. A NaN comes after all numbers if its sign bit is 0, before them if it is 1;
   descending the other way round.
   keys  a view or array of integers, float or double of rank 1; evaluated once
   values  a view or array of rank 1, of any element type, as long as keys; evaluated once
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the lengths differ), AMP_OUT_OF_MEMORY, those of
   AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any. Cost: for each byte of a key, keys are read twice and written
   once, values once; as much temporary memory as both take. Source: std::stable_sort. */
#define amp_sort(keys)                      amp_sort_on((amp_accelerator_view){ NULL }, keys)
#define amp_sort_on(where, keys)            AMP_PRIV_SORT_KEYS("amp_sort", where, keys, false)
#define amp_sort_descending(keys)           amp_sort_descending_on((amp_accelerator_view){ NULL }, keys)
#define amp_sort_descending_on(where, keys) AMP_PRIV_SORT_KEYS("amp_sort_descending", where, keys, true)
#define AMP_PRIV_SORT_KEYS(name, where, keys, descending)                                                              \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_IS_SORTABLE(keys), AMP_PRIV_MSG_SORTS(name, ""));                                      \
        AMP_PRIV_SORT(name, where, AMP_PRIV_SORTED(keys), NULL, descending, , (NULL, NULL), (), 0, ());                \
    } while (0)
#define AMP_PRIV_IS_SORTABLE(v) (AMP_PRIV_IS_OF_RANK_1(v) && !AMP_PRIV_IS_CONST(AMP_PRIV_GIVEN_1(v)))
#define AMP_PRIV_SORTED(v)      __builtin_choose_expr(AMP_PRIV_IS_SORTABLE(v), v, AMP_PRIV_ANY_VIEW)
#define AMP_PRIV_MSG_SORTS(name, what)                                                                                 \
    "amp: " name " sorts " what "a view or array of rank 1, not a const one"

#define amp_sort_by_key(keys, values)           amp_sort_by_key_on((amp_accelerator_view){ NULL }, keys, values)
#define amp_sort_by_key_on(where, keys, values) AMP_PRIV_SORT_PAIRS("amp_sort_by_key", where, keys, values, false)
#define amp_sort_by_key_descending(keys, values)                                                                       \
    amp_sort_by_key_descending_on((amp_accelerator_view){ NULL }, keys, values)
#define amp_sort_by_key_descending_on(where, keys, values)                                                             \
    AMP_PRIV_SORT_PAIRS("amp_sort_by_key_descending", where, keys, values, true)
#define AMP_PRIV_SORT_PAIRS(name, where, keys, values, descending)                                                     \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_RANK_OF(values) == 1 && !AMP_PRIV_IS_CONST(values),                                    \
                       AMP_PRIV_MSG_SORTS(name, "values of "));                                                        \
        AMP_PRIV_SORT(name, where, keys, AMP_PRIV_HEAD(values), descending,                                            \
                      AMP_PRIV_VIEW_TYPE(values) amp_priv_old; AMP_PRIV_VIEW_TYPE(values) amp_priv_new;,               \
                      (&amp_priv_old, &amp_priv_new), (amp_priv_old, amp_priv_new, ), 1,                               \
                      (AMP_AT(amp_priv_new, amp_priv_there) = AMP_AT(amp_priv_old, amp_priv_k);));                     \
    } while (0)

/* // >>histogram
   AMP_HISTOGRAM(counts, extent, (i), AMP_CAPTURE(...), bin): counts how many indexes of the extent fall into each
   bin.
   AMP_HISTOGRAM_ON(view, counts, extent, (i), AMP_CAPTURE(...), bin): the same on an accelerator view.
   counts  a view or array of int of rank 1; its length is the number of bins
   extent, i  as for AMP_REDUCE
   bin  an int expression of the index and of captured names; an index whose bin is out of range is not counted
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE. Blocking: no. Threads: any. Cost: each element is read once; up to 1024 bins are
   counted in tile_static memory, more by atomics on counts. Source: CUB's DeviceHistogram. */
#define AMP_HISTOGRAM(counts, extent, names, captures, bin)                                                            \
    AMP_HISTOGRAM_ON((amp_accelerator_view){ NULL }, counts, extent, names, captures, bin)
#define AMP_HISTOGRAM_ON(where, counts, extent, names, captures, bin)                                                  \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_IS_VIEW_OF(counts, amp_array_view_int_1),                                              \
                       "amp: AMP_HISTOGRAM: the counts must be a view or array of int, of rank 1: a kernel adds to "   \
                       "them by atomics");                                                                             \
        AMP_PRIV_CAT(AMP_PRIV_HISTOGRAM_, AMP_PRIV_IS_LIST(captures))                                                  \
        ("AMP_HISTOGRAM", where, counts, extent, names, AMP_PRIV_UNWRAP captures, bin);                                \
    } while (0)
#define AMP_PRIV_HISTOGRAM_0 AMP_PRIV_REDUCE_0
#define AMP_PRIV_HISTOGRAM_1(name, where, counts, extent, names, captures, bin)                                        \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        const amp_array_view_int_1 amp_priv_counts = amp_view_of(__builtin_choose_expr(                                \
            AMP_PRIV_IS_VIEW_OF(counts, amp_array_view_int_1), counts, AMP_PRIV_ANY_VIEW));                            \
        const int64_t amp_priv_size =                                                                                  \
            amp_priv_domain_size("AMP_HISTOGRAM", amp_priv_domain.v, AMP_PRIV_COUNT names);                            \
        int amp_priv_rows = 0, amp_priv_copies = 0;                                                                    \
        unsigned amp_priv_reports = 0;                                                                                 \
        const amp_accelerator_view amp_priv_where =                                                                    \
            amp_priv_histogram_begin(where, AMP_PRIV_HEADS(captures), AMP_PRIV_HEADS_COUNT(captures),                  \
                                     amp_priv_counts, amp_priv_size, &amp_priv_rows, &amp_priv_copies,                 \
                                     &amp_priv_reports);                                                               \
        if (amp_priv_where.amp_priv_queue) {                                                                           \
            AMP_TILED_ON(amp_priv_where, AMP_EXTENT(amp_priv_histogram_threads(amp_priv_size, amp_priv_rows)), (256),  \
                         amp_priv_tile,                                                                                \
                         ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_counts, amp_priv_rows, amp_priv_copies, \
                           AMP_BIND(amp_priv_all, amp_priv_size), AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain))),\
                         AMP_PRIV_HISTOGRAM_BODY(names, bin));                                                         \
            amp_priv_histogram_end(amp_priv_reports, &amp_priv_counts.amp_priv);                                       \
        }                                                                                                              \
    } while (0)

AMP_PRIV_API int amp_priv_histogram_threads(int64_t size, int rows);

/* Where it runs, all counts being 0, and how: NULL after reporting. Else amp_priv_histogram_end follows. */
AMP_PRIV_API amp_accelerator_view amp_priv_histogram_begin(amp_accelerator_view view, const amp_priv_named *heads,
                                                           size_t count, amp_array_view_int_1 counts, int64_t size,
                                                           int *rows, int *copies, unsigned *reports);

/* After the launch that counts. */
AMP_PRIV_API void amp_priv_histogram_end(unsigned reports, const amp_priv_head *counts);

/* Up to 1024 bins are counted in tile_static memory, which is slightly larger: counts beyond the last bin are ignored.
   On the host a byte then needs no comparison. A device has amp_priv_copies places for each bin; the host has one, also
   when it repeats a device's launch (AMP_COMPARE). */
#define AMP_PRIV_HISTOGRAM_COUNT                                                                                       \
    if (amp_priv_few > 0) {                                                                                            \
        if ((unsigned)amp_priv_bin < (unsigned)AMP_PRIV_HOST_OR_DEVICE(1024, "amp_priv_places"))                       \
            amp_atomic_fetch_add(&amp_priv_own[AMP_PRIV_HISTOGRAM_PLACE], 1);                                          \
    } else if (amp_priv_bin >= 0 && amp_priv_bin < amp_priv_bins) {                                                    \
        amp_atomic_fetch_add(&AMP_AT(amp_priv_counts, amp_priv_bin), 1);                                               \
    }
#define AMP_PRIV_HISTOGRAM_PLACE                                                                                       \
    AMP_PRIV_HOST_OR_DEVICE(amp_priv_bin,                                                                              \
                            "amp_priv_bin * amp_priv_copies + (amp_priv_t.local.v[0] & (amp_priv_copies - 1))")
/* On a device, 16 rows at a time as long as they are whole: a thread reads its elements of them before it counts. */
#define AMP_PRIV_HISTOGRAM_AHEAD(names, bin)                                                                           \
    for (; AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_done < amp_priv_rows"); amp_priv_done += 16) {                         \
        const int64_t amp_priv_base = ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows + amp_priv_done) * 256;        \
        if (amp_priv_all - amp_priv_base < 16 * 256) break;                                                            \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            int amp_priv_found[16];                                                                                    \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                              \
                AMP_PRIV_LINEAR(names, (amp_priv_done + amp_priv_k) * 256 + amp_priv_t.local.v[0])                     \
                amp_priv_found[amp_priv_k] = (bin);                                                                    \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                              \
                const int amp_priv_bin = amp_priv_found[amp_priv_k];                                                   \
                AMP_PRIV_HISTOGRAM_COUNT                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_HISTOGRAM_BODY(names, bin)                                                                            \
    {                                                                                                                  \
        AMP_TILE_STATIC(int, amp_priv_own, [4096]);                                                                    \
        const int amp_priv_bins = amp_priv_counts.extent.v[0];                                                         \
        const int amp_priv_few = amp_priv_bins <= 1024 ? amp_priv_bins : 0;                                            \
        const int amp_priv_each = AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_copies");                                       \
        const int amp_priv_places = AMP_PRIV_HOST_OR_DEVICE(1024, "4096 / amp_priv_copies");                           \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_places * amp_priv_each; amp_priv_b += 256)                      \
            AMP_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_own[amp_priv_b + amp_priv_t.local.v[0]] = 0; }           \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        AMP_PRIV_ORIGIN(names, (int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows * 256)                                 \
        int amp_priv_done = 0;                                                                                         \
        AMP_PRIV_HISTOGRAM_AHEAD(names, bin)                                                                           \
        for (int amp_priv_row = AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_done"); amp_priv_row < amp_priv_rows;             \
             amp_priv_row++) {                                                                                         \
            const int64_t amp_priv_base = ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows + amp_priv_row) * 256;     \
            const int64_t amp_priv_left = amp_priv_all - amp_priv_base;                                                \
            const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;           \
            AMP_PRIV_LANES_OF(names, const int amp_priv_bin = (bin);                                                   \
                              AMP_PRIV_HISTOGRAM_COUNT)                                                                \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_few; amp_priv_b += 256)                                         \
            AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                   \
                const int amp_priv_bin = amp_priv_b + amp_priv_t.local.v[0];                                           \
                int amp_priv_sum = 0;                                                                                  \
                const int amp_priv_end = amp_priv_bin < amp_priv_few ? amp_priv_each : 0;                              \
                for (int amp_priv_k = 0; amp_priv_k < amp_priv_end; amp_priv_k++)                                      \
                    amp_priv_sum += amp_priv_own[amp_priv_bin * amp_priv_each +                                        \
                                                 ((amp_priv_bin + amp_priv_k) & (amp_priv_each - 1))];                 \
                if (amp_priv_sum != 0) amp_atomic_fetch_add(&AMP_AT(amp_priv_counts, amp_priv_bin), amp_priv_sum);     \
            }                                                                                                          \
    }

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

/* From the digits of each piece, to where each begins: among the same digits of earlier pieces, and then in all. */
AMP_PRIV_NOINLINE void amp_priv_sort_begins(amp_accelerator_view view, amp_array_view_int_1 counts, int pieces)
{
    AMP_TILED_ON(view, AMP_EXTENT(256), (256), tile, AMP_CAPTURE(counts, pieces), {
        AMP_TILE_STATIC(int, lane, [256]);
        AMP_PRIVATE(int, own);
        AMP_THREADS(tile, t) {
            int sum = 0;
            for (int piece = 0; piece < pieces; piece++) {
                const int count = AMP_AT(counts, piece * 256 + t.local.v[0]);
                AMP_AT(counts, piece * 256 + t.local.v[0]) = sum;
                sum += count;
            }
            lane[t.local.v[0]] = AMP_OWN(own) = sum;
        }
        AMP_TILE_SCAN_SUM(tile, int, lane, 256);
        AMP_THREADS(tile, t) {
            AMP_AT(counts, pieces * 256 + t.local.v[0]) = lane[t.local.v[0]] - AMP_OWN(own);
        }
    });
}

/* The pieces, and how long they are. */
static inline void amp_priv_sort_pieces(amp_priv_sorting *s, const amp_priv_queue *queue, int size, size_t key_size,
                                        size_t value_size)
{
    const amp_priv_device *const device = queue->device;
    const bool is_host = amp_priv_is_host(device->number);
    s->by_tiles = !is_host && (device->is_gpu || amp_priv_sort_tiles) && device->local_memory >= 48 << 10;
    const int cores = is_host ? amp_priv_cpu_threads_now() : (int)device->units;
    const int unit = s->by_tiles ? 256 * AMP_PRIV_SORT_OF(key_size, value_size) : 1;
    const int tiles = amp_priv_sort_tiles ? amp_priv_sort_tiles : AMP_PRIV_SORT_PIECES;
    const int most = s->by_tiles ? tiles : cores > 0 ? cores : 1;
    const int wanted = size > 0 ? (size - 1) / (s->by_tiles ? unit : AMP_PRIV_SORT_PIECE) + 1 : 1;
    const int pieces = wanted < most ? wanted : most, units = size > 0 ? (size - 1) / unit + 1 : 1;
    s->step.length = ((units - 1) / pieces + 1) * unit;
    s->pieces = (units - 1) / (s->step.length / unit) + 1;
}

static inline int amp_priv_head_length(const amp_priv_head *head) { return amp_priv_head_extent(head)[0]; }

AMP_PRIV_API bool amp_priv_sort_begin(amp_priv_sorting *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_head *keys, const amp_priv_head *values, amp_priv_key_kind kind,
                                      bool descending)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (!amp_priv_head_ready(keys, name) || (values && !amp_priv_head_ready(values, name)))
        return false;
    const int size = amp_priv_head_length(keys);
    if (size < 2 && !values)
        return false;
    if (values && !amp_priv_same_length(name, size, amp_priv_head_length(values)))
        return false;
    const amp_priv_named heads[] = { { keys, "keys" }, { values, "values" } };
    if (values && !amp_priv_is_apart(name, "values", values, heads, 1, false))
        return false;
    const size_t value_size = values ? values->element->size : 0, key_size = keys->element->size;
    amp_priv_queue *const queue = amp_priv_call_target(view, heads, 2);
    if (!queue)
        return false;
    s->values = values;
    amp_priv_sort_pieces(s, queue, size, key_size, value_size);
    const size_t counts = ((size_t)s->pieces + 1) * AMP_PRIV_DIGITS * sizeof(int);
    if (!amp_priv_call_begin(&s->call, name, (amp_accelerator_view){ queue }, heads, 2,
                             (size_t)size * (key_size + value_size) + counts + 512))
        return false;
    const uint64_t first = UINT64_C(1) << (8 * key_size - 1);
    s->step.flip = kind == AMP_PRIV_KEY_UNSIGNED ? 0 : first;
    s->step.negative = kind == AMP_PRIV_KEY_FLOAT ? ~first : 0;
    s->step.all = descending ? UINT64_MAX : 0;
    s->step.size = size;
    s->step.pass = 1;
    s->step.shift = -8;
    s->bits = (int)(8 * key_size);
    s->keys = keys;
    s->other_values = amp_priv_call_part(&s->call, (size_t)size * value_size); /* at 0: a multiple of any size */
    s->other_keys = amp_priv_call_part(&s->call, (size_t)size * key_size);
    s->counts = amp_priv_call_part(&s->call, counts);
    return true;
}

/* Fills in views on where elements come from and go to. own: the caller's; first: the others, in temporary memory. */
static inline void amp_priv_sort_views(const amp_priv_sorting *s, const amp_priv_head *own,
                                       const amp_priv_element *element, size_t first, void *from, void *to)
{
    const amp_priv_shape shape = amp_priv_shape_of(own);
    amp_priv_fill(s->swapped ? to : from, own->source, element, AMP_PRIV_VIEW, 0, &shape);
    amp_priv_call_view(&s->call, s->swapped ? from : to, element, first, (size_t)s->step.size);
}

AMP_PRIV_API bool amp_priv_sort_next(amp_priv_sorting *s, const amp_priv_element *key, void *from, void *to,
                                     void *values_from, void *values_to, amp_array_view_int_1 *counts)
{
    amp_priv_sort_step *const step = &s->step;
    if (amp_priv_call_failed(&s->call) || step->pass == 2)
        return false;
    amp_priv_call_view(&s->call, counts, &amp_priv_element_int, s->counts, ((size_t)s->pieces + 1) * AMP_PRIV_DIGITS);
    if (step->pass == 0 && s->by_tiles) {
        step->pass = 3;
    } else if (step->pass == 0) {
        amp_priv_sort_begins(s->call.view, *counts, s->pieces);
        step->pass = 1;
        if (amp_priv_call_failed(&s->call))
            return false;
    } else if (step->pass == 3) {
        step->pass = 1;
    } else {
        if (s->swapped)
            amp_priv_call_wrote(&s->call, s->keys, s->values);
        s->swapped = step->shift >= 0 && !s->swapped;
        step->shift += 8;
        step->pass = step->shift < s->bits ? 0 : 2;
        if (step->pass == 2 && !s->swapped)
            return false;
    }
    amp_priv_sort_views(s, s->keys, key, s->other_keys, from, to);
    if (s->values)
        amp_priv_sort_views(s, s->values, s->values->element, s->other_values, values_from, values_to);
    return true;
}

AMP_PRIV_API amp_extent1 amp_priv_sort_tiled(const amp_priv_sorting *s)
{
    return AMP_EXTENT(256 * (s->step.pass == 3 ? 256 : s->pieces));
}

AMP_PRIV_API amp_extent2 amp_priv_sort_threads(const amp_priv_sorting *s)
{
    const bool is_host = amp_priv_is_host(s->call.view.amp_priv_queue->device->number);
    return AMP_EXTENT(is_host ? s->pieces : 1, is_host ? 1 : s->pieces);
}

/* Tiles take rows of 256 elements: as many tiles as keep a GPU busy to the end, a few for each thread of a CPU. What a
   tile has counted is added to what all have, by atomics. */
static inline int amp_priv_histogram_rows(int64_t size, const amp_priv_device *device)
{
    const int units = amp_priv_is_host(device->number) ? amp_priv_cpu_threads_now() : (int)device->units;
    const int64_t tiles = (int64_t)(units > 0 ? units : 1) * (device->is_gpu ? 16 : 4);
    const int64_t rows = (size + AMP_PRIV_LANES * tiles - 1) / (AMP_PRIV_LANES * tiles);
    const int most = 1 << 22; /* as of AMP_PRIV_LINEAR */
    return rows < 64 ? 64 : rows > most ? most : (int)((rows + 15) / 16 * 16);
}

AMP_PRIV_API int amp_priv_histogram_threads(int64_t size, int rows)
{
    return AMP_PRIV_LANES * (int)((size + (int64_t)AMP_PRIV_LANES * rows - 1) / ((int64_t)AMP_PRIV_LANES * rows));
}

/* How many copies of each bin a tile has: on a GPU up to one for each lane of a warp, which avoids bank conflicts. */
static inline int amp_priv_histogram_copies(int bins, const amp_priv_device *device)
{
    int copies = 1;
    if (!amp_priv_is_host(device->number) && (device->is_gpu || amp_priv_sort_tiles))
        while (copies < 32 && bins <= AMP_PRIV_HISTOGRAM_ROOM / (2 * copies))
            copies *= 2;
    return copies;
}

AMP_PRIV_API amp_accelerator_view amp_priv_histogram_begin(amp_accelerator_view view, const amp_priv_named *heads,
                                                           size_t count, amp_array_view_int_1 counts, int64_t size,
                                                           int *rows, int *copies, unsigned *reports)
{
    const amp_accelerator_view nowhere = { NULL };
    const int64_t most = (int64_t)1 << 50; /* tiles of 2^22 rows */
    if (size > most)
        amp_priv_too_many("AMP_HISTOGRAM", size, most);
    if (size < 0 || size > most || !amp_priv_head_ready(&counts.amp_priv, "AMP_HISTOGRAM") ||
        !amp_priv_is_apart("AMP_HISTOGRAM", "counts", &counts.amp_priv, heads, count, false))
        return nowhere;
    const amp_accelerator_view where = { amp_priv_call_target(view, heads, (int)count) };
    if (!where.amp_priv_queue)
        return nowhere;
    const amp_priv_device *const device = where.amp_priv_queue->device;
    *rows = amp_priv_histogram_rows(size, device);
    *copies = amp_priv_histogram_copies(counts.extent.v[0], device);
    *reports = amp_priv_last_error.reports;
    amp_priv_fill_zero(where, counts);
    if (amp_priv_last_error.reports != *reports) {
        amp_priv_call_invalidate(&counts.amp_priv);
        return nowhere;
    }
    return where;
}

AMP_PRIV_API void amp_priv_histogram_end(unsigned reports, const amp_priv_head *counts)
{
    if (__builtin_expect(amp_priv_last_error.reports != reports, 0))
        amp_priv_call_invalidate(counts);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SORT_H */
