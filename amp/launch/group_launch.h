/* SPDX-License-Identifier: MIT */
/*  amp/launch/group_launch.h - a launch on a group of accelerators: divides it into bands, one for each

    A band is some of the rows of the extent, its first dimension. The kernel's reach (amp/codegen/reach.h) says which
    rows of its views each band uses. The launch site keeps the division.

    Contents (search for the tag):
        >>plan  >>key  >>divide  >>launch */
#ifndef AMP_LAUNCH_GROUP_LAUNCH_H
#define AMP_LAUNCH_GROUP_LAUNCH_H

#include "../codegen/reach.h"
#include "../memory/band_memory.h"
#include "kernel_launch.h"

/* // >>plan */

/* How launches that are alike are divided. */
typedef struct amp_priv_band_plan {
    amp_priv_string key; /* what it depends on */
    int count;           /* of bands; 0: they run as launches on one accelerator */
    amp_priv_band *band;
} amp_priv_band_plan;

enum { AMP_PRIV_BAND_PLANS = 4 };

/* Of one site. */
typedef struct amp_priv_bands {
    amp_priv_mutex lock;
    amp_priv_reach *reach;
    bool reported; /* that it is not divided */
    int next;      /* the plan that a new one takes the place of */
    amp_priv_band_plan plan[AMP_PRIV_BAND_PLANS];
} amp_priv_bands;

/* The record of a site, new if need be; NULL without memory. */
AMP_PRIV_COLD amp_priv_bands *amp_priv_bands_new(amp_priv_launch_site *site)
{
    amp_priv_bands *first = NULL, *const fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    amp_priv_mutex_init(&fresh->lock);
    fresh->reach = amp_priv_reach_make(site);
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
AMP_PRIV_WARM void amp_priv_band_key(amp_priv_string *key, const amp_priv_launch *launch, const amp_priv_queue *group)
{
    const amp_priv_launch_site *const site = launch->site;
    amp_priv_add(key, (const char *)&group->group, sizeof group->group);
    amp_priv_add(key, (const char *)launch->extent, (size_t)site->rank * sizeof *launch->extent);
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
        amp_priv_add(key, (const char *)base->extent, (size_t)base->rank * sizeof *base->extent);
    }
}

/* // >>divide */

/* Writes the access at `open`, the "(" of `(in_kernel, head, stride, (int)(r), (int)(c))`, as `AMP_AT(v, (r), (c))`. */
AMP_PRIV_COLD const char *amp_priv_access_text(char *text, size_t size, const char *name, amp_priv_token open)
{
    size_t length = (size_t)snprintf(text, size, "AMP_AT(%s, ", name);
    int commas = 0, depth = 0;
    const char *p = open.at;
    for (; *p && commas < 3; p++) {
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        commas += *p == ',' && depth == 1;
    }
    while (*p == ' ')
        p++;
    for (; *p && depth > 0 && length + 2 < size; p++) {
        if (!strncmp(p, "(int)", 5))
            p += 5;
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        text[length++] = *p;
    }
    text[length < size ? length : size - 1] = '\0';
    return text;
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
    if (!bands->reported)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "kernel in %s, at or near %s:%d, runs on one accelerator of the group: %s",
                     launch->site->function, launch->site->file, launch->site->line, why);
    bands->reported = true;
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

/* The reach of each band. */
AMP_PRIV_COLD bool amp_priv_bands_reach(amp_priv_bands *bands, amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                        amp_priv_reach_view *views)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int b = 0; b < plan->count; b++) {
        amp_priv_band *const band = &plan->band[b];
        amp_priv_reach_of(bands->reach, site, launch->captured, launch->extent, band->first, band->end, views);
        for (int i = 0; i < site->capture_count; i++) {
            const amp_priv_head *const head = amp_priv_launch_head(launch, i);
            if (!head)
                continue;
            amp_priv_reach_declared(&site->captures[i], head, band->first, band->end, &views[i]);
            amp_priv_band_rows_of(&band->rows[i], &views[i]);
            bool covers = true;
            for (int n = 0; n < band->rows[i].written_count && covers; n++) {
                amp_priv_region region;
                amp_priv_region_of_rows(head, band->rows[i].written[n].lo, band->rows[i].written[n].hi, &region);
                covers = region.covers;
            }
            if (!covers)
                return amp_priv_not_divided(bands, launch,
                                            "the view %s, which it writes, has gaps that belong to other views; write "
                                            "a section, or a view of rank %d",
                                            site->captures[i].name, head->rank);
        }
    }
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

/* Do two bands write elements in common, by captures i and j of one source? */
AMP_PRIV_COLD bool amp_priv_bands_meet(const amp_priv_band_plan *plan, const amp_priv_launch *launch, int i, int j)
{
    const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
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
    char access[200];
    for (int i = 0; i < site->capture_count; i++)
        for (int j = 0; j <= i; j++) {
            const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
            const char *const name = site->captures[i].name;
            if (!a || !b || a->source != b->source || !amp_priv_bands_meet(plan, launch, i, j))
                continue;
            if (i != j)
                return amp_priv_not_divided(bands, launch, "%s and %s are views of the same data, and it writes both",
                                            site->captures[j].name, name);
            if (!bands->reach->good || views[i].unknown || !views[i].access.at ||
                !amp_priv_token_is(views[i].access, "("))
                return amp_priv_not_divided(bands, launch,
                                            "the library does not see which rows of %s it writes; if index (i, ...) "
                                            "writes row i alone, capture AMP_OWN_ROWS(%s)",
                                            name, name);
            return amp_priv_not_divided(bands, launch,
                                        "%s may write rows of other bands; if index (i, ...) writes row i alone, "
                                        "capture AMP_OWN_ROWS(%s)",
                                        amp_priv_access_text(access, sizeof access, name, views[i].access), name);
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

/* How many threads each accelerator gets at least, since rows that move at the seams take time: estimates, for GPUs.
   AMP_GROUP_THREADS is another number. */
AMP_PRIV_COLD uint64_t amp_priv_bands_least(const amp_priv_launch_site *site, const amp_priv_device *device)
{
    static const char *const loops[] = { "for", "while", NULL };
    const char *const given = amp_priv_environment("AMP_GROUP_THREADS");
    if (given && amp_priv_is_digit(*given))
        return strtoull(given, NULL, 10);
    if (!device->is_gpu)
        return 0;
    amp_priv_token_list text = { .token = NULL };
    amp_priv_tokens_read(&text, site->text);
    const bool has_loops = amp_priv_has_one(site, &text, NULL, loops);
    amp_priv_tokens_free(&text);
    return has_loops ? 1 << 14 : 1 << 20;
}

/* Cuts the extent into equal bands, of whole tiles; false where one accelerator is enough for it. */
AMP_PRIV_COLD bool amp_priv_bands_cut(amp_priv_band_plan *plan, const amp_priv_launch *launch,
                                      const amp_priv_device *device, int members)
{
    const amp_priv_launch_site *const site = launch->site;
    uint64_t threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= (uint64_t)launch->extent[d];
    if (threads / (uint64_t)members < amp_priv_bands_least(site, device))
        return false;
    const int unit = site->tiled ? site->tile[0] : 1, units = launch->extent[0] / unit;
    const int count = plan->count = units < members ? units : members;
    for (int b = 0; b < plan->count; b++) {
        amp_priv_band *const band = &plan->band[b];
        band->origin = (int)((int64_t)units * b / count);
        band->first = band->origin * unit;
        band->end = (int)((int64_t)units * (b + 1) / count) * unit;
    }
    return plan->count > 1;
}

/* A plan for a launch; its key stays. One that cannot be divided, or is too small for it, is one band: it brings the
   rows that it uses, and no others. */
AMP_PRIV_COLD void amp_priv_band_plan_make(amp_priv_bands *bands, amp_priv_band_plan *plan,
                                           const amp_priv_launch *launch, const amp_priv_group *group)
{
    const amp_priv_launch_site *const site = launch->site;
    amp_priv_reach_view *const views = calloc((size_t)site->capture_count + 1, sizeof *views);
    plan->band = calloc((size_t)group->count, sizeof *plan->band);
    bool good =
        !amp_priv_site_is_algorithm(site) && views && plan->band && amp_priv_bands_without_arrays(bands, launch);
    if (good &&
        !(amp_priv_bands_cut(plan, launch, group->member[0]->device, group->count) &&
          amp_priv_bands_reach(bands, plan, launch, views) && amp_priv_bands_are_apart(bands, plan, launch, views))) {
        plan->count = 1;
        plan->band[0].first = plan->band[0].origin = 0;
        plan->band[0].end = launch->extent[0];
        good = amp_priv_bands_reach(bands, plan, launch, views);
    }
    if (!good) {
        free(plan->band);
        plan->band = NULL;
        plan->count = 0;
    }
    free(views);
}

/* The plan for a launch, with the record locked. */
AMP_PRIV_WARM amp_priv_band_plan *amp_priv_band_plan_of(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                        const amp_priv_queue *group)
{
    amp_priv_string key = { NULL, 0, 0, false };
    amp_priv_band_key(&key, launch, group);
    for (int i = 0; i < AMP_PRIV_BAND_PLANS && !key.failed; i++) {
        amp_priv_band_plan *const plan = &bands->plan[i];
        if (plan->key.length == key.length && plan->key.text && !memcmp(plan->key.text, key.text, key.length)) {
            free(key.text);
            return plan;
        }
    }
    amp_priv_band_plan *const plan = &bands->plan[bands->next];
    bands->next = (bands->next + 1) % AMP_PRIV_BAND_PLANS;
    free(plan->key.text);
    free(plan->band);
    *plan = (amp_priv_band_plan){ key, 0, NULL };
    if (key.failed) {
        free(plan->key.text);
        plan->key = (amp_priv_string){ NULL, 0, 0, false };
    }
    amp_priv_band_plan_make(bands, plan, launch, group->group);
    return plan;
}

/* // >>launch */

/* Submits the bands, whose memory is ready. Returns how many were. */
AMP_PRIV_WARM int amp_priv_bands_submit(amp_priv_launch *launches, int count, amp_status *status)
{
    int submitted = 0;
#if defined(AMP_CHECKED)
    amp_priv_fault *const whole = launches[0].fault;
    amp_priv_fault part = *whole;
#endif
    while (submitted < count) {
        amp_priv_launch *const launch = &launches[submitted];
#if defined(AMP_CHECKED)
        launch->fault = &part;
#endif
        *status = amp_priv_kernel_launch(launch);
        if (*status != AMP_OK)
            break;
#if defined(AMP_CHECKED)
        if (whole->count == 0 && part.count != 0)
            *whole = part;
#endif
        submitted++;
    }
    return submitted;
}

/* Runs a launch by a plan. */
AMP_PRIV_WARM amp_status amp_priv_bands_run(amp_priv_launch *launch, const amp_priv_band_plan *plan,
                                            const amp_priv_group *group)
{
    amp_priv_launch *const launches = malloc((size_t)plan->count * sizeof *launches);
    amp_priv_sources sources;
    if (!launches)
        return amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on %d accelerators",
                                    plan->count);
    for (int b = 0; b < plan->count; b++) {
        launches[b] = *launch;
        launches[b].band = &plan->band[b];
        launches[b].queue = group->member[b];
        launches[b].extent[0] = plan->band[b].end - plan->band[b].first;
    }
    amp_status status = amp_priv_bands_begin(launches, plan->count, &sources);
    if (status == AMP_OK) {
        const int submitted = amp_priv_bands_submit(launches, plan->count, &status);
        amp_priv_bands_end(launches, plan->count, submitted, &sources);
    }
    free(launches);
    return status;
}

/* The accelerator of a group on which a launch runs that is not divided: where its arrays live, else the first. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_group_member(const amp_priv_launch *launch, const amp_priv_group *group)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        for (int m = 0; head && head->kind == AMP_PRIV_ARRAY && m < group->count; m++)
            if (group->member[m]->device->number == head->source->owner)
                return group->member[m];
    }
    return group->member[0];
}

/* Are all members there, and the captures alive? False after reporting. */
AMP_PRIV_COLD bool amp_priv_group_ready(const amp_priv_launch *launch, const amp_priv_group *group)
{
    amp_priv_data_location places;
    for (int m = 0; m < group->count; m++)
        if (amp_priv_queue_usable(group->member[m], launch->site->function) != AMP_OK)
            return false;
    return amp_priv_captures_look(launch, &places);
}

/* A launch on a group, whose site, captures and extent are set. Runs it where it can be divided: true, also after
   reporting a failure. Else *one is the accelerator on which it is to run. */
AMP_PRIV_WARM bool amp_priv_group_launch(amp_priv_launch *launch, const amp_priv_queue *queue, amp_priv_queue **one)
{
    const amp_priv_group *const group = queue->group;
    if (!amp_priv_group_ready(launch, group))
        return true;
    amp_priv_bands *bands = atomic_load_explicit(&launch->site->bands, memory_order_acquire);
    if (!bands)
        bands = amp_priv_bands_new(launch->site);
    *one = amp_priv_group_member(launch, group);
    if (!bands)
        return false;
    amp_priv_lock(&bands->lock);
    const amp_priv_band_plan *const plan = amp_priv_band_plan_of(bands, launch, queue);
    const bool divided = plan->count > 0;
    if (divided) {
        launch->queue = group->member[0];
#if defined(AMP_CHECKED)
        amp_priv_fault_begin(launch, amp_priv_is_host(launch->queue->device->number));
        amp_priv_portability_sources(launch);
        amp_priv_portability_begin(launch);
#endif
        launch->began = amp_priv_trace_begin();
        if (amp_priv_bands_run(launch, plan, group) == AMP_OK)
            amp_priv_finish(launch);
#if defined(AMP_CHECKED)
        else
            amp_priv_portability_end(launch);
#endif
    }
    amp_priv_unlock(&bands->lock);
    return divided;
}

#endif /* AMP_LAUNCH_GROUP_LAUNCH_H */
