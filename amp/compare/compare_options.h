/* SPDX-License-Identifier: MIT */
/*  amp/compare/compare_options.h - AMP_COMPARE: its environment variables */
#ifndef AMP_COMPARE_COMPARE_OPTIONS_H
#define AMP_COMPARE_COMPARE_OPTIONS_H

#include "../device/hooks.h"

enum { AMP_PRIV_COMPARE_ULPS = 64, AMP_PRIV_COMPARE_MEGABYTES = 4096 }; /* the defaults */

typedef struct amp_priv_compare_options {
    atomic_bool asked, on;
    bool for_break; /* AMP_BREAK_AT alone: launches run on the CPU, too, and nothing is reported */
    bool aborts;
    double ulps, absolute; /* absolute: 0 is the rule */
    uint64_t bytes;
    char wanted[512]; /* AMP_COMPARE: a target, and a pattern of function names */
} amp_priv_compare_options;

AMP_PRIV_GLOBAL(amp_priv_compare_options, amp_priv_compare)

/* Are launches compared? */
static inline bool amp_priv_compare_is_on(void)
{
    return atomic_load_explicit(&amp_priv_compare.on, memory_order_relaxed);
}

/* A number of the environment; `usual` where there is none. */
AMP_PRIV_COLD double amp_priv_compare_number(const char *name, double usual)
{
    const char *const text = amp_priv_environment(name);
    char *end = NULL;
    if (!text || !text[0])
        return usual;
    const double value = strtod(text, &end);
    if (!*end && value >= 0)
        return value;
    amp_priv_log(AMP_PRIV_LOG_WARNING, "%s is \"%s\"; it can be a number", name, text);
    return usual;
}

/* Reads the environment, once: it decides what is asked of devices. */
AMP_PRIV_COLD void amp_priv_compare_read(void)
{
    amp_priv_compare_options *const options = &amp_priv_compare;
    if (atomic_exchange(&options->asked, true))
        return;
    const char *wanted = amp_priv_environment("AMP_COMPARE");
    bool on = wanted && wanted[0] && strcmp(wanted, "0") != 0;
    snprintf(options->wanted, sizeof options->wanted, "%s", on ? wanted : "");
#if defined(AMP_CHECKED)
    const char *const stop = amp_priv_environment("AMP_BREAK_AT"), *const colon = stop ? strrchr(stop, ':') : NULL;
    if (!on && colon) {
        snprintf(options->wanted, sizeof options->wanted, "cpu:%.*s", (int)(colon - stop), stop);
        options->for_break = on = true;
    }
#endif
    const char *const aborts = amp_priv_environment("AMP_COMPARE_ABORT");
    options->aborts = aborts && !strcmp(aborts, "1");
    options->ulps = amp_priv_compare_number("AMP_COMPARE_ULPS", AMP_PRIV_COMPARE_ULPS);
    options->absolute = amp_priv_compare_number("AMP_COMPARE_ABSOLUTE", 0);
    const char *const megabytes = amp_priv_environment("AMP_COMPARE_MEMORY");
    options->bytes = megabytes && megabytes[0] ? strtoull(megabytes, NULL, 10) : AMP_PRIV_COMPARE_MEGABYTES;
    options->bytes <<= 20;
    atomic_store(&options->on, on);
    atomic_store(&amp_priv_hooks.exact, on);
}

#endif /* AMP_COMPARE_COMPARE_OPTIONS_H */
