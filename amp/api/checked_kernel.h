/* SPDX-License-Identifier: MIT */
/*  amp/api/checked_kernel.h - checked builds: what AMP_AT and AMP_ASSERT check

    Contents (search for the tag):
        >>access  >>visit  >>fault  >>runtime */
#ifndef AMP_API_CHECKED_KERNEL_H
#define AMP_API_CHECKED_KERNEL_H

#include "records.h"
#include "dialect.h"

/* AMP_PRIV_FIBERS: the thread sanitizer looks for races between the threads of a tile (amp/checked/debug.h).
   AMP_PRIV_NO_TSAN: of functions whose accesses are ours, not the kernel's. */
#if defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__SANITIZE_THREAD__)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_NO_TSAN __attribute__((unused, noinline, no_sanitize("thread"))) static
#elif defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__clang__)
#if __has_feature(thread_sanitizer) && __has_attribute(disable_sanitizer_instrumentation)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_NO_TSAN __attribute__((unused, noinline, disable_sanitizer_instrumentation)) static
#endif
#endif
#if !defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_NO_TSAN static inline
#endif

/* // >>access: where an access by AMP_AT is. */

typedef struct amp_priv_access {
    int element_size; /* 0: in a kernel */
    const char *view, *file;
    int line;
    const int *extent; /* NULL: not checked (amp_get_ref) */
} amp_priv_access;

#define AMP_PRIV_ACCESS(in_kernel, view)                                                                               \
    AMP_PRIV_HOST_OR_DEVICE(((amp_priv_access){ AMP_PRIV_ELEMENT_SIZE(in_kernel, view), __extension__ #view, __FILE__, \
                                                __LINE__, (view).extent.v }),                                          \
                            "0")
#define AMP_PRIV_ACCESS_UNCHECKED ((amp_priv_access){ 0, NULL, NULL, 0, NULL })
/* What functions get that know an access: no address of a part of the view, else clang loads the view again at each
   access of a kernel (a stencil takes 2.4 times as long). */
#define AMP_PRIV_ACCESS_COPY(access, extent)                                                                           \
    ((const amp_priv_access){ access.element_size, access.view, access.file, access.line, extent })
#define AMP_PRIV_HOST_HAS(access, head) amp_priv_host_access_at(&AMP_PRIV_ACCESS_COPY(access, NULL), head)

/* Bounds check. Hot path: one comparison of the last index with a limit (0 if another index is out of range), which
   compilers hoist out of inner loops. Out of range: reports the access, and the offset becomes 0. Only then the index
   becomes a list and the head's address is taken. Where a capture's number is below 0, each access is noted
   (AMP_COMPARE, amp/checked/bounds.h). */
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, offset, ...)                                                          \
    if (access.extent) {                                                                                               \
        const unsigned long long last = 0 AMP_PRIV_EACH(AMP_PRIV_LAST_OF, N, (__VA_ARGS__));                           \
        const bool others = 1 AMP_PRIV_EACH(AMP_PRIV_AND_INSIDE, (N, access.extent), (__VA_ARGS__));                   \
        if (__builtin_expect(last >= amp_priv_limit(others & (head->capture >= 0), access.extent[N - 1]), 0)) {        \
            const long long outside[] = { __VA_ARGS__ };                                                               \
            if (access.element_size && head->source != AMP_PRIV_IN_KERNEL) {                                           \
                int extent[N];                                                                                         \
                memcpy(extent, access.extent, sizeof extent);                                                          \
                amp_priv_outside_on_host(AMP_PRIV_ACCESS_COPY(access, extent), N, outside);                            \
                offset = 0;                                                                                            \
            } else if (AMP_PRIV_NOTE_OUTSIDE(head, N, outside)) {                                                      \
                offset = 0;                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_LAST_OF(n, N, i)               +(n == 1 ? (unsigned long long)(i) : 0)
#define AMP_PRIV_AND_INSIDE(n, A, i)            AMP_PRIV_AND_INSIDE_(n, AMP_PRIV_UNWRAP A, i)
#define AMP_PRIV_AND_INSIDE_(n, ...)            AMP_PRIV_AND_INSIDE_OF(n, __VA_ARGS__)
#define AMP_PRIV_AND_INSIDE_OF(n, N, extent, i) &(n == 1 || amp_priv_inside(i, extent[N - n]))

/* Not negative, and less: one comparison. */
AMP_PRIV_NO_TSAN bool amp_priv_inside(long long i, int extent) { return (unsigned long long)i < (unsigned)extent; }
AMP_PRIV_NO_TSAN unsigned long long amp_priv_limit(bool others, int extent)
{
    return (unsigned)extent & -(unsigned)others; /* a mask: gcc would make a branch of a choice, and leave it inside */
}

/* One pointer to what is reported: gcc would keep its parts in registers over the surrounding loop. */
#if defined(__clang__)
#define AMP_PRIV_NOTE_OUTSIDE(head, N, index) amp_priv_outside_in_kernel(head->fault, head->capture, N, index)
#else
#define AMP_PRIV_NOTE_OUTSIDE(head, N, index)                                                                          \
    amp_priv_outside_noted(&(const amp_priv_outside){ head->fault, head->capture, N, index })
#endif
typedef struct amp_priv_outside {
    amp_priv_fault *fault;
    int capture, rank;
    const long long *index;
} amp_priv_outside;

/* Inlined in any case: then no view's address is taken in a kernel, and what an access needs is in registers. */
#if defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_AT_FUNCTION AMP_PRIV_NO_TSAN
#else
#define AMP_PRIV_AT_FUNCTION __attribute__((always_inline, unused)) static inline
#endif

/* An index of 64 unsigned bits as one of 63. */
static inline long long amp_priv_clamped(unsigned long long i) { return i > LLONG_MAX ? LLONG_MAX : (long long)i; }

/* // >>visit: which index, or tile and thread, this host thread runs on the CPU backend. Each index or thread stores
   only its coordinates: the compiler still vectorises a loop without AMP_AT. */

typedef struct amp_priv_thread_position {
    const amp_priv_launch *launch;
    int index[AMP_MAX_RANK]; /* not tiled; else: */
    int tile[3], origin[3];
    int x, y, z; /* the thread in its tile; x is -1 outside of phases */
} amp_priv_thread_position;

/* // >>fault */

#define AMP_PRIV_FAULT_RECORD                                                                                          \
    amp_priv_fault amp_priv_this_fault;                                                                                \
    amp_priv_this_launch.fault = &amp_priv_this_fault;

/* In the scope of a kernel's body on the CPU: each line that it prints begins with its launch and index. On devices:
   amp/codegen/checked_program.h. */
#define AMP_PRIV_NAME_PRINTF                                                                                           \
    int (*const printf)(const char *, ...) __attribute__((unused)) AMP_PRIV_PRINTF(1, 2) = amp_priv_kernel_printf;

/* What AMP_ASSERT becomes: the same text on host and device. */
#define AMP_PRIV_ASSERT(text, file, line, ...) ((__VA_ARGS__) ? (void)0 : amp_priv_assert_failed(text, file, line))

/* The same for all index types: offset is an expression, of the index given. */
#define AMP_PRIV_DEVICE_CHECKED(N, attribute, name, parameters, given, offset)                                         \
    attribute "amp_priv_offset " name "(const amp_priv_head" #N " *head, amp_priv_stride" #N " stride" parameters      \
              ") { const long given[] = {" given "}; (void)stride;"                                                    \
              " for (int d = 0; d < " #N "; d++)"                                                                      \
              " if (given[d] < 0 || given[d] >= head->extent.v[d] || !amp_priv_in_rows(head->rows, given[0])) {"       \
              " amp_priv_outside(head->fault, head->capture, " #N ", given); return 0; } return " offset "; }\n"

/* The device's meaning of the text that AMP_AT leaves in a kernel. */
#define AMP_PRIV_DEVICE_AT(N, parameters, names, components)                                                           \
    "typedef struct amp_priv_head" #N " { __global int *fault; int capture; amp_extent" #N                             \
    " extent; int rows[4]; } amp_priv_head" #N                                                                         \
    ";\n" AMP_PRIV_DEVICE_CHECKED(N, "static inline ", "amp_priv_checked_" #N, parameters, names,                      \
                                  "amp_priv_offset_" #N "(stride, " names                                              \
                                  ")") "#define amp_priv_at_" #N "(in_kernel, head, stride, " names                    \
                                       ") amp_priv_checked_" #N "(head, stride, " names ")\n"                          \
                                       "static inline amp_priv_offset amp_priv_checked_index" #N                       \
                                       "(const amp_priv_head" #N " *head, amp_priv_stride" #N " stride, amp_index" #N  \
                                       " index) { return amp_priv_checked_" #N "(head, stride" components "); }\n"

/* // >>runtime: what the macros call. */

AMP_PRIV_API_COLD void amp_priv_outside_on_host(amp_priv_access access, int rank, const long long *index);

AMP_PRIV_API_COLD bool amp_priv_outside_in_kernel(amp_priv_fault *fault, int capture, int rank, const long long *index);

AMP_PRIV_API_COLD bool amp_priv_outside_noted(const amp_priv_outside *outside);

AMP_PRIV_API_COLD void amp_priv_assert_failed(const char *text, const char *file, int line);

AMP_PRIV_API_COLD int amp_priv_kernel_printf(const char *format, ...) AMP_PRIV_PRINTF(1, 2);

#endif /* AMP_API_CHECKED_KERNEL_H */
