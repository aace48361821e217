/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_run.h - checked builds: a dry run of a kernel's body, by its tree (amp/codegen/kernel_tree.h)

    Before the first launch of a site, and the 10th, 100th, ..., its body is evaluated for some of its indexes, or
    tiles, on the data that the host has. Nothing is written. What C leaves undefined, and what is no number, is
    reported with the expression, its values and the index, in the same way for each backend. Where a value is not
    known, because a device has it or a pointer leads there, all that depends on it is unknown. */
#ifndef AMP_CHECKED_DRY_RUN_H
#define AMP_CHECKED_DRY_RUN_H

#include "dry_statements.h"

#if defined(AMP_CHECKED)

enum {
    AMP_PRIV_DRY_INDEXES = 48,
    AMP_PRIV_DRY_TILES = 6,
    AMP_PRIV_DRY_STEPS = 60000 /* nodes of the tree, of all of them together */
};

/* The captured views whose contents are in host memory, a bit each. */
AMP_PRIV_COLD uint64_t amp_priv_dry_on_host(const amp_priv_launch *launch)
{
    uint64_t on_host = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_source *const source = launch->watched[i];
        if (!source || atomic_load(&source->pending) || source->watch.is_untouched ||
            amp_priv_portability_is_raw(source))
            continue;
        amp_priv_lock(&source->lock);
        if ((source->directory.valid_in_all & amp_priv_bit(0)) && !source->directory.discarded)
            on_host |= UINT64_C(1) << i;
        amp_priv_unlock(&source->lock);
    }
    return on_host;
}

/* Index number n of a launch. */
AMP_PRIV_COLD void amp_priv_dry_at(amp_priv_dry_run *run, long long n)
{
    const amp_priv_launch *const launch = run->launch;
    const amp_priv_launch_site *const site = launch->site;
    for (int d = site->rank - 1; d >= 0; d--) {
        const int size = site->tiled ? site->tile[d] : 1, count = launch->extent[d] / size;
        const int place = (int)(n % count), from = amp_priv_site_origin(site, launch->captured, d);
        run->at.global[d] = place * size + from;
        if (site->tiled) {
            run->at.tile[d] = run->tile.v[d] = place;
            run->tile.v[AMP_PRIV_DRY_ORIGIN + d] = place * size;
            run->tile.v[AMP_PRIV_DRY_LOCAL + d] = 0;
        }
        n /= count;
    }
}

/* Of `count` indexes or tiles: the first ones, the last ones, and some between. */
AMP_PRIV_COLD long long amp_priv_dry_sample(long long count, int n, int samples)
{
    const int third = samples / 3;
    if (count <= samples)
        return n;
    return n < third ? n : n < 2 * third ? count - 1 - (n - third) : (count - 1) / third * (n - 2 * third) + n % 7;
}

AMP_PRIV_COLD void amp_priv_dry_one(amp_priv_dry_run *run, long long index, long steps)
{
    amp_priv_dry_frame frame = { .tree = &run->body->tree };
    frame.variable = calloc((size_t)frame.tree->variables + 1, sizeof *frame.variable);
    run->steps = steps < run->steps_left ? steps : run->steps_left;
    run->steps_left -= run->steps;
    run->stops = !frame.variable;
    run->jump = AMP_PRIV_DRY_GOES_ON;
    run->forgets = run->at.in_phase = false;
    run->generation++;
    run->frame = &frame;
    amp_priv_dry_at(run, index);
    amp_priv_dry_statement(run, frame.tree->root);
    run->steps_left += run->steps > 0 ? run->steps : 0;
    amp_priv_dry_frame_end(&frame);
}

/* Is this one of the launches of a site that a dry run comes before? Samples for an algorithm's contract
   (amp/algorithms/contracts.h) combine values that the algorithm may not. */
AMP_PRIV_COLD bool amp_priv_dry_is_due(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    unsigned number = launch->number;
    while (number > 1 && number % 10 == 0)
        number /= 10;
    return number == 1 && !launch->band && !site->unvalidated && strcmp(site->index, "(amp_priv_sample)") != 0 &&
           !(atomic_load(&amp_priv_site_in_source(launch->site)->reported) & AMP_PRIV_REPORTED_DRY) &&
           amp_priv_log_level() >= AMP_PRIV_LOG_WARNING;
}

/* Before a launch: reports the first fault. A loop that never ends is an error. */
AMP_PRIV_COLD amp_status amp_priv_dry_of(const amp_priv_launch *launch)
{
    amp_priv_launch_site *const site = launch->site;
    const int samples = site->tiled ? AMP_PRIV_DRY_TILES : AMP_PRIV_DRY_INDEXES;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, launch->captured);
    amp_priv_dry_run run = { .body = body,
                             .launch = launch,
                             .on_host = amp_priv_dry_on_host(launch),
                             .tile = { .kind = AMP_PRIV_DRY_TILE },
                             .at = { .rank = site->rank, .tiled = site->tiled },
                             .steps_left = AMP_PRIV_DRY_STEPS };
    long long count = 1;
    for (int d = 0; d < site->rank; d++)
        count *= launch->extent[d] / (site->tiled ? site->tile[d] : 1);
    run.written = body->good ? calloc(AMP_PRIV_DRY_WRITES, sizeof *run.written) : NULL;
    for (int n = 0; n < samples && n < count && run.written && !run.fault.text && run.steps_left > 0; n++)
        amp_priv_dry_one(&run, amp_priv_dry_sample(count, n, samples), AMP_PRIV_DRY_STEPS);
    const bool is_error = run.fault.text && run.hangs;
    if (is_error)
        amp_priv_site_report(site, AMP_RUNTIME_ERROR, "%s", run.fault.text);
    else if (run.fault.text)
        amp_priv_portability_warn(site, "%s", run.fault.text);
    free(run.fault.text);
    free(run.written);
    amp_priv_site_tree_release(body);
    return is_error ? AMP_RUNTIME_ERROR : AMP_OK;
}

#endif

#endif /* AMP_CHECKED_DRY_RUN_H */
