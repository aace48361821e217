/* SPDX-License-Identifier: MIT */
/*  amp/checked/values.h - checked builds: values of kernels that cannot be meant

    It warns of a quotient of integers that is 0 for each index of the launch, i / n, and becomes a floating-point
    number, of a floating-point value that an algorithm or an atomic function keeps as an integer, of a product that
    overflows, a random number that each index gets, a local array beyond its end, and a variable with the index's
    name. */
#ifndef AMP_CHECKED_VALUES_H
#define AMP_CHECKED_VALUES_H

#include "../validate/comparisons.h"
#include "../validate/races.h"
#include "portability.h"
#include "tiles.h"

#if defined(AMP_CHECKED)

AMP_PRIV_COLD bool amp_priv_value_is_real(const amp_priv_tree *tree, int n)
{
    const amp_priv_number_type type = amp_priv_tree_number_type(&tree->node[n]);
    return type == AMP_PRIV_NUMBER_HALF || type == AMP_PRIV_NUMBER_FLOAT || type == AMP_PRIV_NUMBER_DOUBLE;
}

/* Does the value at n become a floating-point number, by an operation or where it is stored? */
AMP_PRIV_COLD bool amp_priv_value_becomes_real(const amp_priv_tree *tree, int n)
{
    for (int parent; (parent = tree->node[n].parent) != 0; n = parent) {
        const amp_priv_tree_node *const p = &tree->node[parent];
        if (p->kind == AMP_PRIV_TREE_ASSIGN || p->kind == AMP_PRIV_TREE_DECLARE)
            return (p->kind == AMP_PRIV_TREE_DECLARE ? p->a == n : p->b == n) &&
                   amp_priv_value_is_real(tree, p->kind == AMP_PRIV_TREE_DECLARE ? parent : p->a);
        if (p->kind != AMP_PRIV_TREE_BINARY && p->kind != AMP_PRIV_TREE_UNARY && p->kind != AMP_PRIV_TREE_CAST)
            return false;
        if (amp_priv_value_is_real(tree, parent))
            return true;
    }
    return false;
}

/* Is the quotient at n, of two integers, 0 for each index: i / n where n is the extent, or 1 / n? */
AMP_PRIV_COLD bool amp_priv_value_is_nothing(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_tree_node *const node = &tree->node[n];
    long long by = 0;
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_token_is(node->token, "/") ||
        !amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->a])) ||
        !amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->b])) ||
        !amp_priv_race_number(s, node->b, &by) || by < 2 || !amp_priv_value_becomes_real(tree, n))
        return false;
    const amp_priv_tree_node *const a = &tree->node[node->a];
    if (a->kind == AMP_PRIV_TREE_NUMBER)
        return a->value > 0 && a->value < by;
    const amp_priv_index i = amp_priv_race_index_of(s, node->a);
    return i.kind && i.exact && i.of >= 0 && !i.minus && i.offset == 0 && by == s->values[i.of] && !s->site->has_origin;
}

/* Is n a product with a quotient of two constants that is 0, such as 1 / 2 * x? */
AMP_PRIV_COLD bool amp_priv_value_is_no_factor(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node, *const factor = &node[n], *const product = &node[factor->parent];
    return factor->parent && product->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(product->token, "*") &&
           factor->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(factor->token, "/") &&
           node[factor->a].kind == AMP_PRIV_TREE_NUMBER && node[factor->b].kind == AMP_PRIV_TREE_NUMBER &&
           amp_priv_number_is_integer(amp_priv_tree_number_type(&node[factor->a])) &&
           amp_priv_number_is_integer(amp_priv_tree_number_type(&node[factor->b])) && node[factor->a].value > 0 &&
           node[factor->a].value < node[factor->b].value;
}

/* Does an algorithm keep a floating-point value as an integer? Its first values are looked at (contracts.h). */
AMP_PRIV_COLD bool amp_priv_value_is_cut(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    return node->kind == AMP_PRIV_TREE_ASSIGN && tree->node[node->a].kind == AMP_PRIV_TREE_ELEMENT &&
           amp_priv_token_is(tree->node[tree->node[node->a].a].token, "amp_priv_x") &&
           amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->a])) &&
           amp_priv_value_is_real(tree, node->b);
}

/* Does an atomic function of an integer get a floating-point number? */
AMP_PRIV_COLD bool amp_priv_value_is_cut_by_atomic(const amp_priv_tree *tree, int n)
{
    const int call = amp_priv_race_atomic(tree, n), value = call ? amp_priv_tree_nth(tree, tree->node[call].b, 2) : 0;
    return value && !tree->node[value].next && amp_priv_value_is_real(tree, value) &&
           amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[n]));
}

/* The greatest value of a number, or of a component of the index in this launch; false: it is not known. */
AMP_PRIV_COLD bool amp_priv_value_most(const amp_priv_race_search *s, int n, long long *most)
{
    if (amp_priv_race_number(s, n, most))
        return true;
    const amp_priv_index i = amp_priv_race_index_of(s, n);
    const bool is_known = i.kind && i.exact && i.of >= 0 && !i.minus;
    *most = is_known ? amp_priv_race_origin(s, i.of) + s->values[i.of] - 1 + i.offset : 0;
    return is_known;
}

/* Is n a product of ints that is too large for one, of the last index? */
AMP_PRIV_COLD bool amp_priv_value_overflows(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    long long a = 0, b = 0;
    return node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, "*") &&
           amp_priv_tree_number_type(node) == AMP_PRIV_NUMBER_INT && amp_priv_value_most(s, node->a, &a) &&
           amp_priv_value_most(s, node->b, &b) && llabs(a) <= INT_MAX && llabs(b) <= INT_MAX && a * b > INT_MAX &&
           amp_priv_tree_is_evaluated(s->tree, n) && amp_priv_tree_is_for_all(s->tree, s->tree->root, n);
}

/* Is the random number the same for each index? */
AMP_PRIV_COLD bool amp_priv_value_is_one_random(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    const amp_priv_tree_node *const call = &tree->node[n];
    return call->kind == AMP_PRIV_TREE_CALL && amp_priv_token_begins(tree->node[call->a].token, "amp_random_") &&
           tree->node[amp_priv_tree_nth(tree, call->b, 2)].kind == AMP_PRIV_TREE_NUMBER &&
           amp_priv_race_is_uniform(s, call->b);
}

/* Is a local array indexed beyond its end, by a number or the counter of a loop, k <= 4? */
AMP_PRIV_COLD bool amp_priv_value_is_outside(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const element = &tree->node[n], *const array = &tree->node[element->a];
    const amp_priv_tree_node *const declared =
        &tree->node[array->kind == AMP_PRIV_TREE_NAME && array->value ? tree->declared[array->value] : 0];
    const amp_priv_tree_node *const size = &tree->node[declared->b];
    if (element->kind != AMP_PRIV_TREE_ELEMENT || declared->kind != AMP_PRIV_TREE_DECLARE || !declared->b ||
        size->next || declared->meaning == AMP_PRIV_MEANS_TILE_STATIC || !amp_priv_tree_is_integer(size) ||
        amp_priv_token_begins(array->token, "amp_priv_") || !amp_priv_tree_is_evaluated(tree, n))
        return false;
    const amp_priv_index index = amp_priv_tile_index_of(tree, element->b);
    if (index.kind != AMP_PRIV_AT_NUMBER || !index.loop || index.unknown_begin)
        return false;
    long long limit = 0;
    bool is_last = false;
    return amp_priv_tree_is_for_all(tree, index.loop, n) &&
           amp_priv_tile_loop_counts(tree, index.loop, element->b, &limit, &is_last) && limit + is_last > size->value &&
           index.offset < limit;
}

/* Does the body itself declare a variable with the name of the index? */
AMP_PRIV_COLD bool amp_priv_value_hides_index(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const int block = s->tree->node[node->parent].parent;
    return node->kind == AMP_PRIV_TREE_DECLARE && node->value == AMP_PRIV_DECLARES_VARIABLE && node->parent &&
           (block == s->tree->root || s->tree->node[block].parent == s->tree->root) &&
           s->tree->node[block].kind == AMP_PRIV_TREE_BLOCK && amp_priv_race_component(s->site, node->token) >= 0;
}

/* ... or a loop of the body a counter, by which it takes elements of a view, as the launch does? */
AMP_PRIV_COLD bool amp_priv_value_is_hidden_by_loop(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = s->tree->node, *const loop = &node[n], *const begin = &node[node[loop->a].a];
    if (loop->kind != AMP_PRIV_TREE_LOOP || begin->kind != AMP_PRIV_TREE_DECLARE ||
        amp_priv_race_component(s->site, begin->token) < 0)
        return false;
    for (int i = loop->first; i <= loop->last; i++)
        if (node[i].kind == AMP_PRIV_TREE_ACCESS && node[node[i].b].kind == AMP_PRIV_TREE_NAME &&
            node[node[i].b].value == node[begin->d].value)
            return true;
    return false;
}

/* Is the node an exclusive or with a small constant, i ^ 2, that becomes a floating-point number at once? By a cast,
   (float)(i ^ 2), only of the index: bits of a hash may. */
AMP_PRIV_COLD bool amp_priv_value_is_power(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const by = &tree->node[node->b];
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_token_is(node->token, "^") || !amp_priv_tree_is_integer(by) ||
        by->token.length != 1 || by->value < 2)
        return false;
    const amp_priv_tree_node *const p = &tree->node[node->parent];
    return (p->kind == AMP_PRIV_TREE_ASSIGN || p->kind == AMP_PRIV_TREE_DECLARE ||
            (p->kind == AMP_PRIV_TREE_CAST && tree->node[node->a].meaning == AMP_PRIV_MEANS_INDEX) ||
            (p->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" + - * / ", p->token))) &&
           amp_priv_value_becomes_real(tree, n);
}

/* ... or of a capture? */
AMP_PRIV_COLD bool amp_priv_value_hides_capture(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    const int block = s->tree->node[node->parent].parent;
    if (node->kind != AMP_PRIV_TREE_DECLARE || node->value != AMP_PRIV_DECLARES_VARIABLE || !node->parent ||
        (block != s->tree->root && s->tree->node[block].parent != s->tree->root) ||
        s->tree->node[block].kind != AMP_PRIV_TREE_BLOCK)
        return false;
    for (int i = 0; i < s->site->capture_count; i++)
        if (amp_priv_token_is(node->token, s->site->captures[i].name))
            return true;
    return false;
}

/* Is an int or an unsigned shifted by 32 bits or more, of the last index, or a wider integer by 64? */
AMP_PRIV_COLD bool amp_priv_value_is_shifted_out(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree_node *const node = &s->tree->node[n];
    long long bits = 0;
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" << >> ", node->token) ||
        !amp_priv_value_most(s, node->b, &bits) || !amp_priv_tree_is_evaluated(s->tree, n) ||
        !amp_priv_tree_is_for_all(s->tree, s->tree->root, n))
        return false;
    const amp_priv_number_type type = amp_priv_tree_number_type(node);
    return type == AMP_PRIV_NUMBER_INT || type == AMP_PRIV_NUMBER_UINT ? bits >= 32 : bits >= 64;
}

/* Is n an `if` or a loop that ends at a `;` behind a space, which may be what is left of a macro? */
AMP_PRIV_COLD bool amp_priv_value_ends_early(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    return (node->kind == AMP_PRIV_TREE_IF || node->kind == AMP_PRIV_TREE_LOOP) && node->parent &&
           amp_priv_does_nothing(tree, n) && amp_priv_tree_is_evaluated(tree, n);
}

/* What is wrong about the node of a body that a user wrote; NULL: nothing. */
AMP_PRIV_COLD const char *amp_priv_value_mistake(const amp_priv_race_search *s, int n)
{
    if (amp_priv_value_ends_early(s->tree, n))
        return AMP_PRIV_MSG_NO_BODY;
    if (amp_priv_value_is_outside(s->tree, n))
        return AMP_PRIV_MSG_LOCAL_OUTSIDE;
    if (amp_priv_value_is_cut_by_atomic(s->tree, n))
        return AMP_PRIV_MSG_ATOMIC_CUT;
    if (amp_priv_value_is_one_random(s, n))
        return AMP_PRIV_MSG_ONE_RANDOM;
    if (amp_priv_value_is_power(s->tree, n))
        return AMP_PRIV_MSG_POWER;
    if (s->site->tiled)
        return NULL;
    return amp_priv_value_is_nothing(s, n)           ? AMP_PRIV_MSG_QUOTIENT
           : amp_priv_value_is_no_factor(s->tree, n) ? AMP_PRIV_MSG_FACTOR
           : amp_priv_value_overflows(s, n)          ? AMP_PRIV_MSG_OVERFLOW
           : amp_priv_value_hides_index(s, n)        ? AMP_PRIV_MSG_INDEX_HIDDEN
           : amp_priv_value_is_hidden_by_loop(s, n)  ? AMP_PRIV_MSG_LOOP_HIDES
           : amp_priv_value_hides_capture(s, n)      ? AMP_PRIV_MSG_CAPTURE_HIDDEN
           : amp_priv_value_is_shifted_out(s, n)     ? AMP_PRIV_MSG_SHIFT
                                                     : NULL;
}

/* Warns of the first of them. Returns whether there is one. */
AMP_PRIV_COLD bool amp_priv_warn_of_values(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                           const int *values, void *const *captured)
{
    const amp_priv_tree *const tree = &body->tree;
    const bool is_algorithm = amp_priv_site_is_algorithm(site);
    int entered = 0;
    const char *what = NULL;
    const amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    for (int n = 1; n < tree->count && body->good && !site->unvalidated && !what; n++)
        what = !is_algorithm                    ? amp_priv_value_mistake(&search, n)
               : amp_priv_value_is_cut(tree, n) ? AMP_PRIV_MSG_VALUE_CUT
                                                : NULL;
    if (what)
        amp_priv_portability_warn(site, "%s", what);
    return what != NULL;
}

#endif

#endif /* AMP_CHECKED_VALUES_H */
