// SPDX-License-Identifier: MIT
/*  main.c - runs the tests of every file: all, or those whose file name contains an argument.

        test_cpu                    all
        test_cpu tiled test_math.c  tests/test_tiled.c and tests/test_math.c
        test_cpu math.c:powers      of test_math.c the test powers; 'math.c:*round*': those with that in their name

    The exit status is the number of tests that failed. AMP_TEST_SEED=n repeats a run with random numbers. Tests of
    OpenCL ask for its first device by AMP_ACCELERATOR, where nothing else is asked for: it may be a CPU.  */
#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The files, in the order of their running: test_accelerator.c first, while the default is not settled. */
// clang-format off
#define FILES(X)                                                                                                       \
    X(accelerator) X(types) X(kernel) X(language) X(tiled) X(atomic) X(math) X(errors) X(memory) X(directory)          \
    X(group) X(group_memory) X(group_algorithms) X(program) X(reach) X(lookover) X(opencl_cache) X(environment)        \
    X(future) X(cuda) X(hip) X(algorithms) X(arguments)                                                                \
    X(algorithms_more) X(sort_rows) X(room) X(overlap) X(one_pass) X(subgroup) X(graphics) X(backend) X(checked)       \
    X(compare) X(interop)                                                                                              \
    X(lifetime) X(record) X(hooks) X(threads) X(fork) X(faults) X(matrix)
// clang-format on

#define DECLARE(name) __attribute__((weak)) int run_##name(void);
FILES(DECLARE)

static const struct {
    const char *file;
    int (*run)(void);
} files[] = {
#define ENTRY(name) { "test_" #name ".c", run_##name },
    FILES(ENTRY)
};
enum { COUNT = sizeof files / sizeof files[0] };

/* Is the file named by the part? What follows its ':' names tests. */
static bool is_in(const char *file, const char *part)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(part, ":"), part);
    return strstr(file, name) != NULL;
}

/* Runs what the parts name of a file, or all of it where there are none; adds what failed. True if it ran anything. */
static bool run_wanted(const char *file, int (*run)(void), int count, char **parts, int *failed)
{
    bool wanted = count == 0;
    const char *tests = NULL;
    for (int i = 0; i < count; i++)
        if (is_in(file, parts[i])) {
            const char *const colon = strchr(parts[i], ':');
            wanted = true;
            tests = colon ? colon + 1 : NULL;
        }
    if (!wanted)
        return false;
    if (!run) {
        printf("tests/%s is not part of this program\n", file);
        return false;
    }
    cmocka_set_test_filter(tests);
    *failed += run();
    return true;
}

int main(int argc, char **argv)
{
#if !defined(_WIN32) /* whose C library has no line buffers */
    setvbuf(stdout, NULL, _IOLBF, 0);
#if defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA)
    setenv("AMP_ACCELERATOR", "opencl", 0);
#endif
#endif
    children_begin();
    int failed = 0, ran = 0;
    for (int i = 0; i < COUNT; i++)
        ran += run_wanted(files[i].file, files[i].run, argc - 1, argv + 1, &failed);
    if (!ran) {
        fprintf(stderr, "no file of tests has such a name; there are");
        for (int i = 0; i < COUNT; i++)
            fprintf(stderr, " %s", files[i].file);
        fprintf(stderr, "\n");
        return 2;
    }
    return failed < 100 ? failed : 100;
}
