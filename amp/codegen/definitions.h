/* SPDX-License-Identifier: MIT */
/*  amp/codegen/definitions.h - definitions that a program needs beside a kernel's body

    Contents (search for the tag):
        >>items  >>views */
#ifndef AMP_CODEGEN_DEFINITIONS_H
#define AMP_CODEGEN_DEFINITIONS_H

#include "host_syntax.h"
#include "../api/tile.h"

/* // >>items */

/* Definitions of the headers that are included beside amp.h, for programs in which a name has the trigger in it. They
   stand before those of a higher order, whatever order they were registered in. */
typedef struct amp_priv_library_definition {
    int order;
    const char *trigger, *text;
    _Atomic(struct amp_priv_library_definition *) next;
} amp_priv_library_definition;

/* What programs for a target, given by its suffix, begin with besides. */
typedef struct amp_priv_added_opening {
    const char *suffix;
    const amp_priv_prologue_text *texts; /* up to a word that is NULL */
    _Atomic(struct amp_priv_added_opening *) next;
} amp_priv_added_opening;

/* Of all files together: a module's hook, which is one file's, has programs made for launches of the others, which may
   include more. A file adds what no other has added. */
AMP_PRIV_GLOBAL(_Atomic(amp_priv_library_definition *), amp_priv_library_definitions)
AMP_PRIV_GLOBAL(_Atomic(amp_priv_added_opening *), amp_priv_added_openings)

AMP_PRIV_COLD void amp_priv_register_definition(amp_priv_library_definition *definition)
{
    _Atomic(amp_priv_library_definition *) *last = &amp_priv_library_definitions;
    amp_priv_library_definition *other = NULL;
    while (!atomic_compare_exchange_strong(last, &other, definition)) {
        if (other->order == definition->order && !strcmp(other->trigger, definition->trigger))
            return;
        last = &other->next;
        other = NULL;
    }
}

AMP_PRIV_COLD void amp_priv_register_library(amp_priv_library_definition *definition, size_t count)
{
    for (size_t i = 0; i < count; i++)
        amp_priv_register_definition(&definition[i]);
}

/* One whose first word is that of another, for the same target, is the same. */
AMP_PRIV_COLD void amp_priv_register_opening(amp_priv_added_opening *opening)
{
    _Atomic(amp_priv_added_opening *) *last = &amp_priv_added_openings;
    amp_priv_added_opening *other = NULL;
    while (!atomic_compare_exchange_strong(last, &other, opening)) {
        if (!strcmp(other->suffix, opening->suffix) && !strcmp(other->texts->word, opening->texts->word))
            return;
        last = &other->next;
        other = NULL;
    }
}

typedef struct amp_priv_definition {
    const char *text;
    size_t length;
    amp_priv_token name; /* what it defines; it is in the program when this is named */
    const char *also;    /* and this too, if not NULL */
    const char *after;   /* views of a user's struct: the struct's name */
    bool is_user_definition, included;
    bool asserts; /* a function of the user's that the launch's record of faults is given to */
} amp_priv_definition;

typedef struct amp_priv_definitions {
    amp_priv_definition *item;
    size_t count;
    int capacity;
    amp_priv_words names; /* of those that were not made for views */
    char **owned;         /* texts made for this program */
    int owned_count, owned_capacity;
    bool failed;
} amp_priv_definitions;

AMP_PRIV_COLD amp_priv_definition *amp_priv_definitions_add(amp_priv_definitions *items, const char *text,
                                                            size_t length, amp_priv_token name)
{
    items->failed = items->failed || !amp_priv_list_reserve(&items->item, &items->capacity, (int)items->count + 1,
                                                            sizeof *items->item, NULL);
    if (items->failed)
        return NULL;
    amp_priv_definition *const item = &items->item[items->count++];
    *item = (amp_priv_definition){ .text = text, .length = length, .name = name };
    return item;
}

/* Takes a string over: it lives as long as the items. */
AMP_PRIV_COLD const char *amp_priv_definitions_own(amp_priv_definitions *items, amp_priv_string *string)
{
    if (string->failed || !string->text ||
        !amp_priv_list_reserve(&items->owned, &items->owned_capacity, items->owned_count + 1, sizeof *items->owned,
                               NULL)) {
        items->failed = true;
        free(string->text);
        return "";
    }
    return items->owned[items->owned_count++] = string->text;
}

/* The end of the top-level definition that starts at text, and its name. */
AMP_PRIV_COLD const char *amp_priv_definition_end(const char *text, amp_priv_token *name)
{
    *name = (amp_priv_token){ .at = text };
    if (*text == '#') {
        const char *end = strchr(text, '\n');
        end = end ? end + 1 : text + strlen(text);
        amp_priv_token t = amp_priv_token_after(amp_priv_token_at(text)); /* define */
        const bool define = amp_priv_token_is(t, "define");
        t = amp_priv_token_after(t);
        if (define)
            *name = t;
        return end;
    }
    const bool is_type = !strncmp(text, "typedef", 7) || !strncmp(text, "enum", 4);
    int depth = 0;
    amp_priv_token last = { AMP_PRIV_TOKEN_END, 0, text };
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        const char mark = t.kind == AMP_PRIV_TOKEN_MARK ? *t.at : '\0';
        if (amp_priv_token_is(t, "__attribute__")) {
            t = amp_priv_token_closing(amp_priv_token_after(t));
            continue;
        }
        if (mark == '(' && depth == 0 && !is_type && !name->length)
            *name = last;
        if (mark == '{' || mark == '(')
            depth++;
        if (mark == '}' || mark == ')')
            depth--;
        if (depth == 0 && (mark == ';' || (mark == '}' && !is_type))) {
            if (is_type)
                *name = last;
            return t.at + t.length;
        }
        if (t.kind == AMP_PRIV_TOKEN_WORD && depth == 0)
            last = t;
    }
    return text + strlen(text);
}

/* A text once for each of its rows: in "@a b,c d@text" $1 is a and then c, $2 is b and then d. */
AMP_PRIV_COLD const char *amp_priv_definitions_repeated(amp_priv_definitions *items, const char *text)
{
    amp_priv_string out = { NULL, 0, 0, false };
    const char *const repeated = strchr(text + 1, '@') + 1;
    for (const char *row = text + 1; row < repeated; row += strcspn(row, ",@") + 1) {
        const char *at = repeated, *mark;
        for (; (mark = strchr(at, '$')) != NULL; at = mark + 2) {
            const char *word = row;
            for (int i = mark[1] - '1'; i > 0; i--)
                word += strcspn(word, " ,@") + 1;
            amp_priv_add(&out, at, (size_t)(mark - at));
            amp_priv_add(&out, word, strcspn(word, " ,@"));
        }
        amp_priv_adds(&out, at);
    }
    return amp_priv_definitions_own(items, &out);
}

/* Adds the definitions of a library text. A name that is there already stays with its first definition, unless it is
   overloaded. */
AMP_PRIV_COLD void amp_priv_definitions_library(amp_priv_definitions *items, const char *text, const char *also)
{
    const size_t before = items->count;
    if (*text == '@')
        text = amp_priv_definitions_repeated(items, text);
    while (*text) {
        if (amp_priv_is_space(*text) || *text == ';') {
            text++;
            continue;
        }
        amp_priv_token name;
        const char *const end = amp_priv_definition_end(text, &name);
        const bool overloaded = !strncmp(text, "__attribute__((overloadable))", 29);
        if (overloaded || !amp_priv_words_have(&items->names, name)) {
            amp_priv_definition *const item = amp_priv_definitions_add(items, text, (size_t)(end - text), name);
            if (item && overloaded)
                item->also = also;
        }
        text = end;
    }
    for (size_t i = before; i < items->count; i++)
        amp_priv_words_put(&items->names, items->item[i].name);
}

/* Adds the definitions of one rank: a string of AMP_PRIV_TEXT_OF_RANKS. */
AMP_PRIV_COLD void amp_priv_definitions_rank(amp_priv_definitions *items, const char *text, int rank)
{
    static const char mark[] = "amp_priv_";
    const size_t length = sizeof mark - 1;
    amp_priv_string out = { NULL, 0, 0, false };
    const char *repeated = NULL, *next;
    int d = 0;
    for (; (next = strstr(text, mark)) != NULL; text = next) {
        amp_priv_add(&out, text, (size_t)(next - text));
        next += length;
        if (!strncmp(next, "parts", 5)) {
            next += 5;
            d = repeated ? d + 1 : 0;
            repeated = !repeated ? next : d < rank ? repeated : NULL;
            next = repeated ? repeated : next;
        } else if (!strncmp(next, "part", 4) || !strncmp(next, "rank", 4)) {
            amp_priv_addf(&out, "%d", *next == 'r' ? rank : d);
            next += 4;
        } else {
            amp_priv_add(&out, mark, length);
        }
    }
    amp_priv_adds(&out, text);
    amp_priv_definitions_library(items, amp_priv_definitions_own(items, &out), NULL);
}

AMP_PRIV_COLD void amp_priv_definitions_free(amp_priv_definitions *items)
{
    for (int i = 0; i < items->owned_count; i++)
        free(items->owned[i]);
    free(items->owned);
    free(items->names.slot);
    free(items->item);
}

/* // >>views */

/* Appends the type of an element. */
AMP_PRIV_COLD void amp_priv_add_element(amp_priv_string *out, amp_priv_token name)
{
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)name.length, name.at);
    amp_priv_strip_host_syntax(out, word);
}

/* Adds the struct of every view type among the words. */
AMP_PRIV_COLD void amp_priv_definitions_views(amp_priv_definitions *items, const amp_priv_words *words)
{
    const size_t capacity = words->capacity;
    for (size_t w = 0; w < capacity; w++) {
        const amp_priv_token word = words->slot[w];
        amp_priv_token element;
        int rank;
        bool is_const, known = false;
        if (!word.at || !amp_priv_is_view_type(word, &element, &rank, &is_const))
            continue;
        const char *after = NULL;
        for (size_t i = 0; i < items->count; i++) {
            const amp_priv_definition *const item = &items->item[i];
            known = known || amp_priv_token_is_word(item->name, word);
            if (item->is_user_definition && amp_priv_token_is_word(item->name, element))
                after = item->name.at;
        }
        if (known)
            continue;
        amp_priv_string text = { NULL, 0, 0, false };
        amp_priv_addf(&text, "typedef struct %.*s { ", (int)word.length, word.at);
#if defined(AMP_CHECKED)
        amp_priv_addf(&text, "amp_priv_head%d amp_priv; ", rank);
#endif
        amp_priv_addf(&text, "__global %s", is_const ? "const " : "");
        amp_priv_add_element(&text, element);
        amp_priv_addf(&text, " *data; amp_extent%d extent; amp_priv_stride%d stride; } %.*s;", rank, rank,
                      (int)word.length, word.at);
        const size_t length = text.length;
        amp_priv_definition *const item =
            amp_priv_definitions_add(items, amp_priv_definitions_own(items, &text), length, word);
        if (item)
            item->after = after;
    }
}

#endif /* AMP_CODEGEN_DEFINITIONS_H */
