/* SPDX-License-Identifier: MIT */
/*  amp/checked/checked.h - checked builds: bounds, phases, and what would fail on another device

    Hooks: first, open, begin, acquired, end, ends. Registered before the first launch in builds with AMP_CHECKED.
    amp.h includes it. */
#ifndef AMP_CHECKED_CHECKED_H
#define AMP_CHECKED_CHECKED_H

#include "../validate/races.h"
#include "atomics.h"
#include "barriers.h"
#include "debug.h"
#include "division.h"
#include "doubts.h"
#include "lifetime.h"
#include "phases.h"
#include "portability.h"
#include "scatters.h"
#include "sections.h"
#include "steps.h"
#include "sums.h"
#include "tiles.h"
#include "dry_run.h"
#include "values.h"

#if defined(AMP_CHECKED)

/* Warns of a race that is likely, of overlapping sections, or of a plain read beside an atomic function. */
AMP_PRIV_COLD void amp_priv_warn_of_races(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                          const int *values, void *const *captured)
{
    if (site->unvalidated || amp_priv_site_is_algorithm(site))
        return;
    const amp_priv_race race = amp_priv_race_of(body, site, values, captured, true);
    amp_priv_string text = { .text = NULL };
    int capture = race.capture;
    const char *what = race.kind != AMP_PRIV_RACE_NONE ? amp_priv_race_text(race)
                                                       : amp_priv_atomics_of(body, site, values, captured, &capture);
    if (!what && (capture = amp_priv_sections_of(body, site, values, captured)) >= 0)
        what = AMP_PRIV_MSG_SECTIONS;
    if (!what)
        return;
    amp_priv_add_sentence(&text, what, amp_priv_token_of(site->captures[capture].name));
    if (!text.failed)
        amp_priv_portability_warn(site, "%s", text.text);
    free(text.text);
}

/* Once per site. */
AMP_PRIV_COLD amp_status amp_priv_checked_first(amp_priv_launch_site *site, const int *values, void *const *captured)
{
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, site->unvalidated ? NULL : captured);
    amp_priv_warn_of_writes(body, site);
    amp_priv_warn_of_races(body, site, values, captured);
    amp_priv_warn_of_scatters(body, site, values, captured);
    amp_priv_warn_of_tiles(body, site, values);
    amp_priv_warn_of_barriers(body, site);
    amp_priv_steps_find(body, site, values, captured);
    amp_priv_sums_find(body, site, values, captured);
    if (!amp_priv_warn_of_values(body, site, values, captured))
        amp_priv_warn_of_doubts(body, site);
    amp_priv_site_tree_release(body);
    return AMP_OK;
}

AMP_PRIV_COLD void amp_priv_checked_open(amp_priv_launch *launch)
{
    launch->reads = NULL;
    launch->number = 0;
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_checked_begin(amp_priv_launch *launch)
{
    launch->number =
        atomic_fetch_add_explicit(&amp_priv_site_in_source(launch->site)->launches, 1u, memory_order_relaxed) + 1;
    amp_priv_portability_sources(launch);
    if (amp_priv_portability_left(launch) != AMP_OK)
        return AMP_PRIV_STEP_DONE;
    amp_priv_warn_of_steps(launch);
    amp_priv_warn_of_sums(launch);
    amp_priv_warn_of_threads(launch);
    amp_priv_portability_runs(launch, true);
    if (amp_priv_dry_is_due(launch) && amp_priv_dry_of(launch) != AMP_OK) {
        amp_priv_portability_runs(launch, false);
        return AMP_PRIV_STEP_DONE;
    }
    amp_priv_fault_begin(launch, amp_priv_is_host(launch->queue->device->number));
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD void amp_priv_checked_acquired(amp_priv_launch *launch)
{
    amp_priv_portability_begin(launch);
    launch->own[AMP_PRIV_HOOK_CHECKED].number = 1;
}

/* Also after a launch that failed when its views were there. */
AMP_PRIV_COLD amp_priv_outcome amp_priv_checked_end(amp_priv_launch *launch, amp_status status)
{
    amp_priv_portability_runs(launch, false);
    if (!launch->own[AMP_PRIV_HOOK_CHECKED].number)
        return AMP_PRIV_STEP_RUN;
    if (status == AMP_OK)
        amp_priv_fibers_meet();
    amp_priv_portability_end(launch);
    if (status == AMP_OK && launch->fault->count != 0) {
        amp_priv_last_error.in_launch = true;
        amp_priv_portability_fault(launch);
        amp_priv_last_error.in_launch = false;
    }
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD void amp_priv_checked_register(void)
{
    static const amp_priv_hook hook = { .first = amp_priv_checked_first,
                                        .open = amp_priv_checked_open,
                                        .begin = amp_priv_checked_begin,
                                        .acquired = amp_priv_checked_acquired,
                                        .end = amp_priv_checked_end,
                                        .ends = amp_priv_lifetime_ends };
    amp_priv_hook_add(AMP_PRIV_HOOK_CHECKED, &hook);
}

/* Before main: malloc fills what it gives, a division by 0 is reported; with AMP_BREAK_AT a program goes on after
   errors. */
AMP_PRIV_AT_START void amp_priv_checked_start(void)
{
    amp_priv_memory_fills();
    amp_priv_on_division(amp_priv_division_stops);
    const char *const stop = amp_priv_environment("AMP_BREAK_AT");
    atomic_store(&amp_priv_continues, stop && strrchr(stop, ':'));
}

#endif

#endif /* AMP_CHECKED_CHECKED_H */
