/* SPDX-License-Identifier: MIT */
/*  amp/group/band_plan.h - divides a launch into bands of rows

    A band is some of the rows of the extent, its first dimension. The kernel's reach (amp/group/reach.h) says which
    rows of its views each band uses. How a launch is divided is kept at its site.

    Contents (search for the tag):
        >>plan  >>key  >>shares  >>divide  >>make */
#ifndef AMP_GROUP_BAND_PLAN_H
#define AMP_GROUP_BAND_PLAN_H

#include "../codegen/tree_calls.h"
#include "../codegen/tree_text.h"
#include "reach.h"
#include "stream_memory.h"
#if AMP_PRIV_HAS_DEVICES
#endif

/* // >>plan */

/* How launches that are alike are divided. A plan does not change; a launch that runs by it has a reference. */
typedef struct amp_priv_band_plan {
    atomic_int references;
    amp_priv_string key; /* what it depends on */
    int count;           /* of bands; 0: they run as launches on one accelerator */
    amp_priv_band *band;
    amp_priv_stream_layout *layout;   /* on a streamed view; else NULL */
    struct amp_priv_rank_plan *ranks; /* what of its band each device of a rank runs (amp/mpi); else NULL */
} amp_priv_band_plan;

enum { AMP_PRIV_BAND_PLANS = 4 };

/* The first launches on a group, of about so many threads. The first compiles and moves data, the others are timed. */
typedef struct amp_priv_band_trial {
    bool busy;   /* one of them is under way: others are not timed */
    bool on_one; /* `whole` was timed, not estimated */
    int runs;
    uint64_t divided, whole; /* the least nanoseconds of a launch in bands, and on one accelerator; 0: not known */
} amp_priv_band_trial;

enum { AMP_PRIV_TRIAL_RUNS = 4 };

/* What a launch is divided for. */
typedef enum amp_priv_bands_of {
    AMP_PRIV_BANDS_OF_GROUP,
    AMP_PRIV_BANDS_OF_STREAM,
    AMP_PRIV_BANDS_OF_RANKS,
    AMP_PRIV_BANDS_OF_COUNT
} amp_priv_bands_of;

/* Of one site. */
typedef struct amp_priv_bands {
    amp_priv_mutex lock;
    amp_priv_reach *reach;
    amp_priv_bands_of of;                   /* the launch at hand */
    bool reported[AMP_PRIV_BANDS_OF_COUNT]; /* that it is not divided */
    bool whole;   /* the launch at hand is to run on one accelerator of the group, which is faster */
    bool divides; /* launches are not timed: AMP_GROUP_THREADS says when they are divided */
    double speed[AMP_PRIV_MAX_DEVICES];   /* of each device, by its number, in threads; 0: it was not timed */
    double timed[AMP_PRIV_MAX_DEVICES];   /* the highest until now, in a trial */
    unsigned share[AMP_PRIV_MAX_DEVICES]; /* of each member, of the rows of the launch at hand */
    amp_priv_band_trial trial[65];        /* by the bits of the number of threads */
    int next;                             /* the plan that a new one takes the place of */
    amp_priv_band_plan *plan[AMP_PRIV_BAND_PLANS];
} amp_priv_bands;

/* The record of a site, new if need be; NULL without memory. */
AMP_PRIV_COLD amp_priv_bands *amp_priv_bands_new(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_bands *first = NULL, *const fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    amp_priv_mutex_init(&fresh->lock);
    fresh->divides = AMP_PRIV_HOST_CHECKED || amp_priv_hook_is_on(AMP_PRIV_HOOK_COMPARE) ||
                     amp_priv_environment("AMP_GROUP_THREADS");
    fresh->reach = amp_priv_reach_make(site, captured);
    if (fresh->reach && atomic_compare_exchange_strong(&site->bands, &first, fresh))
        return fresh;
    if (fresh->reach)
        amp_priv_reach_end(fresh->reach);
    amp_priv_mutex_end(&fresh->lock);
    free(fresh);
    return first; /* another thread was first */
}

/* // >>key */

/* Adds what the bands depend on: the group, the extent, the shapes of views, captured integers. */
AMP_PRIV_WARM void amp_priv_band_key(amp_priv_string *key, const amp_priv_bands *bands, const amp_priv_launch *launch,
                                     const amp_priv_queue *queue)
{
    const amp_priv_launch_site *const site = launch->site;
    const amp_priv_group *const group = amp_priv_group_of(queue);
    const uint64_t of_ranks = group->ranks ? group->ranks->number : 0;
    amp_priv_add(key, (const char *)&of_ranks, sizeof of_ranks);
    amp_priv_add(key, (const char *)group->member, (size_t)group->count * sizeof *group->member);
    if (group->stream)
        amp_priv_add(key, (const char *)&group->stream->bytes, sizeof group->stream->bytes);
    amp_priv_add(key, (const char *)launch->extent, (size_t)site->rank * sizeof *launch->extent);
    for (int d = 0; d < site->rank && site->has_origin; d++) {
        const int origin = amp_priv_site_origin(site, launch->captured, d);
        amp_priv_add(key, (const char *)&origin, sizeof origin);
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head) {
            if (site->captures[i].kind == AMP_PRIV_CAPTURE_SCALAR && strcmp(site->captures[i].type, "float") &&
                strcmp(site->captures[i].type, "double"))
                amp_priv_add(key, launch->captured[i], site->captures[i].size);
            continue;
        }
        const amp_priv_shape *const base = &head->source->base;
        const ptrdiff_t first = amp_priv_head_data(head) - base->data;
        int same = 0;
        while (!amp_priv_launch_head(launch, same) || amp_priv_launch_head(launch, same)->source != head->source)
            same++;
        amp_priv_add(key, (const char *)&same, sizeof same);
        amp_priv_add(key, (const char *)&first, sizeof first);
        amp_priv_add(key, (const char *)amp_priv_head_extent(head), head->rank * sizeof(int));
        amp_priv_add(key, (const char *)amp_priv_head_stride(head), head->rank * sizeof(amp_priv_offset));
        if (!head->source->is_temporary) /* of which a later call may have more */
            amp_priv_add(key, (const char *)base->extent, (size_t)base->rank * sizeof *base->extent);
    }
    for (int n = 0; n < bands->reach->member_count; n++) {
        const amp_priv_reach_bytes *const member = &bands->reach->member[n];
        amp_priv_add(key, (const char *)launch->captured[member->capture] + member->offset, member->size);
    }
    amp_priv_add(key, (const char *)&bands->whole, sizeof bands->whole);
    amp_priv_add(key, (const char *)bands->share, (size_t)group->count * sizeof *bands->share);
}

/* // >>shares
   Accelerators of different speed get bands of different size. Each kernel is timed on each. Kernels that work on the
   same views should divide them in the same way, else rows move between their launches: the group keeps the shares of
   the first kernel, and another one uses them, too, unless its own are much better. */

enum { AMP_PRIV_SHARES = 1 << 10 };

/* The time of a launch, divided so (all shares 0: equally), as a multiple of the least that is possible. */
AMP_PRIV_COLD double amp_priv_shares_time(const unsigned *share, const double *speed, int count)
{
    double all = 0, sum = 0, time = 0;
    for (int m = 0; m < count; m++) {
        sum += share[m];
        all += speed[m];
    }
    for (int m = 0; m < count; m++) {
        const double part = sum > 0 ? share[m] / sum : 1.0 / count;
        time = part / speed[m] > time ? part / speed[m] : time;
    }
    return time * all;
}

/* The best shares for these speeds. */
AMP_PRIV_COLD void amp_priv_shares_of(unsigned *share, const double *speed, int count)
{
    double all = 0;
    for (int m = 0; m < count; m++)
        all += speed[m];
    for (int m = 0; m < count; m++)
        share[m] = 1 + (unsigned)(AMP_PRIV_SHARES * speed[m] / all);
}

/* The shares for a kernel with these speeds: those of the group, or, if they take much longer, its own. */
AMP_PRIV_COLD void amp_priv_shares_choose(amp_priv_group *group, const double *speed, unsigned *share)
{
    bool is_equal = true;
    bool timed = !group->shares_given;
    for (int m = 0; m < group->count; m++) {
        share[m] = atomic_load_explicit(&group->share[m], memory_order_relaxed);
        is_equal = is_equal && share[m] == 0;
        timed = timed && speed[m] > 0;
    }
    if (!timed || amp_priv_shares_time(share, speed, group->count) < (is_equal ? 1.1 : 1.25))
        return;
    amp_priv_shares_of(share, speed, group->count);
    for (int m = 0; m < group->count && is_equal; m++)
        atomic_store_explicit(&group->share[m], share[m], memory_order_relaxed);
}

/* // >>divide */

/* Writes the access whose "(" is `open`, of the body or of a function that it calls, as `AMP_AT(v, r, c)`. */
AMP_PRIV_COLD void amp_priv_add_access(amp_priv_string *out, const amp_priv_kernel_tree *body, const char *name,
                                       amp_priv_token open)
{
    amp_priv_addf(out, "AMP_AT(%s", name);
    for (const amp_priv_kernel_tree *t = body; t; t = t == body ? atomic_load(&body->definitions) : t->next)
        for (int n = 1; n < t->tree.count; n++)
            if (t->tree.node[n].kind == AMP_PRIV_TREE_ACCESS && t->tree.node[n].token.at == open.at) {
                amp_priv_add_tree_indexes(out, &t->tree, t->tree.node[n].b);
                return;
            }
    amp_priv_adds(out, ", ...)");
}

/* Warns once of a launch that is not divided: why, and what to do. */
AMP_PRIV_PRINTF(3, 4)
AMP_PRIV_COLD bool amp_priv_not_divided(amp_priv_bands *bands, const amp_priv_launch *launch, const char *format, ...)
{
    char why[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    static const char *const where[AMP_PRIV_BANDS_OF_COUNT] = { "on one accelerator of the group",
                                                                "as one part on the streamed view", "on one rank" };
    amp_priv_launch_site *const site = launch->site;
    const bool says = !bands->reported[bands->of] && amp_priv_site_reports(site, AMP_PRIV_REPORTED_WHOLE << bands->of);
    if (says && amp_priv_site_is_algorithm(site))
        amp_priv_log(AMP_PRIV_LOG_WARNING, "algorithm in %s, at or near %s:%d, runs %s", site->function, site->file,
                     site->line, where[bands->of]);
    else if (says)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "kernel in %s, at or near %s:%d, runs %s: %s", site->function, site->file,
                     site->line, where[bands->of], why);
    bands->reported[bands->of] = true;
    return false;
}

AMP_PRIV_COLD int amp_priv_rows_of(amp_priv_row_range *rows, const amp_priv_range *range)
{
    for (int i = 0; i < range->count; i++)
        rows[i] = (amp_priv_row_range){ (int)range->of[i].lo, (int)range->of[i].hi + 1 };
    return range->count;
}

/* The rows that a band uses, from its reach. Those that it writes are used as well: what it leaves as it is stays. */
AMP_PRIV_COLD void amp_priv_band_rows_of(amp_priv_band_rows *rows, const amp_priv_reach_view *view)
{
    const amp_priv_range used = amp_priv_range_join(view->read, &view->written);
    memset(rows, 0, sizeof *rows);
    rows->written_count = amp_priv_rows_of(rows->written, &view->written);
    rows->count = amp_priv_rows_of(rows->used, &used);
    for (int i = 0; i < used.count; i++) {
        rows->reached[i ? 3 : 1] = rows->used[i].hi;
        if (i < 2)
            rows->reached[2 * i] = rows->used[i].lo;
    }
}

_Static_assert((int)AMP_PRIV_RANGE_PIECES == (int)AMP_PRIV_BAND_PIECES, "amp: the pieces of a set of rows");

/* The reach of a band; views: one for each capture. False where what it writes has gaps, after saying so. */
AMP_PRIV_COLD bool amp_priv_band_reach(amp_priv_bands *bands, const amp_priv_launch *launch, amp_priv_band *band,
                                       amp_priv_reach_view *views)
{
    const amp_priv_launch_site *const site = launch->site;
    const int origin = amp_priv_site_origin(site, launch->captured, 0);
    amp_priv_reach_of(bands->reach, site, launch->captured, launch->extent, band->first, band->end, views);
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        amp_priv_reach_declared(&site->captures[i], head, origin + band->first, origin + band->end, &views[i]);
        amp_priv_band_rows_of(&band->rows[i], &views[i]);
        bool covers = true;
        for (int n = 0; n < band->rows[i].written_count && covers; n++) {
            amp_priv_region region;
            amp_priv_region_of_rows(head, band->rows[i].written[n].lo, band->rows[i].written[n].hi, &region);
            covers = region.covers;
        }
        if (!covers && bands->of != AMP_PRIV_BANDS_OF_STREAM) /* which moves the elements of views alone */
            return amp_priv_not_divided(bands, launch,
                                        "%s%s, which it writes, has parts of the rows of an AMP_VIEW_AS or "
                                        "AMP_REINTERPRET_AS; write whole rows, or a section of a view that was "
                                        "declared with rank %d",
                                        amp_priv_capture_noun(site, i, "the view "), amp_priv_capture_shown(site, i),
                                        head->rank);
    }
    return true;
}

/* The reach of each band that has rows. */
AMP_PRIV_COLD bool amp_priv_bands_reach(amp_priv_bands *bands, amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                        amp_priv_reach_view *views)
{
    for (int b = 0; b < plan->count; b++)
        if (plan->band[b].first < plan->band[b].end && !amp_priv_band_reach(bands, launch, &plan->band[b], views))
            return false;
    return true;
}

/* Do rows of two views of one source have elements in common? */
AMP_PRIV_COLD bool amp_priv_rows_meet(const amp_priv_head *a, const amp_priv_band_rows *first, const amp_priv_head *b,
                                      const amp_priv_band_rows *second)
{
    amp_priv_region in_first, in_second;
    for (int m = 0; m < first->written_count; m++)
        for (int n = 0; n < second->written_count; n++) {
            amp_priv_region_of_rows(a, first->written[m].lo, first->written[m].hi, &in_first);
            amp_priv_region_of_rows(b, second->written[n].lo, second->written[n].hi, &in_second);
            if (amp_priv_regions_meet(a->source, &in_first, &in_second))
                return true;
        }
    return false;
}

/* Rows that one of the bands writes. */
typedef struct amp_priv_band_part {
    int lo, hi, band;
} amp_priv_band_part;

AMP_PRIV_COLD int amp_priv_band_part_order(const void *a, const void *b)
{
    const amp_priv_band_part *const x = a, *const y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Do two bands have rows in common? Sorts the parts. */
AMP_PRIV_COLD bool amp_priv_parts_meet(amp_priv_band_part *part, int count)
{
    amp_priv_band_part last = { .band = -1 }, other = { .band = -1 }; /* the farthest ends, of different bands */
    qsort(part, (size_t)count, sizeof *part, amp_priv_band_part_order);
    for (int i = 0; i < count; i++) {
        const amp_priv_band_part *const before = last.band == part[i].band ? &other : &last;
        if (before->band >= 0 && part[i].lo < before->hi)
            return true;
        if (part[i].band != last.band && part[i].hi > last.hi)
            other = last;
        if (part[i].hi > last.hi || last.band < 0)
            last = part[i];
        else if (part[i].band != last.band && part[i].hi > other.hi)
            other = part[i];
    }
    return false;
}

/* Do two bands write the same rows by capture i? range: which rows of the data those of its view are; NULL: the
   view's. */
AMP_PRIV_COLD bool amp_priv_bands_share(const amp_priv_band_plan *plan, const amp_priv_head *head, int i,
                                        amp_priv_row_range (*range)(const amp_priv_head *head, int lo, int hi))
{
    amp_priv_band_part *const part = malloc(((size_t)plan->count * AMP_PRIV_BAND_PIECES + 1) * sizeof *part);
    int count = 0;
    for (int b = 0; b < plan->count && part; b++)
        for (int n = 0; n < plan->band[b].rows[i].written_count; n++) {
            amp_priv_row_range rows = plan->band[b].rows[i].written[n];
            if (rows.lo >= rows.hi)
                continue;
            if (range)
                rows = range(head, rows.lo, rows.hi);
            part[count++] = (amp_priv_band_part){ rows.lo, rows.hi, b };
        }
    const bool share = !part || amp_priv_parts_meet(part, count);
    free(part);
    return share;
}

/* Do two bands write elements in common, by captures i and j of one source? */
AMP_PRIV_COLD bool amp_priv_bands_meet(const amp_priv_band_plan *plan, const amp_priv_launch *launch, int i, int j)
{
    const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
    if (i == j)
        return amp_priv_bands_share(plan, a, i, NULL);
    for (int m = 0; m < plan->count; m++)
        for (int n = 0; n < plan->count; n++)
            if (m != n && amp_priv_rows_meet(a, &plan->band[m].rows[i], b, &plan->band[n].rows[j]))
                return true;
    return false;
}

/* Are the rows that bands write apart? Else says which are not. */
AMP_PRIV_COLD bool amp_priv_bands_are_apart(amp_priv_bands *bands, const amp_priv_band_plan *plan,
                                            const amp_priv_launch *launch, const amp_priv_reach_view *views)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++)
        for (int j = 0; j <= i; j++) {
            const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
            const char *const name = site->captures[i].name;
            if (!a || !b || a->source != b->source || !amp_priv_bands_meet(plan, launch, i, j))
                continue;
            if (i != j)
                return amp_priv_not_divided(bands, launch, "%s and %s are views of the same data, and it writes both",
                                            site->captures[j].name, name);
            if (!bands->reach->body->good || views[i].unknown || !views[i].access.at ||
                !amp_priv_token_is(views[i].access, "("))
                return amp_priv_not_divided(bands, launch,
                                            "the library does not see which rows of %s it writes; if index (i, ...) "
                                            "writes row i alone, capture AMP_OWN_ROWS(%s)",
                                            name, name);
            amp_priv_string access = { NULL, 0, 0, false };
            amp_priv_add_access(&access, bands->reach->body, name, views[i].access);
            amp_priv_not_divided(bands, launch,
                                 "%s may write rows of other bands; if index (i, ...) writes row i alone, "
                                 "capture AMP_OWN_ROWS(%s)",
                                 access.text ? access.text : name, name);
            free(access.text);
            return false;
        }
    return true;
}

/* Captured arrays live on one accelerator. */
AMP_PRIV_COLD bool amp_priv_bands_without_arrays(amp_priv_bands *bands, const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head && head->kind == AMP_PRIV_ARRAY)
            return amp_priv_not_divided(bands, launch,
                                        "the array %s lives on one; use a view (AMP_ARRAY_VIEW_NO_SOURCE)",
                                        launch->site->captures[i].name);
    }
    return true;
}

/* How many threads each accelerator gets at least, since rows that move at the seams take time: estimates, for GPUs,
   which reach each other or move rows by way of the host. AMP_GROUP_THREADS is another number. */
AMP_PRIV_COLD uint64_t amp_priv_bands_least(const amp_priv_launch *launch, const amp_priv_group *group)
{
    const amp_priv_device *const device = group->member[0]->device;
    const char *const given = amp_priv_environment("AMP_GROUP_THREADS");
    if (given && amp_priv_is_digit(*given))
        return strtoull(given, NULL, 10);
    if (!device->is_gpu)
        return 0;
    if (amp_priv_site_has(launch->site, launch->captured, amp_priv_tree_is_loop))
        return 1 << 14;
    return amp_priv_device_reaches(device, group->member[group->count - 1]->device) ? 1 << 22 : 1 << 24;
}

/* The rows that a band cannot divide: those of a tile, times an algorithm's grain (amp_priv_grain). */
AMP_PRIV_COLD int64_t amp_priv_band_unit(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    int64_t unit = site->tiled ? site->tile[0] : 1;
    for (int i = 0; i < site->capture_count; i++)
        if (!strcmp(site->captures[i].name, "amp_priv_grain"))
            unit *= *(const int *)launch->captured[i];
    return unit;
}

/* The units of rows from `first` on; the last may be a part of one. */
static inline int amp_priv_band_units(const amp_priv_launch *launch, int first, int end)
{
    const int64_t unit = amp_priv_band_unit(launch);
    return (int)((end + unit - 1) / unit - first / unit);
}

/* Cuts rows into bands of whole units, some of which may have no rows. share: of each; NULL, or all 0: equal ones. */
AMP_PRIV_COLD void amp_priv_rows_cut(const amp_priv_launch *launch, int first, int end, amp_priv_band *band, int count,
                                     const unsigned *share)
{
    const int tile = launch->site->tiled ? launch->site->tile[0] : 1, units = amp_priv_band_units(launch, first, end);
    const int64_t unit = amp_priv_band_unit(launch), before = first / unit;
    int64_t all = 0, sum = 0, part = 0;
    for (int b = 0; b < count && share; b++)
        all += share[b];
    for (int b = 0; b < count; b++) {
        sum += all ? (int64_t)share[b] : 1;
        const int64_t least = part + (units >= count), most = units - (units >= count ? count - 1 - b : 0);
        part = units * sum / (all ? all : count); /* of the units; each band has one at least, if there are so many */
        part = part < least ? least : part > most ? most : part;
        const int64_t stop = (before + part) * unit;
        band[b].first = b ? band[b - 1].end : first;
        band[b].end = stop < end ? (int)stop : end;
        band[b].origin = band[b].first / tile;
    }
}

/* Cuts the extent into that many bands. */
AMP_PRIV_COLD void amp_priv_bands_cut(amp_priv_band_plan *plan, const amp_priv_launch *launch, int count,
                                      const unsigned *share)
{
    plan->count = count;
    amp_priv_rows_cut(launch, 0, launch->extent[0], plan->band, count, share);
}

/* The threads of so many rows of a launch. */
static inline uint64_t amp_priv_rows_threads(const amp_priv_launch *launch, int rows)
{
    uint64_t threads = (uint64_t)rows;
    for (int d = 1; d < launch->site->rank; d++)
        threads *= (uint64_t)launch->extent[d];
    return threads;
}

/* How many accelerators of a group work on so many rows: all of them, or 1 where one is enough. */
AMP_PRIV_COLD int amp_priv_bands_wanted(const amp_priv_launch *launch, int rows, const amp_priv_group *group)
{
    const int units = amp_priv_band_units(launch, 0, rows), members = group->count;
    if (members == 1 || amp_priv_rows_threads(launch, rows) / (uint64_t)members < amp_priv_bands_least(launch, group))
        return 1;
    return units < members ? units : members;
}

/* Into one band for each of a group's accelerators; false where one accelerator is enough for it. */
AMP_PRIV_COLD bool amp_priv_bands_cut_for(const amp_priv_bands *bands, amp_priv_band_plan *plan,
                                          const amp_priv_launch *launch, const amp_priv_group *group)
{
    amp_priv_bands_cut(plan, launch, amp_priv_bands_wanted(launch, launch->extent[0], group), bands->share);
    return plan->count > 1;
}

/* Can the bands of a plan, which were cut, run beside each other? */
AMP_PRIV_COLD bool amp_priv_bands_good(amp_priv_bands *bands, amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                       amp_priv_reach_view *views)
{
    return amp_priv_bands_reach(bands, plan, launch, views) && amp_priv_bands_are_apart(bands, plan, launch, views);
}

/* A launch that cannot be divided is one band: it brings the rows that it uses, and no others. */
AMP_PRIV_COLD bool amp_priv_bands_whole(amp_priv_bands *bands, amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                        amp_priv_reach_view *views)
{
    amp_priv_bands_cut(plan, launch, 1, NULL);
    return amp_priv_bands_reach(bands, plan, launch, views);
}

/* Forgets how launches were divided. */
AMP_PRIV_COLD void amp_priv_band_plan_end(amp_priv_band_plan *plan)
{
    free(plan->band);
    free(plan->layout);
    free(plan->ranks);
    plan->band = NULL;
    plan->layout = NULL;
    plan->ranks = NULL;
    plan->count = 0;
}

/* One launch less runs by it, or the site has another one; it may be NULL. */
AMP_PRIV_WARM void amp_priv_band_plan_release(amp_priv_band_plan *plan)
{
    if (!plan || atomic_fetch_sub(&plan->references, 1) != 1)
        return;
    amp_priv_band_plan_end(plan);
    free(plan->key.text);
    free(plan);
}

/* // >>make */

/* Cuts a launch on a streamed view into that many bands, and places them in its memory; false where it cannot be. */
AMP_PRIV_COLD bool amp_priv_bands_stream_as(amp_priv_bands *bands, amp_priv_band_plan *plan,
                                            const amp_priv_launch *launch, amp_priv_reach_view *views, int count)
{
    free(plan->band);
    plan->band = calloc((size_t)count, sizeof *plan->band);
    if (!plan->band)
        return false;
    amp_priv_bands_cut(plan, launch, count, NULL);
    if (!amp_priv_bands_reach(bands, plan, launch, views) ||
        (count > 1 && !amp_priv_bands_are_apart(bands, plan, launch, views)))
        return false;
    amp_priv_stream_layout_of(plan->layout, launch, plan->band, count);
    return true;
}

/* Into bands that fit the view's memory, and into enough of them that copies and kernels overlap. Where none fit, it is
   cut as finely as possible. */
AMP_PRIV_COLD bool amp_priv_bands_stream(amp_priv_bands *bands, amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                         amp_priv_reach_view *views, size_t bytes)
{
    enum { AMP_PRIV_STREAM_BANDS = 4096, AMP_PRIV_STREAM_USUAL = 16, AMP_PRIV_STREAM_BAND_BYTES = 4 << 20 };
    const int units = amp_priv_band_units(launch, 0, launch->extent[0]);
    const size_t most = (size_t)(units < AMP_PRIV_STREAM_BANDS ? units : AMP_PRIV_STREAM_BANDS);
    plan->layout = calloc(1, sizeof *plan->layout);
    if (!plan->layout || !amp_priv_bands_stream_as(bands, plan, launch, views, 1))
        return false;
    size_t count = plan->layout->all / AMP_PRIV_STREAM_BAND_BYTES;
    count = count > AMP_PRIV_STREAM_USUAL ? AMP_PRIV_STREAM_USUAL : count;
    count = count < 2 && plan->layout->all > bytes ? 2 : count;
    while (count > 1 && (size_t)plan->count < most) {
        if (!amp_priv_bands_stream_as(bands, plan, launch, views, (int)(count < most ? count : most)))
            return amp_priv_bands_stream_as(bands, plan, launch, views, 1);
        if (plan->layout->all <= bytes)
            break;
        count = (size_t)plan->count * (plan->layout->all / bytes) + (size_t)plan->count / 4 + 1;
    }
    return true;
}

/* A plan for a launch; its key stays. */
AMP_PRIV_COLD void amp_priv_band_plan_make(amp_priv_bands *bands, amp_priv_band_plan *plan,
                                           const amp_priv_launch *launch, const amp_priv_group *group)
{
    const amp_priv_launch_site *const site = launch->site;
    amp_priv_reach_view *const views = calloc((size_t)site->capture_count + 1, sizeof *views);
    plan->band = calloc((size_t)group->count, sizeof *plan->band);
    bands->of = group->stream ? AMP_PRIV_BANDS_OF_STREAM : AMP_PRIV_BANDS_OF_GROUP;
    bool good = views && plan->band && amp_priv_bands_without_arrays(bands, launch);
    if (good && group->stream)
        good = amp_priv_bands_stream(bands, plan, launch, views, group->stream->bytes);
    else if (good && bands->whole)
        good = amp_priv_bands_whole(bands, plan, launch, views);
    else if (good &&
             !(amp_priv_bands_cut_for(bands, plan, launch, group) && amp_priv_bands_good(bands, plan, launch, views)))
        good = amp_priv_bands_whole(bands, plan, launch, views);
    if (!good)
        amp_priv_band_plan_end(plan);
    free(views);
}

/* A reference to the plan of a launch like this one, with the record locked; a new one is empty. NULL without
   memory. */
AMP_PRIV_WARM amp_priv_band_plan *amp_priv_band_plan_find(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                          const amp_priv_queue *group, bool *is_new)
{
    amp_priv_string key = { NULL, 0, 0, false };
    amp_priv_band_plan *plan = NULL;
    amp_priv_band_key(&key, bands, launch, group);
    for (int i = 0; i < AMP_PRIV_BAND_PLANS && !key.failed && !plan; i++)
        if (bands->plan[i] && bands->plan[i]->key.length == key.length &&
            !memcmp(bands->plan[i]->key.text, key.text, key.length))
            plan = bands->plan[i];
    free(key.text);
    *is_new = !plan;
    if (!plan) {
        plan = calloc(1, sizeof *plan);
        if (!plan)
            return NULL;
        atomic_init(&plan->references, 1);
        amp_priv_band_plan_release(bands->plan[bands->next]);
        bands->plan[bands->next] = plan;
        bands->next = (bands->next + 1) % AMP_PRIV_BAND_PLANS;
    }
    atomic_fetch_add_explicit(&plan->references, 1, memory_order_relaxed);
    return plan;
}

/* Gives a plan that was made its key, with all that the plan depends on. */
AMP_PRIV_COLD void amp_priv_band_plan_keep(amp_priv_bands *bands, amp_priv_band_plan *plan,
                                           const amp_priv_launch *launch, const amp_priv_queue *group)
{
    amp_priv_band_key(&plan->key, bands, launch, group);
    if (plan->key.failed) {
        free(plan->key.text);
        plan->key = (amp_priv_string){ NULL, 0, 0, false };
    }
}

/* A reference to the plan for a launch on a group or a streamed view, with the record locked. NULL without memory. */
AMP_PRIV_WARM amp_priv_band_plan *amp_priv_band_plan_of(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                        const amp_priv_queue *group)
{
    bool is_new;
    amp_priv_band_plan *const plan = amp_priv_band_plan_find(bands, launch, group, &is_new);
    if (plan && is_new) {
        amp_priv_band_plan_make(bands, plan, launch, amp_priv_group_of(group));
        amp_priv_band_plan_keep(bands, plan, launch, group);
    }
    return plan;
}

#endif /* AMP_GROUP_BAND_PLAN_H */
