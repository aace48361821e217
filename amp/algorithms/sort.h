/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort.h - sorting by keys that are numbers, digit by digit; counting what falls where.

    Least significant digit first, 8 bits at a time: the elements are dealt in pieces, the digits of each are counted,
    what comes before each piece and digit is summed, and each piece is put where it belongs: on a CPU by a thread, on a
    GPU by a tile, which sorts a part of it in tile_static memory first, so that neighbours are written by neighbours.
    Each step keeps the order of equal digits, so that the sort is stable. A key is seen as an unsigned number of the
    same order: of a signed integer the sign bit is flipped, of a float the sign bit, or all bits if it is negative.

    Contents (search for the tag):
        >>plan  >>kernel  >>tiles  >>sort  >>histogram                                               */
#ifndef AMP_ALGORITHMS_SORT_H
#define AMP_ALGORITHMS_SORT_H

#include "plan.h"
#include "tile.h"

/* // >>plan */

enum { AMP_PRIV_DIGITS = 256, AMP_PRIV_SORT_PIECE = 8192, AMP_PRIV_SORT_PIECES = 4096, AMP_PRIV_HISTOGRAM_ROOM = 4096 };

/* Tests have a device that is a CPU sort by tiles, too, in at most so many pieces. */
AMP_PRIV_GLOBAL(int, amp_priv_sort_tiles)

typedef enum amp_priv_key_kind { AMP_PRIV_KEY_UNSIGNED, AMP_PRIV_KEY_SIGNED, AMP_PRIV_KEY_FLOAT } amp_priv_key_kind;

/* What one launch does. A key's bits: exclusive or with `flip`, with `negative` if the first bit is set, with `all`. */
AMP_STRUCT(amp_priv_sort_step, {
    uint64_t flip, negative, all;
    int size, length; /* elements in all, of a piece */
    int shift;        /* where the digit begins */
    int pass;         /* 0: count, 1: put where it belongs, 2: copy */
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
        amp_tile_scan_sum(tile, int, lane, 256);
        AMP_THREADS(tile, t) {
            AMP_AT(counts, pieces * 256 + t.local.v[0]) = lane[t.local.v[0]] - AMP_OWN(own);
        }
    });
}

/* The same by a tile for each digit, whose counts lie together; how many there are of each follows. */
AMP_PRIV_NOINLINE void amp_priv_sort_tiles_begin(amp_accelerator_view view, amp_array_view_int_1 counts, int pieces)
{
    AMP_TILED_ON(view, AMP_EXTENT(256 * 256), (256), tile, AMP_CAPTURE(counts, pieces), {
        AMP_TILE_STATIC(int, lane, [256]);
        AMP_PRIVATE(int, own);
        const int share = (pieces + 255) / 256, first = tile.tile.v[0] * pieces, end = first + pieces;
        AMP_THREADS(tile, t) {
            int sum = 0;
            for (int k = first + t.local.v[0] * share, n = 0; k < end && n < share; k++, n++)
                sum += AMP_AT(counts, k);
            lane[t.local.v[0]] = AMP_OWN(own) = sum;
        }
        amp_tile_scan_sum(tile, int, lane, 256);
        AMP_THREADS(tile, t) {
            int sum = lane[t.local.v[0]] - AMP_OWN(own);
            for (int k = first + t.local.v[0] * share, n = 0; k < end && n < share; k++, n++) {
                const int count = AMP_AT(counts, k);
                AMP_AT(counts, k) = sum;
                sum += count;
            }
            if (t.local.v[0] == 255) AMP_AT(counts, pieces * 256 + t.tile.v[0]) = lane[255];
        }
    });
}

/* Elements of a thread of a tile. An odd number, so that threads that go along their own ones do not meet in a
   bank; with values more of them, so that more neighbours go to neighbours. */
#define AMP_PRIV_SORT_OF(key_size, has) ((key_size) > 4 ? ((has) ? 9 : 7) : (has) ? 21 : 13)

/* The pieces, and how long they are. */
static inline void amp_priv_sort_pieces(amp_priv_sorting *s, const amp_priv_queue *queue, int size, size_t key_size)
{
    const amp_priv_device *const device = queue->device;
    const bool is_host = amp_priv_is_host(device->number);
    s->by_tiles = !is_host && (device->is_gpu || amp_priv_sort_tiles) && device->local_memory >= 48 << 10;
    const int cores = is_host ? amp_priv_cpu_threads() : (int)device->units;
    const int unit = s->by_tiles ? 256 * AMP_PRIV_SORT_OF(key_size, s->values) : 1;
    const int tiles = amp_priv_sort_tiles ? amp_priv_sort_tiles : AMP_PRIV_SORT_PIECES;
    const int most = s->by_tiles ? tiles : cores > 0 ? cores : 1;
    const int wanted = size > 0 ? (size - 1) / (s->by_tiles ? unit : AMP_PRIV_SORT_PIECE) + 1 : 1;
    const int pieces = wanted < most ? wanted : most, units = size > 0 ? (size - 1) / unit + 1 : 1;
    s->step.length = ((units - 1) / pieces + 1) * unit;
    s->pieces = (units - 1) / (s->step.length / unit) + 1;
}

static inline int amp_priv_head_length(const amp_priv_head *head) { return amp_priv_head_extent(head)[0]; }

/* False after reporting, and where there is nothing to do. */
AMP_PRIV_NOINLINE bool amp_priv_sort_begin(amp_priv_sorting *s, const char *name, amp_accelerator_view view,
                                           const amp_priv_head *keys, const amp_priv_head *values,
                                           amp_priv_key_kind kind, bool descending)
{
    memset(s, 0, sizeof *s);
    s->call.before = amp_priv_last_error.status;
    if (!amp_priv_head_ready(keys, name) || (values && !amp_priv_head_ready(values, name)))
        return false;
    const int size = amp_priv_head_length(keys);
    if (size < 2 && !values)
        return false;
    if (values && !amp_priv_same_length(name, size, amp_priv_head_length(values)))
        return false;
    const amp_priv_head *const heads[] = { keys, values };
    const size_t value_size = values ? values->element->size : 0, key_size = keys->element->size;
    amp_priv_queue *const queue = amp_priv_call_target(view, heads, 2);
    if (!queue)
        return false;
    s->values = values;
    amp_priv_sort_pieces(s, queue, size, key_size);
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
    s->other_keys = amp_priv_call_part(&s->call, (size_t)size * key_size);
    s->other_values = amp_priv_call_part(&s->call, (size_t)size * value_size);
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

/* The next launch: false when there is none. key: the record of an unsigned type of the key's size; the views: of keys
   and values (NULL: none), where they come from and go to; of the counts. */
AMP_PRIV_NOINLINE bool amp_priv_sort_next(amp_priv_sorting *s, const amp_priv_element *key, void *from, void *to,
                                          void *values_from, void *values_to, amp_array_view_int_1 *counts)
{
    amp_priv_sort_step *const step = &s->step;
    if (amp_priv_call_failed() || step->pass == 2)
        return false;
    amp_priv_call_view(&s->call, counts, &amp_priv_element_int, s->counts, ((size_t)s->pieces + 1) * AMP_PRIV_DIGITS);
    if (step->pass == 0) {
        (s->by_tiles ? amp_priv_sort_tiles_begin : amp_priv_sort_begins)(s->call.view, *counts, s->pieces);
        step->pass = 1;
        if (amp_priv_call_failed())
            return false;
    } else {
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

/* A thread for each piece. The CPU loops share out rows, devices columns. */
static inline amp_extent2 amp_priv_sort_threads(const amp_priv_sorting *s)
{
    const bool is_host = amp_priv_is_host(s->call.view.amp_priv_queue->device->number);
    return AMP_EXTENT(is_host ? s->pieces : 1, is_host ? 1 : s->pieces);
}

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
                       "amp: " name " sorts a view or array of rank 1, not a const one");                              \
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
                    AMP_TILED_ON(amp_priv_this.call.view, AMP_EXTENT(256 * amp_priv_pieces), (256), amp_priv_tile,     \
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
   A tile goes over its piece, AMP_PRIV_SORT_SOME elements at a time. amp_priv_start[d] is where the next element with
   digit d goes. They are sorted by the lower half of the digit and then by the upper one: each thread counts the 16
   digits of its own elements, which lie in a row; what comes before each digit and thread is summed, two 16-bit counts
   in a word; elements go where that and the count of the thread's earlier ones say. The CPU loops have none of it. */

#define AMP_PRIV_SORT_ARRAY(n)  [n] /* which clang-format takes for Objective-C in an argument */
#define AMP_PRIV_SORT_KEY       AMP_PRIV_TYPE_OF(amp_priv_from)
#define AMP_PRIV_SORT_OWN(has)  AMP_PRIV_SORT_OF(sizeof(AMP_PRIV_SORT_KEY), has)
#define AMP_PRIV_SORT_SOME(has) (AMP_PRIV_SORT_OWN(has) * 256)
/* Where count p is: apart, as a thread goes along 8. */
#define AMP_PRIV_SORT_SPREAD(p) ((p) + ((p) >> 5))

/* has: 1 if there are values, else 0. */
#define AMP_PRIV_SORT_TILES(has, moved)                                                                                \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        AMP_TILE_STATIC(AMP_PRIV_SORT_KEY, amp_priv_keys, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_SOME(has)));               \
        AMP_TILE_STATIC(uint16_t, amp_priv_order, AMP_PRIV_SORT_ARRAY(has * AMP_PRIV_SORT_SOME(has) + 1));             \
        AMP_TILE_STATIC(uint32_t, amp_priv_count, [2112]);                                                             \
        AMP_TILE_STATIC(uint32_t, amp_priv_lane, [512]);                                                               \
        AMP_TILE_STATIC(int, amp_priv_start, [256]);                                                                   \
        AMP_TILE_STATIC(int, amp_priv_begin, [256]);                                                                   \
        AMP_TILE_STATIC(int, amp_priv_end, [256]);                                                                     \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        const int amp_priv_piece = amp_priv_tile.tile.v[0], amp_priv_first = amp_priv_piece * amp_priv_step.length;    \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_long = amp_priv_rest < amp_priv_step.length ? amp_priv_rest : amp_priv_step.length;         \
        if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                         \
        } else if (amp_priv_step.pass == 0) {                                                                          \
            AMP_PRIV_SORT_TILES_COUNT(has)                                                                             \
        } else if (amp_priv_step.pass == 1) {                                                                          \
            AMP_PRIV_SORT_TILES_PUT(has, moved)                                                                        \
        } else {                                                                                                       \
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
#define AMP_PRIV_SORT_DIGIT_AT(p)                                                                                      \
    ((int)(amp_priv_keys[p] >> amp_priv_step.shift) & 255)

#define AMP_PRIV_SORT_TILES_COUNT(has)                                                                                 \
    AMP_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_start[amp_priv_t.local.v[0]] = 0; }                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_at = 0; amp_priv_at < amp_priv_long; amp_priv_at += AMP_PRIV_SORT_SOME(has))                     \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_base = amp_priv_first + amp_priv_at + amp_priv_t.local.v[0];                            \
            amp_priv_key amp_priv_own[AMP_PRIV_SORT_OWN(has)];                                                         \
            if (amp_priv_at + AMP_PRIV_SORT_SOME(has) <= amp_priv_long) {                                              \
                AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)        \
                    amp_priv_own[amp_priv_k] = AMP_AT(amp_priv_from, amp_priv_base + amp_priv_k * 256);                \
                AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++)        \
                    amp_atomic_fetch_add(&amp_priv_start[AMP_PRIV_SORT_DIGIT_OF(amp_priv_own[amp_priv_k])], 1);        \
            } else {                                                                                                   \
                for (int amp_priv_p = amp_priv_at + amp_priv_t.local.v[0]; amp_priv_p < amp_priv_long;                 \
                     amp_priv_p += 256)                                                                                \
                    amp_atomic_fetch_add(                                                                              \
                        &amp_priv_start[AMP_PRIV_SORT_DIGIT_OF(AMP_AT(amp_priv_from, amp_priv_first + amp_priv_p))],   \
                        1);                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_AT(amp_priv_counts, amp_priv_t.local.v[0] * amp_priv_pieces + amp_priv_piece) =                            \
            amp_priv_start[amp_priv_t.local.v[0]];                                                                     \
    }

#define AMP_PRIV_SORT_TILES_PUT(has, moved)                                                                            \
    const amp_priv_key amp_priv_all = (amp_priv_key)amp_priv_step.all;                                                 \
    AMP_PRIVATE(amp_priv_key, amp_priv_own, AMP_PRIV_SORT_ARRAY(AMP_PRIV_SORT_OWN(has)));                              \
    AMP_PRIVATE(uint32_t, amp_priv_rank, [4]);                                                                         \
    AMP_PRIVATE(uint32_t, amp_priv_from_where, AMP_PRIV_SORT_ARRAY(has * AMP_PRIV_SORT_OWN(has) / 2 + 1));             \
    AMP_PRIVATE(uint32_t, amp_priv_mine);                                                                              \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        amp_priv_lane[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_mine) =                                                \
            (uint32_t)AMP_AT(amp_priv_counts, 256 * amp_priv_pieces + amp_priv_t.local.v[0]);                          \
    }                                                                                                                  \
    AMP_PRIV_TILE_SCAN_LANES(amp_priv_tile, uint32_t, amp_priv_lane, a + b)                                            \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_d = amp_priv_t.local.v[0];                                                                  \
        amp_priv_start[amp_priv_d] = (int)(amp_priv_lane[amp_priv_d] - AMP_OWN(amp_priv_mine)) +                       \
                                     AMP_AT(amp_priv_counts, amp_priv_d * amp_priv_pieces + amp_priv_piece);           \
    }                                                                                                                  \
    for (int amp_priv_at = 0; amp_priv_at < amp_priv_long; amp_priv_at += AMP_PRIV_SORT_SOME(has)) {                   \
        const int amp_priv_base = amp_priv_first + amp_priv_at, amp_priv_left = amp_priv_long - amp_priv_at;           \
        const int amp_priv_some = amp_priv_left < AMP_PRIV_SORT_SOME(has) ? amp_priv_left : AMP_PRIV_SORT_SOME(has);   \
        AMP_PRIV_SORT_TILES_LOAD(has)                                                                                  \
        for (int amp_priv_half = 0; amp_priv_half < 8; amp_priv_half += 4) {                                           \
            const int amp_priv_shift = amp_priv_step.shift + amp_priv_half;                                            \
            AMP_PRIV_SORT_TILES_RANK(has)                                                                              \
            AMP_PRIV_SORT_TILES_SUM                                                                                    \
            AMP_PRIV_SORT_TILES_MOVE(has)                                                                              \
        }                                                                                                              \
        AMP_PRIV_SORT_TILES_OUT(has, moved)                                                                            \
    }

/* Beyond the end all have the greatest key, so that they stay there. */
#define AMP_PRIV_SORT_TILES_LOAD(has)                                                                                  \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_me = amp_priv_t.local.v[0];                                                                 \
        amp_priv_begin[amp_priv_me] = amp_priv_end[amp_priv_me] = 0;                                                   \
        if (amp_priv_some == AMP_PRIV_SORT_SOME(has)) {                                                                \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {          \
                const amp_priv_key amp_priv_bits =                                                                     \
                    AMP_AT(amp_priv_from, amp_priv_base + amp_priv_me + amp_priv_k * 256);                             \
                amp_priv_keys[amp_priv_me + amp_priv_k * 256] = AMP_PRIV_SORT_ORDERED(amp_priv_bits);                  \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int amp_priv_p = amp_priv_me; amp_priv_p < AMP_PRIV_SORT_SOME(has); amp_priv_p += 256) {              \
                amp_priv_key amp_priv_bits = (amp_priv_key)~(amp_priv_key)0;                                           \
                if (amp_priv_p < amp_priv_some) {                                                                      \
                    amp_priv_bits = AMP_AT(amp_priv_from, amp_priv_base + amp_priv_p);                                 \
                    amp_priv_bits = AMP_PRIV_SORT_ORDERED(amp_priv_bits);                                              \
                }                                                                                                      \
                amp_priv_keys[amp_priv_p] = amp_priv_bits;                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
/* Of each of a thread's keys, how many before it have the same digit; and all the thread's counts. */
#define AMP_PRIV_SORT_TILES_RANK(has)                                                                                  \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_me = amp_priv_t.local.v[0], amp_priv_at_count = AMP_PRIV_SORT_SPREAD(amp_priv_me);          \
        const int amp_priv_at_key = amp_priv_me * AMP_PRIV_SORT_OWN(has);                                              \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 4; amp_priv_k++)                                     \
            AMP_OWN(amp_priv_rank, amp_priv_k) = 0;                                                                    \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                     \
            amp_priv_count[amp_priv_k * 264 + amp_priv_at_count] = 0;                                                  \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            const amp_priv_key amp_priv_bits = amp_priv_keys[amp_priv_at_key + amp_priv_k];                            \
            const uint32_t amp_priv_digit = (uint32_t)(amp_priv_bits >> amp_priv_shift);                               \
            const uint32_t amp_priv_c = (amp_priv_digit & 7) * 264 + (uint32_t)amp_priv_at_count;                      \
            const uint32_t amp_priv_high = (amp_priv_digit & 8) * 2, amp_priv_seen = amp_priv_count[amp_priv_c];       \
            amp_priv_count[amp_priv_c] = amp_priv_seen + (1u << amp_priv_high);                                        \
            AMP_OWN(amp_priv_own, amp_priv_k) = amp_priv_bits;                                                         \
            AMP_OWN(amp_priv_rank, amp_priv_k / 6) |= (amp_priv_seen >> amp_priv_high & 31u) << amp_priv_k % 6 * 5;    \
            if (has) {                                                                                                 \
                const int amp_priv_p = amp_priv_at_key + amp_priv_k;                                                   \
                const uint32_t amp_priv_number =                                                                       \
                    amp_priv_half ? amp_priv_order[has * amp_priv_p] : (uint32_t)amp_priv_p;                           \
                AMP_OWN(amp_priv_from_where, has * amp_priv_k / 2) =                                                   \
                    amp_priv_k % 2 ? AMP_OWN(amp_priv_from_where, has * amp_priv_k / 2) | amp_priv_number << 16        \
                                   : amp_priv_number;                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
/* From counts to what comes before: of digits 0 to 7 in the lower halves of words, of 8 to 15 in the upper ones. */
#define AMP_PRIV_SORT_TILES_SUM                                                                                        \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_c = AMP_PRIV_SORT_SPREAD(8 * amp_priv_t.local.v[0]);                                        \
        uint32_t amp_priv_sum = 0;                                                                                     \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                     \
            amp_priv_sum += amp_priv_count[amp_priv_c + amp_priv_k];                                                   \
        amp_priv_lane[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_mine) = amp_priv_sum;                                  \
    }                                                                                                                  \
    AMP_PRIV_TILE_SCAN_LANES(amp_priv_tile, uint32_t, amp_priv_lane, a + b)                                            \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_c = AMP_PRIV_SORT_SPREAD(8 * amp_priv_t.local.v[0]);                                        \
        uint32_t amp_priv_sum =                                                                                        \
            amp_priv_lane[amp_priv_t.local.v[0]] - AMP_OWN(amp_priv_mine) + (amp_priv_lane[255] << 16);                \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                   \
            const uint32_t amp_priv_seen = amp_priv_count[amp_priv_c + amp_priv_k];                                    \
            amp_priv_count[amp_priv_c + amp_priv_k] = amp_priv_sum;                                                    \
            amp_priv_sum += amp_priv_seen;                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
#define AMP_PRIV_SORT_TILES_MOVE(has)                                                                                  \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_at_count = AMP_PRIV_SORT_SPREAD(amp_priv_t.local.v[0]);                                     \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            const amp_priv_key amp_priv_bits = AMP_OWN(amp_priv_own, amp_priv_k);                                      \
            const uint32_t amp_priv_digit = (uint32_t)(amp_priv_bits >> amp_priv_shift);                               \
            const uint32_t amp_priv_before = amp_priv_count[(amp_priv_digit & 7) * 264 + (uint32_t)amp_priv_at_count]; \
            const uint32_t amp_priv_p =                                                                                \
                (amp_priv_before >> (amp_priv_digit & 8) * 2 & 0xffffu) +                                              \
                (AMP_OWN(amp_priv_rank, amp_priv_k / 6) >> amp_priv_k % 6 * 5 & 31u);                                  \
            amp_priv_keys[amp_priv_p] = amp_priv_bits;                                                                 \
            if (has)                                                                                                   \
                amp_priv_order[has * amp_priv_p] =                                                                     \
                    (uint16_t)(AMP_OWN(amp_priv_from_where, has * amp_priv_k / 2) >> amp_priv_k % 2 * 16);             \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* Finds where each digit begins and ends in the tile, what has to be added to a place in it, and where the next tile
   goes on; and writes the elements. */
#define AMP_PRIV_SORT_TILES_OUT(has, moved)                                                                            \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_SORT_OWN(has); amp_priv_k++) {              \
            const int amp_priv_p = amp_priv_k * 256 + amp_priv_t.local.v[0];                                           \
            const int amp_priv_digit = AMP_PRIV_SORT_DIGIT_AT(amp_priv_p);                                             \
            const int amp_priv_left_of = AMP_PRIV_SORT_DIGIT_AT(amp_priv_p > 0 ? amp_priv_p - 1 : 0);                  \
            if (amp_priv_digit != amp_priv_left_of && amp_priv_p < amp_priv_some) {                                    \
                amp_priv_begin[amp_priv_digit] = amp_priv_p;                                                           \
                amp_priv_end[amp_priv_left_of] = amp_priv_p;                                                           \
            }                                                                                                          \
            if (amp_priv_p == amp_priv_some - 1) amp_priv_end[amp_priv_digit] = amp_priv_some;                         \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        const int amp_priv_me = amp_priv_t.local.v[0], amp_priv_from_there = amp_priv_start[amp_priv_me];              \
        amp_priv_start[amp_priv_me] += amp_priv_end[amp_priv_me] - amp_priv_begin[amp_priv_me];                        \
        amp_priv_begin[amp_priv_me] = amp_priv_from_there - amp_priv_begin[amp_priv_me];                               \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                           \
        if (amp_priv_some == AMP_PRIV_SORT_SOME(has)) {                                                                \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_row = 0; amp_priv_row < AMP_PRIV_SORT_OWN(has); amp_priv_row++) {    \
                const int amp_priv_p = amp_priv_row * 256 + amp_priv_t.local.v[0];                                     \
                AMP_PRIV_SORT_TILES_GO(has, moved)                                                                     \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int amp_priv_p = amp_priv_t.local.v[0]; amp_priv_p < amp_priv_some; amp_priv_p += 256) {              \
                AMP_PRIV_SORT_TILES_GO(has, moved)                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
#define AMP_PRIV_SORT_TILES_GO(has, moved)                                                                             \
    const amp_priv_key amp_priv_bits = amp_priv_keys[amp_priv_p];                                                      \
    const int amp_priv_there = amp_priv_begin[(int)(amp_priv_bits >> amp_priv_step.shift) & 255] + amp_priv_p;         \
    const int amp_priv_k = amp_priv_base + amp_priv_order[has * amp_priv_p];                                           \
    (void)amp_priv_k;                                                                                                  \
    AMP_AT(amp_priv_to, amp_priv_there) = AMP_PRIV_SORT_BACK(amp_priv_bits);                                           \
    AMP_PRIV_UNWRAP moved

/* // >>sort
   amp_sort(keys), amp_sort_descending(keys): sorts a view or array of rank 1 of integers, float or double.
   amp_sort_by_key(keys, values), amp_sort_by_key_descending(keys, values): and brings the elements of another one, of
   any type, into the same order.
   amp_sort_on(view, keys), amp_sort_descending_on, amp_sort_by_key_on(view, keys, values),
   amp_sort_by_key_descending_on: on an accelerator view. keys and values are evaluated once.
   Statements. Stable. -0 comes before 0; a NaN after all numbers if its sign bit is 0, before them if it is 1
   (descending: the other way round). Errors: AMP_UNINITIALIZED_OBJECT, AMP_RUNTIME_ERROR (the lengths differ),
   AMP_OUT_OF_MEMORY, those of launches. Blocking: no. Cost: for each byte of a key, keys are read twice and written
   once, values once; as much temporary memory as both take. Source: std::stable_sort. */
#define amp_sort(keys)                      amp_sort_on((amp_accelerator_view){ NULL }, keys)
#define amp_sort_on(where, keys)            AMP_PRIV_SORT_KEYS("amp_sort", where, keys, false)
#define amp_sort_descending(keys)           amp_sort_descending_on((amp_accelerator_view){ NULL }, keys)
#define amp_sort_descending_on(where, keys) AMP_PRIV_SORT_KEYS("amp_sort_descending", where, keys, true)
#define AMP_PRIV_SORT_KEYS(name, where, keys, descending)                                                              \
    AMP_PRIV_SORT(name, where, keys, NULL, descending, , (NULL, NULL), (), 0, ())

#define amp_sort_by_key(keys, values)           amp_sort_by_key_on((amp_accelerator_view){ NULL }, keys, values)
#define amp_sort_by_key_on(where, keys, values) AMP_PRIV_SORT_PAIRS("amp_sort_by_key", where, keys, values, false)
#define amp_sort_by_key_descending(keys, values)                                                                       \
    amp_sort_by_key_descending_on((amp_accelerator_view){ NULL }, keys, values)
#define amp_sort_by_key_descending_on(where, keys, values)                                                             \
    AMP_PRIV_SORT_PAIRS("amp_sort_by_key_descending", where, keys, values, true)
#define AMP_PRIV_SORT_PAIRS(name, where, keys, values, descending)                                                     \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_RANK_OF(values) == 1 && !AMP_PRIV_IS_CONST(values),                                    \
                       "amp: " name " sorts values of a view or array of rank 1, not a const one");                    \
        AMP_PRIV_SORT(name, where, keys, AMP_PRIV_HEAD(values), descending,                                            \
                      AMP_PRIV_VIEW_TYPE(values) amp_priv_old; AMP_PRIV_VIEW_TYPE(values) amp_priv_new;,               \
                      (&amp_priv_old, &amp_priv_new), (amp_priv_old, amp_priv_new, ), 1,                               \
                      (AMP_AT(amp_priv_new, amp_priv_there) = AMP_AT(amp_priv_old, amp_priv_k);));                     \
    } while (0)

/* // >>histogram
   AMP_HISTOGRAM(counts, extent, (i), AMP_CAPTURE(...), bin): how many indexes of the extent fall into each bin: counts,
   a view or array of int of rank 1, gets as many numbers as it has elements. bin is an int expression; indexes with a
   bin below 0 or beyond the last are not counted. AMP_HISTOGRAM_ON(view, counts, ...): on an accelerator view.
   A statement. Errors: those of AMP_REDUCE. Blocking: no. Cost: each element is read once; up to 1024 bins are counted
   in tile_static memory, more by atomics on counts. Source: CUB's DeviceHistogram. */
#define AMP_HISTOGRAM(counts, extent, names, captures, bin)                                                            \
    AMP_HISTOGRAM_ON((amp_accelerator_view){ NULL }, counts, extent, names, captures, bin)
#define AMP_HISTOGRAM_ON(where, counts, extent, names, captures, bin)                                                  \
    do {                                                                                                               \
        AMP_PRIV_CAT(AMP_PRIV_HISTOGRAM_, AMP_PRIV_IS_LIST(captures))                                                  \
        ("AMP_HISTOGRAM", where, counts, extent, names, AMP_PRIV_UNWRAP captures, bin);                                \
    } while (0)
#define AMP_PRIV_HISTOGRAM_0 AMP_PRIV_REDUCE_0
#define AMP_PRIV_HISTOGRAM_1(name, where, counts, extent, names, captures, bin)                                        \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        const amp_array_view_int_1 amp_priv_counts = amp_view_of(counts);                                              \
        const int64_t amp_priv_size =                                                                                  \
            amp_priv_domain_size("AMP_HISTOGRAM", amp_priv_domain.v, AMP_PRIV_COUNT names);                            \
        int amp_priv_rows = 0, amp_priv_copies = 0;                                                                    \
        const amp_accelerator_view amp_priv_where =                                                                    \
            amp_priv_histogram_begin(where, AMP_PRIV_HEADS(captures), AMP_PRIV_HEADS_COUNT(captures),                  \
                                     amp_priv_counts, amp_priv_size, &amp_priv_rows, &amp_priv_copies);                \
        if (amp_priv_where.amp_priv_queue)                                                                             \
            AMP_TILED_ON(amp_priv_where, AMP_EXTENT(amp_priv_histogram_threads(amp_priv_size, amp_priv_rows)), (256),  \
                         amp_priv_tile,                                                                                \
                         ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_counts, amp_priv_rows, amp_priv_copies, \
                           AMP_BIND(amp_priv_all, amp_priv_size), AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain))),\
                         AMP_PRIV_HISTOGRAM_BODY(names, bin));                                                         \
    } while (0)

/* Tiles take rows of 256 elements: as many tiles as keep a GPU busy to the end, a few for each thread of a CPU. What a
   tile has counted is added to what all have, by atomics. */
static inline int amp_priv_histogram_rows(int64_t size, const amp_priv_device *device)
{
    const int units = amp_priv_is_host(device->number) ? amp_priv_cpu_threads() : (int)device->units;
    const int64_t tiles = (int64_t)(units > 0 ? units : 1) * (device->is_gpu ? 16 : 4);
    const int64_t rows = (size + AMP_PRIV_LANES * tiles - 1) / (AMP_PRIV_LANES * tiles);
    return rows < 64 ? 64 : (int)((rows + 15) / 16 * 16);
}

static inline int amp_priv_histogram_threads(int64_t size, int rows)
{
    return AMP_PRIV_LANES * (int)((size + (int64_t)AMP_PRIV_LANES * rows - 1) / ((int64_t)AMP_PRIV_LANES * rows));
}

/* How often a tile has each bin: on a GPU up to once for each lane of those that run in step, so that few of them meet
   in a bank. */
static inline int amp_priv_histogram_copies(int bins, const amp_priv_device *device)
{
    int copies = 1;
    if (!amp_priv_is_host(device->number) && (device->is_gpu || amp_priv_sort_tiles))
        while (copies < 32 && bins <= AMP_PRIV_HISTOGRAM_ROOM / (2 * copies))
            copies *= 2;
    return copies;
}

/* Where it runs, all counts being 0, and how: NULL after reporting. */
AMP_PRIV_NOINLINE amp_accelerator_view amp_priv_histogram_begin(amp_accelerator_view view,
                                                                const amp_priv_head *const *heads, size_t count,
                                                                amp_array_view_int_1 counts, int64_t size, int *rows,
                                                                int *copies)
{
    const amp_accelerator_view nowhere = { NULL };
    if (size < 0 || !amp_priv_head_ready(&counts.amp_priv, "AMP_HISTOGRAM"))
        return nowhere;
    const amp_accelerator_view where = { amp_priv_call_target(view, heads, (int)count) };
    if (!where.amp_priv_queue)
        return nowhere;
    const amp_priv_device *const device = where.amp_priv_queue->device;
    *rows = amp_priv_histogram_rows(size, device);
    *copies = amp_priv_histogram_copies(counts.extent.v[0], device);
    const amp_status before = amp_priv_errors_begin();
    amp_priv_fill_zero(where, counts);
    const bool failed = amp_priv_call_failed();
    amp_priv_errors_end(before);
    return failed ? nowhere : where;
}

/* Up to 1024 bins are counted in tile_static memory, which has room for some more: nobody asks for what is counted
   beyond the last one. On the host a byte needs no comparison then. */
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
                AMP_PRIV_LINEAR(names, amp_priv_base, amp_priv_k * 256 + amp_priv_t.local.v[0])                        \
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
        const int amp_priv_places = AMP_PRIV_HOST_OR_DEVICE(1024, "4096 / amp_priv_copies");                           \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_places * amp_priv_copies; amp_priv_b += 256)                    \
            AMP_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_own[amp_priv_b + amp_priv_t.local.v[0]] = 0; }           \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        int amp_priv_done = 0;                                                                                         \
        AMP_PRIV_HISTOGRAM_AHEAD(names, bin)                                                                           \
        for (int amp_priv_row = AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_done"); amp_priv_row < amp_priv_rows;             \
             amp_priv_row++) {                                                                                         \
            const int64_t amp_priv_base = ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows + amp_priv_row) * 256;     \
            const int64_t amp_priv_left = amp_priv_all - amp_priv_base;                                                \
            const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;           \
            AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                          \
                AMP_PRIV_LINEAR(names, amp_priv_base, amp_priv_t.local.v[0])                                           \
                const int amp_priv_bin = (bin);                                                                        \
                AMP_PRIV_HISTOGRAM_COUNT                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_few; amp_priv_b += 256)                                         \
            AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                   \
                const int amp_priv_bin = amp_priv_b + amp_priv_t.local.v[0];                                           \
                int amp_priv_sum = 0;                                                                                  \
                const int amp_priv_end = amp_priv_bin < amp_priv_few ? amp_priv_copies : 0;                            \
                for (int amp_priv_k = 0; amp_priv_k < amp_priv_end; amp_priv_k++)                                      \
                    amp_priv_sum += amp_priv_own[amp_priv_bin * amp_priv_copies +                                      \
                                                 ((amp_priv_bin + amp_priv_k) & (amp_priv_copies - 1))];               \
                if (amp_priv_sum != 0) amp_atomic_fetch_add(&AMP_AT(amp_priv_counts, amp_priv_bin), amp_priv_sum);     \
            }                                                                                                          \
    }

#endif /* AMP_ALGORITHMS_SORT_H */
