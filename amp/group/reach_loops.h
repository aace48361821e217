/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_loops.h - what is known in each iteration of a loop, for the analysis of a reach (reach.h) */
#ifndef AMP_GROUP_REACH_LOOPS_H
#define AMP_GROUP_REACH_LOOPS_H

#include "reach_refine.h"

/* Forgets the variables that a part of the tree changes. */
AMP_PRIV_COLD void amp_priv_reach_forget_changed(amp_priv_reach_run *run, int n)
{
    for (int i = amp_priv_reach_node(run, n)->first; i <= amp_priv_reach_node(run, n)->last; i++) {
        const amp_priv_tree_node *const node = amp_priv_reach_node(run, i);
        if (node->kind != AMP_PRIV_TREE_ASSIGN && node->kind != AMP_PRIV_TREE_STEP &&
            (node->kind != AMP_PRIV_TREE_UNARY || !amp_priv_token_is(node->token, "&")))
            continue;
        const int root = amp_priv_reach_root(run, node->a);
        const amp_priv_reach_variable *const v = amp_priv_reach_node(run, root)->kind == AMP_PRIV_TREE_NAME
                                                     ? amp_priv_reach_find(run, amp_priv_reach_node(run, root)->token)
                                                     : NULL;
        if (v)
            amp_priv_reach_forget(run, v);
    }
}

/* The variable that a loop's step alone changes: i++, i -= 2. */
AMP_PRIV_COLD const amp_priv_reach_variable *amp_priv_reach_counter(const amp_priv_reach_run *run,
                                                                    const amp_priv_tree_node *loop)
{
    const amp_priv_tree_node *const step = amp_priv_reach_node(run, loop->c);
    const amp_priv_tree_node *const name = amp_priv_reach_node(run, step->a);
    if ((step->kind != AMP_PRIV_TREE_STEP && step->kind != AMP_PRIV_TREE_ASSIGN) || name->kind != AMP_PRIV_TREE_NAME ||
        (*step->token.at != '+' && *step->token.at != '-') || (step->b && amp_priv_reach_changes(run, step->b)))
        return NULL;
    const amp_priv_reach_variable *const counter = amp_priv_reach_find(run, name->token);
    return counter && counter->shape == AMP_PRIV_REACH_NUMBER && !counter->escaped ? counter : NULL;
}

/* What the step of a counter adds or subtracts. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_by(amp_priv_reach_run *run, const amp_priv_tree_node *step)
{
    return step->kind == AMP_PRIV_TREE_ASSIGN ? amp_priv_reach_use(run, step->b)
                                              : amp_priv_reach_number(amp_priv_range_of(1, 1), AMP_PRIV_NUMBER_INT);
}

/* Does a loop count up (1) or down (-1)? 0: it is not known. */
AMP_PRIV_COLD int amp_priv_reach_direction(amp_priv_reach_run *run, const amp_priv_tree_node *step)
{
    const amp_priv_reach_value by = amp_priv_reach_by(run, step);
    const int sign = *step->token.at == '+' ? 1 : -1;
    if (by.shape != AMP_PRIV_REACH_NUMBER || by.of[0].count == 0)
        return 0;
    return amp_priv_range_min(&by.of[0]) >= 0 ? sign : amp_priv_range_max(&by.of[0]) <= 0 ? -sign : 0;
}

/* At the step of a loop: may the counter leave its type, and begin again at the other end? A signed one that does so in
   its own type is an error of the kernel. */
AMP_PRIV_COLD bool amp_priv_reach_wraps(amp_priv_reach_run *run, const amp_priv_tree_node *step,
                                        const amp_priv_reach_variable *counter)
{
    const amp_priv_reach_value by = amp_priv_reach_by(run, step);
    const amp_priv_number_type type = (amp_priv_number_type)counter->number;
    const amp_priv_interval limits = amp_priv_number_limits(type);
    const long long beyond = type == AMP_PRIV_NUMBER_UINT64; /* the end is not in it */
    if (by.shape != AMP_PRIV_REACH_NUMBER)
        return true;
    if ((type == AMP_PRIV_NUMBER_INT || type == AMP_PRIV_NUMBER_INT64) &&
        amp_priv_number_common(type, (amp_priv_number_type)by.number) == type)
        return false;
    const amp_priv_range next = amp_priv_range_with(&run->scope->of[counter->first], *step->token.at, &by.of[0]);
    return !amp_priv_range_within(&next, limits.lo, limits.hi - beyond);
}

/* Once through a loop, from what is known each time. False if the counter wraps around. */
AMP_PRIV_COLD bool amp_priv_reach_turn(amp_priv_reach_run *run, const amp_priv_tree_node *node,
                                       const amp_priv_reach_variable *counter)
{
    amp_priv_reach_scope *const outside = run->scope, *const around = run->continued;
    amp_priv_reach_scope *const inside = amp_priv_reach_copy(run), *const continued = amp_priv_reach_copy(run);
    bool wraps = false;
    if (inside && continued) {
        continued->dead = true;
        run->continued = continued;
        run->scope = inside;
        if (node->b && !node->value)
            (void)amp_priv_reach_use(run, node->b);
        if (!node->value)
            amp_priv_reach_refine(run, node->b, true);
        if (node->d)
            amp_priv_reach_exec(run, node->d);
        amp_priv_reach_join(run, continued);
        wraps = counter && !inside->dead && amp_priv_reach_wraps(run, amp_priv_reach_node(run, node->c), counter);
        if (node->c)
            (void)amp_priv_reach_use(run, node->c);
        if (node->b && node->value)
            (void)amp_priv_reach_use(run, node->b);
    }
    run->scope = outside;
    run->continued = around;
    free(inside);
    free(continued);
    return !wraps;
}

AMP_PRIV_COLD void amp_priv_reach_loop(amp_priv_reach_run *run, const amp_priv_tree_node *node)
{
    const int count = run->scope->count, used = run->scope->used;
    if (node->a)
        amp_priv_reach_exec(run, node->a);
    const amp_priv_reach_variable *const counter = amp_priv_reach_counter(run, node);
    amp_priv_range *const counted = counter ? &run->scope->of[counter->first] : NULL;
    const amp_priv_range first = counted ? *counted : amp_priv_range_any();
    amp_priv_reach_forget_changed(run, node->b);
    amp_priv_reach_forget_changed(run, node->d);
    const bool kept = counted && first.count && !memcmp(counted, &first, sizeof first); /* by all but the step */
    amp_priv_reach_forget_changed(run, node->c);
    const int direction = kept ? amp_priv_reach_direction(run, amp_priv_reach_node(run, node->c)) : 0;
    if (direction) {
        const amp_priv_interval limits = amp_priv_number_limits((amp_priv_number_type)counter->number);
        *counted = direction > 0 ? amp_priv_range_of(amp_priv_range_min(&first), limits.hi)
                                 : amp_priv_range_of(limits.lo, amp_priv_range_max(&first));
    }
    if (!amp_priv_reach_turn(run, node, direction ? counter : NULL)) {
        amp_priv_reach_forget(run, counter);
        (void)amp_priv_reach_turn(run, node, NULL);
    }
    amp_priv_reach_leave(run, count, used);
}

#endif /* AMP_GROUP_REACH_LOOPS_H */
