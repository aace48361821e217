/* SPDX-License-Identifier: MIT */
/*  amp/codegen/coarsen.h - thread coarsening: how many threads of a launch a work-item may run, by its source */
#ifndef AMP_CODEGEN_COARSEN_H
#define AMP_CODEGEN_COARSEN_H

#include "tree_calls.h"
#include "tree_size.h"

/* // >>coarsening: how many threads of a launch one work-item may run, as far as the source shows. */

enum {
    AMP_PRIV_SIMPLE_COARSENING = 4, /* simple kernels: enough loads under way for the memory's whole bandwidth, */
    AMP_PRIV_CARRIED_BYTES = 24,    /* which are bound by memory while they write no more bytes than this */
    AMP_PRIV_TILED_COARSENING = 16, /* tiled ones: what is read from tile_static memory serves several rows */
    AMP_PRIV_NOT_COARSENED = -1,
    AMP_PRIV_CARRIED_PRIVATE = 128 /* bytes of AMP_PRIVATE for all that a work-item runs: they are registers */
};

/* Bytes of the AMP_PRIVATE variables of a tiled body for a thread; SIZE_MAX when only the device's compiler knows. Some
   are members of a struct, which is no part of the tree. */
AMP_PRIV_COLD size_t amp_priv_private_bytes(const amp_priv_tree *tree, void *const *captured)
{
    size_t sum = 0;
    const amp_priv_cursor end = tree->tokens.token + tree->tokens.count;
    amp_priv_cursor first = tree->tokens.token;
    for (amp_priv_cursor t = first; t < end; t++) {
        if (amp_priv_is_mark(t, ";{}"))
            first = t + 1;
        /* `type name[amp_priv_own_count(2)][amp_priv_own_count(1)] dimensions[amp_priv_own_count(0)];` */
        if (!amp_priv_is(t, "[") || !amp_priv_is(t + 1, "amp_priv_own_count") || !amp_priv_is(t + 3, "2"))
            continue;
        while (amp_priv_is(t, "["))
            t = amp_priv_closing(t) + 1;
        const size_t size = amp_priv_declared_size(tree->site, captured, first, t);
        if (size == 0)
            return SIZE_MAX;
        sum += size;
    }
    return sum;
}

/* The size of the largest element of the captured views. */
AMP_PRIV_COLD size_t amp_priv_largest_element(const amp_priv_launch_site *site, void *const *captured)
{
    size_t largest = 1;
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW) {
            const size_t size = ((const amp_priv_head *)captured[i])->element->size;
            largest = size > largest ? size : largest;
        }
    return largest;
}

/* How many assignments to elements of views the body has, at least 1. */
AMP_PRIV_COLD size_t amp_priv_stores(const amp_priv_tree *tree)
{
    size_t stores = 0;
    for (int n = 1; n < tree->count; n++)
        stores += tree->node[n].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_is_written(tree, n);
    return stores ? stores : 1;
}

/* Has the body a branch in which threads wait for each other? Of `if (0) ... else` the other branch always runs. */
AMP_PRIV_COLD bool amp_priv_branch_waits(const amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        if (tree->node[n].kind != AMP_PRIV_TREE_NAME || !amp_priv_token_waits(tree->node[n].token))
            continue;
        for (int by = tree->node[n].parent; by; by = tree->node[by].parent) {
            const amp_priv_tree_node *const branch = &tree->node[by], *const condition = &tree->node[branch->a];
            if (branch->kind == AMP_PRIV_TREE_SWITCH ||
                (branch->kind == AMP_PRIV_TREE_IF && !(amp_priv_tree_is_integer(condition) && !condition->value)))
                return true;
        }
    }
    return false;
}

/* The most that text and captures allow: a power of two, at least 1. A simple kernel that loops has enough to do in one
   thread. AMP_PRIV_NOT_COARSENED: also where it is asked for, as pocl compiles some of these bodies wrongly. */
AMP_PRIV_COLD int amp_priv_text_coarsening(amp_priv_launch_site *site, void *const *captured)
{
    int factor = site->tiled ? AMP_PRIV_TILED_COARSENING : AMP_PRIV_SIMPLE_COARSENING;
    size_t each, room = site->tiled ? AMP_PRIV_CARRIED_PRIVATE : AMP_PRIV_CARRIED_BYTES;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    if (body->tree.failed || (site->tiled ? site->rank == 1 : amp_priv_body_has(body, amp_priv_tree_is_loop)))
        factor = 1;
    each = factor == 1   ? 0
           : site->tiled ? amp_priv_private_bytes(&body->tree, captured)
                         : amp_priv_largest_element(site, captured) * amp_priv_stores(&body->tree);
    while (factor > 1 && each > room / (size_t)factor)
        factor /= 2;
    if (site->tiled && (body->tree.failed || amp_priv_branch_waits(&body->tree)))
        factor = AMP_PRIV_NOT_COARSENED;
    amp_priv_site_tree_release(body);
    return factor;
}

#endif /* AMP_CODEGEN_COARSEN_H */
