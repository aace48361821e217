/* SPDX-License-Identifier: MIT */
/*  amp/codegen/comparisons.h - finds comparisons of a body that are never true, as x == 0.3 of a float */
#ifndef AMP_CODEGEN_COMPARISONS_H
#define AMP_CODEGEN_COMPARISONS_H

#include "tree_use.h"

/* Is the node a double constant that no value of the type equals? *constant: its node. */
AMP_PRIV_COLD bool amp_priv_tree_is_unequal(const amp_priv_tree *tree, int n, amp_priv_number_type type, int *constant)
{
    char text[64], *end;
    while (tree->node[n].kind == AMP_PRIV_TREE_UNARY && amp_priv_listed(" - + ", tree->node[n].token))
        n = tree->node[n].a;
    const amp_priv_tree_node *const node = &tree->node[n];
    if (node->kind != AMP_PRIV_TREE_NUMBER || amp_priv_tree_number_type(node) != AMP_PRIV_NUMBER_DOUBLE ||
        node->token.length >= sizeof text)
        return false;
    memcpy(text, node->token.at, node->token.length);
    text[node->token.length] = '\0';
    const double value = strtod(text, &end);
    *constant = n;
    return *end == '\0' && (type == AMP_PRIV_NUMBER_FLOAT ? (double)(float)value != value
                                                          : amp_priv_number_is_integer(type) && floor(value) != value);
}

/* The constant of such a comparison of a body or function; 0: there is none. *is_float: it is compared with a float. */
AMP_PRIV_COLD int amp_priv_unequal_in(const amp_priv_tree *tree, bool *is_float)
{
    int constant = 0;
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" == != ", node->token))
            continue;
        const amp_priv_number_type a = amp_priv_tree_number_type(&tree->node[node->a]),
                                   b = amp_priv_tree_number_type(&tree->node[node->b]);
        *is_float = a == AMP_PRIV_NUMBER_FLOAT || b == AMP_PRIV_NUMBER_FLOAT;
        if ((amp_priv_tree_is_unequal(tree, node->b, a, &constant) ||
             amp_priv_tree_is_unequal(tree, node->a, b, &constant)) &&
            amp_priv_tree_is_evaluated(tree, n))
            return constant;
    }
    return 0;
}

/* The same of a launch: its body, and the functions that it calls. Of kind AMP_PRIV_TOKEN_END: there is none. */
AMP_PRIV_COLD amp_priv_token amp_priv_unequal_of(const amp_priv_kernel_tree *body, bool *is_float)
{
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, "" };
    const int n = body->good ? amp_priv_unequal_in(&body->tree, is_float) : 0;
    if (n)
        found = body->tree.node[n].token;
    for (int i = 1; i < body->tree.count && body->good && found.kind == AMP_PRIV_TOKEN_END; i++) {
        const amp_priv_tree_node *const call = &body->tree.node[i], *const name = &body->tree.node[call->a];
        const amp_priv_kernel_tree *const function =
            call->kind == AMP_PRIV_TREE_CALL && name->meaning == AMP_PRIV_MEANS_DEFINITION
                ? amp_priv_site_function_tree(body, name->token)
                : NULL;
        const int constant = function && function->good ? amp_priv_unequal_in(&function->tree, is_float) : 0;
        if (constant)
            found = function->tree.node[constant].token;
    }
    return found;
}

#endif /* AMP_CODEGEN_COMPARISONS_H */
