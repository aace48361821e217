/* SPDX-License-Identifier: MIT */
/*  amp/validate/constructs.h - what a kernel does with names that are known */
#ifndef AMP_VALIDATE_CONSTRUCTS_H
#define AMP_VALIDATE_CONSTRUCTS_H

#include "names.h"

AMP_PRIV_COLD bool amp_priv_validator_is_function(const amp_priv_user_definition *definition)
{
    return definition->kind == AMP_PRIV_DEFINES_FUNCTION;
}

/* Is parameter number n of a function a pointer to memory of the caller's own, and not one of AMP_TILE_POINTER? Then
   *writes says whether it is not const. */
AMP_PRIV_COLD bool amp_priv_validator_takes_pointer(const amp_priv_token_list *function, int n, bool *writes)
{
    size_t i;
    const size_t end = amp_priv_tokens_parameter(function, n, &i);
    for (*writes = true; i < end; i++)
        if (function->token[i].depth == 1 && amp_priv_tokens_marks(function, i, "*["))
            return true;
        else if (amp_priv_tokens_is(function, i, "const"))
            *writes = false;
    return false;
}

/* Is what begins at i the address of an element of a view, &AMP_AT(v, ...)? Then the view's name. */
AMP_PRIV_COLD size_t amp_priv_validator_element(const amp_priv_token_list *text, size_t i)
{
    if (!amp_priv_validator_is_unary(text, i, "&"))
        return 0;
    for (i++; amp_priv_tokens_is(text, i, "("); i++) {}
    return amp_priv_tokens_at(text, i)->role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_is(text, i + 1, ")") &&
                   amp_priv_tokens_is(text, i + 2, ".") && amp_priv_tokens_is(text, i + 3, "data") &&
                   amp_priv_tokens_is(text, i + 4, "[")
               ? i
               : 0;
}

/* May the name be of a variable of the text itself? */
AMP_PRIV_COLD bool amp_priv_validator_is_local(const amp_priv_token_list *text, amp_priv_token name)
{
    return text->validated->definition || amp_priv_words_have(&text->validated->variable, name) ||
           amp_priv_words_have(&text->validated->constant, name);
}

/* A variable is written, or a part of it, or (externally_visible) its address is given away: is it a copy that each
   thread has of
   what the launch was given? */
AMP_PRIV_COLD void amp_priv_validator_copy_written(amp_priv_token_list *text, amp_priv_token name, bool is_part,
                                                   bool externally_visible)
{
    const amp_priv_launch_site *const site = text->validated->validator->site;
    if (amp_priv_validator_is_local(text, name)) /* another one of that name */
        return;
    for (int c = 0; c < site->capture_count; c++) {
        const amp_priv_capture *const capture = &site->captures[c];
        if (!amp_priv_token_is(name, capture->name))
            continue;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW && !is_part &&
            !externally_visible) /* its elements are not in the copy */
            amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_ASSIGNED, name);
        const bool is_value =
            capture->kind == AMP_PRIV_CAPTURE_SCALAR || (capture->kind == AMP_PRIV_CAPTURE_CONSTANT && capture->size);
        if ((is_value && !is_part) || capture->kind == AMP_PRIV_CAPTURE_STRUCT)
            amp_priv_validator_report(text, AMP_PRIV_MSG_COPY_WRITTEN, name);
        return;
    }
    if (!site->tiled && amp_priv_uses(site->index, name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_INDEX_WRITTEN, name);
}

/* The arguments of a call, from ( at i: does a pointer parameter get memory that is not the thread's own? */
AMP_PRIV_COLD void amp_priv_validator_arguments(amp_priv_token_list *text, size_t i,
                                                const amp_priv_user_definition *function)
{
    const size_t end = amp_priv_tokens_closing(text, i);
    amp_priv_token_list called = { .token = NULL };
    amp_priv_tokens_read_for_device(&called, function->text);
    for (int n = 0; i < end && !called.failed; n++) {
        for (i++; amp_priv_tokens_is(text, i, "("); i++) {}
        const size_t element = amp_priv_validator_element(text, i);
        const amp_priv_token name =
            amp_priv_tokens_at(text, i + (element == 0 && amp_priv_tokens_is(text, i, "&")))->token;
        bool chosen = false, writes;
        for (; i < end && !amp_priv_tokens_is(text, i, ","); i++) {
            chosen = chosen || amp_priv_tokens_is(text, i, "?");
            if (amp_priv_tokens_marks(text, i, "([{"))
                i = amp_priv_tokens_closing(text, i);
        }
        if (chosen || !amp_priv_validator_takes_pointer(&called, n, &writes))
            continue;
        if (element)
            amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, text->token[element].token);
        else if (amp_priv_words_have(&text->validated->tile_static, name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_POINTER, name);
        else if (writes)
            amp_priv_validator_copy_written(text, name, false, true);
    }
    amp_priv_tokens_free(&called);
}

AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition);

/* The name at i, which is neither a member nor a type of C. */
AMP_PRIV_COLD void amp_priv_validator_name(amp_priv_token_list *text, size_t i)
{
    const amp_priv_token name = text->token[i].token;
    const bool called = amp_priv_tokens_is(text, i + 1, "(");
    if (text->validated->definition && called && i > text->validated->body &&
        amp_priv_token_is(name, text->validated->definition->name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_RECURSION, name);
    if (!amp_priv_token_begins(name, "amp_") && !amp_priv_validator_is_local(text, name)) {
        const amp_priv_name_use use = amp_priv_name_use_of(text, i);
        if ((use.write && !use.is_pointed) || amp_priv_validator_passes_address(text, use.first))
            amp_priv_validator_copy_written(text, name, use.is_part, !use.write);
    }
    if (amp_priv_words_have(&text->validated->known, name) ||
        amp_priv_words_have(&text->validated->validator->typedefs, name))
        return;
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validated->validator->site, name);
    if (definition) {
        const bool is_function = amp_priv_validator_is_function(definition);
        if (is_function && called)
            amp_priv_validator_arguments(text, i + 1, definition);
        else if (is_function)
            amp_priv_validator_report(text, AMP_PRIV_MSG_FUNCTION_POINTER, name);
        if (definition != text->validated->definition)
            amp_priv_validate_text(text->validated->validator, definition);
        return;
    }
    if ((called && amp_priv_is_function_of_language(name)) ||
        amp_priv_listed(" true false nullptr NULL stdout stderr stdin ", name) ||
        amp_priv_validator_is_reserved(text, i))
        return;
    const char *const sentence = amp_priv_validator_classify(text, i);
    if (sentence)
        amp_priv_validator_report(text, sentence, name);
}

/* The tile_static variable that is declared from i on has no first value. */
AMP_PRIV_COLD void amp_priv_validator_value(amp_priv_token_list *text, size_t i)
{
    amp_priv_token name = text->token[i].token;
    for (; i < text->count && !amp_priv_tokens_marks(text, i, ";=["); i++)
        name = text->token[i].token;
    while (i < text->count && amp_priv_tokens_is(text, i, "["))
        i = amp_priv_tokens_closing(text, i) + 1;
    if (amp_priv_tokens_is(text, i, "="))
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_STATIC_VALUE, name);
}

/* Does the : at i stand in a struct, outside of the lengths of its arrays? */
AMP_PRIV_COLD bool amp_priv_validator_is_bit_field(const amp_priv_token_list *text, size_t i)
{
    for (; i < text->count && text->token[i].partner <= 0; i--) /* to the bracket around it */
        i += (size_t)text->token[i].partner;
    i -= amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    return amp_priv_tokens_is(text, i, "struct") || amp_priv_tokens_is(text, i, "union");
}

/* Does the _Generic at i choose a function of ours, by AMP_PRIV_PICK? */
AMP_PRIV_COLD bool amp_priv_validator_chooses(const amp_priv_token_list *text, size_t i)
{
    const amp_priv_token generic = text->token[i].token; /* what it chooses from is not among the tokens */
    return amp_priv_token_find(generic.at, amp_priv_token_of("amp_priv_no_type")).at < text->token[i + 1].token.at;
}

/* What is wrong at i though every name is known. */
AMP_PRIV_COLD void amp_priv_validator_construct(amp_priv_token_list *text, size_t i)
{
    const amp_priv_token token = text->token[i].token;
    const size_t element = amp_priv_validator_element(text, i + 1);
    if (amp_priv_token_is(token, "static") && i > 0 && !amp_priv_tokens_is(text, i + 1, "const") &&
        !amp_priv_tokens_is(text, i + 1, "_Thread_local"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_STATIC, token);
    if (amp_priv_token_is(token, "long") && amp_priv_tokens_is(text, i + 1, "double"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_LONG_DOUBLE, token);
    if (amp_priv_token_is(token, ":") && amp_priv_validator_is_bit_field(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_BIT_FIELD, amp_priv_tokens_at(text, i - 1)->token);
    if (amp_priv_token_is(token, "_Generic") && amp_priv_validator_chooses(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_CHOICE, token);
    if (token.kind == AMP_PRIV_TOKEN_QUOTED && strchr("LUu", *token.at) && token.at[1] == '"')
        amp_priv_validator_report(text, AMP_PRIV_MSG_WIDE_STRING, token);
    if (amp_priv_token_is(token, "_Alignas"))
        amp_priv_validator_value(text, i + 1);
    /* float *p = &AMP_AT(v, i), float *p = block, float *p = v.data */
    const amp_priv_cursor from = amp_priv_tokens_at(text, i + 1);
    size_t star = i - 2;
    while (amp_priv_tokens_is(text, star, "const"))
        star--;
    if (!amp_priv_token_is(token, "=") || !amp_priv_tokens_is(text, star, "*"))
        return;
    if (element)
        amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, text->token[element].token);
    if (*from->token.at == '"' && amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME)
        amp_priv_validator_report(text, AMP_PRIV_MSG_STRING_POINTER, amp_priv_tokens_at(text, i - 1)->token);
    if (from->role != AMP_PRIV_ROLE_NAME)
        return;
    if (amp_priv_words_have(&text->validated->tile_static, from->token))
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_POINTER, from->token);
    if (amp_priv_tokens_is(text, i + 2, ".") && amp_priv_tokens_is(text, i + 3, "data") &&
        amp_priv_tokens_marks(text, i + 4, ";,+"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, from->token);
}

/* A `break` that leaves no loop or switch of the body is reported. */
AMP_PRIV_COLD void amp_priv_validator_breaks(amp_priv_token_list *text, const amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        if (tree->node[n].kind != AMP_PRIV_TREE_JUMP || !amp_priv_token_is(tree->node[n].token, "break"))
            continue;
        const int left = amp_priv_tree_left_by(tree, n);
        if (left == tree->root || amp_priv_tree_is_phase(tree, left))
            amp_priv_validator_report(text, AMP_PRIV_MSG_BREAK, tree->node[n].token);
    }
}

#endif /* AMP_VALIDATE_CONSTRUCTS_H */
