/* SPDX-License-Identifier: MIT */
/*  amp/codegen/site_tree.h - the trees of a launch site's body and of the definitions that it uses

    A site's first launch reads its body once, for validation, notes, tools and the program, and each definition once.
    The trees are kept until that launch is submitted; what asks later makes its own. */
#ifndef AMP_CODEGEN_SITE_TREE_H
#define AMP_CODEGEN_SITE_TREE_H

#include "kernel_tree.h"

/* The body of a launch site, or a definition that it may use. */
typedef struct amp_priv_kernel_tree {
    amp_priv_tree tree;
    amp_priv_words structs;
    bool good; /* the tree is known, with the order of its statements */
    const char *text;
    unsigned number; /* of a site's body, from 1 on; and who has it: */
    atomic_uint users;
    _Atomic(struct amp_priv_kernel_tree *) definitions; /* of a site's body: those that were asked for */
    struct amp_priv_kernel_tree *next;                  /* of a definition: another one */
} amp_priv_kernel_tree;

AMP_PRIV_COLD void amp_priv_kernel_tree_of(amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                           void *const *captured, const char *text)
{
    memset(body, 0, sizeof *body);
    body->text = text;
    for (const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL; d; d = d->next)
        if (!strncmp(d->text, "typedef", 7))
            amp_priv_words_put(&body->structs, amp_priv_token_of(d->name));
    body->good = amp_priv_tree_make(&body->tree, text, site, captured, &body->structs, NULL) && !body->structs.failed;
}

AMP_PRIV_COLD void amp_priv_kernel_tree_end(amp_priv_kernel_tree *body)
{
    amp_priv_kernel_tree *next;
    for (amp_priv_kernel_tree *d = atomic_load(&body->definitions); d; d = next) {
        next = d->next;
        amp_priv_tree_end(&d->tree);
        free(d);
    }
    amp_priv_tree_end(&body->tree);
    free(body->structs.slot);
}

AMP_PRIV_GLOBAL(_Atomic(amp_priv_kernel_tree *), amp_priv_kept_tree)
AMP_PRIV_GLOBAL(atomic_uint, amp_priv_trees_made)
static amp_priv_kernel_tree amp_priv_no_tree = { .tree = { .failed = true } };

AMP_PRIV_COLD void amp_priv_site_tree_release(const amp_priv_kernel_tree *given)
{
    amp_priv_kernel_tree *const body = (amp_priv_kernel_tree *)(uintptr_t)given;
    if (!body || !body->number || atomic_fetch_sub(&body->users, 1u) != 1)
        return;
    amp_priv_kernel_tree_end(body);
    free(body);
}

/* The first launch is submitted. */
AMP_PRIV_COLD void amp_priv_site_tree_drop(void)
{
    amp_priv_site_tree_release(atomic_exchange(&amp_priv_kept_tree, NULL));
}

AMP_PRIV_COLD amp_priv_kernel_tree *amp_priv_site_tree_make(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_kernel_tree *const body = calloc(1, sizeof *body);
    if (!body)
        return NULL;
    amp_priv_kernel_tree_of(body, site, captured, site->text);
    body->tree.captured = NULL; /* they end with the launch */
    while (!body->number)
        body->number = atomic_fetch_add(&amp_priv_trees_made, 1u) + 1;
    atomic_init(&body->users, 1u);
    atomic_store(&site->tree, body->number);
    return body;
}

/* The tree of a site's body, until amp_priv_site_tree_release. captured: the launch's, which say what the elements of
   views are; may be NULL. Without memory it is a tree that is not good. */
AMP_PRIV_COLD const amp_priv_kernel_tree *amp_priv_site_tree_acquire(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_kernel_tree *body = atomic_exchange(&amp_priv_kept_tree, NULL); /* no other thread has it meanwhile */
    if (!body || body->tree.site != site || body->text != site->text || body->number != atomic_load(&site->tree)) {
        amp_priv_site_tree_release(body);
        body = amp_priv_site_tree_make(site, captured);
    }
    if (!body)
        return &amp_priv_no_tree;
    atomic_fetch_add(&body->users, 1u);
    amp_priv_site_tree_release(atomic_exchange(&amp_priv_kept_tree, body));
    return body;
}

/* The tree of a definition that a site's body may use. It ends with that of the body. Without memory it is not good. */
AMP_PRIV_COLD const amp_priv_kernel_tree *amp_priv_site_definition_tree(const amp_priv_kernel_tree *site_body,
                                                                        const amp_priv_user_definition *definition)
{
    amp_priv_kernel_tree *const body = (amp_priv_kernel_tree *)(uintptr_t)site_body;
    amp_priv_kernel_tree *d = atomic_load(&body->definitions);
    while (d && d->text != definition->text)
        d = d->next;
    if (d)
        return d;
    d = body->number ? calloc(1, sizeof *d) : NULL;
    if (!d)
        return &amp_priv_no_tree;
    d->text = definition->text;
    d->good = amp_priv_tree_make(&d->tree, d->text, body->tree.site, NULL, &body->structs, definition);
    d->next = atomic_load(&body->definitions);
    while (!atomic_compare_exchange_weak(&body->definitions, &d->next, d))
        ; /* another thread may add the same one: then there are two trees of it */
    return d;
}

/* ... of an AMP_FUNCTION, by its name; NULL: there is none. */
AMP_PRIV_COLD const amp_priv_kernel_tree *amp_priv_site_function_tree(const amp_priv_kernel_tree *body,
                                                                      amp_priv_token name)
{
    const amp_priv_user_definition *const d = body->number ? amp_priv_definition_of(body->tree.site, name) : NULL;
    return d && d->kind == AMP_PRIV_DEFINES_FUNCTION ? amp_priv_site_definition_tree(body, d) : NULL;
}

/* ... that node n of a tree of that body calls; NULL: it is no such call. */
AMP_PRIV_COLD const amp_priv_kernel_tree *amp_priv_called_tree(const amp_priv_kernel_tree *body,
                                                               const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const called = &tree->node[tree->node[n].a];
    return tree->node[n].kind == AMP_PRIV_TREE_CALL && called->meaning == AMP_PRIV_MEANS_DEFINITION
               ? amp_priv_site_function_tree(body, called->token)
               : NULL;
}

#endif /* AMP_CODEGEN_SITE_TREE_H */
