/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/rows.h - reductions along one dimension: of each row or column.

    The association depends only on the extents. The n elements along a row are distributed over L lanes: as many as a
    row has elements, rounded up to a power of two, at most 256. Along a column L is 256 divided by the number of
    columns, rounded in the same way. R times L elements are a block: R is 16, or the next power of two for which
    there is one block, or at most 4096 tiles, each of 256 lanes. Each lane combines its elements of a block from the
    first to the last, beginning with the identity; then lane i and lane i + L/2 are combined, i and i + L/4, ... 0 and
    1. The results of the blocks are combined in the same way, as one block.

    Contents (search for the tag):
        >>plan  >>kernel  >>reduce  >>positions  >>implementation */
#ifndef AMP_ALGORITHMS_ROWS_H
#define AMP_ALGORITHMS_ROWS_H

#include "reduce.h"

/* // >>plan */

/* What one launch does: `kept` results, each from `length` elements. */
AMP_STRUCT(amp_priv_along_step, {
    int kept, length;
    int lanes, rows; /* of a result in a tile; of all lanes in a block */
    int blocks;      /* of a result */
    int side, parts; /* results of a tile: 256 / lanes; how many tiles for all */
    int pass;        /* 0: elements, 1: the results of blocks */
});

typedef struct amp_priv_along {
    amp_priv_call call;
    amp_priv_along_step step;
    int passes, blocks;
    bool by_lanes; /* amp/algorithms/cpu_device.h */
    const amp_priv_element *element;
    size_t partials;
} amp_priv_along;

/* False after reporting, and where there is no result. */
AMP_PRIV_API bool amp_priv_along_begin(amp_priv_along *s, const char *name, amp_accelerator_view view,
                                       const amp_priv_named *heads, size_t count, const int *extent, bool is_column,
                                       const amp_priv_head *out);

/* The next launch: false when there is none. partials: the view on the results of blocks. */
AMP_PRIV_API bool amp_priv_along_next(amp_priv_along *s, void *partials);

AMP_PRIV_API int amp_priv_along_threads(const amp_priv_along *s);

/* The templates of the kernels (amp/launch/template.h): of rows, and of columns. */
AMP_PRIV_API const char *amp_priv_along_text_0(void);
AMP_PRIV_API const char *amp_priv_along_text_1(void);

/* // >>kernel */

#define AMP_PRIV_ALONG(name, where, T, VIEW, out, is_column, extent, names, captures, value, operation, ...)           \
    do {                                                                                                               \
        AMP_PRIV_CHECK_OPERATION(name, operation)                                                                      \
        AMP_PRIV_IF_VALUE_FIRST(name, captures, value, operation)                                                      \
        AMP_PRIV_IN_FORM(AMP_PRIV_ALONG_1, names, captures)                                                            \
        (name, where, T, VIEW, out, is_column, extent, names, AMP_PRIV_UNWRAP captures, value, operation,              \
         __VA_ARGS__);                                                                                                 \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_ALONG_1(name, where, T, VIEW, out, is_column, extent, names, captures, value, operation, ...)         \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        _Static_assert(AMP_PRIV_COUNT names == 2, "amp: " name " takes an extent of rank 2 and two names: (row, col)");\
        _Static_assert(AMP_PRIV_IS_VIEW_OF(out, VIEW),                                                                 \
                       "amp: " name ": the results go to a view or array of that type, of rank 1");                    \
        const amp_extent2 amp_priv_domain = extent;                                                                    \
        const VIEW amp_priv_out = amp_view_of(out);                                                                    \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        AMP_PRIV_CONTRACT(name, true, amp_priv_domain.v[!(is_column)], where, T, VIEW, amp_priv_out.amp_priv.element,  \
                          names, captures, value, operation, __VA_ARGS__)                                              \
        amp_priv_along amp_priv_this;                                                                                  \
        if (amp_priv_along_begin(&amp_priv_this, name, where, AMP_PRIV_HEADS(captures),                                \
                                 AMP_PRIV_HEADS_COUNT(captures), amp_priv_domain.v, is_column,                         \
                                 &amp_priv_out.amp_priv))                                                              \
            for (VIEW amp_priv_partials; amp_priv_along_next(&amp_priv_this, &amp_priv_partials);) {                   \
                const amp_priv_along_step amp_priv_step = amp_priv_this.step;                                          \
                AMP_PRIV_ALONG_CPU(T, is_column, names, captures, value, operation, __VA_ARGS__)                       \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    AMP_PRIV_CAT(amp_priv_along_text_, is_column),                                                     \
                    AMP_PRIV_ALONG_PARTS(T, names, value, operation, __VA_ARGS__), amp_priv_this.call.view,            \
                    AMP_EXTENT(amp_priv_along_threads(&amp_priv_this)), (256), amp_priv_tile,                          \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_partials, amp_priv_out,                      \
                      AMP_VALUE(amp_priv_along_step, amp_priv_step))),                                                 \
                    AMP_PRIV_ALONG_BODY(T, is_column, names, value, operation, __VA_ARGS__));                          \
            }                                                                                                          \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
    } while (0)

/* On a CPU that OpenCL has. */
#if defined(AMP_BACKEND_OPENCL)
#define AMP_PRIV_ALONG_CPU(T, is_column, names, captures, value, operation, ...)                                       \
    if (amp_priv_this.by_lanes)                                                                                        \
        AMP_PRIV_TILED_DEVICE(AMP_PRIV_CAT(amp_priv_along_text_CPU_, is_column),                                       \
                              AMP_PRIV_ALONG_PARTS(T, names, value, operation, __VA_ARGS__),                           \
                              amp_priv_this.call.view, AMP_EXTENT(amp_priv_along_threads(&amp_priv_this) / 256), (1),  \
                              amp_priv_tile, ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_partials,           \
                                               amp_priv_out, AMP_VALUE(amp_priv_along_step, amp_priv_step))),          \
                              AMP_PRIV_ALONG_CPU_BODY(T, is_column, names, value, operation, __VA_ARGS__));            \
    else
#else
#define AMP_PRIV_ALONG_CPU(...)
#endif

/* Parts 0 and 1 are the names themselves. */
#define AMP_PRIV_ALONG_PARTS(T, names, value, operation, ...)                                                          \
    AMP_PRIV_ALONG_TWO names "\1" AMP_PRIV_TEXT_(T) "\1" AMP_PRIV_TEXT_(value) "\1" AMP_PRIV_TEXT_(operation)          \
    "\1" AMP_PRIV_TEXT_(__VA_ARGS__)
#define AMP_PRIV_ALONG_TWO(y, x) "\1" AMP_PRIV_TEXT_(y) "\1" AMP_PRIV_TEXT_(x)

/* Neighbouring threads have neighbours in memory: along a row they are lanes, of columns they are one lane each. */
#define AMP_PRIV_ALONG_BODY(T, is_column, names, value, operation, ...)                                                \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, [256]);                                                                 \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_sum);                                                                  \
        AMP_PRIV_REDUCE_KEPT_ROUNDED                                                                                   \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_side = amp_priv_step.side;                                                                  \
        const int amp_priv_block = amp_priv_step.blocks > 1 ? amp_priv_tile.tile.v[0] / amp_priv_step.parts : 0;       \
        const int amp_priv_begin = (amp_priv_tile.tile.v[0] - amp_priv_block * amp_priv_step.parts) * amp_priv_side;   \
        const int amp_priv_some = amp_priv_step.kept - amp_priv_begin < amp_priv_side                                  \
                                      ? amp_priv_step.kept - amp_priv_begin : amp_priv_side;                           \
        const int64_t amp_priv_first = (int64_t)amp_priv_block * amp_priv_step.rows * amp_priv_step.lanes;             \
        AMP_PRIV_CAT(AMP_PRIV_ALONG_BODY_, is_column)(names, value, operation)                                         \
    }
#define AMP_PRIV_ALONG_BODY_1(names, value, operation) AMP_PRIV_ALONG_TILE(1, 1, names, value, operation)
/* On the host the elements of rows: of short ones, those of all rows in lane 0, in lane 1, ..., as of columns. */
#define AMP_PRIV_ALONG_BODY_0(names, value, operation)                                                                 \
    if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_step.pass == 0, "0")) {                                                       \
        (void)AMP_PRIV_HOST_OR_DEVICE(__extension__({                                                                  \
            if (amp_priv_step.lanes > 16) {                                                                            \
                AMP_PRIV_ALONG_HOST(names, value, operation)                                                           \
            } else {                                                                                                   \
                AMP_PRIV_ALONG_TILE(1, 0, names, value, operation)                                                     \
            } 0; }), "0");                                                                                             \
    } else {                                                                                                           \
        AMP_PRIV_ALONG_TILE(0, 0, names, value, operation)                                                             \
    }

/* by_lanes: on the host what belongs to a lane is together, not what belongs to a result. */
#define AMP_PRIV_ALONG_TILE(by_lanes, is_column, names, value, operation)                                              \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { AMP_OWN(amp_priv_sum) = amp_priv_identity; }                         \
    for (int amp_priv_row = 0; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                    \
        const int64_t amp_priv_base = amp_priv_first + (int64_t)amp_priv_row * amp_priv_step.lanes;                    \
        const int64_t amp_priv_rest = amp_priv_step.length - amp_priv_base;                                            \
        const int amp_priv_left = amp_priv_rest < amp_priv_step.lanes ? (int)amp_priv_rest : amp_priv_step.lanes;      \
        if (amp_priv_left <= 0) break;                                                                                 \
        if (amp_priv_step.pass == 0) {                                                                                 \
            AMP_PRIV_ALONG_ELEMENTS(by_lanes, is_column, names, value, operation)                                      \
        } else {                                                                                                       \
            AMP_PRIV_ALONG_LANES(by_lanes, amp_priv_left,                                                              \
                                 AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum),            \
                                                  AMP_PRIV_CELL(amp_priv_partials, ((int)amp_priv_base + amp_priv_l) * \
                                                         amp_priv_step.kept + amp_priv_k), operation))                 \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0]) = AMP_OWN(amp_priv_sum);                                            \
    }                                                                                                                  \
    AMP_PRIV_ALONG_TREE(by_lanes, operation)

/* The elements of rows on the host, row by row. A loop of a constant length is one that gcc -O2 makes vectors of: lanes
   come in strips of 16, and each level of the tree is written out. */
#define AMP_PRIV_ALONG_HOST(names, value, operation)                                                                   \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_some) {                                                 \
        const int amp_priv_k = amp_priv_begin + amp_priv_t.local.v[0];                                                 \
        amp_priv_T amp_priv_node[256];                                                                                 \
        AMP_PRIV_ALONG_STRIPS(amp_priv_step.lanes, amp_priv_node[amp_priv_l] = amp_priv_identity;)                     \
        for (int amp_priv_row = 0; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                \
            const int64_t amp_priv_base = amp_priv_first + (int64_t)amp_priv_row * amp_priv_step.lanes;                \
            const int64_t amp_priv_rest = amp_priv_step.length - amp_priv_base;                                        \
            const int amp_priv_left = amp_priv_rest < amp_priv_step.lanes ? (int)amp_priv_rest : amp_priv_step.lanes;  \
            if (amp_priv_left <= 0) break;                                                                             \
            AMP_PRIV_ALONG_ROW(names, value, operation)                                                                \
        }                                                                                                              \
        AMP_PRIV_ALONG_LEVELS(operation)                                                                               \
        if (amp_priv_step.blocks > 1)                                                                                  \
            AMP_PRIV_CELL(amp_priv_partials, amp_priv_block * amp_priv_step.kept + amp_priv_k) = amp_priv_node[0];     \
        else                                                                                                           \
            AMP_AT(amp_priv_out, amp_priv_k) = amp_priv_node[0];                                                       \
    }
#if defined(__clang__)
#define AMP_PRIV_ALONG_STRIPS(count, ...)                                                                              \
    _Pragma("clang loop vectorize(enable) interleave_count(1)")                                                        \
    for (int amp_priv_l = 0; amp_priv_l < (count); amp_priv_l++) { __VA_ARGS__ }
#else
#define AMP_PRIV_ALONG_STRIPS(count, ...)                                                                              \
    {                                                                                                                  \
        int amp_priv_strip = 0;                                                                                        \
        for (; amp_priv_strip + 16 <= (count); amp_priv_strip += 16)                                                   \
            for (int amp_priv_i = 0; amp_priv_i < 16; amp_priv_i++) {                                                  \
                const int amp_priv_l = amp_priv_strip + amp_priv_i;                                                    \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        for (int amp_priv_l = amp_priv_strip; amp_priv_l < (count); amp_priv_l++) { __VA_ARGS__ }                      \
    }
#endif
/* A loop that a compiler writes out before it makes vectors becomes as many scalars. */
#if defined(__clang__)
#define AMP_PRIV_ALONG_KEEP_LOOP _Pragma("clang loop vectorize(enable) interleave_count(1) unroll(disable)")
#elif __GNUC__ < 12 /* as AMP_PRIV_UNROLL_GPU */
#define AMP_PRIV_ALONG_KEEP_LOOP
#else
#define AMP_PRIV_ALONG_KEEP_LOOP _Pragma("GCC unroll 1")
#endif
/* clang's are faster where the last levels are scalars, which wait for no store. */
#if defined(__clang__)
#define AMP_PRIV_ALONG_SHORT_LOOP _Pragma("clang loop vectorize(disable) unroll(full)")
#else
#define AMP_PRIV_ALONG_SHORT_LOOP AMP_PRIV_ALONG_KEEP_LOOP
#endif
#define AMP_PRIV_ALONG_LEVELS(operation)                                                                               \
    switch (amp_priv_step.lanes) {                                                                                     \
    case 256: AMP_PRIV_ALONG_LEVEL(128, operation, AMP_PRIV_ALONG_KEEP_LOOP)                                           \
    case 128: AMP_PRIV_ALONG_LEVEL(64, operation, AMP_PRIV_ALONG_KEEP_LOOP)                                            \
    case 64: AMP_PRIV_ALONG_LEVEL(32, operation, AMP_PRIV_ALONG_KEEP_LOOP)                                             \
    case 32: AMP_PRIV_ALONG_LEVEL(16, operation, AMP_PRIV_ALONG_KEEP_LOOP)                                             \
    case 16: AMP_PRIV_ALONG_LEVEL(8, operation, AMP_PRIV_ALONG_SHORT_LOOP)                                             \
    case 8: AMP_PRIV_ALONG_LEVEL(4, operation, AMP_PRIV_ALONG_SHORT_LOOP)                                              \
    case 4: AMP_PRIV_ALONG_LEVEL(2, operation, AMP_PRIV_ALONG_SHORT_LOOP)                                              \
    case 2: AMP_PRIV_ALONG_LEVEL(1, operation, AMP_PRIV_ALONG_SHORT_LOOP)                                              \
    default: break;                                                                                                    \
    }
#define AMP_PRIV_ALONG_LEVEL(half, operation, loop)                                                                    \
    loop                                                                                                               \
    for (int amp_priv_l = 0; amp_priv_l < half; amp_priv_l++)                                                          \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_node[amp_priv_l], amp_priv_node[amp_priv_l],                             \
                         amp_priv_node[amp_priv_l + half], operation)                                                  \
    __attribute__((__fallthrough__));

/* As AMP_PRIV_REDUCE_ROW_ROUNDED. */
#define AMP_PRIV_ALONG_ROW(names, value, operation)                                                                    \
    AMP_PRIV_ALONG_STRIPS(amp_priv_left,                                                                               \
                          AMP_PRIV_ALONG_NAMES(0, AMP_PRIV_UNWRAP names)                                               \
                          amp_priv_T amp_priv_exact = (value);                                                         \
                          AMP_PRIV_ROUND(amp_priv_exact)                                                               \
                          AMP_PRIV_COMBINE(amp_priv_T, amp_priv_node[amp_priv_l], amp_priv_node[amp_priv_l],           \
                                           amp_priv_exact, operation))
#define AMP_PRIV_ALONG_ELEMENTS(by_lanes, is_column, names, value, operation)                                          \
    AMP_PRIV_ALONG_LANES(by_lanes, amp_priv_left,                                                                      \
                         AMP_PRIV_ALONG_NAMES(is_column, AMP_PRIV_UNWRAP names)                                        \
                         amp_priv_T amp_priv_exact = (value);                                                          \
                         AMP_PRIV_ROUND(amp_priv_exact)                                                                \
                         AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum), amp_priv_exact,    \
                                          operation))

/* A statement for each thread of the first `left` lanes that has an element: of result amp_priv_k, in lane amp_priv_l.
   The host goes from result to result of rows, from lane to lane of columns: what is left of a thread's number then
   steps by one, and makes vectors. */
#define AMP_PRIV_ALONG_LANES(by_lanes, left, ...)                                                                      \
    for (int amp_priv_o = 0; amp_priv_o < AMP_PRIV_HOST_OR_DEVICE(by_lanes ? left : amp_priv_some, "1");               \
         amp_priv_o++) {                                                                                               \
        const int amp_priv_from =                                                                                      \
            AMP_PRIV_HOST_OR_DEVICE(amp_priv_o * (by_lanes ? amp_priv_side : amp_priv_step.lanes), "0");               \
        const int amp_priv_until =                                                                                     \
            AMP_PRIV_HOST_OR_DEVICE(amp_priv_from + (by_lanes ? amp_priv_some : (left)), "256");                       \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, amp_priv_from, amp_priv_until) {                                \
            AMP_PRIV_ALONG_THREAD(by_lanes)                                                                            \
            if (AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_k < amp_priv_step.kept && amp_priv_l < " #left)) {                \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_ALONG_THREAD(by_lanes)                                                                                \
    const int amp_priv_l = AMP_PRIV_HOST_OR_DEVICE(                                                                    \
        by_lanes ? amp_priv_o : amp_priv_t.local.v[0] - amp_priv_from,                                                 \
        AMP_PRIV_ALONG_DEVICE(by_lanes, " / amp_priv_side", " & (amp_priv_step.lanes - 1)"));                          \
    const int amp_priv_k =                                                                                             \
        amp_priv_begin +                                                                                               \
        AMP_PRIV_HOST_OR_DEVICE(                                                                                       \
            by_lanes ? amp_priv_t.local.v[0] - amp_priv_from : amp_priv_o,                                             \
            AMP_PRIV_ALONG_DEVICE(by_lanes, " & (amp_priv_side - 1)", " / amp_priv_step.lanes"));                      \
    (void)amp_priv_l, (void)amp_priv_k;
#define AMP_PRIV_ALONG_DEVICE(by_lanes, of_column, of_row)                                                             \
    "(amp_priv_t.local.v[0]" AMP_PRIV_CAT(AMP_PRIV_ALONG_DEVICE_, by_lanes)(of_column, of_row) ")"
#define AMP_PRIV_ALONG_DEVICE_0(of_column, of_row) of_row
#define AMP_PRIV_ALONG_DEVICE_1(of_column, of_row) of_column
#define AMP_PRIV_ALONG_NAMES(is_column, ...)       AMP_PRIV_CAT(AMP_PRIV_ALONG_NAMES_, is_column)(__VA_ARGS__)
#define AMP_PRIV_ALONG_NAMES_0(y, x)                                                                                   \
    AMP_PRIV_LINEAR_NAME(y, amp_priv_k) AMP_PRIV_LINEAR_NAME(x, (int)amp_priv_base + amp_priv_l)
#define AMP_PRIV_ALONG_NAMES_1(y, x) AMP_PRIV_ALONG_NAMES_0(x, y)

/* A thread's sum in the tree: on the host its own, so that none is copied. */
#define AMP_PRIV_ALONG_NODE(i) AMP_PRIV_HOST_OR_DEVICE(amp_priv_sum[0][0][i], "amp_priv_lane[" #i "]")
#define AMP_PRIV_ALONG_TREE(by_lanes, operation)                                                                       \
    const int amp_priv_apart = by_lanes ? amp_priv_side : 1; /* lanes of one result */                                 \
    (void)amp_priv_lane;                                                                                               \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    if (AMP_PRIV_HOST_OR_DEVICE(by_lanes, "0"))                                                                        \
        (void)AMP_PRIV_HOST_OR_DEVICE(__extension__({ AMP_PRIV_ALONG_HALVES(operation) 0; }), "0");                    \
    for (int amp_priv_o = 0; amp_priv_o < AMP_PRIV_HOST_OR_DEVICE(by_lanes ? 0 : amp_priv_some, "1"); amp_priv_o++) {  \
        const int amp_priv_from = AMP_PRIV_HOST_OR_DEVICE(amp_priv_o * amp_priv_step.lanes, "0");                      \
        for (int amp_priv_half = amp_priv_step.lanes / 2; amp_priv_half > 0; amp_priv_half /= 2) {                     \
            const int amp_priv_there = amp_priv_half * amp_priv_apart;                                                 \
            const int amp_priv_until = AMP_PRIV_HOST_OR_DEVICE(amp_priv_from + amp_priv_there, "256");                 \
            AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, amp_priv_from, amp_priv_until) {                            \
                if (AMP_PRIV_HOST_OR_DEVICE(1, AMP_PRIV_ALONG_DEVICE(by_lanes, " / amp_priv_side",                     \
                                                                     " & (amp_priv_step.lanes - 1)")                   \
                                               " < amp_priv_half"))                                                    \
                    AMP_PRIV_COMBINE(amp_priv_T, AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0]),                           \
                                     AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0]),                                       \
                                     AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0] + amp_priv_there), operation)           \
            }                                                                                                          \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_ALONG_LANES(by_lanes, 1,                                                                                  \
                         if (amp_priv_step.blocks > 1)                                                                 \
                             AMP_PRIV_CELL(amp_priv_partials, amp_priv_block * amp_priv_step.kept + amp_priv_k) =      \
                                 AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0]);                                           \
                         else                                                                                          \
                             AMP_AT(amp_priv_out, amp_priv_k) = AMP_PRIV_ALONG_NODE(amp_priv_t.local.v[0]);)

/* The same of lanes that are together. */
#define AMP_PRIV_ALONG_HALVES(operation)                                                                               \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        AMP_PRIV_ALONG_HALF(128, operation) AMP_PRIV_ALONG_HALF(64, operation) AMP_PRIV_ALONG_HALF(32, operation)      \
        AMP_PRIV_ALONG_HALF(16, operation) AMP_PRIV_ALONG_HALF(8, operation) AMP_PRIV_ALONG_HALF(4, operation)         \
        AMP_PRIV_ALONG_HALF(2, operation) AMP_PRIV_ALONG_HALF(1, operation)                                            \
    }
#define AMP_PRIV_ALONG_HALF(count, operation)                                                                          \
    if (amp_priv_side <= count)                                                                                        \
        for (int amp_priv_i = 0; amp_priv_i < count; amp_priv_i++)                                                     \
            AMP_PRIV_COMBINE(amp_priv_T, AMP_PRIV_ALONG_NODE(amp_priv_i), AMP_PRIV_ALONG_NODE(amp_priv_i),             \
                             AMP_PRIV_ALONG_NODE(amp_priv_i + count), operation)

/* // >>reduce
   AMP_REDUCE_ROWS(T, out, extent, (row, col), AMP_CAPTURE(...), value, operation, identity): out[row] = the row's
   values, combined.
   AMP_REDUCE_COLUMNS(T, out, extent, (row, col), AMP_CAPTURE(...), value, operation, identity): out[col] = the
   column's values, combined.
   AMP_REDUCE_ROWS_ON(view, T, out, extent, (row, col), AMP_CAPTURE(...), value, operation, identity): the same on an
   accelerator view.
   AMP_REDUCE_COLUMNS_ON(view, T, out, extent, (row, col), AMP_CAPTURE(...), value, operation, identity): the same on
   an accelerator view.
   The reduction of an empty row or column is the identity. The association depends on the extents alone, so that
   results have the same bits everywhere.
   T  a type with views (AMP_DEFINE_ELEMENT)
   out  a view or array of T of rank 1, an element for each row or column; the value does not read it
   extent  amp_extent2; evaluated once
   row, col  names of the index
   value, operation, identity  as for AMP_REDUCE
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE, AMP_INVALID_ARGUMENT (out has another length). Blocking: no. Threads: any. Cost: each
   element is read once; one or two launches. Source: NumPy's sum(axis=1), sum(axis=0). */
#define AMP_PRIV_FORM_ROWS "int, out, v.extent, (row, i), AMP_CAPTURE(v), AMP_AT(v, row, i), a + b, 0"
#define AMP_REDUCE_ROWS(...)                                                                                           \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_REDUCE_ROWS_ON, "AMP_REDUCE_ROWS", AMP_PRIV_FORM_ROWS, __VA_ARGS__)
#define AMP_REDUCE_ROWS_ON(...)                                                                                        \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_REDUCE_ROWS_ON, "AMP_REDUCE_ROWS_ON", "view, " AMP_PRIV_FORM_ROWS, __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE_ROWS_ON(where, T, out, extent, names, captures, value, operation, ...)                   \
    AMP_PRIV_ALONG_NAMED(AMP_REDUCE_ROWS, AMP_PRIV_FORM_ROWS, where, T, out, 0, extent, names, captures, value,        \
                         operation, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_REDUCE_ROWS, AMP_PRIV_FORM_ROWS)
#define AMP_PRIV_FORM_COLUMNS "int, out, v.extent, (i, column), AMP_CAPTURE(v), AMP_AT(v, i, column), a + b, 0"
#define AMP_REDUCE_COLUMNS(...)                                                                                        \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_REDUCE_COLUMNS_ON, "AMP_REDUCE_COLUMNS", AMP_PRIV_FORM_COLUMNS, __VA_ARGS__)
#define AMP_REDUCE_COLUMNS_ON(...)                                                                                     \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_REDUCE_COLUMNS_ON, "AMP_REDUCE_COLUMNS_ON", "view, " AMP_PRIV_FORM_COLUMNS,       \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE_COLUMNS_ON(where, T, out, extent, names, captures, value, operation, ...)                \
    AMP_PRIV_ALONG_NAMED(AMP_REDUCE_COLUMNS, AMP_PRIV_FORM_COLUMNS, where, T, out, 1, extent, names, captures, value,  \
                         operation, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_REDUCE_COLUMNS, AMP_PRIV_FORM_COLUMNS)

#define AMP_PRIV_ALONG_NAMED(NAME, form, where, T, out, is_column, extent, names, captures, value, operation, ...)     \
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(NAME, form, where, T, AMP_PRIV_MAY_BE_VIEW(out))                                         \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_ALONG(#NAME, where, T, AMP_PRIV_VIEW_NAMED(T), out, is_column, extent, names, captures, value,        \
                       operation, __VA_ARGS__);                                                                        \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>positions
   amp_argmin_rows(positions, least, v), amp_argmax_rows(positions, greatest, v): the smallest or greatest element of
   each row, without NaN, and the first column where it is.
   amp_argmin_rows_on(view, positions, least, v), amp_argmax_rows_on(view, positions, greatest, v): the same on an
   accelerator view.
   positions  a view or array of int of rank 1, an element for each row: -1 where no element is left
   least, greatest  a view or array of rank 1 of v's type, an element for each row: where no element is left, the
                    identity of AMP_REDUCE_ROWS for it (infinity, INT_MAX)
   v  a view or array of numbers of rank 2
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE_ROWS. Blocking: no. Threads: any. Cost: each element is read twice; two to four launches.
   Source: NumPy's argmin(axis=1), argmax(axis=1). */
#define amp_argmin_rows(positions, least, v) amp_argmin_rows_on((amp_accelerator_view){ NULL }, positions, least, v)
#define amp_argmax_rows(positions, greatest, v)                                                                        \
    amp_argmax_rows_on((amp_accelerator_view){ NULL }, positions, greatest, v)
#define amp_argmin_rows_on(where, positions, least, v)                                                                 \
    AMP_PRIV_ARG_ROWS("amp_argmin_rows", where, positions, least, v, b < a ? b : a, AMP_PRIV_GREATEST)
#define amp_argmax_rows_on(where, positions, greatest, v)                                                              \
    AMP_PRIV_ARG_ROWS("amp_argmax_rows", where, positions, greatest, v, b > a ? b : a, AMP_PRIV_LEAST)
#define AMP_PRIV_ARG_ROWS(name, where, positions, extremes, v, operation, IDENTITY)                                    \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "positions, extremes, v", where,                                                       \
                          AMP_PRIV_MAY_BE_GIVEN(positions) && AMP_PRIV_MAY_BE_GIVEN(extremes) &&                       \
                              AMP_PRIV_MAY_BE_GIVEN(v))                                                                \
        AMP_PRIV_ASK(amp_priv_arg_rows_are, AMP_PRIV_ARG_ROWS_ARE(positions, extremes, v), AMP_PRIV_MSG_ARG_ROWS(name))\
        AMP_PRIV_ONLY_IF(AMP_PRIV_ARG_ROWS_ARE(positions, extremes, v))                                                \
        const amp_accelerator_view amp_priv_on_one = where;                                                            \
        const __typeof__(*(v).amp_priv_const_view) amp_priv_table = AMP_PRIV_AS_CONST(name, v);                        \
        const AMP_PRIV_VIEW_TYPE(extremes) amp_priv_best = amp_view_of(extremes);                                      \
        const AMP_PRIV_VIEW_TYPE(positions) amp_priv_positions = amp_view_of(positions);                               \
        if (amp_priv_arg_rows_fit(name, &amp_priv_table.amp_priv, &amp_priv_best.amp_priv,                             \
                                  &amp_priv_positions.amp_priv)) {                                                     \
            AMP_PRIV_ALONG(name, amp_priv_on_one, AMP_PRIV_TYPE_OF(amp_priv_table), AMP_PRIV_VIEW_TYPE(extremes),      \
                           amp_priv_best, 0, amp_priv_table.extent, (amp_priv_r, amp_priv_c),                          \
                           AMP_CAPTURE(amp_priv_table, AMP_BIND(amp_priv_none, IDENTITY(AMP_PRIV_TYPE_OF(v)))),        \
                           AMP_AT(amp_priv_table, amp_priv_r, amp_priv_c), operation, amp_priv_none);                  \
            AMP_PRIV_ALONG(name, amp_priv_on_one, int, amp_array_view_int_1, amp_priv_positions, 0,                    \
                           amp_priv_table.extent, (amp_priv_r, amp_priv_c),                                            \
                           AMP_CAPTURE(amp_priv_table, amp_priv_best),                                                 \
                           AMP_AT(amp_priv_table, amp_priv_r, amp_priv_c) == AMP_AT(amp_priv_best, amp_priv_r)         \
                               ? amp_priv_c : -1,                                                                      \
                           (unsigned)b < (unsigned)a ? b : a, -1);                                                     \
        }                                                                                                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_ARG_ROWS_ARE(positions, extremes, v)                                                                  \
    (AMP_PRIV_IS_OF_RANK_2(v) && AMP_PRIV_IS_OF_RANK_1(extremes) && !AMP_PRIV_IS_CONST(AMP_PRIV_GIVEN_1(extremes)) &&  \
     AMP_PRIV_SAME(AMP_PRIV_GIVEN_TYPE(extremes), AMP_PRIV_TYPE_OF(AMP_PRIV_GIVEN_2(v))) &&                            \
     AMP_PRIV_IS_WRITTEN_AS(positions, amp_array_view_int_1))
#define AMP_PRIV_MSG_ARG_ROWS(name)                                                                                    \
    "amp: " name ": (positions, extremes, v): v is a view or array of numbers of rank 2; the positions, int, and the " \
    "extremes, of the type of v, go to views or arrays of rank 1"
AMP_PRIV_ASKS(amp_priv_arg_rows_are, AMP_PRIV_MSG_ARG_ROWS("amp_argmin_rows, amp_argmax_rows"))

/* An element of both results for each row, and none of them where another is? False after reporting. */
AMP_PRIV_API bool amp_priv_arg_rows_fit(const char *name, const amp_priv_head *table, const amp_priv_head *extremes,
                                        const amp_priv_head *positions);

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_along_text_0,
                         AMP_PRIV_ALONG_BODY(amp_priv_part_2, 0, (amp_priv_part_0, amp_priv_part_1), amp_priv_part_3,
                                             amp_priv_part_4, amp_priv_part_5))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_along_text_1,
                         AMP_PRIV_ALONG_BODY(amp_priv_part_2, 1, (amp_priv_part_0, amp_priv_part_1), amp_priv_part_3,
                                             amp_priv_part_4, amp_priv_part_5))

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_along_text_CPU_0,
                         AMP_PRIV_ALONG_CPU_BODY(amp_priv_part_2, 0, (amp_priv_part_0, amp_priv_part_1),
                                                 amp_priv_part_3, amp_priv_part_4, amp_priv_part_5))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_along_text_CPU_1,
                         AMP_PRIV_ALONG_CPU_BODY(amp_priv_part_2, 1, (amp_priv_part_0, amp_priv_part_1),
                                                 amp_priv_part_3, amp_priv_part_4, amp_priv_part_5))

static inline int amp_priv_lanes_of(int n)
{
    int lanes = 1;
    while (lanes < n && lanes < AMP_PRIV_LANES)
        lanes *= 2;
    return lanes;
}

/* On the host, rows pass one after the other through the lanes of a tile. So a tile takes more of them, where enough
   tiles for all threads are left. */
static inline void amp_priv_along_widen(amp_priv_along_step *step)
{
    while (step->side < AMP_PRIV_LANES && (step->kept - 1) / (2 * step->side) * step->blocks >= AMP_PRIV_LANES)
        step->side *= 2;
    step->parts = (step->kept - 1) / step->side + 1;
}

AMP_PRIV_API bool amp_priv_along_begin(amp_priv_along *s, const char *name, amp_accelerator_view view,
                                       const amp_priv_named *heads, size_t count, const int *extent, bool is_column,
                                       const amp_priv_head *out)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    amp_priv_along_step *const step = &s->step;
    step->kept = extent[is_column];
    step->length = extent[!is_column];
    if (amp_priv_domain_size(name, extent, 2) < 0 || !amp_priv_head_ready(out, name) ||
        !amp_priv_same_length(name, step->kept, *amp_priv_head_extent(out)) || step->kept == 0 ||
        !amp_priv_is_apart(name, "out", out, heads, count, false))
        return false;
    step->lanes = is_column ? AMP_PRIV_LANES / amp_priv_lanes_of(step->kept) : amp_priv_lanes_of(step->length);
    step->side = AMP_PRIV_LANES / step->lanes;
    step->parts = (step->kept - 1) / step->side + 1;
    if (step->parts > INT_MAX / AMP_PRIV_LANES) {
        amp_priv_too_many(name, (int64_t)step->kept * step->length,
                          (int64_t)INT_MAX / AMP_PRIV_LANES * (AMP_PRIV_LANES / step->lanes) * step->length);
        return false;
    }
    int64_t rows = AMP_PRIV_REDUCE_ROWS, blocks;
    while ((blocks = step->length ? (step->length - 1) / (step->lanes * rows) + 1 : 1) > 1 &&
           blocks * step->parts > AMP_PRIV_REDUCE_BLOCKS)
        rows *= 2;
    step->rows = (int)(rows < INT_MAX ? rows : INT_MAX);
    s->blocks = step->blocks = (int)blocks;
    s->element = out->element;
    const size_t partials = s->blocks > 1 ? (size_t)s->blocks * (size_t)step->kept : 1;
    if (!amp_priv_call_begin_in_bands(&s->call, name, view, heads, count, partials * s->element->size + 256))
        return false;
    s->by_lanes = amp_priv_is_for_cpu_device(s->call.view.amp_priv_queue, amp_priv_sort_tiles);
    s->partials = amp_priv_call_part(&s->call, partials * s->element->size);
    if (!is_column && step->lanes > 16 && amp_priv_is_host(s->call.view.amp_priv_queue->device->number))
        amp_priv_along_widen(step);
    return amp_priv_discard(out) == AMP_OK;
}

AMP_PRIV_API bool amp_priv_along_next(amp_priv_along *s, void *partials)
{
    if (amp_priv_call_failed(&s->call) || s->passes == (s->blocks > 1 ? 2 : 1))
        return false;
    amp_priv_call_view(&s->call, partials, s->element, s->partials,
                       s->blocks > 1 ? (size_t)s->blocks * (size_t)s->step.kept : 1);
    if (s->passes++ == 1) {
        s->step.length = s->blocks;
        s->step.rows = (s->blocks - 1) / s->step.lanes + 1;
        s->step.blocks = 1;
        s->step.side = AMP_PRIV_LANES / s->step.lanes;
        s->step.parts = (s->step.kept - 1) / s->step.side + 1;
        s->step.pass = 1;
    }
    return true;
}

AMP_PRIV_API bool amp_priv_arg_rows_fit(const char *name, const amp_priv_head *table, const amp_priv_head *extremes,
                                        const amp_priv_head *positions)
{
    const amp_priv_named read[] = { { table, "v" }, { positions, "positions" } };
    return amp_priv_head_ready(table, name) && amp_priv_head_ready(extremes, name) &&
           amp_priv_head_ready(positions, name) &&
           amp_priv_same_length(name, *amp_priv_head_extent(table), *amp_priv_head_extent(extremes)) &&
           amp_priv_same_length(name, *amp_priv_head_extent(table), *amp_priv_head_extent(positions)) &&
           amp_priv_is_apart(name, "the extremes", extremes, read, 2, false) &&
           amp_priv_is_apart(name, "positions", positions, read, 1, false);
}

AMP_PRIV_API int amp_priv_along_threads(const amp_priv_along *s)
{
    return AMP_PRIV_LANES * s->step.parts * s->step.blocks;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_ROWS_H */
