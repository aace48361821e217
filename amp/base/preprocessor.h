/* SPDX-License-Identifier: MIT */
/*  amp/base/preprocessor.h - macros that join, make text, count, do something for each argument, choose by type

    Contents (search for the tag):
        >>compiler  >>options  >>words  >>count  >>each  >>ranks  >>pick */
#ifndef AMP_BASE_PREPROCESSOR_H
#define AMP_BASE_PREPROCESSOR_H

/* // >>compiler
   A compiler that cannot compile these headers prints one message. What stands behind an #error is compiled all the
   same, and thousands of lines would follow: an include that cannot be found ends that. */
#if defined(__cplusplus)
#error "amp: amp.h is a C11 library (it needs _Generic): compile this file as C and call it from C++"
#include <see_the_error_above>
#elif (!defined(__GNUC__) && !defined(__clang__)) || defined(__TINYC__)
#error "amp: amp.h needs gcc (9 or later) or clang (10 or later)"
#include <see_the_error_above>
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "amp: amp.h needs C11: compile with -std=c11 or later, or without -std"
#include <see_the_error_above>
#endif

/* // >>options: one that is 0 is off. */
#define AMP_PRIV_IS_OFF_0        1
#define AMP_PRIV_IS_OFF_1        0
#define AMP_PRIV_IS_OFF_         0
#define AMP_PRIV_IS_OFF(option)  AMP_PRIV_IS_OFF_2(option)
#define AMP_PRIV_IS_OFF_2(value) AMP_PRIV_IS_OFF_##value
#if defined(AMP_SERIAL)
#if AMP_PRIV_IS_OFF(AMP_SERIAL)
#undef AMP_SERIAL
#endif
#endif
#if defined(AMP_CHECKED)
#if AMP_PRIV_IS_OFF(AMP_CHECKED)
#undef AMP_CHECKED
#endif
#endif
#if defined(AMP_SPLIT)
#if AMP_PRIV_IS_OFF(AMP_SPLIT)
#undef AMP_SPLIT
#endif
#endif
#if defined(AMP_IMPLEMENTATION)
#if AMP_PRIV_IS_OFF(AMP_IMPLEMENTATION)
#undef AMP_IMPLEMENTATION
#endif
#endif
/* Traces, profiles, reports and comparisons: where the program asks for them, in checked builds, and in the file that
   compiles the library once. */
#if defined(AMP_TOOLS)
#if AMP_PRIV_IS_OFF(AMP_TOOLS)
#undef AMP_TOOLS
#endif
#elif defined(AMP_CHECKED) || defined(AMP_IMPLEMENTATION)
#define AMP_TOOLS
#endif
#if defined(AMP_OPENCL_LINKED)
#if AMP_PRIV_IS_OFF(AMP_OPENCL_LINKED)
#undef AMP_OPENCL_LINKED
#endif
#endif
#if defined(AMP_NO_LOOKOVER)
#if AMP_PRIV_IS_OFF(AMP_NO_LOOKOVER)
#undef AMP_NO_LOOKOVER
#endif
#endif
#if defined(AMP_BACKEND_CPU)
#if AMP_PRIV_IS_OFF(AMP_BACKEND_CPU)
#undef AMP_BACKEND_CPU
#endif
#endif
#if defined(AMP_BACKEND_OPENCL)
#if AMP_PRIV_IS_OFF(AMP_BACKEND_OPENCL)
#undef AMP_BACKEND_OPENCL
#endif
#endif
#if defined(AMP_BACKEND_CUDA)
#if AMP_PRIV_IS_OFF(AMP_BACKEND_CUDA)
#undef AMP_BACKEND_CUDA
#endif
#endif
#if defined(AMP_BACKEND_HIP)
#if AMP_PRIV_IS_OFF(AMP_BACKEND_HIP)
#undef AMP_BACKEND_HIP
#endif
#endif
#if defined(AMP_BACKEND_VULKAN)
#if AMP_PRIV_IS_OFF(AMP_BACKEND_VULKAN)
#undef AMP_BACKEND_VULKAN
#endif
#endif
/* Names that people try. */
#if defined(AMP_CHECK) || defined(AMP_CHECKS) || defined(AMP_DEBUG) || defined(AMP_CHEKED) ||                          \
    defined(AMP_CHECKED_BUILD) || defined(AMP_CHECKING) || defined(AMP_ENABLE_CHECKS) || defined(AMP_BOUNDS) ||        \
    defined(AMP_BOUNDS_CHECK) || defined(AMP_ASSERTS) || defined(AMP_SANITIZE)
#error "amp: there is no such option: AMP_CHECKED makes a checked build"
#include <see_the_error_above>
#elif defined(AMP_OPENMP) || defined(AMP_OMP) || defined(AMP_USE_OPENMP) || defined(AMP_USE_OMP) ||                    \
    defined(AMP_ENABLE_OPENMP) || defined(AMP_ENABLE_OMP) || defined(AMP_WITH_OPENMP) || defined(AMP_NO_OPENMP) ||     \
    defined(AMP_NO_OMP) || defined(AMP_DISABLE_OPENMP) || defined(AMP_SEQUENTIAL) || defined(AMP_SINGLE_THREAD) ||     \
    defined(AMP_SINGLE_THREADED) || defined(AMP_NO_THREADS)
#error "amp: there is no such option: compile with -fopenmp; AMP_SERIAL turns it off"
#include <see_the_error_above>
#elif defined(AMP_IMPL) || defined(AMP_IMPLEMENT) || defined(AMP_IMPLEMENTS) || defined(AMP_IMPLEMENTATIONS) ||        \
    defined(AMP_IMPLEMENATION) || defined(AMP_IMPLEMENTION)
#error "amp: there is no such option: AMP_IMPLEMENTATION compiles the library in this file, with AMP_SPLIT"
#include <see_the_error_above>
#elif defined(AMP_MAXRANK) || defined(AMP_MAX_RANKS) || defined(AMP_RANK_MAX) || defined(AMP_MAX_DIM) ||               \
    defined(AMP_MAX_DIMENSIONS)
#error "amp: there is no such option: AMP_MAX_RANK is the highest rank"
#include <see_the_error_above>
#elif defined(AMP_TRACE) || defined(AMP_PROFILE) || defined(AMP_REPORT) || defined(AMP_PROGRESS) ||                    \
    defined(AMP_COMPARE) || defined(AMP_TOOL) || defined(AMP_TRACING) || defined(AMP_PROFILING)
#error "amp: traces, profiles and reports are for the environment of a program (AMP_PROFILE=1); AMP_TOOLS compiles them"
#include <see_the_error_above>
#endif

/* The highest rank of index, extent, view and array types: `#define AMP_MAX_RANK 9` before including amp.h gives rank
   9. Must be the same in every file of a program. */
#if defined(AMP_MAX_RANK) || !defined(AMP_SPLIT)
#define AMP_PRIV_MAKES_HIGH_RANKS 1
#else
#define AMP_PRIV_MAKES_HIGH_RANKS 0
#endif
#ifndef AMP_MAX_RANK
#define AMP_MAX_RANK 8
#endif
#if AMP_MAX_RANK < 3 || AMP_MAX_RANK > 12
#error "amp: AMP_MAX_RANK must be between 3 and 12"
#include <see_the_error_above>
#endif

/* From here to the next pop, a warning of diagnose_if is an error of clang's, and the last that it shows: for what
   would be followed by others, with all macros on the way to each. */
#if defined(__clang__)
#define AMP_PRIV_LAST_WORDS _Pragma("clang diagnostic fatal \"-Wuser-defined-warnings\"")
#else
#define AMP_PRIV_LAST_WORDS
#endif

/* A requirement that is checked before what would be errors without it. For clang it is the last error, of a function
   that AMP_PRIV_ASKS declared with the message. AMP_PRIV_ASKED is a constant for what follows. AMP_PRIV_IS_NAME(text):
   may it be a name, or a type's; AMP_PRIV_IS_TYPE(x): is x a type, and not the name of a variable? A parameter
   `int (x)` has the name x, or the type of a function that is given an x. */
#if defined(__clang__)
#define AMP_PRIV_ASKS(name, message)                                                                                   \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                              \
    int name(int is_right) __attribute__((diagnose_if(!is_right, message, "warning")));                                \
    _Pragma("clang diagnostic pop")
#define AMP_PRIV_ASK(name, is_right, message)                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Woverlength-strings\"") AMP_PRIV_LAST_WORDS  \
    _Static_assert(sizeof(name(is_right)), "");                                                                        \
    _Pragma("clang diagnostic pop")
#define AMP_PRIV_ASKED(is_right) 1
#define AMP_PRIV_IS_NAME(text)                                                                                         \
    !(__builtin_strchr(text, '.') || __builtin_strchr(text, '-') || __builtin_strchr(text, '+') ||                     \
      __builtin_strchr(text, '[') || __builtin_strchr(text, '&') || __builtin_strchr(text, '=') ||                     \
      __builtin_strchr(text, '*') || __builtin_strchr(text, '(') || __builtin_strchr(text, '{') ||                     \
      __builtin_strchr(text, '/') || __builtin_strchr(text, '%') || __builtin_strchr(text, '<') ||                     \
      __builtin_strchr(text, '>') || __builtin_strchr(text, '?') || __builtin_strchr(text, '"') || sizeof(text) == 1)
#define AMP_PRIV_LACKS(text, character) !__builtin_strchr(text, character[0])
#define AMP_PRIV_NO_NUMBER(text)        !__builtin_strchr("0123456789", text[0])
#else
#define AMP_PRIV_ASKS(name, message)
#define AMP_PRIV_ASK(name, is_right, message) _Static_assert(AMP_PRIV_ASKED(is_right), message);
#define AMP_PRIV_ASKED(is_right)              __builtin_choose_expr(is_right, 1, 0)
#define AMP_PRIV_IS_NAME(text)                (sizeof(text) > 1 && AMP_PRIV_LACKS(text, ".-+[&=*({/%<>?\""))
#define AMP_PRIV_LACKS(text, character)       (__builtin_strcspn(text, character) == sizeof(text) - 1)
#define AMP_PRIV_NO_NUMBER(text)              (__builtin_strcspn(text, "0123456789") != 0)
#endif
#define AMP_PRIV_IS_TYPE(x) _Generic((int (*)(int(x)))0, int (*)(int) : 0, int (*)(int *) : 0, default : 1)

/* Around statements, or an expression, that would be dozens of errors where a constant that AMP_PRIV_ASK asked for is
   0. gcc says that the _Generic does not fit, and skips what is in its parentheses; clang has ended already. Both skip
   them where is_right uses what is not declared: clang, up to a semicolon that is not in further parentheses. */
#if defined(__clang__)
#define AMP_PRIV_ONLY_IF(is_right)                                                                                     \
    (void)_Generic((char (*)[(is_right) ? 1 : 2])0, default : (__extension__({
#define AMP_PRIV_ONLY_IF_END                                                                                           \
        0; })));
#define AMP_PRIV_VALUE_ONLY_IF(is_right) _Generic((char (*)[(is_right) ? 1 : 2])0, default : (
#define AMP_PRIV_VALUE_ONLY_IF_END       ))
#define AMP_PRIV_BODY_IF(is_right)                                                                                     \
    _Generic(amp_priv_only_if + sizeof(char[(is_right) ? 1 : 2]), default : (__extension__({
#define AMP_PRIV_BODY_IF_END                                                                                           \
        (void)0; })));
#define AMP_PRIV_BODY_VALUE_IF(name, is_right, message, ...)                                                           \
    _Generic(amp_priv_only_if + _Pragma("clang diagnostic push") AMP_PRIV_LAST_WORDS sizeof(name(is_right))            \
             _Pragma("clang diagnostic pop"), default : (__VA_ARGS__))
#else
#define AMP_PRIV_ONLY_IF(is_right)                                                                                     \
    (void)_Generic(_Generic((char (*)[(is_right) ? 1 : 2])0, char (*)[1] : 0), default : __extension__({
#define AMP_PRIV_ONLY_IF_END                                                                                           \
        0; }));
#define AMP_PRIV_VALUE_ONLY_IF(is_right)                                                                               \
    _Generic(_Generic((char (*)[(is_right) ? 1 : 2])0, char (*)[1] : 0), default : (
#define AMP_PRIV_VALUE_ONLY_IF_END ))
/* The same in the body of a kernel, where no device sees it (amp/codegen/tokens.h). The one of a value asks, too. */
#define AMP_PRIV_BODY_IF(is_right)                                                                                     \
    _Generic(amp_priv_only_if + _Generic((char (*)[(is_right) ? 1 : 2])0, char (*)[1] : 0), default : __extension__({
#define AMP_PRIV_BODY_IF_END                                                                                           \
        (void)0; }));
#define AMP_PRIV_BODY_VALUE_IF(name, is_right, message, ...)                                                           \
    _Generic(amp_priv_only_if + sizeof(__extension__({                                                                 \
        _Static_assert(AMP_PRIV_ASKED(is_right), message);                                                             \
        0;                                                                                                             \
    })) + _Generic((char (*)[(is_right) ? 1 : 2])0, char (*)[1] : 0), default : (__VA_ARGS__))
#endif
enum { amp_priv_only_if = 0 };
#define AMP_PRIV_VALUE_IF(is_right, ...) AMP_PRIV_VALUE_ONLY_IF(is_right) __VA_ARGS__ AMP_PRIV_VALUE_ONLY_IF_END
/* Always true; what is only if it is has no more errors where x is not declared, or is a type. */
#define AMP_PRIV_IS_DECLARED(x) (sizeof((x)) > 0)

/* // >>words */
#define AMP_PRIV_CAT_(a, b)         a##b
#define AMP_PRIV_CAT(a, b)          AMP_PRIV_CAT_(a, b)
#define AMP_PRIV_CAT3_(a, b, c)     a##b##c
#define AMP_PRIV_CAT3(a, b, c)      AMP_PRIV_CAT3_(a, b, c)
#define AMP_PRIV_TEXT_(...)         #__VA_ARGS__
#define AMP_PRIV_TEXT(...)          AMP_PRIV_TEXT_(__VA_ARGS__)
#define AMP_PRIV_UNWRAP(...)        __VA_ARGS__
#define AMP_PRIV_FIRST(a, ...)      a
#define AMP_PRIV_SECOND(...)        AMP_PRIV_SECOND_(__VA_ARGS__)
#define AMP_PRIV_SECOND_(a, b, ...) b
#define AMP_PRIV_PRAGMA(...)        AMP_PRIV_PRAGMA_(__VA_ARGS__)
#define AMP_PRIV_PRAGMA_(...)       _Pragma(#__VA_ARGS__)

/* 1 where a stands in parentheses, else 0; what stands in them, with them. 1 where there is nothing, else 0 (a is not
   in parentheses). */
#define AMP_PRIV_PROBE(...)    ~, 1,
#define AMP_PRIV_IS_WRAPPED(a) AMP_PRIV_SECOND(AMP_PRIV_PROBE a, 0, ~)
#define AMP_PRIV_WRAPPED(a)    AMP_PRIV_CAT(AMP_PRIV_WRAPPED_, AMP_PRIV_IS_WRAPPED(a))(a)
#define AMP_PRIV_WRAPPED_0(a)  (a)
#define AMP_PRIV_WRAPPED_1(a)  a
#define AMP_PRIV_IS_NOTHING(a) AMP_PRIV_SECOND(AMP_PRIV_PROBE a(), 0, ~)

/* 1 where a type is one word, 0 where it is several, of which the first is a word of C's: unsigned char, struct point,
   float *. AMP_PRIV_ONE_WORD(type) is the type then, or int. AMP_PRIV_IS_WORD_OF_C(name): 1 for such a first word. */
#define AMP_PRIV_IS_WORD(type)        AMP_PRIV_IS_WORD_1(AMP_PRIV_CAT(AMP_PRIV_WORD_, type))
#define AMP_PRIV_IS_WORD_1(...)       AMP_PRIV_IS_WORD_2(__VA_ARGS__, , ~)
#define AMP_PRIV_IS_WORD_2(a, b, ...) AMP_PRIV_SECOND(AMP_PRIV_PROBE b(), 0, ~)
#define AMP_PRIV_IS_WORD_OF_C(name)   AMP_PRIV_HAS_MORE(AMP_PRIV_CAT(AMP_PRIV_WORD_, name))
#define AMP_PRIV_ONE_WORD(type)       AMP_PRIV_CAT(AMP_PRIV_ONE_WORD_, AMP_PRIV_IS_WORD(type))(type)
#define AMP_PRIV_ONE_WORD_0(type)     int
#define AMP_PRIV_ONE_WORD_1(type)     type
#define AMP_PRIV_WORD__Bool           ~,
#define AMP_PRIV_WORD_unsigned        ~,
#define AMP_PRIV_WORD_signed          ~,
#define AMP_PRIV_WORD_char            ~,
#define AMP_PRIV_WORD_short           ~,
#define AMP_PRIV_WORD_int             ~,
#define AMP_PRIV_WORD_long            ~,
#define AMP_PRIV_WORD_float           ~,
#define AMP_PRIV_WORD_double          ~,
#define AMP_PRIV_WORD_struct          ~,
#define AMP_PRIV_WORD_union           ~,
#define AMP_PRIV_WORD_enum            ~,
#define AMP_PRIV_WORD_const           ~,
#define AMP_PRIV_WORD_volatile        ~,

/* Expands to 1 for ((x)) with nothing after it, else 0. Each expansion strips one pair of parentheses; if only ()
   remains, AMP_PRIV_NO_MORE is expanded. */
#define AMP_PRIV_IS_LIST(a)     AMP_PRIV_IS_LIST_1(AMP_PRIV_NO_MORE AMP_PRIV_INSIDE a())
#define AMP_PRIV_IS_LIST_1(...) AMP_PRIV_IS_LIST_2(__VA_ARGS__)
#define AMP_PRIV_IS_LIST_2(...) AMP_PRIV_IS_LIST_3(__VA_ARGS__, 0, ~)
#define AMP_PRIV_IS_LIST_3(...) AMP_PRIV_SECOND(__VA_ARGS__)
#define AMP_PRIV_INSIDE(...)    AMP_PRIV_NOT AMP_PRIV_FIRST(__VA_ARGS__, ~)
#define AMP_PRIV_NOT(...)
/* What stands in it. */
#define AMP_PRIV_IN_LIST(a)    AMP_PRIV_IN_LIST_(AMP_PRIV_UNWRAP a)
#define AMP_PRIV_IN_LIST_(...) AMP_PRIV_UNWRAP __VA_ARGS__
#define AMP_PRIV_NO_MORE(...)  ~, 1

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* // >>count: the number of arguments, 1 to 48 (none counts as 1); with more it is MANY. */
#define AMP_PRIV_COUNT(...)                                                        AMP_PRIV_COUNT_(__VA_ARGS__,        \
    MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,        \
        MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, 48, 47, 46, 45, 44, 43,    \
        42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,    \
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define AMP_PRIV_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,          \
                        a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36,           \
                                a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53,   \
                                a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70,   \
                                a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, n, ...)                              \
    n

/* 1 where there is more than one argument (of 13 at most), else 0. */
#define AMP_PRIV_HAS_MORE(...)                                                                                         \
    AMP_PRIV_FOURTEENTH(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)
#define AMP_PRIV_FOURTEENTH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, ...) a14

/* A macro that takes n arguments: AMP_PRIV_TAKES(n, macro, "NAME", "form", arguments), which may be more, or
   AMP_PRIV_TAKES_JUST. With fewer the right form is the only error. An expression. */
#define AMP_PRIV_TAKES(n, macro, name, form, ...)                                                                      \
    AMP_PRIV_CAT(AMP_PRIV_TAKES_, AMP_PRIV_HAS_11(AMP_PRIV_BEFORE_##n __VA_ARGS__))(n, macro, name, form, __VA_ARGS__)
#define AMP_PRIV_TAKES_JUST(n, macro, name, form, ...)                                                                 \
    AMP_PRIV_CAT(AMP_PRIV_TAKES_JUST_, AMP_PRIV_HAS_11(AMP_PRIV_BEFORE_##n __VA_ARGS__))                               \
    (n, macro, name, form, __VA_ARGS__)
/* Of a macro whose first argument is an accelerator view: here it is the one that the library chooses. */
#define AMP_PRIV_TAKES_HERE(n, macro, name, form, ...)                                                                 \
    AMP_PRIV_CAT(AMP_PRIV_TAKES_HERE_, AMP_PRIV_HAS_11(AMP_PRIV_BEFORE_##n __VA_ARGS__))                               \
    (n, macro, name, form, __VA_ARGS__)
#define AMP_PRIV_TAKES_JUST_HERE(n, macro, name, form, ...)                                                            \
    AMP_PRIV_CAT(AMP_PRIV_TAKES_JUST_HERE_, AMP_PRIV_HAS_11(AMP_PRIV_BEFORE_##n __VA_ARGS__))                          \
    (n, macro, name, form, __VA_ARGS__)
#define AMP_PRIV_TAKES_0(n, macro, name, form, ...)                                                                    \
    __extension__({                                                                                                    \
        _Static_assert(0, "amp: " name ": the number of arguments is wrong: " name "(" form ")");                      \
        0;                                                                                                             \
    })
#define AMP_PRIV_TAKES_1(n, macro, name, form, ...) macro(__VA_ARGS__)
#define AMP_PRIV_TAKES_2                            AMP_PRIV_TAKES_1
#define AMP_PRIV_TAKES_HERE_0                       AMP_PRIV_TAKES_0
#define AMP_PRIV_TAKES_HERE_1(n, macro, name, form, ...) macro((amp_accelerator_view){ NULL }, __VA_ARGS__)
#define AMP_PRIV_TAKES_HERE_2                       AMP_PRIV_TAKES_HERE_1
#define AMP_PRIV_TAKES_JUST_HERE_0                  AMP_PRIV_TAKES_0
#define AMP_PRIV_TAKES_JUST_HERE_1                  AMP_PRIV_TAKES_HERE_1
#define AMP_PRIV_TAKES_JUST_HERE_2                  AMP_PRIV_TAKES_0
#define AMP_PRIV_TAKES_JUST_0                       AMP_PRIV_TAKES_0
#define AMP_PRIV_TAKES_JUST_1                       AMP_PRIV_TAKES_1
#define AMP_PRIV_TAKES_JUST_2                       AMP_PRIV_TAKES_0
/* 0 for fewer than 11 arguments, 1 for 11, 2 for more. */
#define AMP_PRIV_HAS_11(...) AMP_PRIV_HAS_11_(__VA_ARGS__,                                                             \
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,     \
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ~)
#define AMP_PRIV_HAS_11_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,    \
                         a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38,     \
                         a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, n, ...) n
#define AMP_PRIV_BEFORE_11
#define AMP_PRIV_BEFORE_10 ~,
#define AMP_PRIV_BEFORE_9 ~, ~,
#define AMP_PRIV_BEFORE_8 ~, ~, ~,
#define AMP_PRIV_BEFORE_7 ~, ~, ~, ~,
#define AMP_PRIV_BEFORE_6 ~, ~, ~, ~, ~,
#define AMP_PRIV_BEFORE_5 ~, ~, ~, ~, ~, ~,
#define AMP_PRIV_BEFORE_4 ~, ~, ~, ~, ~, ~, ~,
#define AMP_PRIV_BEFORE_3 ~, ~, ~, ~, ~, ~, ~, ~,
#define AMP_PRIV_BEFORE_1 ~, ~, ~, ~, ~, ~, ~, ~, ~, ~,

/* 1 where there is a 49th argument, which is not empty, else 0. */
#define AMP_PRIV_TOO_MANY(...)                                                                                         \
    AMP_PRIV_TOO_MANY_(__VA_ARGS__, , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , ,      \
                       , , , , , , , , , , , , )
#define AMP_PRIV_TOO_MANY_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,  \
                           a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38,   \
                           a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, ...)                                 \
    AMP_PRIV_CAT(AMP_PRIV_IS_MORE_, AMP_PRIV_IS_WRAPPED(a49))(a49)
#define AMP_PRIV_IS_MORE_1(a) 1
#define AMP_PRIV_IS_MORE_0(a) AMP_PRIV_CAT(AMP_PRIV_IS_MORE_0_, AMP_PRIV_IS_NOTHING(a))
#define AMP_PRIV_IS_MORE_0_0  1
#define AMP_PRIV_IS_MORE_0_1  0

/* // >>each
   AMP_PRIV_EACH(X, A, (a, b, ...)) is X(n, A, a) X(n - 1, A, b) ... down to X(1, A, z). X cannot use it again. */
#define AMP_PRIV_EACH(X, A, list)      AMP_PRIV_EACH_(X, A, AMP_PRIV_UNWRAP list)
#define AMP_PRIV_EACH_(X, A, ...)      AMP_PRIV_CAT(AMP_PRIV_EACH_, AMP_PRIV_COUNT(__VA_ARGS__))(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_1(X, A, a)       X(1, A, a)
#define AMP_PRIV_EACH_2(X, A, a, ...)  X(2, A, a) AMP_PRIV_EACH_1(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_3(X, A, a, ...)  X(3, A, a) AMP_PRIV_EACH_2(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_4(X, A, a, ...)  X(4, A, a) AMP_PRIV_EACH_3(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_5(X, A, a, ...)  X(5, A, a) AMP_PRIV_EACH_4(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_6(X, A, a, ...)  X(6, A, a) AMP_PRIV_EACH_5(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_7(X, A, a, ...)  X(7, A, a) AMP_PRIV_EACH_6(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_8(X, A, a, ...)  X(8, A, a) AMP_PRIV_EACH_7(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_9(X, A, a, ...)  X(9, A, a) AMP_PRIV_EACH_8(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_10(X, A, a, ...) X(10, A, a) AMP_PRIV_EACH_9(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_11(X, A, a, ...) X(11, A, a) AMP_PRIV_EACH_10(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_12(X, A, a, ...) X(12, A, a) AMP_PRIV_EACH_11(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_13(X, A, a, ...) X(13, A, a) AMP_PRIV_EACH_12(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_14(X, A, a, ...) X(14, A, a) AMP_PRIV_EACH_13(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_15(X, A, a, ...) X(15, A, a) AMP_PRIV_EACH_14(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_16(X, A, a, ...) X(16, A, a) AMP_PRIV_EACH_15(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_17(X, A, a, ...) X(17, A, a) AMP_PRIV_EACH_16(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_18(X, A, a, ...) X(18, A, a) AMP_PRIV_EACH_17(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_19(X, A, a, ...) X(19, A, a) AMP_PRIV_EACH_18(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_20(X, A, a, ...) X(20, A, a) AMP_PRIV_EACH_19(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_21(X, A, a, ...) X(21, A, a) AMP_PRIV_EACH_20(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_22(X, A, a, ...) X(22, A, a) AMP_PRIV_EACH_21(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_23(X, A, a, ...) X(23, A, a) AMP_PRIV_EACH_22(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_24(X, A, a, ...) X(24, A, a) AMP_PRIV_EACH_23(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_25(X, A, a, ...) X(25, A, a) AMP_PRIV_EACH_24(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_26(X, A, a, ...) X(26, A, a) AMP_PRIV_EACH_25(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_27(X, A, a, ...) X(27, A, a) AMP_PRIV_EACH_26(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_28(X, A, a, ...) X(28, A, a) AMP_PRIV_EACH_27(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_29(X, A, a, ...) X(29, A, a) AMP_PRIV_EACH_28(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_30(X, A, a, ...) X(30, A, a) AMP_PRIV_EACH_29(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_31(X, A, a, ...) X(31, A, a) AMP_PRIV_EACH_30(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_32(X, A, a, ...) X(32, A, a) AMP_PRIV_EACH_31(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_33(X, A, a, ...) X(33, A, a) AMP_PRIV_EACH_32(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_34(X, A, a, ...) X(34, A, a) AMP_PRIV_EACH_33(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_35(X, A, a, ...) X(35, A, a) AMP_PRIV_EACH_34(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_36(X, A, a, ...) X(36, A, a) AMP_PRIV_EACH_35(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_37(X, A, a, ...) X(37, A, a) AMP_PRIV_EACH_36(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_38(X, A, a, ...) X(38, A, a) AMP_PRIV_EACH_37(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_39(X, A, a, ...) X(39, A, a) AMP_PRIV_EACH_38(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_40(X, A, a, ...) X(40, A, a) AMP_PRIV_EACH_39(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_41(X, A, a, ...) X(41, A, a) AMP_PRIV_EACH_40(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_42(X, A, a, ...) X(42, A, a) AMP_PRIV_EACH_41(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_43(X, A, a, ...) X(43, A, a) AMP_PRIV_EACH_42(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_44(X, A, a, ...) X(44, A, a) AMP_PRIV_EACH_43(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_45(X, A, a, ...) X(45, A, a) AMP_PRIV_EACH_44(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_46(X, A, a, ...) X(46, A, a) AMP_PRIV_EACH_45(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_47(X, A, a, ...) X(47, A, a) AMP_PRIV_EACH_46(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_48(X, A, a, ...) X(48, A, a) AMP_PRIV_EACH_47(X, A, __VA_ARGS__)
#define AMP_PRIV_EACH_MANY(X, A, ...)                                                                                  \
    _Static_assert(0, "amp: AMP_CAPTURE takes at most 48 names: put scalars into an AMP_STRUCT and capture it with "   \
        "AMP_VALUE");

/* clang-format on */

/* // >>ranks: AMP_PRIV_FOR_RANKS(X, A) is X(1, A) X(2, A) ... up to X(AMP_MAX_RANK, A). */
#define AMP_PRIV_FOR_RANKS_3(X, A)  X(1, A) X(2, A) X(3, A)
#define AMP_PRIV_FOR_RANKS_4(X, A)  AMP_PRIV_FOR_RANKS_3(X, A) X(4, A)
#define AMP_PRIV_FOR_RANKS_5(X, A)  AMP_PRIV_FOR_RANKS_4(X, A) X(5, A)
#define AMP_PRIV_FOR_RANKS_6(X, A)  AMP_PRIV_FOR_RANKS_5(X, A) X(6, A)
#define AMP_PRIV_FOR_RANKS_7(X, A)  AMP_PRIV_FOR_RANKS_6(X, A) X(7, A)
#define AMP_PRIV_FOR_RANKS_8(X, A)  AMP_PRIV_FOR_RANKS_7(X, A) X(8, A)
#define AMP_PRIV_FOR_RANKS_9(X, A)  AMP_PRIV_FOR_RANKS_8(X, A) X(9, A)
#define AMP_PRIV_FOR_RANKS_10(X, A) AMP_PRIV_FOR_RANKS_9(X, A) X(10, A)
#define AMP_PRIV_FOR_RANKS_11(X, A) AMP_PRIV_FOR_RANKS_10(X, A) X(11, A)
#define AMP_PRIV_FOR_RANKS_12(X, A) AMP_PRIV_FOR_RANKS_11(X, A) X(12, A)
#define AMP_PRIV_FOR_RANKS(X, A)    AMP_PRIV_CAT(AMP_PRIV_FOR_RANKS_, AMP_MAX_RANK)(X, A)

/* 1 where a is a rank, which macros can paste, else 0. */
#define AMP_PRIV_IS_RANK(a) AMP_PRIV_SECOND(AMP_PRIV_CAT(AMP_PRIV_RANK_, a), 0, ~)
#define AMP_PRIV_RANK_1     ~, 1
#define AMP_PRIV_RANK_2     ~, 1
#define AMP_PRIV_RANK_3     ~, 1
#if AMP_MAX_RANK > 3
#define AMP_PRIV_RANK_4 ~, 1
#endif
#if AMP_MAX_RANK > 4
#define AMP_PRIV_RANK_5 ~, 1
#endif
#if AMP_MAX_RANK > 5
#define AMP_PRIV_RANK_6 ~, 1
#endif
#if AMP_MAX_RANK > 6
#define AMP_PRIV_RANK_7 ~, 1
#endif
#if AMP_MAX_RANK > 7
#define AMP_PRIV_RANK_8 ~, 1
#endif
#if AMP_MAX_RANK > 8
#define AMP_PRIV_RANK_9 ~, 1
#endif
#if AMP_MAX_RANK > 9
#define AMP_PRIV_RANK_10 ~, 1
#endif
#if AMP_MAX_RANK > 10
#define AMP_PRIV_RANK_11 ~, 1
#endif
#if AMP_MAX_RANK > 11
#define AMP_PRIV_RANK_12 ~, 1
#endif

/* Is n a constant, as the size of an array must be? */
#if defined(__clang__)
#define AMP_PRIV_IS_CONSTANT(n) __builtin_constant_p(n)
#else /* gcc leaves that open where it optimises; but 0 times a constant is NULL, which leaves the int's address */
#define AMP_PRIV_IS_CONSTANT(n) _Generic(1 ? (void *)(0 * (intptr_t)(n)) : (int *)0, int * : 1, default : 0)
#endif
#define AMP_PRIV_CONSTANT_OR_0(n) __builtin_choose_expr(AMP_PRIV_IS_CONSTANT(n), n, 0)

/* // >>pick: by the type of x, from a list that FOR_RANKS makes, whose entries begin with a comma. */
struct amp_priv_no_type; /* opens the list of associations */
#define AMP_PRIV_PICK(x, LIST, A) _Generic((x), struct amp_priv_no_type * : 0 AMP_PRIV_FOR_RANKS(LIST, A))

#endif /* AMP_BASE_PREPROCESSOR_H */
