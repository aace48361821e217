/* SPDX-License-Identifier: MIT */
/*  amp/codegen/loop_notes.h - reports loops that the CPU backend cannot vectorise, once for each kernel

    Compilers vectorise across threads if no loop is left in a thread, and across the iterations of a loop if these do
    not depend on each other. So the note is about innermost loops that change a floating-point variable from iteration
    to iteration, and about long loops with a constant count, which clang does not unroll.

    Contents (search for the tag):
        >>loop  >>note */
#ifndef AMP_CODEGEN_LOOP_NOTES_H
#define AMP_CODEGEN_LOOP_NOTES_H

#include "tokens.h"

/* // >>loop: `for (head; limit; step)` of a thread, and what it changes of the variables around it. */

/* Loops up to this count are unrolled by the compiler; and does AMP_ANY_ORDER have an effect (amp/api/dialect.h)? */
#if defined(__clang__)
enum { AMP_PRIV_LONG_LOOP = 32, AMP_PRIV_REORDERS = 1 };
#else
enum { AMP_PRIV_LONG_LOOP = 15, AMP_PRIV_REORDERS = __GNUC__ >= 12 };
#endif

typedef struct amp_priv_loop {
    const amp_priv_launch_site *site;
    amp_priv_cursor text, start, head, body, end; /* text: where it begins; head: its "(" */
    amp_priv_string sums;   /* the names of floating-point variables that it only adds to: "x, y" */
    amp_priv_token changed; /* one that it changes otherwise */
    bool is_nested;         /* in another loop of the thread */
} amp_priv_loop;

/* Is it a floating-point variable that is declared before the loop? */
AMP_PRIV_COLD bool amp_priv_loop_carries(const amp_priv_loop *loop, amp_priv_token name)
{
    bool declares = false, is_next = false, carries = false;
    for (amp_priv_cursor t = loop->text; t < loop->start; t++) {
        const bool is_type = amp_priv_is(t, "float") || amp_priv_is(t, "double");
        carries = carries || (is_next && amp_priv_token_is_word(t->token, name));
        declares = is_type || (declares && !amp_priv_is(t, ";"));
        is_next = is_type || (declares && amp_priv_is(t, ","));
        if (declares && amp_priv_is(t, "("))
            t = amp_priv_closing(t);
    }
    return carries;
}

/* Is all that the loop does with it to add to it? */
AMP_PRIV_COLD bool amp_priv_loop_only_adds(const amp_priv_loop *loop, amp_priv_token name)
{
    for (amp_priv_cursor t = loop->body; t < loop->end; t++)
        if (amp_priv_token_is_word(t->token, name) && !(amp_priv_is_mark(t + 1, "+-") && t[1].token.at[1] == '='))
            return false;
    return true;
}

/* Notes the variable at t, if the loop changes it there. */
AMP_PRIV_COLD void amp_priv_loop_assigns(amp_priv_loop *loop, amp_priv_cursor t)
{
    const amp_priv_token name = t->token;
    if (!amp_priv_tokens_operator(t[1].token.at) || !amp_priv_loop_carries(loop, name))
        return;
    if (!AMP_PRIV_REORDERS || !amp_priv_loop_only_adds(loop, name))
        loop->changed = name;
    else if (!loop->sums.text || !amp_priv_uses(loop->sums.text, name)) {
        amp_priv_adds(&loop->sums, loop->sums.length ? ", " : "");
        amp_priv_add(&loop->sums, name.at, name.length);
    }
}

/* Reads the body. False where nothing is to be said of it: another loop is inside, or it may be left early. */
AMP_PRIV_COLD bool amp_priv_loop_read(amp_priv_loop *loop)
{
    static const char *const others[] = { "for", "while", "do", "break", "goto", "return" };
    for (amp_priv_cursor t = loop->body; t < loop->end; t++) {
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (amp_priv_is(t, others[i]))
                return false;
        if (amp_priv_is_word(t) && !amp_priv_token_selects(t[-1].token) && !amp_priv_is(t - 1, "*"))
            amp_priv_loop_assigns(loop, t);
    }
    return true;
}

/* The number that a limit is; -1 where it is none that can be known here. */
AMP_PRIV_COLD long long amp_priv_loop_number(const amp_priv_launch_site *site, amp_priv_cursor t)
{
    if (t->token.kind == AMP_PRIV_TOKEN_NUMBER)
        return strtoll(t->token.at, NULL, 0);
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_CONSTANT && amp_priv_is(t, site->captures[i].name))
            return site->captures[i].value;
    return -1;
}

/* The constant between `t` and the next semicolon, as in `= -2;`. False: there is none. */
AMP_PRIV_COLD bool amp_priv_loop_constant(const amp_priv_launch_site *site, amp_priv_cursor t, long long *value)
{
    const bool negative = amp_priv_is(t + 1, "-");
    const amp_priv_cursor number = t + 1 + negative;
    const long long size = amp_priv_is(number + 1, ";") ? amp_priv_loop_number(site, number) : -1;
    *value = negative ? -size : size;
    return size >= 0;
}

/* In `for (int k = 0; k < 16; k++)`: 16; -1 where it is no constant. */
AMP_PRIV_COLD long long amp_priv_loop_turns(const amp_priv_loop *loop)
{
    long long first, end;
    amp_priv_cursor t = loop->head;
    while (t < loop->body && !amp_priv_is(t, "="))
        t++;
    if (t == loop->body || !amp_priv_loop_constant(loop->site, t, &first))
        return -1;
    while (t < loop->body && *t->token.at != '<')
        t++;
    const bool inclusive = t->token.at[1] == '='; /* a token of its own */
    if (t == loop->body || !amp_priv_loop_constant(loop->site, t + inclusive, &end))
        return -1;
    end += inclusive;
    return end < first ? -1 : end - first;
}

/* Has the loop the same count in all threads: does its head use only captures and its own variable? */
AMP_PRIV_COLD bool amp_priv_loop_is_uniform(const amp_priv_loop *loop)
{
    const amp_priv_cursor own = loop->head + 2;
    for (amp_priv_cursor t = own; t < loop->body; t++) {
        bool known =
            !amp_priv_is_word(t) || amp_priv_token_selects(t[-1].token) || amp_priv_token_is_word(t->token, own->token);
        for (int i = 0; i < loop->site->capture_count && !known; i++)
            known = amp_priv_is(t, loop->site->captures[i].name);
        if (!known)
            return false;
    }
    return true;
}

/* Is it a row of a window, as in `for (int dy = -r; ...) for (int dx = -r; ...)`? Such loops are short. */
AMP_PRIV_COLD bool amp_priv_loop_is_window(const amp_priv_loop *loop)
{
    amp_priv_cursor t = loop->head;
    while (t < loop->body && !amp_priv_is(t, "="))
        t++;
    return loop->is_nested && t < loop->body && amp_priv_is(t + 1, "-");
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
    if (turns > AMP_PRIV_LONG_LOOP && !loop->site->tiled)
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

/* What is to be said of a kernel's loops: of the first that there is something to say of. */
AMP_PRIV_COLD void amp_priv_loops_judge(const amp_priv_launch_site *site, amp_priv_string *out)
{
    amp_priv_token_list text = { .token = NULL };
    amp_priv_tokens_read(&text, site->text);
    const amp_priv_cursor end = text.token + text.count;
    amp_priv_cursor thread_ends = site->tiled ? text.token : end, marked = NULL, around = text.token;
    for (amp_priv_cursor t = text.token; t < end && !out->length && !text.failed; t++) {
        if (amp_priv_is(t, "_Pragma")) { /* AMP_ANY_ORDER, AMP_UNROLL: the loop behind it is as it should be */
            t = amp_priv_closing(t + 1);
            marked = t + 1;
        } else if (amp_priv_is(t, "for") && amp_priv_is(t + 3, "amp_priv_x")) {
            thread_ends = amp_priv_statement_end(t);
        } else if (amp_priv_is(t, "for") && t < thread_ends && t != marked &&
                   !amp_priv_token_begins(t[3].token, "amp_priv_")) {
            amp_priv_loop loop = { .site = site,
                                   .text = text.token,
                                   .start = t,
                                   .head = t + 1,
                                   .body = amp_priv_closing(t + 1) + 1,
                                   .end = amp_priv_statement_end(t),
                                   .is_nested = t < around };
            amp_priv_loop_judge(&loop, out);
            around = loop.end > around ? loop.end : around;
        }
    }
    amp_priv_tokens_free(&text);
}

/* The library's own kernels have names that it keeps for itself. */
AMP_PRIV_COLD void amp_priv_note_loops(amp_priv_launch_site *site)
{
    if (amp_priv_log_level() < AMP_PRIV_LOOP_NOTES || strstr(site->index, "amp_priv_") ||
        !strncmp(site->function, "amp_priv_", strlen("amp_priv_")) || !amp_priv_site_says(site, AMP_PRIV_SAID_LOOPS))
        return;
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_loops_judge(site, &out);
    if (out.length && !out.failed)
        amp_priv_log(AMP_PRIV_LOOP_NOTES, "kernel in %s, at or near %s:%d: %s", site->function, site->file, site->line,
                     out.text);
    free(out.text);
}

#endif /* AMP_CODEGEN_LOOP_NOTES_H */
