/* SPDX-License-Identifier: MIT */
/*  amp/checked/tiles.h - checked builds: what threads of a tile do to each other's elements, by the tree of the body

    It warns of a phase that reads tile_static elements which other threads write in that phase, of tile_static memory
    that is read before it is written or outside of its dimensions, and of views that each tile writes at the same
    indexes. What stands under a condition is left out.

    Contents (search for the tag):
        >>indexes  >>phases  >>contents  >>views  >>find */
#ifndef AMP_CHECKED_TILES_H
#define AMP_CHECKED_TILES_H

#include "../codegen/races.h"
#include "portability.h"

#if defined(AMP_CHECKED)

/* // >>indexes */

typedef enum amp_priv_tile_index_kind {
    AMP_PRIV_AT_UNKNOWN,
    AMP_PRIV_AT_NUMBER, /* offset */
    AMP_PRIV_AT_LOCAL,  /* t.local.v[of] + offset, or (minus) offset - t.local.v[of] */
    AMP_PRIV_AT_LOOP    /* the variable of a loop that begins with a number */
} amp_priv_tile_index_kind;

typedef struct amp_priv_tile_index {
    amp_priv_tile_index_kind kind;
    int of;
    long long offset;
    bool minus;
} amp_priv_tile_index;

/* Is a part of the tree t.local, t.global or t.tile, or the same of a tile? */
AMP_PRIV_COLD bool amp_priv_tile_is_member(const amp_priv_tree *tree, int n, const char *member)
{
    return tree->node[n].kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(tree->node[n].token, member);
}

static amp_priv_tile_index amp_priv_tile_index_of(const amp_priv_tree *tree, int n, int depth);

AMP_PRIV_COLD amp_priv_tile_index amp_priv_tile_index_of_name(const amp_priv_tree *tree, int n, int depth)
{
    const amp_priv_tile_index unknown = { .kind = AMP_PRIV_AT_UNKNOWN };
    const long long variable = tree->node[n].value;
    const int from = variable ? amp_priv_race_declaration(tree, variable) : 0;
    if (from)
        return amp_priv_tile_index_of(tree, tree->node[from].a, depth);
    const amp_priv_tree_node *const declared = &tree->node[variable ? tree->declared[variable] : 0];
    const amp_priv_tree_node *const loop = &tree->node[tree->node[declared->parent].parent];
    return loop->kind == AMP_PRIV_TREE_LOOP && loop->a == declared->parent &&
                   tree->node[declared->a].kind == AMP_PRIV_TREE_NUMBER
               ? (amp_priv_tile_index){ .kind = AMP_PRIV_AT_LOOP }
               : unknown;
}

AMP_PRIV_COLD amp_priv_tile_index amp_priv_tile_index_of(const amp_priv_tree *tree, int n, int depth)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const v = &tree->node[node->a];
    amp_priv_tile_index place = { .kind = AMP_PRIV_AT_UNKNOWN };
    if (!n || depth > AMP_PRIV_RACE_DEPTH)
        return place;
    if (amp_priv_tree_is_integer(node))
        return (amp_priv_tile_index){ .kind = AMP_PRIV_AT_NUMBER, .offset = node->value };
    if (node->kind == AMP_PRIV_TREE_NAME)
        return amp_priv_tile_index_of_name(tree, n, depth + 1);
    if (node->kind == AMP_PRIV_TREE_CAST)
        return amp_priv_tile_index_of(tree, node->a, depth + 1);
    if (node->kind == AMP_PRIV_TREE_ELEMENT && amp_priv_tile_is_member(tree, node->a, "v") &&
        amp_priv_tile_is_member(tree, v->a, "local") && tree->node[node->b].kind == AMP_PRIV_TREE_NUMBER)
        return (amp_priv_tile_index){ .kind = AMP_PRIV_AT_LOCAL, .of = (int)tree->node[node->b].value };
    const bool is_minus = amp_priv_token_is(node->token, "-");
    if (node->kind != AMP_PRIV_TREE_BINARY || !(is_minus || amp_priv_token_is(node->token, "+")))
        return place;
    const amp_priv_tile_index a = amp_priv_tile_index_of(tree, node->a, depth + 1),
                              b = amp_priv_tile_index_of(tree, node->b, depth + 1);
    if (a.kind == AMP_PRIV_AT_UNKNOWN || b.kind == AMP_PRIV_AT_UNKNOWN || a.kind == AMP_PRIV_AT_LOOP ||
        b.kind == AMP_PRIV_AT_LOOP || (a.kind == AMP_PRIV_AT_LOCAL && b.kind == AMP_PRIV_AT_LOCAL))
        return place;
    place = a.kind == AMP_PRIV_AT_LOCAL ? a : b;
    place.minus = a.kind == AMP_PRIV_AT_LOCAL ? a.minus : b.minus != is_minus;
    place.offset = a.offset + (is_minus ? -b.offset : b.offset);
    return place;
}

/* The element x[i][j] of the array that is named at n: its indexes. Returns the node of the whole; 0: it has fewer than
   that many indexes, or more than three. */
AMP_PRIV_COLD int amp_priv_tile_indexes(const amp_priv_tree *tree, int n, int dimensions, amp_priv_tile_index *places)
{
    for (int d = 0; d < dimensions; d++) {
        const int up = tree->node[n].parent;
        if (d == 3 || tree->node[up].kind != AMP_PRIV_TREE_ELEMENT || tree->node[up].a != n)
            return 0;
        places[d] = amp_priv_tile_index_of(tree, tree->node[up].b, 0);
        n = up;
    }
    return n;
}

/* The declaration of the tile_static array that is named at n, and how many dimensions it has; 0: it is none. */
AMP_PRIV_COLD int amp_priv_tile_array(const amp_priv_tree *tree, int n, int *dimensions)
{
    const amp_priv_tree_node *const name = &tree->node[n];
    const int declared = name->kind == AMP_PRIV_TREE_NAME && name->value ? tree->declared[name->value] : 0;
    *dimensions = 0;
    if (!declared || n == tree->node[declared].d || tree->node[declared].meaning != AMP_PRIV_MEANS_TILE_STATIC ||
        amp_priv_token_begins(name->token, "amp_priv_") || !amp_priv_tree_is_evaluated(tree, n))
        return 0;
    for (int d = tree->node[declared].b; d; d = tree->node[d].next)
        ++*dimensions;
    return *dimensions > 0 ? declared : 0;
}

/* // >>phases */

/* Does each thread of the phase come to the node? */
AMP_PRIV_COLD bool amp_priv_phase_is_for_all(const amp_priv_tree *tree, int phase, int n)
{
    const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
    for (int i = threads->first; i <= threads->last; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_JUMP && amp_priv_tree_left_by(tree, i) == phase)
            return false;
    return amp_priv_tree_is_for_all(tree, phase, n);
}

/* Is an element with these indexes read by one thread and written by another one? */
AMP_PRIV_COLD bool amp_priv_tile_indexes_meet(const amp_priv_launch_site *site, const amp_priv_tile_index *written,
                                              const amp_priv_tile_index *read, int dimensions)
{
    bool differs = false;
    for (int d = 0; d < dimensions; d++) {
        const amp_priv_tile_index w = written[d], r = read[d];
        const long long threads = w.of < site->rank ? site->tile[w.of] : 0, distance = r.offset - w.offset;
        if (w.kind != AMP_PRIV_AT_LOCAL || w.minus || r.kind == AMP_PRIV_AT_UNKNOWN)
            return false;
        if (r.kind == AMP_PRIV_AT_NUMBER && (distance < 0 || distance >= threads))
            return false;
        if (r.kind == AMP_PRIV_AT_LOCAL && r.of == w.of && !r.minus && llabs(distance) >= threads)
            return false;
        if (r.kind == AMP_PRIV_AT_LOCAL && r.of == w.of && r.minus && (distance <= 0 || distance >= 2 * threads - 2))
            return false;
        const bool is_same = r.kind == AMP_PRIV_AT_LOCAL && r.of == w.of && !r.minus && distance == 0;
        differs = differs || (!is_same && threads > 1);
    }
    return differs;
}

/* Does the phase read what other threads write in it? Returns the name's node; 0: it does not. */
AMP_PRIV_COLD int amp_priv_phase_meets(const amp_priv_tree *tree, int phase)
{
    amp_priv_tile_index written[3], read[3];
    int dimensions, others;
    const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
    for (int n = threads->first; n <= threads->last; n++) {
        const int array = amp_priv_tile_array(tree, n, &dimensions);
        const amp_priv_tree_use use = array ? amp_priv_tree_use_of(tree, n) : AMP_PRIV_TREE_READ;
        if (use == AMP_PRIV_TREE_READ || use == AMP_PRIV_TREE_TAKE ||
            !amp_priv_tile_indexes(tree, n, dimensions, written) || !amp_priv_phase_is_for_all(tree, phase, n))
            continue;
        for (int i = threads->first; i <= threads->last; i++)
            if (i != n && amp_priv_tile_array(tree, i, &others) == array &&
                amp_priv_tree_use_of(tree, i) == AMP_PRIV_TREE_READ &&
                amp_priv_tile_indexes(tree, i, dimensions, read) && amp_priv_phase_is_for_all(tree, phase, i) &&
                amp_priv_tile_indexes_meet(tree->site, written, read, dimensions))
                return n;
    }
    return 0;
}

/* // >>contents */

/* Is an index of the array that is named at n outside of its dimensions, for a thread of the tile? */
AMP_PRIV_COLD bool amp_priv_tile_is_outside(const amp_priv_tree *tree, int phase, int n)
{
    amp_priv_tile_index places[3];
    int dimensions, d = 0;
    const int array = amp_priv_tile_array(tree, n, &dimensions);
    if (!array || !amp_priv_tile_indexes(tree, n, dimensions, places) || !amp_priv_phase_is_for_all(tree, phase, n))
        return false;
    for (int size = tree->node[array].b; size; size = tree->node[size].next, d++) {
        const amp_priv_tile_index p = places[d];
        const long long last = p.kind == AMP_PRIV_AT_LOCAL && p.of < tree->site->rank ? tree->site->tile[p.of] - 1 : 0;
        const long long low = p.minus ? p.offset - last : p.offset, high = p.minus ? p.offset : p.offset + last;
        if (amp_priv_tree_is_integer(&tree->node[size]) && p.kind != AMP_PRIV_AT_UNKNOWN &&
            p.kind != AMP_PRIV_AT_LOOP && (low < 0 || high >= tree->node[size].value))
            return true;
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

/* Is the array, which is declared there, read before it is written? */
AMP_PRIV_COLD bool amp_priv_tile_is_unwritten(const amp_priv_tree *tree, int array)
{
    amp_priv_tile_index places[3];
    int read = 0, dimensions;
    for (int n = array + 1; n < tree->count; n++) {
        if (amp_priv_tile_array(tree, n, &dimensions) != array)
            continue;
        const amp_priv_tree_use use =
            amp_priv_tile_indexes(tree, n, dimensions, places) ? amp_priv_tree_use_of(tree, n) : AMP_PRIV_TREE_TAKE;
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
    const amp_priv_tree_use use = amp_priv_tree_use_of(tree, n);
    bool has_local = false;
    if (tree->node[n].kind != AMP_PRIV_TREE_ACCESS || tree->node[tree->node[n].a].meaning != AMP_PRIV_MEANS_CAPTURE ||
        (use != AMP_PRIV_TREE_WRITE && use != AMP_PRIV_TREE_CHANGE) || !amp_priv_tree_is_evaluated(tree, n))
        return false;
    for (int index = tree->node[n].b; index; index = tree->node[index].next) {
        const amp_priv_tile_index place = amp_priv_tile_index_of(tree, index, 0);
        const bool is_local = amp_priv_tile_is_member(tree, index, "local") || place.kind == AMP_PRIV_AT_LOCAL;
        has_local = has_local || is_local;
        if (!is_local && place.kind != AMP_PRIV_AT_NUMBER)
            return false;
    }
    for (int i = n; i && i != tree->root && has_local; i = tree->node[i].parent) {
        const int condition = amp_priv_race_condition(tree, i);
        has_local = !condition || amp_priv_tile_is_same(tree, condition, 0);
    }
    const int by = amp_priv_tree_written_by(tree, n);
    return has_local && (use == AMP_PRIV_TREE_CHANGE || !amp_priv_tile_is_same(tree, tree->node[by].b, 0));
}

/* // >>find */

AMP_PRIV_COLD void amp_priv_warn_of_tiles(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                          const int *values)
{
    const amp_priv_tree *const tree = &body->tree;
    const char *what = NULL;
    int name = 0;
    bool is_many = false;
    if (!site->tiled || site->unchecked || amp_priv_site_is_algorithm(site) || !body->good)
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
        if (what || !amp_priv_tree_is_phase(tree, n))
            continue;
        const amp_priv_tree_node *const threads = &tree->node[node->d];
        for (int i = threads->first; i <= threads->last && !what; i++)
            if (amp_priv_tile_is_outside(tree, n, i))
                what = AMP_PRIV_MSG_TILE_OUTSIDE, name = i;
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
