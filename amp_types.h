/* SPDX-License-Identifier: MIT */
/*  amp_types.h - index, extent, tiled extent, tiled index.

    The host and devices share this source: everything inside AMP_PRIV_SHARED (amp/api/dialect.h) is compiled here, and
    kept as a string for devices. It must mean the same in C11 and in the common dialect.
    The most significant dimension comes first; the last one is contiguous.

    Contents (search for the tag):
        >>ranks  >>tiled  >>domains  >>make  >>generic */
#ifndef AMP_TYPES_H
#define AMP_TYPES_H

#include "amp/api/dialect.h"
#include "amp/base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

AMP_PRIV_LONG_STRINGS_BEGIN

/* // >>ranks
   amp_indexN: an index of rank N: the member v has N ints, the most significant dimension first.
   amp_extentN: an extent of rank N: the member v has N ints, the most significant dimension first.
   N is 1 to AMP_MAX_RANK. The last dimension is contiguous in memory.
   Source: index<N>, extent<N>. */

/* amp_indexN_add(a, b), amp_indexN_sub(a, b), amp_extentN_add(a, b), amp_extentN_sub(a, b): a + b or a - b, by
   components.
   amp_indexN_add_scalar(a, n), amp_indexN_sub_scalar(a, n), amp_indexN_mul_scalar(a, n), amp_indexN_div_scalar(a,
   n), amp_indexN_mod_scalar(a, n): each component and an int.
   amp_extentN_add_scalar(a, n), amp_extentN_sub_scalar(a, n), amp_extentN_mul_scalar(a, n),
   amp_extentN_div_scalar(a, n), amp_extentN_mod_scalar(a, n): each component and an int.
   amp_indexN_scalar_add(n, a), amp_indexN_scalar_sub(n, a), amp_indexN_scalar_mul(n, a), amp_indexN_scalar_div(n,
   a), amp_indexN_scalar_mod(n, a): an int and each component: (n - a0, n - a1).
   amp_extentN_scalar_add(n, a), amp_extentN_scalar_sub(n, a), amp_extentN_scalar_mul(n, a),
   amp_extentN_scalar_div(n, a), amp_extentN_scalar_mod(n, a): an int and each component.
   amp_extentN_add_index(a, i), amp_extentN_sub_index(a, i): an extent and an index, by components.
   amp_indexN_equal(a, b), amp_extentN_equal(a, b): 1 if all components are equal, else 0.
   In kernels and on the host. Division is C's; by zero it is undefined.
   a, b  indexes or extents of one rank
   n  an int
   i  an amp_indexN of the extent's rank
   Result: of the type of a; of _equal an int, 0 or 1.
   Errors: none. Blocking: no. Threads: any. Cost: an operation per dimension. Source: the operators of index and
   extent. See: amp_add */

/* amp_extentN_size(e): the number of elements.
   amp_extentN_contains(e, i): 1 if the index lies in the extent, else 0.
   In kernels and on the host.
   e  amp_extentN
   i  amp_indexN
   Result: size is a size_t: 0 if a component is zero or negative, SIZE_MAX if the product does not fit; contains is
   0 or 1.
   Errors: none. Blocking: no. Threads: any. Cost: an operation per dimension. Source: extent::size, contains. See:
   amp_size */

/* X(d) for each d of a rank. A loop would do where compilers are right. NVIDIA's OpenCL reads the components in such a
   loop from a wrong address, from rank 5 on, where a switch chooses between calls with constants. The kernel fails. */
#define AMP_PRIV_PARTS_1(X)             X(0)
#define AMP_PRIV_PARTS_2(X)             AMP_PRIV_PARTS_1(X) X(1)
#define AMP_PRIV_PARTS_3(X)             AMP_PRIV_PARTS_2(X) X(2)
#define AMP_PRIV_PARTS_4(X)             AMP_PRIV_PARTS_3(X) X(3)
#define AMP_PRIV_PARTS_5(X)             AMP_PRIV_PARTS_4(X) X(4)
#define AMP_PRIV_PARTS_6(X)             AMP_PRIV_PARTS_5(X) X(5)
#define AMP_PRIV_PARTS_7(X)             AMP_PRIV_PARTS_6(X) X(6)
#define AMP_PRIV_PARTS_8(X)             AMP_PRIV_PARTS_7(X) X(7)
#define AMP_PRIV_PARTS_9(X)             AMP_PRIV_PARTS_8(X) X(8)
#define AMP_PRIV_PARTS_10(X)            AMP_PRIV_PARTS_9(X) X(9)
#define AMP_PRIV_PARTS_11(X)            AMP_PRIV_PARTS_10(X) X(10)
#define AMP_PRIV_PARTS_12(X)            AMP_PRIV_PARTS_11(X) X(11)
#define AMP_PRIV_PARTS_amp_priv_rank(X) amp_priv_parts X(amp_priv_part) amp_priv_parts
#define AMP_PRIV_SIZE_PART(d)           size = amp_priv_times(size, e.v[d]);
#define AMP_PRIV_EQUAL_PART(d)          &&a.v[d] == b.v[d]
#define AMP_PRIV_CONTAINS_PART(d)       &&i.v[d] >= 0 && i.v[d] < e.v[d]

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_COMPONENTWISE(N, R, name, A, B, expression)                                                           \
    static inline R name(A a, B b)                                                                                     \
    {                                                                                                                  \
        R r;                                                                                                           \
        for (int d = 0; d < N; d++) r.v[d] = expression;                                                               \
        return r;                                                                                                      \
    }

#define AMP_PRIV_ARITHMETIC(N, T)                                                                                      \
    AMP_PRIV_COMPONENTWISE(N, T, T##_add, T, T, a.v[d] + b.v[d])                                                       \
    AMP_PRIV_COMPONENTWISE(N, T, T##_sub, T, T, a.v[d] - b.v[d])                                                       \
    AMP_PRIV_COMPONENTWISE(N, T, T##_add_scalar, T, int, a.v[d] + b)                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_sub_scalar, T, int, a.v[d] - b)                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_mul_scalar, T, int, a.v[d] * b)                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_div_scalar, T, int, a.v[d] / b)                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_mod_scalar, T, int, a.v[d] % b)                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_scalar_add, int, T, a + b.v[d])                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_scalar_sub, int, T, a - b.v[d])                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_scalar_mul, int, T, a * b.v[d])                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_scalar_div, int, T, a / b.v[d])                                                   \
    AMP_PRIV_COMPONENTWISE(N, T, T##_scalar_mod, int, T, a % b.v[d])                                                   \
    static inline int T##_equal(T a, T b)                                                                              \
    {                                                                                                                  \
        return 1 AMP_PRIV_PARTS_##N(AMP_PRIV_EQUAL_PART);                                                              \
    }

#define AMP_PRIV_RANK_TEXT(N, INDEX, EXTENT, STRIDE)                                                                   \
    typedef struct INDEX { int v[N]; } INDEX;                                                                          \
    typedef struct EXTENT { int v[N]; } EXTENT;                                                                        \
    typedef struct STRIDE { amp_priv_offset v[N]; } STRIDE;                                                            \
    AMP_PRIV_ARITHMETIC(N, INDEX)                                                                                      \
    AMP_PRIV_ARITHMETIC(N, EXTENT)                                                                                     \
    AMP_PRIV_COMPONENTWISE(N, EXTENT, EXTENT##_add_index, EXTENT, INDEX, a.v[d] + b.v[d])                              \
    AMP_PRIV_COMPONENTWISE(N, EXTENT, EXTENT##_sub_index, EXTENT, INDEX, a.v[d] - b.v[d])                              \
    static inline size_t EXTENT##_size(EXTENT e)                                                                       \
    {                                                                                                                  \
        size_t size = 1;                                                                                               \
        AMP_PRIV_PARTS_##N(AMP_PRIV_SIZE_PART)                                                                         \
        return size;                                                                                                   \
    }                                                                                                                  \
    static inline int EXTENT##_contains(EXTENT e, INDEX i)                                                             \
    {                                                                                                                  \
        return 1 AMP_PRIV_PARTS_##N(AMP_PRIV_CONTAINS_PART);                                                           \
    }

/* size * n; SIZE_MAX where that does not fit, 0 where n is not positive. LLVM makes `size > SIZE_MAX / n` an operation
   that clspv does not know. */
AMP_PRIV_SHARED(times,
  static inline size_t amp_priv_times(size_t size, int n)
  {
    if (n <= 0)
        return 0;
    return size - (size > 0) >= (size_t)-1 / (size_t)n ? (size_t)-1 : size * (size_t)n;
  }
);

/* Offsets of elements: the device chooses 32 bits where every captured view is small enough. */
typedef ptrdiff_t amp_priv_offset;

#define AMP_PRIV_RANK(N, unused) AMP_PRIV_RANK_TEXT(N, amp_index##N, amp_extent##N, amp_priv_stride##N)
AMP_PRIV_FOR_RANKS(AMP_PRIV_RANK, ~)
AMP_PRIV_TEXT_OF_RANKS(rank, AMP_PRIV_RANK(amp_priv_rank, ~))

/* // >>tiled
   amp_tiled_extentN: an extent and its tile, N is 1 to 3: the members v and tile have N ints each.
   amp_tiled_indexN: the place of a thread: the members global, local, tile and tile_origin are an amp_indexN each.
   Source: tiled_extent, tiled_index. */

/* amp_tiled_extentN_pad(t): rounds every component up to a multiple of the tile.
   amp_tiled_extentN_truncate(t): rounds every component down to a multiple of the tile; it may become 0.
   amp_tiled_extentN_extent(t): the extent without its tile.
   In kernels and on the host.
   t  amp_tiled_extentN
   Result: an amp_tiled_extentN; of _extent an amp_extentN.
   Errors: AMP_RUNTIME_ERROR if _pad overflows an int; that component is negative then, so that nothing can be
   created from it. In a kernel the component is negative without a report. Blocking: no. Threads: any. Cost: a
   division per dimension. Source: tiled_extent::pad, truncate. */

/* Rounds up in unsigned arithmetic, as C++ AMP does: -1 where that is no int. */
AMP_PRIV_SHARED(padded,
  static inline int amp_priv_padded(int extent, int tile)
  {
    const unsigned t = tile > 0 ? (unsigned)tile : 1u;
    const unsigned excess = extent > 0 ? (unsigned)extent % t : 0u;
    const unsigned padded = excess ? (unsigned)extent + (t - excess) : (unsigned)extent;
    return extent > 0 && padded > 2147483647u ? -1 : (int)padded;
  }
);
AMP_PRIV_API int amp_priv_pad(int extent, int tile);

#define AMP_PRIV_TILED_TEXT(N, INDEX, EXTENT, TILED_EXTENT, TILED_INDEX)                                               \
    typedef struct TILED_EXTENT { int v[N]; int tile[N]; } TILED_EXTENT;                                               \
    typedef struct TILED_INDEX { INDEX global; INDEX local; INDEX tile; INDEX tile_origin; } TILED_INDEX;              \
    static inline EXTENT TILED_EXTENT##_extent(TILED_EXTENT e)                                                         \
    {                                                                                                                  \
        EXTENT r;                                                                                                      \
        for (int d = 0; d < N; d++) r.v[d] = e.v[d];                                                                   \
        return r;                                                                                                      \
    }                                                                                                                  \
    static inline TILED_EXTENT TILED_EXTENT##_pad(TILED_EXTENT e)                                                      \
    {                                                                                                                  \
        for (int d = 0; d < N; d++) e.v[d] = amp_priv_pad(e.v[d], e.tile[d]);                                          \
        return e;                                                                                                      \
    }                                                                                                                  \
    static inline TILED_EXTENT TILED_EXTENT##_truncate(TILED_EXTENT e)                                                 \
    {                                                                                                                  \
        for (int d = 0; d < N; d++) e.v[d] -= e.v[d] % e.tile[d];                                                      \
        return e;                                                                                                      \
    }

#define AMP_PRIV_TILED(N, unused)                                                                                      \
    AMP_PRIV_TILED_TEXT(N, amp_index##N, amp_extent##N, amp_tiled_extent##N, amp_tiled_index##N)
AMP_PRIV_FOR_RANKS_3(AMP_PRIV_TILED, ~)
AMP_PRIV_TEXT_OF_RANKS(tiled, AMP_PRIV_TILED(amp_priv_rank, ~))

/* amp_extent1_tile(e, d0): an extent with tiles of d0 threads.
   amp_extent2_tile(e, d0, d1): an extent with tiles of d0 x d1 threads.
   amp_extent3_tile(e, d0, d1, d2): an extent with tiles of d0 x d1 x d2 threads.
   In kernels and on the host. The launch checks that the extent is divisible.
   e  amp_extentN
   d0, d1, d2  ints: the extent of a tile
   Result: an amp_tiled_extentN.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: extent::tile. */
AMP_PRIV_SHARED(tile_functions,
  static inline amp_tiled_extent1 amp_extent1_tile(amp_extent1 e, int d0)
  {
    amp_tiled_extent1 r = {{e.v[0]}, {d0}};
    return r;
  }
  static inline amp_tiled_extent2 amp_extent2_tile(amp_extent2 e, int d0, int d1)
  {
    amp_tiled_extent2 r = {{e.v[0], e.v[1]}, {d0, d1}};
    return r;
  }
  static inline amp_tiled_extent3 amp_extent3_tile(amp_extent3 e, int d0, int d1, int d2)
  {
    amp_tiled_extent3 r = {{e.v[0], e.v[1], e.v[2]}, {d0, d1, d2}};
    return r;
  }
);

AMP_PRIV_LONG_STRINGS_END

/* // >>domains: of the host alone. */

/* amp_domainN: indexes from an origin on: the member v has N ints, the extent; the member origin is an amp_indexN.
   AMP_PARALLEL_FOR_EACH takes it in place of an extent.
   Source: none. */

/* AMP_DOMAIN(origin, extent): the indexes of an extent, from an origin on.
   amp_inner(e, n): the indexes of an extent but the n outermost ones at each side of each dimension.
   AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 1), (row, col), ...) is for the inner cells of a grid. On the host only.
   origin  an amp_indexN, not negative
   extent  an amp_extentN of the same rank; origin + extent fits an int
   e  an amp_extentN
   n  an int, not negative
   Result: an amp_domainN. That of amp_inner has an extent of 0 where all indexes are outer ones.
   Errors: different ranks do not compile. The launch refuses a negative origin. Blocking: no. Threads: any. Cost: none.
   Source: none; known as a global offset, or a range with an offset. */
#define AMP_DOMAIN(origin, extent)                                                                                     \
    ((void)__extension__({                                                                                             \
         _Static_assert(sizeof(origin).v == sizeof(extent).v,                                                          \
                        "amp: AMP_DOMAIN(origin, extent): an index and an extent of the same rank");                   \
         0;                                                                                                            \
     }),                                                                                                               \
     AMP_PRIV_PICK(extent, AMP_PRIV_FROM, ~)((extent), (origin)))
#define amp_inner(e, n)      AMP_PRIV_PICK(e, AMP_PRIV_INNER, ~)((e), (n))
#define AMP_PRIV_FROM(N, A)  , amp_extent##N : amp_priv_extent##N##_from
#define AMP_PRIV_INNER(N, A) , amp_extent##N : amp_priv_extent##N##_inner
#define AMP_PRIV_DOMAIN_OF_RANK(N, A)                                                                                  \
    typedef struct amp_domain##N {                                                                                     \
        int v[N];                                                                                                      \
        amp_index##N origin;                                                                                           \
    } amp_domain##N;                                                                                                   \
    static inline amp_domain##N amp_priv_extent##N##_from(amp_extent##N extent, amp_index##N origin)                   \
    {                                                                                                                  \
        amp_domain##N r = { .origin = origin };                                                                        \
        for (int d = 0; d < N; d++)                                                                                    \
            r.v[d] = extent.v[d];                                                                                      \
        return r;                                                                                                      \
    }                                                                                                                  \
    static inline amp_domain##N amp_priv_extent##N##_inner(amp_extent##N e, int n)                                     \
    {                                                                                                                  \
        amp_domain##N r;                                                                                               \
        for (int d = 0; d < N; d++) {                                                                                  \
            r.v[d] = e.v[d] / 2 >= n ? e.v[d] - 2 * n : e.v[d] < 0 ? e.v[d] : 0;                                       \
            r.origin.v[d] = n;                                                                                         \
        }                                                                                                              \
        return r;                                                                                                      \
    }
AMP_PRIV_FOR_RANKS(AMP_PRIV_DOMAIN_OF_RANK, ~)

/* // >>make */

/* AMP_INDEX(i0): an index whose rank is the number of arguments.
   AMP_EXTENT(e0): an extent whose rank is the number of arguments.
   In kernels and on the host.
   i0, e0  ints, one per dimension: AMP_INDEX(row, col); the most significant dimension comes first
   Result: an amp_indexN or amp_extentN.
   Errors: more arguments than AMP_MAX_RANK do not compile. Blocking: no. Threads: any. Cost: none. Source: the
   constructors of index and extent. */
#define AMP_INDEX(...)  ((AMP_PRIV_CAT(amp_index, AMP_PRIV_COUNT(__VA_ARGS__))){ { __VA_ARGS__ } })
#define AMP_EXTENT(...) ((AMP_PRIV_CAT(amp_extent, AMP_PRIV_COUNT(__VA_ARGS__))){ { __VA_ARGS__ } })

/* // >>generic
   amp_equal(x, y): compares two indexes or extents.
   amp_add(x, y): adds by components.
   amp_sub(x, y): subtracts by components.
   amp_size(e): the number of elements.
   amp_contains(e, i): checks whether an index lies in an extent.
   They choose the function of the rank by _Generic. For the host only; kernels call amp_indexN_add and the like.
   x  an amp_indexN or amp_extentN
   y  of the type of x; for amp_add and amp_sub also an index, if x is an extent, or an int
   e  an amp_extentN
   i  an amp_indexN of the same rank
   Result: amp_equal and amp_contains: 0 or 1; amp_size: a size_t, as amp_extentN_size; else of the type of x.
   Errors: different ranks do not compile. Blocking: no. Threads: any. Cost: an operation per dimension. Source: the
   operators of index and extent, extent::size, contains. */
#define AMP_PRIV_EQUAL(N, A)    , amp_index##N : amp_index##N##_equal, amp_extent##N : amp_extent##N##_equal
#define AMP_PRIV_SIZE(N, A)     , amp_extent##N : amp_extent##N##_size
#define AMP_PRIV_CONTAINS(N, A) , amp_extent##N : amp_extent##N##_contains
#define AMP_PRIV_BINARY(N, op, y)                                                                                      \
    , amp_index##N                                                                                                     \
            : _Generic((y), amp_index##N : amp_index##N##_##op, default : amp_index##N##_##op##_scalar),               \
                amp_extent##N                                                                                          \
            : _Generic((y), amp_extent##N: amp_extent##N##_##op, amp_index##N: amp_extent##N##_##op##_index,           \
                       default: amp_extent##N##_##op##_scalar)
#define AMP_PRIV_ADD(N, y) AMP_PRIV_BINARY(N, add, y)
#define AMP_PRIV_SUB(N, y) AMP_PRIV_BINARY(N, sub, y)

/* clang-format on */

#define amp_equal(x, y)    AMP_PRIV_PICK(x, AMP_PRIV_EQUAL, ~)((x), (y))
#define amp_add(x, y)      AMP_PRIV_PICK(x, AMP_PRIV_ADD, y)((x), (y))
#define amp_sub(x, y)      AMP_PRIV_PICK(x, AMP_PRIV_SUB, y)((x), (y))
#define amp_size(e)        AMP_PRIV_PICK(e, AMP_PRIV_SIZE, ~)(e)
#define amp_contains(e, i) AMP_PRIV_PICK(e, AMP_PRIV_CONTAINS, ~)((e), (i))

#endif /* AMP_TYPES_H */
