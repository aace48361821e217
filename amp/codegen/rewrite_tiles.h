/* SPDX-License-Identifier: MIT */
/*  amp/codegen/rewrite_tiles.h - unrolls loops and repairs branches in tiled kernels */
#ifndef AMP_CODEGEN_REWRITE_TILES_H
#define AMP_CODEGEN_REWRITE_TILES_H

#include "coarsen.h"

/* Has the loops over the threads that a work-item runs written out on a GPU: their private variables are registers
   then. */
AMP_PRIV_COLD void amp_priv_unroll_phases(amp_priv_token_list *body, const char *coordinate)
{
    for (amp_priv_source_token *t = body->token; t < body->token + body->count; t++)
        if (amp_priv_is(t, "for") && amp_priv_is(t + 3, coordinate))
            amp_priv_token_insert(body, t, "amp_priv_unroll ");
}

/* Ends the branches between, in loops, that wait with branch_end. */
AMP_PRIV_COLD void amp_priv_end_branches(amp_priv_token_list *body, amp_priv_cursor from, amp_priv_cursor end,
                                         const char *branch_end, bool in_loop)
{
    for (amp_priv_cursor t = from; t < end; t++) {
        const bool is_branch = amp_priv_is(t, "if") || amp_priv_is(t, "else");
        const bool is_loop = amp_priv_is(t, "for") || amp_priv_is(t, "while");
        if (!is_branch && !is_loop && !amp_priv_is(t, "do"))
            continue;
        const amp_priv_cursor open = amp_priv_block_of(t, is_branch), close = amp_priv_closing(open);
        if (!amp_priv_is(open, "{"))
            continue;
        const bool again = amp_priv_is(close + 1, "while") && !amp_priv_is(close + 3, "0"); /* while (0) is none */
        amp_priv_end_branches(body, open + 1, close, branch_end, in_loop || is_loop || again);
        if (is_branch && in_loop && amp_priv_waits(open, close))
            amp_priv_token_insert(body, &body->token[close - body->token], branch_end);
        t = close;
    }
}

AMP_PRIV_COLD void amp_priv_rewrite_tiled(amp_priv_token_list *body, const amp_priv_launch_site *site, unsigned variant,
                                          const amp_priv_target *target, bool is_unrolled)
{
    if (amp_priv_coarsening(variant) > 1 && is_unrolled)
        amp_priv_unroll_phases(body, amp_priv_coarsened_dimension(site->rank) ? "amp_priv_y" : "amp_priv_x");
    if (target->branch_end)
        amp_priv_end_branches(body, body->token, body->token + body->count, target->branch_end, false);
}

#endif /* AMP_CODEGEN_REWRITE_TILES_H */
