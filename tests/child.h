// SPDX-License-Identifier: MIT
/*  child.h - runs a part of this program again in a process of its own, for what happens once per process: the
    choice of the default accelerator, a device that is removed, kernels that are read from the disk.

    A file of tests lists its parts in CHILDREN(...); child_run starts one. */
#ifndef CHILD_H
#define CHILD_H

#include "icd_files.h" /* which makes popen and readlink visible, too */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct child {
    const char *name;
    int (*run)(void);
} child;

/* Before main: if this process is such a child, does its part and ends. */
#define CHILDREN(...)                                                                                                  \
    __attribute__((constructor)) static void child_main(void)                                                          \
    {                                                                                                                  \
        static const child children[] = { __VA_ARGS__ };                                                               \
        const char *const name = getenv("AMP_TEST_CHILD");                                                             \
        for (size_t i = 0; name && i < sizeof children / sizeof children[0]; i++)                                      \
            if (!strcmp(name, children[i].name)) {                                                                     \
                const int status = children[i].run();                                                                  \
                fflush(stdout);                                                                                        \
                _exit(status);                                                                                         \
            }                                                                                                          \
    }

/* Runs this program with `environment` ("A=1 B=2") and `arguments`; its output (both streams) goes to output. Returns
   its exit status, 128 when a signal ended it, -1 when this system cannot do that. */
static inline int child_start(const char *environment, const char *arguments, char *output, size_t size)
{
    char self[1024], command[8192];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    output[0] = '\0';
    if (length <= 0)
        return -1;
    self[length] = '\0';
    snprintf(command, sizeof command, "env %s '%s' %s 2>&1", environment, self, arguments);
    icd_files_restore();
    FILE *const pipe = popen(command, "r");
    if (!pipe)
        return -1;
    size_t used = 0;
    for (int c; (c = fgetc(pipe)) != EOF;)
        if (used + 1 < size)
            output[used++] = (char)c;
    output[used] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The same for a part of CHILDREN. */
static inline int child_run(const char *name, const char *environment, char *output, size_t size)
{
    char with_name[2048];
    snprintf(with_name, sizeof with_name, "AMP_TEST_CHILD=%s %s", name, environment);
    return child_start(with_name, "", output, size);
}

#endif /* CHILD_H */
