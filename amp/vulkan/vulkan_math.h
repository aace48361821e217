/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_math.h - functions that clspv's library has wrong, in OpenCL C

    clspv crashes at atan2 of double. Its asin, atan, erf, expm1, sin and tan of double lose the sign of -0, its cbrt of
    double takes infinity for a number, tgamma is off by up to 285 ulp, and lgamma has the wrong infinity of -infinity.
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

/* Stirling's series from `first` on, below by gamma(x + 1) = x gamma(x), of negative numbers by the sine. The power
   would overflow: it is the square of its root. `last`: all beyond is infinite. */
#define AMP_PRIV_VULKAN_GAMMA(T, first, last)                                                                          \
    "static inline __attribute__((overloadable)) " T " amp_priv_stirling(" T " x)\n{\n" T " below = 1;\n"              \
    "for (; x < " first "; x += 1) below *= x;\n"                                                                      \
    "const " T " r = 1 / x, s = r * r, root = pow(x, x * (" T ")0.5 - (" T ")0.25);\n"                                 \
    "const " T " more = r * ((" T ")0.0833333333333333333 - s * ((" T ")0.00277777777777777778 - s * ("                \
    "(" T ")0.000793650793650793651 - s * ((" T ")0.000595238095238095238 - s * ((" T ")0.000841750841750841751 - s * "\
    "((" T ")0.00191752691752691753 - s * (" T ")0.00641025641025641026))))));\n"                                      \
    "return root * (exp(-x) * exp(more) * (" T ")2.50662827463100050242) / below * root;\n}\n"                         \
    AMP_PRIV_VULKAN_MATH(T, "tgamma", T " x") "\n{\n"                                                                  \
    "const " T " pi = (" T ")3.14159265358979323846;\n"                                                                \
    "if (fabs(x) < (" T ")1e-20) return 1 / x;\n"                                                                      \
    "if (x > 0) return x > " last " ? x * (" T ")INFINITY : amp_priv_stirling(x);\n"                                   \
    "if (!(x > (" T ")-1e30) || floor(x) == x) return (" T ")NAN;\nif (x < -184) return 0;\n"                          \
    "const " T " whole = floor(x + (" T ")0.5);\n"                                                                     \
    "const " T " below = x * sin(pi * (x - whole)) * amp_priv_stirling(-x);\n"                                         \
    "return (2 * floor(whole / 2) == whole ? -pi : pi) / below;\n}\n"
#define AMP_PRIV_VULKAN_LGAMMA(T) \
    AMP_PRIV_VULKAN_MATH(T, "lgamma", T " x") " { return isinf(x) ? (" T ")INFINITY : lgamma(x); }\n"

#define AMP_PRIV_VULKAN_OPENING                                                                                        \
    { "double", "#define amp_priv_has_double\n" },                                                                     \
    AMP_PRIV_VULKAN_ZERO("asin"), AMP_PRIV_VULKAN_ZERO("atan"), AMP_PRIV_VULKAN_ZERO("erf"),                           \
    AMP_PRIV_VULKAN_ZERO("expm1"), AMP_PRIV_VULKAN_ZERO("sin"), AMP_PRIV_VULKAN_ZERO("tan"),                           \
    { "cbrt", AMP_PRIV_VULKAN_DOUBLE_1("cbrt", "fabs(x) < INFINITY ? cbrt(x) : x + x") },                              \
    { "atan2", AMP_PRIV_VULKAN_ATAN2 },                                                                                \
    { "tgamma", AMP_PRIV_VULKAN_GAMMA("float", "4", "36")                                                              \
                "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_GAMMA("double", "10", "172") "#endif\n"                 \
                AMP_PRIV_VULKAN_NAME("tgamma") },                                                                      \
    { "lgamma", AMP_PRIV_VULKAN_LGAMMA("float")                                                                        \
                "#ifdef amp_priv_has_double\n" AMP_PRIV_VULKAN_LGAMMA("double") "#endif\n"                             \
                AMP_PRIV_VULKAN_NAME("lgamma") }

/* clang-format on */

#endif /* AMP_VULKAN_VULKAN_MATH_H */
