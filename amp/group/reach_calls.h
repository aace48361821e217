/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_calls.h - declarations, functions and their arguments, for the analysis of a reach (reach.h)

    Contents (search for the tag):
        >>declarations  >>calls */
#ifndef AMP_GROUP_REACH_CALLS_H
#define AMP_GROUP_REACH_CALLS_H

#include "reach_members.h"

/* // >>declarations */

/* What a variable holds at first. given: a function's argument; else NULL. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_initial(amp_priv_reach_run *run, const amp_priv_tree_node *node,
                                                          const amp_priv_reach_value *given)
{
    const amp_priv_token name = amp_priv_reach_node(run, node->d)->token;
    const int rank = amp_priv_reach_index_rank(name);
    amp_priv_reach_value value = given ? *given : amp_priv_reach_other();
    if (node->a)
        value = amp_priv_reach_node(run, node->a)->kind == AMP_PRIV_TREE_VALUES
                    ? amp_priv_reach_values(run, node->a, rank)
                    : amp_priv_reach_eval(run, node->a);
    if (node->b || node->value == AMP_PRIV_DECLARES_POINTER) {
        if (value.shape == AMP_PRIV_REACH_VIEW)
            amp_priv_reach_unknown(run, value.capture, node->token);
        return amp_priv_reach_other();
    }
    if (amp_priv_token_is(name, "amp_priv_tiled_index"))
        return run->thread;
    if (amp_priv_token_is(name, "amp_priv_tile_in_threads"))
        return run->tile;
    if (value.shape == AMP_PRIV_REACH_STRUCT) /* a copy, which may change */
        return amp_priv_reach_other();
    if (value.shape > AMP_PRIV_REACH_NUMBER) /* of a struct's type, which is the value's */
        return value;
    if (rank > 0 && rank <= AMP_PRIV_REACH_NUMBERS) {
        value = amp_priv_reach_other();
        value.shape = AMP_PRIV_REACH_INDEX;
        value.number = AMP_PRIV_NUMBER_INT;
        value.count = rank;
        for (int d = 0; d < rank; d++)
            value.of[d] = amp_priv_range_of(INT_MIN, INT_MAX);
        return value;
    }
    return amp_priv_reach_as(&value, amp_priv_tree_number_type(node));
}

AMP_PRIV_COLD void amp_priv_reach_declaration(amp_priv_reach_run *run, const amp_priv_tree_node *node,
                                              const amp_priv_reach_value *given)
{
    for (int i = node->b; i; i = amp_priv_reach_node(run, i)->next)
        (void)amp_priv_reach_use(run, i);
    const amp_priv_reach_value value =
        node->value == AMP_PRIV_DECLARES_TYPE ? amp_priv_reach_other() : amp_priv_reach_initial(run, node, given);
    (void)amp_priv_reach_declare(run, node->token, &value);
}

/* // >>calls */

enum { AMP_PRIV_REACH_NO_RESULT = -2 }; /* `capture` of what a function returns: no `return` so far */

/* Runs a function; its parameters have these values. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_inline(amp_priv_reach_run *run, const amp_priv_tree *function,
                                                         const amp_priv_reach_value *values, int count)
{
    const amp_priv_tree *const caller = run->tree;
    const amp_priv_reach_scope *const labels = run->labels;
    amp_priv_reach_scope *const continued = run->continued;
    amp_priv_reach_value *const before = run->result;
    amp_priv_reach_value returned = amp_priv_reach_other();
    amp_priv_reach_scope *const scope = run->scope;
    const int base = scope->base, variables = scope->count, used = scope->used;
    const bool dead = scope->dead;
    run->tree = function;
    run->continued = NULL;
    run->result = &returned;
    returned.capture = AMP_PRIV_REACH_NO_RESULT;
    int i = 0, end = variables;
    for (int p = function->parameters; p && i < count; p = amp_priv_reach_node(run, p)->next, i++) {
        amp_priv_reach_declaration(run, amp_priv_reach_node(run, p), &values[i]);
        end++;
    }
    run->failed = run->failed || scope->count != end;
    scope->base = variables;
    amp_priv_reach_exec(run, function->root);
    scope->base = base;
    scope->dead = dead;
    amp_priv_reach_leave(run, variables, used);
    run->tree = caller;
    run->labels = labels;
    run->continued = continued;
    run->result = before;
    if (returned.capture != AMP_PRIV_REACH_NO_RESULT)
        return returned;
    const amp_priv_reach_value nothing = amp_priv_reach_other();
    return amp_priv_reach_as(&nothing, amp_priv_tree_number_type(&function->node[function->result]));
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_call(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    enum { AMP_PRIV_MOST = 16 };
    const amp_priv_token name = amp_priv_reach_node(run, node->a)->token;
    const bool atomic = amp_priv_token_begins(name, "amp_priv_atomic_");
    const amp_priv_kernel_tree *const called = amp_priv_site_function_tree(run->reach->body, name);
    const amp_priv_tree *const function = called && called->good ? &called->tree : NULL;
    amp_priv_reach_value *const values = calloc(AMP_PRIV_MOST, sizeof *values);
    amp_priv_reach_value result = amp_priv_reach_other();
    int count = 0;
    for (int i = node->b; i && values; i = amp_priv_reach_node(run, i)->next) {
        const amp_priv_tree_node *const argument = amp_priv_reach_node(run, i);
        if (atomic && i == node->b && argument->kind == AMP_PRIV_TREE_UNARY &&
            amp_priv_token_is(argument->token, "&")) {
            (void)amp_priv_reach_store(run, argument->a, NULL, true);
            continue;
        }
        const amp_priv_reach_value value = amp_priv_reach_eval(run, i);
        const bool kept = function && count < AMP_PRIV_MOST && run->calls < AMP_PRIV_REACH_CALLS;
        if (value.shape == AMP_PRIV_REACH_VIEW && !kept)
            amp_priv_reach_unknown(run, value.capture, name);
        if (kept)
            values[count++] = value;
    }
    run->calls++;
    if (function && values && run->calls <= AMP_PRIV_REACH_CALLS)
        result = amp_priv_reach_inline(run, function, values, count);
    run->calls--;
    run->failed = run->failed || !values;
    free(values);
    return result;
}

#endif /* AMP_GROUP_REACH_CALLS_H */
