/* SPDX-License-Identifier: MIT */
/*  amp/validate/declared.h - names that a kernel's source gives a meaning itself */
#ifndef AMP_VALIDATE_DECLARED_H
#define AMP_VALIDATE_DECLARED_H

#include "text.h"

/* Adds a message, once for each name. */
AMP_PRIV_COLD void amp_priv_validator_report(amp_priv_token_list *text, const char *sentence, amp_priv_token name)
{
    const int most = 8;
    amp_priv_string *const out = &text->validated->validator->out;
    if (amp_priv_words_have(&text->validated->reported, name) || text->validated->validator->count++ >= most)
        return;
    amp_priv_words_put(&text->validated->reported, name);
    amp_priv_adds(out, out->length ? "\nand " : "");
    if (text->validated->definition)
        amp_priv_addf(out, "in the definition of %s: ", text->validated->definition->name);
    amp_priv_add_sentence(out, sentence, name);
}

/* Does the brace } at i end a struct? */
AMP_PRIV_COLD bool amp_priv_validator_ends_struct(const amp_priv_token_list *text, size_t i)
{
    i += (size_t)text->token[i].partner; /* its { */
    i -= amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    return amp_priv_tokens_is(text, i, "struct") || amp_priv_tokens_is(text, i, "union") ||
           amp_priv_tokens_is(text, i, "enum");
}

/* Does a statement, or a parameter, begin at i? */
AMP_PRIV_COLD bool amp_priv_validator_starts(const amp_priv_token_list *text, size_t i)
{
    while (amp_priv_tokens_is(text, i - 1, "const") || amp_priv_tokens_is(text, i - 1, "static") ||
           amp_priv_tokens_is(text, i - 1, "struct") || amp_priv_tokens_is(text, i - 1, "union") ||
           amp_priv_tokens_is(text, i - 1, "enum"))
        i--;
    return i == 0 || amp_priv_tokens_marks(text, i - 1, i < text->validated->body ? "(," : ";{}:") ||
           (amp_priv_tokens_is(text, i - 1, "(") && amp_priv_tokens_is(text, i - 2, "for"));
}

/* Is the name at i declared there? Two words side by side are nothing else; `T *x` may be a product. */
AMP_PRIV_COLD bool amp_priv_validator_declares(const amp_priv_token_list *text, size_t i)
{
    size_t type = i - 1;
    bool pointer = false;
    for (; amp_priv_tokens_is(text, type, "*") || amp_priv_tokens_is(text, type, "const"); type--)
        pointer = pointer || amp_priv_tokens_is(text, type, "*");
    const amp_priv_role kind = amp_priv_tokens_at(text, type)->role, next = amp_priv_tokens_at(text, i + 1)->role;
    if (kind == AMP_PRIV_ROLE_TYPE)
        return next != AMP_PRIV_ROLE_NAME;
    if (kind == AMP_PRIV_ROLE_NAME)
        return !pointer || (amp_priv_validator_starts(text, type) && amp_priv_tokens_marks(text, i + 1, "=;,["));
    if (amp_priv_tokens_is(text, type, "}"))
        return amp_priv_validator_ends_struct(text, type);
    if (amp_priv_tokens_is(text, type, "struct") || amp_priv_tokens_is(text, type, "union") ||
        amp_priv_tokens_is(text, type, "enum"))
        return amp_priv_tokens_is(text, i + 1, "{");
    /* float (*f)(float), float (*p)[4] */
    return pointer && amp_priv_tokens_is(text, type, "(") &&
           amp_priv_tokens_at(text, type - 1)->role == AMP_PRIV_ROLE_TYPE && amp_priv_tokens_is(text, i + 1, ")");
}

/* Is the length of an array that the text declares at i something that is no constant? */
AMP_PRIV_COLD bool amp_priv_validator_length_varies(const amp_priv_token_list *text, size_t i)
{
    for (size_t open = i + 1; amp_priv_tokens_is(text, open, "["); open = amp_priv_tokens_closing(text, open) + 1) {
        bool varies = false;
        for (size_t k = open + 1; k < amp_priv_tokens_closing(text, open); k++) {
            const amp_priv_cursor t = amp_priv_tokens_at(text, k);
            const amp_priv_launch_site *const site = text->validated->validator->site;
            if (amp_priv_tokens_is(text, k, "sizeof"))
                return false;
            if (t->role != AMP_PRIV_ROLE_NAME || amp_priv_words_have(&text->validated->constant, t->token))
                continue;
            varies = varies || amp_priv_words_have(&text->validated->variable, t->token);
            for (int c = 0; c < site->capture_count && !text->validated->definition; c++)
                varies = varies || (site->captures[c].kind != AMP_PRIV_CAPTURE_CONSTANT &&
                                    amp_priv_is(t, site->captures[c].name));
        }
        if (varies)
            return true;
    }
    return false;
}

/* Takes note of the name at i, which is declared there. */
AMP_PRIV_COLD void amp_priv_validator_declare(amp_priv_token_list *text, size_t i, bool is_constant,
                                              bool is_tile_static)
{
    const amp_priv_token name = text->token[i].token;
    if (amp_priv_validator_length_varies(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_LENGTH, name);
    const amp_priv_launch_site *const site = text->validated->validator->site;
    if (site->without_arrays && !site->tiled && amp_priv_tokens_is(text, i + 1, "["))
        amp_priv_validator_report(text, AMP_PRIV_MSG_PRIVATE_ARRAY, name);
    amp_priv_words_put(&text->validated->known, name);
    amp_priv_words_put(is_constant ? &text->validated->constant : &text->validated->variable, name);
    if (is_tile_static)
        amp_priv_words_put(&text->validated->tile_static, name);
}

/* The enumerators of `enum name { ... }`, at enum. */
AMP_PRIV_COLD void amp_priv_validator_declare_enumerators(amp_priv_token_list *text, size_t i)
{
    i += amp_priv_tokens_at(text, i + 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    if (!amp_priv_tokens_is(text, i, "{"))
        return;
    const size_t end = amp_priv_tokens_closing(text, i);
    for (; i < end; i++)
        if (amp_priv_tokens_marks(text, i, "{,") && amp_priv_tokens_at(text, i + 1)->role == AMP_PRIV_ROLE_NAME)
            amp_priv_validator_declare(text, i + 1, true, false);
}

/* The names of a declaration whose first one stands at i, as in `int a = f(1, 2), *b, c[3];`. */
AMP_PRIV_COLD void amp_priv_validator_declare_list(amp_priv_token_list *text, size_t i)
{
    bool is_constant = false, is_tile_static = false;
    for (size_t k = i; k < text->count && !amp_priv_tokens_marks(text, k, ";{}"); k--) {
        is_constant = is_constant || amp_priv_tokens_is(text, k, "const");
        is_tile_static = is_tile_static || amp_priv_tokens_is(text, k, "_Alignas");
    }
    amp_priv_validator_declare(text, i, is_constant, is_tile_static);
    for (size_t k = i + 1; i >= text->validated->body && k < text->count && !amp_priv_tokens_marks(text, k, ";)]}");
         k++) {
        if (amp_priv_tokens_marks(text, k, "([{"))
            k = amp_priv_tokens_closing(text, k);
        if (!amp_priv_tokens_is(text, k, ","))
            continue;
        while (amp_priv_tokens_is(text, k + 1, "*") || amp_priv_tokens_is(text, k + 1, "const"))
            k++;
        if (amp_priv_tokens_at(text, k + 1)->role == AMP_PRIV_ROLE_NAME &&
            amp_priv_tokens_at(text, k + 2)->role != AMP_PRIV_ROLE_NAME)
            amp_priv_validator_declare(text, k + 1, is_constant, is_tile_static);
    }
}

/* The parameters of a function: every name before a comma or the end. */
AMP_PRIV_COLD void amp_priv_validator_declare_parameters(amp_priv_token_list *text)
{
    size_t i = 0;
    while (i < text->count && !amp_priv_tokens_is(text, i, "("))
        i++;
    for (const size_t end = text->validated->body = amp_priv_tokens_closing(text, i); i < end; i++)
        if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_marks(text, i + 1, ",)["))
            amp_priv_words_put(&text->validated->known, text->token[i].token);
}

AMP_PRIV_COLD void amp_priv_validator_declarations(amp_priv_token_list *text)
{
    for (size_t i = 0; i < text->count; i++) {
        if (amp_priv_tokens_is(text, i, "enum"))
            amp_priv_validator_declare_enumerators(text, i);
        if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_validator_declares(text, i))
            amp_priv_validator_declare_list(text, i);
    }
}

#endif /* AMP_VALIDATE_DECLARED_H */
