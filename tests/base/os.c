// SPDX-License-Identifier: MIT
/*  os.c - what a program is started with: variables that a set-user-id program must not obey, descriptors
    that are closed, a FIFO where a file is meant. */
#include "test.h"
#include "child.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int run_base_os(void);

/* ---- help ------------------------------------------------------------------------------------------ */

static char folder[64], output[16384];

static int begin(void **state)
{
    strcpy(folder, "/tmp/amp-test-environment-XXXXXX");
    return mkdtemp(folder) && chmod(folder, 0755) == 0 ? test_begin(state) : -1;
}

static int end(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? test_end(state) : -1;
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *self(void)
{
    static char path[1024];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || getenv("AMP_TEST_RUNNER")) {
        print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
        skip();
    }
    path[length] = '\0';
    return path;
}

/* The text of a file of the folder; "" if there is none. */
static const char *text_of(const char *name)
{
    output[0] = '\0';
    FILE *const file = fopen(in_folder(name), "r");
    if (file) {
        child_read(file, output, sizeof output);
        fclose(file);
    }
    return output;
}

/* Runs a part of CHILDREN, 300 seconds at most, after `prepare` was called in the new process. Its streams go to the
   file "output". Returns the exit status, or 1000 + the signal that ended it. */
static int run_part(const char *program, const char *part, void (*prepare)(void))
{
    fflush(stdout);
    icd_files_restore();
    const pid_t process = fork();
    if (process == 0) {
        const int file = open(in_folder("output"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        setenv("AMP_TEST_CHILD", part, 1);
        if (dup2(file, 1) == 1 && dup2(file, 2) == 2) {
            alarm(300);
            prepare();
            execl(program, program, (char *)NULL);
        }
        _exit(99);
    }
    int status = 0;
    check(process > 0 && waitpid(process, &status, 0) == process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A launch on the CPU backend, and words on both streams. */
static int child_loops(void)
{
    int values[64];
    AMP_ARRAY_VIEW(int, 1, v, values, 64);
    AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), v.extent, (i),
                             AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
    amp_array_view_synchronize(&v);
    fprintf(stderr, "said to stderr\n");
    printf("said to stdout\nvalue %d\n", values[63]);
    fflush(stdout);
    exit(0); /* with what is called at the end */
}

/* ---- set-user-id programs -------------------------------------------------------------------------- */

enum { OWNER = 65533, CALLER = 65534 };

/* Whose variables the library would obey. */
static int child_variables(void)
{
    static const char *const names[] = { "AMP_OPENCL_LIBRARY", "AMP_CUDA_LIBRARY", "AMP_TRACE",
                                         "AMP_SHOW_KERNELS",   "XDG_CACHE_HOME",   "HOME",
                                         "AMP_ACCELERATOR",    "AMP_LOG" };
    printf("%s\n", getuid() == geteuid() ? "own rights" : "another user's rights");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (amp_priv_environment(names[i]))
            printf("obeys %s\n", names[i]);
    return child_loops();
}

static void set_variables(void)
{
    setenv("AMP_TRACE", in_folder("mine/trace.json"), 1);
    setenv("AMP_SHOW_KERNELS", in_folder("mine/kernels/"), 1);
    setenv("XDG_CACHE_HOME", in_folder("mine/cache"), 1);
    setenv("HOME", in_folder("mine"), 1);
    setenv("AMP_OPENCL_LIBRARY", in_folder("mine/library.so"), 1);
    setenv("AMP_CUDA_LIBRARY", in_folder("mine/library.so"), 1);
    setenv("AMP_ACCELERATOR", "cpu", 1);
    setenv("AMP_LOG", "info", 1);
}

static void as_owner(void)
{
    set_variables();
    if (setgid(OWNER) != 0 || setuid(OWNER) != 0)
        _exit(98);
}

static void as_caller(void)
{
    set_variables();
    if (setgid(CALLER) != 0 || setuid(CALLER) != 0)
        _exit(98);
}

/* This program again, of the owner's, who can write to the folder "mine". */
static void make_program(const char *path, mode_t mode)
{
    char command[2300];
    snprintf(command, sizeof command, "cp '%s' '%s'", self(), path);
    check_int(system(command), 0);
    check_int(chown(path, OWNER, OWNER), 0);
    check_int(chmod(path, mode), 0);
}

static void a_set_user_id_program_obeys_none(void **state)
{
    char program[128];
    (void)state;
    if (geteuid() != 0) {
        print_message("SKIPPED: only root can make a set-user-id program of another user\n");
        skip();
    }
    strcpy(program, in_folder("program"));
    make_program(program, 0755);
    check_int(mkdir(in_folder("mine"), 0755), 0);
    check_int(chown(in_folder("mine"), OWNER, OWNER), 0);

    check_int(run_part(program, "variables", as_owner), 0); /* who may, and is obeyed */
    check_that(strstr(text_of("output"), "obeys AMP_OPENCL_LIBRARY\n") && strstr(output, "amp: found cpu"), "%s",
               output);
    check_int(unlink(in_folder("mine/trace.json")), 0);

    check_int(chmod(program, 04755), 0);
    check_int(run_part(program, "variables", as_caller), 0);
    if (strstr(text_of("output"), "own rights")) {
        print_message("SKIPPED: the system of %s ignores the mode of set-user-id programs\n", folder);
        skip();
    }
    check_that(strstr(output, "another user's rights\n") && strstr(output, "value 63\n"), "%s", output);
    check_that(!strstr(output, "obeys") && !strstr(output, "amp: found"), "%s", output);
    check(access(in_folder("mine/trace.json"), F_OK) != 0);
    check(access(in_folder("mine/cache/amp"), F_OK) != 0); /* an OpenCL driver may have made mine/cache */
}

/* ---- descriptors and FIFOs ------------------------------------------------------------------------- */

static void without(int stream)
{
    setenv("AMP_TRACE", in_folder("trace.json"), 1);
    setenv("AMP_LOG", "info", 1);
    close(stream);
}
static void without_input(void) { without(0); }
static void without_output(void) { without(1); }
static void without_errors(void) { without(2); }
static void without_any(void)
{
    for (int i = 0; i < 3; i++)
        without(i);
}

/* A file that is opened takes the lowest descriptor that is closed. */
static void a_trace_is_on_no_stream(void **state)
{
    void (*const prepare[])(void) = { without_input, without_output, without_errors, without_any };
    (void)state;
    for (int i = 0; i < 4; i++) {
        check_int(run_part(self(), "loops", prepare[i]), 0);
        const char *const trace = text_of("trace.json");
        const size_t length = strlen(trace);
        check_that(length > 2 && trace[0] == '[' && !strcmp(trace + length - 2, "]\n"), "%d: %s", i, trace);
        check_that(!strstr(trace, "said to") && !strstr(trace, "amp:"), "%d: %s", i, trace);
    }
}

static void to_fifo(void) { setenv("AMP_TRACE", in_folder("fifo"), 1); }

static void a_fifo_is_not_waited_for(void **state)
{
    (void)state;
    check_int(mkfifo(in_folder("fifo"), 0600), 0);
    check_int(run_part(self(), "loops", to_fifo), 0);
    check_that(strstr(text_of("output"), "value 63\n") && strstr(output, "fifo cannot be written"), "%s", output);
    /* who reads it gets all of it */
    const int fifo = open(in_folder("fifo"), O_RDONLY | O_NONBLOCK);
    check(fifo >= 0);
    check_int(run_part(self(), "loops", to_fifo), 0);
    check_that(!strstr(text_of("output"), "cannot be written"), "%s", output);
    const ssize_t length = read(fifo, output, sizeof output - 1);
    close(fifo);
    check(length > 2);
    output[length] = '\0';
    check_that(output[0] == '[' && !strcmp(output + length - 2, "]\n"), "%s", output);
}

/* ---- threads --------------------------------------------------------------------------------------- */

#if defined(__linux__) && defined(_OPENMP) && _OPENMP >= 201511

static int cores_of_thread(void)
{
    unsigned long cores[16] = { 0 };
    int count = 0;
    check(amp_priv_sched_getaffinity(0, sizeof cores, cores) >= 0);
    for (int i = 0; i < 16; i++)
        count += __builtin_popcountl(cores[i]);
    return count;
}

static atomic_int cores_of_started;
AMP_PRIV_THREAD_MAIN(count_cores)
{
    (void)argument;
    atomic_store(&cores_of_started, cores_of_thread());
    return 0;
}

static int child_bound(void)
{
    omp_get_num_places(); /* clang's runtime binds this thread at its first call */
    const int bound = cores_of_thread();
    check(amp_priv_thread_start(count_cores, NULL));
    while (atomic_load(&cores_of_started) == 0)
        usleep(100);
    printf("%d places, bound to %d, started on %d, then bound to %d\n", omp_get_num_places(), bound,
           atomic_load(&cores_of_started), cores_of_thread());
    fflush(stdout);
    exit(0);
}

static void bound_to_cores(void)
{
    setenv("OMP_PROC_BIND", "true", 1);
    setenv("OMP_PLACES", "threads", 1);
}

/* It would share the core of the thread that starts it. */
static void a_started_thread_is_not_bound(void **state)
{
    int places = 0, bound = 0, started = 0, after = 0;
    (void)state;
    check_int(run_part(self(), "bound", bound_to_cores), 0);
    check_that(sscanf(text_of("output"), "%d places, bound to %d, started on %d, then bound to %d", &places, &bound,
                      &started, &after) == 4,
               "%s", output);
    if (places < 2) {
        print_message("SKIPPED: OpenMP has %d places here\n", places);
        skip();
    }
    check_int(bound, 1);
    check_int(started, places);
    check_int(after, 1);
}

#else

static int child_bound(void) { return 1; }

static void a_started_thread_is_not_bound(void **state)
{
    (void)state;
    print_message("SKIPPED: this build binds no threads: it is not of Linux, or without OpenMP 4.5\n");
    skip();
}

#endif

CHILDREN({ "loops", child_loops }, { "variables", child_variables }, { "bound", child_bound })

#define ENVIRONMENT_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int run_base_os(void)
{
    const struct CMUnitTest tests[] = {
        ENVIRONMENT_TEST(a_set_user_id_program_obeys_none),
        ENVIRONMENT_TEST(a_trace_is_on_no_stream),
        ENVIRONMENT_TEST(a_fifo_is_not_waited_for),
        ENVIRONMENT_TEST(a_started_thread_is_not_bound),
    };
    return cmocka_run_group_tests_name("base/os", tests, NULL, NULL);
}
