/* SPDX-License-Identifier: MIT */
/*  amp/api/future.h - asynchronous operations

    Contents (search for the tag):
        >>future  >>public */
#ifndef AMP_API_FUTURE_H
#define AMP_API_FUTURE_H

#include "accelerator.h"

/* // >>future */

/* amp_future: an asynchronous operation: a handle, passed by value.
   All zero is no operation.
   Source: completion_future. */
typedef union amp_future {
    struct amp_priv_future *amp_priv_future; /* { NULL } sets the union */
    struct {
        void *amp_priv_record; /* the same pointer, and the record's generation when the future was made */
        unsigned amp_priv_generation;
    };
} amp_future;

/* // >>public
   f  amp_future
   Threads: any. */

/* amp_future_valid(f): checks whether a future has an operation.
   Result: false for {0} and after amp_future_release.
   Errors: none. Blocking: no. Cost: none. Source: completion_future::valid. */
AMP_PRIV_API bool amp_future_valid(amp_future future);

/* amp_future_wait(f): waits until the operation has finished, also with an error, and its callbacks have run.
   Callbacks that are added meanwhile may run later.
   Result: amp_status of the wait.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: yes. Cost: none. Source: completion_future::wait. */
AMP_PRIV_API amp_status amp_future_wait(amp_future future);

/* amp_future_is_done(f): checks whether the operation has finished.
   Result: true once it has finished, also with an error.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Cost: none. Source: completion_future::wait_for(0). */
AMP_PRIV_API bool amp_future_is_done(amp_future future);

/* amp_future_get(f): waits, and reports the operation's error on this thread.
   Result: the operation's amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT, those of the operation. Blocking: yes. Cost: none. Source:
   completion_future::get. */
AMP_PRIV_API amp_status amp_future_get(amp_future future);

/* amp_future_then(f, function, user): calls function(user) when the operation has finished, also with an error.
   It is called at once and on this thread if the operation has finished, else on the library's worker thread.
   function  the callback
   user  the callback's argument
   Result: amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY. Blocking: no. Cost: none. Source: completion_future::then. */
AMP_PRIV_API amp_status amp_future_then(amp_future future, void (*function)(void *user), void *user);

/* amp_future_release(f): releases a future; the operation continues.
   *f is {0} then. {0} is ignored. A copy of the future is refused afterwards.
   f  the address of an amp_future
   Result: amp_status.
   Errors: AMP_UNINITIALIZED_OBJECT (it was released through a copy), AMP_RUNTIME_ERROR (the future is of a library
   with other options). An error of the operation that
   amp_future_get did not return is logged as a warning. Blocking: no. Cost: none. Source: the destructor of
   completion_future. */
AMP_PRIV_API amp_status amp_future_release(amp_future *future);

/* amp_accelerator_view_create_marker(v): makes a future that is done when all commands submitted to a view so far
   have finished.
   v  amp_accelerator_view
   Result: amp_future, to be released; {0} after an error.
   Errors: AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY. Blocking: no. Cost: a command. Source:
   accelerator_view::create_marker. */
AMP_PRIV_API amp_future amp_accelerator_view_create_marker(amp_accelerator_view view);

#endif /* AMP_API_FUTURE_H */
