/* SPDX-License-Identifier: MIT */
/*  amp/base/error.h - reports, locks, the log

    Contents (search for the tag):
        >>report  >>module  >>locks  >>log */
#ifndef AMP_BASE_ERROR_H
#define AMP_BASE_ERROR_H

#include "shared_state.h"
#include "status.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

AMP_PRIV_API const char *amp_status_name(amp_status status)
{
#define AMP_PRIV_STATUS_STRING(name, text) #name,
    static const char *const names[] = { AMP_STATUS_LIST(AMP_PRIV_STATUS_STRING) };
#undef AMP_PRIV_STATUS_STRING
    return (unsigned)status < AMP_PRIV_STATUS_COUNT ? names[status] : "unknown status";
}

AMP_PRIV_API const char *amp_status_text(amp_status status)
{
#define AMP_PRIV_STATUS_STRING(name, text) text,
    static const char *const texts[] = { AMP_STATUS_LIST(AMP_PRIV_STATUS_STRING) };
#undef AMP_PRIV_STATUS_STRING
    return (unsigned)status < AMP_PRIV_STATUS_COUNT ? texts[status] : "unknown status";
}

/* The handler and its user pointer change together: pair[version % 2] is theirs, the other one is for the next. */
typedef struct amp_priv_error_state {
    struct {
        _Atomic(amp_error_handler) handler;
        _Atomic(void *) user;
    } pair[2];
    atomic_uint version;
    atomic_bool changing;
    atomic_int log_level; /* 0: not read from AMP_LOG yet */
} amp_priv_error_state;

AMP_PRIV_GLOBAL_OF_ALL(amp_priv_error_state, amp_priv_errors)

/* Before abort: a trace is ended. */
typedef void (*amp_priv_last_words)(void);
AMP_PRIV_GLOBAL(amp_priv_last_words, amp_priv_end_trace)

enum { AMP_PRIV_MESSAGE_SIZE = 16384 /* a failed build shows source and log */ };

typedef struct amp_priv_error_record {
    amp_status status;
    amp_status launch; /* of the latest launch */
    bool in_launch;    /* the next report is the launch's status */
    unsigned reports;  /* so far: of errors that were delivered or kept */
    unsigned dropped;  /* and of others */
    char message[AMP_PRIV_MESSAGE_SIZE];
} amp_priv_error_record;

/* 16 KiB of each thread's memory, whether it fails or not. Allocated at its first error, the record would have to be
   freed at the thread's end, also in a child made by fork, and replaced where there is no memory. */
AMP_PRIV_GLOBAL_THREAD_OF_ALL(amp_priv_error_record, amp_priv_last_error)

/* What happens to this thread's errors: delivered to the handler; kept as the last error only (a future delivers them
   later); dropped. */
enum { AMP_PRIV_ERRORS_DELIVERED, AMP_PRIV_ERRORS_KEPT, AMP_PRIV_ERRORS_DROPPED };
AMP_PRIV_GLOBAL_THREAD_OF_ALL(int, amp_priv_error_mode)

/* Another mode from here on; `before` goes to ..._end. */
static inline int amp_priv_error_mode_begin(int mode)
{
    const int before = amp_priv_error_mode;
    amp_priv_error_mode = mode;
    return before;
}
static inline void amp_priv_error_mode_end(int before) { amp_priv_error_mode = before; }

/* How many of the library's locks this thread holds, and whether the handler waits for them to be free: see >>locks. */
AMP_PRIV_GLOBAL_THREAD_OF_ALL(int, amp_priv_locked)
AMP_PRIV_GLOBAL_THREAD_OF_ALL(bool, amp_priv_delivery_pending)

AMP_PRIV_API void amp_set_error_handler(amp_error_handler handler, void *user)
{
    amp_priv_error_state *const state = &amp_priv_errors;
    while (atomic_exchange(&state->changing, true))
        amp_priv_thread_yield();
    const unsigned next = atomic_load(&state->version) + 1;
    atomic_store(&state->pair[next % 2].handler, handler);
    atomic_store(&state->pair[next % 2].user, user);
    atomic_store(&state->version, next);
    atomic_store(&state->changing, false);
}

AMP_PRIV_API amp_status amp_last_error(void) { return amp_priv_last_error.status; }

AMP_PRIV_API amp_status amp_launch_status(void) { return amp_priv_last_error.launch; }

AMP_PRIV_API const char *amp_last_error_message(void) { return amp_priv_last_error.message; }

AMP_PRIV_API void amp_clear_error(void)
{
    amp_priv_last_error.status = AMP_OK;
    amp_priv_last_error.message[0] = '\0';
}

/* // >>report */

/* The status of a launch is that of its first report. */
static inline void amp_priv_launch_failed(amp_status status)
{
    amp_priv_last_error.launch = status;
    amp_priv_last_error.in_launch = false;
}

/* The handler, NULL for the default, and its user pointer. */
AMP_PRIV_COLD amp_error_handler amp_priv_handler(void **user)
{
    amp_priv_error_state *const state = &amp_priv_errors;
    for (;;) {
        const unsigned version = atomic_load(&state->version);
        const amp_error_handler handler = atomic_load(&state->pair[version % 2].handler);
        *user = atomic_load(&state->pair[version % 2].user);
        if (atomic_load(&state->version) == version)
            return handler;
    }
}

/* The default handler returns: AMP_BREAK_AT, whose stop comes after the report of a device. */
AMP_PRIV_GLOBAL(atomic_bool, amp_priv_continues)

/* Gives this thread's last error to the handler. */
AMP_PRIV_COLD void amp_priv_deliver(void)
{
    const amp_error error = { amp_priv_last_error.status, amp_priv_last_error.message };
    void *user;
    const amp_error_handler handler = amp_priv_handler(&user);
    amp_priv_delivery_pending = false;
    if (handler) {
        handler(&error, user);
        return;
    }
    fflush(stdout);
    fprintf(stderr, "amp: %s: %s\n", amp_status_name(error.status), error.message);
    if (atomic_load_explicit(&amp_priv_continues, memory_order_relaxed))
        return;
    if (amp_priv_end_trace)
        amp_priv_end_trace();
    abort();
}

/* Reports a failed call: where, and what in printf's way. */
AMP_PRIV_COLD amp_status amp_priv_report_at(amp_status status, const char *where, const char *format, va_list arguments)
{
    if (amp_priv_error_mode == AMP_PRIV_ERRORS_DROPPED) {
        amp_priv_last_error.dropped++;
        return status;
    }
    char *const message = amp_priv_last_error.message;
    const size_t room = sizeof amp_priv_last_error.message;
    amp_priv_last_error.status = status;
    amp_priv_last_error.reports++;
    if (amp_priv_last_error.in_launch)
        amp_priv_launch_failed(status);
    const int length = snprintf(message, room, "%s", where);
    if (length >= 0 && (size_t)length < room)
        vsnprintf(message + length, room - (size_t)length, format, arguments);
    if (amp_priv_error_mode == AMP_PRIV_ERRORS_KEPT)
        return status;
    void *user;
    amp_priv_delivery_pending = true;
    if (amp_priv_locked == 0 || !amp_priv_handler(&user)) /* the default ends the program where the error is */
        amp_priv_deliver();
    return status;
}

/* Reports a failed call: printf format and arguments. Returns the status for `return amp_priv_report(...)`. */
AMP_PRIV_PRINTF(2, 3) AMP_PRIV_COLD amp_status amp_priv_report(amp_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    amp_priv_report_at(status, "", format, arguments);
    va_end(arguments);
    return status;
}

/* The status of what was reported just now: an error, even if it was dropped. */
static inline amp_status amp_priv_failed(void)
{
    return amp_priv_last_error.status != AMP_OK ? amp_priv_last_error.status : AMP_RUNTIME_ERROR;
}

/* "(8, -1, 8)" for messages. */
AMP_PRIV_COLD const char *amp_priv_list(char *text, size_t size, const int *values, int count)
{
    size_t used = 0;
    for (int d = 0; d < count && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", d ? ", " : "(", values[d]);
    if (used + 1 < size)
        snprintf(text + used, size - used, ")");
    return text;
}

/* // >>module */

/* At the first call of a program or library, and where this file differs from another one of it. */
AMP_PRIV_COLD bool amp_priv_module_begin(void)
{
    if (!atomic_exchange(&amp_priv_module.begun, true))
        amp_priv_library_pin(&amp_priv_module); /* others may call its functions from now on */
    if (amp_priv_module.stamp == amp_priv_stamp)
        return true;
    if (!atomic_exchange(&amp_priv_module.told, true))
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "two files of this program include amp.h with different options: one is \"%s\", the other \"%s\"; "
            "give every file the same -D options and the same amp.h",
            amp_priv_module.stamp, amp_priv_stamp);
    return false;
}

/* False, after reporting once, when this file was built with other options than one that it is linked with. */
static inline bool amp_priv_same_build(void)
{
    return (__builtin_expect(amp_priv_module.stamp == amp_priv_stamp, 1) &&
            __builtin_expect(atomic_load_explicit(&amp_priv_module.begun, memory_order_relaxed), 1)) ||
           amp_priv_module_begin();
}

/* Reports an object of another library's runtime, or one without a stamp, which was released: what "this view" is, in
   `call`. */
AMP_PRIV_COLD amp_status amp_priv_report_foreign(const void *object, const char *call, const char *what)
{
    const char *stamp;
    memcpy(&stamp, object, sizeof stamp);
    if (!*stamp)
        return amp_priv_report(AMP_UNINITIALIZED_OBJECT, "%s: %s was already released through a copy of it", call,
                               what);
    if (strcmp(stamp, amp_priv_stamp) != 0)
        return amp_priv_report(AMP_RUNTIME_ERROR,
                               "%s: %s comes from a library that was built with other options: there amp.h is \"%s\", "
                               "here it is \"%s\"; build both with the same, or pass pointers and sizes",
                               call, what, stamp, amp_priv_stamp);
    return amp_priv_report(
        AMP_RUNTIME_ERROR,
        "%s: %s comes from another part of this process, which has its own copy of the library's state, because the "
        "linker hid it; link the program with -rdynamic, and libraries without -Bsymbolic and without a version script "
        "that hides symbols that begin with \"amp.\"",
        call, what);
}

/* // >>locks
   All locks of the library are taken and left here. What fails meanwhile is reported to the handler when this thread
   has left the last of them, so that the handler may call the library.                                    */

/* This thread holds no lock, or the program ends: in checked builds and in tests. */
static inline void amp_priv_lock_none(void)
{
#if defined(AMP_CHECKED) || defined(AMP_PRIV_ADDED_DEVICES)
    if (__builtin_expect(amp_priv_locked != 0, 0)) {
        fprintf(stderr, "amp: error in the library: a lock is held where asynchronous work is awaited\n");
        abort();
    }
#endif
}

static inline void amp_priv_lock(amp_priv_mutex *lock)
{
    amp_priv_locked++;
    amp_priv_mutex_take(lock);
}

static inline void amp_priv_unlock(amp_priv_mutex *lock)
{
    amp_priv_mutex_leave(lock);
    if (__builtin_expect(--amp_priv_locked == 0 && amp_priv_delivery_pending, 0))
        amp_priv_deliver();
}

/* // >>log
   AMP_LOG in the environment: error (nothing but errors), warning (the default), info.                */
enum { AMP_PRIV_LOG_ERROR = 1, AMP_PRIV_LOG_WARNING, AMP_PRIV_LOG_INFO };

AMP_PRIV_COLD int amp_priv_log_level(void)
{
    int level = atomic_load_explicit(&amp_priv_errors.log_level, memory_order_relaxed);
    if (level == 0) {
        const char *name = amp_priv_environment("AMP_LOG");
        level = !name || !name[0] || !strcmp(name, "warning") ? AMP_PRIV_LOG_WARNING
                : !strcmp(name, "info")                       ? AMP_PRIV_LOG_INFO
                : !strcmp(name, "error")                      ? AMP_PRIV_LOG_ERROR
                                                              : 0;
        if (level == 0) {
            fprintf(stderr, "amp: warning: AMP_LOG is \"%s\"; it can be error, warning or info\n", name);
            level = AMP_PRIV_LOG_WARNING;
        }
        atomic_store(&amp_priv_errors.log_level, level);
    }
    return level;
}

/* Writes one line to stderr if AMP_LOG permits that level. */
AMP_PRIV_PRINTF(2, 3) AMP_PRIV_COLD void amp_priv_log(int level, const char *format, ...)
{
    if (level > amp_priv_log_level())
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "amp: %s", level == AMP_PRIV_LOG_WARNING ? "warning: " : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

#endif /* AMP_BASE_ERROR_H */
