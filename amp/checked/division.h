/* SPDX-License-Identifier: MIT */
/*  amp/checked/division.h - checked builds: a kernel on the CPU that divides an integer by 0 ends with a message */
#ifndef AMP_CHECKED_DIVISION_H
#define AMP_CHECKED_DIVISION_H

#include "bounds.h"

#if defined(AMP_CHECKED)

/* A program with an error handler that returns ends with the signal, when the division is tried again. */
AMP_PRIV_COLD void amp_priv_division_stops(int signal_number)
{
    const amp_priv_launch *const launch = amp_priv_current_thread.launch;
    char where[512];
    (void)signal_number;
    amp_priv_on_division(NULL);
    if (!launch)
        return;
    const amp_priv_launch_position at = amp_priv_current_position();
    amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                         "launch %u, %s, an integer is divided by 0, or the smallest one by -1, which has no result: "
                         "test the divisor first",
                         launch->number, amp_priv_position_text(where, sizeof where, &at));
}

#endif

#endif /* AMP_CHECKED_DIVISION_H */
