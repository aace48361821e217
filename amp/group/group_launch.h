/* SPDX-License-Identifier: MIT */
/*  amp/group/group_launch.h - a launch on a group of accelerators, in bands, and on a streamed view */
#ifndef AMP_GROUP_GROUP_LAUNCH_H
#define AMP_GROUP_GROUP_LAUNCH_H

#include "band_plan.h"

#if AMP_PRIV_HAS_DEVICES

#include "stream_launch.h"

/* Submits the bands, whose memory is ready. Returns how many were. */
AMP_PRIV_WARM int amp_priv_bands_submit(amp_priv_launch *launches, int count, amp_status *status)
{
    int submitted = 0;
    while (submitted < count && (*status = amp_priv_band_launch(&launches[submitted])) == AMP_OK)
        submitted++;
    return submitted;
}

/* Notes how long each of the bands takes that were just submitted to idle queues, in nanoseconds: at most a minute. */
#define AMP_PRIV_LONGEST_TRIAL UINT64_C(60000000000)
AMP_PRIV_COLD void amp_priv_bands_time(amp_priv_launch *launches, int count, uint64_t *took)
{
    void *mark[AMP_PRIV_MAX_DEVICES] = { NULL }; /* NULL: done, or there is none */
    const uint64_t began = amp_priv_now();
    int left = 0;
    for (int b = 0; b < count; b++) {
        if (amp_priv_event_record(launches[b].queue, &mark[b]) != AMP_OK)
            mark[b] = NULL;
        took[b] = amp_priv_now() - began;
        left += mark[b] != NULL;
        amp_priv_queue_submit(launches[b].queue);
    }
    for (; left > 0; amp_priv_thread_yield())
        for (int b = 0; b < count; b++) {
            const uint64_t now = amp_priv_now() - began;
            if (!mark[b] || (!amp_priv_event_done(launches[b].queue->device, mark[b]) && now < AMP_PRIV_LONGEST_TRIAL))
                continue;
            took[b] = now;
            amp_priv_event_release(launches[b].queue->device, mark[b]);
            mark[b] = NULL;
            left--;
        }
}

/* Runs bands of a launch, each on its queue. took: NULL, or how long each of them took. */
AMP_PRIV_WARM amp_status amp_priv_bands_run(amp_priv_launch *launch, const amp_priv_band *band,
                                            amp_priv_queue *const *queue, int count, uint64_t *took)
{
    amp_priv_launch *const launches = malloc((size_t)count * sizeof *launches);
    amp_priv_sources sources;
    if (!launches)
        return amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on %d accelerators",
                                    count);
    for (int b = 0; b < count; b++) {
        launches[b] = *launch;
        launches[b].band = &band[b];
        launches[b].queue = queue[b];
        launches[b].extent[0] = band[b].end - band[b].first;
    }
    amp_status status = amp_priv_bands_begin(launches, count, &sources);
    for (int b = 0; b < count && took; b++)
        (void)amp_priv_queue_idle(queue[b]);
    if (status == AMP_OK) {
        const int submitted = amp_priv_bands_submit(launches, count, &status);
        if (took && status == AMP_OK)
            amp_priv_bands_time(launches, count, took);
        amp_priv_bands_end(launches, count, submitted, &sources);
    }
    free(launches);
    return status;
}

/* Before the bands of a launch run, the first of them on that queue. False: it is refused. */
AMP_PRIV_WARM bool amp_priv_bands_start(amp_priv_launch *launch, amp_priv_queue *queue)
{
    launch->queue = queue;
    if (!amp_priv_hooks_begin(launch))
        return false;
    amp_priv_hooks_acquired(launch);
    return true;
}

/* Afterwards: what becomes of the launch. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_bands_stop(amp_priv_launch *launch, amp_status status)
{
    return amp_priv_hooks_end(launch, status) == AMP_PRIV_STEP_AGAIN ? AMP_PRIV_STEP_AGAIN : AMP_PRIV_STEP_DONE;
}

/* // >>trial */

/* What is known of launches of about as many threads; bands->whole says how this one runs. NULL: it is not timed. */
AMP_PRIV_WARM amp_priv_band_trial *amp_priv_trial_of(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                     const amp_priv_group *group)
{
    const uint64_t threads = amp_priv_rows_threads(launch, launch->extent[0]);
    int bits = 0;
    for (; threads >> bits && bits < 64; bits++)
        continue;
    amp_priv_band_trial *const trial = &bands->trial[bits];
    bands->whole = false;
    if (bands->divides || group->stream)
        return NULL;
    bands->whole = trial->runs < AMP_PRIV_TRIAL_RUNS ? trial->runs >= AMP_PRIV_TRIAL_WHOLE - 1
                                                     : trial->whole - trial->whole / 20 < trial->divided;
    return trial->runs < AMP_PRIV_TRIAL_RUNS ? trial : NULL;
}

/* The speeds of the members at a kernel, from its bands; a launch of a few microseconds says nothing. */
AMP_PRIV_COLD void amp_priv_trial_speeds(amp_priv_bands *bands, const amp_priv_launch *launch,
                                         const amp_priv_band_plan *plan, const amp_priv_group *group,
                                         const uint64_t *took)
{
    enum { AMP_PRIV_SHORT = 20000 };
    for (int m = 0; m < plan->count; m++)
        if (took[m] < AMP_PRIV_SHORT)
            return;
    for (int m = 0; m < plan->count; m++)
        bands->speed[group->member[m]->device->number] =
            (double)amp_priv_rows_threads(launch, plan->band[m].end - plan->band[m].first) / (double)took[m];
}

/* Ends a trial where the times of the bands alone say how the launch runs best. A long launch is divided if that gains
   anything in one of three tries: moving all rows to one accelerator and back takes longer than a trial saves. One of a
   few microseconds is not divided. */
AMP_PRIV_COLD void amp_priv_trial_judge(amp_priv_band_trial *trial, const amp_priv_launch *launch,
                                        const amp_priv_band_plan *plan, const uint64_t *took, uint64_t all)
{
    enum { AMP_PRIV_BRIEF = 40000, AMP_PRIV_LONG = 300000, AMP_PRIV_TRIES = 3 };
    const int rows = plan->band[0].end - plan->band[0].first;
    const double whole = rows > 0 ? (double)took[0] * launch->extent[0] / rows : 0;
    uint64_t longest = 0;
    for (int m = 0; m < plan->count; m++)
        longest = took[m] > longest ? took[m] : longest;
    if (longest < AMP_PRIV_BRIEF) {
        trial->divided = UINT64_MAX;
    } else if (whole >= AMP_PRIV_LONG && ((double)all < 0.95 * whole || ++trial->judged == AMP_PRIV_TRIES)) {
        trial->divided = all;
        trial->whole = (uint64_t)whole;
    } else {
        trial->runs -= whole >= AMP_PRIV_LONG; /* the next launch is timed in the same way */
        return;
    }
    trial->runs = AMP_PRIV_TRIAL_RUNS;
}

AMP_PRIV_COLD void amp_priv_group_idle(const amp_priv_group *group)
{
    for (int m = 0; m < group->count; m++)
        (void)amp_priv_queue_idle(group->member[m]);
}

/* Runs a launch in bands, and times each of them. */
AMP_PRIV_COLD amp_status amp_priv_trial_each(amp_priv_launch *launch, amp_priv_bands *bands,
                                             const amp_priv_band_plan *plan, const amp_priv_group *group,
                                             amp_priv_band_trial *trial)
{
    uint64_t times[AMP_PRIV_MAX_DEVICES] = { 0 };
    amp_priv_group_idle(group);
    const uint64_t began = amp_priv_now();
    const amp_status status = amp_priv_bands_run(launch, plan->band, group->member, plan->count, times);
    const uint64_t all = amp_priv_now() - began;
    if (status == AMP_OK)
        amp_priv_trial_speeds(bands, launch, plan, group, times);
    if (status == AMP_OK)
        amp_priv_trial_judge(trial, launch, plan, times, all);
    return status;
}

/* Runs a launch by a plan, as its trial says. */
AMP_PRIV_COLD amp_status amp_priv_trial_run(amp_priv_launch *launch, amp_priv_bands *bands,
                                            const amp_priv_band_plan *plan, const amp_priv_group *group,
                                            amp_priv_band_trial *trial)
{
    const int first = bands->whole ? AMP_PRIV_TRIAL_WHOLE : AMP_PRIV_TRIAL_DIVIDED, run = trial->runs;
    amp_status status;
    if (run == first) {
        amp_priv_group_idle(group);
        trial->began = amp_priv_now();
    }
    if (run == AMP_PRIV_TRIAL_EACH && plan->count == group->count)
        status = amp_priv_trial_each(launch, bands, plan, group, trial);
    else
        status = amp_priv_bands_run(launch, plan->band, group->member, plan->count, NULL);
    if (run == first + AMP_PRIV_TRIAL_ROW - 1) {
        amp_priv_group_idle(group);
        *(bands->whole ? &trial->whole : &trial->divided) = amp_priv_now() - trial->began;
    }
    trial->runs += status == AMP_OK && trial->runs < AMP_PRIV_TRIAL_RUNS;
    return status;
}

/* Chooses the shares of the members for the launch at hand. */
AMP_PRIV_WARM void amp_priv_group_shares(amp_priv_bands *bands, amp_priv_group *group)
{
    double speed[AMP_PRIV_MAX_DEVICES];
    for (int m = 0; m < group->count; m++)
        speed[m] = bands->speed[group->member[m]->device->number];
    amp_priv_shares_choose(group, speed, bands->share);
}

/* The accelerator of a group on which a launch runs that is not divided: where its arrays live, else the first. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_group_member(const amp_priv_launch *launch, const amp_priv_group *group)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        for (int m = 0; head && head->kind == AMP_PRIV_ARRAY && m < group->count; m++)
            if (group->member[m]->device->number == head->source->owner)
                return group->member[m];
    }
    return group->member[0];
}

/* Are all members there, and the captures alive? False after reporting. */
AMP_PRIV_COLD bool amp_priv_group_ready(const amp_priv_launch *launch, const amp_priv_group *group)
{
    amp_priv_data_location places;
    for (int m = 0; m < group->count; m++)
        if (amp_priv_queue_usable(group->member[m], launch->site->function) != AMP_OK)
            return false;
    return amp_priv_captures_look(launch, &places);
}

/* Runs a launch on a streamed view by a plan of its own. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_stream_launch(amp_priv_launch *launch, amp_priv_band_plan *own,
                                                      const amp_priv_group *group)
{
    amp_priv_outcome step = AMP_PRIV_STEP_DONE;
    if (own->count == 0) {
        amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on a streamed view");
        return step;
    }
    if (amp_priv_bands_start(launch, group->member[0]))
        step = amp_priv_bands_stop(launch, amp_priv_stream_run(launch, own, group));
    amp_priv_band_plan_end(own);
    return step;
}

/* Hook: runs a launch on a group where it can be divided. Else *one becomes the accelerator that runs it. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_group_launch(amp_priv_launch *launch, amp_priv_queue **one)
{
    amp_priv_queue *const queue = *one;
    if (!amp_priv_queue_is_group(queue)) {
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_GROUP);
        return AMP_PRIV_STEP_RUN;
    }
    const amp_priv_group *const group = queue->group;
    amp_priv_outcome step = AMP_PRIV_STEP_RUN;
    if (!amp_priv_group_ready(launch, group))
        return AMP_PRIV_STEP_DONE;
    amp_priv_bands *bands = atomic_load_explicit(&launch->site->bands, memory_order_acquire);
    if (!bands)
        bands = amp_priv_bands_new(launch->site);
    *one = amp_priv_group_member(launch, group);
    if (!bands)
        return AMP_PRIV_STEP_RUN;
    amp_priv_lock(&bands->lock);
    amp_priv_band_trial *const trial = amp_priv_trial_of(bands, launch, group);
    amp_priv_group_shares(bands, queue->group);
    const amp_priv_band_plan *const plan = amp_priv_band_plan_of(bands, launch, queue);
    const bool divided = plan->count > 0;
    if (divided && group->stream) {
        amp_priv_band_plan own = amp_priv_band_plan_copy(plan);
        amp_priv_unlock(&bands->lock); /* other threads stream the same kernel through other accelerators */
        return amp_priv_stream_launch(launch, &own, group);
    }
    if (divided) {
        const bool tried = trial && (bands->whole || plan->count > 1);
        step = AMP_PRIV_STEP_DONE;
        if (amp_priv_bands_start(launch, group->member[0]))
            step = amp_priv_bands_stop(launch, tried ? amp_priv_trial_run(launch, bands, plan, group, trial)
                                                     : amp_priv_bands_run(launch, plan->band, group->member,
                                                                          plan->count, NULL));
    }
    amp_priv_unlock(&bands->lock);
    if (!divided && group->stream && !amp_priv_stream_fits(launch, group->stream))
        return AMP_PRIV_STEP_DONE;
    return step;
}

#endif /* AMP_PRIV_HAS_DEVICES */

#endif /* AMP_GROUP_GROUP_LAUNCH_H */
