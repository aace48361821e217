/* SPDX-License-Identifier: MIT */
/*  amp/checked/doubts.h - checked builds: what C permits in a kernel, and is rarely meant

    It warns of == between numbers that are rounded, of OpenMP's threads, of a case that continues in the next one, of
    x =-1, of what a macro without parentheses leaves, and of operands that C takes in another order or cuts. None of
    them needs the extent or the views. */
#ifndef AMP_CHECKED_DOUBTS_H
#define AMP_CHECKED_DOUBTS_H

#include "../validate/races.h"
#include "numbers.h"
#include "portability.h"

#if defined(AMP_CHECKED)

/* // >>rounded */

/* Is n a constant with a fraction that no floating-point number has, 0.1? */
AMP_PRIV_COLD bool amp_priv_doubt_is_rounded_constant(const amp_priv_tree *tree, int n)
{
    double value = 0;
    if (!amp_priv_tree_value_of(tree, n, &value) ||
        amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[n])))
        return false;
    const double scaled = ldexp(value, 20); /* what has more bits is none that one compares with */
    return floor(scaled) != scaled;
}

/* Is a variable of the body changed by such a constant, t += 0.1f? */
AMP_PRIV_COLD bool amp_priv_doubt_steps(const amp_priv_tree *tree, long long variable)
{
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n], *const name = &tree->node[node->a];
        if (node->kind == AMP_PRIV_TREE_ASSIGN && amp_priv_listed(" += -= *= /= ", node->token) &&
            name->kind == AMP_PRIV_TREE_NAME && name->value == variable &&
            amp_priv_doubt_is_rounded_constant(tree, node->b))
            return true;
    }
    return false;
}

/* Is the value at n rounded: a sum, product or quotient with such a constant, or a sine? */
AMP_PRIV_COLD bool amp_priv_doubt_is_rounded(const amp_priv_tree *tree, int n, int depth)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    const amp_priv_number_type type = amp_priv_tree_number_type(node);
    const int from = node->kind == AMP_PRIV_TREE_NAME && node->value ? amp_priv_race_declaration(tree, node->value) : 0;
    if (depth > AMP_PRIV_RACE_DEPTH || (type != AMP_PRIV_NUMBER_FLOAT && type != AMP_PRIV_NUMBER_DOUBLE))
        return false;
    if (from)
        return amp_priv_doubt_is_rounded(tree, tree->node[from].a, depth + 1);
    if (node->kind == AMP_PRIV_TREE_NAME)
        return node->value && amp_priv_doubt_steps(tree, node->value);
    if (node->kind == AMP_PRIV_TREE_CALL)
        return amp_priv_listed(" sin sinf cos cosf tan tanf exp expf log logf pow powf ", tree->node[node->a].token);
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" + - * / ", node->token))
        return node->kind == AMP_PRIV_TREE_UNARY && amp_priv_doubt_is_rounded(tree, node->a, depth + 1);
    return amp_priv_doubt_is_rounded_constant(tree, node->a) || amp_priv_doubt_is_rounded_constant(tree, node->b) ||
           amp_priv_doubt_is_rounded(tree, node->a, depth + 1) || amp_priv_doubt_is_rounded(tree, node->b, depth + 1);
}

/* Does n compare a rounded number with another constant than 0? */
AMP_PRIV_COLD bool amp_priv_doubt_equals(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const a = &tree->node[node->a],
                                    *const b = &tree->node[node->b];
    const bool first = a->kind == AMP_PRIV_TREE_NUMBER, second = b->kind == AMP_PRIV_TREE_NUMBER;
    if (node->kind != AMP_PRIV_TREE_BINARY || !amp_priv_listed(" == != ", node->token) || first == second)
        return false;
    const amp_priv_tree_node *const constant = first ? a : b;
    char digit = '0';
    for (unsigned i = 0; i < constant->token.length && strchr("0.", digit); i++)
        digit = constant->token.at[i];
    return digit >= '1' && digit <= '9' && amp_priv_doubt_is_rounded(tree, first ? node->b : node->a, 0);
}

/* Does a loop run until such a number differs from nothing: t != 1? */
AMP_PRIV_COLD bool amp_priv_doubt_ends_loop(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const loop = &tree->node[tree->node[n].parent];
    return loop->kind == AMP_PRIV_TREE_LOOP && loop->b == n && amp_priv_token_is(tree->node[n].token, "!=");
}

/* // >>cases */

/* Does control never come behind the statement? */
AMP_PRIV_COLD bool amp_priv_doubt_leaves(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *node = &tree->node[n];
    while (n && node->kind == AMP_PRIV_TREE_BLOCK && node->a) {
        for (n = node->a; tree->node[n].next;)
            n = tree->node[n].next;
        node = &tree->node[n];
    }
    if (node->kind == AMP_PRIV_TREE_IF) /* of the parser: as deep as its limit */
        return node->b && node->c && amp_priv_doubt_leaves(tree, node->b) && amp_priv_doubt_leaves(tree, node->c);
    return node->kind == AMP_PRIV_TREE_JUMP || (node->kind == AMP_PRIV_TREE_LOOP && !node->b);
}

/* Stands __attribute__((fallthrough)) before the label? */
AMP_PRIV_COLD bool amp_priv_doubt_is_meant(const char *label)
{
    int semicolons = 0;
    const char *from = label;
    while (from[-1] && !strchr("{}", from[-1]) && (semicolons += from[-1] == ';') < 2)
        from--;
    const char *const word = strstr(from, "fallthrough");
    return word && word < label;
}

/* Does a statement of a case write, and continue in the next case? Returns that case's label; 0: it does not. */
AMP_PRIV_COLD int amp_priv_doubt_falls(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node;
    if (node[n].kind != AMP_PRIV_TREE_SWITCH || node[node[n].b].kind != AMP_PRIV_TREE_BLOCK)
        return 0;
    bool writes = false, leaves = true;
    for (int i = node[node[n].b].a; i; i = node[i].next) {
        if (node[i].kind == AMP_PRIV_TREE_LABEL && writes && !leaves && !amp_priv_doubt_is_meant(node[i].token.at))
            return i;
        writes = node[i].kind != AMP_PRIV_TREE_LABEL && (writes || amp_priv_tree_has(tree, i, AMP_PRIV_TREE_ASSIGN) ||
                                                         amp_priv_tree_has(tree, i, AMP_PRIV_TREE_STEP));
        leaves = amp_priv_doubt_leaves(tree, i);
    }
    return 0;
}

/* // >>spelling */

/* Is n x =-1, with a space before the =, and none behind it? */
AMP_PRIV_COLD bool amp_priv_doubt_is_exchanged(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const sign = &tree->node[node->b];
    return node->kind == AMP_PRIV_TREE_ASSIGN && amp_priv_token_is(node->token, "=") && node->token.at[-1] == ' ' &&
           sign->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(sign->token, "-") &&
           sign->token.at == node->token.at + 1;
}

/* Is n what a macro x * x without parentheses leaves of i + 1: i + 1 * i + 1? */
AMP_PRIV_COLD bool amp_priv_doubt_is_of_macro(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const last = &tree->node[n], *const sum = &tree->node[last->a],
                                    *const product = &tree->node[sum->b], *const one = &tree->node[last->b];
    return last->kind == AMP_PRIV_TREE_BINARY && sum->kind == AMP_PRIV_TREE_BINARY &&
           product->kind == AMP_PRIV_TREE_BINARY && one->kind == AMP_PRIV_TREE_NUMBER &&
           amp_priv_listed(" + - ", last->token) && amp_priv_listed(" + - ", sum->token) &&
           *last->token.at == *sum->token.at && amp_priv_listed(" * / ", product->token) &&
           amp_priv_tree_same(tree, product->a, last->b) && amp_priv_tree_same(tree, product->b, sum->a);
}

/* // >>operands */

/* Is n i & 1 == 0, where == comes first, of two constants? */
AMP_PRIV_COLD bool amp_priv_doubt_is_mask(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const equals = &tree->node[node->b];
    return amp_priv_listed(" & | ^ ", node->token) && equals->kind == AMP_PRIV_TREE_BINARY &&
           amp_priv_listed(" == != ", equals->token) && tree->node[equals->a].kind == AMP_PRIV_TREE_NUMBER &&
           tree->node[equals->b].kind == AMP_PRIV_TREE_NUMBER;
}

/* Is n 0 < i < 10? */
AMP_PRIV_COLD bool amp_priv_doubt_is_chain(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const a = &tree->node[node->a];
    return amp_priv_listed(" < <= > >= ", node->token) && a->kind == AMP_PRIV_TREE_BINARY &&
           amp_priv_listed(" < <= > >= ", a->token);
}

AMP_PRIV_COLD bool amp_priv_doubt_is_real(const amp_priv_tree *tree, int n)
{
    const amp_priv_number_type type = amp_priv_tree_number_type(&tree->node[n]);
    return type == AMP_PRIV_NUMBER_HALF || type == AMP_PRIV_NUMBER_FLOAT || type == AMP_PRIV_NUMBER_DOUBLE;
}

/* Does n add a floating-point number to an integer, which loses a fraction each time? */
AMP_PRIV_COLD bool amp_priv_doubt_cuts_sum(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    return amp_priv_listed(" += -= ", node->token) && tree->node[node->b].kind != AMP_PRIV_TREE_NUMBER &&
           amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->a])) &&
           amp_priv_doubt_is_real(tree, node->b);
}

/* Is n a quotient of two integers that becomes a floating-point number at once, and not by a cast: i / 4 * 2.5f? */
AMP_PRIV_COLD bool amp_priv_doubt_is_quotient(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n];
    if (!amp_priv_token_is(node->token, "/") ||
        !amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->a])) ||
        !amp_priv_number_is_integer(amp_priv_tree_number_type(&tree->node[node->b])))
        return false;
    const amp_priv_tree_node *const p = &tree->node[node->parent];
    return p->kind == AMP_PRIV_TREE_DECLARE  ? p->a == n && !p->b && amp_priv_doubt_is_real(tree, node->parent)
           : p->kind == AMP_PRIV_TREE_ASSIGN ? p->b == n && amp_priv_doubt_is_real(tree, p->a)
           : p->kind == AMP_PRIV_TREE_BINARY
               ? amp_priv_listed(" + - * / ", p->token) && amp_priv_doubt_is_real(tree, node->parent)
               : false;
}

/* Does n call a function about the threads of OpenMP? *name: which. */
AMP_PRIV_COLD bool amp_priv_doubt_is_of_openmp(const amp_priv_tree *tree, int n, amp_priv_token *name)
{
    const amp_priv_token called = tree->node[tree->node[n].a].token;
    if (!amp_priv_listed(" omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_set_lock ", called))
        return false;
    *name = called;
    return true;
}

/* // >>find */

/* What is doubtful about the node of a body; NULL: nothing. */
AMP_PRIV_COLD const char *amp_priv_doubt_of(const amp_priv_tree *tree, int n, amp_priv_token *name)
{
    const char *what = NULL;
    *name = tree->node[n].token;
    switch (tree->node[n].kind) {
    case AMP_PRIV_TREE_BINARY:
        what = amp_priv_doubt_equals(tree, n)
                   ? (amp_priv_doubt_ends_loop(tree, n) ? AMP_PRIV_MSG_LOOP_ROUNDED : AMP_PRIV_MSG_EQUALS_ROUNDED)
               : amp_priv_doubt_is_of_macro(tree, n) ? AMP_PRIV_MSG_MACRO
               : amp_priv_doubt_is_mask(tree, n)     ? AMP_PRIV_MSG_MASK
               : amp_priv_doubt_is_chain(tree, n)    ? AMP_PRIV_MSG_CHAIN
               : amp_priv_doubt_is_quotient(tree, n) ? AMP_PRIV_MSG_CUT_QUOTIENT
                                                     : NULL;
        break;
    case AMP_PRIV_TREE_CALL: what = amp_priv_doubt_is_of_openmp(tree, n, name) ? AMP_PRIV_MSG_OPENMP : NULL; break;
    case AMP_PRIV_TREE_SWITCH: what = amp_priv_doubt_falls(tree, n) ? AMP_PRIV_MSG_FALLS : NULL; break;
    case AMP_PRIV_TREE_ASSIGN:
        what = amp_priv_doubt_is_exchanged(tree, n) ? AMP_PRIV_MSG_EXCHANGED
               : amp_priv_doubt_cuts_sum(tree, n)   ? AMP_PRIV_MSG_CUT_SUM
                                                    : NULL;
        break;
    default: break;
    }
    if (!what)
        what = amp_priv_number_mistake(tree, n, name);
    return what && amp_priv_tree_is_evaluated(tree, n) ? what : NULL;
}

/* The first doubt of a body or function; NULL: there is none. */
AMP_PRIV_COLD const char *amp_priv_doubt_in(const amp_priv_kernel_tree *body, amp_priv_token *name)
{
    const char *what = NULL;
    for (int n = 1; n < body->tree.count && body->good && !what; n++)
        what = amp_priv_doubt_of(&body->tree, n, name);
    return what;
}

/* The same of a launch: its body, and the functions that it calls. */
AMP_PRIV_COLD void amp_priv_warn_of_doubts(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site)
{
    amp_priv_string text = { .text = NULL };
    amp_priv_token name = { AMP_PRIV_TOKEN_END, 0, "" };
    if (site->unvalidated || amp_priv_site_is_algorithm(site))
        return;
    const char *what = amp_priv_doubt_in(body, &name);
    for (int i = 1; i < body->tree.count && body->good && !what; i++) {
        const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, &body->tree, i);
        what = function ? amp_priv_doubt_in(function, &name) : NULL;
    }
    if (!what)
        return;
    amp_priv_add_sentence(&text, what, name);
    if (!text.failed)
        amp_priv_portability_warn(site, "%s", text.text);
    free(text.text);
}

#endif

#endif /* AMP_CHECKED_DOUBTS_H */
