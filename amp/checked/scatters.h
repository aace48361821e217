/* SPDX-License-Identifier: MIT */
/*  amp/checked/scatters.h - checked builds: indexes in memory that send two values to one element,
    AMP_AT(out, AMP_AT(to, i)) = x */
#ifndef AMP_CHECKED_SCATTERS_H
#define AMP_CHECKED_SCATTERS_H

#include "../validate/races.h"
#include "../memory/host_access.h"

#if defined(AMP_CHECKED)

/* The capture whose elements are the only index of the assignment at n, and are one for each index of the launch; -1:
   there is none. */
AMP_PRIV_COLD int amp_priv_scatter_by(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    int by = tree->node[n].b;
    if (tree->node[n].kind != AMP_PRIV_TREE_ACCESS || amp_priv_tree_use_of(tree, n) != AMP_PRIV_TREE_WRITE ||
        tree->node[by].next || !amp_priv_tree_is_for_all(tree, tree->root, n) ||
        amp_priv_race_is_uniform(s, tree->node[amp_priv_tree_written_by(tree, n)].b))
        return -1;
    while (tree->node[by].kind == AMP_PRIV_TREE_CAST)
        by = tree->node[by].a;
    const int capture = tree->node[by].kind == AMP_PRIV_TREE_ACCESS ? amp_priv_race_capture(s, by) : -1;
    const amp_priv_index at = amp_priv_race_index_of(s, capture >= 0 ? tree->node[by].b : 0);
    const bool is_own = at.kind && at.exact && at.of == 0 && !at.minus && at.offset == 0 && !at.loop;
    for (int i = 1; i < tree->count && is_own; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_use_of(tree, i) != AMP_PRIV_TREE_READ &&
            amp_priv_race_capture(s, i) == capture)
            return -1; /* it is written, too */
    return is_own ? capture : -1;
}

/* The element as a number; -1: its type is no integer's. */
AMP_PRIV_COLD long long amp_priv_scatter_place(const char *at, size_t size)
{
    int32_t word = -1;
    int64_t wide = -1;
    memcpy(size == sizeof word ? (void *)&word : (void *)&wide, at,
           size == sizeof word || size == sizeof wide ? size : 0);
    return size == sizeof word ? word : wide;
}

/* The first of two places of a view that are the same, and the other one in *again; -1: all differ. */
AMP_PRIV_COLD int amp_priv_scatter_meets(const amp_priv_head *places, const amp_priv_head *out, int count, int *again)
{
    amp_const_array_view_uint8_t_1 view;
    amp_priv_shape shape = amp_priv_shape_of(places);
    const int room = *amp_priv_head_extent(out);
    int found = -1;
    shape.extent[0] = count;
    amp_priv_fill(&view, places->source, places->element, AMP_PRIV_CONST_VIEW, 0, &shape);
    int *const seen = calloc((size_t)room + 1, sizeof *seen); /* one more than the first place that goes there */
    const bool is_there = seen && amp_priv_host_access(&view.amp_priv);
    for (int i = 0; i < count && is_there && found < 0; i++) {
        const char *const at = (const char *)view.data + i * shape.stride[0] * (amp_priv_offset)shape.element_size;
        const long long place = amp_priv_scatter_place(at, shape.element_size);
        if (place < 0 || place >= room)
            continue;
        found = seen[place] - 1;
        *again = i;
        seen[place] = i + 1;
    }
    free(seen);
    return found;
}

/* Warns of a body that writes two values to one element, by indexes in memory. */
AMP_PRIV_COLD void amp_priv_warn_of_scatters(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                             const int *values, void *const *captured)
{
    int entered = 0, again = 0;
    const amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    if (site->unvalidated || site->tiled || site->rank != 1 || site->has_origin || amp_priv_recording_here ||
        amp_priv_site_is_algorithm(site))
        return;
    for (int n = 1; n < body->tree.count && body->good && captured; n++) {
        const int by = amp_priv_scatter_by(&search, n), to = by >= 0 ? amp_priv_race_capture(&search, n) : -1;
        const amp_priv_head *const places = to >= 0 ? captured[by] : NULL, *const out = to >= 0 ? captured[to] : NULL;
        if (!places || places->rank != 1 || out->rank != 1 || !places->kind || !out->kind || by == to ||
            !amp_priv_number_is_integer(amp_priv_tree_number_type(&body->tree.node[body->tree.node[n].b])))
            continue;
        const int length = *amp_priv_head_extent(places), count = values[0] < length ? values[0] : length;
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
        const int first = amp_priv_scatter_meets(places, out, count, &again);
        amp_priv_error_mode_end(before);
        if (first < 0)
            continue;
        amp_priv_portability_warn(
            site,
            "indexes %d and %d write to the same element of '%s', whose place is in '%s', and any "
            "of the values may stay: give each its own place; to add them, use "
            "amp_atomic_fetch_add(&AMP_AT(%s, ...), ...)",
            first, again, site->captures[to].name, site->captures[by].name, site->captures[to].name);
        return;
    }
}

#endif

#endif /* AMP_CHECKED_SCATTERS_H */
