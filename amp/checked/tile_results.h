/* SPDX-License-Identifier: MIT */
/*  amp/checked/tile_results.h - checked builds: what the threads of a tile combine, and who writes it

    It warns of a loop that halves and leaves elements out, and of an element of the tile's that each thread writes. */
#ifndef AMP_CHECKED_TILE_RESULTS_H
#define AMP_CHECKED_TILE_RESULTS_H

#include "tile_phases.h"

#if defined(AMP_CHECKED)

/* // >>halves */

enum { AMP_PRIV_HALVES_MOST = 1024, AMP_PRIV_HALVES_ROUNDS = 32 };

/* The values of h in for (int h = first; h > 0; h /= 2), also >>= 1 and other factors. Returns how many; 0: the loop is
   another one. */
AMP_PRIV_COLD int amp_priv_halves_of(const amp_priv_tree *tree, int n, long long rounds[AMP_PRIV_HALVES_ROUNDS])
{
    const amp_priv_tree_node *const node = tree->node, *const loop = &node[n], *const begin = &node[node[loop->a].a],
                                    *const more = &node[loop->b], *const step = &node[loop->c];
    if (loop->kind != AMP_PRIV_TREE_LOOP || begin->kind != AMP_PRIV_TREE_DECLARE || !begin->a ||
        step->kind != AMP_PRIV_TREE_ASSIGN || !amp_priv_listed(" /= >>= ", step->token) ||
        node[step->a].kind != AMP_PRIV_TREE_NAME || node[step->a].value != node[begin->d].value ||
        more->kind != AMP_PRIV_TREE_BINARY || node[more->a].kind != AMP_PRIV_TREE_NAME ||
        node[more->a].value != node[begin->d].value || !amp_priv_tree_is_integer(&node[more->b]) ||
        !(node[more->b].value == 0 ? amp_priv_listed(" > != ", more->token)
                                   : node[more->b].value == 1 && amp_priv_token_is(more->token, ">=")))
        return 0;
    const amp_priv_index first = amp_priv_tile_index_of(tree, begin->a), by = amp_priv_tile_index_of(tree, step->b);
    const bool shifts = amp_priv_token_is(step->token, ">>=");
    if (!amp_priv_index_is(first, AMP_PRIV_AT_NUMBER) || !amp_priv_index_is(by, AMP_PRIV_AT_NUMBER) ||
        by.offset < (shifts ? 1 : 2) || by.offset > 16)
        return 0;
    int count = 0;
    for (long long h = first.offset; h > 0 && count < AMP_PRIV_HALVES_ROUNDS;
         h = shifts ? h >> by.offset : h / by.offset)
        rounds[count++] = h;
    return count;
}

/* Is the element at `whole`, x[l], changed by what is at x[l + h] of the same array, where l < h and nothing else is
   asked for? h: the variable of the loop. */
AMP_PRIV_COLD bool amp_priv_halves_change(const amp_priv_tree *tree, int loop, int whole, int array)
{
    amp_priv_index read[3];
    int dimensions;
    bool reads = false;
    const amp_priv_tree_node *const node = tree->node;
    const long long h = node[node[node[node[loop].a].a].d].value;
    for (int i = node[node[whole].parent].first; i <= node[node[whole].parent].last; i++)
        reads = reads || (amp_priv_tile_array(tree, i, &dimensions) == array &&
                          amp_priv_tile_indexes(tree, i, dimensions, read) && read[0].kind == AMP_PRIV_AT_LOCAL &&
                          read[0].loop == loop && !read[0].minus);
    int conditions = 0;
    for (int i = whole; i && i != loop && reads; i = node[i].parent) {
        const amp_priv_tree_node *const condition = &node[amp_priv_race_condition(tree, i)];
        if (!condition->kind)
            continue;
        const amp_priv_index x = amp_priv_tile_index_of(tree, condition->a);
        conditions++;
        reads = condition->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(condition->token, "<") &&
                amp_priv_index_is(x, AMP_PRIV_AT_LOCAL) && x.offset == 0 && !x.minus &&
                node[condition->b].kind == AMP_PRIV_TREE_NAME && node[condition->b].value == h;
    }
    return reads && conditions == 1;
}

/* Does element 0 get each of the first `threads` elements once, of `size`, and none that there is not? */
AMP_PRIV_COLD bool amp_priv_halves_are_right(const long long *rounds, int count, long long threads, long long size)
{
    unsigned char times[AMP_PRIV_HALVES_MOST] = { 1 };
    for (int r = count - 1; r >= 0; r--) /* from the end: what of element 0 comes from where */
        for (long long l = 0; l < rounds[r] && l < threads; l++) {
            if (l + rounds[r] >= size)
                return false;
            times[l + rounds[r]] = (unsigned char)(times[l + rounds[r]] | times[l]);
        }
    bool are_all = true;
    for (long long l = 0; l < threads; l++)
        are_all = are_all && times[l];
    return are_all;
}

/* Does a loop that halves leave out elements of the array that is named at n? */
AMP_PRIV_COLD bool amp_priv_halves_leave(const amp_priv_tree *tree, int loop, int n)
{
    amp_priv_index places[3];
    long long rounds[AMP_PRIV_HALVES_ROUNDS];
    int dimensions;
    const int array = amp_priv_tile_array(tree, n, &dimensions), count = amp_priv_halves_of(tree, loop, rounds);
    const int whole = array && dimensions == 1 ? amp_priv_tile_indexes(tree, n, dimensions, places) : 0;
    const amp_priv_tree_node *const size = &tree->node[tree->node[array].b];
    return count && whole && tree->site->rank == 1 && amp_priv_tree_is_written(tree, whole) &&
           tree->node[tree->node[whole].parent].kind == AMP_PRIV_TREE_ASSIGN &&
           amp_priv_index_is(places[0], AMP_PRIV_AT_LOCAL) && places[0].offset == 0 && !places[0].minus &&
           amp_priv_tree_is_integer(size) && size->value <= AMP_PRIV_HALVES_MOST &&
           tree->site->tile[0] <= size->value && amp_priv_halves_change(tree, loop, whole, array) &&
           !amp_priv_halves_are_right(rounds, count, tree->site->tile[0], size->value);
}

/* // >>results */

/* Is the value at n the tile's, or (of_thread) a thread's own: are there t.tile and numbers alone, or t.local, too? */
AMP_PRIV_COLD bool amp_priv_result_is(const amp_priv_tree *tree, int n, bool of_thread, int depth)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const int from = node->kind == AMP_PRIV_TREE_NAME && node->value ? amp_priv_race_declaration(tree, node->value) : 0;
    if (!n || depth > AMP_PRIV_RACE_DEPTH)
        return false;
    if (from)
        return amp_priv_result_is(tree, tree->node[from].a, of_thread, depth + 1);
    const char *const members[] = { of_thread ? "local" : "tile", of_thread ? "global" : "tile_origin" };
    switch (node->kind) {
    case AMP_PRIV_TREE_MEMBER:
        return amp_priv_token_is(node->token, members[0]) || amp_priv_token_is(node->token, members[1]) ||
               amp_priv_result_is(tree, node->a, of_thread, depth + 1);
    case AMP_PRIV_TREE_ACCESS: return of_thread && amp_priv_result_is(tree, node->b, true, depth + 1);
    case AMP_PRIV_TREE_ELEMENT:
        return amp_priv_result_is(tree, node->a, of_thread, depth + 1) ||
               (of_thread && amp_priv_result_is(tree, node->b, true, depth + 1));
    case AMP_PRIV_TREE_CAST:
    case AMP_PRIV_TREE_UNARY: return amp_priv_result_is(tree, node->a, of_thread, depth + 1);
    case AMP_PRIV_TREE_BINARY:
        if (!amp_priv_listed(" + - * / ", node->token))
            return false;
        return amp_priv_result_is(tree, node->a, of_thread, depth + 1) ||
               amp_priv_result_is(tree, node->b, of_thread, depth + 1);
    default: return false;
    }
}

/* Does each thread of the phase write its own value to an element of a view that the tile has: the access at n? */
AMP_PRIV_COLD bool amp_priv_result_is_shared(const amp_priv_tree *tree, int phase, int n)
{
    const amp_priv_tree_node *const access = &tree->node[n], *const by = &tree->node[access->parent];
    if (access->kind != AMP_PRIV_TREE_ACCESS || tree->node[access->a].meaning != AMP_PRIV_MEANS_CAPTURE ||
        by->kind != AMP_PRIV_TREE_ASSIGN || by->a != n || !amp_priv_phase_is_for_all(tree, phase, n))
        return false;
    for (int index = access->b; index; index = tree->node[index].next)
        if (!amp_priv_result_is(tree, index, false, 0) || amp_priv_result_is(tree, index, true, 0))
            return false;
    return amp_priv_result_is(tree, by->b, true, 0);
}

/* What is wrong in a loop or phase at n; NULL: nothing. *name: the node that the message names. */
AMP_PRIV_COLD const char *amp_priv_result_mistake(const amp_priv_tree *tree, int n, int *name)
{
    const amp_priv_tree_node *const loop = &tree->node[n];
    const bool is_phase = amp_priv_tree_is_phase(tree, n);
    if (loop->kind != AMP_PRIV_TREE_LOOP)
        return NULL;
    for (int i = tree->node[loop->d].first; loop->d && i <= tree->node[loop->d].last; i++) {
        *name = is_phase ? tree->node[i].a : i;
        if (is_phase ? amp_priv_result_is_shared(tree, n, i) : amp_priv_halves_leave(tree, n, i))
            return is_phase ? AMP_PRIV_MSG_TILE_RESULT : AMP_PRIV_MSG_HALVES;
    }
    return NULL;
}

#endif

#endif /* AMP_CHECKED_TILE_RESULTS_H */
