/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/contracts.h - checked builds: does a call get what its algorithm needs?

    Values of a call are combined once more, in other orders, and neighbours of a range that should be sorted, or
    elements that are to be sorted, are compared. Both take samples, in the first calls of a place and then in every
    second, fourth, ... of the others. Each kind of mistake is reported once per place, as a warning. What cannot be
    known is left out: values that write views, floats within rounding, launches on groups.

    Contents (search for the tag):
        >>site  >>operation  >>sorted  >>keys  >>places  >>value */
#ifndef AMP_ALGORITHMS_CONTRACTS_H
#define AMP_ALGORITHMS_CONTRACTS_H

#include "plan.h"

/* A view of rank 2, given by value, as AMP_PRIV_GIVEN_1 is one of rank 1. */
#define AMP_PRIV_IS_OF_RANK_2(v) (AMP_PRIV_RANK_OF(AMP_PRIV_GIVEN_VIEW(v)) == 2)
#define AMP_PRIV_GIVEN_2(v)      __builtin_choose_expr(AMP_PRIV_IS_OF_RANK_2(v), v, *(amp_array_view_int_2 *)0)

#if defined(AMP_CHECKED)

/* // >>site */

/* The place of a call. */
typedef struct amp_priv_contract_site {
    const char *name, *file, *operation, *value;
    int line;
    atomic_uint calls, reported; /* a bit for each kind */
} amp_priv_contract_site;

#define AMP_PRIV_CONTRACT_SITE(call, the_operation, the_value)                                                         \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    static amp_priv_contract_site amp_priv_contract_here = {                                                           \
        .name = call, .file = __FILE__, .operation = the_operation, .value = the_value, .line = __LINE__               \
    };                                                                                                                 \
    AMP_PRIV_LONG_STRINGS_END

/* A look under way. */
typedef struct amp_priv_contract {
    amp_priv_call call;
    amp_priv_contract_site *site;
    const char *function;
    const amp_priv_element *element;
    int64_t size, step; /* of the call; from one sample to the next */
    int64_t length;     /* elements of one result; 0: not known */
    int samples;
    unsigned dropped; /* errors of this thread when it began */
    int mode;         /* what happened to errors before: until the end the call is to report them */
    size_t place;     /* of the results in the temporary memory */
} amp_priv_contract;

/* // >>operation */

enum { AMP_PRIV_CONTRACT_SAMPLES = 256 };

/* What the kernel stores of a sample: (ab)c stands for the results of the operation. e is the identity. Macros: a
   kernel would have to capture enumerators. */
#define AMP_PRIV_CONTRACT_E       0
#define AMP_PRIV_CONTRACT_X       1
#define AMP_PRIV_CONTRACT_EX      2
#define AMP_PRIV_CONTRACT_EX_X    3
#define AMP_PRIV_CONTRACT_XE      4
#define AMP_PRIV_CONTRACT_XE_X    5
#define AMP_PRIV_CONTRACT_XX      6
#define AMP_PRIV_CONTRACT_Y       7
#define AMP_PRIV_CONTRACT_XY      8
#define AMP_PRIV_CONTRACT_YX      9
#define AMP_PRIV_CONTRACT_XY_Z    10
#define AMP_PRIV_CONTRACT_X_YZ    11
#define AMP_PRIV_CONTRACT_RESULTS 12

/* False where there is nothing to look at. length: elements of one result; 0: not known. */
AMP_PRIV_API bool amp_priv_contract_begin(amp_priv_contract *c, amp_priv_contract_site *site, const char *function,
                                          amp_accelerator_view view, const amp_priv_named *heads, size_t count,
                                          const int *extent, int rank, int64_t length, const amp_priv_element *element,
                                          amp_priv_user_definition *definitions, void *results);
AMP_PRIV_API void amp_priv_contract_end(amp_priv_contract *c, bool commutes, amp_priv_user_definition *definitions);

/* clang-format off */

/* The names of the macro around it: amp_priv_domain, and what the captures bind. `commutes`: must it? `length`: of an
   extent's components v. */
#define AMP_PRIV_CONTRACT(name, commutes, length, where, T, VIEW, element, names, captures, value, operation, ...)     \
    do {                                                                                                               \
        AMP_PRIV_CONTRACT_SITE(name, AMP_PRIV_TEXT(operation), AMP_PRIV_TEXT(value))                                   \
        amp_priv_contract amp_priv_look;                                                                               \
        VIEW amp_priv_results;                                                                                         \
        if (amp_priv_contract_begin(&amp_priv_look, &amp_priv_contract_here, __func__, where,                          \
                                    AMP_PRIV_HEADS(captures), AMP_PRIV_HEADS_COUNT(captures), amp_priv_domain.v,       \
                                    AMP_PRIV_COUNT names, length, element, amp_priv_user_definitions,                  \
                                    &amp_priv_results)) {                                                              \
            const int64_t amp_priv_size = amp_priv_look.size, amp_priv_apart = amp_priv_look.step;                     \
            AMP_PARALLEL_FOR_EACH_ON(amp_priv_look.call.view, AMP_EXTENT(amp_priv_look.samples), (amp_priv_sample),    \
                                     ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures)                                      \
                                       AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain), amp_priv_size,              \
                                       amp_priv_apart, amp_priv_results)),                                             \
                                     AMP_PRIV_CONTRACT_BODY(T, names, value, operation, __VA_ARGS__));                 \
            amp_priv_contract_end(&amp_priv_look, commutes, amp_priv_user_definitions);                                \
        }                                                                                                              \
    } while (0);
#define AMP_PRIV_CONTRACT_BODY(T, names, value, operation, ...)                                                        \
    {                                                                                                                  \
        typedef T amp_priv_T;                                                                                          \
        const amp_priv_T amp_priv_identity = __VA_ARGS__;                                                              \
        amp_priv_T amp_priv_x[3];                                                                                      \
        for (int amp_priv_k = 0; amp_priv_k < 3; amp_priv_k++) {                                                       \
            const int64_t amp_priv_next = amp_priv_sample * amp_priv_apart + amp_priv_k;                               \
            const int64_t amp_priv_base = amp_priv_next < amp_priv_size ? amp_priv_next : amp_priv_size - 1;           \
            AMP_PRIV_ORIGIN(names, amp_priv_base)                                                                      \
            AMP_PRIV_LINEAR(names, 0)                                                                                  \
            amp_priv_x[amp_priv_k] = (value);                                                                          \
        }                                                                                                              \
        const int amp_priv_put = amp_priv_sample * AMP_PRIV_CONTRACT_RESULTS;                                          \
        amp_priv_T amp_priv_r;                                                                                         \
        AMP_PRIV_CONTRACT_AT(E) = amp_priv_identity;                                                                   \
        AMP_PRIV_CONTRACT_AT(X) = amp_priv_x[0];                                                                       \
        AMP_PRIV_CONTRACT_AT(Y) = amp_priv_x[1];                                                                       \
        AMP_PRIV_CONTRACT_PUT(EX, amp_priv_identity, amp_priv_x[0], operation)                                         \
        AMP_PRIV_CONTRACT_PUT(EX_X, amp_priv_r, amp_priv_x[0], operation)                                              \
        AMP_PRIV_CONTRACT_PUT(XE, amp_priv_x[0], amp_priv_identity, operation)                                         \
        AMP_PRIV_CONTRACT_PUT(XE_X, amp_priv_r, amp_priv_x[0], operation)                                              \
        AMP_PRIV_CONTRACT_PUT(XX, amp_priv_x[0], amp_priv_x[0], operation)                                             \
        AMP_PRIV_CONTRACT_PUT(YX, amp_priv_x[1], amp_priv_x[0], operation)                                             \
        AMP_PRIV_CONTRACT_PUT(XY, amp_priv_x[0], amp_priv_x[1], operation)                                             \
        AMP_PRIV_CONTRACT_PUT(XY_Z, amp_priv_r, amp_priv_x[2], operation)                                              \
        AMP_PRIV_COMBINE(amp_priv_T, amp_priv_r, amp_priv_x[1], amp_priv_x[2], operation)                              \
        AMP_PRIV_CONTRACT_PUT(X_YZ, amp_priv_x[0], amp_priv_r, operation)                                              \
    }
#define AMP_PRIV_CONTRACT_AT(result) AMP_AT(amp_priv_results, amp_priv_put + AMP_PRIV_CONTRACT_##result)
#define AMP_PRIV_CONTRACT_PUT(result, left, right, operation)                                                          \
    AMP_PRIV_COMBINE(amp_priv_T, amp_priv_r, left, right, operation)                                                   \
    AMP_PRIV_CONTRACT_AT(result) = amp_priv_r;

/* // >>sorted
   Is amp_priv_##range in the order of `less`, and is that an order? No element comes before itself, nor each of two
   before the other. Each thread compares up to 64 neighbours, and the first of them with the first of the next thread.
   A sort compares two elements of a row. */

/* argument: the range, if it should be sorted, or NULL. */
AMP_PRIV_API bool amp_priv_sorted_begin(amp_priv_contract *c, amp_priv_contract_site *site, const char *function,
                                        amp_accelerator_view view, const char *argument, const amp_priv_head *range,
                                        void *results);
/* Is the comparison an order? */
AMP_PRIV_API bool amp_priv_sorted_end(amp_priv_contract *c, const char *argument, const amp_priv_head *range,
                                      amp_priv_user_definition *definitions);

/* The ranges are amp_priv_one, and amp_priv_two. */
#define AMP_PRIV_CONTRACT_SORTED(name, where, captures, ...)                                                           \
    do {                                                                                                               \
        bool amp_priv_is_order = true;                                                                                 \
        AMP_PRIV_CONTRACT_RANGE(name, "the range", where, one, captures, __VA_ARGS__)                                  \
        (void)amp_priv_is_order;                                                                                       \
    } while (0);
#define AMP_PRIV_CONTRACT_BOTH_SORTED(name, where, captures, ...)                                                      \
    do {                                                                                                               \
        bool amp_priv_is_order = true;                                                                                 \
        AMP_PRIV_CONTRACT_RANGE(name, "the first range", where, one, captures, __VA_ARGS__)                            \
        if (amp_priv_is_order)                                                                                         \
            AMP_PRIV_CONTRACT_RANGE(name, "the second range", where, two, captures, __VA_ARGS__)                       \
    } while (0);
#define AMP_PRIV_CONTRACT_RANGE(name, argument, where, range, captures, ...)                                           \
    {                                                                                                                  \
        const __typeof__(amp_priv_##range) amp_priv_from = amp_priv_##range;                                           \
        AMP_PRIV_CONTRACT_COMPARES(name, argument, where, (AMP_PRIV_IN_LIST(captures), ),                              \
                                   AMP_PRIV_SORTED_BODY(, 64, amp_priv_first + (int)amp_priv_apart, __VA_ARGS__),      \
                                   __VA_ARGS__)                                                                        \
    }

/* With the names of AMP_PRIV_MERGE_SORT_LAUNCH (merge.h). */
#define AMP_PRIV_CONTRACT_COMPARISON(name, row_name, captures, ...)                                                    \
    if (amp_priv_step.width == 0) {                                                                                    \
        bool amp_priv_is_order = true;                                                                                 \
        AMP_PRIV_CONTRACT_COMPARES(name, NULL, amp_priv_this.call.view,                                                \
                                   (AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures)                                         \
                                    AMP_VALUE(amp_priv_merge_step, amp_priv_step), AMP_CONSTANT(amp_priv_in_rows), ),  \
                                   AMP_PRIV_SORTED_BODY(AMP_PRIV_COMPARISON_ROW(row_name), 0,                          \
                                                        AMP_PRIV_COMPARISON_OTHER, __VA_ARGS__), __VA_ARGS__)          \
        (void)amp_priv_is_order;                                                                                       \
    }
#define AMP_PRIV_COMPARISON_ROW(row_name)                                                                              \
    const int amp_priv_begin = AMP_PRIV_MERGE_ROW_OF(amp_priv_first) * AMP_PRIV_MERGE_LENGTH;                          \
    AMP_PRIV_MERGE_ROW(row_name, AMP_PRIV_MERGE_ROW_OF(amp_priv_first))
#define AMP_PRIV_COMPARISON_OTHER                                                                                      \
    (amp_priv_begin + (amp_priv_first - amp_priv_begin + AMP_PRIV_MERGE_LENGTH / 2) % AMP_PRIV_MERGE_LENGTH)

#define AMP_PRIV_CONTRACT_COMPARES(name, argument, where, more, body, ...)                                             \
    AMP_PRIV_CONTRACT_SITE(name, AMP_PRIV_TEXT((__VA_ARGS__)), "")                                                     \
    amp_priv_contract amp_priv_look;                                                                                   \
    amp_array_view_int_1 amp_priv_results;                                                                             \
    if (amp_priv_sorted_begin(&amp_priv_look, &amp_priv_contract_here, __func__, where, argument,                      \
                              &amp_priv_from.amp_priv, &amp_priv_results)) {                                           \
        const int64_t amp_priv_apart = amp_priv_look.step;                                                             \
        AMP_PARALLEL_FOR_EACH_ON(amp_priv_look.call.view, AMP_EXTENT(amp_priv_look.samples), (amp_priv_sample),        \
                                 ((AMP_PRIV_UNWRAP more amp_priv_from, amp_priv_apart, amp_priv_results)), body);      \
        amp_priv_is_order = amp_priv_sorted_end(&amp_priv_look, argument, &amp_priv_from.amp_priv,                     \
                                                amp_priv_user_definitions);                                            \
    }

/* Stores the first pair whose second element comes before its first; ~other: the first comes before that, too. */
#define AMP_PRIV_SORTED_BODY(row, neighbours, next, ...)                                                               \
    {                                                                                                                  \
        typedef AMP_PRIV_TYPE_OF(amp_priv_from) amp_priv_T;                                                            \
        const int amp_priv_first = (int)(amp_priv_sample * amp_priv_apart);                                            \
        row                                                                                                            \
        int amp_priv_found = -1, amp_priv_other = 0;                                                                   \
        for (int amp_priv_k = 0; amp_priv_k <= (neighbours) + 1 && amp_priv_found < 0; amp_priv_k++) {                 \
            const int amp_priv_is_next = amp_priv_k > (neighbours);                                                    \
            const int amp_priv_before = amp_priv_first + (amp_priv_k > 0 && !amp_priv_is_next ? amp_priv_k - 1 : 0);   \
            const int amp_priv_after = amp_priv_is_next ? (next) : amp_priv_first + amp_priv_k;                        \
            int amp_priv_is = 0;                                                                                       \
            if (amp_priv_after < amp_priv_from.extent.v[0])                                                            \
                AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, AMP_AT(amp_priv_from, amp_priv_after),                       \
                                 AMP_AT(amp_priv_from, amp_priv_before), __VA_ARGS__)                                  \
            if (amp_priv_is) {                                                                                         \
                amp_priv_found = amp_priv_before;                                                                      \
                amp_priv_other = amp_priv_after;                                                                       \
            }                                                                                                          \
        }                                                                                                              \
        if (amp_priv_found != amp_priv_other && amp_priv_found >= 0) {                                                 \
            int amp_priv_is;                                                                                           \
            AMP_PRIV_COMPARE(amp_priv_T, amp_priv_is, AMP_AT(amp_priv_from, amp_priv_found),                           \
                             AMP_AT(amp_priv_from, amp_priv_other), __VA_ARGS__)                                       \
            if (amp_priv_is) amp_priv_other = ~amp_priv_other;                                                         \
        }                                                                                                              \
        AMP_AT(amp_priv_results, 2 * amp_priv_sample) = amp_priv_found;                                                \
        AMP_AT(amp_priv_results, 2 * amp_priv_sample + 1) = amp_priv_other;                                            \
    }

/* // >>keys
   Do keys of a call by key come back after others? */

AMP_PRIV_API void amp_priv_keys_look(amp_priv_contract_site *site, const char *function, const amp_priv_head *kept,
                                     const void *count, bool is_variable, amp_priv_user_definition *definitions);

#define AMP_PRIV_CONTRACT_KEYS(name, kept, count)                                                                      \
    do {                                                                                                               \
        AMP_PRIV_CONTRACT_SITE(name, "", "")                                                                           \
        amp_priv_keys_look(&amp_priv_contract_here, __func__, &AMP_PRIV_AS_VIEW(kept).amp_priv,                        \
                           AMP_PRIV_RESULT(count), AMP_PRIV_IS_VARIABLE(count, amp_array_view_int_1),                  \
                           amp_priv_user_definitions);                                                                 \
    } while (0);

/* // >>places
   Do elements that differ go to the same place? The views are amp_priv_one and amp_priv_places. */

AMP_PRIV_API void amp_priv_places_look(amp_priv_contract_site *site, const char *function, const amp_priv_head *in,
                                       const amp_priv_head *places, amp_priv_user_definition *definitions);

#define AMP_PRIV_CONTRACT_PLACES(name)                                                                                 \
    do {                                                                                                               \
        AMP_PRIV_CONTRACT_SITE(name, "", "")                                                                           \
        amp_priv_places_look(&amp_priv_contract_here, __func__, &amp_priv_one.amp_priv, &amp_priv_places.amp_priv,     \
                             amp_priv_user_definitions);                                                               \
    } while (0);

/* // >>value
   Declares amp_priv_value of type T. Does a floating-point number become an integer, and lose its fraction? */

AMP_PRIV_API void amp_priv_value_look(amp_priv_contract_site *site, const char *function, double given, double kept);

#define AMP_PRIV_CONTRACT_VALUE(name, T, value)                                                                        \
    const __typeof__(AMP_PRIV_IF_CUT(T, value, value, 0)) amp_priv_given_value = AMP_PRIV_IF_CUT(T, value, value, 0);  \
    const T amp_priv_value =                                                                                           \
        AMP_PRIV_IF_CUT(T, value, (AMP_PRIV_CUT_TYPE(T, value))amp_priv_given_value, value);                           \
    if (AMP_PRIV_IS_CUT(T, value)) {                                                                                   \
        AMP_PRIV_CONTRACT_SITE(name, "", #value)                                                                       \
        amp_priv_value_look(&amp_priv_contract_here, __func__, (double)amp_priv_given_value,                           \
                            (double)AMP_PRIV_IF_CUT(T, value, amp_priv_value, 0));                                     \
    }

/* clang-format on */

#else

#define AMP_PRIV_CONTRACT(...)
#define AMP_PRIV_CONTRACT_SORTED(...)
#define AMP_PRIV_CONTRACT_BOTH_SORTED(...)
#define AMP_PRIV_CONTRACT_COMPARISON(...)
#define AMP_PRIV_CONTRACT_KEYS(...)
#define AMP_PRIV_CONTRACT_PLACES(...)
#define AMP_PRIV_CONTRACT_VALUE(name, T, value) const T amp_priv_value = value;

#endif

#endif /* AMP_ALGORITHMS_CONTRACTS_H */
