// SPDX-License-Identifier: MIT
/*  plain.h - the words of kernels as plain C, one thread after the other, the last first: what a generated program
    has to compute. It knows nothing of amp.h. Views check their indexes. */
#ifndef PLAIN_H
#define PLAIN_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- views ------------------------------------------------------------------------------------------- */

typedef struct {
    int v[1];
} amp_extent1;
typedef struct {
    int v[2];
} amp_extent2;
typedef struct {
    int v[3];
} amp_extent3;
typedef struct {
    int v[3];
} plain_index;
#define AMP_EXTENT(...)                                                                                                \
    (PLAIN_PICK(__VA_ARGS__, amp_extent3, amp_extent2, amp_extent1, ) { { __VA_ARGS__ } })
#define PLAIN_PICK(a, b, c, name, ...)  (name)
#define PLAIN_THIRD(a, b, c, name, ...) name

#define PLAIN_VIEW(T, R)                                                                                               \
    typedef struct { T *data; amp_extent##R extent; long stride[R]; } amp_array_view_##T##_##R;                        \
    typedef struct { const T *data; amp_extent##R extent; long stride[R]; } amp_const_array_view_##T##_##R;
#define PLAIN_VIEWS(T)        PLAIN_VIEW(T, 1) PLAIN_VIEW(T, 2) PLAIN_VIEW(T, 3)
#define AMP_DEFINE_ELEMENT(T) PLAIN_VIEWS(T)
PLAIN_VIEWS(int)
PLAIN_VIEWS(float)
PLAIN_VIEWS(double)
PLAIN_VIEWS(int8_t)
PLAIN_VIEWS(uint8_t)
PLAIN_VIEWS(int16_t)
PLAIN_VIEWS(uint16_t)
PLAIN_VIEWS(uint32_t)
PLAIN_VIEWS(int64_t)
PLAIN_VIEWS(uint64_t)

static inline long plain_inside(long i, int extent)
{
    if (i < 0 || i >= extent) {
        fprintf(stderr, "plain C: the index %ld is outside of %d\n", i, extent);
        abort();
    }
    return i;
}
#define PLAIN_STEP(w_, d, i)   plain_inside(i, (w_).extent.v[d]) * (w_).stride[d]
#define PLAIN_AT1(w_, i)       (w_).data[PLAIN_STEP(w_, 0, i)]
#define PLAIN_AT2(w_, i, j)    (w_).data[PLAIN_STEP(w_, 0, i) + PLAIN_STEP(w_, 1, j)]
#define PLAIN_AT3(w_, i, j, k) (w_).data[PLAIN_STEP(w_, 0, i) + PLAIN_STEP(w_, 1, j) + PLAIN_STEP(w_, 2, k)]
#define PLAIN_ATX(w_, x) (*({ const __auto_type plain_x = (x); long plain_at = 0;                                      \
    for (int plain_d = 0; plain_d < (int)(sizeof (w_).extent / sizeof(int)); plain_d++)                                \
        plain_at += PLAIN_STEP(w_, plain_d, plain_x.v[plain_d]);                                                       \
    &(w_).data[plain_at]; }))
/* One index may be an amp_index: an integer is one of rank 1 then. */
#define PLAIN_ATONE(w_, i)                                                                                             \
    PLAIN_ATX(w_, _Generic((i), plain_index                                                                            \
                           : (i), default                                                                              \
                           : (amp_extent1){ { _Generic((i), plain_index : 0, default                                   \
                                                       : (i)) } }))
#define AMP_AT(w_, ...) PLAIN_THIRD(__VA_ARGS__, PLAIN_AT3, PLAIN_AT2, PLAIN_ATONE, )(w_, __VA_ARGS__)

static inline void plain_strides(const int *extent, long *stride, int rank)
{
    long n = 1;
    for (int d = rank - 1; d >= 0; d--) {
        stride[d] = n;
        n *= extent[d];
    }
}
#define AMP_ARRAY_VIEW(T, R, name, memory, ...)                                                                        \
    amp_array_view_##T##_##R name = { .data = (memory), .extent = {{ __VA_ARGS__ }} };                                 \
    plain_strides(name.extent.v, name.stride, R)
#define AMP_CONST_ARRAY_VIEW(T, R, name, memory, ...)                                                                  \
    amp_const_array_view_##T##_##R name = { .data = (memory), .extent = {{ __VA_ARGS__ }} };                           \
    plain_strides(name.extent.v, name.stride, R)
/* an array's memory is never freed */
#define AMP_ARRAY(T, R, name, ...)                                                                                     \
    AMP_ARRAY_VIEW(T, R, name, malloc(sizeof(T) * plain_size((const int[]){ __VA_ARGS__ }, R)), __VA_ARGS__)
static inline size_t plain_size(const int *extent, int rank)
{
    size_t n = 1;
    for (int d = 0; d < rank; d++)
        n *= (size_t)extent[d];
    return n;
}
#define amp_copy(from, to)                                                                                             \
    memcpy((to).data, (from).data,                                                                                     \
           sizeof *(from).data *plain_size((from).extent.v, (int)(sizeof(from).extent / sizeof(int))))
#define FUZZ_SECTION1(T, name, w_, o0, e0)                                                                             \
    const amp_array_view_##T##_1 name = { &PLAIN_AT1(w_, o0), { { e0 } }, { (w_).stride[0] } }
#define FUZZ_SECTION2(T, name, w_, o0, o1, e0, e1)                                                                     \
    const amp_array_view_##T##_2 name = { &PLAIN_AT2(w_, o0, o1), {{ e0, e1 }}, { (w_).stride[0], (w_).stride[1] } }
#define FUZZ_SECTION3(T, name, w_, o0, o1, o2, e0, e1, e2)                                                             \
    const amp_array_view_##T##_3 name = { &PLAIN_AT3(w_, o0, o1, o2), {{ e0, e1, e2 }},                                \
                                          { (w_).stride[0], (w_).stride[1], (w_).stride[2] } }
#define FUZZ_AS_CONST(T, R, name, w_)                                                                                  \
    amp_const_array_view_##T##_##R name = { .data = (w_).data, .extent = (w_).extent };                                \
    memcpy(name.stride, (w_).stride, sizeof name.stride)
#define FUZZ_SYNCHRONIZE(w_) (void)(w_)
#define FUZZ_PLAIN(...)      __VA_ARGS__

/* Halves that are normal, or zero. */
typedef struct {
    uint16_t bits;
} amp_half;
PLAIN_VIEWS(amp_half)
static inline float amp_float_from_half(amp_half h)
{
    const int exponent = h.bits >> 10 & 31;
    const float x = exponent ? ldexpf((float)(1024 + (h.bits & 1023)), exponent - 25) : 0.0f;
    return h.bits & 0x8000 ? -x : x;
}
static inline amp_half amp_float_to_half(float x)
{
    int exponent = 0;
    const float fraction = frexpf(fabsf(x), &exponent);
    const int bits = x == 0 ? 0 : (exponent + 14) << 10 | ((int)(fraction * 2048) & 1023);
    return (amp_half){ (uint16_t)(signbit(x) ? 0x8000 | bits : bits) };
}

/* ---- definitions --------------------------------------------------------------------------------------- */

#define AMP_FUNCTION(type, name, parameters, ...) static inline type name parameters __VA_ARGS__
#define AMP_STRUCT(name, ...)                     typedef struct name __VA_ARGS__ name
#define AMP_TABLE(type, name, dimensions, ...)    static const type name dimensions = __VA_ARGS__;
#define AMP_ELEMENT_POINTER(T)                    T *
#define AMP_TILE_POINTER(T)                       T *
#define AMP_UNROLL
#define AMP_ANY_ORDER(...)
#define AMP_ASSERT(x) ((x) ? (void)0 : abort())
#define AMP_BITS(T, x)                                                                                                 \
    ({                                                                                                                 \
        const __typeof__(x) plain_x = (x);                                                                             \
        T plain_t;                                                                                                     \
        memcpy(&plain_t, &plain_x, sizeof plain_t);                                                                    \
        plain_t;                                                                                                       \
    })
#define amp_min(x, y)                                                                                                  \
    ({                                                                                                                 \
        const __auto_type plain_a = (x);                                                                               \
        const __auto_type plain_b = (y);                                                                               \
        plain_b < plain_a ? plain_b : plain_a;                                                                         \
    })
#define amp_max(x, y)                                                                                                  \
    ({                                                                                                                 \
        const __auto_type plain_c = (x);                                                                               \
        const __auto_type plain_d = (y);                                                                               \
        plain_c < plain_d ? plain_d : plain_c;                                                                         \
    })
#define amp_clamp(x, low, high) amp_min(amp_max(x, low), high)

/* ---- launches: from the last index to the first ---------------------------------------------------------- */

#define PLAIN_GO(m, ...)   m(__VA_ARGS__)
#define PLAIN_STRIP(...)   __VA_ARGS__
#define PLAIN_COUNTED(...) PLAIN_THIRD(__VA_ARGS__, PLAIN_LOOP3, PLAIN_LOOP2, PLAIN_LOOP1, )
#define PLAIN_ONCE         for (int plain_once = 1; plain_once; plain_once = 0)
#define PLAIN_DOWN(i, d)   for (int i = plain_e.v[d] - 1; i >= 0; i--)
#define PLAIN_LOOP1(ext, i, ...)                                                                                       \
    do {                                                                                                               \
        const __auto_type plain_e = (ext);                                                                             \
        PLAIN_DOWN(i, 0) PLAIN_ONCE __VA_ARGS__                                                                        \
    } while (0)
#define PLAIN_LOOP2(ext, i, j, ...)                                                                                    \
    do {                                                                                                               \
        const __auto_type plain_e = (ext);                                                                             \
        PLAIN_DOWN(i, 0) PLAIN_DOWN(j, 1) PLAIN_ONCE __VA_ARGS__                                                       \
    } while (0)
#define PLAIN_LOOP3(ext, i, j, k, ...)                                                                                 \
    do {                                                                                                               \
        const __auto_type plain_e = (ext);                                                                             \
        PLAIN_DOWN(i, 0) PLAIN_DOWN(j, 1) PLAIN_DOWN(k, 2) PLAIN_ONCE __VA_ARGS__                                      \
    } while (0)
#define AMP_PARALLEL_FOR_EACH(ext, names, captures, ...)                                                               \
    PLAIN_GO(PLAIN_COUNTED names, ext, PLAIN_STRIP names, __VA_ARGS__)

static inline plain_index plain_place(long flat, const int *extent, int rank)
{
    plain_index x = { { 0 } };
    for (int d = rank - 1; d >= 0; d--) {
        x.v[d] = (int)(flat % extent[d]);
        flat /= extent[d];
    }
    return x;
}
#define FUZZ_EACH_INDEX(R, ext, name, captures, ...)                                                                   \
    do {                                                                                                               \
        const __auto_type plain_e = (ext);                                                                             \
        for (long plain_f = (long)plain_size(plain_e.v, R) - 1; plain_f >= 0; plain_f--)                               \
            PLAIN_ONCE for (const plain_index name = plain_place(plain_f, plain_e.v, R); plain_once; plain_once = 0)   \
                __VA_ARGS__                                                                                            \
    } while (0)

/* ---- tiles ----------------------------------------------------------------------------------------------- */

typedef struct {
    plain_index global, local, tile, tile_origin;
} plain_thread;
static inline plain_thread plain_at(plain_index tile, const int *dims, int number)
{
    plain_thread t = { .tile = tile, .local = plain_place(number, dims, 3) };
    for (int d = 0; d < 3; d++) {
        t.tile_origin.v[d] = tile.v[d] * dims[d];
        t.global.v[d] = t.tile_origin.v[d] + t.local.v[d];
    }
    return t;
}
#define PLAIN_UP(x, a)                (((x) + (a)-1) / (a) * (a))
#define FUZZ_PADDED1(e, t)            PLAIN_GO(PLAIN_PADDED1, PLAIN_STRIP e, PLAIN_STRIP t)
#define FUZZ_PADDED2(e, t)            PLAIN_GO(PLAIN_PADDED2, PLAIN_STRIP e, PLAIN_STRIP t)
#define FUZZ_PADDED3(e, t)            PLAIN_GO(PLAIN_PADDED3, PLAIN_STRIP e, PLAIN_STRIP t)
#define PLAIN_PADDED1(e0, t0)         ((amp_extent1){ { PLAIN_UP(e0, t0) } })
#define PLAIN_PADDED2(e0, e1, t0, t1) ((amp_extent2){ { PLAIN_UP(e0, t0), PLAIN_UP(e1, t1) } })
#define PLAIN_PADDED3(e0, e1, e2, t0, t1, t2)                                                                          \
    ((amp_extent3){ { PLAIN_UP(e0, t0), PLAIN_UP(e1, t1), PLAIN_UP(e2, t2) } })
#define AMP_TILED(ext, dims, name, captures, ...)                                                                      \
    PLAIN_GO(PLAIN_TILED_COUNTED dims, ext, PLAIN_STRIP dims, name, __VA_ARGS__)
#define PLAIN_TILED_COUNTED(...)              PLAIN_THIRD(__VA_ARGS__, PLAIN_TILED3, PLAIN_TILED2, PLAIN_TILED1, )
#define PLAIN_TILED1(ext, A, name, ...)       PLAIN_TILED(1, ext, A, 1, 1, name, __VA_ARGS__)
#define PLAIN_TILED2(ext, A, B, name, ...)    PLAIN_TILED(2, ext, A, B, 1, name, __VA_ARGS__)
#define PLAIN_TILED3(ext, A, B, C, name, ...) PLAIN_TILED(3, ext, A, B, C, name, __VA_ARGS__)
#define PLAIN_TILED(R, ext, A, B, C, name, ...)                                                                        \
    do {                                                                                                               \
        const __auto_type plain_e = (ext);                                                                             \
        enum { plain_threads = (A) * (B) * (C) };                                                                      \
        const int plain_dims[3] = { A, B, C };                                                                         \
        int plain_tiles[3] = { 1, 1, 1 };                                                                              \
        for (int plain_d = 0; plain_d < R; plain_d++)                                                                  \
            plain_tiles[plain_d] = plain_e.v[plain_d] / plain_dims[plain_d];                                           \
        for (int plain_f = plain_tiles[0] * plain_tiles[1] * plain_tiles[2] - 1; plain_f >= 0; plain_f--) {            \
            const struct { plain_index tile; } name = { plain_place(plain_f, plain_tiles, 3) };                        \
            (void)name;                                                                                                \
            const plain_index plain_tile = name.tile;                                                                  \
            PLAIN_ONCE __VA_ARGS__                                                                                     \
        }                                                                                                              \
    } while (0)
#define PLAIN_SECOND(a, b, name, ...) name
#define AMP_TILE_STATIC(T, ...)       PLAIN_SECOND(__VA_ARGS__, PLAIN_SHARED2, PLAIN_SHARED1, )(T, __VA_ARGS__)
#define PLAIN_SHARED1(T, name)                                                                                         \
    T name;                                                                                                            \
    memset(&name, 0xA5, sizeof name)
#define PLAIN_SHARED2(T, name, dims)                                                                                   \
    T name dims;                                                                                                       \
    memset(&name, 0xA5, sizeof name)
#define AMP_PRIVATE(T, ...) PLAIN_SECOND(__VA_ARGS__, PLAIN_PRIVATE2, PLAIN_PRIVATE1, )(T, __VA_ARGS__)
#define PLAIN_PRIVATE1(T, name)                                                                                        \
    T name[plain_threads];                                                                                             \
    memset(&name, 0x5A, sizeof name)
#define PLAIN_PRIVATE2(T, name, dims)                                                                                  \
    T name[plain_threads] dims;                                                                                        \
    memset(&name, 0x5A, sizeof name)
#define AMP_OWN(...)        PLAIN_SECOND(__VA_ARGS__, PLAIN_OWN2, PLAIN_OWN1, )(__VA_ARGS__)
#define PLAIN_OWN1(name)    name[plain_t]
#define PLAIN_OWN2(name, i) name[plain_t][i]
#define AMP_THREADS(tile, name)                                                                                        \
    for (int plain_t = plain_threads - 1; plain_t >= 0; plain_t--)                                                     \
        PLAIN_ONCE for (const plain_thread name = plain_at(plain_tile, plain_dims, plain_t); plain_once; plain_once = 0)
#define amp_barrier_wait(b)
#define amp_barrier_wait_with_all_memory_fence(b)
#define amp_barrier_wait_with_tile_static_memory_fence(b)

/* ---- atomics ----------------------------------------------------------------------------------------------- */

#define PLAIN_ATOMIC(pointer, next)                                                                                    \
    ({ __typeof__(pointer) plain_p = (pointer); const __typeof__(*plain_p) plain_old = *plain_p;                       \
       *plain_p = (__typeof__(*plain_p))(next); plain_old; })
#define PLAIN_VALUE(x)                              ((__typeof__(plain_old))(x))
#define amp_atomic_fetch_add(p, x)                  PLAIN_ATOMIC(p, (uint64_t)plain_old + (uint64_t)PLAIN_VALUE(x))
#define amp_atomic_fetch_sub(p, x)                  PLAIN_ATOMIC(p, (uint64_t)plain_old - (uint64_t)PLAIN_VALUE(x))
#define amp_atomic_fetch_and(p, x)                  PLAIN_ATOMIC(p, plain_old &PLAIN_VALUE(x))
#define amp_atomic_fetch_or(p, x)                   PLAIN_ATOMIC(p, plain_old | PLAIN_VALUE(x))
#define amp_atomic_fetch_xor(p, x)                  PLAIN_ATOMIC(p, plain_old ^ PLAIN_VALUE(x))
#define amp_atomic_fetch_min(p, x)                  PLAIN_ATOMIC(p, amp_min(plain_old, PLAIN_VALUE(x)))
#define amp_atomic_fetch_max(p, x)                  PLAIN_ATOMIC(p, amp_max(plain_old, PLAIN_VALUE(x)))
#define amp_atomic_fetch_inc(p)                     amp_atomic_fetch_add(p, 1)
#define amp_atomic_fetch_dec(p)                     amp_atomic_fetch_sub(p, 1)
#define amp_atomic_load(p)                          (*(p))
#define amp_atomic_compare_exchange(p, expected, x) (*(p) = (x), true)

#endif
