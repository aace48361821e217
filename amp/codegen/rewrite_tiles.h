/* SPDX-License-Identifier: MIT */
/*  amp/codegen/rewrite_tiles.h - unrolls loops in tiled kernels, and what the target changes there */
#ifndef AMP_CODEGEN_REWRITE_TILES_H
#define AMP_CODEGEN_REWRITE_TILES_H

#include "coarsen.h"
#include "generate.h"

/* Has the loops over the threads that a work-item runs written out on a GPU: their private variables are registers
   then. */
AMP_PRIV_COLD void amp_priv_unroll_phases(amp_priv_token_list *body, const char *coordinate)
{
    for (amp_priv_source_token *t = body->token; t < body->token + body->count; t++)
        if (amp_priv_is(t, "for") && amp_priv_is(t + 3, coordinate))
            amp_priv_token_insert(body, t, "amp_priv_unroll ");
}

/* Where a work-item runs one thread, AMP_PRIVATE variables need no dimensions for it, and AMP_OWN no subscripts. */
AMP_PRIV_COLD void amp_priv_leave_own_out(amp_priv_token_list *body)
{
    const amp_priv_source_token end = body->token[body->count];
    size_t kept = 0;
    for (size_t i = 0; i < body->count; i++) {
        const amp_priv_cursor t = &body->token[i];
        if (amp_priv_is(t, "[") &&
            (amp_priv_is(t + 1, "amp_priv_own_count") || amp_priv_is(t + 1, "amp_priv_own_index")))
            i += (size_t)t->partner;
        else
            body->token[kept++] = *t;
    }
    body->count = kept;
    amp_priv_tokens_end(body, end);
}

/* At the `for` of a loop around a phase that pays to unroll: the number or word behind `<`, its turns, where no loop
   is inside and the phase is short; else NULL. Only a constant number of turns leaves none over. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_turns_of_phase(amp_priv_cursor t)
{
    enum { AMP_PRIV_SHORT_PHASE = 400 }; /* tokens */
    const amp_priv_cursor close = amp_priv_closing(t + 1);
    amp_priv_cursor phase = close + 1, less = t;
    if (!amp_priv_is(t, "for") || !amp_priv_is(phase, "for") || !amp_priv_is(phase + 3, "amp_priv_once"))
        return NULL;
    while (less < close && !amp_priv_is(less, "<"))
        less++;
    if (!amp_priv_is(less + 2, ";"))
        return NULL;
    while (amp_priv_is(phase, "for"))
        phase = amp_priv_closing(phase + 1) + 1;
    const amp_priv_cursor end = amp_priv_closing(phase);
    if (end - phase > AMP_PRIV_SHORT_PHASE)
        return NULL;
    while (phase < end && !amp_priv_listed(" for while do ", phase->token))
        phase++;
    return phase == end ? less + 1 : NULL;
}

AMP_PRIV_COLD void amp_priv_rewrite_tiled(amp_priv_token_list *body, const amp_priv_launch_site *site, unsigned variant,
                                          const amp_priv_target *target, bool is_unrolled)
{
    if (amp_priv_coarsening(variant) == 1 && !target->runs_tiles)
        amp_priv_leave_own_out(body);
    else if (is_unrolled)
        amp_priv_unroll_phases(body, amp_priv_coarsened_dimension(site->rank) ? "amp_priv_y" : "amp_priv_x");
    if (target->rewrite_tiled)
        target->rewrite_tiled(body, site);
}

#endif /* AMP_CODEGEN_REWRITE_TILES_H */
