/* SPDX-License-Identifier: MIT */
/*  amp/validate/constructs.h - words of C that devices do not have, and structs that a text defines, by the tokens of
    the text; a `break` that would skip threads */
#ifndef AMP_VALIDATE_CONSTRUCTS_H
#define AMP_VALIDATE_CONSTRUCTS_H

#include "text.h"

/* The members of the struct that begins with {: their types, and where none may be, arrays. */
AMP_PRIV_COLD void amp_priv_validator_members(amp_priv_validated_text *text, amp_priv_cursor open)
{
    amp_priv_member member = { .at = open->token };
    while (amp_priv_member_next(&member)) {
        amp_priv_validator_type(text, member.type.name);
        if (member.dimensions && amp_priv_site_promises_no_arrays(text->validator->site))
            amp_priv_validator_report(text, AMP_PRIV_MSG_PRIVATE_ARRAY, member.name);
    }
    if (amp_priv_token_is(member.at, ":"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_BIT_FIELD, member.name);
}

/* At struct, union or enum. */
AMP_PRIV_COLD void amp_priv_validator_tag(amp_priv_validated_text *text, amp_priv_cursor t)
{
    const amp_priv_token name = t[1].token;
    const bool named = amp_priv_is_word(t + 1), is_enum = amp_priv_is(t, "enum");
    const amp_priv_cursor open = t + 1 + named;
    if (amp_priv_is(open, "{")) {
        if (named)
            amp_priv_words_put(&text->tags, name);
        if (!is_enum)
            amp_priv_validator_members(text, open);
    } else if (named && is_enum && !amp_priv_words_have(&text->tags, name)) {
        amp_priv_validator_report(text, AMP_PRIV_MSG_NO_ENUM, name);
    } else if (named) {
        amp_priv_validator_type(text, name);
    }
}

AMP_PRIV_COLD bool amp_priv_validator_has_label(const amp_priv_token_list *text, amp_priv_token name)
{
    for (amp_priv_cursor t = text->token; t < text->token + text->count; t++)
        if (amp_priv_token_is_word(t->token, name) && amp_priv_is(t + 1, ":"))
            return true;
    return false;
}

/* Does the _Generic at t choose a function of ours, by AMP_PRIV_PICK? */
AMP_PRIV_COLD bool amp_priv_validator_chooses(amp_priv_cursor t)
{
    for (const amp_priv_cursor close = amp_priv_closing(t + 1); t < close; t++)
        if (amp_priv_is(t, "amp_priv_no_type"))
            return true;
    return false;
}

/* Does the auto at t stand where the type is? */
AMP_PRIV_COLD bool amp_priv_validator_lacks_type(amp_priv_cursor t)
{
    const bool begins = t[-1].token.kind != AMP_PRIV_TOKEN_WORD || amp_priv_listed(" const volatile ", t[-1].token);
    return begins && t[1].token.kind == AMP_PRIV_TOKEN_WORD && amp_priv_is(t + 2, "=");
}

/* The word at t. */
AMP_PRIV_COLD void amp_priv_validator_word(amp_priv_validated_text *text, amp_priv_cursor t)
{
    const amp_priv_token word = t->token;
    if (amp_priv_is(t, "static") && t[-1].token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(t + 1, "const") &&
        !amp_priv_is(t + 1, "_Thread_local"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_STATIC, word);
    else if (amp_priv_is(t, "auto") && amp_priv_validator_lacks_type(t))
        amp_priv_validator_report(text, AMP_PRIV_MSG_AUTO, word);
    else if (amp_priv_is(t, "long") && amp_priv_is(t + 1, "double"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_LONG_DOUBLE, word);
    else if (amp_priv_is(t, "goto") && !amp_priv_validator_has_label(&text->tree->all, t[1].token))
        amp_priv_validator_report(text, AMP_PRIV_MSG_GOTO, t[1].token);
    else if (amp_priv_is(t, "_Generic") && amp_priv_validator_chooses(t))
        amp_priv_validator_report(text, AMP_PRIV_MSG_CHOICE, word);
    else if (amp_priv_listed(" struct union enum ", word))
        amp_priv_validator_tag(text, t);
}

AMP_PRIV_COLD void amp_priv_validator_words(amp_priv_validated_text *text)
{
    static const char for_the_host[] = " typeof __typeof __typeof__ _Generic __builtin_offsetof __attribute__ _Alignas "
                                       "_Static_assert __builtin_types_compatible_p _Pragma __pragma ";
    const amp_priv_token_list *const all = &text->tree->all;
    for (amp_priv_cursor t = all->token; !all->failed && t < all->token + all->count; t++) {
        const amp_priv_token token = t->token;
        if (token.kind == AMP_PRIV_TOKEN_QUOTED && strchr("LUu", *token.at) && token.at[1] == '"')
            amp_priv_validator_report(text, AMP_PRIV_MSG_WIDE_STRING, token);
        if (token.kind != AMP_PRIV_TOKEN_WORD || amp_priv_token_selects(t[-1].token))
            continue;
        amp_priv_validator_word(text, t);
        if (amp_priv_listed(for_the_host, token) || (amp_priv_is(t, "__builtin_choose_expr") && amp_priv_choice(t)))
            t = amp_priv_closing(t + 1);
    }
}

/* A `break` that leaves no loop or switch of the body is reported. */
AMP_PRIV_COLD void amp_priv_validator_breaks(amp_priv_validated_text *text)
{
    const amp_priv_tree *const tree = text->tree;
    for (int n = 1; n < tree->count; n++) {
        if (tree->node[n].kind != AMP_PRIV_TREE_JUMP || !amp_priv_token_is(tree->node[n].token, "break"))
            continue;
        const int left = amp_priv_tree_left_by(tree, n);
        if (left == tree->root || amp_priv_tree_is_phase(tree, left))
            amp_priv_validator_report(text, AMP_PRIV_MSG_BREAK, tree->node[n].token);
    }
}

#endif /* AMP_VALIDATE_CONSTRUCTS_H */
