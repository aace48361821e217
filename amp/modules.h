/* SPDX-License-Identifier: MIT */
/*  amp/modules.h - the modules that every program has, and the entry of a launch, which registers them

    The others are registered by the public call that needs them: their headers are not here. */
#ifndef AMP_MODULES_H
#define AMP_MODULES_H

#include "launch/start.h"
#include "specialize/specialize.h"
/* A file whose kernels are not validated does not read what validates them, unless it does so for others. */
#if !AMP_PRIV_NO_VALIDATION || defined(AMP_IMPLEMENTATION)
#include "validate/validate.h"
#endif
#if defined(AMP_CHECKED)
#include "checked/checked.h"
#endif
#if defined(AMP_TOOLS)
#include "trace/trace.h"
#include "report/report.h"
#if AMP_PRIV_HAS_DEVICES
#include "compare/compare.h"
#endif
#endif

/* Does a file of this process have the tools? They look on the launches of all files. */
AMP_PRIV_GLOBAL(atomic_bool, amp_priv_tools_exist)

#if defined(AMP_TOOLS)
AMP_PRIV_AT_START void amp_priv_tools_start(void) { atomic_store(&amp_priv_tools_exist, true); }
#else
/* One message where the environment asks for a tool that no file has. */
AMP_PRIV_COLD void amp_priv_tools_miss(void)
{
    static const char *const names[] = { "AMP_REPORT", "AMP_PROGRESS", "AMP_PROFILE", "AMP_TRACE", "AMP_COMPARE" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const value = amp_priv_environment(names[i]);
        if (value && value[0] && strcmp(value, "0") != 0 && !atomic_exchange(&amp_priv_tools_exist, true))
            amp_priv_log(AMP_PRIV_LOG_WARNING,
                         "%s has no effect: this program has no tools; compile one of its files with -DAMP_TOOLS",
                         names[i]);
    }
}
#endif

#if !defined(AMP_REPORT_REPORT_H)
AMP_PRIV_API amp_status amp_priv_page_view(const char *name, const amp_priv_head *head)
{
    (void)name, (void)head;
    return AMP_OK;
}
#endif

/* Before a site's first launch: those that no call of the program registers. Once is enough. The tools are registered
   before main: they show what happens before, and the launches of files that do not have them. */
AMP_PRIV_COLD void amp_priv_modules_register(void)
{
#if !AMP_PRIV_NO_VALIDATION || defined(AMP_IMPLEMENTATION)
    amp_priv_validate_register();
#endif
    amp_priv_specialize_register();
#if defined(AMP_CHECKED)
    amp_priv_checked_register();
#endif
#if !defined(AMP_TOOLS)
    amp_priv_tools_miss();
#endif
}

/* Starts a launch on `view`, all zero for a place that the library chooses. True: the caller is to run the loops. */
AMP_PRIV_API bool amp_priv_start(amp_priv_launch *launch, amp_priv_launch_site *site, amp_accelerator_view view,
                                 const int *values, size_t ints, void *const *captured)
{
#if defined(AMP_CHECKED)
    launch->stack = __builtin_frame_address(0);
#endif
    const bool is_first = !amp_priv_site_is_validated(site);
    if (is_first)
        amp_priv_modules_register();
    amp_priv_last_error.launch = AMP_OK;
    amp_priv_last_error.in_launch = true;
    const bool is_ours = amp_priv_start_launch(launch, site, view.amp_priv_queue, values, ints, captured, is_first);
    amp_priv_last_error.in_launch = false;
#if defined(AMP_CODEGEN_SITE_TREE_H)
    if (is_first)
        amp_priv_site_tree_drop(); /* after the launch it is not needed */
#endif
    return is_ours;
}

#endif /* AMP_MODULES_H */
