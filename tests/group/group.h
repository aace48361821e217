/* SPDX-License-Identifier: MIT */
/*  group.h - what tests of groups and of streamed views need */
#ifndef GROUP_H
#define GROUP_H

#include "test.h"

#include <unistd.h>

/* All accelerators but the CPU backend; fewer than two: skips the test. */
static inline amp_accelerator_view all_of_them(void)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    if (count < 3)
        skip();
    return amp_accelerator_view_create_group(all + 1, count - 1);
}

/* What the library prints on stderr between the two calls, where warnings are shown. */
__attribute__((unused)) static char printed[4000];
__attribute__((unused)) static FILE *print_file;
__attribute__((unused)) static int print_saved;

static inline void print_begin(void)
{
    fflush(stderr);
    print_file = tmpfile();
    print_saved = dup(2);
    assert_non_null(print_file);
    dup2(fileno(print_file), 2);
}

static inline void print_end(void)
{
    fflush(stderr);
    dup2(print_saved, 2);
    close(print_saved);
    rewind(print_file);
    printed[fread(printed, 1, sizeof printed - 1, print_file)] = '\0';
    fclose(print_file);
}

static inline int lines_with(const char *part)
{
    int count = 0;
    for (const char *p = strstr(printed, part); p; p = strstr(p + 1, part))
        count++;
    return count;
}

/* Are warnings shown? */
static inline bool warns(void) { return amp_priv_log_level() >= AMP_PRIV_LOG_WARNING; }

/* The accelerators through which launches are streamed; the others work where the data are. */
#define FOR_EACH_STREAMED(view)                                                                                        \
    FOR_EACH_ONE_ACCELERATOR(view) if (!test_device(view)->shares_host)

#endif /* GROUP_H */
