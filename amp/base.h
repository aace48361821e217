/* SPDX-License-Identifier: MIT */
/*  amp/base.h - status values, the error handler, the log, and what all files of a program share.

    A call that fails reports to the error handler and leaves its status and message in this thread's
    amp_last_error(). The default handler prints and aborts, as an uncaught C++ exception does. With a
    handler that returns, the operation is skipped and host data are as they were.

    Contents (search for the tag):
        >>status  >>stamp  >>handler  >>report  >>module  >>locks  >>log                             */
#ifndef AMP_BASE_H
#define AMP_BASE_H

#include "os.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What launches on devices take: one out-of-line copy per file; without a backend for devices it is cold. A part is one
   that a single one of them calls. */
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA)
#define AMP_PRIV_FOR_DEVICES      AMP_PRIV_WARM
#define AMP_PRIV_FOR_DEVICES_PART AMP_PRIV_WARM_PART
#else
#define AMP_PRIV_FOR_DEVICES      AMP_PRIV_COLD
#define AMP_PRIV_FOR_DEVICES_PART AMP_PRIV_COLD
#endif

/* The version of these headers. */
#define AMP_VERSION "0.1.0"

/* // >>status
   One list makes the enumeration, the texts and the table in docs/errors.md. */
#define AMP_STATUS_LIST(X)                                                                                             \
    X(AMP_OK, "no error")                                                                                              \
    X(AMP_RUNTIME_ERROR, "a bad argument, or an operation that the object does not allow")                             \
    X(AMP_INVALID_COMPUTE_DOMAIN, "a launch over an extent that is negative, too large or not divisible by its tile")  \
    X(AMP_OUT_OF_MEMORY, "no memory left on the host or on the device")                                                \
    X(AMP_UNSUPPORTED_FEATURE, "the accelerator lacks what the kernel needs")                                          \
    X(AMP_ACCELERATOR_VIEW_REMOVED, "the device is gone: reset, unplugged or taken away")                              \
    X(AMP_UNINITIALIZED_OBJECT, "a view, array or future that was never created, or already released")                 \
    X(AMP_COMPILATION_FAILED, "the device compiler refused a kernel, or its text cannot be a kernel")

#define AMP_PRIV_STATUS_NAME(name, text) name,
/* What became of a call. */
typedef enum amp_status { AMP_STATUS_LIST(AMP_PRIV_STATUS_NAME) AMP_PRIV_STATUS_COUNT } amp_status;
#undef AMP_PRIV_STATUS_NAME

/* amp_status_name(s), amp_status_text(s): "AMP_OK", "no error"; never NULL.
   Errors: none. Blocking: no. Threads: any. Source: exception types and their messages.               */
static inline const char *amp_status_name(amp_status status)
{
#define AMP_PRIV_STATUS_STRING(name, text) #name,
    static const char *const names[] = { AMP_STATUS_LIST(AMP_PRIV_STATUS_STRING) };
#undef AMP_PRIV_STATUS_STRING
    return (unsigned)status < AMP_PRIV_STATUS_COUNT ? names[status] : "unknown status";
}

static inline const char *amp_status_text(amp_status status)
{
#define AMP_PRIV_STATUS_STRING(name, text) text,
    static const char *const texts[] = { AMP_STATUS_LIST(AMP_PRIV_STATUS_STRING) };
#undef AMP_PRIV_STATUS_STRING
    return (unsigned)status < AMP_PRIV_STATUS_COUNT ? texts[status] : "unknown status";
}

/* // >>stamp
   What the files of a process share, in programs and libraries. Files built with the same options share a runtime:
   accelerators, the worker, traces. Libraries built otherwise have their own. The symbols' names and the stamp say
   which. All share the error handler, the last error and the log. */

#if defined(AMP_BACKEND_OPENCL) && defined(AMP_BACKEND_CUDA)
#define AMP_PRIV_STAMP_BACKEND "AMP_BACKEND_OPENCL.AMP_BACKEND_CUDA"
#elif defined(AMP_BACKEND_OPENCL)
#define AMP_PRIV_STAMP_BACKEND "AMP_BACKEND_OPENCL"
#elif defined(AMP_BACKEND_CUDA)
#define AMP_PRIV_STAMP_BACKEND "AMP_BACKEND_CUDA"
#else
#define AMP_PRIV_STAMP_BACKEND "AMP_BACKEND_CPU"
#endif
#if defined(AMP_CHECKED)
#define AMP_PRIV_STAMP_CHECKED " AMP_CHECKED"
#define AMP_PRIV_LABEL_CHECKED ".checked"
#else
#define AMP_PRIV_STAMP_CHECKED ""
#define AMP_PRIV_LABEL_CHECKED ""
#endif
#define AMP_PRIV_STAMP                                                                                                 \
    "amp " AMP_VERSION ", " AMP_PRIV_STAMP_BACKEND AMP_PRIV_STAMP_CHECKED                                              \
    ", AMP_MAX_RANK=" AMP_PRIV_TEXT(AMP_MAX_RANK)
#define AMP_PRIV_LABEL(name)                                                                                           \
    AMP_PRIV_TEXT(__USER_LABEL_PREFIX__)                                                                               \
    "amp." AMP_VERSION "." AMP_PRIV_STAMP_BACKEND AMP_PRIV_LABEL_CHECKED "." AMP_PRIV_TEXT(AMP_MAX_RANK) "." #name
#define AMP_PRIV_LABEL_OF_ALL(name) AMP_PRIV_TEXT(__USER_LABEL_PREFIX__) "amp." AMP_VERSION "." #name

/* Shared state is named by AMP_PRIV_GLOBAL(type, name), ..._OF_ALL where builds share it, too, and ..._THREAD where
   each thread has its own. It begins as zeros: there is no place for another value. Only what locks is not zero on
   every system: AMP_PRIV_GLOBAL_LOCKS(type, name, mutex(member), ...) says which members do,
   AMP_PRIV_GLOBAL_MUTEX(name) is one alone.

   With glibc the definition is assembler, the only way to make a symbol unique: the loader then keeps one in a process,
   also of libraries that Python loads with RTLD_LOCAL. (Such a library stays loaded.) It is all zero then, as glibc's
   initial mutexes and conditions are. Elsewhere the symbols are weak, and the loader decides. Never hidden, whatever
   -fvisibility says.

   On Windows each program and each DLL has its own: what the linker of one makes one of. gcc knows no weak data there;
   common data do, which are zero, as Windows' mutexes are. A thread's have no label: gcc cannot give them one. */
#if !defined(AMP_PRIV_UNIQUE)
#if defined(__ELF__) && defined(__GLIBC__) && !defined(__UCLIBC__)
#define AMP_PRIV_UNIQUE 1
#else
#define AMP_PRIV_UNIQUE 0
#endif
#endif

#if AMP_PRIV_UNIQUE
/* A number, without the mark ('$', '#') that it has in most assemblers. */
#if defined(__s390__) || defined(__riscv)
#define AMP_PRIV_OPERAND(n) "%" #n
#else
#define AMP_PRIV_OPERAND(n) "%c" #n
#endif
/* A section of its own, of which the linker keeps one; contents: what stands in it. */
#define AMP_PRIV_UNIQUE_SYMBOL(section, flags, kind, label, size, align, contents)                                     \
    __asm__ volatile(".ifndef " label "\n\t.pushsection " section "." label ",\"" flags "\",%%" kind "," label         \
                     ",comdat\n\t.weak " label "\n\t.type " label ",%%gnu_unique_object\n\t.size " label               \
                     "," AMP_PRIV_OPERAND(0) "\n\t.balign " AMP_PRIV_OPERAND(1) "\n" label ":\n\t" contents            \
                     "\n\t.popsection\n\t.endif"                                                                       \
                     :                                                                                                 \
                     : "i"(size), "i"(align))
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern __attribute__((visibility("default"))) keyword type name __asm__(label);                                    \
    __attribute__((used, cold)) static void name##_here(void)                                                          \
    {                                                                                                                  \
        AMP_PRIV_UNIQUE_SYMBOL(section, flags, "nobits", label, sizeof(type), _Alignof(type),                          \
                               ".zero " AMP_PRIV_OPERAND(0));                                                          \
    }
extern __attribute__((visibility("default"))) const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
__attribute__((used, cold)) static void amp_priv_stamp_here(void)
{
    AMP_PRIV_UNIQUE_SYMBOL(".rodata", "aG", "progbits", AMP_PRIV_LABEL(stamp), sizeof AMP_PRIV_STAMP, 1,
                           ".asciz \"" AMP_PRIV_STAMP "\"");
}
#define AMP_PRIV_OF_MODULE __attribute__((weak, visibility("hidden")))

#elif defined(_WIN32)

#define AMP_PRIV_OF_MODULE __attribute__((selectany))
#if defined(__clang__)
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern keyword type name __asm__(label);                                                                           \
    AMP_PRIV_OF_MODULE keyword type name __VA_ARGS__;
#else
#define AMP_PRIV_WINDOWS_GLOBAL(type, name, label) __attribute__((common)) type name __asm__(label);
#define AMP_PRIV_WINDOWS_GLOBAL_Thread_local(type, name, label)                                                        \
    AMP_PRIV_OF_MODULE _Thread_local type name = { 0 };
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    AMP_PRIV_CAT(AMP_PRIV_WINDOWS_GLOBAL, keyword)(type, name, label)
#endif
extern const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
#define AMP_PRIV_LABEL_OF_STAMP AMP_PRIV_LABEL(stamp)
__asm__(".ifndef " AMP_PRIV_LABEL_OF_STAMP "\n\t.section .rdata$" AMP_PRIV_LABEL_OF_STAMP ",\"dr\"\n\t"
        ".linkonce discard\n\t.globl " AMP_PRIV_LABEL_OF_STAMP "\n" AMP_PRIV_LABEL_OF_STAMP ":\n\t"
        ".asciz \"" AMP_PRIV_STAMP "\"\n\t.text\n\t.endif");

#else

#define AMP_PRIV_OF_MODULE __attribute__((weak, visibility("hidden")))
#define AMP_PRIV_GLOBAL_(keyword, section, flags, type, name, label, ...)                                              \
    extern keyword type name __asm__(label);                                                                           \
    __attribute__((weak, visibility("default"))) keyword type name __VA_ARGS__;
extern const char amp_priv_stamp[] __asm__(AMP_PRIV_LABEL(stamp));
__attribute__((weak, visibility("default"))) const char amp_priv_stamp[] = AMP_PRIV_STAMP;
#endif
#define AMP_PRIV_GLOBAL(type, name) AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL(name), )
#define AMP_PRIV_GLOBAL_LOCKS(type, name, ...)                                                                         \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL(name),                                                \
                     = { AMP_PRIV_EACH(AMP_PRIV_READY, ~, (__VA_ARGS__)) })
#define AMP_PRIV_READY(n, unused, lock)  AMP_PRIV_READY_##lock
#define AMP_PRIV_READY_mutex(member)     .member = AMP_PRIV_MUTEX_INIT,
#define AMP_PRIV_READY_condition(member) .member = AMP_PRIV_CONDITION_INIT,
#define AMP_PRIV_READY_once(member)      .member = AMP_PRIV_ONCE_INIT,
#define AMP_PRIV_GLOBAL_MUTEX(name)                                                                                    \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", amp_priv_mutex, name, AMP_PRIV_LABEL(name), = AMP_PRIV_MUTEX_INIT)
#define AMP_PRIV_GLOBAL_THREAD(type, name)                                                                             \
    AMP_PRIV_GLOBAL_(_Thread_local, ".tbss", "awTG", type, name, AMP_PRIV_LABEL(name), )
#define AMP_PRIV_GLOBAL_OF_ALL(type, name)                                                                             \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", type, name, AMP_PRIV_LABEL_OF_ALL(name), )
#define AMP_PRIV_GLOBAL_MUTEX_OF_ALL(name)                                                                             \
    AMP_PRIV_GLOBAL_(, ".bss", "awG", amp_priv_mutex, name, AMP_PRIV_LABEL_OF_ALL(name), = AMP_PRIV_MUTEX_INIT)
#define AMP_PRIV_GLOBAL_THREAD_OF_ALL(type, name)                                                                      \
    AMP_PRIV_GLOBAL_(_Thread_local, ".tbss", "awTG", type, name, AMP_PRIV_LABEL_OF_ALL(name), )

/* What the linker makes one of in each program and in each library: the stamp of one of its files. */
typedef struct amp_priv_module_state {
    const char *stamp;
    atomic_bool begun, told; /* a difference is told once */
} amp_priv_module_state;

AMP_PRIV_OF_MODULE amp_priv_module_state amp_priv_module = { amp_priv_stamp, false, false };

/* Accelerators, queues, sources and futures begin with the stamp of their runtime, in every version: a library knows
   those of another one by that. */
static inline bool amp_priv_is_ours(const void *object)
{
    const char *stamp;
    memcpy(&stamp, object, sizeof stamp);
    return __builtin_expect(stamp == amp_priv_stamp, 1);
}

/* // >>handler */

/* What a failed call says. message names the call, the argument, its values and the cure. */
typedef struct amp_error {
    amp_status status;
    const char *message;
} amp_error;

/* Who hears of errors: see amp_set_error_handler. */
typedef void (*amp_error_handler)(const amp_error *error, void *user);

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

/* amp_set_error_handler(handler, user): who hears of errors from now on, on every thread.
   handler  called on the failing thread with the error and user; NULL is the default (print and abort). It holds no
            lock of the library's: it may call it, and leave by longjmp (which releases no views, as ever).
   Errors: none. Blocking: no. Threads: any; the old handler may still run on others when this returns.
   Source: catch (runtime_exception&). */
static inline void amp_set_error_handler(amp_error_handler handler, void *user)
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

/* amp_last_error(): the status of this thread's last failed call, AMP_OK if none since amp_clear_error().
   Errors: none. Blocking: no. Threads: each has its own. Source: runtime_exception::get_error_code.   */
static inline amp_status amp_last_error(void) { return amp_priv_last_error.status; }

/* amp_last_error_message(): the message that belongs to amp_last_error(); "" when there is none.
   Valid until this thread's next failed call. Source: runtime_exception::what.                        */
static inline const char *amp_last_error_message(void) { return amp_priv_last_error.message; }

/* amp_clear_error(): forgets this thread's last error. */
static inline void amp_clear_error(void)
{
    amp_priv_last_error.status = AMP_OK;
    amp_priv_last_error.message[0] = '\0';
}

/* // >>report */

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
    if (amp_priv_end_trace)
        amp_priv_end_trace();
    abort();
}

/* Reports a failed call: where, and what in printf's way. */
AMP_PRIV_COLD amp_status amp_priv_report_at(amp_status status, const char *where, const char *format, va_list arguments)
{
    if (amp_priv_error_mode == AMP_PRIV_ERRORS_DROPPED)
        return status;
    char *const message = amp_priv_last_error.message;
    const size_t room = sizeof amp_priv_last_error.message;
    amp_priv_last_error.status = status;
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

/* The status of what was reported just now: an error, even if it was to be heard by nobody. */
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

/* False, once told, when this file was built with other options than one that it is linked with. */
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
        return amp_priv_report(AMP_UNINITIALIZED_OBJECT, "%s: %s was already released, by another name that it had",
                               call, what);
    if (strcmp(stamp, amp_priv_stamp) != 0)
        return amp_priv_report(AMP_RUNTIME_ERROR,
                               "%s: %s comes from a library that was built with other options: there amp.h is \"%s\", "
                               "here it is \"%s\"; build both with the same, or pass pointers and sizes",
                               call, what, stamp, amp_priv_stamp);
    return amp_priv_report(
        AMP_RUNTIME_ERROR,
        "%s: %s comes from another part of this process, with which this one does not share the library's state, as "
        "the linker hid it; link the program with -rdynamic, and libraries without -Bsymbolic and without a version "
        "script that hides symbols that begin with \"amp.\"",
        call, what);
}

/* // >>locks
   All locks of the library are taken and left here. What fails meanwhile is told to the handler when this thread has
   left the last of them, so that the handler may call the library.                                    */

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

/* Writes one line to stderr if the user wants to hear that level. */
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

#endif /* AMP_BASE_H */
