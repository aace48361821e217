/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_refine.h - what is known where a condition holds, for the analysis of a reach (reach.h) */
#ifndef AMP_GROUP_REACH_REFINE_H
#define AMP_GROUP_REACH_REFINE_H

#include "reach_access.h"

static void amp_priv_reach_refine(amp_priv_reach_run *run, int n, bool truth);

/* The values of what the node is are between lo and hi, or are all but `not`. */
AMP_PRIV_COLD void amp_priv_reach_limit(amp_priv_reach_run *run, int n, const amp_priv_range *allowed)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    const amp_priv_reach_variable *v = NULL;
    amp_priv_range *const place = amp_priv_reach_place(run, n, &v);
    if (run->depth >= AMP_PRIV_REACH_DEPTH)
        return; /* to know less is right as well */
    if (place && !v->escaped) {
        *place = amp_priv_range_meet(place, allowed);
        run->scope->dead = run->scope->dead || place->count == 0;
        return;
    }
    if (node->kind == AMP_PRIV_TREE_CAST && amp_priv_tree_number_type(node) == AMP_PRIV_NUMBER_INT &&
        amp_priv_reach_eval(run, node->a).number <= AMP_PRIV_NUMBER_INT) {
        run->depth++;
        amp_priv_reach_limit(run, node->a, allowed);
        run->depth--;
        return;
    }
    if (node->kind != AMP_PRIV_TREE_BINARY || node->token.length != 1 || !strchr("+-", *node->token.at))
        return;
    const amp_priv_reach_value a = amp_priv_reach_eval(run, node->a), b = amp_priv_reach_eval(run, node->b);
    if (a.shape != AMP_PRIV_REACH_NUMBER || b.shape != AMP_PRIV_REACH_NUMBER || a.number > AMP_PRIV_NUMBER_INT ||
        b.number > AMP_PRIV_NUMBER_INT)
        return;
    const char inverse = *node->token.at == '+' ? '-' : '+';
    const amp_priv_range left = amp_priv_range_with(allowed, inverse, &b.of[0]);
    run->depth++;
    amp_priv_reach_limit(run, node->a, &left);
    if (inverse == '-') {
        const amp_priv_range right = amp_priv_range_with(allowed, '-', &a.of[0]);
        amp_priv_reach_limit(run, node->b, &right);
    }
    run->depth--;
}

/* What x may be where `x sign y` holds; the sign is < > (with = : l g) = or !. */
AMP_PRIV_COLD amp_priv_range amp_priv_reach_allowed(char sign, const amp_priv_range *y)
{
    const long long lo = amp_priv_range_min(y), hi = amp_priv_range_max(y);
    const amp_priv_range any = amp_priv_range_any();
    switch (sign) {
    case '<': return amp_priv_range_of(-AMP_PRIV_RANGE_END, amp_priv_range_sum(hi, -1, AMP_PRIV_RANGE_END));
    case 'l': return amp_priv_range_of(-AMP_PRIV_RANGE_END, hi);
    case '>': return amp_priv_range_of(amp_priv_range_sum(lo, 1, -AMP_PRIV_RANGE_END), AMP_PRIV_RANGE_END);
    case 'g': return amp_priv_range_of(lo, AMP_PRIV_RANGE_END);
    case '=': return *y;
    default: return amp_priv_range_is_one(y) ? amp_priv_range_without(&any, lo) : any;
    }
}

/* The sign of a comparison, of its contrary, or with its sides exchanged; 0: it is none. */
AMP_PRIV_COLD char amp_priv_reach_comparison(amp_priv_token t, bool truth, bool exchanged)
{
    static const char tokens[][3] = { "<", "<=", ">", ">=", "==", "!=" }, plain[] = "<l>g=!",
                      contrary[] = "g>l<!=", mirror[] = ">g<l=!";
    for (int i = 0; i < 6; i++)
        if (amp_priv_token_is(t, tokens[i])) {
            const char sign = truth ? plain[i] : contrary[i];
            return exchanged ? mirror[strchr(plain, sign) - plain] : sign;
        }
    return 0;
}

AMP_PRIV_COLD void amp_priv_reach_compare(amp_priv_reach_run *run, const amp_priv_tree_node *node, bool truth)
{
    const amp_priv_reach_value a = amp_priv_reach_eval(run, node->a), b = amp_priv_reach_eval(run, node->b);
    if (a.shape != AMP_PRIV_REACH_NUMBER || b.shape != AMP_PRIV_REACH_NUMBER || !a.of[0].count || !b.of[0].count)
        return;
    const amp_priv_number_type type =
        amp_priv_number_common((amp_priv_number_type)a.number, (amp_priv_number_type)b.number);
    const amp_priv_interval limits = amp_priv_number_limits(type);
    if (!amp_priv_number_is_integer(type) || !amp_priv_range_within(&a.of[0], limits.lo, limits.hi) ||
        !amp_priv_range_within(&b.of[0], limits.lo, limits.hi))
        return;
    const amp_priv_range left = amp_priv_reach_allowed(amp_priv_reach_comparison(node->token, truth, false), &b.of[0]);
    const amp_priv_range right = amp_priv_reach_allowed(amp_priv_reach_comparison(node->token, truth, true), &a.of[0]);
    run->scope->dead = run->scope->dead || amp_priv_range_meet(&a.of[0], &left).count == 0;
    amp_priv_reach_limit(run, node->a, &left);
    amp_priv_reach_limit(run, node->b, &right);
}

/* Of `a && b` that is false, or `a || b` that is true: a is so, or it is not and b is so. */
AMP_PRIV_COLD void amp_priv_reach_either(amp_priv_reach_run *run, const amp_priv_tree_node *node, bool truth)
{
    amp_priv_reach_scope *const first = run->scope, *const second = amp_priv_reach_copy(run);
    if (!second)
        return;
    amp_priv_reach_refine(run, node->a, truth);
    run->scope = second;
    amp_priv_reach_refine(run, node->a, !truth);
    amp_priv_reach_refine(run, node->b, truth);
    run->scope = first;
    amp_priv_reach_join(run, second);
    free(second);
}

/* Does an expression change a variable? */
AMP_PRIV_COLD bool amp_priv_reach_changes(const amp_priv_reach_run *run, int n)
{
    for (int i = amp_priv_reach_node(run, n)->first; i <= amp_priv_reach_node(run, n)->last; i++) {
        const int kind = amp_priv_reach_node(run, i)->kind;
        if (kind == AMP_PRIV_TREE_ASSIGN || kind == AMP_PRIV_TREE_STEP || kind == AMP_PRIV_TREE_STATEMENTS)
            return true;
    }
    return false;
}

AMP_PRIV_COLD void amp_priv_reach_refine(amp_priv_reach_run *run, int n, bool truth)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    const amp_priv_range zero = amp_priv_range_of(0, 0), any = amp_priv_range_any(),
                         other = amp_priv_range_without(&any, 0);
    if (!n || run->scope->dead || run->depth >= AMP_PRIV_REACH_DEPTH || amp_priv_reach_changes(run, n))
        return;
    run->depth++;
    if (node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, "!")) {
        amp_priv_reach_refine(run, node->a, !truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_reach_comparison(node->token, true, false)) {
        amp_priv_reach_compare(run, node, truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, truth ? "&&" : "||")) {
        amp_priv_reach_refine(run, node->a, truth);
        amp_priv_reach_refine(run, node->b, truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, truth ? "||" : "&&")) {
        amp_priv_reach_either(run, node, truth);
    } else if (amp_priv_tree_is_integer(node)) {
        run->scope->dead = run->scope->dead || (node->value != 0) != truth;
    } else {
        const amp_priv_range *const allowed = truth ? &other : &zero;
        const amp_priv_reach_value value = amp_priv_reach_eval(run, n);
        if (value.shape == AMP_PRIV_REACH_NUMBER && amp_priv_range_meet(&value.of[0], allowed).count == 0)
            run->scope->dead = true;
        amp_priv_reach_limit(run, n, allowed);
    }
    run->depth--;
}

#endif /* AMP_GROUP_REACH_REFINE_H */
