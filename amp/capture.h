/* SPDX-License-Identifier: MIT */
/*  amp/capture.h - the capture list of a kernel: AMP_CAPTURE(a, b, W, AMP_VALUE(particle, p), AMP_CONSTANT(TS)).

    Each captured name is handled three times: copied where the launch is (so that the kernel sees the value of
    that moment), described in a static table (for the device's program), and declared again, const, in the
    scope of the kernel's body.

    Contents (search for the tag):
        >>list  >>each  >>kinds                                                                      */
#ifndef AMP_CAPTURE_H
#define AMP_CAPTURE_H

#include "view.h"

/* // >>list
   AMP_CAPTURE(name, ...): what a kernel body may use of the host's variables: views and arrays, scalars of every
   arithmetic type, AMP_VALUE(type, name) for structs made by AMP_STRUCT, AMP_CONSTANT(name) for enumerators.
   At most 48 names; none at all is legal. Views are captured by value and share their data source, arrays by
   reference, all else by value and const. Macros and file-scope functions made by AMP_FUNCTION need no capture.
   Errors: a pointer, a struct without AMP_VALUE, a 49th name do not compile. Source: the lambda's capture list. */
#define AMP_CAPTURE(...)      (__VA_ARGS__)
#define AMP_CONSTANT(name)    (CONSTANT, name)
#define AMP_VALUE(type, name) (VALUE, type, name)

/* // >>each
   AMP_PRIV_EACH(X, (a, b, ...)) is X(number, a) X(number, b) ...; a number is used once. */
#define AMP_PRIV_EACH(X, list) AMP_PRIV_EACH_(X, AMP_PRIV_UNWRAP list)
#define AMP_PRIV_UNWRAP(...)   __VA_ARGS__
#define AMP_PRIV_EACH_(X, ...) AMP_PRIV_CAT(AMP_PRIV_EACH_, AMP_PRIV_CAPTURE_COUNT(__VA_ARGS__))(X, __VA_ARGS__)
#define AMP_PRIV_CAPTURE_COUNT(...) AMP_PRIV_CAPTURE_COUNT_(__VA_ARGS__,                                               \
    MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,        \
        MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, 48, 47, 46, 45, 44, 43,    \
        42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,    \
        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define AMP_PRIV_CAPTURE_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,  \
                                a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36,   \
                                a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53,   \
                                a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70,   \
                                a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, n, ...)                              \
    n
#define AMP_PRIV_EACH_1(X, a)       X(1, a)
#define AMP_PRIV_EACH_2(X, a, ...)  X(2, a) AMP_PRIV_EACH_1(X, __VA_ARGS__)
#define AMP_PRIV_EACH_3(X, a, ...)  X(3, a) AMP_PRIV_EACH_2(X, __VA_ARGS__)
#define AMP_PRIV_EACH_4(X, a, ...)  X(4, a) AMP_PRIV_EACH_3(X, __VA_ARGS__)
#define AMP_PRIV_EACH_5(X, a, ...)  X(5, a) AMP_PRIV_EACH_4(X, __VA_ARGS__)
#define AMP_PRIV_EACH_6(X, a, ...)  X(6, a) AMP_PRIV_EACH_5(X, __VA_ARGS__)
#define AMP_PRIV_EACH_7(X, a, ...)  X(7, a) AMP_PRIV_EACH_6(X, __VA_ARGS__)
#define AMP_PRIV_EACH_8(X, a, ...)  X(8, a) AMP_PRIV_EACH_7(X, __VA_ARGS__)
#define AMP_PRIV_EACH_9(X, a, ...)  X(9, a) AMP_PRIV_EACH_8(X, __VA_ARGS__)
#define AMP_PRIV_EACH_10(X, a, ...) X(10, a) AMP_PRIV_EACH_9(X, __VA_ARGS__)
#define AMP_PRIV_EACH_11(X, a, ...) X(11, a) AMP_PRIV_EACH_10(X, __VA_ARGS__)
#define AMP_PRIV_EACH_12(X, a, ...) X(12, a) AMP_PRIV_EACH_11(X, __VA_ARGS__)
#define AMP_PRIV_EACH_13(X, a, ...) X(13, a) AMP_PRIV_EACH_12(X, __VA_ARGS__)
#define AMP_PRIV_EACH_14(X, a, ...) X(14, a) AMP_PRIV_EACH_13(X, __VA_ARGS__)
#define AMP_PRIV_EACH_15(X, a, ...) X(15, a) AMP_PRIV_EACH_14(X, __VA_ARGS__)
#define AMP_PRIV_EACH_16(X, a, ...) X(16, a) AMP_PRIV_EACH_15(X, __VA_ARGS__)
#define AMP_PRIV_EACH_17(X, a, ...) X(17, a) AMP_PRIV_EACH_16(X, __VA_ARGS__)
#define AMP_PRIV_EACH_18(X, a, ...) X(18, a) AMP_PRIV_EACH_17(X, __VA_ARGS__)
#define AMP_PRIV_EACH_19(X, a, ...) X(19, a) AMP_PRIV_EACH_18(X, __VA_ARGS__)
#define AMP_PRIV_EACH_20(X, a, ...) X(20, a) AMP_PRIV_EACH_19(X, __VA_ARGS__)
#define AMP_PRIV_EACH_21(X, a, ...) X(21, a) AMP_PRIV_EACH_20(X, __VA_ARGS__)
#define AMP_PRIV_EACH_22(X, a, ...) X(22, a) AMP_PRIV_EACH_21(X, __VA_ARGS__)
#define AMP_PRIV_EACH_23(X, a, ...) X(23, a) AMP_PRIV_EACH_22(X, __VA_ARGS__)
#define AMP_PRIV_EACH_24(X, a, ...) X(24, a) AMP_PRIV_EACH_23(X, __VA_ARGS__)
#define AMP_PRIV_EACH_25(X, a, ...) X(25, a) AMP_PRIV_EACH_24(X, __VA_ARGS__)
#define AMP_PRIV_EACH_26(X, a, ...) X(26, a) AMP_PRIV_EACH_25(X, __VA_ARGS__)
#define AMP_PRIV_EACH_27(X, a, ...) X(27, a) AMP_PRIV_EACH_26(X, __VA_ARGS__)
#define AMP_PRIV_EACH_28(X, a, ...) X(28, a) AMP_PRIV_EACH_27(X, __VA_ARGS__)
#define AMP_PRIV_EACH_29(X, a, ...) X(29, a) AMP_PRIV_EACH_28(X, __VA_ARGS__)
#define AMP_PRIV_EACH_30(X, a, ...) X(30, a) AMP_PRIV_EACH_29(X, __VA_ARGS__)
#define AMP_PRIV_EACH_31(X, a, ...) X(31, a) AMP_PRIV_EACH_30(X, __VA_ARGS__)
#define AMP_PRIV_EACH_32(X, a, ...) X(32, a) AMP_PRIV_EACH_31(X, __VA_ARGS__)
#define AMP_PRIV_EACH_33(X, a, ...) X(33, a) AMP_PRIV_EACH_32(X, __VA_ARGS__)
#define AMP_PRIV_EACH_34(X, a, ...) X(34, a) AMP_PRIV_EACH_33(X, __VA_ARGS__)
#define AMP_PRIV_EACH_35(X, a, ...) X(35, a) AMP_PRIV_EACH_34(X, __VA_ARGS__)
#define AMP_PRIV_EACH_36(X, a, ...) X(36, a) AMP_PRIV_EACH_35(X, __VA_ARGS__)
#define AMP_PRIV_EACH_37(X, a, ...) X(37, a) AMP_PRIV_EACH_36(X, __VA_ARGS__)
#define AMP_PRIV_EACH_38(X, a, ...) X(38, a) AMP_PRIV_EACH_37(X, __VA_ARGS__)
#define AMP_PRIV_EACH_39(X, a, ...) X(39, a) AMP_PRIV_EACH_38(X, __VA_ARGS__)
#define AMP_PRIV_EACH_40(X, a, ...) X(40, a) AMP_PRIV_EACH_39(X, __VA_ARGS__)
#define AMP_PRIV_EACH_41(X, a, ...) X(41, a) AMP_PRIV_EACH_40(X, __VA_ARGS__)
#define AMP_PRIV_EACH_42(X, a, ...) X(42, a) AMP_PRIV_EACH_41(X, __VA_ARGS__)
#define AMP_PRIV_EACH_43(X, a, ...) X(43, a) AMP_PRIV_EACH_42(X, __VA_ARGS__)
#define AMP_PRIV_EACH_44(X, a, ...) X(44, a) AMP_PRIV_EACH_43(X, __VA_ARGS__)
#define AMP_PRIV_EACH_45(X, a, ...) X(45, a) AMP_PRIV_EACH_44(X, __VA_ARGS__)
#define AMP_PRIV_EACH_46(X, a, ...) X(46, a) AMP_PRIV_EACH_45(X, __VA_ARGS__)
#define AMP_PRIV_EACH_47(X, a, ...) X(47, a) AMP_PRIV_EACH_46(X, __VA_ARGS__)
#define AMP_PRIV_EACH_48(X, a, ...) X(48, a) AMP_PRIV_EACH_47(X, __VA_ARGS__)
#define AMP_PRIV_EACH_MANY(X, ...)                                                                                     \
    _Static_assert(0, "amp: AMP_CAPTURE takes at most 48 names: put scalars into an AMP_STRUCT and capture it with "   \
        "AMP_VALUE");

/* // >>kinds
   A capture is a plain name, (CONSTANT, name), (VALUE, type, name), or nothing. */
#define AMP_PRIV_SECOND(...)        AMP_PRIV_SECOND_(__VA_ARGS__)
#define AMP_PRIV_SECOND_(a, b, ...) b
#define AMP_PRIV_PROBE(...)         ~, 1
#define AMP_PRIV_IS_WRAPPED(a)      AMP_PRIV_SECOND(AMP_PRIV_PROBE a, 0, ~)
#define AMP_PRIV_NOTHING_           ~, 1
#define AMP_PRIV_IS_NOTHING(a)      AMP_PRIV_SECOND(AMP_PRIV_NOTHING_##a, 0, ~)

/* AMP_PRIV_KIND(operation, n, a) calls operation_NAME, operation_VALUE or operation_CONSTANT. */
#define AMP_PRIV_KIND(operation, n, a)        AMP_PRIV_CAT(AMP_PRIV_KIND_, AMP_PRIV_IS_WRAPPED(a))(operation, n, a)
#define AMP_PRIV_KIND_0(operation, n, a)      AMP_PRIV_CAT(AMP_PRIV_KIND_NAME_, AMP_PRIV_IS_NOTHING(a))(operation, n, a)
#define AMP_PRIV_KIND_NAME_0(operation, n, a) operation##_NAME(n, a)
#define AMP_PRIV_KIND_NAME_1(operation, n, a)
#define AMP_PRIV_KIND_1(operation, n, a)             AMP_PRIV_KIND_CALL(operation, n, AMP_PRIV_UNWRAP a)
#define AMP_PRIV_KIND_CALL(operation, n, ...)        AMP_PRIV_KIND_CALL_(operation, n, __VA_ARGS__)
#define AMP_PRIV_KIND_CALL_(operation, n, kind, ...) operation##_##kind(n, __VA_ARGS__)

/* Copies at the launch. */
#define AMP_PRIV_COPY(n, a) AMP_PRIV_KIND(AMP_PRIV_COPY, n, a)
#define AMP_PRIV_COPY_NAME(n, a)                                                                                       \
    _Static_assert(AMP_PRIV_CLASS(a) != 5, "amp: AMP_CAPTURE(" #a "): a pointer or C array cannot be captured; "       \
                                           "make an AMP_ARRAY_VIEW of it and capture that");                           \
    _Static_assert(!AMP_PRIV_IS_LONG_DOUBLE(a), "amp: AMP_CAPTURE(" #a                                                 \
        "): long double does not exist in kernels; use double");                                                       \
    _Static_assert(!AMP_PRIV_IS_VIEW(a) AMP_PRIV_FOR_RANKS(AMP_PRIV_OR_SIZE_OF_VIEW, a),                               \
                   "amp: AMP_CAPTURE(" #a "): a struct that is no view or array is captured as AMP_VALUE(type, " #a    \
                   ")");                                                                                               \
    _Static_assert(sizeof AMP_PRIV_AS_VIEW(a).amp_priv, "a struct of a view's size has no member amp_priv");           \
    __typeof__(((void)0, (a))) amp_priv_copy_##n = a; /* not const: the CPU loops mark a view in it */
#define AMP_PRIV_COPY_VALUE(n, type, a) type amp_priv_copy_##n = a;
#define AMP_PRIV_COPY_CONSTANT(n, a)

/* gcc and clang: 5 is a pointer, 8 a real, 12 a struct, less than 5 an integer; here a float is one, too, because gcc
   may warn that it becomes a double. */
#define AMP_PRIV_CLASS(a)              __builtin_classify_type(_Generic((a), float : 0, default : (a)))
#define AMP_PRIV_IS_LONG_DOUBLE(a)     _Generic((a), long double : 1, default : 0)
#define AMP_PRIV_IS_VIEW(a)            (AMP_PRIV_CLASS(a) == 12 || AMP_PRIV_CLASS(a) == 13)
#define AMP_PRIV_OR_SIZE_OF_VIEW(N, a) || sizeof(a) == sizeof(amp_array_view_int_##N)
/* a where it can be a view; a view for every scalar. */
#define AMP_PRIV_AS_VIEW(a)                                                                                            \
    _Generic((a), _Bool: AMP_PRIV_ANY_VIEW, char: AMP_PRIV_ANY_VIEW, signed char: AMP_PRIV_ANY_VIEW,                   \
             unsigned char: AMP_PRIV_ANY_VIEW, short: AMP_PRIV_ANY_VIEW, unsigned short: AMP_PRIV_ANY_VIEW,            \
             int: AMP_PRIV_ANY_VIEW, unsigned: AMP_PRIV_ANY_VIEW, long: AMP_PRIV_ANY_VIEW,                             \
             unsigned long: AMP_PRIV_ANY_VIEW, long long: AMP_PRIV_ANY_VIEW, unsigned long long: AMP_PRIV_ANY_VIEW,    \
             float: AMP_PRIV_ANY_VIEW, double: AMP_PRIV_ANY_VIEW, long double: AMP_PRIV_ANY_VIEW, default: (a))
#define AMP_PRIV_ANY_VIEW ((amp_array_view_int_1){ .data = NULL })

/* Their addresses, for the backend. */
#define AMP_PRIV_ADDRESS(n, a)             AMP_PRIV_KIND(AMP_PRIV_ADDRESS, n, a)
#define AMP_PRIV_ADDRESS_NAME(n, a)        AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_VALUE(n, type, a) AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_CONSTANT(n, a)    NULL,
#define AMP_PRIV_ADDRESS_OF(a)             (void *)(uintptr_t)&a /* drops a const that the captured name may have */

/* What is known at compile time. */
#define AMP_PRIV_DESCRIBE(n, a) AMP_PRIV_KIND(AMP_PRIV_DESCRIBE, n, a)
#define AMP_PRIV_DESCRIBE_NAME(n, a)                                                                                   \
    {#a, AMP_PRIV_IS_VIEW(a) ? AMP_PRIV_CAPTURE_VIEW : AMP_PRIV_CAPTURE_SCALAR, AMP_PRIV_DEVICE_TYPE(a), sizeof(a), 0},
#define AMP_PRIV_DESCRIBE_VALUE(n, type, a) { #a, AMP_PRIV_CAPTURE_STRUCT, #type, sizeof(type), 0 },
#define AMP_PRIV_DESCRIBE_CONSTANT(n, a)    { #a, AMP_PRIV_CAPTURE_CONSTANT, "int", 0, (long long)(a) },

/* The device's name of a scalar's type; NULL for a struct. Sizes are the host's, so long is 64 bits wide. */
#define AMP_PRIV_DEVICE_TYPE(a)                                                                                        \
    _Generic((a), _Bool: "bool", char: "char", signed char: "char", unsigned char: "uchar", short: "short",            \
             unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong",             \
             long long: "long", unsigned long long: "ulong", float: "float", double: "double",                         \
             default: (const char *)0)

/* The const names of the kernel's scope, in the CPU loops. A view says there that it is in a kernel. */
static inline void amp_priv_assume_in_kernel(const void *view)
{
    if (((const amp_priv_head *)view)->source != AMP_PRIV_IN_KERNEL)
        __builtin_unreachable();
}
#define AMP_PRIV_DECLARE(n, a) AMP_PRIV_KIND(AMP_PRIV_DECLARE, n, a)
#define AMP_PRIV_DECLARE_NAME(n, a)                                                                                    \
    const __typeof__(amp_priv_copy_##n) a = amp_priv_copy_##n;                                                         \
    (void)a;                                                                                                           \
    if (AMP_PRIV_IS_VIEW(a)) amp_priv_assume_in_kernel(&a);
#define AMP_PRIV_DECLARE_VALUE(n, type, a)                                                                             \
    const type a = amp_priv_copy_##n;                                                                                  \
    (void)a;
#define AMP_PRIV_DECLARE_CONSTANT(n, a) (void)(a);

#endif /* AMP_CAPTURE_H */
