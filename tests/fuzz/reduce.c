// SPDX-License-Identifier: MIT
/*  reduce.c - makes a case smaller while a command still finds what it looks for. The command is given the name of a
    program. Statements are left out, expressions become 1 or one of their operands, and numbers become smaller, until
    nothing helps. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reduction {
    generator *g;
    uint32_t *best;
    size_t length;
    span *spans;
    size_t span_count;
    int number, tried, kept;
    const char *path, *candidate, *test; /* the best program so far, the one that is tried, what tries it */
} reduction;

static void *copied(const void *data, size_t size)
{
    void *const copy = malloc(size ? size : 1);
    if (!copy)
        exit(3);
    return memcpy(copy, data, size);
}

/* Is what the generator used of its numbers less than the best so far? Else two cases might replace each other. */
static bool is_less(const reduction *r, size_t length)
{
    if (length != r->length || !r->kept)
        return length < r->length || !r->kept;
    for (size_t i = 0; i < length; i++)
        if (r->g->numbers[i] != r->best[i])
            return r->g->numbers[i] < r->best[i];
    return false;
}

/* Makes the case from these numbers, and runs the test; what succeeds is the best so far. */
static bool attempt(reduction *r, const uint32_t *numbers, size_t length)
{
    char command[2048];
    generator *const g = r->g;
    free(g->numbers);
    g->numbers = copied(numbers, length * sizeof *numbers);
    g->count = g->capacity = length;
    if (write_case(g, r->candidate, r->number) != 0)
        exit(3);
    const size_t used = g->at < g->count ? g->at : g->count;
    if (!is_less(r, used))
        return false;
    r->tried++;
    snprintf(command, sizeof command, "%s %s >/dev/null 2>&1", r->test, r->candidate);
    if (system(command) != 0 || rename(r->candidate, r->path) != 0)
        return false;
    free(r->best);
    free(r->spans);
    r->length = used;
    r->best = copied(g->numbers, r->length * sizeof *r->best);
    r->span_count = g->span_count;
    r->spans = copied(g->spans, g->span_count * sizeof *r->spans);
    r->kept++;
    return true;
}

/* The best sequence with the numbers from begin to end replaced. */
static bool replaced(reduction *r, size_t begin, size_t end, const uint32_t *by, size_t count)
{
    if (end > r->length)
        return false;
    const size_t length = r->length - (end - begin) + count;
    uint32_t *const numbers = malloc((length + 1) * sizeof *numbers);
    if (!numbers)
        exit(3);
    memcpy(numbers, r->best, begin * sizeof *numbers);
    memcpy(numbers + begin, by, count * sizeof *numbers);
    memcpy(numbers + begin + count, r->best + end, (r->length - end) * sizeof *numbers);
    const bool same = length == r->length && memcmp(numbers, r->best, length * sizeof *numbers) == 0;
    const bool better = !same && attempt(r, numbers, length);
    free(numbers);
    return better;
}

static int longer_first(const void *a, const void *b)
{
    const span *const x = a, *const y = b;
    const size_t m = x->end - x->begin, n = y->end - y->begin;
    return m < n ? 1 : m > n ? -1 : x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* A statement or expression goes, or its place is taken by a part of it. */
static bool shrink_span(reduction *r, const span s)
{
    static const uint32_t zero = 0;
    if (s.end - s.begin < 2 || s.end > r->length)
        return false;
    if (s.kind == SPAN_STATEMENT && replaced(r, s.begin, s.end, &zero, 0))
        return true;
    if (replaced(r, s.begin, s.end, &zero, 1))
        return true;
    for (size_t i = 0, tries = 0; s.kind > SPAN_STATEMENT && i < r->span_count && tries < 4; i++) {
        const span part = r->spans[i];
        if (part.kind != s.kind || part.begin <= s.begin || part.end > s.end)
            continue;
        tries++;
        uint32_t *const by = copied(r->best + part.begin, (part.end - part.begin) * sizeof *by);
        const bool better = replaced(r, s.begin, s.end, by, part.end - part.begin);
        free(by);
        if (better)
            return true;
    }
    return false;
}

static bool shrink_spans(reduction *r)
{
    bool better = false;
    for (size_t i = 0; i < r->span_count;) {
        qsort(r->spans, r->span_count, sizeof *r->spans, longer_first);
        if (shrink_span(r, r->spans[i]))
            better = true; /* what is now at i comes next */
        else
            i++;
    }
    return better;
}

static bool shrink_numbers(reduction *r)
{
    bool better = false;
    for (size_t i = 0; i < r->length; i++) {
        const uint32_t half = i < r->length ? r->best[i] / 2 : 0, zero = 0;
        if (r->best[i] == 0)
            continue;
        better = replaced(r, i, i + 1, &zero, 1) || (half > 0 && replaced(r, i, i + 1, &half, 1)) || better;
    }
    return better;
}

static bool read_sequence(reduction *r, const char *path)
{
    FILE *const from = fopen(path, "r");
    unsigned halves = 0, number = 0;
    if (!from || fscanf(from, "%u", &halves) != 1)
        return false;
    r->g->halves = halves != 0;
    r->best = malloc(sizeof *r->best << 20);
    while (r->best && r->length < (size_t)1 << 20 && fscanf(from, "%u", &number) == 1)
        r->best[r->length++] = number;
    fclose(from);
    return r->best != NULL;
}

int reduce(const char *sequence, int number, const char *test)
{
    static generator g = { .replay = true };
    static reduction r;
    r.g = &g;
    r.number = number;
    /* names, which text() would forget with each case */
    static char path[1024], candidate[1024];
    snprintf(path, sizeof path, "%s.c", sequence);
    snprintf(candidate, sizeof candidate, "%s.next.c", sequence);
    r.path = path;
    r.candidate = candidate;
    r.test = test;
    if (!read_sequence(&r, sequence) || !attempt(&r, r.best, r.length)) {
        fputs("the test fails on the case as it is\n", stderr);
        return 1;
    }
    while (shrink_spans(&r) || shrink_numbers(&r))
        ;
    remove(candidate);
    fprintf(stderr, "reduced to %zu numbers by %d tests, %d of which helped: %s\n", r.length, r.tried, r.kept, r.path);
    return 0;
}
