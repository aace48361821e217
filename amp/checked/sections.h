/* SPDX-License-Identifier: MIT */
/*  amp/checked/sections.h - checked builds: elements that a launch writes by one section and reads by another one */
#ifndef AMP_CHECKED_SECTIONS_H
#define AMP_CHECKED_SECTIONS_H

#include "../validate/races.h"

#if defined(AMP_CHECKED)

/* The first element of a view, in elements of its source along each dimension. */
AMP_PRIV_COLD void amp_priv_section_begin(const amp_priv_shape *shape, const char *source, long long *begin)
{
    long long rest = (long long)((uintptr_t)shape->data - (uintptr_t)source) / (long long)shape->element_size;
    for (int d = 0; d < shape->rank; d++) {
        begin[d] = shape->stride[d] > 0 ? rest / (long long)shape->stride[d] : 0;
        rest -= begin[d] * (long long)shape->stride[d];
    }
}

/* Does an index read by the access at r, to one section, what another one writes by that at w, to another section? */
AMP_PRIV_COLD bool amp_priv_sections_meet(const amp_priv_race_search *s, int w, int r)
{
    const int to = amp_priv_race_capture(s, w), from = amp_priv_race_capture(s, r);
    const amp_priv_head *const a = to >= 0 ? s->captured[to] : NULL, *const b = from >= 0 ? s->captured[from] : NULL;
    amp_priv_index written[AMP_MAX_RANK], read[AMP_MAX_RANK];
    long long begins[AMP_MAX_RANK], reads[AMP_MAX_RANK];
    bool differs = false;
    if (!a || !b || to == from || !a->kind || !b->kind || a->source != b->source || a->rank != b->rank ||
        a->element != b->element || a->rank != s->site->rank || !amp_priv_race_indexes(s, w, written) ||
        !amp_priv_race_indexes(s, r, read))
        return false;
    const amp_priv_source *const source = a->source;
    const amp_priv_shape target = amp_priv_shape_of(a), other = amp_priv_shape_of(b);
    amp_priv_section_begin(&target, source->base.data, begins);
    amp_priv_section_begin(&other, source->base.data, reads);
    for (int d = 0; d < a->rank; d++) {
        const long long distance = reads[d] + read[d].offset - begins[d] - written[d].offset;
        if (!written[d].exact || !read[d].exact || target.stride[d] != other.stride[d] || written[d].of != d ||
            read[d].of != d || written[d].minus || read[d].minus || llabs(distance) >= s->values[d])
            return false;
        differs = differs || distance != 0;
    }
    return differs;
}

/* The capture that is written so; -1: there is none. */
AMP_PRIV_COLD int amp_priv_sections_of(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                       const int *values, void *const *captured)
{
    const amp_priv_tree *const tree = &body->tree;
    int entered = 0;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    search.likely = true;
    for (int n = 1; n < tree->count && body->good && captured && !site->tiled; n++) {
        if (tree->node[n].kind != AMP_PRIV_TREE_ACCESS || !amp_priv_tree_is_written(tree, n) ||
            !amp_priv_race_comes(&search, n, true))
            continue;
        for (int i = 1; i < tree->count; i++)
            if (tree->node[i].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_use_of(tree, i) == AMP_PRIV_TREE_READ &&
                amp_priv_tree_is_evaluated(tree, i) && amp_priv_race_comes(&search, i, true) &&
                amp_priv_sections_meet(&search, n, i))
                return amp_priv_race_capture(&search, n);
    }
    return -1;
}

#endif

#endif /* AMP_CHECKED_SECTIONS_H */
