/* SPDX-License-Identifier: MIT */
/*  amp/validate/captures.h - captures whose types a device does not know */
#ifndef AMP_VALIDATE_CAPTURES_H
#define AMP_VALIDATE_CAPTURES_H

#include "text.h"

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
AMP_PRIV_COLD void amp_priv_validator_capture(amp_priv_validated_text *text, const char *type, size_t size,
                                              size_t align, const char *unknown)
{
    const amp_priv_token name = amp_priv_validator_type_name(type);
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validator->site, name);
    const size_t vector = amp_priv_validator_vector_size(name);
    if (definition)
        amp_priv_validate_text(text->validator, definition);
    if (definition && amp_priv_validator_holds_view(text->validator->site, definition))
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

AMP_PRIV_COLD void amp_priv_validator_captures(amp_priv_validated_text *text, void *const *captured)
{
    const amp_priv_launch_site *const site = text->validator->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_validator_head(&site->captures[i], captured[i]);
        if (head && head->element->scalar)
            amp_priv_words_put(&text->validator->typedefs, amp_priv_token_of(head->element->name));
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
}

/* Does a block begin as an operation on two elements does, with the declarations of a and b, (void)a, (void)b? */
AMP_PRIV_COLD bool amp_priv_validator_has_operation(const amp_priv_tree *tree)
{
    const amp_priv_tree_node *const node = tree->node;
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const left = &node[node[n].a], *const right = &node[node[n].b];
        if (node[n].kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node[n].token, ",") &&
            left->kind == AMP_PRIV_TREE_CAST && amp_priv_token_is(left->token, "void") &&
            right->kind == AMP_PRIV_TREE_CAST && amp_priv_token_is(right->token, "void") &&
            amp_priv_token_is(node[left->a].token, "a") && amp_priv_token_is(node[right->a].token, "b"))
            return true;
    }
    return false;
}

/* A captured a or b that is used nowhere, in a body with an operation whose operands hide it, is reported. */
AMP_PRIV_COLD void amp_priv_validator_operands(amp_priv_validated_text *text)
{
    const amp_priv_launch_site *const site = text->validator->site;
    for (int c = 0; c < site->capture_count; c++) {
        const char *const name = site->captures[c].name;
        if ((!strcmp(name, "a") || !strcmp(name, "b")) && !amp_priv_tree_next_use(text->tree, name, 0) &&
            amp_priv_validator_has_operation(text->tree))
            amp_priv_validator_report(text, AMP_PRIV_MSG_OPERAND_CAPTURED, amp_priv_token_of(name));
    }
}

#endif /* AMP_VALIDATE_CAPTURES_H */
