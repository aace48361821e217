/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tokens.h - the source of a kernel, AMP_FUNCTION or AMP_STRUCT as an array of tokens

    The source becomes tokens once. A bracket has the index of its partner, and each token its depth in brackets. The
    passes of the generator change the tokens in place and write them once.

    Contents (search for the tag):
        >>names  >>tokens  >>edits  >>read */
#ifndef AMP_CODEGEN_TOKENS_H
#define AMP_CODEGEN_TOKENS_H

#include "c_types.h"
#include "../device/backend.h"

/* // >>names */

/* A list of names, with spaces around each. */
static const char amp_priv_control_words[] =
    " return else do goto case default break continue if while for switch sizeof _Alignof alignof static extern "
    "typedef auto const inline struct union enum _Generic _Thread_local ";

/* The component names of "(row, col)"; 0 when index is one name. */
AMP_PRIV_COLD int amp_priv_index_names(const char *index, amp_priv_token names[AMP_MAX_RANK])
{
    int count = 0;
    amp_priv_token t = amp_priv_token_at(index);
    if (t.kind == AMP_PRIV_TOKEN_SPACE)
        t = amp_priv_token_after(t);
    if (!amp_priv_token_is(t, "("))
        return 0;
    for (; t.kind != AMP_PRIV_TOKEN_END && count < AMP_MAX_RANK; t = amp_priv_token_after(t))
        if (t.kind == AMP_PRIV_TOKEN_WORD)
            names[count++] = t;
    return count;
}

/* The user's definition of that name; NULL if there is none. */
AMP_PRIV_COLD const amp_priv_user_definition *amp_priv_definition_of(const amp_priv_launch_site *site,
                                                                     amp_priv_token name)
{
    const amp_priv_user_definition *definition = site->user_definitions ? *site->user_definitions : NULL;
    while (definition && !amp_priv_token_is(name, definition->name))
        definition = definition->next;
    return definition;
}

/* // >>tokens */

typedef struct amp_priv_source_token {
    amp_priv_token token;
    int partner;        /* of a bracket: how far away the other one is; where that is missing, the end. Else 0 */
    int depth;          /* how many brackets are open around it */
    unsigned spaces;    /* the characters of space before it, and */
    bool has_pragma;    /* it is behind a pragma, which may be for the host alone, and gone */
    const char *space;  /* where the spaces stand */
    const char *insert; /* NULL, or what a pass has put between the space and the token */
} amp_priv_source_token;

/* No token: what stands behind a list's ends. */
static const amp_priv_source_token amp_priv_no_token = { .token = { AMP_PRIV_TOKEN_END, 0, "" }, .space = "" };

/* A place in a list: its neighbours are t - 1 and t + 1. */
typedef const amp_priv_source_token *amp_priv_cursor;

/* A string that lives as long as the tokens. */
typedef struct amp_priv_kept_text {
    struct amp_priv_kept_text *next;
    char text[];
} amp_priv_kept_text;

/* One text: the body, an AMP_FUNCTION or an AMP_STRUCT. */
typedef struct amp_priv_token_list {
    amp_priv_source_token *token; /* [count] and some more are ends, and so is [-1] */
    size_t count;
    int capacity;
    amp_priv_kept_text *kept;
    bool failed;        /* no memory for the tokens */
    bool prints;        /* its calls of printf are a device's */
    unsigned variables; /* a bit for each type of devices whose name is a variable's here */
} amp_priv_token_list;

/* Is it that word or mark? */
AMP_PRIV_WARM bool amp_priv_is(amp_priv_cursor t, const char *what)
{
    return *t->token.at == *what && strlen(what) == t->token.length && !memcmp(t->token.at, what, t->token.length);
}

/* Is it one of these marks? */
AMP_PRIV_COLD bool amp_priv_is_mark(amp_priv_cursor t, const char *marks)
{
    return t->token.kind == AMP_PRIV_TOKEN_MARK && t->token.length == 1 && strchr(marks, *t->token.at);
}

AMP_PRIV_COLD bool amp_priv_is_word(amp_priv_cursor t) { return t->token.kind == AMP_PRIV_TOKEN_WORD; }

/* Is it that name, and no member? */
AMP_PRIV_COLD bool amp_priv_token_names(amp_priv_cursor t, amp_priv_token name)
{
    return amp_priv_token_is_word(t->token, name) && !amp_priv_token_selects(t[-1].token);
}

/* From a bracket: the one that closes it, or the end. Any other token is its own. */
static inline amp_priv_cursor amp_priv_closing(amp_priv_cursor t) { return t->partner > 0 ? t + t->partner : t; }

/* Grows the list for so many more tokens. */
AMP_PRIV_COLD void amp_priv_tokens_reserve(amp_priv_token_list *list, int more)
{
    amp_priv_source_token *all = list->token ? list->token - 1 : NULL;
    list->failed =
        list->failed || !amp_priv_list_reserve(&all, &list->capacity, (int)list->count + 1 + more, sizeof *all, NULL);
    if (list->failed)
        return;
    list->token = all + 1;
    list->token[-1] = amp_priv_no_token;
}

AMP_PRIV_WARM_PART void amp_priv_tokens_put(amp_priv_token_list *list, amp_priv_source_token token)
{
    if ((int)list->count + 2 > list->capacity)
        amp_priv_tokens_reserve(list, 1);
    if (!list->failed)
        list->token[list->count++] = token;
}

/* From p on: the first comma or closing bracket that is in no bracket of its own; past commas, or the end. */
AMP_PRIV_WARM const char *amp_priv_argument_end(const char *p, bool past_commas)
{
    for (int depth = 0; *p;) {
        switch (*p) {
        case '"':
        case '\'': p = amp_priv_quote_end(p); continue;
        case ',':
            if (depth == 0 && !past_commas)
                return p;
            break;
        case '(':
        case '[':
        case '{': depth++; break;
        case ')':
        case ']':
        case '}':
            if (depth-- == 0)
                return p;
            break;
        default: break;
        }
        p++;
    }
    return p;
}

/* Behind a token, and what follows it for the host alone: the arguments of _Static_assert, and the host's of
   AMP_PRIV_HOST_OR_DEVICE behind its first comma. They are most of a body's text. */
AMP_PRIV_WARM const char *amp_priv_token_end(const amp_priv_token_list *list, amp_priv_token t)
{
    const char *const end = t.at + t.length;
    if (*t.at == '_' && *end == '(' && amp_priv_token_is(t, "_Static_assert")) {
        const char *const close = amp_priv_argument_end(end + 1, true);
        return close + (*close != '\0');
    }
    if (*t.at == ',' && list->count && amp_priv_token_is(list->token[list->count - 1].token, "amp_priv_on_host")) {
        const char *const comma = amp_priv_argument_end(end, false);
        const char *device = comma + (*comma == ',');
        while (amp_priv_is_space(*device))
            device++;
        return *comma == ',' && *device == '"' ? comma : end;
    }
    return end;
}

/* Adds the tokens of a text that lives as long as the list. `spaces`: before the first one, if it has none. Returns the
   text's end, with the space before it. */
AMP_PRIV_WARM amp_priv_source_token amp_priv_tokens_add(amp_priv_token_list *list, const char *text, const char *space,
                                                        unsigned spaces)
{
    amp_priv_source_token t = { .space = space, .spaces = spaces };
    for (;; t.space = text, t.spaces = 0) {
        t.token = amp_priv_token_at(text);
        if (t.token.kind == AMP_PRIV_TOKEN_SPACE) {
            t.space = text;
            t.spaces = t.token.length;
            t.token = amp_priv_token_at(text + t.spaces);
        }
        if (t.token.kind == AMP_PRIV_TOKEN_END)
            return t;
        text = amp_priv_token_end(list, t.token);
        if (*t.token.at != '_' || text == t.token.at + t.token.length)
            amp_priv_tokens_put(list, t);
    }
}

/* Passes look so many tokens ahead without asking whether they are there. */
enum { AMP_PRIV_TOKENS_AHEAD = 4 };

/* Ends a list that has all its tokens: finds the partners of brackets. */
AMP_PRIV_WARM void amp_priv_tokens_end(amp_priv_token_list *list, amp_priv_source_token end)
{
    int around = -1, depth = 0; /* the innermost open bracket, whose `partner` is the one around it meanwhile */
    amp_priv_tokens_put(list, end);
    for (int i = 1; i < AMP_PRIV_TOKENS_AHEAD; i++)
        amp_priv_tokens_put(list, amp_priv_no_token);
    if (list->failed) {
        list->count = 0; /* no pass goes through a list without an end */
        return;
    }
    list->count -= AMP_PRIV_TOKENS_AHEAD;
    const int count = (int)list->count;
    for (int i = 0; i < count; i++) {
        amp_priv_source_token *const t = &list->token[i];
        const char mark = t->token.kind == AMP_PRIV_TOKEN_MARK ? *t->token.at : '\0';
        t->partner = 0;
        if (around >= 0 && (mark == ')' || mark == ']' || mark == '}')) {
            const int open = around;
            around = list->token[open].partner;
            depth--;
            list->token[open].partner = i - open;
            t->partner = open - i;
        }
        t->depth = depth;
        if (mark == '(' || mark == '[' || mark == '{') {
            t->partner = around;
            around = i;
            depth++;
        }
    }
    for (int next; around >= 0; around = next) { /* never closed */
        next = list->token[around].partner;
        list->token[around].partner = count - around;
    }
}

/* Of the _Generic at i, by AMP_PRIV_BODY_IF or AMP_PRIV_BODY_VALUE_IF, the statement is left, or the value in
   parentheses. What is dropped gets the length 0. */
AMP_PRIV_COLD void amp_priv_tokens_drop_guard(amp_priv_token_list *list, size_t i)
{
    amp_priv_source_token *const t = list->token;
    const size_t close = i + 1 + (size_t)t[i + 1].partner;
    size_t end = i + 2;
    while (end < close && !(amp_priv_is(&t[end], "default") && t[end].depth == t[i + 1].depth + 1))
        end++;
    for (end++; i <= end && end < close; i++)
        t[i].token.length = 0;
    t[close].token.length = 0;
    if (amp_priv_is(&t[i], "(") && amp_priv_is(&t[i + 1], "__extension__")) {
        t[i + (size_t)t[i].partner].token.length = 0;
        t[i++].token.length = 0;
    }
    if (amp_priv_is(&t[i], "__extension__") && amp_priv_is(&t[i + 1], "(") && amp_priv_is(&t[i + 2], "{")) {
        t[i + 1 + (size_t)t[i + 1].partner].token.length = 0;
        t[i].token.length = t[i + 1].token.length = 0;
    }
}

/* Takes out what is around a statement or a value for the host's compiler alone. */
AMP_PRIV_COLD void amp_priv_tokens_take_guards(amp_priv_token_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (amp_priv_is(&list->token[i], "_Generic") && amp_priv_is(&list->token[i + 2], "amp_priv_only_if"))
            amp_priv_tokens_drop_guard(list, i);
    const amp_priv_source_token end = list->token[list->count];
    for (size_t i = 0; i < list->count; i++)
        if (list->token[i].token.length)
            list->token[kept++] = list->token[i];
    list->count = kept;
    amp_priv_tokens_end(list, end);
}

AMP_PRIV_COLD void amp_priv_tokens_read(amp_priv_token_list *list, const char *text)
{
    const char *const end = text + strlen(text);
    amp_priv_tokens_reserve(list, (int)((end - text) / 8) + AMP_PRIV_TOKENS_AHEAD); /* a guess */
    amp_priv_tokens_end(list, amp_priv_tokens_add(list, text, text, 0));
    if (!list->failed && strstr(text, "amp_priv_only_if"))
        amp_priv_tokens_take_guards(list);
}

AMP_PRIV_COLD void amp_priv_tokens_free(amp_priv_token_list *list)
{
    while (list->kept) {
        amp_priv_kept_text *const next = list->kept->next;
        free(list->kept);
        list->kept = next;
    }
    free(list->token ? list->token - 1 : NULL);
}

/* Token i; beyond the ends it is none. */
AMP_PRIV_WARM_PART amp_priv_cursor amp_priv_tokens_at(const amp_priv_token_list *text, size_t i)
{
    return i < text->count ? &text->token[i] : &amp_priv_no_token;
}

AMP_PRIV_COLD bool amp_priv_tokens_is(const amp_priv_token_list *text, size_t i, const char *what)
{
    return i < text->count && amp_priv_is(&text->token[i], what);
}

/* From a bracket at i: the one that closes it, or the end. */
AMP_PRIV_COLD size_t amp_priv_tokens_closing(const amp_priv_token_list *text, size_t i)
{
    return i < text->count && text->token[i].partner > 0 ? i + (size_t)text->token[i].partner : i;
}

/* Is that word among them? */
AMP_PRIV_COLD bool amp_priv_tokens_have(const amp_priv_token_list *list, const char *word)
{
    size_t i = 0;
    while (i < list->count && !(amp_priv_is(&list->token[i], word) && amp_priv_is_word(&list->token[i])))
        i++;
    return i < list->count;
}

/* // >>edits: passes change tokens in place, so that later ones see what earlier ones made. */

/* A copy of a string, for as long as the list. */
AMP_PRIV_COLD const char *amp_priv_tokens_keep(amp_priv_token_list *list, const char *text, size_t length)
{
    amp_priv_kept_text *const kept = malloc(sizeof *kept + length + 1);
    if (!kept) {
        list->failed = true;
        return "";
    }
    memcpy(kept->text, text, length);
    kept->text[length] = '\0';
    kept->next = list->kept;
    list->kept = kept;
    return kept->text;
}

/* Another text for a token. */
AMP_PRIV_COLD void amp_priv_token_replace(amp_priv_token_list *list, amp_priv_source_token *t, const char *text)
{
    t->token.length = (unsigned)strlen(text);
    t->token.at = amp_priv_tokens_keep(list, text, t->token.length);
}

/* A text before a token. */
AMP_PRIV_COLD void amp_priv_token_insert(amp_priv_token_list *list, amp_priv_source_token *t, const char *text)
{
    amp_priv_string both = { NULL, 0, 0, false };
    amp_priv_adds(&both, t->insert ? t->insert : "");
    amp_priv_adds(&both, text);
    t->insert = both.failed ? "" : amp_priv_tokens_keep(list, both.text, both.length);
    list->failed = list->failed || both.failed;
    free(both.text);
}

/* Takes the tokens from first to last out of the list. */
AMP_PRIV_COLD void amp_priv_tokens_remove(amp_priv_token_list *list, size_t first, size_t last)
{
    const amp_priv_source_token end = list->token[list->count];
    memmove(&list->token[first], &list->token[last + 1], (list->count - last - 1) * sizeof *list->token);
    list->count -= last + 1 - first;
    amp_priv_tokens_end(list, end);
}

/* Appends the tokens from `from` up to `end`, each after its space; but none before the first. */
AMP_PRIV_COLD void amp_priv_add_tokens(amp_priv_string *out, amp_priv_cursor from, amp_priv_cursor end)
{
    for (amp_priv_cursor t = from; t <= end; t++) {
        if (t > from)
            amp_priv_add(out, t->space, t->spaces);
        if (t < end) {
            amp_priv_adds(out, t->insert ? t->insert : "");
            amp_priv_add(out, t->token.at, t->token.length);
        }
    }
}

/* Appends the whole text. */
AMP_PRIV_COLD void amp_priv_add_all_tokens(amp_priv_string *out, const amp_priv_token_list *list)
{
    out->failed = out->failed || list->failed;
    if (out->failed)
        return;
    amp_priv_add(out, list->token->space, list->token->spaces);
    amp_priv_add_tokens(out, list->token, list->token + list->count);
}

/* // >>read: without what is the host compiler's alone. */

/* At `__builtin_choose_expr`: the device's text, strings, where it is AMP_PRIV_HOST_OR_DEVICE (amp/api/dialect.h).
   Else NULL. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_choice(amp_priv_cursor word)
{
    const amp_priv_cursor open = word + 1, close = amp_priv_closing(open);
    int commas = 0;
    if (!amp_priv_is(open + 1, "amp_priv_on_host"))
        return NULL;
    for (amp_priv_cursor t = open + 1; t < close; t = amp_priv_closing(t) + 1)
        if (amp_priv_is(t, ",") && ++commas == 2)
            return t[1].token.kind == AMP_PRIV_TOKEN_QUOTED ? t + 1 : NULL;
    return NULL;
}

/* The last token of AMP_PRIV_SET_ELSEWHERE at t, __asm__("" ...), with what AMP_PRIV_FIRST_VALUE has after it; NULL: it
   is not there. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_first_value(amp_priv_cursor t)
{
    if (!amp_priv_is(t, "__asm__") || !amp_priv_is(t + 1, "(") || t[2].token.kind != AMP_PRIV_TOKEN_QUOTED ||
        t[2].token.length != 2)
        return NULL;
    const amp_priv_cursor close = amp_priv_closing(t + 1);
    const amp_priv_cursor unused = close + 2, name = amp_priv_closing(unused + 1) + 2;
    const bool has_value = amp_priv_is(close + 1, ";") && amp_priv_is(unused, "__attribute__") &&
                           amp_priv_token_begins(name->token, "amp_priv_first_value_");
    return has_value ? name : close;
}

/* Is the word a part of a type's name in this text? */
AMP_PRIV_COLD bool amp_priv_tokens_type_word(const amp_priv_token_list *text, amp_priv_token word)
{
    const int n = amp_priv_type_of_device(word);
    return n < 0 ? amp_priv_type_name_of(word) != NULL : !(text->variables >> n & 1);
}

/* Finds text->variables: behind the name of a type there is a name, or one of few marks, else it is a variable. */
AMP_PRIV_WARM void amp_priv_tokens_find_variables(amp_priv_token_list *text)
{
    for (amp_priv_cursor t = text->token; !text->failed && t < text->token + text->count; t++) {
        const int n = amp_priv_is_word(t) ? amp_priv_type_of_device(t->token) : -1;
        const bool is_declared =
            n >= 0 && amp_priv_is_type_of_c(t[-1].token) && (amp_priv_is(t + 1, ",") || amp_priv_is(t + 1, ")"));
        if (n >= 0 && !amp_priv_token_selects(t[-1].token) &&
            (is_declared || (!amp_priv_is_word(t + 1) && !strchr("*(){,:", *t[1].token.at))))
            text->variables |= 1u << n;
    }
}

#endif /* AMP_CODEGEN_TOKENS_H */
