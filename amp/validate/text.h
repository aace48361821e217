/* SPDX-License-Identifier: MIT */
/*  amp/validate/text.h - the tokens of a kernel's source as validation reads them: with roles, and what is
    done with names

    Contents (search for the tag):
        >>text  >>use */
#ifndef AMP_VALIDATE_TEXT_H
#define AMP_VALIDATE_TEXT_H

#include "messages.h"
#include "../codegen/tree_use.h"

/* // >>text */

/* What the validation of all texts of a launch shares. */
typedef struct amp_priv_validator {
    const amp_priv_launch_site *site;
    amp_priv_string out; /* the sentences */
    int count;
    amp_priv_words seen;     /* definitions that were validated */
    amp_priv_words typedefs; /* that the elements of captured views are: kernels know those */
    bool failed;             /* no memory: nothing is reported */
} amp_priv_validator;

/* What is known of a text: the body, an AMP_FUNCTION or an AMP_STRUCT. */
typedef struct amp_priv_validated_text {
    amp_priv_validator *validator;
    const amp_priv_user_definition *definition; /* NULL: the body */
    size_t body;                                /* of a function: where it begins, after the parameters */
    amp_priv_words known, reported;             /* names that mean something here; those that were reported */
    amp_priv_words variable, constant;          /* locals that were declared without `const`, and with it */
    amp_priv_words tile_static;
} amp_priv_validated_text;

/* Is token i one of these marks? */
AMP_PRIV_COLD bool amp_priv_tokens_marks(const amp_priv_token_list *text, size_t i, const char *marks)
{
    return i < text->count && amp_priv_is_mark(&text->token[i], marks);
}

/* A word, as far as a device has to do with it; returns the last token that belongs to it. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_tokens_word(amp_priv_token_list *text, amp_priv_cursor word)
{
    amp_priv_cursor open = word + 1;
    if (amp_priv_listed(" __extension__ __restrict __restrict__ restrict volatile __volatile__ register __inline "
                        "__inline__ __const __const__ ",
                        word->token))
        return word;
    if (amp_priv_listed(" asm __asm __asm__ ", word->token)) {
        const amp_priv_cursor value = amp_priv_first_value(word);
        if (value && !amp_priv_is(value, ")") && text->count > 0) {
            text->count--; /* the ; before it */
            return value;
        }
        while (amp_priv_is_word(open))
            open++;
    }
    if (amp_priv_is(word, "__builtin_choose_expr") && amp_priv_choice(word)) {
        amp_priv_tokens_put(text, *amp_priv_choice(word));
        return amp_priv_closing(open);
    }
    if (amp_priv_listed(" _Static_assert static_assert _Pragma __pragma __attribute__ __attribute _Alignas alignas asm "
                        "__asm __asm__ ",
                        word->token)) {
        if (amp_priv_is(open + 1, "amp_priv_tile_static"))
            amp_priv_tokens_put(text, *word);
        return amp_priv_closing(open);
    }
    amp_priv_tokens_put(text, *word);
    if (!amp_priv_listed(" typeof __typeof __typeof__ _Generic __builtin_offsetof __builtin_types_compatible_p ",
                         word->token))
        return word;
    return amp_priv_closing(open);
}

AMP_PRIV_COLD amp_priv_role amp_priv_role_of(const amp_priv_token_list *text, amp_priv_cursor t)
{
    return t->token.kind == AMP_PRIV_TOKEN_NUMBER || t->token.kind == AMP_PRIV_TOKEN_QUOTED ? AMP_PRIV_ROLE_VALUE
           : !amp_priv_is_word(t)                                                           ? AMP_PRIV_ROLE_OTHER
           : amp_priv_token_selects(t[-1].token)                                            ? AMP_PRIV_ROLE_MEMBER
           : amp_priv_listed(amp_priv_control_words, t->token)                              ? AMP_PRIV_ROLE_CONTROL
           : amp_priv_tokens_type_word(text, t->token)                                      ? AMP_PRIV_ROLE_TYPE
                                                                                            : AMP_PRIV_ROLE_NAME;
}

/* Those of the tokens of a text that matter on a device, with their roles. */
AMP_PRIV_COLD void amp_priv_tokens_for_device(amp_priv_token_list *text, const amp_priv_token_list *all)
{
    for (amp_priv_cursor t = all->token; !all->failed && t < all->token + all->count; t++)
        if (amp_priv_is_word(t))
            t = amp_priv_tokens_word(text, t);
        else
            amp_priv_tokens_put(text, *t);
    text->failed = text->failed || all->failed;
    amp_priv_source_token last = { .space = "" };
    if (!text->failed)
        last = all->token[all->count];
    amp_priv_tokens_end(text, last);
    amp_priv_tokens_find_variables(text);
    for (size_t i = 0; i < text->count && !text->failed; i++)
        text->token[i].role = (unsigned char)amp_priv_role_of(text, &text->token[i]);
}

AMP_PRIV_COLD void amp_priv_tokens_read_for_device(amp_priv_token_list *text, const char *from)
{
    amp_priv_token_list all = { .token = NULL };
    amp_priv_tokens_read(&all, from);
    amp_priv_tokens_for_device(text, &all);
    amp_priv_tokens_free(&all);
}

/* Parameter number n (from 0) of a function: the tokens from *first up to what is returned. */
AMP_PRIV_COLD size_t amp_priv_tokens_parameter(const amp_priv_token_list *function, int n, size_t *first)
{
    size_t i = 0;
    while (i < function->count && !amp_priv_tokens_is(function, i, "("))
        i++;
    const size_t close = amp_priv_tokens_closing(function, i);
    for (*first = ++i; i < close; i = amp_priv_tokens_closing(function, i) + 1) {
        if (!amp_priv_tokens_is(function, i, ","))
            continue;
        if (n-- == 0)
            return i;
        *first = i + 1;
    }
    return n == 0 ? close : *first;
}

/* // >>use */

/* What becomes of a variable where it is named. The text from first to last is the variable with what belongs to it:
   parentheses, elements, members, what it points to, as in (x.a)[3].b and *(x). */
typedef struct amp_priv_name_use {
    size_t first, last;
    bool is_part, is_pointed; /* it is an element or member of the variable; a pointer leads to it */
    char write;               /* '=' assigned to, '+' changed (x += 1, ++x), '\0' neither */
} amp_priv_name_use;

/* May an operand begin at i, and not the arguments of a call, the condition of an `if`, the second factor of a product?
   (After ) it may: a cast, an `if`.) */
AMP_PRIV_COLD bool amp_priv_tokens_is_operand(const amp_priv_token_list *text, size_t i)
{
    const amp_priv_cursor before = amp_priv_tokens_at(text, i - 1);
    return before->role == AMP_PRIV_ROLE_OTHER ? !amp_priv_is(before, "]")
                                               : amp_priv_listed(" return else do case ", before->token);
}

/* Do the marks before i end with ++ or --, which is the operator of what follows? a+++x is (a++) + x. */
AMP_PRIV_COLD bool amp_priv_tokens_steps(const amp_priv_token_list *text, size_t i)
{
    size_t marks = 0;
    const char *const sign = amp_priv_tokens_is(text, i - 1, "+") ? "+" : "-";
    while (amp_priv_tokens_is(text, i - 1 - marks, sign) &&
           (!marks || text->token[i - 1 - marks].token.at + 1 == text->token[i - marks].token.at))
        marks++;
    return marks > 0 && marks % 2 == 0;
}

/* The operator that follows: as in amp_priv_name_use. */
AMP_PRIV_COLD char amp_priv_tokens_operator(const char *next)
{
    if (next[0] == '=')
        return next[1] == '=' ? '\0' : '=';
    if (next[0] && strchr("<>", next[0]))
        return next[1] == next[0] && next[2] == '=' ? '+' : '\0';
    if (next[0] && strchr("+-*/%&|^", next[0]))
        return next[1] == '=' || (strchr("+-", next[0]) && next[1] == next[0]) ? '+' : '\0';
    return '\0';
}

/* Of the name of a variable at i. The host's compiler has taken the text: what looks like a write is one. */
AMP_PRIV_COLD amp_priv_name_use amp_priv_name_use_of(const amp_priv_token_list *text, size_t i)
{
    amp_priv_name_use use = { i, i, false, false, '\0' };
    for (;;) {
        const char *const next = amp_priv_tokens_at(text, use.last + 1)->token.at;
        const bool steps = (*next == '+' || *next == '-') && next[1] == *next; /* x++ comes before *x */
        use.write = amp_priv_tokens_operator(next);
        if (amp_priv_tokens_is(text, use.last + 1, ".") || amp_priv_tokens_is(text, use.last + 1, "->")) {
            use.is_pointed = use.is_pointed || *next == '-';
            use.is_part = true;
            use.last += 2;
        } else if (amp_priv_tokens_is(text, use.last + 1, "[")) {
            use.is_part = true;
            use.last = amp_priv_tokens_closing(text, use.last + 1);
        } else if (amp_priv_tokens_is(text, use.last + 1, ")") && amp_priv_tokens_is(text, use.first - 1, "(") &&
                   amp_priv_tokens_is_operand(text, use.first - 1)) {
            use.first--;
            use.last++;
        } else if (!steps && amp_priv_tokens_is(text, use.first - 1, "*") &&
                   amp_priv_tokens_is_operand(text, use.first - 1)) {
            use.is_pointed = true;
            use.first--;
        } else {
            break;
        }
    }
    if (!use.write && amp_priv_tokens_steps(text, use.first))
        use.write = '+';
    return use;
}

#endif /* AMP_VALIDATE_TEXT_H */
