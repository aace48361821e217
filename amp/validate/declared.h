/* SPDX-License-Identifier: MIT */
/*  amp/validate/declared.h - what a kernel's source declares: its types, the lengths of arrays, where pointers lead */
#ifndef AMP_VALIDATE_DECLARED_H
#define AMP_VALIDATE_DECLARED_H

#include "names.h"

/* Is a length, a dimension's expression, something that is no constant? */
AMP_PRIV_COLD bool amp_priv_validator_varies(const amp_priv_tree *tree, int length)
{
    bool varies = false;
    for (int n = tree->node[length].first; n <= tree->node[length].last; n++) {
        const amp_priv_tree_node *const name = &tree->node[n];
        if (name->kind == AMP_PRIV_TREE_OPAQUE) /* a sizeof */
            return false;
        if (name->meaning == AMP_PRIV_MEANS_LOCAL)
            varies = varies || !tree->node[tree->declared[name->value]].is_const;
        if (name->meaning == AMP_PRIV_MEANS_CAPTURE)
            varies = varies || tree->site->captures[name->of].kind != AMP_PRIV_CAPTURE_CONSTANT;
    }
    return varies;
}

/* An array, whose first length is `length`. */
AMP_PRIV_COLD void amp_priv_validator_array(amp_priv_validated_text *text, amp_priv_token name, int length)
{
    const amp_priv_launch_site *const site = text->validator->site;
    const bool is_table = text->definition && text->definition->kind == AMP_PRIV_DEFINES_TABLE;
    if (length && amp_priv_site_promises_no_arrays(site) && !is_table)
        amp_priv_validator_report(text, AMP_PRIV_MSG_PRIVATE_ARRAY, name);
    for (; length; length = text->tree->node[length].next)
        if (amp_priv_validator_varies(text->tree, length))
            amp_priv_validator_report(text, AMP_PRIV_MSG_LENGTH, name);
}

AMP_PRIV_COLD void amp_priv_validator_declaration(amp_priv_validated_text *text, const amp_priv_tree_node *node)
{
    const amp_priv_tree *const tree = text->tree;
    const amp_priv_tree_node *const value = &tree->node[node->a], *const type = &tree->node[node->d];
    amp_priv_validator_type(text, type->token);
    if (type->value > tree->parameter_count)
        amp_priv_validator_array(text, node->token, node->b);
    if (node->a && node->meaning == AMP_PRIV_MEANS_TILE_STATIC)
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_STATIC_VALUE, node->token);
    if (!node->a || node->value != AMP_PRIV_DECLARES_POINTER)
        return;
    if (value->token.kind == AMP_PRIV_TOKEN_QUOTED)
        amp_priv_validator_report(text, AMP_PRIV_MSG_STRING_POINTER, node->token);
    amp_priv_validator_pointed(text, node->a, node->is_const);
}

AMP_PRIV_COLD void amp_priv_validator_declarations(amp_priv_validated_text *text)
{
    const amp_priv_tree *const tree = text->tree;
    if (tree->result)
        amp_priv_validator_type(text, tree->node[tree->result].type.name);
    for (int n = 1; n < tree->count && !text->validator->failed; n++)
        if (tree->node[n].kind == AMP_PRIV_TREE_DECLARE)
            amp_priv_validator_declaration(text, &tree->node[n]);
        else if (tree->node[n].kind == AMP_PRIV_TREE_CAST)
            amp_priv_validator_type(text, tree->node[n].token);
}

#endif /* AMP_VALIDATE_DECLARED_H */
