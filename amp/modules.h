/* SPDX-License-Identifier: MIT */
/*  amp/modules.h - the modules that every program has, and the entry of a launch, which registers them

    The others are registered by the public call that needs them: their headers are not here. */
#ifndef AMP_MODULES_H
#define AMP_MODULES_H

#include "launch/start.h"
#include "specialize/specialize.h"
#if defined(AMP_CHECKED)
#include "checked/checked.h"
#endif
#if !defined(AMP_SMALL)
#include "trace/trace.h"
#if !defined(AMP_NO_REPORT)
#include "report/report.h"
#endif
#if AMP_PRIV_HAS_DEVICES
#include "compare/compare.h"
#endif
#endif

#if defined(AMP_SMALL)
/* Environment variables that ask for a module that this file does not have. */
AMP_PRIV_COLD void amp_priv_small_warn(void)
{
    static const char *const names[] = { "AMP_TRACE", "AMP_PROFILE", "AMP_REPORT", "AMP_COMPARE" };
    static atomic_bool warned;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const value = amp_priv_environment(names[i]);
        if (value && value[0] && !atomic_exchange(&warned, true))
            amp_priv_log(AMP_PRIV_LOG_WARNING, "%s has no effect in a file built with AMP_SMALL: build it without",
                         names[i]);
    }
}
#endif

/* Before a site's first launch: once is enough. Traces are registered before main, since they also show what happens
   before. */
AMP_PRIV_COLD void amp_priv_modules_register(void)
{
    amp_priv_specialize_register();
#if defined(AMP_CHECKED)
    amp_priv_checked_register();
#endif
#if defined(AMP_SMALL)
    amp_priv_small_warn();
#elif AMP_PRIV_HAS_DEVICES
    amp_priv_compare_register();
#endif
}

/* Starts a launch on `view`, all zero for a place that the library chooses. True: the caller is to run the loops. */
AMP_PRIV_API bool amp_priv_start(amp_priv_launch *launch, amp_priv_launch_site *site, amp_accelerator_view view,
                                 const int *values, size_t ints, void *const *captured)
{
    amp_priv_last_error.launch = AMP_OK;
    amp_priv_last_error.in_launch = true;
    const bool is_ours =
        amp_priv_start_launch(launch, site, view.amp_priv_queue, values, ints, captured, amp_priv_modules_register);
    amp_priv_last_error.in_launch = false;
    return is_ours;
}

#endif /* AMP_MODULES_H */
