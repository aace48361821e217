/* SPDX-License-Identifier: MIT */
/*  amp/checked/tile_phases.h - checked builds: which threads of a tile have an element in which phase

    Contents (search for the tag):
        >>indexes  >>phases */
#ifndef AMP_CHECKED_TILE_PHASES_H
#define AMP_CHECKED_TILE_PHASES_H

#include "../validate/races.h"
#include "portability.h"

#if defined(AMP_CHECKED)

/* // >>indexes */

/* Is a part of the tree t.local, t.global or t.tile, or the same of a tile? */
AMP_PRIV_COLD bool amp_priv_tile_is_member(const amp_priv_tree *tree, int n, const char *member)
{
    return tree->node[n].kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(tree->node[n].token, member);
}

/* An index of an array or a view, in a tile. Unknown is what only some threads have, and o - x of a loop. */
AMP_PRIV_COLD amp_priv_index amp_priv_tile_index_of(const amp_priv_tree *tree, int n)
{
    const amp_priv_race_search body = { .tree = tree, .site = tree->site };
    amp_priv_index index = amp_priv_index_of(&body, n, 0);
    if (!index.exact || (index.minus && index.loop))
        index.kind = AMP_PRIV_AT_UNKNOWN;
    return index;
}

/* Is the value of that kind, in each thread, and without a loop's variable? */
AMP_PRIV_COLD bool amp_priv_index_is(amp_priv_index index, amp_priv_index_kind kind)
{
    return index.kind == kind && index.exact && !index.loop;
}

/* Does the loop at n count the variable that is named at counter up by one, to a number: k < 4, or k <= 4, where the
   limit is the last? */
AMP_PRIV_COLD bool amp_priv_tile_loop_counts(const amp_priv_tree *tree, int n, int counter, long long *limit,
                                             bool *is_last)
{
    const amp_priv_tree_node *const node = tree->node, *const test = &node[node[n].b], *const step = &node[node[n].c];
    const amp_priv_index end = amp_priv_tile_index_of(tree, test->kind == AMP_PRIV_TREE_BINARY ? test->b : 0);
    *limit = end.offset;
    *is_last = amp_priv_token_is(test->token, "<=");
    return step->kind == AMP_PRIV_TREE_STEP && amp_priv_token_is(step->token, "++") &&
           amp_priv_listed(" < <= ", test->token) && amp_priv_index_is(end, AMP_PRIV_AT_NUMBER) &&
           node[test->a].kind == AMP_PRIV_TREE_NAME && node[test->a].value == node[counter].value;
}

/* The element x[i][j] of the array that is named at n: its indexes. Returns the node of the whole; 0: it has fewer than
   that many indexes, or more than three. */
AMP_PRIV_COLD int amp_priv_tile_indexes(const amp_priv_tree *tree, int n, int dimensions, amp_priv_index *places)
{
    for (int d = 0; d < dimensions; d++) {
        const int up = tree->node[n].parent;
        if (d == 3 || tree->node[up].kind != AMP_PRIV_TREE_ELEMENT || tree->node[up].a != n)
            return 0;
        places[d] = amp_priv_tile_index_of(tree, tree->node[up].b);
        n = up;
    }
    return n;
}

/* The innermost branch, around m, that n is not in; 0: there is none. */
AMP_PRIV_COLD int amp_priv_race_branch_without(const amp_priv_tree *tree, int m, int n)
{
    for (; m && m != tree->root; m = tree->node[m].parent)
        if (amp_priv_race_condition(tree, m) && !(n >= tree->node[m].first && n <= tree->node[m].last))
            return m;
    return 0;
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

/* The threads of a tile that come to an access: from least to most in each dimension. */
typedef struct amp_priv_tile_range {
    long long least[3], most[3];
} amp_priv_tile_range;

/* Leaves out the threads that do not fulfil a condition, x < 8 && y >= 2. False: it says something else. */
AMP_PRIV_COLD bool amp_priv_tile_limit(const amp_priv_tree *tree, int condition, amp_priv_tile_range *range)
{
    const amp_priv_tree_node *const node = &tree->node[condition];
    if (node->kind != AMP_PRIV_TREE_BINARY)
        return false;
    if (amp_priv_token_is(node->token, "&&"))
        return amp_priv_tile_limit(tree, node->a, range) && amp_priv_tile_limit(tree, node->b, range);
    const amp_priv_index x = amp_priv_tile_index_of(tree, node->a), limit = amp_priv_tile_index_of(tree, node->b);
    const bool is_least = amp_priv_listed(" > >= ", node->token), is_most = amp_priv_listed(" < <= ", node->token);
    const int strict = node->token.length == 1;
    if (!amp_priv_index_is(x, AMP_PRIV_AT_LOCAL) || x.minus || x.of >= 3 ||
        !amp_priv_index_is(limit, AMP_PRIV_AT_NUMBER) || !(is_least || is_most))
        return false;
    const long long bound = limit.offset - x.offset + (is_least ? strict : -strict);
    if (is_least)
        range->least[x.of] = bound > range->least[x.of] ? bound : range->least[x.of];
    else
        range->most[x.of] = bound < range->most[x.of] ? bound : range->most[x.of];
    return true;
}

/* Which threads of the phase come to the node. False: it is not known. */
AMP_PRIV_COLD bool amp_priv_tile_threads_at(const amp_priv_tree *tree, int phase, int n, amp_priv_tile_range *range)
{
    const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
    for (int d = 0; d < 3; d++) {
        range->least[d] = 0;
        range->most[d] = d < tree->site->rank ? tree->site->tile[d] - 1 : 0;
    }
    for (int i = threads->first; i <= threads->last; i++)
        if (tree->node[i].kind == AMP_PRIV_TREE_JUMP && amp_priv_tree_left_by(tree, i) == phase)
            return false;
    for (; n && n != phase; n = tree->node[n].parent) {
        const int condition = amp_priv_race_condition(tree, n);
        if (condition && (tree->node[tree->node[n].parent].c == n || !amp_priv_tile_limit(tree, condition, range)))
            return false;
    }
    return n == phase;
}

/* Is the thread that reads an element another one than that which writes it, in the dimension of w? */
AMP_PRIV_COLD bool amp_priv_tile_is_other(amp_priv_index w, const amp_priv_tile_range *writers, amp_priv_index r,
                                          const amp_priv_tile_range *readers)
{
    const long long least = readers->least[w.of], most = readers->most[w.of], distance = r.offset - w.offset;
    const bool is_local = r.kind == AMP_PRIV_AT_LOCAL && r.of == w.of;
    if (is_local && !r.minus)
        return distance != 0;
    if (is_local && (distance == 2 * least || distance == 2 * most)) /* o - x, of x alone */
        return false;
    if (least < most || (r.loop && writers->least[w.of] < writers->most[w.of]))
        return true;
    return amp_priv_index_is(r, AMP_PRIV_AT_NUMBER) && distance != least;
}

/* Is an element with these indexes read by one thread and written by another one? */
AMP_PRIV_COLD bool amp_priv_tile_indexes_meet(const amp_priv_index *written, const amp_priv_tile_range *writers,
                                              const amp_priv_index *read, const amp_priv_tile_range *readers,
                                              int dimensions)
{
    bool differs = false;
    for (int d = 0; d < dimensions; d++) {
        const amp_priv_index w = written[d], r = read[d];
        const bool is_local = r.kind == AMP_PRIV_AT_LOCAL;
        if (!amp_priv_index_is(w, AMP_PRIV_AT_LOCAL) || w.minus || w.of >= 3 || r.kind == AMP_PRIV_AT_UNKNOWN ||
            r.of >= 3 || (is_local && r.loop) || r.unknown_begin)
            return false;
        const long long least = writers->least[w.of] + w.offset, most = writers->most[w.of] + w.offset,
                        first = is_local ? readers->least[r.of] : 0, last = is_local ? readers->most[r.of] : 0,
                        low = r.offset + (r.minus ? -last : first), high = r.offset + (r.minus ? -first : last);
        if (least > most || first > last || least > high || most < low)
            return false;
        differs = differs || amp_priv_tile_is_other(w, writers, r, readers);
    }
    return differs;
}

/* Is the loop of one of the indexes in the phase? */
AMP_PRIV_COLD bool amp_priv_tile_loop_is_in(const amp_priv_tree *tree, int phase, const amp_priv_index *a,
                                            const amp_priv_index *b)
{
    const int loop = a[0].loop ? a[0].loop : b[0].loop;
    const amp_priv_tree_node *const threads = &tree->node[tree->node[phase].d];
    return loop >= threads->first && loop <= threads->last;
}

/* Is one of the accesses, which are in one loop of the phase, or around it, at a distance that changes with the loop?
   What a thread writes, another one reads in a later round. The conditions in the loop change, too, x < half: others
   may leave one thread. */
AMP_PRIV_COLD bool amp_priv_tile_strides_meet(const amp_priv_tree *tree, int phase, int m, int n,
                                              const amp_priv_index *a, const amp_priv_index *b, int dimensions)
{
    const bool is_first = a[0].kind == AMP_PRIV_AT_LOCAL && a[0].loop;
    const amp_priv_index stride = is_first ? a[0] : b[0], other = is_first ? b[0] : a[0];
    const int loop = stride.loop;
    const bool is_inside = amp_priv_tile_loop_is_in(tree, phase, a, b);
    if (dimensions != 1 || stride.kind != AMP_PRIV_AT_LOCAL || !loop || !amp_priv_index_is(other, AMP_PRIV_AT_LOCAL) ||
        other.minus || other.of != stride.of || m < tree->node[loop].first || m > tree->node[loop].last ||
        n < tree->node[loop].first || n > tree->node[loop].last ||
        (is_inside && !amp_priv_phase_is_for_all(tree, phase, loop)))
        return false;
    const long long variable = tree->node[tree->node[tree->node[tree->node[loop].a].a].d].value;
    for (; m && m != loop && m != phase; m = tree->node[m].parent) {
        const int condition = amp_priv_race_condition(tree, m);
        if (condition && !amp_priv_tree_reads(tree, condition, variable))
            return false;
    }
    return true;
}

/* In which order threads come to a write in one phase and a read in another: a loop's number says in its rounds. */
enum { AMP_PRIV_PHASES_FOLLOW = 0, AMP_PRIV_PHASES_AT_ONCE = -1 /* both are the same phase */ };

/* The accesses at w and r, with these indexes: does one thread write what another one reads? writers: of w, if that is
   known. */
AMP_PRIV_COLD bool amp_priv_phases_touch(const amp_priv_tree *tree, const int phases[2], const int nodes[2], int order,
                                         const amp_priv_index *written, const amp_priv_tile_range *writers,
                                         const amp_priv_index *read, int dimensions)
{
    amp_priv_tile_range readers;
    const bool in_rounds = order > 0 && (written[0].loop == order || read[0].loop == order);
    if (!in_rounds && writers && amp_priv_tile_threads_at(tree, phases[1], nodes[1], &readers) &&
        amp_priv_tile_indexes_meet(written, writers, read, &readers, dimensions))
        return true;
    return (in_rounds ||
            (order == AMP_PRIV_PHASES_AT_ONCE && amp_priv_tile_loop_is_in(tree, phases[0], written, read))) &&
           amp_priv_tile_strides_meet(tree, phases[0], nodes[0], nodes[1], written, read, dimensions);
}

/* Does one phase write an element that another thread reads in the other one? Returns the name's node; 0: it does
   not. */
AMP_PRIV_COLD int amp_priv_phases_meet(const amp_priv_tree *tree, int writing, int reading, int order)
{
    amp_priv_index written[3], read[3];
    amp_priv_tile_range writers;
    int dimensions, others;
    const amp_priv_tree_node *const writes = &tree->node[tree->node[writing].d], *const reads =
                                                                                     &tree->node[tree->node[reading].d];
    for (int n = writes->first; n <= writes->last; n++) {
        const int array = amp_priv_tile_array(tree, n, &dimensions);
        if (!array || !amp_priv_tree_is_written(tree, n) || !amp_priv_tile_indexes(tree, n, dimensions, written))
            continue;
        const bool is_known = amp_priv_tile_threads_at(tree, writing, n, &writers);
        for (int i = reads->first; i <= reads->last; i++)
            if (i != n && amp_priv_tile_array(tree, i, &others) == array &&
                amp_priv_tree_use_of(tree, i) == AMP_PRIV_TREE_READ &&
                amp_priv_tile_indexes(tree, i, dimensions, read) &&
                amp_priv_phases_touch(tree, (const int[]){ writing, reading }, (const int[]){ n, i }, order, written,
                                      is_known ? &writers : NULL, read, dimensions))
                return n;
    }
    return 0;
}

/* Does the phase read what other threads write in it? */
AMP_PRIV_COLD int amp_priv_phase_meets(const amp_priv_tree *tree, int phase)
{
    return amp_priv_phases_meet(tree, phase, phase, AMP_PRIV_PHASES_AT_ONCE);
}

#endif

#endif /* AMP_CHECKED_TILE_PHASES_H */
