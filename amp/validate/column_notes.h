/* SPDX-License-Identifier: MIT */
/*  amp/validate/column_notes.h - reports loops in which a thread walks down a column of a view

    Neighbouring threads read neighbouring elements in each iteration, as GPUs like it. The CPU backend runs one thread
    after the other: each steps from row to row, a cache line for an element. Compilers neither exchange the loops nor
    make vectors of the threads around the loop.

    Contents (search for the tag):
        >>steps  >>columns */
#ifndef AMP_VALIDATE_COLUMN_NOTES_H
#define AMP_VALIDATE_COLUMN_NOTES_H

#include "../device/launch_site.h"
#include "../codegen/tree_use.h"

/* // >>steps */

/* What a launch calls its index: the name of the last component, or the name of an amp_index. In a function, what its
   parameters are is known from its call. */
typedef struct amp_priv_fast_index {
    amp_priv_token name;
    bool is_component;
    int last;                                /* of an amp_index: the number of its last component */
    const struct amp_priv_fast_index *outer; /* of a function: where it is called; NULL: of a body */
    const amp_priv_tree *caller;             /* the tree there, */
    int arguments;                           /* and the first argument in it */
} amp_priv_fast_index;

AMP_PRIV_COLD amp_priv_fast_index amp_priv_fast_index_of(const amp_priv_launch_site *site)
{
    amp_priv_fast_index fast = { .name = amp_priv_token_at(site->index), .last = site->rank - 1 };
    fast.is_component = amp_priv_token_is(fast.name, "(");
    for (amp_priv_token t = fast.name; t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_at(t.at + t.length))
        if (t.kind == AMP_PRIV_TOKEN_WORD)
            fast.name = t;
    return fast;
}

/* Is node n the index in which neighbouring threads differ? Of a tile: t.global.v[1], t.local.v[1] of rank 2. */
AMP_PRIV_COLD bool amp_priv_tree_is_fast(const amp_priv_tree *tree, int n, const amp_priv_fast_index *fast)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const of = &tree->node[node->a],
                                    *const number = &tree->node[node->b];
    if (fast->is_component)
        return node->kind == AMP_PRIV_TREE_NAME && !node->value && amp_priv_token_is_word(node->token, fast->name);
    return node->kind == AMP_PRIV_TREE_ELEMENT && of->kind == AMP_PRIV_TREE_MEMBER &&
           amp_priv_token_is(of->token, "v") && number->kind == AMP_PRIV_TREE_NUMBER && number->value == fast->last;
}

/* What a call gives for the parameter that node n names, in the caller's tree; 0: the node names none. */
AMP_PRIV_COLD int amp_priv_tree_argument(const amp_priv_tree *tree, int n, const amp_priv_fast_index *fast)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    if (!fast->outer || node->kind != AMP_PRIV_TREE_NAME || node->meaning != AMP_PRIV_MEANS_PARAMETER)
        return 0;
    return amp_priv_tree_nth(fast->caller, fast->arguments, node->value);
}

/* How an index differs from that of the neighbouring thread. */
typedef enum amp_priv_index_step {
    AMP_PRIV_INDEX_SAME,
    AMP_PRIV_INDEX_NEXT, /* by one */
    AMP_PRIV_INDEX_FAR   /* by more */
} amp_priv_index_step;

/* Of expression n. A variable has the step of its first value; depth bounds how often this is looked up. */
AMP_PRIV_COLD amp_priv_index_step amp_priv_index_step_of(const amp_priv_tree *tree, int n,
                                                         const amp_priv_fast_index *fast, int depth)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const int declared = node->kind == AMP_PRIV_TREE_NAME && node->value ? tree->declared[node->value] : 0;
    if (amp_priv_tree_is_fast(tree, n, fast))
        return AMP_PRIV_INDEX_NEXT;
    if (depth == 0)
        return AMP_PRIV_INDEX_SAME;
    const int argument = amp_priv_tree_argument(tree, n, fast);
    if (argument)
        return amp_priv_index_step_of(fast->caller, argument, fast->outer, depth - 1);
    if (tree->node[declared].a)
        return amp_priv_index_step_of(tree, tree->node[declared].a, fast, depth - 1);
    if (node->kind == AMP_PRIV_TREE_CAST || node->kind == AMP_PRIV_TREE_UNARY)
        return amp_priv_index_step_of(tree, node->a, fast, depth - 1);
    if (node->kind == AMP_PRIV_TREE_BINARY) {
        const amp_priv_index_step left = amp_priv_index_step_of(tree, node->a, fast, depth - 1),
                                  right = amp_priv_index_step_of(tree, node->b, fast, depth - 1),
                                  most = left > right ? left : right;
        const bool is_product = amp_priv_listed(" * << ", node->token);
        if (amp_priv_listed(" / >> ", node->token)) /* neighbours mostly have the same quotient */
            return left == AMP_PRIV_INDEX_FAR ? AMP_PRIV_INDEX_FAR : AMP_PRIV_INDEX_SAME;
        return most != AMP_PRIV_INDEX_SAME && is_product ? AMP_PRIV_INDEX_FAR : most;
    }
    for (int i = node->first; i <= node->last; i++) {
        const int given = amp_priv_tree_argument(tree, i, fast);
        if (amp_priv_tree_is_fast(tree, i, fast) ||
            (given && amp_priv_index_step_of(fast->caller, given, fast->outer, depth - 1) != AMP_PRIV_INDEX_SAME))
            return AMP_PRIV_INDEX_NEXT;
    }
    return AMP_PRIV_INDEX_SAME;
}

/* // >>columns */

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

#endif /* AMP_VALIDATE_COLUMN_NOTES_H */
