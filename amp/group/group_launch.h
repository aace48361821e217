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
    amp_priv_use_list uses;
    if (!launches)
        return amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on %d accelerators",
                                    count);
    for (int b = 0; b < count; b++) {
        launches[b] = *launch;
        launches[b].band = &band[b];
        launches[b].queue = queue[b];
        launches[b].extent[0] = band[b].end - band[b].first;
    }
    const amp_priv_bands_use bands = { launch, band };
    amp_status status = amp_priv_bands_begin(launches, &bands, queue, count, &uses);
    for (int b = 0; b < count && took; b++)
        (void)amp_priv_queue_idle(queue[b]);
    if (status == AMP_OK) {
        const int submitted = amp_priv_bands_submit(launches, count, &status);
        if (took && status == AMP_OK)
            amp_priv_bands_time(launches, count, took);
        const bool partly = submitted < count && launches[submitted].partly_submitted;
        amp_priv_uses_commit(&uses, submitted + partly, submitted == count);
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

/* // >>trial
   A group runs all its large launches in bands, or all on one accelerator: if it divided some of them, the data that
   they share would move from launch to launch. What the kernels gain and lose by bands, added up, says which. (Two
   H200, OpenCL: of 07_fdtd with 4,096 rows bands have 0.2 to 0.6 of the speed of one accelerator, with 24,576 rows
   1.9.) */

enum {
    AMP_PRIV_LONG = 300000,  /* ns: kernels that take longer are tried in bands, even if the group runs on one */
    AMP_PRIV_STEADY = 200000 /* ns: bands that take longer say how fast their accelerators are */
};

/* A launch that is a part of its trial: it works on a copy of what is known, as the record of the site is not locked
   while launches run. */
typedef struct amp_priv_trial_turn {
    bool whole;              /* the launch runs on one accelerator */
    amp_priv_band_trial *of; /* NULL: it is not timed */
    amp_priv_band_trial now;
    double speed[AMP_PRIV_MAX_DEVICES]; /* of each member; 0: not known */
    long long gain;                     /* what the end of the trial adds to the group's */
} amp_priv_trial_turn;

/* What is known of launches of about as many threads, with the record locked; bands->whole says how this one runs. */
AMP_PRIV_WARM void amp_priv_trial_begin(amp_priv_trial_turn *turn, amp_priv_bands *bands, const amp_priv_launch *launch,
                                        amp_priv_group *group)
{
    const uint64_t threads = amp_priv_rows_threads(launch, launch->extent[0]);
    int bits = 0;
    for (; threads >> bits && bits < 64; bits++)
        continue;
    amp_priv_band_trial *const trial = &bands->trial[bits];
    turn->of = NULL;
    turn->whole = bands->whole = false;
    if (bands->divides || group->stream)
        return;
    const bool done = trial->runs == AMP_PRIV_TRIAL_RUNS;
    turn->whole = bands->whole =
        atomic_load_explicit(&group->gain, memory_order_relaxed) < 0 && (done || !trial->on_one);
    if (done || trial->busy)
        return;
    trial->busy = true;
    turn->of = trial;
    turn->now = *trial;
    turn->gain = 0;
    memset(turn->speed, 0, sizeof turn->speed);
}

/* Keeps what is known now. The speeds count from the end of a trial on, as bands that change move rows. */
AMP_PRIV_COLD void amp_priv_trial_end(const amp_priv_trial_turn *turn, amp_priv_bands *bands, amp_priv_group *group)
{
    amp_priv_lock(&bands->lock);
    *turn->of = turn->now;
    turn->of->busy = false;
    for (int m = 0; m < group->count; m++) {
        const int number = group->member[m]->device->number;
        if (turn->speed[m] > bands->timed[number])
            bands->timed[number] = turn->speed[m];
        if (turn->now.runs == AMP_PRIV_TRIAL_RUNS && bands->timed[number] > 0)
            bands->speed[number] = bands->timed[number];
    }
    amp_priv_unlock(&bands->lock);
    atomic_fetch_add_explicit(&group->gain, turn->gain, memory_order_relaxed);
}

/* The speeds of the members at a kernel, from its bands; a short launch says nothing. */
AMP_PRIV_COLD void amp_priv_trial_speeds(double *speed, const amp_priv_launch *launch, const amp_priv_band_plan *plan,
                                         const uint64_t *took)
{
    for (int m = 0; m < plan->count; m++)
        if (took[m] < AMP_PRIV_STEADY)
            return;
    for (int m = 0; m < plan->count; m++)
        speed[m] = (double)amp_priv_rows_threads(launch, plan->band[m].end - plan->band[m].first) / (double)took[m];
}

static inline uint64_t amp_priv_least_time(uint64_t known, uint64_t now) { return known && known < now ? known : now; }

/* A launch was timed on one accelerator: a short kernel is not tried in bands. */
AMP_PRIV_COLD void amp_priv_trial_on_one(amp_priv_band_trial *trial, uint64_t took)
{
    trial->whole = took;
    trial->on_one = took >= AMP_PRIV_LONG;
    trial->runs = trial->on_one ? 0 : AMP_PRIV_TRIAL_RUNS;
}

/* A launch was timed in bands: `all` with what moved before it, took[] each band. Returns what is gained by bands when
   that is known: at once where it is more than nothing, else after the last try. */
AMP_PRIV_COLD long long amp_priv_trial_judge(amp_priv_band_trial *trial, const amp_priv_launch *launch,
                                             const amp_priv_band_plan *plan, const uint64_t *took, uint64_t all)
{
    const int rows = plan->band[0].end - plan->band[0].first;
    if (!trial->on_one && rows > 0)
        trial->whole = amp_priv_least_time(trial->whole, (uint64_t)((double)took[0] * launch->extent[0] / rows));
    trial->divided = amp_priv_least_time(trial->divided, all);
    const long long gain = (long long)(trial->whole - trial->whole / 20) - (long long)trial->divided;
    trial->runs++;
    if (gain < 0 && trial->runs < AMP_PRIV_TRIAL_RUNS)
        return 0;
    trial->runs = AMP_PRIV_TRIAL_RUNS;
    return gain;
}

AMP_PRIV_COLD void amp_priv_group_idle(const amp_priv_group *group)
{
    for (int m = 0; m < group->count; m++)
        (void)amp_priv_queue_idle(group->member[m]);
}

/* Runs a launch by a plan, as its trial says. */
AMP_PRIV_COLD amp_status amp_priv_trial_run(amp_priv_launch *launch, const amp_priv_band_plan *plan,
                                            const amp_priv_group *group, amp_priv_trial_turn *turn)
{
    uint64_t times[AMP_PRIV_MAX_DEVICES] = { 0 };
    const bool timed = turn->now.runs > 0 && (turn->whole || plan->count == group->count);
    if (timed)
        amp_priv_group_idle(group);
    const uint64_t began = amp_priv_now();
    const amp_status status = amp_priv_bands_run(launch, plan->band, group->member, plan->count, timed ? times : NULL);
    const uint64_t all = amp_priv_now() - began;
    if (status != AMP_OK)
        return status;
    if (!timed) {
        turn->now.runs += turn->now.runs < AMP_PRIV_TRIAL_RUNS;
    } else if (turn->whole) {
        amp_priv_trial_on_one(&turn->now, times[0]);
    } else {
        amp_priv_trial_speeds(turn->speed, launch, plan, times);
        turn->gain = amp_priv_trial_judge(&turn->now, launch, plan, times, all);
    }
    return AMP_OK;
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

/* The plan of a launch on a group, and its turn in the trial; NULL: it is not divided. The site's record is locked for
   that time alone: launches run without it, as they wait for asynchronous work. */
AMP_PRIV_WARM amp_priv_band_plan *amp_priv_group_plan(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                      const amp_priv_queue *queue, amp_priv_trial_turn *turn)
{
    amp_priv_group *const group = amp_priv_group_of(queue);
    amp_priv_lock(&bands->lock);
    amp_priv_trial_begin(turn, bands, launch, group);
    amp_priv_group_shares(bands, group);
    amp_priv_band_plan *plan = amp_priv_band_plan_of(bands, launch, queue);
    if (plan && plan->count == 0) {
        amp_priv_band_plan_release(plan);
        plan = NULL;
    }
    if (turn->of && !(plan && (turn->whole || plan->count > 1))) {
        turn->of->busy = false;
        turn->of = NULL;
    }
    amp_priv_unlock(&bands->lock);
    return plan;
}

/* Runs a launch by its plan. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_group_run(amp_priv_launch *launch, amp_priv_bands *bands,
                                                  const amp_priv_band_plan *plan, amp_priv_group *group,
                                                  amp_priv_trial_turn *turn)
{
    amp_priv_outcome step = AMP_PRIV_STEP_DONE;
    if (amp_priv_bands_start(launch, group->member[0]))
        step = amp_priv_bands_stop(launch, group->stream ? amp_priv_stream_run(launch, plan, group)
                                           : turn->of    ? amp_priv_trial_run(launch, plan, group, turn)
                                                         : amp_priv_bands_run(launch, plan->band, group->member,
                                                                              plan->count, NULL));
    if (turn->of)
        amp_priv_trial_end(turn, bands, group);
    return step;
}

/* Hook: runs a launch on a group where it can be divided. Else *one becomes the accelerator that runs it. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_group_launch(amp_priv_launch *launch, amp_priv_queue **one)
{
    amp_priv_queue *const queue = *one;
    amp_priv_group *const group = amp_priv_group_of(queue);
    if (!group) {
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_GROUP);
        return AMP_PRIV_STEP_RUN;
    }
    if (!amp_priv_group_ready(launch, group))
        return AMP_PRIV_STEP_DONE;
    amp_priv_bands *bands = atomic_load_explicit(&launch->site->bands, memory_order_acquire);
    if (!bands)
        bands = amp_priv_bands_new(launch->site, launch->captured);
    *one = amp_priv_group_member(launch, group);
    if (!bands)
        return AMP_PRIV_STEP_RUN;
    amp_priv_trial_turn turn;
    amp_priv_band_plan *const plan = amp_priv_group_plan(bands, launch, queue, &turn);
    if (!plan)
        return group->stream && !amp_priv_stream_fits(launch, group->stream) ? AMP_PRIV_STEP_DONE : AMP_PRIV_STEP_RUN;
    const amp_priv_outcome step = amp_priv_group_run(launch, bands, plan, group, &turn);
    amp_priv_band_plan_release(plan);
    return step;
}

#endif /* AMP_PRIV_HAS_DEVICES */

#endif /* AMP_GROUP_GROUP_LAUNCH_H */
