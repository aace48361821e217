// SPDX-License-Identifier: MIT
/*  program.h - what generated programs include. With -DFUZZ_REFERENCE the same kernels are plain C (plain.h). */
#ifndef PROGRAM_H
#define PROGRAM_H

#if defined(FUZZ_REFERENCE)
#include "plain.h"
#ifndef FUZZ_TABLE
#define FUZZ_TABLE fuzz_reference
#endif
#else
#ifdef FUZZ_HALVES
#include "amp_graphics.h"
AMP_DEFINE_ELEMENT(amp_half)
#else
#include "amp.h"
#endif
#include <limits.h>
#include <math.h>
#define FUZZ_TABLE                                fuzz_target
#define FUZZ_EACH_INDEX(R, ext, x, captures, ...) AMP_PARALLEL_FOR_EACH(ext, x, captures, __VA_ARGS__)
#define FUZZ_STRIP(...)                           __VA_ARGS__
#define FUZZ_GO(m, ...)                           m(__VA_ARGS__)
#define FUZZ_PADDED1(e, t)                                                                                             \
    amp_tiled_extent1_pad(FUZZ_GO(amp_extent1_tile, AMP_EXTENT e, FUZZ_STRIP t))
#define FUZZ_PADDED2(e, t)                                                                                             \
    amp_tiled_extent2_pad(FUZZ_GO(amp_extent2_tile, AMP_EXTENT e, FUZZ_STRIP t))
#define FUZZ_PADDED3(e, t)                                                                                             \
    amp_tiled_extent3_pad(FUZZ_GO(amp_extent3_tile, AMP_EXTENT e, FUZZ_STRIP t))
#define FUZZ_SECTION1(T, name, v, ...) const amp_array_view_##T##_1 name = amp_section(v, __VA_ARGS__)
#define FUZZ_SECTION2(T, name, v, ...) const amp_array_view_##T##_2 name = amp_section(v, __VA_ARGS__)
#define FUZZ_SECTION3(T, name, v, ...) const amp_array_view_##T##_3 name = amp_section(v, __VA_ARGS__)
#define FUZZ_AS_CONST(T, R, name, v)   const amp_const_array_view_##T##_##R name = amp_as_const(v)
#define FUZZ_SYNCHRONIZE(v)            amp_array_view_synchronize(&v)
#define FUZZ_PLAIN(...)
#endif
#include "cases.h"

/* a mistake on purpose, which the fuzzer has to find (run --sample) */
#ifdef FUZZ_PLANTED
#define FUZZ_BITS 2039
#else
#define FUZZ_BITS 2047
#endif

#define FUZZ_MEMORY(T, k) ((T *)memory[k])

AMP_STRUCT(fuzz_pair, { int a; uint32_t b; float c; int d[2]; });

/* A number of floating point becomes a multiple of 1/4 between -256 and 256. */
AMP_FUNCTION(float, fuzz_fit_float, (float x), { return (float)((int)(x * 4.0f) & FUZZ_BITS) * 0.25f - 256.0f; })
AMP_FUNCTION(double, fuzz_fit_double, (double x), { return (double)((int)(x * 4.0) & FUZZ_BITS) * 0.25 - 256.0; })

#define FUZZ_DIVISION(T, name, least)                                                                                  \
    AMP_FUNCTION(T, fuzz_div_##name, (T a, T b), { return b == 0 || (a == (least) && b == -1) ? a : (T)(a / b); })     \
    AMP_FUNCTION(T, fuzz_mod_##name, (T a, T b), { return b == 0 || b == -1 ? (T)0 : (T)(a % b); })
FUZZ_DIVISION(int8_t, i8, -128)
FUZZ_DIVISION(int16_t, i16, -32768)
FUZZ_DIVISION(int, i32, (-2147483647 - 1))
FUZZ_DIVISION(int64_t, i64, (-9223372036854775807L - 1))

AMP_FUNCTION(int, fuzz_fold, (const int *q, int n), {
    uint32_t s = 7;
    for (int i = 0; i < n; i++)
        s = s * 31u + (uint32_t)q[i];
    return (int)s;
})
AMP_FUNCTION(int, fuzz_bump, (AMP_ELEMENT_POINTER(int) q, int x), {
    *q = (int)((uint32_t)*q * 5u + (uint32_t)x);
    return *q;
})
AMP_FUNCTION(fuzz_pair, fuzz_make_pair, (int a, uint32_t b, float c), {
    fuzz_pair r = { a, b, c, { 1, 2 } };
    r.d[0] = (int)(b ^ (uint32_t)a);
    return r;
})
AMP_FUNCTION(fuzz_pair, fuzz_twist, (fuzz_pair x, int by), {
    x.a = (int)((uint32_t)x.a + (uint32_t)by);
    x.d[by & 1] ^= x.a;
    return x;
})

#endif
