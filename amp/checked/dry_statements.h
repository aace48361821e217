/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_statements.h - checked builds: declarations and statements of a dry run (dry_run.h)

    Contents (search for the tag):
        >>declarations  >>statements */
#ifndef AMP_CHECKED_DRY_STATEMENTS_H
#define AMP_CHECKED_DRY_STATEMENTS_H

#include "dry_expressions.h"

#if defined(AMP_CHECKED)

/* // >>declarations */

/* { a, b }: into elements of an array, whose others are 0. Of several dimensions, or with designators, unknown. */
AMP_PRIV_COLD void amp_priv_dry_fill(amp_priv_dry_run *run, int n, amp_priv_dry_variable *variable,
                                     amp_priv_number_type number)
{
    const amp_priv_tree_node *const node = run->frame->tree->node;
    const amp_priv_dry_value zero = amp_priv_dry_integer(0, AMP_PRIV_NUMBER_INT);
    const bool is_zero =
        node[n].a && !node[node[n].a].next && amp_priv_tree_is_integer(&node[node[n].a]) && node[node[n].a].value == 0;
    int count = 1, i = 0;
    for (int d = 0; d < variable->dimensions; d++)
        count *= variable->size[d];
    variable->is_lost = variable->is_lost || node[n].kind != AMP_PRIV_TREE_VALUES || node[n].value ||
                        (variable->dimensions > 1 && !is_zero);
    for (int k = node[n].a; k && i < count && !variable->is_lost; k = node[k].next)
        variable->element[i++] = amp_priv_dry_convert(run, k, amp_priv_dry_evaluate(run, k), number);
    for (; i < count && !variable->is_lost; i++)
        variable->element[i] = amp_priv_dry_convert(run, n, zero, number);
}

AMP_PRIV_COLD void amp_priv_dry_declare(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree *const tree = run->frame->tree;
    const amp_priv_tree_node *const node = &tree->node[n];
    amp_priv_dry_variable *const variable = &run->frame->variable[tree->node[node->d].value];
    const amp_priv_number_type number = node->type.number;
    if (node->value == AMP_PRIV_DECLARES_TYPE)
        return;
    variable->is_lost = node->value == AMP_PRIV_DECLARES_POINTER || amp_priv_words_have(&tree->pointed, node->token);
    if (node->b) {
        variable->is_lost = !amp_priv_dry_make_array(run, node->b, variable) || variable->is_lost;
        variable->dimensions += variable->dimensions == 0;
        if (node->a)
            amp_priv_dry_fill(run, node->a, variable, number);
        return;
    }
    run->changes++;
    if (amp_priv_token_begins(tree->node[node->d].token, "amp_priv_tile_in_threads"))
        variable->one = run->tile;
    else if (node->a && tree->node[node->a].kind != AMP_PRIV_TREE_VALUES)
        variable->one =
            amp_priv_dry_convert(run, node->a, amp_priv_dry_evaluate(run, node->a), amp_priv_tree_number_type(node));
    else
        variable->one =
            (amp_priv_dry_value){ .kind = !node->a && number != AMP_PRIV_NUMBER_OTHER ? AMP_PRIV_DRY_UNSET
                                                                                      : AMP_PRIV_DRY_UNKNOWN };
}

/* // >>statements */

/* The loop's condition; false also where it is not known, which ends the run. */
AMP_PRIV_COLD bool amp_priv_dry_holds(amp_priv_dry_run *run, int condition)
{
    const amp_priv_dry_value value =
        condition ? amp_priv_dry_evaluate(run, condition) : amp_priv_dry_integer(1, AMP_PRIV_NUMBER_INT);
    run->stops = run->stops || !amp_priv_dry_is_number(value);
    return !run->stops && amp_priv_dry_is_true(value);
}

AMP_PRIV_COLD void amp_priv_dry_loop(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    if (node->a)
        amp_priv_dry_statement(run, node->a);
    for (bool is_first = node->value != 0;; is_first = false) {
        const unsigned changes = run->changes;
        if (!is_first && !amp_priv_dry_holds(run, node->b))
            break;
        amp_priv_dry_statement(run, node->d);
        if (run->jump == AMP_PRIV_DRY_CONTINUES)
            run->jump = AMP_PRIV_DRY_GOES_ON;
        if (run->stops || run->jump)
            break;
        if (node->c)
            amp_priv_dry_evaluate(run, node->c);
        if (run->changes != changes || is_first || !node->b || run->stops)
            continue;
        run->hangs = true;
        amp_priv_dry_fault(run, node->b,
                           "stays true: the loop never ends, as nothing in it changes what its condition tests");
    }
    if (run->jump == AMP_PRIV_DRY_BREAKS)
        run->jump = AMP_PRIV_DRY_GOES_ON;
}

/* From the label of the value on, or from default. Labels stand in the switch itself. */
AMP_PRIV_COLD void amp_priv_dry_switch(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = run->frame->tree->node;
    const amp_priv_dry_value value = amp_priv_dry_evaluate(run, node[n].a);
    int from = 0;
    run->stops = run->stops || value.kind != AMP_PRIV_DRY_INTEGER || node[node[n].b].kind != AMP_PRIV_TREE_BLOCK;
    for (int i = node[node[n].b].a; i && !run->stops; i = node[i].next) {
        if (node[i].kind != AMP_PRIV_TREE_LABEL)
            continue;
        const amp_priv_dry_value label = node[i].a ? amp_priv_dry_evaluate(run, node[i].a) : amp_priv_dry_unknown;
        run->stops = run->stops || (node[i].a && label.kind != AMP_PRIV_DRY_INTEGER);
        if (node[i].a ? label.integer == value.integer : !from)
            from = i;
        if (node[i].a && from == i)
            break;
    }
    for (int i = from; i && !run->stops && !run->jump; i = node[i].next)
        amp_priv_dry_statement(run, i);
    if (run->jump == AMP_PRIV_DRY_BREAKS)
        run->jump = AMP_PRIV_DRY_GOES_ON;
}

AMP_PRIV_COLD void amp_priv_dry_jump(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree *const tree = run->frame->tree;
    const amp_priv_tree_node *const node = &tree->node[n];
    if (amp_priv_token_is(node->token, "return")) {
        if (node->a)
            run->frame->result = amp_priv_dry_convert(run, node->a, amp_priv_dry_evaluate(run, node->a),
                                                      amp_priv_tree_number_type(&tree->node[tree->result]));
        run->jump = AMP_PRIV_DRY_RETURNS;
    } else {
        run->jump = amp_priv_token_is(node->token, "break") ? AMP_PRIV_DRY_BREAKS : AMP_PRIV_DRY_CONTINUES;
    }
}

/* A statement. */
AMP_PRIV_COLD void amp_priv_dry_statement(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = run->frame->tree->node;
    run->stops = run->stops || --run->steps < 0;
    if (!n || run->stops)
        return;
    switch (node[n].kind) {
    case AMP_PRIV_TREE_BLOCK:
        for (int i = node[n].a; i && !run->stops && !run->jump; i = node[i].next)
            amp_priv_dry_statement(run, i);
        break;
    case AMP_PRIV_TREE_DECLARE: amp_priv_dry_declare(run, n); break;
    case AMP_PRIV_TREE_IF: {
        const bool holds = amp_priv_dry_holds(run, node[n].a);
        amp_priv_dry_statement(run, holds ? node[n].b : node[n].c);
        break;
    }
    case AMP_PRIV_TREE_LOOP: amp_priv_dry_loop(run, n); break;
    case AMP_PRIV_TREE_SWITCH: amp_priv_dry_switch(run, n); break;
    case AMP_PRIV_TREE_LABEL: break;
    case AMP_PRIV_TREE_JUMP: amp_priv_dry_jump(run, n); break;
    default: amp_priv_dry_evaluate(run, n);
    }
}

#endif

#endif /* AMP_CHECKED_DRY_STATEMENTS_H */
