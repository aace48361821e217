/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_expressions.h - checked builds: names and expressions of a dry run (dry_run.h)

    Contents (search for the tag):
        >>names  >>expressions */
#ifndef AMP_CHECKED_DRY_EXPRESSIONS_H
#define AMP_CHECKED_DRY_EXPRESSIONS_H

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

#endif

#endif /* AMP_CHECKED_DRY_EXPRESSIONS_H */
