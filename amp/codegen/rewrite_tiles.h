/* SPDX-License-Identifier: MIT */
/*  amp/codegen/rewrite_tiles.h - unrolls loops and repairs branches in tiled kernels */
#ifndef AMP_CODEGEN_REWRITE_TILES_H
#define AMP_CODEGEN_REWRITE_TILES_H

#include "coarsen.h"

/* Has the loops over the threads that a work-item carries written out on a GPU: their private variables are registers
   then. */
AMP_PRIV_COLD void amp_priv_unroll_phases(amp_priv_string *body, const char *coordinate)
{
    amp_priv_string unrolled = { NULL, 0, 0, false };
    for (amp_priv_token t = amp_priv_token_at(body->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        const amp_priv_token type = amp_priv_token_after(amp_priv_token_after(t));
        if (amp_priv_token_is(t, "for") && amp_priv_token_is(amp_priv_token_after(type), coordinate))
            amp_priv_adds(&unrolled, "amp_priv_unroll ");
        amp_priv_add(&unrolled, t.at, t.length);
    }
    free(body->text);
    *body = unrolled;
}

/* Appends the text between, with branch_end where it is asked for. */
AMP_PRIV_COLD void amp_priv_add_branches(amp_priv_string *out, const char *from, const char *end,
                                         const char *branch_end, bool in_loop)
{
    for (amp_priv_token t = amp_priv_token_at(from); t.at < end;) {
        const bool is_branch = amp_priv_token_is(t, "if") || amp_priv_token_is(t, "else");
        const bool is_loop = amp_priv_token_is(t, "for") || amp_priv_token_is(t, "while");
        const bool may_have = is_branch || is_loop || amp_priv_token_is(t, "do");
        const amp_priv_token open = may_have ? amp_priv_block_of(t, is_branch) : t;
        if (!amp_priv_token_is(open, "{") || open.at == t.at) {
            amp_priv_add(out, t.at, t.length);
            t = amp_priv_token_at(t.at + t.length);
            continue;
        }
        const amp_priv_token close = amp_priv_block_end(open), after = amp_priv_token_after(close);
        const bool again = amp_priv_token_is(after, "while") && /* do { ... } while (0) is none */
                           !amp_priv_token_is(amp_priv_token_after(amp_priv_token_after(after)), "0");
        amp_priv_add(out, t.at, (size_t)(open.at + 1 - t.at));
        amp_priv_add_branches(out, open.at + 1, close.at, branch_end, in_loop || is_loop || again);
        if (is_branch && in_loop && amp_priv_waits(open.at, close.at))
            amp_priv_addf(out, " %s ", branch_end);
        amp_priv_add(out, close.at, close.length);
        t = amp_priv_token_at(close.at + close.length);
    }
}

AMP_PRIV_COLD void amp_priv_end_branches(amp_priv_string *body, const char *branch_end)
{
    amp_priv_string ended = { NULL, 0, 0, false };
    amp_priv_add_branches(&ended, body->text, body->text + body->length, branch_end, false);
    free(body->text);
    *body = ended;
}

AMP_PRIV_COLD void amp_priv_rewrite_tiled(amp_priv_string *body, const amp_priv_launch_site *site, unsigned variant,
                                          const amp_priv_target *target)
{
    if (amp_priv_coarsening(variant) > 1 && amp_priv_unrolls(site, body->text))
        amp_priv_unroll_phases(body, amp_priv_coarsened_dimension(site->rank) ? "amp_priv_y" : "amp_priv_x");
    if (target->branch_end && body->text)
        amp_priv_end_branches(body, target->branch_end);
}

#endif /* AMP_CODEGEN_REWRITE_TILES_H */
