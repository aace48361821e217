/* SPDX-License-Identifier: MIT */
/*  amp/record/repeat.h - launches on groups and streamed views, which a replay starts again

    Which rows move depends on what was written meanwhile. */
#ifndef AMP_RECORD_REPEAT_H
#define AMP_RECORD_REPEAT_H

#include "../launch/start.h"
#include "recording.h"

/* Starts the recorded launches, up to one that fails. */
AMP_PRIV_COLD void amp_priv_repeat_all(const amp_priv_recording *recording)
{
    amp_priv_last_error.launch = AMP_OK;
    amp_priv_last_error.in_launch = true;
    for (const amp_priv_repeat *r = recording->repeats; r && amp_priv_last_error.launch == AMP_OK; r = r->next) {
        amp_priv_launch launch;
        memset(&launch, 0, sizeof launch);
        launch.site = r->site;
        launch.captured = r->captured;
        memcpy(launch.extent, r->extent, sizeof launch.extent);
        amp_priv_start_hooks(&launch);
        (void)amp_priv_start_run(&launch, recording->queue, false);
    }
    amp_priv_last_error.in_launch = false;
}

/* The launch with the values of its captures; NULL when there is no memory for it. */
AMP_PRIV_COLD amp_priv_repeat *amp_priv_repeat_new(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    size_t bytes = sizeof(amp_priv_repeat);
    for (int i = 0; i < site->capture_count; i++)
        bytes += amp_priv_argument_bytes(site->captures[i].size);
    amp_priv_repeat *const repeat = calloc(1, bytes);
    if (!repeat)
        return NULL;
    unsigned char *value = (unsigned char *)(repeat + 1);
    repeat->site = launch->site;
    memcpy(repeat->extent, launch->extent, (size_t)site->rank * sizeof *launch->extent);
    for (int i = 0; i < site->capture_count; i++) {
        if (site->captures[i].size == 0) /* a constant */
            continue;
        repeat->captured[i] = memcpy(value, launch->captured[i], site->captures[i].size);
        value += amp_priv_argument_bytes(site->captures[i].size);
    }
    return repeat;
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
                            launch->site->captures[i].name);
        amp_priv_source_unlock(head->source);
    }
    if (!amp_priv_is_noting(recording))
        return;
    amp_priv_repeat *const repeat = amp_priv_repeat_new(launch);
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
