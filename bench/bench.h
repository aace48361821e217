/* SPDX-License-Identifier: MIT */
/*  bench.h - compares ours with its rivals (the same written by hand, a library), in one process, in turn.

    A program makes a `bench`, and for each kernel and accelerator a list of ways to run it, ours first.
    bench_compare runs them in turn, checks every result, and prints a row for each.

    Contents (search for the tag):
        >>options  >>statistics  >>ways  >>compare  >>accelerators  >>memory                          */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* madvise, sched_setaffinity */
#endif
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include "amp.h"
#include "raw_opencl.h"
#include "rivals/cuda_kernels.h"

#ifndef AMP_BACKEND_OPENCL
#error "bench: compile with -DAMP_BACKEND_OPENCL: one program measures the CPU backend and every OpenCL device"
#endif

/* // >>options */

enum { BENCH_SPIN_MS = 5, BENCH_MIN_REPS = 3, BENCH_MAX_REPS = 1000, BENCH_MAX_WAYS = 8, BENCH_MAX_ACCELERATORS = 16 };

/* What is done `amount` times in a run, and how a row shows it. */
typedef enum bench_unit { BENCH_GBYTE_PER_S, BENCH_GFLOP_PER_S, BENCH_GITEM_PER_S, BENCH_NS_EACH } bench_unit;

typedef struct bench {
    const char *name;
    bench_unit unit;
    int size, reps;
    int seconds;             /* after them a row ends with fewer runs than reps, BENCH_MIN_REPS at least; 0: never */
    const char *only;        /* rows whose "kernel accelerator" contains this; NULL: all */
    const char *accelerator; /* accelerators whose number, path or description contains this; NULL: all */
    FILE *csv;               /* rows go there, too; NULL: to the terminal only */
    bool on_gpu;             /* is the accelerator no CPU? */
    bool alone;              /* no compared code: OpenCL does not have this device */
    char where[16];          /* the accelerator that is measured now: "cpu", "opencl:0", ... */
    const char *description; /* and what it is */
    int rows;
    bool failed;
} bench;

static inline const char *bench_unit_name(bench_unit unit)
{
    static const char *const names[] = { "GB/s", "GFLOP/s", "Gitem/s", "ns each" };
    return names[unit];
}

static inline const char *bench_compiler(void)
{
    static char name[32];
#ifdef __clang__
    snprintf(name, sizeof name, "clang %d.%d", __clang_major__, __clang_minor__);
#else
    snprintf(name, sizeof name, "gcc %d.%d", __GNUC__, __GNUC_MINOR__);
#endif
    return name;
}

static inline void bench_usage(const bench *b)
{
    fprintf(stderr,
            "usage: %s [--size N] [--reps N (1 to %d)] [--seconds N] [--only TEXT] [--accelerator TEXT] [--csv FILE]\n"
            "  --seconds      a row takes about N seconds at most, but %d of its runs count\n"
            "  --only         the rows whose \"kernel accelerator\" contains TEXT\n"
            "  --accelerator  the accelerators whose number, path or description contains TEXT\n"
            "  --csv          adds the rows to FILE, too\n",
            b->name, BENCH_MAX_REPS, BENCH_MIN_REPS);
    exit(2);
}

static inline int bench_number(const bench *b, const char *text, int max)
{
    char *end = NULL;
    const long value = strtol(text, &end, 10);
    if (*end != '\0' || value < 1 || value > max)
        bench_usage(b);
    return (int)value;
}

static inline FILE *bench_open_csv(const char *name)
{
    FILE *const file = fopen(name, "a");
    if (!file) {
        perror(name);
        exit(2);
    }
    if (ftell(file) == 0)
        fputs("bench,kernel,accelerator,description,compiler,size,reps,unit,way,median,min,max,ratio_of_ours_to_it\n",
              file);
    return file;
}

/* OpenMP has bound this thread to a core (OMP_PROC_BIND), and a device that is a CPU, or a library, starts threads of
   its own, which inherit that. So they are started while this thread has all of OpenMP's cores. */
static inline void bench_on_all_cores(void (*start)(void))
{
#if defined(__linux__)
    int numbers[CPU_SETSIZE];
    cpu_set_t bound, all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int count = omp_get_place_num_procs(place);
        if (count > CPU_SETSIZE)
            continue;
        omp_get_place_proc_ids(place, numbers);
        for (int i = 0; i < count; i++)
            CPU_SET((size_t)numbers[i], &all);
    }
    const bool freed = sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&all) > 0 &&
                       sched_setaffinity(0, sizeof all, &all) == 0;
#endif
    start();
#if defined(__linux__)
    if (freed)
        sched_setaffinity(0, sizeof bound, &bound);
#endif
}

static inline void bench_start_devices(void) { amp_accelerator_get_all(NULL, 0); }

static inline bench bench_begin(int argc, char **argv, const char *name, bench_unit unit, int size, int reps)
{
    bench b = { .name = name, .unit = unit, .size = size, .reps = reps };
    bench_on_all_cores(bench_start_devices);
#ifdef __clang__
    kmp_set_blocktime(BENCH_SPIN_MS); /* its threads would spin for 200 ms; gcc's do it for a few */
#endif
    for (int i = 1; i < argc; i += 2) {
        const char *const option = argv[i], *const value = argv[i + 1];
        if (!value)
            bench_usage(&b);
        else if (!strcmp(option, "--size"))
            b.size = bench_number(&b, value, 1 << 30);
        else if (!strcmp(option, "--reps"))
            b.reps = bench_number(&b, value, BENCH_MAX_REPS);
        else if (!strcmp(option, "--seconds"))
            b.seconds = bench_number(&b, value, 1 << 30);
        else if (!strcmp(option, "--only"))
            b.only = value;
        else if (!strcmp(option, "--accelerator"))
            b.accelerator = value;
        else if (!strcmp(option, "--csv"))
            b.csv = bench_open_csv(value);
        else
            bench_usage(&b);
    }
    printf("%s: size %d, %d runs each, in turn; %s\n", name, b.size, b.reps, bench_compiler());
    printf("%-16s %-10s %-10s %10s %10s %10s %-8s  %s\n", "kernel", "on", "way", "median", "min", "max", "", "ours/it");
    return b;
}

/* The exit status of the program. */
static inline int bench_end(const bench *b)
{
    if (b->rows == 0)
        fprintf(stderr, "%s: nothing was run%s\n", b->name, b->only || b->accelerator ? ": no row matches" : "");
    if (b->csv && fclose(b->csv) != 0) {
        perror("--csv");
        return 1;
    }
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
    const char *name; /* NULL: this way does not exist here */
    void *self;
    void (*upload)(void *self), (*run)(void *self), (*download)(void *self);
} bench_way;

/* By hand, on the CPU: works on host memory, and is left out where `device` is one. */
static inline bench_way bench_openmp(cl_device_id device, void (*run)(void *self))
{
    return (bench_way){ .name = device ? NULL : "OpenMP", .run = run };
}

/* Hand-written, on a device; `run` is raw_job_run where the job is one kernel. Left out on the CPU backend. */
static inline bench_way bench_opencl(raw_job *job, void (*run)(void *self))
{
    return (bench_way){ job->kernel ? "OpenCL" : NULL, job, raw_job_upload, run, raw_job_download };
}

/* The device's own copy of the job's first buffer to its last: the limit for what memory alone limits. */
static inline bench_way bench_own_copy(raw_job *job)
{
    return (bench_way){ job->kernel ? "own copy" : NULL, job, raw_job_upload, raw_job_copy, raw_job_download };
}

/* A library for NVIDIA's GPUs (rivals/cuda_rivals.cu), or "CUDA", hand-written (rivals/cuda_kernels.cu), until
   cuda_close; left out elsewhere, and where nvcc is not. */
static inline bench_way bench_cuda(const bench *b, cuda_job *job, const char *library, void (*run)(void *self))
{
    const bool there = strstr(b->description, "NVIDIA") && cuda_open(job);
    return (bench_way){ there ? library : NULL, job, cuda_upload, run, cuda_download };
}

/* What a run leaves here is taken in the place of the wall clock's seconds. */
static double bench_device_seconds;

/* The same job's `run`, whose time is the GPU's work alone, by its own clock: without the launches and the wait. */
static inline void bench_cuda_run(void *self)
{
    ((cuda_job *)self)->run(self);
    bench_device_seconds = cuda_seconds(self);
}

#define BENCH_COUNT(ways) ((int)(sizeof(ways) / sizeof *(ways)))

/* The problem's side of a run: prepare host memory, look at the result. NULL: nothing to do. */
typedef struct bench_problem {
    void (*reset)(void);
    bool (*check)(void);
} bench_problem;

/* Runs once from a fresh start. Returns the seconds of `run` alone, or NAN if the result was wrong. The pause lets
   the threads of OpenMP fall asleep: they wait by spinning, and would keep a core from a device that is a CPU. On a
   GPU the first of two runs is not counted: it takes 0.15 ms to come from another way's context to this one's. */
static inline double bench_run(const bench_way *way, const bench_problem *problem, bool on_gpu)
{
    double seconds = 0;
    for (int runs = on_gpu ? 2 : 1; runs > 0; runs--) {
        if (problem->reset)
            problem->reset();
        if (way->upload)
            way->upload(way->self);
        thrd_sleep(&(struct timespec){ .tv_nsec = 2 * BENCH_SPIN_MS * 1000000 }, NULL);
        bench_device_seconds = 0;
        const double start = omp_get_wtime();
        way->run(way->self);
        seconds = bench_device_seconds > 0 ? bench_device_seconds : omp_get_wtime() - start;
    }
    if (way->download)
        way->download(way->self);
    return problem->check && !problem->check() ? (double)NAN : seconds;
}

/* // >>compare */

static inline double bench_value(bench_unit unit, double amount, double seconds)
{
    return unit == BENCH_NS_EACH ? 1e9 * seconds / amount : 1e-9 * amount / seconds;
}

/* Would the rows be printed? Ask before building what only they need. */
static inline bool bench_wanted(const bench *b, const char *kernel)
{
    char row[128];
    snprintf(row, sizeof row, "%s %s", kernel, b->where);
    return !b->only || strstr(row, b->only);
}

/* The row of one way, of `reps` runs; ratio is 1 for ours, which comes first. */
static inline void bench_row(const bench *b, const char *kernel, const char *way, int reps, bench_summary s, bool ours,
                             double ratio)
{
    printf("%-16s %-10s %-10s %10.4g %10.4g %10.4g %-8s", ours ? kernel : "", ours ? b->where : "", way, s.median,
           s.min, s.max, bench_unit_name(b->unit));
    if (!ours)
        printf("   %.3f", ratio);
    putchar('\n');
    fflush(stdout);
    if (b->csv)
        fprintf(b->csv, "%s,%s,%s,\"%s\",%s,%d,%d,%s,%s,%.5g,%.5g,%.5g,%.3f\n", b->name, kernel, b->where,
                b->description, bench_compiler(), b->size, reps, bench_unit_name(b->unit), way, s.median, s.min, s.max,
                ratio);
}

/* Runs the ways in turn, each once unmeasured and then b->reps times or until b->seconds are over, a different one
   first in each turn; amount is the work of one run (bytes, operations, launches). ways[0] is ours; a way without a
   name is left out. The ratio of ours to another is how many times as fast ours is: the median of the turns' ratios. */
static inline void bench_compare(bench *b, const char *kernel, double amount, bench_problem problem,
                                 const bench_way *ways, int count)
{
    static double seconds[BENCH_MAX_WAYS][BENCH_MAX_REPS], values[BENCH_MAX_REPS];
    const bench_way *way[BENCH_MAX_WAYS];
    const double start = omp_get_wtime();
    int there = 0, reps; /* of those that count: all but the first */

    if (!bench_wanted(b, kernel))
        return;
    for (int i = 0; i < count; i++)
        if (ways[i].name && there < (b->alone ? 1 : BENCH_MAX_WAYS))
            way[there++] = &ways[i];
    b->rows++;
    for (reps = -1; reps < b->reps; reps++) {
        if (b->seconds && reps >= BENCH_MIN_REPS && omp_get_wtime() - start > b->seconds)
            break;
        for (int turn = 0; turn < there; turn++) {
            const int which = (turn + reps + 1) % there;
            const double measured = bench_run(way[which], &problem, b->on_gpu);
            if (isnan(measured)) {
                fprintf(stderr, "%s: %s on %s: the result of %s is wrong\n", b->name, kernel, b->where,
                        way[which]->name);
                b->failed = true;
                return;
            }
            if (reps >= 0)
                seconds[which][reps] = measured;
        }
    }
    for (int w = 0; w < there; w++) {
        for (int rep = 0; rep < reps; rep++)
            values[rep] = seconds[w][rep] / seconds[0][rep];
        const double ratio = bench_summarize(values, reps).median;
        for (int rep = 0; rep < reps; rep++)
            values[rep] = bench_value(b->unit, amount, seconds[w][rep]);
        bench_row(b, kernel, way[w]->name, reps, bench_summarize(values, reps), w == 0, ratio);
    }
    if (b->csv)
        fflush(b->csv); /* for who ends the program */
}

/* // >>accelerators */

static inline bool bench_chosen(const bench *b, amp_accelerator a)
{
    return !b->accelerator || strstr(b->where, b->accelerator) || strstr(amp_accelerator_path(a), b->accelerator) ||
           strstr(b->description, b->accelerator);
}

/* Calls measure for every accelerator, with the OpenCL device that it is (NULL for the CPU backend), also where it is
   CUDA's or Vulkan's: ours come in the order in which OpenCL lists them, and their descriptions begin with the
   device's name. */
static inline void bench_each_accelerator(bench *b, void (*measure)(bench *b, amp_accelerator a, cl_device_id device))
{
    amp_accelerator all[BENCH_MAX_ACCELERATORS];
    const int count = amp_accelerator_get_all(all, BENCH_MAX_ACCELERATORS);
    static const char *const backends[] = { "opencl", "cuda", "vulkan" };
    unsigned position[3] = { 0, 0, 0 }, number[3] = { 0, 0, 0 };
    for (int i = 0; i < count && i < BENCH_MAX_ACCELERATORS; i++) {
        cl_device_id device = NULL;
        snprintf(b->where, sizeof b->where, "cpu");
        b->description = amp_accelerator_description(all[i]);
        b->on_gpu = !amp_accelerator_is_emulated(all[i]);
        if (strcmp(amp_accelerator_path(all[i]), "cpu") != 0) {
            const char *const path = amp_accelerator_path(all[i]);
            const int backend = !strncmp(path, "vulkan:", 7) ? 2 : !strncmp(path, "cuda:", 5) ? 1 : 0;
            snprintf(b->where, sizeof b->where, "%s:%u", backends[backend], number[backend]++);
            device = raw_find(b->description, &position[backend]);
        }
        b->alone = !device && strcmp(b->where, "cpu") != 0;
        if (!bench_chosen(b, all[i]))
            continue;
        if (b->alone)
            fprintf(stderr, "OpenCL does not have \"%s\": it is measured alone\n", b->description);
        measure(b, all[i], device);
    }
}

/* // >>memory */

enum { BENCH_PAGE = 4096, BENCH_HUGE_PAGE = 2 << 20 };

/* Page-aligned memory, so that no way is luckier than another, written first by the threads that will use it;
   ends the program if there is none. */
static inline void *bench_memory_on(size_t page, size_t bytes)
{
    const ptrdiff_t pages = (ptrdiff_t)((bytes + BENCH_PAGE - 1) / BENCH_PAGE);
    const size_t room = (bytes + page - 1) / page * page;
    char *const memory = aligned_alloc(page, room);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
#if defined(MADV_HUGEPAGE)
    if (page == BENCH_HUGE_PAGE)
        madvise(memory, room, MADV_HUGEPAGE);
#endif
#pragma omp parallel for
    for (ptrdiff_t p = 0; p < pages; p++)
        memset(memory + (size_t)p * BENCH_PAGE, 0, BENCH_PAGE);
    return memory;
}

/* Large arrays lie on huge pages, where the system has them: where 4 KiB pages happen to lie makes some arrays faster
   than others, differently in each process. */
static inline void *bench_memory(size_t bytes)
{
    return bench_memory_on(bytes < BENCH_HUGE_PAGE ? BENCH_PAGE : BENCH_HUGE_PAGE, bytes);
}

/* The pages that users have. */
static inline void *bench_plain_memory(size_t bytes) { return bench_memory_on(BENCH_PAGE, bytes); }

/* Fills memory with what no result is (NaN, as numbers), so that an old result is not taken for a new one. */
static inline void bench_spoil(void *memory, size_t bytes)
{
    const ptrdiff_t pages = (ptrdiff_t)((bytes + BENCH_PAGE - 1) / BENCH_PAGE);
#pragma omp parallel for
    for (ptrdiff_t p = 0; p < pages; p++) {
        const size_t at = (size_t)p * BENCH_PAGE;
        memset((char *)memory + at, 0xff, bytes - at < BENCH_PAGE ? bytes - at : BENCH_PAGE);
    }
}

/* The i-th of the numbers that all programs compute with: the same on every machine, between -0.5 and 0.5, and with
   so few digits that a float holds it exactly. */
static inline double bench_random(size_t i)
{
    uint32_t x = (uint32_t)i * 2654435761u + 12345u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (double)((x ^ x >> 16) >> 8) / (1 << 24) - 0.5;
}

/* Whole numbers from -2 to 2: their sums, and those of their products, are exact also in fp32, and so the same in any
   order, as long as they stay below 2^24. A plain fp32 sum of 2^25 fractions is per cents off. */
static inline int bench_random_digit(size_t i) { return (int)(5.0 * bench_random(i) + 2.5) - 2; }

static inline void bench_fill_float(float *values, size_t count)
{
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        values[i] = (float)bench_random((size_t)i);
}

static inline void bench_fill_double(double *values, size_t count)
{
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        values[i] = bench_random((size_t)i);
}

/* A place where two arrays differ by more than `tolerance` is told; true when there is none. */
static inline bool bench_close_float(const float *got, const float *want, size_t count, double tolerance)
{
    ptrdiff_t wrong = -1;
#pragma omp parallel for reduction(max : wrong)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= tolerance))
            wrong = i;
    if (wrong >= 0)
        fprintf(stderr, "element %td is %g, expected %g\n", wrong, (double)got[wrong], (double)want[wrong]);
    return wrong < 0;
}

static inline bool bench_close_double(const double *got, const double *want, size_t count, double tolerance)
{
    ptrdiff_t wrong = -1;
#pragma omp parallel for reduction(max : wrong)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance))
            wrong = i;
    if (wrong >= 0)
        fprintf(stderr, "element %td is %g, expected %g\n", wrong, got[wrong], want[wrong]);
    return wrong < 0;
}

static inline bool bench_same_sum(double got, double want)
{
    if (got == want)
        return true;
    fprintf(stderr, "the sum is %.10g, expected %.10g\n", got, want);
    return false;
}

/* For float or double arrays: fills them with the numbers above; compares them. */
#define bench_fill(values, count)                                                                                      \
    _Generic((values), float * : bench_fill_float, double * : bench_fill_double)(values, count)
#define bench_close(got, want, count, tolerance)                                                                       \
    _Generic((got), float *: bench_close_float, const float *: bench_close_float, double *: \
             bench_close_double, const double *: bench_close_double)(got, want, count, tolerance)

#endif /* BENCH_H */
