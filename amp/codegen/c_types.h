/* SPDX-License-Identifier: MIT */
/*  amp/codegen/c_types.h - the types of C and of the kernel language: their names, sizes, values and conversions

    This is the only list of types. A type is as it is on a device: `long` has 64 bits and `char` a sign (host_syntax.h
    rewrites them where the host's have not).

    Contents (search for the tag):
        >>number  >>names  >>words  >>value */
#ifndef AMP_CODEGEN_C_TYPES_H
#define AMP_CODEGEN_C_TYPES_H

#include "lexer.h"

/* // >>number */

/* The greatest integer that is known of a kernel, and the ends of all sets of integers (amp/group/ranges.h): farther
   than any index, so that sums of two do not overflow. */
#define AMP_PRIV_RANGE_END ((long long)1 << 61)

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
    AMP_PRIV_NUMBER_HALF,
    AMP_PRIV_NUMBER_FLOAT,
    AMP_PRIV_NUMBER_DOUBLE,
    AMP_PRIV_NUMBER_OTHER /* a pointer, a struct, or not known */
} amp_priv_number_type;

AMP_PRIV_COLD bool amp_priv_number_is_integer(amp_priv_number_type type) { return type <= AMP_PRIV_NUMBER_UINT64; }

AMP_PRIV_COLD bool amp_priv_number_is_unsigned(amp_priv_number_type type)
{
    return type == AMP_PRIV_NUMBER_BOOL || type == AMP_PRIV_NUMBER_UINT8 || type == AMP_PRIV_NUMBER_UINT16 ||
           type == AMP_PRIV_NUMBER_UINT || type == AMP_PRIV_NUMBER_UINT64;
}

/* The usual arithmetic conversions: the type in which two are added and compared. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_number_common(amp_priv_number_type a, amp_priv_number_type b)
{
    const amp_priv_number_type most = a > b ? a : b;
    return most < AMP_PRIV_NUMBER_INT ? AMP_PRIV_NUMBER_INT : most;
}

/* The bytes on a device; of what is no number 0. */
AMP_PRIV_COLD size_t amp_priv_number_size(amp_priv_number_type type)
{
    static const unsigned char sizes[] = {
        [AMP_PRIV_NUMBER_BOOL] = 1,  [AMP_PRIV_NUMBER_INT8] = 1,   [AMP_PRIV_NUMBER_UINT8] = 1,
        [AMP_PRIV_NUMBER_INT16] = 2, [AMP_PRIV_NUMBER_UINT16] = 2, [AMP_PRIV_NUMBER_INT] = 4,
        [AMP_PRIV_NUMBER_UINT] = 4,  [AMP_PRIV_NUMBER_INT64] = 8,  [AMP_PRIV_NUMBER_UINT64] = 8,
        [AMP_PRIV_NUMBER_HALF] = 2,  [AMP_PRIV_NUMBER_FLOAT] = 4,  [AMP_PRIV_NUMBER_DOUBLE] = 8,
        [AMP_PRIV_NUMBER_OTHER] = 0
    };
    return sizes[type];
}

/* // >>names */

typedef enum amp_priv_type_kind {
    AMP_PRIV_TYPE_SIGN, /* signed, unsigned: an int, or of another word's type */
    AMP_PRIV_TYPE_INTEGER,
    AMP_PRIV_TYPE_REAL,
    AMP_PRIV_TYPE_VOID,
    AMP_PRIV_TYPE_OF_VALUE /* typeof */
} amp_priv_type_kind;

/* A word that is a type's name, or a part of it. */
typedef struct amp_priv_type_name {
    const char *name;
    size_t size;     /* 0: not known */
    bool is_keyword; /* of C, or bool; else a typedef's name */
    amp_priv_type_kind kind;
    amp_priv_number_type number;
} amp_priv_type_name;

enum { AMP_PRIV_TYPES_OF_DEVICES = 5 };

/* A name that systems give to several types. */
#define AMP_PRIV_TYPE_AS_ON_THE_HOST(T)                                                                                \
    {                                                                                                                  \
#T, sizeof(T), false, AMP_PRIV_TYPE_INTEGER, (T)-1> 0 ? AMP_PRIV_NUMBER_OF(T, U) : AMP_PRIV_NUMBER_OF(T, )     \
    }
#define AMP_PRIV_NUMBER_OF(T, U)                                                                                       \
    (sizeof(T) == 2   ? AMP_PRIV_NUMBER_##U##INT16                                                                     \
     : sizeof(T) == 4 ? AMP_PRIV_NUMBER_##U##INT                                                                       \
                      : AMP_PRIV_NUMBER_##U##INT64)

/* Those of devices come first. */
static const amp_priv_type_name amp_priv_type_names[] = {
    { "half", 2, false, AMP_PRIV_TYPE_REAL, AMP_PRIV_NUMBER_HALF },
    { "uchar", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT8 },
    { "ushort", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT16 },
    { "uint", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT },
    { "ulong", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    { "void", 0, true, AMP_PRIV_TYPE_VOID, AMP_PRIV_NUMBER_OTHER },
    { "_Bool", 1, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_BOOL },
    { "bool", 1, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_BOOL },
    { "char", 1, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT8 },
    { "unsigned char", 1, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT8 }, /* what host_syntax.h writes for it */
    { "short", 2, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT16 },
    { "int", 4, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT },
    { "long", 8, true, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "signed", 4, true, AMP_PRIV_TYPE_SIGN, AMP_PRIV_NUMBER_INT },
    { "unsigned", 4, true, AMP_PRIV_TYPE_SIGN, AMP_PRIV_NUMBER_UINT },
    { "float", 4, true, AMP_PRIV_TYPE_REAL, AMP_PRIV_NUMBER_FLOAT },
    { "double", 8, true, AMP_PRIV_TYPE_REAL, AMP_PRIV_NUMBER_DOUBLE },
    { "int8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT8 },
    { "uint8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT8 },
    { "int16_t", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT16 },
    { "uint16_t", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT16 },
    { "int32_t", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT },
    { "uint32_t", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT },
    { "int64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "uint64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    { "size_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    { "ptrdiff_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "intptr_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "uintptr_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    { "int_least8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT8 },
    { "int_least16_t", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT16 },
    { "int_least32_t", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT },
    { "int_least64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "int_fast8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT8 },
    { "int_fast64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    AMP_PRIV_TYPE_AS_ON_THE_HOST(int_fast16_t),
    AMP_PRIV_TYPE_AS_ON_THE_HOST(int_fast32_t),
    { "intmax_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "uint_least8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT8 },
    { "uint_least16_t", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT16 },
    { "uint_least32_t", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT },
    { "uint_least64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    { "uint_fast8_t", 1, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT8 },
    { "uint_fast64_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    AMP_PRIV_TYPE_AS_ON_THE_HOST(uint_fast16_t),
    AMP_PRIV_TYPE_AS_ON_THE_HOST(uint_fast32_t),
    { "uintmax_t", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT64 },
    AMP_PRIV_TYPE_AS_ON_THE_HOST(wchar_t),
    { "char16_t", 2, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT16 },
    { "char32_t", 4, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_UINT },
    { "amp_priv_offset", 8, false, AMP_PRIV_TYPE_INTEGER, AMP_PRIV_NUMBER_INT64 },
    { "typeof", 0, false, AMP_PRIV_TYPE_OF_VALUE, AMP_PRIV_NUMBER_OTHER },
    { "__typeof", 0, false, AMP_PRIV_TYPE_OF_VALUE, AMP_PRIV_NUMBER_OTHER },
    { "__typeof__", 0, false, AMP_PRIV_TYPE_OF_VALUE, AMP_PRIV_NUMBER_OTHER },
    { "__auto_type", 0, false, AMP_PRIV_TYPE_OF_VALUE, AMP_PRIV_NUMBER_OTHER }
};

/* The word's entry; NULL: it is no type's name. */
AMP_PRIV_WARM const amp_priv_type_name *amp_priv_type_name_of(amp_priv_token word)
{
    for (size_t i = 0; i < sizeof amp_priv_type_names / sizeof *amp_priv_type_names; i++)
        if (*amp_priv_type_names[i].name == *word.at && amp_priv_token_is(word, amp_priv_type_names[i].name))
            return &amp_priv_type_names[i];
    return NULL;
}

/* Its bytes on the host, which may have 32 bits; 0: not known. */
AMP_PRIV_COLD size_t amp_priv_type_host_size(const amp_priv_type_name *type)
{
    static const char addresses[] = " size_t ptrdiff_t intptr_t uintptr_t ";
    return !strcmp(type->name, "long")                                 ? sizeof(long)
           : amp_priv_listed(addresses, amp_priv_token_of(type->name)) ? sizeof(size_t)
                                                                       : type->size;
}

/* Is it a word with which C's own types are written? */
AMP_PRIV_COLD bool amp_priv_is_type_keyword(amp_priv_token word)
{
    const amp_priv_type_name *const name = amp_priv_type_name_of(word);
    return name && name->is_keyword;
}

/* The word's number among the types of devices; -1: it is not one of them. */
AMP_PRIV_WARM int amp_priv_type_of_device(amp_priv_token word)
{
    for (int i = 0; i < AMP_PRIV_TYPES_OF_DEVICES; i++)
        if (*amp_priv_type_names[i].name == *word.at && amp_priv_token_is(word, amp_priv_type_names[i].name))
            return i;
    return -1;
}

/* Is it the name of a type in C, too? */
AMP_PRIV_COLD bool amp_priv_is_type_of_c(amp_priv_token word)
{
    return amp_priv_type_name_of(word) && amp_priv_type_of_device(word) < 0;
}

/* // >>words: a type may have several: unsigned long int. */

/* What they have said so far; begin with zeros. */
typedef struct amp_priv_type_words {
    const amp_priv_type_name *type; /* of an integer what has its size: in `short int` short */
    const amp_priv_type_name *real;
    bool is_unsigned, is_signed, is_other;
} amp_priv_type_words;

AMP_PRIV_COLD void amp_priv_type_words_add(amp_priv_type_words *words, amp_priv_token t)
{
    const amp_priv_type_name *const name = amp_priv_type_name_of(t);
    if (!name || name->kind > AMP_PRIV_TYPE_REAL)
        words->is_other = true;
    else if (name->kind == AMP_PRIV_TYPE_REAL)
        words->real = name;
    else if (name->kind == AMP_PRIV_TYPE_SIGN)
        *(name->number == AMP_PRIV_NUMBER_UINT ? &words->is_unsigned : &words->is_signed) = true;
    else if (!words->type || words->type->number == AMP_PRIV_NUMBER_INT)
        words->type = name;
}

/* Those of a name: "unsigned char"; it may be a part of a longer word. */
AMP_PRIV_COLD amp_priv_type_words amp_priv_type_words_of(amp_priv_token name)
{
    amp_priv_type_words words = { .type = NULL };
    const char *const end = name.at + name.length;
    for (amp_priv_token t = amp_priv_token_at(name.at); t.at < end; t = amp_priv_token_after(t)) {
        t.length = t.length < (size_t)(end - t.at) ? t.length : (unsigned)(end - t.at);
        amp_priv_type_words_add(&words, t);
    }
    return words;
}

/* Their type, if it is a number's. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_type_words_number(const amp_priv_type_words *words)
{
    const bool has_sign = words->is_signed || words->is_unsigned;
    if (words->is_other || (words->real && words->type) || (!words->real && !words->type && !has_sign))
        return AMP_PRIV_NUMBER_OTHER;
    if (words->real)
        return words->real->number;
    const amp_priv_number_type number = words->type ? words->type->number : AMP_PRIV_NUMBER_INT;
    return words->is_unsigned && !amp_priv_number_is_unsigned(number) ? (amp_priv_number_type)(number + 1) : number;
}

/* Their bytes on the host; 0: not known. */
AMP_PRIV_COLD size_t amp_priv_type_words_size(const amp_priv_type_words *words)
{
    if (words->is_other || (words->real && words->type)) /* long double */
        return 0;
    return words->real   ? words->real->size
           : words->type ? amp_priv_type_host_size(words->type)
                         : (words->is_signed || words->is_unsigned) * sizeof(int);
}

/* // >>value */

/* The type of a value or a variable: a number, or a struct or view, by its name. Of a pointer or an array: of what
   it leads to. */
typedef struct amp_priv_value_type {
    unsigned char number;   /* amp_priv_number_type */
    unsigned char pointers; /* how many * and [] lead there */
    amp_priv_token name;    /* of a struct or view; no length: not known */
} amp_priv_value_type;

static const amp_priv_value_type amp_priv_type_unknown = { AMP_PRIV_NUMBER_OTHER, 0, { AMP_PRIV_TOKEN_WORD, 0, "" } };

AMP_PRIV_COLD amp_priv_value_type amp_priv_type_of_number(amp_priv_number_type number)
{
    amp_priv_value_type type = amp_priv_type_unknown;
    type.number = (unsigned char)number;
    return type;
}

/* The type of the number; of a pointer or a struct AMP_PRIV_NUMBER_OTHER. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_type_number(const amp_priv_value_type *type)
{
    return type->pointers ? AMP_PRIV_NUMBER_OTHER : (amp_priv_number_type)type->number;
}

/* The type of what so many * and [] lead to. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_behind(amp_priv_value_type type, int pointers)
{
    if (pointers > type.pointers)
        return amp_priv_type_unknown;
    type.pointers = (unsigned char)(type.pointers - pointers);
    return type;
}

/* A pointer to a type. */
AMP_PRIV_COLD amp_priv_value_type amp_priv_type_pointer(amp_priv_value_type type, int pointers)
{
    if (pointers > UCHAR_MAX - type.pointers)
        return amp_priv_type_unknown;
    type.pointers = (unsigned char)(type.pointers + pointers);
    return type;
}

/* Is the word a type of view or array? Then its element's name and rank. */
AMP_PRIV_COLD bool amp_priv_is_view_type(amp_priv_token word, amp_priv_token *element, int *rank, bool *is_const)
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
        *element = (amp_priv_token){ AMP_PRIV_TOKEN_WORD, (unsigned)(word.length - n - digits - 1), word.at + n };
        *is_const = i == 1;
        if (*rank >= 1 && *rank <= AMP_MAX_RANK)
            return true;
    }
    return false;
}

AMP_PRIV_COLD bool amp_priv_is_view_name(amp_priv_token name)
{
    amp_priv_token element;
    int rank;
    bool is_const;
    return amp_priv_is_view_type(name, &element, &rank, &is_const);
}

#endif /* AMP_CODEGEN_C_TYPES_H */
