/* SPDX-License-Identifier: MIT */
/*  amp/group/reach.h - which rows of its views a part of a launch reads and writes

    A row is all elements with the same first index. The analysis runs the kernel's tree with sets of values (ranges.h)
    instead of numbers: the launch's first index is the whole band. An index that it does not understand may be any row.

    | header | what of a kernel |
    |---|---|
    | reach_state.h | the values of variables, and what is found |
    | reach_captures.h | captured numbers and structs |
    | reach_access.h, reach_members.h | rows of views; members, elements, lists |
    | reach_operators.h, reach_refine.h | operators; what a condition says of variables |
    | reach_calls.h, reach_statements.h, reach_loops.h | what is run | */
#ifndef AMP_GROUP_REACH_H
#define AMP_GROUP_REACH_H

#include "../api/capture.h"
#include "reach_statements.h"

AMP_PRIV_COLD void amp_priv_reach_end(amp_priv_reach *reach)
{
    amp_priv_site_tree_release(reach->body);
    free(reach);
}

/* Of a site; NULL without memory. */
AMP_PRIV_COLD amp_priv_reach *amp_priv_reach_make(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_reach *const reach = calloc(1, sizeof *reach);
    if (reach)
        reach->body = amp_priv_site_tree_acquire(site, captured);
    return reach;
}

/* The index, or the tile and its threads, of the band of rows from lo to hi - 1. */
AMP_PRIV_COLD void amp_priv_reach_index(amp_priv_reach_run *run, const int *extent, int lo, int hi)
{
    const amp_priv_launch_site *const site = run->site;
    const int rank = site->rank;
    amp_priv_reach_value index = amp_priv_reach_other();
    index.number = AMP_PRIV_NUMBER_INT;
    run->tile = run->thread = index;
    run->tile.shape = AMP_PRIV_REACH_TILE;
    run->thread.shape = AMP_PRIV_REACH_THREAD;
    run->tile.count = 2 * rank;
    run->thread.count = 4 * rank;
    for (int d = 0; d < rank; d++) {
        const int first = d == 0 ? lo : 0, end = d == 0 ? hi : extent[d], size = site->tiled ? site->tile[d] : 1;
        const int64_t origin = amp_priv_site_origin(site, run->captured, d);
        index.of[d] = amp_priv_range_of(origin + first, origin + end - 1);
        if (!site->tiled)
            continue;
        run->thread.of[d] = index.of[d];
        run->thread.of[rank + d] = amp_priv_range_of(0, size - 1);
        run->thread.of[2 * rank + d] = run->tile.of[d] = amp_priv_range_of(first / size, end / size - 1);
        run->thread.of[3 * rank + d] = run->tile.of[rank + d] = amp_priv_range_of(first, end - size);
    }
    amp_priv_token names[AMP_MAX_RANK], name = amp_priv_token_at(site->index);
    const int count = amp_priv_index_names(site->index, names);
    if (name.kind == AMP_PRIV_TOKEN_SPACE)
        name = amp_priv_token_after(name);
    index.shape = AMP_PRIV_REACH_INDEX;
    index.count = rank;
    if (count == 0)
        (void)amp_priv_reach_declare(run, name, site->tiled ? &run->tile : &index);
    for (int d = 0; d < count; d++) {
        const amp_priv_reach_value one = amp_priv_reach_number(index.of[d], AMP_PRIV_NUMBER_INT);
        (void)amp_priv_reach_declare(run, names[d], &one);
    }
}

/* What the rows from lo to hi - 1 of a launch over an extent read and write: one result for each capture. Conservative:
   more, where something is not understood. */
AMP_PRIV_COLD void amp_priv_reach_of(amp_priv_reach *reach, const amp_priv_launch_site *site, void *const *captured,
                                     const int *extent, int lo, int hi, amp_priv_reach_view *views)
{
    amp_priv_reach_run *const run = calloc(1, sizeof *run);
    amp_priv_reach_scope *const scope = calloc(1, sizeof *scope);
    memset(views, 0, (size_t)site->capture_count * sizeof *views);
    const bool ready = run && scope && reach->body->good;
    if (ready) {
        *run = (amp_priv_reach_run){ .reach = reach, .site = site, .captured = captured, .views = views };
        run->tree = &reach->body->tree;
        run->scope = scope;
        for (int i = 0; i < site->capture_count; i++) {
            const amp_priv_reach_value value = amp_priv_reach_captured(reach, &site->captures[i], i, captured[i]);
            (void)amp_priv_reach_declare(run, amp_priv_token_of(site->captures[i].name), &value);
        }
        amp_priv_reach_index(run, extent, lo, hi);
        amp_priv_reach_exec(run, reach->body->tree.root);
    }
    for (int i = 0; i < site->capture_count && (!ready || run->failed); i++) {
        if (site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        const amp_priv_head *const head = captured[i];
        views[i].unknown = true;
        views[i].read = amp_priv_range_of(0, amp_priv_head_extent(head)[0] - 1);
        if (head->kind != AMP_PRIV_CONST_VIEW)
            views[i].written = views[i].read;
    }
    free(scope);
    free(run);
}

/* The capture list (AMP_REACH) overrides the analysis of a view; true if the list names the view so. */
AMP_PRIV_COLD bool amp_priv_reach_declared(const amp_priv_capture *c, const amp_priv_head *head, int lo, int hi,
                                           amp_priv_reach_view *view)
{
    if (c->kind != AMP_PRIV_CAPTURE_VIEW || !c->type)
        return false;
    const long long low = c->value >> 32, high = (c->value & 0xffffffff) - (1LL << 31);
    const bool whole = high == AMP_PRIV_ANY_ROW;
    const int last = amp_priv_head_extent(head)[0] - 1;
    const amp_priv_range read = amp_priv_range_of(lo + low, hi - 1 + high),
                         own = whole ? read : amp_priv_range_of(lo, hi - 1), none = { 0, { { 0, 0 } } };
    view->unknown = false;
    view->read = amp_priv_range_cut(&read, 0, last);
    view->written = head->kind == AMP_PRIV_CONST_VIEW || whole ? none : amp_priv_range_cut(&own, 0, last);
    return true;
}

#endif /* AMP_GROUP_REACH_H */
