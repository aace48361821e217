/* SPDX-License-Identifier: MIT */
/*  amp/codegen/coarsen.h - thread coarsening: how many threads of a launch a work-item may run, by its source */
#ifndef AMP_CODEGEN_COARSEN_H
#define AMP_CODEGEN_COARSEN_H

#include "generate.h"

/* // >>carry: how many threads of a launch one work-item may carry, as far as the source shows. */

enum {
    AMP_PRIV_SIMPLE_COARSENING = 4, /* simple kernels: enough loads under way for the memory's whole bandwidth, */
    AMP_PRIV_CARRIED_BYTES = 24,    /* which are bound by memory while they write no more bytes than this */
    AMP_PRIV_TILED_CARRY = 16,      /* tiled ones: what is read from tile_static memory serves several rows */
    AMP_PRIV_NOT_COARSENED = -1,
    AMP_PRIV_CARRIED_PRIVATE = 128 /* bytes of AMP_PRIVATE for all that a work-item carries: they are registers */
};

/* Bytes of the AMP_PRIVATE variables of a tiled body for a thread; SIZE_MAX when only the device's compiler knows. */
AMP_PRIV_COLD size_t amp_priv_private_bytes(const amp_priv_launch_site *site, void *const *captured, const char *text)
{
    size_t sum = 0;
    amp_priv_token first = amp_priv_token_at(text), before = first;
    for (amp_priv_token t = first; t.kind != AMP_PRIV_TOKEN_END; before = t, t = amp_priv_token_after(t)) {
        if (amp_priv_token_is(t, ";") || amp_priv_token_is(t, "{") || amp_priv_token_is(t, "}"))
            first = amp_priv_token_after(t);
        /* `type name[amp_priv_own_count(2)][amp_priv_own_count(1)] dimensions[amp_priv_own_count(0)]` */
        amp_priv_token count = amp_priv_token_after(t);
        if (!amp_priv_token_is(t, "[") || !amp_priv_token_is(count, "amp_priv_own_count") ||
            !amp_priv_token_is(amp_priv_token_after(amp_priv_token_after(count)), "2"))
            continue;
        size_t size = amp_priv_type_size(site, captured, first, before.at);
        const amp_priv_token second = amp_priv_token_after(amp_priv_token_after(amp_priv_token_closing(t)));
        const amp_priv_token close = amp_priv_token_after(amp_priv_token_closing(second));
        amp_priv_arithmetic value = { amp_priv_token_after(close), site, size != 0 };
        while (value.ok && amp_priv_token_is(value.token, "[") &&
               !amp_priv_token_is(amp_priv_token_after(value.token), "amp_priv_own_count")) {
            value.token = amp_priv_token_after(value.token);
            const long long n = amp_priv_value_of(&value, 2);
            value.ok = value.ok && n > 0 && amp_priv_token_is(value.token, "]");
            value.token = amp_priv_token_after(value.token);
            size *= (size_t)n;
        }
        if (!value.ok)
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

/* Does an assignment, ++ or -- begin at p? */
AMP_PRIV_COLD bool amp_priv_assigns(const char *p)
{
    if (*p == '=')
        return p[1] != '=';
    if (*p == '<' || *p == '>')
        return p[1] == *p && p[2] == '=';
    return *p && strchr("+-*/%&|^", *p) && (p[1] == '=' || (strchr("+-", *p) && p[1] == *p));
}

/* How many assignments to elements of views the text has, at least 1. */
AMP_PRIV_COLD size_t amp_priv_stores(const char *text)
{
    size_t stores = 0;
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        amp_priv_token next = amp_priv_token_after(t);
        if (!amp_priv_token_is(t, "data") || !amp_priv_token_is(next, "["))
            continue;
        next = amp_priv_token_closing(next);
        while (amp_priv_token_is(next, ")") || amp_priv_token_is(next, "]") || next.kind == AMP_PRIV_TOKEN_NUMBER ||
               (amp_priv_token_is(next, "+") && amp_priv_token_is(amp_priv_token_after(next), "0")))
            next = amp_priv_token_after(next); /* (v).data[(...) + 0]) */
        while (amp_priv_token_is(next, "."))   /* a member of the element */
            next = amp_priv_token_after(amp_priv_token_after(next));
        stores += amp_priv_assigns(next.at);
    }
    return stores ? stores : 1;
}

/* Do threads wait for each other between? */
AMP_PRIV_COLD bool amp_priv_waits(const char *from, const char *end)
{
    for (amp_priv_token t = amp_priv_token_at(from); t.at < end; t = amp_priv_token_after(t))
        if (amp_priv_token_begins(t, "amp_barrier_wait") || amp_priv_token_begins(t, "amp_priv_apart_wait") ||
            amp_priv_token_is(t, "amp_priv_near_wait"))
            return true;
    return false;
}

/* The { that begins the block of a loop or branch at t; any other token where there is none. */
AMP_PRIV_COLD amp_priv_token amp_priv_block_of(amp_priv_token t, bool is_branch)
{
    amp_priv_token next = amp_priv_token_after(t);
    if (!amp_priv_token_is(t, "do") && amp_priv_token_is(next, "("))
        next = amp_priv_token_after(amp_priv_token_closing(next));
    return is_branch && amp_priv_token_is(next, "do") ? amp_priv_token_after(next) : next;
}

/* Has the text a branch in which threads wait for each other? */
AMP_PRIV_COLD bool amp_priv_branch_waits(const char *text)
{
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        if (!amp_priv_token_is(t, "if") && !amp_priv_token_is(t, "else") && !amp_priv_token_is(t, "switch"))
            continue;
        const amp_priv_token open = amp_priv_block_of(t, true);
        if (amp_priv_token_is(open, "{") && amp_priv_waits(open.at, amp_priv_block_end(open).at))
            return true;
    }
    return false;
}

/* The most that text and captures allow: a power of two, at least 1. A simple kernel that loops has enough to do in one
   thread. AMP_PRIV_NOT_COARSENED: also where it is asked for, as pocl compiles some of these bodies wrongly. */
AMP_PRIV_COLD int amp_priv_text_coarsening(const amp_priv_launch_site *site, void *const *captured)
{
    static const char *const loops[] = { "for", "while", "goto", NULL };
    int carries = site->tiled ? AMP_PRIV_TILED_CARRY : AMP_PRIV_SIMPLE_COARSENING;
    size_t each = amp_priv_largest_element(site, captured), room = AMP_PRIV_CARRIED_BYTES;
    amp_priv_string body = { NULL, 0, 0, false };
    amp_priv_strip_host_syntax(&body, site->text);
    if (body.failed || !body.text || (!site->tiled && amp_priv_has_one(site, body.text, NULL, loops)) ||
        (site->tiled && site->rank == 1))
        carries = 1;
    else if (!site->tiled)
        each *= amp_priv_stores(body.text);
    if (carries > 1 && site->tiled) {
        each = amp_priv_private_bytes(site, captured, body.text);
        room = AMP_PRIV_CARRIED_PRIVATE;
    }
    while (carries > 1 && each > room / (size_t)carries)
        carries /= 2;
    if (site->tiled && body.text && amp_priv_branch_waits(body.text))
        carries = AMP_PRIV_NOT_COARSENED;
    free(body.text);
    return carries;
}

#endif /* AMP_CODEGEN_COARSEN_H */
