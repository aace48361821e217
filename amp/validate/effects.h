/* SPDX-License-Identifier: MIT */
/*  amp/validate/effects.h - finds statements of kernels without an effect: a value that is computed and dropped, a call
    of a function that changes its own copies alone, =+ for +=, and a `;` that ends an `else` or a phase */
#ifndef AMP_VALIDATE_EFFECTS_H
#define AMP_VALIDATE_EFFECTS_H

#include "messages.h"
#include "../codegen/tree_use.h"

enum { AMP_PRIV_EFFECT_DEPTH = 4 /* calls in calls */ };

/* Is the variable that n is, or is a part of, the function's own: no pointer, no view? */
AMP_PRIV_COLD bool amp_priv_effect_is_own(const amp_priv_tree *tree, int n)
{
    while (tree->node[n].kind == AMP_PRIV_TREE_MEMBER || tree->node[n].kind == AMP_PRIV_TREE_ELEMENT) {
        if (tree->node[n].kind == AMP_PRIV_TREE_MEMBER && tree->node[n].of)
            return false; /* p->x */
        n = tree->node[n].a;
    }
    const amp_priv_tree_node *const name = &tree->node[n],
                                    *const declared = &tree->node[name->value ? tree->declared[name->value] : 0];
    return name->kind == AMP_PRIV_TREE_NAME && name->value && declared->kind == AMP_PRIV_TREE_DECLARE &&
           declared->value == AMP_PRIV_DECLARES_VARIABLE && declared->meaning != AMP_PRIV_MEANS_TILE_STATIC &&
           (!declared->b || name->value > tree->parameter_count);
}

/* Does a part of the tree only compute: does it write nothing but the function's own variables, and call only such
   functions? body: the site's. */
AMP_PRIV_COLD bool amp_priv_only_computes(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int n, int depth)
{
    const amp_priv_tree_node *const part = &tree->node[n];
    bool is_pure = depth < AMP_PRIV_EFFECT_DEPTH && !tree->failed && !tree->is_unknown;
    for (int i = part->first; i <= part->last && is_pure; i++) {
        const amp_priv_tree_node *const node = &tree->node[i], *const called = &tree->node[node->a];
        if (node->kind == AMP_PRIV_TREE_ASSIGN || node->kind == AMP_PRIV_TREE_STEP)
            is_pure = amp_priv_effect_is_own(tree, node->a) && (depth > 0 || called->value == 0);
        if (amp_priv_tree_is_unary(node, "&"))
            is_pure = false;
        if (node->kind != AMP_PRIV_TREE_CALL)
            continue;
        const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, i);
        is_pure = function
                      ? function->good && amp_priv_only_computes(body, &function->tree, function->tree.root, depth + 1)
                      : called->kind == AMP_PRIV_TREE_NAME && !called->value &&
                            (amp_priv_listed(amp_priv_math_functions, called->token) ||
                             amp_priv_listed(" abs fma fmaf isnan isinf isfinite ", called->token));
    }
    return is_pure;
}

/* The first parameter of a function that it changes, its own copy; 0: there is none. */
AMP_PRIV_COLD int amp_priv_changed_copy(const amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        const int named = amp_priv_tree_named(tree, node->a);
        if ((node->kind == AMP_PRIV_TREE_ASSIGN || node->kind == AMP_PRIV_TREE_STEP) && tree->node[named].value > 0 &&
            tree->node[named].value <= tree->parameter_count)
            return named;
    }
    return 0;
}

/* The name of amp_max, amp_min or amp_clamp, which are a ({ }); of kind AMP_PRIV_TOKEN_END: another expression. */
AMP_PRIV_COLD amp_priv_token amp_priv_chosen(const amp_priv_tree *tree, int n)
{
    int first = tree->node[n].a;
    while (tree->node[first].kind == AMP_PRIV_TREE_BLOCK)
        first = tree->node[first].a;
    const amp_priv_tree_node *const type = &tree->node[first];
    const bool is_max = amp_priv_token_is(type->token, "amp_priv_max");
    bool is_clamp = false;
    for (int i = tree->node[n].first; i <= tree->node[n].last && !is_max; i++)
        is_clamp = is_clamp || amp_priv_token_is(tree->node[i].token, "amp_priv_max");
    if (type->kind != AMP_PRIV_TREE_DECLARE || (!is_max && !amp_priv_token_is(type->token, "amp_priv_min")))
        return (amp_priv_token){ AMP_PRIV_TOKEN_END, 0, "" };
    return amp_priv_token_of(is_max ? "amp_max" : is_clamp ? "amp_clamp" : "amp_min");
}

/* Is n a statement that computes a value, and drops it: fmaxf(s, x);? Or one that calls a function that changes its
   own copy of an argument alone? */
AMP_PRIV_COLD const char *amp_priv_drops_result(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int n,
                                                amp_priv_token *name)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const called = &tree->node[node->a];
    const bool is_call = node->kind == AMP_PRIV_TREE_CALL && called->kind == AMP_PRIV_TREE_NAME && !called->value;
    if (tree->node[node->parent].kind != AMP_PRIV_TREE_BLOCK || amp_priv_tree_is_used(tree, n))
        return NULL;
    *name = node->kind == AMP_PRIV_TREE_STATEMENTS ? amp_priv_chosen(tree, n) : is_call ? called->token : node->token;
    if (node->kind == AMP_PRIV_TREE_BINARY && !amp_priv_listed(" , && || ", node->token) &&
        amp_priv_only_computes(body, tree, n, 0))
        return AMP_PRIV_MSG_DROPS_VALUE;
    if (node->kind == AMP_PRIV_TREE_STATEMENTS && name->kind != AMP_PRIV_TOKEN_END)
        return AMP_PRIV_MSG_DROPS_RESULT;
    if (!is_call || !amp_priv_only_computes(body, tree, n, 0))
        return NULL;
    const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, n);
    const int copy = function ? amp_priv_changed_copy(&function->tree) : 0;
    if (copy && amp_priv_token_is(function->tree.node[function->tree.result].token, "void")) {
        *name = function->tree.node[copy].token;
        return AMP_PRIV_MSG_CHANGES_COPY;
    }
    return function && amp_priv_token_is(function->tree.node[function->tree.result].token, "void")
               ? NULL
               : AMP_PRIV_MSG_DROPS_RESULT;
}

/* Is n an assignment that exchanges the characters of an operator: x =+ 1, x =- 1, if (x =! y)? */
AMP_PRIV_COLD const char *amp_priv_exchanges_operator(const amp_priv_tree *tree, int n, amp_priv_token *name)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const value = &tree->node[node->b];
    if (!amp_priv_token_is(node->token, "=") || value->kind != AMP_PRIV_TREE_UNARY ||
        value->token.at != node->token.at + 1 || value->token.length != 1 ||
        (*value->token.at != '+' && value->token.at[1] != ' '))
        return NULL;
    *name = value->token;
    return strchr("+-", *value->token.at) ? AMP_PRIV_MSG_OPERATOR
           : *value->token.at == '!'      ? AMP_PRIV_MSG_UNEQUAL
                                          : NULL;
}

/* Is n a phase without a body, AMP_THREADS(tile, t);, or an `if` with `else;`? */
AMP_PRIV_COLD const char *amp_priv_has_no_body(const amp_priv_tree *tree, int n, amp_priv_token *name)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    *name = node->token;
    if (node->kind == AMP_PRIV_TREE_LOOP)
        return !node->d && amp_priv_tree_is_phase(tree, n) ? AMP_PRIV_MSG_PHASE_ENDS_EARLY : NULL;
    return node->b && node->value ? AMP_PRIV_MSG_ELSE_ENDS_EARLY : NULL;
}

/* The first statement without an effect of a body or function; NULL: there is none. */
AMP_PRIV_COLD const char *amp_priv_effectless_in(const amp_priv_kernel_tree *body, const amp_priv_tree *tree,
                                                 amp_priv_token *name)
{
    const char *what = NULL;
    for (int n = 1; n < tree->count && !what; n++) {
        switch (tree->node[n].kind) {
        case AMP_PRIV_TREE_ASSIGN: what = amp_priv_exchanges_operator(tree, n, name); break;
        case AMP_PRIV_TREE_IF:
        case AMP_PRIV_TREE_LOOP: what = amp_priv_has_no_body(tree, n, name); break;
        case AMP_PRIV_TREE_BINARY:
        case AMP_PRIV_TREE_STATEMENTS:
        case AMP_PRIV_TREE_CALL: what = amp_priv_drops_result(body, tree, n, name); break;
        default: break;
        }
        if (what && !amp_priv_tree_is_evaluated(tree, n))
            what = NULL;
    }
    return what;
}

#endif /* AMP_VALIDATE_EFFECTS_H */
