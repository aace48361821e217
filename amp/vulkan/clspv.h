/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/clspv.h - OpenCL C to SPIR-V, by clspv where its library is found

    The compiler runs in a child process: it ends the process where it fails, and keeps its options in variables that
    threads would share.

    Contents (search for the tag):
        >>library  >>compile */
#ifndef AMP_VULKAN_CLSPV_H
#define AMP_VULKAN_CLSPV_H

#include "../base/os_child.h"
#include "spirv.h"

/* // >>library */

#define AMP_PRIV_CLSPV_FUNCTIONS(X)                                                                                    \
    X(int, CompileFromSourcesString,                                                                                   \
      (size_t, const size_t *, const char *const *, const char *, char **, size_t *, char **))

#define AMP_PRIV_CLSPV_MEMBER(result, name, arguments) result(*name) arguments;
typedef struct amp_priv_clspv_functions {
    AMP_PRIV_CLSPV_FUNCTIONS(AMP_PRIV_CLSPV_MEMBER)
} amp_priv_clspv_functions;
#undef AMP_PRIV_CLSPV_MEMBER

AMP_PRIV_GLOBAL(amp_priv_clspv_functions, amp_priv_clspv)

typedef struct amp_priv_clspv_state {
    amp_priv_mutex lock;
    int looked_for; /* 0: not yet; 1: found; 2: not found */
} amp_priv_clspv_state;
AMP_PRIV_GLOBAL_LOCKS(amp_priv_clspv_state, amp_priv_clspv_found, mutex(lock))

#if defined(_WIN32)
#define AMP_PRIV_CLSPV_LIBRARIES "clspv.dll"
#elif defined(__APPLE__)
#define AMP_PRIV_CLSPV_LIBRARIES "libclspv.dylib"
#else
#define AMP_PRIV_CLSPV_LIBRARIES "libclspv.so", "libclspv_core.so"
#endif

AMP_PRIV_COLD bool amp_priv_clspv_load(void)
{
#define AMP_PRIV_CLSPV_NAME(result, name, arguments) "clspv" #name,
    AMP_PRIV_INTERFACE_OPEN("clspv", "clspv", amp_priv_clspv, AMP_PRIV_CLSPV_FUNCTIONS(AMP_PRIV_CLSPV_NAME),
                            "AMP_CLSPV_LIBRARY", false, AMP_PRIV_CLSPV_LIBRARIES);
#undef AMP_PRIV_CLSPV_NAME
}

/* Is it there? Looked for once in a process. */
AMP_PRIV_COLD bool amp_priv_clspv_open(void)
{
    amp_priv_lock(&amp_priv_clspv_found.lock);
    if (!amp_priv_clspv_found.looked_for)
        amp_priv_clspv_found.looked_for = amp_priv_clspv_load() ? 1 : 2;
    const bool there = amp_priv_clspv_found.looked_for == 1;
    amp_priv_unlock(&amp_priv_clspv_found.lock);
    return there;
}

/* // >>compile */

typedef struct amp_priv_clspv_input {
    const char *text, *options;
    size_t length;
} amp_priv_clspv_input;

/* In the child: the answer's status is clspv's, 0 for success; its data are the code and the log. */
AMP_PRIV_COLD void amp_priv_clspv_compile(const void *with, amp_priv_child_answer *answer)
{
    const amp_priv_clspv_input *const in = with;
    answer->status = amp_priv_clspv.CompileFromSourcesString(1, &in->length, &in->text, in->options, &answer->data[0],
                                                             &answer->bytes[0], &answer->data[1]);
    answer->bytes[1] = answer->data[1] ? strlen(answer->data[1]) : 0;
}

/* clspv needs more than 20 seconds for some programs, and does not end for others. */
AMP_PRIV_COLD unsigned long amp_priv_clspv_seconds(void)
{
    const char *const wanted = amp_priv_environment("AMP_CLSPV_SECONDS");
    return wanted && wanted[0] ? strtoul(wanted, NULL, 10) : 30;
}

/* What it prints when an initialised array has the type of one in tile_static memory. */
#define AMP_PRIV_CLSPV_SAME_ARRAYS "GEP address space"

/* The program with one element more in each tile_static array, so that no other array has its type; new memory, NULL:
   there is none. */
AMP_PRIV_COLD char *amp_priv_clspv_apart(const amp_priv_clspv_input *input, size_t *length)
{
    static const char declared[] = "__local __attribute__((aligned(16)))", more[] = " + 1";
    size_t count = 0;
    for (const char *at = input->text; (at = strstr(at, declared)) != NULL; at += sizeof declared - 1)
        count++;
    char *const text = malloc(input->length + count * sizeof more + 1);
    char *to = text;
    const char *from = input->text;
    for (const char *at = from; text && (at = strstr(at, declared)) != NULL; at += sizeof declared - 1) {
        const char *const line_end = at + strcspn(at, "\n"), *const bracket = at + strcspn(at, "]\n");
        if (bracket == line_end)
            continue;
        memcpy(to, from, (size_t)(bracket - from));
        to += bracket - from;
        memcpy(to, more, sizeof more - 1);
        to += sizeof more - 1;
        from = bracket;
    }
    if (text) {
        const size_t rest = input->length - (size_t)(from - input->text);
        memcpy(to, from, rest);
        to[rest] = '\0';
        *length = (size_t)(to - text) + rest;
    }
    return text;
}

/* What helps where it does not come to its end. By -O2 it does not end where unrolled loops have too many branches:
   those that are so large stay loops then. Functions that are not inlined make it crash. */
static const char *const amp_priv_clspv_slower[] = { "-pragma-unroll-threshold=1000", "-O1 -inline-entry-points" };
enum { AMP_PRIV_CLSPV_SLOWER = 2 };

/* Where it crashes, or needs more than a tenth of its time, once more by options that make slower kernels. *late: the
   seconds of which that was a tenth; else 0. */
AMP_PRIV_COLD amp_priv_child_result amp_priv_clspv_run(const amp_priv_clspv_input *input, amp_priv_child_answer *answer,
                                                       uint64_t *late)
{
    char options[360];
    amp_priv_clspv_input again = *input;
    const unsigned long seconds = amp_priv_clspv_seconds();
    amp_priv_child_result end = amp_priv_child_run(amp_priv_clspv_compile, input, (seconds + 9) / 10, answer);
    *late = end == AMP_PRIV_CHILD_LATE ? seconds : 0;
    char *const apart = answer->data[1] && strstr(answer->data[1], AMP_PRIV_CLSPV_SAME_ARRAYS)
                            ? amp_priv_clspv_apart(input, &again.length)
                            : NULL;
    again.text = apart ? apart : input->text;
    again.options = apart ? input->options : options;
    for (int i = *late ? 0 : 1; i < AMP_PRIV_CLSPV_SLOWER; i++) {
        if (end != AMP_PRIV_CHILD_ENDED && end != AMP_PRIV_CHILD_LATE)
            break;
        snprintf(options, sizeof options, "%s %s", input->options, amp_priv_clspv_slower[i]);
        free(answer->data[1]);
        end = amp_priv_child_run(amp_priv_clspv_compile, &again, i == 0 ? (seconds + 9) / 10 : seconds, answer);
    }
    free(apart);
    return end;
}

/* What makes it crash, by what it printed, and the cure. */
AMP_PRIV_COLD const char *amp_priv_clspv_cause(const char *printed)
{
    if (strstr(printed, AMP_PRIV_CLSPV_SAME_ARRAYS))
        return "an initialised array has the size and type of an AMP_TILE_STATIC array; make it an AMP_TABLE, or of "
               "another size";
    return "it does so where a value is read from one of three views (read each into a variable before the choice), "
           "and where a struct of two integers is set to constants; use another accelerator, or write the kernel in "
           "another way";
}

/* The log of a compiler that did not come to its end: what happened, what it printed, the cure where it is known. */
AMP_PRIV_COLD char *amp_priv_clspv_failure(amp_priv_child_result end, const char *printed)
{
    enum { AMP_PRIV_CLSPV_LOG = 1400 };
    char *const log = malloc(AMP_PRIV_CLSPV_LOG);
    if (log && end == AMP_PRIV_CHILD_LATE)
        snprintf(log, AMP_PRIV_CLSPV_LOG,
                 "error: clspv took longer than the %lu seconds of AMP_CLSPV_SECONDS: use smaller loops, or another "
                 "accelerator",
                 amp_priv_clspv_seconds());
    else if (log)
        snprintf(log, AMP_PRIV_CLSPV_LOG, "error: clspv crashed: %s\n%s", amp_priv_clspv_cause(printed ? printed : ""),
                 printed ? printed : "");
    return log;
}

#endif /* AMP_VULKAN_CLSPV_H */
