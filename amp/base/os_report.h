/* SPDX-License-Identifier: MIT */
/*  amp/base/os_report.h - the operating system, for reports: the time, a terminal, signals that end the program */
#ifndef AMP_BASE_OS_REPORT_H
#define AMP_BASE_OS_REPORT_H

#include "os.h"

/* The local time. */
AMP_PRIV_COLD void amp_priv_date(char *text, size_t size)
{
    const time_t now = time(NULL);
    const struct tm *const local = localtime(&now);
    if (!local || strftime(text, size, "%Y-%m-%d %H:%M:%S", local) == 0)
        text[0] = '\0';
}

#if defined(_WIN32)
AMP_PRIV_COLD bool amp_priv_errors_on_terminal(void) { return _isatty(2) != 0; }
#elif defined(__wasi__)
AMP_PRIV_COLD bool amp_priv_errors_on_terminal(void) { return false; }
#else
AMP_PRIV_COLD bool amp_priv_errors_on_terminal(void) { return isatty(STDERR_FILENO) != 0; }
#endif

/* What is to be called before a signal ends the program, if it would. That may have interrupted what holds a lock:
   then the program ends after two seconds. */
#if defined(__wasi__)
static inline void amp_priv_process_ends_by(void (*before)(void)) { (void)before; }
static inline void amp_priv_process_aborts(void) {}
#else
typedef void (*amp_priv_signal_handler)(int);
typedef void (*amp_priv_signal_use)(void);

static amp_priv_signal_use amp_priv_before_signal;
static atomic_int amp_priv_signal;                             /* the first one */
static amp_priv_signal_handler amp_priv_after_abort = SIG_DFL; /* another one's for SIGABRT */

AMP_PRIV_COLD void amp_priv_process_signal(int number)
{
    int first = 0;
    if (!atomic_compare_exchange_strong(&amp_priv_signal, &first, number)) {
        signal(first, SIG_DFL); /* it has failed, or takes too long */
        raise(first);
        return;
    }
    signal(number, number == SIGABRT ? amp_priv_after_abort : SIG_DFL);
#if defined(SIGALRM)
    signal(SIGALRM, amp_priv_process_signal);
    (void)alarm(2);
#endif
    amp_priv_before_signal();
    raise(number);
}

AMP_PRIV_COLD void amp_priv_process_ends_by(void (*before)(void))
{
    static const int numbers[] = {
        SIGINT,
        SIGTERM,
        SIGSEGV,
        SIGABRT,
        SIGFPE,
        SIGILL,
#if defined(SIGHUP)
        SIGHUP,
#endif
#if defined(SIGBUS)
        SIGBUS,
#endif
    };
    amp_priv_before_signal = before;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const amp_priv_signal_handler old = signal(numbers[i], amp_priv_process_signal);
        if (old != SIG_DFL && old != SIG_ERR)
            signal(numbers[i], old);
    }
}

/* Takes SIGABRT again: drivers with LLVM have it from their first use on, and abort() does not come back to what was
   there before. Their handler is called after this one. */
AMP_PRIV_COLD void amp_priv_process_aborts(void)
{
    const amp_priv_signal_handler old = signal(SIGABRT, amp_priv_process_signal);
    if (old == SIG_IGN)
        signal(SIGABRT, old);
    else if (old != SIG_ERR && old != amp_priv_process_signal)
        amp_priv_after_abort = old;
}
#endif

#endif /* AMP_BASE_OS_REPORT_H */
