/* SPDX-License-Identifier: MIT */
/*  amp/api/kernel_math.h - precise mathematics in kernels

    Contents (search for the tag):
        >>precise  >>extra  >>least  >>bits */
#ifndef AMP_API_KERNEL_MATH_H
#define AMP_API_KERNEL_MATH_H

#include "element.h"

#include <math.h>

/* MinGW's are expressions that no device has a meaning for, and calls. */
#if defined(__MINGW32__)
#undef isnan
#undef isinf
#undef isfinite
#undef isnormal
#undef signbit
#define isnan(x)    __builtin_isnan(x)
#define isinf(x)    __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x)  __builtin_signbit(x)
#endif

/* // >>precise
   Kernels never read errno; code of the host may. So in a kernel's scope these names are functions that set none,
   which makes sqrtf one instruction in a vectorised loop (N-body: five times faster). gcc's builtins are functions of
   their own, which may be declared const; what clang has are its intrinsics. gcc calls fmin and fmax of x86's library,
   which have other zeros: written out they are three instructions (a path tracer: five times faster). */
#define AMP_PRIV_NO_ERRNO_MORE(X) X(exp) X(exp2) X(log) X(log2) X(log10) X(sin) X(cos)
#define AMP_PRIV_NO_ERRNO_1(X)    X(sqrt) AMP_PRIV_NO_ERRNO_MORE(X)
#define AMP_PRIV_NO_ERRNO_2(X)    X(pow)
#if defined(__FAST_MATH__)
#define AMP_PRIV_NO_ERRNO_OF(f) f
#define AMP_PRIV_KERNEL_MATH
#define AMP_PRIV_FUNCTION_MATH
#else
#if defined(__clang__)
#define AMP_PRIV_NO_ERRNO_OF(f) amp_priv_math_##f
#define AMP_PRIV_NO_ERRNO_DECLARE_1(name)                                                                              \
    extern double amp_priv_llvm_##name(double) __asm__("llvm." #name ".f64");                                          \
    extern float amp_priv_llvm_##name##f(float) __asm__("llvm." #name ".f32");                                         \
    static inline double amp_priv_math_##name(double x) { return amp_priv_llvm_##name(x); }                            \
    static inline float amp_priv_math_##name##f(float x) { return amp_priv_llvm_##name##f(x); }
#define AMP_PRIV_NO_ERRNO_DECLARE_2(name)                                                                              \
    extern double amp_priv_llvm_##name(double, double) __asm__("llvm." #name ".f64");                                  \
    extern float amp_priv_llvm_##name##f(float, float) __asm__("llvm." #name ".f32");                                  \
    static inline double amp_priv_math_##name(double x, double y) { return amp_priv_llvm_##name(x, y); }               \
    static inline float amp_priv_math_##name##f(float x, float y) { return amp_priv_llvm_##name##f(x, y); }
#else
#define AMP_PRIV_NO_ERRNO_OF(f) __builtin_##f
#define AMP_PRIV_NO_ERRNO_DECLARE_1(name)                                                                              \
    extern double __builtin_##name(double) __attribute__((const));                                                     \
    extern float __builtin_##name##f(float) __attribute__((const));
#define AMP_PRIV_NO_ERRNO_DECLARE_2(name)                                                                              \
    extern double __builtin_##name(double, double) __attribute__((const));                                             \
    extern float __builtin_##name##f(float, float) __attribute__((const));
#endif
AMP_PRIV_NO_ERRNO_1(AMP_PRIV_NO_ERRNO_DECLARE_1)
AMP_PRIV_NO_ERRNO_2(AMP_PRIV_NO_ERRNO_DECLARE_2)
#if !defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#define AMP_PRIV_WRITTEN_OUT(name, type, op)                                                                           \
    static inline type amp_priv_##name(type a, type b) { return a op b || __builtin_isnan(b) ? a : b; }
AMP_PRIV_WRITTEN_OUT(fmin, double, <)
AMP_PRIV_WRITTEN_OUT(fmax, double, >)
AMP_PRIV_WRITTEN_OUT(fminf, float, <)
AMP_PRIV_WRITTEN_OUT(fmaxf, float, >)
#define AMP_PRIV_WRITTEN_OUT_NAME(name, type)                                                                          \
    type (*const name)(type, type) __attribute__((unused)) = amp_priv_##name;
#define AMP_PRIV_WRITTEN_OUT_DOUBLE                                                                                    \
    AMP_PRIV_WRITTEN_OUT_NAME(fmin, double) AMP_PRIV_WRITTEN_OUT_NAME(fmax, double)
#define AMP_PRIV_WRITTEN_OUT_FLOAT                                                                                     \
    AMP_PRIV_WRITTEN_OUT_NAME(fminf, float) AMP_PRIV_WRITTEN_OUT_NAME(fmaxf, float)
#else
#define AMP_PRIV_WRITTEN_OUT_DOUBLE
#define AMP_PRIV_WRITTEN_OUT_FLOAT
#endif

/* These names in a block: around a kernel's captures, which may have one of them; and in an AMP_FUNCTION, whose
   parameters may be called exp or log, but not expf. */
#define AMP_PRIV_NO_ERRNO_NAME(f, type, parameters)                                                                    \
    type(*const f) parameters __attribute__((unused)) = AMP_PRIV_NO_ERRNO_OF(f);
#define AMP_PRIV_NO_ERRNO_DOUBLE_1(name) AMP_PRIV_NO_ERRNO_NAME(name, double, (double))
#define AMP_PRIV_NO_ERRNO_DOUBLE_2(name) AMP_PRIV_NO_ERRNO_NAME(name, double, (double, double))
#define AMP_PRIV_NO_ERRNO_FLOAT_1(name)  AMP_PRIV_NO_ERRNO_NAME(name##f, float, (float))
#define AMP_PRIV_NO_ERRNO_FLOAT_2(name)  AMP_PRIV_NO_ERRNO_NAME(name##f, float, (float, float))
#define AMP_PRIV_KERNEL_MATH                                                                                           \
    AMP_PRIV_FUNCTION_MATH AMP_PRIV_NO_ERRNO_MORE(AMP_PRIV_NO_ERRNO_DOUBLE_1)                                          \
    AMP_PRIV_NO_ERRNO_2(AMP_PRIV_NO_ERRNO_DOUBLE_2) AMP_PRIV_WRITTEN_OUT_DOUBLE
#define AMP_PRIV_FUNCTION_MATH                                                                                         \
    AMP_PRIV_NO_ERRNO_DOUBLE_1(sqrt)                                                                                   \
    AMP_PRIV_NO_ERRNO_1(AMP_PRIV_NO_ERRNO_FLOAT_1)                                                                     \
    AMP_PRIV_NO_ERRNO_2(AMP_PRIV_NO_ERRNO_FLOAT_2)                                                                     \
    AMP_PRIV_WRITTEN_OUT_FLOAT
#endif

/* The functions that C and OpenCL C share, by number of arguments. */
#define AMP_PRIV_MATH_1(X)                                                                                             \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc)                   \
    X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(ilogb) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb)               \
    X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define AMP_PRIV_MATH_2(X)                                                                                             \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

/* // >>extra
   amp_rsqrtf(x), amp_rsqrt(x): 1 / sqrt(x), of a float or a double.
   amp_sincosf(x, s, c): writes sin(x) to *s and cos(x) to *c.
   amp_sinpif(x): sin(pi x).
   amp_cospif(x): cos(pi x).
   amp_tanpif(x): tan(pi x).
   amp_exp10f(x): 10 to the power x.
   What C++ AMP has and C's math.h lacks. In kernels and on the host.
   x  a float, of amp_rsqrt a double; an angle of amp_sincosf in radians, of the others in half turns
   s, c  addresses of private floats
   Result: the value of the function.
   Errors: none. Blocking: no. Threads: any. Cost: one to two functions of math.h. Source: precise_math::rsqrt,
   sincos, sinpi, cospi, tanpi, exp10. */
static inline float amp_rsqrtf(float x) { return 1.0f / AMP_PRIV_NO_ERRNO_OF(sqrtf)(x); }
static inline double amp_rsqrt(double x) { return 1.0 / AMP_PRIV_NO_ERRNO_OF(sqrt)(x); }
static inline void amp_sincosf(float x, float *s, float *c)
{
    *s = AMP_PRIV_NO_ERRNO_OF(sinf)(x);
    *c = AMP_PRIV_NO_ERRNO_OF(cosf)(x);
}
/* sin(pi x) for x from -1 to 1. First x is folded to a quarter period, which is exact, so that zeros stay zeros. */
static inline double amp_priv_sinpi(double x)
{
    return AMP_PRIV_NO_ERRNO_OF(sin)(3.14159265358979323846 * (x > 0.5 ? 1.0 - x : x < -0.5 ? -1.0 - x : x));
}
static inline float amp_sinpif(float x) { return (float)amp_priv_sinpi((double)(x - 2.0f * rintf(0.5f * x))); }
static inline float amp_cospif(float x)
{
    return (float)amp_priv_sinpi(0.5 - fabs((double)(x - 2.0f * rintf(0.5f * x))));
}
static inline float amp_tanpif(float x)
{
    const double turn = (double)(x - 2.0f * rintf(0.5f * x));
    return (float)(amp_priv_sinpi(turn) / amp_priv_sinpi(0.5 - fabs(turn)));
}
static inline float amp_exp10f(float x) { return (float)AMP_PRIV_NO_ERRNO_OF(pow)(10.0, (double)x); }

/* // >>least
   amp_min(x, y): the smaller of two numbers.
   amp_max(x, y): the greater of two numbers.
   amp_clamp(x, low, high): x, but at least low and at most high.
   amp_min(v): the smallest element of a view or array: see amp_min_on.
   amp_max(v): the greatest element of a view or array: see amp_max_on.
   In kernels and on the host. Each argument is evaluated once. If one argument is NaN, the result is the second one;
   fminf and fmaxf give the number. If low is above high, amp_clamp gives high.
   x, y, low, high  numbers of any arithmetic type, converted as in x + y
   v  a view or array of rank 1, on the host only, with the header of the algorithms
   Result: a number of the type of x + y; of a view, of its element type.
   Errors: none for numbers. Blocking: no for numbers. Threads: any. Cost: one or two instructions for numbers.
   Source: std::min, std::max, direct3d's clamp, imin, imax. */
#define amp_min(...)            AMP_PRIV_CAT(AMP_PRIV_MIN_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define amp_max(...)            AMP_PRIV_CAT(AMP_PRIV_MAX_, AMP_PRIV_HAS_MORE(__VA_ARGS__))(__VA_ARGS__)
#define amp_clamp(x, low, high) AMP_PRIV_MIN_1(AMP_PRIV_MAX_1(x, low), high)
#define AMP_PRIV_MIN_0(v)       amp_min_on((amp_accelerator_view){ NULL }, v) /* of a view: amp_algorithms.h */
#define AMP_PRIV_MAX_0(v)       amp_max_on((amp_accelerator_view){ NULL }, v)
#define AMP_PRIV_MIN_1(x, y)    AMP_PRIV_CHOSEN(amp_priv_min, x, <, y)
#define AMP_PRIV_MAX_1(x, y)    AMP_PRIV_CHOSEN(amp_priv_max, x, >, y)
#define AMP_PRIV_CHOSEN(number, x, op, y)                                                                              \
    __extension__({                                                                                                    \
        typedef __typeof__((x) + (y)) number;                                                                          \
        const number number##_left = (number)(x), number##_right = (number)(y);                                        \
        number##_left op number##_right ? number##_left : number##_right;                                              \
    })

/* // >>bits
   AMP_BITS(type, x): the bits of x as a value of another type: AMP_BITS(uint32_t, 1.0f) is 0x3f800000.
   In kernels, which have no memcpy, and on the host.
   type  a scalar or struct type of the size of x
   x  a scalar or struct; evaluated once
   Result: a value of that type.
   Errors: another size does not compile. Blocking: no. Threads: any. Cost: none. Source: direct3d's asfloat, asuint;
   OpenCL's as_float. */
#define AMP_BITS(type, ...)                                                                                            \
    AMP_PRIV_BODY_VALUE_IF(amp_priv_bits_of_type, AMP_PRIV_IS_NAME(#type) && AMP_PRIV_NO_NUMBER(#type),                \
                           AMP_PRIV_MSG_BITS(#type), AMP_PRIV_BITS_OF_TYPE(type, __VA_ARGS__))
#define AMP_PRIV_BITS_OF_TYPE(type, ...)                                                                               \
    AMP_PRIV_BODY_VALUE_IF(amp_priv_bits_of_type, AMP_PRIV_IS_TYPE(type), AMP_PRIV_MSG_BITS(#type),                    \
                           AMP_PRIV_BITS(type, __VA_ARGS__))
#define AMP_PRIV_MSG_BITS(type)                                                                                        \
    "amp: AMP_BITS(" type ", ...): first the type of the result, then the value: AMP_BITS(uint32_t, 1.0f)"
AMP_PRIV_ASKS(amp_priv_bits_of_type, AMP_PRIV_MSG_BITS("type"))
#define AMP_PRIV_BITS(type, ...)                                                                                       \
    __extension__({                                                                                                    \
        typedef __typeof__(((void)0, (__VA_ARGS__))) amp_priv_from;                                                    \
        _Static_assert(sizeof(type) == sizeof(amp_priv_from),                                                          \
                       "amp: AMP_BITS(" #type ", x) takes an x of the size of " #type);                                \
        union {                                                                                                        \
            amp_priv_from from;                                                                                        \
            type to;                                                                                                   \
        } amp_priv_bits_of = { __VA_ARGS__ };                                                                          \
        amp_priv_bits_of.to;                                                                                           \
    })

#endif /* AMP_API_KERNEL_MATH_H */
