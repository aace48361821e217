/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tile_static.h - moves tile_static variables to the kernel's outermost scope */
#ifndef AMP_CODEGEN_TILE_STATIC_H
#define AMP_CODEGEN_TILE_STATIC_H

#include "tree_size.h"
#include "variants.h"

/* // >>tile_static
   OpenCL C has __local variables only at the outermost scope of a kernel, the model has tile_static anywhere. */

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
    return amp_priv_declared_size(site, captured, v->start, v->end);
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
