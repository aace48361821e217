/* SPDX-License-Identifier: MIT */
/*  amp/codegen/validate.h - validates a kernel's source once: reports what a device would refuse

    Contents (search for the tag):
        >>declared  >>used  >>captures  >>validate */
#ifndef AMP_CODEGEN_VALIDATE_H
#define AMP_CODEGEN_VALIDATE_H

#include "tree_use.h"

/* What the validation of all texts of a launch shares. */
typedef struct amp_priv_validator {
    const amp_priv_launch_site *site;
    amp_priv_string out; /* the sentences */
    int count;
    amp_priv_words seen;     /* definitions that were validated */
    amp_priv_words typedefs; /* that the elements of captured views are: kernels know those */
    bool failed;             /* no memory: nothing is reported */
} amp_priv_validator;

/* Adds a message, once for each name. */
AMP_PRIV_COLD void amp_priv_validator_report(amp_priv_token_list *text, const char *sentence, amp_priv_token name)
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

/* // >>declared: names that the text itself gives a meaning. */

/* Does the brace } at i end a struct? */
AMP_PRIV_COLD bool amp_priv_validator_ends_struct(const amp_priv_token_list *text, size_t i)
{
    i += (size_t)text->token[i].partner; /* its { */
    i -= amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    return amp_priv_tokens_is(text, i, "struct") || amp_priv_tokens_is(text, i, "union") ||
           amp_priv_tokens_is(text, i, "enum");
}

/* Does a statement, or a parameter, begin at i? */
AMP_PRIV_COLD bool amp_priv_validator_starts(const amp_priv_token_list *text, size_t i)
{
    while (amp_priv_tokens_is(text, i - 1, "const") || amp_priv_tokens_is(text, i - 1, "static") ||
           amp_priv_tokens_is(text, i - 1, "struct") || amp_priv_tokens_is(text, i - 1, "union") ||
           amp_priv_tokens_is(text, i - 1, "enum"))
        i--;
    return i == 0 || amp_priv_tokens_marks(text, i - 1, i < text->body ? "(," : ";{}:") ||
           (amp_priv_tokens_is(text, i - 1, "(") && amp_priv_tokens_is(text, i - 2, "for"));
}

/* Is the name at i declared there? Two words side by side are nothing else; `T *x` may be a product. */
AMP_PRIV_COLD bool amp_priv_validator_declares(const amp_priv_token_list *text, size_t i)
{
    size_t type = i - 1;
    bool pointer = false;
    for (; amp_priv_tokens_is(text, type, "*") || amp_priv_tokens_is(text, type, "const"); type--)
        pointer = pointer || amp_priv_tokens_is(text, type, "*");
    const amp_priv_role kind = amp_priv_tokens_at(text, type)->role, next = amp_priv_tokens_at(text, i + 1)->role;
    if (kind == AMP_PRIV_ROLE_TYPE)
        return next != AMP_PRIV_ROLE_NAME;
    if (kind == AMP_PRIV_ROLE_NAME)
        return !pointer || (amp_priv_validator_starts(text, type) && amp_priv_tokens_marks(text, i + 1, "=;,["));
    if (amp_priv_tokens_is(text, type, "}"))
        return amp_priv_validator_ends_struct(text, type);
    if (amp_priv_tokens_is(text, type, "struct") || amp_priv_tokens_is(text, type, "union") ||
        amp_priv_tokens_is(text, type, "enum"))
        return amp_priv_tokens_is(text, i + 1, "{");
    /* float (*f)(float), float (*p)[4] */
    return pointer && amp_priv_tokens_is(text, type, "(") &&
           amp_priv_tokens_at(text, type - 1)->role == AMP_PRIV_ROLE_TYPE && amp_priv_tokens_is(text, i + 1, ")");
}

/* Is the length of an array that the text declares at i something that is no constant? */
AMP_PRIV_COLD bool amp_priv_validator_length_varies(const amp_priv_token_list *text, size_t i)
{
    for (size_t open = i + 1; amp_priv_tokens_is(text, open, "["); open = amp_priv_tokens_closing(text, open) + 1) {
        bool varies = false;
        for (size_t k = open + 1; k < amp_priv_tokens_closing(text, open); k++) {
            const amp_priv_cursor t = amp_priv_tokens_at(text, k);
            const amp_priv_launch_site *const site = text->validator->site;
            if (amp_priv_tokens_is(text, k, "sizeof"))
                return false;
            if (t->role != AMP_PRIV_ROLE_NAME || amp_priv_words_have(&text->constant, t->token))
                continue;
            varies = varies || amp_priv_words_have(&text->variable, t->token);
            for (int c = 0; c < site->capture_count && !text->definition; c++)
                varies = varies || (site->captures[c].kind != AMP_PRIV_CAPTURE_CONSTANT &&
                                    amp_priv_is(t, site->captures[c].name));
        }
        if (varies)
            return true;
    }
    return false;
}

/* Takes note of the name at i, which is declared there. */
AMP_PRIV_COLD void amp_priv_validator_declare(amp_priv_token_list *text, size_t i, bool is_constant,
                                              bool is_tile_static)
{
    const amp_priv_token name = text->token[i].token;
    if (amp_priv_validator_length_varies(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_LENGTH, name);
    const amp_priv_launch_site *const site = text->validator->site;
    if (site->without_arrays && !site->tiled && amp_priv_tokens_is(text, i + 1, "["))
        amp_priv_validator_report(text, AMP_PRIV_MSG_PRIVATE_ARRAY, name);
    amp_priv_words_put(&text->known, name);
    amp_priv_words_put(is_constant ? &text->constant : &text->variable, name);
    if (is_tile_static)
        amp_priv_words_put(&text->tile_static, name);
}

/* The enumerators of `enum name { ... }`, at enum. */
AMP_PRIV_COLD void amp_priv_validator_declare_enumerators(amp_priv_token_list *text, size_t i)
{
    i += amp_priv_tokens_at(text, i + 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    if (!amp_priv_tokens_is(text, i, "{"))
        return;
    const size_t end = amp_priv_tokens_closing(text, i);
    for (; i < end; i++)
        if (amp_priv_tokens_marks(text, i, "{,") && amp_priv_tokens_at(text, i + 1)->role == AMP_PRIV_ROLE_NAME)
            amp_priv_validator_declare(text, i + 1, true, false);
}

/* The names of a declaration whose first one stands at i, as in `int a = f(1, 2), *b, c[3];`. */
AMP_PRIV_COLD void amp_priv_validator_declare_list(amp_priv_token_list *text, size_t i)
{
    bool is_constant = false, is_tile_static = false;
    for (size_t k = i; k < text->count && !amp_priv_tokens_marks(text, k, ";{}"); k--) {
        is_constant = is_constant || amp_priv_tokens_is(text, k, "const");
        is_tile_static = is_tile_static || amp_priv_tokens_is(text, k, "_Alignas");
    }
    amp_priv_validator_declare(text, i, is_constant, is_tile_static);
    for (size_t k = i + 1; i >= text->body && k < text->count && !amp_priv_tokens_marks(text, k, ";)]}"); k++) {
        if (amp_priv_tokens_marks(text, k, "([{"))
            k = amp_priv_tokens_closing(text, k);
        if (!amp_priv_tokens_is(text, k, ","))
            continue;
        while (amp_priv_tokens_is(text, k + 1, "*") || amp_priv_tokens_is(text, k + 1, "const"))
            k++;
        if (amp_priv_tokens_at(text, k + 1)->role == AMP_PRIV_ROLE_NAME &&
            amp_priv_tokens_at(text, k + 2)->role != AMP_PRIV_ROLE_NAME)
            amp_priv_validator_declare(text, k + 1, is_constant, is_tile_static);
    }
}

/* The parameters of a function: every name before a comma or the end. */
AMP_PRIV_COLD void amp_priv_validator_declare_parameters(amp_priv_token_list *text)
{
    size_t i = 0;
    while (i < text->count && !amp_priv_tokens_is(text, i, "("))
        i++;
    for (const size_t end = text->body = amp_priv_tokens_closing(text, i); i < end; i++)
        if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_marks(text, i + 1, ",)["))
            amp_priv_words_put(&text->known, text->token[i].token);
}

AMP_PRIV_COLD void amp_priv_validator_declarations(amp_priv_token_list *text)
{
    for (size_t i = 0; i < text->count; i++) {
        if (amp_priv_tokens_is(text, i, "enum"))
            amp_priv_validator_declare_enumerators(text, i);
        if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_validator_declares(text, i))
            amp_priv_validator_declare_list(text, i);
    }
}

/* // >>used: what a name is used for says what is wrong with it. */

/* Is the name at i a type: T x, T *x = ..., (T)x, (T *)x, (T){ ... }? */
AMP_PRIV_COLD bool amp_priv_validator_is_type(const amp_priv_token_list *text, size_t i)
{
    size_t next = i + 1;
    while (amp_priv_tokens_is(text, next, "const"))
        next++;
    if (amp_priv_tokens_at(text, next)->role == AMP_PRIV_ROLE_NAME)
        return true;
    const bool pointer = amp_priv_tokens_is(text, next, "*");
    while (amp_priv_tokens_is(text, next, "*") || amp_priv_tokens_is(text, next, "const"))
        next++;
    if (pointer && amp_priv_tokens_at(text, next)->role == AMP_PRIV_ROLE_NAME)
        return amp_priv_validator_starts(text, i) && amp_priv_tokens_marks(text, next + 1, "=;,[)");
    /* if (x) y, f(x) are no casts */
    const amp_priv_cursor before = amp_priv_tokens_at(text, i - 2);
    const amp_priv_role after = amp_priv_tokens_at(text, next + 1)->role;
    if (!amp_priv_tokens_is(text, i - 1, "(") || !amp_priv_tokens_is(text, next, ")") ||
        amp_priv_tokens_marks(text, i - 2, ")]") ||
        (before->role != AMP_PRIV_ROLE_OTHER && !amp_priv_is(before, "return")))
        return false;
    return pointer || after == AMP_PRIV_ROLE_NAME || after == AMP_PRIV_ROLE_VALUE ||
           amp_priv_tokens_marks(text, next + 1, "({");
}

/* Is the mark at i an operator of one operand: *x, &x? */
AMP_PRIV_COLD bool amp_priv_validator_is_unary(const amp_priv_token_list *text, size_t i, const char *mark)
{
    const amp_priv_role before = amp_priv_tokens_at(text, i - 1)->role;
    return amp_priv_tokens_is(text, i, mark) && !amp_priv_tokens_marks(text, i - 1, ")]&") &&
           (before == AMP_PRIV_ROLE_OTHER || before == AMP_PRIV_ROLE_CONTROL);
}

/* Is it used as what it points to: x[i], x->y, *x? */
AMP_PRIV_COLD bool amp_priv_validator_is_pointer(const amp_priv_token_list *text, size_t i)
{
    return amp_priv_tokens_is(text, i + 1, "[") || amp_priv_tokens_is(text, i + 1, "->") ||
           amp_priv_validator_is_unary(text, i - 1, "*");
}

/* Is its address given away by which it may be written: to a function of ours, or to a pointer, float *p = &x? */
AMP_PRIV_COLD bool amp_priv_validator_passes_address(const amp_priv_token_list *text, size_t i)
{
    size_t to = i - 2; /* i: where the variable and what belongs to it begin */
    if (!amp_priv_validator_is_unary(text, i - 1, "&"))
        return false;
    while (amp_priv_tokens_is(text, to, "("))
        to--;
    if (!amp_priv_tokens_is(text, to, "=") || !amp_priv_tokens_is(text, to - 2, "*"))
        return *amp_priv_tokens_at(text, to)->token.at == '"';
    while (to < text->count && !amp_priv_tokens_marks(text, to, ";{}") && !amp_priv_tokens_is(text, to, "const"))
        to--;
    return !amp_priv_tokens_is(text, to, "const");
}

AMP_PRIV_COLD bool amp_priv_validator_has_label(const amp_priv_token_list *text, amp_priv_token name)
{
    for (size_t i = 0; i < text->count; i++)
        if (amp_priv_token_is_word(text->token[i].token, name) && amp_priv_tokens_is(text, i + 1, ":"))
            return true;
    return false;
}

/* Of a call of an unknown function: what is wrong with it. */
AMP_PRIV_COLD const char *amp_priv_validator_call(amp_priv_token name)
{
    for (size_t c = 0; c < sizeof amp_priv_validator_cures / sizeof amp_priv_validator_cures[0]; c++)
        if (amp_priv_listed(amp_priv_validator_cures[c].names, name))
            return amp_priv_validator_cures[c].sentence;
    return AMP_PRIV_MSG_NO_FUNCTION;
}

/* Is it a type of views or arrays, whose variables have pointers of the host, or a function of theirs? */
AMP_PRIV_COLD bool amp_priv_validator_is_view_type(amp_priv_token name)
{
    return amp_priv_token_begins(name, "amp_array_") || amp_priv_token_begins(name, "amp_const_array_");
}

/* Is the name the library's, or the compiler's? These are known, except those that only the host has. A call of OpenMP
   is for the CPU backend. */
AMP_PRIV_COLD bool amp_priv_validator_is_reserved(amp_priv_token_list *text, size_t i)
{
    const amp_priv_token name = text->token[i].token;
    const bool called = amp_priv_tokens_is(text, i + 1, "(");
    if (called && (amp_priv_validator_is_view_type(name) || amp_priv_token_begins(name, "amp_accelerator_") ||
                   amp_priv_token_begins(name, "amp_future_")))
        amp_priv_validator_report(text, AMP_PRIV_MSG_HOST_ONLY, name);
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

/* What is wrong with the unknown name at i; NULL where that cannot be known. */
AMP_PRIV_COLD const char *amp_priv_validator_classify(const amp_priv_token_list *text, size_t i)
{
    const amp_priv_token name = text->token[i].token;
    if (amp_priv_tokens_is(text, i - 1, "goto"))
        return amp_priv_validator_has_label(text, name) ? NULL : AMP_PRIV_MSG_GOTO;
    if ((amp_priv_tokens_is(text, i + 1, ":") && amp_priv_tokens_marks(text, i - 1, ";{}:),")) ||
        (amp_priv_tokens_is(text, i - 1, "(") && amp_priv_tokens_is(text, i - 2, "sizeof")) ||
        amp_priv_tokens_is(text, i - 1, "sizeof") || *amp_priv_tokens_at(text, i + 1)->token.at == '"' ||
        amp_priv_validator_vector_size(name))
        return NULL;
    if (amp_priv_tokens_is(text, i - 1, "enum"))
        return AMP_PRIV_MSG_NO_ENUM;
    if (amp_priv_tokens_is(text, i - 1, "struct") || amp_priv_tokens_is(text, i - 1, "union") ||
        amp_priv_validator_is_type(text, i))
        return AMP_PRIV_MSG_NO_TYPE;
    if (amp_priv_tokens_is(text, i + 1, "("))
        return amp_priv_validator_call(name);
    if (amp_priv_validator_is_pointer(text, i))
        return AMP_PRIV_MSG_POINTER;
    if (text->definition)
        return AMP_PRIV_MSG_NOT_PASSED;
    const amp_priv_name_use use = amp_priv_name_use_of(text, i);
    if (!use.is_part && (use.write || amp_priv_validator_is_unary(text, use.first - 1, "&")))
        return AMP_PRIV_MSG_WRITTEN;
    return amp_priv_tokens_is(text, i + 1, ".") ? AMP_PRIV_MSG_STRUCT_NOT_CAPTURED : AMP_PRIV_MSG_NOT_CAPTURED;
}

AMP_PRIV_COLD bool amp_priv_validator_is_function(const amp_priv_user_definition *definition)
{
    return definition->kind == AMP_PRIV_DEFINES_FUNCTION;
}

/* Is parameter number n of a function a pointer to memory of the caller's own, and not one of AMP_TILE_POINTER? Then
   *writes says whether it is not const. */
AMP_PRIV_COLD bool amp_priv_validator_takes_pointer(const amp_priv_token_list *function, int n, bool *writes)
{
    size_t i;
    const size_t end = amp_priv_tokens_parameter(function, n, &i);
    for (*writes = true; i < end; i++)
        if (function->token[i].depth == 1 && amp_priv_tokens_marks(function, i, "*["))
            return true;
        else if (amp_priv_tokens_is(function, i, "const"))
            *writes = false;
    return false;
}

/* Is what begins at i the address of an element of a view, &AMP_AT(v, ...)? Then the view's name. */
AMP_PRIV_COLD size_t amp_priv_validator_element(const amp_priv_token_list *text, size_t i)
{
    if (!amp_priv_validator_is_unary(text, i, "&"))
        return 0;
    for (i++; amp_priv_tokens_is(text, i, "("); i++) {}
    return amp_priv_tokens_at(text, i)->role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_is(text, i + 1, ")") &&
                   amp_priv_tokens_is(text, i + 2, ".") && amp_priv_tokens_is(text, i + 3, "data") &&
                   amp_priv_tokens_is(text, i + 4, "[")
               ? i
               : 0;
}

/* May the name be of a variable of the text itself? */
AMP_PRIV_COLD bool amp_priv_validator_is_local(const amp_priv_token_list *text, amp_priv_token name)
{
    return text->definition || amp_priv_words_have(&text->variable, name) || amp_priv_words_have(&text->constant, name);
}

/* A variable is written, or a part of it, or (externally_visible) its address is given away: is it a copy that each
   thread has of
   what the launch was given? */
AMP_PRIV_COLD void amp_priv_validator_copy_written(amp_priv_token_list *text, amp_priv_token name, bool is_part,
                                                   bool externally_visible)
{
    const amp_priv_launch_site *const site = text->validator->site;
    if (amp_priv_validator_is_local(text, name)) /* another one of that name */
        return;
    for (int c = 0; c < site->capture_count; c++) {
        const amp_priv_capture *const capture = &site->captures[c];
        if (!amp_priv_token_is(name, capture->name))
            continue;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW && !is_part &&
            !externally_visible) /* its elements are not in the copy */
            amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_ASSIGNED, name);
        const bool is_value =
            capture->kind == AMP_PRIV_CAPTURE_SCALAR || (capture->kind == AMP_PRIV_CAPTURE_CONSTANT && capture->size);
        if ((is_value && !is_part) || capture->kind == AMP_PRIV_CAPTURE_STRUCT)
            amp_priv_validator_report(text, AMP_PRIV_MSG_COPY_WRITTEN, name);
        return;
    }
    if (!site->tiled && amp_priv_uses(site->index, name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_INDEX_WRITTEN, name);
}

/* The arguments of a call, from ( at i: does a pointer parameter get memory that is not the thread's own? */
AMP_PRIV_COLD void amp_priv_validator_arguments(amp_priv_token_list *text, size_t i,
                                                const amp_priv_user_definition *function)
{
    const size_t end = amp_priv_tokens_closing(text, i);
    amp_priv_token_list called = { .definition = function };
    amp_priv_tokens_read_for_device(&called, function->text);
    for (int n = 0; i < end && !called.failed; n++) {
        for (i++; amp_priv_tokens_is(text, i, "("); i++) {}
        const size_t element = amp_priv_validator_element(text, i);
        const amp_priv_token name =
            amp_priv_tokens_at(text, i + (element == 0 && amp_priv_tokens_is(text, i, "&")))->token;
        bool chosen = false, writes;
        for (; i < end && !amp_priv_tokens_is(text, i, ","); i++) {
            chosen = chosen || amp_priv_tokens_is(text, i, "?");
            if (amp_priv_tokens_marks(text, i, "([{"))
                i = amp_priv_tokens_closing(text, i);
        }
        if (chosen || !amp_priv_validator_takes_pointer(&called, n, &writes))
            continue;
        if (element)
            amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, text->token[element].token);
        else if (amp_priv_words_have(&text->tile_static, name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_POINTER, name);
        else if (writes)
            amp_priv_validator_copy_written(text, name, false, true);
    }
    amp_priv_tokens_free(&called);
}

AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition);

/* The name at i, which is neither a member nor a type of C. */
AMP_PRIV_COLD void amp_priv_validator_name(amp_priv_token_list *text, size_t i)
{
    const amp_priv_token name = text->token[i].token;
    const bool called = amp_priv_tokens_is(text, i + 1, "(");
    if (text->definition && called && i > text->body && amp_priv_token_is(name, text->definition->name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_RECURSION, name);
    if (!amp_priv_token_begins(name, "amp_") && !amp_priv_validator_is_local(text, name)) {
        const amp_priv_name_use use = amp_priv_name_use_of(text, i);
        if ((use.write && !use.is_pointed) || amp_priv_validator_passes_address(text, use.first))
            amp_priv_validator_copy_written(text, name, use.is_part, !use.write);
    }
    if (amp_priv_words_have(&text->known, name) || amp_priv_words_have(&text->validator->typedefs, name))
        return;
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validator->site, name);
    if (definition) {
        const bool is_function = amp_priv_validator_is_function(definition);
        if (is_function && called)
            amp_priv_validator_arguments(text, i + 1, definition);
        else if (is_function)
            amp_priv_validator_report(text, AMP_PRIV_MSG_FUNCTION_POINTER, name);
        if (definition != text->definition)
            amp_priv_validate_text(text->validator, definition);
        return;
    }
    if ((called && amp_priv_is_function_of_language(name)) ||
        amp_priv_listed(" true false nullptr NULL stdout stderr stdin ", name) ||
        amp_priv_validator_is_reserved(text, i))
        return;
    const char *const sentence = amp_priv_validator_classify(text, i);
    if (sentence)
        amp_priv_validator_report(text, sentence, name);
}

/* The tile_static variable that is declared from i on has no first value. */
AMP_PRIV_COLD void amp_priv_validator_value(amp_priv_token_list *text, size_t i)
{
    amp_priv_token name = text->token[i].token;
    for (; i < text->count && !amp_priv_tokens_marks(text, i, ";=["); i++)
        name = text->token[i].token;
    while (i < text->count && amp_priv_tokens_is(text, i, "["))
        i = amp_priv_tokens_closing(text, i) + 1;
    if (amp_priv_tokens_is(text, i, "="))
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_STATIC_VALUE, name);
}

/* Does the : at i stand in a struct, outside of the lengths of its arrays? */
AMP_PRIV_COLD bool amp_priv_validator_is_bit_field(const amp_priv_token_list *text, size_t i)
{
    for (; i < text->count && text->token[i].partner <= 0; i--) /* to the bracket around it */
        i += (size_t)text->token[i].partner;
    i -= amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME ? 2 : 1;
    return amp_priv_tokens_is(text, i, "struct") || amp_priv_tokens_is(text, i, "union");
}

/* Does the _Generic at i choose a function of ours, by AMP_PRIV_PICK? */
AMP_PRIV_COLD bool amp_priv_validator_chooses(const amp_priv_token_list *text, size_t i)
{
    const amp_priv_token generic = text->token[i].token; /* what it chooses from is not among the tokens */
    return amp_priv_token_find(generic.at, amp_priv_token_of("amp_priv_no_type")).at < text->token[i + 1].token.at;
}

/* What is wrong at i though every name is known. */
AMP_PRIV_COLD void amp_priv_validator_construct(amp_priv_token_list *text, size_t i)
{
    const amp_priv_token token = text->token[i].token;
    const size_t element = amp_priv_validator_element(text, i + 1);
    if (amp_priv_token_is(token, "static") && i > 0 && !amp_priv_tokens_is(text, i + 1, "const") &&
        !amp_priv_tokens_is(text, i + 1, "_Thread_local"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_STATIC, token);
    if (amp_priv_token_is(token, "long") && amp_priv_tokens_is(text, i + 1, "double"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_LONG_DOUBLE, token);
    if (amp_priv_token_is(token, ":") && amp_priv_validator_is_bit_field(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_BIT_FIELD, amp_priv_tokens_at(text, i - 1)->token);
    if (amp_priv_token_is(token, "_Generic") && amp_priv_validator_chooses(text, i))
        amp_priv_validator_report(text, AMP_PRIV_MSG_CHOICE, token);
    if (token.kind == AMP_PRIV_TOKEN_QUOTED && strchr("LUu", *token.at) && token.at[1] == '"')
        amp_priv_validator_report(text, AMP_PRIV_MSG_WIDE_STRING, token);
    if (amp_priv_token_is(token, "_Alignas"))
        amp_priv_validator_value(text, i + 1);
    /* float *p = &AMP_AT(v, i), float *p = block, float *p = v.data */
    const amp_priv_cursor from = amp_priv_tokens_at(text, i + 1);
    size_t star = i - 2;
    while (amp_priv_tokens_is(text, star, "const"))
        star--;
    if (!amp_priv_token_is(token, "=") || !amp_priv_tokens_is(text, star, "*"))
        return;
    if (element)
        amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, text->token[element].token);
    if (*from->token.at == '"' && amp_priv_tokens_at(text, i - 1)->role == AMP_PRIV_ROLE_NAME)
        amp_priv_validator_report(text, AMP_PRIV_MSG_STRING_POINTER, amp_priv_tokens_at(text, i - 1)->token);
    if (from->role != AMP_PRIV_ROLE_NAME)
        return;
    if (amp_priv_words_have(&text->tile_static, from->token))
        amp_priv_validator_report(text, AMP_PRIV_MSG_TILE_POINTER, from->token);
    if (amp_priv_tokens_is(text, i + 2, ".") && amp_priv_tokens_is(text, i + 3, "data") &&
        amp_priv_tokens_marks(text, i + 4, ";,+"))
        amp_priv_validator_report(text, AMP_PRIV_MSG_ELEMENT_POINTER, from->token);
}

/* What the `break` at i leaves, by tokens: the first token of a loop, a switch or a ({ }); NULL: the body. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_tokens_left_by(const amp_priv_token_list *text, size_t i)
{
    amp_priv_cursor left = NULL;
    for (amp_priv_cursor t = text->token; t < text->token + i; t++) {
        const bool is_expression = amp_priv_is(t, "(") && amp_priv_is(t + 1, "{");
        if (is_expression
                ? amp_priv_closing(t) > text->token + i
                : amp_priv_listed(" for while do switch ", t->token) && amp_priv_statement_end(t) > text->token + i)
            left = t; /* what begins later is within what began before */
    }
    return left;
}

/* The same as below of a body that has no tree. */
AMP_PRIV_COLD void amp_priv_validator_breaks_of_tokens(amp_priv_token_list *text)
{
    for (size_t i = 0; i < text->count; i++) {
        if (!amp_priv_tokens_is(text, i, "break"))
            continue;
        const amp_priv_cursor left = amp_priv_tokens_left_by(text, i);
        const bool is_phase = left && (amp_priv_is(left + 2, "amp_priv_tiled_index") ||
                                       amp_priv_is(left + 3, "amp_priv_tiled_index")); /* behind `const` */
        if (!left || is_phase)
            amp_priv_validator_report(text, AMP_PRIV_MSG_BREAK, text->token[i].token);
    }
}

/* A `break` that leaves no loop or switch of the body is reported. */
AMP_PRIV_COLD void amp_priv_validator_breaks(amp_priv_token_list *text, const amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        if (tree->node[n].kind != AMP_PRIV_TREE_JUMP || !amp_priv_token_is(tree->node[n].token, "break"))
            continue;
        const int left = amp_priv_tree_left_by(tree, n);
        if (left == tree->root || amp_priv_tree_is_phase(tree, left))
            amp_priv_validator_report(text, AMP_PRIV_MSG_BREAK, tree->node[n].token);
    }
}

/* // >>captures: the types that a device must know. */

/* Does a struct of the user's hold a view, or a struct before it that does? */
AMP_PRIV_COLD bool amp_priv_validator_holds_view(const amp_priv_launch_site *site,
                                                 const amp_priv_user_definition *definition)
{
    bool holds = definition->kind == AMP_PRIV_DEFINES_STRUCT &&
                 (strstr(definition->text, "amp_array_") || strstr(definition->text, "amp_const_array_"));
    for (const amp_priv_user_definition *d = *site->user_definitions; d != definition && !holds; d = d->next)
        holds = d->kind == AMP_PRIV_DEFINES_STRUCT && definition->kind == AMP_PRIV_DEFINES_STRUCT &&
                amp_priv_has_word(definition->text, d->name) && amp_priv_validator_holds_view(site, d);
    return holds;
}

/* The name in a type: pair, of `const struct pair`. */
AMP_PRIV_COLD amp_priv_token amp_priv_validator_type_name(const char *type)
{
    amp_priv_token name = amp_priv_token_of(type);
    for (amp_priv_token t = amp_priv_token_at(type); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length))
        if (t.kind == AMP_PRIV_TOKEN_WORD && !amp_priv_listed(" const volatile struct union enum ", t))
            name = t;
    return name;
}

/* The type of a captured struct or of a view's elements, of that size and alignment (0: not known); what is said where
   devices do not know it. */
AMP_PRIV_COLD void amp_priv_validator_capture(amp_priv_token_list *text, const char *type, size_t size, size_t align,
                                              const char *unknown)
{
    const amp_priv_token name = amp_priv_validator_type_name(type);
    const amp_priv_user_definition *const definition = amp_priv_definition_of(text->validator->site, name);
    const size_t vector = amp_priv_validator_vector_size(name);
    if (definition)
        amp_priv_validate_text(text->validator, definition);
    if (definition && amp_priv_validator_holds_view(text->validator->site, definition))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_IN_STRUCT, name);
    if (definition)
        return;
    if (amp_priv_validator_is_view_type(name))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VIEW_AS_VALUE, name);
    else if (vector && (vector != size || (align && vector != align)))
        amp_priv_validator_report(text, AMP_PRIV_MSG_VECTOR, name);
    else if (!vector && !amp_priv_type_name_of(name) &&
             (!amp_priv_token_begins(name, "amp_") ||
              amp_priv_listed(" amp_accelerator amp_accelerator_view amp_future amp_recording ", name)))
        amp_priv_validator_report(text, unknown, name);
}

/* Of a captured view that was created. */
AMP_PRIV_COLD const amp_priv_head *amp_priv_validator_head(const amp_priv_capture *capture, const amp_priv_head *head)
{
    return capture->kind == AMP_PRIV_CAPTURE_VIEW && head && head->kind && head->element ? head : NULL;
}

AMP_PRIV_COLD void amp_priv_validator_captures(amp_priv_token_list *text, void *const *captured)
{
    const amp_priv_launch_site *const site = text->validator->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_validator_head(&site->captures[i], captured[i]);
        amp_priv_words_put(&text->known, amp_priv_token_of(site->captures[i].name));
        if (head && head->element->scalar)
            amp_priv_words_put(&text->validator->typedefs, amp_priv_token_of(head->element->name));
        if (amp_priv_has_word(site->index, site->captures[i].name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_INDEX_CAPTURED, amp_priv_token_of(site->captures[i].name));
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        const amp_priv_head *const head = amp_priv_validator_head(capture, captured[i]);
        if (capture->kind == AMP_PRIV_CAPTURE_STRUCT)
            amp_priv_validator_capture(text, capture->type, capture->size, 0, AMP_PRIV_MSG_CAPTURED_TYPE);
        else if (head && !head->element->scalar)
            amp_priv_validator_capture(text, head->element->name, head->element->size, head->element->align,
                                       AMP_PRIV_MSG_NO_TYPE);
    }
    amp_priv_words_of(&text->known, site->index, strlen(site->index));
}

/* Does the block of an operation on two elements begin at i: { const T a = ..., b = ...; (void)a, (void)b; */
AMP_PRIV_COLD bool amp_priv_validator_is_operation(const amp_priv_token_list *text, size_t i)
{
    static const char *const words[] = { "(", "void", ")", "a", ",", "(", "void", ")", "b", ";" };
    if (!amp_priv_tokens_is(text, i, "{") || !amp_priv_tokens_is(text, i + 1, "const"))
        return false;
    while (i < text->count && !amp_priv_tokens_is(text, i, ";"))
        i++;
    size_t k = 0;
    while (k < sizeof words / sizeof *words && amp_priv_tokens_is(text, i + 1 + k, words[k]))
        k++;
    return k == sizeof words / sizeof *words;
}

/* Is a captured a or b used only where these are an operation's operands? */
AMP_PRIV_COLD bool amp_priv_validator_is_operand(const amp_priv_token_list *text, const char *name)
{
    bool is_operation = false;
    for (size_t i = 0; i < text->count; i++)
        if (amp_priv_validator_is_operation(text, i)) {
            is_operation = true;
            i = amp_priv_tokens_closing(text, i);
        } else if (text->token[i].role == AMP_PRIV_ROLE_NAME && amp_priv_tokens_is(text, i, name)) {
            return false;
        }
    return is_operation;
}

AMP_PRIV_COLD void amp_priv_validator_operands(amp_priv_token_list *text)
{
    const amp_priv_launch_site *const site = text->validator->site;
    for (int c = 0; c < site->capture_count; c++) {
        const char *const name = site->captures[c].name;
        if ((!strcmp(name, "a") || !strcmp(name, "b")) && amp_priv_validator_is_operand(text, name))
            amp_priv_validator_report(text, AMP_PRIV_MSG_OPERAND_CAPTURED, amp_priv_token_of(name));
    }
}

/* // >>validate */

AMP_PRIV_COLD void amp_priv_validator_text_end(amp_priv_token_list *text)
{
    text->validator->failed = text->validator->failed || text->failed || text->known.failed || text->reported.failed ||
                              text->variable.failed || text->constant.failed || text->tile_static.failed;
    amp_priv_tokens_free(text);
    free(text->known.slot);
    free(text->reported.slot);
    free(text->variable.slot);
    free(text->constant.slot);
    free(text->tile_static.slot);
}

AMP_PRIV_COLD void amp_priv_validator_walk(amp_priv_token_list *text)
{
    amp_priv_validator_declarations(text);
    for (size_t i = 0; i < text->count && !text->validator->failed; i++) {
        amp_priv_validator_construct(text, i);
        if (text->token[i].role == AMP_PRIV_ROLE_NAME)
            amp_priv_validator_name(text, i);
    }
}

/* An AMP_FUNCTION or AMP_STRUCT that the kernel uses, once. */
AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition)
{
    if (amp_priv_words_have(&validator->seen, amp_priv_token_of(definition->name)) || validator->failed)
        return;
    amp_priv_words_put(&validator->seen, amp_priv_token_of(definition->name));
    amp_priv_token_list text = { .validator = validator, .definition = definition };
    amp_priv_tokens_read_for_device(&text, definition->text);
    if (amp_priv_validator_is_function(definition))
        amp_priv_validator_declare_parameters(&text);
    amp_priv_validator_walk(&text);
    amp_priv_validator_text_end(&text);
}

/* Looks a site over, and reports what is found. captured: the launch's captures; tree: of its body. */
AMP_PRIV_COLD amp_status amp_priv_validate(const amp_priv_launch_site *site, void *const *captured,
                                           const amp_priv_tree *tree)
{
    amp_priv_validator validator = { .site = site };
    amp_priv_token_list text = { .validator = &validator };
    amp_priv_validator_captures(&text, captured);
    if (tree->all.token && !tree->all.prints)
        amp_priv_tokens_for_device(&text, &tree->all);
    else
        amp_priv_tokens_read_for_device(&text, site->text);
    amp_priv_validator_walk(&text);
    amp_priv_validator_operands(&text);
    if (tree->failed)
        amp_priv_validator_breaks_of_tokens(&text);
    else if (!validator.failed)
        amp_priv_validator_breaks(&text, tree);
    amp_priv_validator_text_end(&text);
    const amp_status status = validator.out.length && !validator.failed && !validator.out.failed &&
                                      !validator.seen.failed && !validator.typedefs.failed
                                  ? amp_priv_site_report(site, AMP_COMPILATION_FAILED, "%s", validator.out.text)
                                  : AMP_OK;
    free(validator.seen.slot);
    free(validator.typedefs.slot);
    free(validator.out.text);
    return status;
}

#endif /* AMP_CODEGEN_VALIDATE_H */
