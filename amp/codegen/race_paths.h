/* SPDX-License-Identifier: MIT */
/*  amp/codegen/race_paths.h - which indexes of a launch come to an access, and to which element

    Contents (search for the tag):
        >>paths  >>changes  >>indexes */
#ifndef AMP_CODEGEN_RACE_PATHS_H
#define AMP_CODEGEN_RACE_PATHS_H

#include "index_of.h"

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

/* An index of an access, for races between indexes. Of a loop's variable it is a value that is not 0. Of two threads
   in a tile it is not known. */
AMP_PRIV_COLD amp_priv_index amp_priv_race_index_of(const amp_priv_race_search *s, int n)
{
    amp_priv_index index = amp_priv_index_of(s, n, 0);
    index.offset += index.round;
    index.exact = index.exact && !index.round;
    if (index.unknown_begin || index.kind == AMP_PRIV_AT_LOCAL)
        index.kind = AMP_PRIV_AT_UNKNOWN;
    return index;
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
AMP_PRIV_COLD bool amp_priv_race_indexes(const amp_priv_race_search *s, int access, amp_priv_index *indexes)
{
    const amp_priv_tree *const tree = s->tree;
    int d = 0, index = tree->node[access].b;
    const bool is_whole = index && !tree->node[index].next && amp_priv_race_is_whole(s, index);
    for (; is_whole && d < s->site->rank; d++)
        indexes[d] = (amp_priv_index){ .kind = AMP_PRIV_AT_LAUNCH, .of = d, .exact = true };
    for (; !is_whole && index && d < s->site->rank; index = tree->node[index].next, d++)
        indexes[d] = amp_priv_race_index_of(s, index);
    bool good = d == s->site->rank && (is_whole || !index);
    for (int i = 0; i < d; i++)
        good = good && indexes[i].kind && (indexes[i].exact || s->likely);
    return good;
}

#endif /* AMP_CODEGEN_RACE_PATHS_H */
