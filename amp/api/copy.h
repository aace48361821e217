/* SPDX-License-Identifier: MIT */
/*  amp/api/copy.h - copies between views, arrays and host memory */
#ifndef AMP_API_COPY_H
#define AMP_API_COPY_H

#include "array_view.h"
#include "future.h"

/* amp_copy(source, destination): copies all elements of a view or array to another one.
   amp_copy_in(pointer, count, destination): copies from host memory, row-major.
   amp_copy_in(pointer, destination): copies from host memory without a check of the count.
   amp_copy_out(source, pointer, count): copies to host memory, row-major.
   amp_copy_out(source, pointer): copies to host memory without a check of the count.
   If a view uses the host memory, amp_copy_out first copies pending device changes back, and amp_copy_in is refused
   while there are any.
   source, destination  views or arrays of one element type, rank and extent; the destination is not const
   pointer  the first element in host memory
   count  a number of elements at the pointer, as many as the extent has
   Result: amp_status.
   Errors: AMP_INVALID_ARGUMENT (extents or counts that differ, NULL, overlapping parts of one source),
   AMP_RUNTIME_ERROR (pending changes),
   AMP_UNINITIALIZED_OBJECT, those of the transfer. Another element type or rank, and a const destination, do not
   compile. Blocking: until host memory is written or read; no within a device. Threads: any. Cost: one transfer if
   the newest contents are on another device than the destination; none within a device. Source: copy, copy_to. */

/* amp_copy_async(source, destination): starts to copy all elements of a view or array to another one.
   amp_copy_in_async(pointer, count, destination), amp_copy_in_async(pointer, destination): starts to copy from host
   memory.
   amp_copy_out_async(source, pointer, count), amp_copy_out_async(source, pointer): starts to copy to host memory.
   Sources, destinations and host memory must live until the copy is done. Later calls on the same views and arrays
   wait for it.
   source, destination  as for amp_copy
   pointer  the first element in host memory
   count  as for amp_copy
   Result: amp_future, to be released; all zero after an error that is found at once.
   Errors: those of amp_copy; those of the transfer by amp_future_get. Blocking: no. Threads: any. Cost: as amp_copy.
   Source: copy_async. See: amp_future_wait, amp_copy */
#define amp_copy(source, destination)                                                                                  \
    (AMP_PRIV_COPY_TAKES("amp_copy", source, destination),                                                             \
      AMP_PRIV_VALUE_IF(AMP_PRIV_ARE_VIEWS(source, destination),                                                       \
          AMP_PRIV_COPY_FITS("amp_copy", source, destination), AMP_PRIV_READ_HERE,                                     \
          amp_priv_copy("amp_copy", AMP_PRIV_HEAD(source), AMP_PRIV_HEAD(destination), NULL)))
#define amp_copy_async(source, destination)                                                                            \
    (AMP_PRIV_COPY_TAKES("amp_copy_async", source, destination),                                                       \
      AMP_PRIV_VALUE_IF(AMP_PRIV_ARE_VIEWS(source, destination),                                                       \
          AMP_PRIV_COPY_FITS("amp_copy_async", source, destination),                                                   \
          amp_priv_copy_async("amp_copy_async", AMP_PRIV_HEAD(source), AMP_PRIV_HEAD(destination))))
#define amp_copy_in(...)                                                                                               \
    AMP_PRIV_CAT(AMP_PRIV_COPY_IN_, AMP_PRIV_COUNT(__VA_ARGS__))(amp_priv_copy_in, , "amp_copy_in", __VA_ARGS__)
#define amp_copy_in_async(...)                                                                                         \
    AMP_PRIV_CAT(AMP_PRIV_COPY_IN_, AMP_PRIV_COUNT(__VA_ARGS__))                                                       \
    (amp_priv_copy_in_async, _async, "amp_copy_in_async", __VA_ARGS__)
#define amp_copy_out(...)                                                                                              \
    AMP_PRIV_CAT(AMP_PRIV_COPY_OUT_, AMP_PRIV_COUNT(__VA_ARGS__))(amp_priv_copy_out, , "amp_copy_out", __VA_ARGS__)
#define amp_copy_out_async(...)                                                                                        \
    AMP_PRIV_CAT(AMP_PRIV_COPY_OUT_, AMP_PRIV_COUNT(__VA_ARGS__))                                                      \
    (amp_priv_copy_out_async, _async, "amp_copy_out_async", __VA_ARGS__)

#define AMP_PRIV_COPY_TAKES(call, source, destination)                                                                 \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(source) amp_priv_from;                                                                      \
        typedef __typeof__(destination) amp_priv_to;                                                                   \
        AMP_PRIV_ASK(amp_priv_copies, AMP_PRIV_ARE_VIEWS(*(amp_priv_from *)0, *(amp_priv_to *)0),                      \
                     AMP_PRIV_MSG_COPY(call))                                                                          \
        0;                                                                                                             \
    }))
#define AMP_PRIV_MSG_COPY(call)                                                                                        \
    "amp: " call "(source, destination) takes views and arrays, not their addresses; plain memory is copied by "       \
    "amp_copy_in and amp_copy_out"
AMP_PRIV_ASKS(amp_priv_copies, AMP_PRIV_MSG_COPY("amp_copy"))
#define AMP_PRIV_COPY_FITS(call, source, destination)                                                                  \
    AMP_PRIV_REQUIRE(AMP_PRIV_SAME(AMP_PRIV_ELEMENT_OF(source), AMP_PRIV_ELEMENT_OF(destination)),                     \
                     "amp: " call "(source, destination): they must have the same element type; AMP_REINTERPRET_AS "   \
                     "changes one"),                                                                                   \
            AMP_PRIV_REQUIRE(AMP_PRIV_RANK_OF(source) == AMP_PRIV_RANK_OF(destination),                                \
                             "amp: " call "(source, destination): they must have the same rank; AMP_VIEW_AS "          \
                             "changes one"),                                                                           \
            AMP_PRIV_COPY_WRITABLE(call, destination)
#define AMP_PRIV_COPY_WRITABLE(call, destination)                                                                      \
    AMP_PRIV_REQUIRE(!AMP_PRIV_IS_CONST(destination), "amp: " call ": the destination is a const view")
#define AMP_PRIV_COPY_IN_2(function, async, call, pointer, destination)                                                \
    AMP_PRIV_COPY_IN_3(function, async, call, pointer, AMP_PRIV_COPY_ROOM(pointer), destination)
#define AMP_PRIV_COPY_IN_3(function, async, call, pointer, count, destination)                                         \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(destination) amp_priv_given;                                                                \
        typedef __typeof__(pointer) amp_priv_memory;                                                                   \
        _Static_assert(AMP_PRIV_IS_ORDERED(*(amp_priv_given *)0, *(amp_priv_memory *)0),                               \
                       AMP_PRIV_MSG_ORDERED(call "(p, count, v)"));                                                    \
        0;                                                                                                             \
    }),                                                                                                                \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_ORDERED(destination, pointer),                                                     \
          AMP_PRIV_COPY_WRITABLE(call, AMP_PRIV_VIEW_GIVEN(destination)),                                              \
          function(call, AMP_PRIV_MEMORY_OF(const, AMP_PRIV_VIEW_GIVEN(destination), pointer), (size_t)(count),        \
                   AMP_PRIV_HEAD(AMP_PRIV_VIEW_GIVEN(destination)) AMP_PRIV_COPY_LATER##async)))
#define AMP_PRIV_COPY_OUT_2(function, async, call, source, pointer)                                                    \
    AMP_PRIV_COPY_OUT_3(function, async, call, source, pointer, AMP_PRIV_COPY_ROOM(pointer))
#define AMP_PRIV_COPY_OUT_3(function, async, call, source, pointer, count)                                             \
    ((void)__extension__({                                                                                             \
        typedef __typeof__(source) amp_priv_given;                                                                     \
        typedef __typeof__(pointer) amp_priv_memory;                                                                   \
        _Static_assert(AMP_PRIV_IS_ORDERED(*(amp_priv_given *)0, *(amp_priv_memory *)0),                               \
                       AMP_PRIV_MSG_ORDERED(call "(v, p, count)"));                                                    \
        0;                                                                                                             \
    }),                                                                                                                \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_ORDERED(source, pointer), AMP_PRIV_READ_HERE,                                      \
          function(call, AMP_PRIV_HEAD(AMP_PRIV_VIEW_GIVEN(source)),                                                   \
                   AMP_PRIV_MEMORY_OF(, AMP_PRIV_VIEW_GIVEN(source), pointer),                                         \
                   (size_t)(count)AMP_PRIV_COPY_LATER##async)))
/* Without a count: how many bytes there are at most, where the compiler knows, above AMP_PRIV_ROOM. */
#define AMP_PRIV_ROOM ((size_t)-1 / 2)
#define AMP_PRIV_COPY_ROOM(pointer)                                                                                    \
    (__builtin_object_size(AMP_PRIV_MEMORY_GIVEN(pointer), 0) < AMP_PRIV_ROOM                                          \
         ? AMP_PRIV_ROOM + __builtin_object_size(AMP_PRIV_MEMORY_GIVEN(pointer), 0)                                    \
         : AMP_UNCHECKED)
/* Something fitting stands for what stands in the other's place: clang shows what else is wrong there. */
#define AMP_PRIV_MSG_ORDERED(call)      "amp: " call ": p is memory of the host, and v a view or array by value"
#define AMP_PRIV_IS_ORDERED(v, pointer) (AMP_PRIV_IS_STRUCT_GIVEN(v) && AMP_PRIV_IS_POINTER(pointer))
#define AMP_PRIV_VIEW_GIVEN(v)          __builtin_choose_expr(AMP_PRIV_IS_STRUCT_GIVEN(v), v, AMP_PRIV_ANY_VIEW)
#define AMP_PRIV_MEMORY_GIVEN(pointer)  __builtin_choose_expr(AMP_PRIV_IS_POINTER(pointer), pointer, (void *)0)
#define AMP_PRIV_COPY_LATER             , NULL
#define AMP_PRIV_COPY_LATER_async
/* A pointer to what the elements of a view or array are, which the copy writes, or reads as CONST. */
#define AMP_PRIV_MEMORY_OF(CONST, v, pointer)                                                                          \
    (*(CONST __typeof__(*(*(v).amp_priv_view).data) *[1]){                                                             \
      _Generic(AMP_PRIV_ADDRESSES(__typeof__(*(*(v).amp_priv_view).data), AMP_PRIV_MEMORY_GIVEN(pointer))) })

/* amp_read(v, i, j): the value of one element, on the host, without copying the rest of the view.
   amp_read(v, index): the value of one element by an amp_indexN.
   amp_write(value, v, i, j): writes one element, without copying the rest of the view.
   amp_write(value, v, index): writes one element by an amp_indexN.
   For single elements of large views. AMP_AT on the host copies the whole view, once, and is faster where many
   elements are used.
   v  a view or array; not const for amp_write
   i, j  integers, one per dimension
   index  an amp_indexN of the view's rank
   value  is converted to the element type
   Result: the element's value, zero after an error; of amp_write amp_status.
   Errors: AMP_INVALID_ARGUMENT (an index outside of the view), AMP_UNINITIALIZED_OBJECT, those of the transfer. A wrong
   number of indices, a kernel's body, and a const view to amp_write, do not compile. Blocking: until kernels that write
   the view have finished. Threads: any. Cost: amp_read: a transfer of one element, if its newest value is on a device;
   amp_write: the same at the next launch that uses it there. Source: array_view::operator() on the host. See: AMP_AT,
   amp_copy_out */
#define amp_read(view, ...)                                                                                            \
    (AMP_PRIV_REQUIRE_ELEMENT("amp_read(" #view ", ...)", view),                                                       \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_STRUCT_GIVEN(view) && AMP_PRIV_ARE_DECLARED(__VA_ARGS__),                          \
          AMP_PRIV_REQUIRE_PLACE("amp_read(" #view ", ...)", view, __VA_ARGS__),                                       \
          AMP_PRIV_READ(view, AMP_PRIV_ARGUMENTS(__VA_ARGS__))))
#define amp_write(value, view, ...)                                                                                    \
    (AMP_PRIV_REQUIRE_ELEMENT("amp_write(" #value ", " #view ", ...)", view),                                          \
      AMP_PRIV_VALUE_IF(AMP_PRIV_IS_STRUCT_GIVEN(view) && AMP_PRIV_ARE_DECLARED(__VA_ARGS__),                          \
          AMP_PRIV_REQUIRE_PLACE("amp_write(" #value ", " #view ", ...)", view, __VA_ARGS__),                          \
          AMP_PRIV_COPY_WRITABLE("amp_write", view), AMP_PRIV_WRITE(value, view, AMP_PRIV_ARGUMENTS(__VA_ARGS__))))
#define AMP_PRIV_READ(view, index)                                                                                     \
    *(AMP_PRIV_PLAIN_OF(view) *)amp_priv_read((AMP_PRIV_PLAIN_OF(view)[1]){ 0 }, AMP_PRIV_HEAD(view), index)
#if defined(AMP_CHECKED) /* a fraction that an integer loses is warned of */
#define AMP_PRIV_WRITE(value, view, index)                                                                             \
    __extension__({                                                                                                    \
        const __typeof__(AMP_PRIV_IF_CUT(AMP_PRIV_PLAIN_OF(view), value, value, 0)) amp_priv_given_value =             \
            AMP_PRIV_IF_CUT(AMP_PRIV_PLAIN_OF(view), value, value, 0);                                                 \
        amp_priv_write_looked((AMP_PRIV_PLAIN_OF(view)[1]){ AMP_PRIV_IF_CUT(                                           \
                                  AMP_PRIV_PLAIN_OF(view), value,                                                      \
                                  (AMP_PRIV_CUT_TYPE(AMP_PRIV_PLAIN_OF(view), value))amp_priv_given_value, value) },   \
                              AMP_PRIV_HEAD(view), index, (double)amp_priv_given_value,                                \
                              (double)(AMP_PRIV_CUT_TYPE(AMP_PRIV_PLAIN_OF(view), value))amp_priv_given_value,         \
                              #value, __FILE__, __LINE__);                                                             \
    })
AMP_PRIV_API amp_status amp_priv_write_looked(const void *value, const amp_priv_head *destination,
                                              const amp_priv_argument *index, double given, double kept,
                                              const char *spelled, const char *file, int line);
#else
#define AMP_PRIV_WRITE(value, view, index)                                                                             \
    amp_priv_write((AMP_PRIV_PLAIN_OF(view)[1]){ value }, AMP_PRIV_HEAD(view), index)
#endif
/* Is the value a floating-point number, and T an integer? Then `is`, else `other`. */
#define AMP_PRIV_IS_CUT(T, value)                                                                                      \
    (AMP_PRIV_IS_INTEGER(*(T *)0) &&                                                                                   \
     _Generic((value), float : 1, const float : 1, double : 1, const double : 1, default : 0))
#define AMP_PRIV_CUT_TYPE(T, value)          __typeof__(AMP_PRIV_IF_CUT(T, value, *(T *)0, 0))
#define AMP_PRIV_IF_CUT(T, value, is, other) __builtin_choose_expr(AMP_PRIV_IS_CUT(T, value), is, other)
#define AMP_PRIV_PLAIN_OF(view)              __typeof__(*(*(view).amp_priv_view).data) /* without a const */
#define AMP_PRIV_REQUIRE_ELEMENT(call, view)                                                                           \
    AMP_PRIV_REQUIRE(!amp_priv_in_kernel, "amp: " call " in the body of a kernel: an element is AMP_AT(v, i) there"),  \
            AMP_PRIV_ASK_KIND(amp_priv_takes_element_of, AMP_PRIV_IS_STRUCT_GIVEN, view, AMP_PRIV_MSG_ELEMENT_OF(call))
#define AMP_PRIV_MSG_ELEMENT_OF(call)                                                                                  \
    "amp: " call ": v is a view or array; the value of amp_write goes before it, amp_write(value, v, i)"
AMP_PRIV_ASKS(amp_priv_takes_element_of, AMP_PRIV_MSG_ELEMENT_OF("amp_read, amp_write"))
#define AMP_PRIV_REQUIRE_PLACE(call, view, ...)                                                                        \
    AMP_PRIV_REQUIRE(AMP_PRIV_INDEX_FITS(view, __VA_ARGS__),                                                           \
                     "amp: " call " takes one integer per dimension, or an amp_index of its rank")

/* amp_array_view_synchronize_async(v), amp_array_view_synchronize_async(v, access): starts
   amp_array_view_synchronize.
   amp_array_view_synchronize_to_async(v, view), amp_array_view_synchronize_to_async(v, view, access): starts
   amp_array_view_synchronize_to.
   The view's memory must live until the operation is done.
   v  the address of a view
   access  amp_access_type, as without _async
   view  amp_accelerator_view
   Result: amp_future, to be released; all zero after an error that is found at once.
   Errors: as without _async; those of the transfer by amp_future_get. Blocking: no. Threads: any. Cost: as without
   _async. Source: array_view::synchronize_async, synchronize_to_async. See: amp_array_view_synchronize,
   amp_future_wait */
#define amp_array_view_synchronize_async(...)                                                                          \
    AMP_PRIV_SYNCHRONIZE_ASYNC(AMP_PRIV_FIRST(__VA_ARGS__, ~), AMP_PRIV_SECOND(__VA_ARGS__, AMP_ACCESS_READ, ~))
#define AMP_PRIV_SYNCHRONIZE_ASYNC(view, access)                                                                       \
    amp_priv_synchronize_later(AMP_PRIV_HEAD_AT("amp_array_view_synchronize_async", view), access,                     \
                               "amp_array_view_synchronize_async")
#define amp_array_view_synchronize_to_async(view, ...)                                                                 \
    AMP_PRIV_SYNCHRONIZE_TO_ASYNC(AMP_PRIV_HEAD_AT("amp_array_view_synchronize_to_async", view),                       \
                                  __VA_ARGS__, AMP_ACCESS_READ, ~)
#define AMP_PRIV_SYNCHRONIZE_TO_ASYNC(head, view, access, ...) amp_priv_synchronize_to_later(head, view, access)

/* amp_array_copy(a): makes another array with the same contents in the same place.
   amp_array_from(v, view): makes an array on an accelerator view with the contents of a view or array.
   a  an array
   v  a view or array
   view  amp_accelerator_view; {0} is the default accelerator
   Result: an array, to be released; all zero after an error.
   Errors: those of amp_array_T_N_create and of amp_copy. Blocking: as amp_copy. Threads: any. Cost: an allocation
   and a copy. Source: array(const array &), array(array_view). */
#define amp_array_copy(array)                                                                                          \
    (*AMP_PRIV_OF_VIEW("amp_array_copy", array,                                                                        \
                       &AMP_PRIV_NEW(__typeof__(*(array).amp_priv_array), amp_priv_array_from, AMP_PRIV_HEAD(array),   \
                                     NULL, "amp_array_copy(%s, %d)")))
#define amp_array_from(source, view)                                                                                   \
    AMP_PRIV_BODY_VALUE_IF(amp_priv_copies_from, AMP_PRIV_IS_STRUCT(source) && AMP_PRIV_IS_LIKE_VIEW(source) &&        \
                                                     !AMP_PRIV_IS_LIKE_VIEW(view),                                     \
                           AMP_PRIV_MSG_ARRAY_FROM("amp_array_from(" #source ", " #view ")"),                          \
                           AMP_PRIV_NEW(__typeof__(*(source).amp_priv_array), amp_priv_array_from,                     \
                                        AMP_PRIV_HEAD(source), (const amp_accelerator_view[1]){view},                  \
                                        "amp_array_from(%s, %d)"))
#define AMP_PRIV_MSG_ARRAY_FROM(call)                                                                                  \
    "amp: " call ": first a view or array, then an accelerator view: amp_array_from(v, other)"
AMP_PRIV_ASKS(amp_priv_copies_from, AMP_PRIV_MSG_ARRAY_FROM("amp_array_from"))
AMP_PRIV_API void *amp_priv_array_from(void *out, const amp_priv_head *source, const amp_accelerator_view *view,
                                       const char *call_format);

/* // >>runtime: what the macros call. */

AMP_PRIV_API amp_status amp_priv_copy(const char *call, const amp_priv_head *source, const amp_priv_head *destination,
                                      amp_future *later) AMP_PRIV_NEEDS(amp_priv_copy);

AMP_PRIV_API amp_status amp_priv_copy_in(const char *call, const void *data, size_t count,
                                         const amp_priv_head *destination, amp_future *later)
    AMP_PRIV_NEEDS(amp_priv_copy_in);

AMP_PRIV_API amp_status amp_priv_copy_out(const char *call, const amp_priv_head *source, void *data, size_t count,
                                          amp_future *later) AMP_PRIV_NEEDS(amp_priv_copy_out);

AMP_PRIV_API void *amp_priv_read(void *value, const amp_priv_head *source, const amp_priv_argument *index);

AMP_PRIV_API amp_status amp_priv_write(const void *value, const amp_priv_head *destination,
                                       const amp_priv_argument *index);

AMP_PRIV_API amp_future amp_priv_copy_async(const char *call, const amp_priv_head *source,
                                            const amp_priv_head *destination);

AMP_PRIV_API amp_future amp_priv_copy_in_async(const char *call, const void *data, size_t count,
                                               const amp_priv_head *destination);

AMP_PRIV_API amp_future amp_priv_copy_out_async(const char *call, const amp_priv_head *source, void *data,
                                                size_t count);

AMP_PRIV_API amp_future amp_priv_synchronize_later(const amp_priv_head *head, amp_access_type access, const char *call);

AMP_PRIV_API amp_future amp_priv_synchronize_to_later(const amp_priv_head *head, amp_accelerator_view view,
                                                      amp_access_type access);

#endif /* AMP_API_COPY_H */
