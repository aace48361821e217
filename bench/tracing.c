// SPDX-License-Identifier: MIT
/*  bench/tracing: what AMP_TRACE, AMP_PROFILE and AMP_REPORT cost a program of short kernels. Processes of their
    own run the same 200 launches of about 1 ms (--size microseconds), one after the other, and then wait: one
    with nothing set, one that writes a trace, one that counts for the tables, one that collects for a page. Times
    are per launch. How to build and read: bench/README.md. */
#define AMP_TOOLS
#include "bench.h"

#include "../tests/icd_files.h"

#include <sys/wait.h>
#include <unistd.h>

enum { LAUNCHES = 200, ELEMENTS = 1 << 16 };

/* ---- the worker: a process that runs the launches once for each byte that it reads ------------------------- */

/* Seconds per launch. */
static double run_launches(amp_accelerator_view av, amp_array_view_float_1 values, int steps, int count)
{
    const double start = omp_get_wtime();
    for (int i = 0; i < count; i++)
        AMP_PARALLEL_FOR_EACH_ON(av, values.extent, (at), AMP_CAPTURE(values, steps), {
            float x = AMP_AT(values, at);
            for (int step = 0; step < steps; step++)
                x = 0.999f * x + 0.5f;
            AMP_AT(values, at) = x;
        });
    amp_accelerator_view_wait(av);
    return (omp_get_wtime() - start) / count;
}

static int work(const char *accelerator, int steps)
{
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_from_path(accelerator));
    char byte;
    AMP_ARRAY_ON(av, float, 1, values, ELEMENTS);
    while (read(STDIN_FILENO, &byte, 1) == 1) {
        run_launches(av, amp_view_of(values), steps, LAUNCHES);
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            break;
    }
    return 0;
}

/* How many steps make a kernel of that many seconds there. */
static int steps_for(amp_accelerator_view av, double seconds)
{
    int steps = 16;
    double took;
    AMP_ARRAY_ON(av, float, 1, values, ELEMENTS);
    run_launches(av, amp_view_of(values), steps, 1);
    while ((took = run_launches(av, amp_view_of(values), steps, 5)) < seconds / 2 && steps < 1 << 24)
        steps *= 2;
    return (int)(steps * seconds / took);
}

/* ---- its ways -------------------------------------------------------------------------------------------- */

typedef struct worker {
    pid_t process;
    int to, from;
} worker;

static const char *program;

static worker start(const char *accelerator, int steps, const char *setting)
{
    int to[2], from[2];
    char count[16];
    snprintf(count, sizeof count, "%d", steps);
    if (pipe(to) || pipe(from)) {
        perror("pipe");
        exit(1);
    }
    fflush(NULL);
    icd_files_restore();
    const worker w = { fork(), to[1], from[0] };
    if (w.process == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int file = STDERR_FILENO + 1; file < 256; file++)
            close(file); /* among them the other workers' pipes, which would keep those from ending */
        if (freopen("/dev/null", "w", stderr)) /* the tables */
            execlp("env", "env", setting, program, "work", accelerator, count, (char *)NULL);
        _exit(1);
    }
    close(to[0]);
    close(from[1]);
    return w;
}

static void run(void *self)
{
    const worker *const w = self;
    char byte = 0;
    if (write(w->to, &byte, 1) != 1 || read(w->from, &byte, 1) != 1) {
        fprintf(stderr, "tracing: the program that runs the kernels has ended\n");
        exit(1);
    }
}

static void stop(const worker *w)
{
    close(w->to);
    waitpid(w->process, NULL, 0);
    close(w->from);
}

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    const char *const path = amp_accelerator_path(accelerator);
    const int steps = steps_for(amp_accelerator_default_view(accelerator), 1e-6 * table->size);
    char file[64], setting[96], page[64], page_setting[96];
    (void)device;
    snprintf(file, sizeof file, "/tmp/amp-bench-%ld.json", (long)getpid());
    snprintf(setting, sizeof setting, "AMP_TRACE=%s", file);
    snprintf(page, sizeof page, "/tmp/amp-bench-%ld.html", (long)getpid());
    snprintf(page_setting, sizeof page_setting, "AMP_REPORT=%s", page);
    worker off = start(path, steps, "AMP_TRACE="), traced = start(path, steps, setting),
           profiled = start(path, steps, "AMP_PROFILE=1"), reported = start(path, steps, page_setting);
    const bench_way ways[] = {
        { .name = "off", .self = &off, .run = run },
        { .name = "trace", .self = &traced, .run = run },
        { .name = "profile", .self = &profiled, .run = run },
        { .name = "report", .self = &reported, .run = run },
    };
    bench_compare(table, "launches", LAUNCHES, (bench_problem){ NULL, NULL }, ways, BENCH_COUNT(ways));
    stop(&off);
    stop(&traced);
    stop(&profiled);
    stop(&reported);
    remove(file);
    remove(page);
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "work"))
        return work(argv[2], atoi(argv[3]));
    program = argv[0];
    bench b = bench_begin(argc, argv, "tracing", BENCH_NS_EACH, 1000, 21);
    bench_each_accelerator(&b, measure);
    return bench_end(&b);
}
