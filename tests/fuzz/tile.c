// SPDX-License-Identifier: MIT
/*  tile.c - bodies of tiled kernels. Between two barriers each tile_static variable is of one use: every thread writes
    its own element, all read any element, or all change elements atomically. So there are no races. */
#include "fuzz.h"

#include <string.h>

typedef struct tile {
    const int *dims, *extent;
    int rank, threads;
    bool padded;
} tile;

/* The number of a thread in its tile. */
static const char *thread_number(generator *g, const tile *of)
{
    const char *source = "t.local.v[0]";
    for (int d = 1; d < of->rank; d++)
        source = text(g, "(%s * %d + t.local.v[%d])", source, of->dims[d], d);
    return source;
}

static void push_thread(generator *g, const tile *of)
{
    for (int d = 0; d < of->rank; d++) {
        push_scalar(g, text(g, "t.local.v[%d]", d), I32, false)->bound = of->dims[d];
        if (!of->padded)
            push_scalar(g, text(g, "t.global.v[%d]", d), I32, false)->bound = of->extent[d];
        if (chance(g, 30))
            push_scalar(g, text(g, "t.tile_origin.v[%d]", d), I32, false);
    }
}

static void declare_shared(generator *g, const tile *of)
{
    static const type types[] = { I32, U32, F32, I64, U8, I16, F64, U32, I32 };
    shared s = { .name = new_name(g, "S"), .type = types[choose(g, 9)], .size = 1 };
    const uint32_t shape = choose(g, 4);
    const char *dimensions = "";
    s.tile_shaped = shape < 3 && of->threads <= 256;
    if (s.tile_shaped) {
        s.rank = of->rank;
        for (int d = 0; d < s.rank; d++) {
            s.extent[d] = of->dims[d];
            /* a column more that nobody uses, as against bank conflicts */
            dimensions = text(g, "%s[%d]", dimensions, of->dims[d] + (d + 1 == s.rank && shape == 2));
        }
    } else if (chance(g, 70)) {
        s.size = 1 + (int)choose(g, 40);
        s.size = s.size < of->threads ? s.size : of->threads; /* each has a thread that sets it */
        s.rank = 1, s.extent[0] = s.size;
        dimensions = text(g, "[%d]", s.size);
    }
    emit(g, "AMP_TILE_STATIC(%s, %s%s%s);", type_name[s.type], s.name, s.rank ? ", " : "", dimensions);
    g->shareds[g->shared_count++] = s;
}

static void declare_private(generator *g, string *setting)
{
    const type t = any_type(g);
    const char *const name = new_name(g, "q");
    const int size = chance(g, 40) ? 1 + (int)choose(g, 5) : 0;
    if (size) {
        const char *const i = new_name(g, "i");
        emit(g, "AMP_PRIVATE(%s, %s, [%d]);", type_name[t], name, size);
        append(setting, " for (int %s = 0; %s < %d; %s++) AMP_OWN(%s, %s) = (%s)%s;", i, i, size, i, name, i,
               type_name[t], i);
        push_place(g, (place){ .before = text(g, "AMP_OWN(%s, ", name),
                               .after = ")",
                               .type = t,
                               .rank = 1,
                               .extent = { size },
                               .writable = true });
    } else {
        emit(g, "AMP_PRIVATE(%s, %s);", type_name[t], name);
        append(setting, " AMP_OWN(%s) = %s;", name, literal(g, t));
        push_place(g, (place){ .before = text(g, "AMP_OWN(%s)", name), .type = t, .writable = true });
    }
}

/* Where a thread has an element of a variable for itself: its own index, or its number in a smaller one. */
static const char *own_element(generator *g, const shared *s)
{
    const char *source = s->name;
    if (s->rank == 1 && !s->tile_shaped)
        return text(g, "%s[%s]", s->name, "me");
    for (int d = 0; d < s->rank; d++)
        source = text(g, "%s[t.local.v[%d]]", source, d);
    return source;
}

static void write_shared(generator *g, const tile *of, const shared *s)
{
    const char *const v = fitted(g, s->type, 2), *const element = own_element(g, s);
    if (s->tile_shaped)
        emit(g, "%s = %s;", element, v);
    else if (s->rank == 1)
        emit(g, "if (me < %d) %s = %s;", s->size, element, v);
    else
        emit(g, "if (me == %u) %s = %s;", choose(g, (uint32_t)of->threads), element, v);
}

static void barrier(generator *g)
{
    static const char *const kinds[] = { "", "", "_with_all_memory_fence", "_with_tile_static_memory_fence" };
    emit(g, "amp_barrier_wait%s(tile.barrier);", kinds[choose(g, 4)]);
}

/* What is written in a phase beside statements: elements of its own. */
static void phase(generator *g, const tile *of, const shared *const *own, int own_count, const string *first)
{
    const int saved = g->place_count, elements = g->element_count;
    emit(g, "AMP_THREADS(tile, t) {");
    g->indent++;
    emit(g, "const int me = %s; (void)me;%s", thread_number(g, of), first ? first->data : "");
    g->uniform = false;
    push_thread(g, of);
    push_scalar(g, "me", I32, false)->bound = of->threads;
    for (int i = 0; i < own_count; i++) {
        write_shared(g, of, own[i]);
        if (own[i]->tile_shaped)
            push_scalar(g, own_element(g, own[i]), own[i]->type, true);
    }
    if (!first)
        statements(g, 2);
    g->uniform = true;
    g->indent--;
    emit(g, "}");
    g->place_count = saved;
    g->element_count = elements;
}

static place shared_place(generator *g, const shared *s)
{
    place p = { .before = s->rank ? text(g, "%s[", s->name) : s->name,
                .between = "][",
                .after = "]",
                .type = s->type,
                .rank = s->rank };
    memcpy(p.extent, s->extent, sizeof p.extent);
    return p;
}

/* Phases up to a barrier. */
static void interval(generator *g, const tile *of, const string *first)
{
    static const char *const operators[] = { "add", "sub", "xor", "or", "and", "min", "max", "+", "=" };
    const shared *own[MAX_SHARED];
    const int saved = g->place_count, atomics = g->atomic_count;
    int own_count = 0;
    for (int i = 0; i < g->shared_count; i++) {
        const shared *const s = &g->shareds[i];
        const uint32_t use = first ? 2 : choose(g, 4);
        if (use == 3 && (s->type == I32 || s->type == U32)) {
            g->atomics[g->atomic_count] = operators[choose(g, 9)];
            g->atomic_places[g->atomic_count++] = shared_place(g, s);
        } else if (use >= 2)
            own[own_count++] = s;
        else
            push_place(g, shared_place(g, s));
    }
    phase(g, of, own, own_count, first);
    if (!first && chance(g, 25))
        phase(g, of, own, 0, NULL);
    g->place_count = saved;
    g->atomic_count = atomics;
    barrier(g);
}

static void declare_uniform(generator *g)
{
    const type t = any_type(g);
    const char *const v = fitted(g, t, 2), *const name = new_name(g, "u");
    emit(g, "%s %s = %s;", type_name[t], name, v);
    push_scalar(g, name, t, false);
    if (chance(g, 40))
        emit(g, "%s = %s;", name, fitted(g, t, 2));
}

/* What a tile reads of its memory for all of its threads. */
static void read_uniform(generator *g)
{
    if (g->shared_count == 0)
        return;
    const shared *const s = &g->shareds[choose(g, (uint32_t)g->shared_count)];
    const char *const name = new_name(g, "u");
    const place p = shared_place(g, s);
    emit(g, "const %s %s = %s;", type_name[s->type], name, place_text(g, &p, 1));
    push_scalar(g, name, s->type, false);
    barrier(g);
}

static void uniform_loop(generator *g)
{
    const char *const i = new_name(g, "i");
    const int turns = 1 + (int)choose(g, 4);
    if (chance(g, 30))
        emit(g, "for (int %s = %d; %s >= 0; %s--)", i, turns - 1, i, i);
    else
        emit(g, "for (int %s = 0; %s < %d; %s++)", i, i, turns, i);
    push_scalar(g, i, I32, false)->bound = turns;
}

static void intervals(generator *g, const tile *of, int depth)
{
    const int saved = g->place_count;
    for (int n = 0; n < 4 && g->intervals > 0; n++) {
        const size_t begin = span_begin(g);
        const uint32_t form = choose(g, 8);
        const int outer = g->place_count;
        g->intervals--;
        if (form == 1 || form == 2)
            interval(g, of, NULL);
        else if (form == 3)
            declare_uniform(g);
        else if (form == 4)
            read_uniform(g);
        else if (form >= 5 && depth > 0) {
            if (form == 5)
                uniform_loop(g);
            else
                emit(g, "if (%s)", condition(g, 2));
            emit(g, "{");
            g->indent++;
            intervals(g, of, depth - 1);
            if (form == 5 && chance(g, 15))
                emit(g, "if (%s) break;", condition(g, 1));
            g->indent--;
            emit(g, "}");
            g->place_count = outer;
        }
        span_end(g, begin, SPAN_STATEMENT);
        if (form == 0)
            break;
    }
    g->place_count = saved;
}

void tiled_body(generator *g, const int *dims, int rank, const int *extent, bool padded)
{
    tile of = { .dims = dims, .extent = extent, .rank = rank, .threads = 1, .padded = padded };
    string setting = { 0 };
    for (int d = 0; d < rank; d++)
        of.threads *= dims[d];
    for (int d = 0; d < rank; d++)
        push_scalar(g, text(g, "tile.tile.v[%d]", d), I32, false)->bound = (extent[d] + dims[d] - 1) / dims[d];
    if (chance(g, 20))
        emit(g, "if (%s) continue;", condition(g, 1));
    for (int i = (int)choose(g, MAX_SHARED); i > 0; i--)
        declare_shared(g, &of);
    append(&setting, " ");
    for (int i = (int)choose(g, 4); i > 0; i--) {
        g->uniform = false; /* what it pushes is for phases */
        declare_private(g, &setting);
        g->uniform = true;
    }
    interval(g, &of, &setting);
    g->intervals = 1 + (int)choose(g, 6);
    intervals(g, &of, 2);
}
