/* SPDX-License-Identifier: MIT */
/*  amp/api/future.h - asynchronous operations

    Contents (search for the tag):
        >>future  >>public */
#ifndef AMP_API_FUTURE_H
#define AMP_API_FUTURE_H

#include "accelerator.h"

/* // >>future */

/* What an asynchronous operation gives: a handle, passed by value. All zero is a future of nothing. */
typedef struct amp_future {
    struct amp_priv_future *amp_priv_future;
} amp_future;

/* // >>public
   Threads: all of these are safe from any thread. */

/* amp_future_valid(f): does it stand for an operation? False for {0}, and after release.
   Errors: none. Blocking: no. Source: completion_future::valid. */
AMP_PRIV_API bool amp_future_valid(amp_future future);

/* amp_future_wait(f): returns when the operation has finished, well or not, and the callbacks that it had by then
   have run. Errors: AMP_UNINITIALIZED_OBJECT. Blocking: yes. Source: completion_future::wait. */
AMP_PRIV_API amp_status amp_future_wait(amp_future future);

/* amp_future_is_done(f): has the operation finished? Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no.
   Source: completion_future::wait_for(0). */
AMP_PRIV_API bool amp_future_is_done(amp_future future);

/* amp_future_get(f): waits, and gives the operation's status. Where that is an error, reports it, on this thread.
   Errors: AMP_UNINITIALIZED_OBJECT, and whatever the operation met. Blocking: yes. Source: completion_future::get. */
AMP_PRIV_API amp_status amp_future_get(amp_future future);

/* amp_future_then(f, function, user): calls function(user) when the operation has finished, well or not: at once and
   on this thread if it has already, else on the library's worker thread.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_OUT_OF_MEMORY. Blocking: no. Source: completion_future::then. */
AMP_PRIV_API amp_status amp_future_then(amp_future future, void (*function)(void *user), void *user);

/* amp_future_release(&f): forgets the operation, which goes on. f is {0} afterwards. Nothing happens to {0}.
   Errors: none; one that amp_future_get did not return is logged as a warning. Blocking: no. Source: the destructor. */
AMP_PRIV_API void amp_future_release(amp_future *future);

/* amp_accelerator_view_create_marker(v): a future that is done when all that was submitted to v so far has finished.
   Release it. Errors: AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY; the future is {0} then.
   Blocking: no. Source: accelerator_view::create_marker. */
AMP_PRIV_API amp_future amp_accelerator_view_create_marker(amp_accelerator_view view);

#endif /* AMP_API_FUTURE_H */
