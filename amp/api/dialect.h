/* SPDX-License-Identifier: MIT */
/*  amp/api/dialect.h - the meaning of each construct of kernels, on the host and on devices

    The host's preprocessor expands a kernel's body once. The compiler compiles the result in place. The library also
    keeps it as a string, from which the code generator makes a device's program. So the macros expand to source that
    both understand, or to two forms.

    Contents (search for the tag):
        >>text  >>choice  >>phase  >>variables  >>vectors */
#ifndef AMP_API_DIALECT_H
#define AMP_API_DIALECT_H

#include "../base/linkage.h"

/* // >>text */

/* Device text is longer than the 4095 characters that every C compiler must take: gcc and clang take it. */
#define AMP_PRIV_LONG_STRINGS_BEGIN                                                                                    \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"")
#define AMP_PRIV_LONG_STRINGS_END _Pragma("GCC diagnostic pop")

/* Declares its arguments on the host and keeps them as the string amp_priv_text_<name>: the same on both sides. */
#if AMP_PRIV_IMPLEMENTS
#define AMP_PRIV_SHARED(name, ...)                                                                                     \
    __VA_ARGS__                                                                                                        \
    __attribute__((unused)) static const char amp_priv_text_##name[] = AMP_PRIV_TEXT_(__VA_ARGS__)
#else
#define AMP_PRIV_SHARED(name, ...) __VA_ARGS__ struct amp_priv_no_type
#endif

/* Keeps one string for all ranks: amp_priv_rank in it is the rank. What is between two amp_priv_parts is there once for
   each dimension, amp_priv_part (amp/codegen/definitions.h). */
#if AMP_PRIV_IMPLEMENTS
#define AMP_PRIV_TEXT_OF_RANKS(name, ...)                                                                              \
    __attribute__((unused)) static const char amp_priv_text_##name[] = AMP_PRIV_TEXT_(__VA_ARGS__);
#else
#define AMP_PRIV_TEXT_OF_RANKS(name, ...)
#endif

/* // >>choice */

/* An expression for the host's compiler, and a string for the generator, which puts the string's text there. */
#define AMP_PRIV_HOST_OR_DEVICE(host, device) __builtin_choose_expr(amp_priv_on_host, host, device)
enum { amp_priv_on_host = 1 };

/* // >>phase: a coordinate of a phase's thread, the variable i, in dimension d of the device. The host's loop runs over
   the tile's n threads there; a device decides (OpenCL C: one iteration, for the work-item). */
#define AMP_PRIV_THREAD_FIRST(i, first, d)                                                                             \
    AMP_PRIV_HOST_OR_DEVICE(first, "amp_priv_thread_first(" #i ", " #d ")")
#define AMP_PRIV_THREAD_MORE(i, n, d) AMP_PRIV_HOST_OR_DEVICE(i < n, "amp_priv_thread_more(" #i ", " #d ")")
#define AMP_PRIV_THREAD_NEXT(i, d)    AMP_PRIV_HOST_OR_DEVICE(i++, "amp_priv_thread_next(" #i ", " #d ")")

/* AMP_UNROLL, before a loop. clang vectorises a phase across its threads only when no loop is left inside it; gcc does
   better with the loop, and keeps it. On a device it is _Pragma("unroll"), which keeps arrays in registers. */
#if defined(__clang__)
#define AMP_PRIV_UNROLL _Pragma("unroll")
#else
#define AMP_PRIV_UNROLL _Pragma("GCC unroll amp_priv_turns")
#endif
enum { amp_priv_turns = 1 };
/* AMP_ANY_ORDER, before a loop: leave to reorder what it adds. clang gives that to the whole loop, gcc to the sums that
   are named, with OpenMP. A device has a thread for each, and needs none. */
#if defined(__clang__)
#define AMP_PRIV_ANY_ORDER(...) _Pragma("clang loop vectorize(enable)")
#elif __GNUC__ >= 12 && defined(_OPENMP) /* an older one would put it before another loop */
/* gcc takes an element, sums[1], for a part of an array, and loses what is added to it. */
#define AMP_PRIV_ANY_ORDER(...)                                                                                        \
    AMP_PRIV_PRAGMA(omp simd reduction(+ : __VA_ARGS__) if (AMP_PRIV_ARE_SUMS(#__VA_ARGS__)))
#define AMP_PRIV_ARE_SUMS(text)                                                                                        \
    sizeof(struct {                                                                                                    \
        _Static_assert(AMP_PRIV_ASKED(AMP_PRIV_IS_NAME(text)),                                                         \
                       "amp: AMP_ANY_ORDER(" text ") takes the names of local variables: add to a variable, and write "\
                       "it to the element behind the loop");                                                           \
        char it_is;                                                                                                    \
    })
#else
#define AMP_PRIV_ANY_ORDER(...)
#endif
/* Before a loop that GPUs unroll: on the host it stays one, and the target's text says what amp_priv_unroll is. */
#if defined(__clang__)
#define AMP_PRIV_UNROLL_GPU      _Pragma("clang loop unroll(disable)")
#define AMP_PRIV_UNROLL_GPU_TEXT "\"clang loop unroll(disable)\""
#elif __GNUC__ < 12 /* such a gcc puts it before the macro around it, and requires a loop there */
#define AMP_PRIV_UNROLL_GPU
#define AMP_PRIV_UNROLL_GPU_TEXT "\"GCC unroll amp_priv_turns_gpu\""
#else
#define AMP_PRIV_UNROLL_GPU      _Pragma("GCC unroll amp_priv_turns_gpu")
#define AMP_PRIV_UNROLL_GPU_TEXT "\"GCC unroll amp_priv_turns_gpu\""
#endif
enum { amp_priv_turns_gpu = 1 };
/* The same, but the source that uses it defines amp_priv_unroll_some. */
#if defined(__clang__)
#define AMP_PRIV_UNROLL_SOME      _Pragma("clang loop unroll(disable) interleave(disable)")
#define AMP_PRIV_UNROLL_SOME_TEXT "\"clang loop unroll(disable) interleave(disable)\""
#elif __GNUC__ < 12
#define AMP_PRIV_UNROLL_SOME
#define AMP_PRIV_UNROLL_SOME_TEXT "\"GCC unroll amp_priv_turns_some\""
#else
#define AMP_PRIV_UNROLL_SOME      _Pragma("GCC unroll amp_priv_turns_some")
#define AMP_PRIV_UNROLL_SOME_TEXT "\"GCC unroll amp_priv_turns_some\""
#endif
enum { amp_priv_turns_some = 1 };

/* // >>variables */

/* Before the declaration of a tile_static variable. On a device the generator moves the declaration to the outermost
   scope of the kernel, where OpenCL C requires it, and makes it __local. */
#define AMP_PRIV_TILE_STATIC_MEMORY _Alignas(amp_priv_tile_static)
enum { amp_priv_tile_static = 64 };
/* After a declaration: gcc cannot see that the variable has a value before it is read, as one thread of a tile sets it
   for all (-Wmaybe-uninitialized). A first value that follows AMP_TILE_STATIC becomes that of AMP_PRIV_FIRST_VALUE,
   and the validator reports it. The generator removes both. */
#if defined(__clang__)
#define AMP_PRIV_SET_ELSEWHERE(name)
#define AMP_PRIV_FIRST_VALUE(name)
#else
#define AMP_PRIV_SET_ELSEWHERE(name) __asm__("" : "=rm"(name))
#define AMP_PRIV_FIRST_VALUE(name)                                                                                     \
    ;                                                                                                                  \
    AMP_PRIV_SET_ELSEWHERE(name);                                                                                      \
    __attribute__((unused)) double AMP_PRIV_CAT(amp_priv_first_value_, __COUNTER__)
#endif

/* Before a table of the file, which is never written. */
#define AMP_PRIV_TABLE_ON_HOST   __attribute__((unused)) static const
#define AMP_PRIV_TABLE_ON_DEVICE __constant

/* The type of a pointer to an element of a view, and of one to tile_static memory. */
#define AMP_PRIV_ELEMENT_POINTER(type)     __typeof__(AMP_PRIV_HOST_OR_DEVICE((type *)0, "(__global " #type " *)0"))
#define AMP_PRIV_TILE_STATIC_POINTER(type) __typeof__(AMP_PRIV_HOST_OR_DEVICE((type *)0, "(__local " #type " *)0"))

/* A variable of each thread that outlives phases has an element for each iteration of the phase, in dimension d: for
   all n threads on the host. The thread's own is number i there. */
#define AMP_PRIV_OWN_COUNT(n, d) AMP_PRIV_HOST_OR_DEVICE(n, "amp_priv_own_count(" #d ")")
#define AMP_PRIV_OWN_INDEX(i, d) AMP_PRIV_HOST_OR_DEVICE(i, "amp_priv_own_index(" #i ", " #d ")")

/* // >>vectors: of 2, 3 and 4 components, amp_float_4 (amp/graphics/vectors.h). A target defines the types, their
   operators, amp_priv_convert_<type>(v, type), and the components amp_priv_axis_x, _y, _z, _w, which follow a vector:
   `(v)amp_priv_axis_x` is `(v).x` in OpenCL C. In C it is `(v)[0]`, so the host's text is `(v)[amp_priv_axis_x]`, and
   the generator takes the brackets away. Of three components each has the size of four, as in OpenCL C; amp_priv_blank
   stands where one is declared whose components are set next, and gives the spare one a value, or does not.
   X(the name in amp_float_4, C's type, the dialect's, of a comparison) for each type of a component: */
#define AMP_PRIV_FOR_VECTORS(X)                                                                                        \
    X(int8, int8_t, char, int8) X(uint8, uint8_t, uchar, int8) X(int16, int16_t, short, int16)                         \
    X(uint16, uint16_t, ushort, int16) X(int, int, int, int) X(uint, unsigned, uint, int)                              \
    X(int64, int64_t, long, int64) X(uint64, uint64_t, ulong, int64) X(float, float, float, int)                       \
    X(double, double, double, int64)
enum { amp_priv_axis_x, amp_priv_axis_y, amp_priv_axis_z, amp_priv_axis_w };

#endif /* AMP_API_DIALECT_H */
