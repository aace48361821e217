/* SPDX-License-Identifier: MIT */
/*  amp/base/os_child.h - work in a child process, which may crash, or not come to an end

    Windows has no fork: there the work is done in the program, by one thread at a time.

    Contents (search for the tag):
        >>work  >>child  >>parent */
#ifndef AMP_BASE_OS_CHILD_H
#define AMP_BASE_OS_CHILD_H

#include "error.h"

/* // >>work */

/* The result of the work: a number, and two pieces of memory, which the caller frees. Of a child that crashed or was
   late the second has what it printed as errors, where that is known. */
typedef struct amp_priv_child_answer {
    int status;
    size_t bytes[2];
    char *data[2];
} amp_priv_child_answer;

typedef void (*amp_priv_child_work)(const void *with, amp_priv_child_answer *answer);

typedef enum amp_priv_child_result {
    AMP_PRIV_CHILD_ANSWERED,
    AMP_PRIV_CHILD_ENDED, /* it crashed, or ended without an answer */
    AMP_PRIV_CHILD_LATE,  /* it needed more than its time */
    AMP_PRIV_CHILD_NONE   /* there is no process for it */
} amp_priv_child_result;

#if !defined(_WIN32) && !defined(__wasi__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* // >>child */

AMP_PRIV_COLD bool amp_priv_child_write(int to, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = write(to, at, bytes);
        if (n <= 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

AMP_PRIV_COLD void amp_priv_child_leave(void) { _exit(1); }

/* Optimised, as each function that calls open or read (AMP_PRIV_COLD says why). */
static inline int amp_priv_child_nowhere(void) { return open("/dev/null", O_WRONLY); }

AMP_PRIV_SYSTEM(int, fileno, (FILE * file))

/* A child that waits for a lock of a thread that it does not have needs no processor time. */
enum { AMP_PRIV_CHILD_PATIENCE = 4 }; /* times its processor time, by the clock */

AMP_PRIV_COLD void amp_priv_child_limit(unsigned long seconds)
{
    const struct rlimit limit = { seconds, seconds };
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)alarm(AMP_PRIV_CHILD_PATIENCE * (unsigned)seconds);
}

/* Nothing of the program's runs in the child: neither what it does on signals, nor, where the work calls exit, what its
   libraries do at the end: they would wait for threads that are not here. */
AMP_PRIV_COLD void amp_priv_child_alone(FILE *errors, unsigned long seconds)
{
    static const int ends[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU, SIGALRM, SIGTERM, SIGINT };
    const int nowhere = amp_priv_child_nowhere();
    (void)dup2(errors ? amp_priv_fileno(errors) : nowhere, STDERR_FILENO);
    (void)dup2(nowhere, STDOUT_FILENO);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        (void)signal(ends[i], SIG_DFL);
    (void)atexit(amp_priv_child_leave);
    if (seconds > 0)
        amp_priv_child_limit(seconds);
}

AMP_PRIV_COLD void amp_priv_child_do(int to, FILE *errors, amp_priv_child_work work, const void *with,
                                     unsigned long seconds)
{
    amp_priv_child_answer answer = { 0, { 0, 0 }, { NULL, NULL } };
    amp_priv_child_alone(errors, seconds);
    work(with, &answer);
    const bool written = amp_priv_child_write(to, &answer, sizeof answer) &&
                         amp_priv_child_write(to, answer.data[0], answer.bytes[0]) &&
                         amp_priv_child_write(to, answer.data[1], answer.bytes[1]);
    _exit(written ? 0 : 1);
}

/* // >>parent */

static inline bool amp_priv_child_read(int from, void *data, size_t bytes)
{
    char *at = data;
    while (bytes > 0) {
        const ssize_t n = read(from, at, bytes);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* What the child wrote. False: it did not come to its end. */
AMP_PRIV_COLD bool amp_priv_child_take(int from, amp_priv_child_answer *answer)
{
    bool whole = amp_priv_child_read(from, answer, sizeof *answer);
    char *data[2] = { NULL, NULL };
    for (int i = 0; i < 2 && whole; i++) {
        data[i] = malloc(answer->bytes[i] + 1);
        whole = data[i] && amp_priv_child_read(from, data[i], answer->bytes[i]);
        if (whole)
            data[i][answer->bytes[i]] = '\0';
    }
    if (!whole) {
        free(data[0]);
        free(data[1]);
        data[0] = data[1] = NULL;
    }
    answer->data[0] = data[0];
    answer->data[1] = data[1];
    return whole;
}

/* The last of what it printed as errors, in new memory; NULL: nothing. Optimised, as it calls fread. */
AMP_PRIV_NOINLINE char *amp_priv_child_errors(FILE *errors)
{
    enum { AMP_PRIV_CHILD_ERRORS = 1000 };
    char *const text = errors ? calloc(1, AMP_PRIV_CHILD_ERRORS + 1) : NULL;
    if (text && fseek(errors, -(long)AMP_PRIV_CHILD_ERRORS, SEEK_END) != 0)
        rewind(errors);
    if (text && fread(text, 1, AMP_PRIV_CHILD_ERRORS, errors) == 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Waits for the child's end: was it late? */
AMP_PRIV_COLD bool amp_priv_child_wait(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFSIGNALED(status) &&
           (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGALRM);
}

/* Does the work in a child, in so many seconds of processor time (0: any number), without output of its own. */
AMP_PRIV_COLD amp_priv_child_result amp_priv_child_run(amp_priv_child_work work, const void *with,
                                                       unsigned long seconds, amp_priv_child_answer *answer)
{
    int ends[2];
    *answer = (amp_priv_child_answer){ 0, { 0, 0 }, { NULL, NULL } };
    if (pipe(ends) != 0)
        return AMP_PRIV_CHILD_NONE;
    FILE *const errors = tmpfile();
    const pid_t process = fork();
    if (process == 0)
        amp_priv_child_do(ends[1], errors, work, with, seconds);
    close(ends[1]);
    const bool answered = process > 0 && amp_priv_child_take(ends[0], answer);
    close(ends[0]);
    const bool late = process > 0 && amp_priv_child_wait(process);
    if (process > 0 && !answered)
        answer->data[1] = amp_priv_child_errors(errors);
    if (errors)
        fclose(errors);
    return answered      ? AMP_PRIV_CHILD_ANSWERED
           : process < 0 ? AMP_PRIV_CHILD_NONE
           : late        ? AMP_PRIV_CHILD_LATE
                         : AMP_PRIV_CHILD_ENDED;
}

#else

AMP_PRIV_GLOBAL_MUTEX_OF_ALL(amp_priv_child_lock)

/* Does the work here. */
AMP_PRIV_COLD amp_priv_child_result amp_priv_child_run(amp_priv_child_work work, const void *with,
                                                       unsigned long seconds, amp_priv_child_answer *answer)
{
    (void)seconds;
    *answer = (amp_priv_child_answer){ 0, { 0, 0 }, { NULL, NULL } };
    amp_priv_lock(&amp_priv_child_lock);
    work(with, answer);
    amp_priv_unlock(&amp_priv_child_lock);
    return AMP_PRIV_CHILD_ANSWERED;
}

#endif

#endif /* AMP_BASE_OS_CHILD_H */
