/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_types.h - what the names of a kernel's tree (kernel_tree.h) are, and the types of its nodes

    A node's parts come before it, and a declaration before its uses, so that one pass over the nodes finds all types.
    The type of a node is C's: after the usual arithmetic conversions, and without those of an assignment, a call or a
    return, whose target has a type of its own. Where it is not known, it is amp_priv_type_unknown.

    Contents (search for the tag):
        >>definitions  >>names  >>members  >>operators  >>types */
#ifndef AMP_CODEGEN_TREE_TYPES_H
#define AMP_CODEGEN_TREE_TYPES_H

#include "tree_nodes.h"

/* // >>definitions: types in the texts of AMP_FUNCTION, AMP_STRUCT, AMP_TABLE and AMP_TYPEDEF. */

enum { AMP_PRIV_TYPEDEFS = 8 }; /* of each other */

/* The type behind the name of a typedef; another type is itself. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_resolved(const amp_priv_launch_site *site, amp_priv_value_type type)
{
    for (int i = 0; i < AMP_PRIV_TYPEDEFS && type.name.length; i++) {
        const amp_priv_user_definition *const d = amp_priv_definition_of(site, type.name);
        if (!d || d->kind != AMP_PRIV_DEFINES_TYPE || strncmp(d->text, "typedef", 7))
            break;
        amp_priv_token t = amp_priv_token_after(amp_priv_token_at(d->text));
        const amp_priv_value_type of = amp_priv_type_written(&t, NULL);
        if (!amp_priv_token_is(t, d->name) || !amp_priv_token_is(amp_priv_token_after(t), ";"))
            return amp_priv_type_unknown; /* of an array or a function */
        type = amp_priv_type_pointer(of, type.pointers);
    }
    return type;
}

/* The type of a definition's name: what a function returns, what a table is. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_defined(const amp_priv_launch_site *site,
                                                        const amp_priv_user_definition *d)
{
    amp_priv_token t = amp_priv_token_at(d->text);
    if (t.kind == AMP_PRIV_TOKEN_SPACE)
        t = amp_priv_token_after(t);
    amp_priv_value_type type = amp_priv_type_resolved(site, amp_priv_type_written(&t, NULL));
    if (!amp_priv_token_is(t, d->name))
        return amp_priv_type_unknown;
    for (t = amp_priv_token_after(t); amp_priv_token_is(t, "["); t = amp_priv_token_after(t)) {
        type = amp_priv_type_pointer(type, 1);
        while (t.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(t, "]"))
            t = amp_priv_token_after(t);
    }
    return type;
}

/* // >>names */

/* Is it the name of a captured view? */
AMP_PRIV_COLD bool amp_priv_tree_is_view(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    return node->meaning == AMP_PRIV_MEANS_CAPTURE && tree->site->captures[node->of].kind == AMP_PRIV_CAPTURE_VIEW;
}

/* The element type of a view of a function's, by the name of the view's type; of a captured one, by its head. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_element(const amp_priv_tree *tree, const amp_priv_tree_node *view)
{
    amp_priv_token element;
    int rank;
    bool is_const;
    amp_priv_value_type type = amp_priv_type_unknown;
    if (view->kind == AMP_PRIV_TREE_NAME && view->meaning == AMP_PRIV_MEANS_CAPTURE) {
        const amp_priv_head *const head =
            tree->captured && amp_priv_tree_is_view(tree, view) ? tree->captured[view->of] : NULL;
        if (!head || !head->kind || !head->element)
            return type;
        element = amp_priv_token_of(head->element->name);
        if (head->element->scalar)
            element = amp_priv_token_of(head->element->scalar);
    } else if (view->type.pointers || !amp_priv_is_view_type(view->type.name, &element, &rank, &is_const)) {
        return type;
    }
    type.name = element;
    const amp_priv_type_words words = amp_priv_type_words_of(element);
    const amp_priv_number_type number = amp_priv_type_words_number(&words);
    return number != AMP_PRIV_NUMBER_OTHER ? amp_priv_type_of_number(number) : amp_priv_type_resolved(tree->site, type);
}

/* The type of a captured number or struct. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_capture(const amp_priv_tree *tree, const amp_priv_capture *c)
{
    if (c->kind == AMP_PRIV_CAPTURE_CONSTANT)
        return amp_priv_type_of_number(c->value < INT_MIN || c->value > INT_MAX ? AMP_PRIV_NUMBER_INT64
                                                                                : AMP_PRIV_NUMBER_INT);
    if (c->kind == AMP_PRIV_CAPTURE_VIEW || !c->type)
        return amp_priv_type_unknown;
    amp_priv_token t = amp_priv_token_at(c->type);
    return amp_priv_type_resolved(tree->site, amp_priv_type_written(&t, NULL));
}

/* Of the launch's index: one name, or an int for each dimension. */
AMP_PRIV_COLD bool amp_priv_tree_is_index(const amp_priv_tree *tree, amp_priv_tree_node *node)
{
    amp_priv_token names[AMP_MAX_RANK];
    const char *const index = tree->site->index ? tree->site->index : "";
    const int count = amp_priv_index_names(index, names);
    if (!amp_priv_uses(index, node->token))
        return false;
    if (count)
        node->type = amp_priv_type_of_number(AMP_PRIV_NUMBER_INT);
    else
        node->type.name = amp_priv_token_of(tree->site->tiled ? "amp_tile" : "amp_index");
    return true;
}

/* What a name is, and its type. Definitions are found where they are called. */
AMP_PRIV_COLD void amp_priv_tree_resolve(const amp_priv_tree *tree, amp_priv_tree_node *node)
{
    const amp_priv_launch_site *const site = tree->site;
    const int declared = tree->declared[node->value];
    node->is_lvalue = true;
    if (node->value) {
        node->meaning = node->value <= tree->parameter_count ? AMP_PRIV_MEANS_PARAMETER : AMP_PRIV_MEANS_LOCAL;
        node->type = declared ? tree->node[declared].type : amp_priv_type_unknown;
        return;
    }
    for (int i = 0; i < site->capture_count && !tree->is_definition; i++)
        if (amp_priv_token_is(node->token, site->captures[i].name)) {
            node->meaning = AMP_PRIV_MEANS_CAPTURE;
            node->of = i;
            node->type = amp_priv_type_of_capture(tree, &site->captures[i]);
            return;
        }
    const amp_priv_user_definition *d = NULL;
    if (amp_priv_token_begins(node->token, "amp_priv_at")) { /* most of them: accesses, atomics */
        node->meaning = AMP_PRIV_MEANS_BUILT_IN;
    } else if (!tree->is_definition && amp_priv_tree_is_index(tree, node)) {
        node->meaning = AMP_PRIV_MEANS_INDEX;
    } else if ((d = amp_priv_definition_of(site, node->token)) != NULL) {
        node->meaning = AMP_PRIV_MEANS_DEFINITION;
        node->type = amp_priv_type_defined(site, d);
    } else if (amp_priv_is_function_of_language(node->token)) {
        node->meaning = AMP_PRIV_MEANS_BUILT_IN;
    }
}

/* // >>members */

/* Of a struct of the user's: the type of a member. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_struct_member(const amp_priv_launch_site *site,
                                                                 const amp_priv_user_definition *d, amp_priv_token name)
{
    amp_priv_member member = amp_priv_members_of(d->text);
    while (amp_priv_member_next(&member))
        if (amp_priv_token_is_word(member.name, name))
            return amp_priv_type_resolved(site, member.type);
    return amp_priv_type_unknown;
}

AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_member(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    const amp_priv_tree_node *const of = &tree->node[node->a];
    const amp_priv_token name = of->type.name;
    amp_priv_value_type type = amp_priv_type_unknown;
    const bool is_view = of->kind == AMP_PRIV_TREE_NAME && amp_priv_tree_is_view(tree, of);
    if (amp_priv_token_is(node->token, "data") && (is_view || amp_priv_is_view_name(name)))
        return amp_priv_type_pointer(amp_priv_type_of_element(tree, of), 1);
    if (amp_priv_token_is(node->token, "extent") && (is_view || amp_priv_is_view_name(name))) {
        type.name = amp_priv_token_of("amp_extent");
        return type;
    }
    if (!name.length || of->type.pointers > 1)
        return type;
    if ((amp_priv_token_begins(name, "amp_index") || amp_priv_token_begins(name, "amp_extent")) &&
        amp_priv_token_is(node->token, "v"))
        return amp_priv_type_pointer(amp_priv_type_of_number(AMP_PRIV_NUMBER_INT), 1);
    if ((amp_priv_token_begins(name, "amp_tile") || amp_priv_token_begins(name, "amp_priv_tile")) &&
        amp_priv_listed(" global local tile tile_origin ", node->token)) {
        type.name = amp_priv_token_of("amp_index");
        return type;
    }
    const amp_priv_user_definition *const d = amp_priv_definition_of(tree->site, name);
    return d && d->kind == AMP_PRIV_DEFINES_STRUCT ? amp_priv_type_of_struct_member(tree->site, d, node->token) : type;
}

/* // >>operators */

AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_binary(const amp_priv_token sign, const amp_priv_value_type *a,
                                                          const amp_priv_value_type *b)
{
    if (amp_priv_token_is(sign, ","))
        return *b;
    if (amp_priv_listed(" < <= > >= == != && || ", sign))
        return amp_priv_type_of_number(AMP_PRIV_NUMBER_INT);
    if (b->pointers && amp_priv_token_is(sign, "-"))
        return amp_priv_type_of_number(a->pointers ? AMP_PRIV_NUMBER_INT64 : AMP_PRIV_NUMBER_OTHER);
    if (a->pointers || b->pointers)
        return a->pointers ? *a : *b;
    const bool shifts = amp_priv_listed(" << >> ", sign);
    return amp_priv_type_of_number(
        amp_priv_number_common((amp_priv_number_type)a->number,
                               shifts ? AMP_PRIV_NUMBER_BOOL : (amp_priv_number_type)b->number));
}

AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_choice(const amp_priv_value_type *b, const amp_priv_value_type *c)
{
    if (b->pointers || c->pointers)
        return b->pointers ? *b : *c;
    if (b->name.length && amp_priv_token_is_word(b->name, c->name))
        return *b;
    return amp_priv_type_of_number(
        amp_priv_number_common((amp_priv_number_type)b->number, (amp_priv_number_type)c->number));
}

AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_unary(const amp_priv_tree_node *node, const amp_priv_value_type *a)
{
    switch (*node->token.at) {
    case '&': return amp_priv_type_pointer(*a, 1);
    case '*': return amp_priv_type_behind(*a, 1);
    case '!': return amp_priv_type_of_number(AMP_PRIV_NUMBER_INT);
    default: return amp_priv_type_of_binary(node->token, a, a); /* promoted */
    }
}

/* The result of a call: what a function of the user's returns, or a function of the language. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_call(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    const amp_priv_tree_node *const name = &tree->node[node->a];
    const char last = name->token.length ? name->token.at[name->token.length - 1] : '\0';
    if (name->kind == AMP_PRIV_TREE_NAME && name->meaning == AMP_PRIV_MEANS_DEFINITION)
        return name->type;
    if (name->kind != AMP_PRIV_TREE_NAME || name->meaning != AMP_PRIV_MEANS_BUILT_IN)
        return amp_priv_type_unknown;
    if (amp_priv_token_begins(name->token, "amp_priv_atomic_fetch_") ||
        amp_priv_token_begins(name->token, "amp_priv_atomic_exchange") ||
        amp_priv_token_begins(name->token, "amp_priv_atomic_load"))
        return amp_priv_type_behind(tree->node[node->b].type, 1);
    if (!amp_priv_listed(amp_priv_math_functions, name->token) || amp_priv_token_begins(name->token, "ilogb"))
        return amp_priv_type_unknown;
    return amp_priv_type_of_number(last == 'f' && !amp_priv_token_is(name->token, "erf") ? AMP_PRIV_NUMBER_FLOAT
                                                                                         : AMP_PRIV_NUMBER_DOUBLE);
}

/* // >>types */

/* Of a declaration or a cast: what is written, where that is no typedef and no typeof. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_meant(const amp_priv_tree *tree, const amp_priv_tree_node *node,
                                                      int expression)
{
    const int alias = tree->declared[node->of];
    if (expression)
        return amp_priv_type_pointer(tree->node[expression].type, node->type.pointers);
    if (alias && tree->node[alias].value == AMP_PRIV_DECLARES_TYPE)
        return amp_priv_type_pointer(tree->node[alias].type, node->type.pointers);
    return amp_priv_type_resolved(tree->site, node->type);
}

/* The type of ({ }): that of its last statement. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_statements(const amp_priv_tree *tree, int n)
{
    while (n && tree->node[n].next)
        n = tree->node[n].next;
    const amp_priv_tree_node *const last = &tree->node[n];
    if (last->kind != AMP_PRIV_TREE_BLOCK || !last->value || tree->node[last->a].kind == AMP_PRIV_TREE_DECLARE)
        return amp_priv_type_unknown;
    return tree->node[last->a].type;
}

/* The type of a node whose parts have theirs. No other function makes one. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_node(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    const amp_priv_value_type *const a = &tree->node[node->a].type, *const b = &tree->node[node->b].type;
    switch (node->kind) {
    case AMP_PRIV_TREE_MEMBER: return amp_priv_type_of_member(tree, node);
    case AMP_PRIV_TREE_ELEMENT: return amp_priv_type_behind(a->pointers ? *a : *b, 1);
    case AMP_PRIV_TREE_ACCESS: return amp_priv_type_of_element(tree, &tree->node[node->a]);
    case AMP_PRIV_TREE_CALL: return amp_priv_type_of_call(tree, node);
    case AMP_PRIV_TREE_UNARY: return amp_priv_type_of_unary(node, a);
    case AMP_PRIV_TREE_BINARY: return amp_priv_type_of_binary(node->token, a, b);
    case AMP_PRIV_TREE_CHOICE: return amp_priv_type_of_choice(b, &tree->node[node->c].type);
    case AMP_PRIV_TREE_ASSIGN:
    case AMP_PRIV_TREE_STEP: return *a;
    case AMP_PRIV_TREE_CAST: return amp_priv_type_meant(tree, node, node->b);
    case AMP_PRIV_TREE_DECLARE: return amp_priv_type_meant(tree, node, node->c);
    case AMP_PRIV_TREE_STATEMENTS: return amp_priv_type_of_statements(tree, node->a);
    default: return node->type;
    }
}

AMP_PRIV_COLD bool amp_priv_tree_is_lvalue(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    return node->kind == AMP_PRIV_TREE_ACCESS || node->kind == AMP_PRIV_TREE_ELEMENT ||
           (node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, "*")) ||
           (node->kind == AMP_PRIV_TREE_MEMBER &&
            (tree->node[node->a].is_lvalue || tree->node[node->a].type.pointers > 0)) ||
           (node->kind == AMP_PRIV_TREE_CAST && tree->node[node->a].kind == AMP_PRIV_TREE_VALUES);
}

/* Resolves the names, and gives each node its type; false without memory. */
AMP_PRIV_COLD bool amp_priv_tree_find_types(amp_priv_tree *tree)
{
    tree->declared = calloc((size_t)tree->variables + 1, sizeof *tree->declared);
    for (int n = 1; n < tree->count && tree->declared; n++) {
        amp_priv_tree_node *const node = &tree->node[n];
        if (node->kind == AMP_PRIV_TREE_NAME || node->is_dead) {
            if (n == tree->result)
                node->type = amp_priv_type_resolved(tree->site, node->type);
            else if (node->meaning != AMP_PRIV_MEANS_TYPE)
                amp_priv_tree_resolve(tree, node);
            continue;
        }
        node->type = amp_priv_type_of_node(tree, node);
        node->is_lvalue = amp_priv_tree_is_lvalue(tree, node);
        if (node->kind == AMP_PRIV_TREE_DECLARE)
            tree->declared[tree->node[node->d].value] = n;
    }
    return tree->declared != NULL;
}

#endif /* AMP_CODEGEN_TREE_TYPES_H */
