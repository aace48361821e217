/* SPDX-License-Identifier: MIT */
/*  amp/launch/domain.h - what is checked of a launch before anything else happens: the kernel's text, once, by
    hooks, and the extent */
#ifndef AMP_LAUNCH_DOMAIN_H
#define AMP_LAUNCH_DOMAIN_H

#include "../memory/launch_memory.h"

static inline bool amp_priv_site_is_validated(amp_priv_launch_site *site)
{
    return __builtin_expect(atomic_load_explicit(&site->validated, memory_order_acquire) == 1, 1);
}

/* Looks through a kernel's text, once per site. values: the extent of its first launch. */
AMP_PRIV_COLD amp_status amp_priv_check_text(amp_priv_launch_site *site, const int *values, void *const *captured)
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
    const amp_status status = amp_priv_hooks_first(site, values, captured);
    if (status == AMP_OK)
        atomic_store_explicit(&site->validated, 1, memory_order_release);
    return status;
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

#endif /* AMP_LAUNCH_DOMAIN_H */
