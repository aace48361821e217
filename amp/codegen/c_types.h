/* SPDX-License-Identifier: MIT */
/*  amp/codegen/c_types.h - the integer types of C and of the kernel language: their words, values and conversions

    A type is as it is on a device: `long` has 64 bits and `char` a sign (host_syntax.h rewrites them where the host's
    have not).

    Contents (search for the tag):
        >>type  >>words */
#ifndef AMP_CODEGEN_C_TYPES_H
#define AMP_CODEGEN_C_TYPES_H

#include "tokens.h"

/* // >>type */

/* In the order of their ranks: of two types that C promotes, the later one is the type of their sum. */
typedef enum amp_priv_number_type {
    AMP_PRIV_NUMBER_BOOL,
    AMP_PRIV_NUMBER_INT8,
    AMP_PRIV_NUMBER_UINT8,
    AMP_PRIV_NUMBER_INT16,
    AMP_PRIV_NUMBER_UINT16,
    AMP_PRIV_NUMBER_INT,
    AMP_PRIV_NUMBER_UINT,
    AMP_PRIV_NUMBER_INT64,
    AMP_PRIV_NUMBER_UINT64,
    AMP_PRIV_NUMBER_OTHER /* a real, a pointer, a struct, or not known */
} amp_priv_number_type;

AMP_PRIV_COLD bool amp_priv_number_is_unsigned(amp_priv_number_type type)
{
    return type == AMP_PRIV_NUMBER_BOOL || type == AMP_PRIV_NUMBER_UINT8 || type == AMP_PRIV_NUMBER_UINT16 ||
           type == AMP_PRIV_NUMBER_UINT || type == AMP_PRIV_NUMBER_UINT64;
}

/* Bytes; 0: not known. */
AMP_PRIV_COLD size_t amp_priv_number_size(amp_priv_number_type type)
{
    static const unsigned char sizes[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 0 };
    return sizes[type];
}

/* The usual arithmetic conversions: the type in which two are added and compared. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_number_common(amp_priv_number_type a, amp_priv_number_type b)
{
    const amp_priv_number_type most = a > b ? a : b;
    return most < AMP_PRIV_NUMBER_INT ? AMP_PRIV_NUMBER_INT : most;
}

/* // >>words */

/* What the words of a type have said so far: begin with zeros. */
typedef struct amp_priv_type_words {
    bool is_unsigned, is_signed, is_long, is_short, is_char, is_other;
    bool is_named; /* int64_t: it is `named` */
    amp_priv_number_type named;
} amp_priv_type_words;

AMP_PRIV_COLD void amp_priv_type_words_add(amp_priv_type_words *words, amp_priv_token t)
{
    static const struct {
        const char *words;
        amp_priv_number_type type;
    } names[] = { { " bool _Bool ", AMP_PRIV_NUMBER_BOOL },
                  { " int8_t ", AMP_PRIV_NUMBER_INT8 },
                  { " uint8_t uchar ", AMP_PRIV_NUMBER_UINT8 },
                  { " int16_t ", AMP_PRIV_NUMBER_INT16 },
                  { " uint16_t ushort ", AMP_PRIV_NUMBER_UINT16 },
                  { " int32_t ", AMP_PRIV_NUMBER_INT },
                  { " uint32_t uint ", AMP_PRIV_NUMBER_UINT },
                  { " int64_t ptrdiff_t intptr_t amp_priv_offset ", AMP_PRIV_NUMBER_INT64 },
                  { " uint64_t size_t uintptr_t ulong ", AMP_PRIV_NUMBER_UINT64 } };
    bool *const flags[] = { &words->is_unsigned, &words->is_signed, &words->is_long,
                            &words->is_short,    &words->is_char,   &words->is_signed };
    static const char *const of_flags[] = { "unsigned", "signed", "long", "short", "char", "int" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (amp_priv_listed(names[i].words, t)) {
            words->is_named = true;
            words->named = names[i].type;
            return;
        }
    for (size_t i = 0; i < sizeof of_flags / sizeof *of_flags; i++)
        if (amp_priv_token_is(t, of_flags[i])) {
            *flags[i] = true;
            return;
        }
    words->is_other = true;
}

AMP_PRIV_COLD amp_priv_number_type amp_priv_type_words_number(const amp_priv_type_words *words)
{
    if (words->is_other)
        return AMP_PRIV_NUMBER_OTHER;
    if (words->is_named)
        return words->named;
    const amp_priv_number_type type = words->is_char    ? AMP_PRIV_NUMBER_INT8
                                      : words->is_short ? AMP_PRIV_NUMBER_INT16
                                      : words->is_long  ? AMP_PRIV_NUMBER_INT64
                                                        : AMP_PRIV_NUMBER_INT;
    if (words->is_unsigned)
        return (amp_priv_number_type)(type + 1);
    return type != AMP_PRIV_NUMBER_INT || words->is_signed ? type : AMP_PRIV_NUMBER_OTHER;
}

#endif /* AMP_CODEGEN_C_TYPES_H */
