/* SPDX-License-Identifier: MIT */
/*  amp/codegen/column_notes.h - reports loops in which a thread walks down a column of a view

    Neighbouring threads read neighbouring elements in each iteration, as GPUs like it. The CPU backend runs one thread
    after the other: each steps from row to row, a cache line for an element. Compilers neither exchange the loops nor
    make vectors of the threads around the loop. */
#ifndef AMP_CODEGEN_COLUMN_NOTES_H
#define AMP_CODEGEN_COLUMN_NOTES_H

#include "memory_use.h"

enum { AMP_PRIV_COLUMN_DEPTH = 8 };

/* Does a loop change a variable? */
AMP_PRIV_COLD bool amp_priv_column_variable(const amp_priv_tree *tree, int loop, long long variable)
{
    for (int n = tree->node[loop].first; n <= tree->node[loop].last; n++)
        if (tree->node[n].kind == AMP_PRIV_TREE_NAME && tree->node[n].value == variable &&
            amp_priv_tree_use_of(tree, n) != AMP_PRIV_TREE_READ)
            return true;
    return false;
}

/* Does a part of the tree have another value in each iteration of a loop? depth: how many variables are looked up. */
AMP_PRIV_COLD bool amp_priv_column_changes(const amp_priv_tree *tree, int loop, int part, int depth)
{
    const amp_priv_tree_node *const node = tree->node;
    for (int n = node[part].first; n <= node[part].last; n++) {
        if (node[n].kind != AMP_PRIV_TREE_NAME || !node[n].value)
            continue;
        const int declared = tree->declared[node[n].value];
        const bool is_own = declared >= node[loop].first && declared <= node[loop].last && node[declared].a;
        if (amp_priv_column_variable(tree, loop, node[n].value) ||
            (is_own && depth > 0 && amp_priv_column_changes(tree, loop, node[declared].a, depth - 1)))
            return true;
    }
    return false;
}

/* Is that an access down a column: do earlier indexes change with the loop, and is the last one the thread's? */
AMP_PRIV_COLD bool amp_priv_column_access(const amp_priv_tree *tree, int loop, int access,
                                          const amp_priv_fast_index *fast)
{
    bool is_before = false, changes = false;
    int last = 0;
    for (int index = tree->node[access].b; index; index = tree->node[index].next) {
        is_before = is_before || changes;
        changes = amp_priv_column_changes(tree, loop, index, AMP_PRIV_COLUMN_DEPTH);
        last = index;
    }
    return is_before && !changes &&
           amp_priv_index_step_of(tree, last, fast, AMP_PRIV_COLUMN_DEPTH) == AMP_PRIV_INDEX_NEXT;
}

/* Is it a loop without another one inside? A window's, from -1 to 1, or one of few iterations is short. */
AMP_PRIV_COLD bool amp_priv_column_loop(const amp_priv_tree *tree, int n)
{
    enum { AMP_PRIV_COLUMN_SHORT = 16 };
    const amp_priv_tree_node *const node = tree->node, *const loop = &node[n];
    for (int i = loop->first; i <= loop->last; i++)
        if (i != n && node[i].kind == AMP_PRIV_TREE_LOOP)
            return false;
    const amp_priv_tree_node *const begin = &node[node[loop->a].a], *const value = &node[begin->a],
                                    *const limit = &node[node[loop->b].b];
    const bool is_window = begin->kind == AMP_PRIV_TREE_DECLARE && value->kind == AMP_PRIV_TREE_UNARY &&
                           amp_priv_token_is(value->token, "-");
    const bool is_short = loop->b && amp_priv_token_begins(node[loop->b].token, "<") &&
                          limit->kind == AMP_PRIV_TREE_NUMBER && limit->value <= AMP_PRIV_COLUMN_SHORT;
    return !is_window && !is_short;
}

/* What is to be said of a kernel's columns: of the first. */
AMP_PRIV_COLD void amp_priv_columns_judge(const amp_priv_kernel_tree *body, amp_priv_string *out)
{
    const amp_priv_launch_site *const site = body->tree.site;
    const amp_priv_fast_index fast = amp_priv_fast_index_of(site);
    const amp_priv_tree *const tree = &body->tree;
    for (int loop = 1; loop < tree->count && body->good && !site->tiled && !out->length; loop++) {
        if (tree->node[loop].kind != AMP_PRIV_TREE_LOOP || !amp_priv_column_loop(tree, loop))
            continue;
        for (int n = tree->node[loop].first; n <= tree->node[loop].last && !out->length; n++) {
            const amp_priv_token view = tree->node[tree->node[n].a].token;
            if (tree->node[n].kind == AMP_PRIV_TREE_ACCESS && amp_priv_column_access(tree, loop, n, &fast))
                amp_priv_addf(
                    out,
                    "a loop in each thread walks down a column of '%.*s', and the CPU backend runs it for one "
                    "column after the other, without vectors: take AMP_TILED, with the loop around "
                    "AMP_THREADS and the thread's variables as AMP_PRIVATE",
                    (int)view.length, view.at);
        }
    }
}

#endif /* AMP_CODEGEN_COLUMN_NOTES_H */
