// SPDX-License-Identifier: MIT
/*  choices.c - the sequence of numbers that a case is made from, and the text that is made. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void *grown(void *data, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return data;
    *capacity = count < 64 ? 128 : count * 2;
    data = realloc(data, *capacity * size);
    if (!data)
        exit(3);
    return data;
}

uint32_t choose(generator *g, uint32_t n)
{
    uint32_t number = 0;
    if (g->replay)
        number = g->at < g->count ? g->numbers[g->at] % n : 0;
    else
        number = (uint32_t)(next_random(&g->random) >> 33) % n;
    g->numbers = grown(g->numbers, &g->capacity, g->at, sizeof *g->numbers);
    g->numbers[g->at++] = number;
    if (g->at > g->count)
        g->count = g->at;
    return number;
}

bool chance(generator *g, unsigned percent) { return choose(g, 100) >= 100 - percent; }

size_t span_begin(generator *g) { return g->at; }

void span_end(generator *g, size_t begin, int kind)
{
    g->spans = grown(g->spans, &g->span_capacity, g->span_count, sizeof *g->spans);
    g->spans[g->span_count++] = (span){ begin, g->at, kind };
}

/* ---- text ------------------------------------------------------------------------------------------- */

typedef struct piece {
    struct piece *next;
    char data[];
} piece;
static piece *pieces;

const char *text(generator *g, const char *format, ...)
{
    (void)g;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = format ? vsnprintf(NULL, 0, format, arguments) : 0;
    piece *const p = malloc(sizeof *p + (size_t)length + 1);
    if (!p)
        exit(3);
    vsnprintf(p->data, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    p->next = pieces;
    pieces = p;
    return p->data;
}

void forget_text(void)
{
    while (pieces) {
        piece *const p = pieces;
        pieces = p->next;
        free(p);
    }
}

static void append_list(string *s, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    s->data = grown(s->data, &s->capacity, s->length + length + 1, 1);
    vsnprintf(s->data + s->length, length + 1, format, arguments);
    s->length += length;
}

void append(string *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_list(s, format, arguments);
    va_end(arguments);
}

void emit(generator *g, const char *format, ...)
{
    va_list arguments;
    append(g->out, "%*s", g->indent * 4, "");
    va_start(arguments, format);
    append_list(g->out, format, arguments);
    va_end(arguments);
    append(g->out, "\n");
}

const char *new_name(generator *g, const char *prefix) { return text(g, "%s%d", prefix, ++g->names); }
