/* SPDX-License-Identifier: MIT */
/*  amp/validate/uniform.h - finds a phase of a tiled kernel that accumulates in a variable of uniform code */
#ifndef AMP_VALIDATE_UNIFORM_H
#define AMP_VALIDATE_UNIFORM_H

#include "../codegen/tree_use.h"

/* Does the name at n get a value that depends on its own: x++, x += 1, x = x + 1? Not x &= 1: doing it once for each
   thread is the same as doing it once. */
AMP_PRIV_COLD bool amp_priv_tree_accumulates(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node, *const by = &node[node[n].parent], *const value = &node[by->b];
    if (by->kind == AMP_PRIV_TREE_STEP)
        return true;
    if (by->kind != AMP_PRIV_TREE_ASSIGN || by->a != n)
        return false;
    const bool names_itself = (node[value->a].kind == AMP_PRIV_TREE_NAME && node[value->a].value == node[n].value) ||
                              (node[value->b].kind == AMP_PRIV_TREE_NAME && node[value->b].value == node[n].value);
    return amp_priv_listed(" += -= *= /= ^= <<= >>= ", by->token) ||
           (amp_priv_token_is(by->token, "=") && value->kind == AMP_PRIV_TREE_BINARY && names_itself &&
            amp_priv_listed(" + - * / ", value->token));
}

/* Is the name at n that of a single variable which is declared before the phase, and which no node of the phase names
   before? */
AMP_PRIV_COLD bool amp_priv_tree_is_first_in_phase(const amp_priv_tree *tree, int phase, int n)
{
    const long long variable = tree->node[n].value;
    const int declared = tree->node[n].kind == AMP_PRIV_TREE_NAME && variable ? tree->declared[variable] : 0;
    if (!declared || declared >= tree->node[phase].first || tree->node[declared].b ||
        tree->node[declared].meaning == AMP_PRIV_MEANS_TILE_STATIC ||
        amp_priv_token_begins(tree->node[n].token, "amp_priv_"))
        return false;
    for (int i = tree->node[tree->node[phase].d].first; i < n; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value == variable)
            return false;
    return true;
}

/* The name of a uniform variable that a phase accumulates in, of a tile with several threads; of kind
   AMP_PRIV_TOKEN_END: there is none. The CPU backend has one such variable for the tile, a device one for each
   thread. */
AMP_PRIV_COLD amp_priv_token amp_priv_uniform_sum_of(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site)
{
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, "" };
    const amp_priv_tree *const tree = &body->tree;
    bool is_many = false;
    for (int d = 0; d < site->rank && site->tiled; d++)
        is_many = is_many || site->tile[d] > 1;
    for (int phase = 1; phase < tree->count && body->good && is_many; phase++) {
        if (!amp_priv_tree_is_phase(tree, phase))
            continue;
        const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
        for (int n = threads->first; n <= threads->last && found.kind == AMP_PRIV_TOKEN_END; n++)
            if (amp_priv_tree_accumulates(tree, n) && amp_priv_tree_is_first_in_phase(tree, phase, n))
                found = tree->node[n].token;
    }
    return found;
}

#endif /* AMP_VALIDATE_UNIFORM_H */
