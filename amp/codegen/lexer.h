/* SPDX-License-Identifier: MIT */
/*  amp/codegen/lexer.h - tokens of a kernel's source, and its words

    Contents (search for the tag):
        >>token  >>words */
#ifndef AMP_CODEGEN_LEXER_H
#define AMP_CODEGEN_LEXER_H

#include "../base/text.h"
#include "../device/launch_site.h"

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
    unsigned length;
    const char *at;
} amp_priv_token;

AMP_PRIV_WARM_PART bool amp_priv_is_digit(char c) { return c >= '0' && c <= '9'; }
/* Also of a name beyond ASCII, whose bytes of UTF-8 are all above. */
AMP_PRIV_WARM_PART bool amp_priv_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}
AMP_PRIV_WARM_PART bool amp_priv_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The quote of the constant that starts at p, which may have a prefix: L'a', u8"x". NULL: there is none. */
AMP_PRIV_WARM_PART const char *amp_priv_quote_at(const char *p)
{
    if (*p == 'L' || *p == 'U' || *p == 'u')
        p += *p == 'u' && p[1] == '8' ? 2 : 1;
    return *p == '"' || *p == '\'' ? p : NULL;
}

/* The token that starts at p. */
AMP_PRIV_WARM amp_priv_token amp_priv_token_at(const char *p)
{
    amp_priv_token token = { AMP_PRIV_TOKEN_MARK, 1, p };
    const char *const quote = amp_priv_quote_at(p);
    const char *end = p + 1;
    if (!*p) {
        token.kind = AMP_PRIV_TOKEN_END;
        end = p;
    } else if (amp_priv_is_space(*p)) {
        token.kind = AMP_PRIV_TOKEN_SPACE;
        while (amp_priv_is_space(*end))
            end++;
    } else if (quote) {
        token.kind = AMP_PRIV_TOKEN_QUOTED;
        end = amp_priv_quote_end(quote);
    } else if (amp_priv_is_letter(*p)) {
        token.kind = AMP_PRIV_TOKEN_WORD;
        while (amp_priv_is_letter(*end) || amp_priv_is_digit(*end))
            end++;
    } else if (amp_priv_is_digit(*p) || (*p == '.' && amp_priv_is_digit(p[1]))) {
        token.kind = AMP_PRIV_TOKEN_NUMBER;
        while (amp_priv_is_letter(*end) || amp_priv_is_digit(*end) || *end == '.' ||
               ((*end == '+' || *end == '-') && strchr("eEpP", end[-1])))
            end++;
        /* C takes the + of 0xe+1 as a part of the number, and so does this lexer. */
    } else if (*p == '-' && p[1] == '>') {
        end++;
    }
    token.length = (unsigned)(end - p);
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

AMP_PRIV_WARM bool amp_priv_token_is(amp_priv_token token, const char *text)
{
    return token.kind != AMP_PRIV_TOKEN_END && *token.at == *text && /* most differ there */
           strlen(text) == token.length && !memcmp(token.at, text, token.length);
}

/* A name as a token. */
AMP_PRIV_COLD amp_priv_token amp_priv_token_of(const char *name)
{
    return (amp_priv_token){ AMP_PRIV_TOKEN_WORD, (unsigned)strlen(name), name };
}

AMP_PRIV_COLD bool amp_priv_token_begins(amp_priv_token token, const char *start)
{
    return token.length >= strlen(start) && !memcmp(token.at, start, strlen(start));
}

AMP_PRIV_WARM bool amp_priv_token_is_word(amp_priv_token token, amp_priv_token word)
{
    return token.kind == AMP_PRIV_TOKEN_WORD && token.length == word.length && !memcmp(token.at, word.at, word.length);
}

/* Is the word in a list of names, with spaces around each? Or the mark, in a list of marks. */
AMP_PRIV_WARM bool amp_priv_listed(const char *list, amp_priv_token word)
{
    char spaced[32];
    if (word.length + 3 > sizeof spaced || amp_priv_is_letter(list[1]) != (word.kind == AMP_PRIV_TOKEN_WORD))
        return false;
    spaced[0] = ' ';
    memcpy(spaced + 1, word.at, word.length);
    memcpy(spaced + 1 + word.length, " ", 2);
    return strstr(list, spaced) != NULL;
}

/* After . and -> comes a member's name, and nothing else. */
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

/* // >>words: the identifiers that the program uses. */

typedef struct amp_priv_words {
    amp_priv_token *slot; /* open addressing; at == NULL is free */
    size_t count, capacity;
    bool failed;
} amp_priv_words;

AMP_PRIV_COLD amp_priv_token *amp_priv_words_slot(const amp_priv_words *words, amp_priv_token word)
{
    const uint64_t hash = amp_priv_hash(AMP_PRIV_HASH_START, word.at, word.length);
    for (size_t i = (size_t)hash & (words->capacity - 1);; i = (i + 1) & (words->capacity - 1)) {
        amp_priv_token *const slot = &words->slot[i];
        if (!slot->at || (slot->length == word.length && !memcmp(slot->at, word.at, word.length)))
            return slot;
    }
}

AMP_PRIV_COLD bool amp_priv_words_have(const amp_priv_words *words, amp_priv_token word)
{
    return words->capacity && amp_priv_words_slot(words, word)->at;
}

AMP_PRIV_COLD void amp_priv_words_put(amp_priv_words *words, amp_priv_token word)
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
                *amp_priv_words_slot(&grown, words->slot[i]) = words->slot[i];
        free(words->slot);
        *words = grown;
    }
    amp_priv_token *const slot = amp_priv_words_slot(words, word);
    words->count += !slot->at;
    *slot = slot->at ? *slot : word;
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
            amp_priv_words_put(words, t);
        member = amp_priv_token_selects(t);
    }
}

#endif /* AMP_CODEGEN_LEXER_H */
