/* SPDX-License-Identifier: MIT */
/*  amp/report/operations.h - how many arithmetic operations a thread of a kernel performs, counted in its tree

    Loops count as often as their bounds say, where these are numbers or captured integers; else once, and the result
    is a lower bound. So it is where a kernel calls functions of the language, which count as one operation. */
#ifndef AMP_REPORT_OPERATIONS_H
#define AMP_REPORT_OPERATIONS_H

#include "../codegen/tree_use.h"

typedef struct amp_priv_page_operations {
    double count; /* of a thread; 0: not known */
    bool is_bound;
} amp_priv_page_operations;

/* An integer: a number, or a capture (launch is NULL in a function). False: it is another expression. */
AMP_PRIV_COLD bool amp_priv_page_value(const amp_priv_tree *tree, int n, const amp_priv_launch *launch,
                                       long long *value)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    *value = node->value;
    if (node->kind == AMP_PRIV_TREE_NUMBER)
        return true;
    for (int i = 0; launch && i < launch->site->capture_count && node->kind == AMP_PRIV_TREE_NAME && !node->value;
         i++) {
        const amp_priv_capture *const capture = &launch->site->captures[i];
        if (!amp_priv_token_is(node->token, capture->name))
            continue;
        *value = capture->value;
        if (capture->kind == AMP_PRIV_CAPTURE_CONSTANT)
            return true;
        if (capture->kind != AMP_PRIV_CAPTURE_SCALAR || strcmp(capture->type, "int"))
            return false;
        *value = *(const int *)launch->captured[i];
        return true;
    }
    return false;
}

/* How often a loop's body runs: of `for (int k = A; k < B; k++)`. False: not known. */
AMP_PRIV_COLD bool amp_priv_page_trips(const amp_priv_tree *tree, const amp_priv_tree_node *loop,
                                       const amp_priv_launch *launch, double *trips)
{
    const amp_priv_tree_node *const begin = &tree->node[tree->node[loop->a].a], *const condition = &tree->node[loop->b],
                                    *const step = &tree->node[loop->c];
    long long from, to;
    const int first = begin->kind == AMP_PRIV_TREE_DECLARE  ? begin->a
                      : begin->kind == AMP_PRIV_TREE_ASSIGN ? begin->b
                                                            : 0;
    if (!first || condition->kind != AMP_PRIV_TREE_BINARY || !amp_priv_token_begins(condition->token, "<") ||
        step->kind != AMP_PRIV_TREE_STEP || !amp_priv_page_value(tree, first, launch, &from) ||
        !amp_priv_page_value(tree, condition->b, launch, &to))
        return false;
    *trips = to > from ? (double)(to - from) + (condition->token.length > 1) : 0;
    return true;
}

/* Is the node an arithmetic operation, and not one of an index or a loop's own? *times: how often it is performed. */
AMP_PRIV_COLD bool amp_priv_page_is_operation(const amp_priv_tree *tree, int n, const amp_priv_launch *launch,
                                              double *times, bool *is_bound)
{
    *times = 1;
    for (int inner = n, parent = tree->node[n].parent; inner != tree->root; inner = parent) {
        parent = tree->node[inner].parent;
        const amp_priv_tree_node *const p = &tree->node[parent];
        if (!parent || ((p->kind == AMP_PRIV_TREE_ACCESS || p->kind == AMP_PRIV_TREE_ELEMENT) && p->a != inner))
            return false;
        double trips = 1;
        if (p->kind == AMP_PRIV_TREE_LOOP && p->d != inner)
            return false;
        if (p->kind == AMP_PRIV_TREE_LOOP && !amp_priv_page_trips(tree, p, launch, &trips))
            *is_bound = true;
        *times *= trips;
    }
    return true;
}

/* Adds the operations of a body, or of a function that it calls, which is done so many times. */
AMP_PRIV_COLD void amp_priv_page_count(amp_priv_page_operations *found, const amp_priv_kernel_tree *body,
                                       const amp_priv_kernel_tree *part, const amp_priv_launch *launch, double times,
                                       int depth)
{
    const amp_priv_tree *const tree = &part->tree;
    for (int i = 1; i < tree->count && part->good; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        const bool calls = node->kind == AMP_PRIV_TREE_CALL;
        const bool computes = (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" + - * / ", node->token)) ||
                              (node->kind == AMP_PRIV_TREE_ASSIGN && amp_priv_listed(" += -= *= /= ", node->token)) ||
                              calls;
        double here;
        if (!computes || !amp_priv_page_is_operation(tree, i, launch, &here, &found->is_bound))
            continue;
        const amp_priv_kernel_tree *const function = depth > 0 ? amp_priv_called_tree(body, tree, i) : NULL;
        if (function && function->good) {
            amp_priv_page_count(found, body, function, NULL, times * here, depth - 1);
            continue;
        }
        found->count += times * here;
        found->is_bound = found->is_bound || calls;
    }
}

AMP_PRIV_COLD amp_priv_page_operations amp_priv_page_operations_of(const amp_priv_launch *launch)
{
    enum { AMP_PRIV_PAGE_DEPTH = 8 }; /* of functions that call others */
    amp_priv_page_operations found = { 0, false };
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(launch->site, launch->captured);
    amp_priv_page_count(&found, body, body, launch, 1, AMP_PRIV_PAGE_DEPTH);
    amp_priv_site_tree_release(body);
    return found;
}

#endif /* AMP_REPORT_OPERATIONS_H */
