/* SPDX-License-Identifier: MIT */
/*  amp/api/array_view.h - arrays and array views: create, take parts, synchronize, release

    A view is a place in a data source, which is host memory or an array. Views made from a view share its source and
    are coherent. Two views made from one pointer have two sources, and are not coherent. AMP_ARRAY_VIEW, _create and
    _retain make views that own a reference of their source and must be released; the AMP_ macros do this at the end of
    the scope. Sections, projections and similar views do not own: they need no release, and are valid while an owner
    lives.

    Contents (search for the tag):
        >>arguments  >>types  >>scoped  >>views  >>parts  >>synchronize  >>arrays  >>counters
        >>runtime  >>elements */
#ifndef AMP_API_ARRAY_VIEW_H
#define AMP_API_ARRAY_VIEW_H

#include "accelerator.h"
#include "element.h"

/* amp_transfer_counters: what was moved between host and devices, in bytes and in transfers.
   A rectangle is one transfer. Devices that share the host's memory move nothing. Copies inside one device do not
   count.
   bytes_to_device, transfers_to_device  uint64_t: from the host to a device
   bytes_to_host, transfers_to_host  uint64_t: from a device to the host
   bytes_across, transfers_across  uint64_t: from one device to another without the host
   Source: none. */
typedef struct amp_transfer_counters {
    uint64_t bytes_to_device, transfers_to_device;
    uint64_t bytes_to_host, transfers_to_host;
    uint64_t bytes_across, transfers_across; /* from one device to another one, without the host */
} amp_transfer_counters;

/* // >>arguments
   Calls that take "integers, or one index or extent" get the arguments' addresses and types. */

typedef struct amp_priv_argument {
    const void *value; /* an index or extent */
    int type;          /* AMP_PRIV_INDEX_TYPE or AMP_PRIV_EXTENT_TYPE, plus the rank; else AMP_PRIV_IS_ULONG */
    long long integer;
} amp_priv_argument;

enum { AMP_PRIV_INDEX_TYPE = 100, AMP_PRIV_EXTENT_TYPE = 200 };

#define AMP_PRIV_TYPE_OF_RANK(N, unused)                                                                               \
    , amp_index##N : AMP_PRIV_INDEX_TYPE + N, amp_extent##N : AMP_PRIV_EXTENT_TYPE + N
#define AMP_PRIV_TYPE(x) _Generic((x), default : 0 AMP_PRIV_FOR_RANKS(AMP_PRIV_TYPE_OF_RANK, ~))
/* A double for a float: -Wdouble-promotion warns of what goes through "...". */
#define AMP_PRIV_IS_INTEGER(x)                                                                                         \
    ((unsigned)__builtin_classify_type(_Generic((x), float: 0.0, const float: 0.0, default: (x))) <= 4)
#define AMP_PRIV_IS_INDEX(x, rank)  (AMP_PRIV_TYPE(x) == AMP_PRIV_INDEX_TYPE + (int)(rank))
#define AMP_PRIV_IS_EXTENT(x, rank) (AMP_PRIV_TYPE(x) == AMP_PRIV_EXTENT_TYPE + (int)(rank))

#define AMP_PRIV_ARGUMENTS(...) ((const amp_priv_argument[]){ AMP_PRIV_EACH(AMP_PRIV_ARGUMENT, ~, (__VA_ARGS__)) })
#define AMP_PRIV_ARGUMENT(n, A, x)                                                                                     \
    { (__typeof__(((void)0, AMP_PRIV_INDEX_OR_0(x)))[1]){ AMP_PRIV_INDEX_OR_0(x) },                                    \
      AMP_PRIV_TYPE(x) + AMP_PRIV_IS_ULONG(x), AMP_PRIV_INTEGER_OR_0(x) }, /* one of them evaluates x */
#define AMP_PRIV_INDEX_OR_0(x)   __builtin_choose_expr(AMP_PRIV_IS_INTEGER(x), 0, x)
#define AMP_PRIV_INTEGER_OR_0(x) (long long)__builtin_choose_expr(AMP_PRIV_IS_INTEGER(x), x, 0)
#define AMP_PRIV_IS_ULONG(x)     _Generic((x), unsigned long : 1, unsigned long long : 1, default : 0)

/* Extents: one amp_extent, or integers. */
#define AMP_PRIV_EXTENT_ARGUMENTS(...)                                                                                 \
    AMP_PRIV_CAT(AMP_PRIV_EXTENT_ARGUMENTS_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_EXTENT_ARGUMENTS_0(e) AMP_PRIV_ARGUMENTS(e)
#define AMP_PRIV_EXTENT_ARGUMENTS_1(...)                                                                               \
    ((const amp_priv_argument[]){ AMP_PRIV_EACH(AMP_PRIV_INTEGER_ARGUMENT, ~, (__VA_ARGS__)) })
#define AMP_PRIV_INTEGER_ARGUMENT(n, A, x) { NULL, AMP_PRIV_IS_ULONG(x), AMP_PRIV_INTEGER_OR_0(x) },

#define AMP_PRIV_AND_INTEGER(n, A, x) &&AMP_PRIV_IS_INTEGER(x)
#define AMP_PRIV_INTEGERS(...)        (1 AMP_PRIV_EACH(AMP_PRIV_AND_INTEGER, ~, (__VA_ARGS__)))
/* Always true: for AMP_PRIV_VALUE_IF, of what takes them. */
#define AMP_PRIV_ARE_DECLARED(...)     (1 AMP_PRIV_EACH(AMP_PRIV_AND_DECLARED, ~, (__VA_ARGS__)))
#define AMP_PRIV_AND_DECLARED(n, A, x) &&AMP_PRIV_IS_DECLARED(x)

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* Whether they are `rank` integers, or one extent of that rank. */
#define AMP_PRIV_EXTENTS_FIT(rank, ...)                                                                                \
    AMP_PRIV_CAT(AMP_PRIV_EXTENTS_FIT_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(rank, __VA_ARGS__)
#define AMP_PRIV_EXTENTS_FIT_0(rank, e) (AMP_PRIV_IS_EXTENT(e, rank) || ((int)(rank) == 1 && AMP_PRIV_IS_INTEGER(e)))
#define AMP_PRIV_COUNT_FITS(rank, ...)                                                                                 \
    (AMP_PRIV_COUNT(__VA_ARGS__) == 1 || AMP_PRIV_COUNT(__VA_ARGS__) == (int)(rank))
#define AMP_PRIV_EXTENTS_FIT_1(rank, ...)                                                                              \
    (AMP_PRIV_COUNT(__VA_ARGS__) == (int)(rank) && AMP_PRIV_INTEGERS(__VA_ARGS__))

/* A static assertion inside an expression: `(AMP_PRIV_REQUIRE(c, "amp: ..."), value)`. A struct inside sizeof would do,
   but there clang takes compound literals in the condition for objects of file scope, so that no call could stand in
   another's argument: amp_copy(amp_section(v, ...), w). */
#define AMP_PRIV_REQUIRE(condition, text)                                                                              \
    ((void)__extension__({                                                                                             \
        _Static_assert(condition, text);                                                                               \
        0;                                                                                                             \
    }))

/* // >>types: of views that belong to a view or array, at compile time. */

#define AMP_PRIV_SAME(a, b)    __builtin_types_compatible_p(a, b)
#define AMP_PRIV_RANK_OF(view) (sizeof((view).extent.v) / sizeof(int))
#define AMP_PRIV_ELEMENT_OF(v) __typeof__(*(v).data)
#define AMP_PRIV_IS_CONST(v)   AMP_PRIV_SAME(__typeof__((v).data), const AMP_PRIV_ELEMENT_OF(v) *)
#define AMP_PRIV_IS_ARRAY(v)   AMP_PRIV_SAME(__typeof__(v), __typeof__(*(v).amp_priv_array))
/* amp_array_view_float_2 for such views and arrays, amp_const_array_view_float_2 for const views. */
#define AMP_PRIV_VIEW_TYPE(v)                                                                                          \
    __typeof__(*__builtin_choose_expr(AMP_PRIV_SAME(__typeof__(v), __typeof__(*(v).amp_priv_const_view)),              \
                                      (v).amp_priv_const_view, (v).amp_priv_view))
/* The head of a view given by value. */
#define AMP_PRIV_HEAD(v) (&((__typeof__(v)[1]){ v })->amp_priv)
/* The head of one whose address is given, and of one given by value. */
#define AMP_PRIV_HEAD_AT(call, p)                                                                                      \
    (AMP_PRIV_REQUIRE_AT(call, p), AMP_PRIV_VALUE_IF(AMP_PRIV_IS_POINTER(p), &AMP_PRIV_AT_ADDRESS(p)->amp_priv))
#define AMP_PRIV_VALUE_HEAD(call, v) AMP_PRIV_OF_VIEW(call, v, AMP_PRIV_HEAD(v))
#define AMP_PRIV_OF_VIEW(call, v, ...)                                                                                 \
    (AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_STRUCT_GIVEN, v, "amp: " call "(v) takes the view or array, not its address"),  \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_STRUCT_GIVEN(v), __VA_ARGS__))
#define AMP_PRIV_REQUIRE_AT(call, p)                                                                                   \
    AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_POINTER, p, "amp: " call "(&v, ...) takes the address of a view or array")
/* Requirements of what a type is, or an expression, which is an int where it is not declared. */
#define AMP_PRIV_REQUIRE_KIND(IS, x, text)                                                                             \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(x) amp_priv_given;                                                                          \
        _Static_assert(IS(*(amp_priv_given *)0), text);                                                                \
        0;                                                                                                             \
    }))
#define AMP_PRIV_ASK_KIND(ask, IS, x, text)                                                                            \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(x) amp_priv_given;                                                                          \
        AMP_PRIV_ASK(ask, IS(*(amp_priv_given *)0), text)                                                              \
        0;                                                                                                             \
    }))
/* The address of a view or array; for anything else, which is refused, another one: clang shows what follows. */
#define AMP_PRIV_AT_ADDRESS(p) __builtin_choose_expr(AMP_PRIV_IS_POINTER(p), p, (amp_array_view_int_1 *)NULL)
#define AMP_PRIV_IS_POINTER(p) (__builtin_classify_type(p) == 5)
/* A new view of that type which `function` fills in: all zero when it fails. */
#define AMP_PRIV_NEW(type, function, ...) (*(type *)function((type[1]){ 0 }, __VA_ARGS__))
/* What _Generic chooses from for a pointer to T: the argument as it is, and of an array of T of two or three dimensions
   its first element's address. The macro that takes the argument writes _Generic itself: clang shows a level less. */
#define AMP_PRIV_ADDRESSES(T, pointer)                                                                                 \
    (pointer), AMP_PRIV_ROWS(T, pointer),                                                                              \
        default: _Generic(*(pointer), AMP_PRIV_ROWS(T, pointer), default: (pointer))
#define AMP_PRIV_ROWS(T, pointer)                                                                                      \
    T(*)[] : (void *)(uintptr_t)(pointer), const T(*)[] : (const void *)(uintptr_t)(pointer)

/* Notes the variable that a source was declared as. */
static inline void amp_priv_declared(const amp_priv_head *owner, uintptr_t variable)
{
    if (owner->source)
        ((amp_priv_handle_slot *)owner->source)->variable = variable; /* its first member */
}

/* // >>scoped
   AMP_ARRAY_VIEW(T, rank, name, pointer, e0): declares a view over host memory, until the end of the scope.
   AMP_CONST_ARRAY_VIEW(T, rank, name, pointer, e0): declares a view that only reads.
   AMP_ARRAY_VIEW_NO_SOURCE(T, rank, name, e0): declares a view over its own memory, with undefined contents.
   AMP_ARRAY(T, rank, name, e0): declares an array on the default accelerator.
   AMP_ARRAY_ON(view, T, rank, name, e0): declares an array on an accelerator view.
   The end of the scope synchronizes and releases it, whatever was assigned to the name. Until then use the memory
   through the view only.
   T  an element type: int, float, ..., or one of AMP_DEFINE_ELEMENT
   rank  a number, 1 to AMP_MAX_RANK
   name  the name to declare: an amp_array_view_T_N, amp_const_array_view_T_N or amp_array_T_N
   pointer  the address of the first element; or an array of T of one to three dimensions
   e0  `rank` integers, e0, e1, ..., slowest dimension first; or one amp_extentN: numbers of elements
   view  amp_accelerator_view
   Result: none; a declaration.
   Errors: AMP_INVALID_ARGUMENT (a component that is negative or does not fit an int, NULL, an array that is known to be
   smaller or to have rows of another length), AMP_OUT_OF_MEMORY; the view is all zero then, and its use is
   AMP_UNINITIALIZED_OBJECT. Blocking: at the end of the scope, for kernels that use it. Threads: any. Cost: an
   allocation; data move when they are needed. Source: the constructors and destructors of array_view and array. */
#define AMP_ARRAY_VIEW(T, rank, name, ...)                                                                             \
    AMP_PRIV_ORDERED(AMP_PRIV_POINTED, rank, "AMP_ARRAY_VIEW(" #T ", " #rank ", " #name,                               \
                     AMP_PRIV_MSG_POINTED, __VA_ARGS__)                                                                \
    (amp_array_view_, T, rank, name, "AMP_ARRAY_VIEW(" #T ", " #rank ", " #name, AMP_PRIV_VIEW, T *, __VA_ARGS__)
#define AMP_CONST_ARRAY_VIEW(T, rank, name, ...)                                                                       \
    AMP_PRIV_ORDERED(AMP_PRIV_POINTED, rank, "AMP_CONST_ARRAY_VIEW(" #T ", " #rank ", " #name,                         \
                     AMP_PRIV_MSG_POINTED, __VA_ARGS__)                                                                \
    (amp_const_array_view_, T, rank, name, "AMP_CONST_ARRAY_VIEW(" #T ", " #rank ", " #name, AMP_PRIV_CONST_VIEW,      \
     const T *, __VA_ARGS__)
#define AMP_ARRAY_VIEW_NO_SOURCE(T, rank, ...)                                                                         \
    AMP_PRIV_ORDERED(AMP_PRIV_OWNING, rank, "AMP_ARRAY_VIEW_NO_SOURCE(" #T ", " #rank ", " #__VA_ARGS__,               \
                     AMP_PRIV_MSG_EXTENTS, __VA_ARGS__)                                                                \
    (amp_array_view_, T, rank, __VA_ARGS__)
#define AMP_ARRAY(T, rank, ...) AMP_ARRAY_ON((amp_accelerator_view){ NULL }, T, rank, __VA_ARGS__)
#define AMP_ARRAY_ON(view, T, rank, ...)                                                                               \
    AMP_PRIV_ORDERED(AMP_PRIV_ARRAY, rank, "AMP_ARRAY(" #T ", " #rank ", " #__VA_ARGS__,                               \
                     AMP_PRIV_MSG_EXTENTS, __VA_ARGS__)                                                                \
    (amp_array_, T, rank, AMP_PRIV_FIRST(__VA_ARGS__, ~), view, __VA_ARGS__)

/* What is not declared, the pointer or the first extent, is one error, after which the _Generic is skipped. */
#define AMP_PRIV_POINTED(prefix, T, rank, name, call, kind, POINTER, pointer, ...)                                     \
    AMP_PRIV_SCOPED(prefix, T, AMP_PRIV_ONE_WORD(T), rank, name,                                                       \
        (AMP_PRIV_REQUIRE_POINTER(call ", ...)", pointer),                                                             \
         _Generic((pointer), default : _Generic((AMP_PRIV_FIRST(__VA_ARGS__, ~)), default :                            \
            (AMP_PRIV_REQUIRE_POINTED(T, rank, call ", ...)", pointer, __VA_ARGS__), AMP_PRIV_HERE(call ")"),          \
              AMP_PRIV_NEW(AMP_PRIV_SCOPED_AS(name), amp_priv_view_scoped, call ")", kind, AMP_PRIV_SCOPED_ELEMENT(T), \
                           rank, (void *)(uintptr_t)*(POINTER[1]){                                                     \
                                   __builtin_choose_expr(AMP_PRIV_IS_TAKEN(T, pointer),                                \
                                       _Generic(AMP_PRIV_ADDRESSES(T, AMP_PRIV_POINTER(T, pointer))), NULL) },         \
                           AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__), AMP_PRIV_POINTED_AT(T, pointer)))))))
#define AMP_PRIV_OWNING(prefix, T, rank, name, ...)                                                                    \
    AMP_PRIV_ASK(amp_priv_declares, AMP_PRIV_NO_NUMBER(#name),                                                         \
                 AMP_PRIV_MSG_ORDER("AMP_ARRAY_VIEW_NO_SOURCE(" #T ", " #rank ", " #name ", ...)"))                    \
    AMP_PRIV_POINTED(prefix, T, rank, name, "AMP_ARRAY_VIEW_NO_SOURCE(" #T ", " #rank ", " #name, (amp_priv_kind)0,    \
                     T *, NULL, __VA_ARGS__)
#define AMP_PRIV_ARRAY(prefix, T, rank, same_name, view, name, ...)                                                    \
    AMP_PRIV_ASK(amp_priv_declares, AMP_PRIV_NO_NUMBER(#name),                                                         \
                 AMP_PRIV_MSG_ORDER("AMP_ARRAY(" #T ", " #rank ", " #name ", ...)"))                                   \
    _Static_assert(AMP_PRIV_COUNT_FITS(rank, __VA_ARGS__), AMP_PRIV_MSG_ARRAY(T, rank, name)); /* asks for no name */  \
    AMP_PRIV_SCOPED(prefix, T, AMP_PRIV_ONE_WORD(T), rank, name,                                                       \
        _Generic((AMP_PRIV_FIRST(__VA_ARGS__, ~)), default :                                                           \
            (AMP_PRIV_REQUIRE(!AMP_PRIV_COUNT_FITS(rank, __VA_ARGS__) || AMP_PRIV_EXTENTS_FIT(rank, __VA_ARGS__),      \
                              AMP_PRIV_MSG_ARRAY(T, rank, name)),                                                      \
              AMP_PRIV_HERE("AMP_ARRAY(" #T ", " #rank ", " #name ")"),                                                \
              AMP_PRIV_NEW(AMP_PRIV_SCOPED_AS(name), amp_priv_array_scoped,                                            \
                           "AMP_ARRAY(" #T ", " #rank ", " #name ")",                                                  \
                           AMP_PRIV_SCOPED_ELEMENT(T), rank, AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__), view))))

/* Diagnoses a missing rank or missing extents in a declaration. For clang the error is fatal, so that nothing follows
   it; clang prints all macros on the way, so the pragma stands close to the user's line, and is absent when all is
   right. For gcc a variable of the likely type is declared, so that no errors follow. */
#define AMP_PRIV_MSG_EXTENTS(call)                                                                                     \
    "amp: " call " takes as many integer extents as it has dimensions, or one amp_extent of its rank"
#define AMP_PRIV_MSG_ARRAY(T, rank, name)                                                                              \
    AMP_PRIV_MSG_EXTENTS("AMP_ARRAY(" #T ", " #rank ", " #name ", ...)") "; a view of memory at a pointer is an "      \
    "AMP_ARRAY_VIEW"
#define AMP_PRIV_MSG_POINTED(call)                                                                                     \
    "amp: " call " takes a pointer, and then as many integer extents as it has dimensions, or one amp_extent of its "  \
    "rank"
#define AMP_PRIV_MSG_ORDER(call)                                                                                       \
    "amp: " call ": first the element type, then the rank, a number up to AMP_MAX_RANK, then the name: (float, 2, v, " \
    "...)"
AMP_PRIV_ASKS(amp_priv_takes_pointer, AMP_PRIV_MSG_POINTED("AMP_ARRAY_VIEW(float, 1, v, ...)"))
AMP_PRIV_ASKS(amp_priv_declares, AMP_PRIV_MSG_ORDER("AMP_ARRAY"))
#if defined(__clang__)
#define AMP_PRIV_ORDERED(DECLARE, rank, call, says, ...)                                                               \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic fatal \"-W#pragma-messages\"")                          \
        _Pragma(AMP_PRIV_CAT3(AMP_PRIV_ORDER_, AMP_PRIV_IS_RANK(rank), AMP_PRIV_HAS_MORE(__VA_ARGS__))(call, says))    \
            _Pragma("clang diagnostic pop") DECLARE
#define AMP_PRIV_ORDER_11(call, says) "mark"
/* First sizeof, where clang corrects no misspelt name to that of another type. */
#define AMP_PRIV_NEEDS_TYPE(T)        _Generic(sizeof(T), default : (AMP_PRIV_SAME(T, int)))
#define AMP_PRIV_ORDER_10(call, says) AMP_PRIV_TEXT(message(says(call ", ...)")))
#define AMP_PRIV_ORDER_01(call, says) AMP_PRIV_TEXT(message(AMP_PRIV_MSG_ORDER(call ", ...)")))
#define AMP_PRIV_ORDER_00             AMP_PRIV_ORDER_01
#else
#define AMP_PRIV_ORDERED(DECLARE, rank, call, says, ...)                                                               \
    AMP_PRIV_CAT3(AMP_PRIV_ORDER_, AMP_PRIV_IS_RANK(rank), AMP_PRIV_HAS_MORE(__VA_ARGS__))(DECLARE, call, says)
#define AMP_PRIV_ORDER_11(DECLARE, call, says) DECLARE
#define AMP_PRIV_NEEDS_TYPE(T)                 (T *)0
#define AMP_PRIV_ORDER_10(DECLARE, call, says)                                                                         \
    _Static_assert(0, says(call ", ...)"));                                                                            \
    AMP_PRIV_MEANT
#define AMP_PRIV_ORDER_01(DECLARE, call, says)                                                                         \
    _Static_assert(0, AMP_PRIV_MSG_ORDER(call ", ...)"));                                                              \
    AMP_PRIV_DISORDER
#define AMP_PRIV_ORDER_00                          AMP_PRIV_ORDER_01
#define AMP_PRIV_MEANT(prefix, T, rank, name, ...) AMP_PRIV_VIEW_NAME(prefix, T, rank) name = { .data = NULL }
#define AMP_PRIV_DISORDER(prefix, T, rank, name, ...)                                                                  \
    AMP_PRIV_CAT3(AMP_PRIV_DISORDER_, AMP_PRIV_IS_RANK(T), AMP_PRIV_IS_RANK(name))(prefix, T, rank, name)
#define AMP_PRIV_DISORDER_10(prefix, rank, T, name) AMP_PRIV_MEANT(prefix, T, rank, name)
#define AMP_PRIV_DISORDER_01(prefix, T, name, rank) AMP_PRIV_MEANT(prefix, T, rank, name)
#define AMP_PRIV_DISORDER_00(prefix, T, rank, name) _Static_assert(1, "")
#define AMP_PRIV_DISORDER_11                        AMP_PRIV_DISORDER_00
#endif

/* Two variables: the user's, which may be assigned to, and one that keeps what was declared until the scope ends. Where
   T is no type, the _Generic is skipped. */
#define AMP_PRIV_SCOPED(prefix, T, word, rank, name, ...)                                                              \
    __attribute__((unused)) __typeof__(*AMP_PRIV_SCOPED_TYPE(AMP_PRIV_VIEW_NAME(prefix, word, rank), T, word, rank))   \
        AMP_PRIV_OWNER_OF(name) __attribute__((cleanup(amp_priv_leave))) =                                             \
            _Generic(AMP_PRIV_NEEDS_TYPE(T), default : __VA_ARGS__),                                                   \
        name = (amp_priv_declared(&AMP_PRIV_OWNER_OF(name).amp_priv, (uintptr_t)&name), AMP_PRIV_OWNER_OF(name))
#define AMP_PRIV_OWNER_OF(name)  AMP_PRIV_CAT(amp_priv_owner_of_, name)
#define AMP_PRIV_SCOPED_AS(name) __typeof__(((void)0, AMP_PRIV_OWNER_OF(name))) /* without a const */
/* A pointer to the struct; where its element has no types, that is reported, and another one replaces it. A declaration
   in a block takes the size from the file's, if there is one. */
#define AMP_PRIV_SCOPED_TYPE(type, T, word, rank)                                                                      \
    __extension__({                                                                                                    \
        AMP_PRIV_EXTERN_BEGIN                                                                                          \
        extern const char AMP_PRIV_CAT(amp_priv_is_element_, word)[];                                                  \
        AMP_PRIV_EXTERN_END                                                                                            \
        _Static_assert(sizeof #T == sizeof #word, AMP_PRIV_MSG_WORDS(T));                                              \
        _Static_assert(AMP_PRIV_IS_ELEMENT(word), AMP_PRIV_MSG_ELEMENT(#T));                                           \
        __builtin_choose_expr(AMP_PRIV_IS_ELEMENT(word) && sizeof #T == sizeof #word, (struct type *)0,                \
                              (AMP_PRIV_ANY_VIEW_OF(T, rank) *)0);                                                     \
    })
#define AMP_PRIV_MSG_ELEMENT(T)                                                                                        \
    "amp: " T " is not an element type: write AMP_DEFINE_ELEMENT(" T ") at file scope, once, after its AMP_STRUCT or " \
    "typedef"
#define AMP_PRIV_MSG_WORDS(T)                                                                                          \
    "amp: an element type must be one word, but " #T " is several: use uint8_t for unsigned char, uint32_t for "       \
    "unsigned int, or write AMP_TYPEDEF(" #T ", name) and AMP_DEFINE_ELEMENT(name) at file scope; for a struct, "      \
    "AMP_STRUCT"
#define AMP_PRIV_IS_ELEMENT(T)                                                                                         \
    _Generic(&AMP_PRIV_CAT(amp_priv_is_element_, T), const char (*)[1] : 0, default : 1)
#define AMP_PRIV_ANY_VIEW_OF(T, rank)                                                                                  \
    struct {                                                                                                           \
        union {                                                                                                        \
            amp_priv_head amp_priv;                                                                                    \
            AMP_PRIV_SLICE_##rank(amp_array_view_int) *amp_priv_slice;                                                 \
            AMP_PRIV_CAT(amp_array_view_int_, rank) *amp_priv_view;                                                    \
            AMP_PRIV_CAT(amp_const_array_view_int_, rank) *amp_priv_const_view;                                        \
            AMP_PRIV_CAT(amp_array_int_, rank) *amp_priv_array;                                                        \
        };                                                                                                             \
        __typeof__(T) *data; /* int of what is not declared */                                                         \
        AMP_PRIV_CAT(amp_extent, rank) extent;                                                                         \
        AMP_PRIV_CAT(amp_priv_stride, rank) stride;                                                                    \
    }
#define AMP_PRIV_EXTERN_BEGIN                                                                                          \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wredundant-decls\"")                             \
    _Pragma("GCC diagnostic ignored \"-Wnested-externs\"")
#define AMP_PRIV_EXTERN_END        _Pragma("GCC diagnostic pop")
#define AMP_PRIV_SCOPED_ELEMENT(T) AMP_PRIV_SCOPED_ELEMENT_(AMP_PRIV_ONE_WORD(T))
#define AMP_PRIV_SCOPED_ELEMENT_(word)                                                                                 \
    __extension__({                                                                                                    \
        AMP_PRIV_EXTERN_BEGIN                                                                                          \
        extern const amp_priv_element AMP_PRIV_CAT(amp_priv_element_, word);                                           \
        AMP_PRIV_EXTERN_END                                                                                            \
        &AMP_PRIV_CAT(amp_priv_element_, word);                                                                        \
    })
/* By the type, which is int of what is not declared. */
#define AMP_PRIV_REQUIRE_POINTER(text, pointer)                                                                        \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(pointer) amp_priv_type;                                                                     \
        AMP_PRIV_ASK(amp_priv_takes_pointer, AMP_PRIV_IS_POINTER(*(amp_priv_type *)0), AMP_PRIV_MSG_POINTED(text))     \
        0;                                                                                                             \
    }))
/* The same; also that a pointer points to numbers of the same kind if to numbers. */
#define AMP_PRIV_REQUIRE_POINTED(T, rank, text, pointer, ...)                                                          \
    ((void)__extension__({                                                                                             \
        _Static_assert(!AMP_PRIV_IS_POINTER(pointer) || AMP_PRIV_EXTENTS_FIT(rank, __VA_ARGS__),                       \
                       AMP_PRIV_MSG_EXTENTS(text));                                                                    \
        _Static_assert(!AMP_PRIV_IS_OF_POINTERS(T, pointer), AMP_PRIV_MSG_POINTERS(T, text));                          \
        _Static_assert(!AMP_PRIV_IS_POINTER(pointer) || AMP_PRIV_IS_OF_POINTERS(T, pointer) ||                         \
                           AMP_PRIV_IS_POINTED(T, pointer),                                                            \
                       AMP_PRIV_MSG_OTHER(T, text));                                                                   \
        _Static_assert(!AMP_PRIV_IS_POINTED(T, pointer) || AMP_PRIV_IS_TAKEN(T, pointer),                              \
                       AMP_PRIV_MSG_SIGN(T, text));                                                                    \
        _Static_assert(!AMP_PRIV_COUNTS_POINTER(pointer, #pointer, #__VA_ARGS__),                                      \
                       AMP_PRIV_MSG_SIZE_OF_POINTER(#pointer, text));                                                  \
        0;                                                                                                             \
    }))
/* Is the extent sizeof a pointer: sizeof p, sizeof(p) / sizeof *p? That of an array is right. */
#define AMP_PRIV_COUNTS_POINTER(pointer, p, extents)                                                                   \
    (AMP_PRIV_IS_POINTER(pointer) && !__builtin_strncmp(extents, "sizeof", 6) &&                                       \
     (!__builtin_strncmp(extents, "sizeof(" p ")", sizeof("sizeof(" p ")") - 1) ||                                     \
      !__builtin_strncmp(extents, "sizeof (" p ")", sizeof("sizeof (" p ")") - 1) ||                                   \
      !__builtin_strncmp(extents, "sizeof " p " ", sizeof("sizeof " p " ") - 1) ||                                     \
      !__builtin_strcmp(extents, "sizeof " p)) &&                                                                      \
     __builtin_types_compatible_p(__typeof__(pointer), __typeof__(&(pointer)[0])))
#define AMP_PRIV_MSG_SIZE_OF_POINTER(p, text)                                                                          \
    "amp: " text ": sizeof " p " is the size of a pointer: write the number of elements, as malloc got it"
#define AMP_PRIV_MSG_OTHER(T, text)                                                                                    \
    "amp: " text ": the memory does not have elements of type " #T ": change the type of the view, or cast the "       \
    "pointer to (" #T " *) to reinterpret the bytes"
#define AMP_PRIV_MSG_SIGN(T, text)                                                                                     \
    "amp: " text ": one of " #T " and the type of the elements in memory is unsigned: give the view their type, as "   \
    "uint32_t, or cast the pointer to (" #T " *) to reinterpret the bytes"
#define AMP_PRIV_MSG_POINTERS(T, text)                                                                                 \
    "amp: " text ": the memory holds pointers, perhaps to rows: a view needs its elements in one block, " #T           \
    " p[rows][columns] or malloc(rows * columns * sizeof(" #T "))"
#define AMP_PRIV_IS_OF_POINTERS(T, pointer) _Generic((pointer), T * * : 1, const T ** : 1, T *const * : 1, default : 0)
#define AMP_PRIV_POINTER(T, pointer)        __builtin_choose_expr(AMP_PRIV_IS_POINTER(pointer), pointer, (T *)0)
#define AMP_PRIV_IS_POINTED(T, pointer)                                                                                \
    (AMP_PRIV_IS_POINTER(pointer) && !AMP_PRIV_IS_OF_POINTERS(T, pointer) &&                                           \
     (AMP_PRIV_NUMBERS(*(T *)0) & AMP_PRIV_NUMBERS(*AMP_PRIV_POINTER(T, pointer))) != 0)
/* The numbers that x may be, as bits: its own size and kind; all where x is no number, or a byte. Of an array, those
   of its elements. */
#define AMP_PRIV_NUMBERS(x)                                                                                            \
    _Generic((x), short: 2, unsigned short: 2, int: 4, unsigned: 4, long: sizeof(long), unsigned long: sizeof(long),   \
             long long: 8, unsigned long long: 8, float: 16, double: 32, float *: 16, const float *: 16, double *: 32, \
             const double *: 32, default: 62)
/* The same, and both signed or unsigned. 3: of char, and of what is no integer. */
#define AMP_PRIV_IS_TAKEN(T, pointer)                                                                                  \
    (AMP_PRIV_IS_POINTED(T, pointer) &&                                                                                \
     (AMP_PRIV_SIGNS(*(T *)0) & AMP_PRIV_SIGNS(*AMP_PRIV_POINTER(T, pointer))) != 0)
#define AMP_PRIV_SIGNS(x)                                                                                              \
    _Generic((x), signed char: 1, short: 1, int: 1, long: 1, long long: 1, unsigned char: 2, unsigned short: 2,        \
             unsigned: 2, unsigned long: 2, unsigned long long: 2, default: 3)
/* Its bytes, as far as they are known, and those of a row. */
#define AMP_PRIV_POINTED_AT(T, pointer)                                                                                \
    __builtin_object_size(AMP_PRIV_POINTER(T, pointer), 0),                                                            \
        sizeof *_Generic(AMP_PRIV_POINTER(T, pointer), T(*)[] : AMP_PRIV_POINTER(T, pointer),                          \
                         const T(*)[] : AMP_PRIV_POINTER(T, pointer), default : (T *)0)
#define AMP_PRIV_REQUIRE_EXTENTS(rank, text, ...) /* as AMP_PRIV_REQUIRE, nearer to the user */                        \
    ((void)__extension__({                                                                                             \
        _Static_assert(AMP_PRIV_EXTENTS_FIT(rank, __VA_ARGS__), AMP_PRIV_MSG_EXTENTS(text));                           \
        0;                                                                                                             \
    }))

/* // >>views */

/* amp_array_view_T_N_create(pointer, extent): makes a view over host memory, which the caller releases.
   amp_const_array_view_T_N_create(pointer, extent): makes a view that only reads.
   amp_array_view_T_N_create_no_source(extent): makes a view over its own memory, with undefined contents.
   As AMP_ARRAY_VIEW, for views that outlive a scope.
   pointer  T *: the first element
   extent  amp_extentN: numbers of elements
   Result: a view; all zero after an error.
   Errors: those of AMP_ARRAY_VIEW. Blocking: no. Threads: any. Cost: an allocation. Source: the constructors of
   array_view. */

/* amp_array_view_release(v): releases a view; the last owner copies pending changes back to the source.
   The view is then all zero, except its extent. A non-owning view (amp_section and similar) is only cleared.
   Copies by assignment are one owner, which is released once.
   v  the address of a view
   Result: amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT for a view that was never created or is already released; those of the transfer.
   Blocking: for the last owner, until kernels that use it have finished. Threads: any. Cost: a transfer of pending
   changes. Source: ~array_view. */
#define amp_array_view_release(view)                                                                                   \
    (AMP_PRIV_HERE("amp_array_view_release(" #view ")"), AMP_PRIV_READ_HERE,                                           \
      amp_priv_release(AMP_PRIV_HEAD_AT("amp_array_view_release", view), "amp_array_view_release"))

/* amp_swap(a, b): exchanges two views, or two arrays, of one type.
   Assignment does the same. The scope that declared a source releases it once.
   a, b  the addresses of two views or arrays
   Result: none.
   Errors: different types do not compile. Blocking: no. Threads: any. Cost: none. Source: std::swap(array_view &,
   array_view &). */
#define amp_swap(a, b)                                                                                                 \
    (AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_POINTER, a, AMP_PRIV_MSG_SWAP),                                                 \
      AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_POINTER, b, AMP_PRIV_MSG_SWAP),                                                \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_POINTER(a) && AMP_PRIV_IS_POINTER(b),                                              \
          AMP_PRIV_REQUIRE(AMP_PRIV_SAME(__typeof__(a), __typeof__(b)),                                                \
                           "amp: amp_swap(&a, &b): they must have one type"),                                          \
          amp_priv_swap(&(a)->amp_priv, &(b)->amp_priv, sizeof *(a))))
#define AMP_PRIV_MSG_SWAP "amp: amp_swap changes both, and takes their addresses: amp_swap(&a, &b)"
AMP_PRIV_API void amp_priv_swap(amp_priv_head *a, amp_priv_head *b, size_t size);

/* amp_array_view_retain(v): makes another owner of a view: it keeps the source alive.
   v  a view
   Result: a view of the same type, to be released; all zero after an error.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Threads: any. Cost: none. Source: the copy constructor of
   array_view. */
#define amp_array_view_retain(view)                                                                                    \
    (*AMP_PRIV_OF_VIEW("amp_array_view_retain", view,                                                                  \
                       &AMP_PRIV_NEW(AMP_PRIV_VIEW_TYPE(view), amp_priv_retain, AMP_PRIV_HEAD(view))))
AMP_PRIV_API void *amp_priv_retain(void *out, const amp_priv_head *head) AMP_PRIV_NEEDS(amp_priv_retain);

/* // >>parts
   Non-owning views of a part of a view or array, or of all of it with another shape or type. Do not release them.
   v  a view or array
   Errors: AMP_INVALID_ARGUMENT, AMP_UNINITIALIZED_OBJECT; another rank does not compile. Blocking: no. Threads: any.
   Cost: no transfer. Result: a view; all zero after an error. */

/* amp_section(v, origin, extent): a box of a view or array.
   amp_section(v, origin): the box from an origin to the end.
   amp_section(v, extent): the box of an extent from the start.
   amp_section(v, o0, e0): the same with integers, for ranks 1 to 3.
   origin  an amp_indexN of the rank, not negative
   extent  an amp_extentN of the rank; the box lies inside the view
   o0, e0  integers: first the origin, o0, o1, o2, then the extent, e0, e1, e2
   Source: array_view::section. */
#define AMP_PRIV_VIEW_FIRST(view, call)                                                                                \
    AMP_PRIV_ASK_KIND(amp_priv_takes_view_first, AMP_PRIV_IS_STRUCT_GIVEN, view, AMP_PRIV_MSG_VIEW_FIRST(call))
#define AMP_PRIV_MSG_VIEW_FIRST(call) "amp: " call " takes a view or array first, not its address"
AMP_PRIV_ASKS(amp_priv_takes_view_first, AMP_PRIV_MSG_VIEW_FIRST("a part of a view"))
#define amp_section(view, ...)                                                                                         \
    (AMP_PRIV_VIEW_FIRST(view, "amp_section(view, ...)"),                                                              \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_STRUCT_GIVEN(view) && AMP_PRIV_ARE_DECLARED(__VA_ARGS__),                          \
      AMP_PRIV_REQUIRE(AMP_PRIV_SECTION_FITS(AMP_PRIV_RANK_OF(view), __VA_ARGS__),                                     \
                      "amp: amp_section(view, ...) takes an index and an extent of the rank of the view, or one of "   \
                      "them, or for ranks 1 to 3 integers: first all of the origin, then all of the extent"),          \
      AMP_PRIV_NEW(AMP_PRIV_VIEW_TYPE(view), amp_priv_section, AMP_PRIV_HEAD(view), AMP_PRIV_ARGUMENTS(__VA_ARGS__),   \
                   AMP_PRIV_COUNT(__VA_ARGS__) AMP_PRIV_SECTION_PLACE(#view, #__VA_ARGS__))))
#if defined(AMP_CHECKED) /* says where it may be an end that is given as the extent */
#define AMP_PRIV_SECTION_PLACE(the_view, spelled)                                                                      \
    , __extension__({                                                                                                  \
        static amp_priv_section_site amp_priv_here = { the_view, spelled, __FILE__, __LINE__, 0 };                     \
        &amp_priv_here;                                                                                                \
    })
#else
#define AMP_PRIV_SECTION_PLACE(view, spelled)
#endif
#define AMP_PRIV_SECTION_FITS(rank, ...)                                                                               \
    (AMP_PRIV_COUNT(__VA_ARGS__) == 1                                                                                  \
         ? AMP_PRIV_IS_INDEX(AMP_PRIV_FIRST(__VA_ARGS__, ~), rank) ||                                                  \
               AMP_PRIV_IS_EXTENT(AMP_PRIV_FIRST(__VA_ARGS__, ~), rank)                                                \
     : AMP_PRIV_COUNT(__VA_ARGS__) == 2 && AMP_PRIV_IS_INDEX(AMP_PRIV_FIRST(__VA_ARGS__, ~), rank)                     \
         ? AMP_PRIV_IS_EXTENT(AMP_PRIV_SECOND(__VA_ARGS__, 0, ~), rank)                                                \
         : (rank) <= 3 && AMP_PRIV_COUNT(__VA_ARGS__) == 2 * (int)(rank) && AMP_PRIV_INTEGERS(__VA_ARGS__))
#if defined(AMP_CHECKED)
typedef struct amp_priv_section_site {
    const char *view, *spelled, *file;
    int line;
    atomic_int reported;
} amp_priv_section_site;
#define AMP_PRIV_SECTION_SITE , amp_priv_section_site *site
#else
#define AMP_PRIV_SECTION_SITE
#endif
AMP_PRIV_API void *amp_priv_section(void *out, const amp_priv_head *head, const amp_priv_argument *arguments,
                                    int count AMP_PRIV_SECTION_SITE);

/* amp_project(v, i): slice i of the slowest dimension, a view of one rank less.
   i  an integer, at least 0 and below the extent of dimension 0
   Source: array_view::operator[](int). */
#define amp_project(view, i)                                                                                           \
    (AMP_PRIV_VIEW_FIRST(view, "amp_project(view, i)"),                                                                \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_STRUCT_GIVEN(view) && AMP_PRIV_IS_DECLARED(i),                                     \
      AMP_PRIV_REQUIRE(AMP_PRIV_RANK_OF(view) > 1,                                                                     \
                      "amp: amp_project(view, i) needs a view of rank 2 or more; AMP_AT(view, i) is the element"),     \
      AMP_PRIV_REQUIRE(AMP_PRIV_IS_INTEGER(i), "amp: amp_project(view, i): i must be an integer"),                     \
      AMP_PRIV_NEW(__typeof__(*(view).amp_priv_slice), amp_priv_project, AMP_PRIV_HEAD(view), AMP_PRIV_ARGUMENTS(i))))
AMP_PRIV_API void *amp_priv_project(void *out, const amp_priv_head *head, const amp_priv_argument *argument);

/* AMP_VIEW_AS(type, v, e0, e1, ...): a contiguous view, or an array, with another shape.
   Views of rank 1, whole rows and arrays are contiguous.
   type  the result's type: amp_array_view_float_2 or amp_const_array_view_float_2; the element type stays
   e0, e1, ...  integers, or one amp_extentN; the shape has at most as many elements as v, from the front
   Errors: AMP_INVALID_ARGUMENT (more elements than v, a view that is not contiguous), AMP_UNINITIALIZED_OBJECT; another
   element type does not compile.
   Source: array_view::view_as. */
#define AMP_VIEW_AS(type, view, ...)                                                                                   \
    (AMP_PRIV_TYPE_FIRST(type, AMP_PRIV_MSG_VIEW_AS("AMP_VIEW_AS(" #type ", " #view ", ...)")),                        \
      AMP_PRIV_OF_TYPE_AND_VIEW(type, view, AMP_PRIV_MSG_VIEW_AS("AMP_VIEW_AS(" #type ", " #view ", ...)"),            \
                                AMP_PRIV_VALUE_IF(AMP_PRIV_ARE_DECLARED(__VA_ARGS__),                                  \
                                                  AMP_PRIV_VIEW_AS(type, view, __VA_ARGS__))))
/* A value where both are structs, else the message. */
#define AMP_PRIV_OF_TYPE_AND_VIEW(type, view, message, ...)                                                            \
    AMP_PRIV_VALUE_IF(                                                                                                 \
        AMP_PRIV_IS_TYPE(type),                                                                                        \
        AMP_PRIV_ASK_KIND(amp_priv_takes_type_of_view, AMP_PRIV_IS_STRUCT_GIVEN, type, message),                       \
        AMP_PRIV_ASK_KIND(amp_priv_takes_type_of_view, AMP_PRIV_IS_STRUCT_GIVEN, view, message),                       \
        AMP_PRIV_VALUE_IF(AMP_PRIV_ARE_VIEWS(*(type *)0, view), __VA_ARGS__))
#define AMP_PRIV_MSG_VIEW_AS(call)                                                                                     \
    "amp: " call ": first the type of the result, amp_array_view_float_2, then the view, then its extents"
#define AMP_PRIV_TYPE_FIRST(type, message)                                                                             \
    ((void)__extension__({                                                                                             \
        AMP_PRIV_ASK(amp_priv_takes_type_of_view, AMP_PRIV_IS_TYPE(type), message)                                     \
        0;                                                                                                             \
    }))
AMP_PRIV_ASKS(amp_priv_takes_type_of_view, AMP_PRIV_MSG_VIEW_AS("AMP_VIEW_AS, AMP_REINTERPRET_AS"))
#define AMP_PRIV_VIEW_AS(type, view, ...)                                                                              \
    (AMP_PRIV_REQUIRE(AMP_PRIV_SAME(AMP_PRIV_ELEMENT_OF(*(type *)0), AMP_PRIV_ELEMENT_OF(view)),            \
                       "amp: AMP_VIEW_AS(type, view, extent) keeps the element type; AMP_REINTERPRET_AS changes it"),  \
      AMP_PRIV_REQUIRE_CONST(type, view, "AMP_VIEW_AS"),                                                               \
      AMP_PRIV_REQUIRE(AMP_PRIV_EXTENTS_FIT(AMP_PRIV_RANK_OF(*(type *)0), __VA_ARGS__),                     \
                       "amp: AMP_VIEW_AS(type, view, ...) takes an extent of the rank of that type, or as many "       \
                       "integers"),                                                                                    \
      AMP_PRIV_NEW(type, amp_priv_view_as, AMP_PRIV_HEAD(view), (int)AMP_PRIV_RANK_OF(*(type *)0),                     \
                   AMP_PRIV_EXTENT_ARGUMENTS(__VA_ARGS__),                                                             \
                   AMP_PRIV_IS_CONST(*(type *)0)))
#define AMP_PRIV_IS_STRUCT_GIVEN(x) ((unsigned)__builtin_classify_type(x) > 11)
#define AMP_PRIV_ARE_VIEWS(v, w)    (AMP_PRIV_IS_STRUCT_GIVEN(v) && AMP_PRIV_IS_STRUCT_GIVEN(w))
/* A type as it is given, if it can be a view's, and else any. */
#define AMP_PRIV_VIEW_TYPE_GIVEN(type)                                                                                 \
    __typeof__(*__builtin_choose_expr(AMP_PRIV_IS_STRUCT_GIVEN(*(type *)0), (type *)0, (amp_array_view_int_1 *)0))
#define AMP_PRIV_REQUIRE_CONST(type, view, call)                                                                       \
    AMP_PRIV_REQUIRE(AMP_PRIV_IS_CONST(*(type *)0) || !AMP_PRIV_IS_CONST(view),                                        \
                     "amp: " call ": a const view gives const views only: amp_const_array_view_...")
AMP_PRIV_API void *amp_priv_view_as(void *out, const amp_priv_head *head, int rank, const amp_priv_argument *extents,
                                    bool read_only);

/* AMP_REINTERPRET_AS(type, v): a contiguous view, or an array, as elements of another type.
   type  the result's type, of rank 1: amp_array_view_int_1 or amp_const_array_view_int_1
   Errors: AMP_INVALID_ARGUMENT (the bytes are not a multiple of the new element, a view that is not contiguous),
   AMP_UNINITIALIZED_OBJECT; another rank does not compile.
   Source: array_view::reinterpret_as. */
#define AMP_REINTERPRET_AS(type, view)                                                                                 \
    (AMP_PRIV_TYPE_FIRST(type, AMP_PRIV_MSG_REINTERPRET("AMP_REINTERPRET_AS(" #type ", " #view ")")),                  \
      AMP_PRIV_OF_TYPE_AND_VIEW(type, view, AMP_PRIV_MSG_REINTERPRET("AMP_REINTERPRET_AS(" #type ", " #view ")"),      \
                                AMP_PRIV_REINTERPRET(AMP_PRIV_CAT(amp_priv_element_of_, AMP_PRIV_ONE_WORD(type)),      \
                                                     type, view)))
#define AMP_PRIV_MSG_REINTERPRET(call)                                                                                 \
    "amp: " call ": first the type of the result, amp_array_view_float_1, then the view"
#define AMP_PRIV_REINTERPRET(element, type, view)                                                                      \
    (AMP_PRIV_REQUIRE(AMP_PRIV_RANK_OF(*(type *)0) == 1,                                                    \
                      "amp: AMP_REINTERPRET_AS(type, view) needs a type of rank 1"),                                   \
      AMP_PRIV_REQUIRE_CONST(type, view, "AMP_REINTERPRET_AS"),                                                        \
      AMP_PRIV_NEW(type, amp_priv_reinterpret_as, AMP_PRIV_HEAD(view), __extension__({                                 \
                       AMP_PRIV_EXTERN_BEGIN                                                                           \
                       extern const amp_priv_element *const element;                                                   \
                       AMP_PRIV_EXTERN_END                                                                             \
                       element;                                                                                        \
                   }),                                                                                                 \
                   AMP_PRIV_IS_CONST(*(type *)0)))
AMP_PRIV_API void *amp_priv_reinterpret_as(void *out, const amp_priv_head *head, const amp_priv_element *element,
                                           bool read_only);

/* amp_as_const(v): the view, or a view on the array, for reading only.
   amp_view_of(v): a non-owning view of an array, or of a view.
   Source: array_view<const T>(array_view<T>), array_view<T>(array<T>). */
#define amp_as_const(view) (*AMP_PRIV_OF_VIEW("amp_as_const", view, &AMP_PRIV_AS_CONST("amp_as_const", view)))
#define AMP_PRIV_AS_CONST(call, view)                                                                                  \
    AMP_PRIV_NEW(__typeof__(*(view).amp_priv_const_view), amp_priv_view_of, AMP_PRIV_HEAD(view), true, call)
#define amp_view_of(array)                                                                                             \
    (*AMP_PRIV_OF_VIEW("amp_view_of", array, &AMP_PRIV_NEW(AMP_PRIV_VIEW_TYPE(array), amp_priv_view_of,                \
                                                           AMP_PRIV_HEAD(array), AMP_PRIV_IS_CONST(array),             \
                                                           "amp_view_of")))
AMP_PRIV_API void *amp_priv_view_of(void *out, const amp_priv_head *head, bool read_only, const char *call);

/* // >>synchronize
   These take the address of a view and move only what is missing.
   v  the address of a view
   Result: amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT, those of the transfer. Threads: any. */

/* amp_array_view_synchronize(v): copies pending changes of the view's part to its source.
   amp_array_view_synchronize(v, access): copies pending changes to the source for an access of the caller.
   The source is host memory, or the device of the array.
   access  amp_access_type. AMP_ACCESS_READ, the default, leaves copies elsewhere valid. With AMP_ACCESS_WRITE or
           AMP_ACCESS_READ_WRITE the caller may change the source directly, and copies elsewhere are out of date.
           AMP_ACCESS_NONE does nothing
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (no access type), those of the transfer. Blocking: until
   kernels that write the view have finished. Cost: a transfer of what is pending; none for views without a source.
   Source: array_view::synchronize. */
#define amp_array_view_synchronize(...)                                                                                \
    AMP_PRIV_SYNCHRONIZE(AMP_PRIV_FIRST(__VA_ARGS__, ~), AMP_PRIV_SECOND(__VA_ARGS__, AMP_ACCESS_READ, ~))
#define AMP_PRIV_SYNCHRONIZE(view, access)                                                                             \
    (AMP_PRIV_READ_HERE,                                                                                               \
      amp_priv_synchronize(AMP_PRIV_HEAD_AT("amp_array_view_synchronize", view), access, "amp_array_view_synchronize"))

/* amp_array_view_synchronize_to(v, view): copies the view's contents to an accelerator view before they are needed.
   amp_array_view_synchronize_to(v, view, access): the same for an access.
   view  amp_accelerator_view
   access  AMP_ACCESS_READ by default; AMP_ACCESS_NONE does nothing
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (no access type), AMP_ACCELERATOR_VIEW_REMOVED,
   AMP_OUT_OF_MEMORY, those of the transfer. Blocking: for the transfer. Cost: a transfer of what is missing. Source:
   array_view::synchronize_to. */
#define amp_array_view_synchronize_to(view, ...)                                                                       \
    AMP_PRIV_SYNCHRONIZE_TO(AMP_PRIV_HEAD_AT("amp_array_view_synchronize_to", view), __VA_ARGS__, AMP_ACCESS_READ, ~)
#define AMP_PRIV_SYNCHRONIZE_TO(head, view, access, ...)                                                               \
    amp_priv_synchronize_to(head, view, access, "amp_array_view_synchronize_to")
AMP_PRIV_API amp_status amp_priv_synchronize_to(const amp_priv_head *head, amp_accelerator_view view,
                                                amp_access_type access, const char *call);

/* amp_array_view_refresh(v): declares that the host memory under the view was changed directly.
   Copies of that part elsewhere are out of date, and changes pending there are lost. It has no effect on views
   without a source and on views on arrays.
   Blocking: no. Cost: none. Source: array_view::refresh. */
#define amp_array_view_refresh(view) amp_priv_refresh(AMP_PRIV_HEAD_AT("amp_array_view_refresh", view))
AMP_PRIV_API amp_status amp_priv_refresh(const amp_priv_head *head);

/* amp_array_view_discard_data(v): declares that the view's contents are not needed.
   A kernel that overwrites them causes no upload. Nothing is copied back before a later write makes them valid
   again. A hint.
   Errors: AMP_UNINITIALIZED_OBJECT; a const view does not compile. Blocking: no. Cost: none; saves a transfer.
   Source: array_view::discard_data. */
#define amp_array_view_discard_data(view)                                                                              \
    (AMP_PRIV_REQUIRE_AT("amp_array_view_discard_data", view),                                                         \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_POINTER(view),                                                                     \
          AMP_PRIV_REQUIRE(!AMP_PRIV_IS_CONST(*AMP_PRIV_AT_ADDRESS(view)),                                             \
                           "amp: amp_array_view_discard_data: a const view cannot discard"),                           \
          AMP_PRIV_DISCARD_DATA(&AMP_PRIV_AT_ADDRESS(view)->amp_priv)))
#if defined(AMP_CHECKED)
AMP_PRIV_API amp_status amp_priv_discard_data(const amp_priv_head *head);
#define AMP_PRIV_DISCARD_DATA(head) amp_priv_discard_data(head)
#else
#define AMP_PRIV_DISCARD_DATA(head) amp_priv_discard(head)
#endif
AMP_PRIV_API amp_status amp_priv_discard(const amp_priv_head *head);

/* amp_data(v): the address of a view's elements in host memory, after synchronizing it.
   A view is synchronized for reading and writing, a const view for reading.
   v  a view of rank 1, or an array of any rank
   Result: a pointer; NULL, without an error, for an array that the CPU cannot access.
   Errors: AMP_UNINITIALIZED_OBJECT; NULL then. Blocking: until kernels that use it have finished. Threads: any.
   Cost: a transfer of what is missing. Source: array_view::data, array::data. */
#define amp_data(view)                                                                                                 \
    AMP_PRIV_OF_VIEW("amp_data", view,                                                                                 \
        AMP_PRIV_REQUIRE(AMP_PRIV_RANK_OF(view) == 1 || AMP_PRIV_IS_ARRAY(view),                                       \
                         "amp: amp_data(view) needs a view of rank 1, or an array; amp_get_ref gives the address of "  \
                         "an element"),                                                                                \
        AMP_PRIV_READ_HERE, (__typeof__((view).data))amp_priv_data(AMP_PRIV_HEAD(view)))
AMP_PRIV_API void *amp_priv_data(const amp_priv_head *head);

/* amp_array_view_source_accelerator_view(v): where the source of a view lives: the array's accelerator view, or the
   CPU's.
   v  a view
   Result: amp_accelerator_view.
   Errors: AMP_RUNTIME_ERROR for a view without a source. Blocking: no. Threads: any. Cost: none. Source:
   array_view::get_source_accelerator_view. */
#define amp_array_view_source_accelerator_view(view)                                                                   \
    amp_priv_source_view(AMP_PRIV_VALUE_HEAD("amp_array_view_source_accelerator_view", view))
AMP_PRIV_API amp_accelerator_view amp_priv_source_view(const amp_priv_head *head);

/* // >>arrays
   amp_array_T_N_create(extent): makes an array on the default accelerator, with undefined contents.
   amp_array_T_N_create_on(extent, view): makes an array on an accelerator view.
   amp_array_T_N_create_access(extent, view, access): makes an array with a CPU access type.
   amp_array_T_N_create_from(extent, view, first, count): makes an array with contents.
   amp_array_T_N_create_staging(extent, view, associated): makes an array for fast copies between the host and a
   device.
   A staging array lives on the CPU's accelerator view. Its memory is registered with `associated` until it is
   released, which takes tens of milliseconds per GiB: make it once and use it often. On another view it is an
   ordinary array. Release them with amp_array_release; AMP_ARRAY releases itself.
   extent  amp_extentN: numbers of elements
   view  amp_accelerator_view: where the array lives
   access  amp_access_type: how the CPU may access it
   first  const T *: elements in host memory, row-major
   count  size_t: elements from first; with fewer than the extent the rest is undefined; AMP_UNCHECKED takes as many as
          the extent has
   associated  amp_accelerator_view: the device that copies
   Result: an array; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (a negative component, more elements than the extent, a CPU access that the accelerator
   lacks), AMP_OUT_OF_MEMORY, AMP_ACCELERATOR_VIEW_REMOVED. Blocking: _create_from for the transfer. Threads: any.
   Cost: an allocation. Source: the constructors of array. */

/* amp_array_release(a): releases an array.
   Views on it end, except retained ones: these keep the contents alive.
   a  the address of an array
   Result: amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: until kernels that use it have finished. Threads: any. Cost: frees
   the memory. Source: the destructor of array. */

/* AMP_UNCHECKED: a count of elements: as many as the extent has.
   Source: none. */
#define AMP_UNCHECKED ((size_t)-1)
#define amp_array_release(array)                                                                                       \
    (AMP_PRIV_HERE("amp_array_release(" #array ")"),                                                                   \
      amp_priv_release(AMP_PRIV_HEAD_AT("amp_array_release", array), "amp_array_release"))

/* amp_array_accelerator_view(a): the accelerator view on which an array lives.
   amp_array_associated_accelerator_view(a): the accelerator view with which a staging array copies.
   amp_array_cpu_access_type(a): how the CPU may access an array.
   a  an array
   Result: amp_accelerator_view, or amp_access_type.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Threads: any. Cost: none. Source: array::accelerator_view,
   associated_accelerator_view, cpu_access_type. */
#define amp_array_accelerator_view(array)                                                                              \
    amp_priv_array_view(AMP_PRIV_VALUE_HEAD("amp_array_accelerator_view", array), "amp_array_accelerator_view", false)
#define amp_array_associated_accelerator_view(array)                                                                   \
    amp_priv_array_view(AMP_PRIV_VALUE_HEAD("amp_array_associated_accelerator_view", array),                           \
                        "amp_array_associated_accelerator_view", true)
#define amp_array_cpu_access_type(array) amp_priv_array_access(AMP_PRIV_VALUE_HEAD("amp_array_cpu_access_type", array))
AMP_PRIV_API amp_accelerator_view amp_priv_array_view(const amp_priv_head *head, const char *call, bool associated);
AMP_PRIV_API amp_access_type amp_priv_array_access(const amp_priv_head *head);

/* amp_array_view_valid(v), amp_array_valid(a): checks whether a view or array was created and is not released.
   v  a view
   a  an array
   Result: bool; false for what a failed call gave, and for a view or array of another build.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: none. */
#define amp_array_view_valid(view) amp_priv_view_valid(AMP_PRIV_VALUE_HEAD("amp_array_view_valid", view))
#define amp_array_valid(array)     amp_priv_view_valid(AMP_PRIV_VALUE_HEAD("amp_array_valid", array))
AMP_PRIV_API bool amp_priv_view_valid(const amp_priv_head *head);

/* // >>counters
   amp_source_counters(v): what was moved for the source of a view or array, since it was created or reset.
   amp_total_counters(): what was moved for all sources of the program.
   amp_source_counters_reset(v), amp_total_counters_reset(): sets the counters to zero.
   v  a view or array
   Result: amp_transfer_counters; of _reset nothing.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Threads: any. Cost: none. Source: none. */
#define amp_source_counters(view) amp_priv_source_counters(AMP_PRIV_VALUE_HEAD("amp_source_counters", view))
#define amp_source_counters_reset(view)                                                                                \
    amp_priv_source_counters_reset(AMP_PRIV_VALUE_HEAD("amp_source_counters_reset", view))
AMP_PRIV_API amp_transfer_counters amp_priv_source_counters(const amp_priv_head *head);
AMP_PRIV_API void amp_priv_source_counters_reset(const amp_priv_head *head);
AMP_PRIV_API amp_transfer_counters amp_total_counters(void);
AMP_PRIV_API void amp_total_counters_reset(void);

/* // >>runtime: what the macros call. */

AMP_PRIV_API void *amp_priv_view_create(void *out, const char *call_format, amp_priv_kind kind,
                                        const amp_priv_element *element, int rank, void *data, const int *extent)
    AMP_PRIV_NEEDS(amp_priv_view_create);

AMP_PRIV_API void *amp_priv_view_scoped(void *out, const char *call_format, amp_priv_kind kind,
                                        const amp_priv_element *element, int rank, void *data,
                                        const amp_priv_argument *extents, size_t bytes, size_t row)
    AMP_PRIV_NEEDS(amp_priv_view_scoped);

AMP_PRIV_API amp_status amp_priv_release(amp_priv_head *head, const char *call) AMP_PRIV_NEEDS(amp_priv_release);

AMP_PRIV_API void amp_priv_leave(const void *owner);

AMP_PRIV_API amp_status amp_priv_synchronize(const amp_priv_head *head, amp_access_type access, const char *call)
    AMP_PRIV_NEEDS(amp_priv_synchronize);

AMP_PRIV_API void *amp_priv_array_create(void *out, const char *call_format, const amp_priv_element *element, int rank,
                                         const int *extent, amp_accelerator_view view, amp_access_type access,
                                         const amp_accelerator_view *associated) AMP_PRIV_NEEDS(amp_priv_array_create);

AMP_PRIV_API void *amp_priv_array_scoped(void *out, const char *call_format, const amp_priv_element *element, int rank,
                                         const amp_priv_argument *extents, amp_accelerator_view view)
    AMP_PRIV_NEEDS(amp_priv_array_scoped);

AMP_PRIV_API void *amp_priv_array_create_from(void *out, const char *call_format, const amp_priv_element *element,
                                              int rank, const int *extent, amp_accelerator_view view, const void *first,
                                              size_t count);

/* // >>elements
   AMP_DEFINE_ELEMENT(T): defines at file scope the views and arrays of an element type: amp_array_view_T_1 and so
   on.
   Once in a file. int, float, double and int8_t to uint64_t are ready made.
   T  one word: a struct made by AMP_STRUCT, a type of C (unsigned, long), or a typedef made by AMP_TYPEDEF
   Result: none; a definition.
   Errors: more than one word does not compile. Blocking: no. Threads: any. Cost: compile time. Source: array_view<T,
   N> of a struct. */
#define AMP_DEFINE_ELEMENT(...) AMP_PRIV_CAT(AMP_PRIV_DEFINE_TYPE_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_DEFINE_TYPE_0(T) AMP_PRIV_CAT(AMP_PRIV_DEFINE_ELEMENT_, AMP_PRIV_IS_WORD(T))(T)
#define AMP_PRIV_DEFINE_TYPE_1(T, ...)                                                                                 \
    _Static_assert(0, "amp: AMP_DEFINE_ELEMENT(" #T ", " #__VA_ARGS__ ") takes a type alone, and makes its views of "  \
                      "all ranks: AMP_DEFINE_ELEMENT(" #T ")");                                                        \
    AMP_PRIV_DEFINE_TYPE_0(T)
#define AMP_PRIV_DEFINE_ELEMENT_0(T) _Static_assert(0, AMP_PRIV_MSG_WORDS(T));
#define AMP_PRIV_DEFINE_ELEMENT_1(T)                                                                                   \
    AMP_PRIV_ASK(amp_priv_defines_element, AMP_PRIV_IS_TYPE(T), AMP_PRIV_MSG_DEFINE_ELEMENT(#T))                       \
    AMP_PRIV_CAT(AMP_PRIV_DECLARED_TYPE_, AMP_PRIV_IS_WORD_OF_C(T))(T)                                                 \
    AMP_PRIV_ELEMENT_TYPES(T, AMP_PRIV_DEVICE_TYPE(*(T *)0))                                                           \
    AMP_PRIV_ELEMENT_FUNCTIONS(T) __extension__
#define AMP_PRIV_MSG_DEFINE_ELEMENT(T)                                                                                 \
    "amp: AMP_DEFINE_ELEMENT(" T ") takes a type that is declared above: by AMP_STRUCT, AMP_TYPEDEF or a typedef"
AMP_PRIV_ASKS(amp_priv_defines_element, AMP_PRIV_MSG_DEFINE_ELEMENT("type"))
/* Once more, or, after the message, as what gcc takes for what is not declared. */
#define AMP_PRIV_DECLARED_TYPE_0(T) typedef __typeof__(T) T;
#define AMP_PRIV_DECLARED_TYPE_1(T)

#define AMP_PRIV_ELEMENT_FUNCTIONS(T)                                                                                  \
    __attribute__((unused)) static const amp_priv_element *const amp_priv_element_of_amp_array_view_##T##_1 =          \
            &amp_priv_element_##T;                                                                                     \
    __attribute__((unused)) static const amp_priv_element *const amp_priv_element_of_amp_const_array_view_##T##_1 =    \
            &amp_priv_element_##T;                                                                                     \
    AMP_PRIV_FOR_RANKS(AMP_PRIV_RANK_FUNCTIONS, T)

/* One of them. `unused`: in a user's own file, where an element may need only some. */
#define AMP_PRIV_MAKER(NAME, call, parameters, function, call_format, ...)                                             \
    __attribute__((unused)) static inline NAME NAME##call parameters                                                   \
    {                                                                                                                  \
        return *(NAME *)function(&(NAME){ .data = NULL }, call_format, __VA_ARGS__);                                   \
    }
/* With AMP_SPLIT those above rank 3 cost each file more than all else: a file that needs them defines AMP_MAX_RANK. */
#if AMP_PRIV_MAKES_HIGH_RANKS
#define AMP_PRIV_HIGH_MAKER AMP_PRIV_MAKER
#else
#if __has_attribute(error)
#define AMP_PRIV_NOT_MADE error
#else
#define AMP_PRIV_NOT_MADE unavailable
#endif
#define AMP_PRIV_HIGH_MAKER(NAME, call, parameters, function, call_format, ...)                                        \
    __attribute__((AMP_PRIV_NOT_MADE("amp: with AMP_SPLIT, functions of ranks above 3 need -DAMP_MAX_RANK=8; or use "  \
                                     "AMP_ARRAY_VIEW and AMP_ARRAY"))) NAME NAME##call parameters;
#endif
#define AMP_PRIV_MAKER_1  AMP_PRIV_MAKER
#define AMP_PRIV_MAKER_2  AMP_PRIV_MAKER
#define AMP_PRIV_MAKER_3  AMP_PRIV_MAKER
#define AMP_PRIV_MAKER_4  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_5  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_6  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_7  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_8  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_9  AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_10 AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_11 AMP_PRIV_HIGH_MAKER
#define AMP_PRIV_MAKER_12 AMP_PRIV_HIGH_MAKER

#define AMP_PRIV_RANK_FUNCTIONS(N, T)                                                                                  \
    AMP_PRIV_VIEW_MAKERS(AMP_PRIV_MAKER_##N, amp_array_view_##T##_##N, amp_const_array_view_##T##_##N, T, N,           \
                         amp_extent##N, &amp_priv_element_##T)                                                         \
    AMP_PRIV_ARRAY_MAKERS(AMP_PRIV_MAKER_##N, amp_array_##T##_##N, T, N, amp_extent##N, &amp_priv_element_##T)

#define AMP_PRIV_VIEW_MAKERS(MAKER, VIEW, CONST_VIEW, T, N, EXTENT, element)                                           \
    MAKER(VIEW, _create, (T * data, EXTENT extent), amp_priv_view_create,                                              \
                   "amp_array_view_%s_%d_create", AMP_PRIV_VIEW, element, N, data, extent.v)                           \
    MAKER(CONST_VIEW, _create, (const T *data, EXTENT extent), amp_priv_view_create,                                   \
                   "amp_const_array_view_%s_%d_create", AMP_PRIV_CONST_VIEW, element, N,                               \
                   (void *)(uintptr_t)data, extent.v)                                                                  \
    MAKER(VIEW, _create_no_source, (EXTENT extent), amp_priv_view_create,                                              \
                   "amp_array_view_%s_%d_create_no_source", (amp_priv_kind)0, element, N, NULL, extent.v)

#define AMP_PRIV_ARRAY_MAKERS(MAKER, ARRAY, T, N, EXTENT, element)                                                     \
    MAKER(ARRAY, _create, (EXTENT extent), amp_priv_array_create, "amp_array_%s_%d_create",                            \
                   element, N, extent.v, (amp_accelerator_view){NULL}, AMP_ACCESS_AUTO, NULL)                          \
    MAKER(ARRAY, _create_on, (EXTENT extent, amp_accelerator_view view), amp_priv_array_create,                        \
                   "amp_array_%s_%d_create_on", element, N, extent.v, view, AMP_ACCESS_AUTO, NULL)                     \
    MAKER(ARRAY, _create_access,                                                                                       \
                   (EXTENT extent, amp_accelerator_view view, amp_access_type access),                                 \
                   amp_priv_array_create, "amp_array_%s_%d_create_access", element, N, extent.v, view,                 \
                   access, NULL)                                                                                       \
    MAKER(ARRAY, _create_from,                                                                                         \
                   (EXTENT extent, amp_accelerator_view view, const T *first, size_t count),                           \
                   amp_priv_array_create_from, "amp_array_%s_%d_create_from", element, N, extent.v,                    \
                   view, first, count)                                                                                 \
    MAKER(ARRAY, _create_staging,                                                                                      \
                   (EXTENT extent, amp_accelerator_view view, amp_accelerator_view associated),                        \
                   amp_priv_array_create, "amp_array_%s_%d_create_staging", element, N, extent.v, view,                \
                   AMP_ACCESS_AUTO, &associated)

/* clang-format on */

AMP_PRIV_FOR_ELEMENTS(AMP_PRIV_ELEMENT_FUNCTIONS)

#endif /* AMP_API_ARRAY_VIEW_H */
