/* SPDX-License-Identifier: MIT */
/*  amp/backends/cuda_text.h - source that makes a kernel CUDA C++

    Contents (search for the tag):
        >>names  >>tile  >>mathematics  >>atomics  >>halves  >>words  >>images  >>opening  >>target */
#ifndef AMP_BACKENDS_CUDA_TEXT_H
#define AMP_BACKENDS_CUDA_TEXT_H

#include "../api/fast_double.h"
#include "translate_cpp.h"

/* // >>names: what is called differently, one definition a line. */

AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_cuda_names[] =
    "#define __kernel extern \"C\" __global__\n#define __global\n#define __local\n#define __constant const\n"
    "#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))\n"
    /* A grid has no more than 65,535 groups in its second and third dimension: a launch of more comes in parts. */
    "#define get_group_id(d) ((d) == 0 ? blockIdx.x : (d) == 1 ? blockIdx.y + amp_priv_first_y : "
    "blockIdx.z + amp_priv_first_z)\n"
    "#define get_local_id(d) ((d) == 0 ? threadIdx.x : (d) == 1 ? threadIdx.y : threadIdx.z)\n"
    "#define get_local_size(d) ((d) == 0 ? blockDim.x : (d) == 1 ? blockDim.y : blockDim.z)\n"
    "#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))\n"
    AMP_PRIV_CPP_NAMES AMP_PRIV_TARGET_NAMES
    AMP_PRIV_TARGET_BITS("__popc((uint)(x))", "__popcll((uint64_t)(x))", "__clz((int)(x))", "__clzll((int64_t)(x))",
                         "__byte_perm(x, 0, 0x123)")
    "#define amp_priv_count(p) atomicAdd(p, 1)\n#define amp_priv_unroll _Pragma(\"unroll\")\n";
AMP_PRIV_LONG_STRINGS_END

/* // >>tile: barriers and fences. */

__attribute__((unused)) static const char amp_priv_text_cuda_tile[] =
    AMP_PRIV_TARGET_PHASES
    "#define amp_barrier_wait(b) __syncthreads()\n#define amp_barrier_wait_with_all_memory_fence(b) __syncthreads()\n"
    "#define amp_barrier_wait_with_global_memory_fence(b) __syncthreads()\n"
    "#define amp_barrier_wait_with_tile_static_memory_fence(b) __syncthreads()\n"
    "#define amp_priv_all_fence(t) __threadfence()\n#define amp_priv_global_fence(t) __threadfence()\n"
    "#define amp_priv_tile_static_fence(t) __threadfence_block()\n";

/* // >>mathematics: C's functions are CUDA's; the others. */

#define AMP_PRIV_CUDA_FAST(f)   "#define amp_fast_" #f "f(x) " #f "f(x)\n"
#define AMP_PRIV_CUDA_NATIVE(f) "#define amp_fast_" #f "f(x) __" #f "f(x)\n"
/* No macro: behind an AMP_FUNCTION of the name f that would be the user's. */
#define AMP_PRIV_CUDA_OWN(T, name, f) "static inline " #T " " #name "(" #T " x) { return " #f "(x); }\n"
#define AMP_PRIV_CUDA_FAST_1(X)       X(acos) X(asin) X(atan) X(cosh) X(sinh) X(tanh) X(exp2) X(sqrt)
#define AMP_PRIV_CUDA_NATIVE_1(X)     X(cos) X(sin) X(tan) X(exp) X(log) X(log2) X(log10)

__attribute__((unused)) static const char amp_priv_text_cuda_math[] =
    AMP_PRIV_CUDA_FAST_1(AMP_PRIV_CUDA_FAST) AMP_PRIV_CUDA_NATIVE_1(AMP_PRIV_CUDA_NATIVE) AMP_PRIV_FAST_DOUBLE_TEXT
    "#define amp_fast_atan2f(x, y) atan2f(x, y)\n#define amp_fast_powf(x, y) __powf(x, y)\n"
    AMP_PRIV_CUDA_OWN(float, amp_rsqrtf, rsqrtf) AMP_PRIV_CUDA_OWN(double, amp_rsqrt, rsqrt)
    AMP_PRIV_CUDA_OWN(float, amp_sinpif, sinpif) AMP_PRIV_CUDA_OWN(float, amp_cospif, cospif)
    AMP_PRIV_CUDA_OWN(float, amp_exp10f, exp10f) AMP_PRIV_CUDA_OWN(float, amp_fast_rsqrtf, rsqrtf)
    "static inline void amp_sincosf(float x, float *s, float *c) { sincosf(x, s, c); }\n"
    "static inline float amp_tanpif(float x) { return sinpif(x) / cospif(x); }\n";

/* // >>atomics: the names of amp/api/atomics.h, by one template over the type; addresses tell by themselves which
   memory
   they are of. What is in the memory is exchanged as a word of its bits. Of floats and doubles the hardware adds, and
   asks for the least only where that is another one. */

#define AMP_PRIV_CUDA_ATOMIC(name) "#define amp_priv_atomic_" #name "(p, v) amp_priv_cell(p)." #name "(v)\n"
__attribute__((unused)) static const char amp_priv_text_cuda_atomics[] =
    AMP_PRIV_CUDA_ATOMIC(exchange) AMP_PRIV_CUDA_ATOMIC(store) AMP_PRIV_CUDA_ATOMIC(fetch_add)
    AMP_PRIV_CUDA_ATOMIC(fetch_sub) AMP_PRIV_CUDA_ATOMIC(fetch_and) AMP_PRIV_CUDA_ATOMIC(fetch_or)
    AMP_PRIV_CUDA_ATOMIC(fetch_xor) AMP_PRIV_CUDA_ATOMIC(fetch_min) AMP_PRIV_CUDA_ATOMIC(fetch_max)
    "#define amp_priv_atomic_load(p) amp_priv_cell(p).load()\n"
    "#define amp_priv_atomic_compare_exchange(p, expected, v) amp_priv_cell(p).compare_exchange(expected, v)\n";

#define AMP_PRIV_CUDA_BITWISE(name, call) "T fetch_" name "(T v) { return from(" call "((word *)p, to(v))); }\n"
#define AMP_PRIV_CUDA_REAL(T, name, op)                                                                                \
    "static inline " T " amp_priv_" name "(" T " *p, " T " v) { " T " cell = *(volatile " T " *)p; while (v " op       \
    " cell && !amp_priv_exchanged(p, &cell, v)) {} return cell; }\n"
#define AMP_PRIV_CUDA_LEAST(name, call, op)                                                                            \
    "template <class T> static inline T amp_priv_" name "(T *p, T v) { typedef typename amp_priv_cell_of<T>::as as; "  \
    "return (T)" call "((as *)p, (as)v); }\n" AMP_PRIV_CUDA_REAL("float", name, op)                                    \
        AMP_PRIV_CUDA_REAL("double", name, op)
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_cuda_cell[] =
    "template <class T> struct amp_priv_cell_of { typedef unsigned long long word, as; };\n"
    "template <> struct amp_priv_cell_of<long> { typedef unsigned long long word; typedef long long as; };\n"
    "template <> struct amp_priv_cell_of<int> { typedef unsigned word; typedef int as; };\n"
    "template <> struct amp_priv_cell_of<unsigned> { typedef unsigned word, as; };\n"
    "template <> struct amp_priv_cell_of<float> { typedef unsigned word, as; };\n"
    "template <class T> static inline bool amp_priv_exchanged(T *p, T *expected, T v)\n"
    "{ typedef typename amp_priv_cell_of<T>::word word; const word wanted = amp_priv_bits<word>(*expected), "
    "seen = atomicCAS((word *)p, wanted, amp_priv_bits<word>(v)); *expected = amp_priv_bits<T>(seen); "
    "return seen == wanted; }\n"
    "template <class T> static inline T amp_priv_added(T *p, T v)\n"
    "{ typedef typename amp_priv_cell_of<T>::word word; return (T)atomicAdd((word *)p, (word)v); }\n"
    "static inline float amp_priv_added(float *p, float v) { return atomicAdd(p, v); }\n"
    "static inline double amp_priv_added(double *p, double v) { return atomicAdd(p, v); }\n"
    AMP_PRIV_CUDA_LEAST("least", "atomicMin", "<") AMP_PRIV_CUDA_LEAST("greatest", "atomicMax", ">")
    "template <class T> struct amp_priv_cell_at {\ntypedef typename amp_priv_cell_of<T>::word word;\nT *p;\n"
    "static word to(T v) { return amp_priv_bits<word>(v); }\nstatic T from(word v) { return amp_priv_bits<T>(v); }\n"
    "T load() { return *(volatile T *)p; }\nvoid store(T v) { exchange(v); }\n"
    "T exchange(T v) { return from(atomicExch((word *)p, to(v))); }\n"
    "int compare_exchange(T *expected, T v) { return amp_priv_exchanged(p, expected, v); }\n"
    "T fetch_add(T v) { return amp_priv_added(p, v); }\nT fetch_sub(T v) { return amp_priv_added(p, (T)-v); }\n"
    AMP_PRIV_CUDA_BITWISE("and", "atomicAnd") AMP_PRIV_CUDA_BITWISE("or", "atomicOr")
    AMP_PRIV_CUDA_BITWISE("xor", "atomicXor")
    "T fetch_min(T v) { return amp_priv_least(p, v); }\nT fetch_max(T v) { return amp_priv_greatest(p, v); }\n};\n"
    "template <class T> static inline amp_priv_cell_at<T> amp_priv_cell(T *p) { return amp_priv_cell_at<T>{ p }; }\n";
AMP_PRIV_LONG_STRINGS_END

/* // >>halves: by instructions on a GPU. */
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

/* Four products of bytes, and their sum. */
__attribute__((unused)) static const char amp_priv_text_cuda_dot_bytes[] =
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610\n" AMP_PRIV_TEXT_NVIDIA_DOT_BYTES("asm")
    "#define amp_priv_dot_bytes(a, b, computed) amp_priv_dot_words(amp_priv_bits<int>(a), amp_priv_bits<int>(b))\n"
    "#else\n#define amp_priv_dot_bytes(a, b, computed) (computed)\n#endif\n";

/* // >>words */

/* Types of CUDA that are none of C: a struct of that name is the user's own. */
#define AMP_PRIV_CUDA_VECTORS(type) " " type "1 " type "2 " type "3 " type "4"
__attribute__((unused)) static const char amp_priv_text_cuda_types[] =
    " uchar ushort uint ulong dim3 cudaError cudaStream_t" AMP_PRIV_TARGET_SCALARS(AMP_PRIV_CUDA_VECTORS)
        AMP_PRIV_CUDA_VECTORS("longlong") AMP_PRIV_CUDA_VECTORS("ulonglong") " ";

/* Functions that are there without an #include: an AMP_FUNCTION of that name is the user's own. */
__attribute__((unused)) static const char amp_priv_text_cuda_builtin[] =
    " min max umin umax llmin llmax ullmin ullmax abs labs llabs clock clock64 printf assert malloc free memcpy memset "
    "sinpi cospi sinpif cospif sincos sincosf sincospi sincospif rsqrt rsqrtf rcbrt rcbrtf exp10 exp10f norm norm3d "
    "norm4d rnorm rhypot erfcx erfcinv erfinv normcdf normcdfinv j0 j1 jn y0 y1 yn saturate mul24 umul24 mulhi umulhi "
    "float2half half2float float_as_int int_as_float atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc "
    "atomicDec atomicCAS atomicAnd atomicOr atomicXor trap brkpt ";

/* // >>images: texture objects, which clamp (amp/backends/translate_cpp.h computes the rest). */

__attribute__((unused)) static const char amp_priv_text_cuda_texel[] =
    "static inline void amp_priv_texel(unsigned long long image, float x, float y, float *v)\n"
    "{ asm(\"tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];\"\n"
    ": \"=f\"(v[0]), \"=f\"(v[1]), \"=f\"(v[2]), \"=f\"(v[3]) : \"l\"(image), \"f\"(x), \"f\"(y)); }\n";
__attribute__((unused)) static const char amp_priv_text_cuda_images[] =
    "#define amp_priv_image_type_1 unsigned long long\n#define amp_priv_image_type_2 unsigned long long\n"
    AMP_PRIV_CPP_CLAMPED_IMAGES;

/* // >>opening */

/* What the translation leaves to the target. Where a launch in parts begins, in groups, is a parameter of each part:
   functions see 0. In checked builds, which report the place of a fault, they see what the kernel has stored. A kernel
   of a recording may begin before the kernels before it have written everything. It waits for them, which costs other
   kernels nothing. NVRTC unrolls loops around a phase four times; by 32, N-body is 1.2 times as fast. */
__attribute__((unused)) static const char amp_priv_text_cuda_opening[] =
#if defined(AMP_CHECKED)
    "static inline unsigned *amp_priv_first(void) { __shared__ unsigned first[2]; return first; }\n"
    "#define amp_priv_first_y amp_priv_first()[0]\n#define amp_priv_first_z amp_priv_first()[1]\n"
    "#define amp_priv_more_parameters const unsigned amp_priv_from_y, const unsigned amp_priv_from_z\n"
    "#define amp_priv_kernel_begins amp_priv_first_y = amp_priv_from_y; amp_priv_first_z = amp_priv_from_z; "
    "amp_priv_kernel_waits\n"
#else
    "#define amp_priv_more_parameters const unsigned amp_priv_first_y, const unsigned amp_priv_first_z\n"
    "#define amp_priv_kernel_begins amp_priv_kernel_waits\n"
#endif
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n"
    "#define amp_priv_kernel_waits asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
    "#else\n#define amp_priv_kernel_waits\n#endif\n"
    "#define amp_priv_unroll_phases _Pragma(\"unroll 32\")\n";

/* tile_static variables: of the kernel, or, where they take more than that may have, in memory that the launch brings;
   AMP_DYNAMIC is defined then. The compiler's first pass refuses what is too much, and its message has the bytes; with
   AMP_DYNAMIC=1 it takes any, and a warning has them. */
__attribute__((unused)) static const char amp_priv_text_cuda_tile_static[] =
    "#ifndef amp_priv_tile_align\n#define amp_priv_tile_align 16\n#endif\n"
    "#define amp_priv_tile_end(T, name, at) enum { amp_priv_end_of_##name = ((at) + sizeof(T) + amp_priv_tile_align - "
    "1) / amp_priv_tile_align * amp_priv_tile_align }\n"
    "#ifdef AMP_DYNAMIC\n#ifndef amp_priv_dynamic\n"
    "extern __shared__ __attribute__((aligned(amp_priv_tile_align))) char amp_priv_dynamic[];\n#endif\n"
    "#define amp_priv_tile_place(T, name, at) T &name = *(T *)(amp_priv_dynamic + (at)); amp_priv_tile_end(T, name, "
    "at)\n#if AMP_DYNAMIC == 1\n"
    "template <int bytes> struct [[deprecated]] amp_priv_tile_bytes { [[deprecated]] typedef int fits; };\n"
    "#define amp_priv_tile_variable(T, name, at) amp_priv_tile_place(T, name, at); "
    "typedef typename amp_priv_tile_bytes<amp_priv_end_of_##name>::fits amp_priv_fits_##name\n#else\n"
    "#define amp_priv_tile_variable amp_priv_tile_place\n#endif\n#else\n"
    "template <int bytes> struct amp_priv_tile_bytes;\n"
    "template <> struct amp_priv_tile_bytes<0> { typedef int fits; };\n"
    "#define amp_priv_tile_variable(T, name, at) __shared__ __attribute__((aligned(amp_priv_tile_align))) T name; "
    "amp_priv_tile_end(T, name, at); typedef typename amp_priv_tile_bytes<(amp_priv_end_of_##name > 49120 ? "
    "amp_priv_end_of_##name : 0)>::fits amp_priv_fits_##name\n#endif\n";

/* Threads that run together (amp/algorithms/subgroup.h): 32, where all of a block have 32. */
__attribute__((unused)) static const char amp_priv_text_cuda_together[] =
    AMP_PRIV_TARGET_TOGETHER("__syncthreads()") "#define amp_priv_whole_subgroups\n"
    "#define amp_priv_near_wait(together) if (together) __syncwarp(); else __syncthreads()\n"
    "#ifdef __AMDGCN__\n#define amp_priv_keeps(bytes) 0\n#else\n#define amp_priv_keeps(bytes) ((bytes) <= 4)\n#endif\n"
    "#define amp_priv_ones(x) (unsigned)__popc(x)\n#define amp_priv_ballot(x) __ballot_sync(0xffffffffu, x)\n"
    "template <class T> static inline T amp_priv_fetch(T x, int from) { union { T all; unsigned word[(sizeof(T) + 3) / "
    "4]; } u = { x }; for (int w = 0; w < (int)((sizeof(T) + 3) / 4); w++) u.word[w] = __shfl_sync(0xffffffffu, "
    "u.word[w], from & 31); return u.all; }\n";

/* // >>target */

__attribute__((unused)) static const char *const amp_priv_cuda_functions[] = { amp_priv_text_target_access,
                                                                               amp_priv_text_cuda_tile,
                                                                               amp_priv_text_cuda_math,
                                                                               amp_priv_text_cuda_atomics,
                                                                               amp_priv_text_cpp_vector_types,
                                                                               amp_priv_text_cuda_images,
                                                                               NULL };

#define AMP_PRIV_CUDA_OPENING                                                                                          \
    { "", amp_priv_text_cuda_opening }, { "", amp_priv_text_cpp_opening },                                             \
        { "amp_priv_together", amp_priv_text_cuda_together },                                                          \
        { "__local", amp_priv_text_cuda_tile_static }, { "amp_priv_vector", amp_priv_text_cpp_vectors },               \
        { "amp_priv_cell", amp_priv_text_cuda_cell }, { "amp_priv_of_half", amp_priv_text_cuda_halves },               \
        { "amp_priv_by_half", amp_priv_text_cuda_by_half }, { "amp_priv_nearest", amp_priv_text_cuda_nearest },        \
        { "amp_priv_dot_bytes", amp_priv_text_cuda_dot_bytes },                                                        \
    {                                                                                                                  \
        "amp_priv_texel", amp_priv_text_cuda_texel                                                                     \
    }

/* Of CUDA's target and HIP's. */
#define AMP_PRIV_CUDA_TARGET                                                                                           \
    .names = amp_priv_text_cuda_names, .at = amp_priv_target_at, .functions = amp_priv_cuda_functions,                 \
    .functions64 = { "", "" }, .no_functions64 = { "", "" }, .words = AMP_PRIV_CPP_WORDS,                              \
    .types = amp_priv_text_cuda_types, .builtin = amp_priv_text_cuda_builtin, .translate = amp_priv_cpp_translate

__attribute__((unused)) static const amp_priv_prologue_text amp_priv_cuda_opening[] = { AMP_PRIV_CUDA_OPENING,
                                                                                        { NULL, NULL } };

__attribute__((unused)) static const amp_priv_target amp_priv_cuda_target = {
    .suffix = "cu",
    .opening = amp_priv_cuda_opening,
    AMP_PRIV_CUDA_TARGET,
};

#endif /* AMP_BACKENDS_CUDA_TEXT_H */
