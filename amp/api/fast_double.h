/* SPDX-License-Identifier: MIT */
/*  amp/api/fast_double.h - fast mathematics in kernels: the functions of double

    Contents (search for the tag):
        >>words  >>powers  >>logarithms  >>angles  >>hyperbolic  >>inverse  >>devices */
#ifndef AMP_API_FAST_DOUBLE_H
#define AMP_API_FAST_DOUBLE_H

#include "fast_math.h"

/* amp_fast_acos(x), amp_fast_asin(x), amp_fast_atan(x), amp_fast_atan2(y, x): inverse angle functions, in radians,
   within 1.5 (acos), 2.5 (asin, atan) and 3 ulp on the CPU backend.
   amp_fast_cos(x), amp_fast_sin(x), amp_fast_tan(x): angle functions, within 2.5e-16 and 5 ulp (tan) on the CPU
   backend.
   amp_fast_cosh(x), amp_fast_sinh(x), amp_fast_tanh(x): hyperbolic functions, within 2, 3 and 3 ulp on the CPU
   backend.
   amp_fast_exp(x), amp_fast_exp2(x): powers of e and of 2, within 1.5 ulp on the CPU backend.
   amp_fast_log(x), amp_fast_log2(x), amp_fast_log10(x): logarithms, within 1.5 (e) and 2.5 ulp on the CPU backend.
   amp_fast_pow(x, y): x to the power y, within 1e-12, relative, for x > 0 on the CPU backend.
   In kernels and on the host. Devices use their precise functions of double. On the CPU backend they are straight-line
   code, which every compiler vectorises. There, arguments below DBL_MIN count as 0 in log, and so do results of exp.
   sin, cos and tan are NaN from 2^31 on. Infinities and NaN are as in C, but pow(0, 0) and pow of a negative x are NaN.
   sqrt and amp_rsqrt are fast as they are. Where no vectors are made (gcc -O2), C's functions take a third of the
   time to 1.3 times as long.
   x, y  doubles; angles in radians
   Result: a double.
   Errors: none. Blocking: no. Threads: any. Cost: some ten instructions. Source: none; C++ AMP's fast_math has the
   functions of float. See: amp_fast_expf */

/* // >>words */

/* gcc leaves functions of this size as calls, which keep a loop from becoming vectors. */
#define AMP_PRIV_STRAIGHT __attribute__((always_inline, unused)) static inline

/* As AMP_PRIV_FMA. */
#if defined(__FP_FAST_FMA)
#define AMP_PRIV_FMA_DOUBLE(a, b, c) __builtin_fma(a, b, c)
#else
#define AMP_PRIV_FMA_DOUBLE(a, b, c) ((a) * (b) + (c))
#endif
#define AMP_PRIV_WORD_SIGN      0x8000000000000000u
#define AMP_PRIV_WORD_INFINITY  0x7ff0000000000000u
#define AMP_PRIV_WORD_NAN       0x7ff8000000000000u
#define AMP_PRIV_WORD_ONE       0x3ff0000000000000u
#define AMP_PRIV_WORD_SQRT_HALF 0x3fe6a09e667f3bcdu
AMP_PRIV_STRAIGHT uint64_t amp_priv_word(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}
AMP_PRIV_STRAIGHT double amp_priv_from_word(uint64_t word)
{
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}
/* As amp_priv_select. */
AMP_PRIV_STRAIGHT double amp_priv_choose(bool condition, double x, double y)
{
    const uint64_t mask = -(uint64_t)condition;
    return amp_priv_from_word((amp_priv_word(x) & mask) | (amp_priv_word(y) & ~mask));
}
AMP_PRIV_STRAIGHT double amp_priv_signed(double size, double sign)
{
    return amp_priv_from_word((amp_priv_word(size) & ~AMP_PRIV_WORD_SIGN) | (amp_priv_word(sign) & AMP_PRIV_WORD_SIGN));
}
/* x, below 2^31 in size, rounded to an integer; *integer is its two's complement. Few processors convert vectors of 64
   bits. So a sum that has no digits for a fraction rounds, where the compiler keeps it as it is. */
AMP_PRIV_STRAIGHT double amp_priv_rounded(double x, uint64_t *integer)
{
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2
    const int32_t n = (int32_t)(x + amp_priv_signed(0.5, x));
    *integer = (uint64_t)(int64_t)n;
    return (double)n;
#else
    const double sum = x + 0x1.8p52;
    *integer = amp_priv_word(sum); /* its low half */
    return sum - 0x1.8p52;
#endif
}

/* // >>powers. The polynomials here are near the best of their degree: interpolation at Chebyshev's points. Long
   ones are sums of shorter ones, which do not wait for each other. */

/* e^r - 1 for r from -0.35 to 0.35. */
AMP_PRIV_STRAIGHT double amp_priv_exp_less_one(double r)
{
    const double r2 = r * r, r4 = r2 * r2;
    const double low = AMP_PRIV_FMA_DOUBLE(AMP_PRIV_FMA_DOUBLE(0.008333333333330039, r, 0.041666666666623824), r2,
                                           AMP_PRIV_FMA_DOUBLE(0.16666666666666669, r, 0.5000000000000001));
    const double high = AMP_PRIV_FMA_DOUBLE(AMP_PRIV_FMA_DOUBLE(2.7557268276905696e-06, r, 2.4801521057868204e-05), r2,
                                            AMP_PRIV_FMA_DOUBLE(0.00019841269863171557, r, 0.0013888888917367081));
    const double p = AMP_PRIV_FMA_DOUBLE(2.5100472505694996e-08, r, 2.7620201591031547e-07);
    return AMP_PRIV_FMA_DOUBLE(AMP_PRIV_FMA_DOUBLE(AMP_PRIV_FMA_DOUBLE(p, r4, high), r4, low), r2, r);
}
/* x - n log(2), where n is x / log(2), rounded. */
AMP_PRIV_STRAIGHT double amp_priv_exp_rest(double x, double n)
{
    return AMP_PRIV_FMA_DOUBLE(n, -1.4286068203094172e-06, AMP_PRIV_FMA_DOUBLE(n, -0.693145751953125, x));
}
/* What a power of x is where it is neither in range nor a normal number: 0, infinity or NAN. */
AMP_PRIV_STRAIGHT double amp_priv_exp_end(double x)
{
    const double large = amp_priv_from_word(AMP_PRIV_WORD_INFINITY);
    return amp_priv_choose(x < 0.0, 0.0, amp_priv_choose(x > 0.0, large, x));
}
AMP_PRIV_STRAIGHT double amp_fast_exp(double x)
{
    const bool valid = (x >= -708.3964185322641) & (x <= 709.782712893384); /* the logarithms of DBL_MIN and DBL_MAX */
    const double in = amp_priv_choose(valid, x, 0.0);
    uint64_t n;
    const double r = amp_priv_exp_rest(in, amp_priv_rounded(in * 1.4426950408889634, &n));
    const double power = amp_priv_from_word(amp_priv_word(1.0 + amp_priv_exp_less_one(r)) + (n << 52));
    return amp_priv_choose(valid, power, amp_priv_exp_end(x));
}
AMP_PRIV_STRAIGHT double amp_fast_exp2(double x)
{
    const bool valid = (x >= -1022.0) & (x < 1024.0);
    const double in = amp_priv_choose(valid, x, 0.0);
    uint64_t n;
    const double r = (in - amp_priv_rounded(in, &n)) * 0.6931471805599453;
    const double power = amp_priv_from_word(amp_priv_word(1.0 + amp_priv_exp_less_one(r)) + (n << 52));
    return amp_priv_choose(valid, power, amp_priv_exp_end(x));
}

/* // >>logarithms */

/* x = 2^n (1 + f), where 1 + f is between sqrt(1/2) and sqrt(2). */
AMP_PRIV_STRAIGHT double amp_fast_log(double x)
{
    const uint64_t word = amp_priv_word(x) + (AMP_PRIV_WORD_ONE - AMP_PRIV_WORD_SQRT_HALF);
    const double n = amp_priv_from_word(word >> 52 | amp_priv_word(0x1p52)) - (0x1p52 + 1023.0);
    const double f = amp_priv_from_word((word & 0xfffffffffffffu) + AMP_PRIV_WORD_SQRT_HALF) - 1.0;
    const double s = f / (2.0 + f), square = s * s, half = 0.5 * f * f;
    double p = 0.1461916613488797;
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.1533150161114533);
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.18182895750119193);
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.22222211043776857);
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.2857142862653362);
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.3999999999989827);
    p = AMP_PRIV_FMA_DOUBLE(p, square, 0.666666666666667);
    const double tail = AMP_PRIV_FMA_DOUBLE(s, AMP_PRIV_FMA_DOUBLE(p, square, half), n * 1.90821492927058770002e-10);
    const double y = AMP_PRIV_FMA_DOUBLE(n, 6.93147180369123816490e-01, f - (half - tail));
    const double none = amp_priv_from_word(x < 0.0 ? AMP_PRIV_WORD_NAN : AMP_PRIV_WORD_SIGN | AMP_PRIV_WORD_INFINITY);
    return amp_priv_choose(x <= DBL_MAX, amp_priv_choose(x < DBL_MIN, none, y), x);
}
AMP_PRIV_STRAIGHT double amp_fast_log2(double x) { return amp_fast_log(x) * 1.4426950408889634; }
AMP_PRIV_STRAIGHT double amp_fast_log10(double x) { return amp_fast_log(x) * 0.4342944819032518; }
AMP_PRIV_STRAIGHT double amp_fast_pow(double x, double y) { return amp_fast_exp2(y * amp_fast_log2(x)); }

/* // >>angles */

/* x - n pi/2. Without a fused multiply-add the products have to be exact: parts of pi/2 with 22 digits. */
AMP_PRIV_STRAIGHT double amp_priv_angle_rest(double x, double n)
{
#if defined(__FP_FAST_FMA)
    return AMP_PRIV_FMA_DOUBLE(n, -6.123233995736766e-17, AMP_PRIV_FMA_DOUBLE(n, -1.5707963267948966, x));
#else
    return x - n * 0x1.921fb0p+0 - n * 0x1.5110b0p-22 - n * 0x1.184698p-44 - n * 0x1.3198a2e037073p-69;
#endif
}
/* The sine of x + quarter * pi/2. */
AMP_PRIV_STRAIGHT double amp_priv_sine_of(double x, uint64_t quarter)
{
    const bool valid = fabs(x) < 0x1p31;
    const double in = amp_priv_choose(valid, x, 0.0);
    uint64_t n;
    const double r = amp_priv_angle_rest(in, amp_priv_rounded(in * 0.6366197723675814, &n)), square = r * r;
    double sine = 1.5917848524808262e-10;
    sine = AMP_PRIV_FMA_DOUBLE(sine, square, -2.5051127944014188e-08);
    sine = AMP_PRIV_FMA_DOUBLE(sine, square, 2.755731608381636e-06);
    sine = AMP_PRIV_FMA_DOUBLE(sine, square, -0.00019841269836722418);
    sine = AMP_PRIV_FMA_DOUBLE(sine, square, 0.008333333333330925);
    sine = AMP_PRIV_FMA_DOUBLE(sine, square, -0.16666666666666666);
    sine = AMP_PRIV_FMA_DOUBLE(sine * square, r, r);
    double cosine = -1.1382456778061306e-11;
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square, 2.0876143827993133e-09);
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square, -2.7557317260008837e-07);
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square, 2.480158729874307e-05);
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square, -0.0013888888888887382);
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square, 0.041666666666666664);
    cosine = AMP_PRIV_FMA_DOUBLE(cosine, square * square, AMP_PRIV_FMA_DOUBLE(square, -0.5, 1.0));
    const uint64_t turned = n + quarter;
    const uint64_t word = amp_priv_word(amp_priv_choose(turned & 1, cosine, sine)) ^ (turned & 2) << 62;
    return amp_priv_choose(valid, amp_priv_from_word(word), amp_priv_from_word(AMP_PRIV_WORD_NAN));
}
AMP_PRIV_STRAIGHT double amp_fast_sin(double x) { return amp_priv_sine_of(x, 0); }
AMP_PRIV_STRAIGHT double amp_fast_cos(double x) { return amp_priv_sine_of(x, 1); }
AMP_PRIV_STRAIGHT double amp_fast_tan(double x) { return amp_priv_sine_of(x, 0) / amp_priv_sine_of(x, 1); }

/* // >>hyperbolic */

/* For x from 0 on: *power is e^x / 4, and the result is (e^x - 1) / 4, which are in range longer than e^x. */
AMP_PRIV_STRAIGHT double amp_priv_quarter_exp(double x, double *power)
{
    const bool valid = x <= 710.475860073944; /* the logarithm of 2 DBL_MAX */
    const double in = amp_priv_choose(valid, x, 0.0);
    uint64_t n;
    const double part = amp_priv_exp_less_one(amp_priv_exp_rest(in, amp_priv_rounded(in * 1.4426950408889634, &n)));
    const double scale = amp_priv_from_word(AMP_PRIV_WORD_ONE + ((n - 2) << 52));
    *power = amp_priv_choose(valid, AMP_PRIV_FMA_DOUBLE(part, scale, scale), amp_priv_exp_end(x));
    return amp_priv_choose(valid, AMP_PRIV_FMA_DOUBLE(part, scale, scale - 0.25), amp_priv_exp_end(x));
}
AMP_PRIV_STRAIGHT double amp_fast_cosh(double x)
{
    double power;
    amp_priv_quarter_exp(fabs(x), &power);
    return 2.0 * power + 0.125 / power;
}
/* With e = e^x - 1 it is (e + e / (e + 1)) / 2. */
AMP_PRIV_STRAIGHT double amp_fast_sinh(double x)
{
    double power;
    const double less = amp_priv_quarter_exp(fabs(x), &power);
    const double more = amp_priv_choose(power < 0x1p100, 0.5 * (less / power), 0.5);
    return amp_priv_signed(2.0 * less + more, x);
}
/* With e = e^2x - 1 it is e / (e + 2). */
AMP_PRIV_STRAIGHT double amp_fast_tanh(double x)
{
    double power;
    const double size = fabs(x), less = amp_priv_quarter_exp(2.0 * amp_priv_choose(size > 20.0, 20.0, size), &power);
    return amp_priv_signed(less / (less + 0.5), x);
}

/* // >>inverse */

/* The angle whose tangent is y / x, for y and x from 0 on; y / x is at most tan(3/8 pi). */
AMP_PRIV_STRAIGHT double amp_priv_angle(double y, double x)
{
    const bool steep = y > 0.41421356237309503 * x; /* tan(pi/8) */
    const double t = amp_priv_choose(steep, y - x, y) / amp_priv_choose(steep, y + x, x), square = t * t;
    const double fourth = square * square;
    double even = -0.019147248964611764;
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, -0.05084610357631765);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, -0.06664492945806264);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, -0.0909090452147169);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, -0.14285714284649173);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, -0.3333333333333333);
    double odd = 0.03920743321261196;
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.05857988350245762);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.07692181876036845);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.11111111013860688);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.19999999999995438);
    const double p = AMP_PRIV_FMA_DOUBLE(odd, square, even);
    return AMP_PRIV_FMA_DOUBLE(p * square, t, t) + amp_priv_choose(steep, 0.7853981633974483, 0.0);
}
AMP_PRIV_STRAIGHT double amp_fast_atan2(double y, double x)
{
    const double high = fabs(y), wide = fabs(x);
    const bool steep = high > wide;
    const double most = amp_priv_choose(steep, high, wide), least = amp_priv_choose(steep, wide, high);
    const double ratio =
        amp_priv_choose((least == most) & (most > 0.0), 1.0, least / amp_priv_choose(most == 0.0, 1.0, most));
    const double ahead = amp_priv_angle(ratio, 1.0);
    const double up = amp_priv_choose(steep, 1.5707963267948966 - ahead, ahead);
    return amp_priv_signed(amp_priv_choose(amp_priv_word(x) >> 63, 3.141592653589793 - up, up), y);
}
AMP_PRIV_STRAIGHT double amp_fast_atan(double x)
{
    const double size = fabs(x);
    const bool steep = size > 1.0;
    const double ahead = amp_priv_angle(amp_priv_choose(steep, 1.0, size), amp_priv_choose(steep, size, 1.0));
    return amp_priv_signed(amp_priv_choose(steep, 1.5707963267948966 - ahead, ahead), x);
}

/* The arc sine of x up to 1/2, and half of the arc cosine beyond. */
AMP_PRIV_STRAIGHT double amp_priv_arc_sine(double x)
{
    const double rest = 0.5 * (1.0 - x), root = AMP_PRIV_NO_ERRNO_OF(sqrt)(rest);
    const double in = amp_priv_choose(x > 0.5, root, x), square = amp_priv_choose(x > 0.5, rest, x * x);
    const double fourth = square * square;
    double even = 0.02877844261259304;
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.017419357964884856);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.010324318288744113);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.013971235301124539);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.022372173002005596);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.04464285714637338);
    even = AMP_PRIV_FMA_DOUBLE(even, fourth, 0.16666666666666669);
    double odd = -0.014881409392818066;
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.00545087818772055);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.011478952690257387);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.017352391265909227);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.030381944137085216);
    odd = AMP_PRIV_FMA_DOUBLE(odd, fourth, 0.07499999999998425);
    const double p = AMP_PRIV_FMA_DOUBLE(odd, square, even);
    return AMP_PRIV_FMA_DOUBLE(p * square, in, in);
}
AMP_PRIV_STRAIGHT double amp_fast_asin(double x)
{
    const double p = amp_priv_arc_sine(fabs(x));
    return amp_priv_signed(amp_priv_choose(fabs(x) > 0.5, AMP_PRIV_FMA_DOUBLE(-2.0, p, 1.5707963267948966), p), x);
}
AMP_PRIV_STRAIGHT double amp_fast_acos(double x)
{
    const double p = amp_priv_arc_sine(fabs(x));
    const double outside = amp_priv_choose(x < 0.0, AMP_PRIV_FMA_DOUBLE(-2.0, p, 3.141592653589793), 2.0 * p);
    return amp_priv_choose(fabs(x) > 0.5, outside, 1.5707963267948966 - amp_priv_signed(p, x));
}

/* // >>devices */

/* The functions of one argument, and the text that a device has for all: its own functions of double. */
#define AMP_PRIV_FAST_DOUBLE_1(X)                                                                                      \
    X(acos) X(asin) X(atan) X(cos) X(cosh) X(exp) X(exp2) X(log) X(log10) X(log2) X(sin) X(sinh) X(tan) X(tanh)
#define AMP_PRIV_FAST_DOUBLE_OF(f) "#define amp_fast_" #f "(x) " #f "((double)(x))\n"
#define AMP_PRIV_FAST_DOUBLE_TEXT                                                                                      \
    AMP_PRIV_FAST_DOUBLE_1(AMP_PRIV_FAST_DOUBLE_OF)                                                                    \
    "#define amp_fast_atan2(y, x) atan2((double)(y), (double)(x))\n"                                                   \
    "#define amp_fast_pow(x, y) pow((double)(x), (double)(y))\n"

#endif /* AMP_API_FAST_DOUBLE_H */
