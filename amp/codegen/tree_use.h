/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_use.h - what a kernel does with what it names, by its tree (kernel_tree.h) */
#ifndef AMP_CODEGEN_TREE_USE_H
#define AMP_CODEGEN_TREE_USE_H

#include "site_tree.h"

typedef enum amp_priv_tree_use {
    AMP_PRIV_TREE_READ,
    AMP_PRIV_TREE_WRITE,  /* x = 1, x.a = 1 */
    AMP_PRIV_TREE_CHANGE, /* x += 1, x++ */
    AMP_PRIV_TREE_TAKE    /* &x */
} amp_priv_tree_use;

/* What is done with a variable or an element, or with a part of it. */
AMP_PRIV_COLD amp_priv_tree_use amp_priv_tree_use_of(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node;
    while (node[node[n].parent].kind == AMP_PRIV_TREE_MEMBER ||
           (node[node[n].parent].kind == AMP_PRIV_TREE_ELEMENT && node[node[n].parent].a == n))
        n = node[n].parent;
    const amp_priv_tree_node *const parent = &node[node[n].parent];
    if (parent->kind == AMP_PRIV_TREE_ASSIGN && parent->a == n)
        return amp_priv_token_is(parent->token, "=") ? AMP_PRIV_TREE_WRITE : AMP_PRIV_TREE_CHANGE;
    if (parent->kind == AMP_PRIV_TREE_STEP)
        return AMP_PRIV_TREE_CHANGE;
    return amp_priv_tree_is_unary(parent, "&") ? AMP_PRIV_TREE_TAKE : AMP_PRIV_TREE_READ;
}

/* Is it written, or changed? */
AMP_PRIV_COLD bool amp_priv_tree_is_written(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_use use = amp_priv_tree_use_of(tree, n);
    return use == AMP_PRIV_TREE_WRITE || use == AMP_PRIV_TREE_CHANGE;
}

/* The name that x, AMP_AT(x, i), x.a[3] and the like begin with; 0: there is none. */
AMP_PRIV_COLD int amp_priv_tree_named(const amp_priv_tree *tree, int n)
{
    while (tree->node[n].kind == AMP_PRIV_TREE_ACCESS || tree->node[n].kind == AMP_PRIV_TREE_MEMBER ||
           tree->node[n].kind == AMP_PRIV_TREE_ELEMENT)
        n = tree->node[n].a;
    return tree->node[n].kind == AMP_PRIV_TREE_NAME ? n : 0;
}

/* Argument `number`, from 1 on, of a list of arguments; 0: there are fewer. */
AMP_PRIV_COLD int amp_priv_tree_nth(const amp_priv_tree *tree, int argument, long long number)
{
    while (argument && --number > 0)
        argument = tree->node[argument].next;
    return argument;
}

/* Is the node evaluated? What is in a typeof or a sizeof is not. */
AMP_PRIV_COLD bool amp_priv_tree_is_evaluated(const amp_priv_tree *tree, int n)
{
    for (int parent; n != tree->root; n = parent) {
        parent = tree->node[n].parent;
        const amp_priv_tree_node *const p = &tree->node[parent];
        if (!parent || (p->kind == AMP_PRIV_TREE_DECLARE && p->c == n) || (p->kind == AMP_PRIV_TREE_CAST && p->b == n))
            return false;
    }
    return true;
}

/* Is the value of an expression used? That of a statement is not, nor what (void) or a comma drops. */
AMP_PRIV_COLD bool amp_priv_tree_is_used(const amp_priv_tree *tree, int n)
{
    for (int parent; (parent = tree->node[n].parent) != 0; n = parent) {
        const amp_priv_tree_node *const p = &tree->node[parent], *const around = &tree->node[p->parent];
        const bool passes = p->kind == AMP_PRIV_TREE_CHOICE ? p->a != n : p->kind == AMP_PRIV_TREE_BINARY && p->b == n;
        if (p->kind == AMP_PRIV_TREE_BLOCK) { /* the last statement of a ({ }) is its value */
            if (around->kind != AMP_PRIV_TREE_STATEMENTS || p->next)
                return false;
            parent = p->parent;
            continue;
        }
        if ((p->kind == AMP_PRIV_TREE_CAST && amp_priv_token_is(p->token, "void")) ||
            (p->kind == AMP_PRIV_TREE_LOOP && p->c == n) ||
            (p->kind == AMP_PRIV_TREE_BINARY && p->a == n && amp_priv_token_is(p->token, ",")))
            return false;
        if (!passes || !amp_priv_listed(" ? && || , ", p->token))
            return true;
    }
    return false;
}

/* Is the node the loop of a phase over its threads, AMP_THREADS? Its body is the phase's. */
AMP_PRIV_COLD bool amp_priv_tree_is_phase(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const begin = &tree->node[tree->node[tree->node[n].a].a];
    return tree->node[n].kind == AMP_PRIV_TREE_LOOP && begin->kind == AMP_PRIV_TREE_DECLARE &&
           amp_priv_token_is(tree->node[begin->d].token, "amp_priv_tiled_index");
}

/* Is it the name of a function in which the threads of a tile wait for each other? */
AMP_PRIV_COLD bool amp_priv_token_waits(amp_priv_token name)
{
    return amp_priv_token_begins(name, "amp_barrier_wait") || amp_priv_token_begins(name, "amp_priv_apart_wait") ||
           amp_priv_token_begins(name, "amp_priv_near_wait");
}

/* What a `break` leaves: a loop, a switch, or the root; of one in a ({ }), which may leave nothing, that. */
AMP_PRIV_COLD int amp_priv_tree_left_by(const amp_priv_tree *tree, int n)
{
    for (n = tree->node[n].parent; n && n != tree->root; n = tree->node[n].parent)
        if (tree->node[n].kind == AMP_PRIV_TREE_LOOP || tree->node[n].kind == AMP_PRIV_TREE_SWITCH ||
            tree->node[n].kind == AMP_PRIV_TREE_STATEMENTS)
            break;
    return n;
}

/* Is there a node of that kind in a part of the tree? */
AMP_PRIV_COLD bool amp_priv_tree_has(const amp_priv_tree *tree, int n, amp_priv_tree_kind kind)
{
    for (int i = tree->node[n].first; i <= tree->node[n].last; i++)
        if (tree->node[i].kind == kind)
            return true;
    return false;
}

/* The next node behind n, from 0 on, that names a capture; 0: there is none. */
AMP_PRIV_COLD int amp_priv_tree_next_use(const amp_priv_tree *tree, const char *capture, int n)
{
    for (n++; n < tree->count; n++)
        if (tree->node[n].kind == AMP_PRIV_TREE_NAME && !tree->node[n].value &&
            amp_priv_token_is(tree->node[n].token, capture) && amp_priv_tree_is_evaluated(tree, n))
            return n;
    return 0;
}

#endif /* AMP_CODEGEN_TREE_USE_H */
