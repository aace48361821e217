/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/tile.h - operations of a tile, as one line of a tiled kernel: reduce, scan, rank.

    Call these in uniform code. They are phases with barriers before and after. `lane` is tile_static memory, whose
    first n elements have a value of each thread. The tile has one dimension and at least n threads. n is a constant.
    The operation is an expression of a and b, the left and the right operand; it must be associative.

    Contents (search for the tag):
        >>phase  >>reduce  >>scan */
#ifndef AMP_ALGORITHMS_TILE_H
#define AMP_ALGORITHMS_TILE_H

#include "subgroup.h"

/* // >>phase */

/* As AMP_THREADS, for the threads from `first` to `end` - 1 of a tile of one dimension; the CPU runs only these. */
#define AMP_PRIV_THREADS_IN(tile, t, first, end)                                                                       \
    AMP_PRIV_EACH_ROW_OF(tile, AMP_PRIV_MAY_BEGIN_HERE(1)) AMP_PRIV_THREADS_FROM(t, first, end)
/* The same of what runs seldom, or for few threads: the CPU backend makes no vectors, which take long to compile. */
#define AMP_PRIV_THREADS_FEW(tile, t, first, end)                                                                      \
    AMP_PRIV_EACH_ROW(tile, AMP_PRIV_MAY_BEGIN_HERE(1)) AMP_PRIV_NO_VECTORS AMP_PRIV_THREADS_FROM(t, first, end)
#define AMP_PRIV_THREADS_FROM(t, first, end)                                                                           \
        for (int amp_priv_x = AMP_PRIV_HOST_OR_DEVICE(first, "amp_priv_thread_first(amp_priv_x, 0)");                  \
             AMP_PRIV_HOST_OR_DEVICE(amp_priv_x < (end), "amp_priv_thread_more(amp_priv_x, 0)");                       \
             AMP_PRIV_THREAD_NEXT(amp_priv_x, 0))                                                                      \
            AMP_PRIV_ONCE(const amp_priv_tiled_index t = AMP_PRIV_THIS_THREAD, 0)                                      \
                if (AMP_PRIV_HOST_OR_DEVICE(0, #t ".local.v[0] < (" #first ") || " #t                                  \
                                               ".local.v[0] >= (" #end ")")) {} else

/* How many bits of a name's value are set. */
#define AMP_PRIV_ONES(bits)                                                                                            \
    AMP_PRIV_HOST_OR_DEVICE((uint32_t)__builtin_popcount(bits), "amp_priv_ones(" #bits ")")

/* // >>reduce
   AMP_TILE_REDUCE(tile, T, lane, n, operation): lane[0] = lane[0] op ... op lane[n - 1], as a tree.
   AMP_TILE_SUM(tile, T, lane, n), AMP_TILE_MIN(tile, T, lane, n), AMP_TILE_MAX(tile, T, lane, n): the same for a
   sum, minimum or maximum.
   First lane[i] op lane[i + n/2], then n/4, and so on. The other lanes have undefined values then. Uniform code of a
   tiled body, with barriers before and after.
   tile  the tile of AMP_TILED, of rank 1, with at least n threads
   T  the type of the lanes
   lane  tile_static memory; its first n elements have a value of each thread
   n  a constant, a power of two
   operation  an expression of a and b, the left and the right operand; associative
   Result: none; a statement.
   Errors: none. Blocking: the threads of the tile wait for each other. Threads: all of the tile. Cost: log2(n)
   steps. Source: none. */
#define AMP_TILE_REDUCE(...)                                                                                           \
    AMP_PRIV_TAKES(5, AMP_PRIV_TILE_REDUCE, "AMP_TILE_REDUCE", "tile, int, lane, 64, a + b", __VA_ARGS__)
#define AMP_PRIV_TILE_REDUCE(tile, T, lane, n, ...)                                                                    \
    AMP_PRIV_TILE_TREE("AMP_TILE_REDUCE", tile, T, lane, n, __VA_ARGS__)
#define AMP_PRIV_TILE_TREE(call, tile, T, lane, n, ...)                                                                \
    do {                                                                                                               \
        AMP_PRIV_TILE_IF(LANES, call, tile, T, lane, AMP_PRIV_HAS_OPERANDS(__VA_ARGS__))                               \
        _Static_assert(((n) & ((n) - 1)) == 0, "amp: " call " takes a power of two of lanes");                         \
        amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                                  \
        for (int amp_priv_half = (n) / 2; amp_priv_half > 0; amp_priv_half /= 2) {                                     \
            AMP_PRIV_THREADS_IN(tile, amp_priv_t, 0, amp_priv_half)                                                    \
            AMP_PRIV_COMBINE(T, (lane)[amp_priv_t.local.v[0]], (lane)[amp_priv_t.local.v[0]],                          \
                             (lane)[amp_priv_t.local.v[0] + amp_priv_half], __VA_ARGS__)                               \
            amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                              \
        }                                                                                                              \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_TILE_SUM(...)                                                                                              \
    AMP_PRIV_TAKES_JUST(4, AMP_PRIV_TILE_SUM, "AMP_TILE_SUM", "tile, int, lane, 64", __VA_ARGS__)
#define AMP_PRIV_TILE_SUM(tile, T, lane, n) AMP_PRIV_TILE_TREE("AMP_TILE_SUM", tile, T, lane, n, a + b)
#define AMP_TILE_MIN(...)                                                                                              \
    AMP_PRIV_TAKES_JUST(4, AMP_PRIV_TILE_MIN, "AMP_TILE_MIN", "tile, int, lane, 64", __VA_ARGS__)
#define AMP_PRIV_TILE_MIN(tile, T, lane, n) AMP_PRIV_TILE_TREE("AMP_TILE_MIN", tile, T, lane, n, b < a ? b : a)
#define AMP_TILE_MAX(...)                                                                                              \
    AMP_PRIV_TAKES_JUST(4, AMP_PRIV_TILE_MAX, "AMP_TILE_MAX", "tile, int, lane, 64", __VA_ARGS__)
#define AMP_PRIV_TILE_MAX(tile, T, lane, n) AMP_PRIV_TILE_TREE("AMP_TILE_MAX", tile, T, lane, n, a < b ? b : a)

/* // >>scan
   AMP_TILE_SCAN(tile, T, lane, n, operation): lane[i] = lane[0] op ... op lane[i], for each of the n lanes.
   AMP_TILE_SCAN_SUM(tile, T, lane, n): the same for sums.
   A scan of flags 0 and 1, less the own flag, is the rank of a thread among those with a flag. Uniform code of a
   tiled body, with barriers before and after.
   tile  the tile of AMP_TILED, of rank 1, with at least n threads
   T  the type of the lanes
   lane  tile_static memory; its first n elements have a value of each thread
   n  a constant
   operation  an expression of a and b, the left and the right operand; associative
   Result: none; a statement.
   Errors: none. Blocking: the threads of the tile wait for each other. Threads: all of the tile. Cost: log2(n)
   steps. Source: none. */
#define AMP_TILE_SCAN(tile, T, lane, n, ...) AMP_PRIV_TILE_SCAN_IF("AMP_TILE_SCAN", tile, T, lane, n, __VA_ARGS__)
#define AMP_TILE_SCAN_SUM(tile, T, lane, n)  AMP_PRIV_TILE_SCAN_IF("AMP_TILE_SCAN_SUM", tile, T, lane, n, a + b)
#define AMP_PRIV_TILE_SCAN_IF(call, tile, T, lane, n, ...)                                                             \
    do {                                                                                                               \
        AMP_PRIV_TILE_IF(LANES, call, tile, T, lane, AMP_PRIV_HAS_OPERANDS(__VA_ARGS__))                               \
        AMP_PRIV_TILE_SCAN(tile, T, lane, n, __VA_ARGS__);                                                             \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_TILE_SCAN(tile, T, lane, n, ...)                                                                      \
    do {                                                                                                               \
        AMP_PRIVATE(T, amp_priv_scanned);                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                                  \
        for (int amp_priv_back = 1; amp_priv_back < (n); amp_priv_back *= 2) {                                         \
            AMP_PRIV_THREADS_IN(tile, amp_priv_t, amp_priv_back, n)                                                    \
            AMP_PRIV_COMBINE(T, AMP_OWN(amp_priv_scanned), (lane)[amp_priv_t.local.v[0] - amp_priv_back],              \
                             (lane)[amp_priv_t.local.v[0]], __VA_ARGS__)                                               \
            amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                              \
            AMP_PRIV_THREADS_IN(tile, amp_priv_t, amp_priv_back, n)                                                    \
            (lane)[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_scanned);                                                 \
            amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                              \
        }                                                                                                              \
    } while (0)

/* The same of 256 lanes, with 256 elements behind them: from one half of the memory to the other. A device takes two
   steps between barriers. */
#define AMP_PRIV_TILE_SCAN_LANES(tile, T, lane, ...)                                                                   \
    if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) {                                                                             \
        for (int amp_priv_back = 1, amp_priv_puts = 256; amp_priv_back < 256; amp_priv_back *= 2) {                    \
            const int amp_priv_gets = 256 - amp_priv_puts;                                                             \
            AMP_PRIV_THREADS_IN(tile, amp_priv_t, 0, amp_priv_back)                                                    \
            (lane)[amp_priv_puts + amp_priv_t.local.v[0]] = (lane)[amp_priv_gets + amp_priv_t.local.v[0]];             \
            AMP_PRIV_THREADS_IN(tile, amp_priv_t, amp_priv_back, 256)                                                  \
            AMP_PRIV_COMBINE(T, (lane)[amp_priv_puts + amp_priv_t.local.v[0]],                                         \
                             (lane)[amp_priv_gets + amp_priv_t.local.v[0] - amp_priv_back],                            \
                             (lane)[amp_priv_gets + amp_priv_t.local.v[0]], __VA_ARGS__)                               \
            amp_priv_puts = amp_priv_gets;                                                                             \
        }                                                                                                              \
    } else {                                                                                                           \
        amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                                  \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_back = 1; amp_priv_back < 256; amp_priv_back *= 4) {                                         \
            AMP_THREADS(tile, amp_priv_t) {                                                                            \
                const int amp_priv_there = amp_priv_back == 1 || amp_priv_back == 16 ? 256 : 0;                        \
                const int amp_priv_me = amp_priv_t.local.v[0], amp_priv_position = 256 - amp_priv_there + amp_priv_me; \
                T amp_priv_near = (lane)[amp_priv_position];                                                           \
                if (amp_priv_me >= amp_priv_back)                                                                      \
                    AMP_PRIV_COMBINE(T, amp_priv_near, (lane)[amp_priv_position - amp_priv_back], amp_priv_near,       \
                                     __VA_ARGS__)                                                                      \
                if (amp_priv_me >= 2 * amp_priv_back) {                                                                \
                    T amp_priv_far = (lane)[amp_priv_position - 2 * amp_priv_back];                                    \
                    if (amp_priv_me >= 3 * amp_priv_back)                                                              \
                        AMP_PRIV_COMBINE(T, amp_priv_far, (lane)[amp_priv_position - 3 * amp_priv_back], amp_priv_far, \
                                         __VA_ARGS__)                                                                  \
                    AMP_PRIV_COMBINE(T, amp_priv_near, amp_priv_far, amp_priv_near, __VA_ARGS__)                       \
                }                                                                                                      \
                (lane)[amp_priv_there + amp_priv_me] = amp_priv_near;                                                  \
            }                                                                                                          \
            amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);                                              \
        }                                                                                                              \
    }

#endif /* AMP_ALGORITHMS_TILE_H */
