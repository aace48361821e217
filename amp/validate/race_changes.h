/* SPDX-License-Identifier: MIT */
/*  amp/validate/race_changes.h - accesses of a kernel that change an element: which, by what, with which indexes

    Contents (search for the tag):
        >>changes  >>indexes */
#ifndef AMP_VALIDATE_RACE_CHANGES_H
#define AMP_VALIDATE_RACE_CHANGES_H

#include "race_paths.h"

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

#endif /* AMP_VALIDATE_RACE_CHANGES_H */
