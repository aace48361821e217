/* SPDX-License-Identifier: MIT */
/*  amp/api/capture.h - the capture list of a kernel: AMP_CAPTURE(a, b, W, AMP_BIND(h, f.height), AMP_VALUE(particle,
    p))

    A launch uses each captured name three times. It copies the variable, so that the kernel sees its current value. It
    describes the variable in a static table, for the device's program. It declares the name again in the scope of the
    body.

    Contents (search for the tag):
        >>list  >>kinds */
#ifndef AMP_API_CAPTURE_H
#define AMP_API_CAPTURE_H

#include "element.h"

/* // >>list
   AMP_CAPTURE(names): the variables of the host that a kernel body may use.
   AMP_VALUE(type, name): captures a variable of a struct made by AMP_STRUCT.
   AMP_VALUE(type, name, expression): captures an expression of such a struct under a name.
   AMP_BIND(name, expression): captures the value of an expression under a name: AMP_BIND(h, f.height).
   AMP_MEMBERS(s, members): captures members of a struct under their names, or under others:
   AMP_MEMBERS(s, a, (b, c.d)).
   AMP_CONSTANT(name): captures an enumerator or another integer constant.
   AMP_SPECIALIZE(name): captures an int of which each value makes a kernel of its own, where it is a constant.
   AMP_SPECIALIZE(name, expression): captures the value of an expression in that way.
   Views and arrays, and scalars of every arithmetic type, are captured under their names alone. At most 48 names; an
   empty list is legal. A view shares its data source, an array is captured by reference, all else by value. A body
   does not write what it captures. Macros, AMP_TABLE and AMP_FUNCTION need no capture.
   names  variables, or one of the forms below, with commas between
   type  the struct's type
   name  the name in the body
   expression  evaluated once, at the launch
   s  a struct that holds views, scalars or both
   members  names, as AMP_BIND(a, (s).a); or a name and a member in parentheses, as AMP_BIND(b, (s).c.d)
   Result: none; a part of a launch.
   Errors: a pointer, an expression without AMP_BIND, a struct without AMP_VALUE and a 49th name do not compile;
   AMP_COMPILATION_FAILED for a body that writes what it captures. Blocking: no. Threads: any. Cost: a copy of each
   value; of AMP_SPECIALIZE a kernel to compile for each value on each device. Source: the lambda's capture list,
   [h = f.height]. */
#define AMP_CAPTURE(...)    AMP_PRIV_CAT(AMP_PRIV_CAPTURE_, AMP_PRIV_TOO_MANY(__VA_ARGS__))(__VA_ARGS__)
#define AMP_CONSTANT(...)   AMP_PRIV_CAT(AMP_PRIV_CONSTANT_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_BIND(...)       AMP_PRIV_CAT(AMP_PRIV_BIND_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_SPECIALIZE(...) AMP_PRIV_CAT(AMP_PRIV_SPECIALIZE_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_VALUE(...)      AMP_PRIV_CAT(AMP_PRIV_VALUE_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
/* AMP_REACH(view, low, high): captures a view of which the index (i, ...) reads the rows i + low to i + high, and
   writes row i alone.
   AMP_WHOLE(view): captures a view of which each index may read any row, and writes none.
   AMP_OWN_ROWS(view): captures a view of which the index (i, ...) reads and writes row i alone.
   For launches on a group (docs/several-devices.md), where the library does not find that in the kernel's source. A row
   is what has one index in the view's first dimension. Launches on one accelerator ignore it.
   view  the name of a view
   low, high  integer constants
   Result: none; a part of a capture list.
   Errors: what is no view does not compile; checked builds report an access outside of these rows, AMP_RUNTIME_ERROR.
   Blocking: no. Threads: any. Cost: none. Source: none; known as range mappers: neighborhood, all, one-to-one. */
#define AMP_REACH(...)          AMP_PRIV_CAT(AMP_PRIV_REACH_, AMP_PRIV_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define AMP_WHOLE(view)         (REACH, view, -AMP_PRIV_ANY_ROW, AMP_PRIV_ANY_ROW)
#define AMP_OWN_ROWS(view)      (REACH, view, 0, 0)
#define AMP_PRIV_ANY_ROW        0x7fffffff
#define AMP_MEMBERS(...)        AMP_PRIV_CAT(AMP_PRIV_MEMBERS_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_CAPTURE_0(...) ((__VA_ARGS__))
#define AMP_PRIV_CAPTURE_1(...)                                                                                        \
    ((AMP_PRIV_WRONG_CAPTURE("amp: AMP_CAPTURE takes at most 48 names: put scalars into an AMP_STRUCT and capture it " \
                             "with AMP_VALUE")))
/* In place of a capture that is none. */
#define AMP_PRIV_WRONG_CAPTURE(...)                                                                                    \
    (VALUE_1, int, amp_priv_wrong_capture, __extension__({                                                             \
         _Static_assert(0, __VA_ARGS__);                                                                               \
         0;                                                                                                            \
     }))
#define AMP_PRIV_CONSTANT_0(name) (CONSTANT, name)
#define AMP_PRIV_CONSTANT_1(...)                                                                                       \
    AMP_PRIV_WRONG_CAPTURE("amp: AMP_CONSTANT(" #__VA_ARGS__ ") takes the name of a constant, without a type: "        \
                           "AMP_CONSTANT(size)")
#define AMP_PRIV_BIND_0(...)           AMP_PRIV_WRONG_CAPTURE(AMP_PRIV_MSG_BIND("AMP_BIND(" #__VA_ARGS__ ")"))
#define AMP_PRIV_BIND_1(name, ...)     (BIND, name, __VA_ARGS__)
#define AMP_PRIV_VALUE_0(...)          AMP_PRIV_WRONG_CAPTURE(AMP_PRIV_MSG_VALUE("AMP_VALUE(" #__VA_ARGS__ ")"))
#define AMP_PRIV_VALUE_1(type, ...)    (AMP_PRIV_CAT(VALUE_, AMP_PRIV_HAS_MORE(__VA_ARGS__)), type, __VA_ARGS__)
#define AMP_PRIV_REACH_1(...)          AMP_PRIV_WRONG_CAPTURE(AMP_PRIV_MSG_REACH("AMP_REACH(" #__VA_ARGS__ ")"))
#define AMP_PRIV_REACH_2               AMP_PRIV_REACH_1
#define AMP_PRIV_REACH_4               AMP_PRIV_REACH_1
#define AMP_PRIV_REACH_3(v, low, high) (REACH, v, low, high)
#define AMP_PRIV_MSG_REACH(call)                                                                                       \
    "amp: " call ": first the name of a view, then the first and the last row that an index reads, from its own on: "  \
    "AMP_REACH(v, -1, 1)"
#define AMP_PRIV_MEMBERS_0(...) AMP_PRIV_WRONG_CAPTURE(AMP_PRIV_MSG_MEMBERS("AMP_MEMBERS(" #__VA_ARGS__ ")"))
#define AMP_PRIV_MEMBERS_1(s, ...)                                                                                     \
    AMP_PRIV_CAT(AMP_PRIV_MEMBERS_OF_, AMP_PRIV_CAT(AMP_PRIV_IS_PAIR_, AMP_PRIV_IS_WRAPPED(s))(s))(s, __VA_ARGS__)
#define AMP_PRIV_MEMBERS_OF_0(s, ...) AMP_PRIV_EACH(AMP_PRIV_MEMBER, s, (__VA_ARGS__))
#define AMP_PRIV_MEMBERS_OF_1         AMP_PRIV_MEMBERS_0
/* Is it a member with a name, (b, c.d), and not a struct, (*p).q? */
#define AMP_PRIV_IS_PAIR_0(s)   0
#define AMP_PRIV_IS_PAIR_1(s)   AMP_PRIV_CAT(AMP_PRIV_IS_PAIR_1_, AMP_PRIV_IS_NOTHING(AMP_PRIV_NOT s))(s)
#define AMP_PRIV_IS_PAIR_1_0(s) 0
#define AMP_PRIV_IS_PAIR_1_1(s) AMP_PRIV_HAS_MORE s
#define AMP_PRIV_MSG_BIND(call)                                                                                        \
    "amp: " call ": first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)"
#define AMP_PRIV_MSG_VALUE(call)                                                                                       \
    "amp: " call ": first the type, made by AMP_STRUCT, then a name, then its value, if it is not the variable of "    \
    "that name: AMP_VALUE(point, p), AMP_VALUE(point, p, points[0]); a view is captured by its name alone"
#define AMP_PRIV_MSG_SPECIALIZE(call)                                                                                  \
    "amp: " call ": first the name that the body uses, without a type: AMP_SPECIALIZE(n), AMP_SPECIALIZE(n, 2 * m)"
#define AMP_PRIV_MSG_MEMBERS(call)                                                                                     \
    "amp: " call ": first a struct, not a pointer, then names of its members: AMP_MEMBERS(s, a, b), "                  \
    "AMP_MEMBERS(*p, a, b)"
#define AMP_PRIV_SPECIALIZE_0(name)      (SPECIALIZE, name, name)
#define AMP_PRIV_SPECIALIZE_1(name, ...) (SPECIALIZE, name, __VA_ARGS__)
#define AMP_PRIV_MEMBER(n, s, a)                                                                                       \
    AMP_PRIV_CAT(AMP_PRIV_MEMBER_, AMP_PRIV_IS_WRAPPED(a))                                                             \
    (s, a) AMP_PRIV_CAT(AMP_PRIV_COMMA_, AMP_PRIV_SECOND(AMP_PRIV_LAST_##n, 0, ~))
#define AMP_PRIV_MEMBER_0(s, a)                   (MEMBER, a, s, a)
#define AMP_PRIV_MEMBER_1(s, named)               AMP_PRIV_MEMBER_AS(s, AMP_PRIV_UNWRAP named, AMP_PRIV_UNWRAP named, ~)
#define AMP_PRIV_MEMBER_AS(...)                   AMP_PRIV_MEMBER_AS_(__VA_ARGS__)
#define AMP_PRIV_MEMBER_AS_(s, name, member, ...) (MEMBER, name, s, member)
#define AMP_PRIV_LAST_1                           ~, 1
#define AMP_PRIV_COMMA_0                          ,
#define AMP_PRIV_COMMA_1

/* // >>kinds
   A capture is a plain name, (CONSTANT, name), (BIND, name, expression), (MEMBER, name, struct, member),
   (SPECIALIZE, name, expression), (REACH, name, low, high), (VALUE_0, type, name), (VALUE_1, type, name, expression),
   or nothing. */

/* AMP_PRIV_KIND(operation, n, a) calls operation_NAME, operation_BIND and so on. */
#define AMP_PRIV_KIND(operation, n, a)        AMP_PRIV_CAT(AMP_PRIV_KIND_, AMP_PRIV_IS_WRAPPED(a))(operation, n, a)
#define AMP_PRIV_KIND_0(operation, n, a)      AMP_PRIV_CAT(AMP_PRIV_KIND_NAME_, AMP_PRIV_IS_NOTHING(a))(operation, n, a)
#define AMP_PRIV_KIND_NAME_0(operation, n, a) operation##_NAME(n, a)
#define AMP_PRIV_KIND_NAME_1(operation, n, a)
#define AMP_PRIV_KIND_1(operation, n, a)             AMP_PRIV_KIND_CALL(operation, n, AMP_PRIV_UNWRAP a)
#define AMP_PRIV_KIND_CALL(operation, n, ...)        AMP_PRIV_KIND_CALL_(operation, n, __VA_ARGS__)
#define AMP_PRIV_KIND_CALL_(operation, n, kind, ...) operation##_##kind(n, __VA_ARGS__)

/* Captured variables that are not declared are the only error of what is only if they are. */
#define AMP_PRIV_AND_ALL_DECLARED(captures)             AMP_PRIV_EACH(AMP_PRIV_AND_IS_DECLARED, ~, captures)
#define AMP_PRIV_AND_IS_DECLARED(n, A, a)               AMP_PRIV_KIND(AMP_PRIV_AND_IS_DECLARED, n, a)
#define AMP_PRIV_AND_IS_DECLARED_NAME(n, a)             &&AMP_PRIV_IS_DECLARED(a)
#define AMP_PRIV_AND_IS_DECLARED_REACH(n, a, low, high) &&AMP_PRIV_IS_DECLARED(a)
#define AMP_PRIV_AND_IS_DECLARED_CONSTANT(n, a)         &&AMP_PRIV_IS_DECLARED(a)
#define AMP_PRIV_AND_IS_DECLARED_VALUE_0(n, type, a)    &&AMP_PRIV_IS_DECLARED(a)
#define AMP_PRIV_AND_IS_DECLARED_VALUE_1(n, type, a, ...)
#define AMP_PRIV_AND_IS_DECLARED_BIND(n, a, ...)
#define AMP_PRIV_AND_IS_DECLARED_MEMBER(n, a, s, member) &&AMP_PRIV_IS_DECLARED(s)
#define AMP_PRIV_AND_IS_DECLARED_SPECIALIZE(n, a, ...)

/* Copies at the launch. */
#define AMP_PRIV_COPY(n, A, a) AMP_PRIV_KIND(AMP_PRIV_COPY, n, a)
#define AMP_PRIV_COPY_NAME(n, a)                                                                                       \
    __typeof__(((void)0, (a))) amp_priv_copy_##n = a; /* not const: the CPU backend marks a view in it */              \
    AMP_PRIV_CHECK_CAPTURED(n, #a, amp_priv_copy_##n)
AMP_PRIV_ASKS(amp_priv_binds, AMP_PRIV_MSG_BIND("AMP_BIND"))
AMP_PRIV_ASKS(amp_priv_specializes, AMP_PRIV_MSG_SPECIALIZE("AMP_SPECIALIZE"))
AMP_PRIV_ASKS(amp_priv_takes_members, AMP_PRIV_MSG_MEMBERS("AMP_MEMBERS"))
AMP_PRIV_ASKS(amp_priv_takes_value, AMP_PRIV_MSG_VALUE("AMP_VALUE"))
AMP_PRIV_ASKS(amp_priv_reaches, AMP_PRIV_MSG_REACH("AMP_REACH"))
#define AMP_PRIV_COPY_MEMBER(n, a, s, member)                                                                          \
    AMP_PRIV_CHECK_MEMBER(a, s, AMP_PRIV_MSG_MEMBERS("AMP_MEMBERS(" #s ", " #member ")"))                              \
    AMP_PRIV_COPY_BOUND(n, a, AMP_PRIV_STRUCT_AT(s).member)
#define AMP_PRIV_COPY_BIND(n, a, ...)                                                                                  \
    AMP_PRIV_CHECK_BIND(a, __VA_ARGS__)                                                                                \
    AMP_PRIV_COPY_BOUND(n, a, __VA_ARGS__)
/* A name may be that of a type elsewhere. */
#define AMP_PRIV_CHECK_BIND(a, ...)                                                                                    \
    AMP_PRIV_ASK(amp_priv_binds, AMP_PRIV_IS_NAME(#a), AMP_PRIV_MSG_BIND("AMP_BIND(" #a ", " #__VA_ARGS__ ")"))        \
    AMP_PRIV_ASK(amp_priv_binds, !AMP_PRIV_IS_TYPE(a) || AMP_PRIV_LACKS(#__VA_ARGS__, ","),                            \
                 AMP_PRIV_MSG_BIND("AMP_BIND(" #a ", " #__VA_ARGS__ ")"))
#define AMP_PRIV_CHECK_SPECIALIZE(a)                                                                                   \
    AMP_PRIV_ASK(amp_priv_specializes, AMP_PRIV_IS_NAME(#a) && __builtin_strcmp(#a, "int"),                            \
                 AMP_PRIV_MSG_SPECIALIZE("AMP_SPECIALIZE(" #a ", ...)"))
#define AMP_PRIV_CHECK_MEMBER(a, s, message)                                                                           \
    AMP_PRIV_ASK(amp_priv_takes_members, AMP_PRIV_IS_NAME(#a) && AMP_PRIV_IS_STRUCT(s), message)
/* A struct, or what a pointer points to. */
#define AMP_PRIV_STRUCT_AT(s)                                                                                          \
    __builtin_choose_expr(AMP_PRIV_IS_STRUCT(s), s,                                                                    \
                          *__builtin_choose_expr(AMP_PRIV_IS_STRUCT(s), (int *)0, s))
#define AMP_PRIV_COPY_BOUND(n, a, ...)                                                                                 \
    __typeof__(1 ? (__VA_ARGS__) : (__VA_ARGS__)) amp_priv_copy_##n = (__VA_ARGS__); /* a bit-field is an int */       \
    AMP_PRIV_CHECK_CAPTURED(n, #a, amp_priv_copy_##n)
#define AMP_PRIV_COPY_SPECIALIZE(n, a, ...)                                                                            \
    AMP_PRIV_CHECK_SPECIALIZE(a)                                                                                       \
    _Static_assert(AMP_PRIV_CLASS(1 ? (__VA_ARGS__) : (__VA_ARGS__)) < 5 && sizeof(__VA_ARGS__) <= sizeof(int) &&      \
                       !_Generic(1 ? (__VA_ARGS__) : (__VA_ARGS__), unsigned : 1, float : 1, default : 0),             \
                   "amp: AMP_SPECIALIZE takes an int; capture another value by its name, or with AMP_BIND");           \
    int amp_priv_copy_##n = (int)(__VA_ARGS__);                                                                        \
    AMP_PRIV_CAPTURED_WELL(n)
#define AMP_PRIV_COPY_REACH(n, a, low, high)                                                                           \
    AMP_PRIV_ASK(amp_priv_reaches, AMP_PRIV_IS_NAME(#a), AMP_PRIV_MSG_REACH("AMP_REACH(" #a ", " #low ", " #high ")")) \
    AMP_PRIV_COPY_NAME(n, a)                                                                                           \
    _Static_assert(amp_priv_is_view_##n, "amp: AMP_REACH, AMP_WHOLE and AMP_OWN_ROWS take the name of a view");
#define AMP_PRIV_COPY_VALUE_0(n, type, a)                                                                              \
    AMP_PRIV_CHECK_VALUE(type, a, "AMP_VALUE(" #type ", " #a ")")                                                      \
    __typeof__(type) amp_priv_copy_##n = a;                                                                            \
    AMP_PRIV_CAPTURED_WELL(n)
#define AMP_PRIV_COPY_VALUE_1(n, type, a, ...)                                                                         \
    AMP_PRIV_CHECK_VALUE(type, a, "AMP_VALUE(" #type ", " #a ", ...)")                                                 \
    __typeof__(type) amp_priv_copy_##n = (__VA_ARGS__);                                                                \
    AMP_PRIV_CAPTURED_WELL(n)
#define AMP_PRIV_CHECK_VALUE(type, a, call)                                                                            \
    AMP_PRIV_ASK(amp_priv_takes_value,                                                                                 \
                 AMP_PRIV_IS_NAME(#a) && !AMP_PRIV_NAMES_VIEW(#type) && AMP_PRIV_LACKS(#type, "*"),                    \
                 AMP_PRIV_MSG_VALUE(call))                                                                             \
    AMP_PRIV_ASK(amp_priv_takes_value, AMP_PRIV_IS_TYPE(type), AMP_PRIV_MSG_VALUE(call))
#define AMP_PRIV_NAMES_VIEW(type)                                                                                      \
    (!__builtin_strncmp(type, "amp_array_", 10) || !__builtin_strncmp(type, "amp_const_array_", 16))
#define AMP_PRIV_CHECK_CAPTURED(n, name, a)                                                                            \
    enum {                                                                                                             \
        amp_priv_class_##n = AMP_PRIV_CLASS(a),                                                                        \
        amp_priv_is_struct_##n = (unsigned)amp_priv_class_##n > 11,                                                    \
        amp_priv_is_view_##n = amp_priv_is_struct_##n && AMP_PRIV_HAS_SIZE_OF_VIEW(a)                                  \
    };                                                                                                                 \
    AMP_PRIV_CAPTURED_AS(n, name, AMP_PRIV_IS_LONG_DOUBLE(a))                                                          \
    _Static_assert(sizeof __builtin_choose_expr(amp_priv_is_view_##n, a, AMP_PRIV_ANY_VIEW).amp_priv,                  \
                   "a struct of a view's size has no member amp_priv");

/* What cannot be captured. gcc says so of the name; clang of all of them, so that it is near to the launch. */
#define AMP_PRIV_MSG_CAPTURED_POINTER(names)                                                                           \
    "amp: AMP_CAPTURE(" names "): a pointer or C array cannot be captured; make an AMP_ARRAY_VIEW of it and capture "  \
    "that; AMP_BIND(v, *p) captures the view at a pointer p"
#define AMP_PRIV_MSG_CAPTURED_LONG_DOUBLE(names)                                                                       \
    "amp: AMP_CAPTURE(" names "): long double does not exist in kernels; use double"
#define AMP_PRIV_MSG_CAPTURED_STRUCT(names, s)                                                                         \
    "amp: AMP_CAPTURE(" names "): capture a struct or vector as AMP_VALUE(type, " s "), and a plain struct, or one "   \
    "that holds views, by its members, AMP_MEMBERS(" s ", a, b) or AMP_BIND(a, " s ".a)"
#define AMP_PRIV_MSG_CAPTURED_VARIABLE                                                                                 \
    "amp: AMP_CONSTANT is for enumerators and other constants; capture a variable by its name alone"
#if defined(__clang__)
#define AMP_PRIV_CAPTURED_AS(n, name, is_long_double)                                                                  \
    enum {                                                                                                             \
        amp_priv_wrong_##n = (amp_priv_class_##n == 5) + 2 * is_long_double +                                          \
                             4 * (amp_priv_is_struct_##n && !amp_priv_is_view_##n)                                     \
    };
#define AMP_PRIV_CAPTURED_WELL(n)                                                                                      \
    enum { amp_priv_wrong_##n = 0 };
#define AMP_PRIV_COPY_CONSTANT(n, a)                                                                                   \
    enum { amp_priv_wrong_##n = AMP_PRIV_IS_CONSTANT(a) ? 0 : 8 };
#define AMP_PRIV_CONSTANT_CAPTURED(n, a) __builtin_choose_expr(amp_priv_wrong_##n == 0, a, 0)
/* of nothing, which stands where an algorithm is given no captures beside its own */
#define AMP_PRIV_NONE_WRONG(n, A, a) amp_priv_wrong_##n = 0,
enum {
    AMP_PRIV_EACH(AMP_PRIV_NONE_WRONG, ~,
                  (, , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , ))
};
#define AMP_PRIV_OR_WRONG(n, A, a)   | amp_priv_wrong_##n
#define AMP_PRIV_ALL_NAMES(captures) AMP_PRIV_TEXT(AMP_PRIV_UNWRAP captures)
/* A static assertion of a launch, in the macro of the launch: clang shows each macro on the way. */
#define AMP_PRIV_CAPTURES_FIT(bit, list)                                                                               \
    !((0 AMP_PRIV_EACH(AMP_PRIV_OR_WRONG, ~, list)) & bit), AMP_PRIV_MSG_CAPTURES_##bit(list)
#define AMP_PRIV_MSG_CAPTURES_1(list) AMP_PRIV_MSG_CAPTURED_POINTER(AMP_PRIV_ALL_NAMES(list))
#define AMP_PRIV_MSG_CAPTURES_2(list) AMP_PRIV_MSG_CAPTURED_LONG_DOUBLE(AMP_PRIV_ALL_NAMES(list))
#define AMP_PRIV_MSG_CAPTURES_4(list) AMP_PRIV_MSG_CAPTURED_STRUCT(AMP_PRIV_ALL_NAMES(list), "s")
#define AMP_PRIV_MSG_CAPTURES_8(list) AMP_PRIV_MSG_CAPTURED_VARIABLE
#else
#define AMP_PRIV_CAPTURED_AS(n, name, is_long_double)                                                                  \
    _Static_assert(amp_priv_class_##n != 5, AMP_PRIV_MSG_CAPTURED_POINTER(name));                                      \
    _Static_assert(!is_long_double, AMP_PRIV_MSG_CAPTURED_LONG_DOUBLE(name));                                          \
    _Static_assert(!amp_priv_is_struct_##n || amp_priv_is_view_##n,                                                    \
                   AMP_PRIV_MSG_CAPTURED_STRUCT(name, name));
#define AMP_PRIV_CAPTURED_WELL(n)
#define AMP_PRIV_COPY_CONSTANT(n, a)
#define AMP_PRIV_CONSTANT_CAPTURED(n, a) (a)
/* of what is not an expression: reported already, and the rest is silent */
#define AMP_PRIV_NO_COPY(n, A, a)        amp_priv_copy_##n,
#define AMP_PRIV_NO_COPIES                                                                                             \
    AMP_PRIV_EACH(AMP_PRIV_NO_COPY, ~,                                                                                 \
                  (, , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , , ))
__attribute__((unused)) static int AMP_PRIV_NO_COPIES amp_priv_copy_0;
#define AMP_PRIV_CAPTURES_FIT(bit, list) 1, ""
#endif

/* Before all: what is captured by its name alone is a name, and nothing that would be an error at every use of it. As
   near to the launch as it can be: clang shows all macros on the way. */
#define AMP_PRIV_NAME_TEXT(n, A, a) AMP_PRIV_CAT(AMP_PRIV_NAME_TEXT_, AMP_PRIV_IS_WRAPPED(a))(a)
#define AMP_PRIV_NAME_TEXT_0(a)     #a
#define AMP_PRIV_NAME_TEXT_1(a)
#define AMP_PRIV_MSG_NAMES                                                                                             \
    "amp: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height), and write h "   \
    "in the body; there is no = or &"
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_are_names(int is_list, const char *names)
    __attribute__((diagnose_if(is_list && (__builtin_strchr(names, '.') || __builtin_strchr(names, '-') ||
                                           __builtin_strchr(names, '+') || __builtin_strchr(names, '[') ||
                                           __builtin_strchr(names, '&') || __builtin_strchr(names, '=') ||
                                           __builtin_strchr(names, '*') || __builtin_strchr(names, ' ')),
                               AMP_PRIV_MSG_NAMES, "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
    _Pragma("clang diagnostic push") AMP_PRIV_LAST_WORDS                                                               \
    _Static_assert(sizeof(amp_priv_are_names(AMP_PRIV_IS_LIST(captures), "" AMP_PRIV_EACH(AMP_PRIV_NAME_TEXT, ~,       \
                                                                            (AMP_PRIV_IN_LIST(captures))))), "");      \
    _Pragma("clang diagnostic pop")
#else
#define AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
    _Static_assert(!AMP_PRIV_IS_LIST(captures) ||                                                                      \
                       !__builtin_strpbrk("" AMP_PRIV_EACH(AMP_PRIV_NAME_TEXT, ~, (AMP_PRIV_IN_LIST(captures))),       \
                                          ".-+[&=* "),                                                                 \
                   AMP_PRIV_MSG_NAMES);
#endif

/* Captured names with brackets, name[i] or name.extent[0], which are no arrays: found in the body as the user wrote
   it. With a string in the body nothing is looked for: "v[%d]" is right there. */
#define AMP_PRIV_MSG_SUBSCRIPT                                                                                         \
    "amp: what is captured has no brackets: write AMP_AT(v, i) for v[i] of a view v, and v.extent.v[0] for "           \
    "v.extent[0]; make an AMP_ARRAY_VIEW of a pointer or C array, and capture that"
#define AMP_PRIV_NAME_LETTERS     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.>"
#define AMP_PRIV_LISTED(captures) AMP_PRIV_CAT(AMP_PRIV_LISTED_, AMP_PRIV_IS_LIST(captures))(captures)
#define AMP_PRIV_LISTED_0(captures)
#define AMP_PRIV_LISTED_1(captures)    AMP_PRIV_IN_LIST(captures)
#define AMP_PRIV_SUBSCRIPT(n, body, a) AMP_PRIV_CAT(AMP_PRIV_SUBSCRIPT_, AMP_PRIV_IS_WRAPPED(a))(body, a)
#define AMP_PRIV_SUBSCRIPT_0(body, a)  AMP_PRIV_CAT(AMP_PRIV_SUBSCRIPT_NAME_, AMP_PRIV_IS_NOTHING(a))(body, #a)
#define AMP_PRIV_SUBSCRIPT_1(body, a)
#define AMP_PRIV_SUBSCRIPT_NAME_1(body, name)
#if defined(__clang__) /* the first four brackets */
#define AMP_PRIV_BRACKET_1 __builtin_strchr(body, '[')
#define AMP_PRIV_BRACKET_2 __builtin_strchr(AMP_PRIV_BRACKET_1 + 1, '[')
#define AMP_PRIV_BRACKET_3 __builtin_strchr(AMP_PRIV_BRACKET_2 + 1, '[')
#define AMP_PRIV_BRACKET_4 __builtin_strchr(AMP_PRIV_BRACKET_3 + 1, '[')
#define AMP_PRIV_BEHIND(bracket, name, length)                                                                         \
    (__builtin_strlen(body) > __builtin_strlen(bracket) + (length) &&                                                  \
     !__builtin_strncmp((bracket) - (length), name, length) &&                                                         \
     !__builtin_strchr(AMP_PRIV_NAME_LETTERS, *((bracket) - (length) - 1)))
#define AMP_PRIV_SUBSCRIPTED(bracket)                                                                                  \
    (AMP_PRIV_BEHIND(bracket, name, size - 8) || AMP_PRIV_BEHIND(bracket, name_extent, size - 1))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_is_subscripted(const char *body, const char *name, const char *name_extent, size_t size) __attribute__((
    diagnose_if(AMP_PRIV_BRACKET_1 && !__builtin_strchr(body, '"') &&
                    (AMP_PRIV_SUBSCRIPTED(AMP_PRIV_BRACKET_1) ||
                     (AMP_PRIV_BRACKET_2 &&
                      (AMP_PRIV_SUBSCRIPTED(AMP_PRIV_BRACKET_2) ||
                       (AMP_PRIV_BRACKET_3 && (AMP_PRIV_SUBSCRIPTED(AMP_PRIV_BRACKET_3) ||
                                               (AMP_PRIV_BRACKET_4 && AMP_PRIV_SUBSCRIPTED(AMP_PRIV_BRACKET_4))))))),
                AMP_PRIV_MSG_SUBSCRIPT, "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_SUBSCRIPT_NAME_0(body, name)                                                                          \
    +sizeof(amp_priv_is_subscripted(body, name, name ".extent", sizeof name ".extent"))
#define AMP_PRIV_NO_SUBSCRIPTS(captures, body)                                                                         \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Woverlength-strings\"") AMP_PRIV_LAST_WORDS  \
    _Static_assert(1 AMP_PRIV_EACH(AMP_PRIV_SUBSCRIPT, body, (AMP_PRIV_LISTED(captures))), "");                        \
    _Pragma("clang diagnostic pop")
#else
#define AMP_PRIV_SUBSCRIPTED(body, text)                                                                               \
    (__builtin_strstr(body, text) && !__builtin_strspn(__builtin_strstr(body, text) - 1, AMP_PRIV_NAME_LETTERS))
#define AMP_PRIV_SUBSCRIPT_NAME_0(body, name)                                                                          \
    || AMP_PRIV_SUBSCRIPTED(body, name "[") || AMP_PRIV_SUBSCRIPTED(body, name ".extent[")
#define AMP_PRIV_NO_SUBSCRIPTS(captures, body)                                                                         \
    __extension__ _Static_assert(                                                                                      \
        AMP_PRIV_LACKS(body, "[") || !AMP_PRIV_LACKS(body, "\"") ||                                                    \
            !(0 AMP_PRIV_EACH(AMP_PRIV_SUBSCRIPT, body, (AMP_PRIV_LISTED(captures)))),                                 \
        AMP_PRIV_MSG_SUBSCRIPT);
#endif

/* gcc and clang: 5 is a pointer, 8 a real, 12 a struct, -1 a vector, 0 to 4 an integer; here a float is one, too,
   because gcc may warn that it becomes a double. */
#define AMP_PRIV_CLASS(a)              __builtin_classify_type(_Generic((a), float : 0, default : (a)))
#define AMP_PRIV_IS_LONG_DOUBLE(a)     _Generic((a), long double : 1, default : 0)
#define AMP_PRIV_IS_STRUCT(a)          ((unsigned)AMP_PRIV_CLASS(a) > 11)
#define AMP_PRIV_IS_VIEW               AMP_PRIV_IS_STRUCT /* of what may be captured under its name alone */
#define AMP_PRIV_HAS_SIZE_OF_VIEW(a)   (0 AMP_PRIV_FOR_RANKS(AMP_PRIV_OR_SIZE_OF_VIEW, a))
#define AMP_PRIV_OR_SIZE_OF_VIEW(N, a) || sizeof(a) == sizeof(amp_array_view_int_##N)
/* Is it as large as a view or array may be? x may be the name of a type, or not declared, which is one error;
   AMP_PRIV_MAY_BE_VIEW_GIVEN: not. */
#define AMP_PRIV_MAY_BE_VIEW(x)                                                                                        \
    AMP_PRIV_VALUE_IF(sizeof(__typeof__(x) *) > 0,                                                                     \
                      AMP_PRIV_IS_STRUCT(*(__typeof__(x) *)0) && AMP_PRIV_IS_LIKE_VIEW(__typeof__(x)))
#define AMP_PRIV_MAY_BE_VIEW_GIVEN(x)                                                                                  \
    AMP_PRIV_VALUE_IF(AMP_PRIV_IS_DECLARED(x), AMP_PRIV_IS_STRUCT_GIVEN(x) && AMP_PRIV_IS_LIKE_VIEW(x))
#define AMP_PRIV_IS_LIKE_VIEW(x)                                                                                       \
    (sizeof(x) >= sizeof(amp_array_view_int_1) &&                                                                      \
     sizeof(x) <= sizeof(AMP_PRIV_CAT(amp_array_view_int_, AMP_MAX_RANK)))
/* Only where it has a value. */
#define AMP_PRIV_MAY_BE_GIVEN(x)                                                                                       \
    AMP_PRIV_VALUE_IF(sizeof(__typeof__(x) *) > 0,                                                                     \
                      AMP_PRIV_MAY_BE_VIEW(x) || AMP_PRIV_IS_POINTER(*(__typeof__(x) *)0))
/* a where it can be a view, else one. */
#define AMP_PRIV_AS_VIEW(a)                                                                                            \
    __builtin_choose_expr(AMP_PRIV_IS_STRUCT(a) && AMP_PRIV_HAS_SIZE_OF_VIEW(a), a, AMP_PRIV_ANY_VIEW)
#define AMP_PRIV_ANY_VIEW ((amp_array_view_int_1){ .data = NULL })

/* Their addresses, for the backend. */
#define AMP_PRIV_ADDRESS(n, A, a)                 AMP_PRIV_KIND(AMP_PRIV_ADDRESS, n, a)
#define AMP_PRIV_ADDRESS_NAME(n, a)               AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_BIND(n, a, ...)          AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_MEMBER(n, a, s, member)  AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_SPECIALIZE(n, a, ...)    AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_REACH(n, a, low, high)   AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_VALUE_0(n, type, a)      AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_VALUE_1(n, type, a, ...) AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_CONSTANT(n, a)           NULL,
#define AMP_PRIV_ADDRESS_OF(a)                    (void *)(uintptr_t)&a /* without a const that it may have */

/* What is known at compile time. */
#define AMP_PRIV_DESCRIBE(n, A, a)              AMP_PRIV_KIND(AMP_PRIV_DESCRIBE, n, a)
#define AMP_PRIV_DESCRIBE_NAME(n, a)            AMP_PRIV_DESCRIBE_AS(n, #a, amp_priv_copy_##n)
#define AMP_PRIV_DESCRIBE_BIND(n, a, ...)       AMP_PRIV_DESCRIBE_AS(n, #a, amp_priv_copy_##n)
#define AMP_PRIV_DESCRIBE_MEMBER(n, a, s, m)    AMP_PRIV_DESCRIBE_AS(n, #a, amp_priv_copy_##n)
#define AMP_PRIV_DESCRIBE_SPECIALIZE(n, a, ...) { #a, AMP_PRIV_CAPTURE_SPECIALIZED, "int", sizeof(int), 0 },
/* low in the high 32 bits, high in the others; the type says that they are there */
#define AMP_PRIV_DESCRIBE_REACH(n, a, low, high)                                                                       \
    { #a, AMP_PRIV_CAPTURE_VIEW, "rows", sizeof(amp_priv_copy_##n), (low) * (1LL << 32) + ((high) + (1LL << 31)) },
#define AMP_PRIV_DESCRIBE_VALUE_0(n, type, a)      { #a, AMP_PRIV_CAPTURE_STRUCT, #type, sizeof(type), 0 },
#define AMP_PRIV_DESCRIBE_VALUE_1(n, type, a, ...) { #a, AMP_PRIV_CAPTURE_STRUCT, #type, sizeof(type), 0 },
#define AMP_PRIV_DESCRIBE_CONSTANT(n, a)                                                                               \
    { #a, AMP_PRIV_CAPTURE_CONSTANT, "int", 0, (long long)AMP_PRIV_CONSTANT_CAPTURED(n, a) },
#define AMP_PRIV_DESCRIBE_AS(n, name, a)                                                                               \
    {name, amp_priv_is_view_##n ? AMP_PRIV_CAPTURE_VIEW : AMP_PRIV_CAPTURE_SCALAR, AMP_PRIV_DEVICE_TYPE(a), sizeof(a), \
     0},

/* How many there are. clang would say here once more what is wrong with one, and where. */
#if defined(__clang__)
#define AMP_PRIV_CAPTURED(list)    0 AMP_PRIV_EACH(AMP_PRIV_ONE_MORE, ~, list)
#define AMP_PRIV_ONE_MORE(n, A, a) +(sizeof #a > 1)
#else
#define AMP_PRIV_CAPTURED(list) sizeof amp_priv_captures / sizeof amp_priv_captures[0] - 1
#endif

/* The names of the kernel's scope, on the CPU backend. They are not const: when a body writes one,
   amp/validate/names.h reports what to do; a compiler would call it read-only, and people take it out of the list
   then. A view says there that it is in a kernel: in checked builds as a constant, so that the compiler throws away
   what AMP_AT does on the host, and needs no address of it. */
#if defined(AMP_CHECKED)
static inline void amp_priv_enter_kernel(void *view) { ((amp_priv_head *)view)->source = AMP_PRIV_IN_KERNEL; }
#define AMP_PRIV_DECLARE_VIEW(n, a)                                                                                    \
    __typeof__(amp_priv_copy_##n) amp_priv_own_##n = AMP_PRIV_COPIED(n);                                               \
    if (amp_priv_is_view_##n) amp_priv_enter_kernel(&amp_priv_own_##n);                                                \
    __typeof__(amp_priv_copy_##n) a = amp_priv_own_##n;                                                                \
    (void)a;
#else
static inline void amp_priv_assume_in_kernel(const void *view)
{
    if (((const amp_priv_head *)view)->source != AMP_PRIV_IN_KERNEL)
        __builtin_unreachable();
}
#define AMP_PRIV_DECLARE_VIEW(n, a)                                                                                    \
    __typeof__(amp_priv_copy_##n) a = AMP_PRIV_COPIED(n);                                                              \
    (void)a;                                                                                                           \
    if (amp_priv_is_view_##n) amp_priv_assume_in_kernel(&a);
#endif
#if defined(__clang__)
#define AMP_PRIV_COPIED(n) amp_priv_copy_##n
#else /* by its address: amp_cpu.h, AMP_PRIV_CPU_EACH */
#define AMP_PRIV_COPIED(n)                                                                                             \
    *(const __typeof__(amp_priv_copy_##n) *)                                                                           \
        amp_priv_captured[sizeof amp_priv_captures / sizeof amp_priv_captures[0] - 1 - n]
#endif
#define AMP_PRIV_DECLARE(n, A, a)                 AMP_PRIV_KIND(AMP_PRIV_DECLARE, n, a)
#define AMP_PRIV_DECLARE_NAME(n, a)               AMP_PRIV_DECLARE_VIEW(n, a)
#define AMP_PRIV_DECLARE_BIND(n, a, ...)          AMP_PRIV_DECLARE_VIEW(n, a)
#define AMP_PRIV_DECLARE_MEMBER(n, a, s, member)  AMP_PRIV_DECLARE_VIEW(n, a)
#define AMP_PRIV_DECLARE_REACH(n, a, low, high)   AMP_PRIV_DECLARE_VIEW(n, a)
#define AMP_PRIV_DECLARE_SPECIALIZE(n, a, ...)    AMP_PRIV_DECLARE_VALUE_0(n, int, a)
#define AMP_PRIV_DECLARE_VALUE_1(n, type, a, ...) AMP_PRIV_DECLARE_VALUE_0(n, type, a)
#define AMP_PRIV_DECLARE_VALUE_0(n, type, a)                                                                           \
    __typeof__(type) a = AMP_PRIV_COPIED(n);                                                                           \
    (void)a;
#define AMP_PRIV_DECLARE_CONSTANT(n, a) (void)(a);

#endif /* AMP_API_CAPTURE_H */
