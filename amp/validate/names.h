/* SPDX-License-Identifier: MIT */
/*  amp/validate/names.h - names that a kernel uses: what they are used for says what is wrong with them */
#ifndef AMP_VALIDATE_NAMES_H
#define AMP_VALIDATE_NAMES_H

#include "declared.h"

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
    if (text->validated->definition)
        return AMP_PRIV_MSG_NOT_PASSED;
    const amp_priv_name_use use = amp_priv_name_use_of(text, i);
    if (!use.is_part && (use.write || amp_priv_validator_is_unary(text, use.first - 1, "&")))
        return AMP_PRIV_MSG_WRITTEN;
    return amp_priv_tokens_is(text, i + 1, ".") ? AMP_PRIV_MSG_STRUCT_NOT_CAPTURED : AMP_PRIV_MSG_NOT_CAPTURED;
}

#endif /* AMP_VALIDATE_NAMES_H */
