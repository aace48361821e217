// SPDX-License-Identifier: MIT
/*  child.h - runs a part of this program again in a process of its own, for what happens once per process: the
    choice of the default accelerator, a device that is removed, kernels that are read from the disk.

    A file of tests lists its parts in CHILDREN(...); child_run starts one. */
#ifndef CHILD_H
#define CHILD_H

#include "icd_files.h" /* which makes popen and readlink visible, too */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !defined(_WIN32)
#include <sys/wait.h>
#endif

#if defined(TEST_COVERAGE)
#include <gcov.h>
#endif

typedef struct child {
    const char *name;
    int (*run)(void);
} child;

#if !defined(_WIN32)
/* A variable of the environment that a test changes: what it was is kept before, and comes back after. */
typedef struct test_variable {
    const char *name;
    bool was_set;
    char text[1024];
} test_variable;

static inline void test_variable_keep(test_variable *variable)
{
    const char *const text = getenv(variable->name);
    variable->was_set = text != NULL;
    snprintf(variable->text, sizeof variable->text, "%s", text ? text : "");
}

static inline void test_variable_restore(const test_variable *variable)
{
    if (variable->was_set)
        setenv(variable->name, variable->text, 1);
    else
        unsetenv(variable->name);
}
#endif

/* Ends a child, without what the parent has for its own end. `make coverage` counts what the child ran. */
static inline void child_end(int status)
{
    fflush(stdout);
    fflush(stderr);
#if defined(TEST_COVERAGE)
    __gcov_dump();
#endif
    _exit(status);
}

/* Before main: if this process is such a child, does its part and ends. On Windows what stands last in a file comes
   first then, before the file's functions are known: so main does that (children_begin). */
#define CHILD_JOIN(a, b)  CHILD_JOIN_(a, b)
#define CHILD_JOIN_(a, b) a##b
#define CHILD_MAIN        CHILD_JOIN(child_main_, __LINE__) /* several files of tests may be one unit */
#if defined(_WIN32)
enum { CHILDREN_MOST = 16 };
__attribute__((selectany)) void (*children_of_files[CHILDREN_MOST])(void) = { NULL };
#define CHILDREN_BEGIN                                                                                                 \
    static void CHILD_MAIN(void);                                                                                      \
    __attribute__((constructor)) static void CHILD_JOIN(child_note_, __LINE__)(void)                                   \
    {                                                                                                                  \
        int n = 0;                                                                                                     \
        while (children_of_files[n])                                                                                   \
            n++;                                                                                                       \
        children_of_files[n] = CHILD_MAIN;                                                                             \
    }
static inline void children_begin(void)
{
    for (int n = 0; children_of_files[n]; n++)
        children_of_files[n]();
}
#else
#define CHILDREN_BEGIN __attribute__((constructor))
static inline void children_begin(void) {}
#endif
#define CHILDREN(...)                                                                                                  \
    CHILDREN_BEGIN static void CHILD_MAIN(void)                                                                        \
    {                                                                                                                  \
        static const child children[] = { __VA_ARGS__ };                                                               \
        const char *const name = getenv("AMP_TEST_CHILD");                                                             \
        for (size_t i = 0; name && i < sizeof children / sizeof children[0]; i++)                                      \
            if (!strcmp(name, children[i].name))                                                                       \
                child_end(children[i].run());                                                                          \
    }

/* Runs this program with `environment` ("A=1 B=2") and `arguments`; its output (both streams) goes to output. Returns
   its exit status, 128 when a signal ended it, -1 when this system cannot do that. */
static inline int child_start(const char *environment, const char *arguments, char *output, size_t size);

/* What a pipe says, until its end. */
static inline void child_read(FILE *pipe, char *output, size_t size)
{
    size_t used = 0;
    for (int c; (c = fgetc(pipe)) != EOF;)
        if (used + 1 < size)
            output[used++] = (char)c;
    output[used] = '\0';
}

#if defined(_WIN32)

/* "A=1 B='2 3'" goes into this process's environment, or out of it again. */
static inline void child_environment(const char *text, int there)
{
    char setting[2048];
    while (*text) {
        size_t used = 0;
        int quoted = 0;
        text += strspn(text, " ");
        for (; *text && (quoted || *text != ' ') && used + 1 < sizeof setting; text++)
            if (*text == '\'')
                quoted = !quoted;
            else
                setting[used++] = *text;
        setting[used] = '\0';
        char *const end = strchr(setting, '=');
        if (end && !there)
            end[1] = '\0';
        if (end)
            _putenv(setting);
    }
}

static inline int child_start(const char *environment, const char *arguments, char *output, size_t size)
{
    enum { ABORTED = 3 };
    char command[8192];
    snprintf(command, sizeof command, "%s %s 2>&1", _pgmptr, arguments);
    child_environment(environment, 1);
    fflush(stdout);
    FILE *const pipe = _popen(command, "r");
    child_environment(environment, 0);
    output[0] = '\0';
    if (!pipe)
        return -1;
    child_read(pipe, output, size);
    const int status = _pclose(pipe);
    return status < 0 || status == ABORTED ? 128 : status;
}

#else

static inline int child_start(const char *environment, const char *arguments, char *output, size_t size)
{
    const char *const runner = getenv("AMP_TEST_RUNNER"); /* of programs for another processor */
    char self[1024], command[8192];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    output[0] = '\0';
    if (length <= 0)
        return -1;
    self[length] = '\0';
    snprintf(command, sizeof command, "env %s %s '%s' %s 2>&1", environment, runner ? runner : "", self, arguments);
    icd_files_restore();
    FILE *const pipe = popen(command, "r");
    if (!pipe)
        return -1;
    child_read(pipe, output, size);
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

#endif

/* The same for a part of CHILDREN. */
static inline int child_run(const char *name, const char *environment, char *output, size_t size)
{
    char with_name[2048];
    snprintf(with_name, sizeof with_name, "AMP_TEST_CHILD=%s %s", name, environment);
    return child_start(with_name, "", output, size);
}

#endif /* CHILD_H */
