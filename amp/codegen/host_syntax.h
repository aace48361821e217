/* SPDX-License-Identifier: MIT */
/*  amp/codegen/host_syntax.h - removes syntax that only the host's compiler understands

    Contents (search for the tag):
        >>strip  >>conditions  >>kernel */
#ifndef AMP_CODEGEN_HOST_SYNTAX_H
#define AMP_CODEGEN_HOST_SYNTAX_H

#include "messages.h"

/* // >>strip: what the host's compiler understands and the device's does not goes away. */

/* At the "(" of `(type){`, a compound literal? What stands before is no name and no statement's word. */
AMP_PRIV_COLD bool amp_priv_is_literal(amp_priv_cursor open)
{
    const amp_priv_cursor before = open - 1, close = amp_priv_closing(open);
    return amp_priv_is(open, "(") && amp_priv_is_word(open + 1) && amp_priv_is(close, ")") &&
           amp_priv_is(close + 1, "{") && !amp_priv_is(before, ")") &&
           (!amp_priv_is_word(before) || amp_priv_is(before, "return") || amp_priv_is(before, "sizeof"));
}

/* ... whose address is taken: of an array, or behind &? A device keeps it in a thread's own memory. */
AMP_PRIV_COLD bool amp_priv_is_lvalue_literal(amp_priv_cursor open)
{
    if (!amp_priv_is_literal(open))
        return false;
    amp_priv_cursor t = open;
    while (t < amp_priv_closing(open) && !amp_priv_is(t, "["))
        t++;
    return t < amp_priv_closing(open) || amp_priv_is(open - 1, "&");
}

/* Appends the characters of a string constant, without quotes and escapes. */
AMP_PRIV_COLD void amp_priv_add_unquoted(amp_priv_string *out, amp_priv_token token)
{
    const char *const end = token.at + token.length - 1;
    for (const char *at = token.at + 1, *escape; at < end; at = escape + 2) {
        escape = memchr(at, '\\', (size_t)(end - at));
        amp_priv_add(out, at, (size_t)((escape ? escape : end) - at));
        if (!escape)
            break;
        amp_priv_add(out, escape[1] == 'n' ? "\n" : escape + 1, 1);
    }
}

/* The tokens of the device's text instead of `t`, of an AMP_PRIV_HOST_OR_DEVICE. What is left in *t is the space behind
   them. */
AMP_PRIV_COLD void amp_priv_strip_choice(amp_priv_token_list *out, amp_priv_source_token *t, amp_priv_cursor device)
{
    amp_priv_string text = { NULL, 0, 0, false };
    for (; device->token.kind == AMP_PRIV_TOKEN_QUOTED; device++)
        amp_priv_add_unquoted(&text, device->token);
    const char *const kept = amp_priv_tokens_keep(out, text.text ? text.text : "", text.length);
    out->failed = out->failed || text.failed;
    free(text.text);
    const amp_priv_source_token behind = amp_priv_tokens_add(out, kept, t->space, t->spaces);
    t->space = behind.space;
    t->spaces = behind.spaces;
    t->token.length = 0;
}

/* A number as OpenCL C 1.2 has it: no long double, no long long. */
AMP_PRIV_COLD void amp_priv_strip_number(amp_priv_token_list *out, amp_priv_source_token *t)
{
    char text[64];
    bool is_float = false;
    const unsigned length = t->token.length;
    const char *const at = t->token.at;
    const bool hexadecimal = length > 1 && (at[1] == 'x' || at[1] == 'X');
    for (unsigned i = 0; i < length; i++)
        is_float = is_float || strchr(hexadecimal ? ".pP" : ".eE", at[i]) != NULL;
    /* 1LL is 1L, 1ULL is 1UL, 1LLU is 1LU; 1L is 1 where the host's long has 32 bits */
    for (unsigned i = 1; i < length; i++)
        if ((at[i] == 'l' || at[i] == 'L') &&
            (is_float ? i + 1 == length : sizeof(long) < 8 || (i + 1 < length && at[i + 1] == at[i]))) {
            snprintf(text, sizeof text, "%.*s%.*s", (int)i, at, (int)(length - i - 1), at + i + 1);
            amp_priv_token_replace(out, t, text);
            return;
        }
}

/* The casts of printf's arguments that a format asks for; NULL: none. */
enum { AMP_PRIV_PRINTED = 32 };
typedef struct amp_priv_print {
    int count;
    const char *cast[AMP_PRIV_PRINTED];
} amp_priv_print;

/* What %hd and %hhu make of their argument: `size` is the number of h. */
AMP_PRIV_COLD const char *amp_priv_print_cast(size_t size, bool is_signed)
{
    return is_signed   ? size == 2 ? "(int)(signed char)(" : "(int)(short)("
           : size == 2 ? "(unsigned int)(unsigned char)("
                       : "(unsigned int)(unsigned short)(";
}

/* A part of printf's format, whose integers have the sizes of OpenCL C: %lld, %jd are %ld there; %zu, %td are as wide
   as the host's size_t, and a `long` of 32 bits is an int. h and hh, which CUDA's printf does not take everywhere,
   become casts. */
AMP_PRIV_COLD void amp_priv_strip_format(amp_priv_token_list *out, amp_priv_source_token *t, amp_priv_print *print)
{
    amp_priv_string text = { NULL, 0, 0, false };
    const char *const end = t->token.at + t->token.length;
    for (const char *p = t->token.at; p < end;) {
        const size_t plain = *p != '%' ? 1 : p[1] == '%' ? 2 : 1 + strspn(p + 1, "-+ #0123456789.");
        amp_priv_add(&text, p, plain);
        const bool converts = *p == '%' && p[1] != '%';
        p += plain;
        const size_t size = converts ? strspn(p, "hlzjt") : 0;
        const bool is_integer = size && strchr("diuoxX", p[size]);
        const bool is_short = is_integer && *p == 'h' && print->count < AMP_PRIV_PRINTED;
        if (converts && print->count < AMP_PRIV_PRINTED)
            print->cast[print->count++] = is_short ? amp_priv_print_cast(size, strchr("di", p[size]) != NULL) : NULL;
        if (size && *p == 'h')
            amp_priv_add(&text, p, is_short ? 0 : size);
        else if (size == 2 || *p == 'j' || (size && sizeof(long) == 8))
            amp_priv_adds(&text, is_integer ? "l" : "");
        p += size;
    }
    out->failed = out->failed || text.failed;
    if (text.text)
        amp_priv_token_replace(out, t, text.text);
    free(text.text);
}

/* Adds printf's "(" and what follows up to its ")". The texts of formats live as long as `kept`. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_strip_print(amp_priv_token_list *out, amp_priv_cursor open,
                                                   amp_priv_token_list *kept)
{
    const amp_priv_cursor close = amp_priv_closing(open);
    amp_priv_print print = { .count = 0 };
    const char *cast = NULL;
    amp_priv_cursor t = open;
    amp_priv_tokens_put(out, *t++);
    for (; t->token.kind == AMP_PRIV_TOKEN_QUOTED; t++) {
        amp_priv_source_token format = *t;
        amp_priv_strip_format(kept, &format, &print);
        amp_priv_tokens_put(out, format);
    }
    for (int n = 0; t < close; t++) {
        const bool is_next = amp_priv_is(t, ",") && t->depth == open->depth + 1;
        if (is_next && cast)
            amp_priv_tokens_add(out, ")", "", 0);
        amp_priv_tokens_put(out, *t);
        if (!is_next)
            continue;
        cast = n < print.count ? print.cast[n++] : NULL;
        if (cast)
            amp_priv_tokens_add(out, cast, t[1].space, t[1].spaces);
    }
    if (cast)
        amp_priv_tokens_add(out, ")", "", 0);
    return close;
}

/* Each printf with a format, as devices have it. */
AMP_PRIV_COLD void amp_priv_strip_prints(amp_priv_token_list *all, amp_priv_token_list *kept)
{
    amp_priv_token_list out = { .token = NULL };
    const amp_priv_cursor end = all->token + all->count;
    for (amp_priv_cursor t = all->token; t < end; t++) {
        amp_priv_tokens_put(&out, *t);
        if (amp_priv_is(t, "printf") && amp_priv_is(t + 1, "(") && t[2].token.kind == AMP_PRIV_TOKEN_QUOTED)
            t = amp_priv_strip_print(&out, t + 1, kept) - 1;
    }
    amp_priv_tokens_end(&out, *end);
    amp_priv_tokens_free(all);
    *all = out;
    all->prints = true;
}

/* The character of UTF-8 at *p, which becomes what follows it. */
AMP_PRIV_COLD unsigned amp_priv_utf8(const char **p)
{
    const unsigned char lead = (unsigned char)*(*p)++;
    unsigned code = lead >= 0xf0 ? lead & 7u : lead >= 0xe0 ? lead & 15u : lead >= 0xc0 ? lead & 31u : lead;
    for (; lead >= 0xc0 && ((unsigned char)**p & 0xc0) == 0x80; ++*p)
        code = code << 6 | ((unsigned char)**p & 63u);
    return code;
}

/* The character at p, as C reads it in a constant: an escape, or UTF-8. */
AMP_PRIV_COLD unsigned long amp_priv_character(const char *p)
{
    static const char letters[] = "abfnrtv", codes[] = "\a\b\f\n\r\t\v";
    if (*p == '\\') {
        const char *const letter = p[1] ? strchr(letters, p[1]) : NULL;
        const int base = p[1] == 'x' || p[1] == 'u' || p[1] == 'U' ? 16 : 8;
        return letter                                  ? (unsigned long)codes[letter - letters]
               : base == 16 || amp_priv_is_digit(p[1]) ? strtoul(p + (base == 16 ? 2 : 1), NULL, base)
                                                       : (unsigned char)p[1];
    }
    return amp_priv_utf8(&p);
}

/* A constant without its prefix: L'a' is a number of that type, u8"x" a string. */
AMP_PRIV_COLD void amp_priv_strip_prefix(amp_priv_token_list *out, amp_priv_source_token *t)
{
    const char *const quote = amp_priv_quote_at(t->token.at);
    const unsigned prefix = (unsigned)(quote - t->token.at);
    const char *const wide = (wchar_t)-1 > 0 ? sizeof(wchar_t) == 2 ? "unsigned short" : "unsigned" : "int";
    if (*quote == '\'' && prefix) {
        char text[64];
        snprintf(text, sizeof text, "((%s)%luu)",
                 prefix == 2           ? "unsigned char"
                 : *t->token.at == 'L' ? wide
                 : *t->token.at == 'u' ? "unsigned short"
                                       : "unsigned",
                 amp_priv_character(quote + 1));
        amp_priv_token_replace(out, t, text);
    }
    if (*quote == '"' && prefix) {
        t->token.at = quote;
        t->token.length -= prefix;
    }
}

/* What a pragma leaves in *put. Returns where it ends: at t itself, when all of it stays. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_strip_pragma(amp_priv_token_list *out, amp_priv_source_token *put,
                                                    amp_priv_cursor t)
{
    const amp_priv_cursor string = t + 2;
    if (amp_priv_token_begins(string->token, "\"unroll"))
        return t;
    amp_priv_token_replace(out, put,
                           amp_priv_is(string, "\"GCC unroll amp_priv_turns\"") ? "_Pragma(\"unroll\")" /* AMP_UNROLL */
                           : amp_priv_is(string, AMP_PRIV_UNROLL_GPU_TEXT)      ? "amp_priv_unroll"
                           : amp_priv_is(string, AMP_PRIV_UNROLL_SOME_TEXT)     ? "amp_priv_unroll_some"
                                                                                : "");
    return amp_priv_closing(t + 1);
}

/* At a word of a type: is there this word, too, in that direction? */
AMP_PRIV_COLD bool amp_priv_type_has(amp_priv_cursor t, int direction, const char *word)
{
    do
        t += direction;
    while (!amp_priv_is(t, word) && amp_priv_is_word(t) &&
           amp_priv_listed(" long int unsigned signed const volatile ", t->token));
    return amp_priv_is(t, word);
}

/* At `long`: what it is on the device, where it has 64 bits and there is no `long long`. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_strip_long(amp_priv_token_list *out, amp_priv_source_token *put,
                                                  amp_priv_cursor t)
{
    if (amp_priv_is(t + 1, "long"))
        return t + 1;
    if (amp_priv_type_has(t, 1, "long"))
        put->token.length = 0;
    else if (!amp_priv_type_has(t, -1, "long") && sizeof(long) < 8)
        amp_priv_token_replace(out, put,
                               amp_priv_type_has(t, -1, "int") || amp_priv_type_has(t, 1, "int") ? "" : "int");
    return t;
}

AMP_PRIV_COLD bool amp_priv_has_sign(amp_priv_cursor t)
{
    return amp_priv_is(t, "signed") || amp_priv_is(t, "unsigned");
}

/* What stands at t on a device is left in *put; of no length if it is nothing. Returns its last token. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_strip_word(amp_priv_token_list *out, amp_priv_source_token *put,
                                                  amp_priv_source_token *t)
{
    const amp_priv_cursor close = amp_priv_closing(t + 1);
    if (amp_priv_is(t, "long"))
        return amp_priv_strip_long(out, put, t);
    if (amp_priv_is(t, "char") && (char)-1 > 0 && !amp_priv_has_sign(t - 1) && !amp_priv_has_sign(t + 1))
        amp_priv_token_replace(out, put, "unsigned char"); /* Arm's and POWER's is not signed, a device's is */
    if (*t->token.at != '_' && !amp_priv_is(t, "static"))
        return t;
    if (amp_priv_is(t, "__builtin_choose_expr") && amp_priv_choice(t)) {
        amp_priv_strip_choice(out, put, amp_priv_choice(t));
        return close;
    }
    if (amp_priv_is(t, "__builtin_convertvector")) { /* the last argument is a type */
        amp_priv_cursor type = close;
        while (type > t && !amp_priv_is_word(type))
            type--;
        char name[128];
        snprintf(name, sizeof name, "amp_priv_convert_%.*s", (int)type->token.length, type->token.at);
        amp_priv_token_replace(out, put, name);
    }
    if (amp_priv_is(t, "_Pragma") || amp_priv_is(t, "__pragma"))
        return amp_priv_strip_pragma(out, put, t);
    const bool is_static_const = t->depth > 0 && amp_priv_is(t, "static") && amp_priv_is(t + 1, "const");
    const amp_priv_cursor dropped = amp_priv_is(t, "_Static_assert") ? close : amp_priv_first_value(t);
    if (is_static_const || amp_priv_is(t, "__extension__") || amp_priv_is(t, "__restrict")) {
        put->token.length = t[1].spaces = 0;
    } else if (dropped) {
        put->token.length = 0;
        if (amp_priv_is(dropped + 1, "=") && out->count) /* the first value that a tile_static variable cannot have */
            out->count--;                                /* the ; before */
        return dropped;
    }
    return t;
}

/* // >>conditions: OpenCL C refuses a float before ?, so that x ? a : b becomes !!(x) ? a : b. */

/* Is the mark an assignment's last one, =, +=, <<=, and no comparison's? */
AMP_PRIV_COLD bool amp_priv_assigns(amp_priv_cursor t)
{
    const bool compares =
        amp_priv_is_mark(t - 1, "=!") || (amp_priv_is_mark(t - 1, "<>") && *t[-1].token.at != *t[-2].token.at);
    return amp_priv_is(t, "=") && !amp_priv_is(t + 1, "=") && !compares;
}

/* Where the condition before the ? at `end` begins. */
AMP_PRIV_COLD amp_priv_source_token *amp_priv_condition_of(amp_priv_source_token *end)
{
    amp_priv_source_token *t = end;
    while (t[-1].token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is_mark(t - 1, "([{},;:?") && !amp_priv_assigns(t - 1) &&
           !amp_priv_listed(" return else do case ", t[-1].token)) {
        amp_priv_source_token *const open = t - 1 + t[-1].partner;
        if (open < t - 1 && amp_priv_listed(" if for while switch ", open[-1].token))
            break;
        t = open;
    }
    return t;
}

/* Is it an integer already: a comparison, an operator of bits? */
AMP_PRIV_COLD bool amp_priv_condition_is_integer(amp_priv_cursor from, amp_priv_cursor end)
{
    bool is = false;
    if (amp_priv_is(from, "(") && amp_priv_closing(from) + 1 == end)
        return amp_priv_condition_is_integer(from + 1, end - 1);
    for (amp_priv_cursor t = from; t < end; t = amp_priv_closing(t) + 1)
        is = is || amp_priv_is_mark(t, "<>=!&|^~%?");
    return is;
}

AMP_PRIV_COLD void amp_priv_strip_conditions(amp_priv_token_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        amp_priv_source_token *const end = &list->token[i];
        if (!amp_priv_is(end, "?"))
            continue;
        amp_priv_source_token *const from = amp_priv_condition_of(end);
        if (from == end || amp_priv_condition_is_integer(from, end))
            continue;
        amp_priv_token_insert(list, from, "!!(");
        amp_priv_token_insert(list, end, ") ");
    }
}

/* // >>kernel */

/* The tokens of a text as all targets understand them, without the host's constructs, from all of its tokens. */
AMP_PRIV_WARM void amp_priv_kernel_tokens_of(amp_priv_token_list *out, const char *text, amp_priv_token_list *all)
{
    const amp_priv_source_token private_word = { .token = { AMP_PRIV_TOKEN_WORD, 16, "amp_priv_private" },
                                                 .space = "" };
    amp_priv_source_token put = { .space = "" };
    if (!all->failed && amp_priv_has_word(text, "printf"))
        amp_priv_strip_prints(all, out);
    out->failed = out->failed || all->failed;
    amp_priv_tokens_reserve(out, (int)all->count + AMP_PRIV_TOKENS_AHEAD); /* few need more */
    for (size_t i = 0; i < all->count && !out->failed; i++) {
        amp_priv_cursor t = &all->token[i];
        const amp_priv_source_token gap = put; /* nothing, but a space */
        put = *t;
        put.has_pragma = !gap.token.length && gap.has_pragma;
        if (!put.spaces && !gap.token.length) {
            put.space = gap.space;
            put.spaces = gap.spaces;
        }
        if (t->token.kind == AMP_PRIV_TOKEN_NUMBER) {
            amp_priv_strip_number(out, &put);
        } else if (t->token.kind == AMP_PRIV_TOKEN_QUOTED) {
            amp_priv_strip_prefix(out, &put);
        } else if (amp_priv_is_word(t)) {
            put.has_pragma = put.has_pragma || amp_priv_is(t, "_Pragma") || amp_priv_is(t, "__pragma");
            t = amp_priv_strip_word(out, &put, &all->token[i]);
        } else if (amp_priv_is(t, "[") && amp_priv_token_begins(t[1].token, "amp_priv_axis_")) {
            put.token = t[1].token;
            t = amp_priv_closing(t);
        }
        if (put.token.length)
            amp_priv_tokens_put(out, put);
        if (*put.token.at == '(' && amp_priv_is_lvalue_literal(t)) {
            amp_priv_tokens_put(out, private_word);
            all->token[i + 1].space = " ";
            all->token[i + 1].spaces = 1;
        }
        i = (size_t)(t - all->token);
    }
    amp_priv_tokens_end(out, out->failed ? put : all->token[all->count]);
    amp_priv_strip_conditions(out);
}

AMP_PRIV_WARM void amp_priv_kernel_tokens(amp_priv_token_list *out, const char *text)
{
    amp_priv_token_list all = { .token = NULL };
    amp_priv_tokens_read(&all, text);
    amp_priv_kernel_tokens_of(out, text, &all);
    amp_priv_tokens_free(&all);
}

/* Appends text without the host's constructs. */
AMP_PRIV_COLD void amp_priv_strip_host_syntax(amp_priv_string *out, const char *text)
{
    amp_priv_token_list list = { .token = NULL };
    amp_priv_kernel_tokens(&list, text);
    amp_priv_add_all_tokens(out, &list);
    amp_priv_tokens_free(&list);
}

#endif /* AMP_CODEGEN_HOST_SYNTAX_H */
