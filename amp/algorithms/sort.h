/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort.h - radix sorts by numeric keys; histograms.

    The sort takes 8 bits at a time, the least significant digit first. It divides the elements into pieces, counts the
    digits of each piece, sums the counts before each piece and digit, and writes the elements of each piece to their
    new places. On a CPU a thread does this; a GPU sorts by tiles (amp/algorithms/sort_tiles.h). Each step keeps the
    order of equal digits, so the sort is stable. A key is treated as an unsigned number of the same order: the sign bit
    is flipped, or all bits of a negative float.

    Contents (search for the tag):
        >>plan  >>kernel  >>sort  >>histogram  >>implementation */
#ifndef AMP_ALGORITHMS_SORT_H
#define AMP_ALGORITHMS_SORT_H

#include "sort_cpu.h"
#include "sort_tiles.h"

/* // >>plan */

enum {
    AMP_PRIV_DIGITS = 256,
    AMP_PRIV_SORT_PIECE = 8192,
    AMP_PRIV_SORT_TRIES = 256, /* to read what a tile publishes, before its digits are counted elsewhere */
    AMP_PRIV_HISTOGRAM_ROOM = 4096
};

typedef enum amp_priv_key_kind { AMP_PRIV_KEY_UNSIGNED, AMP_PRIV_KEY_SIGNED, AMP_PRIV_KEY_FLOAT } amp_priv_key_kind;

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* What one launch does. A key's bits: exclusive or with `flip`, with `negative` if the first bit is set, with `all`. */
AMP_STRUCT(amp_priv_sort_step, {
    uint64_t flip, negative, all;
    int size, length; /* elements in all, of a piece */
    int shift;        /* where the digit begins */
    int pass;         /* 0: count, 1: put where it belongs, 2: copy; of tiles: 3: count all digits, 4: sweep */
    int tiles, groups, tries, reversed; /* amp/algorithms/sort_tiles.h; reversed: the last tile comes first (tests) */
    int here, other; /* where the tiles of this sweep, and those of the next, publish */
});

typedef struct amp_priv_sorting {
    amp_priv_call call;
    amp_priv_sort_step step;
    int pieces, bits;
    bool by_tiles;
    const amp_priv_head *keys, *values;      /* the caller's; values: NULL if there are none */
    size_t other_keys, other_values, counts; /* where they are in the temporary memory */
    size_t count;                            /* how many counts there are */
    bool swapped;                            /* the newest keys are there */
} amp_priv_sorting;

/* False after reporting, and where there is nothing to do. */
AMP_PRIV_API bool amp_priv_sort_begin(amp_priv_sorting *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_head *keys, const amp_priv_head *values, amp_priv_key_kind kind,
                                      bool descending);

/* The next launch: false when there is none. key: the record of an unsigned type of the key's size; the views: of keys
   and values (NULL: none), where they come from and go to; of the counts, of which tiles have another type. */
AMP_PRIV_API bool amp_priv_sort_next(amp_priv_sorting *s, const amp_priv_element *key, void *from, void *to,
                                     void *values_from, void *values_to, amp_array_view_int_1 *counts,
                                     amp_array_view_uint32_t_1 *state);

/* A thread for each piece. The CPU backend divides the rows, devices the columns. */
AMP_PRIV_API amp_extent2 amp_priv_sort_threads(const amp_priv_sorting *s);

/* The templates of the kernels (amp/launch/template.h), without and with values. */
AMP_PRIV_API const char *amp_priv_sort_text_0(void);
AMP_PRIV_API const char *amp_priv_sort_text_1(void);
/* On GPUs: the digits; a sweep. */
AMP_PRIV_API const char *amp_priv_sort_digits_text(void);
AMP_PRIV_API const char *amp_priv_sort_sweep_text_0(void);
AMP_PRIV_API const char *amp_priv_sort_sweep_text_1(void);

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

/* has: 1 if there are values, else 0. */
#define AMP_PRIV_SORT(name, where, keys, values, descending, view_declarations, value_views, more, has)                \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_RANK_OF(keys) == 1 && !AMP_PRIV_IS_CONST(keys),                                        \
                       AMP_PRIV_MSG_SORTS(name, ""));                                                                  \
        const amp_priv_head *const amp_priv_sorted = AMP_PRIV_HEAD(keys), *const amp_priv_brought = values;            \
        amp_priv_sorting amp_priv_this;                                                                                \
        if (amp_priv_sort_begin(&amp_priv_this, name, where, amp_priv_sorted, amp_priv_brought,                        \
                                AMP_PRIV_KEY_KIND((keys).data[0]), descending)) {                                      \
            __typeof__(*AMP_PRIV_OF_SIZE(sizeof (keys).data[0], AMP_PRIV_VIEW_OF_TYPE)) amp_priv_from, amp_priv_to;    \
            amp_array_view_int_1 amp_priv_counts;                                                                      \
            amp_array_view_uint32_t_1 amp_priv_published;                                                              \
            view_declarations                                                                                          \
            while (amp_priv_sort_next(&amp_priv_this, AMP_PRIV_OF_SIZE(sizeof (keys).data[0], AMP_PRIV_RECORD_OF_TYPE),\
                                      &amp_priv_from, &amp_priv_to, AMP_PRIV_UNWRAP value_views, &amp_priv_counts,     \
                                      &amp_priv_published)) {                                                          \
                const amp_priv_sort_step amp_priv_step = amp_priv_this.step;                                           \
                const int amp_priv_pieces = amp_priv_this.pieces;                                                      \
                if (amp_priv_step.pass == 3)                                                                           \
                    AMP_PRIV_TILED_DEVICE(                                                                             \
                        amp_priv_sort_digits_text, "\1", amp_priv_this.call.view,                                      \
                        AMP_EXTENT(256 * amp_priv_step.groups), (256), amp_priv_tile,                                  \
                        AMP_CAPTURE(amp_priv_from, amp_priv_published, AMP_VALUE(amp_priv_sort_step, amp_priv_step)),  \
                        AMP_PRIV_SORT_DIGITS_BODY);                                                                    \
                else if (amp_priv_step.pass == 4)                                                                      \
                    AMP_PRIV_TILED_DEVICE(                                                                             \
                        amp_priv_sort_sweep_text_##has, "\1", amp_priv_this.call.view,                                 \
                        AMP_EXTENT(AMP_PRIV_SORT_WIDE(has) * amp_priv_step.tiles), (AMP_PRIV_SORT_WIDE(has)),          \
                        amp_priv_tile,                                                                                 \
                        ((AMP_PRIV_UNWRAP more amp_priv_from, amp_priv_to, amp_priv_published,                         \
                          AMP_VALUE(amp_priv_sort_step, amp_priv_step))),                                              \
                        AMP_PRIV_SORT_SWEEP_BODY(has));                                                                \
                else                                                                                                   \
                    AMP_PRIV_EACH_FROM(amp_priv_sort_text_##has, "\1", amp_priv_this.call.view,                        \
                                       amp_priv_sort_threads(&amp_priv_this), (amp_priv_row, amp_priv_column),         \
                                       ((AMP_PRIV_UNWRAP more amp_priv_from, amp_priv_to, amp_priv_counts,             \
                                         amp_priv_pieces, AMP_VALUE(amp_priv_sort_step, amp_priv_step))),              \
                                       AMP_PRIV_SORT_BODY(has));                                                       \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
    } while (0)

/* Element number amp_priv_k goes to number amp_priv_there, and so does its value. */
#define AMP_PRIV_SORT_MOVED_0
#define AMP_PRIV_SORT_MOVED_1 AMP_AT(amp_priv_new, amp_priv_there) = AMP_AT(amp_priv_old, amp_priv_k);
#define AMP_PRIV_SORT_BODY(has)                                                                                        \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_key;                                                          \
        const int amp_priv_piece = amp_priv_row + amp_priv_column;                                                     \
        const int amp_priv_first = amp_priv_piece * amp_priv_step.length;                                              \
        const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
        const int amp_priv_end = amp_priv_first + (amp_priv_rest < amp_priv_step.length ? amp_priv_rest                \
                                                                                        : amp_priv_step.length);       \
        AMP_PRIV_SORT_FLIPS                                                                                            \
        int amp_priv_count[256];                                                                                       \
        const int amp_priv_by_lines = AMP_PRIV_HOST_OR_DEVICE(                                                         \
            AMP_PRIV_SORT_BY_LINES(amp_priv_step.size, sizeof(amp_priv_key), AMP_PRIV_SORT_VALUE_SIZE_##has), "0");    \
        if (amp_priv_by_lines && amp_priv_step.pass == 0) {                                                            \
            (void)AMP_PRIV_HOST_OR_DEVICE(amp_priv_sort_part_count(AMP_PRIV_SORT_PART, &amp_priv_from.amp_priv,        \
                                                                   amp_priv_count), "0");                              \
        } else if (amp_priv_step.pass == 0) {                                                                          \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++) amp_priv_count[amp_priv_d] = 0;                   \
            for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                AMP_PRIV_SORT_DIGIT                                                                                    \
                amp_priv_count[amp_priv_digit]++;                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        if (amp_priv_step.pass == 0) {                                                                                 \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++)                                                   \
                AMP_PRIV_CELL(amp_priv_counts, amp_priv_piece * 256 + amp_priv_d) = amp_priv_count[amp_priv_d];        \
        } else if (amp_priv_step.pass == 1) {                                                                          \
            for (int amp_priv_d = 0; amp_priv_d < 256; amp_priv_d++)                                                   \
                amp_priv_count[amp_priv_d] = AMP_PRIV_CELL(amp_priv_counts, amp_priv_piece * 256 + amp_priv_d) +       \
                                             AMP_PRIV_CELL(amp_priv_counts, amp_priv_pieces * 256 + amp_priv_d);       \
            if (amp_priv_by_lines)                                                                                     \
                (void)AMP_PRIV_HOST_OR_DEVICE(                                                                         \
                    amp_priv_sort_part_put(AMP_PRIV_SORT_PART, &amp_priv_from.amp_priv, &amp_priv_to.amp_priv,         \
                                           AMP_PRIV_SORT_HEADS_##has, amp_priv_count), "0");                           \
            const int amp_priv_begin = amp_priv_by_lines ? amp_priv_end : amp_priv_first;                              \
            for (int amp_priv_k = amp_priv_begin; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                AMP_PRIV_SORT_DIGIT                                                                                    \
                const int amp_priv_there = amp_priv_count[amp_priv_digit]++;                                           \
                AMP_AT(amp_priv_to, amp_priv_there) = amp_priv_bits;                                                   \
                AMP_PRIV_SORT_MOVED_##has                                                                              \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                           \
                const int amp_priv_there = amp_priv_k;                                                                 \
                AMP_AT(amp_priv_to, amp_priv_there) = AMP_AT(amp_priv_from, amp_priv_k);                               \
                AMP_PRIV_SORT_MOVED_##has                                                                              \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_SORT_PART                                                                                             \
    ((amp_priv_sort_part){ amp_priv_step.flip ^ amp_priv_step.all, amp_priv_step.negative, amp_priv_step.shift,        \
                           amp_priv_first, amp_priv_end })
#define AMP_PRIV_SORT_HEADS_0 NULL, NULL
#define AMP_PRIV_SORT_HEADS_1 &amp_priv_old.amp_priv, &amp_priv_new.amp_priv
#define AMP_PRIV_SORT_DIGIT                                                                                            \
    const amp_priv_key amp_priv_bits = AMP_AT(amp_priv_from, amp_priv_k);                                              \
    const int amp_priv_digit = (int)(AMP_PRIV_SORT_ORDERED(amp_priv_bits) >> amp_priv_step.shift) & 255;

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
   AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any. Cost: for each byte of a key, keys and values are read and
   written once; keys are read once more, on a device that is no GPU once more for each byte. As much temporary memory
   as both take. Source: std::stable_sort. See: amp_sort_rows */
#define amp_sort(...)                                                                                                  \
    AMP_PRIV_TAKES_JUST(1, AMP_PRIV_GIVEN_SORT_KEYS, "amp_sort", "v", __VA_ARGS__)
#define AMP_PRIV_GIVEN_SORT_KEYS(keys) AMP_PRIV_SORT_KEYS("amp_sort", (amp_accelerator_view){ NULL }, keys, false)
#define amp_sort_on(where, keys)       AMP_PRIV_SORT_KEYS("amp_sort", where, keys, false)
#define amp_sort_descending(...)                                                                                       \
    AMP_PRIV_TAKES_JUST(1, AMP_PRIV_GIVEN_SORT_DESCENDING_KEYS, "amp_sort_descending", "v", __VA_ARGS__)
#define AMP_PRIV_GIVEN_SORT_DESCENDING_KEYS(keys)                                                                      \
    AMP_PRIV_SORT_KEYS("amp_sort_descending", (amp_accelerator_view){ NULL }, keys, true)
#define amp_sort_descending_on(where, keys) AMP_PRIV_SORT_KEYS("amp_sort_descending", where, keys, true)
#define AMP_PRIV_SORT_KEYS(name, where, keys, descending)                                                              \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_IS_DECLARED(keys))                                                \
        _Static_assert(AMP_PRIV_IS_SORTABLE(keys), AMP_PRIV_MSG_SORTS(name, ""));                                      \
        AMP_PRIV_SORT(name, where, AMP_PRIV_SORTED(keys), NULL, descending, , (NULL, NULL), (), 0);                    \
        AMP_PRIV_ONLY_IF_END                                                                                           \
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
        AMP_PRIV_IF_GIVEN(name, "keys, values", where, AMP_PRIV_MAY_BE_GIVEN(keys) && AMP_PRIV_MAY_BE_GIVEN(values))   \
        _Static_assert(AMP_PRIV_IS_SORTABLE(keys), AMP_PRIV_MSG_SORTS(name, ""));                                      \
        _Static_assert(AMP_PRIV_IS_SORTABLE(values), AMP_PRIV_MSG_SORTS(name, "values of "));                          \
        AMP_PRIV_SORT(name, where, AMP_PRIV_SORTED(keys), AMP_PRIV_HEAD(AMP_PRIV_SORTED(values)), descending,          \
                      AMP_PRIV_VIEW_TYPE(AMP_PRIV_SORTED(values)) amp_priv_old;                                        \
                      AMP_PRIV_VIEW_TYPE(AMP_PRIV_SORTED(values)) amp_priv_new;,                                       \
                      (&amp_priv_old, &amp_priv_new), (amp_priv_old, amp_priv_new, ), 1);                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>histogram
   AMP_HISTOGRAM(counts, extent, (i), AMP_CAPTURE(...), bin): counts how many indexes of the extent fall into each
   bin.
   AMP_HISTOGRAM_ON(view, counts, extent, (i), AMP_CAPTURE(...), bin): the same on an accelerator view.
   counts  a view or array of int of rank 1; its length is the number of bins
   extent, i  as for AMP_REDUCE
   bin  a number, an expression of the index and of captured names; of a floating type: converted to an integer as by C;
        an index whose bin is out of range or a NaN is not counted
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE. Blocking: no. Threads: any. Cost: each element is read once; up to 1024 bins are
   counted in tile_static memory, more by atomics on counts. Source: CUB's DeviceHistogram. */
#define AMP_HISTOGRAM(...)                                                                                             \
    AMP_PRIV_TAKES_JUST_HERE(5, AMP_PRIV_GIVEN_HISTOGRAM_ON, "AMP_HISTOGRAM",                                          \
                             "counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i)", __VA_ARGS__)
#define AMP_HISTOGRAM_ON(...)                                                                                          \
    AMP_PRIV_TAKES_JUST(6, AMP_PRIV_GIVEN_HISTOGRAM_ON, "AMP_HISTOGRAM_ON",                                            \
                        "view, counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i)", __VA_ARGS__)
#define AMP_PRIV_GIVEN_HISTOGRAM_ON(where, counts, extent, names, captures, bin)                                       \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_IS_VIEW_OF(counts, amp_array_view_int_1),                                              \
                       "amp: AMP_HISTOGRAM: the counts must be a view or array of int, of rank 1: a kernel adds to "   \
                       "them by atomics");                                                                             \
        AMP_PRIV_IN_FORM(AMP_PRIV_HISTOGRAM_1, names, captures)                                                        \
        ("AMP_HISTOGRAM", where, counts, extent, names, AMP_PRIV_UNWRAP captures, bin);                                \
    } while (0)
#define AMP_PRIV_HISTOGRAM_1(name, where, counts, extent, names, captures, bin)                                        \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        const amp_array_view_int_1 amp_priv_counts = amp_view_of(__builtin_choose_expr(                                \
            AMP_PRIV_IS_VIEW_OF(counts, amp_array_view_int_1), counts, AMP_PRIV_ANY_VIEW));                            \
        amp_priv_counting amp_priv_this;                                                                               \
        if (amp_priv_histogram_begin(&amp_priv_this, where, AMP_PRIV_HEADS(captures), AMP_PRIV_HEADS_COUNT(captures),  \
                                     amp_priv_counts,                                                                  \
                                     amp_priv_domain_size("AMP_HISTOGRAM", amp_priv_domain.v, AMP_PRIV_COUNT names)))  \
            AMP_PRIV_TILED_FROM(                                                                                       \
                amp_priv_histogram_text, AMP_PRIV_INDEX_PARTS(names) "\1" AMP_PRIV_TEXT_(bin),                         \
                amp_priv_this.call.view, AMP_EXTENT(256 * amp_priv_this.tiles), (256), amp_priv_tile,                  \
                ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) AMP_BIND(amp_priv_counted, amp_priv_this.parts),          \
                  AMP_BIND(amp_priv_rows, amp_priv_this.rows), AMP_BIND(amp_priv_copies, amp_priv_this.copies),        \
                  AMP_BIND(amp_priv_bins, amp_priv_this.bins), AMP_BIND(amp_priv_grain, amp_priv_this.grain),          \
                  AMP_BIND(amp_priv_all, amp_priv_this.size),                                                          \
                  AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain))),                                                \
                AMP_PRIV_HISTOGRAM_BODY(names, bin));                                                                  \
        amp_priv_histogram_end(&amp_priv_this);                                                                        \
    } while (0)

typedef struct amp_priv_counting {
    amp_priv_call call;
    amp_array_view_int_1 counts, parts; /* the result; where tiles count: there, or in parts of their own */
    int64_t size;
    int rows, copies, bins, tiles;
    int grain; /* the tiles of a part */
} amp_priv_counting;

/* Counts begin at 0. False after reporting; amp_priv_histogram_end follows in any case. */
AMP_PRIV_API bool amp_priv_histogram_begin(amp_priv_counting *s, amp_accelerator_view view, const amp_priv_named *heads,
                                           size_t count, amp_array_view_int_1 counts, int64_t size);

/* After the launch that counts: adds up the parts. */
AMP_PRIV_API void amp_priv_histogram_end(amp_priv_counting *s);

/* The template of the kernel (amp/launch/template.h). */
AMP_PRIV_API const char *amp_priv_histogram_text(void);

/* Up to 1024 bins are counted in tile_static memory, which is slightly larger: counts beyond the last bin are ignored.
   On the host a byte then needs no comparison. A device has amp_priv_copies places for each bin; the host has one, also
   when it repeats a device's launch (AMP_COMPARE). */
#define AMP_PRIV_HISTOGRAM_COUNT                                                                                       \
    if (amp_priv_few > 0) {                                                                                            \
        if ((unsigned)amp_priv_bin < (unsigned)AMP_PRIV_HOST_OR_DEVICE(1024, "amp_priv_places"))                       \
            amp_atomic_fetch_add(&amp_priv_own[AMP_PRIV_HISTOGRAM_PLACE], 1);                                          \
    } else if (amp_priv_bin >= 0 && amp_priv_bin < amp_priv_bins) {                                                    \
        amp_atomic_fetch_add(&AMP_PRIV_CELL(amp_priv_counted, amp_priv_part + amp_priv_bin), 1);                       \
    }
#define AMP_PRIV_HISTOGRAM_PLACE                                                                                       \
    AMP_PRIV_HOST_OR_DEVICE(amp_priv_bin,                                                                              \
                            "amp_priv_bin * amp_priv_copies + (amp_priv_t.local.v[0] & (amp_priv_copies - 1))")
/* The bin as an int: -1 is ignored. C leaves open what integer a NaN or a large number of a floating type is. */
#define AMP_PRIV_HISTOGRAM_BIN(bin)                                                                                    \
    const __typeof__((bin) + 0) amp_priv_given = bin;                                                                  \
    const bool amp_priv_fits = (__typeof__((bin) + 0))0.5f == 0 ||                                                     \
                               ((float)amp_priv_given > -9e18f && (float)amp_priv_given < 9e18f);                      \
    const int64_t amp_priv_wide = amp_priv_fits ? (int64_t)amp_priv_given : -1;                                        \
    const int amp_priv_bin = amp_priv_wide == (int)amp_priv_wide ? (int)amp_priv_wide : -1;
/* On a device, 16 rows at a time as long as they are whole: a thread reads its elements of them before it counts. */
#define AMP_PRIV_HISTOGRAM_AHEAD(names, bin)                                                                           \
    for (; AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_done <= amp_priv_rows - 16"); amp_priv_done += 16) {                   \
        const int64_t amp_priv_base = ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows + amp_priv_done) * 256;        \
        if (amp_priv_all - amp_priv_base < 16 * 256) break;                                                            \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            int amp_priv_found[16];                                                                                    \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                              \
                const int amp_priv_j = (amp_priv_done + amp_priv_k) * 256 + amp_priv_t.local.v[0];                     \
                AMP_PRIV_LINEAR(names, amp_priv_j)                                                                     \
                AMP_PRIV_HISTOGRAM_BIN(bin)                                                                            \
                amp_priv_found[amp_priv_k] = amp_priv_bin;                                                             \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                              \
                const int amp_priv_bin = amp_priv_found[amp_priv_k];                                                   \
                AMP_PRIV_HISTOGRAM_COUNT                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_HISTOGRAM_BODY(names, bin)                                                                            \
    {                                                                                                                  \
        AMP_PRIV_TILE_STATIC(int, amp_priv_own, [4096]);                                                               \
        const int amp_priv_part = amp_priv_tile.tile.v[0] / amp_priv_grain * amp_priv_bins;                            \
        const int amp_priv_few = amp_priv_bins <= 1024 ? amp_priv_bins : 0;                                            \
        const int amp_priv_each = AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_copies");                                       \
        const int amp_priv_places = AMP_PRIV_HOST_OR_DEVICE(1024, "4096 / amp_priv_copies");                           \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_places * amp_priv_each; amp_priv_b += 256)                      \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_own[amp_priv_b + amp_priv_t.local.v[0]] = 0; }      \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        const int64_t amp_priv_first = (int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows * 256;                         \
        AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                         \
        int amp_priv_done = 0;                                                                                         \
        AMP_PRIV_HISTOGRAM_AHEAD(names, bin)                                                                           \
        for (int amp_priv_row = AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_done"); amp_priv_row < amp_priv_rows;             \
             amp_priv_row++) {                                                                                         \
            const int64_t amp_priv_base = ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_rows + amp_priv_row) * 256;     \
            const int64_t amp_priv_left = amp_priv_all - amp_priv_base;                                                \
            const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;           \
            AMP_PRIV_LANES_OF(names, AMP_PRIV_HISTOGRAM_BIN(bin)                                                       \
                              AMP_PRIV_HISTOGRAM_COUNT)                                                                \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_b = 0; amp_priv_b < amp_priv_few; amp_priv_b += 256)                                         \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                const int amp_priv_bin = amp_priv_b + amp_priv_t.local.v[0];                                           \
                int amp_priv_sum = 0;                                                                                  \
                const int amp_priv_end = amp_priv_bin < amp_priv_few ? amp_priv_each : 0;                              \
                for (int amp_priv_k = 0; amp_priv_k < amp_priv_end; amp_priv_k++)                                      \
                    amp_priv_sum += amp_priv_own[amp_priv_bin * amp_priv_each +                                        \
                                                 ((amp_priv_bin + amp_priv_k) & (amp_priv_each - 1))];                 \
                if (amp_priv_bin < amp_priv_few && amp_priv_sum != 0)                                                  \
                    amp_atomic_fetch_add(&AMP_PRIV_CELL(amp_priv_counted, amp_priv_part + amp_priv_bin),               \
                                         amp_priv_sum);                                                                \
            }                                                                                                          \
    }

/* clang-format on */

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_histogram_text, AMP_PRIV_HISTOGRAM_BODY(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_2))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_sort_text_0, AMP_PRIV_SORT_BODY(0))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_sort_text_1, AMP_PRIV_SORT_BODY(1))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_sort_digits_text, AMP_PRIV_SORT_DIGITS_BODY)
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_sort_sweep_text_0, AMP_PRIV_SORT_SWEEP_BODY(0))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_sort_sweep_text_1, AMP_PRIV_SORT_SWEEP_BODY(1))

#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN "amp_sort"
/* From the digits of each piece, to where each begins: among the same digits of earlier pieces, and then in all. */
AMP_PRIV_NOINLINE void amp_priv_sort_begins(amp_accelerator_view view, amp_array_view_int_1 counts, int pieces)
{
    AMP_TILED_ON(view, AMP_EXTENT(256), (256), tile, AMP_CAPTURE(counts, pieces), {
        AMP_PRIV_TILE_STATIC(int, lane, [256]);
        AMP_PRIV_PRIVATE_1(int, own);
        AMP_PRIV_THREADS(tile, t) {
            int sum = 0;
            for (int piece = 0; piece < pieces; piece++) {
                const int count = AMP_AT(counts, piece * 256 + t.local.v[0]);
                AMP_AT(counts, piece * 256 + t.local.v[0]) = sum;
                sum += count;
            }
            lane[t.local.v[0]] = AMP_OWN(own) = sum;
        }
        AMP_PRIV_TILE_SCAN(tile, int, lane, 256, a + b);
        AMP_PRIV_THREADS(tile, t) {
            AMP_AT(counts, pieces * 256 + t.local.v[0]) = lane[t.local.v[0]] - AMP_OWN(own);
        }
    });
}
#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN __func__

/* The pieces, and how long they are; by tiles, the tiles of a sweep, and the groups that count digits: as many as are
   busy to the end on a GPU, and not so many that the first tile takes long to sum their counts. */
static inline void amp_priv_sort_pieces(amp_priv_sorting *s, const amp_priv_queue *queue, int size, size_t key_size,
                                        size_t value_size)
{
    const amp_priv_device *const device = queue->device;
    const bool is_host = amp_priv_is_host(device->number);
    const int cores = is_host ? amp_priv_cpu_threads_now() : (int)device->units;
    const int most = cores > 0 ? cores : 1, wanted = size > 0 ? (size - 1) / AMP_PRIV_SORT_PIECE + 1 : 1;
    s->pieces = wanted < most ? wanted : most;
    s->step.length = size > 0 ? (size - 1) / s->pieces + 1 : 1;
    s->count = ((size_t)s->pieces + 1) * AMP_PRIV_DIGITS;
    s->by_tiles = !is_host && (device->is_gpu || amp_priv_sort_tiles) && device->local_memory >= 48 << 10 && size > 0;
    if (!s->by_tiles)
        return;
    const int tile = AMP_PRIV_SORT_THREADS(key_size, value_size) * AMP_PRIV_SORT_EACH(key_size, value_size);
    s->step.tiles = (size - 1) / tile + 1;
    s->step.groups = ((wanted < 4 * most ? wanted : 4 * most) + 7) / 8 * 8;
    s->step.reversed = amp_priv_sort_tiles > 1;
    s->step.tries = s->step.reversed ? 1 : AMP_PRIV_SORT_TRIES;
    s->step.here = s->step.groups * (int)key_size * AMP_PRIV_DIGITS;
    s->step.other = s->step.here + s->step.tiles * AMP_PRIV_DIGITS;
    s->count = (size_t)s->step.other + (size_t)s->step.tiles * AMP_PRIV_DIGITS;
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
    const size_t counts = s->count * sizeof(int);
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

/* Have all keys the digit that has been counted? Known on the CPU backend, where the counts are host memory. */
static inline bool amp_priv_sort_is_one_digit(const amp_priv_sorting *s, amp_array_view_int_1 counts)
{
    if (!amp_priv_is_host(s->call.view.amp_priv_queue->device->number))
        return false;
    for (int digit = 0; digit < AMP_PRIV_DIGITS; digit++) {
        int all = 0;
        for (int piece = 0; piece < s->pieces; piece++)
            all += counts.data[piece * AMP_PRIV_DIGITS + digit];
        if (all != 0)
            return all == s->step.size;
    }
    return false;
}

/* To the next digit, after the one before has moved the elements or not, or to a copy where the number of moves is odd.
   False where all is done. */
static inline bool amp_priv_sort_advance(amp_priv_sorting *s, bool moved)
{
    amp_priv_sort_step *const step = &s->step;
    if (s->swapped && moved)
        amp_priv_call_wrote(&s->call, s->keys, s->values);
    s->swapped = s->swapped != moved;
    step->shift += 8;
    if (step->shift >= s->bits) {
        step->pass = 2;
        if (s->by_tiles) { /* a thread for each element */
            s->pieces = step->size;
            step->length = 1;
        }
        return s->swapped;
    }
    step->pass = s->by_tiles ? 4 : 0;
    if (s->by_tiles && step->shift > 0) {
        const int here = step->here;
        step->here = step->other;
        step->other = here;
    }
    return true;
}

AMP_PRIV_API bool amp_priv_sort_next(amp_priv_sorting *s, const amp_priv_element *key, void *from, void *to,
                                     void *values_from, void *values_to, amp_array_view_int_1 *counts,
                                     amp_array_view_uint32_t_1 *state)
{
    amp_priv_sort_step *const step = &s->step;
    if (amp_priv_call_failed(&s->call) || step->pass == 2)
        return false;
    amp_priv_call_view(&s->call, counts, &amp_priv_element_int, s->counts, s->count);
    amp_priv_call_view(&s->call, state, &amp_priv_element_uint32_t, s->counts, s->count);
    if (step->pass == 0 && amp_priv_sort_is_one_digit(s, *counts)) {
        if (!amp_priv_sort_advance(s, false))
            return false;
    } else if (step->pass == 0) {
        amp_priv_sort_begins(s->call.view, *counts, s->pieces);
        step->pass = 1;
        if (amp_priv_call_failed(&s->call))
            return false;
    } else if (s->by_tiles && step->pass == 1) {
        step->pass = 3;
    } else if (!amp_priv_sort_advance(s, step->shift >= 0)) {
        return false;
    }
    amp_priv_sort_views(s, s->keys, key, s->other_keys, from, to);
    if (s->values)
        amp_priv_sort_views(s, s->values, s->values->element, s->other_values, values_from, values_to);
    return true;
}

AMP_PRIV_API amp_extent2 amp_priv_sort_threads(const amp_priv_sorting *s)
{
    const bool is_host = amp_priv_is_host(s->call.view.amp_priv_queue->device->number);
    return AMP_EXTENT(is_host ? s->pieces : 1, is_host ? 1 : s->pieces);
}

/* Tiles take rows of 256 elements: as many tiles as keep a GPU busy to the end, a few for each thread of a CPU; and so
   many times that. What a tile has counted is added to what all have, by atomics. */
static inline int amp_priv_histogram_rows(int64_t size, const amp_priv_device *device, int times)
{
    const int units = amp_priv_is_host(device->number) ? amp_priv_cpu_threads_now() : (int)device->units;
    const int64_t tiles = (int64_t)(units > 0 ? units : 1) * (device->is_gpu ? 16 : 4) * times;
    const int64_t rows = (size + AMP_PRIV_LANES * tiles - 1) / (AMP_PRIV_LANES * tiles);
    const int most = 1 << 22; /* as of AMP_PRIV_LINEAR */
    return rows < 64 ? 64 : rows > most ? most : (int)((rows + 15) / 16 * 16);
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

/* The parts into which the counting is divided. */
static inline int amp_priv_histogram_parts(const amp_priv_queue *queue)
{
    const amp_priv_division *const division = amp_priv_queue_division(queue);
    return division ? division->parts : 1;
}

enum { AMP_PRIV_COUNTS_MORE = 512 /* bytes, for the alignment */ };

/* Where it is divided, each part has counts of its own, of 64 MB together, or an eighth of the memory that launches may
   take. */
AMP_PRIV_NOINLINE bool amp_priv_histogram_divide(amp_priv_counting *s)
{
    const amp_priv_queue *const queue = s->call.view.amp_priv_queue;
    const size_t bytes = queue->division->bytes;
    const size_t room = (bytes && bytes < 1 << 29 ? bytes / 8 : 1 << 26) / sizeof(int);
    const int most = amp_priv_histogram_parts(queue), fit = (int)(room / (size_t)(s->bins > 0 ? s->bins : 1));
    s->grain = s->tiles > 0 ? (s->tiles - 1) / (most < fit ? most : fit > 0 ? fit : 1) + 1 : 1;
    const size_t counts = (size_t)s->bins * (size_t)((s->tiles + s->grain - 1) / s->grain);
    if (!amp_priv_call_begin_at(&s->call, "AMP_HISTOGRAM", s->call.view.amp_priv_queue,
                                counts * sizeof(int) + AMP_PRIV_COUNTS_MORE))
        return false;
    amp_priv_call_view(&s->call, &s->parts, &amp_priv_element_int, 0, counts);
    return true;
}

AMP_PRIV_API bool amp_priv_histogram_begin(amp_priv_counting *s, amp_accelerator_view view, const amp_priv_named *heads,
                                           size_t count, amp_array_view_int_1 counts, int64_t size)
{
    const int64_t most = (int64_t)1 << 50; /* tiles of 2^22 rows */
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (size > most)
        amp_priv_too_many("AMP_HISTOGRAM", size, most);
    if (size < 0 || size > most || !amp_priv_head_ready(&counts.amp_priv, "AMP_HISTOGRAM") ||
        !amp_priv_is_apart("AMP_HISTOGRAM", "counts", &counts.amp_priv, heads, count, false))
        return false;
    const bool divides = amp_priv_call_divides(view, (size_t)counts.extent.v[0] * sizeof(int) + AMP_PRIV_COUNTS_MORE);
    s->call.view.amp_priv_queue = divides ? view.amp_priv_queue : amp_priv_call_target(view, heads, (int)count);
    if (!s->call.view.amp_priv_queue)
        return false;
    const amp_priv_device *const device = s->call.view.amp_priv_queue->device;
    s->counts = s->parts = counts;
    s->bins = counts.extent.v[0];
    s->size = size;
    s->rows = amp_priv_histogram_rows(size, device, amp_priv_histogram_parts(s->call.view.amp_priv_queue));
    s->copies = amp_priv_histogram_copies(s->bins, device);
    const int64_t each = (int64_t)AMP_PRIV_LANES * s->rows;
    s->tiles = (int)((size + each - 1) / each);
    s->grain = INT_MAX;
    if (divides && !amp_priv_histogram_divide(s))
        return false;
    if (!divides)
        amp_priv_call_wrote(&s->call, &s->counts.amp_priv, NULL);
    amp_priv_fill_zero(s->call.view, s->parts);
    return !amp_priv_call_failed(&s->call);
}

#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN "AMP_HISTOGRAM"
AMP_PRIV_API void amp_priv_histogram_end(amp_priv_counting *s)
{
    if (s->call.temporary && !amp_priv_call_failed(&s->call)) {
        const amp_array_view_int_1 from = s->parts, to = s->counts;
        amp_array_view_discard_data(&s->counts);
        amp_priv_call_wrote(&s->call, &s->counts.amp_priv, NULL);
        AMP_PARALLEL_FOR_EACH_ON(s->call.view, to.extent, (bin), AMP_CAPTURE(from, to), {
            int sum = 0;
            for (int at = bin; at < from.extent.v[0]; at += to.extent.v[0])
                sum += AMP_AT(from, at);
            AMP_AT(to, bin) = sum;
        });
    }
    amp_priv_call_end(&s->call);
}
#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN __func__

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SORT_H */
