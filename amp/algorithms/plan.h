/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/plan.h - where an algorithm runs, and its result.

    An algorithm is a loop of launches of one kernel, which the caller's macro contains. The functions here decide what
    each launch does; none of them knows an element type.

    Contents (search for the tag):
        >>call  >>types  >>domain  >>result  >>room  >>overlap  >>implementation */
#ifndef AMP_ALGORITHMS_PLAN_H
#define AMP_ALGORITHMS_PLAN_H

#include "temporary.h"

AMP_PRIV_NEEDS_HEADER(amp_algorithms__include_amp_algorithms_h_in_the_file_with_AMP_IMPLEMENTATION);

/* // >>call */

/* The views that get as many elements as the data decide, where these may exceed its capacity. */
typedef struct amp_priv_capacities {
    const char *call;
    int count;
    struct {
        const char *argument;
        int room;
    } of[2];
} amp_priv_capacities;

/* A call under way. */
typedef struct amp_priv_call {
    const char *name; /* "AMP_REDUCE" */
    amp_accelerator_view view;
    amp_priv_temporary *temporary, *published; /* the second one: or NULL */
    size_t used;                               /* bytes of the first */
    unsigned reports;                          /* of errors on this thread when it began */
    const void *result;                        /* the caller's: a variable, or a view or array */
    bool is_variable;
    amp_priv_capacities rooms;
    const amp_priv_head *wrote[2]; /* of the caller's, which are unknown if the rest of the call fails; NULL: none */
} amp_priv_call;

/* Has a launch of the call, or another step of it, failed? */
AMP_PRIV_API bool amp_priv_call_failed(const amp_priv_call *call);

/* Of a capture list: what it binds is evaluated once, and captured again by each launch; the heads of its views (NULL
   for all else) tell where a launch would go. */
#define AMP_PRIV_BOUND(n, A, a) AMP_PRIV_KIND(AMP_PRIV_BOUND, n, a)
#define AMP_PRIV_BOUND_NAME(n, a)
#define AMP_PRIV_BOUND_CONSTANT(n, a)
#define AMP_PRIV_BOUND_REACH(n, a, low, high)
#define AMP_PRIV_BOUND_VALUE_0(n, type, a)
#define AMP_PRIV_BOUND_VALUE_1(n, type, a, ...)                                                                        \
    AMP_PRIV_CHECK_VALUE(type, a, "AMP_VALUE(" #type ", " #a ", ...)")                                                 \
    const __typeof__(type) amp_priv_bound_##n = (__VA_ARGS__);
#define AMP_PRIV_BOUND_BIND(n, a, ...)                                                                                 \
    AMP_PRIV_CHECK_BIND(a, __VA_ARGS__)                                                                                \
    const __typeof__(1 ? (__VA_ARGS__) : (__VA_ARGS__)) amp_priv_bound_##n = (__VA_ARGS__);
#define AMP_PRIV_BOUND_MEMBER(n, a, s, member)                                                                         \
    AMP_PRIV_CHECK_MEMBER(a, s, AMP_PRIV_MSG_MEMBERS("AMP_MEMBERS(" #s ", " #member ")"))                              \
    const __typeof__(1 ? AMP_PRIV_STRUCT_AT(s).member : AMP_PRIV_STRUCT_AT(s).member) amp_priv_bound_##n =             \
        AMP_PRIV_STRUCT_AT(s).member;
#define AMP_PRIV_BOUND_SPECIALIZE(n, a, ...)                                                                           \
    AMP_PRIV_CHECK_SPECIALIZE(a)                                                                                       \
    const int amp_priv_bound_##n = (__VA_ARGS__);
#define AMP_PRIV_AGAIN(n, A, a)                 AMP_PRIV_KIND(AMP_PRIV_AGAIN, n, a)
#define AMP_PRIV_AGAIN_NAME(n, a)               a,
#define AMP_PRIV_AGAIN_CONSTANT(n, a)           (CONSTANT, a),
#define AMP_PRIV_AGAIN_REACH(n, a, low, high)   (REACH, a, low, high),
#define AMP_PRIV_AGAIN_VALUE_0(n, type, a)      (VALUE_0, type, a),
#define AMP_PRIV_AGAIN_VALUE_1(n, type, a, ...) (VALUE_1, type, a, amp_priv_bound_##n),
#define AMP_PRIV_AGAIN_BIND(n, a, ...)          (BIND, a, amp_priv_bound_##n),
#define AMP_PRIV_AGAIN_MEMBER(n, a, s, member)  (BIND, a, amp_priv_bound_##n),
#define AMP_PRIV_AGAIN_SPECIALIZE(n, a, ...)    (SPECIALIZE, a, amp_priv_bound_##n),

typedef struct amp_priv_named {
    const amp_priv_head *head;
    const char *name;
} amp_priv_named;
/* clang-format off */
#define AMP_PRIV_HEADS(captures)                                                                                       \
    ((const amp_priv_named[]){AMP_PRIV_EACH(AMP_PRIV_HEAD_OF, ~, captures){ NULL, NULL } })
#define AMP_PRIV_HEADS_COUNT(captures)          (sizeof AMP_PRIV_HEADS(captures) / sizeof(amp_priv_named) - 1)
#define AMP_PRIV_HEAD_OF(n, A, a)               AMP_PRIV_KIND(AMP_PRIV_HEAD_OF, n, a)
#define AMP_PRIV_HEAD_OF_NAME(n, a)             { AMP_PRIV_IS_VIEW(a) ? &AMP_PRIV_AS_VIEW(a).amp_priv : NULL, #a },
#define AMP_PRIV_HEAD_OF_REACH(n, a, low, high) AMP_PRIV_HEAD_OF_NAME(n, a)
#define AMP_PRIV_HEAD_OF_BIND(n, a, ...)                                                                               \
    { AMP_PRIV_IS_VIEW(amp_priv_bound_##n) ? &AMP_PRIV_AS_VIEW(amp_priv_bound_##n).amp_priv : NULL, #a },
#define AMP_PRIV_HEAD_OF_MEMBER(n, a, s, member)  AMP_PRIV_HEAD_OF_BIND(n, a, )
#define AMP_PRIV_HEAD_OF_VALUE_0(n, type, a)      { NULL, #a },
#define AMP_PRIV_HEAD_OF_VALUE_1(n, type, a, ...) { NULL, #a },
#define AMP_PRIV_HEAD_OF_SPECIALIZE(n, a, ...)    { NULL, #a },
#define AMP_PRIV_HEAD_OF_CONSTANT(n, a)           { NULL, #a },

/* A launch that was submitted has written there; NULL: nowhere. */
AMP_PRIV_API void amp_priv_call_wrote(amp_priv_call *call, const amp_priv_head *one, const amp_priv_head *other);

/* Gets memory for what tiles publish. False after reporting. */
AMP_PRIV_API bool amp_priv_call_published(amp_priv_call *call, size_t bytes);

/* After the last launch. */
AMP_PRIV_API void amp_priv_call_end(amp_priv_call *call);

/* Fills in a view of rank 1 on the temporary memory, from a byte on. */
AMP_PRIV_API void amp_priv_call_view(const amp_priv_call *call, void *out, const amp_priv_element *element,
                                     size_t first, size_t count);

/* // >>types
   The view type of rank 1 and the record of an arithmetic type that is given as an expression's: of a view's elements,
   of their sums. */

#define AMP_PRIV_VIEW_OF(T)                                                                                            \
    __typeof__(*_Generic((T)0, AMP_PRIV_TYPES_OF(AMP_PRIV_VIEW_OF_TYPE), default : (amp_array_view_int_1 *)0))
#define AMP_PRIV_VIEW_OF_TYPE(T) (amp_array_view_##T##_1 *)0
#define AMP_PRIV_RECORD_OF(T)                                                                                          \
    _Generic((T)0, AMP_PRIV_TYPES_OF(AMP_PRIV_RECORD_OF_TYPE), default : &amp_priv_element_int)
#define AMP_PRIV_RECORD_OF_TYPE(T) &amp_priv_element_##T
#define AMP_PRIV_TYPES_OF(X)                                                                                           \
    float : X(float), double : X(double), int8_t : X(int8_t), uint8_t : X(uint8_t), int16_t : X(int16_t),              \
    uint16_t : X(uint16_t), int : X(int), unsigned : X(uint32_t), int64_t : X(int64_t), uint64_t : X(uint64_t)

/* Before a call with the name of an element type: declares its record, so that the assertion that follows is the only
   error where it is missing.
   AMP_PRIV_VIEW_NAMED: its view of rank 1, or what stands for it then. */
#define AMP_PRIV_NAMES_ELEMENT(T)                                                                                      \
    AMP_PRIV_EXTERN_BEGIN                                                                                              \
    extern const char amp_priv_is_element_##T[];                                                                       \
    extern const amp_priv_element amp_priv_element_##T;                                                                \
    AMP_PRIV_EXTERN_END
#define AMP_PRIV_VIEW_NAMED(T)                                                                                         \
    __typeof__(*__builtin_choose_expr(AMP_PRIV_IS_ELEMENT(T), (struct amp_array_view_##T##_1 *)0,                      \
                                      (AMP_PRIV_NO_VIEW_OF(T) *)0))
#define AMP_PRIV_NO_VIEW_OF(T)                                                                                         \
    struct {                                                                                                           \
        union {                                                                                                        \
            amp_priv_head amp_priv;                                                                                    \
            amp_array_int_1 *amp_priv_array;                                                                           \
        };                                                                                                             \
        T *data;                                                                                                       \
        amp_extent1 extent;                                                                                            \
        amp_priv_stride1 stride;                                                                                       \
    }

/* Around a call with the name of a type: its first arguments are a type, an accelerator view and what `rest` says.
   AMP_PRIV_FIRST_OF: of each macro, what clang needs. */
#define AMP_PRIV_IF_FIRST_ARE(NAME, form, where, T, rest)                                                              \
    AMP_PRIV_ASK(amp_priv_first_of_##NAME, AMP_PRIV_FIRST_ARE(where, T, rest), AMP_PRIV_MSG_FIRST(#NAME, form))        \
    AMP_PRIV_ONLY_IF(AMP_PRIV_FIRST_ARE(where, T, rest))
#define AMP_PRIV_FIRST_ARE(where, T, rest)                                                                             \
    (AMP_PRIV_IS_TYPE(T) && AMP_PRIV_SAME(__typeof__(where), amp_accelerator_view) && (rest))
#define AMP_PRIV_FIRST_OF(NAME, form) AMP_PRIV_ASKS(amp_priv_first_of_##NAME, AMP_PRIV_MSG_FIRST(#NAME, form))
#define AMP_PRIV_MSG_FIRST(name, form)                                                                                 \
    "amp: " name ": one argument is in the place of another: " name "(" form "); " name "_ON has an accelerator view " \
    "before them"

/* The same without a type. A pointer may be the address of a view, which has a message of its own. */
#define AMP_PRIV_IF_GIVEN(name, form, where, rest)                                                                     \
    AMP_PRIV_ASK(amp_priv_are_in_order, AMP_PRIV_SAME(__typeof__(where), amp_accelerator_view) && (rest),              \
                 AMP_PRIV_MSG_GIVEN(name, form))                                                                       \
    AMP_PRIV_ONLY_IF(AMP_PRIV_SAME(__typeof__(where), amp_accelerator_view) && (rest))
#define AMP_PRIV_MSG_GIVEN(call, form)                                                                                 \
    "amp: " call ": one argument is in the place of another: the order is " form ", after the accelerator view of a "  \
    "call with one"
AMP_PRIV_ASKS(amp_priv_are_in_order, AMP_PRIV_MSG_GIVEN("an algorithm", "results, then what is read"))

/* A result's address. What is only shown as const clang takes for a variable that is read before it has a value. */
#define AMP_PRIV_RESULT(result) ((const void *)((const char *)&(result) + 0))

/* The type of an element, and that of a sum of elements, as kernels may say it, too: integers have 64 bits then. The
   same of what a caller gave, which may be a mistake: not in kernels, for it is no CUDA. */
#if defined(__clang__) || __GNUC__ >= 11
#define AMP_PRIV_TYPE_OF(v) __typeof__(((void)0, (v).data[0]))
#else /* such a gcc leaves a const what it was behind a comma */
#define AMP_PRIV_TYPE_OF(v)                                                                                            \
    __typeof__(AMP_PRIV_HOST_OR_DEVICE((v).amp_priv_array->data[0], "((void)0, (" #v ").data[0])"))
#endif
#define AMP_PRIV_SUM_TYPE_OF(v)    __typeof__((v).data[0] + (int64_t)0)
#define AMP_PRIV_GIVEN_TYPE(v)     AMP_PRIV_TYPE_OF(AMP_PRIV_GIVEN_1(v))
#define AMP_PRIV_GIVEN_SUM_TYPE(v) AMP_PRIV_SUM_TYPE_OF(AMP_PRIV_GIVEN_1(v))

/* What is not less than any value of the type, and not greater. */
#define AMP_PRIV_GREATEST(T)                                                                                           \
    _Generic((T)0, float : INFINITY, double : (double)INFINITY, int8_t : INT8_MAX, uint8_t : UINT8_MAX,                \
             int16_t : INT16_MAX, uint16_t : UINT16_MAX, int : INT_MAX, unsigned : UINT_MAX, int64_t : INT64_MAX,      \
             uint64_t : UINT64_MAX)
#define AMP_PRIV_LEAST(T)                                                                                              \
    _Generic((T)0, float : -INFINITY, double : -(double)INFINITY, int8_t : INT8_MIN, uint8_t : 0,                      \
             int16_t : INT16_MIN, uint16_t : 0, int : INT_MIN, unsigned : 0, int64_t : INT64_MIN, uint64_t : 0)

/* A const view on all of a view or array, under the name amp_priv_##name: what macros capture. */
#define AMP_PRIV_READ_FROM(call, name, v)                                                                              \
    _Static_assert(AMP_PRIV_IS_OF_RANK_1(v), AMP_PRIV_MSG_RANK_1(call));                                               \
    const __typeof__(*AMP_PRIV_GIVEN_1(v).amp_priv_const_view) amp_priv_##name =                                       \
        AMP_PRIV_AS_CONST(call, AMP_PRIV_GIVEN_1(v));
#define AMP_PRIV_MSG_RANK_1(call)                                                                                      \
    "amp: " call " takes a view or array of rank 1: a row of a table is amp_project(v, i), and AMP_REDUCE goes over "  \
    "more dimensions"
/* A view of rank 1, or of any rank, given by value; for what is none, which is refused, any other. */
#define AMP_PRIV_IS_OF_RANK_1(v)                                                                                       \
    (AMP_PRIV_RANK_OF(__builtin_choose_expr(AMP_PRIV_MAY_BE_VIEW_GIVEN(v), v, *(amp_array_view_int_2 *)0)) == 1)
#define AMP_PRIV_GIVEN_1(v)      __builtin_choose_expr(AMP_PRIV_IS_OF_RANK_1(v), v, AMP_PRIV_ANY_VIEW)
#define AMP_PRIV_GIVEN_VIEW(v)   __builtin_choose_expr(AMP_PRIV_MAY_BE_VIEW_GIVEN(v), v, AMP_PRIV_ANY_VIEW)
/* Is v a view or array that can be written as one of this type? */
#define AMP_PRIV_IS_WRITTEN_AS(v, view)                                                                                \
    (AMP_PRIV_IS_OF_RANK_1(v) && AMP_PRIV_SAME(__typeof__(AMP_PRIV_GIVEN_1(v).data), __typeof__(((view *)0)->data)))

/* // >>domain
   An algorithm runs over the indexes of an extent, numbered from 0 in row-major order. */

#define AMP_PRIV_DOMAIN(names) AMP_PRIV_CAT(amp_extent, AMP_PRIV_COUNT names)
#define AMP_PRIV_CHECK_DOMAIN(what, extent, names)                                                                     \
    _Static_assert(_Generic((extent), AMP_PRIV_DOMAIN(names) : 1, default : 0),                                        \
                   "amp: " what ": the index " AMP_PRIV_TEXT_(names) " must have one name per dimension of the extent");

/* Where index number `base` of amp_priv_domain is: what AMP_PRIV_LINEAR begins with. The only divisions of 64 bits. */
#define AMP_PRIV_ORIGIN(names, base) AMP_PRIV_CAT(AMP_PRIV_ORIGIN_, AMP_PRIV_COUNT names)(base)
#define AMP_PRIV_ORIGIN_1(base)                                                                                        \
    const int amp_priv_x0 = (int)(base);                                                                               \
    (void)amp_priv_x0;
#define AMP_PRIV_ORIGIN_2(base)                                                                                        \
    AMP_PRIV_ORIGIN_LINE(base, amp_priv_domain.v[1])                                                                   \
    int amp_priv_y0 = (int)amp_priv_line;                                                                              \
    (void)amp_priv_x0, (void)amp_priv_y0;
#define AMP_PRIV_ORIGIN_3(base)                                                                                        \
    AMP_PRIV_ORIGIN_LINE(base, amp_priv_domain.v[2])                                                                   \
    const int amp_priv_height = amp_priv_domain.v[1] > 0 ? amp_priv_domain.v[1] : 1;                                   \
    int amp_priv_z0 = (int)(amp_priv_line / amp_priv_height);                                                          \
    int amp_priv_y0 = (int)(amp_priv_line % amp_priv_height);                                                          \
    (void)amp_priv_x0, (void)amp_priv_y0, (void)amp_priv_z0;
#define AMP_PRIV_ORIGIN_LINE(base, last)                                                                               \
    const int amp_priv_width = (last) > 0 ? (last) : 1; /* of nothing, too */                                          \
    const int64_t amp_priv_line = (int64_t)(base) / amp_priv_width;                                                    \
    int amp_priv_x0 = (int)((int64_t)(base) % amp_priv_width);

/* The names of the index `i` behind that one, i < 2^30. */
#define AMP_PRIV_LINEAR(names, i)   AMP_PRIV_LINEAR_(AMP_PRIV_COUNT names, i, AMP_PRIV_UNWRAP names)
#define AMP_PRIV_LINEAR_(N, i, ...) AMP_PRIV_CAT(AMP_PRIV_LINEAR_, N)(i, __VA_ARGS__)
#define AMP_PRIV_LINEAR_1(i, x)     AMP_PRIV_LINEAR_NAME(x, amp_priv_x0 + (i))
#define AMP_PRIV_LINEAR_2(i, y, x)                                                                                     \
    AMP_PRIV_LINEAR_LINE(i)                                                                                            \
    AMP_PRIV_LINEAR_NAME(y, (int)amp_priv_down)                                                                        \
    AMP_PRIV_LINEAR_NAME(x, (int)amp_priv_past)
#define AMP_PRIV_LINEAR_3(i, z, y, x)                                                                                  \
    AMP_PRIV_LINEAR_LINE(i)                                                                                            \
    AMP_PRIV_LINEAR_NAME(z, amp_priv_z0 + (int)(amp_priv_down / (unsigned)amp_priv_height))                            \
    AMP_PRIV_LINEAR_NAME(y, (int)(amp_priv_down % (unsigned)amp_priv_height))                                          \
    AMP_PRIV_LINEAR_NAME(x, (int)amp_priv_past)
#define AMP_PRIV_LINEAR_LINE(i)                                                                                        \
    const unsigned amp_priv_ahead = (unsigned)amp_priv_x0 + (unsigned)(i);                                             \
    const unsigned amp_priv_down = (unsigned)amp_priv_y0 + amp_priv_ahead / (unsigned)amp_priv_width;                  \
    const unsigned amp_priv_past = amp_priv_ahead % (unsigned)amp_priv_width;
/* The result at the index with these names. */
#define AMP_PRIV_OUT_AT(names)   AMP_PRIV_CAT(AMP_PRIV_OUT_AT_, AMP_PRIV_COUNT names)(names)
#define AMP_PRIV_OUT_AT_1(names) AMP_AT(amp_priv_out, AMP_PRIV_UNWRAP names)
#define AMP_PRIV_OUT_AT_2        AMP_PRIV_OUT_AT_1
#define AMP_PRIV_OUT_AT_3        AMP_PRIV_OUT_AT_1

/* In a template (amp/launch/template.h): four names, for what parts 0, 1 and 6 are. The number of an index is
   amp_priv_j there. */
#define AMP_PRIV_TEMPLATE_NAMES          (amp_priv_0, amp_priv_1, amp_priv_2, amp_priv_3)
#define AMP_PRIV_ORIGIN_4(base)          amp_priv_part_0
#define AMP_PRIV_LINEAR_4(i, t, z, y, x) amp_priv_part_1
#define AMP_PRIV_OUT_AT_4(names)         amp_priv_part_6
#define AMP_PRIV_INDEX_PARTS(names)                                                                                    \
    "\1" AMP_PRIV_TEXT(AMP_PRIV_ORIGIN(names, amp_priv_first)) "\1" AMP_PRIV_TEXT(AMP_PRIV_LINEAR(names, amp_priv_j))
/* Parts 2 to 5 of most algorithms; the arguments of a template's body. */
#define AMP_PRIV_TYPED_PARTS(T, names, value, operation, ...)                                                          \
    AMP_PRIV_INDEX_PARTS(names) "\1" AMP_PRIV_TEXT_(T) "\1" AMP_PRIV_TEXT_(value) "\1" AMP_PRIV_TEXT_(operation)       \
    "\1" AMP_PRIV_TEXT_(__VA_ARGS__)
#define AMP_PRIV_DEFINE_TEMPLATE(name, ...)                                                                            \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    AMP_PRIV_API const char *name(void)                                                                                \
    {                                                                                                                  \
        return AMP_PRIV_TEXT(__VA_ARGS__);                                                                             \
    }                                                                                                                  \
    AMP_PRIV_LONG_STRINGS_END
#define AMP_PRIV_LINEAR_NAME(x, ...)                                                                                   \
    const int x = __VA_ARGS__;                                                                                         \
    (void)x;

/* The extent of an array whose number is a call of a macro: clang-format takes [N(T)] for Objective-C. */
#define AMP_PRIV_BRACKETS(...) [__VA_ARGS__]

/* A statement for each of the amp_priv_end first lanes, in a loop over amp_priv_row, with the names of the indexes that
   these 256 have, and amp_priv_j, the number of the element. The host goes from line to line of the domain, so that
   nothing is divided and lanes are vectors; with _FEW, for what runs seldom, they are not. */
#define AMP_PRIV_LANES_OF(names, ...)  AMP_PRIV_LANES_BY(AMP_PRIV_THREADS_IN, names, __VA_ARGS__)
#define AMP_PRIV_LANES_FEW(names, ...) AMP_PRIV_LANES_BY(AMP_PRIV_THREADS_FEW, names, __VA_ARGS__)
#define AMP_PRIV_LANES_BY(THREADS, names, ...)                                                                         \
    AMP_PRIV_LANES_OF_(AMP_PRIV_COUNT names, THREADS, names, AMP_PRIV_UNWRAP names, __VA_ARGS__)
#define AMP_PRIV_LANES_OF_(N, ...) AMP_PRIV_CAT(AMP_PRIV_LANES_OF_, N)(__VA_ARGS__)
#define AMP_PRIV_LANES_OF_1(THREADS, names, x, ...)                                                                    \
    THREADS(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                                              \
        AMP_PRIV_LANES_J                                                                                               \
        AMP_PRIV_LINEAR(names, amp_priv_j)                                                                             \
        __VA_ARGS__                                                                                                    \
    }
#define AMP_PRIV_LANES_J const int amp_priv_j = amp_priv_row * 256 + amp_priv_t.local.v[0]; (void)amp_priv_j;
#define AMP_PRIV_LANES_OF_4(THREADS, names, t, z, y, x, ...) AMP_PRIV_LANES_OF_1(THREADS, names, x, __VA_ARGS__)
#define AMP_PRIV_LANES_OF_2(THREADS, names, y, x, ...)                                                                 \
    AMP_PRIV_LANES_OF_LINES(THREADS, amp_priv_y0++, {                                                                  \
        AMP_PRIV_LANES_J                                                                                               \
        AMP_PRIV_LINEAR_NAME(y, AMP_PRIV_HOST_OR_DEVICE(amp_priv_y0, AMP_PRIV_LANES_DOWN))                             \
        AMP_PRIV_LINEAR_NAME(x, AMP_PRIV_HOST_OR_DEVICE(amp_priv_x0 + amp_priv_t.local.v[0], AMP_PRIV_LANES_PAST))     \
        __VA_ARGS__                                                                                                    \
    })
#define AMP_PRIV_LANES_OF_3(THREADS, names, z, y, x, ...)                                                              \
    AMP_PRIV_LANES_OF_LINES(THREADS, amp_priv_z0 += ++amp_priv_y0 == amp_priv_height;                                  \
                            amp_priv_y0 = amp_priv_y0 == amp_priv_height ? 0 : amp_priv_y0, {                          \
        AMP_PRIV_LANES_J                                                                                               \
        AMP_PRIV_LINEAR_NAME(z, AMP_PRIV_HOST_OR_DEVICE(amp_priv_z0, "amp_priv_z0 + " AMP_PRIV_LANES_DOWN              \
                                                                     " / amp_priv_height"))                            \
        AMP_PRIV_LINEAR_NAME(y, AMP_PRIV_HOST_OR_DEVICE(amp_priv_y0, AMP_PRIV_LANES_DOWN " % amp_priv_height"))        \
        AMP_PRIV_LINEAR_NAME(x, AMP_PRIV_HOST_OR_DEVICE(amp_priv_x0 + amp_priv_t.local.v[0], AMP_PRIV_LANES_PAST))     \
        __VA_ARGS__                                                                                                    \
    })
#define AMP_PRIV_LANES_AHEAD "((unsigned)amp_priv_x0 + (unsigned)(amp_priv_row * 256 + amp_priv_t.local.v[0]))"
#define AMP_PRIV_LANES_DOWN  "(int)((unsigned)amp_priv_y0 + " AMP_PRIV_LANES_AHEAD " / (unsigned)amp_priv_width)"
#define AMP_PRIV_LANES_PAST  "(int)(" AMP_PRIV_LANES_AHEAD " % (unsigned)amp_priv_width)"
/* amp_priv_x0 is where the first lane's index would be in the line, which may be before it; next: to the next line. */
#define AMP_PRIV_LANES_OF_LINES(THREADS, next, ...)                                                                    \
    for (int amp_priv_from = 0; amp_priv_from < amp_priv_end;) {                                                       \
        const int amp_priv_until = AMP_PRIV_HOST_OR_DEVICE(                                                            \
            amp_priv_width - amp_priv_x0 < amp_priv_end ? amp_priv_width - amp_priv_x0 : amp_priv_end, "amp_priv_end");\
        THREADS(amp_priv_tile, amp_priv_t, amp_priv_from, amp_priv_until) __VA_ARGS__                                  \
        if (AMP_PRIV_HOST_OR_DEVICE(amp_priv_x0 + amp_priv_until == amp_priv_width, "0")) {                            \
            amp_priv_x0 = -amp_priv_until;                                                                             \
            next;                                                                                                      \
        }                                                                                                              \
        amp_priv_from = amp_priv_until;                                                                                \
    }                                                                                                                  \
    if (AMP_PRIV_HOST_OR_DEVICE(1, "0")) amp_priv_x0 += 256;

/* An operation, or a comparison, is an expression of a and b: said before it is taken for one, and the last that clang
   says. A macro knows by the letters; or by what it begins with, which is an element of what is sorted. */
#define AMP_PRIV_MSG_OPERATION(call, operation, like)                                                                  \
    "amp: " call ": the " operation " is an expression of two elements, called a and b (not of their indexes): " like
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_combines(const char *text)
    __attribute__((diagnose_if(!__builtin_strchr(text, 'a') || !__builtin_strchr(text, 'b'),
                               AMP_PRIV_MSG_OPERATION("an algorithm", "operation", "a + b"), "warning")));
int amp_priv_compares(const char *text, const char *element, const char *subscript)
    __attribute__((diagnose_if(!__builtin_strchr(text, 'a') || !__builtin_strchr(text, 'b') ||
                                   !__builtin_strncmp(text, element, __builtin_strlen(element)) ||
                                   !__builtin_strncmp(text, subscript, __builtin_strlen(subscript)),
                               AMP_PRIV_MSG_OPERATION("an algorithm", "comparison", "a < b"), "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_CHECK_OPERATION(call, ...)                                                                            \
    _Pragma("clang diagnostic push") AMP_PRIV_LAST_WORDS                                                               \
    _Static_assert(sizeof(amp_priv_combines(AMP_PRIV_TEXT(__VA_ARGS__))), "");                                         \
    _Pragma("clang diagnostic pop")
#define AMP_PRIV_CHECK_COMPARISON(call, v, ...)                                                                        \
    AMP_PRIV_LONG_STRINGS_BEGIN AMP_PRIV_LAST_WORDS                                                                    \
    _Static_assert(sizeof(amp_priv_compares(AMP_PRIV_TEXT(__VA_ARGS__), "((" #v ").data[", #v "[")), "");              \
    AMP_PRIV_LONG_STRINGS_END
#else
#define AMP_PRIV_CHECK_OPERATION(call, ...)                                                                            \
    _Static_assert(__builtin_choose_expr(AMP_PRIV_HAS_A_AND_B(AMP_PRIV_TEXT(__VA_ARGS__)), 1, 0),                      \
                   AMP_PRIV_MSG_OPERATION(call, "operation", "a + b"));
#define AMP_PRIV_CHECK_COMPARISON(call, v, ...)                                                                        \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    _Static_assert(__builtin_choose_expr(AMP_PRIV_HAS_A_AND_B(AMP_PRIV_TEXT(__VA_ARGS__)) &&                           \
                                             AMP_PRIV_BEGINS_NOT("((" #v ").data[", AMP_PRIV_TEXT(__VA_ARGS__)) &&     \
                                             AMP_PRIV_BEGINS_NOT(#v "[", AMP_PRIV_TEXT(__VA_ARGS__)), 1, 0),           \
                   AMP_PRIV_MSG_OPERATION(call, "comparison", "a < b"));                                               \
    AMP_PRIV_LONG_STRINGS_END
#define AMP_PRIV_BEGINS_NOT(with, text) __builtin_strncmp(text, with, sizeof(with) - 1)
#define AMP_PRIV_HAS_A_AND_B(text)                                                                                     \
    (__builtin_strcspn(text, "a") < sizeof(text) - 1 && __builtin_strcspn(text, "b") < sizeof(text) - 1)
#endif

/* Around a call that has a value, too: where the value begins with a or b, and the operation with a parenthesis and has
   a subscript, as AMP_AT and a cast of it do, they are in each other's place. */
#define AMP_PRIV_IF_VALUE_FIRST(call, captures, value, operation)                                                      \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    AMP_PRIV_ASK_VALUE_FIRST(call, AMP_PRIV_TEXT(value), AMP_PRIV_TEXT(operation)) AMP_PRIV_LONG_STRINGS_END           \
    AMP_PRIV_ONLY_IF(amp_priv_value_is_first AMP_PRIV_AND_ALL_DECLARED((AMP_PRIV_LISTED(captures))))
#define AMP_PRIV_HAS_VALUE_FIRST(value, operation)                                                                     \
    (__builtin_strncmp(operation, "(", 1) || AMP_PRIV_LACKS(operation, "[") ||                                         \
     (__builtin_strncmp(value, "a ", 2) && __builtin_strncmp(value, "b ", 2)))
#define AMP_PRIV_MSG_VALUE_FIRST(call)                                                                                 \
    "amp: " call ": first the value at an index, then the operation of two values, a and b: AMP_AT(v, i), a + b"
AMP_PRIV_ASKS(amp_priv_takes_value_first, AMP_PRIV_MSG_VALUE_FIRST("an algorithm"))
#if defined(__clang__)
#define AMP_PRIV_ASK_VALUE_FIRST(call, value, operation)                                                               \
    AMP_PRIV_ASK(amp_priv_takes_value_first, AMP_PRIV_HAS_VALUE_FIRST(value, operation), "")                           \
    enum { amp_priv_value_is_first = 1 };
#else
#define AMP_PRIV_ASK_VALUE_FIRST(call, value, operation)                                                               \
    enum { amp_priv_value_is_first = AMP_PRIV_ASKED(AMP_PRIV_HAS_VALUE_FIRST(value, operation)) };                     \
    _Static_assert(amp_priv_value_is_first, AMP_PRIV_MSG_VALUE_FIRST(call));
#endif

enum { AMP_PRIV_LANES = 256 /* threads of every tile */ };

/* The number of elements; -1 after reporting. */
AMP_PRIV_API int64_t amp_priv_domain_size(const char *name, const int *extent, int rank);

AMP_PRIV_API bool amp_priv_same_length(const char *call, int first, int second);

/* // >>result
   A result goes to a variable of its type, which has it when the call returns, or to the first element of a view or
   array of rank 1, for which the call does not wait. */

/* Is it a variable? VIEW: the type of a view of its type. */
#define AMP_PRIV_IS_VARIABLE(result, VIEW) AMP_PRIV_SAME(__typeof__(result), AMP_PRIV_ELEMENT_OF(*(VIEW *)0))
#define AMP_PRIV_IS_RESULT(result, VIEW)   (AMP_PRIV_IS_VARIABLE(result, VIEW) || AMP_PRIV_IS_VIEW_OF(result, VIEW))
#define AMP_PRIV_IS_VIEW_OF(v, VIEW) /* or an array */                                                                 \
    (AMP_PRIV_SAME(__typeof__(v), VIEW) || AMP_PRIV_SAME(__typeof__(v), __typeof__(*((VIEW *)0)->amp_priv_array)))
/* type: its type, in words. */
#define AMP_PRIV_CHECK_RESULT(what, result, type, VIEW)                                                                \
    _Static_assert(AMP_PRIV_IS_RESULT(result, VIEW), AMP_PRIV_MSG_RESULT(what, "the result", type));
#define AMP_PRIV_MSG_RESULT(what, result, type)                                                                        \
    "amp: " what ": " result " must be a variable of " type ", or a view or array of that, of rank 1"

/* Copies the result to the host, where it is a variable. */
AMP_PRIV_API void amp_priv_result_fetch(const amp_priv_call *call, const amp_priv_element *element, size_t first);

/* // >>room
   Nothing is written behind a result's view. Where a call knows how long its result is, a view that is too short is
   refused. Where the data decide, kernels write as far as there is room, and count all. */

/* For all of an extent of its rank? */
AMP_PRIV_API bool amp_priv_has_room_for(const char *call, const amp_priv_head *out, const int *extent);

/* // >>overlap
   A result may not lie where its call still reads, in one source or in two on the same memory. */

typedef enum amp_priv_lie { AMP_PRIV_LIE_APART, AMP_PRIV_LIE_SAME, AMP_PRIV_LIE_ACROSS } amp_priv_lie;

/* Is `out` apart from what is read, or, if in_place, the same as some of it? False after reporting. */
AMP_PRIV_API bool amp_priv_is_apart(const char *call, const char *argument, const amp_priv_head *out,
                                    const amp_priv_named *read, size_t count, bool in_place);

/* In kernels: how many of `count` elements from number `first` on fit into `out`; both are variables. An element at
   number i, if i is below the capacity. */
#define AMP_PRIV_ROOM_FOR(out, first, count)                                                                           \
    ((first) < 0 || (first) >= (out).extent.v[0] ? 0                                                                   \
     : (count) < (out).extent.v[0] - (first)     ? (count)                                                             \
                                                 : (out).extent.v[0] - (first))
#define AMP_PRIV_PUT(out, i, value)                                                                                    \
    if ((unsigned)(i) < (unsigned)(out).extent.v[0]) AMP_AT(out, i) = value;

/* clang-format on */

#if defined(AMP_CHECKED)
enum { AMP_PRIV_LAUNCHES_WAIT = 1 };
#else
enum { AMP_PRIV_LAUNCHES_WAIT = 0 };
#endif

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS
#include "../memory/acquire.h"

/* Tests make a device that is a CPU sort by tiles, as a GPU does, and select from the last tile on; with more than 1
   they also sort from the last tile on. Otherwise no test could make a tile count what others have not published. */
AMP_PRIV_GLOBAL(int, amp_priv_sort_tiles)

/* From here on a report on this thread means that the call has failed. */
static inline void amp_priv_errors_mark(amp_priv_call *call) { call->reports = amp_priv_last_error.reports; }

AMP_PRIV_API bool amp_priv_call_failed(const amp_priv_call *call)
{
    return amp_priv_last_error.reports != call->reports;
}

/* Where a launch with these captures would go. */
AMP_PRIV_NOINLINE amp_priv_queue *amp_priv_call_target(amp_accelerator_view view, const amp_priv_named *heads,
                                                       int count)
{
    amp_priv_queue *const given = view.amp_priv_queue;
    amp_priv_division *const division = amp_priv_queue_division(given);
    if (division) {
        if (division->undivided && !atomic_exchange(&division->reported, true))
            division->undivided(given->device->path);
        return given->member[0];
    }
    if (given)
        return given;
    amp_priv_capture captures[AMP_PRIV_MAX_CAPTURES];
    void *captured[AMP_PRIV_MAX_CAPTURES];
    int views = 0;
    for (int i = 0; i < count && i < AMP_PRIV_MAX_CAPTURES; i++)
        if (heads[i].head) {
            captures[views] = (amp_priv_capture){ "?", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 };
            captured[views++] = (void *)(uintptr_t)heads[i].head;
        }
    amp_priv_launch_site site = { .function = "?", .file = "?", .captures = captures, .capture_count = views };
    amp_priv_launch launch;
    launch.site = &site;
    launch.captured = captured;
    amp_priv_data_location places;
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED); /* the launch will say it, with names */
    amp_priv_queue *const queue =
        amp_priv_captures_look(&launch, &places) ? amp_priv_memory_target(&launch, &places) : NULL;
    amp_priv_error_mode_end(before);
    return queue ? queue : amp_priv_default_queue();
}

/* Is a call on the view divided that takes so much temporary memory? */
static inline bool amp_priv_call_divides(amp_accelerator_view view, size_t bytes)
{
    const amp_priv_division *const division = amp_priv_queue_division(view.amp_priv_queue);
    return division && division->parts > 0 && bytes <= 1 << 30;
}

/* Would it be recorded? Its temporary memory is another call's when that is replayed. */
AMP_PRIV_COLD bool amp_priv_call_recorded(const char *name)
{
    if (!amp_priv_recording_here)
        return false;
    amp_priv_recording_here->failed = true;
    amp_priv_report(
        AMP_UNSUPPORTED_FEATURE,
        "%s: an algorithm uses temporary memory and cannot be recorded; call it before amp_recording_begin, or after "
        "amp_recording_end",
        name);
    return true;
}

AMP_PRIV_API bool amp_priv_call_published(amp_priv_call *call, size_t bytes)
{
    amp_priv_queue *const queue = call->view.amp_priv_queue;
    call->published = amp_priv_temporary_take(queue, queue->device, bytes, AMP_PRIV_TEMPORARY_PUBLISHED);
    return call->published != NULL;
}

/* Begins a call on a queue, with so much temporary memory; false after reporting, and then all is done. */
AMP_PRIV_NOINLINE bool amp_priv_call_begin_at(amp_priv_call *call, const char *name, amp_priv_queue *queue,
                                              size_t bytes)
{
    if (!queue || amp_priv_queue_usable(queue, name) != AMP_OK || amp_priv_call_recorded(name))
        return false;
    const amp_priv_device *const device = amp_priv_queue_division(queue) ? NULL : queue->device;
    call->view.amp_priv_queue = queue;
    call->temporary = amp_priv_temporary_take(queue, device, bytes, AMP_PRIV_TEMPORARY_BYTES);
    /* What an earlier call has left in a view does not move; nor is it missed where that call failed. */
    return call->temporary && (device || amp_priv_discard(&call->temporary->array.amp_priv) == AMP_OK);
}

/* Were all views made that the call's macro reads by (AMP_PRIV_READ_FROM)? If not, that was reported. */
AMP_PRIV_NOINLINE bool amp_priv_call_reads(const amp_priv_named *heads, size_t count)
{
    size_t i = 0;
    while (i < count && !(heads[i].head && !heads[i].head->source && amp_priv_name_is_ours(heads[i].name) &&
                          strcmp(heads[i].name, "amp_priv_out") != 0))
        i++;
    return i == count;
}

AMP_PRIV_NOINLINE bool amp_priv_call_begin(amp_priv_call *call, const char *name, amp_accelerator_view view,
                                           const amp_priv_named *heads, size_t count, size_t bytes)
{
    memset(call, 0, sizeof *call);
    call->name = name;
    amp_priv_errors_mark(call);
    return amp_priv_same_build() && amp_priv_call_reads(heads, count) &&
           amp_priv_call_begin_at(call, name, amp_priv_call_target(view, heads, (int)count), bytes);
}

/* The same of a call whose launches a group divides. */
AMP_PRIV_NOINLINE bool amp_priv_call_begin_in_bands(amp_priv_call *call, const char *name, amp_accelerator_view view,
                                                    const amp_priv_named *heads, size_t count, size_t bytes)
{
    const bool divides = amp_priv_call_divides(view, bytes);
    memset(call, 0, sizeof *call);
    call->name = name;
    amp_priv_errors_mark(call);
    return amp_priv_same_build() && amp_priv_call_reads(heads, count) &&
           amp_priv_call_begin_at(call, name,
                                  divides ? view.amp_priv_queue : amp_priv_call_target(view, heads, (int)count), bytes);
}

/* A launch of a call that has failed since has written there. */
AMP_PRIV_COLD void amp_priv_call_invalidate(const amp_priv_head *head)
{
    if (!head || !amp_priv_head_is_live(head))
        return;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_source_lock(head->source);
    amp_priv_invalidate(head->source, &shape, ~UINT32_C(0));
    amp_priv_source_unlock(head->source);
}

AMP_PRIV_API void amp_priv_call_wrote(amp_priv_call *call, const amp_priv_head *one, const amp_priv_head *other)
{
    call->wrote[0] = one;
    call->wrote[1] = other;
}

AMP_PRIV_API void amp_priv_call_end(amp_priv_call *call)
{
    for (int i = 0; i < 2 && __builtin_expect(amp_priv_call_failed(call), 0); i++)
        amp_priv_call_invalidate(call->wrote[i]);
    if (!call->temporary)
        return;
    amp_priv_lock(&amp_priv_all_temporaries.lock);
    call->temporary->busy = false;
    if (call->published)
        call->published->busy = false;
    amp_priv_unlock(&amp_priv_all_temporaries.lock);
}

AMP_PRIV_API void amp_priv_call_view(const amp_priv_call *call, void *out, const amp_priv_element *element,
                                     size_t first, size_t count)
{
    amp_priv_temporary_view(call->temporary, out, element, first, count);
}

#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN "amp_fill" /* all elements become 0 */
AMP_PRIV_NOINLINE void amp_priv_fill_zero(amp_accelerator_view view, amp_array_view_int_1 v)
{
    amp_array_view_discard_data(&v);
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 0; });
}
#undef AMP_PRIV_LAUNCHED_IN
#define AMP_PRIV_LAUNCHED_IN __func__

/* Where a part of `bytes` bytes begins, of the temporary memory. */
static inline size_t amp_priv_call_part(amp_priv_call *call, size_t bytes)
{
    const size_t first = call->used;
    call->used += (bytes + 127) / 128 * 128;
    return first;
}

/* A part of elements begins at a multiple of 128 bytes and of their size, which may be that of three numbers. It takes
   up to so many bytes more. */
static inline size_t amp_priv_call_unit(const amp_priv_element *element)
{
    size_t odd = element->size;
    while (odd > 0 && odd % 2 == 0)
        odd /= 2;
    return 128 * odd;
}
static inline size_t amp_priv_call_elements(amp_priv_call *call, const amp_priv_element *element, size_t count)
{
    const size_t unit = amp_priv_call_unit(element);
    call->used = (call->used + unit - 1) / unit * unit;
    return amp_priv_call_part(call, count * element->size);
}

AMP_PRIV_API int64_t amp_priv_domain_size(const char *name, const int *extent, int rank)
{
    int64_t size = 1;
    for (int d = 0; d < rank; d++) {
        if (extent[d] < 0) {
            amp_priv_report(AMP_INVALID_COMPUTE_DOMAIN, "%s: component %d of the extent is %d; it must not be negative",
                            name, d, extent[d]);
            return -1;
        }
        size = extent[d] == 0 || size == 0 ? 0 : size > INT64_MAX / extent[d] ? INT64_MAX : size * extent[d];
    }
    return size;
}

/* Reports that a call is given more elements than it takes. */
AMP_PRIV_COLD void amp_priv_too_many(const char *name, int64_t size, int64_t most)
{
    amp_priv_report(AMP_INVALID_COMPUTE_DOMAIN,
                    "%s: %s%lld elements are more than the limit of %lld; work on parts of them", name,
                    size == INT64_MAX ? "more than " : "", (long long)size, (long long)most);
}

/* How many tiles so many elements are; 0 after reporting that they are too many, or was reported of their domain. */
AMP_PRIV_NOINLINE int amp_priv_call_tiles(const char *name, int64_t size, int tile)
{
    const int64_t tiles = size < 0 ? 0 : size ? (size - 1) / tile + 1 : 1, most = INT_MAX / AMP_PRIV_LANES;
    if (tiles <= most)
        return (int)tiles;
    amp_priv_too_many(name, size, most * tile);
    return 0;
}

AMP_PRIV_API bool amp_priv_same_length(const char *call, int first, int second)
{
    if (first != second)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the lengths differ, %d and %d elements; use sections of the same "
                        "length",
                        call, first, second);
    return first == second;
}

/* Fills in the view that a kernel writes the result to: for a variable, at a byte of the temporary memory. */
AMP_PRIV_NOINLINE bool amp_priv_result_view(const amp_priv_call *call, void *out, const amp_priv_element *element,
                                            size_t first)
{
    if (call->is_variable) {
        amp_priv_call_view(call, out, element, first, 1);
        return true;
    }
    const amp_priv_head *const head = call->result;
    if (!amp_priv_head_ready(head, call->name))
        return false;
    amp_priv_shape shape = amp_priv_shape_of(head);
    if (shape.extent[0] < 1) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the view for the result is empty", call->name);
        return false;
    }
    shape.extent[0] = 1;
    amp_priv_fill(out, head->source, element, AMP_PRIV_VIEW, 0, &shape);
    return true;
}

AMP_PRIV_API void amp_priv_result_fetch(const amp_priv_call *call, const amp_priv_element *element, size_t first)
{
    if (!call->is_variable || amp_priv_call_failed(call))
        return;
    amp_const_array_view_uint8_t_1 view;
    const amp_priv_shape shape =
        amp_priv_temporary_shape(call->temporary, &amp_priv_element_uint8_t, first, element->size);
    amp_priv_fill(&view, call->temporary->array.amp_priv.source, &amp_priv_element_uint8_t, AMP_PRIV_CONST_VIEW, 0,
                  &shape);
    if (amp_priv_host_access(&view.amp_priv))
        memcpy((void *)(uintptr_t)call->result, view.data, element->size);
}

AMP_PRIV_COLD void amp_priv_too_short(const char *call, const char *argument, long long needed, const char *dimension,
                                      int room, const char *kept)
{
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: the result has %lld elements%s, but the view %s has %d%s; use a larger "
                    "view",
                    call, needed, dimension, argument, room, kept);
}

/* Is the capacity of `out`, of rank 1, at least `size`? False after reporting. */
static inline bool amp_priv_has_room(const char *call, const char *argument, const amp_priv_head *out, int64_t size)
{
    const int room = out->source ? *amp_priv_head_extent(out) : 0;
    if (out->source && room < size)
        amp_priv_too_short(call, argument, size, "", room, "");
    return out->source && room >= size;
}

AMP_PRIV_API bool amp_priv_has_room_for(const char *call, const amp_priv_head *out, const int *extent)
{
    if (!amp_priv_head_ready(out, call))
        return false;
    const int *const room = amp_priv_head_extent(out);
    char dimension[40] = "";
    for (int d = 0; d < (int)out->rank; d++)
        if (room[d] < extent[d]) {
            if (out->rank > 1)
                snprintf(dimension, sizeof dimension, " in dimension %d", d);
            amp_priv_too_short(call, "out", extent[d], dimension, room[d], "");
            return false;
        }
    return true;
}

/* Have they memory in common? The same: an index is the same element of both. */
AMP_PRIV_NOINLINE amp_priv_lie amp_priv_lie_of(const amp_priv_head *a, const amp_priv_head *b)
{
    if (!a->source || !b->source)
        return AMP_PRIV_LIE_APART;
    const amp_priv_shape one = amp_priv_shape_of(a), two = amp_priv_shape_of(b);
    const size_t bytes = amp_priv_shape_span(&one) * one.element_size;
    const size_t others = amp_priv_shape_span(&two) * two.element_size;
    const uintptr_t first = (uintptr_t)one.data, other = (uintptr_t)two.data;
    if (!bytes || !others || first + bytes <= other || other + others <= first || !amp_priv_shapes_meet(&one, &two))
        return AMP_PRIV_LIE_APART;
    bool same = first == other && one.rank == two.rank && one.element_size == two.element_size;
    for (int d = 0; same && d < one.rank; d++)
        same = one.stride[d] == two.stride[d];
    return same ? AMP_PRIV_LIE_SAME : AMP_PRIV_LIE_ACROSS;
}

/* Does `out` share no memory with what is read? */
AMP_PRIV_NOINLINE bool amp_priv_is_apart_of_all(const amp_priv_head *out, const amp_priv_named *read, size_t count)
{
    bool apart = true;
    for (size_t i = 0; i < count; i++)
        apart = apart && (!read[i].head || amp_priv_lie_of(out, read[i].head) == AMP_PRIV_LIE_APART);
    return apart;
}

AMP_PRIV_COLD void amp_priv_overlap_report(const char *call, const char *argument, const char *other, bool in_place)
{
    const bool is_named = !amp_priv_name_is_ours(other);
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: %s overlaps %s%s, which the call reads: give %s its own memory, or pass only the section that "
                    "is read (amp_section)",
                    call, argument, is_named ? other : "another argument",
                    in_place ? " (but does not start at the same element)" : "", argument);
}

AMP_PRIV_API bool amp_priv_is_apart(const char *call, const char *argument, const amp_priv_head *out,
                                    const amp_priv_named *read, size_t count, bool in_place)
{
    for (size_t i = 0; i < count; i++) {
        const amp_priv_lie lie = read[i].head ? amp_priv_lie_of(out, read[i].head) : AMP_PRIV_LIE_APART;
        if (lie == AMP_PRIV_LIE_ACROSS || (lie == AMP_PRIV_LIE_SAME && !in_place)) {
            amp_priv_overlap_report(call, argument, read[i].name, in_place);
            return false;
        }
    }
    return true;
}

/* The same check for a view that receives a count; a variable passes. */
static inline bool amp_priv_count_is_apart(const char *call, const void *result, bool is_variable,
                                           const amp_priv_named *heads, size_t count)
{
    return !result || is_variable || amp_priv_is_apart(call, "count", result, heads, count, false);
}

/* A call on `size` elements writes to `out` as many as its result, an int, will say. */
AMP_PRIV_NOINLINE void amp_priv_call_counts(amp_priv_call *call, const char *argument, const amp_priv_head *out,
                                            int64_t size)
{
    amp_priv_capacities *const rooms = &call->rooms;
    const int room = out ? *amp_priv_head_extent(out) : 0;
    if (!out || room >= size)
        return;
    rooms->call = call->name;
    rooms->of[rooms->count].argument = argument;
    rooms->of[rooms->count++].room = room;
}

/* So many there are: was there room? */
AMP_PRIV_COLD void amp_priv_capacities_check(const amp_priv_capacities *rooms, int needed)
{
    for (int i = 0; i < rooms->count; i++) {
        const int room = rooms->of[i].room;
        char kept[40];
        if ((unsigned)needed <= (unsigned)room)
            continue;
        snprintf(kept, sizeof kept, ", where the first %d are", room);
        amp_priv_too_short(rooms->call, rooms->of[i].argument, (unsigned)needed, "", room, kept);
        return;
    }
}

#if AMP_PRIV_HAS_OTHERS
/* A result in a view is checked when it is copied to the host. The newest in a source counts. */
typedef struct amp_priv_deferred_count {
    amp_priv_deferred_read awaited;
    amp_priv_capacities rooms;
} amp_priv_deferred_count;

AMP_PRIV_COLD void amp_priv_count_look(const amp_priv_deferred_read *awaited, int value)
{
    amp_priv_capacities_check(&((const amp_priv_deferred_count *)awaited)->rooms, value);
}

AMP_PRIV_COLD void amp_priv_count_await(const amp_priv_call *call)
{
    const amp_priv_head *const head = call->result;
    amp_priv_source *const source = head->source;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_deferred_count *const count = calloc(1, sizeof *count);
    if (!count)
        return; /* nothing is wrong as yet */
    count->rooms = call->rooms;
    amp_priv_source_lock(source);
    const amp_priv_replica *const replica = source->replica[call->view.amp_priv_queue->device->number];
    count->awaited = (amp_priv_deferred_read){ shape.data, replica, replica->changes, amp_priv_count_look };
    free(source->awaited);
    source->awaited = &count->awaited;
    amp_priv_source_unlock(source);
}

#else
#define amp_priv_count_await(call) (void)(call)
#endif

/* After a call whose result is an int: had what that counts room? A launch on the host, or in a checked build, has run
   when it returns. */
AMP_PRIV_NOINLINE void amp_priv_room_check(amp_priv_call *call)
{
    if (amp_priv_call_failed(call))
        return;
    amp_priv_call_wrote(call, NULL, NULL); /* all of it was written, as far as there was room */
    if (call->rooms.count == 0)
        return;
    if (call->is_variable) {
        amp_priv_capacities_check(&call->rooms, *(const int *)call->result);
        return;
    }
    if (!AMP_PRIV_LAUNCHES_WAIT && !amp_priv_is_host(call->view.amp_priv_queue->device->number)) {
        amp_priv_count_await(call);
        return;
    }
    const amp_priv_head *const head = call->result;
    amp_const_array_view_int_1 first;
    amp_priv_shape shape = amp_priv_shape_of(head);
    shape.extent[0] = 1;
    amp_priv_fill(&first, head->source, &amp_priv_element_int, AMP_PRIV_CONST_VIEW, 0, &shape);
    if (amp_priv_host_access(&first.amp_priv))
        amp_priv_capacities_check(&call->rooms, first.data[0]);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_PLAN_H */
