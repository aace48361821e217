/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tokens.h - the source of a kernel, AMP_FUNCTION or AMP_STRUCT as an array of tokens

    Each token has a kind. amp_priv_name_use_of says whether a variable is read or written where it is named.

    Contents (search for the tag):
        >>words  >>tokens  >>read  >>use */
#ifndef AMP_CODEGEN_TOKENS_H
#define AMP_CODEGEN_TOKENS_H

#include "lexer.h"
#include "../device/backend.h"

/* // >>words: lists of names, with spaces around each. */

static const char amp_priv_control_words[] =
    " return else do goto case default break continue if while for switch sizeof _Alignof alignof static extern "
    "typedef auto const inline struct union enum _Generic _Thread_local ";
static const char amp_priv_types_words[] =
    " void char short int long float double signed unsigned _Bool bool size_t ptrdiff_t intptr_t uintptr_t int8_t "
    "uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t half uchar ushort uint ulong typeof __typeof "
    "__typeof__ __auto_type ";

AMP_PRIV_COLD bool amp_priv_listed(const char *list, amp_priv_token word)
{
    char spaced[32];
    if (word.length + 3 > sizeof spaced)
        return false;
    spaced[0] = ' ';
    memcpy(spaced + 1, word.at, word.length);
    memcpy(spaced + 1 + word.length, " ", 2);
    return strstr(list, spaced) != NULL;
}

/* // >>tokens */

typedef enum amp_priv_source_token_kind {
    AMP_PRIV_VALIDATOR_OTHER,
    AMP_PRIV_VALIDATOR_VALUE, /* a number or a string */
    AMP_PRIV_VALIDATOR_CONTROL,
    AMP_PRIV_VALIDATOR_TYPE,
    AMP_PRIV_VALIDATOR_NAME,
    AMP_PRIV_VALIDATOR_MEMBER
} amp_priv_source_token_kind;

typedef struct amp_priv_source_token {
    amp_priv_token token;
    amp_priv_source_token_kind kind;
} amp_priv_source_token;

/* One text: the body, an AMP_FUNCTION or an AMP_STRUCT. */
typedef struct amp_priv_token_list {
    struct amp_priv_validator *look;            /* amp/codegen/validate.h */
    const amp_priv_user_definition *definition; /* NULL: the body */
    amp_priv_source_token *token;
    size_t count;
    int capacity;
    size_t body;                       /* of a function: where it begins, after the parameters */
    amp_priv_words known, told;        /* names that mean something here; those that were reported */
    amp_priv_words variable, constant; /* locals that were declared without `const`, and with it */
    amp_priv_words tile_static;
    bool failed; /* no memory for the tokens */
} amp_priv_token_list;

/* Token i; beyond the ends it is none. */
AMP_PRIV_COLD amp_priv_source_token amp_priv_tokens_at(const amp_priv_token_list *text, size_t i)
{
    static const amp_priv_source_token none = { { AMP_PRIV_TOKEN_END, "", 0 }, AMP_PRIV_VALIDATOR_OTHER };
    return i < text->count ? text->token[i] : none;
}

AMP_PRIV_COLD bool amp_priv_tokens_is(const amp_priv_token_list *text, size_t i, const char *what)
{
    return i < text->count && amp_priv_token_is(text->token[i].token, what);
}

/* Is token i one of these marks? */
AMP_PRIV_COLD bool amp_priv_tokens_marks(const amp_priv_token_list *text, size_t i, const char *marks)
{
    return i < text->count && text->token[i].token.kind == AMP_PRIV_TOKEN_MARK && text->token[i].token.length == 1 &&
           strchr(marks, *text->token[i].token.at);
}

AMP_PRIV_COLD void amp_priv_tokens_put(amp_priv_token_list *text, amp_priv_token token)
{
    if (!amp_priv_list_reserve(&text->token, &text->capacity, (int)text->count + 1, sizeof *text->token, NULL)) {
        text->failed = true;
        return;
    }
    const bool member = text->count > 0 && amp_priv_token_selects(text->token[text->count - 1].token);
    text->token[text->count++] =
        (amp_priv_source_token){ token, token.kind == AMP_PRIV_TOKEN_NUMBER || token.kind == AMP_PRIV_TOKEN_QUOTED
                                            ? AMP_PRIV_VALIDATOR_VALUE
                                        : token.kind != AMP_PRIV_TOKEN_WORD              ? AMP_PRIV_VALIDATOR_OTHER
                                        : member                                         ? AMP_PRIV_VALIDATOR_MEMBER
                                        : amp_priv_listed(amp_priv_control_words, token) ? AMP_PRIV_VALIDATOR_CONTROL
                                        : amp_priv_listed(amp_priv_types_words, token)   ? AMP_PRIV_VALIDATOR_TYPE
                                                                                         : AMP_PRIV_VALIDATOR_NAME };
}

/* From a bracket at i: the one that closes it, or the end. */
AMP_PRIV_COLD size_t amp_priv_tokens_closing(const amp_priv_token_list *text, size_t i)
{
    for (int depth = 0; i < text->count; i++) {
        if (amp_priv_tokens_marks(text, i, "([{"))
            depth++;
        if (amp_priv_tokens_marks(text, i, ")]}") && --depth <= 0)
            break;
    }
    return i;
}

/* // >>read: without what is the host compiler's alone. */

/* At `__builtin_choose_expr`: the device's text, where it is AMP_PRIV_HOST_OR_DEVICE (amp/api/dialect.h), and the token
   ")". Else the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_choice(amp_priv_token word, amp_priv_token *close)
{
    const amp_priv_token open = amp_priv_token_after(word);
    amp_priv_token third = { AMP_PRIV_TOKEN_END, word.at, 0 };
    *close = amp_priv_token_closing(open);
    if (!amp_priv_token_is(amp_priv_token_after(open), "amp_priv_on_host") || close->kind == AMP_PRIV_TOKEN_END)
        return third;
    int depth = 0, commas = 0;
    for (amp_priv_token t = open; t.at != close->at; t = amp_priv_token_after(t)) {
        if (t.length == 1 && strchr("([{", *t.at))
            depth++;
        if (t.length == 1 && strchr(")]}", *t.at))
            depth--;
        if (depth == 1 && amp_priv_token_is(t, ",") && ++commas == 2)
            third = amp_priv_token_after(t);
    }
    if (third.kind != AMP_PRIV_TOKEN_QUOTED)
        third.kind = AMP_PRIV_TOKEN_END;
    return third;
}

/* A word, as far as a device has to do with it; returns the last token that belongs to it. */
AMP_PRIV_COLD amp_priv_token amp_priv_tokens_word(amp_priv_token_list *text, amp_priv_token word)
{
    amp_priv_token open = amp_priv_token_after(word);
    if (amp_priv_listed(" __extension__ __restrict __restrict__ restrict volatile __volatile__ register __inline "
                        "__inline__ __const __const__ ",
                        word))
        return word;
    if (amp_priv_listed(" asm __asm __asm__ ", word))
        while (open.kind == AMP_PRIV_TOKEN_WORD)
            open = amp_priv_token_after(open);
    amp_priv_token close;
    if (amp_priv_token_is(word, "__builtin_choose_expr")) {
        const amp_priv_token device = amp_priv_choice(word, &close);
        if (device.kind == AMP_PRIV_TOKEN_QUOTED) {
            amp_priv_tokens_put(text, device);
            return close;
        }
    }
    if (amp_priv_listed(" _Static_assert static_assert _Pragma __pragma __attribute__ __attribute _Alignas alignas asm "
                        "__asm __asm__ ",
                        word)) {
        if (amp_priv_token_is(amp_priv_token_after(open), "amp_priv_tile_static"))
            amp_priv_tokens_put(text, word);
        return amp_priv_token_closing(open);
    }
    amp_priv_tokens_put(text, word);
    if (!amp_priv_listed(" typeof __typeof __typeof__ _Generic __builtin_offsetof __builtin_types_compatible_p ", word))
        return word;
    return amp_priv_token_closing(open);
}

AMP_PRIV_COLD void amp_priv_tokens_read(amp_priv_token_list *text, const char *from)
{
    for (amp_priv_token t = amp_priv_token_at(from); t.kind != AMP_PRIV_TOKEN_END && !text->failed;
         t = amp_priv_token_after(t)) {
        if (t.kind == AMP_PRIV_TOKEN_WORD)
            t = amp_priv_tokens_word(text, t);
        else if (t.kind != AMP_PRIV_TOKEN_SPACE)
            amp_priv_tokens_put(text, t);
    }
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
    const amp_priv_source_token before = amp_priv_tokens_at(text, i - 1);
    return before.kind == AMP_PRIV_VALIDATOR_OTHER ? !amp_priv_tokens_is(text, i - 1, "]")
                                                   : amp_priv_listed(" return else do case ", before.token);
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
        const char *const next = amp_priv_tokens_at(text, use.last + 1).token.at;
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

#endif /* AMP_CODEGEN_TOKENS_H */
