/* SPDX-License-Identifier: MIT */
/*  amp/api/tile.h - tiles: phases, tile_static memory, private variables, barriers

    Contents (search for the tag):
        >>tile  >>phase  >>variables  >>barrier */
#ifndef AMP_API_TILE_H
#define AMP_API_TILE_H

#include "checked_access.h"
#include "element.h"

/* // >>tile */

/* The tile in uniform code, and inside AMP_THREADS, where it has no barrier: that would wait for threads that may never
   arrive. */
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
/* amp_tileN: the tile in the body of AMP_TILED, N is 1 to 3: members tile (its number), tile_origin, barrier.
   amp_tile_in_threadsN: the tile inside AMP_THREADS: members tile and tile_origin.
   amp_tile_barrier: the type of the member barrier.
   Source: tiled_index::tile, tile_origin, tile_barrier. */
#define AMP_PRIV_TILE_GLOBAL(d, i)     tile.tile_origin.v[d] + i
#define AMP_PRIV_TILE_LOCAL(d, i)      i
#define AMP_PRIV_TILE_EXPANDED(N, ...) AMP_PRIV_SHARED(tile##N, __VA_ARGS__);
#define AMP_PRIV_TILE(N, unused)                                                                                       \
    AMP_PRIV_TILE_EXPANDED(                                                                                            \
            N, AMP_PRIV_TILE_TEXT(N, amp_tile##N, amp_tile_in_threads##N, amp_tiled_index##N, amp_index##N))
AMP_PRIV_SHARED(tile_barrier, typedef struct amp_tile_barrier { int amp_priv; } amp_tile_barrier;);
AMP_PRIV_FOR_RANKS_3(AMP_PRIV_TILE, ~)

/* // >>phase */

/* Before a loop over threads: make vectors of it. The threads are independent of each other, but an array that the
   body declares is one variable for all iterations. gcc's `omp simd` keeps such an array for each lane of a vector,
   and takes no loop of a phase (its condition is no plain comparison). clang's promises (assume_safety, its `omp
   simd`) and gcc's ivdep mix the lanes up: there the compiler has to prove that the iterations are independent, which
   it cannot where an index is read from a view. */
#if defined(__clang__)
#define AMP_PRIV_VECTORS          _Pragma("clang loop vectorize(enable)")
#define AMP_PRIV_NO_VECTORS       _Pragma("clang loop vectorize(disable) unroll(disable)")
#define AMP_PRIV_LAUNCH_VECTORS   AMP_PRIV_CAT(AMP_PRIV_LAUNCH_VECTORS_, AMP_NO_PRIVATE_ARRAYS)
#define AMP_PRIV_LAUNCH_VECTORS_0 AMP_PRIV_VECTORS
#define AMP_PRIV_LAUNCH_VECTORS_1 _Pragma("clang loop vectorize(assume_safety)")
#elif defined(_OPENMP) && __GNUC__ >= 12 /* gcc 11 moves a pragma in a macro's argument before what the macro becomes */
#define AMP_PRIV_VECTORS
#define AMP_PRIV_NO_VECTORS
#define AMP_PRIV_LAUNCH_VECTORS _Pragma("omp simd")
#else
#define AMP_PRIV_VECTORS
#define AMP_PRIV_NO_VECTORS
#define AMP_PRIV_LAUNCH_VECTORS
#endif

/* AMP_THREADS(tile, t) { ... }: a phase of a tiled body: every thread of the tile runs the block.
   `continue` ends the phase for one thread. A barrier stands between phases: end the phase, call amp_barrier_wait,
   begin the next one.
   tile  the tile of AMP_TILED
   t  the name of the thread's amp_tiled_indexN: t.global, t.local, t.tile, t.tile_origin
   Result: none; a statement.
   Errors: outside the body of AMP_TILED, and inside another phase, it does not compile. Blocking: no. Threads: runs
   on all threads of the tile. Cost: none on devices, a loop on the CPU backend. Source: the code between two
   barriers of a tiled lambda. */
#define AMP_THREADS(...)                                                                                               \
    AMP_PRIV_CAT(AMP_PRIV_THREADS_, AMP_PRIV_HAS_MORE(__VA_ARGS__))                                                    \
    (AMP_PRIV_MAY_BEGIN_HERE(AMP_PRIV_HAS_MORE(__VA_ARGS__) && !AMP_PRIV_NAMES_TILE(AMP_PRIV_SECOND(__VA_ARGS__, _))), \
     __VA_ARGS__)
#define AMP_PRIV_THREADS_0(begin, t) /* refused */                                                                     \
    for (int amp_##priv_once = begin; amp_priv_once; amp_priv_once = 0)                                                \
        AMP_PRIV_ONCE(const amp_priv_tiled_index t = { .local = { .v = { 0 } } }, 0)
#define AMP_PRIV_THREADS_1(begin, tile, ...)                                                                           \
    AMP_PRIV_EACH_ROW_OF(tile, begin)                                                                                  \
        AMP_PRIV_EACH_THREAD(x, 0)                                                                                     \
            AMP_PRIV_ONCE(const amp_priv_tiled_index __VA_ARGS__ = AMP_PRIV_THIS_THREAD, 0)
/* The same in kernels of the library, which are right: macros of macros write their assertions into the object. */
#define AMP_PRIV_THREADS(tile, t)                                                                                      \
    AMP_PRIV_EACH_ROW_OF(tile, 1)                                                                                      \
        AMP_PRIV_EACH_THREAD(x, 0)                                                                                     \
            AMP_PRIV_ONCE(const amp_priv_tiled_index t = AMP_PRIV_THIS_THREAD, 0)
/* The rows of a tile's threads; the loop over a row follows. */
#define AMP_PRIV_EACH_ROW_OF(tile, begin) AMP_PRIV_EACH_ROW(tile, begin) AMP_PRIV_VECTORS
#define AMP_PRIV_EACH_ROW(tile, begin)                                                                                 \
    for (int amp_##priv_once = begin; amp_priv_once; amp_priv_once = 0)                                                \
        AMP_PRIV_ONCE(const __typeof__(tile) amp_priv_whole_tile = tile, AMP_PRIV_VISIT_END)                           \
        AMP_PRIV_ONCE(const amp_priv_tile_in_threads tile = AMP_PRIV_TILE_IN_THREADS, 0)                               \
        AMP_PRIV_EACH_THREAD(z, 2)                                                                                     \
            AMP_PRIV_EACH_THREAD(y, 1)
#define AMP_PRIV_MAY_BEGIN_HERE(in_order)                                                                              \
    AMP_PRIV_HOST_OR_DEVICE(1 + 0 * (int)AMP_PRIV_MAY_BEGIN(AMP_PRIV_IS_UNIFORM && (in_order)), "1")
#define AMP_PRIV_MSG_NO_PHASE                                                                                          \
    "amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED; phases cannot "  \
    "be nested"
/* Is the name that of the tile of this AMP_TILED? Of a name that was never declared, too. */
#define AMP_PRIV_NAMES_TILE(name)                                                                                      \
    _Generic((struct AMP_PRIV_CAT(amp_priv_is_tile_, name) *)0, amp_priv_the_tile *: 1, default: 0)
typedef struct amp_priv_no_tile amp_priv_the_tile;
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
/* AMP_UNROLL for (...): writes the iterations of the loop out where that makes a phase fast.
   clang vectorises a phase across its threads only when no loop is left inside it, and devices keep arrays in
   registers. gcc keeps the loop, which is faster there. For short loops with a constant number of iterations.
   Source: none. */
#define AMP_UNROLL AMP_PRIV_UNROLL
/* AMP_ANY_ORDER(x) for (...): lets the loop add to a variable in any order, and in parts.
   The CPU backend then vectorises a thread's own sum, which C forbids for floating-point numbers (N-body: 4 to 8
   times as fast; gcc needs -fopenmp for it). The last bits of such sums differ between backends. The iterations
   depend on each other by these sums alone, and no iteration leaves the loop.
   x  the names of one or more local variables to which the loop adds: x += ...
   Result: none; stands before a loop.
   Errors: an element, AMP_ANY_ORDER(sums[k]), does not compile with gcc and -fopenmp. Blocking: no. Threads: any.
   Cost: none. Source: none. */
#define AMP_ANY_ORDER(...) AMP_PRIV_ANY_ORDER(__VA_ARGS__)

/* // >>variables
   AMP_TILE_STATIC(type, name, [A][B]): declares memory that the threads of a tile share.
   AMP_PRIVATE(type, name, [A][B]): declares a variable of each thread that lives from phase to phase.
   AMP_OWN(name), AMP_OWN(name, i, j): the calling thread's AMP_PRIVATE variable, or an element of it.
   These stand in uniform code, also in a loop. They are not initialised.
   type  a type that kernels know
   name  the variable's name
   A, B  optional constants: the extents of an array; AMP_PRIVATE takes at most 3
   i, j  an int for each dimension
   Result: AMP_OWN is an lvalue; the others are declarations.
   Errors: dimensions that are not constant, and more than 1 MiB per tile, do not compile; AMP_UNSUPPORTED_FEATURE or
   AMP_COMPILATION_FAILED for more than the device's local memory. Blocking: no. Threads: all of one tile. Cost:
   local memory; registers for AMP_PRIVATE. Source: tile_static, a local variable of a tiled lambda. See:
   amp_accelerator_tile_static_memory */
#define AMP_TILE_STATIC(...)                                                                                           \
    AMP_PRIV_APART(amp_priv_is_tile_static, AMP_PRIV_MSG_APART("AMP_TILE_STATIC(" #__VA_ARGS__ ")", "AMP_TILE_STATIC"),\
                   AMP_PRIV_FIRST(__VA_ARGS__, ~), AMP_PRIV_SECOND(__VA_ARGS__, -, ~),                                 \
                   AMP_PRIV_DIMENSIONS_GIVEN(__VA_ARGS__, [], [], ~))                                                  \
    _Static_assert(AMP_PRIV_IS_UNIFORM, "amp: AMP_TILE_STATIC(" #__VA_ARGS__ ") is allowed only in the body of "       \
                   "AMP_TILED, outside of AMP_THREADS; pass tile_static memory to a function as "                      \
                   "AMP_TILE_POINTER(float) p");                                                                       \
    _Static_assert(AMP_PRIV_IS_CONSTANT(AMP_PRIV_CAT(AMP_PRIV_TILE_STATIC_SIZE_, AMP_PRIV_COUNT(__VA_ARGS__))          \
                                        (__VA_ARGS__)), AMP_PRIV_MSG_DIMENSIONS("AMP_TILE_STATIC(" #__VA_ARGS__ ")")); \
    AMP_PRIV_CAT(AMP_PRIV_TILE_STATIC_, AMP_PRIV_COUNT(__VA_ARGS__))(__VA_ARGS__)
/* A name without dimensions follows the type, and dimensions in brackets, if any, that. */
#define AMP_PRIV_MSG_APART(call, macro)                                                                                \
    "amp: " call ": type, name and dimensions are separate arguments: " macro "(float, block, [16])"
AMP_PRIV_ASKS(amp_priv_is_tile_static, AMP_PRIV_MSG_APART("AMP_TILE_STATIC", "AMP_TILE_STATIC"))
AMP_PRIV_ASKS(amp_priv_is_private, AMP_PRIV_MSG_APART("AMP_PRIVATE", "AMP_PRIVATE"))
#define AMP_PRIV_APART(check, message, type, name, dimensions)                                                         \
    AMP_PRIV_ASK(check, AMP_PRIV_IS_NAME(AMP_PRIV_TEXT(name)) &&                                                       \
                            !__builtin_strncmp(AMP_PRIV_TEXT(dimensions), "[", 1) && AMP_PRIV_IS_TYPE(type), message)
#define AMP_PRIV_DIMENSIONS_GIVEN(...)                      AMP_PRIV_DIMENSIONS_GIVEN_(__VA_ARGS__)
#define AMP_PRIV_DIMENSIONS_GIVEN_(type, name, third, ...)  third
#define AMP_PRIV_TILE_STATIC_SIZE_1(all)                    1
#define AMP_PRIV_TILE_STATIC_SIZE_2(type, name)             sizeof(type)
#define AMP_PRIV_TILE_STATIC_SIZE_3(type, name, dimensions) sizeof(type dimensions)
#define AMP_PRIV_TILE_STATIC_1(all)                         all
#define AMP_PRIV_TILE_STATIC_2(type, name)                  AMP_PRIV_TILE_STATIC_3(type, name, )
#define AMP_PRIV_TILE_STATIC_3(type, name, dimensions)                                                                 \
    AMP_PRIV_CHECK_BYTES("AMP_TILE_STATIC(" #type ", " #name ", " #dimensions ")", sizeof(type dimensions))            \
    AMP_PRIV_TILE_STATIC(type, name, dimensions)
#define AMP_PRIV_TILE_STATIC(type, name, dimensions)                                                                   \
    AMP_PRIV_TILE_STATIC_SEEN AMP_PRIV_TILE_STATIC_MEMORY type name dimensions AMP_PRIV_FIRST_VALUE(name)
/* AMP_TILE_POINTER(type): the type of the address of a tile_static variable, in a kernel or an AMP_FUNCTION.
   AMP_TILE_POINTER(float) p = &s[i]. On the host it is float *. Devices distinguish tile_static memory from the
   memory of views: see AMP_ELEMENT_POINTER.
   type  the variable's type
   Result: a type.
   Errors: none. Blocking: no. Threads: the tile's. Cost: none. Source: float & of restrict(amp). */
#define AMP_TILE_POINTER(type) AMP_PRIV_TILE_STATIC_POINTER(type)
#if defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_TILE_STATIC_SEEN static _Thread_local /* the sanitizer ignores local variables */
#else
#define AMP_PRIV_TILE_STATIC_SEEN
#endif

/* Uniform code is in the scope of a tiled kernel and outside of phases; there this name is the tile. */
enum { AMP_PRIV_IN_TILED_KERNEL = 2 /* of amp_priv_in_kernel */ };
extern char amp_priv_whole_tile; /* there is none */
#define AMP_PRIV_IS_UNIFORM                                                                                            \
    (((int)amp_priv_in_kernel & AMP_PRIV_REFUSED) || (((int)amp_priv_in_kernel & 3) == AMP_PRIV_IN_TILED_KERNEL &&     \
                                                      _Generic(amp_priv_whole_tile, char : 1, default : 0)))

/* The main thread has 8 MiB of stack, mostly, and so has each of OpenMP's. */
enum { AMP_PRIV_MAX_TILE_BYTES = 1 << 20 };
#define AMP_PRIV_MSG_DIMENSIONS(call)                                                                                  \
    "amp: " call ": its dimensions must be constants: numbers, macros, or enumerators captured by AMP_CONSTANT"
#define AMP_PRIV_CHECK_BYTES(call, bytes)                                                                              \
    _Static_assert(AMP_PRIV_CONSTANT_OR_0(bytes) <= AMP_PRIV_MAX_TILE_BYTES, "amp: " call                              \
                   ": the limit for one variable of a tile is 1 MiB, as the CPU backend keeps it on the stack; "       \
                   "devices have 32 to 228 KiB for all: work on smaller blocks, or use a view");

/* The threads of a row are the last dimension, so that what neighbours own lies side by side and phases vectorise
   across them (a blocked matrix product: 2 to 3 times as fast as with each thread's elements together). The others of
   the tile come first, so that what a row of threads owns is together in the cache (2% with clang). An array is in a
   struct, so that AMP_OWN(name)[i], which would be another thread's, does not compile. */
#define AMP_PRIVATE(type, ...)                                                                                         \
    AMP_PRIV_APART(amp_priv_is_private, AMP_PRIV_MSG_APART("AMP_PRIVATE(" #type ", " #__VA_ARGS__ ")", "AMP_PRIVATE"), \
                   type, AMP_PRIV_FIRST(__VA_ARGS__, ~), AMP_PRIV_DIMENSIONS_GIVEN(type, __VA_ARGS__, [], ~))          \
    AMP_PRIV_CAT(AMP_PRIV_PRIVATE_, AMP_PRIV_COUNT(__VA_ARGS__))(type, __VA_ARGS__)
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
    "amp: AMP_OWN is allowed only in a phase: AMP_THREADS(tile, t) { AMP_OWN(x) = 0; }"
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
   amp_barrier_wait(barrier): waits until all threads of the tile have finished the phases above; all see their writes.
   amp_barrier_wait_with_all_memory_fence(barrier): the same as amp_barrier_wait.
   amp_barrier_wait_with_global_memory_fence(barrier): makes the threads wait, and orders accesses to views.
   amp_barrier_wait_with_tile_static_memory_fence(barrier): makes the threads wait, and orders accesses to
   tile_static memory.
   barrier  the member barrier of the tile: tile.barrier
   Result: none.
   Errors: inside AMP_THREADS and outside AMP_TILED it does not compile. Blocking: the threads of the tile wait for
   each other. Threads: all of the tile. Cost: none on the CPU backend, a barrier on a device. Source:
   tile_barrier::wait, wait_with_all_memory_fence, wait_with_global_memory_fence, wait_with_tile_static_memory_fence. */
static inline void amp_barrier_wait(amp_tile_barrier barrier)
{
    (void)barrier; /* the end of a phase's loops is the barrier; only the search for missing barriers needs it */
    amp_priv_fibers_meet();
}
static inline void amp_barrier_wait_with_all_memory_fence(amp_tile_barrier barrier) { amp_barrier_wait(barrier); }
static inline void amp_barrier_wait_with_global_memory_fence(amp_tile_barrier barrier) { amp_barrier_wait(barrier); }
static inline void amp_barrier_wait_with_tile_static_memory_fence(amp_tile_barrier barrier)
{
    amp_barrier_wait(barrier);
}
/* amp_all_memory_fence(t): orders this thread's accesses to views and tile_static memory before those after it.
   amp_global_memory_fence(t): orders this thread's accesses to views.
   amp_tile_static_memory_fence(t): orders this thread's accesses to tile_static memory.
   For phases. A fence makes no thread wait.
   t  the thread's index, or the tile
   Result: none.
   Errors: none. Blocking: no. Threads: any of a tile. Cost: a fence instruction. Source: all_memory_fence,
   global_memory_fence, tile_static_memory_fence. */
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
