/* SPDX-License-Identifier: MIT */
/*  amp/codegen/members.h - types as they are written in definitions of the user's, and the members of a struct */
#ifndef AMP_CODEGEN_MEMBERS_H
#define AMP_CODEGEN_MEMBERS_H

#include "tokens.h"

static const char amp_priv_tree_qualifiers[] =
    " const volatile static register inline restrict __const __volatile__ __inline __inline__ __restrict__ extern "
    "__extension__ amp_priv_private __local __global __constant __private auto ";

/* The type whose words begin at *t, with its *; *t is the name behind it. size: of a number on the host, without the *;
   0: not known. May be NULL. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_written(amp_priv_token *t, size_t *size)
{
    amp_priv_type_words words = { .type = NULL };
    amp_priv_value_type type = amp_priv_type_unknown;
    int pointers = 0;
    bool named = false, is_char = false;
    for (;; *t = amp_priv_token_after(*t)) {
        const bool is_word = t->kind == AMP_PRIV_TOKEN_WORD && !pointers;
        const bool is_other =
            amp_priv_listed(amp_priv_tree_qualifiers, *t) || amp_priv_listed(" struct union enum ", *t);
        if (amp_priv_token_is(*t, "*")) {
            pointers++;
        } else if (is_word && (!named || amp_priv_type_name_of(*t)) && !is_other) {
            amp_priv_type_words_add(&words, *t);
            is_char = is_char || amp_priv_token_is(*t, "char");
            words.is_unsigned = words.is_unsigned || (is_char && (char)-1 > 0 && !words.is_signed); /* the host's */
            type = amp_priv_type_of_number(amp_priv_type_words_number(&words));
            if (words.is_other)
                type.name = *t;
            named = true;
        } else if (!is_other) {
            if (size)
                *size = amp_priv_type_words_size(&words);
            return amp_priv_type_pointer(type, pointers);
        }
    }
}

/* A member of a struct. Before the first one, and behind what is not understood, it has no name. */
typedef struct amp_priv_member {
    amp_priv_token name;
    amp_priv_value_type type; /* its * and dimensions are pointers */
    size_t size;              /* of a number on the host, as above */
    long long count;          /* of an array: its elements; 0: not known. Else 1 */
    int dimensions;
    amp_priv_token at; /* the mark before the next one; another token: there is none */
} amp_priv_member;

/* Before the first member in the text of a struct's definition. */
AMP_PRIV_COLD amp_priv_member amp_priv_members_of(const char *text)
{
    amp_priv_member member = { .at = amp_priv_token_at(text) };
    while (member.at.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(member.at, "{"))
        member.at = amp_priv_token_after(member.at);
    return member;
}

/* Have the members all been understood? */
AMP_PRIV_COLD bool amp_priv_members_end(const amp_priv_member *member)
{
    return amp_priv_token_is(member->at, ";") && amp_priv_token_is(amp_priv_token_after(member->at), "}");
}

/* The next member; false: there is none, or it is not understood: a struct in it, a bit-field. */
AMP_PRIV_COLD bool amp_priv_member_next(amp_priv_member *member)
{
    amp_priv_token t = amp_priv_token_after(member->at);
    if (amp_priv_token_is(member->at, ",")) { /* the * and dimensions before it are those of the other name alone */
        member->type.pointers = 0;
        for (; amp_priv_token_is(t, "*"); t = amp_priv_token_after(t))
            member->type = amp_priv_type_pointer(member->type, 1);
    } else if (amp_priv_token_is(member->at, "{") || amp_priv_token_is(member->at, ";")) {
        member->type = amp_priv_type_written(&t, &member->size);
    }
    member->name = t;
    member->count = 1;
    member->dimensions = 0;
    if (t.kind != AMP_PRIV_TOKEN_WORD)
        return false;
    for (t = amp_priv_token_after(t); amp_priv_token_is(t, "["); t = amp_priv_token_after(t)) {
        const amp_priv_token number = amp_priv_token_after(t);
        t = amp_priv_token_after(number);
        member->count *=
            number.kind == AMP_PRIV_TOKEN_NUMBER && amp_priv_token_is(t, "]") ? strtol(number.at, NULL, 0) : 0;
        member->type = amp_priv_type_pointer(member->type, 1);
        member->dimensions++;
        while (t.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(t, "]"))
            t = amp_priv_token_after(t);
    }
    member->at = t;
    return amp_priv_token_is(t, ";") || amp_priv_token_is(t, ",");
}

#endif /* AMP_CODEGEN_MEMBERS_H */
