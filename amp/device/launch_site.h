/* SPDX-License-Identifier: MIT */
/*  amp/device/launch_site.h - reports that name a launch site */
#ifndef AMP_DEVICE_LAUNCH_SITE_H
#define AMP_DEVICE_LAUNCH_SITE_H

#include "../api/records.h"
#include "../base/error.h"

/* What is reported once, of all versions of a site (amp/specialize/specialize.h). */
enum {
    AMP_PRIV_REPORTED_ADVICE = 1, /* amp/checked/portability.h */
    AMP_PRIV_REPORTED_LOOPS = 2,  /* amp/validate/loop_notes.h */
    AMP_PRIV_REPORTED_DRY = 4,    /* amp/checked/dry_run.h */
    AMP_PRIV_REPORTED_WHOLE = 8   /* amp/group/band_plan.h; and the next bits */
};

/* What a body does with a captured view, and why a kernel may be slow (amp/trace/memory_use.h). */
enum { AMP_PRIV_USE_READ = 1, AMP_PRIV_USE_WRITE = 2 };
enum {
    AMP_PRIV_NOTE_GATHER = 1,
    AMP_PRIV_NOTE_STRIDE = 2,
    AMP_PRIV_NOTE_DOUBLE = 4,
    AMP_PRIV_NOTE_PRECISE = 8 /* and the next bits: it calls the functions that amp_priv_precise_functions lists */
};

/* The site in the source: launches are counted there. */
static inline amp_priv_launch_site *amp_priv_site_in_source(amp_priv_launch_site *site)
{
    return __builtin_expect(site->version_of != NULL, 0) ? site->version_of : site;
}

/* Is it the first time that this is reported? */
AMP_PRIV_COLD bool amp_priv_site_reports(amp_priv_launch_site *site, int what)
{
    return !(atomic_fetch_or(&amp_priv_site_in_source(site)->reported, what) & what);
}

/* Is the name of a capture an algorithm's own, which its user does not know? */
static inline bool amp_priv_name_is_ours(const char *name) { return strncmp(name, "amp_priv_", 9) == 0; }

/* ", radius = 3" for each capture of the user's that the version has as a constant; ", " and " = " are given. */
AMP_PRIV_COLD const char *amp_priv_site_values(const amp_priv_launch_site *site, const char *before,
                                               const char *between, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < site->capture_count && at < size && site->version_of; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_CONSTANT && site->captures[i].size &&
            (*between == '_' || !amp_priv_name_is_ours(site->captures[i].name))) /* names of files keep all */
            at += (size_t)snprintf(text + at, size - at, "%s%s%s%lld", before, site->captures[i].name, between,
                                   site->captures[i].value);
    return text;
}

/* Which kernel, and where. */
AMP_PRIV_COLD const char *amp_priv_site_text(const amp_priv_launch_site *site, char *text, size_t size)
{
    char values[200];
    snprintf(text, size, "kernel in %s, at or near %s:%d%s", site->function, site->file, site->line,
             amp_priv_site_values(site, ", ", " = ", values, sizeof values));
    return text;
}

/* Is it a kernel of amp/algorithms, and not one of the user's? Its last capture is. */
AMP_PRIV_COLD bool amp_priv_site_is_algorithm(const amp_priv_launch_site *site)
{
    return site->capture_count > 0 && !site->has_origin &&
           amp_priv_name_is_ours(site->captures[site->capture_count - 1].name);
}

/* What messages call capture i: its name, or, where an algorithm gave it one of its own, what it is. */
AMP_PRIV_COLD const char *amp_priv_capture_shown(const amp_priv_launch_site *site, int i)
{
    const char *const name = site->captures[i].name;
    return amp_priv_name_is_ours(name) ? "a view of the algorithm" : name;
}

/* What stands before that name: "the view ", "the array "; nothing where it says what it is. */
AMP_PRIV_COLD const char *amp_priv_capture_noun(const amp_priv_launch_site *site, int i, const char *noun)
{
    return amp_priv_name_is_ours(site->captures[i].name) ? "" : noun;
}

/* Where the indexes of a launch begin in a dimension. */
static inline int amp_priv_site_origin(const amp_priv_launch_site *site, void *const *captured, int dimension)
{
    return __builtin_expect(site->has_origin, 0) ? ((const int *)captured[site->capture_count - 1])[dimension] : 0;
}

/* The threads of a tile. */
static inline size_t amp_priv_tile_threads(const amp_priv_launch_site *site)
{
    size_t threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= (size_t)site->tile[d];
    return threads;
}

/* amp_priv_report for a kernel: says which one, and where. */
AMP_PRIV_PRINTF(3, 4)
AMP_PRIV_COLD amp_status amp_priv_site_report(const amp_priv_launch_site *site, amp_status status, const char *format,
                                              ...)
{
    char where[1280];
    va_list arguments;
    amp_priv_site_text(site, where, sizeof where - 2);
    strcat(where, ": ");
    va_start(arguments, format);
    amp_priv_report_at(status, where, format, arguments);
    va_end(arguments);
    return status;
}

/* Behind the string or character that begins at `quote`. */
AMP_PRIV_WARM_PART const char *amp_priv_quote_end(const char *quote)
{
    const char *p = quote + 1;
    while (*p && *p != *quote)
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* True where word stands alone in text, outside of strings and character constants. */
AMP_PRIV_WARM bool amp_priv_has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = strstr(text, word) ? text : ""; *p;) { /* most texts do not have it at all */
        const char *const start = p;
        if (*p == '"' || *p == '\'') {
            p = amp_priv_quote_end(p);
        } else if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_') {
            while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_')
                p++;
            if ((size_t)(p - start) == length && !memcmp(start, word, length))
                return true;
        } else {
            p++;
        }
    }
    return false;
}

/* The head of capture i, NULL when it is no view or array. */
static inline const amp_priv_head *amp_priv_captured_head(void *const *captured, const amp_priv_capture *captures,
                                                          int i)
{
    return captures[i].kind == AMP_PRIV_CAPTURE_VIEW ? (const amp_priv_head *)captured[i] : NULL;
}

static inline const amp_priv_head *amp_priv_launch_head(const amp_priv_launch *launch, int i)
{
    return amp_priv_captured_head(launch->captured, launch->site->captures, i);
}

#endif /* AMP_DEVICE_LAUNCH_SITE_H */
