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
   -Wpass-failed (clang) and -Wmaybe-uninitialized (gcc, for tile_static variables that one thread sets). The compilers
   issue these two after the macro's own pop. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define AMP_PRIV_QUIET_BEGIN                                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                      \
    _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") AMP_PRIV_LAST_WORDS
#define AMP_PRIV_QUIET_END _Pragma("GCC diagnostic pop")

/* // >>functions
   AMP_FUNCTION(type, name, (parameters), { body }): at file scope, a function that kernels and host code may call.
   Parameters are values, views and private pointers; it may call other AMP_FUNCTIONs above it, not itself. A
   trailing semicolon is welcome. On the host, views given to it from outside a kernel synchronize on access.
   Cost: inlined. Source: restrict(amp, cpu).                                                          */
#define AMP_FUNCTION(type, name, ...)                                                                                  \
    AMP_PRIV_CAT3(AMP_PRIV_FUNCTION_, AMP_PRIV_IS_WRAPPED(name),                                                       \
                  AMP_PRIV_IS_NOTHING(AMP_PRIV_SECOND(__VA_ARGS__, , ~)))(type, name, __VA_ARGS__)
#define AMP_PRIV_FUNCTION_01(type, name, ...) /* a body may follow, and calls */                                       \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) has no body: AMP_FUNCTION(float, twice, "          \
                      "(float x), { return 2 * x; })");                                                                \
    static inline type name __VA_ARGS__
#define AMP_PRIV_FUNCTION_11(type, name, ...)                                                                          \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) lacks its type: AMP_FUNCTION(float, twice, "       \
                      "(float x), { return 2 * x; })");                                                                \
    extern int type(); __extension__
#define AMP_PRIV_FUNCTION_10 AMP_PRIV_FUNCTION_11
#define AMP_PRIV_FUNCTION_00(type, name, parameters, ...)                                                              \
    _Static_assert(AMP_PRIV_IS_WRAPPED(parameters), "amp: the parameters of AMP_FUNCTION(" #type ", " #name            \
                   ", ...) must stand in parentheses: AMP_FUNCTION(float, twice, (float x), { return 2 * x; })");      \
    AMP_PRIV_FUNCTION_TEXT(name, static inline type name parameters __VA_ARGS__)                                       \
    AMP_PRIV_QUIET_BEGIN                                                                                               \
    __attribute__((always_inline, unused)) static inline type name AMP_PRIV_WRAPPED(parameters)                        \
    {                                                                                                                  \
        AMP_PRIV_FUNCTION_MATH __VA_ARGS__                                                                             \
    }                                                                                                                  \
    AMP_PRIV_QUIET_END __extension__
#define AMP_PRIV_FUNCTION_TEXT(name, ...) AMP_PRIV_USER_DEFINITION(name, AMP_PRIV_TEXT_(__VA_ARGS__))

/* Registers a definition when the program starts: at the end of this translation unit's list. In MinGW's programs the
   last constructor of a file runs first. */
#define AMP_PRIV_USER_DEFINITION(the_name, the_text)                                                                   \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    static amp_priv_user_definition amp_priv_user_definition_##the_name = {#the_name, the_text, NULL};                 \
    AMP_PRIV_LONG_STRINGS_END                                                                                          \
    __attribute__((constructor)) static void amp_priv_register_##the_name(void)                                        \
    {                                                                                                                  \
        amp_priv_register(&amp_priv_user_definitions, &amp_priv_user_definition_##the_name);                           \
    }

static inline void amp_priv_register(amp_priv_user_definition **list, amp_priv_user_definition *definition)
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
   AMP_STRUCT(name, { members }): at file scope, a struct that kernels know under the same name. Its members must
   leave no gaps, because devices may lay gaps out differently. AMP_DEFINE_ELEMENT(name) then makes its views and
   arrays (amp_array_view_name_1, ...), AMP_VALUE(name, variable) captures one. Trailing semicolons are welcome.
   Errors: padding does not compile. Source: structs captured by a lambda, array<T>.                   */
#define AMP_STRUCT(name, ...)                                                                                          \
    typedef struct name __VA_ARGS__ name;                                                                              \
    AMP_PRIV_STRUCT_PACKED(name, __VA_ARGS__)                                                                          \
    _Static_assert(sizeof(struct name) == sizeof(struct amp_priv_packed_##name),                                       \
                   "amp: AMP_STRUCT(" #name "): the struct has padding, which a device may lay out differently; "      \
                   "order members by "                                                                                 \
                   "size, largest first, or fill the gap with a named member");                                        \
    AMP_PRIV_FUNCTION_TEXT(name, typedef struct name __VA_ARGS__ name;) __extension__

/* AMP_TABLE(type, name, [A][B], { values }): at file scope, a table that host and kernels read, and AMP_FUNCTIONs. All
   tables that a kernel names, and what those name, are together at most 64 KiB on devices: larger ones are views.
   type  a type that kernels know; [A][B]  numbers or macros, [] for the first if you like; values  numbers and macros
   Errors: writing to it does not compile. Cost: constant memory, fastest where neighbours read one element.
   Source: what a lambda reads of a static const array. */
#define AMP_TABLE(type, name, dimensions, ...)                                                                         \
    AMP_PRIV_TABLE_ON_HOST type name dimensions = __VA_ARGS__;                                                         \
    AMP_PRIV_FUNCTION_TEXT(name, AMP_PRIV_TABLE_ON_DEVICE type name dimensions = __VA_ARGS__;) __extension__

/* AMP_TYPEDEF(type, name): at file scope, a typedef that kernels know, too: AMP_TYPEDEF(float, real). The file may have
   that typedef already. With AMP_DEFINE_ELEMENT(real) it has views and arrays: types of their own, beside those of
   float. Source: using, typedef. */
#define AMP_TYPEDEF(type, name)                                                                                        \
    typedef type name;                                                                                                 \
    AMP_PRIV_FUNCTION_TEXT(name, typedef type name;) __extension__
#define AMP_PRIV_STRUCT_PACKED(name, ...) struct __attribute__((packed)) amp_priv_packed_##name __VA_ARGS__;

#endif /* AMP_API_DEFINITIONS_H */
