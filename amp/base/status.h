/* SPDX-License-Identifier: MIT */
/*  amp/base/status.h - status values, the error handler, the last error

    A call that fails reports to the error handler and leaves its status and message in this thread's
    amp_last_error(). The default handler prints and aborts, as an uncaught C++ exception does. With a
    handler that returns, the operation is skipped and host data are as they were.

    Contents (search for the tag):
        >>status  >>handler */
#ifndef AMP_BASE_STATUS_H
#define AMP_BASE_STATUS_H

#include "linkage.h"

#include <stdint.h>

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
AMP_PRIV_API const char *amp_status_name(amp_status status);

AMP_PRIV_API const char *amp_status_text(amp_status status);

/* // >>handler */

/* The last error. message: the call, the argument, its value, and what to do. */
typedef struct amp_error {
    amp_status status;
    const char *message;
} amp_error;

/* Who hears of errors: see amp_set_error_handler. */
typedef void (*amp_error_handler)(const amp_error *error, void *user);

/* amp_set_error_handler(handler, user): who hears of errors from now on, on every thread.
   handler  called on the failing thread with the error and user; NULL is the default (print and abort). It holds no
            lock of the library's: it may call it, and leave by longjmp (which releases no views, as ever).
   Errors: none. Blocking: no. Threads: any; the old handler may still run on others when this returns.
   Source: catch (runtime_exception&). */
AMP_PRIV_API void amp_set_error_handler(amp_error_handler handler, void *user);

/* amp_last_error(): the status of this thread's last failed call, AMP_OK if none since amp_clear_error().
   Errors: none. Blocking: no. Threads: each has its own. Source: runtime_exception::get_error_code.   */
AMP_PRIV_API amp_status amp_last_error(void);

/* amp_last_error_message(): the message that belongs to amp_last_error(); "" when there is none.
   Valid until this thread's next failed call. Source: runtime_exception::what.                        */
AMP_PRIV_API const char *amp_last_error_message(void);

/* amp_clear_error(): forgets this thread's last error. */
AMP_PRIV_API void amp_clear_error(void);

/* Nanoseconds since 1970. */
AMP_PRIV_API uint64_t amp_priv_now(void);

#endif /* AMP_BASE_STATUS_H */
