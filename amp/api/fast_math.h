/* SPDX-License-Identifier: MIT */
/*  amp/api/fast_math.h - fast mathematics in kernels

    Contents (search for the tag):
        >>bits  >>exponential  >>angle  >>root  >>hyperbolic  >>inverse */
#ifndef AMP_API_FAST_MATH_H
#define AMP_API_FAST_MATH_H

#include "kernel_math.h"

#include <float.h>

/* amp_fast_acosf(x), amp_fast_asinf(x), amp_fast_atanf(x), amp_fast_atan2f(y, x): inverse angle functions, in
   radians, within 1.5 (acos), 2.5 (asin), 3 and 3.5 ulp on the CPU backend.
   amp_fast_cosf(x), amp_fast_sinf(x), amp_fast_tanf(x): angle functions, within 2.5e-7 on the CPU backend.
   amp_fast_coshf(x), amp_fast_sinhf(x), amp_fast_tanhf(x): hyperbolic functions, within 2, 2 and 1.5 ulp on the CPU
   backend.
   amp_fast_expf(x), amp_fast_exp2f(x): powers of e and of 2, within 1.5 ulp on the CPU backend.
   amp_fast_logf(x), amp_fast_log2f(x), amp_fast_log10f(x): logarithms, within 1.5 (e) and 2.5 ulp on the CPU
   backend.
   amp_fast_powf(x, y): x to the power y, within 1e-5, relative, for x > 0 on the CPU backend.
   amp_fast_rsqrtf(x): 1 / sqrt(x), within 6e-6, relative, on the CPU backend.
   amp_fast_sqrtf(x): the square root.
   In kernels and on the host. Devices use their native functions. On the CPU backend they are straight-line code,
   which every compiler vectorises (with AVX-512 an exp costs a seventh to a tenth of C's, a tanh a seventeenth); the
   square root is the processor's. There, arguments below FLT_MIN count as 0 in log and rsqrt, and so do results of
   exp. sin, cos and tan are NaN from 2^31 on. Infinities and NaN are as in C, but pow(0, 0) and pow of a negative x
   are NaN.
   x, y  floats; angles in radians
   Result: a float.
   Errors: none; out of a native function's range the result is the device's. Blocking: no. Threads: any. Cost: a few
   instructions. Source: fast_math::acosf, asinf and the like. See: amp_fast_exp */

/* // >>bits */

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

/* // >>exponential */

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

/* // >>angle */

/* The sine of x + quarter * pi/2. The rest of x after whole quarter periods needs more digits than float has. */
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

/* // >>root */

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

/* // >>hyperbolic */

static inline float amp_priv_with_sign(float size, float sign)
{
    return amp_priv_from_bits((amp_priv_bits(size) & 0x7fffffffu) | (amp_priv_bits(sign) & 0x80000000u));
}
/* e^x / 2 for x from 0 on, which is in range longer than e^x. */
static inline float amp_priv_half_exp(float x)
{
    const bool valid = x <= 89.4159851f; /* the logarithm of 2 FLT_MAX */
    const float in = amp_priv_select(valid, x, 0.0f);
    const int32_t n = (int32_t)AMP_PRIV_FMA(in, 1.44269504f, 0.5f);
    const float r = AMP_PRIV_FMA((float)n, 2.12194440e-4f, AMP_PRIV_FMA((float)n, -0.693359375f, in));
    return amp_priv_select(valid, amp_priv_exp(r, n - 1), amp_priv_exp_limit(x));
}
static inline float amp_fast_coshf(float x)
{
    const float half = amp_priv_half_exp(fabsf(x));
    return half + 0.25f / half;
}
static inline float amp_fast_sinhf(float x)
{
    const float half = amp_priv_half_exp(fabsf(x)), square = x * x;
    float p = 2.03721912945e-4f;
    p = AMP_PRIV_FMA(p, square, 8.33028376239e-3f);
    p = AMP_PRIV_FMA(p, square, 1.66667160211e-1f);
    p = AMP_PRIV_FMA(p * square, x, x);
    return amp_priv_select(fabsf(x) > 1.0f, amp_priv_with_sign(half - 0.25f / half, x), p);
}
static inline float amp_fast_tanhf(float x)
{
    const float square = x * x, large = 1.0f - 2.0f / (amp_fast_expf(2.0f * fabsf(x)) + 1.0f);
    float p = -5.70498872745e-3f;
    p = AMP_PRIV_FMA(p, square, 2.06390887954e-2f);
    p = AMP_PRIV_FMA(p, square, -5.37397155531e-2f);
    p = AMP_PRIV_FMA(p, square, 1.33314422036e-1f);
    p = AMP_PRIV_FMA(p, square, -3.33332819422e-1f);
    p = AMP_PRIV_FMA(p * square, x, x);
    return amp_priv_select(fabsf(x) >= 0.625f, amp_priv_with_sign(large, x), p);
}

/* // >>inverse */

/* The angle whose tangent is y / x, for y and x from 0 on; y / x is at most tan(3/8 pi). */
static inline float amp_priv_atan(float y, float x)
{
    const bool steep = y > 0.414213562f * x; /* tan(pi/8) */
    const float t = amp_priv_select(steep, y - x, y) / amp_priv_select(steep, y + x, x), square = t * t;
    float p = 8.05374449538e-2f;
    p = AMP_PRIV_FMA(p, square, -1.38776856032e-1f);
    p = AMP_PRIV_FMA(p, square, 1.99777106478e-1f);
    p = AMP_PRIV_FMA(p, square, -3.33329491539e-1f);
    return AMP_PRIV_FMA(p * square, t, t) + amp_priv_select(steep, 0.785398163f, 0.0f);
}
static inline float amp_fast_atan2f(float y, float x)
{
    const float high = fabsf(y), wide = fabsf(x);
    const bool steep = high > wide;
    const float most = amp_priv_select(steep, high, wide), least = amp_priv_select(steep, wide, high);
    const float ratio =
        amp_priv_select((least == most) & (most > 0.0f), 1.0f, least / amp_priv_select(most == 0.0f, 1.0f, most));
    const float ahead = amp_priv_atan(ratio, 1.0f);
    const float up = amp_priv_select(steep, 1.57079633f - ahead, ahead);
    return amp_priv_with_sign(amp_priv_select(amp_priv_bits(x) >> 31, 3.14159265f - up, up), y);
}
static inline float amp_fast_atanf(float x)
{
    const bool steep = fabsf(x) > 1.0f;
    const float ahead = amp_priv_atan(amp_priv_select(steep, 1.0f, fabsf(x)), amp_priv_select(steep, fabsf(x), 1.0f));
    return amp_priv_with_sign(amp_priv_select(steep, 1.57079633f - ahead, ahead), x);
}

/* The arc sine of x up to 1/2, and half of the arc cosine beyond. */
static inline float amp_priv_asin(float x)
{
    const float rest = 0.5f * (1.0f - x), root = AMP_PRIV_NO_ERRNO_OF(sqrtf)(rest);
    const float in = amp_priv_select(x > 0.5f, root, x), square = amp_priv_select(x > 0.5f, rest, x * x);
    float p = 4.2163199048e-2f;
    p = AMP_PRIV_FMA(p, square, 2.4181311049e-2f);
    p = AMP_PRIV_FMA(p, square, 4.5470025998e-2f);
    p = AMP_PRIV_FMA(p, square, 7.4953002686e-2f);
    p = AMP_PRIV_FMA(p, square, 1.6666752422e-1f);
    return AMP_PRIV_FMA(p * square, in, in);
}
static inline float amp_fast_asinf(float x)
{
    const float p = amp_priv_asin(fabsf(x));
    return amp_priv_with_sign(amp_priv_select(fabsf(x) > 0.5f, AMP_PRIV_FMA(-2.0f, p, 1.57079633f), p), x);
}
static inline float amp_fast_acosf(float x)
{
    const float p = amp_priv_asin(fabsf(x));
    const float outside = amp_priv_select(x < 0.0f, AMP_PRIV_FMA(-2.0f, p, 3.14159265f), 2.0f * p);
    return amp_priv_select(fabsf(x) > 0.5f, outside, 1.57079633f - amp_priv_with_sign(p, x));
}

#endif /* AMP_API_FAST_MATH_H */
