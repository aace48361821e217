/* SPDX-License-Identifier: MIT */
/*  amp/validate/comparisons.h - finds comparisons that are never true, as x == 0.3 of a float, == for = and the other
    way round, loops that an unsigned counter does not end, a `;` before the body of a loop, and abs of a float */
#ifndef AMP_VALIDATE_COMPARISONS_H
#define AMP_VALIDATE_COMPARISONS_H

#include "effects.h"

/* The value of the number at n, and what follows it in its token; NULL: it is none, or too long. */
AMP_PRIV_COLD const char *amp_priv_tree_value_of(const amp_priv_tree *tree, int n, double *value)
{
    const amp_priv_token token = tree->node[n].token;
    char text[64], *end;
    if (tree->node[n].kind != AMP_PRIV_TREE_NUMBER || token.length >= sizeof text)
        return NULL;
    memcpy(text, token.at, token.length);
    text[token.length] = '\0';
    *value = strtod(text, &end);
    return token.at + (end - text);
}

/* Is the node a double constant that no value of the type equals? *constant: its node. */
AMP_PRIV_COLD bool amp_priv_tree_is_unequal(const amp_priv_tree *tree, int n, amp_priv_number_type type, int *constant)
{
    double value = 0;
    while (tree->node[n].kind == AMP_PRIV_TREE_UNARY && amp_priv_listed(" - + ", tree->node[n].token))
        n = tree->node[n].a;
    const amp_priv_tree_node *const node = &tree->node[n];
    const char *const suffix = amp_priv_tree_value_of(tree, n, &value);
    if (!suffix || amp_priv_tree_number_type(node) != AMP_PRIV_NUMBER_DOUBLE)
        return false;
    *constant = n;
    return suffix == node->token.at + node->token.length &&
           (type == AMP_PRIV_NUMBER_FLOAT ? (double)(float)value != value
                                          : amp_priv_number_is_integer(type) && floor(value) != value);
}

/* Is n NAN? */
AMP_PRIV_COLD bool amp_priv_tree_is_nan(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const call = &tree->node[n];
    return call->kind == AMP_PRIV_TREE_CALL &&
           amp_priv_listed(" nan nanf __builtin_nan __builtin_nanf ", tree->node[call->a].token);
}

/* Is n a comparison, == or !=, with such a constant? */
AMP_PRIV_COLD const char *amp_priv_compares_unequal(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" == != ", node->token))
        return NULL;
    const amp_priv_number_type a = amp_priv_tree_number_type(&tree->node[node->a]),
                               b = amp_priv_tree_number_type(&tree->node[node->b]);
    *name = n;
    if (amp_priv_tree_is_nan(tree, node->a) != amp_priv_tree_is_nan(tree, node->b)) /* NAN == NAN is a test of NAN */
        return AMP_PRIV_MSG_EQUALS_NAN;
    if (!amp_priv_tree_is_unequal(tree, node->b, a, name) && !amp_priv_tree_is_unequal(tree, node->a, b, name))
        return NULL;
    return a == AMP_PRIV_NUMBER_FLOAT || b == AMP_PRIV_NUMBER_FLOAT ? AMP_PRIV_MSG_NO_FLOAT_EQUALS
                                                                    : AMP_PRIV_MSG_NO_INTEGER_EQUALS;
}

/* Has a condition that begins with a name, x or x.a or *x, parentheses of its own, as compilers ask for where an
   assignment is meant? */
AMP_PRIV_COLD bool amp_priv_is_in_own_parentheses(amp_priv_token name)
{
    const char *x = name.at;
    int around = 0;
    while (x[-1] == '(' || x[-1] == ' ' || x[-1] == '*')
        around += *--x == '(';
    return name.at[name.length] != ')' && (around > 1 || (around == 1 && x[-1] == ';'));
}

/* Is n a statement that compares, x == 1;, or a condition that assigns a number, if (x = 1)? */
AMP_PRIV_COLD const char *amp_priv_exchanges_equal(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const parent = &tree->node[node->parent];
    const bool is_condition =
        (parent->kind == AMP_PRIV_TREE_IF && parent->a == n) || (parent->kind == AMP_PRIV_TREE_LOOP && parent->b == n);
    if (!is_condition && parent->kind != AMP_PRIV_TREE_BLOCK)
        return NULL;
    *name = amp_priv_tree_named(tree, node->a);
    if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, "==") && *name &&
        parent->kind == AMP_PRIV_TREE_BLOCK && !amp_priv_tree_is_used(tree, n))
        return AMP_PRIV_MSG_COMPARES_ONLY;
    return node->kind == AMP_PRIV_TREE_ASSIGN && amp_priv_token_is(node->token, "=") && is_condition && *name &&
                   tree->node[node->b].kind == AMP_PRIV_TREE_NUMBER &&
                   !amp_priv_is_in_own_parentheses(tree->node[*name].token)
               ? AMP_PRIV_MSG_CONDITION_ASSIGNS
               : NULL;
}

/* Is n a loop that goes on while an unsigned number is not below 0? */
AMP_PRIV_COLD const char *amp_priv_never_ends(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const loop = &tree->node[n];
    if (loop->kind != AMP_PRIV_TREE_LOOP || !loop->b)
        return NULL;
    for (int i = tree->node[loop->b].first; i <= tree->node[loop->b].last; i++) {
        if (tree->node[i].kind != AMP_PRIV_TREE_BINARY || tree->node[i].token.length != 2)
            continue;
        const amp_priv_tree_node *const node = &tree->node[i], *const a = &tree->node[node->a],
                                        *const b = &tree->node[node->b];
        *name = node->a;
        if (amp_priv_token_is(node->token, ">=") && a->kind == AMP_PRIV_TREE_NAME && a->value &&
            amp_priv_tree_number_type(a) >= AMP_PRIV_NUMBER_UINT &&
            amp_priv_number_is_unsigned(amp_priv_tree_number_type(a)) && amp_priv_tree_is_integer(b) && b->value == 0 &&
            (i == loop->b || tree->node[node->parent].kind == AMP_PRIV_TREE_BINARY))
            return AMP_PRIV_MSG_NEVER_BELOW;
    }
    return NULL;
}

/* Does a `;` follow at once the parentheses behind the word? A space before it says that it is meant, also where a
   macro with an empty text was. */
AMP_PRIV_COLD bool amp_priv_has_semicolon_at(const amp_priv_tree *tree, amp_priv_token word)
{
    const amp_priv_token_list *const tokens = &tree->tokens;
    size_t i = 0;
    while (i < tokens->count && tokens->token[i].token.at != word.at)
        i++;
    const amp_priv_cursor next = &tokens->token[i < tokens->count ? amp_priv_tokens_closing(tokens, i + 1) + 1 : i];
    return amp_priv_is(next, ";") && next->spaces == 0;
}

/* Has the head of a loop or an `if`, without its body, an effect beyond the loop? */
AMP_PRIV_COLD bool amp_priv_head_has_effect(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const head = &tree->node[n];
    const int begin = head->kind == AMP_PRIV_TREE_LOOP ? tree->node[head->a].a : 0;
    bool changes = head->kind == AMP_PRIV_TREE_LOOP && tree->node[begin].kind != AMP_PRIV_TREE_DECLARE;
    for (int i = head->first; i <= head->last && !changes; i++) {
        const amp_priv_tree_node *const node = &tree->node[i], *const what = &tree->node[node->a];
        const bool is_own = what->kind == AMP_PRIV_TREE_NAME && what->value && tree->declared[what->value] == begin;
        changes = node->kind == AMP_PRIV_TREE_CALL ||
                  ((node->kind == AMP_PRIV_TREE_ASSIGN || node->kind == AMP_PRIV_TREE_STEP) && !is_own);
    }
    return changes;
}

/* Has n, a loop or an `if`, no body, and what is behind it is a block, or n without a body does nothing? */
AMP_PRIV_COLD bool amp_priv_does_nothing(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const head = &tree->node[n], *const next = &tree->node[head->next];
    const bool is_loop = head->kind == AMP_PRIV_TREE_LOOP;
    return !(is_loop ? head->d : head->b || head->c || amp_priv_tree_is_integer(&tree->node[head->a])) &&
           ((next->kind == AMP_PRIV_TREE_BLOCK && !next->value) || !amp_priv_head_has_effect(tree, n));
}

/* Is the body of n, a loop or an `if`, a `;` that is not meant? */
AMP_PRIV_COLD const char *amp_priv_ends_early(const amp_priv_tree *tree, int n, int *name)
{
    *name = n;
    return amp_priv_does_nothing(tree, n) && amp_priv_has_semicolon_at(tree, tree->node[n].token)
               ? AMP_PRIV_MSG_ENDS_EARLY
               : NULL;
}

/* Is n a loop whose condition is false at its begin: for (int k = 0; k > 4; k++)? */
AMP_PRIV_COLD const char *amp_priv_never_begins(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const loop = &tree->node[n], *const condition = &tree->node[loop->b];
    const amp_priv_tree_node *const counter = &tree->node[condition->a], *const limit = &tree->node[condition->b];
    const amp_priv_tree_node *const begin = &tree->node[tree->node[loop->a].a], *const first = &tree->node[begin->a];
    if (condition->kind != AMP_PRIV_TREE_BINARY || counter->kind != AMP_PRIV_TREE_NAME || !counter->value ||
        tree->declared[counter->value] != tree->node[loop->a].a || !amp_priv_tree_is_integer(limit) ||
        begin->kind != AMP_PRIV_TREE_DECLARE || begin->next || !amp_priv_tree_is_integer(first) ||
        tree->node[loop->c].kind != AMP_PRIV_TREE_STEP)
        return NULL;
    *name = condition->a;
    const bool rises = amp_priv_token_is(tree->node[loop->c].token, "++");
    return (rises ? amp_priv_token_is(condition->token, ">") && first->value < limit->value
                  : amp_priv_token_is(condition->token, "<") && first->value > limit->value)
               ? AMP_PRIV_MSG_NEVER_BEGINS
               : NULL;
}

/* Is n abs of a floating-point number? */
AMP_PRIV_COLD const char *amp_priv_cuts_abs(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const call = &tree->node[n];
    const amp_priv_number_type type = amp_priv_tree_number_type(&tree->node[call->b]);
    *name = call->a;
    return call->kind == AMP_PRIV_TREE_CALL && call->b && amp_priv_token_is(tree->node[call->a].token, "abs") &&
                   (type == AMP_PRIV_NUMBER_FLOAT || type == AMP_PRIV_NUMBER_DOUBLE)
               ? AMP_PRIV_MSG_ABS
               : NULL;
}

/* Does n give an integer a constant with a fraction: int half = 0.5? */
AMP_PRIV_COLD const char *amp_priv_cuts_constant(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const bool declares = node->kind == AMP_PRIV_TREE_DECLARE;
    const amp_priv_number_type type = amp_priv_tree_number_type(declares ? node : &tree->node[node->a]);
    if (!amp_priv_number_is_integer(type) || type == AMP_PRIV_NUMBER_BOOL || (declares && node->b) ||
        (!declares && !amp_priv_listed(" = += -= ", node->token)))
        return NULL;
    for (*name = declares ? node->a : node->b; tree->node[*name].kind == AMP_PRIV_TREE_UNARY;)
        *name = tree->node[*name].a;
    double value = 0;
    if (!amp_priv_tree_value_of(tree, *name, &value) ||
        amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[*name])))
        return NULL;
    return floor(value) != value ? AMP_PRIV_MSG_CUTS_CONSTANT : NULL;
}

/* The first such mistake in a body or function; NULL: there is none. *name: what its message names. */
AMP_PRIV_COLD const char *amp_priv_comparison_in(const amp_priv_tree *tree, amp_priv_token *name)
{
    const char *what = NULL;
    int named = 0;
    for (int n = 1; n < tree->count && !what; n++)
        switch (tree->node[n].kind) {
        case AMP_PRIV_TREE_BINARY:
            if (tree->node[n].token.length != 2) /* == and != have two */
                break;
            what = amp_priv_compares_unequal(tree, n, &named);
            if (!what)
                what = amp_priv_exchanges_equal(tree, n, &named);
            break;
        case AMP_PRIV_TREE_ASSIGN:
            what = amp_priv_exchanges_equal(tree, n, &named);
            if (!what)
                what = amp_priv_cuts_constant(tree, n, &named);
            break;
        case AMP_PRIV_TREE_DECLARE: what = amp_priv_cuts_constant(tree, n, &named); break;
        case AMP_PRIV_TREE_LOOP:
            what = amp_priv_never_ends(tree, n, &named);
            if (!what)
                what = amp_priv_ends_early(tree, n, &named);
            if (!what)
                what = amp_priv_never_begins(tree, n, &named);
            break;
        case AMP_PRIV_TREE_IF: what = amp_priv_ends_early(tree, n, &named); break;
        case AMP_PRIV_TREE_CALL: what = amp_priv_cuts_abs(tree, n, &named); break;
        default: break;
        }
    *name = tree->node[named].token;
    return what && amp_priv_tree_is_evaluated(tree, named) ? what : NULL;
}

/* The same, or a statement without an effect (effects.h). */
AMP_PRIV_COLD const char *amp_priv_not_meant_in(const amp_priv_kernel_tree *body, const amp_priv_tree *tree,
                                                amp_priv_token *name)
{
    const char *const what = amp_priv_comparison_in(tree, name);
    return what ? what : amp_priv_effectless_in(body, tree, name);
}

/* The same of a launch: its body, and the functions that it calls. */
AMP_PRIV_COLD const char *amp_priv_comparison_of(const amp_priv_kernel_tree *body, amp_priv_token *name)
{
    const char *what = body->good ? amp_priv_not_meant_in(body, &body->tree, name) : NULL;
    for (int i = 1; i < body->tree.count && body->good && !what; i++) {
        const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, &body->tree, i);
        what = function && function->good ? amp_priv_not_meant_in(body, &function->tree, name) : NULL;
    }
    return what;
}

#endif /* AMP_VALIDATE_COMPARISONS_H */
