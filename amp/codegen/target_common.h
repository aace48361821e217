/* SPDX-License-Identifier: MIT */
/*  amp/codegen/target_common.h - source that OpenCL C and CUDA C++ have in common

    Contents (search for the tag):
        >>names  >>access  >>tile  >>halves  >>together  >>nvidia */
#ifndef AMP_CODEGEN_TARGET_COMMON_H
#define AMP_CODEGEN_TARGET_COMMON_H

#include "../device/backend.h"

/* // >>names: what gcc and clang call so, or C, one definition a line. clang's INFINITY of OpenCL C is
   __builtin_inff(), so that one definition alone uses it. */

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_TARGET_WHOLE(name, f)                                                                                 \
    "#define " name "(x) ((int64_t)" f "(x))\n#define " name "f(x) ((int64_t)" f "f(x))\n"
#define AMP_PRIV_TARGET_NAMES                                                                                          \
    "#define _Bool bool\n#define __inline inline\n#define __inline__ inline\n"                                         \
    "#define __builtin_inff() INFINITY\n#define __builtin_inf() ((double)__builtin_inff())\n"                          \
    "#define __builtin_huge_valf() __builtin_inff()\n#define __builtin_huge_val() ((double)__builtin_inff())\n"        \
    "#define __builtin_nanf(s) NAN\n#define __builtin_nan(s) ((double)NAN)\n"                                          \
    "#define __builtin_isnan(x) isnan(x)\n#define __builtin_isinf(x) isinf(x)\n"                                       \
    "#define __builtin_isinf_sign(x) (isinf(x) ? (signbit(x) ? -1 : 1) : 0)\n"                                         \
    "#define __builtin_isfinite(x) isfinite(x)\n#define __builtin_finite(x) isfinite(x)\n"                             \
    "#define __builtin_signbit(x) signbit(x)\n#define __builtin_signbitf(x) signbit((float)(x))\n"                     \
    "#define __builtin_isgreater(x, y) ((x) > (y))\n#define __builtin_isless(x, y) ((x) < (y))\n"                      \
    "#define __builtin_isgreaterequal(x, y) ((x) >= (y))\n#define __builtin_islessequal(x, y) ((x) <= (y))\n"          \
    "#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))\n"                                                \
    "#define __builtin_isunordered(x, y) (isnan(x) || isnan(y))\n#define __builtin_fabsf(x) fabsf(x)\n"                \
    AMP_PRIV_TARGET_WHOLE("lround", "round") AMP_PRIV_TARGET_WHOLE("llround", "round")                                 \
    AMP_PRIV_TARGET_WHOLE("lrint", "rint") AMP_PRIV_TARGET_WHOLE("llrint", "rint")                                     \
    "#define nanf(s) NAN\n#define nan(s) ((double)NAN)\n"                                                              \
    "static inline int64_t amp_priv_magnitude(int64_t x) { return x < 0 ? -x : x; }\n"                                 \
    "#define labs(x) amp_priv_magnitude(x)\n#define llabs(x) amp_priv_magnitude(x)\n"

/* gcc's functions of bits. Given are, of x of 32 and of 64 bits, how many are set, and how many are 0 before the first;
   and x with its bytes reversed. */
#define AMP_PRIV_TARGET_BIT_NAMES(name, of_int, of_long)                                                               \
    "#define __builtin_" name "(x) " of_int "\n#define __builtin_" name "l(x) " of_long "\n#define __builtin_" name    \
    "ll(x) " of_long "\n"
#define AMP_PRIV_TARGET_BITS(ones, ones64, zeros, zeros64, reversed)                                                   \
    AMP_PRIV_TARGET_BIT_NAMES("popcount", ones, ones64) AMP_PRIV_TARGET_BIT_NAMES("clz", zeros, zeros64)               \
    AMP_PRIV_TARGET_BIT_NAMES("parity", "(" ones " & 1)", "(" ones64 " & 1)")                                          \
    "static inline int amp_priv_first_bit(uint64_t x) { x &= -x; return x ? 64 - " zeros64 " : 0; }\n"                 \
    AMP_PRIV_TARGET_BIT_NAMES("ffs", "amp_priv_first_bit((uint)(x))", "amp_priv_first_bit((uint64_t)(x))")             \
    AMP_PRIV_TARGET_BIT_NAMES("ctz", "(amp_priv_first_bit((uint)(x)) - 1)",                                            \
                              "(amp_priv_first_bit((uint64_t)(x)) - 1)")                                               \
    "#define __builtin_bswap32(x) " reversed "\n"

/* Types of the host's; words of them a target has already, or defines before. What stdint.h calls fast and wchar_t are
   as wide as on the host. */
#define AMP_PRIV_TARGET_TYPES                                                                                          \
    "typedef signed char int8_t;\ntypedef uchar uint8_t;\ntypedef short int16_t;\ntypedef ushort uint16_t;\n"          \
    "typedef int int32_t;\ntypedef uint uint32_t;\ntypedef long int64_t;\ntypedef ulong uint64_t;\n"                   \
    "typedef signed char int_least8_t;\ntypedef uchar uint_least8_t;\ntypedef short int_least16_t;\n"                 \
    "typedef ushort uint_least16_t;\ntypedef int int_least32_t;\ntypedef uint uint_least32_t;\n"                      \
    "typedef long int_least64_t;\ntypedef ulong uint_least64_t;\ntypedef signed char int_fast8_t;\n"                  \
    "typedef uchar uint_fast8_t;\ntypedef long int_fast64_t;\ntypedef ulong uint_fast64_t;\ntypedef long intmax_t;\n" \
    "typedef ulong uintmax_t;\n" AMP_PRIV_TARGET_FAST
#if INT_FAST16_MAX == INT64_MAX
#define AMP_PRIV_TARGET_FAST16 "typedef long int_fast16_t;\ntypedef ulong uint_fast16_t;\n"
#elif INT_FAST16_MAX == INT32_MAX
#define AMP_PRIV_TARGET_FAST16 "typedef int int_fast16_t;\ntypedef uint uint_fast16_t;\n"
#else
#define AMP_PRIV_TARGET_FAST16 "typedef short int_fast16_t;\ntypedef ushort uint_fast16_t;\n"
#endif
#if INT_FAST32_MAX == INT64_MAX
#define AMP_PRIV_TARGET_FAST AMP_PRIV_TARGET_FAST16 "typedef long int_fast32_t;\ntypedef ulong uint_fast32_t;\n"
#else
#define AMP_PRIV_TARGET_FAST AMP_PRIV_TARGET_FAST16 "typedef int int_fast32_t;\ntypedef uint uint_fast32_t;\n"
#endif
#if WCHAR_MAX == UINT16_MAX
#define AMP_PRIV_TARGET_WIDE "#define wchar_t ushort\n"
#elif WCHAR_MIN == 0
#define AMP_PRIV_TARGET_WIDE "#define wchar_t uint\n"
#else
#define AMP_PRIV_TARGET_WIDE "#define wchar_t int\n"
#endif
#define AMP_PRIV_TARGET_CHARACTERS AMP_PRIV_TARGET_WIDE "#define char16_t ushort\n#define char32_t uint\n"

/* clang-format on */

/* What is before the number in the name of a vector. */
#define AMP_PRIV_TARGET_SCALARS(X)                                                                                     \
    X("char") X("uchar") X("short") X("ushort") X("int") X("uint") X("float") X("long") X("ulong") X("double")

/* // >>access: AMP_AT with one index, an amp_index or an integer, by overloading. */

#define AMP_PRIV_OVERLOADED "__attribute__((overloadable)) static inline "
#if !defined(AMP_CHECKED)
#define AMP_PRIV_TARGET_AT_TEXT(N)                                                                                     \
    AMP_PRIV_OVERLOADED "amp_priv_offset amp_priv_offset_of(amp_priv_stride" #N " stride, amp_index" #N                \
                        " index) { return amp_priv_offset_index" #N "(stride, index); }\n"
#define AMP_PRIV_TARGET_AT_INTEGER(type, given)                                                                        \
    AMP_PRIV_OVERLOADED "amp_priv_offset amp_priv_offset_of(amp_priv_stride1 stride, " #type                           \
                        " i) { return (amp_priv_offset)i; }\n"
#define AMP_PRIV_TARGET_AT_DEFINE "#define amp_priv_at(in_kernel, head, stride, i) amp_priv_offset_of(stride, i)\n"
#else
#define AMP_PRIV_TARGET_AT_TEXT(N)                                                                                     \
    AMP_PRIV_OVERLOADED "amp_priv_offset amp_priv_checked_of(const amp_priv_head" #N " *head, amp_priv_stride" #N      \
                        " stride, amp_index" #N " index) { return amp_priv_checked_index" #N                           \
                        "(head, stride, index); }\n"
#define AMP_PRIV_TARGET_AT_INTEGER(type, given)                                                                        \
    AMP_PRIV_DEVICE_CHECKED(1, AMP_PRIV_OVERLOADED, "amp_priv_checked_of", ", " #type " i", given, "(amp_priv_offset)i")
#define AMP_PRIV_TARGET_AT_DEFINE                                                                                      \
    "#define amp_priv_at(in_kernel, head, stride, i) amp_priv_checked_of(head, stride, i)\n"
#endif
__attribute__((unused)) static const char amp_priv_text_target_access[] =
    AMP_PRIV_TARGET_AT_DEFINE AMP_PRIV_TARGET_AT_INTEGER(int, "i") AMP_PRIV_TARGET_AT_INTEGER(uint, "i")
        AMP_PRIV_TARGET_AT_INTEGER(long, "i")
            AMP_PRIV_TARGET_AT_INTEGER(ulong, "i > 0x7fffffffffffffff ? 0x7fffffffffffffff : (long)i");
#define AMP_PRIV_TARGET_AT(N, A)                                                                                       \
    __attribute__((unused)) static const char amp_priv_text_target_at##N[] = AMP_PRIV_TARGET_AT_TEXT(N);
AMP_PRIV_FOR_RANKS(AMP_PRIV_TARGET_AT, ~)
#define AMP_PRIV_TARGET_LIST_AT(N, unused) amp_priv_text_target_at##N,
__attribute__((unused)) static const char *const amp_priv_target_at[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_TARGET_LIST_AT,
                                                                                             ~) };

/* // >>tile: the loops of a phase have one iteration, for the thread. */

#define AMP_PRIV_TARGET_PHASES                                                                                         \
    "#define amp_priv_thread_first(i, d) (int)get_local_id(d)\n"                                                       \
    "#define amp_priv_thread_more(i, d) amp_priv_once\n#define amp_priv_thread_next(i, d) amp_priv_once = 0\n"         \
    "#define amp_priv_own_count(d) 1\n#define amp_priv_own_index(i, d) 0\n"

/* // >>halves: by the device's own instructions, or computed, as a target's amp_priv_of_half says. */

#define AMP_PRIV_TARGET_HALVES                                                                                         \
    "#define amp_priv_half_to_float(bits) "                                                                            \
    "amp_priv_of_half(amp_priv_half_loaded(bits), amp_priv_half_bits_to_float(bits))\n"                                \
    "#define amp_priv_float_to_half(x) amp_priv_of_half(amp_priv_half_stored(x), amp_priv_float_to_half_bits(x))\n"

/* // >>together: where the threads of a tile run in 32s (amp/algorithms/subgroup.h). */

#define AMP_PRIV_TARGET_TOGETHER(barrier)                                                                              \
    "#define amp_priv_together(n) ((n) / amp_priv_own_count(0) % 32 == 0)\n"                                           \
    "#define amp_priv_places(n) (amp_priv_together(n) ? 1 : (n))\n"                                                    \
    "#define amp_priv_apart_wait(n) if (!amp_priv_together(n)) " barrier "\n"

/* What a target defines for amp/algorithms/subgroup.h, where no threads of a tile are known to run together. A kernel's
   definition has amp_priv_whole_subgroups where its work-groups are whole 32s. */
#define AMP_PRIV_TEXT_APART(barrier)                                                                                   \
    "#define amp_priv_together(n) 0\n#define amp_priv_places(n) n\n#define amp_priv_apart_wait(n) " barrier            \
    "\n#define amp_priv_near_wait(together) " barrier                                                                  \
    "\n#define amp_priv_fetch(x, from) x\n#define amp_priv_ballot(x) x\n#define amp_priv_whole_subgroups\n"

/* // >>nvidia */

/* What NVIDIA's GPUs do by an instruction that neither OpenCL C nor CUDA C++ names; both have `assembly`, by their own
   word. The nearest integer of a float of less than 2^22: an addition leaves it in the last digits, and is done more
   often than a conversion. Four products of bytes, added. Sums, differences and products of halves, one or two in a
   word. */
#define AMP_PRIV_TEXT_NVIDIA_NEAREST(assembly)                                                                         \
    "static inline int amp_priv_nearest(float x)\n{ int bits; " assembly "(\"{ .reg .f32 sum; add.rn.f32 sum, %1, "    \
    "0f4B400000; mov.b32 %0, sum; }\" : \"=r\"(bits) : \"f\"(x)); return bits - 0x4b400000; }\n"
#define AMP_PRIV_TEXT_NVIDIA_DOT_BYTES(assembly)                                                                       \
    "static inline int amp_priv_dot_words(int a, int b)\n{ int r; " assembly "(\"dp4a.s32.s32 %0, %1, %2, 0;\" : "     \
    "\"=r\"(r) : \"r\"(a), \"r\"(b)); return r; }\n"
#define AMP_PRIV_TEXT_NVIDIA_HALF(assembly, name)                                                                      \
    "static inline unsigned short amp_priv_half_" #name                                                                \
    "(unsigned short a, unsigned short b)\n{ unsigned short r; " assembly "(\"" #name                                  \
    ".rn.f16 %0, %1, %2;\" : \"=h\"(r) : \"h\"(a), \"h\"(b)); return r; }\n"                                           \
    "static inline unsigned amp_priv_halves_" #name "(unsigned a, unsigned b)\n{ unsigned r; " assembly "(\"" #name    \
    ".rn.f16x2 %0, %1, %2;\" : \"=r\"(r) : \"r\"(a), \"r\"(b)); return r; }\n"
#define AMP_PRIV_TEXT_NVIDIA_HALVES(assembly)                                                                          \
    "#define amp_priv_by_half(native, computed) native\n" AMP_PRIV_TEXT_NVIDIA_HALF(assembly, add)                     \
        AMP_PRIV_TEXT_NVIDIA_HALF(assembly, sub) AMP_PRIV_TEXT_NVIDIA_HALF(assembly, mul)

#endif /* AMP_CODEGEN_TARGET_COMMON_H */
