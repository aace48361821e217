/* SPDX-License-Identifier: MIT */
/*  amp/validate/race_paths.h - which indexes of a launch come to an access */
#ifndef AMP_VALIDATE_RACE_PATHS_H
#define AMP_VALIDATE_RACE_PATHS_H

#include "index_of.h"

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
    const amp_priv_kernel_tree *const called = amp_priv_called_tree(s->body, s->tree, n);
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

#endif /* AMP_VALIDATE_RACE_PATHS_H */
