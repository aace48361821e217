/* SPDX-License-Identifier: MIT */
/*  amp/checked/phases.h - checked builds: warns of phases that write uniform variables */
#ifndef AMP_CHECKED_PHASES_H
#define AMP_CHECKED_PHASES_H

#include "../codegen/validate.h"

#if defined(AMP_CHECKED)

/* // >>uniform: phases that write a uniform variable. The CPU backend has one variable for the tile, a
   device has one for each thread. The check sees plain names, elements and members of arrays and structs, and arguments
   of an AMP_FUNCTION that writes them. It does not follow other pointers. If some phase declares the name, the check
   assumes that variable. */

/* A body's text, with the names that are declared in its phases as its variables and constants; those of uniform
   code are in `outside`, which has the same tokens. */
typedef struct amp_priv_phases {
    amp_priv_validator validator;
    amp_priv_token_list text, outside;
} amp_priv_phases;

/* Where the loop of a phase over its threads begins at i, sets *end to where the phase ends. */
AMP_PRIV_COLD void amp_priv_phase_begins(amp_priv_token_list *text, size_t i, size_t *end)
{
    if (amp_priv_tokens_is(text, i, "for") && amp_priv_tokens_is(text, i + 3, "amp_priv_tiled_index"))
        *end = amp_priv_validator_breaks(text, amp_priv_tokens_closing(text, i + 1) + 1, true);
}

AMP_PRIV_COLD void amp_priv_phases_read(amp_priv_phases *phases, const amp_priv_launch_site *site)
{
    size_t end = 0;
    memset(phases, 0, sizeof *phases);
    phases->validator.site = site;
    phases->text.validator = &phases->validator;
    amp_priv_tokens_read_for_device(&phases->text, site->text);
    phases->outside = phases->text;
    for (size_t i = 0; i < phases->text.count; i++) {
        amp_priv_phase_begins(&phases->text, i, &end);
        if (phases->text.token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_validator_declares(&phases->text, i))
            amp_priv_validator_declare_list(i < end ? &phases->text : &phases->outside, i);
    }
}

AMP_PRIV_COLD void amp_priv_phases_end(amp_priv_phases *phases)
{
    phases->outside.token = NULL;
    phases->outside.kept = NULL;
    amp_priv_validator_text_end(&phases->outside);
    amp_priv_validator_text_end(&phases->text);
    free(phases->validator.out.text);
}

/* Is it an array in every struct of the file's that has such a member? */
AMP_PRIV_COLD bool amp_priv_member_is_array(const amp_priv_launch_site *site, amp_priv_token member)
{
    bool is_array = false;
    for (const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL; d; d = d->next) {
        const amp_priv_token at = amp_priv_token_find(d->text, member);
        if (d->kind != AMP_PRIV_DEFINES_STRUCT || at.kind == AMP_PRIV_TOKEN_END)
            continue;
        is_array = amp_priv_token_is(amp_priv_token_after(at), "[") && at.at[-1] != '*';
        if (!is_array)
            break;
    }
    return is_array;
}

/* Does an AMP_FUNCTION of the file's write what its parameter of that number (from 0) points to? */
AMP_PRIV_COLD bool amp_priv_function_writes(const amp_priv_user_definition *function, int number)
{
    amp_priv_token_list text = { .definition = function };
    amp_priv_token name = { AMP_PRIV_TOKEN_END, 0, "" };
    bool writes = false;
    amp_priv_tokens_read_for_device(&text, function->text);
    size_t i;
    const size_t end = amp_priv_tokens_parameter(&text, number, &i);
    for (; i < end; i++)
        if (text.token[i].role == AMP_PRIV_ROLE_NAME)
            name = text.token[i].token;
    for (i = end; i < text.count && !writes; i++) {
        const amp_priv_name_use use = amp_priv_name_use_of(&text, i);
        writes = text.token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_token_is_word(text.token[i].token, name) &&
                 use.write && (use.is_pointed || amp_priv_tokens_is(&text, i + 1, "["));
    }
    amp_priv_tokens_free(&text);
    return writes;
}

/* Is the variable at i, an array or &x, given to a function that writes it? */
AMP_PRIV_COLD bool amp_priv_phase_lends(const amp_priv_token_list *text, size_t i)
{
    const bool by_address = amp_priv_tokens_is(text, i - 1, "&");
    size_t open = i - 1 - by_address;
    int number = 0, depth = 0;
    if (!amp_priv_tokens_marks(text, i + 1, ",)") || !amp_priv_tokens_marks(text, open, "(,"))
        return false;
    for (; open < text->count; open--) {
        if (amp_priv_tokens_marks(text, open, "([{") && depth-- == 0)
            break;
        depth += amp_priv_tokens_marks(text, open, ")]}");
        number += depth == 0 && amp_priv_tokens_is(text, open, ",");
    }
    const amp_priv_user_definition *const function =
        amp_priv_definition_of(text->validator->site, amp_priv_tokens_at(text, open - 1)->token);
    return function && amp_priv_validator_is_function(function) && amp_priv_function_writes(function, number);
}

/* Is the name declared outside of phases as an array, or (not elements) as no pointer? */
AMP_PRIV_COLD bool amp_priv_phases_own(const amp_priv_phases *phases, amp_priv_token name, bool elements)
{
    const amp_priv_token_list *const text = &phases->text;
    if (!amp_priv_words_have(&phases->outside.known, name.at, name.length))
        return false;
    for (size_t i = 0; i < text->count; i++)
        if (amp_priv_token_is_word(text->token[i].token, name) && text->token[i].role == AMP_PRIV_ROLE_NAME)
            return !amp_priv_tokens_is(text, i - 1, "*") && amp_priv_tokens_is(text, i + 1, "[") == elements;
    return false;
}

/* Does the phase write a variable of uniform code at i, which names it? */
AMP_PRIV_COLD bool amp_priv_phase_writes_at(const amp_priv_phases *phases, size_t i)
{
    const amp_priv_token_list *const text = &phases->text;
    const amp_priv_token name = text->token[i].token;
    const amp_priv_name_use use = amp_priv_name_use_of(text, i);
    if (text->token[i].role != AMP_PRIV_ROLE_NAME || amp_priv_token_begins(name, "amp_priv_") ||
        amp_priv_words_have(&text->known, name.at, name.length) ||
        amp_priv_words_have(&phases->outside.tile_static, name.at, name.length))
        return false;
    if (!use.write || use.is_pointed)
        return amp_priv_phase_lends(text, i) &&
               amp_priv_phases_own(phases, name, !amp_priv_tokens_is(text, i - 1, "&"));
    for (size_t k = i; k < use.last;
         k = amp_priv_tokens_is(text, k + 1, "[") ? amp_priv_tokens_closing(text, k + 1) : k + 1)
        if (amp_priv_tokens_is(text, k + 1, "[") &&
            (amp_priv_token_begins(amp_priv_tokens_at(text, k + 2)->token, "\"amp_priv_own_index(") ||
             (text->token[k].role == AMP_PRIV_ROLE_MEMBER &&
              !amp_priv_member_is_array(text->validator->site, text->token[k].token))))
            return false; /* AMP_OWN; x.p[i] may follow a pointer */
    return !use.is_part || amp_priv_phases_own(phases, name, amp_priv_tokens_is(text, i + 1, "["));
}

/* The first such variable of a body; else the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_phase_writes(const amp_priv_launch_site *site)
{
    amp_priv_phases phases;
    amp_priv_phases_read(&phases, site);
    amp_priv_token found = { AMP_PRIV_TOKEN_END, 0, site->text };
    size_t end = 0;
    for (size_t i = 0; i < phases.text.count && found.kind == AMP_PRIV_TOKEN_END; i++) {
        amp_priv_phase_begins(&phases.text, i, &end);
        if (i < end && amp_priv_phase_writes_at(&phases, i))
            found = phases.text.token[i].token;
    }
    amp_priv_phases_end(&phases);
    return found;
}

AMP_PRIV_COLD void amp_priv_warn_of_writes(const amp_priv_launch_site *site)
{
    const amp_priv_token name = amp_priv_phase_writes(site);
    if (name.kind != AMP_PRIV_TOKEN_END)
        amp_priv_portability_warn(
            site,
            "a phase writes '%.*s', a uniform variable: the CPU backend has one for each tile, devices have one for "
            "each thread; declare it in the phase, or with AMP_PRIVATE, or, for other threads to read, with "
            "AMP_TILE_STATIC",
            (int)name.length, name.at);
}

#endif

#endif /* AMP_CHECKED_PHASES_H */
