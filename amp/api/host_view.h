/* SPDX-License-Identifier: MIT */
/*  amp/api/host_view.h - views for loops on the host */
#ifndef AMP_API_HOST_VIEW_H
#define AMP_API_HOST_VIEW_H

#include "array_view.h"

/* clang-format off */

/* AMP_HOST_VIEW(h, v): declares h, a view for loops on the host: the data are copied to the host once.
   AMP_AT(h, i, j) costs what an access through a pointer does. h is for AMP_AT, amp_get_ref, h.extent and h.data. It
   is valid until a kernel, a copy or the end of a scope takes the data: then declare another one.
   h  the name to declare
   v  a view or array; an expression, evaluated once
   Result: none; a declaration.
   Errors: those of AMP_AT; if the error handler returns, the elements of h are scratch elements that are 0. Checked
   builds check every access. Blocking: until kernels that use the data have finished. Threads: as for C arrays.
   Cost: one transfer. Source: array_view::data and arithmetic. */
#define AMP_HOST_VIEW(h, ...)                                                                                          \
    AMP_PRIV_ASK(amp_priv_takes_host_view, AMP_PRIV_IS_NAME(#h) && sizeof #__VA_ARGS__ > 1,                            \
                 AMP_PRIV_MSG_HOST_VIEW("AMP_HOST_VIEW(" #h ", " #__VA_ARGS__ ")"))                                    \
    AMP_PRIV_ASK(amp_priv_takes_host_view, !AMP_PRIV_IS_TYPE(h) || AMP_PRIV_LACKS(#__VA_ARGS__, ","),                  \
                 AMP_PRIV_MSG_HOST_VIEW("AMP_HOST_VIEW(" #h ", " #__VA_ARGS__ ")"))                                    \
    typedef __typeof__(__VA_ARGS__) AMP_PRIV_VIEWED_TYPE(h); /* int of what is not declared */                         \
    AMP_PRIV_ASK(amp_priv_takes_host_view, AMP_PRIV_IS_STRUCT_GIVEN(*(AMP_PRIV_VIEWED_TYPE(h) *)0),                    \
                 AMP_PRIV_MSG_HOST_VIEW("AMP_HOST_VIEW(" #h ", " #__VA_ARGS__ ")"))                                    \
    AMP_PRIV_CAT(AMP_PRIV_HOST_VIEW_, AMP_PRIV_IS_WORD_OF_C(h))                                                        \
    (h, "AMP_HOST_VIEW(" #h ", " #__VA_ARGS__ ")", __VA_ARGS__)
#define AMP_PRIV_HOST_VIEW_1(...) (void)0
#define AMP_PRIV_HOST_VIEW_0(h, call, ...)                                                                             \
    AMP_PRIV_VIEW_TYPE_GIVEN(__typeof__(((void)0, *(AMP_PRIV_VIEWED_TYPE(h) *)0))) AMP_PRIV_VIEWED(h) =                \
        __builtin_choose_expr(AMP_PRIV_IS_STRUCT_GIVEN(*(AMP_PRIV_VIEWED_TYPE(h) *)0), (__VA_ARGS__),                  \
                              (amp_array_view_int_1){ .data = NULL });                                                 \
    const struct {                                                                                                     \
        amp_priv_home amp_priv;                                                                                        \
        __typeof__(AMP_PRIV_VIEWED(h).data) data;                                                                      \
        __typeof__(AMP_PRIV_VIEWED(h).extent) extent;                                                                  \
        __typeof__(AMP_PRIV_VIEWED(h).stride) stride;                                                                  \
    } h = {AMP_PRIV_HOME_OF(AMP_PRIV_VIEWED(h).amp_priv),                                                              \
           (AMP_PRIV_READ_HERE,                                                                                        \
            (__typeof__(AMP_PRIV_VIEWED(h).data))amp_priv_host_data(&AMP_PRIV_VIEWED(h).amp_priv, call)),              \
           AMP_PRIV_VIEWED(h).extent, AMP_PRIV_VIEWED(h).stride};                                                      \
    (void)h
#define AMP_PRIV_MSG_HOST_VIEW(call)                                                                                   \
    "amp: " call ": the name to declare, then a view, without type and rank: AMP_HOST_VIEW(h, v)"
AMP_PRIV_ASKS(amp_priv_takes_host_view, AMP_PRIV_MSG_HOST_VIEW("AMP_HOST_VIEW"))
#define AMP_PRIV_VIEWED_TYPE(h) AMP_PRIV_CAT(amp_priv_type_viewed_as_, h)
#define AMP_PRIV_VIEWED(h)      AMP_PRIV_CAT(amp_priv_viewed_as_, h)
AMP_PRIV_API void *amp_priv_host_data(const amp_priv_head *head, const char *call);

/* clang-format on */

#endif /* AMP_API_HOST_VIEW_H */
