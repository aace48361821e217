/* SPDX-License-Identifier: MIT */
/*  amp/codegen/host_syntax.h - removes syntax that only the host's compiler understands */
#ifndef AMP_CODEGEN_HOST_SYNTAX_H
#define AMP_CODEGEN_HOST_SYNTAX_H

#include "validate.h"

/* // >>strip: what the host's compiler understands and the device's does not goes away. */

/* Appends the characters of a string constant, without quotes and escapes. */
AMP_PRIV_COLD void amp_priv_add_unquoted(amp_priv_string *out, amp_priv_token token)
{
    for (size_t i = 1; i + 1 < token.length; i++) {
        char c = token.at[i];
        if (c == '\\') {
            c = token.at[++i];
            if (c == 'n')
                c = '\n';
        }
        amp_priv_add(out, &c, 1);
    }
}

/* At `__builtin_choose_expr`: if it is AMP_PRIV_HOST_OR_DEVICE, appends the device's text and returns the token ")".
   Else returns the token itself. */
AMP_PRIV_COLD amp_priv_token amp_priv_strip_choice(amp_priv_string *out, amp_priv_token word)
{
    amp_priv_token close, device = amp_priv_choice(word, &close);
    if (device.kind != AMP_PRIV_TOKEN_QUOTED)
        return word;
    for (; device.kind == AMP_PRIV_TOKEN_QUOTED; device = amp_priv_token_after(device))
        amp_priv_add_unquoted(out, device);
    return close;
}

/* A number as OpenCL C 1.2 has it: no long double, no long long. */
AMP_PRIV_COLD void amp_priv_strip_number(amp_priv_string *out, amp_priv_token token)
{
    size_t end = token.length;
    bool is_float = false;
    const bool hexadecimal = token.length > 1 && (token.at[1] == 'x' || token.at[1] == 'X');
    for (size_t i = 0; i < token.length; i++)
        is_float = is_float || strchr(hexadecimal ? ".pP" : ".eE", token.at[i]) != NULL;
    const char last = token.at[end - 1];
    if (is_float && (last == 'l' || last == 'L')) {
        end--;
    } else if (!is_float) {
        /* 1LL is 1L, 1ULL is 1UL, 1LLU is 1LU; 1L is 1 where the host's long has 32 bits */
        for (size_t i = 1; i < token.length; i++)
            if ((token.at[i] == 'l' || token.at[i] == 'L') &&
                (sizeof(long) < 8 || (i + 1 < token.length && token.at[i + 1] == token.at[i]))) {
                amp_priv_add(out, token.at, i);
                amp_priv_add(out, token.at + i + 1, token.length - i - 1);
                return;
            }
    }
    amp_priv_add(out, token.at, end);
}

/* At `long`: appends what it is on the device, where it has 64 bits and there is no `long long`. Returns the last token
   that was looked at. */
AMP_PRIV_COLD amp_priv_token amp_priv_strip_long(amp_priv_string *out, amp_priv_token word, bool after_int,
                                                 bool host_has_64_bits)
{
    const amp_priv_token next = amp_priv_token_after(word);
    const bool twice = amp_priv_token_is(next, "long");
    if (twice || host_has_64_bits)
        amp_priv_adds(out, "long");
    else if (!after_int && !amp_priv_token_is(next, "int"))
        amp_priv_adds(out, "int");
    return twice ? next : word;
}

/* At `char`: appends what it is on the device, where `char` alone is signed. Arm's and POWER's is not. */
AMP_PRIV_COLD void amp_priv_strip_char(amp_priv_string *out, amp_priv_token before, amp_priv_token word)
{
    const amp_priv_token next = amp_priv_token_after(word);
    const bool says = amp_priv_token_is(before, "signed") || amp_priv_token_is(before, "unsigned") ||
                      amp_priv_token_is(next, "signed") || amp_priv_token_is(next, "unsigned");
    amp_priv_adds(out, (char)-1 < 0 || says ? "char" : "unsigned char");
}

/* At [, where amp_priv_axis_x follows: appends that alone, and returns the ] that closes it. Else returns the [. */
AMP_PRIV_COLD amp_priv_token amp_priv_strip_axis(amp_priv_string *out, amp_priv_token open)
{
    const amp_priv_token axis = amp_priv_token_after(open);
    if (!amp_priv_token_begins(axis, "amp_priv_axis_"))
        return open;
    int depth = 1;
    amp_priv_token t = axis;
    for (; depth > 0 && t.kind != AMP_PRIV_TOKEN_END; t = depth > 0 ? amp_priv_token_after(t) : t)
        depth += amp_priv_token_is(t, "[") - amp_priv_token_is(t, "]");
    amp_priv_add(out, axis.at, axis.length);
    return t;
}

/* At __builtin_convertvector: appends the name of the conversion to the type that is its last argument. */
AMP_PRIV_COLD void amp_priv_strip_conversion(amp_priv_string *out, amp_priv_token word)
{
    const amp_priv_token close = amp_priv_token_closing(amp_priv_token_after(word));
    amp_priv_token type = word;
    for (amp_priv_token t = word; t.at < close.at; t = amp_priv_token_after(t))
        type = t.kind == AMP_PRIV_TOKEN_WORD ? t : type;
    amp_priv_addf(out, "amp_priv_convert_%.*s", (int)type.length, type.at);
}

/* What a pragma leaves, and where it ends: at t itself, when all of it stays. */
AMP_PRIV_COLD amp_priv_token amp_priv_strip_pragma(amp_priv_string *out, amp_priv_token t)
{
    const amp_priv_token next = amp_priv_token_after(t), string = amp_priv_token_after(next);
    if (amp_priv_token_is(string, "\"GCC unroll amp_priv_turns\"")) /* AMP_UNROLL */
        amp_priv_adds(out, "_Pragma(\"unroll\")");
    if (amp_priv_token_is(string, AMP_PRIV_UNROLL_GPU_TEXT))
        amp_priv_adds(out, "amp_priv_unroll ");
    return string.length < 8 || memcmp(string.at, "\"unroll", 7) ? amp_priv_token_closing(next) : t;
}

/* Appends text without the host's constructs. */
AMP_PRIV_COLD void amp_priv_strip_host_syntax(amp_priv_string *out, const char *text)
{
    int depth = 0;
    amp_priv_token before = { AMP_PRIV_TOKEN_END, NULL, 0 };
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        if (t.kind == AMP_PRIV_TOKEN_NUMBER) {
            amp_priv_strip_number(out, t);
            continue;
        }
        if (amp_priv_token_is(t, "long")) {
            t = amp_priv_strip_long(out, t, amp_priv_token_is(before, "int"), sizeof(long) == 8);
            continue;
        }
        if (amp_priv_token_is(t, "char")) {
            amp_priv_strip_char(out, before, t);
            continue;
        }
        if (amp_priv_token_is(t, "[")) {
            const amp_priv_token close = amp_priv_strip_axis(out, t);
            if (close.at != t.at) {
                t = close;
                continue;
            }
        }
        if (amp_priv_token_is(t, "__builtin_convertvector")) {
            amp_priv_strip_conversion(out, t);
            continue;
        }
        const bool has_address = *t.at == '(' && amp_priv_is_lvalue_literal(before, t);
        if (t.kind != AMP_PRIV_TOKEN_SPACE)
            before = t;
        if (amp_priv_token_is(t, "{"))
            depth++;
        if (amp_priv_token_is(t, "}"))
            depth--;
        if (t.kind == AMP_PRIV_TOKEN_WORD) {
            const amp_priv_token next = amp_priv_token_after(t);
            amp_priv_token end = t;
            if (amp_priv_token_is(t, "__builtin_choose_expr")) {
                end = amp_priv_strip_choice(out, t);
            } else if (amp_priv_token_is(t, "_Pragma") || amp_priv_token_is(t, "__pragma")) {
                end = amp_priv_strip_pragma(out, t);
            } else if (amp_priv_token_is(t, "_Static_assert")) {
                end = amp_priv_token_closing(next);
            } else if (amp_priv_token_is(t, "__extension__") || amp_priv_token_is(t, "__restrict") ||
                       (depth > 0 && amp_priv_token_is(t, "static") && amp_priv_token_is(next, "const"))) {
                t.length += (size_t)(amp_priv_is_space(t.at[t.length]) ? 1 : 0);
                continue;
            }
            if (end.at != t.at) {
                t = end;
                continue;
            }
        }
        amp_priv_add(out, t.at, t.length);
        amp_priv_adds(out, has_address ? "amp_priv_private " : "");
    }
}

#endif /* AMP_CODEGEN_HOST_SYNTAX_H */
