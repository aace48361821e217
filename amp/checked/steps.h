/* SPDX-License-Identifier: MIT */
/*  amp/checked/steps.h - checked builds: steps in time, b from neighbours in a, whose views are not exchanged, or
    exchanged with different elements around what the launch writes

    Contents (search for the tag):
        >>kernel  >>border  >>launch */
#ifndef AMP_CHECKED_STEPS_H
#define AMP_CHECKED_STEPS_H

#include "../validate/races.h"
#include "portability.h"

#if defined(AMP_CHECKED)

enum { AMP_PRIV_STEP_SITES = 32, AMP_PRIV_STEP_READS = 16, AMP_PRIV_STEP_REPEATS = 3, AMP_PRIV_STEP_LAUNCHES = 8 };

/* A site whose body writes each index's own element of `to`, and reads neighbours in `from`. */
typedef struct amp_priv_step_site {
    const amp_priv_launch_site *site;
    int from, to; /* captures */
    int reads;
    int offset[AMP_PRIV_STEP_READS][AMP_MAX_RANK];
    /* of its last launch */
    const amp_priv_source *read, *written;
    uint64_t captured;
    int launches, repeats;
    uint64_t border[2]; /* of read, of written */
    bool is_over;       /* it was reported, or its views are exchanged */
} amp_priv_step_site;

typedef struct amp_priv_steps_state {
    amp_priv_step_site step[AMP_PRIV_STEP_SITES];
    int count;
} amp_priv_steps_state;

AMP_PRIV_GLOBAL(amp_priv_steps_state, amp_priv_steps)

/* // >>kernel */

/* Notes an access of the body; false: then it is no such kernel. */
AMP_PRIV_COLD bool amp_priv_step_access(const amp_priv_race_search *s, int n, amp_priv_step_site *step)
{
    amp_priv_index index[AMP_MAX_RANK];
    const amp_priv_tree_use use = amp_priv_tree_use_of(s->tree, n);
    const int capture = amp_priv_race_capture(s, n);
    const bool is_write = use == AMP_PRIV_TREE_WRITE;
    bool is_own = true, is_near = amp_priv_race_indexes(s, n, index);
    for (int d = 0; d < s->site->rank && is_near; d++) {
        is_near = index[d].of == d && !index[d].minus && index[d].exact && !index[d].loop;
        is_own = is_own && index[d].offset == 0;
    }
    if (capture < 0 || (is_write ? !is_near || !is_own : use != AMP_PRIV_TREE_READ || capture == step->to))
        return false;
    if (is_write || !is_near || is_own) { /* of a read: elsewhere, or one that the index has alone */
        const bool is_other = is_write && step->to >= 0 && step->to != capture;
        step->to = is_write ? capture : step->to;
        return !is_other && step->to != step->from;
    }
    if ((step->from >= 0 && step->from != capture) || step->reads == AMP_PRIV_STEP_READS)
        return false;
    for (int d = 0; d < s->site->rank; d++)
        step->offset[step->reads][d] = (int)index[d].offset;
    step->reads++;
    step->from = capture;
    return step->to != capture;
}

/* Have the two views the launch's rank, and the same extents? */
AMP_PRIV_COLD bool amp_priv_step_fits(const amp_priv_launch_site *site, const amp_priv_head *from,
                                      const amp_priv_head *to)
{
    bool fits = from->kind && to->kind && from->rank == site->rank && to->rank == site->rank &&
                from->element == to->element && from->source != to->source;
    for (int d = 0; d < site->rank && fits; d++)
        fits = amp_priv_head_extent(from)[d] == amp_priv_head_extent(to)[d];
    return fits;
}

/* Once per site. */
AMP_PRIV_COLD void amp_priv_steps_find(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                       const int *values, void *const *captured)
{
    int entered = 0;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    amp_priv_step_site step = { .site = site, .from = -1, .to = -1 };
    bool is_step = body->good && captured && !site->tiled && !site->unvalidated && !amp_priv_site_is_algorithm(site);
    for (int pass = 0; pass < 2 && is_step; pass++) { /* again with `to` known */
        step.reads = 0;
        for (int n = 1; n < body->tree.count && is_step; n++)
            if (body->tree.node[n].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_is_evaluated(&body->tree, n))
                is_step = amp_priv_step_access(&search, n, &step);
    }
    if (!is_step || step.from < 0 || step.to < 0 || !amp_priv_step_fits(site, captured[step.from], captured[step.to]))
        return;
    amp_priv_lock(&amp_priv_write_check_lock);
    if (amp_priv_steps.count < AMP_PRIV_STEP_SITES)
        amp_priv_steps.step[amp_priv_steps.count++] = step;
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* // >>border */

/* Adds the elements of a box, first to end, to the hash. */
AMP_PRIV_COLD uint64_t amp_priv_step_box(uint64_t hash, const amp_priv_shape *shape, const int *first, const int *end)
{
    int at[AMP_MAX_RANK], d = 0;
    for (d = 0; d < shape->rank; d++) {
        at[d] = first[d];
        if (first[d] >= end[d])
            return hash;
    }
    while (d >= 0) {
        amp_priv_offset place = 0;
        for (d = 0; d < shape->rank; d++)
            place += (amp_priv_offset)at[d] * shape->stride[d];
        hash = amp_priv_hash(hash, shape->data + place * (amp_priv_offset)shape->element_size, shape->element_size);
        for (d = shape->rank - 1; d >= 0 && ++at[d] == end[d]; d--)
            at[d] = first[d];
    }
    return hash;
}

/* The box of what the access reads on one side of the launch's indexes. False: it reads outside of the view. */
AMP_PRIV_COLD bool amp_priv_step_side(const int *offset, int side, const amp_priv_launch *launch,
                                      const amp_priv_shape *shape, int *first, int *end)
{
    for (int d = 0; d < shape->rank; d++) {
        const int origin = amp_priv_site_origin(launch->site, launch->captured, d);
        first[d] = origin + offset[d];
        end[d] = first[d] + launch->extent[d];
        if (first[d] < 0 || end[d] > shape->extent[d])
            return false;
        if (d == side && offset[d] > 0)
            first[d] = origin + launch->extent[d];
        else if (d == side)
            end[d] = offset[d] < 0 ? origin : first[d];
    }
    return true;
}

/* The elements of a view that the launch reads, and that are none of its indexes. 0: there are none. */
AMP_PRIV_COLD uint64_t amp_priv_step_border(const amp_priv_step_site *step, const amp_priv_launch *launch,
                                            const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    uint64_t hash = AMP_PRIV_HASH_START;
    int first[AMP_MAX_RANK], end[AMP_MAX_RANK];
    for (int n = 0; n < step->reads * shape.rank; n++) {
        if (!amp_priv_step_side(step->offset[n / shape.rank], n % shape.rank, launch, &shape, first, end))
            return 0;
        hash = amp_priv_step_box(hash, &shape, first, end);
    }
    return hash == AMP_PRIV_HASH_START ? 0 : hash;
}

/* // >>launch */

/* What the launch captures: numbers, and where views are. */
AMP_PRIV_COLD uint64_t amp_priv_step_captured(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    uint64_t hash = amp_priv_hash(AMP_PRIV_HASH_START, launch->extent, (size_t)site->rank * sizeof(int));
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const char *const data = head ? amp_priv_head_data(head) : NULL;
        hash = head ? amp_priv_hash(hash, &data, sizeof data)
                    : amp_priv_hash(hash, launch->captured[i], site->captures[i].size);
    }
    return hash;
}

/* Was the site's launch the last one on each source that it reads, and has nothing else had access since? */
AMP_PRIV_COLD bool amp_priv_step_is_same(const amp_priv_step_site *step, const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_source *const source = i == step->to ? NULL : launch->watched[i];
        if (source && (source->watch.site != launch->site || source->watch.running || !source->watch.is_sampled ||
                       amp_priv_write_check_differs(&source->watch)))
            return false;
    }
    return true;
}

/* Compares the launch with the site's last one, and keeps it. *flips: the views are exchanged, and around the launch's
   indexes they have different elements, which nothing has changed. *repeats: it computes the same once more. */
AMP_PRIV_COLD void amp_priv_step_launch(amp_priv_step_site *step, const amp_priv_launch *launch, bool *flips,
                                        bool *repeats)
{
    const amp_priv_source *const from = launch->watched[step->from], *const to = launch->watched[step->to];
    const uint64_t captured = amp_priv_step_captured(launch);
    const bool is_same = step->launches && captured == step->captured && amp_priv_step_is_same(step, launch),
               is_exchanged = step->launches && step->read == to && step->written == from;
    const uint64_t read = amp_priv_step_border(step, launch, launch->captured[step->from]),
                   written = amp_priv_step_border(step, launch, launch->captured[step->to]);
    step->repeats = is_same ? step->repeats + 1 : 1;
    step->launches++;
    *flips = is_exchanged && read && read != written && step->border[0] == written && step->border[1] == read;
    *repeats = step->repeats == AMP_PRIV_STEP_REPEATS;
    step->is_over = is_exchanged || *repeats || step->launches == AMP_PRIV_STEP_LAUNCHES;
    step->border[0] = read, step->border[1] = written;
    step->read = from, step->written = to;
    step->captured = captured;
}

/* Before a launch, whose sources are known. */
AMP_PRIV_COLD void amp_priv_warn_of_steps(const amp_priv_launch *launch)
{
    amp_priv_step_site *step = NULL;
    bool flips = false, repeats = false;
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int i = 0; i < amp_priv_steps.count && !step; i++)
        step = amp_priv_steps.step[i].site == launch->site ? &amp_priv_steps.step[i] : NULL;
    if (step && !step->is_over && launch->watched[step->from] && launch->watched[step->to] &&
        amp_priv_is_host(launch->queue->device->number))
        amp_priv_step_launch(step, launch, &flips, &repeats);
    amp_priv_unlock(&amp_priv_write_check_lock);
    const char *const from = flips || repeats ? launch->site->captures[step->from].name : NULL,
                      *const to = flips || repeats ? launch->site->captures[step->to].name : NULL;
    if (repeats)
        amp_priv_portability_warn(
            launch->site,
            "it has run %d times with the same views, and computes the same each time, as nothing "
            "changes what it reads: exchange the views after each step, amp_swap(&%s, &%s)",
            AMP_PRIV_STEP_REPEATS, from, to);
    if (flips)
        amp_priv_portability_warn(launch->site,
                                  "%s and %s are exchanged, and differ in the elements around the launch's indexes, "
                                  "which it reads and never writes: copy one to the other before the first step, "
                                  "amp_copy(%s, %s)",
                                  from, to, from, to);
}

#endif

#endif /* AMP_CHECKED_STEPS_H */
