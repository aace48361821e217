/* SPDX-License-Identifier: MIT */
/*  amp/codegen/program.h - makes the whole program of a kernel for a target */
#ifndef AMP_CODEGEN_PROGRAM_H
#define AMP_CODEGEN_PROGRAM_H

#include "../device/hooks.h"
#include "definitions.h"
#include "line_breaks.h"
#include "rewrite_tiles.h"
#if defined(AMP_CHECKED)
#include "checked_program.h"
#else
/* Only checked builds note faults, and name what a kernel prints. */
static inline bool amp_priv_give_fault(const amp_priv_token_list *text, const amp_priv_definitions *items,
                                       const char *own)
{
    (void)text, (void)items, (void)own;
    return false;
}
#define amp_priv_name_printf(body, site) (void)0
#endif

/* // >>program */

typedef struct amp_priv_program {
    char *text; /* free it */
    size_t length;
    amp_priv_parameters parameters; /* free parameters.of */
    bool uses_double;
    size_t tile_static;     /* bytes */
    bool tile_static_known; /* false: a type or dimension that only the device's compiler knows */
} amp_priv_program;

/* What is the same on every device. */
__attribute__((unused)) static const char amp_priv_text_common[] =
    "#define amp_priv_in_kernel 1\n"
#if !defined(AMP_CHECKED)
    "#define __assert_fail(text, file, line, function) ((void)0)\n" /* nor of an assertion */
    "#define _assert(text, file, line) ((void)0)\n"
#endif
    "#define amp_priv_pad(extent, tile) amp_priv_padded(extent, tile)\n"; /* an overflow cannot be reported here */

/* What the threads of a tile are to the constructs in it. Where a work-item runs several, they are the turns of one
   of a phase's loops, and this comes before what the target says of them. */
AMP_PRIV_COLD void amp_priv_add_threads(amp_priv_string *out, const amp_priv_launch_site *site, int factor)
{
    const int rank = site->rank, coarsened = amp_priv_coarsened_dimension(rank);
    amp_priv_addf(out,
                  "typedef amp_tiled_index%d amp_priv_tiled_index;\n"
                  "typedef amp_tile_in_threads%d amp_priv_tile_in_threads;\n",
                  rank, rank);
    for (int d = 0; d < 3; d++)
        amp_priv_addf(out, "#define amp_priv_threads_%d %d\n", d, d < rank ? site->tile[rank - 1 - d] : 1);
    if (factor == 1) {
        amp_priv_addf(out, "#define amp_priv_thread amp_priv_thread_%d\n", rank);
        return;
    }
    amp_priv_addf(out, "#define amp_priv_thread(tile, z, y, x) amp_priv_thread_%d(tile", rank);
    for (int d = 2; d >= 0; d--) {
        amp_priv_addf(out, ", (int)get_local_id(%d)", d);
        if (d == coarsened)
            amp_priv_addf(out, " + (%c) * %d", "xyz"[d], site -> tile[rank - 1 - d] / factor);
    }
    amp_priv_addf(out,
                  ")\n#define amp_priv_own_count(d) ((d) == %d ? %d : 1)\n#define amp_priv_own_index(i, d) i\n"
                  "#define amp_priv_thread_first(i, d) 0\n#define amp_priv_thread_next(i, d) i++\n"
                  "#define amp_priv_thread_more(i, d) i < amp_priv_own_count(d)\n",
                  coarsened, factor);
}

/* Adds what the library can give for a target. */
AMP_PRIV_COLD void amp_priv_definitions_all(amp_priv_definitions *items, const amp_priv_launch_site *site,
                                            unsigned variant, const amp_priv_target *target, bool atomics64)
{
#define AMP_PRIV_LIST_OFFSET(N, unused) amp_priv_text_offset##N,
#define AMP_PRIV_LIST_AT(N, unused)     amp_priv_text_at##N,
    static const char *const offset_text[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_LIST_OFFSET, ~) };
    static const char *const at_text[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_LIST_AT, ~) };
#undef AMP_PRIV_LIST_OFFSET
#undef AMP_PRIV_LIST_AT
    static const char *const tile_text[] = { amp_priv_text_tile1, amp_priv_text_tile2, amp_priv_text_tile3 };

    amp_priv_definitions_library(items, target->names, NULL);
    amp_priv_definitions_library(items, amp_priv_text_common, NULL);
    amp_priv_definitions_library(items, amp_priv_text_padded, NULL);
    amp_priv_definitions_library(items, amp_priv_text_times, NULL);
    amp_priv_definitions_library(items,
                                 variant & AMP_PRIV_OFFSETS64 ? "typedef long amp_priv_offset;"
                                                              : "typedef int amp_priv_offset;",
                                 NULL);
#if defined(AMP_CHECKED)
    amp_priv_definitions_library(items, amp_priv_text_outside, NULL);
#endif
    for (int r = 0; r < AMP_MAX_RANK; r++) {
        amp_priv_string index = { NULL, 0, 0, false };
        amp_priv_addf(&index, "amp_index%d", r + 1);
        const char *const also = amp_priv_definitions_own(items, &index);
        amp_priv_definitions_rank(items, amp_priv_text_rank, r + 1);
        amp_priv_definitions_library(items, offset_text[r], NULL);
        amp_priv_definitions_library(items, at_text[r], NULL);
        amp_priv_definitions_library(items, target->at[r], also);
    }
    for (int r = 0; r < 3; r++)
        amp_priv_definitions_rank(items, amp_priv_text_tiled, r + 1);
    amp_priv_definitions_library(items, amp_priv_text_tile_functions, NULL);
    amp_priv_definitions_library(items, amp_priv_text_tile_barrier, NULL);
    if (site->tiled) {
        amp_priv_string threads = { NULL, 0, 0, false };
        amp_priv_add_threads(&threads, site, amp_priv_coarsening(variant));
        amp_priv_definitions_library(items, tile_text[site->rank - 1], NULL);
        amp_priv_definitions_library(items, amp_priv_definitions_own(items, &threads), NULL);
    }
    for (const char *const *text = target->functions; *text; text++)
        amp_priv_definitions_library(items, *text, NULL);
    const char *const *const wide = atomics64 ? target->functions64 : target->no_functions64;
    amp_priv_definitions_library(items, wide[0], NULL);
    amp_priv_definitions_library(items, wide[1], "double");
}

/* True if the kernel, a capture's type, a definition of the user's, or a selected library definition (bit mask
   `wanted`, in order) has the trigger of this definition. */
AMP_PRIV_COLD bool amp_priv_site_names(const amp_priv_launch_site *site, void *const *captured, unsigned wanted,
                                       const amp_priv_library_definition *definition)
{
    const char *const part = definition->trigger;
    unsigned bit = 1;
    bool names = strstr(site->text, part) != NULL;
    for (int i = 0; i < site->capture_count && !names; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        names = strstr(c->kind == AMP_PRIV_CAPTURE_VIEW ? ((const amp_priv_head *)captured[i])->element->name : c->type,
                       part) != NULL;
    }
    for (const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL; d && !names;
         d = d->next)
        names = strstr(d->text, part) != NULL;
    for (const amp_priv_library_definition *d = atomic_load(&amp_priv_library_definitions); d && !names;
         d = d->next, bit <<= 1)
        names = (wanted & bit) && strstr(d->text, part);
    return names;
}

/* Adds the texts of the library's own that the program has included beside amp.h (32 at most). They are long:
   only those that something asks for. */
AMP_PRIV_COLD void amp_priv_definitions_included(amp_priv_definitions *items, const amp_priv_launch_site *site,
                                                 void *const *captured)
{
    unsigned wanted = 0;
    for (unsigned before = 1; wanted != before;) {
        unsigned bit = 1;
        before = wanted;
        for (const amp_priv_library_definition *d = atomic_load(&amp_priv_library_definitions); d; d = d->next)
            wanted |= wanted & bit || amp_priv_site_names(site, captured, wanted, d) ? bit : 0, bit <<= 1;
    }
    for (int order = 0; wanted && order <= 9; order++) {
        unsigned bit = 1;
        for (const amp_priv_library_definition *d = atomic_load(&amp_priv_library_definitions); d; d = d->next) {
            amp_priv_string text = { NULL, 0, 0, false };
            if ((wanted & bit) && d->order == order) {
                amp_priv_strip_host_syntax(&text, d->text);
                amp_priv_definitions_library(items, amp_priv_definitions_own(items, &text), NULL);
            }
            bit <<= 1;
        }
    }
}

/* Adds the AMP_FUNCTIONs and AMP_STRUCTs of the translation unit. */
AMP_PRIV_COLD void amp_priv_definitions_user_definitions(amp_priv_definitions *items, const amp_priv_launch_site *site)
{
    for (const amp_priv_user_definition *definition = site->user_definitions ? *site->user_definitions : NULL;
         definition; definition = definition->next) {
        amp_priv_token_list tokens = { .token = NULL };
        amp_priv_string text = { NULL, 0, 0, false };
        amp_priv_kernel_tokens(&tokens, definition->text);
        const bool asserts = amp_priv_give_fault(&tokens, items, definition->name);
        amp_priv_add_all_tokens(&text, &tokens);
        amp_priv_tokens_free(&tokens);
        const size_t length = text.length;
        amp_priv_definition *const item = amp_priv_definitions_add(items, amp_priv_definitions_own(items, &text),
                                                                   length, amp_priv_token_of(definition->name));
        if (item) {
            amp_priv_words_put(&items->names, item->name);
            item->is_user_definition = true;
            item->asserts = asserts;
        }
    }
}

/* Is it a name of types that the target has, too? */
AMP_PRIV_COLD bool amp_priv_is_type_of_target(const char *name, const amp_priv_target *target)
{
    const amp_priv_token word = amp_priv_token_of(name);
    return amp_priv_is_type_keyword(word) || amp_priv_listed(target->types, word);
}

/* Adds typedefs of the user's that captured views have for elements: AMP_DEFINE_ELEMENT(real). */
AMP_PRIV_COLD void amp_priv_definitions_typedefs(amp_priv_definitions *items, const amp_priv_launch_site *site,
                                                 void *const *captured, const amp_priv_target *target)
{
    for (int c = 0; c < site->capture_count; c++) {
        const amp_priv_element *const element =
            site->captures[c].kind == AMP_PRIV_CAPTURE_VIEW ? ((const amp_priv_head *)captured[c])->element : NULL;
        if (!element || !element->scalar || amp_priv_is_type_of_target(element->name, target))
            continue;
        const amp_priv_token name = amp_priv_token_of(element->name);
        if (amp_priv_words_have(&items->names, name))
            continue;
        amp_priv_words_put(&items->names, name);
        amp_priv_string text = { NULL, 0, 0, false };
        amp_priv_addf(&text, "typedef %s %s;", element->scalar, element->name);
        const size_t length = text.length;
        amp_priv_definitions_add(items, amp_priv_definitions_own(items, &text), length, name);
    }
}

/* Marks what is named, and what that names. */
AMP_PRIV_COLD void amp_priv_definitions_choose(amp_priv_definitions *items, amp_priv_words *words)
{
    for (bool changed = true; changed && !words->failed && !items->failed;) {
        changed = false;
        amp_priv_definitions_views(items, words);
        for (size_t i = items->count; i-- > 0;) {
            amp_priv_definition *const item = &items->item[i];
            if (item->included || !amp_priv_words_have(words, item->name) ||
                (item->also && !amp_priv_words_have(words, amp_priv_token_of(item->also))))
                continue;
            item->included = changed = true;
            amp_priv_words_of(words, item->text, item->length);
        }
    }
}

/* Does the kernel's body, or a function that it calls, ask for the extent of a view? Checked builds always do. */
AMP_PRIV_COLD bool amp_priv_asks_for_extents(const char *body, const amp_priv_definitions *items)
{
#if defined(AMP_CHECKED)
    return body || items;
#else
    bool asks = amp_priv_has_word(body, "extent");
    for (size_t i = 0; i < items->count && !asks; i++)
        asks = items->item[i].is_user_definition && items->item[i].included &&
               amp_priv_has_word(items->item[i].text, "extent");
    return asks;
#endif
}

AMP_PRIV_COLD void amp_priv_add_definition(amp_priv_string *out, const amp_priv_definition *item)
{
    if (*item->text == '#') {
        amp_priv_add(out, item->text, item->length);
    } else if (!item->is_user_definition && !strncmp(item->text, "typedef", 7)) {
        amp_priv_add(out, item->text, item->length);
        amp_priv_adds(out, "\n");
    } else {
        amp_priv_add_lines(out, item->text, item->length, 0);
    }
}

/* What a program has of a kernel's body. */
typedef struct amp_priv_body {
    amp_priv_token_list tokens; /* as the user wrote them, for the target */
    amp_priv_string text;       /* the same, when no pass changes them any more */
    amp_priv_string locals;     /* its `__local` variables, which stand before it */
    amp_priv_string images;     /* functions that it calls to read images */
    bool is_unrolled;
} amp_priv_body;

AMP_PRIV_COLD void amp_priv_body_make(amp_priv_body *body, amp_priv_program *program, amp_priv_launch_site *site,
                                      void *const *captured, unsigned variant, const amp_priv_target *target)
{
    amp_priv_token_list *const tokens = &body->tokens;
    int number = 0;
    amp_priv_kernel_tokens(tokens, site->text);
    for (size_t i = 0; site->tiled && i < tokens->count && !tokens->failed; i++) {
        amp_priv_tile_variable variable;
        if (!amp_priv_tile_variable_at(&variable, &tokens->token[i]))
            continue;
        const size_t size = amp_priv_tile_variable_size(&variable, site, captured);
        program->tile_static += size;
        program->tile_static_known = program->tile_static_known && size != 0;
        amp_priv_hoist_tile_static(site, tokens, &variable, ++number, &body->locals);
        i--; /* what followed it stands there now */
    }
    body->is_unrolled = (amp_priv_coarsening(variant) > 1 || target->runs_tiles) && amp_priv_unrolls(site, captured);
    if (variant & AMP_PRIV_IMAGES)
        atomic_load(&amp_priv_texture_units_used)->rewrite(tokens, &body->images, site, captured);
    if (site->tiled)
        amp_priv_rewrite_tiled(tokens, site, variant, target, body->is_unrolled);
}

AMP_PRIV_COLD void amp_priv_body_write(amp_priv_body *body, const amp_priv_definitions *items,
                                       const amp_priv_launch_site *site)
{
    (void)site;
    (void)amp_priv_give_fault(&body->tokens, items, NULL);
    amp_priv_add_all_tokens(&body->text, &body->tokens);
    amp_priv_name_printf(&body->text, site);
    amp_priv_tokens_free(&body->tokens);
}

/* False where there was no memory for it. */
AMP_PRIV_COLD bool amp_priv_body_free(amp_priv_body *body)
{
    free(body->text.text);
    free(body->locals.text);
    free(body->images.text);
    return !body->text.failed && !body->locals.failed && !body->images.failed;
}

/* Appends the body, after a `#line` that says where it stands. */
AMP_PRIV_COLD void amp_priv_add_body(amp_priv_string *kernel, const amp_priv_launch_site *site, const char *body)
{
    amp_priv_addf(kernel, "#line %d \"", site->line);
    for (const char *p = site->file; *p; p++) {
        if (*p == '\\' || *p == '"')
            amp_priv_adds(kernel, "\\");
        amp_priv_add(kernel, p, 1);
    }
    amp_priv_adds(kernel, "\"\n");
    amp_priv_string loop = { NULL, 0, 0, false };
    const bool braced = body[strspn(body, " \n")] == '{';
    amp_priv_addf(&loop, braced ? "do %s while (0);" : "do { %s } while (0);", body);
    if (loop.text)
        amp_priv_add_lines(kernel, loop.text, loop.length, 1);
    kernel->failed = kernel->failed || loop.failed;
    free(loop.text);
}

/* Appends the items that are in the program: typedefs and functions of the library, then the user's definitions, each
   followed by views of it. */
AMP_PRIV_COLD void amp_priv_add_definitions(amp_priv_string *out, const amp_priv_definitions *items,
                                            const amp_priv_target *target)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->item[i].included && !items->item[i].is_user_definition && !items->item[i].after)
            amp_priv_add_definition(out, &items->item[i]);
    for (size_t i = 0; i < items->count; i++) {
        const amp_priv_definition *const definition = &items->item[i];
        if (!definition->is_user_definition || !definition->included)
            continue;
        char spaced[72];
        snprintf(spaced, sizeof spaced, " %.60s ", definition->name.at);
        if (strstr(target->builtin, spaced))
            amp_priv_addf(out, "#define %s amp_function_%s\n", definition->name.at, definition->name.at);
        if (strstr(target->types, spaced))
            amp_priv_addf(out, "#define %s amp_type_%s\n", definition->name.at, definition->name.at);
        amp_priv_add_definition(out, definition);
        for (size_t v = 0; v < items->count; v++)
            if (items->item[v].included && items->item[v].after == definition->name.at)
                amp_priv_add_definition(out, &items->item[v]);
    }
}

/* Appends the openings that the words ask for; of several with the same text one. */
AMP_PRIV_COLD void amp_priv_add_opening(amp_priv_string *out, const amp_priv_words *words,
                                        const amp_priv_prologue_text *opening)
{
    const char *last = NULL;
    for (const amp_priv_prologue_text *o = opening; o->word; o++)
        if ((!last || strcmp(o->text, last) != 0) &&
            (!o->word[0] || amp_priv_words_have(words, amp_priv_token_of(o->word)) ||
             (amp_priv_kernels_are_exact() && !strcmp(o->word, "amp_priv_exact")))) {
            amp_priv_adds(out, o->text);
            last = o->text;
        }
}

/* Appends what comes first: the openings that the words ask for, and other names for words of the language in text.
   With AMP_COMPARE kernels are compiled without contraction: the last bits are the same everywhere. */
AMP_PRIV_COLD void amp_priv_add_preamble(amp_priv_string *out, const amp_priv_words *words, const char *text,
                                         const amp_priv_target *target)
{
    amp_priv_add_opening(out, words, target->opening);
    for (const amp_priv_added_opening *added = atomic_load(&amp_priv_added_openings); added; added = added->next)
        if (!strcmp(added->suffix, target->suffix))
            amp_priv_add_opening(out, words, added->texts);
    for (const char *word = target->words; *word;) {
        const size_t length = strcspn(word, " ");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (amp_priv_has_word(text, name))
            amp_priv_addf(out, "#define %s amp_word_%s\n", name, name);
        word += length + strspn(word + length, " ");
    }
}

/* Names beyond ASCII, which are C's and of no device: ö becomes _u00f6. */
AMP_PRIV_COLD void amp_priv_program_in_ascii(amp_priv_string *program)
{
    amp_priv_string out = { NULL, 0, 0, false };
    const char *c = program->text;
    while (c && *c && (unsigned char)*c < 0x80)
        c++;
    if (!c || !*c)
        return;
    for (amp_priv_token t = amp_priv_token_at(program->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length))
        for (c = t.at; c < t.at + t.length;)
            if ((unsigned char)*c < 0x80 || t.kind == AMP_PRIV_TOKEN_QUOTED)
                amp_priv_add(&out, c++, 1);
            else
                amp_priv_addf(&out, "_u%04x", amp_priv_utf8(&c));
    free(program->text);
    *program = out;
}

/* The program as the target's compiler takes it; false when there is no memory for that. */
AMP_PRIV_COLD bool amp_priv_program_translate(amp_priv_string *program, const amp_priv_target *target)
{
    amp_priv_program_in_ascii(program);
    if (program->failed || !target->translate)
        return !program->failed;
    char *const text = target->translate(program->text, &program->length);
    free(program->text);
    program->text = text;
    return text != NULL;
}

/* Is double among them, or a vector of doubles? */
AMP_PRIV_COLD bool amp_priv_words_have_double(const amp_priv_words *words)
{
    static const char *const names[] = { "double", "amp_double_2", "amp_double_3", "amp_double_4" };
    bool has = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        has = has || amp_priv_words_have(words, amp_priv_token_of(names[i]));
    return has;
}

/* Appends where the kernel is, and the word for the compiler's options. */
AMP_PRIV_COLD void amp_priv_add_place(amp_priv_string *out, const amp_priv_launch_site *site)
{
    amp_priv_addf(out, "/* kernel in %s, at or near %s:%d%s */\n", site->function, site->file, site->line,
                  amp_priv_kernels_are_exact() ? ": amp_priv_exact" : "");
}

/* Makes the program of a site in one of its variants.
   captured  the launch's captures: they tell the types of views
   AMP_OUT_OF_MEMORY (reported) is the only failure. */
AMP_PRIV_COLD amp_status amp_priv_program_make(amp_priv_program *program, amp_priv_launch_site *site,
                                               void *const *captured, unsigned variant, const amp_priv_target *target,
                                               bool atomics64)
{
    amp_priv_body body = { .is_unrolled = false };
    amp_priv_string kernel = { NULL, 0, 0, false }, rest = { NULL, 0, 0, false }, out = { NULL, 0, 0, false };
    amp_priv_definitions items = { .item = NULL };
    amp_priv_words words = { NULL, 0, 0, false };
    *program = (amp_priv_program){ .tile_static_known = true };
    amp_priv_body_make(&body, program, site, captured, variant, target);
    amp_priv_definitions_all(&items, site, variant, target, atomics64);
    amp_priv_definitions_included(&items, site, captured);
    amp_priv_definitions_user_definitions(&items, site);
    amp_priv_definitions_typedefs(&items, site, captured, target);
    amp_priv_body_write(&body, &items, site);
    const char *const text = body.text.text ? body.text.text : "";
    amp_priv_words_of(&words, text, body.text.length);
    if (body.images.text)
        amp_priv_words_of(&words, body.images.text, body.images.length);
    if (strstr(site->text, "amp_priv_own_count"))
        amp_priv_words_of(&words, "amp_priv_own_count", 18); /* openings have it */
    amp_priv_definitions_choose(&items, &words);
    kernel.failed = !amp_priv_parameters_make(&program->parameters, site, captured, variant,
                                              amp_priv_asks_for_extents(text, &items));
    amp_priv_adds(&kernel, body.images.text ? body.images.text : "");
    amp_priv_add_kernel(&kernel, site, captured, &items, body.locals.text, variant, &program->parameters,
                        body.is_unrolled);
    amp_priv_add_body(&kernel, site, text);
    amp_priv_adds(&kernel, !site->tiled && amp_priv_coarsening(variant) > 1 ? "  }\n}\n" : "}\n");
    if (kernel.text)
        amp_priv_words_of(&words, kernel.text, kernel.length);
    amp_priv_definitions_choose(&items, &words); /* what else the kernel's own text names */
    program->uses_double = amp_priv_words_have_double(&words);

    amp_priv_add_definitions(&rest, &items, target);
    amp_priv_adds(&rest, "\n");
    if (kernel.text)
        amp_priv_add(&rest, kernel.text, kernel.length);
    amp_priv_add_place(&out, site);
    if (rest.text) {
        amp_priv_add_preamble(&out, &words, rest.text, target);
        amp_priv_add(&out, rest.text, rest.length);
    }

    const bool failed = !amp_priv_body_free(&body) || kernel.failed || rest.failed || out.failed || items.failed ||
                        items.names.failed || words.failed;
    free(kernel.text);
    free(rest.text);
    free(words.slot);
    amp_priv_definitions_free(&items);
    if (failed || !amp_priv_program_translate(&out, target)) {
        free(out.text);
        free(program->parameters.of);
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its program's text");
    }
    program->text = out.text;
    program->length = out.length;
    return AMP_OK;
}

#endif /* AMP_CODEGEN_PROGRAM_H */
