/* SPDX-License-Identifier: MIT */
/*  amp/checked.h - checked builds, -DAMP_CHECKED: every AMP_AT checks its index, on every backend.

    An access outside of its view goes to element 0 instead, and the first one of a launch is that launch's error,
    told when the launch has run: which kernel, view, index, and which index, or tile and thread, of the launch.
    AMP_FUNCTIONs that take views are checked, too: a view carries the launch's record of faults. A launch waits
    for its end. On the host AMP_AT reports at once, with file and line.

    AMP_ASSERT is looked at.

    Without AMP_CHECKED nothing of this is in the program: the macros below are what they are without this file.

    Contents (search for the tag):
        >>access  >>visit  >>fault  >>parts  >>device  >>assert                                       */
#ifndef AMP_CHECKED_H
#define AMP_CHECKED_H

#include "backend.h"

/* What the source of a view is inside a kernel on the CPU loops. */
#define AMP_PRIV_IN_KERNEL ((amp_priv_source *)-1)

/* AMP_PRIV_FIBERS: the thread sanitizer looks for races between the threads of a tile (amp/debug.h).
   AMP_PRIV_NO_TSAN: of functions whose accesses are ours, not the kernel's. */
#if defined(AMP_CHECKED) && defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__SANITIZE_THREAD__)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_NO_TSAN __attribute__((unused, noinline, no_sanitize("thread"))) static
#elif defined(AMP_CHECKED) && defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__clang__)
#if __has_feature(thread_sanitizer) && __has_attribute(disable_sanitizer_instrumentation)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_NO_TSAN __attribute__((unused, noinline, disable_sanitizer_instrumentation)) static
#endif
#endif
#if !defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_NO_TSAN static inline
#endif

#if !defined(AMP_CHECKED)

#define AMP_PRIV_ACCESS(in_kernel, view) AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_ELEMENT_SIZE(in_kernel, view), "0")
#define AMP_PRIV_ACCESS_UNCHECKED        0
#define AMP_PRIV_ACCESS_TYPE             int
#define AMP_PRIV_ACCESS_SIZE(access)     access
#define AMP_PRIV_HOST_HAS(access, head)  amp_priv_host_access_slowly(head, "AMP_AT")
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, offset, ...)
#define AMP_PRIV_AT_FUNCTION AMP_PRIV_NO_TSAN
#define AMP_PRIV_FAULT_RECORD
#define AMP_PRIV_ASSERT(text, file, line, ...) ((void)sizeof((__VA_ARGS__) ? 1 : 0))

/* Checked builds: do the view's elements lie where a device, and the host's processor, can reach them? */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    (void)call, (void)element, (void)data, (void)start;
    return true;
}

#else

/* // >>access: what AMP_AT tells of itself. */

typedef struct amp_priv_access {
    int element_size; /* 0: in a kernel */
    const char *view, *file;
    int line;
    const int *extent; /* NULL: not checked (amp_get_ref) */
    const void *data;
    int size; /* of an element, in kernels, too */
} amp_priv_access;

#define AMP_PRIV_ACCESS(in_kernel, view)                                                                               \
    AMP_PRIV_HOST_OR_DEVICE(((amp_priv_access){AMP_PRIV_ELEMENT_SIZE(in_kernel, view), #view, __FILE__, __LINE__,      \
                                               (view).extent.v, (view).data, (int)sizeof *(view).data}),               \
                            "0")
#define AMP_PRIV_ACCESS_UNCHECKED       ((amp_priv_access){ 0, NULL, NULL, 0, NULL, NULL, 0 })
#define AMP_PRIV_ACCESS_TYPE            amp_priv_access
#define AMP_PRIV_ACCESS_SIZE(access)    access.element_size
#define AMP_PRIV_HOST_HAS(access, head) amp_priv_host_access_at(&access, head)

/* An index that leads out is told, and the offset becomes 0. What is on the way of all accesses is one comparison: of
   the last component, with a limit that is 0 where another one is outside; a compiler takes the limit out of loops over
   the last. The index becomes a list, and the head has an address, only where it leads out. */
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, offset, ...)                                                          \
    if (access.extent) {                                                                                               \
        const unsigned long long last = 0 AMP_PRIV_EACH(AMP_PRIV_LAST_OF, N, (__VA_ARGS__));                           \
        const bool others = 1 AMP_PRIV_EACH(AMP_PRIV_AND_INSIDE, (N, access.extent), (__VA_ARGS__));                   \
        const amp_priv_offset row = N > 1 && others ? offset - (amp_priv_offset)last : 0;                              \
        amp_priv_offset in_row = (amp_priv_offset)last;                                                                \
        if (__builtin_expect(last >= amp_priv_limit(others, access.extent[N - 1]), 0)) {                               \
            const long long outside[] = {__VA_ARGS__};                                                                 \
            if (access.element_size && head->source != AMP_PRIV_IN_KERNEL)                                             \
                amp_priv_outside_on_host(access, N, outside);                                                          \
            else                                                                                                       \
                AMP_PRIV_NOTE_OUTSIDE(head, N, outside);                                                               \
            offset = 0;                                                                                                \
            in_row = -row;                                                                                             \
        }                                                                                                              \
        offset = AMP_PRIV_FROM_ROW(access, row, in_row, offset);                                                       \
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

/* clang keeps the address of a row in a register over a loop where it sees one. */
#if defined(__clang__)
#define AMP_PRIV_FROM_ROW(access, row, in_row, offset) amp_priv_from_row(&access, row, in_row)
AMP_PRIV_NO_TSAN amp_priv_offset amp_priv_from_row(const amp_priv_access *access, amp_priv_offset row,
                                                   amp_priv_offset in_row)
{
    const char *const data = access->data, *const begin = data + row * access->size;
    return (begin + in_row * access->size - data) / access->size;
}
#else
#define AMP_PRIV_FROM_ROW(access, row, in_row, offset) ((void)in_row, offset)
#endif

/* gcc takes registers for what is told out of the loop around: it is told behind one pointer. */
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

/* // >>visit: which index, or tile and thread, this host thread is at in the CPU loops. Each index or thread stores its
   coordinates and nothing else: a loop without AMP_AT becomes vectors all the same. */

typedef struct amp_priv_visitor {
    const amp_priv_launch *launch;
    int index[AMP_MAX_RANK]; /* not tiled; else: */
    int tile[3], origin[3];
    int x, y, z; /* the thread in its tile; x is -1 outside of phases */
} amp_priv_visitor;

AMP_PRIV_GLOBAL_THREAD(amp_priv_visitor, amp_priv_current_item)

/* The same for people. */
AMP_PRIV_COLD amp_priv_visit amp_priv_visit_now(void)
{
    const amp_priv_visitor *const here = &amp_priv_current_item;
    const amp_priv_site *const site = here->launch->site;
    const int thread[] = { here->x, here->y, here->z };
    amp_priv_visit at = { .rank = site->rank, .tiled = site->tiled, .in_phase = here->x >= 0 };
    for (int d = 0; d < at.rank; d++)
        if (at.tiled) {
            at.tile[d] = here->tile[d];
            at.local[d] = thread[at.rank - 1 - d];
            at.global[d] = here->origin[d] + at.local[d];
        } else {
            at.global[d] = here->index[d];
        }
    return at;
}

/* // >>fault */

#define AMP_PRIV_FAULT_RECORD                                                                                          \
    amp_priv_fault amp_priv_this_fault;                                                                                \
    amp_priv_this_launch.fault = &amp_priv_this_fault;

/* amp_priv_list of indexes that an int may not hold. */
AMP_PRIV_COLD const char *amp_priv_long_list(char *text, size_t size, const long long *values, int count)
{
    size_t used = 0;
    for (int d = 0; d < count && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "(", values[d]);
    if (used + 1 < size)
        snprintf(text + used, size - used, ")");
    return text;
}

/* An access outside on the host is reported, */
AMP_PRIV_COLD void amp_priv_outside_on_host(amp_priv_access access, int rank, const long long *index)
{
    char given[256], extent[128];
    amp_priv_report(
        AMP_RUNTIME_ERROR,
        "AMP_AT at %s:%d: the index %s is outside of the view %s, whose extent is %s; indexes begin at 0 and stay "
        "below the extent",
        access.file, access.line, amp_priv_long_list(given, sizeof given, index, rank), access.view,
        amp_priv_list(extent, sizeof extent, access.extent, rank));
}

/* and in a kernel noted. */
AMP_PRIV_COLD void amp_priv_outside_in_kernel(amp_priv_fault *fault, int capture, int rank, const long long *index)
{
    if (atomic_fetch_add_explicit(&fault->count, 1u, memory_order_relaxed) != 0)
        return;
    fault->capture = capture;
    fault->rank = rank;
    for (int d = 0; d < rank; d++)
        fault->index[d] = index[d];
    fault->at = amp_priv_visit_now();
}

AMP_PRIV_COLD void amp_priv_outside_noted(const amp_priv_outside *outside)
{
    amp_priv_outside_in_kernel(outside->fault, outside->capture, outside->rank, outside->index);
}

/* AMP_ASSERT: the same text on host and device. */
#define AMP_PRIV_ASSERT(text, file, line, ...) ((__VA_ARGS__) ? (void)0 : amp_priv_assert_failed(text, file, line))

/* Where an assertion is false: noted in a kernel, as an access outside is, else reported. */
AMP_PRIV_COLD void amp_priv_assert_failed(const char *text, const char *file, int line)
{
    if (!amp_priv_current_item.launch) {
        amp_priv_report(AMP_RUNTIME_ERROR, "AMP_ASSERT at %s:%d: %s is false", file, line, text);
        return;
    }
    amp_priv_fault *const fault = amp_priv_current_item.launch->fault;
    if (atomic_fetch_add_explicit(&fault->count, 1u, memory_order_relaxed) != 0)
        return;
    fault->capture = AMP_PRIV_NO_CAPTURE;
    snprintf(fault->assertion, sizeof fault->assertion, "%s", text);
    fault->at = amp_priv_visit_now();
}

/* Where in the launch: " at index (3, 5)", " in tile (0, 1), thread (3, 2), global index (3, 18)". */
static inline const char *amp_priv_visit_text(char *text, size_t size, const amp_priv_visit *at)
{
    char global[128], tile[64], local[64];
    amp_priv_list(global, sizeof global, at->global, at->rank);
    if (!at->tiled) {
        snprintf(text, size, "at index %s", global);
        return text;
    }
    amp_priv_list(tile, sizeof tile, at->tile, at->rank);
    if (at->in_phase)
        snprintf(text, size, "in tile %s, thread %s, global index %s", tile,
                 amp_priv_list(local, sizeof local, at->local, at->rank), global);
    else
        snprintf(text, size, "in tile %s, outside of its phases", tile);
    return text;
}

/* After a launch: reports its first fault as its error. extent: of the captured view that it was in, NULL of an
   assertion. */
AMP_PRIV_COLD amp_status amp_priv_fault_report(const amp_priv_launch *launch, const int *extent)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_fault *const fault = launch->fault;
    char given[256], shape[128], where[512];
    const unsigned count = fault->count;
    if (!extent)
        return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                    "%s, AMP_ASSERT(%s) is false; it is the first of %u fault%s",
                                    amp_priv_visit_text(where, sizeof where, &fault->at), fault->assertion, count,
                                    count == 1 ? "" : "s");
    const char *const name = site->captures[fault->capture].name;
    const bool is_ours = !strncmp(name, "amp_priv_", 9); /* an algorithm's name for it */
    return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                "%s, the index %s is outside of %s%s, whose extent is %s; "
                                "%u access%s of this launch went to element 0 instead",
                                amp_priv_visit_text(where, sizeof where, &fault->at),
                                amp_priv_long_list(given, sizeof given, fault->index, fault->rank),
                                is_ours ? "a view that the algorithm was given" : "the view ", is_ours ? "" : name,
                                amp_priv_list(shape, sizeof shape, extent, fault->rank), count, count == 1 ? "" : "es");
}

/* // >>parts */

/* Do the view's elements lie where a device, and the host's processor, can reach them? Else reports it.
   start: of the source, which is where a device's buffer begins. */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    const size_t offset = (size_t)((uintptr_t)data - (uintptr_t)start);
    if (offset % element->size) {
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "%s: the view would start %zu bytes into its source, in the middle of an element of %s (%zu bytes); take "
            "sections so that they start at multiples of it",
            call, offset, element->name, element->size);
        return false;
    }
    if (element->align && (uintptr_t)data % element->align) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the address %p is not aligned for elements of %s (to %zu bytes); align the data", call,
                        data, element->name, element->align);
        return false;
    }
    return true;
}

/* // >>device
   What a view begins with there, and what AMP_AT calls. The record of a launch, ints:
     [0] how many accesses were outside, and assertions false  [1] capture  [2] rank
     [3] group, [6] local, [9] global id  [12] the index, as longs, or the assertion's text */
enum { AMP_PRIV_FAULT_INTS = 12 + AMP_PRIV_ASSERTION / (int)sizeof(int) };

/* In an AMP_FUNCTION amp_priv_fault is a parameter (amp/program.h). C's own assert calls __assert_fail,
   on Windows _assert. */
__attribute__((unused)) static const char amp_priv_text_outside[] =
    "static inline int amp_priv_fault_first(__global int *fault, int capture, int rank) {"
    " if (amp_priv_count(fault) != 0) return 0;"
    " fault[1] = capture; fault[2] = rank;"
    " for (int d = 0; d < 3; d++) {"
    " fault[3 + d] = (int)get_group_id(d); fault[6 + d] = (int)get_local_id(d); fault[9 + d] = (int)get_global_id(d); }"
    " return 1; }\n"
    "static inline void amp_priv_outside(__global int *fault, int capture, int rank, const long *given) {"
    " if (amp_priv_fault_first(fault, capture, rank))"
    " for (int d = 0; d < rank; d++) ((__global long *)(fault + 12))[d] = given[d]; }\n"
    "static inline void amp_priv_assertion(__global int *fault, __constant char *text) {"
    " if (amp_priv_fault_first(fault, -1, 0))"
    " for (int i = 0; i < 199 && text[i]; i++) ((__global char *)(fault + 12))[i] = text[i]; }\n"
    "#define amp_priv_assert_failed(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define __assert_fail(text, file, line, function) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define _assert(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n";

/* The same for all index types: offset is an expression, of the index given. */
#define AMP_PRIV_DEVICE_CHECKED(N, attribute, name, parameters, given, offset)                                         \
    attribute "amp_priv_offset " name "(const amp_priv_head" #N " *head, amp_priv_stride" #N " stride"                 \
        parameters                                                                                                     \
              ") { const long given[] = {" given "}; (void)stride;"                                                    \
              " for (int d = 0; d < " #N "; d++) if (given[d] < 0 || given[d] >= head->extent.v[d]) {"                 \
              " amp_priv_outside(head->fault, head->capture, " #N ", given); return 0; } return " offset "; }\n"

/* The device's meaning of the text that AMP_AT leaves in a kernel. */
#define AMP_PRIV_DEVICE_AT(N, parameters, names, components)                                                           \
    "typedef struct amp_priv_head" #N " { __global int *fault; int capture; amp_extent" #N                             \
    " extent; } amp_priv_head" #N ";\n"                                                                                \
    AMP_PRIV_DEVICE_CHECKED(N, "static inline ", "amp_priv_checked_" #N, parameters, names,                            \
                            "amp_priv_offset_" #N "(stride, " names ")")                                               \
    "#define amp_priv_at_" #N "(in_kernel, head, stride, " names ") amp_priv_checked_" #N "(head, stride, "            \
    names ")\n"                                                                                                        \
    "static inline amp_priv_offset amp_priv_checked_index" #N "(const amp_priv_head" #N " *head, amp_priv_stride" #N   \
    " stride, amp_index" #N " index) { return amp_priv_checked_" #N "(head, stride" components "); }\n"

#endif

/* // >>assert
   AMP_ASSERT(condition): in a kernel, an AMP_FUNCTION, or on the host. Checked builds look at it on every backend: the
   first one that is false in a launch is that launch's error, and says where it was; the kernel goes on. Without
   AMP_CHECKED the condition is compiled, and never evaluated. C's assert ends the program in the CPU loops, and is an
   AMP_ASSERT on devices. Source: direct3d_errorf. */
#define AMP_ASSERT(...) AMP_PRIV_ASSERT(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)

#endif /* AMP_CHECKED_H */
