/* SPDX-License-Identifier: MIT */
/*  amp/codegen/memory_use.h - which captured views a body reads and writes, and how: for profiles

    Contents (search for the tag):
        >>element  >>indexes  >>captures */
#ifndef AMP_CODEGEN_MEMORY_USE_H
#define AMP_CODEGEN_MEMORY_USE_H

#include "tokens.h"
#include "../device/launch_site.h"

/* // >>element */

/* Is the name at i that of a view in AMP_AT: `((v).data[`? */
AMP_PRIV_COLD bool amp_priv_tokens_is_element(const amp_priv_token_list *text, size_t i)
{
    return amp_priv_tokens_is(text, i - 1, "(") && amp_priv_tokens_is(text, i + 1, ")") &&
           amp_priv_tokens_is(text, i + 2, ".") && amp_priv_tokens_is(text, i + 3, "data") &&
           amp_priv_tokens_is(text, i + 4, "[");
}

/* // >>indexes: of `((v).data[(amp_priv_at(0, &(v).amp_priv, (v).stride, i, j)) + 0])` */

/* What a launch calls its index: the name of the last component, or the name of an amp_index. */
typedef struct amp_priv_fast_index {
    amp_priv_token name;
    bool is_component;
    char last[16]; /* of an amp_index: the number of its last component */
} amp_priv_fast_index;

AMP_PRIV_COLD amp_priv_fast_index amp_priv_fast_index_of(const amp_priv_launch_site *site)
{
    amp_priv_fast_index fast = { .name = amp_priv_token_at(site->index) };
    fast.is_component = amp_priv_token_is(fast.name, "(");
    for (amp_priv_token t = fast.name; t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_at(t.at + t.length))
        if (t.kind == AMP_PRIV_TOKEN_WORD)
            fast.name = t;
    snprintf(fast.last, sizeof fast.last, "%d", site->rank - 1);
    return fast;
}

/* Is it the index at i in which neighbouring threads differ? Of a tile: t.global.v[1], t.local.v[1] of rank 2. */
AMP_PRIV_COLD bool amp_priv_tokens_is_fast(const amp_priv_token_list *text, size_t i, const amp_priv_fast_index *fast)
{
    if (fast->is_component)
        return amp_priv_token_is_word(text->token[i].token, fast->name);
    return amp_priv_tokens_is(text, i, "v") && amp_priv_tokens_is(text, i + 1, "[") &&
           amp_priv_tokens_is(text, i + 2, fast->last);
}

/* Does the name at `at` get its value from an element of a view, somewhere before? */
AMP_PRIV_COLD bool amp_priv_tokens_from_element(const amp_priv_token_list *text, size_t at)
{
    for (size_t i = 1; i + 1 < at; i++) {
        if (!amp_priv_token_is_word(text->token[i].token, text->token[at].token) ||
            !amp_priv_tokens_is(text, i + 1, "="))
            continue;
        for (size_t k = i + 2; k < at && !amp_priv_tokens_is(text, k, ";"); k++)
            if (amp_priv_tokens_is(text, k, "data"))
                return true;
    }
    return false;
}

/* What is slow about the indexes of an element whose "[" is at open. */
AMP_PRIV_COLD int amp_priv_index_notes(const amp_priv_token_list *text, size_t open, const amp_priv_fast_index *fast)
{
    const size_t end = amp_priv_tokens_closing(text, open);
    int notes = 0, depth = 0, argument = 0;
    bool is_last = false, is_before = false, is_multiple = false;
    for (size_t i = open + 2; i < end; i++) {
        depth += amp_priv_tokens_marks(text, i, "([{") ? 1 : amp_priv_tokens_marks(text, i, ")]}") ? -1 : 0;
        if (depth == 1 && amp_priv_tokens_is(text, i, ",")) {
            argument++;
            is_before = is_before || is_last;
            is_last = false;
        }
        if (argument < 3)
            continue;
        if (amp_priv_tokens_is_fast(text, i, fast)) {
            is_last = true;
            is_multiple = is_multiple || amp_priv_tokens_is(text, i - 1, "*") || amp_priv_tokens_is(text, i + 1, "*");
        }
        if (amp_priv_tokens_is(text, i, "data") ||
            (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_from_element(text, i)))
            notes |= AMP_PRIV_NOTE_GATHER;
    }
    return notes | ((is_before && !is_last) || is_multiple ? AMP_PRIV_NOTE_STRIDE : 0);
}

/* // >>captures */

/* What the body does with a captured view: AMP_PRIV_USE_ bits. What it gives to a function, or takes the address of, is
   read and written. */
AMP_PRIV_COLD int amp_priv_capture_use(const amp_priv_token_list *text, const char *name,
                                       const amp_priv_fast_index *fast, int *notes)
{
    const int both = AMP_PRIV_USE_READ | AMP_PRIV_USE_WRITE;
    int uses = 0;
    for (size_t i = 1; i < text->count; i++) {
        if (text->token[i].role != AMP_PRIV_ROLE_NAME || !amp_priv_token_is(text->token[i].token, name))
            continue;
        if (!amp_priv_tokens_is_element(text, i)) {
            uses |= amp_priv_tokens_is(text, i + 1, ".") && amp_priv_tokens_is(text, i + 2, "extent") ? 0 : both;
            continue;
        }
        const amp_priv_name_use use = amp_priv_name_use_of(text, i);
        if (amp_priv_tokens_is(text, use.first - 1, "&") || use.write == '+')
            uses |= both;
        else
            uses |= use.write ? AMP_PRIV_USE_WRITE : AMP_PRIV_USE_READ;
        *notes |= amp_priv_index_notes(text, i + 4, fast);
        i = amp_priv_tokens_closing(text, i + 4); /* its index names the view, too */
    }
    return uses;
}

/* Fills what a profile needs about a launch site. */
AMP_PRIV_COLD void amp_priv_memory_use_find(amp_priv_launch_site *site)
{
    amp_priv_token_list text = { .token = NULL };
    const amp_priv_fast_index fast = amp_priv_fast_index_of(site);
    amp_priv_tokens_read_for_device(&text, site->text);
    site->reads = site->writes = UINT64_MAX;
    for (int i = 0; i < site->capture_count && !text.failed; i++) {
        const int uses = amp_priv_capture_use(&text, site->captures[i].name, &fast, &site->notes);
        site->reads &= ~((uint64_t) !(uses & AMP_PRIV_USE_READ) << i);
        site->writes &= ~((uint64_t) !(uses & AMP_PRIV_USE_WRITE) << i);
        if (site->captures[i].type && strstr(site->captures[i].type, "double"))
            site->notes |= AMP_PRIV_NOTE_DOUBLE;
    }
    for (size_t i = 0; i < text.count; i++)
        if (amp_priv_tokens_is(&text, i, "double"))
            site->notes |= AMP_PRIV_NOTE_DOUBLE;
    site->uses_known = true;
    amp_priv_tokens_free(&text);
}

#endif /* AMP_CODEGEN_MEMORY_USE_H */
