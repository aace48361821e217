/* SPDX-License-Identifier: MIT */
/*  amp/base/linkage.h - which functions are compiled where, and how

    Contents (search for the tag):
        >>split  >>grades */
#ifndef AMP_BASE_LINKAGE_H
#define AMP_BASE_LINKAGE_H

#include "backend_list.h"
#include "preprocessor.h"

/* // >>split
   AMP_SPLIT in every file of a program, and AMP_IMPLEMENTATION in one of them: that file compiles the library, the
   others see its declarations alone. With neither, each file compiles what it uses of the library for itself.

   AMP_PRIV_IMPLEMENTS  1 where the library is compiled
   AMP_PRIV_API         a function that the macros and users call. Its prototype is in amp/api or amp/base/status.h
   AMP_PRIV_API_COLD    one that runs seldom */
#if defined(AMP_SPLIT) && !defined(AMP_IMPLEMENTATION)
#define AMP_PRIV_IMPLEMENTS 0
#else
#define AMP_PRIV_IMPLEMENTS 1
#endif
#if defined(AMP_SPLIT) || defined(AMP_IMPLEMENTATION)
#define AMP_PRIV_IS_SPLIT 1
#if defined(_WIN32)
#define AMP_PRIV_API extern
#else /* a library that has an implementation keeps it for itself */
#define AMP_PRIV_API __attribute__((visibility("hidden"))) extern
#endif
#define AMP_PRIV_API_COLD AMP_PRIV_API
#else
#define AMP_PRIV_IS_SPLIT 0
#define AMP_PRIV_API      AMP_PRIV_NOINLINE
#define AMP_PRIV_API_COLD AMP_PRIV_COLD
#endif

/* Behind the prototype of what a program calls first, or with data of another file: its symbol says which
   implementation it needs. The linker prints this name where the implementation is missing or has other options. */
#if AMP_PRIV_IS_SPLIT
#if defined(AMP_CHECKED)
#define AMP_PRIV_IMPLEMENTED_CHECKS "_and_with_AMP_CHECKED"
#else
#define AMP_PRIV_IMPLEMENTED_CHECKS "_and_no_AMP_CHECKED"
#endif
#if defined(__CHAR_UNSIGNED__) /* kernels have the char of the file with the implementation */
#define AMP_PRIV_IMPLEMENTED_CHAR "_and_funsigned_char"
#else
#define AMP_PRIV_IMPLEMENTED_CHAR
#endif
#define AMP_PRIV_NEEDS(name)                                                                                           \
    __asm__(AMP_PRIV_TEXT(__USER_LABEL_PREFIX__) #name "__define_AMP_IMPLEMENTATION_in_one_file_with_"                 \
            AMP_PRIV_STAMP_BACKEND AMP_PRIV_IMPLEMENTED_CHECKS AMP_PRIV_IMPLEMENTED_CHAR                               \
            "_and_AMP_MAX_RANK_" AMP_PRIV_TEXT(AMP_MAX_RANK))
#else
#define AMP_PRIV_NEEDS(name)
#endif

/* Of a public header beside amp.h: a file that includes it needs an implementation that includes it, too. The linker
   prints this name where that is missing, also where the linker removes unused sections. */
#if !AMP_PRIV_IS_SPLIT
#define AMP_PRIV_NEEDS_HEADER(name) struct amp_priv_no_type
#elif AMP_PRIV_IMPLEMENTS
#define AMP_PRIV_NEEDS_HEADER(name)                                                                                    \
    AMP_PRIV_API const char name;                                                                                      \
    const char name = 0
#elif __has_attribute(retain)
#define AMP_PRIV_NEEDS_HEADER(name)                                                                                    \
    AMP_PRIV_API const char name;                                                                                      \
    __attribute__((used, retain)) static const char *const name##_for_this_file = &name
#else
#define AMP_PRIV_NEEDS_HEADER(name)                                                                                    \
    AMP_PRIV_API const char name;                                                                                      \
    __attribute__((used)) static const char *const name##_for_this_file = &name
#endif

/* // >>grades */

/* One out-of-line copy per file instead of one per caller; none if it is not called. */
#if defined(__OPTIMIZE__)
#define AMP_PRIV_NOINLINE __attribute__((unused, noinline)) static
#else
#define AMP_PRIV_NOINLINE static inline
#endif

/* Runs seldom (first use, errors, traces), or where waiting takes far longer (transfers). Not optimised: that saves a
   third of the time in which gcc compiles ten kernels. Must not call what glibc's _FORTIFY_SOURCE refuses unoptimised:
   open, read, fgets, fread, realpath, ... (tests/check-headers finds out). `inline`: gcc skips what is not called. */
#if defined(__clang__)
#define AMP_PRIV_COLD __attribute__((unused, noinline, cold, optnone)) static
#else
#define AMP_PRIV_COLD __attribute__((unused, cold, optimize("O0"))) static inline
#endif

/* Runs before main, and before the constructors of all files: one of another file may launch kernels. 101 is the first
   priority that programs may use. */
#define AMP_PRIV_AT_START __attribute__((constructor(101))) AMP_PRIV_COLD

/* Bookkeeping of each launch, cheap beside the launch itself: compiled with -O1, which halves gcc's time, and by clang
   for size. WARM_PART: a helper that only WARM functions call, inlined into them. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#define AMP_PRIV_WARM      __attribute__((unused, noinline, optimize("O1"))) static
#define AMP_PRIV_WARM_PART __attribute__((unused, optimize("O1"))) static inline
#elif defined(__OPTIMIZE__)
#define AMP_PRIV_WARM      __attribute__((unused, noinline, minsize)) static
#define AMP_PRIV_WARM_PART static inline
#else
#define AMP_PRIV_WARM      AMP_PRIV_NOINLINE
#define AMP_PRIV_WARM_PART static inline
#endif

/* A function like printf: the positions of the format and of its first argument. MinGW has two kinds of formats, C's
   and Windows'; these functions take C's. */
#if defined(_WIN32) && !defined(__clang__)
#define AMP_PRIV_PRINTF(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define AMP_PRIV_PRINTF(format_at, first) __attribute__((format(printf, format_at, first)))
#endif

#endif /* AMP_BASE_LINKAGE_H */
