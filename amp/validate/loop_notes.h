/* SPDX-License-Identifier: MIT */
/*  amp/validate/loop_notes.h - reports loops that the CPU backend cannot vectorise, once for each kernel

    Compilers vectorise across threads if no loop is left in a thread, and across the iterations of a loop if these do
    not depend on each other. So the note is about innermost loops that change a floating-point variable from iteration
    to iteration, and about long loops with a constant count, which clang does not unroll.

    Contents (search for the tag):
        >>loop  >>note */
#ifndef AMP_VALIDATE_LOOP_NOTES_H
#define AMP_VALIDATE_LOOP_NOTES_H

#include "column_notes.h"

/* // >>loop: `for (head; limit; step)` of a thread, and what it changes of the variables around it. */

/* Loops up to this count are unrolled by the compiler; and does AMP_ANY_ORDER have an effect (amp/api/dialect.h)? */
#if defined(__clang__)
enum { AMP_PRIV_LONG_LOOP = 32, AMP_PRIV_REORDERS = 1 };
#else
enum { AMP_PRIV_LONG_LOOP = 15, AMP_PRIV_REORDERS = __GNUC__ >= 12 };
#endif

typedef struct amp_priv_loop {
    const amp_priv_tree *tree;
    int n;                  /* its node */
    amp_priv_string sums;   /* the names of floating-point variables that it only adds to: "x, y" */
    amp_priv_token changed; /* one that it changes otherwise */
} amp_priv_loop;

AMP_PRIV_COLD const amp_priv_tree_node *amp_priv_loop_node(const amp_priv_loop *loop, int n)
{
    return &loop->tree->node[n];
}

/* Is the loop's body all that the loop does with a variable to add to it? */
AMP_PRIV_COLD bool amp_priv_loop_only_adds(const amp_priv_loop *loop, long long variable)
{
    const amp_priv_tree_node *const body = amp_priv_loop_node(loop, amp_priv_loop_node(loop, loop->n)->d);
    for (int i = body->first; i <= body->last; i++) {
        const amp_priv_tree_node *const name = amp_priv_loop_node(loop, i), *const by =
                                                                                amp_priv_loop_node(loop, name->parent);
        if (name->kind == AMP_PRIV_TREE_NAME && name->value == variable &&
            (by->kind != AMP_PRIV_TREE_ASSIGN || by->a != i || !amp_priv_listed(" += -= ", by->token)))
            return false;
    }
    return true;
}

/* Notes the variable that a node of the body changes, if it has a floating point and is declared before the loop. */
AMP_PRIV_COLD void amp_priv_loop_assigns(amp_priv_loop *loop, const amp_priv_tree_node *node)
{
    const amp_priv_tree_node *const name = amp_priv_loop_node(loop, node->a);
    const amp_priv_number_type type = amp_priv_tree_number_type(name);
    if (name->kind != AMP_PRIV_TREE_NAME || !name->value || amp_priv_number_is_integer(type) ||
        type == AMP_PRIV_NUMBER_OTHER || loop->tree->declared[name->value] >= amp_priv_loop_node(loop, loop->n)->first)
        return;
    if (!AMP_PRIV_REORDERS || !amp_priv_loop_only_adds(loop, name->value))
        loop->changed = name->token;
    else if (!loop->sums.text || !amp_priv_uses(loop->sums.text, name->token)) {
        amp_priv_adds(&loop->sums, loop->sums.length ? ", " : "");
        amp_priv_add(&loop->sums, name->token.at, name->token.length);
    }
}

/* Reads the body. False where nothing is to be said of it: another loop is inside, or it may be left early. */
AMP_PRIV_COLD bool amp_priv_loop_read(amp_priv_loop *loop)
{
    const amp_priv_tree_node *const body = amp_priv_loop_node(loop, amp_priv_loop_node(loop, loop->n)->d);
    for (int i = body->first; i <= body->last; i++) {
        const amp_priv_tree_node *const node = amp_priv_loop_node(loop, i);
        if (node->kind == AMP_PRIV_TREE_LOOP ||
            (node->kind == AMP_PRIV_TREE_JUMP && !amp_priv_token_is(node->token, "continue")))
            return false;
        if (node->kind == AMP_PRIV_TREE_ASSIGN || node->kind == AMP_PRIV_TREE_STEP)
            amp_priv_loop_assigns(loop, node);
    }
    return true;
}

/* Where the loop declares its variable; 0: it does not. */
AMP_PRIV_COLD int amp_priv_loop_begin(const amp_priv_loop *loop)
{
    const int first = amp_priv_loop_node(loop, amp_priv_loop_node(loop, loop->n)->a)->a;
    return amp_priv_loop_node(loop, first)->kind == AMP_PRIV_TREE_DECLARE ? first : 0;
}

/* The number that a limit is; -1 where it is none that can be known here. */
AMP_PRIV_COLD long long amp_priv_loop_number(const amp_priv_loop *loop, int n)
{
    while (amp_priv_loop_node(loop, n)->kind == AMP_PRIV_TREE_CAST)
        n = amp_priv_loop_node(loop, n)->a;
    const amp_priv_tree_node *const node = amp_priv_loop_node(loop, n);
    const amp_priv_capture *const c =
        node->meaning == AMP_PRIV_MEANS_CAPTURE ? &loop->tree->site->captures[node->of] : NULL;
    if (amp_priv_tree_is_integer(node))
        return node->value;
    return c && c->kind == AMP_PRIV_CAPTURE_CONSTANT ? c->value : -1;
}

/* The same, which may be negative. False: it is not known. */
AMP_PRIV_COLD bool amp_priv_loop_constant(const amp_priv_loop *loop, int n, long long *value)
{
    const amp_priv_tree_node *const node = amp_priv_loop_node(loop, n);
    const bool negative = node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, "-");
    const long long size = amp_priv_loop_number(loop, negative ? node->a : n);
    *value = negative ? -size : size;
    return size >= 0;
}

/* In `for (int k = 0; k < 16; k++)`: 16; -1 where it is no constant. */
AMP_PRIV_COLD long long amp_priv_loop_turns(const amp_priv_loop *loop)
{
    const amp_priv_tree_node *const begin = amp_priv_loop_node(loop, amp_priv_loop_begin(loop)),
                                    *const limit = amp_priv_loop_node(loop, amp_priv_loop_node(loop, loop->n)->b);
    long long first, end;
    if (!begin->a || begin->next || limit->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" < <= ", limit->token) ||
        !amp_priv_loop_constant(loop, begin->a, &first) || !amp_priv_loop_constant(loop, limit->b, &end))
        return -1;
    end += limit->token.length > 1;
    return end < first ? -1 : end - first;
}

/* Has the loop the same count in all threads: does its head use only captures and its own variable? */
AMP_PRIV_COLD bool amp_priv_loop_is_uniform(const amp_priv_loop *loop)
{
    const amp_priv_tree_node *const node = amp_priv_loop_node(loop, loop->n);
    const int begin = amp_priv_loop_begin(loop), parts[] = { node->a, node->b, node->c };
    const long long own = begin ? amp_priv_loop_node(loop, amp_priv_loop_node(loop, begin)->d)->value : 0;
    for (int p = 0; p < 3; p++)
        for (int i = amp_priv_loop_node(loop, parts[p])->first; i && i <= amp_priv_loop_node(loop, parts[p])->last;
             i++) {
            const amp_priv_tree_node *const name = amp_priv_loop_node(loop, i);
            if (name->kind == AMP_PRIV_TREE_NAME && name->meaning != AMP_PRIV_MEANS_CAPTURE &&
                (!name->value || name->value != own))
                return false;
        }
    return true;
}

/* Is it a `for` of the kernel's own? */
AMP_PRIV_COLD bool amp_priv_loop_is_own(const amp_priv_loop *loop)
{
    return amp_priv_token_is(amp_priv_loop_node(loop, loop->n)->token, "for") &&
           !amp_priv_token_begins(amp_priv_loop_node(loop, amp_priv_loop_begin(loop))->token, "amp_priv_") &&
           !amp_priv_tree_is_phase(loop->tree, loop->n);
}

/* Is it a row of a window, as in `for (int dy = -r; ...) for (int dx = -r; ...)`? Such loops are short. */
AMP_PRIV_COLD bool amp_priv_loop_is_window(const amp_priv_loop *loop)
{
    const amp_priv_tree_node *const first =
        amp_priv_loop_node(loop, amp_priv_loop_node(loop, amp_priv_loop_begin(loop))->a);
    amp_priv_loop around = { .tree = loop->tree, .n = amp_priv_loop_node(loop, loop->n)->parent };
    while (around.n &&
           (amp_priv_loop_node(loop, around.n)->kind != AMP_PRIV_TREE_LOOP || !amp_priv_loop_is_own(&around)))
        around.n = amp_priv_loop_node(loop, around.n)->parent;
    return around.n && first->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(first->token, "-");
}

/* // >>note */

#if defined(__clang__) || defined(_OPENMP)
#define AMP_PRIV_SUMS_FLAG ""
#else
#define AMP_PRIV_SUMS_FLAG " and compile with -fopenmp"
#endif
#if defined(AMP_CHECKED)
enum { AMP_PRIV_LOOP_NOTES = AMP_PRIV_LOG_WARNING };
#else
enum { AMP_PRIV_LOOP_NOTES = AMP_PRIV_LOG_INFO };
#endif

/* The note about a loop whose iterations change `changed`, or add to `sums`. */
AMP_PRIV_COLD void amp_priv_loop_report(const amp_priv_loop *loop, amp_priv_string *out)
{
    const int length = (int)loop->changed.length;
    if (length && amp_priv_loop_is_uniform(loop))
        amp_priv_addf(
            out,
            "a loop in each thread changes '%.*s' from turn to turn, so that the CPU backend makes no vectors: "
            "take AMP_TILED, with the loop around AMP_THREADS and '%.*s' as AMP_PRIVATE",
            length, loop->changed.at, length, loop->changed.at);
    else if (!length && loop->sums.length && !amp_priv_loop_is_window(loop))
        amp_priv_addf(
            out,
            "a loop in each thread adds to '%s' in order, so that the CPU backend makes no vectors: if the last "
            "bits of a sum may differ, write AMP_ANY_ORDER(%s) before the loop" AMP_PRIV_SUMS_FLAG
            "; else take AMP_TILED, with the loop around AMP_THREADS and the sum as AMP_PRIVATE",
            loop->sums.text, loop->sums.text);
}

/* The same of a loop with a constant number of turns. clang makes vectors of the threads where it writes the loop out
   as its turns; gcc, too, and around a loop in a phase. */
AMP_PRIV_COLD void amp_priv_loop_report_turns(const amp_priv_loop *loop, long long turns, amp_priv_string *out)
{
    (void)loop;
#if defined(__clang__)
    if (turns > AMP_PRIV_LONG_LOOP)
        amp_priv_addf(out,
                      "a loop of %lld turns in each thread keeps clang from making vectors of the threads on the CPU "
                      "backend: write AMP_UNROLL before the loop",
                      turns);
#else
    if (turns > AMP_PRIV_LONG_LOOP && !loop->tree->site->tiled)
        amp_priv_loop_report(loop, out);
#endif
}

/* The same of any loop of a thread. */
AMP_PRIV_COLD void amp_priv_loop_judge(amp_priv_loop *loop, amp_priv_string *out)
{
    if (amp_priv_loop_read(loop)) {
        const long long turns = amp_priv_loop_turns(loop);
        if (turns < 0)
            amp_priv_loop_report(loop, out);
        else
            amp_priv_loop_report_turns(loop, turns, out);
    }
    free(loop->sums.text);
}

/* What is to be said of a kernel's loops: of the first that there is something to say of. Before one with a pragma,
   AMP_ANY_ORDER or AMP_UNROLL, there is nothing. */
AMP_PRIV_COLD void amp_priv_loops_judge(const amp_priv_kernel_tree *body, amp_priv_string *out)
{
    const amp_priv_tree *const tree = &body->tree;
    int phase_ends = 0;
    for (int n = 1; n < tree->count && body->good && !out->length; n++) {
        amp_priv_loop loop = { .tree = tree, .n = n };
        if (tree->node[n].kind != AMP_PRIV_TREE_LOOP)
            continue;
        if (amp_priv_tree_is_phase(tree, n))
            phase_ends = tree->node[n].last;
        if ((!tree->site->tiled || n < phase_ends) && !tree->node[n].of && amp_priv_loop_is_own(&loop))
            amp_priv_loop_judge(&loop, out);
    }
}

/* The library's own kernels have names that it keeps for itself. */
AMP_PRIV_COLD void amp_priv_note_loops(amp_priv_launch_site *site, void *const *captured)
{
    if (amp_priv_log_level() < AMP_PRIV_LOOP_NOTES || strstr(site->index, "amp_priv_") ||
        !strncmp(site->function, "amp_priv_", strlen("amp_priv_")) ||
        !amp_priv_site_reports(site, AMP_PRIV_REPORTED_LOOPS))
        return;
    amp_priv_string out = { NULL, 0, 0, false };
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    amp_priv_columns_judge(body, &out); /* first: sums in any order would not help */
    if (!out.length)
        amp_priv_loops_judge(body, &out);
    amp_priv_site_tree_release(body);
    if (out.length && !out.failed)
        amp_priv_log(AMP_PRIV_LOOP_NOTES, "kernel in %s, at or near %s:%d: %s", site->function, site->file, site->line,
                     out.text);
    free(out.text);
}

#endif /* AMP_VALIDATE_LOOP_NOTES_H */
