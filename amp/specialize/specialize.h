/* SPDX-License-Identifier: MIT */
/*  amp/specialize/specialize.h - AMP_SPECIALIZE: a site for each value

    Hook: version. Registered before the first launch. amp.h includes it.

    A version is a copy of the launch site in which the specialized captures are constants. Everything that belongs to
    a site belongs to its versions: kernels, measured bands, notes on its source. The site itself is never launched; it
    counts the launches of all versions, and keeps what was said of its source. */
#ifndef AMP_SPECIALIZE_SPECIALIZE_H
#define AMP_SPECIALIZE_SPECIALIZE_H

#include "../device/hooks.h"
#include "../device/launch_site.h"

typedef struct amp_priv_version {
    amp_priv_launch_site site;
    struct amp_priv_version *next;
    int number; /* from 1 */
    amp_priv_capture captures[];
} amp_priv_version;

enum { AMP_PRIV_MANY_VERSIONS = 32 };

/* The version among these of the captured values; NULL: there is none. */
AMP_PRIV_COLD amp_priv_version *amp_priv_version_find(amp_priv_version *version, const amp_priv_launch_site *site,
                                                      void *const *captured)
{
    for (; version; version = version->next) {
        bool same = true;
        for (int i = 0; i < site->capture_count && same; i++)
            same = site->captures[i].kind != AMP_PRIV_CAPTURE_SPECIALIZED ||
                   version->captures[i].value == *(const int *)captured[i];
        if (same)
            return version;
    }
    return NULL;
}

/* A copy of the site with these values as constants; NULL where there is no memory. */
AMP_PRIV_COLD amp_priv_version *amp_priv_version_make(amp_priv_launch_site *site, void *const *captured)
{
    const size_t bytes = (size_t)site->capture_count * sizeof *site->captures;
    amp_priv_version *const fresh = calloc(1, sizeof *fresh + bytes);
    if (!fresh)
        return NULL;
    memcpy(fresh->captures, site->captures, bytes);
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_SPECIALIZED) {
            fresh->captures[i].kind = AMP_PRIV_CAPTURE_CONSTANT;
            fresh->captures[i].value = *(const int *)captured[i];
        }
    memcpy(&fresh->site, site, offsetof(amp_priv_launch_site, validated)); /* what is known of a version is its own */
    fresh->site.captures = fresh->captures;
    fresh->site.version_of = site;
    return fresh;
}

/* Adds a version of the captured values, or takes one that another thread has added; NULL after reporting. */
AMP_PRIV_COLD amp_priv_version *amp_priv_version_add(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_version *const fresh = amp_priv_version_make(site, captured);
    if (!fresh) {
        amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for a kernel's version");
        return NULL;
    }
    amp_priv_version *head = atomic_load(&site->versions);
    do {
        amp_priv_version *const other = amp_priv_version_find(head, site, captured);
        if (other) {
            free(fresh);
            return other;
        }
        fresh->next = head;
        fresh->number = head ? head->number + 1 : 1;
    } while (!atomic_compare_exchange_weak(&site->versions, &head, fresh));
    if (fresh->number == AMP_PRIV_MANY_VERSIONS)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "kernel in %s, at or near %s:%d: AMP_SPECIALIZE has had %d values, and each has a kernel of its "
                     "own; capture a value that often changes by its name alone",
                     site->function, site->file, site->line, fresh->number);
    return fresh;
}

/* The site itself where nothing is specialized, else its version of the captured values; NULL after reporting. */
AMP_PRIV_COLD amp_priv_launch_site *amp_priv_version_of(amp_priv_launch_site *site, void *const *captured)
{
    int i = 0;
    while (i < site->capture_count && site->captures[i].kind != AMP_PRIV_CAPTURE_SPECIALIZED)
        i++;
    if (i == site->capture_count)
        return site;
    amp_priv_version *version = amp_priv_version_find(atomic_load(&site->versions), site, captured);
    if (!version)
        version = amp_priv_version_add(site, captured);
    return version ? &version->site : NULL;
}

AMP_PRIV_COLD void amp_priv_specialize_register(void)
{
    static const amp_priv_hook hook = { .version = amp_priv_version_of };
    amp_priv_hook_add(AMP_PRIV_HOOK_SPECIALIZE, &hook);
}

#endif /* AMP_SPECIALIZE_SPECIALIZE_H */
