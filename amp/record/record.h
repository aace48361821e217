/* SPDX-License-Identifier: MIT */
/*  amp/record/record.h - recordings: launches and copies of a thread, which a replay submits again

    Hooks: open, skipped, place, begin, acquired, command, submitted, end; and those of copies. Registered by
    amp_recording_begin. amp_recording.h includes it.

    Contents (search for the tag):
        >>launches  >>public */
#ifndef AMP_RECORD_RECORD_H
#define AMP_RECORD_RECORD_H

#include "repeat.h"
#include "values.h"

/* // >>launches */

/* The recording that a launch is for; not NULL while it has the module's bit. */
static inline amp_priv_recording *amp_priv_recording_of(const amp_priv_launch *launch)
{
    return launch->own[AMP_PRIV_HOOK_RECORD].pointer;
}

/* Of a group's launches the commands are not noted. */
static inline bool amp_priv_records_commands(const amp_priv_launch *launch)
{
    return !amp_priv_recording_of(launch)->queue->division;
}

/* A launch begins, of which it is not known yet whether it ends well. */
AMP_PRIV_COLD void amp_priv_record_open(amp_priv_launch *launch)
{
    amp_priv_recording *const recording = amp_priv_recording_here ? amp_priv_recording_now() : NULL;
    launch->own[AMP_PRIV_HOOK_RECORD].pointer = recording;
    if (!recording) {
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_RECORD);
        return;
    }
    recording->recorder.failed = recording->recorder.failed || recording->open;
    recording->open = true;
}

/* A launch of an empty extent is not recorded. */
AMP_PRIV_COLD void amp_priv_record_skipped(amp_priv_launch *launch) { amp_priv_recording_of(launch)->open = false; }

/* A launch that names no view goes where its thread records. On another group it is not recorded; the recording
   stays open then: there will be none. */
AMP_PRIV_COLD amp_priv_outcome amp_priv_record_place(amp_priv_launch *launch, amp_priv_queue **queue)
{
    amp_priv_queue *const recorded = amp_priv_recording_of(launch)->queue;
    if (!*queue)
        *queue = recorded;
    else if (*queue != recorded && (recorded->division || amp_priv_queue_division(*queue)))
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_RECORD);
    return AMP_PRIV_STEP_RUN;
}

/* Notes the views that a launch uses. lock: they are not locked yet. */
AMP_PRIV_COLD void amp_priv_record_uses(const amp_priv_launch *launch, bool lock)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        if (lock)
            amp_priv_lock(&head->source->lock);
        amp_priv_record_use(amp_priv_recording_of(launch), head, &shape, head->kind != AMP_PRIV_CONST_VIEW, site,
                            amp_priv_capture_shown(site, i));
        if (lock)
            amp_priv_source_unlock(head->source);
    }
}

/* Is a launch on the queue that its thread records? Else it is refused. On the CPU backend it is not a command; the
   accelerator keeps what it uses till the recording ends, and it is not the host that asks for that now. */
AMP_PRIV_COLD amp_priv_outcome amp_priv_record_launch(amp_priv_launch *launch)
{
    const amp_priv_queue *const recorded = amp_priv_recording_of(launch)->queue;
    if (!amp_priv_records_commands(launch))
        return AMP_PRIV_STEP_RUN;
    if (launch->queue == recorded) {
        if (amp_priv_is_host(recorded->device->number)) {
            amp_priv_record_uses(launch, true);
            amp_priv_recording_here = NULL;
        }
        return AMP_PRIV_STEP_RUN;
    }
    const char *const path = launch->queue->device->path;
    const bool same = launch->queue->device == recorded->device;
    amp_priv_site_report(
        launch->site, AMP_RUNTIME_ERROR,
        "the launch is on %s%s, but this thread is recording launches on %s; launch it there, or after "
        "amp_recording_end",
        same ? "another view of " : "", path, recorded->device->path);
    return AMP_PRIV_STEP_DONE;
}

/* The CPU backend has the views of a launch. */
AMP_PRIV_COLD void amp_priv_record_acquired(amp_priv_launch *launch)
{
    if (!amp_priv_records_commands(launch) || !amp_priv_is_host(launch->queue->device->number))
        return;
    amp_priv_recording_here = &amp_priv_recording_of(launch)->recorder;
    amp_priv_recording_of(launch)->open = false;
}

/* A device has the commands. */
AMP_PRIV_COLD void amp_priv_record_submitted(amp_priv_launch *launch)
{
    if (!amp_priv_records_commands(launch))
        return;
    amp_priv_recording_of(launch)->open = false;
    amp_priv_record_uses(launch, false);
}

/* A launch has ended. On a group the launch is noted. */
AMP_PRIV_COLD amp_priv_outcome amp_priv_record_launch_end(amp_priv_launch *launch, amp_status status)
{
    amp_priv_recording *const recording = amp_priv_recording_of(launch);
    if (amp_priv_records_commands(launch))
        amp_priv_recording_here = &recording->recorder;
    else if (status == AMP_OK && !amp_priv_is_host(launch->queue->device->number))
        amp_priv_repeat_note(recording, launch);
    return AMP_PRIV_STEP_RUN;
}

/* A kernel was enqueued. */
AMP_PRIV_COLD void amp_priv_record_kernel(amp_priv_launch *launch, const amp_priv_launched_kernel *launched)
{
    amp_priv_recording *const recording = amp_priv_recording_of(launch);
    if (!amp_priv_is_capturing(recording) || recording->recorder.failed)
        return;
    amp_priv_command *const command = amp_priv_record_room(recording);
    amp_priv_recorded_kernel *const kernel = command ? amp_priv_recorded_of(recording, launched) : NULL;
    if (!kernel)
        return;
    *command =
        (amp_priv_command){ .kernel = kernel->native, .arguments = kernel->arguments, .geometry = *launched->geometry };
    amp_priv_recorded_launch *const noted = &recording->launches[recording->count++];
    *noted = (amp_priv_recorded_launch){ .kernel = kernel, .site = launch->site, .touch = recording->touch_count };
    noted->bytes = amp_priv_launch_bytes(launch);
    memcpy(noted->extent, launch->extent, sizeof noted->extent);
}

/* // >>public */

typedef struct amp_priv_recordings_state {
    _Atomic(int) open; /* are recorded now */
    _Atomic(bool) watched;
} amp_priv_recordings_state;
AMP_PRIV_GLOBAL(amp_priv_recordings_state, amp_priv_recordings)

/* When the program ends. */
AMP_PRIV_COLD void amp_priv_recordings_look(void)
{
    if (atomic_load(&amp_priv_recordings.open) > 0)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "a recording was begun (amp_recording_begin) and never ended: call amp_recording_end()");
}

AMP_PRIV_COLD amp_recording amp_priv_record_end(void)
{
    amp_priv_recording *const recording = amp_priv_recording_here ? amp_priv_recording_now() : NULL;
    if (!recording) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "amp_recording_end: this thread is not recording; call amp_recording_begin first, on the same "
                        "thread");
        return (amp_recording){ 0 };
    }
    amp_priv_recording_here = NULL;
    atomic_fetch_sub(&amp_priv_recordings.open, 1);
    for (int i = 0; i < recording->use_count; i++) {
        amp_priv_source *const source = recording->uses[i].head.source;
        amp_priv_lock(&source->lock);
        if (source->recorder == recording) {
            source->recorder = NULL;
            source->host_limit = 0;
        }
        amp_priv_source_unlock(source);
    }
    if (amp_priv_recording_is_whole(recording) &&
        (recording->repeat || (amp_priv_is_capturing(recording) && amp_priv_recording_finish(recording))))
        return (amp_recording){ .amp_priv_record = recording,
                                .amp_priv_generation = amp_priv_slot_generation(&recording->slot) };
    amp_priv_recording_release(recording);
    return (amp_recording){ 0 };
}

AMP_PRIV_COLD amp_status amp_priv_record_begin(amp_accelerator_view view)
{
    static const char call[] = "amp_recording_begin";
    if (!amp_priv_same_build())
        return AMP_RUNTIME_ERROR;
    if (amp_priv_recording_here) {
        amp_priv_recording_here->failed = true;
        return amp_priv_report(AMP_RUNTIME_ERROR,
                               "%s: this thread is already recording launches on %s; call amp_recording_end first",
                               call, amp_priv_recording_now()->queue->device->path);
    }
    amp_priv_queue *const queue =
        amp_priv_queue_division(view.amp_priv_queue) ? view.amp_priv_queue : amp_priv_queue_of(view);
    const amp_status status = amp_priv_queue_usable(queue, call);
    if (status != AMP_OK)
        return status;
    amp_priv_recording *const recording = amp_priv_slot_new(&amp_priv_slots.recordings, sizeof *recording);
    if (!recording)
        return amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a recording", call);
    static const amp_priv_hook hook = { .open = amp_priv_record_open,
                                        .skipped = amp_priv_record_skipped,
                                        .place = amp_priv_record_place,
                                        .begin = amp_priv_record_launch,
                                        .acquired = amp_priv_record_acquired,
                                        .command = amp_priv_record_kernel,
                                        .submitted = amp_priv_record_submitted,
                                        .end = amp_priv_record_launch_end };
    amp_priv_hook_add(AMP_PRIV_HOOK_RECORD, &hook);
    recording->queue = queue;
    amp_priv_mutex_init(&recording->lock);
    amp_priv_queue_retain(queue);
    recording->recorder.copies = &amp_priv_record_copies;
    amp_priv_recording_here = &recording->recorder;
    atomic_fetch_add(&amp_priv_recordings.open, 1);
    if (!atomic_exchange(&amp_priv_recordings.watched, true))
        atexit(amp_priv_recordings_look);
    return AMP_OK;
}

AMP_PRIV_API amp_status amp_recording_begin(amp_accelerator_view view) { return amp_priv_record_begin(view); }

AMP_PRIV_API amp_recording amp_recording_end(void) { return amp_priv_record_end(); }

AMP_PRIV_API bool amp_recording_replay(amp_recording recording)
{
    if (!recording.amp_priv_recording)
        return false;
    amp_priv_recording *const held = amp_priv_recording_hold(recording, "amp_recording_replay");
    if (held) {
        amp_priv_replay(held);
        amp_priv_recording_release(held);
    }
    return true;
}

AMP_PRIV_API amp_status amp_recording_release(amp_recording *recording)
{
    const amp_recording released = *recording;
    *recording = (amp_recording){ 0 };
    if (!released.amp_priv_recording)
        return AMP_OK;
    amp_priv_recording *const held = amp_priv_recording_hold(released, "amp_recording_release");
    if (!held)
        return amp_priv_failed();
    const bool ended = amp_priv_slot_end(&held->slot, released.amp_priv_generation);
    amp_priv_recording_release(held);
    if (ended) /* the handle's own reference */
        amp_priv_recording_release(held);
    return AMP_OK;
}

AMP_PRIV_API bool amp_recording_valid(amp_recording recording)
{
    amp_priv_recording *const r = recording.amp_priv_recording;
    return r && (!amp_priv_is_ours(r) || amp_priv_slot_generation(&r->slot) == recording.amp_priv_generation);
}

#endif /* AMP_RECORD_RECORD_H */
