/* SPDX-License-Identifier: MIT */
/*  amp/api/launch.h - AMP_PARALLEL_FOR_EACH and AMP_TILED

    Contents (search for the tag):
        >>launch  >>tiles  >>runtime */
#ifndef AMP_API_LAUNCH_H
#define AMP_API_LAUNCH_H

#include "../../amp_cpu.h"
#include "accelerator.h"
#include "capture.h"
#include "definitions.h"
#include "tile.h"

/* // >>launch */

/* AMP_PARALLEL_FOR_EACH(extent, index, AMP_CAPTURE(...), { body }): runs the body once for every index of the
   extent.
   AMP_PARALLEL_FOR_EACH_ON(view, extent, index, AMP_CAPTURE(...), { body }): runs the body on an accelerator view.
   Without a view the library chooses one: where captured arrays live, else where captured views are cached, else the
   default accelerator. The body sees captured names, macros, constants and each AMP_FUNCTION above it. `continue`
   ends one index early. A statement, which fits an if without braces.
   extent  amp_extentN, rank 1 to AMP_MAX_RANK, or an amp_domainN, whose indexes begin at an origin: AMP_DOMAIN,
           amp_inner; evaluated once
   index  a name, which is an amp_indexN in the body; or names in parentheses, an int for each dimension: (row, col)
   body  C without # directives, return and recursion
   view  amp_accelerator_view
   Result: none; amp_launch_status() has the status.
   Errors: AMP_INVALID_COMPUTE_DOMAIN (a negative component, too large an extent), AMP_COMPILATION_FAILED,
   AMP_RUNTIME_ERROR (an array of another accelerator, a released view), AMP_OUT_OF_MEMORY, AMP_UNSUPPORTED_FEATURE.
   The body has not run then.
   Blocking: no on devices, where the first access to a result waits; yes on the CPU backend. Threads: any. Cost: the
   first launch on each device compiles the kernel, which is kept on disk. Source: parallel_for_each. See:
   AMP_CAPTURE, AMP_AT */
#if defined(AMP_NO_LOOKOVER)
#define AMP_PRIV_NO_VALIDATION 1
#else
#define AMP_PRIV_NO_VALIDATION 0
#endif
#define AMP_PARALLEL_FOR_EACH(extent, index, captures, ...)                                                            \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_PARALLEL_FOR_EACH"));                                                   \
        enum { amp_##priv_is_index = AMP_PRIV_ASKED(AMP_PRIV_HAS_INDEX(index)) };                                      \
        AMP_PRIV_ASK(amp_priv_takes_index, AMP_PRIV_HAS_INDEX(index), AMP_PRIV_MSG_INDEX(#index))                      \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_CAT(AMP_PRIV_SIMPLE_, AMP_PRIV_IS_LIST(captures))                                                     \
        (1, NULL, AMP_PRIV_TEXT_, (amp_accelerator_view){ NULL }, extent, index, AMP_PRIV_UNWRAP captures, __VA_ARGS__)\
    } while (0)
#define AMP_PARALLEL_FOR_EACH_ON(view, extent, index, captures, ...)                                                   \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_PARALLEL_FOR_EACH"));                                                   \
        enum { amp_##priv_is_index = AMP_PRIV_ASKED(AMP_PRIV_HAS_INDEX(index)) };                                      \
        AMP_PRIV_ASK(amp_priv_takes_index, AMP_PRIV_HAS_INDEX(index), AMP_PRIV_MSG_INDEX(#index))                      \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_CAT(AMP_PRIV_SIMPLE_, AMP_PRIV_IS_LIST(captures))                                                     \
        (1, NULL, AMP_PRIV_TEXT_, view, extent, index, AMP_PRIV_UNWRAP captures, __VA_ARGS__)                          \
    } while (0)

/* What follows the extent is a name, or names in parentheses. */
#define AMP_PRIV_HAS_INDEX(index) (AMP_PRIV_IS_WRAPPED(index) || AMP_PRIV_IS_NAME(#index))
#define AMP_PRIV_MSG_INDEX(index)                                                                                      \
    "amp: AMP_PARALLEL_FOR_EACH(..., " index ", ...): first the extent, then the index: "                              \
    "AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { body }); "                                                 \
    "an accelerator view goes first, in AMP_PARALLEL_FOR_EACH_ON"
AMP_PRIV_ASKS(amp_priv_takes_index, AMP_PRIV_MSG_INDEX("index"))
#define AMP_PRIV_SIMPLE_0(...)                                                                                         \
    _Static_assert(0, AMP_PRIV_NO_CAPTURES("AMP_PARALLEL_FOR_EACH(extent, index, AMP_CAPTURE(a, b), { body })",        \
                                           "AMP_PARALLEL_FOR_EACH_ON"));
/* Of an algorithm: the text of the body is parts of a template (amp/launch/template.h). */
#define AMP_PRIV_EACH_FROM(template, parts, view, extent, index, captures, ...)                                        \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_PARALLEL_FOR_EACH"));                                                   \
        enum { amp_##priv_is_index = 1 };                                                                              \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_SIMPLE_1(1, template, parts AMP_PRIV_NOT, view, extent, index, AMP_PRIV_UNWRAP captures, __VA_ARGS__) \
    } while (0)
/* The same of a kernel that the CPU backend never runs: an algorithm has other steps there. AMP_COMPARE runs its loops,
   where the file has the tools. Without devices it is nothing. */
#if AMP_PRIV_HAS_OTHERS
#define AMP_PRIV_EACH_DEVICE(template, parts, view, extent, index, captures, ...)                                      \
    do {                                                                                                               \
        enum { amp_##priv_is_index = 1 };                                                                              \
        AMP_PRIV_SIMPLE_1(AMP_PRIV_DEVICE_LOOPS, template, parts AMP_PRIV_NOT, view, extent, index,                    \
                          AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                                       \
    } while (0)
#define AMP_PRIV_TILED_DEVICE(template, parts, view, extent, tile_dimensions, tile, captures, ...)                     \
    do {                                                                                                               \
        AMP_PRIV_TILED_11(AMP_PRIV_DEVICE_LOOPS, template, parts AMP_PRIV_NOT, view, extent, tile_dimensions, tile,    \
                          AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                                       \
    } while (0)
#else
#define AMP_PRIV_EACH_DEVICE(...)  (void)amp_priv_step
#define AMP_PRIV_TILED_DEVICE(...) (void)amp_priv_step
#endif
#if defined(AMP_TOOLS)
#define AMP_PRIV_DEVICE_LOOPS 1
#else
#define AMP_PRIV_DEVICE_LOOPS 0
#endif
#define AMP_PRIV_CPU_SIMPLE_0(...)
#define AMP_PRIV_CPU_SIMPLE_1 AMP_PRIV_CPU_SIMPLE

/* text: the macro that makes it of the body. Of an argument that has the body gcc 11 takes the pragma twice. */
#define AMP_PRIV_SIMPLE_1(loops, template, text, view, launch_extent, index, captures, ...)                            \
    do { /* first: up to gcc 11 the pragma of an AMP_UNROLL in the body comes to stand before it */                    \
        AMP_PRIV_QUIET_BEGIN                                                                                           \
        AMP_PRIV_RANK_TYPE(__builtin_choose_expr(amp_priv_is_index, launch_extent, 0),                                 \
                           AMP_PRIV_FOR_RANKS(AMP_PRIV_IS_DOMAIN_OF_RANK, ~))                                          \
        enum {                                                                                                         \
            amp_##priv_is_domain = sizeof(amp_priv_rank_type) > AMP_PRIV_DOMAINS,                                      \
            amp_##priv_is_extent = (sizeof(amp_priv_rank_type) - 1) % AMP_PRIV_DOMAINS,                                \
            amp_##priv_is_good =                                                                                       \
                AMP_PRIV_IS_WRAPPED(index) ? amp_priv_is_extent == AMP_PRIV_NAMES_IN(index) : amp_priv_is_extent > 0   \
        };                                                                                                             \
        _Static_assert(AMP_PRIV_IN_TIME);                                                                              \
        _Static_assert((int)amp_priv_is_extent + !(int)amp_priv_is_index > 0,                                          \
                       AMP_PRIV_NO_EXTENT("AMP_PARALLEL_FOR_EACH"));                                                   \
        _Static_assert(amp_priv_is_good || !amp_priv_is_extent,                                                        \
                       "amp: the index list " AMP_PRIV_TEXT(index) " must have one name per dimension of the extent"); \
        const __typeof__(AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_NAMES_IN(index))) amp_##priv_extent =            \
            AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_NAMES_IN(index));                                             \
        AMP_PRIV_RECORD(view, 0, AMP_PRIV_TEXT(index), sizeof amp_priv_extent.v / sizeof(int), (0), captures,          \
                        template, text(__VA_ARGS__), loops)                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(1, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(2, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(4, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(8, captures));                                                            \
        AMP_PRIV_RUN(amp_priv_start(&amp_priv_this_launch, &amp_priv_this_site, view, (const int *)&amp_priv_extent,   \
                                    sizeof amp_priv_extent / sizeof(int), amp_priv_captured)){                         \
            AMP_PRIV_CAT(AMP_PRIV_CPU_SIMPLE_, loops)(AMP_PRIV_INDEX_FOR(amp_priv_extent), amp_priv_extent,            \
                                AMP_PRIV_KERNEL_SCOPE(1, captures), AMP_PRIV_DECLARE_INDEX(index), __VA_ARGS__)        \
        } AMP_PRIV_QUIET_END                                                                                           \
    } while (0);

/* Misplaced arguments of a launch: one static assertion reports them. Dummy values replace them, and AMP_PRIV_REFUSED
   silences the body, so that no further errors follow. */
#define AMP_PRIV_NO_CAPTURES(form, on)                                                                                 \
    "amp: AMP_CAPTURE, another argument or a comma is missing: " form "; write AMP_CAPTURE() if the body uses no "     \
    "variables; an accelerator view goes first, in " on
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP) || defined(AMP_BACKEND_VULKAN)
#define AMP_PRIV_IN_TIME 1, ""
#else /* a macro's text is its name where it is none */
#define AMP_PRIV_IN_TIME                                                                                               \
    sizeof AMP_PRIV_TEXT(AMP_BACKEND_OPENCL) == sizeof "AMP_BACKEND_OPENCL",                                           \
        "amp: AMP_BACKEND_OPENCL is defined after amp.h was included, which chose the CPU backend: define it before, " \
        "or with -D"
#endif
#define AMP_PRIV_NO_TILE(tile)                                                                                         \
    "amp: the tile " AMP_PRIV_TEXT(tile) " of AMP_TILED must be in parentheses, with one constant per dimension: "     \
                                         "(256), (16, 16)"
#define AMP_PRIV_NO_EXTENT(call)                                                                                       \
    "amp: " call " needs an extent: v.extent of a view v, or AMP_EXTENT(n); an accelerator view goes before it, "      \
    "in " call "_ON"
/* A type as large as the extent's rank, and 1. (An enumerator's value must have no compound literal, says clang.) */
#define AMP_PRIV_RANK_TYPE(extent, domains)                                                                            \
    typedef char amp_##priv_rank_type[1 + _Generic((extent),                                                           \
                                                 default : 0 domains AMP_PRIV_FOR_RANKS(AMP_PRIV_IS_EXTENT_OF_RANK, ~) \
                                                     AMP_PRIV_FOR_RANKS_3(AMP_PRIV_IS_EXTENT_OF_RANK_TILED, ~))]       \
        __attribute__((unused));
enum { AMP_PRIV_DOMAINS = 64 }; /* more than a rank: what a domain's has besides */
#define AMP_PRIV_GOOD_EXTENT(extent, N)                                                                                \
    __builtin_choose_expr(amp_priv_is_good, extent, ((AMP_PRIV_CAT(amp_extent, N)){ { 0 } }))
#define AMP_PRIV_NO_KERNEL(call)                                                                                       \
    (int)amp_priv_in_kernel == 0, "amp: " call " in the body of a kernel: kernels cannot launch kernels, nor call "    \
                                  "amp_sum or other algorithms; call it before the launch, and capture its result"
#define AMP_PRIV_IS_EXTENT_OF_RANK(N, unused)       , amp_extent##N : N
#define AMP_PRIV_IS_EXTENT_OF_RANK_TILED(N, unused) , amp_tiled_extent##N : N
#define AMP_PRIV_IS_DOMAIN_OF_RANK(N, unused)       , amp_domain##N : AMP_PRIV_DOMAINS + N

/* The function around a launch, in messages. A function of the library defines it as the call that it is a part of. */
#define AMP_PRIV_LAUNCHED_IN __func__

/* The static record of a call site, the copies of what it captures, and the launch. The origin of a domain is a capture
   that no list has. What a launch declares around the body is pasted, amp_##priv_x: clangd lists such names behind the
   user's in completions. */
#define AMP_PRIV_RECORD(view, is_tiled, index_text, the_rank, the_tile, capture_list, the_template, the_text, loops)   \
    AMP_PRIV_EACH(AMP_PRIV_COPY, ~, capture_list)                                                                      \
    amp_priv_launch amp_##priv_this_launch;                                                                            \
    void *const amp_##priv_captured[] = { AMP_PRIV_EACH(AMP_PRIV_ADDRESS, ~, capture_list) amp_priv_is_domain          \
                                            ? (int *)(uintptr_t)&amp_priv_extent + (the_rank)                          \
                                            : NULL AMP_PRIV_VISITED_LAUNCH };                                          \
    static const amp_priv_capture amp_##priv_captures[] = { AMP_PRIV_EACH(AMP_PRIV_DESCRIBE, ~, capture_list){         \
        "amp_priv_from", amp_priv_is_domain ? AMP_PRIV_CAPTURE_STRUCT : AMP_PRIV_CAPTURE_CONSTANT,                     \
        amp_priv_index_name[amp_priv_is_domain * (the_rank)], amp_priv_is_domain * (the_rank) * sizeof(int), 0 } };    \
    static amp_priv_launch_site amp_##priv_this_site = {                                                               \
        .function = AMP_PRIV_LAUNCHED_IN,                                                                              \
        .file = __FILE__,                                                                                              \
        .line = __LINE__,                                                                                              \
        .text = the_text,                                                                                              \
        .index = index_text,                                                                                           \
        .rank = the_rank,                                                                                              \
        .tiled = is_tiled,                                                                                             \
        .template = the_template,                                                                                      \
        .without_loops = !(loops),                                                                                     \
        .has_origin = amp_priv_is_domain,                                                                              \
        .tile = { AMP_PRIV_UNWRAP the_tile },                                                                          \
        .threads_per_item = AMP_THREADS_PER_ITEM,                                                                      \
        .unvalidated = AMP_PRIV_NO_VALIDATION,                                                                         \
        .without_arrays = AMP_NO_PRIVATE_ARRAYS,                                                                       \
        .precise_division = AMP_PRECISE_DIVISION,                                                                      \
        .capture_count = AMP_PRIV_CAPTURED(capture_list) + amp_priv_is_domain,                                         \
        .captures = amp_priv_captures,                                                                                 \
        .user_definitions = &amp_priv_user_definitions,                                                                \
    };                                                                                                                 \
    AMP_PRIV_FAULT_RECORD                                                                                              \
    _Static_assert(!((AMP_THREADS_PER_ITEM) & ~127) && !((AMP_THREADS_PER_ITEM) & ((AMP_THREADS_PER_ITEM) - 1)),       \
                   "amp: AMP_THREADS_PER_ITEM is " AMP_PRIV_TEXT(AMP_THREADS_PER_ITEM)                                 \
                   "; it can be 0, or a power of two up to 64");

/* The index type of an extent, tiled extent or domain. */
#define AMP_PRIV_INDEX_FOR(extent)                                                                                     \
    __typeof__(*_Generic((const char(*)[sizeof(extent).v / sizeof(int)])0, default                                     \
                         : (struct amp_priv_no_type *)0 AMP_PRIV_FOR_RANKS(AMP_PRIV_INDEX_FOR_RANK, ~)))
#define AMP_PRIV_INDEX_FOR_RANK(N, unused) , const char(*)[N] : (amp_index##N *)0
/* The name of the index type of each rank. */
#define AMP_PRIV_INDEX_NAME(N, unused) "amp_index" #N,
__attribute__((unused)) static const char amp_priv_index_name[][12] = { "",
                                                                        AMP_PRIV_FOR_RANKS(AMP_PRIV_INDEX_NAME, ~) };

/* The scope of a kernel body on the CPU backend; kind is 1, or AMP_PRIV_IN_TILED_KERNEL. A kernel in a kernel is
   refused. */
#define AMP_PRIV_KERNEL_SCOPE(kind, captures)                                                                          \
    enum { amp_##priv_in_kernel = kind | (amp_priv_is_good && !amp_priv_in_kernel ? 0 : AMP_PRIV_REFUSED) };           \
    AMP_PRIV_NAME_PRINTF                                                                                               \
    AMP_PRIV_EACH(AMP_PRIV_DECLARE, ~, captures)

/* An index argument is `idx` or `(row, col)`. */
#define AMP_PRIV_NAMES_IN(index)      AMP_PRIV_CAT(AMP_PRIV_NAMES_IN_, AMP_PRIV_IS_WRAPPED(index))(index)
#define AMP_PRIV_NAMES_IN_0(index)    1
#define AMP_PRIV_NAMES_IN_1(names)    AMP_PRIV_COUNT names
#define AMP_PRIV_DECLARE_INDEX(index) AMP_PRIV_CAT(AMP_PRIV_DECLARE_INDEX_, AMP_PRIV_IS_WRAPPED(index))(index)
/* The name of its type is what a compiler says of `i + 1` or `int n = i`. */
#define AMP_PRIV_DECLARE_INDEX_0(name)                                                                                 \
    typedef __typeof__(amp_priv_index) amp_index_is_no_int_write_it_in_parentheses;                                    \
    amp_index_is_no_int_write_it_in_parentheses name = amp_priv_index;                                                 \
    (void)name;
#define AMP_PRIV_DECLARE_INDEX_1(names) AMP_PRIV_EACH(AMP_PRIV_COMPONENT, AMP_PRIV_COUNT names, names)
#define AMP_PRIV_COMPONENT(n, count, name)                                                                             \
    int name = amp_priv_index.v[count - n];                                                                            \
    (void)name;

/* // >>tiles
   AMP_TILED(extent, (T0, T1), tile, AMP_CAPTURE(...), { body }): runs the body once per tile of T0 x T1 threads.
   AMP_TILED_ON(view, extent, (T0, T1), tile, AMP_CAPTURE(...), { body }): runs the body on an accelerator view.
   The body is uniform (tile-scope) code around phases. A phase, AMP_THREADS(tile, t) { ... }, is what every thread
   does between two barriers. Uniform code runs once per tile on the CPU and once per thread on a device. So it reads
   anything and controls the phases, but it must not write views or tile_static memory. A phase must not write locals
   of uniform code: use AMP_PRIVATE.
   extent  amp_extentN or amp_tiled_extentN of rank 1 to 3, divisible by the tile; evaluated once
   T0, T1  constants, one per dimension: the threads of a tile
   tile  the name of the tile in the body, an amp_tileN
   body  as for AMP_PARALLEL_FOR_EACH
   view  amp_accelerator_view
   Result: none; amp_launch_status() has the status.
   Errors: AMP_INVALID_COMPUTE_DOMAIN (a negative or indivisible extent, a tile above the device's limit), else those
   of AMP_PARALLEL_FOR_EACH. Blocking: no on devices; yes on the CPU backend. Threads: any. Cost: as
   AMP_PARALLEL_FOR_EACH. Source: parallel_for_each(tiled_extent). See: AMP_THREADS, AMP_TILE_STATIC,
   amp_barrier_wait */
#define AMP_TILED(extent, tile_dimensions, tile, captures, ...)                                                        \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_TILED"));                                                               \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_CAT3(AMP_PRIV_TILED_, AMP_PRIV_IS_WRAPPED(tile_dimensions), AMP_PRIV_IS_LIST(captures))               \
        (1, NULL, AMP_PRIV_TEXT_, (amp_accelerator_view){ NULL }, extent, tile_dimensions, tile,                       \
         AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                                                        \
    } while (0)
#define AMP_TILED_ON(view, extent, tile_dimensions, tile, captures, ...)                                               \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_TILED"));                                                               \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_CAT3(AMP_PRIV_TILED_, AMP_PRIV_IS_WRAPPED(tile_dimensions), AMP_PRIV_IS_LIST(captures))               \
        (1, NULL, AMP_PRIV_TEXT_, view, extent, tile_dimensions, tile, AMP_PRIV_UNWRAP captures,                       \
         __VA_ARGS__)                                                                                                  \
    } while (0)

#define AMP_PRIV_TILED_10(...)                                                                                         \
    _Static_assert(0, AMP_PRIV_NO_CAPTURES("AMP_TILED(extent, (16), tile, AMP_CAPTURE(a, b), { body })",               \
                                           "AMP_TILED_ON"));
#define AMP_PRIV_TILED_00(loops, template, text, view, extent, tile, ...) _Static_assert(0, AMP_PRIV_NO_TILE(tile));
#define AMP_PRIV_TILED_01(loops, template, text, view, extent, tile, ...) _Static_assert(0, AMP_PRIV_NO_TILE(tile));
#define AMP_PRIV_TILED_FROM(template, parts, view, extent, tile_dimensions, tile, captures, ...)                       \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_TILED"));                                                               \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_NO_SUBSCRIPTS(captures, #__VA_ARGS__)                                                                 \
        AMP_PRIV_TILED_11(1, template, parts AMP_PRIV_NOT, view, extent, tile_dimensions, tile,                        \
                          AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                                       \
    } while (0)
#define AMP_PRIV_CPU_TILED_0(...)
#define AMP_PRIV_CPU_TILED_1 AMP_PRIV_CPU_TILED
#define AMP_PRIV_TILED_11(loops, template, text, view, launch_extent, tile_dimensions, tile_name, captures, ...)       \
    do { /* first: up to gcc 11 the pragma of an AMP_UNROLL in the body comes to stand before it */                    \
        AMP_PRIV_QUIET_BEGIN                                                                                           \
        AMP_PRIV_RANK_TYPE(launch_extent, )                                                                            \
        enum {                                                                                                         \
            amp_##priv_is_domain = 0,                                                                                  \
            amp_##priv_is_extent = sizeof(amp_priv_rank_type) - 1,                                                     \
            amp_##priv_is_good = amp_priv_is_extent == AMP_PRIV_COUNT tile_dimensions                                  \
        };                                                                                                             \
        _Static_assert(AMP_PRIV_COUNT tile_dimensions <= 3, "amp: a tile has 1 to 3 dimensions");                      \
        _Static_assert(AMP_PRIV_IN_TIME);                                                                              \
        _Static_assert(amp_priv_is_extent, AMP_PRIV_NO_EXTENT("AMP_TILED"));                                           \
        _Static_assert(!amp_priv_is_extent || amp_priv_is_good,                                                        \
                       "amp: the tile " AMP_PRIV_TEXT_(                                                                \
                           tile_dimensions) " must have one size per dimension of the extent");                        \
        const __typeof__(AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_COUNT tile_dimensions)) amp_##priv_extent =      \
            AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_COUNT tile_dimensions);                                       \
        AMP_PRIV_CAT(AMP_PRIV_TILE_SIZES_, AMP_PRIV_COUNT tile_dimensions)                                             \
        tile_dimensions _Static_assert((int)amp_priv_threads_x > 0 && (int)amp_priv_threads_y > 0 &&                   \
                                           (int)amp_priv_threads_z > 0,                                                \
                                       "amp: every size of the tile " AMP_PRIV_TEXT_(                                  \
                                           tile_dimensions) " must be a positive constant");                           \
        AMP_PRIV_RECORD(view, 1, AMP_PRIV_TEXT(tile_name), AMP_PRIV_COUNT tile_dimensions,                             \
                        AMP_PRIV_CAT(AMP_PRIV_TILE_NAMES_, AMP_PRIV_COUNT tile_dimensions), captures, template,        \
                        text(__VA_ARGS__), loops)                                                                      \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(1, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(2, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(4, captures));                                                            \
        _Static_assert(AMP_PRIV_CAPTURES_FIT(8, captures));                                                            \
        AMP_PRIV_RUN(amp_priv_start(&amp_priv_this_launch, &amp_priv_this_site, view, (const int *)&amp_priv_extent,   \
                                    sizeof amp_priv_extent / sizeof(int), amp_priv_captured)){                         \
            AMP_PRIV_CAT(AMP_PRIV_CPU_TILED_, loops)                                                                   \
                              (AMP_PRIV_CAT(amp_tile, AMP_PRIV_COUNT tile_dimensions), amp_priv_extent,                \
                               ((const int[]){ AMP_PRIV_UNWRAP tile_dimensions }), tile_name,                          \
                               AMP_PRIV_KERNEL_SCOPE(AMP_PRIV_IN_TILED_KERNEL, captures)                               \
                                   AMP_PRIV_TILE_SCOPE(tile_name, AMP_PRIV_COUNT tile_dimensions),                     \
                               __VA_ARGS__)                                                                            \
        } AMP_PRIV_QUIET_END                                                                                           \
    } while (0);

/* Bounds of a phase's loops, as constants: z, y, x, the last dimension being x. */
#define AMP_PRIV_TILE_SIZES_1(x)    AMP_PRIV_TILE_SIZES_3(1, 1, x)
#define AMP_PRIV_TILE_SIZES_2(y, x) AMP_PRIV_TILE_SIZES_3(1, y, x)
#define AMP_PRIV_TILE_SIZES_3(z, y, x)                                                                                 \
    enum {                                                                                                             \
        amp_##priv_threads_z = AMP_PRIV_CONSTANT_OR_0(z),                                                              \
        amp_##priv_threads_y = AMP_PRIV_CONSTANT_OR_0(y),                                                              \
        amp_##priv_threads_x = AMP_PRIV_CONSTANT_OR_0(x)                                                               \
    };
#define AMP_PRIV_TILE_NAMES_1        (amp_priv_threads_x)
#define AMP_PRIV_TILE_NAMES_2        (amp_priv_threads_y, amp_priv_threads_x)
#define AMP_PRIV_TILE_NAMES_3        (amp_priv_threads_z, amp_priv_threads_y, amp_priv_threads_x)
#define AMP_PRIV_TILE_SCOPE(tile, N) AMP_PRIV_TILE_SCOPE_(tile, N)
#define AMP_PRIV_TILE_SCOPE_(tile, N)                                                                                  \
    typedef struct amp_priv_is_tile_##tile amp_priv_the_tile __attribute__((unused));                                  \
    typedef amp_tiled_index##N amp_priv_tiled_index __attribute__((unused));                                           \
    typedef amp_tile_in_threads##N amp_priv_tile_in_threads __attribute__((unused));

/* // >>runtime: what the macros call. */

/* The end of a launch for its caller: the CPU backend has run it, or a device has the kernel (and, in checked builds,
   has run it). True: the loops are to run once more, to compare, or over another part of the extent. */
AMP_PRIV_API bool amp_priv_finish_slowly(amp_priv_launch *launch);
static inline bool amp_priv_finish(amp_priv_launch *launch)
{
    return amp_priv_launch_has_hooks(launch) && amp_priv_finish_slowly(launch);
}

/* Around the loops. */
#define AMP_PRIV_RUN(...)                                                                                              \
    for (bool amp_##priv_runs = __VA_ARGS__; amp_priv_runs; amp_priv_runs = amp_priv_finish(&amp_priv_this_launch))

AMP_PRIV_API bool amp_priv_start(amp_priv_launch *launch, amp_priv_launch_site *site, amp_accelerator_view view,
                                 const int *values, size_t ints, void *const *captured) AMP_PRIV_NEEDS(amp_priv_start);

#endif /* AMP_API_LAUNCH_H */
