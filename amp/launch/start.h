/* SPDX-License-Identifier: MIT */
/*  amp/launch/start.h - checks a launch, and starts it */
#ifndef AMP_LAUNCH_START_H
#define AMP_LAUNCH_START_H

#include "../codegen/loop_notes.h"
#include "../api/launch.h"
#include "../checks/phases.h"
#include "../checks/portability.h"
#include "../checks/debug.h"
#include "../memory/copy_async.h"
#include "../memory/recorded_values.h"
#include "profile.h"
#include "versions.h"

#if AMP_PRIV_HAS_DEVICES
#include "compare.h"
#else
enum { AMP_PRIV_COMPARE_BEGAN = 1 };
#define amp_priv_compare_is_second(comparison)  false
#define amp_priv_compare_is_own(comparison)     false
#define amp_priv_compare_begin(launch)          NULL
#define amp_priv_compare_fail(launch)           (void)0
#define amp_priv_compare_second(launch, status) ((void)(status), false)
#define amp_priv_compare_end(launch)            false
/* Without a backend whose kernels are text, only tests have devices other than the host, and kernels of their own. */
AMP_PRIV_COLD amp_status amp_priv_kernel_launch(amp_priv_launch *launch)
{
    return amp_priv_site_report(launch->site, AMP_UNSUPPORTED_FEATURE, "%s cannot run kernels",
                                launch->queue->device->path);
}
#endif

/* // >>domain: what is checked before anything else happens. */

/* Looks through a kernel's text, once per site. */
AMP_PRIV_COLD amp_status amp_priv_check_text(amp_priv_launch_site *site, void *const *captured)
{
    if (!amp_priv_same_build())
        return AMP_RUNTIME_ERROR;
    if (!*site->text)
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "the body is missing: it is the last argument, { body }, inside the parentheses");
    if (amp_priv_has_word(site->text, "return"))
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "`return` in a kernel body would leave the host function %s; to "
                                    "end one thread early, write `continue`",
                                    site->function);
    if (site->tiled && !amp_priv_has_word(site->text, "amp_priv_tile_in_threads"))
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "AMP_TILED without AMP_THREADS does nothing; put what every "
                                    "thread of a tile does into AMP_THREADS(%s, t) { ... }",
                                    site->index);
    if (!site->unchecked && amp_priv_captures_foreign(site, captured)) /* whose elements are not to be believed */
        return AMP_RUNTIME_ERROR;
    if (!site->unchecked && amp_priv_validate(site, captured) != AMP_OK)
        return AMP_COMPILATION_FAILED;
#if defined(AMP_CHECKED)
    amp_priv_warn_of_writes(site);
#endif
    atomic_store_explicit(&site->checked, 1, memory_order_release);
    return AMP_OK;
}

/* Can the kernel run over this extent, and is there something to run over? values: as the user gave it, `ints` of them:
   a tiled extent brings its tile along. */
static inline bool amp_priv_domain_good(const amp_priv_launch_site *site, const int *values, size_t ints)
{
    ptrdiff_t size = 1;
    for (int d = 0; d < site->rank; d++)
        if (values[d] <= 0 || __builtin_mul_overflow(size, (ptrdiff_t)values[d], &size))
            return false;
    for (int d = 0; d < site->rank && __builtin_expect(site->has_origin, 0); d++)
        if (values[site->rank + d] < 0 || values[site->rank + d] > INT_MAX - values[d])
            return false;
    for (int d = 0; d < site->rank && site->tiled; d++)
        if ((ints > (size_t)site->rank && values[site->rank + d] != site->tile[d]) || values[d] % site->tile[d])
            return false;
    return true;
}

/* Reports why the tile does not fit the extent; AMP_OK when it does. */
AMP_PRIV_COLD amp_status amp_priv_domain_refuse_tile(const amp_priv_launch_site *site, const int *values, size_t ints)
{
    char text[128], tile[64];
    int d = 0;
    while (d < site->rank && (ints <= (size_t)site->rank || values[site->rank + d] == site->tile[d]) &&
           values[d] % site->tile[d] == 0)
        d++;
    if (d == site->rank)
        return AMP_OK;
    if (ints > (size_t)site->rank && values[site->rank + d] != site->tile[d])
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "the tiled extent's tile is %d in dimension %d, but the launch's "
                                    "is %d; give both the same tile",
                                    values[site->rank + d], d, site->tile[d]);
    return amp_priv_site_report(
        site, AMP_INVALID_COMPUTE_DOMAIN,
        "dimension %d of the extent %s is not divisible by the tile %s: %d "
        "by %d leaves %d; pad it (amp_tiled_extent%d_pad(amp_extent%d_tile(e, %s)) and skip the threads beyond the "
        "view's extent, truncate it, or choose another tile",
        d, amp_priv_list(text, sizeof text, values, site->rank),
        amp_priv_list(tile, sizeof tile, site->tile, site->rank), values[d], site->tile[d], values[d] % site->tile[d],
        site->rank, site->rank, tile + 1);
}

/* Reports why an origin is refused; AMP_OK when it is not. */
AMP_PRIV_COLD amp_status amp_priv_domain_refuse_origin(const amp_priv_launch_site *site, const int *values)
{
    char text[128];
    const int *const origin = values + site->rank;
    for (int d = 0; d < site->rank && site->has_origin; d++)
        if (origin[d] < 0 || origin[d] > INT_MAX - values[d])
            return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                        "component %d of the launch's origin %s is %d; it must not be negative, and "
                                        "with the extent's, %d, fit an int",
                                        d, amp_priv_list(text, sizeof text, origin, site->rank), origin[d], values[d]);
    return AMP_OK;
}

/* Reports why not; says nothing of an extent with a component 0, over which nothing happens. */
AMP_PRIV_COLD amp_status amp_priv_domain_refuse(const amp_priv_launch_site *site, const int *values, size_t ints)
{
    char text[128];
    bool is_empty = false;
    amp_priv_list(text, sizeof text, values, site->rank);
    for (int d = 0; d < site->rank; d++) {
        if (values[d] < 0)
            return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                        "component %d of the launch's extent %s is %d; it must not be negative (an "
                                        "extent of 0 is allowed)",
                                        d, text, values[d]);
        is_empty = is_empty || values[d] == 0;
    }
    if (is_empty)
        return AMP_OK;
    const amp_status status =
        site->tiled ? amp_priv_domain_refuse_tile(site, values, ints) : amp_priv_domain_refuse_origin(site, values);
    if (status != AMP_OK)
        return status;
    return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                "the extent %s has more than %td indexes; launch it in parts", text,
                                (ptrdiff_t)PTRDIFF_MAX);
}

/* The end of a launch for its caller: the CPU backend has run it, or a device has the kernel (and, in checked builds,
   has run it). True: the loops are to run once more (AMP_COMPARE). */
AMP_PRIV_API bool amp_priv_finish_slowly(amp_priv_launch *launch)
{
    if (__builtin_expect(launch->ranks != NULL, 0) && launch->ranks->next(launch->ranks, launch))
        return true;
    if (__builtin_expect(launch->compare && amp_priv_compare_is_second(launch->compare), 0))
        return amp_priv_compare_end(launch);
    if (__builtin_expect(launch->began > AMP_PRIV_COMPARE_BEGAN, 0))
        amp_priv_trace_launch(launch);
#if defined(AMP_CHECKED)
    amp_priv_fibers_meet();
    amp_priv_portability_end(launch);
    const amp_priv_fault *const fault = launch->fault;
    if (__builtin_expect(fault->count != 0, 0)) {
        amp_priv_last_error.in_launch = true;
        amp_priv_portability_fault(launch);
        amp_priv_last_error.in_launch = false;
    }
#endif
    return __builtin_expect(launch->compare && amp_priv_compare_is_own(launch->compare), 0) &&
           amp_priv_compare_end(launch);
}

/* Chooses the launch's queue: the given one, the recorded one, or where its data are. False after reporting, or when a
   group has run it. On the CPU backend of a rank the launch has its part of the extent then. */
static inline bool amp_priv_start_place(amp_priv_launch *launch, amp_priv_queue *queue)
{
    amp_priv_recording *recording = launch->recording;
    if (__builtin_expect(recording != NULL, 0) && recording->queue->group) { /* its commands are not noted */
        queue = queue ? queue : recording->queue;
        recording = launch->recording = NULL;
    }
    amp_priv_ranks *const ranks = __builtin_expect(amp_priv_queue_is_group(queue), 0) ? queue->group->ranks : NULL;
    if (__builtin_expect(ranks != NULL, 0) && ranks->launch(ranks, launch, &queue))
        return false;
    if (__builtin_expect(amp_priv_queue_is_group(queue), 0) && queue->group->launch(launch, queue, &queue))
        return false;
    return amp_priv_launch_place(launch, queue || __builtin_expect(!recording, 1) ? queue : recording->queue) &&
           (__builtin_expect(!recording, 1) || recording->notes->launch(launch) == AMP_OK);
}

/* The rest of a launch's record, once it has its place. */
static inline void amp_priv_start_record(amp_priv_launch *launch)
{
    launch->began = amp_priv_profile_begin(launch);
    if (__builtin_expect(launch->ranks && !launch->began, 0))
        launch->began = AMP_PRIV_COMPARE_BEGAN; /* its end is looked at */
    launch->one_thread = amp_priv_left_team;
    if (__builtin_expect(launch->began != 0, 0))
        amp_priv_launch_name_sources(launch);
#if defined(AMP_CHECKED)
    amp_priv_fault_begin(launch, amp_priv_is_host(launch->queue->device->number));
    amp_priv_portability_sources(launch);
#endif
}

/* Acquires the views for the CPU backend; the caller then runs the loops. */
static inline bool amp_priv_start_on_host(amp_priv_launch *launch, bool is_first)
{
    if (!(__builtin_expect(!launch->recording, 1) ? amp_priv_memory_begin_host(launch)
                                                  : launch->recording->notes->host(launch)))
        return false;
    if (__builtin_expect(is_first, 0))
        amp_priv_note_loops(launch->site);
#if defined(AMP_CHECKED)
    amp_priv_portability_begin(launch);
#endif
    return true;
}

/* The kernel is submitted: that it is not under way yet is no error of the launch. */
AMP_PRIV_WARM_PART void amp_priv_start_now(amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    amp_priv_queue_flush(queue);
    amp_priv_error_mode_end(before);
}

/* Submits the launch to its device. */
static inline amp_status amp_priv_start_on_device(amp_priv_launch *launch)
{
    amp_priv_sources sources;
    amp_status status = amp_priv_memory_begin(launch, &sources);
    if (status != AMP_OK)
        return status;
#if defined(AMP_CHECKED)
    amp_priv_portability_begin(launch);
#endif
    status = amp_priv_kernel_launch(launch);
#if defined(AMP_CHECKED)
    if (status != AMP_OK)
        amp_priv_portability_end(launch);
#endif
    if (__builtin_expect(launch->recording != NULL, 0) && status == AMP_OK)
        launch->recording->notes->launch_end(launch);
    amp_priv_memory_end(launch, &sources, status);
    if (status == AMP_OK) {
        if (launch->queue->mode == AMP_QUEUING_IMMEDIATE)
            amp_priv_start_now(launch->queue);
        amp_priv_finish(launch);
    }
    return status;
}

/* // >>start */

/* Is the kernel's text right? Else the status of the launch is set, also where the error was reported before. */
AMP_PRIV_COLD bool amp_priv_start_first(amp_priv_launch_site *site, void *const *captured)
{
    const amp_status status = amp_priv_check_text(site, captured);
    if (status != AMP_OK && amp_priv_last_error.in_launch)
        amp_priv_launch_failed(status);
    return status == AMP_OK;
}

/* Starts a launch; amp_priv_start keeps its status. */
static inline bool amp_priv_start_launch(amp_priv_launch *launch, amp_priv_launch_site *site, amp_accelerator_view view,
                                         const int *values, size_t ints, void *const *captured)
{
    amp_priv_recording *recording = launch->recording = amp_priv_capture_launch_begin();
    bool is_first = atomic_load_explicit(&site->checked, memory_order_acquire) != 1;
    if (is_first) {
        site = amp_priv_version_of(site, captured);
        is_first = site && atomic_load_explicit(&site->checked, memory_order_acquire) != 1;
    }
    if (!site || (is_first && !amp_priv_start_first(site, captured)))
        return false;
    if (__builtin_expect(!amp_priv_domain_good(site, values, ints), 0)) {
        if (!amp_priv_captures_foreign(site, captured)) /* whose extents are not to be believed */
            amp_priv_record_empty(recording, amp_priv_domain_refuse(site, values, ints));
        return false;
    }
    launch->site = site;
    launch->captured = captured;
    launch->first = 0;
    launch->band = NULL;
    launch->ranks = NULL;
    launch->compare = NULL;
    launch->partly = false;
    for (int d = 0; d < site->rank; d++)
        launch->extent[d] = values[d];
#if defined(AMP_CHECKED)
    launch->reads = NULL;
    launch->number = atomic_fetch_add_explicit(&amp_priv_site_in_source(site)->launches, 1u, memory_order_relaxed) + 1;
#endif
    const bool placed = amp_priv_start_place(launch, view.amp_priv_queue);
    if (!placed && __builtin_expect(recording != NULL, 0) && recording->queue->group)
        recording->queue->group->note(recording, launch, view.amp_priv_queue);
    if (!placed) /* also where a group has run it */
        return __builtin_expect(launch->compare != NULL, 0) &&
               amp_priv_compare_second(launch, amp_priv_last_error.launch);
    amp_priv_start_record(launch);
    launch->compare = __builtin_expect(AMP_PRIV_HAS_DEVICES && amp_priv_compare_is_on() && !launch->band, 0)
                          ? amp_priv_compare_begin(launch)
                          : NULL;
    if (amp_priv_is_host(launch->queue->device->number)) {
        if (__builtin_expect(amp_priv_start_on_host(launch, is_first), 1))
            return true;
        amp_priv_compare_fail(launch);
        return false;
    }
    const amp_status status = amp_priv_start_on_device(launch);
    if (__builtin_expect(recording != NULL, 0) && status == AMP_OK && recording->queue->group)
        recording->queue->group->note(recording, launch, view.amp_priv_queue);
    return __builtin_expect(launch->compare != NULL, 0) && amp_priv_compare_second(launch, status);
}

/* Starts a launch on `view` (all zero: where its arrays live, else where its views are cached, else the default
   accelerator). Returns true when the caller is to run the loops of the CPU backend now; else all is done or
   reported. */
AMP_PRIV_API bool amp_priv_start(amp_priv_launch *launch, amp_priv_launch_site *site, amp_accelerator_view view,
                                 const int *values, size_t ints, void *const *captured)
{
    amp_priv_last_error.launch = AMP_OK;
    amp_priv_last_error.in_launch = true;
    const bool is_ours = amp_priv_start_launch(launch, site, view, values, ints, captured);
    amp_priv_last_error.in_launch = false;
    return is_ours;
}

#endif /* AMP_LAUNCH_START_H */
