/* SPDX-License-Identifier: MIT */
/*  amp/api/checked_access.h - AMP_ASSERT, and what checked builds add to AMP_AT and to the loops of the CPU backend */
#ifndef AMP_API_CHECKED_ACCESS_H
#define AMP_API_CHECKED_ACCESS_H

#include "records.h"
#include "dialect.h"

/* What the source of a view is inside a kernel on the CPU backend. */
#define AMP_PRIV_IN_KERNEL ((amp_priv_source *)-1)

#if defined(AMP_CHECKED)
#include "checked_kernel.h"
#include "visits.h"
#else

#define AMP_PRIV_NO_TSAN static inline

/* Where an access by AMP_AT is. */
typedef struct amp_priv_access {
    int element_size; /* 0: in a kernel */
    int line;
    const char *file;
} amp_priv_access;

#define AMP_PRIV_ACCESS(in_kernel, view)                                                                               \
    AMP_PRIV_HOST_OR_DEVICE(((amp_priv_access){AMP_PRIV_ELEMENT_SIZE(in_kernel, view), __LINE__, __FILE__}), "0")
#define AMP_PRIV_ACCESS_UNCHECKED       ((amp_priv_access){ 0, 0, NULL })
#define AMP_PRIV_HOST_HAS(access, head) amp_priv_host_access_slowly(head, "AMP_AT")
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, offset, ...)
#define AMP_PRIV_AT_FUNCTION AMP_PRIV_NO_TSAN
#define AMP_PRIV_FAULT_RECORD
#define AMP_PRIV_NAME_PRINTF
#define AMP_PRIV_ASSERT(text, file, line, ...) ((void)sizeof((__VA_ARGS__) ? 1 : 0))

#define AMP_PRIV_VISITED_LAUNCH
#define AMP_PRIV_VISIT_LAUNCH
#define AMP_PRIV_VISIT_LINE(begin, end, index, rank, shift)
#define AMP_PRIV_VISIT_INDEX(i, rank)
#define AMP_PRIV_VISIT_TILE(tile, rank)
#define AMP_PRIV_VISIT_x 0
#define AMP_PRIV_VISIT_THREAD
#define AMP_PRIV_VISIT_END 0
static inline void amp_priv_fibers_meet(void) {}

#endif

/* // >>assert
   AMP_ASSERT(condition): reports a false condition in a checked build, in a kernel or on the host.
   The first false condition of a launch is that launch's error, with its place; the kernel continues. Without
   AMP_CHECKED the condition is compiled and never evaluated. On devices C's assert is an AMP_ASSERT; on the CPU
   backend it ends the program.
   condition  an expression
   Result: none; a statement.
   Errors: AMP_RUNTIME_ERROR. Blocking: no. Threads: any. Cost: none without AMP_CHECKED. Source: direct3d_errorf. */
#define AMP_ASSERT(...) AMP_PRIV_ASSERT(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)

#endif /* AMP_API_CHECKED_ACCESS_H */
