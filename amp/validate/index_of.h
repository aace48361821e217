/* SPDX-License-Identifier: MIT */
/*  amp/validate/index_of.h - how a value depends on where a thread is: the launch's index, its place in its tile

    The searches for races between indexes (races.h) and, in checked builds, between the threads of a tile ask it.

    Contents (search for the tag):
        >>calls  >>numbers  >>indexes */
#ifndef AMP_VALIDATE_INDEX_OF_H
#define AMP_VALIDATE_INDEX_OF_H

#include "../device/view_header.h"
#include "../codegen/tree_use.h"

/* A body, its launch, and whether races that are likely are wanted; or a function that is called there. */
typedef struct amp_priv_race_search {
    const amp_priv_tree *tree;
    const amp_priv_kernel_tree *body; /* the launch's */
    const amp_priv_launch_site *site;
    const int *values; /* of the extent, and of the origin */
    void *const *captured;
    bool likely, ends_early;
    const struct amp_priv_race_search *caller; /* of a function: where it is called, and the call */
    int call, *entered; /* entered: how many functions were looked through, one as often as it is called */
} amp_priv_race_search;

enum { AMP_PRIV_RACE_DEPTH = 20, AMP_PRIV_RACE_CALLS = 3, AMP_PRIV_RACE_ENTERED = 500 };

/* // >>calls */

/* Does the name's variable have the value that it begins with all the time? */
AMP_PRIV_COLD bool amp_priv_race_is_kept(const amp_priv_tree *tree, long long variable)
{
    for (int i = 1; i < tree->count; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        if (node->kind == AMP_PRIV_TREE_NAME && node->value == variable && node->parent &&
            tree->node[node->parent].kind != AMP_PRIV_TREE_DECLARE &&
            amp_priv_tree_use_of(tree, i) != AMP_PRIV_TREE_READ)
            return false;
    }
    return true;
}

/* A name that is a parameter: the argument, which is in the caller's tree. 0: it is none, or not known. */
AMP_PRIV_COLD int amp_priv_race_argument(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const name = &s->tree->node[n];
    if (!s->caller || name->kind != AMP_PRIV_TREE_NAME || name->meaning != AMP_PRIV_MEANS_PARAMETER ||
        !amp_priv_race_is_kept(s->tree, name->value))
        return 0;
    return amp_priv_tree_nth(s->caller->tree, s->caller->tree->node[s->call].b, name->value);
}

/* The number of a capture that a name of the body's means; -1: it is none. */
AMP_PRIV_COLD int amp_priv_race_captured(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const name = &s->tree->node[n];
    for (int c = 0; c < s->site->capture_count && name->kind == AMP_PRIV_TREE_NAME && !name->value && !s->caller; c++)
        if (amp_priv_token_is(name->token, s->site->captures[c].name))
            return c;
    return -1;
}

/* The captured view that a name means; -1: it means none. */
AMP_PRIV_COLD int amp_priv_race_view(const amp_priv_race_search *s, int n)
{
    for (int argument; (argument = amp_priv_race_argument(s, n)) != 0; s = s->caller)
        n = argument;
    const int c = amp_priv_race_captured(s, n);
    return c >= 0 && s->site->captures[c].kind == AMP_PRIV_CAPTURE_VIEW ? c : -1;
}

/* The variable's declaration, where that alone gives it a value; 0: another one does, too. */
AMP_PRIV_COLD int amp_priv_race_declaration(const amp_priv_tree *tree, long long variable)
{
    const int found = tree->declared[variable];
    return found && tree->node[found].a && amp_priv_race_is_kept(tree, variable) ? found : 0;
}

/* // >>numbers */

/* Which component of the launch's index a name is; -1: none. */
AMP_PRIV_COLD int amp_priv_race_component(const amp_priv_launch_site *site, amp_priv_token name)
{
    amp_priv_token names[AMP_MAX_RANK];
    for (int d = amp_priv_index_names(site->index, names) - 1; d >= 0; d--)
        if (amp_priv_token_is_word(names[d], name))
            return d;
    return -1;
}

/* An extent of a captured view, v.extent.v[0], as a number. */
AMP_PRIV_COLD bool amp_priv_race_extent(const amp_priv_race_search *s, int n, long long *value)
{
    const amp_priv_tree_node *const node = s->tree->node, *const element = &node[n], *const v = &node[element->a],
                                    *const extent = &node[v->a];
    const int c = amp_priv_race_captured(s, extent->a);
    const amp_priv_head *const head = c >= 0 && s->captured ? s->captured[c] : NULL;
    if (v->kind != AMP_PRIV_TREE_MEMBER || !amp_priv_token_is(v->token, "v") || extent->kind != AMP_PRIV_TREE_MEMBER ||
        !amp_priv_token_is(extent->token, "extent") || !head || s->site->captures[c].kind != AMP_PRIV_CAPTURE_VIEW ||
        !head->kind || node[element->b].kind != AMP_PRIV_TREE_NUMBER || node[element->b].value < 0 ||
        node[element->b].value >= head->rank)
        return false;
    *value = amp_priv_head_extent(head)[node[element->b].value];
    return true;
}

/* The value of an integer that this launch knows: a number, a captured int, an extent. */
AMP_PRIV_COLD bool amp_priv_race_number(const amp_priv_race_search *s, int n, long long *value)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const int c = amp_priv_race_captured(s, n), argument = amp_priv_race_argument(s, n);
    if (node->kind == AMP_PRIV_TREE_NUMBER) {
        *value = node->value;
        return amp_priv_tree_is_integer(node);
    }
    if (node->kind == AMP_PRIV_TREE_ELEMENT)
        return amp_priv_race_extent(s, n, value);
    if (argument)
        return amp_priv_race_number(s->caller, argument, value);
    if (c >= 0 && s->site->captures[c].kind == AMP_PRIV_CAPTURE_CONSTANT) {
        *value = s->site->captures[c].value;
        return true;
    }
    if (c < 0 || !s->captured || s->site->captures[c].kind != AMP_PRIV_CAPTURE_SCALAR ||
        strcmp(s->site->captures[c].type, "int") != 0)
        return false;
    *value = *(const int *)s->captured[c];
    return true;
}

/* // >>indexes */

typedef enum amp_priv_index_kind {
    AMP_PRIV_AT_UNKNOWN,
    AMP_PRIV_AT_NUMBER,
    AMP_PRIV_AT_LAUNCH, /* component `of` of the launch's index */
    AMP_PRIV_AT_LOCAL   /* t.local.v[of] */
} amp_priv_index_kind;

/* A value x + offset, or (minus) offset - x, where x is what its kind says; of a number, 0. The variable of a loop is
   the number that the loop begins with. */
typedef struct amp_priv_index {
    amp_priv_index_kind kind;
    int of; /* -1: of no component */
    long long offset;
    bool minus, exact;  /* exact: it is this value in each thread, not only in some */
    int loop;           /* the node of a loop whose variable is part of the value; 0: of none */
    bool unknown_begin; /* of the loop: it begins with no number */
    int round;          /* the offset of another round, where the loop begins with 0: +1, -1 */
} amp_priv_index;

static amp_priv_index amp_priv_index_of(const amp_priv_race_search *s, int n, int depth);

/* Of a local variable: what it is declared with; of a loop's, with what the loop begins. */
AMP_PRIV_COLD amp_priv_index amp_priv_index_of_variable(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree *const tree = s->tree;
    const int constant = amp_priv_race_declaration(tree, tree->node[n].value);
    if (constant)
        return amp_priv_index_of(s, tree->node[constant].a, depth);
    const amp_priv_tree_node *const declared = &tree->node[tree->declared[tree->node[n].value]];
    const int loop = tree->node[declared->parent].parent;
    if (!declared->a || tree->node[loop].kind != AMP_PRIV_TREE_LOOP || tree->node[loop].a != declared->parent)
        return (amp_priv_index){ .of = -1 };
    const amp_priv_index begin = amp_priv_index_of(s, declared->a, depth);
    const bool known = begin.kind == AMP_PRIV_AT_NUMBER && begin.exact;
    return (amp_priv_index){ .kind = AMP_PRIV_AT_NUMBER,
                             .of = -1,
                             .offset = begin.offset,
                             .exact = true,
                             .loop = loop,
                             .unknown_begin = !known,
                             .round = known && begin.offset == 0 };
}

/* The sum or difference of two indexes, also the product or quotient of two numbers. */
AMP_PRIV_COLD amp_priv_index amp_priv_index_of_two(amp_priv_token by, amp_priv_index a, amp_priv_index b)
{
    const bool is_minus = amp_priv_token_is(by, "-"), is_quotient = amp_priv_token_is(by, "/"),
               is_product = amp_priv_token_is(by, "*");
    const int sign = is_minus ? -1 : 1;
    amp_priv_index index = { .of = -1 };
    if (!a.kind || !b.kind || (a.of >= 0 && b.of >= 0))
        return index;
    index = a.of >= 0 ? a : b;
    index.exact = a.exact && b.exact && !(a.loop && b.loop);
    if (is_minus || amp_priv_token_is(by, "+")) {
        index.minus = a.of >= 0 ? a.minus : b.of >= 0 && b.minus != is_minus;
        index.offset = a.offset + sign * b.offset;
        index.round = a.round + sign * b.round;
        index.loop = a.loop ? a.loop : b.loop;
        index.unknown_begin = a.unknown_begin || b.unknown_begin;
        return index;
    }
    if (index.of >= 0 || a.loop || b.loop || (is_quotient && b.offset == 0) ||
        (!is_quotient && !is_product && (b.offset < 0 || b.offset > 31)))
        return (amp_priv_index){ .of = -1 };
    index.offset = is_quotient ? a.offset / b.offset : is_product ? a.offset * b.offset : a.offset >> b.offset;
    return index;
}

/* Of i > 0 ? i - 1 : 0: the first that is a neighbour. */
AMP_PRIV_COLD amp_priv_index amp_priv_index_of_any(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    amp_priv_index found = { .of = -1 };
    const bool is_choice = node->kind == AMP_PRIV_TREE_CHOICE;
    const int parts[] = { node->b, is_choice ? node->c : s->tree->node[node->b].next };
    for (int i = 0; i < 2 && parts[i] && !(found.of >= 0 && found.offset + found.round != 0); i++)
        found = amp_priv_index_of(s, parts[i], depth);
    found.exact = false;
    return found;
}

/* idx.v[1], t.local.v[1] */
AMP_PRIV_COLD amp_priv_index amp_priv_index_of_component(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = s->tree->node, *const element = &node[n], *const v = &node[element->a],
                                    *const whole = &node[v->a];
    const bool is_component = v->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(v->token, "v") &&
                              node[element->b].kind == AMP_PRIV_TREE_NUMBER;
    const bool is_local = whole->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(whole->token, "local"),
               is_launch = !s->caller && amp_priv_token_is(whole->token, s->site->index);
    if (!is_component || !(is_local || is_launch))
        return (amp_priv_index){ .of = -1 };
    return (amp_priv_index){ .kind = is_local ? AMP_PRIV_AT_LOCAL : AMP_PRIV_AT_LAUNCH,
                             .of = (int)node[element->b].value,
                             .exact = true };
}

AMP_PRIV_COLD amp_priv_index amp_priv_index_of(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_tree_node *const node = &tree->node[n];
    amp_priv_index index = { .of = -1, .exact = true };
    if (!n || depth++ > AMP_PRIV_RACE_DEPTH)
        return index;
    /* other numbers may be a branch's */
    if ((node->kind == AMP_PRIV_TREE_NUMBER || !s->likely) && amp_priv_race_number(s, n, &index.offset)) {
        index.kind = AMP_PRIV_AT_NUMBER;
        return index;
    }
    switch (node->kind) {
    case AMP_PRIV_TREE_NAME:
        if (amp_priv_race_argument(s, n))
            return amp_priv_index_of(s->caller, amp_priv_race_argument(s, n), depth);
        if (node->value)
            return amp_priv_index_of_variable(s, n, depth);
        index.of = s->caller ? -1 : amp_priv_race_component(s->site, node->token);
        index.kind = index.of >= 0 ? AMP_PRIV_AT_LAUNCH : AMP_PRIV_AT_UNKNOWN;
        return index;
    case AMP_PRIV_TREE_ELEMENT: return amp_priv_index_of_component(s, n);
    case AMP_PRIV_TREE_UNARY:
        index.kind = amp_priv_token_is(node->token, "-") ? AMP_PRIV_AT_NUMBER : AMP_PRIV_AT_UNKNOWN;
        return amp_priv_index_of_two(node->token, index, amp_priv_index_of(s, node->a, depth));
    case AMP_PRIV_TREE_BINARY:
        index = amp_priv_index_of(s, node->a, depth);
        if (amp_priv_token_is(node->token, "%") && index.of >= 0) { /* of (i + 1) % n */
            index.exact = false;
            return index;
        }
        if (!amp_priv_listed(" + - * / >> ", node->token))
            return (amp_priv_index){ .of = -1 };
        return amp_priv_index_of_two(node->token, index, amp_priv_index_of(s, node->b, depth));
    case AMP_PRIV_TREE_STATEMENTS: /* amp_max(i - 1, 0) is one: its last statement */
        for (n = node->a; n && tree->node[n].next;)
            n = tree->node[n].next;
        return amp_priv_index_of(s, n ? tree->node[n].a : 0, depth);
    case AMP_PRIV_TREE_CAST: return amp_priv_index_of(s, node->a, depth);
    case AMP_PRIV_TREE_CHOICE:
    case AMP_PRIV_TREE_CALL: return amp_priv_index_of_any(s, n, depth);
    default: return index;
    }
}

#endif /* AMP_VALIDATE_INDEX_OF_H */
