/* SPDX-License-Identifier: MIT */
/*  amp/codegen/checked_program.h - checked builds: bounds, assertions and printf of a kernel on a device

    Contents (search for the tag):
        >>device  >>assertions  >>printf */
#ifndef AMP_CODEGEN_CHECKED_PROGRAM_H
#define AMP_CODEGEN_CHECKED_PROGRAM_H

#include "definitions.h"
#include "../api/records.h"

/* // >>device
   What a view begins with there, and what AMP_AT calls. The record of a launch, ints:
     [0] how many accesses were outside, and assertions false  [1] capture  [2] rank
     [3] group, [6] local, [9] global id  [12] the index, as longs, or the assertion's text
     [AMP_PRIV_FAULT_LAUNCH] the launch's number, from the host */
enum { AMP_PRIV_FAULT_LAUNCH = 12 + AMP_PRIV_ASSERTION / (int)sizeof(int), AMP_PRIV_FAULT_INTS };

/* In an AMP_FUNCTION amp_priv_fault is a parameter (below). C's own assert calls __assert_fail,
   on Windows _assert. */
__attribute__((unused)) static const char amp_priv_text_outside[] =
    "static inline int amp_priv_fault_first(__global int *fault, int capture, int rank) {"
    " if (amp_priv_count(fault) != 0) return 0;"
    " fault[1] = capture; fault[2] = rank;"
    " for (int d = 0; d < 3; d++) {"
    " fault[3 + d] = (int)get_group_id(d); fault[6 + d] = (int)get_local_id(d); fault[9 + d] = (int)get_global_id(d); }"
    " return 1; }\n"
    /* rows of a view that a band reaches (amp/group/group_launch.h): two intervals */
    "#define amp_priv_in_rows(rows, i) ((i) >= (rows)[0] && (i) < (rows)[1] || (i) >= (rows)[2] && (i) < (rows)[3])\n"
    "static inline void amp_priv_outside(__global int *fault, int capture, int rank, const long *given) {"
    " if (amp_priv_fault_first(fault, capture, rank))"
    " for (int d = 0; d < rank; d++) ((__global long *)(fault + 12))[d] = given[d]; }\n"
    "static inline void amp_priv_assertion(__global int *fault, __constant char *text) {"
    " if (amp_priv_fault_first(fault, -1, 0))"
    " for (int i = 0; i < 199 && text[i]; i++) ((__global char *)(fault + 12))[i] = text[i]; }\n"
    "#define amp_priv_assert_failed(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define __assert_fail(text, file, line, function) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define _assert(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n";

/* // >>assertions
   An AMP_FUNCTION that asserts, or calls one that does, gets the launch's record of faults as its first parameter, and
   its calls give it. */

/* Does the text assert, or call a function that does? */
AMP_PRIV_COLD bool amp_priv_text_asserts(const amp_priv_token_list *text, const amp_priv_definitions *items)
{
    bool asserts = amp_priv_tokens_have(text, "amp_priv_assert_failed") ||
                   amp_priv_tokens_have(text, "__assert_fail") || amp_priv_tokens_have(text, "_assert");
    for (size_t i = 0; i < items->count && !asserts; i++)
        asserts = items->item[i].asserts && amp_priv_tokens_have(text, items->item[i].name.at);
    return asserts;
}

/* Gives the record to functions that assert, and to own, which text defines (NULL: it is a kernel's body). False where
   the text does not assert. */
AMP_PRIV_COLD bool amp_priv_give_fault(amp_priv_token_list *text, const amp_priv_definitions *items, const char *own)
{
    if (text->failed || !amp_priv_text_asserts(text, items))
        return false;
    for (amp_priv_source_token *t = text->token; t < text->token + text->count; t++) {
        const bool defines = own && amp_priv_is(t, own);
        bool asserts = defines;
        for (size_t i = 0; i < items->count && !asserts; i++)
            asserts = items->item[i].asserts && amp_priv_is(t, items->item[i].name.at);
        if (!asserts || amp_priv_token_selects(t[-1].token) || !amp_priv_is(t + 1, "("))
            continue;
        const bool is_void = amp_priv_is(t + 2, "void") && amp_priv_is(t + 3, ")");
        amp_priv_token_insert(text, t + 2, defines ? "__global int *amp_priv_fault" : "amp_priv_fault");
        if (is_void)
            amp_priv_token_replace(text, t + 2, "");
        else if (!amp_priv_is(t + 2, ")"))
            amp_priv_token_insert(text, t + 2, ", ");
    }
    return true;
}

/* // >>printf: what a kernel prints names its launch and index */

/* "(%d, %d)" */
AMP_PRIV_COLD void amp_priv_add_formats(amp_priv_string *out, int rank)
{
    for (int d = 0; d < rank; d++)
        amp_priv_adds(out, d ? ", %d" : "(%d");
    amp_priv_adds(out, ")");
}

/* What comes before the format: as amp_priv_position_text has it on the CPU. */
AMP_PRIV_COLD void amp_priv_add_printf_place(amp_priv_string *out, const amp_priv_launch_site *site)
{
    amp_priv_addf(out, "\"amp: kernel in %s, launch %%d, %s", site->function, site->tiled ? "in tile " : "at index ");
    amp_priv_add_formats(out, site->rank);
    if (site->tiled) {
        amp_priv_adds(out, ", thread ");
        amp_priv_add_formats(out, site->rank);
        amp_priv_adds(out, ", global index ");
        amp_priv_add_formats(out, site->rank);
    }
    amp_priv_adds(out, ": \" ");
}

/* And the arguments for that. The body knows its index by the launch's names. */
AMP_PRIV_COLD void amp_priv_add_printf_arguments(amp_priv_string *out, const amp_priv_launch_site *site)
{
    static const char *const ids[] = { "get_group_id", "get_local_id", "get_global_id" };
    amp_priv_addf(out, ", amp_priv_fault[%d]", AMP_PRIV_FAULT_LAUNCH);
    for (int i = 0; i < 3 && site->tiled; i++)
        for (int d = site->rank - 1; d >= 0; d--)
            amp_priv_addf(out, ", (int)%s(%d)", ids[i], d);
    if (site->tiled)
        return;
    if (*site->index == '(')
        amp_priv_addf(out, ", %.*s", (int)strlen(site->index) - 2, site->index + 1);
    for (int d = 0; d < site->rank && *site->index != '('; d++)
        amp_priv_addf(out, ", %s.v[%d]", site->index, d);
}

/* In a body: printf("text", x) becomes printf("place: " "text", launch, index, x). */
AMP_PRIV_COLD void amp_priv_name_printf(amp_priv_string *body, const amp_priv_launch_site *site)
{
    if (!body->text || !amp_priv_has_word(body->text, "printf"))
        return;
    amp_priv_string out = { NULL, 0, 0, body->failed };
    for (amp_priv_token t = amp_priv_token_at(body->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        amp_priv_add(&out, t.at, t.length);
        const amp_priv_token open = amp_priv_token_after(t);
        amp_priv_token format = amp_priv_token_after(open);
        if (!amp_priv_token_is(t, "printf") || !amp_priv_token_is(open, "(") || format.kind != AMP_PRIV_TOKEN_QUOTED)
            continue;
        amp_priv_adds(&out, "(");
        amp_priv_add_printf_place(&out, site);
        for (; format.kind == AMP_PRIV_TOKEN_QUOTED; format = amp_priv_token_after(format)) {
            amp_priv_add(&out, format.at, format.length);
            amp_priv_adds(&out, " ");
            t = format;
        }
        amp_priv_add_printf_arguments(&out, site);
    }
    free(body->text);
    *body = out;
}

#endif /* AMP_CODEGEN_CHECKED_PROGRAM_H */
