/* SPDX-License-Identifier: MIT */
/*  amp/validate/names.h - names that a kernel uses: what they are used for says what is wrong with them */
#ifndef AMP_VALIDATE_NAMES_H
#define AMP_VALIDATE_NAMES_H

#include "text.h"

/* // >>captures */

/* A captured value or the index is written, or a part of it, or (externally_visible) its address is given away. Each
   thread has a copy of these. */
AMP_PRIV_COLD void amp_priv_validator_copy_written(amp_priv_validated_text *text, const amp_priv_tree_node *name,
                                                   bool is_part, bool externally_visible)
{
    const amp_priv_launch_site *const site = text->validator->site;
    if (name->meaning == AMP_PRIV_MEANS_INDEX && !site->tiled)
        amp_priv_validator_report(text, AMP_PRIV_MSG_INDEX_WRITTEN, name->token);
    if (name->meaning != AMP_PRIV_MEANS_CAPTURE)
        return;
    const amp_priv_capture *const capture = &site->captures[name->of];
    if (capture->kind == AMP_PRIV_CAPTURE_VIEW && !is_part &&
        !externally_visible) /* its elements are not in the copy */
        amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_ASSIGNED, name->token);
    const bool is_value =
        capture->kind == AMP_PRIV_CAPTURE_SCALAR || (capture->kind == AMP_PRIV_CAPTURE_CONSTANT && capture->size);
    if ((is_value && !is_part) || capture->kind == AMP_PRIV_CAPTURE_STRUCT)
        amp_priv_validator_report(text, AMP_PRIV_MSG_COPY_WRITTEN, name->token);
}

/* Is n the address of what a name begins, &x, &x.a[1], or that itself? Then the name; 0: it is something else. */
AMP_PRIV_COLD int amp_priv_validator_addressed(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    return amp_priv_tree_named(tree, amp_priv_tree_is_unary(node, "&") ? node->a : n);
}

/* Is n the address of an element of a view, &AMP_AT(v, ...), or v.data? Then the view's name. */
AMP_PRIV_COLD int amp_priv_validator_element(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const of = &tree->node[node->a];
    if (amp_priv_tree_is_unary(node, "&") && of->kind == AMP_PRIV_TREE_ACCESS)
        return amp_priv_tree_named(tree, of->a);
    return node->kind == AMP_PRIV_TREE_MEMBER && amp_priv_tree_is_view(tree, of) &&
                   amp_priv_token_is(node->token, "data")
               ? node->a
               : 0;
}

AMP_PRIV_COLD bool amp_priv_validator_is_tile_static(const amp_priv_tree *tree, int name)
{
    return tree->node[tree->declared[tree->node[name].value]].meaning == AMP_PRIV_MEANS_TILE_STATIC;
}

/* A pointer to memory of the thread's own, by which it is written or (is_const) read, gets the value n: does that lead
   to other memory? Of p + i it is p that leads there. */
AMP_PRIV_COLD void amp_priv_validator_pointed(amp_priv_validated_text *text, int n, bool is_const)
{
    const amp_priv_tree *const tree = text->tree;
    while (tree->node[n].kind == AMP_PRIV_TREE_BINARY)
        n = tree->node[n].a;
    const int element = amp_priv_validator_element(tree, n), name = amp_priv_validator_addressed(tree, n);
    if (element)
        amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, tree->node[element].token);
    else if (name && amp_priv_validator_is_tile_static(tree, name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_POINTER, tree->node[name].token);
    else if (name && !is_const)
        amp_priv_validator_copy_written(text, &tree->node[name], false, true);
}

/* // >>calls */

/* The arguments of a call of an AMP_FUNCTION, as its parameters take them. */
AMP_PRIV_COLD void amp_priv_validator_arguments(amp_priv_validated_text *text, int argument, amp_priv_token function)
{
    const amp_priv_kernel_tree *const called = amp_priv_site_function_tree(text->validator->body, function);
    const amp_priv_tree_node *const node = called && !called->tree.failed ? called->tree.node : NULL;
    for (int p = node ? called->tree.parameters : 0; p && argument;
         p = node[p].next, argument = text->tree->node[argument].next)
        if (node[p].value == AMP_PRIV_DECLARES_POINTER || node[p].b)
            amp_priv_validator_pointed(text, argument, node[p].is_const);
}

/* Of a call of an unknown function: what is wrong with it. */
AMP_PRIV_COLD const char *amp_priv_validator_call(amp_priv_token name)
{
    for (size_t c = 0; c < sizeof amp_priv_validator_cures / sizeof amp_priv_validator_cures[0]; c++)
        if (amp_priv_listed(amp_priv_validator_cures[c].names, name))
            return amp_priv_validator_cures[c].sentence;
    return AMP_PRIV_MSG_NO_FUNCTION;
}

/* // >>names */

/* Is the name n that of a function that is called? */
AMP_PRIV_COLD bool amp_priv_validator_is_called(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const name = &tree->node[n], *const parent = &tree->node[name->parent];
    return name->is_dead ? amp_priv_token_is(amp_priv_token_after(name->token), "(")
                         : parent->kind == AMP_PRIV_TREE_CALL && parent->a == n;
}

/* What is wrong with the unknown name n; NULL where that cannot be known. */
AMP_PRIV_COLD const char *amp_priv_validator_classify(const amp_priv_validated_text *text, int n)
{
    const amp_priv_tree *const tree = text->tree;
    const amp_priv_tree_node *const name = &tree->node[n], *const parent = &tree->node[name->parent];
    const amp_priv_tree_use use = amp_priv_tree_use_of(tree, n);
    const bool is_part = parent->kind == AMP_PRIV_TREE_MEMBER;
    if (amp_priv_validator_vector_size(name->token))
        return NULL;
    if (amp_priv_validator_is_called(tree, n))
        return amp_priv_validator_call(name->token);
    if ((parent->kind == AMP_PRIV_TREE_ELEMENT && parent->a == n) || (is_part && parent->of) ||
        amp_priv_tree_is_unary(parent, "*"))
        return AMP_PRIV_MSG_POINTER;
    if (text->definition)
        return AMP_PRIV_MSG_NOT_PASSED;
    if (is_part)
        return AMP_PRIV_MSG_STRUCT_NOT_CAPTURED;
    return use == AMP_PRIV_TREE_READ ? AMP_PRIV_MSG_NOT_CAPTURED : AMP_PRIV_MSG_WRITTEN;
}

/* The name n is that of a definition of the user's. */
AMP_PRIV_COLD void amp_priv_validator_defined(amp_priv_validated_text *text, int n)
{
    const amp_priv_tree_node *const node = text->tree->node;
    const amp_priv_token name = node[n].token;
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validator->site, name);
    if (definition->kind == AMP_PRIV_DEFINES_FUNCTION) {
        if (!amp_priv_validator_is_called(text->tree, n))
            amp_priv_validator_report(text, AMP_PRIV_MSG_FUNCTION_POINTER, name);
        else if (definition == text->definition)
            amp_priv_validator_report(text, AMP_PRIV_MSG_RECURSION, name);
        else if (!node[n].is_dead)
            amp_priv_validator_arguments(text, node[node[n].parent].b, name);
    }
    amp_priv_validator_uses(text, definition);
}

/* The name n is that of nothing that the text or the launch declares. */
AMP_PRIV_COLD void amp_priv_validator_undeclared(amp_priv_validated_text *text, int n)
{
    const amp_priv_token name = text->tree->node[n].token;
    const bool called = amp_priv_validator_is_called(text->tree, n);
    if (text->tree->node[n].is_sized) {
        amp_priv_validator_type_or(text, name, AMP_PRIV_MSG_SIZED);
        return;
    }
    if (called && (amp_priv_validator_is_view_type(name) || amp_priv_token_begins(name, "amp_accelerator_") ||
                   amp_priv_token_begins(name, "amp_future_")))
        amp_priv_validator_report(text, AMP_PRIV_MSG_HOST_ONLY, name);
    if ((called && amp_priv_is_function_of_language(name)) || amp_priv_validator_is_reserved(name) ||
        amp_priv_listed(" true false nullptr NULL stdout stderr stdin ", name) ||
        amp_priv_words_have(&text->validator->typedefs, name))
        return;
    const char *const sentence = amp_priv_validator_classify(text, n);
    if (sentence)
        amp_priv_validator_report(text, sentence, name);
}

/* The address of the name n is given to a function of ours, which may write there. */
AMP_PRIV_COLD bool amp_priv_validator_is_given(const amp_priv_tree *tree, int n)
{
    do
        n = tree->node[n].parent;
    while (tree->node[n].kind == AMP_PRIV_TREE_MEMBER || tree->node[n].kind == AMP_PRIV_TREE_ELEMENT);
    const amp_priv_tree_node *const call = &tree->node[tree->node[n].parent];
    return amp_priv_tree_is_unary(&tree->node[n], "&") && call->kind == AMP_PRIV_TREE_CALL &&
           amp_priv_token_begins(tree->node[call->a].token, "amp_");
}

AMP_PRIV_COLD void amp_priv_validator_name(amp_priv_validated_text *text, int n)
{
    const amp_priv_tree *const tree = text->tree;
    const amp_priv_tree_node *const name = &tree->node[n], *const parent = &tree->node[name->parent];
    switch (name->meaning) {
    case AMP_PRIV_MEANS_CAPTURE:
    case AMP_PRIV_MEANS_INDEX:
        if (name->is_sized && amp_priv_tree_is_view(tree, name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_SIZEOF, name->token);
        else if (amp_priv_tree_is_written(tree, n) || amp_priv_validator_is_given(tree, n))
            amp_priv_validator_copy_written(text, name,
                                            parent->kind == AMP_PRIV_TREE_MEMBER ||
                                                parent->kind == AMP_PRIV_TREE_ELEMENT,
                                            !amp_priv_tree_is_written(tree, n));
        return;
    case AMP_PRIV_MEANS_DEFINITION: amp_priv_validator_defined(text, n); return;
    case AMP_PRIV_MEANS_BUILT_IN:
    case AMP_PRIV_MEANS_UNKNOWN: amp_priv_validator_undeclared(text, n); return;
    default: return;
    }
}

/* All names but those of what is not evaluated. */
AMP_PRIV_COLD void amp_priv_validator_names(amp_priv_validated_text *text)
{
    const amp_priv_tree *const tree = text->tree;
    for (int n = 1; n < tree->count && !text->validator->failed; n++)
        if (tree->node[n].is_dead || (tree->node[n].kind == AMP_PRIV_TREE_NAME && tree->node[n].parent))
            amp_priv_validator_name(text, n);
}

#endif /* AMP_VALIDATE_NAMES_H */
