/* SPDX-License-Identifier: MIT */
/*  amp/codegen/coarsen.h - thread coarsening: how many threads of a launch a work-item may run, by its source */
#ifndef AMP_CODEGEN_COARSEN_H
#define AMP_CODEGEN_COARSEN_H

#include "generate.h"
#include "tree_use.h"

/* // >>coarsening: how many threads of a launch one work-item may run, as far as the source shows. */

enum {
    AMP_PRIV_SIMPLE_COARSENING = 4, /* simple kernels: enough loads under way for the memory's whole bandwidth, */
    AMP_PRIV_CARRIED_BYTES = 24,    /* which are bound by memory while they write no more bytes than this */
    AMP_PRIV_TILED_COARSENING = 16, /* tiled ones: what is read from tile_static memory serves several rows */
    AMP_PRIV_NOT_COARSENED = -1,
    AMP_PRIV_CARRIED_PRIVATE = 128 /* bytes of AMP_PRIVATE for all that a work-item runs: they are registers */
};

/* Bytes of the AMP_PRIVATE variables of a tiled body for a thread; SIZE_MAX when only the device's compiler knows. */
AMP_PRIV_COLD size_t amp_priv_private_bytes(const amp_priv_launch_site *site, void *const *captured,
                                            const amp_priv_token_list *text)
{
    size_t sum = 0;
    amp_priv_cursor first = text->token;
    for (amp_priv_cursor t = first; t < text->token + text->count; t++) {
        if (amp_priv_is_mark(t, ";{}"))
            first = t + 1;
        /* `type name[amp_priv_own_count(2)][amp_priv_own_count(1)] dimensions[amp_priv_own_count(0)]` */
        if (!amp_priv_is(t, "[") || !amp_priv_is(t + 1, "amp_priv_own_count") || !amp_priv_is(t + 3, "2"))
            continue;
        const amp_priv_cursor second = amp_priv_closing(t) + 1;
        const size_t size = amp_priv_array_size(amp_priv_type_size(site, captured, first, t - 1),
                                                amp_priv_closing(second) + 1, site, "amp_priv_own_count");
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

/* How many assignments to elements of views the body has, at least 1. SIZE_MAX: it is not known. */
AMP_PRIV_COLD size_t amp_priv_stores(amp_priv_launch_site *site, void *const *captured)
{
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    const amp_priv_tree *const tree = &body->tree;
    size_t stores = 0;
    for (int n = 1; n < tree->count; n++)
        stores += tree->node[n].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_is_written(tree, n);
    if (!body->good)
        stores = SIZE_MAX;
    amp_priv_site_tree_release(body);
    return stores ? stores : 1;
}

/* Do threads wait for each other between? */
AMP_PRIV_COLD bool amp_priv_waits(amp_priv_cursor from, amp_priv_cursor end)
{
    for (amp_priv_cursor t = from; t < end; t++)
        if (amp_priv_token_begins(t->token, "amp_barrier_wait") ||
            amp_priv_token_begins(t->token, "amp_priv_apart_wait") || amp_priv_is(t, "amp_priv_near_wait"))
            return true;
    return false;
}

/* The { that begins the block of a loop or branch at t; any other token where there is none. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_block_of(amp_priv_cursor t, bool is_branch)
{
    amp_priv_cursor next = t + 1;
    if (!amp_priv_is(t, "do") && amp_priv_is(next, "("))
        next = amp_priv_closing(next) + 1;
    return is_branch && amp_priv_is(next, "do") ? next + 1 : next;
}

/* `if (0) { ... } else` at t, what AMP_PRIV_HOST_OR_DEVICE leaves of a branch of the CPU backend: the `else`, whose
   block always runs; else t. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_never_at(amp_priv_cursor t)
{
    if (!amp_priv_is(t, "if") || !amp_priv_is(t + 1, "(") || !amp_priv_is(t + 2, "0") || !amp_priv_is(t + 3, ")") ||
        !amp_priv_is(t + 4, "{"))
        return t;
    const amp_priv_cursor next = amp_priv_closing(t + 4) + 1;
    return amp_priv_is(next, "else") && amp_priv_is(next + 1, "{") ? next : t;
}

/* Has the text a branch in which threads wait for each other? */
AMP_PRIV_COLD bool amp_priv_branch_waits(const amp_priv_token_list *text)
{
    for (amp_priv_cursor t = text->token; t < text->token + text->count; t++) {
        const bool is_other = t > text->token && amp_priv_is(t - 1, "else");
        const amp_priv_cursor always = is_other ? t : amp_priv_never_at(t);
        if (always != t) {
            t = always;
            continue;
        }
        if (!amp_priv_is(t, "if") && !amp_priv_is(t, "else") && !amp_priv_is(t, "switch"))
            continue;
        const amp_priv_cursor open = amp_priv_block_of(t, true);
        if (amp_priv_is(open, "{") && amp_priv_waits(open, amp_priv_closing(open)))
            return true;
    }
    return false;
}

/* May threads leave a loop at different times, in the body or in a function that it calls? */
AMP_PRIV_COLD bool amp_priv_text_is_uneven(const amp_priv_launch_site *site)
{
    static const char *const words[] = { "while", "break", NULL };
    amp_priv_token_list body = { .token = NULL };
    amp_priv_kernel_tokens(&body, site->text);
    const bool is = !body.failed && amp_priv_has_one(site, &body, NULL, words);
    amp_priv_tokens_free(&body);
    return is;
}

/* The most that text and captures allow: a power of two, at least 1. A simple kernel that loops has enough to do in one
   thread. AMP_PRIV_NOT_COARSENED: also where it is asked for, as pocl compiles some of these bodies wrongly. */
AMP_PRIV_COLD int amp_priv_text_coarsening(amp_priv_launch_site *site, void *const *captured)
{
    static const char *const loops[] = { "for", "while", "goto", NULL };
    int factor = site->tiled ? AMP_PRIV_TILED_COARSENING : AMP_PRIV_SIMPLE_COARSENING;
    size_t each = amp_priv_largest_element(site, captured), room = AMP_PRIV_CARRIED_BYTES, stores = 1;
    amp_priv_token_list body = { .token = NULL };
    amp_priv_kernel_tokens(&body, site->text);
    if (body.failed || (!site->tiled && amp_priv_has_one(site, &body, NULL, loops)) || (site->tiled && site->rank == 1))
        factor = 1;
    else if (!site->tiled)
        stores = amp_priv_stores(site, captured);
    if (factor > 1 && site->tiled) {
        each = amp_priv_private_bytes(site, captured, &body);
        room = AMP_PRIV_CARRIED_PRIVATE;
    }
    while (factor > 1 && each > room / (size_t)factor / stores)
        factor /= 2;
    if (site->tiled && !body.failed && amp_priv_branch_waits(&body))
        factor = AMP_PRIV_NOT_COARSENED;
    amp_priv_tokens_free(&body);
    return factor;
}

#endif /* AMP_CODEGEN_COARSEN_H */
