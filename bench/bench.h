/* SPDX-License-Identifier: MIT */
/*  bench.h - compares ours with the same written by hand, in one process, in turn.

    A program makes a `bench`, and for each kernel and accelerator a pair of ways to run it: ours and the one
    written by hand. bench_compare runs the two alternately, checks every result, and prints one row.

    Contents (search for the tag):
        >>options  >>statistics  >>ways  >>compare  >>accelerators  >>memory                          */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp.h"
#include "raw_opencl.h"

#ifndef AMP_BACKEND_OPENCL
#error "bench: compile with -DAMP_BACKEND_OPENCL: one program measures the CPU loops and every OpenCL device"
#endif

/* // >>options */

enum { BENCH_MAX_REPS = 1000, BENCH_MAX_ACCELERATORS = 16 };

/* What is done `amount` times in a run, and how a row shows it. */
typedef enum bench_unit { BENCH_GBYTE_PER_S, BENCH_GFLOP_PER_S, BENCH_NS_EACH } bench_unit;

typedef struct bench {
    const char *name;
    bench_unit unit;
    int size, reps;
    const char *only; /* rows whose "kernel accelerator" contains this; NULL: all */
    bool csv;
    char where[16];          /* the accelerator that is measured now: "cpu", "opencl:0", ... */
    const char *description; /* and what it is */
    int rows;
    bool failed;
} bench;

static inline const char *bench_unit_name(bench_unit unit)
{
    static const char *const names[] = { "GB/s", "GFLOP/s", "ns each" };
    return names[unit];
}

static inline void bench_usage(const bench *b)
{
    fprintf(stderr, "usage: %s [--size N] [--reps N (1 to %d)] [--only TEXT] [--csv]\n", b->name, BENCH_MAX_REPS);
    exit(2);
}

static inline int bench_number(const bench *b, const char *text, int max)
{
    char *end = NULL;
    const long value = text ? strtol(text, &end, 10) : 0;
    if (!text || *end != '\0' || value < 1 || value > max)
        bench_usage(b);
    return (int)value;
}

static inline bench bench_begin(int argc, char **argv, const char *name, bench_unit unit, int size, int reps)
{
    bench b = { .name = name, .unit = unit, .size = size, .reps = reps };
    for (int i = 1; i < argc; i++) {
        const char *const option = argv[i], *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(option, "--csv")) {
            b.csv = true;
            continue;
        }
        i++;
        if (!strcmp(option, "--size"))
            b.size = bench_number(&b, value, 1 << 30);
        else if (!strcmp(option, "--reps"))
            b.reps = bench_number(&b, value, BENCH_MAX_REPS);
        else if (!strcmp(option, "--only") && value)
            b.only = value;
        else
            bench_usage(&b);
    }
    if (b.csv)
        puts("bench,kernel,accelerator,description,size,reps,unit,"
             "ours_median,ours_min,ours_max,hand,hand_median,hand_min,hand_max,ratio");
    else
        printf("%s: size %d, %d runs each, %s: median (min .. max); ratio: %s\n", name, b.size, b.reps,
               bench_unit_name(unit),
               unit == BENCH_NS_EACH ? "ours / by hand, below 1 we are faster"
                                     : "ours / by hand, above 1 we are faster");
    return b;
}

/* The exit status of the program. */
static inline int bench_end(const bench *b)
{
    if (b->rows == 0)
        fprintf(stderr, "%s: nothing matches --only %s\n", b->name, b->only ? b->only : "");
    return b->failed || b->rows == 0;
}

/* // >>statistics */

typedef struct bench_summary {
    double median, min, max;
} bench_summary;

static inline int bench_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts `values`. */
static inline bench_summary bench_summarize(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, bench_order);
    return (bench_summary){ 0.5 * (values[(count - 1) / 2] + values[count / 2]), values[0], values[count - 1] };
}

/* // >>ways */

/* One way to run a kernel. The problem resets its arrays in host memory; `upload` brings them where the kernel
   works, `run` is what is timed, `download` brings the result back for the check. NULL: nothing to do. */
typedef struct bench_way {
    const char *name;
    void *self;
    void (*upload)(void *self), (*run)(void *self), (*download)(void *self);
} bench_way;

/* The problem's side of a run: prepare host memory, look at the result. NULL: nothing to do. */
typedef struct bench_problem {
    void (*reset)(void);
    bool (*check)(void);
} bench_problem;

/* Runs once from a fresh start. Returns the seconds of `run` alone, or NAN if the result was wrong. */
static inline double bench_run(const bench_way *way, const bench_problem *problem)
{
    if (problem->reset)
        problem->reset();
    if (way->upload)
        way->upload(way->self);
    const double start = omp_get_wtime();
    way->run(way->self);
    const double seconds = omp_get_wtime() - start;
    if (way->download)
        way->download(way->self);
    return problem->check && !problem->check() ? (double)NAN : seconds;
}

/* // >>compare */

static inline double bench_value(bench_unit unit, double amount, double seconds)
{
    return unit == BENCH_NS_EACH ? 1e9 * seconds / amount : 1e-9 * amount / seconds;
}

/* Would the row be printed? Ask before building what only that row needs. */
static inline bool bench_wanted(const bench *b, const char *kernel)
{
    char row[128];
    snprintf(row, sizeof row, "%s %s", kernel, b->where);
    return !b->only || strstr(row, b->only);
}

static inline void bench_row(const bench *b, const char *kernel, const char *hand_name, bench_summary ours,
                             bench_summary hand, double ratio)
{
    if (b->csv)
        printf("%s,%s,%s,\"%s\",%d,%d,%s,%.4g,%.4g,%.4g,%s,%.4g,%.4g,%.4g,%.3f\n", b->name, kernel, b->where,
               b->description, b->size, b->reps, bench_unit_name(b->unit), ours.median, ours.min, ours.max, hand_name,
               hand.median, hand.min, hand.max, ratio);
    else
        printf("%-12s %-9s ours %8.4g (%.4g .. %.4g)   %s %8.4g (%.4g .. %.4g)   ratio %.2f\n", kernel, b->where,
               ours.median, ours.min, ours.max, hand_name, hand.median, hand.min, hand.max, ratio);
    fflush(stdout);
}

/* Runs the pair in turn, each once unmeasured and then b->reps times, the first one changing from turn to turn;
   amount is the work of one run (bytes, operations, launches). The ratio is the median of the turns' ratios. */
static inline void bench_compare(bench *b, const char *kernel, double amount, bench_problem problem, bench_way ours,
                                 bench_way hand)
{
    static double values[2][BENCH_MAX_REPS], ratios[BENCH_MAX_REPS];
    const bench_way *const ways[2] = { &ours, &hand };

    if (!bench_wanted(b, kernel))
        return;
    b->rows++;
    for (int rep = -1; rep < b->reps; rep++)
        for (int turn = 0; turn < 2; turn++) {
            const int which = (turn + rep) & 1;
            const double seconds = bench_run(ways[which], &problem);
            if (isnan(seconds)) {
                fprintf(stderr, "%s: %s on %s: the result of %s is wrong\n", b->name, kernel, b->where,
                        ways[which]->name);
                b->failed = true;
                return;
            }
            if (rep >= 0)
                values[which][rep] = bench_value(b->unit, amount, seconds);
        }
    for (int rep = 0; rep < b->reps; rep++)
        ratios[rep] = values[0][rep] / values[1][rep];
    bench_row(b, kernel, hand.name, bench_summarize(values[0], b->reps), bench_summarize(values[1], b->reps),
              bench_summarize(ratios, b->reps).median);
}

/* // >>accelerators */

/* Calls measure for every accelerator, with the OpenCL device that it is (NULL for the CPU loops): ours come in the
   order in which OpenCL lists them, and their descriptions begin with the device's name. */
static inline void bench_each_accelerator(bench *b, void (*measure)(bench *b, amp_accelerator a, cl_device_id device))
{
    amp_accelerator all[BENCH_MAX_ACCELERATORS];
    const int count = amp_accelerator_get_all(all, BENCH_MAX_ACCELERATORS);
    unsigned position = 0, number = 0;
    for (int i = 0; i < count && i < BENCH_MAX_ACCELERATORS; i++) {
        cl_device_id device = NULL;
        snprintf(b->where, sizeof b->where, "cpu");
        b->description = amp_accelerator_description(all[i]);
        if (strcmp(amp_accelerator_path(all[i]), "cpu") != 0) {
            snprintf(b->where, sizeof b->where, "opencl:%u", number++);
            device = raw_find(b->description, &position);
        }
        if (!b->csv)
            printf("%s is %s\n", b->where, b->description);
        measure(b, all[i], device);
    }
}

/* // >>memory */

/* Page-aligned floats, so that no way of the pair is luckier than the other; ends the program if there are none. */
static inline float *bench_floats(size_t count)
{
    const size_t page = 4096, bytes = (count * sizeof(float) + page - 1) / page * page;
    float *const memory = aligned_alloc(page, bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu floats\n", count);
        exit(1);
    }
    return memory;
}

/* The same numbers on every machine, between -0.5 and 0.5. */
static inline void bench_fill(float *values, size_t count)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / (float)(1 << 24) - 0.5f;
    }
}

/* The first place where two arrays differ by more than `tolerance`, told; true when there is none. */
static inline bool bench_close(const float *got, const float *want, size_t count, float tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(got[i] - want[i]) <= tolerance)) {
            fprintf(stderr, "element %zu is %g, expected %g\n", i, (double)got[i], (double)want[i]);
            return false;
        }
    return true;
}

#endif /* BENCH_H */
