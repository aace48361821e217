/* SPDX-License-Identifier: MIT */
/*  amp/validate/validate.h - what is wrong with a kernel's source, and what makes it slow on the CPU, once for
    each site

    Hooks: first, first_loops. Registered before the first launch of each program. amp.h includes it. */
#ifndef AMP_VALIDATE_VALIDATE_H
#define AMP_VALIDATE_VALIDATE_H

#include "comparisons.h"
#include "loop_notes.h"
#include "races.h"
#include "source.h"
#include "uniform.h"
#include "uninitialised.h"

/* The name of what a predicate, !!(x = 0), assigns to; 0: no predicate assigns. */
AMP_PRIV_COLD int amp_priv_tree_assigned_by_predicate(const amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const outer = &tree->node[n], *const inner = &tree->node[outer->a];
        int target = tree->node[inner->a].a;
        if (outer->kind != AMP_PRIV_TREE_UNARY || !amp_priv_token_is(outer->token, "!") ||
            inner->kind != AMP_PRIV_TREE_UNARY || !amp_priv_token_is(inner->token, "!") ||
            tree->node[inner->a].kind != AMP_PRIV_TREE_ASSIGN || !amp_priv_token_is(tree->node[inner->a].token, "="))
            continue;
        while (tree->node[target].kind == AMP_PRIV_TREE_ACCESS || tree->node[target].kind == AMP_PRIV_TREE_MEMBER ||
               tree->node[target].kind == AMP_PRIV_TREE_ELEMENT)
            target = tree->node[target].a;
        return tree->node[target].kind == AMP_PRIV_TREE_NAME ? target : 0;
    }
    return 0;
}

/* Reports a predicate that assigns, a local variable that is read too early, a sum in a uniform variable, a comparison
   that cannot be meant, or a race that is certain in a launch with that extent. */
AMP_PRIV_COLD amp_status amp_priv_check_tree(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                             const int *values, void *const *captured)
{
    amp_priv_string text = { .text = NULL };
    const int predicate = body->good ? amp_priv_tree_assigned_by_predicate(&body->tree) : 0;
    const amp_priv_token name = amp_priv_uninitialised_of(body, site);
    const amp_priv_token sum = amp_priv_uniform_sum_of(body, site);
    const amp_priv_race race = amp_priv_race_of(body, site, values, captured, false);
    amp_priv_token compared = { AMP_PRIV_TOKEN_END, 0, "" };
    const char *const comparison = amp_priv_comparison_of(body, &compared);
    if (predicate)
        amp_priv_add_sentence(&text, AMP_PRIV_MSG_PREDICATE, body->tree.node[predicate].token);
    else if (name.kind != AMP_PRIV_TOKEN_END)
        amp_priv_add_sentence(&text, AMP_PRIV_MSG_UNINITIALISED, name);
    else if (sum.kind != AMP_PRIV_TOKEN_END)
        amp_priv_add_sentence(&text, AMP_PRIV_MSG_UNIFORM_SUM, sum);
    else if (comparison)
        amp_priv_add_sentence(&text, comparison, compared);
    else if (race.kind != AMP_PRIV_RACE_NONE)
        amp_priv_add_sentence(&text, amp_priv_race_text(race), amp_priv_token_of(site->captures[race.capture].name));
    else
        return AMP_OK;
    const amp_status status =
        text.failed ? AMP_OK : amp_priv_site_report(site, AMP_COMPILATION_FAILED, "%s", text.text);
    free(text.text);
    return status;
}

/* Finds what is wrong with a body. */
AMP_PRIV_COLD amp_status amp_priv_check_body(amp_priv_launch_site *site, const int *values, void *const *captured)
{
    if (amp_priv_captures_foreign(site, captured)) /* whose elements are not to be believed */
        return AMP_RUNTIME_ERROR;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    amp_status status = amp_priv_validate(site, captured, body);
    if (status == AMP_OK)
        status = amp_priv_check_tree(body, site, values, captured);
    amp_priv_site_tree_release(body);
    return status;
}

/* Before the first launch of a site: looks through its text. values: the extent. */
AMP_PRIV_COLD amp_status amp_priv_validate_first(amp_priv_launch_site *site, const int *values, void *const *captured)
{
    return site->unvalidated ? AMP_OK : amp_priv_check_body(site, values, captured);
}

AMP_PRIV_COLD void amp_priv_validate_register(void)
{
    static const amp_priv_hook hook = { .first = amp_priv_validate_first, .first_loops = amp_priv_note_loops };
    amp_priv_hook_add(AMP_PRIV_HOOK_VALIDATE, &hook);
}

#endif /* AMP_VALIDATE_VALIDATE_H */
