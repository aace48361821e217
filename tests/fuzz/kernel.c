// SPDX-License-Identifier: MIT
/*  kernel.c - a case: memory, and launches over it that feed each other. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

typedef struct launch {
    int rank, extent[3];
    bool tiled, padded;
    int dims[3];
    const char *index;            /* its name, where the components have none */
    const char *captures;         /* of AMP_CAPTURE */
    const char *own[MAX_BUFFERS]; /* elements that the thread writes last of all */
    type own_type[MAX_BUFFERS];
    bool own_loose[MAX_BUFFERS];
    int own_count;
} launch;

static const char *list_of(generator *g, const int *extent, int rank)
{
    const char *list = text(g, "%d", extent[0]);
    for (int d = 1; d < rank; d++)
        list = text(g, "%s, %d", list, extent[d]);
    return list;
}

/* ---- memory --------------------------------------------------------------------------------------------- */

static void choose_extent(generator *g, int rank, int *extent)
{
    static const int most[] = { 300, 24, 9 };
    for (int d = 0; d < rank; d++)
        extent[d] = 1 + (int)choose(g, (uint32_t)most[rank - 1]);
}

static void make_buffer(generator *g, const int *extent, int rank)
{
    buffer b = { .rank = rank, .type = any_type(g) };
    memcpy(b.extent, extent, sizeof b.extent);
    if (chance(g, 25))
        choose_extent(g, b.rank = 1 + (int)choose(g, 3), b.extent);
    if (is_float(b.type) && g->buffer_count > 0 && chance(g, 30))
        b.loose = true;
    else if (g->halves && g->buffer_count > 0 && chance(g, 50))
        b.type = HALF;
    b.constant = g->buffer_count > 1 && !b.loose && chance(g, 20);
    b.array = !b.constant && chance(g, 20);
    const int k = g->buffer_count++;
    b.view = text(g, "v%d", k);
    const char *const under = b.array ? text(g, "m%d", k) : b.view, *const extents = list_of(g, b.extent, b.rank);
    emit(g, "AMP_%sARRAY_VIEW(%s, %d, %s, FUZZ_MEMORY(%s, %d), %s);", b.constant ? "CONST_" : "", type_name[b.type],
         b.rank, under, type_name[b.type], k, extents);
    if (b.array) {
        emit(g, "AMP_ARRAY(%s, %d, %s, %s);", type_name[b.type], b.rank, b.view, extents);
        emit(g, "amp_copy(%s, %s);", under, b.view);
    }
    g->buffers[k] = b;
}

static void describe_buffers(generator *g)
{
    append(&g->definitions, "static const fuzz_buffer buffers_%d[] = { ", g->case_number);
    for (int i = 0; i < g->buffer_count; i++) {
        const buffer *const b = &g->buffers[i];
        int elements = 1;
        for (int d = 0; d < b->rank; d++)
            elements *= b->extent[d];
        append(&g->definitions, "{ FUZZ_%s, sizeof(%s), %d, %d }, ", b->type == HALF ? "half" : type_name[b->type],
               type_name[b->type], elements, b->loose);
    }
    append(&g->definitions, "};\n");
}

/* ---- what a launch captures ------------------------------------------------------------------------------- */

static void capture(generator *g, launch *l, const char *what)
{
    l->captures = text(g, "%s%s%s", l->captures, l->captures[0] ? ", " : "", what);
}

static const char *component(generator *g, const launch *l, int d)
{
    return l->tiled ? text(g, "t.global.v[%d]", d) : l->index ? text(g, "%s.v[%d]", l->index, d) : text(g, "x%d", d);
}

/* The element of a view that a thread has for itself; the same for the whole launch. */
static const char *own_element(generator *g, const launch *l, const char *view, const int *extent)
{
    if (l->index && !l->tiled && chance(g, 50))
        return text(g, "AMP_AT(%s, %s)", view, l->index);
    const char *source = text(g, "AMP_AT(%s", view);
    for (int d = 0; d < l->rank; d++) {
        const char *const c = component(g, l, d);
        if (chance(g, 15))
            source = text(g, "%s, %d - %s", source, l->extent[d] - 1, c);
        else if (extent[d] > l->extent[d] && chance(g, 30))
            source = text(g, "%s, %s + %d", source, c, extent[d] - l->extent[d]);
        else
            source = text(g, "%s, %s", source, c);
    }
    return text(g, "%s)", source);
}

static void capture_own(generator *g, launch *l, const char *view, const int *extent, const buffer *b)
{
    const char *const element = own_element(g, l, view, extent);
    l->own[l->own_count] = element;
    l->own_type[l->own_count] = b->type;
    l->own_loose[l->own_count++] = b->loose;
    if (b->loose || (l->tiled && l->padded))
        return;
    place p = { .before = element, .type = b->type, .writable = true };
    if (b->type == HALF) {
        p.before = element, p.store = "amp_float_to_half";
        return; /* written last, and not read by the same launch */
    }
    if (b->type == I32)
        g->elements[g->element_count++] = element;
    push_place(g, p);
}

static void capture_read(generator *g, const char *view, const buffer *b, const int *extent)
{
    const bool half = b->type == HALF;
    place p = { .before = text(g, "%sAMP_AT(%s, ", half ? "amp_float_from_half(" : "", view),
                .between = ", ",
                .after = half ? "))" : ")",
                .type = half ? F32 : b->type,
                .rank = b->rank,
                .in_uniform = true };
    memcpy(p.extent, extent, sizeof p.extent);
    push_place(g, p);
    if (chance(g, 30))
        push_scalar(g, text(g, "%s.extent.v[%u]", view, choose(g, (uint32_t)b->rank)), I32, false)->in_uniform = true;
}

/* The rows before `row` of a view are read, those from there on written. */
static bool capture_sections(generator *g, launch *l, int k, int row)
{
    buffer *const b = &g->buffers[k];
    int first[3] = { 0, 0, 0 }, upper[3], lower[3];
    memcpy(upper, b->extent, sizeof upper);
    memcpy(lower, b->extent, sizeof lower);
    upper[0] = row, lower[0] = b->extent[0] - row;
    const char *const reads = new_name(g, "r"), *const writes = new_name(g, "w");
    emit(g, "FUZZ_SECTION%d(%s, %s, %s, %s, %s);", b->rank, type_name[b->type], reads, b->view,
         list_of(g, first, b->rank), list_of(g, upper, b->rank));
    first[0] = row;
    emit(g, "FUZZ_SECTION%d(%s, %s, %s, %s, %s);", b->rank, type_name[b->type], writes, b->view,
         list_of(g, first, b->rank), list_of(g, lower, b->rank));
    capture(g, l, reads);
    capture(g, l, writes);
    capture_own(g, l, writes, lower, b);
    if (!b->loose)
        capture_read(g, reads, b, upper);
    return true;
}

static bool may_be_own(const launch *l, const buffer *b)
{
    bool fits = b->rank == l->rank && !b->constant;
    for (int d = 0; d < l->rank && fits; d++)
        fits = b->extent[d] >= l->extent[d];
    return fits;
}

static void capture_buffer(generator *g, launch *l, int k)
{
    static const char *const operators[] = { "add", "sub", "xor", "or", "and", "min", "max", "+", "-", "=" };
    const buffer *const b = &g->buffers[k];
    const uint32_t use = choose(g, 6);
    const bool counts = b->type == I32 || b->type == U32 || b->type == I64 || b->type == U64;
    if (use == 0)
        return;
    if (use == 1 && counts && !b->constant) {
        g->atomics[g->atomic_count] = operators[choose(g, 10)];
        place p = {
            .before = text(g, "AMP_AT(%s, ", b->view), .between = ", ", .after = ")", .type = b->type, .rank = b->rank
        };
        memcpy(p.extent, b->extent, sizeof p.extent);
        g->atomic_places[g->atomic_count++] = p;
        capture(g, l, b->view);
    } else if (use <= 3 && may_be_own(l, b)) {
        capture(g, l, b->view);
        capture_own(g, l, b->view, b->extent, b);
    } else if (!b->loose) {
        const char *view = b->view;
        if (!b->constant && !b->array && chance(g, 50)) {
            view = new_name(g, "r");
            emit(g, "FUZZ_AS_CONST(%s, %d, %s, %s);", type_name[b->type], b->rank, view, b->view);
        }
        capture(g, l, view);
        capture_read(g, view, b, b->extent);
    }
}

static void capture_values(generator *g, launch *l)
{
    for (int i = (int)choose(g, 4); i > 0; i--) {
        const type t = any_type(g);
        const char *const name = new_name(g, "c");
        switch (choose(g, 4)) {
        case 0:
            emit(g, "const %s %s = %s;", type_name[t], name, literal(g, t));
            capture(g, l, name);
            push_scalar(g, name, t, false)->in_uniform = true;
            break;
        case 1: {
            const char *const v = literal(g, t);
            emit(g, "FUZZ_PLAIN(const %s %s = %s;)", type_name[t], name, v);
            capture(g, l, text(g, "AMP_BIND(%s, %s)", name, v));
            push_scalar(g, name, t, false)->in_uniform = true;
            break;
        }
        case 2:
            emit(g, "enum { %s = %u };", name, choose(g, 100));
            capture(g, l, text(g, "AMP_CONSTANT(%s)", name));
            push_scalar(g, name, I32, false)->in_uniform = true;
            break;
        default:
            emit(g, "const fuzz_pair %s = { 5, 6, 7.5f, { -8, 9 } };", name);
            capture(g, l, text(g, "AMP_VALUE(fuzz_pair, %s)", name));
            push_scalar(g, text(g, "%s.a", name), I32, false)->in_uniform = true;
            push_scalar(g, text(g, "%s.c", name), F32, false)->in_uniform = true;
            break;
        }
    }
}

/* ---- launches ------------------------------------------------------------------------------------------- */

static void write_own(generator *g, const launch *l)
{
    for (int i = 0; i < l->own_count; i++) {
        if (l->own_loose[i])
            emit(g, "%s = %s;", l->own[i], loose_expression(g, l->own_type[i]));
        else if (l->own_type[i] == HALF)
            emit(g, "%s = amp_float_to_half(%s);", l->own[i], fitted(g, F32, 3));
        else if (i == 0 || chance(g, 60))
            emit(g, "%s = %s;", l->own[i], fitted(g, l->own_type[i], 3));
    }
}

static void simple_launch(generator *g, launch *l, bool as_view, const char *primary)
{
    const char *names = text(g, "x0"), *const extent = as_view
                                                           ? text(g, "%s.extent", primary)
                                                           : text(g, "AMP_EXTENT(%s)", list_of(g, l->extent, l->rank));
    for (int d = 1; d < l->rank; d++)
        names = text(g, "%s, x%d", names, d);
    if (l->index)
        emit(g, "FUZZ_EACH_INDEX(%d, %s, %s, AMP_CAPTURE(%s), {", l->rank, extent, l->index, l->captures);
    else
        emit(g, "AMP_PARALLEL_FOR_EACH(%s, (%s), AMP_CAPTURE(%s), {", extent, names, l->captures);
    g->indent++;
    for (int d = 0; d < l->rank; d++)
        push_scalar(g, component(g, l, d), I32, false)->bound = l->extent[d];
    statements(g, 3);
    write_own(g, l);
    g->indent--;
    emit(g, "});");
}

static void tiled_launch(generator *g, launch *l)
{
    const char *const dims = list_of(g, l->dims, l->rank), *const extent = list_of(g, l->extent, l->rank);
    if (l->padded)
        emit(g, "AMP_TILED(FUZZ_PADDED%d((%s), (%s)), (%s), tile, AMP_CAPTURE(%s), {", l->rank, extent, dims, dims,
             l->captures);
    else
        emit(g, "AMP_TILED(AMP_EXTENT(%s), (%s), tile, AMP_CAPTURE(%s), {", extent, dims, l->captures);
    g->indent++;
    g->uniform = true;
    tiled_body(g, l->dims, l->rank, l->extent, l->padded);
    g->uniform = false;
    emit(g, "AMP_THREADS(tile, t) {");
    g->indent++;
    for (int d = 0; d < l->rank && l->padded; d++)
        emit(g, "if (t.global.v[%d] >= %d) continue;", d, l->extent[d]);
    for (int d = 0; d < l->rank; d++)
        push_scalar(g, text(g, "t.global.v[%d]", d), I32, false)->bound = l->extent[d];
    write_own(g, l);
    g->indent--;
    emit(g, "}");
    g->indent--;
    emit(g, "});");
}

static void choose_tile(generator *g, launch *l)
{
    static const int dims[3][10][3] = {
        { { 8 }, { 1 }, { 2 }, { 4 }, { 16 }, { 32 }, { 64 }, { 100 }, { 256 }, { 24 } },
        { { 4, 4 }, { 8, 8 }, { 2, 16 }, { 3, 5 }, { 1, 32 }, { 16, 16 }, { 16, 2 }, { 8, 1 }, { 4, 64 }, { 32, 32 } },
        { { 2, 2, 2 },
          { 4, 4, 4 },
          { 1, 2, 8 },
          { 3, 1, 5 },
          { 2, 4, 1 },
          { 2, 2, 16 },
          { 1, 1, 4 },
          { 4, 2, 8 },
          { 2, 8, 2 },
          { 8, 8, 8 } },
    };
    const uint32_t k = choose(g, 10);
    l->tiled = true;
    for (int d = 0; d < l->rank; d++) {
        l->dims[d] = dims[l->rank - 1][k][d];
        if (l->extent[d] < l->dims[d])
            l->padded = true;
        else if (!l->padded && chance(g, 60))
            l->extent[d] -= l->extent[d] % l->dims[d]; /* a part of the view */
        l->padded = l->padded || l->extent[d] % l->dims[d] != 0;
    }
}

static void make_launch(generator *g)
{
    launch l = { .captures = "" };
    const int saved = g->place_count, atomics = g->atomic_count, primary = (int)choose(g, (uint32_t)g->buffer_count);
    buffer *b = &g->buffers[g->buffers[primary].constant ? 0 : primary];
    bool as_view = true;
    int row = 0;
    l.rank = b->rank;
    memcpy(l.extent, b->extent, sizeof l.extent);
    if (b->extent[0] > 1 && !b->array && chance(g, 20)) {
        row = 1 + (int)choose(g, (uint32_t)b->extent[0] - 1);
        l.extent[0] -= row;
        as_view = false;
    }
    const bool tiled = chance(g, 45);
    if (tiled)
        choose_tile(g, &l);
    else if (chance(g, 20)) { /* less than all: none at all, now and then */
        const uint32_t d = choose(g, (uint32_t)l.rank);
        l.extent[d] = chance(g, 15) ? 0 : 1 + (int)choose(g, (uint32_t)l.extent[d]);
        as_view = false;
    }
    if (!tiled && chance(g, 30))
        l.index = "x";
    g->element_count = 0;
    emit(g, "{");
    g->indent++;
    if (row > 0)
        capture_sections(g, &l, (int)(b - g->buffers), row);
    else {
        capture(g, &l, b->view);
        capture_own(g, &l, b->view, b->extent, b);
    }
    for (int k = 0; k < g->buffer_count; k++)
        if (&g->buffers[k] != b)
            capture_buffer(g, &l, k);
    capture_values(g, &l);
    g->budget = (int)choose(g, 9);
    g->in_kernel = true;
    if (tiled)
        tiled_launch(g, &l);
    else
        simple_launch(g, &l, as_view, b->view);
    g->in_kernel = false;
    g->indent--;
    emit(g, "}");
    g->place_count = saved;
    g->atomic_count = atomics;
    g->shared_count = 0;
    g->launches++;
}

/* What the host does between launches. */
static void host_statement(generator *g)
{
    const buffer *const b = &g->buffers[choose(g, (uint32_t)g->buffer_count)];
    if (b->array || b->constant || b->loose || b->type == HALF)
        return;
    if (chance(g, 30)) {
        emit(g, "FUZZ_SYNCHRONIZE(%s);", b->view);
        return;
    }
    const place p = { .before = text(g, "AMP_AT(%s, ", b->view),
                      .between = ", ",
                      .after = ")",
                      .rank = b->rank,
                      .extent = { b->extent[0], b->extent[1], b->extent[2] } };
    const char *const element = place_text(g, &p, 0);
    emit(g, "%s = %s;", element, fitted(g, b->type, 1));
}

void begin_case(generator *g, uint64_t seed, int number)
{
    g->random = seed * 1000003u + (uint64_t)number;
    g->at = g->span_count = 0;
    if (!g->replay)
        g->count = 0;
    g->definitions.length = g->body.length = 0;
    g->place_count = g->function_count = g->buffer_count = g->shared_count = g->atomic_count = g->element_count = 0;
    g->names = g->loops = g->budget = g->indent = g->launches = 0;
    g->case_number = number;
    g->in_kernel = g->uniform = false;
    g->out = &g->body;
    forget_text();
}

void make_case(generator *g, int number)
{
    int extent[3] = { 0 };
    const int rank = 1 + (int)choose(g, 3);
    append(&g->definitions, "\n/* case %d */\n", number);
    definitions(g);
    g->indent = 1;
    choose_extent(g, rank, extent);
    for (int i = 1 + (int)choose(g, MAX_BUFFERS); i > 0; i--)
        make_buffer(g, extent, rank);
    for (int i = 0; i < 4; i++) {
        const size_t begin = span_begin(g);
        const bool more = i == 0 || chance(g, 60);
        if (more) {
            if (chance(g, 30))
                host_statement(g);
            make_launch(g);
        }
        span_end(g, begin, SPAN_STATEMENT);
        if (!more)
            break;
    }
    for (int i = 0; i < g->buffer_count; i++)
        if (g->buffers[i].array)
            emit(g, "amp_copy(%s, m%d);", g->buffers[i].view, i);
    describe_buffers(g);
}
