/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort_rows.h - sorts each row of a table.

    The sort is that of amp/algorithms/merge.h, whose runs end where rows do.

    Contents (search for the tag):
        >>sort  >>kernel */
#ifndef AMP_ALGORITHMS_SORT_ROWS_H
#define AMP_ALGORITHMS_SORT_ROWS_H

#include "merge.h"
#include "sort.h"

/* // >>sort
   amp_sort_rows(v): sorts each row of a view or array of numbers of rank 2.
   amp_sort_rows_descending(v): sorts each row, the greatest first.
   amp_sort_rows_on(view, v), amp_sort_rows_descending_on(view, v): the same on an accelerator view.
   AMP_SORT_ROWS(v, (row), AMP_CAPTURE(...), less): sorts each row by a comparison; any element type.
   AMP_SORT_ROWS_ON(view, v, (row), AMP_CAPTURE(...), less): the same on an accelerator view.
   The sorts are stable. Numbers have the order of amp_sort. To bring the rows of several views into one order, sort
   numbers of columns: AMP_SORT_ROWS(column, (i), AMP_CAPTURE(key), AMP_AT(key, i, a) < AMP_AT(key, i, b)).
   v  a view or array of rank 2; evaluated once; not captured
   row  the name of the row's number in the comparison
   less  an expression of elements a and b of a row, as for AMP_SORT
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY, those of AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any.
   Cost: log2(n / 16) + 1 times a read and a write of rows of n elements. On a GPU once, if a row takes up to about 20
   KB, else log2(n / b) + 1 times for blocks of b elements. As much temporary memory as v takes, for more than 2^28
   elements only for a part of the rows; twice that for a section whose rows do not follow each other in memory.
   Source: NumPy's sort along an axis. See: amp_sort, AMP_SORT */
#define amp_sort_rows(v)                      amp_sort_rows_on((amp_accelerator_view){ NULL }, v)
#define amp_sort_rows_on(where, v)            AMP_PRIV_SORT_NUMBERS("amp_sort_rows", where, v, 0)
#define amp_sort_rows_descending(v)           amp_sort_rows_descending_on((amp_accelerator_view){ NULL }, v)
#define amp_sort_rows_descending_on(where, v) AMP_PRIV_SORT_NUMBERS("amp_sort_rows_descending", where, v, UINT64_MAX)
#define AMP_SORT_ROWS(...)                                                                                             \
    AMP_PRIV_TAKES_HERE(4, AMP_PRIV_GIVEN_SORT_ROWS_ON, "AMP_SORT_ROWS", "v, (row), AMP_CAPTURE(), a < b", __VA_ARGS__)
#define AMP_SORT_ROWS_ON(...)                                                                                          \
    AMP_PRIV_TAKES(5, AMP_PRIV_GIVEN_SORT_ROWS_ON, "AMP_SORT_ROWS_ON", "view, v, (row), AMP_CAPTURE(), a < b",         \
                   __VA_ARGS__)
#define AMP_PRIV_GIVEN_SORT_ROWS_ON(where, v, names, captures, ...)                                                    \
    do {                                                                                                               \
        AMP_PRIV_CAT3(AMP_PRIV_SORT_ROWS_, AMP_PRIV_IS_WRAPPED(names), AMP_PRIV_IS_LIST(captures))                     \
        ("AMP_SORT_ROWS", where, v, names, captures, __VA_ARGS__);                                                     \
    } while (0)
#define AMP_PRIV_SORT_ROWS_00(...)                                                                                     \
    _Static_assert(0, "amp: AMP_SORT_ROWS: the name of the row goes in parentheses after the view: (row)")
#define AMP_PRIV_SORT_ROWS_01 AMP_PRIV_SORT_ROWS_00
#define AMP_PRIV_SORT_ROWS_10 AMP_PRIV_MERGE_0
#define AMP_PRIV_SORT_ROWS_11(name, where, v, names, captures, ...)                                                    \
    AMP_PRIV_CHECK_COMPARISON(name, v, __VA_ARGS__)                                                                    \
    AMP_PRIV_SORT_ROWS_BY(name, where, v, __typeof__(*AMP_PRIV_ROWS_OF(v).amp_priv_slice), amp_priv_sorted->element,   \
                          AMP_PRIV_UNWRAP names, captures, __VA_ARGS__)

/* // >>kernel */

#define AMP_PRIV_IS_TABLE(v)                                                                                           \
    (AMP_PRIV_RANK_OF(AMP_PRIV_GIVEN_VIEW(v)) == 2 && !AMP_PRIV_IS_CONST(AMP_PRIV_GIVEN_VIEW(v)))
#define AMP_PRIV_MSG_SORTS_ROWS(name) "amp: " name " sorts a view or array of rank 2, not a const one"
AMP_PRIV_ASKS(amp_priv_sorts_rows, AMP_PRIV_MSG_SORTS_ROWS("a sort of rows"))
#define AMP_PRIV_IN_ROWS(v) AMP_PRIV_ROWS_OF(v).data[0]
#define AMP_PRIV_ROWS_OF(v) __builtin_choose_expr(AMP_PRIV_IS_TABLE(v), v, *(amp_array_view_int_2 *)0)

/* LINE, record: the view of rank 1 that kernels sort, and its elements'. */
#define AMP_PRIV_SORT_ROWS_BY(name, where, v, LINE, record, row_name, captures, ...)                                   \
    AMP_PRIV_SORT_LINES(name, where, v, LINE, record, row_name, AMP_PRIV_UNWRAP captures, __VA_ARGS__)
#define AMP_PRIV_SORT_LINES(name, where, v, LINE, record, row_name, captures, ...)                                     \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_IS_DECLARED(v) AMP_PRIV_AND_ALL_DECLARED(captures))               \
        AMP_PRIV_ASK(amp_priv_sorts_rows, AMP_PRIV_IS_TABLE(v), AMP_PRIV_MSG_SORTS_ROWS(name))                         \
        AMP_PRIV_ONLY_IF(AMP_PRIV_IS_TABLE(v))                                                                         \
        enum { amp_priv_in_rows = 1 };                                                                                 \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        const amp_priv_head *const amp_priv_sorted = AMP_PRIV_HEAD(v);                                                 \
        const amp_priv_named amp_priv_heads[] = {{ amp_priv_sorted, "v" },                                             \
                                                 AMP_PRIV_EACH(AMP_PRIV_HEAD_OF, ~, captures){ NULL, NULL }};          \
        amp_priv_merge_sorting amp_priv_this;                                                                          \
        AMP_PRIV_VIEW_TYPE(v) amp_priv_table;                                                                          \
        __typeof__(*AMP_PRIV_ROWS_OF(v).amp_priv_slice) amp_priv_line;                                                 \
        if (amp_priv_merge_sort_begin(&amp_priv_this, name, where, amp_priv_heads,                                     \
                                      sizeof amp_priv_heads / sizeof amp_priv_heads[0] - 1, amp_priv_sorted))          \
            for (LINE amp_priv_from, amp_priv_to;                                                                      \
                 amp_priv_merge_sort_next(&amp_priv_this, record, &amp_priv_from, &amp_priv_to, &amp_priv_table,       \
                                          &amp_priv_line);) {                                                          \
                const int amp_priv_copy = amp_priv_this.copy;                                                          \
                if (amp_priv_copy) {                                                                                   \
                    AMP_PARALLEL_FOR_EACH_ON(amp_priv_this.call.view, amp_priv_table.extent, (amp_priv_i, amp_priv_j), \
                                             AMP_CAPTURE(amp_priv_table, amp_priv_line, amp_priv_copy),                \
                                             AMP_PRIV_SORT_ROWS_COPY);                                                 \
                } else {                                                                                               \
                    AMP_PRIV_MERGE_SORT_LAUNCH(name, row_name, captures, __VA_ARGS__)                                  \
                }                                                                                                      \
            }                                                                                                          \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
        AMP_PRIV_ONLY_IF_END                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SORT_ROWS_COPY                                                                                        \
    {                                                                                                                  \
        const int amp_priv_k = amp_priv_i * amp_priv_table.extent.v[1] + amp_priv_j;                                   \
        if (amp_priv_copy > 0)                                                                                         \
            AMP_AT(amp_priv_line, amp_priv_k) = AMP_AT(amp_priv_table, amp_priv_i, amp_priv_j);                        \
        else                                                                                                           \
            AMP_AT(amp_priv_table, amp_priv_i, amp_priv_j) = AMP_AT(amp_priv_line, amp_priv_k);                        \
    }

/* Numbers as unsigned ones of the same order. all: all bits for the reverse order, or none. */
#define AMP_PRIV_SORT_NUMBERS(name, where, v, all)                                                                     \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_MAY_BE_GIVEN(v))                                                  \
        const amp_priv_key_kind amp_priv_numbers = AMP_PRIV_KEY_KIND(AMP_PRIV_IN_ROWS(v));                             \
        const uint64_t amp_priv_sign = UINT64_C(1) << (8 * sizeof AMP_PRIV_IN_ROWS(v) - 1);                            \
        const uint64_t amp_priv_flip = (amp_priv_numbers == AMP_PRIV_KEY_UNSIGNED ? 0 : amp_priv_sign) ^ (all);        \
        const uint64_t amp_priv_negative = amp_priv_numbers == AMP_PRIV_KEY_FLOAT ? amp_priv_sign - 1 : 0;             \
        AMP_PRIV_SORT_ROWS_BY(name, where, v,                                                                          \
                              __typeof__(*AMP_PRIV_OF_SIZE(sizeof AMP_PRIV_IN_ROWS(v), AMP_PRIV_VIEW_OF_TYPE)),        \
                              AMP_PRIV_OF_SIZE(sizeof AMP_PRIV_IN_ROWS(v), AMP_PRIV_RECORD_OF_TYPE), amp_priv_any_row, \
                              AMP_CAPTURE(amp_priv_flip, amp_priv_negative),                                           \
                              AMP_PRIV_SORT_NUMBER_OF(a) < AMP_PRIV_SORT_NUMBER_OF(b));                                \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SORT_NUMBER_OF(bits)                                                                                  \
    ((amp_priv_T)((bits) ^ (amp_priv_T)amp_priv_flip ^                                                                 \
                  ((amp_priv_T)(0 - ((bits) >> (8 * sizeof(amp_priv_T) - 1))) & (amp_priv_T)amp_priv_negative)))

#endif /* AMP_ALGORITHMS_SORT_ROWS_H */
