/* SPDX-License-Identifier: MIT */
/*  amp/api/element.h - the types of arrays and views, and access to their elements

    For each element type and rank there are three structs of one layout: amp_array_view_float_2,
    amp_const_array_view_float_2 and amp_array_float_2. Public members: `extent`, and `data`, the
    address of the first element (in host memory on the host, in device memory inside a kernel).

    Contents (search for the tag):
        >>life  >>place  >>types  >>elements  >>runtime  >>access */
#ifndef AMP_API_ELEMENT_H
#define AMP_API_ELEMENT_H

#include "checked_access.h"

#include <string.h>

/* // >>life */

/* Whether the host may touch all of a source without asking: for reading and writing; for reading. Each build has
   numbers of its own, so that AMP_AT asks where a view comes from a library built otherwise. */
#if defined(AMP_CHECKED)
#define AMP_PRIV_HOST_CHECKED 1
#else
#define AMP_PRIV_HOST_CHECKED 0
#endif
#define AMP_PRIV_PLUS_BIT(name, prefix, bit) +bit
enum {
    AMP_PRIV_HOST_BUILD = 32 * (AMP_MAX_RANK - 3) AMP_PRIV_DEVICE_BACKENDS(AMP_PRIV_PLUS_BIT) + AMP_PRIV_HOST_CHECKED,
    AMP_PRIV_HOST_WRITES = 1 + 3 * AMP_PRIV_HOST_BUILD, /* of ranks up to 12, less than the step */
    AMP_PRIV_HOST_READS,
    AMP_PRIV_HOST_ASKS,
    AMP_PRIV_STAMP_STEP = 1024
};

enum { AMP_PRIV_FIRST_REFERENCE = 1, AMP_PRIV_LAST_REFERENCE = 65535, AMP_PRIV_INLINE_REFERENCES = 2 };

/* The first member of every source. What is below `access` changes with the pool's lock held. */
typedef struct amp_priv_handle_slot {
    const char *runtime; /* amp_priv_is_ours */
    atomic_uint access;  /* the stamp, a multiple of the step, plus what the host may do */
    unsigned short last_reference;
    int reference_count, reference_capacity;
    unsigned short *references; /* the numbers of those that were not given back */
    unsigned short inline_references[AMP_PRIV_INLINE_REFERENCES];
    uintptr_t variable;                /* the address of the view that a macro declared (AMP_ARRAY_VIEW); 0: none */
    struct amp_priv_handle_slot *next; /* in the pool */
    atomic_uintptr_t first, end;       /* the user memory of the source while it lives; first is 0: none */
    uintptr_t older;                   /* in the list of all records, which amp_priv_handle_behind reads */
#if defined(AMP_CHECKED)
    char made[256], ended[256]; /* by what, and where */
#endif
} amp_priv_handle_slot;

/* // >>place: checked builds note where sources are made and released. */

#if defined(AMP_CHECKED)

#define AMP_PRIV_HERE(what) amp_priv_place_is(what, __func__, __FILE__, __LINE__)
AMP_PRIV_API void amp_priv_place_is(const char *what, const char *function, const char *file, int line);

#else

#define AMP_PRIV_HERE(what) (void)0

#endif

/* Which line brings contents to the host, for reports of what was moved (amp_priv_happening). */
#define AMP_PRIV_READ_HERE amp_priv_read_at(__FILE__, __LINE__)
AMP_PRIV_API void amp_priv_read_at(const char *file, int line);

/* // >>types */

/* The union's other members are never read: they carry types, so that macros find the type of a slice, of the
   view on an array, of the read-only view, of the array of a view. */
#define AMP_PRIV_VIEW_STRUCT(NAME, POINTER, SLICE, T, N)                                                               \
    typedef struct NAME {                                                                                              \
        union {                                                                                                        \
            amp_priv_head amp_priv;                                                                                    \
            SLICE *amp_priv_slice;                                                                                     \
            struct amp_array_view_##T##_##N *amp_priv_view;                                                            \
            struct amp_const_array_view_##T##_##N *amp_priv_const_view;                                                \
            struct amp_array_##T##_##N *amp_priv_array;                                                                \
        };                                                                                                             \
        POINTER data;                                                                                                  \
        amp_extent##N extent;                                                                                          \
        amp_priv_stride##N stride;                                                                                     \
    } NAME;

#define AMP_PRIV_VIEW_TYPES(N, T)                                                                                      \
    AMP_PRIV_VIEW_STRUCT(amp_array_view_##T##_##N, T *, AMP_PRIV_SLICE_##N(amp_array_view_##T), T, N)                  \
    AMP_PRIV_VIEW_STRUCT(amp_const_array_view_##T##_##N, const T *,                                                    \
                         AMP_PRIV_SLICE_##N(amp_const_array_view_##T), T, N)                                           \
    AMP_PRIV_VIEW_STRUCT(amp_array_##T##_##N, T *, AMP_PRIV_SLICE_##N(amp_array_view_##T), T, N)
/* The type of a slice: one rank less; of rank 1 there is none. */
#define AMP_PRIV_SLICE_1(NAME)  void
#define AMP_PRIV_SLICE_2(NAME)  struct NAME##_1
#define AMP_PRIV_SLICE_3(NAME)  struct NAME##_2
#define AMP_PRIV_SLICE_4(NAME)  struct NAME##_3
#define AMP_PRIV_SLICE_5(NAME)  struct NAME##_4
#define AMP_PRIV_SLICE_6(NAME)  struct NAME##_5
#define AMP_PRIV_SLICE_7(NAME)  struct NAME##_6
#define AMP_PRIV_SLICE_8(NAME)  struct NAME##_7
#define AMP_PRIV_SLICE_9(NAME)  struct NAME##_8
#define AMP_PRIV_SLICE_10(NAME) struct NAME##_9
#define AMP_PRIV_SLICE_11(NAME) struct NAME##_10
#define AMP_PRIV_SLICE_12(NAME) struct NAME##_11

/* The device's name of a scalar's type; NULL for a struct. OpenCL's long has 64 bits, C's may have 32; OpenCL's char is
   signed, Arm's is not. No short names like uint: a struct of the user's may be called so. */
#define AMP_PRIV_DEVICE_TYPE(a)                                                                                        \
    _Generic((a), _Bool: "bool", char: (char)-1 < 0 ? "char" : "unsigned char", signed char: "char",                   \
             unsigned char: "unsigned char", short: "short", unsigned short: "unsigned short", int: "int",             \
             unsigned: "unsigned",                                                                                     \
             long: sizeof(long) == 8 ? "long" : "int", unsigned long: sizeof(long) == 8 ? "unsigned long" : "unsigned",\
             long long: "long", unsigned long long: "unsigned long", float: "float", double: "double",                 \
             default: (const char *)0)

/* // >>elements
   amp_array_view_T_N: a view: elements of type T, rank N; reads and writes.
   amp_const_array_view_T_N: a view that only reads.
   amp_array_T_N: an array: memory of an accelerator.
   T is int, float, double, int8_t to int64_t, uint8_t to uint64_t, or a type of AMP_DEFINE_ELEMENT. N is 1 to
   AMP_MAX_RANK. Other members are internal.
   extent  member, amp_extentN
   data  member: the address of the first element, in host memory on the host, in device memory inside a kernel
   Source: array_view<T, N>, array_view<const T, N>, array<T, N>. See: AMP_ARRAY_VIEW, AMP_ARRAY */
#define AMP_PRIV_ELEMENT_TYPES(T, scalar)                                                                              \
    extern const char amp_priv_is_element_##T[2];                                                                      \
    __attribute__((unused)) static const amp_priv_element amp_priv_element_##T = {#T, sizeof(T), _Alignof(T), scalar}; \
    AMP_PRIV_FOR_RANKS(AMP_PRIV_VIEW_TYPES, T)
#define AMP_PRIV_ELEMENT_TYPES_READY(T) AMP_PRIV_ELEMENT_TYPES(T, NULL)
#define AMP_PRIV_FOR_ELEMENTS(X)                                                                                       \
    X(int) X(float) X(double) X(int8_t) X(uint8_t) X(int16_t) X(uint16_t) X(int32_t) X(uint32_t) X(int64_t) X(uint64_t)
AMP_PRIV_FOR_ELEMENTS(AMP_PRIV_ELEMENT_TYPES_READY)

/* AMP_ARRAY_VIEW_TYPE(T, N): amp_array_view_T_N, where T or N may be a macro.
   AMP_CONST_ARRAY_VIEW_TYPE(T, N): amp_const_array_view_T_N, where T or N may be a macro.
   AMP_ARRAY_TYPE(T, N): amp_array_T_N, where T or N may be a macro.
   With `#define REAL float`, AMP_ARRAY_VIEW_TYPE(REAL, 2) is amp_array_view_float_2.
   T  an element type
   N  the rank
   Result: a type name.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: array_view<T, N> in a template. */
#define AMP_ARRAY_VIEW_TYPE(T, N)         AMP_PRIV_VIEW_NAME(amp_array_view_, T, N)
#define AMP_CONST_ARRAY_VIEW_TYPE(T, N)   AMP_PRIV_VIEW_NAME(amp_const_array_view_, T, N)
#define AMP_ARRAY_TYPE(T, N)              AMP_PRIV_VIEW_NAME(amp_array_, T, N)
#define AMP_PRIV_VIEW_NAME(prefix, T, N)  AMP_PRIV_VIEW_NAME_(prefix, T, N)
#define AMP_PRIV_VIEW_NAME_(prefix, T, N) prefix##T##_##N

/* // >>runtime: what the macros call. */

AMP_PRIV_API_COLD amp_priv_offset amp_priv_to_scratch_element(const amp_priv_head *head, int size);

AMP_PRIV_API bool amp_priv_host_access_slowly(const amp_priv_head *head, const char *call)
    AMP_PRIV_NEEDS(amp_priv_host_access_slowly);

#if defined(AMP_CHECKED)
AMP_PRIV_API bool amp_priv_host_access_at(const amp_priv_access *access, const amp_priv_head *head)
    AMP_PRIV_NEEDS(amp_priv_host_access_at);
AMP_PRIV_API void amp_priv_host_noted(const amp_priv_head *head);
#endif

/* // >>access
   AMP_AT(view, i, j): an element of a view or array by its indices.
   AMP_AT(view, index): an element of a view or array by an amp_indexN.
   On the host it synchronizes the view first: a view for reading and writing, a const view for reading. In a kernel
   it is a plain load or store. Only builds with AMP_CHECKED check bounds.
   view  the name of a view or array; evaluated more than once
   i, j  integers, one per dimension
   index  an amp_indexN of the view's rank
   Result: an lvalue of the element type; const for const views.
   Errors: on the host AMP_RUNTIME_ERROR for an array that the host cannot access, AMP_UNINITIALIZED_OBJECT; if the
   error handler returns, the access goes to a scratch element that is 0. A wrong number of indices, or one that is
   not an integer, does not compile. Blocking: on the host, until kernels that use the data have finished. Threads:
   as for C arrays. Cost: a multiplication per dimension but the last; on the host a check per access (see
   AMP_HOST_VIEW). Source: array_view::operator(), operator[]. */

/* On the host, `amp_priv_in_kernel` is 0 at file scope and not in the scope of a kernel body, so the test below
   costs nothing. In an AMP_FUNCTION it is 0 and the view's source decides: kernels pass AMP_PRIV_IN_KERNEL. */
enum { amp_priv_in_kernel = 0 };
enum { AMP_PRIV_REFUSED = 4 /* of amp_priv_in_kernel: the launch was reported, its body is silent */ };

/* Is all of the view's source, which has not ended, in the host's memory for what the view may do with it? */
static inline bool amp_priv_host_has(const amp_priv_head *head)
{
    const unsigned access = atomic_load_explicit(&((amp_priv_handle_slot *)head->source)->access,
                                                 memory_order_acquire); /* its first member */
    const unsigned state = access - head->stamp - AMP_PRIV_HOST_WRITES;
    return state <= (head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_HOST_READS - AMP_PRIV_HOST_WRITES : 0u);
}

/* An access of the host's that needs nothing more. */
static inline bool amp_priv_host_ready(const amp_priv_head *head)
{
    if (__builtin_expect(head->source == NULL, 0) || __builtin_expect(!amp_priv_host_has(head), 0))
        return false;
#if defined(AMP_CHECKED)
    amp_priv_host_noted(head);
#endif
    return true;
}

/* The head of a view that AMP_HOST_VIEW declares: its data are on the host, and accesses need no check. */
#if defined(AMP_CHECKED)
typedef amp_priv_head amp_priv_home;
#define AMP_PRIV_HOME_OF(head) head
#else
typedef struct amp_priv_home {
    char size_1;
} amp_priv_home;
#define AMP_PRIV_HOME_OF(head)                                                                                         \
    {                                                                                                                  \
        0                                                                                                              \
    }
#endif

/* The size of an element where AMP_AT stands on the host, 0 in a kernel and of an AMP_HOST_VIEW. */
#define AMP_PRIV_ELEMENT_SIZE(in_kernel, view)                                                                         \
    ((in_kernel) || sizeof (view).amp_priv == 1 ? 0 : (int)sizeof *(view).data)

/* What AMP_AT does first on the host. What takes longer is given a copy of the view, one of its rank: a view whose
   address is never given away stays in registers, and in an AMP_FUNCTION that a kernel calls this is gone. */
#define AMP_PRIV_BRING_HOME(access, head, VIEW)                                                                        \
    if (access.element_size && head->source != AMP_PRIV_IN_KERNEL && !amp_priv_host_ready(head)) {            \
        VIEW view;                                                                                                     \
        memcpy(&view, head, sizeof view);                                                                              \
        amp_priv_read_at(access.file, access.line);                                                                    \
        if (!AMP_PRIV_HOST_HAS(access, &view.amp_priv))                                                                \
            return amp_priv_to_scratch_element(&view.amp_priv, access.element_size);                          \
    }

#define AMP_AT(view, ...)                                                                                              \
    ((view).data[(AMP_PRIV_AT(AMP_PRIV_ACCESS(amp_priv_in_kernel, view), view, __VA_ARGS__)) +                         \
                 AMP_PRIV_HOST_OR_DEVICE(0 * (int)sizeof(__extension__({                                               \
        _Static_assert(AMP_PRIV_INDEX_FITS(view, __VA_ARGS__), "amp: AMP_AT(" #view                                    \
                       ", ...) takes one integer per dimension, or an amp_index of its rank");                         \
        0;                                                                                                             \
    })), "0")])

/* AMP_ELEMENT_POINTER(type): the type of the address of an element, in a kernel or an AMP_FUNCTION.
   AMP_ELEMENT_POINTER(float) p = &AMP_AT(view, i). On the host it is float *. Devices distinguish the memory of
   views from tile_static memory: see AMP_TILE_POINTER. Accesses through it are not checked.
   type  an element type; const float for const views
   Result: a type.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: float & of restrict(amp). */
#define AMP_ELEMENT_POINTER(type) AMP_PRIV_ELEMENT_POINTER(type)

/* amp_get_ref(view, i, j): the address of an element by its indices, without synchronizing.
   amp_get_ref(view, index): the address of an element by an amp_indexN, without synchronizing.
   For loops of the host after amp_array_view_synchronize.
   view  the name of a view or array; evaluated more than once
   i, j  integers, one per dimension
   index  an amp_indexN of the view's rank
   Result: a pointer to the element.
   Errors: a wrong number of indices does not compile. Blocking: no. Threads: as for C arrays. Cost: a multiplication
   per dimension but the last. Source: array_view::get_ref. */
#define amp_get_ref(view, ...)                                                                                         \
    AMP_PRIV_BODY_VALUE_IF(amp_priv_takes_elements_of, AMP_PRIV_IS_STRUCT_GIVEN(view),                                 \
                           AMP_PRIV_MSG_AT("amp_get_ref(" #view ", ...)"),                                             \
                           &(view).data[AMP_PRIV_AT(AMP_PRIV_ACCESS_UNCHECKED, view, __VA_ARGS__) +                    \
                                        0 * (int)sizeof(__extension__({                                                \
        _Static_assert(AMP_PRIV_INDEX_FITS(view, __VA_ARGS__), "amp: amp_get_ref(" #view                               \
                       ", ...) takes one integer per dimension, or an amp_index of its rank");                         \
        0;                                                                                                             \
    }))])
#define AMP_PRIV_MSG_AT(call) "amp: " call ": first a view or array, then its indices: AMP_AT(v, i, j)"
AMP_PRIV_ASKS(amp_priv_takes_elements_of, AMP_PRIV_MSG_AT("amp_get_ref"))

/* AMP_AT of a view of rank 1, by an int, in kernels of the library: a quarter as long in the object. */
#define AMP_PRIV_CELL(view, i)                                                                                         \
    ((view).data[(AMP_PRIV_HOST_OR_DEVICE(amp_priv_at_1, "amp_priv_at")(AMP_PRIV_ACCESS(amp_priv_in_kernel, view),     \
                                                                        &(view).amp_priv, (view).stride, (i))) + 0])

#define AMP_PRIV_AT(in_kernel, view, ...)                                                                              \
    AMP_PRIV_CAT(AMP_PRIV_AT_, AMP_PRIV_INDEXES(__VA_ARGS__))                                                          \
    (in_kernel, &(view).amp_priv, (view).stride, __VA_ARGS__)
/* How many there are, 1 to 12; with more it is MANY. Shorter than AMP_PRIV_COUNT: it is in every AMP_AT. */
#define AMP_PRIV_INDEXES(...)                                                                                          \
    AMP_PRIV_INDEXES_(__VA_ARGS__, MANY, MANY, MANY, MANY, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~)
#define AMP_PRIV_INDEXES_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, n, ...) n

/* One index: an amp_index, or an integer of any type where the rank is 1. */
#define AMP_PRIV_AT_1(in_kernel, head, view_stride, i)                                                                 \
    AMP_PRIV_HOST_OR_DEVICE(_Generic((i), AMP_PRIV_FOR_RANKS(AMP_PRIV_AT_INDEX, view_stride)                           \
                                     default: AMP_PRIV_AT_RANK(1, view_stride, AMP_PRIV_AT_INTEGER_OF(i))),            \
                            "amp_priv_at")                                                                             \
    (in_kernel, head, view_stride, (i))
#define AMP_PRIV_AT_INTEGER_OF(i)                                                                                      \
    _Generic((i), unsigned: amp_priv_at_unsigned, long: amp_priv_at_long, unsigned long: amp_priv_at_unsigned_long,    \
             long long: amp_priv_at_long_long, unsigned long long: amp_priv_at_unsigned_long_long,                     \
             default: amp_priv_at_1)
#define AMP_PRIV_AT_INDEX(N, view_stride) amp_index##N : AMP_PRIV_AT_RANK(N, view_stride, amp_priv_at_index##N),

/* Several. A cast alone would take a float, too: AMP_AT's assertion does not. */
#define AMP_PRIV_AT_2(in_kernel, head, view_stride, i, j)                                                              \
    AMP_PRIV_AT_SEVERAL(2, view_stride)(in_kernel, head, view_stride, (int)(i), (int)(j))
#define AMP_PRIV_AT_3(in_kernel, head, view_stride, i, j, k)                                                           \
    AMP_PRIV_AT_SEVERAL(3, view_stride)(in_kernel, head, view_stride, (int)(i), (int)(j), (int)(k))
#define AMP_PRIV_AT_MORE(N, in_kernel, head, view_stride, ...)                                                         \
    AMP_PRIV_AT_SEVERAL(N, view_stride)                                                                                \
    (in_kernel, head, view_stride AMP_PRIV_EACH(AMP_PRIV_AT_INT, ~, (__VA_ARGS__)))
#define AMP_PRIV_AT_4(...)    AMP_PRIV_AT_MORE(4, __VA_ARGS__)
#define AMP_PRIV_AT_5(...)    AMP_PRIV_AT_MORE(5, __VA_ARGS__)
#define AMP_PRIV_AT_6(...)    AMP_PRIV_AT_MORE(6, __VA_ARGS__)
#define AMP_PRIV_AT_7(...)    AMP_PRIV_AT_MORE(7, __VA_ARGS__)
#define AMP_PRIV_AT_8(...)    AMP_PRIV_AT_MORE(8, __VA_ARGS__)
#define AMP_PRIV_AT_9(...)    AMP_PRIV_AT_MORE(9, __VA_ARGS__)
#define AMP_PRIV_AT_10(...)   AMP_PRIV_AT_MORE(10, __VA_ARGS__)
#define AMP_PRIV_AT_11(...)   AMP_PRIV_AT_MORE(11, __VA_ARGS__)
#define AMP_PRIV_AT_12(...)   AMP_PRIV_AT_MORE(12, __VA_ARGS__)
#define AMP_PRIV_AT_MANY(...) 0
#define AMP_PRIV_AT_SEVERAL(N, view_stride)                                                                            \
    AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_AT_RANK(N, view_stride, amp_priv_at_##N), "amp_priv_at_" #N)
#define AMP_PRIV_AT_INT(n, A, i) , (int)(i)

/* Where the index does not fit, AMP_AT's assertion has said so, and nothing more is said. */
#define AMP_PRIV_AT_RANK(N, view_stride, function)                                                                     \
    _Generic((view_stride), amp_priv_stride##N: function, default: amp_priv_at_nothing)
static inline amp_priv_offset amp_priv_at_nothing(amp_priv_access access, const void *head, ...)
{
    (void)access, (void)head;
    return 0;
}
#define AMP_PRIV_INDEX_FITS(view, ...)                                                                                 \
    ((amp_priv_in_kernel & AMP_PRIV_REFUSED) ||                                                                        \
     sizeof (view).extent.v / sizeof(int) ==                                                                           \
         AMP_PRIV_CAT(AMP_PRIV_INDEXES_, AMP_PRIV_INDEXES(__VA_ARGS__))(__VA_ARGS__))
#define AMP_PRIV_INDEXES_1(i)                                                                                          \
    _Generic((i), AMP_PRIV_FOR_RANKS(AMP_PRIV_INDEX_RANK, ~) float : 0, double : 0, default : 1)
#define AMP_PRIV_INDEX_RANK(N, unused) amp_index##N : N,
/* Of several, their sum is an integer. */
#define AMP_PRIV_INDEXES_2(i, j)    (2 * (__builtin_classify_type((i) + (j)) == 1))
#define AMP_PRIV_INDEXES_3(i, j, k) (3 * (__builtin_classify_type((i) + (j) + (k)) == 1))
#define AMP_PRIV_INDEXES_4(...)     AMP_PRIV_INDEXES_MORE(4, __VA_ARGS__)
#define AMP_PRIV_INDEXES_5(...)     AMP_PRIV_INDEXES_MORE(5, __VA_ARGS__)
#define AMP_PRIV_INDEXES_6(...)     AMP_PRIV_INDEXES_MORE(6, __VA_ARGS__)
#define AMP_PRIV_INDEXES_7(...)     AMP_PRIV_INDEXES_MORE(7, __VA_ARGS__)
#define AMP_PRIV_INDEXES_8(...)     AMP_PRIV_INDEXES_MORE(8, __VA_ARGS__)
#define AMP_PRIV_INDEXES_9(...)     AMP_PRIV_INDEXES_MORE(9, __VA_ARGS__)
#define AMP_PRIV_INDEXES_10(...)    AMP_PRIV_INDEXES_MORE(10, __VA_ARGS__)
#define AMP_PRIV_INDEXES_11(...)    AMP_PRIV_INDEXES_MORE(11, __VA_ARGS__)
#define AMP_PRIV_INDEXES_12(...)    AMP_PRIV_INDEXES_MORE(12, __VA_ARGS__)
#define AMP_PRIV_INDEXES_MANY(...)  0
#define AMP_PRIV_INDEXES_MORE(N, ...)                                                                                  \
    (N * (__builtin_classify_type(0 AMP_PRIV_EACH(AMP_PRIV_PLUS, ~, (__VA_ARGS__))) == 1))
#define AMP_PRIV_PLUS(n, A, i) +(i)

/* What a kernel's text says on the device: the offset, nothing else. In checked builds: amp/api/checked_kernel.h. */
#if !defined(AMP_CHECKED)
#define AMP_PRIV_DEVICE_AT(N, parameters, names, components)                                                           \
    "\n#define amp_priv_at_" #N "(in_kernel, head, stride, " names ") amp_priv_offset_" #N "(stride, " names ")\n"
#endif

/* The device's meaning of the text that AMP_AT leaves in a kernel: no head, no synchronization. */
#if AMP_PRIV_IMPLEMENTS
#define AMP_PRIV_AT_TEXT(N, ...) __attribute__((unused)) static const char amp_priv_text_at##N[] = __VA_ARGS__;
#else
#define AMP_PRIV_AT_TEXT(N, ...)
#endif

/* The offset of element (i, j, ...): one text for host and device. */
#define AMP_PRIV_OFFSET(N, unused)                                                                                     \
    AMP_PRIV_OFFSET_(N, amp_priv_stride##N, amp_index##N,                                                              \
                     AMP_PRIV_EACH(AMP_PRIV_AT_PARAMETER, N, (AMP_PRIV_LETTERS_##N)),                                  \
                     0 AMP_PRIV_EACH(AMP_PRIV_AT_TERM, N, (AMP_PRIV_LETTERS_##N)), AMP_PRIV_LETTERS_##N,               \
                     AMP_PRIV_EACH(AMP_PRIV_AT_COMPONENT, N, (AMP_PRIV_LETTERS_##N)))
#define AMP_PRIV_OFFSET_(N, STRIDE, INDEX, parameters, sum, names, components)                                         \
    AMP_PRIV_SHARED(                                                                                                   \
            offset##N,                                                                                                 \
            static inline amp_priv_offset amp_priv_offset_##N(STRIDE stride parameters) {                              \
                (void)stride;                                                                                          \
                return sum;                                                                                            \
            } static inline amp_priv_offset amp_priv_offset_index##N(STRIDE stride, INDEX index) {                     \
                return amp_priv_offset_##N(stride components);                                                         \
            });                                                                                                        \
    AMP_PRIV_AT_TEXT(N, AMP_PRIV_DEVICE_AT(N, AMP_PRIV_TEXT(parameters), AMP_PRIV_TEXT(names),                         \
                                           AMP_PRIV_TEXT(components)))                                                 \
    /* The host's. Where it is checked, the offset comes first: a compiler takes its products out of loops then. */    \
    AMP_PRIV_AT_FUNCTION amp_priv_offset amp_priv_at_##N(amp_priv_access access, const void *object,              \
                                                        STRIDE stride parameters)                                      \
    {                                                                                                                  \
        const amp_priv_head *const head = object;                                                                      \
        AMP_PRIV_BRING_HOME(access, head, amp_array_view_int_##N)                                                      \
        amp_priv_offset offset = amp_priv_offset_##N(stride, names);                                                   \
        AMP_PRIV_CHECK_INDEX_OF(access, head, N, offset, names)                                                        \
        return offset;                                                                                                 \
    }                                                                                                                  \
    AMP_PRIV_AT_FUNCTION amp_priv_offset amp_priv_at_index##N(amp_priv_access access, const void *object,         \
                                                             STRIDE stride, INDEX index)                               \
    {                                                                                                                  \
        return amp_priv_at_##N(access, object, stride components);                                                     \
    }

/* Of each index: its parameter, its component in an amp_index, its term of the offset (the last stride is 1). */
#define AMP_PRIV_AT_PARAMETER(n, N, i) , int i
#define AMP_PRIV_AT_COMPONENT(n, N, i) , index.v[N - n]
#define AMP_PRIV_AT_TERM(n, N, i)      +(n == 1 ? 1 : stride.v[N - n]) * i
#define AMP_PRIV_LETTERS_1             i
#define AMP_PRIV_LETTERS_2             i, j
#define AMP_PRIV_LETTERS_3             i, j, k
#define AMP_PRIV_LETTERS_4             i, j, k, l
#define AMP_PRIV_LETTERS_5             i, j, k, l, m
#define AMP_PRIV_LETTERS_6             i, j, k, l, m, n
#define AMP_PRIV_LETTERS_7             i, j, k, l, m, n, o
#define AMP_PRIV_LETTERS_8             i, j, k, l, m, n, o, p
#define AMP_PRIV_LETTERS_9             i, j, k, l, m, n, o, p, q
#define AMP_PRIV_LETTERS_10            i, j, k, l, m, n, o, p, q, r
#define AMP_PRIV_LETTERS_11            i, j, k, l, m, n, o, p, q, r, s
#define AMP_PRIV_LETTERS_12            i, j, k, l, m, n, o, p, q, r, s, t
AMP_PRIV_LONG_STRINGS_BEGIN
AMP_PRIV_FOR_RANKS(AMP_PRIV_OFFSET, ~)
AMP_PRIV_LONG_STRINGS_END

/* One index of another integer type than int, so that a size_t in a user's loop is no conversion to warn of. */
#define AMP_PRIV_AT_INTEGER(name, type, given)                                                                         \
    AMP_PRIV_AT_FUNCTION amp_priv_offset amp_priv_at_##name(amp_priv_access access, const void *object,           \
                                                           amp_priv_stride1 stride, type i)                            \
    {                                                                                                                  \
        const amp_priv_head *const head = object;                                                                      \
        (void)stride;                                                                                                  \
        AMP_PRIV_BRING_HOME(access, head, amp_array_view_int_1)                                                        \
        amp_priv_offset offset = (amp_priv_offset)i;                                                                   \
        AMP_PRIV_CHECK_INDEX_OF(access, head, 1, offset, given)                                                        \
        return offset;                                                                                                 \
    }
AMP_PRIV_AT_INTEGER(unsigned, unsigned, i)
AMP_PRIV_AT_INTEGER(long, long, i)
AMP_PRIV_AT_INTEGER(unsigned_long, unsigned long, amp_priv_clamped(i))
AMP_PRIV_AT_INTEGER(long_long, long long, i)
AMP_PRIV_AT_INTEGER(unsigned_long_long, unsigned long long, amp_priv_clamped(i))

#endif /* AMP_API_ELEMENT_H */
