/* SPDX-License-Identifier: MIT */
/*  amp/codegen/build_log.h - compiler diagnostics, in lines of the user's kernel

    Contents (search for the tag):
        >>listing  >>hints */
#ifndef AMP_CODEGEN_BUILD_LOG_H
#define AMP_CODEGEN_BUILD_LOG_H

#include "messages.h"

/* // >>listing */

/* Appends lines of the program with their numbers, as #line counts them: all, or those around number `line` of what
   #line names, or (physical) around line `line` of the program. */
AMP_PRIV_COLD void amp_priv_add_numbered(amp_priv_string *out, const char *text, int line, bool physical)
{
    const int around = 3;
    bool named = false;
    for (int number = 1, count = 1; *text; number++, count++) {
        const char *const end = strchr(text, '\n');
        const int length = (int)(end ? (size_t)(end - text) : strlen(text));
        const int here = physical ? count : named ? number : -around;
        if (!strncmp(text, "#line ", 6)) {
            number = atoi(text + 6) - 1;
            named = true;
            if (line == 0)
                amp_priv_addf(out, "     | %.*s\n", length, text);
        } else if (line == 0) {
            amp_priv_addf(out, "%4d | %.*s\n", number, length, text);
        } else if (here >= line - around && here <= line + around) {
            amp_priv_addf(out, "%c%4d | %.*s\n", here == line ? '>' : ' ', number, length, text);
        }
        text += (size_t)length + (end ? 1 : 0);
    }
}
AMP_PRIV_COLD void amp_priv_add_listing(amp_priv_string *out, const char *text)
{
    amp_priv_add_numbered(out, text, 0, false);
}

/* The number of the line that a compiler's log says its first error is in; 0: it says none. *physical: it counts the
   program's lines, and not those of `file`, which #line names (NVIDIA's and some others do not obey that). */
AMP_PRIV_COLD int amp_priv_log_line(const char *log, const char *file, bool *physical)
{
    const char *at = strstr(log, "error"), *named;
    while (at && !((at == log || strchr(" \n", at[-1])) && strchr(": ", at[5]))) /* in what a file is called */
        at = strstr(at + 1, "error");
    while (at && at > log && at[-1] != '\n')
        at--;
    at = at ? at : log;
    named = strstr(at, file);
    *physical = !strstr(log, file);
    if (!*physical)
        at = named ? named + strlen(file) : strstr(log, file) + strlen(file);
    for (; *at && *at != '\n'; at++) { /* name:4:10: error, name(4): error, 1:4:10: error */
        const size_t digits = *at == ':' || *at == '(' ? strspn(at + 1, "0123456789") : 0;
        if (digits > 0 && strchr("):,", at[1 + digits]) && at[1 + digits])
            return atoi(at + 1);
    }
    return 0;
}

/* // >>hints */

/* Does text call a function of that name? */
AMP_PRIV_COLD bool amp_priv_calls(const char *text, amp_priv_token name)
{
    amp_priv_token t = amp_priv_token_find(text, name);
    while (t.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(amp_priv_token_after(t), "("))
        t = amp_priv_token_find(t.at + t.length, name);
    return t.kind != AMP_PRIV_TOKEN_END;
}

/* Does text take an element of an array of that name? */
AMP_PRIV_COLD bool amp_priv_indexes(const char *text, amp_priv_token name)
{
    return amp_priv_token_is(amp_priv_token_after(amp_priv_token_find(text, name)), "[");
}

/* Does text use the name as a type? Then *declared is what it declares: two words side by side are nothing else. */
AMP_PRIV_COLD bool amp_priv_names_type(const char *text, amp_priv_token name, amp_priv_token *declared)
{
    amp_priv_token t = amp_priv_token_find(text, name);
    while (t.kind != AMP_PRIV_TOKEN_END) {
        *declared = amp_priv_token_after(t);
        if (declared->kind == AMP_PRIV_TOKEN_WORD)
            return true;
        t = amp_priv_token_find(t.at + t.length, name);
    }
    return false;
}

/* What a compiler takes an unknown name for; some say AMP_PRIV_NAME of all. */
typedef enum amp_priv_unknown {
    AMP_PRIV_NAME,
    AMP_PRIV_FUNCTION_NAME,
    AMP_PRIV_TYPE_NAME,
    AMP_PRIV_MEMBER_NAME
} amp_priv_unknown;

/* How a compiler says so: what stands before the name, and after it. */
typedef struct amp_priv_complaint {
    const char *before, *after;
    amp_priv_unknown what;
} amp_priv_complaint;

typedef struct amp_priv_hints {
    amp_priv_string *out;
    const amp_priv_launch_site *site;
    amp_priv_words reported;
    bool reported_host;
} amp_priv_hints;

AMP_PRIV_COLD void amp_priv_add_hint_line(amp_priv_string *out, const char *sentence, amp_priv_token name)
{
    amp_priv_adds(out, "Hint: ");
    amp_priv_add_sentence(out, sentence, name);
    amp_priv_adds(out, ".\n");
}

/* Appends the hint for one name that the device's compiler does not know. */
AMP_PRIV_COLD void amp_priv_add_hint_of(amp_priv_hints *hints, amp_priv_token name, amp_priv_unknown what)
{
    amp_priv_string *const out = hints->out;
    const char *const text = hints->site->text;
    amp_priv_token declared = name;
    /* Skips identifiers that come from amp.h's macros. */
    if (amp_priv_token_begins(name, "amp_") || (hints->reported_host && amp_priv_token_begins(name, "AMP_"))) {
        if (!hints->reported_host)
            amp_priv_add_hint_line(out, AMP_PRIV_MSG_HOST_ONLY, name);
        hints->reported_host = true;
    } else if (what == AMP_PRIV_MEMBER_NAME) {
        return;
    } else if (what == AMP_PRIV_TYPE_NAME || amp_priv_names_type(text, name, &declared)) {
        amp_priv_words_put(&hints->reported, declared);
        amp_priv_add_hint_line(out, AMP_PRIV_MSG_NO_TYPE, name);
    } else if (what == AMP_PRIV_FUNCTION_NAME || amp_priv_calls(text, name)) {
        amp_priv_add_hint_line(out, AMP_PRIV_MSG_NO_FUNCTION, name);
    } else if (amp_priv_indexes(text, name)) {
        amp_priv_add_hint_line(out, AMP_PRIV_MSG_POINTER, name);
    } else {
        amp_priv_add_hint_line(out, amp_priv_uses(text, name) ? AMP_PRIV_MSG_NOT_CAPTURED : AMP_PRIV_MSG_NOT_PASSED,
                               name);
    }
}

/* What NVIDIA's compiler says of a kernel whose arguments take more bytes than there may be. */
AMP_PRIV_COLD void amp_priv_add_parameters_hint(amp_priv_string *out, const char *log)
{
    static const char said[] = "parameter space overflowed (";
    const char *const at = strstr(log, said);
    size_t bytes, limit;
    if (at && sscanf(at + sizeof said - 1, "%zu bytes required, max %zu bytes", &bytes, &limit) == 2)
        amp_priv_addf(out,
                      "Hint: its arguments take %zu bytes, the limit is %zu: capture a view of a large struct, or make "
                      "constants an AMP_TABLE.\n",
                      bytes, limit);
}

/* Appends hints for the user to the log of the device's compiler. */
AMP_PRIV_COLD void amp_priv_add_hint(amp_priv_string *out, const amp_priv_launch_site *site, const char *log)
{
    static const amp_priv_complaint complaints[] = {
        { "undeclared identifier '", "", AMP_PRIV_NAME },
        { "identifier \"", "", AMP_PRIV_NAME },
        { "error: '", "' undeclared", AMP_PRIV_NAME },
        { "undeclared function '", "", AMP_PRIV_FUNCTION_NAME },
        { "declaration of function '", "", AMP_PRIV_FUNCTION_NAME },
        { "unknown type name '", "", AMP_PRIV_TYPE_NAME },
        { "no member named '", "", AMP_PRIV_MEMBER_NAME },
    };
    amp_priv_hints hints = { .out = out, .site = site };
    for (size_t i = 0; i < sizeof complaints / sizeof complaints[0]; i++)
        for (const char *p = log; (p = strstr(p, complaints[i].before)) != NULL;) {
            p += strlen(complaints[i].before);
            const amp_priv_token name = amp_priv_token_at(p);
            const char *const after = complaints[i].after;
            if (name.kind != AMP_PRIV_TOKEN_WORD || strncmp(name.at + name.length, after, strlen(after)) != 0 ||
                amp_priv_words_have(&hints.reported, name) ||
                amp_priv_token_begins(name, "amp_priv_atomic_")) /* amp/launch/kernel_launch.h has a word for that */
                continue;
            amp_priv_words_put(&hints.reported, name);
            amp_priv_add_hint_of(&hints, name, complaints[i].what);
        }
    free(hints.reported.slot);
    amp_priv_add_parameters_hint(out, log);
}

#endif /* AMP_CODEGEN_BUILD_LOG_H */
