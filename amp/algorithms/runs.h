/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/runs.h - runs of equal elements.

    On the CPU backend a run is a segment (amp/algorithms/segments.h). A device selects the first element of each run
    (amp/algorithms/select.h). It computes the length of a run when the next run begins in the same tile. For the last
    run of a tile it stores the index of the first element; a last launch computes the length from it.

    Contents (search for the tag):
        >>runs  >>kernel  >>implementation */
#ifndef AMP_ALGORITHMS_RUNS_H
#define AMP_ALGORITHMS_RUNS_H

#include "segments.h"
#include "select.h"

/* // >>runs
   amp_run_length_encode(kept, lengths, count, v): kept = each of adjacent equal elements once, lengths = how many
   there are.
   amp_run_length_encode_on(view, kept, lengths, count, v): the same on an accelerator view.
   kept, lengths  views or arrays of rank 1, of v's type and of int, which do not overlap what is read; if one is too
                  short, it gets the first runs
   count  an int variable, which has the number of runs when the call returns; or a view or array of int of rank 1,
          without waiting
   v  a view or array of numbers of rank 1
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE; count is unchanged then. AMP_INVALID_ARGUMENT (a result is too short), as of
   AMP_SELECT_IF. Blocking: for a variable. Threads: any. Cost: on the CPU backend as AMP_REDUCE_BY_KEY; a device reads
   an element once, in two launches. Source: CUB's DeviceRunLengthEncode. */
#define amp_run_length_encode(kept, lengths, count, v)                                                                 \
    amp_run_length_encode_on((amp_accelerator_view){ NULL }, kept, lengths, count, v)
#define amp_run_length_encode_on(where, kept, lengths, count, v)                                                       \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_run_length_encode", "kept, lengths, count, v", where,                                   \
                          AMP_PRIV_MAY_BE_GIVEN(kept) && AMP_PRIV_MAY_BE_GIVEN(lengths) && AMP_PRIV_MAY_BE_GIVEN(v))   \
        AMP_PRIV_READ_FROM("amp_run_length_encode", runs, v)                                                           \
        const amp_accelerator_view amp_priv_given_view = where;                                                        \
        if (amp_priv_runs_on_host(amp_priv_given_view, &amp_priv_runs.amp_priv))                                       \
            AMP_PRIV_REDUCE_KEYS("amp_run_length_encode", ("lengths", "kept"), amp_priv_given_view, int,               \
                                 amp_array_view_int_1, &amp_priv_element_int, kept, lengths, count, amp_priv_runs,     \
                                 (amp_priv_i), AMP_CAPTURE(), 1, a + b, 0);                                            \
        else                                                                                                           \
            AMP_PRIV_RUNS("amp_run_length_encode", amp_priv_given_view, kept, lengths, count);                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

AMP_PRIV_API bool amp_priv_runs_on_host(amp_accelerator_view view, const amp_priv_head *v);

/* False after reporting. heads: v, kept, lengths. */
AMP_PRIV_API bool amp_priv_runs_begin(amp_priv_selecting *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_named *heads, const void *result, bool is_variable);

/* The view on where the first run of each tile begins. */
AMP_PRIV_API void amp_priv_runs_view(const amp_priv_selecting *s, amp_array_view_int_1 *firsts);

/* The template of the kernel (amp/launch/template.h). */
AMP_PRIV_API const char *amp_priv_runs_text(void);

/* // >>kernel */

#define AMP_PRIV_RUNS(name, where, kept, lengths, count)                                                               \
    do {                                                                                                               \
        AMP_PRIV_CHECK_RESULT(name, count, "type int", amp_array_view_int_1)                                           \
        AMP_PRIV_WRITE_TO(name, 1, kept)                                                                               \
        const AMP_PRIV_VIEW_TYPE(lengths) amp_priv_lengths = amp_view_of(lengths);                                     \
        const amp_priv_named amp_priv_heads[] = { { &amp_priv_runs.amp_priv, "amp_priv_runs" },                        \
                                                  { &amp_priv_out.amp_priv, "amp_priv_out" },                          \
                                                  { &amp_priv_lengths.amp_priv, "amp_priv_lengths" } };                \
        amp_priv_selecting amp_priv_this;                                                                              \
        if (amp_priv_runs_begin(&amp_priv_this, name, where, amp_priv_heads, AMP_PRIV_RESULT(count),                   \
                                AMP_PRIV_IS_VARIABLE(count, amp_array_view_int_1))) {                                  \
            const amp_extent1 amp_priv_domain = amp_priv_runs.extent;                                                  \
            (void)amp_priv_domain;                                                                                     \
            amp_array_view_uint32_t_1 amp_priv_published;                                                              \
            amp_array_view_int_1 amp_priv_to, amp_priv_firsts;                                                         \
            amp_priv_runs_view(&amp_priv_this, &amp_priv_firsts);                                                      \
            while (amp_priv_select_next(&amp_priv_this, &amp_priv_published, &amp_priv_to)) {                          \
                const amp_priv_tiles_step amp_priv_step = amp_priv_this.step;                                          \
                AMP_PRIV_TILED_DEVICE(                                                                                 \
                    amp_priv_runs_text, "\1", amp_priv_this.scan.call.view,                                            \
                    AMP_EXTENT(amp_priv_select_threads(&amp_priv_this)), (256), amp_priv_tile,                         \
                    AMP_CAPTURE(amp_priv_runs, amp_priv_out, amp_priv_lengths, amp_priv_published, amp_priv_firsts,    \
                                amp_priv_to, AMP_VALUE(amp_extent1, amp_priv_domain),                                  \
                                AMP_VALUE(amp_priv_tiles_step, amp_priv_step)),                                        \
                    AMP_PRIV_RUNS_BODY);                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_scan_end(&amp_priv_this.scan);                                                                        \
    } while (0)
#define AMP_PRIV_RUNS_BODY                                                                                             \
    AMP_PRIV_SELECT_BODY((amp_priv_i), AMP_PRIV_RUNS_BEGINS, AMP_AT(amp_priv_runs, amp_priv_i), false, 0,              \
                         (AMP_PRIV_RUNS_LENGTHS), (AMP_PRIV_RUNS_CLOSE))
#define AMP_PRIV_RUNS_BEGINS                                                                                           \
    amp_priv_i == 0 || AMP_AT(amp_priv_runs, amp_priv_i - (amp_priv_i > 0)) != AMP_AT(amp_priv_runs, amp_priv_i)

/* After the elements of a tile, whose numbers are in amp_priv_listed. The first is kept, plus one; 0: none. */
#define AMP_PRIV_RUNS_LENGTHS                                                                                          \
    for (int amp_priv_row = 0; amp_priv_row < amp_priv_selected; amp_priv_row += 256)                                  \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            const int amp_priv_k = amp_priv_row + amp_priv_t.local.v[0];                                               \
            const int amp_priv_there = amp_priv_before + amp_priv_k;                                                   \
            if (amp_priv_k < amp_priv_selected && amp_priv_there < amp_priv_lengths.extent.v[0]) {                     \
                const int amp_priv_begin = amp_priv_listed[amp_priv_k];                                                \
                AMP_AT(amp_priv_lengths, amp_priv_there) =                                                             \
                    amp_priv_k + 1 < amp_priv_selected ? amp_priv_listed[amp_priv_k + 1] - amp_priv_begin              \
                                                       : (int)amp_priv_first + amp_priv_begin;                         \
            }                                                                                                          \
        }                                                                                                              \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                               \
    AMP_PRIV_CELL(amp_priv_firsts, amp_priv_number) =                                                                  \
        amp_priv_selected > 0 ? (int)amp_priv_first + amp_priv_listed[0] + 1 : 0;

/* The run that is open before tile amp_priv_i ends where its first one begins; the last run, at the end. */
#define AMP_PRIV_RUNS_CLOSE                                                                                            \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const int amp_priv_i = amp_priv_tile.tile.v[0] * 256 + amp_priv_t.local.v[0];                                  \
        int amp_priv_end = 0;                                                                                          \
        if (amp_priv_i < amp_priv_step.tiles)                                                                          \
            amp_priv_end = AMP_PRIV_CELL(amp_priv_firsts, amp_priv_i) - 1;                                             \
        else if (amp_priv_i == amp_priv_step.tiles)                                                                    \
            amp_priv_end = (int)amp_priv_step.size;                                                                    \
        if (amp_priv_i > 0 && amp_priv_end > 0) {                                                                      \
            uint32_t amp_priv_status;                                                                                  \
            int amp_priv_open;                                                                                         \
            AMP_PRIV_PUBLISHED(int, 0, amp_priv_i - 1, amp_priv_status, amp_priv_open)                                 \
            (void)amp_priv_status;                                                                                     \
            amp_priv_open--;                                                                                           \
            if (amp_priv_open >= 0 && amp_priv_open < amp_priv_lengths.extent.v[0])                                    \
                AMP_AT(amp_priv_lengths, amp_priv_open) = amp_priv_end - AMP_AT(amp_priv_lengths, amp_priv_open);      \
        }                                                                                                              \
    }

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_runs_text, AMP_PRIV_RUNS_BODY)

AMP_PRIV_API bool amp_priv_runs_on_host(amp_accelerator_view view, const amp_priv_head *v)
{
    const amp_priv_named heads[] = { { v, "amp_priv_runs" } };
    const amp_priv_queue *const queue = amp_priv_call_target(view, heads, 1);
    return !queue || amp_priv_is_host(queue->device->number);
}

AMP_PRIV_API void amp_priv_runs_view(const amp_priv_selecting *s, amp_array_view_int_1 *firsts)
{
    amp_priv_call_view(&s->scan.call, firsts, &amp_priv_element_int, s->state, (size_t)s->step.tiles);
}

AMP_PRIV_API bool amp_priv_runs_begin(amp_priv_selecting *s, const char *name, amp_accelerator_view view,
                                      const amp_priv_named *heads, const void *result, bool is_variable)
{
    memset(s, 0, sizeof *s);
    amp_priv_call *const call = &s->scan.call;
    amp_priv_errors_mark(call);
    const amp_priv_head *const kept = heads[1].head, *const lengths = heads[2].head;
    if (!heads[0].head->source || !amp_priv_head_ready(kept, name) || !amp_priv_head_ready(lengths, name) ||
        !amp_priv_is_apart(name, "lengths", lengths, heads, 2, false) ||
        !amp_priv_is_apart(name, "kept", kept, heads, 1, false) ||
        !amp_priv_count_is_apart(name, result, is_variable, heads, 3))
        return false;
    const int64_t size = *amp_priv_head_extent(heads[0].head);
    const amp_accelerator_view where = { amp_priv_call_target(view, heads, 3) };
    s->out = kept;
    s->lengths = lengths;
    if (!where.amp_priv_queue || !amp_priv_select_begin_tiles(s, name, where, size))
        return false;
    call->result = result;
    call->is_variable = is_variable;
    amp_priv_call_counts(call, "lengths", lengths, size);
    amp_priv_call_counts(call, "kept", kept, size);
    return true;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_RUNS_H */
