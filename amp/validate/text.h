/* SPDX-License-Identifier: MIT */
/*  amp/validate/text.h - a kernel's source while its names are validated */
#ifndef AMP_VALIDATE_TEXT_H
#define AMP_VALIDATE_TEXT_H

#include "messages.h"
#include "../codegen/tree_use.h"

/* What the validation of all texts of a launch shares. */
typedef struct amp_priv_validator {
    const amp_priv_launch_site *site;
    const amp_priv_kernel_tree *body;
    amp_priv_string out; /* the sentences */
    int count;
    amp_priv_words seen;     /* definitions that were validated */
    amp_priv_words typedefs; /* that the elements of captured views are: kernels know those */
    bool failed;             /* no memory: nothing is reported */
} amp_priv_validator;

/* What is known of a text: the body, or a definition of the user's. */
typedef struct amp_priv_validated_text {
    amp_priv_validator *validator;
    const amp_priv_user_definition *definition; /* NULL: the body */
    const amp_priv_tree *tree;
    amp_priv_words tags;     /* of structs that the text defines */
    amp_priv_words reported; /* names */
} amp_priv_validated_text;

/* Adds a message, once for each name. */
AMP_PRIV_COLD void amp_priv_validator_report(amp_priv_validated_text *text, const char *sentence, amp_priv_token name)
{
    const int most = 8;
    amp_priv_string *const out = &text->validator->out;
    if (amp_priv_words_have(&text->reported, name) || text->validator->count++ >= most)
        return;
    amp_priv_words_put(&text->reported, name);
    amp_priv_adds(out, out->length ? "\nand " : "");
    if (text->definition)
        amp_priv_addf(out, "in the definition of %s: ", text->definition->name);
    amp_priv_add_sentence(out, sentence, name);
}

AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition);

/* The text uses a definition, which is validated once. */
AMP_PRIV_COLD void amp_priv_validator_uses(amp_priv_validated_text *text, const amp_priv_user_definition *definition)
{
    if (definition != text->definition)
        amp_priv_validate_text(text->validator, definition);
}

/* Has the body promised to have no arrays? Tiles have one copy of an array for all threads. */
AMP_PRIV_COLD bool amp_priv_site_promises_no_arrays(const amp_priv_launch_site *site)
{
    return site->without_arrays && !site->tiled;
}

/* Is it a type of views or arrays, whose variables have pointers of the host, or a function of theirs? */
AMP_PRIV_COLD bool amp_priv_validator_is_view_type(amp_priv_token name)
{
    return amp_priv_token_begins(name, "amp_array_") || amp_priv_token_begins(name, "amp_const_array_");
}

/* Is the name the library's, or the compiler's? These are known. A call of OpenMP is for the CPU backend. */
AMP_PRIV_COLD bool amp_priv_validator_is_reserved(amp_priv_token name)
{
    return amp_priv_token_begins(name, "amp_") || amp_priv_token_begins(name, "AMP_") ||
           amp_priv_token_begins(name, "__") || amp_priv_token_begins(name, "omp_") ||
           amp_priv_token_is(name, "_assert") || /* on Windows, what C's assert calls */
           (name.length > 1 && *name.at == '_' && name.at[1] >= 'A' && name.at[1] <= 'Z');
}

/* Is the name a vector of OpenCL C, float4? Then the bytes that it has. */
AMP_PRIV_COLD size_t amp_priv_validator_vector_size(amp_priv_token name)
{
    amp_priv_token scalar = name;
    while (scalar.length > 1 && amp_priv_is_digit(name.at[scalar.length - 1]))
        scalar.length--;
    const int n = scalar.length < name.length ? atoi(name.at + scalar.length) : 0;
    const amp_priv_type_name *const type = amp_priv_type_name_of(scalar);
    if (!type || (n != 2 && n != 3 && n != 4 && n != 8 && n != 16) || name.length != scalar.length + (n < 10 ? 1 : 2) ||
        (!type->is_keyword && amp_priv_type_of_device(scalar) < 0) || type->kind == AMP_PRIV_TYPE_SIGN ||
        type->number == AMP_PRIV_NUMBER_BOOL)
        return 0;
    return type->size * (size_t)(n == 3 ? 4 : n);
}

/* A name that stands where a type does; message: what is wrong with an unknown one. */
AMP_PRIV_COLD void amp_priv_validator_type_or(amp_priv_validated_text *text, amp_priv_token name, const char *message)
{
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validator->site, name);
    if (definition)
        amp_priv_validator_uses(text, definition);
    else if (name.kind == AMP_PRIV_TOKEN_WORD && name.length && !amp_priv_type_name_of(name) &&
             !amp_priv_words_have(&text->tree->types, name) && !amp_priv_words_have(&text->tags, name) &&
             !amp_priv_words_have(&text->validator->typedefs, name) && !amp_priv_validator_is_reserved(name) &&
             !amp_priv_validator_vector_size(name))
        amp_priv_validator_report(text, message, name);
}

AMP_PRIV_COLD void amp_priv_validator_type(amp_priv_validated_text *text, amp_priv_token name)
{
    amp_priv_validator_type_or(text, name, AMP_PRIV_MSG_NO_TYPE);
}

#endif /* AMP_VALIDATE_TEXT_H */
