/* SPDX-License-Identifier: MIT */
/*  amp/api/recording.h - recordings: launches that are recorded once and replayed

    Contents (search for the tag):
        >>recording  >>public  >>set */
#ifndef AMP_API_RECORDING_H
#define AMP_API_RECORDING_H

#include "accelerator.h"
#include "element.h"

/* amp/api/absent.h */
#undef amp_recording
#undef amp_recording_begin
#undef amp_recording_end
#undef amp_recording_replay
#undef amp_recording_release
#undef amp_recording_valid
#undef AMP_RECORDING_SET

/* // >>recording */

/* amp_recording: recorded launches: a handle, passed by value.
   All zero is an empty recording: the program performs the launches itself.
   Source: none. */
typedef union amp_recording {
    amp_priv_recording *amp_priv_recording; /* { NULL } sets the union */
    struct {
        void *amp_priv_record; /* the same pointer, and the record's generation when the recording ended */
        unsigned amp_priv_generation;
    };
} amp_recording;

/* // >>public
   amp_recording_begin(view): starts to record the launches of this thread on an accelerator view, which also run.
   amp_recording_end(): ends the recording.
   amp_recording_replay(recording): submits the recorded launches as one command.
   amp_recording_valid(recording): checks whether a recording can be replayed.
   amp_recording_release(recording): releases a recording; *recording is all zero then, and {0} is ignored. A copy of
   the recording is refused afterwards.
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
   another view, or an access or copy by the host), AMP_UNINITIALIZED_OBJECT (a view, or a copy of the recording,
   was released), AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY, those of transfers and launches. Blocking: as
   launches. Threads: any; one recording at a time in each. Cost: a replay is one submission; on a group, those of
   its launches. Source: none. */
AMP_PRIV_API amp_status amp_recording_begin(amp_accelerator_view view);

AMP_PRIV_API amp_recording amp_recording_end(void);

AMP_PRIV_API bool amp_recording_replay(amp_recording recording);

AMP_PRIV_API amp_status amp_recording_release(amp_recording *recording);

AMP_PRIV_API bool amp_recording_valid(amp_recording recording);

/* // >>set
   AMP_RECORDING_SET(recording, name, value): gives captured scalars of a recording another value, from the next
   replay on.
   It sets the scalar of this name in each recorded launch that captured one. Replays that were submitted before keep
   their value. Extents, views and captured structs stay as they were recorded.
   recording  amp_recording; nothing is done if it is all zero, as on the CPU backend: launches that the program
              performs itself capture the variable as it is then
   name  the scalar's name in AMP_CAPTURE: of a variable, or of AMP_BIND
   value  an expression of the scalar's type
   Result: amp_status.
   Errors: AMP_INVALID_ARGUMENT (no recorded launch captured a scalar of that name, or one has another type); nothing
   is set then. Blocking: no. Threads: any. Cost: on CUDA one call of the driver for each launch whose value changed.
   Source: none; known as updating the nodes of an executable graph. See: amp_recording_replay */
#define AMP_RECORDING_SET(recording, name, value)                                                                      \
    amp_priv_recording_set(recording, #name, AMP_PRIV_DEVICE_TYPE(value),                                              \
                           &(const __typeof__(((void)0, (value)))){ value }, sizeof((void)0, (value)))
AMP_PRIV_API amp_status amp_priv_recording_set(amp_recording recording, const char *name, const char *type,
                                               const void *value, size_t size);

#endif /* AMP_API_RECORDING_H */
