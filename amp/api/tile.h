/* SPDX-License-Identifier: MIT */
/*  amp/api/tile.h - tiles: phases, tile_static memory, private variables, barriers

    Contents (search for the tag):
        >>tile  >>phase  >>variables  >>barrier */
#ifndef AMP_API_TILE_H
#define AMP_API_TILE_H

#include "visits.h"
#include "element.h"

/* // >>tile */

/* The tile in tile-uniform code, and what is left of it inside AMP_THREADS: there a barrier would wait for threads
   that may never come, so it has none. */
#define AMP_PRIV_TILE_TEXT(N, TILE, TILE_IN_THREADS, TILED_INDEX, INDEX)                                               \
    typedef struct TILE { INDEX tile; INDEX tile_origin; amp_tile_barrier barrier; } TILE;                             \
    typedef struct TILE_IN_THREADS { INDEX tile; INDEX tile_origin; } TILE_IN_THREADS;                                 \
    static inline TILED_INDEX amp_priv_thread_##N(TILE tile, int z, int y, int x)                                      \
    {                                                                                                                  \
        /* No loop here: gcc vectorises phases only when it sees through this at once. */                              \
        const TILED_INDEX t = {AMP_PRIV_TILE_EACH_##N(AMP_PRIV_TILE_GLOBAL),                                           \
                               AMP_PRIV_TILE_EACH_##N(AMP_PRIV_TILE_LOCAL),                                            \
                               tile.tile,                                                                              \
                               tile.tile_origin};                                                                      \
        (void)z, (void)y, (void)x;                                                                                     \
        return t;                                                                                                      \
    }
#define AMP_PRIV_TILE_EACH_1(X)                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            X(0, x)                                                                                                    \
        }                                                                                                              \
    }
#define AMP_PRIV_TILE_EACH_2(X)                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            X(0, y), X(1, x)                                                                                           \
        }                                                                                                              \
    }
#define AMP_PRIV_TILE_EACH_3(X)                                                                                        \
    {                                                                                                                  \
        {                                                                                                              \
            X(0, z), X(1, y), X(2, x)                                                                                  \
        }                                                                                                              \
    }
#define AMP_PRIV_TILE_GLOBAL(d, i)     tile.tile_origin.v[d] + i
#define AMP_PRIV_TILE_LOCAL(d, i)      i
#define AMP_PRIV_TILE_EXPANDED(N, ...) AMP_PRIV_SHARED(tile##N, __VA_ARGS__);
#define AMP_PRIV_TILE(N, unused)                                                                                       \
    AMP_PRIV_TILE_EXPANDED(                                                                                            \
            N, AMP_PRIV_TILE_TEXT(N, amp_tile##N, amp_tile_in_threads##N, amp_tiled_index##N, amp_index##N))
AMP_PRIV_SHARED(tile_barrier, typedef struct amp_tile_barrier { int amp_priv; } amp_tile_barrier;);
AMP_PRIV_FOR_RANKS_3(AMP_PRIV_TILE, ~)

/* // >>phase */

/* Before the loop over a launch's threads: make vectors of it. The compiler must prove that it may: the threads are
   independent, but what a body declares is one variable for all turns of the loop, and a promise (clang's
   assume_safety, gcc's ivdep) would cover it, too. An array in a body would get what another thread wrote. */
#if defined(__clang__)
#define AMP_PRIV_VECTORS _Pragma("clang loop vectorize(enable)")
#else
#define AMP_PRIV_VECTORS
#endif

/* AMP_THREADS(tile, t) { ... }: a phase of a tiled body; every thread of the tile runs the block.
   tile  the launch's tile; t  the name of the thread's amp_tiled_index: t.global, t.local, t.tile, t.tile_origin
   `continue` ends the phase for one thread. No barrier inside: end the phase, amp_barrier_wait, begin the next.
   Errors: outside of the body of AMP_TILED, and in another phase, it does not compile.
   Source: the code between barriers of a tiled lambda. */
#define AMP_THREADS(tile, ...)                                                                                         \
    AMP_PRIV_EACH_ROW_OF(tile, #__VA_ARGS__)                                                                           \
        AMP_PRIV_EACH_THREAD(x, 0)                                                                                     \
            AMP_PRIV_ONCE(const amp_priv_tiled_index __VA_ARGS__ = AMP_PRIV_THIS_THREAD, 0)
/* The rows of a tile's threads; the loop over a row follows. */
#define AMP_PRIV_EACH_ROW(tile) AMP_PRIV_EACH_ROW_OF(tile, "t")
#define AMP_PRIV_EACH_ROW_OF(tile, t)                                                                                  \
    for (int amp_priv_once = AMP_PRIV_HOST_OR_DEVICE(                                                                  \
                 1 + 0 * (int)AMP_PRIV_MAY_BEGIN(sizeof t > 1 && AMP_PRIV_IS_UNIFORM), "1");                           \
         amp_priv_once; amp_priv_once = 0)                                                                             \
        AMP_PRIV_ONCE(const __typeof__(tile) amp_priv_whole_tile = tile, AMP_PRIV_VISIT_END)                           \
        AMP_PRIV_ONCE(const amp_priv_tile_in_threads tile = AMP_PRIV_TILE_IN_THREADS, 0)                               \
        AMP_PRIV_EACH_THREAD(z, 2)                                                                                     \
            AMP_PRIV_EACH_THREAD(y, 1)                                                                                 \
                AMP_PRIV_VECTORS
#define AMP_PRIV_MSG_NO_PHASE                                                                                          \
    "amp: AMP_THREADS(tile, t) names its thread, and stands in the body of AMP_TILED, and in no other phase: end "     \
    "one, then begin the next; AMP_PARALLEL_FOR_EACH has no phases"
#if defined(__clang__) /* the last that it shows */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_may_begin(int is_uniform) __attribute__((diagnose_if(!is_uniform, AMP_PRIV_MSG_NO_PHASE, "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_MAY_BEGIN(is_uniform) sizeof(amp_priv_may_begin(is_uniform))
#else
#define AMP_PRIV_MAY_BEGIN(is_uniform)                                                                                 \
    sizeof(__extension__({                                                                                             \
        _Static_assert(is_uniform, AMP_PRIV_MSG_NO_PHASE);                                                             \
        0;                                                                                                             \
    }))
#endif
/* Where there is no tile, the rest of it finds these. */
enum { amp_priv_threads_z = 1, amp_priv_threads_y = 1, amp_priv_threads_x = 1 };
typedef amp_tile_in_threads1 amp_priv_tile_in_threads;
typedef amp_tiled_index1 amp_priv_tiled_index;
/* Declares a name for the next statement, by a for loop. All names of a phase share one flag, which each thread sets
   again: gcc vectorises with it, but not with a counter for each name. With a pointer for each name pocl treats uniform
   values as divergent (a sum: 0.7 of the speed). */
#define AMP_PRIV_ONCE(declaration, end) for (declaration; amp_priv_once; amp_priv_once = end)
#define AMP_PRIV_TILE_IN_THREADS                                                                                       \
    {                                                                                                                  \
        amp_priv_whole_tile.tile, amp_priv_whole_tile.tile_origin                                                      \
    }
/* A coordinate: every one of the tile on the host, the thread's own on a device. */
#define AMP_PRIV_VISIT_z 0
#define AMP_PRIV_VISIT_y 0
#define AMP_PRIV_EACH_THREAD(x, dimension)                                                                             \
    for (int amp_priv_##x = AMP_PRIV_THREAD_FIRST(amp_priv_##x, AMP_PRIV_VISIT_##x, dimension);                        \
         AMP_PRIV_THREAD_MORE(amp_priv_##x, amp_priv_threads_##x, dimension);                                          \
         AMP_PRIV_THREAD_NEXT(amp_priv_##x, dimension))
#define AMP_PRIV_THIS_THREAD                                                                                           \
    (amp_priv_once = 1, AMP_PRIV_VISIT_THREAD                                                                          \
     AMP_PRIV_THREAD(amp_priv_whole_tile)(amp_priv_whole_tile, amp_priv_z, amp_priv_y, amp_priv_x))
#define AMP_PRIV_THREAD(tile)                                                                                          \
    AMP_PRIV_HOST_OR_DEVICE(_Generic((tile), amp_tile1: amp_priv_thread_1, amp_tile2: amp_priv_thread_2,               \
                                     amp_tile3: amp_priv_thread_3),                                                    \
                            "amp_priv_thread")
/* AMP_UNROLL for (int k = 0; k < 16; k++) ...: the loop is written out as its turns, where that makes phases fast:
   clang vectorises a phase across its threads only when no loop is left inside it, and devices keep arrays in
   registers. gcc does better with the loop, and keeps it. For short loops with a constant number of turns. */
#define AMP_UNROLL AMP_PRIV_UNROLL
/* AMP_ANY_ORDER(x, y) for (int j = 0; j < n; j++) ...: what the loop adds to these variables, x += ..., it may add in
   any order, and in parts. A thread's own sum becomes vectors on the CPU loops then, which C forbids for numbers with
   fractions (a sum per thread, N-body: 4 to 8 times as fast; gcc needs -fopenmp for it). The last bits of such sums
   differ from backend to backend. The loop's turns depend on each other by these sums alone, and none leaves it. */
#define AMP_ANY_ORDER(...) AMP_PRIV_ANY_ORDER(__VA_ARGS__)

/* // >>variables
   AMP_TILE_STATIC(type, name, [A][B]): memory of a tile, shared by its threads; at most the device's local memory, and
   1 MiB, as the CPU loops have it on the stack.
   AMP_PRIVATE(type, name, [A][B]): a variable of each thread that lives on from phase to phase; AMP_OWN(name) is the
   calling thread's, AMP_OWN(name, i, j) an element of it where it has dimensions. Dimensions are optional constants, at
   most 3 for AMP_PRIVATE; neither is initialised. In tile-uniform code, also in a loop.
   Errors: dimensions that are not constant, and more than 1 MiB (AMP_PRIVATE: for the threads of a tile together), do
   not compile. Source: tile_static, a local variable of a tiled lambda. */
#define AMP_TILE_STATIC(...)                                                                                           \
    AMP_PRIV_TILE_STATIC_APART("AMP_TILE_STATIC(" #__VA_ARGS__ ")", AMP_PRIV_TEXT(AMP_PRIV_SECOND(__VA_ARGS__, ~)))    \
    _Static_assert(AMP_PRIV_IS_UNIFORM, "amp: AMP_TILE_STATIC(" #__VA_ARGS__ ") must stand in the body "               \
                   "of AMP_TILED, outside of AMP_THREADS; a function is given tile_static memory by a parameter "      \
                   "AMP_TILE_POINTER(float) p");                                                                       \
    _Static_assert(AMP_PRIV_IS_CONSTANT(AMP_PRIV_CAT(AMP_PRIV_TILE_STATIC_SIZE_, AMP_PRIV_COUNT(__VA_ARGS__))          \
                                        (__VA_ARGS__)), AMP_PRIV_MSG_DIMENSIONS("AMP_TILE_STATIC(" #__VA_ARGS__ ")"));\
    AMP_PRIV_CAT(AMP_PRIV_TILE_STATIC_, AMP_PRIV_COUNT(__VA_ARGS__))(__VA_ARGS__)
/* A name follows the type, and no dimension. */
#define AMP_PRIV_MSG_APART(call)                                                                                       \
    "amp: " call ": type, name and dimensions stand apart: AMP_TILE_STATIC(float, block, [16])"
#if defined(__clang__) /* the last that it shows */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_is_name(const char *name)
    __attribute__((diagnose_if(name[0] == '[' || name[0] == '~', AMP_PRIV_MSG_APART("AMP_TILE_STATIC"), "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_TILE_STATIC_APART(call, name) _Static_assert(sizeof(amp_priv_is_name(name)), "");
#else
#define AMP_PRIV_TILE_STATIC_APART(call, name)                                                                         \
    _Static_assert(!__builtin_strpbrk(name, "[~"), AMP_PRIV_MSG_APART(call));
#endif
#define AMP_PRIV_TILE_STATIC_SIZE_1(all)                    1
#define AMP_PRIV_TILE_STATIC_SIZE_2(type, name)             sizeof(type)
#define AMP_PRIV_TILE_STATIC_SIZE_3(type, name, dimensions) sizeof(type dimensions)
#define AMP_PRIV_TILE_STATIC_1(all)                         all
#define AMP_PRIV_TILE_STATIC_2(type, name)                  AMP_PRIV_TILE_STATIC_3(type, name, )
#define AMP_PRIV_TILE_STATIC_3(type, name, dimensions)                                                                 \
    AMP_PRIV_CHECK_BYTES("AMP_TILE_STATIC(" #type ", " #name ", " #dimensions ")", sizeof(type dimensions))            \
    AMP_PRIV_TILE_STATIC_SEEN AMP_PRIV_TILE_STATIC_MEMORY type name dimensions
#define AMP_TILE_POINTER(type) AMP_PRIV_TILE_STATIC_POINTER(type)
#if defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_TILE_STATIC_SEEN static _Thread_local /* the sanitizer does not look at a function's variables */
#else
#define AMP_PRIV_TILE_STATIC_SEEN
#endif

/* Tile-uniform code is in a tiled kernel's scope and in no phase, where this name is the tile. */
enum { AMP_PRIV_IN_TILED_KERNEL = 2 /* of amp_priv_in_kernel */ };
extern char amp_priv_whole_tile; /* there is none */
#define AMP_PRIV_IS_UNIFORM                                                                                            \
    (((int)amp_priv_in_kernel & 3) == AMP_PRIV_IN_TILED_KERNEL && _Generic(amp_priv_whole_tile, char: 1, default: 0))

/* The main thread has 8 MiB of stack, mostly, and so has each of OpenMP's. */
enum { AMP_PRIV_MAX_TILE_BYTES = 1 << 20 };
#define AMP_PRIV_MSG_DIMENSIONS(call)                                                                                  \
    "amp: " call ": its dimensions must be constants: numbers, macros, or enumerators captured by AMP_CONSTANT"
#define AMP_PRIV_CHECK_BYTES(call, bytes)                                                                              \
    _Static_assert(AMP_PRIV_CONSTANT_OR_0(bytes) <= AMP_PRIV_MAX_TILE_BYTES, "amp: " call                              \
                   ": a tile may have 1 MiB of one variable, which the CPU loops keep on the stack; devices have 32 "  \
                   "to 228 KiB for all of them: work on smaller blocks, or use a view");

/* The threads of a row are the last dimension, so that what neighbours own lies side by side and phases vectorise
   across them (a blocked matrix product: 2 to 3 times as fast as with each thread's elements together). The others of
   the tile come first, so that what a row of threads owns is together in the cache (2% with clang). An array is in a
   struct, so that AMP_OWN(name)[i], which would be another thread's, does not compile. */
#define AMP_PRIVATE(type, ...)         AMP_PRIV_CAT(AMP_PRIV_PRIVATE_, AMP_PRIV_COUNT(__VA_ARGS__))(type, __VA_ARGS__)
#define AMP_PRIV_PRIVATE_1(type, name) type AMP_PRIV_PRIVATE_EACH(name, )
#define AMP_PRIV_PRIVATE_2(type, name, dimensions)                                                                     \
    _Static_assert(AMP_PRIV_IS_CONSTANT(sizeof(type dimensions)),                                                      \
                   AMP_PRIV_MSG_DIMENSIONS("AMP_PRIVATE(" #type ", " #name ", " #dimensions ")"));                     \
    AMP_PRIV_CHECK_BYTES("AMP_PRIVATE(" #type ", " #name ", " #dimensions ")",                                         \
                         sizeof(type dimensions) * amp_priv_threads_z * amp_priv_threads_y * amp_priv_threads_x)       \
    struct {                                                                                                           \
        type AMP_PRIV_PRIVATE_EACH(v, dimensions);                                                                     \
    } name
#define AMP_PRIV_PRIVATE_EACH(variable, dimensions)                                                                    \
    variable[AMP_PRIV_OWN_COUNT(amp_priv_threads_z, 2)][AMP_PRIV_OWN_COUNT(amp_priv_threads_y, 1)]                     \
        dimensions[AMP_PRIV_OWN_COUNT(amp_priv_threads_x, 0)]
/* Outside of phases, where no thread owns anything, it finds these. */
#define AMP_PRIV_MSG_OWN                                                                                               \
    "amp: AMP_OWN is the calling thread's, and stands in a phase: AMP_THREADS(tile, t) { AMP_OWN(x) = 0; }"
#if __has_attribute(unavailable)
__attribute__((unavailable(AMP_PRIV_MSG_OWN))) extern int amp_priv_z;
#else
__attribute__((deprecated(AMP_PRIV_MSG_OWN))) extern int amp_priv_z;
#endif
extern int amp_priv_y, amp_priv_x;
#define AMP_OWN(...)                                                                                                   \
    AMP_PRIV_OWN(__VA_ARGS__, AMP_PRIV_OWN_4, AMP_PRIV_OWN_3, AMP_PRIV_OWN_2, AMP_PRIV_OWN_1, ~)(__VA_ARGS__)
#define AMP_PRIV_OWN(a1, a2, a3, a4, form, ...) form /* no pasting: clang shows a level less */
#define AMP_PRIV_OWN_1(name)                                                                                           \
    (name[AMP_PRIV_OWN_INDEX(amp_priv_z, 2)][AMP_PRIV_OWN_INDEX(amp_priv_y, 1)][AMP_PRIV_OWN_INDEX(amp_priv_x, 0)])
#define AMP_PRIV_OWN_2(name, i)       AMP_PRIV_OWN_OF((name).v, [i])
#define AMP_PRIV_OWN_3(name, i, j)    AMP_PRIV_OWN_OF((name).v, [i][j])
#define AMP_PRIV_OWN_4(name, i, j, k) AMP_PRIV_OWN_OF((name).v, [i][j][k])
#define AMP_PRIV_OWN_OF(variable, element)                                                                             \
    (variable[AMP_PRIV_OWN_INDEX(amp_priv_z, 2)][AMP_PRIV_OWN_INDEX(amp_priv_y, 1)]                                    \
         element[AMP_PRIV_OWN_INDEX(amp_priv_x, 0)])

/* // >>barrier
   amp_barrier_wait(tile.barrier), amp_barrier_wait_with_all_memory_fence, amp_barrier_wait_with_global_memory_fence,
   amp_barrier_wait_with_tile_static_memory_fence: every thread of the tile has finished the phases above, and sees
   what they wrote to the memory named. In tile-uniform code only: inside AMP_THREADS and in simple kernels they do
   not compile. Cost: nothing in the CPU loops, a barrier on a device. Source: tile_barrier::wait*.
   amp_all_memory_fence(t), amp_global_memory_fence(t), amp_tile_static_memory_fence(t): order of memory alone, in
   phases; t is the thread's index or the tile. Source: all_memory_fence and others. */
static inline void amp_barrier_wait(amp_tile_barrier barrier)
{
    (void)barrier; /* the end of a phase's loops is the barrier, but who looks for a missing one is told */
    amp_priv_fibers_meet();
}
static inline void amp_barrier_wait_with_all_memory_fence(amp_tile_barrier barrier) { amp_barrier_wait(barrier); }
static inline void amp_barrier_wait_with_global_memory_fence(amp_tile_barrier barrier) { amp_barrier_wait(barrier); }
static inline void amp_barrier_wait_with_tile_static_memory_fence(amp_tile_barrier barrier)
{
    amp_barrier_wait(barrier);
}
#define amp_all_memory_fence(t)         amp_priv_all_fence((t).tile_origin.v[0])
#define amp_global_memory_fence(t)      amp_priv_global_fence((t).tile_origin.v[0])
#define amp_tile_static_memory_fence(t) amp_priv_tile_static_fence((t).tile_origin.v[0])
static inline void amp_priv_all_fence(int tiled)
{
    (void)tiled;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static inline void amp_priv_global_fence(int tiled) { amp_priv_all_fence(tiled); }
static inline void amp_priv_tile_static_fence(int tiled) { amp_priv_all_fence(tiled); }

#endif /* AMP_API_TILE_H */
