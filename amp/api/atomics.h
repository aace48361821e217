/* SPDX-License-Identifier: MIT */
/*  amp/api/atomics.h - atomic operations on elements of views and of tile_static memory

    p is the address of an int, unsigned, int64_t, uint64_t, float or double element:
    amp_atomic_fetch_add(&AMP_AT(histogram, bin), 1). The order is relaxed. A plain access that races with an atomic
    access is undefined. Types of 64 bits, such as double, need a device with 64-bit atomics.

    Contents (search for the tag):
        >>host  >>names */
#ifndef AMP_API_ATOMICS_H
#define AMP_API_ATOMICS_H

#include "element.h"

/* // >>host */

#define AMP_PRIV_ATOMIC_LOOP(name, suffix, type, replacement)                                                          \
    AMP_PRIV_NO_TSAN type amp_priv_##name##_##suffix(type *p, type v)                                                  \
    {                                                                                                                  \
        type old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                               \
        while (!__atomic_compare_exchange_n(p, &old, replacement, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {         \
        }                                                                                                              \
        return old;                                                                                                    \
    }
#define AMP_PRIV_ATOMIC_BUILTIN(name, builtin, suffix, type)                                                           \
    static inline type amp_priv_##name##_##suffix(type *p, type v)                                                     \
    {                                                                                                                  \
        return builtin(p, v, __ATOMIC_RELAXED);                                                                        \
    }
#define AMP_PRIV_ATOMICS(suffix, type)                                                                                 \
    AMP_PRIV_ATOMIC_BUILTIN(exchange, __atomic_exchange_n, suffix, type)                                               \
    AMP_PRIV_ATOMIC_BUILTIN(fetch_add, __atomic_fetch_add, suffix, type)                                               \
    AMP_PRIV_ATOMIC_BUILTIN(fetch_sub, __atomic_fetch_sub, suffix, type)                                               \
    AMP_PRIV_ATOMIC_BUILTIN(fetch_and, __atomic_fetch_and, suffix, type)                                               \
    AMP_PRIV_ATOMIC_BUILTIN(fetch_or, __atomic_fetch_or, suffix, type)                                                 \
    AMP_PRIV_ATOMIC_BUILTIN(fetch_xor, __atomic_fetch_xor, suffix, type)                                               \
    AMP_PRIV_ATOMIC_LOOP(fetch_min, suffix, type, v < old ? v : old)                                                   \
    AMP_PRIV_ATOMIC_LOOP(fetch_max, suffix, type, v > old ? v : old)                                                   \
    static inline bool amp_priv_compare_exchange_##suffix(type *p, type *expected, type v)                             \
    {                                                                                                                  \
        return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                 \
    }
AMP_PRIV_ATOMICS(int, int)
AMP_PRIV_ATOMICS(unsigned, unsigned)
AMP_PRIV_ATOMICS(long, long)
AMP_PRIV_ATOMICS(unsigned_long, unsigned long)
/* int64_t is long in some places, long long in others. (clang says that i386 aligns it less than it likes.) */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif
AMP_PRIV_ATOMICS(long_long, long long)
AMP_PRIV_ATOMICS(unsigned_long_long, unsigned long long)

/* A float or double is exchanged through the integer of its bits. */
#define AMP_PRIV_ATOMIC_REAL(name, type, replacement)                                                                  \
    AMP_PRIV_NO_TSAN type amp_priv_##name##_##type(type *p, type v)                                                    \
    {                                                                                                                  \
        type old, next;                                                                                                \
        __atomic_load(p, &old, __ATOMIC_RELAXED);                                                                      \
        do next = replacement;                                                                                         \
        while (!__atomic_compare_exchange(p, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                  \
        return old;                                                                                                    \
    }
#define AMP_PRIV_ATOMIC_REALS(type)                                                                                    \
    AMP_PRIV_ATOMIC_REAL(exchange, type, v)                                                                            \
    AMP_PRIV_ATOMIC_REAL(fetch_add, type, old + v)                                                                     \
    AMP_PRIV_ATOMIC_REAL(fetch_sub, type, old - v)                                                                     \
    AMP_PRIV_ATOMIC_REAL(fetch_min, type, v < old ? v : old)                                                           \
    AMP_PRIV_ATOMIC_REAL(fetch_max, type, v > old ? v : old)                                                           \
    static inline bool amp_priv_compare_exchange_##type(type *p, type *expected, type v)                               \
    {                                                                                                                  \
        return __atomic_compare_exchange(p, expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
    }
AMP_PRIV_ATOMIC_REALS(float)
AMP_PRIV_ATOMIC_REALS(double)

#define AMP_PRIV_ATOMIC_ACCESS(suffix, type)                                                                           \
    static inline type amp_priv_load_##suffix(type *p)                                                                 \
    {                                                                                                                  \
        type v;                                                                                                        \
        __atomic_load(p, &v, __ATOMIC_RELAXED);                                                                        \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline void amp_priv_store_##suffix(type *p, type v) { __atomic_store(p, &v, __ATOMIC_RELAXED); }
AMP_PRIV_ATOMIC_ACCESS(int, int)
AMP_PRIV_ATOMIC_ACCESS(unsigned, unsigned)
AMP_PRIV_ATOMIC_ACCESS(long, long)
AMP_PRIV_ATOMIC_ACCESS(unsigned_long, unsigned long)
AMP_PRIV_ATOMIC_ACCESS(long_long, long long)
AMP_PRIV_ATOMIC_ACCESS(unsigned_long_long, unsigned long long)
AMP_PRIV_ATOMIC_ACCESS(float, float)
AMP_PRIV_ATOMIC_ACCESS(double, double)
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/* CPU backend: a pointer whose object the compiler sees is a tile_static or local variable. One thread runs the whole
   tile, so a plain load and store suffice (5 times cheaper). The memory of views is hidden from the compiler by
   amp_priv_start, and that behind parameters of functions that are not inlined: these accesses stay atomic. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_dynamic_object_size)
#define AMP_PRIV_SEES(p) (__builtin_dynamic_object_size(p, 0) != (size_t)-1)
#endif
#endif
#if !defined(AMP_PRIV_SEES)
#define AMP_PRIV_SEES(p) (__builtin_object_size(p, 0) != (size_t)-1)
#endif
/* No vectors: iterations may meet in a cell. clang unrolls a loop with a volatile store, and none with assembly (half
   of a histogram's speed); gcc does better with that. */
#if defined(__clang__)
#define AMP_PRIV_STORE_APART(type, p, v) *(volatile type *)(p) = v;
#else
#define AMP_PRIV_STORE_APART(type, p, v)                                                                               \
    *(p) = v;                                                                                                          \
    __asm__ volatile("" : "+m"(*(p)));
#endif
#define AMP_PRIV_ATOMIC_IN_KERNEL(name, suffix, type, replacement)                                                     \
    __attribute__((always_inline)) static inline type amp_priv_kernel_##name##_##suffix(type *p, type v)               \
    {                                                                                                                  \
        if (!AMP_PRIV_SEES(p))                                                                                         \
            return amp_priv_##name##_##suffix(p, v);                                                                   \
        const type old = *p;                                                                                           \
        AMP_PRIV_STORE_APART(type, p, replacement)                                                                     \
        return old;                                                                                                    \
    }
#define AMP_PRIV_ATOMICS_IN_KERNEL(suffix, type)                                                                       \
    AMP_PRIV_ATOMIC_IN_KERNEL(exchange, suffix, type, v)                                                               \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_add, suffix, type, (type)((unsigned long long)old + (unsigned long long)v))        \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_sub, suffix, type, (type)((unsigned long long)old - (unsigned long long)v))        \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_and, suffix, type, old &v)                                                         \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_or, suffix, type, old | v)                                                         \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_xor, suffix, type, old ^ v)                                                        \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_min, suffix, type, v < old ? v : old)                                              \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_max, suffix, type, v > old ? v : old)
AMP_PRIV_ATOMICS_IN_KERNEL(int, int)
AMP_PRIV_ATOMICS_IN_KERNEL(unsigned, unsigned)
AMP_PRIV_ATOMICS_IN_KERNEL(long, long)
AMP_PRIV_ATOMICS_IN_KERNEL(unsigned_long, unsigned long)
AMP_PRIV_ATOMICS_IN_KERNEL(long_long, long long)
AMP_PRIV_ATOMICS_IN_KERNEL(unsigned_long_long, unsigned long long)
#define AMP_PRIV_ATOMIC_REALS_IN_KERNEL(type)                                                                          \
    AMP_PRIV_ATOMIC_IN_KERNEL(exchange, type, type, v)                                                                 \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_add, type, type, old + v)                                                          \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_sub, type, type, old - v)                                                          \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_min, type, type, v < old ? v : old)                                                \
    AMP_PRIV_ATOMIC_IN_KERNEL(fetch_max, type, type, v > old ? v : old)
AMP_PRIV_ATOMIC_REALS_IN_KERNEL(float)
AMP_PRIV_ATOMIC_REALS_IN_KERNEL(double)

/* // >>names
   amp_atomic_fetch_add(p, v): adds v to *p.
   amp_atomic_fetch_sub(p, v): subtracts v from *p.
   amp_atomic_fetch_min(p, v): sets *p to the smaller of *p and v.
   amp_atomic_fetch_max(p, v): sets *p to the greater of *p and v.
   amp_atomic_fetch_and(p, v): sets *p to *p & v.
   amp_atomic_fetch_or(p, v): sets *p to *p | v.
   amp_atomic_fetch_xor(p, v): sets *p to *p ^ v.
   amp_atomic_fetch_inc(p): adds 1 to *p.
   amp_atomic_fetch_dec(p): subtracts 1 from *p.
   amp_atomic_exchange(p, v): sets *p to v.
   amp_atomic_compare_exchange(p, expected, v): sets *p to v if it equals *expected, else *expected to *p.
   amp_atomic_load(p): reads *p.
   amp_atomic_store(p, v): sets *p to v.
   In kernels and on the host. The operations are relaxed. Floating-point numbers are compared by their bits in
   amp_atomic_compare_exchange. In amp_atomic_fetch_min and _max a NaN v changes nothing, and a NaN in *p stays.
   p  address of an element of a view or array, or of a tile_static variable: an integer of 32 or 64 bits; float or
      double, except for and, or, xor, inc and dec
   v  of the type of *p
   expected  address of a private variable of that type
   Result: the old value of *p; of compare_exchange whether *p was changed; of store nothing.
   Errors: another element type does not compile; AMP_UNSUPPORTED_FEATURE for 64 bits on a device without 64-bit
   atomics. Blocking: no. Threads: any. Cost: an atomic instruction; on some devices a loop for float and double.
   Source: concurrency::atomic_fetch_add and the like; load, store, float, double and 64 bits are additions. */
#if defined(AMP_PRIV_FIBERS) /* to the thread sanitizer, a tile is many threads */
#define AMP_PRIV_ATOMIC(name, suffix) amp_priv_##name##_##suffix
#else
#define AMP_PRIV_ATOMIC(name, suffix)                                                                                  \
    (amp_priv_in_kernel ? amp_priv_kernel_##name##_##suffix : amp_priv_##name##_##suffix)
#endif
/* clang-format off */
#define AMP_PRIV_ATOMIC_INTEGERS(name)                                                                                 \
    int *: AMP_PRIV_ATOMIC(name, int), unsigned *: AMP_PRIV_ATOMIC(name, unsigned),                                    \
    long *: AMP_PRIV_ATOMIC(name, long), unsigned long *: AMP_PRIV_ATOMIC(name, unsigned_long),                        \
    long long *: AMP_PRIV_ATOMIC(name, long_long), unsigned long long *: AMP_PRIV_ATOMIC(name, unsigned_long_long)
#define AMP_PRIV_ATOMIC_NUMBERS(name)                                                                                  \
    AMP_PRIV_ATOMIC_INTEGERS(name), float *: AMP_PRIV_ATOMIC(name, float), double *: AMP_PRIV_ATOMIC(name, double)
#define AMP_PRIV_ATOMIC_PLAIN(name)                                                                                    \
    int *: amp_priv_##name##_int, unsigned *: amp_priv_##name##_unsigned,                                              \
    long *: amp_priv_##name##_long, unsigned long *: amp_priv_##name##_unsigned_long,                                  \
    long long *: amp_priv_##name##_long_long, unsigned long long *: amp_priv_##name##_unsigned_long_long,              \
    float *: amp_priv_##name##_float, double *: amp_priv_##name##_double
/* clang-format on */
#define AMP_PRIV_ATOMIC_SELECT(types, name, p)                                                                         \
    __builtin_choose_expr(amp_priv_on_host, _Generic((p), AMP_PRIV_ATOMIC_##types(name),                               \
                                                     default: ((void)__extension__({                                   \
        _Static_assert(_Generic((p), AMP_PRIV_ATOMIC_##types##_LIST default : 0), "amp: amp_atomic_" #name             \
                       "(p, ...): p must be the address of an int, an unsigned, a 64-bit integer or, but for _and, "   \
                       "_or, _xor, _inc, _dec, a float or double, and not const");                                     \
        0;                                                                                                             \
    }), amp_priv_no_atomic)), "amp_priv_atomic_" #name)
#define AMP_PRIV_ATOMIC_INTEGERS_LIST                                                                                  \
    int * : 1, unsigned * : 1, long * : 1, unsigned long * : 1, long long * : 1, unsigned long long * : 1,
#define AMP_PRIV_ATOMIC_NUMBERS_LIST AMP_PRIV_ATOMIC_INTEGERS_LIST float * : 1, double * : 1,
#define AMP_PRIV_ATOMIC_PLAIN_LIST   AMP_PRIV_ATOMIC_NUMBERS_LIST
/* For what is refused, so that nothing else is said: without a prototype it takes everything. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef int amp_priv_any_function();
#pragma GCC diagnostic pop
#define amp_priv_no_atomic (*(amp_priv_any_function *)0)

#define amp_atomic_exchange(p, v)  AMP_PRIV_ATOMIC_SELECT(NUMBERS, exchange, p)((p), (v))
#define amp_atomic_fetch_add(p, v) AMP_PRIV_ATOMIC_SELECT(NUMBERS, fetch_add, p)((p), (v))
/* *p becomes *p - v; returns what it was. */
#define amp_atomic_fetch_sub(p, v) AMP_PRIV_ATOMIC_SELECT(NUMBERS, fetch_sub, p)((p), (v))
/* *p becomes the smaller of *p and v; returns what it was. */
#define amp_atomic_fetch_min(p, v) AMP_PRIV_ATOMIC_SELECT(NUMBERS, fetch_min, p)((p), (v))
/* *p becomes the larger of *p and v; returns what it was. */
#define amp_atomic_fetch_max(p, v) AMP_PRIV_ATOMIC_SELECT(NUMBERS, fetch_max, p)((p), (v))
/* *p becomes *p & v; returns what it was. */
#define amp_atomic_fetch_and(p, v) AMP_PRIV_ATOMIC_SELECT(INTEGERS, fetch_and, p)((p), (v))
/* *p becomes *p | v; returns what it was. */
#define amp_atomic_fetch_or(p, v) AMP_PRIV_ATOMIC_SELECT(INTEGERS, fetch_or, p)((p), (v))
/* *p becomes *p ^ v; returns what it was. */
#define amp_atomic_fetch_xor(p, v) AMP_PRIV_ATOMIC_SELECT(INTEGERS, fetch_xor, p)((p), (v))
/* *p becomes *p + 1; returns what it was. */
#define amp_atomic_fetch_inc(p) AMP_PRIV_ATOMIC_SELECT(INTEGERS, fetch_add, p)((p), 1)
/* *p becomes *p - 1; returns what it was. */
#define amp_atomic_fetch_dec(p) AMP_PRIV_ATOMIC_SELECT(INTEGERS, fetch_sub, p)((p), 1)
#define amp_atomic_compare_exchange(p, expected, v)                                                                    \
    AMP_PRIV_ATOMIC_SELECT(PLAIN, compare_exchange, p)((p), (expected), (v))
#define amp_atomic_load(p) AMP_PRIV_ATOMIC_SELECT(PLAIN, load, p)(p)
/* *p becomes v. */
#define amp_atomic_store(p, v) AMP_PRIV_ATOMIC_SELECT(PLAIN, store, p)((p), (v))

#endif /* AMP_API_ATOMICS_H */
