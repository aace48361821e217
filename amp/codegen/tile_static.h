/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tile_static.h - moves tile_static variables to the kernel's outermost scope */
#ifndef AMP_CODEGEN_TILE_STATIC_H
#define AMP_CODEGEN_TILE_STATIC_H

#include "variants.h"

/* // >>tile_static
   OpenCL C has __local variables only at the outermost scope of a kernel, the model has tile_static anywhere. */

/* A constant expression of numbers, captured constants and + - * / % ( ); *ok is false for anything else. */
typedef struct amp_priv_arithmetic {
    amp_priv_token token;
    const amp_priv_launch_site *site;
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
AMP_PRIV_COLD size_t amp_priv_type_size(const amp_priv_launch_site *site, void *const *captured, amp_priv_token first,
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
AMP_PRIV_COLD size_t amp_priv_tile_variable_size(const amp_priv_tile_variable *v, const amp_priv_launch_site *site,
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
AMP_PRIV_COLD bool amp_priv_tile_variable_clashes(const amp_priv_tile_variable *v, const amp_priv_launch_site *site,
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
AMP_PRIV_COLD bool amp_priv_hoist_tile_static(const amp_priv_launch_site *site, const char *text, int number,
                                              amp_priv_string *locals, amp_priv_string *rest, amp_priv_tile_variable *v)
{
    if (!amp_priv_tile_variable_find(v, text))
        return false;
    char suffix[32] = "";
    if (amp_priv_tile_variable_clashes(v, site, text, locals->text))
        snprintf(suffix, sizeof suffix, "_amp_%d", number);
    /* Device compilers read four neighbours at once only where they know that they may: it makes a blocked matrix
       product on an H200 half again as fast. Vectors of 64 bits want 32 bytes, and may be in structs. */
    const int alignment = amp_priv_listed(amp_priv_types_words, v->type) ? 16 : 32;
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

#endif /* AMP_CODEGEN_TILE_STATIC_H */
