/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_size.h - constant expressions and sizes of what a kernel declares, by its tree (kernel_tree.h) */
#ifndef AMP_CODEGEN_TREE_SIZE_H
#define AMP_CODEGEN_TREE_SIZE_H

#include "tree_use.h"

enum { AMP_PRIV_CONSTANT_DEPTH = 16 }; /* of an expression whose value is looked for */

/* The value of a constant expression of numbers, captured constants and + - * / %; false: it is not known. */
AMP_PRIV_COLD bool amp_priv_tree_constant(const amp_priv_tree *tree, int n, int depth, long long *value)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const bool is_captured = node->kind == AMP_PRIV_TREE_NAME && node->meaning == AMP_PRIV_MEANS_CAPTURE &&
                             tree->site->captures[node->of].kind == AMP_PRIV_CAPTURE_CONSTANT;
    long long a = 0, b = 0;
    if (is_captured || amp_priv_tree_is_integer(node)) {
        *value = is_captured ? tree->site->captures[node->of].value : node->value;
        return true;
    }
    if (depth == 0 || node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_tree_constant(tree, node->a, depth - 1, &a) ||
        !amp_priv_tree_constant(tree, node->b, depth - 1, &b))
        return false;
    switch (*node->token.at) {
    case '+': return !__builtin_add_overflow(a, b, value);
    case '-': return !__builtin_sub_overflow(a, b, value);
    case '*': return !__builtin_mul_overflow(a, b, value);
    case '/':
    case '%':
        if (b > 0)
            *value = *node->token.at == '/' ? a / b : a % b;
        return b > 0;
    default: return false;
    }
}

/* The bytes of a struct that the launch knows: a captured one, an element of a view, or a short vector. Else 0. */
AMP_PRIV_COLD size_t amp_priv_tree_struct_size(const amp_priv_tree *tree, amp_priv_token name)
{
#define AMP_PRIV_VECTOR_SIZES(S, T, device, mask)                                                                      \
    { "amp_" #S "_2", 2 * sizeof(T) }, { "amp_" #S "_3", 4 * sizeof(T) }, { "amp_" #S "_4", 4 * sizeof(T) },           \
        { "amp_packed_" #S "_3", 3 * sizeof(T) },
    static const struct {
        const char *name;
        size_t size;
    } vectors[] = { AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTOR_SIZES) };
    const amp_priv_launch_site *const site = tree->site;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (amp_priv_token_is(name, vectors[i].name))
            return vectors[i].size;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        const amp_priv_head *const head = c->kind == AMP_PRIV_CAPTURE_VIEW && tree->captured ? tree->captured[i] : NULL;
        if (c->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_token_is(name, c->type))
            return c->size;
        if (head && head->element && amp_priv_token_is(name, head->element->name))
            return head->element->size;
    }
    return 0;
}

/* The bytes of what is declared at n, on a device; 0 where only its compiler knows. Of a variable of each thread: for
   one. */
AMP_PRIV_COLD size_t amp_priv_tree_declared_size(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node;
    amp_priv_value_type type = node[n].type;
    size_t count = 1;
    for (int d = node[n].b; d; d = node[d].next) {
        long long length = 1;
        const bool is_own = /* [amp_priv_own_count(0)]: one for all threads of a work-item */
            node[d].kind == AMP_PRIV_TREE_CALL && amp_priv_token_is(node[node[d].a].token, "amp_priv_own_count");
        if ((!is_own && !amp_priv_tree_constant(tree, d, AMP_PRIV_CONSTANT_DEPTH, &length)) || length <= 0 ||
            __builtin_mul_overflow(count, (size_t)length, &count))
            return 0;
        type = amp_priv_type_behind(type, 1);
    }
    if (type.pointers)
        return 0;
    const amp_priv_number_type number = amp_priv_type_number(&type);
    const size_t size =
        number == AMP_PRIV_NUMBER_OTHER ? amp_priv_tree_struct_size(tree, type.name) : amp_priv_number_size(number);
    return __builtin_mul_overflow(count, size, &count) ? 0 : count;
}

/* Parses a part of a source, from a token up to another one, and returns its node; 0: it is not understood. The tree
   is to be ended in any case. */
AMP_PRIV_COLD int amp_priv_tree_of_part(amp_priv_tree *tree, amp_priv_cursor first, amp_priv_cursor end,
                                        int (*parse)(amp_priv_tree *))
{
    for (amp_priv_cursor t = first; t < end; t++)
        amp_priv_tokens_put(&tree->tokens, *t);
    amp_priv_tokens_end(&tree->tokens, amp_priv_no_token);
    tree->failed = tree->tokens.failed;
    amp_priv_tree_new(tree, AMP_PRIV_TREE_NONE, (amp_priv_token){ AMP_PRIV_TOKEN_END, 0, "" });
    const int n = tree->failed ? 0 : parse(tree);
    return !tree->failed && tree->at == tree->tokens.count && amp_priv_tree_find_types(tree) ? n : 0;
}

/* The bytes of what is declared from a token up to its semicolon, in a body of that site. */
AMP_PRIV_COLD size_t amp_priv_declared_size(const amp_priv_launch_site *site, void *const *captured,
                                            amp_priv_cursor first, amp_priv_cursor end)
{
    amp_priv_tree tree = { .site = site, .captured = captured };
    const int n = amp_priv_tree_of_part(&tree, first, end, amp_priv_tree_declaration);
    const size_t size = n ? amp_priv_tree_declared_size(&tree, n) : 0;
    amp_priv_tree_end(&tree);
    return size;
}

/* The value of the constant expression from a token up to another one, which knows no names; false: it is not known. */
AMP_PRIV_COLD bool amp_priv_constant_of(amp_priv_cursor first, amp_priv_cursor end, long long *value)
{
    static const amp_priv_launch_site nowhere;
    amp_priv_tree tree = { .site = &nowhere };
    const int n = amp_priv_tree_of_part(&tree, first, end, amp_priv_tree_expression);
    const bool is_known = n && amp_priv_tree_constant(&tree, n, AMP_PRIV_CONSTANT_DEPTH, value);
    amp_priv_tree_end(&tree);
    return is_known;
}

#endif /* AMP_CODEGEN_TREE_SIZE_H */
