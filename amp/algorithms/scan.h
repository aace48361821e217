/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/scan.h - scans: each result combines the elements up to it.

    The association depends only on the number of elements. 8 elements are a run, 256 runs a tile, 128 tiles a group.
    A result combines, from left to right: everything before its tile, the earlier runs of the tile, the elements of
    its run. The runs of a tile are combined in steps: lane i with lane i - 1, i - 2, i - 4, ... i - 128; so are the
    tiles of a group. Groups are combined from left to right.

    No tile waits for another: a launch writes the results of tiles, the next launches combine them, the last one reads
    the elements again. The CPU backend does this for a part that fits the cache, then for the next part.

    Integers have the same bits in any association. A GPU scans them in one pass (amp/algorithms/look_back.h). NVIDIA's
    scan `float` and `double` in one pass, too, in the association above (amp/algorithms/scan_in_order.h).

    Contents (search for the tag):
        >>plan  >>kernel  >>one_pass  >>scan  >>implementation */
#ifndef AMP_ALGORITHMS_SCAN_H
#define AMP_ALGORITHMS_SCAN_H

#include "../base/nontemporal.h"
#include "contracts_checks.h"
#include "scan_in_order.h"

/* // >>plan */

enum { AMP_PRIV_SCAN_RUN = 8, AMP_PRIV_SCAN_TILE = 2048, AMP_PRIV_SCAN_GROUP = 128 };

/* What one launch does: over tiles (passes 0 and 3) or groups (1 and 2), from `first` to last - 1. */
AMP_STRUCT(amp_priv_scan_step, {
    int64_t size;
    int tiles, groups; /* in all */
    int first, last;
    int pass;     /* 0: the results of tiles, 1: of groups, 2: what comes before groups, 3: elements */
    int caches;   /* pass 3, for their sake: 1: a device begins with the last tile, 2: the host writes past them */
});

typedef struct amp_priv_scanning {
    amp_priv_call call;
    amp_priv_scan_step step;
    int part, next;     /* groups that are done together, and the first one that is not done */
    bool whole;         /* pass 3 knows the total */
    bool passes_caches; /* the CPU backend's pass 3 writes past the caches */
    const amp_priv_element *element;
    size_t totals, befores, last; /* where they are in the temporary memory: of tiles, before groups, the result */
    bool one_pass, passed;        /* one launch does all; it is done */
    int work_groups;              /* of this launch */
    amp_priv_tiles_step tiles;    /* what it does */
} amp_priv_scanning;

/* False after reporting. result: a variable, a view or array for the total; NULL: not wanted. whole: the
   elements are to know the result of all. */
AMP_PRIV_API bool amp_priv_scan_begin(amp_priv_scanning *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_named *heads, size_t count, int64_t size,
                                      const amp_priv_element *element, const void *result, bool is_variable,
                                      bool whole);

/* What a scan in one pass depends on. */
typedef enum amp_priv_scans { AMP_PRIV_SCANS_OTHERS, AMP_PRIV_SCANS_INTEGERS, AMP_PRIV_SCANS_REALS } amp_priv_scans;
#define AMP_PRIV_SCANS(x)                                                                                              \
    (AMP_PRIV_IS_INTEGER(x) ? AMP_PRIV_SCANS_INTEGERS                                                                  \
     : AMP_PRIV_IS_REAL(x)  ? AMP_PRIV_SCANS_REALS                                                                     \
                            : AMP_PRIV_SCANS_OTHERS)

/* The same for a scan of an extent into `out`, the last of heads, or reports that it cannot go there. */
AMP_PRIV_API bool amp_priv_scan_begin_to(amp_priv_scanning *s, const char *name, amp_accelerator_view view,
                                         const amp_priv_named *heads, size_t count, const int *extent, int rank,
                                         const amp_priv_element *element, amp_priv_scans scans);

/* The launch of a scan in one pass: false when it is done, or there is none. */
AMP_PRIV_API bool amp_priv_scan_pass(amp_priv_scanning *s, amp_array_view_uint32_t_1 *published);

/* The next launch: false when there is none. The views: the results of tiles, what comes before groups, the result. */
AMP_PRIV_API bool amp_priv_scan_next(amp_priv_scanning *s, void *totals, void *befores, void *to);

AMP_PRIV_API int amp_priv_scan_threads(const amp_priv_scanning *s);

/* The templates of the kernels (amp/launch/template.h): in steps, in one pass of integers, of reals. */
AMP_PRIV_API const char *amp_priv_scan_text(void);
AMP_PRIV_API const char *amp_priv_scan_tiles_text(void);
AMP_PRIV_API const char *amp_priv_scan_in_order_text(void);

AMP_PRIV_API void amp_priv_scan_end(amp_priv_scanning *s);

/* // >>kernel */

/* Each element of `out` gets `what`: amp_priv_before it, or up to amp_priv_position. */
#define AMP_PRIV_SCAN_TO(name, where, T, VIEW, element, out, extent, names, captures, value, operation, what, ...)     \
    do {                                                                                                               \
        AMP_PRIV_CHECK_OPERATION(name, operation)                                                                      \
        AMP_PRIV_IF_VALUE_FIRST(name, captures, value, operation)                                                      \
        AMP_PRIV_IN_FORM(AMP_PRIV_SCAN_TO_1, names, captures)                                                          \
        (name, where, T, VIEW, element, extent, names, (AMP_PRIV_IN_LIST(captures), AMP_BIND(amp_priv_out, out)),      \
         value, operation, what, __VA_ARGS__);                                                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SCAN_TO_1(name, where, T, VIEW, element, extent, names, captures, value, operation, what, ...)        \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        AMP_PRIV_CONTRACT(name, false, -1, where, T, VIEW, element, names, captures, value, operation, __VA_ARGS__)    \
        amp_priv_scanning amp_priv_this;                                                                               \
        if (amp_priv_scan_begin_to(&amp_priv_this, name, where, AMP_PRIV_HEADS(captures),                              \
                                   AMP_PRIV_HEADS_COUNT(captures), amp_priv_domain.v, AMP_PRIV_COUNT names, element,   \
                                   AMP_PRIV_SCANS(((VIEW *)0)->data[0]))) {                                            \
            amp_array_view_uint32_t_1 amp_priv_published;                                                              \
            while (AMP_PRIV_IS_INTEGER(((VIEW *)0)->data[0]) &&                                                        \
                   amp_priv_scan_pass(&amp_priv_this, &amp_priv_published)) {                                          \
                const amp_priv_tiles_step amp_priv_step = amp_priv_this.tiles;                                         \
                AMP_PRIV_TILED_DEVICE(                                                                                 \
                    amp_priv_scan_tiles_text, AMP_PRIV_SCAN_PARTS(T, names, value, operation, what, __VA_ARGS__),      \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_scan_threads(&amp_priv_this)), (256), amp_priv_tile,  \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_published,                                   \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_tiles_step, amp_priv_step))),                                                 \
                    AMP_PRIV_SCAN_ONE_PASS(T, names, value, operation, what, __VA_ARGS__));                            \
            }                                                                                                          \
            while (AMP_PRIV_IS_REAL(((VIEW *)0)->data[0]) &&                                                           \
                   amp_priv_scan_pass(&amp_priv_this, &amp_priv_published)) {                                          \
                const amp_priv_tiles_step amp_priv_step = amp_priv_this.tiles;                                         \
                AMP_PRIV_TILED_DEVICE(                                                                                 \
                    amp_priv_scan_in_order_text, AMP_PRIV_SCAN_PARTS(T, names, value, operation, what, __VA_ARGS__),   \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_scan_threads(&amp_priv_this)), (256), amp_priv_tile,  \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_published,                                   \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_tiles_step, amp_priv_step))),                                                 \
                    AMP_PRIV_SCAN_IN_ORDER(T, names, value, operation, what, __VA_ARGS__));                            \
            }                                                                                                          \
            for (VIEW amp_priv_totals, amp_priv_befores, amp_priv_to;                                                  \
                 amp_priv_scan_next(&amp_priv_this, &amp_priv_totals, &amp_priv_befores, &amp_priv_to);) {             \
                const amp_priv_scan_step amp_priv_step = amp_priv_this.step;                                           \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    amp_priv_scan_text, AMP_PRIV_SCAN_PARTS(T, names, value, operation, what, __VA_ARGS__),            \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_scan_threads(&amp_priv_this)), (256), amp_priv_tile,  \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_totals, amp_priv_befores, amp_priv_to,       \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_scan_step, amp_priv_step))),                                                  \
                    AMP_PRIV_SCAN_BODY(T, names, value, operation, AMP_PRIV_SCAN_STORE(names, what), __VA_ARGS__));    \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_scan_end(&amp_priv_this);                                                                             \
    } while (0)

#define AMP_PRIV_SCAN_PARTS(T, names, value, operation, what, ...)                                                     \
    AMP_PRIV_TYPED_PARTS(T, names, value, operation, __VA_ARGS__)                                                      \
    "\1" AMP_PRIV_TEXT(AMP_PRIV_OUT_AT(names)) "\1" AMP_PRIV_TEXT_(what)

/* finish: statements in parentheses for a tile, when amp_priv_exact has the result up to each element, and
   AMP_AT(amp_priv_befores, amp_priv_step.groups) the total, if `whole`. */
#define AMP_PRIV_SCAN_BODY(T, names, value, operation, finish, ...)                                                    \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_exact, [AMP_PRIV_SCAN_PLACES]);                                               \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, [512]);                                                                 \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_number = AMP_PRIV_SCAN_NUMBER;                                                              \
        if (amp_priv_step.pass == 2) {                                                                                 \
            AMP_PRIV_SCAN_BEFORES(operation)                                                                           \
        } else {                                                                                                       \
            const int64_t amp_priv_first = (int64_t)amp_priv_number * 2048;                                            \
            AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                     \
            if (amp_priv_step.pass == 1) {                                                                             \
                AMP_PRIV_SCAN_GROUP_LOAD                                                                               \
            } else {                                                                                                   \
                AMP_PRIV_SCAN_LOAD(names, value)                                                                       \
                AMP_PRIV_SCAN_RUNS(operation)                                                                          \
            }                                                                                                          \
            if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_step.pass == 0, "0")) {                                               \
                AMP_PRIV_SCAN_TOTAL(operation)                                                                         \
            } else {                                                                                                   \
                AMP_PRIV_TILE_SCAN_LANES(amp_priv_tile, amp_priv_T, amp_priv_lane, operation)                          \
            }                                                                                                          \
            if (amp_priv_step.pass == 0) {                                                                             \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                   \
                AMP_PRIV_CELL(amp_priv_totals, amp_priv_number) = amp_priv_lane[255];                                  \
            } else if (amp_priv_step.pass == 1) {                                                                      \
                AMP_PRIV_SCAN_GROUP_STORE                                                                              \
            } else {                                                                                                   \
                AMP_PRIV_SCAN_ELEMENTS(operation)                                                                      \
                AMP_PRIV_UNWRAP finish                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }

/* A device's last pass goes from the last tile to the first: its caches have the last elements of an earlier one. Not
   on a group, where each device has its elements already. */
#define AMP_PRIV_SCAN_NUMBER                                                                                           \
    AMP_PRIV_HOST_OR_DEVICE(                                                                                           \
        amp_priv_tile.tile.v[0] + amp_priv_step.first,                                                                 \
        "(amp_priv_step.caches == 1 ? amp_priv_step.last - 1 - amp_priv_tile.tile.v[0] : "                             \
        "amp_priv_tile.tile.v[0] + amp_priv_step.first)")

/* Where element amp_priv_j of a tile is, number amp_priv_k of run amp_priv_run, and the one before; what comes before
   the tile is there for element 0. On the host the first elements of all runs come first, then the second ones, ...:
   neighbouring runs are added as vectors. On devices: in order, with one element of padding per 32, which avoids bank
   conflicts. */
#define AMP_PRIV_SPREAD                                                                                                \
    AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_SCAN_PLACE(amp_priv_run, amp_priv_k), "amp_priv_j + 1 + ((amp_priv_j + 1) >> 5)")
#define AMP_PRIV_SPREAD_BEFORE                                                                                         \
    AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_SCAN_PLACE(amp_priv_run - (amp_priv_k == 0), (amp_priv_k + 7) % 8),               \
                            "amp_priv_j + (amp_priv_j >> 5)")
#define AMP_PRIV_SCAN_PLACE(run, k) ((k)*272 + (run) + 16)
#define AMP_PRIV_SCAN_PLACES        AMP_PRIV_HOST_OR_DEVICE(2192, "2114")
#define AMP_PRIV_SCAN_IN_ROW                                                                                           \
    const int amp_priv_j = amp_priv_row * 256 + amp_priv_t.local.v[0];                                                 \
    const int amp_priv_run = amp_priv_j / 8, amp_priv_k = amp_priv_j % 8;                                              \
    (void)amp_priv_run, (void)amp_priv_k;

/* A statement for each element of the tile, row by row. */
#define AMP_PRIV_SCAN_ROWS(names, ...)                                                                                 \
    for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                                     \
        const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first - amp_priv_row * 256;                        \
        const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;               \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, amp_priv_end) { AMP_PRIV_SCAN_ELEMENT(names, __VA_ARGS__) } \
    }
#define AMP_PRIV_SCAN_ELEMENT(names, ...)                                                                              \
    AMP_PRIV_SCAN_IN_ROW                                                                                               \
    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                                 \
    __VA_ARGS__

/* The same of a whole tile: of the host run by run; a GPU has all rows under way, for nothing parts them. */
#define AMP_PRIV_SCAN_WHOLE(names, ...)                                                                                \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_row = 0; amp_priv_row < AMP_PRIV_HOST_OR_DEVICE(1, "8"); amp_priv_row++) {                       \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_HOST_OR_DEVICE(8, "1"); amp_priv_k++) {                     \
                const int amp_priv_run = amp_priv_t.local.v[0];                                                        \
                const int amp_priv_j = AMP_PRIV_HOST_OR_DEVICE(amp_priv_run * 8 + amp_priv_k,                          \
                                                               "amp_priv_row * 256 + amp_priv_run");                   \
                AMP_PRIV_LINEAR(names, amp_priv_j)                                                                     \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

/* The values, and the identity beyond the end. */
#define AMP_PRIV_SCAN_LOAD(names, value)                                                                               \
    if (amp_priv_step.size - amp_priv_first >= 2048) {                                                                 \
        AMP_PRIV_SCAN_WHOLE(names, amp_priv_exact[AMP_PRIV_SPREAD] = (value);)                                         \
    } else {                                                                                                           \
        AMP_PRIV_SCAN_ROWS(names, amp_priv_exact[AMP_PRIV_SPREAD] = (value);)                                          \
        for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                                 \
            const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first - amp_priv_row * 256;                    \
            const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;           \
            AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, amp_priv_end, 256) {                                       \
                AMP_PRIV_SCAN_IN_ROW                                                                                   \
                amp_priv_exact[AMP_PRIV_SPREAD] = amp_priv_identity;                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* amp_priv_lane[x]: the result of run x. */
#define AMP_PRIV_SCAN_RUNS(operation)                                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_run = amp_priv_t.local.v[0];                                                                \
        int amp_priv_k = 0, amp_priv_j = amp_priv_run * 8;                                                             \
        amp_priv_T amp_priv_sum = amp_priv_exact[AMP_PRIV_SPREAD];                                                     \
        for (amp_priv_k = 1; amp_priv_k < 8; amp_priv_k++) {                                                           \
            amp_priv_j = amp_priv_run * 8 + amp_priv_k;                                                                \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[AMP_PRIV_SPREAD], operation)       \
        }                                                                                                              \
        (void)amp_priv_j;                                                                                              \
        amp_priv_lane[amp_priv_run] = amp_priv_sum;                                                                    \
    }

/* What the last lane gets in the steps of a scan, by a tree: neighbours first. */
#define AMP_PRIV_SCAN_TOTAL(operation)                                                                                 \
    for (int amp_priv_half = 128; amp_priv_half > 0; amp_priv_half /= 2)                                               \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_half)                                               \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_lane[amp_priv_t.local.v[0]], amp_priv_lane[2 * amp_priv_t.local.v[0]],   \
                         amp_priv_lane[2 * amp_priv_t.local.v[0] + 1], operation)                                      \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) amp_priv_lane[255] = amp_priv_lane[0];

/* amp_priv_exact[j]: the result up to element j; amp_priv_prefix: before the tile. */
#define AMP_PRIV_SCAN_ELEMENTS(operation)                                                                              \
    amp_priv_T amp_priv_prefix = amp_priv_identity;                                                                    \
    if (amp_priv_number >= 128) amp_priv_prefix = AMP_PRIV_CELL(amp_priv_befores, amp_priv_number / 128);              \
    if (amp_priv_number % 128 != 0)                                                                                    \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_prefix, amp_priv_prefix,                                                 \
                         AMP_PRIV_CELL(amp_priv_totals, amp_priv_number - 1),                                          \
                         operation)                                                                                    \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_run = amp_priv_t.local.v[0];                                                                \
        amp_priv_T amp_priv_sum = amp_priv_prefix;                                                                     \
        if (amp_priv_run > 0)                                                                                          \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_prefix, amp_priv_lane[amp_priv_run - 1], operation)    \
        for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                       \
            const int amp_priv_j = amp_priv_run * 8 + amp_priv_k;                                                      \
            (void)amp_priv_j;                                                                                          \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_exact[AMP_PRIV_SPREAD], operation)       \
            amp_priv_exact[AMP_PRIV_SPREAD] = amp_priv_sum;                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                               \
    amp_priv_exact[AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_SCAN_PLACE(-1, 7), "0")] = amp_priv_prefix;                        \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    if (amp_priv_number == amp_priv_step.tiles - 1) {                                                                  \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                         \
            const int amp_priv_j = (int)(amp_priv_step.size - amp_priv_first) - 1;                                     \
            const int amp_priv_run = amp_priv_j / 8, amp_priv_k = amp_priv_j % 8;                                      \
            (void)amp_priv_run, (void)amp_priv_k;                                                                      \
            AMP_PRIV_CELL(amp_priv_to, 0) = amp_priv_j < 0 ? amp_priv_identity : amp_priv_exact[AMP_PRIV_SPREAD];      \
        }                                                                                                              \
    }

/* What is stored at each index: amp_priv_before it, or up to amp_priv_position. */
#define AMP_PRIV_SCAN_STORE(names, what)                                                                               \
    (if (amp_priv_step.size - amp_priv_first >= 2048) {                                                                \
        if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_step.caches == 2, "0"))                                                   \
            (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_SCAN_PASS_CACHES(names, what), "0");                                \
        else                                                                                                           \
            AMP_PRIV_SCAN_WHOLE(names, AMP_PRIV_SCAN_PUT(names, what))                                                 \
    } else {                                                                                                           \
        AMP_PRIV_SCAN_ROWS(names, AMP_PRIV_SCAN_PUT(names, what))                                                      \
    })
/* The results of a whole tile that passes the host's caches: a row of memory. */
#define AMP_PRIV_SCAN_PASS_CACHES(names, what)                                                                         \
    __extension__({                                                                                                    \
        _Alignas(64) amp_priv_T amp_priv_row[2048];                                                                    \
        for (int amp_priv_run = 0; amp_priv_run < 256; amp_priv_run++)                                                 \
            for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                                   \
                AMP_PRIV_SCAN_RESULT(amp_priv_row[amp_priv_run * 8 + amp_priv_k], what)                                \
            }                                                                                                          \
        AMP_PRIV_LINEAR(names, 0)                                                                                      \
        amp_priv_nontemporal_row(&AMP_PRIV_OUT_AT(names), amp_priv_row, sizeof amp_priv_row);                          \
    })
#define AMP_PRIV_SCAN_PUT(names, what) AMP_PRIV_SCAN_RESULT(AMP_PRIV_OUT_AT(names), what)
#define AMP_PRIV_SCAN_RESULT(to, what)                                                                                 \
    const amp_priv_T amp_priv_position = amp_priv_exact[AMP_PRIV_SPREAD];                                              \
    const amp_priv_T amp_priv_before = amp_priv_exact[AMP_PRIV_SPREAD_BEFORE];                                         \
    (void)amp_priv_position, (void)amp_priv_before;                                                                    \
    to = what;

/* The tiles of a group are lanes; then the results up to each tile, and of the group. */
#define AMP_PRIV_SCAN_GROUP_LOAD                                                                                       \
    const int amp_priv_left = amp_priv_step.tiles - amp_priv_number * 128;                                             \
    AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 256) {                                                          \
        const int amp_priv_mine = amp_priv_t.local.v[0];                                                               \
        amp_priv_lane[amp_priv_mine] = amp_priv_identity;                                                              \
        if (amp_priv_mine < amp_priv_left && amp_priv_mine < 128)                                                      \
            amp_priv_lane[amp_priv_mine] = AMP_PRIV_CELL(amp_priv_totals, amp_priv_number * 128 + amp_priv_mine);      \
    }
#define AMP_PRIV_SCAN_GROUP_STORE                                                                                      \
    const int amp_priv_left = amp_priv_step.tiles - amp_priv_number * 128;                                             \
    AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 256) {                                                          \
        const int amp_priv_mine = amp_priv_t.local.v[0];                                                               \
        if (amp_priv_mine < amp_priv_left && amp_priv_mine < 128)                                                      \
            AMP_PRIV_CELL(amp_priv_totals, amp_priv_number * 128 + amp_priv_mine) = amp_priv_lane[amp_priv_mine];      \
        if (amp_priv_mine == 127) AMP_PRIV_CELL(amp_priv_befores, amp_priv_number + 1) = amp_priv_lane[127];           \
    }

/* From the result of each group, what comes before the next, from left to right: 256 at a time come to the tile. */
#define AMP_PRIV_SCAN_BEFORES(operation)                                                                               \
    for (int amp_priv_group = amp_priv_step.first; amp_priv_group < amp_priv_step.last; amp_priv_group += 256) {       \
        const int amp_priv_left = amp_priv_step.last - amp_priv_group;                                                 \
        const int amp_priv_end = amp_priv_left < 256 ? amp_priv_left : 256;                                            \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, amp_priv_end)                                               \
        amp_priv_lane[amp_priv_t.local.v[0]] =                                                                         \
            AMP_PRIV_CELL(amp_priv_befores, amp_priv_group + 1 + amp_priv_t.local.v[0]);                               \
        amp_barrier_wait(amp_priv_tile.barrier);                                                                       \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, 1) {                                                        \
            amp_priv_T amp_priv_sum = amp_priv_identity;                                                               \
            if (amp_priv_group > 0) amp_priv_sum = AMP_PRIV_CELL(amp_priv_befores, amp_priv_group);                    \
            for (int amp_priv_k = 0; amp_priv_k < amp_priv_end; amp_priv_k++) {                                        \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_sum, amp_priv_sum, amp_priv_lane[amp_priv_k], operation)         \
                amp_priv_lane[amp_priv_k] = amp_priv_sum;                                                              \
            }                                                                                                          \
        }                                                                                                              \
        amp_barrier_wait(amp_priv_tile.barrier);                                                                       \
        AMP_PRIV_THREADS_FEW(amp_priv_tile, amp_priv_t, 0, amp_priv_end)                                               \
        AMP_PRIV_CELL(amp_priv_befores, amp_priv_group + 1 + amp_priv_t.local.v[0]) =                                  \
            amp_priv_lane[amp_priv_t.local.v[0]];                                                                      \
        amp_barrier_wait(amp_priv_tile.barrier);                                                                       \
    }

/* // >>one_pass
   A tile has 256 threads, each 32 elements in a row, or 16 of 64 bits. After a tile has combined another one, it takes
   its own elements again: to keep them would need twice the registers. */

#define AMP_PRIV_SCAN_ONE_PASS(T, names, value, operation, what, ...)                                                  \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_exact, AMP_PRIV_BRACKETS(AMP_PRIV_SCAN_COUNT(T)));                            \
        AMP_PRIV_TILE_STATIC(T, amp_priv_sum, [8]);                                                                    \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_scanned);                                                              \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_left_of);                                                              \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        const int amp_priv_number = AMP_PRIV_TILE_NUMBER, amp_priv_items = AMP_PRIV_SCAN_ITEMS(T);                     \
        amp_priv_T amp_priv_carry = amp_priv_identity, amp_priv_total = amp_priv_identity;                             \
        int amp_priv_next = amp_priv_number; /* the tiles from here on are in amp_priv_carry */                        \
        for (int amp_priv_at = amp_priv_number; amp_priv_at >= 0;) {                                                   \
            AMP_PRIV_SCAN_ITEMS_LOAD(names, value)                                                                     \
            AMP_PRIV_SCAN_ITEMS_COMBINE(T, operation)                                                                  \
            if (amp_priv_at == amp_priv_number) {                                                                      \
                amp_priv_total = amp_priv_all;                                                                         \
                AMP_PRIV_PUBLISH(amp_priv_T, 0, amp_priv_step.own, amp_priv_all)                                       \
            } else {                                                                                                   \
                AMP_PRIV_COMBINE(amp_priv_T, amp_priv_carry, amp_priv_all, amp_priv_carry, operation)                  \
                amp_priv_next = amp_priv_at;                                                                           \
            }                                                                                                          \
            AMP_PRIV_LOOK_BACK(T, 0, amp_priv_next, amp_priv_carry, operation)                                         \
            amp_priv_at = AMP_PRIV_LOOK_BACK_THEN(amp_priv_next);                                                      \
        }                                                                                                              \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_total, amp_priv_carry, amp_priv_total, operation)                        \
        AMP_PRIV_PUBLISH(amp_priv_T, 0, amp_priv_step.all, amp_priv_total)                                             \
        AMP_PRIV_SCAN_ITEMS_RESULTS(operation, what)                                                                   \
        AMP_PRIV_ITEMS_STORE(names, amp_priv_items)                                                                    \
    }

/* The elements of tile amp_priv_at. Of a whole tile a GPU has 16 of each thread under way. */
#define AMP_PRIV_SCAN_ITEMS_LOAD(names, value)                                                                         \
    const int64_t amp_priv_first = (int64_t)amp_priv_at * 256 * amp_priv_items;                                        \
    const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                                 \
    AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                             \
    for (int amp_priv_row = 0; amp_priv_row < amp_priv_items; amp_priv_row += 16)                                      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            amp_priv_T amp_priv_kept[16];                                                                              \
            if (amp_priv_left >= 256 * amp_priv_items) {                                                               \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                              \
                    const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                  \
                    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                 \
                    amp_priv_kept[amp_priv_k] = (value);                                                               \
                }                                                                                                      \
            } else {                                                                                                   \
                for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                              \
                    const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                  \
                    amp_priv_kept[amp_priv_k] = amp_priv_identity;                                                     \
                    if (amp_priv_j < amp_priv_left) {                                                                  \
                        AMP_PRIV_LINEAR(names, amp_priv_j)                                                             \
                        amp_priv_kept[amp_priv_k] = (value);                                                           \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_k = 0; amp_priv_k < 16; amp_priv_k++) {                                                  \
                const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                      \
                amp_priv_exact[amp_priv_j + amp_priv_j / amp_priv_items] = amp_priv_kept[amp_priv_k];                  \
            }                                                                                                          \
        }                                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* amp_priv_all: all of the tile; amp_priv_left_of: what is before a thread's elements. */
#define AMP_PRIV_SCAN_ITEMS_COMBINE(T, operation)                                                                      \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_place = amp_priv_t.local.v[0] * (amp_priv_items + 1);                                       \
        amp_priv_T amp_priv_run = amp_priv_exact[amp_priv_place];                                                      \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 1; amp_priv_k < amp_priv_items; amp_priv_k++) {                                          \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_run, amp_priv_run, amp_priv_exact[amp_priv_place + amp_priv_k],      \
                             operation)                                                                                \
        }                                                                                                              \
        AMP_OWN(amp_priv_scanned) = amp_priv_run;                                                                      \
    }                                                                                                                  \
    AMP_SUBGROUP_SCAN(amp_priv_tile, T, amp_priv_scanned, 32, operation);                                              \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_t.local.v[0] % 32 == 31) amp_priv_sum[amp_priv_t.local.v[0] / 32] = AMP_OWN(amp_priv_scanned);    \
    }                                                                                                                  \
    AMP_SUBGROUP_SHUFFLE(amp_priv_tile, amp_priv_t, T, amp_priv_scanned, 32, amp_priv_t.local.v[0] - 1);               \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        amp_priv_T amp_priv_run = amp_priv_identity;                                                                   \
        AMP_PRIV_SCAN_SUMS(amp_priv_run, amp_priv_t.local.v[0] / 32, operation)                                        \
        if (amp_priv_t.local.v[0] % 32 > 0)                                                                            \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_run, amp_priv_run, AMP_OWN(amp_priv_scanned), operation)             \
        AMP_OWN(amp_priv_left_of) = amp_priv_run;                                                                      \
    }                                                                                                                  \
    amp_priv_T amp_priv_all = amp_priv_identity;                                                                       \
    AMP_PRIV_SCAN_SUMS(amp_priv_all, 8, operation)
#define AMP_PRIV_SCAN_SUMS(to, end, operation)                                                                         \
    for (int amp_priv_w = 0; amp_priv_w < (end); amp_priv_w++)                                                         \
        AMP_PRIV_COMBINE(amp_priv_T, to, to, amp_priv_sum[amp_priv_w], operation)

/* The results of the tile, where its elements were. */
#define AMP_PRIV_SCAN_ITEMS_RESULTS(operation, what)                                                                   \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_place = amp_priv_t.local.v[0] * (amp_priv_items + 1);                                       \
        amp_priv_T amp_priv_position = amp_priv_carry;                                                                 \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_position, amp_priv_carry, AMP_OWN(amp_priv_left_of), operation)          \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < amp_priv_items; amp_priv_k++) {                                          \
            const amp_priv_T amp_priv_before = amp_priv_position;                                                      \
            AMP_PRIV_COMBINE(amp_priv_T, amp_priv_position, amp_priv_position,                                         \
                             amp_priv_exact[amp_priv_place + amp_priv_k], operation)                                   \
            (void)amp_priv_before;                                                                                     \
            amp_priv_exact[amp_priv_place + amp_priv_k] = what;                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

/* // >>scan
   AMP_INCLUSIVE_SCAN(T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): at each index, the values
   up to it, combined.
   AMP_EXCLUSIVE_SCAN(T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): at each index, the values
   before it, combined.
   AMP_INCLUSIVE_SCAN_ON(view, T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): the same on an
   accelerator view.
   AMP_EXCLUSIVE_SCAN_ON(view, T, out, extent, (i), AMP_CAPTURE(...), value, operation, identity): the same on an
   accelerator view.
   amp_inclusive_sum(out, v), amp_exclusive_sum(out, v): the same for sums of a view or array of rank 1.
   amp_inclusive_sum_on(view, out, v), amp_exclusive_sum_on(view, out, v): the same for sums on an accelerator view.
   The order is row-major. The first result of an exclusive scan is the identity. The association depends on the
   number of elements alone, so that results have the same bits everywhere.
   T  a type with views; of the sums it is the element type of out
   out  a view or array of T, at least as large as the extent; it may be what the value reads at the same index
   extent, i, value  as for AMP_REDUCE
   operation  an expression of a and b, associative; it may be non-commutative
   identity  a constant that changes nothing on either side
   v  a view or array of numbers of rank 1
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE, AMP_INVALID_ARGUMENT (out is too small). Blocking: no. Threads: any. Cost: an element is
   read twice and written once, on the CPU backend from the cache; four launches, one up to 2048 elements. A GPU reads
   integers once, in one launch, unless out is what the value reads; NVIDIA's read float and double once, too.
   Source: std::inclusive_scan, std::exclusive_scan. */
#define AMP_PRIV_FORM_SCAN "int, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0"
#define AMP_INCLUSIVE_SCAN(...)                                                                                        \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ON, "AMP_INCLUSIVE_SCAN", AMP_PRIV_FORM_SCAN, __VA_ARGS__)
#define AMP_INCLUSIVE_SCAN_ON(...)                                                                                     \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ON, "AMP_INCLUSIVE_SCAN_ON", "view, " AMP_PRIV_FORM_SCAN,          \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_INCLUSIVE_SCAN_ON(where, T, out, extent, names, captures, value, operation, ...)                \
    AMP_PRIV_SCAN_NAMED(AMP_INCLUSIVE_SCAN, where, T, out, extent, names, captures, value, operation,                  \
                        amp_priv_position, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_INCLUSIVE_SCAN, AMP_PRIV_FORM_SCAN)
#define AMP_EXCLUSIVE_SCAN(...)                                                                                        \
    AMP_PRIV_TAKES_HERE(8, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ON, "AMP_EXCLUSIVE_SCAN", AMP_PRIV_FORM_SCAN, __VA_ARGS__)
#define AMP_EXCLUSIVE_SCAN_ON(...)                                                                                     \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ON, "AMP_EXCLUSIVE_SCAN_ON", "view, " AMP_PRIV_FORM_SCAN,          \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_EXCLUSIVE_SCAN_ON(where, T, out, extent, names, captures, value, operation, ...)                \
    AMP_PRIV_SCAN_NAMED(AMP_EXCLUSIVE_SCAN, where, T, out, extent, names, captures, value, operation,                  \
                        amp_priv_before, __VA_ARGS__)
AMP_PRIV_FIRST_OF(AMP_EXCLUSIVE_SCAN, AMP_PRIV_FORM_SCAN)

#define AMP_PRIV_SCAN_NAMED(NAME, where, T, out, extent, names, captures, value, operation, what, ...)                 \
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(NAME, AMP_PRIV_FORM_SCAN, where, T, AMP_PRIV_MAY_BE_VIEW(out))                           \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_SCAN_TO(#NAME, where, T, AMP_PRIV_VIEW_NAMED(T), &amp_priv_element_##T, out, extent, names, captures, \
                         value, operation, what, __VA_ARGS__);                                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

#define amp_inclusive_sum(out, v)           amp_inclusive_sum_on((amp_accelerator_view){ NULL }, out, v)
#define amp_inclusive_sum_on(where, out, v) AMP_PRIV_SUMS("amp_inclusive_sum", where, out, v, amp_priv_position)
#define amp_exclusive_sum(out, v)           amp_exclusive_sum_on((amp_accelerator_view){ NULL }, out, v)
#define amp_exclusive_sum_on(where, out, v) AMP_PRIV_SUMS("amp_exclusive_sum", where, out, v, amp_priv_before)
#define AMP_PRIV_SUMS(name, where, out, in, what)                                                                      \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, v", where, AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(in))              \
        AMP_PRIV_READ_FROM(name, one, in)                                                                              \
        _Static_assert(AMP_PRIV_IS_OF_RANK_1(out), AMP_PRIV_MSG_RANK_1(name));                                         \
        AMP_PRIV_SCAN_TO(name, where, AMP_PRIV_TYPE_OF(amp_priv_out), AMP_PRIV_VIEW_OF(AMP_PRIV_GIVEN_TYPE(out)),      \
                         AMP_PRIV_RECORD_OF(AMP_PRIV_GIVEN_TYPE(out)), AMP_PRIV_GIVEN_1(out), amp_priv_one.extent,     \
                         (amp_priv_i), AMP_CAPTURE(amp_priv_one), AMP_PRIV_CELL(amp_priv_one, amp_priv_i), a + b, what,\
                         0);                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_scan_text,
                         AMP_PRIV_SCAN_BODY(amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3, amp_priv_part_4,
                                            AMP_PRIV_SCAN_STORE(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_7),
                                            amp_priv_part_5))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_scan_tiles_text,
                         AMP_PRIV_SCAN_ONE_PASS(amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3,
                                                amp_priv_part_4, amp_priv_part_7, amp_priv_part_5))

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_scan_in_order_text,
                         AMP_PRIV_SCAN_IN_ORDER(amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3,
                                                amp_priv_part_4, amp_priv_part_7, amp_priv_part_5))

/* The groups that fit the caches: the CPU backend does all passes for these, then for the next groups. */
static inline int amp_priv_scan_part(const amp_priv_scanning *s, bool whole)
{
    if (whole || !amp_priv_is_host(s->call.view.amp_priv_queue->device->number))
        return s->step.groups;
    return (amp_priv_cpu_threads_now() + 1) / 2;
}

AMP_PRIV_API bool amp_priv_scan_begin(amp_priv_scanning *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_named *heads, size_t count, int64_t size,
                                      const amp_priv_element *element, const void *result, bool is_variable, bool whole)
{
    memset(s, 0, sizeof *s);
    const int tiles = amp_priv_call_tiles(name, size, AMP_PRIV_SCAN_TILE);
    if (!tiles)
        return false;
    s->step.size = size;
    s->step.tiles = tiles;
    s->step.groups = (tiles - 1) / AMP_PRIV_SCAN_GROUP + 1;
    s->step.pass = 3;
    s->whole = whole;
    s->element = element;
    const size_t bytes =
        ((size_t)tiles + (size_t)s->step.groups + 2) * element->size + 3 * amp_priv_call_unit(element) + 512;
    if (!amp_priv_call_begin_in_bands(&s->call, name, view, heads, count, bytes))
        return false;
    s->call.result = result;
    s->call.is_variable = is_variable;
    s->totals = amp_priv_call_elements(&s->call, element, (size_t)tiles);
    s->befores = amp_priv_call_elements(&s->call, element, (size_t)s->step.groups + 1);
    s->last = amp_priv_call_elements(&s->call, element, 1);
    s->part = amp_priv_scan_part(s, whole);
    return true;
}

/* Does the CPU backend write this extent of `out` as one row of memory that is larger than the caches? */
static inline bool amp_priv_scan_passes_caches(const amp_priv_scanning *s, const amp_priv_head *out, const int *extent,
                                               int rank)
{
    size_t stride = 1;
    bool in_row = AMP_PRIV_LAUNCHES_WAIT == 0; /* checked builds see each store */
    for (int d = rank - 1; d >= 0; d--) {
        in_row = in_row && (size_t)amp_priv_head_stride(out)[d] == stride;
        stride *= (size_t)extent[d];
    }
    return in_row && amp_priv_is_host(s->call.view.amp_priv_queue->device->number) &&
           stride * out->element->size >= AMP_PRIV_NONTEMPORAL_BYTES;
}

AMP_PRIV_API bool amp_priv_scan_begin_to(amp_priv_scanning *s, const char *name, amp_accelerator_view view,
                                         const amp_priv_named *heads, size_t count, const int *extent, int rank,
                                         const amp_priv_element *element, amp_priv_scans scans)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    const amp_priv_head *const out = heads[count - 1].head;
    const int64_t size = amp_priv_domain_size(name, extent, rank);
    if (size < 0 || !amp_priv_has_room_for(name, out, extent) ||
        !amp_priv_is_apart(name, "out", out, heads, count - 1, true) ||
        !amp_priv_scan_begin(s, name, view, heads, count, size, element, NULL, false, false))
        return false;
    s->passes_caches = amp_priv_scan_passes_caches(s, out, extent, rank);
    if (scans == AMP_PRIV_SCANS_OTHERS || !amp_priv_look_back_suits(s->call.view.amp_priv_queue))
        return true;
    const size_t words = AMP_PRIV_PUBLISHED_WORDS(element->size);
    s->work_groups = amp_priv_call_tiles(name, size, AMP_PRIV_LANES * (element->size > 4 ? 16 : 32));
    if (scans == AMP_PRIV_SCANS_REALS) {
        s->one_pass = s->call.view.amp_priv_queue->device->begins_in_order;
        const int published = s->step.tiles + 2 * s->step.groups; /* tiles, groups, what is before these */
        if (s->one_pass && !amp_priv_look_back_begin(&s->call, &s->tiles, size, published, words))
            return false;
        s->tiles.tiles = s->step.tiles;
        return true;
    }
    s->one_pass = amp_priv_is_apart_of_all(out, heads, count - 1); /* else another tile's elements may be gone */
    return !s->one_pass || amp_priv_look_back_begin(&s->call, &s->tiles, size, s->work_groups, words);
}

AMP_PRIV_API bool amp_priv_scan_pass(amp_priv_scanning *s, amp_array_view_uint32_t_1 *published)
{
    if (!s->one_pass || s->passed || amp_priv_call_failed(&s->call))
        return false;
    s->passed = true;
    amp_priv_look_back_view(&s->call, published);
    return true;
}

AMP_PRIV_API bool amp_priv_scan_next(amp_priv_scanning *s, void *totals, void *befores, void *to)
{
    amp_priv_scan_step *const step = &s->step;
    if (s->one_pass || amp_priv_call_failed(&s->call))
        return false;
    if (step->pass == 3) { /* a part is done, or the call begins */
        if (s->next >= step->groups)
            return false;
        step->pass = step->tiles == 1 && !s->whole ? 3 : 0;
    } else {
        step->pass++;
    }
    const int first = s->next, end = step->groups - first > s->part ? first + s->part : step->groups;
    const bool by_tiles = step->pass == 0 || step->pass == 3;
    step->first = by_tiles ? first * AMP_PRIV_SCAN_GROUP : first;
    step->last = !by_tiles ? end : end == step->groups ? step->tiles : end * AMP_PRIV_SCAN_GROUP;
    step->caches = step->pass != 3                                        ? 0
                   : s->passes_caches                                     ? 2
                   : amp_priv_queue_division(s->call.view.amp_priv_queue) ? 0
                                                                          : 1;
    if (step->pass == 3)
        s->next = end;
    amp_priv_call_view(&s->call, totals, s->element, s->totals, (size_t)step->tiles);
    amp_priv_call_view(&s->call, befores, s->element, s->befores, (size_t)step->groups + 1);
    if (s->call.result)
        return amp_priv_result_view(&s->call, to, s->element, s->last);
    amp_priv_call_view(&s->call, to, s->element, s->last, 1);
    return true;
}

AMP_PRIV_API int amp_priv_scan_threads(const amp_priv_scanning *s)
{
    return AMP_PRIV_LANES * (s->one_pass ? s->work_groups : s->step.pass == 2 ? 1 : s->step.last - s->step.first);
}

AMP_PRIV_API void amp_priv_scan_end(amp_priv_scanning *s)
{
    if (s->call.temporary && s->call.result)
        amp_priv_result_fetch(&s->call, s->element, s->last);
    amp_priv_room_check(&s->call);
    amp_priv_call_end(&s->call);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SCAN_H */
