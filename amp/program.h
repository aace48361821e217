/* SPDX-License-Identifier: MIT */
/*  amp/program.h - the device's program: from a kernel body, as the host's preprocessor left it, to the common dialect
    (amp/dialect.h), which a target's texts make a program in its language.

    Pure work on strings: nothing here calls a device. A program consists of items (typedefs, functions, macros of
    the library; AMP_STRUCTs and AMP_FUNCTIONs of the user; one kernel), and only those that are named are in it, so
    that it stays short to read and quick to build.

    Contents (search for the tag):
        >>strip  >>items  >>views  >>tile_static  >>variants  >>samplings  >>kernel
        >>carry  >>program                                                                            */
#ifndef AMP_PROGRAM_H
#define AMP_PROGRAM_H

#include "backend.h"
#include "lookover.h"
#include "tile.h"
#include "view.h"

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

/* // >>items */

typedef struct amp_priv_item {
    const char *text;
    size_t length;
    amp_priv_word name; /* what it defines; it is in the program when this is named */
    const char *also;   /* and this too, if not NULL */
    const char *after;  /* views of a user's struct: the struct's name */
    bool is_user_definition, included;
    bool asserts; /* a function of the user's that the launch's record of faults is given to */
} amp_priv_item;

typedef struct amp_priv_items {
    amp_priv_item *item;
    size_t count, capacity;
    char **owned; /* texts made for this program */
    size_t owned_count;
    bool failed;
} amp_priv_items;

AMP_PRIV_COLD amp_priv_item *amp_priv_items_add(amp_priv_items *items, const char *text, size_t length,
                                                amp_priv_word name)
{
    if (items->failed)
        return NULL;
    if (items->count == items->capacity) {
        const size_t capacity = items->capacity ? 2 * items->capacity : 256;
        amp_priv_item *const grown = realloc(items->item, capacity * sizeof *grown);
        if (!grown) {
            items->failed = true;
            return NULL;
        }
        items->item = grown;
        items->capacity = capacity;
    }
    amp_priv_item *const item = &items->item[items->count++];
    *item = (amp_priv_item){ .text = text, .length = length, .name = name };
    return item;
}

/* Takes a string over: it lives as long as the items. */
AMP_PRIV_COLD const char *amp_priv_items_own(amp_priv_items *items, amp_priv_string *string)
{
    char **const grown =
        string->failed || !string->text ? NULL : realloc(items->owned, (items->owned_count + 1) * sizeof *grown);
    if (!grown) {
        items->failed = true;
        free(string->text);
        return "";
    }
    items->owned = grown;
    return items->owned[items->owned_count++] = string->text;
}

/* The end of the top-level definition that starts at text, and its name. */
AMP_PRIV_COLD const char *amp_priv_item_end(const char *text, amp_priv_word *name)
{
    *name = (amp_priv_word){ text, 0 };
    if (*text == '#') {
        const char *end = strchr(text, '\n');
        end = end ? end + 1 : text + strlen(text);
        amp_priv_token t = amp_priv_token_after(amp_priv_token_at(text)); /* define */
        const bool define = amp_priv_token_is(t, "define");
        t = amp_priv_token_after(t);
        if (define)
            *name = (amp_priv_word){ t.at, t.length };
        return end;
    }
    const bool is_type = !strncmp(text, "typedef", 7) || !strncmp(text, "enum", 4);
    int depth = 0;
    amp_priv_token last = { AMP_PRIV_TOKEN_END, text, 0 };
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        const char mark = t.kind == AMP_PRIV_TOKEN_MARK ? *t.at : '\0';
        if (amp_priv_token_is(t, "__attribute__")) {
            t = amp_priv_token_closing(amp_priv_token_after(t));
            continue;
        }
        if (mark == '(' && depth == 0 && !is_type && !name->length)
            *name = (amp_priv_word){ last.at, last.length };
        if (mark == '{' || mark == '(')
            depth++;
        if (mark == '}' || mark == ')')
            depth--;
        if (depth == 0 && (mark == ';' || (mark == '}' && !is_type))) {
            if (is_type)
                *name = (amp_priv_word){ last.at, last.length };
            return t.at + t.length;
        }
        if (t.kind == AMP_PRIV_TOKEN_WORD && depth == 0)
            last = t;
    }
    return text + strlen(text);
}

/* Has one of the first `count` items that name? */
AMP_PRIV_COLD bool amp_priv_items_have(const amp_priv_items *items, size_t count, amp_priv_word name)
{
    size_t i = 0;
    while (i < count && !amp_priv_word_same(items->item[i].name, name))
        i++;
    return i < count;
}

/* Adds the definitions of a library text. A name that is there already stays with its first definition, unless it is
   overloaded. */
AMP_PRIV_COLD void amp_priv_items_library(amp_priv_items *items, const char *text, const char *also)
{
    const size_t before = items->count;
    while (*text) {
        if (amp_priv_is_space(*text) || *text == ';') {
            text++;
            continue;
        }
        amp_priv_word name;
        const char *const end = amp_priv_item_end(text, &name);
        const bool overloaded = !strncmp(text, "__attribute__((overloadable))", 29);
        if (overloaded || !amp_priv_items_have(items, before, name)) {
            amp_priv_item *const item = amp_priv_items_add(items, text, (size_t)(end - text), name);
            if (item && overloaded)
                item->also = also;
        }
        text = end;
    }
}

AMP_PRIV_COLD void amp_priv_items_free(amp_priv_items *items)
{
    for (size_t i = 0; i < items->owned_count; i++)
        free(items->owned[i]);
    free(items->owned);
    free(items->item);
}

/* // >>views */

/* Is the word a type of view or array? Then its element's name and rank. */
AMP_PRIV_COLD bool amp_priv_is_view_type(amp_priv_word word, amp_priv_word *element, int *rank, bool *is_const)
{
    static const char *const prefixes[] = { "amp_array_view_", "amp_const_array_view_", "amp_array_" };
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(prefixes[i]);
        if (word.length <= n || memcmp(word.at, prefixes[i], n))
            continue;
        size_t digits = 0;
        while (digits < word.length - n && amp_priv_is_digit(word.at[word.length - 1 - digits]))
            digits++;
        if (!digits || digits > 2 || word.length - n < digits + 2 || word.at[word.length - 1 - digits] != '_')
            continue;
        *rank = atoi(word.at + word.length - digits);
        *element = (amp_priv_word){ word.at + n, word.length - n - digits - 1 };
        *is_const = i == 1;
        if (*rank >= 1 && *rank <= AMP_MAX_RANK)
            return true;
    }
    return false;
}

/* Appends the type of an element. */
AMP_PRIV_COLD void amp_priv_add_element(amp_priv_string *out, amp_priv_word name)
{
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)name.length, name.at);
    amp_priv_strip_host_syntax(out, word);
}

/* Adds the struct of every view type among the words. */
AMP_PRIV_COLD void amp_priv_items_views(amp_priv_items *items, const amp_priv_words *words)
{
    const size_t capacity = words->capacity;
    for (size_t w = 0; w < capacity; w++) {
        const amp_priv_word word = words->slot[w];
        amp_priv_word element;
        int rank;
        bool is_const, known = false;
        if (!word.at || !amp_priv_is_view_type(word, &element, &rank, &is_const))
            continue;
        const char *after = NULL;
        for (size_t i = 0; i < items->count; i++) {
            const amp_priv_item *const item = &items->item[i];
            known = known || amp_priv_word_same(item->name, word);
            if (item->is_user_definition && amp_priv_word_same(item->name, element))
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
        amp_priv_item *const item = amp_priv_items_add(items, amp_priv_items_own(items, &text), length, word);
        if (item)
            item->after = after;
    }
}

/* // >>tile_static
   OpenCL C has __local variables only at the outermost scope of a kernel, the model has tile_static anywhere. */

/* A constant expression of numbers, captured constants and + - * / % ( ); *ok is false for anything else. */
typedef struct amp_priv_arithmetic {
    amp_priv_token token;
    const amp_priv_site *site;
    bool ok;
} amp_priv_arithmetic;

/* The value of a captured constant. */
AMP_PRIV_COLD long long amp_priv_value_of_constant(amp_priv_arithmetic *a)
{
    for (int i = a->site->capture_count - 1; i >= 0; i--)
        if (a->site->captures[i].kind == AMP_PRIV_CAPTURE_CONSTANT &&
            amp_priv_token_is(a->token, a->site->captures[i].name))
            return a->site->captures[i].value;
    a->ok = false;
    return 0;
}

AMP_PRIV_COLD long long amp_priv_value_of(amp_priv_arithmetic *a, int level)
{
    long long value = 0;
    if (level == 0) {
        if (amp_priv_token_is(a->token, "(")) {
            a->token = amp_priv_token_after(a->token);
            value = amp_priv_value_of(a, 2);
            a->ok = a->ok && amp_priv_token_is(a->token, ")");
        } else if (a->token.kind == AMP_PRIV_TOKEN_NUMBER) {
            char *end;
            value = strtoll(a->token.at, &end, 0);
        } else {
            value = amp_priv_value_of_constant(a);
        }
        a->token = amp_priv_token_after(a->token);
        return value;
    }
    value = amp_priv_value_of(a, level - 1);
    while (a->ok && a->token.length == 1 && strchr(level == 1 ? "*/%" : "+-", *a->token.at)) {
        const char mark = *a->token.at;
        a->token = amp_priv_token_after(a->token);
        const long long other = amp_priv_value_of(a, level - 1);
        if ((mark == '/' || mark == '%') && other == 0)
            a->ok = false;
        if (a->ok)
            value = mark == '*'   ? value * other
                    : mark == '/' ? value / other
                    : mark == '%' ? value % other
                    : mark == '+' ? value + other
                                  : value - other;
    }
    return value;
}

#define AMP_PRIV_VECTOR_SIZES(S, T, device, mask)                                                                      \
    { "amp_" #S "_2", 2 * sizeof(T) }, { "amp_" #S "_3", 4 * sizeof(T) }, { "amp_" #S "_4", 4 * sizeof(T) },           \
        { "amp_packed_" #S "_3", 3 * sizeof(T) },
/* The size of a type that the program knows of, 0 if it does not. */
AMP_PRIV_COLD size_t amp_priv_type_size(const amp_priv_site *site, void *const *captured, amp_priv_token first,
                                        const char *end)
{
    static const struct {
        const char *name;
        size_t size;
    } types[] = { { "char", 1 },     { "short", 2 },     { "int", 4 },
                  { "float", 4 },    { "long", 8 },      { "double", 8 },
                  { "_Bool", 1 },    { "int8_t", 1 },    { "uint8_t", 1 },
                  { "int16_t", 2 },  { "uint16_t", 2 },  { "int32_t", 4 },
                  { "uint32_t", 4 }, { "int64_t", 8 },   { "uint64_t", 8 },
                  { "unsigned", 4 }, { "signed", 4 },    { "size_t", 8 },
                  { "bool", 1 },     { "ptrdiff_t", 8 }, AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTOR_SIZES) };
    size_t size = 0;
    for (amp_priv_token t = first; t.at < end && t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            if (amp_priv_token_is(t, types[i].name) &&
                (size == 0 || (!amp_priv_token_is(t, "int") && !amp_priv_token_is(t, "unsigned"))))
                size = types[i].size;
        for (int i = 0; i < site->capture_count; i++) {
            const amp_priv_capture *const capture = &site->captures[i];
            const amp_priv_head *const head = capture->kind == AMP_PRIV_CAPTURE_VIEW ? captured[i] : NULL;
            if (capture->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_token_is(t, capture->type))
                size = capture->size;
            if (head && amp_priv_token_is(t, head->element->name))
                size = head->element->size;
        }
    }
    return size;
}

/* At the `_Alignas` of AMP_TILE_STATIC, and not of the user's own? */
AMP_PRIV_COLD bool amp_priv_is_tile_static(amp_priv_token word)
{
    return amp_priv_token_is(word, "_Alignas") &&
           amp_priv_token_is(amp_priv_token_after(amp_priv_token_after(word)), "amp_priv_tile_static");
}

/* `_Alignas(amp_priv_tile_static) type name dimensions;`, and the } that ends its scope. */
typedef struct amp_priv_tile_variable {
    amp_priv_token start, type, name, dimensions, end, scope; /* dimensions: the first [, or the end of a text */
} amp_priv_tile_variable;

/* The first one of a text; false when there is none. */
AMP_PRIV_COLD bool amp_priv_tile_variable_find(amp_priv_tile_variable *v, const char *text)
{
    v->start = amp_priv_token_at(text);
    while (v->start.kind != AMP_PRIV_TOKEN_END && !amp_priv_is_tile_static(v->start))
        v->start = amp_priv_token_after(v->start);
    const amp_priv_token close = amp_priv_token_closing(amp_priv_token_after(v->start));
    if (v->start.kind == AMP_PRIV_TOKEN_END || close.kind == AMP_PRIV_TOKEN_END)
        return false;
    /* The name is the last word before a bracket or the end. */
    v->type = v->name = amp_priv_token_after(close);
    v->dimensions = (amp_priv_token){ AMP_PRIV_TOKEN_END, NULL, 0 };
    amp_priv_token t = v->type;
    for (; t.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(t, ";"); t = amp_priv_token_after(t)) {
        if (amp_priv_token_is(t, "[") && !v->dimensions.at)
            v->dimensions = t;
        if (t.kind == AMP_PRIV_TOKEN_WORD && !v->dimensions.at)
            v->name = t;
    }
    v->end = t;
    int depth = 0;
    for (v->scope = t; v->scope.kind != AMP_PRIV_TOKEN_END; v->scope = amp_priv_token_after(v->scope)) {
        depth += amp_priv_token_is(v->scope, "{") - amp_priv_token_is(v->scope, "}");
        if (depth < 0)
            break;
    }
    return v->end.kind != AMP_PRIV_TOKEN_END;
}

/* How many bytes it takes; 0 when only the device's compiler knows. */
AMP_PRIV_COLD size_t amp_priv_tile_variable_size(const amp_priv_tile_variable *v, const amp_priv_site *site,
                                                 void *const *captured)
{
    size_t size = amp_priv_type_size(site, captured, v->type, v->name.at);
    amp_priv_arithmetic value = { v->dimensions, site, size != 0 };
    while (value.ok && v->dimensions.at && amp_priv_token_is(value.token, "[")) {
        value.token = amp_priv_token_after(value.token);
        const long long n = amp_priv_value_of(&value, 2);
        value.ok = value.ok && n > 0 && amp_priv_token_is(value.token, "]");
        value.token = amp_priv_token_after(value.token);
        size *= (size_t)n;
    }
    return value.ok ? size : 0;
}

/* Does its name mean something else elsewhere: in text, among the locals, the captures, the index? */
AMP_PRIV_COLD bool amp_priv_tile_variable_clashes(const amp_priv_tile_variable *v, const amp_priv_site *site,
                                                  const char *text, const char *locals)
{
    bool clashes = amp_priv_token_find(text, v->name).at < v->start.at || amp_priv_uses(v->scope.at, v->name) ||
                   (locals && amp_priv_uses(locals, v->name)) || amp_priv_uses(site->index, v->name);
    for (int i = 0; i < site->capture_count; i++)
        clashes = clashes || amp_priv_token_is(v->name, site->captures[i].name);
    return clashes;
}

/* Moves the first tile_static variable of text into locals, under a name that clashes with nothing, and appends the
   rest; false when there is none. */
AMP_PRIV_COLD bool amp_priv_hoist_tile_static(const amp_priv_site *site, const char *text, int number,
                                              amp_priv_string *locals, amp_priv_string *rest, amp_priv_tile_variable *v)
{
    if (!amp_priv_tile_variable_find(v, text))
        return false;
    char suffix[32] = "";
    if (amp_priv_tile_variable_clashes(v, site, text, locals->text))
        snprintf(suffix, sizeof suffix, "_amp_%d", number);
    /* Device compilers read four neighbours at once only where they know that they may: it makes a blocked matrix
       product on an H200 half again as fast. Vectors of 64 bits want 32 bytes, and may be in structs. */
    const int alignment = amp_priv_listed(amp_priv_look_types, v->type) ? 16 : 32;
    const char *const after_name = v->name.at + v->name.length;
    amp_priv_addf(locals, "  __local __attribute__((aligned(%d))) %.*s%s%.*s;\n", alignment,
                  (int)(after_name - v->type.at), v->type.at, suffix, (int)(v->end.at - after_name), after_name);
    amp_priv_add(rest, text, (size_t)(v->start.at - text));
    bool member = false;
    for (amp_priv_token t = amp_priv_token_at(v->end.at + v->end.length); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        amp_priv_add(rest, t.at, t.length);
        if (t.kind == AMP_PRIV_TOKEN_SPACE)
            continue;
        if (t.at < v->scope.at && !member && amp_priv_token_is_word(t, v->name))
            amp_priv_adds(rest, suffix);
        member = amp_priv_token_selects(t);
    }
    return true;
}

/* // >>variants */

/* Variants of a site's program, any of these together. What it costs on an H200 to do without the simpler one: */
enum {
    AMP_PRIV_OFFSETS64 = 1,    /* views have elements too far apart for 32-bit offsets */
    AMP_PRIV_BOUNDS_GUARD = 2, /* there are threads without an index, so each looks whether it has one: a copy, 3% */
    AMP_PRIV_BASE_OFFSET =
        4,                /* a view does not begin where its buffer does: accesses add in 64 bits, Black-Scholes, 4% */
    AMP_PRIV_APART = 8,   /* written views overlap no other: pointers are `restrict` */
    AMP_PRIV_IMAGES = 16, /* the site's samplings read images */
    AMP_PRIV_CARRY = 5    /* from this bit on: how many threads of the launch a work-item carries, as a power of two */
};

static inline int amp_priv_carried(unsigned variant) { return 1 << (variant >> AMP_PRIV_CARRY); }

/* The dimension of the device in which they lie: rows, where there are any, so that neighbours stay neighbours. */
static inline int amp_priv_carry_dimension(int rank) { return rank > 1; }

/* "amp_array_view_float_2" */
AMP_PRIV_COLD void amp_priv_add_view_type(amp_priv_string *out, const amp_priv_head *head)
{
    amp_priv_addf(out, "%s%s_%d",
                  head->kind == AMP_PRIV_VIEW         ? "amp_array_view_"
                  : head->kind == AMP_PRIV_CONST_VIEW ? "amp_const_array_view_"
                                                      : "amp_array_",
                  head->element->name, head->rank);
}

/* // >>samplings
   `name_fast_sample_2(view, sampler, place)` (amp/graphics/textures.h) in a kernel's own body may read a captured const
   view through texture units: as an image, which is an argument beside the view's. */

typedef struct amp_priv_sampling {
    int capture, rank, channels;
    amp_priv_texels texels;
    amp_priv_word texture, result; /* the texture's name, the type of what is read: in texts of definitions */
} amp_priv_sampling;

/* All of a site, each capture once. */
typedef struct amp_priv_samplings {
    int count;
    amp_priv_sampling of[AMP_PRIV_MAX_IMAGES];
} amp_priv_samplings;

#define AMP_PRIV_FAST_SAMPLE "_fast_sample_"

/* The definition of the user's that is called `texture`, `middle`, `rank`; NULL: there is none. */
AMP_PRIV_COLD const amp_priv_user_definition *
amp_priv_texture_function(const amp_priv_site *site, amp_priv_word texture, const char *middle, int rank)
{
    char name[256];
    snprintf(name, sizeof name, "%.*s%s%d", (int)texture.length, texture.at, middle, rank);
    const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL;
    while (d && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

/* What `from` makes a `result` of: "amp_float_4_from_unorm8", or of an element that is one already. */
AMP_PRIV_COLD amp_priv_texels amp_priv_texels_of(amp_priv_token from, amp_priv_token result,
                                                 const amp_priv_element *element)
{
    static const struct {
        const char *name;
        amp_priv_texels texels;
    } formats[] = { { "unorm8", AMP_PRIV_TEXELS_UNORM8 },
                    { "norm8", AMP_PRIV_TEXELS_NORM8 },
                    { "unorm16", AMP_PRIV_TEXELS_UNORM16 },
                    { "norm16", AMP_PRIV_TEXELS_NORM16 },
                    { "half", AMP_PRIV_TEXELS_HALF } };
    if (from.kind != AMP_PRIV_TOKEN_WORD)
        return amp_priv_token_is(result, element->name) ? AMP_PRIV_TEXELS_FLOAT : AMP_PRIV_TEXELS_NONE;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%.*s_from_%s", amp_priv_token_is(result, "float") ? "amp_" : "",
                 (int)result.length, result.at, formats[i].name);
        if (amp_priv_token_is(from, name))
            return formats[i].texels;
    }
    return AMP_PRIV_TEXELS_NONE;
}

/* How texels lie in memory, from the text of name_get_N: `{ const V texel = from(((view).data[ ...`. False where
   texture units read no such texels. Single halves they do, but pocl 3.1 reads them wrong. */
AMP_PRIV_COLD bool amp_priv_sampling_format(amp_priv_sampling *s, const char *text, const amp_priv_element *element)
{
    static const int bytes[] = {
        [AMP_PRIV_TEXELS_UNORM8] = 1, [AMP_PRIV_TEXELS_NORM8] = 1, [AMP_PRIV_TEXELS_UNORM16] = 2,
        [AMP_PRIV_TEXELS_NORM16] = 2, [AMP_PRIV_TEXELS_HALF] = 2,  [AMP_PRIV_TEXELS_FLOAT] = 4
    };
    amp_priv_token result = amp_priv_token_at(text), t = result;
    for (; t.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(t, "texel"); t = amp_priv_token_after(t))
        result = t;
    const amp_priv_token from = amp_priv_token_after(amp_priv_token_after(t));
    t = from.kind == AMP_PRIV_TOKEN_WORD ? amp_priv_token_after(from) : from;
    const amp_priv_token second = amp_priv_token_after(t), third = amp_priv_token_after(second);
    const bool is_plain = amp_priv_token_is(t, "(") && amp_priv_token_is(second, "(") &&
                          amp_priv_token_is(third, "(") && amp_priv_token_is(amp_priv_token_after(third), "view");
    s->result = (amp_priv_word){ result.at, result.length };
    s->channels = amp_priv_token_is(result, "float") ? 1 : amp_priv_token_is(result, "amp_float_2") ? 2 : 4;
    s->texels = is_plain ? amp_priv_texels_of(from, result, element) : AMP_PRIV_TEXELS_NONE;
    return s->texels != AMP_PRIV_TEXELS_NONE && (s->texels != AMP_PRIV_TEXELS_HALF || s->channels > 1) &&
           element->size == (size_t)(s->channels * bytes[s->texels]);
}

/* Is the word called with a captured const view, and what texture units could do? */
AMP_PRIV_COLD bool amp_priv_sampling_at(amp_priv_sampling *s, amp_priv_token t, const amp_priv_site *site,
                                        void *const *captured)
{
    const size_t end = sizeof AMP_PRIV_FAST_SAMPLE; /* with the rank's digit */
    if (t.kind != AMP_PRIV_TOKEN_WORD || t.length <= end ||
        memcmp(t.at + t.length - end, AMP_PRIV_FAST_SAMPLE, end - 1))
        return false;
    const amp_priv_token open = amp_priv_token_after(t), view = amp_priv_token_after(open);
    if (!amp_priv_token_is(open, "(") || !amp_priv_token_is(amp_priv_token_after(view), ","))
        return false;
    s->rank = t.at[t.length - 1] - '0';
    s->texture = (amp_priv_word){ t.at, t.length - end };
    const amp_priv_user_definition *const get = amp_priv_texture_function(site, s->texture, "_get_", s->rank);
    if (!get || !amp_priv_texture_function(site, s->texture, AMP_PRIV_FAST_SAMPLE, s->rank))
        return false;
    s->texture.at = get->name;
    for (s->capture = 0; s->capture < site->capture_count; s->capture++)
        if (site->captures[s->capture].kind == AMP_PRIV_CAPTURE_VIEW &&
            amp_priv_token_is(view, site->captures[s->capture].name))
            break;
    const amp_priv_head *const head = s->capture < site->capture_count ? captured[s->capture] : NULL;
    return head && head->kind == AMP_PRIV_CONST_VIEW && head->rank == s->rank &&
           amp_priv_sampling_format(s, get->text, head->element);
}

/* May something else be declared by that name in the body? */
AMP_PRIV_COLD bool amp_priv_redeclares(const char *body, const char *name)
{
    amp_priv_token before = { AMP_PRIV_TOKEN_MARK, body, 0 };
    for (amp_priv_token t = amp_priv_token_at(body); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        if (amp_priv_token_is(t, name) && !amp_priv_token_selects(before) &&
            (before.kind == AMP_PRIV_TOKEN_WORD || amp_priv_token_is(before, ")") ||
             amp_priv_token_is(amp_priv_token_after(t), "=")))
            return true;
        before = t;
    }
    return false;
}

/* The sampling of a capture, NULL: it is none, or the number of them is too great. */
AMP_PRIV_COLD amp_priv_sampling *amp_priv_sampling_of(amp_priv_samplings *all, int capture)
{
    int i = 0;
    while (i < all->count && all->of[i].capture != capture)
        i++;
    return i < all->count ? &all->of[i] : NULL;
}

/* All of a body. None where one view is read as two kinds of texels, or its name may mean something else. */
AMP_PRIV_COLD void amp_priv_samplings_find(amp_priv_samplings *all, const char *body, const amp_priv_site *site,
                                           void *const *captured)
{
    all->count = 0;
    for (amp_priv_token t = amp_priv_token_at(body); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        amp_priv_sampling s;
        if (!amp_priv_sampling_at(&s, t, site, captured))
            continue;
        const amp_priv_sampling *const same = amp_priv_sampling_of(all, s.capture);
        if ((same && (same->texels != s.texels || same->channels != s.channels)) ||
            amp_priv_redeclares(body, site->captures[s.capture].name)) {
            all->count = 0;
            return;
        }
        if (!same && all->count < AMP_PRIV_MAX_IMAGES)
            all->of[all->count++] = s;
    }
}

/* The same, found once for each site. Where there is no memory for that, none for now: the next launch looks again. */
AMP_PRIV_COLD amp_priv_samplings *amp_priv_site_samplings_find(amp_priv_site *site, void *const *captured)
{
    static amp_priv_samplings none;
    amp_priv_samplings *found = &none, *before = NULL;
    amp_priv_string body = { NULL, 0, 0, false };
    if (strstr(site->text, AMP_PRIV_FAST_SAMPLE))
        amp_priv_strip_host_syntax(&body, site->text);
    if (body.text && !body.failed && (found = malloc(sizeof *found)) != NULL)
        amp_priv_samplings_find(found, body.text, site, captured);
    free(body.text);
    if (!found)
        return &none;
    if (atomic_compare_exchange_strong(&site->samplings, &before, found))
        return found;
    if (found != &none)
        free(found); /* another thread was first */
    return before;
}

static inline amp_priv_samplings *amp_priv_site_samplings(amp_priv_site *site, void *const *captured)
{
    amp_priv_samplings *const known = atomic_load_explicit(&site->samplings, memory_order_acquire);
    return __builtin_expect(known != NULL, 1) ? known : amp_priv_site_samplings_find(site, captured);
}

/* Appends the function that is called instead of name_fast_sample_N: by the image where the sampler allows it, and,
   where a target's images end at their edges, the place. */
AMP_PRIV_COLD void amp_priv_add_image_function(amp_priv_string *out, const amp_priv_sampling *s,
                                               const amp_priv_head *head)
{
    static const char *const places[] = { "float", "amp_float_2", "amp_float_3" };
    const int texture = (int)s->texture.length, result = (int)s->result.length;
    amp_priv_addf(out, "static inline %.*s amp_priv_%.*s_by_image_%d(amp_priv_image_type_%d image, ", result,
                  s->result.at, texture, s->texture.at, s->rank, s->rank);
    amp_priv_add_view_type(out, head);
    amp_priv_addf(out,
                  " view, amp_sampler s, %s at)\n{\n"
                  "  if (!(amp_priv_by_image(s) & amp_priv_image_inside_%d(view.extent, s.address, at)))\n"
                  "    return %.*s_sample_%d(view, s, at);\n"
                  "  return amp_priv_image_%.*s(amp_priv_image_%d(image, s.address, at));\n}\n",
                  places[s->rank - 1], s->rank, texture, s->texture.at, s->rank, result, s->result.at, s->rank);
}

/* In the variant that does: has body, whose samplings the site has, read images; appends the functions for that. */
AMP_PRIV_COLD void amp_priv_samplings_rewrite(amp_priv_string *body, amp_priv_string *functions,
                                              const amp_priv_site *site, void *const *captured, unsigned variant)
{
    if (!(variant & AMP_PRIV_IMAGES))
        return;
    amp_priv_samplings *const all = atomic_load(&site->samplings);
    amp_priv_string rest = { NULL, 0, 0, body->failed };
    for (amp_priv_token t = amp_priv_token_at(body->text ? body->text : ""); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        amp_priv_sampling s;
        char name[300];
        if (!amp_priv_sampling_at(&s, t, site, captured) || !amp_priv_sampling_of(all, s.capture)) {
            amp_priv_add(&rest, t.at, t.length);
            continue;
        }
        snprintf(name, sizeof name, "amp_priv_%.*s_by_image_%d", (int)s.texture.length, s.texture.at, s.rank);
        if (!functions->text || !amp_priv_has_word(functions->text, name))
            amp_priv_add_image_function(functions, &s, captured[s.capture]);
        amp_priv_addf(&rest, "%s(amp_priv_pixels_%s, ", name, site->captures[s.capture].name);
        t = amp_priv_token_after(t);
    }
    free(body->text);
    *body = rest;
}

/* // >>kernel */

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

/* "{{a[0], a[1]}}" */
AMP_PRIV_COLD void amp_priv_add_values(amp_priv_string *out, const char *format, const char *name, int count)
{
    amp_priv_adds(out, "{{");
    for (int d = 0; d < count; d++) {
        if (d)
            amp_priv_adds(out, ", ");
        for (const char *f = format; *f; f++) {
            if (*f == '$')
                amp_priv_adds(out, name);
            else if (*f == '#')
                amp_priv_addf(out, "%d", d);
            else if (*f == '@')
                amp_priv_addf(out, "%d", count - 1 - d);
            else
                amp_priv_add(out, f, 1);
        }
    }
    amp_priv_adds(out, "}}");
}

/* Does the kernel have to know the extent that it is launched over? */
static inline bool amp_priv_needs_domain(const amp_priv_site *site, unsigned variant)
{
    return !site->tiled && ((variant & AMP_PRIV_BOUNDS_GUARD) || site->rank > 3);
}

/* Has the struct of that name a bool in it? OpenCL C allows that in memory, but in no parameter. */
AMP_PRIV_COLD bool amp_priv_holds_bool(const amp_priv_items *items, const char *name)
{
    for (size_t i = 0; i < items->count; i++) {
        const amp_priv_item *const item = &items->item[i];
        if (!item->is_user_definition || strcmp(item->name.at, name))
            continue;
        if (amp_priv_has_word(item->text, "bool") || amp_priv_has_word(item->text, "_Bool"))
            return true;
        for (size_t j = 0; j < i; j++)
            if (items->item[j].is_user_definition && amp_priv_has_word(item->text, items->item[j].name.at) &&
                amp_priv_holds_bool(items, items->item[j].name.at))
                return true;
    }
    return false;
}

enum { AMP_PRIV_KERNEL_NAME = 256 };
/* Of ASCII alone. */
AMP_PRIV_COLD const char *amp_priv_kernel_name(const amp_priv_site *site, char *name)
{
    snprintf(name, AMP_PRIV_KERNEL_NAME, "amp_%.200s_%d", site->function, site->line);
    for (char *c = name; *c; c++)
        *c = (unsigned char)*c >= 0x80 ? '_' : *c;
    return name;
}

/* The kernel's arguments, in this order (amp/kernel.h sets them in the same):
     amp_priv_e0 ...     simple kernels that need it: the extent, an int per dimension
     amp_priv_base       simple kernels of rank > 3: the first flattened leading index of this enqueue, 64 bits
     of each capture     view: the buffer, the offset of its first element where one has any, all strides but the last,
                         which is 1, and where the kernel asks for extents, those; scalar, struct: the value (bool as
                         unsigned char, a struct that holds one as bytes); constant: nothing
     of each sampling    where they read images: the image
     amp_priv_fault      checked builds: the launch's record of faults
   A view's numbers come one by one: in a struct pocl takes them for different in every thread (a sum: 0.7 of the
   speed). They are few because pocl copies each of them for each launch (0.07 us). */
AMP_PRIV_COLD void amp_priv_add_parameters(amp_priv_string *out, const amp_priv_site *site, void *const *captured,
                                           const amp_priv_items *items, unsigned variant, bool extents)
{
    const int rank = site->rank;
    bool first = true;
    if (amp_priv_needs_domain(site, variant)) {
        for (int d = 0; d < rank; d++)
            amp_priv_addf(out, "%sconst int amp_priv_e%d", d ? ", " : "", d);
        if (rank > 3)
            amp_priv_adds(out, ", const unsigned long amp_priv_base");
        first = false;
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        if (c->kind == AMP_PRIV_CAPTURE_CONSTANT)
            continue;
        amp_priv_adds(out, first ? "\n    " : ",\n    ");
        first = false;
        if (c->kind == AMP_PRIV_CAPTURE_VIEW) {
            const amp_priv_head *const head = captured[i];
            const char *const element = head->element->name;
            amp_priv_addf(out, "__global %s", head->kind == AMP_PRIV_CONST_VIEW ? "const " : "");
            amp_priv_add_element(out, (amp_priv_word){ element, strlen(element) });
            amp_priv_addf(out, " *%samp_priv_data_%s", variant & AMP_PRIV_APART ? "restrict " : "", c->name);
            if (variant & AMP_PRIV_BASE_OFFSET)
                amp_priv_addf(out, ", const amp_priv_offset amp_priv_start_%s", c->name);
            for (int d = 0; d < head->rank - 1; d++)
                amp_priv_addf(out, ", const amp_priv_offset amp_priv_stride_%s_%d", c->name, d);
            for (int d = 0; extents && d < head->rank; d++)
                amp_priv_addf(out, ", const int amp_priv_extent_%s_%d", c->name, d);
        } else if (!strcmp(c->type, "bool")) {
            amp_priv_addf(out, "const unsigned char amp_priv_value_%s", c->name);
        } else if (c->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, c->type)) {
            amp_priv_addf(out, "const struct amp_priv_bytes_%s amp_priv_value_%s", c->name, c->name);
        } else {
            amp_priv_addf(out, "const %s %s", c->type, c->name);
        }
    }
    const amp_priv_samplings *const samplings = variant & AMP_PRIV_IMAGES ? atomic_load(&site->samplings) : NULL;
    for (int i = 0; samplings && i < samplings->count; i++)
        amp_priv_addf(out, ",\n    amp_priv_image_type_%d amp_priv_pixels_%s", samplings->of[i].rank,
                      site->captures[samplings->of[i].capture].name);
#if defined(AMP_CHECKED)
    amp_priv_addf(out, "%s__global int *amp_priv_fault", first ? "\n    " : ",\n    ");
#endif
}

AMP_PRIV_COLD void amp_priv_add_constants(amp_priv_string *out, const amp_priv_site *site)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        if (c->kind != AMP_PRIV_CAPTURE_CONSTANT)
            continue;
        if (c->value >= INT_MIN && c->value <= INT_MAX)
            amp_priv_addf(out, "  enum { %s = %lld };\n", c->name, c->value);
        else
            amp_priv_addf(out, "  const long %s = %lldL;\n", c->name, c->value);
    }
}

AMP_PRIV_COLD void amp_priv_add_tile(amp_priv_string *out, const amp_priv_site *site)
{
    const int rank = site->rank;
    amp_priv_addf(out, "  const amp_tile%d %s = {", rank, site->index);
    amp_priv_add_values(out, "(int)get_group_id(@)", "", rank);
    amp_priv_adds(out, ", {{");
    for (int d = 0; d < rank; d++)
        amp_priv_addf(out, "%s(int)get_group_id(%d) * %d", d ? ", " : "", rank - 1 - d, site->tile[d]);
    amp_priv_adds(out, "}}, {0}};\n");
}

/* The work-item's coordinates on the device, amp_priv_u0 ..., and who has none is gone. Where it carries several
   threads, amp_priv_add_turns makes them: from amp_priv_turn_first on, a work-group's row apart where there are no
   rows, so that neighbours stay neighbours, else row by row, so that what rows share is in registers (an H200: a copy,
   1.54 times as fast with four; a stencil, 1.50). */
AMP_PRIV_COLD void amp_priv_add_coordinates(amp_priv_string *out, const amp_priv_site *site, unsigned variant)
{
    const int rank = site->rank, threads = amp_priv_carried(variant);
    const int direct = rank > 3 ? 2 : rank; /* dimensions that are one of the launch's own */
    const int carry = threads > 1 ? rank - 1 - amp_priv_carry_dimension(rank) : -1;
    for (int d = rank - direct; d < rank; d++)
        if (d != carry)
            amp_priv_addf(out, "  const unsigned amp_priv_u%d = (unsigned)get_global_id(%d);\n", d, rank - 1 - d);
        else if (rank > 1)
            amp_priv_addf(out,
                          "  const unsigned amp_priv_turn_first = (unsigned)get_global_id(1) * %d, "
                          "amp_priv_turn_step = 1;\n",
                          threads);
        else
            amp_priv_addf(
                out,
                "  const unsigned amp_priv_turn_step = (unsigned)get_local_size(0);\n"
                "  const unsigned amp_priv_turn_first = (unsigned)get_group_id(0) * %d * amp_priv_turn_step + "
                "(unsigned)get_local_id(0);\n",
                threads);
    if (rank > 3)
        amp_priv_adds(out, "  unsigned long amp_priv_lead = amp_priv_base + get_global_id(2);\n");
    if (!(variant & AMP_PRIV_BOUNDS_GUARD))
        return;
    amp_priv_adds(out, "  if (");
    for (int d = rank - direct; d < rank; d++) {
        amp_priv_adds(out, d > rank - direct ? " || " : "");
        if (d == carry)
            amp_priv_adds(out, "amp_priv_turn_first");
        else
            amp_priv_addf(out, "amp_priv_u%d", d);
        amp_priv_addf(out, " >= (unsigned)amp_priv_e%d", d);
    }
    if (rank > 3) {
        amp_priv_adds(out, " || amp_priv_lead >= ");
        for (int d = 0; d < rank - 2; d++)
            amp_priv_addf(out, "%s(unsigned long)amp_priv_e%d", d ? " * " : "", d);
    }
    amp_priv_adds(out, ") return;\n");
}

/* Does the text, or an AMP_FUNCTION that it calls, have one of these words? The list ends with NULL. */
AMP_PRIV_COLD bool amp_priv_has_one(const amp_priv_site *site, const char *text, const amp_priv_user_definition *from,
                                    const char *const *words)
{
    for (const char *const *word = words; *word; word++)
        if (amp_priv_has_word(text, *word))
            return true;
    for (const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL; d != from && d;
         d = d->next)
        if (amp_priv_has_word(text, d->name) && amp_priv_has_one(site, d->text, d, words))
            return true;
    return false;
}

/* Is the loop over a work-item's threads to be unrolled? A simple kernel's only where it loops and jumps nowhere, a
   phase where it does not jump: NVIDIA's assembler and pocl compile some larger bodies wrongly when they are repeated,
   and right as a loop. */
AMP_PRIV_COLD bool amp_priv_unrolls(const amp_priv_site *site, const char *body)
{
    static const char *const words[] = { "for", "while", "goto", "switch", NULL };
    return !amp_priv_has_one(site, body, NULL, site->tiled ? words + 2 : words);
}

/* The loop over the threads that a work-item carries, up to the body. Where the last ones have fewer, their number is
   found before it: written out, the loop of the others then asks nothing between its turns. */
AMP_PRIV_COLD void amp_priv_add_turns(amp_priv_string *out, const amp_priv_site *site, unsigned variant,
                                      bool is_unrolled)
{
    const int threads = amp_priv_carried(variant), carry = site->rank - 1 - amp_priv_carry_dimension(site->rank);
    if (threads == 1)
        return;
    if (variant & AMP_PRIV_BOUNDS_GUARD)
        amp_priv_addf(
            out,
            "  const unsigned amp_priv_turns = amp_priv_turn_first + %d * amp_priv_turn_step < (unsigned)amp_priv_e%d"
            " ? %d : ((unsigned)amp_priv_e%d - amp_priv_turn_first - 1) / amp_priv_turn_step + 1;\n",
            threads - 1, carry, threads, carry);
    else
        amp_priv_addf(out, "  const unsigned amp_priv_turns = %d;\n", threads);
    amp_priv_addf(out,
                  "  _Pragma(\"unroll %d\")\n"
                  "  for (unsigned amp_priv_turn = 0; amp_priv_turn < amp_priv_turns; amp_priv_turn++) {\n"
                  "  const unsigned amp_priv_u%d = amp_priv_turn_first + amp_priv_turn * amp_priv_turn_step;\n",
                  is_unrolled ? threads : 1, carry);
}

/* The names of the user's index, from those coordinates, amp_priv_i0 ... */
AMP_PRIV_COLD void amp_priv_add_index(amp_priv_string *out, const amp_priv_site *site)
{
    const int rank = site->rank, direct = rank > 3 ? 2 : rank;
    for (int d = rank - direct; d < rank; d++)
        amp_priv_addf(out, "  const int amp_priv_i%d = (int)amp_priv_u%d;\n", d, d);
    if (rank > 3)
        amp_priv_adds(out, "  unsigned long amp_priv_rest = amp_priv_lead;\n");
    for (int d = rank - direct - 1; d > 0; d--)
        amp_priv_addf(out,
                      "  const int amp_priv_i%d = (int)(amp_priv_rest %% (unsigned long)amp_priv_e%d);\n"
                      "  amp_priv_rest /= (unsigned long)amp_priv_e%d;\n",
                      d, d, d);
    if (rank > 3)
        amp_priv_adds(out, "  const int amp_priv_i0 = (int)amp_priv_rest;\n");
    amp_priv_token names[AMP_MAX_RANK];
    const int count = amp_priv_index_names(site->index, names);
    if (count == 0) {
        amp_priv_addf(out, "  const amp_index%d %s = ", site->rank, site->index);
        amp_priv_add_values(out, "amp_priv_i#", "", site->rank);
        amp_priv_adds(out, ";\n");
    }
    for (int d = 0; d < count; d++)
        amp_priv_addf(out, "  const int %.*s = amp_priv_i%d;\n", (int)names[d].length, names[d].at, d);
}

/* Views and bools, from the parameters. */
AMP_PRIV_COLD void amp_priv_add_captures(amp_priv_string *out, const amp_priv_site *site, void *const *captured,
                                         const amp_priv_items *items, unsigned variant, bool extents)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        if (c->kind == AMP_PRIV_CAPTURE_VIEW) {
            const amp_priv_head *const head = captured[i];
            amp_priv_adds(out, "  const ");
            amp_priv_add_view_type(out, head);
            amp_priv_addf(out, " %s = {", c->name);
#if defined(AMP_CHECKED)
            amp_priv_addf(out, "{amp_priv_fault, %d, ", i);
            amp_priv_add_values(out, "amp_priv_extent_$_#", c->name, head->rank);
            amp_priv_adds(out, "}, ");
#endif
            amp_priv_addf(out, "amp_priv_data_%s", c->name);
            if (variant & AMP_PRIV_BASE_OFFSET)
                amp_priv_addf(out, " + amp_priv_start_%s", c->name);
            amp_priv_adds(out, ", ");
            amp_priv_add_values(out, extents ? "amp_priv_extent_$_#" : "0", c->name, head->rank);
            amp_priv_adds(out, ", {{");
            for (int d = 0; d < head->rank - 1; d++)
                amp_priv_addf(out, "amp_priv_stride_%s_%d, ", c->name, d);
            amp_priv_adds(out, "1}}};\n");
        } else if (c->kind == AMP_PRIV_CAPTURE_SCALAR && !strcmp(c->type, "bool")) {
            amp_priv_addf(out, "  const bool %s = amp_priv_value_%s != 0;\n", c->name, c->name);
        } else if (c->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, c->type)) {
            amp_priv_addf(out,
                          "  const union { struct amp_priv_bytes_%s bytes; %s value; } amp_priv_union_%s = "
                          "{amp_priv_value_%s};\n  const %s %s = amp_priv_union_%s.value;\n",
                          c->name, c->type, c->name, c->name, c->type, c->name, c->name);
        }
    }
}

/* All of the kernel but its body and the last brace. */
AMP_PRIV_COLD void amp_priv_add_kernel(amp_priv_string *out, const amp_priv_site *site, void *const *captured,
                                       const amp_priv_items *items, const char *locals, unsigned variant, bool extents,
                                       bool is_unrolled)
{
    const int rank = site->rank;
    char name[AMP_PRIV_KERNEL_NAME];
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, site->captures[i].type))
            amp_priv_addf(out, "struct amp_priv_bytes_%s { unsigned char v[%zu]; };\n", site->captures[i].name,
                          site->captures[i].size);
    amp_priv_adds(out, "__kernel ");
    if (site->tiled) {
        int group[3] = { 1, 1, 1 };
        for (int d = 0; d < rank; d++)
            group[d] = site->tile[rank - 1 - d];
        group[amp_priv_carry_dimension(rank)] /= amp_priv_carried(variant);
        amp_priv_addf(out, "__attribute__((reqd_work_group_size(%d, %d, %d)))\n", group[0], group[1], group[2]);
        if (rank == 1 && group[0] % 32 == 0 && strstr(site->text, "amp_priv_together"))
            amp_priv_adds(out, "amp_priv_whole_subgroups\n");
    }
    amp_priv_addf(out, "void %s(", amp_priv_kernel_name(site, name));
    amp_priv_add_parameters(out, site, captured, items, variant, extents);
    amp_priv_adds(out, ")\n{\n");
    amp_priv_add_constants(out, site);
    if (site->tiled)
        amp_priv_add_tile(out, site);
    else
        amp_priv_add_coordinates(out, site, variant);
    amp_priv_add_captures(out, site, captured, items, variant, extents);
    if (locals) /* whose types may be those of elements of captured views */
        amp_priv_adds(out, locals);
    if (!site->tiled) {
        amp_priv_add_turns(out, site, variant, is_unrolled);
        amp_priv_add_index(out, site);
    }
}

/* // >>carry: how many threads of a launch one work-item may carry, as far as the text tells. */

enum {
    AMP_PRIV_SIMPLE_CARRY = 4,     /* simple kernels: enough loads under way for the memory's whole bandwidth, */
    AMP_PRIV_CARRIED_BYTES = 24,   /* which are bound by memory while they write no more bytes than this */
    AMP_PRIV_TILED_CARRY = 16,     /* tiled ones: what is read from tile_static memory serves several rows */
    AMP_PRIV_CARRIED_PRIVATE = 128 /* bytes of AMP_PRIVATE for all that a work-item carries: they are registers */
};

/* Bytes of the AMP_PRIVATE variables of a tiled body for a thread; SIZE_MAX when only the device's compiler knows. */
AMP_PRIV_COLD size_t amp_priv_private_bytes(const amp_priv_site *site, void *const *captured, const char *text)
{
    size_t sum = 0;
    amp_priv_token first = amp_priv_token_at(text), before = first;
    for (amp_priv_token t = first; t.kind != AMP_PRIV_TOKEN_END; before = t, t = amp_priv_token_after(t)) {
        if (amp_priv_token_is(t, ";") || amp_priv_token_is(t, "{") || amp_priv_token_is(t, "}"))
            first = amp_priv_token_after(t);
        /* `type name[amp_priv_own_count(2)][amp_priv_own_count(1)] dimensions[amp_priv_own_count(0)]` */
        amp_priv_token count = amp_priv_token_after(t);
        if (!amp_priv_token_is(t, "[") || !amp_priv_token_is(count, "amp_priv_own_count") ||
            !amp_priv_token_is(amp_priv_token_after(amp_priv_token_after(count)), "2"))
            continue;
        size_t size = amp_priv_type_size(site, captured, first, before.at);
        const amp_priv_token second = amp_priv_token_after(amp_priv_token_after(amp_priv_token_closing(t)));
        const amp_priv_token close = amp_priv_token_after(amp_priv_token_closing(second));
        amp_priv_arithmetic value = { amp_priv_token_after(close), site, size != 0 };
        while (value.ok && amp_priv_token_is(value.token, "[") &&
               !amp_priv_token_is(amp_priv_token_after(value.token), "amp_priv_own_count")) {
            value.token = amp_priv_token_after(value.token);
            const long long n = amp_priv_value_of(&value, 2);
            value.ok = value.ok && n > 0 && amp_priv_token_is(value.token, "]");
            value.token = amp_priv_token_after(value.token);
            size *= (size_t)n;
        }
        if (!value.ok)
            return SIZE_MAX;
        sum += size;
    }
    return sum;
}

/* The size of the largest element of the captured views. */
AMP_PRIV_COLD size_t amp_priv_largest_element(const amp_priv_site *site, void *const *captured)
{
    size_t largest = 1;
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW) {
            const size_t size = ((const amp_priv_head *)captured[i])->element->size;
            largest = size > largest ? size : largest;
        }
    return largest;
}

/* Does an assignment, ++ or -- begin at p? */
AMP_PRIV_COLD bool amp_priv_assigns(const char *p)
{
    if (*p == '=')
        return p[1] != '=';
    if (*p == '<' || *p == '>')
        return p[1] == *p && p[2] == '=';
    return *p && strchr("+-*/%&|^", *p) && (p[1] == '=' || (strchr("+-", *p) && p[1] == *p));
}

/* How many assignments to elements of views the text has, at least 1. */
AMP_PRIV_COLD size_t amp_priv_stores(const char *text)
{
    size_t stores = 0;
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        amp_priv_token next = amp_priv_token_after(t);
        if (!amp_priv_token_is(t, "data") || !amp_priv_token_is(next, "["))
            continue;
        next = amp_priv_token_closing(next);
        while (amp_priv_token_is(next, ")") || amp_priv_token_is(next, "]") || next.kind == AMP_PRIV_TOKEN_NUMBER ||
               (amp_priv_token_is(next, "+") && amp_priv_token_is(amp_priv_token_after(next), "0")))
            next = amp_priv_token_after(next); /* (v).data[(...) + 0]) */
        while (amp_priv_token_is(next, "."))   /* a member of the element */
            next = amp_priv_token_after(amp_priv_token_after(next));
        stores += amp_priv_assigns(next.at);
    }
    return stores ? stores : 1;
}

/* The most that text and captures allow: a power of two, at least 1. A simple kernel that loops has enough to do in one
   thread. */
AMP_PRIV_COLD int amp_priv_text_carries(const amp_priv_site *site, void *const *captured)
{
    static const char *const loops[] = { "for", "while", "goto", NULL };
    int carries = site->tiled ? AMP_PRIV_TILED_CARRY : AMP_PRIV_SIMPLE_CARRY;
    size_t each = amp_priv_largest_element(site, captured), room = AMP_PRIV_CARRIED_BYTES;
    amp_priv_string body = { NULL, 0, 0, false };
    amp_priv_strip_host_syntax(&body, site->text);
    if (body.failed || !body.text || (!site->tiled && amp_priv_has_one(site, body.text, NULL, loops)) ||
        (site->tiled && site->rank == 1))
        carries = 1;
    else if (!site->tiled)
        each *= amp_priv_stores(body.text);
    if (carries > 1 && site->tiled) {
        each = amp_priv_private_bytes(site, captured, body.text);
        room = AMP_PRIV_CARRIED_PRIVATE;
    }
    while (carries > 1 && each > room / (size_t)carries)
        carries /= 2;
    free(body.text);
    return carries;
}

/* // >>program */

typedef struct amp_priv_program {
    char *text; /* free it */
    size_t length;
    bool uses_double;
    bool uses_extents;      /* of its views: they are arguments then */
    size_t tile_static;     /* bytes */
    bool tile_static_known; /* false: a type or dimension that only the device's compiler knows */
} amp_priv_program;

/* What is the same on every device. */
__attribute__((unused)) static const char amp_priv_text_common[] =
    "#define amp_priv_in_kernel 1\n"
#if !defined(AMP_CHECKED)
    "#define __assert_fail(text, file, line, function) ((void)0)\n" /* nor of an assertion */
    "#define _assert(text, file, line) ((void)0)\n"
#endif
    "#define amp_priv_pad(extent, tile) amp_priv_padded(extent, tile)\n"; /* there is nobody to hear of an overflow */

/* What the threads of a tile are to the constructs in it. Where a work-item carries several, they are the turns of one
   of a phase's loops, and this comes before what the target says of them. */
AMP_PRIV_COLD void amp_priv_add_threads(amp_priv_string *out, const amp_priv_site *site, int carried)
{
    const int rank = site->rank, carry = amp_priv_carry_dimension(rank);
    amp_priv_addf(out,
                  "typedef amp_tiled_index%d amp_priv_tiled_index;\n"
                  "typedef amp_tile_in_threads%d amp_priv_tile_in_threads;\n",
                  rank, rank);
    for (int d = 0; d < 3; d++)
        amp_priv_addf(out, "#define amp_priv_threads_%d %d\n", d, d < rank ? site->tile[rank - 1 - d] : 1);
    if (carried == 1) {
        amp_priv_addf(out, "#define amp_priv_thread amp_priv_thread_%d\n", rank);
        return;
    }
    amp_priv_addf(out, "#define amp_priv_thread(tile, z, y, x) amp_priv_thread_%d(tile", rank);
    for (int d = 2; d >= 0; d--) {
        amp_priv_addf(out, ", (int)get_local_id(%d)", d);
        if (d == carry)
            amp_priv_addf(out, " + (%c) * %d", "xyz"[d], site -> tile[rank - 1 - d] / carried);
    }
    amp_priv_addf(out,
                  ")\n#define amp_priv_own_count(d) ((d) == %d ? %d : 1)\n#define amp_priv_own_index(i, d) i\n"
                  "#define amp_priv_thread_first(i, d) 0\n#define amp_priv_thread_next(i, d) i++\n"
                  "#define amp_priv_thread_more(i, d) i < amp_priv_own_count(d)\n",
                  carry, carried);
}

/* Adds what the library can give for a target. */
AMP_PRIV_COLD void amp_priv_items_all(amp_priv_items *items, const amp_priv_site *site, unsigned variant,
                                      const amp_priv_target *target, bool atomics64)
{
#define AMP_PRIV_LIST_RANK(N, unused)   amp_priv_text_rank##N,
#define AMP_PRIV_LIST_OFFSET(N, unused) amp_priv_text_offset##N,
#define AMP_PRIV_LIST_AT(N, unused)     amp_priv_text_at##N,
    static const char *const rank_text[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_LIST_RANK, ~) };
    static const char *const offset_text[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_LIST_OFFSET, ~) };
    static const char *const at_text[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_LIST_AT, ~) };
#undef AMP_PRIV_LIST_RANK
#undef AMP_PRIV_LIST_OFFSET
#undef AMP_PRIV_LIST_AT
    static const char *const tiled_text[] = { amp_priv_text_tiled1, amp_priv_text_tiled2, amp_priv_text_tiled3 };
    static const char *const tile_text[] = { amp_priv_text_tile1, amp_priv_text_tile2, amp_priv_text_tile3 };

    amp_priv_items_library(items, target->names, NULL);
    amp_priv_items_library(items, amp_priv_text_common, NULL);
    amp_priv_items_library(items, amp_priv_text_padded, NULL);
    amp_priv_items_library(items, amp_priv_text_times, NULL);
    amp_priv_items_library(items,
                           variant & AMP_PRIV_OFFSETS64 ? "typedef long amp_priv_offset;"
                                                        : "typedef int amp_priv_offset;",
                           NULL);
#if defined(AMP_CHECKED)
    amp_priv_items_library(items, amp_priv_text_outside, NULL);
#endif
    for (int r = 0; r < AMP_MAX_RANK; r++) {
        amp_priv_string index = { NULL, 0, 0, false };
        amp_priv_addf(&index, "amp_index%d", r + 1);
        const char *const also = amp_priv_items_own(items, &index);
        amp_priv_items_library(items, rank_text[r], NULL);
        amp_priv_items_library(items, offset_text[r], NULL);
        amp_priv_items_library(items, at_text[r], NULL);
        amp_priv_items_library(items, target->at[r], also);
    }
    for (int r = 0; r < 3; r++)
        amp_priv_items_library(items, tiled_text[r], NULL);
    amp_priv_items_library(items, amp_priv_text_tile_functions, NULL);
    amp_priv_items_library(items, amp_priv_text_tile_barrier, NULL);
    if (site->tiled) {
        amp_priv_string threads = { NULL, 0, 0, false };
        amp_priv_add_threads(&threads, site, amp_priv_carried(variant));
        amp_priv_items_library(items, tile_text[site->rank - 1], NULL);
        amp_priv_items_library(items, amp_priv_items_own(items, &threads), NULL);
    }
    for (const char *const *text = target->functions; *text; text++)
        amp_priv_items_library(items, *text, NULL);
    const char *const *const wide = atomics64 ? target->functions64 : target->no_functions64;
    amp_priv_items_library(items, wide[0], NULL);
    amp_priv_items_library(items, wide[1], "double");
}

/* Checked builds: an AMP_FUNCTION that asserts, or calls one that does, gets the launch's record of faults as its first
   parameter, and its calls give it. */
#if defined(AMP_CHECKED)

/* Appends text with the record where functions that assert, and own (the one that text defines), have parameters. */
AMP_PRIV_COLD void amp_priv_add_with_fault(amp_priv_string *out, const char *text, const amp_priv_items *items,
                                           const char *own)
{
    bool member = false;
    for (amp_priv_token t = amp_priv_token_at(text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        amp_priv_add(out, t.at, t.length);
        const amp_priv_token open = amp_priv_token_after(t);
        bool asserts = own && amp_priv_token_is(t, own);
        for (size_t i = 0; i < items->count && !asserts; i++)
            asserts = items->item[i].asserts && amp_priv_token_is(t, items->item[i].name.at);
        if (asserts && !member && amp_priv_token_is(open, "(")) {
            amp_priv_adds(out, own && amp_priv_token_is(t, own) ? "(__global int *amp_priv_fault" : "(amp_priv_fault");
            t = open;
            const amp_priv_token next = amp_priv_token_after(open);
            if (amp_priv_token_is(next, "void") && amp_priv_token_is(amp_priv_token_after(next), ")"))
                t = next;
            else if (!amp_priv_token_is(next, ")"))
                amp_priv_adds(out, ", ");
        }
        if (t.kind != AMP_PRIV_TOKEN_SPACE)
            member = amp_priv_token_selects(t);
    }
}

/* Does text assert, or call a function that does? */
AMP_PRIV_COLD bool amp_priv_text_asserts(const char *text, const amp_priv_items *items)
{
    bool asserts = amp_priv_has_word(text, "amp_priv_assert_failed") || amp_priv_has_word(text, "__assert_fail") ||
                   amp_priv_has_word(text, "_assert");
    for (size_t i = 0; i < items->count && !asserts; i++)
        asserts = items->item[i].asserts && amp_priv_has_word(text, items->item[i].name.at);
    return asserts;
}

/* name: of the definition that text is, NULL of a kernel's body. */
AMP_PRIV_COLD bool amp_priv_give_fault(amp_priv_string *text, const amp_priv_items *items, const char *name)
{
    if (!text->text || !amp_priv_text_asserts(text->text, items))
        return false;
    amp_priv_string given = { NULL, 0, 0, text->failed };
    amp_priv_add_with_fault(&given, text->text, items, name);
    free(text->text);
    *text = given;
    return true;
}

#else
#define amp_priv_give_fault(text, items, name) false
#endif

/* Is it of the library's own (amp/backend.h)? */
AMP_PRIV_COLD bool amp_priv_is_included(const amp_priv_user_definition *definition)
{
    return definition->name[strlen(definition->name) - 1] == '*';
}

/* Does a text of the site's, of the user's definitions, or of those that are wanted already (one bit each, in order)
   have a name that definition asks for? */
AMP_PRIV_COLD bool amp_priv_site_names(const amp_priv_site *site, void *const *captured, unsigned wanted,
                                       const amp_priv_user_definition *definition)
{
    char part[32];
    unsigned bit = 1;
    snprintf(part, sizeof part, "%.*s", (int)strlen(definition->name + 2) - 1, definition->name + 2);
    bool names = strstr(site->text, part) != NULL;
    for (int i = 0; i < site->capture_count && !names; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        names = strstr(c->kind == AMP_PRIV_CAPTURE_VIEW ? ((const amp_priv_head *)captured[i])->element->name : c->type,
                       part) != NULL;
    }
    for (const amp_priv_user_definition *d = *site->user_definitions; d && !names; d = d->next) {
        const bool is_user = !amp_priv_is_included(d);
        names = (is_user || (wanted & bit)) && strstr(d->text, part);
        bit <<= !is_user;
    }
    return names;
}

/* Adds the texts of the library's own that the translation unit has included beside amp.h (32 at most). They are long:
   only those that something asks for. */
AMP_PRIV_COLD void amp_priv_items_included(amp_priv_items *items, const amp_priv_site *site, void *const *captured)
{
    unsigned wanted = 0;
    for (unsigned before = 1; site->user_definitions && wanted != before;) {
        unsigned bit = 1;
        before = wanted;
        for (const amp_priv_user_definition *d = *site->user_definitions; d; d = d->next)
            if (amp_priv_is_included(d)) {
                wanted |= wanted & bit || amp_priv_site_names(site, captured, wanted, d) ? bit : 0;
                bit <<= 1;
            }
    }
    for (char order = '0'; wanted && order <= '9'; order++) {
        unsigned bit = 1;
        for (const amp_priv_user_definition *d = *site->user_definitions; d; d = d->next) {
            amp_priv_string text = { NULL, 0, 0, false };
            if (amp_priv_is_included(d) && (wanted & bit) && *d->name == order) {
                amp_priv_strip_host_syntax(&text, d->text);
                amp_priv_items_library(items, amp_priv_items_own(items, &text), NULL);
            }
            bit <<= amp_priv_is_included(d);
        }
    }
}

/* Adds the AMP_FUNCTIONs and AMP_STRUCTs of the translation unit. */
AMP_PRIV_COLD void amp_priv_items_user_definitions(amp_priv_items *items, const amp_priv_site *site)
{
    for (const amp_priv_user_definition *definition = site->user_definitions ? *site->user_definitions : NULL;
         definition; definition = definition->next) {
        if (amp_priv_is_included(definition))
            continue;
        amp_priv_string text = { NULL, 0, 0, false };
        amp_priv_strip_host_syntax(&text, definition->text);
        const bool asserts = amp_priv_give_fault(&text, items, definition->name);
        const size_t length = text.length;
        amp_priv_item *const item = amp_priv_items_add(items, amp_priv_items_own(items, &text), length,
                                                       (amp_priv_word){ definition->name, strlen(definition->name) });
        if (item) {
            item->is_user_definition = true;
            item->asserts = asserts;
        }
    }
}

/* Is it a name of types that the target has, too? */
AMP_PRIV_COLD bool amp_priv_is_type_of_target(const char *name, const amp_priv_target *target)
{
    const amp_priv_token word = amp_priv_token_of(name);
    return amp_priv_listed(" _Bool bool char double float int long short signed unsigned ", word) ||
           amp_priv_listed(target->types, word);
}

/* Adds typedefs of the user's that captured views have for elements: AMP_DEFINE_ELEMENT(real). */
AMP_PRIV_COLD void amp_priv_items_typedefs(amp_priv_items *items, const amp_priv_site *site, void *const *captured,
                                           const amp_priv_target *target)
{
    for (int c = 0; c < site->capture_count; c++) {
        const amp_priv_element *const element =
            site->captures[c].kind == AMP_PRIV_CAPTURE_VIEW ? ((const amp_priv_head *)captured[c])->element : NULL;
        if (!element || !element->scalar || amp_priv_is_type_of_target(element->name, target))
            continue;
        const amp_priv_word name = { element->name, strlen(element->name) };
        if (amp_priv_items_have(items, items->count, name))
            continue;
        amp_priv_string text = { NULL, 0, 0, false };
        amp_priv_addf(&text, "typedef %s %s;", element->scalar, element->name);
        const size_t length = text.length;
        amp_priv_items_add(items, amp_priv_items_own(items, &text), length, name);
    }
}

/* Marks what is named, and what that names. */
AMP_PRIV_COLD void amp_priv_items_choose(amp_priv_items *items, amp_priv_words *words)
{
    for (bool changed = true; changed && !words->failed && !items->failed;) {
        changed = false;
        amp_priv_items_views(items, words);
        for (size_t i = items->count; i-- > 0;) {
            amp_priv_item *const item = &items->item[i];
            if (item->included || !amp_priv_words_have(words, item->name.at, item->name.length) ||
                (item->also && !amp_priv_words_have(words, item->also, strlen(item->also))))
                continue;
            item->included = changed = true;
            amp_priv_words_of(words, item->text, item->length);
        }
    }
}

/* Does the kernel's body, or a function that it calls, ask for the extent of a view? Checked builds always do. */
AMP_PRIV_COLD bool amp_priv_asks_for_extents(const char *body, const amp_priv_items *items)
{
#if defined(AMP_CHECKED)
    return body || items;
#else
    bool asks = body && amp_priv_has_word(body, "extent");
    for (size_t i = 0; i < items->count && !asks; i++)
        asks = items->item[i].is_user_definition && items->item[i].included &&
               amp_priv_has_word(items->item[i].text, "extent");
    return asks;
#endif
}

AMP_PRIV_COLD void amp_priv_add_item(amp_priv_string *out, const amp_priv_item *item)
{
    if (*item->text == '#') {
        amp_priv_add(out, item->text, item->length);
    } else if (!item->is_user_definition && !strncmp(item->text, "typedef", 7)) {
        amp_priv_add(out, item->text, item->length);
        amp_priv_adds(out, "\n");
    } else {
        amp_priv_add_lines(out, item->text, item->length, 0);
    }
}

/* The body as the user wrote it, with `__local` variables moved to locals. */
AMP_PRIV_COLD void amp_priv_program_body(amp_priv_program *program, const amp_priv_site *site, void *const *captured,
                                         amp_priv_string *body, amp_priv_string *locals)
{
    amp_priv_strip_host_syntax(body, site->text);
    for (int n = 1; site->tiled && body->text && !body->failed; n++) {
        amp_priv_string rest = { NULL, 0, 0, false };
        amp_priv_tile_variable variable;
        if (!amp_priv_hoist_tile_static(site, body->text, n, locals, &rest, &variable))
            break;
        const size_t size = amp_priv_tile_variable_size(&variable, site, captured);
        program->tile_static += size;
        program->tile_static_known = program->tile_static_known && size != 0;
        free(body->text);
        *body = rest;
    }
}

/* Has the loops over the threads that a work-item carries written out on a GPU: their private variables are registers
   then. */
AMP_PRIV_COLD void amp_priv_unroll_phases(amp_priv_string *body, const char *coordinate)
{
    amp_priv_string unrolled = { NULL, 0, 0, false };
    for (amp_priv_token t = amp_priv_token_at(body->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        const amp_priv_token type = amp_priv_token_after(amp_priv_token_after(t));
        if (amp_priv_token_is(t, "for") && amp_priv_token_is(amp_priv_token_after(type), coordinate))
            amp_priv_adds(&unrolled, "amp_priv_unroll ");
        amp_priv_add(&unrolled, t.at, t.length);
    }
    free(body->text);
    *body = unrolled;
}

/* Do threads wait for each other between? */
AMP_PRIV_COLD bool amp_priv_waits(const char *from, const char *end)
{
    for (amp_priv_token t = amp_priv_token_at(from); t.at < end; t = amp_priv_token_after(t))
        if (amp_priv_token_begins(t, "amp_barrier_wait") || amp_priv_token_begins(t, "amp_priv_apart_wait") ||
            amp_priv_token_is(t, "amp_priv_near_wait"))
            return true;
    return false;
}

/* The { that begins the block of a loop or branch at t; any other token where there is none. */
AMP_PRIV_COLD amp_priv_token amp_priv_block_of(amp_priv_token t, bool is_branch)
{
    amp_priv_token next = amp_priv_token_after(t);
    if (!amp_priv_token_is(t, "do") && amp_priv_token_is(next, "("))
        next = amp_priv_token_after(amp_priv_token_closing(next));
    return is_branch && amp_priv_token_is(next, "do") ? amp_priv_token_after(next) : next;
}

/* Appends the text between, with branch_end where it is asked for. */
AMP_PRIV_COLD void amp_priv_add_branches(amp_priv_string *out, const char *from, const char *end,
                                         const char *branch_end, bool in_loop)
{
    for (amp_priv_token t = amp_priv_token_at(from); t.at < end;) {
        const bool is_branch = amp_priv_token_is(t, "if") || amp_priv_token_is(t, "else");
        const bool is_loop = amp_priv_token_is(t, "for") || amp_priv_token_is(t, "while");
        const bool may_have = is_branch || is_loop || amp_priv_token_is(t, "do");
        const amp_priv_token open = may_have ? amp_priv_block_of(t, is_branch) : t;
        if (!amp_priv_token_is(open, "{") || open.at == t.at) {
            amp_priv_add(out, t.at, t.length);
            t = amp_priv_token_at(t.at + t.length);
            continue;
        }
        const amp_priv_token close = amp_priv_block_end(open), after = amp_priv_token_after(close);
        const bool again = amp_priv_token_is(after, "while") && /* do { ... } while (0) is none */
                           !amp_priv_token_is(amp_priv_token_after(amp_priv_token_after(after)), "0");
        amp_priv_add(out, t.at, (size_t)(open.at + 1 - t.at));
        amp_priv_add_branches(out, open.at + 1, close.at, branch_end, in_loop || is_loop || again);
        if (is_branch && in_loop && amp_priv_waits(open.at, close.at))
            amp_priv_addf(out, " %s ", branch_end);
        amp_priv_add(out, close.at, close.length);
        t = amp_priv_token_at(close.at + close.length);
    }
}

AMP_PRIV_COLD void amp_priv_end_branches(amp_priv_string *body, const char *branch_end)
{
    amp_priv_string ended = { NULL, 0, 0, false };
    amp_priv_add_branches(&ended, body->text, body->text + body->length, branch_end, false);
    free(body->text);
    *body = ended;
}

AMP_PRIV_COLD void amp_priv_rewrite_tiled(amp_priv_string *body, const amp_priv_site *site, unsigned variant,
                                          const amp_priv_target *target)
{
    if (amp_priv_carried(variant) > 1 && amp_priv_unrolls(site, body->text))
        amp_priv_unroll_phases(body, amp_priv_carry_dimension(site->rank) ? "amp_priv_y" : "amp_priv_x");
    if (target->branch_end && body->text)
        amp_priv_end_branches(body, target->branch_end);
}

/* Appends the body, after a `#line` that says where it stands. */
AMP_PRIV_COLD void amp_priv_add_body(amp_priv_string *kernel, const amp_priv_site *site, const char *body)
{
    amp_priv_addf(kernel, "#line %d \"", site->line);
    for (const char *p = site->file; *p; p++) {
        if (*p == '\\' || *p == '"')
            amp_priv_adds(kernel, "\\");
        amp_priv_add(kernel, p, 1);
    }
    amp_priv_adds(kernel, "\"\n");
    amp_priv_string loop = { NULL, 0, 0, false };
    const bool braced = body[strspn(body, " \n")] == '{';
    amp_priv_addf(&loop, braced ? "do %s while (0);" : "do { %s } while (0);", body);
    if (loop.text)
        amp_priv_add_lines(kernel, loop.text, loop.length, 1);
    kernel->failed = kernel->failed || loop.failed;
    free(loop.text);
}

/* Appends the items that are in the program: typedefs and functions of the library, then the user's definitions, each
   followed by views of it. */
AMP_PRIV_COLD void amp_priv_add_items(amp_priv_string *out, const amp_priv_items *items, const amp_priv_target *target)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->item[i].included && !items->item[i].is_user_definition && !items->item[i].after)
            amp_priv_add_item(out, &items->item[i]);
    for (size_t i = 0; i < items->count; i++) {
        const amp_priv_item *const definition = &items->item[i];
        if (!definition->is_user_definition || !definition->included)
            continue;
        char spaced[72];
        snprintf(spaced, sizeof spaced, " %.60s ", definition->name.at);
        if (strstr(target->builtin, spaced))
            amp_priv_addf(out, "#define %s amp_function_%s\n", definition->name.at, definition->name.at);
        if (strstr(target->types, spaced))
            amp_priv_addf(out, "#define %s amp_type_%s\n", definition->name.at, definition->name.at);
        amp_priv_add_item(out, definition);
        for (size_t v = 0; v < items->count; v++)
            if (items->item[v].included && items->item[v].after == definition->name.at)
                amp_priv_add_item(out, &items->item[v]);
    }
}

/* Appends what comes first: the openings that the words ask for, and other names for words of the language in text. */
AMP_PRIV_COLD void amp_priv_add_preamble(amp_priv_string *out, const amp_priv_words *words, const char *text,
                                         const amp_priv_target *target)
{
    const char *last = NULL;
    for (const amp_priv_opening *o = target->opening; o->word; o++)
        if ((!last || strcmp(o->text, last) != 0) &&
            (!o->word[0] || amp_priv_words_have(words, o->word, strlen(o->word)))) {
            amp_priv_adds(out, o->text);
            last = o->text;
        }
    for (const char *word = target->words; *word;) {
        const size_t length = strcspn(word, " ");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (amp_priv_has_word(text, name))
            amp_priv_addf(out, "#define %s amp_word_%s\n", name, name);
        word += length + strspn(word + length, " ");
    }
}

/* Names beyond ASCII, which are C's and of no device: ö becomes _u00f6. */
AMP_PRIV_COLD void amp_priv_program_in_ascii(amp_priv_string *program)
{
    amp_priv_string out = { NULL, 0, 0, false };
    const char *c = program->text;
    while (c && *c && (unsigned char)*c < 0x80)
        c++;
    if (!c || !*c)
        return;
    for (amp_priv_token t = amp_priv_token_at(program->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length))
        for (size_t i = 0; i < t.length;) {
            const unsigned char lead = (unsigned char)t.at[i];
            if (lead < 0x80 || t.kind == AMP_PRIV_TOKEN_QUOTED) {
                amp_priv_add(&out, &t.at[i++], 1);
                continue;
            }
            unsigned code = lead & (lead >= 0xf0 ? 0x07u : lead >= 0xe0 ? 0x0fu : 0x1fu);
            for (i++; i < t.length && ((unsigned char)t.at[i] & 0xc0) == 0x80; i++)
                code = code << 6 | ((unsigned char)t.at[i] & 0x3f);
            amp_priv_addf(&out, "_u%04x", code);
        }
    free(program->text);
    *program = out;
}

/* The program as the target's compiler takes it; false when there is no memory for that. */
AMP_PRIV_COLD bool amp_priv_program_translate(amp_priv_string *program, const amp_priv_target *target)
{
    amp_priv_program_in_ascii(program);
    if (program->failed || !target->translate)
        return !program->failed;
    char *const text = target->translate(program->text, &program->length);
    free(program->text);
    program->text = text;
    return text != NULL;
}

/* Makes the program of a site in one of its variants.
   captured  the launch's captures: they tell the types of views
   AMP_OUT_OF_MEMORY (reported) is the only failure. */
AMP_PRIV_COLD amp_status amp_priv_program_make(amp_priv_program *program, const amp_priv_site *site,
                                               void *const *captured, unsigned variant, const amp_priv_target *target,
                                               bool atomics64)
{
    amp_priv_string body = { NULL, 0, 0, false }, locals = { NULL, 0, 0, false }, kernel = { NULL, 0, 0, false };
    amp_priv_string rest = { NULL, 0, 0, false }, out = { NULL, 0, 0, false }, images = { NULL, 0, 0, false };
    amp_priv_items items = { NULL, 0, 0, NULL, 0, false };
    amp_priv_words words = { NULL, 0, 0, false };
    memset(program, 0, sizeof *program);
    program->tile_static_known = true;

    amp_priv_program_body(program, site, captured, &body, &locals);
    amp_priv_samplings_rewrite(&body, &images, site, captured, variant);
    if (site->tiled && body.text)
        amp_priv_rewrite_tiled(&body, site, variant, target);
    amp_priv_items_all(&items, site, variant, target, atomics64);
    amp_priv_items_included(&items, site, captured);
    amp_priv_items_user_definitions(&items, site);
    amp_priv_items_typedefs(&items, site, captured, target);
    (void)amp_priv_give_fault(&body, &items, NULL);
    if (body.text)
        amp_priv_words_of(&words, body.text, body.length);
    if (images.text)
        amp_priv_words_of(&words, images.text, images.length);
    amp_priv_items_choose(&items, &words);
    program->uses_extents = amp_priv_asks_for_extents(body.text, &items);

    amp_priv_adds(&kernel, images.text ? images.text : "");
    amp_priv_add_kernel(&kernel, site, captured, &items, locals.text, variant, program->uses_extents,
                        body.text && amp_priv_unrolls(site, body.text));
    amp_priv_add_body(&kernel, site, body.text ? body.text : "");
    amp_priv_adds(&kernel, !site->tiled && amp_priv_carried(variant) > 1 ? "  }\n}\n" : "}\n");
    if (kernel.text)
        amp_priv_words_of(&words, kernel.text, kernel.length);
    amp_priv_items_choose(&items, &words); /* what else the kernel's own text names */
    program->uses_double =
        amp_priv_words_have(&words, "double", 6) || amp_priv_words_have(&words, "amp_double_2", 12) ||
        amp_priv_words_have(&words, "amp_double_3", 12) || amp_priv_words_have(&words, "amp_double_4", 12);

    amp_priv_add_items(&rest, &items, target);
    amp_priv_adds(&rest, "\n");
    if (kernel.text)
        amp_priv_add(&rest, kernel.text, kernel.length);
    amp_priv_addf(&out, "/* kernel in %s, at or near %s:%d */\n", site->function, site->file, site->line);
    if (rest.text) {
        amp_priv_add_preamble(&out, &words, rest.text, target);
        amp_priv_add(&out, rest.text, rest.length);
    }

    const bool failed = body.failed || images.failed || locals.failed || kernel.failed || rest.failed || out.failed ||
                        items.failed || words.failed;
    char *const texts[] = { body.text, images.text, locals.text, kernel.text, rest.text };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    free(words.slot);
    amp_priv_items_free(&items);
    if (failed || !amp_priv_program_translate(&out, target)) {
        free(out.text);
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its program's text");
    }
    program->text = out.text;
    program->length = out.length;
    return AMP_OK;
}

#endif /* AMP_PROGRAM_H */
