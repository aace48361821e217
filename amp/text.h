/* SPDX-License-Identifier: MIT */
/*  amp/text.h - text for the program generator: strings that grow, the tokens of C, the words that a text uses, and
    one long line broken into many.

    Contents (search for the tag):
        >>string  >>token  >>words  >>lines                                                          */
#ifndef AMP_TEXT_H
#define AMP_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

/* // >>string: text that grows. Once memory runs out it is `failed` and stays as it is. */

typedef struct amp_priv_string {
    char *text;
    size_t length, capacity;
    bool failed;
} amp_priv_string;

AMP_PRIV_COLD void amp_priv_add(amp_priv_string *s, const char *text, size_t length)
{
    if (s->failed)
        return;
    if (s->length + length + 1 > s->capacity) {
        const size_t capacity = 2 * (s->length + length) + 256;
        char *const grown = realloc(s->text, capacity);
        if (!grown) {
            s->failed = true;
            return;
        }
        s->text = grown;
        s->capacity = capacity;
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = '\0';
}

AMP_PRIV_COLD void amp_priv_adds(amp_priv_string *s, const char *text) { amp_priv_add(s, text, strlen(text)); }

AMP_PRIV_PRINTF(2, 3) AMP_PRIV_COLD void amp_priv_addf(amp_priv_string *s, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *const text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
        amp_priv_add(s, text, (size_t)length);
    } else {
        s->failed = true;
    }
    free(text);
    va_end(again);
}

/* // >>token */

typedef enum amp_priv_token_kind {
    AMP_PRIV_TOKEN_END,
    AMP_PRIV_TOKEN_SPACE,
    AMP_PRIV_TOKEN_WORD,
    AMP_PRIV_TOKEN_NUMBER,
    AMP_PRIV_TOKEN_QUOTED,
    AMP_PRIV_TOKEN_MARK /* one character, or -> */
} amp_priv_token_kind;

typedef struct amp_priv_token {
    amp_priv_token_kind kind;
    const char *at;
    size_t length;
} amp_priv_token;

AMP_PRIV_COLD bool amp_priv_is_digit(char c) { return c >= '0' && c <= '9'; }
/* Also of a name beyond ASCII, whose bytes of UTF-8 are all above. */
AMP_PRIV_COLD bool amp_priv_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}
AMP_PRIV_COLD bool amp_priv_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The token that starts at p. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_at(const char *p)
{
    amp_priv_token token = { AMP_PRIV_TOKEN_MARK, p, 1 };
    const char *end = p + 1;
    if (!*p) {
        token.kind = AMP_PRIV_TOKEN_END;
        end = p;
    } else if (amp_priv_is_space(*p)) {
        token.kind = AMP_PRIV_TOKEN_SPACE;
        while (amp_priv_is_space(*end))
            end++;
    } else if (amp_priv_is_letter(*p)) {
        token.kind = AMP_PRIV_TOKEN_WORD;
        while (amp_priv_is_letter(*end) || amp_priv_is_digit(*end))
            end++;
    } else if (amp_priv_is_digit(*p) || (*p == '.' && amp_priv_is_digit(p[1]))) {
        token.kind = AMP_PRIV_TOKEN_NUMBER;
        while (amp_priv_is_letter(*end) || amp_priv_is_digit(*end) || *end == '.' ||
               ((*end == '+' || *end == '-') && strchr("eEpP", end[-1])))
            end++;
        /* In 0xe+1 the + is no part of the number for people, but it is for C: the same here. */
    } else if (*p == '"' || *p == '\'') {
        token.kind = AMP_PRIV_TOKEN_QUOTED;
        while (*end && *end != *p)
            end += *end == '\\' && end[1] ? 2 : 1;
        if (*end)
            end++;
    } else if (*p == '-' && p[1] == '>') {
        end++;
    }
    token.length = (size_t)(end - p);
    return token;
}

/* The next token that is not space. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_after(amp_priv_token token)
{
    do
        token = amp_priv_token_at(token.at + token.length);
    while (token.kind == AMP_PRIV_TOKEN_SPACE);
    return token;
}

AMP_PRIV_COLD bool amp_priv_token_is(amp_priv_token token, const char *text)
{
    return token.kind != AMP_PRIV_TOKEN_END && *token.at == *text && /* most differ there */
           strlen(text) == token.length && !memcmp(token.at, text, token.length);
}

/* A name as a token. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_of(const char *name)
{
    return (amp_priv_token){ AMP_PRIV_TOKEN_WORD, name, strlen(name) };
}

AMP_PRIV_COLD bool amp_priv_token_begins(amp_priv_token token, const char *start)
{
    return token.length >= strlen(start) && !memcmp(token.at, start, strlen(start));
}

AMP_PRIV_COLD bool amp_priv_token_is_word(amp_priv_token token, amp_priv_token word)
{
    return token.kind == AMP_PRIV_TOKEN_WORD && token.length == word.length && !memcmp(token.at, word.at, word.length);
}

/* After . and -> comes a member's name, which is nobody else's. */
AMP_PRIV_COLD bool amp_priv_token_selects(amp_priv_token token)
{
    return amp_priv_token_is(token, ".") || amp_priv_token_is(token, "->");
}

/* The first token of text that is that word, and no member; the end if there is none. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_find(const char *text, amp_priv_token word)
{
    bool member = false;
    amp_priv_token t = amp_priv_token_at(text);
    for (; t.kind != AMP_PRIV_TOKEN_END && (member || !amp_priv_token_is_word(t, word)); t = amp_priv_token_after(t))
        member = amp_priv_token_selects(t);
    return t;
}

/* Is it a word of text, and not only a member? */
AMP_PRIV_COLD bool amp_priv_uses(const char *text, amp_priv_token word)
{
    return amp_priv_token_find(text, word).kind != AMP_PRIV_TOKEN_END;
}

/* From "(": the token ")" that closes it, or the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_closing(amp_priv_token token)
{
    int depth = 0;
    for (; token.kind != AMP_PRIV_TOKEN_END; token = amp_priv_token_after(token)) {
        if (amp_priv_token_is(token, "("))
            depth++;
        if (amp_priv_token_is(token, ")") && --depth == 0)
            break;
    }
    return token;
}

/* From "{": the token "}" that closes it, or the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_block_end(amp_priv_token token)
{
    int depth = 0;
    for (; token.kind != AMP_PRIV_TOKEN_END; token = amp_priv_token_after(token)) {
        depth += amp_priv_token_is(token, "{") ? 1 : amp_priv_token_is(token, "}") ? -1 : 0;
        if (depth == 0)
            break;
    }
    return token;
}

/* At the "(" of `(type){`, a compound literal? What stands before is no name and no statement's word. */
AMP_PRIV_COLD bool amp_priv_is_literal(amp_priv_token before, amp_priv_token open)
{
    if ((before.kind == AMP_PRIV_TOKEN_WORD && !amp_priv_token_is(before, "return") &&
         !amp_priv_token_is(before, "sizeof")) ||
        amp_priv_token_is(before, ")") || amp_priv_token_after(open).kind != AMP_PRIV_TOKEN_WORD)
        return false;
    const amp_priv_token close = amp_priv_token_closing(open);
    return close.kind != AMP_PRIV_TOKEN_END && amp_priv_token_is(amp_priv_token_after(close), "{");
}

/* ... whose address is taken: of an array, or behind &? A device keeps it in a thread's own memory. */
AMP_PRIV_COLD bool amp_priv_is_lvalue_literal(amp_priv_token before, amp_priv_token open)
{
    if (!amp_priv_token_is(open, "(") || !amp_priv_is_literal(before, open))
        return false;
    const amp_priv_token close = amp_priv_token_closing(open);
    while (open.at < close.at && !amp_priv_token_is(open, "["))
        open = amp_priv_token_after(open);
    return open.at < close.at || amp_priv_token_is(before, "&");
}

/* // >>words: the identifiers that the program uses. */

typedef struct amp_priv_word {
    const char *at;
    size_t length;
} amp_priv_word;

AMP_PRIV_COLD bool amp_priv_word_same(amp_priv_word a, amp_priv_word b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

typedef struct amp_priv_words {
    amp_priv_word *slot; /* open addressing; at == NULL is free */
    size_t count, capacity;
    bool failed;
} amp_priv_words;

AMP_PRIV_COLD amp_priv_word *amp_priv_words_slot(const amp_priv_words *words, const char *at, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)at[i]) * 1099511628211u;
    for (size_t i = (size_t)hash & (words->capacity - 1);; i = (i + 1) & (words->capacity - 1)) {
        amp_priv_word *const slot = &words->slot[i];
        if (!slot->at || (slot->length == length && !memcmp(slot->at, at, length)))
            return slot;
    }
}

AMP_PRIV_COLD bool amp_priv_words_have(const amp_priv_words *words, const char *at, size_t length)
{
    return words->capacity && amp_priv_words_slot(words, at, length)->at;
}

AMP_PRIV_COLD void amp_priv_words_put(amp_priv_words *words, const char *at, size_t length)
{
    if (words->failed)
        return;
    if (2 * (words->count + 1) > words->capacity) {
        amp_priv_words grown = { NULL, words->count, words->capacity ? 2 * words->capacity : 512, false };
        grown.slot = calloc(grown.capacity, sizeof *grown.slot);
        if (!grown.slot) {
            words->failed = true;
            return;
        }
        for (size_t i = 0; i < words->capacity; i++)
            if (words->slot[i].at)
                *amp_priv_words_slot(&grown, words->slot[i].at, words->slot[i].length) = words->slot[i];
        free(words->slot);
        *words = grown;
    }
    amp_priv_word *const slot = amp_priv_words_slot(words, at, length);
    if (!slot->at) {
        *slot = (amp_priv_word){ at, length };
        words->count++;
    }
}

/* Adds the words of text, but for members (after . and ->). The text must live as long as the words. */
AMP_PRIV_COLD void amp_priv_words_of(amp_priv_words *words, const char *text, size_t length)
{
    bool member = false;
    for (amp_priv_token t = amp_priv_token_at(text); t.at < text + length && t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        if (t.kind == AMP_PRIV_TOKEN_SPACE)
            continue;
        if (t.kind == AMP_PRIV_TOKEN_WORD && !member)
            amp_priv_words_put(words, t.at, t.length);
        member = amp_priv_token_selects(t);
    }
}

/* // >>lines: one long line becomes one that people, and the messages of compilers, can use. */

enum { AMP_PRIV_PARENTHESES = 256, AMP_PRIV_BREAK_BEFORE = 1, AMP_PRIV_BREAK_AFTER = 2 };

/* Where amp_priv_add_lines is in a text. */
typedef struct amp_priv_layout {
    int depth, values, block, indent;      /* open parentheses, initialisers, blocks; those around the text */
    bool after_word[AMP_PRIV_PARENTHESES]; /* for each open parenthesis: does it follow a word, as in f( or if( ? */
    bool word_before_parentheses;
    amp_priv_token before;
} amp_priv_layout;

/* Of a value or a block? A block begins a line. */
AMP_PRIV_COLD int amp_priv_layout_open(amp_priv_layout *layout)
{
    const amp_priv_token before = layout->before;
    if (layout->values > 0 || layout->depth > 0 || amp_priv_token_is(before, "=") || amp_priv_token_is(before, ",") ||
        (amp_priv_token_is(before, ")") && !layout->word_before_parentheses)) {
        layout->values++;
        return 0;
    }
    layout->block++;
    return AMP_PRIV_BREAK_AFTER;
}

AMP_PRIV_COLD int amp_priv_layout_close(amp_priv_layout *layout, amp_priv_token t)
{
    if (layout->values > 0) {
        layout->values--;
        return 0;
    }
    if (layout->block > layout->indent)
        layout->block--;
    /* "} while (0);", "} else {", "} name;" and "};" go on */
    const amp_priv_token next = amp_priv_token_after(t);
    const bool goes_on = amp_priv_token_is(next, ";") || amp_priv_token_is(next, "while") ||
                         amp_priv_token_is(next, "else") ||
                         (next.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(amp_priv_token_after(next), ";"));
    return AMP_PRIV_BREAK_BEFORE | (goes_on ? 0 : AMP_PRIV_BREAK_AFTER);
}

/* The breaks that a token brings. */
AMP_PRIV_COLD int amp_priv_layout_breaks(amp_priv_layout *layout, amp_priv_token t)
{
    const char mark = t.kind == AMP_PRIV_TOKEN_MARK ? *t.at : '\0';
    const amp_priv_token before = layout->before;
    if (mark == '(' || mark == '[') {
        if (layout->depth < AMP_PRIV_PARENTHESES)
            layout->after_word[layout->depth] = before.kind == AMP_PRIV_TOKEN_WORD &&
                                                !amp_priv_token_is(before, "return") &&
                                                !amp_priv_token_is(before, "sizeof");
        layout->depth++;
    } else if (mark == ')' || mark == ']') {
        layout->depth -= layout->depth > 0;
        layout->word_before_parentheses = layout->depth < AMP_PRIV_PARENTHESES && layout->after_word[layout->depth];
    }
    return mark == '{'                                                ? amp_priv_layout_open(layout)
           : mark == '}'                                              ? amp_priv_layout_close(layout, t)
           : mark == ';' && layout->depth == 0 && layout->values == 0 ? AMP_PRIV_BREAK_AFTER
                                                                      : 0;
}

AMP_PRIV_COLD void amp_priv_add_indent(amp_priv_string *out, int blocks)
{
    for (int i = 0; i < blocks; i++)
        amp_priv_adds(out, "  ");
}

/* Appends text with a new line after each ; { } outside of parentheses, brackets and initialisers. */
AMP_PRIV_COLD void amp_priv_add_lines(amp_priv_string *out, const char *text, size_t length, int indent)
{
    amp_priv_layout layout = { .block = indent, .indent = indent, .before = { AMP_PRIV_TOKEN_END, text, 0 } };
    bool start = true;
    for (amp_priv_token t = amp_priv_token_at(text); t.at < text + length && t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        if (t.kind == AMP_PRIV_TOKEN_SPACE) {
            amp_priv_adds(out, start ? "" : " ");
            continue;
        }
        const int breaks = amp_priv_layout_breaks(&layout, t);
        if (start) {
            amp_priv_add_indent(out, layout.block - (*t.at == '{' && (breaks & AMP_PRIV_BREAK_AFTER)));
        } else if (breaks & AMP_PRIV_BREAK_BEFORE) {
            amp_priv_adds(out, "\n");
            amp_priv_add_indent(out, layout.block);
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(layout.before, "}") &&
                   t.at == layout.before.at + 1) {
            amp_priv_adds(out, " ");
        }
        amp_priv_add(out, t.at, t.length);
        start = (breaks & AMP_PRIV_BREAK_AFTER) != 0;
        amp_priv_adds(out, start ? "\n" : "");
        layout.before = t;
    }
    if (!start)
        amp_priv_adds(out, "\n");
}

#endif /* AMP_TEXT_H */
