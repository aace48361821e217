/* SPDX-License-Identifier: MIT */
/*  amp/codegen/races.h - finds what is certainly a race: every index of a launch changes one element of a view

    Only where each index comes to it: not in a branch, and not in a kernel that ends some of its threads early. */
#ifndef AMP_CODEGEN_RACES_H
#define AMP_CODEGEN_RACES_H

#include "tree_use.h"

/* Has the node the same value for each index: numbers and captured scalars? */
AMP_PRIV_COLD bool amp_priv_tree_is_uniform(const amp_priv_tree *tree, int n, const amp_priv_launch_site *site)
{
    for (int i = tree->node[n].first; i <= tree->node[n].last; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        bool is = node->kind == AMP_PRIV_TREE_NUMBER || node->kind == AMP_PRIV_TREE_BINARY;
        for (int c = 0; c < site->capture_count && node->kind == AMP_PRIV_TREE_NAME && !node->value; c++)
            is = is || (amp_priv_token_is(node->token, site->captures[c].name) &&
                        site->captures[c].kind != AMP_PRIV_CAPTURE_VIEW);
        if (!is)
            return false;
    }
    return true;
}

/* Does each index come to the node? */
AMP_PRIV_COLD bool amp_priv_tree_is_for_all(const amp_priv_tree *tree, int n)
{
    while ((n = tree->node[n].parent) != 0 && n != tree->root)
        if (tree->node[n].kind != AMP_PRIV_TREE_BLOCK && tree->node[n].kind != AMP_PRIV_TREE_LOOP)
            return false;
    return n == tree->root;
}

/* Is the access to an element x, at n, in x += ..., x++? Returns that node; 0: it is not. */
AMP_PRIV_COLD int amp_priv_tree_changed_by(const amp_priv_tree *tree, int n)
{
    if (amp_priv_tree_use_of(tree, n) != AMP_PRIV_TREE_CHANGE)
        return 0;
    while (tree->node[n].kind != AMP_PRIV_TREE_ASSIGN && tree->node[n].kind != AMP_PRIV_TREE_STEP)
        n = tree->node[n].parent;
    return n;
}

/* The name of a captured view of which every index changes the same element; NULL: there is none. */
AMP_PRIV_COLD const char *amp_priv_race_of(const amp_priv_launch_site *site)
{
    const char *view = NULL;
    amp_priv_kernel_tree body;
    amp_priv_kernel_tree_read(&body, site, NULL);
    const amp_priv_tree *const tree = &body.tree;
    bool ends_early = site->tiled || !body.good;
    for (int n = 1; n < tree->count; n++)
        ends_early = ends_early || tree->node[n].kind == AMP_PRIV_TREE_JUMP;
    for (int n = 1; n < tree->count && !ends_early; n++) {
        bool is_one = tree->node[n].kind == AMP_PRIV_TREE_ACCESS && tree->node[n].b;
        for (int index = tree->node[n].b; is_one && index; index = tree->node[index].next)
            is_one = amp_priv_tree_is_uniform(tree, index, site);
        const int by = is_one ? amp_priv_tree_changed_by(tree, n) : 0;
        for (int c = 0; by && amp_priv_tree_is_for_all(tree, by) && c < site->capture_count; c++)
            if (amp_priv_token_is(tree->node[tree->node[n].a].token, site->captures[c].name))
                view = site->captures[c].name;
    }
    amp_priv_kernel_tree_end(&body);
    return view;
}

#endif /* AMP_CODEGEN_RACES_H */
