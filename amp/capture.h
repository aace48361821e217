/* SPDX-License-Identifier: MIT */
/*  amp/capture.h - the capture list of a kernel: AMP_CAPTURE(a, b, W, AMP_VALUE(particle, p), AMP_CONSTANT(TS)).

    Each captured name is handled three times: copied where the launch is (so that the kernel sees the value of
    that moment), described in a static table (for the device's program), and declared again, const, in the
    scope of the kernel's body.

    Contents (search for the tag):
        >>list  >>kinds                                                                              */
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

/* // >>kinds
   A capture is a plain name, (CONSTANT, name), (VALUE, type, name), or nothing. */

/* AMP_PRIV_KIND(operation, n, a) calls operation_NAME, operation_VALUE or operation_CONSTANT. */
#define AMP_PRIV_KIND(operation, n, a)        AMP_PRIV_CAT(AMP_PRIV_KIND_, AMP_PRIV_IS_WRAPPED(a))(operation, n, a)
#define AMP_PRIV_KIND_0(operation, n, a)      AMP_PRIV_CAT(AMP_PRIV_KIND_NAME_, AMP_PRIV_IS_NOTHING(a))(operation, n, a)
#define AMP_PRIV_KIND_NAME_0(operation, n, a) operation##_NAME(n, a)
#define AMP_PRIV_KIND_NAME_1(operation, n, a)
#define AMP_PRIV_KIND_1(operation, n, a)             AMP_PRIV_KIND_CALL(operation, n, AMP_PRIV_UNWRAP a)
#define AMP_PRIV_KIND_CALL(operation, n, ...)        AMP_PRIV_KIND_CALL_(operation, n, __VA_ARGS__)
#define AMP_PRIV_KIND_CALL_(operation, n, kind, ...) operation##_##kind(n, __VA_ARGS__)

/* Copies at the launch. */
#define AMP_PRIV_COPY(n, A, a) AMP_PRIV_KIND(AMP_PRIV_COPY, n, a)
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
#define AMP_PRIV_ADDRESS(n, A, a)          AMP_PRIV_KIND(AMP_PRIV_ADDRESS, n, a)
#define AMP_PRIV_ADDRESS_NAME(n, a)        AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_VALUE(n, type, a) AMP_PRIV_ADDRESS_OF(amp_priv_copy_##n),
#define AMP_PRIV_ADDRESS_CONSTANT(n, a)    NULL,
#define AMP_PRIV_ADDRESS_OF(a)             (void *)(uintptr_t)&a /* drops a const that the captured name may have */

/* What is known at compile time. */
#define AMP_PRIV_DESCRIBE(n, A, a) AMP_PRIV_KIND(AMP_PRIV_DESCRIBE, n, a)
#define AMP_PRIV_DESCRIBE_NAME(n, a)                                                                                   \
    {#a, AMP_PRIV_IS_VIEW(a) ? AMP_PRIV_CAPTURE_VIEW : AMP_PRIV_CAPTURE_SCALAR, AMP_PRIV_DEVICE_TYPE(a), sizeof(a), 0},
#define AMP_PRIV_DESCRIBE_VALUE(n, type, a) { #a, AMP_PRIV_CAPTURE_STRUCT, #type, sizeof(type), 0 },
#define AMP_PRIV_DESCRIBE_CONSTANT(n, a)    { #a, AMP_PRIV_CAPTURE_CONSTANT, "int", 0, (long long)(a) },

/* The device's name of a scalar's type; NULL for a struct. OpenCL's long has 64 bits, C's may have 32. No short names
   like uint: a struct of the user's may be called so. */
#define AMP_PRIV_DEVICE_TYPE(a)                                                                                        \
    _Generic((a), _Bool: "bool", char: "char", signed char: "char", unsigned char: "unsigned char", short: "short",    \
             unsigned short: "unsigned short", int: "int", unsigned: "unsigned",                                       \
             long: sizeof(long) == 8 ? "long" : "int", unsigned long: sizeof(long) == 8 ? "unsigned long" : "unsigned",\
             long long: "long", unsigned long long: "unsigned long", float: "float", double: "double",                 \
             default: (const char *)0)

/* The const names of the kernel's scope, in the CPU loops. A view says there that it is in a kernel. */
static inline void amp_priv_assume_in_kernel(const void *view)
{
    if (((const amp_priv_head *)view)->source != AMP_PRIV_IN_KERNEL)
        __builtin_unreachable();
}
#if defined(__clang__)
#define AMP_PRIV_COPIED(n) amp_priv_copy_##n
#else /* by its address: amp_cpu.h, AMP_PRIV_CPU_EACH */
#define AMP_PRIV_COPIED(n)                                                                                             \
    *(const __typeof__(amp_priv_copy_##n) *)                                                                           \
        amp_priv_captured[sizeof amp_priv_captures / sizeof amp_priv_captures[0] - 1 - n]
#endif
#define AMP_PRIV_DECLARE(n, A, a) AMP_PRIV_KIND(AMP_PRIV_DECLARE, n, a)
#define AMP_PRIV_DECLARE_NAME(n, a)                                                                                    \
    const __typeof__(amp_priv_copy_##n) a = AMP_PRIV_COPIED(n);                                                        \
    (void)a;                                                                                                           \
    if (AMP_PRIV_IS_VIEW(a)) amp_priv_assume_in_kernel(&a);
#define AMP_PRIV_DECLARE_VALUE(n, type, a)                                                                             \
    const type a = AMP_PRIV_COPIED(n);                                                                                 \
    (void)a;
#define AMP_PRIV_DECLARE_CONSTANT(n, a) (void)(a);

#endif /* AMP_CAPTURE_H */
