/* SPDX-License-Identifier: MIT */
/*  amp/api/definitions.h - functions, structs, tables and typedefs that kernels may use

    Contents (search for the tag):
        >>functions  >>structs */
#ifndef AMP_API_DEFINITIONS_H
#define AMP_API_DEFINITIONS_H

#include "records.h"
#include "dialect.h"
#include "kernel_math.h"

/* The start of every translation unit's list of AMP_FUNCTIONs and AMP_STRUCTs. */
__attribute__((unused)) static amp_priv_user_definition *amp_priv_user_definitions;

/* Silences warnings of what kernels do on purpose: -Wshadow and long strings in the macros; for the whole file
   -Wpass-failed (clang), which comes after the macro's own pop. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
#define AMP_PRIV_QUIET_BEGIN                                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                      \
    _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") AMP_PRIV_LAST_WORDS
#define AMP_PRIV_QUIET_END _Pragma("GCC diagnostic pop")

/* // >>functions
   AMP_FUNCTION(type, name, (parameters), { body }): defines at file scope a function for kernels and the host.
   It may call each AMP_FUNCTION above it, but not itself. On the host, a view that host code passes synchronizes at
   each access. A trailing semicolon is allowed, and needed at the end of a file.
   type  the type of the result
   name  the function's name
   parameters  values, views, structs of them, and pointers to private variables
   body  as for AMP_PARALLEL_FOR_EACH, with return
   Result: none; a definition.
   Errors: none. Blocking: no. Threads: any. Cost: inlined. Source: restrict(amp, cpu). */
#define AMP_FUNCTION(type, name, ...)                                                                                  \
    AMP_PRIV_CAT3(AMP_PRIV_FUNCTION_, AMP_PRIV_IS_WRAPPED(name),                                                       \
                  AMP_PRIV_FUNCTION_BODY(AMP_PRIV_SECOND(__VA_ARGS__, , ~)))(type, name, __VA_ARGS__)
/* 0, 1 if there is none, 2 if it is parameters */
#define AMP_PRIV_FUNCTION_BODY(body)   AMP_PRIV_CAT(AMP_PRIV_FUNCTION_BODY_, AMP_PRIV_IS_WRAPPED(body))(body)
#define AMP_PRIV_FUNCTION_BODY_0(body) AMP_PRIV_IS_NOTHING(body)
#define AMP_PRIV_FUNCTION_BODY_1(body) 2
#define AMP_PRIV_FUNCTION_02(type, name, body, parameters, ...)                                                        \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...): the parameters, in parentheses, are before the "  \
                      "body: AMP_FUNCTION(float, twice, (float x), { return 2 * x; })");                               \
    __attribute__((unused)) static inline type name parameters body __extension__
#define AMP_PRIV_FUNCTION_01(type, name, ...) /* a body may follow, and calls */                                       \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) has no body: AMP_FUNCTION(float, twice, "          \
                      "(float x), { return 2 * x; })");                                                                \
    static inline type name __VA_ARGS__
#define AMP_PRIV_FUNCTION_11(type, name, ...)                                                                          \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) needs a return type: AMP_FUNCTION(float, twice, "  \
                      "(float x), { return 2 * x; })");                                                                \
    extern int type(); __extension__
#define AMP_PRIV_FUNCTION_10 AMP_PRIV_FUNCTION_11
#define AMP_PRIV_FUNCTION_12 AMP_PRIV_FUNCTION_11
#define AMP_PRIV_MSG_FUNCTION(call)                                                                                    \
    "amp: " call ": first the type of the result, then the name, then the parameters: AMP_FUNCTION(float, twice, "     \
    "(float x), { return 2 * x; })"
AMP_PRIV_ASKS(amp_priv_takes_result_type, AMP_PRIV_MSG_FUNCTION("AMP_FUNCTION"))
#define AMP_PRIV_FUNCTION_00(type, name, parameters, ...)                                                              \
    AMP_PRIV_ASK(amp_priv_takes_result_type, AMP_PRIV_IS_TYPE(type),                                                   \
                 AMP_PRIV_MSG_FUNCTION("AMP_FUNCTION(" #type ", " #name ", ...)"))                                     \
    _Static_assert(AMP_PRIV_IS_WRAPPED(parameters), "amp: the parameters of AMP_FUNCTION(" #type ", " #name            \
                   ", ...) must be in parentheses: AMP_FUNCTION(float, twice, (float x), { return 2 * x; })");         \
    AMP_PRIV_DEFINITION_TEXT(FUNCTION, name, static inline type name parameters __VA_ARGS__)                           \
    AMP_PRIV_QUIET_BEGIN                                                                                               \
    __attribute__((always_inline, unused)) static inline type name AMP_PRIV_WRAPPED(parameters)                        \
    {                                                                                                                  \
        AMP_PRIV_FUNCTION_MATH __VA_ARGS__                                                                             \
    }                                                                                                                  \
    AMP_PRIV_QUIET_END __extension__
#define AMP_PRIV_DEFINITION_TEXT(kind, name, ...)                                                                      \
    AMP_PRIV_USER_DEFINITION(name, AMP_PRIV_TEXT_(__VA_ARGS__), AMP_PRIV_DEFINES_##kind)

/* Registers a definition when the program starts: at the end of this translation unit's list. In MinGW's programs the
   last constructor of a file runs first. */
#define AMP_PRIV_USER_DEFINITION(the_name, the_text, the_kind)                                                         \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    static amp_priv_user_definition amp_priv_user_definition_##the_name = {#the_name, the_text, the_kind, NULL};       \
    AMP_PRIV_LONG_STRINGS_END                                                                                          \
    __attribute__((constructor)) static void amp_priv_register_##the_name(void)                                        \
    {                                                                                                                  \
        amp_priv_register(&amp_priv_user_definitions, &amp_priv_user_definition_##the_name);                           \
    }

AMP_PRIV_NOINLINE void amp_priv_register(amp_priv_user_definition **list, amp_priv_user_definition *definition)
{
#if defined(__MINGW32__)
    definition->next = *list;
#else
    while (*list)
        list = &(*list)->next;
#endif
    *list = definition;
}

/* // >>structs
   AMP_STRUCT(name, { members }): defines at file scope a struct that kernels know under the same name.
   Its members must leave no gaps: devices may align them differently. AMP_DEFINE_ELEMENT(name) makes its views and
   arrays, AMP_VALUE(name, variable) captures one. Trailing semicolons are allowed, and needed at the end of a file.
   A struct that holds views is for parameters of functions: make it in the body, of captured views.
   name  the type's name
   members  numbers, arrays of numbers, other such structs; views
   Result: none; a definition.
   Errors: padding does not compile; AMP_COMPILATION_FAILED if one that holds views is captured. Blocking: no.
   Threads: any. Cost: none. Source: structs captured by a lambda, array<T>. */
#define AMP_STRUCT(name, ...)                                                                                          \
    AMP_PRIV_CAT(AMP_PRIV_STRUCT_, AMP_PRIV_IS_NOTHING(AMP_PRIV_FIRST(__VA_ARGS__, ~)))(name, __VA_ARGS__)
#define AMP_PRIV_MSG_STRUCT(call)                                                                                      \
    "amp: " call ": first the name, without the word struct, then the members in braces: AMP_STRUCT(point, { float x; "\
    "float y; })"
AMP_PRIV_ASKS(amp_priv_takes_members_of, AMP_PRIV_MSG_STRUCT("AMP_STRUCT"))
#define AMP_PRIV_STRUCT_1(name, ...)                                                                                   \
    _Static_assert(0, AMP_PRIV_MSG_STRUCT("AMP_STRUCT(" #name ")")); __extension__
#define AMP_PRIV_STRUCT_0(name, ...)                                                                                   \
    AMP_PRIV_ASK(amp_priv_takes_members_of, AMP_PRIV_IS_NAME(#name) && AMP_PRIV_LACKS(#name, " ") &&                   \
                                                !__builtin_strncmp(#__VA_ARGS__, "{", 1),                              \
                 AMP_PRIV_MSG_STRUCT("AMP_STRUCT(" #name ", ...)"))                                                    \
    typedef struct name __VA_ARGS__ name;                                                                              \
    AMP_PRIV_STRUCT_PACKED(name, __VA_ARGS__)                                                                          \
    _Static_assert(sizeof(struct name) == sizeof(struct amp_priv_packed_##name),                                       \
                   "amp: AMP_STRUCT(" #name "): the struct has padding, which a device may lay out differently; "      \
                   "order members by "                                                                                 \
                   "size, largest first, or fill the gap with a named member");                                        \
    AMP_PRIV_DEFINITION_TEXT(STRUCT, name, typedef struct name __VA_ARGS__ name;) __extension__

/* AMP_TABLE(type, name, [A][B], { values }): defines at file scope a constant table for kernels and the host.
   The tables that a kernel and its functions name have at most 64 KiB together on devices. Use a view for larger
   ones.
   type  a type that kernels know
   name  the table's name
   A, B  numbers or macros; the first may be empty, []
   values  numbers and macros
   Result: none; a definition.
   Errors: writing to it does not compile. Blocking: no. Threads: any. Cost: constant memory, fastest where
   neighbouring threads read one element. Source: a static const array that a lambda reads. */
#define AMP_TABLE(type, name, dimensions, ...)                                                                         \
    AMP_PRIV_ASK(amp_priv_takes_table, AMP_PRIV_IS_NAME(#name) && AMP_PRIV_IS_NAME(#type) &&                           \
                                           !__builtin_strncmp(#dimensions, "[", 1),                                    \
                 AMP_PRIV_MSG_TABLE("AMP_TABLE(" #type ", " #name ", " #dimensions ", ...)"))                          \
    AMP_PRIV_ASK(amp_priv_takes_table, AMP_PRIV_IS_TYPE(type),                                                         \
                 AMP_PRIV_MSG_TABLE("AMP_TABLE(" #type ", " #name ", " #dimensions ", ...)"))                          \
    AMP_PRIV_TABLE_ON_HOST type name dimensions = __VA_ARGS__;                                                         \
    AMP_PRIV_DEFINITION_TEXT(TABLE, name, AMP_PRIV_TABLE_ON_DEVICE type name dimensions = __VA_ARGS__;) __extension__

#define AMP_PRIV_MSG_TABLE(call)                                                                                       \
    "amp: " call ": type, name, dimensions in brackets and values in braces are separate arguments: "                  \
    "AMP_TABLE(float, weights, [3], { 1, 2, 1 })"
AMP_PRIV_ASKS(amp_priv_takes_table, AMP_PRIV_MSG_TABLE("AMP_TABLE"))

/* AMP_TYPEDEF(type, name): defines at file scope a typedef that kernels know, too.
   The file may have that typedef already. With AMP_DEFINE_ELEMENT(name) the type has its own views and arrays, which
   are other types than those of the original.
   type  a type that kernels know
   name  the new name
   Result: none; a definition.
   Errors: another typedef of that name does not compile. Blocking: no. Threads: any. Cost: none. Source: using,
   typedef. */
#define AMP_TYPEDEF(...) AMP_PRIV_CAT(AMP_PRIV_TYPEDEF_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_MSG_TYPEDEF(call)                                                                                     \
    "amp: " call ": first a type, then the new name: AMP_TYPEDEF(float, real); for a struct, AMP_STRUCT"
AMP_PRIV_ASKS(amp_priv_takes_type, AMP_PRIV_MSG_TYPEDEF("AMP_TYPEDEF"))
#define AMP_PRIV_TYPEDEF_0(...)                                                                                        \
    _Static_assert(0, AMP_PRIV_MSG_TYPEDEF("AMP_TYPEDEF(" #__VA_ARGS__ ")")); __extension__
#define AMP_PRIV_TYPEDEF_1(type, ...)                                                                                  \
    AMP_PRIV_CAT(AMP_PRIV_TYPEDEF_2_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(type, __VA_ARGS__)
#define AMP_PRIV_TYPEDEF_2_1(...)        AMP_PRIV_TYPEDEF_0(__VA_ARGS__) /* a struct with commas */
#define AMP_PRIV_TYPEDEF_2_0(type, name) AMP_PRIV_CAT(AMP_PRIV_TYPEDEF_3_, AMP_PRIV_IS_WORD_OF_C(name))(type, name)
/* The name is a word of C's: they are exchanged. What follows finds the type. */
#define AMP_PRIV_TYPEDEF_3_1(type, name)                                                                               \
    _Static_assert(0, AMP_PRIV_MSG_TYPEDEF("AMP_TYPEDEF(" #type ", " #name ")"));                                      \
    typedef name type; __extension__
#define AMP_PRIV_TYPEDEF_3_0(type, name)                                                                               \
    AMP_PRIV_ASK(amp_priv_takes_type, AMP_PRIV_IS_TYPE(type),                                                          \
                 AMP_PRIV_MSG_TYPEDEF("AMP_TYPEDEF(" #type ", " #name ")"))                                            \
    typedef type name;                                                                                                 \
    AMP_PRIV_DEFINITION_TEXT(TYPE, name, typedef type name;) __extension__
#define AMP_PRIV_STRUCT_PACKED(name, ...) struct __attribute__((packed)) amp_priv_packed_##name __VA_ARGS__;

#endif /* AMP_API_DEFINITIONS_H */
