// SPDX-License-Identifier: MIT
/*  statement.c - statements of a thread, and the functions and tables that kernels use. */
#include "fuzz.h"

/* ---- declarations --------------------------------------------------------------------------------------- */

static void declare_scalar(generator *g, int depth)
{
    const type t = any_type(g);
    const char *const v = fitted(g, t, depth), *const name = new_name(g, "n");
    const bool writable = !chance(g, 20);
    emit(g, "%s%s %s = %s;", writable ? "" : "const ", type_name[t], name, v);
    push_scalar(g, name, t, writable);
}

static void declare_array(generator *g, int depth)
{
    const type t = any_type(g);
    const int size = 1 + (int)choose(g, 7), rows = chance(g, 25) ? 2 : 1;
    const char *const name = new_name(g, "a"), *list = "";
    for (int r = 0; r < rows; r++) {
        list = text(g, "%s%s", list, rows > 1 ? "{ " : "");
        for (int i = 0; i < size; i++)
            list = text(g, "%s%s%s", list, fitted(g, t, i == 0 ? depth : 0),
                        i + 1 < size ? ", "
                        : rows > 1   ? " }"
                                     : "");
        list = text(g, "%s%s", list, r + 1 < rows ? ", " : "");
    }
    place p = { .before = text(g, "%s[", name),
                .between = "][",
                .after = "]",
                .type = t,
                .rank = 1,
                .extent = { size },
                .writable = true,
                .local = true };
    if (rows > 1) {
        p.rank = 2, p.extent[0] = rows, p.extent[1] = size;
        emit(g, "%s %s[%d][%d] = { %s };", type_name[t], name, rows, size, list);
    } else {
        emit(g, "%s %s[%d] = { %s };", type_name[t], name, size, list);
    }
    push_place(g, p);
}

static void push_pair(generator *g, const char *name, bool writable)
{
    push_scalar(g, text(g, "%s.a", name), I32, writable);
    push_scalar(g, text(g, "%s.b", name), U32, writable);
    push_scalar(g, text(g, "%s.c", name), F32, writable);
    push_place(g, (place){ .before = text(g, "%s.d[", name),
                           .after = "]",
                           .type = I32,
                           .rank = 1,
                           .extent = { 2 },
                           .writable = writable,
                           .local = true });
}

static void declare_pair(generator *g, int depth)
{
    const char *const name = new_name(g, "s"), *const a = fitted(g, I32, depth), *const b = fitted(g, U32, depth),
                      *const c = fitted(g, F32, 1);
    switch (choose(g, 3)) {
    case 0: emit(g, "fuzz_pair %s = { %s, %s, %s, { 1, 2 } };", name, a, b, c); break;
    case 1: emit(g, "fuzz_pair %s = fuzz_make_pair(%s, %s, %s);", name, a, b, c); break;
    default:
        emit(g, "fuzz_pair %s = fuzz_twist((fuzz_pair){ .a = %s, .b = %s, .c = %s, .d = { 3, 4 } }, %d);", name, a, b,
             c, g->names);
        break;
    }
    push_pair(g, name, true);
}

/* ---- assignments ---------------------------------------------------------------------------------------- */

/* Something that this thread may write; false where there is nothing. */
static bool writable_place(generator *g, place *found)
{
    int usable[MAX_PLACES], count = 0;
    for (int i = g->place_count - 1; i >= 0; i--)
        if (g->places[i].writable && (!g->uniform || g->places[i].in_uniform))
            usable[count++] = i;
    if (count == 0)
        return false;
    *found = g->places[usable[choose(g, (uint32_t)count)]];
    return true;
}

/* Compound assignments of this type that neither overflow nor leave what a variable of floating point may hold. */
static const char *compound_operator(generator *g, type t)
{
    static const char *const any[] = { "^=", "|=", "&=" }, *const wrapping[] = { "^=", "+=", "-=", "|=", "*=", "&=" };
    if (is_float(t))
        return NULL;
    if (t == U16)
        return wrapping[choose(g, 4)]; /* the product of two is one of int */
    return t == I32 || t == I64 ? any[choose(g, 3)] : wrapping[choose(g, 6)];
}

static void assign(generator *g, int depth)
{
    place p;
    if (!writable_place(g, &p)) {
        declare_scalar(g, depth);
        return;
    }
    const char *const target = place_text(g, &p, depth - 1);
    const char *const compound = chance(g, 35) && !p.store ? compound_operator(g, p.type) : NULL;
    if (compound) {
        emit(g, "%s %s %s;", target, compound, expression(g, p.type, depth).text);
    } else if (p.store) {
        emit(g, "%s = %s(%s);", target, p.store, fitted(g, p.type, depth));
    } else if (!is_float(p.type) && p.type != I32 && p.type != I64 && chance(g, 10)) {
        emit(g, chance(g, 50) ? "%s++;" : "--%s;", target);
    } else {
        emit(g, "%s = %s;", target, fitted(g, p.type, depth));
    }
}

static void add_atomically(generator *g, int depth)
{
    if (g->atomic_count == 0) {
        assign(g, depth);
        return;
    }
    const uint32_t k = choose(g, (uint32_t)g->atomic_count);
    const place p = g->atomic_places[k];
    const char *const target = place_text(g, &p, depth - 1);
    const char *const op = g->atomics[k];
    if (op[0] == '+' || op[0] == '-')
        emit(g, "(void)amp_atomic_fetch_%s(&%s);", op[0] == '+' ? "inc" : "dec", target);
    else if (op[0] == '=') { /* an addition by compare and exchange */
        const char *const v = new_name(g, "n"), *const by = new_name(g, "n");
        emit(g, "%s %s = amp_atomic_load(&%s);", type_name[p.type], v, target);
        emit(g, "const %s %s = %s;", type_name[p.type], by, expression(g, p.type, depth).text);
        emit(g, "while (!amp_atomic_compare_exchange(&%s, &%s, (%s)((uint64_t)%s + (uint64_t)%s))) { }", target, v,
             type_name[p.type], v, by);
    } else
        emit(g, "(void)amp_atomic_fetch_%s(&%s, %s);", op, target, expression(g, p.type, depth).text);
}

static void call_for_effect(generator *g, int depth)
{
    if (g->element_count > 0 && !g->uniform) {
        const char *const element = g->elements[choose(g, (uint32_t)g->element_count)], *const name = new_name(g, "n");
        emit(g, "const int %s = fuzz_bump(&%s, %s);", name, element, fitted(g, I32, depth));
        push_scalar(g, name, I32, false);
        return;
    }
    assign(g, depth);
}

/* ---- control flow ----------------------------------------------------------------------------------------- */

static void branch(generator *g, int depth)
{
    emit(g, "if %s", text(g, "(%s)", condition(g, depth)));
    block(g, depth);
    if (chance(g, 40)) {
        emit(g, "else");
        block(g, depth);
    }
}

static void push_counter(generator *g, const char *name, type t, int bound)
{
    place *const p = push_scalar(g, name, t, false);
    p->bound = bound;
}

static void count_loop(generator *g, int depth)
{
    static const type counters[] = { I32, I32, I32, U32, U8, I64 };
    const type t = counters[choose(g, 6)];
    const int turns = 1 + (int)choose(g, g->loops ? 4 : 9), saved = g->place_count;
    const char *const i = new_name(g, "i"), *limit = text(g, "%d", turns);
    const uint32_t form = choose(g, 5);
    if (form == 1)
        limit = text(g, "(int)((uint32_t)(%s) %% %du)", expression(g, U32, depth - 1).text, turns + 1);
    if (form == 2 && t != U8 && t != U32)
        emit(g, "for (%s %s = %s - 1; %s >= 0; %s--)", type_name[t], i, limit, i, i);
    else
        emit(g, "%sfor (%s %s = 0; %s < (%s)%s; %s%s)", form == 3 ? "AMP_UNROLL " : "", type_name[t], i, i,
             type_name[t], limit, i, form == 4 ? " += 2" : "++");
    push_counter(g, i, t, turns);
    g->loops++;
    block(g, depth);
    g->loops--;
    g->place_count = saved;
}

static void while_loop(generator *g, int depth)
{
    const int turns = 1 + (int)choose(g, g->loops ? 3 : 7), saved = g->place_count;
    const char *const k = new_name(g, "k");
    const bool backwards = chance(g, 40);
    emit(g, "int %s = 0;", k);
    push_counter(g, k, I32, turns + 2);
    const char *const more = text(g, "%s++ < %d && %s", k, turns, condition(g, depth - 1));
    if (backwards)
        emit(g, "do");
    else
        emit(g, "while (%s)", more);
    g->loops++;
    block(g, depth);
    g->loops--;
    if (backwards)
        emit(g, "while (%s);", more);
    g->place_count = saved;
}

static void sum_loop(generator *g, int depth)
{
    const char *const s = new_name(g, "n"), *const i = new_name(g, "i");
    const int turns = 1 + (int)choose(g, 40), saved = g->place_count;
    emit(g, "uint32_t %s = %s;", s, fitted(g, U32, 1));
    push_counter(g, i, I32, turns);
    emit(g, "AMP_ANY_ORDER(%s) for (int %s = 0; %s < %d; %s++) %s += %s;", s, i, i, turns, i, s, fitted(g, U32, depth));
    g->place_count = saved;
    push_scalar(g, s, U32, true);
}

static void switch_statement(generator *g, int depth)
{
    const int loops = g->loops;
    emit(g, "switch ((int)((uint32_t)(%s) %% 6u)) {", expression(g, any_type(g) % INTEGERS, depth).text);
    bool fallback = false;
    for (int i = 0; i < 6 && g->budget > 0; i++) {
        const size_t begin = span_begin(g);
        const uint32_t what = choose(g, 4);
        if (what > 0) {
            if (what == 3 && !fallback) {
                emit(g, "default:");
                fallback = true;
            }
            emit(g, "case %d:", i);
            block(g, depth);
            emit(g, chance(g, 70) ? "break;" : "; /* falls through */");
        }
        span_end(g, begin, SPAN_STATEMENT);
    }
    emit(g, ";");
    emit(g, "}");
    g->loops = loops;
}

static void leave(generator *g, int depth)
{
    const char *const c = condition(g, depth);
    if (g->loops > 0)
        emit(g, "if %s %s;", text(g, "(%s)", c), chance(g, 50) ? "break" : "continue");
    else if (g->in_kernel)
        emit(g, "if (%s) continue;", c); /* ends the thread, or its part of a phase */
    else
        emit(g, "if (%s) return %s;", c, fitted(g, g->result, 1));
}

static void jump(generator *g, int depth)
{
    const char *const label = text(g, "L%d_%d", g->case_number, ++g->names);
    emit(g, "if (%s) goto %s;", condition(g, depth), label);
    block(g, depth);
    emit(g, "%s:;", label);
}

static void assertion(generator *g, int depth)
{
    emit(g, "AMP_ASSERT((%s | 1) != 0);", expression(g, U32, depth).text);
}

static void one_statement(generator *g, uint32_t form, int depth)
{
    typedef void rule(generator * g, int depth);
    static rule *const simple[] = { assign,         assign,          assign,        assign,
                                    declare_scalar, declare_scalar,  declare_array, declare_pair,
                                    add_atomically, call_for_effect, sum_loop,      assertion };
    static rule *const nested[] = { branch,     branch,           branch, count_loop, count_loop,
                                    while_loop, switch_statement, jump,   leave,      leave };
    enum { SIMPLE = sizeof simple / sizeof *simple, NESTED = sizeof nested / sizeof *nested };
    if (form < SIMPLE)
        simple[form](g, 2);
    else if (depth > 0)
        nested[form - SIMPLE](g, depth - 1 > 2 ? 2 : depth - 1);
    else
        assign(g, 1);
}

/* Statements until there are no more: a sequence of zeros has none. */
void statements(generator *g, int depth)
{
    for (;;) {
        const size_t begin = span_begin(g);
        const uint32_t form = g->budget > 0 ? choose(g, 25) : 0;
        if (form > 0 && form < 23) {
            g->budget--;
            one_statement(g, form - 1, depth);
        }
        span_end(g, begin, SPAN_STATEMENT);
        if (form == 0 || form >= 23)
            return;
    }
}

void block(generator *g, int depth)
{
    const int saved = g->place_count;
    emit(g, "{");
    g->indent++;
    const size_t begin = span_begin(g);
    const uint32_t first = choose(g, 16); /* most blocks are not empty */
    g->budget--;
    if (first > 0)
        one_statement(g, first - 1, depth);
    span_end(g, begin, SPAN_STATEMENT);
    statements(g, depth);
    g->indent--;
    emit(g, "}");
    g->place_count = saved;
}

/* ---- functions and tables --------------------------------------------------------------------------------- */

static void make_function(generator *g)
{
    const type result = any_type(g);
    function f = { .name = text(g, "f%d_%d", g->case_number, ++g->names),
                   .result = result,
                   .parameters = 1 + (int)choose(g, MAX_PARAMETERS) };
    const int saved = g->place_count, budget = g->budget;
    const char *list = "";
    for (int i = 0; i < f.parameters; i++) {
        const char *const name = new_name(g, "p");
        f.parameter[i] = any_type(g);
        list = text(g, "%s%s%s %s", list, i ? ", " : "", type_name[f.parameter[i]], name);
        push_scalar(g, name, f.parameter[i], true);
    }
    emit(g, "AMP_FUNCTION(%s, %s, (%s), {", type_name[result], f.name, list);
    g->indent++;
    g->budget = (int)choose(g, 6);
    g->result = result;
    statements(g, 2);
    emit(g, "return %s;", fitted(g, result, 3));
    g->indent--;
    emit(g, "})");
    g->budget = budget;
    g->place_count = saved;
    g->functions[g->function_count++] = f;
}

static void make_table(generator *g)
{
    const type t = any_type(g);
    const int size = 1 + (int)choose(g, 9);
    const char *list = literal(g, t), *const name = text(g, "t%d_%d", g->case_number, ++g->names);
    for (int i = 1; i < size; i++)
        list = text(g, "%s, %s", list, literal(g, t));
    emit(g, "AMP_TABLE(%s, %s, [%d], { %s })", type_name[t], name, size, list);
    push_place(g, (place){ .before = text(g, "%s[", name),
                           .after = "]",
                           .type = t,
                           .rank = 1,
                           .extent = { size },
                           .in_uniform = true });
}

void definitions(generator *g)
{
    g->out = &g->definitions;
    for (int i = (int)choose(g, 3); i > 0; i--)
        make_table(g);
    for (int i = (int)choose(g, MAX_FUNCTIONS); i > 0; i--)
        make_function(g);
    g->out = &g->body;
}
