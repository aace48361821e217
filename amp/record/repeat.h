/* SPDX-License-Identifier: MIT */
/*  amp/record/repeat.h - launches on groups and streamed views, which a replay starts again

    Which rows move depends on what was written meanwhile. */
#ifndef AMP_RECORD_REPEAT_H
#define AMP_RECORD_REPEAT_H

#include "../launch/start.h"
#include "recording.h"

/* A launch with the values of its captures; NULL when there is no memory for it. */
AMP_PRIV_COLD amp_priv_repeat *amp_priv_repeat_new(amp_priv_launch_site *site, const int *extent, void *const *captured)
{
    size_t bytes = sizeof(amp_priv_repeat);
    for (int i = 0; i < site->capture_count; i++)
        bytes += amp_priv_argument_bytes(site->captures[i].size);
    amp_priv_repeat *const repeat = calloc(1, bytes);
    if (!repeat)
        return NULL;
    unsigned char *value = (unsigned char *)(repeat + 1);
    repeat->site = site;
    memcpy(repeat->extent, extent, (size_t)site->rank * sizeof *extent);
    for (int i = 0; i < site->capture_count; i++) {
        if (site->captures[i].size == 0) /* a constant */
            continue;
        repeat->captured[i] = memcpy(value, captured[i], site->captures[i].size);
        value += amp_priv_argument_bytes(site->captures[i].size);
    }
    return repeat;
}

/* The recorded launches with the values that they have now, so that the recording need not be locked while they run.
   NULL after reporting. */
AMP_PRIV_COLD amp_priv_repeat *amp_priv_repeats_now(amp_priv_recording *recording)
{
    amp_priv_repeat *all = NULL, **last = &all;
    bool good = true;
    amp_priv_lock(&recording->lock);
    for (const amp_priv_repeat *r = recording->repeats; r && good; r = r->next) {
        *last = amp_priv_repeat_new(r->site, r->extent, r->captured);
        good = *last != NULL;
        last = good ? &(*last)->next : last;
    }
    amp_priv_unlock(&recording->lock);
    if (good)
        return all;
    amp_priv_repeats_end(&all);
    amp_priv_report(AMP_OUT_OF_MEMORY, "amp_recording_replay: no memory for the launches");
    return NULL;
}

AMP_PRIV_COLD amp_priv_launch amp_priv_repeat_launch(amp_priv_repeat *repeat)
{
    amp_priv_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.site = repeat->site;
    launch.captured = repeat->captured;
    memcpy(launch.extent, repeat->extent, sizeof launch.extent);
    return launch;
}

/* A later launch of the replay has failed: what this one wrote is not known. */
AMP_PRIV_COLD void amp_priv_repeat_forget(amp_priv_repeat *repeat)
{
    amp_priv_launch launch = amp_priv_repeat_launch(repeat);
    for (int i = 0; i < launch.site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(&launch, i);
        if (!head || head->kind == AMP_PRIV_CONST_VIEW)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_source_lock(head->source);
        amp_priv_invalidate(head->source, &shape, ~UINT32_C(0));
        amp_priv_source_unlock(head->source);
    }
}

/* Starts the recorded launches, up to one that fails. */
AMP_PRIV_COLD void amp_priv_repeat_all(amp_priv_recording *recording)
{
    amp_priv_repeat *all = amp_priv_repeats_now(recording), *r = all;
    amp_priv_last_error.launch = AMP_OK;
    amp_priv_last_error.in_launch = true;
    for (; r; r = r->next) {
        amp_priv_launch launch = amp_priv_repeat_launch(r);
        amp_priv_start_hooks(&launch);
        (void)amp_priv_start_run(&launch, recording->queue, false);
        if (amp_priv_last_error.launch != AMP_OK)
            break;
    }
    amp_priv_last_error.in_launch = false;
    for (amp_priv_repeat *done = all; r && done != r; done = done->next)
        amp_priv_repeat_forget(done);
    amp_priv_repeats_end(&all);
}

/* Notes a launch on a group, which has ended well. */
AMP_PRIV_COLD void amp_priv_repeat_note(amp_priv_recording *recording, const amp_priv_launch *launch)
{
    if (amp_priv_last_error.launch != AMP_OK)
        return; /* it stays open: there is no recording */
    recording->open = false;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_lock(&head->source->lock);
        amp_priv_record_use(recording, head, &shape, head->kind != AMP_PRIV_CONST_VIEW, launch->site,
                            amp_priv_capture_shown(launch->site, i));
        amp_priv_source_unlock(head->source);
    }
    if (!amp_priv_is_noting(recording))
        return;
    amp_priv_repeat *const repeat = amp_priv_repeat_new(launch->site, launch->extent, launch->captured);
    amp_priv_repeat **last = &recording->repeats;
    if (!repeat) {
        amp_priv_recording_miss_memory(recording);
        return;
    }
    while (*last)
        last = &(*last)->next;
    *last = repeat;
    recording->repeat = amp_priv_repeat_all;
}

#endif /* AMP_RECORD_REPEAT_H */
