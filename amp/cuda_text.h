/* SPDX-License-Identifier: MIT */
/*  amp/cuda_text.h - CUDA C++ as a target: the text that makes the common dialect (amp/dialect.h) what NVRTC compiles.

    Definitions do most of it, and amp/cplusplus.h what is C and not C++. Strings only: nothing needs CUDA to be there.

    Contents (search for the tag):
        >>names  >>access  >>tile  >>mathematics  >>atomics  >>vectors  >>words  >>images  >>opening
        >>target                                                                                      */
#ifndef AMP_CUDA_TEXT_H
#define AMP_CUDA_TEXT_H

#include "cplusplus.h"
#include "kernel_math.h"
#include "view.h"

/* // >>names: what C or OpenCL C calls differently, one definition a line. */

__attribute__((unused)) static const char amp_priv_text_cuda_names[] =
    "#define __kernel extern \"C\" __global__\n#define __global\n#define __local\n#define __constant const\n"
    "#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))\n"
    "#define overloadable unused\n"
    "typedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef unsigned uint;\n"
    "typedef unsigned long ulong;\n"
    "typedef signed char int8_t;\ntypedef unsigned char uint8_t;\ntypedef short int16_t;\n"
    "typedef unsigned short uint16_t;\ntypedef int int32_t;\ntypedef unsigned uint32_t;\ntypedef long int64_t;\n"
    "typedef unsigned long uint64_t;\ntypedef long intptr_t;\ntypedef long ptrdiff_t;\n"
    "typedef unsigned long uintptr_t;\n"
    "#define _Bool bool\n#define _Alignas(n) alignas(n)\n#define _Alignof(t) alignof(t)\n"
    "#define restrict __restrict__\n"
    "#define register\n#define __inline inline\n#define __inline__ inline\n#define __extension__\n"
    /* A grid has no more than 65,535 groups in its second and third dimension: a launch of more comes in parts. */
    "#define get_group_id(d) ((d) == 0 ? blockIdx.x : (d) == 1 ? blockIdx.y + amp_priv_first_y : "
    "blockIdx.z + amp_priv_first_z)\n"
    "#define get_local_id(d) ((d) == 0 ? threadIdx.x : (d) == 1 ? threadIdx.y : threadIdx.z)\n"
    "#define get_local_size(d) ((d) == 0 ? blockDim.x : (d) == 1 ? blockDim.y : blockDim.z)\n"
    "#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))\n"
    "#define amp_priv_infinity __builtin_bit_cast(float, 0x7f800000)\n"
    "#define amp_priv_nan __builtin_bit_cast(float, 0x7fc00000)\n"
    "#define __builtin_inff() amp_priv_infinity\n#define __builtin_inf() ((double)amp_priv_infinity)\n"
    "#define __builtin_huge_valf() amp_priv_infinity\n#define __builtin_huge_val() ((double)amp_priv_infinity)\n"
    "#define __builtin_nanf(s) amp_priv_nan\n#define __builtin_nan(s) ((double)amp_priv_nan)\n"
    "#define __builtin_isnan(x) isnan(x)\n#define __builtin_isinf(x) isinf(x)\n"
    "#define __builtin_isinf_sign(x) (isinf(x) ? (signbit(x) ? -1 : 1) : 0)\n"
    "#define __builtin_isfinite(x) isfinite(x)\n#define __builtin_finite(x) isfinite(x)\n"
    "static inline int amp_priv_is_normal(double x, double least) { return isfinite(x) && fabs(x) >= least; }\n"
    "#define __builtin_isnormal(x) amp_priv_is_normal(x, sizeof(x) == 4 ? 0x1p-126 : 0x1p-1022)\n"
    "#define __builtin_signbit(x) signbit(x)\n#define __builtin_signbitf(x) signbit((float)(x))\n"
    "#define __builtin_isgreater(x, y) ((x) > (y))\n#define __builtin_isless(x, y) ((x) < (y))\n"
    "#define __builtin_isgreaterequal(x, y) ((x) >= (y))\n#define __builtin_islessequal(x, y) ((x) <= (y))\n"
    "#define __builtin_isunordered(x, y) (isnan(x) || isnan(y))\n"
    "#define __builtin_fabs(x) fabs((double)(x))\n#define __builtin_fabsf(x) fabsf(x)\n"
    "#define amp_priv_count(p) atomicAdd(p, 1)\n#define amp_priv_unroll _Pragma(\"unroll\")\n";

/* // >>access: AMP_AT with one index, an amp_index or an integer, by overloading. */

#define AMP_PRIV_CUDA_OVERLOAD "__attribute__((overloadable)) static inline "
#if !defined(AMP_CHECKED)
#define AMP_PRIV_CUDA_AT_TEXT(N)                                                                                       \
    AMP_PRIV_CUDA_OVERLOAD "amp_priv_offset amp_priv_offset_of(amp_priv_stride" #N " stride, amp_index" #N             \
                           " index) { return amp_priv_offset_index" #N "(stride, index); }\n"
#define AMP_PRIV_CUDA_AT_INTEGER(type, given)                                                                          \
    AMP_PRIV_CUDA_OVERLOAD "amp_priv_offset amp_priv_offset_of(amp_priv_stride1 stride, " #type                        \
                           " i) { return (amp_priv_offset)i; }\n"
#define AMP_PRIV_CUDA_AT_DEFINE "#define amp_priv_at(in_kernel, head, stride, i) amp_priv_offset_of(stride, i)\n"
#else
#define AMP_PRIV_CUDA_AT_TEXT(N)                                                                                       \
    AMP_PRIV_CUDA_OVERLOAD "amp_priv_offset amp_priv_checked_of(const amp_priv_head" #N " *head, amp_priv_stride" #N   \
                           " stride, amp_index" #N " index) { return amp_priv_checked_index" #N                        \
                           "(head, stride, index); }\n"
#define AMP_PRIV_CUDA_AT_INTEGER(type, given)                                                                          \
    AMP_PRIV_DEVICE_CHECKED(1, AMP_PRIV_CUDA_OVERLOAD, "amp_priv_checked_of", ", " #type " i", given,                  \
                            "(amp_priv_offset)i")
#define AMP_PRIV_CUDA_AT_DEFINE "#define amp_priv_at(in_kernel, head, stride, i) amp_priv_checked_of(head, stride, i)\n"
#endif
__attribute__((unused)) static const char amp_priv_text_cuda_access[] = AMP_PRIV_CUDA_AT_DEFINE
    AMP_PRIV_CUDA_AT_INTEGER(int, "i") AMP_PRIV_CUDA_AT_INTEGER(unsigned, "i") AMP_PRIV_CUDA_AT_INTEGER(long, "i")
        AMP_PRIV_CUDA_AT_INTEGER(ulong, "i > 0x7fffffffffffffff ? 0x7fffffffffffffff : (long)i");
#define AMP_PRIV_CUDA_AT(N, A)                                                                                         \
    __attribute__((unused)) static const char amp_priv_text_cuda_at##N[] = AMP_PRIV_CUDA_AT_TEXT(N);
AMP_PRIV_FOR_RANKS(AMP_PRIV_CUDA_AT, ~)

/* // >>tile: a phase's loops have one turn, the thread's own; barriers and fences. */

__attribute__((unused)) static const char amp_priv_text_cuda_tile[] =
    "#define amp_priv_thread_first(i, d) (int)get_local_id(d)\n"
    "#define amp_priv_thread_more(i, d) amp_priv_once\n#define amp_priv_thread_next(i, d) amp_priv_once = 0\n"
    "#define amp_priv_own_count(d) 1\n#define amp_priv_own_index(i, d) 0\n"
    "#define amp_barrier_wait(b) __syncthreads()\n#define amp_barrier_wait_with_all_memory_fence(b) __syncthreads()\n"
    "#define amp_barrier_wait_with_global_memory_fence(b) __syncthreads()\n"
    "#define amp_barrier_wait_with_tile_static_memory_fence(b) __syncthreads()\n"
    "#define amp_priv_all_fence(t) __threadfence()\n#define amp_priv_global_fence(t) __threadfence()\n"
    "#define amp_priv_tile_static_fence(t) __threadfence_block()\n";

/* // >>mathematics: C's functions are CUDA's; the others. */

#define AMP_PRIV_CUDA_FAST(f)     "#define amp_fast_" #f "f(x) " #f "f(x)\n"
#define AMP_PRIV_CUDA_NATIVE(f)   "#define amp_fast_" #f "f(x) __" #f "f(x)\n"
#define AMP_PRIV_CUDA_FAST_1(X)   X(acos) X(asin) X(atan) X(cosh) X(sinh) X(tanh) X(exp2) X(sqrt) X(rsqrt)
#define AMP_PRIV_CUDA_NATIVE_1(X) X(cos) X(sin) X(tan) X(exp) X(log) X(log2) X(log10)

__attribute__((unused)) static const char amp_priv_text_cuda_math[] =
    AMP_PRIV_CUDA_FAST_1(AMP_PRIV_CUDA_FAST) AMP_PRIV_CUDA_NATIVE_1(AMP_PRIV_CUDA_NATIVE)
    "#define amp_fast_atan2f(x, y) atan2f(x, y)\n#define amp_fast_powf(x, y) __powf(x, y)\n"
    "#define amp_rsqrtf(x) rsqrtf(x)\n#define amp_rsqrt(x) rsqrt((double)(x))\n#define amp_sinpif(x) sinpif(x)\n"
    "#define amp_cospif(x) cospif(x)\n#define amp_exp10f(x) exp10f(x)\n#define amp_sincosf(x, s, c) sincosf(x, s, c)\n"
    "static inline float amp_tanpif(float x) { return sinpif(x) / cospif(x); }\n";

/* // >>atomics
   The names of amp/atomics.h, overloaded over the type; addresses tell by themselves which memory they are of. */
#define AMP_PRIV_CUDA_ATOMIC(type, name, call)                                                                         \
    AMP_PRIV_CUDA_OVERLOAD #type " amp_priv_atomic_" #name "(" #type " *p, " #type " v) { return " call "; }\n"
#define AMP_PRIV_CUDA_CALL(type, as, function, value) "(" #type ")" #function "((" #as " *)p, (" #as ")(" value "))"
#define AMP_PRIV_CUDA_ATOMICS_OF(type, as, compared)                                                                   \
    AMP_PRIV_CUDA_ATOMIC(type, exchange, AMP_PRIV_CUDA_CALL(type, as, atomicExch, "v"))                                \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_add, AMP_PRIV_CUDA_CALL(type, as, atomicAdd, "v"))                                \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_sub, AMP_PRIV_CUDA_CALL(type, as, atomicAdd, "0 - (" #as ")v"))                   \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_and, AMP_PRIV_CUDA_CALL(type, as, atomicAnd, "v"))                                \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_or, AMP_PRIV_CUDA_CALL(type, as, atomicOr, "v"))                                  \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_xor, AMP_PRIV_CUDA_CALL(type, as, atomicXor, "v"))                                \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_min, AMP_PRIV_CUDA_CALL(type, compared, atomicMin, "v"))                          \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_max, AMP_PRIV_CUDA_CALL(type, compared, atomicMax, "v"))                          \
    AMP_PRIV_CUDA_ATOMIC_REST(type, as, "(" #as ")", "(" #type ")")
/* A float or double through the integer of its bits, where CUDA has no function for it. */
#define AMP_PRIV_CUDA_ATOMIC_LOOP(type, bits, name, replacement, to, from)                                             \
    AMP_PRIV_CUDA_OVERLOAD #type " amp_priv_atomic_" #name "(" #type " *p, " #type " v) { " #bits " old = " to         \
                                 "(*(volatile " #type " *)p), seen; do { seen = old; const " #type " cell = " from     \
                                 "(seen); old = atomicCAS((" #bits " *)p, seen, " to "(" replacement                   \
                                 ")); } while (old != seen); return " from "(old); }\n"
#define AMP_PRIV_CUDA_ATOMICS_OF_REAL(type, bits, to, from)                                                            \
    AMP_PRIV_CUDA_ATOMIC(type, exchange, from "(atomicExch((" #bits " *)p, " to "(v)))")                               \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_add, "atomicAdd(p, v)")                                                           \
    AMP_PRIV_CUDA_ATOMIC(type, fetch_sub, "atomicAdd(p, -v)")                                                          \
    AMP_PRIV_CUDA_ATOMIC_LOOP(type, bits, fetch_min, "v < cell ? v : cell", to, from)                                  \
    AMP_PRIV_CUDA_ATOMIC_LOOP(type, bits, fetch_max, "v > cell ? v : cell", to, from)                                  \
    AMP_PRIV_CUDA_ATOMIC_REST(type, bits, to, from)
#define AMP_PRIV_CUDA_ATOMIC_REST(type, bits, to, from)                                                                \
    AMP_PRIV_CUDA_OVERLOAD #type " amp_priv_atomic_load(" #type " *p) { return *(volatile " #type                      \
                                 " *)p; }\n" AMP_PRIV_CUDA_OVERLOAD "void amp_priv_atomic_store(" #type " *p, " #type  \
                                 " v) { amp_priv_atomic_exchange(p, v); }\n" AMP_PRIV_CUDA_OVERLOAD                    \
                                 "int amp_priv_atomic_compare_exchange(" #type " *p, " #type " *expected, " #type      \
                                 " v) { const " #bits " wanted = " to "(*expected), seen = atomicCAS((" #bits          \
                                 " *)p, wanted, " to "(v)); *expected = " from "(seen); return seen == wanted; }\n"

/* For kernels that name amp_priv_atomic_. */
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_cuda_atomics[] =
    AMP_PRIV_CUDA_ATOMICS_OF(int, int, int) AMP_PRIV_CUDA_ATOMICS_OF(unsigned, unsigned, unsigned)
        AMP_PRIV_CUDA_ATOMICS_OF_REAL(float, int, "__float_as_int", "__int_as_float");
__attribute__((unused)) static const char amp_priv_text_cuda_atomics64[] =
    AMP_PRIV_CUDA_ATOMICS_OF(long, unsigned long long, long long)
        AMP_PRIV_CUDA_ATOMICS_OF(ulong, unsigned long long, unsigned long long);
__attribute__((unused)) static const char amp_priv_text_cuda_atomics64_double[] = AMP_PRIV_CUDA_ATOMICS_OF_REAL(
    double, unsigned long long, "(unsigned long long)__double_as_longlong", "__longlong_as_double");
AMP_PRIV_LONG_STRINGS_END

/* // >>vectors: of amp/cplusplus.h's template. */

#define AMP_PRIV_CUDA_VECTOR(name, type, N)                                                                            \
    "typedef amp_priv_vector<" type ", " #N "> amp_" #name "_" #N ";\n"                                                \
    "#define amp_priv_convert_amp_" #name "_" #N "(v, type) amp_priv_convert<" type ">(v)\n"
#define AMP_PRIV_CUDA_VECTORS_OF(name, c, type, mask)                                                                  \
    AMP_PRIV_CUDA_VECTOR(name, #c, 2) AMP_PRIV_CUDA_VECTOR(name, #c, 3) AMP_PRIV_CUDA_VECTOR(name, #c, 4)
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_cuda_vectors[] =
    "#define amp_priv_blank = {}\n"
    "#define amp_priv_axis_x .v[0]\n#define amp_priv_axis_y .v[1]\n#define amp_priv_axis_z .v[2]\n"
    "#define amp_priv_axis_w .v[3]\n"
    "#define amp_priv_half_to_float(bits) "
    "amp_priv_of_half(amp_priv_half_loaded(bits), amp_priv_half_bits_to_float(bits))\n"
    "#define amp_priv_float_to_half(x) amp_priv_of_half(amp_priv_half_stored(x), amp_priv_float_to_half_bits(x))\n"
    AMP_PRIV_FOR_VECTORS(AMP_PRIV_CUDA_VECTORS_OF);
AMP_PRIV_LONG_STRINGS_END

/* Halves: by instructions on a GPU. */
__attribute__((unused)) static const char amp_priv_text_cuda_halves[] =
    "#ifdef __CUDA_ARCH__\n#define amp_priv_of_half(native, computed) (native)\n"
    "static inline float amp_priv_half_loaded(unsigned short bits) "
    "{ float x; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(bits)); return x; }\n"
    "static inline unsigned short amp_priv_half_stored(float x) "
    "{ unsigned short bits; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x)); return bits; }\n#else\n"
    "#define amp_priv_of_half(native, computed) (computed)\n#endif\n";
__attribute__((unused)) static const char amp_priv_text_cuda_by_half[] =
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530\n" AMP_PRIV_TEXT_NVIDIA_HALVES("asm")
    "#else\n#define amp_priv_by_half(native, computed) computed\n#endif\n";

__attribute__((unused)) static const char amp_priv_text_cuda_nearest[] =
    "#ifdef __CUDA_ARCH__\n" AMP_PRIV_TEXT_NVIDIA_NEAREST("asm")
    "#else\n#define amp_priv_nearest(x) (int)rintf(x)\n#endif\n";

/* // >>words */

/* Types of CUDA that are none of C: a struct of that name is the user's own. */
#define AMP_PRIV_CUDA_VECTORS(type) " " type "1 " type "2 " type "3 " type "4"
__attribute__((unused)) static const char amp_priv_text_cuda_types[] =
    " uchar ushort uint ulong dim3 cudaError cudaStream_t" AMP_PRIV_CUDA_VECTORS("char") AMP_PRIV_CUDA_VECTORS("uchar")
        AMP_PRIV_CUDA_VECTORS("short") AMP_PRIV_CUDA_VECTORS("ushort") AMP_PRIV_CUDA_VECTORS("int")
            AMP_PRIV_CUDA_VECTORS("uint") AMP_PRIV_CUDA_VECTORS("long") AMP_PRIV_CUDA_VECTORS("ulong")
                AMP_PRIV_CUDA_VECTORS("longlong") AMP_PRIV_CUDA_VECTORS("ulonglong") AMP_PRIV_CUDA_VECTORS("float")
                    AMP_PRIV_CUDA_VECTORS("double") " ";

/* Functions that are there without an #include: an AMP_FUNCTION of that name is the user's own. */
__attribute__((unused)) static const char amp_priv_text_cuda_builtin[] =
    " min max umin umax llmin llmax ullmin ullmax abs labs llabs clock clock64 printf assert malloc free memcpy memset "
    "sinpi cospi sinpif cospif sincos sincosf sincospi sincospif rsqrt rsqrtf rcbrt rcbrtf exp10 exp10f norm norm3d "
    "norm4d rnorm rhypot erfcx erfcinv erfinv normcdf normcdfinv j0 j1 jn y0 y1 yn saturate mul24 umul24 mulhi umulhi "
    "float2half half2float float_as_int int_as_float atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc "
    "atomicDec atomicCAS atomicAnd atomicOr atomicXor trap brkpt ";

/* // >>images
   Textures that are read through texture units, by a texture object that clamps: a place in a mirror is one in the
   texture, and what is near an edge is computed, where the other edge or a border lies behind it. */
__attribute__((unused)) static const char amp_priv_text_cuda_texel[] =
    "static inline void amp_priv_texel(unsigned long long image, float x, float y, float *v)\n"
    "{ asm(\"tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];\"\n"
    ": \"=f\"(v[0]), \"=f\"(v[1]), \"=f\"(v[2]), \"=f\"(v[3]) : \"l\"(image), \"f\"(x), \"f\"(y)); }\n";
__attribute__((unused)) static const char amp_priv_text_cuda_images[] =
    "#define amp_priv_image_type_1 unsigned long long\n#define amp_priv_image_type_2 unsigned long long\n"
    "#define amp_priv_image_float(t) (t).v[0]\n#define amp_priv_image_amp_float_4(t) (t)\n"
    "static inline amp_float_2 amp_priv_image_amp_float_2(amp_float_4 t) "
    "{ amp_float_2 r; for (int i = 0; i < 2; i++) r.v[i] = t.v[i]; return r; }\n"
    "static inline amp_float_3 amp_priv_image_amp_float_3(amp_float_4 t) "
    "{ amp_float_3 r; for (int i = 0; i < 3; i++) r.v[i] = t.v[i]; return r; }\n"
    "static inline float amp_priv_image_turned(int address, float x)\n{\n"
    "const float twice = x - 2.0f * floorf(x * 0.5f);\n"
    "return address == 1 ? x - floorf(x) : address != 2 ? x : twice > 1.0f ? 2.0f - twice : twice;\n}\n"
    "static inline int amp_priv_image_inside(int n, int address, float x)\n{\n"
    "const float place = amp_priv_image_turned(address, x) * (float)n;\n"
    "return (address != 1 && address != 3) || (place >= 0.5f && place <= (float)n - 0.5f);\n}\n"
    "static inline amp_float_4 amp_priv_image_at(unsigned long long image, int address, float x, float y)\n{\n"
    "amp_float_4 r;\n"
    "amp_priv_texel(image, amp_priv_image_turned(address, x), amp_priv_image_turned(address, y), r.v);\nreturn r;\n}\n"
    "#define amp_priv_image_1(image, address, at) amp_priv_image_at(image, address, at, 0.5f)\n"
    "#define amp_priv_image_2(image, address, at) amp_priv_image_at(image, address, (at).v[0], (at).v[1])\n"
    "#define amp_priv_image_inside_1(extent, address, at) amp_priv_image_inside((extent).v[0], address, at)\n"
    "#define amp_priv_image_inside_2(extent, address, at) (amp_priv_image_inside((extent).v[1], address, (at).v[0]) && "
    "amp_priv_image_inside((extent).v[0], address, (at).v[1]))\n";

/* // >>opening */

/* What the translation leaves to the target. Where a launch in parts begins, in groups, is a parameter of each part:
   functions see 0; in checked builds, where faults are told by their place, what the kernel has told. Loops around a
   phase NVRTC unrolls four times; by 32, N-body is 1.2 times as fast. */
__attribute__((unused)) static const char amp_priv_text_cuda_opening[] =
#if defined(AMP_CHECKED)
    "static inline unsigned *amp_priv_first(void) { __shared__ unsigned first[2]; return first; }\n"
    "#define amp_priv_first_y amp_priv_first()[0]\n#define amp_priv_first_z amp_priv_first()[1]\n"
    "#define amp_priv_more_parameters const unsigned amp_priv_from_y, const unsigned amp_priv_from_z\n"
    "#define amp_priv_kernel_begins amp_priv_first_y = amp_priv_from_y; amp_priv_first_z = amp_priv_from_z;\n"
#else
    "#define amp_priv_more_parameters const unsigned amp_priv_first_y, const unsigned amp_priv_first_z\n"
    "#define amp_priv_kernel_begins\n"
#endif
    "#define amp_priv_unroll_phases _Pragma(\"unroll 32\")\n";

/* tile_static variables: of the kernel, or, where they take more than that may have, in memory that the launch brings;
   AMP_DYNAMIC is how much then. The size of amp_priv_dynamic_bytes tells it of a program from the disk. */
__attribute__((unused)) static const char amp_priv_text_cuda_tile_static[] =
    "#ifdef AMP_DYNAMIC\nextern \"C\" __device__ char amp_priv_dynamic_bytes[AMP_DYNAMIC];\n"
    "#ifndef amp_priv_dynamic\nextern __shared__ __attribute__((aligned(16))) char amp_priv_dynamic[];\n#endif\n"
    "#define amp_priv_tile_variable(T, name, at) T &name = *(T *)(amp_priv_dynamic + (at)); "
    "enum { amp_priv_end_of_##name = ((at) + sizeof(T) + 15) / 16 * 16 }\n#else\n"
    "#define amp_priv_tile_variable(T, name, at) __shared__ __attribute__((aligned(16))) T name\n#endif\n";

/* Threads that run together (amp/algorithms/subgroup.h): 32, where all of a block have 32. */
__attribute__((unused)) static const char amp_priv_text_cuda_together[] =
    "#define amp_priv_together(n) ((n) / amp_priv_own_count(0) % 32 == 0)\n#define amp_priv_whole_subgroups\n"
    "#define amp_priv_places(n) (amp_priv_together(n) ? 1 : (n))\n#define amp_priv_apart_wait(n) "
    "if (!amp_priv_together(n)) __syncthreads()\n"
    "#define amp_priv_ballot(x) __ballot_sync(0xffffffffu, x)\n"
    "template <class T> static inline T amp_priv_fetch(T x, int from) { union { T all; unsigned word[(sizeof(T) + 3) / "
    "4]; } u = { x }; for (int w = 0; w < (int)((sizeof(T) + 3) / 4); w++) u.word[w] = __shfl_sync(0xffffffffu, "
    "u.word[w], from & 31); return u.all; }\n";

/* // >>target */

#define AMP_PRIV_CUDA_LIST_AT(N, unused) amp_priv_text_cuda_at##N,
__attribute__((unused)) static const char *const amp_priv_cuda_at[] = { AMP_PRIV_FOR_RANKS(AMP_PRIV_CUDA_LIST_AT, ~) };
__attribute__((unused)) static const char *const amp_priv_cuda_functions[] = { amp_priv_text_cuda_access,
                                                                               amp_priv_text_cuda_tile,
                                                                               amp_priv_text_cuda_math,
                                                                               amp_priv_text_cuda_atomics,
                                                                               amp_priv_text_cuda_vectors,
                                                                               amp_priv_text_cuda_images,
                                                                               NULL };

__attribute__((unused)) static const amp_priv_opening amp_priv_cuda_opening[] = {
    { "", amp_priv_text_cuda_opening },
    { "", amp_priv_text_cpp_opening },
    { "amp_priv_together", amp_priv_text_cuda_together },
    { "__local", amp_priv_text_cuda_tile_static },
    { "amp_priv_vector", amp_priv_text_cpp_vectors },
    { "amp_priv_of_half", amp_priv_text_cuda_halves },
    { "amp_priv_by_half", amp_priv_text_cuda_by_half },
    { "amp_priv_nearest", amp_priv_text_cuda_nearest },
    { "amp_priv_texel", amp_priv_text_cuda_texel },
    { NULL, NULL }
};

__attribute__((unused)) static const amp_priv_target amp_priv_cuda_target = {
    .suffix = "cu",
    .opening = amp_priv_cuda_opening,
    .names = amp_priv_text_cuda_names,
    .at = amp_priv_cuda_at,
    .functions = amp_priv_cuda_functions,
    .functions64 = { amp_priv_text_cuda_atomics64, amp_priv_text_cuda_atomics64_double },
    .no_functions64 = { "", "" },
    .words = AMP_PRIV_CPP_WORDS,
    .types = amp_priv_text_cuda_types,
    .builtin = amp_priv_text_cuda_builtin,
    .translate = amp_priv_cpp_translate,
};

#endif /* AMP_CUDA_TEXT_H */
