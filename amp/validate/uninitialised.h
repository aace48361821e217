/* SPDX-License-Identifier: MIT */
/*  amp/validate/uninitialised.h - finds a local variable that a body reads before it has a value */
#ifndef AMP_VALIDATE_UNINITIALISED_H
#define AMP_VALIDATE_UNINITIALISED_H

#include "../codegen/tree_use.h"

/* Is the name an array, and not an element of it? Then its address is taken. */
AMP_PRIV_COLD bool amp_priv_tree_decays(const amp_priv_tree *tree, int declaration, int name)
{
    const amp_priv_tree_node *const around = &tree->node[tree->node[name].parent];
    return tree->node[declaration].b && !(around->kind == AMP_PRIV_TREE_ELEMENT && around->a == name);
}

/* Does a part of the tree read the variable? */
AMP_PRIV_COLD bool amp_priv_tree_reads(const amp_priv_tree *tree, int part, long long variable)
{
    for (int i = tree->node[part].first; i <= tree->node[part].last && part; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value == variable &&
            amp_priv_tree_is_evaluated(tree, i) && amp_priv_tree_use_of(tree, i) == AMP_PRIV_TREE_READ)
            return true;
    return false;
}

/* Is the use at n, the first in the source, also the first that is executed, wherever it is executed at all? Not in a
   branch of a loop that the declaration is outside of, nor in the step of one. */
AMP_PRIV_COLD bool amp_priv_tree_is_first(const amp_priv_tree *tree, int declaration, int n)
{
    const int block = tree->node[tree->node[declaration].parent].parent; /* a declaration is a block of its own */
    bool in_branch = false, in_loop = false;
    for (int parent; n && n != tree->root && n != block; n = parent) {
        parent = tree->node[n].parent;
        const amp_priv_tree_node *const p = &tree->node[parent];
        const bool is_loop = p->kind == AMP_PRIV_TREE_LOOP;
        if (is_loop && p->c == n && p->d)
            return false;
        in_loop = in_loop || (is_loop && p->a != n && parent != block);
        in_branch = in_branch || (p->kind == AMP_PRIV_TREE_IF && p->a != n) || p->kind == AMP_PRIV_TREE_SWITCH ||
                    (p->kind == AMP_PRIV_TREE_CHOICE && p->a != n) ||
                    (p->kind == AMP_PRIV_TREE_BINARY && p->b == n && amp_priv_listed(" && || ", p->token));
    }
    return !(in_branch && in_loop);
}

/* Does the declared variable, which has no first value, have none where it is read first? */
AMP_PRIV_COLD bool amp_priv_tree_is_uninitialised(const amp_priv_tree *tree, int declaration)
{
    const long long variable = tree->node[tree->node[declaration].d].value;
    for (int n = declaration + 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        if (node->kind != AMP_PRIV_TREE_NAME || node->value != variable || n == tree->node[declaration].d ||
            !amp_priv_tree_is_evaluated(tree, n))
            continue;
        const amp_priv_tree_use use = amp_priv_tree_use_of(tree, n);
        if (use == AMP_PRIV_TREE_TAKE || amp_priv_tree_decays(tree, declaration, n))
            return false;
        int by = n;
        while (use == AMP_PRIV_TREE_WRITE && tree->node[by].kind != AMP_PRIV_TREE_ASSIGN)
            by = tree->node[by].parent;
        const bool reads = use == AMP_PRIV_TREE_WRITE  ? amp_priv_tree_reads(tree, tree->node[by].b, variable)
                           : use == AMP_PRIV_TREE_READ ? amp_priv_tree_is_used(tree, n)
                                                       : true;
        if (use == AMP_PRIV_TREE_READ && !reads)
            continue; /* (void)x */
        return reads && amp_priv_tree_is_first(tree, declaration, n);
    }
    return false;
}

/* The name of such a variable of a body or function; of kind AMP_PRIV_TOKEN_END: there is none. */
AMP_PRIV_COLD amp_priv_token amp_priv_uninitialised_in(const amp_priv_kernel_tree *body)
{
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, "" };
    const amp_priv_tree *const tree = &body->tree;
    for (int n = 1; n < tree->count && body->good && found.kind == AMP_PRIV_TOKEN_END; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        if (node->kind == AMP_PRIV_TREE_DECLARE && node->value == AMP_PRIV_DECLARES_VARIABLE && !node->a && node->d &&
            node->parent && tree->node[node->parent].kind == AMP_PRIV_TREE_BLOCK &&
            !amp_priv_words_have(&tree->pointed, node->token) && amp_priv_tree_is_uninitialised(tree, n))
            found = node->token;
    }
    return found;
}

/* The same of a launch: its body, and the functions that it calls. In a tile other threads may write a variable. */
AMP_PRIV_COLD amp_priv_token amp_priv_uninitialised_of(const amp_priv_kernel_tree *body,
                                                       const amp_priv_launch_site *site)
{
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, "" };
    if (!site->tiled)
        found = amp_priv_uninitialised_in(body);
    const amp_priv_tree *const tree = &body->tree;
    for (int n = 1; n < tree->count && found.kind == AMP_PRIV_TOKEN_END; n++) {
        const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, n);
        if (function)
            found = amp_priv_uninitialised_in(function);
    }
    return found;
}

#endif /* AMP_VALIDATE_UNINITIALISED_H */
