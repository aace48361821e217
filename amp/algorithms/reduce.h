/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/reduce.h - reductions: sums, minima, counts.

    The association depends only on the number of elements, so sums of floats have the same bits everywhere. The
    elements are distributed in rows of 256 over 256 lanes. R rows are a block: R is 16, or the next power of two for
    which there are at most 4096 blocks. Each lane combines its elements of a block from top to bottom, beginning with
    the identity; then lane i and lane i + 128 are combined, i and i + 64, ... 0 and 1. The results of the blocks
    are combined in the same way, as one block.

    A GPU has one thread for each lane of a block, and that thread evaluates the values of its rows one after another.
    Where a value has a loop, a GPU evaluates all values first, with a thread for each, and stores them. The order in
    which they are combined is the same.

    Contents (search for the tag):
        >>plan  >>reduce  >>common  >>predicates  >>implementation */
#ifndef AMP_ALGORITHMS_REDUCE_H
#define AMP_ALGORITHMS_REDUCE_H

#include "contracts_checks.h"
#include "cpu_device.h"
#include "plan.h"
#include "tile.h"

/* // >>plan */

enum { AMP_PRIV_REDUCE_ROWS = 16, AMP_PRIV_REDUCE_BLOCKS = 4096, AMP_PRIV_REDUCE_MAX_ROWS = 1 << 22 };

/* What one launch does. */
AMP_STRUCT(amp_priv_reduce_step, {
    int64_t size; /* elements */
    int rows;     /* of a block */
    int pass;     /* 0: values, 1: stored ones or blocks' results, 2: stores values, a row in each tile, 3: has loops */
});

typedef struct amp_priv_reduction {
    amp_priv_call call;
    amp_priv_reduce_step step;
    int64_t size;
    int rows, blocks;  /* of a block; of these */
    int tiles;         /* of this launch */
    int passes;        /* launches done */
    int stores_values; /* 1: the first launch does */
    bool has_loops;    /* its value */
    bool by_lanes;     /* amp/algorithms/cpu_device.h */
    const amp_priv_element *element;
    size_t values, partials, last; /* where they are in the temporary memory: values, results of blocks, the result */
} amp_priv_reduction;

/* The source of a value; NULL: it is an element of a view. */
typedef struct amp_priv_reduce_value {
    const char *text;
    amp_priv_user_definition *definitions; /* of its file */
    signed char *loops;                    /* of the place, kept: 0: not known, 1: it has loops, -1: none */
} amp_priv_reduce_value;

/* False after reporting. result: a variable, or a view or array. */
AMP_PRIV_API bool amp_priv_reduce_begin(amp_priv_reduction *r, const char *name, amp_accelerator_view view,
                                        const amp_priv_named *heads, size_t count, int64_t size,
                                        const amp_priv_element *element, const void *result, bool is_variable,
                                        amp_priv_reduce_value value);

/* The next launch: false when there is none. from, to: the views that it reads partial results from, and writes to.
   They are apart and begin behind the first element in both launches, so that these take one program. */
AMP_PRIV_API bool amp_priv_reduce_next(amp_priv_reduction *r, void *from, void *to);

AMP_PRIV_API int amp_priv_reduce_threads(const amp_priv_reduction *r);

/* The templates of the kernels (amp/launch/template.h): of values that a multiplication may make, and of others. */
AMP_PRIV_API const char *amp_priv_reduce_text_ROUNDED(void);
AMP_PRIV_API const char *amp_priv_reduce_text_PLAIN(void);

AMP_PRIV_API void amp_priv_reduce_end(amp_priv_reduction *r);

/* // >>reduce
   AMP_REDUCE(T, result, extent, (i), AMP_CAPTURE(...), value, operation, identity): combines a value per index.
   AMP_REDUCE_ON(view, T, result, extent, (i), AMP_CAPTURE(...), value, operation, identity): the same on an
   accelerator view.
   The reduction of an empty extent is its identity. The association depends on the number of elements alone, so that
   the result has the same bits everywhere.
   T  a type with views (AMP_DEFINE_ELEMENT)
   result  a variable of type T, which has the result when the call returns; or a view or array of T of rank 1, whose
           first element receives it without waiting
   extent  amp_extentN of rank 1 to 3; evaluated once
   i  names of the index: (i), (row, col), (plane, row, col)
   value  an expression of the index and of captured names, evaluated once for each index; it may write captured views
   operation  an expression of a and b, associative and commutative
   identity  a constant for which `identity op x` is x; it may be { 0, 1 }
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_PARALLEL_FOR_EACH; the result is unchanged then. Blocking: for a variable. Threads: any.
   Cost: each element is read once; two launches, one up to 4096 elements. A GPU stores values that have a loop, up to
   1 GiB, by one launch more. Source: std::transform_reduce. */
#define AMP_PRIV_FORM_REDUCE "int, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0"
#define AMP_REDUCE(...)                                                                                                \
    AMP_PRIV_TAKES(8, AMP_PRIV_GIVEN_REDUCE, "AMP_REDUCE", AMP_PRIV_FORM_REDUCE, __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE(...)                                                                                     \
    AMP_PRIV_REDUCE_NAMED("AMP_REDUCE", (amp_accelerator_view){ NULL }, __VA_ARGS__)
#define AMP_REDUCE_ON(...)                                                                                             \
    AMP_PRIV_TAKES(9, AMP_PRIV_GIVEN_REDUCE_ON, "AMP_REDUCE_ON", "view, " AMP_PRIV_FORM_REDUCE, __VA_ARGS__)
#define AMP_PRIV_GIVEN_REDUCE_ON(...) AMP_PRIV_REDUCE_NAMED("AMP_REDUCE_ON", __VA_ARGS__)

/* T may have been a macro. */
#define AMP_PRIV_REDUCE_NAMED(name, where, T, result, extent, names, captures, value, operation, ...)                  \
    do {                                                                                                               \
        AMP_PRIV_IF_FIRST_ARE(AMP_REDUCE, AMP_PRIV_FORM_REDUCE, where, T, 1)                                           \
        AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
        _Static_assert(AMP_PRIV_IS_ELEMENT(T), AMP_PRIV_MSG_ELEMENT(#T));                                              \
        AMP_PRIV_REDUCE(name, ROUNDED, where, T, "type " #T, AMP_PRIV_VIEW_NAMED(T), &amp_priv_element_##T, result,    \
                        extent, names, captures, value, operation, __VA_ARGS__);                                       \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
AMP_PRIV_FIRST_OF(AMP_REDUCE, AMP_PRIV_FORM_REDUCE)

/* The macro, for arguments in its form; instead of it a message, where the index names are not in parentheses, or the
   captures are no AMP_CAPTURE. */
#define AMP_PRIV_IN_FORM(macro, names, captures)                                                                       \
    AMP_PRIV_CAT(AMP_PRIV_IN_FORM_, AMP_PRIV_IS_WRAPPED(names))(macro, captures)
#define AMP_PRIV_IN_FORM_0(macro, captures) AMP_PRIV_NO_NAMES
#define AMP_PRIV_IN_FORM_1(macro, captures) AMP_PRIV_CAT(AMP_PRIV_IN_FORM_1_, AMP_PRIV_IS_LIST(captures))(macro)
#define AMP_PRIV_IN_FORM_1_0(macro)         AMP_PRIV_NO_LIST
#define AMP_PRIV_IN_FORM_1_1(macro)         macro
#define AMP_PRIV_NO_NAMES(what, ...)                                                                                   \
    _Static_assert(0, "amp: " what ": the index names go in parentheses after the extent: (i), (row, col)")
#define AMP_PRIV_NO_LIST(name, ...)                                                                                    \
    _Static_assert(0, "amp: " name ": AMP_CAPTURE(...) or another argument is missing: AMP_CAPTURE goes after the "    \
                   "index names")

/* type: T in words. */
#define AMP_PRIV_REDUCE(name, fold, where, T, type, VIEW, element, result, extent, names, captures, value, operation,  \
                        ...)                                                                                           \
    do {                                                                                                               \
        AMP_PRIV_CHECK_OPERATION(name, operation)                                                                      \
        AMP_PRIV_IF_VALUE_FIRST(name, captures, value, operation)                                                      \
        AMP_PRIV_CHECK_RESULT(name, result, type, VIEW)                                                                \
        AMP_PRIV_IN_FORM(AMP_PRIV_REDUCE_1, names, captures)                                                           \
        (name, fold, where, T, VIEW, element, result, extent, names, AMP_PRIV_UNWRAP captures, value, operation,       \
         __VA_ARGS__);                                                                                                 \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_REDUCE_1(name, fold, where, T, VIEW, element, result, extent, names, captures, value, operation, ...) \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        AMP_PRIV_REDUCE_CONTRACT_##fold(name, true, -1, where, T, VIEW, element, names, captures, value, operation,    \
                                        __VA_ARGS__)                                                                   \
        AMP_PRIV_LONG_STRINGS_BEGIN const char *const amp_priv_spelled = AMP_PRIV_TEXT(value);                         \
        AMP_PRIV_LONG_STRINGS_END static signed char amp_priv_loops;                                                   \
        amp_priv_reduction amp_priv_this;                                                                              \
        if (amp_priv_reduce_begin(&amp_priv_this, name, where, AMP_PRIV_HEADS(captures),                               \
                                  AMP_PRIV_HEADS_COUNT(captures),                                                      \
                                  amp_priv_domain_size(name, amp_priv_domain.v, AMP_PRIV_COUNT names), element,        \
                                  AMP_PRIV_RESULT(result), AMP_PRIV_IS_VARIABLE(result, VIEW),                         \
                                  (amp_priv_reduce_value){ amp_priv_spelled, amp_priv_user_definitions,                \
                                                           &amp_priv_loops }))                                         \
            for (VIEW amp_priv_from, amp_priv_to;                                                                      \
                 amp_priv_reduce_next(&amp_priv_this, &amp_priv_from, &amp_priv_to);) {                                \
                const amp_priv_reduce_step amp_priv_step = amp_priv_this.step;                                         \
                AMP_PRIV_REDUCE_CPU(T, names, captures, value, operation, __VA_ARGS__)                                 \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    amp_priv_reduce_text_##fold, AMP_PRIV_TYPED_PARTS(T, names, value, operation, __VA_ARGS__),        \
                    amp_priv_this.call.view, AMP_EXTENT(amp_priv_reduce_threads(&amp_priv_this)), (256),               \
                    amp_priv_tile,                                                                                     \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_from, amp_priv_to,                           \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_SPECIALIZE(amp_priv_stored, amp_priv_this.stores_values),                                    \
                      AMP_VALUE(amp_priv_reduce_step, amp_priv_step))),                                                \
                    AMP_PRIV_REDUCE_BODY(fold, T, names, value, operation, __VA_ARGS__));                              \
            }                                                                                                          \
        amp_priv_reduce_end(&amp_priv_this);                                                                           \
    } while (0)

/* On a CPU that OpenCL has. */
#if defined(AMP_BACKEND_OPENCL)
#define AMP_PRIV_REDUCE_CPU(T, names, captures, value, operation, ...)                                                 \
    if (amp_priv_this.by_lanes)                                                                                        \
        AMP_PRIV_TILED_DEVICE(amp_priv_reduce_text_CPU, AMP_PRIV_TYPED_PARTS(T, names, value, operation, __VA_ARGS__), \
                              amp_priv_this.call.view, AMP_EXTENT(amp_priv_this.tiles), (1), amp_priv_tile,            \
                              ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_from, amp_priv_to,                 \
                                AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                    \
                                AMP_VALUE(amp_priv_reduce_step, amp_priv_step))),                                      \
                              AMP_PRIV_REDUCE_CPU_BODY(T, names, value, operation, __VA_ARGS__));                      \
    else
#else
#define AMP_PRIV_REDUCE_CPU(...)
#endif

/* A block is a tile. amp_priv_T is the type in the body, as T may be long. fold: ROUNDED or PLAIN, for values that no
   multiplication makes. */
#define AMP_PRIV_REDUCE_BODY(fold, T, names, value, operation, ...)                                                    \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        AMP_PRIV_TILE_STATIC(T, amp_priv_lane, [256]);                                                                 \
        AMP_PRIV_PRIVATE_1(amp_priv_T, amp_priv_sum);                                                                  \
        AMP_PRIV_REDUCE_KEPT_##fold                                                                                    \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { AMP_OWN(amp_priv_sum) = amp_priv_identity; }                     \
        const int64_t amp_priv_first = (int64_t)amp_priv_tile.tile.v[0] * amp_priv_step.rows * 256;                    \
        AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                         \
        int amp_priv_row = 0;                                                                                          \
        AMP_PRIV_REDUCE_ROWS_GPU(names, value, operation)                                                              \
        AMP_PRIV_REDUCE_ROWS_HOST(fold, names, value, operation)                                                       \
        for (; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                                    \
            const int64_t amp_priv_base = amp_priv_first + amp_priv_row * 256;                                         \
            const int64_t amp_priv_left = amp_priv_step.size - amp_priv_base;                                          \
            const int amp_priv_end = amp_priv_left < 256 ? (int)amp_priv_left : 256;                                   \
            if (amp_priv_step.pass != 1) {                                                                             \
                AMP_PRIV_REDUCE_ROW_##fold(names, value, operation)                                                    \
            } else {                                                                                                   \
                AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end)                                        \
                AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum),                             \
                                 AMP_AT(amp_priv_from, (int)amp_priv_base + amp_priv_t.local.v[0]), operation)         \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_REDUCE_STORE_GPU                                                                                      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) { amp_priv_lane[amp_priv_t.local.v[0]] = AMP_OWN(amp_priv_sum); }  \
        AMP_PRIV_TILE_REDUCE(amp_priv_tile, amp_priv_T, amp_priv_lane, 256, operation);                                \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_step.pass == 2 ? 0 : 1)                             \
        AMP_PRIV_CELL(amp_priv_to, amp_priv_t.tile.v[0]) = amp_priv_lane[0];                                           \
    }

/* A value that is stored is its lane's sum, of one row. */
#define AMP_PRIV_REDUCE_STORE_GPU                                                                                      \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_stored") && amp_priv_step.pass == 2)                                      \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            if (amp_priv_first + amp_priv_t.local.v[0] < amp_priv_step.size)                                           \
                AMP_AT(amp_priv_to, (int)amp_priv_first + amp_priv_t.local.v[0]) = AMP_OWN(amp_priv_sum);              \
        }

/* Of a whole block, a GPU works on 8 rows at a time. It still combines them row by row. */
#define AMP_PRIV_REDUCE_ROWS_GPU(names, value, operation)                                                              \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_step.pass == amp_priv_stored && "                                         \
                                   "amp_priv_step.size - amp_priv_first >= (int64_t)amp_priv_step.rows * 256"))        \
        for (; amp_priv_row <= amp_priv_step.rows - 8; amp_priv_row += 8)                                              \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                amp_priv_T amp_priv_value[8];                                                                          \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++) {                                               \
                    const int amp_priv_j = (amp_priv_row + amp_priv_k) * 256 + amp_priv_t.local.v[0];                  \
                    if (amp_priv_stored) {                                                                             \
                        amp_priv_value[amp_priv_k] = AMP_AT(amp_priv_from, (int)amp_priv_first + amp_priv_j);          \
                    } else {                                                                                           \
                        AMP_PRIV_LINEAR(names, amp_priv_j)                                                             \
                        amp_priv_value[amp_priv_k] = (value);                                                          \
                    }                                                                                                  \
                }                                                                                                      \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < 8; amp_priv_k++)                                                 \
                    AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum),                         \
                                     amp_priv_value[amp_priv_k], operation)                                            \
            }

/* Of a whole block in one dimension, the host works on whole rows. It reads one after the other: of several rows at a
   time memory delivers half as much. gcc would join rows in one loop (unroll and jam). */
#define AMP_PRIV_REDUCE_ROWS_HOST(fold, names, value, operation)                                                       \
    if (AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_COUNT names == 1 && amp_priv_step.pass == 0 &&                                \
                                amp_priv_step.size - amp_priv_first >= (int64_t)amp_priv_step.rows * 256, "0"))        \
        (void)AMP_PRIV_HOST_OR_DEVICE(__extension__({                                                                  \
            for (; amp_priv_row < amp_priv_step.rows; amp_priv_row++) {                                                \
                AMP_PRIV_REDUCE_APART                                                                                  \
                AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                          \
                    AMP_PRIV_LINEAR(names, amp_priv_row * 256 + amp_priv_t.local.v[0])                                 \
                    amp_priv_T amp_priv_exact = (value);                                                               \
                    AMP_PRIV_REDUCE_ROUND_##fold                                                                       \
                    AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum), amp_priv_exact,         \
                                     operation)                                                                        \
                }                                                                                                      \
            }                                                                                                          \
            0; }), "0");
#if defined(__clang__)
#define AMP_PRIV_REDUCE_APART
#else
#define AMP_PRIV_REDUCE_APART __asm__ volatile("");
#endif
#define AMP_PRIV_REDUCE_ROUND_PLAIN
#define AMP_PRIV_REDUCE_ROUND_ROUNDED AMP_PRIV_ROUND(amp_priv_exact)

#define AMP_PRIV_REDUCE_CONTRACT_PLAIN(...)
#define AMP_PRIV_REDUCE_CONTRACT_ROUNDED AMP_PRIV_CONTRACT
#define AMP_PRIV_REDUCE_KEPT_PLAIN
#define AMP_PRIV_REDUCE_ROW_PLAIN(names, value, operation)                                                             \
    AMP_PRIV_LANES_OF(names, const amp_priv_T amp_priv_value = (value);                                                \
                      AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum), amp_priv_value,       \
                                       operation))

/* The name amp_priv_exact has a device round products before they are added; AMP_PRIV_ROUND has the host do so. */
#define AMP_PRIV_REDUCE_ROW_ROUNDED(names, value, operation)                                                           \
    AMP_PRIV_LANES_OF(names, amp_priv_T amp_priv_exact = (value);                                                      \
                      AMP_PRIV_ROUND(amp_priv_exact)                                                                   \
                      AMP_PRIV_COMBINE(amp_priv_T, AMP_OWN(amp_priv_sum), AMP_OWN(amp_priv_sum), amp_priv_exact,       \
                                       operation))

/* A host with an instruction for a product and a sum takes it wherever it sees both. Here it does not: between them is
   an exclusive or with a 0 that no compiler knows; for gcc a product with such a 1, which may be fused with the sum
   without changing it. (gcc 12's vectorizer removes __builtin_assoc_barrier.) */
#if defined(__x86_64__) && !defined(__FMA__) && !defined(__FMA4__)
#define AMP_PRIV_REDUCE_KEPT_ROUNDED
#define AMP_PRIV_ROUND(x)
#else
#define AMP_PRIV_REDUCE_KEPT_ROUNDED                                                                                   \
    const uint32_t amp_priv_zero = AMP_PRIV_HOST_OR_DEVICE(amp_priv_unknown_zero(), "0");                              \
    (void)amp_priv_zero;
#define AMP_PRIV_ROUND(x)                                                                                              \
    (void)AMP_PRIV_HOST_OR_DEVICE(_Generic(&(x), AMP_PRIV_ROUND_NUMBERS, default : amp_priv_round_words)               \
                                  (&(x), sizeof(x), __alignof__(x), amp_priv_zero), "0");
#if !defined(__clang__)
#define AMP_PRIV_ROUND_NUMBERS float * : amp_priv_round_float, double * : amp_priv_round_double
static inline __attribute__((always_inline)) int amp_priv_round_float(float *x, size_t size, size_t align,
                                                                      uint32_t zero)
{
    (void)size, (void)align;
    *x *= 1.0f + (float)zero;
    return 0;
}
static inline __attribute__((always_inline)) int amp_priv_round_double(double *x, size_t size, size_t align,
                                                                       uint32_t zero)
{
    (void)size, (void)align;
    *x *= 1.0 + (double)zero;
    return 0;
}
#else
#define AMP_PRIV_ROUND_NUMBERS float * : amp_priv_round_words
#endif
static inline uint32_t amp_priv_unknown_zero(void)
{
    uint32_t zero = 0;
    __asm__("" : "+r"(zero));
    return zero;
}
/* Numbers of float's or double's alignment, one or several in a struct. */
static inline __attribute__((always_inline)) int amp_priv_round_words(void *x, size_t size, size_t align, uint32_t zero)
{
    const size_t each = align >= sizeof(uint64_t) ? sizeof(uint64_t) : sizeof(uint32_t);
    for (size_t i = 0; align >= sizeof(uint32_t) && i < size; i += each) {
        char *const at = (char *)x + i;
        uint64_t bits = 0;
        uint32_t half = 0;
        if (each == sizeof bits) {
            memcpy(&bits, at, sizeof bits);
            bits ^= zero;
            memcpy(at, &bits, sizeof bits);
        } else {
            memcpy(&half, at, sizeof half);
            half ^= zero;
            memcpy(at, &half, sizeof half);
        }
    }
    return 0;
}
#endif

/* // >>common
   amp_sum(v): the sum of a view or array of rank 1; integers are added in 64 bits.
   amp_sum_on(view, v): the same on an accelerator view.
   amp_min_on(view, v), amp_max_on(view, v): the smallest or greatest element, without NaN; see amp_min and amp_max.
   amp_inner_product(v, w): the sum of the products, each of which is rounded.
   amp_inner_product_on(view, v, w): the same on an accelerator view.
   The sum of an empty view is 0. Its minimum is INFINITY or the type's greatest integer, its maximum -INFINITY or
   the least integer.
   v, w  views or arrays of numbers of rank 1
   view  amp_accelerator_view
   Result: a number: of a sum of integers int64_t or uint64_t, else of the element type; that of an empty view after
   an error.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the extents of v and w differ), those of
   AMP_PARALLEL_FOR_EACH. Blocking: yes. Threads: any. Cost: each element is read once. Source: std::reduce,
   std::min_element, std::max_element, std::transform_reduce. */

/* amp_sum_to(result, v): writes the sum to a result.
   amp_min_to(result, v), amp_max_to(result, v): writes the smallest or greatest element to a result.
   amp_inner_product_to(result, v, w): writes the inner product to a result.
   amp_sum_to_on(view, result, v), amp_min_to_on(view, result, v), amp_max_to_on(view, result, v),
   amp_inner_product_to_on(view, result, v, w): the same on an accelerator view.
   result  as for AMP_REDUCE: a variable, or a view or array of rank 1; of int64_t (uint64_t) for sums of integers, else
           of the element type
   v, w  as for amp_sum
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of amp_sum. Blocking: for a variable. Threads: any. Cost: each element is read once. Source:
   std::reduce. See: amp_sum */
#define amp_sum(v)              amp_sum_on((amp_accelerator_view){ NULL }, v)
#define amp_sum_to(result, v)   amp_sum_to_on((amp_accelerator_view){ NULL }, result, v)
#define amp_min_to(result, v)   amp_min_to_on((amp_accelerator_view){ NULL }, result, v)
#define amp_max_to(result, v)   amp_max_to_on((amp_accelerator_view){ NULL }, result, v)
#define amp_inner_product(v, w) amp_inner_product_on((amp_accelerator_view){ NULL }, v, w)
#define amp_inner_product_to(result, v, w)                                                                             \
    amp_inner_product_to_on((amp_accelerator_view){ NULL }, result, v, w)

#define amp_sum_on(where, v)                                                                                           \
    AMP_PRIV_VALUE_OF(v, AMP_PRIV_GIVEN_SUM_TYPE(v), 0, amp_sum_to_on(where, amp_priv_answer, v))
#define amp_min_on(where, v)                                                                                           \
    AMP_PRIV_VALUE_OF(v, AMP_PRIV_GIVEN_TYPE(v), AMP_PRIV_GREATEST(AMP_PRIV_GIVEN_TYPE(v)),                          \
                      AMP_PRIV_EXTREME("amp_min", where, amp_priv_answer, v, AMP_PRIV_GREATEST, b < a ? b : a))
#define amp_max_on(where, v)                                                                                           \
    AMP_PRIV_VALUE_OF(v, AMP_PRIV_GIVEN_TYPE(v), AMP_PRIV_LEAST(AMP_PRIV_GIVEN_TYPE(v)),                             \
                      AMP_PRIV_EXTREME("amp_max", where, amp_priv_answer, v, AMP_PRIV_LEAST, a < b ? b : a))
#define amp_inner_product_on(where, v, w)                                                                              \
    AMP_PRIV_VALUE_OF(v, AMP_PRIV_PRODUCT_TYPE_OF(AMP_PRIV_GIVEN_1(v), AMP_PRIV_GIVEN_1(w)), 0,                      \
                      amp_inner_product_to_on(where, amp_priv_answer, v, w))
/* The value that a statement leaves in amp_priv_answer. What is not declared in `asked` is the only error. */
#define AMP_PRIV_VALUE_OF(asked, T, nothing, statement)                                                                \
    AMP_PRIV_VALUE_ONLY_IF(AMP_PRIV_IS_DECLARED(asked)) __extension__({                                                \
        T amp_priv_answer = nothing;                                                                                   \
        statement;                                                                                                     \
        amp_priv_answer;                                                                                               \
    }) AMP_PRIV_VALUE_ONLY_IF_END

#define amp_sum_to_on(where, result, v)                                                                                \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_sum", "v", where, AMP_PRIV_IS_DECLARED(v))                                              \
        AMP_PRIV_READ_FROM("amp_sum", one, v)                                                                          \
        AMP_PRIV_REDUCE_OF("amp_sum", PLAIN, where, AMP_PRIV_SUM_TYPE_OF(amp_priv_one),                                \
                           AMP_PRIV_MSG_SUM_TYPE(v), result, amp_priv_one.extent, AMP_CAPTURE(amp_priv_one),           \
                           AMP_PRIV_CELL(amp_priv_one, amp_priv_i), a + b, 0);                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define amp_min_to_on(where, result, v)                                                                                \
    AMP_PRIV_EXTREME("amp_min", where, result, v, AMP_PRIV_GREATEST, b < a ? b : a)
#define amp_max_to_on(where, result, v)                                                                                \
    AMP_PRIV_EXTREME("amp_max", where, result, v, AMP_PRIV_LEAST, a < b ? b : a)
#define AMP_PRIV_EXTREME(name, where, result, v, IDENTITY, operation)                                                  \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "v", where, AMP_PRIV_IS_DECLARED(v))                                                   \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        const AMP_PRIV_TYPE_OF(amp_priv_one) amp_priv_nothing = IDENTITY(AMP_PRIV_TYPE_OF(amp_priv_one));              \
        AMP_PRIV_REDUCE_OF(name, PLAIN, where, AMP_PRIV_TYPE_OF(amp_priv_one), AMP_PRIV_MSG_TYPE(v), result,           \
                           amp_priv_one.extent, AMP_CAPTURE(amp_priv_one, amp_priv_nothing),                           \
                           AMP_PRIV_CELL(amp_priv_one, amp_priv_i), operation, amp_priv_nothing);                      \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_PRODUCT_TYPE_OF(v, w) __typeof__((v).data[0] * ((w).data[0] + (int64_t)0))
#define amp_inner_product_to_on(where, result, x, y)                                                                   \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_inner_product", "v, w", where,                                                          \
                          AMP_PRIV_IS_DECLARED(x) && AMP_PRIV_IS_DECLARED(y))                                          \
        AMP_PRIV_READ_FROM("amp_inner_product", one, x)                                                                \
        AMP_PRIV_READ_FROM("amp_inner_product", two, y)                                                                \
        if (amp_priv_same_length("amp_inner_product", amp_priv_one.extent.v[0], amp_priv_two.extent.v[0]))             \
            AMP_PRIV_REDUCE_OF("amp_inner_product", ROUNDED, where,                                                    \
                               AMP_PRIV_PRODUCT_TYPE_OF(amp_priv_one, amp_priv_two), AMP_PRIV_MSG_SUM_TYPE(x),         \
                               result, amp_priv_one.extent, AMP_CAPTURE(amp_priv_one, amp_priv_two),                   \
                               AMP_PRIV_CELL(amp_priv_one, amp_priv_i) *                                               \
                                   (amp_priv_T)AMP_PRIV_CELL(amp_priv_two, amp_priv_i),                                \
                               a + b, 0);                                                                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* For a type that is not a word of the preprocessor; the index is amp_priv_i. */
#define AMP_PRIV_REDUCE_OF(name, fold, where, T, type, result, extent, captures, value, operation, ...)                \
    AMP_PRIV_REDUCE(name, fold, where, T, type, AMP_PRIV_VIEW_OF(T), AMP_PRIV_RECORD_OF(T), result, extent,            \
                    (amp_priv_i), captures, value, operation, __VA_ARGS__)
#define AMP_PRIV_MSG_TYPE(v)     "the type of the elements of " #v
#define AMP_PRIV_MSG_SUM_TYPE(v) AMP_PRIV_MSG_TYPE(v) ", for integers int64_t or uint64_t"

/* // >>predicates
   AMP_COUNT_IF(extent, (i), AMP_CAPTURE(...), predicate): the number of indexes for which the predicate is true.
   AMP_ANY_OF(extent, (i), AMP_CAPTURE(...), predicate): whether the predicate is true for any index.
   AMP_ALL_OF(extent, (i), AMP_CAPTURE(...), predicate): whether the predicate is true for every index.
   AMP_COUNT_IF_ON(view, extent, (i), AMP_CAPTURE(...), predicate), AMP_ANY_OF_ON(view, extent, (i),
   AMP_CAPTURE(...), predicate), AMP_ALL_OF_ON(view, extent, (i), AMP_CAPTURE(...), predicate): the same on an
   accelerator view.
   For a result without waiting use AMP_REDUCE.
   extent, i  as for AMP_REDUCE
   predicate  an expression of the index and of captured names
   view  amp_accelerator_view
   Result: AMP_COUNT_IF an int64_t, the others a bool; for an empty extent 0, false and true; after an error 0 and
   false.
   Errors: those of AMP_REDUCE. Blocking: yes. Threads: any. Cost: as AMP_REDUCE. Source: std::count_if, std::any_of,
   std::all_of. */

/* amp_equal_elements(v, w): whether two views or arrays of rank 1 have the same length and equal elements.
   amp_mismatch(v, w): the first index at which two views or arrays of rank 1 differ.
   amp_equal_elements_on(view, v, w), amp_mismatch_on(view, v, w): the same on an accelerator view.
   v, w  views or arrays of rank 1 and of one element type
   view  amp_accelerator_view
   Result: a bool, false after an error; an int: the shorter length if the longer one begins with the shorter one, -1
   if they are equal and after an error.
   Errors: those of AMP_REDUCE. Blocking: yes. Threads: any. Cost: each element is read once. Source: std::equal,
   std::mismatch. */
#define AMP_PRIV_FORM_IF "v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0"
#define AMP_COUNT_IF(...)                                                                                              \
    AMP_PRIV_TAKES_JUST_HERE(4, AMP_PRIV_GIVEN_COUNT_IF_ON, "AMP_COUNT_IF", AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_COUNT_IF_ON(...)                                                                                           \
    AMP_PRIV_TAKES_JUST(5, AMP_PRIV_GIVEN_COUNT_IF_ON, "AMP_COUNT_IF_ON", "view, " AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_PRIV_GIVEN_COUNT_IF_ON(where, extent, names, captures, predicate)                                          \
    AMP_PRIV_VALUE_OF(0, int64_t, 0,                                                                                   \
                      AMP_PRIV_REDUCE("AMP_COUNT_IF", PLAIN, where, int64_t, "", amp_array_view_int64_t_1,             \
                                      &amp_priv_element_int64_t, amp_priv_answer, extent, names, captures,             \
                                      !!(predicate), a + b, 0))
#define AMP_ANY_OF(...)                                                                                                \
    AMP_PRIV_TAKES_JUST_HERE(4, AMP_PRIV_GIVEN_ANY_OF_ON, "AMP_ANY_OF", AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_ANY_OF_ON(...)                                                                                             \
    AMP_PRIV_TAKES_JUST(5, AMP_PRIV_GIVEN_ANY_OF_ON, "AMP_ANY_OF_ON", "view, " AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_PRIV_GIVEN_ANY_OF_ON(where, extent, names, captures, predicate)                                            \
    (AMP_PRIV_VALUE_OF(0, int, 0,                                                                                      \
                       AMP_PRIV_REDUCE("AMP_ANY_OF", PLAIN, where, int, "", amp_array_view_int_1,                      \
                                       &amp_priv_element_int, amp_priv_answer, extent, names, captures,                \
                                       !!(predicate), a | b, 0)) == 1)
#define AMP_ALL_OF(...)                                                                                                \
    AMP_PRIV_TAKES_JUST_HERE(4, AMP_PRIV_GIVEN_ALL_OF_ON, "AMP_ALL_OF", AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_ALL_OF_ON(...)                                                                                             \
    AMP_PRIV_TAKES_JUST(5, AMP_PRIV_GIVEN_ALL_OF_ON, "AMP_ALL_OF_ON", "view, " AMP_PRIV_FORM_IF, __VA_ARGS__)
#define AMP_PRIV_GIVEN_ALL_OF_ON(where, extent, names, captures, predicate)                                            \
    (AMP_PRIV_VALUE_OF(0, int, 0,                                                                                      \
                       AMP_PRIV_REDUCE("AMP_ALL_OF", PLAIN, where, int, "", amp_array_view_int_1,                      \
                                       &amp_priv_element_int, amp_priv_answer, extent, names, captures,                \
                                       !!(predicate), a & b, 1)) == 1)
#define amp_equal_elements(v, w) amp_equal_elements_on((amp_accelerator_view){ NULL }, v, w)
#define amp_equal_elements_on(where, x, y)                                                                             \
    AMP_PRIV_OF_VIEWS("amp_equal_elements", x, y, __extension__({                                                      \
        AMP_PRIV_READ_FROM("amp_equal_elements", one, x)                                                               \
        AMP_PRIV_READ_FROM("amp_equal_elements", two, y)                                                               \
        amp_priv_one.extent.v[0] == amp_priv_two.extent.v[0] &&                                                        \
            AMP_PRIV_GIVEN_ALL_OF_ON(where, amp_priv_one.extent, (amp_priv_i), AMP_CAPTURE(amp_priv_one, amp_priv_two),\
                          AMP_PRIV_CELL(amp_priv_one, amp_priv_i) == AMP_PRIV_CELL(amp_priv_two, amp_priv_i));         \
    }))
/* A value of two views. */
#define AMP_PRIV_OF_VIEWS(call, x, y, ...)                                                                             \
    (AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_STRUCT_GIVEN, x, AMP_PRIV_MSG_RANK_1(call)),                                    \
      AMP_PRIV_REQUIRE_KIND(AMP_PRIV_IS_STRUCT_GIVEN, y, AMP_PRIV_MSG_RANK_1(call)),                                   \
      AMP_PRIV_VALUE_IF(AMP_PRIV_ARE_VIEWS(x, y), __VA_ARGS__))

#define amp_mismatch(v, w) amp_mismatch_on((amp_accelerator_view){ NULL }, v, w)
#define amp_mismatch_on(where, x, y)                                                                                   \
    AMP_PRIV_OF_VIEWS("amp_mismatch", x, y, __extension__({                                                            \
        AMP_PRIV_READ_FROM("amp_mismatch", one, x)                                                                     \
        AMP_PRIV_READ_FROM("amp_mismatch", two, y)                                                                     \
        const bool amp_priv_shorter = amp_priv_one.extent.v[0] < amp_priv_two.extent.v[0];                             \
        const amp_extent1 amp_priv_both = amp_priv_shorter ? amp_priv_one.extent : amp_priv_two.extent;                \
        const int amp_priv_none =                                                                                      \
            amp_priv_one.extent.v[0] == amp_priv_two.extent.v[0] ? INT_MAX : amp_priv_both.v[0];                       \
        int amp_priv_found = INT_MAX;                                                                                  \
        AMP_PRIV_REDUCE_OF("amp_mismatch", PLAIN, where, int, "", amp_priv_found, amp_priv_both,                       \
                           AMP_CAPTURE(amp_priv_one, amp_priv_two, amp_priv_none),                                     \
                           AMP_PRIV_CELL(amp_priv_one, amp_priv_i) == AMP_PRIV_CELL(amp_priv_two, amp_priv_i)          \
                               ? amp_priv_none                                                                         \
                               : amp_priv_i,                                                                           \
                           b < a ? b : a, amp_priv_none);                                                              \
        amp_priv_found == INT_MAX ? -1 : amp_priv_found;                                                               \
    }))

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

#include "../codegen/tree_calls.h"

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_reduce_text_ROUNDED,
                         AMP_PRIV_REDUCE_BODY(ROUNDED, amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3,
                                              amp_priv_part_4, amp_priv_part_5))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_reduce_text_PLAIN,
                         AMP_PRIV_REDUCE_BODY(PLAIN, amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3,
                                              amp_priv_part_4, amp_priv_part_5))

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_reduce_text_CPU,
                         AMP_PRIV_REDUCE_CPU_BODY(amp_priv_part_2, AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3,
                                                  amp_priv_part_4, amp_priv_part_5))

enum { AMP_PRIV_REDUCE_STORED = 1 << 30 /* bytes */ };

/* Has the source of a value a loop, or a function that it calls? It is found once for a place. */
static bool amp_priv_reduce_loops(amp_priv_reduce_value value)
{
    signed char loops = value.text ? __atomic_load_n(value.loops, __ATOMIC_RELAXED) : -1;
    if (!loops) {
        loops = amp_priv_value_has(value.text, value.definitions, amp_priv_tree_is_loop) ? 1 : -1;
        __atomic_store_n(value.loops, loops, __ATOMIC_RELAXED);
    }
    return loops > 0;
}

/* Is the call to store its values before it combines them? Tests have other devices do so, too. */
AMP_PRIV_COLD bool amp_priv_reduce_stores(amp_accelerator_view view, const amp_priv_named *heads, size_t count,
                                          int64_t size, size_t bytes)
{
    if (size <= AMP_PRIV_LANES || size > INT_MAX - AMP_PRIV_LANES || bytes > AMP_PRIV_REDUCE_STORED)
        return false;
    const amp_priv_queue *const queue =
        amp_priv_call_divides(view, bytes) ? view.amp_priv_queue : amp_priv_call_target(view, heads, (int)count);
    return queue && !amp_priv_is_host(queue->device->number) && (queue->device->is_gpu || amp_priv_sort_tiles);
}

AMP_PRIV_API bool amp_priv_reduce_begin(amp_priv_reduction *r, const char *name, amp_accelerator_view view,
                                        const amp_priv_named *heads, size_t count, int64_t size,
                                        const amp_priv_element *element, const void *result, bool is_variable,
                                        amp_priv_reduce_value value)
{
    memset(r, 0, sizeof *r);
    amp_priv_errors_mark(&r->call);
    const int64_t most = (int64_t)AMP_PRIV_LANES * AMP_PRIV_REDUCE_BLOCKS * AMP_PRIV_REDUCE_MAX_ROWS;
    if (size > most)
        amp_priv_too_many(name, size, most);
    if (size < 0 || size > most)
        return false;
    r->size = size;
    r->rows = AMP_PRIV_REDUCE_ROWS;
    while ((size - 1) / ((int64_t)AMP_PRIV_LANES * r->rows) >= AMP_PRIV_REDUCE_BLOCKS)
        r->rows *= 2;
    r->blocks = size ? (int)((size - 1) / ((int64_t)AMP_PRIV_LANES * r->rows)) + 1 : 1;
    r->element = element;
    size_t bytes = ((size_t)r->blocks + 1) * element->size + 2 * amp_priv_call_unit(element) + 256;
    r->has_loops = amp_priv_reduce_loops(value);
    if (AMP_PRIV_HAS_DEVICES && r->has_loops &&
        amp_priv_reduce_stores(view, heads, count, size, (size_t)size * element->size)) {
        r->stores_values = 1;
        bytes += (size_t)size * element->size + amp_priv_call_unit(element) + 128;
    }
    if (!amp_priv_call_begin_in_bands(&r->call, name, view, heads, count, bytes))
        return false;
    r->by_lanes = amp_priv_is_for_cpu_device(r->call.view.amp_priv_queue, amp_priv_sort_tiles);
    r->call.result = result;
    r->call.is_variable = is_variable;
    r->last = amp_priv_call_elements(&r->call, element, 1);
    r->partials = amp_priv_call_elements(&r->call, element, (size_t)r->blocks);
    r->values = r->stores_values ? amp_priv_call_elements(&r->call, element, (size_t)size) : r->last;
    return true;
}

/* The launches: the values are stored, if they are; blocks of values are combined; so are the results of blocks, if
   there are several. */
AMP_PRIV_API bool amp_priv_reduce_next(amp_priv_reduction *r, void *from, void *to)
{
    const int last = r->stores_values + (r->blocks > 1 ? 1 : 0);
    if (amp_priv_call_failed(&r->call) || r->passes > last)
        return false;
    const size_t values = r->stores_values ? (size_t)r->size : 1;
    r->tiles = r->blocks;
    if (r->passes < r->stores_values) {
        r->tiles = (int)((r->size - 1) / AMP_PRIV_LANES) + 1;
        r->step = (amp_priv_reduce_step){ r->size, 1, 2 };
        amp_priv_call_view(&r->call, from, r->element, r->last, 1);
        amp_priv_call_view(&r->call, to, r->element, r->values, values);
    } else if (r->passes == r->stores_values) {
        r->step = (amp_priv_reduce_step){ r->size, r->rows, r->stores_values ? 1 : r->has_loops ? 3 : 0 };
        amp_priv_call_view(&r->call, from, r->element, r->stores_values ? r->values : r->last, values);
        amp_priv_call_view(&r->call, to, r->element, r->partials, (size_t)r->blocks);
    } else {
        r->tiles = 1;
        r->step = (amp_priv_reduce_step){ r->blocks, (r->blocks - 1) / AMP_PRIV_LANES + 1, 1 };
        amp_priv_call_view(&r->call, from, r->element, r->partials, (size_t)r->blocks);
    }
    return r->passes++ < last || amp_priv_result_view(&r->call, to, r->element, r->last);
}

AMP_PRIV_API int amp_priv_reduce_threads(const amp_priv_reduction *r) { return AMP_PRIV_LANES * r->tiles; }

AMP_PRIV_API void amp_priv_reduce_end(amp_priv_reduction *r)
{
    if (r->call.temporary)
        amp_priv_result_fetch(&r->call, r->element, r->last);
    amp_priv_call_end(&r->call);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_REDUCE_H */
