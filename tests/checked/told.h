// SPDX-License-Identifier: MIT
/*  told.h - what a child process was told by a checked build */
#ifndef TOLD_H
#define TOLD_H

#include "child.h"
#include "test.h"

/* Runs a child, which prints that message (NULL: any) so many times, and no other. */
static inline void expect_told_by(const char *environment, const char *name, const char *message, int count)
{
    char output[16384];
    if (child_run(name, environment, output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == count && (!message || count_of(output, message) == count), "%s: output: %s",
               name, output);
}
static inline void expect_told(const char *name, const char *message, int count)
{
    expect_told_by("", name, message, count);
}

#endif /* TOLD_H */
