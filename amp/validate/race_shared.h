/* SPDX-License-Identifier: MIT */
/*  amp/validate/race_shared.h - elements that several indexes of a launch write or change */
#ifndef AMP_VALIDATE_RACE_SHARED_H
#define AMP_VALIDATE_RACE_SHARED_H

#include "race_changes.h"

typedef enum amp_priv_race_kind {
    AMP_PRIV_RACE_NONE,
    AMP_PRIV_RACE_ONE,       /* every index changes the same element, x += ... */
    AMP_PRIV_RACE_FEW,       /* more indexes than the view has elements, and each changes one */
    AMP_PRIV_RACE_SHARED,    /* several indexes change one element, x[i / 2] += ... */
    AMP_PRIV_RACE_WRITTEN,   /* several indexes write different values to one element, x[i / 2] = ... */
    AMP_PRIV_RACE_ATOMIC,    /* an element is changed by an atomic function, and written by an assignment */
    AMP_PRIV_RACE_NEIGHBOUR, /* an index reads an element that another one writes */
    AMP_PRIV_RACE_PAIR,      /* likely: an index writes its own element and a neighbour's */
    AMP_PRIV_RACE_MEMORY     /* likely: the changed element's index comes from memory, or many change one element */
} amp_priv_race_kind;

typedef struct amp_priv_race {
    amp_priv_race_kind kind;
    int capture; /* the view */
    bool likely; /* it is not certain */
} amp_priv_race;

/* Several indexes have one element, where all indexes of an access leave out a component of the launch's,
   or have it in the same division or remainder only. */

/* Where the component is: in the same division everywhere. n: 0: nowhere. */
typedef struct amp_priv_race_part {
    const amp_priv_race_search *in;
    int component, n;
    long long count; /* of values of the component that come to the access */
} amp_priv_race_part;

static long long amp_priv_race_origin(const amp_priv_race_search *s, int component)
{
    return s->site->has_origin ? s->values[s->site->rank + component] : 0;
}

/* Leaves out the values of the component, least to most, that do not fulfil a condition, i < 10 && i > 1; all, where it
   says something else. */
AMP_PRIV_COLD void amp_priv_race_limit(const amp_priv_race_search *s, int condition, int component, long long range[2])
{
    const amp_priv_tree_node *node = &s->tree->node[condition];
    for (; node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, "&&"); node = &s->tree->node[node->a])
        amp_priv_race_limit(s, node->b, component, range);
    const bool is_binary = node->kind == AMP_PRIV_TREE_BINARY;
    const amp_priv_index i = is_binary ? amp_priv_race_index_of(s, node->a) : (amp_priv_index){ .of = -1 };
    const amp_priv_tree_node *const limit = &s->tree->node[is_binary ? node->b : 0];
    const bool is_sum = limit->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" + - ", limit->token); /* n - 1 */
    long long number = 0, more = 0;
    const bool known = i.kind && i.exact && i.of == component && !i.minus &&
                       amp_priv_race_number(s, is_sum ? limit->a : node->b, &number) &&
                       (!is_sum || amp_priv_race_number(s, limit->b, &more));
    number += is_sum && amp_priv_token_is(limit->token, "-") ? -more : more;
    const bool is_least = amp_priv_listed(" > >= ", node->token), is_most = amp_priv_listed(" < <= ", node->token);
    const int strict = node->token.length == 1; /* < and > leave the number out */
    const long long bound = number - i.offset + (is_least ? strict : -strict);
    if (!known || !(is_least || is_most))
        range[1] = range[0] - 1;
    else if (is_least)
        range[0] = bound > range[0] ? bound : range[0];
    else
        range[1] = bound < range[1] ? bound : range[1];
}

/* How many values of the component come to a node, here and where the function is called. */
AMP_PRIV_COLD long long amp_priv_race_count(const amp_priv_race_search *s, int n, int component)
{
    const long long origin = amp_priv_race_origin(s, component);
    long long range[2] = { origin, origin + s->values[component] - 1 };
    for (; s; n = s->call, s = s->caller)
        for (; n && n != s->tree->root; n = s->tree->node[n].parent) {
            const int condition = amp_priv_race_condition(s->tree, n);
            if (condition && s->tree->node[s->tree->node[n].parent].c == n)
                return 0;
            if (condition)
                amp_priv_race_limit(s, condition, component, range);
        }
    return range[1] - range[0] + 1;
}

/* Do all indexes run the loops that the node is in? Sure is a counter that begins and ends at numbers. */
AMP_PRIV_COLD bool amp_priv_race_loops_run(const amp_priv_race_search *s, int n)
{
    for (; n && n != s->tree->root; n = s->tree->node[n].parent) {
        const amp_priv_tree_node *const loop = &s->tree->node[s->tree->node[n].parent];
        if (loop->kind != AMP_PRIV_TREE_LOOP || loop->value || (n != loop->c && n != loop->d))
            continue;
        const amp_priv_tree_node *const begin = &s->tree->node[s->tree->node[loop->a].a], *const condition =
                                                                                              &s->tree->node[loop->b];
        const amp_priv_tree_node *const counter = &s->tree->node[condition->a];
        if (begin->kind != AMP_PRIV_TREE_DECLARE || !begin->a || condition->kind != AMP_PRIV_TREE_BINARY ||
            counter->kind != AMP_PRIV_TREE_NAME || counter->value != s->tree->node[begin->d].value ||
            !amp_priv_race_is_uniform(s, begin->a) || !amp_priv_race_is_uniform(s, condition->b))
            return false;
    }
    return !s->caller || amp_priv_race_loops_run(s->caller, s->call);
}

/* Has the operation one value for several values of the component: (i + 1) / 2? */
AMP_PRIV_COLD bool amp_priv_race_collapses(const amp_priv_race_search *s, int n, const amp_priv_race_part *part)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const amp_priv_index i = amp_priv_race_index_of(s, node->a);
    const long long origin = amp_priv_race_origin(s, part->component);
    long long by = 0;
    if (!i.kind || !i.exact || i.of != part->component || i.minus || origin + i.offset < 0 ||
        !amp_priv_race_number(s, node->b, &by))
        return false;
    if (amp_priv_token_is(node->token, "/"))
        return by > 1 && part->count > by;
    if (amp_priv_token_is(node->token, "%"))
        return by > 0 && part->count > by;
    if (amp_priv_token_is(node->token, ">>"))
        return by > 0 && by < 31 && part->count > 1LL << by;
    return amp_priv_token_is(node->token, "&") && by >= 0 && part->count > by + 1;
}

/* Does the expression leave the component out, but for that part? */
AMP_PRIV_COLD bool amp_priv_race_leaves_out(const amp_priv_race_search *s, int n, amp_priv_race_part *part, int depth)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const int argument = amp_priv_race_argument(s, n), c = amp_priv_race_captured(s, n);
    const int declaration = node->kind == AMP_PRIV_TREE_NAME && node->value && !argument
                                ? amp_priv_race_declaration(s->tree, node->value)
                                : 0;
    if (depth > AMP_PRIV_RACE_DEPTH)
        return false;
    if (argument)
        return amp_priv_race_leaves_out(s->caller, argument, part, depth + 1);
    if (declaration)
        return amp_priv_race_leaves_out(s, s->tree->node[declaration].a, part, depth + 1);
    if (node->kind == AMP_PRIV_TREE_NUMBER || (c >= 0 && s->site->captures[c].kind != AMP_PRIV_CAPTURE_VIEW))
        return true;
    if ((node->kind == AMP_PRIV_TREE_NAME && !node->value) || node->kind == AMP_PRIV_TREE_ELEMENT) {
        const amp_priv_index i = amp_priv_race_index_of(s, n);
        return i.kind && i.exact && i.of != part->component;
    }
    if (node->kind == AMP_PRIV_TREE_CAST ||
        (node->kind == AMP_PRIV_TREE_UNARY && !amp_priv_listed(" & * ", node->token)))
        return amp_priv_race_leaves_out(s, node->a, part, depth + 1);
    if (node->kind != AMP_PRIV_TREE_BINARY)
        return false;
    if (amp_priv_race_collapses(s, n, part)) {
        if (part->n)
            return part->in == s && amp_priv_tree_same(s->tree, part->n, n);
        part->in = s;
        part->n = n;
        return true;
    }
    return amp_priv_race_leaves_out(s, node->a, part, depth + 1) &&
           amp_priv_race_leaves_out(s, node->b, part, depth + 1);
}

/* Has the value another one for each value of the component: by an element of a view at that index, or (loaded is
   false) by the index itself? */
AMP_PRIV_COLD bool amp_priv_race_differs(const amp_priv_race_search *s, int n, int component, bool loaded, int depth)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const int argument = amp_priv_race_argument(s, n);
    const bool is_access = node->kind == AMP_PRIV_TREE_ACCESS,
               is_sum = node->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" + - * ", node->token);
    if (!n || depth > AMP_PRIV_RACE_DEPTH)
        return false;
    if (argument)
        return amp_priv_race_differs(s->caller, argument, component, loaded, depth + 1);
    if (node->kind == AMP_PRIV_TREE_NAME && node->value) {
        const int from = amp_priv_race_declaration(s->tree, node->value);
        return from && amp_priv_race_differs(s, s->tree->node[from].a, component, loaded, depth + 1);
    }
    if (node->kind == AMP_PRIV_TREE_NAME || node->kind == AMP_PRIV_TREE_ELEMENT) {
        const amp_priv_index i = amp_priv_race_index_of(s, n);
        return !loaded && ((i.kind && i.of == component) || amp_priv_race_is_whole(s, n));
    }
    if (is_access || node->kind == AMP_PRIV_TREE_CALL) {
        for (int i = node->b; i; i = s->tree->node[i].next)
            if (amp_priv_race_differs(s, i, component, !is_access, depth + 1))
                return true;
        return false;
    }
    if (node->kind == AMP_PRIV_TREE_CAST || node->kind == AMP_PRIV_TREE_MEMBER)
        return amp_priv_race_differs(s, node->a, component, loaded, depth + 1);
    if (node->kind == AMP_PRIV_TREE_CHOICE)
        return amp_priv_race_differs(s, node->b, component, loaded, depth + 1) ||
               amp_priv_race_differs(s, node->c, component, loaded, depth + 1);
    if (node->kind != AMP_PRIV_TREE_BINARY && node->kind != AMP_PRIV_TREE_UNARY)
        return false;
    loaded = loaded || (!is_sum && node->kind == AMP_PRIV_TREE_BINARY);
    const bool a = amp_priv_race_differs(s, node->a, component, loaded, depth + 1),
               b = amp_priv_race_differs(s, node->b, component, loaded, depth + 1);
    /* v[i] + v[i ^ 1] has one value for both */
    return (a && (b || !node->b || amp_priv_race_is_uniform(s, node->b))) ||
           (b && amp_priv_race_is_uniform(s, node->a));
}

/* Do all indexes of the access leave the component out, of which there is more than one value? */
AMP_PRIV_COLD bool amp_priv_race_is_shared(const amp_priv_race_search *s, int n, amp_priv_race_part *part)
{
    bool is_shared = s->values[part->component] > 1 && !s->site->tiled && s->tree->node[n].b;
    for (int index = s->tree->node[n].b; index && is_shared; index = s->tree->node[index].next)
        is_shared = amp_priv_race_leaves_out(s, index, part, 0);
    return is_shared;
}

/* The one condition that the node is in, AMP_AT(v, i) > limit: each index may fulfil it. 0: there is another one. */
AMP_PRIV_COLD int amp_priv_race_choice(const amp_priv_race_search *s, int n, int component)
{
    int found = 0;
    for (; n && n != s->tree->root; n = s->tree->node[n].parent) {
        const int condition = amp_priv_race_condition(s->tree, n);
        if (s->tree->node[n].kind == AMP_PRIV_TREE_LOOP || (condition && found))
            return 0;
        found = condition ? condition : found;
    }
    const amp_priv_tree_node *const node = &s->tree->node[found];
    const bool is_limit = found && !s->ends_early && !s->caller && node->kind == AMP_PRIV_TREE_BINARY &&
                          amp_priv_listed(" < > <= >= ", node->token);
    const int sides[] = { node->a, node->b };
    for (int i = 0; i < 2 && is_limit; i++)
        if (s->tree->node[sides[i]].kind == AMP_PRIV_TREE_ACCESS &&
            amp_priv_race_differs(s, sides[i], component, true, 0) && amp_priv_race_is_uniform(s, sides[1 - i]))
            return found;
    return 0;
}

/* Is x = value, at n, or another change of it (by), done to one element by several indexes, for all values of the other
   components? */
AMP_PRIV_COLD amp_priv_race_kind amp_priv_race_of_shared(const amp_priv_race_search *s, int n, int by)
{
    const int assign = amp_priv_tree_written_by(s->tree, n);
    if (!amp_priv_race_loops_run(s, assign))
        return AMP_PRIV_RACE_NONE;
    for (int c = 0; c < s->site->rank; c++) {
        amp_priv_race_part part = { s, c, 0, amp_priv_race_count(s, assign, c) };
        if (!amp_priv_race_is_shared(s, n, &part))
            continue;
        const bool comes = amp_priv_race_comes(s, assign, true) && (part.n || !s->likely);
        if (by && comes)
            return AMP_PRIV_RACE_SHARED;
        if (!by && (comes || (s->likely && amp_priv_race_is_one(s, n) && amp_priv_race_choice(s, assign, c))) &&
            amp_priv_race_differs(s, s->tree->node[assign].b, c, false, 0))
            return AMP_PRIV_RACE_WRITTEN;
    }
    return AMP_PRIV_RACE_NONE;
}

#endif /* AMP_VALIDATE_RACE_SHARED_H */
