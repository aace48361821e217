/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_statements.h - runs expressions and statements on sets of values, for the analysis of a reach
    (reach.h)

    Contents (search for the tag):
        >>expressions  >>statements */
#ifndef AMP_GROUP_REACH_STATEMENTS_H
#define AMP_GROUP_REACH_STATEMENTS_H

#include "reach_calls.h"
#include "reach_loops.h"
#include "reach_operators.h"

/* // >>expressions */

/* The value of the last statement of ({ }). */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_statements(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const int count = run->scope->count, used = run->scope->used;
    amp_priv_reach_value value = amp_priv_reach_other();
    for (int i = node->a; i; i = amp_priv_reach_node(run, i)->next) {
        const amp_priv_tree_node *const statement = amp_priv_reach_node(run, i);
        const amp_priv_tree_node *const last = amp_priv_reach_node(run, statement->a);
        if (!statement->next && statement->kind == AMP_PRIV_TREE_BLOCK && statement->value && statement->a &&
            last->kind != AMP_PRIV_TREE_DECLARE)
            value = amp_priv_reach_eval(run, statement->a);
        else
            amp_priv_reach_exec(run, i);
    }
    amp_priv_reach_leave(run, count, used);
    return value;
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_node_value(amp_priv_reach_run *run, int n)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    switch (node->kind) {
    case AMP_PRIV_TREE_NUMBER:
        return amp_priv_reach_number(amp_priv_range_of(node->value, node->value), amp_priv_tree_number_type(node));
    case AMP_PRIV_TREE_NAME: return amp_priv_reach_value_of(run, amp_priv_reach_find(run, node->token));
    case AMP_PRIV_TREE_MEMBER: return amp_priv_reach_member(run, node);
    case AMP_PRIV_TREE_ELEMENT: return amp_priv_reach_element(run, node);
    case AMP_PRIV_TREE_ACCESS: return amp_priv_reach_read(run, node, n);
    case AMP_PRIV_TREE_CALL: return amp_priv_reach_call(run, node);
    case AMP_PRIV_TREE_UNARY: return amp_priv_reach_unary(run, node);
    case AMP_PRIV_TREE_BINARY:
        return amp_priv_reach_is_plain(node)         ? amp_priv_reach_binary(run, n)
               : amp_priv_token_is(node->token, ",") ? amp_priv_reach_comma(run, node)
                                                     : amp_priv_reach_logical(run, node);
    case AMP_PRIV_TREE_CHOICE: return amp_priv_reach_choice(run, node);
    case AMP_PRIV_TREE_ASSIGN: return amp_priv_reach_assign(run, node);
    case AMP_PRIV_TREE_STEP: return amp_priv_reach_step(run, node);
    case AMP_PRIV_TREE_CAST: return amp_priv_reach_cast(run, node);
    case AMP_PRIV_TREE_VALUES: return amp_priv_reach_values(run, n, 0);
    case AMP_PRIV_TREE_STATEMENTS: return amp_priv_reach_statements(run, node);
    case AMP_PRIV_TREE_OPAQUE: return amp_priv_reach_other();
    default: run->failed = true; return amp_priv_reach_other();
    }
}

/* One node deeper; false where that is too deep, or takes too long. */
AMP_PRIV_COLD bool amp_priv_reach_enter(amp_priv_reach_run *run, int deeper)
{
    run->failed = run->failed || run->depth + deeper > AMP_PRIV_REACH_DEPTH || run->steps == AMP_PRIV_REACH_STEPS;
    run->steps++;
    run->depth += run->failed ? 0 : deeper;
    return !run->failed;
}

/* The values that an expression may have; what it reads and writes is noted. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_eval(amp_priv_reach_run *run, int n)
{
    if (!amp_priv_reach_enter(run, 2))
        return amp_priv_reach_other();
    const amp_priv_reach_value value = amp_priv_reach_node_value(run, n);
    run->depth -= 2;
    return amp_priv_reach_typed(amp_priv_reach_node(run, n), &value);
}

/* // >>statements */

/* Labels in a part of the tree, without those of a switch in it, which comes after its parts. */
AMP_PRIV_COLD int amp_priv_reach_labels(const amp_priv_reach_run *run, int n)
{
    int labels = 0;
    for (int i = amp_priv_reach_node(run, n)->last; i >= amp_priv_reach_node(run, n)->first; i--) {
        labels += amp_priv_reach_node(run, i)->kind == AMP_PRIV_TREE_LABEL;
        if (amp_priv_reach_node(run, i)->kind == AMP_PRIV_TREE_SWITCH)
            i = amp_priv_reach_node(run, i)->first;
    }
    return labels;
}

/* Whatever is changed inside is forgotten before; each label begins with that. */
AMP_PRIV_COLD void amp_priv_reach_switch(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const amp_priv_tree_node *const body = amp_priv_reach_node(run, node->b);
    const amp_priv_reach_scope *const before = run->labels;
    int direct = 0;
    (void)amp_priv_reach_use(run, node->a);
    amp_priv_reach_forget_changed(run, node->b);
    for (int i = body->a; i && body->kind == AMP_PRIV_TREE_BLOCK; i = amp_priv_reach_node(run, i)->next)
        direct += amp_priv_reach_node(run, i)->kind == AMP_PRIV_TREE_LABEL;
    amp_priv_reach_scope *const labels = amp_priv_reach_copy(run);
    if (!labels || direct != amp_priv_reach_labels(run, node->b)) {
        run->failed = true;
        free(labels);
        return;
    }
    run->labels = labels;
    run->scope->dead = true;
    for (int i = body->a; i; i = amp_priv_reach_node(run, i)->next)
        amp_priv_reach_exec(run, i);
    *run->scope = *labels;
    run->labels = before;
    free(labels);
}

/* What is known at a label of the switch, also behind the statement before it. Its own variables may be anything. */
AMP_PRIV_COLD void amp_priv_reach_label(const amp_priv_reach_run *run)
{
    amp_priv_reach_scope *const scope = run->scope;
    if (!run->labels)
        return;
    memcpy(scope->of, run->labels->of, (size_t)run->labels->used * sizeof *scope->of);
    scope->dead = run->labels->dead;
    for (int i = run->labels->count; i < scope->count; i++)
        amp_priv_reach_forget(run, &scope->variable[i]);
}

AMP_PRIV_COLD void amp_priv_reach_if(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_scope *const first = run->scope;
    (void)amp_priv_reach_use(run, node->a);
    amp_priv_reach_scope *const second = amp_priv_reach_copy(run);
    if (!second)
        return;
    amp_priv_reach_refine(run, node->a, true);
    amp_priv_reach_exec(run, node->b);
    run->scope = second;
    amp_priv_reach_refine(run, node->a, false);
    if (node->c)
        amp_priv_reach_exec(run, node->c);
    run->scope = first;
    amp_priv_reach_join(run, second);
    free(second);
}

/* return a: the value is converted to the function's type, and joins those of the other returns. */
AMP_PRIV_COLD void amp_priv_reach_return(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_value value = amp_priv_reach_eval(run, node->a);
    amp_priv_reach_value *const result = run->result;
    if (value.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, value.capture, node->token);
    if (!result)
        return;
    const amp_priv_tree_node *const type = amp_priv_reach_node(run, run->tree->result);
    const int rank = amp_priv_reach_index_rank(type->token);
    if (value.shape != AMP_PRIV_REACH_INDEX || value.count != rank)
        value = amp_priv_reach_as(&value, amp_priv_tree_number_type(type));
    if (result->capture == AMP_PRIV_REACH_NO_RESULT)
        *result = value;
    else if (value.shape != result->shape || value.count != result->count || value.number != result->number)
        *result = amp_priv_reach_other();
    else
        for (int i = 0; i < value.count; i++)
            result->of[i] = amp_priv_range_join(result->of[i], &value.of[i]);
}

AMP_PRIV_COLD void amp_priv_reach_jump(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    amp_priv_reach_scope *const here = run->scope;
    if (node->a)
        amp_priv_reach_return(run, node);
    if (run->continued && amp_priv_token_is(node->token, "continue")) {
        run->scope = run->continued;
        amp_priv_reach_join(run, here);
        run->scope = here;
    }
    here->dead = true;
}

/* Where no thread gets, there are still labels, and variables that are known behind them. */
AMP_PRIV_COLD void amp_priv_reach_exec(amp_priv_reach_run *run, int n)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    const int count = run->scope->count, used = run->scope->used;
    const bool simple = node->kind == AMP_PRIV_TREE_BLOCK && node->value;
    if (!n ||
        (run->scope->dead && !simple && node->kind != AMP_PRIV_TREE_LABEL && node->kind != AMP_PRIV_TREE_DECLARE) ||
        !amp_priv_reach_enter(run, 1))
        return;
    switch (node->kind) {
    case AMP_PRIV_TREE_BLOCK:
        for (int i = node->a; i; i = amp_priv_reach_node(run, i)->next)
            amp_priv_reach_exec(run, i);
        if (!simple)
            amp_priv_reach_leave(run, count, used);
        break;
    case AMP_PRIV_TREE_DECLARE: amp_priv_reach_declaration(run, node, NULL); break;
    case AMP_PRIV_TREE_IF: amp_priv_reach_if(run, node); break;
    case AMP_PRIV_TREE_LOOP: amp_priv_reach_loop(run, node); break;
    case AMP_PRIV_TREE_SWITCH: amp_priv_reach_switch(run, node); break;
    case AMP_PRIV_TREE_LABEL: amp_priv_reach_label(run); break;
    case AMP_PRIV_TREE_JUMP: amp_priv_reach_jump(run, node); break;
    default: (void)amp_priv_reach_use(run, n); break;
    }
    run->depth--;
}

#endif /* AMP_GROUP_REACH_STATEMENTS_H */
