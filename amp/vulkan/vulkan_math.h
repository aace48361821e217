/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_math.h - functions that clspv's library has wrong, in OpenCL C

    clspv crashes at atan2 of double. Its asin, atan, erf, expm1, sin and tan of double lose the sign of -0, its cbrt of
    double takes infinity for a number, tgamma is off by up to 285 ulp, and lgamma has the wrong infinity of -infinity.
    On lavapipe rint and trunc of double lose the sign of -0, and rint rounds 1.5 down.
    Its pow of double is wrong where y log(x) is large; exp, sinh, cosh, pow, fmod and remainder of double need an fma
    of one rounding, which not all devices have.
    Each function is there for float and double, and a macro gives it C's name. */
#ifndef AMP_VULKAN_VULKAN_MATH_H
#define AMP_VULKAN_VULKAN_MATH_H

/* Texts of programs keep their lines: */
/* clang-format off */

#define AMP_PRIV_VULKAN_MATH(type, f, parameters) \
    "static inline __attribute__((overloadable)) " type " amp_priv_right_" f "(" parameters ")"
#define AMP_PRIV_VULKAN_NAME(f) "#define " f "(...) amp_priv_right_" f "(__VA_ARGS__)\n"

/* Of double, where the program has it; of float it is clspv's. */
#define AMP_PRIV_VULKAN_DOUBLE_1(f, body)                                                                              \
    "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_MATH("float", f, "float x") " { return " f "(x); }\n"               \
    AMP_PRIV_VULKAN_MATH("double", f, "double x") " { return " body "; }\n" AMP_PRIV_VULKAN_NAME(f) "#endif\n"

#define AMP_PRIV_VULKAN_ZERO(f) { f, AMP_PRIV_VULKAN_DOUBLE_1(f, "x == 0 ? x : " f "(x)") }

/* By the quotient, in the right quadrant, with the sign of y. */
#define AMP_PRIV_VULKAN_ATAN2                                                                                          \
    "#ifdef amp_priv_has_double\n"                                                                                     \
    AMP_PRIV_VULKAN_MATH("float", "atan2", "float y, float x") " { return atan2(y, x); }\n"                            \
    AMP_PRIV_VULKAN_MATH("double", "atan2", "double y, double x") "\n{\n"                                              \
    "const double a = fabs(x), b = fabs(y), pi = 3.14159265358979323846, rest = 1.2246467991473532e-16;\n"             \
    "const int back = as_long(x) < 0;\nif (isnan(x) || isnan(y)) return x + y;\n"                                      \
    "double angle = b == 0 ? 0 : a == b ? pi / 4 : a == 0 ? pi / 2 : atan(b / a);\n"                                   \
    "if (back) angle = pi - (angle - rest);\n"                                                                         \
    "return as_double(as_ulong(angle) | (as_ulong(y) & 0x8000000000000000UL));\n}\n"                                   \
    AMP_PRIV_VULKAN_NAME("atan2") "#endif\n"

/* A sum of a larger number and a smaller one, and a product, as two numbers: the upper bits, and the rest. Masks of
   bits separate them, since compilers simplify (a + b) - a. No fma: not all devices round it once. */
#define AMP_PRIV_VULKAN_TWO(T, bits, mask)                                                                             \
    "static inline __attribute__((overloadable)) " T "2 amp_priv_two(" T " a, " T " b)\n{\n"                           \
    "const " T " upper = as_" T "(as_" bits "(a + b) & " mask ");\nreturn (" T "2)(upper, a - upper + b);\n}\n"        \
    "static inline __attribute__((overloadable)) " T "2 amp_priv_product(" T " a, " T " b)\n{\n"                       \
    "const " T " c = as_" T "(as_" bits "(a) & " mask "), d = as_" T "(as_" bits "(b) & " mask ");\n"                  \
    "return amp_priv_two(c * d, c * (b - d) + (a - c) * d + (a - c) * (b - d));\n}\n"
#define AMP_PRIV_VULKAN_PAIRS                                                                                          \
    "#ifndef amp_priv_has_pairs\n#define amp_priv_has_pairs\n" AMP_PRIV_VULKAN_TWO("float", "uint", "0xfffff000U")     \
    "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_TWO("double", "ulong", "0xfffffffff8000000UL") "#endif\n#endif\n"

/* Of numbers of double; float's is clspv's. */
#define AMP_PRIV_VULKAN_DOUBLE(f, parameters, arguments, before, body)                                                 \
    "#if defined(amp_priv_has_double) && !defined(" f ")\n" before                                                     \
    AMP_PRIV_VULKAN_MATH("float", f, "float x" parameters("float")) " { return " f "(" arguments "); }\n"              \
    AMP_PRIV_VULKAN_MATH("double", f, "double x" parameters("double")) "\n{\n" body "}\n"                              \
    AMP_PRIV_VULKAN_NAME(f) "#endif\n"
#define AMP_PRIV_VULKAN_X(T)  ""
#define AMP_PRIV_VULKAN_XY(T) ", " T " y"

/* By floor, which is right, and the sign of x. */
#define AMP_PRIV_VULKAN_WHOLE(f, whole)                                                                                \
    AMP_PRIV_VULKAN_DOUBLE(f, AMP_PRIV_VULKAN_X, "x", "",                                                              \
                           "const double a = fabs(x), b = floor(a);\n"                                                 \
                           "return as_double(as_ulong(" whole ") | (as_ulong(x) & 0x8000000000000000UL));\n")
#define AMP_PRIV_VULKAN_RINT \
    AMP_PRIV_VULKAN_WHOLE("rint", "a - b > 0.5 || (a - b == 0.5 && floor(b * 0.5) * 2 != b) ? b + 1 : b")

/* The exponential of high + low, times 2 to the power: a series, after a multiple of ln(2) is subtracted. The masked m
   equals n; it prevents compilers from adding the parts of ln(2). */
#define AMP_PRIV_VULKAN_POWER                                                                                          \
    "#ifndef amp_priv_has_power\n#define amp_priv_has_power\n"                                                         \
    "static inline double amp_priv_power(double high, double low, int power)\n{\n"                                     \
    "if (high > 711) return INFINITY;\nif (high < -746) return 0;\n"                                                   \
    "const double n = floor(high * 1.4426950408889634 + 0.5);\n"                                                       \
    "const double m = as_double(as_ulong(n) & 0xfffffffff8000000UL), near = high - n * 6.93147180369123816490e-01;\n"  \
    "const double upper = as_double(as_ulong(near) & 0xfffffffff8000000UL);\n"                                         \
    "const double x = upper + (near - upper + (low - m * 1.90821492927058770002e-10));\n"                              \
    "double sum = 1;\n#pragma unroll\nfor (int i = 14; i > 0; i--) sum = 1 + x * (sum * (1.0 / i));\n"                 \
    "const int all = (int)n + power, first = all / 2;\n"                                                               \
    "return sum * as_double((long)(first + 1023) << 52) * as_double((long)(all - first + 1023) << 52);\n}\n#endif\n"
#define AMP_PRIV_VULKAN_EXP \
    AMP_PRIV_VULKAN_DOUBLE("exp", AMP_PRIV_VULKAN_X, "x", AMP_PRIV_VULKAN_POWER, "return amp_priv_power(x, 0, 0);\n")
#define AMP_PRIV_VULKAN_COSH                                                                                           \
    AMP_PRIV_VULKAN_DOUBLE("cosh", AMP_PRIV_VULKAN_X, "x", AMP_PRIV_VULKAN_POWER,                                      \
                           "const double upper = amp_priv_power(fabs(x), 0, -1);\nreturn upper + 0.25 / upper;\n")
#define AMP_PRIV_VULKAN_SINH                                                                                           \
    AMP_PRIV_VULKAN_DOUBLE("sinh", AMP_PRIV_VULKAN_X, "x", AMP_PRIV_VULKAN_POWER,                                      \
                           "if (fabs(x) < 1) return x == 0 ? x : sinh(x);\n"                                           \
                           "const double upper = amp_priv_power(fabs(x), 0, -1), sum = upper - 0.25 / upper;\n"        \
                           "return x < 0 ? -sum : sum;\n")

/* The logarithm of a positive number as two numbers, by the series of (m - 1) / (m + 1). */
#define AMP_PRIV_VULKAN_LOG                                                                                            \
    "static inline double2 amp_priv_log(double x)\n{\n"                                                                \
    "const int tiny = x < 2.2250738585072014e-308;\nconst ulong bits = as_ulong(tiny ? x * 0x1p54 : x);\n"             \
    "double m = as_double((bits & 0xfffffffffffffUL) | 0x3ff0000000000000UL);\n"                                       \
    "double e = (int)(bits >> 52) - 1023 - (tiny ? 54 : 0);\nif (m > 1.4142135623730951) { m *= 0.5; e += 1; }\n"      \
    "const double s = (m - 1) / (m + 1);\n"                                                                            \
    "const double2 below = amp_priv_two(m, 1.0), back = amp_priv_product(s, below.x);\n"                               \
    "const double rest = (m - 1 - back.x - back.y - s * below.y) / below.x;\n"                                         \
    "const double2 square = amp_priv_product(s, s);\nconst double z = square.x + square.y;\ndouble series = 0;\n"      \
    "#pragma unroll\nfor (int i = 25; i > 3; i -= 2) series = series * z + 1.0 / i;\n"                                 \
    "double2 third = amp_priv_product(square.x, 0.33333333333333331);\n"                                               \
    "third.y += square.x * 1.8503717077085943e-17 + (square.y + 2 * s * rest) / 3 + z * z * series;\n"                 \
    "const double2 cube = amp_priv_product(s, third.x), odd = amp_priv_two(s, cube.x);\n"                              \
    "const double2 sum = amp_priv_two(e * 6.93147180369123816490e-01, 2 * odd.x);\n"                                   \
    "return (double2)(sum.x, sum.y + 2 * (odd.y + cube.y + s * third.y + rest * third.x + rest)"                       \
    " + e * 1.90821492927058770002e-10);\n}\n"
#define AMP_PRIV_VULKAN_POW                                                                                            \
    AMP_PRIV_VULKAN_PAIRS                                                                                              \
    AMP_PRIV_VULKAN_DOUBLE(                                                                                            \
        "pow", AMP_PRIV_VULKAN_XY, "x, y", AMP_PRIV_VULKAN_POWER AMP_PRIV_VULKAN_LOG,                                  \
        "if (y == 0 || x == 1) return 1;\nif (isnan(x) || isnan(y)) return x + y;\n"                                   \
        "const double a = fabs(x);\nconst int whole = floor(y) == y, odd = whole && floor(y * 0.5) * 2 != y;\n"        \
        "double power = a == 1 ? 1 : (a < 1) == (y < 0) ? (double)INFINITY : 0;\n"                                     \
        "if (x < 0 && a < INFINITY && !whole) return NAN;\n"                                                           \
        "if (a > 0 && a < INFINITY && fabs(y) < INFINITY) {\n"                                                         \
        "const double2 log = amp_priv_log(a);\n"                                                                       \
        "if (fabs(y * log.x) < 800) {\nconst double2 product = amp_priv_product(log.x, y);\n"                          \
        "power = amp_priv_power(product.x, product.y + y * log.y, 0);\n}\n}\n"                                         \
        "return odd && as_long(x) < 0 ? -power : power;\n")

/* The remainder of integers, eleven bits of the quotient at a time. That by twice the divisor has its last bit. */
#define AMP_PRIV_VULKAN_FMOD                                                                                           \
    AMP_PRIV_VULKAN_DOUBLE(                                                                                            \
        "fmod", AMP_PRIV_VULKAN_XY, "x, y", "",                                                                        \
        "if (!(fabs(x) < INFINITY) || isnan(y) || y == 0) return NAN;\n"                                               \
        "ulong a = as_ulong(fabs(x)), b = as_ulong(fabs(y));\nconst ulong sign = as_ulong(x) ^ a, one = 1UL << 52;\n"  \
        "if (a < b) return x;\nint e = max((int)(a >> 52), 1);\nconst int to = max((int)(b >> 52), 1);\n"              \
        "a = a < one ? a : (a & (one - 1)) | one;\nb = b < one ? b : (b & (one - 1)) | one;\na %= b;\n"                \
        "while (e > to && a) {\nconst int step = min(e - to, 11);\na = (a << step) % b;\ne -= step;\n}\n"              \
        "if (!a) return as_double(sign);\nconst int up = min((int)clz(a) - 11, to - 1);\na <<= up;\n"                  \
        "return as_double(sign | (a < one ? a : (a - one) | (ulong)(to - up) << 52));\n")
#define AMP_PRIV_VULKAN_REMAINDER                                                                                      \
    AMP_PRIV_VULKAN_FMOD                                                                                               \
    AMP_PRIV_VULKAN_DOUBLE(                                                                                            \
        "remainder", AMP_PRIV_VULKAN_XY, "x, y", "",                                                                   \
        "const double b = fabs(y);\nconst int small = b < 0x1p-1000;\n"                                                \
        "double a = fabs(fmod(x, b < 0x1p1023 ? 2 * b : b));\nif (y == 0 || isnan(x + y)) return NAN;\n"               \
        "if (small ? a + a > b : a > 0.5 * b) {\na -= b;\nif (small ? a + a >= b : a >= 0.5 * b) a -= b;\n}\n"         \
        "return as_double(as_ulong(a) ^ (as_ulong(x) & 0x8000000000000000UL));\n")

/* gamma(x) = (x - 1) gamma(x - 1), from the number nearest to 1, whose value is the inverse of a series. All factors
   are exact; `rest` is the sum of the product's errors. Above `last` the result is infinite. */
#define AMP_PRIV_VULKAN_GAMMA(T, last)                                                                                 \
    AMP_PRIV_VULKAN_MATH(T, "tgamma", T " x") "\n{\n"                                                                  \
    "if (x > " last ") return x * (" T ")INFINITY;\nif (isnan(x) || (x < 0 && floor(x) == x)) return (" T ")NAN;\n"    \
    "if (x < -184) return 0;\nif (fabs(x) < (" T ")1e-20) return 1 / x;\n"                                             \
    "const " T " whole = floor(x + (" T ")0.5), t = x - whole;\n" T " below = (" T ")5.104149841716327621e-9;\n"       \
    AMP_PRIV_VULKAN_TERM(T, "4.9395801335238494666e-9") AMP_PRIV_VULKAN_TERM(T, "-2.056750434568255084e-7")            \
    AMP_PRIV_VULKAN_TERM(T, "1.1335045480626792821e-6") AMP_PRIV_VULKAN_TERM(T, "-1.2504847964927159702e-6")           \
    AMP_PRIV_VULKAN_TERM(T, "-0.000020134955685039601255") AMP_PRIV_VULKAN_TERM(T, "0.00012805028137226991882")        \
    AMP_PRIV_VULKAN_TERM(T, "-0.00021524166229467654421") AMP_PRIV_VULKAN_TERM(T, "-0.0011651675917944974704")         \
    AMP_PRIV_VULKAN_TERM(T, "0.0072189432459110717813") AMP_PRIV_VULKAN_TERM(T, "-0.0096219715278789898611")           \
    AMP_PRIV_VULKAN_TERM(T, "-0.042197734555520839089") AMP_PRIV_VULKAN_TERM(T, "0.1665386113822915135")               \
    AMP_PRIV_VULKAN_TERM(T, "-0.042002635034095515243") AMP_PRIV_VULKAN_TERM(T, "-0.65587807152025388112")             \
    AMP_PRIV_VULKAN_TERM(T, "0.57721566490153286115") AMP_PRIV_VULKAN_TERM(T, "1")                                     \
    T " product = whole < 1 ? below * t : 1 / below, rest = 0;\n"                                                      \
    "const " T " count = whole < 1 ? -whole : whole - 1;\n"                                                            \
    "for (" T " k = 1; k <= count && !isinf(product); k += 1) {\n"                                                     \
    "const " T " factor = whole < 1 ? t - k : t + k;\n"                                                                \
    "const " T "2 next = amp_priv_product(product, factor);\nrest = rest * factor + next.y;\nproduct = next.x;\n}\n"   \
    "if (!isinf(product)) product += rest;\nreturn whole < 1 ? 1 / product : product;\n}\n"
#define AMP_PRIV_VULKAN_TERM(T, c) "below = below * t + (" T ")" c ";\n"
#define AMP_PRIV_VULKAN_LGAMMA(T) \
    AMP_PRIV_VULKAN_MATH(T, "lgamma", T " x") " { return isinf(x) ? (" T ")INFINITY : lgamma(x); }\n"

#define AMP_PRIV_VULKAN_OPENING                                                                                        \
    { "double", "#define amp_priv_has_double\n" },                                                                     \
    AMP_PRIV_VULKAN_ZERO("asin"), AMP_PRIV_VULKAN_ZERO("atan"), AMP_PRIV_VULKAN_ZERO("erf"),                           \
    AMP_PRIV_VULKAN_ZERO("expm1"), AMP_PRIV_VULKAN_ZERO("sin"), AMP_PRIV_VULKAN_ZERO("tan"),                           \
    { "cbrt", AMP_PRIV_VULKAN_DOUBLE_1("cbrt", "fabs(x) < INFINITY ? cbrt(x) : x + x") },                              \
    { "rint", AMP_PRIV_VULKAN_RINT }, { "lrint", AMP_PRIV_VULKAN_RINT }, { "llrint", AMP_PRIV_VULKAN_RINT },           \
    { "trunc", AMP_PRIV_VULKAN_WHOLE("trunc", "b") },                                                                  \
    { "atan2", AMP_PRIV_VULKAN_ATAN2 },                                                                                \
    { "exp", AMP_PRIV_VULKAN_EXP }, { "cosh", AMP_PRIV_VULKAN_COSH }, { "sinh", AMP_PRIV_VULKAN_SINH },                \
    { "pow", AMP_PRIV_VULKAN_POW }, { "fmod", AMP_PRIV_VULKAN_FMOD }, { "remainder", AMP_PRIV_VULKAN_REMAINDER },      \
    { "tgamma", AMP_PRIV_VULKAN_PAIRS AMP_PRIV_VULKAN_GAMMA("float", "36")                                             \
                "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_GAMMA("double", "172") "#endif\n"                       \
                AMP_PRIV_VULKAN_NAME("tgamma") },                                                                      \
    { "lgamma", AMP_PRIV_VULKAN_LGAMMA("float")                                                                        \
                "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_LGAMMA("double") "#endif\n"                             \
                AMP_PRIV_VULKAN_NAME("lgamma") }

/* clang-format on */

#endif /* AMP_VULKAN_VULKAN_MATH_H */
