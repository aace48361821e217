/* SPDX-License-Identifier: MIT */
/*  amp/backends/opencl_text.h - source that makes a kernel OpenCL C

    Contents (search for the tag):
        >>names  >>tile  >>mathematics  >>atomics  >>vectors  >>words  >>target */
#ifndef AMP_BACKENDS_OPENCL_TEXT_H
#define AMP_BACKENDS_OPENCL_TEXT_H

#include "../api/fast_double.h"
#include "../codegen/target_common.h"
#include "opencl_quirks.h"

/* Texts of programs keep their lines: */
/* clang-format off */

/* // >>names: what C calls differently, one definition a line. */

/* clang's OpenCL C has builtin functions of `long long` for 128 bits. */
#define AMP_PRIV_OPENCL_OVERFLOW(f)                                                                                    \
    "#define __builtin_" f "ll_overflow(x, y, r) __builtin_" f "l_overflow(x, y, r)\n"
#define AMP_PRIV_OPENCL_BITS                                                                                           \
    AMP_PRIV_TARGET_BITS("(int)popcount((uint)(x))", "(int)popcount((ulong)(x))", "(int)clz((uint)(x))",               \
                         "(int)clz((ulong)(x))",                                                                       \
                         "(rotate((uint)(x)&0xff00ffu, 24u) | rotate((uint)(x)&0xff00ff00u, 8u))")                     \
    "#define __builtin_clrsbll(x) __builtin_clrsbl(x)\n" AMP_PRIV_OPENCL_OVERFLOW("sadd")                              \
    AMP_PRIV_OPENCL_OVERFLOW("ssub") AMP_PRIV_OPENCL_OVERFLOW("smul") AMP_PRIV_OPENCL_OVERFLOW("uadd")                 \
    AMP_PRIV_OPENCL_OVERFLOW("usub") AMP_PRIV_OPENCL_OVERFLOW("umul")
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_opencl_names[] =
    AMP_PRIV_TARGET_TYPES
#if SIZE_MAX > UINT32_MAX /* as wide as the host's: structs hold them */
    "#define size_t unsigned long\n#define ptrdiff_t long\n#define uintptr_t unsigned long\n#define intptr_t long\n"
#else
    "#define size_t unsigned\n#define ptrdiff_t int\n#define uintptr_t unsigned\n#define intptr_t int\n"
#endif
    "#define register\n#define auto\n#define __typeof typeof\n#define amp_priv_private __private\n"
    AMP_PRIV_TARGET_CHARACTERS
    "#define ilogbf(x) amp_priv_exponent((float)(x))\n#define ilogb(x) amp_priv_exponent(x)\n"
    AMP_PRIV_OPENCL_BITS
    "#define __builtin_isnormal(x) isnormal(x)\n#define __builtin_fabs(x) fabs(x)\n"
    AMP_PRIV_TARGET_NAMES
    "#define amp_priv_count(p) atomic_inc(p)\n";
AMP_PRIV_LONG_STRINGS_END

/* // >>tile: barriers and fences. They are functions, as the mathematics is: a variable of the user's may have the name
   of what they call, `barrier`, `floor`. */
#define AMP_PRIV_OPENCL_WAIT(name, call) "static inline void amp_priv_" name "(void) { " call "; }\n"

__attribute__((unused)) static const char amp_priv_text_opencl_tile[] =
    AMP_PRIV_TARGET_PHASES
    AMP_PRIV_OPENCL_WAIT("wait_all", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)")
    AMP_PRIV_OPENCL_WAIT("wait_global", "barrier(CLK_GLOBAL_MEM_FENCE)")
    AMP_PRIV_OPENCL_WAIT("wait_tile", "barrier(CLK_LOCAL_MEM_FENCE)")
    AMP_PRIV_OPENCL_WAIT("fence_all", "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)")
    AMP_PRIV_OPENCL_WAIT("fence_global", "mem_fence(CLK_GLOBAL_MEM_FENCE)")
    AMP_PRIV_OPENCL_WAIT("fence_tile", "mem_fence(CLK_LOCAL_MEM_FENCE)")
    "#define amp_barrier_wait(b) amp_priv_wait_all()\n"
    "#define amp_barrier_wait_with_all_memory_fence(b) amp_priv_wait_all()\n"
    "#define amp_barrier_wait_with_global_memory_fence(b) amp_priv_wait_global()\n"
    "#define amp_barrier_wait_with_tile_static_memory_fence(b) amp_priv_wait_tile()\n"
    "#define amp_priv_all_fence(t) amp_priv_fence_all()\n#define amp_priv_global_fence(t) amp_priv_fence_global()\n"
    "#define amp_priv_tile_static_fence(t) amp_priv_fence_tile()\n";

/* // >>mathematics: C's functions of float are OpenCL C's of any type. */

#define AMP_PRIV_OPENCL_MATH_1(f)                                                                                      \
    "static inline float amp_priv_" #f "(float x) { return " #f "(x); }\n#define " #f "f(x) amp_priv_" #f "(x)\n"
#define AMP_PRIV_OPENCL_MATH_2(f)                                                                                      \
    "static inline float amp_priv_" #f "(float x, float y) { return " #f "(x, y); }\n#define " #f                      \
    "f(x, y) amp_priv_" #f "(x, y)\n"
/* No macro: behind an AMP_FUNCTION of the name f that would be the user's. */
#define AMP_PRIV_OPENCL_OWN(T, name, f) "static inline " #T " " #name "(" #T " x) { return " #f "(x); }\n"

AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_opencl_math[] =
    AMP_PRIV_MATH_1(AMP_PRIV_OPENCL_MATH_1) AMP_PRIV_MATH_2(AMP_PRIV_OPENCL_MATH_2) AMP_PRIV_FAST_DOUBLE_TEXT
    "#define nearbyint(x) rint(x)\n#define nearbyintf(x) rint((float)(x))\n"
    "#define fmaf(x, y, z) fma((float)(x), (float)(y), (float)(z))\n"
    "#define ldexpf(x, n) ldexp((float)(x), n)\n#define frexpf(x, p) frexp((float)(x), p)\n"
    "#define modff(x, p) modf((float)(x), p)\n#define remquof(x, y, p) remquo((float)(x), (float)(y), p)\n"
    "#define scalbnf(x, n) ldexp((float)(x), n)\n#define scalbn(x, n) ldexp(x, n)\n"
    AMP_PRIV_OPENCL_OWN(float, amp_rsqrtf, rsqrt) AMP_PRIV_OPENCL_OWN(double, amp_rsqrt, rsqrt)
    AMP_PRIV_OPENCL_OWN(float, amp_sinpif, sinpi) AMP_PRIV_OPENCL_OWN(float, amp_cospif, cospi)
    AMP_PRIV_OPENCL_OWN(float, amp_tanpif, tanpi) AMP_PRIV_OPENCL_OWN(float, amp_exp10f, exp10)
    AMP_PRIV_OPENCL_OWN(float, amp_fast_expf, native_exp) AMP_PRIV_OPENCL_OWN(float, amp_fast_logf, native_log)
    "static inline void amp_sincosf(float x, float *s, float *c) { *s = sincos(x, c); }\n"
    "#define amp_fast_acosf(x) acos((float)(x))\n#define amp_fast_asinf(x) asin((float)(x))\n"
    "#define amp_fast_atanf(x) atan((float)(x))\n#define amp_fast_atan2f(x, y) atan2((float)(x), (float)(y))\n"
    "#define amp_fast_coshf(x) cosh((float)(x))\n#define amp_fast_sinhf(x) sinh((float)(x))\n"
    "#define amp_fast_tanhf(x) tanh((float)(x))\n"
    "#define amp_fast_cosf(x) native_cos((float)(x))\n#define amp_fast_sinf(x) native_sin((float)(x))\n"
    "#define amp_fast_tanf(x) native_tan((float)(x))\n"
    "#define amp_fast_exp2f(x) native_exp2((float)(x))\n"
    "#define amp_fast_log2f(x) native_log2((float)(x))\n#define amp_fast_log10f(x) native_log10((float)(x))\n"
    "#define amp_fast_sqrtf(x) native_sqrt((float)(x))\n#define amp_fast_rsqrtf(x) native_rsqrt((float)(x))\n"
    "#define amp_fast_powf(x, y) native_exp2((float)(y) * native_log2((float)(x)))\n";
AMP_PRIV_LONG_STRINGS_END

/* // >>atomics
   The names of amp/api/atomics.h, overloaded over address space and type. OpenCL's atomic_cmpxchg returns what it
   saw, so compare_exchange does not read the cell again. */
#define AMP_PRIV_OPENCL_FUNCTION(attribute, result, name, more)                                                        \
    "__attribute__((overloadable)) " attribute " " result " amp_priv_atomic_" #name "(volatile $1 $2 *p" more ")"
#define AMP_PRIV_OPENCL_ATOMIC(name, call)                                                                             \
    AMP_PRIV_OPENCL_FUNCTION("static inline", "$2", name, ", $2 v") " { return " call "; }\n"
#define AMP_PRIV_OPENCL_LOAD_STORE(loaded, exchanged)                                                                  \
    AMP_PRIV_OPENCL_FUNCTION("static inline", "$2", load, "") " { return amp_priv_plain(*p, " loaded "); }\n"          \
    AMP_PRIV_OPENCL_FUNCTION("static inline", "void", store, ", $2 v")                                                 \
    " { (void)" exchanged "; }\n" /* not a plain store: see amp_priv_text_opencl_plain */
#define AMP_PRIV_OPENCL_COMPARE(bits, p, to, from)                                                                     \
    AMP_PRIV_OPENCL_FUNCTION("static inline", "int", compare_exchange, ", $2 *expected, $2 v")                         \
    " { const " bits " wanted = " to "(*expected), seen = $3cmpxchg(" p ", wanted, " to "(v)); *expected = " from      \
    "(seen); return seen == wanted; }\n"

/* Each text is written once for each of its rows (amp/codegen/definitions.h): space, type, prefix, type of its bits. */
#define AMP_PRIV_OPENCL_INTEGERS                                                                                       \
    AMP_PRIV_OPENCL_ATOMIC(exchange, "$3xchg(p, v)") AMP_PRIV_OPENCL_ATOMIC(fetch_add, "$3add(p, v)")                  \
    AMP_PRIV_OPENCL_ATOMIC(fetch_sub, "$3sub(p, v)") AMP_PRIV_OPENCL_ATOMIC(fetch_min, "$3min(p, v)")                  \
    AMP_PRIV_OPENCL_ATOMIC(fetch_max, "$3max(p, v)") AMP_PRIV_OPENCL_ATOMIC(fetch_and, "$3and(p, v)")                  \
    AMP_PRIV_OPENCL_ATOMIC(fetch_or, "$3or(p, v)") AMP_PRIV_OPENCL_ATOMIC(fetch_xor, "$3xor(p, v)")                    \
    AMP_PRIV_OPENCL_LOAD_STORE("$3or(p, ($2)0)", "$3xchg(p, v)") AMP_PRIV_OPENCL_COMPARE("$2", "p", "", "")

/* A float or double through the int or long of its bits. */
#define AMP_PRIV_OPENCL_BITS_OF "(volatile $1 $4 *)p"
#define AMP_PRIV_OPENCL_ATOMIC_REAL(name, replacement)                                                                 \
    AMP_PRIV_OPENCL_FUNCTION("static inline", "$2", name, ", $2 v")                                                    \
    " { $4 old = amp_priv_guess(*" AMP_PRIV_OPENCL_BITS_OF "), seen; do { seen = old; const $2 cell = as_$2(seen); "   \
    "old = $3cmpxchg(" AMP_PRIV_OPENCL_BITS_OF ", seen, as_$4(" replacement ")); } while (old != seen); "              \
    "return as_$2(old); }\n"
#define AMP_PRIV_OPENCL_REALS                                                                                          \
    AMP_PRIV_OPENCL_ATOMIC(exchange, "as_$2($3xchg(" AMP_PRIV_OPENCL_BITS_OF ", as_$4(v)))")                           \
    AMP_PRIV_OPENCL_ATOMIC_REAL(fetch_add, "cell + v") AMP_PRIV_OPENCL_ATOMIC_REAL(fetch_sub, "cell - v")              \
    AMP_PRIV_OPENCL_ATOMIC_REAL(fetch_min, "v < cell ? v : cell")                                                      \
    AMP_PRIV_OPENCL_ATOMIC_REAL(fetch_max, "v > cell ? v : cell")                                                      \
    AMP_PRIV_OPENCL_LOAD_STORE("as_$2($3or(" AMP_PRIV_OPENCL_BITS_OF ", 0))",                                          \
                               "$3xchg(" AMP_PRIV_OPENCL_BITS_OF ", as_$4(v))")                                        \
    AMP_PRIV_OPENCL_COMPARE("$4", AMP_PRIV_OPENCL_BITS_OF, "as_$4", "as_$2")

/* Where a device has none: without these its compiler may take a pointer to 64 bits for one to 32, with a warning. */
#define AMP_PRIV_OPENCL_NO_ATOMIC(result, name, more)                                                                  \
    AMP_PRIV_OPENCL_FUNCTION("__attribute__((unavailable))", result, name, more) ";\n"
#define AMP_PRIV_OPENCL_NO_FETCH(name) AMP_PRIV_OPENCL_NO_ATOMIC("$2", name, ", $2 v")
#define AMP_PRIV_OPENCL_NONE                                                                                           \
    AMP_PRIV_OPENCL_NO_FETCH(exchange) AMP_PRIV_OPENCL_NO_FETCH(fetch_add) AMP_PRIV_OPENCL_NO_FETCH(fetch_sub)         \
    AMP_PRIV_OPENCL_NO_FETCH(fetch_min) AMP_PRIV_OPENCL_NO_FETCH(fetch_max) AMP_PRIV_OPENCL_NO_FETCH(fetch_and)        \
    AMP_PRIV_OPENCL_NO_FETCH(fetch_or) AMP_PRIV_OPENCL_NO_FETCH(fetch_xor) AMP_PRIV_OPENCL_NO_ATOMIC("$2", load, "")   \
    AMP_PRIV_OPENCL_NO_ATOMIC("void", store, ", $2 v")                                                                 \
    AMP_PRIV_OPENCL_NO_ATOMIC("int", compare_exchange, ", $2 *expected, $2 v")

/* For kernels that name amp_priv_atomic_. The second part is for devices with cl_khr_int64_base_atomics and
   cl_khr_int64_extended_atomics, or without; of that, what has double is for programs that have it. */
__attribute__((unused)) static const char amp_priv_text_opencl_atomics[] =
    "@__global int atomic_,__local int atomic_,__global uint atomic_,__local uint atomic_@" AMP_PRIV_OPENCL_INTEGERS;
__attribute__((unused)) static const char amp_priv_text_opencl_atomics_float[] =
    "@__global float atomic_ int,__local float atomic_ int@" AMP_PRIV_OPENCL_REALS;
__attribute__((unused)) static const char amp_priv_text_opencl_atomics64[] =
    "@__global long atom_,__local long atom_,__global ulong atom_,__local ulong atom_@" AMP_PRIV_OPENCL_INTEGERS;
__attribute__((unused)) static const char amp_priv_text_opencl_atomics64_double[] =
    "@__global double atom_ long,__local double atom_ long@" AMP_PRIV_OPENCL_REALS;
__attribute__((unused)) static const char amp_priv_text_opencl_no_atomics64[] =
    "@__global long,__local long,__global ulong,__local ulong@" AMP_PRIV_OPENCL_NONE;
__attribute__((unused)) static const char amp_priv_text_opencl_no_atomics64_double[] =
    "@__global double,__local double@" AMP_PRIV_OPENCL_NONE;

/* Before what names amp_priv_guess: a loop of a float may begin with any value and finds the cell's. A plain read is
   mostly right, and cheaper than an atomic one; but oclgrind, whose compiler's target is SPIR, takes it for a race. */
__attribute__((unused)) static const char amp_priv_text_opencl_guess[] =
    "#ifdef __SPIR__\n#define amp_priv_guess(cell) 0\n#else\n#define amp_priv_guess(cell) (cell)\n#endif\n";

/* // >>vectors */

#define AMP_PRIV_OPENCL_VECTOR(name, type, N)                                                                          \
    "typedef " #type #N " amp_" #name "_" #N ";\n"                                                                     \
    "#define amp_priv_convert_amp_" #name "_" #N "(v, type) convert_" #type #N "(v)\n"
#define AMP_PRIV_OPENCL_VECTORS_OF(name, c, type, mask)                                                                \
    AMP_PRIV_OPENCL_VECTOR(name, type, 2) AMP_PRIV_OPENCL_VECTOR(name, type, 3) AMP_PRIV_OPENCL_VECTOR(name, type, 4)
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_opencl_vectors[] =
    "#define amp_priv_blank\n"
    "#define amp_priv_axis_x .x\n#define amp_priv_axis_y .y\n#define amp_priv_axis_z .z\n#define amp_priv_axis_w .w\n"
    AMP_PRIV_TARGET_HALVES AMP_PRIV_FOR_VECTORS(AMP_PRIV_OPENCL_VECTORS_OF);
AMP_PRIV_LONG_STRINGS_END

/* Halves: by instructions where they are sure to be. pocl may make of vload_half a function that is nowhere. */
__attribute__((unused)) static const char amp_priv_text_opencl_halves[] =
    "#if defined(__NV_CL_C_VERSION) || defined(cl_khr_fp16)\n#define amp_priv_of_half(native, computed) (native)\n"
    "static inline float amp_priv_half_loaded(ushort bits) { return vload_half(0, (const half *)&bits); }\n"
    "static inline ushort amp_priv_half_stored(float x) "
    "{ ushort bits; vstore_half_rte(x, 0, (half *)&bits); return bits; }\n#else\n"
    "#define amp_priv_of_half(native, computed) (computed)\n#endif\n";

/* And their arithmetic, where amp_opencl.h has found that the device has it as it is computed elsewhere. */
__attribute__((unused)) static const char amp_priv_text_opencl_by_half[] =
    "#ifdef amp_priv_has_halves\n" AMP_PRIV_TEXT_NVIDIA_HALVES("__asm__")
    "#else\n#define amp_priv_by_half(native, computed) computed\n#endif\n";

/* Four products of bytes, and their sum. */
__attribute__((unused)) static const char amp_priv_text_opencl_dot_bytes[] =
    "#ifdef amp_priv_has_matrices\n" AMP_PRIV_TEXT_NVIDIA_DOT_BYTES("__asm__")
    "#define amp_priv_dot_bytes(a, b, computed) amp_priv_dot_words(as_int(a), as_int(b))\n"
    "#else\n#define amp_priv_dot_bytes(a, b, computed) (computed)\n#endif\n";

/* The same addition in CPUs, where convert_int_rte is a function that takes ten times as long. */
__attribute__((unused)) static const char amp_priv_text_opencl_nearest[] =
    "#ifdef __NV_CL_C_VERSION\n" AMP_PRIV_TEXT_NVIDIA_NEAREST("__asm__")
    "#elif defined(__x86_64__) || defined(__aarch64__)\nstatic inline int amp_priv_nearest(float x)\n{\n"
    "#pragma OPENCL FP_CONTRACT OFF\nreturn as_int(x + 12582912.0f) - 0x4b400000; }\n"
    "#else\n#define amp_priv_nearest(x) convert_int_rte(x)\n#endif\n";

/* What texture units read between texels, and beyond the edges; pictures of rank 1 are of one row. */
#define AMP_PRIV_OPENCL_SAMPLER(name, address)                                                                         \
    "const sampler_t " name " = CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR | " address ";\n"
#define AMP_PRIV_OPENCL_SAMPLE(name, image, place)                                                                     \
    "static inline float4 " name "(__read_only " image " image, int address, " place " at)\n{\n"                       \
    AMP_PRIV_OPENCL_SAMPLER("at_edge", "CLK_ADDRESS_CLAMP_TO_EDGE")                                                    \
    AMP_PRIV_OPENCL_SAMPLER("wrapped", "CLK_ADDRESS_REPEAT")                                                           \
    AMP_PRIV_OPENCL_SAMPLER("mirrored", "CLK_ADDRESS_MIRRORED_REPEAT")                                                 \
    AMP_PRIV_OPENCL_SAMPLER("bordered", "CLK_ADDRESS_CLAMP")                                                           \
    "if (address == 1) return read_imagef(image, wrapped, at);\n"                                                      \
    "if (address == 2) return read_imagef(image, mirrored, at);\n"                                                     \
    "if (address == 3) return read_imagef(image, bordered, at);\nreturn read_imagef(image, at_edge, at);\n}\n"
__attribute__((unused)) static const char amp_priv_text_opencl_image2[] =
    AMP_PRIV_OPENCL_SAMPLE("amp_priv_image_2", "image2d_t", "float2");
__attribute__((unused)) static const char amp_priv_text_opencl_image3[] =
    AMP_PRIV_OPENCL_SAMPLE("amp_priv_image_solid", "image3d_t", "float4");
__attribute__((unused)) static const char amp_priv_text_opencl_images[] =
    "#define amp_priv_image_type_1 __read_only image2d_t\n#define amp_priv_image_type_2 __read_only image2d_t\n"
    "#define amp_priv_image_type_3 __read_only image3d_t\n#define amp_priv_image_float(v) (v).x\n"
    "#define amp_priv_image_amp_float_2(v) (v).xy\n#define amp_priv_image_amp_float_3(v) (v).xyz\n"
    "#define amp_priv_image_amp_float_4(v) (v)\n#define amp_priv_image_inside_1(extent, address, at) 1\n"
    "#define amp_priv_image_inside_2(extent, address, at) 1\n#define amp_priv_image_inside_3(extent, address, at) 1\n"
    "#define amp_priv_image_1(image, address, at) amp_priv_image_2(image, address, (float2)(at, 0.5f))\n"
    "#define amp_priv_image_3(image, address, at) amp_priv_image_solid(image, address, (float4)(at, 0))\n";

/* A load that may race: an atomic operation is sure to be one. NVIDIA's plain loads of volatile memory are, too, and
   cost less. (Its plain stores would be for the whole system: others see them late.) */
__attribute__((unused)) static const char amp_priv_text_opencl_plain[] =
    "#ifdef __NV_CL_C_VERSION\n#define amp_priv_plain(plain, atomic) (plain)\n#else\n"
    "#define amp_priv_plain(plain, atomic) (atomic)\n#endif\n";

/* Loops that CPUs take as they stand: pocl would need seconds for them. */
__attribute__((unused)) static const char amp_priv_text_opencl_unroll[] =
    "#if defined(__x86_64__) || defined(__aarch64__) || defined(__SPIR__)\n#define amp_priv_unroll\n#else\n"
    "#define amp_priv_unroll _Pragma(\"unroll\")\n#endif\n";

/* Loops around a phase: NVIDIA's compiler takes eight turns together, by CUDA N-body is 1.2 times as fast with 32. */
__attribute__((unused)) static const char amp_priv_text_opencl_unroll_phases[] =
    "#ifdef __NV_CL_C_VERSION\n#define amp_priv_unroll_phases _Pragma(\"unroll 32\")\n#else\n"
    "#define amp_priv_unroll_phases\n#endif\n";

/* Threads that run together (amp/algorithms/subgroup.h): 32 of a work-group, where all of them have 32. NVIDIA's fetch
   each other's values by instructions that OpenCL C does not name. Others' do so by its extensions, which leave it to
   the compiler how many a sub-group has, unless the kernel says so, and which: a thread's number in its tile is the one
   that its sub-group gives it. */
__attribute__((unused)) static const char amp_priv_text_opencl_together[] =
    "#if defined(__NV_CL_C_VERSION)\n#define amp_priv_whole_subgroups\n#define amp_priv_near_wait(together) "
    "if (together) __asm__ volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\"); else barrier(CLK_LOCAL_MEM_FENCE)\n"
    "static inline uint amp_priv_shuffle(uint x, int from)\n{ uint r; __asm__ volatile(\"shfl.sync.idx.b32 %0, %1, %2, "
    "31, 0xffffffff;\" : \"=r\"(r) : \"r\"(x), \"r\"(from)); return r; }\n"
    "static inline uint amp_priv_ballot(uint x)\n{ uint r; __asm__ volatile(\"{ .reg .pred p; setp.ne.u32 p, %1, 0; "
    "vote.sync.ballot.b32 %0, p, 0xffffffff; }\" : \"=r\"(r) : \"r\"(x)); return r; }\n"
    "#elif defined(amp_priv_has_subgroups) && defined(cl_intel_subgroups) && defined(cl_khr_subgroup_shuffle) && "
    "defined(cl_khr_subgroup_ballot)\n"
    "#define amp_priv_near_wait(together) barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#define amp_priv_whole_subgroups __attribute__((intel_reqd_sub_group_size(32)))\n"
    "#define amp_priv_shuffle(x, from) sub_group_shuffle(x, (uint)(from))\n"
    "#define amp_priv_ballot(vote) sub_group_ballot((int)(vote)).x\n"
    "#define get_local_id(d) ((d) == 0 && get_local_size(0) % 32 == 0 ? "
    "(size_t)(get_sub_group_id() * 32 + get_sub_group_local_id()) : get_local_id(d))\n"
    "#else\n" AMP_PRIV_TEXT_APART("barrier(CLK_LOCAL_MEM_FENCE)") "#endif\n"
    "#ifndef amp_priv_together\n" AMP_PRIV_TARGET_TOGETHER("barrier(CLK_LOCAL_MEM_FENCE)")
    "#define amp_priv_fetch_words (int)((sizeof(amp_priv_fetch_T) + 3) / 4)\n" /* the type is where it is called */
    "#define amp_priv_fetch(x, from) ({ union { amp_priv_fetch_T all; uint word[amp_priv_fetch_words]; } amp_priv_u; "
    "amp_priv_u.all = x; for (int amp_priv_w = 0; amp_priv_w < amp_priv_fetch_words; amp_priv_w++) "
    "amp_priv_u.word[amp_priv_w] = amp_priv_shuffle(amp_priv_u.word[amp_priv_w], (from) & 31); amp_priv_u.all; })\n"
    "#endif\n#define amp_priv_keeps(bytes) 0\nstatic inline uint amp_priv_ones(uint x) { return popcount(x); }\n";

/* // >>words */

/* Words of OpenCL C that C programs may use as names. Everything of ours says __global, __local, __kernel. */
__attribute__((unused)) static const char amp_priv_text_opencl_words[] =
    "global local constant private kernel generic half pipe read_only write_only read_write event_t sampler_t "
    "vec_step";

/* Types of OpenCL C that are none of C: a struct of that name is the user's own. */
#define AMP_PRIV_OPENCL_VECTORS(type) " " type "2 " type "3 " type "4 " type "8 " type "16"
__attribute__((unused)) static const char amp_priv_text_opencl_types[] =
    " uchar ushort uint ulong image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t "
    "cl_mem_fence_flags queue_t clk_event_t ndrange_t" AMP_PRIV_TARGET_SCALARS(AMP_PRIV_OPENCL_VECTORS)
        AMP_PRIV_OPENCL_VECTORS("half") " ";

/* Functions of OpenCL C that are none of C: an AMP_FUNCTION of that name is the user's own. */
__attribute__((unused)) static const char amp_priv_text_opencl_builtin[] =
    " clamp degrees max min mix radians step smoothstep sign cross dot distance length normalize fast_distance "
    "fast_length"
    " fast_normalize mad mad24 mul24 mul_hi mad_hi mad_sat abs_diff add_sat sub_sat hadd rhadd rotate popcount clz "
    "select"
    " bitselect shuffle shuffle2 any all maxmag minmag pown powr rootn rsqrt sinpi cospi tanpi acospi asinpi "
    "atanpi atan2pi"
    " fract exp10 sincos native_exp native_log upsample abs prefetch vload2 vload4 vstore2 vstore4 recip divide "
    "as_int as_uint as_long as_ulong as_float as_double ctz ";

/* clang-format on */

/* // >>target */

__attribute__((unused)) static const char *const amp_priv_opencl_functions[] = {
    amp_priv_text_target_access,        amp_priv_text_opencl_tile,
    amp_priv_text_opencl_math,          amp_priv_text_opencl_atomics,
    amp_priv_text_opencl_atomics_float, amp_priv_text_opencl_vectors,
    amp_priv_text_opencl_images,        NULL
};

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_OPENCL_ATOMICS64                                                                                      \
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"                                                    \
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
#define AMP_PRIV_OPENCL_DOUBLE "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
/* ilogb, whose results of 0 and NaN a device chooses, are the host's, beside which FP_ILOGB0 stands. */
#define AMP_PRIV_OPENCL_EXPONENT(type)                                                                                 \
    "__attribute__((overloadable)) static inline int amp_priv_exponent(" type " x) { return x == 0 ? "                 \
    AMP_PRIV_TEXT(FP_ILOGB0) " : isnan(x) ? " AMP_PRIV_TEXT(FP_ILOGBNAN) " : ilogb(x); }\n"
__attribute__((unused)) static const char amp_priv_text_opencl_exponent[] = AMP_PRIV_OPENCL_EXPONENT("float")
    "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" AMP_PRIV_OPENCL_EXPONENT("double") "#endif\n";

/* Openings of what names a word: all targets that OpenCL C is the language of. */
#define AMP_PRIV_OPENCL_OPENING                                                                                        \
    { "double", AMP_PRIV_OPENCL_DOUBLE },                                                                              \
    { "amp_double_2", AMP_PRIV_OPENCL_DOUBLE },                                                                        \
    { "amp_double_3", AMP_PRIV_OPENCL_DOUBLE },                                                                        \
    { "amp_double_4", AMP_PRIV_OPENCL_DOUBLE },                                                                        \
    { "atom_add", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "atom_sub", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "atom_xchg", AMP_PRIV_OPENCL_ATOMICS64 },                                                                        \
    { "atom_cmpxchg", AMP_PRIV_OPENCL_ATOMICS64 },                                                                     \
    { "atom_min", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "atom_max", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "atom_and", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "atom_or", AMP_PRIV_OPENCL_ATOMICS64 },                                                                          \
    { "atom_xor", AMP_PRIV_OPENCL_ATOMICS64 },                                                                         \
    { "ilogb", amp_priv_text_opencl_exponent },                                                                        \
    { "ilogbf", amp_priv_text_opencl_exponent },                                                                       \
    { "amp_priv_guess", amp_priv_text_opencl_guess },                                                                  \
    { "amp_priv_plain", amp_priv_text_opencl_plain },                                                                  \
    { "amp_priv_of_half", amp_priv_text_opencl_halves },                                                               \
    { "amp_priv_by_half", amp_priv_text_opencl_by_half },                                                              \
    { "amp_priv_nearest", amp_priv_text_opencl_nearest },                                                              \
    { "amp_priv_dot_bytes", amp_priv_text_opencl_dot_bytes },                                                          \
    { "amp_priv_unroll", amp_priv_text_opencl_unroll },                                                                \
    { "amp_priv_unroll_phases", amp_priv_text_opencl_unroll_phases },                                                  \
    { "amp_priv_branch_end", amp_priv_text_opencl_branch_end },                                                        \
    { "amp_priv_together", amp_priv_text_opencl_together },                                                            \
    { "amp_priv_image_2", amp_priv_text_opencl_image2 },                                                               \
    { "amp_priv_image_solid", amp_priv_text_opencl_image3 },                                                           \
    { "amp_priv_exact", "#pragma OPENCL FP_CONTRACT OFF\n" }

/* clang-format on */

__attribute__((unused)) static const amp_priv_prologue_text amp_priv_opencl_opening[] = { AMP_PRIV_OPENCL_OPENING,
                                                                                          { NULL, NULL } };

/* What all targets have that OpenCL C is the language of. */
#define AMP_PRIV_OPENCL_TARGET                                                                                         \
    .suffix = "cl", .names = amp_priv_text_opencl_names, .at = amp_priv_target_at,                                     \
    .functions = amp_priv_opencl_functions,                                                                            \
    .functions64 = { amp_priv_text_opencl_atomics64, amp_priv_text_opencl_atomics64_double },                          \
    .no_functions64 = { amp_priv_text_opencl_no_atomics64, amp_priv_text_opencl_no_atomics64_double },                 \
    .words = amp_priv_text_opencl_words, .types = amp_priv_text_opencl_types, .builtin = amp_priv_text_opencl_builtin

__attribute__((unused)) static const amp_priv_target amp_priv_opencl_target = {
    AMP_PRIV_OPENCL_TARGET,
    .opening = amp_priv_opencl_opening,
    .rewrite_tiled = amp_priv_opencl_rewrite_tiled,
};

#endif /* AMP_BACKENDS_OPENCL_TEXT_H */
