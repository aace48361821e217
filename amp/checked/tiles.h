/* SPDX-License-Identifier: MIT */
/*  amp/checked/tiles.h - checked builds: what threads of a tile do to each other's elements, by the tree of the body

    It warns of a phase that reads tile_static elements which other threads write in that phase, of tile_static memory
    that is read before it is written or outside of its dimensions, and of views that each tile writes at the same
    indexes. What stands under a condition is left out.

    Contents (search for the tag):
        >>contents  >>views  >>find */
#ifndef AMP_CHECKED_TILES_H
#define AMP_CHECKED_TILES_H

#include "../validate/uninitialised.h"
#include "tile_phases.h"
#include "tile_results.h"

#if defined(AMP_CHECKED)

/* // >>contents */

/* Is an index of the array that is named at n outside of its dimensions, for a thread of the tile? */
AMP_PRIV_COLD bool amp_priv_tile_is_outside(const amp_priv_tree *tree, int phase, int n)
{
    amp_priv_index places[3];
    int dimensions, d = 0;
    const int array = amp_priv_tile_array(tree, n, &dimensions);
    if (!array || !amp_priv_tile_indexes(tree, n, dimensions, places) || !amp_priv_phase_is_for_all(tree, phase, n))
        return false;
    for (int size = tree->node[array].b; size; size = tree->node[size].next, d++) {
        const amp_priv_index p = places[d];
        const long long last = p.kind == AMP_PRIV_AT_LOCAL && p.of < tree->site->rank ? tree->site->tile[p.of] - 1 : 0;
        const long long low = p.minus ? p.offset - last : p.offset, high = p.minus ? p.offset : p.offset + last;
        if (amp_priv_tree_is_integer(&tree->node[size]) && p.kind != AMP_PRIV_AT_UNKNOWN && !p.loop &&
            (low < 0 || high >= tree->node[size].value))
            return true;
    }
    return false;
}

/* Is the array that is named at n indexed by t.global, and shorter than the launch? */
AMP_PRIV_COLD bool amp_priv_tile_is_global(const amp_priv_tree *tree, int n, const int *values)
{
    int dimensions;
    const int array = amp_priv_tile_array(tree, n, &dimensions);
    for (int size = array ? tree->node[array].b : 0; size; size = tree->node[size].next) {
        const int up = tree->node[n].parent;
        const amp_priv_tree_node *const index = &tree->node[tree->node[up].b], *const v = &tree->node[index->a],
                                        *const of = &tree->node[index->b];
        if (tree->node[up].kind != AMP_PRIV_TREE_ELEMENT || tree->node[up].a != n)
            return false;
        if (index->kind == AMP_PRIV_TREE_ELEMENT && amp_priv_tile_is_member(tree, index->a, "v") &&
            amp_priv_tile_is_member(tree, v->a, "global") && of->kind == AMP_PRIV_TREE_NUMBER &&
            of->value < tree->site->rank && amp_priv_tree_is_integer(&tree->node[size]) &&
            values[of->value] > tree->node[size].value)
            return true;
        n = up;
    }
    return false;
}

/* A loop of the user's around both nodes? Those of AMP_THREADS do not count. */
AMP_PRIV_COLD bool amp_priv_tile_has_loop(const amp_priv_tree *tree, int m, int n)
{
    for (; m && m != tree->root; m = tree->node[m].parent) {
        const amp_priv_tree_node *const loop = &tree->node[m], *const begin = &tree->node[tree->node[loop->a].a];
        if (loop->kind == AMP_PRIV_TREE_LOOP && n >= loop->first && n <= loop->last &&
            !amp_priv_tree_is_phase(tree, m) &&
            !(begin->kind == AMP_PRIV_TREE_DECLARE && amp_priv_token_begins(begin->token, "amp_priv_")))
            return true;
    }
    return false;
}

/* Is the element at n changed by an atomic function, which reads it first? */
AMP_PRIV_COLD bool amp_priv_tile_is_atomic(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const call = &tree->node[tree->node[tree->node[n].parent].parent];
    const amp_priv_token name = tree->node[call->a].token;
    return amp_priv_tree_use_of(tree, n) == AMP_PRIV_TREE_TAKE && call->kind == AMP_PRIV_TREE_CALL &&
           amp_priv_token_begins(name, "amp_priv_atomic_fetch_");
}

/* Does a condition use variables of the body as indexes of views alone? Else it may be true for one thread. */
AMP_PRIV_COLD bool amp_priv_tile_is_of_data(const amp_priv_tree *tree, int condition)
{
    for (int i = tree->node[condition].first; i <= tree->node[condition].last; i++) {
        int m = i;
        while (m && m != condition && tree->node[m].kind != AMP_PRIV_TREE_ACCESS)
            m = tree->node[m].parent;
        if (tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value &&
            tree->node[m].kind != AMP_PRIV_TREE_ACCESS)
            return false;
    }
    return true;
}

/* Do several threads of the phase change the same element of the array that is named at n: count[0]++? */
AMP_PRIV_COLD bool amp_priv_tile_is_shared(const amp_priv_tree *tree, int phase, int n)
{
    amp_priv_index places[3];
    int dimensions;
    const int whole =
        amp_priv_tile_array(tree, n, &dimensions) ? amp_priv_tile_indexes(tree, n, dimensions, places) : 0;
    if (!whole || amp_priv_tree_use_of(tree, whole) != AMP_PRIV_TREE_CHANGE)
        return false;
    for (int d = 0; d < dimensions; d++)
        if (!amp_priv_index_is(places[d], AMP_PRIV_AT_NUMBER))
            return false;
    for (int m = whole; m && m != phase; m = tree->node[m].parent) {
        const int condition = amp_priv_race_condition(tree, m);
        if (condition && !amp_priv_tile_is_of_data(tree, condition))
            return false;
    }
    for (int i = tree->node[phase].first; i <= tree->node[phase].last; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_JUMP && amp_priv_tree_left_by(tree, i) == phase)
            return false;
    return true;
}

/* Is the array, which is declared there, read before it is written? */
AMP_PRIV_COLD bool amp_priv_tile_is_unwritten(const amp_priv_tree *tree, int array)
{
    amp_priv_index places[3];
    int read = 0, dimensions;
    for (int n = array + 1; n < tree->count; n++) {
        if (amp_priv_tile_array(tree, n, &dimensions) != array)
            continue;
        const int whole = amp_priv_tile_indexes(tree, n, dimensions, places);
        const amp_priv_tree_use use = !whole                                 ? AMP_PRIV_TREE_TAKE
                                      : amp_priv_tile_is_atomic(tree, whole) ? AMP_PRIV_TREE_CHANGE
                                                                             : amp_priv_tree_use_of(tree, n);
        if (!read && (use == AMP_PRIV_TREE_WRITE || use == AMP_PRIV_TREE_TAKE))
            return false;
        if (read && use != AMP_PRIV_TREE_READ && (use == AMP_PRIV_TREE_TAKE || amp_priv_tile_has_loop(tree, read, n)))
            return false;
        read = read ? read : n;
    }
    return read != 0;
}

/* // >>views */

/* Has the part of the tree the same value in each tile: numbers, captured ones, and places in the tile? */
AMP_PRIV_COLD bool amp_priv_tile_is_same(const amp_priv_tree *tree, int n, int depth)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const int from = node->kind == AMP_PRIV_TREE_NAME && node->value ? amp_priv_race_declaration(tree, node->value) : 0;
    if (depth > AMP_PRIV_RACE_DEPTH)
        return false;
    if (from)
        return amp_priv_tile_is_same(tree, tree->node[from].a, depth + 1);
    if (!n || node->kind == AMP_PRIV_TREE_NUMBER || amp_priv_tile_is_member(tree, n, "local") ||
        (node->kind == AMP_PRIV_TREE_NAME && !node->value && !amp_priv_token_is(node->token, tree->site->index)))
        return true;
    if (node->kind == AMP_PRIV_TREE_CHOICE && !amp_priv_tile_is_same(tree, node->c, depth + 1))
        return false;
    if (node->kind == AMP_PRIV_TREE_ACCESS)
        return amp_priv_tile_is_same(tree, node->b, depth + 1) &&
               (!tree->node[node->b].next || amp_priv_tile_is_same(tree, tree->node[node->b].next, depth + 1));
    return (node->kind == AMP_PRIV_TREE_BINARY || node->kind == AMP_PRIV_TREE_UNARY ||
            node->kind == AMP_PRIV_TREE_CAST || node->kind == AMP_PRIV_TREE_MEMBER ||
            node->kind == AMP_PRIV_TREE_ELEMENT || node->kind == AMP_PRIV_TREE_CHOICE) &&
           amp_priv_tile_is_same(tree, node->a, depth + 1) &&
           (node->kind == AMP_PRIV_TREE_CAST || amp_priv_tile_is_same(tree, node->b, depth + 1));
}

/* Does each tile write its own values to the same elements of a view, by an access at n? */
AMP_PRIV_COLD bool amp_priv_tile_repeats(const amp_priv_tree *tree, int n)
{
    bool has_local = false;
    if (tree->node[n].kind != AMP_PRIV_TREE_ACCESS || tree->node[tree->node[n].a].meaning != AMP_PRIV_MEANS_CAPTURE ||
        !amp_priv_tree_is_written(tree, n) || !amp_priv_tree_is_evaluated(tree, n))
        return false;
    for (int index = tree->node[n].b; index; index = tree->node[index].next) {
        const amp_priv_index place = amp_priv_tile_index_of(tree, index);
        const bool is_local =
            amp_priv_tile_is_member(tree, index, "local") || amp_priv_index_is(place, AMP_PRIV_AT_LOCAL);
        has_local = has_local || is_local;
        if (!is_local && !amp_priv_index_is(place, AMP_PRIV_AT_NUMBER))
            return false;
    }
    for (int i = n; i && i != tree->root && has_local; i = tree->node[i].parent) {
        const int condition = amp_priv_race_condition(tree, i);
        has_local = !condition || amp_priv_tile_is_same(tree, condition, 0);
    }
    const int by = amp_priv_tree_written_by(tree, n);
    return has_local &&
           (amp_priv_tree_use_of(tree, n) == AMP_PRIV_TREE_CHANGE || !amp_priv_tile_is_same(tree, tree->node[by].b, 0));
}

/* // >>find */

AMP_PRIV_COLD void amp_priv_warn_of_tiles(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                          const int *values)
{
    const amp_priv_tree *const tree = &body->tree;
    const char *what = NULL;
    int name = 0;
    bool is_many = false;
    if (!site->tiled || site->unvalidated || amp_priv_site_is_algorithm(site) || !body->good)
        return;
    for (int d = 0; d < site->rank; d++)
        is_many = is_many || values[d] > site->tile[d];
    for (int n = 1; n < tree->count && !what; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        if (node->kind == AMP_PRIV_TREE_DECLARE && node->meaning == AMP_PRIV_MEANS_TILE_STATIC &&
            amp_priv_tile_is_unwritten(tree, n))
            what = AMP_PRIV_MSG_TILE_UNWRITTEN, name = n;
        if (is_many && amp_priv_tile_repeats(tree, n))
            what = AMP_PRIV_MSG_TILE_REPEATS, name = node->a;
        if (!what && amp_priv_tile_threads(site) > 1)
            what = amp_priv_result_mistake(tree, n, &name);
        if (what || !amp_priv_tree_is_phase(tree, n))
            continue;
        const amp_priv_tree_node *const threads = &tree->node[node->d];
        for (int i = threads->first; i <= threads->last && !what; i++)
            if (amp_priv_tile_is_outside(tree, n, i))
                what = AMP_PRIV_MSG_TILE_OUTSIDE, name = i;
            else if (amp_priv_tile_is_global(tree, i, values) && amp_priv_phase_is_for_all(tree, n, i))
                what = AMP_PRIV_MSG_TILE_GLOBAL, name = i;
            else if (amp_priv_tile_is_shared(tree, n, i))
                what = AMP_PRIV_MSG_TILE_SHARED, name = i;
        const int met = what ? 0 : amp_priv_phase_meets(tree, n);
        if (met)
            what = AMP_PRIV_MSG_TILE_MEETS, name = met;
    }
    amp_priv_string text = { .text = NULL };
    if (what)
        amp_priv_add_sentence(&text, what, tree->node[name].token);
    if (what && !text.failed)
        amp_priv_portability_warn(site, "%s", text.text);
    free(text.text);
}

#endif

#endif /* AMP_CHECKED_TILES_H */
