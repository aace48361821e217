/* SPDX-License-Identifier: MIT */
/*  amp/launch/start.h - a launch, from the macro to the device or to the loops of the CPU backend */
#ifndef AMP_LAUNCH_START_H
#define AMP_LAUNCH_START_H

#include "../api/launch.h"
#include "domain.h"
#include "template.h"

#if AMP_PRIV_HAS_DEVICES
#include "kernel_launch.h"
#else
/* Without a backend whose kernels are text, only tests have devices other than the host, and kernels of their own. */
AMP_PRIV_COLD amp_status amp_priv_kernel_launch(amp_priv_launch *launch)
{
    return amp_priv_site_report(launch->site, AMP_UNSUPPORTED_FEATURE, "%s cannot run kernels",
                                launch->queue->device->path);
}
#endif

/* The kernel is submitted: that it is not under way yet is no error of the launch. */
AMP_PRIV_WARM_PART void amp_priv_start_now(amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    amp_priv_queue_flush(queue);
    amp_priv_error_mode_end(before);
}

#if AMP_PRIV_HAS_OTHERS
/* Submits a launch to its device. */
static inline amp_status amp_priv_start_on_device(amp_priv_launch *launch)
{
    amp_priv_use_list uses;
    amp_status status = amp_priv_memory_begin(launch, &uses);
    if (status != AMP_OK)
        return status;
    if (amp_priv_launch_has_hooks(launch))
        amp_priv_hooks_acquired(launch);
    status = amp_priv_kernel_launch(launch);
    if (amp_priv_launch_has_hooks(launch) && status == AMP_OK)
        amp_priv_hooks_submitted(launch);
    amp_priv_memory_end(launch, &uses, status);
    if (status == AMP_OK && launch->queue->mode == AMP_QUEUING_IMMEDIATE)
        amp_priv_start_now(launch->queue);
    return status;
}

#else
#define amp_priv_start_on_device(launch) amp_priv_kernel_launch(launch)
#endif

/* Runs a launch whose site, captures and extent are set. queue: the one given; NULL: where its data are. True: the
   caller is to run the loops of the CPU backend now. is_first: of its site. */
static inline bool amp_priv_start_run(amp_priv_launch *launch, amp_priv_queue *queue, bool is_first)
{
    const amp_priv_outcome step =
        amp_priv_launch_has_hooks(launch) ? amp_priv_hooks_place(launch, &queue) : AMP_PRIV_STEP_RUN;
    if (step != AMP_PRIV_STEP_RUN)
        return step == AMP_PRIV_STEP_AGAIN;
    if (!amp_priv_launch_place(launch, queue))
        return false;
    launch->one_thread = amp_priv_left_team;
    if (amp_priv_launch_has_hooks(launch) && !amp_priv_hooks_begin(launch))
        return false;
    amp_status status;
    if (!amp_priv_is_host(launch->queue->device->number)) {
        status = amp_priv_start_on_device(launch);
    } else if (__builtin_expect(amp_priv_memory_begin_host(launch), 1)) {
        if (amp_priv_launch_has_hooks(launch))
            amp_priv_hooks_acquired(launch);
        if (is_first)
            amp_priv_hooks_first_loops(launch->site, launch->captured);
        return true;
    } else {
        status = amp_priv_failed();
    }
    return amp_priv_launch_has_hooks(launch) && amp_priv_hooks_end(launch, status) == AMP_PRIV_STEP_AGAIN;
}

/* The modules that take part in a launch. */
static inline void amp_priv_start_hooks(amp_priv_launch *launch)
{
    launch->hooks = atomic_load_explicit(&amp_priv_hooks.launches, memory_order_acquire);
    if (amp_priv_launch_has_hooks(launch))
        amp_priv_hooks_open(launch);
}

/* A site that was not launched yet, or has versions: the version to launch, whose text is good. NULL after reporting;
   the status of the launch is set, also where the error was reported before. */
AMP_PRIV_COLD amp_priv_launch_site *amp_priv_start_first(amp_priv_launch_site *site, const int *values,
                                                         void *const *captured)
{
    if (!amp_priv_site_complete(site))
        return NULL;
    site = amp_priv_hooks_version(site, captured);
    if (!site || amp_priv_site_is_validated(site))
        return site;
    const amp_status status = amp_priv_check_text(site, values, captured);
    if (status != AMP_OK && amp_priv_last_error.in_launch)
        amp_priv_launch_failed(status);
    return status == AMP_OK ? site : NULL;
}

/* Reports why the extent is refused; it may also have no index. */
AMP_PRIV_COLD void amp_priv_start_refuse(amp_priv_launch *launch, const amp_priv_launch_site *site, const int *values,
                                         size_t ints, void *const *captured)
{
    if (amp_priv_captures_foreign(site, captured)) /* whose extents are not to be believed */
        return;
    if (amp_priv_domain_refuse(site, values, ints) == AMP_OK)
        amp_priv_hooks_skip(launch);
}

/* Starts a launch on `queue` (NULL: where its arrays live, else where its views are cached, else the default
   accelerator). is_first: the site was not launched yet, or has versions.
   Returns true when the caller is to run the loops of the CPU backend now; else all is done or reported. */
static inline bool amp_priv_start_launch(amp_priv_launch *launch, amp_priv_launch_site *site, amp_priv_queue *queue,
                                         const int *values, size_t ints, void *const *captured, bool is_first)
{
    amp_priv_start_hooks(launch);
    if (is_first)
        site = amp_priv_start_first(site, values, captured);
    if (!site)
        return false;
    if (__builtin_expect(!amp_priv_domain_good(site, values, ints), 0)) {
        amp_priv_start_refuse(launch, site, values, ints, captured);
        return false;
    }
    launch->site = site;
    launch->captured = captured;
    launch->queue = NULL;
    launch->band = NULL;
    launch->first = 0;
    launch->partly_submitted = false;
    for (int d = 0; d < site->rank; d++)
        launch->extent[d] = values[d];
    return amp_priv_start_run(launch, queue, is_first);
}

/* The loops of the CPU backend have run. True: they are to run once more. */
AMP_PRIV_API bool amp_priv_finish_slowly(amp_priv_launch *launch)
{
    return amp_priv_hooks_end(launch, AMP_OK) == AMP_PRIV_STEP_AGAIN;
}

#endif /* AMP_LAUNCH_START_H */
