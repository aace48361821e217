/* SPDX-License-Identifier: MIT */
/*  amp/api/recording.h - recordings: launches that are recorded once and replayed

    Contents (search for the tag):
        >>recording  >>public */
#ifndef AMP_API_RECORDING_H
#define AMP_API_RECORDING_H

#include "accelerator.h"

/* // >>recording */

/* amp_recording: recorded launches: a handle, passed by value.
   All zero is an empty recording: the program performs the launches itself.
   Source: none. */
typedef struct amp_recording {
    amp_priv_recording *amp_priv_recording;
} amp_recording;

/* // >>public
   amp_recording_begin(view): starts to record the launches of this thread on an accelerator view, which also run.
   amp_recording_end(): ends the recording.
   amp_recording_replay(recording): submits the recorded launches as one command.
   amp_recording_valid(recording): checks whether a recording can be replayed.
   amp_recording_release(recording): releases a recording; *recording is all zero then, and {0} is ignored.
   Copies within the accelerator are recorded, too. While a thread records, a launch that names no accelerator view
   is on `view`. Launches and copies that do not write what another one uses may run at the same time in a replay. A
   recording fixes the kernels, extents, views and the values of captures, but not the contents of views: a replay
   first copies what the host or another accelerator wrote meanwhile. What the host does between begin and end is not
   recorded, and its access to a view that a recorded launch uses is refused there. The views must live as long as
   the recording is replayed. Launches of other threads on the accelerator view are not recorded. On a group and on a
   streamed view launches alone are recorded, and a replay starts each of them again.
   view  amp_accelerator_view
   recording  amp_recording; for _release its address
   Result: amp_recording_end: amp_recording; all zero if nothing can be replayed: on the CPU backend,
   in checked builds, and after a failed launch. amp_recording_replay: false if the recording is all zero, so that
   the program performs the launches itself; else true, also after a reported error. amp_recording_valid: false if
   the recording is all zero. The others: amp_status.
   Errors: AMP_RUNTIME_ERROR (begin or replay while this thread records; end without begin; meanwhile a launch on
   another view, or an access or copy by the host), AMP_UNINITIALIZED_OBJECT (a view was released),
   AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY, those of transfers and launches. Blocking: as launches. Threads:
   any; one recording at a time in each. Cost: a replay is one submission; on a group,
   those of its launches. Source: none. */
AMP_PRIV_API amp_status amp_recording_begin(amp_accelerator_view view);

AMP_PRIV_API amp_recording amp_recording_end(void);

AMP_PRIV_API bool amp_recording_replay(amp_recording recording);

AMP_PRIV_API amp_status amp_recording_release(amp_recording *recording);

AMP_PRIV_API bool amp_recording_valid(amp_recording recording);

#endif /* AMP_API_RECORDING_H */
