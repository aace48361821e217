/* SPDX-License-Identifier: MIT */
/*  amp/graphics/vectors.h - short vectors: amp_float_2, amp_float_3, amp_float_4, and of int, uint, double, int8,
    uint8, int16, uint16, int64 and uint64.

    A vector is gcc's or clang's own on the host and OpenCL C's on a device, so C's operators work on it: + - * / % & |
    ^ << >> ~ and comparisons, with another vector of its type or a number of its component's. Functions have the type
    in their name, as amp_index2_add has, and are one text for host and device.
    In memory a vector of 2 or 4 is its components, aligned to all of them; a vector of 3 has the size of one of 4. What
    has three components side by side, as in C++ AMP, is amp_packed_float_3.

    Contents (search for the tag):
        >>types  >>components  >>functions  >>packed  >>texts */
#ifndef AMP_GRAPHICS_VECTORS_H
#define AMP_GRAPHICS_VECTORS_H

#include "../../amp.h"

AMP_PRIV_NEEDS_HEADER(amp_graphics__include_amp_graphics_h_in_the_file_with_AMP_IMPLEMENTATION);

/* // >>types
   gcc has no vector of three: its fourth component is spare, and 1 where a vector is made, so that integers may be
   divided by it. Not where it was computed: amp_int_3_div and amp_int_3_mod take care of that.
   What these functions take never crosses a call, so it does not matter how compilers would pass 32 bytes; they warn of
   it wherever a user's function has such a parameter, so that only a file-wide word silences them. */
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__clang__)
#define AMP_PRIV_SPARE
#define AMP_PRIV_VECTOR_0(T, N) __attribute__((ext_vector_type(N)))
#define AMP_PRIV_VECTOR_1(T, N) __attribute__((vector_size(N * sizeof(T)), aligned((N + N % 2) * sizeof(T))))
/* A comparison of bytes is a vector of plain char here, and one of 64 bits a vector of long. Where char is unsigned,
   only a vector of gcc's takes that for int8. */
#define AMP_PRIV_VECTOR_BASE(T)                                                                                        \
    __typeof__(_Generic((T)0, int8_t : AMP_PRIV_COMPARED(char, T), int64_t : AMP_PRIV_COMPARED(long, T),               \
                        default : (T)0))
#define AMP_PRIV_COMPARED(type, T) __builtin_choose_expr(sizeof(type) == sizeof(T) && (type)-1 < 0, (type)0, (T)0)
#if defined(__CHAR_UNSIGNED__)
#define AMP_PRIV_IS_GCCS_int8 ~, 1
#endif
#else
#define AMP_PRIV_SPARE           , 1
#define AMP_PRIV_VECTOR_0(T, N)  AMP_PRIV_VECTOR_BYTES((N + N % 2) * sizeof(T))
#define AMP_PRIV_VECTOR_BYTES(n) __attribute__((vector_size(n), aligned(n)))
#define AMP_PRIV_VECTOR_BASE(T)  T
#endif
#define AMP_PRIV_VECTOR_OF(S, T, N)                                                                                    \
    AMP_PRIV_CAT(AMP_PRIV_VECTOR_, AMP_PRIV_SECOND(AMP_PRIV_CAT(AMP_PRIV_IS_GCCS_, S), 0, ~))(T, N)
#define AMP_PRIV_VECTOR_TYPES(S, T, device, mask)                                                                      \
    typedef AMP_PRIV_VECTOR_BASE(T) amp_##S##_2 AMP_PRIV_VECTOR_OF(S, T, 2);                                           \
    typedef AMP_PRIV_VECTOR_BASE(T) amp_##S##_3 AMP_PRIV_VECTOR_OF(S, T, 3);                                           \
    typedef AMP_PRIV_VECTOR_BASE(T) amp_##S##_4 AMP_PRIV_VECTOR_OF(S, T, 4);
AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTOR_TYPES)

/* amp_int8_N, amp_uint8_N, amp_int16_N, amp_uint16_N, amp_int_N, amp_uint_N, amp_int64_N, amp_uint64_N, amp_float_N,
   amp_double_N: a short vector, N is 2, 3 or 4.
   It is gcc's or clang's own vector on the host and OpenCL C's on a device. So C's operators work on it, by
   components: + - * / % & | ^ << >> ~ and comparisons, with a vector of its type or a number. A vector of 3 has the
   size of one of 4.
   Source: int_2, uint_3, float_4 and the like. See: amp_packed_T_3 */

/* AMP_INT8_N(x, y, z, w), AMP_UINT8_N(x, y, z, w), AMP_INT16_N(x, y, z, w), AMP_UINT16_N(x, y, z, w), AMP_INT_N(x,
   y, z, w), AMP_UINT_N(x, y, z, w), AMP_INT64_N(x, y, z, w), AMP_UINT64_N(x, y, z, w), AMP_FLOAT_N(x, y, z, w),
   AMP_DOUBLE_N(x, y, z, w): a vector of its components; of one number, that number in all components.
   In kernels and on the host. N is 2, 3 or 4, the number of components.
   x, y, z, w  N numbers, or one
   Result: a vector.
   Errors: another number of arguments does not compile. Blocking: no. Threads: any. Cost: none. Source: the
   constructors of float_4 and the like. */
#define AMP_INT8_2(...)                  AMP_PRIV_MAKE(amp_int8, 2, __VA_ARGS__)
#define AMP_INT8_3(...)                  AMP_PRIV_MAKE(amp_int8, 3, __VA_ARGS__)
#define AMP_INT8_4(...)                  AMP_PRIV_MAKE(amp_int8, 4, __VA_ARGS__)
#define AMP_UINT8_2(...)                 AMP_PRIV_MAKE(amp_uint8, 2, __VA_ARGS__)
#define AMP_UINT8_3(...)                 AMP_PRIV_MAKE(amp_uint8, 3, __VA_ARGS__)
#define AMP_UINT8_4(...)                 AMP_PRIV_MAKE(amp_uint8, 4, __VA_ARGS__)
#define AMP_INT16_2(...)                 AMP_PRIV_MAKE(amp_int16, 2, __VA_ARGS__)
#define AMP_INT16_3(...)                 AMP_PRIV_MAKE(amp_int16, 3, __VA_ARGS__)
#define AMP_INT16_4(...)                 AMP_PRIV_MAKE(amp_int16, 4, __VA_ARGS__)
#define AMP_UINT16_2(...)                AMP_PRIV_MAKE(amp_uint16, 2, __VA_ARGS__)
#define AMP_UINT16_3(...)                AMP_PRIV_MAKE(amp_uint16, 3, __VA_ARGS__)
#define AMP_UINT16_4(...)                AMP_PRIV_MAKE(amp_uint16, 4, __VA_ARGS__)
#define AMP_INT_2(...)                   AMP_PRIV_MAKE(amp_int, 2, __VA_ARGS__)
#define AMP_INT_3(...)                   AMP_PRIV_MAKE(amp_int, 3, __VA_ARGS__)
#define AMP_INT_4(...)                   AMP_PRIV_MAKE(amp_int, 4, __VA_ARGS__)
#define AMP_UINT_2(...)                  AMP_PRIV_MAKE(amp_uint, 2, __VA_ARGS__)
#define AMP_UINT_3(...)                  AMP_PRIV_MAKE(amp_uint, 3, __VA_ARGS__)
#define AMP_UINT_4(...)                  AMP_PRIV_MAKE(amp_uint, 4, __VA_ARGS__)
#define AMP_INT64_2(...)                 AMP_PRIV_MAKE(amp_int64, 2, __VA_ARGS__)
#define AMP_INT64_3(...)                 AMP_PRIV_MAKE(amp_int64, 3, __VA_ARGS__)
#define AMP_INT64_4(...)                 AMP_PRIV_MAKE(amp_int64, 4, __VA_ARGS__)
#define AMP_UINT64_2(...)                AMP_PRIV_MAKE(amp_uint64, 2, __VA_ARGS__)
#define AMP_UINT64_3(...)                AMP_PRIV_MAKE(amp_uint64, 3, __VA_ARGS__)
#define AMP_UINT64_4(...)                AMP_PRIV_MAKE(amp_uint64, 4, __VA_ARGS__)
#define AMP_FLOAT_2(...)                 AMP_PRIV_MAKE(amp_float, 2, __VA_ARGS__)
#define AMP_FLOAT_3(...)                 AMP_PRIV_MAKE(amp_float, 3, __VA_ARGS__)
#define AMP_FLOAT_4(...)                 AMP_PRIV_MAKE(amp_float, 4, __VA_ARGS__)
#define AMP_DOUBLE_2(...)                AMP_PRIV_MAKE(amp_double, 2, __VA_ARGS__)
#define AMP_DOUBLE_3(...)                AMP_PRIV_MAKE(amp_double, 3, __VA_ARGS__)
#define AMP_DOUBLE_4(...)                AMP_PRIV_MAKE(amp_double, 4, __VA_ARGS__)
#define AMP_PRIV_MAKE(S, N, ...)         AMP_PRIV_MAKE_OF(S, N, AMP_PRIV_COUNT(__VA_ARGS__), __VA_ARGS__)
#define AMP_PRIV_MAKE_OF(S, N, n, ...)   AMP_PRIV_MAKE_OF_(S, N, n, __VA_ARGS__)
#define AMP_PRIV_MAKE_OF_(S, N, n, ...)  AMP_PRIV_MAKE_##N##_##n(S##_##N, __VA_ARGS__)
#define AMP_PRIV_MAKE_2_1(V, x)          V##_from_number(x)
#define AMP_PRIV_MAKE_2_2(V, x, y)       V##_from_2_numbers(x, y)
#define AMP_PRIV_MAKE_2_3(V, ...)        AMP_PRIV_MAKE_WRONG(V, "2")
#define AMP_PRIV_MAKE_2_4(V, ...)        AMP_PRIV_MAKE_WRONG(V, "2")
#define AMP_PRIV_MAKE_3_1(V, x)          V##_from_number(x)
#define AMP_PRIV_MAKE_3_2(V, ...)        AMP_PRIV_MAKE_WRONG(V, "3")
#define AMP_PRIV_MAKE_3_3(V, x, y, z)    V##_from_3_numbers(x, y, z)
#define AMP_PRIV_MAKE_3_4(V, ...)        AMP_PRIV_MAKE_WRONG(V, "3")
#define AMP_PRIV_MAKE_4_1(V, x)          V##_from_number(x)
#define AMP_PRIV_MAKE_4_2(V, ...)        AMP_PRIV_MAKE_WRONG(V, "4")
#define AMP_PRIV_MAKE_4_3(V, ...)        AMP_PRIV_MAKE_WRONG(V, "4")
#define AMP_PRIV_MAKE_4_4(V, x, y, z, w) V##_from_4_numbers(x, y, z, w)
#define AMP_PRIV_MAKE_WRONG(V, n)                                                                                      \
    __extension__({                                                                                                    \
        _Static_assert(0, "amp: " #V " is made of one number, or of " n);                                              \
        V##_from_number(0);                                                                                            \
    })

/* AMP_CONVERT(type, v): a vector of another type with as many components, each converted as C does it.
   In kernels and on the host. The result is undefined for a value that the type cannot represent: clamp first.
   type  a vector type
   v  a vector
   Result: a vector of that type.
   Errors: another number of components does not compile. Blocking: no. Threads: any. Cost: a conversion. Source: the
   conversions between short vectors. */
#define AMP_CONVERT(type, ...) __builtin_convertvector((__VA_ARGS__), type)

/* // >>components
   AMP_X(v), AMP_Y(v), AMP_Z(v), AMP_W(v): a component.
   AMP_R(v), AMP_G(v), AMP_B(v), AMP_A(v): a component of a colour.
   AMP_SWIZZLE(type, v, x, y): a vector of the named components: AMP_SWIZZLE(amp_float_3, v, z, y, x).
   In kernels and on the host.
   v  a vector; AMP_SWIZZLE evaluates it for each component
   type  the result's type
   x, y  2 to 4 of the names x, y, z, w, or r, g, b, a
   Result: a component, an lvalue if v is; or a vector.
   Errors: AMP_Z and AMP_W of a vector of two do not compile; devices refuse AMP_W of a vector of three. Blocking:
   no. Threads: any. Cost: none. Source: v.x, v.r, v.zyx. */
#define AMP_X(v)                       AMP_PRIV_COMPONENT_OF(v, x)
#define AMP_Y(v)                       AMP_PRIV_COMPONENT_OF(v, y)
#define AMP_Z(v)                       AMP_PRIV_COMPONENT_BEYOND_2(v, z, "AMP_Z(" #v ")")
#define AMP_W(v)                       AMP_PRIV_COMPONENT_BEYOND_2(v, w, "AMP_W(" #v ")")
#define AMP_R(v)                       AMP_X(v)
#define AMP_G(v)                       AMP_Y(v)
#define AMP_B(v)                       AMP_PRIV_COMPONENT_BEYOND_2(v, z, "AMP_B(" #v ")")
#define AMP_A(v)                       AMP_PRIV_COMPONENT_BEYOND_2(v, w, "AMP_A(" #v ")")
#define AMP_PRIV_COMPONENT_OF(v, axis) ((v)[amp_priv_axis_##axis])
#define AMP_PRIV_COMPONENT_BEYOND_2(v, axis, call)                                                                     \
    ((v)[amp_priv_axis_##axis + 0 * (int)sizeof(__extension__({                                                        \
             _Static_assert(sizeof(v) > 2 * sizeof((v)[0]), "amp: " call ": the vector has two components");           \
             0;                                                                                                        \
         }))])
#define AMP_SWIZZLE(type, v, ...)                                                                                      \
    AMP_PRIV_BODY_VALUE_IF(amp_priv_swizzles,                                                                          \
                           AMP_PRIV_IS_TYPE(type) && AMP_PRIV_IS_AXIS(AMP_PRIV_FIRST(__VA_ARGS__, ~)),                 \
                           AMP_PRIV_MSG_SWIZZLE("AMP_SWIZZLE(" #type ", " #v ", " #__VA_ARGS__ ")"),                   \
                           AMP_PRIV_SWIZZLE(type, v, __VA_ARGS__))
#define AMP_PRIV_MSG_SWIZZLE(call)                                                                                     \
    "amp: " call ": first the type of the result, then a vector, then names of components: "                           \
    "AMP_SWIZZLE(amp_float_2, v, y, x)"
AMP_PRIV_ASKS(amp_priv_swizzles, AMP_PRIV_MSG_SWIZZLE("AMP_SWIZZLE"))
#define AMP_PRIV_IS_AXIS(a) AMP_PRIV_SECOND(AMP_PRIV_CAT(AMP_PRIV_AXIS_OF_, a), 0, ~)
#define AMP_PRIV_AXIS_OF_x  ~, 1
#define AMP_PRIV_AXIS_OF_y  ~, 1
#define AMP_PRIV_AXIS_OF_z  ~, 1
#define AMP_PRIV_AXIS_OF_w  ~, 1
#define AMP_PRIV_AXIS_OF_r  ~, 1
#define AMP_PRIV_AXIS_OF_g  ~, 1
#define AMP_PRIV_AXIS_OF_b  ~, 1
#define AMP_PRIV_AXIS_OF_a  ~, 1
#define AMP_PRIV_SWIZZLE(type, v, ...)                                                                                 \
    AMP_PRIV_CAT3(type, _from_, AMP_PRIV_CAT(AMP_PRIV_FROM_, AMP_PRIV_COUNT(__VA_ARGS__)))                             \
    (AMP_PRIV_CAT(AMP_PRIV_SWIZZLE_, AMP_PRIV_COUNT(__VA_ARGS__))(v, __VA_ARGS__))
#define AMP_PRIV_FROM_2                   2_numbers
#define AMP_PRIV_FROM_3                   3_numbers
#define AMP_PRIV_FROM_4                   4_numbers
#define AMP_PRIV_SWIZZLE_2(v, a, b)       AMP_PRIV_AXIS_##a(v), AMP_PRIV_AXIS_##b(v)
#define AMP_PRIV_SWIZZLE_3(v, a, b, c)    AMP_PRIV_SWIZZLE_2(v, a, b), AMP_PRIV_AXIS_##c(v)
#define AMP_PRIV_SWIZZLE_4(v, a, b, c, d) AMP_PRIV_SWIZZLE_3(v, a, b, c), AMP_PRIV_AXIS_##d(v)
#define AMP_PRIV_AXIS_x                   AMP_X
#define AMP_PRIV_AXIS_y                   AMP_Y
#define AMP_PRIV_AXIS_z                   AMP_Z
#define AMP_PRIV_AXIS_w                   AMP_W
#define AMP_PRIV_AXIS_r                   AMP_R
#define AMP_PRIV_AXIS_g                   AMP_G
#define AMP_PRIV_AXIS_b                   AMP_B
#define AMP_PRIV_AXIS_a                   AMP_A

/* // >>functions
   amp_T_N_min(a, b), amp_T_N_max(a, b): the smaller or greater of each component; b's if one is NaN.
   amp_T_N_clamp(v, low, high): each component between two numbers.
   amp_T_N_select(mask, a, b): a's component where a comparison was true, else b's.
   amp_T_N_load(p): a vector of neighbouring numbers in memory: amp_float_4_load(&AMP_AT(view, i)).
   amp_T_N_store(p, v): writes the components to neighbouring numbers.
   amp_T_N_any(mask), amp_T_N_all(mask): whether a comparison was true for any component, for all components.
   amp_T_N_div(a, b), amp_T_N_mod(a, b): / and %, for b of three components that was computed.
   amp_T_N_dot(a, b): the scalar product; of int8 an exact int.
   amp_T_N_length(v): the length.
   amp_T_N_distance(a, b): the length of a - b.
   amp_T_N_normalize(v): v divided by its length.
   amp_T_N_mix(a, b, t): a + (b - a) * t.
   amp_T_N_fma(a, b, c): a * b + c, rounded once.
   amp_T_N_smoothstep(edge0, edge1, v): 0 to 1 between two edges, smoothly.
   amp_T_N_cross(a, b): the vector product of two vectors of three.
   amp_T_N_from_number(x): what AMP_FLOAT_4(x) becomes.
   amp_T_N_from_2_numbers(x, y), amp_T_N_from_3_numbers(x, y, z), amp_T_N_from_4_numbers(x, y, z, w): what
   AMP_FLOAT_4(x, y, z, w) and the like become.
   In kernels and on the host. T is float, double, int, uint, int8 to int64, uint8 to uint64; N is 2, 3 or 4. _any
   and _all exist for signed integers, _div and _mod for integers, _dot to _cross for float and double, _dot for int8.
   a, b, c, v  vectors of that type
   low, high, t, edge0, edge1, x, y, z, w  numbers of the component's type
   mask  the result of a comparison: a vector of signed integers, of amp_float_4 an amp_int_4
   p  address of the first of N numbers
   Result: a vector; of _any and _all an int; of _dot, _length and _distance a number.
   Errors: none. Blocking: no. Threads: any. Cost: a few instructions. Source: HLSL's functions; those on short
   vectors of concurrency::graphics. */

/* A function is F(type, name, (parameters), { body }): F makes the host's, or the text for devices. */
#define AMP_PRIV_VECTOR_ON_HOST(type, name, parameters, ...)                                                           \
    __attribute__((always_inline, unused)) static inline type name parameters __VA_ARGS__
#define AMP_PRIV_VECTOR_AS_TEXT(type, name, parameters, ...)                                                           \
    AMP_PRIV_TEXT(static inline type name parameters __VA_ARGS__) "\n"

/* For each component: AMP_PRIV_AXES_3(X, +) is X(x) + X(y) + X(z). */
#define AMP_PRIV_AXES_2(X, link) X(x) link X(y)
#define AMP_PRIV_AXES_3(X, link)                                                                                       \
    X(x) link X(y)                                                                                                     \
    link X(z)
#define AMP_PRIV_AXES_4(X, link)                                                                                       \
    X(x) link X(y)                                                                                                     \
    link X(z)                                                                                                          \
    link X(w)
#define AMP_PRIV_AXES_LIST_2(X)   X(x), X(y)
#define AMP_PRIV_AXES_LIST_3(X)   X(x), X(y), X(z)
#define AMP_PRIV_AXES_LIST_4(X)   X(x), X(y), X(z), X(w)
#define AMP_PRIV_NUMBERS_OF_2(T)  T x, T y
#define AMP_PRIV_NUMBERS_OF_3(T)  T x, T y, T z
#define AMP_PRIV_NUMBERS_OF_4(T)  T x, T y, T z, T w
#define AMP_PRIV_NUMBERS_2        x, y
#define AMP_PRIV_NUMBERS_3        x, y, z AMP_PRIV_SPARE
#define AMP_PRIV_NUMBERS_4        x, y, z, w
#define AMP_PRIV_SAME_OF(axis)    x
#define AMP_PRIV_A_OF(axis)       AMP_PRIV_COMPONENT_OF(a, axis)
#define AMP_PRIV_B_OF(axis)       AMP_PRIV_COMPONENT_OF(b, axis)
#define AMP_PRIV_SET_OF(axis)     AMP_PRIV_COMPONENT_OF(v, axis) = axis;
#define AMP_PRIV_LESS_OF(axis)    AMP_PRIV_A_OF(axis) < AMP_PRIV_B_OF(axis) ? AMP_PRIV_A_OF(axis) : AMP_PRIV_B_OF(axis)
#define AMP_PRIV_MORE_OF(axis)    AMP_PRIV_B_OF(axis) < AMP_PRIV_A_OF(axis) ? AMP_PRIV_A_OF(axis) : AMP_PRIV_B_OF(axis)
#define AMP_PRIV_CHOICE_OF(axis)  AMP_PRIV_COMPONENT_OF(m, axis) ? AMP_PRIV_A_OF(axis) : AMP_PRIV_B_OF(axis)
#define AMP_PRIV_LOAD_OF(axis)    p[AMP_PRIV_PLACE_##axis]
#define AMP_PRIV_STORE_OF(axis)   p[AMP_PRIV_PLACE_##axis] = AMP_PRIV_COMPONENT_OF(v, axis);
#define AMP_PRIV_TRUE_OF(axis)    (AMP_PRIV_COMPONENT_OF(m, axis) != 0)
#define AMP_PRIV_PRODUCT_OF(axis) AMP_PRIV_A_OF(axis) * AMP_PRIV_B_OF(axis)
#define AMP_PRIV_PLACE_x          0
#define AMP_PRIV_PLACE_y          1
#define AMP_PRIV_PLACE_z          2
#define AMP_PRIV_PLACE_w          3

/* What the host does with whole vectors is text of components, of which the compilers of devices make the same. */
#define AMP_PRIV_VECTOR_HOST(V, T, N, M)                                                                               \
    AMP_PRIV_VECTOR_ON_HOST(V, V##_from_##N##_numbers, (AMP_PRIV_NUMBERS_OF_##N(T)), {                                 \
        const V v = {AMP_PRIV_NUMBERS_##N};                                                                            \
        return v;                                                                                                      \
    })                                                                                                                 \
    AMP_PRIV_VECTOR_ON_HOST(V, V##_select, (M m, V a, V b), { return (V)((m & (M)a) | (~m & (M)b)); })                 \
    AMP_PRIV_VECTOR_ON_HOST(V, V##_min, (V a, V b), { return V##_select((M)(a < b), a, b); })                          \
    AMP_PRIV_VECTOR_ON_HOST(V, V##_max, (V a, V b), { return V##_select((M)(b < a), a, b); })                          \
    AMP_PRIV_VECTOR_ON_HOST(V, V##_load, (const T *p), {                                                               \
        V v = V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_PLACE_1));                                        \
        memcpy(&v, p, N * sizeof *p);                                                                                  \
        return v;                                                                                                      \
    })                                                                                                                 \
    AMP_PRIV_VECTOR_ON_HOST(void, V##_store, (T * p, V v), { memcpy(p, &v, N * sizeof *p); })
#define AMP_PRIV_PLACE_1(axis) 1
#define AMP_PRIV_VECTOR_TEXT(V, T, N, M)                                                                               \
    AMP_PRIV_VECTOR_AS_TEXT(V, V##_from_##N##_numbers, (AMP_PRIV_NUMBERS_OF_##N(T)),                                   \
                            { V v amp_priv_blank; AMP_PRIV_AXES_##N(AMP_PRIV_SET_OF, ) return v; })                    \
    AMP_PRIV_VECTOR_AS_TEXT(V, V##_select, (M m, V a, V b),                                                            \
                            { return V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_CHOICE_OF)); })            \
    AMP_PRIV_VECTOR_AS_TEXT(V, V##_min, (V a, V b),                                                                    \
                            { return V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_LESS_OF)); })              \
    AMP_PRIV_VECTOR_AS_TEXT(V, V##_max, (V a, V b),                                                                    \
                            { return V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_MORE_OF)); })              \
    AMP_PRIV_VECTOR_AS_TEXT(V, V##_load, (AMP_PRIV_ELEMENT_POINTER(const T) p),                                        \
                            { return V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_LOAD_OF)); })              \
    AMP_PRIV_VECTOR_AS_TEXT(void, V##_store, (AMP_PRIV_ELEMENT_POINTER(T) p, V v),                                     \
                            { AMP_PRIV_AXES_##N(AMP_PRIV_STORE_OF, ) })

/* One text for both. */
#define AMP_PRIV_VECTOR_ANY(F, V, T, N)                                                                                \
    F(V, V##_from_number, (T x), { return V##_from_##N##_numbers(AMP_PRIV_AXES_LIST_##N(AMP_PRIV_SAME_OF)); })         \
    F(V, V##_clamp, (V v, T low, T high), { return V##_min(V##_max(v, V##_from_number(low)), V##_from_number(high)); })
#define AMP_PRIV_VECTOR_UNSIGNED(F, V, T, N)                                                                           \
    F(V, V##_div, (V a, V b), { return a / AMP_PRIV_DIVISOR_##N(V, b); })                                              \
    F(V, V##_mod, (V a, V b), { return a % AMP_PRIV_DIVISOR_##N(V, b); })
#define AMP_PRIV_DIVISOR_2(V, b) b
#define AMP_PRIV_DIVISOR_3(V, b) V##_from_3_numbers(AMP_PRIV_AXES_LIST_3(AMP_PRIV_B_OF))
#define AMP_PRIV_DIVISOR_4(V, b) b
#define AMP_PRIV_VECTOR_SIGNED(F, V, T, N)                                                                             \
    AMP_PRIV_VECTOR_UNSIGNED(F, V, T, N)                                                                               \
    F(int, V##_any, (V m), { return AMP_PRIV_AXES_##N(AMP_PRIV_TRUE_OF, ||); })                                        \
    F(int, V##_all, (V m), { return AMP_PRIV_AXES_##N(AMP_PRIV_TRUE_OF, &&); })
/* amp_priv_dot_bytes: a function of the host's, for devices a macro, which may have an instruction for four bytes. */
#define AMP_PRIV_VECTOR_OF_BYTES(F, V, T, N)                                                                           \
    AMP_PRIV_VECTOR_SIGNED(F, V, T, N)                                                                                 \
    F(int, V##_dot, (V a, V b), { return AMP_PRIV_DOT_OF_BYTES_##N; })
#define AMP_PRIV_DOT_OF_BYTES_2            AMP_PRIV_AXES_2(AMP_PRIV_PRODUCT_OF, +)
#define AMP_PRIV_DOT_OF_BYTES_3            AMP_PRIV_AXES_3(AMP_PRIV_PRODUCT_OF, +)
#define AMP_PRIV_DOT_OF_BYTES_4            amp_priv_dot_bytes(a, b, AMP_PRIV_AXES_4(AMP_PRIV_PRODUCT_OF, +))
#define AMP_PRIV_VECTOR_FLOAT(F, V, T, N)  AMP_PRIV_VECTOR_REAL(F, V, T, N, amp_priv_root, fmaf)
#define AMP_PRIV_VECTOR_DOUBLE(F, V, T, N) AMP_PRIV_VECTOR_REAL(F, V, T, N, amp_priv_double_root, fma)
#define AMP_PRIV_VECTOR_REAL(F, V, T, N, root, fused)                                                                  \
    F(T, V##_dot, (V a, V b), { return AMP_PRIV_AXES_##N(AMP_PRIV_PRODUCT_OF, +); })                                   \
    F(T, V##_length, (V v), { return root(V##_dot(v, v)); })                                                           \
    F(T, V##_distance, (V a, V b), { return V##_length(a - b); })                                                      \
    F(V, V##_normalize, (V v), { return v * ((T)1 / V##_length(v)); })                                                 \
    F(V, V##_mix, (V a, V b, T t), { return a + (b - a) * t; })                                                        \
    F(V, V##_fma, (V a, V b, V c), { return V##_from_##N##_numbers(AMP_PRIV_FUSED_##N(fused)); })                      \
    F(V, V##_smoothstep, (T edge0, T edge1, V v), {                                                                    \
        const V t = V##_clamp((v - edge0) / (edge1 - edge0), 0, 1);                                                    \
        return t * t * ((T)3 - (T)2 * t);                                                                              \
    })                                                                                                                 \
    AMP_PRIV_VECTOR_CROSS_##N(F, V)
#define AMP_PRIV_FUSED(fused, axis) fused(AMP_PRIV_A_OF(axis), AMP_PRIV_B_OF(axis), AMP_PRIV_COMPONENT_OF(c, axis))
#define AMP_PRIV_FUSED_2(fused)     AMP_PRIV_FUSED(fused, x), AMP_PRIV_FUSED(fused, y)
#define AMP_PRIV_FUSED_3(fused)     AMP_PRIV_FUSED_2(fused), AMP_PRIV_FUSED(fused, z)
#define AMP_PRIV_FUSED_4(fused)     AMP_PRIV_FUSED_3(fused), AMP_PRIV_FUSED(fused, w)
#define AMP_PRIV_VECTOR_CROSS_2(F, V)
#define AMP_PRIV_VECTOR_CROSS_4(F, V)
#define AMP_PRIV_VECTOR_CROSS_3(F, V)                                                                                  \
    F(V, V##_cross, (V a, V b), {                                                                                      \
        return AMP_PRIV_SWIZZLE(V, a, y, z, x) * AMP_PRIV_SWIZZLE(V, b, z, x, y) -                                     \
               AMP_PRIV_SWIZZLE(V, a, z, x, y) * AMP_PRIV_SWIZZLE(V, b, y, z, x);                                      \
    })

/* What the functions of a vector are, beside those of any. */
#define AMP_PRIV_VECTOR_int8   AMP_PRIV_VECTOR_OF_BYTES
#define AMP_PRIV_VECTOR_uint8  AMP_PRIV_VECTOR_UNSIGNED
#define AMP_PRIV_VECTOR_int16  AMP_PRIV_VECTOR_SIGNED
#define AMP_PRIV_VECTOR_uint16 AMP_PRIV_VECTOR_UNSIGNED
#define AMP_PRIV_VECTOR_int    AMP_PRIV_VECTOR_SIGNED
#define AMP_PRIV_VECTOR_uint   AMP_PRIV_VECTOR_UNSIGNED
#define AMP_PRIV_VECTOR_int64  AMP_PRIV_VECTOR_SIGNED
#define AMP_PRIV_VECTOR_uint64 AMP_PRIV_VECTOR_UNSIGNED
#define AMP_PRIV_VECTOR_float  AMP_PRIV_VECTOR_FLOAT
#define AMP_PRIV_VECTOR_double AMP_PRIV_VECTOR_DOUBLE

static inline float amp_priv_root(float x) { return AMP_PRIV_NO_ERRNO_OF(sqrtf)(x); }
static inline double amp_priv_double_root(double x) { return AMP_PRIV_NO_ERRNO_OF(sqrt)(x); }
static inline int amp_priv_dot_bytes(amp_int8_4 a, amp_int8_4 b, int computed)
{
    (void)a, (void)b;
    return computed;
}
#define AMP_PRIV_VECTORS_ON_HOST(S, T, device, mask)                                                                   \
    AMP_PRIV_VECTOR_HOST(amp_##S##_2, T, 2, amp_##mask##_2)                                                            \
    AMP_PRIV_VECTOR_HOST(amp_##S##_3, T, 3, amp_##mask##_3)                                                            \
    AMP_PRIV_VECTOR_HOST(amp_##S##_4, T, 4, amp_##mask##_4)                                                            \
    AMP_PRIV_VECTORS_SHARED(AMP_PRIV_VECTOR_ON_HOST, S, T)
#define AMP_PRIV_VECTORS_SHARED(F, S, T)                                                                               \
    AMP_PRIV_VECTOR_ANY(F, amp_##S##_2, T, 2)                                                                          \
    AMP_PRIV_VECTOR_##S(F, amp_##S##_2, T, 2)                                                                          \
    AMP_PRIV_VECTOR_ANY(F, amp_##S##_3, T, 3)                                                                          \
    AMP_PRIV_VECTOR_##S(F, amp_##S##_3, T, 3)                                                                          \
    AMP_PRIV_VECTOR_ANY(F, amp_##S##_4, T, 4)                                                                          \
    AMP_PRIV_VECTOR_##S(F, amp_##S##_4, T, 4)
AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTORS_ON_HOST)

/* // >>packed
   amp_packed_T_3: three components side by side, the members x, y and z: 12 bytes for float.
   C++ AMP's float_3 in memory.
   Source: float_3 and the like. */

/* amp_T_3_unpack(p): converts a packed vector to a vector.
   amp_T_3_pack(v): converts a vector to a packed vector.
   In kernels and on the host.
   p  an amp_packed_T_3
   v  a vector of three
   Result: a vector of three, or an amp_packed_T_3.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: none. */
#define AMP_PRIV_PACKED(S, T, device, mask)                                                                            \
    typedef struct amp_packed_##S##_3 { T x, y, z; } amp_packed_##S##_3;                                               \
    AMP_PRIV_PACKED_FUNCTIONS(AMP_PRIV_VECTOR_ON_HOST, amp_##S##_3, amp_packed_##S##_3)
#define AMP_PRIV_PACKED_TEXT(S, T)                                                                                     \
    "typedef struct amp_packed_" #S "_3 { " #T " x, y, z; } amp_packed_" #S "_3;\n" AMP_PRIV_PACKED_FUNCTIONS(         \
            AMP_PRIV_VECTOR_AS_TEXT, amp_##S##_3, amp_packed_##S##_3)
#define AMP_PRIV_PACKED_FUNCTIONS(F, V, PACKED)                                                                        \
    F(V, V##_unpack, (PACKED p), { return V##_from_3_numbers(p.x, p.y, p.z); })                                        \
    F(PACKED, V##_pack, (V v), {                                                                                       \
        const PACKED p = {AMP_PRIV_COMPONENT_OF(v, x), AMP_PRIV_COMPONENT_OF(v, y), AMP_PRIV_COMPONENT_OF(v, z)};      \
        return p;                                                                                                      \
    })
AMP_PRIV_FOR_VECTORS(AMP_PRIV_PACKED)

/* // >>texts: all of that for devices, a text for each type of a component. */
#if AMP_PRIV_IMPLEMENTS && AMP_PRIV_HAS_DEVICES
#define AMP_PRIV_VECTORS_TEXT(S, T, device, mask)                                                                      \
    AMP_PRIV_VECTOR_TEXT(amp_##S##_2, T, 2, amp_##mask##_2)                                                            \
    AMP_PRIV_VECTOR_TEXT(amp_##S##_3, T, 3, amp_##mask##_3)                                                            \
    AMP_PRIV_VECTOR_TEXT(amp_##S##_4, T, 4, amp_##mask##_4)                                                            \
    AMP_PRIV_VECTORS_SHARED(AMP_PRIV_VECTOR_AS_TEXT, S, T) AMP_PRIV_PACKED_TEXT(S, T)
#define AMP_PRIV_VECTORS_DEFINITION(S, T, device, mask)                                                                \
    { 1, #S "_", AMP_PRIV_VECTORS_TEXT(S, T, device, mask), NULL },
AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_library_definition amp_priv_vector_texts[] = {
    { 0, "root", "#define amp_priv_root(x) sqrtf(x)\n#define amp_priv_double_root(x) sqrt(x)\n", NULL },
    AMP_PRIV_FOR_VECTORS(AMP_PRIV_VECTORS_DEFINITION)
};
AMP_PRIV_LONG_STRINGS_END
__attribute__((constructor)) static void amp_priv_register_vectors(void)
{
    amp_priv_register_library(amp_priv_vector_texts, sizeof amp_priv_vector_texts / sizeof amp_priv_vector_texts[0]);
}
#endif

#endif /* AMP_GRAPHICS_VECTORS_H */
