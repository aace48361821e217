/* SPDX-License-Identifier: MIT */
/*  amp/checked/values.h - checked builds: values of kernels that lose their fraction

    It warns of a quotient of integers that is 0 for each index of the launch, i / n, and becomes a floating-point
    number, and of a floating-point value that an algorithm keeps as an integer. */
#ifndef AMP_CHECKED_VALUES_H
#define AMP_CHECKED_VALUES_H

#include "../codegen/races.h"
#include "portability.h"

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
    const amp_priv_race_index i = amp_priv_race_index_of(s, node->a, 0);
    return i.good && i.exact && i.of >= 0 && !i.minus && i.offset == 0 && by == s->values[i.of] && !s->site->has_origin;
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

AMP_PRIV_COLD void amp_priv_warn_of_values(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                           const int *values, void *const *captured)
{
    const amp_priv_tree *const tree = &body->tree;
    const bool is_algorithm = amp_priv_site_is_algorithm(site);
    int entered = 0;
    const amp_priv_race_search search = {
        .tree = tree, .body = body, .site = site, .values = values, .captured = captured, .entered = &entered
    };
    for (int n = 1; n < tree->count && body->good && !site->unchecked; n++)
        if (!is_algorithm && !site->tiled && amp_priv_value_is_nothing(&search, n)) {
            amp_priv_portability_warn(site, "%s", AMP_PRIV_MSG_QUOTIENT);
            return;
        } else if (is_algorithm && amp_priv_value_is_cut(tree, n)) {
            amp_priv_portability_warn(site, "%s", AMP_PRIV_MSG_VALUE_CUT);
            return;
        }
}

#endif

#endif /* AMP_CHECKED_VALUES_H */
