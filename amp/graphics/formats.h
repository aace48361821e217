/* SPDX-License-Identifier: MIT */
/*  amp/graphics/formats.h - numbers that take fewer bits in memory: halves, bfloat16, normalised integers. Kernels read
    and write them as float: amp_float_from_half(AMP_AT(v, i)), AMP_AT(v, i) = amp_float_to_half(x).

    The conversions use integers and normal floats, so they have the same results on every backend, also on devices that
    flush subnormal numbers. Except for the bits of a NaN, the F16C instructions of a CPU give the same results.

    Contents (search for the tag):
        >>bits  >>half  >>normalised  >>texts */
#ifndef AMP_GRAPHICS_FORMATS_H
#define AMP_GRAPHICS_FORMATS_H

#include "vectors.h"

/* // >>bits */

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* Of a half: its exponent moved to that of a float, by a product, which keeps infinity. Subnormal ones become normal by
   a subtraction, which is exact. Masks choose: with a branch or ?: gcc makes no vectors of a loop. */
#define AMP_PRIV_HALF_BITS(F)                                                                                          \
    F(float, amp_priv_half_bits_to_float, (uint16_t half_bits), {                                                      \
        const uint32_t size = (uint32_t)(half_bits & 0x7fff);                                                          \
        const float normal = AMP_BITS(float, (size << 13) + 0x70000000u) * 1.925929944387236e-34f; /* 2^-112 */        \
        const float tiny = AMP_BITS(float, size | 0x3f000000u) - 0.5f;                                                 \
        const uint32_t is_tiny = (uint32_t)((int32_t)(size - 0x400u) >> 31);                                           \
        const uint32_t number = (AMP_BITS(uint32_t, tiny) & is_tiny) | (AMP_BITS(uint32_t, normal) & ~is_tiny);        \
        return AMP_BITS(float, number | (uint32_t)(half_bits & 0x8000) << 16);                                         \
    })                                                                                                                 \
    F(uint16_t, amp_priv_float_to_half_bits, (float x), { /* to the nearest, ties to even */                           \
        const uint32_t all = AMP_BITS(uint32_t, x);                                                                    \
        const uint32_t size = all & 0x7fffffff;                                                                        \
        const uint32_t least = size < 0x47800000u ? size : 0x47800000u; /* of which infinity is made */                \
        const float shifted = AMP_BITS(float, least) + 0.5f; /* whose last bit is a subnormal half's */                \
        const uint32_t normal = (least - 0x37fff001u + ((size >> 13) & 1)) >> 13;                                      \
        const uint32_t is_tiny = (uint32_t)((int32_t)(size - 0x38800000u) >> 31);                                      \
        const uint32_t number = ((AMP_BITS(uint32_t, shifted) - 0x3f000000u) & is_tiny) | (normal & ~is_tiny);         \
        const uint32_t nan = (uint32_t)((int32_t)(0x7f800000u - size) >> 31) & 0x200u;                                 \
        return (uint16_t)(((all >> 16) & 0x8000) | number | nan);                                                      \
    })
#define AMP_PRIV_BFLOAT16_BITS(F)                                                                                      \
    F(float, amp_priv_bfloat16_to_float, (uint16_t short_bits), {                                                      \
        return AMP_BITS(float, (uint32_t)short_bits << 16);                                                            \
    })                                                                                                                 \
    F(uint16_t, amp_priv_float_to_bfloat16, (float x), {                                                               \
        const uint32_t all = AMP_BITS(uint32_t, x);                                                                    \
        const int is_nan = (all & 0x7fffffff) > 0x7f800000u;                                                           \
        return (uint16_t)((is_nan ? all | 0x00400000u : all + 0x7fffu + ((all >> 16) & 1)) >> 16);                     \
    })
AMP_PRIV_BFLOAT16_BITS(AMP_PRIV_VECTOR_ON_HOST)

AMP_PRIV_HALF_BITS(AMP_PRIV_VECTOR_ON_HOST)
#if defined(__clang__) && defined(__F16C__)
/* One instruction, also for the vectors of a loop. gcc makes no vectors of loops with such a conversion. */
static inline float amp_priv_half_to_float(uint16_t half_bits) { return (float)AMP_PRIV_BITS(__fp16, half_bits); }
static inline uint16_t amp_priv_float_to_half(float x)
{
    const __fp16 h = (__fp16)x;
    return AMP_BITS(uint16_t, h);
}
#else
static inline float amp_priv_half_to_float(uint16_t half_bits) { return amp_priv_half_bits_to_float(half_bits); }
static inline uint16_t amp_priv_float_to_half(float x) { return amp_priv_float_to_half_bits(x); }
#endif

/* // >>half
   amp_half, amp_half_N: a number of 16 bits: 1 sign, 5 exponent, 10 fraction; or a vector of 2 or 4.
   amp_bfloat16, amp_bfloat16_N: the upper half of a float: 8 bits of exponent, 7 of fraction; or a vector of 2 or 4.
   They are elements of views and members of structs.
   Source: none of C++ AMP's; half of HLSL. */

/* amp_float_from_half(h), amp_float_from_bfloat16(h): the float of a number of 16 bits.
   amp_float_N_from_half(h), amp_float_N_from_bfloat16(h): the vector of floats of a vector of 2 or 4.
   amp_float_to_half(x), amp_float_to_bfloat16(x): the nearest number of 16 bits, ties to even; infinite if x is too
   large.
   amp_float_N_to_half(v), amp_float_N_to_bfloat16(v): the same for a vector of 2 or 4.
   amp_half_add(a, b), amp_half_sub(a, b), amp_half_mul(a, b), amp_half_div(a, b): arithmetic of halves, rounded
   once.
   amp_half_N_add(a, b), amp_half_N_sub(a, b), amp_half_N_mul(a, b), amp_half_N_div(a, b): the same for vectors.
   amp_bfloat16_add(a, b), amp_bfloat16_sub(a, b), amp_bfloat16_mul(a, b), amp_bfloat16_div(a, b): arithmetic of
   bfloat16, rounded once.
   amp_bfloat16_N_add(a, b), amp_bfloat16_N_sub(a, b), amp_bfloat16_N_mul(a, b), amp_bfloat16_N_div(a, b): the same
   for vectors.
   In kernels and on the host. Compute longer sums as float.
   h, a, b  numbers of 16 bits, or vectors of them
   x  a float
   v  an amp_float_2 or amp_float_4
   Result: a number or a vector.
   Errors: none. Blocking: no. Threads: any. Cost: an instruction with F16C or on a GPU, else about ten. Source: none
   of C++ AMP's; half of HLSL. */
#define AMP_PRIV_SHORT_FLOAT_TYPES(H)                                                                                  \
    typedef struct amp_##H { uint16_t bits; } amp_##H;                                                                 \
    typedef struct amp_##H##_2 { amp_uint16_2 bits; } amp_##H##_2;                                                     \
    typedef struct amp_##H##_4 { amp_uint16_4 bits; } amp_##H##_4;
#define AMP_PRIV_SHORT_FLOAT_PART(H, axis) amp_priv_##H##_to_float(AMP_PRIV_COMPONENT_OF(h.bits, axis))
#define AMP_PRIV_SHORT_FLOAT_FROM(H, axis) amp_priv_float_to_##H(AMP_PRIV_COMPONENT_OF(v, axis))
#define AMP_PRIV_SHORT_FLOAT(F, H)                                                                                     \
    F(float, amp_float_from_##H, (amp_##H h), { return amp_priv_##H##_to_float(h.bits); })                             \
    F(amp_##H, amp_float_to_##H, (float x), {                                                                          \
        const amp_##H h = {amp_priv_float_to_##H(x)};                                                                  \
        return h;                                                                                                      \
    })                                                                                                                 \
    F(amp_float_2, amp_float_2_from_##H, (amp_##H##_2 h), {                                                            \
        return amp_float_2_from_2_numbers(AMP_PRIV_SHORT_FLOAT_PART(H, x), AMP_PRIV_SHORT_FLOAT_PART(H, y));           \
    })                                                                                                                 \
    F(amp_##H##_2, amp_float_2_to_##H, (amp_float_2 v), {                                                              \
        const amp_##H##_2 h = {                                                                                        \
                amp_uint16_2_from_2_numbers(AMP_PRIV_SHORT_FLOAT_FROM(H, x), AMP_PRIV_SHORT_FLOAT_FROM(H, y))};        \
        return h;                                                                                                      \
    })                                                                                                                 \
    F(amp_float_4, amp_float_4_from_##H, (amp_##H##_4 h), {                                                            \
        return amp_float_4_from_4_numbers(AMP_PRIV_SHORT_FLOAT_PART(H, x), AMP_PRIV_SHORT_FLOAT_PART(H, y),            \
                                          AMP_PRIV_SHORT_FLOAT_PART(H, z), AMP_PRIV_SHORT_FLOAT_PART(H, w));           \
    })                                                                                                                 \
    F(amp_##H##_4, amp_float_4_to_##H, (amp_float_4 v), {                                                              \
        const amp_##H##_4 h = {                                                                                        \
                amp_uint16_4_from_4_numbers(AMP_PRIV_SHORT_FLOAT_FROM(H, x), AMP_PRIV_SHORT_FLOAT_FROM(H, y),          \
                                            AMP_PRIV_SHORT_FLOAT_FROM(H, z), AMP_PRIV_SHORT_FLOAT_FROM(H, w))};        \
        return h;                                                                                                      \
    })
/* A float has twice the digits and two more, so what is rounded to it first is rounded right. That is what a device's
   instructions for halves have, too, where its target says amp_priv_by_half; X(T, name, computed) chooses. Division of
   floats is rounded right on the host only: a device's may be off by 2.5 units in the last place, and where the right
   quotient is halfway between two subnormal halves, that is too much. What is left after the division corrects it. */
#define AMP_PRIV_SHORT_FLOAT_ARITHMETIC(F, X, H)                                                                       \
    AMP_PRIV_SHORT_FLOAT_OPERATORS(F, X, H, amp_##H, amp_float)                                                        \
    AMP_PRIV_SHORT_FLOAT_OPERATORS(F, X, H, amp_##H##_2, amp_float_2)                                                  \
    AMP_PRIV_SHORT_FLOAT_OPERATORS(F, X, H, amp_##H##_4, amp_float_4)
#define AMP_PRIV_SHORT_FLOAT_OPERATORS(F, X, H, T, V)                                                                  \
    F(T, T##_add, (T a, T b), { X(T, add, V##_to_##H(V##_from_##H(a) + V##_from_##H(b))) })                            \
    F(T, T##_sub, (T a, T b), { X(T, sub, V##_to_##H(V##_from_##H(a) - V##_from_##H(b))) })                            \
    F(T, T##_mul, (T a, T b), { X(T, mul, V##_to_##H(V##_from_##H(a) * V##_from_##H(b))) })
#define AMP_PRIV_SHORT_FLOAT_DIVISION(F, H)                                                                            \
    AMP_PRIV_SHORT_FLOAT_QUOTIENT(F, H, amp_##H, amp_float)                                                            \
    AMP_PRIV_SHORT_FLOAT_QUOTIENT(F, H, amp_##H##_2, amp_float_2)                                                      \
    AMP_PRIV_SHORT_FLOAT_QUOTIENT(F, H, amp_##H##_4, amp_float_4)
#define AMP_PRIV_SHORT_FLOAT_QUOTIENT(F, H, T, V)                                                                      \
    F(T, T##_div, (T a, T b), { return V##_to_##H(V##_from_##H(a) / V##_from_##H(b)); })
#define AMP_PRIV_HALF_CORRECTED(F)                                                                                     \
    F(float, amp_priv_half_corrected, (float q, float a, float b), {                                                   \
        const float left = fmaf(-q, b, a); /* exact; not a number where q is infinite */                               \
        return left < 0.0f || left > 0.0f ? q + left / b : q;                                                          \
    })
#define AMP_PRIV_HALF_QUOTIENT_OF(axis)                                                                                \
    amp_priv_half_corrected(AMP_PRIV_COMPONENT_OF(q, axis), AMP_PRIV_COMPONENT_OF(x, axis),                            \
                            AMP_PRIV_COMPONENT_OF(y, axis))
#define AMP_PRIV_HALF_DIVISION(F)                                                                                      \
    F(amp_half, amp_half_div, (amp_half a, amp_half b), {                                                              \
        const float x = amp_float_from_half(a);                                                                        \
        const float y = amp_float_from_half(b);                                                                        \
        return amp_float_to_half(amp_priv_half_corrected(x / y, x, y));                                                \
    })                                                                                                                 \
    F(amp_half_2, amp_half_2_div, (amp_half_2 a, amp_half_2 b), {                                                      \
        const amp_float_2 x = amp_float_2_from_half(a);                                                                \
        const amp_float_2 y = amp_float_2_from_half(b);                                                                \
        const amp_float_2 q = x / y;                                                                                   \
        return amp_float_2_to_half(                                                                                    \
                amp_float_2_from_2_numbers(AMP_PRIV_HALF_QUOTIENT_OF(x), AMP_PRIV_HALF_QUOTIENT_OF(y)));               \
    })                                                                                                                 \
    F(amp_half_4, amp_half_4_div, (amp_half_4 a, amp_half_4 b), {                                                      \
        const amp_float_4 x = amp_float_4_from_half(a);                                                                \
        const amp_float_4 y = amp_float_4_from_half(b);                                                                \
        const amp_float_4 q = x / y;                                                                                   \
        return amp_float_4_to_half(                                                                                    \
                amp_float_4_from_4_numbers(AMP_PRIV_HALF_QUOTIENT_OF(x), AMP_PRIV_HALF_QUOTIENT_OF(y),                 \
                                           AMP_PRIV_HALF_QUOTIENT_OF(z), AMP_PRIV_HALF_QUOTIENT_OF(w)));               \
    })
#define AMP_PRIV_COMPUTED(T, name, ...) return __VA_ARGS__;
#define AMP_PRIV_BY_HALF(T, name, ...)                                                                                 \
    AMP_PRIV_WORDS_OF_##T x = {a};                                                                                     \
    AMP_PRIV_WORDS_OF_##T y = {b};                                                                                     \
    amp_priv_by_half(AMP_PRIV_WORDS_BY_##T(name), x.all = __VA_ARGS__);                                                \
    return x.all;
#define AMP_PRIV_WORDS_OF_amp_half         AMP_PRIV_WORDS_OF(amp_half, uint16_t one)
#define AMP_PRIV_WORDS_OF_amp_half_2       AMP_PRIV_WORDS_OF(amp_half_2, uint32_t two)
#define AMP_PRIV_WORDS_OF_amp_half_4       AMP_PRIV_WORDS_OF(amp_half_4, uint32_t two[2])
#define AMP_PRIV_WORDS_BY_amp_half(name)   x.one = amp_priv_half_##name(x.one, y.one)
#define AMP_PRIV_WORDS_BY_amp_half_2(name) x.two = amp_priv_halves_##name(x.two, y.two)
#define AMP_PRIV_WORDS_OF(T, words)                                                                                    \
    union {                                                                                                            \
        T all;                                                                                                         \
        words;                                                                                                         \
    }
#define AMP_PRIV_WORDS_BY_amp_half_4(name)                                                                             \
    (x.two[0] = amp_priv_halves_##name(x.two[0], y.two[0]), x.two[1] = amp_priv_halves_##name(x.two[1], y.two[1]))
AMP_PRIV_SHORT_FLOAT_TYPES(half)
AMP_PRIV_SHORT_FLOAT(AMP_PRIV_VECTOR_ON_HOST, half)
AMP_PRIV_SHORT_FLOAT_ARITHMETIC(AMP_PRIV_VECTOR_ON_HOST, AMP_PRIV_COMPUTED, half)
AMP_PRIV_HALF_CORRECTED(AMP_PRIV_VECTOR_ON_HOST) /* on the host, for a test only */
AMP_PRIV_SHORT_FLOAT_DIVISION(AMP_PRIV_VECTOR_ON_HOST, half)
AMP_PRIV_SHORT_FLOAT_TYPES(bfloat16)
AMP_PRIV_SHORT_FLOAT(AMP_PRIV_VECTOR_ON_HOST, bfloat16)
AMP_PRIV_SHORT_FLOAT_ARITHMETIC(AMP_PRIV_VECTOR_ON_HOST, AMP_PRIV_COMPUTED, bfloat16)
AMP_PRIV_SHORT_FLOAT_DIVISION(AMP_PRIV_VECTOR_ON_HOST, bfloat16)

/* // >>normalised
   amp_unorm, amp_unorm_N: a float, or a vector of 2 to 4, that is clamped to [0, 1].
   amp_norm, amp_norm_N: a float, or a vector of 2 to 4, that is clamped to [-1, 1].
   Structs of one member, value, so that no operator makes one that is not clamped.
   Source: unorm, norm. */

/* AMP_UNORM(x), AMP_NORM(x): a clamped number.
   AMP_UNORM_N(x, y, z, w), AMP_NORM_N(x, y, z, w): a clamped vector of N components, or of one number.
   amp_unorm_of(x), amp_norm_of(x), amp_unorm_N_of(x), amp_norm_N_of(x): a clamped number or vector of a float or
   vector.
   amp_unorm_add(a, b), amp_unorm_sub(a, b), amp_unorm_mul(a, b), amp_unorm_div(a, b): arithmetic with a clamped
   result.
   amp_unorm_N_add(a, b), amp_unorm_N_sub(a, b), amp_unorm_N_mul(a, b), amp_unorm_N_div(a, b): arithmetic with a
   clamped result.
   amp_norm_add(a, b), amp_norm_sub(a, b), amp_norm_mul(a, b), amp_norm_div(a, b): arithmetic with a clamped result.
   amp_norm_N_add(a, b), amp_norm_N_sub(a, b), amp_norm_N_mul(a, b), amp_norm_N_div(a, b): arithmetic with a clamped
   result.
   amp_float_unorm(x), amp_float_norm(x), amp_float_N_unorm(x), amp_float_N_norm(x): a float or vector, clamped to
   [0, 1] or [-1, 1].
   In kernels and on the host. A NaN becomes the lower bound.
   x, y, z, w  floats; or one vector of floats
   a, b  amp_unorm, amp_norm, or vectors of them, of one type
   Result: an amp_unorm, an amp_norm or a vector of them; of amp_float_unorm and the like a float or vector.
   Errors: none. Blocking: no. Threads: any. Cost: two comparisons. Source: unorm, norm, unorm_4 and the like. */

/* amp_float_from_unorm8(c), amp_float_from_unorm16(c): an unsigned integer as 0 to 1.
   amp_float_from_norm8(c), amp_float_from_norm16(c): a signed integer as -1 to 1.
   amp_float_N_from_unorm8(c), amp_float_N_from_unorm16(c), amp_float_N_from_norm8(c), amp_float_N_from_norm16(c):
   the same for vectors of 2 to 4.
   amp_float_to_unorm8(v), amp_float_to_unorm16(v), amp_float_to_norm8(v), amp_float_to_norm16(v): the nearest
   integer, ties to even.
   amp_float_N_to_unorm8(v), amp_float_N_to_unorm16(v), amp_float_N_to_norm8(v), amp_float_N_to_norm16(v): the same
   for vectors of 2 to 4.
   In kernels and on the host. 255 and 65535 are 1; 127 and 32767 are 1, -127 and -32767 are -1, as are -128 and
   -32768. Values out of range are clamped.
   c  uint8_t, int8_t, uint16_t, int16_t, or a vector of them: amp_uint8_4
   v  a float, or a vector of floats
   Result: a float or an integer, or a vector of them.
   Errors: none. Blocking: no. Threads: any. Cost: a few instructions. Source: textures of unorm and norm. */
#define AMP_PRIV_NORMALISED(F, SIDE, format, S, T, most, low, bounded)                                                 \
    F(float, amp_float_from_##format, (T c), {                                                                         \
        const float x = (float)c * (1.0f / (most));                                                                    \
        return x > low ? x : low;                                                                                      \
    })                                                                                                                 \
    F(T, amp_float_to_##format, (float x), {                                                                           \
        return (T)amp_priv_nearest((x > low ? x < 1.0f ? x : 1.0f : low) * (most));                                    \
    })                                                                                                                 \
    AMP_PRIV_NORMALISED_OF(F, SIDE, format, S, 2, most, low, bounded)                                                  \
    AMP_PRIV_NORMALISED_OF(F, SIDE, format, S, 3, most, low, bounded)
#define AMP_PRIV_NORMALISED_OF(F, SIDE, format, S, N, most, low, bounded)                                              \
    F(amp_float_##N, amp_float_##N##_from_##format, (amp_##S##_##N c), {                                               \
        return bounded(amp_float_##N, AMP_PRIV_FLOATS_##SIDE(N, c) * (1.0f / (most)));                                 \
    })                                                                                                                 \
    F(amp_##S##_##N, amp_float_##N##_to_##format, (amp_float_##N v), {                                                 \
        const amp_float_##N a = amp_float_##N##_clamp(v, low, 1.0f) * (most);                                          \
        return AMP_PRIV_STEPS_##SIDE(S, N);                                                                            \
    })
/* The host converts between vectors by way of ints, for which it has instructions; a GPU each component for itself. Not
   by OpenCL C's convert_uchar4, which NVIDIA's compiler does not look into. */
#define AMP_PRIV_FLOATS_ON_HOST(N, c) AMP_CONVERT(amp_float_##N, AMP_CONVERT(amp_int_##N, c))
#define AMP_PRIV_FLOATS_AS_TEXT(N, c) AMP_CONVERT(amp_float_##N, c)
#define AMP_PRIV_STEPS_ON_HOST(S, N)  AMP_CONVERT(amp_##S##_##N, amp_priv_nearest_amp_float_##N(a))
#define AMP_PRIV_STEPS_AS_TEXT(S, N)  amp_##S##_##N##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_NEAREST))
#define AMP_PRIV_UNBOUNDED(V, v)      v
#define AMP_PRIV_BOUNDED(V, v)        V##_max(v, V##_from_number(-1.0f)) /* -128 is -1, too */

/* The nearest integers of floats of less than 2^22. */
static inline int amp_priv_nearest(float x) { return (int)rintf(x); }
#define AMP_PRIV_NEAREST(axis) amp_priv_nearest(AMP_PRIV_A_OF(axis))
#define AMP_PRIV_NEAREST_OF(F, V, I, N)                                                                                \
    F(I, amp_priv_nearest_##V, (V a), { return I##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_NEAREST)); })
AMP_PRIV_NEAREST_OF(AMP_PRIV_VECTOR_ON_HOST, amp_float_2, amp_int_2, 2)
AMP_PRIV_NEAREST_OF(AMP_PRIV_VECTOR_ON_HOST, amp_float_3, amp_int_3, 3)
#if defined(__SSE2__) /* one instruction */
typedef float amp_priv_sse_floats __attribute__((vector_size(16)));
AMP_PRIV_VECTOR_ON_HOST(amp_int_4, amp_priv_nearest_amp_float_4, (amp_float_4 a),
                        { return (amp_int_4)__builtin_ia32_cvtps2dq((amp_priv_sse_floats)a); })
#else
AMP_PRIV_NEAREST_OF(AMP_PRIV_VECTOR_ON_HOST, amp_float_4, amp_int_4, 4)
#endif
#define AMP_PRIV_CLAMPED(F, name, low)                                                                                 \
    F(float, amp_float_##name, (float x), { return x > low ? x < 1.0f ? x : 1.0f : low; })                             \
    F(amp_float_2, amp_float_2_##name, (amp_float_2 v), { return amp_float_2_clamp(v, low, 1.0f); })                   \
    F(amp_float_3, amp_float_3_##name, (amp_float_3 v), { return amp_float_3_clamp(v, low, 1.0f); })                   \
    F(amp_float_4, amp_float_4_##name, (amp_float_4 v), { return amp_float_4_clamp(v, low, 1.0f); })
#define AMP_UNORM(x)     amp_unorm_of(x)
#define AMP_UNORM_2(...) amp_unorm_2_of(AMP_FLOAT_2(__VA_ARGS__))
#define AMP_UNORM_3(...) amp_unorm_3_of(AMP_FLOAT_3(__VA_ARGS__))
#define AMP_UNORM_4(...) amp_unorm_4_of(AMP_FLOAT_4(__VA_ARGS__))
#define AMP_NORM(x)      amp_norm_of(x)
#define AMP_NORM_2(...)  amp_norm_2_of(AMP_FLOAT_2(__VA_ARGS__))
#define AMP_NORM_3(...)  amp_norm_3_of(AMP_FLOAT_3(__VA_ARGS__))
#define AMP_NORM_4(...)  amp_norm_4_of(AMP_FLOAT_4(__VA_ARGS__))
#define AMP_PRIV_CLAMPED_TYPES                                                                                         \
    typedef struct amp_unorm { float value; } amp_unorm;                                                               \
    typedef struct amp_unorm_2 { amp_float_2 value; } amp_unorm_2;                                                     \
    typedef struct amp_unorm_3 { amp_float_3 value; } amp_unorm_3;                                                     \
    typedef struct amp_unorm_4 { amp_float_4 value; } amp_unorm_4;                                                     \
    typedef struct amp_norm { float value; } amp_norm;                                                                 \
    typedef struct amp_norm_2 { amp_float_2 value; } amp_norm_2;                                                       \
    typedef struct amp_norm_3 { amp_float_3 value; } amp_norm_3;                                                       \
    typedef struct amp_norm_4 { amp_float_4 value; } amp_norm_4;
#define AMP_PRIV_CLAMPED_OF(F, name)                                                                                   \
    AMP_PRIV_CLAMPED_FUNCTIONS(F, amp_##name, float, amp_float_##name)                                                 \
    AMP_PRIV_CLAMPED_FUNCTIONS(F, amp_##name##_2, amp_float_2, amp_float_2_##name)                                     \
    AMP_PRIV_CLAMPED_FUNCTIONS(F, amp_##name##_3, amp_float_3, amp_float_3_##name)                                     \
    AMP_PRIV_CLAMPED_FUNCTIONS(F, amp_##name##_4, amp_float_4, amp_float_4_##name)
#define AMP_PRIV_CLAMPED_FUNCTIONS(F, T, V, clamped)                                                                   \
    F(T, T##_of, (V v), {                                                                                              \
        const T number = {clamped(v)};                                                                                 \
        return number;                                                                                                 \
    })                                                                                                                 \
    F(T, T##_add, (T a, T b), { return T##_of(a.value + b.value); })                                                   \
    F(T, T##_sub, (T a, T b), { return T##_of(a.value - b.value); })                                                   \
    F(T, T##_mul, (T a, T b), { return T##_of(a.value * b.value); })                                                   \
    F(T, T##_div, (T a, T b), { return T##_of(a.value / b.value); })
AMP_PRIV_CLAMPED_TYPES
#define AMP_PRIV_FORMATS(F, SIDE)                                                                                      \
    AMP_PRIV_CLAMPED(F, unorm, 0.0f)                                                                                   \
    AMP_PRIV_CLAMPED(F, norm, -1.0f)                                                                                   \
    AMP_PRIV_CLAMPED_OF(F, unorm)                                                                                      \
    AMP_PRIV_CLAMPED_OF(F, norm)                                                                                       \
    AMP_PRIV_NORMALISED(F, SIDE, unorm8, uint8, uint8_t, 255.0f, 0.0f, AMP_PRIV_UNBOUNDED)                             \
    AMP_PRIV_NORMALISED(F, SIDE, norm8, int8, int8_t, 127.0f, -1.0f, AMP_PRIV_BOUNDED)                                 \
    AMP_PRIV_NORMALISED(F, SIDE, unorm16, uint16, uint16_t, 65535.0f, 0.0f, AMP_PRIV_UNBOUNDED)                        \
    AMP_PRIV_NORMALISED(F, SIDE, norm16, int16, int16_t, 32767.0f, -1.0f, AMP_PRIV_BOUNDED)                            \
    AMP_PRIV_NORMALISED_OF(F, SIDE, norm8, int8, 4, 127.0f, -1.0f, AMP_PRIV_BOUNDED)                                   \
    AMP_PRIV_NORMALISED_OF(F, SIDE, unorm16, uint16, 4, 65535.0f, 0.0f, AMP_PRIV_UNBOUNDED)                            \
    AMP_PRIV_NORMALISED_OF(F, SIDE, norm16, int16, 4, 32767.0f, -1.0f, AMP_PRIV_BOUNDED)
#define AMP_PRIV_PIXELS(F, SIDE) AMP_PRIV_NORMALISED_OF(F, SIDE, unorm8, uint8, 4, 255.0f, 0.0f, AMP_PRIV_UNBOUNDED)
AMP_PRIV_FORMATS(AMP_PRIV_VECTOR_ON_HOST, ON_HOST)
#if defined(__SSE2__) && !defined(__clang__)
/* gcc would convert the bytes of a pixel one by one, and has no minps for what C can say. */
typedef char amp_priv_sse_bytes __attribute__((vector_size(16)));
typedef short amp_priv_sse_shorts __attribute__((vector_size(16)));
typedef int amp_priv_sse_ints __attribute__((vector_size(16)));
AMP_PRIV_VECTOR_ON_HOST(amp_float_4, amp_float_4_from_unorm8, (amp_uint8_4 c), {
    const amp_priv_sse_bytes none = { 0 };
    const amp_priv_sse_ints all = { (int)c };
    const amp_priv_sse_bytes shorts = __builtin_ia32_punpcklbw128((amp_priv_sse_bytes)all, none);
    const amp_priv_sse_shorts ints =
        __builtin_ia32_punpcklwd128((amp_priv_sse_shorts)shorts, (amp_priv_sse_shorts)none);
    return AMP_CONVERT(amp_float_4, (amp_int_4)ints) * (1.0f / 255.0f);
})
AMP_PRIV_VECTOR_ON_HOST(amp_uint8_4, amp_float_4_to_unorm8, (amp_float_4 v), {
    const amp_priv_sse_floats none = { 0 };
    const amp_priv_sse_floats one = { 1, 1, 1, 1 };
    const amp_priv_sse_floats within = __builtin_ia32_minps(__builtin_ia32_maxps((amp_priv_sse_floats)v, none), one);
    const amp_priv_sse_ints ints = __builtin_ia32_cvtps2dq(within * 255.0f);
    const amp_priv_sse_shorts shorts = __builtin_ia32_packssdw128(ints, ints);
    return (amp_uint8_4)((amp_priv_sse_ints)__builtin_ia32_packuswb128(shorts, shorts))[0];
})
#else
AMP_PRIV_PIXELS(AMP_PRIV_VECTOR_ON_HOST, ON_HOST)
#endif

/* clang-format on */

/* // >>texts: for devices. */
#if AMP_PRIV_IMPLEMENTS && AMP_PRIV_HAS_DEVICES
AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_library_definition amp_priv_format_texts[] = {
    { 2, "half",
      AMP_PRIV_TEXT(AMP_PRIV_SHORT_FLOAT_TYPES(half)) AMP_PRIV_HALF_BITS(AMP_PRIV_VECTOR_AS_TEXT)
          AMP_PRIV_SHORT_FLOAT(AMP_PRIV_VECTOR_AS_TEXT, half)
              AMP_PRIV_SHORT_FLOAT_ARITHMETIC(AMP_PRIV_VECTOR_AS_TEXT, AMP_PRIV_BY_HALF, half)
                  AMP_PRIV_HALF_CORRECTED(AMP_PRIV_VECTOR_AS_TEXT) AMP_PRIV_HALF_DIVISION(AMP_PRIV_VECTOR_AS_TEXT),
      NULL },
    { 2, "bfloat16",
      AMP_PRIV_TEXT(AMP_PRIV_SHORT_FLOAT_TYPES(bfloat16)) AMP_PRIV_BFLOAT16_BITS(AMP_PRIV_VECTOR_AS_TEXT)
          AMP_PRIV_SHORT_FLOAT(AMP_PRIV_VECTOR_AS_TEXT, bfloat16)
              AMP_PRIV_SHORT_FLOAT_ARITHMETIC(AMP_PRIV_VECTOR_AS_TEXT, AMP_PRIV_COMPUTED, bfloat16)
                  AMP_PRIV_SHORT_FLOAT_DIVISION(AMP_PRIV_VECTOR_AS_TEXT, bfloat16),
      NULL },
    { 2, "norm",
      AMP_PRIV_TEXT(AMP_PRIV_CLAMPED_TYPES) AMP_PRIV_FORMATS(AMP_PRIV_VECTOR_AS_TEXT, AS_TEXT)
          AMP_PRIV_PIXELS(AMP_PRIV_VECTOR_AS_TEXT, AS_TEXT),
      NULL },
};
AMP_PRIV_LONG_STRINGS_END
__attribute__((constructor)) static void amp_priv_register_formats(void)
{
    amp_priv_register_library(amp_priv_format_texts, sizeof amp_priv_format_texts / sizeof amp_priv_format_texts[0]);
}
#endif

#endif /* AMP_GRAPHICS_FORMATS_H */
