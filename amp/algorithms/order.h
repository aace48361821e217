/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/order.h - the n-th element and the k greatest, without sorting; shuffles.

    The search for the n-th element determines its key digit by digit, 8 bits at a time, from the most significant digit
    on. One launch counts the next digits of the keys that match so far; one tile then chooses the digit. Among equal
    keys the first elements count: the digits of their indexes follow those of the keys. A key is treated as an unsigned
    number of the same order (sort.h). The result stays on the device.

    Contents (search for the tag):
        >>plan  >>kernel  >>nth  >>top  >>shuffle  >>implementation */
#ifndef AMP_ALGORITHMS_ORDER_H
#define AMP_ALGORITHMS_ORDER_H

#include "elementwise.h"
#include "random.h"
#include "select.h"
#include "sort.h"

/* // >>plan */

/* What one launch does. `first`: the first bit of a key; `flip`, `negative`: as in sort.h, `flip` with all bits of a
   key if the greatest come first. */
AMP_STRUCT(amp_priv_pick_step, {
    uint64_t first, flip, negative;
    int size, rows;  /* elements, rows of 256 of them that a tile counts */
    int shift;       /* where the digit begins */
    int pass;        /* 0: count digits of keys, 1: of numbers, 2: write the key that was found */
});

/* A key as an unsigned number of the same order, and back. */
AMP_FUNCTION(uint64_t, amp_priv_order_of, (uint64_t bits, amp_priv_pick_step step), {
    return bits ^ step.flip ^ (bits & step.first ? step.negative : 0);
})
AMP_FUNCTION(uint64_t, amp_priv_bits_of, (uint64_t order, amp_priv_pick_step step), {
    const uint64_t bits = order ^ step.flip;
    return bits ^ (bits & step.first ? step.negative : 0);
})

/* What is known on the device. */
enum {
    AMP_PRIV_PICK_KEY,    /* the digits of the key, those that are known */
    AMP_PRIV_PICK_RANK,   /* of the element among those that have begun like it */
    AMP_PRIV_PICK_NUMBER, /* the digits of its number */
    AMP_PRIV_PICK_DONE,   /* all that have begun like it are taken, whatever follows */
    AMP_PRIV_PICK_STATE   /* how many of these */
};

typedef struct amp_priv_picking {
    amp_priv_call call;
    amp_priv_pick_step step;
    const amp_priv_head *keys;
    bool is_set; /* the elements up to the one that is searched for are wanted, not its key */
    bool began;
    size_t counts, state, number, last; /* where they are in the temporary memory */
} amp_priv_picking;

/* False after reporting, and where there is nothing to do. is_set: the elements up to that rank are wanted, and not the
   key of the one that has it. */
AMP_PRIV_API bool amp_priv_pick_begin(amp_priv_picking *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_head *keys, amp_priv_key_kind kind, bool descending, int rank,
                                      bool is_set);

/* The next launch: false when there is none. key: the record of an unsigned type of the key's size; the views: of all
   keys, of the one that is found, of the counts, of what is known. */
AMP_PRIV_API bool amp_priv_pick_next(amp_priv_picking *s, const amp_priv_element *key, void *keys, void *to,
                                     amp_array_view_int_1 *counts, amp_array_view_uint64_t_1 *state);

AMP_PRIV_API int amp_priv_pick_threads(const amp_priv_picking *s);

/* The template of the kernel (amp/launch/template.h). */
AMP_PRIV_API const char *amp_priv_pick_text(void);

/* // >>kernel */

/* Counts digit after digit; more: what is done then, with amp_priv_keys and amp_priv_state. */
#define AMP_PRIV_PICK_OUT(name, where, v, rank, descending, is_set, stated_result, stated_variable, then, with)        \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_IS_OF_RANK_1(v), "amp: " name " takes a view or array of rank 1");                     \
        amp_priv_picking amp_priv_pick;                                                                                \
        if (amp_priv_pick_begin(&amp_priv_pick, name, where, AMP_PRIV_HEAD(AMP_PRIV_GIVEN_1(v)),                       \
                                AMP_PRIV_KEY_KIND(AMP_PRIV_PICK_FIRST(v)), descending, rank, is_set)) {                \
            typedef __typeof__(*AMP_PRIV_OF_SIZE(AMP_PRIV_PICK_SIZE(v), AMP_PRIV_VIEW_OF_TYPE)) amp_priv_key_view;     \
            __typeof__(*((amp_priv_key_view *)0)->amp_priv_const_view) amp_priv_keys;                                  \
            amp_priv_key_view amp_priv_found;                                                                          \
            amp_array_view_int_1 amp_priv_tally;                                                                       \
            amp_array_view_uint64_t_1 amp_priv_state;                                                                  \
            amp_priv_pick.call.result = stated_result;                                                                 \
            amp_priv_pick.call.is_variable = stated_variable;                                                          \
            while (amp_priv_pick_next(&amp_priv_pick, AMP_PRIV_OF_SIZE(AMP_PRIV_PICK_SIZE(v), AMP_PRIV_RECORD_OF_TYPE),\
                                      &amp_priv_keys, &amp_priv_found, &amp_priv_tally, &amp_priv_state)) {            \
                const amp_priv_pick_step amp_priv_step = amp_priv_pick.step;                                           \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    amp_priv_pick_text, "\1", amp_priv_pick.call.view,                                                 \
                    AMP_EXTENT(amp_priv_pick_threads(&amp_priv_pick)), (256), amp_priv_tile,                           \
                    AMP_CAPTURE(amp_priv_keys, amp_priv_found, amp_priv_tally, amp_priv_state,                         \
                                AMP_VALUE(amp_priv_pick_step, amp_priv_step), AMP_CONSTANT(AMP_PRIV_PICK_KEY),         \
                                AMP_CONSTANT(AMP_PRIV_PICK_NUMBER), AMP_CONSTANT(AMP_PRIV_PICK_DONE)),                 \
                    AMP_PRIV_PICK_BODY);                                                                               \
            }                                                                                                          \
            then with /* apart: up to gcc 11 the pragmas of launches in an argument come to stand before it */         \
        }                                                                                                              \
        amp_priv_call_end(&amp_priv_pick.call);                                                                        \
    } while (0)
#define AMP_PRIV_PICK_FIRST(v) AMP_PRIV_GIVEN_1(v).data[0]
#define AMP_PRIV_PICK_SIZE(v)  sizeof(AMP_PRIV_PICK_FIRST(v))

#define AMP_PRIV_PICK_BODY                                                                                             \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_found) amp_priv_key;                                                         \
        AMP_PRIV_TILE_STATIC(int, amp_priv_own, [256]);                                                                \
        const uint64_t amp_priv_known = AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_KEY);                              \
        const uint64_t amp_priv_numbered = AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_NUMBER);                        \
        if (amp_priv_step.pass == 2) {                                                                                 \
            AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                       \
            AMP_AT(amp_priv_found, 0) = (amp_priv_key)amp_priv_bits_of(amp_priv_known, amp_priv_step);                 \
        } else if (!AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_DONE)) {                                               \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_own[amp_priv_t.local.v[0]] = 0; }                   \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
            for (int amp_priv_row = 0; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                            \
                const int64_t amp_priv_base =                                                                          \
                    ((int64_t)amp_priv_tile.tile.v[0] * amp_priv_step.rows + amp_priv_row) * 256;                      \
                const int64_t amp_priv_left = amp_priv_step.size - amp_priv_base;                                      \
                const int amp_priv_end = amp_priv_left < 0 ? 0 : amp_priv_left < 256 ? (int)amp_priv_left : 256;       \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                      \
                    const int amp_priv_i = (int)amp_priv_base + amp_priv_t.local.v[0];                                 \
                    const uint64_t amp_priv_order =                                                                    \
                        amp_priv_order_of(AMP_AT(amp_priv_keys, amp_priv_i), amp_priv_step);                           \
                    const uint64_t amp_priv_digits = amp_priv_step.pass ? (uint64_t)amp_priv_i : amp_priv_order;       \
                    const uint64_t amp_priv_other =                                                                    \
                        amp_priv_digits ^ (amp_priv_step.pass ? amp_priv_numbered : amp_priv_known);                   \
                    if ((amp_priv_other >> amp_priv_step.shift) >> 8 == 0 &&                                           \
                        (amp_priv_step.pass == 0 || amp_priv_order == amp_priv_known))                                 \
                        amp_atomic_fetch_add(&amp_priv_own[(amp_priv_digits >> amp_priv_step.shift) & 255], 1);        \
                }                                                                                                      \
            }                                                                                                          \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                if (amp_priv_own[amp_priv_t.local.v[0]])                                                               \
                    amp_atomic_fetch_add(&AMP_PRIV_CELL(amp_priv_tally, amp_priv_t.local.v[0]),                        \
                                         amp_priv_own[amp_priv_t.local.v[0]]);                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

/* // >>nth
   amp_nth_element(v, n): the element that would be number n, from 0 on, if v were sorted.
   amp_nth_element_on(view, v, n): the same on an accelerator view.
   amp_nth_element_to(result, v, n): writes element n of the sorted order to a result.
   amp_nth_element_to_on(view, result, v, n): the same on an accelerator view.
   v stays as it is. The order is that of amp_sort.
   v  a view or array of numbers of rank 1
   n  an int
   result  as for AMP_REDUCE, of the element type
   view  amp_accelerator_view
   Result: the element; 0 after an error. The forms with _to are statements.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (no such element), those of AMP_PARALLEL_FOR_EACH. Blocking:
   yes; with _to for a variable. Threads: any. Cost: a read of v for each byte of a key. Source: std::nth_element. */
#define amp_nth_element(v, n)            amp_nth_element_on((amp_accelerator_view){ NULL }, v, n)
#define amp_nth_element_to(result, v, n) amp_nth_element_to_on((amp_accelerator_view){ NULL }, result, v, n)
#define amp_nth_element_on(where, v, n)                                                                                \
    AMP_PRIV_VALUE_OF(v, AMP_PRIV_GIVEN_TYPE(v), 0, amp_nth_element_to_on(where, amp_priv_answer, v, n))
#define amp_nth_element_to_on(where, result, v, n)                                                                     \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_nth_element", "result, v, n", where, AMP_PRIV_MAY_BE_GIVEN(v))                          \
        AMP_PRIV_CHECK_RESULT("amp_nth_element", result, AMP_PRIV_MSG_TYPE(v),                                         \
                              AMP_PRIV_VIEW_OF(AMP_PRIV_GIVEN_TYPE(v)))                                                \
        AMP_PRIV_PICK_OUT("amp_nth_element", where, v, n, false, false, AMP_PRIV_RESULT(result),                       \
                      AMP_PRIV_IS_VARIABLE(result, AMP_PRIV_VIEW_OF(AMP_PRIV_GIVEN_TYPE(v))),                          \
                      AMP_PRIV_UNWRAP,                                                                                 \
                      (amp_priv_result_fetch(&amp_priv_pick.call, AMP_PRIV_RECORD_OF(AMP_PRIV_GIVEN_TYPE(v)),          \
                                             amp_priv_pick.last);));                                                   \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>top
   amp_top_k(out, at, v): copies the greatest elements of v to out, the greatest first, and their indexes to at.
   amp_top_k_on(view, out, at, v): the same on an accelerator view.
   amp_bottom_k(out, at, v): copies the smallest elements, the smallest first.
   amp_bottom_k_on(view, out, at, v): the same on an accelerator view.
   The length of out is the number of elements. Of equal elements it takes the first. The order is that of amp_sort:
   a NaN whose sign bit is 0 is the greatest.
   out  a view or array of the element type of v, at most as long as v; a name
   at  a view or array of int, as long as out; a name
   v  a view or array of numbers of rank 1; a name
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the lengths differ, v has fewer elements), those of
   AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any. Cost: v is read twice, and once more for each byte of a key;
   out and at are sorted. Source: std::partial_sort_copy. */
#define amp_top_k(out, at, v) amp_top_k_on((amp_accelerator_view){ NULL }, out, at, v)
#define amp_top_k_on(where, out, at, v)                                                                                \
    AMP_PRIV_PICK_SET("amp_top_k", where, out, at, v, true, amp_sort_by_key_descending_on)
#define amp_bottom_k(out, at, v) amp_bottom_k_on((amp_accelerator_view){ NULL }, out, at, v)
#define amp_bottom_k_on(where, out, at, v)                                                                             \
    AMP_PRIV_PICK_SET("amp_bottom_k", where, out, at, v, false, amp_sort_by_key_on)
#define AMP_PRIV_PICK_SET(name, where, out, at, v, descending, sort)                                                   \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, at, v", where,                                                                   \
                          AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(at) && AMP_PRIV_MAY_BE_GIVEN(v))         \
        AMP_PRIV_READ_FROM(name, all, v)                                                                               \
        typedef AMP_PRIV_VIEW_OF(AMP_PRIV_GIVEN_TYPE(v)) amp_priv_top_view;                                            \
        _Static_assert(AMP_PRIV_IS_WRITTEN_AS(out, amp_priv_top_view),                                                 \
                       "amp: " name "(out, at, v): out must be a view or array of rank 1, of the element type of v");  \
        _Static_assert(AMP_PRIV_IS_WRITTEN_AS(at, amp_array_view_int_1),                                               \
                       "amp: " name "(out, at, v): at must be a view or array of int of rank 1");                      \
        const amp_priv_top_view amp_priv_top = amp_view_of(__builtin_choose_expr(                                      \
            AMP_PRIV_IS_WRITTEN_AS(out, amp_priv_top_view), out, (amp_priv_top_view){ .data = NULL }));                \
        const amp_array_view_int_1 amp_priv_at = amp_view_of(                                                          \
            __builtin_choose_expr(AMP_PRIV_IS_WRITTEN_AS(at, amp_array_view_int_1), at, AMP_PRIV_ANY_VIEW));           \
        const amp_priv_head *const amp_priv_outs[] = { &amp_priv_top.amp_priv, &amp_priv_at.amp_priv };                \
        const int amp_priv_wanted =                                                                                    \
            amp_priv_pick_room(name, amp_priv_outs[0], amp_priv_outs[1], &amp_priv_all.amp_priv);                      \
        AMP_PRIV_PICK_OUT(name, where, amp_priv_all, amp_priv_wanted - 1, descending, true, NULL, false,               \
                      AMP_PRIV_PICK_TAKE, (name, amp_priv_top, amp_priv_at, sort));                                    \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
/* Selects the numbers of the elements up to the one that was found, gathers these, and sorts both. */
#define AMP_PRIV_PICK_TAKE(name, out, at, sort)                                                                        \
    amp_array_view_int_1 amp_priv_number;                                                                              \
    amp_priv_call_view(&amp_priv_pick.call, &amp_priv_number, &amp_priv_element_int, amp_priv_pick.number, 1);         \
    if (!amp_priv_call_failed(&amp_priv_pick.call)) AMP_PRIV_PICK_SELECT(name, amp_priv_pick.call.view, at);           \
    if (!amp_priv_call_failed(&amp_priv_pick.call))                                                                    \
        amp_priv_call_wrote(&amp_priv_pick.call, amp_priv_outs[0], amp_priv_outs[1]);                                  \
    if (!amp_priv_call_failed(&amp_priv_pick.call)) amp_gather_on(amp_priv_pick.call.view, out, amp_priv_all, at);     \
    if (!amp_priv_call_failed(&amp_priv_pick.call)) sort(amp_priv_pick.call.view, out, at);
#define AMP_PRIV_PICK_SELECT(name, where, at)                                                                          \
    AMP_PRIV_SELECT(name, where, at, amp_priv_number, false, amp_priv_keys.extent, (amp_priv_i),                       \
                    AMP_CAPTURE(amp_priv_keys, amp_priv_state, AMP_VALUE(amp_priv_pick_step, amp_priv_order,           \
                                                                         amp_priv_pick.step),                          \
                                AMP_CONSTANT(AMP_PRIV_PICK_KEY), AMP_CONSTANT(AMP_PRIV_PICK_NUMBER)),                  \
                    amp_priv_order_of(AMP_AT(amp_priv_keys, amp_priv_i), amp_priv_order) <                             \
                            AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_KEY) ||                                        \
                        (amp_priv_order_of(AMP_AT(amp_priv_keys, amp_priv_i), amp_priv_order) ==                       \
                             AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_KEY) &&                                       \
                         (uint64_t)amp_priv_i <= AMP_PRIV_CELL(amp_priv_state, AMP_PRIV_PICK_NUMBER)),                 \
                    amp_priv_i, )

/* For how many elements of v there is room; 0 after reporting. */
AMP_PRIV_API int amp_priv_pick_room(const char *name, const amp_priv_head *out, const amp_priv_head *at,
                                    const amp_priv_head *v);

/* // >>shuffle
   amp_shuffle(v, seed): puts the elements of a view or array of rank 1 into a random order.
   amp_shuffle_on(view, v, seed): the same on an accelerator view.
   The order is the same everywhere: element i becomes element amp_random_place(seed, n, i) of the n elements.
   v  a view or array of rank 1, of any element type; evaluated once
   seed  uint64_t; evaluated once
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY, those of AMP_PARALLEL_FOR_EACH. Blocking: no. Threads: any.
   Cost: two reads and two writes; as much temporary memory as v takes. Source: std::shuffle. */
#define amp_shuffle(v, seed) amp_shuffle_on((amp_accelerator_view){ NULL }, v, seed)
#define amp_shuffle_on(where, all, seed)                                                                               \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_shuffle", "v, seed", where, AMP_PRIV_MAY_BE_GIVEN(all))                                 \
        _Static_assert(AMP_PRIV_IS_SORTABLE(all),                                                                      \
                       "amp: amp_shuffle takes a view or array of rank 1, not a const one");                           \
        const uint64_t amp_priv_seed = seed;                                                                           \
        const amp_priv_head *const amp_priv_shuffled = AMP_PRIV_HEAD(AMP_PRIV_SORTED(all));                            \
        amp_priv_shuffling amp_priv_this;                                                                              \
        if (amp_priv_shuffle_begin(&amp_priv_this, where, amp_priv_shuffled))                                          \
            for (AMP_PRIV_VIEW_TYPE(AMP_PRIV_SORTED(all)) amp_priv_from, amp_priv_to;                                  \
                 amp_priv_shuffle_next(&amp_priv_this, &amp_priv_from, &amp_priv_to);) {                               \
                const int amp_priv_pass = amp_priv_this.pass;                                                          \
                AMP_PARALLEL_FOR_EACH_ON(amp_priv_this.call.view, amp_priv_from.extent, (amp_priv_i),                  \
                                         AMP_CAPTURE(amp_priv_from, amp_priv_to, amp_priv_pass, amp_priv_seed), {      \
                    const int amp_priv_n = amp_priv_from.extent.v[0];                                                  \
                    const int amp_priv_place =                                                                         \
                        amp_priv_pass == 1 ? amp_priv_i : amp_random_place(amp_priv_seed, amp_priv_n, amp_priv_i);     \
                    AMP_AT(amp_priv_to, amp_priv_i) = AMP_AT(amp_priv_from, amp_priv_place);                           \
                });                                                                                                    \
            }                                                                                                          \
        amp_priv_call_end(&amp_priv_this.call);                                                                        \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

typedef struct amp_priv_shuffling {
    amp_priv_call call;
    const amp_priv_head *v;
    int pass; /* 1: to temporary memory, 2: back, to other places */
} amp_priv_shuffling;

/* False after reporting, and where there is nothing to do. */
AMP_PRIV_API bool amp_priv_shuffle_begin(amp_priv_shuffling *s, amp_accelerator_view view, const amp_priv_head *v);

AMP_PRIV_API bool amp_priv_shuffle_next(amp_priv_shuffling *s, void *from, void *to);

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_pick_text, AMP_PRIV_PICK_BODY)

#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN "amp_nth_element"
/* Finds the next digit from the counts of all, which become 0 again. begin: the rank that is searched for from here on;
   below 0: goes on. */
AMP_PRIV_NOINLINE void amp_priv_pick_digit(amp_accelerator_view view, amp_array_view_int_1 counts,
                                           amp_array_view_uint64_t_1 state, int begin, amp_priv_pick_step step,
                                           bool is_set)
{
    const int shift = step.shift, which = step.pass == 1 ? AMP_PRIV_PICK_NUMBER : AMP_PRIV_PICK_KEY, set = is_set;
    AMP_TILED_ON(view, AMP_EXTENT(256), (256), tile,
                 AMP_CAPTURE(counts, state, begin, shift, which, set, AMP_CONSTANT(AMP_PRIV_PICK_KEY),
                             AMP_CONSTANT(AMP_PRIV_PICK_RANK), AMP_CONSTANT(AMP_PRIV_PICK_NUMBER),
                             AMP_CONSTANT(AMP_PRIV_PICK_DONE), AMP_CONSTANT(AMP_PRIV_PICK_STATE)),
                 {
        AMP_PRIV_TILE_STATIC(int, lane, [256]);
        AMP_PRIV_PRIVATE_1(int, own);
        const int rank = begin >= 0 || AMP_AT(state, AMP_PRIV_PICK_DONE) ? -1 : (int)AMP_AT(state, AMP_PRIV_PICK_RANK);
        AMP_PRIV_THREADS(tile, t) {
            AMP_OWN(own) = lane[t.local.v[0]] = begin >= 0 ? 0 : AMP_AT(counts, t.local.v[0]);
            AMP_AT(counts, t.local.v[0]) = 0;
        }
        amp_barrier_wait(tile.barrier); /* all have read what one will write */
        AMP_PRIV_TILE_SCAN(tile, int, lane, 256, a + b);
        AMP_PRIV_THREADS(tile, t) {
            const int x = t.local.v[0]; const int before = lane[x] - AMP_OWN(own);
            if (begin >= 0 && x < AMP_PRIV_PICK_STATE)
                AMP_AT(state, x) = x == AMP_PRIV_PICK_RANK ? (uint64_t)begin : 0;
            if (rank < before || rank >= lane[x]) continue;
            const int whole = set && rank == lane[x] - 1; /* all elements with this digit are taken */
            const uint64_t lower = whole ? ((uint64_t)1 << shift) - 1 : 0;
            AMP_AT(state, which) |= ((uint64_t)x << shift) | lower;
            AMP_AT(state, AMP_PRIV_PICK_RANK) = (uint64_t)(rank - before);
            if (whole) AMP_AT(state, AMP_PRIV_PICK_DONE) = 1;
            if (whole && which == AMP_PRIV_PICK_KEY) AMP_AT(state, AMP_PRIV_PICK_NUMBER) = INT_MAX;
        }
    });
}
#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN __func__

AMP_PRIV_API bool amp_priv_pick_begin(amp_priv_picking *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_head *keys, amp_priv_key_kind kind, bool descending, int rank,
                                      bool is_set)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (!amp_priv_head_ready(keys, name) || (is_set && rank < 0))
        return false;
    const int size = amp_priv_head_length(keys);
    if (rank < 0 || rank >= size) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: there are %d elements, so there is no element %d", name, size, rank);
        return false;
    }
    const uint64_t first = UINT64_C(1) << (8 * keys->element->size - 1), all = first | (first - 1);
    s->step.first = first;
    s->step.negative = kind == AMP_PRIV_KEY_FLOAT ? all ^ first : 0;
    s->step.flip = (kind == AMP_PRIV_KEY_UNSIGNED ? 0 : first) ^ (descending ? all : 0);
    s->step.size = size;
    for (s->step.rows = 64; size / AMP_PRIV_LANES / s->step.rows > 2048;)
        s->step.rows *= 2;
    s->step.shift = (int)(8 * keys->element->size);
    s->keys = keys;
    s->is_set = is_set;
    if (!amp_priv_call_begin(&s->call, name, view, &(amp_priv_named){ keys, "v" }, 1,
                             AMP_PRIV_DIGITS * sizeof(int) + 4 * 128))
        return false;
    s->counts = amp_priv_call_part(&s->call, AMP_PRIV_DIGITS * sizeof(int));
    s->state = amp_priv_call_part(&s->call, AMP_PRIV_PICK_STATE * sizeof(uint64_t));
    s->number = amp_priv_call_part(&s->call, sizeof(int));
    s->last = amp_priv_call_part(&s->call, sizeof(uint64_t));
    amp_array_view_int_1 counts;
    amp_array_view_uint64_t_1 state;
    amp_priv_call_view(&s->call, &counts, &amp_priv_element_int, s->counts, AMP_PRIV_DIGITS);
    amp_priv_call_view(&s->call, &state, &amp_priv_element_uint64_t, s->state, AMP_PRIV_PICK_STATE);
    amp_priv_pick_digit(s->call.view, counts, state, rank, s->step, is_set);
    return !amp_priv_call_failed(&s->call);
}

AMP_PRIV_API bool amp_priv_pick_next(amp_priv_picking *s, const amp_priv_element *key, void *keys, void *to,
                                     amp_array_view_int_1 *counts, amp_array_view_uint64_t_1 *state)
{
    amp_priv_pick_step *const step = &s->step;
    amp_priv_call_view(&s->call, counts, &amp_priv_element_int, s->counts, AMP_PRIV_DIGITS);
    amp_priv_call_view(&s->call, state, &amp_priv_element_uint64_t, s->state, AMP_PRIV_PICK_STATE);
    const amp_priv_shape shape = amp_priv_shape_of(s->keys);
    amp_priv_fill(keys, s->keys->source, key, AMP_PRIV_CONST_VIEW, 0, &shape);
    amp_priv_call_view(&s->call, to, key, s->last, 1);
    if (amp_priv_call_failed(&s->call) || step->pass == 2)
        return false;
    if (s->began)
        amp_priv_pick_digit(s->call.view, *counts, *state, -1, *step, s->is_set);
    s->began = true;
    if (step->shift == 0) {
        step->pass = s->is_set && step->pass == 0 ? 1 : 2;
        step->shift = 32;
    }
    step->shift -= 8;
    if (step->pass == 2 && s->call.result && !amp_priv_result_view(&s->call, to, key, s->last))
        return false;
    return !amp_priv_call_failed(&s->call) && !(step->pass == 2 && s->is_set);
}

AMP_PRIV_API int amp_priv_pick_threads(const amp_priv_picking *s)
{
    const int tile = AMP_PRIV_LANES * s->step.rows;
    return AMP_PRIV_LANES * (s->step.pass == 2 ? 1 : (s->step.size - 1) / tile + 1);
}

AMP_PRIV_API int amp_priv_pick_room(const char *name, const amp_priv_head *out, const amp_priv_head *at,
                                    const amp_priv_head *v)
{
    const amp_priv_named others[] = { { v, "v" }, { at, "at" } };
    if (!amp_priv_head_ready(out, name) || !amp_priv_head_ready(at, name) ||
        !amp_priv_is_apart(name, "out", out, others, 2, false) || !amp_priv_is_apart(name, "at", at, others, 1, false))
        return 0;
    const int room = amp_priv_head_length(out);
    return amp_priv_same_length(name, room, amp_priv_head_length(at)) ? room : 0;
}

AMP_PRIV_API bool amp_priv_shuffle_begin(amp_priv_shuffling *s, amp_accelerator_view view, const amp_priv_head *v)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->call);
    if (!amp_priv_head_ready(v, "amp_shuffle") || amp_priv_head_length(v) < 2)
        return false;
    s->v = v;
    return amp_priv_call_begin(&s->call, "amp_shuffle", view, &(amp_priv_named){ v, "v" }, 1,
                               (size_t)amp_priv_head_length(v) * v->element->size);
}

AMP_PRIV_API bool amp_priv_shuffle_next(amp_priv_shuffling *s, void *from, void *to)
{
    if (amp_priv_call_failed(&s->call) || s->pass == 2)
        return false;
    const amp_priv_shape shape = amp_priv_shape_of(s->v);
    s->pass++;
    amp_priv_fill(s->pass == 1 ? from : to, s->v->source, s->v->element, AMP_PRIV_VIEW, 0, &shape);
    amp_priv_call_view(&s->call, s->pass == 1 ? to : from, s->v->element, 0, (size_t)shape.extent[0]);
    return true;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_ORDER_H */
