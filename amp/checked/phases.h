/* SPDX-License-Identifier: MIT */
/*  amp/checked/phases.h - checked builds: warns of phases that write uniform variables */
#ifndef AMP_CHECKED_PHASES_H
#define AMP_CHECKED_PHASES_H

#include "../codegen/tree_use.h"
#include "portability.h"

#if defined(AMP_CHECKED)

/* // >>uniform: phases that write a uniform variable. The CPU backend has one variable for the tile, a
   device has one for each thread. The check sees plain names, elements and members of arrays and structs, and arguments
   of an AMP_FUNCTION that writes them. It does not follow other pointers. */

/* Is it an array in every struct of the file's that has such a member? */
AMP_PRIV_COLD bool amp_priv_member_is_array(const amp_priv_launch_site *site, amp_priv_token member)
{
    bool is_array = false;
    for (const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL; d; d = d->next) {
        amp_priv_member at = amp_priv_members_of(d->text);
        bool is_there = false;
        while (!is_there && d->kind == AMP_PRIV_DEFINES_STRUCT && amp_priv_member_next(&at))
            is_there = amp_priv_token_is_word(at.name, member);
        if (!is_there)
            continue;
        is_array = at.dimensions > 0 && at.type.pointers == at.dimensions; /* not of pointers */
        if (!is_array)
            break;
    }
    return is_array;
}

/* What is done with a variable where it is named, or with what belongs to it. */
typedef struct amp_priv_phase_use {
    bool writes, is_part, is_pointed; /* a pointer leads there */
    bool is_own;                      /* AMP_OWN, or x.p[i], which may follow a pointer */
    bool of_elements;                 /* x[i], and what belongs to it */
} amp_priv_phase_use;

AMP_PRIV_COLD amp_priv_phase_use amp_priv_phase_use_of(const amp_priv_tree *tree, int n)
{
    amp_priv_phase_use use = { .writes = false };
    for (bool goes_on = true; goes_on;) {
        const int up = tree->node[n].parent;
        const amp_priv_tree_node *const by = &tree->node[up], *const index = &tree->node[by->b];
        const bool is_element = by->kind == AMP_PRIV_TREE_ELEMENT && by->a == n,
                   is_pointed = by->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(by->token, "*");
        goes_on = is_element || is_pointed || by->kind == AMP_PRIV_TREE_MEMBER;
        use.writes = by->kind == AMP_PRIV_TREE_STEP || (by->kind == AMP_PRIV_TREE_ASSIGN && by->a == n);
        use.is_pointed = use.is_pointed || is_pointed || (by->kind == AMP_PRIV_TREE_MEMBER && by->of);
        use.of_elements = use.of_elements || (is_element && !use.is_part);
        use.is_own =
            use.is_own || (is_element && ((index->kind == AMP_PRIV_TREE_CALL &&
                                           amp_priv_token_is(tree->node[index->a].token, "amp_priv_own_index")) ||
                                          (tree->node[n].kind == AMP_PRIV_TREE_MEMBER &&
                                           !amp_priv_member_is_array(tree->site, tree->node[n].token))));
        use.is_part = use.is_part || goes_on;
        n = goes_on ? up : n;
    }
    return use;
}

/* Does a function write what its parameter of that number (from 0) points to? */
AMP_PRIV_COLD bool amp_priv_function_writes(const amp_priv_kernel_tree *function, int number)
{
    bool writes = false;
    for (int n = 1; n < function->tree.count && function->good && !writes; n++) {
        const amp_priv_tree_node *const name = &function->tree.node[n];
        if (name->kind != AMP_PRIV_TREE_NAME || name->meaning != AMP_PRIV_MEANS_PARAMETER || name->value != number + 1)
            continue;
        const amp_priv_phase_use use = amp_priv_phase_use_of(&function->tree, n);
        writes = use.writes && (use.is_pointed || use.of_elements);
    }
    return writes;
}

/* Is the variable at n, an array or (by_address) &x, given to a function that writes it? */
AMP_PRIV_COLD bool amp_priv_phase_lends(const amp_priv_kernel_tree *body, int n, bool *by_address)
{
    const amp_priv_tree *const tree = &body->tree;
    const amp_priv_tree_node *const parent = &tree->node[tree->node[n].parent];
    *by_address = amp_priv_tree_is_unary(parent, "&");
    if (*by_address)
        n = tree->node[n].parent;
    const amp_priv_tree_node *const call = &tree->node[tree->node[n].parent];
    if (call->kind != AMP_PRIV_TREE_CALL || call->a == n)
        return false;
    int number = 0;
    for (int i = call->b; i && i != n; i = tree->node[i].next)
        number++;
    const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, tree->node[n].parent);
    return function && amp_priv_function_writes(function, number);
}

/* Does the phase write a variable of uniform code at n, which names it? */
AMP_PRIV_COLD bool amp_priv_phase_writes_at(const amp_priv_kernel_tree *body, int phase, int n)
{
    const amp_priv_tree *const tree = &body->tree;
    const amp_priv_tree_node *const name = &tree->node[n];
    const int declared = name->kind == AMP_PRIV_TREE_NAME && name->value ? tree->declared[name->value] : 0;
    if (!declared || declared >= tree->node[phase].first || amp_priv_token_begins(name->token, "amp_priv_") ||
        tree->node[declared].meaning == AMP_PRIV_MEANS_TILE_STATIC)
        return false;
    const amp_priv_phase_use use = amp_priv_phase_use_of(tree, n);
    const bool is_pointer = tree->node[declared].value == AMP_PRIV_DECLARES_POINTER,
               is_array = tree->node[declared].b != 0;
    bool by_address = false;
    if (!use.writes || use.is_pointed)
        return amp_priv_phase_lends(body, n, &by_address) && !is_pointer && is_array != by_address;
    return !use.is_own && (!use.is_part || (!is_pointer && is_array == use.of_elements));
}

/* The first such variable of a body; else the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_phase_writes(const amp_priv_kernel_tree *body)
{
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, "" };
    const amp_priv_tree *const tree = &body->tree;
    for (int phase = 1; phase < tree->count && body->good; phase++) {
        if (!amp_priv_tree_is_phase(tree, phase))
            continue;
        const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
        for (int n = threads->first; n <= threads->last && found.kind == AMP_PRIV_TOKEN_END; n++)
            if (amp_priv_phase_writes_at(body, phase, n))
                found = tree->node[n].token;
    }
    return found;
}

AMP_PRIV_COLD void amp_priv_warn_of_writes(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site)
{
    const amp_priv_token name = amp_priv_phase_writes(body);
    if (name.kind != AMP_PRIV_TOKEN_END)
        amp_priv_portability_warn(
            site,
            "a phase writes '%.*s', a uniform variable: the CPU backend has one for each tile, devices have one for "
            "each thread; declare it in the phase, or with AMP_PRIVATE, or, for other threads to read, with "
            "AMP_TILE_STATIC",
            (int)name.length, name.at);
}

#endif

#endif /* AMP_CHECKED_PHASES_H */
