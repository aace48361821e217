/* SPDX-License-Identifier: MIT */
/*  amp/matrix/kinds.h - kinds of factors, and their numbers

    Contents (search for the tag):
        >>kinds  >>numbers  >>texts */
#ifndef AMP_MATRIX_KINDS_H
#define AMP_MATRIX_KINDS_H

#include "../graphics/formats.h"

/* // >>kinds: a number that devices see, and the type of the sums. */
#define AMP_PRIV_MATRIX_KIND_half     0
#define AMP_PRIV_MATRIX_KIND_bfloat16 1
#define AMP_PRIV_MATRIX_KIND_tf32     2
#define AMP_PRIV_MATRIX_KIND_int8     3
#define AMP_PRIV_MATRIX_KIND_float    4
#define AMP_PRIV_MATRIX_KIND_double   5
/* 1 for the name of a kind, else 0. */
#define AMP_PRIV_IS_MATRIX_KIND(kind)    AMP_PRIV_SECOND(AMP_PRIV_CAT(AMP_PRIV_IS_MATRIX_KIND_, kind), 0, ~)
#define AMP_PRIV_IS_MATRIX_KIND_half     ~, 1
#define AMP_PRIV_IS_MATRIX_KIND_bfloat16 ~, 1
#define AMP_PRIV_IS_MATRIX_KIND_tf32     ~, 1
#define AMP_PRIV_IS_MATRIX_KIND_int8     ~, 1
#define AMP_PRIV_IS_MATRIX_KIND_float    ~, 1
#define AMP_PRIV_IS_MATRIX_KIND_double   ~, 1
#define AMP_PRIV_NO_MATRIX_KIND(call)                                                                                  \
    _Static_assert(0, "amp: " call ": the first argument, after the accelerator view where there is one, is half, "   \
                      "bfloat16, tf32, int8, float or double")
#define AMP_PRIV_MATRIX_SUM_half     float
#define AMP_PRIV_MATRIX_SUM_bfloat16 float
#define AMP_PRIV_MATRIX_SUM_tf32     float
#define AMP_PRIV_MATRIX_SUM_int8     int
#define AMP_PRIV_MATRIX_SUM_float    float
#define AMP_PRIV_MATRIX_SUM_double   double
#define AMP_PRIV_MATRIX_SIZE(kind)   ((kind) < 2 ? 2 : (kind) == 3 ? 1 : (kind) == 5 ? 8 : 4)
/* Number 6 is tf32 whose factors are rounded already, for wgmma, which cannot round. A device sees number 2. */
#define AMP_PRIV_MATRIX_ROUNDED           6
#define AMP_PRIV_MATRIX_KIND_OF(number)   ((number) == AMP_PRIV_MATRIX_ROUNDED ? AMP_PRIV_MATRIX_KIND_tf32 : (number))
#define AMP_PRIV_MATRIX_KIND_TEXT(number) AMP_PRIV_CAT(AMP_PRIV_MATRIX_KIND_TEXT_, number)
#define AMP_PRIV_MATRIX_KIND_TEXT_0       "0"
#define AMP_PRIV_MATRIX_KIND_TEXT_1       "1"
#define AMP_PRIV_MATRIX_KIND_TEXT_2       "2"
#define AMP_PRIV_MATRIX_KIND_TEXT_3       "3"
#define AMP_PRIV_MATRIX_KIND_TEXT_4       "4"
#define AMP_PRIV_MATRIX_KIND_TEXT_5       "5"
#define AMP_PRIV_MATRIX_KIND_TEXT_6       "2"

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* // >>numbers: of a factor, as the tile has them: from bits of 16, and rounded to the kind. */
#define AMP_PRIV_MATRIX_NUMBERS(F)                                                                                     \
    F(float, amp_priv_matrix_tf32, (float x), { /* 10 bits of fraction, to the nearest, ties away from zero */         \
        const uint32_t all = AMP_BITS(uint32_t, x);                                                                    \
        const uint32_t rounded = (all & 0x7f800000u) == 0x7f800000u ? all : (all + 0x1000u) & 0xffffe000u;             \
        return AMP_BITS(float, rounded);                                                                               \
    })                                                                                                                 \
    F(float, amp_priv_matrix_widened, (int kind, uint16_t bits), {                                                     \
        return kind == 0 ? amp_priv_half_to_float(bits) : amp_priv_bfloat16_to_float(bits);                            \
    })                                                                                                                 \
    F(uint32_t, amp_priv_matrix_narrowed, (int kind, float x), {                                                       \
        const float rounded = amp_priv_matrix_tf32(x);                                                                 \
        return kind == 0   ? (uint32_t)amp_priv_float_to_half(x)                                                       \
               : kind == 1 ? (uint32_t)amp_priv_float_to_bfloat16(x)                                                   \
                           : AMP_BITS(uint32_t, rounded);                                                              \
    })                                                                                                                 \
    F(float, amp_priv_matrix_rounded, (int kind, float x), {                                                           \
        const uint16_t bits = kind < 2 ? (uint16_t)amp_priv_matrix_narrowed(kind, x) : (uint16_t)0;                    \
        return kind < 2 ? amp_priv_matrix_widened(kind, bits) : kind == 2 ? amp_priv_matrix_tf32(x) : x;               \
    })
AMP_PRIV_MATRIX_NUMBERS(AMP_PRIV_VECTOR_ON_HOST)
/* An element as a number of the sums' type. */
#define AMP_PRIV_VECTOR_AS(T, view, ...) (*(AMP_PRIV_ELEMENT_POINTER(const T)) & AMP_AT(view, __VA_ARGS__))
#define AMP_PRIV_VECTOR_NUMBER(number, T, view, ...)                                                                   \
    (sizeof(*(view).data) == 1   ? (T)AMP_PRIV_VECTOR_AS(int8_t, view, __VA_ARGS__)                                    \
     : sizeof(*(view).data) == 2 ? (T)amp_priv_matrix_widened(number, AMP_PRIV_VECTOR_AS(uint16_t, view, __VA_ARGS__)) \
     : number < 3                ? (T)amp_priv_matrix_rounded(number, AMP_PRIV_VECTOR_AS(float, view, __VA_ARGS__))    \
                                 : AMP_PRIV_VECTOR_AS(T, view, __VA_ARGS__))
/* How many of a matrix amp_priv_a are in 16 bytes. */
#define AMP_PRIV_VECTOR_EACH ((int)(16 / sizeof(*(amp_priv_a).data)))

/* clang-format on */

/* // >>texts */
#if AMP_PRIV_IMPLEMENTS && AMP_PRIV_HAS_DEVICES
#include "matrix_text.h"

AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_library_definition amp_priv_matrix_texts[] = {
    { 3, "amp_priv_matrix", AMP_PRIV_MATRIX_NUMBERS(AMP_PRIV_VECTOR_AS_TEXT), NULL },
};
AMP_PRIV_LONG_STRINGS_END
__attribute__((constructor)) static void amp_priv_register_matrix(void)
{
    amp_priv_register_library(amp_priv_matrix_texts, 1);
    for (amp_priv_added_opening *opening = amp_priv_matrix_openings; opening->texts; opening++)
        amp_priv_register_opening(opening);
}
#endif

#endif /* AMP_MATRIX_KINDS_H */
