/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/extremes.h - where the smallest and the greatest element are.

    As a reduction (amp/algorithms/reduce.h) whose lanes keep an element and its number.

    Contents (search for the tag):
        >>extremes  >>implementation */
#ifndef AMP_ALGORITHMS_EXTREMES_H
#define AMP_ALGORITHMS_EXTREMES_H

#include "reduce.h"

/* // >>extremes
   amp_argmin(v), amp_argmax(v): the first index of the smallest or greatest element, without NaN.
   amp_argmin_on(view, v), amp_argmax_on(view, v): the same on an accelerator view.
   v  a view or array of numbers of rank 1
   view  amp_accelerator_view
   Result: an int; -1 if no element is left, and after an error.
   Errors: those of amp_sum. Blocking: yes. Threads: any. Cost: each element is read once; two launches, one up to
   4096 elements. Source: std::min_element, std::max_element. */

/* amp_minmax(least, greatest, v): writes the smallest and the greatest element to two results.
   amp_argminmax(least, greatest, v): writes the first indexes of both extremes to two results.
   amp_minmax_on(view, least, greatest, v), amp_argminmax_on(view, least, greatest, v): the same on an accelerator
   view.
   least, greatest  results as for AMP_REDUCE, of the element type or, of amp_argminmax, of int
   v  a view or array of numbers of rank 1
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of amp_sum; the results are unchanged then. Blocking: for a variable. Threads: any. Cost: each
   element is read once; two launches, one up to 4096 elements. Source: std::minmax_element. */
#define amp_argmin(v) amp_argmin_on((amp_accelerator_view){ NULL }, v)
#define amp_argmax(v) amp_argmax_on((amp_accelerator_view){ NULL }, v)
#define amp_argmin_on(where, v)                                                                                        \
    AMP_PRIV_VALUE_OF(v, int, -1, AMP_PRIV_EXTREMES("amp_argmin", where, LEAST, AT,                                  \
                                                 int, &amp_priv_answer, true, NULL, true, v))
#define amp_argmax_on(where, v)                                                                                        \
    AMP_PRIV_VALUE_OF(v, int, -1, AMP_PRIV_EXTREMES("amp_argmax", where, GREATEST, AT,                               \
                                                 int, NULL, true, &amp_priv_answer, true, v))
#define amp_minmax(least, greatest, v) amp_minmax_on((amp_accelerator_view){ NULL }, least, greatest, v)
#define amp_minmax_on(where, least, greatest, v)                                                                       \
    AMP_PRIV_BOTH_EXTREMES("amp_minmax", where, ELEMENT, AMP_PRIV_GIVEN_TYPE(v),                                       \
                           AMP_PRIV_MSG_TYPE(v), least, greatest, v)
#define amp_argminmax(least, greatest, v) amp_argminmax_on((amp_accelerator_view){ NULL }, least, greatest, v)
#define amp_argminmax_on(where, least, greatest, v)                                                                    \
    AMP_PRIV_BOTH_EXTREMES("amp_argminmax", where, AT, int, "type int", least, greatest, v)

typedef struct amp_priv_extremes {
    amp_priv_reduction reduction; /* of numbers of elements, two of a block; its result is the least */
    const void *greatest;
    bool is_variable;
    const amp_priv_element *element;
    size_t values, last; /* where the elements of blocks are, and the greatest */
} amp_priv_extremes;

/* False after reporting. least, greatest: variables, or views or arrays; NULL: not wanted. */
AMP_PRIV_API bool amp_priv_extremes_begin(amp_priv_extremes *s, const char *name, amp_accelerator_view view,
                                          const amp_priv_head *v, const amp_priv_element *element, const void *least,
                                          bool is_variable, const void *greatest, bool greatest_is_variable);

/* The next launch: false when there is none. numbers, values: of the least and the greatest of each block. of: the
   type of the values. */
AMP_PRIV_API bool amp_priv_extremes_next(amp_priv_extremes *s, void *numbers, const amp_priv_element *of, void *values,
                                         void *least, void *greatest);

AMP_PRIV_API void amp_priv_extremes_end(amp_priv_extremes *s);

/* The templates of the kernels (amp/launch/template.h). */
AMP_PRIV_API const char *amp_priv_extremes_text_LEAST_AT(void);
AMP_PRIV_API const char *amp_priv_extremes_text_GREATEST_AT(void);
AMP_PRIV_API const char *amp_priv_extremes_text_BOTH_AT(void);
AMP_PRIV_API const char *amp_priv_extremes_text_BOTH_ELEMENT(void);

/* OF: AT, the number of the element, or ELEMENT. */
#define AMP_PRIV_BOTH_EXTREMES(name, where, OF, T, type, least, greatest, v)                                           \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_IS_RESULT(least, AMP_PRIV_VIEW_OF(T)) &&                                               \
                           AMP_PRIV_IS_RESULT(greatest, AMP_PRIV_VIEW_OF(T)),                                          \
                       AMP_PRIV_MSG_RESULT(name, "each result", type));                                                \
        AMP_PRIV_EXTREMES(name, where, BOTH, OF, T, AMP_PRIV_RESULT(least),                                            \
                          AMP_PRIV_IS_VARIABLE(least, AMP_PRIV_VIEW_OF(T)), AMP_PRIV_RESULT(greatest),                 \
                          AMP_PRIV_IS_VARIABLE(greatest, AMP_PRIV_VIEW_OF(T)), v);                                     \
    } while (0)
#define AMP_PRIV_EXTREME_ELEMENT(kept) amp_priv_##kept[0]
#define AMP_PRIV_EXTREME_AT(kept)      amp_priv_##kept##_at[0]

/* sides: which of them, LEAST, GREATEST or BOTH. DO(name, its number, what a new one is to it, OF) each. T: of the
   results. */
#define AMP_PRIV_EXTREMES_LEAST(DO, OF)    DO(least, 0, <, OF)
#define AMP_PRIV_EXTREMES_GREATEST(DO, OF) DO(greatest, 1, >, OF)
#define AMP_PRIV_EXTREMES_BOTH(DO, OF)     AMP_PRIV_EXTREMES_LEAST(DO, OF) AMP_PRIV_EXTREMES_GREATEST(DO, OF)
#define AMP_PRIV_EXTREMES(name, where, sides, OF, T, least, is_variable, greatest, greatest_is_variable, v)            \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_IS_DECLARED(v))                                                   \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        typedef AMP_PRIV_TYPE_OF(amp_priv_one) amp_priv_element_type;                                                  \
        const amp_priv_element_type amp_priv_no_least = AMP_PRIV_GREATEST(amp_priv_element_type);                      \
        const amp_priv_element_type amp_priv_no_greatest = AMP_PRIV_LEAST(amp_priv_element_type);                      \
        amp_priv_extremes amp_priv_this;                                                                               \
        if (amp_priv_extremes_begin(&amp_priv_this, name, where, &amp_priv_one.amp_priv, AMP_PRIV_RECORD_OF(T), least, \
                                    is_variable, greatest, greatest_is_variable)) {                                    \
            amp_array_view_int_1 amp_priv_numbers;                                                                     \
            AMP_PRIV_VIEW_OF(amp_priv_element_type) amp_priv_values;                                                   \
            AMP_PRIV_VIEW_OF(T) amp_priv_to_least, amp_priv_to_greatest;                                               \
            while (amp_priv_extremes_next(&amp_priv_this, &amp_priv_numbers,                                           \
                                          AMP_PRIV_RECORD_OF(amp_priv_element_type), &amp_priv_values,                 \
                                          &amp_priv_to_least, &amp_priv_to_greatest)) {                                \
                const amp_priv_reduce_step amp_priv_step = amp_priv_this.reduction.step;                               \
                const int amp_priv_blocks = amp_priv_this.reduction.blocks;                                            \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    amp_priv_extremes_text_##sides##_##OF, "\1", amp_priv_this.reduction.call.view,                    \
                    AMP_EXTENT(amp_priv_reduce_threads(&amp_priv_this.reduction)), (256), amp_priv_tile,               \
                    AMP_CAPTURE(amp_priv_one, amp_priv_numbers, amp_priv_values, amp_priv_to_least,                    \
                                amp_priv_to_greatest, amp_priv_blocks, amp_priv_no_least, amp_priv_no_greatest,        \
                                AMP_VALUE(amp_priv_reduce_step, amp_priv_step)),                                       \
                    AMP_PRIV_EXTREMES_BODY(AMP_PRIV_EXTREMES_##sides, AMP_PRIV_EXTREME_##OF));                         \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_extremes_end(&amp_priv_this);                                                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* Each lane keeps an element and its row, -1 where it has none: the first of equal ones, a NaN never, what nothing
   would be as any other. From then on it is the number of the element. */
#define AMP_PRIV_EXTREMES_BODY(sides, OF)                                                                              \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_one) amp_priv_T;                                                             \
        sides(AMP_PRIV_EXTREMES_DECLARE, OF)                                                                           \
        (void)amp_priv_no_least, (void)amp_priv_no_greatest, (void)amp_priv_to_least, (void)amp_priv_to_greatest;      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { sides(AMP_PRIV_EXTREMES_CLEAR, OF) }                             \
        const int64_t amp_priv_first = (int64_t)amp_priv_tile.tile.v[0] * amp_priv_step.rows * 256;                    \
        int amp_priv_row = 0;                                                                                          \
        AMP_PRIV_EXTREMES_WHOLE(sides, OF)                                                                             \
        for (; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                                    \
            const int64_t amp_priv_base = amp_priv_first + amp_priv_row * 256;                                         \
            const int64_t amp_priv_left = amp_priv_step.size - amp_priv_base;                                          \
            const int amp_priv_end = amp_priv_left < 256 ? (int)amp_priv_left : 256;                                   \
            if (amp_priv_step.pass == 0) {                                                                             \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                      \
                    const int amp_priv_position = amp_priv_row;                                                        \
                    const amp_priv_T amp_priv_new =                                                                    \
                        AMP_AT(amp_priv_one, (int)amp_priv_base + amp_priv_t.local.v[0]);                              \
                    sides(AMP_PRIV_EXTREMES_TAKE, OF)                                                                  \
                }                                                                                                      \
            } else {                                                                                                   \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) { sides(AMP_PRIV_EXTREMES_BLOCK, OF) } \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { sides(AMP_PRIV_EXTREMES_GIVE, OF) }                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_half = 128; amp_priv_half > 0; amp_priv_half /= 2) {                                         \
            AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_half) { sides(AMP_PRIV_EXTREMES_LANE, OF) }     \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
        }                                                                                                              \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                         \
            if (amp_priv_step.pass == 0 && amp_priv_blocks > 1) {                                                      \
                sides(AMP_PRIV_EXTREMES_OF_BLOCK, OF)                                                                  \
            } else {                                                                                                   \
                sides(AMP_PRIV_EXTREMES_RESULT, OF)                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }
/* Of a whole block, a GPU works on 8 rows at a time. The CPU backend works on one, whose length is a constant: gcc -O2
   vectorises only such a loop. (gcc -O3 would interchange both loops: an empty __asm__ prevents that.) */
#define AMP_PRIV_EXTREMES_ROWS AMP_PRIV_HOST_OR_DEVICE(1, "8")
AMP_PRIV_API int amp_priv_row_by_row(void);
#define AMP_PRIV_EXTREMES_WHOLE(sides, OF)                                                                             \
    if (amp_priv_step.pass == 0 && amp_priv_step.size - amp_priv_first >= (int64_t)amp_priv_step.rows * 256)           \
        for (; amp_priv_row < amp_priv_step.rows; amp_priv_row += AMP_PRIV_EXTREMES_ROWS) {                            \
            (void)AMP_PRIV_HOST_OR_DEVICE(amp_priv_row_by_row(), "0");                                                 \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                const int amp_priv_top = (int)amp_priv_first + amp_priv_row * 256 + amp_priv_t.local.v[0];             \
                amp_priv_T amp_priv_value[AMP_PRIV_EXTREMES_ROWS];                                                     \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_EXTREMES_ROWS; amp_priv_k++)                            \
                    amp_priv_value[amp_priv_k] = AMP_AT(amp_priv_one, amp_priv_top + amp_priv_k * 256);                \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_EXTREMES_ROWS; amp_priv_k++) {                          \
                    const int amp_priv_position = amp_priv_row + amp_priv_k;                                           \
                    const amp_priv_T amp_priv_new = amp_priv_value[amp_priv_k];                                        \
                    sides(AMP_PRIV_EXTREMES_TAKE, OF)                                                                  \
                }                                                                                                      \
            }                                                                                                          \
        }
#define AMP_PRIV_EXTREMES_DECLARE(kept, which, IS, OF)                                                                 \
    AMP_PRIV_TILE_STATIC(AMP_PRIV_TYPE_OF(amp_priv_one), amp_priv_##kept, [256]);                                      \
    AMP_PRIV_TILE_STATIC(int, amp_priv_##kept##_at, [256]);                                                            \
    AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_own_##kept);                                                               \
    AMP_PRIV_PRIVATE_1(int, amp_priv_own_##kept##_at);
#define AMP_PRIV_EXTREMES_CLEAR(kept, which, IS, OF)                                                                   \
    AMP_OWN(amp_priv_own_##kept) = amp_priv_no_##kept;                                                                 \
    AMP_OWN(amp_priv_own_##kept##_at) = -1;
#define AMP_PRIV_EXTREMES_TAKE(kept, which, IS, OF)                                                                    \
    {                                                                                                                  \
        const amp_priv_T amp_priv_old = AMP_OWN(amp_priv_own_##kept);                                                  \
        const int amp_priv_at = AMP_OWN(amp_priv_own_##kept##_at);                                                     \
        const int amp_priv_is =                                                                                        \
            (amp_priv_new IS amp_priv_old) | ((amp_priv_at < 0) & (amp_priv_new == amp_priv_no_##kept));               \
        AMP_OWN(amp_priv_own_##kept) = amp_priv_is ? amp_priv_new : amp_priv_old;                                      \
        AMP_OWN(amp_priv_own_##kept##_at) = amp_priv_is ? amp_priv_position : amp_priv_at;                             \
    }
/* The result of a block. */
#define AMP_PRIV_EXTREMES_BLOCK(kept, which, IS, OF)                                                                   \
    {                                                                                                                  \
        const int amp_priv_e = AMP_PRIV_EXTREMES_OF(which, (int)amp_priv_base + amp_priv_t.local.v[0]);                \
        if (amp_priv_e >= 0) {                                                                                         \
            const int amp_priv_position = amp_priv_row;                                                                \
            const amp_priv_T amp_priv_new =                                                                            \
                AMP_PRIV_CELL(amp_priv_values, 2 * ((int)amp_priv_base + amp_priv_t.local.v[0]) + (which));            \
            AMP_PRIV_EXTREMES_TAKE(kept, which, IS, OF)                                                                \
        }                                                                                                              \
    }
#define AMP_PRIV_EXTREMES_OF(which, block) AMP_PRIV_CELL(amp_priv_numbers, 2 * (block) + (which))
#define AMP_PRIV_EXTREMES_GIVE(kept, which, IS, OF)                                                                    \
    {                                                                                                                  \
        const int amp_priv_at = AMP_OWN(amp_priv_own_##kept##_at);                                                     \
        const int amp_priv_i = (int)amp_priv_first + amp_priv_at * 256 + amp_priv_t.local.v[0];                        \
        amp_priv_##kept[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_own_##kept);                                         \
        amp_priv_##kept##_at[amp_priv_t.local.v[0]] = amp_priv_at < 0 ? -1 : amp_priv_i;                               \
        if (amp_priv_at >= 0 && amp_priv_step.pass == 1)                                                               \
            amp_priv_##kept##_at[amp_priv_t.local.v[0]] = AMP_PRIV_EXTREMES_OF(which, amp_priv_i);                     \
    }
#define AMP_PRIV_EXTREMES_LANE(kept, which, IS, OF)                                                                    \
    {                                                                                                                  \
        const int amp_priv_me = amp_priv_t.local.v[0], amp_priv_its = amp_priv_me + amp_priv_half;                     \
        const amp_priv_T amp_priv_old = amp_priv_##kept[amp_priv_me], amp_priv_new = amp_priv_##kept[amp_priv_its];    \
        const int amp_priv_e = amp_priv_##kept##_at[amp_priv_me], amp_priv_f = amp_priv_##kept##_at[amp_priv_its];     \
        if (amp_priv_f >= 0 && (amp_priv_e < 0 || amp_priv_new IS amp_priv_old ||                                      \
                                (amp_priv_new == amp_priv_old && amp_priv_f < amp_priv_e))) {                          \
            amp_priv_##kept[amp_priv_me] = amp_priv_new;                                                               \
            amp_priv_##kept##_at[amp_priv_me] = amp_priv_f;                                                            \
        }                                                                                                              \
    }
#define AMP_PRIV_EXTREMES_OF_BLOCK(kept, which, IS, OF)                                                                \
    AMP_PRIV_EXTREMES_OF(which, amp_priv_t.tile.v[0]) = amp_priv_##kept##_at[0];                                       \
    AMP_PRIV_CELL(amp_priv_values, 2 * amp_priv_t.tile.v[0] + (which)) = amp_priv_##kept[0];
#define AMP_PRIV_EXTREMES_RESULT(kept, which, IS, OF) AMP_AT(amp_priv_to_##kept, 0) = OF(kept);

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_extremes_text_LEAST_AT,
                         AMP_PRIV_EXTREMES_BODY(AMP_PRIV_EXTREMES_LEAST, AMP_PRIV_EXTREME_AT))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_extremes_text_GREATEST_AT,
                         AMP_PRIV_EXTREMES_BODY(AMP_PRIV_EXTREMES_GREATEST, AMP_PRIV_EXTREME_AT))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_extremes_text_BOTH_AT,
                         AMP_PRIV_EXTREMES_BODY(AMP_PRIV_EXTREMES_BOTH, AMP_PRIV_EXTREME_AT))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_extremes_text_BOTH_ELEMENT,
                         AMP_PRIV_EXTREMES_BODY(AMP_PRIV_EXTREMES_BOTH, AMP_PRIV_EXTREME_ELEMENT))

AMP_PRIV_API bool amp_priv_extremes_begin(amp_priv_extremes *s, const char *name, amp_accelerator_view view,
                                          const amp_priv_head *v, const amp_priv_element *element, const void *least,
                                          bool is_variable, const void *greatest, bool greatest_is_variable)
{
    memset(s, 0, sizeof *s);
    amp_priv_errors_mark(&s->reduction.call);
    s->greatest = greatest;
    s->is_variable = greatest_is_variable;
    s->element = element;
    /* both numbers of a block, both values, and both results */
    const amp_priv_element two = { .size = 4 * sizeof(int64_t) };
    if (!v->source ||
        !amp_priv_reduce_begin(&s->reduction, name, view, &(amp_priv_named){ v, "v" }, 1, *amp_priv_head_extent(v),
                               &two, least, is_variable, (amp_priv_reduce_value){ NULL, NULL, NULL }))
        return false;
    s->reduction.element = element;
    s->last = s->reduction.last + sizeof(int64_t);
    s->values = s->reduction.partials + 2 * (size_t)s->reduction.blocks * sizeof(int64_t);
    return true;
}

AMP_PRIV_API bool amp_priv_extremes_next(amp_priv_extremes *s, void *numbers, const amp_priv_element *of, void *values,
                                         void *least, void *greatest)
{
    amp_priv_reduction *const r = &s->reduction;
    if (amp_priv_call_failed(&r->call) || r->passes == (r->blocks > 1 ? 2 : 1))
        return false;
    r->tiles = r->passes == 0 ? r->blocks : 1;
    r->step = (amp_priv_reduce_step){ r->size, r->rows, 0 };
    if (r->passes++ == 1)
        r->step = (amp_priv_reduce_step){ r->blocks, (r->blocks - 1) / AMP_PRIV_LANES + 1, 1 };
    amp_priv_call_view(&r->call, numbers, &amp_priv_element_int, r->partials, 2 * (size_t)r->blocks);
    amp_priv_call_view(&r->call, values, of, s->values, 2 * (size_t)r->blocks);
    amp_priv_call of_greatest = r->call;
    of_greatest.result = s->greatest;
    of_greatest.is_variable = s->is_variable;
    return amp_priv_result_view(&r->call, least, s->element, r->last) &&
           amp_priv_result_view(&of_greatest, greatest, s->element, s->last);
}

AMP_PRIV_API void amp_priv_extremes_end(amp_priv_extremes *s)
{
    amp_priv_call *const call = &s->reduction.call;
    if (call->temporary && call->result)
        amp_priv_result_fetch(call, s->element, s->reduction.last);
    call->result = s->greatest;
    call->is_variable = s->is_variable;
    if (call->temporary && call->result)
        amp_priv_result_fetch(call, s->element, s->last);
    amp_priv_call_end(call);
}

AMP_PRIV_API int amp_priv_row_by_row(void)
{
    __asm__ volatile("");
    return 0;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_EXTREMES_H */
