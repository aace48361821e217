/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_text.h - an expression of a kernel's tree (kernel_tree.h) as the user wrote it, for messages */
#ifndef AMP_CODEGEN_TREE_TEXT_H
#define AMP_CODEGEN_TREE_TEXT_H

#include "tree_use.h"

enum { AMP_PRIV_TREE_TEXT = 80 /* bytes: longer ones have ... */ };

static void amp_priv_add_tree(amp_priv_string *out, const amp_priv_tree *tree, int n, int precedence);

AMP_PRIV_COLD void amp_priv_add_tree_token(amp_priv_string *out, amp_priv_token t)
{
    amp_priv_add(out, t.at, t.length);
}

/* "(a, b)" */
AMP_PRIV_COLD void amp_priv_add_tree_list(amp_priv_string *out, const amp_priv_tree *tree, const char *first, int n)
{
    for (amp_priv_adds(out, first); n; n = tree->node[n].next) {
        amp_priv_add_tree(out, tree, n, 0);
        amp_priv_adds(out, tree->node[n].next ? ", " : "");
    }
    amp_priv_adds(out, ")");
}

/* ", i, j)": the indexes of an access, without the (int) that AMP_AT gives each */
AMP_PRIV_COLD void amp_priv_add_tree_indexes(amp_priv_string *out, const amp_priv_tree *tree, int n)
{
    for (; n; n = tree->node[n].next) {
        const bool is_cast = tree->node[n].kind == AMP_PRIV_TREE_CAST && amp_priv_token_is(tree->node[n].token, "int");
        amp_priv_adds(out, ", ");
        amp_priv_add_tree(out, tree, is_cast ? tree->node[n].a : n, 0);
    }
    amp_priv_adds(out, ")");
}

/* The name in AMP_OWN(name), which is name[][][] with the thread's numbers; 0: it is another element. */
AMP_PRIV_COLD int amp_priv_tree_own(const amp_priv_tree *tree, int n)
{
    int depth = 0;
    for (; tree->node[n].kind == AMP_PRIV_TREE_ELEMENT; n = tree->node[n].a, depth++) {
        const amp_priv_tree_node *const index = &tree->node[tree->node[n].b];
        if (index->kind != AMP_PRIV_TREE_CALL || !amp_priv_token_is(tree->node[index->a].token, "amp_priv_own_index"))
            return 0;
    }
    return depth == 3 ? n : 0;
}

AMP_PRIV_COLD void amp_priv_add_tree_element(amp_priv_string *out, const amp_priv_tree *tree, int n)
{
    const int own = amp_priv_tree_own(tree, n);
    if (own) {
        amp_priv_adds(out, "AMP_OWN(");
        amp_priv_add_tree(out, tree, own, 0);
        amp_priv_adds(out, ")");
        return;
    }
    amp_priv_add_tree(out, tree, tree->node[n].a, AMP_PRIV_TREE_DEPTH);
    amp_priv_adds(out, "[");
    amp_priv_add_tree(out, tree, tree->node[n].b, 0);
    amp_priv_adds(out, "]");
}

/* What is no operation of two. */
AMP_PRIV_COLD void amp_priv_add_tree_operand(amp_priv_string *out, const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    switch (node->kind) {
    case AMP_PRIV_TREE_NUMBER:
    case AMP_PRIV_TREE_NAME: amp_priv_add_tree_token(out, node->token); break;
    case AMP_PRIV_TREE_MEMBER:
        amp_priv_add_tree(out, tree, node->a, AMP_PRIV_TREE_DEPTH);
        amp_priv_adds(out, node->of ? "->" : ".");
        amp_priv_add_tree_token(out, node->token);
        break;
    case AMP_PRIV_TREE_ELEMENT: amp_priv_add_tree_element(out, tree, n); break;
    case AMP_PRIV_TREE_ACCESS:
        amp_priv_adds(out, "AMP_AT(");
        amp_priv_add_tree(out, tree, node->a, 0);
        amp_priv_add_tree_indexes(out, tree, node->b);
        break;
    case AMP_PRIV_TREE_CALL:
        amp_priv_add_tree(out, tree, node->a, AMP_PRIV_TREE_DEPTH);
        amp_priv_add_tree_list(out, tree, "(", node->b);
        break;
    case AMP_PRIV_TREE_CAST:
        amp_priv_adds(out, "(");
        amp_priv_add_tree_token(out, node->token);
        amp_priv_adds(out, ")");
        amp_priv_add_tree(out, tree, node->a, AMP_PRIV_TREE_DEPTH);
        break;
    case AMP_PRIV_TREE_UNARY:
        amp_priv_add_tree_token(out, node->token);
        amp_priv_add_tree(out, tree, node->a, AMP_PRIV_TREE_DEPTH);
        break;
    case AMP_PRIV_TREE_STEP:
        amp_priv_add_tree(out, tree, node->a, AMP_PRIV_TREE_DEPTH);
        amp_priv_add_tree_token(out, node->token);
        break;
    default: amp_priv_adds(out, "...");
    }
}

/* In brackets where what is around it binds closer than `precedence`. */
AMP_PRIV_COLD void amp_priv_add_tree(amp_priv_string *out, const amp_priv_tree *tree, int n, int precedence)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    if (out->length > AMP_PRIV_TREE_TEXT) {
        amp_priv_adds(out, "...");
        return;
    }
    const bool is_binary = node->kind == AMP_PRIV_TREE_BINARY || node->kind == AMP_PRIV_TREE_ASSIGN;
    if (!is_binary && node->kind != AMP_PRIV_TREE_CHOICE) {
        amp_priv_add_tree_operand(out, tree, n);
        return;
    }
    const int own = is_binary ? amp_priv_tree_precedence(node->token) : 0;
    const bool in_brackets = own < precedence;
    amp_priv_adds(out, in_brackets ? "(" : "");
    amp_priv_add_tree(out, tree, node->a, own);
    amp_priv_adds(out, " ");
    amp_priv_add_tree_token(out, node->token);
    amp_priv_adds(out, " ");
    amp_priv_add_tree(out, tree, node->b, own + is_binary);
    if (!is_binary) {
        amp_priv_adds(out, " : ");
        amp_priv_add_tree(out, tree, node->c, 0);
    }
    amp_priv_adds(out, in_brackets ? ")" : "");
}

#endif /* AMP_CODEGEN_TREE_TEXT_H */
