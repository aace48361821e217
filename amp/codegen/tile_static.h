/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tile_static.h - moves tile_static variables to the kernel's outermost scope */
#ifndef AMP_CODEGEN_TILE_STATIC_H
#define AMP_CODEGEN_TILE_STATIC_H

#include "variants.h"

/* // >>tile_static
   OpenCL C has __local variables only at the outermost scope of a kernel, the model has tile_static anywhere. */

/* A constant expression of numbers, captured constants and + - * / % ( ); *ok is false for anything else. */
typedef struct amp_priv_arithmetic {
    amp_priv_cursor t;
    const amp_priv_launch_site *site;
    bool ok;
} amp_priv_arithmetic;

/* The value of a captured constant. */
AMP_PRIV_COLD long long amp_priv_value_of_constant(amp_priv_arithmetic *a)
{
    for (int i = a->site->capture_count - 1; i >= 0; i--)
        if (a->site->captures[i].kind == AMP_PRIV_CAPTURE_CONSTANT && amp_priv_is(a->t, a->site->captures[i].name))
            return a->site->captures[i].value;
    a->ok = false;
    return 0;
}

AMP_PRIV_COLD long long amp_priv_value_of(amp_priv_arithmetic *a, int level)
{
    long long value = 0;
    if (level == 0) {
        if (amp_priv_is(a->t, "(")) {
            a->t++;
            value = amp_priv_value_of(a, 2);
            a->ok = a->ok && amp_priv_is(a->t, ")");
        } else if (a->t->token.kind == AMP_PRIV_TOKEN_NUMBER) {
            char *end;
            value = strtoll(a->t->token.at, &end, 0);
        } else {
            value = amp_priv_value_of_constant(a);
        }
        a->t += a->t->token.kind != AMP_PRIV_TOKEN_END;
        return value;
    }
    value = amp_priv_value_of(a, level - 1);
    while (a->ok && amp_priv_is_mark(a->t, level == 1 ? "*/%" : "+-")) {
        const char mark = *a->t++->token.at;
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

/* `size` times the dimensions [n] that stand at t, up to (not NULL) one of `last`; 0 where one is not known. */
AMP_PRIV_COLD size_t amp_priv_array_size(size_t size, amp_priv_cursor t, const amp_priv_launch_site *site,
                                         const char *last)
{
    amp_priv_arithmetic value = { t, site, size != 0 };
    while (value.ok && amp_priv_is(value.t, "[") && !(last && amp_priv_is(value.t + 1, last))) {
        value.t++;
        const long long n = amp_priv_value_of(&value, 2);
        value.ok = value.ok && n > 0 && amp_priv_is(value.t, "]");
        value.t++;
        size *= (size_t)n;
    }
    return value.ok ? size : 0;
}

#define AMP_PRIV_VECTOR_SIZES(S, T, device, mask)                                                                      \
    { "amp_" #S "_2", 2 * sizeof(T) }, { "amp_" #S "_3", 4 * sizeof(T) }, { "amp_" #S "_4", 4 * sizeof(T) },           \
        { "amp_packed_" #S "_3", 3 * sizeof(T) },
/* The size of a type that the program knows of, 0 if it does not. */
AMP_PRIV_COLD size_t amp_priv_type_size(const amp_priv_launch_site *site, void *const *captured, amp_priv_cursor first,
                                        amp_priv_cursor end)
{
    static const struct {
        const char *name;
        size_t size;
    } vectors[] = { AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTOR_SIZES) };
    size_t size = 0;
    for (amp_priv_cursor t = first; t < end; t++) {
        const amp_priv_type_name *const type = amp_priv_type_name_of(t->token);
        if (type && type->size && (size == 0 || (type->kind != AMP_PRIV_TYPE_SIGN && !amp_priv_is(t, "int"))))
            size = type->size;
        for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
            if (amp_priv_is(t, vectors[i].name))
                size = vectors[i].size;
        for (int i = 0; i < site->capture_count; i++) {
            const amp_priv_capture *const capture = &site->captures[i];
            const amp_priv_head *const head = capture->kind == AMP_PRIV_CAPTURE_VIEW ? captured[i] : NULL;
            if (capture->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_is(t, capture->type))
                size = capture->size;
            if (head && amp_priv_is(t, head->element->name))
                size = head->element->size;
        }
    }
    return size;
}

/* `_Alignas(amp_priv_tile_static) type name dimensions;`, and the } that ends its scope. */
typedef struct amp_priv_tile_variable {
    amp_priv_cursor start, type, name, end, scope;
} amp_priv_tile_variable;

/* The variable whose AMP_TILE_STATIC begins at t; false where none does. */
AMP_PRIV_COLD bool amp_priv_tile_variable_at(amp_priv_tile_variable *v, amp_priv_cursor t)
{
    if (!amp_priv_is(t, "_Alignas") || !amp_priv_is(t + 2, "amp_priv_tile_static")) /* the user's own _Alignas */
        return false;
    v->start = t;
    v->type = v->name = t = amp_priv_closing(t + 1) + 1;
    /* The name is the last word before a bracket or the end, and outside of __typeof__((v).data[0]). */
    for (; t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is_mark(t, "[;"); t = amp_priv_closing(t) + 1)
        v->name = amp_priv_is_word(t) ? t : v->name;
    while (t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(t, ";"))
        t++;
    v->end = v->scope = t;
    while (v->scope->token.kind != AMP_PRIV_TOKEN_END && v->scope->depth >= t->depth)
        v->scope++;
    return v->end->token.kind != AMP_PRIV_TOKEN_END;
}

/* How many bytes it takes; 0 when only the device's compiler knows. */
AMP_PRIV_COLD size_t amp_priv_tile_variable_size(const amp_priv_tile_variable *v, const amp_priv_launch_site *site,
                                                 void *const *captured)
{
    return amp_priv_array_size(amp_priv_type_size(site, captured, v->type, v->name), v->name + 1, site, NULL);
}

/* Does its name mean something else elsewhere: in the text, among the locals, the captures, the index? */
AMP_PRIV_COLD bool amp_priv_tile_variable_clashes(const amp_priv_tile_variable *v, const amp_priv_launch_site *site,
                                                  const amp_priv_token_list *text, const char *locals)
{
    const amp_priv_token name = v->name->token;
    bool clashes = (locals && amp_priv_uses(locals, name)) || amp_priv_uses(site->index, name);
    for (int i = 0; i < site->capture_count; i++)
        clashes = clashes || amp_priv_token_is(name, site->captures[i].name);
    for (amp_priv_cursor t = text->token; t < text->token + text->count && !clashes; t++)
        clashes = (t < v->start || t >= v->scope) && amp_priv_token_names(t, name);
    return clashes;
}

/* Moves a tile_static variable from its text into locals, under a name that clashes with nothing. */
AMP_PRIV_COLD void amp_priv_hoist_tile_static(const amp_priv_launch_site *site, amp_priv_token_list *text,
                                              const amp_priv_tile_variable *v, int number, amp_priv_string *locals)
{
    const amp_priv_token name = v->name->token;
    char renamed[256];
    snprintf(renamed, sizeof renamed, "%.*s_amp_%d", (int)name.length, name.at, number);
    if (amp_priv_tile_variable_clashes(v, site, text, locals->text))
        for (amp_priv_cursor t = v->scope; t >= v->name; t--)
            if (amp_priv_token_names(t, name))
                amp_priv_token_replace(text, &text->token[t - text->token], renamed);
    /* Device compilers read four neighbours at once only where they know that they may: it makes a blocked matrix
       product on an H200 half again as fast. Vectors of 64 bits want 32 bytes, and may be in structs. */
    amp_priv_addf(locals, "  __local __attribute__((aligned(%d))) ",
                  amp_priv_tokens_type_word(text, v->type->token) ? 16 : 32);
    amp_priv_add_tokens(locals, v->type, v->end);
    amp_priv_adds(locals, ";\n");
    amp_priv_tokens_remove(text, (size_t)(v->start - text->token), (size_t)(v->end - text->token));
}

#endif /* AMP_CODEGEN_TILE_STATIC_H */
