// SPDX-License-Identifier: MIT
/*  main.c - faults put under the programs of programs.h, one after the other: every call of every function that a
    program makes, each of its plausible codes, once and from there on.

    A child process runs a program with one fault after the other, as long as it lives; what ends it is a crash or a
    hang, and the next child goes on behind that. The parent counts.

        faults [--sample N] [--seed S] [--only TEXT]

    --sample N   one of N faults, chosen by the seed and the program
    --only TEXT  the programs that have this in their name.
    Also tests amp/backends/opencl_device.h. */
#define _GNU_SOURCE 1
#undef _FORTIFY_SOURCE
#include "programs.h"
#include "under.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 300 };

typedef struct options {
    unsigned sample, seed;
    const char *only;
} options;

typedef struct counts {
    unsigned faults, errors, unknown, told, crashed, hung, lost, ran, leaked, permanent;
    unsigned unfit; /* programs that go wrong without a fault, and show nothing */
} counts;

static options wanted = { 1, 1, NULL };

/* ---- which faults there are ------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Is this one in the sample? Programs take others, so that all together they take most. */
static bool is_chosen(const under_plan *p)
{
    const uint64_t group = mixed(wanted.seed * 0x9e3779b97f4a7c15u + (uint64_t)(p->function + 3) * 1000003u +
                                 (uint64_t)(p->code + 200000) * 2u + p->on);
    return wanted.sample <= 1 || mixed(group + p->call * 7919u) % wanted.sample == 0;
}

/* The next plan; false after the last. */
static bool next_plan(under_plan *p, const unsigned *calls)
{
    for (;;) {
        int count;
        const int *const codes = under_codes(p->function, &count);
        int at = 0;
        while (at < count && codes[at] != p->code)
            at++;
        const unsigned most = p->function == UNDER_ALL ? calls[under_functions()] : calls[p->function];
        if (p->call < most) {
            p->call++;
        } else if (!p->on) {
            p->on = true;
            p->call = 0;
            continue;
        } else if (at + 1 < count) {
            *p = (under_plan){ p->function, codes[at + 1], 0, false };
            continue;
        } else if (p->function == UNDER_ALL) {
            return false;
        } else {
            p->function = p->function + 1 < under_functions() ? p->function + 1 : UNDER_ALL;
            p->code = under_codes(p->function, &count)[0];
            p->call = 0;
            p->on = false;
            continue;
        }
        if (is_chosen(p))
            return true;
    }
}

static under_plan first_plan(void)
{
    int count;
    return (under_plan){ 0, under_codes(0, &count)[0], 0, false };
}

/* Codes by which a driver says that a device is gone; and those that say so when they come again and again. */
static bool removes(const under_plan *p)
{
    enum { NOT_AVAILABLE = -2, OUT_OF_RESOURCES = -5, EXECUTION_FAILED = -14 };
    return p->code == NOT_AVAILABLE || (p->on && (p->code == OUT_OF_RESOURCES || p->code == EXECUTION_FAILED));
}

/* ---- the child -------------------------------------------------------------------------------------- */

static char *words; /* what was written to stderr since the last look */

static void read_words(void)
{
    static char text[65536];
    const ssize_t n = pread(STDERR_FILENO, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    words = text;
    if (ftruncate(STDERR_FILENO, 0) != 0 || lseek(STDERR_FILENO, 0, SEEK_SET) != 0)
        abort();
}

static void note_live(long *live)
{
    for (int kind = 0; kind < UNDER_KINDS; kind++)
        live[kind] = under_live(kind);
}

/* One line to the parent about one fault. */
static void tell(unsigned failed, unsigned leaked, unsigned told, const char *leak)
{
    for (char *p = met.text; *p; p++)
        if (*p == '\n')
            *p = ' ';
    printf("D %u %u %u %u %u %u %u %u %.300s%s\n", failed, met.errors, met.unknown, told, met.lost, met.ran, leaked,
           met.permanent, met.text, leak);
    fflush(stdout);
}

/* Runs a fault. again: what is left over is not lost but made once, by the device that took the launches of one that is
   gone, unless as much is left over the second time. */
static void run_fault(const program *p, const under_plan *plan, long *live, bool again)
{
    char leak[160] = "";
    if (!again)
        printf("S %d %d %u %d\n", plan->function, plan->code, plan->call, plan->on);
    fflush(stdout);
    alarm(LIMIT_SECONDS);
    under_begin(plan);
    const unsigned failed = program_run(p, removes(plan));
    alarm(0);
    read_words();
    const long kernels = under_live(UNDER_KERNEL) - live[UNDER_KERNEL];
    unsigned leaked = 0, told = 0;
    for (int kind = 0; kind < UNDER_KINDS; kind++) {
        const long more = under_live(kind) - live[kind];
        if (more == 0 || (more < 0 && p->alone))
            continue;
        if (more > 0 && strstr(words, "never freed")) {
            told = 1;
        } else if (kernels > 0 && !p->prepare) {
            continue; /* a variant that was built for the first time, because another device took the launch */
        } else {
            leaked = 1;
            snprintf(leak, sizeof leak, " [%+ld %s]", more, under_kind(kind));
        }
    }
    if (under_freed_in_use()) {
        met.lost++;
        snprintf(leak, sizeof leak, " [memory was freed that a command uses]");
    }
    /* Devices are looked for once. Where that fails to the last, the CPU backend does it, with a word. */
    met.permanent += met.elsewhere && !(p->alone && plan->on && strstr(words, "warning"));
    note_live(live);
    if (leaked && !again && !p->alone && removes(plan)) {
        run_fault(p, plan, live, true);
        return;
    }
    tell(failed, leaked, told, leak);
}

/* What a run without faults does: its calls of each function, at the end those of OpenCL in all. */
static void note_calls(unsigned *calls)
{
    for (int f = 0; f < under_functions(); f++)
        calls[f] = program_calls(f);
    calls[under_functions()] = program_calls(UNDER_ALL);
}

static int child(const program *p, under_plan plan)
{
    if (programs_begin(p) < p->devices) {
        printf("N %d devices are needed\n", p->devices);
        return 0;
    }
    long live[UNDER_KINDS];
    unsigned calls[128];
    for (int warm = 0; warm < 2; warm++) {
        under_begin(NULL);
        program_run(p, false);
    }
    note_calls(calls);
    note_live(live);
    if (met.errors || met.lost || met.ran || met.permanent) {
        printf("N without a fault: %u errors; %s\n", met.errors, met.text);
        return 1;
    }
    read_words();
    while (next_plan(&plan, calls))
        run_fault(p, &plan, live, false);
    printf("E\n");
    return 0;
}

/* A process for one fault; without a plan it only says what there is to fail. */
static int lone_child(const program *p, const under_plan *plan, unsigned long launches, long *live)
{
    programs_begin(p);
    if (plan) {
        program_expect(launches);
        run_fault(p, plan, live, false);
        return 0;
    }
    unsigned calls[128];
    under_begin(NULL);
    program_run(p, false);
    note_calls(calls);
    printf("C %lu", program_launches());
    for (int kind = 0; kind < UNDER_KINDS; kind++)
        printf(" %ld", under_live(kind));
    for (int f = 0; f <= under_functions(); f++)
        printf(" %u", calls[f]);
    printf("\n");
    return met.errors || met.lost || met.ran || met.permanent;
}

/* ---- the parent ------------------------------------------------------------------------------------- */

/* A child's standard output; its words go to a file. */
typedef struct process {
    pid_t id;
    FILE *lines;
} process;

static const char *self, *folder;

static void set_environment(const program *p)
{
    char settings[256], path[512];
    snprintf(settings, sizeof settings, "%s", p->settings);
    for (char *one = strtok(settings, " "); one; one = strtok(NULL, " ")) {
        char *const value = strchr(one, '=');
        *value = '\0';
        for (char *comma = value + 1; (comma = strchr(comma, ',')) != NULL;)
            *comma = ' ';
        if (!strcmp(one, "AMP_TRACE"))
            snprintf(path, sizeof path, "%s/%s", folder, value + 1);
        else
            snprintf(path, sizeof path, "%s", value + 1);
        setenv(one, path, 1);
    }
    snprintf(path, sizeof path, "%s/words", folder);
    if (!freopen(path, "w+", stderr))
        _exit(9);
}

/* Starts `faults child INDEX ...`. */
static process start(const program *p, char *const *arguments)
{
    int ends[2];
    if (pipe(ends) != 0)
        abort();
    fflush(stdout);
    const pid_t id = fork();
    if (id == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        set_environment(p);
        execv(self, arguments);
        _exit(9);
    }
    close(ends[1]);
    return (process){ id, fdopen(ends[0], "r") };
}

static void show(const program *p, const under_plan *plan, const char *what, const char *text)
{
    printf("  %s: %s, call %u%s, code %d: %s%s%s\n", p->name, under_name(plan->function), plan->call,
           plan->on ? " and all after it" : "", plan->code, what, text[0] ? ": " : "", text);
}

/* A line "D ..." of a child. */
static void count_line(const program *p, const under_plan *plan, const char *line, counts *sum)
{
    unsigned failed, errors, unknown, told, lost, ran, leaked, permanent;
    int text = 0;
    if (sscanf(line, "D %u %u %u %u %u %u %u %u %n", &failed, &errors, &unknown, &told, &lost, &ran, &leaked,
               &permanent, &text) < 8)
        return;
    sum->faults += failed > 0;
    sum->errors += errors > 0;
    sum->unknown += unknown > 0;
    sum->told += told > 0;
    sum->lost += lost > 0;
    sum->ran += ran > 0;
    sum->leaked += leaked > 0;
    sum->permanent += permanent > 0;
    if (lost || ran || leaked || permanent)
        show(p, plan, lost ? "lost" : ran ? "ran though refused" : permanent ? "permanent" : "leaked", line + text);
}

/* What a child wrote to stderr before it ended. */
static const char *last_words(void)
{
    static char text[400];
    char path[512];
    snprintf(path, sizeof path, "%s/words", folder);
    FILE *const file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    if (strchr(text, '\n'))
        *strchr(text, '\n') = '\0';
    return text;
}

/* Reads what a child says. True: it ended well; else it crashed or hung at `plan`. */
static bool listen_to(const program *p, process child_process, under_plan *plan, counts *sum)
{
    char line[4096];
    bool busy = false, ended = false;
    int status = 0;
    while (child_process.lines && fgets(line, sizeof line, child_process.lines)) {
        int on = 0;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == 'S' && sscanf(line, "S %d %d %u %d", &plan->function, &plan->code, &plan->call, &on) == 4) {
            plan->on = on != 0;
            busy = true;
        } else if (line[0] == 'D') {
            count_line(p, plan, line, sum);
            busy = false;
        } else if (line[0] == 'E' || line[0] == 'N') {
            ended = true;
            if (line[0] == 'N')
                printf("  %s: %s\n", p->name, line + 2);
        }
    }
    fclose(child_process.lines);
    waitpid(child_process.id, &status, 0);
    if (!busy && ended && status != 0) {
        printf("  %s: goes wrong without a fault, or at its end: %s\n", p->name, last_words());
        sum->unfit++;
    }
    if (!busy)
        return ended || p->alone;
    const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    sum->faults++;
    sum->hung += hung;
    sum->crashed += !hung;
    show(p, plan, hung ? "hung" : "crashed", last_words());
    return false;
}

/* All faults of a program in as few processes as they take. */
static void run_program(int index, counts *sum)
{
    const program *const p = &programs[index];
    under_plan plan = first_plan();
    for (bool ended = false; !ended;) {
        char text[8][16];
        char *arguments[10] = { (char *)(uintptr_t)self, NULL };
        const long long values[] = {
            index, plan.function, plan.code, plan.call, plan.on, wanted.sample, wanted.seed + (unsigned)index
        };
        for (int i = 0; i < 7; i++) {
            snprintf(text[i], sizeof text[i], "%lld", values[i]);
            arguments[i + 2] = text[i];
        }
        arguments[1] = (char[]){ "child" };
        const under_plan before = plan;
        ended = listen_to(p, start(p, arguments), &plan, sum);
        if (!ended && !memcmp(&before, &plan, sizeof plan)) {
            printf("  %s: does not start: %s\n", p->name, last_words());
            sum->crashed++;
            return;
        }
    }
}

/* A process for each fault. */
static void run_program_alone(int index, counts *sum)
{
    const program *const p = &programs[index];
    char number[16], line[4096], *values[4];
    unsigned calls[128];
    snprintf(number, sizeof number, "%d", index);
    char *const asks[] = { (char *)(uintptr_t)self, (char[]){ "count" }, number, NULL };
    const process counting = start(p, asks);
    const bool told = fgets(line, sizeof line, counting.lines) && line[0] == 'C';
    int status = 0;
    fclose(counting.lines);
    waitpid(counting.id, &status, 0);
    if (!told) {
        printf("  %s: does not start: %s\n", p->name, last_words());
        sum->crashed++;
        return;
    }
    if (status != 0) {
        printf("  %s: goes wrong without a fault: %s\n", p->name, last_words());
        sum->unfit++;
    }
    char *rest = line + 2;
    for (int i = 0; i < 1 + UNDER_KINDS; i++) /* passed on as they are */
        rest += strcspn(rest, " ") + 1;
    rest[-1] = '\0';
    for (int f = 0; f <= under_functions(); f++)
        calls[f] = (unsigned)strtoul(rest, &rest, 10);
    under_plan plan = first_plan();
    wanted.seed += (unsigned)index;
    while (next_plan(&plan, calls)) {
        char text[4][16];
        const long long one[] = { plan.function, plan.code, plan.call, plan.on };
        for (int i = 0; i < 4; i++)
            snprintf(values[i] = text[i], sizeof text[i], "%lld", one[i]);
        char *const runs[] = { (char *)(uintptr_t)self,
                               (char[]){ "alone" },
                               number,
                               values[0],
                               values[1],
                               values[2],
                               values[3],
                               line + 2,
                               NULL };
        listen_to(p, start(p, runs), &plan, sum);
    }
    wanted.seed -= (unsigned)index;
}

static void add(counts *sum, const counts *more)
{
    unsigned *const to = (unsigned *)sum;
    const unsigned *const from = (const unsigned *)more;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

static void print_counts(const char *name, const counts *c)
{
    printf("%-24s %6u %6u %7u %5u %7u %5u %4u %3u %6u %9u\n", name, c->faults, c->errors, c->unknown, c->told,
           c->crashed, c->hung, c->lost, c->ran, c->leaked, c->permanent);
}

static int parent(void)
{
    char place[] = "/tmp/amp-faults-XXXXXX", command[64];
    counts all = { 0 };
    folder = mkdtemp(place);
    if (!folder)
        return 2;
    unsetenv("AMP_ACCELERATOR"); /* programs choose */
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("POCL_CACHE_DIR", folder, 1);
    if (wanted.sample > 1)
        printf("A sample: one of %u, --seed %u repeats it.\n", wanted.sample, wanted.seed);
    printf("%-24s %6s %6s %7s %5s %7s %5s %4s %3s %6s %9s\n", "program", "faults", "errors", "unknown", "kept",
           "crashes", "hangs", "lost", "ran", "leaked", "permanent");
    for (int i = 0; programs[i].name; i++) {
        counts sum = { 0 };
        if (wanted.only && !strstr(programs[i].name, wanted.only))
            continue;
        if (programs[i].alone)
            run_program_alone(i, &sum);
        else
            run_program(i, &sum);
        print_counts(programs[i].name, &sum);
        add(&all, &sum);
    }
    print_counts("all", &all);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    const int removed = system(command);
    return removed || all.crashed || all.hung || all.lost || all.ran || all.leaked || all.permanent || all.unfit ||
           !all.faults;
}

static under_plan plan_of(char **arguments)
{
    return (under_plan){ atoi(arguments[0]), atoi(arguments[1]), (unsigned)atoi(arguments[2]),
                         atoi(arguments[3]) != 0 };
}

int main(int count, char **arguments)
{
    self = "/proc/self/exe";
    if (count == 9 && !strcmp(arguments[1], "child")) {
        wanted = (options){ (unsigned)atoi(arguments[7]), (unsigned)atoi(arguments[8]), NULL };
        return child(&programs[atoi(arguments[2])], plan_of(arguments + 3));
    }
    if (count == 3 && !strcmp(arguments[1], "count"))
        return lone_child(&programs[atoi(arguments[2])], NULL, 0, NULL);
    if (count == 8 && !strcmp(arguments[1], "alone")) {
        long live[UNDER_KINDS];
        char *rest = arguments[7];
        const under_plan plan = plan_of(arguments + 3);
        const unsigned long launches = strtoul(rest, &rest, 10);
        for (int kind = 0; kind < UNDER_KINDS; kind++)
            live[kind] = strtol(rest, &rest, 10);
        return lone_child(&programs[atoi(arguments[2])], &plan, launches, live);
    }
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(arguments[i], "--sample"))
            wanted.sample = (unsigned)atoi(arguments[i + 1]);
        else if (!strcmp(arguments[i], "--seed"))
            wanted.seed = (unsigned)atoi(arguments[i + 1]);
        else if (!strcmp(arguments[i], "--only"))
            wanted.only = arguments[i + 1];
    }
    return parent();
}
