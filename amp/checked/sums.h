/* SPDX-License-Identifier: MIT */
/*  amp/checked/sums.h - checked builds: sums that begin with the last launch's, and launches of each OpenMP thread

    Contents (search for the tag):
        >>kernel  >>launch  >>threads */
#ifndef AMP_CHECKED_SUMS_H
#define AMP_CHECKED_SUMS_H

#include "atomics.h"
#include "portability.h"

#if defined(AMP_CHECKED)

enum { AMP_PRIV_SUM_SITES = 32 };

/* Sites whose bodies only add to elements that several indexes share. Bit n of captures: to capture n. */
typedef struct amp_priv_sums_state {
    struct {
        const amp_priv_launch_site *site;
        uint64_t captures;
    } sum[AMP_PRIV_SUM_SITES];
    int count;
} amp_priv_sums_state;

AMP_PRIV_GLOBAL(amp_priv_sums_state, amp_priv_sums)

/* // >>kernel */

/* Does the access at n add to an element: by += or -=, or by an atomic function? */
AMP_PRIV_COLD bool amp_priv_sum_adds(const amp_priv_tree *tree, int n)
{
    const int call = amp_priv_race_atomic(tree, n);
    if (call)
        return amp_priv_listed(" amp_priv_atomic_fetch_add amp_priv_atomic_fetch_sub ",
                               tree->node[tree->node[call].a].token) &&
               !amp_priv_tree_is_used(tree, call);
    const amp_priv_tree_node *const parent = &tree->node[tree->node[n].parent];
    return amp_priv_tree_use_of(tree, n) == AMP_PRIV_TREE_CHANGE && parent->kind == AMP_PRIV_TREE_ASSIGN &&
           amp_priv_listed(" += -= ", parent->token);
}

/* Does the body only add to capture i, somewhere to an element that several indexes share? */
AMP_PRIV_COLD bool amp_priv_sum_is_of(const amp_priv_race_search *s, int i)
{
    const amp_priv_tree *const tree = s->tree;
    bool adds = true, is_shared = false;
    for (int n = 0; adds && (n = amp_priv_tree_next_use(tree, s->site->captures[i].name, n)) != 0;) {
        const int access = tree->node[n].parent;
        adds = tree->node[access].kind == AMP_PRIV_TREE_ACCESS && tree->node[access].a == n &&
               amp_priv_sum_adds(tree, access);
        is_shared = is_shared || (adds && amp_priv_atomic_is_shared(s, access));
    }
    return adds && is_shared;
}

/* Once per site. */
AMP_PRIV_COLD void amp_priv_sums_find(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                      const int *values, void *const *captured)
{
    int entered = 0;
    uint64_t captures = 0;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    if (!body->good || !captured || site->unvalidated || amp_priv_site_is_algorithm(site))
        return;
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW && amp_priv_sum_is_of(&search, i))
            captures |= UINT64_C(1) << i;
    amp_priv_lock(&amp_priv_write_check_lock);
    if (captures && amp_priv_sums.count < AMP_PRIV_SUM_SITES) {
        amp_priv_sums.sum[amp_priv_sums.count].site = site;
        amp_priv_sums.sum[amp_priv_sums.count++].captures = captures;
    }
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* // >>launch */

/* Has the memory what the site's last launch left there, some of it not 0, and has the host read that? */
AMP_PRIV_COLD bool amp_priv_sum_is_old(amp_priv_write_check *watch, const amp_priv_launch *launch, int i)
{
    static const unsigned char zeros[AMP_PRIV_SAMPLE_BYTES];
    const amp_priv_shape shape = amp_priv_shape_of(launch->captured[i]);
    const size_t count = AMP_PRIV_SAMPLED_BYTES / AMP_PRIV_SAMPLE_BYTES;
    bool is_old = watch->site == launch->site && watch->is_seen && watch->samples && watch->running == 0 &&
                  amp_priv_away_is_of(watch, &shape),
         is_set = false;
    for (size_t n = 0, bytes = 1; is_old && n < count && bytes > 0; n++) {
        const char *const at = amp_priv_sample(&shape, n, count, &bytes);
        is_old = bytes == 0 || !memcmp(at, watch->samples + n * AMP_PRIV_SAMPLE_BYTES, bytes);
        is_set = is_set || (bytes > 0 && memcmp(at, zeros, bytes) != 0);
    }
    return is_old && is_set;
}

/* The first capture of the launch with an old sum, of those in the mask, which is reported then; -1: none. */
AMP_PRIV_COLD int amp_priv_sum_find_old(const amp_priv_launch *launch, uint64_t captures)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_source *const source = captures >> i & 1u ? launch->watched[i] : NULL;
        if (!source || source->owns_host || source->watch.is_told || !amp_priv_sum_is_old(&source->watch, launch, i))
            continue;
        source->watch.is_told = true;
        return i;
    }
    return -1;
}

/* Before a launch, whose sources are known, and everything there. */
AMP_PRIV_COLD void amp_priv_warn_of_sums(const amp_priv_launch *launch)
{
    int old = -1;
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int n = 0; n < amp_priv_sums.count; n++)
        if (amp_priv_sums.sum[n].site == launch->site)
            old = amp_priv_sum_find_old(launch, amp_priv_sums.sum[n].captures);
    amp_priv_unlock(&amp_priv_write_check_lock);
    if (old >= 0)
        amp_priv_portability_warn(launch->site,
                                  "note: it adds to the sums that its last launch left in %s, and that the host has "
                                  "read: if each launch sums anew, set them to 0 before, amp_fill(%s, 0)",
                                  launch->site->captures[old].name, launch->site->captures[old].name);
}

/* // >>threads */

#if defined(AMP_PRIV_HAS_OMP_H)
/* Does each thread of a parallel region run this launch, which writes the same view? Reported once per source. */
AMP_PRIV_COLD void amp_priv_warn_of_threads(const amp_priv_launch *launch)
{
    const int thread = omp_in_parallel() ? omp_get_thread_num() + 1 : 0;
    int shared = -1, other = 0;
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_write_check *const watch = launch->watched[i] ? &launch->watched[i]->watch : NULL;
        if (!watch || amp_priv_launch_head(launch, i)->kind == AMP_PRIV_CONST_VIEW)
            continue;
        if (thread && watch->team_site == launch->site && watch->team_thread != thread && !watch->is_told &&
            !amp_priv_body_only_reads(launch, i, false))
            watch->is_told = true, shared = i, other = watch->team_thread;
        watch->team_site = thread ? launch->site : NULL;
        watch->team_thread = thread;
    }
    amp_priv_unlock(&amp_priv_write_check_lock);
    if (shared >= 0)
        amp_priv_portability_warn(
            launch->site,
            "threads %d and %d of an `omp parallel` region each run this launch, and write %s: launch "
            "once, outside of the region; the library uses all cores itself",
            other - 1, thread - 1, amp_priv_portability_name(launch, shared));
}
#else
#define amp_priv_warn_of_threads(launch) (void)(launch)
#endif

#endif

#endif /* AMP_CHECKED_SUMS_H */
