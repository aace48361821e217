/* SPDX-License-Identifier: MIT */
/*  amp/base/status.h - status values, the error handler, the last error

    A call that fails calls the error handler, and sets the last error of its thread (amp_last_error). The default
    handler prints the message and aborts, like an uncaught C++ exception. If the handler returns, the operation is
    skipped and host data are unchanged.

    Contents (search for the tag):
        >>status  >>handler */
#ifndef AMP_BASE_STATUS_H
#define AMP_BASE_STATUS_H

#include "linkage.h"

#include <stdint.h>

/* AMP_VERSION: the version of these headers, as a string.
   AMP_VERSION_NUMBER: the same as a number for #if: 10000 * major + 100 * minor + patch.
   Source: none. */
#define AMP_VERSION        "0.1.0"
#define AMP_VERSION_NUMBER 100

/* // >>status
   AMP_STATUS_LIST(X): expands X(name, text) for each status.
   It makes the enumeration, the texts and the table in docs/errors.md.
   X  a macro of two parameters
   Result: none; an expansion.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: none. */
#define AMP_STATUS_LIST(X)                                                                                             \
    X(AMP_OK, "no error")                                                                                              \
    X(AMP_RUNTIME_ERROR, "an operation that the object or the device does not allow, or that failed") \
    X(AMP_INVALID_ARGUMENT, "a bad argument: NULL, an extent, rank, length, access type or path") \
    X(AMP_INVALID_COMPUTE_DOMAIN, "a launch over an extent that is negative, too large or not divisible by its tile")  \
    X(AMP_OUT_OF_MEMORY, "no memory left on the host or on the device")                                                \
    X(AMP_UNSUPPORTED_FEATURE, "the accelerator lacks what the kernel needs")                                          \
    X(AMP_ACCELERATOR_VIEW_REMOVED, "the device is gone: reset, unplugged or taken away")                              \
    X(AMP_UNINITIALIZED_OBJECT, "a view, array or future that was never created, or already released")                 \
    X(AMP_COMPILATION_FAILED, "the device compiler refused a kernel, or its text cannot be a kernel")

#define AMP_PRIV_STATUS_NAME(name, text) name,
/* amp_status: the result of a call.
   AMP_OK: no error.
   AMP_RUNTIME_ERROR: an operation that the state of the object, of the device or of the driver does not allow.
   AMP_INVALID_ARGUMENT: a wrong argument: NULL, an extent, rank, length, access type or path.
   AMP_INVALID_COMPUTE_DOMAIN: a launch over an extent that is negative, too large or not divisible by its tile.
   AMP_OUT_OF_MEMORY: no memory left on the host or on the device.
   AMP_UNSUPPORTED_FEATURE: the accelerator lacks what the kernel needs.
   AMP_ACCELERATOR_VIEW_REMOVED: the device is lost: reset, unplugged or taken away.
   AMP_UNINITIALIZED_OBJECT: a view, array or future that was never created, or is already released.
   AMP_COMPILATION_FAILED: the device compiler refused a kernel, or its source cannot be a kernel.
   Source: runtime_exception and its derived classes. */
typedef enum amp_status { AMP_STATUS_LIST(AMP_PRIV_STATUS_NAME) AMP_PRIV_STATUS_COUNT } amp_status;
#undef AMP_PRIV_STATUS_NAME

/* amp_status_name(s): the name of a status: "AMP_OK".
   amp_status_text(s): what a status means: "no error".
   s  amp_status
   Result: a string, never NULL.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: exception types and their messages. */
AMP_PRIV_API const char *amp_status_name(amp_status status);

AMP_PRIV_API const char *amp_status_text(amp_status status);

/* // >>handler */

/* amp_error: an error, as the error handler gets it.
   status  member, amp_status
   message  member, const char *: the call, the argument, its value, and what to do
   Source: runtime_exception. */
typedef struct amp_error {
    amp_status status;
    const char *message;
} amp_error;

/* amp_error_handler: a function that gets errors: see amp_set_error_handler.
   error  the error, valid during the call
   user  the pointer given to amp_set_error_handler
   Source: catch (runtime_exception &). */
typedef void (*amp_error_handler)(const amp_error *error, void *user);

/* amp_set_error_handler(handler, user): sets the function that gets all errors from now on, on every thread.
   handler  called on the failing thread; NULL is the default, which prints and aborts. It may call the library, and
            leave by longjmp (which releases no views)
   user  a pointer for the handler
   Errors: none. Blocking: no. Threads: any; the old handler may still run on others when this returns. Cost: none.
   Source: catch (runtime_exception &). */
AMP_PRIV_API void amp_set_error_handler(amp_error_handler handler, void *user);

/* amp_last_error(): the status of this thread's last failed call.
   amp_last_error_message(): the message of this thread's last failed call.
   Both stay until amp_clear_error or the next failed call.
   Result: amp_status, AMP_OK if no call has failed; a string, valid until this thread's next failed call, "" if no
   call has failed.
   Errors: none. Blocking: no. Threads: each has its own. Cost: none. Source: runtime_exception::get_error_code,
   what. */
AMP_PRIV_API amp_status amp_last_error(void);

AMP_PRIV_API const char *amp_last_error_message(void);

/* amp_launch_status(): the status of this thread's latest launch.
   A launch on a device is asynchronous. An error while it runs is reported by the call that waits for it
   (amp_accelerator_view_wait, an access), and does not change this status.
   Result: AMP_OK if the CPU backend has run the launch or a device has accepted it, and before the first launch;
   else the status that was reported.
   Errors: none. Blocking: no. Threads: each has its own. Cost: none. Source: none; there a launch throws. */
AMP_PRIV_API amp_status amp_launch_status(void);

/* amp_clear_error(): forgets this thread's last error.
   Errors: none. Blocking: no. Threads: each has its own. Cost: none. Source: none. */
AMP_PRIV_API void amp_clear_error(void);

/* Nanoseconds since 1970. */
AMP_PRIV_API uint64_t amp_priv_now(void);

#endif /* AMP_BASE_STATUS_H */
