/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_operators.h - the values of operators, for the analysis of a reach (reach.h) */
#ifndef AMP_GROUP_REACH_OPERATORS_H
#define AMP_GROUP_REACH_OPERATORS_H

#include "reach_refine.h"

/* Two ways of an expression: the node is evaluated where the condition is so, else the other one; 0: nothing. */
AMP_PRIV_COLD void amp_priv_reach_branch(amp_priv_reach_run *run, int condition, bool truth, int n, int other,
                                         amp_priv_reach_value *yes, amp_priv_reach_value *no)
{
    amp_priv_reach_scope *const first = run->scope, *const second = amp_priv_reach_copy(run);
    if (!second)
        return;
    amp_priv_reach_refine(run, condition, truth);
    if (n)
        *yes = amp_priv_reach_eval(run, n);
    const bool is_dead = first->dead;
    run->scope = second;
    amp_priv_reach_refine(run, condition, !truth);
    if (other)
        *no = amp_priv_reach_eval(run, other);
    if (is_dead)
        amp_priv_reach_never(yes);
    if (second->dead)
        amp_priv_reach_never(no);
    run->scope = first;
    amp_priv_reach_join(run, second);
    free(second);
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_choice(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_value yes = amp_priv_reach_other(), no = yes;
    (void)amp_priv_reach_use(run, node->a);
    amp_priv_reach_branch(run, node->a, true, node->b, node->c, &yes, &no);
    yes = amp_priv_reach_typed(node, &yes);
    no = amp_priv_reach_typed(node, &no);
    if (yes.shape != no.shape || yes.count != no.count || yes.shape >= AMP_PRIV_REACH_VIEW) {
        if (yes.shape == AMP_PRIV_REACH_VIEW)
            amp_priv_reach_unknown(run, yes.capture, node->token);
        if (no.shape == AMP_PRIV_REACH_VIEW)
            amp_priv_reach_unknown(run, no.capture, node->token);
        return amp_priv_reach_other();
    }
    for (int i = 0; i < yes.count; i++)
        yes.of[i] = amp_priv_range_join(yes.of[i], &no.of[i]);
    return yes;
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_arithmetic(char sign, const amp_priv_reach_value *a,
                                                             const amp_priv_reach_value *b)
{
    const bool shift = sign == '<' || sign == '>';
    const amp_priv_number_type type =
        amp_priv_number_common((amp_priv_number_type)a->number,
                               (amp_priv_number_type)(shift ? AMP_PRIV_NUMBER_INT : b->number));
    if (a->shape != AMP_PRIV_REACH_NUMBER || b->shape != AMP_PRIV_REACH_NUMBER || !amp_priv_number_is_integer(type) ||
        !amp_priv_number_is_integer((amp_priv_number_type)b->number))
        return amp_priv_reach_other();
    const amp_priv_reach_value left = amp_priv_reach_as(a, type), right = shift ? *b : amp_priv_reach_as(b, type);
    const amp_priv_range result = amp_priv_range_with(&left.of[0], sign, &right.of[0]);
    const bool hashes = sign == '<' || sign == '*'; /* some kernels let these overflow, though C has no result then */
    return amp_priv_reach_number(hashes ? amp_priv_range_as(&result, type, type) : amp_priv_range_fit(&result, type),
                                 type);
}

/* The value of && or || */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_logical(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_value none = amp_priv_reach_other(), second = none;
    (void)amp_priv_reach_use(run, node->a);
    amp_priv_reach_branch(run, node->a, amp_priv_token_is(node->token, "&&"), node->b, 0, &second, &none);
    if (second.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, second.capture, node->token);
    return amp_priv_reach_number(amp_priv_range_of(0, 1), AMP_PRIV_NUMBER_INT);
}

/* Does the operator evaluate both of its operands as numbers? */
AMP_PRIV_COLD bool amp_priv_reach_is_plain(const amp_priv_tree_node *node)
{
    return node->kind == AMP_PRIV_TREE_BINARY && !amp_priv_token_is(node->token, "&&") &&
           !amp_priv_token_is(node->token, "||") && !amp_priv_token_is(node->token, ",");
}

/* a + b + c + ...: sums may be long, and are evaluated without recursion. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_binary(amp_priv_reach_run *run, int n)
{
    int length = 0, first = n;
    for (; amp_priv_reach_is_plain(amp_priv_reach_node(run, first)); first = amp_priv_reach_node(run, first)->a)
        length++;
    int *const sums = malloc((size_t)length * sizeof *sums);
    for (int i = length, sum = n; i > 0 && sums; sum = amp_priv_reach_node(run, sum)->a)
        sums[--i] = sum;
    amp_priv_reach_value value = amp_priv_reach_use(run, first);
    for (int i = 0; i < length && sums; i++) {
        const amp_priv_tree_node *const node = amp_priv_reach_node(run, sums[i]);
        const amp_priv_reach_value b = amp_priv_reach_use(run, node->b);
        value = amp_priv_reach_comparison(node->token, true, false)
                    ? amp_priv_reach_number(amp_priv_range_of(0, 1), AMP_PRIV_NUMBER_INT)
                    : amp_priv_reach_arithmetic(*node->token.at, &value, &b);
        value = amp_priv_reach_typed(node, &value);
    }
    run->failed = run->failed || !sums;
    free(sums);
    return value;
}

/* a, b */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_comma(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    (void)amp_priv_reach_use(run, node->a);
    return amp_priv_reach_eval(run, node->b);
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_unary(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const amp_priv_reach_value zero = amp_priv_reach_number(amp_priv_range_of(0, 0), AMP_PRIV_NUMBER_INT);
    if (amp_priv_token_is(node->token, "&")) {
        const int root = amp_priv_reach_root(run, node->a), capture = amp_priv_reach_view_of(run, root);
        const amp_priv_reach_variable *const v = amp_priv_reach_find(run, amp_priv_reach_node(run, root)->token);
        if (capture >= 0) {
            amp_priv_reach_access(run, root, false, false);
            amp_priv_reach_unknown(run, capture, amp_priv_reach_node(run, root)->token);
        } else if (amp_priv_reach_node(run, root)->kind != AMP_PRIV_TREE_NAME) {
            (void)amp_priv_reach_use(run, root);
        } else if (v && v->shape == AMP_PRIV_REACH_VIEW) {
            amp_priv_reach_unknown(run, v->capture, node->token);
        }
        amp_priv_reach_way(run, node->a, root);
        return amp_priv_reach_other();
    }
    const amp_priv_reach_value a = amp_priv_reach_use(run, node->a);
    if (amp_priv_token_is(node->token, "!"))
        return amp_priv_reach_number(amp_priv_range_of(0, 1), AMP_PRIV_NUMBER_INT);
    if (amp_priv_token_is(node->token, "+"))
        return amp_priv_reach_arithmetic('+', &zero, &a);
    if (amp_priv_token_is(node->token, "-"))
        return amp_priv_reach_arithmetic('-', &zero, &a);
    return amp_priv_reach_arithmetic('^', &a, &zero); /* ~: any of the type; *: not known */
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_assign(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_value value = amp_priv_reach_eval(run, node->b);
    const bool plain = amp_priv_token_is(node->token, "=");
    if (value.shape == AMP_PRIV_REACH_VIEW) /* to a copy of a view, or to a member */
        amp_priv_reach_unknown(run, value.capture, node->token);
    const amp_priv_reach_variable *v;
    if (!plain) { /* an element of a view is read below */
        const amp_priv_range *const place = amp_priv_reach_place(run, node->a, &v);
        const amp_priv_reach_value old = place ? amp_priv_reach_eval(run, node->a) : amp_priv_reach_other();
        value = amp_priv_reach_arithmetic(*node->token.at, &old, &value);
    }
    return amp_priv_reach_store(run, node->a, &value, !plain);
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_step(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const amp_priv_reach_variable *v;
    const amp_priv_range *const place = amp_priv_reach_place(run, node->a, &v);
    const amp_priv_reach_value one = amp_priv_reach_number(amp_priv_range_of(1, 1), AMP_PRIV_NUMBER_INT);
    const amp_priv_reach_value before = place ? amp_priv_reach_eval(run, node->a) : amp_priv_reach_other();
    const amp_priv_reach_value after = amp_priv_reach_arithmetic(*node->token.at, &before, &one);
    const amp_priv_reach_value stored = amp_priv_reach_store(run, node->a, &after, true);
    return node->value ? stored : before;
}

#endif /* AMP_GROUP_REACH_OPERATORS_H */
