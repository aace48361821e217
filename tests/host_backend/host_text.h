/* SPDX-License-Identifier: MIT */
/*  host_text.h - C11 as a target: the text that makes the common dialect (amp/api/dialect.h) C for the host's compiler.

    A work-group is one call of a tiled kernel: phases are loops over its threads, as in the CPU backend, so a barrier
    is nothing. A simple kernel is called once for each thread. Both read their ids from amp_host_ids: group, local, and
    size of a work-group, three of each. */
#ifndef HOST_TEXT_H
#define HOST_TEXT_H

#include "amp/matrix/matrix_text.h"
#include "amp/api/element.h"
#include "amp/api/tile.h"

/* ---- names: what OpenCL C calls so, and what a phase is ------------------------------------------------------ */

static const char amp_priv_text_host_names[] =
    "#define __kernel\n#define __global\n#define __local\n#define amp_priv_private\n"
    "#define reqd_work_group_size(x, y, z) unused\n"
    "#define __constant const\n#define bool _Bool\n"
    "#define get_group_id(d) amp_host_ids[d]\n#define get_local_id(d) amp_host_ids[3 + (d)]\n"
    "#define get_local_size(d) amp_host_ids[6 + (d)]\n"
    "#define get_global_id(d) (amp_host_ids[d] * amp_host_ids[6 + (d)] + amp_host_ids[3 + (d)])\n"
    "#define amp_priv_thread_first(i, d) 0\n#define amp_priv_thread_next(i, d) i++\n"
    "#define amp_host_threads(d) ((d) == 0 ? amp_priv_threads_0 : (d) == 1 ? amp_priv_threads_1 : amp_priv_threads_2)\n"
    "#define amp_priv_thread_more(i, d) (get_local_id(d) = (size_t)i, i < amp_host_threads(d))\n"
    "#define amp_priv_own_count(d) amp_host_threads(d)\n#define amp_priv_own_index(i, d) i\n"
    "#define amp_priv_count(p) __atomic_fetch_add(p, 1, __ATOMIC_RELAXED)\n"
    "#define amp_priv_unroll\n"
    "#define amp_host_at_1(i) _Generic((i), amp_index1: amp_host_at_index1, unsigned long: amp_host_at_unsigned, "
    "default: amp_host_at_long)\n";

/* ---- access: AMP_AT with one index, an amp_index or an integer, by _Generic ----------------------------------- */

#if !defined(AMP_CHECKED)
#define HOST_AT_ARGUMENTS "((stride), (i))"
#define HOST_AT_INDEX     "amp_priv_offset_index"
#define HOST_AT_INTEGER(name, type, given)                                                                             \
    "static inline amp_priv_offset amp_host_at_" name "(amp_priv_stride1 s, " type " i) { return i; }\n"
#else
#define HOST_AT_ARGUMENTS "((head), (stride), (i))"
#define HOST_AT_INDEX     "amp_priv_checked_index"
#define HOST_AT_INTEGER(name, type, given)                                                                             \
    AMP_PRIV_DEVICE_CHECKED(1, "static inline ", "amp_host_at_" name, ", " type " i", given, "i")
#endif
#define HOST_AT(N, A)                                                                                                  \
    "#define amp_host_at_index" #N " " HOST_AT_INDEX #N "\n#define amp_host_at_" #N "(i) amp_host_at_index" #N "\n",
#define HOST_AT_CHOICE(N, A) ", amp_priv_stride" #N ": amp_host_at_" #N "(i)"

static const char *const host_at[] = { AMP_PRIV_FOR_RANKS(HOST_AT, ~) };
static const char amp_priv_text_host_access[] =
    HOST_AT_INTEGER("long", "long", "i")
    HOST_AT_INTEGER("unsigned", "unsigned long", "i > LONG_MAX ? LONG_MAX : (long)i")
    "#define amp_priv_at(in_kernel, head, stride, i) _Generic((stride), struct amp_host_none *: 0"
    AMP_PRIV_FOR_RANKS(HOST_AT_CHOICE, ~) ")" HOST_AT_ARGUMENTS "\n";

/* ---- barriers, mathematics, atomics ---------------------------------------------------------------------------- */

static const char amp_priv_text_host_tile[] =
    "#define amp_barrier_wait(b)\n#define amp_barrier_wait_with_all_memory_fence(b)\n"
    "#define amp_barrier_wait_with_global_memory_fence(b)\n#define amp_barrier_wait_with_tile_static_memory_fence(b)\n"
    "#define amp_priv_all_fence(t) __atomic_thread_fence(__ATOMIC_SEQ_CST)\n"
    "#define amp_priv_global_fence(t) amp_priv_all_fence(t)\n"
    "#define amp_priv_tile_static_fence(t) amp_priv_all_fence(t)\n";

#define HOST_FAST(f) "#define amp_fast_" #f "f(x) " #f "f(x)\n"
static const char amp_priv_text_host_math[] =
    HOST_FAST(acos) HOST_FAST(asin) HOST_FAST(atan) HOST_FAST(cos) HOST_FAST(cosh) HOST_FAST(exp) HOST_FAST(exp2)
    HOST_FAST(log) HOST_FAST(log10) HOST_FAST(log2) HOST_FAST(sin) HOST_FAST(sinh) HOST_FAST(sqrt) HOST_FAST(tan)
    HOST_FAST(tanh) AMP_PRIV_FAST_DOUBLE_TEXT
    "#define amp_fast_atan2f(x, y) atan2f(x, y)\n#define amp_fast_powf(x, y) powf(x, y)\n"
    "#define amp_fast_rsqrtf(x) (1.0f / sqrtf(x))\n#define amp_rsqrtf(x) (1.0f / sqrtf(x))\n"
    "#define amp_rsqrt(x) (1.0 / sqrt(x))\n#define amp_exp10f(x) ((float)pow(10.0, (double)(x)))\n"
    "static inline void amp_sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }\n"
    "static inline double amp_host_turn(float x) { return (double)(x - 2.0f * rintf(0.5f * x)); }\n"
    "static inline double amp_host_sinpi(double x)\n"
    "{ return sin(3.14159265358979323846 * (x > 0.5 ? 1.0 - x : x < -0.5 ? -1.0 - x : x)); }\n"
    "static inline double amp_host_cospi(double x) { return amp_host_sinpi(0.5 - fabs(x)); }\n"
    "#define amp_sinpif(x) ((float)amp_host_sinpi(amp_host_turn(x)))\n"
    "#define amp_cospif(x) ((float)amp_host_cospi(amp_host_turn(x)))\n"
    "#define amp_tanpif(x) ((float)(amp_host_sinpi(amp_host_turn(x)) / amp_host_cospi(amp_host_turn(x))))\n";

/* A loop for all types: C's compare and exchange takes floats, too. */
#define HOST_ATOMIC(name, next)                                                                                        \
    "#define amp_priv_atomic_" #name "(p, v) __extension__ ({ __typeof__(p) amp_p = (p); "                             \
    "__typeof__(*amp_p) amp_v = (v), amp_old = *amp_p, amp_next; do { amp_next = " next "; } while "                   \
    "(!__atomic_compare_exchange(amp_p, &amp_old, &amp_next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); amp_old; })\n"
#define HOST_INTEGER_ATOMIC(name)                                                                                      \
    "#define amp_priv_atomic_" #name "(p, v) __atomic_" #name "(p, v, __ATOMIC_RELAXED)\n"
static const char amp_priv_text_host_atomics[] =
    HOST_ATOMIC(exchange, "amp_v") HOST_ATOMIC(fetch_add, "amp_old + amp_v") HOST_ATOMIC(fetch_sub, "amp_old - amp_v")
    HOST_ATOMIC(fetch_min, "amp_v < amp_old ? amp_v : amp_old")
    HOST_ATOMIC(fetch_max, "amp_v > amp_old ? amp_v : amp_old")
    HOST_INTEGER_ATOMIC(fetch_and) HOST_INTEGER_ATOMIC(fetch_or) HOST_INTEGER_ATOMIC(fetch_xor)
    "#define amp_priv_atomic_compare_exchange(p, expected, v) __extension__ ({ __typeof__(p) amp_p = (p); "
    "__typeof__(*amp_p) amp_v = (v); __atomic_compare_exchange(amp_p, expected, &amp_v, 0, __ATOMIC_RELAXED, "
    "__ATOMIC_RELAXED); })\n"
    "#define amp_priv_atomic_load(p) __extension__ ({ __typeof__(p) amp_p = (p); __typeof__(*amp_p) amp_v; "
    "__atomic_load(amp_p, &amp_v, __ATOMIC_RELAXED); amp_v; })\n"
    "#define amp_priv_atomic_store(p, v) do { __typeof__(p) amp_p = (p); __typeof__(*amp_p) amp_v = (v); "
    "__atomic_store(amp_p, &amp_v, __ATOMIC_RELAXED); } while (0)\n";

/* ---- short vectors: the compiler's own; of three components, four of which one is spare ------------------------- */

#define HOST_VECTOR(name, type, N)                                                                                     \
    "typedef " #type " amp_" #name "_" #N " __attribute__((vector_size((" #N " + " #N " % 2) * sizeof(" #type          \
    ")), aligned((" #N " + " #N " % 2) * sizeof(" #type "))));\n"                                                      \
    "#define amp_priv_convert_amp_" #name "_" #N "(v, type) __builtin_convertvector(v, type)\n"
#define HOST_VECTORS(name, type, device, mask)                                                                         \
    HOST_VECTOR(name, type, 2)                                                                                         \
    HOST_VECTOR(name, type, 3)                                                                                         \
    HOST_VECTOR(name, type, 4)                                                                                         \
    "static inline amp_" #name "_3 amp_" #name "_3_from_3_numbers(" #type " x, " #type " y, " #type                    \
    " z) { const amp_" #name "_3 v = { x, y, z, 1 }; return v; }\n"
AMP_PRIV_LONG_STRINGS_BEGIN
static const char amp_priv_text_host_vectors[] =
    "#define amp_priv_blank\n#define amp_priv_axis_x [0]\n#define amp_priv_axis_y [1]\n"
    "#define amp_priv_nearest(x) (int)rintf(x)\n#define amp_priv_by_half(native, computed) computed\n"
    "#define amp_priv_dot_bytes(a, b, computed) (computed)\n"
    "#define amp_priv_half_to_float(bits) amp_priv_half_bits_to_float(bits)\n"
    "#define amp_priv_float_to_half(x) amp_priv_float_to_half_bits(x)\n"
    "#define amp_priv_axis_z [2]\n#define amp_priv_axis_w [3]\n"
    AMP_PRIV_FOR_VECTORS(HOST_VECTORS);
AMP_PRIV_LONG_STRINGS_END

/* ---- the target -------------------------------------------------------------------------------------------------- */

static const char *const host_functions[] = { amp_priv_text_host_access,  amp_priv_text_host_tile,
                                              amp_priv_text_host_math,    amp_priv_text_host_atomics,
                                              amp_priv_text_host_vectors, NULL };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const amp_priv_prologue_text host_opening[] = {
    { "printf", "#include <stdio.h>\n" },
    AMP_PRIV_MATRIX_TEXTS(AMP_PRIV_TEXT_SIXTEEN_WORDS, AMP_PRIV_TEXT_MATRIX_COMMON AMP_PRIV_TEXT_MATRIX_NONE("")),
    { "amp_priv_together", AMP_PRIV_TEXT_APART("") "#define amp_priv_keeps(bytes) 0\n"
                                                   "#define amp_priv_ones(x) (unsigned)__builtin_popcount(x)\n" },
    { "", "#include <limits.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n"
          "static _Thread_local size_t *amp_host_ids;\n" },
    { NULL, NULL }
};
#pragma GCC diagnostic pop
static const amp_priv_target host_target = {
    .suffix = "c",
    .opening = host_opening,
    .names = amp_priv_text_host_names,
    .at = host_at,
    .functions = host_functions,
    .functions64 = { "", "" },
    .no_functions64 = { "", "" },
    .words = "",
    .types = "",
    .builtin = "",
    .runs_tiles = true,
};

#endif /* HOST_TEXT_H */
