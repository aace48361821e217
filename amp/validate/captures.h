/* SPDX-License-Identifier: MIT */
/*  amp/validate/captures.h - captures whose types a device does not know */
#ifndef AMP_VALIDATE_CAPTURES_H
#define AMP_VALIDATE_CAPTURES_H

#include "constructs.h"

/* Does a struct of the user's hold a view, or a struct before it that does? */
AMP_PRIV_COLD bool amp_priv_validator_holds_view(const amp_priv_launch_site *site,
                                                 const amp_priv_user_definition *definition)
{
    bool holds = definition->kind == AMP_PRIV_DEFINES_STRUCT &&
                 (strstr(definition->text, "amp_array_") || strstr(definition->text, "amp_const_array_"));
    for (const amp_priv_user_definition *d = *site->user_definitions; d != definition && !holds; d = d->next)
        holds = d->kind == AMP_PRIV_DEFINES_STRUCT && definition->kind == AMP_PRIV_DEFINES_STRUCT &&
                amp_priv_has_word(definition->text, d->name) && amp_priv_validator_holds_view(site, d);
    return holds;
}

/* The name in a type: pair, of `const struct pair`. */
AMP_PRIV_COLD amp_priv_token amp_priv_validator_type_name(const char *type)
{
    amp_priv_token name = amp_priv_token_of(type);
    for (amp_priv_token t = amp_priv_token_at(type); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length))
        if (t.kind == AMP_PRIV_TOKEN_WORD && !amp_priv_listed(" const volatile struct union enum ", t))
            name = t;
    return name;
}

/* The type of a captured struct or of a view's elements, of that size and alignment (0: not known); what is said where
   devices do not know it. */
AMP_PRIV_COLD void amp_priv_validator_capture(amp_priv_token_list *text, const char *type, size_t size, size_t align,
                                              const char *unknown)
{
    const amp_priv_token name = amp_priv_validator_type_name(type);
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validated->validator->site, name);
    const size_t vector = amp_priv_validator_vector_size(name);
    if (definition)
        amp_priv_validate_text(text->validated->validator, definition);
    if (definition && amp_priv_validator_holds_view(text->validated->validator->site, definition))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_IN_STRUCT, name);
    if (definition)
        return;
    if (amp_priv_validator_is_view_type(name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_AS_VALUE, name);
    else if (vector && (vector != size || (align && vector != align)))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VECTOR, name);
    else if (!vector && !amp_priv_type_name_of(name) &&
             (!amp_priv_token_begins(name, "amp_") ||
              amp_priv_listed(" amp_accelerator amp_accelerator_view amp_future amp_recording ", name)))
        amp_priv_validator_report(text, unknown, name);
}

/* Of a captured view that was created. */
AMP_PRIV_COLD const amp_priv_head *amp_priv_validator_head(const amp_priv_capture *capture, const amp_priv_head *head)
{
    return capture->kind == AMP_PRIV_CAPTURE_VIEW && head && head->kind && head->element ? head : NULL;
}

AMP_PRIV_COLD void amp_priv_validator_captures(amp_priv_token_list *text, void *const *captured)
{
    const amp_priv_launch_site *const site = text->validated->validator->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_validator_head(&site->captures[i], captured[i]);
        amp_priv_words_put(&text->validated->known, amp_priv_token_of(site->captures[i].name));
        if (head && head->element->scalar)
            amp_priv_words_put(&text->validated->validator->typedefs, amp_priv_token_of(head->element->name));
        if (amp_priv_has_word(site->index, site->captures[i].name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_INDEX_CAPTURED, amp_priv_token_of(site->captures[i].name));
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        const amp_priv_head *const head = amp_priv_validator_head(capture, captured[i]);
        if (capture->kind == AMP_PRIV_CAPTURE_STRUCT)
            amp_priv_validator_capture(text, capture->type, capture->size, 0, AMP_PRIV_MSG_CAPTURED_TYPE);
        else if (head && !head->element->scalar)
            amp_priv_validator_capture(text, head->element->name, head->element->size, head->element->align,
                                       AMP_PRIV_MSG_NO_TYPE);
    }
    amp_priv_words_of(&text->validated->known, site->index, strlen(site->index));
}

/* Does the block of an operation on two elements begin at i: { const T a = ..., b = ...; (void)a, (void)b; */
AMP_PRIV_COLD bool amp_priv_validator_is_operation(const amp_priv_token_list *text, size_t i)
{
    static const char *const words[] = { "(", "void", ")", "a", ",", "(", "void", ")", "b", ";" };
    if (!amp_priv_tokens_is(text, i, "{") || !amp_priv_tokens_is(text, i + 1, "const"))
        return false;
    while (i < text->count && !amp_priv_tokens_is(text, i, ";"))
        i++;
    size_t k = 0;
    while (k < sizeof words / sizeof *words && amp_priv_tokens_is(text, i + 1 + k, words[k]))
        k++;
    return k == sizeof words / sizeof *words;
}

/* Is a captured a or b used only where these are an operation's operands? */
AMP_PRIV_COLD bool amp_priv_validator_is_operand(const amp_priv_token_list *text, const char *name)
{
    bool is_operation = false;
    for (size_t i = 0; i < text->count; i++)
        if (amp_priv_validator_is_operation(text, i)) {
            is_operation = true;
            i = amp_priv_tokens_closing(text, i);
        } else if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_is(text, i, name)) {
            return false;
        }
    return is_operation;
}

AMP_PRIV_COLD void amp_priv_validator_operands(amp_priv_token_list *text)
{
    const amp_priv_launch_site *const site = text->validated->validator->site;
    for (int c = 0; c < site->capture_count; c++) {
        const char *const name = site->captures[c].name;
        if ((!strcmp(name, "a") || !strcmp(name, "b")) && amp_priv_validator_is_operand(text, name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_OPERAND_CAPTURED, amp_priv_token_of(name));
    }
}

#endif /* AMP_VALIDATE_CAPTURES_H */
