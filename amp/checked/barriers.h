/* SPDX-License-Identifier: MIT */
/*  amp/checked/barriers.h - checked builds: phases of a tile that need a barrier between them, also from one round of a
    loop to the next */
#ifndef AMP_CHECKED_BARRIERS_H
#define AMP_CHECKED_BARRIERS_H

#include "tiles.h"

#if defined(AMP_CHECKED)

/* Do threads of the tile wait for each other in these nodes, or may they, in a function that gets the barrier? */
AMP_PRIV_COLD bool amp_priv_barrier_is_in(const amp_priv_tree *tree, int from, int to)
{
    for (int n = from; n <= to; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        if (amp_priv_tile_is_member(tree, n, "barrier") ||
            (node->kind == AMP_PRIV_TREE_NAME && amp_priv_token_waits(node->token)))
            return true;
    }
    return false;
}

/* The innermost loop of the user's that has both nodes; 0: there is none. */
AMP_PRIV_COLD int amp_priv_barrier_loop(const amp_priv_tree *tree, int m, int n)
{
    for (m = tree->node[m].parent; m && m != tree->root; m = tree->node[m].parent) {
        const amp_priv_tree_node *const loop = &tree->node[m], *const begin = &tree->node[tree->node[loop->a].a];
        const bool is_of_macro =
            begin->kind == AMP_PRIV_TREE_DECLARE && (amp_priv_token_begins(begin->token, "amp_priv_") ||
                                                     amp_priv_token_begins(tree->node[begin->d].token, "amp_priv_"));
        if (loop->kind == AMP_PRIV_TREE_LOOP && n >= loop->first && n <= loop->last && !is_of_macro)
            return m;
    }
    return 0;
}

/* Do the phases, the first before the second, or one alone, need a barrier that is not there? Returns the name's node
   of an element; 0: they do not. */
AMP_PRIV_COLD int amp_priv_barrier_misses(const amp_priv_tree *tree, int first, int second)
{
    const int loop = amp_priv_barrier_loop(tree, first, second);
    int met = 0;
    if (amp_priv_race_branch_without(tree, first, second) || amp_priv_race_branch_without(tree, second, first) ||
        (first == second && amp_priv_phase_meets(tree, first)))
        return 0;
    if (first != second && !amp_priv_barrier_is_in(tree, tree->node[first].last + 1, tree->node[second].first - 1)) {
        met = amp_priv_phases_meet(tree, first, second, AMP_PRIV_PHASES_FOLLOW);
        met = met ? met : amp_priv_phases_meet(tree, second, first, AMP_PRIV_PHASES_FOLLOW);
    }
    if (!met && loop && !amp_priv_barrier_is_in(tree, tree->node[second].last + 1, tree->node[loop].last) &&
        !amp_priv_barrier_is_in(tree, tree->node[loop].first, tree->node[first].first - 1)) {
        met = amp_priv_phases_meet(tree, first, second, loop);
        met = met ? met : amp_priv_phases_meet(tree, second, first, loop);
    }
    return met;
}

AMP_PRIV_COLD void amp_priv_warn_of_barriers(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site)
{
    const amp_priv_tree *const tree = &body->tree;
    int met = 0;
    amp_priv_string text = { .text = NULL };
    if (!site->tiled || site->unvalidated || amp_priv_site_is_algorithm(site) || !body->good)
        return;
    for (int m = 1; m < tree->count && !met; m++)
        for (int n = m; n < tree->count && !met && amp_priv_tree_is_phase(tree, m); n++)
            met = amp_priv_tree_is_phase(tree, n) ? amp_priv_barrier_misses(tree, m, n) : 0;
    if (met)
        amp_priv_add_sentence(&text, AMP_PRIV_MSG_NO_BARRIER, tree->node[met].token);
    if (met && !text.failed)
        amp_priv_portability_warn(site, "%s", text.text);
    free(text.text);
}

#endif

#endif /* AMP_CHECKED_BARRIERS_H */
