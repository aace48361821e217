/* SPDX-License-Identifier: MIT */
/*  amp/checked/atomics.h - checked builds: plain reads of elements that atomic functions change in the same launch

    It warns of a value, a slot for instance, that is read beside the atomic function whose result is dropped, and of a
    test before such a function. A test alone, which saves the atomic function, is right with a minimum or a maximum. */
#ifndef AMP_CHECKED_ATOMICS_H
#define AMP_CHECKED_ATOMICS_H

#include "tiles.h"

#if defined(AMP_CHECKED)

/* May several indexes have the element at n? */
AMP_PRIV_COLD bool amp_priv_atomic_is_shared(const amp_priv_race_search *s, int n)
{
    bool is_shared = amp_priv_race_is_one(s, n);
    for (int index = s->tree->node[n].b; index; index = s->tree->node[index].next)
        is_shared = is_shared || amp_priv_race_is_loaded(s, index);
    for (int c = 0; c < s->site->rank && !is_shared; c++)
        is_shared = amp_priv_race_is_shared(s, n, &(amp_priv_race_part){ s, c, 0, s->values[c] });
    return is_shared;
}

/* Are m and n in different branches of a condition that is the same for all indexes? */
AMP_PRIV_COLD bool amp_priv_atomic_excludes(const amp_priv_race_search *s, int m, int n)
{
    while ((m = amp_priv_race_branch_without(s->tree, m, n)) != 0) {
        if (amp_priv_race_is_uniform(s, amp_priv_race_condition(s->tree, m)))
            return true;
        m = s->tree->node[m].parent;
    }
    return false;
}

/* Does the value at n become the value or the index of an element that is written, also by variables? */
AMP_PRIV_COLD bool amp_priv_atomic_is_stored(const amp_priv_tree *tree, int n, int depth)
{
    for (int parent; (parent = tree->node[n].parent) != 0 && depth < AMP_PRIV_RACE_CALLS; n = parent) {
        const amp_priv_tree_node *const p = &tree->node[parent];
        if (p->kind == AMP_PRIV_TREE_ACCESS && p->a != n && amp_priv_tree_use_of(tree, parent) != AMP_PRIV_TREE_READ)
            return true;
        if (p->kind == AMP_PRIV_TREE_ASSIGN)
            return p->a != n && tree->node[p->a].kind == AMP_PRIV_TREE_ACCESS;
        if (p->kind == AMP_PRIV_TREE_DECLARE) {
            const long long variable = tree->node[p->d].value;
            bool is_stored = false;
            for (int i = 1; i < tree->count && p->a == n && amp_priv_race_declaration(tree, variable); i++)
                is_stored = is_stored || (tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value == variable &&
                                          i != p->d && amp_priv_atomic_is_stored(tree, i, depth + 1));
            return is_stored;
        }
        if (p->kind != AMP_PRIV_TREE_BINARY && p->kind != AMP_PRIV_TREE_UNARY && p->kind != AMP_PRIV_TREE_CAST &&
            p->kind != AMP_PRIV_TREE_ACCESS && !(p->kind == AMP_PRIV_TREE_CHOICE && p->a != n))
            return false;
    }
    return false;
}

/* Does a part of the tree read the element at n by a plain access, also by a variable? */
AMP_PRIV_COLD bool amp_priv_atomic_is_tested(const amp_priv_tree *tree, int part, int n)
{
    bool is_tested = amp_priv_race_reads_it(tree, part, n);
    for (int i = tree->node[part].first; i <= tree->node[part].last && !is_tested; i++) {
        const amp_priv_tree_node *const name = &tree->node[i];
        const int from = name->kind == AMP_PRIV_TREE_NAME && name->value && name->parent
                             ? amp_priv_race_declaration(tree, name->value)
                             : 0;
        is_tested = from && amp_priv_tree_same(tree, tree->node[from].a, n);
    }
    return is_tested;
}

/* Is the call the only thing that its branch does? To set a flag that is not set, to one value, is right. */
AMP_PRIV_COLD bool amp_priv_atomic_sets_flag(const amp_priv_race_search *s, int call, int branch)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_token name = tree->node[tree->node[call].a].token;
    const int value = amp_priv_tree_nth(tree, tree->node[call].b, 2);
    while (tree->node[branch].kind == AMP_PRIV_TREE_BLOCK && !tree->node[tree->node[branch].a].next)
        branch = tree->node[branch].a;
    return branch == call &&
           (amp_priv_token_is(name, "amp_priv_atomic_exchange") || amp_priv_token_is(name, "amp_priv_atomic_store")) &&
           amp_priv_race_is_uniform(s, value);
}

/* Is the call, which changes the element at n, and whose result is dropped, under a test of that element? */
AMP_PRIV_COLD bool amp_priv_atomic_acts(const amp_priv_race_search *s, int call, int n)
{
    static const char acts[] = " amp_priv_atomic_exchange amp_priv_atomic_store amp_priv_atomic_fetch_add "
                               "amp_priv_atomic_fetch_sub ";
    const amp_priv_tree *const tree = s->tree;
    if (!amp_priv_listed(acts, tree->node[tree->node[call].a].token))
        return false;
    for (int i = call; i && i != tree->root; i = tree->node[i].parent) {
        const int condition = amp_priv_race_condition(tree, i);
        if (condition && amp_priv_atomic_is_tested(tree, condition, n))
            return !amp_priv_atomic_sets_flag(s, call, i);
    }
    return false;
}

/* What is wrong about an atomic call for the element at n; NULL: nothing. */
AMP_PRIV_COLD const char *amp_priv_atomic_mistake(const amp_priv_race_search *s, int call, int n)
{
    const amp_priv_tree *const tree = s->tree;
    if (amp_priv_tree_is_used(tree, call) || !amp_priv_race_comes(s, call, false) || !amp_priv_atomic_is_shared(s, n))
        return NULL;
    if (amp_priv_atomic_acts(s, call, n))
        return AMP_PRIV_MSG_ATOMIC_TEST;
    for (int i = 1; i < tree->count; i++)
        if (i != n && tree->node[i].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_same(tree, i, n) &&
            amp_priv_tree_use_of(tree, i) == AMP_PRIV_TREE_READ && amp_priv_tree_is_evaluated(tree, i) &&
            amp_priv_race_comes(s, i, false) && !amp_priv_atomic_excludes(s, i, n) &&
            amp_priv_atomic_is_stored(tree, i, 0))
            return AMP_PRIV_MSG_ATOMIC_READ;
    return NULL;
}

/* The same of a whole launch: what is wrong, and *capture, the view's number. */
AMP_PRIV_COLD const char *amp_priv_atomics_of(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                              const int *values, void *const *captured, int *capture)
{
    const amp_priv_tree *const tree = &body->tree;
    const char *what = NULL;
    bool is_many = false;
    int entered = 0;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    search.likely = true;
    for (int d = 0; d < site->rank; d++)
        is_many = is_many || values[d] > (site->tiled ? site->tile[d] : 1);
    if (is_many && body->good)
        amp_priv_race_find_ends(&search);
    for (int n = 1; n < tree->count && is_many && body->good && !what; n++) {
        const int call = amp_priv_race_atomic(tree, n);
        *capture = call ? amp_priv_race_capture(&search, n) : -1;
        what = *capture >= 0 ? amp_priv_atomic_mistake(&search, call, n) : NULL;
    }
    return what;
}

#endif

#endif /* AMP_CHECKED_ATOMICS_H */
