/* SPDX-License-Identifier: MIT */
/*  amp/trace/memory_use.h - which captured views a body reads and writes, and how: for profiles

    A kernel whose tree is not known reads and writes all of them.

    Contents (search for the tag):
        >>indexes  >>captures  >>functions */
#ifndef AMP_TRACE_MEMORY_USE_H
#define AMP_TRACE_MEMORY_USE_H

#include "../validate/column_notes.h"

/* // >>indexes */

/* Does a variable get its value from an element of a view? */
AMP_PRIV_COLD bool amp_priv_tree_from_element(const amp_priv_tree *tree, long long variable)
{
    for (int i = 1; i < tree->count; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        const bool declares = node->kind == AMP_PRIV_TREE_DECLARE && tree->node[node->d].value == variable;
        const bool assigns = node->kind == AMP_PRIV_TREE_ASSIGN && tree->node[node->a].kind == AMP_PRIV_TREE_NAME &&
                             tree->node[node->a].value == variable;
        if ((declares && node->a && amp_priv_tree_has(tree, node->a, AMP_PRIV_TREE_ACCESS)) ||
            (assigns && amp_priv_tree_has(tree, node->b, AMP_PRIV_TREE_ACCESS)))
            return true;
    }
    return false;
}

/* Does an index depend on an element of a view? */
AMP_PRIV_COLD bool amp_priv_index_gathers(const amp_priv_tree *tree, int index, const amp_priv_fast_index *fast)
{
    for (int i = tree->node[index].first; i <= tree->node[index].last; i++) {
        const amp_priv_tree_node *const node = &tree->node[i];
        const int argument = amp_priv_tree_argument(tree, i, fast);
        if (node->kind == AMP_PRIV_TREE_ACCESS ||
            (node->kind == AMP_PRIV_TREE_NAME && node->value && amp_priv_tree_from_element(tree, node->value)) ||
            (argument && amp_priv_index_gathers(fast->caller, argument, fast->outer)))
            return true;
    }
    return false;
}

/* What is slow about the indexes of an access. */
AMP_PRIV_COLD int amp_priv_index_notes(const amp_priv_tree *tree, int access, const amp_priv_fast_index *fast)
{
    enum { AMP_PRIV_INDEX_DEPTH = 12 };
    bool is_before = false, gathers = false;
    amp_priv_index_step last = AMP_PRIV_INDEX_SAME;
    for (int index = tree->node[access].b; index; index = tree->node[index].next) {
        is_before = is_before || last != AMP_PRIV_INDEX_SAME;
        last = amp_priv_index_step_of(tree, index, fast, AMP_PRIV_INDEX_DEPTH);
        gathers = gathers || amp_priv_index_gathers(tree, index, fast);
    }
    const bool strides = (is_before && last == AMP_PRIV_INDEX_SAME) || last == AMP_PRIV_INDEX_FAR;
    return (gathers ? AMP_PRIV_NOTE_GATHER : 0) | (strides ? AMP_PRIV_NOTE_STRIDE : 0);
}

/* // >>captures */

enum { AMP_PRIV_CALLS_DEPTH = 8 };

static int amp_priv_parameter_use(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int call, int n,
                                  const amp_priv_fast_index *fast, int *notes, int depth);

/* What is done with the view that node n names: AMP_PRIV_USE_ bits. What another function than the file's gets, or
   whose address is taken, is read and written. */
AMP_PRIV_COLD int amp_priv_view_use(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int n,
                                    const amp_priv_fast_index *fast, int *notes, int depth)
{
    static const int bits[] = { [AMP_PRIV_TREE_READ] = AMP_PRIV_USE_READ,
                                [AMP_PRIV_TREE_WRITE] = AMP_PRIV_USE_WRITE,
                                [AMP_PRIV_TREE_CHANGE] = AMP_PRIV_USE_READ | AMP_PRIV_USE_WRITE,
                                [AMP_PRIV_TREE_TAKE] = AMP_PRIV_USE_READ | AMP_PRIV_USE_WRITE };
    const int parent = tree->node[n].parent;
    const amp_priv_tree_node *const around = &tree->node[parent];
    if (around->kind == AMP_PRIV_TREE_ACCESS && around->a == n) {
        *notes |= amp_priv_index_notes(tree, parent, fast);
        return bits[amp_priv_tree_use_of(tree, parent)];
    }
    if (around->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(around->token, "extent"))
        return 0;
    if (around->kind == AMP_PRIV_TREE_CALL && around->a != n && depth > 0)
        return amp_priv_parameter_use(body, tree, parent, n, fast, notes, depth - 1);
    return bits[AMP_PRIV_TREE_TAKE];
}

/* What the function does that gets the view as its argument n. */
static int amp_priv_parameter_use(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int call, int n,
                                  const amp_priv_fast_index *fast, int *notes, int depth)
{
    const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, call);
    if (!function || !function->good)
        return AMP_PRIV_USE_READ | AMP_PRIV_USE_WRITE;
    amp_priv_fast_index inside = *fast;
    inside.outer = fast;
    inside.caller = tree;
    inside.arguments = tree->node[call].b;
    int number = 1, uses = 0;
    for (int i = inside.arguments; i && i != n; i = tree->node[i].next)
        number++;
    for (int i = 1; i < function->tree.count; i++) {
        const amp_priv_tree_node *const name = &function->tree.node[i];
        if (name->kind == AMP_PRIV_TREE_NAME && name->meaning == AMP_PRIV_MEANS_PARAMETER && name->value == number &&
            amp_priv_tree_is_evaluated(&function->tree, i))
            uses |= amp_priv_view_use(body, &function->tree, i, &inside, notes, depth);
    }
    return uses;
}

/* What the kernel does with a captured view. */
AMP_PRIV_COLD int amp_priv_capture_use(const amp_priv_kernel_tree *body, const char *name,
                                       const amp_priv_fast_index *fast, int *notes)
{
    int uses = 0;
    for (int n = 0; (n = amp_priv_tree_next_use(&body->tree, name, n)) != 0;)
        uses |= amp_priv_view_use(body, &body->tree, n, fast, notes, AMP_PRIV_CALLS_DEPTH);
    return uses;
}

/* // >>functions */

/* Those that have a faster form, amp_fast_... . */
static const char *const amp_priv_precise_functions[] = { "sinf",  "cosf",   "tanf",  "expf",  "exp2f", "logf",
                                                          "log2f", "log10f", "powf",  "tanhf", "sinhf", "coshf",
                                                          "atanf", "atan2f", "asinf", "acosf" };
enum { AMP_PRIV_PRECISE_FUNCTIONS = sizeof amp_priv_precise_functions / sizeof *amp_priv_precise_functions };

/* Which of them a body calls, also in the functions of the file. */
AMP_PRIV_COLD int amp_priv_precise_calls(const amp_priv_kernel_tree *body, const amp_priv_tree *tree, int depth)
{
    int notes = 0;
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const call = &tree->node[n], *const called = &tree->node[call->a];
        if (call->kind != AMP_PRIV_TREE_CALL || called->kind != AMP_PRIV_TREE_NAME)
            continue;
        const amp_priv_kernel_tree *const function = depth > 0 ? amp_priv_called_tree(body, tree, n) : NULL;
        if (function && function->good)
            notes |= amp_priv_precise_calls(body, &function->tree, depth - 1);
        for (int f = 0; f < AMP_PRIV_PRECISE_FUNCTIONS; f++)
            if (amp_priv_token_is(called->token, amp_priv_precise_functions[f]))
                notes |= AMP_PRIV_NOTE_PRECISE << f;
    }
    return notes;
}

/* Fills what a profile needs about a launch site. */
AMP_PRIV_COLD void amp_priv_memory_use_find(amp_priv_launch_site *site, void *const *captured)
{
    const amp_priv_fast_index fast = amp_priv_fast_index_of(site);
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    site->reads = site->writes = UINT64_MAX;
    for (int i = 0; i < site->capture_count; i++) {
        const int uses = body->good ? amp_priv_capture_use(body, site->captures[i].name, &fast, &site->notes)
                                    : AMP_PRIV_USE_READ | AMP_PRIV_USE_WRITE;
        site->reads &= ~((uint64_t) !(uses & AMP_PRIV_USE_READ) << i);
        site->writes &= ~((uint64_t) !(uses & AMP_PRIV_USE_WRITE) << i);
        if (site->captures[i].type && strstr(site->captures[i].type, "double"))
            site->notes |= AMP_PRIV_NOTE_DOUBLE;
    }
    if (amp_priv_tokens_have(&body->tree.tokens, "double"))
        site->notes |= AMP_PRIV_NOTE_DOUBLE;
    if (body->good)
        site->notes |= amp_priv_precise_calls(body, &body->tree, AMP_PRIV_CALLS_DEPTH);
    site->uses_known = true;
    amp_priv_site_tree_release(body);
}

#endif /* AMP_TRACE_MEMORY_USE_H */
