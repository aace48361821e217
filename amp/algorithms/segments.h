/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/segments.h - segmented scans and reductions: each segment by itself.

    The algorithm is a scan of pairs: the number of segments so far, and the combination since the last one began. So
    the work is distributed evenly, for segments of any length. The association depends on the number of elements and on
    where segments begin: 8 elements are a run, 256 runs a tile. A result combines, from left to right, as far as they
    belong to its segment: everything before its tile, the earlier runs of the tile, the elements of its run. The runs
    of a tile are combined in steps: lane i with lane i - 1, i - 2, i - 4, ... i - 128; so are 256 tiles. Their results
    are combined from left to right.

    No tile waits for another: a launch writes the results of tiles, one tile combines them, a launch reads the
    elements again. On the CPU backend the first launch evaluates the last segment of each tile only. Integers have the
    same bits in any association; a GPU takes them in one pass (amp/algorithms/segment_tiles.h).

    Contents (search for the tag):
        >>plan  >>kernel  >>host  >>scan  >>reduce  >>implementation */
#ifndef AMP_ALGORITHMS_SEGMENTS_H
#define AMP_ALGORITHMS_SEGMENTS_H

#include "reduce.h"
#include "segment_tiles.h"

/* // >>plan */

enum { AMP_PRIV_SEGMENTS_TILE = 2048 };

/* What one launch does. */
AMP_STRUCT(amp_priv_segments_step, {
    int64_t size;
    int tiles;
    int pass; /* 0: the results of tiles, 1: what comes before them, 2: elements */
});

typedef struct amp_priv_segmenting {
    amp_priv_call call;
    amp_priv_segments_step step;
    amp_priv_tiles_step tiles; /* of one pass */
    bool one_pass, began;
    const amp_priv_head *out, *kept; /* the caller's; kept: or NULL */
    const amp_priv_element *element;
    size_t values, counts, last; /* where they are in the temporary memory: of tiles, the result */
} amp_priv_segmenting;

/* False after reporting. result: a variable, a view or array for the number of segments; NULL: not wanted. out:
   the argument that is the last of the heads, with an element for each segment, or for each index (NULL); kept: the
   one before, in the same form, or NULL. is_integer: the association does not matter. */
AMP_PRIV_API bool amp_priv_segments_begin(amp_priv_segmenting *s, const char *name, amp_accelerator_view view,
                                          const amp_priv_named *heads, size_t count, const int *extent, int rank,
                                          const amp_priv_element *element, const void *result, bool is_variable,
                                          const char *out, const char *kept, bool is_integer);

/* The launch of one pass: false when it is done, or there is none. */
AMP_PRIV_API bool amp_priv_segments_pass(amp_priv_segmenting *s, amp_array_view_uint32_t_1 *published,
                                         amp_array_view_int_1 *to);

/* The next launch: false when there is none. The views: of tiles, values and numbers of segments; the result. */
AMP_PRIV_API bool amp_priv_segments_next(amp_priv_segmenting *s, void *values, void *counts, amp_array_view_int_1 *to);

AMP_PRIV_API int amp_priv_segments_threads(const amp_priv_segmenting *s);

AMP_PRIV_API void amp_priv_segments_end(amp_priv_segmenting *s);

/* The templates of the kernels (amp/launch/template.h); those in one pass: amp/algorithms/segment_tiles.h. */
AMP_PRIV_API const char *amp_priv_segments_text_SCAN(void);
AMP_PRIV_API const char *amp_priv_segments_text_REDUCE(void);

/* Of the 2048 elements of a tile: where the last segment begins, 0 where none does; how many begin. */
AMP_PRIV_API int amp_priv_segments_last(const uint8_t *begins);
AMP_PRIV_API int amp_priv_segments_count(const uint8_t *begins);

/* Does a segment begin in one of 8 elements? */
static inline bool amp_priv_segments_any(const uint8_t *begins)
{
    uint64_t all;
    memcpy(&all, begins, sizeof all);
    return all != 0;
}

/* // >>kernel */

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* kind: SCAN, each element gets `what`, or REDUCE, `what` are statements for the last element of each segment, number
   amp_priv_j of the tile, besides the one that stores its result. amp_priv_sum is the result of its segment up to it,
   amp_priv_before what came before it, amp_priv_some how many segments have begun. outs: the arguments that
   amp_priv_segments_begin gets, in parentheses. */
#define AMP_PRIV_SEGMENTS(kind, name, where, T, VIEW, element, result, is_variable, outs, extent, names, captures,     \
                          begins, value, operation, what, ...)                                                         \
    do {                                                                                                               \
        AMP_PRIV_CHECK_OPERATION(name, operation)                                                                      \
        AMP_PRIV_IF_VALUE_FIRST(name, captures, value, operation)                                                      \
        AMP_PRIV_IN_FORM(AMP_PRIV_SEGMENTS_1, names, captures)                                                         \
        (name, kind, where, T, VIEW, element, result, is_variable, outs, extent, names, AMP_PRIV_UNWRAP captures,      \
         begins, value, operation, what, __VA_ARGS__);                                                                 \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SEGMENTS_1(name, kind, where, T, VIEW, element, result, is_variable, outs, extent, names, captures,   \
                            begins, value, operation, what, ...)                                                       \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        AMP_PRIV_CONTRACT(name, false, 0, where, T, VIEW, element, names, captures, value, operation, __VA_ARGS__)     \
        amp_priv_segmenting amp_priv_this;                                                                             \
        if (amp_priv_segments_begin(&amp_priv_this, name, where, AMP_PRIV_HEADS(captures),                             \
                                    AMP_PRIV_HEADS_COUNT(captures), amp_priv_domain.v, AMP_PRIV_COUNT names, element,  \
                                    result, is_variable, AMP_PRIV_UNWRAP outs,                                         \
                                    AMP_PRIV_IS_INTEGER(((VIEW *)0)->data[0]))) {                                      \
            VIEW amp_priv_values;                                                                                      \
            amp_array_view_uint32_t_1 amp_priv_published;                                                              \
            amp_array_view_int_1 amp_priv_counts, amp_priv_to;                                                         \
            while (AMP_PRIV_IS_INTEGER(((VIEW *)0)->data[0]) &&                                                        \
                   amp_priv_segments_pass(&amp_priv_this, &amp_priv_published, &amp_priv_to)) {                        \
                const amp_priv_tiles_step amp_priv_step = amp_priv_this.tiles;                                         \
                AMP_PRIV_TILED_DEVICE(                                                                                 \
                    amp_priv_segments_tiles_text_##kind,                                                               \
                    AMP_PRIV_SEGMENTS_PARTS(T, names, begins, value, operation, what, __VA_ARGS__),                    \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_segments_threads(&amp_priv_this)), (256),             \
                    amp_priv_tile,                                                                                     \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_published, amp_priv_to,                      \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_tiles_step, amp_priv_step))),                                                 \
                    AMP_PRIV_SEGMENTS_ONE_PASS(kind, T, names, begins, value, operation, what, __VA_ARGS__));          \
            }                                                                                                          \
            while (amp_priv_segments_next(&amp_priv_this, &amp_priv_values, &amp_priv_counts, &amp_priv_to)) {         \
                const amp_priv_segments_step amp_priv_step = amp_priv_this.step;                                       \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    amp_priv_segments_text_##kind,                                                                     \
                    AMP_PRIV_SEGMENTS_PARTS(T, names, begins, value, operation, what, __VA_ARGS__),                    \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_segments_threads(&amp_priv_this)), (256),             \
                    amp_priv_tile,                                                                                     \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_values, amp_priv_counts, amp_priv_to,        \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_segments_step, amp_priv_step))),                                              \
                    AMP_PRIV_SEGMENTS_BODY(kind, T, names, begins, value, operation, what, __VA_ARGS__));              \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_segments_end(&amp_priv_this);                                                                         \
    } while (0)

#define AMP_PRIV_SEGMENTS_PARTS(T, names, begins, value, operation, what, ...)                                         \
    AMP_PRIV_SCAN_PARTS(T, names, value, operation, what, __VA_ARGS__) "\1" AMP_PRIV_TEXT_(begins)
/* The statements for an element, and for a tile. */
#define AMP_PRIV_SEGMENTS_EACH_SCAN(what) amp_priv_exact[AMP_PRIV_SEGMENTS_AT] = what;
#define AMP_PRIV_SEGMENTS_EACH_REDUCE(what)                                                                            \
    if (amp_priv_first + amp_priv_j < amp_priv_step.size &&                                                            \
        (amp_priv_begins[amp_priv_j + 1] || amp_priv_first + amp_priv_j + 1 == amp_priv_step.size)) {                  \
        AMP_PRIV_SEGMENTS_LAST(what)                                                                                   \
    }
#define AMP_PRIV_SEGMENTS_LAST(what)   AMP_PRIV_PUT(amp_priv_out, amp_priv_some - 1, amp_priv_sum) what
#define AMP_PRIV_SEGMENTS_END_SCAN     AMP_PRIV_SEGMENTS_STORE
#define AMP_PRIV_SEGMENTS_END_REDUCE(names)

#define AMP_PRIV_SEGMENTS_BODY(kind, T, names, begins, value, operation, what, ...)                                    \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_exact, [2113]);                                                               \
        AMP_PRIV_TILE_STATIC(uint8_t, amp_priv_begins, [2049]);                                                        \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, [257]); /* the last one: what comes before 256 tiles */                 \
        AMP_PRIV_TILE_STATIC(int, amp_priv_many, [257]);                                                               \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_scanned);                                                              \
        AMP_PRIV_PRIVATE_1(int, amp_priv_counted);                                                                     \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_number = amp_priv_tile.tile.v[0];                                                           \
        if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_step.pass != 1, "0"))                                                     \
            (void)AMP_PRIV_HOST_OR_DEVICE(__extension__({                                                              \
                AMP_PRIV_SEGMENTS_HOST(kind, names, begins, value, operation, what) 0; }), "0");                       \
        const int64_t amp_priv_end_of_all =                                                                            \
            amp_priv_step.pass == 1 ? amp_priv_step.tiles : AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_number + 1");         \
        for (int64_t amp_priv_at = amp_priv_number; amp_priv_at < amp_priv_end_of_all; amp_priv_at += 256) {           \
            const int64_t amp_priv_first = amp_priv_step.pass == 1 ? amp_priv_at : amp_priv_at * 2048;                 \
            if (AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_step.pass == 1")) {                                               \
                AMP_PRIV_SEGMENTS_TILES                                                                                \
            } else {                                                                                                   \
                AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                 \
                AMP_PRIV_SEGMENTS_LOAD(names, begins, value)                                                           \
                AMP_PRIV_SEGMENTS_RUNS(operation)                                                                      \
            }                                                                                                          \
            AMP_PRIV_SEGMENTS_LANES(operation)                                                                         \
            if (AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_step.pass == 0")) {                                               \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                 \
                    AMP_PRIV_CELL(amp_priv_values, amp_priv_number) = amp_priv_lane[255];                              \
                    AMP_PRIV_CELL(amp_priv_counts, amp_priv_number) = amp_priv_many[255];                              \
                }                                                                                                      \
            } else if (AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_step.pass == 1")) {                                        \
                AMP_PRIV_SEGMENTS_BEFORES(operation)                                                                   \
            } else {                                                                                                   \
                AMP_PRIV_SEGMENTS_ELEMENTS(kind, operation, what)                                                      \
                AMP_PRIV_SEGMENTS_END_##kind(names)                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Where element amp_priv_j of a tile is: apart on devices, where 8 threads would meet a bank. */
#define AMP_PRIV_SEGMENTS_AT AMP_PRIV_HOST_OR_DEVICE(amp_priv_j, "amp_priv_j + (amp_priv_j >> 5)")

/* The elements of the tile, row by row, and the next one: does it begin a segment? Beyond the end nothing does. */
#define AMP_PRIV_SEGMENTS_LOAD(names, begins, value)                                                                   \
    for (int amp_priv_row = 0; amp_priv_row < 9; amp_priv_row++) {                                                     \
        const int64_t amp_priv_base = amp_priv_first + amp_priv_row * 256;                                             \
        const int64_t amp_priv_left = amp_priv_step.size - amp_priv_base;                                              \
        const int amp_priv_lanes = amp_priv_row == 8 ? 1 : 256;                                                        \
        const int amp_priv_end =                                                                                       \
            amp_priv_left < 0 ? 0 : amp_priv_left < amp_priv_lanes ? (int)amp_priv_left : amp_priv_lanes;              \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                              \
            const int amp_priv_j = amp_priv_row * 256 + amp_priv_t.local.v[0];                                         \
            AMP_PRIV_LINEAR(names, amp_priv_j)                                                                         \
            amp_priv_exact[AMP_PRIV_SEGMENTS_AT] = (value);                                                            \
            amp_priv_begins[amp_priv_j] = (uint8_t)(amp_priv_first + amp_priv_j == 0 || (begins));                     \
        }                                                                                                              \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, amp_priv_end, amp_priv_lanes) {                                 \
            const int amp_priv_j = amp_priv_row * 256 + amp_priv_t.local.v[0];                                         \
            amp_priv_exact[AMP_PRIV_SEGMENTS_AT] = amp_priv_identity;                                                  \
            amp_priv_begins[amp_priv_j] = 0;                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* One more on the right of what has come so far. */
#define AMP_PRIV_SEGMENTS_ADD(operation)                                                                               \
    const amp_priv_T amp_priv_one = amp_priv_exact[AMP_PRIV_SEGMENTS_AT];                                              \
    const int amp_priv_is_first = amp_priv_begins[amp_priv_j];                                                         \
    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_one, operation)                                  \
    amp_priv_sum = amp_priv_is_first ? amp_priv_one : amp_priv_sum;                                                    \
    amp_priv_some += amp_priv_is_first;

/* amp_priv_lane[x], amp_priv_many[x]: the result of run x. */
#define AMP_PRIV_SEGMENTS_RUNS(operation)                                                                              \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        int amp_priv_j = amp_priv_t.local.v[0] * 8;                                                                    \
        amp_priv_T amp_priv_sum = amp_priv_exact[AMP_PRIV_SEGMENTS_AT];                                                \
        int amp_priv_some = amp_priv_begins[amp_priv_j];                                                               \
        for (int amp_priv_k = 1; amp_priv_k < 8; amp_priv_k++) {                                                       \
            amp_priv_j = amp_priv_t.local.v[0] * 8 + amp_priv_k;                                                       \
            AMP_PRIV_SEGMENTS_ADD(operation)                                                                           \
        }                                                                                                              \
        amp_priv_lane[amp_priv_t.local.v[0]] = amp_priv_sum;                                                           \
        amp_priv_many[amp_priv_t.local.v[0]] = amp_priv_some;                                                          \
    }

/* The same: the results of runs 0 to x. */
#define AMP_PRIV_SEGMENTS_LANES(operation)                                                                             \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_back = 1; amp_priv_back < 256; amp_priv_back *= 2) {                                             \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, amp_priv_back, 256) {                                          \
            const int amp_priv_n = amp_priv_t.local.v[0];                                                              \
            AMP_PRIV_SEGMENTS_JOIN(AMP_OWN(amp_priv_scanned), amp_priv_lane[amp_priv_n - amp_priv_back], amp_priv_n,   \
                                   operation)                                                                          \
            AMP_OWN(amp_priv_counted) = amp_priv_many[amp_priv_n - amp_priv_back] + amp_priv_many[amp_priv_n];         \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, amp_priv_back, 256) {                                          \
            amp_priv_lane[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_scanned);                                          \
            amp_priv_many[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_counted);                                          \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
    }
/* to: the result of lane x with something on its left. */
#define AMP_PRIV_SEGMENTS_JOIN(to, left, x, operation)                                                                 \
    {                                                                                                                  \
        amp_priv_T amp_priv_joined = amp_priv_lane[x];                                                                 \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_joined, left, amp_priv_joined, operation)                                \
        to = amp_priv_many[x] ? amp_priv_lane[x] : amp_priv_joined;                                                    \
    }

/* Of 256 tiles from amp_priv_first on: the result of each; then what comes before each of them. */
#define AMP_PRIV_SEGMENTS_TILES                                                                                        \
    AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 256) {                                                          \
        const int amp_priv_mine = (int)amp_priv_first + amp_priv_t.local.v[0];                                         \
        amp_priv_lane[amp_priv_t.local.v[0]] = amp_priv_identity;                                                      \
        amp_priv_many[amp_priv_t.local.v[0]] = 0;                                                                      \
        if (amp_priv_mine < amp_priv_step.tiles) {                                                                     \
            amp_priv_lane[amp_priv_t.local.v[0]] = AMP_PRIV_CELL(amp_priv_values, amp_priv_mine);                      \
            amp_priv_many[amp_priv_t.local.v[0]] = AMP_PRIV_CELL(amp_priv_counts, amp_priv_mine);                      \
        }                                                                                                              \
    }
#define AMP_PRIV_SEGMENTS_BEFORES(operation)                                                                           \
    AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 256) {                                                          \
        const int amp_priv_mine = (int)amp_priv_first + amp_priv_t.local.v[0];                                         \
        const int amp_priv_n = amp_priv_t.local.v[0] - 1;                                                              \
        amp_priv_T amp_priv_sum = amp_priv_identity;                                                                   \
        int amp_priv_some = 0;                                                                                         \
        if (amp_priv_first > 0) {                                                                                      \
            amp_priv_sum = amp_priv_lane[256];                                                                         \
            amp_priv_some = amp_priv_many[256];                                                                        \
        }                                                                                                              \
        if (amp_priv_n >= 0) {                                                                                         \
            AMP_PRIV_SEGMENTS_JOIN(amp_priv_sum, amp_priv_sum, amp_priv_n, operation)                                  \
            amp_priv_some += amp_priv_many[amp_priv_n];                                                                \
        }                                                                                                              \
        if (amp_priv_mine < amp_priv_step.tiles) {                                                                     \
            AMP_PRIV_CELL(amp_priv_values, amp_priv_mine) = amp_priv_sum;                                              \
            AMP_PRIV_CELL(amp_priv_counts, amp_priv_mine) = amp_priv_some;                                             \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 1) {                                                            \
        amp_priv_T amp_priv_sum = amp_priv_lane[255];                                                                  \
        if (amp_priv_first > 0) AMP_PRIV_SEGMENTS_JOIN(amp_priv_sum, amp_priv_lane[256], 255, operation)               \
        amp_priv_lane[256] = amp_priv_sum;                                                                             \
        amp_priv_many[256] = amp_priv_many[255] + (amp_priv_first > 0 ? amp_priv_many[256] : 0);                       \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* What comes before the tile. In the first tile a segment has begun before any lane but the first: it is not used. */
#define AMP_PRIV_SEGMENTS_PREFIX                                                                                       \
    amp_priv_T amp_priv_prefix = amp_priv_identity;                                                                    \
    int amp_priv_begun = 0;                                                                                            \
    if (amp_priv_number > 0) {                                                                                         \
        amp_priv_prefix = AMP_PRIV_CELL(amp_priv_values, amp_priv_number);                                             \
        amp_priv_begun = AMP_PRIV_CELL(amp_priv_counts, amp_priv_number);                                              \
    }

#define AMP_PRIV_SEGMENTS_ELEMENTS(kind, operation, what)                                                              \
    AMP_PRIV_SEGMENTS_PREFIX                                                                                           \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_n = amp_priv_t.local.v[0] - 1;                                                              \
        amp_priv_T amp_priv_sum = amp_priv_prefix;                                                                     \
        int amp_priv_some = amp_priv_begun;                                                                            \
        if (amp_priv_n >= 0) {                                                                                         \
            AMP_PRIV_SEGMENTS_JOIN(amp_priv_sum, amp_priv_prefix, amp_priv_n, operation)                               \
            amp_priv_some += amp_priv_many[amp_priv_n];                                                                \
        }                                                                                                              \
        for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                       \
            const int amp_priv_j = amp_priv_t.local.v[0] * 8 + amp_priv_k;                                             \
            const amp_priv_T amp_priv_before = amp_priv_begins[amp_priv_j] ? amp_priv_identity : amp_priv_sum;         \
            (void)amp_priv_before, (void)amp_priv_some;                                                                \
            AMP_PRIV_SEGMENTS_ADD(operation)                                                                           \
            AMP_PRIV_SEGMENTS_EACH_##kind(what)                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    if (amp_priv_number == amp_priv_step.tiles - 1) {                                                                  \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                           \
        AMP_PRIV_CELL(amp_priv_to, 0) = amp_priv_begun + amp_priv_many[255];                                           \
    }

/* // >>host
   A tile on the CPU backend. Pass 0 counts the segments that begin, and evaluates only the last one of them. Pass 2
   visits run after run, and combines the runs of a segment at its end. */
#define AMP_PRIV_SEGMENTS_HOST(kind, names, begins, value, operation, what)                                            \
    const int64_t amp_priv_first = (int64_t)amp_priv_number * 2048;                                                    \
    const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                                 \
    const int amp_priv_size = amp_priv_left < 2048 ? (int)amp_priv_left : 2048; /* of the tile */                      \
    AMP_PRIV_SEGMENTS_BEGINS(names, begins)                                                                            \
    const int amp_priv_last = amp_priv_step.pass == 0 ? amp_priv_segments_last(amp_priv_begins) : 0;                   \
    AMP_PRIV_SEGMENTS_VALUES(names, value, amp_priv_last / 256)                                                        \
    if (amp_priv_step.pass == 0) {                                                                                     \
        AMP_PRIV_SEGMENTS_TOTAL(operation)                                                                             \
    } else {                                                                                                           \
        AMP_PRIV_SEGMENTS_PREFIX                                                                                       \
        AMP_PRIV_SEGMENTS_HOST_##kind(operation, what)                                                                 \
        AMP_PRIV_SEGMENTS_END_##kind(names)                                                                            \
    }

/* Where segments begin. Of a whole tile, not the first one, all is known: gcc -O2 makes vectors of no other. What
   follows the last element of all begins one, too. */
#define AMP_PRIV_SEGMENTS_BEGINS(names, begins)                                                                        \
    {                                                                                                                  \
        AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                         \
        int amp_priv_row = 0;                                                                                          \
        if (amp_priv_number > 0 && amp_priv_size == 2048)                                                              \
            for (; amp_priv_row < 8; amp_priv_row++) {                                                                 \
                const int amp_priv_end = 256;                                                                          \
                AMP_PRIV_LANES_OF(names, amp_priv_begins[amp_priv_j] = !!(begins);)                                    \
            }                                                                                                          \
        for (; amp_priv_row < 9; amp_priv_row++) {                                                                     \
            const int64_t amp_priv_rest = amp_priv_left - amp_priv_row * 256;                                          \
            const int amp_priv_lanes = amp_priv_row == 8 ? 1 : 256;                                                    \
            const int amp_priv_end =                                                                                   \
                amp_priv_rest < 0 ? 0 : amp_priv_rest < amp_priv_lanes ? (int)amp_priv_rest : amp_priv_lanes;          \
            AMP_PRIV_LANES_FEW(names, amp_priv_begins[amp_priv_j] = amp_priv_first + amp_priv_j == 0 || (begins);)     \
            AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, amp_priv_end, amp_priv_lanes)                              \
            amp_priv_begins[amp_priv_row * 256 + amp_priv_t.local.v[0]] =                                              \
                amp_priv_row * 256 + amp_priv_t.local.v[0] == amp_priv_left;                                           \
        }                                                                                                              \
    }

/* The values from row `top` on. */
#define AMP_PRIV_SEGMENTS_VALUES(names, value, top)                                                                    \
    {                                                                                                                  \
        const int amp_priv_top = (top)*256;                                                                            \
        AMP_PRIV_ORIGIN(names, amp_priv_first + amp_priv_top)                                                          \
        int amp_priv_row = 0;                                                                                          \
        if (amp_priv_size == 2048)                                                                                     \
            for (; amp_priv_row < 8 - (top); amp_priv_row++) {                                                         \
                const int amp_priv_end = 256;                                                                          \
                AMP_PRIV_LANES_OF(names, amp_priv_exact[amp_priv_top + amp_priv_j] = (value);)                         \
            }                                                                                                          \
        for (; amp_priv_row < 8 - (top); amp_priv_row++) {                                                             \
            const int amp_priv_rest = amp_priv_size - amp_priv_top - amp_priv_row * 256;                               \
            const int amp_priv_end = amp_priv_rest < 0 ? 0 : amp_priv_rest < 256 ? amp_priv_rest : 256;                \
            AMP_PRIV_LANES_FEW(names, amp_priv_exact[amp_priv_top + amp_priv_j] = (value);)                            \
            AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, amp_priv_end, 256)                                         \
            amp_priv_exact[amp_priv_top + amp_priv_row * 256 + amp_priv_t.local.v[0]] = amp_priv_identity;             \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* amp_priv_lane[run] becomes the result of its elements. */
#define AMP_PRIV_SEGMENTS_FOLD(run, operation)                                                                         \
    {                                                                                                                  \
        amp_priv_T amp_priv_sum = amp_priv_exact[(run)*8];                                                             \
        AMP_PRIV_SEGMENTS_UNROLL                                                                                       \
        for (int amp_priv_k = 1; amp_priv_k < 8; amp_priv_k++)                                                         \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[(run)*8 + amp_priv_k], operation)  \
        amp_priv_lane[run] = amp_priv_sum;                                                                             \
    }
/* The 8 elements of a run. */
#if defined(__clang__)
#define AMP_PRIV_SEGMENTS_UNROLL _Pragma("unroll")
#elif __GNUC__ < 12 /* as AMP_PRIV_UNROLL_GPU */
#define AMP_PRIV_SEGMENTS_UNROLL
#else
#define AMP_PRIV_SEGMENTS_UNROLL _Pragma("GCC unroll 8")
#endif

/* amp_priv_lane[last] becomes what the steps of AMP_PRIV_SEGMENTS_LANES make of it, where a segment has begun in lane
   `from`, and none in the others up to it: pairs from the right, pairs of these, ... */
#define AMP_PRIV_SEGMENTS_COMBINE(from, last, operation)                                                               \
    for (int amp_priv_n = (last) - (from) + 1; amp_priv_n > 1; amp_priv_n = (amp_priv_n + 1) / 2) {                    \
        for (int amp_priv_i = 0; amp_priv_i < amp_priv_n / 2; amp_priv_i++)                                            \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[(last) - amp_priv_i],                                           \
                             amp_priv_lane[(last) - 2 * amp_priv_i - 1], amp_priv_lane[(last) - 2 * amp_priv_i],       \
                             operation)                                                                                \
        if (amp_priv_n % 2) amp_priv_lane[(last) - amp_priv_n / 2] = amp_priv_lane[(last) - amp_priv_n + 1];           \
    }

/* The result of the tile: its last segment, and how many begin. */
#define AMP_PRIV_SEGMENTS_TOTAL(operation)                                                                             \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        const int amp_priv_from = amp_priv_last / 8;                                                                   \
        amp_priv_T amp_priv_sum = amp_priv_exact[amp_priv_last];                                                       \
        for (int amp_priv_j = amp_priv_last + 1; amp_priv_j < amp_priv_from * 8 + 8; amp_priv_j++)                     \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[amp_priv_j], operation)            \
        amp_priv_lane[amp_priv_from] = amp_priv_sum;                                                                   \
        for (int amp_priv_run = amp_priv_from + 1; amp_priv_run < 256; amp_priv_run++)                                 \
            AMP_PRIV_SEGMENTS_FOLD(amp_priv_run, operation)                                                            \
        AMP_PRIV_SEGMENTS_COMBINE(amp_priv_from, 255, operation)                                                       \
        AMP_PRIV_CELL(amp_priv_values, amp_priv_number) = amp_priv_lane[255];                                          \
        AMP_PRIV_CELL(amp_priv_counts, amp_priv_number) = amp_priv_segments_count(amp_priv_begins);                    \
    }

/* amp_priv_from: the run in which the segment under way has begun, or 0; is_open: it began before the tile. */
#define AMP_PRIV_SEGMENTS_HOST_REDUCE(operation, what)                                                                 \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        int amp_priv_from = 0, amp_priv_is_open = !amp_priv_begins[0], amp_priv_next = amp_priv_begun + 1;             \
        amp_priv_next -= amp_priv_is_open;                                                                             \
        for (int amp_priv_begin = 0; amp_priv_begin < amp_priv_size; amp_priv_begin += 8) {                            \
            const int amp_priv_run = amp_priv_begin / 8;                                                               \
            if (amp_priv_begins[amp_priv_begin]) amp_priv_from = amp_priv_run;                                         \
            if (!amp_priv_segments_any(amp_priv_begins + amp_priv_begin + 1)) {                                        \
                AMP_PRIV_SEGMENTS_FOLD(amp_priv_run, operation)                                                        \
                continue;                                                                                              \
            }                                                                                                          \
            AMP_PRIV_SEGMENTS_ENDS(operation, what)                                                                    \
            amp_priv_from = amp_priv_run;                                                                              \
        }                                                                                                              \
        if (amp_priv_number == amp_priv_step.tiles - 1) AMP_PRIV_CELL(amp_priv_to, 0) = amp_priv_next - 1;             \
    }

/* A run in which segments end: amp_priv_lane[amp_priv_run] becomes the result of the last one that begins. */
#define AMP_PRIV_SEGMENTS_ENDS(operation, what)                                                                        \
    amp_priv_T amp_priv_sum = amp_priv_exact[amp_priv_begin];                                                          \
    if (!amp_priv_begins[amp_priv_begin]) {                                                                            \
        amp_priv_T amp_priv_before = amp_priv_prefix;                                                                  \
        if (amp_priv_run > 0) {                                                                                        \
            AMP_PRIV_SEGMENTS_COMBINE(amp_priv_from, amp_priv_run - 1, operation)                                      \
            amp_priv_before = amp_priv_lane[amp_priv_run - 1];                                                         \
            if (amp_priv_is_open)                                                                                      \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_before, amp_priv_prefix, amp_priv_before, operation)             \
        }                                                                                                              \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_before, amp_priv_sum, operation)                           \
    }                                                                                                                  \
    amp_priv_is_open = 0;                                                                                              \
    AMP_PRIV_SEGMENTS_UNROLL                                                                                           \
    for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                           \
        const int amp_priv_j = amp_priv_begin + amp_priv_k;                                                            \
        if (amp_priv_begins[amp_priv_j + 1]) {                                                                         \
            const int amp_priv_some = amp_priv_next++;                                                                 \
            AMP_PRIV_SEGMENTS_LAST(what)                                                                               \
            if (amp_priv_k < 7) amp_priv_sum = amp_priv_exact[amp_priv_j + 1];                                         \
        } else if (amp_priv_k < 7) {                                                                                   \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[amp_priv_j + 1], operation)        \
        }                                                                                                              \
    }                                                                                                                  \
    amp_priv_lane[amp_priv_run] = amp_priv_sum;

/* The runs up to the next one in which a segment begins; what comes before each of them; then their elements. */
#define AMP_PRIV_SEGMENTS_HOST_SCAN(operation, what)                                                                   \
    (void)amp_priv_begun;                                                                                              \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        for (int amp_priv_run = 0, amp_priv_is_open = 1; amp_priv_run < 256;) {                                        \
            const int amp_priv_from = amp_priv_run > 0 ? amp_priv_run - 1 : 0;                                         \
            int amp_priv_end = amp_priv_run;                                                                           \
            for (; amp_priv_end < 256 && !amp_priv_segments_any(amp_priv_begins + amp_priv_end * 8); amp_priv_end++)   \
                AMP_PRIV_SEGMENTS_FOLD(amp_priv_end, operation)                                                        \
            for (int amp_priv_back = 1; amp_priv_back < amp_priv_end - amp_priv_from; amp_priv_back *= 2)              \
                for (int amp_priv_n = amp_priv_end - 1; amp_priv_n >= amp_priv_from + amp_priv_back; amp_priv_n--)     \
                    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_n], amp_priv_lane[amp_priv_n - amp_priv_back], \
                                     amp_priv_lane[amp_priv_n], operation)                                             \
            for (; amp_priv_run <= amp_priv_end && amp_priv_run < 256; amp_priv_run++) {                               \
                AMP_PRIV_SEGMENTS_RUN(operation, what)                                                                 \
                if (amp_priv_run == amp_priv_end) amp_priv_lane[amp_priv_run] = amp_priv_sum, amp_priv_is_open = 0;    \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_SEGMENTS_RUN(operation, what)                                                                         \
    amp_priv_T amp_priv_sum = amp_priv_run > 0 ? amp_priv_lane[amp_priv_run - 1] : amp_priv_prefix;                    \
    if (amp_priv_is_open && amp_priv_run > 0)                                                                          \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_prefix, amp_priv_sum, operation)                           \
    AMP_PRIV_SEGMENTS_UNROLL                                                                                           \
    for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                           \
        const int amp_priv_j = amp_priv_run * 8 + amp_priv_k;                                                          \
        const amp_priv_T amp_priv_before = amp_priv_begins[amp_priv_j] ? amp_priv_identity : amp_priv_sum;             \
        (void)amp_priv_before;                                                                                         \
        if (amp_priv_begins[amp_priv_j])                                                                               \
            amp_priv_sum = amp_priv_exact[amp_priv_j];                                                                 \
        else                                                                                                           \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[amp_priv_j], operation)            \
        amp_priv_exact[amp_priv_j] = what;                                                                             \
    }

/* // >>scan
   AMP_INCLUSIVE_SCAN_SEGMENTS(T, out, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity): as
   AMP_INCLUSIVE_SCAN, from the beginning of each segment.
   AMP_EXCLUSIVE_SCAN_SEGMENTS(T, out, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity): as
   AMP_EXCLUSIVE_SCAN, from the beginning of each segment.
   AMP_INCLUSIVE_SCAN_SEGMENTS_ON(view, T, out, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity):
   the same on an accelerator view.
   AMP_EXCLUSIVE_SCAN_SEGMENTS_ON(view, T, out, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity):
   the same on an accelerator view.
   AMP_INCLUSIVE_SCAN_ROWS(T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity),
   AMP_EXCLUSIVE_SCAN_ROWS(T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): the same, where each
   row of an extent of rank 2 is a segment.
   AMP_INCLUSIVE_SCAN_ROWS_ON(view, T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity),
   AMP_EXCLUSIVE_SCAN_ROWS_ON(view, T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): the same for
   rows on an accelerator view.
   A segment begins at the first index, and where `begins` is true. Results have the same bits everywhere.
   T, extent, value, operation, identity  as for AMP_INCLUSIVE_SCAN
   out  as for AMP_INCLUSIVE_SCAN; `begins` does not read it
   i  names of the index; for rows two, (row, col)
   begins  an expression of the index and of captured names
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_INCLUSIVE_SCAN. Blocking: no. Threads: any. Cost: an element is read twice and written once;
   three launches, one up to 2048 elements. A GPU reads integers once, in one launch, unless out is what the value
   reads. Source: thrust::inclusive_scan_by_key. */
#define AMP_PRIV_FORM_SEGMENTS "int, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i), a + b, 0"
#define AMP_PRIV_FORM_ROWS_SCAN "int, out, v.extent, (row, i), AMP_CAPTURE(v), AMP_AT(v, row, i), a + b, 0"
#define AMP_INCLUSIVE_SCAN_SEGMENTS(...)                                                                               \
    AMP_PRIV_TAKES_HERE(9, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_SEGMENTS_ON, "AMP_INCLUSIVE_SCAN_SEGMENTS",                   \
                        AMP_PRIV_FORM_SEGMENTS, __VA_ARGS__)
#define AMP_INCLUSIVE_SCAN_SEGMENTS_ON(...)                                                                            \
    AMP_PRIV_TAKES(10, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_SEGMENTS_ON, "AMP_INCLUSIVE_SCAN_SEGMENTS_ON",                    \
                   "view, " AMP_PRIV_FORM_SEGMENTS, __VA_ARGS__)
#define AMP_PRIV_GIVEN_INCLUSIVE_SCAN_SEGMENTS_ON(where, T, out, extent, names, captures, begins, value,               \
                                                  operation, ...)                                                      \
    AMP_PRIV_SEGMENTS_NAMED(AMP_INCLUSIVE_SCAN_SEGMENTS, AMP_PRIV_FORM_SEGMENTS, where, T, out, extent, names,         \
                            captures, begins, value, operation, amp_priv_sum, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_INCLUSIVE_SCAN_SEGMENTS, AMP_PRIV_FORM_SEGMENTS)
#define AMP_EXCLUSIVE_SCAN_SEGMENTS(...)                                                                               \
    AMP_PRIV_TAKES_HERE(9, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_SEGMENTS_ON, "AMP_EXCLUSIVE_SCAN_SEGMENTS",                   \
                        AMP_PRIV_FORM_SEGMENTS, __VA_ARGS__)
#define AMP_EXCLUSIVE_SCAN_SEGMENTS_ON(...)                                                                            \
    AMP_PRIV_TAKES(10, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_SEGMENTS_ON, "AMP_EXCLUSIVE_SCAN_SEGMENTS_ON",                    \
                   "view, " AMP_PRIV_FORM_SEGMENTS, __VA_ARGS__)
#define AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_SEGMENTS_ON(where, T, out, extent, names, captures, begins, value,               \
                                                  operation, ...)                                                      \
    AMP_PRIV_SEGMENTS_NAMED(AMP_EXCLUSIVE_SCAN_SEGMENTS, AMP_PRIV_FORM_SEGMENTS, where, T, out, extent, names,         \
                            captures, begins, value, operation, amp_priv_before, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_EXCLUSIVE_SCAN_SEGMENTS, AMP_PRIV_FORM_SEGMENTS)
#define AMP_INCLUSIVE_SCAN_ROWS(...)                                                                                   \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ROWS_ON, "AMP_INCLUSIVE_SCAN_ROWS", AMP_PRIV_FORM_ROWS_SCAN,  \
                        __VA_ARGS__)
#define AMP_INCLUSIVE_SCAN_ROWS_ON(...)                                                                                \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ROWS_ON, "AMP_INCLUSIVE_SCAN_ROWS_ON",                             \
                   "view, " AMP_PRIV_FORM_ROWS_SCAN, __VA_ARGS__)
#define AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ROWS_ON(where, T, out, extent, names, captures, value, operation, ...)           \
    AMP_PRIV_SEGMENTS_NAMED(AMP_INCLUSIVE_SCAN_ROWS, AMP_PRIV_FORM_ROWS_SCAN, where, T, out, extent, names, captures,  \
                            AMP_PRIV_LAST_NAME names == 0, value, operation, amp_priv_sum, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_INCLUSIVE_SCAN_ROWS, AMP_PRIV_FORM_ROWS_SCAN)
#define AMP_EXCLUSIVE_SCAN_ROWS(...)                                                                                   \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ROWS_ON, "AMP_EXCLUSIVE_SCAN_ROWS", AMP_PRIV_FORM_ROWS_SCAN,  \
                        __VA_ARGS__)
#define AMP_EXCLUSIVE_SCAN_ROWS_ON(...)                                                                                \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ROWS_ON, "AMP_EXCLUSIVE_SCAN_ROWS_ON",                             \
                   "view, " AMP_PRIV_FORM_ROWS_SCAN, __VA_ARGS__)
#define AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ROWS_ON(where, T, out, extent, names, captures, value, operation, ...)           \
    AMP_PRIV_SEGMENTS_NAMED(AMP_EXCLUSIVE_SCAN_ROWS, AMP_PRIV_FORM_ROWS_SCAN, where, T, out, extent, names, captures,  \
                            AMP_PRIV_LAST_NAME names == 0, value, operation, amp_priv_before, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_EXCLUSIVE_SCAN_ROWS, AMP_PRIV_FORM_ROWS_SCAN)
#define AMP_PRIV_SEGMENTS_NAMED(NAME, form, where, T, out, extent, names, captures, begins, value, operation, what,    \
                                ...)                                                                                   \
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(NAME, form, where, T, AMP_PRIV_MAY_BE_VIEW(out))                                         \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_IN_FORM(AMP_PRIV_SEGMENTS_SCAN, names, captures)                                                      \
        (#NAME, where, T, AMP_PRIV_VIEW_NAMED(T), &amp_priv_element_##T, out, extent, names, captures, begins, value,  \
         operation, what, __VA_ARGS__);                                                                                \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_LAST_NAME(...)       AMP_PRIV_CAT(AMP_PRIV_LAST_NAME_, AMP_PRIV_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_LAST_NAME_1(x)       x
#define AMP_PRIV_LAST_NAME_2(y, x)    x
#define AMP_PRIV_LAST_NAME_3(z, y, x) x
#define AMP_PRIV_SEGMENTS_SCAN(name, where, T, VIEW, element, out, extent, names, captures, begins, value, operation,  \
                               what, ...)                                                                              \
    AMP_PRIV_SEGMENTS(SCAN, name, where, T, VIEW, element, NULL, false, (NULL, NULL), extent, names,                   \
                      ((AMP_PRIV_IN_LIST(captures), AMP_BIND(amp_priv_out, out))), begins, value, operation,           \
                      what, __VA_ARGS__)
#define AMP_PRIV_SEGMENTS_STORE(names)                                                                                 \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                             \
    int amp_priv_row = 0;                                                                                              \
    if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_step.size - amp_priv_first >= 2048, "0"))                                     \
        for (; amp_priv_row < 8; amp_priv_row++) {                                                                     \
            const int amp_priv_end = 256;                                                                              \
            AMP_PRIV_SEGMENTS_PUT(OF, names)                                                                           \
        }                                                                                                              \
    for (; amp_priv_row < 8; amp_priv_row++) {                                                                         \
        const int64_t amp_priv_rest = amp_priv_step.size - amp_priv_first - amp_priv_row * 256;                        \
        const int amp_priv_end = amp_priv_rest < 0 ? 0 : amp_priv_rest < 256 ? (int)amp_priv_rest : 256;               \
        AMP_PRIV_SEGMENTS_PUT(FEW, names)                                                                              \
    }
#define AMP_PRIV_SEGMENTS_PUT(which, names)                                                                            \
    AMP_PRIV_LANES_##which(names, AMP_PRIV_OUT_AT(names) = amp_priv_exact[AMP_PRIV_SEGMENTS_AT];)

/* amp_inclusive_sum_rows(out, v), amp_exclusive_sum_rows(out, v): out = the running sums of each row of v.
   amp_inclusive_sum_rows_on(view, out, v), amp_exclusive_sum_rows_on(view, out, v): the same on an accelerator view.
   The sums have the element type of out.
   out  a view or array of rank 2, at least as large as v; it may be v
   v  a view or array of numbers of rank 2
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_INCLUSIVE_SCAN_ROWS. Blocking: no. Threads: any. Cost: as AMP_INCLUSIVE_SCAN_SEGMENTS. Source:
   NumPy's cumsum(axis=1). */
#define amp_inclusive_sum_rows(out, v) amp_inclusive_sum_rows_on((amp_accelerator_view){ NULL }, out, v)
#define amp_inclusive_sum_rows_on(where, out, v)                                                                       \
    AMP_PRIV_SUM_ROWS("amp_inclusive_sum_rows", where, out, v, amp_priv_sum)
#define amp_exclusive_sum_rows(out, v) amp_exclusive_sum_rows_on((amp_accelerator_view){ NULL }, out, v)
#define amp_exclusive_sum_rows_on(where, out, v)                                                                       \
    AMP_PRIV_SUM_ROWS("amp_exclusive_sum_rows", where, out, v, amp_priv_before)
#define AMP_PRIV_SUM_ROWS(name, where, out, in, what)                                                                  \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, v", where, AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(in))              \
        _Static_assert(AMP_PRIV_IS_OF_RANK_2(in) && AMP_PRIV_IS_OF_RANK_2(out),                                        \
                       "amp: " name ": a view or array of numbers of rank 2");                                         \
        const __typeof__(*AMP_PRIV_GIVEN_2(in).amp_priv_const_view) amp_priv_table =                                   \
            AMP_PRIV_AS_CONST(name, AMP_PRIV_GIVEN_2(in));                                                             \
        AMP_PRIV_SEGMENTS_SCAN(name, where, AMP_PRIV_TYPE_OF(amp_priv_out),                                            \
                               AMP_PRIV_VIEW_OF(AMP_PRIV_TYPE_OF(AMP_PRIV_GIVEN_2(out))),                              \
                               AMP_PRIV_RECORD_OF(AMP_PRIV_TYPE_OF(AMP_PRIV_GIVEN_2(out))), AMP_PRIV_GIVEN_2(out),     \
                               amp_priv_table.extent,                                                                  \
                               (amp_priv_r, amp_priv_c), AMP_CAPTURE(amp_priv_table), amp_priv_c == 0,                 \
                               AMP_AT(amp_priv_table, amp_priv_r, amp_priv_c), a + b, what, 0);                        \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>reduce
   AMP_REDUCE_SEGMENTS(T, out, count, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity): out = the
   result of each segment, in order.
   AMP_REDUCE_SEGMENTS_ON(view, T, out, count, extent, (i), AMP_CAPTURE(...), begins, value, operation, identity):
   the same on an accelerator view.
   AMP_REDUCE_BY_KEY(T, kept, out, count, keys, (i), AMP_CAPTURE(...), value, operation, identity): the same, where
   adjacent equal keys are a segment; kept = its key.
   AMP_REDUCE_BY_KEY_ON(view, T, kept, out, count, keys, (i), AMP_CAPTURE(...), value, operation, identity): the same
   by key on an accelerator view.
   A segment begins at the first index, and where `begins` is true. Results have the same bits everywhere.
   T, extent, i, value, operation, identity  as for AMP_REDUCE
   out, kept  views or arrays of rank 1, of T and of the key's type, which the expressions do not read; if one is too
              short, it gets the first segments
   count  an int variable, which has the number of segments when the call returns; or a view or array of int of rank 1,
          without waiting
   begins  an expression of the index and of captured names
   keys  a view or array of numbers of rank 1
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE; count is unchanged then. AMP_INVALID_ARGUMENT (a result is too short), as of
   AMP_SELECT_IF. Blocking: for a variable. Threads: any. Cost: an element is read twice; three launches, one up to
   2048 elements. A GPU reads integers once, in one launch. Source: thrust::reduce_by_key. */
#define AMP_PRIV_FORM_REDUCE_SEGMENTS                                                                                  \
    "int, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i), a + b, 0"
#define AMP_REDUCE_SEGMENTS(...)                                                                                       \
    AMP_PRIV_TAKES_HERE(10, AMP_PRIV_GIVEN_REDUCE_SEGMENTS_ON, "AMP_REDUCE_SEGMENTS", AMP_PRIV_FORM_REDUCE_SEGMENTS,   \
                        __VA_ARGS__)
#define AMP_REDUCE_SEGMENTS_ON(...)                                                                                    \
    AMP_PRIV_TAKES(11, AMP_PRIV_GIVEN_REDUCE_SEGMENTS_ON, "AMP_REDUCE_SEGMENTS_ON",                                    \
                   "view, " AMP_PRIV_FORM_REDUCE_SEGMENTS, __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE_SEGMENTS_ON(where, T, out, count, extent, names, captures, begins, value, operation, ...)\
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(AMP_REDUCE_SEGMENTS, AMP_PRIV_FORM_REDUCE_SEGMENTS, where, T, AMP_PRIV_MAY_BE_VIEW(out)) \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_IN_FORM(AMP_PRIV_SEGMENTS_REDUCE, names, captures)                                                    \
        ("AMP_REDUCE_SEGMENTS", where, T, AMP_PRIV_VIEW_NAMED(T), &amp_priv_element_##T, count, ("out", NULL), extent, \
         names, ((AMP_PRIV_IN_LIST(captures), AMP_BIND(amp_priv_out, out))), begins, value, operation, , __VA_ARGS__); \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
AMP_PRIV_FIRST_OF(AMP_REDUCE_SEGMENTS, AMP_PRIV_FORM_REDUCE_SEGMENTS)
#define AMP_PRIV_FORM_BY_KEY "int, kept, out, count, keys, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0"
#define AMP_REDUCE_BY_KEY(...)                                                                                         \
    AMP_PRIV_TAKES_HERE(10, AMP_PRIV_GIVEN_REDUCE_BY_KEY_ON, "AMP_REDUCE_BY_KEY", AMP_PRIV_FORM_BY_KEY, __VA_ARGS__)
#define AMP_REDUCE_BY_KEY_ON(...)                                                                                      \
    AMP_PRIV_TAKES(11, AMP_PRIV_GIVEN_REDUCE_BY_KEY_ON, "AMP_REDUCE_BY_KEY_ON", "view, " AMP_PRIV_FORM_BY_KEY,         \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE_BY_KEY_ON(where, T, kept, out, count, keys, names, captures, value, operation, ...)      \
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(AMP_REDUCE_BY_KEY, AMP_PRIV_FORM_BY_KEY, where, T,                                       \
                              AMP_PRIV_MAY_BE_VIEW(kept) && AMP_PRIV_MAY_BE_VIEW(out))                                 \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_IN_FORM(AMP_PRIV_REDUCE_KEYS, names, captures)                                                        \
        ("AMP_REDUCE_BY_KEY", ("out", "kept"), where, T, AMP_PRIV_VIEW_NAMED(T), &amp_priv_element_##T, kept, out,     \
         count, keys, names, captures, value, operation, __VA_ARGS__);                                                 \
        AMP_PRIV_CONTRACT_KEYS("AMP_REDUCE_BY_KEY", kept, count)                                                       \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
AMP_PRIV_FIRST_OF(AMP_REDUCE_BY_KEY, AMP_PRIV_FORM_BY_KEY)
#define AMP_PRIV_REDUCE_KEYS(name, outs, where, T, VIEW, element, kept, out, count, keys, names, captures, value,      \
                             operation, ...)                                                                           \
    do {                                                                                                               \
        AMP_PRIV_READ_FROM(name, by, keys)                                                                             \
        AMP_PRIV_SEGMENTS_REDUCE(name, where, T, VIEW, element, count, outs, amp_priv_by.extent, names,                \
                                 ((AMP_PRIV_IN_LIST(captures), amp_priv_by, AMP_BIND(amp_priv_kept, kept),             \
                                   AMP_BIND(amp_priv_out, out))),                                                      \
                                 AMP_PRIV_CELL(amp_priv_by, AMP_PRIV_UNWRAP names) !=                                  \
                                     AMP_PRIV_CELL(amp_priv_by, AMP_PRIV_UNWRAP names - 1),                            \
                                 value, operation,                                                                     \
                                 AMP_PRIV_PUT(amp_priv_kept, amp_priv_some - 1,                                        \
                                     AMP_PRIV_CELL(amp_priv_by, (int)amp_priv_first + amp_priv_j)), __VA_ARGS__);      \
    } while (0)
#define AMP_PRIV_SEGMENTS_REDUCE(name, where, T, VIEW, element, count, outs, extent, names, captures, begins, value,   \
                                 operation, more, ...)                                                                 \
    do {                                                                                                               \
        AMP_PRIV_CHECK_RESULT(name, count, "type int", amp_array_view_int_1)                                           \
        AMP_PRIV_SEGMENTS(REDUCE, name, where, T, VIEW, element, AMP_PRIV_RESULT(count),                               \
                          AMP_PRIV_IS_VARIABLE(count, amp_array_view_int_1),                                           \
                          outs, extent, names, captures, begins, value, operation, more, __VA_ARGS__);                 \
    } while (0)

/* clang-format on */

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

#define AMP_PRIV_SEGMENTS_OF(BODY, kind)                                                                               \
    BODY(kind, amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_8, amp_priv_part_3, amp_priv_part_4,            \
         amp_priv_part_7, amp_priv_part_5)
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_segments_text_SCAN, AMP_PRIV_SEGMENTS_OF(AMP_PRIV_SEGMENTS_BODY, SCAN))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_segments_text_REDUCE, AMP_PRIV_SEGMENTS_OF(AMP_PRIV_SEGMENTS_BODY, REDUCE))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_segments_tiles_text_SCAN, AMP_PRIV_SEGMENTS_OF(AMP_PRIV_SEGMENTS_ONE_PASS, SCAN))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_segments_tiles_text_REDUCE, AMP_PRIV_SEGMENTS_OF(AMP_PRIV_SEGMENTS_ONE_PASS, REDUCE))

/* The view for the number of segments. */
static inline bool amp_priv_segments_result(const amp_priv_segmenting *s, amp_array_view_int_1 *to)
{
    if (s->call.result)
        return amp_priv_result_view(&s->call, to, &amp_priv_element_int, s->last);
    amp_priv_call_view(&s->call, to, &amp_priv_element_int, s->last, 1);
    return true;
}

/* A tile publishes a value and a number of segments. */
static inline bool amp_priv_segments_begin_pass(amp_priv_segmenting *s)
{
    const int tiles = amp_priv_call_tiles(s->call.name, s->step.size, AMP_PRIV_LANES * AMP_PRIV_SEGMENTS_ITEMS);
    return amp_priv_look_back_begin(&s->call, &s->tiles, s->step.size, tiles,
                                    AMP_PRIV_PUBLISHED_WORDS(s->element->size) + AMP_PRIV_PUBLISHED_WORDS(sizeof(int)));
}

AMP_PRIV_API bool amp_priv_segments_begin(amp_priv_segmenting *s, const char *name, amp_accelerator_view view,
                                          const amp_priv_named *heads, size_t count, const int *extent, int rank,
                                          const amp_priv_element *element, const void *result, bool is_variable,
                                          const char *out, const char *kept, bool is_integer)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    const int64_t size = amp_priv_domain_size(name, extent, rank);
    const int tiles = amp_priv_call_tiles(name, size, AMP_PRIV_SEGMENTS_TILE);
    const amp_priv_named *const last = &heads[count - 1];
    if (!tiles || (!out && !amp_priv_has_room_for(name, last->head, extent)) ||
        !amp_priv_is_apart(name, out ? out : "out", last->head, heads, count - 1, !out) ||
        (kept && !amp_priv_is_apart(name, kept, last[-1].head, heads, count - 2, false)) ||
        !amp_priv_count_is_apart(name, result, is_variable, heads, count))
        return false;
    s->step.size = size;
    s->step.tiles = tiles;
    s->element = element;
    if (!amp_priv_call_begin(&s->call, name, view, heads, count, (size_t)tiles * (element->size + sizeof(int)) + 512))
        return false;
    s->call.result = result;
    s->call.is_variable = is_variable;
    s->out = heads[count - 1].head;
    s->kept = kept ? heads[count - 2].head : NULL;
    if (out)
        amp_priv_call_counts(&s->call, out, last->head, size);
    if (kept)
        amp_priv_call_counts(&s->call, kept, last[-1].head, size);
    s->values = amp_priv_call_part(&s->call, (size_t)tiles * element->size);
    s->counts = amp_priv_call_part(&s->call, (size_t)tiles * sizeof(int));
    s->last = amp_priv_call_part(&s->call, sizeof(int));
    const bool is_apart = out || amp_priv_is_apart_of_all(last->head, heads, count - 1);
    s->one_pass = is_integer && is_apart && amp_priv_look_back_suits(s->call.view.amp_priv_queue);
    return !s->one_pass || amp_priv_segments_begin_pass(s);
}

AMP_PRIV_API bool amp_priv_segments_pass(amp_priv_segmenting *s, amp_array_view_uint32_t_1 *published,
                                         amp_array_view_int_1 *to)
{
    if (!s->one_pass || amp_priv_call_failed(&s->call))
        return false;
    if (s->began) {
        amp_priv_call_wrote(&s->call, s->out, s->kept);
        return false;
    }
    s->began = true;
    amp_priv_look_back_view(&s->call, published);
    return amp_priv_segments_result(s, to);
}

AMP_PRIV_API bool amp_priv_segments_next(amp_priv_segmenting *s, void *values, void *counts, amp_array_view_int_1 *to)
{
    if (s->one_pass || amp_priv_call_failed(&s->call))
        return false;
    if (s->began && s->step.pass == 2) {
        amp_priv_call_wrote(&s->call, s->out, s->kept);
        return false;
    }
    s->step.pass = s->began ? s->step.pass + 1 : s->step.tiles == 1 ? 2 : 0;
    s->began = true;
    amp_priv_call_view(&s->call, values, s->element, s->values, (size_t)s->step.tiles);
    amp_priv_call_view(&s->call, counts, &amp_priv_element_int, s->counts, (size_t)s->step.tiles);
    return amp_priv_segments_result(s, to);
}

AMP_PRIV_API int amp_priv_segments_threads(const amp_priv_segmenting *s)
{
    return AMP_PRIV_LANES * (s->one_pass ? s->tiles.tiles : s->step.pass == 1 ? 1 : s->step.tiles);
}

AMP_PRIV_API void amp_priv_segments_end(amp_priv_segmenting *s)
{
    if (s->call.temporary && s->call.result)
        amp_priv_result_fetch(&s->call, &amp_priv_element_int, s->last);
    amp_priv_room_check(&s->call);
    amp_priv_call_end(&s->call);
}

AMP_PRIV_API int amp_priv_segments_last(const uint8_t *begins)
{
    int last = AMP_PRIV_SEGMENTS_TILE - 8;
    while (last > 0 && !amp_priv_segments_any(begins + last))
        last -= 8;
    for (int i = last + 7; i > last; i--)
        if (begins[i])
            return i;
    return last;
}

AMP_PRIV_API int amp_priv_segments_count(const uint8_t *begins)
{
    int count = 0;
    for (int i = 0; i < AMP_PRIV_SEGMENTS_TILE; i++)
        count += begins[i];
    return count;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SEGMENTS_H */
