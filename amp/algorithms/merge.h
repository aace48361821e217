/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/merge.h - searches, merges, sorts and set operations with any comparison.

    Threads divide the result of a merge: a thread finds, by a binary search, how many elements of either side come
    before its part of the result, and merges from there. In a sort each thread first sorts a run of 16 elements. Then
    launches merge runs in pairs. A GPU sorts by tiles (amp/algorithms/merge_tiles.h). Equal elements keep their order.
    Results do not depend on the size of the parts: few large parts on the CPU backend, many small parts on a GPU.

    Contents (search for the tag):
        >>plan  >>merge  >>sort  >>bounds  >>sets  >>implementation */
#ifndef AMP_ALGORITHMS_MERGE_H
#define AMP_ALGORITHMS_MERGE_H

#include "contracts_checks.h"
#include "elementwise.h"
#include "merge_tiles.h"
#include "select.h"
#include "sort.h"

/* // >>plan */

enum {
    AMP_PRIV_MERGE_RUN = 16,
    AMP_PRIV_MERGE_PIECE = 4096,       /* at least, except on a GPU */
    AMP_PRIV_MERGE_CACHED = 1 << 18,   /* elements of rows that the host sorts at a time */
    AMP_PRIV_MERGE_AT_A_TIME = 1 << 28 /* and a device: its temporary memory is as large */
};

/* What one launch does: a thread makes `length` elements of the result. */
AMP_STRUCT(amp_priv_merge_step, {
    int size, length;
    int width; /* of the runs that are merged; 0: the first runs are sorted */
    /* Of a sort: elements of a row; which row is the first; a row has 1 << bits threads of a tile, or `parts` tiles. */
    int row, first_row, bits, parts;
});

/* A thread for each part. The CPU backend divides the rows, devices the columns. */
AMP_PRIV_API amp_extent2 amp_priv_merge_threads(const amp_priv_queue *queue, amp_priv_merge_step step);

/* Where two are merged, and the elements of both; false after reporting. out: where to, or NULL. */
AMP_PRIV_API bool amp_priv_merge_begin(const char *name, amp_accelerator_view *view, const amp_priv_head *one,
                                       const amp_priv_head *two, const amp_priv_head *out, amp_priv_merge_step *step);

/* Of a merge sort of rows, or of one row. It sorts as many rows at a time as fit a cache of the host, or the memory of
   a device. Rows that do not follow each other in memory are copied. */
typedef struct amp_priv_merge_sorting {
    amp_priv_call call;
    amp_priv_merge_step step;
    const amp_priv_head *keys; /* the caller's */
    int rows, some_rows;       /* all of them, at a time */
    int run;                   /* length of the runs that the first launch sorts */
    bool in_others, began;     /* where the newest elements are */
    bool by_tiles;             /* amp/algorithms/merge_tiles.h */
    bool copies;
    int copy;                           /* what the launch does: 1: copies to temporary memory, 0: sorts, -1: back */
    size_t others, copied, split_place; /* where they are in the temporary memory */
    amp_array_view_int_1 splits;        /* if by_tiles, for each tile */
} amp_priv_merge_sorting;

/* False after reporting, and where there is nothing to do. The first launch decides where the last one writes. */
AMP_PRIV_API bool amp_priv_merge_sort_begin(amp_priv_merge_sorting *s, const char *name, amp_accelerator_view view,
                                            const amp_priv_named *heads, size_t count, const amp_priv_head *keys);

/* The next launch: false when there is none. The views: where elements come from and go to, which are records of
   `element`. table, line: where rows are copied from, and to; NULL of rank 1. */
AMP_PRIV_API bool amp_priv_merge_sort_next(amp_priv_merge_sorting *s, const amp_priv_element *element, void *from,
                                           void *to, void *table, void *line);

/* The templates of the kernels (amp/launch/template.h): of a merge, of sorts, the last two on GPUs, and of sets. */
AMP_PRIV_API const char *amp_priv_merge_text(void);
AMP_PRIV_API const char *amp_priv_merge_sort_text(void);
AMP_PRIV_API const char *amp_priv_block_split_text(void);
AMP_PRIV_API const char *amp_priv_block_text(void);
AMP_PRIV_API const char *amp_priv_set_text(void);

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* // >>merge
   AMP_MERGE(out, v, w, AMP_CAPTURE(...), less): merges two views or arrays, both in the order of `less`, into out.
   AMP_MERGE_ON(view, out, v, w, AMP_CAPTURE(...), less): the same on an accelerator view.
   amp_merge(out, v, w): the same for numbers, with a < b.
   amp_merge_on(view, out, v, w): the same for numbers on an accelerator view.
   The merge is stable; of equal elements those of v come first.
   out  a view or array of rank 1, at least as long as v and w together; a different one than these
   v, w  views or arrays of rank 1 and of the element type of out
   less  as for AMP_SORT
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (out is too short), AMP_INVALID_COMPUTE_DOMAIN (2^31 elements
   and more), those of AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any. Cost: an element is read once or twice and
   written once. Source: std::merge. */
#define amp_merge(out, v, w)           amp_merge_on((amp_accelerator_view){ NULL }, out, v, w)
#define amp_merge_on(where, out, v, w) AMP_PRIV_MERGE_ALL("amp_merge", where, out, v, w, AMP_CAPTURE(), a < b)
#define AMP_MERGE(...)                                                                                                 \
    AMP_PRIV_TAKES_HERE(5, AMP_PRIV_GIVEN_MERGE_ON, "AMP_MERGE", "out, v, w, AMP_CAPTURE(), a < b", __VA_ARGS__)
#define AMP_MERGE_ON(...)                                                                                              \
    AMP_PRIV_TAKES(6, AMP_PRIV_GIVEN_MERGE_ON, "AMP_MERGE_ON", "view, out, v, w, AMP_CAPTURE(), a < b", __VA_ARGS__)
#define AMP_PRIV_GIVEN_MERGE_ON(where, out, v, w, captures, ...)                                                       \
    do {                                                                                                               \
        AMP_PRIV_CHECK_COMPARISON("AMP_MERGE", out, __VA_ARGS__)                                                       \
        AMP_PRIV_CAT(AMP_PRIV_MERGE_, AMP_PRIV_IS_LIST(captures))                                                      \
        ("AMP_MERGE", where, out, v, w, captures, __VA_ARGS__);                                                        \
    } while (0)
#define AMP_PRIV_MERGE_0(name, ...)                                                                                    \
    _Static_assert(0, "amp: " name ": AMP_CAPTURE(...) or another argument is missing: AMP_CAPTURE goes before the "   \
                   "comparison")
#define AMP_PRIV_MERGE_1 AMP_PRIV_MERGE_ALL
#define AMP_PRIV_MERGE_ALL(name, where, out, v, w, captures, ...)                                                      \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, v, w", where,                                                                    \
                          AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(v) && AMP_PRIV_MAY_BE_GIVEN(w))          \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        AMP_PRIV_READ_FROM(name, two, w)                                                                               \
        AMP_PRIV_WRITE_TO(name, 1, out)                                                                                \
        amp_accelerator_view amp_priv_where = where;                                                                   \
        AMP_PRIV_CONTRACT_BOTH_SORTED(name, amp_priv_where, captures, __VA_ARGS__)                                     \
        amp_priv_merge_step amp_priv_step;                                                                             \
        if (amp_priv_merge_begin(name, &amp_priv_where, &amp_priv_one.amp_priv, &amp_priv_two.amp_priv,                \
                                 &amp_priv_out.amp_priv, &amp_priv_step))                                              \
            AMP_PRIV_EACH_FROM(amp_priv_merge_text, "\1" AMP_PRIV_TEXT_(__VA_ARGS__), amp_priv_where,                  \
                               amp_priv_merge_threads(amp_priv_where.amp_priv_queue, amp_priv_step),                   \
                               (amp_priv_row, amp_priv_column),                                                        \
                               ((AMP_PRIV_IN_LIST(captures), amp_priv_one, amp_priv_two, amp_priv_out,                 \
                                 AMP_VALUE(amp_priv_merge_step, amp_priv_step))),                                      \
                               AMP_PRIV_MERGE_BODY(__VA_ARGS__));                                                      \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_MERGE_BODY(...)                                                                                       \
    {                                                                                                                  \
        AMP_PRIV_MERGE_OF_TWO(__VA_ARGS__)                                                                             \
        AMP_PRIV_MERGE_FROM(AMP_PRIV_MERGE_LEFT, AMP_PRIV_MERGE_RIGHT, amp_priv_out, amp_priv_first, amp_priv_end,     \
                            __VA_ARGS__)                                                                               \
    }
#define AMP_PRIV_MERGE_LEFT(i)  AMP_PRIV_CELL(amp_priv_one, i)
#define AMP_PRIV_MERGE_RIGHT(j) AMP_PRIV_CELL(amp_priv_two, j)

/* Where the thread's part of the result begins in the two. */
#define AMP_PRIV_MERGE_OF_TWO(...)                                                                                     \
    typedef AMP_PRIV_TYPE_OF(amp_priv_one) amp_priv_T;                                                                 \
    AMP_PRIV_MERGE_PART                                                                                                \
    const int amp_priv_lefts = amp_priv_one.extent.v[0];                                                               \
    const int amp_priv_rights = amp_priv_two.extent.v[0];                                                              \
    AMP_PRIV_MERGE_SPLIT(AMP_PRIV_MERGE_LEFT, AMP_PRIV_MERGE_RIGHT, amp_priv_first, __VA_ARGS__)

/* The thread's part of the result. */
#define AMP_PRIV_MERGE_PART                                                                                            \
    const int amp_priv_first = (amp_priv_row + amp_priv_column) * amp_priv_step.length;                                \
    const int amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                     \
    const int amp_priv_end =                                                                                           \
        amp_priv_first + (amp_priv_rest < amp_priv_step.length ? amp_priv_rest : amp_priv_step.length);

/* amp_priv_l, amp_priv_r: how many elements of the left and the right are among the first `before` of the result.
   LEFT(i), RIGHT(j): an element of amp_priv_lefts, amp_priv_rights. */
#define AMP_PRIV_MERGE_SPLIT(LEFT, RIGHT, before, ...)                                                                 \
    int amp_priv_l = (before) > amp_priv_rights ? (before) - amp_priv_rights : 0;                                      \
    for (int amp_priv_high = (before) < amp_priv_lefts ? (before) : amp_priv_lefts; amp_priv_l < amp_priv_high;) {     \
        const int amp_priv_mid = amp_priv_l + (amp_priv_high - amp_priv_l) / 2;                                        \
        int amp_priv_is;                                                                                               \
        AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, RIGHT((before) - 1 - amp_priv_mid), LEFT(amp_priv_mid), __VA_ARGS__) \
        if (amp_priv_is)                                                                                               \
            amp_priv_high = amp_priv_mid;                                                                              \
        else                                                                                                           \
            amp_priv_l = amp_priv_mid + 1;                                                                             \
    }                                                                                                                  \
    int amp_priv_r = (before) - amp_priv_l;

/* Elements number `from` to end - 1 of the result. No branch depends on a comparison. */
#define AMP_PRIV_MERGE_FROM(LEFT, RIGHT, out, from, end, ...)                                                          \
    int amp_priv_k = from;                                                                                             \
    while (amp_priv_k < (end) && amp_priv_l < amp_priv_lefts && amp_priv_r < amp_priv_rights) {                        \
        const amp_priv_T amp_priv_left = LEFT(amp_priv_l);                                                             \
        const amp_priv_T amp_priv_right = RIGHT(amp_priv_r);                                                           \
        int amp_priv_is;                                                                                               \
        AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, amp_priv_right, amp_priv_left, __VA_ARGS__)                          \
        const int amp_priv_other = amp_priv_is ? 1 : 0;                                                                \
        AMP_AT(out, amp_priv_k) = amp_priv_other ? amp_priv_right : amp_priv_left;                                     \
        amp_priv_r += amp_priv_other;                                                                                  \
        amp_priv_l += 1 - amp_priv_other;                                                                              \
        amp_priv_k++;                                                                                                  \
    }                                                                                                                  \
    for (; amp_priv_k < (end) && amp_priv_l < amp_priv_lefts; amp_priv_k++) {                                          \
        AMP_AT(out, amp_priv_k) = LEFT(amp_priv_l);                                                                    \
        amp_priv_l++;                                                                                                  \
    }                                                                                                                  \
    for (; amp_priv_k < (end); amp_priv_k++) {                                                                         \
        AMP_AT(out, amp_priv_k) = RIGHT(amp_priv_r);                                                                   \
        amp_priv_r++;                                                                                                  \
    }

/* // >>sort
   AMP_SORT(v, AMP_CAPTURE(...), less): sorts a view or array of rank 1, of any element type, by a comparison.
   AMP_SORT_ON(view, v, AMP_CAPTURE(...), less): the same on an accelerator view.
   The sort is stable. To bring several views into one order, sort numbers: AMP_SORT(number, AMP_CAPTURE(key),
   AMP_AT(key, a) < AMP_AT(key, b)). amp_sort is faster for numbers in the order of their values.
   v  a view or array; evaluated once; not captured
   less  an expression of elements a and b and of captured names: whether a comes before b; a strict weak order, as of
         std::sort
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY, those of AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any.
   Cost: log2(n / 16) + 1 times a read and a write of n elements, on a GPU log2(n / b) + 1 times, where a block of b
   elements takes about 20 KB; as much temporary memory as v takes. Source: std::stable_sort. */
#define AMP_SORT(...)                                                                                                  \
    AMP_PRIV_TAKES_HERE(3, AMP_PRIV_GIVEN_SORT_ON, "AMP_SORT", "v, AMP_CAPTURE(), a < b", __VA_ARGS__)
#define AMP_SORT_ON(...)                                                                                               \
    AMP_PRIV_TAKES(4, AMP_PRIV_GIVEN_SORT_ON, "AMP_SORT_ON", "view, v, AMP_CAPTURE(), a < b", __VA_ARGS__)
#define AMP_PRIV_GIVEN_SORT_ON(where, v, captures, ...)                                                                \
    do {                                                                                                               \
        AMP_PRIV_CHECK_COMPARISON("AMP_SORT", v, __VA_ARGS__)                                                          \
        AMP_PRIV_CAT(AMP_PRIV_MERGE_SORT_, AMP_PRIV_IS_LIST(captures))                                                 \
        ("AMP_SORT", where, v, AMP_PRIV_UNWRAP captures, __VA_ARGS__);                                                 \
    } while (0)
#define AMP_PRIV_MERGE_SORT_0 AMP_PRIV_MERGE_0
#define AMP_PRIV_MERGE_SORT_1(name, where, v, captures, ...)                                                           \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_IS_DECLARED(v) AMP_PRIV_AND_ALL_DECLARED(captures))               \
        AMP_PRIV_IF_SORTABLE(name, v)                                                                                  \
        enum { amp_priv_in_rows = 0 };                                                                                 \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        const amp_priv_head *const amp_priv_sorted = AMP_PRIV_HEAD(v);                                                 \
        const amp_priv_named amp_priv_heads[] = {{ amp_priv_sorted, "v" },                                             \
                                                 AMP_PRIV_EACH(AMP_PRIV_HEAD_OF, ~, captures){ NULL, NULL }};          \
        amp_priv_merge_sorting amp_priv_this;                                                                          \
        if (amp_priv_merge_sort_begin(&amp_priv_this, name, where, amp_priv_heads,                                     \
                                      sizeof amp_priv_heads / sizeof amp_priv_heads[0] - 1, amp_priv_sorted))          \
            for (AMP_PRIV_VIEW_TYPE(v) amp_priv_from, amp_priv_to;                                                     \
                 amp_priv_merge_sort_next(&amp_priv_this, amp_priv_sorted->element, &amp_priv_from, &amp_priv_to, NULL,\
                                          NULL);) {                                                                    \
                AMP_PRIV_MERGE_SORT_LAUNCH(name, amp_priv_any_row, captures, __VA_ARGS__)                              \
            }                                                                                                          \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
        AMP_PRIV_ONLY_IF_END                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
/* Up to AMP_PRIV_ONLY_IF_END: only if v can be sorted. */
#define AMP_PRIV_IF_SORTABLE(name, v)                                                                                  \
    AMP_PRIV_ASK(amp_priv_sorts, AMP_PRIV_IS_SORTABLE(v), AMP_PRIV_MSG_SORTS(name, ""))                                \
    AMP_PRIV_ONLY_IF(AMP_PRIV_IS_SORTABLE(v))
AMP_PRIV_ASKS(amp_priv_sorts, AMP_PRIV_MSG_SORTS("AMP_SORT", ""))
/* row_name: the name that the comparison has for the number of the row. amp_priv_in_rows: are there several rows? A
   constant, so that a sort of one row does not divide. */
#define AMP_PRIV_MERGE_SORT_LAUNCH(name, row_name, captures, ...)                                                      \
    const amp_priv_merge_step amp_priv_step = amp_priv_this.step;                                                      \
    AMP_PRIV_CONTRACT_COMPARISON(name, row_name, captures, __VA_ARGS__)                                                \
    if (amp_priv_this.by_tiles)                                                                                        \
        AMP_PRIV_MERGE_SORT_TILES(row_name, captures, __VA_ARGS__)                                                     \
    else                                                                                                               \
        AMP_PRIV_EACH_FROM(amp_priv_merge_sort_text, AMP_PRIV_MERGE_SORT_PARTS(row_name, __VA_ARGS__),                 \
                           amp_priv_this.call.view,                                                                    \
                           amp_priv_merge_threads(amp_priv_this.call.view.amp_priv_queue, amp_priv_step),              \
                           (amp_priv_row, amp_priv_column),                                                            \
                           ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_from, amp_priv_to,                    \
                             AMP_VALUE(amp_priv_merge_step, amp_priv_step), AMP_CONSTANT(amp_priv_in_rows))),          \
                           AMP_PRIV_MERGE_SORT_BODY(row_name, __VA_ARGS__));
#define AMP_PRIV_MERGE_SORT_PARTS(row_name, ...) "\1" AMP_PRIV_TEXT_(row_name) "\1" AMP_PRIV_TEXT_(__VA_ARGS__)
#define AMP_PRIV_MERGE_ROW(row_name, number)                                                                           \
    const int row_name = amp_priv_step.first_row + (number);                                                           \
    (void)row_name;
/* The row that has element i, of those that are sorted at a time; elements of a row. */
#define AMP_PRIV_MERGE_ROW_OF(i) (amp_priv_in_rows ? (i) / amp_priv_step.row : 0)
#define AMP_PRIV_MERGE_LENGTH    (amp_priv_in_rows ? amp_priv_step.row : amp_priv_step.size)
#define AMP_PRIV_MERGE_SORT_TILES(row_name, captures, ...)                                                             \
    {                                                                                                                  \
        const amp_array_view_int_1 amp_priv_splits = amp_priv_this.splits;                                             \
        (void)amp_priv_splits;                                                                                         \
        if (amp_priv_step.width)                                                                                       \
            AMP_PRIV_EACH_DEVICE(amp_priv_block_split_text, AMP_PRIV_MERGE_SORT_PARTS(row_name, __VA_ARGS__),          \
                                 amp_priv_this.call.view, amp_priv_splits.extent, (amp_priv_i),                        \
                                 ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_from, amp_priv_splits,          \
                                   AMP_VALUE(amp_priv_merge_step, amp_priv_step), AMP_CONSTANT(amp_priv_in_rows))),    \
                                 AMP_PRIV_BLOCK_SPLIT(row_name, __VA_ARGS__));                                         \
        AMP_PRIV_TILED_DEVICE(amp_priv_block_text, AMP_PRIV_MERGE_SORT_PARTS(row_name, __VA_ARGS__),                   \
                              amp_priv_this.call.view, AMP_EXTENT(256 * amp_priv_splits.extent.v[0]), (256),           \
                              amp_priv_tile,                                                                           \
                              ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_from, amp_priv_to,                 \
                                amp_priv_splits, AMP_SPECIALIZE(amp_priv_is_first, amp_priv_step.width == 0),          \
                                AMP_VALUE(amp_priv_merge_step, amp_priv_step), AMP_CONSTANT(amp_priv_in_rows))),       \
                              AMP_PRIV_BLOCK_BODY(row_name, __VA_ARGS__));                                             \
    }
#define AMP_PRIV_MERGE_SORT_BODY(row_name, ...)                                                                        \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_T;                                                            \
        AMP_PRIV_MERGE_PART                                                                                            \
        int amp_priv_at = amp_priv_first;                                                                              \
        while (amp_priv_at < amp_priv_end) {                                                                           \
            AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_MERGE_ROW_OF(amp_priv_at))                                           \
            if (amp_priv_step.width == 0) {                                                                            \
                AMP_PRIV_MERGE_SORT_RUN(__VA_ARGS__)                                                                   \
            } else {                                                                                                   \
                AMP_PRIV_MERGE_RUNS(amp_priv_at)                                                                       \
                const int amp_priv_stop = amp_priv_begin + amp_priv_lefts + amp_priv_rights;                           \
                const int amp_priv_until = amp_priv_end < amp_priv_stop ? amp_priv_end : amp_priv_stop;                \
                AMP_PRIV_MERGE_SPLIT(AMP_PRIV_MERGE_SORT_LEFT, AMP_PRIV_MERGE_SORT_RIGHT,                              \
                                     amp_priv_at - amp_priv_begin, __VA_ARGS__)                                        \
                AMP_PRIV_MERGE_FROM(AMP_PRIV_MERGE_SORT_LEFT, AMP_PRIV_MERGE_SORT_RIGHT, amp_priv_to, amp_priv_at,     \
                                    amp_priv_until, __VA_ARGS__)                                                       \
                amp_priv_at = amp_priv_until;                                                                          \
            }                                                                                                          \
        }                                                                                                              \
    }
/* The two runs around element `at` of the result: they begin at amp_priv_begin. */
#define AMP_PRIV_MERGE_RUNS(at)                                                                                        \
    const int amp_priv_width = amp_priv_step.width;                                                                    \
    const int amp_priv_row_begin = AMP_PRIV_MERGE_ROW_OF(at) * AMP_PRIV_MERGE_LENGTH;                                  \
    const int amp_priv_begin =                                                                                         \
        amp_priv_row_begin + ((at) - amp_priv_row_begin) / amp_priv_width / 2 * 2 * amp_priv_width;                    \
    AMP_PRIV_MERGE_SIDES(amp_priv_row_begin + AMP_PRIV_MERGE_LENGTH)
/* How many elements before `end` the two runs of amp_priv_width from amp_priv_begin on have. */
#define AMP_PRIV_MERGE_SIDES(end)                                                                                      \
    const int amp_priv_all = (end) - amp_priv_begin;                                                                   \
    const int amp_priv_lefts = amp_priv_all < amp_priv_width ? amp_priv_all : amp_priv_width;                          \
    const int amp_priv_rights =                                                                                        \
        amp_priv_all - amp_priv_lefts < amp_priv_width ? amp_priv_all - amp_priv_lefts : amp_priv_width;
#define AMP_PRIV_MERGE_SORT_LEFT(i)  AMP_PRIV_CELL(amp_priv_from, amp_priv_begin + (i))
#define AMP_PRIV_MERGE_SORT_RIGHT(j) AMP_PRIV_CELL(amp_priv_from, amp_priv_begin + amp_priv_lefts + (j))
/* The next 16 elements of a row, by insertion, if they begin in the thread's part; from and to may be the same. */
#define AMP_PRIV_MERGE_SORT_RUN(...)                                                                                   \
    const int amp_priv_row_begin = AMP_PRIV_MERGE_ROW_OF(amp_priv_at) * AMP_PRIV_MERGE_LENGTH;                         \
    const int amp_priv_row_end = amp_priv_row_begin + AMP_PRIV_MERGE_LENGTH;                                           \
    const int amp_priv_run = amp_priv_at + ((amp_priv_row_begin - amp_priv_at) & 15);                                  \
    const int amp_priv_stop = amp_priv_row_end - amp_priv_run < 16 ? amp_priv_row_end : amp_priv_run + 16;             \
    if (amp_priv_run >= amp_priv_end && amp_priv_run < amp_priv_row_end) break;                                        \
    for (amp_priv_at = amp_priv_run; amp_priv_at < amp_priv_stop; amp_priv_at++) {                                     \
        const amp_priv_T amp_priv_new = AMP_AT(amp_priv_from, amp_priv_at);                                            \
        int amp_priv_there = amp_priv_at;                                                                              \
        while (amp_priv_there > amp_priv_run) {                                                                        \
            const amp_priv_T amp_priv_old = AMP_AT(amp_priv_to, amp_priv_there - 1);                                   \
            int amp_priv_is;                                                                                           \
            AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, amp_priv_new, amp_priv_old, __VA_ARGS__)                         \
            if (!amp_priv_is) break;                                                                                   \
            AMP_AT(amp_priv_to, amp_priv_there) = amp_priv_old;                                                        \
            amp_priv_there--;                                                                                          \
        }                                                                                                              \
        AMP_AT(amp_priv_to, amp_priv_there) = amp_priv_new;                                                            \
    }                                                                                                                  \
    amp_priv_at = amp_priv_stop;

/* // >>bounds
   AMP_LOWER_BOUND(out, v, keys, AMP_CAPTURE(...), less): for each key, how many elements of v come before it.
   AMP_LOWER_BOUND_ON(view, out, v, keys, AMP_CAPTURE(...), less): the same on an accelerator view.
   AMP_UPPER_BOUND(out, v, keys, AMP_CAPTURE(...), less): for each key, how many elements of v come before it or are
   equal.
   AMP_UPPER_BOUND_ON(view, out, v, keys, AMP_CAPTURE(...), less): the same on an accelerator view.
   amp_lower_bound(out, v, keys), amp_upper_bound(out, v, keys): the same for numbers, with a < b.
   amp_lower_bound_on(view, out, v, keys), amp_upper_bound_on(view, out, v, keys): the same for numbers on an
   accelerator view.
   out  a view or array of int, an element for each key
   v  a view or array of rank 1, in the order of `less`
   keys  a view or array of rank 1, of the element type of v
   less  as for AMP_SORT
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the lengths differ), those of AMP_PARALLEL_FOR_EACH.
   Blocking: no. Threads: any. Cost: log2 of the length of v reads for each key. Source: std::lower_bound,
   std::upper_bound. */
#define amp_lower_bound(out, v, keys) amp_lower_bound_on((amp_accelerator_view){ NULL }, out, v, keys)
#define amp_lower_bound_on(where, out, v, keys)                                                                        \
    AMP_PRIV_BOUNDS_1("amp_lower_bound", where, out, v, keys, AMP_CAPTURE(), AMP_PRIV_BOUNDS_LOWER, a < b)
#define amp_upper_bound(out, v, keys) amp_upper_bound_on((amp_accelerator_view){ NULL }, out, v, keys)
#define amp_upper_bound_on(where, out, v, keys)                                                                        \
    AMP_PRIV_BOUNDS_1("amp_upper_bound", where, out, v, keys, AMP_CAPTURE(), AMP_PRIV_BOUNDS_UPPER, a < b)
#define AMP_PRIV_FORM_BOUND "out, v, keys, AMP_CAPTURE(), a < b"
#define AMP_LOWER_BOUND(...)                                                                                           \
    AMP_PRIV_TAKES_HERE(5, AMP_PRIV_GIVEN_LOWER_BOUND_ON, "AMP_LOWER_BOUND", AMP_PRIV_FORM_BOUND, __VA_ARGS__)
#define AMP_LOWER_BOUND_ON(...)                                                                                        \
    AMP_PRIV_TAKES(6, AMP_PRIV_GIVEN_LOWER_BOUND_ON, "AMP_LOWER_BOUND_ON", "view, " AMP_PRIV_FORM_BOUND, __VA_ARGS__)
#define AMP_PRIV_GIVEN_LOWER_BOUND_ON(where, out, v, keys, captures, ...)                                              \
    AMP_PRIV_BOUNDS("AMP_LOWER_BOUND", where, out, v, keys, captures, AMP_PRIV_BOUNDS_LOWER, __VA_ARGS__)
#define AMP_UPPER_BOUND(...)                                                                                           \
    AMP_PRIV_TAKES_HERE(5, AMP_PRIV_GIVEN_UPPER_BOUND_ON, "AMP_UPPER_BOUND", AMP_PRIV_FORM_BOUND, __VA_ARGS__)
#define AMP_UPPER_BOUND_ON(...)                                                                                        \
    AMP_PRIV_TAKES(6, AMP_PRIV_GIVEN_UPPER_BOUND_ON, "AMP_UPPER_BOUND_ON", "view, " AMP_PRIV_FORM_BOUND, __VA_ARGS__)
#define AMP_PRIV_GIVEN_UPPER_BOUND_ON(where, out, v, keys, captures, ...)                                              \
    AMP_PRIV_BOUNDS("AMP_UPPER_BOUND", where, out, v, keys, captures, AMP_PRIV_BOUNDS_UPPER, __VA_ARGS__)
#define AMP_PRIV_BOUNDS(name, where, out, v, keys, captures, ...)                                                      \
    do {                                                                                                               \
        AMP_PRIV_CAT(AMP_PRIV_BOUNDS_, AMP_PRIV_IS_LIST(captures))                                                     \
        (name, where, out, v, keys, captures, __VA_ARGS__);                                                            \
    } while (0)
#define AMP_PRIV_BOUNDS_0 AMP_PRIV_MERGE_0
#define AMP_PRIV_BOUNDS_1(name, where, out, v, keys, captures, COMES_BEFORE, ...)                                      \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, v, keys", where,                                                                 \
                          AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(v) && AMP_PRIV_MAY_BE_GIVEN(keys))       \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        AMP_PRIV_READ_FROM(name, wanted, keys)                                                                         \
        AMP_PRIV_WRITE_TO(name, 1, out)                                                                                \
        AMP_PRIV_CONTRACT_SORTED(name, where, captures, __VA_ARGS__)                                                   \
        if (amp_priv_places_begin(name, &amp_priv_out.amp_priv, &amp_priv_one.amp_priv, &amp_priv_wanted.amp_priv,     \
                                  &amp_priv_out.amp_priv, "keys"))                                                     \
            AMP_PARALLEL_FOR_EACH_ON(where, amp_priv_out.extent, (amp_priv_i),                                         \
                                     ((AMP_PRIV_IN_LIST(captures), amp_priv_one, amp_priv_wanted, amp_priv_out)),      \
                                     AMP_PRIV_BOUNDS_BODY(COMES_BEFORE, __VA_ARGS__));                                 \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_BOUNDS_BODY(COMES_BEFORE, ...)                                                                        \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_one) amp_priv_T;                                                             \
        const amp_priv_T amp_priv_key = AMP_PRIV_CELL(amp_priv_wanted, amp_priv_i);                                    \
        int amp_priv_low = 0;                                                                                          \
        for (int amp_priv_high = amp_priv_one.extent.v[0]; amp_priv_low < amp_priv_high;) {                            \
            const int amp_priv_mid = amp_priv_low + (amp_priv_high - amp_priv_low) / 2;                                \
            int amp_priv_is;                                                                                           \
            COMES_BEFORE(AMP_PRIV_CELL(amp_priv_one, amp_priv_mid), amp_priv_key, __VA_ARGS__)                         \
            if (amp_priv_is)                                                                                           \
                amp_priv_low = amp_priv_mid + 1;                                                                       \
            else                                                                                                       \
                amp_priv_high = amp_priv_mid;                                                                          \
        }                                                                                                              \
        AMP_PRIV_CELL(amp_priv_out, amp_priv_i) = amp_priv_low;                                                        \
    }
#define AMP_PRIV_BOUNDS_LOWER(one, key, ...) AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, one, key, __VA_ARGS__)
#define AMP_PRIV_BOUNDS_UPPER(one, key, ...)                                                                           \
    AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, key, one, __VA_ARGS__)                                                   \
    amp_priv_is = !amp_priv_is;

/* // >>sets
   AMP_SET_UNION(out, count, v, w, AMP_CAPTURE(...), less): the elements that are in v or in w.
   AMP_SET_INTERSECTION(out, count, v, w, AMP_CAPTURE(...), less): the elements that are in both.
   AMP_SET_DIFFERENCE(out, count, v, w, AMP_CAPTURE(...), less): the elements that are in v and not in w.
   AMP_SET_SYMMETRIC_DIFFERENCE(out, count, v, w, AMP_CAPTURE(...), less): the elements that are in one of them.
   amp_set_union(out, count, v, w), amp_set_intersection(out, count, v, w), amp_set_difference(out, count, v, w),
   amp_set_symmetric_difference(out, count, v, w): the same for numbers, with a < b.
   AMP_SET_UNION_ON(view, out, count, v, w, AMP_CAPTURE(...), less), AMP_SET_INTERSECTION_ON(view, out, count, v, w,
   AMP_CAPTURE(...), less): the same on an accelerator view.
   AMP_SET_DIFFERENCE_ON(view, out, count, v, w, AMP_CAPTURE(...), less): the same on an accelerator view.
   AMP_SET_SYMMETRIC_DIFFERENCE_ON(view, out, count, v, w, AMP_CAPTURE(...), less): the same on an accelerator view.
   amp_set_union_on(view, out, count, v, w), amp_set_intersection_on(view, out, count, v, w),
   amp_set_difference_on(view, out, count, v, w), amp_set_symmetric_difference_on(view, out, count, v, w): the same
   for numbers on an accelerator view.
   An element that occurs m times in v and n times in w occurs max(m, n), min(m, n), max(m - n, 0) or |m - n| times
   in out. It is copied from v as far as possible.
   out  as for AMP_SELECT_IF; a different view or array than v and w
   count  an int variable, which has the number of elements when the call returns; or a view or array of int of rank 1,
          without waiting
   v, w  views or arrays of rank 1 and of one element type, in the order of `less`
   less  as for AMP_SORT
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_MERGE and AMP_SELECT_IF. Blocking: for a variable. Threads: any. Cost: those of AMP_MERGE on
   numbers and of AMP_SELECT_IF. Source: std::set_union, std::set_intersection, std::set_difference,
   std::set_symmetric_difference. */
#define amp_set_union(out, count, v, w) amp_set_union_on((amp_accelerator_view){ NULL }, out, count, v, w)
#define amp_set_union_on(where, out, count, v, w)                                                                      \
    AMP_PRIV_SET_1("amp_set_union", where, AMP_PRIV_SET_UNION, out, count, v, w, AMP_CAPTURE(), a < b)
#define amp_set_intersection(out, count, v, w) amp_set_intersection_on((amp_accelerator_view){ NULL }, out, count, v, w)
#define amp_set_intersection_on(where, out, count, v, w)                                                               \
    AMP_PRIV_SET_1("amp_set_intersection", where, AMP_PRIV_SET_INTERSECTION, out, count, v, w, AMP_CAPTURE(), a < b)
#define amp_set_difference(out, count, v, w) amp_set_difference_on((amp_accelerator_view){ NULL }, out, count, v, w)
#define amp_set_difference_on(where, out, count, v, w)                                                                 \
    AMP_PRIV_SET_1("amp_set_difference", where, AMP_PRIV_SET_DIFFERENCE, out, count, v, w, AMP_CAPTURE(), a < b)
#define amp_set_symmetric_difference(out, count, v, w)                                                                 \
    amp_set_symmetric_difference_on((amp_accelerator_view){ NULL }, out, count, v, w)
#define amp_set_symmetric_difference_on(where, out, count, v, w)                                                       \
    AMP_PRIV_SET_1("amp_set_symmetric_difference", where, AMP_PRIV_SET_SYMMETRIC_DIFFERENCE, out, count, v, w,         \
                   AMP_CAPTURE(), a < b)
#define AMP_PRIV_FORM_SET "out, count, v, w, AMP_CAPTURE(), a < b"
#define AMP_SET_UNION(...)                                                                                             \
    AMP_PRIV_TAKES_HERE(6, AMP_PRIV_GIVEN_SET_UNION_ON, "AMP_SET_UNION", AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_SET_UNION_ON(...)                                                                                          \
    AMP_PRIV_TAKES(7, AMP_PRIV_GIVEN_SET_UNION_ON, "AMP_SET_UNION_ON", "view, " AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_PRIV_GIVEN_SET_UNION_ON(where, out, count, v, w, captures, ...)                                            \
    AMP_PRIV_SET("AMP_SET_UNION", where, AMP_PRIV_SET_UNION, out, count, v, w, captures, __VA_ARGS__)
#define AMP_SET_INTERSECTION(...)                                                                                      \
    AMP_PRIV_TAKES_HERE(6, AMP_PRIV_GIVEN_SET_INTERSECTION_ON, "AMP_SET_INTERSECTION", AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_SET_INTERSECTION_ON(...)                                                                                   \
    AMP_PRIV_TAKES(7, AMP_PRIV_GIVEN_SET_INTERSECTION_ON, "AMP_SET_INTERSECTION_ON", "view, " AMP_PRIV_FORM_SET,       \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_SET_INTERSECTION_ON(where, out, count, v, w, captures, ...)                                     \
    AMP_PRIV_SET("AMP_SET_INTERSECTION", where, AMP_PRIV_SET_INTERSECTION, out, count, v, w, captures, __VA_ARGS__)
#define AMP_SET_DIFFERENCE(...)                                                                                        \
    AMP_PRIV_TAKES_HERE(6, AMP_PRIV_GIVEN_SET_DIFFERENCE_ON, "AMP_SET_DIFFERENCE", AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_SET_DIFFERENCE_ON(...)                                                                                     \
    AMP_PRIV_TAKES(7, AMP_PRIV_GIVEN_SET_DIFFERENCE_ON, "AMP_SET_DIFFERENCE_ON", "view, " AMP_PRIV_FORM_SET,           \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_SET_DIFFERENCE_ON(where, out, count, v, w, captures, ...)                                       \
    AMP_PRIV_SET("AMP_SET_DIFFERENCE", where, AMP_PRIV_SET_DIFFERENCE, out, count, v, w, captures, __VA_ARGS__)
#define AMP_SET_SYMMETRIC_DIFFERENCE(...)                                                                              \
    AMP_PRIV_TAKES_HERE(6, AMP_PRIV_GIVEN_SET_SYMMETRIC_DIFFERENCE_ON, "AMP_SET_SYMMETRIC_DIFFERENCE",                 \
                        AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_SET_SYMMETRIC_DIFFERENCE_ON(...)                                                                           \
    AMP_PRIV_TAKES(7, AMP_PRIV_GIVEN_SET_SYMMETRIC_DIFFERENCE_ON, "AMP_SET_SYMMETRIC_DIFFERENCE_ON",                   \
                   "view, " AMP_PRIV_FORM_SET, __VA_ARGS__)
#define AMP_PRIV_GIVEN_SET_SYMMETRIC_DIFFERENCE_ON(where, out, count, v, w, captures, ...)                             \
    AMP_PRIV_SET("AMP_SET_SYMMETRIC_DIFFERENCE", where, AMP_PRIV_SET_SYMMETRIC_DIFFERENCE, out, count, v, w, captures, \
                 __VA_ARGS__)

/* What is kept: of v what w does not have (1), of v what w has, too (2), of w what v does not have (4). */
enum {
    AMP_PRIV_SET_DIFFERENCE = 1,
    AMP_PRIV_SET_INTERSECTION = 2,
    AMP_PRIV_SET_SYMMETRIC_DIFFERENCE = 5,
    AMP_PRIV_SET_UNION = 7
};

#define AMP_PRIV_SET(name, where, kept, out, count, v, w, captures, ...)                                               \
    do {                                                                                                               \
        AMP_PRIV_CAT(AMP_PRIV_SET_, AMP_PRIV_IS_LIST(captures))                                                        \
        (name, where, kept, out, count, v, w, captures, __VA_ARGS__);                                                  \
    } while (0)
#define AMP_PRIV_SET_0 AMP_PRIV_MERGE_0
#define AMP_PRIV_SET_1(name, where, what, out, count, v, w, captures, ...)                                             \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, count, v, w", where,                                                             \
                          AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(v) && AMP_PRIV_MAY_BE_GIVEN(w))          \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        AMP_PRIV_READ_FROM(name, two, w)                                                                               \
        AMP_PRIV_CONTRACT_BOTH_SORTED(name, where, captures, __VA_ARGS__)                                              \
        const int amp_priv_kept = what;                                                                                \
        amp_priv_set_call amp_priv_set;                                                                                \
        amp_array_view_int_1 amp_priv_from;                                                                            \
        if (amp_priv_set_begin(&amp_priv_set, name, where, &amp_priv_one.amp_priv, &amp_priv_two.amp_priv,             \
                               &amp_priv_from)) {                                                                      \
            {                                                                                                          \
                const amp_priv_merge_step amp_priv_step = amp_priv_set.step;                                           \
                AMP_PRIV_EACH_FROM(amp_priv_set_text, "\1" AMP_PRIV_TEXT_(__VA_ARGS__), amp_priv_set.call.view,        \
                                   amp_priv_merge_threads(amp_priv_set.call.view.amp_priv_queue, amp_priv_step),       \
                                   (amp_priv_row, amp_priv_column),                                                    \
                                   ((AMP_PRIV_IN_LIST(captures), amp_priv_one, amp_priv_two, amp_priv_from,            \
                                     amp_priv_kept, AMP_VALUE(amp_priv_merge_step, amp_priv_step))),                   \
                                   AMP_PRIV_SET_BODY(__VA_ARGS__));                                                    \
            }                                                                                                          \
            if (!amp_priv_call_failed(&amp_priv_set.call))                                                             \
                AMP_PRIV_SET_TAKE(name, amp_priv_set.call.view, out, count);                                           \
        }                                                                                                              \
        amp_priv_call_end(&amp_priv_set.call);                                                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
/* Writes those that are kept, which are known by the numbers of where they come from. */
#define AMP_PRIV_SET_TAKE(name, where, out, count)                                                                     \
    AMP_PRIV_SELECT(name, where, out, count, false, amp_priv_from.extent, (amp_priv_i),                                \
                    AMP_CAPTURE(amp_priv_one, amp_priv_two, amp_priv_from), AMP_PRIV_SET_FROM >= 0,                    \
                    AMP_PRIV_SET_FROM < amp_priv_one.extent.v[0]                                                       \
                        ? AMP_PRIV_CELL(amp_priv_one, AMP_PRIV_SET_FROM)                                               \
                        : AMP_PRIV_CELL(amp_priv_two, AMP_PRIV_SET_FROM - amp_priv_one.extent.v[0]), )
#define AMP_PRIV_SET_FROM AMP_PRIV_CELL(amp_priv_from, amp_priv_i)

typedef struct amp_priv_set_call {
    amp_priv_call call;
    amp_priv_merge_step step;
} amp_priv_set_call;

/* False after reporting. from: gets a view on a number for each element of both. */
AMP_PRIV_API bool amp_priv_set_begin(amp_priv_set_call *s, const char *name, amp_accelerator_view view,
                                     const amp_priv_head *one, const amp_priv_head *two, void *from);

/* Merges all, and says of each whether it is kept. Number r of equal ones has its like on the other side if that has
   more than r of them: those of the right that are not merged yet, those of the left that are. */
#define AMP_PRIV_SET_BODY(...)                                                                                         \
    {                                                                                                                  \
        AMP_PRIV_MERGE_OF_TWO(__VA_ARGS__)                                                                             \
        int amp_priv_left_rank = -1; /* not known yet */                                                               \
        int amp_priv_right_rank = -1;                                                                                  \
        for (int amp_priv_k = amp_priv_first; amp_priv_k < amp_priv_end; amp_priv_k++) {                               \
            int amp_priv_is = amp_priv_l >= amp_priv_lefts;                                                            \
            if (amp_priv_l < amp_priv_lefts && amp_priv_r < amp_priv_rights)                                           \
                AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, AMP_PRIV_MERGE_RIGHT(amp_priv_r),                            \
                                 AMP_PRIV_MERGE_LEFT(amp_priv_l), __VA_ARGS__)                                         \
            if (!amp_priv_is) {                                                                                        \
                AMP_PRIV_SET_RANK(AMP_PRIV_MERGE_LEFT, amp_priv_l, amp_priv_left_rank, __VA_ARGS__)                    \
                const int amp_priv_like = amp_priv_r + amp_priv_left_rank;                                             \
                int amp_priv_differs = 1;                                                                              \
                if (amp_priv_like < amp_priv_rights)                                                                   \
                    AMP_PRIV_COMPARE(amp_priv_T, amp_priv_differs, AMP_PRIV_MERGE_LEFT(amp_priv_l),                    \
                                     AMP_PRIV_MERGE_RIGHT(amp_priv_like), __VA_ARGS__)                                 \
                AMP_PRIV_CELL(amp_priv_from, amp_priv_k) =                                                             \
                    amp_priv_kept & (amp_priv_differs ? 1 : 2) ? amp_priv_l : -1;                                      \
                amp_priv_l++;                                                                                          \
            } else {                                                                                                   \
                AMP_PRIV_SET_RANK(AMP_PRIV_MERGE_RIGHT, amp_priv_r, amp_priv_right_rank, __VA_ARGS__)                  \
                const int amp_priv_like = amp_priv_l - 1 - amp_priv_right_rank;                                        \
                int amp_priv_differs = 1;                                                                              \
                if (amp_priv_like >= 0)                                                                                \
                    AMP_PRIV_COMPARE(amp_priv_T, amp_priv_differs, AMP_PRIV_MERGE_LEFT(amp_priv_like),                 \
                                     AMP_PRIV_MERGE_RIGHT(amp_priv_r), __VA_ARGS__)                                    \
                AMP_PRIV_CELL(amp_priv_from, amp_priv_k) =                                                             \
                    (amp_priv_kept & 4) && amp_priv_differs ? amp_priv_lefts + amp_priv_r : -1;                        \
                amp_priv_r++;                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
    }
/* How many elements that are equal to number i stand before it: one more than before its predecessor, or none. Of
   the thread's first element a search finds it. */
#define AMP_PRIV_SET_RANK(SIDE, i, rank, ...)                                                                          \
    int amp_priv_low = rank < 0 ? 0 : i - 1 - rank;                                                                    \
    int amp_priv_high = rank < 0 ? i : amp_priv_low;                                                                   \
    if (rank >= 0) {                                                                                                   \
        int amp_priv_is_new;                                                                                           \
        AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is_new, SIDE(i - 1), SIDE(i), __VA_ARGS__)                               \
        if (amp_priv_is_new) amp_priv_low = amp_priv_high = i;                                                         \
    }                                                                                                                  \
    while (amp_priv_low < amp_priv_high) {                                                                             \
        const int amp_priv_mid = amp_priv_low + (amp_priv_high - amp_priv_low) / 2;                                    \
        int amp_priv_is_less;                                                                                          \
        AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is_less, SIDE(amp_priv_mid), SIDE(i), __VA_ARGS__)                       \
        if (amp_priv_is_less)                                                                                          \
            amp_priv_low = amp_priv_mid + 1;                                                                           \
        else                                                                                                           \
            amp_priv_high = amp_priv_mid;                                                                              \
    }                                                                                                                  \
    rank = i - amp_priv_low;

/* clang-format on */

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_merge_text, AMP_PRIV_MERGE_BODY(amp_priv_part_0))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_merge_sort_text, AMP_PRIV_MERGE_SORT_BODY(amp_priv_part_0, amp_priv_part_1))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_block_split_text, AMP_PRIV_BLOCK_SPLIT(amp_priv_part_0, amp_priv_part_1))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_block_text, AMP_PRIV_BLOCK_BODY(amp_priv_part_0, amp_priv_part_1))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_set_text, AMP_PRIV_SET_BODY(amp_priv_part_0))

/* A multiple of a run. */
static inline int amp_priv_merge_length(const amp_priv_queue *queue, int size)
{
    const amp_priv_device *const device = queue->device;
    if (device->is_gpu)
        return AMP_PRIV_MERGE_RUN;
    const int threads = amp_priv_is_host(device->number) ? amp_priv_cpu_threads_now() : (int)device->units;
    const int length = size / (4 * (threads > 0 ? threads : 1)) / AMP_PRIV_MERGE_RUN * AMP_PRIV_MERGE_RUN;
    return length < AMP_PRIV_MERGE_PIECE ? AMP_PRIV_MERGE_PIECE : length;
}

AMP_PRIV_API amp_extent2 amp_priv_merge_threads(const amp_priv_queue *queue, amp_priv_merge_step step)
{
    const int pieces = step.size ? (step.size - 1) / step.length + 1 : 0;
    const bool is_host = amp_priv_is_host(queue->device->number);
    return AMP_EXTENT(is_host ? pieces : 1, is_host ? 1 : pieces);
}

AMP_PRIV_API bool amp_priv_merge_begin(const char *name, amp_accelerator_view *view, const amp_priv_head *one,
                                       const amp_priv_head *two, const amp_priv_head *out, amp_priv_merge_step *step)
{
    if (!one->source || !two->source)
        return false;
    const int64_t size = (int64_t)*amp_priv_head_extent(one) + *amp_priv_head_extent(two);
    if (size > INT_MAX - 1) {
        amp_priv_too_many(name, size, INT_MAX - 1);
        return false;
    }
    const amp_priv_named heads[] = { { one, "v" }, { two, "w" } };
    if (out && (!amp_priv_has_room(name, "out", out, size) || !amp_priv_is_apart(name, "out", out, heads, 2, false)))
        return false;
    view->amp_priv_queue = amp_priv_call_target(*view, heads, 2);
    if (!view->amp_priv_queue)
        return false;
    const int length = amp_priv_merge_length(view->amp_priv_queue, (int)size);
    *step = (amp_priv_merge_step){ .size = (int)size, .length = length };
    return true;
}

/* How a device's tiles sort blocks: a row has `parts` tiles, or some threads of a tile. */
static inline void amp_priv_merge_sort_shape(amp_priv_merge_sorting *s, size_t bytes)
{
    amp_priv_merge_step *const step = &s->step;
    const amp_priv_queue *const queue = s->call.view.amp_priv_queue;
    const int own = AMP_PRIV_BLOCK_OWN(bytes), block = AMP_PRIV_LANES * own;
    s->by_tiles = own && !amp_priv_is_host(queue->device->number) && (queue->device->is_gpu || amp_priv_sort_tiles) &&
                  queue->device->local_memory >= (size_t)block * bytes;
    step->length = s->by_tiles ? block : amp_priv_merge_length(queue, step->size);
    s->run = s->by_tiles ? block : AMP_PRIV_MERGE_RUN;
    if (!s->by_tiles)
        return;
    step->bits = 0;
    while (1 << step->bits < AMP_PRIV_LANES && own << step->bits < step->row)
        step->bits++;
    step->parts = 1 << step->bits < AMP_PRIV_LANES ? 1 : (step->row - 1) / block + 1;
    const int rows = AMP_PRIV_LANES >> step->bits;
    const size_t tiles = (size_t)((step->size / step->row - 1) / rows + 1) * (size_t)step->parts;
    amp_priv_call_view(&s->call, &s->splits, &amp_priv_element_int, s->split_place, tiles);
}

/* The next rows: their number and the place of the newest elements. */
static inline void amp_priv_merge_sort_part(amp_priv_merge_sorting *s)
{
    const int left = s->rows - s->step.first_row;
    s->step.size = (left < s->some_rows ? left : s->some_rows) * s->step.row;
    s->step.width = 0;
    s->began = s->in_others = false;
    s->copy = s->copies ? 2 : 0;
    amp_priv_merge_sort_shape(s, s->keys->element->size);
    for (size_t width = (size_t)s->run; width < (size_t)s->step.row; width *= 2)
        s->in_others = !s->in_others;
}

AMP_PRIV_API bool amp_priv_merge_sort_begin(amp_priv_merge_sorting *s, const char *name, amp_accelerator_view view,
                                            const amp_priv_named *heads, size_t count, const amp_priv_head *keys)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (!amp_priv_head_ready(keys, name) || !amp_priv_is_apart(name, "v", keys, heads + 1, count - 1, false))
        return false;
    const amp_priv_shape shape = amp_priv_shape_of(keys);
    s->rows = shape.rank == 2 ? shape.extent[0] : 1;
    s->step.row = shape.extent[shape.rank - 1];
    amp_priv_queue *const queue = amp_priv_call_target(view, heads, (int)count);
    if (!queue || s->rows < 1 || s->step.row < 2)
        return false;
    const int most = amp_priv_is_host(queue->device->number) ? AMP_PRIV_MERGE_CACHED : AMP_PRIV_MERGE_AT_A_TIME;
    s->some_rows = most / s->step.row < s->rows ? most / s->step.row : s->rows;
    s->some_rows += s->some_rows == 0;
    s->copies = s->rows > 1 && shape.stride[0] != s->step.row;
    s->keys = keys;
    const size_t elements = (size_t)s->some_rows * (size_t)s->step.row, size = elements * keys->element->size;
    const size_t tiles = (size_t)s->some_rows + elements / AMP_PRIV_LANES + 1; /* at most: a thread has one element */
    if (!amp_priv_call_begin(&s->call, name, (amp_accelerator_view){ queue }, heads, count,
                             (s->copies ? 2 : 1) * size + tiles * sizeof(int) + 512))
        return false;
    s->others = amp_priv_call_part(&s->call, s->copies ? 2 * size : size); /* at 0: a multiple of any size */
    s->copied = s->others + size;
    s->split_place = amp_priv_call_part(&s->call, tiles * sizeof(int));
    amp_priv_merge_sort_part(s);
    return true;
}

/* Fills in a view on the rows: where they are in the end, or are copied to. */
static inline void amp_priv_merge_sort_own(const amp_priv_merge_sorting *s, const amp_priv_element *element, void *own)
{
    if (s->copies) {
        amp_priv_call_view(&s->call, own, element, s->copied, (size_t)s->step.size);
        return;
    }
    amp_priv_shape shape = amp_priv_shape_of(s->keys);
    if (shape.rank == 2)
        shape.data += (size_t)s->step.first_row * (size_t)s->step.row * shape.element_size;
    shape.rank = 1;
    shape.extent[0] = s->step.size;
    shape.stride[0] = 1;
    amp_priv_fill(own, s->keys->source, element, AMP_PRIV_VIEW, 0, &shape);
}

/* Fills in views for a copy, of the caller's rows and of those in temporary memory. */
static inline void amp_priv_merge_sort_copy(const amp_priv_merge_sorting *s, void *table, void *line)
{
    amp_priv_shape shape = amp_priv_shape_of(s->keys);
    shape.data += (size_t)s->step.first_row * (size_t)shape.stride[0] * shape.element_size;
    shape.extent[0] = s->step.size / s->step.row;
    amp_priv_fill(table, s->keys->source, s->keys->element, AMP_PRIV_VIEW, 0, &shape);
    amp_priv_call_view(&s->call, line, s->keys->element, s->copied, (size_t)s->step.size);
}

AMP_PRIV_API bool amp_priv_merge_sort_next(amp_priv_merge_sorting *s, const amp_priv_element *element, void *from,
                                           void *to, void *table, void *line)
{
    amp_priv_merge_step *const step = &s->step;
    const int width = step->width;
    const bool is_sorted = s->began && (width ? step->row - width <= width : step->row <= s->run);
    if (amp_priv_call_failed(&s->call))
        return false;
    if (s->copies ? s->copy < 0 : s->began && !s->in_others)
        amp_priv_call_wrote(&s->call, s->keys, NULL);
    if (is_sorted && s->copies && s->copy == 0) {
        s->copy = -1;
    } else if (is_sorted) {
        step->first_row += step->size / step->row;
        if (step->first_row >= s->rows)
            return false;
        amp_priv_merge_sort_part(s);
    }
    s->copy -= s->copy > 0;
    if (s->copy != 0) {
        amp_priv_merge_sort_copy(s, table, line);
        return true;
    }
    const bool from_others = s->began && s->in_others;
    amp_priv_merge_sort_own(s, element, from_others ? to : from);
    amp_priv_call_view(&s->call, from_others ? from : to, element, s->others, (size_t)step->size);
    if (!s->began && !s->in_others)
        amp_priv_merge_sort_own(s, element, to);
    if (s->began)
        s->in_others = !s->in_others;
    step->width = !s->began ? 0 : step->width ? 2 * step->width : s->run;
    s->began = true;
    return true;
}

AMP_PRIV_API bool amp_priv_set_begin(amp_priv_set_call *s, const char *name, amp_accelerator_view view,
                                     const amp_priv_head *one, const amp_priv_head *two, void *from)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (!amp_priv_merge_begin(name, &view, one, two, NULL, &s->step))
        return false;
    const size_t numbers = (size_t)s->step.size * sizeof(int);
    if (!amp_priv_call_begin(&s->call, name, view, NULL, 0, numbers + 128))
        return false;
    amp_priv_call_view(&s->call, from, &amp_priv_element_int, amp_priv_call_part(&s->call, numbers),
                       (size_t)s->step.size);
    return true;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_MERGE_H */
