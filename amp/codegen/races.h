/* SPDX-License-Identifier: MIT */
/*  amp/codegen/races.h - finds races between the indexes of a launch, by the tree of its body

    A race is certain where each index comes to the access: not in a branch, and not in a kernel that ends some of its
    threads early. Elsewhere it is likely at best: checked builds warn of it. A function that the body calls is looked
    through with the call's arguments.

    Contents (search for the tag):
        >>shared  >>neighbours  >>find */
#ifndef AMP_CODEGEN_RACES_H
#define AMP_CODEGEN_RACES_H

#include "messages.h"
#include "race_paths.h"

typedef enum amp_priv_race_kind {
    AMP_PRIV_RACE_NONE,
    AMP_PRIV_RACE_ONE,       /* every index changes the same element, x += ... */
    AMP_PRIV_RACE_FEW,       /* more indexes than the view has elements, and each changes one */
    AMP_PRIV_RACE_SHARED,    /* several indexes change one element, x[i / 2] += ... */
    AMP_PRIV_RACE_WRITTEN,   /* several indexes write different values to one element, x[i / 2] = ... */
    AMP_PRIV_RACE_ATOMIC,    /* an element is changed by an atomic function, and written by an assignment */
    AMP_PRIV_RACE_NEIGHBOUR, /* an index reads an element that another one writes */
    AMP_PRIV_RACE_MEMORY     /* likely: the changed element's index comes from memory, or many change one element */
} amp_priv_race_kind;

typedef struct amp_priv_race {
    amp_priv_race_kind kind;
    int capture; /* the view */
    bool likely; /* it is not certain */
} amp_priv_race;

/* // >>shared: several indexes have one element, where all indexes of an access leave out a component of the launch's,
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

/* Are all conditions around the node comparisons of indexes and captured numbers, i == 0? */
AMP_PRIV_COLD bool amp_priv_race_is_named(const amp_priv_tree *tree, int n)
{
    bool is_named = true;
    for (; n && n != tree->root && is_named; n = tree->node[n].parent) {
        const int condition = amp_priv_race_condition(tree, n);
        is_named = !condition || amp_priv_race_has_only(tree, condition, amp_priv_race_exceptions);
        for (int i = tree->node[condition].first; condition && i <= tree->node[condition].last; i++)
            is_named = is_named && !(tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value);
    }
    return is_named;
}

/* Is the element that is assigned to at n, which several indexes have, changed by an atomic function elsewhere? One of
   the two is done by each index. */
AMP_PRIV_COLD bool amp_priv_race_is_atomic(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    const bool by_all = amp_priv_tree_is_for_all(tree, tree->root, n);
    bool is_shared = false;
    for (int c = 0; c < s->site->rank && !is_shared; c++)
        is_shared = amp_priv_race_is_shared(s, n, &(amp_priv_race_part){ s, c, 0, s->values[c] });
    if (!is_shared || s->caller || s->ends_early || !(by_all || (s->likely && amp_priv_race_is_named(tree, n))))
        return false;
    for (int i = 1; i < tree->count; i++)
        if (amp_priv_race_atomic(tree, i) && amp_priv_tree_same(tree, i, n) &&
            ((by_all && s->likely) || amp_priv_tree_is_for_all(tree, tree->root, i)))
            return true;
    return false;
}

/* What is wrong about a change of the element at n. */
AMP_PRIV_COLD amp_priv_race_kind amp_priv_race_of_change(const amp_priv_race_search *s, int n, int capture)
{
    const int by = amp_priv_tree_changed_by(s->tree, n, s->likely);
    bool is_loaded = false;
    if (!by || !amp_priv_race_comes(s, by, false))
        return amp_priv_race_of_shared(s, n, by);
    const bool is_one = amp_priv_race_is_one(s, n);
    for (int index = s->tree->node[n].b; index; index = s->tree->node[index].next)
        is_loaded = is_loaded || amp_priv_race_is_loaded(s, index);
    if (s->likely && (is_one || is_loaded))
        return AMP_PRIV_RACE_MEMORY;
    if (!s->likely && is_one && !s->site->tiled)
        return AMP_PRIV_RACE_ONE;
    return !s->likely && amp_priv_race_has_few(s, capture) ? AMP_PRIV_RACE_FEW : amp_priv_race_of_shared(s, n, by);
}

/* // >>neighbours */

/* Does an index of the launch read an element that another one writes? */
AMP_PRIV_COLD bool amp_priv_race_meets(const amp_priv_race_search *s, const amp_priv_index *written,
                                       const amp_priv_index *read)
{
    bool differs = false, turned = false;
    for (int d = 0; d < s->site->rank; d++) {
        const long long origin = s->site->has_origin ? s->values[s->site->rank + d] : 0;
        const long long distance = read[d].offset - written[d].offset;
        if (written[d].of != d)
            return false;
        if (read[d].of == d && read[d].minus != written[d].minus) { /* i + j = sum */
            const long long sum = written[d].minus ? -distance : distance;
            if (s->likely || turned || sum <= 2 * origin || sum >= 2 * (origin + s->values[d] - 1))
                return false;
            differs = true;
            continue;
        }
        if (written[d].minus || read[d].minus)
            return false;
        turned = turned || (read[d].of >= 0 && read[d].of != d);
        if (turned && (s->likely || distance != 0 || origin != 0 || read[d].of < 0 || s->values[d] < 2))
            return false;
        if (read[d].of < 0 && (distance < origin || distance >= origin + s->values[d]))
            return false;
        if (read[d].of == d && llabs(distance) >= s->values[d])
            return false;
        differs = differs || turned || (read[d].of < 0 ? s->values[d] > 1 : distance != 0);
    }
    return differs;
}

/* Does an access to another element of the view meet the one that is written, here or in a function that is called? */
AMP_PRIV_COLD bool amp_priv_race_reads_other(const amp_priv_race_search *s, const amp_priv_tree *tree, int n,
                                             const amp_priv_index *written, int capture)
{
    amp_priv_index read[AMP_MAX_RANK];
    amp_priv_race_search function;
    for (int i = 1; i < s->tree->count; i++) {
        const amp_priv_tree_use use =
            s->tree->node[i].kind == AMP_PRIV_TREE_ACCESS ? amp_priv_tree_use_of(s->tree, i) : AMP_PRIV_TREE_TAKE;
        if ((use == AMP_PRIV_TREE_READ || use == AMP_PRIV_TREE_CHANGE) && (i != n || s->tree != tree) &&
            amp_priv_race_capture(s, i) == capture && amp_priv_tree_is_evaluated(s->tree, i) &&
            amp_priv_race_comes(s, i, true) && amp_priv_race_indexes(s, i, read) &&
            amp_priv_race_meets(s, written, read))
            return true;
        if (amp_priv_race_enter(&function, s, i) && amp_priv_race_reads_other(&function, tree, n, written, capture))
            return true;
    }
    return false;
}

AMP_PRIV_COLD bool amp_priv_race_has_neighbour(const amp_priv_race_search *s, int n, int capture)
{
    amp_priv_index written[AMP_MAX_RANK];
    const amp_priv_tree *const tree = s->tree;
    if (s->site->tiled || !amp_priv_race_comes(s, n, true) || !amp_priv_race_indexes(s, n, written))
        return false;
    while (s->caller)
        s = s->caller;
    return amp_priv_race_reads_other(s, tree, n, written, capture);
}

/* // >>find */

AMP_PRIV_COLD amp_priv_race amp_priv_race_search_in(const amp_priv_race_search *s)
{
    amp_priv_race race = { AMP_PRIV_RACE_NONE, -1, s->likely };
    amp_priv_race_search function;
    for (int n = 1; n < s->tree->count && race.kind == AMP_PRIV_RACE_NONE; n++) {
        const amp_priv_tree_use use =
            s->tree->node[n].kind == AMP_PRIV_TREE_ACCESS ? amp_priv_tree_use_of(s->tree, n) : AMP_PRIV_TREE_READ;
        if (amp_priv_race_enter(&function, s, n))
            race = amp_priv_race_search_in(&function);
        if (use != AMP_PRIV_TREE_WRITE && use != AMP_PRIV_TREE_CHANGE)
            continue;
        race.capture = amp_priv_race_capture(s, n);
        if (race.capture < 0 || !amp_priv_tree_is_evaluated(s->tree, n))
            continue;
        race.kind = amp_priv_race_of_change(s, n, race.capture);
        if (race.kind == AMP_PRIV_RACE_NONE && use == AMP_PRIV_TREE_WRITE && amp_priv_race_is_atomic(s, n))
            race.kind = AMP_PRIV_RACE_ATOMIC;
        if (race.kind == AMP_PRIV_RACE_NONE && amp_priv_race_has_neighbour(s, n, race.capture))
            race.kind = AMP_PRIV_RACE_NEIGHBOUR;
    }
    return race;
}

/* A race of a launch of this body over so many indexes, the first that is certain; then (likely) the first that is
   likely. */
AMP_PRIV_COLD amp_priv_race amp_priv_race_of(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                             const int *values, void *const *captured, bool likely)
{
    bool is_many = false;
    int entered = 0;
    for (int d = 0; d < site->rank; d++)
        is_many = is_many || values[d] > 1;
    amp_priv_race race = { AMP_PRIV_RACE_NONE, -1, false };
    if (!is_many || !body->good)
        return race;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    amp_priv_race_find_ends(&search);
    race = amp_priv_race_search_in(&search);
    search.likely = true;
    entered = 0;
    if (likely && race.kind == AMP_PRIV_RACE_NONE)
        race = amp_priv_race_search_in(&search);
    return race;
}

/* What is wrong, and the cure; $: the view. */
AMP_PRIV_COLD const char *amp_priv_race_text(amp_priv_race race)
{
    static const char *const texts[] = {
        [AMP_PRIV_RACE_ONE] = AMP_PRIV_MSG_RACE_ONE,       [AMP_PRIV_RACE_FEW] = AMP_PRIV_MSG_RACE_FEW,
        [AMP_PRIV_RACE_SHARED] = AMP_PRIV_MSG_RACE_SHARED, [AMP_PRIV_RACE_WRITTEN] = AMP_PRIV_MSG_RACE_WRITTEN,
        [AMP_PRIV_RACE_ATOMIC] = AMP_PRIV_MSG_RACE_ATOMIC, [AMP_PRIV_RACE_NEIGHBOUR] = AMP_PRIV_MSG_RACE_NEIGHBOUR,
        [AMP_PRIV_RACE_MEMORY] = AMP_PRIV_MSG_RACE_MEMORY
    };
    return texts[race.kind];
}

#endif /* AMP_CODEGEN_RACES_H */
