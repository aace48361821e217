/* SPDX-License-Identifier: MIT */
/*  amp_math.h - mathematics in kernels, under names that mean the same in C and on the device.

    Precise: C's own names, from <math.h>: sqrtf, expf, powf ... for float, sqrt, exp, pow ... for double
    (give those a double: on the device they follow the argument's type).
    Fast: amp_fast_expf, amp_fast_sinf ...: float only, a few ulp to 2^-11 relative, for fields where that is
    enough; the device's native functions, and vector versions in the CPU loops where the C library has them.

    Contents (search for the tag):
        >>precise  >>extra  >>fast                                                                   */
#ifndef AMP_MATH_H
#define AMP_MATH_H

#include <math.h>

#include "amp_view.h"

/* // >>precise
   Kernels never look at errno. Declaring these functions const says so to the compiler, which then makes sqrtf one
   instruction in a vectorised loop (N-body: five times faster). It holds for the whole file that includes amp.h. */
#define AMP_PRIV_NO_ERRNO __attribute__((const))
#if !defined(__FAST_MATH__)
#define AMP_PRIV_NO_ERRNO_1(name)                                                                                      \
    AMP_PRIV_NO_ERRNO extern double name(double);                                                                      \
    AMP_PRIV_NO_ERRNO extern float name##f(float);
#define AMP_PRIV_NO_ERRNO_2(name)                                                                                      \
    AMP_PRIV_NO_ERRNO extern double name(double, double);                                                              \
    AMP_PRIV_NO_ERRNO extern float name##f(float, float);
AMP_PRIV_NO_ERRNO_1(sqrt)
AMP_PRIV_NO_ERRNO_1(exp)
AMP_PRIV_NO_ERRNO_1(exp2)
AMP_PRIV_NO_ERRNO_1(log)
AMP_PRIV_NO_ERRNO_1(log2)
AMP_PRIV_NO_ERRNO_1(log10)
AMP_PRIV_NO_ERRNO_1(sin)
AMP_PRIV_NO_ERRNO_1(cos)
AMP_PRIV_NO_ERRNO_1(tan)
AMP_PRIV_NO_ERRNO_1(erf)
AMP_PRIV_NO_ERRNO_1(erfc)
AMP_PRIV_NO_ERRNO_2(pow)
AMP_PRIV_NO_ERRNO_2(fmod)
AMP_PRIV_NO_ERRNO_2(hypot)
#endif

/* The functions that C and OpenCL C share, by number of arguments. */
#define AMP_PRIV_MATH_1(X)                                                                                             \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc)                   \
    X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(ilogb) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb)               \
    X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define AMP_PRIV_MATH_2(X)                                                                                             \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define AMP_PRIV_DEVICE_MATH_1(f) "#define " #f "f(x) " #f "((float)(x))\n"
#define AMP_PRIV_DEVICE_MATH_2(f) "#define " #f "f(x, y) " #f "((float)(x), (float)(y))\n"

AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_math[] =
    AMP_PRIV_MATH_1(AMP_PRIV_DEVICE_MATH_1) AMP_PRIV_MATH_2(AMP_PRIV_DEVICE_MATH_2)
    "#define nearbyint(x) rint(x)\n#define nearbyintf(x) rint((float)(x))\n"
    "#define fmaf(x, y, z) fma((float)(x), (float)(y), (float)(z))\n"
    "#define ldexpf(x, n) ldexp((float)(x), n)\n#define frexpf(x, p) frexp((float)(x), p)\n"
    "#define modff(x, p) modf((float)(x), p)\n#define remquof(x, y, p) remquo((float)(x), (float)(y), p)\n"
    "#define scalbnf(x, n) ldexp((float)(x), n)\n#define scalbn(x, n) ldexp(x, n)\n"
    "#define amp_rsqrtf(x) rsqrt((float)(x))\n#define amp_sinpif(x) sinpi((float)(x))\n"
    "#define amp_cospif(x) cospi((float)(x))\n#define amp_tanpif(x) tanpi((float)(x))\n"
    "#define amp_exp10f(x) exp10((float)(x))\n#define amp_rsqrt(x) rsqrt(x)\n"
    "static inline void amp_sincosf(float x, float *s, float *c) { *s = sincos(x, c); }\n"
    "#define amp_fast_acosf(x) acos((float)(x))\n#define amp_fast_asinf(x) asin((float)(x))\n"
    "#define amp_fast_atanf(x) atan((float)(x))\n#define amp_fast_atan2f(x, y) atan2((float)(x), (float)(y))\n"
    "#define amp_fast_coshf(x) cosh((float)(x))\n#define amp_fast_sinhf(x) sinh((float)(x))\n"
    "#define amp_fast_tanhf(x) tanh((float)(x))\n"
    "#define amp_fast_cosf(x) native_cos((float)(x))\n#define amp_fast_sinf(x) native_sin((float)(x))\n"
    "#define amp_fast_tanf(x) native_tan((float)(x))\n#define amp_fast_expf(x) native_exp((float)(x))\n"
    "#define amp_fast_exp2f(x) native_exp2((float)(x))\n#define amp_fast_logf(x) native_log((float)(x))\n"
    "#define amp_fast_log2f(x) native_log2((float)(x))\n#define amp_fast_log10f(x) native_log10((float)(x))\n"
    "#define amp_fast_sqrtf(x) native_sqrt((float)(x))\n#define amp_fast_rsqrtf(x) native_rsqrt((float)(x))\n"
    "#define amp_fast_powf(x, y) native_exp2((float)(y) * native_log2((float)(x)))\n";
AMP_PRIV_LONG_STRINGS_END

/* // >>extra
   What C++ AMP has and C's <math.h> has not, in float: amp_rsqrtf(x), amp_sincosf(x, &s, &c), amp_sinpif(x),
   amp_cospif(x), amp_tanpif(x), amp_exp10f(x). The angle functions take half turns.
   Errors: none. Source: precise_math.                                                                 */
static inline float amp_rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double amp_rsqrt(double x) { return 1.0 / sqrt(x); }
static inline void amp_sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
/* sin(pi x) for x from -1 to 1: folded to a quarter of a turn first, which is exact, so that the zeros are zeros. */
static inline double amp_priv_sinpi(double x)
{
    return sin(3.14159265358979323846 * (x > 0.5 ? 1.0 - x : x < -0.5 ? -1.0 - x : x));
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
static inline float amp_exp10f(float x) { return (float)pow(10.0, (double)x); }

/* // >>fast
   amp_fast_<name>f(x) for acos asin atan atan2 cos cosh exp exp2 log log2 log10 pow rsqrt sin sinh sqrt tan tanh.
   Where the C library has a vector version (glibc's libmvec, with gcc), the CPU loops call that: link with -lm.
   Errors: none; arguments out of a native function's range give what the device gives. Source: fast_math. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 22)
#define AMP_PRIV_VECTOR_MATH __attribute__((const, __simd__("notinbranch")))
#endif
#endif
#ifndef AMP_PRIV_VECTOR_MATH
#define AMP_PRIV_VECTOR_MATH __attribute__((const))
#endif
/* A second declaration of the library's function, so that the user's own calls of expf stay as they are. */
#define AMP_PRIV_FAST_1(f)                                                                                             \
    AMP_PRIV_VECTOR_MATH extern float amp_priv_vector_##f(float) __asm__(#f);                                          \
    static inline float amp_fast_##f(float x)                                                                          \
    {                                                                                                                  \
        return amp_priv_vector_##f(x);                                                                                 \
    }
AMP_PRIV_FAST_1(sinf)
AMP_PRIV_FAST_1(cosf)
AMP_PRIV_FAST_1(expf)
AMP_PRIV_FAST_1(logf)
AMP_PRIV_VECTOR_MATH extern float amp_priv_vector_powf(float, float) __asm__("powf");
static inline float amp_fast_powf(float x, float y) { return amp_priv_vector_powf(x, y); }
static inline float amp_fast_exp2f(float x) { return amp_fast_expf(x * 0.693147181f); }
static inline float amp_fast_log2f(float x) { return amp_fast_logf(x) * 1.44269504f; }
static inline float amp_fast_log10f(float x) { return amp_fast_logf(x) * 0.434294482f; }
static inline float amp_fast_tanf(float x) { return amp_fast_sinf(x) / amp_fast_cosf(x); }
static inline float amp_fast_sqrtf(float x) { return sqrtf(x); }
static inline float amp_fast_rsqrtf(float x) { return 1.0f / sqrtf(x); }
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

#endif /* AMP_MATH_H */
