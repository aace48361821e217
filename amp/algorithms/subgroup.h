/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/subgroup.h - operations of sub-groups: shuffle, reduce, scan, vote.

    A sub-group is n consecutive threads of a tile: the first n, the next n, ... The caller chooses n, so results are
    the same on every device. n is a power of two up to 32 that divides the tile. The tile has one dimension.

    Call these in uniform code. Each is a phase of its own, without a barrier: write a barrier before it if it reads
    tile_static memory that earlier phases wrote. x is an AMP_PRIVATE(T, x) of a thread. CUDA, NVIDIA's OpenCL and
    OpenCL devices with sub-groups exchange values in registers. Other devices use tile_static memory and their own
    barriers, the CPU backend copies elements. A work-item that runs several threads does it for each.

    Contents (search for the tag):
        >>fetch  >>reduce  >>scan  >>ballot */
#ifndef AMP_ALGORITHMS_SUBGROUP_H
#define AMP_ALGORITHMS_SUBGROUP_H

#include "../../amp.h"

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* Around an operation of a tile, in a body: its arguments are in the right order. rest: what is required besides a
   tile, a type, and an x that is no number. For clang the message names no macro. */
#define AMP_PRIV_TILE_IF(kind, name, tile, T, x, rest)                                                                 \
    AMP_PRIV_ASK(amp_priv_in_order_of_##kind, AMP_PRIV_TILE_IN_ORDER(tile, T, x) && (rest),                            \
                 AMP_PRIV_MSG_TILE_##kind(name))                                                                       \
    AMP_PRIV_BODY_IF(AMP_PRIV_TILE_IN_ORDER(tile, T, x) && (rest))
#define AMP_PRIV_THREAD_IF(kind, name, t) /* the same of the name of a thread, which may be no name yet */             \
    AMP_PRIV_ASK(amp_priv_in_order_of_##kind, !AMP_PRIV_NAMES_TILE(t), AMP_PRIV_MSG_TILE_##kind(name))                 \
    AMP_PRIV_BODY_IF(!AMP_PRIV_NAMES_TILE(t))
#define AMP_PRIV_TILE_IN_ORDER(tile, T, x)                                                                             \
    (_Generic(*(__typeof__(tile) *)0, AMP_PRIV_FOR_RANKS_3(AMP_PRIV_IS_TILE, ~) default : 0) && AMP_PRIV_IS_TYPE(T) && \
     (AMP_PRIV_IS_POINTER(*(__typeof__(x) *)0) || AMP_PRIV_IS_STRUCT(*(__typeof__(x) *)0)))
#define AMP_PRIV_IS_TILE(N, unused) amp_tile##N : 1, amp_tile_in_threads##N : 1,
#if defined(__clang__)
#define AMP_PRIV_HAS_OPERANDS(...)                                                                                     \
    (__builtin_strchr(AMP_PRIV_TEXT(__VA_ARGS__), 'a') && __builtin_strchr(AMP_PRIV_TEXT(__VA_ARGS__), 'b'))
#else
#define AMP_PRIV_HAS_OPERANDS(...) AMP_PRIV_HAS_A_AND_B(AMP_PRIV_TEXT(__VA_ARGS__))
#endif
#define AMP_PRIV_MSG_TILE_LANES(name)                                                                                  \
    "amp: " name ": one argument is in the place of another: the order is tile, int, lane, 64; an operation of "       \
    "a and b comes last"
#define AMP_PRIV_MSG_TILE_SUBGROUP(name)                                                                               \
    "amp: " name ": one argument is in the place of another: the order is tile, int, x, 32; an operation of a "        \
    "and b, or the thread that gives its x, comes last"
#define AMP_PRIV_MSG_TILE_SHUFFLE(name)                                                                                \
    "amp: " name ": one argument is in the place of another: the order is tile, t, int, x, 32, t.local.v[0] ^ 1"
#define AMP_PRIV_MSG_TILE_BALLOT(name)                                                                                 \
    "amp: " name ": one argument is in the place of another: the order is tile, t, mask, 32, AMP_AT(v, t.global) > 0"
AMP_PRIV_ASKS(amp_priv_in_order_of_LANES, AMP_PRIV_MSG_TILE_LANES("an operation of a tile"))
AMP_PRIV_ASKS(amp_priv_in_order_of_SUBGROUP, AMP_PRIV_MSG_TILE_SUBGROUP("an operation of a sub-group"))
AMP_PRIV_ASKS(amp_priv_in_order_of_SHUFFLE, AMP_PRIV_MSG_TILE_SHUFFLE("AMP_SUBGROUP_SHUFFLE"))
AMP_PRIV_ASKS(amp_priv_in_order_of_BALLOT, AMP_PRIV_MSG_TILE_BALLOT("AMP_SUBGROUP_BALLOT"))

/* // >>fetch
   AMP_SUBGROUP_SHUFFLE(tile, t, T, x, n, from): each thread's x becomes that of another thread of its sub-group.
   AMP_SUBGROUP_BROADCAST(tile, T, x, n, from): every thread's x becomes that of one thread.
   A sub-group is n adjacent threads of a tile. Call it in uniform code; it is a phase of its own, without a
   barrier: put one before it if it reads tile_static memory that earlier phases wrote.
   tile  the tile of AMP_TILED, of rank 1
   t  the name of the thread's index in `from`
   T  the type of x
   x  a variable of AMP_PRIVATE(T, x)
   n  a power of two up to 32 that divides the tile
   from  an int expression of t, modulo n: t.local.v[0] ^ 1; of AMP_SUBGROUP_BROADCAST an int
   Result: none; a statement.
   Errors: none. Blocking: the threads of the sub-group wait for each other. Threads: all of the tile. Cost: one step
   between registers where a device has sub-groups, else tile_static memory and barriers. Source: none. */
#define AMP_SUBGROUP_SHUFFLE(tile, t, T, x, n, from)                                                                   \
    do {                                                                                                               \
        AMP_PRIV_THREAD_IF(SHUFFLE, "AMP_SUBGROUP_SHUFFLE", t)                                                         \
        AMP_PRIV_TILE_IF(SHUFFLE, "AMP_SUBGROUP_SHUFFLE", tile, T, x, AMP_PRIV_LACKS(#n, "."))                         \
        AMP_PRIV_SUBGROUP_SHUFFLE("AMP_SUBGROUP_SHUFFLE", tile, t, T, x, n, from);                                     \
        AMP_PRIV_BODY_IF_END                                                                                           \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_SUBGROUP_BROADCAST(tile, T, x, n, from)                                                                    \
    do {                                                                                                               \
        AMP_PRIV_TILE_IF(SUBGROUP, "AMP_SUBGROUP_BROADCAST", tile, T, x, AMP_PRIV_LACKS(#n, "."))                      \
        AMP_PRIV_SUBGROUP_SHUFFLE("AMP_SUBGROUP_BROADCAST", tile, amp_priv_any, T, x, n, from);                        \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SUBGROUP_SHUFFLE(call, tile, t, T, x, n, from)                                                        \
    do {                                                                                                               \
        AMP_PRIVATE(T, amp_priv_fetched);                                                                              \
        AMP_PRIV_SUBGROUP_CHECK(call, tile, T, x, n)                                                                   \
        AMP_PRIV_SUBGROUP_FETCH(tile, t, T, amp_priv_fetched, x, n, from)                                              \
        AMP_THREADS(tile, amp_priv_t) { AMP_OWN(x) = AMP_OWN(amp_priv_fetched); }                                      \
    } while (0)

#define AMP_PRIV_SUBGROUP_CHECK(call, tile, T, x, n)                                                                   \
    _Static_assert((n) > 0 && (n) <= 32 && ((n) & ((n) - 1)) == 0, "amp: " call ": a sub-group has 1, 2, 4, 8, 16 or " \
                   "32 threads");                                                                                      \
    _Static_assert(_Generic((tile), amp_tile1 : 1, default : 0),                                                       \
                   "amp: " call ": the tile has one dimension: launch over rows * columns elements in tiles of (256), "\
                   "and compute row and column from the index");                                                       \
    _Static_assert(amp_priv_threads_x % (n) == 0, "amp: " call ": the tile must be whole sub-groups");                 \
    _Static_assert(_Generic((x), T(*)[amp_priv_threads_y][amp_priv_threads_x] : 1, default : 0),                       \
                   "amp: " call ": " #x " must be an AMP_PRIVATE(" #T ", " #x "), without dimensions");

/* Each thread's `fetched` becomes x of the thread that `from` says. A device's text has both ways, of which the target
   says which it is, and no condition around a barrier, of which pocl would make two programs. */
#define AMP_PRIV_SUBGROUP_FETCH(tile, t, T, fetched, x, n, from)                                                       \
    AMP_PRIV_SUBGROUP_GIVE(tile, T, x)                                                                                 \
    AMP_THREADS(tile, t) {                                                                                             \
        const int amp_priv_from = (t.local.v[0] & ~((n) - 1)) | ((int)(from) & ((n) - 1));                             \
        typedef T amp_priv_fetch_T;                                                                                    \
        amp_priv_fetch_T amp_priv_given = AMP_OWN(x);                                                                  \
        (void)amp_priv_given;                                                                                          \
        AMP_OWN(fetched) = AMP_PRIV_SUBGROUP_GIVEN(x, amp_priv_from, "amp_priv_fetch(amp_priv_given, amp_priv_from)"); \
    }
#define AMP_PRIV_SUBGROUP_GIVE(tile, T, x)                                                                             \
    AMP_TILE_STATIC(T, amp_priv_place, [AMP_PRIV_SUBGROUP_PLACES]);                                                    \
    (void)amp_priv_place;                                                                                              \
    AMP_PRIV_SUBGROUP_WAIT;                                                                                            \
    AMP_THREADS(tile, amp_priv_t) {                                                                                    \
        T amp_priv_given = AMP_OWN(x);                                                                                 \
        (void)amp_priv_given;                                                                                          \
        AMP_PRIV_HOST_OR_DEVICE((void)0, "if (!amp_priv_together(amp_priv_threads_0)) "                                \
                                         "amp_priv_place[amp_priv_t.local.v[0]] = amp_priv_given");                    \
    }                                                                                                                  \
    AMP_PRIV_SUBGROUP_WAIT;
/* What thread `number` of the tile gave: by itself on the host, where threads run together as the target says. */
#define AMP_PRIV_SUBGROUP_GIVEN(x, number, together)                                                                   \
    AMP_PRIV_HOST_OR_DEVICE((x)[0][0][number], "(amp_priv_together(amp_priv_threads_0) ? " together                    \
                                               " : amp_priv_place[" #number "])")
#define AMP_PRIV_SUBGROUP_WAIT   AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_apart_wait(amp_priv_threads_0)")
#define AMP_PRIV_SUBGROUP_PLACES AMP_PRIV_HOST_OR_DEVICE(1, "amp_priv_places(amp_priv_threads_0)")

/* // >>reduce
   AMP_SUBGROUP_REDUCE(tile, T, x, n, operation): each thread's x becomes those of its sub-group, combined as a tree.
   AMP_SUBGROUP_SUM(tile, T, x, n), AMP_SUBGROUP_MIN(tile, T, x, n), AMP_SUBGROUP_MAX(tile, T, x, n): the same for a
   sum, minimum or maximum.
   First those of threads i and i + n/2 are combined, then n/4, and so on, as by AMP_TILE_REDUCE.
   tile, T, x, n  as for AMP_SUBGROUP_SHUFFLE
   operation  an expression of a and b, the left and the right operand; associative and commutative
   Result: none; a statement.
   Errors: none. Blocking: the threads of the sub-group wait for each other. Threads: all of the tile. Cost: log2(n)
   steps. Source: none. See: AMP_SUBGROUP_SHUFFLE, AMP_TILE_REDUCE */
#define AMP_SUBGROUP_REDUCE(tile, T, x, n, ...)                                                                        \
    AMP_PRIV_SUBGROUP_OF(TREE, "AMP_SUBGROUP_REDUCE", tile, T, x, n, __VA_ARGS__)
#define AMP_SUBGROUP_SUM(tile, T, x, n) AMP_PRIV_SUBGROUP_OF(TREE, "AMP_SUBGROUP_SUM", tile, T, x, n, a + b)
#define AMP_SUBGROUP_MIN(tile, T, x, n) AMP_PRIV_SUBGROUP_OF(TREE, "AMP_SUBGROUP_MIN", tile, T, x, n, b < a ? b : a)
#define AMP_SUBGROUP_MAX(tile, T, x, n) AMP_PRIV_SUBGROUP_OF(TREE, "AMP_SUBGROUP_MAX", tile, T, x, n, a < b ? b : a)
#define AMP_PRIV_SUBGROUP_OF(how, call, tile, T, x, n, ...)                                                            \
    do {                                                                                                               \
        AMP_PRIV_TILE_IF(SUBGROUP, call, tile, T, x, AMP_PRIV_HAS_OPERANDS(__VA_ARGS__))                               \
        AMP_PRIV_SUBGROUP_##how(call, tile, T, x, n, __VA_ARGS__);                                                     \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SUBGROUP_TREE(call, tile, T, x, n, ...)                                                               \
    do {                                                                                                               \
        AMP_PRIVATE(T, amp_priv_other);                                                                                \
        AMP_PRIV_SUBGROUP_CHECK(call, tile, T, x, n)                                                                   \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_half = (n) / 2; amp_priv_half > 0; amp_priv_half /= 2) {                                     \
            AMP_PRIV_SUBGROUP_LEVEL(tile, T, x, n, __VA_ARGS__)                                                        \
        }                                                                                                              \
    } while (0)
/* A level of the tree: threads that are amp_priv_half apart. */
#define AMP_PRIV_SUBGROUP_LEVEL(tile, T, x, n, ...)                                                                    \
    AMP_PRIV_SUBGROUP_FETCH(tile, amp_priv_t, T, amp_priv_other, x, n, amp_priv_t.local.v[0] ^ amp_priv_half)          \
    AMP_THREADS(tile, amp_priv_t) {                                                                                    \
        const int amp_priv_is_left = (amp_priv_t.local.v[0] & amp_priv_half) == 0;                                     \
        const T amp_priv_mine = AMP_OWN(x), amp_priv_its = AMP_OWN(amp_priv_other);                                    \
        AMP_PRIV_COMBINE(T, AMP_OWN(x), amp_priv_is_left ? amp_priv_mine : amp_priv_its,                               \
                         amp_priv_is_left ? amp_priv_its : amp_priv_mine, __VA_ARGS__)                                 \
    }

/* x = op of x and y, which are a and b in it. */
#define AMP_PRIV_COMBINE(T, x, left, right, ...)                                                                       \
    {                                                                                                                  \
        const T a = left, b = right;                                                                                   \
        (void)a, (void)b;                                                                                              \
        x = (__VA_ARGS__);                                                                                             \
    }

/* The same of a comparison, whose result may be of any type: x is 0 or 1. */
#define AMP_PRIV_COMPARE(T, x, left, right, ...) AMP_PRIV_COMBINE(T, x, left, right, !!(__VA_ARGS__))

/* // >>scan
   AMP_SUBGROUP_SCAN(tile, T, x, n, operation): each thread's x becomes those of its sub-group up to its own,
   combined.
   AMP_SUBGROUP_SCAN_SUM(tile, T, x, n): the same for sums.
   They are combined in steps: with that of the thread before, of two before, of four before, and so on.
   tile, T, x, n  as for AMP_SUBGROUP_SHUFFLE
   operation  an expression of a and b, associative; it may be non-commutative
   Result: none; a statement.
   Errors: none. Blocking: the threads of the sub-group wait for each other. Threads: all of the tile. Cost: log2(n)
   steps. Source: none. See: AMP_SUBGROUP_SHUFFLE, AMP_TILE_SCAN */
#define AMP_SUBGROUP_SCAN(tile, T, x, n, ...)                                                                          \
    AMP_PRIV_SUBGROUP_OF(STEPS, "AMP_SUBGROUP_SCAN", tile, T, x, n, __VA_ARGS__)
#define AMP_SUBGROUP_SCAN_SUM(tile, T, x, n) AMP_PRIV_SUBGROUP_OF(STEPS, "AMP_SUBGROUP_SCAN_SUM", tile, T, x, n, a + b)
#define AMP_PRIV_SUBGROUP_STEPS(call, tile, T, x, n, ...)                                                              \
    do {                                                                                                               \
        AMP_PRIVATE(T, amp_priv_earlier);                                                                              \
        AMP_PRIV_SUBGROUP_CHECK(call, tile, T, x, n)                                                                   \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_back = 1; amp_priv_back < (n); amp_priv_back *= 2) {                                         \
            AMP_PRIV_SUBGROUP_FETCH(tile, amp_priv_t, T, amp_priv_earlier, x, n,                                       \
                                    amp_priv_t.local.v[0] - amp_priv_back)                                             \
            AMP_THREADS(tile, amp_priv_t) {                                                                            \
                if ((amp_priv_t.local.v[0] & ((n) - 1)) >= amp_priv_back)                                              \
                    AMP_PRIV_COMBINE(T, AMP_OWN(x), AMP_OWN(amp_priv_earlier), AMP_OWN(x), __VA_ARGS__)                \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/* // >>ballot
   AMP_SUBGROUP_BALLOT(tile, t, mask, n, predicate): bit i of each thread's mask is the predicate of thread i of its
   sub-group.
   tile, n  as for AMP_SUBGROUP_SHUFFLE
   t  the name of the thread's index in the predicate
   mask  a variable of AMP_PRIVATE(unsigned, mask)
   predicate  an expression of t
   Result: none; a statement.
   Errors: none. Blocking: the threads of the sub-group wait for each other. Threads: all of the tile. Cost: one
   step. Source: none. See: AMP_SUBGROUP_SHUFFLE */
#define AMP_SUBGROUP_BALLOT(tile, t, mask, n, predicate)                                                               \
    do {                                                                                                               \
        AMP_PRIV_THREAD_IF(BALLOT, "AMP_SUBGROUP_BALLOT", t)                                                           \
        AMP_PRIV_TILE_IF(BALLOT, "AMP_SUBGROUP_BALLOT", tile, unsigned, mask, AMP_PRIV_LACKS(#n, "."))                 \
        AMP_PRIVATE(unsigned, amp_priv_vote);                                                                          \
        AMP_PRIV_SUBGROUP_CHECK("AMP_SUBGROUP_BALLOT", tile, unsigned, mask, n)                                        \
        AMP_THREADS(tile, t) { AMP_OWN(amp_priv_vote) = !(predicate) ? 0u : 1u; }                                      \
        AMP_PRIV_SUBGROUP_GIVE(tile, unsigned, amp_priv_vote)                                                          \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            const int amp_priv_first = amp_priv_t.local.v[0] & ~((n) - 1);                                             \
            unsigned amp_priv_all = AMP_OWN(amp_priv_vote);                                                            \
            if (AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_together(amp_priv_threads_0)")) {                                 \
                amp_priv_all = AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_ballot(amp_priv_all)") >> (amp_priv_first & 31) &  \
                               0xffffffffu >> (32 - (n));                                                              \
            } else {                                                                                                   \
                amp_priv_all = 0;                                                                                      \
                for (int amp_priv_i = 0; amp_priv_i < (n); amp_priv_i++) {                                             \
                    const int amp_priv_voter = amp_priv_first + amp_priv_i;                                            \
                    amp_priv_all |= AMP_PRIV_SUBGROUP_GIVEN(amp_priv_vote, amp_priv_voter, "0") << amp_priv_i;         \
                }                                                                                                      \
            }                                                                                                          \
            AMP_OWN(mask) = amp_priv_all;                                                                              \
        }                                                                                                              \
        AMP_PRIV_BODY_IF_END                                                                                           \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)

/* clang-format on */

#endif /* AMP_ALGORITHMS_SUBGROUP_H */
