/* SPDX-License-Identifier: MIT */
/*  amp/codegen/race_paths.h - which indexes of a launch come to an access, and to which element

    Contents (search for the tag):
        >>calls  >>paths  >>changes  >>indexes */
#ifndef AMP_CODEGEN_RACE_PATHS_H
#define AMP_CODEGEN_RACE_PATHS_H

#include "../device/view_header.h"
#include "tree_use.h"

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

/* // >>paths */

/* Are the operators of a condition among these? Of such with limits, i > 0 && i < n - 1, neighbours come to the same
   branch. Nothing is known of an element or a call. */
AMP_PRIV_COLD bool amp_priv_race_has_only(const amp_priv_tree *tree, int condition, const char *operators)
{
    for (int i = tree->node[condition].first; i <= tree->node[condition].last; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        if (node->kind == AMP_PRIV_TREE_ACCESS || node->kind == AMP_PRIV_TREE_CALL ||
            (node->kind == AMP_PRIV_TREE_BINARY && !amp_priv_listed(operators, node->token)))
            return false;
    }
    return true;
}
static const char amp_priv_race_limits[] = " < > <= >= && || + - ";
static const char amp_priv_race_exceptions[] = " < > <= >= && || + - == "; /* of threads that end early */

/* Is it a comparison with one index of the launch, ==? Not with a thread's place in its tile, as each tile has such a
   thread. */
AMP_PRIV_COLD bool amp_priv_race_is_single(const amp_priv_tree *tree, int condition, const char *operators)
{
    bool compares = false, has_index = false, is_local = false;
    for (int i = tree->node[condition].first; i <= tree->node[condition].last; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        compares = compares || (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(operators, node->token)) ||
                   (node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, "!"));
        has_index =
            has_index || (node->kind == AMP_PRIV_TREE_NAME && tree->node[node->parent].kind != AMP_PRIV_TREE_ACCESS &&
                          !amp_priv_token_is(node->token, "amp_priv_atomic_load"));
        is_local = is_local || (node->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(node->token, "local"));
    }
    return compares && has_index && !is_local;
}

/* Is an `if`, a `?` or a `switch` around the node one that it comes to under a condition? Returns the condition, 0: it
   is not. */
AMP_PRIV_COLD int amp_priv_race_condition(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const p = &tree->node[tree->node[n].parent];
    const bool is_branch =
        p->kind == AMP_PRIV_TREE_IF || p->kind == AMP_PRIV_TREE_CHOICE || p->kind == AMP_PRIV_TREE_SWITCH;
    if (p->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" && || ", p->token) && p->b == n)
        return p->a;
    return is_branch && p->a != n ? p->a : 0;
}

/* The innermost branch, around m, that n is not in; 0: there is none. */
AMP_PRIV_COLD int amp_priv_race_branch_without(const amp_priv_tree *tree, int m, int n)
{
    for (; m && m != tree->root; m = tree->node[m].parent)
        if (amp_priv_race_condition(tree, m) && !(n >= tree->node[m].first && n <= tree->node[m].last))
            return m;
    return 0;
}

/* Does each index that comes to a part of the tree, the root or a phase, come to the node? */
AMP_PRIV_COLD bool amp_priv_tree_is_for_all(const amp_priv_tree *tree, int part, int n)
{
    for (; n && n != part; n = tree->node[n].parent)
        if (amp_priv_race_condition(tree, n))
            return false;
    return n == part;
}

/* May more than one index come to the node? limits: all conditions around it have these operators only. single: those
   that compare with one index. */
AMP_PRIV_COLD bool amp_priv_race_is_for_many(const amp_priv_tree *tree, int n, const char *limits, const char *single)
{
    for (; n && n != tree->root; n = tree->node[n].parent) {
        const int condition = amp_priv_race_condition(tree, n);
        if (condition && (limits ? !amp_priv_race_has_only(tree, condition, limits)
                                 : amp_priv_race_is_single(tree, condition, single)))
            return false;
    }
    return n == tree->root;
}

/* Does it end a thread, or a function? A `continue` or `break` of a loop in the body does not. Of a tile each phase is
   a loop. */
AMP_PRIV_COLD bool amp_priv_race_ends(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const jump = &s->tree->node[n];
    if (jump->kind != AMP_PRIV_TREE_JUMP)
        return false;
    if (s->caller && amp_priv_token_is(jump->token, "return"))
        return jump->parent != s->tree->root || jump->next;
    while ((s->caller || !s->site->tiled) && (n = s->tree->node[n].parent) != 0)
        if (s->tree->node[n].kind == AMP_PRIV_TREE_LOOP || s->tree->node[n].kind == AMP_PRIV_TREE_SWITCH)
            return false;
    return true;
}

AMP_PRIV_COLD void amp_priv_race_find_ends(amp_priv_race_search *s)
{
    s->ends_early = false;
    for (int n = 1; n < s->tree->count; n++)
        s->ends_early = s->ends_early || amp_priv_race_ends(s, n);
}

/* A search in a body; *entered, which counts its functions, is 0. */
AMP_PRIV_COLD amp_priv_race_search amp_priv_race_search_of(const amp_priv_kernel_tree *body,
                                                           const amp_priv_launch_site *site, const int *values,
                                                           void *const *captured, int *entered)
{
    return (amp_priv_race_search){
        .tree = &body->tree, .body = body, .site = site, .values = values, .captured = captured, .entered = entered
    };
}

/* Begins the search in the function that is called at n, with a view; false: there is none. */
AMP_PRIV_COLD bool amp_priv_race_enter(amp_priv_race_search *function, const amp_priv_race_search *s, int n)
{
    int calls = 0;
    bool has_view = false;
    for (const amp_priv_race_search *c = s; c->caller; c = c->caller)
        calls++;
    if (s->tree->node[n].kind != AMP_PRIV_TREE_CALL || calls == AMP_PRIV_RACE_CALLS ||
        !amp_priv_tree_is_evaluated(s->tree, n))
        return false;
    for (int argument = s->tree->node[n].b; argument && !has_view; argument = s->tree->node[argument].next)
        has_view = amp_priv_race_view(s, argument) >= 0;
    if (!has_view || *s->entered == AMP_PRIV_RACE_ENTERED)
        return false;
    ++*s->entered;
    const amp_priv_kernel_tree *const called =
        amp_priv_site_function_tree(s->body, s->tree->node[s->tree->node[n].a].token);
    if (!called || !called->good)
        return false;
    *function = *s;
    function->tree = &called->tree;
    function->caller = s;
    function->call = n;
    amp_priv_race_find_ends(function);
    return true;
}

/* Do those come to the node whose races are wanted? limits: neighbours do. */
AMP_PRIV_COLD bool amp_priv_race_comes(const amp_priv_race_search *s, int n, bool limits)
{
    if (s->caller && !amp_priv_race_comes(s->caller, s->call, limits))
        return false;
    if (!s->likely)
        return !s->ends_early && amp_priv_tree_is_for_all(s->tree, s->tree->root, n);
    bool comes = amp_priv_race_is_for_many(s->tree, n, limits ? amp_priv_race_limits : NULL, " == ");
    for (int i = 1; i < s->tree->count && comes && s->ends_early; i++)
        comes = !amp_priv_race_ends(s, i) ||
                amp_priv_race_is_for_many(s->tree, i, limits ? amp_priv_race_exceptions : NULL, " != ");
    return comes;
}

/* // >>changes */

/* Has the node the same value for each index: numbers and captured scalars? */
AMP_PRIV_COLD bool amp_priv_race_is_uniform(const amp_priv_race_search *s, int n)
{
    for (int i = s->tree->node[n].first; i <= s->tree->node[n].last; i++) {
        const amp_priv_tree_node *const node = &s->tree->node[i];
        const int c = amp_priv_race_captured(s, i), argument = amp_priv_race_argument(s, i);
        const bool is = node->kind == AMP_PRIV_TREE_NUMBER || node->kind == AMP_PRIV_TREE_BINARY ||
                        node->kind == AMP_PRIV_TREE_CAST || node->kind == AMP_PRIV_TREE_NONE ||
                        (c >= 0 && s->site->captures[c].kind != AMP_PRIV_CAPTURE_VIEW) ||
                        (argument && amp_priv_race_is_uniform(s->caller, argument));
        if (!is)
            return false;
    }
    return true;
}

AMP_PRIV_COLD bool amp_priv_race_is_one(const amp_priv_race_search *s, int access)
{
    bool is_one = s->tree->node[access].b != 0;
    for (int index = s->tree->node[access].b; index && is_one; index = s->tree->node[index].next)
        is_one = amp_priv_race_is_uniform(s, index);
    return is_one;
}

/* The capture that an access is to; -1: it is to none. */
AMP_PRIV_COLD int amp_priv_race_capture(const amp_priv_race_search *s, int access)
{
    return amp_priv_race_view(s, s->tree->node[access].a);
}

/* Have two parts of the tree the same text? */
AMP_PRIV_COLD bool amp_priv_tree_same(const amp_priv_tree *tree, int m, int n)
{
    const int size = tree->node[m].last - tree->node[m].first;
    bool same = size == tree->node[n].last - tree->node[n].first;
    for (int i = 0; i <= size && same; i++) {
        const amp_priv_tree_node *const a = &tree->node[tree->node[m].first + i],
                                        *const b = &tree->node[tree->node[n].first + i];
        same = a->kind == b->kind && a->value == b->value &&
               (a->kind == AMP_PRIV_TREE_NONE || a->kind == AMP_PRIV_TREE_ACCESS ||
                (a->token.length == b->token.length && !memcmp(a->token.at, b->token.at, a->token.length)));
    }
    return same;
}

/* Is the same element in another part of the tree? */
AMP_PRIV_COLD bool amp_priv_race_reads_it(const amp_priv_tree *tree, int part, int access)
{
    for (int i = tree->node[part].first; i <= tree->node[part].last; i++)
        if (i != access && tree->node[i].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_same(tree, i, access))
            return true;
    return false;
}

/* The assignment or step that writes what is at n. */
AMP_PRIV_COLD int amp_priv_tree_written_by(const amp_priv_tree *tree, int n)
{
    while (tree->node[n].kind != AMP_PRIV_TREE_ASSIGN && tree->node[n].kind != AMP_PRIV_TREE_STEP)
        n = tree->node[n].parent;
    return n;
}

/* Is the access to an element x, at n, in x += ..., x++, x = x + ...? Returns that node; 0: it is not. guarded: also in
   if (x < y) x = y. */
AMP_PRIV_COLD int amp_priv_tree_changed_by(const amp_priv_tree *tree, int n, bool guarded)
{
    const amp_priv_tree_use use = amp_priv_tree_use_of(tree, n);
    if (use != AMP_PRIV_TREE_CHANGE && use != AMP_PRIV_TREE_WRITE)
        return 0;
    const int by = amp_priv_tree_written_by(tree, n);
    if (use == AMP_PRIV_TREE_CHANGE || amp_priv_race_reads_it(tree, tree->node[by].b, n))
        return by;
    for (int i = by; guarded && i && i != tree->root; i = tree->node[i].parent) {
        const int condition = amp_priv_race_condition(tree, i);
        if (condition && amp_priv_race_reads_it(tree, condition, n))
            return by;
    }
    return 0;
}

/* The variable's declaration, where that alone gives it a value; 0: another one does, too. */
AMP_PRIV_COLD int amp_priv_race_declaration(const amp_priv_tree *tree, long long variable)
{
    const int found = tree->declared[variable];
    return found && tree->node[found].a && amp_priv_race_is_kept(tree, variable) ? found : 0;
}

/* Does the value come from an element of a view, also by a variable? */
AMP_PRIV_COLD bool amp_priv_race_is_loaded(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    for (int i = tree->node[n].first; i <= tree->node[n].last; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        const int argument = amp_priv_race_argument(s, i);
        const int from =
            node->kind == AMP_PRIV_TREE_NAME && node->value ? amp_priv_race_declaration(tree, node->value) : 0;
        if (node->kind == AMP_PRIV_TREE_ACCESS || (from && amp_priv_tree_has(tree, from, AMP_PRIV_TREE_ACCESS)) ||
            (argument && amp_priv_race_is_loaded(s->caller, argument)))
            return true;
    }
    return false;
}

/* The call of an atomic function that changes or reads the element at n; 0: there is none. */
AMP_PRIV_COLD int amp_priv_race_atomic(const amp_priv_tree *tree, int n)
{
    const int call = tree->node[tree->node[n].parent].parent;
    return tree->node[n].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_use_of(tree, n) == AMP_PRIV_TREE_TAKE &&
                   tree->node[call].kind == AMP_PRIV_TREE_CALL &&
                   amp_priv_token_begins(tree->node[tree->node[call].a].token, "amp_priv_atomic_") &&
                   amp_priv_tree_is_evaluated(tree, n)
               ? call
               : 0;
}

/* Has the launch more indexes than the captured view has elements? */
AMP_PRIV_COLD bool amp_priv_race_has_few(const amp_priv_race_search *s, int capture)
{
    const amp_priv_head *const head = s->captured ? s->captured[capture] : NULL;
    double indexes = 1, elements = 1;
    if (!head || s->site->captures[capture].kind != AMP_PRIV_CAPTURE_VIEW || !head->kind)
        return false;
    for (int d = 0; d < s->site->rank; d++)
        indexes *= s->values[d];
    for (int d = 0; d < head->rank; d++)
        elements *= amp_priv_head_extent(head)[d];
    return elements >= 1 && indexes > elements;
}

/* // >>indexes */

/* An index of an access: component `of` of the launch's index, or (minus) its negative, plus `offset`; or (of < 0) the
   number `offset`. */
typedef struct amp_priv_race_index {
    int of;
    long long offset;
    bool good, exact; /* it is known; in each thread, or only in some */
    bool minus;
} amp_priv_race_index;

/* Which component of the launch's index a name is; -1: none. */
AMP_PRIV_COLD int amp_priv_race_component(const amp_priv_launch_site *site, amp_priv_token name)
{
    int component = 0;
    amp_priv_token t = amp_priv_token_at(site->index);
    if (!amp_priv_token_is(t, "("))
        return -1;
    for (; t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_at(t.at + t.length)) {
        if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is_word(t, name))
            return component;
        component += amp_priv_token_is(t, ",");
    }
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
        return node->type.number != AMP_PRIV_NUMBER_OTHER;
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

static amp_priv_race_index amp_priv_race_index_of(const amp_priv_race_search *s, int n, int depth);

/* A local variable: what it was declared with; of a loop, with what it begins: its second value where that is 0. */
AMP_PRIV_COLD amp_priv_race_index amp_priv_race_index_of_local(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_race_index unknown = { .good = false };
    const int constant = amp_priv_race_declaration(tree, tree->node[n].value);
    if (constant)
        return amp_priv_race_index_of(s, tree->node[constant].a, depth);
    const amp_priv_tree_node *const declared = &tree->node[tree->declared[tree->node[n].value]];
    const amp_priv_tree_node *const loop = &tree->node[tree->node[declared->parent].parent];
    if (!declared->a || loop->kind != AMP_PRIV_TREE_LOOP || loop->a != declared->parent)
        return unknown;
    amp_priv_race_index begin = amp_priv_race_index_of(s, declared->a, depth);
    begin.good = begin.good && begin.of < 0;
    begin.exact = begin.exact && begin.offset != 0;
    begin.offset += begin.offset == 0;
    return begin;
}

AMP_PRIV_COLD amp_priv_race_index amp_priv_race_index_of_sum(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    amp_priv_race_index a = amp_priv_race_index_of(s, node->a, depth), b = { .good = false };
    if (amp_priv_token_is(node->token, "%")) { /* of (i + 1) % n */
        a.exact = false;
        a.good = a.good && a.of >= 0;
        return a;
    }
    if (!a.good || !amp_priv_listed(" + - ", node->token))
        return b;
    b = amp_priv_race_index_of(s, node->b, depth);
    const bool is_minus = amp_priv_token_is(node->token, "-");
    a.good = b.good && (b.of < 0 || a.of < 0);
    a.minus = b.of < 0 ? a.minus : b.minus != is_minus;
    a.of = a.of < 0 ? b.of : a.of;
    a.offset += is_minus ? -b.offset : b.offset;
    a.exact = a.exact && b.exact;
    return a;
}

/* Of i > 0 ? i - 1 : 0: the first that is a neighbour. */
AMP_PRIV_COLD amp_priv_race_index amp_priv_race_index_of_any(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    amp_priv_race_index found = { .good = false };
    const bool is_choice = node->kind == AMP_PRIV_TREE_CHOICE;
    const int parts[] = { node->b, is_choice ? node->c : s->tree->node[node->b].next };
    for (int i = 0; i < 2 && parts[i] && !(found.good && found.of >= 0 && found.offset != 0); i++)
        found = amp_priv_race_index_of(s, parts[i], depth);
    found.exact = false;
    return found;
}

AMP_PRIV_COLD amp_priv_race_index amp_priv_race_index_of(const amp_priv_race_search *s, int n, int depth)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_tree_node *const node = &tree->node[n], *const of = &tree->node[node->a];
    amp_priv_race_index index = { .of = -1, .exact = true };
    if (!n || depth > AMP_PRIV_RACE_DEPTH)
        return index;
    if (node->kind == AMP_PRIV_TREE_NUMBER || !s->likely) { /* other numbers may be a branch's */
        index.good = amp_priv_race_number(s, n, &index.offset);
        if (index.good || node->kind == AMP_PRIV_TREE_NUMBER)
            return index;
    }
    switch (node->kind) {
    case AMP_PRIV_TREE_NAME:
        if (amp_priv_race_argument(s, n))
            return amp_priv_race_index_of(s->caller, amp_priv_race_argument(s, n), depth + 1);
        if (node->value)
            return amp_priv_race_index_of_local(s, n, depth + 1);
        index.of = s->caller ? -1 : amp_priv_race_component(s->site, node->token);
        index.good = index.of >= 0;
        return index;
    case AMP_PRIV_TREE_ELEMENT: /* idx.v[1] */
        index.good = !s->caller && of->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(of->token, "v") &&
                     amp_priv_token_is(tree->node[of->a].token, s->site->index) &&
                     tree->node[node->b].kind == AMP_PRIV_TREE_NUMBER;
        index.of = (int)tree->node[node->b].value;
        return index;
    case AMP_PRIV_TREE_UNARY:
        index = amp_priv_race_index_of(s, node->a, depth + 1);
        index.good = index.good && amp_priv_token_is(node->token, "-");
        index.offset = -index.offset;
        index.minus = !index.minus;
        return index;
    case AMP_PRIV_TREE_BINARY: return amp_priv_race_index_of_sum(s, n, depth + 1);
    case AMP_PRIV_TREE_STATEMENTS: /* amp_max(i - 1, 0) is one: its last statement */
        for (n = node->a; n && tree->node[n].next;)
            n = tree->node[n].next;
        return amp_priv_race_index_of(s, n ? tree->node[n].a : 0, depth + 1);
    case AMP_PRIV_TREE_CAST: return amp_priv_race_index_of(s, node->a, depth + 1);
    case AMP_PRIV_TREE_CHOICE:
    case AMP_PRIV_TREE_CALL: return amp_priv_race_index_of_any(s, n, depth + 1);
    default: return index;
    }
}

/* Is it the launch's index, of all components? */
AMP_PRIV_COLD bool amp_priv_race_is_whole(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const name = &s->tree->node[n];
    const int argument = amp_priv_race_argument(s, n);
    if (argument)
        return amp_priv_race_is_whole(s->caller, argument);
    return !s->caller && name->kind == AMP_PRIV_TREE_NAME && !name->value &&
           amp_priv_token_is(name->token, s->site->index);
}

/* All indexes of an access, one for each component of the launch's. False: they are not known. */
AMP_PRIV_COLD bool amp_priv_race_indexes(const amp_priv_race_search *s, int access, amp_priv_race_index *indexes)
{
    const amp_priv_tree *const tree = s->tree;
    int d = 0, index = tree->node[access].b;
    const bool is_whole = index && !tree->node[index].next && amp_priv_race_is_whole(s, index);
    for (; is_whole && d < s->site->rank; d++)
        indexes[d] = (amp_priv_race_index){ .of = d, .good = true, .exact = true };
    for (; !is_whole && index && d < s->site->rank; index = tree->node[index].next, d++)
        indexes[d] = amp_priv_race_index_of(s, index, 0);
    bool good = d == s->site->rank && (is_whole || !index);
    for (int i = 0; i < d; i++)
        good = good && indexes[i].good && (indexes[i].exact || s->likely);
    return good;
}

#endif /* AMP_CODEGEN_RACE_PATHS_H */
