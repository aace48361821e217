/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_calls.h - what a kernel does together with the functions of the file that it calls */
#ifndef AMP_CODEGEN_TREE_CALLS_H
#define AMP_CODEGEN_TREE_CALLS_H

#include "tree_use.h"

typedef bool amp_priv_tree_question(const amp_priv_tree *tree, int n);

/* What is asked of a node: is it a loop? */
AMP_PRIV_COLD bool amp_priv_tree_is_loop(const amp_priv_tree *tree, int n)
{
    return tree->node[n].kind == AMP_PRIV_TREE_LOOP;
}

/* May threads come behind it at different times, by `while` or `break`? */
AMP_PRIV_COLD bool amp_priv_tree_is_uneven(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    return (node->kind == AMP_PRIV_TREE_LOOP && !amp_priv_token_is(node->token, "for")) ||
           (node->kind == AMP_PRIV_TREE_JUMP && amp_priv_token_is(node->token, "break"));
}

AMP_PRIV_COLD bool amp_priv_tree_is_switch(const amp_priv_tree *tree, int n)
{
    return tree->node[n].kind == AMP_PRIV_TREE_SWITCH;
}

AMP_PRIV_COLD bool amp_priv_tree_is_loop_or_switch(const amp_priv_tree *tree, int n)
{
    return amp_priv_tree_is_loop(tree, n) || amp_priv_tree_is_switch(tree, n);
}

/* Does it change what is no variable of the body or function itself, or give an address, by which that can be done? */
AMP_PRIV_COLD bool amp_priv_tree_is_effect(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    int place = node->a;
    if (node->kind == AMP_PRIV_TREE_UNARY)
        return amp_priv_token_is(node->token, "&");
    if (node->kind != AMP_PRIV_TREE_ASSIGN && node->kind != AMP_PRIV_TREE_STEP)
        return false;
    while (tree->node[place].kind == AMP_PRIV_TREE_MEMBER && !tree->node[place].of) /* x.a */
        place = tree->node[place].a;
    return tree->node[place].kind != AMP_PRIV_TREE_NAME || !tree->node[place].value;
}

/* Has a part of a kernel, its body or a function of the file, such a node, or a function that it calls? Where it is not
   known, it has. *calls: how many calls are looked through at most. */
AMP_PRIV_COLD bool amp_priv_part_has(const amp_priv_kernel_tree *body, const amp_priv_kernel_tree *part,
                                     amp_priv_tree_question *asked, int *calls)
{
    const amp_priv_tree *const tree = &part->tree;
    for (int n = 1; n < tree->count && part->good; n++) {
        if (asked(tree, n))
            return true;
        const amp_priv_kernel_tree *const called = amp_priv_called_tree(body, tree, n);
        if (called && ((*calls)-- <= 0 || amp_priv_part_has(body, called, asked, calls)))
            return true;
    }
    return !part->good;
}

/* The same of a body. */
AMP_PRIV_COLD bool amp_priv_body_has(const amp_priv_kernel_tree *body, amp_priv_tree_question *asked)
{
    int calls = 100;
    return amp_priv_part_has(body, body, asked, &calls);
}

/* The same of a site's body. */
AMP_PRIV_COLD bool amp_priv_site_has(amp_priv_launch_site *site, void *const *captured, amp_priv_tree_question *asked)
{
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    const bool has = amp_priv_body_has(body, asked);
    amp_priv_site_tree_release(body);
    return has;
}

/* The same of a value's source. */
AMP_PRIV_COLD bool amp_priv_value_has(const char *value, amp_priv_user_definition *definitions,
                                      amp_priv_tree_question *asked)
{
    amp_priv_string text = { NULL, 0, 0, false };
    amp_priv_addf(&text, "(void)(%s);", value);
    const amp_priv_launch_site site = { .text = text.text, .user_definitions = &definitions };
    amp_priv_kernel_tree body = { .good = false };
    if (text.text && !text.failed)
        amp_priv_kernel_tree_of(&body, &site, NULL, text.text);
    body.number = 1; /* it has functions, as a site's body */
    const bool has = amp_priv_body_has(&body, asked);
    amp_priv_kernel_tree_end(&body);
    free(text.text);
    return has;
}

#endif /* AMP_CODEGEN_TREE_CALLS_H */
