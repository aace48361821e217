/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_statements.h - checked builds: expressions and statements of a dry run (dry_run.h)

    Contents (search for the tag):
        >>names  >>expressions  >>declarations  >>statements */
#ifndef AMP_CHECKED_DRY_STATEMENTS_H
#define AMP_CHECKED_DRY_STATEMENTS_H

#include "dry_calls.h"

#if defined(AMP_CHECKED)

/* // >>names */

/* A component of the launch's index, all of it, or the tile. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_index(const amp_priv_dry_run *run, amp_priv_token name)
{
    amp_priv_token names[AMP_MAX_RANK];
    const int count = amp_priv_index_names(run->launch->site->index, names);
    amp_priv_dry_value all = { .kind = AMP_PRIV_DRY_INDEX, .number = (unsigned char)run->at.rank };
    if (run->at.tiled)
        return run->tile;
    for (int d = 0; d < run->at.rank; d++)
        all.v[d] = run->at.global[d];
    for (int d = 0; d < count; d++)
        if (amp_priv_token_is_word(name, names[d]))
            return amp_priv_dry_integer(all.v[d], AMP_PRIV_NUMBER_INT);
    return all;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_capture(const amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_capture *const capture = &run->launch->site->captures[node->of];
    const amp_priv_number_type number = amp_priv_tree_number_type(node);
    switch (capture->kind) {
    case AMP_PRIV_CAPTURE_VIEW: return (amp_priv_dry_value){ .kind = AMP_PRIV_DRY_VIEW, .integer = node->of };
    case AMP_PRIV_CAPTURE_CONSTANT: return amp_priv_dry_integer(capture->value, number);
    case AMP_PRIV_CAPTURE_SCALAR:
        return capture->size == amp_priv_number_size(number)
                   ? amp_priv_dry_load(run->launch->captured[node->of], number)
                   : amp_priv_dry_unknown;
    default: return amp_priv_dry_unknown;
    }
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_name(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    switch (node->meaning) {
    case AMP_PRIV_MEANS_LOCAL:
    case AMP_PRIV_MEANS_PARAMETER: return amp_priv_dry_read(run, n);
    case AMP_PRIV_MEANS_INDEX: return amp_priv_dry_index(run, node->token);
    case AMP_PRIV_MEANS_CAPTURE: return amp_priv_dry_capture(run, n);
    default: return amp_priv_dry_unknown;
    }
}

/* // >>expressions */

/* Of an index, a tile or a view: a.extent, a.local. The v of an index is the index. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_member(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_dry_value of = amp_priv_dry_evaluate(run, node->a);
    const bool is_global = amp_priv_token_is(node->token, "global");
    amp_priv_dry_value index = { .kind = AMP_PRIV_DRY_INDEX, .number = (unsigned char)run->at.rank };
    if (of.kind == AMP_PRIV_DRY_INDEX && amp_priv_token_is(node->token, "v"))
        return of;
    if (of.kind == AMP_PRIV_DRY_VIEW && amp_priv_token_is(node->token, "extent")) {
        const amp_priv_shape shape = amp_priv_shape_of(run->launch->captured[of.integer]);
        index.number = (unsigned char)shape.rank;
        for (int d = 0; d < shape.rank; d++)
            index.v[d] = shape.extent[d];
        return index;
    }
    if (of.kind != AMP_PRIV_DRY_TILE || !amp_priv_listed(" tile tile_origin local global ", node->token))
        return amp_priv_dry_unknown;
    const int first = amp_priv_token_is(node->token, "tile")    ? 0
                      : amp_priv_token_is(node->token, "local") ? AMP_PRIV_DRY_LOCAL
                                                                : AMP_PRIV_DRY_ORIGIN;
    for (int d = 0; d < run->at.rank; d++)
        index.v[d] = of.v[first + d] + (is_global ? of.v[AMP_PRIV_DRY_LOCAL + d] : 0);
    return index;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_element_value(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = run->frame->tree->node, *const of = &node[node[n].a];
    if (of->kind != AMP_PRIV_TREE_MEMBER)
        return amp_priv_dry_read(run, n);
    const amp_priv_dry_value index = amp_priv_dry_evaluate(run, node[n].a), d = amp_priv_dry_evaluate(run, node[n].b);
    return index.kind == AMP_PRIV_DRY_INDEX && d.kind == AMP_PRIV_DRY_INTEGER && d.integer >= 0 &&
                   d.integer < index.number
               ? amp_priv_dry_integer(index.v[d.integer], AMP_PRIV_NUMBER_INT)
               : amp_priv_dry_unknown;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_unary(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_token minus = { AMP_PRIV_TOKEN_MARK, 1, "-" };
    if (*node->token.at == '&')
        return amp_priv_dry_unknown;
    const amp_priv_dry_value a = amp_priv_dry_evaluate(run, node->a);
    if (!amp_priv_dry_is_number(a) || *node->token.at == '*')
        return amp_priv_dry_unknown;
    if (*node->token.at == '!')
        return amp_priv_dry_integer(!amp_priv_dry_is_true(a), AMP_PRIV_NUMBER_INT);
    const amp_priv_number_type number = amp_priv_number_common((amp_priv_number_type)a.number, AMP_PRIV_NUMBER_BOOL);
    if (*node->token.at == '~')
        return amp_priv_dry_integer(amp_priv_dry_kept(~a.integer, number), number);
    if (*node->token.at == '+')
        return amp_priv_dry_convert(run, n, a, number);
    return a.kind == AMP_PRIV_DRY_REAL ? amp_priv_dry_real(-a.real, number)
                                       : amp_priv_dry_operation(run, n, minus, amp_priv_dry_integer(0, number), a);
}

/* && and ||: 1 or 0 */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_logical(amp_priv_dry_run *run, int n, bool is_and)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_dry_value a = amp_priv_dry_evaluate(run, node->a);
    if (!amp_priv_dry_is_number(a))
        return amp_priv_dry_unknown;
    if (amp_priv_dry_is_true(a) != is_and)
        return amp_priv_dry_integer(!is_and, AMP_PRIV_NUMBER_INT);
    const amp_priv_dry_value b = amp_priv_dry_evaluate(run, node->b);
    return amp_priv_dry_is_number(b) ? amp_priv_dry_integer(amp_priv_dry_is_true(b), AMP_PRIV_NUMBER_INT)
                                     : amp_priv_dry_unknown;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_binary(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    if (amp_priv_listed(" && || ", node->token))
        return amp_priv_dry_logical(run, n, *node->token.at == '&');
    const amp_priv_dry_value a = amp_priv_dry_evaluate(run, node->a), b = amp_priv_dry_evaluate(run, node->b);
    return amp_priv_token_is(node->token, ",") ? b : amp_priv_dry_operation(run, n, node->token, a, b);
}

/* What does not evaluate the other value. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_choice(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_dry_value condition = amp_priv_dry_evaluate(run, node->a);
    if (!amp_priv_dry_is_number(condition)) {
        run->stops = run->stops || amp_priv_tree_has(run->frame->tree, n, AMP_PRIV_TREE_ASSIGN) ||
                     amp_priv_tree_has(run->frame->tree, n, AMP_PRIV_TREE_STEP) ||
                     amp_priv_tree_has(run->frame->tree, n, AMP_PRIV_TREE_CALL);
        return amp_priv_dry_unknown;
    }
    const int taken = amp_priv_dry_is_true(condition) ? node->b : node->c;
    return amp_priv_dry_convert(run, taken, amp_priv_dry_evaluate(run, taken), amp_priv_tree_number_type(node));
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_assign(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_number_type number = amp_priv_tree_number_type(&run->frame->tree->node[node->a]);
    const amp_priv_token sign = { AMP_PRIV_TOKEN_MARK, node->token.length - 1, node->token.at };
    amp_priv_dry_value value = amp_priv_dry_evaluate(run, node->b);
    if (sign.length)
        value = amp_priv_dry_operation(run, n, sign, amp_priv_dry_evaluate(run, node->a), value);
    value = amp_priv_dry_convert(run, node->b, value, number);
    if (!run->stops)
        amp_priv_dry_write(run, node->a, value);
    return value;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_step(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_token sign = { AMP_PRIV_TOKEN_MARK, 1, node->token.at };
    const amp_priv_number_type number = amp_priv_tree_number_type(&run->frame->tree->node[node->a]);
    const amp_priv_dry_value old = amp_priv_dry_evaluate(run, node->a);
    const amp_priv_dry_value sum =
        amp_priv_dry_operation(run, n, sign, old, amp_priv_dry_integer(1, AMP_PRIV_NUMBER_INT));
    const amp_priv_dry_value value = amp_priv_dry_convert(run, n, sum, number);
    if (!run->stops)
        amp_priv_dry_write(run, node->a, value);
    return node->value ? value : old;
}

/* ({ list }) */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_statements(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = run->frame->tree->node;
    for (n = node[n].a; n && node[n].next && !run->stops && !run->jump; n = node[n].next)
        amp_priv_dry_statement(run, n);
    if (!n || run->stops || run->jump)
        return amp_priv_dry_unknown;
    if (node[n].kind == AMP_PRIV_TREE_BLOCK && node[n].value && node[node[n].a].kind != AMP_PRIV_TREE_DECLARE)
        return amp_priv_dry_evaluate(run, node[n].a);
    amp_priv_dry_statement(run, n);
    return amp_priv_dry_unknown;
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_constant(const amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    const amp_priv_number_type number = amp_priv_tree_number_type(node);
    char text[64];
    if (amp_priv_tree_is_integer(node))
        return amp_priv_dry_integer(node->value, number);
    if (node->token.length >= sizeof text)
        return amp_priv_dry_unknown;
    memcpy(text, node->token.at, node->token.length);
    text[node->token.length] = '\0';
    return amp_priv_dry_real(strtod(text, NULL), number);
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_evaluate(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    run->stops = run->stops || --run->steps < 0;
    if (run->stops)
        return amp_priv_dry_unknown;
    switch (node->kind) {
    case AMP_PRIV_TREE_NUMBER: return amp_priv_dry_constant(run, n);
    case AMP_PRIV_TREE_NAME: return amp_priv_dry_name(run, n);
    case AMP_PRIV_TREE_MEMBER: return amp_priv_dry_member(run, n);
    case AMP_PRIV_TREE_ELEMENT: return amp_priv_dry_element_value(run, n);
    case AMP_PRIV_TREE_ACCESS: return amp_priv_dry_read(run, n);
    case AMP_PRIV_TREE_CALL: return amp_priv_dry_call(run, n);
    case AMP_PRIV_TREE_UNARY: return amp_priv_dry_unary(run, n);
    case AMP_PRIV_TREE_BINARY: return amp_priv_dry_binary(run, n);
    case AMP_PRIV_TREE_CHOICE: return amp_priv_dry_choice(run, n);
    case AMP_PRIV_TREE_ASSIGN: return amp_priv_dry_assign(run, n);
    case AMP_PRIV_TREE_STEP: return amp_priv_dry_step(run, n);
    case AMP_PRIV_TREE_STATEMENTS: return amp_priv_dry_statements(run, n);
    case AMP_PRIV_TREE_CAST:
        if (run->frame->tree->node[node->a].kind == AMP_PRIV_TREE_VALUES)
            return amp_priv_dry_unknown;
        return amp_priv_dry_convert(run, node->a, amp_priv_dry_evaluate(run, node->a), amp_priv_tree_number_type(node));
    default: return amp_priv_dry_unknown;
    }
}

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
