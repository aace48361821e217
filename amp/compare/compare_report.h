/* SPDX-License-Identifier: MIT */
/*  amp/compare/compare_report.h - AMP_COMPARE: the results of each launch site, the reports, the table at exit

    Contents (search for the tag):
        >>site  >>order  >>difference  >>table */
#ifndef AMP_COMPARE_COMPARE_REPORT_H
#define AMP_COMPARE_COMPARE_REPORT_H

#include "../checked/bounds.h"
#include "../codegen/tree_use.h"
#include "compare_values.h"

/* // >>site */

/* A launch site whose launches are compared: a line of the table. */
typedef struct amp_priv_compare_site {
    struct amp_priv_compare_site *next;
    const amp_priv_launch_site *site;
    uint64_t launches, compared, differing; /* launches: all of the site, with those that are not compared */
    uint64_t on_cpu;                        /* where there is nothing to compare with the CPU */
    double largest_ulps, largest_apart;
    uint64_t bytes, time;         /* the most that one took; of all together */
    bool uses_order, adds_floats; /* what its body does with atomics */
    bool has_other_steps;         /* a kernel of an algorithm, whose steps on the CPU may be others */
    bool is_inexact;              /* its body calls functions whose last bits differ from device to device */
    uint64_t excused;             /* numbers that the absolute limit alone excuses */
    uint64_t rounded;             /* integers that differ, few of many, where it does */
    bool reported;
    char reason[200]; /* why the last that was not compared was not */
} amp_priv_compare_site;

typedef struct amp_priv_compare_state {
    amp_priv_mutex lock;
    bool is_ready, is_cpu, is_self; /* the target: the CPU backend, the same device, else `target` */
    amp_priv_device *target;
    char functions[128]; /* a pattern; empty: all */
    unsigned long process;
    amp_priv_compare_site *sites;
    atomic_ullong bytes; /* in use */
} amp_priv_compare_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_compare_state, amp_priv_comparisons, mutex(lock))

/* Does the text match the pattern, where * stands for any characters? */
AMP_PRIV_COLD bool amp_priv_compare_matches(const char *pattern, const char *text)
{
    for (; *pattern && *pattern != '*'; pattern++, text++)
        if (*pattern != *text)
            return false;
    if (!*pattern)
        return !*text;
    do
        if (amp_priv_compare_matches(pattern + 1, text))
            return true;
    while (*text++);
    return false;
}

/* // >>order: atomics whose results depend on the order of threads. */

enum { AMP_PRIV_ORDER_DEPTH = 8 };

/* Notes a call of an atomic operation. */
AMP_PRIV_COLD void amp_priv_order_note(amp_priv_compare_site *record, const amp_priv_tree *tree, int call,
                                       amp_priv_token name)
{
    if (amp_priv_token_begins(name, "amp_priv_atomic_load") || amp_priv_token_begins(name, "amp_priv_atomic_store"))
        return;
    record->uses_order = record->uses_order || amp_priv_token_begins(name, "amp_priv_atomic_exchange") ||
                         amp_priv_token_begins(name, "amp_priv_atomic_compare_exchange") ||
                         amp_priv_tree_is_used(tree, call);
    record->adds_floats = record->adds_floats || amp_priv_token_begins(name, "amp_priv_atomic_fetch_add") ||
                          amp_priv_token_begins(name, "amp_priv_atomic_fetch_sub");
}

/* Is it the name of a function that devices compute with an error, for float or double? */
AMP_PRIV_COLD bool amp_priv_is_inexact(amp_priv_token name)
{
    static const char *const inexact[] = { "exp",   "exp2", "exp10", "expm1", "log",   "log2",  "log10",  "log1p",
                                           "pow",   "sin",  "cos",   "tan",   "asin",  "acos",  "atan",   "atan2",
                                           "sinh",  "cosh", "tanh",  "asinh", "acosh", "atanh", "cbrt",   "hypot",
                                           "rsqrt", "erf",  "erfc",  "sinpi", "cospi", "tanpi", "tgamma", "lgamma" };
    if (amp_priv_token_begins(name, "amp_fast_"))
        return true;
    for (size_t i = 0; i < sizeof inexact / sizeof inexact[0]; i++) {
        const size_t length = strlen(inexact[i]);
        if (name.length >= length && !memcmp(name.at, inexact[i], length) &&
            (name.length == length || (name.length == length + 1 && name.at[length] == 'f')))
            return true;
    }
    return false;
}

/* Looks for them, and for inexact functions, in a body or a function, and in the functions that it calls. Where it is
   not known what becomes of an atomic's result, it may be used. */
AMP_PRIV_COLD void amp_priv_order_look(amp_priv_compare_site *record, const amp_priv_kernel_tree *body,
                                       const amp_priv_kernel_tree *part, int depth)
{
    const amp_priv_tree *const tree = &part->tree;
    for (size_t i = 0; i < tree->tokens.count && !part->good; i++)
        record->uses_order =
            record->uses_order || amp_priv_token_begins(tree->tokens.token[i].token, "amp_priv_atomic_");
    for (int n = 1; n < tree->count && part->good; n++) {
        const amp_priv_tree_node *const name = &tree->node[tree->node[n].a];
        if (tree->node[n].kind != AMP_PRIV_TREE_CALL || name->kind != AMP_PRIV_TREE_NAME || name->value)
            continue;
        if (amp_priv_token_begins(name->token, "amp_priv_atomic_"))
            amp_priv_order_note(record, tree, n, name->token);
        record->is_inexact = record->is_inexact || amp_priv_is_inexact(name->token);
        const amp_priv_kernel_tree *const function = amp_priv_called_tree(body, tree, n);
        if (function && depth < AMP_PRIV_ORDER_DEPTH)
            amp_priv_order_look(record, body, function, depth + 1);
    }
}

/* The record of a site, made at its first launch; NULL when there is no memory for it. The lock is held. */
AMP_PRIV_COLD amp_priv_compare_site *amp_priv_compare_site_of(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_compare_site *record = amp_priv_comparisons.sites;
    while (record && record->site != site)
        record = record->next;
    if (record)
        return record;
    record = calloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->site = site;
    record->next = amp_priv_comparisons.sites;
    amp_priv_comparisons.sites = record;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    amp_priv_order_look(record, body, body, 0);
    amp_priv_site_tree_release(body);
    return record;
}

/* // >>difference */

/* The index of element `number` in row-major order. */
AMP_PRIV_COLD void amp_priv_compare_index(int *index, size_t number, const int *extent, int rank)
{
    for (int d = rank - 1; d >= 0; d--) {
        index[d] = (int)(number % (size_t)extent[d]);
        number /= (size_t)extent[d];
    }
}

/* "out(3, 5)", "p(7).x". */
AMP_PRIV_COLD const char *amp_priv_compare_element(char *text, size_t size, const char *name, int rank,
                                                   const int *index, const amp_priv_field *field)
{
    char list[128];
    snprintf(text, size, "%s%s%s%.*s", name, amp_priv_list(list, sizeof list, index, rank),
             field->name.length ? "." : "", (int)field->name.length, field->name.length ? field->name.at : "");
    return text;
}

/* A list of indexes as AMP_BREAK_AT takes it: "3,5". */
AMP_PRIV_COLD const char *amp_priv_compare_numbers(char *text, size_t size, const int *index, int rank)
{
    size_t used = 0;
    for (int d = 0; d < rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", d ? "," : "", index[d]);
    return text;
}

/* Why a launch is not compared: once for each site. */
AMP_PRIV_COLD void amp_priv_compare_refuse(amp_priv_compare_site *record, const char *reason)
{
    amp_priv_lock(&amp_priv_comparisons.lock);
    const bool is_new = strcmp(record->reason, reason) != 0;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    amp_priv_unlock(&amp_priv_comparisons.lock);
    if (is_new && !amp_priv_compare.for_break)
        fprintf(stderr, "amp: AMP_COMPARE: kernel in %s, at or near %s:%d, is not compared: %s\n",
                record->site->function, record->site->file, record->site->line, reason);
}

/* // >>table */

AMP_PRIV_COLD void amp_priv_compare_print(void)
{
    if (amp_priv_comparisons.process != amp_priv_process_number() || amp_priv_compare.for_break)
        return;
    fflush(stdout);
    fprintf(stderr,
            "amp: AMP_COMPARE=%s\n"
            "  launches  compared    differ   largest ulps     difference    MiB  seconds  kernel\n",
            amp_priv_compare.wanted);
    uint64_t compared = 0, differing = 0, on_cpu = 0, excused = 0;
    for (const amp_priv_compare_site *r = amp_priv_comparisons.sites; r; r = r->next) {
        const bool may_differ = (r->uses_order || r->has_other_steps) && r->differing;
        compared += r->compared;
        on_cpu += r->on_cpu;
        excused += r->excused;
        if (r->launches == r->on_cpu)
            continue;
        differing += may_differ ? 0 : r->differing;
        char rounded[100] = "";
        if (r->rounded)
            snprintf(rounded, sizeof rounded, ", %" PRIu64 " integers rounded otherwise after inexact functions",
                     r->rounded);
        fprintf(stderr, "%10" PRIu64 "%10" PRIu64 "%10" PRIu64 "%15.4g%15.4g%7.0f%9.3f  %s (%s:%d)%s%s%s%s%s\n",
                r->launches, r->compared, r->differing, r->largest_ulps, r->largest_apart, (double)r->bytes / (1 << 20),
                (double)r->time / 1e9, r->site->function, r->site->file, r->site->line,
                !may_differ     ? ""
                : r->uses_order ? ", depends on the order of atomics"
                                : ", an algorithm: its steps on the CPU may be others",
                r->adds_floats ? ", atomic additions" : "", rounded, r->reason[0] ? ", not compared: " : "", r->reason);
    }
    fprintf(stderr, "amp: AMP_COMPARE: %" PRIu64 " launches compared, %" PRIu64 " differ", compared, differing);
    if (excused)
        fprintf(stderr, "; %" PRIu64 " numbers are beyond AMP_COMPARE_ULPS, but below AMP_COMPARE_ABSOLUTE", excused);
    if (on_cpu)
        fprintf(stderr, "; %" PRIu64 " ran on the CPU backend, and are not compared with it", on_cpu);
    fputc('\n', stderr);
}

#endif /* AMP_COMPARE_COMPARE_REPORT_H */
