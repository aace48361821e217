/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_access.h - the rows that an access notes, and where a value is stored, for the analysis of a reach
    (reach.h)

    Contents (search for the tag):
        >>rows  >>store */
#ifndef AMP_GROUP_REACH_ACCESS_H
#define AMP_GROUP_REACH_ACCESS_H

#include "reach_state.h"

/* // >>rows */

/* Rows of a captured view are used. Those that are not there are an error of the kernel. */
AMP_PRIV_COLD void amp_priv_reach_note(amp_priv_reach_run *run, int capture, const amp_priv_range *rows, bool writes,
                                       amp_priv_token access)
{
    const int extent = amp_priv_head_extent(run->captured[capture])[0];
    amp_priv_reach_view *const view = &run->views[capture];
    if (run->scope->dead)
        return;
    const amp_priv_range there = amp_priv_range_cut(rows, 0, extent - 1);
    amp_priv_range *const noted = writes ? &view->written : &view->read;
    *noted = amp_priv_range_join(*noted, &there);
    if (writes)
        view->access = access;
}

/* Something unknown is done with a view. */
AMP_PRIV_COLD void amp_priv_reach_unknown(amp_priv_reach_run *run, int capture, amp_priv_token access)
{
    const amp_priv_head *const head = run->captured[capture];
    const amp_priv_range all = amp_priv_range_any();
    if (run->scope->dead)
        return;
    amp_priv_reach_note(run, capture, &all, false, access);
    if (head->kind != AMP_PRIV_CONST_VIEW)
        amp_priv_reach_note(run, capture, &all, true, access);
    run->views[capture].unknown = true;
}

/* A value that is used as a number. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_use(amp_priv_reach_run *run, int n)
{
    const amp_priv_reach_value value = amp_priv_reach_eval(run, n);
    if (value.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, value.capture, amp_priv_reach_node(run, n)->token);
    return value.shape == AMP_PRIV_REACH_NUMBER ? value : amp_priv_reach_other();
}

/* The captured view whose element the node is; -1: none. */
AMP_PRIV_COLD int amp_priv_reach_view_of(const amp_priv_reach_run *run, int n)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n), *const view = amp_priv_reach_node(run, node->a);
    const amp_priv_reach_variable *const v = node->kind == AMP_PRIV_TREE_ACCESS && view->kind == AMP_PRIV_TREE_NAME
                                                 ? amp_priv_reach_find(run, view->token)
                                                 : NULL;
    return v && v->shape == AMP_PRIV_REACH_VIEW ? v->capture : -1;
}

/* An access to an element of a view: the indexes are evaluated once, its rows noted. */
AMP_PRIV_COLD void amp_priv_reach_access(amp_priv_reach_run *run, int n, bool reads, bool writes)
{
    const int capture = amp_priv_reach_view_of(run, n);
    const amp_priv_tree_node *const access = amp_priv_reach_node(run, n);
    int argument = access->b;
    amp_priv_range rows = amp_priv_range_of(INT_MIN, INT_MAX);
    for (bool first = true; argument; argument = amp_priv_reach_node(run, argument)->next, first = false) {
        const amp_priv_reach_value value = amp_priv_reach_eval(run, argument);
        if (first && value.shape == AMP_PRIV_REACH_INDEX)
            rows = value.of[0];
        else if (first)
            rows = amp_priv_reach_as(&value, AMP_PRIV_NUMBER_INT).of[0];
    }
    if (reads)
        amp_priv_reach_note(run, capture, &rows, false, access->token);
    if (writes)
        amp_priv_reach_note(run, capture, &rows, true, access->token);
}

/* // >>store */

/* The node at the root of members and elements: of x.a[3].b x. An access to a view's element is one. */
AMP_PRIV_COLD int amp_priv_reach_root(const amp_priv_reach_run *run, int n)
{
    for (;;) {
        const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
        if (node->kind != AMP_PRIV_TREE_MEMBER && node->kind != AMP_PRIV_TREE_ELEMENT)
            return n;
        n = node->a;
    }
}

/* Evaluates the indexes on the way to the root. */
AMP_PRIV_COLD void amp_priv_reach_way(amp_priv_reach_run *run, int n, int root)
{
    for (; n != root; n = amp_priv_reach_node(run, n)->a)
        if (amp_priv_reach_node(run, n)->kind == AMP_PRIV_TREE_ELEMENT)
            (void)amp_priv_reach_use(run, amp_priv_reach_node(run, n)->b);
}

/* The number in a variable that the node is: x, or a component like i.v[0], t.global.v[1]; NULL where it is another
   thing. */
AMP_PRIV_COLD amp_priv_range *amp_priv_reach_place(const amp_priv_reach_run *run, int n,
                                                   const amp_priv_reach_variable **variable)
{
    static const char *const parts[] = { "global", "local", "tile", "tile_origin" };
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    if (node->kind == AMP_PRIV_TREE_NAME) {
        *variable = amp_priv_reach_find(run, node->token);
        return *variable && (*variable)->shape == AMP_PRIV_REACH_NUMBER ? &run->scope->of[(*variable)->first] : NULL;
    }
    const amp_priv_tree_node *const v = amp_priv_reach_node(run, node->a), *index = amp_priv_reach_node(run, node->b);
    if (node->kind != AMP_PRIV_TREE_ELEMENT || index->kind != AMP_PRIV_TREE_NUMBER || v->kind != AMP_PRIV_TREE_MEMBER ||
        !amp_priv_token_is(v->token, "v"))
        return NULL;
    const amp_priv_tree_node *base = amp_priv_reach_node(run, v->a);
    amp_priv_token part = { .kind = AMP_PRIV_TOKEN_END, .at = "" };
    if (base->kind == AMP_PRIV_TREE_MEMBER) {
        part = base->token;
        base = amp_priv_reach_node(run, base->a);
    }
    *variable = base->kind == AMP_PRIV_TREE_NAME ? amp_priv_reach_find(run, base->token) : NULL;
    if (!*variable)
        return NULL;
    const int parts_of = (*variable)->shape == AMP_PRIV_REACH_INDEX    ? 1
                         : (*variable)->shape == AMP_PRIV_REACH_TILE   ? 2
                         : (*variable)->shape == AMP_PRIV_REACH_THREAD ? 4
                                                                       : 0;
    int at = parts_of == 1 && part.kind == AMP_PRIV_TOKEN_END ? 0 : -1;
    for (int i = 0; i < parts_of && parts_of > 1; i++)
        if (amp_priv_token_is(part, parts[4 - parts_of + i]))
            at = i;
    const int rank = parts_of ? (*variable)->count / parts_of : 0;
    return at < 0 || index->value < 0 || index->value >= rank
               ? NULL
               : &run->scope->of[(*variable)->first + at * rank + (int)index->value];
}

/* Something is stored in what the node is; value: NULL where it is not known. Returns what is stored. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_store(amp_priv_reach_run *run, int n,
                                                        const amp_priv_reach_value *value, bool reads)
{
    const int root = amp_priv_reach_root(run, n);
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, root);
    const amp_priv_reach_variable *v = NULL;
    amp_priv_reach_value stored = amp_priv_reach_other();
    amp_priv_reach_way(run, n, root);
    if (amp_priv_reach_view_of(run, root) >= 0) {
        amp_priv_reach_access(run, root, reads || n != root, true);
        return stored;
    }
    if (node->kind != AMP_PRIV_TREE_NAME) {
        (void)amp_priv_reach_use(run, root);
        return stored;
    }
    v = amp_priv_reach_find(run, node->token);
    if (!v)
        return stored;
    if (v->shape == AMP_PRIV_REACH_VIEW) {
        amp_priv_reach_unknown(run, v->capture, node->token);
        return stored;
    }
    run->failed = run->failed || v->shape == AMP_PRIV_REACH_STRUCT;
    amp_priv_range *const place = n == root ? NULL : amp_priv_reach_place(run, n, &v);
    if (n == root)
        return amp_priv_reach_set(run, v, value ? value : &stored);
    if (place && value) {
        stored = amp_priv_reach_as(value, AMP_PRIV_NUMBER_INT);
        if (!v->escaped)
            *place = stored.of[0];
    } else {
        amp_priv_reach_forget(run, v);
    }
    return stored;
}

#endif /* AMP_GROUP_REACH_ACCESS_H */
