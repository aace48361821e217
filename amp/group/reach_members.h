/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_members.h - indexes, members and elements, for the analysis of a reach (reach.h) */
#ifndef AMP_GROUP_REACH_MEMBERS_H
#define AMP_GROUP_REACH_MEMBERS_H

#include "reach_access.h"
#include "reach_captures.h"

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

#endif /* AMP_GROUP_REACH_MEMBERS_H */
