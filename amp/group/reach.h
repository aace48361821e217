/* SPDX-License-Identifier: MIT */
/*  amp/group/reach.h - which rows of its views a part of a launch reads and writes

    A row is all elements with the same first index. The analysis runs the kernel's tree with sets of values (ranges.h)
    instead of numbers: the launch's first index is the whole band. An index that it does not understand may be any row.

    Contents (search for the tag):
        >>expressions  >>calls  >>declarations  >>statements  >>reach */
#ifndef AMP_GROUP_REACH_H
#define AMP_GROUP_REACH_H

#include "../codegen/generate.h"
#include "reach_loops.h"

/* // >>expressions */

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

/* The numbers of { a, b } or {{ a, b }}, for an index of a rank; else 0. Those that are missing are 0. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_values(amp_priv_reach_run *run, int n, int rank)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    amp_priv_reach_value all = amp_priv_reach_other();
    bool known = rank > 0 && rank <= AMP_PRIV_REACH_NUMBERS && !node->value;
    int count = 0;
    if (known && amp_priv_reach_node(run, node->a)->kind == AMP_PRIV_TREE_VALUES)
        return amp_priv_reach_values(run, node->a, rank);
    for (int i = 0; i < rank && known; i++)
        all.of[i] = amp_priv_range_of(0, 0);
    for (int i = node->a; i; i = amp_priv_reach_node(run, i)->next, count++) {
        if (amp_priv_reach_node(run, i)->kind == AMP_PRIV_TREE_VALUES) {
            (void)amp_priv_reach_values(run, i, 0);
            known = false;
            continue;
        }
        const amp_priv_reach_value value = amp_priv_reach_use(run, i);
        if (count < rank && known)
            all.of[count] = amp_priv_reach_as(&value, AMP_PRIV_NUMBER_INT).of[0];
    }
    if (!known || count > rank)
        return amp_priv_reach_other();
    all.shape = AMP_PRIV_REACH_INDEX;
    all.number = AMP_PRIV_NUMBER_INT;
    all.count = rank;
    return all;
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_cast(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const int rank = amp_priv_reach_index_rank(node->token);
    if (amp_priv_reach_node(run, node->a)->kind == AMP_PRIV_TREE_VALUES)
        return amp_priv_reach_values(run, node->a, rank);
    const amp_priv_reach_value value = amp_priv_reach_eval(run, node->a);
    if (value.shape == AMP_PRIV_REACH_VIEW && !amp_priv_token_is(node->token, "void"))
        amp_priv_reach_unknown(run, value.capture, node->token);
    return amp_priv_reach_as(&value, amp_priv_tree_number_type(node));
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_member(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const amp_priv_reach_value of = amp_priv_reach_eval(run, node->a);
    amp_priv_reach_value value = amp_priv_reach_other();
    int from = -1, parts = 1;
    if (of.shape == AMP_PRIV_REACH_STRUCT)
        return amp_priv_reach_struct_member(run, of.capture, node->token);
    if (of.shape == AMP_PRIV_REACH_VIEW) {
        const amp_priv_head *const head = run->captured[of.capture];
        if (amp_priv_token_is(node->token, "extent")) {
            value.shape = AMP_PRIV_REACH_INDEX;
            value.number = AMP_PRIV_NUMBER_INT;
            value.count = head->rank;
            for (int d = 0; d < head->rank; d++)
                value.of[d] = amp_priv_range_of(amp_priv_head_extent(head)[d], amp_priv_head_extent(head)[d]);
        } else {
            amp_priv_reach_unknown(run, of.capture, node->token);
        }
        return value;
    }
    if (of.shape == AMP_PRIV_REACH_INDEX && amp_priv_token_is(node->token, "v"))
        return of;
    if (of.shape == AMP_PRIV_REACH_TILE || of.shape == AMP_PRIV_REACH_THREAD) {
        static const char *const names[] = { "global", "local", "tile", "tile_origin" };
        parts = of.shape == AMP_PRIV_REACH_TILE ? 2 : 4;
        for (int i = 0; i < parts; i++)
            if (amp_priv_token_is(node->token, names[4 - parts + i]))
                from = i * of.count / parts;
    }
    if (from < 0)
        return value;
    value.shape = AMP_PRIV_REACH_INDEX;
    value.number = AMP_PRIV_NUMBER_INT;
    value.count = of.count / parts;
    for (int d = 0; d < value.count; d++)
        value.of[d] = of.of[from + d];
    return value;
}

/* Reads an element of a view, which may be no captured one. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_read(amp_priv_reach_run *run, const amp_priv_tree_node *node, int n)
{
    if (amp_priv_reach_view_of(run, n) >= 0) {
        amp_priv_reach_access(run, n, true, false);
        return amp_priv_reach_other();
    }
    const amp_priv_reach_value of = amp_priv_reach_eval(run, node->a);
    if (of.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, of.capture, node->token);
    for (int i = node->b; i; i = amp_priv_reach_node(run, i)->next)
        (void)amp_priv_reach_use(run, i);
    return amp_priv_reach_other();
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_element(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const amp_priv_reach_value of = amp_priv_reach_eval(run, node->a), index = amp_priv_reach_use(run, node->b);
    if (of.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, of.capture, node->token);
    if (of.shape != AMP_PRIV_REACH_INDEX)
        return amp_priv_reach_other();
    amp_priv_range all = { 0, { { 0, 0 } } };
    for (int d = 0; d < of.count; d++)
        if (amp_priv_range_has(&index.of[0], d))
            all = amp_priv_range_join(all, &of.of[d]);
    return amp_priv_reach_number(all, AMP_PRIV_NUMBER_INT);
}

/* // >>calls */

static void amp_priv_reach_declaration(amp_priv_reach_run *run, const amp_priv_tree_node *node,
                                       const amp_priv_reach_value *given);

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

/* // >>reach */

AMP_PRIV_COLD void amp_priv_reach_end(amp_priv_reach *reach)
{
    amp_priv_site_tree_release(reach->body);
    free(reach);
}

/* Of a site; NULL without memory. */
AMP_PRIV_COLD amp_priv_reach *amp_priv_reach_make(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_reach *const reach = calloc(1, sizeof *reach);
    if (reach)
        reach->body = amp_priv_site_tree_acquire(site, captured);
    return reach;
}

/* The index, or the tile and its threads, of the band of rows from lo to hi - 1. */
AMP_PRIV_COLD void amp_priv_reach_index(amp_priv_reach_run *run, const int *extent, int lo, int hi)
{
    const amp_priv_launch_site *const site = run->site;
    const int rank = site->rank;
    amp_priv_reach_value index = amp_priv_reach_other();
    index.number = AMP_PRIV_NUMBER_INT;
    run->tile = run->thread = index;
    run->tile.shape = AMP_PRIV_REACH_TILE;
    run->thread.shape = AMP_PRIV_REACH_THREAD;
    run->tile.count = 2 * rank;
    run->thread.count = 4 * rank;
    for (int d = 0; d < rank; d++) {
        const int first = d == 0 ? lo : 0, end = d == 0 ? hi : extent[d], size = site->tiled ? site->tile[d] : 1;
        const int64_t origin = amp_priv_site_origin(site, run->captured, d);
        index.of[d] = amp_priv_range_of(origin + first, origin + end - 1);
        if (!site->tiled)
            continue;
        run->thread.of[d] = index.of[d];
        run->thread.of[rank + d] = amp_priv_range_of(0, size - 1);
        run->thread.of[2 * rank + d] = run->tile.of[d] = amp_priv_range_of(first / size, end / size - 1);
        run->thread.of[3 * rank + d] = run->tile.of[rank + d] = amp_priv_range_of(first, end - size);
    }
    amp_priv_token names[AMP_MAX_RANK], name = amp_priv_token_at(site->index);
    const int count = amp_priv_index_names(site->index, names);
    if (name.kind == AMP_PRIV_TOKEN_SPACE)
        name = amp_priv_token_after(name);
    index.shape = AMP_PRIV_REACH_INDEX;
    index.count = rank;
    if (count == 0)
        (void)amp_priv_reach_declare(run, name, site->tiled ? &run->tile : &index);
    for (int d = 0; d < count; d++) {
        const amp_priv_reach_value one = amp_priv_reach_number(index.of[d], AMP_PRIV_NUMBER_INT);
        (void)amp_priv_reach_declare(run, names[d], &one);
    }
}

/* What the rows from lo to hi - 1 of a launch over an extent read and write: one result for each capture. Conservative:
   more, where something is not understood. */
AMP_PRIV_COLD void amp_priv_reach_of(amp_priv_reach *reach, const amp_priv_launch_site *site, void *const *captured,
                                     const int *extent, int lo, int hi, amp_priv_reach_view *views)
{
    amp_priv_reach_run *const run = calloc(1, sizeof *run);
    amp_priv_reach_scope *const scope = calloc(1, sizeof *scope);
    memset(views, 0, (size_t)site->capture_count * sizeof *views);
    const bool ready = run && scope && reach->body->good;
    if (ready) {
        *run = (amp_priv_reach_run){ .reach = reach, .site = site, .captured = captured, .views = views };
        run->tree = &reach->body->tree;
        run->scope = scope;
        for (int i = 0; i < site->capture_count; i++) {
            const amp_priv_reach_value value = amp_priv_reach_captured(reach, &site->captures[i], i, captured[i]);
            (void)amp_priv_reach_declare(run, amp_priv_token_of(site->captures[i].name), &value);
        }
        amp_priv_reach_index(run, extent, lo, hi);
        amp_priv_reach_exec(run, reach->body->tree.root);
    }
    for (int i = 0; i < site->capture_count && (!ready || run->failed); i++) {
        if (site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        const amp_priv_head *const head = captured[i];
        views[i].unknown = true;
        views[i].read = amp_priv_range_of(0, amp_priv_head_extent(head)[0] - 1);
        if (head->kind != AMP_PRIV_CONST_VIEW)
            views[i].written = views[i].read;
    }
    free(scope);
    free(run);
}

/* The capture list (AMP_REACH) overrides the analysis of a view; true if the list names the view so. */
AMP_PRIV_COLD bool amp_priv_reach_declared(const amp_priv_capture *c, const amp_priv_head *head, int lo, int hi,
                                           amp_priv_reach_view *view)
{
    if (c->kind != AMP_PRIV_CAPTURE_VIEW || !c->type)
        return false;
    const long long low = c->value >> 32, high = (c->value & 0xffffffff) - (1LL << 31);
    const bool whole = high == AMP_PRIV_ANY_ROW;
    const int last = amp_priv_head_extent(head)[0] - 1;
    const amp_priv_range read = amp_priv_range_of(lo + low, hi - 1 + high),
                         own = whole ? read : amp_priv_range_of(lo, hi - 1), none = { 0, { { 0, 0 } } };
    view->unknown = false;
    view->read = amp_priv_range_cut(&read, 0, last);
    view->written = head->kind == AMP_PRIV_CONST_VIEW || whole ? none : amp_priv_range_cut(&own, 0, last);
    return true;
}

#endif /* AMP_GROUP_REACH_H */
