/* SPDX-License-Identifier: MIT */
/*  amp/api/recording.h - recordings: launches that are recorded once and replayed

    Contents (search for the tag):
        >>recording  >>public */
#ifndef AMP_API_RECORDING_H
#define AMP_API_RECORDING_H

#include "accelerator.h"

/* // >>recording */

/* A recording: a handle, passed by value. All zero is one of nothing, which amp_replay leaves to the caller. */
typedef struct amp_recording {
    amp_priv_recording *amp_priv_recording;
} amp_recording;

/* // >>public

       amp_recording step = { NULL };
       while (...)
           if (!amp_replay(step)) {
               amp_record_begin(view);
               AMP_PARALLEL_FOR_EACH(...) AMP_PARALLEL_FOR_EACH(...) ...
               step = amp_record_end();
           }
       amp_recording_release(&step);

   amp_record_begin(view): what this thread launches on the view from here on runs as always, and is noted, as are
   copies between what is on its accelerator. A launch that names no view is on this one.
   amp_record_end(): the recording; all zero where there is nothing to replay: on the CPU loops, in checked builds, and
   when a launch failed.
   amp_replay(recording): submits everything again, as one command. False where the recording is all zero: the launches
   are the caller's to go through, then and now. True else, also where it failed; that is reported.
   amp_recording_release(&recording): forgets it; all zero afterwards. Nothing happens to one that is.
   Launches and copies of which none writes what another one uses may run at the same time in a replay.
   What is fixed: which kernels, their extents, the views with their extents, and the values of captures. Contents are
   not: what the host or another accelerator wrote meanwhile is brought, as before a launch. What the host does between
   begin and end is no part of it, and the host's access to a view that a recorded launch uses is refused there.
   The views must live as long as the recording is replayed; release it before or after them. What other threads launch
   on the view meanwhile is not recorded.
   Errors: AMP_RUNTIME_ERROR (begin or replay while this thread records; end without begin; a launch on another view, an
   access or copy by the host in between), AMP_UNINITIALIZED_OBJECT (a view was released),
   AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY, and what transfers and launches meet.
   Blocking: as launches. Threads: any; one recording at a time in each. Source: none. */
AMP_PRIV_API amp_status amp_record_begin(amp_accelerator_view view);

AMP_PRIV_API amp_recording amp_record_end(void);

AMP_PRIV_API bool amp_replay(amp_recording recording);

AMP_PRIV_API void amp_recording_release(amp_recording *recording);

#endif /* AMP_API_RECORDING_H */
