/* SPDX-License-Identifier: MIT */
/*  amp/memory/recording_life.h - begins, ends and releases recordings */
#ifndef AMP_MEMORY_RECORDING_LIFE_H
#define AMP_MEMORY_RECORDING_LIFE_H

#include "command_graph.h"

AMP_PRIV_COLD void amp_priv_recording_release(amp_priv_recording *recording)
{
    if (!amp_priv_slot_drop(&recording->slot))
        return;
    amp_priv_device *const device = recording->queue->device;
    if (recording->native && !device->inherited_by_fork) {
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
        amp_priv_queue_wait_until(recording->queue, recording->last);
        amp_priv_error_mode_end(before);
        recording->as_one->release(device, recording->native);
    }
    while (recording->kernels) {
        amp_priv_recorded_kernel *const kernel = recording->kernels;
        recording->kernels = kernel->next;
        if (!device->inherited_by_fork)
            device->backend->kernel.release(device, kernel->native);
        free(kernel);
    }
    while (recording->repeats) {
        amp_priv_repeat *const repeat = recording->repeats;
        recording->repeats = repeat->next;
        free(repeat);
    }
    amp_priv_queue_release(recording->queue);
    amp_priv_mutex_end(&recording->lock);
    free(recording->commands);
    free(recording->launches);
    free(recording->uses);
    free(recording->sources);
    free(recording->touches);
    free(recording->after);
    amp_priv_slot_spare(&amp_priv_slots.recordings, &recording->slot);
}

/* The sources, each once, in the order of their addresses. False when there is no memory for the list. */
AMP_PRIV_COLD bool amp_priv_recording_sources(amp_priv_recording *recording)
{
    recording->sources = calloc((size_t)recording->use_count + 1, sizeof *recording->sources);
    for (int i = 0; recording->sources && i < recording->use_count; i++) {
        const amp_priv_recorded_use *const use = &recording->uses[i];
        amp_priv_recorded_source *const sources = recording->sources;
        int at = recording->source_count;
        while (at > 0 && sources[at - 1].source > use->head.source)
            at--;
        if (at > 0 && sources[at - 1].source == use->head.source) {
            sources[at - 1].written = sources[at - 1].written || use->writes;
            continue;
        }
        memmove(&sources[at + 1], &sources[at], (size_t)(recording->source_count++ - at) * sizeof *sources);
        sources[at] = (amp_priv_recorded_source){ use->head.source, use->writes };
    }
    return recording->sources != NULL;
}

/* Was everything noted? Reports what was not, unless that was reported. */
AMP_PRIV_COLD bool amp_priv_recording_is_whole(const amp_priv_recording *recording)
{
    const amp_priv_device *const device = recording->queue->device;
    const amp_priv_result missed = recording->missed;
    if (missed.call)
        amp_priv_report(
            missed.status,
            "amp_recording_end: the launches have run, but cannot be replayed: %s failed with %s (%d) on %s; launch "
            "them again instead",
            missed.call, amp_priv_code_name(device, missed.code), missed.code, device->path);
    else if (missed.status != AMP_OK)
        amp_priv_report(missed.status, "amp_recording_end: no memory for a recording");
    return !recording->failed && !recording->open;
}

/* What was noted as one command, where the backend has such; false after reporting. */
AMP_PRIV_COLD bool amp_priv_recording_finish(amp_priv_recording *recording)
{
    amp_priv_device *const device = recording->queue->device;
    if (amp_priv_recorded_live(recording, "amp_recording_end") != AMP_OK)
        return false;
    recording->as_one = recording->count > 0 ? amp_priv_recorded_extension(device) : NULL;
    if (!amp_priv_recording_sources(recording) || (recording->as_one && !amp_priv_recording_order(recording))) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "amp_recording_end: no memory for a recording");
        return false;
    }
    if (!recording->as_one || !amp_priv_device_check_alive(device, "amp_recording_end"))
        return true;
    const amp_priv_result result =
        recording->as_one->record(recording->queue, recording->commands, recording->count, &recording->native);
    if (result.status != AMP_OK) {
        recording->native = NULL;
        amp_priv_log(AMP_PRIV_LOG_INFO, "%d recorded commands go to %s one by one: %s failed with %s (%d)",
                     recording->count, device->path, result.call, amp_priv_code_name(device, result.code), result.code);
    }
    return true;
}

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
    amp_priv_recording *const recording = amp_priv_recording_here;
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
            source->recorded = source->recorded_written = false;
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
                               call, amp_priv_recording_here->queue->device->path);
    }
    const bool is_group = amp_priv_queue_is_group(view.amp_priv_queue);
    amp_priv_queue *const queue = is_group ? view.amp_priv_queue : amp_priv_queue_of(view);
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
    amp_priv_recording_here = recording;
    atomic_fetch_add(&amp_priv_recordings.open, 1);
    if (!atomic_exchange(&amp_priv_recordings.watched, true))
        atexit(amp_priv_recordings_look);
    return AMP_OK;
}

AMP_PRIV_API amp_status amp_recording_begin(amp_accelerator_view view) { return amp_priv_record_begin(view); }

AMP_PRIV_API amp_recording amp_recording_end(void) { return amp_priv_record_end(); }

/* The recording's record, held for the time of a call; NULL after reporting. */
AMP_PRIV_COLD amp_priv_recording *amp_priv_recording_hold(amp_recording recording, const char *call)
{
    amp_priv_recording *const r = recording.amp_priv_recording;
    return amp_priv_slot_hold(&r->slot, recording.amp_priv_generation, call, "this amp_recording") ? r : NULL;
}

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

#endif /* AMP_MEMORY_RECORDING_LIFE_H */
