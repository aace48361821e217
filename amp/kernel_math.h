/* SPDX-License-Identifier: MIT */
/*  amp/kernel_math.h - mathematics in kernels, under names that mean the same in C and on the device.

    Precise: C's own names, from <math.h>: sqrtf, expf, powf ... for float, sqrt, exp, pow ... for double
    (give those a double: on the device they follow the argument's type).
    Fast: amp_fast_expf, amp_fast_sinf ...: float only, a few ulp to 2^-11 relative, for fields where that is
    enough; the device's native functions, and code that vectorises in the CPU loops.

    Contents (search for the tag):
        >>precise  >>extra  >>fast                                                                   */
#ifndef AMP_KERNEL_MATH_H
#define AMP_KERNEL_MATH_H

#include <float.h>
#include <math.h>

#include "view.h"

/* // >>precise
   Kernels never look at errno, the host's own code may. So in a kernel's scope these names are functions that set none,
   which makes sqrtf one instruction in a vectorised loop (N-body: five times faster). gcc's builtins are functions of
   their own, which may be declared const; what clang has are its intrinsics. */
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
    AMP_PRIV_NO_ERRNO_2(AMP_PRIV_NO_ERRNO_DOUBLE_2)
#define AMP_PRIV_FUNCTION_MATH                                                                                         \
    AMP_PRIV_NO_ERRNO_DOUBLE_1(sqrt)                                                                                   \
    AMP_PRIV_NO_ERRNO_1(AMP_PRIV_NO_ERRNO_FLOAT_1) AMP_PRIV_NO_ERRNO_2(AMP_PRIV_NO_ERRNO_FLOAT_2)
#endif

/* The functions that C and OpenCL C share, by number of arguments. */
#define AMP_PRIV_MATH_1(X)                                                                                             \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc)                   \
    X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(ilogb) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb)               \
    X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define AMP_PRIV_MATH_2(X)                                                                                             \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

/* // >>extra
   What C++ AMP has and C's <math.h> has not, in float: amp_rsqrtf(x), amp_sincosf(x, &s, &c), amp_sinpif(x),
   amp_cospif(x), amp_tanpif(x), amp_exp10f(x). The angle functions take half turns.
   Errors: none. Source: precise_math.                                                                 */
static inline float amp_rsqrtf(float x) { return 1.0f / AMP_PRIV_NO_ERRNO_OF(sqrtf)(x); }
static inline double amp_rsqrt(double x) { return 1.0 / AMP_PRIV_NO_ERRNO_OF(sqrt)(x); }
static inline void amp_sincosf(float x, float *s, float *c)
{
    *s = AMP_PRIV_NO_ERRNO_OF(sinf)(x);
    *c = AMP_PRIV_NO_ERRNO_OF(cosf)(x);
}
/* sin(pi x) for x from -1 to 1: folded to a quarter of a turn first, which is exact, so that the zeros are zeros. */
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

/* // >>fast
   amp_fast_<name>f(x) for acos asin atan atan2 cos cosh exp exp2 log log2 log10 pow rsqrt sin sinh sqrt tan tanh.
   On a device: its native functions. In the CPU loops: C's functions, but for those below, which are straight-line
   code that every compiler vectorises on every machine (with AVX-512 an exp costs a seventh to a tenth of C's):
     exp exp2 log: 1.5 ulp     log2 log10: 2.5 ulp     rsqrt: 6e-6, relative     pow: 1e-5, relative, for x > 0
     sin cos: 2.5e-7, absolute; tan is their quotient; NAN from 2^31 on
   Arguments below FLT_MIN count as 0 in log and rsqrt, and so do results of exp. What is infinite or NAN in C is so
   here, but pow(0, 0) and pow of a negative x, which are NAN.
   Errors: none; arguments out of a native function's range give what the device gives. Source: fast_math. */

/* One rounding where the hardware has that, else two; gcc does not fuse a * b + c under -std=c11. */
#if defined(__FP_FAST_FMAF)
#define AMP_PRIV_FMA(a, b, c) __builtin_fmaf(a, b, c)
#else
#define AMP_PRIV_FMA(a, b, c) ((a) * (b) + (c))
#endif
enum { AMP_PRIV_BITS_INFINITY = 0x7f800000, AMP_PRIV_BITS_NAN = 0x7fc00000, AMP_PRIV_BITS_SQRT_HALF = 0x3f3504f3 };
static inline uint32_t amp_priv_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float amp_priv_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* condition ? x : y, by masks: gcc makes a jump of ?: when one side could raise a floating-point exception, and then
   does not vectorise the loop. */
static inline float amp_priv_select(bool condition, float x, float y)
{
    const uint32_t mask = -(uint32_t)condition;
    return amp_priv_from_bits((amp_priv_bits(x) & mask) | (amp_priv_bits(y) & ~mask));
}
/* A half with the sign of x, which added makes rounding towards zero rounding to nearest. */
static inline float amp_priv_half(float x)
{
    return amp_priv_from_bits((amp_priv_bits(x) & 0x80000000u) | 0x3f000000u);
}

/* 2^n e^r for r from -0.35 to 0.35, where that is a normal number; n is added to the exponent. The polynomials here are
   those of the Cephes library. */
static inline float amp_priv_exp(float r, int32_t n)
{
    float p = 1.9875691500e-4f;
    p = AMP_PRIV_FMA(p, r, 1.3981999507e-3f);
    p = AMP_PRIV_FMA(p, r, 8.3334519073e-3f);
    p = AMP_PRIV_FMA(p, r, 4.1665795894e-2f);
    p = AMP_PRIV_FMA(p, r, 1.6666665459e-1f);
    p = AMP_PRIV_FMA(p, r, 5.0000001201e-1f);
    p = AMP_PRIV_FMA(p, r * r, r) + 1.0f;
    return amp_priv_from_bits(amp_priv_bits(p) + ((uint32_t)n << 23));
}
/* What a power of x is where it is neither in range nor a normal number: 0, infinity or NAN. */
static inline float amp_priv_exp_limit(float x)
{
    const float large = amp_priv_from_bits(AMP_PRIV_BITS_INFINITY);
    return amp_priv_select(x < 0.0f, 0.0f, amp_priv_select(x > 0.0f, large, x));
}
static inline float amp_fast_expf(float x)
{
    const bool valid = (x >= -87.3365402f) & (x <= 88.7228317f); /* the logarithms of FLT_MIN and FLT_MAX */
    const float in = amp_priv_select(valid, x, 0.0f);
    const int32_t n = (int32_t)AMP_PRIV_FMA(in, 1.44269504f, amp_priv_half(in));
    const float r = AMP_PRIV_FMA((float)n, 2.12194440e-4f, AMP_PRIV_FMA((float)n, -0.693359375f, in));
    return amp_priv_select(valid, amp_priv_exp(r, n), amp_priv_exp_limit(x));
}
static inline float amp_fast_exp2f(float x)
{
    const bool valid = (x >= -126.0f) & (x < 128.0f);
    const float in = amp_priv_select(valid, x, 0.0f);
    const int32_t n = (int32_t)(in + amp_priv_half(in));
    return amp_priv_select(valid, amp_priv_exp((in - (float)n) * 0.693147181f, n), amp_priv_exp_limit(x));
}
/* x = 2^n (1 + f), where 1 + f is between sqrt(1/2) and sqrt(2). */
static inline float amp_fast_logf(float x)
{
    const uint32_t bits = amp_priv_bits(x) - AMP_PRIV_BITS_SQRT_HALF;
    const float n = (float)((int32_t)bits >> 23);
    const float f = amp_priv_from_bits((bits & 0x7fffffu) + AMP_PRIV_BITS_SQRT_HALF) - 1.0f;
    float p = 7.0376836292e-2f;
    p = AMP_PRIV_FMA(p, f, -1.1514610310e-1f);
    p = AMP_PRIV_FMA(p, f, 1.1676998740e-1f);
    p = AMP_PRIV_FMA(p, f, -1.2420140846e-1f);
    p = AMP_PRIV_FMA(p, f, 1.4249322787e-1f);
    p = AMP_PRIV_FMA(p, f, -1.6668057665e-1f);
    p = AMP_PRIV_FMA(p, f, 2.0000714765e-1f);
    p = AMP_PRIV_FMA(p, f, -2.4999993993e-1f);
    p = AMP_PRIV_FMA(p, f, 3.3333331174e-1f);
    p = AMP_PRIV_FMA(f * f, -0.5f, AMP_PRIV_FMA(p * f, f * f, n * -2.12194440e-4f));
    const float y = AMP_PRIV_FMA(n, 0.693359375f, f + p);
    const uint32_t none = x < 0.0f ? AMP_PRIV_BITS_NAN : 0x80000000u | AMP_PRIV_BITS_INFINITY;
    return amp_priv_select(x <= FLT_MAX, amp_priv_select(x < FLT_MIN, amp_priv_from_bits(none), y), x);
}
static inline float amp_fast_log2f(float x) { return amp_fast_logf(x) * 1.44269504f; }
static inline float amp_fast_log10f(float x) { return amp_fast_logf(x) * 0.434294482f; }
static inline float amp_fast_powf(float x, float y) { return amp_fast_exp2f(y * amp_fast_log2f(x)); }

/* The sine of x + quarter * pi/2. What is left of x after whole quarters of a turn takes more digits than float has. */
static inline float amp_priv_sine(float x, int32_t quarter)
{
    const bool valid = fabsf(x) < 0x1p31f;
    const double in = (double)amp_priv_select(valid, x, 0.0f);
    const int32_t n = (int32_t)(in * 0.63661977236758134 + (double)amp_priv_half(x));
    const float r = (float)(in - (double)n * 1.5707963267948966), square = r * r;
    float sine = -1.9515295891e-4f;
    sine = AMP_PRIV_FMA(sine, square, 8.3321608736e-3f);
    sine = AMP_PRIV_FMA(sine, square, -1.6666654611e-1f);
    sine = AMP_PRIV_FMA(sine * square, r, r);
    float cosine = 2.443315711809948e-5f;
    cosine = AMP_PRIV_FMA(cosine, square, -1.388731625493765e-3f);
    cosine = AMP_PRIV_FMA(cosine, square, 4.166664568298827e-2f);
    cosine = AMP_PRIV_FMA(cosine, square, -0.5f);
    cosine = AMP_PRIV_FMA(cosine, square, 1.0f);
    const uint32_t turned = (uint32_t)(n + quarter);
    const uint32_t bits = amp_priv_bits(amp_priv_select(turned & 1, cosine, sine)) ^ (turned & 2) << 30;
    return amp_priv_select(valid, amp_priv_from_bits(bits), amp_priv_from_bits(AMP_PRIV_BITS_NAN));
}
static inline float amp_fast_sinf(float x) { return amp_priv_sine(x, 0); }
static inline float amp_fast_cosf(float x) { return amp_priv_sine(x, 1); }
static inline float amp_fast_tanf(float x) { return amp_priv_sine(x, 0) / amp_priv_sine(x, 1); }

/* A guess from the exponent, and two steps of Newton's method. */
static inline float amp_fast_rsqrtf(float x)
{
    float y = amp_priv_from_bits(0x5f375a86u - (amp_priv_bits(x) >> 1));
    y *= AMP_PRIV_FMA(-0.5f * x * y, y, 1.5f);
    y *= AMP_PRIV_FMA(-0.5f * x * y, y, 1.5f);
    const uint32_t none = x < 0.0f ? AMP_PRIV_BITS_NAN : AMP_PRIV_BITS_INFINITY;
    y = amp_priv_select(x < FLT_MIN, amp_priv_from_bits(none), y);
    return amp_priv_select(x <= FLT_MAX, y, amp_priv_select(x > 0.0f, 0.0f, x));
}
static inline float amp_fast_sqrtf(float x) { return AMP_PRIV_NO_ERRNO_OF(sqrtf)(x); }
#define AMP_PRIV_FAST_AS_PRECISE(f)                                                                                    \
    static inline float amp_fast_##f(float x)                                                                          \
    {                                                                                                                  \
        return f(x);                                                                                                   \
    }
AMP_PRIV_FAST_AS_PRECISE(acosf)
AMP_PRIV_FAST_AS_PRECISE(asinf)
AMP_PRIV_FAST_AS_PRECISE(atanf)
AMP_PRIV_FAST_AS_PRECISE(coshf)
AMP_PRIV_FAST_AS_PRECISE(sinhf)
AMP_PRIV_FAST_AS_PRECISE(tanhf)
static inline float amp_fast_atan2f(float y, float x) { return atan2f(y, x); }

#endif /* AMP_KERNEL_MATH_H */
