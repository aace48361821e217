/* SPDX-License-Identifier: MIT */
/*  amp/record/life.h - the end of what is noted, and of recordings */
#ifndef AMP_RECORD_LIFE_H
#define AMP_RECORD_LIFE_H

#include "recording.h"

AMP_PRIV_COLD void amp_priv_recording_release(amp_priv_recording *recording)
{
    if (!amp_priv_slot_drop(&recording->slot))
        return;
    amp_priv_device *const device = recording->queue->device;
    if ((recording->native || recording->kernels) && !device->inherited_by_fork) {
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
        amp_priv_queue_wait_until(recording->queue, recording->last);
        amp_priv_error_mode_end(before);
        if (recording->native)
            recording->as_one->release(device, recording->native);
    }
    while (recording->kernels) {
        amp_priv_recorded_kernel *const kernel = recording->kernels;
        recording->kernels = kernel->next;
        if (!device->inherited_by_fork)
            device->backend->kernel.release(device, kernel->native);
        free(kernel);
    }
    amp_priv_repeats_end(&recording->repeats);
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
        amp_priv_used_source *const sources = recording->sources;
        int at = recording->source_count;
        while (at > 0 && sources[at - 1].source > use->head.source)
            at--;
        if (at > 0 && sources[at - 1].source == use->head.source) {
            sources[at - 1].written = sources[at - 1].written || use->writes;
            continue;
        }
        memmove(&sources[at + 1], &sources[at], (size_t)(recording->source_count++ - at) * sizeof *sources);
        sources[at] = (amp_priv_used_source){ use->head.source, use->writes };
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
    return !recording->recorder.failed && !recording->open;
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

/* The recording's record, held for the time of a call; NULL after reporting. */
AMP_PRIV_COLD amp_priv_recording *amp_priv_recording_hold(amp_recording recording, const char *call)
{
    amp_priv_recording *const r = recording.amp_priv_recording;
    return amp_priv_slot_hold(&r->slot, recording.amp_priv_generation, call, "this amp_recording") ? r : NULL;
}

#endif /* AMP_RECORD_LIFE_H */
