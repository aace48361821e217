// SPDX-License-Identifier: MIT
/*  under.h - faults put under a program: calls of OpenCL, of the heap, of files and threads that fail on demand.

    The linker leads those calls of the program's own object files here (--wrap, the names are in `wrapped`), and so not
    what the driver calls for itself. While faults are on, calls are counted per function; the one that the plan names
    fails with the plan's code, or that one and all after it.

    Besides, this layer holds back what is enqueued: a command runs only once somebody waits for it. What is forgotten
    has not happened then, memory that is given back too early is seen, and neither depends on how fast a machine is. */
#ifndef UNDER_H
#define UNDER_H

#include <stdbool.h>
#include <stddef.h>

/* Which call fails, and how. */
typedef struct under_plan {
    int function;  /* UNDER_ALL: every call of OpenCL counts as one function */
    int code;      /* of OpenCL (negative), an errno (positive); UNDER_SHORT: read or write half */
    unsigned call; /* the first call is 1 */
    bool on;       /* and all after it */
} under_plan;

enum { UNDER_NONE = -1, UNDER_ALL = -2, UNDER_SHORT = 100000 };

/* The functions that can fail, 0 to under_functions() - 1. */
int under_functions(void);
const char *under_name(int function);
/* The codes of a function that are tried, count of them. */
const int *under_codes(int function, int *count);
/* Calls of a function since under_begin, while faults were on. */
unsigned under_calls(int function);

/* Nothing was called yet; the plan's call fails once faults are on. */
void under_begin(const under_plan *plan);
/* Faults on or off, and what it was before. */
bool under_on(bool on);
/* How many calls failed since under_begin. */
unsigned under_failed(void);

/* What there is now: objects of OpenCL by kind, and blocks of memory. */
enum { UNDER_CONTEXT, UNDER_QUEUE, UNDER_BUFFER, UNDER_PROGRAM, UNDER_KERNEL, UNDER_EVENT, UNDER_BLOCK, UNDER_KINDS };
const char *under_kind(int kind);
long under_live(int kind);

/* Kernels that were enqueued, ever. */
unsigned long under_launches(void);

/* May a command still use this memory? Waits a little for those that are done to go. */
bool under_in_use(const void *memory, size_t bytes);
/* Was memory freed that a command might still use, since under_begin? */
bool under_freed_in_use(void);

/* Lets all that was enqueued run, and waits for it. Memory of buffers that are kept for good is in use no more. */
void under_finish(void);

#endif /* UNDER_H */
